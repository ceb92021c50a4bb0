//! The kind `match`: line-ups play each other, under one set of rules or several, and every pair of agents and of rules
//! is compared.

use crate::experiment::Experiment;
use crate::report_table;
use crate::results::tables;
use crate::run::{Outcome, Played, Stage};
use crate::study::{Effort, Findings, Study};

/// A match.
#[derive(Clone, Debug)]
pub struct Compare {
    experiment: Experiment,
    outcome: Option<Outcome>,
}

impl Compare {
    /// The match of an experiment's line-ups under all its variants.
    #[must_use]
    pub fn new(experiment: Experiment) -> Compare {
        Compare { experiment, outcome: None }
    }

    /// A match that was played.
    #[must_use]
    pub fn played(experiment: Experiment, outcome: Outcome) -> Compare {
        Compare { experiment, outcome: Some(outcome) }
    }
}

impl Study for Compare {
    fn kind(&self) -> &'static str {
        "match"
    }

    fn experiment(&self) -> &Experiment {
        &self.experiment
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
        Findings {
            complete: outcome.blocks == self.experiment.blocks,
            effort: Effort::of(outcome),
            files: tables::tables(&self.experiment, &outcome.summary),
            text: report_table::text(&self.experiment, &outcome.summary),
        }
    }
}
