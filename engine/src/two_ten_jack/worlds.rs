//! Sampling the deals that fit a view.
//!
//! What is hidden is which of the unseen cards the other seat holds. Every order of the pack is equally likely, so a
//! hand weighs as much as there are ways in which the other seat can have been dealt and have drawn it *together with
//! the cards it has played*, each of them in time. A reply that does not follow denies its player some classes of cards
//! at that moment: a card of a denied class that is held now was drawn later. When the watching seat drew its own
//! cards tells nothing about that.
//!
//! # The count
//!
//! Cards fall into five classes that any reply denies or does not deny as a whole: clubs, diamonds, hearts, the other
//! spades, the ace of spades. Think of the other hand as *places*, one for each card held, and leave open which card
//! lies in a place until it is played. All that matters of a place is the *period* in which it was filled: a denial
//! closes a period, and a card of a class may lie in the places filled since its class was last denied. Periods that no
//! class tells apart are merged, so there are at most five. Going through the tricks forward with a table over the
//! numbers of places of each period (f₀, f₁, …):
//!
//! - a card played takes one of the places that its class may lie in: f → f − 1 in that period, in f ways;
//! - a draw adds a place to the last period;
//! - a denial opens a new period, and places that no class may lie in any more must be empty.
//!
//! At the end the places of each period, oldest first, are filled with any unseen cards of the classes allowed there, a
//! falling factorial of ways. A world is drawn by drawing (f₀, f₁, …) by its weight and then filling the places.
//!
//! Each factor counted is at most the hand size and what is left to fill is at most 50 cards, so the sum of all weights
//! stays below 26²⁴ · 2¹⁵ and in `u128`: the sampling is exactly uniform.
//!
//! # What is not inferred
//!
//! Why a card was chosen among the legal ones, and why the ace of spades was declared what it was.

use crate::{Card, CardSet, Dice, Suit};

use super::position::{State, View};
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
const PERIODS: usize = CLASSES.len();
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
struct Ways {
    lines: [u128; LINES],
    /// For each period the number of values that f takes; 1 for period 0.
    spans: [usize; PERIODS],
    /// The period that is going on.
    last: usize,
    /// The period in which each class was last denied.
    period_of: [Option<usize>; CLASSES.len()],
    /// Cards in the hand.
    held: usize,
}

impl Ways {
    /// A hand as dealt. `pool` has all cards that the seat may have had.
    fn new(hand_size: usize, pool: CardSet) -> Ways {
        let mut lines = [0; LINES];
        lines[0] = 1;
        let period_of = CLASSES.map(|class| (!(class & pool).is_empty()).then_some(0));
        Ways { lines, spans: [1; PERIODS], last: 0, period_of, held: hand_size }
    }

    fn size(&self) -> usize {
        self.spans.iter().product()
    }

    /// The numbers of places of a line; `None` if they are more than the hand has.
    fn places(&self, line: usize) -> Option<[usize; PERIODS]> {
        let mut places = [0; PERIODS];
        let mut rest = line;
        for (place, &span) in places.iter_mut().zip(&self.spans) {
            *place = rest % span;
            rest /= span;
        }
        places[0] = self.held.checked_sub(places.iter().sum())?;
        Some(places)
    }

    /// A card of the class is played.
    fn play(&mut self, class: usize) {
        self.held -= 1;
        let from = self.period_of[class].expect("the class of a card that was played");
        // Each line takes from itself and from lines further on, so going up needs no second table.
        for line in 0..self.size() {
            let Some(places) = self.places(line) else {
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
    fn draw(&mut self, hand_size: usize) {
        self.held += 1;
        if self.last == 0 {
            return;
        }
        let step: usize = self.spans[..self.last].iter().product();
        let span = &mut self.spans[self.last];
        *span = (*span + 1).min(hand_size + 1);
        let top = step * *span;
        self.lines.copy_within(..top - step, step);
        self.lines[..step].fill(0);
    }

    /// The hand is seen to have none of these cards.
    fn deny(&mut self, cards: CardSet, hand_size: usize) {
        let denied = |class: usize| !(CLASSES[class] & cards).is_empty();
        let mut any = false;
        for class in 0..CLASSES.len() {
            if denied(class) && self.period_of[class].is_some() {
                self.period_of[class] = Some(self.last + 1);
                any = true;
            }
        }
        if any {
            self.open_period(hand_size);
        }
    }

    /// Opens the period after the last and merges those that no class tells apart.
    fn open_period(&mut self, hand_size: usize) {
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
                spans[target] = (spans[target] + span - 1).min(hand_size + 1);
            }
        }
        let mut lines = [0; LINES];
        for line in 0..self.size() {
            let Some(places) = self.places(line) else { continue };
            if (0..PERIODS).any(|period| moved[period].is_none() && places[period] > 0) {
                continue;
            }
            let mut merged = [0; PERIODS];
            for period in 0..=self.last {
                merged[moved[period].unwrap_or(0)] += places[period];
            }
            let index = (1..PERIODS).rev().fold(0, |index, period| index * spans[period] + merged[period]);
            lines[index] += self.lines[line];
        }
        self.lines = lines;
        self.spans = spans;
        self.last = moved[self.last + 1].unwrap_or(0);
        for period in self.period_of.iter_mut().flatten() {
            *period = moved[*period].unwrap_or(0);
        }
    }
}

/// Draws the other hand.
#[derive(Clone, Debug)]
pub struct Worlds {
    /// The position with everything unseen in the stock.
    base: State,
    /// The other seat.
    other: usize,
    /// The ways, each line times the ways to fill its places, summed up.
    ways: Ways,
    /// What the places of each period may hold.
    allowed: [CardSet; PERIODS],
}

impl Worlds {
    pub(super) fn new(game: &TwoTenJack, view: &View) -> Worlds {
        let seat = usize::from(view.seat & 1);
        let mut base = State { hands: [CardSet::EMPTY; 2], stock: view.unseen, table: view.table };
        base.hands[seat] = view.hand;
        let other = 1 - seat;
        let mut worlds =
            Worlds { base, other, ways: count(game, view, other), allowed: [CardSet::EMPTY; PERIODS] };
        worlds.close(view.unseen);
        worlds
    }

    /// Multiplies each line by the ways to fill its places, and sums the lines up.
    fn close(&mut self, unseen: CardSet) {
        for period in 0..PERIODS {
            let classes = CLASSES.iter().zip(self.ways.period_of);
            let allowed = classes.filter(|(_, from)| from.is_some_and(|from| from <= period));
            self.allowed[period] = allowed.fold(CardSet::EMPTY, |all, (&class, _)| all | class & unseen);
        }
        let mut sum = 0;
        for line in 0..self.ways.size() {
            let ways = self.ways.lines[line];
            if let Some(places) = self.ways.places(line).filter(|_| ways > 0) {
                sum += ways * self.fillings(&places);
            }
            self.ways.lines[line] = sum;
        }
    }

    /// In how many ways unseen cards fill the places.
    fn fillings(&self, places: &[usize; PERIODS]) -> u128 {
        let mut used = 0;
        let mut ways = 1;
        for (allowed, &count) in self.allowed.iter().zip(places) {
            for _ in 0..count {
                ways *= allowed.len().saturating_sub(used) as u128;
                used += 1;
            }
        }
        ways
    }
}

/// Goes through the tricks and counts the ways in which the other seat can have come to what it has played.
fn count(game: &TwoTenJack, view: &View, other: usize) -> Ways {
    let table = &view.table;
    let hand_size = game.rules.hand_size;
    let mut pool = view.unseen;
    for trick in table.tricks(game) {
        pool |= trick.card_of(other).map_or(CardSet::EMPTY, CardSet::of);
    }
    let mut ways = Ways::new(hand_size, pool);
    for trick in table.tricks(game) {
        let Some(card) = trick.card_of(other) else { break };
        if trick.leader != other {
            ways.deny(game.denied(&trick), hand_size);
        }
        ways.play(class_of(card));
        if trick.number <= game.draws(table) {
            ways.draw(hand_size);
        }
    }
    ways
}

impl crate::Worlds<State> for Worlds {
    fn sample<D: Dice>(&mut self, dice: &mut D) -> State {
        let lines = &self.ways.lines[..self.ways.size()];
        let line = match lines.last() {
            Some(&sum) if lines.len() > 1 => {
                let ticket = below(dice, sum);
                lines.partition_point(|&so_far| so_far <= ticket)
            }
            _ => 0,
        };
        let places = self.ways.places(line).unwrap_or([0; PERIODS]);
        let mut state = self.base;
        for (&allowed, count) in self.allowed.iter().zip(places) {
            for _ in 0..count {
                let left = allowed & state.stock;
                let card =
                    left.nth(dice.below(left.len() as u32) as usize).map_or(CardSet::EMPTY, CardSet::of);
                state.stock -= card;
                state.hands[self.other] |= card;
            }
        }
        state
    }
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
