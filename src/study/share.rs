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
    /// Its part of each stage. Some may have no blocks.
    parts: Vec<Stage>,
    done: usize,
}

impl<'s> Share<'s> {
    /// The share of a shard in all that is [ahead](Study::ahead) of a study.
    #[must_use]
    pub fn new(study: &'s dyn Study, shard: Shard) -> Share<'s> {
        let part = |stage: Stage| Stage { blocks: shard.part(&stage.blocks), ..stage };
        Share { study, shard, parts: study.ahead().into_iter().map(part).collect(), done: 0 }
    }

    /// How many blocks it has.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.parts.iter().map(Stage::len).sum()
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
        let games = |part: &Stage| part.len().saturating_mul(part.games_in_block());
        self.parts.iter().map(games).fold(0, u64::saturating_add)
    }

    fn heading(&self) -> String {
        let (blocks, games) = (counted(self.blocks(), "block"), counted(self.games(), "game"));
        format!("{}\nshard {}: {blocks}, {games}", self.study.heading(), self.shard)
    }

    fn next(&self) -> Option<Stage> {
        self.parts.get(self.done).cloned()
    }

    fn take(&mut self, played: &Played) {
        self.done += usize::from(played.complete);
    }

    /// Nothing: that is found by all shares together.
    fn findings(&self) -> Findings {
        Findings::default()
    }
}
