//! Counts of values in constant memory.
//!
//! Every value has a bar of its own as long as the values spread over less than [`BARS`]; when they spread further,
//! neighbouring bars are joined two by two. How wide a bar is depends on the least and the greatest value alone, so
//! a histogram is the same in whatever order, and in however many parts, its values were counted.

use crate::numbers::{NumberReader, NumberWriter};

/// The most bars.
pub const BARS: usize = 4096;

/// How often each value occurred.
///
/// ```
/// use dealt::statistics::histogram::Histogram;
/// let mut histogram = Histogram::default();
/// [3, -1, 3].into_iter().for_each(|value| histogram.add(value));
/// assert_eq!(histogram.bars().collect::<Vec<_>>(), [(-1, 1, 1), (3, 1, 2)]);
/// assert_eq!(histogram.quantile(0.5), Some(3));
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Histogram {
    /// A bar holds 2^`shift` values.
    shift: u32,
    /// The values of the first bar are those from here (times 2^`shift`) on.
    lowest: i64,
    counts: Vec<u64>,
}

impl Histogram {
    /// Counts a value.
    #[inline]
    pub fn add(&mut self, value: i64) {
        let place = (value >> self.shift).wrapping_sub(self.lowest);
        match usize::try_from(place).ok().and_then(|place| self.counts.get_mut(place)) {
            Some(count) => *count += 1,
            None => self.add_outside(value, 1),
        }
    }

    /// Adds what another histogram counted.
    pub fn merge(&mut self, other: &Histogram) {
        while self.shift < other.shift {
            self.join_bars();
        }
        for (low, _, count) in other.bars() {
            self.add_outside(low, count);
        }
    }

    fn add_outside(&mut self, value: i64, count: u64) {
        loop {
            let bar = value >> self.shift;
            if self.counts.is_empty() {
                self.lowest = bar;
            }
            let low = self.lowest.min(bar);
            let high = bar.max(self.lowest.saturating_add(self.counts.len() as i64 - 1));
            if high.abs_diff(low) < BARS as u64 {
                let in_front = self.lowest.abs_diff(low) as usize;
                self.counts.splice(0..0, std::iter::repeat_n(0, in_front));
                self.lowest = low;
                self.counts.resize(high.abs_diff(low) as usize + 1, 0);
                self.counts[bar.abs_diff(low) as usize] += count;
                return;
            }
            self.join_bars();
        }
    }

    fn join_bars(&mut self) {
        let mut joined = Vec::with_capacity(self.counts.len() / 2 + 1);
        let lowest = self.lowest >> 1;
        for (place, &count) in self.counts.iter().enumerate() {
            let bar = ((self.lowest + place as i64) >> 1).abs_diff(lowest) as usize;
            joined.resize(bar + 1, 0);
            joined[bar] += count;
        }
        (self.shift, self.lowest, self.counts) = (self.shift + 1, lowest, joined);
    }

    /// The bars that are not empty: lowest value, how many values the bar holds, how often they occurred.
    pub fn bars(&self) -> impl Iterator<Item = (i64, u64, u64)> + '_ {
        let bar = |place: usize| (self.lowest + place as i64) << self.shift;
        let counts = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        counts.map(move |(place, &count)| (bar(place), 1 << self.shift, count))
    }

    /// Appends its numbers.
    pub fn store(&self, out: &mut NumberWriter) {
        out.put(self.shift);
        out.put(self.lowest);
        out.put(self.counts.len() as u64);
        self.counts.iter().for_each(|&count| out.put(count));
    }

    /// Takes its numbers back; `None` if they are none of a histogram.
    pub fn restore(&mut self, numbers: &mut NumberReader<'_>) -> Option<()> {
        let shift = numbers.take_as().filter(|&shift: &u32| shift < i64::BITS)?;
        let lowest: i64 = numbers.take_as()?;
        let bars = numbers.take_as().filter(|&bars: &usize| bars <= BARS)?;
        let highest = lowest.checked_add((bars as i64 - 1).max(0))?;
        let fits = |bar: i64| (bar << shift) >> shift == bar;
        if !fits(lowest) || !fits(highest) {
            return None;
        }
        let counts: Vec<u64> = (0..bars).map(|_| numbers.take_as()).collect::<Option<_>>()?;
        // Many histograms are merged; none of a run counts more than this.
        counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count)).filter(|&sum| sum < 1 << 62)?;
        *self = Histogram { shift, lowest, counts };
        Some(())
    }

    /// How many values were counted.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Whether none was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The least value that at least this share of the values does not exceed (of a bar, its lowest).
    #[must_use]
    pub fn quantile(&self, share: f64) -> Option<i64> {
        let rank = libm::ceil(share * self.len() as f64).max(1.0) as u64;
        let mut seen = 0;
        let found = self.bars().find(|(_, _, count)| {
            seen += count;
            seen >= rank
        });
        found.or_else(|| self.bars().last()).map(|(low, _, _)| low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dealt_engine::{Dice, QuickDice};
    use std::collections::BTreeMap;

    fn histogram(values: &[i64]) -> Histogram {
        let mut histogram = Histogram::default();
        values.iter().for_each(|&value| histogram.add(value));
        histogram
    }

    #[test]
    fn values_that_spread_little_are_counted_one_by_one() {
        let mut dice = QuickDice::new(1, 2);
        let values: Vec<i64> = (0..20_000).map(|_| i64::from(dice.below(4096)) - 2000).collect();
        let mut counts = BTreeMap::new();
        values.iter().for_each(|&value| *counts.entry(value).or_insert(0) += 1);
        let bars: Vec<_> = counts.into_iter().map(|(value, count)| (value, 1, count)).collect();
        assert_eq!(histogram(&values).bars().collect::<Vec<_>>(), bars);
    }

    #[test]
    fn parts_and_order_make_no_difference() {
        let mut dice = QuickDice::new(2, 2);
        for spread in [1, 10, 5000, 100_000, u32::MAX] {
            let mut values: Vec<i64> = (0..500).map(|_| i64::from(dice.below(spread)) - 3000).collect();
            let whole = histogram(&values);
            for parts in [2, 3, 50] {
                dice.shuffle(&mut values);
                let mut merged = Histogram::default();
                values.chunks(500 / parts).for_each(|part| merged.merge(&histogram(part)));
                assert_eq!(merged, whole, "{spread}");
            }
            assert_eq!(whole.len(), 500);
        }
    }

    #[test]
    fn memory_stays_within_its_bounds_whatever_comes() {
        let mut dice = QuickDice::new(3, 2);
        let mut histogram = histogram(&[i64::MAX, i64::MIN, 0, -1]);
        for _ in 0..1000 {
            histogram.add((u64::from(dice.below(u32::MAX)) << dice.below(33)) as i64);
        }
        assert!(histogram.counts.len() <= BARS && histogram.len() == 1004);
    }

    #[test]
    fn quantiles_are_those_of_the_sorted_values() {
        let hundred = histogram(&(1..=100).collect::<Vec<_>>());
        assert_eq!(
            [0.0, 0.05, 0.5, 0.951, 1.0].map(|share| hundred.quantile(share)),
            [1, 5, 50, 96, 100].map(Some)
        );
        assert_eq!(Histogram::default().quantile(0.5), None);
    }
}
