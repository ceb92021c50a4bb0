//! Plays games on as many threads as wanted: a [`Stage`], which is a range of an experiment's blocks, or all of them.
//!
//! Blocks are played in chunks, which are counted together in the order of their blocks. The tally is of integers, so
//! neither the number of threads nor the size of a chunk leaves a trace. So a chunk is as large as some tenths of a second
//! allow: where agents think long it is a block, and little is lost if the run ends before it is counted.

use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::thread;
use std::time::Duration;

use dealt_agents::{GameVisitor, SearchGame, with_game};
use dealt_engine::{CardSet, Game};

use crate::cast::{Cast, Registered};
use crate::experiment::{Experiment, ExperimentError, compile};
use crate::inbox::{Floor, Inbox, Warning};
use crate::record::GameRecord;
use crate::recorder::{NoRecorder, Recorder};
use crate::results::timings::Stopwatch;
use crate::streams::Streams;
use crate::summary::Summary;
use crate::table::Foul;
use crate::tally::Tally;
use crate::tally::plan::Plan;
use crate::tally::summarise::Summariser;
use crate::watch::{Sink, Watch};
use crate::worker::{Numbering, Worker};

/// A chunk that took less is followed by one of twice as many blocks, where there may be so many; one that took four times
/// as long by one of half as many.
const SHORT: Duration = Duration::from_millis(50);

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

    /// How many games a block of it has; none if it could not be played.
    #[must_use]
    pub fn games_in_block(&self) -> u64 {
        let seatings = self.experiment.seatings().map_or(0, |seatings| seatings.len() as u64);
        seatings * self.experiment.variants.len() as u64
    }

    /// How many games it has, as far as that can be counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.len().saturating_mul(self.games_in_block())
    }

    fn validate(&self) -> Result<(), ExperimentError> {
        let Range { start, end } = self.blocks;
        if start > end || end > self.experiment.blocks {
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
            RunError::Sink(error) => write!(f, "cannot write {error}"),
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
    play::<R>(&Stage::whole(experiment), None, threads, sink, watch).map(|played| played.outcome(experiment))
}

/// Plays all games of a stage, except for its first blocks if `before` counts them already. What comes of it does not
/// depend on the number of threads, and stages merge into what would have come of all their blocks together. The index of a
/// game is that among the games of all blocks of the experiment.
///
/// # Errors
/// If the experiment is not valid or has not these blocks, an agent fails and stops the run, or the sink fails.
pub fn play<R: Recorder + Send>(
    stage: &Stage,
    before: Option<Tally>,
    threads: NonZeroUsize,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
) -> Result<Played, RunError> {
    play_with::<R, _>(stage, before, threads, sink, watch, Registered)
}

/// The same, but the first game of the stage has this index: what is kept of several stages can be told apart by it.
///
/// # Errors
/// As [`play`].
pub fn play_from<R: Recorder + Send>(
    first_game: u64,
    stage: &Stage,
    before: Option<Tally>,
    threads: NonZeroUsize,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
) -> Result<Played, RunError> {
    stage.validate()?;
    let numbering = Numbering { block: stage.blocks.start, game: first_game };
    let recorder = PhantomData::<R>;
    Run { stage, numbering, before, threads, sink, watch, cast: Registered, recorder }.play()
}

/// The same as [`play`] among players of another cast.
///
/// # Errors
/// As [`play`].
pub fn play_with<R: Recorder + Send, C: Cast>(
    stage: &Stage,
    before: Option<Tally>,
    threads: NonZeroUsize,
    sink: &mut dyn Sink,
    watch: &dyn Watch,
    cast: C,
) -> Result<Played, RunError> {
    stage.validate()?;
    let numbering = Numbering { block: 0, game: 0 };
    Run { stage, numbering, before, threads, sink, watch, cast, recorder: PhantomData::<R> }.play()
}

struct Run<'r, R, C> {
    stage: &'r Stage,
    numbering: Numbering,
    before: Option<Tally>,
    threads: NonZeroUsize,
    sink: &'r mut dyn Sink,
    watch: &'r dyn Watch,
    cast: C,
    recorder: PhantomData<R>,
}

impl<R: Recorder + Send, C: Cast> Run<'_, R, C> {
    fn play(self) -> Result<Played, RunError> {
        let game = &self.stage.experiment.game;
        with_game(game, self).unwrap_or_else(|| Err(ExperimentError::new(format!("no game `{game}`")).into()))
    }
}

impl<R: Recorder + Send, C: Cast> GameVisitor for Run<'_, R, C> {
    type Output = Result<Played, RunError>;

    fn visit<G: SearchGame>(self) -> Self::Output {
        let Run { stage, numbering, before, threads, sink, watch, cast, .. } = self;
        let experiment = &stage.experiment;
        let (games, plan) = games_and_plan::<G>(experiment)?;
        let streams = Streams::new(experiment.seed);
        let before = before.unwrap_or_else(|| Tally::new(&plan, games.len()));
        let floor = Floor::new(stage, &plan, before.blocks);
        // More threads than blocks would only wait.
        let threads = threads.get().min(usize::try_from(floor.left()).unwrap_or(usize::MAX));
        let inbox = Inbox::new(stage, &plan, before, threads, sink, watch);
        let work = || {
            let _warning = Warning(&inbox);
            let worker = Worker::<G, R>::new(experiment, &plan, &games, &streams, numbering, &cast);
            work_at(worker, &floor, &inbox);
        };
        thread::scope(|scope| {
            for _ in 1..threads {
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, work) {
                    inbox.fail(RunError::Threads(error.to_string()));
                }
            }
            work();
        });
        let tally = inbox.close()?;
        let complete = tally.blocks == stage.len();
        Ok(Played { plan, tally, complete })
    }
}

/// What is counted in the blocks of an experiment.
///
/// # Errors
/// If the game is unknown, or rules or the seating design are refused.
pub fn plan(experiment: &Experiment) -> Result<Plan, ExperimentError> {
    struct Planning<'e>(&'e Experiment);
    impl GameVisitor for Planning<'_> {
        type Output = Result<Plan, ExperimentError>;
        fn visit<G: SearchGame>(self) -> Self::Output {
            games_and_plan::<G>(self.0).map(|(_, plan)| plan)
        }
    }
    let game = &experiment.game;
    let plan = with_game(game, Planning(experiment));
    plan.unwrap_or_else(|| Err(ExperimentError::new(format!("no game `{game}`"))))
}

/// The games of an experiment's variants, and what is counted of them.
fn games_and_plan<G: SearchGame>(experiment: &Experiment) -> Result<(Vec<G>, Plan), ExperimentError> {
    let games: Vec<G> = experiment.variants.iter().map(compile).collect::<Result<_, _>>()?;
    let plan = if experiment.compares_rules() {
        let events: Vec<_> = G::EVENTS.iter().map(|event| event.name).collect();
        let pack: CardSet = games.iter().flat_map(Game::pack).copied().collect();
        Plan::new(experiment, G::LOWEST_WINS, &events, &pack.into_iter().collect::<Vec<_>>())?
    } else {
        Plan::new(experiment, G::LOWEST_WINS, &[], &[])?
    };
    Ok((games, plan))
}

/// Plays what is on the floor until nothing is left, or nothing more is wanted.
fn work_at<G: SearchGame, R: Recorder>(mut worker: Worker<'_, G, R>, floor: &Floor, inbox: &Inbox<'_>) {
    let mut size = 1;
    while let Some(blocks) = floor.take(&mut size) {
        let stopwatch = Stopwatch::start();
        let start = blocks.start;
        let Some(played) = worker.play(blocks, &|| inbox.wants_no_more()).transpose() else {
            return inbox.end();
        };
        if !inbox.deliver(start, played) {
            return;
        }
        size = match stopwatch.elapsed() {
            elapsed if elapsed < SHORT => size * 2,
            elapsed if elapsed > 4 * SHORT => size / 2,
            _ => size,
        };
    }
}

/// Plays all games of an experiment and keeps none of them.
///
/// # Errors
/// As [`run`].
pub fn run_quietly(experiment: &Experiment, threads: NonZeroUsize) -> Result<Outcome, RunError> {
    run::<NoRecorder>(experiment, threads, &mut crate::watch::NoSink, &crate::watch::NoWatch)
}
