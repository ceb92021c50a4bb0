//! One walk of the search: down the trees, on by a rollout, and back up.
//!
//! Who is to move chooses in the tree of its observer; all other trees follow with what their observers see of the move.
//! With one observer a hidden move of another seat is not told apart from others like it, so there is nothing to choose
//! by, and it is made as a rollout would make it. Cards drawn lead nowhere in a tree: the same moves lead to the same
//! node whatever was drawn (an *open loop*).
//!
//! A walk leaves the trees at the first node that it has made. A forced move or an unseen one does not count as that:
//! there was nothing to choose.

use dealt_engine::{MAX_PLAYERS, Move, Moves, PerSeat, QuickDice, Seat, Unordered};

use super::SearchGame;
use super::rollout::Playout;
use super::tree::{Arena, Label, NONE, NodeId};

/// Who tells hidden moves apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sight {
    /// Everybody: one tree over positions that all see.
    All,
    /// The searching seat its own: one tree as that seat sees the moves.
    Searcher,
    /// Each seat its own: a tree for each as it sees the moves.
    Each,
}

/// The trees of a decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forest {
    sight: Sight,
    searcher: Seat,
    /// How many trees: one, or one a seat.
    trees: usize,
    roots: PerSeat<NodeId>,
}

impl Forest {
    /// Plants the trees of a seat's decision.
    pub(super) fn plant(arena: &mut Arena, sight: Sight, searcher: Seat, players: usize) -> Forest {
        let trees = if sight == Sight::Each { players } else { 1 };
        let mut roots = [NONE; MAX_PLAYERS];
        roots[..trees].iter_mut().for_each(|root| *root = arena.plant());
        Forest { sight, searcher, trees, roots }
    }

    /// The root of the tree that the searching seat chooses in.
    pub(super) fn root(&self) -> NodeId {
        self.roots[self.tree_of(self.searcher)]
    }

    /// The tree in which a seat chooses.
    #[inline]
    fn tree_of(&self, seat: Seat) -> usize {
        if self.trees > 1 { seat } else { 0 }
    }

    /// Whether a seat's hidden moves are seen in the tree in which it chooses.
    #[inline]
    fn sees_own(&self, seat: Seat) -> bool {
        self.trees > 1 || seat == self.searcher
    }
}

/// A walk's way, for the way back: nodes and who moved there.
pub(super) type Path = Vec<(NodeId, Seat)>;

/// Walks once from a position, and says what that came to for each seat.
#[inline]
pub(super) fn walk<G: SearchGame>(
    arena: &mut Arena,
    path: &mut Path,
    forest: &Forest,
    playout: &Playout<'_, G>,
    state: &mut G::State,
    dice: &mut QuickDice,
) -> PerSeat<f64> {
    let game = playout.game;
    let mut at = forest.roots;
    path.clear();
    while let Some(seat) = game.turn(state) {
        let legal = game.legal_moves(state);
        let hidden = forest.sight != Sight::All && game.is_hidden(state);
        let tree = forest.tree_of(seat);
        let step = if hidden && !forest.sees_own(seat) {
            let mv = playout.choose(state, seat, legal, dice);
            at[tree] = arena.follow(at[tree], Label::UNSEEN);
            Some((mv, false))
        } else {
            choose(arena, &mut at[tree], legal, playout.settings.c, dice)
        };
        let Some((mv, is_new)) = step else { break };
        path.push((at[tree], seat));
        for (other, node) in at.iter_mut().enumerate().take(forest.trees).filter(|&(other, _)| other != tree)
        {
            let seen = if hidden { Label::UNSEEN } else { Label::of(mv) };
            *node = arena.follow(*node, seen);
            if other == forest.searcher && *node != NONE {
                arena.credit(*node, 0.0);
            }
        }
        game.play_unchecked(state, mv, &mut Unordered(dice));
        if (is_new && legal.len() > 1) || at[tree] == NONE {
            break;
        }
    }
    let values = playout.finish(state, dice);
    for &(node, seat) in path.iter().filter(|step| step.0 != NONE) {
        arena.credit(node, values[seat]);
    }
    values
}

/// Chooses at a node and goes on to the child.
#[inline]
fn choose(
    arena: &mut Arena,
    at: &mut NodeId,
    legal: Moves,
    c: f64,
    dice: &mut QuickDice,
) -> Option<(Move, bool)> {
    if *at == NONE {
        return None;
    }
    let (mv, child, is_new) = arena.choose(*at, legal, c, dice)?;
    *at = child;
    Some((mv, is_new))
}
