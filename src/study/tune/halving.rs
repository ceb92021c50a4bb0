//! Successive halving (K. Jamieson and A. Talwalkar, *Non-stochastic best arm identification and hyperparameter
//! optimization*, 2016): all settings play some blocks, the better half goes on to twice as many, until one is left. So
//! most of the games are spent on the settings that are hard to tell apart.

/// The state of a search among settings that are numbered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Halving {
    left: Vec<usize>,
    blocks: u64,
    rounds: u64,
}

impl Halving {
    /// A search among so many settings, the first round of so many blocks.
    #[must_use]
    pub fn new(settings: usize, blocks: u64) -> Halving {
        Halving { left: (0..settings).collect(), blocks, rounds: 0 }
    }

    /// Those still in the race, the best of the last round first.
    #[must_use]
    pub fn left(&self) -> &[usize] {
        &self.left
    }

    /// The blocks of the next round.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// Rounds done.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The blocks of all rounds for so many settings.
    #[must_use]
    pub fn total(settings: usize, blocks: u64) -> u64 {
        let rounds = settings.max(1).next_power_of_two().trailing_zeros();
        (0..rounds).fold(0_u64, |sum, round| {
            sum.saturating_add(blocks.saturating_mul(1_u64.checked_shl(round).unwrap_or(u64::MAX)))
        })
    }

    /// Takes in how each of those [left](Halving::left) fared, the more the better; of equals the one named first goes on.
    pub fn learn(&mut self, fared: &[f64]) {
        let mut order: Vec<usize> = (0..self.left.len()).collect();
        order.sort_by(|&one, &other| fared[other].total_cmp(&fared[one]));
        order.truncate(self.left.len().div_ceil(2));
        self.left = order.into_iter().map(|place| self.left[place]).collect();
        self.blocks = self.blocks.saturating_mul(2);
        self.rounds += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_half_goes_on_to_twice_as_many_blocks() {
        let mut race = Halving::new(5, 10);
        race.learn(&[1.0, 5.0, 2.0, 4.0, 3.0]);
        assert_eq!((race.left(), race.blocks()), (&[1, 3, 4][..], 20));
        race.learn(&[0.0, 0.0, 1.0]);
        assert_eq!((race.left(), race.blocks()), (&[4, 1][..], 40));
        race.learn(&[-1.0, -2.0]);
        assert_eq!(race.left(), [4]);
        assert_eq!(Halving::total(5, 10), 70);
        assert_eq!([1, 2, 3, 4].map(|settings| Halving::total(settings, 1)), [0, 1, 3, 3]);
    }
}
