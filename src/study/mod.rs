//! Courses of study: what is played depends on what came out so far.
//!
//! A [`Study`] is a state machine. It says which [`Stage`] is played next, looks at what came of it, and so on until it
//! knows enough; then it tells its [`Findings`]. A match is one stage; a sequential test is a stage for each batch of
//! blocks, until its verdict; tuning is a stage for each iteration. [`mod@pursue`] plays one to its end.
//!
//! A study decides by the tallies that it is given and by nothing else. These are integers, so that it is as
//! reproducible as each of its stages: the same stages are played whatever the number of threads, and when their tallies
//! are given to it once more.
//!
//! A new kind of study is a file here with its struct, and an entry of `config::kind::KINDS`, which reads it from an
//! experiment file.
//!
//! - [`compare`]: the kind `match`, and all that are only other ways to write its line-ups
//! - [`sprt`]: two agents play until it is clear who is stronger
//! - [`tune`]: the kind `tune`
//! - [`sweep`]: what rules change, at several numbers of players and for several skills
//! - [`mod@pursue`]: playing a study, from its beginning or from where it was left
//! - [`share`]: a part of a study, for one of several machines

pub mod compare;
pub mod pursue;
pub mod share;
pub mod sprt;
pub mod sweep;
pub mod tune;

pub use pursue::pursue;

use std::fmt;

use serde_json::{Map, Value};

use crate::experiment::Experiment;
use crate::figures::counted;
use crate::run::{Outcome, Played, Stage};

/// A course of study.
pub trait Study: fmt::Debug {
    /// Its kind, by the name that it has in experiment files.
    fn kind(&self) -> &'static str;

    /// The experiment as settled, which heads what is printed and is kept in the manifest: the one of all stages, or what
    /// theirs are made from. Its `outputs` are those of the run.
    fn experiment(&self) -> &Experiment;

    /// What else was settled, under the keys of experiment files, for the manifest.
    fn settings(&self) -> Map<String, Value> {
        Map::new()
    }

    /// The most games that all stages together may have.
    fn games(&self) -> u64;

    /// A line that says what is about to be played.
    fn heading(&self) -> String {
        let Experiment { game, seed, blocks, .. } = self.experiment();
        let players = self.experiment().players();
        let (blocks, games) = (counted(*blocks, "block"), counted(self.games(), "game"));
        format!("{game}, {players} players, seed {seed}: {blocks}, {games}")
    }

    /// What is to be played next; `None` when nothing is left to be found out.
    fn next(&self) -> Option<Stage>;

    /// What is to be played next, as far as that does not depend on what will come out: the first stage is the one that is
    /// [`next`](Study::next), and those behind it will follow it whatever is found. Several machines can play them at once.
    fn ahead(&self) -> Vec<Stage> {
        self.next().into_iter().collect()
    }

    /// The index of the first game of the stage that is [`next`](Study::next), where this many games were played for the stages
    /// before: the games of a study are numbered through all its stages.
    fn first_game(&self, games_before: u64) -> u64 {
        games_before
    }

    /// Looks at what came of the stage that was [`next`](Study::next). One that is not [complete](Played::complete) is the
    /// last that comes: the run was stopped.
    fn take(&mut self, played: &Played);

    /// What was found by the stages so far, which may be incomplete. Is not asked before the first block is finished.
    fn findings(&self) -> Findings;
}

/// What a study found.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Findings {
    /// Whether all is found that was to be found out: false only if the run was stopped before.
    pub complete: bool,
    /// How much was played for it.
    pub effort: Effort,
    /// Its tables: names of files, all of them among [`FILES`](crate::results::FILES), and their contents.
    pub files: Vec<(&'static str, Vec<u8>)>,
    /// What it means, as printed for a person: lines, the last one ended too.
    pub text: String,
}

/// How much was played.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Effort {
    /// Blocks.
    pub blocks: u64,
    /// Games.
    pub games: u64,
    /// Deals.
    pub deals: u64,
    /// Times that somebody was to move.
    pub decisions: u64,
}

impl Effort {
    /// What was played for an outcome.
    #[must_use]
    pub fn of(outcome: &Outcome) -> Effort {
        let &Outcome { blocks, games, deals, decisions, .. } = outcome;
        Effort { blocks, games, deals, decisions }
    }

    /// Adds what was played elsewhere.
    pub fn add(&mut self, other: &Effort) {
        self.blocks += other.blocks;
        self.games += other.games;
        self.deals += other.deals;
        self.decisions += other.decisions;
    }
}

impl Played {
    /// How much was played.
    #[must_use]
    pub fn effort(&self) -> Effort {
        let [decisions, deals] = self.tally.decisions_and_deals(&self.plan);
        Effort { blocks: self.tally.blocks, games: self.games(), deals, decisions }
    }
}
