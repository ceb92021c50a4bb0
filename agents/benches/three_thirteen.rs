//! How fast `greedy` plays whole games of three-thirteen against itself. Every answer is checked.

use dealt_agents::GreedyGame;
use dealt_agents::greedy::ThreeThirteenWeights;
use dealt_engine::{Game, Pack, QuickDice, ThreeThirteen, ThreeThirteenRules};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Plays a game and gives all its points.
fn points(game: &ThreeThirteen, weights: &ThreeThirteenWeights, number: u64) -> i32 {
    let mut standing = game.start(number as usize % game.players());
    while !game.is_over(&standing) {
        let mut pack = Pack::new(game.pack(), QuickDice::new(number, u64::from(standing.deals)));
        let mut state = game.deal(&standing, &mut pack);
        while let Some(seat) = game.turn(&state) {
            let legal = game.legal_moves(&state);
            let greedy = || game.greedy(weights, &game.view(&state, seat), legal);
            let mv = legal.only().unwrap_or_else(greedy);
            game.play_unchecked(&mut state, mv, &mut pack);
        }
        standing = game.after(&standing, &state);
    }
    standing.totals.iter().sum()
}

/// Twenty games of eleven rounds, by the number of players and the points that are made in them.
#[divan::bench(args = [(2, 1_746), (4, 7_002)])]
fn greedy_games(bencher: Bencher<'_, '_>, (players, answer): (usize, i32)) {
    let game = ThreeThirteen::new(ThreeThirteenRules { players, ..ThreeThirteenRules::default() }).unwrap();
    let weights = ThreeThirteenWeights::default();
    bencher.counter(ItemsCount::new(20_u32)).bench(|| {
        let total: i32 = (0..20).map(|number| points(black_box(&game), &weights, number)).sum();
        assert_eq!(total, answer);
    });
}
