//! What the rules change: each variant against the first, on the same cards.

use super::caption::{Numbering, intervals};
use super::forest::{Forest, Piece, Row};
use super::markup::{Attributes, Markup};
use super::table::{self, Cell};
use super::{Context, cards, names, numbers};
use crate::answer::by_chance;
use crate::estimate::Verdict;
use crate::figures::counted;
use crate::summary::MetricRow;

/// The metrics that are always drawn.
const ALWAYS: [&str; 2] = ["score_mean_game", "score_mean_deal"];
/// The most metrics that are drawn.
const MOST_METRICS: usize = 10;

/// The section; nothing if only one set of rules was played.
pub(super) fn section(out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
    let metrics = &context.results.summary.metrics;
    if !context.has_variants() || metrics.is_empty() {
        return;
    }
    let base = &context.results.run.variants[0].name;
    let differences: Vec<&MetricRow> = metrics.iter().filter(|row| row.contrast.is_some()).collect();
    out.within("section", &[("id", "rules")], |out| {
        out.element("h2", &[], "What the rules change");
        let drawn = drawn(&differences);
        let estimates = differences.iter().filter(|row| drawn.contains(&row.metric.as_str()));
        let intervals = intervals(estimates.filter_map(|row| row.contrast.as_ref()), context.results.run.confidence);
        let caption = format!(
            "Differences to “{base}” on the same cards, each metric to its own scale. Drawn are the mean scores and the metrics in which a variant is shown to differ, {MOST_METRICS} at most. A filled disc: zero is left out; a ring: zero is within. {intervals} {}",
            by_chance(context.results.run.confidence)
        );
        numbering.figure(out, &caption, |out| {
            for metric in &drawn {
                let rows = differences.iter().filter(|row| row.metric == **metric);
                let row = |row: &&MetricRow| {
                    let label = vec![Piece::Name(row.variant.clone())];
                    row.contrast.map(|estimate| Row { label, estimate, is_filled: None })
                };
                let rows = rows.filter_map(row).collect();
                let title = names::metric(&context.results.run.game, metric);
                let heading = "difference".to_owned();
                Forest { title, rows, reference: Some(0.0), span: Vec::new(), heading, signed: true }.draw(out);
            }
        });
    });
}

/// The metrics that are drawn, in the order of the file.
fn drawn<'m>(differences: &[&'m MetricRow]) -> Vec<&'m str> {
    let mut drawn: Vec<&str> = Vec::new();
    let is_shown = |row: &&&MetricRow| {
        let verdict = row.contrast.as_ref().map(crate::estimate::Estimate::verdict);
        matches!(verdict, Some(Verdict::Higher | Verdict::Lower))
    };
    let always = differences.iter().filter(|row| ALWAYS.contains(&row.metric.as_str()));
    let shown = differences.iter().filter(is_shown).filter(|row| !row.metric.contains('['));
    for row in always.chain(shown) {
        if !drawn.contains(&row.metric.as_str()) && drawn.len() < MOST_METRICS {
            drawn.push(&row.metric);
        }
    }
    drawn
}

/// Every metric with its interval, and how it differs, within an element of these attributes.
pub(super) fn all_metrics(out: &mut Markup, context: &Context<'_>, attributes: Attributes<'_>) {
    let metrics: Vec<&MetricRow> =
        context.results.summary.metrics.iter().filter(|row| !cards::is_power(row)).collect();
    if metrics.is_empty() {
        return;
    }
    let several = context.has_variants();
    let mut headings = vec!["metric", "value", "interval"];
    if several {
        headings.insert(0, "rules");
        headings.extend(["difference", "interval"]);
    }
    headings.push("what it is");
    let row = |row: &&MetricRow| {
        let mut cells = vec![
            Cell::words(row.metric.clone()),
            Cell::Number(numbers::value(&row.value)),
            Cell::Number(numbers::interval(&row.value)),
        ];
        if several {
            cells.insert(0, Cell::name(&row.variant));
            cells.push(Cell::Number(row.contrast.as_ref().map_or_else(String::new, numbers::difference)));
            cells.push(Cell::Number(row.contrast.as_ref().map_or_else(String::new, numbers::interval)));
        }
        cells.push(Cell::words(names::metric(&context.results.run.game, &row.metric)));
        cells
    };
    let rows: Vec<Vec<Cell>> = metrics.iter().map(row).collect();
    out.within("details", attributes, |out| {
        out.element("summary", &[], &format!("All {}", counted(rows.len() as u64, "metric")));
        table::draw(out, "Metrics", &headings, &rows, "metrics.csv");
        out.element("p", &[("class", "note")], "docs/results.md says what each of them is.");
    });
}
