//! A limit of time, for those who ask for one; results then depend on the machine.

use std::time::{Duration, Instant};

/// When a decision must be made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline(Option<Instant>);

impl Deadline {
    /// In so many milliseconds; 0 for never.
    #[allow(
        clippy::disallowed_methods,
        reason = "asked for by a parameter that is marked as not reproducible"
    )]
    pub(super) fn after(ms: u32) -> Deadline {
        Deadline((ms > 0).then(|| Instant::now() + Duration::from_millis(ms.into())))
    }

    /// Whether it has passed; the clock is looked at every 32nd time.
    #[inline]
    #[allow(clippy::disallowed_methods, reason = "see above")]
    pub(super) fn has_passed(self, round: u32) -> bool {
        self.0.is_some_and(|end| round % 32 == 31 && Instant::now() >= end)
    }
}
