//! Sums and products of block totals: exact, mergeable, of a size that does not grow with the blocks.
//!
//! What a block comes to is a row of integers, its *totals*: wins and scores of each agent, decisions, tricks. All that a
//! run reports is a function of the means of these rows over the blocks, such as a mean, a quotient of two means or
//! a standard deviation. How far that is from the truth follows from the covariances of the totals, hence from sums of
//! products of them: directly for a mean, to first order for the rest (the delta method).

use super::components::{Components, Part};
use crate::numbers::{NumberReader, NumberWriter};

/// Sums of products over blocks, for a fixed list of pairs of places in the rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Products(Vec<i128>);

/// A pair of places in a row.
pub type Pair = (u16, u16);

impl Products {
    /// Nothing summed yet, for a list of this many pairs.
    #[must_use]
    pub fn new(pairs: usize) -> Products {
        Products(vec![0; pairs])
    }

    /// Adds, for each pair of the list, the product of that place in one row and that in the other.
    #[inline]
    pub fn add(&mut self, pairs: &[Pair], one: &[i64], other: &[i64]) {
        for (sum, &(i, j)) in self.0.iter_mut().zip(pairs) {
            *sum += i128::from(one[usize::from(i)]) * i128::from(other[usize::from(j)]);
        }
    }

    /// Adds the sums over other blocks.
    pub fn merge(&mut self, other: &Products) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, more)| *sum += more);
    }

    /// Appends its numbers.
    pub fn store(&self, out: &mut NumberWriter) {
        self.0.iter().for_each(|&sum| out.put(sum));
    }

    /// Takes its numbers back, none farther from zero than `most`; `None` if they are not there.
    pub fn restore(&mut self, numbers: &mut NumberReader<'_>, most: u128) -> Option<()> {
        self.0.iter_mut().try_for_each(|sum| {
            *sum = numbers.take_within(most)?;
            Some(())
        })
    }
}

/// The sums over some blocks of two rows of totals (which may be one and the same), and of their products.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'t> {
    /// How many blocks.
    pub blocks: u64,
    /// The pairs of places, sorted.
    pub pairs: &'t [Pair],
    /// The sums of one row.
    pub one: &'t [i128],
    /// The sums of the other.
    pub other: &'t [i128],
    /// The sums of products, in the order of the pairs.
    pub products: &'t Products,
}

impl Sample<'_> {
    /// The sum of products of a place in one row and a place in the other.
    ///
    /// # Panics
    /// If the pair is not on the list.
    #[must_use]
    pub fn sum_of_products(&self, i: usize, j: usize) -> i128 {
        let place =
            self.pairs.binary_search(&(i as u16, j as u16)).expect("a pair whose products are summed");
        self.products.0[place]
    }

    /// The covariance over blocks of a place in one row and a place in the other.
    ///
    /// # Panics
    /// If the pair is not on the list, or there are fewer than two blocks.
    #[must_use]
    pub fn covariance(&self, i: usize, j: usize) -> f64 {
        assert!(self.blocks > 1, "a covariance needs two blocks");
        let products = self.sum_of_products(i, j);
        let centred = centred(i128::from(self.blocks), products, self.one[i], self.other[j]);
        centred / (self.blocks as f64 * (self.blocks - 1) as f64)
    }
}

/// n·Σxy − Σx·Σy.
#[must_use]
pub fn centred(count: i128, products: i128, one: i128, other: i128) -> f64 {
    match (count.checked_mul(products), one.checked_mul(other)) {
        (Some(first), Some(second)) => first.saturating_sub(second) as f64,
        _ => count as f64 * products as f64 - one as f64 * other as f64,
    }
}

/// A function of block means, to first order: its value, and how it changes with the mean of each place.
#[derive(Clone, PartialEq, Debug)]
pub struct Linear {
    /// The value.
    pub value: f64,
    /// Places and derivatives.
    pub slopes: Vec<(usize, f64)>,
}

/// A quantity that can be estimated from totals, all by their places in the row.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Quantity {
    /// A total over a fixed number a block, plus a constant.
    Mean {
        /// The total.
        of: usize,
        /// The fixed number.
        per: f64,
        /// The constant.
        plus: f64,
    },
    /// A total over a total, over a constant.
    Ratio {
        /// The upper total.
        of: usize,
        /// The lower one.
        per: usize,
        /// The constant.
        scale: f64,
    },
    /// The standard deviation of values.
    Deviation {
        /// The total of the values.
        of: usize,
        /// The total of their squares.
        squares: usize,
        /// How many values there are.
        count: Count,
    },
    /// The share of a part in what scores vary by.
    Share(Part, Components),
}

/// How many values a block has.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Count {
    /// Always as many.
    Fixed(f64),
    /// A total, times a constant.
    Total(usize, f64),
}

impl Quantity {
    /// The pairs of places whose products it needs.
    #[must_use]
    pub fn pairs(self) -> Vec<Pair> {
        let places = match self {
            Quantity::Mean { of, .. } => vec![of],
            Quantity::Ratio { of, per, .. } => vec![of, per],
            Quantity::Deviation { of, squares, count: Count::Fixed(_) } => vec![of, squares],
            Quantity::Deviation { of, squares, count: Count::Total(count, _) } => vec![of, squares, count],
            Quantity::Share(_, components) => components.places().collect(),
        };
        places.iter().flat_map(|&i| places.iter().map(move |&j| (i as u16, j as u16))).collect()
    }

    /// The quantity at the sums over some blocks, to first order; `None` if it divides by nothing.
    #[must_use]
    pub fn linear(self, blocks: u64, sums: &[i128]) -> Option<Linear> {
        let mean = |place: usize| sums[place] as f64 / blocks as f64;
        match self {
            Quantity::Mean { of, per, plus } => {
                Some(Linear { value: mean(of) / per + plus, slopes: vec![(of, 1.0 / per)] })
            }
            Quantity::Ratio { of, per, scale } => {
                let below = mean(per) * scale;
                let value = mean(of) / below;
                let slopes = vec![(of, 1.0 / below), (per, -value * scale / below)];
                (sums[per] != 0).then_some(Linear { value, slopes })
            }
            Quantity::Deviation { of, squares, count } => {
                let number = match count {
                    Count::Fixed(number) => number,
                    Count::Total(place, times) => mean(place) * times,
                };
                let (value, square) = (mean(of) / number, mean(squares) / number);
                let variance = square - value * value;
                // Values all alike leave a rounding error here, of either sign.
                let deviation = if variance <= 1e-12 * square { 0.0 } else { libm::sqrt(variance) };
                let slope = if deviation > 0.0 { 1.0 / (2.0 * deviation * number) } else { 0.0 };
                let mut slopes = vec![(of, -2.0 * value * slope), (squares, slope)];
                if let Count::Total(place, times) = count {
                    slopes.push((place, (2.0 * value * value - square) * times * slope));
                }
                (number > 0.0).then_some(Linear { value: deviation, slopes })
            }
            Quantity::Share(part, components) => components.share(part, blocks, &mean),
        }
    }
}

impl Linear {
    /// Its value plus that of another, times a constant.
    #[must_use]
    pub fn plus(&self, times: f64, other: &Linear) -> Linear {
        let mut slopes = self.slopes.clone();
        for &(place, slope) in &other.slopes {
            match slopes.iter_mut().find(|(known, _)| *known == place) {
                Some((_, sum)) => *sum += times * slope,
                None => slopes.push((place, times * slope)),
            }
        }
        Linear { value: self.value + times * other.value, slopes }
    }

    /// Its value times a constant.
    #[must_use]
    pub fn times(&self, constant: f64) -> Linear {
        let slopes = self.slopes.iter().map(|&(place, slope)| (place, constant * slope)).collect();
        Linear { value: constant * self.value, slopes }
    }

    /// Its value times itself.
    #[must_use]
    pub fn squared(&self) -> Linear {
        Linear { value: self.value * self.value, ..self.times(2.0 * self.value) }
    }

    /// Its value over that of another, which is not 0.
    #[must_use]
    pub fn over(&self, other: &Linear) -> Linear {
        let value = self.value / other.value;
        Linear { value, ..self.plus(-value, other).times(1.0 / other.value) }
    }

    /// The variance of the value over blocks, from the covariances of one sample of blocks; 0 where no spread is left but
    /// rounding.
    #[must_use]
    pub fn variance(&self, sample: &Sample<'_>) -> f64 {
        without_rounding(bilinear(self, self, sample), largest(self, sample))
    }

    /// The variance over blocks of the difference from `base`, where `across` holds the products of the two.
    #[must_use]
    pub fn variance_of_difference(
        &self,
        base: &Linear,
        own: &Sample<'_>,
        bases: &Sample<'_>,
        across: &Sample<'_>,
    ) -> f64 {
        let sum =
            bilinear(self, self, own) + bilinear(base, base, bases) - 2.0 * bilinear(self, base, across);
        without_rounding(sum, largest(self, own).max(largest(base, bases)))
    }
}

fn bilinear(one: &Linear, other: &Linear, sample: &Sample<'_>) -> f64 {
    let terms = one.slopes.iter().flat_map(|&(i, a)| other.slopes.iter().map(move |&(j, b)| (i, j, a * b)));
    terms.map(|(i, j, weight)| weight * sample.covariance(i, j)).sum()
}

fn largest(linear: &Linear, sample: &Sample<'_>) -> f64 {
    linear.slopes.iter().map(|&(i, slope)| slope * slope * sample.covariance(i, i)).fold(0.0, f64::max)
}

fn without_rounding(variance: f64, largest_term: f64) -> f64 {
    if variance <= 1e-12 * largest_term { 0.0 } else { variance }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows (n, Σx, Σx²) of three blocks with the values 1 3, 2 2 5 and 4.
    const ROWS: [[i64; 3]; 3] = [[2, 4, 10], [3, 9, 33], [1, 4, 16]];

    fn with_sample<T>(quantity: Quantity, rows: &[[i64; 3]], f: impl Fn(&Linear, &Sample<'_>) -> T) -> T {
        let mut pairs = quantity.pairs();
        pairs.sort_unstable();
        let mut products = Products::new(pairs.len());
        let mut sums = [0; 3];
        for row in rows {
            products.add(&pairs, row, row);
            sums.iter_mut().zip(row).for_each(|(sum, &total)| *sum += i128::from(total));
        }
        let blocks = rows.len() as u64;
        let sample = Sample { blocks, pairs: &pairs, one: &sums, other: &sums, products: &products };
        f(&quantity.linear(blocks, &sums).unwrap(), &sample)
    }

    #[test]
    fn means_ratios_and_deviations_are_those_found_by_hand() {
        let check = |quantity, value: f64, variance: f64| {
            with_sample(quantity, &ROWS, |linear, sample| {
                assert!((linear.value - value).abs() < 1e-12, "{quantity:?}: {linear:?}");
                let found = linear.variance(sample);
                assert!((found - variance).abs() < 1e-12, "{quantity:?}: {found}");
            });
        };
        // Totals 4, 9, 4: mean 17/3, variance (25 + 100 + 25) / 9 / 2.
        check(Quantity::Mean { of: 1, per: 2.0, plus: 1.0 }, 17.0 / 6.0 + 1.0, 25.0 / 3.0 / 4.0);
        // 17 over 6; residuals 4 − 17/3, 9 − 17/2, 4 − 17/6, over the mean count 2.
        let residuals = [4.0 - 17.0 / 3.0, 9.0 - 17.0 / 2.0, 4.0 - 17.0 / 6.0_f64];
        let variance = residuals.iter().map(|r| r * r).sum::<f64>() / 2.0 / 4.0;
        check(Quantity::Ratio { of: 1, per: 0, scale: 1.0 }, 17.0 / 6.0, variance);
        check(Quantity::Ratio { of: 1, per: 0, scale: 2.0 }, 17.0 / 12.0, variance / 4.0);
        // Values 1 3 2 2 5 4: mean 17/6, mean square 59/6.
        let (mean, square) = (17.0 / 6.0, 59.0 / 6.0);
        let deviation = f64::sqrt(square - mean * mean);
        let influence = |[n, x, xx]: [i64; 3]| {
            let (n, x, xx) = (n as f64, x as f64, xx as f64);
            (xx - 2.0 * mean * x + (2.0 * mean * mean - square) * n) / (2.0 * deviation * 2.0)
        };
        let variance = ROWS.iter().map(|&row| influence(row).powi(2)).sum::<f64>() / 2.0;
        check(Quantity::Deviation { of: 1, squares: 2, count: Count::Total(0, 1.0) }, deviation, variance);
    }

    #[test]
    fn a_ratio_that_is_always_the_same_has_no_spread() {
        let rows = [[2, 6, 0], [5, 15, 0], [7, 21, 0]];
        let ratio = Quantity::Ratio { of: 1, per: 0, scale: 1.0 };
        assert_eq!(
            with_sample(ratio, &rows, |linear, sample| (linear.value, linear.variance(sample))),
            (3.0, 0.0)
        );
        let same = [[1, 5, 25], [2, 10, 50], [4, 20, 100]];
        let deviation = Quantity::Deviation { of: 1, squares: 2, count: Count::Total(0, 1.0) };
        assert_eq!(with_sample(deviation, &same, |linear, _| linear.value), 0.0);
    }

    #[test]
    fn a_quotient_by_nothing_is_no_value() {
        let ratio = Quantity::Ratio { of: 0, per: 1, scale: 1.0 };
        assert_eq!(ratio.linear(3, &[5, 0]), None);
    }

    #[test]
    fn sums_too_large_for_the_integers_lose_digits_only() {
        let large = i128::from(i64::MAX) * i128::from(i64::MAX);
        let found = centred(1_000_000, large, large, 1);
        assert!((found / (1e6 * large as f64) - 1.0).abs() < 1e-5, "{found}");
    }
}
