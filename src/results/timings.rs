//! `timings.csv`: how long a run took. No other file knows.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use crate::cells::{number, write_row};
use crate::study::Effort;
use crate::thinking::Thinking;

/// Measures a run.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts now.
    #[allow(clippy::disallowed_methods, reason = "the time goes into timings.csv and nowhere else")]
    #[must_use]
    pub fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }

    /// The time since the start.
    #[must_use]
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

/// How long a run took, and on how many threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timings {
    /// From the first game to the last.
    pub elapsed: Duration,
    /// Threads; none are known where several processes played it.
    pub threads: Option<NonZeroUsize>,
}

impl Timings {
    /// The text of the file.
    pub(super) fn table(&self, effort: &Effort, thinking: &[(String, Thinking)]) -> Vec<u8> {
        let seconds = self.elapsed.as_secs_f64();
        let rate = |count: u64| if seconds > 0.0 { number(count as f64 / seconds) } else { String::new() };
        let mut out = Vec::new();
        write_row(&mut out, ["measure", "value"]);
        for (measure, value) in [
            ("threads", self.threads.map_or_else(String::new, |threads| threads.to_string())),
            ("seconds", number(seconds)),
            ("games_per_second", rate(effort.games)),
            ("deals_per_second", rate(effort.deals)),
            ("decisions_per_second", rate(effort.decisions)),
        ] {
            write_row(&mut out, [measure, &value]);
        }
        for (label, thinking) in thinking {
            if let Some(microseconds) = thinking.microseconds() {
                let measure = format!("microseconds_per_decision[{label}]");
                write_row(&mut out, [measure.as_str(), &number(microseconds)]);
            }
        }
        out
    }
}
