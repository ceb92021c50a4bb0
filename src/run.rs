//! A run: all games of an experiment, on as many threads as wanted.
//!
//! Blocks are played in chunks. Whoever has nothing to do takes the next chunk; finished chunks are counted together
//! in the order of their numbers, so that whoever watches, keeps games or stops the run sees blocks in their own order
//! and never in the order in which they happened to finish. The tally is of integers, so the number of threads leaves
//! no trace. A thread that is too far ahead of the slowest waits, so memory does not grow with the games.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use dealt_agents::{GameVisitor, SearchGame, with_game};
use rayon::iter::{ParallelBridge, ParallelIterator};

use crate::experiment::{Experiment, ExperimentError, compile};
use crate::recorder::{NoRecorder, Recorder};
use crate::streams::Streams;
use crate::summary::Summary;
use crate::table::Foul;
use crate::tally::Tally;
use crate::tally::plan::Plan;
use crate::tally::summarise::Summariser;
use crate::watch::{Progress, Sink, Watch};
use crate::worker::{Chunk, Worker};

/// The most games of a chunk, if a block has no more.
const GAMES_IN_CHUNK: u64 = 1024;
/// How many chunks a run has at least, if it has as many blocks.
const CHUNKS: u64 = 256;
/// How far, in chunks for each thread, the fastest thread may be ahead of the slowest.
const CHUNKS_AHEAD: u64 = 4;

/// What a run found.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// Blocks played: fewer than wanted only if whoever watched wanted to stop.
    pub blocks: u64,
    /// Games played.
    pub games: u64,
    /// Deals played.
    pub deals: u64,
    /// Times that somebody was to move.
    pub decisions: u64,
    /// The tables.
    pub summary: Summary,
}

/// Why a run failed.
#[derive(Debug)]
pub enum RunError {
    /// It could not start.
    Experiment(ExperimentError),
    /// An agent broke the rules.
    Foul(Box<Foul>),
    /// Scores are too large to be summed exactly.
    TooLarge,
    /// Games could not be kept.
    Sink(io::Error),
    /// Threads could not be started.
    Threads(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Experiment(error) => error.fmt(f),
            RunError::Foul(foul) => foul.fmt(f),
            RunError::TooLarge => {
                f.write_str("the scores of a block are too large to be summed exactly; take fewer points")
            }
            RunError::Sink(error) => write!(f, "cannot write the games: {error}"),
            RunError::Threads(error) => write!(f, "cannot start the threads: {error}"),
        }
    }
}

impl std::error::Error for RunError {}

impl From<ExperimentError> for RunError {
    fn from(error: ExperimentError) -> RunError {
        RunError::Experiment(error)
    }
}

/// Plays all games of an experiment. The outcome does not depend on the number of threads.
///
/// # Errors
/// If the experiment is not valid, an agent breaks the rules, or the sink fails.
pub fn run<R: Recorder + Send>(
    experiment: &Experiment,
    threads: NonZeroUsize,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
) -> Result<Outcome, RunError> {
    experiment.validate()?;
    let run = Run { experiment, threads, sink, watch, recorder: std::marker::PhantomData::<R> };
    with_game(&experiment.game, run)
        .unwrap_or_else(|| Err(ExperimentError::new(format!("no game `{}`", experiment.game)).into()))
}

struct Run<'r, R> {
    experiment: &'r Experiment,
    threads: NonZeroUsize,
    sink: &'r mut dyn Sink,
    watch: &'r dyn Watch,
    recorder: std::marker::PhantomData<R>,
}

impl<R: Recorder + Send> GameVisitor for Run<'_, R> {
    type Output = Result<Outcome, RunError>;

    fn visit<G: SearchGame>(self) -> Self::Output {
        let Run { experiment, threads, sink, watch, .. } = self;
        let counted = if experiment.compares_rules() { G::EVENTS } else { &[] };
        let events: Vec<_> = counted.iter().map(|event| event.name).collect();
        let plan = Plan::new(experiment, G::LOWEST_WINS, &events)?;
        let games: Vec<G> = experiment.variants.iter().map(compile).collect::<Result<_, _>>()?;
        let streams = Streams::new(experiment.seed);
        let inbox = Inbox::new(experiment, &plan, threads, sink, watch);
        let play_one = |worker: &mut Worker<'_, G, R>, chunk: u64| {
            let _warning = Warning(&inbox);
            let played = worker.play(blocks_of(chunk, experiment, &plan));
            inbox.deliver(chunk, played).then_some(())
        };
        let chunks = experiment.blocks.div_ceil(blocks_in_chunk(experiment, &plan));
        // More threads than chunks would only wait.
        let threads = threads.get().min(chunks.try_into().unwrap_or(usize::MAX));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| RunError::Threads(error.to_string()))?;
        let new_worker = || Worker::<G, R>::new(experiment, &plan, &games, &streams);
        // That a chunk ends the run is no error here: the inbox knows why.
        let _ = pool.install(|| (0..chunks).par_bridge().try_for_each_init(new_worker, play_one));
        inbox.outcome()
    }
}

fn blocks_in_chunk(experiment: &Experiment, plan: &Plan) -> u64 {
    let games = plan.games() * experiment.variants.len() as u64;
    (experiment.blocks / CHUNKS).clamp(1, (GAMES_IN_CHUNK / games).max(1))
}

fn blocks_of(chunk: u64, experiment: &Experiment, plan: &Plan) -> Range<u64> {
    let blocks = blocks_in_chunk(experiment, plan);
    chunk * blocks..((chunk + 1) * blocks).min(experiment.blocks)
}

/// Where finished chunks are handed in, counted together in the order of their numbers.
struct Inbox<'r> {
    experiment: &'r Experiment,
    plan: &'r Plan,
    ahead: u64,
    watch: &'r dyn Watch,
    counted: Mutex<Counted<'r>>,
    moved_on: Condvar,
}

/// What is counted so far.
struct Counted<'r> {
    tally: Tally,
    sink: &'r mut dyn Sink,
    /// The chunk that is counted next.
    next: u64,
    /// Those that came before their time.
    early: BTreeMap<u64, Result<Chunk, RunError>>,
    /// Set when nothing more is to be counted.
    ended: bool,
    error: Option<RunError>,
}

impl<'r> Inbox<'r> {
    fn new(
        experiment: &'r Experiment,
        plan: &'r Plan,
        threads: NonZeroUsize,
        sink: &'r mut dyn Sink,
        watch: &'r dyn Watch,
    ) -> Inbox<'r> {
        let tally = Tally::new(plan, experiment.variants.len());
        let counted = Counted { tally, sink, next: 0, early: BTreeMap::new(), ended: false, error: None };
        let ahead = CHUNKS_AHEAD * threads.get() as u64;
        Inbox { experiment, plan, ahead, watch, counted: Mutex::new(counted), moved_on: Condvar::new() }
    }

    /// A thread that panicked while it counted ends the run; what it left behind is not looked at.
    fn lock(&self) -> MutexGuard<'_, Counted<'r>> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a chunk, counts all whose turn has come, and holds up whoever is far ahead. False when the run is over.
    fn deliver(&self, number: u64, chunk: Result<Chunk, RunError>) -> bool {
        let mut counted = self.lock();
        counted.early.insert(number, chunk);
        while !counted.ended {
            let next = counted.next;
            let Some(chunk) = counted.early.remove(&next) else { break };
            counted.next += 1;
            if let Err(error) = chunk.and_then(|chunk| counted.add(&chunk)) {
                counted.error = Some(error);
                counted.ended = true;
            } else {
                self.report(&counted);
                counted.ended = self.watch.wants_to_stop();
            }
        }
        self.moved_on.notify_all();
        let is_far_ahead = |counted: &mut Counted<'r>| !counted.ended && number >= counted.next + self.ahead;
        let counted = self.moved_on.wait_while(counted, is_far_ahead);
        !counted.unwrap_or_else(PoisonError::into_inner).ended
    }

    fn report(&self, counted: &Counted<'_>) {
        let games = self.plan.games() * self.experiment.variants.len() as u64;
        self.watch.advanced(&Progress {
            blocks: counted.tally.blocks,
            blocks_wanted: self.experiment.blocks,
            games: counted.tally.blocks * games,
            games_wanted: self.experiment.blocks * games,
            contrasts: &|| Summariser::new(self.experiment, self.plan, &counted.tally).running(),
        });
    }

    fn outcome(self) -> Result<Outcome, RunError> {
        let Counted { tally, error, .. } = self.counted.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = error {
            return Err(error);
        }
        let summary = Summariser::new(self.experiment, self.plan, &tally).summary();
        let [decisions, deals] = tally.decisions_and_deals(self.plan);
        let games = tally.blocks * self.plan.games() * self.experiment.variants.len() as u64;
        Ok(Outcome { blocks: tally.blocks, games, deals, decisions, summary })
    }
}

impl Counted<'_> {
    fn add(&mut self, chunk: &Chunk) -> Result<(), RunError> {
        self.sink.take(&chunk.games_csv, &chunk.records).map_err(RunError::Sink)?;
        self.sink.thought(&chunk.thinking);
        self.tally.merge(&chunk.tally);
        Ok(())
    }
}

/// Ends the run if its thread panics, so that nobody waits for it.
struct Warning<'i, 'r>(&'i Inbox<'r>);

impl Drop for Warning<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().ended = true;
            self.0.moved_on.notify_all();
        }
    }
}

/// Plays all games of an experiment and keeps none of them.
///
/// # Errors
/// As [`run`].
pub fn run_quietly(experiment: &Experiment, threads: NonZeroUsize) -> Result<Outcome, RunError> {
    run::<NoRecorder>(experiment, threads, &mut crate::watch::NoSink, &crate::watch::NoWatch)
}
