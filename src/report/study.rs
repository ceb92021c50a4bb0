//! What courses of study found: the log-likelihood ratio of a sequential test, the search and the tests of a tuning, and
//! ratings. Each is read from the file that the kind of study writes; where there is none there is nothing to show.

use std::path::Path;

use serde_json::Value;

use super::caption::{Numbering, intervals};
use super::forest::{Forest, Piece, Row};
use super::markup::Markup;
use super::table::{self, Cell};
use super::trace::{self, MOST_POINTS, Trace};
use super::{Context, numbers};
use crate::csv_table::{CsvError, CsvRow};
use crate::estimate::{Estimate, Verdict};
use crate::figures::{count, counted, signed};
use crate::results::read::{ReadError, Run, estimate, estimate_of, rows};
use crate::study::sweep::contrast::{self, CONTRASTS, Contrast};

/// The most parameters whose course is drawn.
const MOST_TRACES: usize = 16;

/// What the files of courses of study hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Studies {
    looks: Vec<Look>,
    iterates: Vec<Vec<(String, f64)>>,
    rounds: Vec<Round>,
    tests: Vec<Test>,
    ratings: Vec<Rating>,
    /// What rules change, in a sweep.
    pub(super) contrasts: Vec<Contrast>,
}

/// The rating of an agent.
#[derive(Clone, Debug)]
struct Rating {
    variant: String,
    agent: String,
    rating: Estimate,
    /// Agents of different groups are connected by no games.
    group: String,
}

/// A look of a sequential test.
#[derive(Clone, Debug)]
struct Look {
    blocks: u64,
    llr: Option<f64>,
    bounds: (f64, f64),
    decision: &'static str,
}

/// How a setting fared in a round of a race.
#[derive(Clone, Debug)]
struct Round {
    round: u64,
    agent: String,
    blocks: u64,
    advantage: Option<f64>,
    goes_on: bool,
}

/// A test of a tuned agent.
#[derive(Clone, Debug)]
struct Test {
    /// Whether it is against the baseline at the same tables, not each against a third agent.
    is_direct: bool,
    agent: String,
    baseline: String,
    third: String,
    measure: String,
    blocks: u64,
    advantage: Estimate,
}

/// Reads the files of a folder.
pub(super) fn read(folder: &Path) -> Result<Studies, ReadError> {
    Ok(Studies {
        looks: rows(folder, "sprt.csv", look)?,
        iterates: rows(folder, "iterates.csv", iterate)?,
        rounds: rows(folder, "rounds.csv", round)?,
        tests: rows(folder, "tests.csv", test)?,
        ratings: rows(folder, "ratings.csv", rating)?,
        contrasts: rows(folder, CONTRASTS, contrast::read_row)?,
    })
}

fn look(row: &CsvRow<'_>) -> Result<Look, CsvError> {
    const DECISIONS: [(&str, &str); 3] = [("open", "open"), ("h0", "h0"), ("h1", "h1")];
    Ok(Look {
        blocks: row.number("blocks")?,
        llr: row.optional("llr")?,
        bounds: (row.optional("lower_bound")?.unwrap_or(0.0), row.optional("upper_bound")?.unwrap_or(0.0)),
        decision: row.word("decision", &DECISIONS)?,
    })
}

/// The cells of an iterate that are numbers.
fn iterate(row: &CsvRow<'_>) -> Result<Vec<(String, f64)>, CsvError> {
    let mut cells = Vec::new();
    for column in row.columns() {
        if let Some(value) = row.optional(column)? {
            cells.push((column.to_owned(), value));
        }
    }
    Ok(cells)
}

fn rating(row: &CsvRow<'_>) -> Result<Rating, CsvError> {
    Ok(Rating {
        variant: row.text("variant")?.to_owned(),
        agent: row.text("agent")?.to_owned(),
        rating: estimate_of(row, "rating")?,
        group: row.text("group")?.to_owned(),
    })
}

fn round(row: &CsvRow<'_>) -> Result<Round, CsvError> {
    Ok(Round {
        round: row.number("round")?,
        agent: row.text("agent")?.to_owned(),
        blocks: row.number("blocks")?,
        advantage: row.optional("advantage")?,
        goes_on: row.word("goes_on", &[("true", true), ("false", false)])?,
    })
}

fn test(row: &CsvRow<'_>) -> Result<Test, CsvError> {
    Ok(Test {
        is_direct: row.word("test", &[("baseline", true), ("third", false)])?,
        agent: row.text("agent")?.to_owned(),
        baseline: row.text("baseline")?.to_owned(),
        third: row.text("third")?.to_owned(),
        measure: row.text("measure")?.to_owned(),
        blocks: row.number("blocks")?,
        advantage: estimate(row, ["advantage", "low", "high", "method"])?,
    })
}

impl Test {
    /// What it comes to, in a sentence or two.
    fn sentence(&self, unit: &str) -> String {
        let Test { agent, baseline, third, blocks, advantage, .. } = self;
        let (place, against) = match self.is_direct {
            true => ("at the same tables".to_owned(), ""),
            false => (format!("each among {third}"), " among those"),
        };
        let verdict = match advantage.verdict() {
            Verdict::Higher => "It is shown to be better",
            Verdict::Lower => "It is shown to be worse",
            Verdict::Undecided | Verdict::NoInterval => "No difference is shown",
        };
        let (shown, blocks) = (signed(advantage), counted(*blocks, "block"));
        format!(
            "{agent} does better than {baseline} by {shown} {unit}, {place}, on {blocks} that the search has not seen. {verdict}{against}."
        )
    }
}

impl Studies {
    /// The answer of a course of study, in sentences; none if the run was none.
    pub(super) fn answer(&self, run: &Run) -> Option<Vec<String>> {
        match run.kind.as_str() {
            "sprt" => Some(self.sequential_answer(run)),
            "tune" => Some(self.tuning_answer(run)),
            _ => None,
        }
    }

    fn sequential_answer(&self, run: &Run) -> Vec<String> {
        let Some(last) = self.looks.last() else {
            return vec![
                "The run was stopped before the first batch was finished: there is no verdict.".to_owned(),
            ];
        };
        let labels = run.labels();
        let [a, b] = [0, 1].map(|place| labels.get(place).copied().unwrap_or("?"));
        let (h0, h1, unit) = hypotheses(run);
        let verdict = match last.decision {
            "h1" => format!("H1 is accepted: {a} is ahead of {b} by {h1} {unit} rather than by {h0}."),
            "h0" => format!("H0 is accepted: {a} is ahead of {b} by {h0} {unit} rather than by {h1}."),
            _ => format!("No verdict: whether {a} is ahead of {b} by {h1} {unit} or by {h0} stays open."),
        };
        let most = count(run.blocks);
        let bias = "Where games stop when it is clear, estimates are biased: for the size of the difference, a match of a fixed size on another seed is wanted.";
        vec![
            verdict,
            format!("{} of at most {most} were played.", counted(last.blocks, "block")),
            bias.to_owned(),
        ]
    }

    fn tuning_answer(&self, run: &Run) -> Vec<String> {
        let measure =
            run.experiment.get("tune").and_then(|tune| tune["measure"].as_str()).unwrap_or("win_share");
        let tests: Vec<&Test> = self.tests.iter().filter(|test| test.measure == measure).collect();
        if tests.is_empty() {
            return vec![
                "No answer of the search was tested: it ended where it began, or was stopped before."
                    .to_owned(),
            ];
        }
        let unit = match measure {
            "win_share" => "of a win a game",
            "score" => "points a game",
            _ => "places a game",
        };
        tests.iter().map(|test| test.sentence(unit)).collect()
    }

    /// The sections.
    pub(super) fn sections(&self, out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
        self.sequential(out, context, numbering);
        self.tuning(out, context, numbering);
        self.ratings(out, context, numbering);
    }

    fn sequential(&self, out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
        let Some(last) = self.looks.last() else { return };
        let looks = self.looks.iter().filter_map(|look| Some((look.blocks as f64, look.llr?)));
        let points: Vec<(f64, f64)> = std::iter::once((0.0, 0.0)).chain(looks).collect();
        let end = last.llr.map_or_else(|| "no ratio".to_owned(), |llr| numbers::number(llr, 2));
        let levels =
            vec![(last.bounds.0, "H0 accepted".to_owned()), (last.bounds.1, "H1 accepted".to_owned())];
        let label = vec![Piece::Words("log-likelihood ratio of H1 to H0".to_owned())];
        let run = &context.results.run;
        let (h0, h1, unit) = hypotheses(run);
        let of =
            |key: &str| run.experiment.get("sprt").map_or_else(String::new, |terms| terms[key].to_string());
        let caption = format!(
            "The course of the sequential test: the ratio after each batch of blocks{}. It ends at a dashed line, {} where H0 is accepted and {} where H1 is. H0: {h0}, H1: {h1} {unit}; alpha {}, beta {}. The last ratio is {end}.",
            thinning(points.len()),
            numbers::number(last.bounds.0, 2),
            numbers::number(last.bounds.1, 2),
            of("alpha"),
            of("beta"),
        );
        out.within("section", &[("id", "sequential")], |out| {
            out.element("h2", &[], "The sequential test");
            let trace = Trace { label, end, points, levels };
            numbering.figure(out, &caption, |out| trace::draw(out, &[trace], "blocks", 200.0));
        });
    }

    fn tuning(&self, out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
        if self.iterates.is_empty() && self.rounds.is_empty() && self.tests.is_empty() {
            return;
        }
        out.within("section", &[("id", "tuning")], |out| {
            out.element("h2", &[], "The tuning");
            self.test_figure(out, context, numbering);
            self.iterate_figure(out, numbering);
            self.round_table(out);
        });
    }

    fn test_figure(&self, out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
        if self.tests.is_empty() {
            return;
        }
        let estimates = self.tests.iter().map(|test| &test.advantage);
        let caption = format!(
            "By how much the tuned agent does better than the one before, on cards that the search has not seen; more is better in every measure, each to its own scale. {}",
            intervals(estimates, context.results.run.confidence)
        );
        let mut measures: Vec<&str> = Vec::new();
        for test in &self.tests {
            if !measures.contains(&test.measure.as_str()) {
                measures.push(&test.measure);
            }
        }
        numbering.figure(out, &caption, |out| {
            for measure in measures {
                let tests = self.tests.iter().filter(|test| test.measure == measure);
                let row = |test: &Test| {
                    let label = match test.is_direct {
                        true => vec![
                            Piece::Words("at the same tables as ".to_owned()),
                            Piece::Name(test.baseline.clone()),
                        ],
                        false => {
                            vec![Piece::Words("each among ".to_owned()), Piece::Name(test.third.clone())]
                        }
                    };
                    Row { label, estimate: test.advantage, is_filled: None }
                };
                let title = format!("by {}", measure.replace('_', " "));
                let rows = tests.map(row).collect();
                Forest {
                    title,
                    rows,
                    reference: Some(0.0),
                    span: Vec::new(),
                    heading: "advantage".to_owned(),
                    signed: true,
                }
                .draw(out);
            }
        });
    }

    fn iterate_figure(&self, out: &mut Markup, numbering: &mut Numbering) {
        let Some(first) = self.iterates.first() else { return };
        let is_tuned = |name: &str| {
            let is_side = name.ends_with("_plus") || name.ends_with("_minus");
            !["iteration", "blocks", "plus_less_minus", "effect"].contains(&name) && !is_side
        };
        let names: Vec<&str> =
            first.iter().map(|(name, _)| name.as_str()).filter(|name| is_tuned(name)).collect();
        let traces: Vec<Trace> = names.iter().take(MOST_TRACES).map(|name| self.course(name)).collect();
        if traces.is_empty() {
            return;
        }
        let left_off = match names.len() > MOST_TRACES {
            true => format!(" Drawn are the first {MOST_TRACES} of {}; iterates.csv has all.", names.len()),
            false => String::new(),
        };
        let caption = format!(
            "The course of the search: each parameter after each iteration{}, to a scale of its own; the last value stands at the right. The answer is the mean of the last tenth.{left_off}",
            thinning(self.iterates.len())
        );
        numbering.figure(out, &caption, |out| trace::draw(out, &traces, "iterations", 72.0));
    }

    fn course(&self, name: &str) -> Trace {
        let cell = |row: &Vec<(String, f64)>, name: &str| {
            row.iter().find(|(column, _)| column == name).map(|(_, value)| *value)
        };
        let point = |(place, row): (usize, &Vec<(String, f64)>)| {
            Some((cell(row, "iteration").unwrap_or(place as f64 + 1.0), cell(row, name)?))
        };
        let points: Vec<(f64, f64)> = self.iterates.iter().enumerate().filter_map(point).collect();
        let end = points.last().map_or_else(String::new, |(_, value)| numbers::rough(*value));
        Trace { label: vec![Piece::Name(name.to_owned())], end, points, levels: Vec::new() }
    }

    fn round_table(&self, out: &mut Markup) {
        if self.rounds.is_empty() {
            return;
        }
        let row = |row: &Round| {
            vec![
                Cell::name(&row.agent),
                Cell::Number(count(row.round)),
                Cell::Number(count(row.blocks)),
                Cell::Number(row.advantage.map_or_else(String::new, numbers::rough)),
                Cell::words(if row.goes_on { "goes on" } else { "is out" }),
            ]
        };
        let rows: Vec<Vec<Cell>> = self.rounds.iter().map(row).collect();
        let headings = ["setting", "round", "blocks", "advantage", ""];
        table::draw(out, "Rounds of the race", &headings, &rows, "rounds.csv");
    }

    fn ratings(&self, out: &mut Markup, context: &Context<'_>, numbering: &mut Numbering) {
        if self.ratings.is_empty() {
            return;
        }
        let first = &self.ratings[0];
        let groups = match self.ratings.iter().any(|rating| rating.group != first.group) {
            true => {
                " Some agents are connected by no games; only those of one group in ratings.csv can be compared."
            }
            false => "",
        };
        let estimates = self.ratings.iter().map(|rating| &rating.rating);
        let caption = format!(
            "Ratings on the scale of Elo; the agent that all are measured from is at 0.{groups} {}",
            intervals(estimates, context.results.run.confidence)
        );
        let several = self.ratings.iter().any(|rating| rating.variant != first.variant);
        let row = |Rating { variant, agent, rating, .. }: &Rating| {
            let mut label = vec![Piece::Name(agent.clone())];
            if several {
                label.splice(0..0, [Piece::Name(variant.clone()), Piece::Words(": ".to_owned())]);
            }
            Row { label, estimate: *rating, is_filled: None }
        };
        let rows = self.ratings.iter().map(row).collect();
        out.within("section", &[("id", "ratings")], |out| {
            out.element("h2", &[], "Ratings");
            let (title, heading) = (String::new(), "rating".to_owned());
            let forest =
                Forest { title, rows, reference: Some(0.0), span: Vec::new(), heading, signed: true };
            numbering.figure(out, &caption, |out| forest.draw(out));
        });
    }
}

/// What is said of a course with more points than are drawn.
fn thinning(points: usize) -> String {
    match points.div_ceil(MOST_POINTS) {
        0 | 1 => String::new(),
        step => format!(" (one in {step} is drawn)"),
    }
}

/// H0, H1 and their unit, as the manifest has them.
fn hypotheses(run: &Run) -> (String, String, &'static str) {
    let terms = run.experiment.get("sprt").unwrap_or(&Value::Null);
    let (values, unit) = match terms.get("elo") {
        Some(values) => (values, "normalized Elo"),
        None => (&terms["effect"], "standard deviations of a block"),
    };
    let [h0, h1] = [0, 1].map(|place| {
        values[place]
            .as_f64()
            .map_or_else(|| "?".to_owned(), |value| crate::cells::number(value).replace('-', "−"))
    });
    (h0, h1, unit)
}
