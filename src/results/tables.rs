//! The summary as CSV files.
//!
//! Every number that is an estimate stands with `low`, `high` and `method`; the confidence level is a column too, so
//! that a file says what its intervals are. A cell that cannot be filled is empty, and `method` says why.

use crate::Experiment;
use crate::cells::{number, optional, write_row};
use crate::estimate::Estimate;
use crate::summary::{AgentRow, MetricRow, PairRow, ScoreRow, SeatRow, Summary};

/// The files that a run of one experiment writes, by name.
#[must_use]
pub fn tables(experiment: &Experiment, summary: &Summary) -> Vec<(&'static str, Vec<u8>)> {
    let confidence = number(experiment.confidence);
    let table = |columns: &[&str], rows: Vec<Vec<String>>| {
        let mut out = Vec::new();
        write_row(&mut out, columns.iter().copied());
        rows.iter().for_each(|row| write_row(&mut out, row.iter().map(String::as_str)));
        out
    };
    vec![
        ("agents.csv", table(AGENTS, summary.agents.iter().map(|row| agent(row, &confidence)).collect())),
        ("seats.csv", table(SEATS, summary.seats.iter().map(|row| seat(row, &confidence)).collect())),
        ("pairs.csv", table(PAIRS, summary.pairs.iter().map(|row| pair(row, &confidence)).collect())),
        ("scores.csv", table(SCORES, summary.scores.iter().map(score).collect())),
        ("metrics.csv", table(METRICS, summary.metrics.iter().map(|row| metric(row, &confidence)).collect())),
    ]
}

const AGENTS: &[&str] = &[
    "variant",
    "agent",
    "games",
    "blocks",
    "seats",
    "wins",
    "win_share",
    "win_share_low",
    "win_share_high",
    "win_share_method",
    "score",
    "score_low",
    "score_high",
    "score_method",
    "place",
    "place_low",
    "place_high",
    "place_method",
    "confidence",
    "decisions",
    "forced",
    "clairvoyant",
];

fn agent(row: &AgentRow, confidence: &str) -> Vec<String> {
    let mut cells =
        vec![row.variant.clone(), row.agent.clone(), row.games.to_string(), row.blocks.to_string()];
    cells.extend([number(row.seats), number(row.wins)]);
    [row.win_share, row.score, row.place].iter().for_each(|measure| cells.extend(estimate(measure)));
    cells.extend([confidence.to_owned(), row.decisions.to_string(), row.forced.to_string()]);
    cells.push(row.clairvoyant.to_string());
    cells
}

const SEATS: &[&str] = &[
    "variant",
    "agent",
    "seat_from_leader",
    "games",
    "wins",
    "win_share",
    "win_share_low",
    "win_share_high",
    "win_share_method",
    "score",
    "score_low",
    "score_high",
    "score_method",
    "confidence",
];

fn seat(row: &SeatRow, confidence: &str) -> Vec<String> {
    let mut cells = vec![row.variant.clone(), row.agent.clone(), row.seat_from_leader.to_string()];
    cells.extend([row.games.to_string(), number(row.wins)]);
    [row.win_share, row.score].iter().for_each(|measure| cells.extend(estimate(measure)));
    cells.push(confidence.to_owned());
    cells
}

const PAIRS: &[&str] = &[
    "variant",
    "agent_a",
    "agent_b",
    "met",
    "measure",
    "blocks",
    "a_less_b",
    "low",
    "high",
    "confidence",
    "method",
    "verdict",
];

fn pair(row: &PairRow, confidence: &str) -> Vec<String> {
    let mut cells = vec![row.variant.clone(), row.agent_a.clone(), row.agent_b.clone()];
    let [value, low, high, method] = estimate(&row.contrast);
    cells.extend([row.met.to_string(), row.measure.to_owned(), row.blocks.to_string(), value, low, high]);
    cells.extend([confidence.to_owned(), method, row.verdict.to_owned()]);
    cells
}

const SCORES: &[&str] = &["variant", "agent", "kind", "score", "width", "count"];

fn score(row: &ScoreRow) -> Vec<String> {
    let numbers = [row.score.to_string(), row.width.to_string(), row.count.to_string()];
    [row.variant.clone(), row.agent.clone(), row.kind.to_owned()].into_iter().chain(numbers).collect()
}

const METRICS: &[&str] = &[
    "variant",
    "metric",
    "value",
    "low",
    "high",
    "method",
    "difference",
    "difference_low",
    "difference_high",
    "difference_method",
    "confidence",
];

fn metric(row: &MetricRow, confidence: &str) -> Vec<String> {
    let mut cells = vec![row.variant.clone(), row.metric.clone()];
    cells.extend(estimate(&row.value));
    // The first variant is what the others differ from.
    cells.extend(row.contrast.as_ref().map_or_else(Default::default, estimate));
    cells.push(confidence.to_owned());
    cells
}

/// Value, low, high, method.
fn estimate(estimate: &Estimate) -> [String; 4] {
    let interval = estimate.interval.ok();
    [
        optional(estimate.value),
        optional(interval.map(|interval| interval.low)),
        optional(interval.map(|interval| interval.high)),
        estimate.method().to_owned(),
    ]
}
