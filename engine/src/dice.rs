//! Random choices whose values never change.
//!
//! Any generator of the `rand` family is [`Dice`]: what it draws is made into a choice here, by code that golden
//! values pin, so that no update of a dependency deals other cards for the same seed. Deals and seeds come from
//! ChaCha8; inside agents, where the speed of a generator shows, [`QuickDice`] serves.

use std::convert::Infallible;

use rand::{Rng, TryRng};

/// Fair choices from a stream of random words.
pub trait Dice: Rng {
    /// A number from 0 to `bound − 1`, each equally likely (D. Lemire, *Fast random integer generation in an
    /// interval*, 2019). One word of 32 bits suffices but for a chance of at most `bound` / 2³².
    ///
    /// # Panics
    /// If `bound` is 0, in a build with debug assertions.
    #[inline]
    fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0, "a choice among nothing");
        let mut product = u64::from(self.next_u32()) * u64::from(bound);
        if (product as u32) < bound {
            let reject_below = bound.wrapping_neg() % bound;
            while (product as u32) < reject_below {
                product = u64::from(self.next_u32()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// Puts the items in random order, each order equally likely: from the first place on, each place takes an item
    /// from those not yet placed.
    #[inline]
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for place in 0..items.len().saturating_sub(1) {
            let other = place + self.below((items.len() - place) as u32) as usize;
            items.swap(place, other);
        }
    }
}

impl<R: Rng> Dice for R {}

/// The small generator of an agent: SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*,
/// 2014). It is made afresh for each decision, so making it costs next to nothing.
///
/// ```
/// use dealt_engine::{Dice, QuickDice};
/// let mut dice = QuickDice::new(7, 0);
/// assert!(dice.below(6) < 6);
/// ```
#[derive(Clone, Debug)]
pub struct QuickDice(u64);

impl QuickDice {
    /// The generator of a key (an agent at its seat in a block) and a number (of the decision).
    ///
    /// The generators of a key are stretches of one sequence, and those of different numbers far apart in it: below 2³¹
    /// of them, each can draw 2³¹ words before it meets another. (Number n starts n·φ of the whole sequence ahead, φ the
    /// golden section; no multiples of φ up to the 2³¹st are closer to one another, as parts of a turn, than 2⁻³³.)
    /// Keys are best drawn by a better generator.
    #[inline]
    #[must_use]
    pub const fn new(key: u64, number: u64) -> QuickDice {
        QuickDice(key.wrapping_add(number.wrapping_mul(STRIDE)))
    }
}

/// From one state to the next: 2⁶⁴ · φ.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
/// `GOLDEN` states at once.
const STRIDE: u64 = GOLDEN.wrapping_mul(GOLDEN);

/// The finishing step of SplitMix64: a bijection in which every input bit reaches every output bit.
#[inline]
#[must_use]
pub const fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

impl TryRng for QuickDice {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| (word >> 32) as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(GOLDEN);
        Ok(mix(self.0))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            let word = self.try_next_u64()?.to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_key_never_change() {
        // Those of SplitMix64 as published, from 1234567 on.
        let mut dice = QuickDice::new(1_234_567, 0);
        let words: Vec<u64> = (0..3).map(|_| dice.next_u64()).collect();
        assert_eq!(words, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
        assert_eq!(QuickDice::new(7, 3).next_u64(), 14_791_465_367_929_290_084);
    }

    #[test]
    fn the_numbers_of_a_decision_do_not_foretell_those_of_the_next() {
        let first = |number| QuickDice::new(9, number).below(6);
        let mut counts = [0_u32; 36];
        for number in 0..36_000 {
            counts[(first(number) * 6 + first(number + 1)) as usize] += 1;
        }
        let chi2: f64 = counts.iter().map(|&count| (f64::from(count) - 1e3).powi(2) / 1e3).sum();
        // 35 degrees of freedom; pairs that overlap leave the statistic about as wide.
        assert!(chi2 < 85.0, "{chi2}");
    }

    #[test]
    fn below_is_uniform() {
        let mut dice = QuickDice::new(3, 1);
        for bound in [1, 2, 3, 7, 52] {
            let mut counts = vec![0_u32; bound as usize];
            for _ in 0..10_000 * bound {
                counts[dice.below(bound) as usize] += 1;
            }
            let chi2: f64 = counts.iter().map(|&count| (f64::from(count) - 1e4).powi(2) / 1e4).sum();
            // The 99.99 % point of χ² is below d + 4√(2d) + 16 for every d here.
            let freedom = f64::from(bound - 1);
            assert!(chi2 <= freedom + 4.0 * (2.0 * freedom).sqrt() + 16.0, "{bound}: {chi2}");
        }
    }

    #[test]
    fn a_shuffle_reaches_every_order_equally_often() {
        let mut dice = QuickDice::new(4, 1);
        let mut counts = [0_u32; 256];
        for _ in 0..24_000 {
            let mut items = [0_u8, 1, 2, 3];
            dice.shuffle(&mut items);
            counts[items.iter().fold(0, |code, &item| code * 4 + item as usize)] += 1;
        }
        let orders: Vec<_> = counts.iter().filter(|&&count| count > 0).collect();
        assert_eq!(orders.len(), 24);
        assert!(orders.iter().all(|&&count| (850..1150).contains(&count)), "{orders:?}");
    }
}
