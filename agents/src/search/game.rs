//! What search asks of a game beyond its rules, one implementation a game.

use dealt_engine::three_thirteen::Phase;
use dealt_engine::{
    CancellationHearts, Card, Game, Move, Moves, PerSeat, Standing, ThreeThirteen, TwoTenJack,
};

use super::Objective;
use crate::GreedyGame;

/// Defaults of the parameters that should differ from game to game, as JSON.
#[derive(Clone, Copy, Debug)]
pub struct SearchDefaults {
    /// How moves are chosen beyond the tree: `random`, `greedy` or `epsilon-greedy`.
    pub rollout: &'static str,
    /// After how many moves of a rollout the position is estimated; 0 for never.
    pub horizon: &'static str,
    /// How far exploration goes.
    pub c: &'static str,
}

impl SearchDefaults {
    /// What suits a game of tricks: a rollout by the heuristic to the end of the deal.
    pub const TRICKS: SearchDefaults = SearchDefaults { rollout: "\"greedy\"", horizon: "0", c: "0.4" };
}

/// A game that can be searched.
pub trait SearchGame: GreedyGame {
    /// Defaults of the search agents in this game.
    const DEFAULTS: SearchDefaults = SearchDefaults::TRICKS;

    /// How many points lie between a bad deal and a good one: about four standard deviations of a seat's margin over
    /// the others, as the rules in force and this position's deal make it. Margins are divided by it, so that
    /// exploration means the same in every game.
    fn spread(&self, state: &Self::State) -> f64;

    /// Each seat's expected score for the deal, from a position in the middle of it.
    fn estimate(&self, state: &Self::State) -> PerSeat<i32> {
        self.scores(state)
    }

    /// Of the legal moves those that a rollout chooses from; at least one.
    #[inline]
    fn rollout_moves(&self, _state: &Self::State, legal: Moves) -> Moves {
        legal
    }

    /// Each seat's score for the deal if all play their best from here on, each seeing all cards; `None` where that
    /// is not worked out.
    #[inline]
    fn settle(&self, _state: &Self::State, _objective: &Objective<'_, Self>) -> Option<PerSeat<i32>> {
        None
    }

    /// The best move where the view determines the position and the rest of the deal can be worked out; otherwise
    /// `None`.
    #[inline]
    fn endgame(&self, _view: &Self::View, _legal: Moves, _objective: &Objective<'_, Self>) -> Option<Move> {
        None
    }

    /// Each seat's chance to win the game (shared wins count their share) from a standing between two deals that does
    /// not end it; `None` where it is not known.
    fn equity(&self, _standing: &Standing) -> Option<PerSeat<f64>> {
        None
    }
}

impl SearchGame for TwoTenJack {
    /// As if every card that scores fell to either seat by the toss of a coin.
    fn spread(&self, _: &Self::State) -> f64 {
        let points = &self.rules().points;
        let squares: f64 = points.values().map(|&points| f64::from(points).powi(2)).sum();
        spread_of(squares)
    }
}

impl SearchGame for CancellationHearts {
    const DEFAULTS: SearchDefaults = SearchDefaults { c: "0.7", ..SearchDefaults::TRICKS };

    /// As if every card that scores fell to any seat with equal chance.
    fn spread(&self, _: &Self::State) -> f64 {
        let square = |&card: &Card| f64::from(self.points_of(card)).powi(2);
        let squares: f64 = self.pack().iter().map(square).sum();
        spread_of(squares / (self.players() - 1) as f64)
    }
}

/// Four standard deviations of this variance, and at least one point.
fn spread_of(variance: f64) -> f64 {
    (4.0 * variance.sqrt()).max(1.0)
}

impl SearchGame for ThreeThirteen {
    const DEFAULTS: SearchDefaults =
        SearchDefaults { rollout: "\"greedy\"", horizon: "8", ..SearchDefaults::TRICKS };

    /// Five points for each card of a hand.
    fn spread(&self, state: &Self::State) -> f64 {
        5.0 * f64::from(state.public().hand_size)
    }

    /// What each hand would cost now.
    fn estimate(&self, state: &Self::State) -> PerSeat<i32> {
        self.deadwood(state)
    }

    /// Whoever can go out does; a round of random discards would hardly ever end otherwise.
    #[inline]
    fn rollout_moves(&self, state: &Self::State, legal: Moves) -> Moves {
        let words = legal - Moves::from(legal.cards());
        let can_go_out = state.public().phase == Phase::Discard && !words.is_empty();
        if can_go_out { words } else { legal }
    }
}
