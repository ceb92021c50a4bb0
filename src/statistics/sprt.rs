//! The sequential probability ratio test: play until it is clear (A. Wald, *Sequential tests of statistical hypotheses*,
//! 1945).
//!
//! Two hypotheses, H0 and H1, state how much stronger A is than B. After each batch of blocks the log-likelihood ratio (LLR)
//! says how much better H1 explains what was seen than H0. At one bound H1 is accepted, at the other H0; between them play
//! goes on. Whatever the truth is, H1 is accepted with probability α at most if H0 holds, and H0 with β at most if H1
//! does. The number of games is not fixed, and is small where the answer is clear.
//!
//! Two models give the ratio: [`pentanomial`](super::pentanomial) for pairs of games of two players, and [`block_llr`] for
//! anything that is measured of a block. In both, strength is the *effect* of a block: the mean of what is measured over
//! its standard deviation, so that neither needs to know the variance beforehand. Normalized Elo ([`effect_of_elo`]) is the
//! same on the scale of chess players.

/// When a test ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// At this LLR or below H0 is accepted.
    pub lower: f64,
    /// At this LLR or above H1 is accepted.
    pub upper: f64,
}

/// What a test has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// H0 is accepted.
    H0,
    /// H1 is accepted.
    H1,
    /// Neither yet.
    Open,
}

impl Bounds {
    /// The bounds for error rates of at most `alpha` (H1 accepted though H0 holds) and `beta` (the reverse).
    ///
    /// ```
    /// let bounds = dealt::statistics::sprt::Bounds::new(0.05, 0.05);
    /// assert!((bounds.upper - 2.944439).abs() < 1e-6 && (bounds.lower + 2.944439).abs() < 1e-6);
    /// ```
    #[must_use]
    pub fn new(alpha: f64, beta: f64) -> Bounds {
        Bounds { lower: libm::log(beta / (1.0 - alpha)), upper: libm::log((1.0 - beta) / alpha) }
    }

    /// What an LLR means.
    #[must_use]
    pub fn decide(&self, llr: f64) -> Decision {
        if llr >= self.upper {
            Decision::H1
        } else if llr <= self.lower {
            Decision::H0
        } else {
            Decision::Open
        }
    }
}

/// The effect of a pair of games that is a normalized Elo difference: the difference is ln 10 / 800 · nElo standard
/// deviations of a game, and √2 times as many of a pair's mean (M. Van den Bergh, *Normalized Elo*).
#[must_use]
pub fn effect_of_elo(elo: f64) -> f64 {
    elo * std::f64::consts::LN_10 / 800.0 * std::f64::consts::SQRT_2
}

/// The normalized Elo difference of an effect: the inverse of [`effect_of_elo`].
#[must_use]
pub fn elo_of_effect(effect: f64) -> f64 {
    effect / effect_of_elo(1.0)
}

/// The LLR of an effect of `h1` against one of `h0`, where blocks have this mean and variance. `None` if the blocks are too
/// few to have a variance, or all alike.
///
/// It is that of the normal distribution with the variance estimated, to which the ratio of maximal likelihoods comes near
/// for small effects and many blocks.
///
/// ```
/// let llr = dealt::statistics::sprt::block_llr(0.2, 4.0, 100, 0.0, 0.1).unwrap();
/// assert!((llr - 100.0 * 0.1 * (2.0 * 0.1 - 0.1) / 2.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn block_llr(mean: f64, variance: f64, blocks: u64, h0: f64, h1: f64) -> Option<f64> {
    if blocks < 2 || variance <= 0.0 {
        return None;
    }
    let effect = mean / libm::sqrt(variance);
    Some(blocks as f64 * (h1 - h0) * (2.0 * effect - h0 - h1) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dealt_engine::{Dice, QuickDice};

    const RUNS: u64 = 1500;
    const BATCH: u64 = 25;

    /// A block of four games whose luck hangs together: whole numbers of some spread about `shift` sixty-fourths.
    fn block(dice: &mut QuickDice, shift: i64) -> i64 {
        let luck = i64::from(dice.below(65)) - 32;
        let games: i64 = (0..4).map(|_| i64::from(dice.below(129)) - 64).sum();
        shift + luck + games
    }

    /// How many runs with this mean of a block accept H1, and how many accept nothing in 10,000 blocks.
    fn accepted(shift: i64, h0: f64, h1: f64) -> (u64, u64) {
        let bounds = Bounds::new(0.05, 0.1);
        let (mut of_h1, mut open) = (0, 0);
        for run in 0..RUNS {
            let mut dice = QuickDice::new(0x5b7, run);
            let (mut blocks, mut sum, mut squares) = (0_u64, 0_i64, 0_i64);
            let decision = loop {
                for _ in 0..BATCH {
                    let value = block(&mut dice, shift);
                    sum += value;
                    squares += value * value;
                }
                blocks += BATCH;
                let count = blocks as f64;
                let mean = sum as f64 / count;
                let variance = (squares as f64 - sum as f64 * mean) / (count - 1.0);
                let decision = bounds.decide(block_llr(mean, variance, blocks, h0, h1).unwrap());
                if decision != Decision::Open || blocks >= 10_000 {
                    break decision;
                }
            };
            of_h1 += u64::from(decision == Decision::H1);
            open += u64::from(decision == Decision::Open);
        }
        (of_h1, open)
    }

    #[test]
    fn a_test_on_blocks_errs_as_rarely_as_it_says() {
        // Variances: (65² − 1) / 12 of the luck, four times (129² − 1) / 12 of the games.
        let deviation = f64::sqrt(352.0 + 4.0 * 1_386.666_667);
        let effect = 12.0 / deviation;
        let (false_alarms, open) = accepted(0, 0.0, effect);
        assert!(false_alarms as f64 <= 0.05 * RUNS as f64 && open == 0, "{false_alarms} {open}");
        let (found, open) = accepted(12, 0.0, effect);
        assert!(found as f64 >= 0.9 * RUNS as f64 && open == 0, "{found} {open}");
        // Bounds that do not start at zero.
        let (false_alarms, _) = accepted(-12, -effect, 0.0);
        assert!(false_alarms as f64 <= 0.05 * RUNS as f64, "{false_alarms}");
    }

    #[test]
    fn too_few_blocks_or_blocks_all_alike_give_no_ratio() {
        assert_eq!(block_llr(1.0, 1.0, 1, 0.0, 0.1), None);
        assert_eq!(block_llr(1.0, 0.0, 50, 0.0, 0.1), None);
    }

    #[test]
    fn elo_and_effects_are_converted_back_and_forth() {
        assert!((effect_of_elo(100.0) - 0.407_044).abs() < 1e-6);
        assert!((elo_of_effect(effect_of_elo(7.5)) - 7.5).abs() < 1e-12);
    }
}
