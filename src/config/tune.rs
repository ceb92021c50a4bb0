//! The kind `tune`: its table of terms.

use dealt::Experiment;
use dealt::study::Study;
use dealt::study::tune::spsa::{Dimension, Spsa};
use dealt::study::tune::{Against, Search, Terms, Tune};
use dealt_agents::registry::parameters;
use dealt_agents::{AgentSpec, ParameterKind};

use super::pairs::distinct;
use super::source::Field;
use super::sprt::measure;
use super::{AGENTS, COUNT, Node, agent, experiment, require};
use crate::failure::{Failure, accepted};

const KEYS: &[&str] = &[
    "method",
    "parameters",
    "iterations",
    "rate",
    "settings",
    "against",
    "measure",
    "test_blocks",
    "baseline",
    "third",
    "margin",
];
const METHODS: [&str; 2] = ["spsa", "halving"];
const ITSELF: &str = "itself";
const AGAINST: &str = "\"itself\", or a list of agents";
const PARAMETERS: &str =
    "a table of parameters, each with a table of its `min`, `max` and `step`, any of which may be left out";
const POSITIVE: &str = "a number above 0";
/// Iterations of `spsa`, and steps a parameter moves in the first for an effect of one standard deviation.
const ITERATIONS: u64 = 200;
const RATE: f64 = 5.0;
/// More would take longer to log than to play.
const MOST_ITERATIONS: u64 = 1_000_000;

/// Reads a search for better parameters.
pub(super) fn settle(table: &Node, name: &str, notes: &mut Vec<String>) -> Result<Box<dyn Study>, Failure> {
    let base = experiment(table, name, notes, |table, game, players| {
        let start = agent(require(table, "agent", "the agent to start from")?, game)?;
        Ok(vec![vec![start; players]])
    })?;
    let game = base.game.clone();
    if base.players() < 2 {
        return Err(Failure::wrong(format!("{}: one player has nobody to be compared with", table.place)));
    }
    let start = base.line_ups[0][0].clone();
    let node = require(table, "tune", "a table of what is tuned, and how")?;
    node.allow_only("tune", KEYS)?;
    let of = |key: &str| node.get(key).map(|node| agent(node, &game)).transpose();
    let third = AgentSpec::parse("random", &game).map_err(|error| Failure::wrong(error.to_string()))?;
    let search = search(node, &start, &base)?;
    let terms = Terms {
        against: against(node, &game)?,
        measure: measure(node)?,
        blocks: base.blocks,
        test_blocks: test_blocks(node, &base)?,
        baseline: of("baseline")?.unwrap_or_else(|| start.clone()),
        third: of("third")?.unwrap_or(third),
        margin: node.get("margin").map(|node| positive(node, "margin")).transpose()?,
        agent: start,
    };
    Ok(Box::new(Tune::new(base, search, terms)))
}

fn positive(node: &Node, key: &str) -> Result<f64, Failure> {
    let number = node.number(key, POSITIVE)?;
    if number > 0.0 && number.is_finite() { Ok(number) } else { Err(node.refuse(key, POSITIVE)) }
}

fn test_blocks(node: &Node, base: &Experiment) -> Result<u64, Failure> {
    let Some(node) = node.get("test_blocks") else { return Ok(base.blocks.saturating_mul(20)) };
    let blocks = node.whole("test_blocks", COUNT)?;
    if blocks > 0 { Ok(blocks) } else { Err(node.refuse("test_blocks", COUNT)) }
}

fn against(node: &Node, game: &str) -> Result<Against, Failure> {
    let Some(node) = node.get("against") else { return Ok(Against::Themselves) };
    if node.text("against", AGAINST).is_ok_and(|word| word == ITSELF) {
        return Ok(Against::Themselves);
    }
    Ok(Against::Pool(distinct(node, "against", AGAINST, game, 1)?))
}

fn search(node: &Node, start: &AgentSpec, base: &Experiment) -> Result<Search, Failure> {
    let name = match node.get("method") {
        Some(node) => {
            let name = node.text("method", &accepted("", METHODS))?;
            METHODS
                .into_iter()
                .find(|known| *known == name)
                .ok_or_else(|| node.refuse("method", &accepted(name, METHODS)))?
        }
        None => METHODS[0],
    };
    let others: &[&str] =
        if name == METHODS[0] { &["settings"] } else { &["parameters", "iterations", "rate"] };
    if let Some((key, node)) = others.iter().find_map(|key| Some((key, node.get(key)?))) {
        return Err(Failure::wrong(format!("{}: `{key}` has no meaning in the method `{name}`", node.place)));
    }
    if name == METHODS[0] { spsa(node, start, &base.game) } else { halving(node, base) }
}

fn halving(node: &Node, base: &Experiment) -> Result<Search, Failure> {
    let node = require(node, "settings", AGENTS)?;
    Ok(Search::race(distinct(node, "settings", AGENTS, &base.game, 2)?, base.blocks))
}

fn spsa(node: &Node, start: &AgentSpec, game: &str) -> Result<Search, Failure> {
    let iterations = match node.get("iterations") {
        Some(node) => {
            let accepts = format!("a whole number from 1 to {MOST_ITERATIONS}");
            let iterations = node.whole("iterations", &accepts)?;
            if !(1..=MOST_ITERATIONS).contains(&iterations) {
                return Err(node.refuse("iterations", &accepts));
            }
            iterations
        }
        None => ITERATIONS,
    };
    let rate = node.get("rate").map(|node| positive(node, "rate")).transpose()?.unwrap_or(RATE);
    let fields = require(node, "parameters", PARAMETERS)?.fields("parameters")?;
    if fields.is_empty() {
        return Err(require(node, "parameters", PARAMETERS)?.refuse("parameters", PARAMETERS));
    }
    let dimensions = fields.iter().map(|field| dimension(field, start, game)).collect::<Result<_, _>>()?;
    Ok(Search::Spsa(Spsa::new(dimensions, iterations, rate)))
}

/// A parameter with its bounds; those of the parameter itself if none are given, and a tenth of the way for a step.
fn dimension(field: &Field, start: &AgentSpec, game: &str) -> Result<Dimension, Failure> {
    let Field { key, node, place } = field;
    let known = parameters(start.name(), game);
    let numeric = |kind: ParameterKind| match kind {
        ParameterKind::Number { min, max } => Some((min, max, false)),
        ParameterKind::Integer { min, max } => Some((min as f64, max as f64, true)),
        ParameterKind::Choice(_) | ParameterKind::Flag | ParameterKind::Text => None,
    };
    let of_numbers = || known.iter().filter(|info| numeric(info.kind).is_some()).map(|info| info.key);
    let info = known.iter().find(|info| info.key == key).ok_or_else(|| {
        let agent = start.name();
        Failure::wrong(format!(
            "{place}: {agent} has no parameter `{key}`; accepted: {}",
            accepted(key, of_numbers())
        ))
    })?;
    let (least, most, is_whole) = numeric(info.kind).ok_or_else(|| {
        Failure::wrong(format!("{place}: `{key}` is no number; accepted: {}", accepted("", of_numbers())))
    })?;
    node.allow_only(key, &["min", "max", "step"])?;
    let number = |name: &str, default: f64| {
        let accepts = format!("a number from {least} to {most}");
        let Some(node) = node.get(name) else { return Ok(default) };
        let number = node.number(name, &accepts)?;
        if (least..=most).contains(&number) { Ok(number) } else { Err(node.refuse(name, &accepts)) }
    };
    let (min, max) = (number("min", least)?, number("max", most)?);
    let from = start.parameters().get(key).and_then(serde_json::Value::as_f64).unwrap_or(min);
    if min >= max || !(min..=max).contains(&from) || (is_whole && max - min < 1.0) {
        let message =
            format!("{place}: `{key}` starts at {from}; accepted: a `min` below it and a `max` above it");
        return Err(Failure::wrong(message));
    }
    let width = max - min;
    let step = match node.get("step") {
        // Less would be lost where values are rounded, and both sides would be the same agent.
        Some(node) if !(width / 1000.0..=width).contains(&positive(node, "step")?) => {
            return Err(
                node.refuse("step", "from a thousandth of the way from `min` to `max` up to all of it")
            );
        }
        Some(node) => positive(node, "step")?,
        None => width / 10.0,
    };
    Ok(Dimension { key: key.clone(), start: from, min, max, step, is_whole })
}
