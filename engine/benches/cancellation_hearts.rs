//! How fast cancellation hearts is played. Each benchmark asserts what it played, so that a change that plays another
//! game fails instead of looking fast.

use dealt_engine::{
    CancellationHearts, CancellationHeartsRules, Card, Dice, Game, Pack, QuickDice, Rules, Worlds,
};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

fn main() {
    divan::main();
}

const DEALS: u32 = 500;

/// A game by the defaults, or by a preset of the game.
fn game(preset: Option<&str>) -> CancellationHearts {
    let mut rules = CancellationHeartsRules::default();
    for preset in CancellationHearts::PRESETS.iter().filter(|known| Some(known.name) == preset) {
        rules = rules.with(&serde_json::from_str(preset.changes).unwrap()).unwrap();
    }
    CancellationHearts::new(rules).unwrap()
}

/// What the deals below depend on least: shuffling 52 cards, to scale the other figures by.
#[divan::bench]
fn shuffle(bencher: Bencher<'_, '_>) {
    let pack: Vec<Card> = Card::all().collect();
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    bencher.counter(ItemsCount::new(DEALS)).bench_local(|| {
        for _ in 0..DEALS {
            let mut cards: [Card; 52] = pack.as_slice().try_into().unwrap();
            dice.shuffle(&mut cards);
            black_box(&cards);
        }
    });
}

/// Plays deals by any moves and sums the squares of the scores.
fn play_deals(game: &CancellationHearts) -> i32 {
    let mut chacha = ChaCha8Rng::seed_from_u64(1);
    let mut dice = QuickDice::new(1, 1);
    let mut pack = Pack::new(game.pack(), chacha.clone());
    let mut standing = game.start(0);
    let mut sum = 0;
    for deal in 0..DEALS {
        chacha.set_stream(u64::from(deal));
        pack.reset(game.pack(), chacha.clone());
        standing.deals = deal;
        let mut state = game.deal(&standing, &mut pack);
        while game.turn(&state).is_some() {
            let legal = game.legal_moves(&state);
            let mv = match legal.only() {
                Some(only) => only,
                None => legal.nth(dice.below(legal.len() as u32) as usize).unwrap(),
            };
            game.play_unchecked(&mut state, mv, &mut pack);
        }
        sum += game.scores(&state).iter().map(|score| score * score).sum::<i32>();
    }
    sum
}

#[divan::bench]
fn random_deals_of_hearts(bencher: Bencher<'_, '_>) {
    let game = game(Some("hearts"));
    bencher.counter(ItemsCount::new(DEALS)).bench_local(|| assert_eq!(play_deals(&game), 184_028));
}

#[divan::bench]
fn random_deals_of_six(bencher: Bencher<'_, '_>) {
    let game = game(None);
    bencher.counter(ItemsCount::new(DEALS)).bench_local(|| assert_eq!(play_deals(&game), 477_101));
}

/// Samples worlds from every tenth position of some deals, with and without preparing each time.
fn sample_worlds(game: &CancellationHearts, samples: u32) -> usize {
    let mut dice = QuickDice::new(2, 1);
    let mut sum = 0;
    for deal in 0..20 {
        let mut pack = Pack::new(game.pack(), ChaCha8Rng::seed_from_u64(deal));
        let mut state = game.deal(&game.start(0), &mut pack);
        let mut moves = 0;
        while let Some(seat) = game.turn(&state) {
            if moves % 10 == 0 {
                let mut worlds = game.worlds(&game.view(&state, seat));
                for _ in 0..samples {
                    let world = worlds.sample(&mut dice);
                    sum += game.legal_moves(black_box(&world)).len();
                }
            }
            moves += 1;
            let legal = game.legal_moves(&state);
            let mv = legal.nth(dice.below(legal.len() as u32) as usize).unwrap();
            game.play_unchecked(&mut state, mv, &mut pack);
        }
    }
    sum
}

#[divan::bench(args = [1, 100])]
fn worlds_of_hearts(bencher: Bencher<'_, '_>, samples: u32) {
    let game = game(Some("hearts"));
    bencher
        .counter(ItemsCount::new(20 * 6 * samples))
        .bench_local(|| assert!(sample_worlds(&game, samples) > 0));
}

#[divan::bench(args = [1, 100])]
fn worlds_of_six(bencher: Bencher<'_, '_>, samples: u32) {
    let game = game(None);
    bencher
        .counter(ItemsCount::new(20 * 12 * samples))
        .bench_local(|| assert!(sample_worlds(&game, samples) > 0));
}
