//! Cards of several packs: a multiset of faces, as bit planes.

use std::fmt;

use crate::bits::nth_set;
use crate::{Card, CardSet, Dice};

/// Up to 2^`PLANES` − 1 copies of each face. Plane `p` holds bit `p` of every face's count, so that most questions
/// are answered for all faces at once.
///
/// ```
/// use dealt_engine::{Card, CardBag};
/// let king: Card = "KH".parse()?;
/// let mut bag = CardBag::<2>::EMPTY;
/// bag.insert(king);
/// bag.insert(king);
/// assert_eq!((bag.len(), bag.count(king)), (2, 2));
/// bag.remove(king);
/// assert_eq!(bag.to_string(), "KH");
/// # Ok::<(), dealt_engine::CardError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CardBag<const PLANES: usize> {
    planes: [u64; PLANES],
}

/// Enough for the most packs that any game here takes: 7 copies of a face.
pub type Bag = CardBag<3>;

impl<const PLANES: usize> CardBag<PLANES> {
    /// No card.
    pub const EMPTY: Self = CardBag { planes: [0; PLANES] };
    /// The most copies of one face that fit.
    pub const MOST_COPIES: usize = (1 << PLANES) - 1;

    /// The bag of `copies` copies of each card of a set.
    ///
    /// # Panics
    /// If `copies` exceeds [`MOST_COPIES`](Self::MOST_COPIES).
    #[must_use]
    pub fn copies(set: CardSet, copies: usize) -> Self {
        assert!(copies <= Self::MOST_COPIES, "{copies} copies do not fit in {PLANES} planes");
        CardBag { planes: std::array::from_fn(|plane| if copies >> plane & 1 != 0 { set.0 } else { 0 }) }
    }

    /// Bit `p` of every face's count.
    #[must_use]
    pub const fn plane(&self, p: usize) -> CardSet {
        CardSet(self.planes[p])
    }

    /// The faces of which there is at least one.
    #[inline]
    #[must_use]
    pub fn faces(&self) -> CardSet {
        CardSet(self.planes.iter().fold(0, |faces, plane| faces | plane))
    }

    /// How many cards.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.planes.iter().enumerate().map(|(p, plane)| (plane.count_ones() as usize) << p).sum()
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.faces().is_empty()
    }

    /// Whether there is at least one copy.
    #[inline]
    #[must_use]
    pub fn has(&self, card: Card) -> bool {
        self.faces().has(card)
    }

    /// How many copies.
    #[inline]
    #[must_use]
    pub fn count(&self, card: Card) -> usize {
        self.planes.iter().enumerate().map(|(p, plane)| ((plane >> card.index() & 1) as usize) << p).sum()
    }

    /// How many cards have a face in `set`.
    #[inline]
    #[must_use]
    pub fn count_in(&self, set: CardSet) -> usize {
        self.planes.iter().enumerate().map(|(p, plane)| ((plane & set.0).count_ones() as usize) << p).sum()
    }

    /// Adds one copy. More than [`MOST_COPIES`](Self::MOST_COPIES) is a mistake of the caller.
    #[inline]
    pub fn insert(&mut self, card: Card) {
        self.insert_each(CardSet::of(card));
    }

    /// Adds one copy of every card of a set.
    #[inline]
    pub fn insert_each(&mut self, set: CardSet) {
        let mut carry = set.0;
        for plane in &mut self.planes {
            let old = *plane;
            *plane ^= carry;
            carry &= old;
        }
        debug_assert_eq!(carry, 0, "more copies than the planes hold");
    }

    /// Takes one copy out. Taking what is not there is a mistake of the caller.
    #[inline]
    pub fn remove(&mut self, card: Card) {
        self.remove_each(CardSet::of(card));
    }

    /// Takes one copy of every card of a set out.
    #[inline]
    pub fn remove_each(&mut self, set: CardSet) {
        let mut borrow = set.0;
        for plane in &mut self.planes {
            let old = *plane;
            *plane ^= borrow;
            borrow &= !old;
        }
        debug_assert_eq!(borrow, 0, "a card taken from a bag that has none");
    }

    /// Adds all cards of another bag.
    #[inline]
    pub fn insert_all(&mut self, other: &Self) {
        let mut carry = 0;
        for (plane, add) in self.planes.iter_mut().zip(other.planes) {
            let old = *plane;
            *plane = old ^ add ^ carry;
            carry = (old & add) | (carry & (old ^ add));
        }
        debug_assert_eq!(carry, 0, "more copies than the planes hold");
    }

    /// Takes all cards of another bag out; each must be there.
    #[inline]
    pub fn remove_all(&mut self, other: &Self) {
        let mut borrow = 0;
        for (plane, take) in self.planes.iter_mut().zip(other.planes) {
            let old = *plane;
            *plane = old ^ take ^ borrow;
            borrow = (!old & (take | borrow)) | (take & borrow);
        }
        debug_assert_eq!(borrow, 0, "cards taken from a bag that has not got them");
    }

    /// The cards whose face is in `set`.
    #[inline]
    #[must_use]
    pub fn restrict(&self, set: CardSet) -> Self {
        CardBag { planes: self.planes.map(|plane| plane & set.0) }
    }

    /// The card at place `skip` of an order that gives every copy its own place.
    #[inline]
    #[must_use]
    pub fn nth(&self, skip: usize) -> Option<Card> {
        let mut skip = skip;
        for (p, &plane) in self.planes.iter().enumerate() {
            let here = (plane.count_ones() as usize) << p;
            if skip < here {
                return Card::from_index(nth_set(plane, (skip >> p) as u32) as usize);
            }
            skip -= here;
        }
        None
    }

    /// Takes out one card, each copy equally likely; `None` from an empty bag.
    #[inline]
    pub fn take<D: Dice>(&mut self, dice: &mut D) -> Option<Card> {
        let size = self.len();
        if size == 0 {
            return None;
        }
        let card = self.nth(dice.below(size as u32) as usize)?;
        self.remove(card);
        Some(card)
    }

    /// The cards, lowest first, copies one after another.
    pub fn iter(&self) -> impl Iterator<Item = Card> + '_ {
        self.faces().into_iter().flat_map(|card| std::iter::repeat_n(card, self.count(card)))
    }

    /// The same cards with another number of planes.
    ///
    /// # Panics
    /// If a face has more copies than fit there.
    #[must_use]
    pub fn resize<const OTHER: usize>(&self) -> CardBag<OTHER> {
        assert!(
            self.planes.iter().skip(OTHER).all(|&plane| plane == 0),
            "more copies than fit in {OTHER} planes"
        );
        CardBag { planes: std::array::from_fn(|p| self.planes.get(p).copied().unwrap_or(0)) }
    }
}

impl<const PLANES: usize> Default for CardBag<PLANES> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const PLANES: usize> From<CardSet> for CardBag<PLANES> {
    fn from(set: CardSet) -> Self {
        Self::copies(set, 1)
    }
}

impl<const PLANES: usize> FromIterator<Card> for CardBag<PLANES> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut bag = Self::EMPTY;
        cards.into_iter().for_each(|card| bag.insert(card));
        bag
    }
}

impl<const PLANES: usize> fmt::Display for CardBag<PLANES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, card) in self.iter().enumerate() {
            write!(f, "{}{card}", if index > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

impl<const PLANES: usize> fmt::Debug for CardBag<PLANES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::QuickDice;

    #[test]
    fn a_bag_counts_like_a_list() {
        let mut dice = QuickDice::new(1, 2);
        for _ in 0..200 {
            let mut bag = Bag::EMPTY;
            let mut list = Vec::new();
            for _ in 0..300 {
                let card = Card::from_index(dice.below(52) as usize).unwrap();
                let copies = list.iter().filter(|&&other| other == card).count();
                if dice.below(2) == 0 && copies < Bag::MOST_COPIES {
                    bag.insert(card);
                    list.push(card);
                } else if copies > 0 {
                    bag.remove(card);
                    let place = list.iter().position(|&other| other == card).unwrap();
                    list.remove(place);
                }
                list.sort();
                assert_eq!(bag.iter().collect::<Vec<_>>(), list);
                assert_eq!(bag.len(), list.len());
                let mut places: Vec<_> = (0..bag.len()).map(|skip| bag.nth(skip).unwrap()).collect();
                places.sort();
                assert_eq!(places, list);
                assert_eq!(bag.nth(bag.len()), None);
            }
            let hearts = bag.restrict(crate::Suit::Hearts.cards());
            let mut rest = bag;
            rest.remove_all(&hearts);
            assert_eq!(rest.len() + bag.count_in(crate::Suit::Hearts.cards()), bag.len());
            rest.insert_all(&hearts);
            assert_eq!(rest, bag);
        }
    }
}
