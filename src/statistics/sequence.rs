//! Intervals that hold however often one looks: for the display of a run that still goes on.
//!
//! A fixed-size interval that is looked at again and again is left by the truth sooner or later. An asymptotic
//! confidence sequence is wide enough for all looks together (I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy,
//! A. Ramdas, *Time-uniform central limit theory and asymptotic confidence sequences*).

/// Half the width of the confidence sequence after `blocks`, in units of the standard deviation of a block.
///
/// `confidence` is the level; the sequence is narrowest around `tuned_for` blocks.
#[must_use]
pub fn half_width(blocks: u64, tuned_for: u64, confidence: f64) -> f64 {
    let alpha = 1.0 - confidence;
    let log = -2.0 * libm::log(alpha);
    let rho_square = (log + libm::log(log + 1.0)) / tuned_for.max(1) as f64;
    let blocks = blocks as f64;
    let spread = blocks * rho_square + 1.0;
    let bound = 2.0 * spread / (blocks * blocks * rho_square);
    libm::sqrt(bound * libm::log(libm::sqrt(spread) / alpha))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::quantile::student;
    use dealt_engine::{Dice, QuickDice};

    const RUNS: u64 = 600;
    const BLOCKS: u64 = 20_000;
    const LOOK_EVERY: u64 = 100;

    /// Of runs between equals (each pair of games won, drawn or lost as a whole), the share that some look at the
    /// interval of the given half-width (in standard errors) takes for a difference.
    fn false_alarms(half_width: impl Fn(u64) -> f64) -> f64 {
        let widths: Vec<f64> = (1..=BLOCKS / LOOK_EVERY).map(|look| half_width(look * LOOK_EVERY)).collect();
        let is_fooled = |run: u64| {
            let mut dice = QuickDice::new(0x5e9, run);
            let (mut sum, mut squares) = (0_i64, 0_i64);
            (0..widths.len()).any(|look| {
                for _ in 0..LOOK_EVERY {
                    let outcome = i64::from(dice.below(4) / 3) - i64::from(dice.below(4) / 3);
                    sum += outcome;
                    squares += outcome * outcome;
                }
                let blocks = ((look as u64 + 1) * LOOK_EVERY) as f64;
                let mean = sum as f64 / blocks;
                let deviation = (squares as f64 / blocks - mean * mean).sqrt();
                mean.abs() > widths[look] * deviation
            })
        };
        (0..RUNS).filter(|&run| is_fooled(run)).count() as f64 / RUNS as f64
    }

    #[test]
    fn looking_again_and_again_errs_rarely_with_the_sequence_and_often_with_a_fixed_interval() {
        let sequence = false_alarms(|blocks| half_width(blocks, BLOCKS, 0.95));
        let fixed = false_alarms(|blocks| student(0.95, blocks - 1) / (blocks as f64).sqrt());
        assert!(sequence <= 0.05, "{sequence}");
        assert!((0.3..0.55).contains(&fixed), "{fixed}");
    }

    #[test]
    fn the_width_shrinks_with_the_blocks_and_is_narrowest_where_it_is_tuned() {
        let widths: Vec<f64> = (1..200).map(|blocks| half_width(blocks, 100, 0.95)).collect();
        assert!(widths.windows(2).all(|pair| pair[1] < pair[0]));
        let tuned = |tuned_for| half_width(100, tuned_for, 0.95);
        assert!(tuned(100) < tuned(10) && tuned(100) < tuned(1000));
        // By hand: α = 0.05, −2 ln α = 5.991465, ρ² = (5.991465 + ln 6.991465) / 100 = 0.07936155.
        assert!((tuned(100) - 0.303_520_899).abs() < 1e-8, "{}", tuned(100));
    }
}
