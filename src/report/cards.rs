//! What each card is worth to whoever is dealt it: a table of ranks and suits for each set of rules.

use dealt_engine::{Card, Rank, Suit};

use super::markup::Markup;
use super::table::{self, Cell};
use super::{Context, numbers};
use crate::estimate::Estimate;
use crate::figures;
use crate::summary::MetricRow;

/// Whether a metric is the power of a card.
pub(super) fn is_power(row: &MetricRow) -> bool {
    row.metric.starts_with("card_power[")
}

/// The section; nothing if the power of cards was not counted.
pub(super) fn section(out: &mut Markup, context: &Context<'_>) {
    let powers: Vec<&MetricRow> =
        context.results.summary.metrics.iter().filter(|row| is_power(row)).collect();
    if powers.is_empty() {
        return;
    }
    out.within("section", &[("id", "cards")], |out| {
        out.element("h2", &[], "What a card is worth");
        let text = "By how much the score of a deal would change in the mean if the card were exchanged with a random one \
                    of another hand, for whoever is dealt it, with half its interval: the mean score in the seats that are \
                    dealt it, less that of the other seats at the table.";
        out.element("p", &[], text);
        for variant in &context.results.run.variants {
            let of_variant: Vec<&MetricRow> =
                powers.iter().copied().filter(|row| row.variant == variant.name).collect();
            out.within("details", &[], |out| {
                out.element("summary", &[], &variant.name);
                draw(out, &of_variant);
            });
        }
    });
}

fn draw(out: &mut Markup, powers: &[&MetricRow]) {
    let suits = ["rank", "clubs", "diamonds", "spades", "hearts"];
    let power = |card: Card| powers.iter().find(|row| row.metric == format!("card_power[{card}]"));
    let row = |rank: Rank| {
        let cells = Suit::ALL.map(|suit| {
            let cell = power(Card::new(rank, suit)).map(|row| with_half_width(&row.value));
            Cell::Number(cell.unwrap_or_default())
        });
        let any = cells.iter().any(|cell| !matches!(cell, Cell::Number(text) if text.is_empty()));
        any.then(|| [&[Cell::words(rank.to_string())], &cells[..]].concat())
    };
    let rows: Vec<Vec<Cell>> = (0..13).rev().filter_map(Rank::new).filter_map(row).collect();
    table::draw(out, "What a card is worth", &suits, &rows, "metrics.csv");
}

/// A difference and half the length of its interval: `+0.52 ± 0.13`.
fn with_half_width(estimate: &Estimate) -> String {
    let half = |low: f64, high: f64| numbers::number((high - low) / 2.0, figures::decimals(estimate));
    match estimate.interval {
        Ok(interval) => format!("{} ± {}", numbers::difference(estimate), half(interval.low, interval.high)),
        Err(_) => numbers::difference(estimate),
    }
}
