//! What a player is that comes from outside: a program of its own, which may fail.
//!
//! This crate describes such players ([`external`](crate::AGENTS) and its parameters) and starts none: it does no input
//! or output. Whoever seats players brings the [`Outsider`].

use std::fmt;

use dealt_engine::{Game, Move};
use serde_json::Value;

use crate::{ParameterInfo, ParameterKind, Turn};

/// The name of the agent that is a program of its own.
pub const EXTERNAL: &str = "external";

/// The parameters of [`EXTERNAL`], the same in every game.
pub const EXTERNAL_PARAMETERS: &[ParameterInfo] = &[
    ParameterInfo {
        key: "command",
        about: "the program and its arguments; it is started in the current folder, without a shell",
        kind: ParameterKind::Text,
        default: "\"\"",
    },
    ParameterInfo {
        key: "on_fault",
        about: "what a fault of the program does: stop the run, or forfeit the game that it is in",
        kind: ParameterKind::Choice(&["stop", "forfeit"]),
        default: "\"stop\"",
    },
    ParameterInfo {
        key: "move_ms",
        about: "the time for a move in milliseconds",
        kind: ParameterKind::Integer { min: 1, max: 3_600_000 },
        default: "10000",
    },
    ParameterInfo {
        key: "start_ms",
        about: "the time for the start and the greeting in milliseconds",
        kind: ParameterKind::Integer { min: 1, max: 3_600_000 },
        default: "10000",
    },
];

/// The program and the arguments of a command: words apart by spaces, a quoted one being one word. Within double
/// quotation marks a backslash makes the next letter a plain one, within single ones nothing does.
///
/// ```
/// use dealt_agents::outsider::words;
/// assert_eq!(words("python3 'my agent.py' --depth 3").unwrap(), ["python3", "my agent.py", "--depth", "3"]);
/// ```
///
/// # Errors
/// If there is no word, or a quotation mark is not closed.
pub fn words(command: &str) -> Result<Vec<String>, String> {
    let mut words: Vec<String> = Vec::new();
    let (mut word, mut quote): (Option<String>, Option<char>) = (None, None);
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (Some(mark), _) if mark == letter => quote = None,
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            (Some('"') | None, '\\') => word.get_or_insert_default().extend(letters.next()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if let Some(mark) = quote {
        return Err(format!("the command `{command}` has a quotation mark {mark} that is not closed"));
    }
    words.extend(word);
    if words.is_empty() { Err("the command is empty".to_owned()) } else { Ok(words) }
}

/// A player that is asked as an [`Agent`](crate::Agent) is, and may fail to answer.
pub trait Outsider<G: Game>: Send {
    /// One of the legal moves.
    ///
    /// # Errors
    /// If there is none to be had, and why.
    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<Move, Box<Failed>>;

    /// As [`Agent::explain`](crate::Agent::explain).
    fn explain(&self) -> Option<Value> {
        None
    }
}

/// A player from outside has failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failed {
    /// What it did, in a line.
    pub fault: String,
    /// What else may help to find out why, such as the last lines that it wrote to its standard error.
    pub details: Vec<String>,
    /// Whether the seat forfeits the game and the run goes on, not stops.
    pub forfeits: bool,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fault)?;
        self.details.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

impl std::error::Error for Failed {}
