//! A file that grows while games are played: `games.csv`, `records.jsonl`, `forfeits.csv`, and the list of finished stages.
//!
//! Of each piece of a run it is known how many bytes it added and what their check sum is. So a file can be cut back to
//! a checkpoint, a damaged one is found out, and the parts of several machines can be put together.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::lines::CheckSum;

/// What a piece of a run added to a file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Segment {
    /// How many bytes.
    pub bytes: u64,
    /// Their check sum.
    pub sum: u64,
}

/// A file that grows.
#[derive(Debug)]
pub(super) struct Side {
    path: PathBuf,
    /// What stands in front of all that is added.
    header: Vec<u8>,
    file: Option<BufWriter<File>>,
    /// Of what was added since the last segment ended.
    bytes: u64,
    sum: CheckSum,
    /// Line feeds in all that was added.
    pub(super) lines: u64,
    is_synced: bool,
}

/// An error with the file that it is about.
fn named<'p>(path: &'p Path) -> impl Fn(io::Error) -> io::Error + use<'p> {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

impl Side {
    /// A file that is not there yet; it is created when something is added, or by [`open`](Side::open).
    pub(super) fn new(folder: &Path, name: &str, header: Vec<u8>) -> Side {
        let (path, sum) = (folder.join(name), CheckSum::default());
        Side { path, header, file: None, bytes: 0, sum, lines: 0, is_synced: true }
    }

    /// Creates the file if it is not there.
    pub(super) fn open(&mut self) -> io::Result<&mut BufWriter<File>> {
        if self.file.is_none() {
            let file = File::create(&self.path).map_err(named(&self.path))?;
            let mut file = BufWriter::new(file);
            file.write_all(&self.header).map_err(named(&self.path))?;
            self.is_synced = false;
            self.file = Some(file);
        }
        self.file.as_mut().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Appends.
    pub(super) fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.open()?.write_all(bytes).map_err(named(&self.path))?;
        self.is_synced = false;
        self.count(bytes);
        Ok(())
    }

    fn count(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.sum.add(bytes);
        self.lines += bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
    }

    /// Appends a segment of another such file, which starts there behind the header.
    pub(super) fn copy(&mut self, from: &mut Reader, start: u64, segment: Segment) -> io::Result<()> {
        if segment.bytes > 0 && from.end == 0 {
            from.read(self.header_segment(), |_| Ok(()))?;
        }
        from.go_to((self.header.len() as u64).saturating_add(start));
        from.read(segment, |bytes| self.add(bytes))
    }

    fn header_segment(&self) -> Segment {
        Segment { bytes: self.header.len() as u64, sum: CheckSum::of(&self.header) }
    }

    /// What was added since the last segment ended.
    pub(super) fn segment(&self) -> Segment {
        Segment { bytes: self.bytes, sum: self.sum.value() }
    }

    /// Ends a segment.
    pub(super) fn end_segment(&mut self) -> Segment {
        let segment = self.segment();
        (self.bytes, self.sum) = (0, CheckSum::default());
        segment
    }

    /// Brings all that was added to the disk.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        if let Some(file) = self.file.as_mut().filter(|_| !self.is_synced) {
            file.flush().and_then(|()| file.get_ref().sync_data()).map_err(named(&self.path))?;
            self.is_synced = true;
        }
        Ok(())
    }

    /// Reads segment after segment of a file that is there, and goes on behind them; what follows is cut off.
    pub(super) fn go_on(&mut self, segments: &[Segment]) -> io::Result<()> {
        if segments.iter().all(|segment| segment.bytes == 0) {
            // Whatever is there was begun after the checkpoint, and may not even have its header.
            return match fs::remove_file(&self.path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(named(&self.path)(error)),
                _ => Ok(()),
            };
        }
        let mut reader = Reader::new(&self.path);
        reader.read(self.header_segment(), |_| Ok(()))?;
        for &segment in segments {
            self.end_segment();
            reader.read(segment, |bytes| {
                self.count(bytes);
                Ok(())
            })?;
        }
        let open = || {
            let mut file = OpenOptions::new().write(true).open(&self.path)?;
            file.set_len(reader.end)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        self.file = Some(BufWriter::new(open().map_err(named(&self.path))?));
        self.is_synced = false;
        Ok(())
    }
}

/// Reads the segments of a file, one after the other, each checked.
#[derive(Debug)]
pub(super) struct Reader {
    path: PathBuf,
    file: Option<BufReader<File>>,
    /// Where the next segment starts.
    pub(super) end: u64,
}

impl Reader {
    /// A file, which is opened when a segment has a byte.
    pub(super) fn new(path: &Path) -> Reader {
        Reader { path: path.to_owned(), file: None, end: 0 }
    }

    /// Goes to where a segment starts.
    pub(super) fn go_to(&mut self, start: u64) {
        if self.end != start {
            (self.file, self.end) = (None, start);
        }
    }

    /// Reads a segment, some bytes at a time.
    pub(super) fn read(
        &mut self,
        segment: Segment,
        mut receive: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        if segment.bytes == 0 {
            return Ok(());
        }
        let damaged = |why: &str| {
            let message = format!("{}: {why}", self.path.display());
            io::Error::new(io::ErrorKind::InvalidData, message)
        };
        if self.file.is_none() {
            let mut file = File::open(&self.path).map_err(named(&self.path))?;
            file.seek(SeekFrom::Start(self.end)).map_err(named(&self.path))?;
            self.file = Some(BufReader::new(file));
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        let (mut left, mut sum) = (segment.bytes, CheckSum::default());
        let mut buffer = vec![0; left.min(1 << 16) as usize];
        while left > 0 {
            let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let count = file.read(&mut buffer[..most]).map_err(named(&self.path))?;
            if count == 0 {
                return Err(damaged("it is shorter than its checkpoint says"));
            }
            sum.add(&buffer[..count]);
            receive(&buffer[..count])?;
            left -= count as u64;
        }
        if sum.value() != segment.sum {
            return Err(damaged("it is not as it was written; its check sum is another"));
        }
        self.end += segment.bytes;
        Ok(())
    }
}
