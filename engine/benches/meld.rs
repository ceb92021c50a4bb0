//! How fast hands are melded: the hands of known deadwood, by size, and what a turn asks. Every answer is checked.

use dealt_engine::meld::{Ace, MeldLimits, MeldRules};
use dealt_engine::{Bag, Card, CardSet, QuickDice};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use serde::Deserialize;

fn main() {
    divan::main();
}

#[derive(Deserialize)]
struct Known {
    round: usize,
    decks: usize,
    wild: String,
    ace: Ace,
    min_naturals_per_meld: u8,
    max_wilds_per_meld: Option<u8>,
    hand: Vec<Card>,
}

/// A hand of the file of known hands, and the same hand with a card drawn to it.
struct Case {
    rules: MeldRules,
    hand: Bag,
    drawn: Bag,
}

fn cases(rounds: std::ops::RangeInclusive<usize>) -> Vec<Case> {
    let text = include_str!("../tests/data/three-thirteen-deadwood.jsonl");
    let known = text.lines().map(|line| serde_json::from_str::<Known>(line).unwrap());
    let case = |(number, known): (usize, Known)| {
        let limits = MeldLimits {
            min_naturals_per_meld: known.min_naturals_per_meld,
            max_wilds_per_meld: known.max_wilds_per_meld,
            ..MeldLimits::new(known.ace)
        };
        let hand: Bag = known.hand.into_iter().collect();
        let mut stock = Bag::copies(CardSet::ALL, known.decks);
        stock.remove_all(&hand);
        let mut drawn = hand;
        drawn.insert(stock.take(&mut QuickDice::new(1, number as u64)).unwrap());
        Case { rules: MeldRules::new(known.wild.parse().unwrap(), &limits), hand, drawn }
    };
    known.filter(|known| rounds.contains(&known.round)).enumerate().map(case).collect()
}

/// The total over all hands is what it was, and the time is given by hand.
fn measure(bencher: Bencher<'_, '_>, cases: &[Case], answer: i64, ask: impl Fn(&Case) -> i64 + Sync) {
    bencher.counter(ItemsCount::new(cases.len())).bench(|| {
        let total: i64 = black_box(cases).iter().map(&ask).sum();
        assert_eq!(total, answer);
    });
}

/// The least deadwood of the hands of a round: 3 cards in round 1, 13 in round 11.
#[divan::bench(args = [(1, 935), (4, 1_159), (8, 1_131), (11, 926)])]
fn deadwood(bencher: Bencher<'_, '_>, (round, answer): (usize, i64)) {
    measure(bencher, &cases(round..=round), answer, |case| i64::from(case.rules.deadwood(&case.hand)));
}

/// The least deadwood of the hands of all eleven rounds.
#[divan::bench(args = [11_163])]
fn deadwood_of_all_rounds(bencher: Bencher<'_, '_>, answer: i64) {
    measure(bencher, &cases(1..=11), answer, |case| i64::from(case.rules.deadwood(&case.hand)));
}

/// The least deadwood after each discard from 14 cards.
#[divan::bench(args = [13_141])]
fn each_discard(bencher: Bencher<'_, '_>, answer: i64) {
    let sum = |case: &Case| {
        let mut least = [0; Card::COUNT];
        case.rules.deadwood_after_each_discard(&case.drawn, &mut least);
        least.iter().filter(|&&least| least < i32::MAX).map(|&least| i64::from(least)).sum()
    };
    measure(bencher, &cases(11..=11), answer, sum);
}

/// Whether one of 14 cards can be discarded in going out.
#[divan::bench(args = [135])]
fn can_go_out(bencher: Bencher<'_, '_>, answer: i64) {
    measure(bencher, &cases(11..=11), answer, |case| case.rules.can_go_out(&case.drawn).len() as i64);
}
