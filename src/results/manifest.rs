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
        "reproducible": !experiment.agents().any(AgentSpec::depends_on_time),
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
    let agent = |agent: &AgentSpec| {
        json!({
            "agent": agent.label(),
            "parameters": agent.parameters(),
            "clairvoyant": agent.is_clairvoyant(),
        })
    };
    let line_ups: Vec<Vec<Value>> =
        experiment.line_ups.iter().map(|line_up| line_up.iter().map(agent).collect()).collect();
    let variants: Vec<Value> = experiment
        .variants
        .iter()
        .map(|variant| json!({ "name": variant.name, "rules": variant.rules }))
        .collect();
    json!({
        "name": experiment.name,
        "question": experiment.question,
        "game": experiment.game,
        "players": experiment.players(),
        "line_ups": line_ups,
        "seating": experiment.seating.name(),
        "games_in_block": experiment.seatings().map_or(0, |seatings| seatings.len() * experiment.variants.len()),
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
