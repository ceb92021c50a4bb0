//! The likelihood of rankings, with its slopes and curvature.
//!
//! A ranking is a sequence of choices: of one set of players among all sets of those who are left. The logarithm of a set's
//! weight is linear in the parameters; so that of a choice's probability is a linear function less a logarithm of a sum of
//! exponentials, its slope is what the chosen set has less what one expects of a set, and its curvature the covariance of
//! that. Sets are enumerated: with the largest tie of two or three, there are few.

use super::{Anchor, Ranking};

/// Where each parameter stands in the list of parameters.
///
/// Adding the same to all strengths changes nothing, nor does it to all effects of seats. So the first of each is kept
/// at 0 and is no parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    agents: usize,
    seats: usize,
    /// The sizes of sets that may be chosen: 1, and those of ties.
    sizes: Vec<usize>,
    ghost: bool,
}

/// A ranking and how often it occurred.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome<'g> {
    /// What makes up the worth of each player: the places of the parameters that are added.
    players: Vec<[Option<usize>; 2]>,
    sets: Vec<u16>,
    /// Blocks, and how often it occurred in each.
    pub counts: &'g [(usize, u64)],
}

/// What is summed up over rankings.
#[derive(Clone, PartialEq, Debug)]
pub struct Sums {
    /// The logarithm of the likelihood.
    pub log_likelihood: f64,
    /// Its slope in each parameter.
    pub slopes: Vec<f64>,
    /// Minus its second derivatives, row by row; empty if they are not wanted.
    pub curvature: Vec<f64>,
}

impl Sums {
    /// Nothing summed yet, for so many parameters.
    #[must_use]
    pub fn new(parameters: usize, with_curvature: bool) -> Sums {
        let curvature = if with_curvature { vec![0.0; parameters * parameters] } else { Vec::new() };
        Sums { log_likelihood: 0.0, slopes: vec![0.0; parameters], curvature }
    }
}

impl Layout {
    /// The parameters for so many agents, seats and these sizes of ties.
    #[must_use]
    pub fn new(agents: usize, seats: usize, ties: &[usize], ghost: bool) -> Layout {
        let sizes = std::iter::once(1).chain(ties.iter().copied()).collect();
        Layout { agents, seats, sizes, ghost }
    }

    /// How many parameters there are.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.tie(self.sizes.len())
    }

    fn agent(&self, agent: usize) -> Option<usize> {
        agent.checked_sub(1)
    }

    fn seat(&self, seat: usize) -> Option<usize> {
        seat.checked_sub(1).map(|seat| self.agents - 1 + usize::from(self.ghost) + seat)
    }

    /// Where ln δ of a size stands, by its place among the sizes, from 1 up.
    fn tie(&self, size: usize) -> usize {
        self.agents - 1 + usize::from(self.ghost) + self.seats - 1 + size - 1
    }

    /// A ranking in terms of the parameters.
    #[must_use]
    pub fn outcome<'g>(&self, ranking: &Ranking, counts: &'g [(usize, u64)]) -> Outcome<'g> {
        let player = |(seat, &agent): (usize, &u8)| [self.agent(usize::from(agent)), self.seat(seat)];
        let players = ranking.agents.iter().enumerate().map(player).collect();
        Outcome { players, sets: ranking.sets.clone(), counts }
    }

    /// A game that an agent wins against the ghost, and one that it loses.
    fn ghost_games(&self, agent: usize) -> [Outcome<'static>; 2] {
        let players = vec![[self.agent(agent), None], [Some(self.agents - 1), None]];
        [vec![1, 2], vec![2, 1]].map(|sets| Outcome { players: players.clone(), sets, counts: &[] })
    }

    /// Strengths and effects of seats, from the parameters.
    #[must_use]
    pub fn centred(&self, at: &[f64], anchor: Anchor) -> (Vec<f64>, Vec<f64>) {
        let value = |place: Option<usize>| place.map_or(0.0, |place| at[place]);
        let mut strengths: Vec<f64> = (0..self.agents).map(|agent| value(self.agent(agent))).collect();
        let zero = match anchor {
            Anchor::Agent(agent) => strengths[agent],
            Anchor::Mean => strengths.iter().sum::<f64>() / self.agents as f64,
        };
        strengths.iter_mut().for_each(|strength| *strength -= zero);
        let mut seats: Vec<f64> = (0..self.seats).map(|seat| value(self.seat(seat))).collect();
        let mean = seats.iter().sum::<f64>() / self.seats as f64;
        seats.iter_mut().for_each(|effect| *effect -= mean);
        (strengths, seats)
    }

    /// Sizes of ties and how common they are.
    #[must_use]
    pub fn ties(&self, at: &[f64]) -> Vec<(usize, f64)> {
        let sizes = self.sizes.iter().enumerate().skip(1);
        sizes.map(|(place, &size)| (size, libm::exp(at[self.tie(place)]))).collect()
    }

    /// Sums up all rankings, and the ghost's games if there is a ghost.
    #[must_use]
    pub fn sums(&self, outcomes: &[Outcome<'_>], at: &[f64], with_curvature: bool) -> Sums {
        let mut sums = Sums::new(self.parameters(), with_curvature);
        for outcome in outcomes {
            let count: u64 = outcome.counts.iter().map(|(_, count)| count).sum();
            self.add(outcome, count as f64, at, &mut sums);
        }
        if self.ghost {
            let games = (0..self.agents).flat_map(|agent| self.ghost_games(agent));
            games.for_each(|game| self.add(&game, 0.5, at, &mut sums));
        }
        sums
    }

    /// Adds a ranking that occurred `count` times.
    pub fn add(&self, outcome: &Outcome<'_>, count: f64, at: &[f64], sums: &mut Sums) {
        let players = outcome.players.len();
        let worth =
            |player: &[Option<usize>; 2]| player.iter().flatten().map(|&place| at[place]).sum::<f64>();
        let worths: Vec<f64> = outcome.players.iter().map(worth).collect();
        let mut left = (1_u16 << players) - 1;
        for &chosen in &outcome.sets {
            let choice = Choice::new(self, outcome, &worths, left, at);
            choice.add(self, outcome, chosen, count, sums);
            left &= !chosen;
        }
    }
}

/// A choice among all sets of the players who are left.
struct Choice {
    /// Each set with its probability.
    sets: Vec<(u16, f64)>,
    /// The logarithm of the sum of weights.
    log_sum: f64,
    /// The logarithms of the weights, in the order of the sets.
    logs: Vec<f64>,
}

impl Choice {
    fn new(layout: &Layout, outcome: &Outcome<'_>, worths: &[f64], left: u16, at: &[f64]) -> Choice {
        let mut sets = Vec::new();
        let mut logs = Vec::new();
        // All subsets of those who are left, of a size that may be chosen.
        let mut set = left;
        while set > 0 {
            let size = set.count_ones() as usize;
            if let Some(place) = layout.sizes.iter().position(|&other| other == size) {
                let sum: f64 = members(set).map(|player| worths[player]).sum();
                let tie = if place == 0 { 0.0 } else { at[layout.tie(place)] };
                logs.push(sum / size as f64 + tie);
                sets.push((set, 0.0));
            }
            set = (set - 1) & left;
        }
        debug_assert!(!sets.is_empty(), "{outcome:?}");
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logs.iter().map(|log| libm::exp(log - most)).sum();
        let log_sum = most + libm::log(sum);
        sets.iter_mut().zip(&logs).for_each(|((_, chance), log)| *chance = libm::exp(log - log_sum));
        Choice { sets, log_sum, logs }
    }

    fn add(&self, layout: &Layout, outcome: &Outcome<'_>, chosen: u16, count: f64, sums: &mut Sums) {
        let place = self.sets.iter().position(|&(set, _)| set == chosen);
        let log = place.map_or(f64::NEG_INFINITY, |place| self.logs[place]);
        sums.log_likelihood += count * (log - self.log_sum);
        // With one player left there is no choice.
        if self.sets.len() == 1 {
            return;
        }
        let mut expected = vec![0.0; layout.parameters()];
        let mut features = Vec::new();
        for &(set, chance) in &self.sets {
            layout.features(outcome, set, &mut features);
            features.iter().for_each(|&(place, value)| expected[place] += chance * value);
            if !sums.curvature.is_empty() {
                add_products(&features, count * chance, &mut sums.curvature, layout.parameters());
            }
        }
        layout.features(outcome, chosen, &mut features);
        features.iter().for_each(|&(place, value)| sums.slopes[place] += count * value);
        sums.slopes.iter_mut().zip(&expected).for_each(|(slope, mean)| *slope -= count * mean);
        if !sums.curvature.is_empty() {
            let means: Vec<_> =
                expected.iter().copied().enumerate().filter(|(_, mean)| *mean != 0.0).collect();
            add_products(&means, -count, &mut sums.curvature, layout.parameters());
        }
    }
}

impl Layout {
    /// How the logarithm of a set's weight changes with each parameter.
    fn features(&self, outcome: &Outcome<'_>, set: u16, features: &mut Vec<(usize, f64)>) {
        features.clear();
        let size = set.count_ones() as usize;
        let share = 1.0 / size as f64;
        let places = members(set).flat_map(|player| outcome.players[player].into_iter().flatten());
        features.extend(places.map(|place| (place, share)));
        if size > 1
            && let Some(place) = self.sizes.iter().position(|&other| other == size)
        {
            features.push((self.tie(place), 1.0));
        }
    }
}

fn add_products(features: &[(usize, f64)], weight: f64, curvature: &mut [f64], parameters: usize) {
    for &(row, one) in features {
        for &(column, other) in features {
            curvature[row * parameters + column] += weight * one * other;
        }
    }
}

/// The players of a set.
fn members(set: u16) -> impl Iterator<Item = usize> {
    (0..16).filter(move |player| set >> player & 1 == 1)
}
