//! `mcts`: a tree in each of some sampled worlds, as if all cards were seen, and the trees added up (perfect information
//! Monte Carlo sampling with UCT). It plans as if it would know the cards later and the others knew them now, which is
//! its known weakness; it learns much from each world, which is its strength.

use std::marker::PhantomData;

use dealt_engine::{Move, Worlds};
use serde_json::Value;

use super::SearchGame;
use super::planner::Planner;
use super::settings::{self, Settings};
use super::walk::Sight;
use crate::{Agent, ParameterInfo, Parameters, Turn};

/// Determinised Monte Carlo tree search.
#[derive(Debug)]
pub struct DeterminisedSearch<G: SearchGame>(Planner<G>);

/// The parameters of `mcts`.
struct List<G>(PhantomData<G>);

impl<G: SearchGame> List<G> {
    const PARAMETERS: &'static [ParameterInfo] = &{
        let [rollout, epsilon, horizon, utility, caution, endgame, ms] =
            settings::shared::<G>(G::DEFAULTS.caution_by_worlds);
        let trees = G::DEFAULTS.trees;
        let worlds = settings::worlds(trees[0], "how many worlds are sampled, each with a tree of its own");
        let iterations = settings::iterations(trees[1], "how often the tree of each world is walked");
        let c = settings::exploration::<G>();
        let (choice, voids, memory) = (settings::CHOICE, settings::VOIDS, settings::MEMORY);
        [
            worlds, iterations, c, rollout, epsilon, horizon, utility, caution, choice, endgame, voids,
            memory, ms,
        ]
    };
}

/// The parameters of `mcts` in a game.
pub(crate) fn parameters<G: SearchGame>(_: PhantomData<G>) -> &'static [ParameterInfo] {
    List::<G>::PARAMETERS
}

/// An `mcts` agent.
pub(crate) fn build<G: SearchGame>(_: PhantomData<G>, parameters: &Parameters) -> Box<dyn Agent<G>> {
    Box::new(DeterminisedSearch::<G>::new(Settings::new(parameters)))
}

impl<G: SearchGame> DeterminisedSearch<G> {
    /// An agent of these settings.
    #[must_use]
    pub fn new(settings: Settings) -> DeterminisedSearch<G> {
        DeterminisedSearch(Planner::new(settings))
    }
}

impl<G: SearchGame> Agent<G> for DeterminisedSearch<G> {
    fn decide(&mut self, turn: &Turn<'_, G>) -> Move {
        let mut dice = turn.dice();
        let mut worlds = self.0.settings.worlds_of(turn);
        let mut world = worlds.sample(&mut dice);
        self.0.plan(turn, Sight::All, &mut dice, |round, dice| {
            if round == 0 {
                world = worlds.sample(dice);
            }
            world
        })
    }

    fn explain(&self) -> Option<Value> {
        Some(self.0.explain(self.0.settings.worlds == 1))
    }
}
