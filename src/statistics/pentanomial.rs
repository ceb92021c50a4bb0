//! The log-likelihood ratio of pairs of games, by the five scores that a pair can have.
//!
//! Two games on the same cards with the seats swapped are one observation: A's mean score in them, 0, ¼, ½, ¾ or 1. The
//! likelihood of the five counts under a hypothesis is the largest that any distribution reaches whose mean and standard
//! deviation fit it: (mean − ½) / deviation = t, the effect of a pair. The ratio of two such maxima is the generalised
//! likelihood ratio (M. Van den Bergh, *Comments on normalized Elo* and *The generalized maximum likelihood ratio for the
//! expectation value of a distribution*); chess engines are tested by it.

/// How often A's mean score in a pair of games was 0, ¼, ½, ¾ and 1.
pub type PairCounts = [u64; 5];

/// The scores.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// What stands for a count of zero, so that no score is impossible.
const FOR_ZERO: f64 = 1e-3;
/// How often the constraint is straightened out at the last solution. Van den Bergh found far fewer to be enough.
const STEPS: u32 = 10;

/// The LLR of an effect of `h1` against one of `h0`; 0 if no pair was counted.
///
/// ```
/// use dealt::statistics::{pentanomial::llr, sprt::effect_of_elo};
/// let counts = [13, 37, 50, 25, 3];
/// let llr = llr(&counts, effect_of_elo(0.0), effect_of_elo(4.0));
/// assert!((llr + 0.54912).abs() < 5e-6);
/// ```
#[must_use]
pub fn llr(counts: &PairCounts, h0: f64, h1: f64) -> f64 {
    if counts.iter().sum::<u64>() == 0 {
        return 0.0;
    }
    let counts = counts.map(|count| if count == 0 { FOR_ZERO } else { count as f64 });
    let pairs: f64 = counts.iter().sum();
    let seen = counts.map(|count| count / pairs);
    let [p0, p1] = [h0, h1].map(|effect| most_likely(&seen, effect));
    let terms = seen.iter().zip(p0).zip(p1).map(|((seen, p0), p1)| seen * libm::log(p1 / p0));
    pairs * terms.sum::<f64>()
}

/// The distribution with this effect under which what was seen is most likely.
///
/// The constraint is not linear in the distribution. It is replaced by its tangent at the last solution, for which the
/// maximum is known up to one multiplier, and so on from the uniform distribution.
fn most_likely(seen: &[f64; 5], effect: f64) -> [f64; 5] {
    let mut p = [0.2; 5];
    for _ in 0..STEPS {
        let mean: f64 = p.iter().zip(SCORES).map(|(p, score)| p * score).sum();
        let variance: f64 = p.iter().zip(SCORES).map(|(p, score)| p * (score - mean) * (score - mean)).sum();
        let deviation = libm::sqrt(variance);
        let tangent = SCORES.map(|score| {
            let away = (score - mean) / deviation;
            score - 0.5 - effect * deviation * (1.0 + away * away) / 2.0
        });
        let Some(multiplier) = multiplier(seen, &tangent) else { break };
        let next: [f64; 5] = std::array::from_fn(|i| seen[i] / (1.0 + multiplier * tangent[i]));
        let moved = p.iter().zip(next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        p = next;
        if moved < 1e-12 {
            break;
        }
    }
    p
}

/// The x with Σ seen · g / (1 + x g) = 0, for which all 1 + x g are positive; none if the g are all of one sign. The sum falls
/// as x grows, from +∞ to −∞.
fn multiplier(seen: &[f64; 5], g: &[f64; 5]) -> Option<f64> {
    let (least, most) = g.iter().fold((0.0_f64, 0.0_f64), |(least, most), &g| (least.min(g), most.max(g)));
    if least >= 0.0 || most <= 0.0 {
        return None;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return Some(middle);
        }
        let sum: f64 = seen.iter().zip(g).map(|(seen, g)| seen * g / (1.0 + middle * g)).sum();
        if sum > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::sprt::{Bounds, Decision, effect_of_elo};
    use dealt_engine::{Dice, QuickDice};

    #[test]
    fn the_published_ratios_come_out() {
        let known: [(PairCounts, f64, f64, f64, f64); 4] = [
            ([13, 37, 50, 25, 3], 0.0, 4.0, -0.54912, 5e-6),
            ([379, 10170, 21828, 10640, 343], 0.0, 2.0, 2.9455, 5e-5),
            ([39, 8843, 26675, 9240, 44], 0.5, 2.5, 2.94168, 5e-6),
            ([0, 0, 0, 0, 10], 0.0, 5.0, 0.20145, 5e-6),
        ];
        for (counts, h0, h1, llr, tolerance) in known {
            let found = super::llr(&counts, effect_of_elo(h0), effect_of_elo(h1));
            assert!((found - llr).abs() <= tolerance, "{counts:?}: {found}, not {llr}");
        }
    }

    #[test]
    fn any_counts_give_a_finite_ratio_that_changes_its_sign_with_the_sides() {
        let mut dice = QuickDice::new(0xf1e, 1);
        for _ in 0..2000 {
            let counts: PairCounts = std::array::from_fn(|_| match dice.below(3) {
                0 => 0,
                1 => u64::from(dice.below(10)),
                _ => u64::from(dice.below(100_000)),
            });
            let mut mirrored = counts;
            mirrored.reverse();
            let (h0, h1) = (f64::from(dice.below(400)) - 200.0, f64::from(dice.below(400)) - 200.0);
            let found = llr(&counts, effect_of_elo(h0), effect_of_elo(h1));
            let other = llr(&mirrored, effect_of_elo(-h0), effect_of_elo(-h1));
            assert!(found.is_finite(), "{counts:?} {h0} {h1}");
            assert!(
                (found - other).abs() <= 1e-6 * found.abs().max(1.0),
                "{counts:?} {h0} {h1}: {found} {other}"
            );
        }
        assert_eq!(llr(&[0; 5], 0.0, 0.1), 0.0);
    }

    /// Chances in millionths of the five scores with an effect: a distribution with many draws, tilted.
    fn chances(effect: f64) -> [u32; 5] {
        let base = [0.05, 0.25, 0.4, 0.25, 0.05];
        let tilted = |tilt: f64| {
            let weights: [f64; 5] = std::array::from_fn(|i| base[i] * (tilt * SCORES[i]).exp());
            weights.map(|weight| weight / weights.iter().sum::<f64>())
        };
        let effect_of = |p: [f64; 5]| {
            let mean: f64 = p.iter().zip(SCORES).map(|(p, score)| p * score).sum();
            let square: f64 = p.iter().zip(SCORES).map(|(p, score)| p * score * score).sum();
            (mean - 0.5) / (square - mean * mean).sqrt()
        };
        let (mut low, mut high) = (-10.0, 10.0);
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            if effect_of(tilted(middle)) < effect { low = middle } else { high = middle }
        }
        tilted(low).map(|p| (p * 1e6).round() as u32)
    }

    /// Of runs with a truth, how many accept H1 and how many accept nothing in 20,000 pairs.
    fn accepted(truth: f64, h0: f64, h1: f64, runs: u64) -> (u64, u64) {
        let bounds = Bounds::new(0.05, 0.1);
        let chances = chances(truth);
        let total: u32 = chances.iter().sum();
        let (mut of_h1, mut open) = (0, 0);
        for run in 0..runs {
            let mut dice = QuickDice::new(0x9e7a, run);
            let mut counts: PairCounts = [0; 5];
            let decision = loop {
                for _ in 0..20 {
                    let mut number = dice.below(total);
                    let score = chances.iter().position(|&chance| {
                        let hit = number < chance;
                        number = number.wrapping_sub(chance);
                        hit
                    });
                    counts[score.unwrap()] += 1;
                }
                let decision = bounds.decide(llr(&counts, h0, h1));
                if decision != Decision::Open || counts.iter().sum::<u64>() >= 20_000 {
                    break decision;
                }
            };
            of_h1 += u64::from(decision == Decision::H1);
            open += u64::from(decision == Decision::Open);
        }
        (of_h1, open)
    }

    #[test]
    fn a_test_on_pairs_errs_as_rarely_as_it_says() {
        let runs = 1000;
        let (h0, h1) = (effect_of_elo(0.0), effect_of_elo(40.0));
        let (false_alarms, open) = accepted(h0, h0, h1, runs);
        assert!(false_alarms as f64 <= 0.05 * runs as f64 && open == 0, "{false_alarms} {open}");
        let (found, open) = accepted(h1, h0, h1, runs);
        assert!(found as f64 >= 0.9 * runs as f64 && open == 0, "{found} {open}");
    }
}
