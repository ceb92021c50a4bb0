//! From the tally of a run to its tables.

use super::metrics::{Metric, Source};
use super::plan::{Contrast, MEASURES, PLACE, Plan, SCORE, WIN, WIN_SHARE};
use super::{Tally, VariantTally};
use crate::Experiment;
use crate::estimate::{Estimate, Interval, Method, Missing, Verdict};
use crate::statistics::histogram::Histogram;
use crate::statistics::judge::{Judge, Nature};
use crate::statistics::moments::{Linear, Quantity};
use crate::statistics::sequence;
use crate::summary::{AgentRow, MetricRow, PairRow, ScoreRow, SeatRow, Summary};
use crate::watch::Running;

/// Makes tables of a tally.
#[derive(Clone, Copy, Debug)]
pub struct Summariser<'t> {
    experiment: &'t Experiment,
    plan: &'t Plan,
    tally: &'t Tally,
    judge: Judge,
}

impl<'t> Summariser<'t> {
    /// Makes tables of the tally of an experiment.
    #[must_use]
    pub fn new(experiment: &'t Experiment, plan: &'t Plan, tally: &'t Tally) -> Summariser<'t> {
        Summariser { experiment, plan, tally, judge: Judge::new(tally.blocks, experiment.confidence) }
    }

    /// All tables.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let mut summary = Summary::default();
        if self.tally.blocks == 0 {
            return summary;
        }
        for variant in 0..self.tally.variants.len() {
            summary.agents.extend((0..self.plan.agents).map(|agent| self.agent_row(variant, agent)));
            summary.seats.extend(self.seat_rows(variant));
            summary.pairs.extend(self.pair_rows(variant));
            summary.scores.extend(self.score_rows(variant));
            summary.metrics.extend(self.plan.metrics.iter().map(|metric| self.metric_row(variant, metric)));
        }
        summary
    }

    fn variant(&self, variant: usize) -> (&'t VariantTally, String) {
        (&self.tally.variants[variant], self.experiment.variants[variant].name.clone())
    }

    fn label(&self, agent: usize) -> String {
        self.experiment.labels()[agent].to_owned()
    }

    fn agent_row(&self, variant: usize, agent: usize) -> AgentRow {
        let (tally, name) = self.variant(variant);
        let plan = self.plan;
        let sum = |place: usize| tally.sums[place];
        let measure = |measure: usize, nature| {
            let estimate = self.estimate(variant, plan.agent_quantity(agent, measure), nature);
            // Whoever plays against itself alone wins its share, whatever the cards are.
            if plan.agents == 1 && measure != SCORE { exact(estimate) } else { estimate }
        };
        let is_one_game = plan.held[agent] == 1;
        AgentRow {
            variant: name,
            agent: self.label(agent),
            games: self.tally.blocks * plan.games_of[agent],
            blocks: self.tally.blocks,
            seats: plan.held[agent] as f64 / plan.games_of[agent] as f64,
            wins: sum(plan.agent(agent, WIN_SHARE)) as f64 / WIN as f64,
            win_share: measure(WIN_SHARE, self.share(variant, plan.agent(agent, WIN_SHARE), is_one_game)),
            score: measure(SCORE, Nature::Free),
            place: measure(PLACE, Nature::Free),
            decisions: sum(plan.decisions(agent)) as u64,
            forced: sum(plan.decisions(agent) + 1) as u64,
            clairvoyant: self.experiment.is_clairvoyant(self.experiment.labels()[agent]),
        }
    }

    /// What is known of a share of wins: where each block adds one game, and each of those was won or lost, they are
    /// independent outcomes.
    fn share(&self, variant: usize, place: usize, is_one_game: bool) -> Nature {
        let sample = self.tally.own(self.plan, variant);
        let all_or_nothing = sample.sum_of_products(place, place) == i128::from(WIN) * sample.one[place];
        if is_one_game && all_or_nothing { Nature::Outcomes(0.0, 1.0) } else { Nature::Within(0.0, 1.0) }
    }

    fn seat_rows(&self, variant: usize) -> Vec<SeatRow> {
        let (tally, name) = self.variant(variant);
        let plan = self.plan;
        let seats = (0..plan.agents).flat_map(|agent| (0..plan.players).map(move |seat| (agent, seat)));
        let row = |(agent, seat)| {
            let place = plan.agent_seat(agent, seat, WIN_SHARE);
            let nature = self.share(variant, place, plan.games_in_seat(agent) == 1);
            SeatRow {
                variant: name.clone(),
                agent: self.label(agent),
                seat_from_leader: seat,
                games: self.tally.blocks * plan.games_in_seat(agent),
                wins: tally.sums[place] as f64 / WIN as f64,
                win_share: self.estimate(variant, plan.agent_seat_quantity(agent, seat, WIN_SHARE), nature),
                score: self.estimate(variant, plan.agent_seat_quantity(agent, seat, SCORE), Nature::Free),
            }
        };
        seats.map(row).collect()
    }

    fn pair_rows(&self, variant: usize) -> Vec<PairRow> {
        let mut rows = Vec::new();
        for (pair, &Contrast { agents: (a, b), met, .. }) in self.plan.contrasts.iter().enumerate() {
            for (measure, &name) in MEASURES.iter().enumerate() {
                let quantity = self.plan.contrast_quantity(pair, measure);
                let nature = if measure == WIN_SHARE { Nature::Within(-1.0, 1.0) } else { Nature::Free };
                let contrast = self.estimate(variant, quantity, nature);
                let lower_is_better = measure == PLACE || (measure == SCORE && self.plan.lowest_wins);
                rows.push(PairRow {
                    variant: self.variant(variant).1,
                    agent_a: self.label(a),
                    agent_b: self.label(b),
                    met,
                    measure: name,
                    blocks: self.tally.blocks,
                    contrast,
                    verdict: match (contrast.verdict(), lower_is_better) {
                        (Verdict::Higher, false) | (Verdict::Lower, true) => "a_stronger",
                        (Verdict::Lower, false) | (Verdict::Higher, true) => "b_stronger",
                        (Verdict::Undecided, _) => "undecided",
                        (Verdict::NoInterval, _) => "no_interval",
                    },
                });
            }
        }
        rows
    }

    /// The mean over blocks of the contrast of a pair in a measure, and its variance over blocks (0 with fewer than two).
    #[must_use]
    pub fn contrast(&self, variant: usize, pair: usize, measure: usize) -> Option<(f64, f64)> {
        let linear = self.linear(variant, self.plan.contrast_quantity(pair, measure))?;
        Some((linear.value, self.variance(variant, &linear)))
    }

    fn score_rows(&self, variant: usize) -> Vec<ScoreRow> {
        let (tally, name) = self.variant(variant);
        let mut rows = Vec::new();
        for (agent, histograms) in tally.scores.iter().enumerate() {
            for (kind, histogram) in ["deal", "game"].into_iter().zip(histograms) {
                rows.extend(histogram.bars().map(|(score, width, count)| ScoreRow {
                    variant: name.clone(),
                    agent: self.label(agent),
                    kind,
                    score,
                    width,
                    count,
                }));
            }
        }
        rows
    }

    /// A metric of a variant, and how it differs from that of the first.
    #[must_use]
    pub fn metric_row(&self, variant: usize, metric: &Metric) -> MetricRow {
        let (value, contrast) = match metric.source {
            Source::Totals(quantity) => {
                let nature = self.metric_nature(variant, metric, quantity);
                let width = metric.bounds.map(|(low, high)| high - low);
                let difference = width.map_or(Nature::Free, |width| Nature::Within(-width, width));
                (self.estimate(variant, quantity, nature), self.difference(variant, quantity, difference))
            }
            Source::Quantile(length, quantile) => {
                let of = |variant: usize| &self.tally.variants[variant].lengths[length];
                let value = self.quantile(of(variant), quantile);
                let base = of(0).quantile(quantile);
                let contrast = value.value.zip(base).map(|(own, base)| own - base as f64);
                (value, Estimate { value: contrast, interval: Err(Missing::NoMethod) })
            }
        };
        let contrast = (variant > 0).then_some(contrast);
        MetricRow { variant: self.variant(variant).1, metric: metric.name.clone(), value, contrast }
    }

    fn metric_nature(&self, variant: usize, metric: &Metric, quantity: Quantity) -> Nature {
        let (Some((low, high)), Quantity::Mean { of, per, .. }) = (metric.bounds, quantity) else {
            return Nature::Free;
        };
        let sample = self.tally.own(self.plan, variant);
        // With one game a block, `per` is the total of a block in which it happened.
        let all_or_nothing = sample.sum_of_products(of, of) == per as i128 * sample.one[of];
        let is_outcomes = self.plan.games() == 1 && all_or_nothing;
        if is_outcomes { Nature::Outcomes(low, high) } else { Nature::Within(low, high) }
    }

    fn quantile(&self, histogram: &Histogram, quantile: f64) -> Estimate {
        let at = |share: f64| histogram.quantile(share).map(|value| value as f64);
        let bounds = self.judge.quantile_bounds(quantile);
        let ends = bounds.and_then(|(low, high)| at(low).zip(at(high)));
        let interval = ends.map(|(low, high)| Interval { low, high, method: Method::Quantile });
        Estimate { value: at(quantile), interval: interval.ok_or(Missing::TooFewBlocks) }
    }

    fn linear(&self, variant: usize, quantity: Quantity) -> Option<Linear> {
        quantity.linear(self.tally.blocks, &self.tally.variants[variant].sums)
    }

    fn estimate(&self, variant: usize, quantity: Quantity, nature: Nature) -> Estimate {
        let Some(linear) = self.linear(variant, quantity) else { return Estimate::NONE };
        self.judge.estimate(linear.value, self.variance(variant, &linear), nature)
    }

    fn variance(&self, variant: usize, linear: &Linear) -> f64 {
        if self.tally.blocks < 2 { 0.0 } else { linear.variance(&self.tally.own(self.plan, variant)) }
    }

    /// The value less that of the first variant.
    fn difference(&self, variant: usize, quantity: Quantity, nature: Nature) -> Estimate {
        match self.difference_and_variance(variant, quantity) {
            Some((value, variance)) => self.judge.estimate(value, variance, nature),
            None => Estimate::NONE,
        }
    }

    fn difference_and_variance(&self, variant: usize, quantity: Quantity) -> Option<(f64, f64)> {
        self.less_base(variant, quantity, 1.0)
    }

    /// A metric of a variant less so many times that of the first, and the variance of that over blocks (0 with fewer than two).
    /// `None` if either has no value, or it is none of those whose variance is known.
    #[must_use]
    pub fn against_base(&self, variant: usize, metric: &Metric, times: f64) -> Option<(f64, f64)> {
        match metric.source {
            Source::Totals(quantity) => self.less_base(variant, quantity, times),
            Source::Quantile(..) => None,
        }
    }

    fn less_base(&self, variant: usize, quantity: Quantity, times: f64) -> Option<(f64, f64)> {
        let linear = self.linear(variant, quantity)?;
        let base = self.linear(0, quantity)?.times(times);
        let across = self.tally.across(self.plan, variant).filter(|sample| sample.blocks > 1);
        let own = self.tally.own(self.plan, variant);
        let bases = self.tally.own(self.plan, 0);
        let variance =
            across.map_or(0.0, |across| linear.variance_of_difference(&base, &own, &bases, &across));
        Some((linear.value - base.value, variance))
    }

    /// The differences as they stand while the run goes on.
    #[must_use]
    pub fn running(&self) -> Vec<Running> {
        let mut rows = Vec::new();
        if self.tally.blocks == 0 {
            return rows;
        }
        for variant in 1..self.tally.variants.len() {
            let score = self.plan.metrics.iter().find(|metric| metric.name == "score_mean_game");
            let Some(Metric { source: Source::Totals(quantity), .. }) = score else { continue };
            if let Some((value, variance)) = self.difference_and_variance(variant, *quantity) {
                let (of, less) = (self.variant(variant).1, self.variant(0).1);
                let estimate = self.sequence(value, variance, f64::INFINITY);
                rows.push(Running { of, less, measure: "score_mean_game", estimate });
            }
        }
        for (pair, &Contrast { agents: (a, b), .. }) in self.plan.contrasts.iter().enumerate() {
            let quantity = self.plan.contrast_quantity(pair, WIN_SHARE);
            if let Some(linear) = self.linear(0, quantity) {
                let estimate = self.sequence(linear.value, self.variance(0, &linear), 1.0);
                let (of, less) = (self.label(a), self.label(b));
                rows.push(Running { of, less, measure: MEASURES[WIN_SHARE], estimate });
            }
        }
        rows
    }

    /// The value, which cannot be further from 0 than `bound`, with a confidence sequence, tuned for the blocks that are
    /// wanted.
    fn sequence(&self, value: f64, variance: f64, bound: f64) -> Estimate {
        let Experiment { blocks: wanted, confidence, .. } = *self.experiment;
        let blocks = self.tally.blocks;
        let interval = if blocks < 2 {
            Err(Missing::TooFewBlocks)
        } else if variance <= 0.0 {
            Err(Missing::NoSpread)
        } else {
            let half = sequence::half_width(blocks, wanted, confidence) * libm::sqrt(variance);
            let (low, high) = ((value - half).max(-bound), (value + half).min(bound));
            Ok(Interval { low, high, method: Method::ConfidenceSequence })
        };
        Estimate { value: Some(value), interval }
    }
}

fn exact(estimate: Estimate) -> Estimate {
    let interval = estimate.value.map(|value| Interval { low: value, high: value, method: Method::Exact });
    Estimate { interval: interval.ok_or(Missing::NeverHappened), ..estimate }
}
