//! Every figure of a run of 18 games, found by another program that takes the games one by one and computes each
//! figure by its definition: `tests/library/tiny/games.json` holds the games, the CSV files beside it the figures.
//!
//! Three seats, one agent in two of them, three line-ups, two variants, three blocks. The lowest total wins.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use dealt::results::Folder;
use dealt::results::timings::Timings;
use dealt::run::Outcome;
use dealt::study::Study;
use dealt::study::compare::Compare;
use dealt::table::Course;
use dealt::tally::plan::Plan;
use dealt::tally::summarise::Summariser;
use dealt::tally::{Counter, Tally};
use dealt::{Experiment, OnFault, Outputs, Seating, Variant};
use dealt_agents::AgentSpec;
use dealt_engine::{CancellationHearts, Game, PerSeat};
use serde_json::{Map, Value};

const BLOCKS: u64 = 3;

fn experiment() -> Experiment {
    let variant = |name: &str| Variant { name: name.to_owned(), rules: Map::new() };
    let agent = |name| AgentSpec::parse(name, CancellationHearts::NAME).unwrap();
    Experiment {
        name: "tiny".to_owned(),
        question: Some("what is what?".to_owned()),
        game: CancellationHearts::NAME.to_owned(),
        variants: vec![variant("base"), variant("soft")],
        line_ups: vec![vec![agent("greedy"), agent("random"), agent("random")]],
        seating: Seating::Rotate,
        seed: 1,
        blocks: BLOCKS,
        confidence: 0.95,
        on_fault: OnFault::Stop,
        outputs: Outputs::default(),
    }
}

fn plan() -> Plan {
    Plan::new(&experiment(), true, &["voids", "shots"], &[]).unwrap()
}

fn numbers<T: TryFrom<i64>>(value: &Value) -> Vec<T> {
    let number = |value: &Value| T::try_from(value.as_i64().unwrap()).ok().unwrap();
    value.as_array().unwrap().iter().map(number).collect()
}

fn per_seat<T: TryFrom<i64> + Copy + Default>(value: &Value) -> PerSeat<T> {
    let mut seats = PerSeat::default();
    seats[..3].copy_from_slice(&numbers(value));
    seats
}

/// A game of the file: block, variant, line-up and course.
fn games() -> Vec<(u64, usize, Vec<u8>, Course)> {
    let text = include_str!("tiny/games.json");
    let Value::Array(games) = serde_json::from_str(text).unwrap() else { panic!("no list") };
    let game = |game: &Value| {
        let deals: Vec<PerSeat<i32>> = game["deals"].as_array().unwrap().iter().map(per_seat).collect();
        let mut course = Course {
            first_to_act: game["first_to_act"].as_u64().unwrap() as usize,
            totals: std::array::from_fn(|seat| deals.iter().map(|deal| deal[seat]).sum()),
            deals,
            capped: game["capped"].as_bool().unwrap(),
            decisions: per_seat(&game["decisions"]),
            forced: per_seat(&game["forced"]),
            branches: game["branches"].as_u64().unwrap(),
            turns: game["turns"].as_u64().unwrap(),
            ..Course::default()
        };
        for (sums, event) in course.events.iter_mut().zip(game["events"].as_array().unwrap()) {
            let [sum, times] = numbers::<i64>(event)[..] else { panic!("{event}") };
            *sums = (sum, times as u32);
        }
        let number = |key: &str| game[key].as_u64().unwrap();
        (number("block"), number("variant") as usize, numbers(&game["line_up"]), course)
    };
    games.iter().map(game).collect()
}

/// Which of a block's games is played in this order.
fn place(plan: &Plan, order: &[u8]) -> usize {
    plan.seatings.iter().position(|seated| seated.order == order).unwrap()
}

/// The tally of some blocks.
fn tally(plan: &Plan, blocks: std::ops::Range<u64>) -> Tally {
    let mut counter = Counter::new(plan, 2);
    for block in blocks {
        for (_, variant, line_up, course) in games().iter().filter(|(of, ..)| *of == block) {
            counter.add_game(*variant, place(plan, line_up), course);
        }
        counter.finish_block().unwrap();
    }
    counter.take()
}

#[test]
fn every_figure_of_every_table_is_the_one_found_from_the_games_by_definition() {
    let (experiment, plan) = (experiment(), plan());
    let summary = Summariser::new(&experiment, &plan, &tally(&plan, 0..BLOCKS)).summary();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tiny-run");
    let outcome = Outcome { blocks: BLOCKS, games: 18, deals: 49, decisions: 3590, summary };
    let timings = Timings { elapsed: Duration::from_secs(2), threads: Some(NonZeroUsize::MIN) };
    let results = Folder::create(&folder, &Compare::new(experiment.clone()), true).unwrap();
    let study = Compare::played(experiment, outcome);
    results.finish(&study, &study.findings(), &timings).unwrap();
    for name in ["agents.csv", "seats.csv", "pairs.csv", "scores.csv", "metrics.csv"] {
        let known = fs::read_to_string(Path::new("tests/library/tiny").join(name)).unwrap();
        let written = fs::read_to_string(folder.join(name)).unwrap();
        for (written, known) in written.lines().zip(known.lines()) {
            assert_eq!(written, known, "{name}");
        }
        assert_eq!(written.lines().count(), known.lines().count(), "{name}");
    }
    let timings = fs::read_to_string(folder.join("timings.csv")).unwrap();
    assert_eq!(
        timings,
        "measure,value\nthreads,1\nseconds,2\ngames_per_second,9\ndeals_per_second,24.5\ndecisions_per_second,1795\n"
    );
    let manifest: Value = serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["experiment"]["question"], "what is what?");
    assert_eq!(manifest["experiment"]["kind"], "match");
    assert_eq!(manifest["experiment"]["games_in_block"], 6);
    assert_eq!(manifest["played"]["complete"], true);
}

#[test]
fn parts_of_a_run_merge_into_the_tally_of_the_whole_in_any_order() {
    let plan = plan();
    let whole = tally(&plan, 0..BLOCKS);
    assert_eq!(whole.decisions_and_deals(&plan), [3590, 49]);
    for parts in [[0..1, 1..3], [1..3, 0..1], [0..2, 2..3], [0..0, 0..3]] {
        let mut merged = Tally::new(&plan, 2);
        parts.into_iter().for_each(|part| merged.merge(&tally(&plan, part)));
        assert!(merged == whole);
    }
}

#[test]
fn one_block_alone_gives_values_without_intervals_and_says_why() {
    let (experiment, plan) = (experiment(), plan());
    let summary = Summariser::new(&experiment, &plan, &tally(&plan, 0..1)).summary();
    assert!(summary.agents.iter().all(|row| row.score.value.is_some()));
    assert!(summary.agents.iter().all(|row| row.score.method() == "too_few_blocks"));
    assert!(summary.pairs.iter().all(|row| row.verdict == "no_interval"));
    let nothing = Summariser::new(&experiment, &plan, &tally(&plan, 0..0)).summary();
    assert!(nothing.agents.is_empty() && nothing.metrics.is_empty());
}

#[test]
fn the_running_contrasts_are_those_of_the_tables_with_a_confidence_sequence() {
    let (experiment, plan) = (experiment(), plan());
    let tally = tally(&plan, 0..BLOCKS);
    let summariser = Summariser::new(&experiment, &plan, &tally);
    let (running, summary) = (summariser.running(), summariser.summary());
    assert_eq!(running.len(), 2);
    assert_eq!((running[0].of.as_str(), running[0].less.as_str()), ("soft", "base"));
    let score = |name: &str| summary.metrics.iter().find(|row| row.variant == "soft" && row.metric == name);
    assert_eq!(running[0].estimate.value, score("score_mean_game").unwrap().contrast.unwrap().value);
    assert_eq!(running[1].estimate.value, summary.pairs[0].contrast.value);
    assert!(running.iter().all(|row| row.estimate.method() == "confidence_sequence"));
    // To be surer than three blocks allow, the sequence reaches as far as a difference of shares can, and no further.
    let sure = Experiment { confidence: 1.0 - 1e-12, ..experiment };
    let share = Summariser::new(&sure, &plan, &tally).running()[1].estimate.interval.unwrap();
    assert_eq!((share.low, share.high), (-1.0, 1.0));
}

#[test]
fn scores_too_large_to_be_summed_exactly_are_refused() {
    let plan = plan();
    let mut counter = Counter::new(&plan, 2);
    let (_, _, line_up, mut course) = games().swap_remove(0);
    course.totals = [i32::MAX; 11];
    for _ in 0..3 {
        counter.add_game(0, place(&plan, &line_up), &course);
    }
    assert!(counter.finish_block().is_err());
}
