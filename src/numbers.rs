//! Lists of integers as text: exact and short.
//!
//! Decimal numbers with blanks between; `v*k` is a number that stands `k` times in a row.
//!
//! ```
//! use dealt::numbers::{NumberReader, NumberWriter};
//! let mut out = NumberWriter::default();
//! [7, 0, 0, 0, -1].into_iter().for_each(|number| out.put(number));
//! let text = out.finish();
//! assert_eq!(text, "7 0*3 -1");
//! let mut numbers = NumberReader::new(&text);
//! let read: Vec<i128> = std::iter::from_fn(|| numbers.take()).collect();
//! assert_eq!(read, [7, 0, 0, 0, -1]);
//! ```

use std::fmt::Write;

/// Numbers as text.
#[derive(Clone, Default, Debug)]
pub struct NumberWriter {
    text: String,
    /// The last number, and how often it stands in a row; it is not in the text yet.
    last: Option<(i128, u64)>,
}

impl NumberWriter {
    /// Appends a number.
    pub fn put(&mut self, number: impl Into<i128>) {
        let number = number.into();
        match &mut self.last {
            Some((last, times)) if *last == number => *times += 1,
            _ => {
                self.flush();
                self.last = Some((number, 1));
            }
        }
    }

    fn flush(&mut self) {
        let Some((number, times)) = self.last.take() else { return };
        let blank = if self.text.is_empty() { "" } else { " " };
        // Writing to a text cannot fail.
        let _ = match times {
            1 => write!(self.text, "{blank}{number}"),
            _ => write!(self.text, "{blank}{number}*{times}"),
        };
    }

    /// All numbers.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.flush();
        self.text
    }
}

/// Numbers read back from a text, one after the other.
#[derive(Clone, Debug)]
pub struct NumberReader<'t> {
    words: std::str::Split<'t, char>,
    /// A number that stands some more times.
    again: (i128, u64),
}

impl<'t> NumberReader<'t> {
    /// Reads a text from its beginning.
    #[must_use]
    pub fn new(text: &'t str) -> NumberReader<'t> {
        NumberReader { words: text.split(' '), again: (0, 0) }
    }

    /// The next number, if there is one.
    pub fn take(&mut self) -> Option<i128> {
        if self.again.1 == 0 {
            let word = self.words.next()?;
            let (number, times) = word.split_once('*').unwrap_or((word, "1"));
            self.again = (number.parse().ok()?, times.parse().ok().filter(|&times| times > 0)?);
        }
        self.again.1 -= 1;
        Some(self.again.0)
    }

    /// The next number, if it fits.
    pub fn take_as<T: TryFrom<i128>>(&mut self) -> Option<T> {
        self.take().and_then(|number| T::try_from(number).ok())
    }

    /// The next number, if it is no farther from zero than this.
    pub fn take_within(&mut self, most: u128) -> Option<i128> {
        self.take().filter(|number| number.unsigned_abs() <= most)
    }

    /// Whether all numbers were taken.
    #[must_use]
    pub fn is_at_end(mut self) -> bool {
        self.again.1 == 0 && self.words.next().is_none()
    }
}
