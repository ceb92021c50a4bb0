//! The fast solver.
//!
//! Sets are searched for, runs are looked up. Rank by rank the search chooses which cards lie in sets. What is left of a
//! suit is a set of ranks, for which [`Suits`] knows the most that runs yield with any number of wilds in them; the
//! four suits share the wilds that the sets leave.
//!
//! The rest is pruning. Each candidate for a set is tried only if the sets that may follow it and the runs of the cards
//! as they are, none in the way of another, could yield more than the best so far. And a card that is of no use in a
//! run is not kept out of a set. Where no limit binds, that is one with no neighbour in its suit within two places:
//! without it the rest of a run across a wider gap needs no more wilds than the gap took.

use super::MeldRules;
use super::runs::{ByWilds, MOST_WILDS, NEVER};
use super::suits::{ANY_NUMBER, Binding, Suits, TWOS};
use crate::{Bag, Card, CardSet};

/// The most copies of a face, and so the most layers.
pub(super) const LAYERS: usize = 4;
/// The most ranks of which there can be two cards.
const CANDIDATES: usize = MeldRules::MAX_HAND / 2;
/// The most that an ace may cost, for sums to fit where the solver keeps them.
const MOST_PENALTY: i32 = 500;

/// Natural cards: layer k holds the faces of which there are more than k copies, sixteen bits a suit.
pub(super) type Layers = [u64; LAYERS];

/// A part of the search: some sets are chosen.
#[derive(Clone, Copy)]
struct Branch<const N: usize> {
    /// The natural cards that are in no set.
    layers: Layers,
    /// What they yield in runs of each suit.
    suits: [ByWilds<N>; 4],
    /// What they yield in runs of all suits.
    runs: ByWilds<N>,
    /// Wilds that are in no set.
    wilds: u32,
    /// How many more wilds the sets could take.
    spare: u32,
    /// The penalty that the sets take off.
    value: i32,
}

impl<const N: usize> Branch<N> {
    /// Finds what all suits yield from what each does.
    #[inline]
    fn share_wilds(&mut self) {
        let [clubs, diamonds, spades, hearts] = &self.suits;
        self.runs = share(&share(clubs, spades), &share(diamonds, hearts));
    }
}

/// The ranks that may make a set, the highest first.
struct Candidates<const N: usize> {
    ranks: [u8; CANDIDATES],
    /// How many cards there are of each.
    held: [u8; CANDIDATES],
    len: usize,
    /// The most that sets of the candidates from one on take off, whatever runs then lack.
    hope: [ByWilds<N>; CANDIDATES + 1],
    /// The faces that may be of more use in a run.
    useful: u64,
}

/// The search for the most penalty that melds can take off a hand.
struct Solver<'r, const N: usize> {
    rules: &'r MeldRules,
    limits: Binding,
    suits: Suits<'r, N>,
    wild_penalty: i32,
    /// What the best cannot exceed.
    most: i32,
    best: i32,
    /// Where the best was found.
    best_at: Branch<N>,
}

/// Whether the fast solver takes the hand, given its wilds: not too many, nor too many cards alike, and aces that one
/// would not rather keep.
#[inline]
pub(super) fn takes(rules: &MeldRules, hand: &Bag, wilds: usize) -> bool {
    let five_alike = hand.plane(2) & (hand.plane(0) | hand.plane(1));
    wilds <= MOST_WILDS && five_alike.is_empty() && (0..=MOST_PENALTY).contains(&rules.ace_penalty())
}

/// Calls a function for as many wilds as a hand has: arrays are no longer than they must be.
macro_rules! for_wilds {
    ($function:ident($($argument:expr),*); $wilds:expr) => {
        match $wilds {
            0 => $function::<1>($($argument),*),
            1 => $function::<2>($($argument),*),
            2 => $function::<3>($($argument),*),
            3 => $function::<4>($($argument),*),
            4 => $function::<5>($($argument),*),
            5 => $function::<6>($($argument),*),
            _ => $function::<{ MOST_WILDS + 1 }>($($argument),*),
        }
    };
}

/// A hand that the solver [`takes`], with its wilds and what all its cards cost.
#[derive(Clone, Copy)]
pub(super) struct Hand<'h> {
    pub(super) rules: &'h MeldRules,
    pub(super) cards: &'h Bag,
    pub(super) wilds: usize,
    pub(super) total: i32,
}

impl Hand<'_> {
    /// The most penalty that melds can take off, if it is more than `known`, else `known`. It is known not to exceed
    /// `most`.
    pub(super) fn most_melded(&self, known: i32, most: i32) -> i32 {
        fn solve<const N: usize>(hand: &Hand<'_>, known: i32, most: i32) -> i32 {
            Solver::<N>::new(hand).most_melded(known, most)
        }
        for_wilds!(solve(self, known, most); self.wilds)
    }

    /// The most penalty that melds can take off; calls with each natural card that a best way has in no set, and what
    /// that way yields without it.
    pub(super) fn most_melded_without_each(&self, call: impl FnMut(Card, i32)) -> i32 {
        fn solve<const N: usize>(hand: &Hand<'_>, call: impl FnMut(Card, i32)) -> i32 {
            let mut solver = Solver::<N>::new(hand);
            let most = solver.most_melded(0, i32::MAX);
            solver.without_each(call);
            most
        }
        for_wilds!(solve(self, call); self.wilds)
    }

    /// The naturals that only two wilds could help: none of their rank and none near enough in their suit.
    pub(super) fn lonely(&self) -> CardSet {
        Solver::<1>::new(self).lonely()
    }
}

impl<'r, const N: usize> Solver<'r, N> {
    #[inline]
    fn new(hand: &Hand<'r>) -> Solver<'r, N> {
        let Hand { rules, cards, total, .. } = *hand;
        let wilds = hand.wilds as u32;
        let naturals = !rules.wild_cards();
        let [a, b, c] = std::array::from_fn(|plane| (cards.plane(plane) & naturals).bits());
        let layers = [a | b | c, b | c, c | (a & b), c].map(to_lanes);
        let nothing = [NEVER; N];
        let limits = Binding::new(&rules.limits, wilds);
        let wild_penalty = rules.penalties[rules.wild.index()];
        Solver {
            rules,
            limits,
            suits: Suits::new(rules, limits, cards, wilds),
            wild_penalty,
            most: total - wilds as i32 * wild_penalty.min(0),
            best: 0,
            best_at: Branch { layers, suits: [nothing; 4], runs: nothing, wilds, spare: 0, value: 0 },
        }
    }

    /// The most penalty that melds can take off, if it is more than `known`, else `known`. It is known not to exceed
    /// `most`.
    fn most_melded(&mut self, known: i32, most: i32) -> i32 {
        self.best = known;
        self.most = self.most.min(most);
        let start = self.best_at;
        // Most hands have a best way in which only single cards are in runs, and it is soon found.
        self.suits.only_single = self.suits.has_more(&start.layers);
        self.search(start);
        if self.suits.only_single && self.best < self.most {
            self.suits.only_single = false;
            self.search(start);
        }
        self.best
    }

    fn search(&mut self, mut branch: Branch<N>) {
        self.look_up_runs(&mut branch, 0xf);
        self.settle(&branch);
        let ranks = self.ranks_of_sets(&branch);
        if ranks == 0 || self.best >= self.most {
            return;
        }
        let mut candidates = Candidates {
            ranks: [0; CANDIDATES],
            held: [0; CANDIDATES],
            len: 0,
            hope: [[0; N]; CANDIDATES + 1],
            useful: 0,
        };
        self.find_candidates(ranks, &branch, &mut candidates);
        if self.is_hopeful(&candidates, 0, branch.value, branch.wilds, &branch) {
            candidates.useful = self.suits.better_in_run(branch.layers[0]);
            self.sets(&candidates, 0, &branch);
        }
    }

    /// Calls with each natural card that the best way found has in no set, and what that way yields without it.
    fn without_each(&mut self, mut call: impl FnMut(Card, i32)) {
        let branch = self.best_at;
        let near = to_faces(self.suits.near(branch.layers[0]));
        for card in CardSet::from_bits(to_faces(branch.layers[0])) {
            // With two wilds any card makes a run.
            if N <= 2 && near >> card.index() & 1 == 0 {
                call(card, self.best);
                continue;
            }
            let suit = card.suit() as usize;
            let mut layers = branch.layers;
            let face = 1 << (16 * suit + card.rank().index());
            if let Some(layer) = layers.iter_mut().rev().find(|layer| **layer & face != 0) {
                *layer ^= face;
            }
            let copies = self.suits.copies_in_runs(&layers);
            let runs = self.suits.runs(&layers, copies, suit);
            if runs == branch.suits[suit] {
                call(card, self.best);
                continue;
            }
            let [one, two, three] = [1, 2, 3].map(|other| &branch.suits[suit ^ other]);
            call(card, self.worth(&branch, &share(&share(one, two), &share(three, &runs))));
        }
    }

    /// The naturals of the hand that only two wilds could help.
    fn lonely(&self) -> CardSet {
        let branch = &self.best_at;
        let ranks = self.ranks_of_sets(branch);
        let mates = TWOS * u64::from(ranks);
        CardSet::from_bits(to_faces(branch.layers[0] & !(mates | self.suits.near(branch.layers[0]))))
    }

    /// Looks up what runs yield anew, given the suits (a bit each) whose cards have changed.
    fn look_up_runs(&mut self, branch: &mut Branch<N>, changed: u32) {
        let copies = self.suits.copies_in_runs(&branch.layers);
        for suit in 0..4 {
            if changed >> suit & 1 != 0 {
                branch.suits[suit] = self.suits.runs(&branch.layers, copies, suit);
            }
        }
        branch.share_wilds();
    }

    /// The ranks that may make a set, a bit each.
    fn ranks_of_sets(&self, branch: &Branch<N>) -> u16 {
        let [a, b, c, d] = suits_of(branch.layers[0]);
        let pairs = (a & b) | (c & d) | ((a | b) & (c | d));
        let threes = (a & b & (c | d)) | (c & d & (a | b));
        let twice = suits_of(branch.layers[1]).into_iter().fold(0, |all, ranks| all | ranks);
        twice | if branch.wilds == 0 { threes } else { pairs }
    }

    fn find_candidates(&self, mut ranks: u16, branch: &Branch<N>, found: &mut Candidates<N>) {
        found.len = ranks.count_ones() as usize;
        for place in (0..found.len).rev() {
            let rank = ranks.trailing_zeros();
            ranks &= ranks - 1;
            let cards = TWOS << rank;
            let count = |layers: &[u64]| layers.iter().map(|layer| (layer & cards).count_ones()).sum::<u32>();
            let held = if branch.layers[1] == 0 { count(&branch.layers[..1]) } else { count(&branch.layers) };
            found.ranks[place] = rank as u8;
            found.held[place] = held as u8;
            let needs = 3_usize.saturating_sub(held as usize);
            let value = held as i16 * self.rules.penalties[rank as usize] as i16;
            let after = found.hope[place + 1];
            let hope = &mut found.hope[place];
            *hope = after;
            for in_sets in needs..N {
                hope[in_sets] = hope[in_sets].max(after[in_sets - needs] + value);
            }
        }
    }

    /// Whether the candidates from one on with so many wilds, and the runs of a branch, none in the way of another,
    /// could make up for the best.
    #[inline]
    fn is_hopeful(
        &self,
        candidates: &Candidates<N>,
        next: usize,
        value: i32,
        wilds: u32,
        branch: &Branch<N>,
    ) -> bool {
        let hope = most_of_both(&candidates.hope[next], &branch.runs, wilds as usize);
        value + i32::from(hope) + branch.wilds as i32 * self.wild_penalty.max(0) > self.best
    }

    /// Takes note of what a branch yields with no more sets.
    #[inline]
    fn settle(&mut self, branch: &Branch<N>) {
        let value = self.worth(branch, &branch.runs);
        if value > self.best {
            (self.best, self.best_at) = (value, *branch);
        }
    }

    /// What a branch yields with no more sets, if its cards yield so much in runs.
    #[inline]
    fn worth(&self, branch: &Branch<N>, runs: &ByWilds<N>) -> i32 {
        let wilds = branch.wilds as usize;
        let with = |in_runs: usize| {
            let left = wilds - in_runs;
            let melded = match left {
                _ if self.wild_penalty < 0 => 0,
                0..3 => left.min(branch.spare as usize),
                _ => left,
            };
            let value =
                branch.value + i32::from(runs[in_runs]) + (in_runs + melded) as i32 * self.wild_penalty;
            if runs[in_runs] < 0 { 0 } else { value.max(0) }
        };
        if self.limits.max_wilds == ANY_NUMBER && self.wild_penalty >= 0 {
            // Runs with wilds in them take all that are left.
            return with(0).max(with(wilds));
        }
        (0..=wilds).map(with).fold(0, i32::max)
    }

    /// Tries the sets of each candidate from `first` on.
    fn sets(&mut self, candidates: &Candidates<N>, first: usize, branch: &Branch<N>) {
        for place in first..candidates.len {
            let rank = u32::from(candidates.ranks[place]);
            let held = u32::from(candidates.held[place]);
            let value = branch.value + held as i32 * self.rules.penalties[rank as usize];
            let needs = 3_u32.saturating_sub(held);
            if needs > branch.wilds
                || !self.is_hopeful(candidates, place + 1, value, branch.wilds - needs, branch)
            {
                continue;
            }
            let cards = cards_of(rank, &branch.layers);
            let useful = suits_with(rank, candidates.useful) * 0x1111;
            let keepable = cards & useful;
            // A single card with two wilds is a run as well; only a further copy in none is not in the tables.
            let fewest = if cards > 0xf { 1 } else { 2 };
            let mut kept: u32 = 0;
            loop {
                // Of a face the lower layers are kept.
                if kept >> 4 & !kept == 0 && (cards & !kept).count_ones() >= fewest {
                    self.set_of(cards & !kept, candidates, place, branch);
                    if self.best >= self.most {
                        return;
                    }
                }
                kept = kept.wrapping_sub(keepable) & keepable;
                if kept == 0 {
                    break;
                }
            }
        }
    }

    /// Goes on with cards of a candidate in a set, or in several where each can take some wilds only.
    fn set_of(&mut self, cards: u32, candidates: &Candidates<N>, place: usize, branch: &Branch<N>) {
        let held = cards.count_ones();
        let fewest_held = self.limits.min_naturals.max(3_u32.saturating_sub(self.limits.max_wilds));
        let most_sets = if self.limits.max_wilds == ANY_NUMBER { 1 } else { held };
        let rank = u32::from(candidates.ranks[place]);
        let value = branch.value + held as i32 * self.rules.penalties[rank as usize];
        for count in 1..=most_sets {
            let needs = (3 * count).saturating_sub(held);
            if held < count * fewest_held
                || needs > branch.wilds
                || !self.is_hopeful(candidates, place + 1, value, branch.wilds - needs, branch)
            {
                return;
            }
            let mut next = *branch;
            next.wilds -= needs;
            next.spare += count * self.limits.max_wilds - needs;
            next.value = value + needs as i32 * self.wild_penalty;
            let changed = remove_cards(&mut next.layers, cards, rank);
            self.look_up_runs(&mut next, changed);
            self.settle(&next);
            self.sets(candidates, place + 1, &next);
        }
    }
}

/// The suits, a bit each, that have the rank in a layer.
#[inline]
fn suits_with(rank: u32, cards: u64) -> u32 {
    let here = cards >> rank & TWOS;
    (here | here >> 15 | here >> 30 | here >> 45) as u32 & 0xf
}

/// The cards of a rank: four bits a layer, one for each suit.
fn cards_of(rank: u32, layers: &Layers) -> u32 {
    let mut cards = suits_with(rank, layers[0]);
    if layers[1] != 0 {
        for (layer, &faces) in layers.iter().enumerate().skip(1) {
            cards |= suits_with(rank, faces) << (4 * layer);
        }
    }
    cards
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
        let spread = u64::from(suits & 1 | (suits & 2) << 15)
            | u64::from(suits & 4) << 30
            | u64::from(suits & 8) << 45;
        *layer &= !(spread << rank);
        changed |= suits;
        left >>= 4;
    }
    changed
}

/// The most that two parts of a hand yield, by the wilds in both.
#[inline]
fn share<const N: usize>(one: &ByWilds<N>, other: &ByWilds<N>) -> ByWilds<N> {
    if other[0] == 0 && other[1..].iter().all(|&value| value == NEVER) {
        return *one;
    }
    std::array::from_fn(|in_both| {
        (1..=in_both)
            .fold(one[0] + other[in_both], |most, in_one| most.max(one[in_one] + other[in_both - in_one]))
    })
}

/// The most that sets and runs yield with up to so many wilds in both.
#[inline]
fn most_of_both<const N: usize>(sets: &ByWilds<N>, runs: &ByWilds<N>, wilds: usize) -> i16 {
    let wilds = wilds.min(N - 1);
    let ways = runs[..=wilds].iter().zip(sets[..=wilds].iter().rev());
    ways.fold(0, |most, (runs, sets)| most.max(runs + sets))
}

/// The ranks in each suit.
#[inline]
fn suits_of(cards: u64) -> [u16; 4] {
    std::array::from_fn(|suit| (cards >> (16 * suit)) as u16)
}

/// Faces as a set of cards has them, thirteen bits a suit, at sixteen bits a suit.
#[inline]
fn to_lanes(faces: u64) -> u64 {
    (0..4).fold(0, |lanes, suit| lanes | (faces >> (13 * suit) & 0x1fff) << (16 * suit))
}

/// The faces at sixteen bits a suit as a set of cards has them.
#[inline]
fn to_faces(lanes: u64) -> u64 {
    (0..4).fold(0, |faces, suit| faces | (lanes >> (16 * suit) & 0x1fff) << (13 * suit))
}
