//! A number with its interval, or the word that says why it has none.
//!
//! No cell of a result is ever `NaN` or infinite: what cannot be computed is empty, and says why.

use std::fmt;

/// How an interval was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Wilson's interval over independent games that were won or lost.
    Wilson,
    /// Wilson's interval with the blocks as observations: for a share whose blocks are all alike, where a t-interval
    /// would have no width. It is conservative, since a share within a block varies least when it is 0 or 1.
    WilsonBlocks,
    /// Student's t over the blocks.
    BlockT,
    /// Order statistics, the blocks being the observations.
    Quantile,
    /// The value is fixed by the design: an agent that plays against itself alone wins its share.
    Exact,
    /// Student's t with the spread of estimates from blocks drawn again with replacement.
    BlockBootstrap,
    /// An asymptotic confidence sequence over the blocks, which holds however often one looks.
    ConfidenceSequence,
}

impl Method {
    /// The methods, as results name them.
    pub const NAMES: [(&'static str, Method); 7] = [
        ("wilson", Method::Wilson),
        ("wilson_blocks", Method::WilsonBlocks),
        ("block_t", Method::BlockT),
        ("quantile", Method::Quantile),
        ("exact", Method::Exact),
        ("block_bootstrap", Method::BlockBootstrap),
        ("confidence_sequence", Method::ConfidenceSequence),
    ];
}

/// Why there is no interval, or no value at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// Fewer than two blocks.
    TooFewBlocks,
    /// Every block came out alike, which says nothing about how much blocks differ.
    NoSpread,
    /// What is measured never happened: no value either.
    NeverHappened,
    /// No method here gives one: for the difference of two percentiles.
    NoMethod,
}

impl Missing {
    /// The reasons, as results name them.
    pub const NAMES: [(&'static str, Missing); 4] = [
        ("too_few_blocks", Missing::TooFewBlocks),
        ("no_spread", Missing::NoSpread),
        ("never_happened", Missing::NeverHappened),
        ("no_method", Missing::NoMethod),
    ];
}

/// A value and its interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The value; none if what is measured never happened.
    pub value: Option<f64>,
    /// The interval.
    pub interval: Result<Interval, Missing>,
}

/// A confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// How it was found.
    pub method: Method,
}

impl Interval {
    /// Whether a value lies within.
    #[must_use]
    pub fn has(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

impl Estimate {
    /// Nothing was measured.
    pub const NONE: Estimate = Estimate { value: None, interval: Err(Missing::NeverHappened) };

    /// What the results' `method` column says: how the interval was found, or why there is none.
    #[must_use]
    pub fn method(&self) -> &'static str {
        let name = match self.interval {
            Ok(interval) => {
                Method::NAMES.iter().find(|(_, known)| *known == interval.method).map(|known| known.0)
            }
            Err(missing) => Missing::NAMES.iter().find(|(_, known)| *known == missing).map(|known| known.0),
        };
        name.unwrap_or_default()
    }

    /// What a difference amounts to: whether its interval leaves zero out, and on which side.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self.interval {
            Ok(interval) if interval.low > 0.0 => Verdict::Higher,
            Ok(interval) if interval.high < 0.0 => Verdict::Lower,
            Ok(_) => Verdict::Undecided,
            Err(_) => Verdict::NoInterval,
        }
    }
}

/// What a difference amounts to at the confidence level of the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The whole interval is above zero.
    Higher,
    /// The whole interval is below zero.
    Lower,
    /// The interval holds zero.
    Undecided,
    /// There is no interval.
    NoInterval,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Higher => "higher",
            Verdict::Lower => "lower",
            Verdict::Undecided => "undecided",
            Verdict::NoInterval => "no_interval",
        })
    }
}
