//! `greedy`: the move that a weighted heuristic likes best, one heuristic a game.
//!
//! A heuristic is a function of the view: it never samples, never rolls dice, and breaks ties by the order of moves. So
//! it is cheap enough to steer rollouts, and its move is the same whatever the unseen cards are.

mod cancellation_hearts;
mod three_thirteen;
mod two_ten_jack;

use dealt_engine::{Game, Move, Moves};

pub use cancellation_hearts::CancellationHeartsWeights;
pub use three_thirteen::ThreeThirteenWeights;
pub use two_ten_jack::TwoTenJackWeights;

use crate::{Agent, Turn, Weights};

/// A game that `greedy` can play.
pub trait GreedyGame: Game {
    /// The numbers that the heuristic is made of.
    type Weights: Weights + 'static;

    /// The move that the heuristic likes best among the legal ones, of which there are two or more.
    fn greedy(&self, weights: &Self::Weights, view: &Self::View, legal: Moves) -> Move;
}

/// Plays by the game's heuristic.
#[derive(Clone, Debug)]
pub struct Greedy<W> {
    weights: W,
}

impl<W> Greedy<W> {
    /// An agent that plays by these weights.
    pub fn new(weights: W) -> Greedy<W> {
        Greedy { weights }
    }
}

impl<G: GreedyGame> Agent<G> for Greedy<G::Weights> {
    fn decide(&mut self, turn: &Turn<'_, G>) -> Move {
        turn.game().greedy(&self.weights, &turn.view(), turn.legal_moves())
    }
}
