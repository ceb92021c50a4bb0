//! How fast two-ten-jack is played. Each benchmark asserts what it played, so that a change that plays another game
//! fails instead of looking fast.

use dealt_engine::{Card, Dice, Game, Pack, QuickDice, TwoTenJack, TwoTenJackRules, Worlds};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

fn main() {
    divan::main();
}

const DEALS: usize = 10_000;

fn game() -> TwoTenJack {
    TwoTenJack::new(TwoTenJackRules::default()).unwrap()
}

/// What the deals below depend on least: shuffling the pack, to scale the other figures by.
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

/// Plays a deal by any moves and returns the better score.
#[inline]
fn play_out(
    game: &TwoTenJack,
    state: &mut <TwoTenJack as Game>::State,
    pack: &mut Pack<ChaCha8Rng>,
    dice: &mut QuickDice,
) -> i32 {
    while game.turn(state).is_some() {
        let legal = game.legal_moves(state);
        let mv = legal.nth(dice.below(legal.len() as u32) as usize).unwrap();
        game.play_unchecked(state, mv, pack);
    }
    let scores = game.scores(state);
    scores[0].max(scores[1])
}

#[divan::bench]
fn random_deals(bencher: Bencher<'_, '_>) {
    let game = game();
    let standing = game.start(0);
    bencher.counter(ItemsCount::new(DEALS)).bench_local(|| {
        let mut chacha = ChaCha8Rng::seed_from_u64(1);
        let mut dice = QuickDice::new(1, 1);
        let mut pack = Pack::new(game.pack(), chacha.clone());
        let mut sum = 0;
        for deal in 0..DEALS {
            chacha.set_stream(deal as u64);
            pack.reset(game.pack(), chacha.clone());
            let mut state = game.deal(&standing, &mut pack);
            sum += play_out(&game, &mut state, &mut pack, &mut dice);
        }
        assert_eq!(black_box(sum), 77_516);
    });
}

/// Positions in the middle of deals, as their movers see them.
fn views(game: &TwoTenJack) -> Vec<<TwoTenJack as Game>::View> {
    let mut dice = QuickDice::new(2, 2);
    let standing = game.start(0);
    let deals = (0..100).map(|deal| {
        let mut pack = Pack::new(game.pack(), ChaCha8Rng::seed_from_u64(deal));
        let mut state = game.deal(&standing, &mut pack);
        for _ in 0..20 + deal % 16 {
            let legal = game.legal_moves(&state);
            let mv = legal.nth(dice.below(legal.len() as u32) as usize).unwrap();
            game.play_unchecked(&mut state, mv, &mut pack);
        }
        game.view(&state, game.turn(&state).unwrap())
    });
    deals.collect()
}

fn checksum(game: &TwoTenJack, world: &<TwoTenJack as Game>::State) -> u64 {
    game.hand(world, 0).faces().bits() ^ game.hand(world, 1).faces().bits().rotate_left(7)
}

/// Getting ready to sample, with one sample.
#[divan::bench]
fn first_world(bencher: Bencher<'_, '_>) {
    let game = game();
    let views = views(&game);
    bencher.counter(ItemsCount::new(views.len())).bench_local(|| {
        let mut dice = QuickDice::new(3, 3);
        let sum = views.iter().fold(0, |sum, view| sum ^ checksum(&game, &game.determinise(view, &mut dice)));
        assert_eq!(black_box(sum), 385_716_626_305_163_795);
    });
}

/// A hundred more samples each.
#[divan::bench]
fn worlds(bencher: Bencher<'_, '_>) {
    let game = game();
    let mut ready: Vec<_> = views(&game).iter().map(|view| game.worlds(view)).collect();
    bencher.counter(ItemsCount::new(100 * ready.len())).bench_local(|| {
        let mut dice = QuickDice::new(4, 4);
        let mut sum = 0;
        for worlds in &mut ready {
            sum = (0..100).fold(sum, |sum, _| sum ^ checksum(&game, &worlds.sample(&mut dice)));
        }
        assert_eq!(black_box(sum), 494_576_847_407_927_595);
    });
}
