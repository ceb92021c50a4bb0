//! How games went: scores, seats and lengths.

use super::caption::{Numbering, intervals};
use super::forest::{Forest, Piece, Row};
use super::histogram::{self, Panel};
use super::lengths::{self, Length};
use super::markup::Markup;
use super::{Context, numbers, variants};
use crate::estimate::Estimate;
use crate::summary::ScoreRow;

/// The most variants whose seats are drawn.
const MOST_VARIANTS: usize = 6;
/// The measures of length, and what heads their numbers.
const LENGTHS: [(&str, &str); 3] = [
    ("deals", "deals a game: mean, 5th to 95th percentile"),
    ("turns", "turns a game"),
    ("decisions", "decisions a game"),
];

/// The section; nothing if there are neither scores nor metrics.
pub(super) fn section(out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
    let summary = &context.results.summary;
    if summary.scores.is_empty() && summary.metrics.is_empty() {
        return;
    }
    out.within("section", &[("id", "course")], |out| {
        out.element("h2", &[], "How the games went");
        scores(out, context, numbering, "game");
        scores(out, context, numbering, "deal");
        seats(out, context, numbering);
        lengths(out, context, numbering);
        variants::all_metrics(out, context);
    });
}

/// The pieces of a name, after that of the rules if there are several.
fn label(context: &Context<'_>, variant: &str, name: Option<&str>) -> Vec<Piece> {
    let mut label = Vec::new();
    if context.has_variants() || name.is_none() {
        label.push(Piece::Name(variant.to_owned()));
    }
    if let Some(name) = name {
        if !label.is_empty() {
            label.push(Piece::Words(": ".to_owned()));
        }
        label.push(Piece::Name(name.to_owned()));
    }
    label
}

fn scores(out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering, kind: &str) {
    let summary = &context.results.summary;
    let mut panels: Vec<(&str, &str, Panel)> = Vec::new();
    for row in summary.scores.iter().filter(|row| row.kind == kind) {
        let ScoreRow { variant, agent, score, width, count, .. } = row;
        match panels.last_mut() {
            Some((last_variant, last_agent, panel)) if last_variant == variant && last_agent == agent => {
                panel.bars.push((*score, *width, *count));
            }
            _ => {
                let mean = summary.agents.iter().find(|row| row.variant == *variant && row.agent == *agent);
                let mean = mean.filter(|_| kind == "game").map(|row| row.score);
                let label = label(context, variant, Some(agent));
                panels.push((variant, agent, Panel { label, bars: vec![(*score, *width, *count)], mean }));
            }
        }
    }
    if panels.is_empty() {
        return;
    }
    let panels: Vec<Panel> = panels.into_iter().map(|(_, _, panel)| panel).collect();
    let means: Vec<&Estimate> = panels.iter().filter_map(|panel| panel.mean.as_ref()).collect();
    let intervals = intervals(means, context.results.run.confidence)
        .replace("Bars are", "The line is the mean; beside it stand");
    let what = if kind == "game" {
        "Totals of a seat at the end of a game"
    } else {
        "Scores of a seat for one deal"
    };
    let caption =
        format!("{what}{}: the share of each, to the same scales for all. {intervals}", context.better());
    numbering.figure(out, caption.trim_end(), |out| histogram::draw(out, &panels));
}

fn seats(out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
    let metrics = &context.results.summary.metrics;
    let seat = |name: &str| name.strip_prefix("seat_effect[")?.strip_suffix(']')?.parse::<u64>().ok();
    let of = |variant: &str| -> Vec<Row> {
        let rows = metrics.iter().filter(|row| row.variant == variant);
        let rows = rows.filter_map(|row| Some((seat(&row.metric)?, row.value)));
        rows.map(|(seat, estimate)| {
            let words = if seat == 0 { "seat 0, acts first".to_owned() } else { format!("seat {seat}") };
            Row { label: vec![Piece::Words(words)], estimate }
        })
        .collect()
    };
    let variants = &context.results.run.variants;
    let shown: Vec<(&str, Vec<Row>)> = variants
        .iter()
        .take(MOST_VARIANTS)
        .map(|variant| (variant.name.as_str(), of(&variant.name)))
        .collect();
    if shown.iter().all(|(_, rows)| rows.is_empty()) {
        return;
    }
    let estimates = shown.iter().flat_map(|(_, rows)| rows.iter().map(|row| &row.estimate));
    let fair = numbers::rough(1.0 / context.results.run.players.max(1) as f64);
    let left_off = match variants.len() > MOST_VARIANTS {
        true => format!(" Drawn for the first {MOST_VARIANTS} of {} sets of rules.", variants.len()),
        false => String::new(),
    };
    let caption = format!(
        "Win share by seat less the fair share of {fair}; seats count to the left from the one that acts first in the game, each agent sits in each equally often.{left_off} {}",
        intervals(estimates, context.results.run.confidence)
    );
    numbering.figure(out, &caption, |out| {
        for (variant, rows) in shown {
            let heading = if context.has_variants() {
                format!("{variant}: seat effect")
            } else {
                "seat effect".to_owned()
            };
            Forest { rows, reference: Some(0.0), heading, signed: true }.draw(out);
        }
    });
}

fn lengths(out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
    let run = &context.results.run;
    let metrics = &context.results.summary.metrics;
    let find = |variant: &str, name: &str| {
        metrics.iter().find(|row| row.variant == variant && row.metric == name).map(|row| row.value)
    };
    let of = |measure: &str| -> Vec<Length> {
        let length = |variant: &crate::Variant| {
            let value = |end: &str| find(&variant.name, &format!("{measure}_{end}"));
            let ends = (value("p5")?.value?, value("p95")?.value?);
            let label = if context.has_variants() {
                label(context, &variant.name, None)
            } else {
                vec![Piece::Words("all games".to_owned())]
            };
            Some(Length { label, mean: value("mean")?, ends })
        };
        run.variants.iter().take(super::forest::MOST_ROWS).filter_map(length).collect()
    };
    let drawn: Vec<(&str, Vec<Length>)> =
        LENGTHS.iter().map(|(measure, heading)| (*heading, of(measure))).collect();
    if drawn.iter().all(|(_, lengths)| lengths.is_empty()) {
        return;
    }
    let caption = "Lengths of games: the bar runs from the 5th to the 95th percentile, the disc is the mean. It is no interval of confidence; those stand among all metrics below.";
    numbering.figure(out, caption, |out| {
        for (heading, lengths) in drawn.iter().filter(|(_, lengths)| !lengths.is_empty()) {
            lengths::draw(out, heading, lengths);
        }
    });
}
