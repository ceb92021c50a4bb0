//! What the cards of one suit yield in runs, tabulated.
//!
//! For every set of ranks and every number of wild cards up to [`MOST_WILDS`], a [`RunTable`] holds the most that runs
//! in the suit take off the penalty with exactly so many wilds in them. Which runs those are depends on the limits
//! and on where an ace may stand, not on penalties that options change: an ace counts nothing in the table. Instead the
//! entries of a set with the ace in it are for runs that make use of it, and whoever reads them adds its penalty.
//!
//! A table is made when it is first asked for, once in a process, in some milliseconds at most.

use std::fmt;
use std::sync::OnceLock;

use super::Ace;

/// The most wild cards that the tables know of.
pub(super) const MOST_WILDS: usize = 7;
/// The entry where no runs hold just so many wilds: four of them, and more penalties than a hand has, still add up.
pub(super) const NEVER: i16 = -8192;
/// The ace in a set of ranks.
pub(super) const ACE_BIT: u16 = 1 << 12;
/// The number of sets of ranks.
const RANK_SETS: usize = 1 << 13;

/// What the ranks below the ace cost, by their set.
pub(super) static WORTH: [u8; ACE_BIT as usize] = {
    let mut worth = [0; ACE_BIT as usize];
    let mut ranks = 1;
    while ranks < worth.len() {
        let highest = ranks.ilog2();
        let number = if highest < 8 { highest + 2 } else { 10 };
        worth[ranks] = worth[ranks ^ (1 << highest)] + number as u8;
        ranks += 1;
    }
    worth
};

/// What there is with each number of wilds below `N`.
pub(super) type ByWilds<const N: usize> = [i16; N];
/// With each number that the tables know of.
type Entries = ByWilds<{ MOST_WILDS + 1 }>;

/// The most that runs of one suit take off, by the set of its ranks (a bit each, the two lowest).
pub(super) struct RunTable {
    most: Box<[Entries; RANK_SETS]>,
}

/// What is allowed in a run.
#[derive(Clone, Copy)]
struct Limits {
    places: u32,
    max_wilds: Option<u32>,
    min_naturals: u32,
}

impl fmt::Debug for RunTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RunTable")
    }
}

impl RunTable {
    /// The table for these limits.
    pub(super) fn of(ace: Ace, max_wilds: Option<u8>, min_naturals: u8) -> &'static RunTable {
        static TABLES: [[[OnceLock<RunTable>; 3]; MOST_WILDS + 1]; 2] =
            [const { [const { [const { OnceLock::new() }; 3] }; MOST_WILDS + 1] }; 2];
        // A limit that cannot bind is none: seven wilds a meld, or one natural card.
        let max_wilds = max_wilds.filter(|&most| usize::from(most) < MOST_WILDS);
        let min_naturals = min_naturals.clamp(1, 3);
        let by_wilds = &TABLES[ace as usize][max_wilds.map_or(MOST_WILDS, usize::from)];
        by_wilds[usize::from(min_naturals) - 1].get_or_init(|| {
            RunTable::new(Limits {
                places: ace.places(),
                max_wilds: max_wilds.map(u32::from),
                min_naturals: u32::from(min_naturals),
            })
        })
    }

    /// The entries of a set of ranks.
    #[inline]
    pub(super) fn get(&self, ranks: u16) -> &Entries {
        &self.most[usize::from(ranks) % RANK_SETS]
    }

    fn new(limits: Limits) -> RunTable {
        let most = vec![[NEVER; MOST_WILDS + 1]; RANK_SETS].into_boxed_slice();
        let mut table = RunTable { most: most.try_into().expect("as many as there are") };
        table.most[0][0] = 0;
        for ranks in 1..RANK_SETS as u16 {
            table.fill(ranks, limits);
        }
        table
    }

    /// Fills the entries of a set from those of smaller ones: its lowest card is left or in a run.
    fn fill(&mut self, ranks: u16, limits: Limits) {
        let others = u32::from(ranks & !ACE_BIT) << 1;
        if ranks & ACE_BIT != 0 {
            self.runs_from(ranks, 0, others, limits);
            if limits.places == 14 {
                self.runs_from(ranks, 13, others, limits);
            }
        } else {
            let lowest = others.trailing_zeros();
            self.most[usize::from(ranks)] = *self.get(ranks & (ranks - 1));
            self.runs_from(ranks, lowest, others & (others - 1), limits);
        }
        if limits.max_wilds.is_none() {
            self.add_spare_wilds(ranks);
        }
    }

    /// Tries the runs with the card at a place, which is the lowest of all or a high ace, and any of the others.
    fn runs_from(&mut self, ranks: u16, place: u32, others: u32, limits: Limits) {
        let mut chosen = others;
        loop {
            self.run(ranks, chosen | 1 << place, limits);
            if chosen == 0 {
                return;
            }
            chosen = if limits.max_wilds.is_some() {
                (chosen - 1) & others
            } else if place == 13 {
                chosen & (chosen - 1)
            } else {
                // Without a limit on wilds it never pays to put one where a natural card could stand.
                chosen & !(1 << (u32::BITS - 1 - chosen.leading_zeros()))
            };
        }
    }

    /// Tries the runs of these cards, at places, with wilds between them and around them.
    fn run(&mut self, ranks: u16, run: u32, limits: Limits) {
        let span = u32::BITS - run.leading_zeros() - run.trailing_zeros();
        let naturals = run.count_ones();
        let fewest = (span - naturals).max(3_u32.saturating_sub(naturals));
        let most = limits.max_wilds.map_or(fewest, |most| most.min(limits.places - naturals));
        if naturals < limits.min_naturals || fewest > most {
            return;
        }
        let melded = (run >> 1) as u16 & (ACE_BIT - 1);
        let ace = if run & (1 | 1 << 13) != 0 { ACE_BIT } else { 0 };
        let value = i16::from(WORTH[usize::from(melded)]);
        let rest = *self.get(ranks & !(melded | ace));
        let entries = &mut self.most[usize::from(ranks)];
        for in_run in fewest as usize..=(most as usize).min(MOST_WILDS) {
            for (entry, &rest) in entries[in_run..].iter_mut().zip(&rest) {
                if rest >= 0 {
                    *entry = (*entry).max(rest + value);
                }
            }
        }
    }

    /// Any run takes any number of wilds more: a long one can be two.
    fn add_spare_wilds(&mut self, ranks: u16) {
        let entries = &mut self.most[usize::from(ranks)];
        for wilds in 1..entries.len() {
            let fewer = entries[wilds - 1];
            let is_meld = wilds > 1 || fewer > 0;
            if is_meld {
                entries[wilds] = entries[wilds].max(fewer);
            }
        }
    }
}
