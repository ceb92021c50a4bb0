//! What a round counts, for the study of its rules.

use super::{Phase, State, ThreeThirteen};
use crate::{Card, EventInfo, MAX_EVENTS, Rank};

pub(super) const EVENTS: &[EventInfo] = &[
    EventInfo { name: "turns", about: "turns taken in a round, by all players together" },
    EventInfo { name: "going_out_turn", about: "which of its own turns the first to go out did so in" },
    EventInfo { name: "went_out", about: "share of rounds in which somebody went out" },
    EventInfo { name: "wilds_melded", about: "cards of the wild rank in melds at the end of a round" },
    EventInfo { name: "deadwood", about: "the penalties of all hands together at the end of a round" },
    EventInfo { name: "aces_melded_low", about: "aces below a two in runs at the end of a round" },
    EventInfo { name: "aces_melded_high", about: "aces above a king in runs at the end of a round" },
    EventInfo { name: "rebuilds", about: "how often a round's stock was made anew from the discards" },
];

/// What the melds of all hands hold, by one way of melding each that leaves the least penalty.
#[derive(Clone, Copy, Default, Debug)]
struct Melded {
    wilds: i32,
    aces_low: i32,
    aces_high: i32,
}

impl ThreeThirteen {
    pub(super) fn count_events(&self, state: &State) -> [Option<i32>; MAX_EVENTS] {
        let public = &state.public;
        let players = self.rules.players as u32;
        let melded = if public.phase == Phase::Over { self.melded(state) } else { Melded::default() };
        let counts = [
            Some(public.turns as i32),
            public.first_out.map(|turn| (turn / players + 1) as i32),
            Some(i32::from(public.first_out.is_some())),
            Some(melded.wilds),
            Some(self.deadwood(state).iter().sum()),
            Some(melded.aces_low),
            Some(melded.aces_high),
            Some(public.rebuilds as i32),
        ];
        let mut events = [None; MAX_EVENTS];
        events[..counts.len()].copy_from_slice(&counts);
        events
    }

    fn melded(&self, state: &State) -> Melded {
        let rules = self.melds(&state.public);
        let mut melded = Melded::default();
        for hand in &state.hands[..self.rules.players] {
            for meld in rules.arrange(hand).melds {
                let (low, high) = aces_in_run(&meld, rules.wild());
                melded.wilds += meld.iter().filter(|card| card.rank() == rules.wild()).count() as i32;
                melded.aces_low += low;
                melded.aces_high += high;
            }
        }
        melded
    }
}

/// How many aces stand low and how many high in a meld, none if it is a set. An ace that could stand at either end of
/// its run stands low.
fn aces_in_run(meld: &[Card], wild: Rank) -> (i32, i32) {
    let aces = meld.iter().filter(|card| card.rank() == Rank::ACE).count();
    let others = || meld.iter().filter(|card| card.rank() != Rank::ACE && card.rank() != wild);
    let Some(highest) = others().map(|card| card.rank().index()).max() else { return (0, 0) };
    match aces {
        0 => (0, 0),
        1 if highest + 2 <= meld.len() => (1, 0),
        1 => (0, 1),
        _ => (1, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ace_in_a_run_is_low_or_high_and_in_a_set_neither() {
        for (meld, wild, expected) in [
            ("AC 2C 3C", "9", (1, 0)),
            ("AC 3C 9H", "9", (1, 0)),
            ("AH KH QH", "9", (0, 1)),
            ("AH QH 9C", "9", (0, 1)),
            ("AH JH 9C 9D", "9", (0, 1)),
            ("AH AD AS", "9", (0, 0)),
            ("AH AD 9S", "9", (0, 0)),
            ("AH 9D 9S", "9", (0, 0)),
            ("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", "9", (1, 1)),
            ("5H 6H 7H", "9", (0, 0)),
        ] {
            let cards: Vec<Card> = meld.split(' ').map(|card| card.parse().unwrap()).collect();
            assert_eq!(aces_in_run(&cards, wild.parse().unwrap()), expected, "{meld}");
        }
    }
}
