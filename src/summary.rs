//! What a run found, row by row: the tables of the results folder as values, for whoever writes or prints them.

use crate::estimate::Estimate;

/// The tables of a finished run. Rows stand in the order in which the files have them: by variant first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// A row for each variant and agent.
    pub agents: Vec<AgentRow>,
    /// A row for each variant, agent and seat.
    pub seats: Vec<SeatRow>,
    /// A row for each variant, pair of agents and measure.
    pub pairs: Vec<PairRow>,
    /// A row for each variant, agent, kind of score and score.
    pub scores: Vec<ScoreRow>,
    /// A row for each variant and metric.
    pub metrics: Vec<MetricRow>,
}

/// How an agent fared under a variant.
#[derive(Clone, PartialEq, Debug)]
pub struct AgentRow {
    /// The variant's name.
    pub variant: String,
    /// The agent's label.
    pub agent: String,
    /// Games played.
    pub games: u64,
    /// Blocks played.
    pub blocks: u64,
    /// Seats that the agent held in a game, on average.
    pub seats: f64,
    /// Wins, a shared one counted in parts, over all its seats.
    pub wins: f64,
    /// Wins by seat and game.
    pub win_share: Estimate,
    /// Mean score by seat and game.
    pub score: Estimate,
    /// Mean place by seat and game, 1 the best; those who tie share the mean of their places.
    pub place: Estimate,
    /// How often it was to move.
    pub decisions: u64,
    /// How often it then had one legal move only.
    pub forced: u64,
    /// Whether it is shown what its seat cannot see.
    pub clairvoyant: bool,
}

/// How an agent fared in a seat.
#[derive(Clone, PartialEq, Debug)]
pub struct SeatRow {
    /// The variant's name.
    pub variant: String,
    /// The agent's label.
    pub agent: String,
    /// How many seats to the left of the one that acts first in the game.
    pub seat_from_leader: usize,
    /// Games in that seat.
    pub games: u64,
    /// Wins there, a shared one counted in parts.
    pub wins: f64,
    /// Wins by game.
    pub win_share: Estimate,
    /// Mean score by game.
    pub score: Estimate,
}

/// The difference between two agents over the same blocks.
#[derive(Clone, PartialEq, Debug)]
pub struct PairRow {
    /// The variant's name.
    pub variant: String,
    /// One agent's label.
    pub agent_a: String,
    /// The other's.
    pub agent_b: String,
    /// Whether the two ever meet. If they do, they are compared by the games in which both play, else each by its own.
    pub met: bool,
    /// What is compared: `win_share`, `score` or `place`.
    pub measure: &'static str,
    /// Blocks.
    pub blocks: u64,
    /// Of A less that of B, a block's mean being the observation.
    pub contrast: Estimate,
    /// Which agent is the stronger by it: `a_stronger`, `b_stronger`, `undecided` or `no_interval`.
    pub verdict: &'static str,
}

/// A bar of a histogram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoreRow {
    /// The variant's name.
    pub variant: String,
    /// The agent's label.
    pub agent: String,
    /// `deal` or `game`.
    pub kind: &'static str,
    /// The lowest score counted here.
    pub score: i64,
    /// How many scores are counted together from there on; 1 unless they spread over more than some thousands.
    pub width: u64,
    /// How often it was made.
    pub count: u64,
}

/// A metric of a variant, and its difference from the first variant's over the same blocks.
#[derive(Clone, PartialEq, Debug)]
pub struct MetricRow {
    /// The variant's name.
    pub variant: String,
    /// The metric's name.
    pub metric: String,
    /// Its value.
    pub value: Estimate,
    /// Its value less that of the first variant; none for the first variant itself.
    pub contrast: Option<Estimate>,
}
