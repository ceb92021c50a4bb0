//! Three card games with hidden information, exact and fast: no input or output, no threads, no clock, no floats.
//!
//! The files, each building on those before it:
//!
//! - `bits`: the one bit trick that several files share
//! - [`dice`]: random choices whose values never change
//! - [`card`]: cards and sets of cards
//! - [`bag`]: cards of several packs, as bit planes
//! - [`moves`]: the one move space of 64
//! - [`stock`]: where the next card comes from
//! - [`meld`]: sets and runs, and what a hand leaves unmelded
//! - [`rules`]: options as plain data, described and refused with reasons
//! - `facts`: what a view holds, as values that any program can read
//! - [`game`]: what a game is, a position, a view
//! - [`two_ten_jack`]: a game
//! - [`cancellation_hearts`]: Cancellation Hearts and Black Lady
//! - [`three_thirteen`]: a rummy with rising hands and wild ranks
//! - [`registry`]: the list of the games

pub mod bag;
mod bits;
pub mod cancellation_hearts;
pub mod card;
pub mod dice;
mod facts;
pub mod game;
pub mod meld;
pub mod moves;
pub mod registry;
pub mod rules;
pub mod stock;
pub mod three_thirteen;
pub mod two_ten_jack;

pub use bag::{Bag, CardBag};
pub use cancellation_hearts::{CancellationHearts, CancellationHeartsRules};
pub use card::{Card, CardError, CardSet, Rank, Suit};
pub use dice::{Dice, QuickDice};
pub use game::{
    EventInfo, Game, GameInfo, IllegalMove, Layout, MAX_EVENTS, MAX_PLAYERS, PerSeat, Preset, Seat, Standing,
    Worlds,
};
pub use meld::{Ace, Arrangement, MeldLimits, MeldRules};
pub use moves::{Move, Moves};
pub use registry::GAMES;
pub use rules::{FirstDealer, OptionInfo, RuleError, Rules};
pub use stock::{Pack, Script, Stock, Unordered};
pub use three_thirteen::{ThreeThirteen, ThreeThirteenRules};
pub use two_ten_jack::{TwoTenJack, TwoTenJackRules};
