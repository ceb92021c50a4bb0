//! Where the next card comes from.
//!
//! In a position the stock is a *set*: nobody knows its order, so there is none. A draw asks a [`Stock`] which of the
//! cards left comes next. At the table that is a [`Pack`], shuffled by the deal's own random stream, so that draw
//! number k yields the same card whoever draws it; in search an [`Unordered`] stock picks any card left; and a record
//! is replayed from a [`Script`].

use std::collections::VecDeque;

use crate::{Card, CardBag, Dice};

/// Says which card is drawn next.
pub trait Stock {
    /// The next card. `left` is what the stock holds now, at least one card; the caller takes the card out of it.
    fn draw<const PLANES: usize>(&mut self, left: &CardBag<PLANES>) -> Card;

    /// The empty stock has been made anew from these cards, shuffled.
    fn rebuild<const PLANES: usize>(&mut self, cards: &CardBag<PLANES>);
}

/// A shuffled pack: the one at the table.
///
/// The cards drawn are a function of the pack, the dice and the number of draws alone.
///
/// ```
/// use dealt_engine::{Card, Pack, QuickDice};
/// let cards: Vec<Card> = Card::all().collect();
/// let mut pack = Pack::new(&cards, QuickDice::new(1, 1));
/// let order = pack.rest();
/// assert_eq!(order.len(), 52);
/// assert_eq!((pack.next_card(), pack.next_card()), (order[0], order[1]));
/// ```
#[derive(Clone, Debug)]
pub struct Pack<D> {
    cards: Vec<Card>,
    next: usize,
    dice: D,
}

impl<D: Dice> Pack<D> {
    /// The pack of these cards, shuffled with these dice.
    #[must_use]
    pub fn new(cards: &[Card], dice: D) -> Pack<D> {
        let mut pack = Pack { cards: cards.to_vec(), next: 0, dice };
        pack.shuffle();
        pack
    }

    /// Takes up other cards and dice, keeping the memory.
    #[inline]
    pub fn reset(&mut self, cards: &[Card], dice: D) {
        self.cards.clear();
        self.cards.extend_from_slice(cards);
        self.dice = dice;
        self.shuffle();
    }

    /// Shuffles in one go, which is quicker than card by card between moves. One number more is taken: a whole pack takes
    /// as many as it has cards.
    #[inline]
    fn shuffle(&mut self) {
        self.next = 0;
        self.dice.shuffle(&mut self.cards);
        self.dice.next_u32();
    }

    /// The next card of the shuffled order.
    ///
    /// # Panics
    /// If the pack is used up.
    #[inline]
    pub fn next_card(&mut self) -> Card {
        let card = self.cards[self.next];
        self.next += 1;
        card
    }

    /// The cards that are still to come, in the order in which they will.
    #[must_use]
    pub fn rest(&self) -> Vec<Card> {
        self.cards[self.next..].to_vec()
    }
}

impl<D: Dice> Stock for Pack<D> {
    #[inline]
    fn draw<const PLANES: usize>(&mut self, left: &CardBag<PLANES>) -> Card {
        debug_assert_eq!(left.len(), self.cards.len() - self.next);
        self.next_card()
    }

    fn rebuild<const PLANES: usize>(&mut self, cards: &CardBag<PLANES>) {
        self.cards.clear();
        self.cards.extend(cards.iter());
        self.shuffle();
    }
}

/// A stock in no order yet: each draw takes any card left, each copy equally likely. For sampled worlds.
#[derive(Debug)]
pub struct Unordered<'d, D>(pub &'d mut D);

impl<D: Dice> Stock for Unordered<'_, D> {
    #[inline]
    fn draw<const PLANES: usize>(&mut self, left: &CardBag<PLANES>) -> Card {
        let place = self.0.below(left.len() as u32) as usize;
        left.nth(place).expect("a draw below the size of the stock")
    }

    #[inline]
    fn rebuild<const PLANES: usize>(&mut self, _: &CardBag<PLANES>) {}
}

/// A stock in a given order, with the orders of the stocks rebuilt later: for replaying.
///
/// The caller has checked that each order holds just the cards that the position's stock holds.
#[derive(Clone, Default, Debug)]
pub struct Script {
    cards: VecDeque<Card>,
    rebuilt: VecDeque<Vec<Card>>,
}

impl Script {
    /// The order of the pack as dealt, and those of the stocks made from discards later.
    #[must_use]
    pub fn new(cards: Vec<Card>, rebuilt: Vec<Vec<Card>>) -> Script {
        Script { cards: cards.into(), rebuilt: rebuilt.into() }
    }
}

impl Stock for Script {
    fn draw<const PLANES: usize>(&mut self, left: &CardBag<PLANES>) -> Card {
        let card = self.cards.pop_front().filter(|&card| left.has(card));
        card.or_else(|| left.nth(0)).expect("a draw from a stock that has a card")
    }

    fn rebuild<const PLANES: usize>(&mut self, cards: &CardBag<PLANES>) {
        self.cards = self.rebuilt.pop_front().unwrap_or_else(|| cards.iter().collect()).into();
    }
}
