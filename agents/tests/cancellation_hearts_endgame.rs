//! The solver of the last tricks of cancellation hearts against trying everything.

mod rules;

use dealt_agents::endgame::cancellation_hearts::outcome;
use dealt_engine::dice::mix;
use dealt_engine::{CancellationHearts, Dice, Game, Pack, PerSeat, QuickDice, Script};
use serde_json::json;

type State = <CancellationHearts as Game>::State;

/// A game of three to six players by random rules.
fn random_game(dice: &mut QuickDice) -> CancellationHearts {
    rules::random_game(&json!({ "players": 3 + dice.below(4) }), dice)
}

/// A position with at most so many cards in each hand, reached by any moves.
fn random_ending(game: &CancellationHearts, dice: &mut QuickDice, most: usize) -> State {
    let mut pack = Pack::new(game.pack(), dice.clone());
    let mut state = game.deal(&game.start(dice.below(game.players() as u32) as usize), &mut pack);
    let cards = most * game.players() - dice.below(4) as usize;
    let held = |state: &State| (0..game.players()).map(|seat| game.hand(state, seat).len()).sum::<usize>();
    while held(&state) > cards {
        let legal = game.legal_moves(&state);
        let mv = legal.nth(dice.below(legal.len() as u32) as usize).unwrap();
        game.play(&mut state, mv, &mut pack).unwrap();
    }
    state
}

type Worth = fn(&PerSeat<i32>) -> PerSeat<f64>;

fn few_points(scores: &PerSeat<i32>) -> PerSeat<f64> {
    scores.map(|score| -f64::from(score))
}

/// Worth without rhyme or reason, with many ties.
fn whim(scores: &PerSeat<i32>) -> PerSeat<f64> {
    let all = scores.iter().fold(0, |all, &score| mix(all) ^ score as u64);
    std::array::from_fn(|seat| (mix(all ^ (seat as u64) << 32) % 3) as f64)
}

/// By the definition: the outcomes of all moves, and of these the first that none exceeds for the seat to move.
fn try_moves(game: &CancellationHearts, state: &State, worth: Worth) -> PerSeat<i32> {
    let Some(seat) = game.turn(state) else { return game.scores(state) };
    let outcomes: Vec<PerSeat<i32>> = game
        .legal_moves(state)
        .into_iter()
        .map(|mv| {
            let mut next = *state;
            game.play(&mut next, mv, &mut Script::default()).unwrap();
            try_moves(game, &next, worth)
        })
        .collect();
    let most = outcomes.iter().map(|scores| worth(scores)[seat]).fold(f64::MIN, f64::max);
    *outcomes.iter().find(|scores| worth(scores)[seat] == most).unwrap()
}

#[test]
fn the_outcome_is_that_of_trying_everything_under_any_rules_and_any_worth() {
    let mut with_choices = 0;
    for seed in 0..1_500 {
        let mut dice = QuickDice::new(0x6865_6172, seed);
        let game = random_game(&mut dice);
        let most = if game.players() < 5 { 3 } else { 2 };
        let state = random_ending(&game, &mut dice, most);
        for worth in [few_points as Worth, whim] {
            let expected = try_moves(&game, &state, worth);
            let found = outcome(&game, &state, &worth, u32::MAX);
            assert_eq!(found, Some(expected), "{:?}\n{state:?}", game.rules());
        }
        let differs = try_moves(&game, &state, whim) != try_moves(&game, &state, few_points);
        with_choices += u32::from(differs);
    }
    assert!(with_choices > 300, "{with_choices} endings in which it matters what is played for");
}

#[test]
fn there_is_no_outcome_beyond_the_budget_and_a_budget_that_suffices_changes_nothing() {
    let mut refused = 0;
    for seed in 0..300 {
        let mut dice = QuickDice::new(0x6275_6467, seed);
        let game = random_game(&mut dice);
        let state = random_ending(&game, &mut dice, 2);
        let full = outcome(&game, &state, &few_points, u32::MAX);
        assert!(full.is_some());
        for budget in [0, 10, 100, 1_000] {
            match outcome(&game, &state, &few_points, budget) {
                None => refused += 1,
                found => assert_eq!(found, full),
            }
        }
        assert!(
            outcome(&game, &game.deal(&game.start(0), &mut Script::default()), &few_points, 100).is_none()
        );
    }
    assert!(refused > 400, "{refused}");
}

#[test]
fn a_deal_that_is_over_is_worth_its_scores() {
    let mut dice = QuickDice::new(1, 1);
    let game = random_game(&mut dice);
    let mut state = random_ending(&game, &mut dice, 1);
    while game.turn(&state).is_some() {
        let mv = game.legal_moves(&state).lowest().unwrap();
        game.play(&mut state, mv, &mut Script::default()).unwrap();
    }
    assert_eq!(outcome(&game, &state, &few_points, 0), Some(game.scores(&state)));
}
