//! The fast solver.
//!
//! Sets are searched for, runs are looked up. Rank by rank the search chooses which cards lie in sets. What is left of a
//! suit is a set of ranks, for which a [`RunTable`] knows the most that runs yield with any number of wilds in them; the
//! four suits share the wilds that the sets leave. A table knows one card of a face and no wild that stands for
//! itself, so where there are further copies, or where such a wild makes a difference, their runs are tried on top of it.
//!
//! The rest is pruning. Each candidate for a set is tried only if the sets that may follow it and the runs of the cards
//! as they are, none in the way of another, could yield more than the best so far. And a card that is of no use in a
//! run is not kept out of a set. Where no limit binds, that is one with no neighbour in its suit within two places:
//! without it the rest of a run across a wider gap needs no more wilds than the gap took.

use super::runs::{ACE_BIT, ByWilds, MOST_WILDS, NEVER, RunTable};
use super::{MeldRules, RANK};
use crate::{Bag, Card, Suit};

/// The most copies of a face, and so the most layers.
const LAYERS: usize = Bag::MOST_COPIES;
/// The most ranks of which there can be two cards.
const CANDIDATES: usize = MeldRules::MAX_HAND / 2;
/// The ranks of the lowest suit in a word of faces.
const SUIT_MASK: u64 = 0x1fff;
/// The places of a run whose rank is the ace.
const ENDS: u32 = 1 | 1 << 13;
/// More wilds than there are.
const ANY_NUMBER: u32 = 99;
/// The most that an ace may cost, for sums to fit where the solver keeps them.
const MOST_PENALTY: i32 = 500;

/// Natural cards: layer k holds the faces of which there are more than k copies.
type Layers = [u64; LAYERS];

/// A part of the search: some sets are chosen.
#[derive(Clone, Copy)]
struct Branch {
    /// The natural cards that are in no set.
    layers: Layers,
    /// What they yield in runs of each suit.
    suits: [ByWilds; 4],
    /// What they yield in runs of all suits.
    runs: ByWilds,
    /// Wilds that are in no set.
    wilds: u32,
    /// How many more wilds the sets could take.
    spare: u32,
    /// The penalty that the sets take off.
    value: i32,
}

/// A rank that may make a set.
#[derive(Clone, Copy, Default)]
struct Candidate {
    rank: u32,
    penalty: i32,
    /// Its cards: four bits a layer, one for each suit.
    cards: u32,
    /// Those that may be of more use in a run.
    keepable: u32,
}

/// The ranks that may make a set.
struct Candidates {
    list: [Candidate; CANDIDATES],
    len: usize,
    /// The most that sets of the candidates from one on take off, whatever runs then lack.
    hope: [ByWilds; CANDIDATES + 1],
}

/// The search for the most penalty that melds can take off a hand.
struct Solver<'r> {
    rules: &'r MeldRules,
    table: &'static RunTable,
    max_wilds: u32,
    min_naturals: u32,
    /// Whether the limits forbid anything with this many wilds.
    limited: bool,
    wild_penalty: i32,
    places: u32,
    /// By suit, the wilds that may stand for themselves where that makes a difference.
    own: [u8; 4],
    /// What the best cannot exceed.
    most: i32,
    best: i32,
}

/// Whether the fast solver takes such hands: not too many wilds, and aces that one would not rather keep.
pub(super) fn takes(rules: &MeldRules, wilds: usize) -> bool {
    wilds <= MOST_WILDS && (0..=MOST_PENALTY).contains(&rules.limits.ace_penalty)
}

/// The most penalty that melds can take off a hand that the solver [`takes`], given what all its cards cost.
pub(super) fn most_melded(rules: &MeldRules, hand: &Bag, total: i32) -> i32 {
    let mut solver = Solver::new(rules, hand, total);
    solver.search(hand);
    solver.best
}

impl<'r> Solver<'r> {
    fn new(rules: &'r MeldRules, hand: &Bag, total: i32) -> Solver<'r> {
        let wild_cards = hand.restrict(rules.wild_cards());
        let wilds = wild_cards.len() as u32;
        let limits = &rules.limits;
        let max_wilds = limits.max_wilds_per_meld.filter(|&most| wilds > u32::from(most));
        let min_naturals = limits.min_naturals_per_meld;
        let too_few = wilds > 0 && min_naturals > 1 && wilds + u32::from(min_naturals) > 3;
        let min_naturals = if too_few { min_naturals } else { 1 };
        let limited = too_few || max_wilds.is_some();
        let wild_penalty = rules.penalties[rules.wild.index()];
        let own = |suit| if limited { wild_cards.count(Card::new(rules.wild, suit)) as u8 } else { 0 };
        Solver {
            rules,
            table: RunTable::of(limits.ace, max_wilds, min_naturals),
            max_wilds: max_wilds.map_or(ANY_NUMBER, u32::from),
            min_naturals: u32::from(min_naturals),
            limited,
            wild_penalty,
            places: limits.ace.places(),
            own: Suit::ALL.map(own),
            most: total - wilds as i32 * wild_penalty.min(0),
            best: 0,
        }
    }

    fn search(&mut self, hand: &Bag) {
        let naturals = hand.restrict(!self.rules.wild_cards());
        let [a, b, c] = std::array::from_fn(|plane| naturals.plane(plane).bits());
        let layers = [a | b | c, b | c, c | (a & b), c, c & (a | b), c & b, a & b & c];
        let wilds = hand.count_in(self.rules.wild_cards()) as u32;
        let mut branch = Branch {
            layers,
            suits: [[NEVER; MOST_WILDS + 1]; 4],
            runs: [NEVER; MOST_WILDS + 1],
            wilds,
            spare: 0,
            value: 0,
        };
        self.look_up_runs(&mut branch, 0xf);
        self.settle(&branch);
        if let Some(candidates) = self.candidates(&branch) {
            self.sets(&candidates, 0, &branch);
        }
    }

    /// Looks up what runs yield anew, given the suits (a bit each) whose cards have changed.
    fn look_up_runs(&self, branch: &mut Branch, changed: u32) {
        for suit in 0..4 {
            if changed >> suit & 1 != 0 {
                branch.suits[suit] = self.runs_of_suit(&branch.layers, suit, branch.wilds);
            }
        }
        let [clubs, diamonds, spades, hearts] = &branch.suits;
        let black = share(clubs, spades, branch.wilds);
        let red = share(diamonds, hearts, branch.wilds);
        branch.runs = share(&black, &red, branch.wilds);
    }

    fn runs_of_suit(&self, layers: &Layers, suit: usize, wilds: u32) -> ByWilds {
        let first = 13 * suit;
        let single = (layers[0] >> first & SUIT_MASK) as u16;
        if layers[1] >> first & SUIT_MASK == 0 && self.own[suit] == 0 {
            return self.runs_of(single);
        }
        let layers = layers.map(|layer| (layer >> first & SUIT_MASK) as u16);
        self.runs_with_more(&Row { layers, own: self.own[suit] }, wilds)
    }

    /// The runs of single cards of a suit.
    #[inline]
    fn runs_of(&self, ranks: u16) -> ByWilds {
        let mut most = *self.table.get(ranks & !ACE_BIT);
        if ranks & ACE_BIT != 0 {
            let with_ace = self.table.get(ranks);
            let ace = self.rules.limits.ace_penalty as i16;
            for (most, with_ace) in most.iter_mut().zip(with_ace) {
                *most = (*most).max(with_ace + ace);
            }
        }
        most
    }

    /// The runs of cards of a suit with further copies, or wilds that stand for themselves, among them: one such card is
    /// in a run with others, each of which is tried, or in none.
    fn runs_with_more(&self, row: &Row, wilds: u32) -> ByWilds {
        let mut rest = *row;
        let wild;
        let extra = if row.own > 0 {
            rest.own -= 1;
            wild = 1;
            1 << self.rules.wild.index()
        } else if row.layers[1] != 0 {
            let lowest = row.layers[1] & row.layers[1].wrapping_neg();
            rest.remove(lowest);
            wild = 0;
            lowest
        } else {
            return self.runs_of(row.layers[0]);
        };
        let mut most = self.runs_with_more(&rest, wilds);
        if wilds < wild {
            return most;
        }
        let mut places = self.at_places(extra);
        while places > 0 {
            let place = places.trailing_zeros();
            places &= places - 1;
            let others = self.at_places(rest.layers[0]) & !(1 << place);
            self.each_choice(others, place, |chosen| {
                let Some(run) = self.run(chosen | 1 << place, wilds - wild) else { return };
                // A wild that stands for itself is as good as any other where there is no need for a natural card.
                let enough = wild > 0 && run.naturals > self.min_naturals;
                if enough && self.max_wilds == ANY_NUMBER {
                    return;
                }
                let needs = if enough { run.needs.max(self.max_wilds) } else { run.needs };
                if needs > run.most {
                    return;
                }
                let mut without = rest;
                without.remove(run.ranks & !extra);
                let naturals = if wild > 0 { run.ranks & !extra } else { run.ranks };
                let value = self.rules.sum_of(u64::from(naturals)) as i16;
                let others = self.runs_with_more(&without, wilds - wild - run.needs);
                for in_run in needs..=run.most {
                    for in_others in 0..=wilds - wild - in_run {
                        let entry = &mut most[(wild + in_run + in_others) as usize];
                        *entry = (*entry).max(others[in_others as usize] + value);
                    }
                }
            });
        }
        most
    }

    /// Calls with each choice of other cards for a run through a place that may be worth a try.
    #[inline]
    fn each_choice(&self, others: u32, place: u32, mut try_it: impl FnMut(u32)) {
        if self.limited {
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
    fn at_places(&self, ranks: u16) -> u32 {
        let low = u32::from(ranks) << 1;
        low & 0x1fff | low >> 13 | (low & 1 << 13 & !(u32::MAX << self.places))
    }

    /// The run of natural cards at these places, if it is allowed with so many wilds.
    fn run(&self, run: u32, wilds: u32) -> Option<Run> {
        let span = u32::BITS - run.leading_zeros() - run.trailing_zeros();
        let naturals = run.count_ones();
        let needs = span.max(3) - naturals;
        let twice_an_ace = run & ENDS == ENDS;
        if needs > wilds.min(self.max_wilds) || naturals < self.min_naturals || twice_an_ace {
            return None;
        }
        let most = wilds.min(self.max_wilds).min(self.places - naturals);
        let ace = if run & ENDS != 0 { ACE_BIT } else { 0 };
        Some(Run { ranks: (run >> 1) as u16 & (ACE_BIT - 1) | ace, naturals, needs, most })
    }

    /// The ranks that may make a set, the highest first; `None` if there is none.
    fn candidates(&self, branch: &Branch) -> Option<Candidates> {
        let suits = suits_of(branch.layers[0]);
        let [a, b, c, d] = suits;
        let twice = suits_of(branch.layers[1]).into_iter().fold(0, |all, ranks| all | ranks);
        let pairs = (a & b) | (c & d) | ((a | b) & (c | d)) | twice;
        let threes = (a & b & (c | d)) | (c & d & (a | b)) | twice;
        let mut ranks = if branch.wilds == 0 { threes } else { pairs };
        if ranks == 0 {
            return None;
        }
        let len = ranks.count_ones() as usize;
        let mut found = Candidates {
            list: [Candidate::default(); CANDIDATES],
            len,
            hope: [[0; MOST_WILDS + 1]; CANDIDATES + 1],
        };
        let useful = self.useful_in_runs(suits, branch.wilds);
        for place in (0..len).rev() {
            let rank = ranks.trailing_zeros();
            ranks &= ranks - 1;
            let candidate = self.candidate(rank, &branch.layers, useful);
            found.hope[place] = candidate.hope(found.hope[place + 1], branch.wilds as usize);
            found.list[place] = candidate;
        }
        Some(found)
    }

    fn candidate(&self, rank: u32, layers: &Layers, useful: u64) -> Candidate {
        let suits_with = |faces: u64| {
            let here = faces >> rank & RANK;
            (here | here >> 12 | here >> 24 | here >> 36) as u32 & 0xf
        };
        let useful = suits_with(useful);
        let mut candidate =
            Candidate { rank, penalty: self.rules.penalties[rank as usize], cards: 0, keepable: 0 };
        for (layer, &faces) in layers.iter().enumerate() {
            let suits = suits_with(faces);
            if suits == 0 {
                break;
            }
            candidate.cards |= suits << (4 * layer);
            candidate.keepable |= (suits & useful) << (4 * layer);
        }
        candidate
    }

    /// The faces that may be better off in a run than in a set of others.
    fn useful_in_runs(&self, suits: [u16; 4], wilds: u32) -> u64 {
        let reach = if self.limited { wilds.min(self.max_wilds) + 1 } else { 2 };
        let wild = self.at_places(1 << self.rules.wild.index());
        let mut useful = 0;
        for suit in (0..4).rev() {
            let places = self.at_places(suits[suit]);
            let own = if self.own[suit] > 0 { wild } else { 0 };
            let near = if wilds == 0 {
                let starts = places & places >> 1 & places >> 2;
                starts | starts << 1 | starts << 2
            } else {
                (1..=reach).fold(0, |near, gap| near | (places | own) << gap | (places | own) >> gap)
            };
            let both = places & near;
            let ace = if both & ENDS != 0 { u64::from(ACE_BIT) } else { 0 };
            useful = useful << 13 | u64::from(both >> 1) & 0xfff | ace;
        }
        useful
    }

    /// Takes note of what a branch yields with no more sets.
    fn settle(&mut self, branch: &Branch) {
        let wilds = branch.wilds as usize;
        for (in_runs, &runs) in branch.runs[..=wilds].iter().enumerate() {
            if runs < 0 {
                continue;
            }
            let left = wilds - in_runs;
            let melded = match left {
                _ if self.wild_penalty < 0 => 0,
                0..3 => left.min(branch.spare as usize),
                _ => left,
            };
            let value = branch.value + i32::from(runs) + (in_runs + melded) as i32 * self.wild_penalty;
            self.best = self.best.max(value);
        }
    }

    /// Tries the sets of each candidate from `first` on.
    fn sets(&mut self, candidates: &Candidates, first: usize, branch: &Branch) {
        for place in first..candidates.len {
            let candidate = &candidates.list[place];
            // A single card with two wilds is a run as well; only a further copy in none is not in the tables.
            let fewest = if candidate.cards > 0xf { 1 } else { 2 };
            let mut kept: u32 = 0;
            loop {
                if self.best >= self.most {
                    return;
                }
                // Of a face the lower layers are kept.
                if kept >> 4 & !kept == 0 && (candidate.cards & !kept).count_ones() >= fewest {
                    self.set_of(candidate.cards & !kept, candidates, place, branch);
                }
                kept = kept.wrapping_sub(candidate.keepable) & candidate.keepable;
                if kept == 0 {
                    break;
                }
            }
        }
    }

    /// Goes on with cards of a candidate in a set, or in several where each can take some wilds only.
    fn set_of(&mut self, cards: u32, candidates: &Candidates, place: usize, branch: &Branch) {
        let held = cards.count_ones();
        let fewest_held = self.min_naturals.max(3_u32.saturating_sub(self.max_wilds));
        let most_sets = if self.max_wilds == ANY_NUMBER { 1 } else { held };
        let candidate = &candidates.list[place];
        let value = branch.value + held as i32 * candidate.penalty;
        for count in 1..=most_sets {
            let needs = (3 * count).saturating_sub(held);
            if held < count * fewest_held || needs > branch.wilds {
                return;
            }
            let wilds = branch.wilds - needs;
            let hope = most_of_both(&candidates.hope[place + 1], &branch.runs, wilds as usize);
            if value + i32::from(hope) + branch.wilds as i32 * self.wild_penalty.max(0) <= self.best {
                return;
            }
            let mut next = *branch;
            next.wilds = wilds;
            next.spare += count * self.max_wilds - needs;
            next.value = value + needs as i32 * self.wild_penalty;
            let changed = remove_cards(&mut next.layers, cards, candidate.rank);
            self.look_up_runs(&mut next, changed);
            self.settle(&next);
            self.sets(candidates, place + 1, &next);
        }
    }
}

/// The cards of a suit.
#[derive(Clone, Copy)]
struct Row {
    layers: [u16; LAYERS],
    own: u8,
}

impl Row {
    /// Takes a copy of some ranks out, from the top layers.
    fn remove(&mut self, ranks: u16) {
        let mut left = ranks;
        for layer in self.layers.iter_mut().rev() {
            let here = *layer & left;
            *layer ^= here;
            left ^= here;
        }
    }
}

/// A run of natural cards with wilds between and around them.
struct Run {
    ranks: u16,
    naturals: u32,
    /// The fewest wilds and the most that it can be made of.
    needs: u32,
    most: u32,
}

impl Candidate {
    /// The hope of the candidates from this one on, given that of those after it.
    fn hope(&self, after: ByWilds, wilds: usize) -> ByWilds {
        let held = self.cards.count_ones();
        let needs = 3_usize.saturating_sub(held as usize);
        let value = held as i16 * self.penalty as i16;
        let mut hope = after;
        for in_sets in needs..=wilds {
            hope[in_sets] = hope[in_sets].max(after[in_sets - needs] + value);
        }
        hope
    }
}

/// Takes cards of a rank, four bits a layer, out of the layers; returns the suits that have changed.
fn remove_cards(layers: &mut Layers, cards: u32, rank: u32) -> u32 {
    let mut changed = 0;
    let mut left = cards;
    for layer in layers {
        if left == 0 {
            break;
        }
        let suits = left & 0xf;
        let spread =
            u64::from(suits & 1 | (suits & 2) << 12 | (suits & 4) << 24) | u64::from(suits & 8) << 36;
        *layer &= !(spread << rank);
        changed |= suits;
        left >>= 4;
    }
    changed
}

/// The most that two parts of a hand yield, by the wilds in both.
#[inline]
fn share(one: &ByWilds, other: &ByWilds, wilds: u32) -> ByWilds {
    match wilds {
        0 => share_just::<0>(one, other),
        1 => share_just::<1>(one, other),
        2 => share_just::<2>(one, other),
        3 => share_just::<3>(one, other),
        4 => share_just::<4>(one, other),
        _ => share_just::<MOST_WILDS>(one, other),
    }
}

#[inline]
fn share_just<const WILDS: usize>(one: &ByWilds, other: &ByWilds) -> ByWilds {
    let mut most = [NEVER; MOST_WILDS + 1];
    for in_both in 0..=WILDS {
        most[in_both] =
            (0..=in_both).map(|in_one| one[in_one] + other[in_both - in_one]).fold(i16::MIN, i16::max);
    }
    most
}

/// The most that sets and runs yield with up to so many wilds in both.
fn most_of_both(sets: &ByWilds, runs: &ByWilds, wilds: usize) -> i16 {
    (0..=wilds).map(|in_runs| runs[in_runs] + sets[wilds - in_runs]).fold(0, i16::max)
}

/// The ranks in each suit.
fn suits_of(faces: u64) -> [u16; 4] {
    std::array::from_fn(|suit| (faces >> (13 * suit) & SUIT_MASK) as u16)
}
