//! `flat-mc`: every legal move is played out in the same sampled worlds, with the same random numbers.

use std::marker::PhantomData;

use dealt_engine::{Move, Unordered, Worlds};
use serde_json::Value;

use super::SearchGame;
use super::clock::Deadline;
use super::rollout::{Playout, default_weights};
use super::settings::{self, Choice, Settings};
use super::thought::Thought;
use crate::{Agent, ParameterInfo, Parameters, Turn};

/// Flat Monte Carlo.
#[derive(Debug)]
pub struct Flat<G: SearchGame> {
    settings: Settings,
    weights: G::Weights,
    thought: Thought,
}

/// The parameters of `flat-mc`.
struct List<G>(PhantomData<G>);

impl<G: SearchGame> List<G> {
    const PARAMETERS: &'static [ParameterInfo] = &{
        let [rollout, epsilon, horizon, utility, caution, endgame, ms] =
            settings::shared::<G>(G::DEFAULTS.caution_by_worlds);
        let worlds =
            settings::worlds("100", "how many worlds are sampled; every legal move is played out in each");
        [worlds, rollout, epsilon, horizon, utility, caution, endgame, settings::VOIDS, ms]
    };
}

/// The parameters of `flat-mc` in a game.
pub(crate) fn parameters<G: SearchGame>(_: PhantomData<G>) -> &'static [ParameterInfo] {
    List::<G>::PARAMETERS
}

/// A `flat-mc` agent.
pub(crate) fn build<G: SearchGame>(_: PhantomData<G>, parameters: &Parameters) -> Box<dyn Agent<G>> {
    Box::new(Flat::<G>::new(Settings::new(parameters)))
}

impl<G: SearchGame> Flat<G> {
    /// An agent of these settings.
    #[must_use]
    pub fn new(settings: Settings) -> Flat<G> {
        Flat { settings, weights: default_weights::<G>(), thought: Thought::new() }
    }
}

impl<G: SearchGame> Agent<G> for Flat<G> {
    fn decide(&mut self, turn: &Turn<'_, G>) -> Move {
        let (game, legal) = (turn.game(), turn.legal_moves());
        let mut dice = turn.dice();
        let mut worlds = self.settings.worlds_of(turn);
        let playout = Playout::new(turn, &self.settings, &self.weights, &worlds.sample(&mut dice));
        self.thought = Thought::of(&playout, turn);
        let rounds = if self.thought.exact.is_none() { self.settings.worlds } else { 0 };
        let deadline = Deadline::after(self.settings.ms);
        for round in 0..rounds {
            let world = worlds.sample(&mut dice);
            let before = dice.clone();
            let mut values = [0.0; Move::COUNT];
            for mv in legal {
                let mut state = world;
                dice = before.clone();
                game.play_unchecked(&mut state, mv, &mut Unordered(&mut dice));
                values[mv.index()] = playout.finish(&mut state, &mut dice)[turn.seat()];
            }
            self.thought.add(legal.into_iter().map(|mv| (mv, 1, values[mv.index()])));
            if deadline.has_passed(round) {
                break;
            }
        }
        self.thought.decide(turn, Choice::Value, self.settings.caution)
    }

    fn explain(&self) -> Option<Value> {
        Some(self.thought.explain::<G>(Choice::Value))
    }
}
