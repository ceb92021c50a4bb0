//! An agent that panics, or makes a move that is not legal, costs its game and not the run, or ends the run; either way
//! there is a record of the game that shows how.

use std::io;
use std::num::NonZeroUsize;

use dealt::cast::{Cast, Registered};
use dealt::forfeit::Forfeit;
use dealt::record::{Entry, GameRecord, Scribe};
use dealt::recorder::{NoRecorder, Recorder};
use dealt::replay::verify;
use dealt::run::{Played, RunError, Stage, play_with};
use dealt::watch::{NoSink, NoWatch, Sink};
use dealt::{Experiment, OnFault, Outputs, Records, Seating, Variant};
use dealt_agents::{Agent, AgentSpec, Clairvoyant, Player, SearchGame, Turn};
use dealt_engine::{CancellationHeartsRules, Dice, Game, Move, Rules, ThreeThirteenRules};
use serde_json::{Map, Value, json};

use crate::outside::{self, dealt, folder};

/// How an agent fails.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    Panic,
    /// It panics, and what it keeps is broken for good.
    Break,
    Illegal,
    /// A clairvoyant panics.
    Sees,
}

/// Seats agents that fail where `greedy` is wanted: at one question in so many, and nowhere else.
#[derive(Clone, Copy, Debug)]
struct Failing(Fault, u32);

struct Fails {
    how: Failing,
    is_broken: bool,
}

impl Fails {
    fn decide<G: Game>(&mut self, turn: &Turn<'_, G>) -> Move {
        let legal = turn.legal_moves();
        if self.is_broken {
            return legal.into_iter().last().unwrap();
        }
        let Failing(fault, one_in) = self.how;
        if turn.dice().below(one_in) == 0 {
            self.is_broken = fault == Fault::Break;
            return match fault {
                Fault::Illegal => (!legal).lowest().unwrap(),
                _ => panic!("no idea\nwhat to play in seat {}", turn.seat()),
            };
        }
        legal.lowest().unwrap()
    }
}

impl<G: Game> Agent<G> for Fails {
    fn decide(&mut self, turn: &Turn<'_, G>) -> Move {
        self.decide(turn)
    }
}

impl<G: Game> Clairvoyant<G> for Fails {
    fn decide(&mut self, turn: &Turn<'_, G>, _: &G::State) -> Move {
        self.decide(turn)
    }
}

impl Cast for Failing {
    fn player<G: SearchGame>(&self, agent: &AgentSpec, on_fault: OnFault) -> Player<G> {
        let fails = Fails { how: *self, is_broken: false };
        match (agent.label(), self.0) {
            ("greedy", Fault::Sees) => Player::Clairvoyant(Box::new(fails)),
            ("greedy", _) => Player::Fair(Box::new(fails)),
            _ => Registered.player(agent, on_fault),
        }
    }
}

fn rules<R: Rules>(changes: Value) -> Map<String, Value> {
    R::default().with(changes.as_object().unwrap()).unwrap().to_map()
}

/// Short games, in which `greedy` holds two of the seats.
fn experiment(game: &str, on_fault: OnFault) -> Experiment {
    let (rules, agents) = if game == "three-thirteen" {
        let changes = json!({ "players": 3, "rounds": [3, 4] });
        (rules::<ThreeThirteenRules>(changes), vec!["greedy", "random", "greedy"])
    } else {
        let changes = json!({ "players": 4, "target": 60 });
        (rules::<CancellationHeartsRules>(changes), vec!["greedy", "random", "greedy", "random"])
    };
    Experiment {
        name: "faults".to_owned(),
        question: None,
        game: game.to_owned(),
        variants: vec![Variant { name: Variant::BASE.to_owned(), rules }],
        line_ups: vec![agents.iter().map(|agent| AgentSpec::parse(agent, game).unwrap()).collect()],
        seating: Seating::All,
        seed: 5,
        blocks: 20,
        confidence: 0.95,
        on_fault,
        outputs: Outputs { records: Records::All, legal: true, ..Outputs::default() },
    }
}

#[derive(Default, PartialEq, Debug)]
struct Kept {
    records: Vec<u8>,
    forfeits: Vec<u8>,
    faults: Vec<u8>,
}

impl Sink for Kept {
    fn take(&mut self, _: &[u8], records: &[u8]) -> io::Result<()> {
        self.records.extend_from_slice(records);
        Ok(())
    }

    fn forfeited(&mut self, rows: &[u8], games: &[u8]) -> io::Result<()> {
        self.forfeits.extend_from_slice(rows);
        self.faults.extend_from_slice(games);
        Ok(())
    }
}

fn play<R: Recorder + Send>(experiment: &Experiment, cast: Failing, threads: usize) -> (Played, Kept) {
    let mut kept = Kept::default();
    let threads = NonZeroUsize::new(threads).unwrap();
    let played =
        play_with::<R, _>(&Stage::whole(experiment), None, threads, &mut kept, &NoWatch, cast).unwrap();
    (played, kept)
}

fn broken_off(experiment: &Experiment, cast: Failing, threads: usize) -> (String, GameRecord) {
    let threads = NonZeroUsize::new(threads).unwrap();
    match play_with::<NoRecorder, _>(&Stage::whole(experiment), None, threads, &mut NoSink, &NoWatch, cast) {
        Err(RunError::Foul(foul, record)) => (foul.to_string(), *record),
        other => panic!("{other:?}"),
    }
}

fn lines(bytes: &[u8]) -> Vec<&str> {
    std::str::from_utf8(bytes).unwrap().lines().collect()
}

#[test]
fn whoever_fails_forfeits_its_game_and_the_run_goes_on_alike_on_any_number_of_threads() {
    for (game, fault) in [
        ("cancellation-hearts", Fault::Panic),
        ("cancellation-hearts", Fault::Illegal),
        ("three-thirteen", Fault::Sees),
        ("three-thirteen", Fault::Break),
    ] {
        let experiment = experiment(game, OnFault::Forfeit);
        let cast = Failing(fault, 300);
        let (played, kept) = play::<Scribe>(&experiment, cast, 1);
        assert!(played.complete);
        let forfeits = lines(&kept.forfeits);
        assert!(forfeits.len() > 10, "{game}: {} forfeits", forfeits.len());
        let said =
            if fault == Fault::Illegal { ",its move " } else { ",it panicked at tests/program/faults.rs:" };
        assert!(forfeits.iter().all(|row| row.contains(",greedy,") && row.contains(said)), "{forfeits:?}");
        // The games with faults are those of the records that have a forfeit, and the others go without.
        let records = lines(&kept.records);
        let faults: Vec<&str> =
            records.iter().copied().filter(|record| record.contains("\"forfeits\"")).collect();
        assert_eq!(lines(&kept.faults), faults);
        assert!(faults.len() < records.len() && faults.len() <= forfeits.len());
        for record in records {
            verify(&GameRecord::parse(record).unwrap()).unwrap();
        }
        for threads in [1, 3] {
            let (again, others) = play::<NoRecorder>(&experiment, cast, threads);
            assert_eq!(again.tally, played.tally);
            assert_eq!((others.forfeits, others.faults), (kept.forfeits.clone(), kept.faults.clone()));
        }
    }
}

#[test]
fn an_agent_whose_memory_breaks_plays_on_in_other_seats_and_games_as_if_nothing_had_happened() {
    for game in ["cancellation-hearts", "three-thirteen"] {
        let experiment = experiment(game, OnFault::Forfeit);
        let [whole, broken] =
            [Fault::Panic, Fault::Break].map(|fault| play::<NoRecorder>(&experiment, Failing(fault, 200), 2));
        assert_eq!(whole.0.tally, broken.0.tally);
        assert_eq!(lines(&whole.1.faults), lines(&broken.1.faults));
    }
}

#[test]
fn a_fault_that_stops_the_run_leaves_the_game_up_to_there() {
    for (game, fault) in [
        ("cancellation-hearts", Fault::Panic),
        ("three-thirteen", Fault::Illegal),
        ("three-thirteen", Fault::Sees),
    ] {
        let experiment = experiment(game, OnFault::Stop);
        let cast = Failing(fault, 2000);
        let (message, record) = broken_off(&experiment, cast, 1);
        let Some(Forfeit { seat, deal, number, fault: said }) = record.stopped.clone() else { panic!() };
        assert!(message.contains(&format!("game {}, deal {deal}, move {number}", record.index)), "{message}");
        assert!(message.contains(&format!("agent `greedy` in seat {seat}")), "{message}");
        assert!(said.contains(if fault == Fault::Illegal { "its move" } else { "no idea what to play" }));
        assert_eq!(broken_off(&experiment, cast, 3), (message, record.clone()));
        let tally = verify(&record).unwrap();
        assert_eq!((tally.games, tally.deals), (1, u64::from(deal)));
        assert_eq!(GameRecord::parse(&record.to_line()), Ok(record));
    }
}

#[test]
fn a_game_that_was_broken_off_is_shown_and_refereed_up_to_there_and_nothing_else_is_believed() {
    let (_, record) =
        broken_off(&experiment("three-thirteen", OnFault::Stop), Failing(Fault::Panic, 2000), 2);
    let Some(Forfeit { seat, deal, number, .. }) = record.stopped.clone() else { panic!() };
    let out = folder("broken-off");
    let file = outside::write(&out, "broken.jsonl", &(record.to_line() + "\n"));
    let how = format!(
        "broken off in deal {deal}, move {number}, where seat {seat} (greedy) failed: it panicked at"
    );
    let shown = dealt(&["records", "show", &file]).fine();
    assert!(shown.trim_end().lines().last().unwrap().starts_with(&format!("The game: {how}")), "{shown}");
    let verified = dealt(&["records", "verify", &file]).fine();
    assert!(verified.contains("games 1, ") && verified.contains(&format!("game {}: {how}", record.index)));

    let refused = |change: &dyn Fn(&mut GameRecord), word: &str| {
        let mut changed = record.clone();
        change(&mut changed);
        let fault = verify(&changed).unwrap_err().to_string();
        assert!(fault.contains(word), "{fault}");
    };
    let stopped =
        |record: &mut GameRecord, change: &dyn Fn(&mut Forfeit)| change(record.stopped.as_mut().unwrap());
    refused(&|record| record.stopped = None, "the moves end, but the deal is not over");
    refused(&|record| stopped(record, &|fault| fault.seat += 1), "after the last move");
    refused(&|record| stopped(record, &|fault| fault.deal += 1), "but there are");
    refused(&|record| stopped(record, &|fault| fault.number += 1), "is the one that is missing");
    refused(&|record| record.totals = vec![0; 3], "so it has no result");
    refused(&|record| record.winners = vec![0], "so it has no result");
    refused(&|record| record.deals.last_mut().unwrap().scores = vec![0; 3], "so it has no scores");
    refused(&|record| record.deals.clear(), "at least the deal in which it is");
    let cut = |record: &mut GameRecord| {
        let deal = record.deals.last_mut().unwrap();
        assert!(matches!(deal.moves.pop(), Some(Entry::Move(..))));
        deal.legal.as_mut().unwrap().pop();
    };
    refused(&cut, "stopped");
}

#[test]
fn an_agent_that_never_fails_is_never_played_again() {
    let experiment = experiment("cancellation-hearts", OnFault::Forfeit);
    let (_, kept) = play::<Scribe>(&experiment, Failing(Fault::Panic, u32::MAX), 2);
    assert!(kept.faults.is_empty() && kept.forfeits.is_empty() && !kept.records.is_empty());
}
