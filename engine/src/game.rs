//! What a game is.
//!
//! A [`Game`] value holds rules compiled into tables, once; a `State` is one position of one deal, small and `Copy`;
//! a `View` is all that one seat knows of it, `Copy` too, and holds nothing that the seat cannot know. A whole game is
//! a chain of deals joined by a [`Standing`].
//!
//! ```
//! use dealt_engine::{Card, Dice, Game, Pack, QuickDice, TwoTenJack, TwoTenJackRules};
//! let game = TwoTenJack::new(TwoTenJackRules::default())?;
//! let mut dice = QuickDice::new(1, 1);
//! let mut standing = game.start(0);
//! while !game.is_over(&standing) {
//!     let mut pack = Pack::new(game.pack(), QuickDice::new(2, u64::from(standing.deals)));
//!     let mut state = game.deal(&standing, &mut pack);
//!     while let Some(_seat) = game.turn(&state) {
//!         let legal = game.legal_moves(&state);
//!         let mv = legal.nth(dice.below(legal.len() as u32) as usize).unwrap();
//!         game.play_unchecked(&mut state, mv, &mut pack);
//!     }
//!     standing = game.after(&standing, &state);
//! }
//! assert!(standing.totals[..2].iter().any(|&total| total >= 31));
//! # Ok::<(), dealt_engine::RuleError>(())
//! ```

use std::fmt;

use serde_json::{Map, Value};

use crate::rules::{OptionInfo, RuleError, Rules};
use crate::{Bag, Card, Dice, Move, Moves, Stock};

/// The most players at a table.
pub const MAX_PLAYERS: usize = 11;
/// The most events that a game reports.
pub const MAX_EVENTS: usize = 12;

/// A place at the table, 0 up; the seat to the left is one higher.
pub type Seat = usize;

/// One value a seat; those past the number of players are zero.
pub type PerSeat<T> = [T; MAX_PLAYERS];

/// Where a game stands between two deals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Deals finished so far.
    pub deals: u32,
    /// The dealer of the next deal.
    pub dealer: Seat,
    /// Scores added up.
    pub totals: PerSeat<i32>,
    /// Whether a guard ended the game or any deal of it.
    pub capped: bool,
}

/// How the shuffled pack of a deal is given out: to seat 0 its whole hand, to seat 1, and so on, then the upcard if
/// there is one; the rest stays face down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Cards to each seat.
    pub hand: usize,
    /// Whether a card is turned up after the hands.
    pub upcard: bool,
}

/// Something a game counts once a deal, for the study of its rules.
#[derive(Clone, Copy, Debug)]
pub struct EventInfo {
    /// A snake-case name, as metrics are named.
    pub name: &'static str,
    /// What the number is.
    pub about: &'static str,
}

/// A named set of options.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name, usable wherever a game's is.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The options that differ from the defaults, as a JSON object.
    pub changes: &'static str,
}

/// A move that the rules do not allow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IllegalMove {
    /// The move.
    pub given: String,
    /// The moves that are legal here.
    pub legal: Vec<String>,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not legal here; legal: {}", self.given, self.legal.join(" "))
    }
}

impl std::error::Error for IllegalMove {}

/// The rules of a game, compiled.
///
/// The rules are in `State`s and `View`s only as far as `&self` says how to read them, so both stay small. None of the
/// methods that play allocates.
pub trait Game: Clone + fmt::Debug + Send + Sync + Sized + 'static {
    /// The name on the command line and in records.
    const NAME: &'static str;
    /// What the game is, in a line.
    const ABOUT: &'static str;
    /// How many can play, fewest and most.
    const PLAYERS: (usize, usize);
    /// Whether the lowest total wins, not the highest.
    const LOWEST_WINS: bool;
    /// The game's own words, in the order of [`Move::word`].
    const WORDS: &'static [&'static str];
    /// What records call the cards left face down after the deal: `stock` or `kitty`.
    const REST: &'static str;
    /// What [`events`](Game::events) counts, in order.
    const EVENTS: &'static [EventInfo];
    /// Named sets of options.
    const PRESETS: &'static [Preset];

    /// The options.
    type Rules: Rules;
    /// A position of a deal, the totals before the deal and everything that views are made of included.
    type State: Copy + PartialEq + fmt::Debug + Send + Sync;
    /// All that one seat knows: its hand, what was public, what it passed and was passed. Two positions that look the
    /// same from a seat give equal views.
    type View: Copy + PartialEq + fmt::Debug + Send + Sync;
    /// What [`worlds`](Game::worlds) prepares.
    type Worlds: Worlds<Self::State>;

    /// Compiles rules.
    ///
    /// # Errors
    /// If a value is out of range or options do not fit together.
    fn new(rules: Self::Rules) -> Result<Self, RuleError>;

    /// The rules in force.
    fn rules(&self) -> &Self::Rules;

    /// How many play.
    fn players(&self) -> usize;

    /// The seat that deals first, if the rules name one.
    fn first_dealer(&self) -> Option<Seat>;

    /// All cards of the game, lowest first.
    fn pack(&self) -> &[Card];

    /// The standing before the first deal.
    fn start(&self, first_dealer: Seat) -> Standing {
        Standing { deals: 0, dealer: first_dealer, totals: [0; MAX_PLAYERS], capped: false }
    }

    /// How the next deal gives out its cards.
    fn layout(&self, standing: &Standing) -> Layout;

    /// Deals, in the order of [`Layout`]. The stock yields the cards of [`pack`](Game::pack).
    fn deal<S: Stock>(&self, standing: &Standing, stock: &mut S) -> Self::State;

    /// Whose turn it is; `None` when the deal is over.
    fn turn(&self, state: &Self::State) -> Option<Seat>;

    /// The moves that the seat to move may make: never none while there is a turn.
    fn legal_moves(&self, state: &Self::State) -> Moves;

    /// Makes a move that is legal. Another one leaves a meaningless position (never undefined behaviour).
    fn play_unchecked<S: Stock>(&self, state: &mut Self::State, mv: Move, stock: &mut S);

    /// Makes a move if it is legal.
    ///
    /// # Errors
    /// If it is not, or the deal is over; the position is then unchanged.
    fn play<S: Stock>(&self, state: &mut Self::State, mv: Move, stock: &mut S) -> Result<(), IllegalMove> {
        let legal = if self.turn(state).is_some() { self.legal_moves(state) } else { Moves::EMPTY };
        if !legal.has(mv) {
            let legal = legal.into_iter().map(|mv| mv.name(Self::WORDS)).collect();
            return Err(IllegalMove { given: mv.name(Self::WORDS), legal });
        }
        self.play_unchecked(state, mv, stock);
        Ok(())
    }

    /// Whether the others do not see which move the seat to move makes, only that it makes one. (A card drawn unseen is
    /// chance, no move.)
    fn is_hidden(&self, _state: &Self::State) -> bool {
        false
    }

    /// Whether the stock will be made anew from the discards when this move is made.
    fn rebuilds_stock(&self, _state: &Self::State, _mv: Move) -> bool {
        false
    }

    /// Each seat's score for the deal so far; when it is over, as it is added to the totals.
    fn scores(&self, state: &Self::State) -> PerSeat<i32>;

    /// Whether a guard ended the deal.
    fn capped(&self, _state: &Self::State) -> bool {
        false
    }

    /// What the deal counted, one value for each of [`EVENTS`](Game::EVENTS); `None` where there is nothing to count
    /// (the turn of going out when nobody did).
    fn events(&self, state: &Self::State) -> [Option<i32>; MAX_EVENTS];

    /// The standing after a deal that is over.
    fn after(&self, standing: &Standing, state: &Self::State) -> Standing;

    /// Whether the game is over.
    fn is_over(&self, standing: &Standing) -> bool;

    /// The seats that share the win by these totals.
    fn winners(&self, standing: &Standing) -> Vec<Seat> {
        let totals = &standing.totals[..self.players()];
        let best = if Self::LOWEST_WINS { totals.iter().min() } else { totals.iter().max() };
        (0..totals.len()).filter(|&seat| Some(&totals[seat]) == best).collect()
    }

    /// What a seat knows of a position.
    fn view(&self, state: &Self::State, seat: Seat) -> Self::View;

    /// The seat whose knowledge the view is.
    fn seat(&self, view: &Self::View) -> Seat;

    /// All that a view holds, as plain values in the notation of records: for those who cannot read a
    /// [`View`](Game::View), such as programs in other languages. Different views give different facts.
    fn facts(&self, view: &Self::View) -> Map<String, Value>;

    /// The legal moves if it is the seat's own turn, from what it knows alone; none otherwise.
    fn legal_moves_in_view(&self, view: &Self::View) -> Moves;

    /// Prepares to sample from all deals that fit a view. What is not inferred is why anybody chose a move; a move
    /// tells only what the rules make it tell.
    fn worlds(&self, view: &Self::View) -> Self::Worlds;

    /// As [`worlds`](Game::worlds), but as if nobody had ever shown not to hold a card: unseen cards are dealt by the
    /// sizes of the hands alone. What it draws need not fit the view; it is there to measure what exactness is worth.
    fn worlds_despite_voids(&self, view: &Self::View) -> Self::Worlds {
        self.worlds(view)
    }

    /// One position drawn uniformly from those that fit the view (two copies of a card being two cards). The same
    /// seat's view of it equals the view.
    fn determinise<D: Dice>(&self, view: &Self::View, dice: &mut D) -> Self::State {
        self.worlds(view).sample(dice)
    }

    /// The cards a seat holds.
    fn hand(&self, state: &Self::State, seat: Seat) -> Bag;

    /// The cards that a seat has laid face down and still counts as its own: those picked for a pass.
    fn laid_aside(&self, _state: &Self::State, _seat: Seat) -> Bag {
        Bag::EMPTY
    }

    /// The cards that lie face down on the table, those that [`REST`](Game::REST) names.
    fn rest(&self, _state: &Self::State) -> Bag {
        Bag::EMPTY
    }

    /// Checks slowly that a position is sound: all cards are somewhere, what is kept is what a recount gives.
    ///
    /// # Errors
    /// What is wrong.
    fn audit(&self, state: &Self::State) -> Result<(), String>;

    /// What lies on the table, in one line for a person following a record: the trick so far, the top discard.
    fn describe(&self, state: &Self::State) -> String;
}

/// Samples positions that fit a view.
pub trait Worlds<State> {
    /// One position, each equally likely.
    fn sample<D: Dice>(&mut self, dice: &mut D) -> State;
}

/// A game's entry in the registry, without its type.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// [`Game::NAME`]
    pub name: &'static str,
    /// [`Game::ABOUT`]
    pub about: &'static str,
    /// [`Game::PLAYERS`]
    pub players: (usize, usize),
    /// [`Rules::OPTIONS`]
    pub options: &'static [OptionInfo],
    /// [`Game::EVENTS`]
    pub events: &'static [EventInfo],
    /// [`Game::PRESETS`]
    pub presets: &'static [Preset],
}

impl GameInfo {
    /// The entry of a game.
    #[must_use]
    pub const fn of<G: Game>() -> GameInfo {
        GameInfo {
            name: G::NAME,
            about: G::ABOUT,
            players: G::PLAYERS,
            options: G::Rules::OPTIONS,
            events: G::EVENTS,
            presets: G::PRESETS,
        }
    }
}
