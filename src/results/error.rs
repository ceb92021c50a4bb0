//! Why a results folder cannot be used.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use super::MANIFEST;
use crate::figures::counted;

/// Why a results folder cannot be used.
#[derive(Debug)]
pub enum FolderError {
    /// There is a run already, and it is not to be replaced.
    Exists(PathBuf),
    /// There is a run that was interrupted, neither to be gone on with nor to be replaced.
    Interrupted {
        /// The folder.
        folder: PathBuf,
        /// How many blocks were played.
        blocks: u64,
    },
    /// The run that is there is another one.
    Differs {
        /// The folder.
        folder: PathBuf,
        /// In what.
        differences: Vec<String>,
    },
    /// Another run is going on there.
    Busy {
        /// The folder.
        folder: PathBuf,
        /// Whose.
        holder: String,
    },
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
    /// A file is not as it was written; why not.
    Damaged(PathBuf, String),
    /// Folders do not make up a run; why not.
    Pieces(String),
    /// A file cannot be read or written; the error names it.
    File(io::Error),
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
            FolderError::Interrupted { folder, blocks } => write!(
                f,
                "{} holds a run that was interrupted, with {} played; --resume goes on, --force starts anew, --out DIR \
                 writes elsewhere",
                folder.display(),
                counted(*blocks, "block")
            ),
            FolderError::Differs { folder, differences } => write!(
                f,
                "{} holds another run: {}; --force starts anew, --out DIR writes elsewhere",
                folder.display(),
                differences.join(", ")
            ),
            FolderError::Busy { folder, holder } => write!(
                f,
                "{} is being filled by {holder}; wait for it, or --out DIR writes elsewhere",
                folder.display()
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
            FolderError::Damaged(path, why) => {
                write!(f, "{} is damaged: {why}", path.display())
            }
            FolderError::Pieces(why) => f.write_str(why),
            FolderError::File(error) => write!(f, "cannot use {error}"),
            FolderError::Io { doing, path, error } => write!(f, "cannot {doing} {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for FolderError {}

pub(super) fn io_error<'p>(
    doing: &'static str,
    path: &'p Path,
) -> impl FnOnce(io::Error) -> FolderError + use<'p> {
    move |error| FolderError::Io { doing, path: path.to_owned(), error }
}
