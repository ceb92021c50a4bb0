//! The deals that fit what a seat knows.
//!
//! A card played face up is one physical card that all have seen. Equally likely are all pairs of a way to place the
//! physical cards (in the hands dealt, and in the order of each stock) and a choice which physical card each discard
//! was. So of the unseen copies of a face each is anywhere that is hidden with the same chance, whatever happened to
//! the others. A card taken from the discards is known to be in that hand until its like is discarded, and is the one
//! that goes then; a hand laid down is known. Why anybody chose a move is not asked.
//!
//! With that, the cards of a [`Source`](super::Source) that a seat has not seen lie anyhow in the places that are
//! hidden. Doubts are settled before: by each, the weight of the source `p` is the number of ways to choose one of the
//! seat's `e` hidden places of that source and one of its `c` unseen copies of the card, out of `n` unseen cards for
//! the place: `e · c / n`. The weight of settling all is the product, each factor depending on the doubts settled
//! before. It is met by rejection: any place of the seat, then the card for it, and all anew where another card came.
//! Places and cards that cannot be right whatever came before are left out of both choices. With a few doubts that
//! succeeds within a few attempts; at the most there can be it takes some hundred.

use super::play::WayFinder;
use super::sources::{Doubt, MOST_DOUBTS, MOST_SOURCES};
use super::{MOST, Phase, State, ThreeThirteen, View};
use crate::{Bag, Dice, Seat, Worlds};

/// Samples the positions that fit a view.
#[derive(Clone, Debug)]
pub struct ThreeThirteenWorlds {
    /// The position as far as it is known.
    known: State,
    hidden: Hidden,
    own: Seat,
    sources: usize,
    /// How the choices at each doubt are narrowed.
    bounds: [Bound; MOST_DOUBTS],
    /// The seat to move, if its ways out are to be found: another than the one whose knowledge this is.
    to_move: Option<(Seat, WayFinder)>,
}

/// What is hidden, by source: cards, and how many of them each other seat holds.
#[derive(Clone, Copy, Debug)]
struct Hidden {
    cards: [Bag; MOST_SOURCES],
    held: [[u8; MOST]; MOST_SOURCES],
}

/// What holds at a doubt however those before it were settled.
#[derive(Clone, Copy, Default, Debug)]
struct Bound {
    /// At most so many of the seat's places are of a source with the card.
    places: u32,
    /// At most this part of any source's unseen cards are copies of the card: numerator and denominator.
    share: (u32, u32),
}

impl ThreeThirteen {
    pub(super) fn prepare_worlds(&self, view: &View) -> ThreeThirteenWorlds {
        let (public, own) = (view.public(), view.seat());
        let list = public.sources.list();
        let mut held = [[0; MOST]; MOST_SOURCES];
        for (held, source) in held.iter_mut().zip(list) {
            *held = source.held;
            held[own] = 0;
        }
        let hidden = Hidden { cards: view.unseen(), held };
        let mut bounds = [Bound::default(); MOST_DOUBTS];
        for (index, doubt) in public.sources.doubts().enumerate() {
            if usize::from(doubt.seat) != own {
                let before =
                    public.sources.doubts().take(index).filter(|doubt| usize::from(doubt.seat) != own);
                bounds[index] = hidden.bound(&doubt, before);
            }
        }
        let finds = |seat: &Seat| *seat != own && matches!(public.phase, Phase::Discard | Phase::GoOut);
        let to_move = public.turn(self.rules.players).filter(finds);
        let to_move = to_move.map(|seat| (seat, self.way_finder(public).clone()));
        ThreeThirteenWorlds { known: view.known_state(), hidden, own, sources: list.len(), bounds, to_move }
    }
}

impl Hidden {
    /// How the choices at a doubt are narrowed, given those of other seats before it.
    fn bound(&self, doubt: &Doubt, before: impl Iterator<Item = Doubt> + Clone) -> Bound {
        let mut places = u32::from(doubt.hidden);
        let mut share = (0, 1);
        for source in 0..=usize::from(doubt.newest) {
            let cards = &self.cards[source];
            let could_be = before.clone().filter(|other| cards.has(other.card));
            if cards.has(doubt.card) {
                let (copies, left) = (cards.count(doubt.card), cards.len());
                // The copies before left fewer cards, of which these may be as many.
                let left = left.saturating_sub(could_be.count()).max(copies);
                let higher = (copies as u32, left as u32);
                share = if higher.0 * share.1 > share.0 * higher.1 { higher } else { share };
            } else if source < usize::from(doubt.newest) {
                let gone = could_be.filter(|other| other.seat == doubt.seat).count() as u8;
                places -= u32::from(self.held[source][usize::from(doubt.seat)].saturating_sub(gone));
            }
        }
        Bound { places, share }
    }

    /// Settles a doubt, or finds that what was settled before it does not bear it out.
    fn settle<D: Dice>(&mut self, doubt: &Doubt, bound: &Bound, dice: &mut D) -> Option<usize> {
        let (seat, newest) = (usize::from(doubt.seat), usize::from(doubt.newest));
        let older: u8 = self.held[..newest].iter().map(|held| held[seat]).sum();
        let mut place = dice.below(bound.places);
        let source = (0..=newest).find(|&source| {
            let all = if source < newest { self.held[source][seat] } else { doubt.hidden - older };
            let all = if self.cards[source].has(doubt.card) { u32::from(all) } else { 0 };
            let here = place < all;
            place = place.wrapping_sub(all);
            here
        })?;
        let (copies, left) = (self.cards[source].count(doubt.card) as u32, self.cards[source].len() as u32);
        if dice.below(left * bound.share.0) >= copies * bound.share.1 {
            return None;
        }
        self.cards[source].remove(doubt.card);
        self.held[source][seat] -= 1;
        Some(source)
    }
}

impl ThreeThirteenWorlds {
    /// What is hidden after all doubts of other seats are settled, and how.
    fn settle_doubts<D: Dice>(&self, dice: &mut D) -> (Hidden, [u8; MOST_DOUBTS]) {
        let doubts = || self.known.public.sources.doubts().zip(&self.bounds).enumerate();
        'anew: loop {
            let (mut hidden, mut sources) = (self.hidden, self.known.doubt_sources);
            for (index, (doubt, bound)) in doubts() {
                if usize::from(doubt.seat) == self.own {
                    continue;
                }
                match hidden.settle(&doubt, bound, dice) {
                    Some(source) => sources[index] = source as u8,
                    None => continue 'anew,
                }
            }
            return (hidden, sources);
        }
    }
}

impl Worlds<State> for ThreeThirteenWorlds {
    fn sample<D: Dice>(&mut self, dice: &mut D) -> State {
        let mut state = self.known;
        let (mut hidden, doubt_sources) = self.settle_doubts(dice);
        state.doubt_sources = doubt_sources;
        for source in 0..self.sources {
            for seat in 0..MOST {
                for _ in 0..hidden.held[source][seat] {
                    let card = hidden.cards[source].take(dice).expect("a card for every place");
                    state.gain_hidden(seat, card, source);
                }
            }
        }
        state.stock = hidden.cards[self.sources - 1];
        if let Some((seat, finder)) = &self.to_move {
            state.ways_out = finder.find(&state.public, &state.hands[*seat]);
        }
        state
    }
}
