//! How fast the last tricks of two-ten-jack are solved. Each benchmark asserts its answer.

use dealt_agents::endgame::two_ten_jack::{Ending, Goal};
use dealt_engine::{Dice, Game, Pack, QuickDice, Script, TwoTenJack, TwoTenJackRules};
use divan::Bencher;
use divan::counter::ItemsCount;

type State = <TwoTenJack as Game>::State;

fn main() {
    divan::main();
}

/// Endings of so many cards in each hand, reached by any moves.
fn endings(game: &TwoTenJack, cards: usize) -> Vec<State> {
    let ending = |seed| {
        let mut dice = QuickDice::new(0x656e_6469, seed);
        let mut pack = Pack::new(game.pack(), dice.clone());
        let mut state = game.deal(&game.start(0), &mut pack);
        let held = |state: &State| state.hands().iter().map(|hand| hand.len()).sum::<usize>();
        while game.stock_size(state.table()) > 0 || held(&state) > 2 * cards {
            let legal = game.legal_moves(&state);
            let mv = legal.nth(dice.below(legal.len() as u32) as usize).unwrap();
            game.play_unchecked(&mut state, mv, &mut pack);
        }
        state
    };
    (0..200).map(ending).collect()
}

/// Cards in each hand, and the points that whoever leads in the endings is ahead by, summed up.
const LEADS: [(usize, f64); 3] = [(4, -318.0), (6, 354.0), (8, 186.0)];

/// The points that the leader of the ending is ahead by, summed up.
fn solve(bencher: Bencher<'_, '_>, cards: usize, goal: Goal<'_>, expected: f64) {
    let game = TwoTenJack::new(TwoTenJackRules { hand_size: cards.max(6), ..Default::default() }).unwrap();
    let endings = endings(&game, cards);
    bencher.counter(ItemsCount::new(endings.len())).bench_local(|| {
        let values = endings.iter().map(|state| Ending::of_state(&game, state).unwrap().value(goal));
        assert_eq!(values.sum::<f64>(), expected);
    });
}

#[divan::bench(args = LEADS)]
fn margin(bencher: Bencher<'_, '_>, (cards, expected): (usize, f64)) {
    solve(bencher, cards, Goal::Margin, expected);
}

#[divan::bench(args = LEADS)]
fn utility(bencher: Bencher<'_, '_>, (cards, expected): (usize, f64)) {
    solve(bencher, cards, Goal::Utility(&|scores| f64::from(scores[0] - scores[1])), expected);
}

/// What the same endings cost when they are played out at random.
#[divan::bench]
fn random_play(bencher: Bencher<'_, '_>) {
    let game = TwoTenJack::new(TwoTenJackRules::default()).unwrap();
    let endings = endings(&game, 6);
    bencher.counter(ItemsCount::new(endings.len())).bench_local(|| {
        let mut dice = QuickDice::new(1, 1);
        let mut sum = 0;
        for state in &endings {
            let mut state = *state;
            while game.turn(&state).is_some() {
                let legal = game.legal_moves(&state);
                let mv = legal.nth(dice.below(legal.len() as u32) as usize).unwrap();
                game.play_unchecked(&mut state, mv, &mut Script::default());
            }
            sum += game.scores(&state)[0];
        }
        assert_eq!(sum, 466);
    });
}
