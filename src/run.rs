//! Plays games on as many threads as wanted: a [`Stage`], which is a range of an experiment's blocks, or all of them.
//!
//! Blocks are played in chunks. Whoever has nothing to do takes the next chunk; finished chunks are counted together
//! in the order of their numbers, so that whoever watches, keeps games or stops the run sees blocks in their own order
//! and never in the order in which they happened to finish. The tally is of integers, so the number of threads leaves
//! no trace. A thread that is too far ahead of the slowest waits, so memory does not grow with the games.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use dealt_agents::{GameVisitor, SearchGame, with_game};
use dealt_engine::{CardSet, Game};
use rayon::iter::{ParallelBridge, ParallelIterator};

use crate::cast::{Cast, Registered};
use crate::experiment::{Experiment, ExperimentError, compile};
use crate::record::GameRecord;
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

/// Something to be played in one go: some blocks of an experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct Stage {
    /// The experiment.
    pub experiment: Experiment,
    /// Which of its blocks.
    pub blocks: Range<u64>,
    /// What was found before, in some words for whoever watches; may be empty.
    pub found: String,
}

impl Stage {
    /// All blocks of an experiment.
    #[must_use]
    pub fn whole(experiment: &Experiment) -> Stage {
        Stage { experiment: experiment.clone(), blocks: 0..experiment.blocks, found: String::new() }
    }

    fn validate(&self) -> Result<(), ExperimentError> {
        let Range { start, end } = self.blocks;
        if start >= end || end > self.experiment.blocks {
            let message = format!("blocks {start} to {end} of {}", self.experiment.blocks);
            return Err(ExperimentError::new(message));
        }
        self.experiment.validate()
    }
}

/// What came of a stage.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// What was counted in each block, and where it stands in the tally.
    pub plan: Plan,
    /// The counts.
    pub tally: Tally,
    /// Whether all blocks of the stage were played: they are unless whoever watched wanted to stop. If not, the first
    /// ones were.
    pub complete: bool,
}

impl Played {
    /// The tables of an experiment of which this is a stage.
    #[must_use]
    pub fn outcome(&self, experiment: &Experiment) -> Outcome {
        let [decisions, deals] = self.tally.decisions_and_deals(&self.plan);
        let summary = Summariser::new(experiment, &self.plan, &self.tally).summary();
        Outcome { blocks: self.tally.blocks, games: self.games(), deals, decisions, summary }
    }

    /// How many games were played.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.tally.blocks * self.plan.games() * self.tally.variants.len() as u64
    }

    /// Adds other blocks of the same experiment.
    pub fn merge(&mut self, other: &Played) {
        self.tally.merge(&other.tally);
        self.complete &= other.complete;
    }
}

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
    /// An agent failed: how, and the record of the game up to there.
    Foul(Box<Foul>, Box<GameRecord>),
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
            RunError::Foul(foul, _) => foul.fmt(f),
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
/// As [`play`].
pub fn run<R: Recorder + Send>(
    experiment: &Experiment,
    threads: NonZeroUsize,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
) -> Result<Outcome, RunError> {
    experiment.validate()?;
    play::<R>(&Stage::whole(experiment), threads, sink, watch).map(|played| played.outcome(experiment))
}

/// Plays all games of a stage. What comes of it does not depend on the number of threads, and stages merge into what
/// would have come of all their blocks together.
///
/// # Errors
/// If the experiment is not valid or has not these blocks, an agent fails and stops the run, or the sink fails.
pub fn play<R: Recorder + Send>(
    stage: &Stage,
    threads: NonZeroUsize,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
) -> Result<Played, RunError> {
    play_with::<R, _>(stage, threads, sink, watch, Registered)
}

/// The same among players of another cast.
///
/// # Errors
/// As [`play`].
pub fn play_with<R: Recorder + Send, C: Cast>(
    stage: &Stage,
    threads: NonZeroUsize,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
    cast: C,
) -> Result<Played, RunError> {
    stage.validate()?;
    let run = Run { stage, threads, sink, watch, cast, recorder: PhantomData::<R> };
    let game = &stage.experiment.game;
    with_game(game, run).unwrap_or_else(|| Err(ExperimentError::new(format!("no game `{game}`")).into()))
}

struct Run<'r, R, C> {
    stage: &'r Stage,
    threads: NonZeroUsize,
    sink: &'r mut dyn Sink,
    watch: &'r dyn Watch,
    cast: C,
    recorder: PhantomData<R>,
}

impl<R: Recorder + Send, C: Cast> GameVisitor for Run<'_, R, C> {
    type Output = Result<Played, RunError>;

    fn visit<G: SearchGame>(self) -> Self::Output {
        let Run { stage, threads, sink, watch, cast, .. } = self;
        let experiment = &stage.experiment;
        let games: Vec<G> = experiment.variants.iter().map(compile).collect::<Result<_, _>>()?;
        let plan = plan(experiment, &games)?;
        let streams = Streams::new(experiment.seed);
        let inbox = Inbox::new(stage, &plan, threads, sink, watch);
        let play_one = |worker: &mut Worker<'_, G, R>, chunk: u64| {
            let _warning = Warning(&inbox);
            let played = worker.play(blocks_of(chunk, stage, &plan));
            inbox.deliver(chunk, played).then_some(())
        };
        let chunks = wanted(stage).div_ceil(blocks_in_chunk(stage, &plan));
        // More threads than chunks would only wait.
        let threads = threads.get().min(chunks.try_into().unwrap_or(usize::MAX));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| RunError::Threads(error.to_string()))?;
        let new_worker = || Worker::<G, R>::new(experiment, &plan, &games, &streams, &cast);
        // That a chunk ends the run is no error here: the inbox knows why.
        let _ = pool.install(|| (0..chunks).par_bridge().try_for_each_init(new_worker, play_one));
        let tally = inbox.tally()?;
        let complete = tally.blocks == wanted(stage);
        Ok(Played { plan, tally, complete })
    }
}

/// What is counted for an experiment, given the games of its variants.
pub(crate) fn plan<G: SearchGame>(experiment: &Experiment, games: &[G]) -> Result<Plan, ExperimentError> {
    if !experiment.compares_rules() {
        return Plan::new(experiment, G::LOWEST_WINS, &[], &[]);
    }
    let events: Vec<_> = G::EVENTS.iter().map(|event| event.name).collect();
    let pack: CardSet = games.iter().flat_map(Game::pack).copied().collect();
    Plan::new(experiment, G::LOWEST_WINS, &events, &pack.into_iter().collect::<Vec<_>>())
}

/// How many blocks the stage has.
fn wanted(stage: &Stage) -> u64 {
    stage.blocks.end - stage.blocks.start
}

fn blocks_in_chunk(stage: &Stage, plan: &Plan) -> u64 {
    let games = plan.games() * stage.experiment.variants.len() as u64;
    (wanted(stage) / CHUNKS).clamp(1, (GAMES_IN_CHUNK / games).max(1))
}

fn blocks_of(chunk: u64, stage: &Stage, plan: &Plan) -> Range<u64> {
    let Range { start, end } = stage.blocks;
    let blocks = blocks_in_chunk(stage, plan);
    start + chunk * blocks..(start + (chunk + 1) * blocks).min(end)
}

/// Where finished chunks are handed in, counted together in the order of their numbers.
struct Inbox<'r> {
    stage: &'r Stage,
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
        stage: &'r Stage,
        plan: &'r Plan,
        threads: NonZeroUsize,
        sink: &'r mut dyn Sink,
        watch: &'r dyn Watch,
    ) -> Inbox<'r> {
        let tally = Tally::new(plan, stage.experiment.variants.len());
        let counted = Counted { tally, sink, next: 0, early: BTreeMap::new(), ended: false, error: None };
        let ahead = CHUNKS_AHEAD * threads.get() as u64;
        Inbox { stage, plan, ahead, watch, counted: Mutex::new(counted), moved_on: Condvar::new() }
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
            if let Err(error) = chunk.and_then(|chunk| counted.add(self.stage, &chunk)) {
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
        let Stage { experiment, found, .. } = self.stage;
        let games = self.plan.games() * experiment.variants.len() as u64;
        self.watch.advanced(&Progress {
            blocks: counted.tally.blocks,
            blocks_wanted: wanted(self.stage),
            games: counted.tally.blocks * games,
            games_wanted: wanted(self.stage) * games,
            found,
            contrasts: &|| Summariser::new(experiment, self.plan, &counted.tally).running(),
        });
    }

    fn tally(self) -> Result<Tally, RunError> {
        let Counted { tally, error, .. } = self.counted.into_inner().unwrap_or_else(PoisonError::into_inner);
        error.map_or(Ok(tally), Err)
    }
}

impl Counted<'_> {
    fn add(&mut self, stage: &Stage, chunk: &Chunk) -> Result<(), RunError> {
        self.sink.take(&chunk.games_csv, &chunk.records).map_err(RunError::Sink)?;
        self.sink.forfeited(&chunk.forfeits, &chunk.faults).map_err(RunError::Sink)?;
        for (label, thinking) in stage.experiment.labels().into_iter().zip(&chunk.thinking) {
            self.sink.thought(label, thinking);
        }
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
