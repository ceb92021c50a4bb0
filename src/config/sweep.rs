//! The kind `sweep`: its players, skills, variants, metrics and margins.
//!
//! A cell of a sweep is the match that the file would be with one number of players, one of the skills, and those of the
//! variants that there are for so many. So it is settled as that match, and errors keep their places.

use dealt::experiment::Experiment;
use dealt::figures::listed;
use dealt::study::Study;
use dealt::study::sweep::contrast::Margin;
use dealt::study::sweep::{Cell, Sweep, Terms, is_of, testable};
use serde_json::Value;

use super::source::Form;
use super::{AGENTS, Node, experiment, line_ups, require, seed};
use crate::failure::{Failure, accepted};

/// What [`settle`] accepts besides the keys of all kinds.
pub(super) const KEYS: &[&str] = &["skill", "variant", "metrics", "margins"];

const SKILLS: &str =
    "a list of those who play, each a text such as \"greedy\" or a table, headed by [[skill]]";
const PLAYERS: &str = "a number of players, or a list of them such as [2, 3, 4], each once";
const METRICS: &str = "a list of metrics such as [\"tie_rate\", \"seat_effect\"], each once";
const MARGIN: &str =
    "a number above 0 in units of the metric, or a share of its value under the base rules such as \"5 %\"";
const SKILL_NAME: &str = "a text of at least one letter, in one line, that no other skill has";

/// Those who play.
struct Skill {
    name: Option<Node>,
    /// The key `agents` or `line_ups`, and what it holds.
    line_ups: (&'static str, Node),
    blocks: Option<Node>,
    players: Option<Vec<u64>>,
}

/// A variant as a match has it, and the numbers of players that it is limited to.
struct Limited {
    variant: Node,
    players: Option<Vec<u64>>,
}

/// Reads a sweep.
pub(super) fn settle(table: &Node, name: &str, notes: &mut Vec<String>) -> Result<Box<dyn Study>, Failure> {
    if let Some(games) = table.get("games") {
        let message = format!(
            "{}: cells of a sweep differ in the games of a block, so it is told how many `blocks` to play",
            games.place
        );
        return Err(Failure::wrong(message));
    }
    let players = table.get("players").map(counts).transpose()?;
    let skills = skills(table, players.as_deref())?;
    let variants = variants(table, players.as_deref())?;
    let mut common = table.clone();
    for key in ["skill", "metrics", "margins", "players", "variant", "blocks"] {
        common.remove(key);
    }
    if table.get("seed").is_none() {
        let drawn = seed(table, notes)?;
        common.set("seed", Node::given(&table.place, drawn))?;
    }
    let mut cells: Vec<Cell> = Vec::new();
    for count in players.as_ref().map_or(vec![None], |all| all.iter().copied().map(Some).collect()) {
        for skill in skills.iter().filter(|skill| is_for(skill.players.as_ref(), count)) {
            let file = cell(&common, table, skill, &variants, count)?;
            let experiment =
                experiment(&file, name, notes, line_ups).map_err(|failure| within(failure, count))?;
            cells.push(Cell { skill: skill_name(skill, &experiment)?, experiment });
        }
    }
    notes.sort();
    notes.dedup();
    check(table, &cells)?;
    let terms = terms(table, &cells)?;
    Ok(Box::new(Sweep::new(cells, terms)))
}

/// The experiment file of a cell.
fn cell(
    common: &Node,
    table: &Node,
    skill: &Skill,
    variants: &[Limited],
    count: Option<u64>,
) -> Result<Node, Failure> {
    let mut file = common.clone();
    if let (Some(count), Some(node)) = (count, table.get("players")) {
        file.set("players", Node::given(&node.place, count))?;
    }
    let (key, who) = &skill.line_ups;
    file.set(key, who.clone())?;
    if let Some(blocks) = skill.blocks.as_ref().or_else(|| table.get("blocks")) {
        file.set("blocks", blocks.clone())?;
    }
    let of_count = variants.iter().filter(|limited| is_for(limited.players.as_ref(), count));
    let of_count: Vec<Node> = of_count.map(|limited| limited.variant.clone()).collect();
    if let Some(node) = table.get("variant").filter(|_| !of_count.is_empty()) {
        file.set("variant", Node::list_of(&node.place, of_count.into_iter()))?;
    }
    Ok(file)
}

fn is_for(players: Option<&Vec<u64>>, count: Option<u64>) -> bool {
    players.zip(count).is_none_or(|(players, count)| players.contains(&count))
}

/// Says for how many players something is wrong, where there are several numbers of them.
fn within(failure: Failure, count: Option<u64>) -> Failure {
    match (failure, count) {
        (Failure::Wrong(message), Some(count)) => Failure::Wrong(format!("{message} (at {count} players)")),
        (failure, _) => failure,
    }
}

/// One number of players or several.
fn counts(node: &Node) -> Result<Vec<u64>, Failure> {
    let counts = match &node.form {
        Form::List(items) => {
            items.iter().map(|item| item.whole("players", PLAYERS)).collect::<Result<Vec<u64>, Failure>>()?
        }
        _ => vec![node.whole("players", PLAYERS)?],
    };
    let is_twice = counts.iter().enumerate().any(|(place, count)| counts[..place].contains(count));
    if counts.is_empty() || is_twice { Err(node.refuse("players", PLAYERS)) } else { Ok(counts) }
}

/// The numbers of players that a skill or variant is limited to, all among those of the sweep.
fn limit(node: &Node, all: Option<&[u64]>) -> Result<Option<Vec<u64>>, Failure> {
    let Some(node) = node.get("players") else { return Ok(None) };
    let Some(all) = all else {
        let message = format!(
            "{}: `players` limits this to some of the sweep’s `players`, which is missing",
            node.place
        );
        return Err(Failure::wrong(message));
    };
    let counts = counts(node)?;
    if counts.iter().any(|count| !all.contains(count)) {
        let all: Vec<String> = all.iter().map(u64::to_string).collect();
        return Err(
            node.refuse("players", &format!("{}, which the sweep has, or some of them", listed(&all)))
        );
    }
    Ok(Some(counts))
}

fn skills(table: &Node, players: Option<&[u64]>) -> Result<Vec<Skill>, Failure> {
    let node = require(table, "skill", SKILLS)?;
    let mut skills = Vec::new();
    for item in node.list("skill", SKILLS)? {
        skills.push(match &item.form {
            Form::Table(_) => skill(item, players)?,
            Form::Value(Value::String(_)) => {
                let agents = Node::list_of(&item.place, std::iter::once(item.clone()));
                Skill { name: None, line_ups: ("agents", agents), blocks: None, players: None }
            }
            _ => return Err(item.refuse("skill", SKILLS)),
        });
    }
    if skills.is_empty() { Err(node.refuse("skill", SKILLS)) } else { Ok(skills) }
}

fn skill(node: &Node, players: Option<&[u64]>) -> Result<Skill, Failure> {
    node.allow_only("a skill", &["name", "agents", "line_ups", "blocks", "players"])?;
    let line_ups = match (node.get("agents"), node.get("line_ups")) {
        (Some(agents), Some(_)) => {
            let message =
                format!("{}: both `agents` and `line_ups` are given; give one of them", agents.place);
            return Err(Failure::wrong(message));
        }
        (None, Some(line_ups)) => ("line_ups", line_ups.clone()),
        (_, None) => ("agents", require(node, "agents", AGENTS)?.clone()),
    };
    Ok(Skill {
        name: node.get("name").cloned(),
        line_ups,
        blocks: node.get("blocks").cloned(),
        players: limit(node, players)?,
    })
}

/// The name of a skill: its own, or that of its agents.
fn skill_name(skill: &Skill, experiment: &Experiment) -> Result<String, Failure> {
    let Some(node) = &skill.name else { return Ok(experiment.labels().join(" + ")) };
    let name = node.text("name", SKILL_NAME)?;
    let is_shown = !name.trim().is_empty() && !name.chars().any(super::breaks_lines);
    if is_shown { Ok(name.to_owned()) } else { Err(node.refuse("name", SKILL_NAME)) }
}

fn variants(table: &Node, players: Option<&[u64]>) -> Result<Vec<Limited>, Failure> {
    let Some(node) = table.get("variant") else { return Ok(Vec::new()) };
    let mut variants = Vec::new();
    for item in node.list("variant", "a list of tables, each headed by [[variant]]")? {
        item.allow_only("a variant", &["name", "rules", "players"])?;
        let mut variant = item.clone();
        variant.remove("players");
        variants.push(Limited { variant, players: limit(item, players)? });
    }
    Ok(variants)
}

/// What can be wrong with all cells together.
fn check(table: &Node, cells: &[Cell]) -> Result<(), Failure> {
    let games_csv = table.get("outputs").and_then(|outputs| outputs.get("games_csv"));
    if let Some(node) = games_csv.filter(|_| cells.iter().any(|cell| cell.experiment.outputs.games_csv)) {
        let message = format!(
            "{}: a sweep writes no games.csv, whose rows would not tell its cells apart; play the cell that matters as a match",
            node.place
        );
        return Err(Failure::wrong(message));
    }
    if cells.is_empty() {
        let message = format!("{}: no skill is for any of the sweep’s `players`", table.place);
        return Err(Failure::wrong(message));
    }
    for (place, cell) in cells.iter().enumerate() {
        let players = cell.experiment.players();
        let is_twice = |other: &Cell| other.skill == cell.skill && other.experiment.players() == players;
        if cells[..place].iter().any(is_twice) {
            let place = table.get("skill").map_or(&table.place, |node| &node.place);
            let message =
                format!("{place}: two skills are called `{}`; each needs a name of its own", cell.skill);
            return Err(Failure::wrong(message));
        }
    }
    Ok(())
}

fn terms(table: &Node, cells: &[Cell]) -> Result<Terms, Failure> {
    let mut known: Vec<String> = Vec::new();
    for Cell { experiment, .. } in cells {
        let names = testable(experiment).map_err(|error| Failure::wrong(error.to_string()))?;
        for name in names {
            let stem = name.split('[').next().unwrap_or_default().to_owned();
            for name in [stem, name] {
                if !known.contains(&name) {
                    known.push(name);
                }
            }
        }
    }
    let metrics = metrics(table, &known)?;
    let margins = margins(table, &metrics, &known)?;
    Ok(Terms { metrics, margins })
}

fn metrics(table: &Node, known: &[String]) -> Result<Vec<String>, Failure> {
    let Some(node) = table.get("metrics") else {
        let usual = Terms::METRICS.into_iter().filter(|name| known.iter().any(|known| known == name));
        return Ok(usual.map(str::to_owned).collect());
    };
    let mut metrics: Vec<String> = Vec::new();
    for item in node.list("metrics", METRICS)? {
        let name = item.text("metrics", METRICS)?;
        if !known.iter().any(|known| known == name) {
            let known = accepted(name, known.iter().map(String::as_str));
            return Err(item.refuse("metrics", &format!("{known} (percentiles cannot be tested)")));
        }
        if metrics.iter().any(|other| is_of(name, other) || is_of(other, name)) {
            return Err(item.refuse("metrics", METRICS));
        }
        metrics.push(name.to_owned());
    }
    if metrics.is_empty() { Err(node.refuse("metrics", METRICS)) } else { Ok(metrics) }
}

fn margins(table: &Node, metrics: &[String], known: &[String]) -> Result<Vec<(String, Margin)>, Failure> {
    let Some(node) = table.get("margins") else { return Ok(Vec::new()) };
    let mut margins = Vec::new();
    for field in node.fields("margins")? {
        let key = &field.key;
        let is_compared =
            known.contains(key) && metrics.iter().any(|name| is_of(key, name) || is_of(name, key));
        if !is_compared {
            let accepted = accepted(key, metrics.iter().map(String::as_str));
            let message = format!("{}: `margins` has no metric `{key}`; accepted: {accepted}", field.place);
            return Err(Failure::wrong(message));
        }
        margins.push((key.clone(), margin(&field.node, key)?));
    }
    Ok(margins)
}

fn margin(node: &Node, key: &str) -> Result<Margin, Failure> {
    let percent = match &node.form {
        Form::Value(Value::String(text)) => {
            let number = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
            Some(number.ok_or_else(|| node.refuse(key, MARGIN))?)
        }
        _ => None,
    };
    let margin = match percent {
        Some(percent) => Margin::Percent(percent),
        None => Margin::Own(node.number(key, MARGIN)?),
    };
    let (Margin::Own(size) | Margin::Percent(size)) = margin;
    if size > 0.0 && size.is_finite() { Ok(margin) } else { Err(node.refuse(key, MARGIN)) }
}
