//! Tail probabilities of Student's distribution, from which p-values are made.
//!
//! They come from the regularised incomplete beta function by its continued fraction (W. H. Press and others, *Numerical
//! recipes*, 6.4; evaluated by the method of Lentz), which keeps its digits far out in the tail, where 1 less a probability
//! would have none left.

/// From here on the logarithms of the gamma function are too large to subtract, and a transformed normal is as exact.
const MANY: u64 = 100_000;
/// More terms than the fraction takes for any number of blocks.
const MOST_TERMS: u32 = 10_000;
/// Stands for a denominator that happens to be zero.
const TINY: f64 = 1e-300;

/// The probability that a variable of Student's distribution is at least `t`.
///
/// ```
/// use dealt::statistics::tail::student_above;
/// assert!((student_above(2.262157163, 9) - 0.025).abs() < 1e-9);
/// assert_eq!(student_above(0.0, 5), 0.5);
/// ```
///
/// # Panics
/// If there are no degrees of freedom.
#[must_use]
pub fn student_above(t: f64, degrees: u64) -> f64 {
    let beyond = student_outside(t, degrees) / 2.0;
    if t >= 0.0 { beyond } else { 1.0 - beyond }
}

/// The probability that a variable of Student's distribution is at least as far from 0 as `t`: the p-value of a difference
/// that is `t` standard errors.
///
/// # Panics
/// If there are no degrees of freedom.
#[must_use]
pub fn student_outside(t: f64, degrees: u64) -> f64 {
    assert!(degrees > 0, "no degrees of freedom");
    let is_normal = degrees > MANY;
    let degrees = degrees as f64;
    let square = t * t;
    if is_normal {
        // Abramowitz and Stegun, *Handbook of mathematical functions*, 26.7.8.
        let z = t.abs() * (1.0 - 0.25 / degrees) / libm::sqrt(1.0 + square / (2.0 * degrees));
        return libm::erfc(z * std::f64::consts::FRAC_1_SQRT_2);
    }
    if square.is_infinite() {
        return 0.0;
    }
    incomplete_beta(degrees / (degrees + square), square / (degrees + square), degrees / 2.0, 0.5)
}

/// The regularised incomplete beta function at `x`, of which `rest` is 1 − x.
fn incomplete_beta(x: f64, rest: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if rest <= 0.0 {
        return 1.0;
    }
    let log_beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let front = libm::exp(a * libm::log(x) + b * libm::log(rest) - log_beta);
    // The fraction converges fast on the one side of the mean, the function of the mirror image on the other.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(x, a, b) / a
    } else {
        1.0 - front * fraction(rest, b, a) / b
    }
}

fn fraction(x: f64, a: f64, b: f64) -> f64 {
    let not_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / not_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for term in 1..MOST_TERMS {
        let m = f64::from(term);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for numerator in [even, odd] {
            d = 1.0 / not_zero(1.0 + numerator * d);
            c = not_zero(1.0 + numerator / c);
            change *= c * d;
        }
        value *= change;
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::quantile::{normal, student};

    #[test]
    fn tails_are_the_inverse_of_the_quantiles() {
        for confidence in [0.01, 0.5, 0.9, 0.95, 0.99, 0.999_999] {
            for degrees in [1, 2, 3, 9, 50, 999, 1000, 1001, 20_000] {
                let outside = student_outside(student(confidence, degrees), degrees);
                assert!((outside + confidence - 1.0).abs() < 1e-9, "{confidence} {degrees}: {outside}");
            }
        }
        assert!((student_outside(normal(0.95), u64::MAX) - 0.05).abs() < 1e-6);
    }

    #[test]
    fn far_tails_keep_their_digits() {
        // Two degrees of freedom: ½ − t / (2 √(2 + t²)), which is 1 / (2 t²) far out.
        assert!((student_above(1e6, 2) * 2e12 - 1.0).abs() < 1e-6);
        // One: ½ − arctan(t) / π, which is 1 / (π t).
        assert!((student_above(1e9, 1) * 1e9 * std::f64::consts::PI - 1.0).abs() < 1e-9);
        assert!(student_above(30.0, 100_000) > 0.0);
        let joined = student_outside(3.0, MANY + 1) / student_outside(3.0, MANY);
        assert!((joined - 1.0).abs() < 1e-6, "{joined}");
        assert_eq!(student_above(f64::INFINITY, 3), 0.0);
        assert_eq!(student_above(f64::NEG_INFINITY, 3), 1.0);
    }
}
