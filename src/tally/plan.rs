//! What is counted in a block, and where it stands in the row of totals.

use dealt_engine::{Card, MAX_PLAYERS};

use super::metrics::{LENGTHS, Metric, Source};
use crate::experiment::{Experiment, ExperimentError, Seated};
use crate::statistics::components::Components;
use crate::statistics::moments::{Pair, Quantity};

/// A whole win in the units in which wins are counted: the least common multiple of 1 to 11, so that every shared win is
/// a whole number.
pub const WIN: i64 = 27_720;

/// What is measured of each agent.
pub const MEASURES: [&str; 3] = ["win_share", "score", "place"];

/// A share of wins in [`MEASURES`].
pub const WIN_SHARE: usize = 0;
/// A score in [`MEASURES`].
pub const SCORE: usize = 1;
/// A place in [`MEASURES`].
pub const PLACE: usize = 2;

/// The totals of the table as a whole, by their place behind [`Plan::table`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableTotal {
    /// Games whose win was shared.
    Ties,
    /// Games that a guard ended, or a deal of them.
    Capped,
    /// Times that somebody was to move.
    Decisions,
    /// Squares of a game's decisions.
    DecisionsSquared,
    /// Deals.
    Deals,
    /// Squares of a game's deals.
    DealsSquared,
    /// Turns.
    Turns,
    /// Squares of a game's turns.
    TurnsSquared,
    /// Legal moves at all decisions.
    Branches,
    /// Decisions with one legal move.
    Forced,
    /// Squares of deal scores.
    DealScoresSquared,
    /// Scores, of all seats.
    Scores,
    /// Squares of totals.
    TotalsSquared,
    /// Differences between the best and the second best of a deal.
    DealMargins,
    /// Differences between the best and the second best of a game.
    GameMargins,
    /// Changes of the leader between deals.
    LeadChanges,
    /// Boundaries between deals.
    Boundaries,
    /// Wins of those who were last at half the deals.
    Comebacks,
    /// Those who were last at half the deals.
    LastAtHalf,
}

/// How many there are.
const TABLE_TOTALS: usize = TableTotal::LastAtHalf as usize + 1;

/// How two agents are compared: by the games in which both play, if there are any; else each by all of its own, on the
/// same cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contrast {
    /// The two.
    pub agents: (usize, usize),
    /// Whether they meet in any game.
    pub met: bool,
    /// Line-ups, each with what a total of the one and of the other counts in it.
    pub weights: Vec<(usize, i64, i64)>,
    /// What the weighted totals of a block are divided by to be a difference between means of a seat.
    pub per: u64,
}

/// What is counted in the blocks of an experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// How many play.
    pub players: usize,
    /// How many different agents there are.
    pub agents: usize,
    /// The games of a block.
    pub seatings: Vec<Seated>,
    /// How many line-ups there are.
    pub line_ups: usize,
    /// For each agent the games of a block that it plays in.
    pub games_of: Vec<u64>,
    /// For each agent the seats that it holds in them, together.
    pub held: Vec<u64>,
    /// How the pairs of agents are compared.
    pub contrasts: Vec<Contrast>,
    /// Whether the lowest total wins.
    pub lowest_wins: bool,
    /// The largest total of which sums of products over all blocks are certain to fit their integers.
    pub largest_total: u64,
    /// How many totals a row has.
    pub totals: usize,
    /// Which products are summed, sorted.
    pub pairs: Vec<Pair>,
    /// The metrics, in the order of the results.
    pub metrics: Vec<Metric>,
    /// The names of the game's events, where they are counted.
    pub events: Vec<&'static str>,
    /// Where it stands what scores vary by, if that can be told: where several agents of one line-up change places over
    /// the same cards.
    pub components: Option<Components>,
    /// The cards whose holders' scores are counted, if any are: those of the pack.
    pub cards: Vec<Card>,
    /// The place among the events of the game's own count of turns, if it has one. It is then what `turns` counts.
    pub turns_event: Option<usize>,
}

/// How many scores a pair of games of two players can have.
pub const PAIR_SCORES: usize = 5;

impl Plan {
    /// What is counted for an experiment of a game, with these events and cards.
    ///
    /// # Errors
    /// If the seating design is refused.
    pub fn new(
        experiment: &Experiment,
        lowest_wins: bool,
        events: &[&'static str],
        cards: &[Card],
    ) -> Result<Plan, ExperimentError> {
        let seatings = experiment.seatings()?;
        let agents = experiment.labels().len();
        let line_ups = experiment.line_ups.len();
        let seats = Seats::of(&seatings, line_ups, agents);
        let mut plan = Plan {
            players: experiment.players(),
            agents,
            games_of: (0..agents).map(|agent| seats.games_of(agent)).collect(),
            held: (0..agents).map(|agent| seats.held(agent)).collect(),
            contrasts: (0..agents)
                .flat_map(|a| (a + 1..agents).map(move |b| (a, b)))
                .map(|pair| seats.contrast(pair))
                .collect(),
            seatings,
            line_ups,
            lowest_wins,
            // Blocks · total² < 2^126.
            largest_total: 1 << ((126 - (u64::BITS - experiment.blocks.leading_zeros())) / 2),
            totals: 0,
            pairs: Vec::new(),
            metrics: Vec::new(),
            events: events.to_vec(),
            components: None,
            cards: cards.to_vec(),
            turns_event: events.iter().position(|&name| name == LENGTHS[2]),
        };
        plan.components = plan.list_components();
        plan.totals = plan.card(plan.cards.len());
        plan.metrics = plan.list_metrics();
        plan.pairs = plan.list_pairs();
        Ok(plan)
    }

    /// Games of a block under one variant.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.seatings.len() as u64
    }

    /// Games of a block in which an agent sits in a given seat: as many for every seat.
    #[must_use]
    pub fn games_in_seat(&self, agent: usize) -> u64 {
        self.held[agent] / self.players as u64
    }

    /// Where an agent's measure stands.
    #[must_use]
    pub fn agent(&self, agent: usize, measure: usize) -> usize {
        agent * MEASURES.len() + measure
    }

    /// Where the contrast of a pair of agents stands, by its place among [`contrasts`](Self::contrasts).
    #[must_use]
    pub fn contrast(&self, pair: usize, measure: usize) -> usize {
        self.agents * MEASURES.len() + pair * MEASURES.len() + measure
    }

    fn seats_at(&self) -> usize {
        self.contrast(self.contrasts.len(), 0)
    }

    /// Where an agent's measure (win share or score) stands in a seat, counted from the one that acts first.
    #[must_use]
    pub fn agent_seat(&self, agent: usize, seat: usize, measure: usize) -> usize {
        self.seats_at() + (agent * self.players + seat) * 2 + measure
    }

    /// Where an agent's decisions stand, and behind them those of them that were forced.
    #[must_use]
    pub fn decisions(&self, agent: usize) -> usize {
        self.seats_at() + self.agents * self.players * 2 + agent * 2
    }

    /// Where the totals of the table start, in the order of [`TableTotal`].
    #[must_use]
    pub fn table(&self, total: TableTotal) -> usize {
        self.decisions(self.agents) + total as usize
    }

    /// Where the wins of a seat stand, counted from the one that acts first, and behind them its scores times the players
    /// less those of all.
    #[must_use]
    pub fn seat(&self, seat: usize) -> usize {
        self.decisions(self.agents) + TABLE_TOTALS + seat * 2
    }

    fn events_at(&self) -> usize {
        self.seat(self.players)
    }

    /// Where the sum of an event stands, and behind it how often there was something to count.
    #[must_use]
    pub fn event(&self, event: usize) -> usize {
        self.events_at() + event * 2
    }

    fn pair_scores_at(&self) -> usize {
        self.event(self.events.len())
    }

    /// How many totals the scores of the first `pairs` contrasts take: between two players a block has two games of each
    /// pair that meets, with the seats swapped. At larger tables scores are not counted.
    fn pair_scores_of(&self, pairs: usize) -> usize {
        if self.players == 2 { pairs * PAIR_SCORES } else { 0 }
    }

    /// Where stands in how many blocks the first agent of a contrast scored 0, ½, 1, 1½ or 2 of two games against the
    /// other; `None` if they do not meet in games of two.
    #[must_use]
    pub fn pair_scores(&self, pair: usize) -> Option<std::ops::Range<usize>> {
        let start = self.pair_scores_at() + self.pair_scores_of(pair);
        (self.players == 2 && self.contrasts[pair].met).then(|| start..start + PAIR_SCORES)
    }

    fn cells_at(&self) -> usize {
        self.pair_scores_at() + self.pair_scores_of(self.contrasts.len())
    }

    fn list_components(&self) -> Option<Components> {
        if self.line_ups > 1 || self.agents < 2 {
            return None;
        }
        let mut held = [0; MAX_PLAYERS];
        held.iter_mut().zip(&self.held).for_each(|(held, &seats)| *held = (seats / self.games()) as u8);
        Some(Components {
            seats: self.players,
            games: self.games() as usize,
            held,
            agents: self.agents,
            squares: self.table(TableTotal::TotalsSquared),
            cells: self.cells_at(),
            of_seats: self.cells_at() + 1,
            of_agents: self.agent(0, SCORE),
            stride: MEASURES.len(),
        })
    }

    /// Where the holders of a card stand, by its place among [`cards`](Self::cards): the sum of their scores of the deal
    /// times the players less those of all, and behind it how many were dealt it.
    #[must_use]
    pub fn card(&self, card: usize) -> usize {
        let cells = if self.components.is_some() { 1 + self.players } else { 0 };
        self.cells_at() + cells + card * 2
    }

    /// What an agent's measure is estimated from.
    #[must_use]
    pub fn agent_quantity(&self, agent: usize, measure: usize) -> Quantity {
        let per = self.held[agent] as f64 * unit(measure);
        Quantity::Mean { of: self.agent(agent, measure), per, plus: 0.0 }
    }

    /// What an agent's measure in a seat is estimated from.
    #[must_use]
    pub fn agent_seat_quantity(&self, agent: usize, seat: usize, measure: usize) -> Quantity {
        let per = self.games_in_seat(agent) as f64 * unit(measure);
        Quantity::Mean { of: self.agent_seat(agent, seat, measure), per, plus: 0.0 }
    }

    /// What the contrast of a pair is estimated from.
    #[must_use]
    pub fn contrast_quantity(&self, pair: usize, measure: usize) -> Quantity {
        let per = self.contrasts[pair].per as f64 * unit(measure);
        Quantity::Mean { of: self.contrast(pair, measure), per, plus: 0.0 }
    }

    fn list_pairs(&self) -> Vec<Pair> {
        let square = |place: usize| (place as u16, place as u16);
        let mut pairs: Vec<Pair> = (0..self.decisions(0)).map(square).collect();
        for metric in &self.metrics {
            if let Source::Totals(quantity) = metric.source {
                pairs.extend(quantity.pairs());
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

/// Who holds how many seats where.
struct Seats {
    /// For each line-up its games in a block, and the seats that each agent holds in each of them.
    line_ups: Vec<(u64, Vec<u64>)>,
}

impl Seats {
    fn of(seatings: &[Seated], line_ups: usize, agents: usize) -> Seats {
        let mut seats = Seats { line_ups: vec![(0, vec![0; agents]); line_ups] };
        for Seated { line_up, order } in seatings {
            let (games, held) = &mut seats.line_ups[*line_up];
            *games += 1;
            if *games == 1 {
                order.iter().for_each(|&agent| held[usize::from(agent)] += 1);
            }
        }
        seats
    }

    fn games_of(&self, agent: usize) -> u64 {
        self.line_ups.iter().filter(|(_, held)| held[agent] > 0).map(|(games, _)| games).sum()
    }

    fn held(&self, agent: usize) -> u64 {
        self.line_ups.iter().map(|(games, held)| games * held[agent]).sum()
    }

    fn contrast(&self, agents: (usize, usize)) -> Contrast {
        let (a, b) = agents;
        let line_ups =
            || self.line_ups.iter().enumerate().map(|(line_up, (games, held))| (line_up, games, held));
        let together = || line_ups().filter(|(.., held)| held[a] > 0 && held[b] > 0);
        if together().next().is_none() {
            let (of_a, of_b) = (self.held(a), self.held(b));
            let weights = line_ups().map(|(line_up, ..)| (line_up, of_b as i64, of_a as i64)).collect();
            return Contrast { agents, met: false, weights, per: of_a * of_b };
        }
        // Every game counts the same, whatever the seats that the two hold in it.
        let common =
            together().fold(1, |common, (.., held)| least_common_multiple(common, held[a] * held[b]));
        let weight = |(line_up, _, held): (usize, &u64, &Vec<u64>)| {
            (line_up, (common / held[a]) as i64, (common / held[b]) as i64)
        };
        let games: u64 = together().map(|(_, games, _)| games).sum();
        Contrast { agents, met: true, weights: together().map(weight).collect(), per: games * common }
    }
}

fn least_common_multiple(one: u64, other: u64) -> u64 {
    let (mut divisor, mut rest) = (one, other);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    one / divisor * other
}

/// How much of a total is one of the measure.
fn unit(measure: usize) -> f64 {
    match measure {
        WIN_SHARE => WIN as f64,
        PLACE => 2.0,
        _ => 1.0,
    }
}
