//! The heuristic of two-ten-jack: strong, legal under all options, blind to hidden cards, exact at the end.

mod rules;

use dealt_agents::GreedyGame;
use dealt_agents::greedy::TwoTenJackWeights;
use dealt_engine::{Dice, Game, Move, Pack, QuickDice, Rules, Script, TwoTenJack, TwoTenJackRules};
use serde_json::{Value, json};

type State = <TwoTenJack as Game>::State;

fn game(changes: &Value) -> TwoTenJack {
    rules::game(changes)
}

/// A game of random rules.
fn random_game(dice: &mut QuickDice) -> TwoTenJack {
    rules::random_game(&json!({ "deals": 0 }), dice)
}

/// Whether a seat plays by the heuristic or at random.
fn decide(game: &TwoTenJack, state: &State, seat: usize, is_greedy: bool, dice: &mut QuickDice) -> Move {
    let legal = game.legal_moves(state);
    match legal.only() {
        Some(mv) => mv,
        None if is_greedy => game.greedy(&TwoTenJackWeights::default(), &game.view(state, seat), legal),
        None => legal.nth(dice.below(legal.len() as u32) as usize).unwrap(),
    }
}

/// Plays a game of at most 20 deals, the cards depending on `block` alone, and gives the greedy seat's share of the win.
fn play(game: &TwoTenJack, greedy_seat: usize, block: u64) -> f64 {
    let mut dice = QuickDice::new(block, 1 << 32);
    let mut standing = game.start(block as usize % 2);
    while !game.is_over(&standing) && standing.deals < 20 {
        let mut pack = Pack::new(game.pack(), QuickDice::new(block, u64::from(standing.deals)));
        let mut state = game.deal(&standing, &mut pack);
        while let Some(seat) = game.turn(&state) {
            let mv = decide(game, &state, seat, seat == greedy_seat, &mut dice);
            game.play(&mut state, mv, &mut pack).unwrap();
        }
        standing = game.after(&standing, &state);
    }
    let winners = game.winners(&standing);
    if winners.contains(&greedy_seat) { 1.0 / winners.len() as f64 } else { 0.0 }
}

/// The heuristic's share of the wins against random play, every block with either seating.
fn win_share(changes: &Value, blocks: u64) -> f64 {
    let game = game(changes);
    let wins: f64 = (0..blocks).map(|block| play(&game, 0, block) + play(&game, 1, block)).sum();
    wins / (2 * blocks) as f64
}

#[test]
fn greedy_wins_nearly_every_game_against_random() {
    let share = win_share(&json!({}), 400);
    assert!(share > 0.95, "{share}");
}

#[test]
fn greedy_beats_random_under_every_value_of_every_option() {
    for option in TwoTenJackRules::OPTIONS {
        // With no points there is nothing to win.
        for example in option.examples.iter().filter(|&&example| example != "{}") {
            let value: Value = serde_json::from_str(example).unwrap();
            // With two cards in hand there is little to choose: two games in three are won.
            let share = win_share(&json!({ option.key: value }), 100);
            assert!(share > 0.55, "{} {example}: {share}", option.key);
        }
    }
}

#[test]
fn greedy_plays_for_the_points_of_the_table_in_force() {
    let points = json!({"2H": -5, "TH": -5, "JH": -5, "2C": 5, "TC": 5, "JC": 5, "AD": 9, "KD": -9});
    let share = win_share(&json!({ "points": points }), 200);
    assert!(share > 0.9, "{share}");
}

/// Plays a deal with any moves and stops after a random number of them.
fn random_position(game: &TwoTenJack, dice: &mut QuickDice) -> State {
    let mut pack = Pack::new(game.pack(), dice.clone());
    let mut state = game.deal(&game.start(0), &mut pack);
    for _ in 0..dice.below(52) {
        let legal = game.legal_moves(&state);
        let mv = legal.nth(dice.below(legal.len() as u32) as usize).unwrap();
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
    let mut different = 0;
    for seed in 0..3_000 {
        let mut dice = QuickDice::new(0x6869_6465, seed);
        let game = random_game(&mut dice);
        let state = random_position(&game, &mut dice);
        let seat = game.turn(&state).unwrap();
        let legal = game.legal_moves(&state);
        let mv = decide(&game, &state, seat, true, &mut dice);
        assert!(legal.has(mv));
        for _ in 0..4 {
            let world = game.determinise(&game.view(&state, seat), &mut dice);
            different += u32::from(world != state);
            assert_eq!(
                decide(&game, &world, seat, true, &mut dice),
                mv,
                "{:?}\n{state:?}\n{world:?}",
                game.rules()
            );
        }
    }
    assert!(different > 5_000, "{different} worlds differ");
}

/// The margin of seat 0 over the rest of a deal that both play best, by trying everything.
fn best_margin(game: &TwoTenJack, state: &State) -> i32 {
    let Some(seat) = game.turn(state) else {
        let scores = game.scores(state);
        return scores[0] - scores[1];
    };
    let margins = game.legal_moves(state).into_iter().map(|mv| {
        let mut next = *state;
        game.play(&mut next, mv, &mut Script::default()).unwrap();
        best_margin(game, &next)
    });
    if seat == 0 { margins.max().unwrap() } else { margins.min().unwrap() }
}

#[test]
fn the_last_four_tricks_are_played_perfectly() {
    let mut choices = 0;
    for seed in 0..1_500 {
        let mut dice = QuickDice::new(0x656e_6467, seed);
        let game = random_game(&mut dice);
        if game.rules().target_check != dealt_engine::two_ten_jack::TargetCheck::EndOfDeal {
            continue;
        }
        let mut pack = Pack::new(game.pack(), dice.clone());
        let mut state = game.deal(&game.start(0), &mut pack);
        while let Some(seat) = game.turn(&state) {
            let view = game.view(&state, seat);
            let is_end = game.stock_size(view.table()) == 0 && view.hand().len() <= 4;
            let mut next = state;
            let mv = decide(&game, &state, seat, is_end, &mut dice);
            game.play(&mut next, mv, &mut pack).unwrap();
            if is_end && game.legal_moves(&state).len() > 1 {
                assert_eq!(
                    best_margin(&game, &next),
                    best_margin(&game, &state),
                    "{:?}\n{state:?}",
                    game.rules()
                );
                choices += 1;
            }
            state = next;
        }
    }
    assert!(choices > 2_000, "{choices}");
}
