//! What an agent is.

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
