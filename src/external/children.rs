//! The processes that run, so that none is left behind.
//!
//! Each is the head of a group of its own: an interrupt at the terminal does not reach it, and it is killed together with
//! whatever it has started. A process is killed when it is dropped, also while a thread panics; [`kill_all`] is for a
//! program that ends without dropping anything. Should the program itself be killed, its children find that their
//! standard input has ended.

use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{io, thread};

/// The processes that have been started and not been waited for.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());
/// How often it is looked whether a process has ended.
const STEP: Duration = Duration::from_millis(2);

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all processes that run, for a program that is about to end at once. None is started any more.
pub fn kill_all() {
    let running = running();
    running.iter().for_each(|&id| kill_group(id));
    // Whoever wants to start or wait for one now waits for the end of the program.
    std::mem::forget(running);
}

/// How many processes run.
#[must_use]
pub fn count() -> usize {
    running().len()
}

/// A process that is killed when it is dropped.
#[derive(Debug)]
pub struct Kept {
    child: Child,
    ended: Option<ExitStatus>,
}

impl Kept {
    /// Starts a process.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn start(command: &mut Command) -> io::Result<Kept> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut running = running();
        let child = command.spawn()?;
        running.push(child.id());
        Ok(Kept { child, ended: None })
    }

    /// Its standard input, output and error, where they are pipes that nobody has taken yet.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Whether it has ended, and how.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        if self.ended.is_none() {
            let mut running = running();
            self.ended = self.child.try_wait().ok().flatten();
            if self.ended.is_some() {
                running.retain(|&id| id != self.child.id());
            }
        }
        self.ended
    }

    /// Waits for it to end by itself.
    pub fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let mut waited = Duration::ZERO;
        while self.ended().is_none() && waited < limit {
            thread::sleep(STEP);
            waited += STEP;
        }
        self.ended
    }

    /// Kills it, with all that it has started.
    pub fn kill(&mut self) {
        kill_group(self.child.id());
        // Where there are no groups.
        let _ = self.child.kill();
        let mut running = running();
        self.ended = self.ended.or_else(|| self.child.wait().ok());
        running.retain(|&id| id != self.child.id());
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Kills the group that a process is the head of. What is no more is not killed twice.
#[cfg(unix)]
fn kill_group(id: u32) {
    use nix::sys::signal::{Signal, killpg};
    if let Ok(id) = i32::try_from(id) {
        let _ = killpg(nix::unistd::Pid::from_raw(id), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}
