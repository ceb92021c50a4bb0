//! Rules as plain data: read from any text format by `serde`, described for people, refused with reasons.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// One option of a game, as help texts and errors describe it.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// The key, as the field of the rules is named.
    pub key: &'static str,
    /// The values accepted, for a person.
    pub accepts: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// A few accepted values as JSON, the default among them: for tests that draw rules at random.
    pub examples: &'static [&'static str],
}

/// Why rules were refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleError {
    /// The option, or the options, at fault.
    pub key: String,
    /// The value given.
    pub value: String,
    /// What would have been accepted.
    pub accepted: String,
}

impl RuleError {
    /// An error of a key, the value given and what would be accepted.
    pub fn new(key: impl Into<String>, value: impl fmt::Display, accepted: impl Into<String>) -> RuleError {
        RuleError { key: key.into(), value: value.to_string(), accepted: accepted.into() }
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule `{}` cannot be `{}`; accepted: {}", self.key, self.value, self.accepted)
    }
}

impl std::error::Error for RuleError {}

/// The options of a game with the values in force: a plain struct whose fields are the keys.
pub trait Rules:
    Serialize + DeserializeOwned + Clone + Default + PartialEq + fmt::Debug + Send + Sync
{
    /// Every field, in order.
    const OPTIONS: &'static [OptionInfo];

    /// These rules with some options changed. Values that have the right form but do not fit together are found when
    /// the rules are made into a game.
    ///
    /// # Errors
    /// If a key is not known or a value has not the form that its option takes.
    fn with(&self, changes: &Map<String, Value>) -> Result<Self, RuleError> {
        let mut fields = self.to_map();
        for (key, value) in changes {
            let Some(info) = Self::OPTIONS.iter().find(|info| info.key == key) else {
                return Err(unknown_key::<Self>(key, value));
            };
            let old = fields.insert(key.clone(), value.clone());
            if serde_json::from_value::<Self>(Value::Object(fields.clone())).is_err() {
                fields.extend(old.map(|old| (key.clone(), old)));
                return Err(RuleError::new(key, plain(value), info.accepts));
            }
        }
        serde_json::from_value(Value::Object(fields))
            .map_err(|error| RuleError::new("rules", error, "the options listed by `dealt games`"))
    }

    /// Every option with the value in force, in order.
    fn to_map(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(map)) => map,
            _ => unreachable!("rules are a struct of plain values"),
        }
    }
}

fn unknown_key<R: Rules>(key: &str, value: &Value) -> RuleError {
    let keys = || R::OPTIONS.iter().map(|info| info.key);
    let hint = nearest(key, keys()).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    let known: Vec<_> = keys().collect();
    RuleError {
        key: key.to_owned(),
        value: plain(value),
        accepted: format!("no such rule here, only {}{hint}", known.join(", ")),
    }
}

/// A value as a person would type it: text without quotation marks.
#[must_use]
pub fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The known name that `given` was most likely meant to be, if any is near.
#[must_use]
pub fn nearest<'n>(given: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let score = |name: &str| strsim::jaro_winkler(given, name);
    known
        .into_iter()
        .map(|name| (name, score(name)))
        .filter(|&(_, score)| score > 0.75)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(name, _)| name)
}
