//! A program with its pipes and limits of time.
//!
//! Three threads serve it, so that nothing it does can hold up the simulator: one writes to it, one reads its lines, one
//! keeps the last lines of its standard error. Whoever asks waits on a channel, no longer than the limit. Few lines wait
//! there, so a flood of them holds up whoever lets it loose.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use dealt_agents::Failed;

use super::Terms;
use super::children::Kept;
use super::lines::{self, Heard, LONGEST, Unfinished};
use super::protocol::shown;

/// Lines that wait to be heard.
const WAITING: usize = 4;
/// How long a program may take to end by itself when its input ends.
const FAREWELL: Duration = Duration::from_secs(1);
/// How long is waited for the exit status and the last words of a program that has closed its output.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// How many lines of the standard error are kept.
const ERROR_LINES: usize = 10;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// What the program did, in a line; completes a sentence that begins with it.
    pub fault: String,
    /// The last lines of its standard error.
    pub errors: Vec<String>,
}

impl Trouble {
    /// The trouble as the table is told of it.
    #[must_use]
    pub fn failed(self, forfeits: bool) -> Failed {
        let details = if self.errors.is_empty() {
            vec!["it wrote nothing to its standard error".to_owned()]
        } else {
            let head = "the last that it wrote to its standard error:".to_owned();
            std::iter::once(head).chain(self.errors.iter().map(|line| format!("| {line}"))).collect()
        };
        Failed { fault: format!("it {}", self.fault), details, forfeits }
    }
}

/// A program that runs.
#[derive(Debug)]
pub struct Process {
    kept: Kept,
    move_limit: Duration,
    /// To the thread that writes; none once the input has been ended.
    requests: Option<Sender<Vec<u8>>>,
    heard: Receiver<Heard>,
    unfinished: Arc<Unfinished>,
    errors: Arc<Errors>,
    /// Whether it is to be killed without waiting for it.
    is_at_fault: bool,
}

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn start(terms: &Terms) -> Result<Process, Trouble> {
        let program = terms.command.first().map_or("", String::as_str);
        let mut command = Command::new(program);
        command.args(terms.command.get(1..).unwrap_or_default());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let refused = |error: std::io::Error| {
            let hint = match error.kind() {
                ErrorKind::NotFound => {
                    "; it is looked for in the current folder if it has a `/`, else in PATH"
                }
                ErrorKind::PermissionDenied => {
                    "; a script must be executable, or be given to its interpreter"
                }
                _ => "",
            };
            Trouble { fault: format!("cannot be started: `{program}`: {error}{hint}"), errors: Vec::new() }
        };
        let mut kept = Kept::start(&mut command).map_err(refused)?;
        let child = kept.child();
        let (requests, wanted) = mpsc::channel();
        let (told, heard) = mpsc::sync_channel(WAITING);
        let (unfinished, errors) = (Arc::new(Unfinished::default()), Arc::new(Errors::default()));
        let served = [
            child.stdin.take().map(|pipe| spawn(move || write(pipe, &wanted))),
            child.stdout.take().map(|pipe| {
                let unfinished = Arc::clone(&unfinished);
                spawn(move || listen(pipe, &unfinished, &told))
            }),
            child.stderr.take().map(|pipe| {
                let errors = Arc::clone(&errors);
                spawn(move || errors.keep(pipe))
            }),
        ];
        for thread in served.into_iter().flatten() {
            thread.map_err(refused)?;
        }
        let move_limit = terms.move_limit;
        Ok(Process {
            kept,
            move_limit,
            requests: Some(requests),
            heard,
            unfinished,
            errors,
            is_at_fault: false,
        })
    }

    /// The time for a move.
    #[must_use]
    pub fn move_limit(&self) -> Duration {
        self.move_limit
    }

    /// Its number, as the system has it.
    pub fn id(&mut self) -> u32 {
        self.kept.child().id()
    }

    /// Says a line to it, which it may or may not hear.
    pub fn say(&mut self, line: Vec<u8>) {
        // If the thread that writes is gone, so is the program: whoever waits for an answer finds out.
        let _ = self.requests.as_ref().map(|requests| requests.send(line));
    }

    /// Waits for its next line.
    ///
    /// # Errors
    /// If there is none in time: `what` names it in the message.
    pub fn hear(&mut self, limit: Duration, what: &str) -> Result<Vec<u8>, Trouble> {
        match self.heard.recv_timeout(limit) {
            Ok(Heard::Line(line)) => Ok(line),
            Ok(Heard::TooLong(start)) => Err(self.too_long(&start)),
            Ok(Heard::End(rest)) => Err(self.ended(&rest, what)),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended(&[], what)),
            Err(RecvTimeoutError::Timeout) => {
                let started = self.unfinished.bytes();
                let so_far = if started.is_empty() {
                    String::new()
                } else {
                    format!(", only the beginning of a line: `{}`", shown(&started))
                };
                Err(self.trouble(format!("gave no {what} within {}{so_far}", seconds(limit))))
            }
        }
    }

    /// Checks that it says nothing while it is not asked.
    ///
    /// # Errors
    /// If it does, or has ended.
    pub fn expect_silence(&mut self) -> Result<(), Trouble> {
        match self.heard.try_recv() {
            Err(TryRecvError::Empty) => Ok(()),
            Ok(Heard::Line(line)) => {
                let fault = format!("wrote `{}` when it was not asked", shown(&line));
                Err(self.trouble(fault))
            }
            Ok(Heard::TooLong(start)) => Err(self.too_long(&start)),
            Ok(Heard::End(rest)) => Err(self.ended(&rest, "answer")),
            Err(TryRecvError::Disconnected) => Err(self.ended(&[], "answer")),
        }
    }

    /// Ends its input and waits for it to end, as it should.
    ///
    /// # Errors
    /// If it says something more, does not end by itself, or ends with a status that is not 0.
    pub fn farewell(&mut self) -> Result<(), Trouble> {
        self.requests = None;
        match self.heard.recv_timeout(FAREWELL) {
            Ok(Heard::End(rest)) if rest.is_empty() => {}
            Ok(Heard::Line(text) | Heard::End(text) | Heard::TooLong(text)) => {
                return Err(self.trouble(format!("wrote `{}` after the last question", shown(&text))));
            }
            Err(_) => {
                let fault = format!("did not end within {} of the end of its input", seconds(FAREWELL));
                return Err(self.trouble(fault));
            }
        }
        match self.kept.wait(FAREWELL) {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(self.trouble(format!("ended with {} when its input ended", outcome(status)))),
            None => Err(self.trouble("closed its output but did not end".to_owned())),
        }
    }

    /// A fault of the program, with what it wrote to its standard error. It is killed before long.
    pub fn trouble(&mut self, fault: String) -> Trouble {
        self.is_at_fault = true;
        Trouble { fault, errors: self.errors.last() }
    }

    fn too_long(&mut self, start: &[u8]) -> Trouble {
        self.trouble(format!("wrote a line of more than {LONGEST} bytes: `{}`", shown(start)))
    }

    /// The trouble of a program that has closed its output.
    fn ended(&mut self, rest: &[u8], what: &str) -> Trouble {
        let how = self.kept.wait(LAST_WORDS).map_or_else(
            || "closed its output".to_owned(),
            |status| format!("ended with {}", outcome(status)),
        );
        self.errors.wait(LAST_WORDS);
        let rest = if rest.is_empty() {
            String::new()
        } else {
            format!(", in the middle of the line `{}`", shown(rest))
        };
        self.trouble(format!("{how} before its {what}{rest}"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.requests = None;
        if !self.is_at_fault && !thread::panicking() {
            self.kept.wait(FAREWELL);
        }
        self.kept.kill();
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    thread::Builder::new().name("external agent".to_owned()).stack_size(1 << 17).spawn(work).map(|_| ())
}

/// Writes what is wanted, until nothing more can be or the program is gone. Then its input ends.
fn write(mut pipe: ChildStdin, wanted: &Receiver<Vec<u8>>) {
    while let Ok(line) = wanted.recv() {
        if pipe.write_all(&line).is_err() {
            return;
        }
    }
}

fn listen(pipe: ChildStdout, unfinished: &Unfinished, told: &SyncSender<Heard>) {
    lines::read(pipe, unfinished, |heard| told.send(heard).is_ok());
}

/// How a process ended.
fn outcome(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("signal {signal}");
    }
    status.code().map_or_else(|| "an unknown status".to_owned(), |code| format!("exit status {code}"))
}

fn seconds(limit: Duration) -> String {
    if limit.subsec_millis() == 0 {
        format!("{} s", limit.as_secs())
    } else {
        format!("{} ms", limit.as_millis())
    }
}

/// The last lines of a program's standard error.
#[derive(Debug, Default)]
struct Errors(Mutex<Tail>);

#[derive(Debug, Default)]
struct Tail {
    lines: VecDeque<Vec<u8>>,
    has_ended: bool,
}

impl Errors {
    fn with<T>(&self, act: impl FnOnce(&mut Tail) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads all there is, however much, and keeps the last of it.
    fn keep(&self, mut pipe: ChildStderr) {
        let mut buffer = [0; 1 << 12];
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            let pieces = buffer[..count].split_inclusive(|&byte| byte == b'\n');
            self.with(|tail| pieces.for_each(|piece| tail.add(piece)));
        }
        self.with(|tail| tail.has_ended = true);
    }

    /// Waits for the end of it.
    fn wait(&self, limit: Duration) {
        const STEP: Duration = Duration::from_millis(2);
        let mut waited = Duration::ZERO;
        while !self.with(|tail| tail.has_ended) && waited < limit {
            thread::sleep(STEP);
            waited += STEP;
        }
    }

    /// The last lines, as messages show them.
    fn last(&self) -> Vec<String> {
        self.with(|tail| tail.lines.iter().map(|line| shown(line)).filter(|line| !line.is_empty()).collect())
    }
}

impl Tail {
    /// The most bytes of a line that are kept.
    const LONGEST: usize = 1 << 10;

    fn add(&mut self, piece: &[u8]) {
        match self.lines.back_mut().filter(|line| line.last() != Some(&b'\n')) {
            Some(line) => {
                let room = Tail::LONGEST.saturating_sub(line.len());
                line.extend_from_slice(&piece[..piece.len().min(room)]);
                if piece.ends_with(b"\n") && !line.ends_with(b"\n") {
                    line.push(b'\n');
                }
            }
            None => self.lines.push_back(piece[..piece.len().min(Tail::LONGEST)].to_vec()),
        }
        if self.lines.len() > ERROR_LINES {
            self.lines.pop_front();
        }
    }
}
