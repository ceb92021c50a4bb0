//! What a card is worth to whoever is dealt it: the metric `card_power`, against its meaning.
//!
//! The metric is found from deals as they come. What it means is an experiment with each deal: exchange the card with a
//! random one of another hand, play both deals, and see how much the former holder's score changes. The two are the
//! same in the mean, since such exchanges take each pair of deals to one another equally often.

use std::num::NonZeroUsize;

use dealt::estimate::Estimate;
use dealt::recorder::NoRecorder;
use dealt::run;
use dealt::watch::{NoSink, NoWatch};
use dealt::{Experiment, OnFault, Outputs, Seating, Variant};
use dealt_agents::{AgentSpec, GreedyGame, Parameters, Weights};
use dealt_engine::{
    CancellationHearts, Card, Dice, Game, Pack, QuickDice, Rules, Script, Seat, Standing, ThreeThirteen,
    TwoTenJack,
};
use serde_json::{Map, Value, json};

const BLOCKS: u64 = 8_000;

fn changes(rules: &Value) -> Map<String, Value> {
    rules.as_object().cloned().unwrap_or_default()
}

/// The power of each card, by the metric of a run of one deal a game among greedy players.
fn by_the_metric<G: Game>(rules: &Value, players: usize) -> impl Fn(Card) -> Estimate + use<G> {
    let agent = AgentSpec::parse("greedy", G::NAME).unwrap();
    let experiment = Experiment {
        name: "power".to_owned(),
        question: None,
        game: G::NAME.to_owned(),
        variants: vec![Variant { name: "one deal".to_owned(), rules: changes(rules) }],
        line_ups: vec![vec![agent; players]],
        seating: Seating::Rotate,
        seed: 5,
        blocks: BLOCKS,
        confidence: 0.95,
        on_fault: OnFault::Stop,
        outputs: Outputs::default(),
    };
    let outcome = run::run::<NoRecorder>(&experiment, NonZeroUsize::MIN, &mut NoSink, &NoWatch).unwrap();
    move |card| {
        let name = format!("card_power[{card}]");
        outcome.summary.metrics.iter().find(|metric| metric.metric == name).unwrap().value
    }
}

/// The score of each seat, with the pack in this order.
fn play<G: GreedyGame>(game: &G, standing: &Standing, order: &[Card]) -> (Vec<Vec<Card>>, Vec<i32>) {
    let mut stock = Script::new(order.to_vec(), Vec::new());
    let weights = G::Weights::from_parameters(&Parameters::new());
    let mut state = game.deal(standing, &mut stock);
    let hands = (0..game.players()).map(|seat| game.hand(&state, seat).iter().collect()).collect();
    while let Some(seat) = game.turn(&state) {
        let legal = game.legal_moves(&state);
        let greedy = || game.greedy(&weights, &game.view(&state, seat), legal);
        let mv = legal.only().unwrap_or_else(greedy);
        game.play_unchecked(&mut state, mv, &mut stock);
    }
    (hands, game.scores(&state)[..game.players()].to_vec())
}

/// The mean change of the holder's score against the same deal with the card in another hand, and its standard error.
fn by_exchange<G: GreedyGame>(game: &G, card: Card, deals: u64) -> (f64, f64) {
    let [mut count, mut sum, mut squares] = [0.0; 3];
    for deal in 0..deals {
        let mut dice = QuickDice::new(deal, 99);
        let standing = game.start(dice.below(game.players() as u32) as Seat);
        let mut order = Pack::new(game.pack(), QuickDice::new(deal, 100)).rest();
        let (hands, scores) = play(game, &standing, &order);
        let Some(holder) = (0..hands.len()).find(|&seat| hands[seat].contains(&card)) else { continue };
        let other = (holder + 1 + dice.below(hands.len() as u32 - 1) as usize) % hands.len();
        let given = hands[other][dice.below(hands[other].len() as u32) as usize];
        let place = |card| order.iter().position(|&other| other == card).unwrap();
        let (one, two) = (place(card), place(given));
        order.swap(one, two);
        let (exchanged, after) = play(game, &standing, &order);
        assert!(exchanged[other].contains(&card) && exchanged[holder].contains(&given));
        let change = f64::from(scores[holder] - after[holder]);
        count += 1.0;
        sum += change;
        squares += change * change;
    }
    let mean = sum / count;
    (mean, f64::sqrt((squares / count - mean * mean) / count))
}

fn check<G: GreedyGame>(rules: &Value, cards: &[&str], deals: u64) {
    let game = G::new(G::Rules::default().with(&changes(rules)).unwrap()).unwrap();
    let metric = by_the_metric::<G>(rules, game.players());
    for card in cards {
        let card: Card = card.parse().unwrap();
        let found = metric(card);
        let (value, interval) = (found.value.unwrap(), found.interval.unwrap());
        let (expected, error) = by_exchange(&game, card, deals);
        let width = f64::hypot((interval.high - interval.low) / 2.0 / 1.96, error);
        assert!((value - expected).abs() < 4.0 * width, "{} {card}: {value} for {expected}", G::NAME);
        // The two say something, not merely nothing.
        assert!(width < 1.2, "{} {card}: {width}", G::NAME);
    }
}

#[test]
fn the_power_of_a_card_is_what_its_exchange_changes_in_two_ten_jack() {
    check::<TwoTenJack>(&json!({ "deals": 1 }), &["2H", "TC", "AS", "7D"], 6_000);
}

#[test]
fn the_power_of_a_card_is_what_its_exchange_changes_in_hearts() {
    let rules = json!({ "players": 4, "decks": 1, "deals": 1 });
    check::<CancellationHearts>(&rules, &["QS", "AH", "2C"], 6_000);
}

#[test]
fn the_power_of_a_card_is_what_its_exchange_changes_in_three_thirteen() {
    check::<ThreeThirteen>(&json!({ "players": 2, "rounds": [6] }), &["6C", "KS"], 1_500);
}

#[test]
fn a_card_of_which_there_are_two_has_a_power_too() {
    let power = by_the_metric::<CancellationHearts>(&json!({ "players": 6, "deals": 1 }), 6);
    let queen = power("QS".parse().unwrap());
    assert!(queen.interval.unwrap().low > 0.0, "{queen:?}");
}
