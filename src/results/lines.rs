//! Lines that know whether they are whole: a check sum in front of a JSON value.
//!
//! The check sum is FNV-1a with 64 bits. It finds every change of a single byte, and any other accident but for one in
//! 2⁶⁴; it is no protection against people.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A check sum over bytes that come one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckSum(u64);

impl Default for CheckSum {
    /// Of no bytes.
    fn default() -> CheckSum {
        CheckSum(0xcbf2_9ce4_8422_2325)
    }
}

impl CheckSum {
    /// Of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> u64 {
        let mut sum = CheckSum::default();
        sum.add(bytes);
        sum.value()
    }

    /// Takes more bytes in.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0 =
            bytes.iter().fold(self.0, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    }

    /// The sum so far.
    #[must_use]
    pub fn value(self) -> u64 {
        self.0
    }
}

/// A value as a line, ended.
#[must_use]
pub fn to_line(value: &impl Serialize) -> Vec<u8> {
    // What is written here has no keys that are not texts, so it can always be written.
    let text = serde_json::to_string(value).unwrap_or_default();
    format!("{:016x} {text}\n", CheckSum::of(text.as_bytes())).into_bytes()
}

/// The value of a line, given without its end.
///
/// # Errors
/// If the line is not as it was written, or is not of such a value: why not.
pub fn from_line<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    let (sum, text) = line.split_at_checked(17).ok_or("it is cut short")?;
    if sum != format!("{:016x} ", CheckSum::of(text)).as_bytes() {
        return Err("its check sum is wrong".to_owned());
    }
    serde_json::from_slice(text).map_err(|error| error.to_string())
}
