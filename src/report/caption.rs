//! Captions: figures are numbered in the order of the page, and each says what its intervals are.

use super::markup::Markup;
use super::numbers;
use crate::estimate::{Estimate, Method, Missing};

/// The number of the last figure.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Numbering(u64);

impl Numbering {
    /// A figure with its caption below.
    pub(super) fn figure(&mut self, out: &mut Markup, caption: &str, inside: impl FnOnce(&mut Markup)) {
        self.0 += 1;
        out.line();
        out.within("figure", &[], |out| {
            inside(out);
            out.within("figcaption", &[], |out| {
                out.element("b", &[], &format!("Figure {}.", self.0));
                out.text(&format!(" {caption}"));
            });
        });
    }
}

/// What the intervals of some estimates are, in a sentence.
pub(super) fn intervals<'e>(estimates: impl IntoIterator<Item = &'e Estimate>, confidence: f64) -> String {
    let estimates: Vec<&Estimate> = estimates.into_iter().collect();
    let has = |method: Method| {
        estimates.iter().any(|estimate| estimate.interval.is_ok_and(|interval| interval.method == method))
    };
    let methods = [
        (Method::BlockT, "Student’s t over the blocks"),
        (Method::Wilson, "Wilson’s for shares"),
        (Method::WilsonBlocks, "Wilson’s with a block as a trial, where all blocks are alike"),
        (Method::Quantile, "order statistics of the blocks"),
        (Method::BlockBootstrap, "from blocks drawn again with replacement"),
        (Method::ConfidenceSequence, "a confidence sequence, which holds at every look"),
    ];
    let used: Vec<&str> =
        methods.iter().filter(|(method, _)| has(*method)).map(|(_, words)| *words).collect();
    let mut sentences = Vec::new();
    if !used.is_empty() {
        let percent = numbers::percent(confidence);
        sentences.push(format!("Bars are {percent} confidence intervals ({}).", used.join("; ")));
    }
    let lacks = |missing: Missing| estimates.iter().any(|estimate| estimate.interval == Err(missing));
    let reasons = [
        (Missing::TooFewBlocks, "fewer than two blocks were played"),
        (Missing::NoSpread, "all blocks came out alike"),
    ];
    for (_, words) in reasons.iter().filter(|(missing, _)| lacks(*missing)) {
        sentences.push(format!("A cross has no interval: {words}."));
    }
    sentences.join(" ")
}
