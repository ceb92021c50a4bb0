//! How many walks of a tree, or rollouts, `ismcts` makes a second at the first decision of some deals.

use std::hint::black_box;

use dealt::figures::count;
use dealt::streams::Streams;
use dealt_agents::{AgentSpec, GameVisitor, Player, SearchGame, Turn, with_game};
use dealt_engine::{Pack, Rules};
use serde_json::{Map, Value, json};

use super::bench::{SEED, timed};
use crate::config::find_game;

/// Where it is measured: a game or preset, how many play if it is not the usual number, how many deals come before.
const PLACES: [(&str, Option<usize>, u32); 7] = [
    ("two-ten-jack", None, 0),
    ("hearts", None, 0),
    ("cancellation-hearts", Some(6), 0),
    ("cancellation-hearts", Some(11), 0),
    ("three-thirteen", None, 0),
    ("three-thirteen", None, 5),
    ("three-thirteen", None, 10),
];

/// The rollouts that are measured: to the end of the deal, but for those that would hardly ever end.
const ROLLOUTS: [(&str, &str); 2] = [("random", "1000"), ("greedy", "100")];

/// How fast a search is.
pub(crate) struct SearchSpeed {
    place: String,
    rollout: &'static str,
    walks: f64,
}

impl SearchSpeed {
    pub(crate) fn to_json(&self) -> Value {
        json!({ "at": self.place, "rollout": self.rollout, "iterations_per_s": self.walks })
    }

    pub(crate) fn row(&self) -> Vec<String> {
        vec![self.place.clone(), self.rollout.to_owned(), count(self.walks as u64)]
    }
}

/// All of them.
pub(crate) fn speeds() -> Vec<SearchSpeed> {
    let rollouts = |place| ROLLOUTS.into_iter().map(move |rollout| (place, rollout));
    PLACES.into_iter().flat_map(rollouts).map(|(place, rollout)| measure(place, rollout)).collect()
}

fn measure(
    (name, players, deals): (&str, Option<usize>, u32),
    (rollout, iterations): (&'static str, &str),
) -> SearchSpeed {
    let chosen = find_game(name).expect("a name of the registry");
    let changes = chosen.preset.map_or("{}", |preset| preset.changes);
    let mut changes: Map<String, Value> = serde_json::from_str(changes).expect("presets are JSON objects");
    changes.extend(players.map(|players| ("players".to_owned(), Value::from(players))));
    let game = chosen.info.name;
    let horizon = if game == "three-thirteen" && rollout == "random" { 20 } else { 0 };
    let agent = format!("ismcts:iterations={iterations},rollout={rollout},horizon={horizon}");
    let agent = AgentSpec::parse(&agent, game).expect("an agent of the registry");
    let walks = with_game(game, Search { agent: &agent, changes, deals }).expect("a game of the registry");
    let who = players.map_or_else(String::new, |players| format!(", {players} players"));
    let round = if deals > 0 { format!(", deal {}", deals + 1) } else { String::new() };
    let place = format!("{name}{who}{round}");
    let iterations: f64 = iterations.parse().expect("a number");
    SearchSpeed { place, rollout, walks: walks * iterations }
}

/// Decides again and again, and says how many decisions a second that makes.
struct Search<'a> {
    agent: &'a AgentSpec,
    changes: Map<String, Value>,
    deals: u32,
}

impl GameVisitor for Search<'_> {
    type Output = f64;

    fn visit<G: SearchGame>(self) -> f64 {
        let rules = G::Rules::default().with(&self.changes).expect("presets are rules of their game");
        let game = G::new(rules).expect("presets make a game");
        let mut standing = game.start(0);
        standing.deals = self.deals;
        let state = game.deal(&standing, &mut Pack::new(game.pack(), Streams::new(SEED).deal(0, self.deals)));
        let seat = game.turn(&state).expect("a deal begins with a move");
        let mut player: Player<G> = self.agent.build();
        let mut decisions = 0;
        let seconds = timed(|| {
            let turn = Turn::new(&game, &standing, &state, seat, game.legal_moves(&state), SEED, decisions);
            black_box(player.decide(&turn, &state).ok());
            decisions += 1;
        });
        decisions as f64 / seconds
    }
}
