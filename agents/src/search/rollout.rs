//! Playing a position out and saying what it came to.

use dealt_engine::{Dice, Move, Moves, PerSeat, QuickDice, Seat, Unordered};

use super::settings::{Rollout, Settings};
use super::{Objective, SearchGame};
use crate::{Turn, Weights};

/// All that a rollout goes by.
pub(super) struct Playout<'p, G: SearchGame> {
    pub(super) game: &'p G,
    pub(super) settings: &'p Settings,
    pub(super) weights: &'p G::Weights,
    pub(super) objective: Objective<'p, G>,
}

/// The default weights of a game, which steer rollouts.
pub(super) fn default_weights<G: SearchGame>() -> G::Weights {
    G::Weights::from_parameters(&crate::Parameters::new())
}

impl<'p, G: SearchGame> Playout<'p, G> {
    /// For the decision of a turn; `state` is any position that fits its view.
    pub(super) fn new(
        turn: &Turn<'p, G>,
        settings: &'p Settings,
        weights: &'p G::Weights,
        state: &G::State,
    ) -> Playout<'p, G> {
        let objective = Objective::new(turn.game(), settings.utility, turn.standing(), state);
        Playout { game: turn.game(), settings, weights, objective }
    }

    /// The best move, where the rest of the deal can be worked out.
    pub(super) fn endgame(&self, turn: &Turn<'p, G>) -> Option<Move> {
        let works = self.settings.endgame;
        if works { self.game.endgame(&turn.view(), turn.legal_moves(), &self.objective) } else { None }
    }

    /// Plays on until the deal is over, or the horizon is reached, and says what that is worth to each seat.
    #[inline]
    pub(super) fn finish(&self, state: &mut G::State, dice: &mut QuickDice) -> PerSeat<f64> {
        let settled = if self.settings.endgame { self.game.settle(state, &self.objective) } else { None };
        if let Some(scores) = settled {
            return self.objective.values(&scores);
        }
        let scores = match self.settings.rollout {
            Rollout::Random => self.play_out(state, dice, |_, _, legal, dice| any(legal, dice)),
            Rollout::Greedy { epsilon } => self.play_out(state, dice, |state, seat, legal, dice| {
                self.lean(epsilon, state, seat, legal, dice)
            }),
        };
        self.objective.values(&scores)
    }

    #[inline]
    fn play_out(
        &self,
        state: &mut G::State,
        dice: &mut QuickDice,
        choose: impl Fn(&G::State, Seat, Moves, &mut QuickDice) -> Move,
    ) -> PerSeat<i32> {
        let game = self.game;
        let by_heuristic = matches!(self.settings.rollout, Rollout::Greedy { .. });
        let settles = G::SETTLES_ROLLOUTS && by_heuristic && self.settings.endgame;
        let mut left = if self.settings.horizon == 0 { u32::MAX } else { self.settings.horizon };
        while let Some(seat) = game.turn(state) {
            if settles && let Some(scores) = game.settle(state, &self.objective) {
                return scores;
            }
            if left == 0 {
                return game.estimate(state);
            }
            left -= 1;
            let legal = game.rollout_moves(state, game.legal_moves(state));
            let mv = choose(state, seat, legal, dice);
            game.play_unchecked(state, mv, &mut Unordered(dice));
        }
        game.scores(state)
    }

    /// The move of a rollout.
    pub(super) fn choose(&self, state: &G::State, seat: Seat, legal: Moves, dice: &mut QuickDice) -> Move {
        match self.settings.rollout {
            Rollout::Random => any(legal, dice),
            Rollout::Greedy { epsilon } => self.lean(epsilon, state, seat, legal, dice),
        }
    }

    /// The heuristic's move, or now and then a random one.
    fn lean(&self, epsilon: f64, state: &G::State, seat: Seat, legal: Moves, dice: &mut QuickDice) -> Move {
        if let Some(mv) = legal.only() {
            return mv;
        }
        if epsilon > 0.0 && f64::from(dice.below(1 << 20)) < epsilon * f64::from(1 << 20) {
            return any(legal, dice);
        }
        self.game.greedy(self.weights, &self.game.view(state, seat), legal)
    }
}

/// Any of the moves, each equally likely.
#[inline]
fn any(moves: Moves, dice: &mut QuickDice) -> Move {
    moves.nth(dice.below(moves.len() as u32) as usize).expect("a place below the number of moves")
}
