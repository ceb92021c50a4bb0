//! Numbers as a person reads them: grouped, and rounded to what their intervals bear.

use crate::estimate::{Estimate, Interval, Method, Missing};

/// `1 block`, `1,234 blocks`
#[must_use]
pub fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", count(number), if number == 1 { "" } else { "s" })
}

/// `2, 3 and 4`
///
/// ```
/// assert_eq!(dealt::figures::listed(&["2", "3", "4"]), "2, 3 and 4");
/// ```
#[must_use]
pub fn listed<T: AsRef<str>>(items: &[T]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// A number with groups of three digits.
#[must_use]
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `0.312 [0.290, 0.334]`
#[must_use]
pub fn plain(estimate: &Estimate) -> String {
    shown(estimate, false)
}

/// `+0.312 [0.290, 0.334]`
#[must_use]
pub fn signed(estimate: &Estimate) -> String {
    shown(estimate, true)
}

/// The value alone, to as many places as its interval bears.
#[must_use]
pub fn value(estimate: &Estimate) -> String {
    let decimals = decimals(estimate);
    estimate.value.map_or_else(|| "-".to_owned(), |value| number(value, decimals))
}

fn shown(estimate: &Estimate, sign: bool) -> String {
    let decimals = decimals(estimate);
    let Some(value) = estimate.value else { return "never happened".to_owned() };
    let plus = if sign && value >= 0.0 { "+" } else { "" };
    let value = format!("{plus}{}", number(value, decimals));
    match estimate.interval {
        Ok(Interval { method: Method::Exact, .. }) => value,
        Ok(Interval { low, high, .. }) => {
            format!("{value} [{}, {}]", number(low, decimals), number(high, decimals))
        }
        Err(Missing::TooFewBlocks) => format!("{value} (too few blocks for an interval)"),
        Err(Missing::NoSpread) => format!("{value} (all blocks alike)"),
        Err(Missing::NeverHappened | Missing::NoMethod) => value,
    }
}

/// A number with so many decimals; no zero with a sign.
#[must_use]
pub fn number(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let is_zero = text.chars().all(|letter| !letter.is_ascii_digit() || letter == '0');
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// How many decimals show two digits of half the interval's width.
#[must_use]
pub fn decimals(estimate: &Estimate) -> usize {
    let half = estimate.interval.map_or(0.0, |interval| (interval.high - interval.low) / 2.0);
    if half <= 0.0 { 3 } else { (1.0 - libm::log10(half).floor()).clamp(0.0, 6.0) as usize }
}

/// A text from anywhere, such as a label in a file, as a terminal may be given it: what would move the cursor or change a
/// colour stands as a replacement character.
#[must_use]
pub fn visible(text: &str) -> String {
    text.chars()
        .map(|letter| if letter.is_control() && letter != '\n' { '\u{fffd}' } else { letter })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64, low: f64, high: f64) -> Estimate {
        Estimate { value: Some(value), interval: Ok(Interval { low, high, method: Method::BlockT }) }
    }

    #[test]
    fn a_number_has_the_digits_that_its_interval_bears() {
        assert_eq!(signed(&estimate(1.9123, 1.7342, 2.0904)), "+1.91 [1.73, 2.09]");
        assert_eq!(plain(&estimate(1234.5, 1200.0, 1269.0)), "1234 [1200, 1269]");
        assert_eq!(signed(&estimate(-0.00001, -0.01, 0.01)), "0.000 [-0.010, 0.010]");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(100), "100");
    }
}
