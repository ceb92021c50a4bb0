//! The simulator: from a settled experiment to games, from games to tallies, from tallies to files.
//!
//! The files, each building on those before it:
//!
//! - [`seating`]: which line-ups play a block
//! - [`experiment`]: a question with everything settled
//! - [`streams`]: where randomness comes from
//! - [`statistics`]: from exact sums to error bars
//! - [`estimate`]: a number with its interval, or the reason why it has none
//! - [`summary`]: what a run found, row by row
//! - [`recorder`]: what is told while a game is played, for those who write it down
//! - [`table`]: plays one game
//! - [`watch`]: what is told while a run goes on
//! - [`record`]: whole games as lines of JSON, written and read
//! - [`replay`]: refereeing and following a record

pub mod estimate;
pub mod experiment;
pub mod record;
pub mod recorder;
pub mod replay;
pub mod seating;
pub mod statistics;
pub mod streams;
pub mod summary;
pub mod table;
pub mod watch;

pub use experiment::{Experiment, ExperimentError, Outputs, Records, Seating, Variant};
