//! The kind `sprt`: its table of terms.

use dealt::study::Study;
use dealt::study::sprt::{Hypotheses, Sprt, Terms};
use dealt::tally::plan::{MEASURES, WIN_SHARE};

use super::pairs::of_a_test;
use super::{Node, experiment};
use crate::failure::{Failure, accepted};

const KEYS: &[&str] = &["elo", "effect", "measure", "alpha", "beta", "batch"];
/// Further apart than agents that are worth a test; beyond, no distribution of pairs has such an effect.
const MOST_ELO: f64 = 200.0;
const MOST_EFFECT: f64 = 0.8;
const RATE: &str = "a number from 0.000001 to below 0.5, such as 0.05";
/// Below, a test would take games beyond number.
const LEAST_RATE: f64 = 1e-6;
const BATCH: &str = "a whole number from 10 up";
/// Below, a variance is hardly known.
const LEAST_BATCH: u64 = 10;

/// Reads a sequential test.
pub(super) fn settle(table: &Node, name: &str, notes: &mut Vec<String>) -> Result<Box<dyn Study>, Failure> {
    let experiment = experiment(table, name, notes, of_a_test)?;
    let none = Node::table("");
    let node = table.get("sprt").unwrap_or(&none);
    node.allow_only("sprt", KEYS)?;
    let measure = measure(node)?;
    let has_pairs = experiment.players() == 2 && measure == WIN_SHARE;
    let terms = Terms {
        hypotheses: hypotheses(node, has_pairs)?,
        measure,
        alpha: rate(node, "alpha")?,
        beta: rate(node, "beta")?,
        batch: batch(node)?,
    };
    Ok(Box::new(Sprt::new(experiment, terms)))
}

pub(super) fn measure(node: &Node) -> Result<usize, Failure> {
    let Some(node) = node.get("measure") else { return Ok(WIN_SHARE) };
    let name = node.text("measure", &MEASURES.join(", "))?;
    let place = MEASURES.iter().position(|measure| *measure == name);
    place.ok_or_else(|| node.refuse("measure", &accepted(name, MEASURES)))
}

fn hypotheses(node: &Node, has_pairs: bool) -> Result<Hypotheses, Failure> {
    match (node.get("elo"), node.get("effect")) {
        (Some(_), Some(effect)) => Err(Failure::wrong(format!(
            "{}: both `elo` and `effect` are given; give one of them",
            effect.place
        ))),
        (Some(elo), None) if !has_pairs => Err(Failure::wrong(format!(
            "{}: `elo` is for wins of two players; accepted here: `effect`, in standard deviations of a block",
            elo.place
        ))),
        (Some(elo), None) => two(elo, "elo", MOST_ELO).map(|(h0, h1)| Hypotheses::Elo(h0, h1)),
        (None, Some(effect)) => two(effect, "effect", MOST_EFFECT).map(|(h0, h1)| Hypotheses::Effect(h0, h1)),
        (None, None) if has_pairs => Ok(Hypotheses::Elo(0.0, 5.0)),
        (None, None) => Ok(Hypotheses::Effect(0.0, 0.02)),
    }
}

/// H0 and H1, of which H1 is the greater.
fn two(node: &Node, key: &str, most: f64) -> Result<(f64, f64), Failure> {
    let accepts = format!("a list of two numbers from -{most} to {most}, H0 and H1, the greater one last");
    let numbers = node.list(key, &accepts)?.iter().map(|item| item.number(key, &accepts));
    match numbers.collect::<Result<Vec<f64>, Failure>>()?[..] {
        [h0, h1] if h0 < h1 && h0 >= -most && h1 <= most => Ok((h0, h1)),
        _ => Err(node.refuse(key, &accepts)),
    }
}

fn rate(node: &Node, key: &str) -> Result<f64, Failure> {
    let Some(node) = node.get(key) else { return Ok(0.05) };
    let rate = node.number(key, RATE)?;
    if (LEAST_RATE..0.5).contains(&rate) { Ok(rate) } else { Err(node.refuse(key, RATE)) }
}

fn batch(node: &Node) -> Result<u64, Failure> {
    let Some(node) = node.get("batch") else { return Ok(100) };
    let batch = node.whole("batch", BATCH)?;
    if batch >= LEAST_BATCH { Ok(batch) } else { Err(node.refuse("batch", BATCH)) }
}
