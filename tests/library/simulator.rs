//! Whole runs through the library: what they must not depend on, and what they must keep.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dealt::record::Scribe;
use dealt::results::timings::Timings;
use dealt::results::{Folder, FolderError};
use dealt::run::{Outcome, RunError, Stage, play, run, run_quietly};
use dealt::study::Study;
use dealt::study::compare::Compare;
use dealt::summary::PairRow;
use dealt::watch::{NoWatch, Progress, Sink, Watch};
use dealt::{Experiment, OnFault, Outputs, Records, Seating, Variant};
use dealt_agents::{AgentSpec, GameVisitor, SearchGame, with_game};
use dealt_engine::{GAMES, Rules};
use serde_json::{Map, Value, json};

/// Rules of a game with some options changed.
fn rules(game: &str, changes: Value) -> Map<String, Value> {
    struct Settle(Map<String, Value>);
    impl GameVisitor for Settle {
        type Output = Map<String, Value>;
        fn visit<G: SearchGame>(self) -> Self::Output {
            G::Rules::default().with(&self.0).unwrap().to_map()
        }
    }
    let Value::Object(changes) = changes else { panic!("not an object: {changes}") };
    with_game(game, Settle(changes)).unwrap()
}

fn line_up(game: &str, agents: &[&str]) -> Vec<AgentSpec> {
    agents.iter().map(|agent| AgentSpec::parse(agent, game).unwrap()).collect()
}

fn experiment(game: &str, agents: &[&str], blocks: u64) -> Experiment {
    let changes = if game == "two-ten-jack" { json!({}) } else { json!({ "players": agents.len() }) };
    Experiment {
        name: "test".to_owned(),
        question: None,
        game: game.to_owned(),
        variants: vec![Variant { name: Variant::BASE.to_owned(), rules: rules(game, changes) }],
        line_ups: vec![line_up(game, agents)],
        seating: Seating::Rotate,
        seed: 1,
        blocks,
        confidence: 0.95,
        on_fault: OnFault::Stop,
        outputs: Outputs::default(),
    }
}

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap()
}

/// A folder of its own for a test, empty.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_dir_all(&path).unwrap();
    }
    fs::create_dir_all(&path).unwrap();
    path
}

const TIMINGS: Timings = Timings { elapsed: Duration::from_secs(2), threads: Some(NonZeroUsize::MIN) };

fn study(experiment: &Experiment) -> Compare {
    Compare::new(experiment.clone())
}

/// Writes what a match found into its folder.
fn finish(folder: Folder, experiment: &Experiment, outcome: Outcome) -> Result<PathBuf, FolderError> {
    let study = Compare::played(experiment.clone(), outcome);
    folder.finish(&study, &study.findings(), &TIMINGS)
}

/// All files of a run, by name.
fn files(experiment: &Experiment, count: usize, folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut results = Folder::create(folder, &study(experiment), true).unwrap();
    let outcome = run::<Scribe>(experiment, threads(count), &mut results, &NoWatch).unwrap();
    finish(results, experiment, outcome).unwrap();
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn the_number_of_threads_leaves_no_trace_in_any_file() {
    let folder = scratch("threads").join("run");
    let mut two = experiment("two-ten-jack", &["random", "greedy"], 700);
    two.outputs = Outputs { games_csv: true, records: Records::First(50), legal: true, notes: true };
    let changes = [("base", json!({})), ("soft", json!({ "must_trump_when_void": false }))];
    two.variants = changes
        .into_iter()
        .map(|(name, changes)| Variant { name: name.to_owned(), rules: rules("two-ten-jack", changes) })
        .collect();
    let files = |experiment: &Experiment, count: usize| {
        let mut files = files(experiment, count, &folder);
        // How long the agents thought is in the last of them, and nowhere else.
        let (name, timings) = files.pop().unwrap();
        assert_eq!(name, "timings.csv");
        assert!(String::from_utf8(timings).unwrap().contains("\nmicroseconds_per_decision[greedy],"));
        files
    };
    let one_thread = files(&two, 1);
    let names: Vec<_> = one_thread.iter().map(|(name, _)| name.as_str()).collect();
    let expected = ["agents.csv", "games.csv", "manifest.json", "metrics.csv", "pairs.csv", "records.jsonl"];
    assert_eq!(names[..6], expected);
    assert_eq!(names[6..], ["scores.csv", "seats.csv"]);
    for count in [2, 7] {
        assert!(files(&two, count) == one_thread, "{count} threads");
    }
    two.seed = 2;
    assert!(files(&two, 2) != one_thread);
}

#[test]
fn a_run_of_fewer_blocks_is_the_start_of_a_longer_one() {
    let folder = scratch("shorter").join("run");
    let mut short = experiment("two-ten-jack", &["random", "greedy"], 20);
    short.outputs = Outputs { games_csv: true, records: Records::All, legal: false, notes: false };
    let mut long = short.clone();
    long.blocks = 50;
    let (short, long) = (files(&short, 2, &folder), files(&long, 2, &folder));
    for name in ["games.csv", "records.jsonl"] {
        let content =
            |files: &[(String, Vec<u8>)]| files.iter().find(|(file, _)| file == name).unwrap().1.clone();
        let (short, long) = (content(&short), content(&long));
        assert!(!short.is_empty() && long.starts_with(&short), "{name}");
    }
}

/// Keeps all that it is given.
#[derive(Default)]
struct Keeper(Vec<u8>);

impl Sink for Keeper {
    fn take(&mut self, games_csv: &[u8], records: &[u8]) -> std::io::Result<()> {
        self.0.extend([games_csv, records].concat());
        Ok(())
    }
}

#[test]
fn stages_merge_into_what_comes_of_all_their_blocks_together() {
    let mut whole = experiment("two-ten-jack", &["random", "greedy"], 50);
    whole.outputs.games_csv = true;
    let play = |blocks: std::ops::Range<u64>, count: usize| {
        let stage = Stage { blocks, ..Stage::whole(&whole) };
        let mut keeper = Keeper::default();
        (play::<Scribe>(&stage, None, threads(count), &mut keeper, &NoWatch).unwrap(), keeper.0)
    };
    let (all, games) = play(0..50, 1);
    assert!(all.complete && all.tally.blocks == 50);
    let parts = [play(0..1, 2), play(1..30, 3), play(30..50, 1)];
    let mut merged = parts[2].0.clone();
    merged.merge(&parts[0].0);
    merged.merge(&parts[1].0);
    assert!(merged == all);
    assert!(parts.map(|(_, games)| games).concat() == games);
    assert_eq!(all.outcome(&whole), run_quietly(&whole, threads(2)).unwrap());
}

#[test]
fn a_stage_of_blocks_that_an_experiment_has_not_is_refused() {
    let whole = experiment("two-ten-jack", &["random", "greedy"], 5);
    for blocks in [0..6, 6..6, 5..6] {
        let stage = Stage { blocks, ..Stage::whole(&whole) };
        let error =
            play::<Scribe>(&stage, None, threads(1), &mut dealt::watch::NoSink, &NoWatch).unwrap_err();
        assert!(error.to_string().contains(" of 5"), "{error}");
    }
}

#[test]
fn every_game_runs_for_every_number_of_players() {
    for game in GAMES {
        for players in game.players.0..=game.players.1 {
            let mut agents = vec!["random"; players];
            agents[0] = "greedy";
            let outcome = run_quietly(&experiment(game.name, &agents, 2), threads(1)).unwrap();
            assert_eq!((outcome.blocks, outcome.games), (2, 2 * players as u64), "{} {players}", game.name);
            let wins: f64 = outcome.summary.agents.iter().map(|row| row.wins).sum();
            assert!((wins - outcome.games as f64).abs() < 1e-9);
        }
    }
}

#[test]
fn the_order_in_which_agents_are_named_makes_no_difference() {
    for seating in [Seating::Rotate, Seating::All, Seating::Neighbours] {
        let mut given = experiment("two-ten-jack", &["greedy", "greedy:trump=6"], 40);
        given.seating = seating;
        let mut mirrored = given.clone();
        mirrored.line_ups[0].reverse();
        let [given, mirrored] = [given, mirrored].map(|run| run_quietly(&run, threads(2)).unwrap().summary);
        for (row, other) in given.metrics.iter().zip(&mirrored.metrics) {
            let (value, interval) = (row.value.value.unwrap(), row.value.interval);
            let is_close = |value: f64, other: f64| (value - other).abs() < 1e-12;
            if row.metric == "skill_gap" {
                // Of the first agent.
                assert!(is_close(value, -other.value.value.unwrap()), "{row:?} {other:?}");
            } else if row.metric.contains("share[") || row.metric == "luck_share" {
                // Sums over agents, in their order.
                let (interval, others) = (interval.unwrap(), other.value.interval.unwrap());
                assert!(is_close(value, other.value.value.unwrap()), "{row:?} {other:?}");
                assert!(is_close(interval.low, others.low) && is_close(interval.high, others.high));
            } else {
                assert_eq!(row, other);
            }
        }
        assert_eq!(given.agents[0], mirrored.agents[1]);
        for (row, other) in given.pairs.iter().zip(&mirrored.pairs) {
            let interval = row.contrast.interval.unwrap();
            let negated = other.contrast.interval.unwrap();
            assert_eq!((interval.low, interval.high), (-negated.high, -negated.low));
            assert_eq!(row.contrast.value, other.contrast.value.map(|value| -value));
        }
    }
}

#[test]
fn line_ups_that_share_a_run_come_out_as_in_runs_of_their_own() {
    let game = "cancellation-hearts";
    let tables = [
        ["greedy", "random", "random"],
        ["greedy", "greedy", "random"],
        ["greedy:high=0", "random", "random"],
    ];
    let mut together = experiment(game, &tables[0], 30);
    for variant in &mut together.variants {
        variant.rules.insert("deals".to_owned(), 1.into());
    }
    let alone = tables.map(|table| Experiment { line_ups: vec![line_up(game, &table)], ..together.clone() });
    together.line_ups = tables.map(|table| line_up(game, &table)).to_vec();
    let [first, second, third] = alone.map(|run| run_quietly(&run, threads(1)).unwrap().summary);
    let outcome = run_quietly(&together, threads(2)).unwrap();
    assert_eq!(outcome.games, 30 * 9);
    let [greedy, random, other] = &outcome.summary.agents[..] else { panic!("{:?}", outcome.summary.agents) };
    assert_eq!(*other, third.agents[0]);
    assert_eq!((greedy.games, greedy.seats, random.games), (180, 1.5, 270));
    assert_eq!(greedy.wins, first.agents[0].wins + second.agents[0].wins);

    let score = |pairs: &[PairRow], a: &str, b: &str| {
        let of = |row: &&PairRow| row.measure == "score" && row.agent_a == a && row.agent_b == b;
        pairs.iter().find(of).unwrap().clone()
    };
    let pairs = &outcome.summary.pairs;
    let label = other.agent.as_str();
    // Two that meet are compared by the games in which they do, whatever the seats they hold there.
    let value = |pairs: &[PairRow]| score(pairs, "greedy", "random").contrast.value.unwrap();
    assert!((value(pairs) - (value(&first.pairs) + value(&second.pairs)) / 2.0).abs() < 1e-9);
    assert_eq!(
        score(pairs, "random", label).contrast.value,
        third.pairs[1].contrast.value.map(|value| -value)
    );
    // Two that never meet are compared by what each did.
    let apart = score(pairs, "greedy", label);
    assert!(!apart.met && score(pairs, "greedy", "random").met);
    let means = greedy.score.value.unwrap() - other.score.value.unwrap();
    assert!((apart.contrast.value.unwrap() - means).abs() < 1e-9);
    assert!(apart.contrast.interval.unwrap().has(means));
}

#[test]
fn a_run_that_ends_where_another_was_put_meanwhile_is_kept_beside_it() {
    let root = scratch("taken");
    let (target, other) = (root.join("run"), root.join("other"));
    let mut small = experiment("two-ten-jack", &["random", "greedy"], 3);
    let mut folder = Folder::create(&target, &study(&small), false).unwrap();
    let outcome = run::<Scribe>(&small, threads(1), &mut folder, &NoWatch).unwrap();
    small.seed += 1;
    files(&small, 1, &other);
    fs::rename(&other, &target).unwrap();
    let there = fs::read(target.join("agents.csv")).unwrap();
    small.seed -= 1;
    let error = finish(folder, &small, outcome).unwrap_err();
    let FolderError::Taken { kept, .. } = &error else { panic!("{error}") };
    assert!(error.to_string().contains("run was filled by something else meanwhile"), "{error}");
    assert_eq!(fs::read(target.join("agents.csv")).unwrap(), there);
    assert_ne!(fs::read(kept.join("agents.csv")).unwrap(), there);
}

#[test]
fn a_line_up_given_twice_is_refused() {
    let mut twice = experiment("two-ten-jack", &["greedy", "random"], 2);
    twice.line_ups.push(line_up("two-ten-jack", &["random", "greedy"]));
    let error = run_quietly(&twice, threads(1)).unwrap_err().to_string();
    assert!(error.contains("line-up 2 is line-up 1 in another order"), "{error}");
}

#[test]
fn an_agent_against_itself_plays_each_block_once_and_wins_its_share() {
    let outcome = run_quietly(&experiment("two-ten-jack", &["random", "random"], 200), threads(2)).unwrap();
    assert_eq!((outcome.games, outcome.summary.pairs.len()), (200, 0));
    let share = outcome.summary.agents[0].win_share;
    assert_eq!((share.value, share.method()), (Some(0.5), "exact"));
    let in_seat = outcome.summary.seats[1].win_share;
    assert_eq!(in_seat.method(), "wilson");
    assert!(in_seat.interval.unwrap().has(0.5));
}

#[test]
fn an_existing_run_is_replaced_only_when_asked_and_nothing_else_ever_is() {
    let parent = scratch("existing");
    let folder = parent.join("deep/run");
    let small = experiment("two-ten-jack", &["random", "random"], 3);
    let first = files(&small, 1, &folder);
    let error = Folder::create(&folder, &study(&small), false).unwrap_err();
    assert!(matches!(error, FolderError::Exists(_)) && error.to_string().contains("--force"), "{error}");
    assert_eq!(files(&small, 1, &folder), first);
    // A folder that is no run.
    fs::write(parent.join("deep/notes.txt"), "mine").unwrap();
    let error = Folder::create(&parent.join("deep"), &study(&small), true).unwrap_err();
    assert!(matches!(error, FolderError::Foreign(_)), "{error}");
    let error = Folder::create(&parent.join("deep/notes.txt"), &study(&small), true).unwrap_err();
    assert!(matches!(error, FolderError::Foreign(_)), "{error}");
    // A place below a file, and one without a name.
    let error = Folder::create(&parent.join("deep/notes.txt/run"), &study(&small), true).unwrap_err();
    assert!(error.to_string().contains("notes.txt"), "{error}");
    assert!(matches!(Folder::create(Path::new("/"), &study(&small), true), Err(FolderError::Foreign(_))));
    assert!(matches!(Folder::create(Path::new(".."), &study(&small), false), Err(FolderError::Foreign(_))));
}

#[test]
fn a_run_that_is_given_up_leaves_nothing_behind() {
    let parent = scratch("given-up");
    let small = experiment("two-ten-jack", &["random", "random"], 3);
    drop(Folder::create(&parent.join("run"), &study(&small), false).unwrap());
    assert_eq!(fs::read_dir(&parent).unwrap().count(), 0);
}

/// Notes all that it is told, and stops after some blocks.
#[derive(Default)]
struct Nosy {
    seen: Mutex<Vec<u64>>,
    stop_at: u64,
}

impl Watch for Nosy {
    fn advanced(&self, progress: &Progress<'_>) {
        assert_eq!(progress.games, 2 * progress.blocks);
        let contrasts = progress.contrasts();
        assert_eq!(contrasts.len(), 1);
        assert_eq!((contrasts[0].of.as_str(), contrasts[0].less.as_str()), ("random", "greedy"));
        self.seen.lock().unwrap().push(progress.blocks);
    }

    fn wants_to_stop(&self) -> bool {
        self.seen.lock().unwrap().last().is_some_and(|&blocks| blocks >= self.stop_at)
    }
}

fn watched(threads: NonZeroUsize, stop_at: u64) -> (Outcome, Vec<u64>) {
    let nosy = Nosy { stop_at, ..Nosy::default() };
    let experiment = experiment("two-ten-jack", &["random", "greedy"], 5000);
    let outcome = run::<Scribe>(&experiment, threads, &mut dealt::watch::NoSink, &nosy).unwrap();
    (outcome, nosy.seen.into_inner().unwrap())
}

#[test]
fn a_watcher_sees_the_blocks_in_their_order_whatever_the_threads() {
    let (outcome, seen) = watched(threads(1), u64::MAX);
    assert_eq!((outcome.blocks, seen.last()), (5000, Some(&5000)));
    assert!(seen.len() > 200 && seen.windows(2).all(|pair| pair[0] < pair[1]));
    let (again, seen) = watched(threads(4), u64::MAX);
    assert!(again == outcome && seen.last() == Some(&5000));
    assert!(seen.len() > 200 && seen.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn a_watcher_that_stops_the_run_gets_the_blocks_until_then() {
    let (outcome, seen) = watched(threads(3), 1000);
    assert!((1000..1100).contains(&outcome.blocks), "{}", outcome.blocks);
    assert_eq!(seen.last(), Some(&outcome.blocks));
    let shorter = run_quietly(&experiment("two-ten-jack", &["random", "greedy"], outcome.blocks), threads(1));
    assert_eq!(shorter.unwrap(), outcome);
}

/// Wants to stop when it is asked for the eleventh time, and counts how often it is.
#[derive(Default)]
struct Hasty(AtomicU64);

impl Watch for Hasty {
    fn advanced(&self, _: &Progress<'_>) {}

    fn wants_to_stop(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) >= 10
    }
}

#[test]
fn a_run_that_is_to_stop_waits_for_the_games_that_are_played_and_not_for_their_blocks() {
    let mut long = experiment("two-ten-jack", &["random", "greedy"], 2);
    long.variants = (0..20)
        .map(|target| Variant {
            name: format!("to {target}"),
            rules: rules("two-ten-jack", json!({ "target": 11 + target })),
        })
        .collect();
    for count in [1, 2] {
        let hasty = Hasty::default();
        let stage = Stage::whole(&long);
        let played = play::<Scribe>(&stage, None, threads(count), &mut dealt::watch::NoSink, &hasty).unwrap();
        // Each block has 40 games, and before each it is asked.
        assert_eq!((played.tally.blocks, played.complete), (0, false));
        let asked = hasty.0.into_inner();
        assert!((11..=10 + 2 * count as u64).contains(&asked), "{asked}");
    }
}

/// Refuses what it is given.
struct Full;

impl Sink for Full {
    fn take(&mut self, _: &[u8], _: &[u8]) -> std::io::Result<()> {
        Err(std::io::Error::from(std::io::ErrorKind::StorageFull))
    }
}

#[test]
fn a_full_disk_ends_the_run_with_an_error() {
    let experiment = experiment("two-ten-jack", &["random", "greedy"], 5000);
    let error = run::<Scribe>(&experiment, threads(2), &mut Full, &NoWatch).unwrap_err();
    assert!(matches!(error, RunError::Sink(_)) && error.to_string().contains("cannot write"), "{error}");
}

#[test]
fn what_cannot_be_run_is_refused_before_a_game_is_played() {
    let refused = |change: &dyn Fn(&mut Experiment), part: &str| {
        let mut wrong = experiment("two-ten-jack", &["random", "greedy"], 5);
        change(&mut wrong);
        let error = run_quietly(&wrong, threads(1)).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    };
    refused(&|wrong| wrong.blocks = 0, "0 blocks");
    refused(&|wrong| wrong.line_ups[0].truncate(1), "1 agents for 2 players");
    refused(&|wrong| wrong.line_ups[0].clear(), "0 agents");
    refused(&|wrong| wrong.confidence = 1.0, "confidence 1");
    refused(&|wrong| wrong.confidence = f64::NAN, "confidence NaN");
    refused(&|wrong| wrong.variants.clear(), "no variant");
    refused(&|wrong| wrong.variants.push(wrong.variants[0].clone()), "two variants are called `base`");
    refused(&|wrong| wrong.game = "poker".to_owned(), "no game `poker`");
    refused(&|wrong| wrong.blocks = u64::MAX, "too many to count");
    refused(&|wrong| drop(wrong.variants[0].rules.insert("hand_size".to_owned(), json!(27))), "hand_size");
}
