//! What a run found, as a person reads it: a table of the agents, one of the variants, and a sentence for each comparison
//! that says what it means. The numbers are those of the results folder, rounded to what their intervals bear.

use dealt_agents::AgentSpec;

use crate::answer::{by_chance, sentences};
use crate::estimate::{Estimate, Interval, Method, Verdict};
use crate::experiment::Experiment;
use crate::figures::{count, plain, signed, value};
use crate::summary::{AgentRow, MetricRow, Summary};

/// All of it: lines, each of them ended.
#[must_use]
pub fn text(experiment: &Experiment, summary: &Summary) -> String {
    let mut text = agents(experiment, summary);
    if experiment.variants.len() > 1 {
        text += &metrics(experiment, &summary.metrics);
    }
    text.push('\n');
    let variants: Vec<&str> = experiment.variants.iter().map(|variant| variant.name.as_str()).collect();
    sentences(&variants, experiment.confidence, summary)
        .iter()
        .for_each(|sentence| text += &format!("{sentence}\n"));
    text + &closing(experiment, summary)
}

/// A table of the agents for each variant, each after an empty line.
#[must_use]
pub fn agents(experiment: &Experiment, summary: &Summary) -> String {
    let mut text = String::new();
    for variant in &experiment.variants {
        text.push('\n');
        if experiment.variants.len() > 1 {
            text += &format!("Variant {}\n", variant.name);
        }
        let rows = summary.agents.iter().filter(|row| row.variant == variant.name);
        text += &table(&agent_table(rows));
    }
    text
}

/// What holds for all of it.
#[must_use]
pub fn closing(experiment: &Experiment, summary: &Summary) -> String {
    let mut text = cautions(experiment);
    if shows_an_interval(experiment, summary) {
        let percent = experiment.confidence * 100.0;
        text += &format!("Intervals hold with {percent} % confidence; the blocks are the observations.\n");
    }
    text
}

/// What might make another run differ.
#[must_use]
pub fn cautions(experiment: &Experiment) -> String {
    let mut text = String::new();
    if experiment.agents().any(AgentSpec::depends_on_time) {
        text += "An agent has a limit of time: another run may play other games.\n";
    }
    if experiment.agents().any(AgentSpec::is_external) {
        text += "An agent is a program of its own: another run plays the same games if its moves depend on what it is told \
                 alone.\n";
    }
    text
}

/// Whether any number printed has an interval beside it.
fn shows_an_interval(experiment: &Experiment, summary: &Summary) -> bool {
    let of_agents = summary.agents.iter().flat_map(|row| [row.win_share, row.score]);
    let of_pairs = summary.pairs.iter().map(|row| row.contrast);
    let of_variants = summary.metrics.iter().filter(|_| experiment.variants.len() > 1);
    let of_variants = of_variants.filter_map(|row| row.contrast);
    let is_shown = |interval: Interval| interval.method != Method::Exact;
    of_agents.chain(of_pairs).chain(of_variants).any(|estimate| estimate.interval.is_ok_and(is_shown))
}

fn agent_table<'r>(rows: impl Iterator<Item = &'r AgentRow>) -> Vec<Vec<String>> {
    let mut table = vec![
        ["agent", "games", "blocks", "win share", "score a game", "decisions a game"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for row in rows {
        let decisions = row.decisions as f64 / (row.games as f64 * row.seats).max(1.0);
        table.push(vec![
            format!("{}{}", row.agent, if row.clairvoyant { " (sees all cards)" } else { "" }),
            count(row.games),
            count(row.blocks),
            plain(&row.win_share),
            plain(&row.score),
            format!("{decisions:.1}"),
        ]);
    }
    table
}

/// The metrics in which a variant is shown to differ.
fn metrics(experiment: &Experiment, metrics: &[MetricRow]) -> String {
    let base = &experiment.variants[0].name;
    let mut text = String::new();
    for variant in &experiment.variants[1..] {
        text += &format!("\n{} against {base}\n", variant.name);
        let mut lines =
            vec![["metric", base.as_str(), &variant.name, "difference"].map(str::to_owned).to_vec()];
        // A row for each card of a pack is for the file.
        let is_listed =
            |row: &&MetricRow| row.variant == variant.name && !row.metric.starts_with("card_power[");
        let rows: Vec<&MetricRow> = metrics.iter().filter(is_listed).collect();
        for row in &rows {
            let first = metrics.iter().find(|other| other.variant == *base && other.metric == row.metric);
            let contrast = row.contrast.unwrap_or(Estimate::NONE);
            if let Verdict::Higher | Verdict::Lower = contrast.verdict() {
                let base = first.map_or_else(String::new, |row| value(&row.value));
                lines.push(vec![row.metric.clone(), base, value(&row.value), signed(&contrast)]);
            }
        }
        text += &table(&lines);
        let which = if lines.len() > 1 { "those above are" } else { "none is" };
        text += &format!(
            "  ({} metrics compared, beside the power of each card; all are in metrics.csv; {which} shown to differ. {})\n",
            rows.len(),
            by_chance(experiment.confidence)
        );
    }
    text
}

/// Columns: the first to the left, as text; the others to the right, as numbers.
#[must_use]
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            match column {
                0 => line += &format!("  {cell:<width$}"),
                _ => line += &format!("  {cell:>width$}"),
            }
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}
