//! What a view holds, in the notation of records.

use serde_json::{Map, Value, json};

use super::position::Trick;
use super::{AS_SPADE, AS_TRUMP, Declaration, TwoTenJack, View};
use crate::facts::{in_order, object, seat};
use crate::{Game, Seat};

impl TwoTenJack {
    pub(super) fn facts_of(&self, view: &View) -> Map<String, Value> {
        let table = &view.table;
        let declared = table.declaration.map(|declared| match declared {
            Declaration::Trump => AS_TRUMP.name(Self::WORDS),
            Declaration::Spade => AS_SPADE.name(Self::WORDS),
        });
        object([
            ("turn", seat(table.turn())),
            ("dealer", json!(1 - Seat::from(table.first))),
            ("totals", json!(table.totals)),
            ("scores", json!(table.scores)),
            ("hand", in_order(view.hand)),
            ("unseen", in_order(view.unseen)),
            ("stock", json!(self.stock_size(table))),
            ("declared", json!(declared)),
            ("tricks", table.tricks().map(|trick| self.trick_facts(&trick)).collect()),
        ])
    }

    /// A trick, the one that is going on having no winner.
    fn trick_facts(&self, trick: &Trick) -> Value {
        let played = [Some(trick.lead), trick.reply].into_iter().flatten();
        json!({ "leader": trick.leader, "cards": in_order(played), "winner": self.winner(trick) })
    }
}
