//! How far strengths may be off: blocks drawn again with replacement.
//!
//! A sample of blocks has strengths of its own. They are found from the maximum of all blocks by one step of Newton's
//! method, which needs of each block only the slope of its likelihood there: the sample's slope is the sum of those of its
//! blocks (W. R. Schucany and S. Wang, *One-step bootstrapping for smooth iterative procedures*, 1991). The ghost's games
//! are in every sample.

use dealt_engine::{Dice, QuickDice};

use super::Settings;
use super::likelihood::{Layout, Outcome, Sums};
use super::maximise::Maximum;

/// The parameters of each sample; `None` with fewer than two blocks, or where all blocks came out alike.
#[must_use]
pub fn samples(
    layout: &Layout,
    outcomes: &[Outcome<'_>],
    best: &Maximum,
    blocks: usize,
    settings: &Settings,
) -> Option<Vec<Vec<f64>>> {
    let slopes = slopes_by_block(layout, outcomes, &best.at, blocks);
    let is_alike = |one: &Vec<f64>| one.iter().zip(&slopes[0]).all(|(one, first)| (one - first).abs() < 1e-9);
    if blocks < 2 || slopes.iter().all(is_alike) {
        return None;
    }
    // The slope of all blocks and the ghost is 0: what a sample adds to it is its difference from all blocks.
    let all: Vec<f64> =
        (0..layout.parameters()).map(|place| slopes.iter().map(|slope| slope[place]).sum()).collect();
    let sample = |number: u32| {
        let mut dice = QuickDice::new(settings.seed, u64::from(number));
        let mut slope: Vec<f64> = all.iter().map(|sum| -sum).collect();
        for _ in 0..blocks {
            let block = &slopes[dice.below(blocks as u32) as usize];
            slope.iter_mut().zip(block).for_each(|(sum, more)| *sum += more);
        }
        let step = best.factor.solve(&slope);
        best.at.iter().zip(step).map(|(at, step)| at + step).collect()
    };
    Some((0..settings.samples).map(sample).collect())
}

fn slopes_by_block(layout: &Layout, outcomes: &[Outcome<'_>], at: &[f64], blocks: usize) -> Vec<Vec<f64>> {
    let mut slopes = vec![vec![0.0; layout.parameters()]; blocks];
    for outcome in outcomes {
        let mut sums = Sums::new(layout.parameters(), false);
        layout.add(outcome, 1.0, at, &mut sums);
        for &(block, count) in outcome.counts {
            slopes[block].iter_mut().zip(&sums.slopes).for_each(|(sum, slope)| *sum += count as f64 * slope);
        }
    }
    slopes
}

/// The standard deviation of so many values.
#[must_use]
pub fn deviation(count: usize, value: &dyn Fn(usize) -> f64) -> f64 {
    let mean = (0..count).map(value).sum::<f64>() / count as f64;
    let squares: f64 = (0..count).map(|place| (value(place) - mean) * (value(place) - mean)).sum();
    libm::sqrt(squares / (count.max(2) - 1) as f64)
}
