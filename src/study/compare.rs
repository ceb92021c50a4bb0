//! The kind `match`: line-ups play each other, under one set of rules or several, and every pair of agents and of rules
//! is compared.

use serde_json::{Map, Value};

use crate::answer;
use crate::experiment::Experiment;
use crate::report_table;
use crate::results::tables;
use crate::run::{Outcome, Played, Stage};
use crate::study::{Effort, Findings, Study};

/// A match.
#[derive(Clone, Debug)]
pub struct Compare {
    experiment: Experiment,
    /// The difference that is planned for where nothing is shown, in wins a game.
    detect: f64,
    outcome: Option<Outcome>,
}

impl Compare {
    /// The match of an experiment's line-ups under all its variants.
    #[must_use]
    pub fn new(experiment: Experiment) -> Compare {
        Compare { experiment, detect: Compare::DETECT, outcome: None }
    }

    /// The difference that is planned for unless told otherwise, in wins a game.
    pub const DETECT: f64 = 0.05;

    /// The same match, where nothing is shown with a plan for a difference of so many wins a game.
    #[must_use]
    pub fn planning_for(self, detect: f64) -> Compare {
        Compare { detect, ..self }
    }

    /// A match that was played.
    #[must_use]
    pub fn played(experiment: Experiment, outcome: Outcome) -> Compare {
        Compare { outcome: Some(outcome), ..Compare::new(experiment) }
    }
}

impl Study for Compare {
    fn kind(&self) -> &'static str {
        "match"
    }

    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn settings(&self) -> Map<String, Value> {
        Map::from_iter([("detect".to_owned(), Value::from(self.detect))])
    }

    fn games(&self) -> u64 {
        self.experiment.games().unwrap_or(u64::MAX)
    }

    fn next(&self) -> Option<Stage> {
        self.outcome.is_none().then(|| Stage::whole(&self.experiment))
    }

    fn take(&mut self, played: &Played) {
        self.outcome = Some(played.outcome(&self.experiment));
    }

    fn findings(&self) -> Findings {
        let Some(outcome) = &self.outcome else { return Findings::default() };
        let mut text = report_table::text(&self.experiment, &outcome.summary);
        if let Some(plan) = answer::plan(self.experiment.confidence, self.detect, &outcome.summary) {
            text += &format!("{plan}\n");
        }
        Findings {
            complete: outcome.blocks == self.experiment.blocks,
            effort: Effort::of(outcome),
            files: tables::tables(&self.experiment, &outcome.summary),
            text,
        }
    }
}
