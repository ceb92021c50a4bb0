//! Growing trees and choosing by them: what all agents that build trees have in common.

use dealt_engine::{Move, QuickDice};
use serde_json::{Value, json};

use super::SearchGame;
use super::clock::Deadline;
use super::rollout::{Playout, default_weights};
use super::settings::Settings;
use super::thought::{Thought, line};
use super::tree::{Arena, NONE, NodeId};
use super::walk::{Forest, Path, Sight, walk};
use crate::Turn;

/// Settings, with memory that is used again in every decision and nothing of which lasts beyond one.
#[derive(Debug)]
pub(super) struct Planner<G: SearchGame> {
    pub(super) settings: Settings,
    weights: G::Weights,
    arena: Arena,
    path: Path,
    /// Of the last tree.
    root: NodeId,
    pub(super) thought: Thought,
}

impl<G: SearchGame> Planner<G> {
    pub(super) fn new(settings: Settings) -> Planner<G> {
        Planner {
            settings,
            weights: default_weights::<G>(),
            arena: Arena::new(),
            path: Path::new(),
            root: NONE,
            thought: Thought::new(),
        }
    }

    /// Decides by [`Settings::worlds`] trees of [`Settings::iterations`] walks each. `world` gives the position in
    /// which a walk begins, by the number of walks in the tree before.
    pub(super) fn plan(
        &mut self,
        turn: &Turn<'_, G>,
        sight: Sight,
        dice: &mut QuickDice,
        mut world: impl FnMut(u32, &mut QuickDice) -> G::State,
    ) -> Move {
        let Planner { settings, weights, arena, path, root, thought } = self;
        let playout = Playout::new(turn, settings, weights, &world(0, dice));
        *thought = Thought::of(&playout, turn);
        *root = NONE;
        let deadline = Deadline::after(settings.ms);
        let trees = if thought.exact.is_none() { settings.worlds } else { 0 };
        for _ in 0..trees {
            arena.clear(settings.memory_mb);
            let forest = Forest::plant(arena, sight, turn.seat(), turn.game().players());
            *root = forest.root();
            let mut in_time = true;
            for round in 0..settings.iterations {
                let mut state = world(round, dice);
                let values = walk(arena, path, &forest, &playout, &mut state, dice);
                if let Some(mv) = path.first().and_then(|&(node, _)| arena.label(node).as_move()) {
                    thought.add_trial(mv, values[turn.seat()]);
                }
                in_time = !deadline.has_passed(round);
                if !in_time {
                    break;
                }
            }
            thought.add_tree(arena, *root);
            if !in_time {
                break;
            }
        }
        thought.decide(turn, settings.choice, settings.caution)
    }

    /// What the last decision was made by; with the expected line if that of the last tree speaks for all.
    pub(super) fn explain(&self, has_line: bool) -> Value {
        let mut explanation = self.thought.explain::<G>(self.settings.choice);
        if has_line && self.root != NONE {
            explanation["line"] = json!(line::<G>(&self.arena, self.root));
        }
        explanation
    }
}
