//! The results folder: whole results or none.
//!
//! A run writes into a hidden folder beside the one it is to fill, opened before the first game is played, and renames
//! it when everything is written. So a run that is killed leaves no half results (its hidden folder is removed by the next), a folder that cannot be written is
//! found at once, and a run that is already there stays until its successor is complete. Of the files only
//! `timings.csv` knows of time and threads; all others are a function of the program, the experiment and the seed.
//!
//! - [`manifest`]: what is needed to run it again
//! - [`tables`]: the summary as CSV
//! - [`timings`]: how long it took
//! - [`read`]: a folder read back

pub mod manifest;
pub mod read;
pub mod tables;
pub mod timings;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::{fmt, process};

use crate::cells::write_row;
use crate::record::GameRecord;
use crate::study::{Findings, Study};
use crate::thinking::Thinking;
use crate::watch::Sink;
use crate::{Experiment, Records, forfeits_csv, games_csv};
use timings::Timings;

/// The name of the file that makes a folder a results folder.
pub const MANIFEST: &str = "manifest.json";

/// The name of the page that shows a run to a person.
pub const REPORT: &str = "report.html";

/// All files that a run writes, or that are made of it.
pub const FILES: &[&str] = &[
    MANIFEST,
    "agents.csv",
    "seats.csv",
    "pairs.csv",
    "scores.csv",
    "metrics.csv",
    "contrasts.csv",
    "sprt.csv",
    "ratings.csv",
    "iterates.csv",
    "rounds.csv",
    "tests.csv",
    "preset.toml",
    "games.csv",
    "records.jsonl",
    "forfeits.csv",
    "faults.jsonl",
    "timings.csv",
    REPORT,
];

/// A results folder that is being filled. One that is dropped before it is finished is removed.
#[derive(Debug)]
pub struct Folder {
    target: PathBuf,
    /// Where the files are until they are complete.
    partial: PathBuf,
    /// Whether a run that is there is replaced.
    force: bool,
    games: Option<BufWriter<File>>,
    records: Option<BufWriter<File>>,
    forfeits: Option<BufWriter<File>>,
    faults: Option<BufWriter<File>>,
    forfeit_count: u64,
    /// How long each agent thought, by its label, in the order of their first decisions.
    thinking: Vec<(String, Thinking)>,
}

/// Why a results folder cannot be used.
#[derive(Debug)]
pub enum FolderError {
    /// There is a run already.
    Exists(PathBuf),
    /// There is something else, which is not ours to replace.
    Foreign(PathBuf),
    /// There is a run, and beside it something that no run wrote.
    Mixed {
        /// The folder.
        folder: PathBuf,
        /// The name of what is in it.
        name: String,
    },
    /// Another run was put there while this one went on.
    Taken {
        /// The folder.
        folder: PathBuf,
        /// Where the results of this run are.
        kept: PathBuf,
    },
    /// The path names no folder that could be made.
    NoName(PathBuf),
    /// The file system refuses.
    Io {
        /// What was to be done.
        doing: &'static str,
        /// To what.
        path: PathBuf,
        /// Why it was not.
        error: io::Error,
    },
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FolderError::Exists(path) => write!(
                f,
                "{} holds a run already; --force replaces it, --out DIR writes elsewhere",
                path.display()
            ),
            FolderError::Foreign(path) => write!(
                f,
                "{} exists and is no results folder (it has no {MANIFEST} of a run), so it is not replaced; \
                 --out DIR writes elsewhere",
                path.display()
            ),
            FolderError::Mixed { folder, name } => write!(
                f,
                "{} holds `{name}`, which no run writes, so it is not replaced; move that away, or --out DIR writes \
                 elsewhere",
                folder.display()
            ),
            FolderError::Taken { folder, kept } => write!(
                f,
                "{} was filled by something else meanwhile; the results of this run are in {}",
                folder.display(),
                kept.display()
            ),
            FolderError::NoName(path) => {
                write!(
                    f,
                    "`{}` is no name for a results folder; --out takes one such as results/mine",
                    path.display()
                )
            }
            FolderError::Io { doing, path, error } => write!(f, "cannot {doing} {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for FolderError {}

fn io_error<'p>(doing: &'static str, path: &'p Path) -> impl FnOnce(io::Error) -> FolderError + use<'p> {
    move |error| FolderError::Io { doing, path: path.to_owned(), error }
}

impl Folder {
    /// Opens the folder of an experiment, before a game is played.
    ///
    /// # Errors
    /// If there is a run already and it is not to be replaced (`force`), if there is something that is no run, or if
    /// nothing can be written there.
    pub fn create(target: &Path, experiment: &Experiment, force: bool) -> Result<Folder, FolderError> {
        check_target(target, force)?;
        let partial = sibling(target, "partial")?;
        let parent = partial.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(io_error("create the folder", parent))?;
        remove_leftovers(&partial).map_err(io_error("remove what is left of", &partial))?;
        fs::create_dir(&partial).map_err(io_error("create the folder", target))?;
        let mut folder = Folder {
            target: target.to_owned(),
            partial,
            force,
            games: None,
            records: None,
            forfeits: None,
            faults: None,
            forfeit_count: 0,
            thinking: Vec::new(),
        };
        if experiment.outputs.games_csv {
            let mut header = Vec::new();
            write_row(&mut header, games_csv::COLUMNS);
            folder.games = Some(folder.open("games.csv", &header)?);
        }
        if experiment.outputs.records != Records::None {
            folder.records = Some(folder.open("records.jsonl", &[])?);
        }
        Ok(folder)
    }

    /// How many times a seat has forfeited a game so far.
    #[must_use]
    pub fn forfeit_count(&self) -> u64 {
        self.forfeit_count
    }

    fn open(&self, name: &str, header: &[u8]) -> Result<BufWriter<File>, FolderError> {
        let path = self.partial.join(name);
        let mut file = File::create(&path).map(BufWriter::new).map_err(io_error("create", &path))?;
        file.write_all(header).map_err(io_error("write", &path))?;
        Ok(file)
    }

    /// Writes what a run found, and puts the folder in its place.
    ///
    /// # Errors
    /// If a file cannot be written. Nothing is then left of the run, and an older one stays.
    pub fn finish(
        mut self,
        study: &dyn Study,
        findings: &Findings,
        timings: &Timings,
    ) -> Result<PathBuf, FolderError> {
        let growing = [self.games.take(), self.records.take(), self.forfeits.take(), self.faults.take()];
        for file in growing.into_iter().flatten() {
            let closed = file.into_inner().map_err(io::IntoInnerError::into_error);
            closed.and_then(|file| file.sync_all()).map_err(io_error("write", &self.partial))?;
        }
        let manifest = manifest::manifest(study, findings);
        let timings = timings.table(&findings.effort, &self.thinking);
        let own = [(MANIFEST, &manifest), ("timings.csv", &timings)];
        for (name, content) in findings.files.iter().map(|(name, content)| (*name, content)).chain(own) {
            let path = self.partial.join(name);
            fs::write(&path, content).map_err(io_error("write", &path))?;
        }
        self.put_in_place()?;
        Ok(self.target.clone())
    }

    fn put_in_place(&mut self) -> Result<(), FolderError> {
        if check_target(&self.target, self.force).is_err() {
            let kept = std::mem::take(&mut self.partial);
            return Err(FolderError::Taken { folder: self.target.clone(), kept });
        }
        let old = sibling(&self.target, "replaced")?;
        let replaces = self.target.exists();
        if replaces {
            fs::rename(&self.target, &old).map_err(io_error("replace", &self.target))?;
        }
        fs::rename(&self.partial, &self.target).map_err(io_error("create the folder", &self.target))?;
        if replaces {
            fs::remove_dir_all(&old).map_err(io_error("remove", &old))?;
        }
        Ok(())
    }
}

impl Sink for Folder {
    fn take(&mut self, games_csv: &[u8], records: &[u8]) -> io::Result<()> {
        for (file, text) in [(&mut self.games, games_csv), (&mut self.records, records)] {
            if let Some(file) = file {
                file.write_all(text)?;
            }
        }
        Ok(())
    }

    fn thought(&mut self, label: &str, thinking: &Thinking) {
        match self.thinking.iter_mut().find(|(known, _)| known == label) {
            Some((_, sum)) => sum.merge(thinking),
            None => self.thinking.push((label.to_owned(), *thinking)),
        }
    }

    fn forfeited(&mut self, rows: &[u8], games: &[u8]) -> io::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        if self.forfeits.is_none() {
            let mut header = Vec::new();
            write_row(&mut header, forfeits_csv::COLUMNS);
            self.forfeits = Some(self.open("forfeits.csv", &header).map_err(io::Error::other)?);
            self.faults = Some(self.open("faults.jsonl", &[]).map_err(io::Error::other)?);
        }
        self.forfeit_count += rows.iter().filter(|&&byte| byte == b'\n').count() as u64;
        for (file, text) in [(&mut self.forfeits, rows), (&mut self.faults, games)] {
            if let Some(file) = file {
                file.write_all(text)?;
            }
        }
        Ok(())
    }
}

impl Drop for Folder {
    /// Nobody is left to be told if this fails.
    fn drop(&mut self) {
        if self.partial.file_name().is_some() {
            let _ = fs::remove_dir_all(&self.partial);
        }
    }
}

/// Refuses a place that holds what must not be replaced. An empty folder holds nothing.
fn check_target(target: &Path, force: bool) -> Result<(), FolderError> {
    if target.join(MANIFEST).exists() {
        return check_run(target, force);
    }
    if target.is_symlink() && !target.exists() {
        return Err(FolderError::Foreign(target.to_owned()));
    }
    match fs::read_dir(target).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() != io::ErrorKind::NotADirectory => Err(io_error("read", target)(error)),
        _ => Err(FolderError::Foreign(target.to_owned())),
    }
}

/// Refuses a folder with a manifest, unless it is that of a run, is to be replaced, and holds nothing else.
fn check_run(target: &Path, force: bool) -> Result<(), FolderError> {
    let text = fs::read(target.join(MANIFEST)).map_err(io_error("read", target))?;
    let manifest: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
    if manifest["program"] != env!("CARGO_PKG_NAME") {
        return Err(FolderError::Foreign(target.to_owned()));
    }
    if !force {
        return Err(FolderError::Exists(target.to_owned()));
    }
    for entry in fs::read_dir(target).map_err(io_error("read", target))? {
        let name = entry.map_err(io_error("read", target))?.file_name().to_string_lossy().into_owned();
        if !FILES.contains(&name.as_str()) {
            return Err(FolderError::Mixed { folder: target.to_owned(), name });
        }
    }
    Ok(())
}

/// Removes what runs that were killed have left beside the folder: hidden folders of processes that are no more, as far
/// as the system tells.
fn remove_leftovers(partial: &Path) -> io::Result<()> {
    let own = partial.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = own.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let tells = Path::new("/proc/self").exists();
    let parent = partial.parent().filter(|parent| !parent.as_os_str().is_empty());
    for entry in fs::read_dir(parent.unwrap_or(Path::new(".")))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(number) = name.strip_prefix(stem) else { continue };
        let is_process = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let is_gone = tells && !Path::new("/proc").join(number).exists();
        if is_process && (is_gone || name == own) {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// Keeps the record of a game that a fault broke off, beside the folder that the run was to fill: in
/// `results/.mine.fault.jsonl` for `results/mine`. One that is there already is replaced: as long as the fault is not mended,
/// the same run breaks off in the same game.
///
/// # Errors
/// If the file cannot be written.
pub fn keep_fault(target: &Path, record: &GameRecord) -> Result<PathBuf, FolderError> {
    let file = hidden(target, "fault.jsonl")?;
    fs::write(&file, record.to_line() + "\n").map_err(io_error("write", &file))?;
    Ok(file)
}

/// A hidden name beside the folder, of this process alone.
fn sibling(target: &Path, what: &str) -> Result<PathBuf, FolderError> {
    hidden(target, &format!("{what}-{}", process::id()))
}

fn hidden(target: &Path, what: &str) -> Result<PathBuf, FolderError> {
    let name = target.file_name().ok_or_else(|| FolderError::NoName(target.to_owned()))?;
    Ok(target.with_file_name(format!(".{}.{what}", name.to_string_lossy())))
}
