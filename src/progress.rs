//! What a run says while it goes on: a bar on a terminal, a plain line every few seconds elsewhere, nothing with
//! `--quiet`. The one file that knows `indicatif`, and, with the benchmark, the one that reads a clock.

use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dealt::watch::{Progress, Running, Watch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::report_table::{count, signed};
use crate::say;

/// How often the running result is found anew for the bar.
const BAR_RESULT: Duration = Duration::from_millis(500);
/// How often a plain line is printed.
const LINE: Duration = Duration::from_secs(5);
/// Whether the user wants the run to stop.
static STOP: AtomicBool = AtomicBool::new(false);
const BAR: &str = "{bar:24} {percent:>3} %  {wide_msg}";

/// Tells the user how a run is doing.
#[derive(Debug)]
pub(crate) struct Display {
    /// The bar; none where plain lines are printed.
    bar: Option<ProgressBar>,
    quiet: bool,
    started: Instant,
    last: Mutex<Instant>,
}

impl Display {
    /// A display for a run that starts now.
    #[allow(clippy::disallowed_methods, reason = "a clock for the eyes; no result depends on it")]
    pub(crate) fn new(quiet: bool) -> Display {
        let now = Instant::now();
        let bar = (!quiet && io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template(BAR).expect("the template is fixed");
            bar.with_style(style.progress_chars("━╸ "))
        });
        Display { bar, quiet, started: now, last: Mutex::new(now) }
    }

    /// Lets Ctrl-C, and a request of the system to end, stop the run at the end of a block. Asked again, the program
    /// ends at once.
    pub(crate) fn heed_interrupts() {
        let heed = || {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
            say("stopping at the end of a block; once more to stop at once, without results");
        };
        // Where this cannot be had, an interrupt ends the program as it would any other.
        let _ = ctrlc::set_handler(heed);
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Whether so much time has passed since this was last true.
    fn is_due(&self, period: Duration) -> bool {
        let Ok(mut last) = self.last.lock() else { return false };
        let passed = last.elapsed();
        if passed >= period {
            *last += passed;
        }
        passed >= period
    }
}

impl Watch for Display {
    fn wants_to_stop(&self) -> bool {
        STOP.load(Ordering::Relaxed)
    }

    fn advanced(&self, progress: &Progress<'_>) {
        if self.quiet {
            return;
        }
        if let Some(bar) = &self.bar {
            bar.set_length(progress.games_wanted);
            bar.set_position(progress.games);
            if self.is_due(BAR_RESULT) {
                bar.set_message(status(progress, self.started.elapsed()));
            }
        } else if self.is_due(LINE) {
            let percent = progress.games * 100 / progress.games_wanted.max(1);
            say(&format!("{percent:>3} %  {}", status(progress, self.started.elapsed())));
        }
    }
}

/// How far, how fast, how long yet, and what comes out of it so far.
fn status(progress: &Progress<'_>, elapsed: Duration) -> String {
    let rate = progress.games as f64 / elapsed.as_secs_f64().max(1e-9);
    let left = progress.games_wanted.saturating_sub(progress.games) as f64 / rate.max(1e-9);
    let result = progress.contrasts().first().map_or_else(String::new, running);
    let (rate, left) = (count(rate as u64), duration(left));
    format!(
        "{left} left, {rate} games/s, {} of {}{result}",
        count(progress.games),
        count(progress.games_wanted)
    )
}

fn running(running: &Running) -> String {
    let Running { of, less, measure, estimate } = running;
    format!("; {measure} of {of} less {less}: {}", signed(estimate))
}

fn duration(seconds: f64) -> String {
    let seconds = seconds.ceil().min(1e9) as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn a_duration_is_said_in_units_that_fit_it() {
        assert_eq!(duration(0.2), "1 s");
        assert_eq!(duration(61.0), "1 min 1 s");
        assert_eq!(duration(7260.0), "2 h 1 min");
    }
}
