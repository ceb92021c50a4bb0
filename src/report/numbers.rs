//! Numbers of the page: those of [`figures`](crate::figures), in a typesetter's signs.

use crate::estimate::{Estimate, Interval, Method, Missing};
use crate::figures;

/// A number with so many decimals, in groups of three digits, with a true minus.
pub(super) fn number(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return String::new();
    }
    let text = figures::number(value, decimals);
    let digits = text.trim_start_matches('-');
    let (whole, rest) = digits.find('.').map_or((digits, ""), |point| digits.split_at(point));
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), figures::count);
    let sign = if text.starts_with('-') { "−" } else { "" };
    format!("{sign}{whole}{rest}")
}

/// A number of the size that needs no interval to be read: three digits or so.
pub(super) fn rough(value: f64) -> String {
    let size = value.abs();
    let decimals = if size >= 100.0 || size == libm::round(size) {
        0
    } else if size >= 10.0 {
        1
    } else {
        3
    };
    number(value, decimals)
}

/// A value without its interval, to as many places as that bears.
pub(super) fn value(estimate: &Estimate) -> String {
    match (estimate.value, estimate.interval) {
        (None, _) => "–".to_owned(),
        (Some(value), Err(_)) => rough(value),
        (Some(value), Ok(_)) => number(value, figures::decimals(estimate)),
    }
}

/// An interval, or why there is none.
pub(super) fn interval(estimate: &Estimate) -> String {
    let decimals = figures::decimals(estimate);
    match estimate.interval {
        Ok(Interval { method: Method::Exact, .. }) => "by design".to_owned(),
        Ok(Interval { low, high, .. }) => format!("[{}, {}]", number(low, decimals), number(high, decimals)),
        Err(Missing::TooFewBlocks) => "too few blocks".to_owned(),
        Err(Missing::NoSpread) => "all blocks alike".to_owned(),
        Err(Missing::NeverHappened) => "never happened".to_owned(),
        Err(Missing::NoMethod) => "no interval".to_owned(),
    }
}

/// A value with its interval: `0.312 [0.290, 0.334]`.
pub(super) fn both(estimate: &Estimate) -> String {
    match estimate.value {
        None => interval(estimate),
        Some(_) => format!("{} {}", value(estimate), interval(estimate)),
    }
}

/// A difference: as [`value`], with a plus where it is positive.
pub(super) fn difference(estimate: &Estimate) -> String {
    let plus = if estimate.value.is_some_and(|value| value > 0.0) { "+" } else { "" };
    format!("{plus}{}", value(estimate))
}

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let decimals = if percent == libm::round(percent) {
        0
    } else if percent >= 10.0 {
        1
    } else {
        2
    };
    format!("{} %", number(percent, decimals))
}

/// A sentence with true minuses: those before a digit, at the start of a word or a bracket.
pub(super) fn with_minuses(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let is_minus = |place: usize| {
        let starts = place == 0 || [' ', '[', '('].contains(&letters[place - 1]);
        letters[place] == '-' && starts && letters.get(place + 1).is_some_and(char::is_ascii_digit)
    };
    (0..letters.len()).map(|place| if is_minus(place) { '−' } else { letters[place] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_signed_as_in_print() {
        assert_eq!(number(-1234567.891, 1), "−1,234,567.9");
        assert_eq!(number(-0.0001, 2), "0.00");
        assert_eq!(number(f64::NAN, 2), "");
        assert_eq!([0.5, 12.345, 1234.5, 7.0, -3.25].map(rough), ["0.500", "12.3", "1,234", "7", "−3.250"]);
        assert_eq!([0.5, 0.0123, 0.123].map(percent), ["50 %", "1.23 %", "12.3 %"]);
    }

    #[test]
    fn a_minus_is_told_from_a_hyphen() {
        assert_eq!(with_minuses("flat-mc:a=-1: -0.5 [-0.7, -0.2]"), "flat-mc:a=-1: −0.5 [−0.7, −0.2]");
    }
}
