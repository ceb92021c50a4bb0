//! What is kept of a run: its pieces, each some blocks of a stage with all that was counted and written of them.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::lines::CheckSum;
use super::manifest::settled;
use super::side::Segment;
use crate::run::{self, Played, Stage};
use crate::tally::Tally;

/// The files that grow while games are played, in the order in which pieces list them.
pub const GROWING: [&str; 4] = ["games.csv", "records.jsonl", "forfeits.csv", "faults.jsonl"];

/// Some blocks of a stage, played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// The number of the stage in its study, from 0.
    pub stage: u64,
    /// What tells the stage's experiment from others.
    pub experiment: u64,
    /// Which of its blocks.
    pub blocks: Range<u64>,
    /// What they added to the files of [`GROWING`].
    pub files: [Segment; GROWING.len()],
    /// What was counted, as text.
    pub tally: String,
}

impl Piece {
    /// A piece of a stage of which nothing was played yet.
    #[must_use]
    pub fn new(number: u64, stage: &Stage) -> Piece {
        let blocks = stage.blocks.start..stage.blocks.start;
        Piece {
            stage: number,
            experiment: fingerprint(stage),
            blocks,
            files: Default::default(),
            tally: String::new(),
        }
    }

    /// How many blocks it has.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.blocks.end.saturating_sub(self.blocks.start)
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where it is, for an error.
    #[must_use]
    pub fn place(&self) -> String {
        format!("stage {}, blocks {} to {}", self.stage, self.blocks.start, self.blocks.end)
    }

    /// What was played, if this is the beginning of such a stage.
    ///
    /// # Errors
    /// If it is of another stage, or its tally is none of this experiment: why.
    pub fn played(&self, number: u64, stage: &Stage) -> Result<Played, String> {
        let Range { start, end } = self.blocks;
        if self.stage != number || self.experiment != fingerprint(stage) || start != stage.blocks.start {
            return Err(format!(
                "{} do not continue what was played before; blocks from {} of stage {number} are wanted",
                self.place(),
                stage.blocks.start
            ));
        }
        let plan = run::plan(&stage.experiment).map_err(|error| error.to_string())?;
        let variants = stage.experiment.variants.len();
        let blocks = end.checked_sub(start).filter(|_| end <= stage.blocks.end);
        let tally = blocks.and_then(|blocks| Tally::from_text(&plan, variants, blocks, &self.tally));
        let tally =
            tally.ok_or_else(|| format!("the tally of {} is none of its experiment", self.place()))?;
        Ok(Played { plan, tally, complete: end == stage.blocks.end })
    }
}

/// What tells a stage's experiment from others: a check sum over everything that is settled in it.
fn fingerprint(stage: &Stage) -> u64 {
    let settled = serde_json::Value::Object(settled("", &stage.experiment));
    CheckSum::of(settled.to_string().as_bytes())
}
