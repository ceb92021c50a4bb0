//! Random choices whose values never change.
//!
//! Any generator of the `rand` family is [`Dice`]: what it draws is made into a choice here, by code that golden
//! values pin, so that no update of a dependency deals other cards for the same seed. Deals and seeds come from
//! ChaCha8; inside agents, where the speed of a generator shows, [`QuickDice`] serves.

use rand::{Rng, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro128PlusPlus;
use std::convert::Infallible;

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

/// The small generator of an agent: xoshiro128++ (Blackman and Vigna), seeded afresh for each decision in a few
/// nanoseconds.
///
/// ```
/// use dealt_engine::{Dice, QuickDice};
/// let mut dice = QuickDice::new(7, 0);
/// assert!(dice.below(6) < 6);
/// ```
#[derive(Clone, Debug)]
pub struct QuickDice(Xoshiro128PlusPlus);

impl QuickDice {
    /// The generator of a key (an agent at its seat in a block) and a number (of the decision).
    #[inline]
    #[must_use]
    pub fn new(key: u64, number: u64) -> QuickDice {
        let first = mix(key ^ mix(number.wrapping_add(GOLDEN)));
        let second = mix(first.wrapping_add(GOLDEN));
        let mut seed = [0; 16];
        seed[..8].copy_from_slice(&first.to_le_bytes());
        seed[8..].copy_from_slice(&second.to_le_bytes());
        QuickDice(Xoshiro128PlusPlus::from_seed(seed))
    }
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finishing step of SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014):
/// a bijection in which every input bit reaches every output bit.
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
        self.0.try_next_u32()
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
