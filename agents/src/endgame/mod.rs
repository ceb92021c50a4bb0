//! Exact play of what can be played out: the last tricks, all hands being known.

pub mod cancellation_hearts;
pub mod two_ten_jack;
