//! Named parameters: one TOML file each in `agents/presets/`, and one line here.
//!
//! A preset file says what agent it is for, which game its parameters belong to, and how they were found:
//!
//! ```toml
//! about = "…"
//! game = "two-ten-jack"
//! agent = "greedy"
//! [parameters]
//! key = 1.5
//! ```

use serde::Deserialize;
use serde_json::{Map, Value};

/// A preset as its file says it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// What it is and where its numbers come from.
    pub about: String,
    /// The game that it is for.
    pub game: String,
    /// The agent.
    pub agent: String,
    /// The parameters that differ from the agent's defaults.
    pub parameters: Map<String, Value>,
}

/// Names and texts of the preset files.
const FILES: &[(&str, &str)] = &[
    ("tuned-cancellation-hearts", include_str!("../presets/tuned-cancellation-hearts.toml")),
    ("tuned-hearts", include_str!("../presets/tuned-hearts.toml")),
];

/// The names of all presets.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// The preset of a name.
///
/// # Panics
/// If a file compiled into the program is not a preset; a test reads them all.
#[must_use]
pub fn preset(name: &str) -> Option<Preset> {
    let (_, text) = FILES.iter().find(|(known, _)| *known == name)?;
    Some(toml::from_str(text).expect("the preset files are read by a test"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AgentSpec;

    #[test]
    fn every_preset_is_an_agent_of_its_game() {
        for name in names() {
            let preset = preset(name).unwrap();
            let info = crate::AGENTS.iter().find(|info| info.name == preset.agent).unwrap();
            assert!(AgentSpec::parse(name, &preset.game).is_ok(), "{name} of {}", info.name);
        }
    }
}
