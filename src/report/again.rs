//! How to run it again: the experiment file that a manifest amounts to.

use serde_json::{Map, Value, json};

use crate::Variant;
use crate::results::read::{Player, Run};

/// The longest file that is shown, in bytes.
const LONGEST: usize = 40_000;

/// The experiment file; `None` where it would be too long to show, or cannot be written as TOML.
pub(super) fn experiment_file(run: &Run, defaults: &Map<String, Value>) -> Option<String> {
    let mut file = Map::new();
    let base = run.variants.first()?;
    file.insert("name".to_owned(), json!(run.name));
    if let Some(question) = &run.question {
        file.insert("question".to_owned(), json!(question));
    }
    for key in ["game", "players", "seed", "blocks", "seating", "confidence"] {
        file.insert(key.to_owned(), run.experiment.get(key)?.clone());
    }
    insert_kind(&mut file, run)?;
    file.insert("rules".to_owned(), Value::Object(changed(&base.rules, defaults)));
    let variants: Vec<Value> = run.variants[1..].iter().map(|variant| variant_table(variant, base)).collect();
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
