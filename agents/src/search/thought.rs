//! What a search came to: the final choice, and the explanation.

use dealt_engine::{Game, Move, Moves};
use serde_json::{Value, json};

use super::settings::Choice;
use super::tree::{Arena, NodeId};

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
}

impl Thought {
    pub(super) const fn new() -> Thought {
        Thought {
            visits: [0; Move::COUNT],
            means: [0.0; Move::COUNT],
            parts: [0; Move::COUNT],
            worlds: 0,
            exact: None,
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

    /// The best of the legal moves, the lowest of equals.
    pub(super) fn best(&self, choice: Choice, legal: Moves) -> Move {
        let better = |best, mv| if self.prefers(choice, mv, best) { mv } else { best };
        self.exact.or_else(|| legal.into_iter().reduce(better)).expect("a decision has moves")
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
        json!({ "worlds": self.worlds, "moves": moves.iter().map(row).collect::<Vec<_>>() })
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
