//! Playing a study, from its beginning or from where it was left.

use std::num::NonZeroUsize;

use crate::recorder::Recorder;
use crate::results::piece::Piece;
use crate::run::{self, Played, RunError};
use crate::study::Study;
use crate::watch::{Progress, Sink, Watch};

/// Where a study stands when it is gone on with.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Start {
    /// The number of the next stage.
    pub stage: u64,
    /// What was played of it.
    pub begun: Option<Played>,
    /// How many games were played for the stages before.
    pub games: u64,
}

impl Start {
    /// Gives a study the next piece of what was played of it.
    ///
    /// # Errors
    /// If the piece is not of the stage that the study asks for, or the one before is not complete: why.
    pub fn take(&mut self, study: &mut dyn Study, piece: &Piece) -> Result<(), String> {
        let stage = study.next().filter(|_| self.begun.is_none());
        let stage = stage.ok_or_else(|| format!("{} follow where nothing can", piece.place()))?;
        let played = piece.played(self.stage, &stage)?;
        if played.complete {
            self.stage += 1;
            self.games += played.games();
            study.take(&played);
        } else {
            self.begun = Some(played);
        }
        Ok(())
    }
}

/// Plays a study from its beginning, stage by stage, until it knows enough or whoever watches wants to stop. How many blocks
/// were played.
///
/// # Errors
/// As [`run::play`].
pub fn pursue<R: Recorder + Send>(
    study: &mut dyn Study,
    threads: NonZeroUsize,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
) -> Result<u64, RunError> {
    go_on::<R>(study, Start::default(), threads, sink, watch)
}

/// Plays a study from where it was left. How many blocks its stages have had since then.
///
/// # Errors
/// As [`run::play`].
pub fn go_on<R: Recorder + Send>(
    study: &mut dyn Study,
    start: Start,
    threads: NonZeroUsize,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
) -> Result<u64, RunError> {
    let Start { stage: mut number, mut begun, games } = start;
    let resumed = games + begun.as_ref().map_or(0, Played::games);
    let mut part = Part { watch, resumed, before: games, wanted: study.games() };
    let mut blocks = 0;
    while let Some(stage) = study.next() {
        sink.stage_starts(number, &stage);
        let before = begun.take().map(|played| played.tally);
        let first_game = study.first_game(part.before);
        let played = run::play_from::<R>(first_game, &stage, before, threads, sink, &part)?;
        number += 1;
        part.before += played.games();
        blocks += played.tally.blocks;
        if played.complete || played.tally.blocks > 0 {
            study.take(&played);
        }
        if !played.complete || watch.wants_to_stop() {
            break;
        }
    }
    Ok(blocks)
}

/// Watches a stage as the part of a study that it is.
struct Part<'w> {
    watch: &'w dyn Watch,
    /// Games of earlier processes.
    resumed: u64,
    /// Games of earlier stages.
    before: u64,
    /// Games of all stages.
    wanted: u64,
}

impl Watch for Part<'_> {
    fn advanced(&self, progress: &Progress<'_>) {
        let games = self.before + progress.games;
        let Part { resumed, wanted, .. } = *self;
        self.watch.advanced(&Progress { games, games_wanted: wanted, games_resumed: resumed, ..*progress });
    }

    fn wants_to_stop(&self) -> bool {
        self.watch.wants_to_stop()
    }
}
