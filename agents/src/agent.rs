//! What an agent is.

use std::fmt;

use dealt_engine::{Game, Move};
use serde_json::Value;

use crate::Turn;

/// A player of the game `G`, one for each seat and thread.
///
/// A move must be a function of the [`Turn`] alone: its view, its legal moves and its dice. What `&mut self` keeps from
/// one decision to the next may be memory to work in, never something that changes a move, or runs would depend on
/// which thread played which game.
pub trait Agent<G: Game>: Send {
    /// One of the legal moves.
    fn decide(&mut self, turn: &Turn<'_, G>) -> Move;

    /// Why the last decision was made, as an object for the notes of a record; `None` where there is nothing to say.
    fn explain(&self) -> Option<Value> {
        None
    }
}

/// A player that is shown the position itself, hidden cards and all. It does not play by the rules of the table: it is
/// for upper bounds, and results say where one has played.
///
/// As with an [`Agent`], a move must be a function of what is given alone.
pub trait Clairvoyant<G: Game>: Send {
    /// One of the legal moves.
    fn decide(&mut self, turn: &Turn<'_, G>, position: &G::State) -> Move;

    /// As [`Agent::explain`].
    fn explain(&self) -> Option<Value> {
        None
    }
}

/// Whoever sits in a seat.
pub enum Player<G: Game> {
    /// One who is told what the seat can know.
    Fair(Box<dyn Agent<G>>),
    /// One who is told everything.
    Clairvoyant(Box<dyn Clairvoyant<G>>),
}

impl<G: Game> Player<G> {
    /// One of the legal moves, `position` being the one that the turn is of. Only a clairvoyant is shown it.
    #[inline]
    pub fn decide(&mut self, turn: &Turn<'_, G>, position: &G::State) -> Move {
        match self {
            Player::Fair(agent) => agent.decide(turn),
            Player::Clairvoyant(clairvoyant) => clairvoyant.decide(turn, position),
        }
    }

    /// Why the last decision was made, as an object for the notes of a record; `None` where there is nothing to say.
    #[must_use]
    pub fn explain(&self) -> Option<Value> {
        match self {
            Player::Fair(agent) => agent.explain(),
            Player::Clairvoyant(clairvoyant) => clairvoyant.explain(),
        }
    }
}

impl<G: Game> fmt::Debug for Player<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Fair(_) => "a fair player",
            Player::Clairvoyant(_) => "a clairvoyant player",
        })
    }
}
