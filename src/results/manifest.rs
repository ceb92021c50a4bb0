//! `manifest.json`: everything that is needed to run it again.

use dealt_agents::AgentSpec;
use serde_json::{Value, json};

use crate::run::Outcome;
use crate::{Experiment, Records};

/// The version of the files' layout: it changes when a column or a field changes its name or its meaning.
pub const SCHEMA: u64 = 1;

/// The manifest of a run, as the text of its file.
#[must_use]
pub fn manifest(experiment: &Experiment, outcome: &Outcome) -> Vec<u8> {
    let manifest = json!({
        "schema": SCHEMA,
        "program": env!("CARGO_PKG_NAME"),
        "version": env!("CARGO_PKG_VERSION"),
        "commit": option_env!("DEALT_COMMIT"),
        "experiment": settled(experiment),
        "reproducible": !experiment.agents.iter().any(AgentSpec::depends_on_time),
        "played": {
            "complete": outcome.blocks == experiment.blocks,
            "blocks": outcome.blocks,
            "games": outcome.games,
            "deals": outcome.deals,
            "decisions": outcome.decisions,
        },
    });
    let mut text = format!("{manifest:#}").into_bytes();
    text.push(b'\n');
    text
}

/// The experiment with everything in force, under the keys of experiment files.
fn settled(experiment: &Experiment) -> Value {
    let agents: Vec<Value> = experiment
        .agents
        .iter()
        .map(|agent| {
            json!({
                "agent": agent.label(),
                "parameters": agent.parameters(),
                "clairvoyant": agent.is_clairvoyant(),
            })
        })
        .collect();
    let variants: Vec<Value> = experiment
        .variants
        .iter()
        .map(|variant| json!({ "name": variant.name, "rules": variant.rules }))
        .collect();
    let line_ups = experiment.line_ups().map_or(0, |line_ups| line_ups.len());
    json!({
        "name": experiment.name,
        "question": experiment.question,
        "game": experiment.game,
        "players": experiment.players(),
        "agents": agents,
        "seating": experiment.seating.name(),
        "line_ups": line_ups,
        "seed": experiment.seed,
        "blocks": experiment.blocks,
        "confidence": experiment.confidence,
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
        "variants": variants,
    })
}
