//! The parameters of agents: described, checked, named in errors.

use serde_json::{Map, Value};

/// What values a parameter takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ParameterKind {
    /// A number from `min` to `max`.
    Number {
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
    },
    /// A whole number from `min` to `max`.
    Integer {
        /// Least value.
        min: i64,
        /// Greatest value.
        max: i64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// true or false.
    Flag,
    /// Any text but none, in quotation marks where it holds a comma.
    Text,
}

impl ParameterKind {
    /// Whether the value is of the kind and in range.
    #[must_use]
    pub fn accepts(self, value: &Value) -> bool {
        match self {
            ParameterKind::Number { min, max } => value.as_f64().is_some_and(|v| (min..=max).contains(&v)),
            ParameterKind::Integer { min, max } => value.as_i64().is_some_and(|v| (min..=max).contains(&v)),
            ParameterKind::Choice(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            ParameterKind::Flag => value.is_boolean(),
            ParameterKind::Text => value.as_str().is_some_and(|text| !text.trim().is_empty()),
        }
    }
}

impl std::fmt::Display for ParameterKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ParameterKind::Number { min, max } => write!(f, "a number from {min} to {max}"),
            ParameterKind::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            ParameterKind::Choice(words) => f.write_str(&words.join(", ")),
            ParameterKind::Flag => f.write_str("true, false"),
            ParameterKind::Text => f.write_str("a text such as \"python3 agent.py\""),
        }
    }
}

/// A parameter, as help texts, errors and tuning know it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ParameterInfo {
    /// The key.
    pub key: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// What it takes.
    pub kind: ParameterKind,
    /// The default, as JSON.
    pub default: &'static str,
}

/// Every parameter of an agent with the value in force, in the order in which the agent lists them.
pub type Parameters = Map<String, Value>;

/// A struct of numbers that a heuristic is made of. The [`weights!`](crate::weights) macro writes it.
pub trait Weights: Clone + std::fmt::Debug + Send + Sync + Sized {
    /// The fields, in order.
    const PARAMETERS: &'static [ParameterInfo];

    /// The weights of checked parameters; a missing one has its default.
    fn from_parameters(parameters: &Parameters) -> Self;
}

/// Declares a struct of weights (`f64`), each with its default, its range and what it means; the comments become the
/// help text.
///
/// ```
/// use dealt_agents::{Weights, weights};
/// weights! {
///     /// How to play a tiny game.
///     pub struct TinyWeights {
///         /// Points that a trump kept is worth.
///         pub trump: f64 = 1.5, 0.0..=10.0;
///     }
/// }
/// assert_eq!(TinyWeights::default().trump, 1.5);
/// assert_eq!(TinyWeights::PARAMETERS[0].about, "Points that a trump kept is worth.");
/// ```
#[macro_export]
macro_rules! weights {
    (
        $(#[doc = $about:literal])*
        pub struct $name:ident {
            $($(#[doc = $doc:literal])+ pub $field:ident: f64 = $default:literal, $min:literal..=$max:literal;)+
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $field: f64,)+
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)+ }
            }
        }

        impl $crate::Weights for $name {
            const PARAMETERS: &'static [$crate::ParameterInfo] = &[$(
                $crate::ParameterInfo {
                    key: stringify!($field),
                    about: concat!($($doc),+).trim_ascii(),
                    kind: $crate::ParameterKind::Number { min: $min, max: $max },
                    default: stringify!($default),
                },
            )+];

            fn from_parameters(parameters: &$crate::Parameters) -> Self {
                let mut weights = $name::default();
                $(
                    if let Some(value) = parameters.get(stringify!($field)).and_then(|value| value.as_f64()) {
                        weights.$field = value;
                    }
                )+
                weights
            }
        }
    };
}
