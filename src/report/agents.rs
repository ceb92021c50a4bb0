//! Who played how well: the agents by themselves, and against each other.

use super::caption::{Numbering, intervals};
use super::forest::{Forest, Piece, Row};
use super::markup::Markup;
use super::table::{self, Cell};
use super::{Context, numbers};
use crate::figures::{count, counted};
use crate::summary::{AgentRow, PairRow};

/// The section; nothing if there are no agents.
pub(super) fn section(out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
    let summary = &context.results.summary;
    if summary.agents.is_empty() {
        return;
    }
    out.within("section", &[("id", "agents")], |out| {
        out.element("h2", &[], "The agents");
        agents_table(out, context, &summary.agents);
        for (measure, heading, what) in [
            ("win_share", "difference of win shares", "how much oftener, by seat and game, the first named wins than the second"),
            ("score", "difference of scores", "by how many points a game the first named scores more than the second"),
        ] {
            let pairs: Vec<&PairRow> =
                summary.pairs.iter().filter(|row| row.measure == measure && row.met).collect();
            let better = if measure == "score" { context.better() } else { "" };
            let caption = format!("Pairs of agents on the same cards: {what}{better}. A filled disc: zero is left out; a ring: zero is within, so neither is shown to be ahead.");
            pairs_figure(out, context, numbering, &pairs, (heading, &caption));
        }
        pairs_table(out, &summary.pairs, context);
    });
}

/// The tables of the section without its figures.
pub(super) fn tables(out: &mut Markup, context: &Context<'_>) {
    let summary = &context.results.summary;
    agents_table(out, context, &summary.agents);
    pairs_table(out, &summary.pairs, context);
}

fn agents_table(out: &mut Markup, context: &Context<'_>, agents: &[AgentRow]) {
    let several = context.has_variants();
    let mut headings = vec!["agent", "games", "win share", "score a game", "place", "decisions a game"];
    if several {
        headings.insert(0, "rules");
    }
    let rows: Vec<Vec<Cell>> = agents
        .iter()
        .map(|row| {
            let mut label = vec![Piece::Name(row.agent.clone())];
            if row.clairvoyant {
                label.push(Piece::Words(" (sees all cards)".to_owned()));
            }
            let decisions = row.decisions as f64 / (row.games as f64 * row.seats).max(1.0);
            let mut cells = vec![Cell::Text(label)];
            let numbers = [
                count(row.games),
                numbers::both(&row.win_share),
                numbers::both(&row.score),
                numbers::value(&row.place),
                numbers::number(decisions, 1),
            ];
            cells.extend(numbers.map(Cell::Number));
            if several {
                cells.insert(0, Cell::name(&row.variant));
            }
            cells
        })
        .collect();
    table::draw(out, "Agents", &headings, &rows, "agents.csv");
    let what = format!(
        "The win share is by seat and game; a fair share is {}. {} The blocks are the observations.",
        numbers::rough(1.0 / context.results.run.players.max(1) as f64),
        intervals(agents.iter().flat_map(|row| [&row.win_share, &row.score]), context.results.run.confidence)
            .replace("Bars", "Intervals")
    );
    out.element("p", &[("class", "note")], &what);
}

fn pairs_figure(
    out: &mut Markup,
    context: &Context<'_>,
    numbering: &mut Numbering,
    pairs: &[&PairRow],
    (heading, caption): (&str, &str),
) {
    if pairs.is_empty() {
        return;
    }
    let estimates = pairs.iter().map(|row| &row.contrast);
    let caption = format!("{caption} {}", intervals(estimates, context.results.run.confidence));
    let rows = pairs.iter().map(|row| Row {
        label: pair_label(row, context),
        estimate: row.contrast,
        is_filled: None,
    });
    let forest = Forest {
        title: String::new(),
        rows: rows.collect(),
        reference: Some(0.0),
        span: Vec::new(),
        heading: heading.to_owned(),
        signed: true,
    };
    numbering.figure(out, &caption, |out| forest.draw(out));
}

fn pair_label(row: &PairRow, context: &Context<'_>) -> Vec<Piece> {
    let mut label = vec![
        Piece::Name(row.agent_a.clone()),
        Piece::Words(" less ".to_owned()),
        Piece::Name(row.agent_b.clone()),
    ];
    if context.has_variants() {
        label.splice(0..0, [Piece::Name(row.variant.clone()), Piece::Words(": ".to_owned())]);
    }
    label
}

fn pairs_table(out: &mut Markup, pairs: &[PairRow], context: &Context<'_>) {
    if pairs.is_empty() {
        return;
    }
    let verdict = |row: &PairRow| match row.verdict {
        "a_stronger" => vec![Piece::Name(row.agent_a.clone()), Piece::Words(" is ahead".to_owned())],
        "b_stronger" => vec![Piece::Name(row.agent_b.clone()), Piece::Words(" is ahead".to_owned())],
        "undecided" => vec![Piece::Words("undecided".to_owned())],
        _ => vec![Piece::Words("no interval".to_owned())],
    };
    let rows: Vec<Vec<Cell>> = pairs
        .iter()
        .map(|row| {
            vec![
                Cell::Text(pair_label(row, context)),
                Cell::words(row.measure.replace('_', " ")),
                Cell::Number(numbers::difference(&row.contrast)),
                Cell::Number(numbers::interval(&row.contrast)),
                Cell::Text(verdict(row)),
                Cell::words(if row.met { "same games" } else { "each its own" }),
            ]
        })
        .collect();
    out.within("details", &[], |out| {
        let pairs = counted(pairs.len() as u64, "comparison");
        out.element("summary", &[], &format!("All {pairs} of agents"));
        let headings = ["agents", "by", "difference", "interval", "verdict", "games compared"];
        table::draw(out, "Comparisons of agents", &headings, &rows, "pairs.csv");
    });
}
