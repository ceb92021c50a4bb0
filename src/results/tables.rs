//! The summary as CSV files.
//!
//! Every number that is an estimate stands with `low`, `high` and `method`; the confidence level is a column too, so
//! that a file says what its intervals are. A cell that cannot be filled is empty, and `method` says why.

use crate::Experiment;
use crate::cells::{number, optional, write_row};
use crate::estimate::Estimate;
use crate::summary::{AgentRow, MetricRow, PairRow, ScoreRow, SeatRow, Summary};

/// The tables of a cell of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct CellTables<'s> {
    /// The name of those who play.
    pub skill: &'s str,
    /// What they play.
    pub experiment: &'s Experiment,
    /// What came of it.
    pub summary: &'s Summary,
}

/// What the tables of a sweep have before the other columns: the cell that a row is of.
pub const CELL: [&str; 2] = ["players", "skill"];

/// The files that a run of one experiment writes, by name.
#[must_use]
pub fn tables(experiment: &Experiment, summary: &Summary) -> Vec<(&'static str, Vec<u8>)> {
    let written = tables_of(experiment, summary).map(|Table { name, columns, rows }| {
        let mut out = Vec::new();
        write_row(&mut out, columns.iter().copied());
        rows.iter().for_each(|row| write_row(&mut out, row.iter().map(String::as_str)));
        (name, out)
    });
    written.into()
}

/// The files that a sweep writes, by name: those of its cells, one below the other, each row headed by [`CELL`].
#[must_use]
pub fn of_cells(cells: &[CellTables<'_>]) -> Vec<(&'static str, Vec<u8>)> {
    let mut files: Vec<(&'static str, Vec<u8>)> = Vec::new();
    for CellTables { skill, experiment, summary } in cells {
        let players = experiment.players().to_string();
        let cell = [players.as_str(), *skill];
        for (place, Table { name, columns, rows }) in tables_of(experiment, summary).into_iter().enumerate() {
            if files.len() <= place {
                let mut header = Vec::new();
                write_row(&mut header, CELL.into_iter().chain(columns.iter().copied()));
                files.push((name, header));
            }
            let out = &mut files[place].1;
            rows.iter()
                .for_each(|row| write_row(out, cell.into_iter().chain(row.iter().map(String::as_str))));
        }
    }
    files
}

/// A file: its name, its columns, and the cells of its rows.
struct Table {
    name: &'static str,
    columns: &'static [&'static str],
    rows: Vec<Vec<String>>,
}

fn tables_of(experiment: &Experiment, summary: &Summary) -> [Table; 5] {
    let confidence = number(experiment.confidence);
    let table = |name, columns, rows| Table { name, columns, rows };
    [
        table("agents.csv", AGENTS, summary.agents.iter().map(|row| agent(row, &confidence)).collect()),
        table("seats.csv", SEATS, summary.seats.iter().map(|row| seat(row, &confidence)).collect()),
        table("pairs.csv", PAIRS, summary.pairs.iter().map(|row| pair(row, &confidence)).collect()),
        table("scores.csv", SCORES, summary.scores.iter().map(score).collect()),
        table("metrics.csv", METRICS, summary.metrics.iter().map(|row| metric(row, &confidence)).collect()),
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
