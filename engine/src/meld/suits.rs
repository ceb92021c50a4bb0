//! What the cards of a suit yield in runs, with copies of a face and wilds that stand for themselves.
//!
//! A [`RunTable`] knows one card of a face and no wild that stands for its own rank and suit. Here the runs of further
//! copies, and of such wilds where it makes a difference, are tried on top of it.

use super::runs::{ACE_BIT, ByWilds, RunTable, WORTH};
use super::solve::{LAYERS, Layers};
use super::{MeldLimits, MeldRules};
use crate::{Bag, Card, Suit};

/// More wilds than there are.
pub(super) const ANY_NUMBER: u32 = 99;
/// The places of a run whose rank is the ace.
const ENDS: u32 = 1 | 1 << 13;
/// How many rows are remembered.
const MEMORY: usize = 8;

/// The limits of melds, as far as they bind with the wilds of a hand.
#[derive(Clone, Copy)]
pub(super) struct Binding {
    pub(super) max_wilds: u32,
    pub(super) min_naturals: u32,
    /// Whether any meld is forbidden.
    any: bool,
}

impl Binding {
    #[inline]
    pub(super) fn new(limits: &MeldLimits, wilds: u32) -> Binding {
        let max_wilds = limits.max_wilds_per_meld.map_or(ANY_NUMBER, u32::from);
        let min_naturals = u32::from(limits.min_naturals_per_meld);
        let too_many = wilds > max_wilds;
        let too_few = wilds > 0 && min_naturals > 1 && wilds + min_naturals > 3;
        Binding {
            max_wilds: if too_many { max_wilds } else { ANY_NUMBER },
            min_naturals: if too_few { min_naturals } else { 1 },
            any: too_many || too_few,
        }
    }
}

/// The natural cards of a suit, and how many wilds of it may stand for themselves, in one word.
///
/// Layer k, from bit 16 k, holds the ranks of which there are more than k copies; the wilds are counted from bit 13.
#[derive(Clone, Copy, PartialEq)]
struct Row(u64);

const ROW_RANKS: u64 = 0x1fff;
const ROW_WILD: u64 = 1 << 13;

impl Row {
    fn single(self) -> u16 {
        (self.0 & ROW_RANKS) as u16
    }

    /// The ranks of which there are two or more.
    fn copied(self) -> u16 {
        (self.0 >> 16 & ROW_RANKS) as u16
    }

    fn has_wild(self) -> bool {
        self.0 & (7 * ROW_WILD) != 0
    }

    fn without_wilds(self) -> Row {
        Row(self.0 & !(7 * ROW_WILD))
    }

    /// All further copies of a rank taken out.
    fn without_copies(self, rank: u16) -> Row {
        let copies = u64::from(rank) << 16 | u64::from(rank) << 32 | u64::from(rank) << 48;
        Row(self.0 & !copies)
    }

    /// A copy of some ranks taken out, from the top layers.
    #[inline]
    fn without(self, ranks: u16) -> Row {
        let mut row = self.0;
        let mut left = u64::from(ranks);
        if self.copied() & ranks == 0 {
            return Row(row ^ left);
        }
        for layer in (0..LAYERS).rev() {
            let here = row >> (16 * layer) & left;
            row ^= here << (16 * layer);
            left ^= here;
        }
        Row(row)
    }
}

/// A run of natural cards with wilds between and around them.
struct Run {
    ranks: u16,
    /// The fewest wilds and the most that it can be made of.
    needs: u32,
    most: u32,
}

/// The two of every suit, and the ace.
pub(super) const TWOS: u64 = 1 | 1 << 16 | 1 << 32 | 1 << 48;
const ACES: u64 = TWOS << 12;

/// The runs of the four suits of a hand. Its cards are in a word, sixteen bits a suit, as ranks from the two up.
pub(super) struct Suits<'r, const N: usize> {
    rules: &'r MeldRules,
    limits: Binding,
    table: &'static RunTable,
    places: u32,
    wilds: u32,
    /// By suit, the wilds that may stand for themselves where that makes a difference.
    own: [u8; 4],
    /// Where these may stand, suits as in a word of cards.
    own_places: u64,
    /// Whether runs of single cards are all that is asked for.
    pub(super) only_single: bool,
    /// Rows with copies that were worked out already, and how many there were.
    known: [(Row, ByWilds<N>); MEMORY],
    len: usize,
}

impl<'r, const N: usize> Suits<'r, N> {
    #[inline]
    pub(super) fn new(rules: &'r MeldRules, limits: Binding, hand: &Bag, wilds: u32) -> Suits<'r, N> {
        let nothing = (Row(0), [0; N]);
        let ace = rules.limits.ace;
        let mut suits = Suits {
            rules,
            limits,
            table: rules.table,
            places: ace.places(),
            wilds,
            own: [0; 4],
            own_places: 0,
            only_single: false,
            known: [nothing; MEMORY],
            len: 0,
        };
        if limits.any {
            let max_wilds = Some(limits.max_wilds as u8).filter(|_| limits.max_wilds != ANY_NUMBER);
            suits.table = RunTable::of(ace, max_wilds, limits.min_naturals as u8);
            suits.own = Suit::ALL.map(|suit| hand.count(Card::new(rules.wild, suit)) as u8);
            let places = u64::from(suits.at_places(1 << rules.wild.index()));
            suits.own_places =
                (0..4).filter(|&suit| suits.own[suit] > 0).map(|suit| places << (16 * suit)).sum();
        }
        suits
    }

    /// Whether there may be runs that the tables do not know.
    pub(super) fn has_more(&self, layers: &Layers) -> bool {
        self.own_places != 0 || layers[1] & self.copies_in_runs(layers) != 0
    }

    /// The faces of whose copies more than one may be in runs, among others of which there is but one.
    #[inline]
    pub(super) fn copies_in_runs(&self, layers: &Layers) -> u64 {
        if layers[1] == 0 || self.only_single { 0 } else { self.near(layers[0]) }
    }

    /// The most that runs in a suit take off, given the faces of whose copies more than one may be in runs.
    pub(super) fn runs(&mut self, layers: &Layers, copies: u64, suit: usize) -> ByWilds<N> {
        let ranks = |cards: u64| (cards >> (16 * suit)) as u16;
        let single = ranks(layers[0]);
        if self.only_single || (ranks(layers[1] & copies) == 0 && self.own[suit] == 0) {
            return self.runs_of_single(single);
        }
        let mut row = u64::from(single) | (u64::from(self.own[suit]) * ROW_WILD);
        for (layer, &cards) in layers.iter().enumerate().skip(1) {
            row |= u64::from(ranks(cards & copies)) << (16 * layer);
        }
        let row = Row(row);
        if let Some((_, runs)) = self.known[..self.len.min(MEMORY)].iter().find(|(known, _)| *known == row) {
            return *runs;
        }
        let worth = (0..LAYERS).map(|layer| self.worth((row.0 >> (16 * layer) & ROW_RANKS) as u16)).sum();
        let runs = self.runs_of(row, worth, self.wilds);
        self.known[self.len % MEMORY] = (row, runs);
        self.len += 1;
        runs
    }

    /// The runs of single cards.
    #[inline]
    fn runs_of_single(&self, ranks: u16) -> ByWilds<N> {
        let without_ace = self.table.get(ranks & !ACE_BIT);
        if ranks & ACE_BIT == 0 {
            return std::array::from_fn(|wilds| without_ace[wilds]);
        }
        let with_ace = self.table.get(ranks);
        let ace = self.rules.ace_penalty() as i16;
        std::array::from_fn(|wilds| without_ace[wilds].max(with_ace[wilds] + ace))
    }

    /// The runs of a row that is worth so much: one of its further cards is in a run with others, each of which is
    /// tried, or neither it nor its like is.
    fn runs_of(&self, row: Row, worth: i16, wilds: u32) -> ByWilds<N> {
        let is_wild = row.has_wild();
        let (extra, without, rest) = if is_wild {
            (1 << self.rules.wild.index(), row.without_wilds(), Row(row.0 - ROW_WILD))
        } else if row.copied() != 0 {
            let extra = row.copied() & row.copied().wrapping_neg();
            (extra, row.without_copies(extra), row.without(extra))
        } else {
            return self.runs_of_single(row.single());
        };
        let mut most = self.runs_of(without, worth, wilds);
        let wild = u32::from(is_wild);
        let mut wilds = wilds;
        let all = self.at_places(rest.single());
        let mut places = self.at_places(extra);
        while places > 0 {
            let place = places.trailing_zeros();
            places &= places - 1;
            self.each_choice(all & !(1 << place), place, |chosen| {
                // More wilds than it takes to meld all are of no use.
                while wilds > wild && most[wilds as usize] >= worth {
                    wilds -= 1;
                }
                if wilds < wild || most[wilds as usize] >= worth {
                    return;
                }
                let Some(run) = self.run(chosen | 1 << place, wilds - wild, is_wild) else { return };
                let others = run.ranks & !extra;
                let value = self.worth(if is_wild { others } else { run.ranks });
                let spare = wilds - wild - run.needs;
                let left = self.runs_of(rest.without(others), worth - value, spare);
                let first = (wild + run.needs) as usize;
                for more in 0..=spare.min(run.most - run.needs) as usize {
                    let with_more = most[first + more..].iter_mut().zip(&left[..=spare as usize - more]);
                    with_more.for_each(|(entry, left)| *entry = (*entry).max(left + value));
                    if self.limits.max_wilds == ANY_NUMBER && N > 1 && left[1] >= left[0] {
                        break; // other runs take those more
                    }
                }
            });
        }
        most
    }

    /// What natural cards of a suit cost.
    #[inline]
    fn worth(&self, ranks: u16) -> i16 {
        let aces = ranks >> 12 & 1;
        i16::from(WORTH[usize::from(ranks & (ACE_BIT - 1))]) + aces as i16 * self.rules.ace_penalty() as i16
    }

    /// Calls with each choice of other cards for a run through a place that may be worth a try.
    #[inline]
    fn each_choice(&self, others: u32, place: u32, mut try_it: impl FnMut(u32)) {
        if self.limits.any {
            let mut chosen = others;
            while chosen > 0 {
                try_it(chosen);
                chosen = (chosen - 1) & others;
            }
            return;
        }
        // Without limits a run leaves out no card between its ends, and one longer than five is better cut in two.
        let (below, above) = (others & ((1 << place) - 1), others & (u32::MAX << place));
        let mut low = below & 0xf << place >> 4;
        loop {
            let lowest = if low == 0 { place } else { low.trailing_zeros() };
            let mut high = above & ((1 << (lowest + 5)) - 1);
            while low | high > 0 {
                try_it(low | high);
                if high == 0 {
                    break;
                }
                high &= !(1 << (31 - high.leading_zeros()));
            }
            if low == 0 {
                return;
            }
            low &= low - 1;
        }
    }

    /// Where cards of one suit may stand in a run.
    #[inline]
    fn at_places(&self, ranks: u16) -> u32 {
        let low = u32::from(ranks) << 1;
        low & 0x1fff | low >> 13 | (low & 1 << 13 & !(u32::MAX << self.places))
    }

    /// The run of natural cards at these places, if it is allowed with so many wilds more; `is_own` says whether one of
    /// them is a wild that stands for itself.
    #[inline]
    fn run(&self, run: u32, wilds: u32, is_own: bool) -> Option<Run> {
        let span = u32::BITS - run.leading_zeros() - run.trailing_zeros();
        let naturals = run.count_ones();
        let mut needs = span.max(3) - naturals;
        let most = wilds.min(self.limits.max_wilds).min(self.places - naturals);
        if is_own && naturals > self.limits.min_naturals {
            // Such a wild is as good as any other, but where there would be one too many.
            needs = needs.max(self.limits.max_wilds);
        }
        let twice_an_ace = run & ENDS == ENDS;
        if needs > most || naturals < self.limits.min_naturals || twice_an_ace {
            return None;
        }
        Some(Run { ranks: ranks_at(run), needs, most })
    }

    /// The cards that may be better off in a run than in a set of others.
    pub(super) fn better_in_run(&self, cards: u64) -> u64 {
        // Across a wider gap a run needs as many wilds as it does without the card.
        self.near_others(cards, if self.limits.any { self.limits.max_wilds } else { 1 })
    }

    /// The cards that can be in a run with others.
    pub(super) fn near(&self, cards: u64) -> u64 {
        // Without limits a run across four wilds is better cut in two.
        self.near_others(cards, if self.limits.any { self.limits.max_wilds } else { 3 })
    }

    /// The cards that have a neighbour in their suit with no more wilds between; all suits at once.
    fn near_others(&self, cards: u64, wilds: u32) -> u64 {
        let low = (cards & !ACES) << 1 | cards >> 12 & TWOS;
        let places = if self.places == 14 { low | (cards & ACES) << 1 } else { low };
        let wilds = wilds.min(self.wilds);
        let near = if wilds == 0 && !self.limits.any {
            let starts = places & places >> 1 & places >> 2;
            starts | starts << 1 | starts << 2
        } else {
            let all = places | self.own_places;
            (1..=wilds + 1).fold(0, |near, gap| {
                let (up, down) = (TWOS * (0xffff << gap & 0xffff), TWOS * (0xffff >> gap));
                near | all << gap & up | all >> gap & down
            })
        };
        let both = places & near;
        both >> 1 & !(ACES | ACES << 1 | ACES << 2 | ACES << 3) | ((both | both >> 13) & TWOS) << 12
    }
}

/// The ranks at places of a run.
#[inline]
fn ranks_at(places: u32) -> u16 {
    let ace = if places & ENDS != 0 { ACE_BIT } else { 0 };
    (places >> 1) as u16 & (ACE_BIT - 1) | ace
}
