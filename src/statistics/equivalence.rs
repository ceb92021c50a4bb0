//! Equivalence: showing that there is no difference worth speaking of.
//!
//! That an interval covers zero shows nothing; perhaps there were too few blocks. Two values are shown to be alike within a
//! margin that is stated beforehand if two one-sided tests both succeed: that the difference is above −margin, and that it
//! is below +margin (D. J. Schuirmann, *A comparison of the two one-sided tests procedure and the power approach for
//! assessing the equivalence of average bioavailability*, 1987). That is the case at level α just if the interval of
//! confidence 1 − 2 α lies within the margin.

use crate::statistics::tail;

/// The p-value of the claim that a difference is within ±`margin`: the larger of those of the two tests. `value` is the
/// difference that was seen, `variance` that of a block's difference.
///
/// `None` with fewer than two blocks, or where all blocks came out alike, which says nothing about how much they differ.
///
/// ```
/// use dealt::statistics::equivalence::p_value;
/// // A difference of 0.1 ± 0.1 with 99 degrees of freedom: 4 standard errors from the margin on the one side.
/// let p = p_value(0.1, 1.0, 100, 0.5).unwrap();
/// assert!((p - dealt::statistics::tail::student_above(4.0, 99)).abs() < 1e-12);
/// ```
#[must_use]
pub fn p_value(value: f64, variance: f64, blocks: u64, margin: f64) -> Option<f64> {
    above_zero((margin - value).min(margin + value), variance, blocks)
}

/// The p-value of the claim that a mean is above zero. `variance` is that of a block's value.
///
/// `None` with fewer than two blocks, or where all blocks came out alike.
#[must_use]
pub fn above_zero(value: f64, variance: f64, blocks: u64) -> Option<f64> {
    if blocks < 2 || variance <= 0.0 {
        return None;
    }
    let error = libm::sqrt(variance / blocks as f64);
    Some(tail::student_above(value / error, blocks - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::quantile::student;
    use dealt_engine::{Dice, QuickDice};

    #[test]
    fn it_is_shown_just_if_the_interval_of_twice_the_level_lies_within_the_margin() {
        for value in [-0.6, -0.3, 0.0, 0.2, 0.45] {
            for blocks in [2, 5, 40, 3000] {
                let half = student(0.9, blocks - 1) / (blocks as f64).sqrt();
                let within = value - half > -0.5 && value + half < 0.5;
                let p = p_value(value, 1.0, blocks, 0.5).unwrap();
                assert_eq!(p < 0.05, within, "{value} {blocks}: {p}");
            }
        }
        assert_eq!(p_value(0.0, 1.0, 1, 0.5), None);
        assert_eq!(p_value(0.0, 0.0, 9, 0.5), None);
        assert!(p_value(9.0, 1.0, 9, 0.5).unwrap() > 0.99);
    }

    /// Differences of blocks are uniform on whole numbers from −10 to 10 about a truth that lies on the margin.
    #[test]
    fn a_difference_as_large_as_the_margin_is_called_none_in_five_of_a_hundred_runs_at_most() {
        let mut dice = QuickDice::new(0xe0, 1);
        let mut shown = 0;
        for _ in 0..2000 {
            let blocks = 100;
            let values: Vec<f64> = (0..blocks).map(|_| f64::from(dice.below(21)) - 10.0 + 3.0).collect();
            let mean = values.iter().sum::<f64>() / f64::from(blocks);
            let variance =
                values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / f64::from(blocks - 1);
            let p = p_value(mean, variance, 100, 3.0);
            shown += u32::from(p.is_some_and(|p| p <= 0.05));
        }
        assert!((60..=140).contains(&shown), "{shown} of 2000");
    }
}
