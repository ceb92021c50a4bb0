//! What one seat knows.

use super::table::{Cards, Phase, Table};
use super::{CancellationHearts, CancellationHeartsState};
use crate::game::PerSeat;
use crate::{MAX_PLAYERS, Seat};

/// All that one seat knows of a deal: the table, its hand, what it passed and was passed, and the kitty if it took it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CancellationHeartsView {
    pub(super) table: Table,
    pub(super) hand: Cards,
    pub(super) given: Cards,
    pub(super) received: Cards,
    pub(super) kitty: Cards,
    pub(super) played: PerSeat<Cards>,
    pub(super) seat: u8,
}

impl CancellationHeartsView {
    /// What every seat sees.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The seat whose knowledge this is.
    #[must_use]
    pub fn seat(&self) -> Seat {
        self.seat as Seat
    }

    /// The cards in hand, those picked for the pass no more among them.
    #[must_use]
    pub fn hand(&self) -> Cards {
        self.hand
    }

    /// The cards picked for the pass so far, or passed.
    #[must_use]
    pub fn given(&self) -> Cards {
        self.given
    }

    /// The cards that the seat was passed.
    #[must_use]
    pub fn received(&self) -> Cards {
        self.received
    }

    /// The cards that any seat has played in this deal.
    #[must_use]
    pub fn played(&self, seat: Seat) -> Cards {
        self.played[seat]
    }

    /// The kitty, if the seat took it; no card otherwise.
    #[must_use]
    pub fn kitty(&self) -> Cards {
        self.kitty
    }
}

impl CancellationHearts {
    #[inline]
    pub(super) fn seen_by(&self, state: &CancellationHeartsState, seat: Seat) -> CancellationHeartsView {
        let table = state.table;
        let mut played = [Cards::EMPTY; MAX_PLAYERS];
        for (seat, played) in played.iter_mut().enumerate().take(self.players as usize) {
            *played = state.played(seat);
        }
        let passed = table.pass_to > 0 && table.phase != Phase::Pass;
        let giver = self.seat_at(seat as u8, self.players - table.pass_to) as usize;
        CancellationHeartsView {
            table,
            hand: state.hands[seat],
            given: state.passed[seat],
            received: if passed { state.passed[giver] } else { Cards::EMPTY },
            kitty: if table.kitty_taker as Seat == seat { state.kitty } else { Cards::EMPTY },
            played,
            seat: seat as u8,
        }
    }

    /// The cards that the seat has not seen: those in the other hands, and in the kitty unless the seat took it.
    #[must_use]
    pub fn unseen(&self, view: &CancellationHeartsView) -> Cards {
        let mut unseen = self.cards;
        view.played.iter().take(self.players as usize).for_each(|played| unseen.remove_all(played));
        unseen.remove_all(&view.hand);
        unseen.remove_all(&view.kitty);
        if view.table.phase == Phase::Pass {
            unseen.remove_all(&view.given);
        }
        unseen
    }

    /// Of the cards that the seat passed, those that the receiver has not played. A card that it plays is taken to be
    /// the one it was passed, if it was passed its like.
    #[must_use]
    pub fn still_with_receiver(&self, view: &CancellationHeartsView) -> Cards {
        let mut held = Cards::EMPTY;
        if let Some(receiver) = self.receiver(view) {
            let played = &view.played[receiver];
            for card in view.given.faces() {
                for _ in played.count(card)..view.given.count(card) {
                    held.insert(card);
                }
            }
        }
        held
    }

    /// The seat that holds, or held, the cards that this one passed; `None` before they are handed over.
    #[must_use]
    pub fn receiver(&self, view: &CancellationHeartsView) -> Option<Seat> {
        let table = &view.table;
        let passed = table.pass_to > 0 && table.phase != Phase::Pass;
        passed.then(|| self.seat_at(view.seat, table.pass_to) as Seat)
    }

    /// Whose card wins the trick in progress if nobody plays to it any more.
    #[inline]
    #[must_use]
    pub fn winning(&self, table: &Table) -> Option<Seat> {
        self.winner(&table.trick).map(Seat::from)
    }

    /// How many cards a seat holds.
    #[must_use]
    pub fn cards_held(&self, table: &Table, seat: Seat) -> usize {
        let played = match table.phase {
            Phase::Pass => self.picks_made(table, seat as u8),
            Phase::Play => table.tricks() + usize::from(self.has_played(table, seat)),
            Phase::Moon | Phase::Over => table.tricks(),
        };
        self.hand as usize - played
    }

    /// Whether the seat has played to the trick in progress.
    #[must_use]
    pub fn has_played(&self, table: &Table, seat: Seat) -> bool {
        let players = self.players as usize;
        table.phase == Phase::Play && (seat + players - table.trick.leader()) % players < table.trick.len()
    }
}
