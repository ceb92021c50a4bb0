//! How many walks a second `ismcts` makes at the first decision of a deal. Every answer is checked.

use dealt_agents::search::{InformationSetSearch, Observer, Rollout, Settings};
use dealt_agents::{Agent, SearchGame, Turn};
use dealt_engine::{CancellationHearts, Game, Pack, QuickDice, Rules, ThreeThirteen, TwoTenJack};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use serde_json::{Value, json};

fn main() {
    divan::main();
}

const WALKS: u32 = 1000;

const SETTINGS: Settings = Settings { iterations: WALKS, ..Settings::PLAIN };

/// The first decision of a deal; `deals` come before it.
fn first_decision<G: SearchGame>(
    bencher: Bencher<'_, '_>,
    rules: &Value,
    deals: u32,
    settings: Settings,
    answer: &str,
) {
    let game = G::new(G::Rules::default().with(rules.as_object().unwrap()).unwrap()).unwrap();
    let mut standing = game.start(0);
    standing.deals = deals;
    let state = game.deal(&standing, &mut Pack::new(game.pack(), QuickDice::new(1, 0)));
    let seat = game.turn(&state).unwrap();
    let mut agent = InformationSetSearch::<G>::new(settings);
    bencher.counter(ItemsCount::new(settings.iterations)).bench_local(|| {
        let turn = Turn::new(&game, &standing, black_box(&state), seat, game.legal_moves(&state), 3, 0);
        let mv = agent.decide(&turn).name(G::WORDS);
        assert_eq!(mv, answer);
    });
}

fn hearts() -> Value {
    serde_json::from_str(CancellationHearts::PRESETS[0].changes).unwrap()
}

#[divan::bench(args = ["QS"])]
fn hearts_random(bencher: Bencher<'_, '_>, answer: &str) {
    first_decision::<CancellationHearts>(bencher, &hearts(), 0, SETTINGS, answer);
}

#[divan::bench(args = ["QS"])]
fn hearts_random_each_seat(bencher: Bencher<'_, '_>, answer: &str) {
    let settings = Settings { observer: Observer::Multiple, ..SETTINGS };
    first_decision::<CancellationHearts>(bencher, &hearts(), 0, settings, answer);
}

#[divan::bench(args = [(6, "QS"), (11, "QS")])]
fn cancellation_hearts_random(bencher: Bencher<'_, '_>, (players, answer): (usize, &str)) {
    first_decision::<CancellationHearts>(bencher, &json!({ "players": players }), 0, SETTINGS, answer);
}

#[divan::bench(args = ["9H"])]
fn two_ten_jack_random(bencher: Bencher<'_, '_>, answer: &str) {
    first_decision::<TwoTenJack>(bencher, &json!({}), 0, SETTINGS, answer);
}

#[divan::bench(args = [(0, "draw-stock"), (5, "draw-discard"), (10, "draw-stock")])]
fn three_thirteen_greedy(bencher: Bencher<'_, '_>, (deals, answer): (u32, &str)) {
    let settings = Settings { iterations: 100, rollout: Rollout::Greedy { epsilon: 0.0 }, ..SETTINGS };
    first_decision::<ThreeThirteen>(bencher, &json!({}), deals, settings, answer);
}

#[divan::bench(args = [(0, "draw-discard"), (5, "draw-discard"), (10, "draw-discard")])]
fn three_thirteen_random(bencher: Bencher<'_, '_>, (deals, answer): (u32, &str)) {
    let settings = Settings { iterations: 100, horizon: 20, ..SETTINGS };
    first_decision::<ThreeThirteen>(bencher, &json!({}), deals, settings, answer);
}
