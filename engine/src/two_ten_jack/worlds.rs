//! Sampling the deals that fit a view.
//!
//! What is hidden is which of the unseen cards the other seat holds. Every order of the pack is equally likely, so a
//! hand weighs as much as there are ways in which the other seat can have been dealt and have drawn it *together with
//! the cards it has played*, each of them in time. A reply that does not follow denies its player some classes of cards
//! at that moment: a card of a denied class that is held now was drawn later. When the watching seat drew its own
//! cards tells nothing about that. The ways are counted exactly, so the sampling is exactly uniform.
//!
//! What is not inferred is why a card was chosen among the legal ones, and why the ace of spades was declared what it
//! was.

use crate::{CardSet, Dice};

use super::TwoTenJack;
use super::position::{State, View};
use super::ways::{PERIODS, Ways};

/// Draws the other hand.
#[derive(Clone, Debug)]
pub struct Worlds {
    /// The position with everything unseen in the stock.
    base: State,
    /// The other seat.
    other: usize,
    /// The ways to the other hand, summed up.
    ways: Ways,
    /// What the places of each period may hold.
    allowed: [CardSet; PERIODS],
}

impl Worlds {
    /// That fit the view, or all but the voids shown.
    #[inline]
    pub(super) fn new(game: &TwoTenJack, view: &View, with_voids: bool) -> Worlds {
        let seat = usize::from(view.seat & 1);
        let mut base = State { hands: [CardSet::EMPTY; 2], stock: view.unseen, table: view.table };
        base.hands[seat] = view.hand;
        let other = 1 - seat;
        let is_known = game.stock_size(&view.table) == 0;
        let hand_size = if is_known { view.unseen.len() } else { game.rules.hand_size };
        // A large table: it is filled where it stays.
        let ways = Ways::new(hand_size, view.unseen | view.table.played_by(other));
        let mut worlds = Worlds { base, other, ways, allowed: [CardSet::EMPTY; PERIODS] };
        if !is_known {
            worlds.ways.follow(game, &view.table, other, with_voids);
        }
        worlds.allowed = worlds.ways.sum_up(view.unseen);
        worlds
    }
}

impl crate::Worlds<State> for Worlds {
    fn sample<D: Dice>(&mut self, dice: &mut D) -> State {
        let places = self.ways.draw_places(dice);
        let mut state = self.base;
        for (&allowed, count) in self.allowed.iter().zip(places) {
            for _ in 0..count {
                let left = allowed & state.stock;
                let card =
                    left.nth(dice.below(left.len() as u32) as usize).map_or(CardSet::EMPTY, CardSet::of);
                state.stock -= card;
                state.hands[self.other] |= card;
            }
        }
        state
    }
}
