//! A results folder that is being filled.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::checkpoint::{CHECKPOINT, Checkpoint, Head, Pieces, STAGES, Shard, Standing, differences};
use super::error::io_error;
use super::lines::to_line;
use super::piece::{GROWING, Piece};
use super::place::{Place, check_target, manifest_of};
use super::side::{Reader, Segment, Side};
use super::timings::{Stopwatch, Timings};
use super::{FILES, FolderError, MANIFEST, manifest, whole};
use crate::cells::write_row;
use crate::run::Stage;
use crate::study::pursue::Start;
use crate::study::{Findings, Study};
use crate::tally::Tally;
use crate::thinking::Thinking;
use crate::watch::Sink;
use crate::{Outputs, Records, forfeits_csv, games_csv};

/// The places of the files among [`GROWING`], and behind them that of the list of finished stages.
const GAMES: usize = 0;
const RECORDS: usize = 1;
const FORFEITS: usize = 2;
const FAULTS: usize = 3;
const FINISHED: usize = GROWING.len();
/// The shortest and the longest time between two checkpoints; in between, as much as passed before the first of them. So
/// a run that is killed loses half of what it has played at most, and no more than seconds.
const PERIODS: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(5)];
/// What all checkpoints of a process may take, and besides it one part in so many of its time.
const ALLOWANCE: Duration = Duration::from_millis(100);
const PART: u32 = 100;

/// What is to be done with a run that is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Approach {
    /// It is left as it is, and nothing is begun.
    Careful,
    /// It is replaced.
    Force,
    /// If it was interrupted, it goes on; if it is complete, it stays; if there is none, one begins.
    Resume,
}

/// A folder that was opened for a run.
#[derive(Debug)]
pub enum Opened {
    /// There is something to be done.
    Folder(Box<Folder>),
    /// The run is there, and complete.
    Complete,
}

/// A results folder that is being filled. One that is dropped before it is finished stays if it holds a block, for somebody
/// to go on with.
#[derive(Debug)]
pub struct Folder {
    place: Place,
    head: Head,
    /// The files that grow, and behind them the list of finished stages.
    sides: [Side; GROWING.len() + 1],
    /// The stage that is being played, as far as it was played; its files are those since the piece before.
    piece: Option<Piece>,
    /// Blocks of finished stages.
    blocks: u64,
    /// Whether some of it was played by an earlier process.
    was_resumed: bool,
    /// How long each agent thought, by its label, in the order of their first decisions.
    thinking: Vec<(String, Thinking)>,
    /// The time of earlier processes.
    before: Duration,
    stopwatch: Stopwatch,
    /// Since the last checkpoint.
    since: Stopwatch,
    /// How long this process took for its checkpoints.
    cost: Duration,
    /// Whether it stays even if it holds no block.
    stays: bool,
}

impl Folder {
    /// Opens a folder for a study alone, before a game is played, as the library's own examples and tests do.
    ///
    /// # Errors
    /// As [`open`](Folder::open).
    pub fn create(target: &Path, study: &dyn Study, force: bool) -> Result<Folder, FolderError> {
        let head = Head::new(manifest::identity(study), Value::Null, String::new(), Vec::new());
        let approach = if force { Approach::Force } else { Approach::Careful };
        match Folder::open(target, head, study.experiment().outputs, approach)? {
            Opened::Folder(folder) => Ok(*folder),
            Opened::Complete => Err(FolderError::Exists(target.to_owned())),
        }
    }

    /// Opens the folder of a run, before a game is played.
    ///
    /// # Errors
    /// If another process fills it, if there is a run that is neither replaced nor gone on with, if that is another run, if
    /// there is something that is no run, or if nothing can be written there.
    pub fn open(
        target: &Path,
        mut head: Head,
        outputs: Outputs,
        approach: Approach,
    ) -> Result<Opened, FolderError> {
        head.replaces = approach == Approach::Force;
        // What is no place for a run is refused before anything is made beside it.
        match check_target(target, head.replaces) {
            Ok(()) | Err(FolderError::Exists(_) | FolderError::Interrupted { .. }) => {}
            Err(error) => return Err(error),
        }
        let place = Place::lock(target)?;
        // A hidden folder is the later one: it is what the last process that was here has left.
        let left = |folder: &Path| Ok(Checkpoint::read(folder)?.filter(Checkpoint::holds_anything));
        match approach {
            Approach::Force => {}
            Approach::Careful => {
                if let Some(Checkpoint { standing, .. }) = left(&place.partial)? {
                    let (folder, blocks) = (target.to_owned(), standing.blocks);
                    return Err(FolderError::Interrupted { folder, blocks });
                }
            }
            Approach::Resume => {
                if let Some(last) = Checkpoint::read(&place.partial)? {
                    if last.holds_anything() || same_run(target, &head, &last.head).is_ok() {
                        return Folder::go_on(place, head, outputs, last);
                    }
                } else if let Some(last) = left(target)? {
                    same_run(target, &head, &last.head)?;
                    if last.is_closed_shard() {
                        whole::check(target, &last)?;
                        return Ok(Opened::Complete);
                    }
                    place.take_back()?;
                    return Folder::go_on(place, head, outputs, last);
                } else if target.join(MANIFEST).exists() {
                    same_results(target, &head)?;
                    return Ok(Opened::Complete);
                }
            }
        }
        check_target(target, head.replaces)?;
        place.start_anew()?;
        let mut folder = Folder::new(place, head);
        folder.open_files(outputs).map_err(wrong_file)?;
        folder.write_checkpoint(false).map_err(wrong_file)?;
        Ok(Opened::Folder(Box::new(folder)))
    }

    fn new(place: Place, head: Head) -> Folder {
        let sides = std::array::from_fn(|file| {
            let header = headers().get(file).cloned().unwrap_or_default();
            Side::new(&place.partial, GROWING.get(file).unwrap_or(&STAGES), header)
        });
        Folder {
            place,
            head,
            sides,
            piece: None,
            blocks: 0,
            was_resumed: false,
            thinking: Vec::new(),
            before: Duration::ZERO,
            stopwatch: Stopwatch::start(),
            since: Stopwatch::start(),
            cost: Duration::ZERO,
            stays: false,
        }
    }

    /// Creates the files that are there even if nothing is written to them.
    fn open_files(&mut self, outputs: Outputs) -> io::Result<()> {
        let [games, records, .., stages] = &mut self.sides;
        if outputs.games_csv {
            games.open()?;
        }
        if outputs.records != Records::None {
            records.open()?;
        }
        stages.open().map(|_| ())
    }

    /// Opens what an earlier process has left in the hidden folder, for [`replay`](Folder::replay).
    fn go_on(place: Place, head: Head, outputs: Outputs, last: Checkpoint) -> Result<Opened, FolderError> {
        same_run(&place.target, &head, &last.head)?;
        // Tables of what was played then are not those of the whole.
        for name in FILES {
            if GROWING.contains(name) || [CHECKPOINT, STAGES].contains(name) {
                continue;
            }
            let path = place.partial.join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(io_error("remove", &path)(error));
                }
                _ => {}
            }
        }
        let mut folder = Folder::new(place, last.head.clone());
        folder.take_up(&last)?;
        folder.open_files(outputs).map_err(wrong_file)?;
        Ok(Opened::Folder(Box::new(folder)))
    }

    /// Cuts the files back to a checkpoint, and goes on behind it.
    fn take_up(&mut self, last: &Checkpoint) -> Result<(), FolderError> {
        let partial = &self.place.partial;
        let mut segments: Vec<[Segment; GROWING.len()]> = Vec::new();
        for piece in Pieces::of(partial, last)? {
            let piece = piece?;
            segments.push(piece.files);
            self.blocks += piece.len();
        }
        let [growing @ .., stages] = &mut self.sides;
        for (place, side) in growing.iter_mut().enumerate() {
            let of_file: Vec<Segment> = segments.iter().map(|files| files[place]).collect();
            side.go_on(&of_file).map_err(wrong_file)?;
            if last.piece.is_none() {
                side.end_segment();
            }
        }
        stages.go_on(&[last.standing.stages]).map_err(wrong_file)?;
        self.blocks -= last.piece.as_ref().map_or(0, Piece::len);
        self.piece.clone_from(&last.piece);
        self.thinking.clone_from(&last.standing.thinking);
        (self.before, self.was_resumed) = (last.standing.elapsed, true);
        Ok(())
    }

    /// Gives a study what was played by earlier processes, its next stage being the one of this number.
    ///
    /// # Errors
    /// If what was played is not what the study asks for, or cannot be read.
    pub fn replay(&mut self, study: &mut dyn Study, first: u64) -> Result<Start, FolderError> {
        let mut start = Start { stage: first, ..Start::default() };
        if !self.was_resumed {
            return Ok(start);
        }
        let last = self.checkpoint(false);
        for piece in Pieces::of(&self.place.partial, &last)? {
            start
                .take(study, &piece?)
                .map_err(|why| FolderError::Damaged(self.place.partial.join(STAGES), why))?;
        }
        if start.begun.is_none() {
            // All blocks of the last stage were counted, and it was not noted that it ended.
            self.end_piece().map_err(wrong_file)?;
        }
        Ok(start)
    }

    /// Counts the time that other processes took for what is put together here.
    pub(super) fn add_effort(&mut self, other: &Standing) {
        self.before += other.elapsed;
        other.thinking.iter().for_each(|(label, thinking)| self.thought(label, thinking));
    }

    /// Appends a segment of another run's file to the one of the same place among [`GROWING`].
    pub(super) fn copy(
        &mut self,
        file: usize,
        from: &mut Reader,
        start: u64,
        segment: Segment,
    ) -> io::Result<()> {
        self.sides[file].copy(from, start, segment)
    }

    /// How many times a seat has forfeited a game so far.
    #[must_use]
    pub fn forfeit_count(&self) -> u64 {
        self.sides[FORFEITS].lines
    }

    /// How long the run took so far, its earlier processes included.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.before + self.stopwatch.elapsed()
    }

    /// How many blocks were played so far, those of earlier processes included.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.blocks + self.piece.as_ref().map_or(0, Piece::len)
    }

    /// The folder that it is to fill.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.place.target
    }

    /// Where its files are until it is finished.
    #[must_use]
    pub fn partial(&self) -> &Path {
        &self.place.partial
    }

    /// Notes how far the stage has come.
    fn note(&mut self, tally: &Tally) {
        let Some(piece) = &mut self.piece else { return };
        piece.blocks.end = piece.blocks.start + tally.blocks;
        piece.files = std::array::from_fn(|place| self.sides[place].segment());
        piece.tally = tally.to_text();
    }

    /// Puts the piece of a stage that is complete on the list.
    fn end_piece(&mut self) -> io::Result<()> {
        let Some(mut piece) = self.piece.take() else { return Ok(()) };
        piece.files = std::array::from_fn(|place| self.sides[place].end_segment());
        self.blocks += piece.len();
        self.sides[FINISHED].add(&to_line(&piece))
    }

    /// What is needed to go on from here.
    fn checkpoint(&self, finished: bool) -> Checkpoint {
        let standing = Standing {
            finished,
            number: self.sides[FINISHED].lines,
            blocks: self.blocks(),
            stages: self.sides[FINISHED].segment(),
            elapsed: self.elapsed(),
            thinking: self.thinking.clone(),
        };
        Checkpoint { head: self.head.clone(), piece: self.piece.clone(), standing }
    }

    /// Brings all that was noted to the disk. Should that fail, the last checkpoint stays.
    fn write_checkpoint(&mut self, finished: bool) -> io::Result<()> {
        let start = Stopwatch::start();
        self.sides.iter_mut().try_for_each(Side::sync)?;
        self.checkpoint(finished).write(&self.place.partial)?;
        self.cost += start.elapsed();
        self.since = Stopwatch::start();
        Ok(())
    }

    /// Writes what a run found, and puts the folder in its place, complete.
    ///
    /// # Errors
    /// If a file cannot be written. The run can then go on from its last checkpoint, and an older one stays.
    pub fn finish(
        mut self,
        study: &dyn Study,
        findings: &Findings,
        timings: &Timings,
    ) -> Result<PathBuf, FolderError> {
        self.write_tables(study, findings, timings)?;
        self.put_in_place()?;
        // Until here a process that is killed leaves what the next one needs.
        for name in [CHECKPOINT, STAGES] {
            let path = self.place.target.join(name);
            fs::remove_file(&path).map_err(io_error("remove", &path))?;
        }
        self.place.forget_fault()?;
        Ok(self.place.target.clone())
    }

    /// Leaves a run that is not complete, with tables of what was played and all that is needed to go on: in its place if
    /// nothing is there or it may be replaced, else in the hidden folder. Where that is.
    ///
    /// # Errors
    /// If a file cannot be written. The run can then go on from its last checkpoint.
    pub fn leave(
        mut self,
        study: &dyn Study,
        findings: &Findings,
        timings: &Timings,
        replace: bool,
    ) -> Result<PathBuf, FolderError> {
        self.write_tables(study, findings, timings)?;
        if !replace && check_target(&self.place.target, false).is_err() {
            return Ok(self.place.partial.clone());
        }
        self.put_in_place()?;
        Ok(self.place.target.clone())
    }

    /// Closes a part of a run, of which nothing is left to be played.
    ///
    /// # Errors
    /// As [`leave`](Folder::leave).
    pub fn close(mut self) -> Result<PathBuf, FolderError> {
        self.write_checkpoint(true).map_err(wrong_file)?;
        self.put_in_place()?;
        self.place.forget_fault()?;
        Ok(self.place.target.clone())
    }

    fn put_in_place(&mut self) -> Result<(), FolderError> {
        self.stays = true;
        self.place.put_in_place(self.head.replaces)
    }

    fn write_tables(
        &mut self,
        study: &dyn Study,
        findings: &Findings,
        timings: &Timings,
    ) -> Result<(), FolderError> {
        self.write_checkpoint(false).map_err(wrong_file)?;
        let manifest = manifest::manifest(study, findings);
        let timings = timings.table(&findings.effort, &self.thinking);
        let own = [("timings.csv", &timings), (MANIFEST, &manifest)];
        for (name, content) in findings.files.iter().map(|(name, content)| (*name, content)).chain(own) {
            let path = self.place.partial.join(name);
            let write = || {
                let mut file = File::create(&path)?;
                file.write_all(content)?;
                file.sync_all()
            };
            write().map_err(io_error("write", &path))?;
        }
        Ok(())
    }
}

impl Sink for Folder {
    fn stage_starts(&mut self, number: u64, stage: &Stage) {
        // One that an earlier process has begun goes on.
        self.piece.get_or_insert_with(|| Piece::new(number, stage));
    }

    fn take(&mut self, games_csv: &[u8], records: &[u8]) -> io::Result<()> {
        self.sides[GAMES].add(games_csv)?;
        self.sides[RECORDS].add(records)
    }

    fn forfeited(&mut self, rows: &[u8], games: &[u8]) -> io::Result<()> {
        self.sides[FORFEITS].add(rows)?;
        self.sides[FAULTS].add(games)
    }

    fn thought(&mut self, label: &str, thinking: &Thinking) {
        match self.thinking.iter_mut().find(|(known, _)| known == label) {
            Some((_, sum)) => sum.merge(thinking),
            None => self.thinking.push((label.to_owned(), *thinking)),
        }
    }

    fn counted(&mut self, tally: &Tally) -> io::Result<()> {
        let elapsed = self.stopwatch.elapsed();
        let period = (elapsed / 2).clamp(PERIODS[0], PERIODS[1]);
        if self.since.elapsed() < period || self.cost > ALLOWANCE + elapsed / PART {
            return Ok(());
        }
        self.note(tally);
        self.write_checkpoint(false)
    }

    fn stage_ends(&mut self, tally: &Tally, complete: bool) -> io::Result<()> {
        self.note(tally);
        if !complete {
            return self.write_checkpoint(false);
        }
        self.end_piece()
    }
}

impl Drop for Folder {
    /// Nobody is left to be told if this fails.
    fn drop(&mut self) {
        if !self.stays && self.blocks() == 0 {
            let _ = self.place.discard();
        }
    }
}

/// What stands in front of the files that grow.
pub(super) fn headers() -> [Vec<u8>; GROWING.len()] {
    let columns: [&[&str]; GROWING.len()] = [&games_csv::COLUMNS, &[], &forfeits_csv::COLUMNS, &[]];
    columns.map(|columns| {
        let mut header = Vec::new();
        if !columns.is_empty() {
            write_row(&mut header, columns.iter().copied());
        }
        header
    })
}

/// Refuses to go on with a run that is not this one, or another part of it.
fn same_run(folder: &Path, wanted: &Head, there: &Head) -> Result<(), FolderError> {
    let mut differences = differences(&wanted.identity, &there.identity);
    if wanted.shard != there.shard {
        let name =
            |shard: Option<Shard>| shard.map_or("no shard".to_owned(), |shard| format!("shard {shard}"));
        differences.push(format!("it is {} there, and {} here", name(there.shard), name(wanted.shard)));
    }
    refuse(folder, differences)
}

/// Refuses to take results for those of this run that are not, or are not complete.
fn same_results(folder: &Path, wanted: &Head) -> Result<(), FolderError> {
    let there = manifest_of(folder)?;
    let identity = wanted.identity.keys().map(|key| (key.clone(), there[key].clone())).collect();
    refuse(folder, differences(&wanted.identity, &identity))?;
    let is_complete = there["played"]["complete"] == true;
    is_complete.then_some(()).ok_or_else(|| FolderError::Exists(folder.to_owned()))
}

fn refuse(folder: &Path, differences: Vec<String>) -> Result<(), FolderError> {
    if differences.is_empty() {
        return Ok(());
    }
    Err(FolderError::Differs { folder: folder.to_owned(), differences })
}

/// An error that names its file already.
fn wrong_file(error: io::Error) -> FolderError {
    FolderError::File(error)
}
