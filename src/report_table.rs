//! What a run found, as a person reads it: a table of the agents, one of the variants, and a sentence for each comparison
//! that says what it means. The numbers are those of the results folder, rounded to what their intervals bear.

use std::io::{self, Write};

use dealt::answer::{by_chance, sentences};
use dealt::estimate::{Estimate, Interval, Method, Verdict};
use dealt::experiment::Experiment;
use dealt::figures::{count, plain, signed, value};
use dealt::summary::{AgentRow, MetricRow, Summary};
use dealt_agents::AgentSpec;

/// Prints all of it.
pub(crate) fn print(experiment: &Experiment, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    for variant in &experiment.variants {
        let rows: Vec<&AgentRow> = summary.agents.iter().filter(|row| row.variant == variant.name).collect();
        if experiment.variants.len() > 1 {
            writeln!(out, "\nVariant {}", variant.name)?;
        } else {
            writeln!(out)?;
        }
        print_agents(&rows, out)?;
    }
    if experiment.variants.len() > 1 {
        print_metrics(experiment, &summary.metrics, out)?;
    }
    writeln!(out)?;
    let variants: Vec<&str> = experiment.variants.iter().map(|variant| variant.name.as_str()).collect();
    for sentence in sentences(&variants, experiment.confidence, summary) {
        writeln!(out, "{sentence}")?;
    }
    if experiment.agents().any(AgentSpec::depends_on_time) {
        writeln!(out, "An agent has a limit of time: another run may play other games.")?;
    }
    if shows_an_interval(experiment, summary) {
        let percent = experiment.confidence * 100.0;
        writeln!(out, "Intervals hold with {percent} % confidence; the blocks are the observations.")?;
    }
    Ok(())
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

fn print_agents(rows: &[&AgentRow], out: &mut dyn Write) -> io::Result<()> {
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
    print_table(&table, out)
}

/// Prints the metrics in which a variant is shown to differ.
fn print_metrics(experiment: &Experiment, metrics: &[MetricRow], out: &mut dyn Write) -> io::Result<()> {
    let base = &experiment.variants[0].name;
    for variant in &experiment.variants[1..] {
        writeln!(out, "\n{} against {base}", variant.name)?;
        let mut table =
            vec![["metric", base.as_str(), &variant.name, "difference"].map(str::to_owned).to_vec()];
        let rows: Vec<&MetricRow> = metrics.iter().filter(|row| row.variant == variant.name).collect();
        for row in &rows {
            let first = metrics.iter().find(|other| other.variant == *base && other.metric == row.metric);
            let contrast = row.contrast.unwrap_or(Estimate::NONE);
            if let Verdict::Higher | Verdict::Lower = contrast.verdict() {
                let base = first.map_or_else(String::new, |row| value(&row.value));
                table.push(vec![row.metric.clone(), base, value(&row.value), signed(&contrast)]);
            }
        }
        print_table(&table, out)?;
        let which = if table.len() > 1 { "those above are" } else { "none is" };
        writeln!(
            out,
            "  ({} metrics compared, all in metrics.csv; {which} shown to differ. {})",
            rows.len(),
            by_chance(experiment.confidence)
        )?;
    }
    Ok(())
}

/// Prints columns: the first to the left, as text; the others to the right, as numbers.
pub(crate) fn print_table(rows: &[Vec<String>], out: &mut dyn Write) -> io::Result<()> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            match column {
                0 => line += &format!("  {cell:<width$}"),
                _ => line += &format!("  {cell:>width$}"),
            }
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
