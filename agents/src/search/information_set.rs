//! `ismcts`: one tree over information sets, a fresh world for each walk.

use std::marker::PhantomData;

use dealt_engine::{Move, Worlds};
use serde_json::{Value, json};

use super::SearchGame;
use super::clock::Deadline;
use super::rollout::{Playout, default_weights};
use super::settings::{self, Settings};
use super::thought::{Thought, line};
use super::tree::{Arena, NONE, NodeId};
use super::walk::{Forest, Path, walk};
use crate::{Agent, ParameterInfo, Parameters, Turn};

/// Information set Monte Carlo tree search.
#[derive(Debug)]
pub struct InformationSetSearch<G: SearchGame> {
    settings: Settings,
    weights: G::Weights,
    arena: Arena,
    path: Path,
    root: NodeId,
    thought: Thought,
}

/// The parameters of `ismcts`.
struct List<G>(PhantomData<G>);

impl<G: SearchGame> List<G> {
    const PARAMETERS: &'static [ParameterInfo] = &{
        let [rollout, epsilon, horizon, utility, endgame, ms] = settings::shared::<G>();
        let iterations =
            settings::iterations("1000", "how often the tree is walked, each time in a world of its own");
        let c = settings::exploration::<G>();
        let (observer, choice, memory) = (settings::OBSERVER, settings::CHOICE, settings::MEMORY);
        [iterations, c, rollout, epsilon, horizon, utility, observer, choice, endgame, memory, ms]
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
    /// An agent of these settings.
    #[must_use]
    pub fn new(settings: Settings) -> InformationSetSearch<G> {
        InformationSetSearch {
            settings,
            weights: default_weights::<G>(),
            arena: Arena::new(),
            path: Path::new(),
            root: NONE,
            thought: Thought::new(),
        }
    }
}

impl<G: SearchGame> Agent<G> for InformationSetSearch<G> {
    fn decide(&mut self, turn: &Turn<'_, G>) -> Move {
        let InformationSetSearch { settings, weights, arena, path, .. } = self;
        let game = turn.game();
        let mut dice = turn.dice();
        let mut worlds = game.worlds(&turn.view());
        let playout = Playout::new(turn, settings, weights, &worlds.sample(&mut dice));
        self.thought = Thought::new();
        arena.clear(settings.memory_mb);
        let forest = Forest::plant(arena, settings.observer, turn.seat(), game.players());
        self.root = forest.root();
        self.thought.exact = playout.endgame(turn);
        if self.thought.exact.is_none() {
            let deadline = Deadline::after(settings.ms);
            for round in 0..settings.iterations {
                let mut world = worlds.sample(&mut dice);
                walk(arena, path, &forest, &playout, &mut world, &mut dice);
                self.thought.worlds += 1;
                if deadline.has_passed(round) {
                    break;
                }
            }
            self.thought.add_tree(arena, self.root);
        }
        self.thought.best(settings.choice, turn.legal_moves())
    }

    fn explain(&self) -> Option<Value> {
        let mut explanation = self.thought.explain::<G>(self.settings.choice);
        explanation["line"] = json!(line::<G>(&self.arena, self.root));
        Some(explanation)
    }
}
