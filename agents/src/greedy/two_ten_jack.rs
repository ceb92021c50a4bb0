//! Two-ten-jack by rules of thumb.

use dealt_engine::two_ten_jack::{TRUMPS, View};
use dealt_engine::{Card, Move, Moves, TwoTenJack};

use crate::{GreedyGame, weights};

weights! {
    /// What `greedy` goes by in two-ten-jack.
    pub struct TwoTenJackWeights {
        /// Points that a trump is worth kept in hand.
        pub trump: f64 = 1.5, 0.0..=20.0;
        /// Points that the highest rank is worth kept in hand; lower ranks in proportion.
        pub rank: f64 = 1.0, 0.0..=20.0;
    }
}

impl GreedyGame for TwoTenJack {
    type Weights = TwoTenJackWeights;

    fn greedy(&self, weights: &TwoTenJackWeights, view: &View, legal: Moves) -> Move {
        let value = |mv: Move| mv.as_card().map_or(0.0, |card| play_value(self, weights, view, card));
        let best = legal.into_iter().reduce(|best, mv| if value(mv) > value(best) { mv } else { best });
        best.expect("a decision has moves")
    }
}

/// Points won by playing the card, less what it was worth in hand.
fn play_value(game: &TwoTenJack, weights: &TwoTenJackWeights, view: &View, card: Card) -> f64 {
    let kept =
        weights.rank * card.rank().index() as f64 / 12.0 + if TRUMPS.has(card) { weights.trump } else { 0.0 };
    let points = f64::from(game.worth(card));
    match view.table().lead() {
        Some(lead) => {
            let stake = points + f64::from(game.worth(lead));
            if game.winning_replies(view.table()).has(card) { stake - kept } else { -stake - kept }
        }
        None => -points - kept,
    }
}
