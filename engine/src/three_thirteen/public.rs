//! What everybody knows of a round.

use super::sources::Sources;
use super::{MOST, Phase};
use crate::{Bag, Card, Seat, Standing};

/// What everybody knows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Public {
    /// Totals before the round.
    pub totals: [i32; MOST],
    /// The dealer; the player to its left had the first turn.
    pub dealer: u8,
    /// Cards dealt to a hand.
    pub hand_size: u8,
    /// What the player to move must do next.
    pub phase: Phase,
    /// The seats that are out, one bit each.
    pub out: u8,
    /// Turns ended so far, of all players.
    pub turns: u32,
    /// How many turns had ended when the first player went out.
    pub first_out: Option<u32>,
    /// How often the stock was made anew.
    pub rebuilds: u32,
    /// How many cards are in the stock.
    pub stock_size: u16,
    /// The card that the player to move has taken from the discards.
    pub taken: Option<Card>,
    /// All the discards, the top one included.
    pub discards: Bag,
    /// Cards that all others know each hand to hold: taken from the discards and kept, laid down in going out, or
    /// inferred, when all that is hidden of an older stock lies in that hand.
    pub known: [Bag; MOST],
    /// The cards that nobody but their holder has seen, by the stock they came from.
    pub sources: Sources,
    /// The last discards, one a byte (index + 1), the top one lowest. No more than eight are ever taken off without
    /// another laid on: each player can go out without a discard once.
    pile: u64,
}

impl Public {
    /// What is known before any card is turned up.
    pub(super) fn new(standing: &Standing, hand_size: u8, pack: Bag) -> Public {
        let mut totals = [0; MOST];
        totals.copy_from_slice(&standing.totals[..MOST]);
        Public {
            totals,
            dealer: standing.dealer as u8,
            hand_size,
            phase: Phase::Draw,
            out: 0,
            turns: 0,
            first_out: None,
            rebuilds: 0,
            stock_size: 0,
            taken: None,
            discards: Bag::EMPTY,
            known: [Bag::EMPTY; MOST],
            sources: Sources::new(pack),
            pile: 0,
        }
    }

    /// The card on top of the discards.
    #[must_use]
    pub fn top(&self) -> Option<Card> {
        Card::from_index(((self.pile & 0xff) as usize).wrapping_sub(1))
    }

    /// The last discards, the top one first: as many as can matter, which are eight at most.
    pub fn pile(&self) -> impl Iterator<Item = Card> + '_ {
        (0..u64::BITS / 8)
            .map_while(|place| Card::from_index((self.pile >> (8 * place) & 0xff).wrapping_sub(1) as usize))
    }

    /// Whose turn it is.
    pub(super) fn turn(&self, players: usize) -> Option<Seat> {
        let seat = (self.dealer as usize + 1 + self.turns as usize) % players;
        (self.phase != Phase::Over).then_some(seat)
    }

    /// Whether the player to move has drawn.
    fn has_drawn(&self) -> bool {
        matches!(self.phase, Phase::Discard | Phase::GoOut)
    }

    /// How many cards each of the players holds.
    #[must_use]
    pub fn hand_sizes(&self, players: usize) -> [usize; MOST] {
        let mut sizes = [0; MOST];
        for (seat, size) in sizes.iter_mut().enumerate().take(players) {
            // Who went out without a discard holds one card more.
            let laid_down = if self.out >> seat & 1 != 0 { self.known[seat].len() } else { 0 };
            *size = laid_down.max(self.hand_size.into());
        }
        if let Some(seat) = self.turn(players).filter(|_| self.has_drawn()) {
            sizes[seat] += 1;
        }
        sizes
    }

    pub(super) fn lay_on_discards(&mut self, card: Card) {
        self.discards.insert(card);
        self.pile = self.pile << 8 | (card.index() as u64 + 1);
    }

    /// The player to move takes the top discard.
    pub(super) fn take_discard(&mut self, seat: Seat) -> Option<Card> {
        let card = self.top()?;
        self.discards.remove(card);
        self.pile >>= 8;
        self.known[seat].insert(card);
        self.taken = Some(card);
        Some(card)
    }

    /// Takes up all discards but the top one, for a new stock.
    pub(super) fn gather_discards(&mut self) -> Bag {
        let mut stock = self.discards;
        self.discards = Bag::EMPTY;
        self.pile &= 0xff;
        if let Some(top) = self.top() {
            stock.remove(top);
            self.discards.insert(top);
        }
        self.stock_size = stock.len() as u16;
        self.rebuilds += 1;
        stock
    }

    pub(super) fn describe(&self) -> String {
        let top = self.top().map_or_else(|| "none".to_owned(), |card| card.to_string());
        format!("top discard {top}, {} in the stock", self.stock_size)
    }
}
