//! What a view holds, in the notation of records.

use serde_json::{Map, Value, json};

use super::table::{Phase, Table, Tally};
use super::{CancellationHearts, CancellationHeartsView};
use crate::facts::{cards, in_order, object, seat};
use crate::{Game, Seat};

impl CancellationHearts {
    pub(super) fn facts_of(&self, view: &CancellationHeartsView) -> Map<String, Value> {
        let table = &view.table;
        let seats = 0..self.players();
        let by_seat = |fact: &dyn Fn(Seat) -> Value| seats.clone().map(fact).collect::<Value>();
        let passes_to = (table.pass_to > 0).then(|| Seat::from(self.seat_at(view.seat, table.pass_to)));
        object([
            ("turn", seat(table.turn())),
            ("phase", json!(phase_name(table.phase))),
            ("dealer", json!(table.dealer())),
            ("totals", by_seat(&|seat| json!(table.total(seat)))),
            ("hand", cards(&view.hand)),
            ("unseen", cards(&self.unseen(view))),
            ("held", by_seat(&|seat| json!(self.cards_held(table, seat)))),
            ("passes_to", seat(passes_to)),
            ("picks_left", json!(table.picks_left)),
            ("given", cards(&view.given)),
            ("received", cards(&view.received)),
            ("trick", self.trick_facts(table)),
            ("tricks", json!(table.tricks)),
            ("void_tricks", json!(table.void_tricks)),
            ("last_winner", seat(table.last_winner())),
            ("hearts_broken_in", json!((table.broken_in > 0).then_some(table.broken_in))),
            ("played", by_seat(&|seat| cards(&view.played[seat]))),
            ("captured", by_seat(&|seat| tally_facts(table.captured[seat]))),
            ("aside", tally_facts(table.aside)),
            ("kitty_taker", seat(table.kitty_taker())),
            ("kitty", cards(&view.kitty)),
            ("cannot_hold", by_seat(&|seat| in_order(table.cannot_hold[seat]))),
            ("two_of_clubs_holder", seat(table.two_of_clubs_holder())),
            ("shooter", seat(table.shooter())),
            ("moon_added", json!(table.moon_added)),
        ])
    }

    /// The trick in progress, with the seat that wins it if nobody plays to it any more.
    fn trick_facts(&self, table: &Table) -> Value {
        let trick = &table.trick;
        json!({ "leader": trick.leader(), "cards": in_order(trick.order()), "winning": self.winning(table) })
    }
}

fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Pass => "pass",
        Phase::Play => "play",
        Phase::Moon => "moon",
        Phase::Over => "over",
    }
}

fn tally_facts(tally: Tally) -> Value {
    json!({
        "hearts": tally.hearts(),
        "queens": tally.queens(),
        "tricks": tally.tricks(),
        "bonus": tally.bonus(),
    })
}
