//! A position of a round, and how cards move in it.

use super::sources::{self, MOST_DOUBTS, Shown, Sources, Tags};
use super::{MOST, Public, WaysOut};
use crate::{Bag, Card, CardSet, Seat, Stock};

/// A position of a round.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct State {
    pub(super) public: Public,
    pub(super) hands: [Bag; MOST],
    pub(super) stock: Bag,
    /// Found once, at the draw.
    pub(super) ways_out: WaysOut,
    /// Which source each hidden card came from: only its holder knows.
    pub(super) tags: [Tags; MOST],
    /// Which source the card of each doubt came from: only who showed it knows.
    pub(super) doubt_sources: [u8; MOST_DOUBTS],
}

/// Where the first copy of a card stands, or would stand, in the order of a hand.
pub(super) fn place_in(hand: &Bag, card: Card) -> usize {
    hand.count_in(CardSet::from_bits((1 << card.index()) - 1))
}

impl State {
    /// What everybody knows.
    #[must_use]
    pub fn public(&self) -> &Public {
        &self.public
    }

    pub(super) fn new(public: Public) -> State {
        State {
            public,
            hands: [Bag::EMPTY; MOST],
            stock: Bag::EMPTY,
            ways_out: WaysOut::default(),
            tags: [Tags::default(); MOST],
            doubt_sources: [0; MOST_DOUBTS],
        }
    }

    /// A seat draws from the stock, or is dealt a card.
    pub(super) fn draw_hidden<S: Stock>(&mut self, seat: Seat, stock: &mut S) {
        let card = stock.draw(&self.stock);
        self.stock.remove(card);
        self.public.sources.draw(seat);
        self.gain_hidden(seat, card, self.public.sources.newest());
    }

    /// Puts a card into a hand, from a source no older than that of any copy there.
    pub(super) fn gain_hidden(&mut self, seat: Seat, card: Card, source: usize) {
        let hand = &mut self.hands[seat];
        if source > 0 || self.tags[seat] != Tags::default() {
            self.tags[seat].insert(place_in(hand, card) + hand.count(card), source);
        }
        hand.insert(card);
    }

    /// Puts a card that all see into a hand.
    pub(super) fn gain_known(&mut self, seat: Seat, card: Card) {
        if self.tags[seat] != Tags::default() {
            self.tags[seat].insert(place_in(&self.hands[seat], card), 0);
        }
        self.hands[seat].insert(card);
    }

    /// Takes a card that all see from a hand: one that the seat was known to hold, unless only others may go.
    pub(super) fn lose(&mut self, seat: Seat, card: Card, taken_may_go: bool) {
        let kept = usize::from(!taken_may_go && self.public.taken == Some(card));
        let place = place_in(&self.hands[seat], card);
        let known = self.public.known[seat].count(card);
        if known > kept {
            self.public.known[seat].remove(card);
            self.tags[seat].remove(place);
        } else {
            self.show(seat, card, self.tags[seat].get(place + known));
            self.tags[seat].remove(place + known);
        }
        self.hands[seat].remove(card);
        self.find_known();
    }

    /// Cards of an older source that all lie in one hand are known.
    fn find_known(&mut self) {
        while let Some((source, seat, cards)) = self.public.sources.take_known() {
            let hand = &self.hands[seat];
            for card in cards.iter() {
                let (first, known) = (place_in(hand, card), self.public.known[seat].count(card));
                let place = (first + known..).find(|&place| self.tags[seat].get(place) == source);
                self.tags[seat].remove(place.unwrap_or(first));
                self.tags[seat].insert(first, 0);
                self.public.known[seat].insert(card);
            }
        }
    }

    /// A hidden card of a source is shown; of several like it, the oldest.
    fn show(&mut self, seat: Seat, card: Card, source: usize) {
        match self.public.sources.show(seat, card) {
            Shown::Settled => (),
            Shown::Doubt(index) => self.doubt_sources[index] = source as u8,
            Shown::Forgotten => self.forget_sources(),
        }
    }

    fn forget_sources(&mut self) {
        self.tags = [Tags::default(); MOST];
        self.doubt_sources = [0; MOST_DOUBTS];
    }

    /// Shows a whole hand.
    pub(super) fn show_hand(&mut self, seat: Seat) {
        let hand = self.hands[seat];
        for card in hand.faces() {
            let place = place_in(&hand, card);
            for copy in self.public.known[seat].count(card)..hand.count(card) {
                self.show(seat, card, self.tags[seat].get(place + copy));
            }
        }
        self.public.known[seat] = hand;
        self.tags[seat] = Tags::default();
    }

    /// Makes the stock anew from all discards but the top one. Every card not seen lies in a hand then: two players
    /// know each other's.
    pub(super) fn rebuild_stock(&mut self, players: usize) {
        self.stock = self.public.gather_discards();
        if players == 2 {
            self.public.known = self.hands;
            self.public.sources = Sources::new(self.stock);
            self.forget_sources();
        } else if let Some(index) = self.public.sources.renew(self.stock) {
            for (tags, hand) in self.tags.iter_mut().zip(&self.hands) {
                *tags = tags.joined(hand.len(), index);
            }
            for source in &mut self.doubt_sources {
                *source = sources::joined(usize::from(*source), index) as u8;
            }
        }
        self.find_known();
    }

    /// The cards of a hand that only its holder knows, by source.
    pub(super) fn hidden_by_source(hand: &Bag, known: &Bag, tags: Tags) -> [Bag; sources::MOST_SOURCES] {
        let mut hidden = [Bag::EMPTY; sources::MOST_SOURCES];
        if tags == Tags::default() {
            hidden[0] = *hand;
            hidden[0].remove_all(known);
            return hidden;
        }
        for card in hand.faces() {
            let place = place_in(hand, card);
            for copy in known.count(card)..hand.count(card) {
                hidden[tags.get(place + copy)].insert(card);
            }
        }
        hidden
    }
}
