//! The contrasts of a sweep: what each variant of the rules does to each metric in each cell, and whether that is shown.
//!
//! A contrast is the value of a metric under a variant less that under the base rules, on the same cards; its p-value is that
//! of the mean difference of a block, by Student's t. All contrasts of a sweep are one family, whose p-values Holm's
//! correction adjusts together: the chance that even one difference is called shown where there is none stays at
//! 1 − confidence. Claims of equivalence, where a margin was stated, are a family of their own, adjusted likewise. What
//! cannot be tested counts in its family all the same, so that how many there are does not depend on what came out.

use crate::cells::{number, optional, write_row};
use crate::csv_table::{CsvError, CsvRow};
use crate::estimate::Estimate;
use crate::results::read;
use crate::statistics::{equivalence, holm, tail};
use crate::tally::metrics::Metric;
use crate::tally::summarise::Summariser;

/// The name of the table.
pub const CONTRASTS: &str = "contrasts.csv";

/// Its columns.
const COLUMNS: [&str; 20] = [
    "players",
    "skill",
    "judge",
    "variant",
    "metric",
    "blocks",
    "base",
    "value",
    "difference",
    "low",
    "high",
    "method",
    "confidence",
    "p",
    "p_holm",
    "margin",
    "equivalence_p",
    "equivalence_p_holm",
    "family",
    "verdict",
];

/// What a variant does to a metric in a cell.
#[derive(Clone, PartialEq, Debug)]
pub struct Contrast {
    /// How many play.
    pub players: u64,
    /// The name of those who play.
    pub skill: String,
    /// Who they are: the labels of the agents.
    pub judge: String,
    /// The variant's name.
    pub variant: String,
    /// The metric's name.
    pub metric: String,
    /// Blocks.
    pub blocks: u64,
    /// Its value under the base rules.
    pub base: Option<f64>,
    /// Its value under those of the variant.
    pub value: Option<f64>,
    /// The latter less the former, with an interval that holds for this contrast alone.
    pub difference: Estimate,
    /// How probable a difference as large would be if there were none; `None` where it cannot be tested.
    pub p: Option<f64>,
    /// The same, adjusted for all contrasts of the sweep.
    pub p_holm: Option<f64>,
    /// How large a difference may be and still count as none, in units of the metric; `None` if nothing was stated.
    pub margin: Option<f64>,
    /// How probable a difference as small would be if it were as large as the margin.
    pub equivalence_p: Option<f64>,
    /// The same, adjusted for all contrasts of the sweep that have a margin.
    pub equivalence_p_holm: Option<f64>,
    /// How many contrasts the sweep has.
    pub family: u64,
    /// What it comes to.
    pub verdict: Verdict,
}

/// What a contrast comes to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// The variant has more of it.
    More,
    /// The variant has less of it.
    Less,
    /// The difference is shown to be within the margin, whether it is shown not to be zero or not.
    Equivalent,
    /// Every block came out alike under both rules.
    Same,
    /// Nothing of this is shown.
    Undecided,
}

impl Verdict {
    /// The verdicts, as results name them.
    pub const NAMES: [(&'static str, Verdict); 5] = [
        ("more", Verdict::More),
        ("less", Verdict::Less),
        ("equivalent", Verdict::Equivalent),
        ("same", Verdict::Same),
        ("undecided", Verdict::Undecided),
    ];

    /// As results name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        Verdict::NAMES.iter().find(|(_, verdict)| *verdict == self).map_or("", |(name, _)| name)
    }
}

/// How large a difference may be and still count as none.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Margin {
    /// In units of the metric.
    Own(f64),
    /// In percent of its value under the base rules.
    Percent(f64),
}

/// What a contrast is by itself: all but what depends on the rest of its family.
pub(super) struct Measured {
    pub(super) base: Option<f64>,
    pub(super) value: Option<f64>,
    pub(super) difference: Estimate,
    /// Whether every block came out alike under both rules.
    pub(super) is_same: bool,
    pub(super) p: Option<f64>,
    pub(super) margin: Option<f64>,
    pub(super) equivalence_p: Option<f64>,
}

impl Measured {
    /// What a variant does to a metric, by the tally of a cell.
    pub(super) fn new(
        summariser: &Summariser<'_>,
        blocks: u64,
        variant: usize,
        metric: &Metric,
        margin: Option<Margin>,
    ) -> Measured {
        let of = |variant| summariser.metric_row(variant, metric);
        let (own, base) = (of(variant), of(0).value.value);
        let against = |times: f64| summariser.against_base(variant, metric, times);
        let difference = against(1.0).filter(|_| blocks > 1);
        let size = own.value.value.unwrap_or(0.0).abs().max(base.unwrap_or(0.0).abs());
        // But for rounding.
        let is_none = |difference: f64| difference.abs() <= 1e-9 * size;
        let is_same = difference.is_some_and(|(difference, variance)| variance <= 0.0 && is_none(difference));
        let p = difference.map(|(difference, variance)| match variance > 0.0 {
            true => tail::student_outside(difference / libm::sqrt(variance / blocks as f64), blocks - 1),
            // That of the signs, where all blocks differ by the same.
            false if !is_same => libm::exp2(1.0 - blocks as f64),
            false => 1.0,
        });
        Measured {
            base,
            value: own.value.value,
            difference: own.contrast.unwrap_or(Estimate::NONE),
            is_same,
            p,
            margin: margin.and_then(|margin| margin.size(base)),
            equivalence_p: margin.and_then(|margin| margin.p_value(base, blocks, against)),
        }
    }
}

impl Margin {
    /// In units of the metric, whose value under the base rules is `base`.
    fn size(self, base: Option<f64>) -> Option<f64> {
        match self {
            Margin::Own(margin) => Some(margin),
            Margin::Percent(percent) => base.map(|base| percent / 100.0 * base.abs()),
        }
    }

    /// The p-value of the claim that the difference is within the margin, where `against` tells the value less so many times
    /// the base, and the variance of that. A margin that is a share of the base is as uncertain as the base is, which this
    /// minds.
    fn p_value(
        self,
        base: Option<f64>,
        blocks: u64,
        against: impl Fn(f64) -> Option<(f64, f64)>,
    ) -> Option<f64> {
        match self {
            Margin::Own(margin) => {
                let (difference, variance) = against(1.0)?;
                equivalence::p_value(difference, variance, blocks, margin)
            }
            Margin::Percent(percent) => {
                let share = percent / 100.0;
                let sign = if base? < 0.0 { -1.0 } else { 1.0 };
                let (above, below) = (against(1.0 - share)?, against(1.0 + share)?);
                let above = equivalence::above_zero(sign * above.0, above.1, blocks)?;
                let below = equivalence::above_zero(-sign * below.0, below.1, blocks)?;
                Some(above.max(below))
            }
        }
    }
}

/// Adjusts the p-values of all contrasts of a sweep, and gives each its verdict, which is [`Same`](Verdict::Same) or
/// [`Undecided`](Verdict::Undecided) until then.
pub(super) fn judge(contrasts: &mut [Contrast], confidence: f64) {
    let level = 1.0 - confidence;
    let adjusted = |p_values: Vec<Option<f64>>| {
        let known: Vec<f64> = p_values.iter().map(|p| p.unwrap_or(1.0)).collect();
        let adjusted = holm::adjusted(&known).into_iter().zip(p_values);
        adjusted.map(|(adjusted, p)| p.map(|_| adjusted)).collect::<Vec<Option<f64>>>()
    };
    let family = contrasts.len() as u64;
    let of_differences = adjusted(contrasts.iter().map(|contrast| contrast.p).collect());
    for (contrast, p_holm) in contrasts.iter_mut().zip(of_differences) {
        contrast.family = family;
        contrast.p_holm = p_holm;
    }
    let mut claims: Vec<&mut Contrast> =
        contrasts.iter_mut().filter(|contrast| contrast.margin.is_some()).collect();
    let of_claims = adjusted(claims.iter().map(|contrast| contrast.equivalence_p).collect());
    for (contrast, p_holm) in claims.iter_mut().zip(of_claims) {
        contrast.equivalence_p_holm = p_holm;
    }
    for contrast in contrasts {
        contrast.verdict = verdict(contrast, level);
    }
}

fn verdict(contrast: &Contrast, level: f64) -> Verdict {
    let is_shown = |p: Option<f64>| p.is_some_and(|p| p <= level);
    if is_shown(contrast.equivalence_p_holm) {
        Verdict::Equivalent
    } else if contrast.verdict == Verdict::Same || !is_shown(contrast.p_holm) {
        contrast.verdict
    } else if contrast.difference.value > Some(0.0) {
        Verdict::More
    } else {
        Verdict::Less
    }
}

/// The contrasts as the text of a file.
pub(super) fn table(contrasts: &[Contrast], confidence: f64) -> Vec<u8> {
    let mut out = Vec::new();
    write_row(&mut out, COLUMNS);
    for contrast in contrasts {
        let interval = contrast.difference.interval.ok();
        let row: [String; COLUMNS.len()] = [
            contrast.players.to_string(),
            contrast.skill.clone(),
            contrast.judge.clone(),
            contrast.variant.clone(),
            contrast.metric.clone(),
            contrast.blocks.to_string(),
            optional(contrast.base),
            optional(contrast.value),
            optional(contrast.difference.value),
            optional(interval.map(|interval| interval.low)),
            optional(interval.map(|interval| interval.high)),
            contrast.difference.method().to_owned(),
            number(confidence),
            probability(contrast.p),
            probability(contrast.p_holm),
            optional(contrast.margin),
            probability(contrast.equivalence_p),
            probability(contrast.equivalence_p_holm),
            contrast.family.to_string(),
            contrast.verdict.name().to_owned(),
        ];
        write_row(&mut out, row.iter().map(String::as_str));
    }
    out
}

/// To six digits, however small.
fn probability(p: Option<f64>) -> String {
    let Some(p) = p else { return String::new() };
    if p == 0.0 || p >= 0.001 { number(p) } else { format!("{p:.5e}") }
}

/// Reads a row of the table.
///
/// # Errors
/// If a column is missing, or holds what it cannot.
pub fn read_row(row: &CsvRow<'_>) -> Result<Contrast, CsvError> {
    Ok(Contrast {
        players: row.number("players")?,
        skill: row.text("skill")?.to_owned(),
        judge: row.text("judge")?.to_owned(),
        variant: row.text("variant")?.to_owned(),
        metric: row.text("metric")?.to_owned(),
        blocks: row.number("blocks")?,
        base: row.optional("base")?,
        value: row.optional("value")?,
        difference: read::estimate(row, ["difference", "low", "high", "method"])?,
        p: row.optional("p")?,
        p_holm: row.optional("p_holm")?,
        margin: row.optional("margin")?,
        equivalence_p: row.optional("equivalence_p")?,
        equivalence_p_holm: row.optional("equivalence_p_holm")?,
        family: row.number("family")?,
        verdict: row.word("verdict", &Verdict::NAMES)?,
    })
}
