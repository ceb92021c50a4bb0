//! Values of the facts that [`Game::facts`](crate::Game::facts) tells, in the notation of records.

use serde_json::{Map, Value};

use crate::{Card, CardBag, Seat};

/// Cards, lowest first.
pub(crate) fn cards<const PLANES: usize>(bag: &CardBag<PLANES>) -> Value {
    in_order(bag.iter())
}

/// Cards in the order in which they are given.
pub(crate) fn in_order(cards: impl IntoIterator<Item = Card>) -> Value {
    Value::from_iter(cards.into_iter().map(|card| card.to_string()))
}

/// A seat, or `null` for nobody.
pub(crate) fn seat(seat: Option<Seat>) -> Value {
    seat.map_or(Value::Null, Value::from)
}

/// An object of these fields, in this order.
pub(crate) fn object<const FIELDS: usize>(fields: [(&str, Value); FIELDS]) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
