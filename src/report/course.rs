//! How games went: scores, seats and lengths.

use super::caption::{Numbering, intervals};
use super::forest::{Forest, Piece, Row};
use super::histogram::{self, Panel};
use super::lengths::{self, Length};
use super::markup::{Markup, shortened};
use super::{Context, numbers, variants};
use crate::estimate::Estimate;
use crate::summary::ScoreRow;

/// The most variants whose seats are drawn.
const MOST_VARIANTS: usize = 6;
/// The measures of length.
const LENGTHS: [&str; 3] = ["deals", "turns", "decisions"];

/// The section; nothing if there are neither scores nor metrics.
pub(super) fn section(out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
    let summary = &context.results.summary;
    if summary.scores.is_empty() && summary.metrics.is_empty() {
        return;
    }
    let games = || summary.scores.iter().filter(|row| row.kind == "game");
    let bar = |row: &ScoreRow| (row.variant.clone(), row.agent.clone(), row.score, row.count);
    out.within("section", &[("id", "course")], |out| {
        out.element("h2", &[], "How the games went");
        scores(out, context, numbering, "game");
        // Where a game is one deal, its scores are those of the game.
        if !summary.scores.iter().filter(|row| row.kind == "deal").map(bar).eq(games().map(bar)) {
            scores(out, context, numbering, "deal");
        }
        seats(out, context, numbering);
        lengths(out, context, numbering);
        variants::all_metrics(out, context, &[("id", "metrics")]);
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
            Row { label: vec![Piece::Words(words)], estimate, is_filled: None }
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
            let title = if context.has_variants() { shortened(variant, 80) } else { String::new() };
            let heading = "seat effect".to_owned();
            Forest { title, rows, reference: Some(0.0), span: Vec::new(), heading, signed: true }.draw(out);
        }
    });
}

fn lengths(out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
    let drawn: Vec<(&str, Vec<Length>)> =
        LENGTHS.iter().map(|measure| (*measure, lengths_by(measure, context))).collect();
    let (same, drawn): (Vec<_>, Vec<_>) = drawn
        .into_iter()
        .filter(|(_, lengths)| !lengths.is_empty())
        .partition(|(_, lengths)| lengths.iter().all(|length| length.is_fixed));
    if drawn.is_empty() {
        return;
    }
    let same: Vec<String> = same
        .iter()
        .filter_map(|(measure, lengths)| {
            Some(format!(" Every game has {} {measure}.", numbers::rough(lengths.first()?.mean.value?)))
        })
        .collect();
    let caption = format!(
        "Lengths of games: the bar runs from the 5th to the 95th percentile, the disc is the mean. It is no interval of confidence; those stand among all metrics below.{}",
        same.concat().replace(" 1 deals", " one deal")
    );
    numbering.figure(out, &caption, |out| {
        for (measure, lengths) in drawn {
            lengths::draw(out, &format!("{measure} a game"), &lengths);
        }
    });
}

/// How long the games of each variant were by a measure.
fn lengths_by(measure: &str, context: &Context<'_>) -> Vec<Length> {
    let run = &context.results.run;
    let metrics = &context.results.summary.metrics;
    let length = |variant: &crate::Variant| {
        let value = |end: &str| {
            let name = format!("{measure}_{end}");
            let mut rows = metrics.iter().filter(|row| row.variant == variant.name);
            rows.find(|row| row.metric == name).map(|row| row.value)
        };
        let ends = (value("p5")?.value?, value("p95")?.value?);
        let words = vec![Piece::Words("all games".to_owned())];
        let label = if context.has_variants() { label(context, &variant.name, None) } else { words };
        let is_fixed = value("sd").is_some_and(|spread| spread.value == Some(0.0));
        Some(Length { label, mean: value("mean")?, ends, is_fixed })
    };
    run.variants.iter().take(super::forest::MOST_ROWS).filter_map(length).collect()
}
