//! The players, told only what their seat may know.
//!
//! The files, each building on those before it:
//!
//! - [`turn`]: what an agent is given when it is to move
//! - [`agent`]: what an agent is
//! - [`parameters`]: its numbers, described, checked and named in errors
//! - [`endgame`]: exact play of what can be played out
//! - [`equity`]: the chance to win a game between two deals
//! - [`random`] and [`greedy`]: the agents that do not look ahead
//! - [`search`]: those that do
//! - [`outsider`]: what a player is that is a program of its own
//! - [`player`]: an agent of any kind, as the table knows it
//! - [`presets`]: named parameters, one file each in `presets/`
//! - [`registry`]: the list of the agents and how one is written, `greedy:key=value,…`

pub mod agent;
pub mod endgame;
pub mod equity;
pub mod greedy;
pub mod outsider;
pub mod parameters;
pub mod player;
pub mod presets;
pub mod random;
pub mod registry;
pub mod search;
pub mod turn;

pub use agent::{Agent, Clairvoyant};
pub use greedy::GreedyGame;
pub use outsider::{Failed, Outsider};
pub use parameters::{ParameterInfo, ParameterKind, Parameters, Weights};
pub use player::Player;
pub use registry::{AGENTS, AgentError, AgentInfo, AgentSpec, GameVisitor, with_game};
pub use search::SearchGame;
pub use turn::Turn;
