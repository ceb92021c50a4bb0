//! What a view holds, in the notation of records.

use serde_json::{Map, Value, json};

use super::sources::{Doubt, Source};
use super::{Phase, State, ThreeThirteen, View};
use crate::facts::{cards, in_order, object, seat};
use crate::{Bag, Game, Seat};

impl ThreeThirteen {
    pub(super) fn facts_of(&self, view: &View) -> Map<String, Value> {
        let public = view.public();
        let players = self.players();
        let by_seat = |fact: &dyn Fn(Seat) -> Value| (0..players).map(fact).collect::<Value>();
        let sizes = public.hand_sizes(players);
        let arranged = self.melds(public).arrange(view.hand());
        let mut unseen = Bag::EMPTY;
        view.unseen().iter().for_each(|cards| unseen.insert_all(cards));
        object([
            ("turn", seat(public.turn(players))),
            ("phase", json!(phase_name(public.phase))),
            ("dealer", json!(public.dealer)),
            ("totals", json!(public.totals[..players])),
            ("hand", cards(view.hand())),
            ("deadwood", json!(self.melds(public).deadwood(view.hand()))),
            ("melds", arranged.melds.into_iter().map(in_order).collect()),
            ("wild", json!(self.melds(public).wild().to_string())),
            ("hand_size", json!(public.hand_size)),
            ("unseen", cards(&unseen)),
            ("held", by_seat(&|seat| json!(sizes[seat]))),
            ("known", by_seat(&|seat| cards(&public.known[seat]))),
            ("out", (0..players).filter(|&seat| public.out >> seat & 1 != 0).collect()),
            ("first_out", json!(public.first_out)),
            ("turns", json!(public.turns)),
            ("stock", json!(public.stock_size)),
            ("rebuilds", json!(public.rebuilds)),
            ("discards", cards(&public.discards)),
            ("pile", in_order(public.pile())),
            ("taken", json!(public.taken.map(|card| card.to_string()))),
            ("sources", public.sources.list().iter().map(|source| source_facts(source, players)).collect()),
            ("hand_by_source", self.hand_by_source(view)),
            ("doubts", self.doubt_facts(view)),
        ])
    }

    /// The cards that only this seat has seen, by the source that it had them from.
    fn hand_by_source(&self, view: &View) -> Value {
        let by_source = State::hidden_by_source(view.hand(), &view.public().known[view.seat()], view.tags());
        let sources = view.public().sources.list().len();
        by_source[..sources].iter().map(cards).collect()
    }

    /// The doubts; of its own the seat knows the source.
    fn doubt_facts(&self, view: &View) -> Value {
        let doubts = view.public().sources.doubts().enumerate();
        let facts = doubts.map(|(index, doubt)| {
            let Doubt { seat, card, hidden, newest } = doubt;
            let source = (Seat::from(seat) == view.seat()).then(|| view.doubt_source(index));
            json!({ "seat": seat, "card": card.to_string(), "hidden": hidden, "newest": newest, "source": source })
        });
        facts.collect()
    }
}

fn source_facts(source: &Source, players: usize) -> Value {
    json!({ "cards": cards(&source.cards), "held": source.held[..players] })
}

fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Draw => "draw",
        Phase::Discard => "discard",
        Phase::GoOut => "go-out",
        Phase::Over => "over",
    }
}
