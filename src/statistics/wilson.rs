//! Wilson's score interval (E. B. Wilson, *Probable inference, the law of succession, and statistical inference*, 1927).
//!
//! It is for independent outcomes of 0 or 1 only. Unlike the textbook interval it has a width when all outcomes are
//! alike.

/// The interval for a share of `trials` independent outcomes, `share` of which were 1; `z` is the normal quantile of the
/// confidence level.
///
/// ```
/// use dealt::statistics::{quantile, wilson::wilson};
/// let (low, high) = wilson(0.3, 10, quantile::normal(0.95));
/// assert!((low - 0.107791).abs() < 1e-6 && (high - 0.603222).abs() < 1e-6);
/// ```
#[must_use]
pub fn wilson(share: f64, trials: u64, z: f64) -> (f64, f64) {
    let trials = trials as f64;
    let square = z * z;
    let shrink = 1.0 + square / trials;
    let centre = (share + square / (2.0 * trials)) / shrink;
    let variance = share * (1.0 - share) / trials + square / (4.0 * trials * trials);
    let half = z * libm::sqrt(variance) / shrink;
    // At the ends the formula gives 0 and 1 up to rounding.
    let low = if share <= 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if share >= 1.0 { 1.0 } else { (centre + half).min(1.0) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::quantile::normal;
    use dealt_engine::{Dice, QuickDice};

    #[test]
    fn the_published_values_come_out() {
        let known = [
            ((0_u32, 10_u32), (0.0, 0.277533)),
            ((3, 10), (0.107791, 0.603222)),
            ((10, 10), (0.722467, 1.0)),
            ((250, 1000), (0.224153, 0.277760)),
            ((1, 1), (0.206549, 1.0)),
        ];
        for ((wins, trials), (low, high)) in known {
            let found = wilson(f64::from(wins) / f64::from(trials), u64::from(trials), normal(0.95));
            assert!(
                (found.0 - low).abs() < 5e-7 && (found.1 - high).abs() < 5e-7,
                "{wins}/{trials}: {found:?}"
            );
        }
    }

    #[test]
    fn it_covers_the_truth_as_often_as_it_says() {
        let z = normal(0.95);
        let mut dice = QuickDice::new(0x77, 1);
        for (percent, trials) in [(50, 100), (20, 200), (90, 150)] {
            let truth = f64::from(percent) / 100.0;
            let covered = (0..4000).filter(|_| {
                let wins = (0..trials).filter(|_| dice.below(100) < percent).count();
                let (low, high) = wilson(wins as f64 / trials as f64, trials, z);
                (low..=high).contains(&truth)
            });
            let covered = covered.count();
            assert!((3720..=3880).contains(&covered), "{percent} % of {trials}: {covered} of 4000");
        }
    }
}
