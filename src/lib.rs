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
//! - [`figures`] and [`answer`]: its numbers and its meaning, as a person reads them
//! - [`panics`]: panics that cost a game and not the run
//! - [`forfeit`]: what becomes of a game in which a player failed
//! - [`recorder`]: what is told while a game is played, for those who write it down
//! - [`watch`]: what is told while a run goes on
//! - [`external`]: agents that are programs of their own
//! - [`cast`]: who sits down for an agent
//! - [`table`]: plays one game; `remembered` plays it again from what was answered
//! - [`numbers`]: lists of integers as text
//! - [`tally`]: what a run keeps of its games
//! - [`run`]: the games of some blocks, on as many threads as wanted; `worker` is one thread's part, `inbox`
//!   where they meet
//! - [`cells`], [`games_csv`] and [`forfeits_csv`]: numbers, games and forfeits as CSV; [`csv_table`]: CSV read back
//! - [`report_table`]: all that is printed of a run
//! - [`study`]: courses of study, in which what is played depends on what came out so far
//! - [`results`]: the results folder
//! - [`record`]: whole games as lines of JSON, written and read
//! - [`replay`]: refereeing and following a record
//! - [`reasons`]: what an agent thought, in words
//! - [`rating`]: ratings over results folders
//! - [`report`]: a page that shows a results folder to a person

pub mod answer;
pub mod cast;
pub mod cells;
pub mod csv_table;
pub mod estimate;
pub mod experiment;
pub mod external;
pub mod figures;
pub mod forfeit;
pub mod forfeits_csv;
pub mod games_csv;
mod inbox;
pub mod numbers;
pub mod panics;
pub mod rating;
pub mod reasons;
pub mod record;
pub mod recorder;
mod remembered;
pub mod replay;
pub mod report;
pub mod report_table;
pub mod results;
pub mod run;
pub mod seating;
pub mod statistics;
pub mod streams;
pub mod study;
pub mod summary;
pub mod table;
pub mod tally;
pub mod thinking;
pub mod watch;
mod worker;

pub use experiment::{Experiment, ExperimentError, Outputs, Records, Seating, Variant};
pub use forfeit::OnFault;
