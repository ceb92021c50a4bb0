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

/// All presets, each with its name.
pub fn all() -> impl Iterator<Item = (&'static str, Preset)> {
    names().filter_map(|name| Some((name, preset(name)?)))
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
    fn a_preset_may_be_changed_and_is_read_back_from_its_label() {
        let spec = AgentSpec::parse("tuned-hearts:queen=3,high=0.723568", "cancellation-hearts").unwrap();
        assert_eq!(spec.label(), "tuned-hearts:queen=3.0");
        assert_eq!(AgentSpec::parse(spec.label(), "cancellation-hearts").unwrap(), spec);
        // However it is written, it is the same agent.
        let all: Vec<String> =
            spec.parameters().iter().map(|(key, value)| format!("{key}={value}")).collect();
        let spelt = AgentSpec::parse(&format!("greedy:{}", all.join(",")), "cancellation-hearts").unwrap();
        assert_eq!(spelt, spec);
        assert!(AgentSpec::parse("tuned-hearts", "two-ten-jack").is_err());
    }

    #[test]
    fn every_preset_is_an_agent_of_its_game() {
        for (name, preset) in all() {
            let info = crate::AGENTS.iter().find(|info| info.name == preset.agent).unwrap();
            let spec = AgentSpec::parse(name, &preset.game).unwrap();
            assert_eq!((spec.name(), spec.label()), (info.name, name));
            assert!(preset.parameters.iter().all(|(key, value)| spec.parameters()[key] == *value), "{name}");
        }
    }
}
