//! Who sits down for an agent.
//!
//! A run asks its cast for a player of each agent and thread, and for a new one when a player has failed. [`Registered`] has
//! the agents that there are. Another cast may seat others in their place: tests seat players that fail where they are told
//! to.

use dealt_agents::{AgentSpec, Player, SearchGame};

use crate::external;
use crate::forfeit::OnFault;

/// Somebody who has a player for each agent.
pub trait Cast: Clone + Send + Sync + 'static {
    /// A player of this agent. If it is one from outside, its faults stop the run only if `on_fault` and the agent itself
    /// say so.
    fn player<G: SearchGame>(&self, agent: &AgentSpec, on_fault: OnFault) -> Player<G>;
}

/// The agents of the crate of agents, and programs of their own.
#[derive(Clone, Copy, Default, Debug)]
pub struct Registered;

impl Cast for Registered {
    fn player<G: SearchGame>(&self, agent: &AgentSpec, on_fault: OnFault) -> Player<G> {
        external::player(agent, on_fault)
    }
}
