//! The row of totals of one block, filled game by game.

use dealt_engine::{MAX_PLAYERS, PerSeat};

use super::plan::{MEASURES, PLACE, Plan, SCORE, TableTotal, WIN, WIN_SHARE};
use crate::experiment::Seated;
use crate::table::Course;

/// The totals of a block under one variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The totals, in the order of a [`Plan`].
    pub(super) totals: Vec<i64>,
    /// What is measured of each agent in the games of each line-up.
    by_line_up: Vec<i64>,
    /// The scores of each seat, which is dealt the same cards in all games.
    cells: PerSeat<i64>,
}

/// How the seats of a game came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standings {
    /// Wins in units of 1 / [`WIN`], a shared one in parts.
    pub wins: PerSeat<i64>,
    /// Twice the place, 1 the best; those who tie share the mean of their places.
    pub double_places: PerSeat<i64>,
    /// How many share the win.
    pub winners: usize,
}

impl Standings {
    /// How seats with these totals stand.
    #[must_use]
    pub fn new(totals: &[i32], lowest_wins: bool) -> Standings {
        let mut standings = Standings { wins: [0; MAX_PLAYERS], double_places: [0; MAX_PLAYERS], winners: 0 };
        let is_better = |one: i32, other: i32| if lowest_wins { one < other } else { one > other };
        let mut leads = [false; MAX_PLAYERS];
        for (seat, &own) in totals.iter().enumerate() {
            let better = totals.iter().filter(|&&other| is_better(other, own)).count();
            let equal = totals.iter().filter(|&&other| other == own).count();
            leads[seat] = better == 0;
            standings.double_places[seat] = (2 * better + equal + 1) as i64;
            standings.winners += usize::from(better == 0);
        }
        let part = WIN / standings.winners.max(1) as i64;
        standings.wins.iter_mut().zip(leads).filter(|(_, leads)| *leads).for_each(|(wins, _)| *wins = part);
        standings
    }
}

impl Row {
    /// Nothing counted yet.
    #[must_use]
    pub fn new(plan: &Plan) -> Row {
        Row {
            totals: vec![0; plan.totals],
            by_line_up: vec![0; plan.line_ups * plan.agents * MEASURES.len()],
            cells: [0; MAX_PLAYERS],
        }
    }

    /// Starts anew.
    pub fn clear(&mut self) {
        self.totals.fill(0);
        self.by_line_up.fill(0);
        self.cells.fill(0);
    }

    /// Counts a game.
    pub fn add_game(&mut self, plan: &Plan, seated: &Seated, course: &Course, standings: &Standings) {
        let totals = &course.totals[..plan.players];
        let sum: i64 = totals.iter().copied().map(i64::from).sum();
        for (seat, &total) in totals.iter().enumerate() {
            let (agent, score) = (usize::from(seated.order[seat]), i64::from(total));
            let wins = standings.wins[seat];
            let behind = (seat + plan.players - course.first_to_act) % plan.players;
            let in_line_up = seated.line_up * plan.agents * MEASURES.len() + plan.agent(agent, 0);
            self.by_line_up[in_line_up + WIN_SHARE] += wins;
            self.by_line_up[in_line_up + SCORE] += score;
            self.by_line_up[in_line_up + PLACE] += standings.double_places[seat];
            self.totals[plan.agent_seat(agent, behind, WIN_SHARE)] += wins;
            self.totals[plan.agent_seat(agent, behind, SCORE)] += score;
            self.totals[plan.seat(behind)] += wins;
            self.totals[plan.seat(behind) + 1] += score * plan.players as i64 - sum;
            if let Some(components) = &plan.components {
                self.cells[seat] += score;
                self.totals[components.of_seats + behind] += score;
            }
            let decisions = plan.decisions(agent);
            self.totals[decisions] += i64::from(course.decisions[seat]);
            self.totals[decisions + 1] += i64::from(course.forced[seat]);
        }
        self.add_lengths(plan, course);
        self.add_scores(plan, course, standings, sum);
        for event in 0..plan.events.len() {
            let (sum, times) = course.events[event];
            self.totals[plan.event(event)] += sum;
            self.totals[plan.event(event) + 1] += i64::from(times);
        }
        for (place, card) in plan.cards.iter().enumerate() {
            let (sum, holders) = course.cards[card.index()];
            self.totals[plan.card(place)] += sum;
            self.totals[plan.card(place) + 1] += i64::from(holders);
        }
    }

    /// All games of the block are counted: finds the agents' totals and the contrasts between them.
    pub fn finish(&mut self, plan: &Plan) {
        let measured = plan.agents * MEASURES.len();
        for totals in self.by_line_up.chunks(measured) {
            self.totals.iter_mut().zip(totals).for_each(|(total, more)| *total += more);
        }
        if let Some(components) = &plan.components {
            self.totals[components.cells] =
                self.cells.iter().map(|cell| cell.saturating_mul(*cell)).fold(0, i64::saturating_add);
        }
        for (pair, contrast) in plan.contrasts.iter().enumerate() {
            let (a, b) = contrast.agents;
            for measure in 0..MEASURES.len() {
                let difference = |&(line_up, of_a, of_b): &(usize, i64, i64)| {
                    let in_line_up = |agent| self.by_line_up[line_up * measured + plan.agent(agent, measure)];
                    of_a * in_line_up(a) - of_b * in_line_up(b)
                };
                self.totals[plan.contrast(pair, measure)] = contrast.weights.iter().map(difference).sum();
            }
            if let Some(scores) = plan.pair_scores(pair) {
                // Each of the two games adds a win, nothing or a loss.
                let score = self.totals[plan.contrast(pair, WIN_SHARE)] / WIN + 2;
                self.totals[scores][score as usize] += 1;
            }
        }
    }

    fn add_lengths(&mut self, plan: &Plan, course: &Course) {
        use TableTotal::*;
        let [decisions, deals, turns] = lengths(plan, course);
        for (length, total, squares) in [
            (decisions, Decisions, DecisionsSquared),
            (deals, Deals, DealsSquared),
            (turns, Turns, TurnsSquared),
        ] {
            self.add(plan, total, length);
            self.add(plan, squares, length.saturating_mul(length));
        }
        self.add(plan, Branches, course.branches as i64);
        self.add(plan, Forced, course.forced.iter().map(|&count| i64::from(count)).sum());
        self.add(plan, Capped, i64::from(course.capped));
        self.add(plan, Boundaries, (deals - 1).max(0));
    }

    fn add_scores(&mut self, plan: &Plan, course: &Course, standings: &Standings, sum: i64) {
        use TableTotal::*;
        let players = plan.players;
        self.add(plan, Ties, i64::from(standings.winners > 1));
        self.add(plan, Scores, sum);
        self.add(plan, TotalsSquared, squares(&course.totals[..players]));
        self.add(plan, GameMargins, margin(&course.totals[..players], plan.lowest_wins));
        let half = course.deals.len() / 2;
        let mut so_far = [0; MAX_PLAYERS];
        let mut leader = None;
        let [mut scores_squared, mut margins, mut changes] = [0_i64; 3];
        for (deal, scores) in course.deals.iter().enumerate() {
            scores_squared = scores_squared.saturating_add(squares(&scores[..players]));
            margins = margins.saturating_add(margin(&scores[..players], plan.lowest_wins));
            so_far.iter_mut().zip(&scores[..players]).for_each(|(total, score)| *total += score);
            let now = sole_leader(&so_far[..players], plan.lowest_wins);
            changes += i64::from(now.is_some() && leader.is_some() && now != leader);
            leader = now.or(leader);
            if deal + 1 == half {
                self.add_comebacks(plan, &so_far[..players], standings);
            }
        }
        self.add(plan, DealScoresSquared, scores_squared);
        self.add(plan, DealMargins, margins);
        self.add(plan, LeadChanges, changes);
    }

    /// Whoever is last at half the deals, alone or with others but not with all, may still win.
    fn add_comebacks(&mut self, plan: &Plan, at_half: &[i32], standings: &Standings) {
        let (least, most) = extremes(at_half);
        if least == most {
            return;
        }
        let worst = if plan.lowest_wins { most } else { least };
        for (seat, _) in at_half.iter().enumerate().filter(|(_, total)| **total == worst) {
            self.add(plan, TableTotal::LastAtHalf, 1);
            self.add(plan, TableTotal::Comebacks, standings.wins[seat]);
        }
    }

    /// Where an `i64` does not suffice the sum stays at its end, which [`Tally`](super::Tally) refuses.
    #[inline]
    fn add(&mut self, plan: &Plan, total: TableTotal, more: i64) {
        let sum = &mut self.totals[plan.table(total)];
        *sum = sum.saturating_add(more);
    }
}

/// Decisions, deals and turns of a game.
#[must_use]
pub fn lengths(plan: &Plan, course: &Course) -> [i64; 3] {
    let decisions = course.decisions.iter().map(|&count| i64::from(count)).sum();
    let turns = plan.turns_event.map_or(course.turns as i64, |event| course.events[event].0);
    [decisions, course.deals.len() as i64, turns]
}

fn squares(values: &[i32]) -> i64 {
    values.iter().map(|&value| i64::from(value) * i64::from(value)).fold(0, i64::saturating_add)
}

fn extremes(values: &[i32]) -> (i32, i32) {
    values.iter().fold((i32::MAX, i32::MIN), |(least, most), &value| (least.min(value), most.max(value)))
}

/// The higher the better.
fn goodness(total: i32, lowest_wins: bool) -> i64 {
    if lowest_wins { -i64::from(total) } else { i64::from(total) }
}

/// The best less the second best, never negative.
fn margin(values: &[i32], lowest_wins: bool) -> i64 {
    let (best, second) = values.iter().fold((i64::MIN, i64::MIN), |(best, second), &value| {
        let value = goodness(value, lowest_wins);
        if value > best { (value, best) } else { (best, second.max(value)) }
    });
    if values.len() < 2 { 0 } else { best - second }
}

/// The only seat with the best total.
fn sole_leader(totals: &[i32], lowest_wins: bool) -> Option<usize> {
    let (mut best, mut leader) = (i64::MIN, None);
    for (seat, &total) in totals.iter().enumerate() {
        let total = goodness(total, lowest_wins);
        if total >= best {
            leader = (total > best).then_some(seat);
            best = total;
        }
    }
    leader
}
