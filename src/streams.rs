//! Where randomness comes from: streams keyed by their purpose, so that no two uses ever share a number.
//!
//! The cards of a deal depend on the master seed, the block and the number of the deal in the game, and on nothing
//! else: every line-up and every variant of a block is dealt the same, however many cards earlier deals drew. An agent's
//! dice depend on the master seed, the block, its seat and the number of its decision.
//!
//! The generator is ChaCha8. Its key is the master seed and the purpose, written out; a block is one of its 2⁶⁴ streams;
//! a deal starts at a place of its own within that stream, 2³² words after the one before. The numbers that are needed
//! once a block are hashed from a key drawn by ChaCha8 for the purpose, with [`mix`], whose steps are those of
//! SplitMix64.

use dealt_engine::Seat;
use dealt_engine::dice::mix;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The streams of a master seed.
///
/// ```
/// use dealt::streams::Streams;
/// use rand_chacha::rand_core::Rng;
/// let streams = Streams::new(1);
/// let (mut one, mut same) = (streams.deal(7, 0), streams.deal(7, 0));
/// assert_eq!(one.next_u32(), same.next_u32());
/// assert_ne!(one.next_u32(), streams.deal(7, 1).next_u32());
/// ```
#[derive(Clone, Debug)]
pub struct Streams {
    deals: ChaCha8Rng,
    dealers: u64,
    agents: u64,
    tuning: u64,
}

/// 2⁶⁴ divided by the golden ratio: the step of SplitMix64.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Streams {
    /// The streams of a master seed.
    #[must_use]
    pub fn new(seed: u64) -> Streams {
        Streams {
            deals: keyed(seed, b"deal"),
            dealers: keyed(seed, b"first dealer").next_u64(),
            agents: keyed(seed, b"agent").next_u64(),
            tuning: keyed(seed, b"tuning").next_u64(),
        }
    }

    /// The dice that shuffle a deal's cards, and the stocks that are rebuilt in it.
    #[inline]
    #[must_use]
    pub fn deal(&self, block: u64, deal: u32) -> ChaCha8Rng {
        let mut dice = self.deals.clone();
        dice.set_stream(block);
        dice.set_word_pos(u128::from(deal) << 32);
        dice
    }

    /// The first dealer of a block's games, each seat equally likely.
    #[must_use]
    pub fn first_dealer(&self, block: u64, players: usize) -> Seat {
        let word = nth(self.dealers, block);
        ((u128::from(word) * players as u128) >> 64) as Seat
    }

    /// What the dice are keyed with that perturb parameters where they are tuned.
    #[must_use]
    pub fn tuning_key(&self) -> u64 {
        self.tuning
    }

    /// What the dice of a seat's agent are keyed with in a block, whichever agent it is.
    #[inline]
    #[must_use]
    pub fn seat_key(&self, block: u64, seat: Seat) -> u64 {
        nth(nth(self.agents, block), seat as u64)
    }
}

/// ChaCha8 under the key that spells the seed and the purpose.
fn keyed(seed: u64, purpose: &[u8]) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..8 + purpose.len()].copy_from_slice(purpose);
    ChaCha8Rng::from_seed(key)
}

/// The word of a number in the SplitMix64 sequence that starts at `key`.
const fn nth(key: u64, number: u64) -> u64 {
    mix(key.wrapping_add(STEP.wrapping_mul(number.wrapping_add(1))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The values were found with another implementation of ChaCha8, written from its specification.
    #[test]
    fn the_streams_of_a_seed_never_change() {
        let streams = Streams::new(1);
        let first = |block, deal| streams.deal(block, deal).next_u64();
        assert_eq!(
            [first(0, 0), first(0, 1), first(1, 0)],
            [7_754_932_357_533_894_477, 14_074_815_101_574_255_234, 15_371_139_570_133_779_229]
        );
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 6, 7].map(|block| streams.first_dealer(block, 6)),
            [4, 0, 4, 4, 3, 2, 4, 1]
        );
        assert_eq!(
            [(0, 0), (0, 1), (1, 0)].map(|(block, seat)| streams.seat_key(block, seat)),
            [1_594_264_917_864_925_616, 4_386_921_517_294_950_863, 3_170_263_716_104_928_453]
        );
    }

    #[test]
    fn seeds_blocks_deals_and_purposes_share_no_word() {
        let mut words = BTreeSet::new();
        for seed in [0, 1, 2, u64::MAX] {
            let streams = Streams::new(seed);
            for block in [0, 1, 2, 1 << 32, u64::MAX] {
                for deal in [0, 1, 2, u32::MAX] {
                    let mut dice = streams.deal(block, deal);
                    for _ in 0..100 {
                        assert!(words.insert(dice.next_u64()));
                    }
                }
                assert!((0..11).all(|seat| words.insert(streams.seat_key(block, seat))));
            }
        }
    }

    #[test]
    fn a_deal_has_a_stretch_of_its_own_however_much_was_drawn_before() {
        let streams = Streams::new(9);
        let mut dice = streams.deal(3, 0);
        dice.set_word_pos((1 << 32) - 1);
        dice.next_u32();
        assert_eq!(dice.next_u32(), streams.deal(3, 1).next_u32());
    }

    #[test]
    fn every_seat_deals_first_equally_often() {
        let streams = Streams::new(5);
        for players in 2..=11 {
            let mut counts = [0_u32; 11];
            for block in 0..11_000 {
                counts[streams.first_dealer(block, players)] += 1;
            }
            let expected = 11_000 / players as u32;
            // Six standard deviations, and none on a seat that is not there.
            let width = 6 * (f64::from(expected).sqrt() as u32);
            assert!(counts[..players].iter().all(|&count| count.abs_diff(expected) < width), "{counts:?}");
            assert_eq!(counts[players..].iter().sum::<u32>(), 0);
        }
    }
}
