//! Points, the moon, events.

use super::rules::{Kitty, Moon};
use super::table::{Cards, HEARTS, NOBODY, Phase, QUEEN, Tally};
use super::{CancellationHearts, CancellationHeartsState};
use crate::game::PerSeat;
use crate::{Card, EventInfo, MAX_EVENTS, MAX_PLAYERS, Seat, Standing};

pub(super) const EVENTS: &[EventInfo] = &[
    EventInfo { name: "turns", about: "tricks played" },
    EventInfo { name: "void_tricks", about: "tricks that no card could win" },
    EventInfo { name: "points_left", about: "points in void tricks that nobody had taken at the end" },
    EventInfo { name: "kitty_points", about: "points in the kitty, where there is one" },
    EventInfo {
        name: "kitty_taken",
        about: "share of deals in which somebody took the kitty, where there is one",
    },
    EventInfo { name: "hearts_broken_in", about: "the trick that broke hearts, where one did" },
    EventInfo { name: "moons", about: "share of deals in which the moon was shot" },
    EventInfo {
        name: "moons_added",
        about: "share of the moons shot that were taken as points for the others",
    },
];

impl CancellationHearts {
    /// The points of cards for whoever captures them.
    #[inline]
    #[must_use]
    pub fn points_in(&self, cards: &Cards) -> i32 {
        self.tally_of(cards).points()
    }

    /// The points of a card for whoever captures it.
    #[inline]
    #[must_use]
    pub fn points_of(&self, card: Card) -> i32 {
        let points = if card == QUEEN { 13 } else { i32::from(HEARTS.has(card)) };
        points + self.bonus[card.index()]
    }

    /// The points of bonus cards among some cards.
    #[must_use]
    pub fn bonus_in(&self, cards: &Cards) -> i32 {
        self.tally_of(cards).bonus()
    }

    /// Whether the first trick that is won takes the kitty, if there is one.
    #[must_use]
    pub fn takes_kitty_first(&self) -> bool {
        self.rules.kitty == Kitty::FirstTrickWon
    }

    /// Whether there is a kitty that nobody ever takes.
    #[must_use]
    pub fn kitty_is_lost(&self) -> bool {
        self.rules.kitty == Kitty::OutOfPlay && self.kitty_size() > 0
    }

    /// What a moon takes: all hearts and queens of spades of the pack.
    #[must_use]
    pub fn moon_cards(&self) -> Tally {
        self.moon
    }

    /// What cards count.
    #[inline]
    pub(super) fn tally_of(&self, cards: &Cards) -> Tally {
        self.tally(cards, 0)
    }

    /// What cards of so many tricks count.
    #[inline]
    pub(super) fn tally(&self, cards: &Cards, tricks: usize) -> Tally {
        let mut bonus = 0;
        for card in cards.faces() & self.bonus_cards {
            bonus += self.bonus[card.index()] * cards.count(card) as i32;
        }
        Tally::new(cards.count_in(HEARTS), cards.count(QUEEN), tricks, bonus)
    }

    /// What a seat has captured, the kitty included.
    fn captured_with_kitty(&self, state: &CancellationHeartsState, seat: Seat) -> Tally {
        let mut captured = state.table.captured[seat];
        if state.table.kitty_taker as Seat == seat {
            captured.add(self.tally_of(&state.kitty));
        }
        captured
    }

    /// The tricks are over: has somebody shot the moon?
    pub(super) fn look_for_moon(&self, state: &mut CancellationHeartsState) {
        state.table.phase = Phase::Over;
        if self.rules.moon == Moon::Off || self.moon.moon_points() == 0 {
            return;
        }
        for seat in 0..self.players {
            let captured = self.captured_with_kitty(state, seat as Seat);
            if (captured.hearts(), captured.queens()) == (self.moon.hearts(), self.moon.queens()) {
                state.table.shooter = seat;
            }
        }
        let chooses = self.rules.moon == Moon::ShooterChooses && state.table.shooter != NOBODY;
        if chooses {
            state.table.phase = Phase::Moon;
            state.table.turn = state.table.shooter;
        }
        state.table.moon_added = self.rules.moon == Moon::AddOthers && state.table.shooter != NOBODY;
    }

    pub(super) fn score(&self, state: &CancellationHeartsState) -> PerSeat<i32> {
        let table = &state.table;
        let over = table.phase == Phase::Over;
        let mut scores = [0; MAX_PLAYERS];
        for (seat, score) in scores.iter_mut().enumerate().take(self.players as usize) {
            let captured = self.captured_with_kitty(state, seat);
            *score = captured.points();
            if over && table.shooter != NOBODY {
                let shot = table.shooter as Seat == seat;
                *score = captured.bonus()
                    + match (table.moon_added, shot) {
                        (true, false) => self.rules.moon_value,
                        (false, true) => -self.rules.moon_value,
                        _ => 0,
                    };
            } else if over && captured.tricks() == 0 {
                *score += self.rules.no_tricks_bonus;
            }
        }
        scores
    }

    pub(super) fn count_events(&self, state: &CancellationHeartsState) -> [Option<i32>; MAX_EVENTS] {
        let table = &state.table;
        let has_kitty = self.kitty_size() > 0;
        let taken = table.kitty_taker != NOBODY && self.rules.kitty != Kitty::OutOfPlay;
        let shot = table.shooter != NOBODY;
        let counted = [
            Some(i32::from(table.tricks)),
            Some(i32::from(table.void_tricks)),
            Some(table.aside.points()),
            has_kitty.then(|| self.tally_of(&state.kitty).points()),
            has_kitty.then_some(i32::from(taken)),
            (table.broken_in > 0).then_some(i32::from(table.broken_in)),
            Some(i32::from(shot)),
            shot.then_some(i32::from(table.moon_added)),
        ];
        std::array::from_fn(|event| counted.get(event).copied().flatten())
    }

    /// Whether the target or the number of deals has ended the game.
    pub(super) fn is_decided(&self, standing: &Standing) -> bool {
        match self.rules.deals {
            0 => standing.totals[..self.players as usize].iter().any(|&total| total >= self.rules.target),
            deals => standing.deals >= deals,
        }
    }
}
