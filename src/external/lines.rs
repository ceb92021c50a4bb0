//! Lines from a pipe, whatever comes out of it: no line is longer than is allowed, and none is lost.

use std::io::{ErrorKind, Read};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most bytes of a line, its line feed not counted.
pub const LONGEST: usize = 1 << 20;

/// What came out of a pipe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// A line, without its end.
    Line(Vec<u8>),
    /// A line longer than [`LONGEST`], of which this is the beginning.
    TooLong(Vec<u8>),
    /// Nothing more will come; this is what stood behind the last line feed.
    End(Vec<u8>),
}

/// What has been read of a line that is not whole yet, for those who wait for it.
#[derive(Debug, Default)]
pub struct Unfinished(Mutex<Vec<u8>>);

impl Unfinished {
    /// The bytes so far.
    pub fn bytes(&self) -> Vec<u8> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads lines until there are no more, one is too long, or `take` wants none any more.
pub fn read(mut from: impl Read, unfinished: &Unfinished, mut take: impl FnMut(Heard) -> bool) {
    let mut buffer = [0; 1 << 13];
    loop {
        let count = match from.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        if count == 0 {
            let rest = std::mem::take(&mut *unfinished.lock());
            take(Heard::End(rest));
            return;
        }
        for piece in buffer[..count].split_inclusive(|&byte| byte == b'\n') {
            let heard = add(&mut unfinished.lock(), piece);
            let last = matches!(heard, Some(Heard::TooLong(_)));
            if heard.is_some_and(|heard| !take(heard)) || last {
                return;
            }
        }
    }
}

/// Adds what came to the line so far; gives what that comes to.
fn add(line: &mut Vec<u8>, piece: &[u8]) -> Option<Heard> {
    let (text, ends) = piece.strip_suffix(b"\n").map_or((piece, false), |text| (text, true));
    if line.len() + text.len() > LONGEST {
        return Some(Heard::TooLong(std::mem::take(line)));
    }
    line.extend_from_slice(text);
    if !ends {
        return None;
    }
    let mut whole = std::mem::take(line);
    if whole.last() == Some(&b'\r') {
        whole.pop();
    }
    Some(Heard::Line(whole))
}
