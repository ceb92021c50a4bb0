//! The solver of two-ten-jack's last tricks against trying everything.

mod rules;

use dealt_agents::endgame::two_ten_jack::{Ending, Goal, MOST_CARDS};
use dealt_engine::dice::mix;
use dealt_engine::two_ten_jack::{Declaration, SPADE_ACE};
use dealt_engine::{CardSet, Dice, Game, Pack, QuickDice, Script, Standing, TwoTenJack, TwoTenJackRules};
use serde_json::json;

type State = <TwoTenJack as Game>::State;

/// A game of random rules, most with the usual six cards in hand.
fn random_game(dice: &mut QuickDice) -> TwoTenJack {
    let usual = dice.below(2) == 0;
    rules::random_game(
        &if usual { json!({ "deals": 0, "hand_size": 6 }) } else { json!({ "deals": 0 }) },
        dice,
    )
}

/// A standing from which a capture may well reach the target.
fn random_standing(game: &TwoTenJack, dice: &mut QuickDice) -> Standing {
    let mut standing = game.start(dice.below(2) as usize);
    for total in &mut standing.totals[..2] {
        *total = game.rules().target - 1 - dice.below(25) as i32;
    }
    standing
}

/// A position of the last tricks, mostly with many cards left, reached by any moves.
fn random_ending(game: &TwoTenJack, dice: &mut QuickDice, most: usize) -> Option<State> {
    let mut pack = Pack::new(game.pack(), dice.clone());
    let mut state = game.deal(&random_standing(game, dice), &mut pack);
    let cards = 2 * most - dice.below(2) as usize * dice.below(6) as usize;
    let held = |state: &State| state.hands().iter().map(|hand| hand.len()).sum::<usize>();
    while game.stock_size(state.table()) > 0 || held(&state) > cards {
        game.turn(&state)?;
        let legal = game.legal_moves(&state);
        let mv = legal.nth(dice.below(legal.len() as u32) as usize).unwrap();
        game.play(&mut state, mv, &mut pack).unwrap();
    }
    game.turn(&state).map(|_| state)
}

fn margin(scores: [i32; 2]) -> f64 {
    f64::from(scores[0] - scores[1])
}

/// A utility without rhyme or reason.
fn whim(scores: [i32; 2]) -> f64 {
    (mix(scores[0] as u64 ^ (scores[1] as u64) << 32) % 7) as f64
}

/// What seat 0 gets by both utilities when both seats play their best by each, by trying every move.
fn try_moves(game: &TwoTenJack, state: &State) -> [f64; 2] {
    let Some(seat) = game.turn(state) else {
        return [margin, whim].map(|utility| utility(state.table().scores()));
    };
    let after = game.legal_moves(state).into_iter().map(|mv| {
        let mut next = *state;
        game.play_unchecked(&mut next, mv, &mut Script::default());
        try_moves(game, &next)
    });
    after.reduce(|best, values| better(seat, best, values)).unwrap()
}

fn better(seat: usize, one: [f64; 2], other: [f64; 2]) -> [f64; 2] {
    let better = if seat == 0 { f64::max } else { f64::min };
    [better(one[0], other[0]), better(one[1], other[1])]
}

/// The rest of a deal between two tricks.
#[derive(Clone, Copy)]
struct Rest {
    hands: [CardSet; 2],
    leader: usize,
    scores: [i32; 2],
    totals: [i32; 2],
}

/// The same between tricks, by trying every trick: quick enough for thousands of endings.
fn try_tricks(game: &TwoTenJack, rest: Rest) -> [f64; 2] {
    let (leader, other) = (rest.leader, 1 - rest.leader);
    let leads = rest.hands[leader].into_iter().flat_map(|card| {
        let spade = (card == SPADE_ACE).then_some((card, Some(Declaration::Spade)));
        [Some((card, Some(Declaration::Trump))), spade].into_iter().flatten()
    });
    let led = leads.map(|(card, declared)| {
        let lead = game.lead(card, declared, false);
        let replies = game.replies(lead, rest.hands[other]).into_iter();
        let after = replies.map(|reply| {
            let mut next = rest;
            next.hands[leader] -= CardSet::of(card);
            next.hands[other] -= CardSet::of(reply);
            next.leader = if lead.beats.has(reply) { other } else { leader };
            let score = &mut next.scores[next.leader];
            *score += game.worth(card) + game.worth(reply);
            let stops = game.stop().is_some_and(|stop| rest.totals[next.leader] + *score >= stop);
            if stops || next.hands[0].is_empty() {
                [margin, whim].map(|utility| utility(next.scores))
            } else {
                try_tricks(game, next)
            }
        });
        after.reduce(|best, values| better(other, best, values)).unwrap()
    });
    led.reduce(|best, values| better(leader, best, values)).unwrap()
}

/// The value of an ending to seat 0.
fn solved(game: &TwoTenJack, state: &State, goal: Goal<'_>) -> f64 {
    let value = Ending::of_state(game, state).unwrap().value(goal);
    if game.turn(state) == Some(0) { value } else { -value }
}

type ScoresTo = fn([i32; 2]) -> f64;

const GOALS: [(Goal<'static>, ScoresTo); 2] = [(Goal::Margin, margin), (Goal::Utility(&whim), whim)];

#[test]
fn the_value_is_that_of_trying_every_move_under_any_rules_and_any_utility() {
    let mut stopping = 0;
    for seed in 0..250 {
        let mut dice = QuickDice::new(0x656e_6469, seed);
        let game = random_game(&mut dice);
        let Some(state) = random_ending(&game, &mut dice, 6) else { continue };
        for ((goal, _), expected) in GOALS.into_iter().zip(try_moves(&game, &state)) {
            assert_eq!(solved(&game, &state, goal), expected, "{:?}\n{state:?}", game.rules());
        }
        stopping += u32::from(game.stop().is_some());
    }
    assert!(stopping > 30, "{stopping} that a capture can stop");
}

#[test]
fn six_cards_are_worth_what_trying_every_trick_finds_under_any_rules_and_any_utility() {
    let mut full = 0;
    for seed in 0..1_600 {
        let mut dice = QuickDice::new(0x6675_6c6c, seed);
        let game = random_game(&mut dice);
        let Some(state) = random_ending(&game, &mut dice, 6) else { continue };
        let (Some(leader), None) = (game.turn(&state), state.table().lead()) else { continue };
        let (scores, totals) = (state.table().scores(), state.table().totals());
        let rest = Rest { hands: state.hands(), leader, scores, totals };
        for ((goal, _), expected) in GOALS.into_iter().zip(try_tricks(&game, rest)) {
            assert_eq!(solved(&game, &state, goal), expected, "{:?}\n{state:?}", game.rules());
        }
        full += u32::from(state.hands().iter().all(|hand| hand.len() == 6));
    }
    assert!(full > 700, "{full} endings of six cards");
}

#[test]
fn a_margin_as_a_utility_is_the_margin() {
    for seed in 0..3_000 {
        let mut dice = QuickDice::new(0x6d61_7267, seed);
        let game = random_game(&mut dice);
        let Some(state) = random_ending(&game, &mut dice, MOST_CARDS) else { continue };
        let as_utility = solved(&game, &state, Goal::Utility(&margin));
        assert_eq!(solved(&game, &state, Goal::Margin), as_utility, "{:?}\n{state:?}", game.rules());
    }
}

#[test]
fn the_value_is_attained_by_the_moves_and_each_seat_finds_them_by_itself() {
    let mut decisions = 0;
    for seed in 0..3_000 {
        let mut dice = QuickDice::new(0x6174_7461, seed);
        let game = random_game(&mut dice);
        let Some(start) = random_ending(&game, &mut dice, MOST_CARDS) else { continue };
        for (goal, utility) in GOALS {
            let mut state = start;
            while let Some(seat) = game.turn(&state) {
                let (mv, value) = Ending::of_state(&game, &state).unwrap().best(goal);
                let seen = Ending::of_view(&game, &game.view(&state, seat)).unwrap();
                assert_eq!(seen.best(goal), (mv, value));
                game.play(&mut state, mv, &mut Script::default()).unwrap();
                decisions += 1;
            }
            let came = utility(state.table().scores());
            assert_eq!(came, solved(&game, &start, goal), "{:?}\n{start:?}", game.rules());
        }
    }
    assert!(decisions > 30_000, "{decisions}");
}

#[test]
fn no_other_move_of_a_seat_does_better_against_the_moves_of_the_solver() {
    for seed in 0..2_000 {
        let mut dice = QuickDice::new(0x6f74_6865, seed);
        let game = random_game(&mut dice);
        let Some(start) = random_ending(&game, &mut dice, MOST_CARDS) else { continue };
        let erring = dice.below(2) as usize;
        let mut state = start;
        while let Some(seat) = game.turn(&state) {
            let legal = game.legal_moves(&state);
            let any = legal.nth(dice.below(legal.len() as u32) as usize).unwrap();
            let best = Ending::of_state(&game, &state).unwrap().best(Goal::Margin).0;
            game.play(&mut state, if seat == erring { any } else { best }, &mut Script::default()).unwrap();
        }
        let claimed = solved(&game, &start, Goal::Margin);
        let gain = margin(state.table().scores()) - claimed;
        assert!(if erring == 0 { gain <= 0.0 } else { gain >= 0.0 }, "{:?}\n{start:?}", game.rules());
    }
}

#[test]
fn there_is_no_ending_while_the_stock_lasts_or_after_the_deal_or_with_too_many_cards() {
    let rules = TwoTenJackRules { hand_size: 13, ..TwoTenJackRules::default() };
    let game = TwoTenJack::new(rules).unwrap();
    let mut dice = QuickDice::new(1, 1);
    let mut pack = Pack::new(game.pack(), dice.clone());
    let mut state = game.deal(&game.start(0), &mut pack);
    let mut found = 0;
    while let Some(seat) = game.turn(&state) {
        let held = state.hands().iter().map(|hand| hand.len()).max().unwrap();
        let is_ending = game.stock_size(state.table()) == 0 && held <= MOST_CARDS;
        assert_eq!(Ending::of_state(&game, &state).is_some(), is_ending);
        assert_eq!(Ending::of_view(&game, &game.view(&state, seat)).is_some(), is_ending);
        found += u32::from(is_ending);
        let legal = game.legal_moves(&state);
        let mv = legal.nth(dice.below(legal.len() as u32) as usize).unwrap();
        game.play(&mut state, mv, &mut pack).unwrap();
    }
    assert!(found >= 2 * MOST_CARDS as u32);
    assert!(Ending::of_state(&game, &state).is_none());
}
