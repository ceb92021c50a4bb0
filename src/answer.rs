//! What a run found, in sentences: one for each comparison, which says what it means.

use crate::estimate::{Estimate, Interval, Method, Verdict};
use crate::figures::{counted, plain, signed};
use crate::statistics::planner::{POWER, blocks_needed};
use crate::statistics::quantile::student;
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

/// How many blocks it takes to show a difference between agents that met and are not told apart: one as large as was seen,
/// and one of `size` of a win a game. `None` if there is nothing undecided, or nothing to plan by.
#[must_use]
pub fn plan(confidence: f64, size: f64, summary: &Summary) -> Option<String> {
    let undecided = summary.pairs.iter().filter(|row| row.measure == "win_share" && row.met);
    let undecided = undecided.filter(|row| row.contrast.verdict() == Verdict::Undecided);
    let rows: Vec<(&PairRow, f64)> =
        undecided.filter_map(|row| Some((row, variance(row, confidence)?))).collect();
    let needed = |difference: f64, variance: f64| blocks_needed(difference, variance, confidence);
    let largest = rows.iter().map(|(_, variance)| *variance).fold(0.0, f64::max);
    let blocks = counted(needed(size, largest)?, "block");
    let often = POWER * 10.0;
    Some(match rows[..] {
        [(row, variance)] => {
            let seen = row.contrast.value.and_then(|value| needed(value, variance));
            let seen = seen.map_or_else(String::new, |seen| {
                format!("one as large as was seen takes about {}, ", counted(seen, "block"))
            });
            format!("To show a difference {often} times in 10, {seen}one of {size} of a win a game {blocks}.")
        }
        _ => format!(
            "To show a difference of {size} of a win a game {often} times in 10, a pair that is undecided takes about {blocks} \
             at most."
        ),
    })
}

/// The variance of a block's contrast, from its interval. One end may be cut off, the other then is not.
fn variance(row: &PairRow, confidence: f64) -> Option<f64> {
    let interval = row.contrast.interval.ok().filter(|interval| interval.method == Method::BlockT)?;
    let value = row.contrast.value?;
    let half = (interval.high - value).max(value - interval.low);
    let error = half / student(confidence, row.blocks.checked_sub(1)?.max(1));
    Some(error * error * row.blocks as f64)
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
    use crate::estimate::Missing;
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

    #[test]
    fn an_undecided_pair_is_told_how_many_blocks_a_difference_takes() {
        let row = |contrast: Estimate| PairRow {
            variant: "base".to_owned(),
            agent_a: "greedy".to_owned(),
            agent_b: "random".to_owned(),
            met: true,
            measure: "win_share",
            blocks: 101,
            contrast,
            verdict: "",
        };
        let plan = |contrasts: &[Estimate]| {
            plan(
                0.95,
                0.05,
                &Summary { pairs: contrasts.iter().copied().map(row).collect(), ..Summary::default() },
            )
        };
        // Half the width is t(100) · s / √101 = 0.2, so s² = 1.0264; (t + 1.2816)² of it over 0.01 and 0.0025.
        let seen = plan(&[estimate(0.1, -0.1, 0.3)]).unwrap();
        let expected = "To show a difference 9 times in 10, one as large as was seen takes about 1,080 blocks, one of 0.05 of a \
                        win a game 4,316 blocks.";
        assert_eq!(seen, expected);
        // One end is cut off where a difference of shares ends.
        let whole = plan(&[estimate(0.1, -0.95, 1.15)]);
        assert!(whole.is_some() && plan(&[estimate(0.1, -0.95, 1.0)]) == whole);
        assert!(
            plan(&[estimate(0.0, -0.2, 0.2)])
                .unwrap()
                .starts_with("To show a difference 9 times in 10, one of 0.05")
        );
        let several =
            plan(&[estimate(0.1, -0.1, 0.3), estimate(0.0, -0.1, 0.1), estimate(0.5, 0.4, 0.6)]).unwrap();
        assert!(several.contains("takes about 4,316 blocks at most"), "{several}");
        assert_eq!(plan(&[estimate(0.5, 0.4, 0.6)]), None);
        assert_eq!(plan(&[]), None);
    }
}
