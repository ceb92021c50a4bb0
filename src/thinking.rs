//! How long agents think: what `timings.csv` tells, and nothing else.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// One decision in so many is timed: looking at the clock takes about as long as a simple agent's decision.
const TIMED: u64 = 16;

/// The time that an agent took for decisions, of which every sixteenth is measured.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Thinking {
    decisions: u64,
    elapsed: Duration,
}

impl Thinking {
    /// Makes a decision, the agent's next one of a game after `before` others.
    #[inline]
    #[allow(clippy::disallowed_methods, reason = "the time goes into timings.csv and nowhere else")]
    pub(crate) fn time<T>(&mut self, before: u64, decide: impl FnOnce() -> T) -> T {
        if before % TIMED != TIMED / 2 {
            return decide();
        }
        let start = Instant::now();
        let decision = decide();
        self.elapsed += start.elapsed();
        self.decisions += 1;
        decision
    }

    /// Adds what was measured elsewhere.
    pub fn merge(&mut self, other: &Thinking) {
        self.decisions += other.decisions;
        self.elapsed += other.elapsed;
    }

    /// The mean time of a decision in microseconds; `None` if none was measured.
    #[must_use]
    pub fn microseconds(&self) -> Option<f64> {
        (self.decisions > 0).then(|| self.elapsed.as_secs_f64() * 1e6 / self.decisions as f64)
    }
}
