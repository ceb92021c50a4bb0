//! Measures how deals of two-ten-jack score when `greedy` plays itself: the file that match equity is computed from.
//!
//! ```console
//! $ cargo run --release -p dealt-agents --example deal_scores > agents/data/two-ten-jack-deals.toml
//! ```
//!
//! The same program prints the same bytes.

use std::collections::BTreeMap;

use dealt_agents::GreedyGame;
use dealt_agents::greedy::TwoTenJackWeights;
use dealt_engine::{Game, Pack, TwoTenJack, TwoTenJackRules};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

const SEED: u64 = 1;
const DEALS: u32 = 400_000;

/// The scores of a deal, the dealer's first.
fn scores(game: &TwoTenJack, weights: &TwoTenJackWeights, pack: &mut Pack<ChaCha8Rng>) -> [i32; 2] {
    let mut state = game.deal(&game.start(0), pack);
    while let Some(seat) = game.turn(&state) {
        let legal = game.legal_moves(&state);
        let chosen = || game.greedy(weights, &game.view(&state, seat), legal);
        let mv = legal.only().unwrap_or_else(chosen);
        game.play_unchecked(&mut state, mv, pack);
    }
    state.table().scores()
}

fn main() -> Result<(), dealt_engine::RuleError> {
    let game = TwoTenJack::new(TwoTenJackRules::default())?;
    let weights = TwoTenJackWeights::default();
    let mut dice = ChaCha8Rng::seed_from_u64(SEED);
    let mut counts: BTreeMap<[i32; 2], u32> = BTreeMap::new();
    for deal in 0..DEALS {
        dice.set_stream(u64::from(deal));
        dice.set_word_pos(0);
        let mut pack = Pack::new(game.pack(), dice.clone());
        *counts.entry(scores(&game, &weights, &mut pack)).or_default() += 1;
    }
    println!("# How deals of two-ten-jack score when greedy plays itself by the default rules.");
    println!("# Printed by: cargo run --release -p dealt-agents --example deal_scores");
    println!("# {DEALS} deals of seed {SEED}. A row: the dealer's score, the other's, the number of deals.");
    println!("deals = [");
    for ([dealer, other], count) in counts {
        println!("    [{dealer}, {other}, {count}],");
    }
    println!("]");
    Ok(())
}
