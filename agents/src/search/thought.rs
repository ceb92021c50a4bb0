//! What a search came to: the final choice, and the explanation.

use dealt_engine::{Game, Move};
use serde_json::{Value, json};

use super::SearchGame;
use super::rollout::Playout;
use super::settings::Choice;
use super::tree::{Arena, NodeId};
use crate::Turn;

/// The variance of a utility, which is about one wide: four of its standard deviations.
const VARIANCE: f64 = 1.0 / 16.0;
/// How many observations that is taken for, beside those that were made.
const OBSERVATIONS: f64 = 2.0;

/// What a decision was made by.
#[derive(Clone, Debug)]
pub(super) struct Thought {
    /// How often each move was tried.
    visits: [u64; Move::COUNT],
    /// The mean utilities that followed it in each tree, or world.
    means: [Sum; Move::COUNT],
    /// By how much that was more, in the same tree or world, than what followed the heuristic's move.
    gains: [Sum; Move::COUNT],
    /// What followed each time that a move was tried, where that was told.
    trials: [Sum; Move::COUNT],
    /// The heuristic's move, where it is to be kept unless another is better.
    own: Option<Move>,
    /// How many worlds were looked at; none where the position itself was.
    pub(super) worlds: u32,
    /// The move, where it was worked out and not searched for.
    pub(super) exact: Option<Move>,
    /// Whether the heuristic's move was made because nothing was surely better.
    kept: bool,
}

/// Numbers, summed up.
#[derive(Clone, Copy, Debug)]
struct Sum {
    count: u32,
    sum: f64,
    squares: f64,
}

impl Sum {
    const NONE: Sum = Sum { count: 0, sum: 0.0, squares: 0.0 };

    #[inline]
    fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / f64::from(self.count.max(1))
    }

    /// The square of the mean's standard error, if a variance is known beforehand as well as by some observations;
    /// infinite where nothing was observed.
    fn squared_error(&self, variance: f64) -> f64 {
        if self.count == 0 {
            return f64::INFINITY;
        }
        let count = f64::from(self.count);
        let deviations = (self.squares - self.sum * self.sum / count).max(0.0);
        (deviations + variance * OBSERVATIONS) / (count + OBSERVATIONS) / count
    }
}

impl Thought {
    pub(super) const fn new() -> Thought {
        Thought {
            visits: [0; Move::COUNT],
            means: [Sum::NONE; Move::COUNT],
            gains: [Sum::NONE; Move::COUNT],
            trials: [Sum::NONE; Move::COUNT],
            own: None,
            worlds: 0,
            exact: None,
            kept: false,
        }
    }

    /// The thought before anything was tried: exact where the rest can be worked out.
    pub(super) fn of<G: SearchGame>(playout: &Playout<'_, G>, turn: &Turn<'_, G>) -> Thought {
        let mut thought = Thought::new();
        thought.exact = playout.endgame(turn);
        if thought.exact.is_none() && playout.settings.caution > 0.0 {
            thought.own = Some(playout.game.greedy(playout.weights, &turn.view(), turn.legal_moves()));
        }
        thought
    }

    /// Adds what one world, or tree, says of the moves tried in it: how often each was, and the mean that followed.
    pub(super) fn add(&mut self, tried: impl Iterator<Item = (Move, u32, f64)> + Clone) {
        let own = tried.clone().find(|&(mv, ..)| Some(mv) == self.own).map(|(.., mean)| mean);
        for (mv, visits, mean) in tried {
            self.visits[mv.index()] += u64::from(visits);
            self.means[mv.index()].add(mean);
            if let Some(own) = own {
                self.gains[mv.index()].add(mean - own);
            }
        }
        self.worlds += 1;
    }

    /// Adds what followed a move in one walk.
    #[inline]
    pub(super) fn add_trial(&mut self, mv: Move, value: f64) {
        self.trials[mv.index()].add(value);
    }

    /// Adds what a tree says of the moves at its root.
    pub(super) fn add_tree(&mut self, arena: &Arena, root: NodeId) {
        let children = arena.children(root);
        self.add(children.filter_map(|(label, node, _)| Some((label.as_move()?, node.visits, node.mean()))));
    }

    /// How often any move was tried.
    pub(super) fn walks(&self) -> u32 {
        self.visits.iter().sum::<u64>() as u32
    }

    /// The mean of the means: a world counts the same however often a move was tried in it. (Where a move is good it
    /// is tried more often, so that the mean over all trials would flatter it.)
    fn mean(&self, mv: Move) -> f64 {
        self.means[mv.index()].mean()
    }

    /// Whether a move is to be preferred to another. A move not tried is the last resort.
    fn prefers(&self, choice: Choice, mv: Move, other: Move) -> bool {
        let key = |mv: Move| {
            let visits = self.visits[mv.index()];
            (visits > 0, if choice == Choice::Visits { visits } else { 0 }, self.mean(mv))
        };
        key(mv) > key(other)
    }

    /// The best of the legal moves, the lowest of equals; but the heuristic's own if the other is not better by as many
    /// standard errors as [`caution`](super::Settings::caution) says.
    pub(super) fn decide<G: SearchGame>(&mut self, turn: &Turn<'_, G>, choice: Choice, caution: f64) -> Move {
        if let Some(exact) = self.exact {
            return exact;
        }
        let better = |best, mv| if self.prefers(choice, mv, best) { mv } else { best };
        let best = turn.legal_moves().into_iter().reduce(better).expect("a decision has moves");
        match self.own {
            Some(own) if own != best && !self.is_surely_better(best, own, caution) => {
                self.kept = true;
                own
            }
            _ => best,
        }
    }

    /// Whether the mean of a move is higher than that of another by so many standard errors: of the gain within
    /// worlds, if there are several, else of the walks.
    fn is_surely_better(&self, mv: Move, own: Move, caution: f64) -> bool {
        let gain = &self.gains[mv.index()];
        if gain.count > 1 {
            return gain.mean() > caution * gain.squared_error(2.0 * VARIANCE).sqrt();
        }
        let [better, own] = [mv, own].map(|mv| &self.trials[mv.index()]);
        let squared_error = better.squared_error(VARIANCE) + own.squared_error(VARIANCE);
        better.mean() - own.mean() > caution * squared_error.sqrt()
    }

    /// The moves, best first, with how often each was tried and the mean utility that followed.
    pub(super) fn explain<G: Game>(&self, choice: Choice) -> Value {
        let name = |mv: Move| mv.name(G::WORDS);
        if let Some(mv) = self.exact {
            return json!({ "exact": name(mv) });
        }
        let tried = |index: &usize| self.visits[*index] > 0;
        let mut moves: Vec<Move> = (0..Move::COUNT).filter(tried).filter_map(Move::from_index).collect();
        moves.sort_by(|&a, &b| self.prefers(choice, b, a).cmp(&self.prefers(choice, a, b)));
        let row = |&mv: &Move| json!({ "move": name(mv), "visits": self.visits[mv.index()], "value": rounded(self.mean(mv)) });
        let mut explanation =
            json!({ "worlds": self.worlds, "moves": moves.iter().map(row).collect::<Vec<_>>() });
        if let Some(mv) = self.own.filter(|_| self.kept) {
            explanation["kept"] = json!(name(mv));
        }
        explanation
    }
}

/// To four decimals, as a person reads it.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// The moves that a search expects: the child tried most often, again and again.
pub(super) fn line<G: Game>(arena: &Arena, root: NodeId) -> Vec<String> {
    let mut line = Vec::new();
    let mut at = root;
    while let Some((label, _, child)) =
        arena.children(at).max_by_key(|(_, node, id)| (node.visits, u32::MAX - id))
    {
        line.push(label.as_move().map_or_else(|| "?".to_owned(), |mv| mv.name(G::WORDS)));
        at = child;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves() -> [Move; 2] {
        [0, 1].map(|index| Move::from_index(index).unwrap())
    }

    #[test]
    fn errors_of_means_shrink_with_the_observations_and_follow_their_spread() {
        let mut sums = [Sum::NONE; 2];
        for toss in 0..1_000 {
            sums[0].add(f64::from(toss % 2));
            sums[1].add(0.5);
        }
        // Tosses of a coin have a variance of 1/4, a constant none but what was assumed beforehand.
        assert!((sums[0].squared_error(VARIANCE) * 1_000.0 - 0.25).abs() < 0.001);
        assert!(sums[1].squared_error(VARIANCE) < 2e-7);
        assert_eq!(Sum::NONE.squared_error(VARIANCE), f64::INFINITY);
    }

    #[test]
    fn a_gain_in_every_world_is_sure_however_much_the_worlds_differ() {
        let [better, own] = moves();
        let (mut paired, mut single) = (Thought::new(), Thought::new());
        paired.own = Some(own);
        for world in 0..20 {
            let worth = f64::from(world % 5) * 0.2;
            paired.add([(better, 1, worth + 0.15), (own, 1, worth)].into_iter());
            single.add_trial(better, worth + 0.15);
            single.add_trial(own, worth);
        }
        assert!(paired.is_surely_better(better, own, 4.0));
        // The same numbers, not told world by world.
        assert!(single.is_surely_better(better, own, 1.0));
        assert!(!single.is_surely_better(better, own, 4.0));
        assert!(!paired.is_surely_better(own, better, 0.0));
    }
}
