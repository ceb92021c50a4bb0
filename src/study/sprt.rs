//! The kind `sprt`: two agents play until it is clear whether one of them is as much stronger as is supposed.
//!
//! A stage is a batch of blocks. After each whole batch the log-likelihood ratio of all blocks so far is compared with the
//! bounds of the [test](crate::statistics::sprt). The blocks are limited too; if they run out first, there is no verdict.

use serde_json::{Map, Value, json};

use crate::cells::{number, optional, write_row};
use crate::experiment::Experiment;
use crate::figures::{self, count, counted};
use crate::report_table;
use crate::results::tables;
use crate::run::{Played, Stage};
use crate::statistics::pentanomial::{self, PairCounts};
use crate::statistics::sprt::{Bounds, Decision, block_llr, effect_of_elo};
use crate::study::{Findings, Study};
use crate::tally::plan::{MEASURES, PLACE, SCORE, WIN_SHARE};
use crate::tally::summarise::Summariser;

/// What is tested, and how.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Terms {
    /// What is supposed.
    pub hypotheses: Hypotheses,
    /// What is compared, by its place among [`MEASURES`].
    pub measure: usize,
    /// How often H1 may be accepted where H0 holds, at most.
    pub alpha: f64,
    /// How often H0 may be accepted where H1 holds, at most.
    pub beta: f64,
    /// The blocks of a batch.
    pub batch: u64,
}

/// How much stronger the first agent is than the second if H0 holds, and if H1 does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Hypotheses {
    /// In normalized Elo; the model is that of pairs of games.
    Elo(f64, f64),
    /// In standard deviations of a block; the model is that of pairs of games where two play for wins, that of blocks
    /// elsewhere.
    Effect(f64, f64),
}

impl Hypotheses {
    fn effects(self) -> (f64, f64) {
        match self {
            Hypotheses::Elo(h0, h1) => (effect_of_elo(h0), effect_of_elo(h1)),
            Hypotheses::Effect(h0, h1) => (h0, h1),
        }
    }

    /// H0, H1 and their unit.
    fn shown(self) -> (f64, f64, &'static str) {
        match self {
            Hypotheses::Elo(h0, h1) => (h0, h1, "normalized Elo"),
            Hypotheses::Effect(h0, h1) => (h0, h1, "standard deviations of a block"),
        }
    }
}

/// What the test says after a batch.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Look {
    blocks: u64,
    /// None while all blocks are alike.
    llr: Option<f64>,
    decision: Decision,
    /// The contrast so far, as `pairs.csv` has it.
    mean: f64,
    pairs: Option<PairCounts>,
}

/// A sequential test.
#[derive(Clone, Debug)]
pub struct Sprt {
    /// Its blocks are the most that are played.
    experiment: Experiment,
    terms: Terms,
    bounds: Bounds,
    played: Option<Played>,
    looks: Vec<Look>,
}

impl Sprt {
    /// A test of the first agent of an experiment against the second.
    #[must_use]
    pub fn new(experiment: Experiment, terms: Terms) -> Sprt {
        let bounds = Bounds::new(terms.alpha, terms.beta);
        Sprt { experiment, terms, bounds, played: None, looks: Vec::new() }
    }

    /// Whether the model is that of pairs of games.
    fn has_pairs(&self) -> bool {
        self.experiment.players() == 2 && self.terms.measure == WIN_SHARE
    }

    fn decision(&self) -> Decision {
        self.looks.last().map_or(Decision::Open, |look| look.decision)
    }

    fn blocks(&self) -> u64 {
        self.played.as_ref().map_or(0, |played| played.tally.blocks)
    }

    fn was_stopped(&self) -> bool {
        self.played.as_ref().is_some_and(|played| !played.complete)
    }

    /// What all blocks so far say.
    fn look(&self, played: &Played) -> Look {
        let Played { plan, tally, .. } = played;
        let (h0, h1) = self.terms.hypotheses.effects();
        let contrast = Summariser::new(&self.experiment, plan, tally).contrast(0, 0, self.terms.measure);
        let (mean, variance) = contrast.unwrap_or_default();
        let pairs = tally.pair_counts(plan, 0).filter(|_| self.has_pairs());
        let lower_is_better = match self.terms.measure {
            SCORE => plan.lowest_wins,
            measure => measure == PLACE,
        };
        let llr = match &pairs {
            Some(counts) => Some(pentanomial::llr(counts, h0, h1)),
            None => block_llr(if lower_is_better { -mean } else { mean }, variance, tally.blocks, h0, h1),
        };
        let decision = llr.map_or(Decision::Open, |llr| self.bounds.decide(llr));
        Look { blocks: tally.blocks, llr, decision, mean, pairs }
    }

    fn table(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let columns = ["blocks", "llr", "lower_bound", "upper_bound", "decision", "a_less_b"];
        write_row(&mut out, columns.into_iter().chain(PAIRS));
        for look in &self.looks {
            let decision = match look.decision {
                Decision::H0 => "h0",
                Decision::H1 => "h1",
                Decision::Open => "open",
            };
            let Bounds { lower, upper } = self.bounds;
            let mut row = vec![look.blocks.to_string(), optional(look.llr), number(lower), number(upper)];
            row.extend([decision.to_owned(), number(look.mean)]);
            row.extend(
                PAIRS.iter().enumerate().map(|(score, _)| {
                    look.pairs.map_or_else(String::new, |counts| counts[score].to_string())
                }),
            );
            write_row(&mut out, row.iter().map(String::as_str));
        }
        out
    }

    /// `LLR 1.23, bounds -2.94 and 2.94`
    fn standing(&self) -> String {
        let two = |value: f64| figures::number(value, 2);
        let llr = match self.looks.last() {
            Some(Look { llr: Some(llr), .. }) => format!("LLR {}", two(*llr)),
            Some(_) => "no LLR, for all blocks are alike".to_owned(),
            None => "no LLR before the first batch".to_owned(),
        };
        format!("{llr}, bounds {} and {}", two(self.bounds.lower), two(self.bounds.upper))
    }

    /// The verdict and what it rests on.
    fn verdict(&self) -> String {
        let labels = self.experiment.labels();
        let [a, b] = [0, 1].map(|place| labels.get(place).copied().unwrap_or_default());
        let Terms { hypotheses, measure, alpha, beta, .. } = self.terms;
        let (h0, h1, unit) = hypotheses.shown();
        let verdict = match self.decision() {
            Decision::H1 => {
                format!("Verdict: H1 is accepted: {a} is ahead of {b} by {h1} {unit} rather than by {h0}")
            }
            Decision::H0 => {
                format!("Verdict: H0 is accepted: {a} is ahead of {b} by {h0} {unit} rather than by {h1}")
            }
            Decision::Open if self.blocks() < self.experiment.blocks => "No verdict yet".to_owned(),
            Decision::Open => "No verdict".to_owned(),
        };
        let model =
            if self.has_pairs() { "pentanomial, of pairs of games" } else { "normal, of block contrasts" };
        let (blocks, most) = (counted(self.blocks(), "block"), count(self.experiment.blocks));
        let measure = MEASURES[measure].replace('_', " ");
        format!(
            "{verdict}; {blocks} of at most {most} played.\n\
             Hypotheses: H0 {h0}, H1 {h1} {unit}, by the {measure} of {a} against {b}, seen from {a}.\n\
             Model: {model}; alpha {alpha}, beta {beta}; {}.\n\
             An estimate is biased if the games stop when it is clear; for the size of the difference, play a match of a \
             fixed size on another seed.\n",
            self.standing()
        )
    }
}

/// The columns of the scores of pairs: two losses of A, a loss and a draw, and so on.
const PAIRS: [&str; 5] = ["ll", "ld", "dd_wl", "wd", "ww"];

impl Study for Sprt {
    fn kind(&self) -> &'static str {
        "sprt"
    }

    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn settings(&self) -> Map<String, Value> {
        let Terms { hypotheses, measure, alpha, beta, batch } = self.terms;
        let (key, values) = match hypotheses {
            Hypotheses::Elo(h0, h1) => ("elo", [h0, h1]),
            Hypotheses::Effect(h0, h1) => ("effect", [h0, h1]),
        };
        let terms = json!({
            key: values,
            "measure": MEASURES[measure],
            "alpha": alpha,
            "beta": beta,
            "batch": batch,
            "model": if self.has_pairs() { "pentanomial" } else { "blocks" },
        });
        Map::from_iter([("sprt".to_owned(), terms)])
    }

    fn games(&self) -> u64 {
        self.experiment.games().unwrap_or(u64::MAX)
    }

    fn heading(&self) -> String {
        let Experiment { game, seed, blocks, .. } = &self.experiment;
        let (players, games) = (self.experiment.players(), counted(self.games(), "game"));
        let blocks = counted(*blocks, "block");
        format!("{game}, {players} players, seed {seed}: a sequential test of at most {blocks}, {games}")
    }

    fn next(&self) -> Option<Stage> {
        let start = self.blocks();
        let end = start.saturating_add(self.terms.batch).min(self.experiment.blocks);
        if self.decision() != Decision::Open || self.was_stopped() || start >= end {
            return None;
        }
        let found = if start == 0 { String::new() } else { self.standing() };
        Some(Stage { experiment: self.experiment.clone(), blocks: start..end, found })
    }

    fn take(&mut self, played: &Played) {
        let all = match self.played.take() {
            Some(mut before) => {
                before.merge(played);
                before
            }
            None => played.clone(),
        };
        if all.complete {
            self.looks.push(self.look(&all));
        }
        self.played = Some(all);
    }

    fn findings(&self) -> Findings {
        let Some(played) = &self.played else { return Findings::default() };
        let summary = played.outcome(&self.experiment).summary;
        let mut files = tables::tables(&self.experiment, &summary);
        files.push(("sprt.csv", self.table()));
        let mut text = report_table::agents(&self.experiment, &summary);
        text += &format!("\n{}", self.verdict());
        text += &report_table::closing(&self.experiment, &summary);
        Findings {
            complete: !self.was_stopped() && self.next().is_none(),
            effort: played.effort(),
            files,
            text,
        }
    }
}
