//! The last tricks of cancellation hearts in a known position, by max^n.
//!
//! With more than two players there is no one value to bound, so no alpha-beta: every seat in turn takes the move whose
//! outcome is best for itself, the lowest move of equals (C. Luckhardt and K. Irani, *An algorithmic solution of
//! n-person games*, 1986). What an outcome is worth is for the caller to say; it is a function of the deal's scores.
//!
//! The work is bounded by a number of moves made. Most hands of the last tricks leave few choices, so a small number
//! solves most endings of three cards a hand; where it does not suffice there is no answer rather than a guess.

use dealt_engine::cancellation_hearts::Phase;
use dealt_engine::{CancellationHearts, Game, PerSeat, Script};

type State = <CancellationHearts as Game>::State;

/// Each seat's score for the deal when every seat plays its best from here on with all cards seen, `worth` being what
/// scores are worth to each seat; `None` while cards are being passed, or if it takes more than `budget` moves.
///
/// ```
/// use dealt_agents::endgame::cancellation_hearts::outcome;
/// use dealt_engine::{CancellationHearts, CancellationHeartsRules, Game, Pack, QuickDice};
/// let game = CancellationHearts::new(CancellationHeartsRules::default())?;
/// let mut pack = Pack::new(game.pack(), QuickDice::new(1, 0));
/// let mut state = game.deal(&game.start(0), &mut pack);
/// while game.hand(&state, 0).len() > 2 {
///     let mv = game.legal_moves(&state).lowest().unwrap();
///     game.play_unchecked(&mut state, mv, &mut pack);
/// }
/// let scores = outcome(&game, &state, &|scores| scores.map(|score| -f64::from(score)), 10_000);
/// assert!(scores.is_some_and(|scores| scores.iter().sum::<i32>() <= 52));
/// # Ok::<(), dealt_engine::RuleError>(())
/// ```
#[must_use]
pub fn outcome(
    game: &CancellationHearts,
    state: &State,
    worth: &dyn Fn(&PerSeat<i32>) -> PerSeat<f64>,
    budget: u32,
) -> Option<PerSeat<i32>> {
    if state.table().phase() == Phase::Pass {
        return None;
    }
    let mut search = Search { game, worth, budget };
    search.best(*state).map(|outcome| outcome.scores)
}

/// How a deal ends.
#[derive(Clone, Copy)]
struct Outcome {
    scores: PerSeat<i32>,
    worth: PerSeat<f64>,
}

struct Search<'s> {
    game: &'s CancellationHearts,
    worth: &'s dyn Fn(&PerSeat<i32>) -> PerSeat<f64>,
    /// Moves that may still be made.
    budget: u32,
}

impl Search<'_> {
    fn best(&mut self, mut state: State) -> Option<Outcome> {
        while let Some(seat) = self.game.turn(&state) {
            let legal = self.game.legal_moves(&state);
            self.budget = self.budget.checked_sub(legal.len() as u32)?;
            if let Some(mv) = legal.only() {
                self.game.play_unchecked(&mut state, mv, &mut Script::default());
                continue;
            }
            let mut best: Option<Outcome> = None;
            for mv in legal {
                let mut next = state;
                self.game.play_unchecked(&mut next, mv, &mut Script::default());
                let outcome = self.best(next)?;
                if best.is_none_or(|best| outcome.worth[seat] > best.worth[seat]) {
                    best = Some(outcome);
                }
            }
            return best;
        }
        let scores = self.game.scores(&state);
        Some(Outcome { scores, worth: (self.worth)(&scores) })
    }
}
