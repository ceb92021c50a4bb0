//! Forest plots: a row for each estimate, its interval drawn to a scale that all rows share.
//!
//! Rows are laid out by the style sheet: label, strip and numbers beside each other on a desk, the strip below on a
//! phone. What colour says is said by shape too: a filled disc where the interval leaves the reference out, a ring where
//! it holds it, a cross where there is no interval.

use super::axis::Axis;
use super::markup::Markup;
use super::{numbers, svg};
use crate::estimate::{Estimate, Method};

/// How high a strip is.
const HEIGHT: f64 = 26.0;
const MIDDLE: f64 = HEIGHT / 2.0;
/// The most rows that are drawn.
pub(super) const MOST_ROWS: usize = 60;

/// A row.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// What it is of, in pieces that are names or words.
    pub(super) label: Vec<Piece>,
    pub(super) estimate: Estimate,
    /// Whether its disc is filled; if that is not known, it is where the interval leaves the reference out.
    pub(super) is_filled: Option<bool>,
}

/// A piece of a label.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// The program's own words.
    Words(String),
    /// A name that somebody chose.
    Name(String),
}

/// A forest plot.
#[derive(Clone, Debug)]
pub(super) struct Forest {
    /// What all of it is about; none if the caption says enough.
    pub(super) title: String,
    pub(super) rows: Vec<Row>,
    /// The value that means nothing to see: no difference, the fair share.
    pub(super) reference: Option<f64>,
    /// Further values that the axis spans.
    pub(super) span: Vec<f64>,
    /// What the numbers are.
    pub(super) heading: String,
    /// Whether the numbers are differences, and have signs.
    pub(super) signed: bool,
}

impl Forest {
    /// Draws it.
    pub(super) fn draw(&self, out: &mut Markup) {
        let shown = &self.rows[..self.rows.len().min(MOST_ROWS)];
        let axis = self.axis(shown);
        out.within("div", &[("class", "forest")], |out| {
            heading(out, &self.title, &self.heading);
            for row in shown {
                out.line();
                self.row(out, &axis, row);
            }
            out.within("div", &[("class", "row foot")], |out| {
                out.within("div", &[("class", "strip")], |out| svg::scale(out, &axis));
            });
        });
        if self.rows.len() > shown.len() {
            let more = format!("{} of {} rows are drawn.", shown.len(), self.rows.len());
            out.element("p", &[("class", "left-off")], &more);
        }
    }

    fn axis(&self, rows: &[Row]) -> Axis {
        let ends = rows.iter().filter_map(|row| row.estimate.interval.ok());
        let ends = ends.flat_map(|interval| [interval.low, interval.high]);
        let values = rows.iter().filter_map(|row| row.estimate.value);
        Axis::over(ends.chain(values).chain(self.reference).chain(self.span.iter().copied()))
    }

    fn row(&self, out: &mut Markup, axis: &Axis, row: &Row) {
        let Row { label, estimate, .. } = row;
        out.within("div", &[("class", "row")], |out| {
            out.within("span", &[("class", "label")], |out| pieces(out, label));
            out.within("div", &[("class", "strip")], |out| {
                svg::plot(out, HEIGHT, |out| {
                    svg::grid(out, axis, HEIGHT);
                    if let Some(reference) = self.reference {
                        svg::upright(out, "reference", axis.percent(reference), (0.0, HEIGHT));
                    }
                    self.mark(out, axis, row);
                });
            });
            out.within("span", &[("class", "number")], |out| {
                let value =
                    if self.signed { numbers::difference(estimate) } else { numbers::value(estimate) };
                out.element("b", &[], &value);
                out.text(" ");
                out.element("span", &[("class", "interval")], &numbers::interval(estimate));
            });
        });
    }

    fn mark(&self, out: &mut Markup, axis: &Axis, row: &Row) {
        let estimate = &row.estimate;
        let Some(value) = estimate.value else { return };
        let at = axis.percent(value);
        let Some(interval) = estimate.interval.ok() else {
            return svg::sign(out, "cross", at, MIDDLE, "M-4-4L4 4M-4 4L4-4");
        };
        let is_out = self.reference.is_none_or(|reference| !interval.has(reference));
        let is_out = row.is_filled.unwrap_or(is_out);
        if interval.method != Method::Exact {
            let ends = (axis.percent(interval.low), axis.percent(interval.high));
            let class = if is_out { "bar" } else { "bar open" };
            svg::level(out, class, ends, MIDDLE);
            for end in [ends.0, ends.1] {
                svg::upright(out, class, end, (MIDDLE - 4.0, MIDDLE + 4.0));
            }
        }
        svg::disc(out, if is_out { "mark" } else { "mark open" }, at, MIDDLE, 4.5);
    }
}

/// The line above the rows: what they are about, and what their numbers are.
pub(super) fn heading(out: &mut Markup, title: &str, numbers: &str) {
    out.within("div", &[("class", "forest-head")], |out| {
        out.element("span", &[("class", "title")], title);
        out.element("span", &[("class", "number")], numbers);
    });
}

/// Writes a label.
pub(super) fn pieces(out: &mut Markup, label: &[Piece]) {
    for piece in label {
        match piece {
            Piece::Words(words) => out.text(words),
            Piece::Name(name) => out.name(name),
        }
    }
}
