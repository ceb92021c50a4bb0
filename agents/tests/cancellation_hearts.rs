//! The heuristic of cancellation hearts: strong, legal under all options, blind to hidden cards.

mod rules;

use dealt_agents::GreedyGame;
use dealt_agents::greedy::CancellationHeartsWeights;
use dealt_engine::cancellation_hearts::Phase;
use dealt_engine::{
    CancellationHearts, CancellationHeartsRules, Card, CardSet, Dice, Game, Move, Moves, Pack, QuickDice,
    Rules, Script, Standing,
};
use serde_json::{Value, json};

type State = <CancellationHearts as Game>::State;

fn game(changes: &Value) -> CancellationHearts {
    rules::game(changes)
}

fn hearts() -> CancellationHearts {
    game(&serde_json::from_str(CancellationHearts::PRESETS[0].changes).unwrap())
}

/// A game of random rules.
fn random_game(dice: &mut QuickDice) -> CancellationHearts {
    rules::random_game(&json!({}), dice)
}

fn choose(game: &CancellationHearts, state: &State, seat: usize) -> Move {
    let legal = game.legal_moves(state);
    let weights = CancellationHeartsWeights::default();
    legal.only().unwrap_or_else(|| game.greedy(&weights, &game.view(state, seat), legal))
}

fn any(legal: Moves, dice: &mut QuickDice) -> Move {
    legal.nth(dice.below(legal.len() as u32) as usize).unwrap()
}

/// What comes of one seat that plays by the heuristic among seats that play any card.
#[derive(Default)]
struct Outcome {
    games: f64,
    wins: f64,
    deals: f64,
    /// The score less the mean of the table, over all deals.
    margin: f64,
}

/// Plays games of at most 20 deals, every block with the heuristic in every seat.
fn against_random(game: &CancellationHearts, blocks: u64) -> Outcome {
    let mut outcome = Outcome::default();
    for (block, seat) in (0..blocks).flat_map(|block| (0..game.players()).map(move |seat| (block, seat))) {
        let mut dice = QuickDice::new(block, 1 << 32);
        let mut standing = game.start(block as usize % game.players());
        while !game.is_over(&standing) && standing.deals < 20 {
            let mut pack = Pack::new(game.pack(), QuickDice::new(block, u64::from(standing.deals)));
            let mut state = game.deal(&standing, &mut pack);
            while let Some(turn) = game.turn(&state) {
                let mv = if turn == seat {
                    choose(game, &state, turn)
                } else {
                    any(game.legal_moves(&state), &mut dice)
                };
                game.play(&mut state, mv, &mut pack).unwrap();
            }
            let scores = game.scores(&state);
            let mean = f64::from(scores.iter().sum::<i32>()) / game.players() as f64;
            outcome.margin += f64::from(scores[seat]) - mean;
            outcome.deals += 1.0;
            standing = game.after(&standing, &state);
        }
        let winners = game.winners(&standing);
        outcome.wins += if winners.contains(&seat) { 1.0 / winners.len() as f64 } else { 0.0 };
        outcome.games += 1.0;
    }
    outcome
}

#[test]
fn greedy_takes_few_points_and_wins_most_games_of_hearts_against_random() {
    let outcome = against_random(&hearts(), 40);
    let margin = outcome.margin / outcome.deals;
    let share = outcome.wins / outcome.games;
    assert!(margin < -4.0, "{margin}");
    assert!(share > 0.85, "{share}");
}

#[test]
fn greedy_takes_few_points_and_wins_most_games_of_six_against_random() {
    let outcome = against_random(&game(&json!({})), 20);
    let margin = outcome.margin / outcome.deals;
    let share = outcome.wins / outcome.games;
    assert!(margin < -6.0, "{margin}");
    assert!(share > 0.8, "{share}");
}

#[test]
fn greedy_beats_random_under_every_value_of_every_option() {
    for option in CancellationHeartsRules::OPTIONS {
        for example in option.examples {
            let value: Value = serde_json::from_str(example).unwrap();
            // One pack, unless a card is to be removed twice.
            let decks =
                if example.matches("2C").count().max(example.matches("QS").count()) > 1 { 2 } else { 1 };
            let mut changes = json!({"players": 4, "decks": decks, "deals": 3});
            changes[option.key] = value;
            let outcome = against_random(&game(&changes), 12);
            let margin = outcome.margin / outcome.deals;
            assert!(margin < -1.0, "{} {example}: {margin}", option.key);
        }
    }
}

/// Plays a deal with any moves and stops after a random number of them, before it is over.
fn random_position(game: &CancellationHearts, dice: &mut QuickDice) -> State {
    let mut pack = Pack::new(game.pack(), dice.clone());
    let standing = game.start(dice.below(game.players() as u32) as usize);
    let mut state = game.deal(&Standing { deals: dice.below(4), ..standing }, &mut pack);
    for _ in 0..dice.below(game.pack().len() as u32) {
        let before = state;
        game.play(&mut state, any(game.legal_moves(&before), dice), &mut pack).unwrap();
        if game.turn(&state).is_none() {
            return before;
        }
    }
    state
}

#[test]
fn the_move_is_legal_and_the_same_when_the_hidden_cards_are_dealt_anew() {
    let mut different = 0;
    for seed in 0..2_000 {
        let mut dice = QuickDice::new(0x6869_6465, seed);
        let game = random_game(&mut dice);
        let state = random_position(&game, &mut dice);
        let seat = game.turn(&state).unwrap();
        let mv = choose(&game, &state, seat);
        assert!(game.legal_moves(&state).has(mv));
        for _ in 0..4 {
            let world = game.determinise(&game.view(&state, seat), &mut dice);
            different += u32::from(world != state);
            assert_eq!(choose(&game, &world, seat), mv, "{:?}\n{state:?}\n{world:?}", game.rules());
        }
    }
    assert!(different > 5_000, "{different} worlds differ");
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

/// Hearts for four with given hands, without a pass.
fn deal(hands: [&str; 4]) -> (CancellationHearts, State) {
    let preset: Value = serde_json::from_str(CancellationHearts::PRESETS[0].changes).unwrap();
    let mut changes = preset;
    let held: Vec<Card> = hands.iter().flat_map(|hand| cards(hand)).collect();
    let removed: Vec<String> =
        Card::all().filter(|card| !held.contains(card)).map(|card| card.to_string()).collect();
    changes["remove"] = json!(removed);
    changes["pass_count"] = json!(0);
    let game = game(&changes);
    let state = game.deal(&game.start(3), &mut Script::new(held, vec![]));
    (game, state)
}

fn play(game: &CancellationHearts, state: &mut State, moves: &str) {
    for card in cards(moves) {
        game.play(state, card.into(), &mut Script::default()).unwrap();
    }
}

fn name(mv: Move) -> String {
    mv.name(CancellationHearts::WORDS)
}

#[test]
fn the_queen_goes_on_a_trick_that_another_seat_is_winning() {
    let hands = ["2C 5D 9S 4H", "AC KD 8S 5H", "QS 6D KS 6H", "3C 7D 7S 7H"];
    let (game, mut state) = deal(hands);
    play(&game, &mut state, "2C AC 6D 3C KD");
    // Seat 2 is out of clubs but the first trick spares it; now it is out of diamonds too.
    assert_eq!(game.turn(&state), Some(2));
    assert_eq!(name(choose(&game, &state, 2)), "QS");
}

#[test]
fn the_last_to_play_takes_a_trick_without_points_with_its_highest_card() {
    let hands = ["2C 5C QS 9H", "8C 6C 4D 2H", "9C 7C 5D 3H", "3C KC AS 5S"];
    let (game, mut state) = deal(hands);
    play(&game, &mut state, "2C 8C 9C");
    assert_eq!(name(choose(&game, &state, 3)), "KC");
}

#[test]
fn the_last_to_play_ducks_under_a_queen() {
    let hands = ["2C 3S 4D 5D", "QS 6D 7D 8D", "JS TS 9D TD", "AS 5S JD QD"];
    let (game, mut state) = deal(hands);
    play(&game, &mut state, "2C 6D 9D JD 3S QS JS");
    assert_eq!(name(choose(&game, &state, 3)), "5S");
}

#[test]
fn a_queen_without_guards_is_passed_and_a_guarded_one_kept() {
    let picks = |hand: &str| {
        let game = hearts();
        let mut order = cards(hand);
        order.extend(Card::all().filter(|card| !cards(hand).contains(card)));
        let mut state = game.deal(&game.start(3), &mut Script::new(order, vec![]));
        let mut picks = CardSet::EMPTY;
        while game.turn(&state) == Some(0) && state.table().phase() == Phase::Pass {
            let mv = choose(&game, &state, 0);
            picks |= CardSet::of(mv.as_card().unwrap());
            game.play(&mut state, mv, &mut Script::default()).unwrap();
        }
        picks.to_string()
    };
    assert!(picks("2C 5C 7C 9C TC 2D 5D 8D JD QS 2H 4H 6H").contains("QS"));
    assert!(!picks("2C 5C 7C 9C TC KD AD AH 2S 3S 4S 6S QS").contains("QS"));
}

#[test]
fn the_moon_is_added_when_that_wins_and_subtracted_when_it_would_lose() {
    let hands = ["AC AH", "2C 2H", "3C 3H", "4C 4H"];
    let choice = |totals: [i32; 4]| {
        let held: Vec<Card> = hands.iter().flat_map(|hand| cards(hand)).collect();
        let removed: Vec<String> =
            Card::all().filter(|card| !held.contains(card)).map(|card| card.to_string()).collect();
        let rules = json!({"players": 4, "decks": 1, "pass_count": 0, "remove": removed, "target": 100});
        let game = game(&rules);
        let mut standing = game.start(3);
        standing.totals[..4].copy_from_slice(&totals);
        let mut state = game.deal(&standing, &mut Script::new(held, vec![]));
        play(&game, &mut state, "AC 2C 3C 4C AH 2H 3H 4H");
        assert_eq!(state.table().phase(), Phase::Moon);
        name(choose(&game, &state, 0))
    };
    assert_eq!(choice([20, 90, 30, 40]), "moon-add");
    assert_eq!(choice([60, 90, 30, 40]), "moon-subtract");
    assert_eq!(choice([60, 50, 61, 62]), "moon-subtract");
    assert_eq!(choice([40, 50, 61, 62]), "moon-add");
}
