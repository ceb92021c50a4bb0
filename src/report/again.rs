//! How to run it again: the experiment file that a manifest amounts to.

use serde_json::{Map, Value, json};

use crate::Variant;
use crate::results::read::{CellResults, Player, Results, Run, SWEEP};
use crate::study::sweep::answer::distinct;

/// The longest file that is shown, in bytes.
const LONGEST: usize = 40_000;

/// The experiment file; `None` where it would be too long to show, or cannot be written as TOML.
pub(super) fn experiment_file(results: &Results, defaults: &Map<String, Value>) -> Option<String> {
    let run = &results.run;
    let mut file = Map::new();
    let base = run.variants.first()?;
    file.insert("name".to_owned(), json!(run.name));
    if let Some(question) = &run.question {
        file.insert("question".to_owned(), json!(question));
    }
    for key in ["game", "players", "seed", "blocks", "seating", "confidence"] {
        file.insert(key.to_owned(), run.experiment.get(key)?.clone());
    }
    // Runs of earlier versions do not say it, and stopped.
    if let Some(on_fault) = run.experiment.get("on_fault") {
        file.insert("on_fault".to_owned(), on_fault.clone());
    }
    insert_kind(&mut file, run)?;
    file.insert("rules".to_owned(), Value::Object(changed(&base.rules, defaults)));
    let mut variants: Vec<Value> =
        run.variants[1..].iter().map(|variant| variant_table(variant, base)).collect();
    if run.kind == SWEEP {
        variants = sweep(&mut file, results, variants)?;
    }
    if !variants.is_empty() {
        file.insert("variant".to_owned(), Value::Array(variants));
    }
    file.insert("outputs".to_owned(), run.experiment.get("outputs")?.clone());
    // Tables come last, or what follows would be read as a part of them.
    let (tables, values): (Map<_, _>, Map<_, _>) = file.into_iter().partition(|(_, value)| is_table(value));
    let file: Map<String, Value> = values.into_iter().chain(tables).collect();
    toml::to_string(&file).ok().filter(|text| text.len() <= LONGEST)
}

fn is_table(value: &Value) -> bool {
    value.is_object() || value.as_array().is_some_and(|list| list.iter().any(Value::is_object))
}

/// Who plays, and the terms of a course of study. `None` for a kind that is not known.
fn insert_kind(file: &mut Map<String, Value>, run: &Run) -> Option<()> {
    let kind = run.kind.as_str();
    let mut insert = |key: &str, value: Value| file.insert(key.to_owned(), value);
    if kind == "match" {
        let line_ups: Vec<Vec<&str>> = run.line_ups.iter().map(|line_up| labels(line_up)).collect();
        insert("line_ups", json!(line_ups));
        return Some(());
    }
    insert("kind", json!(kind));
    if kind == SWEEP {
        return Some(());
    }
    let terms = run.experiment.get(kind)?.as_object()?.iter().filter(|(_, value)| !value.is_null());
    let mut terms: Map<String, Value> = terms.map(|(key, value)| (key.clone(), value.clone())).collect();
    match kind {
        "sprt" => {
            insert("agents", json!(run.labels()));
            if run.players > 2 && run.line_ups.len() == 1 {
                insert("lineup", json!("alone"));
            }
            // What model is used follows from the rest.
            terms.remove("model");
        }
        "tune" => {
            insert("agent", terms.remove("agent")?);
            insert("blocks", terms.remove("blocks")?);
        }
        _ => return None,
    }
    insert(kind, Value::Object(terms));
    Some(())
}

/// The keys of a sweep, and its variants, limited to the numbers of players that they are for.
fn sweep(file: &mut Map<String, Value>, results: &Results, variants: Vec<Value>) -> Option<Vec<Value>> {
    let of_all: Vec<&CellResults> = results.cells.iter().collect();
    let players = |cells: &[&CellResults]| distinct(cells.iter().map(|cell| cell.results.run.players));
    let all = players(&of_all);
    let limited = |mut table: Value, cells: &[&CellResults]| {
        let players = players(cells);
        if players != all {
            table["players"] = json!(players);
        }
        table
    };
    file.insert("players".to_owned(), json!(all));
    file.shift_remove("blocks");
    let skill = |name: &str| {
        let cells: Vec<&CellResults> = of_all.iter().copied().filter(|cell| cell.skill == name).collect();
        let run = &cells.first()?.results.run;
        let line_ups: Vec<Vec<&str>> = run.line_ups.iter().map(|line_up| unfilled(line_up)).collect();
        Some(limited(json!({ "name": name, "line_ups": line_ups, "blocks": run.blocks }), &cells))
    };
    let skills = distinct(of_all.iter().map(|cell| cell.skill.as_str()));
    file.insert("skill".to_owned(), Value::Array(skills.into_iter().map(skill).collect::<Option<_>>()?));
    for key in ["metrics", "margins"] {
        file.insert(key.to_owned(), results.run.experiment.get(key)?.clone());
    }
    let of_cells = |variant: Value| {
        let has = |cell: &&CellResults| {
            cell.results.run.variants.iter().any(|other| variant["name"] == other.name.as_str())
        };
        let cells: Vec<&CellResults> = of_all.iter().copied().filter(has).collect();
        limited(variant, &cells)
    };
    Some(variants.into_iter().map(of_cells).collect())
}

/// The labels of a line-up without those at its end that only fill the table.
fn unfilled(line_up: &[Player]) -> Vec<&str> {
    let mut labels = labels(line_up);
    while labels.len() > 1 && labels[labels.len() - 1] == labels[labels.len() - 2] {
        labels.pop();
    }
    labels
}

fn labels(line_up: &[Player]) -> Vec<&str> {
    line_up.iter().map(|player| player.label.as_str()).collect()
}

fn variant_table(variant: &Variant, base: &Variant) -> Value {
    json!({ "name": variant.name, "rules": changed(&variant.rules, &base.rules) })
}

/// The rules that differ, as an experiment file writes them.
pub(super) fn changed(rules: &Map<String, Value>, from: &Map<String, Value>) -> Map<String, Value> {
    let differ = rules.iter().filter(|(key, value)| from.get(*key) != Some(*value) && *key != "players");
    differ
        .map(|(key, value)| (key.clone(), if value.is_null() { json!("unset") } else { value.clone() }))
        .collect()
}
