//! What is told while a run goes on: to whoever watches it, and to whoever keeps every game.

use std::io;

use crate::estimate::Estimate;
use crate::run::Stage;
use crate::tally::Tally;
use crate::thinking::Thinking;

/// Somebody who watches a run.
pub trait Watch: Sync {
    /// Some more blocks are finished. Is told so between chunks of blocks, by one thread at a time.
    fn advanced(&self, progress: &Progress<'_>);

    /// Whether to stop. What is counted by then is a valid run of fewer blocks; a game that is being played is played to
    /// its end, and its block thrown away. Is asked by all threads, before each game.
    fn wants_to_stop(&self) -> bool {
        false
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoWatch;

impl Watch for NoWatch {
    fn advanced(&self, _: &Progress<'_>) {}
}

/// How far a run has come.
#[derive(Clone, Copy)]
pub struct Progress<'r> {
    /// Blocks of the stage finished, all of them before any other.
    pub blocks: u64,
    /// Blocks that the stage has.
    pub blocks_wanted: u64,
    /// Games finished, those of earlier stages included.
    pub games: u64,
    /// Games wanted, those of later stages included; fewer may turn out to suffice.
    pub games_wanted: u64,
    /// Of the games finished, those of earlier processes.
    pub games_resumed: u64,
    /// What earlier stages found, in some words; may be empty.
    pub found: &'r str,
    /// Finds the running contrasts.
    pub(crate) contrasts: &'r dyn Fn() -> Vec<Running>,
}

impl Progress<'_> {
    /// The differences as they stand, each with an interval that holds however often one looks (a confidence sequence):
    /// between agents in win share, or between variants in mean score by deal. Costs some microseconds.
    #[must_use]
    pub fn contrasts(&self) -> Vec<Running> {
        (self.contrasts)()
    }
}

impl std::fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} blocks", self.blocks, self.blocks_wanted)
    }
}

/// A difference while the run goes on.
#[derive(Clone, PartialEq, Debug)]
pub struct Running {
    /// Whose: an agent or a variant.
    pub of: String,
    /// Less whose.
    pub less: String,
    /// What is compared: `win_share`, `score`, …
    pub measure: &'static str,
    /// The difference with its confidence sequence.
    pub estimate: Estimate,
}

/// Somebody who keeps every game: receives whole chunks, in the order of the games' indices.
pub trait Sink: Send {
    /// Rows of `games.csv` (without the header) and lines of `records.jsonl`, each ending with a line feed; empty
    /// unless the experiment asks for them.
    ///
    /// # Errors
    /// If they cannot be kept. The run then stops.
    fn take(&mut self, games_csv: &[u8], records: &[u8]) -> io::Result<()>;

    /// Rows of `forfeits.csv` (without the header) and lines of `faults.jsonl`, the records of the games that they are of.
    ///
    /// # Errors
    /// As [`take`](Sink::take).
    fn forfeited(&mut self, _rows: &[u8], _games: &[u8]) -> io::Result<()> {
        Ok(())
    }

    /// The next stage of a study starts, or goes on where an earlier process has left it.
    fn stage_starts(&mut self, _number: u64, _stage: &Stage) {}

    /// What is counted of the stage so far: all blocks whose games were received.
    ///
    /// # Errors
    /// As [`take`](Sink::take).
    fn counted(&mut self, _tally: &Tally) -> io::Result<()> {
        Ok(())
    }

    /// The same for the last time, be the stage complete or not; but not after an error of the sink itself.
    ///
    /// # Errors
    /// As [`take`](Sink::take).
    fn stage_ends(&mut self, _tally: &Tally, _complete: bool) -> io::Result<()> {
        Ok(())
    }

    /// Receives with each chunk how long the agent of a label thought.
    fn thought(&mut self, _label: &str, _thinking: &Thinking) {}
}

/// Keeps nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoSink;

impl Sink for NoSink {
    fn take(&mut self, _: &[u8], _: &[u8]) -> io::Result<()> {
        Ok(())
    }
}
