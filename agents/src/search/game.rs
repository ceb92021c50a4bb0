//! What search asks of a game beyond its rules, one implementation a game.

use dealt_engine::three_thirteen::Phase;
use dealt_engine::{
    CancellationHearts, Card, Game, MAX_PLAYERS, Move, Moves, PerSeat, Script, Standing, ThreeThirteen,
    TwoTenJack,
};

use super::Objective;
use crate::GreedyGame;
use crate::endgame::cancellation_hearts::outcome;
use crate::endgame::two_ten_jack::{Ending, Goal};
use crate::equity::two_ten_jack::Equity;

/// Defaults of the parameters that should differ from game to game, as JSON.
#[derive(Clone, Copy, Debug)]
pub struct SearchDefaults {
    /// How moves are chosen beyond the tree: `random`, `greedy` or `epsilon-greedy`.
    pub rollout: &'static str,
    /// After how many moves of a rollout the position is estimated; 0 for never.
    pub horizon: &'static str,
    /// How far exploration goes.
    pub c: &'static str,
    /// By how many standard errors a move must be better than the heuristic's where moves are compared world by world.
    pub caution_by_worlds: &'static str,
    /// The same where they are compared by the walks of one tree.
    pub caution_by_walks: &'static str,
    /// How many worlds `mcts` grows a tree in, and how often it walks each.
    pub trees: [&'static str; 2],
}

impl SearchDefaults {
    /// What suits a game of tricks: a rollout by the heuristic to the end of the deal.
    pub const TRICKS: SearchDefaults = SearchDefaults {
        rollout: "\"greedy\"",
        horizon: "0",
        c: "0.4",
        caution_by_worlds: "1.0",
        caution_by_walks: "0.0",
        trees: ["100", "10"],
    };
}

/// A game that can be searched.
pub trait SearchGame: GreedyGame {
    /// Defaults of the search agents in this game.
    const DEFAULTS: SearchDefaults = SearchDefaults::TRICKS;

    /// Whether a rollout by the heuristic stops to [`settle`](SearchGame::settle) as soon as that works; the heuristic
    /// would otherwise work the same out move by move.
    const SETTLES_ROLLOUTS: bool = false;

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
    const SETTLES_ROLLOUTS: bool = true;

    /// As if every card that scores fell to either seat by the toss of a coin.
    fn spread(&self, _: &Self::State) -> f64 {
        let points = &self.rules().points;
        let squares: f64 = points.values().map(|&points| f64::from(points).powi(2)).sum();
        spread_of(squares)
    }

    /// Every utility rises with the margin where all cards are captured; where a capture can end the deal, the best
    /// moves are made.
    fn settle(&self, state: &Self::State, objective: &Objective<'_, Self>) -> Option<PerSeat<i32>> {
        let ending = Ending::of_state(self, state)?;
        if let Some(scores) = ending.scores() {
            return Some(by_seat(scores));
        }
        let utility = |scores| objective.values(&by_seat(scores))[0];
        let mut state = *state;
        while let Some(ending) = Ending::of_state(self, &state) {
            let mv = ending.best(Goal::Utility(&utility)).0;
            self.play_unchecked(&mut state, mv, &mut Script::default());
        }
        Some(self.scores(&state))
    }

    fn endgame(&self, view: &Self::View, _: Moves, objective: &Objective<'_, Self>) -> Option<Move> {
        let ending = Ending::of_view(self, view)?;
        let utility = |scores| objective.values(&by_seat(scores))[0];
        // Of moves that are as good by another utility the margin still chooses well.
        let goal = if self.stop().is_none() { Goal::Margin } else { Goal::Utility(&utility) };
        Some(ending.best(goal).0)
    }

    fn equity(&self, standing: &Standing) -> Option<PerSeat<f64>> {
        Some(Equity::measured().of(self, standing))
    }
}

fn by_seat(scores: [i32; 2]) -> PerSeat<i32> {
    let mut by_seat = [0; MAX_PLAYERS];
    by_seat[..2].copy_from_slice(&scores);
    by_seat
}

/// The most cards in a hand of cancellation hearts with which a sampled world is solved, and the most moves made for
/// it; most such endings take far fewer.
const SOLVED_CARDS: usize = 2;
const SOLVED_MOVES: u32 = 300;

impl SearchGame for CancellationHearts {
    const DEFAULTS: SearchDefaults = SearchDefaults { caution_by_walks: "2.0", ..SearchDefaults::TRICKS };

    /// As if every card that scores fell to any seat with equal chance.
    fn spread(&self, _: &Self::State) -> f64 {
        let square = |&card: &Card| f64::from(self.points_of(card)).powi(2);
        let squares: f64 = self.pack().iter().map(square).sum();
        spread_of(squares / (self.players() - 1) as f64)
    }

    fn settle(&self, state: &Self::State, objective: &Objective<'_, Self>) -> Option<PerSeat<i32>> {
        let held = self.turn(state).map_or(0, |seat| self.cards_held(state.table(), seat));
        let worth = |scores: &PerSeat<i32>| objective.values(scores);
        if held <= SOLVED_CARDS { outcome(self, state, &worth, SOLVED_MOVES) } else { None }
    }
}

/// Four standard deviations of this variance, and at least one point.
fn spread_of(variance: f64) -> f64 {
    (4.0 * variance.sqrt()).max(1.0)
}

impl SearchGame for ThreeThirteen {
    const DEFAULTS: SearchDefaults = SearchDefaults {
        horizon: "8",
        c: "1.5",
        caution_by_worlds: "2.0",
        caution_by_walks: "1.5",
        ..SearchDefaults::TRICKS
    };

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
