//! `ismcts`: one tree over information sets, each walk in a fresh world (P. Cowling, E. Powley and D. Whitehouse,
//! *Information set Monte Carlo tree search*, 2012), with one observer or with all.

use std::marker::PhantomData;

use dealt_engine::{Move, Worlds};
use serde_json::Value;

use super::SearchGame;
use super::planner::Planner;
use super::settings::{self, Observer, Settings};
use super::walk::Sight;
use crate::{Agent, ParameterInfo, Parameters, Turn};

/// Information set Monte Carlo tree search.
#[derive(Debug)]
pub struct InformationSetSearch<G: SearchGame>(Planner<G>);

/// The parameters of `ismcts`.
struct List<G>(PhantomData<G>);

impl<G: SearchGame> List<G> {
    const PARAMETERS: &'static [ParameterInfo] = &{
        let [rollout, epsilon, horizon, utility, caution, endgame, ms] =
            settings::shared::<G>(G::DEFAULTS.caution_by_walks);
        let iterations =
            settings::iterations("1000", "how often the tree is walked, each time in a world of its own");
        let c = settings::exploration::<G>();
        let (observer, choice) = (settings::OBSERVER, settings::CHOICE);
        let (voids, memory) = (settings::VOIDS, settings::MEMORY);
        [
            iterations, c, rollout, epsilon, horizon, utility, caution, observer, choice, endgame, voids,
            memory, ms,
        ]
    };
}

/// The parameters of `ismcts` in a game.
pub(crate) fn parameters<G: SearchGame>(_: PhantomData<G>) -> &'static [ParameterInfo] {
    List::<G>::PARAMETERS
}

/// An `ismcts` agent.
pub(crate) fn build<G: SearchGame>(_: PhantomData<G>, parameters: &Parameters) -> Box<dyn Agent<G>> {
    Box::new(InformationSetSearch::<G>::new(Settings::new(parameters)))
}

impl<G: SearchGame> InformationSetSearch<G> {
    /// An agent of these settings, [`worlds`](Settings::worlds) not among them.
    #[must_use]
    pub fn new(settings: Settings) -> InformationSetSearch<G> {
        InformationSetSearch(Planner::new(Settings { worlds: 1, ..settings }))
    }
}

impl<G: SearchGame> Agent<G> for InformationSetSearch<G> {
    fn decide(&mut self, turn: &Turn<'_, G>) -> Move {
        let mut dice = turn.dice();
        let mut worlds = self.0.settings.worlds_of(turn);
        let sight = match self.0.settings.observer {
            Observer::Single => Sight::Searcher,
            Observer::Multiple => Sight::Each,
        };
        let mv = self.0.plan(turn, sight, &mut dice, |_, dice| worlds.sample(dice));
        self.0.thought.worlds = self.0.thought.walks();
        mv
    }

    fn explain(&self) -> Option<Value> {
        Some(self.0.explain(true))
    }
}
