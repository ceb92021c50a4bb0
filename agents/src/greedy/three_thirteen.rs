//! The heuristic of Three Thirteen.

use dealt_engine::three_thirteen::View;
use dealt_engine::{Card, Game, Move, Moves, ThreeThirteen};

use super::GreedyGame;
use crate::weights;

weights! {
    /// How to play Three Thirteen.
    pub struct ThreeThirteenWeights {
        /// What a point of deadwood is worth.
        pub deadwood: f64 = 1.0, 0.0..=10.0;
    }
}

impl GreedyGame for ThreeThirteen {
    type Weights = ThreeThirteenWeights;

    /// Goes out when it can, draws the top discard if that lowers the deadwood, and discards for the least deadwood.
    fn greedy(&self, _weights: &ThreeThirteenWeights, view: &View, legal: Moves) -> Move {
        let words = |name: &str| Move::parse(name, Self::WORDS).filter(|&mv| legal.has(mv));
        let melds = self.meld_rules(usize::from(view.public().hand_size));
        if let Some(out) = words("go-out-all").or_else(|| words("go-out")) {
            return out;
        }
        let mut after = [i32::MAX; Card::COUNT];
        let cards = legal.cards();
        if !cards.is_empty() {
            melds.deadwood_after_each_discard(view.hand(), &mut after);
            let best = cards.into_iter().min_by_key(|card| (after[card.index()], -melds.penalty(*card)));
            return best.map_or(Move::from_index(0).expect("a move"), Move::card);
        }
        let (stock, discard) = (words("draw-stock"), words("draw-discard"));
        let mut with_top = *view.hand();
        view.public().top().into_iter().for_each(|top| with_top.insert(top));
        melds.deadwood_after_each_discard(&with_top, &mut after);
        let gains = after.iter().min() < Some(&melds.deadwood(view.hand()));
        if gains { discard.or(stock) } else { stock.or(discard) }.expect("a card to draw")
    }
}
