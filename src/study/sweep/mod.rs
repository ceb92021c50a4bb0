//! The kind `sweep`: what rules change, asked at once for several numbers of players and of several skills.
//!
//! A *cell* is a number of players and those who play: it is a match of its own, under all variants of the rules that there
//! are for so many, on the same cards. Each is a stage. A rule may do one thing to players who do not think and another to
//! those who do; so the same question is asked of each skill, and an answer that depends on who plays is itself the answer.
//!
//! - [`contrast`]: what each variant does to each metric in each cell, and whether that is shown
//! - [`answer`]: what that comes to, in sentences
//! - `text`: all that is printed

pub mod answer;
pub mod contrast;

mod text;

use serde_json::{Map, Value, json};

use crate::experiment::{Experiment, ExperimentError};
use crate::figures::{counted, listed};
use crate::results::manifest;
use crate::results::tables::{self, CellTables};
use crate::run::{self, Played, Stage};
use crate::study::{Effort, Findings, Study};
use crate::tally::metrics::{Metric, Source};
use crate::tally::plan::Plan;
use crate::tally::summarise::Summariser;
use contrast::{CONTRASTS, Contrast, Margin, Measured, Verdict};

/// A number of players and those who play.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// The name of those who play.
    pub skill: String,
    /// The match that they play.
    pub experiment: Experiment,
}

impl Cell {
    /// Who plays: the labels of the agents.
    #[must_use]
    pub fn judge(&self) -> String {
        self.experiment.labels().join(" + ")
    }
}

/// What is compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms {
    /// The metrics that verdicts are given on, in this order. One without its seat or card stands for those of all.
    pub metrics: Vec<String>,
    /// How large a difference of which of them may be and still count as none. One for a single seat comes before one for all.
    pub margins: Vec<(String, Margin)>,
}

impl Terms {
    /// The metrics that are compared unless told otherwise, where there are such.
    pub const METRICS: [&'static str; 13] = [
        "first_seat_advantage",
        "tie_rate",
        "decisions_mean",
        "deals_mean",
        "turns_mean",
        "branching",
        "score_mean_deal",
        "score_sd_deal",
        "margin_game",
        "lead_changes",
        "comeback",
        "luck_share",
        "skill_gap",
    ];

    /// Those of the metrics of a cell that are compared.
    fn chosen<'p>(&self, plan: &'p Plan) -> Vec<&'p Metric> {
        let mut chosen = Vec::new();
        for name in &self.metrics {
            chosen.extend(plan.metrics.iter().filter(|metric| is_of(&metric.name, name)));
        }
        chosen
    }

    fn margin(&self, metric: &str) -> Option<Margin> {
        let exact = self.margins.iter().find(|(name, _)| name == metric);
        let found = exact.or_else(|| self.margins.iter().find(|(name, _)| is_of(metric, name)));
        found.map(|(_, margin)| *margin)
    }
}

/// Whether a metric is the one of a name, or one of a seat or card of that name.
#[must_use]
pub fn is_of(metric: &str, name: &str) -> bool {
    metric.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
}

/// The names of the metrics of an experiment that can be tested.
///
/// # Errors
/// If the experiment has no game, or its seating design is refused.
pub fn testable(experiment: &Experiment) -> Result<Vec<String>, ExperimentError> {
    let can_be = |metric: &Metric| matches!(metric.source, Source::Totals(_));
    let metrics = run::plan(experiment)?.metrics.into_iter();
    Ok(metrics.filter(can_be).map(|metric| metric.name).collect())
}

/// A sweep.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// What all cells share; its line-ups and variants are those of all of them.
    base: Experiment,
    cells: Vec<Cell>,
    terms: Terms,
    /// What came of the first cells.
    played: Vec<Played>,
}

impl Sweep {
    /// A sweep over these cells, of which there is at least one.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn new(cells: Vec<Cell>, terms: Terms) -> Sweep {
        let mut base = cells.first().expect("a sweep has a cell").experiment.clone();
        for Cell { experiment, .. } in &cells[1..] {
            base.blocks = base.blocks.saturating_add(experiment.blocks);
            for line_up in &experiment.line_ups {
                if !base.line_ups.contains(line_up) {
                    base.line_ups.push(line_up.clone());
                }
            }
            for variant in &experiment.variants {
                if base.variants.iter().all(|known| known.name != variant.name) {
                    base.variants.push(variant.clone());
                }
            }
        }
        Sweep { base, cells, terms, played: Vec::new() }
    }

    /// The cells that were played, with what came of them.
    fn cells_played(&self) -> impl Iterator<Item = (&Cell, &Played)> {
        self.cells.iter().zip(&self.played)
    }

    /// What each variant does to each metric in each cell so far.
    #[must_use]
    pub fn contrasts(&self) -> Vec<Contrast> {
        let mut contrasts = Vec::new();
        for (cell, played) in self.cells_played() {
            contrasts.extend(self.contrasts_of(cell, played));
        }
        contrast::judge(&mut contrasts, self.base.confidence);
        contrasts
    }

    fn contrasts_of(&self, cell: &Cell, played: &Played) -> Vec<Contrast> {
        let Cell { skill, experiment } = cell;
        let (blocks, judge) = (played.tally.blocks, cell.judge());
        let summariser = Summariser::new(experiment, &played.plan, &played.tally);
        let mut contrasts = Vec::new();
        for (variant, rules) in experiment.variants.iter().enumerate().skip(1) {
            for metric in self.terms.chosen(&played.plan) {
                let margin = self.terms.margin(&metric.name);
                let measured = Measured::new(&summariser, blocks, variant, metric, margin);
                contrasts.push(Contrast {
                    players: experiment.players() as u64,
                    skill: skill.clone(),
                    judge: judge.clone(),
                    variant: rules.name.clone(),
                    metric: metric.name.clone(),
                    blocks,
                    base: measured.base,
                    value: measured.value,
                    difference: measured.difference,
                    p: measured.p,
                    p_holm: None,
                    margin: measured.margin,
                    equivalence_p: measured.equivalence_p,
                    equivalence_p_holm: None,
                    family: 0,
                    verdict: if measured.is_same { Verdict::Same } else { Verdict::Undecided },
                });
            }
        }
        contrasts
    }

    /// What is played in a cell.
    fn stage(&self, number: usize) -> Option<Stage> {
        let cell = self.cells.get(number)?;
        let (number, cells) = (number + 1, self.cells.len());
        let players = cell.experiment.players();
        let found = format!("{players} players, {}: cell {number} of {cells}", cell.skill);
        Some(Stage { found, ..Stage::whole(&cell.experiment) })
    }

    /// The numbers of players, each once.
    fn players(&self) -> Vec<u64> {
        let mut players = Vec::new();
        for cell in &self.cells {
            let count = cell.experiment.players() as u64;
            if !players.contains(&count) {
                players.push(count);
            }
        }
        players
    }

    /// The names of those who play, each once.
    fn skills(&self) -> Vec<&str> {
        let mut skills: Vec<&str> = Vec::new();
        for Cell { skill, .. } in &self.cells {
            if !skills.contains(&skill.as_str()) {
                skills.push(skill);
            }
        }
        skills
    }
}

impl Study for Sweep {
    fn kind(&self) -> &'static str {
        "sweep"
    }

    fn experiment(&self) -> &Experiment {
        &self.base
    }

    fn settings(&self) -> Map<String, Value> {
        let cell = |cell: &Cell| {
            let mut settled = manifest::cell(&cell.experiment);
            settled.insert("skill".to_owned(), Value::from(cell.skill.as_str()));
            settled.insert("judge".to_owned(), Value::from(cell.judge()));
            Value::Object(settled)
        };
        let margin = |(name, margin): &(String, Margin)| match margin {
            Margin::Own(margin) => (name.clone(), Value::from(*margin)),
            Margin::Percent(percent) => (name.clone(), Value::from(format!("{percent} %"))),
        };
        Map::from_iter([
            // These differ from cell to cell.
            ("games_in_block".to_owned(), Value::Null),
            ("cells".to_owned(), self.cells.iter().map(cell).collect()),
            ("metrics".to_owned(), json!(self.terms.metrics)),
            ("margins".to_owned(), Value::Object(self.terms.margins.iter().map(margin).collect())),
        ])
    }

    fn games(&self) -> u64 {
        let games = |cell: &Cell| cell.experiment.games().unwrap_or(u64::MAX);
        self.cells.iter().map(games).fold(0, u64::saturating_add)
    }

    fn heading(&self) -> String {
        let Experiment { game, seed, variants, .. } = &self.base;
        let players: Vec<String> = self.players().iter().map(u64::to_string).collect();
        format!(
            "{game}, {} players, seed {seed}: {} of rules played by {}: {}, {}",
            listed(&players),
            counted(variants.len() as u64, "set"),
            listed(&self.skills()),
            counted(self.cells.len() as u64, "cell"),
            counted(self.games(), "game")
        )
    }

    fn next(&self) -> Option<Stage> {
        if self.played.iter().any(|played| !played.complete) {
            return None;
        }
        self.stage(self.played.len())
    }

    /// No cell depends on what came of another.
    fn ahead(&self) -> Vec<Stage> {
        let next = self.next().map(|_| self.played.len());
        next.into_iter()
            .flat_map(|next| (next..self.cells.len()).filter_map(|cell| self.stage(cell)))
            .collect()
    }

    fn take(&mut self, played: &Played) {
        self.played.push(played.clone());
    }

    fn findings(&self) -> Findings {
        let contrasts = self.contrasts();
        let outcomes: Vec<_> =
            self.cells_played().map(|(cell, played)| (cell, played.outcome(&cell.experiment))).collect();
        let mut effort = Effort::default();
        outcomes.iter().for_each(|(_, outcome)| effort.add(&Effort::of(outcome)));
        let cells: Vec<CellTables<'_>> = outcomes
            .iter()
            .map(|(Cell { skill, experiment }, outcome)| CellTables {
                skill,
                experiment,
                summary: &outcome.summary,
            })
            .collect();
        let mut files = tables::of_cells(&cells);
        files.push((CONTRASTS, contrast::table(&contrasts, self.base.confidence)));
        let complete = self.next().is_none() && self.played.iter().all(|played| played.complete);
        let mut text = text::text(&self.base, &self.terms, &cells, &contrasts);
        if !complete {
            let (begun, all) = (self.played.len(), counted(self.cells.len() as u64, "cell"));
            text += &format!("The run was stopped: {begun} of {all} were begun.\n");
        }
        Findings { complete, effort, files, text }
    }
}
