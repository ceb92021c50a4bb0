//! All that is printed of a sweep: its answer, and the differences in a table.

use super::answer::{Effects, distinct, effects, opening};
use super::contrast::{Contrast, Verdict};
use crate::experiment::Experiment;
use crate::figures::{counted, signed};
use crate::report_table::{self, table};
use crate::results::tables::CellTables;

/// How wide lines are at most, in letters.
const WIDTH: usize = 100;
/// The most rows of tables that are printed where nothing is shown in some of them.
const MOST_ROWS: usize = 40;

/// A variant, a metric and a number of players.
type Row = (String, String, u64);

/// What stands before a difference for its verdict.
fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::More => ">",
        Verdict::Less => "<",
        Verdict::Equivalent => "=",
        Verdict::Same => "~",
        Verdict::Undecided => "?",
    }
}

/// All of it: lines, each of them ended.
pub(super) fn text(base: &Experiment, cells: &[CellTables<'_>], contrasts: &[Contrast]) -> String {
    let mut text = String::from("\n");
    text += &wrapped("", &opening(contrasts, base.confidence));
    for Effects { variant, points } in effects(contrasts, &str::to_owned) {
        text += &format!("\n{variant}\n");
        points.iter().for_each(|point| text += &wrapped("  - ", point));
    }
    text += &differences(contrasts);
    text.push('\n');
    let judges = cells.iter().map(|cell| (cell.skill, cell.experiment.labels().join(" + ")));
    for (skill, judge) in distinct(judges).into_iter().filter(|(skill, judge)| skill != judge) {
        text += &format!("{skill} is {judge}.\n");
    }
    text += &report_table::cautions(base);
    if contrasts.iter().any(|contrast| contrast.difference.interval.is_ok()) {
        let percent = base.confidence * 100.0;
        text += &format!(
            "Each interval holds with {percent} % confidence by itself; the blocks are the observations.\n"
        );
    }
    text
}

/// A sentence behind a mark, broken into lines that are not too wide; those after the first are set in as far.
fn wrapped(mark: &str, sentence: &str) -> String {
    let mut text = String::new();
    let mut line = mark.to_owned();
    let mut is_empty = true;
    for word in sentence.split(' ') {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            text += &format!("{line}\n");
            line = " ".repeat(mark.len());
            is_empty = true;
        }
        line += if is_empty { "" } else { " " };
        line += word;
        is_empty = false;
    }
    text + &format!("{line}\n")
}

/// A table for each variant: a row for each metric and number of players, a column for each skill.
fn differences(contrasts: &[Contrast]) -> String {
    let Some(first) = contrasts.first() else { return String::new() };
    let is_shown = |contrast: &&Contrast| matches!(contrast.verdict, Verdict::More | Verdict::Less);
    let row_of = |contrast: &Contrast| (contrast.variant.clone(), contrast.metric.clone(), contrast.players);
    let all = distinct(contrasts.iter().map(row_of));
    let shown = distinct(contrasts.iter().filter(is_shown).map(row_of));
    let rows = if all.len() > MOST_ROWS { &shown } else { &all };
    let mut text = format!(
        "\nDifferences from the base rules: > more, < less, = within the margin, ~ the same in every block,\n\
         ? undecided; by Holm’s correction over all {}.\n",
        counted(first.family, "comparison")
    );
    for variant in distinct(contrasts.iter().map(|contrast| contrast.variant.as_str())) {
        let rows = by_metric(rows.iter().filter(|row| row.0 == variant));
        if !rows.is_empty() {
            text += &format!("\n{variant}\n");
            text += &of_variant(contrasts, &rows);
        }
    }
    if rows.len() < all.len() {
        let left_out = counted((all.len() - rows.len()) as u64, "row");
        text +=
            &format!("  ({left_out} in which nothing is shown to differ left out; contrasts.csv has all.)\n");
    }
    text
}

/// Rows of the same metric below one another, in the order of the first of each.
fn by_metric<'r>(rows: impl Iterator<Item = &'r Row>) -> Vec<&'r Row> {
    let mut rows: Vec<&Row> = rows.collect();
    let metrics: Vec<&str> = distinct(rows.iter().map(|row| row.1.as_str()));
    rows.sort_by_key(|row| metrics.iter().position(|metric| *metric == row.1));
    rows
}

/// The table of a variant, in as many pieces as it takes for lines to be narrow enough.
fn of_variant(contrasts: &[Contrast], rows: &[&Row]) -> String {
    let of_variant = || contrasts.iter().filter(|contrast| contrast.variant == rows[0].0);
    let skills = distinct(of_variant().map(|contrast| contrast.skill.as_str()));
    let column = |skill: &&str| -> Vec<String> {
        let cell = |(_, metric, players): &Row| {
            let found = of_variant().find(|contrast| {
                contrast.skill == *skill && contrast.metric == *metric && contrast.players == *players
            });
            found.map_or_else(String::new, |contrast| {
                format!("{} {}", sign(contrast.verdict), signed(&contrast.difference))
            })
        };
        std::iter::once((*skill).to_owned()).chain(rows.iter().map(|row| cell(row))).collect()
    };
    let head = [
        std::iter::once("metric".to_owned()).chain(rows.iter().map(|row| row.1.clone())).collect::<Vec<_>>(),
        std::iter::once("players".to_owned()).chain(rows.iter().map(|row| row.2.to_string())).collect(),
    ];
    let width = |column: &Vec<String>| 2 + column.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    let mut columns = head.to_vec();
    for next in skills.iter().map(column) {
        let is_full = columns.iter().map(width).sum::<usize>() + width(&next) > WIDTH;
        if is_full && columns.len() > head.len() {
            text += &table(&transposed(&columns));
            columns = head.to_vec();
        }
        columns.push(next);
    }
    text + &table(&transposed(&columns))
}

fn transposed(columns: &[Vec<String>]) -> Vec<Vec<String>> {
    let rows = columns.first().map_or(0, Vec::len);
    (0..rows).map(|row| columns.iter().map(|column| column[row].clone()).collect()).collect()
}
