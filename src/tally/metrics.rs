//! The metrics: numbers that describe the game under a variant, and what each is made of.

use super::plan::{Plan, TableTotal, WIN, WIN_SHARE};
use crate::statistics::components::Part;
use crate::statistics::moments::{Count, Quantity};

/// What a value is estimated from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Source {
    /// From block totals.
    Totals(Quantity),
    /// A quantile of a length of games, by its place among [`LENGTHS`].
    Quantile(usize, f64),
}

/// The lengths of games that are counted one by one.
pub const LENGTHS: [&str; 3] = ["decisions", "deals", "turns"];

/// A number that describes the game under a variant.
#[derive(Clone, PartialEq, Debug)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// What it is estimated from.
    pub source: Source,
    /// The bounds of a block's value, where it has any.
    pub bounds: Option<(f64, f64)>,
}

impl Plan {
    /// All metrics of an experiment, in the order of the results.
    pub(super) fn list_metrics(&self) -> Vec<Metric> {
        let mut metrics = self.seat_metrics();
        metrics.extend(self.length_metrics());
        metrics.extend(self.score_metrics());
        metrics.extend(self.skill_metrics());
        let events = self.events.iter().enumerate().filter(|&(event, _)| Some(event) != self.turns_event);
        metrics.extend(events.map(|(event, &name)| {
            let of = self.event(event);
            free(name, Quantity::Ratio { of, per: of + 1, scale: 1.0 })
        }));
        metrics.extend(self.cards.iter().enumerate().map(|(card, name)| {
            let of = self.card(card);
            let others = self.players as f64 - 1.0;
            free(&format!("card_power[{name}]"), Quantity::Ratio { of, per: of + 1, scale: others })
        }));
        metrics
    }

    /// What a score is made of, where several agents change places over the same cards; and how far one agent is ahead of
    /// another that holds all other seats.
    fn skill_metrics(&self) -> Vec<Metric> {
        let Some(components) = self.components else { return Vec::new() };
        let mut metrics = Vec::new();
        let alone = (0..self.agents).find(|&agent| self.held[agent] == self.games());
        if let (2, Some(alone)) = (self.agents, alone) {
            // The win share less that of chance, over what is left above it.
            let (games, players) = (self.games() as f64, self.players as f64);
            let per = games * WIN as f64 * (players - 1.0) / players;
            let plus = -1.0 / (players - 1.0);
            let quantity = Quantity::Mean { of: self.agent(alone, WIN_SHARE), per, plus };
            metrics.push(Metric { bounds: Some((plus, 1.0)), ..free("skill_gap", quantity) });
        }
        let parts =
            [("agent", Part::Agent), ("seat", Part::Seat), ("deal", Part::Deal), ("rest", Part::Rest)];
        metrics.push(free("luck_share", Quantity::Share(Part::Luck, components)));
        metrics.extend(
            parts.map(|(name, part)| {
                free(&format!("variance_share[{name}]"), Quantity::Share(part, components))
            }),
        );
        metrics
    }

    fn seat_metrics(&self) -> Vec<Metric> {
        let (games, players) = (self.games() as f64, self.players as f64);
        let fair = 1.0 / players;
        let wins = |seat, plus| Quantity::Mean { of: self.seat(seat), per: games * WIN as f64, plus };
        let mut metrics = Vec::new();
        for seat in 0..self.players {
            metrics.push(share(&format!("seat_win_share[{seat}]"), wins(seat, 0.0), 0.0));
            metrics.push(share(&format!("seat_effect[{seat}]"), wins(seat, -fair), -fair));
            let score = Quantity::Mean { of: self.seat(seat) + 1, per: games * players, plus: 0.0 };
            metrics.push(free(&format!("seat_score_effect[{seat}]"), score));
        }
        metrics.push(share("first_seat_advantage", wins(0, -fair), -fair));
        for (name, total) in [("tie_rate", TableTotal::Ties), ("capped_rate", TableTotal::Capped)] {
            metrics.push(share(name, self.by_game(total), 0.0));
        }
        metrics
    }

    fn length_metrics(&self) -> Vec<Metric> {
        use TableTotal::{Deals, DealsSquared, Decisions, DecisionsSquared, Turns, TurnsSquared};
        let totals = [(Decisions, DecisionsSquared), (Deals, DealsSquared), (Turns, TurnsSquared)];
        let mut metrics = Vec::new();
        for (length, (of, squares)) in totals.into_iter().enumerate() {
            let name = LENGTHS[length];
            let (of_place, squares) = (self.table(of), self.table(squares));
            let count = Count::Fixed(self.games() as f64);
            metrics.push(free(&format!("{name}_mean"), self.by_game(of)));
            let deviation = Quantity::Deviation { of: of_place, squares, count };
            metrics.push(free(&format!("{name}_sd"), deviation));
            for (percent, quantile) in [("p5", 0.05), ("p95", 0.95)] {
                let source = Source::Quantile(length, quantile);
                metrics.push(Metric { name: format!("{name}_{percent}"), source, bounds: None });
            }
        }
        metrics
    }

    fn score_metrics(&self) -> Vec<Metric> {
        use TableTotal::*;
        let players = self.players as f64;
        let ratio = |of, per, scale| Quantity::Ratio { of: self.table(of), per: self.table(per), scale };
        let deviation = |squares, count| Quantity::Deviation {
            of: self.table(Scores),
            squares: self.table(squares),
            count,
        };
        let by_deal = Count::Total(self.table(Deals), players);
        let by_game = Count::Fixed(self.games() as f64 * players);
        let per = self.games() as f64 * players;
        vec![
            free("branching", ratio(Branches, Decisions, 1.0)),
            free("forced_share", ratio(Forced, Decisions, 1.0)),
            free("score_mean_deal", ratio(Scores, Deals, players)),
            free("score_sd_deal", deviation(DealScoresSquared, by_deal)),
            free("margin_deal", ratio(DealMargins, Deals, 1.0)),
            free("score_mean_game", Quantity::Mean { of: self.table(Scores), per, plus: 0.0 }),
            free("score_sd_game", deviation(TotalsSquared, by_game)),
            free("margin_game", self.by_game(GameMargins)),
            free("lead_changes", ratio(LeadChanges, Boundaries, 1.0)),
            free("comeback", ratio(Comebacks, LastAtHalf, WIN as f64)),
        ]
    }

    fn by_game(&self, total: TableTotal) -> Quantity {
        Quantity::Mean { of: self.table(total), per: self.games() as f64, plus: 0.0 }
    }
}

fn free(name: &str, quantity: Quantity) -> Metric {
    Metric { name: name.to_owned(), source: Source::Totals(quantity), bounds: None }
}

fn share(name: &str, quantity: Quantity, plus: f64) -> Metric {
    Metric { bounds: Some((plus, 1.0 + plus)), ..free(name, quantity) }
}
