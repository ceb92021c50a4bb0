//! What lies on the table: everything about a deal that every seat can see.
//!
//! A position is a [`Table`] and the hidden cards; a view is a `Table` and the few hidden cards that one seat knows. So
//! nothing can be public in one and secret in the other.

use crate::game::PerSeat;
use crate::{Card, CardBag, CardSet, Seat, Suit};

/// The cards of up to two packs.
pub type Cards = CardBag<2>;

/// All hearts.
pub(super) const HEARTS: CardSet = Suit::Hearts.cards();
/// `QS`.
pub(super) const QUEEN: Card = Card::new(crate::Rank::QUEEN, Suit::Spades);
/// The cards that count against their captor: hearts and `QS`.
pub(super) const POINT_CARDS: CardSet = CardSet::from_bits(HEARTS.bits() | CardSet::of(QUEEN).bits());
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

/// Cards captured, as far as they count.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Points of bonus cards.
    pub bonus: i32,
    /// Hearts.
    pub hearts: u8,
    /// Queens of spades.
    pub queens: u8,
    /// Tricks, the void ones among them included.
    pub tricks: u8,
}

impl Tally {
    /// Nothing.
    pub const NOTHING: Tally = Tally { bonus: 0, hearts: 0, queens: 0, tricks: 0 };

    /// The points: 1 a heart, 13 a queen of spades, and those of bonus cards.
    #[must_use]
    pub fn points(&self) -> i32 {
        self.moon_points() + self.bonus
    }

    /// The points of hearts and queens of spades.
    #[must_use]
    pub fn moon_points(&self) -> i32 {
        i32::from(self.hearts) + 13 * i32::from(self.queens)
    }

    #[inline]
    pub(super) fn add(&mut self, other: Tally) {
        self.bonus += other.bonus;
        self.hearts += other.hearts;
        self.queens += other.queens;
        self.tricks += other.tricks;
    }
}

/// The trick in progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trick {
    pub(super) cards: Cards,
    /// Card indices in the order of play, and zeros.
    pub(super) order: [u8; crate::MAX_PLAYERS],
    pub(super) leader: u8,
    pub(super) len: u8,
}

impl Trick {
    pub(super) const fn led_by(leader: u8) -> Trick {
        Trick { cards: Cards::EMPTY, order: [0; crate::MAX_PLAYERS], leader, len: 0 }
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
        self.order[..self.len()].iter().filter_map(|&index| Card::from_index(index as usize))
    }

    /// The suit led, if a card has been.
    #[must_use]
    pub fn suit(&self) -> Option<Suit> {
        self.order().next().map(Card::suit)
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
    pub(super) played: PerSeat<Cards>,
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

    /// The cards that a seat has played in this deal.
    #[must_use]
    pub fn played(&self, seat: Seat) -> Cards {
        self.played[seat]
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
