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
mod suits;

use runs::RunTable;
use solve::Hand;

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
    /// What runs yield where no limit binds.
    table: &'static RunTable,
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
        MeldRules { wild, limits: *limits, penalties, table: RunTable::of(limits.ace, None, 1) }
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
        total - self.most_melded(hand, total, 0, i32::MAX)
    }

    /// The hand as the fast solver takes it, if it does.
    #[inline]
    fn solvable<'h>(&'h self, cards: &'h Bag, total: i32) -> Option<Hand<'h>> {
        let wilds = cards.count_in(self.wild_cards());
        solve::takes(self, cards, wilds).then_some(Hand { rules: self, cards, wilds, total })
    }

    /// The most penalty that melds take off a hand that costs `total`, given that it is at least `known` and at most
    /// `most`.
    fn most_melded(&self, hand: &Bag, total: i32, known: i32, most: i32) -> i32 {
        match self.solvable(hand, total) {
            Some(hand) => hand.most_melded(known, most),
            None => search::most_melded(self, hand),
        }
    }

    /// For each face in a hand, the least penalty of what is left after its discard; `i32::MAX` for the other faces.
    ///
    /// The hand is solved once. Where that leaves a card over, its discard changes nothing else, and a card that is in
    /// no set may as well be left over if the runs without it yield as much; only for the others is the hand solved
    /// anew, between bounds.
    pub fn deadwood_after_each_discard(&self, hand: &Bag, out: &mut [i32; Card::COUNT]) {
        out.fill(i32::MAX);
        let total = self.sum(hand);
        let mut known = [0; Card::COUNT];
        let most = self.solvable(hand, total).map_or(i32::MAX, |hand| {
            hand.most_melded_without_each(|card, melded| known[card.index()] = melded)
        });
        let wilds_are_alike = !self.has_limits();
        let mut without_wild = None;
        for card in hand.faces() {
            let is_wild = card.rank() == self.wild;
            let penalty = self.penalty(card);
            let solve = |known, most| {
                let mut kept = *hand;
                kept.remove(card);
                self.most_melded(&kept, total - penalty, known, most)
            };
            let melded = match (known[card.index()], without_wild) {
                (_, Some(melded)) if is_wild && wilds_are_alike => melded,
                _ if is_wild => *without_wild.insert(solve(0, i32::MAX)),
                (known, _) if known == most => most,
                (known, _) => solve(known, most),
            };
            out[card.index()] = total - penalty - melded;
        }
    }

    /// The least penalty of a hand, and natural faces of which a card can go without another penalty for the rest: all
    /// that a best choice of sets leaves over, whatever its runs. At a discard these are most often the ones to choose
    /// from, and they cost one solving.
    ///
    /// ```
    /// use dealt_engine::meld::{Ace, MeldLimits, MeldRules};
    /// use dealt_engine::{Bag, Card, CardSet};
    /// let cards = ["4C", "5C", "6C", "7C", "QH"].map(|card| card.parse::<Card>().unwrap());
    /// let rules = MeldRules::new("2".parse()?, &MeldLimits::new(Ace::Low));
    /// let (deadwood, free) = rules.deadwood_and_free(&cards.into_iter().collect::<Bag>());
    /// assert_eq!((deadwood, free), (10, CardSet::of(cards[4])));
    /// # Ok::<(), dealt_engine::CardError>(())
    /// ```
    #[must_use]
    pub fn deadwood_and_free(&self, hand: &Bag) -> (i32, CardSet) {
        let total = self.sum(hand);
        let Some(solvable) = self.solvable(hand, total) else {
            let Arrangement { deadwood, total, .. } = self.arrange(hand);
            return (total, deadwood.into_iter().filter(|card| card.rank() != self.wild).collect());
        };
        let mut most = 0;
        let mut free = CardSet::EMPTY;
        let melded = solvable.most_melded_without_each(|card, melded| {
            // The cards that cost nothing else are those that come with the most.
            if melded > most {
                (most, free) = (melded, CardSet::EMPTY);
            }
            if melded == most {
                free |= CardSet::of(card);
            }
        });
        (total - melded, if most == melded { free } else { CardSet::EMPTY })
    }

    /// The faces that can be discarded so that all other cards of the hand are in melds.
    #[must_use]
    pub fn can_go_out(&self, hand: &Bag) -> CardSet {
        if self.penalties.iter().all(|&penalty| penalty > 0) {
            self.leaves_all_melded(hand)
        } else {
            // With penalties that are all positive, no deadwood means that everything is melded.
            let limits = MeldLimits { ace_penalty: self.limits.ace_penalty.max(1), ..self.limits };
            let penalties = self.penalties.map(|penalty| penalty.max(1));
            MeldRules { limits, penalties, ..self.clone() }.leaves_all_melded(hand)
        }
    }

    /// [`can_go_out`](Self::can_go_out) where every card costs something.
    fn leaves_all_melded(&self, hand: &Bag) -> CardSet {
        let total = self.sum(hand);
        let mut faces = hand.faces();
        if let Some(solvable) = self.solvable(hand, total) {
            let lonely = solvable.lonely();
            // One may be discarded, and two wilds save one.
            if lonely.len() > 1 + solvable.wilds / 2 {
                return CardSet::EMPTY;
            }
            // What is left over without the discard costs no more than the discard.
            let dearest = faces.into_iter().map(|card| self.penalty(card)).max().unwrap_or(0);
            let deadwood = total - solvable.most_melded(total - dearest - 1, i32::MAX);
            faces = faces.into_iter().filter(|&card| self.penalty(card) >= deadwood).collect();
            if solvable.wilds == 0 && !lonely.is_empty() {
                faces &= lonely;
            }
        }
        let leaves_nothing = |card: &Card| {
            let mut kept = *hand;
            kept.remove(*card);
            let total = total - self.penalty(*card);
            self.most_melded(&kept, total, total - 1, i32::MAX) == total
        };
        faces.into_iter().filter(leaves_nothing).collect()
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

    /// Whether there are limits to the cards in a meld.
    fn has_limits(&self) -> bool {
        self.limits.max_wilds_per_meld.is_some() || self.limits.min_naturals_per_meld > 1
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

    /// What an unmelded ace costs that is not wild.
    fn ace_penalty(&self) -> i32 {
        self.limits.ace_penalty
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
            let total = rules.sum(&hand);
            if let Some(solvable) = rules.solvable(&hand, total) {
                let slow = search::most_melded(&rules, &hand);
                assert_eq!(solvable.most_melded(0, i32::MAX), slow, "{hand}\n{rules:?}");
                both += 1;
            }
        }
        assert!(both > 19_000);
    }
}
