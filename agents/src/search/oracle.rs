//! `oracle`: a tree in the true position. For upper bounds, and for what knowing the cards is worth.

use std::marker::PhantomData;

use dealt_engine::Move;
use serde_json::Value;

use super::SearchGame;
use super::planner::Planner;
use super::settings::{self, Settings};
use super::walk::Sight;
use crate::{Clairvoyant, ParameterInfo, Parameters, Turn};

/// Monte Carlo tree search by one who sees all cards, the order of the stock excepted.
#[derive(Debug)]
pub struct Oracle<G: SearchGame>(Planner<G>);

/// The parameters of `oracle`.
struct List<G>(PhantomData<G>);

impl<G: SearchGame> List<G> {
    const PARAMETERS: &'static [ParameterInfo] = &{
        let [rollout, epsilon, horizon, utility, caution, endgame, ms] = settings::shared::<G>("0.0");
        let iterations =
            settings::iterations("1000", "how often the tree is walked, each time in the true position");
        let c = settings::exploration::<G>();
        let (choice, memory) = (settings::CHOICE, settings::MEMORY);
        [iterations, c, rollout, epsilon, horizon, utility, caution, choice, endgame, memory, ms]
    };
}

/// The parameters of `oracle` in a game.
pub(crate) fn parameters<G: SearchGame>(_: PhantomData<G>) -> &'static [ParameterInfo] {
    List::<G>::PARAMETERS
}

/// An `oracle`.
pub(crate) fn build<G: SearchGame>(_: PhantomData<G>, parameters: &Parameters) -> Box<dyn Clairvoyant<G>> {
    Box::new(Oracle::<G>::new(Settings::new(parameters)))
}

impl<G: SearchGame> Oracle<G> {
    /// An oracle of these settings, [`worlds`](Settings::worlds) not among them.
    #[must_use]
    pub fn new(settings: Settings) -> Oracle<G> {
        Oracle(Planner::new(Settings { worlds: 1, ..settings }))
    }
}

impl<G: SearchGame> Clairvoyant<G> for Oracle<G> {
    fn decide(&mut self, turn: &Turn<'_, G>, position: &G::State) -> Move {
        self.0.plan(turn, Sight::All, &mut turn.dice(), |_, _| *position)
    }

    fn explain(&self) -> Option<Value> {
        Some(self.0.explain(true))
    }
}
