//! Whether the folder of a run is as it was written, file by file.
//!
//! What grows is known by the pieces, which name the length and the check sum of what each of them added.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use super::checkpoint::{CHECKPOINT, Checkpoint, Pieces, STAGES};
use super::folder::headers;
use super::lines::{CheckSum, from_line};
use super::piece::GROWING;
use super::side::{Reader, Segment};
use super::{FILES, FolderError};
use crate::figures::counted;

/// Reads all that the checkpoint of a folder counts.
///
/// # Errors
/// The first file that is missing or is not as it was written, or one that cannot be read.
pub(super) fn check(folder: &Path, checkpoint: &Checkpoint) -> Result<(), FolderError> {
    let mut files = GROWING.map(|name| Reader::new(&folder.join(name)));
    let mut headers = headers();
    let mut number = 0;
    let pieces = Pieces::of(folder, checkpoint).map_err(|error| match error {
        FolderError::Io { error, .. } if error.kind() == ErrorKind::NotFound => missing(folder, STAGES),
        error => error,
    })?;
    for piece in pieces {
        let piece = piece?;
        for ((file, name), (segment, header)) in
            files.iter_mut().zip(GROWING).zip(piece.files.into_iter().zip(&mut headers))
        {
            // A file to which nothing was added need not be there.
            let header = if segment.bytes == 0 { Vec::new() } else { std::mem::take(header) };
            let header = Segment { bytes: header.len() as u64, sum: CheckSum::of(&header) };
            let read = file.read(header, |_| Ok(())).and_then(|()| file.read(segment, |_| Ok(())));
            read.map_err(|error| wrong(&folder.join(name), error))?;
        }
        number += 1;
    }
    let wanted = checkpoint.standing.number + u64::from(checkpoint.piece.is_some());
    if number == wanted {
        return Ok(());
    }
    let why = format!("{} by its checkpoint, and {number} there", counted(wanted, "piece"));
    Err(FolderError::Damaged(folder.join(STAGES), why))
}

/// What is wrong with a file, which the error names too.
fn wrong(path: &Path, error: io::Error) -> FolderError {
    let text = error.to_string();
    let why = text.strip_prefix(&format!("{}: ", path.display())).unwrap_or(&text);
    match error.kind() {
        ErrorKind::NotFound => FolderError::Damaged(path.to_owned(), "it is not there".to_owned()),
        ErrorKind::InvalidData => FolderError::Damaged(path.to_owned(), why.to_owned()),
        _ => FolderError::File(error),
    }
}

/// A file is not there.
pub(super) fn missing(folder: &Path, name: &str) -> FolderError {
    FolderError::Damaged(folder.join(name), "it is not there".to_owned())
}

/// Whether a folder is that of a run even if its checkpoint is damaged or missing: it holds nothing but files that runs write,
/// and one of the two that only they write has a line with its check sum.
pub(super) fn is_what_is_left(folder: &Path) -> bool {
    let Ok(mut entries) = fs::read_dir(folder) else { return false };
    let is_known = |name: &str| FILES.contains(&name) || name == "checkpoint.new";
    let all_known = entries.all(|entry| {
        entry.is_ok_and(|entry| {
            entry.file_type().is_ok_and(|kind| kind.is_file())
                && entry.file_name().to_str().is_some_and(is_known)
        })
    });
    all_known && [CHECKPOINT, STAGES].iter().any(|name| has_a_sound_line(&folder.join(name)))
}

fn has_a_sound_line(path: &Path) -> bool {
    let bytes = fs::read(path).unwrap_or_default();
    bytes.split(|&byte| byte == b'\n').any(|line| from_line::<serde_json::Value>(line).is_ok())
}
