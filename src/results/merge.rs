//! Parts of a run that were played by several machines, put together.
//!
//! A part is a folder with a checkpoint: a shard that was closed, or a run of which some stages are complete. Their pieces
//! must tile the stages of the study that they are of; then its results are those of one run, to the byte, for tallies are
//! sums and the files that grow are put together in the order of the blocks.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::checkpoint::{CHECKPOINT, Checkpoint, Head, Pieces, Shard, differences};
use super::folder::Folder;
use super::piece::{GROWING, Piece};
use super::place::partial_of;
use super::side::Reader;
use super::{FolderError, MANIFEST, whole};
use crate::run::{Played, Stage};
use crate::study::Study;
use crate::study::pursue::Start;
use crate::watch::Sink;

/// A folder with a part of a run.
#[derive(Debug)]
pub struct Source {
    /// The folder, as it was given.
    pub given: PathBuf,
    /// Where its files are: the same, or the hidden folder beside it if it is not closed.
    folder: PathBuf,
    /// Its checkpoint.
    pub checkpoint: Checkpoint,
}

impl Source {
    /// Whether nothing more is to come from it.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.folder == self.given && (self.checkpoint.is_closed_shard() || self.is_whole())
    }

    /// How many stages are complete in it, if it is no shard.
    #[must_use]
    pub fn stages(&self) -> u64 {
        self.checkpoint.standing.number
    }

    /// Whether it is no shard but a run of all blocks, as far as it went.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.checkpoint.head.shard.is_none()
    }
}

/// A piece, and where it is from.
#[derive(Debug)]
struct Found {
    piece: Piece,
    source: usize,
    /// Where what it added to the files that grow begins, behind their headers.
    starts: [u64; GROWING.len()],
}

/// A folder whose part is not as it was written.
#[derive(Debug)]
pub struct Damaged {
    /// The folder, as it was given.
    pub given: PathBuf,
    /// What it was a part of, if that can be read yet.
    pub head: Option<Head>,
    /// What is wrong.
    pub error: FolderError,
}

/// Parts of one run.
#[derive(Debug)]
pub struct Parts {
    /// Their folders.
    pub sources: Vec<Source>,
    /// Those that count as nothing, for they are damaged.
    pub damaged: Vec<Damaged>,
    /// Their pieces by stage, and there by their blocks; those of folders that are settled.
    pieces: BTreeMap<u64, Vec<Found>>,
}

/// What a stage's pieces come to.
#[derive(Debug)]
enum Tiling<'p> {
    /// All its blocks, in their order.
    Whole(Vec<&'p Found>),
    /// Some are missing.
    Gaps(Vec<Range<u64>>),
    /// There are none, nor of any later stage.
    Nothing,
}

/// What is left to be done.
#[derive(Clone, PartialEq, Debug)]
pub struct Left {
    /// The number of the first stage that is not complete.
    pub stage: u64,
    /// Shards of which something is missing, of as many as were asked for.
    pub shards: Vec<Shard>,
}

impl Parts {
    /// Reads the parts of these folders, to be put together; what they hold besides their tallies is checked then.
    ///
    /// # Errors
    /// If a folder holds no part of a run, one that is not closed, a damaged one, or one of another run than the others.
    pub fn gather(folders: &[PathBuf]) -> Result<Parts, FolderError> {
        let mut parts = Parts::none();
        for given in folders {
            let source = find(given)?.ok_or_else(|| no_part(given))?;
            if !source.is_settled() {
                let why = format!("{} is not closed: it was interrupted, or is going on", given.display());
                return Err(FolderError::Pieces(why));
            }
            parts.add(source)?;
        }
        parts.sort();
        Ok(parts)
    }

    /// Reads the parts of these folders, to see what is missing, and checks all of their files. Folders that are not there,
    /// shards that are not closed yet, and those that are damaged count as nothing.
    ///
    /// # Errors
    /// If a folder holds something else, cannot be read, or holds a part of another run than the others.
    pub fn survey(folders: &[PathBuf]) -> Result<Parts, FolderError> {
        let mut parts = Parts::none();
        for given in folders {
            let checked = find(given).and_then(|source| match source {
                Some(source) if source.is_settled() => {
                    whole::check(&source.folder, &source.checkpoint).map(|()| Some(source))
                }
                None if given.join(MANIFEST).exists() => Err(no_part(given)),
                None if whole::is_what_is_left(given) => Err(whole::missing(given, CHECKPOINT)),
                None if given.exists() => Err(no_part(given)),
                source => Ok(source),
            });
            match checked {
                Ok(Some(source)) => parts.add(source)?,
                Ok(None) => {}
                Err(error @ FolderError::Damaged(..)) => {
                    let head = Checkpoint::head_of(given);
                    parts.damaged.push(Damaged { given: given.clone(), head, error });
                }
                Err(error) => return Err(error),
            }
        }
        parts.sort();
        Ok(parts)
    }

    fn none() -> Parts {
        Parts { sources: Vec::new(), damaged: Vec::new(), pieces: BTreeMap::new() }
    }

    fn add(&mut self, source: Source) -> Result<(), FolderError> {
        if let Some(first) = self.sources.first() {
            same_run(first, &source)?;
        }
        if source.is_settled() {
            self.take(&source)?;
        }
        self.sources.push(source);
        Ok(())
    }

    fn sort(&mut self) {
        let by_blocks = |found: &Found| (found.piece.blocks.start, found.piece.blocks.end);
        self.pieces.values_mut().for_each(|found| found.sort_by_key(by_blocks));
    }

    /// What is run; nothing if no folder says that.
    #[must_use]
    pub fn head(&self) -> Option<&Head> {
        let damaged = || self.damaged.iter().find_map(|damaged| damaged.head.as_ref());
        self.sources.first().map(|source| &source.checkpoint.head).or_else(damaged)
    }

    /// Of how many shards they are, if that is one number.
    #[must_use]
    pub fn shards(&self) -> Option<u64> {
        let mut numbers =
            self.sources.iter().filter_map(|source| source.checkpoint.head.shard).map(|shard| shard.of);
        let first = numbers.next()?;
        numbers.all(|of| of == first).then_some(first)
    }

    fn take(&mut self, source: &Source) -> Result<(), FolderError> {
        let mut starts = [0_u64; GROWING.len()];
        for piece in Pieces::of(&source.folder, &source.checkpoint)? {
            let piece = piece?;
            let ends = std::array::from_fn(|file| starts[file].saturating_add(piece.files[file].bytes));
            let of_stage = self.pieces.entry(piece.stage).or_default();
            if !piece.is_empty() {
                of_stage.push(Found { piece, source: self.sources.len(), starts });
            }
            starts = ends;
        }
        Ok(())
    }

    /// How the pieces of a stage fit together.
    fn tiling(&self, number: u64, stage: &Stage) -> Result<Tiling<'_>, FolderError> {
        let later = self.pieces.range(number + 1..).next().is_some();
        let found = match self.pieces.get(&number) {
            None if !later => return Ok(Tiling::Nothing),
            None => &[][..],
            Some(found) => found,
        };
        let (mut tiles, mut gaps): (Vec<&Found>, Vec<_>) = Default::default();
        let mut at = stage.blocks.start;
        for found in found {
            let Range { start, end } = found.piece.blocks;
            if start < at {
                let outside =
                    || self.damaged(found, format!("{} begin before their stage", found.piece.place()));
                self.same(tiles.last().copied().ok_or_else(outside)?, found)?;
                continue;
            }
            if start > at {
                gaps.push(at..start);
            }
            at = end;
            tiles.push(found);
        }
        if at < stage.blocks.end {
            gaps.push(at..stage.blocks.end);
        }
        Ok(if gaps.is_empty() { Tiling::Whole(tiles) } else { Tiling::Gaps(gaps) })
    }

    /// Two pieces with common blocks must be the same.
    fn same(&self, one: &Found, other: &Found) -> Result<(), FolderError> {
        if one.piece == other.piece {
            return Ok(());
        }
        let [a, b] = [one, other].map(|found| self.sources[found.source].given.display());
        let why = if one.piece.blocks == other.piece.blocks && one.piece.experiment == other.piece.experiment
        {
            format!("{a} and {b} differ for the same part: {}", one.piece.place())
        } else {
            format!("{a} and {b} overlap: {}, and {}", one.piece.place(), other.piece.place())
        };
        Err(FolderError::Pieces(why))
    }

    fn damaged(&self, found: &Found, why: String) -> FolderError {
        FolderError::Pieces(format!("{}: {why}", self.sources[found.source].folder.display()))
    }

    /// What was played of a whole stage.
    fn played(&self, number: u64, stage: &Stage, tiles: &[&Found]) -> Result<Played, FolderError> {
        let mut all: Option<Played> = None;
        for tile in tiles {
            let rest = Stage { blocks: tile.piece.blocks.start..stage.blocks.end, ..stage.clone() };
            let mut played = tile.piece.played(number, &rest).map_err(|why| self.damaged(tile, why))?;
            played.complete = true;
            match &mut all {
                Some(all) => all.merge(&played),
                None => all = Some(played),
            }
        }
        all.ok_or_else(|| FolderError::Pieces(format!("stage {number} has no blocks")))
    }

    /// Gives a study all stages that are complete. What is left; nothing if the study knows enough.
    ///
    /// # Errors
    /// If parts overlap or differ, or are none of this study.
    pub fn replay(&self, study: &mut dyn Study, of: u64) -> Result<Option<Left>, FolderError> {
        let mut number = 0;
        while let Some(stage) = study.next() {
            let Tiling::Whole(tiles) = self.tiling(number, &stage)? else { break };
            study.take(&self.played(number, &stage, &tiles)?);
            number += 1;
        }
        let ahead = study.ahead();
        if ahead.is_empty() {
            return Ok(None);
        }
        let mut shards = Vec::new();
        for shard in (0..of).map(|at| Shard { number: at, of }) {
            let mut is_missing = false;
            for (at, stage) in ahead.iter().enumerate() {
                let part = shard.part(&stage.blocks);
                let gaps = match self.tiling(number + at as u64, stage)? {
                    Tiling::Whole(_) => Vec::new(),
                    Tiling::Gaps(gaps) => gaps,
                    Tiling::Nothing => vec![stage.blocks.clone()],
                };
                is_missing |= gaps.iter().any(|gap| gap.start < part.end && part.start < gap.end);
            }
            if is_missing {
                shards.push(shard);
            }
        }
        Ok(Some(Left { stage: number, shards }))
    }

    /// Puts all stages together in a folder, and gives them to the study. Stages that nobody has begun may be left.
    ///
    /// # Errors
    /// If blocks are missing, parts overlap or differ, are damaged or none of this study, or the folder cannot be written.
    pub fn merge(&self, study: &mut dyn Study, folder: &mut Folder) -> Result<(), FolderError> {
        let mut readers: Vec<[Reader; GROWING.len()]> = Vec::new();
        for source in &self.sources {
            readers.push(GROWING.map(|name| Reader::new(&source.folder.join(name))));
            folder.add_effort(&source.checkpoint.standing);
        }
        let mut number = 0;
        while let Some(stage) = study.next() {
            let tiles = match self.tiling(number, &stage)? {
                Tiling::Whole(tiles) => tiles,
                Tiling::Gaps(gaps) => return Err(self.gap(number, &gaps)),
                Tiling::Nothing => break,
            };
            let played = self.played(number, &stage, &tiles)?;
            folder.stage_starts(number, &stage);
            for tile in tiles {
                for (file, reader) in readers[tile.source].iter_mut().enumerate() {
                    folder
                        .copy(file, reader, tile.starts[file], tile.piece.files[file])
                        .map_err(FolderError::File)?;
                }
            }
            folder.stage_ends(&played.tally, true).map_err(FolderError::File)?;
            study.take(&played);
            number += 1;
        }
        Ok(())
    }

    fn gap(&self, number: u64, gaps: &[Range<u64>]) -> FolderError {
        let gaps: Vec<String> = gaps.iter().map(|gap| format!("{} to {}", gap.start, gap.end)).collect();
        FolderError::Pieces(format!("blocks {} of stage {number} are missing", gaps.join(", ")))
    }
}

/// Gives a study the stages that were merged in a folder. Where it stands then.
///
/// # Errors
/// If the folder holds another run, one that is in the middle of a stage, or one of which nothing is left to be played.
pub fn replay_stages(folder: &Path, head: &Head, study: &mut dyn Study) -> Result<Start, FolderError> {
    let checkpoint = Checkpoint::read(folder)?;
    let none =
        || FolderError::Pieces(format!("{} holds no stages that a shard could follow", folder.display()));
    let checkpoint = checkpoint.filter(|checkpoint| checkpoint.head.shard.is_none()).ok_or_else(none)?;
    let differences = differences(&head.identity, &checkpoint.head.identity);
    if !differences.is_empty() {
        let why = format!("{} is of another run: {}", folder.display(), differences.join(", "));
        return Err(FolderError::Pieces(why));
    }
    let mut start = Start::default();
    for piece in Pieces::of(folder, &checkpoint)? {
        let wrong = |why: String| FolderError::Pieces(format!("{}: {why}", folder.display()));
        start.take(study, &piece?).map_err(wrong)?;
    }
    match start.begun {
        None => Ok(start),
        Some(_) => {
            let why = format!("{} was interrupted in the middle of a stage", folder.display());
            Err(FolderError::Pieces(why))
        }
    }
}

/// The part of a run in a folder; `None` if there is none.
fn find(given: &Path) -> Result<Option<Source>, FolderError> {
    for folder in [given.to_owned(), partial_of(given)?] {
        if let Some(checkpoint) = Checkpoint::read(&folder)? {
            return Ok(Some(Source { given: given.to_owned(), folder, checkpoint }));
        }
    }
    Ok(None)
}

/// A folder holds something else.
fn no_part(given: &Path) -> FolderError {
    FolderError::Pieces(if given.join(MANIFEST).exists() {
        format!("{} holds the complete results of a run, and no part of one", given.display())
    } else {
        format!(
            "{} holds no part of a run: a folder that `dealt run --shard` has closed is wanted",
            given.display()
        )
    })
}

fn same_run(one: &Source, other: &Source) -> Result<(), FolderError> {
    let differences = differences(&one.checkpoint.head.identity, &other.checkpoint.head.identity);
    if differences.is_empty() {
        return Ok(());
    }
    let [there, here] = [one, other].map(|source| source.given.display());
    let why = format!("{here} is of another run than {there}: {}", differences.join(", "));
    Err(FolderError::Pieces(why))
}
