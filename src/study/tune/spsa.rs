//! Simultaneous perturbation stochastic approximation (J. C. Spall, *Implementation of the simultaneous perturbation
//! algorithm for stochastic optimization*, 1998): all parameters are moved at once, each up or down by the toss of a coin,
//! and at the same time in the opposite direction; by how much the one side is better than the other is a step's worth of
//! knowledge about every parameter, at the price of two evaluations whatever their number.
//!
//! The gains fall as Spall recommends: steps with the power 0.602 of the iteration, perturbations with the power 0.101.
//! The difference comes in as an *effect*, in standard deviations of a block, so that the same settings serve games
//! whose scores are large and small.

use dealt_engine::Dice;

/// A parameter that is tuned.
#[derive(Clone, PartialEq, Debug)]
pub struct Dimension {
    /// Its key.
    pub key: String,
    /// Where it starts.
    pub start: f64,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// By how much it is perturbed in the first iteration; of whole numbers by at least a half in any.
    pub step: f64,
    /// Whether it takes whole numbers only.
    pub is_whole: bool,
}

/// Beyond so many standard deviations of a block an effect counts as so large: a lucky few blocks that are nearly alike
/// must not throw the parameters to their bounds.
const LARGEST_EFFECT: f64 = 2.0;
/// What the powers are of, and how long the first steps are held back, as a share of the iterations.
const STEP_POWER: f64 = 0.602;
const PERTURBATION_POWER: f64 = 0.101;
const HELD_BACK: f64 = 0.1;
/// The last iterates whose mean is the answer, as a share of all.
const AVERAGED: f64 = 0.1;

/// Both sides of an iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct Sides {
    /// The values of the one.
    pub plus: Vec<f64>,
    /// The values of the other.
    pub minus: Vec<f64>,
    /// By how much each parameter was moved to the plus side.
    moved: Vec<f64>,
}

/// The state of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Spsa {
    dimensions: Vec<Dimension>,
    iterations: u64,
    rate: f64,
    /// Iterations done.
    done: u64,
    values: Vec<f64>,
    /// Sums over the last iterates.
    sums: Vec<f64>,
}

impl Spsa {
    /// A search of so many iterations. `rate` is how many steps a parameter is moved in the first of them, for an effect of
    /// one standard deviation between the two sides.
    #[must_use]
    pub fn new(dimensions: Vec<Dimension>, iterations: u64, rate: f64) -> Spsa {
        let values = dimensions.iter().map(|dimension| dimension.start).collect();
        let sums = vec![0.0; dimensions.len()];
        Spsa { dimensions, iterations, rate, done: 0, values, sums }
    }

    /// What is tuned.
    #[must_use]
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// How many iterations there are.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// How many steps a parameter is moved in the first iteration, for an effect of one standard deviation.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Iterations done.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Where the search is.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The two sides of the next iteration. Where one would leave the bounds both are shifted, so that they stay as far
    /// apart. Whole numbers are rounded up or down by chance, both sides by the same number drawn.
    #[must_use]
    pub fn sides(&self, dice: &mut impl Dice) -> Sides {
        let falling = libm::pow((self.done + 1) as f64, -PERTURBATION_POWER);
        let mut sides = Sides { plus: Vec::new(), minus: Vec::new(), moved: Vec::new() };
        for (dimension, &value) in self.dimensions.iter().zip(&self.values) {
            let Dimension { min, max, step, is_whole, .. } = *dimension;
            let least: f64 = if is_whole { 0.5 } else { 0.0 };
            let size = (step * falling).max(least).min((max - min) / 2.0);
            let centre = value.clamp(min + size, max - size);
            let moved = if dice.below(2) == 0 { size } else { -size };
            let uniform = f64::from(dice.below(1 << 30)) / f64::from(1 << 30);
            let settle = |value: f64| {
                if is_whole { libm::floor(value + uniform).clamp(min, max) } else { rounded(value) }
            };
            sides.plus.push(settle(centre + moved));
            sides.minus.push(settle(centre - moved));
            sides.moved.push(moved);
        }
        sides
    }

    /// Takes in by how many standard deviations of a block the plus side was better, and moves on.
    pub fn learn(&mut self, sides: &Sides, effect: f64) {
        let held_back = HELD_BACK * self.iterations as f64;
        let falling = libm::pow((held_back + 1.0) / (held_back + self.done as f64 + 1.0), STEP_POWER);
        let effect = effect.clamp(-LARGEST_EFFECT, LARGEST_EFFECT);
        self.done += 1;
        let is_averaged = self.done > self.iterations - self.averaged();
        for (place, dimension) in self.dimensions.iter().enumerate() {
            let Dimension { min, max, step, .. } = *dimension;
            let gradient = effect / (2.0 * sides.moved[place] / step);
            let moved = self.rate * falling * gradient * step;
            self.values[place] = (self.values[place] + moved).clamp(min, max);
            if is_averaged {
                self.sums[place] += self.values[place];
            }
        }
    }

    fn averaged(&self) -> u64 {
        (libm::ceil(self.iterations as f64 * AVERAGED) as u64).max(1)
    }

    /// The mean of the last tenth of the iterates, whole numbers rounded, once all are done.
    #[must_use]
    pub fn answer(&self) -> Option<Vec<f64>> {
        if self.done < self.iterations {
            return None;
        }
        let count = self.averaged() as f64;
        let settle = |(sum, dimension): (&f64, &Dimension)| {
            let mean = sum / count;
            if dimension.is_whole { libm::round(mean) } else { rounded(mean) }
        };
        Some(self.sums.iter().zip(&self.dimensions).map(settle).collect())
    }
}

/// To six significant digits, so that a preset can be read.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dealt_engine::QuickDice;

    fn dimension(start: f64, is_whole: bool) -> Dimension {
        Dimension { key: "x".to_owned(), start, min: 0.0, max: 10.0, step: 1.0, is_whole }
    }

    /// Effects of a hill with its top at `top`, seen through noise.
    fn climb(dimensions: Vec<Dimension>, top: &[f64], noise: f64, seed: u64) -> Vec<f64> {
        let mut spsa = Spsa::new(dimensions, 400, 2.0);
        let mut dice = QuickDice::new(seed, 0);
        for _ in 0..400 {
            let sides = spsa.sides(&mut dice);
            let height = |values: &[f64]| -> f64 {
                -values.iter().zip(top).map(|(value, top)| (value - top).powi(2)).sum::<f64>()
            };
            let toss = f64::from(dice.below(2001)) / 1000.0 - 1.0;
            spsa.learn(&sides, 0.05 * (height(&sides.plus) - height(&sides.minus)) + noise * toss);
        }
        spsa.answer().unwrap()
    }

    #[test]
    fn the_top_of_a_hill_is_found_through_noise_to_within_a_step() {
        for seed in 0..20 {
            let answer = climb(vec![dimension(9.0, false), dimension(1.0, false)], &[3.0, 6.0], 0.3, seed);
            assert!((answer[0] - 3.0).abs() < 1.0 && (answer[1] - 6.0).abs() < 1.0, "{seed}: {answer:?}");
        }
    }

    #[test]
    fn whole_numbers_stay_whole_and_find_their_top() {
        for seed in 0..20 {
            let answer = climb(vec![dimension(9.0, true)], &[3.0], 0.3, seed);
            assert!(answer[0].fract() == 0.0 && (answer[0] - 3.0).abs() <= 1.0, "{seed}: {answer:?}");
        }
    }

    #[test]
    fn a_top_beyond_the_bounds_is_found_at_the_bound() {
        let answer = climb(vec![dimension(5.0, false)], &[14.0], 0.1, 1);
        assert!(answer[0] > 9.9 && answer[0] <= 10.0, "{answer:?}");
    }

    #[test]
    fn sides_lie_within_the_bounds_and_as_far_apart_everywhere() {
        let mut dice = QuickDice::new(3, 0);
        for start in [0.0, 0.2, 5.0, 9.9, 10.0] {
            for is_whole in [false, true] {
                let spsa = Spsa::new(vec![dimension(start, is_whole)], 10, 1.0);
                let Sides { plus, minus, moved } = spsa.sides(&mut dice);
                assert!([plus[0], minus[0]].iter().all(|side| (0.0..=10.0).contains(side)));
                assert!((plus[0] - minus[0] - 2.0 * moved[0]).abs() < 1e-9, "{plus:?} {minus:?}");
            }
        }
    }

    #[test]
    fn what_makes_no_difference_is_left_near_its_start() {
        for seed in 0..20 {
            let answer = climb(vec![dimension(5.0, false)], &[5.0], 0.0, seed);
            assert!((answer[0] - 5.0).abs() < 0.2, "{answer:?}");
        }
    }
}
