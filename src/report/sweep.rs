//! A sweep: what rules change, for several numbers of players and several skills. Read from `contrasts.csv`, and for each cell
//! from its rows of the usual tables.

use super::caption::{Numbering, intervals};
use super::forest::{Forest, Piece, Row};
use super::markup::{Markup, shortened};
use super::table::{self, Cell};
use super::{Context, agents, names, numbers, overview, study, variants};
use crate::figures::{counted, listed};
use crate::results::read::CellResults;
use crate::study::sweep::answer::{Effects, distinct, effects, metric_names, opening, words};
use crate::study::sweep::contrast::{CONTRASTS, Contrast, Verdict};
use crate::study::sweep::is_of;
use crate::summary::MetricRow;

/// The most differences that are drawn.
const MOST_DRAWN: usize = 600;
/// The most bytes of the tables of cells.
const MOST_OF_CELLS: usize = 500_000;
/// The most variants and points of the answer.
const MOST_VARIANTS: usize = 12;
const MOST_POINTS: usize = 20;

/// The numbers of players, in words.
pub(super) fn players(context: &Context<'_>) -> String {
    let cells = &context.results.cells;
    let counts = distinct(cells.iter().map(|cell| cell.results.run.players));
    let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
    if counts.is_empty() { context.results.run.players.to_string() } else { listed(&counts) }
}

/// What the sweep comes to.
pub(super) fn answer(out: &mut Markup, context: &Context<'_>) {
    let run = &context.results.run;
    let contrasts = &context.studies.contrasts;
    out.element("p", &[], &opening(contrasts, run.confidence));
    let name = |metric: &str| names::metric(&run.game, metric);
    let effects = effects(contrasts, &name);
    for Effects { variant, shown, others } in effects.iter().take(MOST_VARIANTS) {
        out.within("p", &[], |out| {
            out.within("b", &[], |out| out.name(variant));
        });
        out.within("ul", &[], |out| {
            for point in shown.iter().take(MOST_POINTS) {
                out.element("li", &[], &numbers::with_minuses(point));
            }
            if shown.len() > MOST_POINTS {
                out.element("li", &[], &format!("and {} more", shown.len() - MOST_POINTS));
            }
        });
        if !others.is_empty() {
            let others = format!("Not shown to differ: {}.", others.join(". "));
            out.element("p", &[("class", "note")], &others);
        }
    }
    if effects.len() > MOST_VARIANTS {
        let more =
            format!("And {} more variants; the figures below have all.", effects.len() - MOST_VARIANTS);
        out.element("p", &[], &more);
    }
}

/// Who plays the cells.
pub(super) fn skills(out: &mut Markup, context: &Context<'_>) {
    let cells = &context.results.cells;
    let skill = |cell: &CellResults| (cell.skill.clone(), cell.judge.clone(), cell.results.run.blocks);
    for (place, (skill, judge, blocks)) in distinct(cells.iter().map(skill)).iter().enumerate() {
        out.text(if place > 0 { "; " } else { "" });
        out.name(skill);
        if skill != judge {
            out.text(": ");
            out.name(judge);
        }
        out.text(&format!(", {} a cell", counted(*blocks, "block")));
    }
    out.text(".");
}

/// Which cards the cells play.
pub(super) fn cards(context: &Context<'_>) -> String {
    let run = &context.results.run;
    let cells = counted(context.results.cells.len() as u64, "cell");
    format!(
        "Master seed {}. {cells}, each a number of players and a skill; cells of as many players share their cards, and so do all sets of rules of a cell. Line-ups play {}.",
        run.seed,
        overview::seating(run)
    )
}

/// The sections; nothing if this is no sweep.
pub(super) fn sections(out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
    if context.results.cells.is_empty() {
        return;
    }
    differences(out, context, numbering);
    cells(out, context, numbering);
}

fn differences(out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
    let contrasts = &context.studies.contrasts;
    if contrasts.is_empty() {
        return;
    }
    let is_shown = |contrast: &Contrast| matches!(contrast.verdict, Verdict::More | Verdict::Less);
    let metrics = metric_names(contrasts.iter());
    let (changed, others): (Vec<&str>, Vec<&str>) = metrics.into_iter().partition(|metric| {
        contrasts.iter().any(|contrast| contrast.metric == *metric && is_shown(contrast))
    });
    let mut room = MOST_DRAWN;
    out.within("section", &[("id", "contrasts")], |out| {
        out.element("h2", &[], "What the rules change");
        if !changed.is_empty() {
            figure(out, context, numbering, &changed, &mut room);
        }
        if !others.is_empty() {
            out.within("details", &[], |out| {
                let summary =
                    format!("{} in which nothing is shown to differ", counted(others.len() as u64, "metric"));
                out.element("summary", &[], &summary);
                figure(out, context, numbering, &others, &mut room);
            });
        }
        all_contrasts(out, context);
    });
}

fn figure(
    out: &mut Markup,
    context: &Context<'_>,
    numbering: &mut Numbering,
    metrics: &[&str],
    room: &mut usize,
) {
    let run = &context.results.run;
    let contrasts = &context.studies.contrasts;
    let of = |metric: &str| contrasts.iter().filter(|contrast| contrast.metric == metric).collect::<Vec<_>>();
    let mut drawn: Vec<(&str, Vec<&Contrast>)> = Vec::new();
    for metric in metrics {
        let rows = of(metric);
        if rows.len() <= *room {
            *room -= rows.len();
            drawn.push((metric, rows));
        }
    }
    let estimates = drawn.iter().flat_map(|(_, rows)| rows.iter().map(|row| &row.difference));
    let intervals = intervals(estimates, run.confidence).replace("intervals", "intervals, each by itself");
    let left_off = left_off(metrics.len() - drawn.len(), CONTRASTS);
    let family = counted(contrasts.first().map_or(0, |contrast| contrast.family), "comparison");
    let caption = format!(
        "Differences from the base rules on the same cards; all of a metric are drawn to one scale. A filled disc: the difference is shown, by Holm’s correction over all {family}; a ring: it is not, or it is equivalent to none, which is within its margin. Where it is called the same, all blocks came out alike. {intervals}{left_off}"
    );
    numbering.figure(out, &caption, |out| {
        for (metric, rows) in &drawn {
            of_metric(out, context, &names::metric(&run.game, metric), rows);
        }
    });
}

fn left_off(metrics: usize, file: &str) -> String {
    match metrics {
        0 => String::new(),
        count => format!(" {} left off for want of room; {file} has all.", counted(count as u64, "metric")),
    }
}

/// The differences in a metric, for each variant below one another.
fn of_metric(out: &mut Markup, context: &Context<'_>, name: &str, rows: &[&Contrast]) {
    let several = context.results.run.variants.len() > 2;
    let ends = rows.iter().filter_map(|row| row.difference.interval.ok());
    let ends = ends.flat_map(|interval| [interval.low, interval.high]);
    let span: Vec<f64> = rows.iter().filter_map(|row| row.difference.value).chain(ends).collect();
    for variant in distinct(rows.iter().map(|row| row.variant.as_str())) {
        let of_variant = rows.iter().filter(|row| row.variant == variant);
        Forest {
            title: if several { format!("{name}: {}", shortened(variant, 80)) } else { name.to_owned() },
            rows: of_variant.map(|contrast| row(contrast, context)).collect(),
            reference: Some(0.0),
            span: span.clone(),
            heading: "difference".to_owned(),
            signed: true,
        }
        .draw(out);
    }
}

fn row(contrast: &Contrast, context: &Context<'_>) -> Row {
    let mut label = cell_label(context, contrast.players, &contrast.skill);
    label.push(Piece::Words(format!(": {}", contrast.verdict.name())));
    let is_filled = matches!(contrast.verdict, Verdict::More | Verdict::Less);
    Row { label, estimate: contrast.difference, is_filled: Some(is_filled) }
}

/// The name of a cell: what tells it from the others.
fn cell_label(context: &Context<'_>, players: u64, skill: &str) -> Vec<Piece> {
    let cells = &context.results.cells;
    let mut label = Vec::new();
    if cells.iter().any(|cell| cell.results.run.players != players) {
        label.push(Piece::Words(format!("{players} players, ")));
    }
    label.push(Piece::Name(skill.to_owned()));
    label
}

fn all_contrasts(out: &mut Markup, context: &Context<'_>) {
    let contrasts = &context.studies.contrasts;
    let number = |value: Option<f64>| Cell::Number(value.map_or_else(|| "–".to_owned(), numbers::rough));
    let row = |contrast: &Contrast| {
        vec![
            Cell::name(&contrast.variant),
            Cell::Number(contrast.players.to_string()),
            Cell::name(&contrast.skill),
            Cell::words(contrast.metric.clone()),
            number(contrast.base),
            number(contrast.value),
            Cell::Number(numbers::difference(&contrast.difference)),
            Cell::Number(numbers::interval(&contrast.difference)),
            Cell::Number(probability(contrast.p)),
            Cell::Number(probability(contrast.p_holm)),
            number(contrast.margin),
            Cell::Number(probability(contrast.equivalence_p_holm)),
            Cell::words(words(contrast.verdict)),
        ]
    };
    let rows: Vec<Vec<Cell>> = contrasts.iter().map(row).collect();
    out.within("details", &[], |out| {
        out.element("summary", &[], &format!("All {}", counted(rows.len() as u64, "comparison")));
        let headings = [
            "rules",
            "players",
            "skill",
            "metric",
            "base",
            "value",
            "difference",
            "interval",
            "p",
            "p, Holm",
            "margin",
            "p of equivalence, Holm",
            "verdict",
        ];
        table::draw(out, "Comparisons of rules", &headings, &rows, "contrasts.csv");
    });
}

fn probability(p: Option<f64>) -> String {
    match p {
        None => "–".to_owned(),
        Some(p) if p < 0.0001 => "<0.0001".to_owned(),
        Some(p) => numbers::number(p, 4),
    }
}

/// How the game goes in each cell: the metrics under the base rules, and all tables.
fn cells(out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
    let cells = &context.results.cells;
    out.within("section", &[("id", "cells")], |out| {
        out.element("h2", &[], "Cell by cell");
        base_values(out, context, numbering);
        let mut room = MOST_OF_CELLS;
        let mut left_off = 0;
        for cell in cells {
            let mut tables = Markup::default();
            of_cell(&mut tables, context, cell);
            if tables.len() <= room {
                room -= tables.len();
                out.append(&tables);
            } else {
                left_off += 1;
            }
        }
        if left_off > 0 {
            let more = format!(
                "The tables of {} of {} cells are left off for want of room; the files have all.",
                left_off,
                cells.len()
            );
            out.element("p", &[("class", "left-off")], &more);
        }
    });
}

/// The metrics that were chosen, under the base rules.
fn base_values(out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
    let run = &context.results.run;
    let chosen = run.experiment.get("metrics").and_then(|metrics| metrics.as_array());
    let chosen: Vec<&str> = chosen.into_iter().flatten().filter_map(|name| name.as_str()).collect();
    let rows: Vec<(&CellResults, Vec<&MetricRow>)> =
        context.results.cells.iter().map(|cell| (cell, base_rows(cell))).collect();
    let all: Vec<&str> =
        distinct(rows.iter().flat_map(|(_, rows)| rows.iter().map(|row| row.metric.as_str())));
    let of_name = |name: &&str| all.iter().copied().filter(|metric| is_of(metric, name)).collect::<Vec<_>>();
    let metrics: Vec<&str> = chosen.iter().flat_map(of_name).collect();
    let shown = metrics.len().min(MOST_DRAWN / 4 / rows.len().max(1));
    let forest = |metric: &&str| {
        let of_cell = |(cell, rows): &(&CellResults, Vec<&MetricRow>)| {
            let row = rows.iter().find(|row| row.metric == *metric)?;
            let label = cell_label(context, cell.results.run.players, &cell.skill);
            Some(Row { label, estimate: row.value, is_filled: Some(true) })
        };
        Forest {
            title: names::metric(&run.game, metric),
            rows: rows.iter().filter_map(of_cell).collect(),
            reference: None,
            span: Vec::new(),
            heading: "value".to_owned(),
            signed: false,
        }
    };
    let forests: Vec<Forest> = metrics[..shown].iter().map(forest).collect();
    if forests.is_empty() {
        return;
    }
    let estimates = forests.iter().flat_map(|forest| forest.rows.iter().map(|row| &row.estimate));
    let caption = format!(
        "The game under the base rules in each cell, each metric to its own scale. {}{}",
        intervals(estimates, run.confidence),
        left_off(metrics.len() - shown, "metrics.csv")
    );
    numbering.figure(out, &caption, |out| forests.iter().for_each(|forest| forest.draw(out)));
}

/// The metrics of a cell under the base rules.
fn base_rows(cell: &CellResults) -> Vec<&MetricRow> {
    let base = cell.results.run.variants.first().map(|variant| &variant.name);
    cell.results.summary.metrics.iter().filter(|row| base == Some(&row.variant)).collect()
}

fn of_cell(out: &mut Markup, context: &Context<'_>, cell: &CellResults) {
    let of_cell = Context {
        results: &cell.results,
        studies: study::Studies::default(),
        forfeits: context.forfeits.clone(),
        defaults: context.defaults.clone(),
        lowest_wins: context.lowest_wins,
    };
    out.within("details", &[], |out| {
        out.within("summary", &[], |out| {
            out.text(&format!("{} players, ", cell.results.run.players));
            out.name(&cell.skill);
        });
        if cell.results.summary.agents.is_empty() {
            return out.element("p", &[], "The run was stopped before this cell was played.");
        }
        agents::tables(out, &of_cell);
        variants::all_metrics(out, &of_cell, &[]);
    });
}
