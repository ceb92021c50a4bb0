//! The results folder: whole results, or what is needed to go on.
//!
//! A run writes into a hidden folder beside the one it is to fill, opened before the first game is played, and renames
//! it when everything is written. A folder that cannot be written is so found at once, and a run that is already there
//! stays until its successor is complete. A run that ends before, however it ends, leaves a [checkpoint], and another
//! process goes on from there to the very bytes that it would have written. Of the files only `timings.csv` knows of time
//! and threads; all others are a function of the program, the experiment and the seed.
//!
//! The files, each building on those before it:
//!
//! - [`manifest`]: what is needed to run it again
//! - [`tables`]: the summary as CSV
//! - [`timings`]: how long it took
//! - [`error`]: why a folder cannot be used
//! - [`lines`]: lines with check sums
//! - [`side`]: files that grow while games are played
//! - [`piece`]: some blocks of a stage, with all that came of them
//! - [`checkpoint`]: what is needed to go on
//! - `whole`: whether a folder is as it was written
//! - `lock`: one run at a time
//! - [`place`]: the names of a run, and what may be replaced
//! - [`folder`]: a folder that is being filled
//! - [`merge`]: parts that several machines have played, put together
//! - [`read`]: a folder read back

pub mod checkpoint;
pub mod error;
pub mod folder;
pub mod lines;
mod lock;
pub mod manifest;
pub mod merge;
pub mod piece;
pub mod place;
pub mod read;
pub mod side;
pub mod tables;
pub mod timings;
mod whole;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::record::GameRecord;
use checkpoint::Checkpoint;
pub use error::FolderError;
use error::io_error;
pub use folder::Folder;

/// The seed of the run that was interrupted in a folder, or is complete there.
///
/// # Errors
/// If what is there cannot be read.
pub fn seed_of(target: &Path) -> Result<Option<u64>, FolderError> {
    let seed = |identity: &Value| identity["experiment"]["seed"].as_u64();
    for folder in [place::partial_of(target)?, target.to_owned()] {
        if let Some(checkpoint) = Checkpoint::read(&folder)? {
            return Ok(seed(&Value::Object(checkpoint.head.identity)));
        }
    }
    let manifest = if target.join(MANIFEST).exists() { place::manifest_of(target)? } else { Value::Null };
    Ok(seed(&manifest))
}

/// Writes a file that is there as a whole or not at all: one that cannot be written leaves what was there before. What is no
/// plain file, such as a pipe, is written to as it is.
///
/// # Errors
/// If it cannot be written.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    // Where the name is a link, what it leads to is replaced.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = path.file_name().filter(|_| !path.exists() || path.is_file());
    let Some(name) = name else { return fs::write(&path, content) };
    let new = path.with_file_name(format!(".{}.new", name.to_string_lossy()));
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&new, &path)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&new);
    })
}

/// Keeps the record of a game that a fault broke off, beside the folder that the run was to fill: in
/// `results/.mine.fault.jsonl` for `results/mine`. One that is there already is replaced: as long as the fault is not mended,
/// the same run breaks off in the same game. It goes when a run to the folder is complete.
///
/// # Errors
/// If the file cannot be written.
pub fn keep_fault(target: &Path, record: &GameRecord) -> Result<PathBuf, FolderError> {
    let file = place::fault_of(target)?;
    write_whole(&file, (record.to_line() + "\n").as_bytes()).map_err(io_error("write", &file))?;
    Ok(file)
}

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
    checkpoint::CHECKPOINT,
    checkpoint::STAGES,
];
