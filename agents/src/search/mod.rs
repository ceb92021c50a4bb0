//! Search: agents that look ahead, written once for all games.
//!
//! What a seat cannot see it samples: [`Game::worlds`](dealt_engine::Game::worlds) draws positions that fit its view,
//! each as likely as any other, and what follows is played out in them to the end of the deal. Draws from the stock are
//! left to chance each time anew. The agents differ in what they learn from one world for another:
//!
//! - `flat-mc` plays every legal move out in the same worlds and compares the means.
//! - `mcts` grows a tree in each of some worlds, as if all cards were seen, and adds the trees up.
//! - `ismcts` grows one tree over what a seat knows and walks it in a new world each time.
//! - `oracle` grows a tree in the true position. It does not play by the rules of the table and is kept apart in the
//!   types, as a [`Clairvoyant`](crate::Clairvoyant): it shows what knowing the cards would be worth. The order of the
//!   stock is nobody's knowledge, not even its.
//!
//! With any number of players what a deal is worth is a vector, one utility a seat, and whoever is to move in the tree
//! prefers what is better for itself (the max^n rule of C. Luckhardt and K. Irani, 1986).
//!
//! The files, each building on those before it:
//!
//! - `settings`: the parameters
//! - `game`: what search asks of a game, [`SearchGame`]
//! - `objective`: from scores to utilities
//! - `rollout`: playing a position out
//! - `tree`: nodes, and the choice among them
//! - `walk`: one walk down and back up
//! - `thought`: the final choice, and why
//! - `clock`: the limit of time
//! - `planner`: growing trees and choosing by them
//! - `flat`, `determinised`, `information_set`, `oracle`: the agents

mod clock;
pub(crate) mod determinised;
pub(crate) mod flat;
mod game;
pub(crate) mod information_set;
mod objective;
pub(crate) mod oracle;
mod planner;
mod rollout;
mod settings;
mod thought;
mod tree;
mod walk;

pub use determinised::DeterminisedSearch;
pub use flat::Flat;
pub use game::{SearchDefaults, SearchGame};
pub use information_set::InformationSetSearch;
pub use objective::{Objective, Utility};
pub use oracle::Oracle;
pub use settings::{Choice, Observer, Rollout, Settings};
