//! The deals that fit what a seat knows.
//!
//! A card played face up is one physical card that all have seen. Every way to place the physical cards not seen is
//! equally likely: so of two copies of a face, each is anywhere that is hidden with the same chance, whatever happened
//! to the other. A card taken from the discards is known to be in that hand until its like is discarded, and is the
//! one that goes then.

use super::play::WayFinder;
use super::{MOST, Phase, State, ThreeThirteen, View};
use crate::{Bag, Dice, Seat, Worlds};

/// Samples the positions that fit a view.
#[derive(Clone, Debug)]
pub struct ThreeThirteenWorlds {
    /// The position as far as it is known: own hand, known cards of the others, an empty stock.
    known: State,
    /// Cards of which only a holder, if any, knows where they are.
    unseen: Bag,
    /// How many of them each other hand holds.
    hidden: [u8; MOST],
    /// The seat to move, if it has ways out to be found: another than the one whose knowledge this is.
    to_move: Option<(Seat, WayFinder)>,
}

impl ThreeThirteen {
    pub(super) fn prepare_worlds(&self, view: &View) -> ThreeThirteenWorlds {
        let (public, own) = (view.public(), view.seat());
        let players = self.rules.players;
        let sizes = public.hand_sizes(players);
        let mut hands = public.known;
        hands[own] = *view.hand();
        let hidden = std::array::from_fn(|seat| (sizes[seat] - hands[seat].len()) as u8);
        let unseen = public.unseen_by(own, view.hand(), self.decks());
        let finds = |seat: &Seat| *seat != own && matches!(public.phase, Phase::Discard | Phase::GoOut);
        let to_move = public.turn(players).filter(finds).map(|seat| (seat, self.way_finder(public).clone()));
        let known = State { public: *public, hands, stock: Bag::EMPTY, ways_out: *view.ways_out() };
        ThreeThirteenWorlds { known, unseen, hidden, to_move }
    }
}

impl Worlds<State> for ThreeThirteenWorlds {
    fn sample<D: Dice>(&mut self, dice: &mut D) -> State {
        let mut state = self.known;
        state.stock = self.unseen;
        for (hand, hidden) in state.hands.iter_mut().zip(self.hidden) {
            for _ in 0..hidden {
                let card = state.stock.take(dice).expect("as many cards as places");
                hand.insert(card);
            }
        }
        if let Some((seat, finder)) = &self.to_move {
            state.ways_out = finder.find(&state.public, &state.hands[*seat]);
        }
        state
    }
}
