//! Where a run is: the folder that it is to fill, and the hidden names beside it.
//!
//! A run to `results/mine` fills `results/.mine.partial` under the lock `results/.mine.lock`. When it is put in place, what
//! was there before waits at `results/.mine.replaced` for the moment between two renames.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::checkpoint::{CHECKPOINT, Checkpoint, STAGES, sync_folder};
use super::error::io_error;
use super::lock::{Lock, Refused};
use super::{FILES, FolderError, MANIFEST, whole};

/// The names of a run, with its lock.
#[derive(Debug)]
pub(super) struct Place {
    /// The folder that it is to fill.
    pub(super) target: PathBuf,
    /// Where its files are until then.
    pub(super) partial: PathBuf,
    replaced: PathBuf,
    _lock: Lock,
}

/// The hidden folder in which a run to this folder is while it goes on.
///
/// # Errors
/// If the path names no folder.
pub fn partial_of(target: &Path) -> Result<PathBuf, FolderError> {
    sibling(target, "partial")
}

/// Where the game is that a fault in a run to this folder broke off.
pub(super) fn fault_of(target: &Path) -> Result<PathBuf, FolderError> {
    sibling(target, "fault.jsonl")
}

/// A hidden name beside a folder.
fn sibling(target: &Path, what: &str) -> Result<PathBuf, FolderError> {
    let name = target.file_name().ok_or_else(|| FolderError::NoName(target.to_owned()))?;
    Ok(target.with_file_name(format!(".{}.{what}", name.to_string_lossy())))
}

impl Place {
    /// Locks a folder for a run to it.
    pub(super) fn lock(target: &Path) -> Result<Place, FolderError> {
        let [partial, replaced, lock] = ["partial", "replaced", "lock"].map(|what| sibling(target, what));
        let (partial, replaced, lock) = (partial?, replaced?, lock?);
        let parent = target.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(io_error("create the folder", parent))?;
        let lock = match Lock::take(&lock) {
            Ok(lock) => lock,
            Err(Refused::Held(holder)) => {
                return Err(FolderError::Busy { folder: target.to_owned(), holder });
            }
            Err(Refused::Io(error)) => return Err(io_error("lock", &lock)(error)),
        };
        let place = Place { target: target.to_owned(), partial, replaced, _lock: lock };
        place.recover().map_err(io_error("put in order", target))?;
        Ok(place)
    }

    /// Finishes what a process that was killed while it put its run in place has begun: between two renames, where the
    /// older run comes back or goes, or before the last file was taken away that is of no use in a complete run.
    fn recover(&self) -> io::Result<()> {
        match (self.replaced.exists(), self.target.exists()) {
            (true, false) => fs::rename(&self.replaced, &self.target)?,
            (true, true) => fs::remove_dir_all(&self.replaced)?,
            (false, _) => {}
        }
        let [stages, checkpoint] = [STAGES, CHECKPOINT].map(|name| self.target.join(name));
        let is_left_over = || stages.exists() && !checkpoint.exists() && holds_results(&self.target);
        if is_left_over() { fs::remove_file(&stages) } else { Ok(()) }
    }

    /// Makes the hidden folder, empty.
    pub(super) fn start_anew(&self) -> Result<(), FolderError> {
        self.discard().map_err(io_error("remove what is left of", &self.partial))?;
        fs::create_dir(&self.partial).map_err(io_error("create the folder", &self.target))?;
        self.sync_parent()
    }

    /// Takes the hidden folder away.
    pub(super) fn discard(&self) -> io::Result<()> {
        match fs::remove_dir_all(&self.partial) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Takes a run that was interrupted and put in place back to where it can go on.
    pub(super) fn take_back(&self) -> Result<(), FolderError> {
        fs::rename(&self.target, &self.partial).map_err(io_error("rename", &self.target))?;
        self.sync_parent()
    }

    /// Puts the hidden folder in place.
    pub(super) fn put_in_place(&self, force: bool) -> Result<(), FolderError> {
        if check_target(&self.target, force).is_err() {
            return Err(FolderError::Taken { folder: self.target.clone(), kept: self.partial.clone() });
        }
        sync_folder(&self.partial).map_err(io_error("write", &self.partial))?;
        let replaces = self.target.exists();
        if replaces {
            fs::rename(&self.target, &self.replaced).map_err(io_error("replace", &self.target))?;
        }
        fs::rename(&self.partial, &self.target).map_err(io_error("create the folder", &self.target))?;
        self.sync_parent()?;
        if replaces {
            fs::remove_dir_all(&self.replaced).map_err(io_error("remove", &self.replaced))?;
        }
        Ok(())
    }

    /// Takes away the game that an earlier run broke off, which this one has played to its end.
    pub(super) fn forget_fault(&self) -> Result<(), FolderError> {
        let file = fault_of(&self.target)?;
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error("remove", &file)(error)),
            _ => Ok(()),
        }
    }

    fn sync_parent(&self) -> Result<(), FolderError> {
        let parent = self.target.parent().unwrap_or(Path::new("."));
        sync_folder(parent).map_err(io_error("write", parent))
    }
}

/// Refuses a place that holds what must not be replaced. An empty folder holds nothing.
pub(super) fn check_target(target: &Path, force: bool) -> Result<(), FolderError> {
    if [MANIFEST, CHECKPOINT, STAGES].iter().any(|name| target.join(name).exists()) {
        return check_run(target, force);
    }
    if target.is_symlink() && !target.exists() {
        return Err(FolderError::Foreign(target.to_owned()));
    }
    match fs::read_dir(target).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() != io::ErrorKind::NotADirectory => Err(io_error("read", target)(error)),
        Err(error) if target.symlink_metadata().is_err() => Err(io_error("create the folder", target)(error)),
        _ => Err(FolderError::Foreign(target.to_owned())),
    }
}

/// Refuses a folder that may be a run's, unless it is, is to be replaced, and holds nothing else.
fn check_run(target: &Path, force: bool) -> Result<(), FolderError> {
    let checkpoint = Checkpoint::read(target);
    if !holds_results(target) && !matches!(checkpoint, Ok(Some(_))) {
        if !whole::is_what_is_left(target) {
            return Err(FolderError::Foreign(target.to_owned()));
        }
        if !force {
            return Err(checkpoint.err().unwrap_or_else(|| whole::missing(target, CHECKPOINT)));
        }
    }
    if !force {
        let checkpoint = checkpoint.unwrap_or(None);
        let open = checkpoint.filter(|checkpoint| !checkpoint.is_closed_shard());
        let folder = target.to_owned();
        return Err(match open {
            Some(checkpoint) => FolderError::Interrupted { folder, blocks: checkpoint.standing.blocks },
            None => FolderError::Exists(folder),
        });
    }
    for entry in fs::read_dir(target).map_err(io_error("read", target))? {
        let name = entry.map_err(io_error("read", target))?.file_name().to_string_lossy().into_owned();
        if !FILES.contains(&name.as_str()) {
            return Err(FolderError::Mixed { folder: target.to_owned(), name });
        }
    }
    Ok(())
}

/// Whether a folder has the manifest of a run.
fn holds_results(folder: &Path) -> bool {
    manifest_of(folder).is_ok_and(|manifest| manifest["program"] == env!("CARGO_PKG_NAME"))
}

/// The manifest of a folder, as far as it is one.
pub(super) fn manifest_of(folder: &Path) -> Result<serde_json::Value, FolderError> {
    let text = std::fs::read(folder.join(MANIFEST)).map_err(io_error("read", folder))?;
    Ok(serde_json::from_slice(&text).unwrap_or_default())
}
