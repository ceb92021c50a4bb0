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
    let line_ups: Vec<Vec<&str>> = run.line_ups.iter().map(|line_up| labels(line_up)).collect();
    file.insert("line_ups".to_owned(), json!(line_ups));
    // Tables come last, or what follows would be read as a part of them.
    file.insert("rules".to_owned(), Value::Object(changed(&base.rules, defaults)));
    let variants: Vec<Value> = run.variants[1..].iter().map(|variant| variant_table(variant, base)).collect();
    if !variants.is_empty() {
        file.insert("variant".to_owned(), Value::Array(variants));
    }
    file.insert("outputs".to_owned(), run.experiment.get("outputs")?.clone());
    toml::to_string(&file).ok().filter(|text| text.len() <= LONGEST)
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
