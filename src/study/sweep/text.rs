//! All that is printed of a sweep: its answer, and the differences in a table.

use super::answer::{Effects, distinct, effects, metric_names, opening};
use super::contrast::{Contrast, Verdict};
use super::{Terms, is_of};
use crate::experiment::Experiment;
use crate::figures::{counted, plain, signed};
use crate::report_table::{self, table};
use crate::results::tables::CellTables;

/// How wide lines are at most, in letters.
const WIDTH: usize = 100;
/// The most rows of tables that are printed where nothing is shown in some of them.
const MOST_ROWS: usize = 40;

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
pub(super) fn text(
    base: &Experiment,
    terms: &Terms,
    cells: &[CellTables<'_>],
    contrasts: &[Contrast],
) -> String {
    let mut text = String::from("\n");
    text += &wrapped("", &opening(contrasts, base.confidence));
    for Effects { variant, shown, others } in effects(contrasts, &str::to_owned) {
        text += &format!("\n{variant}\n");
        shown.iter().chain(&others).for_each(|point| text += &wrapped("  - ", point));
    }
    text += &match contrasts.is_empty() {
        true => values(cells, &terms.metrics),
        false => differences(contrasts),
    };
    text.push('\n');
    let judges = cells.iter().map(|cell| (cell.skill, cell.experiment.labels().join(" + ")));
    for (skill, judge) in distinct(judges).into_iter().filter(|(skill, judge)| skill != judge) {
        text += &format!("{skill} is {judge}.\n");
    }
    text += &report_table::cautions(base);
    if contrasts.is_empty() || contrasts.iter().any(|contrast| contrast.difference.interval.is_ok()) {
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
    let all = distinct(contrasts.iter().map(row_of));
    let shown = distinct(contrasts.iter().filter(is_shown).map(row_of));
    let metrics = metric_names(contrasts.iter());
    let rows = if all.len() > MOST_ROWS { &shown } else { &all };
    let mut text = format!(
        "\nDifferences from the base rules: > more, < less, = within the margin, ~ the same in every block,\n\
         ? undecided; by Holm’s correction over all {}.\n",
        counted(first.family, "comparison")
    );
    for variant in distinct(contrasts.iter().map(|contrast| contrast.variant.as_str())) {
        let rows: Vec<Row<'_>> =
            rows.iter().filter(|(known, _)| *known == variant).map(|(_, row)| *row).collect();
        if rows.is_empty() {
            continue;
        }
        let of_variant: Vec<&Contrast> =
            contrasts.iter().filter(|contrast| contrast.variant == variant).collect();
        let skills = distinct(of_variant.iter().map(|contrast| contrast.skill.as_str()));
        let cell = |skill: &str, row: Row<'_>| {
            let found =
                of_variant.iter().find(|contrast| contrast.skill == skill && row_of(contrast).1 == row);
            let shown =
                |contrast: &&Contrast| format!("{} {}", sign(contrast.verdict), signed(&contrast.difference));
            found.map_or_else(String::new, shown)
        };
        text += &format!("\n{variant}\n{}", by_skill(&by_metric(rows, &metrics), &skills, &cell));
    }
    if rows.len() < all.len() {
        let left_out = counted((all.len() - rows.len()) as u64, "row");
        text +=
            &format!("  ({left_out} in which nothing is shown to differ left out; contrasts.csv has all.)\n");
    }
    text
}

/// What there is to say where no rules are compared: the metrics of each cell.
fn values(cells: &[CellTables<'_>], metrics: &[String]) -> String {
    let find = |cell: &CellTables<'_>, metric: &str| {
        cell.summary.metrics.iter().find(|row| row.metric == metric).map(|row| row.value)
    };
    let mut rows: Vec<Row<'_>> = Vec::new();
    for name in metrics {
        for cell in cells {
            let of_name = cell.summary.metrics.iter().filter(|row| is_of(&row.metric, name));
            rows.extend(of_name.map(|row| (row.metric.as_str(), cell.experiment.players() as u64)));
        }
    }
    let rows = distinct(rows.into_iter());
    let metrics = distinct(rows.iter().map(|row| row.0));
    let rows = by_metric(rows, &metrics);
    let skills = distinct(cells.iter().map(|cell| cell.skill));
    let cell = |skill: &str, (metric, players): Row<'_>| {
        let is_cell =
            |cell: &&CellTables<'_>| cell.skill == skill && cell.experiment.players() as u64 == players;
        cells
            .iter()
            .find(is_cell)
            .and_then(|cell| find(cell, metric))
            .map_or_else(String::new, |value| plain(&value))
    };
    format!("\n{}", by_skill(&rows, &skills, &cell))
}

/// A metric and a number of players.
type Row<'r> = (&'r str, u64);

fn row_of(contrast: &Contrast) -> (&str, Row<'_>) {
    (&contrast.variant, (&contrast.metric, contrast.players))
}

/// Rows of the same metric below one another, in this order.
fn by_metric<'r>(mut rows: Vec<Row<'r>>, metrics: &[&str]) -> Vec<Row<'r>> {
    rows.sort_by_key(|row| metrics.iter().position(|metric| *metric == row.0));
    rows
}

/// A table with a column for each skill, in as many pieces as it takes for lines to be narrow enough.
fn by_skill(rows: &[Row<'_>], skills: &[&str], cell: &dyn Fn(&str, Row<'_>) -> String) -> String {
    let column = |skill: &&str| -> Vec<String> {
        std::iter::once((*skill).to_owned()).chain(rows.iter().map(|row| cell(skill, *row))).collect()
    };
    let named = |heading: &str, cell: &dyn Fn(&Row<'_>) -> String| -> Vec<String> {
        std::iter::once(heading.to_owned()).chain(rows.iter().map(cell)).collect()
    };
    let head = [named("metric", &|row| row.0.to_owned()), named("players", &|row| row.1.to_string())];
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
