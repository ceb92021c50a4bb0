//! How fast Three Thirteen is played. Each benchmark asserts what it played, so that a change that plays another game
//! fails instead of looking fast.

use dealt_engine::{Dice, Game, Move, Pack, QuickDice, Rules, ThreeThirteen, ThreeThirteenRules, Worlds};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

fn main() {
    divan::main();
}

fn game(changes: &str) -> ThreeThirteen {
    let rules = ThreeThirteenRules::default().with(&serde_json::from_str(changes).unwrap()).unwrap();
    ThreeThirteen::new(rules).unwrap()
}

const GAMES: u32 = 20;

/// Plays whole games by any moves; the moves made, and the totals added up.
fn play_games(game: &ThreeThirteen) -> (usize, i32) {
    let mut chacha = ChaCha8Rng::seed_from_u64(1);
    let mut dice = QuickDice::new(1, 1);
    let mut pack = Pack::new(game.pack(), chacha.clone());
    let (mut moves, mut sum) = (0, 0);
    for number in 0..GAMES {
        let mut standing = game.start(0);
        while !game.is_over(&standing) {
            chacha.set_stream(u64::from(number) << 8 | u64::from(standing.deals));
            pack.reset(game.pack(), chacha.clone());
            let mut state = game.deal(&standing, &mut pack);
            while game.turn(&state).is_some() {
                let legal = game.legal_moves(&state);
                let mv = legal.nth(dice.below(legal.len() as u32) as usize).unwrap();
                game.play_unchecked(&mut state, mv, &mut pack);
                moves += 1;
            }
            standing = game.after(&standing, &state);
        }
        sum += standing.totals.iter().sum::<i32>();
    }
    (moves, sum)
}

/// Games of two by any moves, 100 turns a round: moves a second.
#[divan::bench]
fn random_games_of_two(bencher: Bencher<'_, '_>) {
    let game = game("{}");
    let expected = play_games(&game);
    bencher.counter(ItemsCount::new(expected.0)).bench_local(|| {
        assert_eq!(play_games(black_box(&game)), expected);
    });
    assert_eq!(expected, (74_177, 13_931));
}

/// Games of four, two packs, whose stock is made anew over and over: moves a second.
#[divan::bench]
fn random_games_of_four(bencher: Bencher<'_, '_>) {
    let game = game(r#"{"players": 4, "rounds": [7, 13]}"#);
    let expected = play_games(&game);
    bencher.counter(ItemsCount::new(expected.0)).bench_local(|| {
        assert_eq!(play_games(black_box(&game)), expected);
    });
    assert_eq!(expected, (21_743, 5_336));
}

const WORLDS: u32 = 1_000;

/// Samples worlds of a round after some moves made at random; a sum over what the next seat holds in them.
fn sample_worlds(bencher: Bencher<'_, '_>, changes: &str, moves: usize, expected: u64) {
    let game = game(changes);
    let mut dice = QuickDice::new(3, 3);
    let mut pack = Pack::new(game.pack(), ChaCha8Rng::seed_from_u64(2));
    let mut state = game.deal(&game.start(0), &mut pack);
    for _ in 0..moves {
        let legal = game.legal_moves(&state) & !(dealt_engine::Moves::of(Move::word(2)));
        let mv = legal.nth(dice.below(legal.len() as u32) as usize).unwrap();
        game.play_unchecked(&mut state, mv, &mut pack);
    }
    let view = game.view(&state, 0);

    bencher.counter(ItemsCount::new(WORLDS)).bench_local(|| {
        let mut dice = QuickDice::new(2, 2);
        let mut worlds = game.worlds(black_box(&view));
        let mut sum = 0;
        for _ in 0..WORLDS {
            let world = worlds.sample(&mut dice);
            sum += game.hand(&world, 1).iter().map(|card| card.index() as u64).sum::<u64>();
        }
        assert_eq!(sum, expected);
    });
}

/// Worlds of the last round of two, ten turns in.
#[divan::bench]
fn worlds_of_two(bencher: Bencher<'_, '_>) {
    sample_worlds(bencher, r#"{"rounds": [13]}"#, 20, 323_341);
}

/// Worlds of the last round of four, some turns after the stock was made anew, doubts in.
#[divan::bench]
fn worlds_of_four_with_doubts(bencher: Bencher<'_, '_>) {
    sample_worlds(bencher, r#"{"players": 4, "rounds": [13]}"#, 272, 342_038);
}
