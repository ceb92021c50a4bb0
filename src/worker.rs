//! One thread's part of a run: it plays blocks, each under every variant by every line-up, and counts them.

use std::ops::Range;
use std::sync::Arc;

use dealt_agents::{AgentSpec, Player, SearchGame};
use dealt_engine::{MAX_PLAYERS, PerSeat, Seat};

use crate::Experiment;
use crate::cast::Cast;
use crate::experiment::Seated;
use crate::forfeit::OnFault;
use crate::forfeits_csv;
use crate::games_csv::GamesCsv;
use crate::record::Scribe;
use crate::recorder::{GameHead, NoRecorder, Recorder};
use crate::remembered;
use crate::run::RunError;
use crate::streams::Streams;
use crate::table::{Fixture, Table};
use crate::tally::plan::Plan;
use crate::tally::{Counter, Tally};
use crate::thinking::Thinking;

/// Some blocks, played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Chunk {
    pub(crate) tally: Tally,
    pub(crate) games_csv: Vec<u8>,
    pub(crate) records: Vec<u8>,
    pub(crate) forfeits: Vec<u8>,
    /// The records of the games that were forfeited.
    pub(crate) faults: Vec<u8>,
    /// For each agent.
    pub(crate) thinking: Vec<Thinking>,
}

/// How games are numbered: this block begins with the game of this index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbering {
    pub(crate) block: u64,
    pub(crate) game: u64,
}

/// Plays blocks.
pub(crate) struct Worker<'r, G: SearchGame, R> {
    experiment: &'r Experiment,
    plan: &'r Plan,
    streams: &'r Streams,
    numbering: Numbering,
    /// One for each variant.
    tables: Vec<Table<G>>,
    /// One for each label.
    agents: Vec<Player<G>>,
    labels: Vec<&'r str>,
    counter: Counter<'r>,
    recorder: R,
    games_csv: GamesCsv,
    records: Vec<u8>,
    forfeits: Vec<u8>,
    faults: Vec<u8>,
}

impl<'r, G: SearchGame, R: Recorder> Worker<'r, G, R> {
    pub(crate) fn new(
        experiment: &'r Experiment,
        plan: &'r Plan,
        games: &[G],
        streams: &'r Streams,
        numbering: Numbering,
        cast: &impl Cast,
    ) -> Worker<'r, G, R> {
        let labels = experiment.labels();
        let spec = |label: &&str| experiment.agents().find(|spec| spec.label() == *label).cloned();
        let specs: Arc<[AgentSpec]> = labels.iter().filter_map(spec).collect();
        let on_fault = experiment.on_fault;
        let table = |game: &G| {
            let table = Table::new(game.clone(), streams.clone(), !plan.events.is_empty());
            let (cast, specs) = (cast.clone(), Arc::clone(&specs));
            match on_fault {
                OnFault::Stop => table,
                OnFault::Forfeit => table.forfeiting(move |agent| cast.player(&specs[agent], on_fault)),
            }
        };
        Worker {
            experiment,
            plan,
            streams,
            numbering,
            tables: games.iter().map(table).collect(),
            agents: specs.iter().map(|spec| cast.player(spec, on_fault)).collect(),
            counter: Counter::new(plan, games.len()),
            recorder: R::new(experiment),
            games_csv: GamesCsv::new(experiment),
            records: Vec::new(),
            forfeits: Vec::new(),
            faults: Vec::new(),
            labels,
        }
    }

    /// Plays some blocks, unless that turns out to be in vain: that is asked before each game, and then nothing is left.
    pub(crate) fn play(
        &mut self,
        blocks: Range<u64>,
        is_in_vain: &dyn Fn() -> bool,
    ) -> Result<Option<Chunk>, RunError> {
        for block in blocks {
            let mut keys = PerSeat::default();
            let seats = keys.iter_mut().take(self.plan.players).enumerate();
            seats.for_each(|(seat, key)| *key = self.streams.seat_key(block, seat));
            for variant in 0..self.tables.len() {
                if !self.play_variant(block, variant, &keys, is_in_vain)? {
                    return Ok(None);
                }
            }
            self.counter.finish_block().map_err(|_| RunError::TooLarge)?;
        }
        let mut thinking = vec![Thinking::default(); self.labels.len()];
        for table in &mut self.tables {
            thinking.iter_mut().zip(table.take_thinking()).for_each(|(sum, more)| sum.merge(&more));
        }
        Ok(Some(Chunk {
            thinking,
            tally: self.counter.take(),
            games_csv: self.games_csv.take(),
            records: std::mem::take(&mut self.records),
            forfeits: std::mem::take(&mut self.forfeits),
            faults: std::mem::take(&mut self.faults),
        }))
    }

    /// Plays the games of a block under one variant. False if it turned out to be in vain.
    fn play_variant(
        &mut self,
        block: u64,
        variant: usize,
        keys: &PerSeat<u64>,
        is_in_vain: &dyn Fn() -> bool,
    ) -> Result<bool, RunError> {
        let Worker { experiment, plan, streams, numbering, .. } = *self;
        let table = &mut self.tables[variant];
        let drawn = || streams.first_dealer(block, plan.players);
        let first_dealer: Seat = table.game().first_dealer().unwrap_or_else(drawn);
        let variants = experiment.variants.len() as u64;
        let first = (block * variants + variant as u64) * plan.games();
        let behind = ((block - numbering.block) * variants + variant as u64) * plan.games();
        let first_index = numbering.game.saturating_add(behind);
        for (game, Seated { order, .. }) in plan.seatings.iter().enumerate() {
            if is_in_vain() {
                return Ok(false);
            }
            let index = first_index.saturating_add(game as u64);
            let is_recorded = R::RECORDS && experiment.outputs.records.has(first + game as u64);
            let mut agents = [""; MAX_PLAYERS];
            agents.iter_mut().zip(order).for_each(|(label, &agent)| *label = self.labels[usize::from(agent)]);
            let head = GameHead { index, block, variant, agents: &agents[..plan.players], first_dealer };
            let fixture = Fixture { head, order, keys };
            let course = if is_recorded {
                let course = table.play(&fixture, &mut self.agents, &mut self.recorder);
                self.recorder.write_to(&mut self.records);
                course
            } else {
                table.play(&fixture, &mut self.agents, &mut NoRecorder)
            };
            let scribe = || Scribe::with_legal(experiment.seed, experiment.outputs.legal);
            if let Err(foul) = course {
                let record = remembered::record(table, &fixture, &self.agents, Some(&foul), scribe());
                return Err(RunError::Foul(foul, Box::new(record)));
            }
            let course = table.course();
            if !course.forfeits.is_empty() {
                let record = remembered::record(table, &fixture, &self.agents, None, scribe());
                self.faults.extend_from_slice(record.to_line().as_bytes());
                self.faults.push(b'\n');
            }
            let standings = self.counter.add_game(variant, game, course);
            if experiment.outputs.games_csv {
                self.games_csv.add_game(&head, course, &standings);
            }
            forfeits_csv::add_game(&mut self.forfeits, experiment, &head, &course.forfeits);
        }
        Ok(true)
    }
}
