//! The general solver: branch and bound over the melds of one card after another.
//!
//! A natural card is in a set, in a run, or left; the cards after it are tried in each case. The wild cards are a
//! budget. They are alike but for one thing: where the rules limit wild or natural cards in a meld, a wild that stands
//! for its own rank and suit is natural, so a run may ask for the wild of its suit.
//!
//! A meld is made with no more wilds than it needs. How many more it could take is its *spare*; wilds left at the end
//! go there, or are a set of their own if there are three.

use super::{Ace, MeldRules};
use crate::{Bag, Card, CardSet, Rank, Suit};

/// The most melds in a hand.
const MAX_MELDS: usize = MeldRules::MAX_HAND / 3;

/// A meld with no more wilds than it needs.
#[derive(Clone, Copy, Debug)]
struct Meld {
    naturals: Bag,
    /// Wilds that stand for their own rank and suit, the suit of the naturals.
    own: u8,
    wilds: u8,
    spare: u8,
}

#[derive(Clone, Copy, Debug)]
struct Melds {
    list: [Option<Meld>; MAX_MELDS],
    len: usize,
}

impl Melds {
    const NONE: Melds = Melds { list: [None; MAX_MELDS], len: 0 };

    fn with(mut self, meld: Meld) -> Melds {
        self.list[self.len] = Some(meld);
        self.len += 1;
        self
    }

    fn iter(&self) -> impl Iterator<Item = Meld> + '_ {
        self.list.iter().flatten().copied()
    }
}

/// What is not in a meld yet.
#[derive(Clone, Copy, Debug)]
struct Left {
    naturals: Bag,
    wilds: u8,
    /// Wilds of each suit that may still stand for themselves.
    own: [u8; 4],
}

struct Search<'r> {
    rules: &'r MeldRules,
    /// The places of a run: 13, or 14 where an ace may be high.
    places: u8,
    max_wilds: u8,
    min_naturals: u8,
    /// Whether the rules limit what a meld may hold.
    limited: bool,
    wild_penalty: i32,
    best: i32,
    best_melds: Melds,
}

/// The most penalty that melds can take off a hand.
pub(super) fn most_melded(rules: &MeldRules, hand: &Bag) -> i32 {
    solve(rules, hand).best
}

fn solve<'r>(rules: &'r MeldRules, hand: &Bag) -> Search<'r> {
    let wilds = hand.restrict(rules.wild_cards());
    let mut naturals = *hand;
    naturals.remove_all(&wilds);
    let own = Suit::ALL.map(|suit| wilds.count(Card::new(rules.wild, suit)) as u8);
    let limits = &rules.limits;
    let mut search = Search {
        rules,
        places: if limits.ace == Ace::Low { 13 } else { 14 },
        max_wilds: limits.max_wilds_per_meld.unwrap_or(u8::MAX),
        min_naturals: limits.min_naturals_per_meld,
        limited: limits.max_wilds_per_meld.is_some() || limits.min_naturals_per_meld > 0,
        wild_penalty: rules.penalties[rules.wild.index()],
        best: 0,
        best_melds: Melds::NONE,
    };
    search.next_card(Left { naturals, wilds: wilds.len() as u8, own }, 0, Melds::NONE);
    search
}

/// Melds that take the most penalty off a hand, as cards.
pub(super) fn best_melds(rules: &MeldRules, hand: &Bag) -> Vec<Vec<Card>> {
    let search = solve(rules, hand);
    let mut wilds = hand.restrict(rules.wild_cards());
    let mut melds: Vec<(Vec<Card>, Meld)> = Vec::new();
    for meld in search.best_melds.iter() {
        let mut cards: Vec<Card> = meld.naturals.iter().collect();
        for _ in 0..meld.own {
            let card = Card::new(rules.wild, cards[0].suit());
            wilds.remove(card);
            cards.push(card);
        }
        melds.push((cards, meld));
    }
    let mut wilds: Vec<Card> = wilds.iter().collect();
    for (cards, meld) in &mut melds {
        cards.extend(wilds.drain(wilds.len() - usize::from(meld.wilds)..));
    }
    if search.wild_penalty > 0 && wilds.len() < 3 {
        for (cards, meld) in &mut melds {
            let more = wilds.len().min(usize::from(meld.spare));
            cards.extend(wilds.drain(wilds.len() - more..));
        }
    }
    let mut melds: Vec<_> = melds.into_iter().map(|(cards, _)| cards).collect();
    if search.wild_penalty > 0 && wilds.len() >= 3 {
        melds.push(wilds);
    }
    melds
}

impl Search<'_> {
    /// Tries everything for the lowest natural card that is left.
    fn next_card(&mut self, left: Left, value: i32, melds: Melds) {
        let hope: i32 = left.naturals.iter().map(|card| self.rules.penalty(card).max(0)).sum();
        let wilds = i32::from(left.wilds) * self.wild_penalty.max(0);
        if value + hope + wilds <= self.best {
            return;
        }
        let Some(card) = left.naturals.faces().lowest() else {
            return self.finish(left.wilds, value, melds);
        };
        self.sets(card, left, value, melds);
        self.runs(card, left, value, melds);
        let mut without = left;
        without.naturals.remove(card);
        self.next_card(without, value, melds);
    }

    /// No natural card is left: the wilds go where there is room.
    fn finish(&mut self, wilds: u8, value: i32, melds: Melds) {
        let spare = melds.iter().fold(0_u8, |sum, meld| sum.saturating_add(meld.spare));
        let more = if wilds >= 3 { wilds } else { wilds.min(spare) };
        let value = value + i32::from(more) * self.wild_penalty.max(0);
        if value > self.best {
            (self.best, self.best_melds) = (value, melds);
        }
    }

    fn take(&mut self, meld: Meld, left: Left, value: i32, melds: Melds) {
        let mut rest = left;
        rest.naturals.remove_all(&meld.naturals);
        let wilds = meld.wilds + meld.own;
        rest.wilds -= wilds;
        if let Some(card) = meld.naturals.faces().lowest() {
            rest.own[card.suit() as usize] -= meld.own;
        }
        let melded = self.rules.sum(&meld.naturals) + i32::from(wilds) * self.wild_penalty;
        self.next_card(rest, value + melded, melds.with(meld));
    }

    /// Tries the sets with the card.
    fn sets(&mut self, card: Card, left: Left, value: i32, melds: Melds) {
        let mut naturals = Bag::EMPTY;
        naturals.insert(card);
        let mut others = left.naturals.restrict(card.rank().cards());
        others.remove(card);
        self.sets_with(naturals, others, left, value, melds);
    }

    /// Tries the sets of these cards and any of the others.
    fn sets_with(&mut self, naturals: Bag, others: Bag, left: Left, value: i32, melds: Melds) {
        let Some(card) = others.faces().lowest() else {
            let held = naturals.len() as u8;
            let wilds = 3_u8.saturating_sub(held);
            if wilds <= left.wilds && wilds <= self.max_wilds && held >= self.min_naturals {
                let meld = Meld { naturals, own: 0, wilds, spare: self.max_wilds - wilds };
                self.take(meld, left, value, melds);
            }
            return;
        };
        let (mut more, mut fewer, mut skipped) = (naturals, others, others);
        more.insert(card);
        fewer.remove(card);
        self.sets_with(more, fewer, left, value, melds);
        skipped.remove_all(&others.restrict(CardSet::of(card)));
        self.sets_with(naturals, skipped, left, value, melds);
    }

    /// Tries the runs with the card.
    fn runs(&mut self, card: Card, left: Left, value: i32, melds: Melds) {
        let mut run = Run {
            suit: card.suit(),
            low: place_of(card.rank()),
            high: place_of(card.rank()),
            naturals: Bag::EMPTY,
            own: 0,
            wilds: 0,
            low_is_wild: false,
            high_is_wild: false,
        };
        run.naturals.insert(card);
        self.grow(run, true, left, value, melds);
        if card.rank() == Rank::ACE && self.places == 14 {
            (run.low, run.high) = (13, 13);
            self.grow(run, true, left, value, melds);
        }
    }

    /// Tries the run as it is and made longer, upwards while `up`, then downwards only.
    fn grow(&mut self, run: Run, up: bool, left: Left, value: i32, melds: Melds) {
        if up {
            self.grow(run, false, left, value, melds);
        } else {
            self.finish_run(run, left, value, melds);
        }
        if (up && run.high + 1 == self.places) || (!up && run.low == 0) {
            return;
        }
        let place = if up { run.high + 1 } else { run.low - 1 };
        let card = Card::new(rank_at(place), run.suit);
        if left.naturals.count(card) > run.naturals.count(card) {
            let mut longer = run.extended(up, false);
            longer.naturals.insert(card);
            self.grow(longer, up, left, value, melds);
            if !self.limited && self.rules.penalty(card) >= 0 {
                return; // a wild card never serves a run better than this one does
            }
        }
        if run.wilds + run.own == left.wilds {
            return;
        }
        if self.limited && card.rank() == self.rules.wild && run.own < left.own[run.suit as usize] {
            let mut longer = run.extended(up, false);
            longer.own += 1;
            self.grow(longer, up, left, value, melds);
        }
        if run.wilds < self.max_wilds {
            let mut longer = run.extended(up, true);
            longer.wilds += 1;
            self.grow(longer, up, left, value, melds);
        }
    }

    fn finish_run(&mut self, run: Run, left: Left, value: i32, melds: Melds) {
        let length = run.high - run.low + 1;
        let naturals = length - run.wilds;
        let needs_no_fewer = length == 3 || !(run.low_is_wild || run.high_is_wild);
        if length < 3 || naturals < self.min_naturals || !needs_no_fewer {
            return;
        }
        let spare = (self.max_wilds - run.wilds).min(self.places - length);
        let meld = Meld { naturals: run.naturals, own: run.own, wilds: run.wilds, spare };
        self.take(meld, left, value, melds);
    }
}

/// A run that is being made longer.
#[derive(Clone, Copy, Debug)]
struct Run {
    suit: Suit,
    low: u8,
    high: u8,
    naturals: Bag,
    own: u8,
    wilds: u8,
    low_is_wild: bool,
    high_is_wild: bool,
}

impl Run {
    fn extended(mut self, up: bool, wild: bool) -> Run {
        if up {
            self.high += 1;
            self.high_is_wild = wild;
        } else {
            self.low -= 1;
            self.low_is_wild = wild;
        }
        self
    }
}

/// Where a rank stands in a run, an ace at its low place 0; a high one stands at 13.
fn place_of(rank: Rank) -> u8 {
    (rank.index() as u8 + 1) % 13
}

fn rank_at(place: u8) -> Rank {
    Rank::new((place + 12) % 13).expect("a remainder by 13")
}
