//! Ratings: how strong each agent is, by the order in which games ended.
//!
//! The model is that of Plackett and Luce for any number of players, with ties and an effect of the seat. An agent of
//! strength λ in a seat of effect β has the worth exp(λ + β). The winner is drawn in proportion to worths, then the second
//! among those who are left, and so on. For ties, a whole set S of players may be drawn at once: its weight is
//! δ · (Π worth)^(1/|S|), where δ, one number for each size, says how common ties of that size are (D. Firth, I. Kosmidis,
//! H. L. Turner, *Davidson–Luce model for multi-item choice with ties*, 2019; R. R. Davidson, *On extending the
//! Bradley–Terry model to accommodate ties in paired comparison experiments*, 1970). Sizes up to that of the largest tie
//! that occurred are possible.
//!
//! The logarithm of the likelihood is concave in λ, β and ln δ, so there is one maximum, which Newton's method finds
//! ([`likelihood`], [`maximise`]). An agent that never lost has none; a *ghost* against whom every agent won one game
//! and lost one, each counting half, keeps it finite.
//!
//! Games of a block hang together, so errors come from blocks, not games: blocks are drawn again with replacement, and each
//! such sample gives other strengths ([`resample`]).
//!
//! Only differences of strengths mean anything. They are given against an anchor whose strength is 0, and shown as Elo:
//! 400 / ln 10 of a unit, so that in a game of two without ties a difference of 400 is odds of ten to one.

pub mod likelihood;
pub mod maximise;
pub mod resample;

use std::collections::BTreeMap;

use likelihood::{Layout, Outcome};

/// One unit of strength in Elo.
pub const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// How a game ended.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ranking {
    /// The agent in each seat, by its place in a list of agents.
    pub agents: Vec<u8>,
    /// Sets of seats, a bit each: the winner or those who share the win, then the next, and so on.
    pub sets: Vec<u16>,
}

impl Ranking {
    /// The ranking of a game whose seats have these places: the lower, the better; the same if tied.
    #[must_use]
    pub fn new<P: Ord>(agents: Vec<u8>, places: &[P]) -> Ranking {
        let mut sets: BTreeMap<&P, u16> = BTreeMap::new();
        places.iter().enumerate().for_each(|(seat, place)| *sets.entry(place).or_insert(0) |= 1 << seat);
        Ranking { agents, sets: sets.into_values().collect() }
    }
}

/// The games that ratings are made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Games {
    /// How many agents there are.
    agents: usize,
    /// How many seats a game has.
    seats: usize,
    /// How many blocks there are.
    blocks: usize,
    /// For each different ranking how often it occurred in which blocks.
    counts: BTreeMap<Ranking, Vec<(usize, u64)>>,
}

impl Games {
    /// No games yet among so many agents, at tables of so many seats.
    #[must_use]
    pub fn new(agents: usize, seats: usize) -> Games {
        Games { agents, seats, blocks: 0, counts: BTreeMap::new() }
    }

    /// Adds a game of a block. Games of one block must be added one after the other.
    pub fn add(&mut self, block: usize, ranking: Ranking) {
        self.blocks = self.blocks.max(block + 1);
        let counts = self.counts.entry(ranking).or_default();
        match counts.last_mut() {
            Some((last, count)) if *last == block => *count += 1,
            _ => counts.push((block, 1)),
        }
    }

    /// How many blocks there are.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// How many games each agent played.
    #[must_use]
    pub fn games_of(&self) -> Vec<u64> {
        let mut games = vec![0; self.agents];
        for (ranking, counts) in &self.counts {
            let count: u64 = counts.iter().map(|(_, count)| count).sum();
            let has = |agent: usize| ranking.agents.iter().any(|&other| usize::from(other) == agent);
            games.iter_mut().enumerate().filter(|(agent, _)| has(*agent)).for_each(|(_, sum)| *sum += count);
        }
        games
    }

    /// For each agent the least one that it is connected with by games, directly or through others. Strengths of agents
    /// that are not connected cannot be compared.
    #[must_use]
    pub fn groups(&self) -> Vec<usize> {
        let mut group: Vec<usize> = (0..self.agents).collect();
        for ranking in self.counts.keys() {
            let least = ranking.agents.iter().map(|&agent| group[usize::from(agent)]).min().unwrap_or(0);
            let joined: Vec<usize> = ranking.agents.iter().map(|&agent| group[usize::from(agent)]).collect();
            group.iter_mut().filter(|group| joined.contains(group)).for_each(|group| *group = least);
        }
        group
    }

    /// The most players that share a place in some game.
    fn largest_tie(&self) -> usize {
        let sizes = self.counts.keys().flat_map(|ranking| &ranking.sets).map(|set| set.count_ones() as usize);
        sizes.max().unwrap_or(1)
    }

    /// The sizes of ties that occurred, from 2 up.
    fn ties(&self) -> Vec<usize> {
        let occurs = |size: &usize| {
            self.counts.keys().flat_map(|ranking| &ranking.sets).any(|set| set.count_ones() as usize == *size)
        };
        (2..=self.largest_tie()).filter(occurs).collect()
    }
}

/// The strengths that fit games best.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// The strength of each agent; that of the anchor is 0.
    pub strengths: Vec<f64>,
    /// The effect of each seat; their mean is 0.
    pub seats: Vec<f64>,
    /// How common ties of the sizes that occurred are: size and δ.
    pub ties: Vec<(usize, f64)>,
    /// The logarithm of the likelihood, that of the ghost's games included.
    pub log_likelihood: f64,
    /// The standard error of each agent's strength against the anchor's. `None` with fewer than two blocks, or where all
    /// blocks came out alike.
    pub errors: Option<Vec<f64>>,
    /// The standard error of each seat's effect.
    pub seat_errors: Option<Vec<f64>>,
}

/// Whose strength is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// An agent's.
    Agent(usize),
    /// The mean of all.
    Mean,
}

/// What ratings are made with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Whose strength is 0.
    pub anchor: Anchor,
    /// Whether there is a ghost.
    pub ghost: bool,
    /// How many samples of blocks are drawn.
    pub samples: u32,
    /// The seed of these samples.
    pub seed: u64,
}

/// Rates the agents of some games.
///
/// ```
/// use dealt::statistics::ratings::{Anchor, Games, Ranking, Settings, rate};
/// // Agent 0 wins three games of four; the seats are swapped now and then.
/// let mut games = Games::new(2, 2);
/// for block in 0..10 {
///     games.add(block, Ranking::new(vec![0, 1], &[1, 2]));
///     games.add(block, Ranking::new(vec![1, 0], &[2, 1]));
///     games.add(block, Ranking::new(vec![0, 1], &[1, 2]));
///     games.add(block, Ranking::new(vec![1, 0], &[1, 2]));
/// }
/// let settings = Settings { anchor: Anchor::Agent(1), ghost: false, samples: 100, seed: 1 };
/// let ratings = rate(&games, &settings);
/// assert!(ratings.strengths[0] > 0.9 && ratings.strengths[1] == 0.0);
/// assert!(ratings.errors.is_none(), "all blocks are alike");
/// ```
#[must_use]
pub fn rate(games: &Games, settings: &Settings) -> Ratings {
    let layout = Layout::new(games.agents, games.seats, &games.ties(), settings.ghost);
    let outcomes: Vec<Outcome<'_>> =
        games.counts.iter().map(|(ranking, counts)| layout.outcome(ranking, counts)).collect();
    let best = maximise::maximise(&layout, &outcomes);
    let samples = resample::samples(&layout, &outcomes, &best, games.blocks, settings);
    let (strengths, seats) = layout.centred(&best.at, settings.anchor);
    let errors = samples.as_ref().map(|samples| {
        let centred: Vec<_> = samples.iter().map(|at| layout.centred(at, settings.anchor)).collect();
        let of = |values: &dyn Fn(usize) -> f64| resample::deviation(centred.len(), values);
        let agents = (0..games.agents).map(|agent| of(&|sample| centred[sample].0[agent])).collect();
        let seats = (0..games.seats).map(|seat| of(&|sample| centred[sample].1[seat])).collect();
        (agents, seats)
    });
    let (errors, seat_errors) = errors.unzip();
    Ratings {
        strengths,
        seats,
        ties: layout.ties(&best.at),
        log_likelihood: best.log_likelihood,
        errors,
        seat_errors,
    }
}
