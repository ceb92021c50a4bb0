//! How many blocks a difference needs: from what a pilot tells of the variance to the size of the run that would show it.

use crate::statistics::quantile;

/// How often a run of the planned size is to show the difference, if it is as large as supposed.
pub const POWER: f64 = 0.9;

/// How many blocks make the interval of a difference leave zero out with probability [`POWER`], if the difference is truly
/// `difference` and that of a block has this variance.
///
/// The interval is `t · √(variance / blocks)` to each side; the difference must exceed it by as many standard errors as
/// leave the rest of the probability below. `None` if there is no difference or no variance to plan by.
///
/// ```
/// // (1.96 + 1.28)² / 0.1² with the normal quantiles; somewhat more with Student's.
/// assert_eq!(dealt::statistics::planner::blocks_needed(0.1, 1.0, 0.95), Some(1053));
/// ```
#[must_use]
pub fn blocks_needed(difference: f64, variance: f64, confidence: f64) -> Option<u64> {
    let ratio = variance / (difference * difference);
    if !(variance > 0.0 && ratio.is_finite()) {
        return None;
    }
    let beyond = quantile::normal(2.0 * POWER - 1.0);
    let size = |width: f64| libm::ceil((width + beyond) * (width + beyond) * ratio).clamp(2.0, 1e18) as u64;
    // A wider interval takes more blocks, and more blocks make it narrower: three rounds settle it.
    let mut blocks = size(quantile::normal(confidence));
    for _ in 0..3 {
        blocks = size(quantile::student(confidence, blocks - 1));
    }
    Some(blocks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::judge::{Judge, Nature};
    use dealt_engine::{Dice, QuickDice};

    #[test]
    fn a_run_of_the_planned_size_shows_the_difference_as_often_as_planned() {
        // Blocks of −1, 0 and 1 in two halves of uniform numbers: a mean of 0.2, a variance of 0.76.
        let (difference, variance) = (0.2, 0.5 + 0.3 - 0.04);
        let blocks = blocks_needed(difference, variance, 0.95).unwrap();
        let judge = Judge::new(blocks, 0.95);
        let mut dice = QuickDice::new(0x91a, 1);
        let mut shown = 0;
        for _ in 0..2000 {
            let (mut sum, mut squares) = (0_i64, 0_i64);
            for _ in 0..blocks {
                let block = match dice.below(10) {
                    0..5 => 1,
                    5..8 => -1,
                    _ => 0,
                };
                sum += block;
                squares += block * block;
            }
            let count = blocks as f64;
            let mean = sum as f64 / count;
            let spread = (squares as f64 - sum as f64 * mean) / (count - 1.0);
            let interval = judge.estimate(mean, spread, Nature::Free).interval;
            shown += u32::from(interval.is_ok_and(|interval| interval.low > 0.0));
        }
        assert!((1740..=1860).contains(&shown), "{shown} of 2000");
    }

    #[test]
    fn what_cannot_be_planned_has_no_size_and_what_is_plain_needs_two_blocks() {
        assert_eq!(blocks_needed(0.0, 1.0, 0.95), None);
        assert_eq!(blocks_needed(0.1, 0.0, 0.95), None);
        assert_eq!(blocks_needed(f64::NAN, 1.0, 0.95), None);
        assert!(blocks_needed(1.0, 1e-9, 0.95).unwrap() < 10);
        assert_eq!(blocks_needed(1e-30, 1.0, 0.95), Some(1_000_000_000_000_000_000));
    }
}
