//! What an agent is given when it is to move.

use dealt_engine::{Game, Moves, QuickDice, Seat, Standing};

/// A decision to be taken: the legal moves, the view of the seat to move, and dice of its own.
///
/// The position itself is out of reach: there is no way from here to what the seat cannot see. The view and the dice
/// are made when they are asked for, so an agent pays only for what it uses.
///
/// ```compile_fail
/// fn peek<G: dealt_engine::Game>(turn: &dealt_agents::Turn<'_, G>) -> &G::State {
///     turn.state // private: an agent cannot look at the hidden cards
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Turn<'t, G: Game> {
    game: &'t G,
    standing: &'t Standing,
    state: &'t G::State,
    seat: Seat,
    legal: Moves,
    key: u64,
    decision: u64,
}

impl<'t, G: Game> Turn<'t, G> {
    /// The decision of the seat to move.
    ///
    /// `key` stands for the master seed, the block and the seat; `decision` counts the seat's decisions in the game.
    #[inline]
    #[must_use]
    pub fn new(
        game: &'t G,
        standing: &'t Standing,
        state: &'t G::State,
        seat: Seat,
        legal: Moves,
        key: u64,
        decision: u64,
    ) -> Turn<'t, G> {
        Turn { game, standing, state, seat, legal, key, decision }
    }

    /// The rules.
    #[must_use]
    pub fn game(&self) -> &'t G {
        self.game
    }

    /// Where the game stood before this deal: everybody knows that.
    #[must_use]
    pub fn standing(&self) -> &'t Standing {
        self.standing
    }

    /// The seat to move.
    #[must_use]
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The legal moves: two or more, since a forced move is made without asking.
    #[must_use]
    pub fn legal_moves(&self) -> Moves {
        self.legal
    }

    /// All that the seat knows.
    #[must_use]
    pub fn view(&self) -> G::View {
        self.game.view(self.state, self.seat)
    }

    /// Dice that depend on the master seed, the block, the seat and the number of the decision, and on nothing else.
    #[inline]
    #[must_use]
    pub fn dice(&self) -> QuickDice {
        QuickDice::new(self.key, self.decision)
    }
}
