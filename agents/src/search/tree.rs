//! Trees over moves, in one arena that is kept from decision to decision.
//!
//! A node stands for a sequence of moves since the root, as one observer tells them apart. Its children are a list: which
//! moves are legal in it differs from world to world, so that children come to be one by one. How often each child was
//! among the legal moves is counted, and UCB1 takes that number for the number of trials (P. Cowling, E. Powley and
//! D. Whitehouse, *Information set Monte Carlo tree search*, 2012). Where the legal moves are always the same, this is
//! UCT (L. Kocsis and C. Szepesvári, *Bandit based Monte-Carlo planning*, 2006).
//!
//! When the arena is full no more nodes come to be, and the search goes on among those there are.

use dealt_engine::{Dice, Move, Moves, QuickDice};

/// Index of a node in the arena.
pub(super) type NodeId = u32;

/// No node.
pub(super) const NONE: NodeId = NodeId::MAX;

/// What leads to a node: a move, or a move that the observer does not see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label(u8);

impl Label {
    /// A move that is not seen.
    pub(super) const UNSEEN: Label = Label(Move::COUNT as u8);

    pub(super) const fn of(mv: Move) -> Label {
        Label(mv.index() as u8)
    }

    /// The move, if it is seen.
    pub(super) fn as_move(self) -> Option<Move> {
        Move::from_index(self.0.into())
    }
}

/// A node: what its parent knows of it, and its own children.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The utilities, summed up, of whoever made the move that leads here.
    value: f64,
    /// The moves that children stand for.
    tried: Moves,
    /// How often the search came through.
    pub(super) visits: u32,
    /// How often it could have, this being among the legal moves.
    available: u32,
    first_child: NodeId,
    next_sibling: NodeId,
    label: Label,
}

impl Node {
    const fn new(label: Label, next_sibling: NodeId) -> Node {
        Node {
            value: 0.0,
            tried: Moves::EMPTY,
            visits: 0,
            available: 1,
            first_child: NONE,
            next_sibling,
            label,
        }
    }

    /// The mean utility of whoever made the move that leads here.
    pub(super) fn mean(&self) -> f64 {
        self.value / f64::from(self.visits.max(1))
    }
}

/// The nodes of all trees of a decision.
#[derive(Debug)]
pub(super) struct Arena {
    nodes: Vec<Node>,
    /// The most nodes there may be.
    room: usize,
    logarithms: Logarithms,
}

impl Arena {
    pub(super) fn new() -> Arena {
        Arena { nodes: Vec::new(), room: 0, logarithms: Logarithms::new() }
    }

    /// Forgets all nodes, but keeps their memory. As many can be made anew as fit in `memory_mb` MiB.
    pub(super) fn clear(&mut self, memory_mb: u32) {
        self.clear_for(((memory_mb as usize) << 20) / size_of::<Node>());
    }

    fn clear_for(&mut self, room: usize) {
        self.nodes.clear();
        self.room = room;
    }

    /// A new tree.
    pub(super) fn plant(&mut self) -> NodeId {
        self.nodes.push(Node::new(Label::UNSEEN, NONE));
        (self.nodes.len() - 1) as NodeId
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Counts a visit that was worth so much to whoever made the move that leads here.
    #[inline]
    pub(super) fn credit(&mut self, id: NodeId, value: f64) {
        let node = &mut self.nodes[id as usize];
        node.visits += 1;
        node.value += value;
    }

    /// What leads to a node.
    pub(super) fn label(&self, id: NodeId) -> Label {
        self.node(id).label
    }

    /// The children of a node with what leads to them, newest first.
    pub(super) fn children(&self, id: NodeId) -> impl Iterator<Item = (Label, &Node, NodeId)> + Clone {
        let mut next = self.node(id).first_child;
        std::iter::from_fn(move || {
            let id = next;
            let node = self.nodes.get(id as usize)?;
            next = node.next_sibling;
            Some((node.label, node, id))
        })
    }

    /// A new child, or [`NONE`] if there is no room.
    fn add(&mut self, parent: NodeId, label: Label) -> NodeId {
        if self.nodes.len() >= self.room {
            return NONE;
        }
        if self.nodes.len() == self.nodes.capacity() {
            // Twice as many, but never beyond the limit of memory.
            self.nodes.reserve_exact(self.nodes.len().max(256).min(self.room - self.nodes.len()));
        }
        let id = self.nodes.len() as NodeId;
        let parent = &mut self.nodes[parent as usize];
        let node = Node::new(label, parent.first_child);
        parent.first_child = id;
        if let Some(mv) = label.as_move() {
            parent.tried |= Moves::of(mv);
        }
        self.nodes.push(node);
        id
    }

    /// The child to which a move leads, new if need be; [`NONE`] if there is no room, or no parent.
    pub(super) fn follow(&mut self, parent: NodeId, label: Label) -> NodeId {
        if parent == NONE {
            return NONE;
        }
        let child = self.children(parent).find(|child| child.0 == label).map(|child| child.2);
        match child {
            Some(child) => child,
            None => self.add(parent, label),
        }
    }

    /// Chooses among the legal moves: one that was never tried, as long as there is one and room for it, otherwise
    /// the one with the highest upper confidence bound. Says where it leads, and whether that node is new; `None` if
    /// nothing was tried and there is no room.
    #[inline]
    pub(super) fn choose(
        &mut self,
        parent: NodeId,
        legal: Moves,
        c: f64,
        dice: &mut QuickDice,
    ) -> Option<(Move, NodeId, bool)> {
        let untried = legal - self.nodes[parent as usize].tried;
        if untried.is_empty() || self.nodes.len() >= self.room {
            return self.best_bound(parent, legal, c).map(|(mv, child)| (mv, child, false));
        }
        let mut next = self.nodes[parent as usize].first_child;
        while let Some(child) = self.nodes.get_mut(next as usize) {
            child.available += u32::from(child.label.as_move().is_some_and(|mv| legal.has(mv)));
            next = child.next_sibling;
        }
        let mv = untried.nth(dice.below(untried.len() as u32) as usize)?;
        Some((mv, self.add(parent, Label::of(mv)), true))
    }

    /// The child of the highest upper confidence bound among the legal moves; all of them are counted as available.
    #[inline]
    fn best_bound(&mut self, parent: NodeId, legal: Moves, c: f64) -> Option<(Move, NodeId)> {
        let mut best = (f64::NEG_INFINITY, None);
        let mut next = self.nodes[parent as usize].first_child;
        while let Some(child) = self.nodes.get_mut(next as usize) {
            let id = next;
            next = child.next_sibling;
            let Some(mv) = child.label.as_move().filter(|&mv| legal.has(mv)) else { continue };
            let share = 1.0 / f64::from(child.visits.max(1));
            let bound = child.value * share + c * (self.logarithms.ln(child.available) * share).sqrt();
            child.available += 1;
            if bound > best.0 {
                best = (bound, Some((mv, id)));
            }
        }
        best.1
    }
}

/// Natural logarithms of whole numbers, from a table: the same on every machine, and quick.
#[derive(Debug)]
struct Logarithms([f64; Logarithms::LEN]);

impl Logarithms {
    const BITS: u32 = 10;
    const LEN: usize = 1 << Logarithms::BITS;

    fn new() -> Logarithms {
        Logarithms(std::array::from_fn(|number| libm::log(number.max(1) as f64)))
    }

    /// The logarithm of a number, 0 being taken for 1. Of a number beyond the table only the first ten binary digits
    /// count: the result is too small by less than 0.002.
    #[inline]
    fn ln(&self, number: u32) -> f64 {
        let excess = (u32::BITS - number.leading_zeros()).saturating_sub(Logarithms::BITS);
        self.0[(number >> excess) as usize & (Logarithms::LEN - 1)]
            + f64::from(excess) * std::f64::consts::LN_2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(bits: u64) -> Moves {
        Moves::from_bits(bits)
    }

    #[test]
    fn logarithms_of_whole_numbers_are_right() {
        let table = Logarithms::new();
        for number in (1..5_000).chain((0..32).map(|bit| 1 << bit)).chain([u32::MAX]) {
            let error = libm::log(f64::from(number)) - table.ln(number);
            assert!((-1e-12..0.002).contains(&error), "{number}: {error}");
            assert!(number >= 1024 || error == 0.0);
        }
        assert_eq!(table.ln(0), 0.0);
    }

    #[test]
    fn every_move_is_tried_once_before_any_is_tried_twice() {
        let mut arena = Arena::new();
        arena.clear(1);
        let (root, mut dice) = (arena.plant(), QuickDice::new(1, 1));
        let mut seen = Moves::EMPTY;
        for _ in 0..5 {
            let (mv, child, is_new) = arena.choose(root, moves(0b11111), 1.0, &mut dice).unwrap();
            assert!(is_new && !seen.has(mv));
            seen |= Moves::of(mv);
            arena.credit(child, 0.5);
        }
        assert!(!arena.choose(root, moves(0b11111), 1.0, &mut dice).unwrap().2);
        // A world with another legal move has that tried at once.
        let (mv, _, is_new) = arena.choose(root, moves(0b100001), 1.0, &mut dice).unwrap();
        assert!(is_new && mv.index() == 5);
    }

    #[test]
    fn the_bound_prefers_what_is_better_and_what_could_have_been_tried_more_often() {
        let mut arena = Arena::new();
        arena.clear(1);
        let (root, mut dice) = (arena.plant(), QuickDice::new(1, 1));
        let children: Vec<NodeId> =
            (0..3).map(|bit| arena.follow(root, Label::of(Move::from_index(bit).unwrap()))).collect();
        for (&child, value) in children.iter().zip([0.2, 0.8, 0.5]) {
            arena.credit(child, value);
        }
        let mut best = |legal, c| arena.choose(root, moves(legal), c, &mut dice).unwrap().0.index();
        assert_eq!(best(0b111, 0.0), 1);
        assert_eq!(best(0b101, 0.0), 2);
        // Move 1 is now the one that was available least often, move 2 the one most often.
        for _ in 0..50 {
            best(0b100, 0.0);
        }
        assert_eq!(best(0b111, 10.0), 2);
    }

    #[test]
    fn a_full_arena_goes_on_with_what_it_has() {
        let mut arena = Arena::new();
        arena.clear_for(2);
        let (root, mut dice) = (arena.plant(), QuickDice::new(1, 1));
        let (only, child, _) = arena.choose(root, moves(0b11), 1.0, &mut dice).unwrap();
        for _ in 0..10 {
            assert_eq!(arena.choose(root, moves(0b11), 1.0, &mut dice), Some((only, child, false)));
        }
        assert_eq!(arena.choose(child, moves(0b11), 1.0, &mut dice), None);
        assert_eq!(arena.follow(root, Label::UNSEEN), NONE);
        assert_eq!(arena.follow(root, Label::of(only)), child);
        assert_eq!(arena.follow(NONE, Label::of(only)), NONE);
        let room = (1 << 20) / size_of::<Node>();
        arena.clear(1);
        let root = arena.plant();
        let made = (0..room as u32 * 2).filter(|_| arena.add(root, Label::UNSEEN) != NONE).count();
        assert_eq!(made, room - 1);
        assert!(arena.nodes.capacity() <= room);
    }
}
