//! What a deal is played for: the one place where integer scores become the numbers that search maximises.
//!
//! Every utility is about one wide from a bad deal to a good one, so that the same constant of exploration serves all
//! games and utilities.

use dealt_engine::{MAX_PLAYERS, PerSeat, Standing};

use super::SearchGame;

/// What is maximised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Utility {
    /// The points of the deal by which a seat is better than the mean of the others, over the game's
    /// [`spread`](SearchGame::spread).
    Margin,
    /// The share of the others whom a seat is ahead of in the totals after the deal; level counts half.
    Place,
    /// The chance to win the game.
    Win,
}

/// A utility in a given deal.
#[derive(Clone, Copy, Debug)]
pub struct Objective<'g, G: SearchGame> {
    game: &'g G,
    utility: Utility,
    /// The standing before the deal.
    before: Standing,
    /// The standing after it, but for the totals.
    after: Standing,
    spread: f64,
}

impl<'g, G: SearchGame> Objective<'g, G> {
    /// The utility in the deal that a position is of; `standing` is that before the deal.
    pub fn new(game: &'g G, utility: Utility, standing: &Standing, state: &G::State) -> Objective<'g, G> {
        let after = game.after(standing, state);
        Objective { game, utility, before: *standing, after, spread: game.spread(state) }
    }

    /// What is maximised.
    #[must_use]
    pub fn utility(&self) -> Utility {
        self.utility
    }

    /// What the deal's scores are worth to each seat.
    #[inline]
    #[must_use]
    pub fn values(&self, scores: &PerSeat<i32>) -> PerSeat<f64> {
        match self.utility {
            Utility::Margin => self.margins(scores, 1.0 / self.spread),
            Utility::Place => self.places(&self.standing_with(scores)),
            Utility::Win => self.win_shares(&self.standing_with(scores)),
        }
    }

    /// The standing after the deal if it brings these scores.
    #[must_use]
    pub fn standing_with(&self, scores: &PerSeat<i32>) -> Standing {
        let totals = std::array::from_fn(|seat| self.before.totals[seat] + scores[seat]);
        Standing { totals, ..self.after }
    }

    /// By how much each seat's points are better than the mean of the others, times a factor.
    #[inline]
    fn margins(&self, points: &PerSeat<i32>, factor: f64) -> PerSeat<f64> {
        let players = self.game.players();
        let sum: i32 = points[..players].iter().sum();
        let sign = if G::LOWEST_WINS { -factor } else { factor };
        let factor = sign / (players - 1) as f64;
        let mut margins = [0.0; MAX_PLAYERS];
        for (margin, &own) in margins.iter_mut().zip(&points[..players]) {
            *margin = f64::from(players as i32 * own - sum) * factor;
        }
        margins
    }

    fn places(&self, after: &Standing) -> PerSeat<f64> {
        let players = self.game.players();
        let totals = &after.totals[..players];
        let mut places = [0.0; MAX_PLAYERS];
        for (place, &own) in places.iter_mut().zip(totals) {
            let level = totals.iter().filter(|&&other| other == own).count() - 1;
            let behind =
                totals.iter().filter(|&&other| if G::LOWEST_WINS { other > own } else { other < own });
            *place = (2 * behind.count() + level) as f64 / (2 * (players - 1)) as f64;
        }
        places
    }

    fn win_shares(&self, after: &Standing) -> PerSeat<f64> {
        if self.game.is_over(after) {
            return self.shares_of_the_best(after);
        }
        self.game.equity(after).unwrap_or_else(|| self.shares_by_total(after))
    }

    fn shares_of_the_best(&self, after: &Standing) -> PerSeat<f64> {
        let players = self.game.players();
        let totals = &after.totals[..players];
        let best = if G::LOWEST_WINS { totals.iter().min() } else { totals.iter().max() };
        let best = best.copied().unwrap_or(0);
        let share = 1.0 / totals.iter().filter(|&&total| total == best).count() as f64;
        let mut shares = [0.0; MAX_PLAYERS];
        shares.iter_mut().zip(totals).filter(|(_, total)| **total == best).for_each(|(own, _)| *own = share);
        shares
    }

    /// Where nothing better is known, shares in proportion to exp(total / spread): a lead of as many points as lie
    /// between a bad deal and a good one makes a win e times as likely.
    fn shares_by_total(&self, after: &Standing) -> PerSeat<f64> {
        let players = self.game.players();
        let mut shares = self.margins(&after.totals, (players - 1) as f64 / (players as f64 * self.spread));
        let shares_in_play = &mut shares[..players];
        shares_in_play.iter_mut().for_each(|share| *share = libm::exp(*share));
        let sum: f64 = shares_in_play.iter().sum();
        shares_in_play.iter_mut().for_each(|share| *share /= sum);
        shares
    }
}
