//! An experiment with everything settled: what the command line and experiment files become, and all that a run needs.
//!
//! Nothing here is optional or has a default any more. Two experiments that are equal give the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use dealt_agents::{AgentSpec, GameVisitor, SearchGame, with_game};
use dealt_engine::{MAX_PLAYERS, Rules};
use serde_json::{Map, Value};

use crate::forfeit::OnFault;
use crate::seating::{self, Order};

/// One reproducible question.
#[derive(Clone, PartialEq, Debug)]
pub struct Experiment {
    /// The name, of the results folder too.
    pub name: String,
    /// What the experiment is to find out, in the words of whoever wrote it.
    pub question: Option<String>,
    /// The game, by its name in the registry (a preset has become its game and its rules).
    pub game: String,
    /// The rules that are compared, at least one; all are played with the same cards. The first is the one that the
    /// others are compared with. An experiment that compares no rules has one variant, [`Variant::BASE`].
    pub variants: Vec<Variant>,
    /// Who plays with whom: line-ups, each with one agent a seat. Agents with the same label are one agent, which may
    /// hold several seats.
    pub line_ups: Vec<Vec<AgentSpec>>,
    /// In which orders each line-up plays each block.
    pub seating: Seating,
    /// The master seed.
    pub seed: u64,
    /// How many blocks: sequences of deals, each played once by every line-up under every variant.
    pub blocks: u64,
    /// The confidence level of all intervals, between 0 and 1.
    pub confidence: f64,
    /// What a fault of an agent does.
    pub on_fault: OnFault,
    /// What is written besides the tables that every run writes.
    pub outputs: Outputs,
}

/// The most different agents of an experiment.
pub const MOST_AGENTS: usize = 64;

/// A game of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seated {
    /// Which of the experiment's line-ups plays.
    pub line_up: usize,
    /// Who sits where.
    pub order: Order,
}

/// A set of rules under study.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    /// The name in the results.
    pub name: String,
    /// Every option of the game with the value in force.
    pub rules: Map<String, Value>,
}

impl Variant {
    /// The name of the only variant of an experiment that compares no rules.
    pub const BASE: &'static str = "base";
}

/// A seating design: the orders in which a line-up plays each block, each of them once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seating {
    /// The distinct rotations: everybody sits everywhere, with the same neighbours.
    Rotate,
    /// All distinct orders.
    All,
    /// The fewest rotations-closed orders in which every agent has every other on its left equally often.
    Neighbours,
}

impl Seating {
    /// The designs, as people write them.
    pub const NAMES: [(&'static str, Seating); 3] =
        [("rotate", Seating::Rotate), ("all", Seating::All), ("neighbours", Seating::Neighbours)];

    /// As people write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        Seating::NAMES.iter().find(|(_, seating)| *seating == self).map_or("", |(name, _)| name)
    }

    /// The design of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Seating> {
        Seating::NAMES.iter().find(|(known, _)| *known == name).map(|(_, seating)| *seating)
    }
}

/// What is written besides the tables that every run writes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Outputs {
    /// Whether `games.csv` is written, a row for each seat of each game.
    pub games_csv: bool,
    /// The games of which `records.jsonl` holds the whole course.
    pub records: Records,
    /// Whether those records hold the legal moves at every decision.
    pub legal: bool,
    /// Whether they hold what the players thought at every decision.
    pub notes: bool,
}

/// Which games are recorded.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Records {
    /// None of them.
    #[default]
    None,
    /// Those that come first among the games of the experiment's blocks: so many. Of a sweep, so many of each cell.
    First(u64),
    /// All of them.
    All,
}

impl Records {
    /// Whether the game of an index is recorded, games counted as in [`Experiment::games`].
    #[must_use]
    pub fn has(self, index: u64) -> bool {
        match self {
            Records::None => false,
            Records::First(count) => index < count,
            Records::All => true,
        }
    }
}

/// Why an experiment cannot be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExperimentError {
    /// What is wrong, and what would be accepted.
    pub message: String,
}

impl ExperimentError {
    /// An error of this message.
    pub fn new(message: impl Into<String>) -> ExperimentError {
        ExperimentError { message: message.into() }
    }
}

impl fmt::Display for ExperimentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ExperimentError {}

impl Experiment {
    /// How many play.
    #[must_use]
    pub fn players(&self) -> usize {
        self.line_ups.first().map_or(0, Vec::len)
    }

    /// Whether it studies rules: whether its variants were named. Only then the game's own events are counted.
    #[must_use]
    pub fn compares_rules(&self) -> bool {
        self.variants.len() > 1 || self.variants.iter().any(|variant| variant.name != Variant::BASE)
    }

    /// The agents of all seats of all line-ups.
    pub fn agents(&self) -> impl Iterator<Item = &AgentSpec> {
        self.line_ups.iter().flatten()
    }

    /// The labels of the agents, each once, in the order of their first seats: the agents of the results.
    #[must_use]
    pub fn labels(&self) -> Vec<&str> {
        let mut labels: Vec<&str> = Vec::new();
        for agent in self.agents() {
            if !labels.contains(&agent.label()) {
                labels.push(agent.label());
            }
        }
        labels
    }

    /// Whether the agent of a label is shown what its seat cannot see.
    #[must_use]
    pub fn is_clairvoyant(&self, label: &str) -> bool {
        self.agents().any(|agent| agent.label() == label && agent.is_clairvoyant())
    }

    /// The games of a block: those of the first line-up, of the second, and so on.
    ///
    /// # Errors
    /// If a block has more games than it may, or two line-ups are the same.
    pub fn seatings(&self) -> Result<Vec<Seated>, ExperimentError> {
        let labels = self.labels();
        let place = |agent: &AgentSpec| labels.iter().position(|&label| label == agent.label()).unwrap_or(0);
        let mut seatings: Vec<Seated> = Vec::new();
        let mut taken: BTreeMap<Order, usize> = BTreeMap::new();
        for (line_up, agents) in self.line_ups.iter().enumerate() {
            let order = agents.iter().map(|agent| place(agent) as u8).collect();
            for order in seating::orders(self.seating, &order)? {
                if let Some(same) = taken.insert(order.clone(), line_up) {
                    let message = format!("line-up {} is line-up {} in another order", line_up + 1, same + 1);
                    return Err(ExperimentError::new(message));
                }
                seatings.push(Seated { line_up, order });
            }
            if seatings.len() as u64 > seating::MOST_ORDERS {
                let message = format!("a block may have at most {} games", seating::MOST_ORDERS);
                return Err(ExperimentError::new(message));
            }
        }
        Ok(seatings)
    }

    /// How many games are played: blocks × variants × [`seatings`](Self::seatings).
    ///
    /// A game's index counts in this order too: all seatings under the first variant of block 0, under the second, …
    ///
    /// # Errors
    /// If the seating design is refused, or the number is too large to count.
    pub fn games(&self) -> Result<u64, ExperimentError> {
        let in_block = self.seatings()?.len() as u64 * self.variants.len() as u64;
        in_block
            .checked_mul(self.blocks)
            .ok_or_else(|| ExperimentError::new(format!("{} blocks are too many to count", self.blocks)))
    }

    /// Checks all that can be checked before a game is played.
    ///
    /// # Errors
    /// If the game is unknown, the number of agents does not fit it, there is no block or no variant, two variants
    /// share a name, rules do not make a game for that many players, or the seating design is too large.
    pub fn validate(&self) -> Result<(), ExperimentError> {
        if !(1..=MAX_PLAYERS).contains(&self.players()) {
            let message = format!("{} agents; a table has 1 to {MAX_PLAYERS} seats", self.players());
            return Err(ExperimentError::new(message));
        }
        if let Some(other) = self.line_ups.iter().find(|line_up| line_up.len() != self.players()) {
            let message = format!("a line-up of {} agents beside one of {}", other.len(), self.players());
            return Err(ExperimentError::new(message));
        }
        if self.labels().len() > MOST_AGENTS {
            let message =
                format!("{} different agents; at most {MOST_AGENTS} are accepted", self.labels().len());
            return Err(ExperimentError::new(message));
        }
        if self.blocks == 0 {
            return Err(ExperimentError::new("0 blocks; at least 1 is needed"));
        }
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            let message = format!("confidence {}; it must be between 0 and 1, such as 0.95", self.confidence);
            return Err(ExperimentError::new(message));
        }
        if self.variants.is_empty() {
            return Err(ExperimentError::new("no variant; at least one set of rules is needed"));
        }
        let mut names = BTreeSet::new();
        for variant in &self.variants {
            if !names.insert(&variant.name) {
                let message =
                    format!("two variants are called `{}`; each needs a name of its own", variant.name);
                return Err(ExperimentError::new(message));
            }
            self.check_rules(variant)?;
        }
        self.games().map(|_| ())
    }

    fn check_rules(&self, variant: &Variant) -> Result<(), ExperimentError> {
        let check = CheckRules { variant, players: self.players() };
        with_game(&self.game, check)
            .unwrap_or_else(|| Err(ExperimentError::new(format!("no game `{}`", self.game))))
    }
}

struct CheckRules<'v> {
    variant: &'v Variant,
    players: usize,
}

impl GameVisitor for CheckRules<'_> {
    type Output = Result<(), ExperimentError>;

    fn visit<G: SearchGame>(self) -> Self::Output {
        let game: G = compile(self.variant)?;
        if game.players() == self.players {
            return Ok(());
        }
        let (name, players) = (&self.variant.name, game.players());
        let message =
            format!("{} agents for {players} players of {} (variant `{name}`)", self.players, G::NAME);
        Err(ExperimentError::new(message))
    }
}

/// The game of a variant's rules.
///
/// # Errors
/// If the rules do not make a game.
pub fn compile<G: SearchGame>(variant: &Variant) -> Result<G, ExperimentError> {
    let rules = G::Rules::default().with(&variant.rules);
    rules
        .and_then(G::new)
        .map_err(|error| ExperimentError::new(format!("variant `{}`: {error}", variant.name)))
}
