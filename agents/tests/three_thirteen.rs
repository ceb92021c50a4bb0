//! The heuristic of three-thirteen: far stronger than random, stronger than plain deadwood, legal, blind to hidden cards.

mod rules;

use dealt_agents::GreedyGame;
use dealt_agents::greedy::ThreeThirteenWeights;
use dealt_agents::{Parameters, Weights};
use dealt_engine::{Dice, Game, Move, Pack, QuickDice, Rules, Seat, ThreeThirteen, ThreeThirteenRules};
use serde_json::{Value, json};

type State = <ThreeThirteen as Game>::State;

/// How a seat plays.
#[derive(Clone, Copy)]
enum Player<'w> {
    Random,
    Greedy(&'w ThreeThirteenWeights),
}

fn game(changes: &Value) -> ThreeThirteen {
    rules::game(changes)
}

/// A game of random rules.
fn random_game(dice: &mut QuickDice) -> ThreeThirteen {
    rules::random_game(&json!({}), dice)
}

fn decide(game: &ThreeThirteen, state: &State, seat: Seat, player: Player<'_>, dice: &mut QuickDice) -> Move {
    let legal = game.legal_moves(state);
    match (legal.only(), player) {
        (Some(mv), _) => mv,
        (None, Player::Greedy(weights)) => game.greedy(weights, &game.view(state, seat), legal),
        (None, Player::Random) => legal.nth(dice.below(legal.len() as u32) as usize).unwrap(),
    }
}

/// Plays a game whose cards depend on `block` alone, one player in `seat` and the other in all others, and gives by how
/// much the one's total is better than the mean of the rest.
fn margin(game: &ThreeThirteen, seat: Seat, one: Player<'_>, rest: Player<'_>, block: u64) -> f64 {
    let mut dice = QuickDice::new(block, 1 << 32);
    let players = game.players();
    let mut standing = game.start(block as usize % players);
    while !game.is_over(&standing) {
        let mut pack = Pack::new(game.pack(), QuickDice::new(block, u64::from(standing.deals)));
        let mut state = game.deal(&standing, &mut pack);
        while let Some(turn) = game.turn(&state) {
            let player = if turn == seat { one } else { rest };
            let mv = decide(game, &state, turn, player, &mut dice);
            game.play(&mut state, mv, &mut pack).unwrap();
        }
        standing = game.after(&standing, &state);
    }
    let total: i32 = standing.totals[..players].iter().sum();
    let own = standing.totals[seat];
    f64::from(total - own) / (players - 1) as f64 - f64::from(own)
}

/// The mean margin of a block, with the one player in every seat in turn, over blocks; and its standard error.
fn margins(game: &ThreeThirteen, one: Player<'_>, rest: Player<'_>, blocks: u64) -> (f64, f64) {
    let players = game.players();
    let of_block =
        |block| (0..players).map(|seat| margin(game, seat, one, rest, block)).sum::<f64>() / players as f64;
    let margins: Vec<f64> = (0..blocks).map(of_block).collect();
    let mean = margins.iter().sum::<f64>() / blocks as f64;
    let squares: f64 = margins.iter().map(|margin| (margin - mean).powi(2)).sum();
    (mean, (squares / (blocks * (blocks - 1)) as f64).sqrt())
}

/// All weights zero: what lowers the deadwood is taken, and the least of it kept.
fn plain() -> ThreeThirteenWeights {
    let zeros =
        ThreeThirteenWeights::PARAMETERS.iter().map(|parameter| (parameter.key.to_owned(), json!(0.0)));
    ThreeThirteenWeights::from_parameters(&zeros.collect::<Parameters>())
}

#[test]
fn greedy_leaves_random_hundreds_of_points_behind() {
    let weights = ThreeThirteenWeights::default();
    for players in [2, 5] {
        let game = game(&json!({ "players": players }));
        let (mean, error) = margins(&game, Player::Greedy(&weights), Player::Random, 20);
        assert!(mean - 4.0 * error > 250.0, "{mean} ± {error}");
    }
}

#[test]
fn greedy_beats_plain_deadwood_on_the_same_cards() {
    let (weights, plain) = (ThreeThirteenWeights::default(), plain());
    for (players, blocks) in [(2, 600), (4, 150)] {
        let game = game(&json!({ "players": players }));
        let (mean, error) = margins(&game, Player::Greedy(&weights), Player::Greedy(&plain), blocks);
        assert!(mean > 4.0 * error, "{players}: {mean} ± {error}");
    }
}

#[test]
fn greedy_beats_random_under_every_value_of_every_option() {
    let weights = ThreeThirteenWeights::default();
    for option in ThreeThirteenRules::OPTIONS {
        for example in option.examples {
            let value: Value = serde_json::from_str(example).unwrap();
            let Ok(rules) =
                ThreeThirteenRules::default().with(json!({ option.key: value }).as_object().unwrap())
            else {
                panic!("{} {example}", option.key)
            };
            let Ok(game) = ThreeThirteen::new(rules) else { continue };
            let (mean, error) = margins(&game, Player::Greedy(&weights), Player::Random, 4);
            assert!(mean > 3.0 * error, "{} {example}: {mean} ± {error}", option.key);
        }
    }
}

/// Plays a round, greedily or at random by turns, and stops after a random number of moves.
fn random_position(game: &ThreeThirteen, dice: &mut QuickDice) -> State {
    let weights = ThreeThirteenWeights::default();
    let mut standing = game.start(0);
    standing.deals = dice.below(game.rules().rounds.len() as u32);
    let mut pack = Pack::new(game.pack(), dice.clone());
    let mut state = game.deal(&standing, &mut pack);
    let random_share = 1 + dice.below(4);
    for _ in 0..dice.below(80) {
        let seat = game.turn(&state).unwrap();
        let player = if dice.below(random_share) > 0 { Player::Random } else { Player::Greedy(&weights) };
        let mv = decide(game, &state, seat, player, dice);
        let before = state;
        game.play(&mut state, mv, &mut pack).unwrap();
        if game.turn(&state).is_none() {
            return before;
        }
    }
    state
}

#[test]
fn the_move_is_legal_and_the_same_when_the_hidden_cards_are_dealt_anew() {
    let weights = ThreeThirteenWeights::default();
    let mut different = 0;
    for seed in 0..2_000 {
        let mut dice = QuickDice::new(0x0031_3331, seed);
        let game = random_game(&mut dice);
        let state = random_position(&game, &mut dice);
        let seat = game.turn(&state).unwrap();
        let mv = decide(&game, &state, seat, Player::Greedy(&weights), &mut dice);
        assert!(game.legal_moves(&state).has(mv));
        for _ in 0..3 {
            let world = game.determinise(&game.view(&state, seat), &mut dice);
            different += u32::from(world != state);
            let there = decide(&game, &world, seat, Player::Greedy(&weights), &mut dice);
            assert_eq!(there, mv, "{:?}\n{state:?}\n{world:?}", game.rules());
        }
    }
    assert!(different > 3_000, "{different} worlds differ");
}

#[test]
fn whoever_can_go_out_does() {
    let weights = ThreeThirteenWeights::default();
    let mut out = 0;
    for seed in 0..3_000 {
        let mut dice = QuickDice::new(0x006f_7574, seed);
        let game = game(&json!({}));
        let state = random_position(&game, &mut dice);
        let legal = game.legal_moves(&state);
        if let Some(word) = Move::parse("go-out", ThreeThirteen::WORDS).filter(|&word| legal.has(word)) {
            let seat = game.turn(&state).unwrap();
            assert_eq!(decide(&game, &state, seat, Player::Greedy(&weights), &mut dice), word);
            out += 1;
        }
    }
    assert!(out > 20, "{out}");
}
