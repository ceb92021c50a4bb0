//! A sweep: what rules change, for several numbers of players and several skills. Read from `contrasts.csv`, and for each cell
//! from its rows of the usual tables.

use super::caption::{Numbering, intervals};
use super::forest::{Forest, Piece, Row};
use super::markup::Markup;
use super::table::{self, Cell};
use super::{Context, agents, names, numbers, study, variants};
use crate::figures::{counted, listed};
use crate::study::sweep::answer::{Effects, distinct, effects, opening};
use crate::study::sweep::contrast::{Contrast, Verdict};

/// The most differences that are drawn.
const MOST_DRAWN: usize = 600;
/// The most cells whose tables are shown, and the most variants and points of the answer.
const MOST_CELLS: usize = 24;
const MOST_VARIANTS: usize = 12;
const MOST_POINTS: usize = 20;

/// The name of the kind.
pub(super) const SWEEP: &str = "sweep";

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
    for Effects { variant, points } in effects.iter().take(MOST_VARIANTS) {
        out.within("p", &[], |out| {
            out.within("b", &[], |out| out.name(variant));
        });
        out.within("ul", &[], |out| {
            for point in points.iter().take(MOST_POINTS) {
                out.element("li", &[], &numbers::with_minuses(point));
            }
            if points.len() > MOST_POINTS {
                out.element("li", &[], &format!("and {} more", points.len() - MOST_POINTS));
            }
        });
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
    let skill = |cell: &crate::results::read::CellResults| {
        (cell.skill.clone(), cell.judge.clone(), cell.results.run.blocks)
    };
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
        "Master seed {}. {cells}, a number of players and a skill each; cells of as many players share their cards, and so do all sets of rules of a cell. Seating design: {}.",
        run.seed, run.seating
    )
}

/// The sections; nothing if this is no sweep.
pub(super) fn sections(out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
    if context.results.cells.is_empty() {
        return;
    }
    differences(out, context, numbering);
    cells(out, context);
}

fn differences(out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
    let contrasts = &context.studies.contrasts;
    if contrasts.is_empty() {
        return;
    }
    let is_shown = |contrast: &Contrast| matches!(contrast.verdict, Verdict::More | Verdict::Less);
    let metrics = distinct(contrasts.iter().map(|contrast| contrast.metric.as_str()));
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
    let left_off = match metrics.len() - drawn.len() {
        0 => String::new(),
        count => {
            format!(" {} left off for want of room; contrasts.csv has all.", counted(count as u64, "metric"))
        }
    };
    let family = contrasts.first().map_or(0, |contrast| contrast.family);
    let caption = format!(
        "Differences from the base rules on the same cards, each metric to its own scale. A filled disc: the difference is shown by Holm’s correction over all {}; a ring: it is not, or is within its margin. {}{left_off}",
        counted(family, "comparison"),
        intervals(estimates, run.confidence)
            .replace("confidence intervals", "confidence intervals, each by itself")
    );
    numbering.figure(out, &caption, |out| {
        for (metric, rows) in &drawn {
            let title = names::metric(&run.game, metric);
            let rows = rows.iter().map(|contrast| row(contrast, contrasts)).collect();
            let heading = "difference".to_owned();
            Forest { title, rows, reference: Some(0.0), heading, signed: true }.draw(out);
        }
    });
}

/// A row, named by what tells it from others.
fn row(contrast: &Contrast, all: &[Contrast]) -> Row {
    let differs = |one: &dyn Fn(&Contrast) -> bool| all.iter().any(|other| !one(other));
    let mut label = Vec::new();
    if differs(&|other| other.variant == contrast.variant) {
        label.push(Piece::Name(contrast.variant.clone()));
    }
    if differs(&|other| other.players == contrast.players) {
        let comma = if label.is_empty() { "" } else { ", " };
        label.push(Piece::Words(format!("{comma}{} players", contrast.players)));
    }
    if label.is_empty() || differs(&|other| other.skill == contrast.skill) {
        label.push(Piece::Words(if label.is_empty() { "" } else { ", " }.to_owned()));
        label.push(Piece::Name(contrast.skill.clone()));
    }
    label.push(Piece::Words(format!(": {}", words(contrast.verdict))));
    let is_filled = matches!(contrast.verdict, Verdict::More | Verdict::Less);
    Row { label, estimate: contrast.difference, is_filled: Some(is_filled) }
}

fn words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Equivalent => "within the margin",
        Verdict::Same => "the same in every block",
        verdict => verdict.name(),
    }
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

/// The tables of each cell.
fn cells(out: &mut Markup, context: &Context<'_>) {
    let cells = &context.results.cells;
    out.within("section", &[("id", "cells")], |out| {
        out.element("h2", &[], "Cell by cell");
        for cell in cells.iter().take(MOST_CELLS) {
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
        if cells.len() > MOST_CELLS {
            let more = format!("The first {MOST_CELLS} of {} cells; the files have all.", cells.len());
            out.element("p", &[("class", "left-off")], &more);
        }
    });
}
