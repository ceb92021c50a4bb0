//! Counting the ways in which a hidden hand can have come about.
//!
//! Cards fall into five classes that any reply denies or does not deny as a whole: clubs, diamonds, hearts, the other
//! spades, the ace of spades. Think of the hand as *places*, one for each card held, and leave open which card lies in a
//! place until it is played. All that matters of a place is the *period* in which it was filled: a denial closes a
//! period, and a card of a class may lie in the places filled since its class was last denied. Periods that no class
//! tells apart are merged, so there are at most five. Going through the tricks forward with a table over the numbers of
//! places of each period (f₀, f₁, …):
//!
//! - a card played takes one of the places that its class may lie in: f → f − 1 in that period, in f ways;
//! - a draw adds a place to the last period;
//! - a denial opens a new period, and places that no class may lie in any more must be empty.
//!
//! At the end the places of each period, oldest first, are filled with any unseen cards of the classes allowed there, a
//! falling factorial of ways. A hand is drawn by drawing (f₀, f₁, …) by its weight and then filling the places.
//!
//! Each play multiplies the sum of all ways by at most the hand size, and each place filled at the end by at most the
//! number of unseen cards: after t tricks with hands of n cards the sum is at most nᵗ · (52 − n − 2t)ⁿ, below 2¹²⁰ as
//! long as there is a stock. So `u128` holds everything, and the sampling is exact.

use crate::{Card, CardSet, Dice, Seat, Suit};

use super::position::Table;
use super::{SPADE_ACE, TwoTenJack};

/// The classes of cards that replies deny.
const CLASSES: [CardSet; 5] = [
    Suit::Clubs.cards(),
    Suit::Diamonds.cards(),
    CardSet::from_bits(Suit::Spades.cards().bits() & !CardSet::of(SPADE_ACE).bits()),
    Suit::Hearts.cards(),
    CardSet::of(SPADE_ACE),
];
/// The most periods: one a class.
pub(super) const PERIODS: usize = CLASSES.len();
/// The most lines of a table. Period 0 is left out, and no period holds more places than a hand or than the draws in
/// it, of which there are 26 less the hand size: the product of (places + 1) is greatest for four periods of five.
const LINES: usize = 6 * 6 * 6 * 6;

fn class_of(card: Card) -> usize {
    if card == SPADE_ACE { 4 } else { card.suit() as usize }
}

/// The numbers of ways to each (f₁, f₂, …); f₀ is what the hand has besides.
///
/// Line f₁ + f₂·s₁ + f₃·s₁·s₂ + … with spans s that grow with the number of places.
#[derive(Clone, Debug)]
pub(super) struct Ways {
    lines: [u128; LINES],
    /// For each period the number of values that f takes; 1 for period 0.
    spans: [usize; PERIODS],
    /// The period that is going on.
    last: usize,
    /// The period in which each class was last denied.
    period_of: [Option<usize>; CLASSES.len()],
    /// Cards in the hand.
    held: usize,
    /// The most cards in the hand.
    room: usize,
}

impl Ways {
    /// A hand as dealt. `pool` has all cards that the seat may have had.
    #[inline]
    pub(super) fn new(hand_size: usize, pool: CardSet) -> Ways {
        let period_of = CLASSES.map(|class| (!(class & pool).is_empty()).then_some(0));
        let spans = [1; PERIODS];
        let mut ways =
            Ways { lines: [0; LINES], spans, last: 0, period_of, held: hand_size, room: hand_size };
        ways.lines[0] = 1;
        ways
    }

    /// Goes through what a seat has played, and heeds what it has shown not to hold if `with_voids` says so.
    pub(super) fn follow(&mut self, game: &TwoTenJack, table: &Table, seat: Seat, with_voids: bool) {
        let draws = game.draws(table);
        for trick in table.tricks() {
            let Some(card) = trick.card_of(seat) else { break };
            if with_voids && trick.leader != seat {
                self.deny(game.denied(&trick));
            }
            self.play(class_of(card));
            if trick.number <= draws {
                self.draw();
            }
        }
    }

    fn size(&self) -> usize {
        self.spans.iter().product()
    }

    /// All lines with the numbers of places that they stand for; `None` if these are more than the hand has.
    fn places(&self) -> impl Iterator<Item = Option<[usize; PERIODS]>> + use<> {
        let (spans, held) = (self.spans, self.held);
        let mut next = [0; PERIODS];
        (0..self.size()).map(move |_| {
            let mut places = next;
            for (place, span) in next.iter_mut().zip(spans) {
                *place += 1;
                if *place < span {
                    break;
                }
                *place = 0;
            }
            places[0] = usize::checked_sub(held, places.iter().sum())?;
            Some(places)
        })
    }

    /// A card of the class is played.
    fn play(&mut self, class: usize) {
        self.held -= 1;
        let from = self.period_of[class].expect("the class of a card that was played");
        // Each line takes from itself and from lines further on, so going up needs no second table.
        for (line, places) in self.places().enumerate() {
            let Some(places) = places else {
                self.lines[line] = 0;
                continue;
            };
            let mut ways = if from == 0 { self.lines[line] * (places[0] as u128 + 1) } else { 0 };
            let mut step = 1;
            for (period, (&place, &span)) in places.iter().zip(&self.spans).enumerate().skip(1) {
                if period >= from && place + 1 < span {
                    ways += self.lines[line + step] * (place as u128 + 1);
                }
                step *= span;
            }
            self.lines[line] = ways;
        }
    }

    /// A card is drawn.
    fn draw(&mut self) {
        self.held += 1;
        if self.last == 0 {
            return;
        }
        let step: usize = self.spans[..self.last].iter().product();
        let span = &mut self.spans[self.last];
        *span = (*span + 1).min(self.room + 1);
        let top = step * *span;
        self.lines.copy_within(..top - step, step);
        self.lines[..step].fill(0);
    }

    /// The hand is seen to have none of these cards.
    fn deny(&mut self, cards: CardSet) {
        let denied = |class: usize| !(CLASSES[class] & cards).is_empty();
        let mut any = false;
        for class in 0..CLASSES.len() {
            if denied(class) && self.period_of[class].is_some() {
                self.period_of[class] = Some(self.last + 1);
                any = true;
            }
        }
        if any {
            self.open_period();
        }
    }

    /// Opens the period after the last and merges those that no class tells apart.
    fn open_period(&mut self) {
        // Where each period goes; `None` for the oldest ones, if no class may lie there any more.
        let mut moved = [None; PERIODS + 1];
        let mut next = None;
        for (period, target) in moved.iter_mut().enumerate().take(self.last + 2) {
            if self.period_of.contains(&Some(period)) {
                next = Some(next.map_or(0, |next: usize| next + 1));
            }
            *target = next;
        }
        let mut spans = [1; PERIODS];
        for (period, &span) in self.spans.iter().enumerate() {
            if let Some(target @ 1..) = moved[period] {
                spans[target] = (spans[target] + span - 1).min(self.room + 1);
            }
        }
        // Periods only move down, and lines with them, so no second table is needed.
        for (line, places) in self.places().enumerate() {
            let ways = std::mem::take(&mut self.lines[line]);
            let mut merged = [0; PERIODS];
            let places = places.unwrap_or([0; PERIODS]);
            let is_dead = (0..PERIODS).any(|period| moved[period].is_none() && places[period] > 0);
            if ways == 0 || is_dead {
                continue;
            }
            for (&target, place) in moved.iter().zip(places) {
                merged[target.unwrap_or(0)] += place;
            }
            let index = (1..PERIODS).rev().fold(0, |index, period| index * spans[period] + merged[period]);
            self.lines[index] += ways;
        }
        self.spans = spans;
        self.last = moved[self.last + 1].unwrap_or(0);
        for period in self.period_of.iter_mut().flatten() {
            *period = moved[*period].unwrap_or(0);
        }
    }

    /// Which of the cards the places of each period may hold.
    fn allowed(&self, cards: CardSet) -> [CardSet; PERIODS] {
        std::array::from_fn(|period| {
            let classes = CLASSES.iter().zip(self.period_of);
            let classes = classes.filter(|(_, from)| from.is_some_and(|from| from <= period));
            classes.fold(CardSet::EMPTY, |all, (&class, _)| all | class & cards)
        })
    }

    /// Multiplies each line by the ways to fill its places with unseen cards, and adds the lines before it. Gives what
    /// the places of each period may hold.
    pub(super) fn sum_up(&mut self, unseen: CardSet) -> [CardSet; PERIODS] {
        let allowed = self.allowed(unseen);
        let mut sum = 0;
        let all_places = self.places();
        for (line, places) in self.lines.iter_mut().zip(all_places) {
            if *line > 0
                && let Some(places) = places
            {
                sum += *line * fillings(&allowed, &places);
            }
            *line = sum;
        }
        allowed
    }

    /// The places of a line drawn by its ways, once they are summed up.
    pub(super) fn draw_places<D: Dice>(&self, dice: &mut D) -> [usize; PERIODS] {
        let lines = &self.lines[..self.size()];
        let line = match lines {
            [.., sum] if lines.len() > 1 => line_at(lines, below(dice, *sum)),
            _ => 0,
        };
        self.places_of(line)
    }

    /// The places that a line stands for, if these are no more than the hand has.
    fn places_of(&self, mut line: usize) -> [usize; PERIODS] {
        let mut places = [0; PERIODS];
        places[0] = self.held;
        for period in 1..=self.last {
            places[period] = line % self.spans[period];
            places[0] -= places[period];
            line /= self.spans[period];
        }
        places
    }
}

/// The line to which a number below the sum belongs.
fn line_at(sums: &[u128], number: u128) -> usize {
    sums.partition_point(|&sum| sum <= number)
}

/// In how many ways the cards fill the places of the periods, oldest first, if each period may hold so many of them.
fn fillings(allowed: &[CardSet; PERIODS], places: &[usize; PERIODS]) -> u128 {
    let mut used = 0;
    let mut ways = 1;
    for (allowed, &count) in allowed.iter().zip(places) {
        for _ in 0..count {
            ways *= allowed.len().saturating_sub(used) as u128;
            used += 1;
        }
    }
    ways
}

/// A number below `bound`, each equally likely.
fn below<D: Dice>(dice: &mut D, bound: u128) -> u128 {
    let spare = (bound - 1).leading_zeros().min(127);
    loop {
        let word = u128::from(dice.next_u64()) << 64 | u128::from(dice.next_u64());
        let number = word >> spare;
        if number < bound {
            return number;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::QuickDice;

    /// What happened to a hand, as far as it shows.
    enum Step {
        Denied(CardSet),
        Played(Card),
        Drew,
    }

    /// A hand drawn from a small pool, what happened to it, and what of the pool was not played.
    fn history(dice: &mut QuickDice, hand_size: usize, pool: CardSet) -> (Vec<Step>, CardSet) {
        let mut left = pool;
        let take = |from: &mut CardSet, dice: &mut QuickDice| {
            let card = from.nth(dice.below(from.len() as u32) as usize).unwrap();
            *from -= CardSet::of(card);
            card
        };
        let mut hand: CardSet = (0..hand_size).map(|_| take(&mut left, dice)).collect();
        let mut steps = Vec::new();
        let mut unplayed = pool;
        for _ in 0..dice.below(9) {
            let absent = CLASSES.into_iter().filter(|&class| (class & hand).is_empty() && dice.below(2) == 0);
            steps.push(Step::Denied(absent.fold(CardSet::EMPTY, |all, class| all | class)));
            let card = take(&mut hand, dice);
            steps.push(Step::Played(card));
            unplayed -= CardSet::of(card);
            if !left.is_empty() {
                hand |= CardSet::of(take(&mut left, dice));
                steps.push(Step::Drew);
            }
            if hand.is_empty() {
                break;
            }
        }
        (steps, unplayed)
    }

    fn count_places(steps: &[Step], hand_size: usize, pool: CardSet) -> Ways {
        let mut ways = Ways::new(hand_size, pool);
        for step in steps {
            match *step {
                Step::Denied(cards) => ways.deny(cards),
                Step::Played(card) => ways.play(class_of(card)),
                Step::Drew => ways.draw(),
            }
        }
        ways
    }

    /// The orders of dealing and drawing that lead to each hand, one card after another.
    fn count_hands(steps: &[Step], hand_size: usize, pool: CardSet) -> BTreeMap<CardSet, u128> {
        let add = |hands: &BTreeMap<CardSet, u128>, gone: CardSet| {
            let mut more = BTreeMap::new();
            for (&hand, ways) in hands {
                for card in pool - gone - hand {
                    *more.entry(hand | CardSet::of(card)).or_insert(0) += ways;
                }
            }
            more
        };
        let mut gone = CardSet::EMPTY;
        let mut hands = BTreeMap::from([(CardSet::EMPTY, 1)]);
        for _ in 0..hand_size {
            hands = add(&hands, gone);
        }
        for step in steps {
            match *step {
                Step::Denied(cards) => hands.retain(|&hand, _| (hand & cards).is_empty()),
                Step::Played(card) => {
                    hands.retain(|hand, _| hand.has(card));
                    gone |= CardSet::of(card);
                    hands = hands.into_iter().map(|(hand, ways)| (hand - CardSet::of(card), ways)).collect();
                }
                Step::Drew => hands = add(&hands, gone),
            }
        }
        hands
    }

    #[test]
    fn every_hand_is_counted_as_often_as_there_are_orders_of_drawing_it() {
        let mut most_periods = 0;
        for seed in 0..3_000 {
            let mut dice = QuickDice::new(0x7761_7973, seed);
            let mut pool = CardSet::EMPTY;
            while pool.len() < 9 {
                // Few cards a suit and the ace of spades often: hands lack several classes.
                let card = Card::from_index(13 * dice.below(4) as usize + 10 + dice.below(3) as usize);
                pool |= card.map_or(CardSet::EMPTY, CardSet::of);
            }
            let hand_size = 2 + dice.below(3) as usize;
            let (steps, unplayed) = history(&mut dice, hand_size, pool);
            let ways = count_places(&steps, hand_size, pool);
            let allowed = ways.allowed(unplayed);
            let mut sum = 0;
            for (hand, expected) in count_hands(&steps, hand_size, pool) {
                let allowed = allowed.map(|cards| cards & hand);
                let lines =
                    ways.lines.iter().zip(ways.places()).filter_map(|(&ways, places)| Some((ways, places?)));
                let counted: u128 = lines.map(|(ways, places)| ways * fillings(&allowed, &places)).sum();
                assert_eq!(counted, expected, "seed {seed}, {hand}");
                sum += expected;
            }
            let mut summed = ways.clone();
            summed.sum_up(unplayed);
            assert_eq!(summed.lines[summed.size() - 1], sum);
            most_periods = most_periods.max(ways.last + 1);
        }
        assert_eq!(most_periods, PERIODS);
    }

    #[test]
    fn a_number_belongs_to_the_line_that_it_counts() {
        let lines: Vec<usize> = (0..6).map(|number| line_at(&[0, 2, 2, 3, 6], number)).collect();
        assert_eq!(lines, [1, 1, 3, 4, 4, 4]);
    }

    #[test]
    fn numbers_below_a_large_bound_are_uniform() {
        let mut dice = QuickDice::new(1, 1);
        let third = u128::MAX / 3 / 7;
        let mut counts = [0; 3];
        for _ in 0..30_000 {
            counts[(below(&mut dice, third * 3) / third) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_700..10_300).contains(count)), "{counts:?}");
        assert_eq!(below(&mut dice, 1), 0);
    }

    #[test]
    fn no_sum_of_ways_overflows() {
        for hand_size in 2..26_u32 {
            for tricks in 0..26 - hand_size {
                let unseen = u128::from(52 - hand_size - 2 * tricks);
                let most =
                    u128::from(hand_size).pow(tricks).checked_mul(unseen.checked_pow(hand_size).unwrap());
                assert!(most.unwrap() < 1 << 120, "{hand_size} cards, {tricks} tricks");
            }
        }
    }

    #[test]
    fn no_table_is_larger_than_its_room() {
        let mut largest = 0;
        for hand_size in 2..=26_usize {
            let most = 26 - hand_size;
            let spans = |draws: usize| 1 + draws.min(hand_size);
            for a in 0..=most {
                for b in 0..=most - a {
                    for c in 0..=most - a - b {
                        largest = largest.max(spans(a) * spans(b) * spans(c) * spans(most - a - b - c));
                    }
                }
            }
        }
        assert_eq!(largest, LINES);
    }
}
