//! Two-sided quantiles of the normal and of Student's distribution.
//!
//! Each is found by halving an interval until no float lies between its ends: a few dozen evaluations, the same bits
//! everywhere, and as exact as the probability is.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

/// From here on a series in 1/ν is exact to the last digits that matter.
const MANY: u64 = 1000;

/// The z for which a standard normal variable lies in ±z with this probability.
///
/// ```
/// let z = dealt::statistics::quantile::normal(0.95);
/// assert!((z - 1.959963984540054).abs() < 1e-14);
/// ```
#[must_use]
pub fn normal(confidence: f64) -> f64 {
    let outside = 1.0 - confidence;
    least(|z| libm::erfc(z * FRAC_1_SQRT_2) <= outside)
}

/// The t for which a variable of Student's distribution lies in ±t with this probability.
///
/// ```
/// let t = dealt::statistics::quantile::student(0.95, 9);
/// assert!((t - 2.262157163).abs() < 1e-9);
/// ```
///
/// # Panics
/// If there are no degrees of freedom.
#[must_use]
pub fn student(confidence: f64, degrees: u64) -> f64 {
    assert!(degrees > 0, "no degrees of freedom");
    if degrees > MANY {
        return student_of_many(normal(confidence), degrees as f64);
    }
    least(|t| student_within(t, degrees) >= confidence)
}

/// The probability that a variable of Student's distribution lies in ±t (Abramowitz and Stegun, *Handbook of
/// mathematical functions*, 26.7.3 and 26.7.4). The sum has ν/2 terms.
fn student_within(t: f64, degrees: u64) -> f64 {
    let degrees_float = degrees as f64;
    let radius = libm::sqrt(degrees_float + t * t);
    let (sine, cosine) = (t / radius, libm::sqrt(degrees_float) / radius);
    let is_odd = degrees % 2 == 1;
    let mut term = if is_odd { cosine } else { 1.0 };
    let mut sum = 0.0;
    for step in 1..=degrees / 2 {
        sum += term;
        let (top, bottom) = if is_odd { (2 * step, 2 * step + 1) } else { (2 * step - 1, 2 * step) };
        term *= cosine * cosine * top as f64 / bottom as f64;
    }
    if is_odd { FRAC_2_PI * (libm::atan2(sine, cosine) + sine * sum) } else { sine * sum }
}

/// The expansion of a quantile in 1/ν about the normal one (Abramowitz and Stegun, 26.7.5).
fn student_of_many(z: f64, degrees: f64) -> f64 {
    let square = z * z;
    let first = z * (square + 1.0) / 4.0;
    let second = z * ((5.0 * square + 16.0) * square + 3.0) / 96.0;
    let third = z * (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0;
    z + (first + (second + third / degrees) / degrees) / degrees
}

/// The least positive number that is large enough.
fn least(is_enough: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while !is_enough(high) && high < 1e300 {
        (low, high) = (high, high * 2.0);
    }
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return high;
        }
        if is_enough(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(found: f64, known: f64, tolerance: f64) {
        assert!((found - known).abs() <= tolerance * known.abs(), "{found} is not {known}");
    }

    #[test]
    fn normal_quantiles_are_those_of_the_tables() {
        assert_near(normal(0.5), 0.674_489_750_196_081_7, 1e-14);
        assert_near(normal(0.9), 1.644_853_626_951_472_7, 1e-14);
        assert_near(normal(0.95), 1.959_963_984_540_054, 1e-14);
        assert_near(normal(0.99), 2.575_829_303_548_900_4, 1e-14);
        assert_near(normal(0.999), 3.290_526_731_491_694_8, 1e-13);
    }

    #[test]
    fn student_quantiles_are_those_of_the_tables() {
        // With 1 and 2 degrees of freedom the quantiles are tan(πp/2) and p √(2 / (1 − p²)).
        assert_near(student(0.95, 1), 12.706_204_736_174_7, 1e-12);
        assert_near(student(0.95, 2), 0.95 * (2.0 / (1.0 - 0.95_f64 * 0.95)).sqrt(), 1e-12);
        assert_near(student(0.95, 3), 3.182_446_305, 1e-9);
        assert_near(student(0.99, 10), 3.169_272_67, 1e-8);
        assert_near(student(0.9, 30), 1.697_260_887, 1e-9);
        assert_near(student(0.95, 100), 1.983_971_518, 1e-9);
        assert_near(student(0.999, 1), 636.619_248_768_719_3, 1e-11);
    }

    #[test]
    fn the_series_for_many_degrees_joins_the_sum_for_few() {
        for confidence in [0.5, 0.9, 0.95, 0.99, 0.999] {
            let joined = student_of_many(normal(confidence), MANY as f64);
            assert_near(joined, student(confidence, MANY), 1e-9);
        }
        assert_near(student(0.95, 1_000_000_000), normal(0.95), 1e-8);
    }

    #[test]
    fn any_confidence_gives_a_finite_quantile() {
        for confidence in [1e-300, 1e-9, 0.5, 1.0 - 1e-9, 1.0 - f64::EPSILON] {
            for degrees in [1, 2, 3, 999, 1000, 1001, u64::MAX] {
                assert!(student(confidence, degrees).is_finite(), "{confidence} {degrees}");
            }
            assert!(normal(confidence).is_finite());
        }
    }
}
