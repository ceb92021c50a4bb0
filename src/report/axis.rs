//! An axis: which values it spans, where its ticks are, and what they say.

use super::numbers;

/// How many steps an axis has at most.
const MOST_STEPS: f64 = 5.0;

/// An axis.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// The shortest axis between two ticks that holds all values that are finite; 0 to 1 if there are none.
    pub(super) fn over(values: impl IntoIterator<Item = f64>) -> Axis {
        let finite = values.into_iter().filter(|value| value.is_finite());
        let ends = finite.fold(None, |ends: Option<(f64, f64)>, value| {
            let (low, high) = ends.unwrap_or((value, value));
            Some((low.min(value), high.max(value)))
        });
        let (low, high) = ends.unwrap_or((0.0, 1.0));
        let Axis { low, high, step } = Axis::between(low, high);
        let (low, high) = (libm::floor(low / step + 1e-9) * step, libm::ceil(high / step - 1e-9) * step);
        Axis { low, high, step }
    }

    /// The axis from one value to another, or one around them if they are the same.
    pub(super) fn between(low: f64, high: f64) -> Axis {
        // What is no wider than rounding, or too wide to count with, is no span.
        let least = (low.abs().max(high.abs()) * 1e-9).max(1e-9);
        let is_span = high - low >= least && (high - low).is_finite();
        let middle = low / 2.0 + high / 2.0;
        let half = (low.abs().max(high.abs()) * 0.1).clamp(0.5, 1e300);
        let (low, high) = if is_span { (low, high) } else { (middle - half, middle + half) };
        Axis { low, high, step: round_step((high - low) / MOST_STEPS) }
    }

    /// Where a value lies, in percent of the axis; those beyond its ends at the ends.
    pub(super) fn percent(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        if share.is_finite() { share.clamp(0.0, 1.0) * 100.0 } else { 0.0 }
    }

    /// The ticks: where, in percent, and what they say.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let first = libm::ceil(self.low / self.step - 1e-9);
        let last = libm::floor(self.high / self.step + 1e-9);
        let decimals = (-libm::floor(libm::log10(self.step) + 1e-9)).clamp(0.0, 9.0) as usize;
        let tick = |index: u64| {
            let value = (first + index as f64) * self.step;
            (self.percent(value), numbers::number(value, decimals))
        };
        (0..=(last - first) as u64).map(tick).collect()
    }
}

/// The least of 1, 2 or 5 times a power of ten that is no less.
fn round_step(least: f64) -> f64 {
    let power = libm::pow(10.0, libm::floor(libm::log10(least)));
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|step| step * power)
        .find(|&step| step >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64]) -> Vec<String> {
        Axis::over(values.iter().copied()).ticks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_and_span_the_values() {
        assert_eq!(labels(&[-0.2, 0.4]), ["−0.2", "0.0", "0.2", "0.4"]);
        assert_eq!(labels(&[0.0, 1.0]), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&[3.0, 41.0]), ["0", "10", "20", "30", "40", "50"]);
        assert_eq!(labels(&[0.0012, 0.0031]), ["0.0010", "0.0015", "0.0020", "0.0025", "0.0030", "0.0035"]);
        assert_eq!(
            labels(&[10_000.0, 52_000.0]),
            ["10,000", "20,000", "30,000", "40,000", "50,000", "60,000"]
        );
    }

    #[test]
    fn an_axis_of_anything_has_two_to_a_dozen_ticks_in_rising_order() {
        let values = [0.0, 1.0, -1.0, 1e-12, 1e12, -1e300, 1e300, f64::NAN, f64::INFINITY, 0.5, 0.1 + 0.2];
        for first in values {
            for second in values {
                let axis = Axis::over([first, second]);
                let ticks = axis.ticks();
                assert!((2..=12).contains(&ticks.len()), "{first} {second}: {ticks:?}");
                assert!(ticks.windows(2).all(|pair| pair[0].0 < pair[1].0), "{first} {second}: {ticks:?}");
                for value in [first, second].into_iter().filter(|value| value.is_finite()) {
                    assert!((0.0..=100.0).contains(&axis.percent(value)), "{first} {second}");
                }
            }
        }
    }
}
