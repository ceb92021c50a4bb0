//! Melds of three-thirteen: the least penalty that a hand can be left with.
//!
//! A meld is three or more cards: a *set* (one rank, any suits, identical cards allowed) or a *run* (one suit,
//! consecutive ranks). A *wild* card stands for any card. Cards in no meld are *deadwood* and each costs its penalty;
//! a hand scores the least total over all ways to meld it.
//!
//! [`MeldRules`] are the rules of one round: its wild rank and the [`MeldLimits`] of the game. What they answer is exact
//! for every option, any number of packs and penalties of either sign.
//!
//! ```
//! use dealt_engine::meld::{Ace, MeldLimits, MeldRules};
//! use dealt_engine::{Bag, Card};
//! let rules = MeldRules::new("4".parse()?, &MeldLimits::new(Ace::Low));
//! let hand: Bag = ["4C", "7H", "9H", "JH"].map(|card| card.parse::<Card>().unwrap()).into_iter().collect();
//! assert_eq!(rules.deadwood(&hand), 7); // 9H 4C JH is a run
//! let arrangement = rules.arrange(&hand);
//! assert_eq!(arrangement.deadwood, ["7H".parse()?]);
//! assert_eq!(arrangement.melds.len(), 1);
//! # Ok::<(), dealt_engine::CardError>(())
//! ```

use serde::{Deserialize, Serialize};

use crate::{Bag, Card, CardSet, Rank};

mod runs;
mod search;
mod solve;

/// Where an ace stands in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ace {
    /// Below the two.
    #[default]
    Low,
    /// Below the two or above the king; a run does not go on from king to ace to two.
    LowOrHigh,
}

impl Ace {
    /// What an unmelded ace costs unless the rules say otherwise: 1, or 15 where it may be high.
    #[must_use]
    pub const fn usual_penalty(self) -> i32 {
        match self {
            Ace::Low => 1,
            Ace::LowOrHigh => 15,
        }
    }

    /// How many places there are in a run.
    const fn places(self) -> u32 {
        match self {
            Ace::Low => 13,
            Ace::LowOrHigh => 14,
        }
    }
}

/// What the options of a game say about melds and penalties, the same in every round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MeldLimits {
    /// Where an ace stands in a run.
    pub ace: Ace,
    /// What an unmelded ace costs.
    pub ace_penalty: i32,
    /// The most wild cards in a meld; no limit if `None`. A card of the wild rank that stands for its own rank and suit
    /// is not counted.
    pub max_wilds_per_meld: Option<u8>,
    /// The fewest natural cards in a meld. A card of the wild rank that stands for its own rank and suit is one.
    pub min_naturals_per_meld: u8,
    /// What an unmelded wild card costs; `None`: as much as its rank.
    pub wild_penalty: Option<i32>,
}

impl MeldLimits {
    /// No limits, and the usual penalties.
    #[must_use]
    pub const fn new(ace: Ace) -> MeldLimits {
        MeldLimits {
            ace,
            ace_penalty: ace.usual_penalty(),
            max_wilds_per_meld: None,
            min_naturals_per_meld: 0,
            wild_penalty: None,
        }
    }
}

impl Default for MeldLimits {
    fn default() -> Self {
        MeldLimits::new(Ace::Low)
    }
}

/// The rules of melds in one round.
#[derive(Clone, Debug)]
pub struct MeldRules {
    wild: Rank,
    limits: MeldLimits,
    /// By rank.
    penalties: [i32; 13],
}

/// A hand laid out: melds, and what is in none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrangement {
    /// The melds. In a run or set with wild cards these come last.
    pub melds: Vec<Vec<Card>>,
    /// The cards in no meld, lowest first.
    pub deadwood: Vec<Card>,
    /// What these cost.
    pub total: i32,
}

impl MeldRules {
    /// The most cards in a hand: thirteen and the one drawn.
    pub const MAX_HAND: usize = 14;

    /// The rules of a round in which the cards of rank `wild` are wild.
    #[must_use]
    pub fn new(wild: Rank, limits: &MeldLimits) -> MeldRules {
        let mut penalties = [10; 13];
        for (penalty, number) in penalties.iter_mut().zip(2..=9) {
            *penalty = number;
        }
        penalties[Rank::ACE.index()] = limits.ace_penalty;
        if let Some(penalty) = limits.wild_penalty {
            penalties[wild.index()] = penalty;
        }
        MeldRules { wild, limits: *limits, penalties }
    }

    /// The wild rank.
    #[must_use]
    pub fn wild(&self) -> Rank {
        self.wild
    }

    /// What the card costs if it is in no meld.
    #[inline]
    #[must_use]
    pub fn penalty(&self, card: Card) -> i32 {
        self.penalties[card.rank().index()]
    }

    /// What all cards of the hand cost together.
    #[must_use]
    pub fn sum(&self, hand: &Bag) -> i32 {
        (0..3).map(|plane| self.sum_of(hand.plane(plane).bits()) << plane).sum()
    }

    /// The least penalty over all ways to meld a hand of up to [`MAX_HAND`](Self::MAX_HAND) cards.
    #[must_use]
    pub fn deadwood(&self, hand: &Bag) -> i32 {
        let total = self.sum(hand);
        if solve::takes(self, hand.count_in(self.wild_cards())) {
            total - solve::most_melded(self, hand, total)
        } else {
            total - search::most_melded(self, hand)
        }
    }

    /// What these cards cost together.
    fn sum_of(&self, faces: u64) -> i32 {
        let wilds = faces & self.wild.cards().bits();
        let others = faces & !wilds;
        let numbers: u32 =
            NUMBERS.iter().enumerate().map(|(bit, &ranks)| (others & ranks).count_ones() << bit).sum();
        let aces = (others & Rank::ACE.cards().bits()).count_ones();
        numbers as i32
            + aces as i32 * self.penalties[Rank::ACE.index()]
            + wilds.count_ones() as i32 * self.penalties[self.wild.index()]
    }

    /// For each face in a hand, the least penalty of what is left after its discard; `i32::MAX` for the other faces.
    pub fn deadwood_after_each_discard(&self, hand: &Bag, out: &mut [i32; Card::COUNT]) {
        out.fill(i32::MAX);
        for card in hand.faces() {
            let mut kept = *hand;
            kept.remove(card);
            out[card.index()] = self.deadwood(&kept);
        }
    }

    /// The faces that can be discarded so that all other cards of the hand are in melds.
    #[must_use]
    pub fn can_go_out(&self, hand: &Bag) -> CardSet {
        let counted = self.counting_cards();
        let fits = |card: &Card| {
            let mut kept = *hand;
            kept.remove(*card);
            counted.deadwood(&kept) == 0
        };
        hand.faces().into_iter().filter(fits).collect()
    }

    /// These rules with penalties that are all positive, so that no deadwood means that everything is melded.
    fn counting_cards(&self) -> MeldRules {
        MeldRules { penalties: self.penalties.map(|penalty| penalty.max(1)), ..self.clone() }
    }

    /// A way to lay out the hand that leaves the least penalty.
    #[must_use]
    pub fn arrange(&self, hand: &Bag) -> Arrangement {
        let melds = search::best_melds(self, hand);
        let mut left = *hand;
        for &card in melds.iter().flatten() {
            left.remove(card);
        }
        Arrangement { melds, deadwood: left.iter().collect(), total: self.sum(&left) }
    }

    /// The wild cards.
    fn wild_cards(&self) -> CardSet {
        self.wild.cards()
    }
}

/// The faces whose number (2 to 9, and 10 from ten to king) has a bit set, by the bit.
const NUMBERS: [u64; 4] = {
    let mut faces = [0; 4];
    let mut rank = 0;
    while rank < 12 {
        let number = if rank < 8 { rank + 2 } else { 10 };
        let mut bit = 0;
        while bit < 4 {
            if number >> bit & 1 != 0 {
                faces[bit] |= RANK << rank;
            }
            bit += 1;
        }
        rank += 1;
    }
    faces
};

/// The four faces of the lowest rank.
const RANK: u64 = Rank::TWO.cards().bits();

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dice, QuickDice};

    #[test]
    fn the_two_solvers_agree() {
        let mut both = 0;
        for number in 0..20_000 {
            let mut dice = QuickDice::new(0x6d65_6c64, number);
            let mut one_of = |values: &[i32]| values[dice.below(values.len() as u32) as usize];
            let limits = MeldLimits {
                ace: if one_of(&[0, 1]) == 0 { Ace::Low } else { Ace::LowOrHigh },
                ace_penalty: one_of(&[0, 1, 15, 15, 200]),
                max_wilds_per_meld: u8::try_from(one_of(&[-1, -1, 0, 1, 2, 3, 4])).ok(),
                min_naturals_per_meld: one_of(&[0, 1, 2, 3]) as u8,
                wild_penalty: Some(one_of(&[-100, -100, -5, 0, 40])).filter(|&penalty| penalty > -100),
            };
            let wild = Rank::new(one_of(&[1, 2, 5, 8, 11, 12]) as u8).unwrap();
            let size = one_of(&[5, 8, 10, 11, 12]);
            let (packs, suits) = (one_of(&[1, 1, 2, 3]) as usize, one_of(&[1, 2, 4]) as usize);
            let near = |card: &Card| (card.suit() as usize) < suits || card.rank() == wild;
            let mut pool = Bag::copies(Card::all().filter(near).collect(), packs);
            let hand: Bag = (0..size).map(|_| pool.take(&mut dice).unwrap()).collect();
            let rules = MeldRules::new(wild, &limits);
            if solve::takes(&rules, hand.count_in(wild.cards())) {
                let total = rules.sum(&hand);
                let slow = search::most_melded(&rules, &hand);
                assert_eq!(solve::most_melded(&rules, &hand, total), slow, "{hand}\n{rules:?}");
                both += 1;
            }
        }
        assert!(both > 19_000);
    }
}
