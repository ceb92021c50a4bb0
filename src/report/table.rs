//! Tables.

use super::forest::{Piece, pieces};
use super::markup::Markup;

/// The most rows that are shown.
pub(super) const MOST_ROWS: usize = 150;

/// A cell.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    /// Words and names, to the left.
    Text(Vec<Piece>),
    /// A number, to the right.
    Number(String),
}

impl Cell {
    /// A name that somebody chose.
    pub(super) fn name(name: &str) -> Cell {
        Cell::Text(vec![Piece::Name(name.to_owned())])
    }

    /// The program's own words.
    pub(super) fn words(words: impl Into<String>) -> Cell {
        Cell::Text(vec![Piece::Words(words.into())])
    }
}

/// A table, under a title; `file` has the rows that are too many.
pub(super) fn draw(out: &mut Markup, title: &str, headings: &[&str], rows: &[Vec<Cell>], file: &str) {
    let is_number =
        |column: usize| matches!(rows.first().and_then(|row| row.get(column)), Some(Cell::Number(_)));
    let class = |column: usize| if is_number(column) { "number" } else { "text" };
    let label = [("class", "scroll"), ("role", "region"), ("tabindex", "0"), ("aria-label", title)];
    out.within("div", &label, |out| {
        out.within("table", &[], |out| {
            out.within("thead", &[], |out| {
                out.within("tr", &[], |out| {
                    for (column, heading) in headings.iter().enumerate() {
                        out.element("th", &[("scope", "col"), ("class", class(column))], heading);
                    }
                });
            });
            out.within("tbody", &[], |out| rows.iter().take(MOST_ROWS).for_each(|row| draw_row(out, row)));
        });
    });
    if rows.len() > MOST_ROWS {
        let more = format!("The first {MOST_ROWS} of {} rows; {file} has all.", rows.len());
        out.element("p", &[("class", "left-off")], &more);
    }
}

fn draw_row(out: &mut Markup, row: &[Cell]) {
    out.line();
    out.within("tr", &[], |out| {
        for cell in row {
            match cell {
                Cell::Text(label) => out.within("td", &[("class", "text")], |out| pieces(out, label)),
                Cell::Number(number) => out.element("td", &[("class", "number")], number),
            }
        }
    });
}
