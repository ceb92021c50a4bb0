//! Where the threads of a run meet: they take blocks from a [`Floor`] and hand what came of them in to an [`Inbox`].
//!
//! Whoever has nothing to do takes the next chunk of blocks; finished chunks are counted together in the order of their
//! blocks, so that whoever watches, keeps games or stops the run sees blocks in their own order and never in the order in
//! which they happened to finish. A thread that is too far ahead of the slowest waits, so memory does not grow with the
//! games.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::run::{RunError, Stage};
use crate::tally::Tally;
use crate::tally::plan::Plan;
use crate::tally::summarise::Summariser;
use crate::watch::{Progress, Sink, Watch};
use crate::worker::Chunk;

/// The most games of a chunk, if a block has no more.
const GAMES_IN_CHUNK: u64 = 1024;
/// How many chunks a run has at least, if it has as many blocks.
const CHUNKS: u64 = 256;
/// How many chunks may wait for an earlier one to be finished, for each thread.
const CHUNKS_AHEAD: usize = 4;

/// The blocks that nobody has taken yet.
pub(crate) struct Floor {
    next: AtomicU64,
    end: u64,
    /// The most blocks that are taken at once.
    most: u64,
}

impl Floor {
    /// Without the first blocks, which are counted already.
    pub(crate) fn new(stage: &Stage, plan: &Plan, counted: u64) -> Floor {
        let games = plan.games() * stage.experiment.variants.len() as u64;
        let most = (stage.len() / CHUNKS).clamp(1, (GAMES_IN_CHUNK / games).max(1));
        Floor { next: AtomicU64::new(stage.blocks.start + counted), end: stage.blocks.end, most }
    }

    pub(crate) fn left(&self) -> u64 {
        self.end.saturating_sub(self.next.load(Ordering::Relaxed))
    }

    /// Takes so many blocks, or as many as may be taken.
    pub(crate) fn take(&self, size: &mut u64) -> Option<Range<u64>> {
        *size = (*size).clamp(1, self.most);
        let end = |start: u64| self.end.min(start.saturating_add(*size));
        let take = |start| (start < self.end).then(|| end(start));
        let taken = self.next.try_update(Ordering::Relaxed, Ordering::Relaxed, take);
        taken.ok().map(|start| start..end(start))
    }
}

/// Where finished chunks are handed in, counted together in the order of their blocks.
pub(crate) struct Inbox<'r> {
    stage: &'r Stage,
    plan: &'r Plan,
    /// How many chunks may wait for an earlier one.
    most_early: usize,
    watch: &'r dyn Watch,
    counted: Mutex<Counted<'r>>,
    moved_on: Condvar,
    /// Set when nothing more is to be counted, for those who play.
    is_over: AtomicBool,
}

/// What is counted so far.
struct Counted<'r> {
    tally: Tally,
    sink: &'r mut dyn Sink,
    /// The block that is counted next.
    next: u64,
    /// Chunks that came before their time, by their first blocks.
    early: BTreeMap<u64, Result<Chunk, RunError>>,
    /// Set when nothing more is to be counted.
    ended: bool,
    error: Option<RunError>,
}

impl<'r> Inbox<'r> {
    pub(crate) fn new(
        stage: &'r Stage,
        plan: &'r Plan,
        tally: Tally,
        threads: usize,
        sink: &'r mut dyn Sink,
        watch: &'r dyn Watch,
    ) -> Inbox<'r> {
        let next = stage.blocks.start + tally.blocks;
        let counted = Counted { tally, sink, next, early: BTreeMap::new(), ended: false, error: None };
        Inbox {
            stage,
            plan,
            most_early: CHUNKS_AHEAD * threads,
            watch,
            counted: Mutex::new(counted),
            moved_on: Condvar::new(),
            is_over: AtomicBool::new(false),
        }
    }

    /// A thread that panicked while it counted ends the run; what it left behind is not looked at.
    fn lock(&self) -> MutexGuard<'_, Counted<'r>> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a chunk, counts all whose turn has come, and holds up whoever is far ahead. False when the run is over.
    pub(crate) fn deliver(&self, start: u64, chunk: Result<Chunk, RunError>) -> bool {
        let mut counted = self.lock();
        counted.early.insert(start, chunk);
        while !counted.ended {
            let next = counted.next;
            let Some(chunk) = counted.early.remove(&next) else { break };
            if let Err(error) = chunk.and_then(|chunk| counted.add(self.stage, &chunk)) {
                counted.error = Some(error);
                counted.ended = true;
            } else {
                self.report(&counted);
                counted.ended = self.watch.wants_to_stop();
            }
        }
        if counted.ended {
            self.is_over.store(true, Ordering::Relaxed);
        }
        self.moved_on.notify_all();
        let is_far_ahead =
            |counted: &mut Counted<'r>| !counted.ended && counted.early.len() >= self.most_early;
        let counted = self.moved_on.wait_while(counted, is_far_ahead);
        !counted.unwrap_or_else(PoisonError::into_inner).ended
    }

    /// Whether it is in vain to play on.
    pub(crate) fn wants_no_more(&self) -> bool {
        self.is_over.load(Ordering::Relaxed) || self.watch.wants_to_stop()
    }

    /// Nothing more is counted.
    pub(crate) fn end(&self) {
        self.lock().ended = true;
        self.is_over.store(true, Ordering::Relaxed);
        self.moved_on.notify_all();
    }

    pub(crate) fn fail(&self, error: RunError) {
        self.lock().error = Some(error);
        self.end();
    }

    fn report(&self, counted: &Counted<'_>) {
        let Stage { experiment, found, .. } = self.stage;
        let games = self.plan.games() * experiment.variants.len() as u64;
        self.watch.advanced(&Progress {
            blocks: counted.tally.blocks,
            blocks_wanted: self.stage.len(),
            games: counted.tally.blocks * games,
            games_wanted: self.stage.len() * games,
            games_resumed: 0,
            found,
            contrasts: &|| Summariser::new(experiment, self.plan, &counted.tally).running(),
        });
    }

    /// Nothing is played any more. The sink is told even where there was an error, so that it may keep what was counted,
    /// unless it was an error of its own.
    pub(crate) fn close(self) -> Result<Tally, RunError> {
        let Counted { tally, sink, error, .. } =
            self.counted.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error @ RunError::Sink(_)) = error {
            return Err(error);
        }
        let ended = sink.stage_ends(&tally, tally.blocks == self.stage.len()).map_err(RunError::Sink);
        error.map_or(ended, Err).map(|()| tally)
    }
}

impl Counted<'_> {
    fn add(&mut self, stage: &Stage, chunk: &Chunk) -> Result<(), RunError> {
        self.sink.take(&chunk.games_csv, &chunk.records).map_err(RunError::Sink)?;
        self.sink.forfeited(&chunk.forfeits, &chunk.faults).map_err(RunError::Sink)?;
        self.next += chunk.tally.blocks;
        for (label, thinking) in stage.experiment.labels().into_iter().zip(&chunk.thinking) {
            self.sink.thought(label, thinking);
        }
        self.tally.merge(&chunk.tally);
        self.sink.counted(&self.tally).map_err(RunError::Sink)
    }
}

/// Ends the run if its thread panics, so that nobody waits for it.
pub(crate) struct Warning<'i, 'r>(pub(crate) &'i Inbox<'r>);

impl Drop for Warning<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end();
        }
    }
}
