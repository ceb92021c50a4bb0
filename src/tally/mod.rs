//! What a run keeps of its games: integer sums, of a size that does not depend on how many games there are.
//!
//! Tallies of parts of a run merge into the tally of the whole, in any order, to the last bit; floats are made of them
//! once, at the end, by [`summarise`].
//!
//! - [`plan`]: what is counted
//! - [`metrics`]: what is made of it to describe the game
//! - [`row`]: the totals of one block
//! - [`stored`]: a tally as text
//! - [`summarise`]: the tables of the results

pub mod metrics;
pub mod plan;
pub mod row;
pub mod stored;
pub mod summarise;

use crate::seating::Order;
use crate::statistics::histogram::Histogram;
use crate::statistics::moments::{Products, Sample};
use crate::statistics::pentanomial::PairCounts;
use crate::table::Course;
use metrics::LENGTHS;
use plan::{Plan, TableTotal};
use row::{Row, Standings, lengths};

/// The tally of some blocks of an experiment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Blocks counted.
    pub blocks: u64,
    /// What was counted under each variant.
    pub variants: Vec<VariantTally>,
}

/// The tally of some blocks under one variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantTally {
    /// The sums of the blocks' rows.
    sums: Vec<i128>,
    /// Products within a row.
    own: Products,
    /// Products of its row with that of the first variant; none for the first itself.
    across: Option<Products>,
    /// For each agent how often it made which score in a deal, and in a game.
    pub scores: Vec<[Histogram; 2]>,
    /// How often games were how long, by [`LENGTHS`].
    pub lengths: [Histogram; LENGTHS.len()],
}

/// A total of a block that is too large for its products to be summed exactly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl Tally {
    /// The tally of no blocks.
    #[must_use]
    pub fn new(plan: &Plan, variants: usize) -> Tally {
        let variant = |place: usize| VariantTally {
            sums: vec![0; plan.totals],
            own: Products::new(plan.pairs.len()),
            across: (place > 0).then(|| Products::new(plan.pairs.len())),
            scores: vec![Default::default(); plan.agents],
            lengths: Default::default(),
        };
        Tally { blocks: 0, variants: (0..variants).map(variant).collect() }
    }

    /// Counts a finished block, of which there is a row for each variant.
    ///
    /// # Errors
    /// If a total is so large that sums of products over `plan.blocks` blocks might not be exact.
    pub fn add_block(&mut self, plan: &Plan, rows: &[Row]) -> Result<(), TooLarge> {
        self.blocks += 1;
        for (variant, row) in self.variants.iter_mut().zip(rows) {
            if row.totals.iter().any(|total| total.unsigned_abs() > plan.largest_total) {
                return Err(TooLarge);
            }
            variant.sums.iter_mut().zip(&row.totals).for_each(|(sum, &total)| *sum += i128::from(total));
            variant.own.add(&plan.pairs, &row.totals, &row.totals);
            if let Some(across) = &mut variant.across {
                across.add(&plan.pairs, &row.totals, &rows[0].totals);
            }
        }
        Ok(())
    }

    /// Adds other blocks.
    pub fn merge(&mut self, other: &Tally) {
        self.blocks += other.blocks;
        self.variants.iter_mut().zip(&other.variants).for_each(|(variant, more)| variant.merge(more));
    }

    /// Decisions and deals under all variants.
    #[must_use]
    pub fn decisions_and_deals(&self, plan: &Plan) -> [u64; 2] {
        let sum = |place: usize| self.variants.iter().map(|variant| variant.sums[place]).sum::<i128>() as u64;
        [TableTotal::Decisions, TableTotal::Deals].map(|total| sum(plan.table(total)))
    }

    /// In how many blocks the first agent of a contrast scored 0, ½, 1, 1½ or 2 of two games against the other, under
    /// the first variant; `None` if they do not meet in games of two.
    #[must_use]
    pub fn pair_counts(&self, plan: &Plan, pair: usize) -> Option<PairCounts> {
        let places = plan.pair_scores(pair)?;
        let sums = &self.variants.first()?.sums[places];
        Some(std::array::from_fn(|score| sums[score] as u64))
    }

    /// The sample of a variant's own rows.
    fn own<'t>(&'t self, plan: &'t Plan, variant: usize) -> Sample<'t> {
        let VariantTally { sums, own, .. } = &self.variants[variant];
        Sample { blocks: self.blocks, pairs: &plan.pairs, one: sums, other: sums, products: own }
    }

    /// The sample of a variant's rows against those of the first.
    fn across<'t>(&'t self, plan: &'t Plan, variant: usize) -> Option<Sample<'t>> {
        let VariantTally { sums, across, .. } = &self.variants[variant];
        let products = across.as_ref()?;
        let other = &self.variants[0].sums;
        Some(Sample { blocks: self.blocks, pairs: &plan.pairs, one: sums, other, products })
    }
}

impl VariantTally {
    /// Counts a game in the histograms.
    pub fn add_game(&mut self, plan: &Plan, order: &Order, course: &Course) {
        for (seat, &agent) in order.iter().enumerate() {
            let [deals, games] = &mut self.scores[usize::from(agent)];
            course.deals.iter().for_each(|scores| deals.add(i64::from(scores[seat])));
            games.add(i64::from(course.totals[seat]));
        }
        self.lengths.iter_mut().zip(lengths(plan, course)).for_each(|(counts, length)| counts.add(length));
    }

    fn merge(&mut self, other: &VariantTally) {
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
        self.own.merge(&other.own);
        if let (Some(across), Some(more)) = (&mut self.across, &other.across) {
            across.merge(more);
        }
        let scores = self.scores.iter_mut().flatten().zip(other.scores.iter().flatten());
        scores.for_each(|(counts, more)| counts.merge(more));
        self.lengths.iter_mut().zip(&other.lengths).for_each(|(counts, more)| counts.merge(more));
    }
}

/// Counts the games of blocks into a tally, one block after the other.
#[derive(Clone, Debug)]
pub struct Counter<'p> {
    plan: &'p Plan,
    rows: Vec<Row>,
    tally: Tally,
}

impl<'p> Counter<'p> {
    /// Nothing counted yet.
    #[must_use]
    pub fn new(plan: &'p Plan, variants: usize) -> Counter<'p> {
        Counter { plan, rows: vec![Row::new(plan); variants], tally: Tally::new(plan, variants) }
    }

    /// Counts a game of the block, by its place among the plan's seatings.
    pub fn add_game(&mut self, variant: usize, game: usize, course: &Course) -> Standings {
        let seated = &self.plan.seatings[game];
        let standings = Standings::new(&course.totals[..self.plan.players], self.plan.lowest_wins);
        self.rows[variant].add_game(self.plan, seated, course, &standings);
        self.tally.variants[variant].add_game(self.plan, &seated.order, course);
        standings
    }

    /// The block is finished.
    ///
    /// # Errors
    /// If its numbers are too large to be summed exactly.
    pub fn finish_block(&mut self) -> Result<(), TooLarge> {
        self.rows.iter_mut().for_each(|row| row.finish(self.plan));
        self.tally.add_block(self.plan, &self.rows)?;
        self.rows.iter_mut().for_each(Row::clear);
        Ok(())
    }

    /// What was counted; counting starts anew.
    pub fn take(&mut self) -> Tally {
        let empty = Tally::new(self.plan, self.rows.len());
        std::mem::replace(&mut self.tally, empty)
    }
}
