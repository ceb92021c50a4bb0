//! Positions, and what is public in them.

use crate::{Card, CardSet, Seat};

/// [`Table::led`] while the leader chooses: any card follows nothing.
pub(super) const NOTHING: u8 = 53;
/// [`Table::led`] while whoever led the ace of spades has not said what it is.
pub(super) const UNDECLARED: u8 = 54;
/// [`Table::led`] of the ace of spades declared a spade; declared trump it is the card's own index.
pub(super) const ACE_AS_SPADE: u8 = 52;
/// [`Table::mover`] when the deal is over.
pub(super) const NOBODY: u8 = 2;

/// What the leader of the ace of spades said it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// Hearts are asked for.
    Trump,
    /// Spades are asked for.
    Spade,
}

/// All that both seats see of a deal.
///
/// Cards are kept in the order in which they were played: with the seat that led first, everything that has happened
/// follows from them by the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table {
    /// Totals before the deal.
    pub(super) totals: [i32; 2],
    /// Points captured in the deal.
    pub(super) scores: [i32; 2],
    /// The cards played, in order; past `plays` there is filling.
    pub(super) played: [Card; 52],
    /// How many cards have been played.
    pub(super) plays: u8,
    /// The line of the game's table of leads that a card played now is measured by.
    pub(super) led: u8,
    /// The seat to move, or [`NOBODY`].
    pub(super) mover: u8,
    /// The seat that led to the first trick.
    pub(super) first: u8,
    /// The tricks that the reply won: bit n for the trick after n others.
    pub(super) won: u32,
    /// The tricks to which the reply did not follow.
    pub(super) strayed: u32,
    /// The tricks to which the reply was a trump.
    pub(super) trumped: u32,
    /// What the ace of spades was declared when it was led.
    pub(super) declaration: Option<Declaration>,
}

/// A trick, complete or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trick {
    /// Its number in the deal, 1 up.
    pub number: usize,
    /// Who led.
    pub leader: Seat,
    /// The card led.
    pub lead: Card,
    /// The card played to it.
    pub reply: Option<Card>,
    /// The line of the table of leads.
    pub(super) led: u8,
}

impl Trick {
    /// The card that a seat has played to it.
    #[must_use]
    pub fn card_of(&self, seat: Seat) -> Option<Card> {
        if seat == self.leader { Some(self.lead) } else { self.reply }
    }
}

impl Table {
    pub(super) fn new(totals: [i32; 2], first: Seat) -> Table {
        Table {
            totals,
            scores: [0; 2],
            played: [super::SPADE_ACE; 52],
            plays: 0,
            led: NOTHING,
            mover: first as u8,
            first: first as u8,
            won: 0,
            strayed: 0,
            trumped: 0,
            declaration: None,
        }
    }

    /// The cards played so far, in order.
    #[must_use]
    pub fn played(&self) -> &[Card] {
        &self.played[..self.plays as usize]
    }

    /// The card led to the trick that is going on.
    #[must_use]
    pub fn lead(&self) -> Option<Card> {
        if self.plays % 2 == 1 { self.played().last().copied() } else { None }
    }

    /// What the ace of spades was declared, once it has been led.
    #[must_use]
    pub fn declaration(&self) -> Option<Declaration> {
        self.declaration
    }

    /// The seat to move; `None` when the deal is over.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> Option<Seat> {
        (self.mover != NOBODY).then_some(Seat::from(self.mover))
    }

    /// Whether the ace of spades has been led to the trick that is going on and is still to be declared.
    #[must_use]
    pub fn is_undeclared(&self) -> bool {
        self.led == UNDECLARED
    }

    /// Both seats' totals before the deal.
    #[must_use]
    pub fn totals(&self) -> [i32; 2] {
        self.totals
    }

    /// Both seats' points captured in the deal so far.
    #[must_use]
    pub fn scores(&self) -> [i32; 2] {
        self.scores
    }

    /// Who led to the trick after `tricks` others.
    fn leader(&self, tricks: usize) -> Seat {
        // The lead changes hands whenever the reply wins.
        let changes = self.won & ((1 << tricks) - 1);
        Seat::from(self.first) ^ (changes.count_ones() & 1) as Seat
    }

    /// The trick after `tricks` others.
    #[inline]
    fn trick(&self, tricks: usize) -> Trick {
        let (lead, reply) = (self.played[2 * tricks], self.played().get(2 * tricks + 1).copied());
        Trick { number: tricks + 1, leader: self.leader(tricks), lead, reply, led: self.line_of(lead) }
    }

    /// The tricks so far, the one that is going on included.
    #[inline]
    pub fn tricks(&self) -> impl DoubleEndedIterator<Item = Trick> + '_ {
        (0..usize::from(self.plays.div_ceil(2))).map(|tricks| self.trick(tricks))
    }

    /// The cards that a seat has played.
    pub(super) fn played_by(&self, seat: Seat) -> CardSet {
        self.tricks().filter_map(|trick| trick.card_of(seat)).collect()
    }

    /// The line of the table of leads for a card that was led.
    #[inline]
    pub(super) fn line_of(&self, lead: Card) -> u8 {
        match self.declaration {
            _ if lead != super::SPADE_ACE => lead.index() as u8,
            Some(Declaration::Trump) => lead.index() as u8,
            Some(Declaration::Spade) => ACE_AS_SPADE,
            None => UNDECLARED,
        }
    }
}

/// A position of a deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) hands: [CardSet; 2],
    pub(super) stock: CardSet,
    pub(super) table: Table,
}

impl State {
    /// What is public.
    #[inline]
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Both hands, by seat.
    #[inline]
    #[must_use]
    pub fn hands(&self) -> [CardSet; 2] {
        self.hands
    }
}

/// What one seat knows of a position.
///
/// When it drew which of its own cards is left out: nothing about the other cards follows from that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    pub(super) seat: u8,
    pub(super) hand: CardSet,
    pub(super) unseen: CardSet,
    pub(super) table: Table,
}

impl View {
    /// The cards in hand.
    #[must_use]
    pub fn hand(&self) -> CardSet {
        self.hand
    }

    /// The cards that the seat has not seen: the other hand and the stock.
    #[must_use]
    pub fn unseen(&self) -> CardSet {
        self.unseen
    }

    /// What is public.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }
}
