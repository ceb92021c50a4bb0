//! Whether what a search found is better: the tests, the verdict, and the preset that comes of it.

use dealt_agents::{AgentSpec, Parameters};
use serde_json::Value;

use super::spsa::Dimension;
use super::{Search, Terms, Tune};
use crate::cells::{number, optional, write_row};
use crate::estimate::{Estimate, Interval, Verdict};
use crate::experiment::Experiment;
use crate::figures::{counted, signed};
use crate::report_table;
use crate::results::tables;
use crate::run::Played;
use crate::study::{Effort, Findings};
use crate::tally::plan::{MEASURES, PLACE, Plan, SCORE, WIN_SHARE};
use crate::tally::summarise::Summariser;

/// A test of the answer, and what came of it.
#[derive(Clone, Debug)]
pub(super) struct Test {
    pub(super) experiment: Experiment,
    pub(super) played: Option<Played>,
}

/// What the tests come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Judgement {
    /// Not all tests were played.
    Open,
    /// The answer is the baseline.
    Same,
    /// It is shown to be better, and not to be worse against the third agent.
    Better,
    /// It is shown to be better, but worse against the third agent.
    BetterAgainstItsKind,
    /// It is shown to be worse by less than the margin, if at all.
    AsGood,
    /// Nothing of this is shown.
    NotShown,
    /// It is shown to be worse.
    Worse,
}

impl Judgement {
    fn adopts(self) -> bool {
        matches!(self, Judgement::Better | Judgement::AsGood)
    }
}

/// By how much more one agent of a stage gets than another of the measure, the better the more, and the variance of that over
/// blocks. `None` if nothing was played, or they are one agent.
pub(super) fn advantage(
    experiment: &Experiment,
    played: &Played,
    [one, other]: [&str; 2],
    measure: usize,
) -> Option<(f64, f64)> {
    let (pair, sign) = find_pair(experiment, &played.plan, [one, other], measure)?;
    let summariser = Summariser::new(experiment, &played.plan, &played.tally);
    let (mean, variance) = summariser.contrast(0, pair, measure)?;
    Some((sign * mean, variance))
}

/// The contrast of two agents, and by what it is multiplied so that more is better for the first.
fn find_pair(
    experiment: &Experiment,
    plan: &Plan,
    agents: [&str; 2],
    measure: usize,
) -> Option<(usize, f64)> {
    let labels = experiment.labels();
    let [one, other] = agents.map(|agent| labels.iter().position(|label| *label == agent));
    let (one, other) = (one?, other?);
    let pair = plan.contrasts.iter().position(|pair| [(one, other), (other, one)].contains(&pair.agents))?;
    let turned = if plan.contrasts[pair].agents == (one, other) { 1.0 } else { -1.0 };
    let lower_is_better = measure == PLACE || (measure == SCORE && plan.lowest_wins);
    Some((pair, if lower_is_better { -turned } else { turned }))
}

impl Test {
    pub(super) fn new(experiment: Experiment) -> Test {
        Test { experiment, played: None }
    }

    /// By how much more the one gets than the other, the better the more.
    fn estimate(&self, agents: [&str; 2], measure: usize) -> Option<Estimate> {
        let played = self.played.as_ref()?;
        let (pair, sign) = find_pair(&self.experiment, &played.plan, agents, measure)?;
        let pairs = played.outcome(&self.experiment).summary.pairs;
        let found = pairs.get(pair * MEASURES.len() + measure)?.contrast;
        let turn = |Interval { low, high, method }: Interval| {
            let [low, high] = if sign < 0.0 { [-high, -low] } else { [low, high] };
            Interval { low, high, method }
        };
        Some(Estimate { value: found.value.map(|value| sign * value), interval: found.interval.map(turn) })
    }
}

impl Tune {
    /// What the tests say, as far as they were played.
    pub(super) fn judge(&self) -> Findings {
        let mut files = Vec::new();
        let mut text = self.parameter_table();
        if let Some((test, played)) = self.tests.first().and_then(|test| Some((test, test.played.as_ref()?)))
        {
            let summary = played.outcome(&test.experiment).summary;
            files = tables::tables(&test.experiment, &summary);
            text += &report_table::agents(&test.experiment, &summary);
            text += &format!("\n{}", self.sentences());
            text += &report_table::closing(&test.experiment, &summary);
        } else {
            text += &format!("\n{}", self.sentences());
        }
        files.push(("tests.csv", self.tests_file()));
        if let Some(answer) = &self.answer {
            files.push(("preset.toml", self.preset(answer)));
        }
        Findings { complete: false, effort: Effort::default(), files, text }
    }

    fn labels(&self) -> [&str; 2] {
        let baseline = self.terms.baseline.label();
        [self.answer.as_ref().map_or(baseline, AgentSpec::label), baseline]
    }

    /// What is tested of the answer, in order: where, and by how much it is better in the measure.
    fn estimates(&self, measure: usize) -> Vec<Option<Estimate>> {
        self.tests.iter().map(|test| test.estimate(self.labels(), measure)).collect()
    }

    fn judgement(&self) -> Judgement {
        let Some(answer) = &self.answer else { return Judgement::Open };
        if answer.label() == self.terms.baseline.label() {
            return Judgement::Same;
        }
        let [Some(of_baseline), Some(of_third)] = self.estimates(self.terms.measure)[..] else {
            return Judgement::Open;
        };
        let is_close = |margin: f64| of_baseline.interval.is_ok_and(|interval| interval.low > -margin);
        match (of_baseline.verdict(), of_third.verdict()) {
            (Verdict::Higher, Verdict::Lower) => Judgement::BetterAgainstItsKind,
            (Verdict::Higher, _) => Judgement::Better,
            _ if self.terms.margin.is_some_and(is_close) => Judgement::AsGood,
            (Verdict::Lower, _) => Judgement::Worse,
            _ => Judgement::NotShown,
        }
    }

    fn verdict(&self) -> String {
        let baseline = self.terms.baseline.label();
        match self.judgement() {
            Judgement::Open => "No verdict: the search was stopped before its answer was tested.".to_owned(),
            Judgement::Same => format!("Verdict: the search ends where {baseline} is; nothing to adopt."),
            Judgement::Better => {
                format!("Verdict: the tuned agent is better than {baseline}; preset.toml holds it.")
            }
            Judgement::BetterAgainstItsKind => format!(
                "Verdict: the tuned agent beats {baseline}, but does worse than it against {}; it is not to be adopted.",
                self.terms.third.label()
            ),
            Judgement::AsGood => format!(
                "Verdict: the tuned agent is at most {} worse than {baseline}, if at all; preset.toml holds it.",
                number(self.terms.margin.unwrap_or_default())
            ),
            Judgement::NotShown => {
                format!("Verdict: the tuned agent is not shown to be better than {baseline}; keep to that.")
            }
            Judgement::Worse => format!("Verdict: the tuned agent is worse than {baseline}; keep to that."),
        }
    }

    fn sentences(&self) -> String {
        let Terms { measure, baseline, third, test_blocks, .. } = &self.terms;
        let unit = match *measure {
            WIN_SHARE => "of a win a game",
            SCORE => "points a game",
            _ => "places a game",
        };
        let shown = |estimate: &Option<Estimate>| {
            estimate
                .as_ref()
                .map_or_else(|| "not played".to_owned(), |estimate| format!("{} {unit}", signed(estimate)))
        };
        let mut text = String::new();
        if let [of_baseline, of_third] = &self.estimates(*measure)[..] {
            text += &format!(
                "On {} that the search has not seen, in favour of the tuned agent:\n  against {} {};\n  against {}, where {} \
                 played the same cards, {}.\n",
                counted(*test_blocks, "block"),
                baseline.label(),
                shown(of_baseline),
                third.label(),
                baseline.label(),
                shown(of_third),
            );
        }
        text + &format!("{}\n", self.verdict())
    }

    /// What was tuned: where it began, and where it ended.
    fn parameter_table(&self) -> String {
        let mut rows = vec![["parameter", "start", "tuned"].map(str::to_owned).to_vec()];
        match &self.search {
            Search::Spsa(search) => {
                for Dimension { key, .. } in search.dimensions() {
                    let value = |agent: &AgentSpec| {
                        agent.parameters().get(key).map_or_else(String::new, Value::to_string)
                    };
                    let tuned = self.answer.as_ref().map_or_else(|| "-".to_owned(), value);
                    rows.push(vec![key.clone(), value(&self.terms.agent), tuned]);
                }
            }
            Search::Halving { .. } => {
                let tuned = self.answer.as_ref().map_or("-", AgentSpec::label);
                rows.push(vec!["all".to_owned(), self.terms.agent.label().to_owned(), tuned.to_owned()]);
            }
        }
        format!("\n{}", report_table::table(&rows))
    }

    fn tests_file(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let columns = [
            "test",
            "agent",
            "baseline",
            "third",
            "measure",
            "blocks",
            "advantage",
            "low",
            "high",
            "confidence",
            "method",
            "verdict",
        ];
        write_row(&mut out, columns);
        let [answer, baseline] = self.labels();
        for (name, test) in ["baseline", "third"].into_iter().zip(&self.tests) {
            let Some(played) = &test.played else { continue };
            for (measure, measure_name) in MEASURES.iter().enumerate() {
                let Some(estimate) = test.estimate([answer, baseline], measure) else { continue };
                let ends = estimate.interval.ok().map(|interval| (interval.low, interval.high));
                let verdict = match estimate.verdict() {
                    Verdict::Higher => "better".to_owned(),
                    Verdict::Lower => "worse".to_owned(),
                    other => other.to_string(),
                };
                let mut row = [name, answer, baseline, self.terms.third.label(), measure_name]
                    .map(str::to_owned)
                    .to_vec();
                row.extend([played.tally.blocks.to_string(), optional(estimate.value)]);
                row.extend([optional(ends.map(|ends| ends.0)), optional(ends.map(|ends| ends.1))]);
                row.extend([number(self.base.confidence), estimate.method().to_owned(), verdict]);
                write_row(&mut out, row.iter().map(String::as_str));
            }
        }
        out
    }

    /// The answer as a preset file, which says where it comes from.
    fn preset(&self, answer: &AgentSpec) -> Vec<u8> {
        let Experiment { name, game, seed, .. } = &self.base;
        let Terms { measure, test_blocks, .. } = &self.terms;
        let adopted = if self.judgement().adopts() { "" } else { "NOT ADOPTED. " };
        let tested = self.sentences().replace('\n', " ");
        let about = format!(
            "{adopted}{} tuned by {} in the experiment {name}, seed {seed}, and tested on {}. {}",
            answer.name(),
            MEASURES[*measure].replace('_', " "),
            counted(*test_blocks, "block"),
            tested.trim().replace("  ", " "),
        );
        let text = |text: &str| Value::from(text).to_string();
        let mut out = format!(
            "about = {}\ngame = {}\nagent = {}\n\n[parameters]\n",
            text(&about),
            text(game),
            text(answer.name())
        );
        let defaults: Parameters = AgentSpec::new(answer.name(), &Parameters::new(), game)
            .map(|agent| agent.parameters().clone())
            .unwrap_or_default();
        for (key, value) in
            answer.parameters().iter().filter(|(key, value)| defaults.get(*key) != Some(*value))
        {
            out += &format!("{key} = {value}\n");
        }
        out.into_bytes()
    }
}
