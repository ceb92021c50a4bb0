//! What a run found, as a person reads it: a table of the agents, one of the variants, and a sentence for each comparison
//! that says what it means. The numbers are those of the results folder, rounded to what their intervals bear.

use std::io::{self, Write};

use dealt::estimate::{Estimate, Interval, Method, Missing, Verdict};
use dealt::experiment::Experiment;
use dealt::summary::{AgentRow, MetricRow, PairRow, Summary};
use dealt_agents::AgentSpec;

/// The metrics that a variant is summed up by.
const SCORES: [(&str, &str); 2] = [("score_mean_game", "game"), ("score_mean_deal", "deal")];

/// Prints all of it.
pub(crate) fn print(experiment: &Experiment, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    for variant in &experiment.variants {
        let rows: Vec<&AgentRow> = summary.agents.iter().filter(|row| row.variant == variant.name).collect();
        if experiment.variants.len() > 1 {
            writeln!(out, "\nVariant {}", variant.name)?;
        } else {
            writeln!(out)?;
        }
        print_agents(&rows, out)?;
    }
    if experiment.variants.len() > 1 {
        print_metrics(experiment, &summary.metrics, out)?;
    }
    writeln!(out)?;
    for sentence in sentences(experiment, summary) {
        writeln!(out, "{sentence}")?;
    }
    if experiment.agents().any(AgentSpec::depends_on_time) {
        writeln!(out, "An agent has a limit of time: another run may play other games.")?;
    }
    if shows_an_interval(experiment, summary) {
        let percent = experiment.confidence * 100.0;
        writeln!(out, "Intervals hold with {percent} % confidence; the blocks are the observations.")?;
    }
    Ok(())
}

/// Whether any number printed has an interval beside it.
fn shows_an_interval(experiment: &Experiment, summary: &Summary) -> bool {
    let of_agents = summary.agents.iter().flat_map(|row| [row.win_share, row.score]);
    let of_pairs = summary.pairs.iter().map(|row| row.contrast);
    let of_variants = summary.metrics.iter().filter(|_| experiment.variants.len() > 1);
    let of_variants = of_variants.filter_map(|row| row.contrast);
    let is_shown = |interval: Interval| interval.method != Method::Exact;
    of_agents.chain(of_pairs).chain(of_variants).any(|estimate| estimate.interval.is_ok_and(is_shown))
}

fn print_agents(rows: &[&AgentRow], out: &mut dyn Write) -> io::Result<()> {
    let mut table = vec![
        ["agent", "games", "blocks", "win share", "score a game", "decisions a game"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for row in rows {
        let decisions = row.decisions as f64 / (row.games as f64 * row.seats).max(1.0);
        table.push(vec![
            format!("{}{}", row.agent, if row.clairvoyant { " (sees all cards)" } else { "" }),
            count(row.games),
            count(row.blocks),
            plain(&row.win_share),
            plain(&row.score),
            format!("{decisions:.1}"),
        ]);
    }
    print_table(&table, out)
}

/// Prints the metrics in which a variant is shown to differ.
fn print_metrics(experiment: &Experiment, metrics: &[MetricRow], out: &mut dyn Write) -> io::Result<()> {
    let base = &experiment.variants[0].name;
    for variant in &experiment.variants[1..] {
        writeln!(out, "\n{} against {base}", variant.name)?;
        let mut table =
            vec![["metric", base.as_str(), &variant.name, "difference"].map(str::to_owned).to_vec()];
        let rows: Vec<&MetricRow> = metrics.iter().filter(|row| row.variant == variant.name).collect();
        for row in &rows {
            let first = metrics.iter().find(|other| other.variant == *base && other.metric == row.metric);
            let contrast = row.contrast.unwrap_or(Estimate::NONE);
            if let Verdict::Higher | Verdict::Lower = contrast.verdict() {
                let base = first.map_or_else(String::new, |row| value(&row.value));
                table.push(vec![row.metric.clone(), base, value(&row.value), signed(&contrast)]);
            }
        }
        print_table(&table, out)?;
        let which = if table.len() > 1 { "those above are" } else { "none is" };
        writeln!(
            out,
            "  ({} metrics compared, all in metrics.csv; {which} shown to differ. {})",
            rows.len(),
            by_chance(experiment)
        )?;
    }
    Ok(())
}

/// What to expect of many comparisons.
fn by_chance(experiment: &Experiment) -> String {
    let one_in = (1.0 / (1.0 - experiment.confidence)).round();
    format!("By chance alone about one in {one_in} of those that do not differ seems to.")
}

/// Prints columns: the first to the left, as text; the others to the right, as numbers.
pub(crate) fn print_table(rows: &[Vec<String>], out: &mut dyn Write) -> io::Result<()> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            match column {
                0 => line += &format!("  {cell:<width$}"),
                _ => line += &format!("  {cell:>width$}"),
            }
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// What the comparisons mean.
fn sentences(experiment: &Experiment, summary: &Summary) -> Vec<String> {
    let several = experiment.variants.len() > 1;
    let of_variants = experiment.variants[1..].iter().map(|variant| variant_sentence(&variant.name, summary));
    let pairs = summary.pairs.iter().filter(|row| row.measure == "win_share");
    let apart = pairs.clone().filter(|row| !row.met).count();
    let of_pairs = pairs.filter(|row| row.met).map(|row| {
        let under = if several { format!("{}: ", row.variant) } else { String::new() };
        format!("{under}{}", pair_sentence(row))
    });
    let compared = of_pairs.clone().count();
    let mut sentences: Vec<String> = of_variants.chain(of_pairs).collect();
    if compared > 1 {
        sentences.push(format!("{compared} pairs compared. {}", by_chance(experiment)));
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

/// `1 block`, `1,234 blocks`
pub(crate) fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A number with groups of three digits.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `0.312 [0.290, 0.334]`
fn plain(estimate: &Estimate) -> String {
    shown(estimate, false)
}

/// `+0.312 [0.290, 0.334]`
pub(crate) fn signed(estimate: &Estimate) -> String {
    shown(estimate, true)
}

/// The value alone, to as many places as its interval bears.
fn value(estimate: &Estimate) -> String {
    let decimals = decimals(estimate);
    estimate.value.map_or_else(|| "-".to_owned(), |value| number(value, decimals))
}

fn shown(estimate: &Estimate, sign: bool) -> String {
    let decimals = decimals(estimate);
    let Some(value) = estimate.value else { return "never happened".to_owned() };
    let plus = if sign && value >= 0.0 { "+" } else { "" };
    let value = format!("{plus}{}", number(value, decimals));
    match estimate.interval {
        Ok(Interval { method: Method::Exact, .. }) => value,
        Ok(Interval { low, high, .. }) => {
            format!("{value} [{}, {}]", number(low, decimals), number(high, decimals))
        }
        Err(Missing::TooFewBlocks) => format!("{value} (too few blocks for an interval)"),
        Err(Missing::NoSpread) => format!("{value} (all blocks alike)"),
        Err(Missing::NeverHappened | Missing::NoMethod) => value,
    }
}

/// Two digits of half the interval's width; no zero with a sign.
fn number(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let is_zero = text.chars().all(|letter| !letter.is_ascii_digit() || letter == '0');
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

fn decimals(estimate: &Estimate) -> usize {
    let half = estimate.interval.map_or(0.0, |interval| (interval.high - interval.low) / 2.0);
    if half <= 0.0 { 3 } else { (1.0 - half.log10().floor()).clamp(0.0, 6.0) as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_number_has_the_digits_that_its_interval_bears() {
        assert_eq!(signed(&estimate(1.9123, 1.7342, 2.0904)), "+1.91 [1.73, 2.09]");
        assert_eq!(plain(&estimate(1234.5, 1200.0, 1269.0)), "1234 [1200, 1269]");
        assert_eq!(signed(&estimate(-0.00001, -0.01, 0.01)), "0.000 [-0.010, 0.010]");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(100), "100");
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
