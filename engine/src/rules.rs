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
    /// The value given, as [`shown`] has it; none where the key itself is not known.
    pub value: Option<String>,
    /// What would have been accepted.
    pub accepted: String,
}

impl RuleError {
    /// An error of a key, the value given and what would be accepted.
    pub fn new(key: impl Into<String>, value: impl fmt::Display, accepted: impl Into<String>) -> RuleError {
        RuleError { key: key.into(), value: Some(value.to_string()), accepted: accepted.into() }
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RuleError { key, value, accepted } = self;
        match value {
            Some(value) => write!(f, "rule `{key}` cannot be `{value}`; accepted: {accepted}"),
            None => write!(f, "no rule `{key}`; accepted: {accepted}"),
        }
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
                return Err(unknown_key::<Self>(key));
            };
            let old = fields.insert(key.clone(), value.clone());
            if serde_json::from_value::<Self>(Value::Object(fields.clone())).is_err() {
                fields.extend(old.map(|old| (key.clone(), old)));
                return Err(RuleError::new(key, shown(value), info.accepts));
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

fn unknown_key<R: Rules>(key: &str) -> RuleError {
    let keys = || R::OPTIONS.iter().map(|info| info.key);
    let hint = nearest(key, keys()).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    let known: Vec<_> = keys().collect();
    RuleError { key: key.to_owned(), value: None, accepted: format!("{}{hint}", known.join(", ")) }
}

/// A value as a person would type it: text without quotation marks.
#[must_use]
pub fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A value for a message that refuses it: text as [`plain`], unless it would pass for something that is no text.
///
/// ```
/// use dealt_engine::rules::shown;
/// use serde_json::json;
/// assert_eq!((shown(&json!("low")), shown(&json!(2)), shown(&json!("2"))), ("low".into(), "2".into(), "\"2\"".into()));
/// ```
#[must_use]
pub fn shown(value: &Value) -> String {
    let passes_for_another = |text: &str| match serde_json::from_str(text) {
        // An integer that no 64 bits hold was a number to whoever wrote it.
        Ok(Value::Number(number)) => !number.is_f64() || text.contains(['.', 'e', 'E']),
        Ok(Value::Bool(_)) => true,
        _ => false,
    };
    match value.as_str() {
        Some(text) if passes_for_another(text) => value.to_string(),
        _ => plain(value),
    }
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
    fn a_text_that_reads_as_a_number_or_a_truth_value_is_shown_in_quotes() {
        for (value, text) in [
            (json!("many"), "many"),
            (json!("null"), "null"),
            (json!("-1"), "\"-1\""),
            (json!("1.5"), "\"1.5\""),
            (json!("true"), "\"true\""),
            (json!("18446744073709551616"), "18446744073709551616"),
            (json!(true), "true"),
            (json!(["2"]), "[\"2\"]"),
        ] {
            assert_eq!(shown(&value), text);
        }
    }

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
