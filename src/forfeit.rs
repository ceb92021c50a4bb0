//! Forfeits: what becomes of a game in which a player failed, and the run is to go on.
//!
//! A player fails that panics or makes a move that is not legal; one from outside may fail in other ways.
//!
//! From the fault on the seat's moves are made for it, always the lowest legal one, so that the game goes on for the
//! others and ends by its rules. Then the seat is given the worst outcome that there is: a total one point behind that of
//! whoever did worst of those who did not forfeit. So it has no share of the win and the last place, whatever was played.
//! Seats that forfeit the same game share that total; a game that all forfeit counts as it was played. The scores of its
//! deals are left as they are. It is asked again in the next game.

use dealt_engine::{Game, Move, Moves, Seat, Standing};
use serde::Serialize;

/// What a fault of a player does.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum OnFault {
    /// It ends the run; but that of a player from outside does what is said where the player is described.
    #[default]
    Stop,
    /// It forfeits the game that it is in, and the run goes on.
    Forfeit,
}

impl OnFault {
    /// Both, as people write them.
    pub const NAMES: [(&'static str, OnFault); 2] = [("stop", OnFault::Stop), ("forfeit", OnFault::Forfeit)];

    /// As people write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        OnFault::NAMES.iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }

    /// What the word means.
    #[must_use]
    pub fn parse(name: &str) -> Option<OnFault> {
        OnFault::NAMES.iter().find(|(known, _)| *known == name).map(|(_, known)| *known)
    }
}

/// A seat forfeited a game, or broke it off.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Forfeit {
    /// The seat.
    pub seat: Seat,
    /// The deal, from 1.
    pub deal: u32,
    /// The move of the deal, from 1, stocks made anew not counted.
    #[serde(rename = "move")]
    pub number: u64,
    /// What the player did.
    pub fault: String,
}

/// The move that is made for a seat that has forfeited.
pub(crate) fn stand_in(legal: Moves) -> Move {
    legal.lowest().expect("there is a move as long as there is a turn")
}

/// Puts the totals of the seats that forfeited behind all others.
pub fn settle<G: Game>(game: &G, standing: &mut Standing, forfeits: &[Forfeit]) {
    if forfeits.is_empty() {
        return;
    }
    let has_forfeited = |seat: Seat| forfeits.iter().any(|forfeit| forfeit.seat == seat);
    let others = (0..game.players()).filter(|&seat| !has_forfeited(seat)).map(|seat| standing.totals[seat]);
    let worst = if G::LOWEST_WINS {
        others.max().map(|total| total.saturating_add(1))
    } else {
        others.min().map(|total| total.saturating_sub(1))
    };
    let Some(worst) = worst else { return };
    for seat in (0..game.players()).filter(|&seat| has_forfeited(seat)) {
        standing.totals[seat] = worst;
    }
}

#[cfg(test)]
mod tests {
    use dealt_engine::{CancellationHearts, CancellationHeartsRules, TwoTenJack, TwoTenJackRules};

    use super::*;

    fn forfeits(seats: &[Seat]) -> Vec<Forfeit> {
        seats.iter().map(|&seat| Forfeit { seat, deal: 1, number: 1, fault: String::new() }).collect()
    }

    fn settled<G: Game>(game: &G, totals: &[i32], seats: &[Seat]) -> (Vec<i32>, Vec<Seat>) {
        let mut standing = game.start(0);
        standing.totals[..totals.len()].copy_from_slice(totals);
        settle(game, &mut standing, &forfeits(seats));
        (standing.totals[..totals.len()].to_vec(), game.winners(&standing))
    }

    #[test]
    fn who_forfeits_is_last_and_wins_nothing_whatever_was_played() {
        let jack = TwoTenJack::new(TwoTenJackRules::default()).unwrap();
        assert_eq!(settled(&jack, &[40, -3], &[0]), (vec![-4, -3], vec![1]));
        assert_eq!(settled(&jack, &[40, -3], &[1]), (vec![40, 39], vec![0]));
        assert_eq!(settled(&jack, &[40, -3], &[]), (vec![40, -3], vec![0]));
        let hearts = CancellationHearts::new(CancellationHeartsRules::default()).unwrap();
        let totals = [10, 90, 150, 20, 30, 40];
        assert_eq!(settled(&hearts, &totals, &[0, 2]), (vec![91, 90, 91, 20, 30, 40], vec![3]));
        assert_eq!(settled(&hearts, &totals, &[0, 1, 2, 3, 4, 5]), (totals.to_vec(), vec![0]));
    }
}
