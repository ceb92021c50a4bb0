//! What a run found, in sentences: one for each comparison, which says what it means.

use crate::estimate::{Estimate, Interval, Verdict};
use crate::figures::{plain, signed};
use crate::summary::{PairRow, Summary};

/// The metrics that a variant is summed up by.
const SCORES: [(&str, &str); 2] = [("score_mean_game", "game"), ("score_mean_deal", "deal")];

/// What the comparisons of a run mean: of each variant with the first, and of each pair of agents.
#[must_use]
pub fn sentences(variants: &[&str], confidence: f64, summary: &Summary) -> Vec<String> {
    let several = variants.len() > 1;
    let of_variants = variants.iter().skip(1).map(|name| variant_sentence(name, summary));
    let pairs = summary.pairs.iter().filter(|row| row.measure == "win_share");
    let apart = pairs.clone().filter(|row| !row.met).count();
    let of_pairs = pairs.filter(|row| row.met).map(|row| {
        let under = if several { format!("{}: ", row.variant) } else { String::new() };
        format!("{under}{}", pair_sentence(row))
    });
    let compared = of_pairs.clone().count();
    let mut sentences: Vec<String> = of_variants.chain(of_pairs).collect();
    if compared > 1 {
        sentences.push(format!("{compared} pairs compared. {}", by_chance(confidence)));
    }
    if apart > 0 {
        let (pairs, meet) = if apart == 1 { ("pair", "meets") } else { ("pairs", "meet") };
        sentences.push(format!(
            "{apart} {pairs} of agents never {meet}; pairs.csv compares them by what each did."
        ));
    }
    if sentences.is_empty() {
        sentences
            .push("One agent in all seats under one set of rules: there is nothing to compare.".to_owned());
    }
    sentences
}

fn variant_sentence(name: &str, summary: &Summary) -> String {
    let difference = |(metric, of): (&str, &str)| {
        let row = summary.metrics.iter().find(|row| row.variant == name && row.metric == metric);
        let contrast = row.and_then(|row| row.contrast).unwrap_or(Estimate::NONE);
        let meaning = match contrast.verdict() {
            Verdict::Higher | Verdict::Lower => "",
            Verdict::Undecided => " (the interval covers zero: no difference is shown)",
            Verdict::NoInterval => " (no conclusion)",
        };
        format!("{} points a {of}{meaning}", signed(&contrast))
    };
    format!("{name}: {} for each player.", SCORES.map(difference).join(", "))
}

fn pair_sentence(row: &PairRow) -> String {
    let PairRow { agent_a: a, agent_b: b, contrast, .. } = row;
    match contrast.verdict() {
        Verdict::Higher => format!("{a} beats {b} by {} of a win a game.", plain(contrast)),
        Verdict::Lower => format!("{b} beats {a} by {} of a win a game.", plain(&negated(contrast))),
        Verdict::Undecided => {
            format!(
                "{a} against {b}: {} of a win a game; the interval covers zero, so neither is shown to be stronger.",
                signed(contrast)
            )
        }
        Verdict::NoInterval => {
            format!("{a} against {b}: {} of a win a game; no conclusion.", signed(contrast))
        }
    }
}

fn negated(estimate: &Estimate) -> Estimate {
    let interval =
        estimate.interval.map(|interval| Interval { low: -interval.high, high: -interval.low, ..interval });
    Estimate { value: estimate.value.map(|value| -value), interval }
}

/// What to expect of many comparisons at a confidence level.
#[must_use]
pub fn by_chance(confidence: f64) -> String {
    let one_in = (1.0 / (1.0 - confidence)).round();
    format!("By chance alone about one in {one_in} of those that do not differ seems to.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::{Method, Missing};
    use crate::summary::MetricRow;

    fn estimate(value: f64, low: f64, high: f64) -> Estimate {
        Estimate { value: Some(value), interval: Ok(Interval { low, high, method: Method::BlockT }) }
    }

    fn pair(contrast: Estimate) -> String {
        let (variant, measure, verdict) = ("base".to_owned(), "win_share", "");
        let (agent_a, agent_b) = ("greedy".to_owned(), "random".to_owned());
        pair_sentence(&PairRow {
            variant,
            agent_a,
            agent_b,
            met: true,
            measure,
            blocks: 10,
            contrast,
            verdict,
        })
    }

    #[test]
    fn a_variant_is_summed_up_by_what_it_does_to_scores() {
        let row = |metric: &str, contrast| {
            let (variant, metric) = ("ace high".to_owned(), metric.to_owned());
            MetricRow { variant, metric, value: Estimate::NONE, contrast: Some(contrast) }
        };
        let metrics = vec![
            row("score_mean_deal", estimate(0.2, -0.1, 0.5)),
            row("score_mean_game", estimate(1.9, 1.7, 2.1)),
        ];
        assert_eq!(
            variant_sentence("ace high", &Summary { metrics, ..Summary::default() }),
            "ace high: +1.90 [1.70, 2.10] points a game, \
             +0.20 [-0.10, 0.50] points a deal (the interval covers zero: no difference is shown) for each player."
        );
    }

    #[test]
    fn a_pair_is_summed_up_by_who_beats_whom_or_that_nobody_does() {
        assert_eq!(
            pair(estimate(0.5, 0.4, 0.6)),
            "greedy beats random by 0.50 [0.40, 0.60] of a win a game."
        );
        assert_eq!(
            pair(estimate(-0.5, -0.7, -0.3)),
            "random beats greedy by 0.50 [0.30, 0.70] of a win a game."
        );
        assert!(pair(estimate(0.1, -0.1, 0.3)).contains("the interval covers zero"));
        let none = Estimate { value: Some(0.5), interval: Err(Missing::TooFewBlocks) };
        assert!(pair(none).contains("too few blocks"));
    }
}
