//! The meld solver against hands of known deadwood, against the definition, and against its own laws.

use dealt_engine::meld::{Ace, Arrangement, MeldLimits, MeldRules};
use dealt_engine::{Bag, Card, CardSet, Dice, QuickDice, Rank, Suit};
use serde::Deserialize;

/// One line of the file of known hands.
#[derive(Deserialize)]
struct Known {
    wild: String,
    ace: Ace,
    min_naturals_per_meld: u8,
    max_wilds_per_meld: Option<u8>,
    hand: Vec<Card>,
    deadwood: i32,
}

impl Known {
    fn read() -> Vec<Known> {
        let text = include_str!("data/three-thirteen-deadwood.jsonl");
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn rules(&self) -> MeldRules {
        let limits = MeldLimits {
            min_naturals_per_meld: self.min_naturals_per_meld,
            max_wilds_per_meld: self.max_wilds_per_meld,
            ..MeldLimits::new(self.ace)
        };
        MeldRules::new(self.wild.parse().unwrap(), &limits)
    }
}

fn bag(cards: &str) -> Bag {
    cards.split_whitespace().map(|card| card.parse::<Card>().unwrap()).collect()
}

fn rules(wild: &str, limits: MeldLimits) -> MeldRules {
    MeldRules::new(wild.parse().unwrap(), &limits)
}

const LOW: MeldLimits = MeldLimits::new(Ace::Low);
const LOW_OR_HIGH: MeldLimits = MeldLimits::new(Ace::LowOrHigh);

#[test]
fn known_hands_have_their_deadwood() {
    let known = Known::read();
    assert_eq!(known.len(), 528);
    for case in known {
        let hand: Bag = case.hand.iter().copied().collect();
        assert_eq!(case.rules().deadwood(&hand), case.deadwood, "{hand} with {}", case.wild);
    }
}

#[test]
fn the_worked_hands_have_their_deadwood() {
    let cases = [
        ("2", LOW, "6H QH QC 5H KD KH 7H KC 4H QD", 0),
        ("2", LOW, "KC 3S 3C 9C KH 3H 9H 3D 9D KD", 0),
        ("A", LOW, "5S 4H 6S TH 3H JH 5H 9H 2H 4S", 0),
        ("A", LOW, "JC 9D 8S 6D JS 8H TD 8D 7D JD", 16),
        ("T", LOW, "JC 9D 8S 6D JS 8H TD 8D 7D JD", 0),
        ("4", LOW, "4C 7H 9H JH", 7),
        ("4", LOW, "4C 7H 7H 8H", 7),
        ("8", LOW, "7C 8D 9H", 24),
        ("3", LOW, "KC KD AD", 21),
        ("3", LOW_OR_HIGH, "KC KD AD", 35),
        ("6", LOW_OR_HIGH, "QH KH AH AH 2H 3H", 0),
        ("6", LOW, "QH KH AH AH 2H 3H", 21),
        ("5", LOW, "TC 4S QD 2C 7H", 33),
        ("5", LOW, "TC 4S QD 5C 7H", 36),
    ];
    for (wild, limits, hand, deadwood) in cases {
        assert_eq!(rules(wild, limits).deadwood(&bag(hand)), deadwood, "{hand} with {wild}");
    }
}

/// The definition of a meld, tried on subsets of a small hand.
struct Definition<'a> {
    wild: Rank,
    limits: &'a MeldLimits,
    hand: &'a [Card],
}

impl Definition<'_> {
    /// The least penalty over all ways to take disjoint melds out of the hand.
    fn deadwood(&self, rules: &MeldRules) -> i32 {
        self.least(|card| rules.penalty(card))
    }

    /// Whether the whole hand is melds.
    fn all_melded(&self) -> bool {
        self.least(|_| 1) == 0
    }

    fn least(&self, penalty: impl Fn(Card) -> i32) -> i32 {
        let subsets = 1_usize << self.hand.len();
        let melds: Vec<bool> = (0..subsets).map(|subset| self.is_meld(&self.cards(subset))).collect();
        let mut least = vec![0; subsets];
        for subset in 1..subsets {
            let lowest = subset & subset.wrapping_neg();
            let rest = subset - lowest;
            let mut best = penalty(self.hand[lowest.trailing_zeros() as usize]) + least[rest];
            let mut others = rest;
            while others > 0 {
                if melds[others | lowest] {
                    best = best.min(least[rest - others]);
                }
                others = (others - 1) & rest;
            }
            least[subset] = best;
        }
        least[subsets - 1]
    }

    fn cards(&self, subset: usize) -> Vec<Card> {
        (0..self.hand.len()).filter(|place| subset >> place & 1 != 0).map(|place| self.hand[place]).collect()
    }

    fn is_meld(&self, cards: &[Card]) -> bool {
        cards.len() >= 3 && (self.is_set(cards) || self.is_run(cards))
    }

    fn allows(&self, naturals: usize, wilds: usize) -> bool {
        naturals >= usize::from(self.limits.min_naturals_per_meld)
            && self.limits.max_wilds_per_meld.is_none_or(|most| wilds <= usize::from(most))
    }

    fn is_set(&self, cards: &[Card]) -> bool {
        (0..13).filter_map(Rank::new).any(|rank| {
            let naturals = cards.iter().filter(|card| card.rank() == rank).count();
            cards.iter().all(|card| card.rank() == rank || card.rank() == self.wild)
                && self.allows(naturals, cards.len() - naturals)
        })
    }

    fn is_run(&self, cards: &[Card]) -> bool {
        let places = if self.limits.ace == Ace::Low { 13 } else { 14 };
        Suit::ALL.into_iter().any(|suit| {
            (0..places).any(|start| {
                // An ace comes before the two, and again after the king.
                let rank_at = |place: usize| Rank::new(((place + 12) % 13) as u8).unwrap();
                let end = start + cards.len();
                let faces: Vec<Card> = (start..end).map(|place| Card::new(rank_at(place), suit)).collect();
                end <= places && self.stand_for(cards, &faces, 0, 0)
            })
        })
    }

    /// Whether the cards can stand for the faces, one each, within the limits.
    fn stand_for(&self, cards: &[Card], faces: &[Card], naturals: usize, wilds: usize) -> bool {
        let Some((&face, faces)) = faces.split_first() else {
            return self.allows(naturals, wilds);
        };
        (0..cards.len()).filter(|&place| !cards[..place].contains(&cards[place])).any(|place| {
            let mut rest = cards.to_vec();
            let card = rest.remove(place);
            (card == face && self.stand_for(&rest, faces, naturals + 1, wilds))
                || (card.rank() == self.wild && self.stand_for(&rest, faces, naturals, wilds + 1))
        })
    }
}

/// A random hand, most often from a corner of the pack where melds abound.
fn random_hand(dice: &mut QuickDice, size: usize, wild: Rank) -> Vec<Card> {
    let packs = 1 + dice.below(3) as usize;
    let ranks = [13, 13, 6, 5, 4][dice.below(5) as usize];
    let suits = 1 + dice.below(4) as usize;
    let first = dice.below(13) as usize;
    let near = |card: &Card| {
        ((card.rank().index() + 13 - first) % 13 < ranks && (card.suit() as usize) < suits)
            || card.rank() == wild
    };
    let near: CardSet = Card::all().filter(near).collect();
    let mut pool = Bag::copies(if near.len() * packs < size { CardSet::ALL } else { near }, packs);
    (0..size).map(|_| pool.take(dice).unwrap()).collect()
}

fn random_limits(dice: &mut QuickDice) -> MeldLimits {
    let ace = if dice.below(2) == 0 { Ace::Low } else { Ace::LowOrHigh };
    let mut pick = |values: &[i32]| values[dice.below(values.len() as u32) as usize];
    MeldLimits {
        ace,
        ace_penalty: pick(&[1, 15, 15, 1, 0, -3, 400]),
        max_wilds_per_meld: [None, None, None, Some(0), Some(1), Some(2), Some(3)]
            [pick(&[0, 1, 2, 3, 4, 5, 6]) as usize],
        min_naturals_per_meld: pick(&[0, 0, 0, 1, 2, 3]) as u8,
        wild_penalty: [None, None, None, Some(0), Some(-5), Some(25)][pick(&[0, 1, 2, 3, 4, 5]) as usize],
    }
}

/// Random hands of up to `largest` cards under random rules.
fn random_cases(
    key: u64,
    count: u64,
    largest: u32,
) -> impl Iterator<Item = (MeldRules, MeldLimits, Vec<Card>)> {
    (0..count).map(move |number| {
        let mut dice = QuickDice::new(key, number);
        let limits = random_limits(&mut dice);
        let wild = Rank::new(dice.below(13) as u8).unwrap();
        let size = 3 + dice.below(largest - 2) as usize;
        let hand = random_hand(&mut dice, size, wild);
        (MeldRules::new(wild, &limits), limits, hand)
    })
}

#[test]
fn the_least_deadwood_is_what_the_definition_gives() {
    let small = random_cases(1, 2_000, 8);
    let large = random_cases(2, 30, 11);
    for (rules, limits, hand) in small.chain(large) {
        let definition = Definition { wild: rules.wild(), limits: &limits, hand: &hand };
        let bag: Bag = hand.iter().copied().collect();
        assert_eq!(rules.deadwood(&bag), definition.deadwood(&rules), "{bag}\n{rules:?}");
    }
}

#[test]
fn a_discard_leaves_what_the_hand_without_it_does() {
    for (rules, _, hand) in random_cases(3, 10_000, 14) {
        let hand: Bag = hand.into_iter().collect();
        let mut least = [7; Card::COUNT];
        rules.deadwood_after_each_discard(&hand, &mut least);
        for card in Card::all() {
            let expected = if hand.has(card) { rules.deadwood(&without(&hand, card)) } else { i32::MAX };
            assert_eq!(least[card.index()], expected, "{hand} without {card}\n{rules:?}");
        }
    }
}

#[test]
fn going_out_leaves_all_other_cards_in_melds() {
    let mut out = 0;
    for (rules, limits, hand) in random_cases(4, 2_000, 8) {
        let bag: Bag = hand.iter().copied().collect();
        let can = rules.can_go_out(&bag);
        for card in bag.faces() {
            let mut kept = hand.clone();
            kept.remove(hand.iter().position(|&held| held == card).unwrap());
            let definition = Definition { wild: rules.wild(), limits: &limits, hand: &kept };
            assert_eq!(can.has(card), definition.all_melded(), "{bag} without {card}\n{rules:?}");
        }
        assert!(can.is_subset(bag.faces()));
        out += u32::from(!can.is_empty());
    }
    assert!(out > 100, "{out}");
}

#[test]
fn one_can_go_out_where_the_least_deadwood_after_a_discard_is_nothing() {
    let positive =
        |limits: &MeldLimits| limits.ace_penalty > 0 && limits.wild_penalty.is_none_or(|wild| wild > 0);
    let mut out = 0;
    for (rules, _, hand) in random_cases(5, 20_000, 14).filter(|(_, limits, _)| positive(limits)) {
        let hand: Bag = hand.into_iter().collect();
        let mut least = [0; Card::COUNT];
        rules.deadwood_after_each_discard(&hand, &mut least);
        let nothing_left: CardSet = Card::all().filter(|card| least[card.index()] == 0).collect();
        assert_eq!(rules.can_go_out(&hand), nothing_left, "{hand}\n{rules:?}");
        out += u32::from(!nothing_left.is_empty());
    }
    assert!(out > 1_000, "{out}");
}

#[test]
fn an_arrangement_is_of_melds_and_leaves_the_least() {
    for (rules, limits, hand) in random_cases(6, 3_000, 12) {
        let bag: Bag = hand.iter().copied().collect();
        let Arrangement { melds, deadwood, total } = rules.arrange(&bag);
        let definition = Definition { wild: rules.wild(), limits: &limits, hand: &hand };
        for meld in &melds {
            assert!(definition.is_meld(meld), "{meld:?} of {bag}\n{rules:?}");
        }
        let all: Bag = melds.iter().flatten().chain(&deadwood).copied().collect();
        assert_eq!(all, bag);
        assert_eq!(total, deadwood.iter().map(|&card| rules.penalty(card)).sum::<i32>());
        assert_eq!(total, rules.deadwood(&bag), "{bag}\n{rules:?}");
    }
}

#[test]
fn names_of_suits_do_not_matter() {
    for (rules, _, hand) in random_cases(7, 10_000, 14) {
        let mut suits = Suit::ALL;
        QuickDice::new(8, hand.len() as u64).shuffle(&mut suits);
        let renamed = hand.iter().map(|card| Card::new(card.rank(), suits[card.suit() as usize]));
        let (one, other): (Bag, Bag) = (hand.iter().copied().collect(), renamed.collect());
        assert_eq!(rules.deadwood(&one), rules.deadwood(&other), "{one} and {other}\n{rules:?}");
    }
}

#[test]
fn the_least_deadwood_lies_between_nothing_and_the_whole_hand() {
    for (rules, limits, hand) in random_cases(9, 10_000, 14) {
        let bag: Bag = hand.into_iter().collect();
        let sum: i32 = bag.iter().map(|card| rules.penalty(card)).sum();
        assert_eq!(rules.sum(&bag), sum);
        let deadwood = rules.deadwood(&bag);
        assert!(deadwood <= sum);
        if limits.ace_penalty >= 0 && limits.wild_penalty.is_none_or(|penalty| penalty >= 0) {
            assert!(deadwood >= 0);
        }
    }
}

#[test]
fn laxer_rules_never_leave_more() {
    for (rules, limits, hand) in random_cases(10, 10_000, 14) {
        let hand: Bag = hand.into_iter().collect();
        let deadwood = rules.deadwood(&hand);
        let laxer = [
            MeldLimits { ace: Ace::LowOrHigh, ..limits },
            MeldLimits { max_wilds_per_meld: limits.max_wilds_per_meld.map(|most| most + 1), ..limits },
            MeldLimits { max_wilds_per_meld: None, ..limits },
            MeldLimits { min_naturals_per_meld: limits.min_naturals_per_meld.saturating_sub(1), ..limits },
        ];
        for laxer in laxer {
            assert!(MeldRules::new(rules.wild(), &laxer).deadwood(&hand) <= deadwood, "{hand}\n{rules:?}");
        }
    }
}

#[test]
fn cards_that_the_tables_do_not_hold_are_melded_too() {
    let seven_packs = rules("9", LOW);
    assert_eq!(seven_packs.deadwood(&bag("3C 3C 3C 3C 3C 4C 4C 5C 5C 5C")), 5);
    assert_eq!(seven_packs.deadwood(&bag("9C 9C 9C 9D 9D 9S 9S 9H 2C 5D 7S QH")), 0);
    let dear_aces = rules("9", MeldLimits { ace_penalty: 100_000, ..LOW });
    assert_eq!(dear_aces.deadwood(&bag("AC AD 2C 3C 4C")), 100_000);
    let unwanted_aces = rules("9", MeldLimits { ace_penalty: -10, ..LOW });
    assert_eq!(unwanted_aces.deadwood(&bag("AC 2C 3C 4C AD AS AH")), -40);
    assert_eq!(unwanted_aces.deadwood(&bag("AC 2C 3C")), -5);
}

fn without(hand: &Bag, card: Card) -> Bag {
    let mut kept = *hand;
    kept.remove(card);
    kept
}

#[test]
fn a_free_card_takes_only_its_own_penalty_with_it() {
    let mut free_cards = 0;
    for (rules, _, hand) in random_cases(11, 10_000, 14) {
        let hand: Bag = hand.into_iter().collect();
        let (deadwood, free) = rules.deadwood_and_free(&hand);
        assert_eq!(deadwood, rules.deadwood(&hand));
        for card in free {
            assert_eq!(
                rules.deadwood(&without(&hand, card)),
                deadwood - rules.penalty(card),
                "{hand}, {card}\n{rules:?}"
            );
        }
        free_cards += free.len();
    }
    assert!(free_cards > 10_000, "{free_cards}");
}
