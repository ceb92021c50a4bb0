//! From a value and its variance over blocks to an interval, or to the reason why there is none.

use crate::estimate::{Estimate, Interval, Method, Missing};
use crate::statistics::{quantile, wilson::wilson};

/// Gives intervals at one confidence level over one number of blocks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judge {
    blocks: u64,
    z: f64,
    /// None for fewer than two blocks.
    t: Option<f64>,
}

/// What is known of a value apart from the value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Nature {
    /// Any number.
    Free,
    /// A mean over blocks of numbers that lie within these bounds.
    Within(f64, f64),
    /// A share of independent games, one a block, that were each won or not; its bounds tell what 0 and 1 are.
    Outcomes(f64, f64),
}

impl Judge {
    /// A judge of results over this many blocks.
    #[must_use]
    pub fn new(blocks: u64, confidence: f64) -> Judge {
        let t = (blocks > 1).then(|| quantile::student(confidence, blocks - 1));
        Judge { blocks, z: quantile::normal(confidence), t }
    }

    /// The estimate of a value whose variance over blocks is `variance`.
    #[must_use]
    pub fn estimate(&self, value: f64, variance: f64, nature: Nature) -> Estimate {
        let interval = match (nature, self.t) {
            (Nature::Outcomes(low, high), _) => Ok(self.wilson(value, low, high, Method::Wilson)),
            (_, None) => Err(Missing::TooFewBlocks),
            (Nature::Within(low, high), _) if variance <= 0.0 => {
                Ok(self.wilson(value, low, high, Method::WilsonBlocks))
            }
            (Nature::Free, _) if variance <= 0.0 => Err(Missing::NoSpread),
            (_, Some(t)) => {
                let half = t * libm::sqrt(variance / self.blocks as f64);
                let (least, most) = match nature {
                    Nature::Within(low, high) => (low, high),
                    _ => (f64::NEG_INFINITY, f64::INFINITY),
                };
                let (low, high) = ((value - half).max(least), (value + half).min(most));
                Ok(Interval { low, high, method: Method::BlockT })
            }
        };
        Estimate { value: Some(value), interval }
    }

    fn wilson(&self, value: f64, least: f64, most: f64, method: Method) -> Interval {
        let share = (value - least) / (most - least);
        let (low, high) = wilson(share, self.blocks, self.z);
        Interval { low: least + low * (most - least), high: least + high * (most - least), method }
    }

    /// The shares of the blocks between which a quantile of the truth lies. The games of a block are taken to be one
    /// observation, though they tell more than that.
    #[must_use]
    pub fn quantile_bounds(&self, quantile: f64) -> Option<(f64, f64)> {
        self.t?;
        let half = self.z * libm::sqrt(quantile * (1.0 - quantile) / self.blocks as f64);
        Some(((quantile - half).max(0.0), (quantile + half).min(1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dealt_engine::{Dice, QuickDice};

    const WITHIN: Nature = Nature::Within(0.0, 1.0);

    #[test]
    fn the_method_fits_what_is_known() {
        let method = |blocks, value, variance, nature| {
            Judge::new(blocks, 0.95).estimate(value, variance, nature).method()
        };
        assert_eq!(method(1, 0.5, 0.0, Nature::Free), "too_few_blocks");
        assert_eq!(method(1, 0.5, 0.0, WITHIN), "too_few_blocks");
        assert_eq!(method(1, 1.0, 0.0, Nature::Outcomes(0.0, 1.0)), "wilson");
        assert_eq!(method(9, 0.5, 0.0, Nature::Free), "no_spread");
        assert_eq!(method(9, 0.5, 0.0, WITHIN), "wilson_blocks");
        assert_eq!(method(9, 0.5, 0.1, WITHIN), "block_t");
    }

    #[test]
    fn the_block_interval_is_the_one_found_by_hand() {
        // t(3) = 3.182446, variance 4: 10 ± 3.182446 · √(4 / 4).
        let interval = Judge::new(4, 0.95).estimate(10.0, 4.0, Nature::Free).interval.unwrap();
        assert!((interval.low - 6.817_554).abs() < 1e-6 && (interval.high - 13.182_446).abs() < 1e-6);
        let clamped = Judge::new(4, 0.95).estimate(0.9, 4.0, WITHIN).interval.unwrap();
        assert_eq!((clamped.low, clamped.high), (0.0, 1.0));
        // A contrast of shares that is 0 in each of 10 blocks: Wilson about ½, stretched to −1 … 1.
        let still = Judge::new(10, 0.95).estimate(0.0, 0.0, Nature::Within(-1.0, 1.0)).interval.unwrap();
        assert!((still.low + 0.526_814).abs() < 1e-6 && (still.high + still.low).abs() < 1e-12, "{still:?}");
    }

    /// Blocks of four games with a share of luck in common: the truth is a mean of 0.3.
    #[test]
    fn block_intervals_cover_the_truth_as_often_as_they_say_though_games_of_a_block_hang_together() {
        let mut dice = QuickDice::new(0xb10c, 1);
        let mut covered = 0;
        for _ in 0..3000 {
            let blocks = 40;
            let (mut sum, mut squares) = (0_i64, 0_i64);
            for _ in 0..blocks {
                // 0.5 · 10 % + 0.5 · 50 %.
                let chance = if dice.below(2) == 0 { 10 } else { 50 };
                let wins = (0..4).filter(|_| dice.below(100) < chance).count() as i64;
                sum += wins;
                squares += wins * wins;
            }
            let variance = (blocks * squares - sum * sum) as f64 / (blocks * (blocks - 1) * 16) as f64;
            let judge = Judge::new(blocks as u64, 0.95);
            let estimate = judge.estimate(sum as f64 / (blocks * 4) as f64, variance, WITHIN);
            covered += u32::from(estimate.interval.is_ok_and(|interval| interval.has(0.3)));
        }
        assert!((2790..=2910).contains(&covered), "{covered} of 3000");
    }
}
