//! `random`: any legal move, each equally likely.

use dealt_engine::{Dice, Game, Move};

use crate::{Agent, Turn};

/// Plays any legal move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Agent<G> for Random {
    #[inline(always)]
    fn decide(&mut self, turn: &Turn<'_, G>) -> Move {
        let legal = turn.legal_moves();
        let place = turn.dice().below(legal.len() as u32) as usize;
        legal.nth(place).expect("a place below the number of moves")
    }
}
