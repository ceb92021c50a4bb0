//! What one seat knows.

use super::sources::{MOST_DOUBTS, MOST_SOURCES, Tags};
use super::{Public, State, WaysOut};
use crate::{Bag, Seat};

/// What one seat knows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View {
    public: Public,
    seat: u8,
    hand: Bag,
    ways_out: WaysOut,
    tags: Tags,
    doubt_sources: [u8; MOST_DOUBTS],
}

impl View {
    pub(super) fn of(state: &State, seat: Seat, players: usize) -> View {
        let own_turn = state.public.turn(players) == Some(seat);
        let mut doubt_sources = [0; MOST_DOUBTS];
        for (index, doubt) in state.public.sources.doubts().enumerate() {
            if usize::from(doubt.seat) == seat {
                doubt_sources[index] = state.doubt_sources[index];
            }
        }
        View {
            public: state.public,
            seat: seat as u8,
            hand: state.hands[seat],
            ways_out: if own_turn { state.ways_out } else { WaysOut::default() },
            tags: state.tags[seat],
            doubt_sources,
        }
    }

    /// What everybody knows.
    #[must_use]
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// The seat whose knowledge this is.
    #[must_use]
    pub fn seat(&self) -> Seat {
        self.seat.into()
    }

    /// The seat's own hand.
    #[must_use]
    pub fn hand(&self) -> &Bag {
        &self.hand
    }

    /// The ways in which the seat can go out now.
    #[must_use]
    pub fn ways_out(&self) -> &WaysOut {
        &self.ways_out
    }

    /// The sources of the cards in hand.
    pub(super) fn tags(&self) -> Tags {
        self.tags
    }

    /// The source of the card of a doubt, which the seat knows if it is its own.
    pub(super) fn doubt_source(&self, index: usize) -> usize {
        usize::from(self.doubt_sources[index])
    }

    /// The cards that the seat has not seen, by source: what the other hands hold of it, and the stock.
    pub(super) fn unseen(&self) -> [Bag; MOST_SOURCES] {
        let own = State::hidden_by_source(&self.hand, &self.public.known[self.seat()], self.tags);
        let mut unseen = [Bag::EMPTY; MOST_SOURCES];
        for (index, source) in self.public.sources.list().iter().enumerate() {
            unseen[index] = source.cards;
            unseen[index].remove_all(&own[index]);
        }
        for (doubt, &source) in self.public.sources.doubts().zip(&self.doubt_sources) {
            if doubt.seat == self.seat {
                unseen[usize::from(source)].remove(doubt.card);
            }
        }
        unseen
    }

    /// The position as far as the seat knows it: its own hand, what the others are known to hold, no stock.
    pub(super) fn known_state(&self) -> State {
        let mut state = State::new(self.public);
        state.hands = self.public.known;
        state.hands[self.seat()] = self.hand;
        state.tags[self.seat()] = self.tags;
        state.ways_out = self.ways_out;
        state.doubt_sources = self.doubt_sources;
        state
    }
}
