//! A part of a study, for one of several machines: its share of each stage that is known by now.
//!
//! It is a study itself, which plays the same blocks as the whole would and decides nothing: what follows when these stages
//! are complete depends on what all shares together find.

use crate::figures::counted;
use crate::results::checkpoint::Shard;
use crate::run::{Played, Stage};
use crate::study::{Findings, Study};

/// A part of a study.
#[derive(Debug)]
pub struct Share<'s> {
    study: &'s dyn Study,
    shard: Shard,
    /// Its part of each stage, and the index of its first game in the whole study. Some may have no blocks.
    parts: Vec<(Stage, u64)>,
    done: usize,
}

impl<'s> Share<'s> {
    /// The share of a shard in all that is [ahead](Study::ahead) of a study, of which so many games were played before.
    #[must_use]
    pub fn new(study: &'s dyn Study, shard: Shard, games_before: u64) -> Share<'s> {
        let mut first_of_stage = games_before;
        let mut part = |stage: Stage| {
            let blocks = shard.part(&stage.blocks);
            let passed_over = Stage { blocks: stage.blocks.start..blocks.start, ..stage.clone() };
            let first_game = first_of_stage.saturating_add(passed_over.games());
            first_of_stage = first_of_stage.saturating_add(stage.games());
            (Stage { blocks, ..stage }, first_game)
        };
        let parts = study.ahead().into_iter().map(&mut part).collect();
        Share { study, shard, parts, done: 0 }
    }

    /// How many blocks it has.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.parts.iter().map(|(part, _)| part.len()).sum()
    }
}

impl Study for Share<'_> {
    fn kind(&self) -> &'static str {
        self.study.kind()
    }

    fn experiment(&self) -> &crate::Experiment {
        self.study.experiment()
    }

    fn games(&self) -> u64 {
        self.parts.iter().map(|(part, _)| part.games()).fold(0, u64::saturating_add)
    }

    fn heading(&self) -> String {
        let (blocks, games) = (counted(self.blocks(), "block"), counted(self.games(), "game"));
        format!("{}\nshard {}: {blocks}, {games}", self.study.heading(), self.shard)
    }

    fn next(&self) -> Option<Stage> {
        self.parts.get(self.done).map(|(part, _)| part.clone())
    }

    /// Other shards play what comes before.
    fn first_game(&self, games_before: u64) -> u64 {
        self.parts.get(self.done).map_or(games_before, |&(_, first_game)| first_game)
    }

    fn take(&mut self, played: &Played) {
        self.done += usize::from(played.complete);
    }

    /// Nothing: that is found by all shares together.
    fn findings(&self) -> Findings {
        Findings::default()
    }
}
