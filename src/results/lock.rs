//! One run to an output folder: a lock that names its process, and vanishes with it.
//!
//! The lock is one of the operating system on a hidden file beside the folder, so it is gone when its process is, however
//! that ends; the file may stay, and means nothing. Its text is for people: which process, on which machine.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process;

/// A lock that is held.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// Open as long as the lock is held.
    _file: File,
}

/// Why there is no lock.
#[derive(Debug)]
pub(super) enum Refused {
    /// Somebody else holds it; who.
    Held(String),
    /// The file system refuses.
    Io(io::Error),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused::Io(error)
    }
}

impl Lock {
    /// Takes the lock that is a file of this name.
    pub(super) fn take(path: &Path) -> Result<Lock, Refused> {
        loop {
            let mut file =
                OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let mut holder = String::new();
                    let _ = file.take(200).read_to_string(&mut holder);
                    return Err(Refused::Held(who(&holder)));
                }
                Err(TryLockError::Error(error)) => return Err(Refused::Io(error)),
            }
            // Whoever held the lock before may have taken the file away after it was opened here.
            if is_at(&file, path) {
                file.set_len(0)?;
                file.rewind()?;
                let written = file.write_all(own_name().as_bytes());
                // From here on the file goes with the lock, even where the disk is too full for a name.
                let lock = Lock { path: path.to_owned(), _file: file };
                return written.map(|()| lock).map_err(Refused::Io);
            }
        }
    }
}

impl Drop for Lock {
    /// The file is taken away while the lock is still held. Where that fails it stays, and means nothing.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether the file is the one of that name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |data: fs::Metadata| (data.dev(), data.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(opened), Ok(named)) => identity(opened) == identity(named),
        _ => false,
    }
}

/// Elsewhere files that are open cannot be taken away.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

fn own_name() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match host.trim() {
        "" => format!("process {}", process::id()),
        host => format!("process {} on {host}", process::id()),
    }
}

/// The holder, unless it has not written its name yet.
fn who(text: &str) -> String {
    let is_name = text.starts_with("process ") && !text.contains(char::is_control);
    if is_name { text.to_owned() } else { "another process".to_owned() }
}
