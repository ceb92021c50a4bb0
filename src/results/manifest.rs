//! `manifest.json`: everything that is needed to run it again.

use dealt_agents::AgentSpec;
use serde_json::{Map, Value, json};

use crate::study::{Findings, Study};
use crate::{Experiment, Records, Variant};

/// The version of the files' layout: it changes when a column or a field changes its name or its meaning.
pub const SCHEMA: u64 = 1;

/// What a run is: the program and the experiment with everything in force.
#[must_use]
pub fn identity(study: &dyn Study) -> Map<String, Value> {
    let mut settled = settled(study.kind(), study.experiment());
    settled.extend(study.settings());
    let identity = json!({
        "schema": SCHEMA,
        "program": env!("CARGO_PKG_NAME"),
        "version": env!("CARGO_PKG_VERSION"),
        "commit": option_env!("DEALT_COMMIT"),
        "experiment": settled,
    });
    let Value::Object(identity) = identity else { return Map::new() };
    identity
}

/// The manifest of a run, as the text of its file.
#[must_use]
pub fn manifest(study: &dyn Study, findings: &Findings) -> Vec<u8> {
    let experiment = study.experiment();
    let effort = &findings.effort;
    let mut manifest = identity(study);
    let rest = json!({
        "reproducible": !experiment.agents().any(|agent| agent.depends_on_time() || agent.is_external()),
        "played": {
            "complete": findings.complete,
            "blocks": effort.blocks,
            "games": effort.games,
            "deals": effort.deals,
            "decisions": effort.decisions,
        },
    });
    if let Value::Object(rest) = rest {
        manifest.extend(rest);
    }
    let mut text = format!("{:#}", Value::Object(manifest)).into_bytes();
    text.push(b'\n');
    text
}

/// The experiment with everything in force, under the keys of experiment files.
pub(super) fn settled(kind: &str, experiment: &Experiment) -> Map<String, Value> {
    let settled = json!({
        "kind": kind,
        "name": experiment.name,
        "question": experiment.question,
        "game": experiment.game,
        "players": experiment.players(),
        "line_ups": line_ups(experiment),
        "seating": experiment.seating.name(),
        "games_in_block": games_in_block(experiment),
        "seed": experiment.seed,
        "blocks": experiment.blocks,
        "confidence": experiment.confidence,
        "on_fault": experiment.on_fault.name(),
        "outputs": {
            "games_csv": experiment.outputs.games_csv,
            "records": match experiment.outputs.records {
                Records::None => Value::from(0),
                Records::First(count) => Value::from(count),
                Records::All => Value::from("all"),
            },
            "legal": experiment.outputs.legal,
            "notes": experiment.outputs.notes,
        },
        "variants": variants(experiment),
    });
    let Value::Object(settled) = settled else { return Map::new() };
    settled
}

/// What differs between the cells of a sweep, under the same keys.
#[must_use]
pub fn cell(experiment: &Experiment) -> Map<String, Value> {
    let cell = json!({
        "players": experiment.players(),
        "line_ups": line_ups(experiment),
        "games_in_block": games_in_block(experiment),
        "blocks": experiment.blocks,
        "variants": variants(experiment),
    });
    let Value::Object(cell) = cell else { return Map::new() };
    cell
}

fn line_ups(experiment: &Experiment) -> Value {
    let agent = |agent: &AgentSpec| {
        json!({
            "agent": agent.label(),
            "parameters": agent.parameters(),
            "clairvoyant": agent.is_clairvoyant(),
        })
    };
    experiment.line_ups.iter().map(|line_up| line_up.iter().map(agent).collect::<Value>()).collect()
}

fn variants(experiment: &Experiment) -> Value {
    let variant = |variant: &Variant| json!({ "name": variant.name, "rules": variant.rules });
    experiment.variants.iter().map(variant).collect()
}

fn games_in_block(experiment: &Experiment) -> usize {
    experiment.seatings().map_or(0, |seatings| seatings.len() * experiment.variants.len())
}
