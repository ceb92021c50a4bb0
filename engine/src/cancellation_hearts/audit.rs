//! The slow check of a position, and its description.

use super::table::{Cards, NOBODY, Phase, TWO, Table};
use super::{CancellationHearts, CancellationHeartsState};

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

impl CancellationHearts {
    pub(super) fn check_state(&self, state: &CancellationHeartsState) -> Result<(), String> {
        self.check_cards(state)?;
        self.check_passes(state)?;
        self.check_tallies(state)?;
        for seat in 0..self.players as usize {
            let held = state.hands[seat].faces() & state.table.cannot_hold[seat];
            ensure(held.is_empty(), || format!("seat {seat} holds {held} against what it has shown"))?;
        }
        let holder = state.table.two_holder;
        ensure(holder == NOBODY || state.hands[holder as usize].has(TWO), || {
            format!("seat {holder} should hold a {TWO}")
        })
    }

    /// Every card is somewhere, and every hand has its size.
    fn check_cards(&self, state: &CancellationHeartsState) -> Result<(), String> {
        let table = &state.table;
        let mut cards: Vec<_> = state.kitty.iter().collect();
        ensure(cards.len() == self.kitty_size(), || format!("{} cards in the kitty", cards.len()))?;
        for seat in 0..self.players as usize {
            let (hand, played) = (state.hands[seat], state.played(seat));
            cards.extend(hand.iter().chain(played.iter()));
            let mut held = hand.len() + played.len();
            if table.phase == Phase::Pass {
                cards.extend(state.passed[seat].iter());
                held += state.passed[seat].len();
            }
            ensure(held == self.hand as usize, || format!("seat {seat} has {held} cards"))?;
            ensure(hand.len() == self.cards_held(table, seat), || format!("seat {seat} holds {hand}"))?;
        }
        cards.sort();
        ensure(cards == self.pack, || format!("the cards are {cards:?}"))
    }

    /// What was passed was in the hands.
    fn check_passes(&self, state: &CancellationHeartsState) -> Result<(), String> {
        let table = &state.table;
        for seat in 0..self.players {
            let passed = &state.passed[seat as usize];
            let expected = self.picks_made(table, seat);
            ensure(passed.len() == expected, || format!("seat {seat} has passed {passed}"))?;
            if table.phase != Phase::Pass {
                let receiver = self.seat_at(seat, table.pass_to) as usize;
                let held = state.began[receiver];
                ensure(passed.iter().all(|card| held.count(card) >= passed.count(card)), || {
                    format!("seat {seat} passed {passed} to seat {receiver}, which had {held}")
                })?;
            }
        }
        Ok(())
    }

    /// How many cards a seat has picked for its pass.
    pub(super) fn picks_made(&self, table: &Table, seat: u8) -> usize {
        let order = |seat: u8| self.seat_at(seat, self.players - 1 - table.dealer);
        let picks = match table.phase {
            _ if table.pass_to == 0 => 0,
            Phase::Pass if order(seat) > order(table.turn) => 0,
            Phase::Pass if seat == table.turn => self.pass_count - table.picks_left,
            _ => self.pass_count,
        };
        picks as usize
    }

    /// What is captured, set aside and in the trick are the cards played.
    fn check_tallies(&self, state: &CancellationHeartsState) -> Result<(), String> {
        let table = &state.table;
        let mut played = Cards::EMPTY;
        (0..self.players as usize).for_each(|seat| played.insert_all(&state.played(seat)));
        let mut sum = table.aside;
        table.captured.iter().for_each(|&captured| sum.add(captured));
        ensure(sum.tricks() == table.tricks(), || format!("{sum:?} of {} tricks", table.tricks()))?;
        sum.add(self.tally_of(&table.trick.cards));
        let expected = self.tally(&played, table.tricks());
        ensure(sum == expected, || format!("counted {sum:?}, played {expected:?}"))?;
        let order: Cards = table.trick.order().collect();
        ensure(order == table.trick.cards, || format!("{order} is not {}", table.trick.cards))?;
        played.remove_all(&table.trick.cards);
        let broken = !(played.faces() & self.breakers).is_empty();
        ensure(table.hearts_broken() == broken, || format!("hearts broken: {}", table.hearts_broken()))
    }

    pub(super) fn description(&self, state: &CancellationHeartsState) -> String {
        let table = &state.table;
        match table.phase {
            Phase::Pass => {
                let receiver = self.seat_at(table.turn, table.pass_to);
                format!("to pass to seat {receiver}: {}", state.passed[table.turn as usize])
            }
            Phase::Play => self.trick_description(state),
            Phase::Moon => format!("seat {} has shot the moon", table.shooter),
            Phase::Over => "the deal is over".to_owned(),
        }
    }

    fn trick_description(&self, state: &CancellationHeartsState) -> String {
        let table = &state.table;
        let seats = (0..self.players).map(|place| self.seat_at(table.trick.leader, place));
        let cards: Vec<String> =
            seats.zip(table.trick.order()).map(|(seat, card)| format!("{seat} {card}")).collect();
        let trick = if cards.is_empty() { "nothing led".to_owned() } else { cards.join(", ") };
        let points = &self.score(state)[..self.players as usize];
        let broken = if table.hearts_broken() { "" } else { ", hearts unbroken" };
        let aside = match table.aside.tricks() {
            0 => String::new(),
            tricks => format!(", {tricks} void with {} points set aside", table.aside.points()),
        };
        format!("trick {}: {trick}; points {points:?}{aside}{broken}", table.tricks + 1)
    }
}
