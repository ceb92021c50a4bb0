//! The one move space: 64 moves, sets of them in a word.

use std::fmt;

use crate::card::set_operators;
use crate::{Card, CardSet};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub, SubAssign};

/// A move: a card (0–51, as [`Card::index`]; 52 is kept for a joker) or one of the game's own words (53–63).
///
/// How a word is written is the game's business: [`Game::WORDS`](crate::Game::WORDS).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

impl Move {
    /// How many moves there can be.
    pub const COUNT: usize = 64;
    /// The index of a game's first word.
    pub const FIRST_WORD: usize = 53;

    /// The move that plays, passes or discards a card.
    #[must_use]
    pub const fn card(card: Card) -> Move {
        Move(card.index() as u8)
    }

    /// The game's word of index `word`, 0 to 10.
    ///
    /// # Panics
    /// If `word` is above 10.
    #[must_use]
    pub const fn word(word: usize) -> Move {
        assert!(word < Move::COUNT - Move::FIRST_WORD);
        Move((Move::FIRST_WORD + word) as u8)
    }

    /// The move of an index below 64.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Move> {
        if index < Move::COUNT { Some(Move(index as u8)) } else { None }
    }

    /// 0 to 63.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The card, unless the move is a word.
    #[must_use]
    pub const fn as_card(self) -> Option<Card> {
        Card::from_index(self.0 as usize)
    }

    /// The index of the game's word, unless the move is a card.
    #[must_use]
    pub const fn as_word(self) -> Option<usize> {
        (self.0 as usize).checked_sub(Move::FIRST_WORD)
    }

    /// The move as records write it, given the game's words.
    #[must_use]
    pub fn name(self, words: &[&'static str]) -> String {
        match (self.as_card(), self.as_word()) {
            (Some(card), _) => card.to_string(),
            (None, Some(word)) => {
                words.get(word).map_or_else(|| format!("word {word}"), |&name| name.to_owned())
            }
            (None, None) => "joker".to_owned(),
        }
    }

    /// The move that a text names, given the game's words.
    #[must_use]
    pub fn parse(text: &str, words: &[&'static str]) -> Option<Move> {
        let word = words.iter().position(|&name| name == text).map(Move::word);
        word.or_else(|| text.parse().ok().map(Move::card))
    }
}

impl From<Card> for Move {
    fn from(card: Card) -> Move {
        Move::card(card)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name(&[]))
    }
}

/// A set of moves.
///
/// ```
/// use dealt_engine::{CardSet, Move, Moves, Suit};
/// let moves = Moves::from(Suit::Clubs.cards()) | Moves::of(Move::word(0));
/// assert_eq!(moves.len(), 14);
/// assert!(moves.has(Move::word(0)));
/// assert_eq!(moves.cards(), Suit::Clubs.cards());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Moves(u64);

impl Moves {
    /// No move.
    pub const EMPTY: Moves = Moves(0);

    /// The set of one move.
    #[must_use]
    pub const fn of(mv: Move) -> Moves {
        Moves(1 << mv.0)
    }

    /// The set of bits, one a move.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Moves {
        Moves(bits)
    }

    /// Bit `i` says whether the move of index `i` is in the set.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether the move is in the set.
    #[must_use]
    pub const fn has(self, mv: Move) -> bool {
        self.0 >> mv.0 & 1 != 0
    }

    /// How many moves.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether every move is in `other` too.
    #[must_use]
    pub const fn is_subset(self, other: Moves) -> bool {
        self.0 & !other.0 == 0
    }

    /// The moves that are cards.
    #[must_use]
    pub const fn cards(self) -> CardSet {
        CardSet::from_bits(self.0)
    }

    /// The move of the lowest index.
    #[must_use]
    pub const fn lowest(self) -> Option<Move> {
        if self.0 == 0 { None } else { Some(Move(self.0.trailing_zeros() as u8)) }
    }

    /// The move with `skip` lower ones in the set.
    #[inline]
    #[must_use]
    pub fn nth(self, skip: usize) -> Option<Move> {
        if skip < self.len() { Some(Move(crate::bits::nth_set(self.0, skip as u32) as u8)) } else { None }
    }

    /// The only move there is, if there is just one.
    #[must_use]
    pub const fn only(self) -> Option<Move> {
        if self.0 != 0 && self.0 & (self.0 - 1) == 0 { self.lowest() } else { None }
    }
}

set_operators!(Moves, u64::MAX);

impl From<CardSet> for Moves {
    fn from(cards: CardSet) -> Moves {
        Moves(cards.bits())
    }
}

impl FromIterator<Move> for Moves {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Moves {
        moves.into_iter().fold(Moves::EMPTY, |set, mv| set | Moves::of(mv))
    }
}

impl IntoIterator for Moves {
    type Item = Move;
    type IntoIter = MoveList;

    fn into_iter(self) -> MoveList {
        MoveList(self.0)
    }
}

/// The moves of a [`Moves`], lowest index first.
#[derive(Clone, Debug)]
pub struct MoveList(u64);

impl Iterator for MoveList {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let next = Moves(self.0).lowest();
        self.0 &= self.0.wrapping_sub(1);
        next
    }
}

impl fmt::Debug for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
