//! What is told while a game is played, for those who write it down.
//!
//! The table calls these methods in the order of the game. [`NoRecorder`] costs nothing: the calls are compiled away.

use dealt_engine::{Card, Game, Move, Moves, Seat, Standing};
use serde_json::Value;

use crate::Experiment;
use crate::forfeit::Forfeit;

/// Which game it is.
#[derive(Clone, Copy, Debug)]
pub struct GameHead<'g> {
    /// The game's index in the run.
    pub index: u64,
    /// Its block.
    pub block: u64,
    /// Its variant, by place in the experiment.
    pub variant: usize,
    /// The label of the agent in each seat.
    pub agents: &'g [&'g str],
    /// The first dealer.
    pub first_dealer: Seat,
}

/// Writes games down as they are played.
pub trait Recorder {
    /// Whether anything is recorded: where it is false, nothing is gathered for it.
    const RECORDS: bool;

    /// A recorder of games of this experiment.
    fn new(experiment: &Experiment) -> Self;

    /// A game starts.
    fn game_starts<G: Game>(&mut self, game: &G, head: &GameHead<'_>);

    /// A deal starts: `order` is the whole shuffled pack, given out as [`Game::layout`] says.
    fn deal_starts<G: Game>(&mut self, game: &G, standing: &Standing, order: &[Card]);

    /// Whether [`noted`](Recorder::noted) is to be called.
    fn wants_notes(&self) -> bool {
        false
    }

    /// What the player thought that makes the next move, if there was something to decide and it says so.
    fn noted(&mut self, _note: Option<Value>) {}

    /// The seat to move forfeits the game; its moves are made for it from here on.
    fn forfeited(&mut self, _forfeit: &Forfeit) {}

    /// A seat makes a move, in a position where these are legal. If the move rebuilds the stock, `stock` is its new
    /// order, the card that the move itself draws from it included.
    fn moved<G: Game>(&mut self, game: &G, seat: Seat, mv: Move, legal: Moves, stock: Option<&[Card]>);

    /// The deal is over; `after` is the standing with its scores added.
    fn deal_ends<G: Game>(&mut self, game: &G, state: &G::State, after: &Standing);

    /// The game is over.
    fn game_ends<G: Game>(&mut self, game: &G, standing: &Standing);

    /// Appends the record of the game that ended, a line with its line feed.
    fn write_to(&mut self, out: &mut Vec<u8>);
}

/// Records nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoRecorder;

impl Recorder for NoRecorder {
    const RECORDS: bool = false;
    fn new(_: &Experiment) -> Self {
        NoRecorder
    }
    #[inline]
    fn game_starts<G: Game>(&mut self, _: &G, _: &GameHead<'_>) {}
    #[inline]
    fn deal_starts<G: Game>(&mut self, _: &G, _: &Standing, _: &[Card]) {}
    #[inline]
    fn moved<G: Game>(&mut self, _: &G, _: Seat, _: Move, _: Moves, _: Option<&[Card]>) {}
    #[inline]
    fn deal_ends<G: Game>(&mut self, _: &G, _: &G::State, _: &Standing) {}
    #[inline]
    fn game_ends<G: Game>(&mut self, _: &G, _: &Standing) {}
    fn write_to(&mut self, _: &mut Vec<u8>) {}
}
