//! Games by changed and by random rules, for the tests of all agents.

#![allow(dead_code, unreachable_pub)] // each test program uses a part

use dealt_engine::{Dice, Game, QuickDice, Rules};
use serde_json::Value;

/// The game by the usual rules with some of them changed.
pub fn game<G: Game>(changes: &Value) -> G {
    G::new(G::Rules::default().with(changes.as_object().unwrap()).unwrap()).unwrap()
}

/// A game by rules each of which is the usual one or any of its examples, but for those that are `fixed`.
pub fn random_game<G: Game>(fixed: &Value, dice: &mut QuickDice) -> G {
    let fixed = fixed.as_object().unwrap();
    loop {
        let mut changes = fixed.clone();
        for option in G::Rules::OPTIONS {
            let example = option.examples[dice.below(option.examples.len() as u32) as usize];
            if dice.below(2) == 0 && !fixed.contains_key(option.key) {
                changes.insert(option.key.to_owned(), serde_json::from_str(example).unwrap());
            }
        }
        if let Ok(game) = G::new(G::Rules::default().with(&changes).unwrap()) {
            return game;
        }
    }
}
