//! Agents that are programs of their own, in any language: `external:command="…"`.
//!
//! A program is started when it is first asked, once a thread, and then asked for one move after the other, by lines of
//! JSON on its standard input and output. Each question holds all that its seat knows, and nothing else: it is made of the
//! [`Turn`], which reaches no further. So a program may forget everything between two questions, and one whose answer is
//! a function of the question makes a run that any number of threads repeats to the byte. docs/external-agents.md
//! describes the protocol for those who write such programs.
//!
//! Programs are not trusted. Whatever one does instead of answering in time is a fault, told in plain words with the
//! last lines of its standard error; then it is killed, with all that it has started, and the run stops or the seat
//! [forfeits](crate::forfeit) the game, as `on_fault` says. A program that cannot be started, or does not greet in time,
//! stops the run either way.
//!
//! The files, each building on those before it:
//!
//! - [`protocol`]: what is asked, and how an answer is read
//! - [`lines`]: lines from a pipe, whatever comes out of it
//! - [`children`]: the processes that run, so that none is left behind
//! - [`process`]: one of them, with its pipes and limits of time
//! - [`check`]: trying a program out through all games and options

pub mod check;
pub mod children;
pub mod lines;
pub mod process;
pub mod protocol;

use std::fmt;
use std::time::Duration;

use dealt_agents::outsider::words;
use dealt_agents::{AgentSpec, Failed, Outsider, Player, SearchGame, Turn};
use dealt_engine::{Game, Move};
use serde_json::Value;

use crate::forfeit::OnFault;
use process::{Process, Trouble};

/// The player of any agent: those of the crate of agents, and programs of their own. The faults of a program stop the run
/// only if both the agent and `on_fault` say so.
#[must_use]
pub fn player<G: SearchGame>(spec: &AgentSpec, on_fault: OnFault) -> Player<G> {
    if !spec.is_external() {
        return spec.build();
    }
    let program = External::<G>::new(spec);
    let forfeits = program.forfeits || on_fault == OnFault::Forfeit;
    Player::Outsider(Box::new(External { forfeits, ..program }))
}

/// How a program is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The time for a move.
    pub move_limit: Duration,
    /// The time for the start and the greeting.
    pub start_limit: Duration,
}

impl Terms {
    /// The terms of an agent that is a program of its own.
    #[must_use]
    pub fn of(spec: &AgentSpec) -> Terms {
        let text = |key: &str| spec.parameters().get(key).and_then(Value::as_str).unwrap_or("");
        let limit = |key: &str| {
            Duration::from_millis(spec.parameters().get(key).and_then(Value::as_u64).unwrap_or(1))
        };
        let command = words(text("command")).unwrap_or_default();
        Terms { command, move_limit: limit("move_ms"), start_limit: limit("start_ms") }
    }
}

/// A program that plays the game `G`.
pub struct External<G: Game> {
    terms: Terms,
    forfeits: bool,
    conversation: Option<Conversation<G>>,
    notes: Option<Value>,
}

impl<G: Game> fmt::Debug for External<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("External").field("terms", &self.terms).finish_non_exhaustive()
    }
}

impl<G: Game> External<G> {
    /// The player of an agent that is a program; it is started when it is first asked.
    #[must_use]
    pub fn new(spec: &AgentSpec) -> External<G> {
        External { terms: Terms::of(spec), forfeits: spec.may_forfeit(), conversation: None, notes: None }
    }
}

impl<G: Game> Outsider<G> for External<G> {
    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<Move, Box<Failed>> {
        self.notes = None;
        let conversation = match &mut self.conversation {
            Some(conversation) => conversation,
            None => {
                let started = Conversation::start(&self.terms);
                let started = started.map_err(|trouble| Box::new(trouble.failed(false)))?;
                self.conversation.insert(started)
            }
        };
        match conversation.ask(turn) {
            Ok((mv, notes)) => {
                self.notes = notes;
                Ok(mv)
            }
            Err(trouble) => {
                self.conversation = None;
                Err(Box::new(trouble.failed(self.forfeits)))
            }
        }
    }

    fn explain(&self) -> Option<Value> {
        self.notes.clone()
    }
}

/// A program that has been started, and what it has been told.
#[derive(Debug)]
pub struct Conversation<G: Game> {
    process: Process,
    /// What it calls itself.
    name: Option<String>,
    rules: Option<G::Rules>,
    questions: u64,
}

impl<G: Game> Conversation<G> {
    /// Starts a program and waits for its greeting.
    ///
    /// # Errors
    /// If it cannot be started, or greets wrongly or not in time.
    pub fn start(terms: &Terms) -> Result<Conversation<G>, Trouble> {
        let mut process = Process::start(terms)?;
        process.say(protocol::greeting());
        let line = process.hear(terms.start_limit, "greeting")?;
        match protocol::read_greeting(&line) {
            Ok(name) => Ok(Conversation { process, name, rules: None, questions: 0 }),
            Err(fault) => Err(process.trouble(fault)),
        }
    }

    /// What the program calls itself, if it says so.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The process.
    pub fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// Asks for a move, after the rules if they are not those of the question before.
    ///
    /// # Errors
    /// If no legal move is answered in time.
    pub fn ask(&mut self, turn: &Turn<'_, G>) -> Result<(Move, Option<Value>), Trouble> {
        self.process.expect_silence()?;
        if self.rules.as_ref() != Some(turn.game().rules()) {
            self.process.say(protocol::game(turn.game()));
            self.rules = Some(turn.game().rules().clone());
        }
        self.questions += 1;
        self.process.say(protocol::question(turn, self.questions));
        let line = self.process.hear(self.process.move_limit(), "answer")?;
        let answer = protocol::read_answer::<G>(&line, self.questions, turn.seat(), turn.legal_moves());
        answer.map_err(|fault| self.process.trouble(fault))
    }
}
