//! What everybody knows of the cards that nobody but their holder has seen.
//!
//! A stock made anew holds cards that all have seen, so from then on it matters where a hidden card came from. A
//! [`Source`] is one stock (the first one with the hands dealt beside it): its cards that have not been seen since, and
//! how many of them each seat holds. What is left is in the stock, if that is still the one, and nowhere otherwise.
//!
//! Cards of an older source that all lie in one hand are known to be there.
//!
//! A card that a seat shows, by discarding it or laying its hand down, leaves its source, and mostly all can tell
//! which one: only one has such a card. With several packs two can have one; then the card shown is a [`Doubt`], and so
//! is every hidden card shown after it, since what it tells depends on the doubts before it. A doubt stays in its source
//! and among the seat's cards; whoever samples deals settles the doubts first.
//!
//! Room is limited, and so is the time to settle doubts. If a ninth stock comes, two older ones become one; at a
//! seventeenth doubt all sources become one. Knowledge is lost there, and nothing wrong is ever believed.

use super::MOST;
use crate::{Bag, Card, Rank, Seat, Suit};

/// The most sources that are told apart.
pub(super) const MOST_SOURCES: usize = 8;
/// The most doubts that are kept.
pub(super) const MOST_DOUBTS: usize = 16;

/// A stock, by what is still hidden of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// The cards not seen since they were in it, doubts included.
    pub cards: Bag,
    /// How many of them each seat holds, doubts included.
    pub held: [u8; MOST],
}

/// A card shown that may have come from several sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Doubt {
    /// Who showed it.
    pub seat: u8,
    /// The card.
    pub card: Card,
    /// How many hidden cards the seat held, this one included.
    pub hidden: u8,
    /// The newest source there was.
    pub newest: u8,
}

/// What became of a card that was shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shown {
    /// All know where it came from.
    Settled,
    /// It is the doubt of that index.
    Doubt(usize),
    /// There was no room for one doubt more: all sources are one now.
    Forgotten,
}

/// The sources, oldest first, and the doubts in the order in which they came up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sources {
    list: [Source; MOST_SOURCES],
    len: u8,
    /// Those past the number of doubts are [`Doubt::NONE`].
    doubts: [Doubt; MOST_DOUBTS],
    doubt_count: u8,
}

impl Doubt {
    const NONE: Doubt = Doubt { seat: 0, card: Card::new(Rank::TWO, Suit::Clubs), hidden: 0, newest: 0 };
}

impl Source {
    const EMPTY: Source = Source { cards: Bag::EMPTY, held: [0; MOST] };

    fn add(&mut self, other: &Source) {
        self.cards.insert_all(&other.cards);
        for (held, more) in self.held.iter_mut().zip(other.held) {
            *held += more;
        }
    }

    fn lose(&mut self, seat: Seat, card: Card) {
        self.cards.remove(card);
        self.held[seat] -= 1;
    }
}

impl Sources {
    /// One source of these cards, none of them in a hand.
    pub(super) fn new(cards: Bag) -> Sources {
        let mut list = [Source::EMPTY; MOST_SOURCES];
        list[0].cards = cards;
        Sources { list, len: 1, doubts: [Doubt::NONE; MOST_DOUBTS], doubt_count: 0 }
    }

    /// The sources, oldest first; the last is the present stock.
    #[must_use]
    pub fn list(&self) -> &[Source] {
        &self.list[..usize::from(self.len)]
    }

    /// The index of the present stock.
    pub(super) fn newest(&self) -> usize {
        usize::from(self.len) - 1
    }

    /// The doubts, in the order in which they came up.
    pub fn doubts(&self) -> impl Iterator<Item = Doubt> + Clone + '_ {
        self.doubts[..usize::from(self.doubt_count)].iter().copied()
    }

    /// How many hidden cards a seat holds.
    #[must_use]
    pub fn hidden(&self, seat: Seat) -> usize {
        let held: usize = self.list().iter().map(|source| usize::from(source.held[seat])).sum();
        held - self.doubts().filter(|doubt| usize::from(doubt.seat) == seat).count()
    }

    /// A seat draws from the stock, or is dealt a card.
    pub(super) fn draw(&mut self, seat: Seat) {
        self.list[self.newest()].held[seat] += 1;
    }

    /// The upcard is turned up: a card of the pack that all have seen.
    pub(super) fn turn_up(&mut self, card: Card) {
        self.list[0].cards.remove(card);
    }

    /// A seat shows a card that it was not known to hold.
    pub(super) fn show(&mut self, seat: Seat, card: Card) -> Shown {
        if self.doubt_count == 0 {
            let mut able = self.list[..usize::from(self.len)]
                .iter_mut()
                .filter(|source| source.held[seat] > 0 && source.cards.has(card));
            if let (Some(source), None) = (able.next(), able.next()) {
                source.lose(seat, card);
                return Shown::Settled;
            }
        }
        let index = usize::from(self.doubt_count);
        if index == MOST_DOUBTS {
            self.forget();
            self.list[0].lose(seat, card);
            return Shown::Forgotten;
        }
        let (hidden, newest) = (self.hidden(seat) as u8, self.len - 1);
        self.doubts[index] = Doubt { seat: seat as u8, card, hidden, newest };
        self.doubt_count += 1;
        Shown::Doubt(index)
    }

    /// Takes out an older source all of whose cards one seat holds, so that all others know them.
    pub(super) fn take_known(&mut self) -> Option<(usize, Seat, Bag)> {
        let older = if self.doubt_count == 0 { self.newest() } else { 0 };
        for (index, source) in self.list[..older].iter_mut().enumerate() {
            let mut holders = (0..MOST).filter(|&seat| source.held[seat] > 0);
            if let (Some(seat), None) = (holders.next(), holders.next()) {
                let cards = source.cards;
                *source = Source::EMPTY;
                return Some((index, seat, cards));
            }
        }
        None
    }

    /// Makes all sources one, without doubts.
    fn forget(&mut self) {
        let mut one = Source::EMPTY;
        self.list().iter().for_each(|source| one.add(source));
        self.doubts().for_each(|doubt| one.lose(usize::from(doubt.seat), doubt.card));
        *self = Sources::new(one.cards);
        self.list[0].held = one.held;
    }

    /// A new stock is there. If that makes two older sources one, these are the one returned and the next.
    pub(super) fn renew(&mut self, stock: Bag) -> Option<usize> {
        let full = usize::from(self.len) == MOST_SOURCES;
        let joined = full.then(|| {
            let empty = |pair: &[Source]| pair.iter().any(|source| source.cards.is_empty());
            self.list.windows(2).position(empty).unwrap_or(0)
        });
        if let Some(index) = joined {
            self.join(index);
        }
        self.list[usize::from(self.len)] = Source { cards: stock, held: [0; MOST] };
        self.len += 1;
        joined
    }

    /// Makes a source and the next one.
    fn join(&mut self, index: usize) {
        let next = self.list[index + 1];
        self.list[index].add(&next);
        self.list.copy_within(index + 2.., index + 1);
        self.len -= 1;
        self.list[usize::from(self.len)] = Source::EMPTY;
        for doubt in &mut self.doubts {
            doubt.newest = joined(doubt.newest.into(), index) as u8;
        }
    }
}

/// The index of a source after the ones at `index` and `index + 1` have become one.
pub(super) fn joined(source: usize, index: usize) -> usize {
    source - usize::from(source > index)
}

/// The source of each card of a hand, in the order of the hand: by face, of equal cards the known ones first (their
/// source does not matter and is 0), then the older.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Tags(u64);

impl Tags {
    /// Bits a card.
    const BITS: usize = 3;

    fn shift(place: usize) -> u32 {
        (place * Self::BITS) as u32
    }

    pub(super) fn get(self, place: usize) -> usize {
        (self.0 >> Self::shift(place)) as usize & (MOST_SOURCES - 1)
    }

    pub(super) fn insert(&mut self, place: usize, source: usize) {
        let below = (1 << Self::shift(place)) - 1;
        let above = (self.0 & !below) << Self::BITS;
        self.0 = self.0 & below | above | (source as u64) << Self::shift(place);
    }

    pub(super) fn remove(&mut self, place: usize) {
        let below = (1 << Self::shift(place)) - 1;
        self.0 = self.0 & below | (self.0 >> Self::BITS) & !below;
    }

    /// The tags of a hand of `size` cards after two sources became one.
    pub(super) fn joined(self, size: usize, index: usize) -> Tags {
        let mut tags = Tags::default();
        for place in 0..size {
            tags.insert(place, joined(self.get(place), index));
        }
        tags
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Dice, Game, Move, Moves, QuickDice, Rules, ThreeThirteen, ThreeThirteenRules, Unordered, Worlds,
    };

    #[test]
    fn tags_are_a_list() {
        let mut dice = QuickDice::new(1, 5);
        let (mut tags, mut list) = (Tags::default(), Vec::new());
        for _ in 0..2_000 {
            if list.len() < 14 && dice.below(2) == 0 {
                let (place, source) = (dice.below(list.len() as u32 + 1) as usize, dice.below(8) as usize);
                tags.insert(place, source);
                list.insert(place, source);
            } else if !list.is_empty() {
                let place = dice.below(list.len() as u32) as usize;
                tags.remove(place);
                list.remove(place);
            }
            assert!((0..14).all(|place| tags.get(place) == list.get(place).copied().unwrap_or(0)));
        }
    }

    /// Plays a round of any moves but going out, drawing from the stock where possible, and checks what is known.
    /// How often all sources became one, and two of them.
    fn forget_and_join(changes: &str, seed: u64) -> (u32, u32) {
        let rules = ThreeThirteenRules::default().with(&serde_json::from_str(changes).unwrap()).unwrap();
        let game = ThreeThirteen::new(rules).unwrap();
        let mut dice = QuickDice::new(2, seed);
        let mut state = game.deal(&game.start(0), &mut Unordered(&mut dice));
        let (mut forgotten, mut joined) = (0, 0);
        while game.turn(&state).is_some() {
            let legal = game.legal_moves(&state);
            let stock = Moves::of(Move::word(0)) & legal;
            let cards = Moves::from(legal.cards());
            let among = [stock, cards, legal].into_iter().find(|moves| !moves.is_empty()).unwrap();
            let mv = among.nth(dice.below(among.len() as u32) as usize).unwrap();
            let (before, renews) = (state.public.sources, game.rebuilds_stock(&state, mv));
            game.play_unchecked(&mut state, mv, &mut Unordered(&mut dice));
            forgotten += u32::from(state.public.sources.doubt_count < before.doubt_count);
            joined += u32::from(renews && usize::from(before.len) == MOST_SOURCES);
            game.audit(&state).unwrap();
            if dice.below(20) == 0 {
                let seat = dice.below(game.players() as u32) as usize;
                let view = game.view(&state, seat);
                let world = game.worlds(&view).sample(&mut dice);
                game.audit(&world).unwrap();
                assert!(game.view(&world, seat) == view);
            }
        }
        (forgotten, joined)
    }

    #[test]
    fn with_more_doubts_than_there_is_room_for_all_sources_become_one() {
        let changes = r#"{"players": 8, "rounds": [13], "max_turns_per_round": 30}"#;
        let forgotten: u32 = (0..3).map(|seed| forget_and_join(changes, seed).0).sum();
        assert!(forgotten > 0, "{forgotten}");
    }

    #[test]
    fn with_more_stocks_than_there_is_room_for_two_sources_become_one() {
        let changes = r#"{"players": 4, "decks": 1, "rounds": [12], "max_turns_per_round": 30}"#;
        let joined: u32 = (0..5).map(|seed| forget_and_join(changes, seed).1).sum();
        assert!(joined > 3, "{joined}");
    }
}
