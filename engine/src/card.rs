//! Cards and sets of cards.
//!
//! A [`Card`] is a *face*: one of the 52 combinations of rank and suit. Identical cards of two packs are the same
//! face; how many of each there are is the business of [`CardBag`](crate::CardBag). A [`CardSet`] is a set of faces
//! in one machine word.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub, SubAssign};
use std::str::FromStr;

/// The letters of the ranks, two low to ace high.
pub const RANK_LETTERS: [char; 13] = ['2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A'];
/// The letters of the suits: clubs, diamonds, spades, hearts, in the order of [`Card::index`].
pub const SUIT_LETTERS: [char; 4] = ['C', 'D', 'S', 'H'];

/// One of four suits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Suit {
    /// ♣
    Clubs,
    /// ♦
    Diamonds,
    /// ♠
    Spades,
    /// ♥
    Hearts,
}

impl Suit {
    /// All four, in order.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Spades, Suit::Hearts];

    /// Every card of the suit.
    #[must_use]
    pub const fn cards(self) -> CardSet {
        CardSet(0x1fff << (13 * self as u32))
    }

    /// Whether the suit is red.
    #[must_use]
    pub const fn is_red(self) -> bool {
        matches!(self, Suit::Diamonds | Suit::Hearts)
    }
}

/// A rank, 0 for the two up to 12 for the ace.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Rank(u8);

impl Rank {
    /// The two, lowest by index.
    pub const TWO: Rank = Rank(0);
    /// The ten.
    pub const TEN: Rank = Rank(8);
    /// The jack.
    pub const JACK: Rank = Rank(9);
    /// The queen.
    pub const QUEEN: Rank = Rank(10);
    /// The king.
    pub const KING: Rank = Rank(11);
    /// The ace, highest by index.
    pub const ACE: Rank = Rank(12);

    /// The rank of an index below 13.
    #[must_use]
    pub const fn new(index: u8) -> Option<Rank> {
        if index < 13 { Some(Rank(index)) } else { None }
    }

    /// 0 for the two up to 12 for the ace.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The four faces of the rank.
    #[must_use]
    pub const fn cards(self) -> CardSet {
        CardSet((1 | 1 << 13 | 1 << 26 | 1 << 39) << self.0)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", RANK_LETTERS[self.index()])
    }
}

impl FromStr for Rank {
    type Err = CardError;

    fn from_str(text: &str) -> Result<Self, CardError> {
        let mut letters = text.chars();
        let index = letters.next().and_then(|letter| RANK_LETTERS.iter().position(|&known| known == letter));
        match (index, letters.next()) {
            (Some(index), None) => Ok(Rank(index as u8)),
            _ => Err(CardError { given: text.to_owned() }),
        }
    }
}

/// A card face. Ordered by suit (clubs, diamonds, spades, hearts), then by rank from the two to the ace.
///
/// ```
/// use dealt_engine::{Card, Rank, Suit};
/// let card: Card = "TH".parse()?;
/// assert_eq!(card, Card::new(Rank::TEN, Suit::Hearts));
/// assert_eq!(card.to_string(), "TH");
/// assert_eq!(card.index(), 47);
/// # Ok::<(), dealt_engine::CardError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// How many faces there are.
    pub const COUNT: usize = 52;

    /// The card of a rank and a suit.
    #[must_use]
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(suit as u8 * 13 + rank.0)
    }

    /// The card of an index below 52.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Card> {
        if index < Card::COUNT { Some(Card(index as u8)) } else { None }
    }

    /// 0 (`2C`) to 51 (`AH`): 13 · suit + rank.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The rank.
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank(self.0 % 13)
    }

    /// The suit.
    #[must_use]
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 / 13) as usize]
    }

    /// Every face, lowest first.
    pub fn all() -> impl Iterator<Item = Card> {
        (0..52).map(Card)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", RANK_LETTERS[self.rank().index()], SUIT_LETTERS[self.suit() as usize])
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no card or rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardError {
    /// What was given.
    pub given: String,
}

impl fmt::Display for CardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no card: a card is a rank of 23456789TJQKA and a suit of CDSH, such as TH",
            self.given.escape_debug()
        )
    }
}

impl std::error::Error for CardError {}

impl FromStr for Card {
    type Err = CardError;

    fn from_str(text: &str) -> Result<Self, CardError> {
        let error = || CardError { given: text.to_owned() };
        let mut letters = text.chars();
        let (Some(rank), Some(suit), None) = (letters.next(), letters.next(), letters.next()) else {
            return Err(error());
        };
        let rank = RANK_LETTERS.iter().position(|&letter| letter == rank).ok_or_else(error)?;
        let suit = SUIT_LETTERS.iter().position(|&letter| letter == suit).ok_or_else(error)?;
        Ok(Card((suit * 13 + rank) as u8))
    }
}

impl serde::Serialize for Card {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Card {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A set of card faces.
///
/// ```
/// use dealt_engine::{CardSet, Suit};
/// let hand: CardSet = ["2C", "TH", "AH"].iter().map(|card| card.parse().unwrap()).collect();
/// assert_eq!(hand.len(), 3);
/// assert_eq!((hand & Suit::Hearts.cards()).to_string(), "TH AH");
/// assert_eq!((hand - Suit::Hearts.cards()).to_string(), "2C");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, PartialOrd, Ord)]
pub struct CardSet(pub(crate) u64);

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);
    /// All 52 faces.
    pub const ALL: CardSet = CardSet((1 << 52) - 1);

    /// The set whose bit `i` says whether the card of index `i` is in it; bits above 51 are dropped.
    #[must_use]
    pub const fn from_bits(bits: u64) -> CardSet {
        CardSet(bits & CardSet::ALL.0)
    }

    /// Bit `i` says whether the card of index `i` is in the set.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set of one card.
    #[must_use]
    pub const fn of(card: Card) -> CardSet {
        CardSet(1 << card.0)
    }

    /// Whether the card is in the set.
    #[must_use]
    pub const fn has(self, card: Card) -> bool {
        self.0 >> card.0 & 1 != 0
    }

    /// How many cards.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether every card is in `other` too.
    #[must_use]
    pub const fn is_subset(self, other: CardSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// The lowest card by index.
    #[must_use]
    pub const fn lowest(self) -> Option<Card> {
        if self.0 == 0 { None } else { Some(Card(self.0.trailing_zeros() as u8)) }
    }

    /// The highest card by index.
    #[must_use]
    pub const fn highest(self) -> Option<Card> {
        if self.0 == 0 { None } else { Some(Card(63 - self.0.leading_zeros() as u8)) }
    }

    /// The card with `skip` lower ones in the set.
    #[inline]
    #[must_use]
    pub fn nth(self, skip: usize) -> Option<Card> {
        if skip < self.len() { Some(Card(crate::bits::nth_set(self.0, skip as u32) as u8)) } else { None }
    }
}

macro_rules! set_operators {
    ($set:ident, $all:expr) => {
        impl BitOr for $set {
            type Output = $set;
            fn bitor(self, other: $set) -> $set {
                $set(self.0 | other.0)
            }
        }
        impl BitAnd for $set {
            type Output = $set;
            fn bitand(self, other: $set) -> $set {
                $set(self.0 & other.0)
            }
        }
        impl Sub for $set {
            type Output = $set;
            fn sub(self, other: $set) -> $set {
                $set(self.0 & !other.0)
            }
        }
        impl Not for $set {
            type Output = $set;
            fn not(self) -> $set {
                $set(!self.0 & $all)
            }
        }
        impl BitOrAssign for $set {
            fn bitor_assign(&mut self, other: $set) {
                self.0 |= other.0;
            }
        }
        impl BitAndAssign for $set {
            fn bitand_assign(&mut self, other: $set) {
                self.0 &= other.0;
            }
        }
        impl SubAssign for $set {
            fn sub_assign(&mut self, other: $set) {
                self.0 &= !other.0;
            }
        }
    };
}
pub(crate) use set_operators;

set_operators!(CardSet, CardSet::ALL.0);

/// The cards of a [`CardSet`], lowest first.
#[derive(Clone, Debug)]
pub struct Cards(u64);

impl Iterator for Cards {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        let card = CardSet(self.0).lowest();
        self.0 &= self.0.wrapping_sub(1);
        card
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Cards {}
impl FusedIterator for Cards {}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = Cards;

    fn into_iter(self) -> Cards {
        Cards(self.0)
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards.into_iter().fold(CardSet::EMPTY, |set, card| set | CardSet::of(card))
    }
}

impl fmt::Display for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, card) in self.into_iter().enumerate() {
            write!(f, "{}{card}", if index > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_reads_back_what_it_writes() {
        for card in Card::all() {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(Card::new(card.rank(), card.suit()), card);
        }
        for text in ["", "T", "10H", "th", "TX", "XH", "TH ", "♥T"] {
            assert!(text.parse::<Card>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_set_iterates_its_cards_in_order() {
        let set = Suit::Spades.cards() | Rank::ACE.cards();
        assert_eq!(set.len(), 16);
        assert!(set.into_iter().is_sorted());
        for (skip, card) in set.into_iter().enumerate() {
            assert_eq!(set.nth(skip), Some(card));
        }
        assert_eq!(set.nth(16), None);
        assert_eq!(!(!set), set);
    }
}
