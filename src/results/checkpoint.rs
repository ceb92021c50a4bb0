//! What is needed to go on with a run: two files beside those that grow.
//!
//! `checkpoint` is replaced as a whole every few seconds (written anew under another name, brought to the disk, renamed), so
//! that it is always that of some moment. It says what is run, holds the [piece](Piece) of the stage that is being played,
//! and says how much of the other file counts. That is `stages`, to which the piece of each finished stage is appended.
//! Both are [lines with check sums](super::lines).
//!
//! A folder with a checkpoint is a run that was interrupted, or a part of one that is to be merged with others.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::FolderError;
use super::error::io_error;
use super::lines::{from_line, to_line};
use super::piece::Piece;
use super::side::Segment;
use crate::thinking::Thinking;

/// The name of the file with what is needed to go on.
pub const CHECKPOINT: &str = "checkpoint";
/// The name of the list of finished stages.
pub const STAGES: &str = "stages";
/// The version of their layout.
const FORMAT: u32 = 1;

/// One of so many parts of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Which, from 0.
    pub number: u64,
    /// Of how many, at least 1.
    pub of: u64,
}

impl Shard {
    /// Its part of some blocks: the parts of all shards follow each other without a gap, and differ by one block at most.
    #[must_use]
    pub fn part(self, blocks: &std::ops::Range<u64>) -> std::ops::Range<u64> {
        let length = u128::from(blocks.end - blocks.start);
        let cut = |number: u64| blocks.start + (length * u128::from(number) / u128::from(self.of)) as u64;
        cut(self.number)..cut(self.number + 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// What is run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Head {
    /// The version of the layout.
    pub format: u32,
    /// The program and the experiment, as the [manifest](super::manifest::identity) has them.
    pub identity: Map<String, Value>,
    /// The settings as they were written, the seed among them: the experiment is settled from these.
    pub settings: Value,
    /// The name of the experiment where the settings give none.
    pub name: String,
    /// What was typed to start it, without flags of this part of it alone.
    pub command: Vec<String>,
    /// Which part of the run this is, if it is one.
    pub shard: Option<Shard>,
    /// Whether it may replace a run that is in its place.
    pub replaces: bool,
}

impl Head {
    /// The head of a run.
    #[must_use]
    pub fn new(identity: Map<String, Value>, settings: Value, name: String, command: Vec<String>) -> Head {
        Head { format: FORMAT, identity, settings, name, command, shard: None, replaces: false }
    }
}

/// How far it has come.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// Whether nothing is left to be played of this part.
    pub finished: bool,
    /// How many pieces `stages` has.
    pub number: u64,
    /// How many blocks were played, of all stages.
    pub blocks: u64,
    /// The part of `stages` that counts.
    pub stages: Segment,
    /// How long it took so far.
    pub elapsed: Duration,
    /// How long each agent thought, by its label.
    pub thinking: Vec<(String, Thinking)>,
}

/// A checkpoint.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// What is run.
    pub head: Head,
    /// The stage that was being played, unless none was.
    pub piece: Option<Piece>,
    /// How far it has come.
    pub standing: Standing,
}

/// In what the program and the experiment of a run differ from those that are wanted, in words. Where there is more than
/// somebody would read, the first of it.
#[must_use]
pub fn differences(wanted: &Map<String, Value>, there: &Map<String, Value>) -> Vec<String> {
    let mut found = Vec::new();
    compare("", &Value::Object(wanted.clone()), &Value::Object(there.clone()), &mut found);
    let more = found.len().saturating_sub(MOST_DIFFERENCES);
    if more > 0 {
        found.truncate(MOST_DIFFERENCES);
        found.push(format!("and {more} more"));
    }
    found
}

const MOST_DIFFERENCES: usize = 4;

fn compare(place: &str, wanted: &Value, there: &Value, found: &mut Vec<String>) {
    let inner = |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
    match (wanted, there) {
        (Value::Object(wanted), Value::Object(there)) => {
            for (key, value) in wanted {
                compare(&inner(key), value, there.get(key).unwrap_or(&Value::Null), found);
            }
            for (key, value) in there.iter().filter(|(key, _)| !wanted.contains_key(*key)) {
                compare(&inner(key), &Value::Null, value, found);
            }
        }
        (Value::Array(wanted), Value::Array(there)) if wanted.len() == there.len() => {
            let both = wanted.iter().zip(there).enumerate();
            both.for_each(|(at, (wanted, there))| compare(&inner(&at.to_string()), wanted, there, found));
        }
        _ if wanted == there => {}
        _ => {
            let place = place.strip_prefix("experiment.").unwrap_or(place);
            found.push(format!("`{place}` is {there} there, and {wanted} here"));
        }
    }
}

impl Checkpoint {
    /// Whether something would be lost with it.
    #[must_use]
    pub fn holds_anything(&self) -> bool {
        self.standing.blocks > 0 || self.standing.finished
    }

    /// Whether it closes a part of a run, of which nothing is left to be played.
    #[must_use]
    pub fn is_closed_shard(&self) -> bool {
        self.standing.finished
    }

    /// Puts it into a folder in place of the one before.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        let lines = [to_line(&self.head), to_line(&self.piece), to_line(&self.standing)].concat();
        let (new, path) = (folder.join("checkpoint.new"), folder.join(CHECKPOINT));
        let write = || {
            let mut file = File::create(&new)?;
            file.write_all(&lines)?;
            file.sync_all()?;
            fs::rename(&new, &path)?;
            sync_folder(folder)
        };
        write().map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    }

    /// What is run, by that of a folder of which no more can be read.
    pub(super) fn head_of(folder: &Path) -> Option<Head> {
        let bytes = fs::read(folder.join(CHECKPOINT)).ok()?;
        from_line(bytes.split(|&byte| byte == b'\n').next()?).ok()
    }

    /// Reads that of a folder; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is of a version that this program does not know.
    pub fn read(folder: &Path) -> Result<Option<Checkpoint>, FolderError> {
        let path = folder.join(CHECKPOINT);
        let bytes = match fs::read(&path) {
            Err(error) if [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory].contains(&error.kind()) => {
                return Ok(None);
            }
            bytes => bytes.map_err(io_error("read", &path))?,
        };
        let damaged = |why: String| FolderError::Damaged(path.clone(), why);
        let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
        let [head, piece, standing, b""] = lines[..] else {
            return Err(damaged("three lines are wanted, each ended".to_owned()));
        };
        let line = |number: u32| move |why: String| damaged(format!("line {number}: {why}"));
        let head: Head = from_line(head).map_err(line(1))?;
        if head.format != FORMAT {
            let why = format!("line 1: format {} is not known; {FORMAT} is", head.format);
            return Err(FolderError::Damaged(path.clone(), why));
        }
        let piece = from_line(piece).map_err(line(2))?;
        let standing = from_line(standing).map_err(line(3))?;
        Ok(Some(Checkpoint { head, piece, standing }))
    }
}

/// Reads the pieces of a folder, those of finished stages first.
#[derive(Debug)]
pub struct Pieces {
    path: PathBuf,
    /// As much of `stages` as counts, if anything does.
    finished: Option<io::Take<BufReader<File>>>,
    /// Of `stages` as far as they were read.
    line: u64,
    last: Option<Piece>,
}

impl Pieces {
    /// The pieces of a folder with this checkpoint.
    ///
    /// # Errors
    /// If its list of stages is missing or shorter than the checkpoint says.
    pub fn of(folder: &Path, checkpoint: &Checkpoint) -> Result<Pieces, FolderError> {
        let (path, last) = (folder.join(STAGES), checkpoint.piece.clone());
        let wanted = checkpoint.standing.stages.bytes;
        if wanted == 0 {
            return Ok(Pieces { path, finished: None, line: 0, last });
        }
        let file = File::open(&path).map_err(io_error("read", &path))?;
        let length = file.metadata().map_err(io_error("read", &path))?.len();
        if length < wanted {
            let why = format!("it has {length} bytes, and {wanted} by its checkpoint");
            return Err(FolderError::Damaged(path, why));
        }
        Ok(Pieces { path, finished: Some(BufReader::new(file).take(wanted)), line: 0, last })
    }

    fn next_finished(&mut self) -> Result<Option<Piece>, FolderError> {
        let Some(finished) = &mut self.finished else { return Ok(None) };
        let mut line = Vec::new();
        finished.read_until(b'\n', &mut line).map_err(io_error("read", &self.path))?;
        if line.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        let damaged =
            |why: String| FolderError::Damaged(self.path.clone(), format!("line {}: {why}", self.line));
        let text = line.strip_suffix(b"\n").ok_or_else(|| damaged("it is cut short".to_owned()))?;
        from_line(text).map(Some).map_err(damaged)
    }
}

impl Iterator for Pieces {
    type Item = Result<Piece, FolderError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_finished().transpose().or_else(|| self.last.take().map(Ok))
    }
}

/// Brings the names in a folder to the disk, where folders can be synced.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error)
            if cfg!(unix)
                && !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) =>
        {
            Err(error)
        }
        _ => Ok(()),
    }
}
