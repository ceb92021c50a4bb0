//! Exact play of what can be played out: the last tricks, all hands being known.

pub mod two_ten_jack;
