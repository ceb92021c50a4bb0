//! Rules as plain data: read from any text format by `serde`, described for people, refused with reasons.

use std::fmt;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::Seat;

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

/// Who deals first: the option `first_dealer` of every game, `"random"` or a seat number.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum FirstDealer {
    /// A seat drawn from the game's seed.
    #[default]
    Random,
    /// This seat.
    Seat(Seat),
}

impl FirstDealer {
    /// The option's description, for a game's list.
    pub const OPTION: OptionInfo = OptionInfo {
        key: "first_dealer",
        accepts: "\"random\" or a seat number, 0 up",
        about: "who deals the first deal",
        examples: &["\"random\"", "0", "1"],
    };

    /// The seat, if the rules name one.
    ///
    /// # Errors
    /// If there is no such seat at a table of `players`.
    pub fn seat(self, players: usize) -> Result<Option<Seat>, RuleError> {
        match self {
            FirstDealer::Random => Ok(None),
            FirstDealer::Seat(seat) if seat < players => Ok(Some(seat)),
            FirstDealer::Seat(seat) => Err(RuleError::new(
                "first_dealer",
                seat,
                format!("\"random\" or a seat from 0 to {}", players - 1),
            )),
        }
    }
}

impl Serialize for FirstDealer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            FirstDealer::Random => serializer.serialize_str("random"),
            FirstDealer::Seat(seat) => serializer.serialize_u64(*seat as u64),
        }
    }
}

impl<'de> Deserialize<'de> for FirstDealer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let seat = value.as_u64().and_then(|seat| Seat::try_from(seat).ok());
        match (value.as_str(), seat) {
            (Some("random"), _) => Ok(FirstDealer::Random),
            (None, Some(seat)) => Ok(FirstDealer::Seat(seat)),
            _ => Err(D::Error::custom(format!("first_dealer is {}", FirstDealer::OPTION.accepts))),
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_dealer_is_random_or_a_seat_of_the_table() {
        for value in [json!("random"), json!(0), json!(5)] {
            let dealer: FirstDealer = serde_json::from_value(value.clone()).unwrap();
            assert_eq!(serde_json::to_value(dealer).unwrap(), value);
        }
        for value in [json!("0"), json!(-1), json!(1.5), json!(null), json!([0])] {
            assert!(serde_json::from_value::<FirstDealer>(value).is_err());
        }
        assert_eq!(FirstDealer::Random.seat(2), Ok(None));
        assert_eq!(FirstDealer::Seat(1).seat(2), Ok(Some(1)));
        assert_eq!(
            FirstDealer::Seat(2).seat(2).unwrap_err().to_string(),
            "rule `first_dealer` cannot be `2`; accepted: \"random\" or a seat from 0 to 1"
        );
    }
}
