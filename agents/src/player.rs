//! Who sits at a table: an agent of any kind, behind one type.

use std::fmt;

use dealt_engine::{Game, Move};
use serde_json::Value;

use crate::outsider::{Failed, Outsider};
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
    /// One that is told what its seat knows, and may fail.
    Outsider(Box<dyn Outsider<G>>),
}

impl<G: Game> Player<G> {
    /// One of the legal moves, `position` being the one that the turn is of. Only a clairvoyant is shown it.
    ///
    /// # Errors
    /// If the player is an outsider and fails.
    pub fn decide(&mut self, turn: &Turn<'_, G>, position: &G::State) -> Result<Move, Box<Failed>> {
        match self {
            Player::Random(random) => Ok(random.decide(turn)),
            Player::Fair(agent) => Ok(agent.decide(turn)),
            Player::Clairvoyant(agent) => Ok(agent.decide(turn, position)),
            Player::Outsider(outsider) => outsider.decide(turn),
        }
    }

    /// Why the last decision was made, as an object for the notes of a record; `None` where there is nothing to say.
    #[must_use]
    pub fn explain(&self) -> Option<Value> {
        match self {
            Player::Random(_) => None,
            Player::Fair(agent) => agent.explain(),
            Player::Clairvoyant(agent) => agent.explain(),
            Player::Outsider(outsider) => outsider.explain(),
        }
    }
}

impl<G: Game> fmt::Debug for Player<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Random(_) => "random",
            Player::Fair(_) => "a fair player",
            Player::Clairvoyant(_) => "a clairvoyant player",
            Player::Outsider(_) => "a player from outside",
        })
    }
}
