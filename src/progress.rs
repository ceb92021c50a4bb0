//! What a run says while it goes on: a bar on a terminal, a plain line every few seconds elsewhere, nothing with
//! `--quiet`. The one file that knows `indicatif`, and, with the benchmark, the one that reads a clock.
//!
//! Blocks may take minutes where agents think long. So a thread of its own speaks up when no block has been finished for
//! some seconds.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use dealt::figures::{count, counted, signed};
use dealt::watch::{Progress, Running, Watch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::say;

/// How often the running result is found anew for the bar.
const BAR_RESULT: Duration = Duration::from_millis(500);
/// How often a plain line is printed, and how long nothing may be heard of a run.
const LINE: Duration = Duration::from_secs(5);
/// Whether the user wants the run to stop.
static STOP: AtomicBool = AtomicBool::new(false);
const BAR: &str = "{bar:24} {percent:>3} %  {wide_msg}";

/// Tells the user how a run is doing.
#[derive(Debug)]
pub(crate) struct Display {
    screen: Arc<Screen>,
    /// Whoever speaks up in a long silence; nobody with `--quiet`.
    ticker: Option<(Sender<()>, JoinHandle<()>)>,
}

/// Where it is told.
#[derive(Debug)]
struct Screen {
    /// The bar; none where plain lines are printed.
    bar: Option<ProgressBar>,
    quiet: bool,
    started: Instant,
    heard: Mutex<Heard>,
}

/// What was heard of a run, and what was said of it.
#[derive(Clone, Copy, Debug)]
struct Heard {
    /// When something was last said.
    said: Instant,
    /// When the last block was finished, and how many games were by then, in per cent.
    last: Option<(Instant, u64)>,
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
        let heard = Mutex::new(Heard { said: now, last: None });
        let screen = Arc::new(Screen { bar, quiet, started: now, heard });
        let ticker = (!quiet).then(|| {
            let (stop, stopped) = mpsc::channel();
            let screen = Arc::clone(&screen);
            let tick = move || {
                while stopped.recv_timeout(LINE) == Err(RecvTimeoutError::Timeout) {
                    screen.speak_up();
                }
            };
            (stop, thread::spawn(tick))
        });
        Display { screen, ticker }
    }

    /// Lets Ctrl-C, and a request of the system to end, stop the run at the end of the games that are being played. Asked
    /// again, the program ends at once.
    pub(crate) fn heed_interrupts() {
        let heed = || {
            if STOP.swap(true, Ordering::Relaxed) {
                dealt::external::children::kill_all();
                std::process::exit(130);
            }
            say(
                "stopping when the games that are being played are finished; once more to stop at once, at the last checkpoint",
            );
        };
        // Where this cannot be had, an interrupt ends the program as it would any other.
        let _ = ctrlc::set_handler(heed);
    }

    /// Lets the same end the program at once, for commands that have no results to keep.
    pub(crate) fn end_on_interrupt() {
        let _ = ctrlc::set_handler(|| {
            dealt::external::children::kill_all();
            std::process::exit(130);
        });
    }

    /// Takes the bar away.
    pub(crate) fn finish(self) {
        if let Some((stop, thread)) = self.ticker {
            drop(stop);
            // Should it have panicked, there is nothing left for it to say.
            let _ = thread.join();
        }
        if let Some(bar) = &self.screen.bar {
            bar.finish_and_clear();
        }
    }
}

impl Screen {
    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that blocks were finished. True if so much time has passed since something was last said that it is time
    /// to say more.
    fn hear(&self, percent: u64, period: Duration) -> bool {
        let mut heard = self.heard();
        let passed = heard.said.elapsed();
        let now = heard.said + passed;
        heard.last = Some((now, percent));
        if passed >= period {
            heard.said = now;
        }
        passed >= period
    }

    /// Says that the run still goes on, if no block was finished and nothing was said for long.
    fn speak_up(&self) {
        let mut heard = self.heard();
        let last = heard.last.map(|(at, _)| at.elapsed());
        let passed = heard.said.elapsed();
        if passed < LINE || last.is_some_and(|since| since < LINE) {
            return;
        }
        heard.said += passed;
        let percent = heard.last.map_or(0, |(_, percent)| percent);
        drop(heard);
        self.tell(percent, &silence(self.started.elapsed(), last));
    }

    fn tell(&self, percent: u64, message: &str) {
        match &self.bar {
            Some(bar) => {
                bar.set_message(message.to_owned());
                // Where no block is finished yet, nothing else draws it.
                bar.tick();
            }
            None => say(&format!("{percent:>3} %  {message}")),
        }
    }
}

impl Watch for Display {
    fn wants_to_stop(&self) -> bool {
        STOP.load(Ordering::Relaxed)
    }

    fn advanced(&self, progress: &Progress<'_>) {
        let Screen { bar, quiet, started, .. } = &*self.screen;
        if *quiet {
            return;
        }
        if let Some(bar) = bar {
            bar.set_length(progress.games_wanted);
            bar.set_position(progress.games);
        }
        let percent = progress.games.saturating_mul(100) / progress.games_wanted.max(1);
        if self.screen.hear(percent, if bar.is_some() { BAR_RESULT } else { LINE }) {
            self.screen.tell(percent, &status(progress, started.elapsed()));
        }
    }
}

/// How far, how fast, how long yet, and what comes out of it so far.
fn status(progress: &Progress<'_>, elapsed: Duration) -> String {
    let rate = progress.games.saturating_sub(progress.games_resumed) as f64 / elapsed.as_secs_f64().max(1e-9);
    let left = progress.games_wanted.saturating_sub(progress.games) as f64 / rate.max(1e-9);
    let result = match progress.found {
        "" => progress.contrasts().first().map_or_else(String::new, running),
        found => format!("; {found}"),
    };
    let rate = if rate < 10.0 { format!("{rate:.1}") } else { count(rate as u64) };
    format!(
        "{} left, {rate} games/s, {} of {}{result}",
        duration(left),
        count(progress.games),
        counted(progress.games_wanted, "game")
    )
}

fn running(running: &Running) -> String {
    let Running { of, less, measure, estimate } = running;
    format!("; {measure} of {of} less {less} so far: {}", signed(estimate))
}

/// What is said when blocks take long: the time since the start, and since the last block.
fn silence(elapsed: Duration, since_last: Option<Duration>) -> String {
    let seconds = |time: Duration| duration(time.as_secs_f64().floor());
    match since_last {
        None => format!("{} passed, no block finished yet", seconds(elapsed)),
        Some(since) => {
            format!("{} passed, {} since the last block was finished", seconds(elapsed), seconds(since))
        }
    }
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
    use super::*;

    #[test]
    fn a_duration_is_said_in_units_that_fit_it() {
        assert_eq!(duration(0.2), "1 s");
        assert_eq!(duration(61.0), "1 min 1 s");
        assert_eq!(duration(7260.0), "2 h 1 min");
    }

    #[test]
    fn a_long_silence_is_told_with_what_is_known_of_it() {
        let elapsed = Duration::from_millis(65_400);
        assert_eq!(silence(elapsed, None), "1 min 5 s passed, no block finished yet");
        let since = Some(Duration::from_secs(12));
        assert_eq!(silence(elapsed, since), "1 min 5 s passed, 12 s since the last block was finished");
    }
}
