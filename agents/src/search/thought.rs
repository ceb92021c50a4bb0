//! What a search came to: the final choice, and the explanation.

use dealt_engine::{Game, Move};
use serde_json::{Value, json};

use super::SearchGame;
use super::rollout::Playout;
use super::settings::Choice;
use super::tree::{Arena, NodeId};
use crate::Turn;

/// What a decision was made by.
#[derive(Clone, Debug)]
pub(super) struct Thought {
    /// How often each move was tried.
    visits: [u64; Move::COUNT],
    /// The mean utilities that followed it in each tree, or world, summed up.
    means: [f64; Move::COUNT],
    /// How many there are of them.
    parts: [u32; Move::COUNT],
    /// How many worlds were looked at; none where the position itself was.
    pub(super) worlds: u32,
    /// The move, where it was worked out and not searched for.
    pub(super) exact: Option<Move>,
    /// The heuristic's move, where it was made because nothing was surely better.
    pub(super) kept: Option<Move>,
}

impl Thought {
    pub(super) const fn new() -> Thought {
        Thought {
            visits: [0; Move::COUNT],
            means: [0.0; Move::COUNT],
            parts: [0; Move::COUNT],
            worlds: 0,
            exact: None,
            kept: None,
        }
    }

    /// Adds trials of a move in a tree or a world, and the mean that followed there.
    #[inline]
    pub(super) fn add(&mut self, mv: Move, visits: u32, mean: f64) {
        self.visits[mv.index()] += u64::from(visits);
        self.means[mv.index()] += mean;
        self.parts[mv.index()] += 1;
    }

    /// Adds what a tree says of the moves at its root.
    pub(super) fn add_tree(&mut self, arena: &Arena, root: NodeId) {
        for (label, node, _) in arena.children(root) {
            if let Some(mv) = label.as_move() {
                self.add(mv, node.visits, node.mean());
            }
        }
    }

    /// How often any move was tried.
    pub(super) fn walks(&self) -> u32 {
        self.visits.iter().sum::<u64>() as u32
    }

    /// The mean of the means: a world counts the same however often a move was tried in it. (Where a move is good it
    /// is tried more often, so that the mean over all trials would flatter it.)
    fn mean(&self, mv: Move) -> f64 {
        self.means[mv.index()] / f64::from(self.parts[mv.index()].max(1))
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
    pub(super) fn decide<G: SearchGame>(
        &mut self,
        playout: &Playout<'_, G>,
        turn: &Turn<'_, G>,
        choice: Choice,
    ) -> Move {
        if let Some(exact) = self.exact {
            return exact;
        }
        let better = |best, mv| if self.prefers(choice, mv, best) { mv } else { best };
        let best = turn.legal_moves().into_iter().reduce(better).expect("a decision has moves");
        if playout.settings.caution > 0.0 {
            let own = playout.game.greedy(playout.weights, &turn.view(), turn.legal_moves());
            if own != best && !self.is_surely_better(best, own, playout.settings.caution) {
                self.kept = Some(own);
                return own;
            }
        }
        best
    }

    /// Whether the mean of a move is higher than that of another by so many standard errors. A utility is about one wide,
    /// which is four of its standard deviations.
    fn is_surely_better(&self, mv: Move, other: Move, caution: f64) -> bool {
        let [tried, others] = [mv, other].map(|mv| self.visits[mv.index()] as f64);
        let error = 0.25 * (1.0 / tried + 1.0 / others).sqrt();
        self.mean(mv) - self.mean(other) > caution * error
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
        if let Some(mv) = self.kept {
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
