//! Who sits at a table: an agent of any kind, behind one type.

use std::fmt;

use dealt_engine::{Game, Move};
use serde_json::Value;

use crate::random::Random;
use crate::{Agent, Clairvoyant, Turn};

/// An agent at the table.
///
/// A call through a pointer costs as much as a random choice, so `random`, which plays the most games by far, goes
/// without.
pub enum Player<G: Game> {
    /// `random`, built in.
    Random(Random),
    /// Any agent that is told what its seat knows, and nothing else.
    Fair(Box<dyn Agent<G>>),
    /// One that is told everything.
    Clairvoyant(Box<dyn Clairvoyant<G>>),
}

impl<G: Game> Player<G> {
    /// One of the legal moves, `position` being the one that the turn is of. Only a clairvoyant is shown it.
    pub fn decide(&mut self, turn: &Turn<'_, G>, position: &G::State) -> Move {
        match self {
            Player::Random(random) => random.decide(turn),
            Player::Fair(agent) => agent.decide(turn),
            Player::Clairvoyant(agent) => agent.decide(turn, position),
        }
    }

    /// Why the last decision was made, as an object for the notes of a record; `None` where there is nothing to say.
    #[must_use]
    pub fn explain(&self) -> Option<Value> {
        match self {
            Player::Random(_) => None,
            Player::Fair(agent) => agent.explain(),
            Player::Clairvoyant(agent) => agent.explain(),
        }
    }
}

impl<G: Game> fmt::Debug for Player<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Random(_) => "random",
            Player::Fair(_) => "a fair player",
            Player::Clairvoyant(_) => "a clairvoyant player",
        })
    }
}
