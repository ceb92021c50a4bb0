//! How `greedy` plays cancellation hearts: away from points.

use dealt_engine::cancellation_hearts::Phase;
use dealt_engine::{CancellationHearts, Card, Move, Moves, Rank, Suit};

use super::GreedyGame;
use crate::weights;

weights! {
    /// What the heuristic for cancellation hearts goes by.
    pub struct CancellationHeartsWeights {
        /// What a rank is worth to be rid of.
        pub rank: f64 = 1.0, 0.0..=10.0;
        /// What a heart is worth to be rid of.
        pub heart: f64 = 5.0, -50.0..=50.0;
        /// What a queen of spades is worth to be rid of.
        pub queen: f64 = 30.0, -50.0..=50.0;
    }
}

impl CancellationHeartsWeights {
    fn danger(&self, card: Card) -> f64 {
        let heart = if card.suit() == Suit::Hearts { self.heart } else { 0.0 };
        let queen = if card == Card::new(Rank::QUEEN, Suit::Spades) { self.queen } else { 0.0 };
        self.rank * card.rank().index() as f64 + heart + queen
    }
}

impl GreedyGame for CancellationHearts {
    type Weights = CancellationHeartsWeights;

    fn greedy(&self, weights: &Self::Weights, view: &Self::View, legal: Moves) -> Move {
        let table = view.table();
        let discards = match table.phase() {
            Phase::Moon => return Move::word(1),
            Phase::Pass => true,
            _ => table.trick().suit().is_some_and(|suit| (legal.cards() & suit.cards()).is_empty()),
        };
        let value = |card: Card| if discards { weights.danger(card) } else { -weights.danger(card) };
        let best = legal.cards().into_iter().max_by(|&a, &b| value(a).total_cmp(&value(b)));
        best.map_or(Move::word(0), Move::card)
    }
}
