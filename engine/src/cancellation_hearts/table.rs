//! What lies on the table: everything about a deal that every seat can see.
//!
//! A position is a [`Table`] and the hidden cards; a view is a `Table` and the few hidden cards that one seat knows. So
//! nothing can be public in one and secret in the other.

use std::fmt;

use crate::game::PerSeat;
use crate::{Card, CardBag, CardSet, Seat, Suit};

/// The cards of up to two packs.
pub type Cards = CardBag<2>;

/// All hearts.
pub(super) const HEARTS: CardSet = Suit::Hearts.cards();
/// `QS`.
pub const QUEEN: Card = Card::new(crate::Rank::QUEEN, Suit::Spades);
/// The cards that count against their captor: hearts and `QS`.
pub const POINT_CARDS: CardSet = CardSet::from_bits(HEARTS.bits() | CardSet::of(QUEEN).bits());
/// `2C`.
pub(super) const TWO: Card = Card::new(crate::Rank::TWO, Suit::Clubs);

/// No seat.
pub(super) const NOBODY: u8 = u8::MAX;

/// What a deal is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The seats pick the cards they pass.
    Pass,
    /// Tricks are played.
    Play,
    /// A seat that shot the moon chooses what it does.
    Moon,
    /// The deal is over.
    Over,
}

/// Cards captured, as far as they count: hearts, queens of spades, tricks, and points of bonus cards.
///
/// One word, so that a trick is added to what a seat has in one step: a byte each for hearts, queens and tricks, whose
/// sums over a whole deal fit, and above them 32 bits for the bonus, which may be negative.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally(u64);

impl Tally {
    /// Nothing.
    pub const NOTHING: Tally = Tally(0);

    #[inline]
    pub(super) const fn new(hearts: usize, queens: usize, tricks: usize, bonus: i32) -> Tally {
        Tally(hearts as u64 | (queens as u64) << 8 | (tricks as u64) << 16 | (bonus as u32 as u64) << 32)
    }

    #[inline]
    pub(super) fn add(&mut self, other: Tally) {
        self.0 = self.0.wrapping_add(other.0);
    }

    /// How many hearts.
    #[must_use]
    pub const fn hearts(self) -> usize {
        self.0 as u8 as usize
    }

    /// How many queens of spades.
    #[must_use]
    pub const fn queens(self) -> usize {
        (self.0 >> 8) as u8 as usize
    }

    /// How many tricks, void ones included.
    #[must_use]
    pub const fn tricks(self) -> usize {
        (self.0 >> 16) as u8 as usize
    }

    /// The points of bonus cards.
    #[must_use]
    pub const fn bonus(self) -> i32 {
        (self.0 >> 32) as i32
    }

    /// The points of hearts and queens of spades: 1 a heart, 13 a queen.
    #[must_use]
    pub const fn moon_points(self) -> i32 {
        self.hearts() as i32 + 13 * self.queens() as i32
    }

    /// All points, those of bonus cards included.
    #[must_use]
    pub const fn points(self) -> i32 {
        self.moon_points() + self.bonus()
    }
}

impl fmt::Debug for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hearts, queens, tricks, bonus) = (self.hearts(), self.queens(), self.tricks(), self.bonus());
        write!(f, "{hearts} hearts, {queens} queens, {tricks} tricks, bonus {bonus}")
    }
}

/// The trick in progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trick {
    pub(super) cards: Cards,
    /// The suit led; no card before there is one.
    pub(super) suit: CardSet,
    order: Order,
    pub(super) leader: u8,
    pub(super) len: u8,
}

impl Trick {
    #[inline]
    pub(super) const fn led_by(leader: u8) -> Trick {
        Trick { cards: Cards::EMPTY, suit: CardSet::EMPTY, order: Order::EMPTY, leader, len: 0 }
    }

    #[inline]
    pub(super) fn add(&mut self, card: Card) {
        self.cards.insert(card);
        self.order.add(card, self.len);
        self.len += 1;
    }

    /// How many cards were played after a card that is in the trick: after the first, or the last, of two copies.
    #[inline]
    pub(super) fn cards_after(&self, card: Card, first: bool) -> u8 {
        if first { self.order.after_first(card, self.len) } else { self.order.after_last(card, self.len) }
    }

    /// The seat that leads or has led.
    #[must_use]
    pub fn leader(&self) -> Seat {
        self.leader as Seat
    }

    /// How many cards have been played to it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether it is still to be led.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The cards played to it, without their order.
    #[must_use]
    pub fn cards(&self) -> Cards {
        self.cards
    }

    /// The cards in the order of play.
    pub fn order(&self) -> impl Iterator<Item = Card> + '_ {
        (0..self.len).rev().filter_map(|after| self.order.card(after, self.len))
    }

    /// The suit led, if a card has been.
    #[must_use]
    pub fn suit(&self) -> Option<Suit> {
        self.suit.lowest().map(Card::suit)
    }
}

/// The order in which up to 16 cards were played: their indices, a byte each, the last played lowest, with
/// [`NO_CARD`] where there are none. All bytes are compared with a card at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Order {
    newest: u64,
    /// The first eight cards, once there are more.
    oldest: u64,
}

/// Neither a card's index nor further than 127 from one.
const NO_CARD: u64 = 0x7f;
/// A one in every byte.
const ONES: u64 = u64::MAX / 0xff;

impl Order {
    const EMPTY: Order = Order { newest: ONES * NO_CARD, oldest: ONES * NO_CARD };

    /// Adds a card to `len` others.
    #[inline]
    fn add(&mut self, card: Card, len: u8) {
        if len == 8 {
            *self = Order { newest: Order::EMPTY.newest, oldest: self.newest };
        }
        self.newest = self.newest << 8 | card.index() as u64;
    }

    /// How many of `len` cards are the newest.
    #[inline]
    fn newest_len(len: u8) -> u8 {
        if len > 8 { len - 8 } else { len }
    }

    /// Of `len` cards, the one after which `after` were played.
    fn card(&self, after: u8, len: u8) -> Option<Card> {
        let newest = Order::newest_len(len);
        let byte =
            if after < newest { self.newest >> (8 * after) } else { self.oldest >> (8 * (after - newest)) };
        Card::from_index(byte as u8 as usize)
    }

    /// How many of `len` cards were played after the last that is this card.
    #[inline]
    fn after_last(&self, card: Card, len: u8) -> u8 {
        match Order::places(self.newest, card) {
            0 => Order::newest_len(len) + Order::places(self.oldest, card).trailing_zeros() as u8 / 8,
            places => places.trailing_zeros() as u8 / 8,
        }
    }

    /// How many of `len` cards were played after the first that is this card.
    #[inline]
    fn after_first(&self, card: Card, len: u8) -> u8 {
        match Order::places(self.oldest, card) {
            0 => 7 - Order::places(self.newest, card).leading_zeros() as u8 / 8,
            places => Order::newest_len(len) + 7 - places.leading_zeros() as u8 / 8,
        }
    }

    /// The top bits of the bytes that are this card.
    #[inline]
    fn places(half: u64, card: Card) -> u64 {
        // No byte of the difference exceeds 127, so that adding 127 sets its top bit unless it is 0.
        let difference = half ^ (ONES * card.index() as u64);
        !(difference + ONES * 0x7f) & (ONES * 0x80)
    }
}

/// All that every seat sees of a deal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Table {
    pub(super) trick: Trick,
    pub(super) phase: Phase,
    pub(super) turn: u8,
    pub(super) dealer: u8,
    /// Seats to the left to which this deal passes; 0 when it does not.
    pub(super) pass_to: u8,
    /// Cards that the seat in turn has still to pick for its pass.
    pub(super) picks_left: u8,
    /// Tricks finished.
    pub(super) tricks: u8,
    /// Tricks that nobody could win.
    pub(super) void_tricks: u8,
    /// The trick, counted from 1, in which hearts were broken; 0 while they are not.
    pub(super) broken_in: u8,
    /// The winner of the last trick that was won.
    pub(super) last_winner: u8,
    /// Who took the kitty.
    pub(super) kitty_taker: u8,
    /// The seat known to hold a `2C` since it was the one to lead.
    pub(super) two_holder: u8,
    /// Who shot the moon.
    pub(super) shooter: u8,
    /// Whether the moon was taken as points for the others.
    pub(super) moon_added: bool,
    pub(super) aside: Tally,
    pub(super) captured: PerSeat<Tally>,
    pub(super) totals: PerSeat<i32>,
    pub(super) cannot_hold: PerSeat<CardSet>,
}

fn somebody(seat: u8) -> Option<Seat> {
    (seat != NOBODY).then_some(seat as Seat)
}

impl Table {
    /// What the deal is at.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The seat to move; `None` when the deal is over.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> Option<Seat> {
        (self.phase != Phase::Over).then_some(self.turn as Seat)
    }

    /// The dealer.
    #[must_use]
    pub fn dealer(&self) -> Seat {
        self.dealer as Seat
    }

    /// To how many seats to the left this deal passes; 0 when it does not.
    #[must_use]
    pub fn pass_to(&self) -> usize {
        self.pass_to as usize
    }

    /// How many cards the seat in turn has still to pick for its pass.
    #[must_use]
    pub fn picks_left(&self) -> usize {
        self.picks_left as usize
    }

    /// The trick in progress.
    #[must_use]
    pub fn trick(&self) -> &Trick {
        &self.trick
    }

    /// How many tricks are finished.
    #[must_use]
    pub fn tricks(&self) -> usize {
        self.tricks as usize
    }

    /// How many of them were void.
    #[must_use]
    pub fn void_tricks(&self) -> usize {
        self.void_tricks as usize
    }

    /// Whether hearts were broken in a trick before the one in progress.
    #[must_use]
    pub fn hearts_broken(&self) -> bool {
        self.broken_in > 0
    }

    /// What lies in void tricks that nobody has taken.
    #[must_use]
    pub fn aside(&self) -> Tally {
        self.aside
    }

    /// What a seat has captured, the kitty not included.
    #[must_use]
    pub fn captured(&self, seat: Seat) -> Tally {
        self.captured[seat]
    }

    /// A seat's total before the deal.
    #[must_use]
    pub fn total(&self, seat: Seat) -> i32 {
        self.totals[seat]
    }

    /// The cards of which what a seat has done shows that it holds none, now and until the deal is over.
    #[must_use]
    pub fn cannot_hold(&self, seat: Seat) -> CardSet {
        self.cannot_hold[seat]
    }

    /// The seat that is known to hold a `2C`, since the first trick was its to lead.
    #[must_use]
    pub fn two_of_clubs_holder(&self) -> Option<Seat> {
        somebody(self.two_holder)
    }

    /// The winner of the last trick that was won.
    #[must_use]
    pub fn last_winner(&self) -> Option<Seat> {
        somebody(self.last_winner)
    }

    /// Who took the kitty.
    #[must_use]
    pub fn kitty_taker(&self) -> Option<Seat> {
        somebody(self.kitty_taker)
    }

    /// Who shot the moon.
    #[must_use]
    pub fn shooter(&self) -> Option<Seat> {
        somebody(self.shooter)
    }
}
