//! The kinds of experiment, from outside: what each plays, writes and says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::outside::{Done, dealt, folder, write};
use dealt::statistics::pentanomial;
use dealt::statistics::sprt::effect_of_elo;
use serde_json::Value;

/// A table of a results folder: a map from columns to cells for each row. No cell of it has a comma inside.
fn rows(folder: &Path, name: &str) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(folder.join(name)).unwrap();
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |line: &str| {
        let cells = line.split(',').map(str::to_owned);
        columns.iter().map(|column| (*column).to_owned()).zip(cells).collect()
    };
    lines.map(row).collect()
}

/// Runs an experiment.
fn run(folder: &Path, name: &str, text: &str, more: &[&str]) -> Done {
    let file = write(folder, &format!("{name}.toml"), text);
    let out = folder.join(name);
    dealt(&[&["run", &file, "--out", out.to_str().unwrap(), "--force"], more].concat())
}

fn line_ups(folder: &Path) -> Vec<Vec<String>> {
    let manifest: Value = serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    let line_ups = manifest["experiment"]["line_ups"].as_array().unwrap().clone();
    let labels = |line_up: &Value| {
        let agents = line_up.as_array().unwrap().iter();
        agents.map(|agent| agent["agent"].as_str().unwrap().to_owned()).collect()
    };
    line_ups.iter().map(labels).collect()
}

const SPRT: &str = "kind = \"sprt\"\ngame = \"two-ten-jack\"\nagents = [\"greedy\", \"random\"]\nseed = 1\nblocks = 200\n\
                    sprt = { elo = [0, 100], batch = 10 }\n";

#[test]
fn a_sequential_test_stops_at_the_first_batch_that_makes_it_clear() {
    let folder = folder("kinds-sprt");
    let said = run(&folder, "test", SPRT, &[]).fine();
    for word in [
        "a sequential test of at most 200 blocks",
        "\nVerdict: H1 is accepted: greedy is ahead of random by 100 normalized Elo rather than by 0;",
        "seen from greedy",
        "pentanomial",
        "alpha 0.05, beta 0.05; LLR ",
        "bounds -2.94 and 2.94",
        "biased",
    ] {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
    let looks = rows(&folder.join("test"), "sprt.csv");
    let (last, before) = looks.split_last().unwrap();
    assert_eq!(last["decision"], "h1");
    assert!(before.iter().all(|look| look["decision"] == "open"));
    for (number, look) in looks.iter().enumerate() {
        let blocks = 10 * (number as u64 + 1);
        assert_eq!(look["blocks"], blocks.to_string());
        let counts = ["ll", "ld", "dd_wl", "wd", "ww"].map(|score| look[score].parse::<u64>().unwrap());
        assert_eq!(counts.iter().sum::<u64>(), blocks);
        let llr = pentanomial::llr(&counts, effect_of_elo(0.0), effect_of_elo(100.0));
        assert!((look["llr"].parse::<f64>().unwrap() - llr).abs() < 1e-6);
        // A pair of games adds twice the score less one to the contrast.
        let sum: f64 = counts.iter().zip(-2..=2).map(|(&count, score)| count as f64 * f64::from(score)).sum();
        assert!((look["a_less_b"].parse::<f64>().unwrap() - sum / blocks as f64 / 2.0).abs() < 1e-6);
    }
}

#[test]
fn the_tables_of_a_sequential_test_are_those_of_a_match_of_as_many_blocks() {
    let folder = folder("kinds-sprt-tables");
    run(&folder, "test", SPRT, &["--games-csv", "--threads", "1"]).fine();
    let blocks = rows(&folder.join("test"), "sprt.csv").last().unwrap()["blocks"].clone();
    let text =
        format!("game = \"two-ten-jack\"\nagents = [\"greedy\", \"random\"]\nseed = 1\nblocks = {blocks}\n");
    run(&folder, "match", &text, &["--games-csv"]).fine();
    run(&folder, "again", SPRT, &["--games-csv", "--threads", "3"]).fine();
    let read = |run: &str, name: &str| fs::read(folder.join(run).join(name)).unwrap();
    for name in ["agents.csv", "seats.csv", "pairs.csv", "scores.csv", "metrics.csv", "games.csv"] {
        assert!(read("test", name) == read("match", name), "{name}");
    }
    for name in ["games.csv", "sprt.csv"] {
        assert!(read("test", name) == read("again", name), "{name}");
    }
}

#[test]
fn a_test_whose_blocks_run_out_has_no_verdict_and_says_so() {
    let folder = folder("kinds-sprt-cap");
    let same =
        SPRT.replace("\"random\"", "\"greedy:trump=1.5\"").replace("[0, 100]", "[0, 1]").replace("200", "25");
    let said = run(&folder, "test", &same, &[]).fine();
    assert!(said.contains("\nNo verdict; 25 blocks of at most 25 played.\n"), "{said}");
    let looks = rows(&folder.join("test"), "sprt.csv");
    assert_eq!(looks.iter().map(|look| look["blocks"].as_str()).collect::<Vec<_>>(), ["10", "20", "25"]);
    let manifest = fs::read_to_string(folder.join("test/manifest.json")).unwrap();
    assert!(manifest.contains("\"complete\": true") && manifest.contains("\"kind\": \"sprt\""), "{manifest}");
    assert!(manifest.contains("\"model\": \"pentanomial\""), "{manifest}");
}

#[test]
fn a_test_at_a_larger_table_or_on_points_takes_blocks_and_knows_which_side_is_better() {
    let folder = folder("kinds-sprt-blocks");
    let hearts = "kind = \"sprt\"\ngame = \"hearts\"\nrules = { deals = 1 }\nseed = 1\nblocks = 400\n";
    for (name, agents, terms, decision) in [
        ("score", "[\"greedy\", \"random\"]", "measure = \"score\", effect = [0, 0.3]", "h1"),
        ("worse", "[\"random\", \"greedy\"]", "measure = \"score\", effect = [0, 0.3]", "h0"),
        ("place", "[\"greedy\", \"random\"]", "measure = \"place\", effect = [0, 0.3]", "h1"),
        ("wins", "[\"greedy\", \"random\"]", "effect = [0, 0.3]", "h1"),
    ] {
        let text = format!("{hearts}agents = {agents}\nsprt = {{ {terms}, batch = 20 }}\n");
        let said = run(&folder, name, &text, &[]).fine();
        assert!(said.contains("standard deviations of a block") && said.contains("normal"), "{said}");
        let looks = rows(&folder.join(name), "sprt.csv");
        let last = looks.last().unwrap();
        assert_eq!((last["decision"].as_str(), last["ww"].as_str()), (decision, ""), "{name}");
    }
    // Points of two players, the more the better.
    let points = SPRT.replace("elo = [0, 100]", "measure = \"score\", effect = [0, 0.3]");
    run(&folder, "points", &points, &[]).fine();
    assert_eq!(rows(&folder.join("points"), "sprt.csv").last().unwrap()["decision"], "h1");
}

#[test]
fn every_pair_of_a_tournament_meets_and_every_line_up_plays_equally_often() {
    let folder = folder("kinds-tournament");
    let text = "kind = \"tournament\"\ngame = \"hearts\"\nrules = { deals = 1 }\nseed = 1\nblocks = 3\n\
                agents = [\"random\", \"greedy\", \"greedy:high=0\"]\n";
    run(&folder, "four", text, &["--games-csv"]).fine();
    let four = line_ups(&folder.join("four"));
    let mut meetings = BTreeMap::new();
    for line_up in &four {
        let agents: BTreeSet<&String> = line_up.iter().collect();
        let first = line_up.iter().filter(|agent| *agent == agents.first().copied().unwrap()).count();
        meetings.entry(agents.into_iter().collect::<Vec<_>>()).or_insert_with(BTreeSet::new).insert(first);
    }
    assert_eq!(meetings.len(), 3);
    assert!(meetings.iter().all(|(agents, counts)| agents.len() == 2 && counts.len() == 3), "{meetings:?}");
    let games = rows(&folder.join("four"), "games.csv");
    let mut of_agents = BTreeMap::new();
    games.iter().for_each(|row| *of_agents.entry(row["agent"].clone()).or_insert(0) += 1);
    // Three blocks of nine line-ups in four rotations, each seat of which is one of three agents.
    assert_eq!(of_agents.values().copied().collect::<Vec<_>>(), [144, 144, 144]);
    assert!(rows(&folder.join("four"), "pairs.csv").iter().all(|row| row["met"] == "true"));

    run(&folder, "table", &format!("{text}lineup = \"table\"\n"), &[]).fine();
    let table = line_ups(&folder.join("table"));
    assert_eq!(table, [["random", "greedy", "greedy:high=0.0", "greedy:high=0.0"]]);
    run(&folder, "alone", &format!("{text}lineup = \"alone\"\n"), &[]).fine();
    assert_eq!(line_ups(&folder.join("alone")).len(), 3);
    let two = text.replace("hearts", "two-ten-jack").replace("high", "trump");
    run(&folder, "two", &two, &[]).fine();
    let two = line_ups(&folder.join("two"));
    assert_eq!(two, [["random", "greedy"], ["random", "greedy:trump=0.0"], ["greedy", "greedy:trump=0.0"]]);
}

#[test]
fn in_a_gauntlet_one_meets_each_and_on_a_ladder_its_budget_doubles() {
    let folder = folder("kinds-gauntlet");
    let common = "game = \"two-ten-jack\"\nrules = { deals = 1 }\nseed = 1\nblocks = 2\n";
    let gauntlet = "kind = \"gauntlet\"\nagent = \"greedy\"\nopponents = [\"random\", \"greedy:trump=0\"]\n";
    run(&folder, "gauntlet", &format!("{common}{gauntlet}"), &[]).fine();
    assert_eq!(line_ups(&folder.join("gauntlet")), [["greedy", "random"], ["greedy", "greedy:trump=0.0"]]);
    let ladder = "kind = \"ladder\"\nagent = \"flat-mc:rollout=random\"\nparameter = \"worlds\"\nfrom = 2\nto = 9\n\
                  opponent = { name = \"greedy\" }\n";
    run(&folder, "ladder", &format!("{common}{ladder}"), &[]).fine();
    let rungs: Vec<String> =
        line_ups(&folder.join("ladder")).iter().map(|line_up| line_up[0].clone()).collect();
    let expected = [2, 4, 8].map(|worlds| format!("flat-mc:worlds={worlds},rollout=random"));
    assert_eq!(rungs, expected);
}

#[track_caller]
fn refuse(text: &str, words: &[&str]) {
    let folder = folder("kinds-refused");
    let file = write(&folder, "a.toml", &format!("game = \"two-ten-jack\"\nseed = 1\nblocks = 2\n{text}\n"));
    dealt(&["run", &file, "--out", folder.join("out").to_str().unwrap()]).refused(words);
    assert!(!folder.join("out").exists());
}

#[test]
fn what_a_kind_does_not_take_is_refused_with_its_place() {
    refuse("kind = \"tournement\"", &["a.toml:4:8", "did you mean `tournament`?", "gauntlet, ladder, sprt"]);
    let two = "agents = [\"greedy\", \"random\"]";
    refuse("kind = \"tournament\"", &["`agents` is missing"]);
    refuse(
        "kind = \"tournament\"\nagents = [\"greedy\"]",
        &["a.toml:5:10", "`agents` has 1 agent; accepted: 2 or more"],
    );
    refuse(
        "kind = \"tournament\"\nagents = [\"greedy\", \"greedy\"]",
        &["a.toml:5:21", "greedy is in the list already"],
    );
    refuse(
        &format!("kind = \"tournament\"\n{two}\nlineup = \"tabel\""),
        &["a.toml:6:10", "did you mean `table`?"],
    );
    refuse(
        &format!("kind = \"tournament\"\n{two}\nopponent = 1"),
        &["a.toml:6:1", "kind `tournament` has no key"],
    );
    refuse(&format!("{two}\nlineup = \"table\""), &["a.toml:5:1", "no key `lineup`", "line_ups"]);
    refuse(&format!("{two}\ndetect = 0"), &["a.toml:5:10", "`detect` cannot be `0`", "at most 1"]);
    let gauntlet = "kind = \"gauntlet\"\nagent = \"greedy\"\n";
    refuse(gauntlet, &["`opponents` is missing"]);
    refuse(&format!("{gauntlet}opponents = [\"greedy\"]"), &["a.toml:6:13", "its own opponent"]);
    refuse(&format!("{gauntlet}opponents = [\"random\"]\nlineup = \"table\""), &["balanced, alone"]);
    let ladder = |change: &str| {
        let base = "kind = \"ladder\"\nagent = \"flat-mc\"\nparameter = \"worlds\"\nfrom = 2\nto = 8\nopponent = \"greedy\"";
        let (key, _) = change.split_once(' ').unwrap();
        let lines = base.lines().map(|line| if line.starts_with(&format!("{key} ")) { change } else { line });
        lines.collect::<Vec<_>>().join("\n")
    };
    refuse(&ladder("from = 0"), &["a.toml:7:8", "`from` cannot be `0`"]);
    refuse(&ladder("to = 1"), &["a.toml:8:6", "`to` cannot be `1`", "from 2 up"]);
    refuse(&ladder("parameter = \"wolds\""), &["a.toml:6:13", "did you mean `worlds`?"]);
    refuse(&ladder("parameter = \"rollout\""), &["a.toml:6:13", "`rollout`"]);
    refuse(&ladder("opponent = \"flat-mc:worlds=4\""), &["its own opponent"]);
    let sprt = |terms: &str| format!("kind = \"sprt\"\n{two}\nsprt = {{ {terms} }}");
    refuse(
        "kind = \"sprt\"\nagents = [\"greedy\", \"random\", \"greedy:trump=0\"]",
        &["a.toml:5:10", "two agents"],
    );
    refuse(&sprt("elos = [0, 5]"), &["a.toml:6:10", "did you mean `elo`?"]);
    refuse(&sprt("elo = [5, 0]"), &["a.toml:6:16", "`elo` cannot be `[5,0]`", "the greater one last"]);
    refuse(&sprt("elo = [0, 5], effect = [0, 0.1]"), &["both `elo` and `effect`"]);
    refuse(&sprt("elo = [0, 5], measure = \"score\""), &["`effect`, in standard deviations"]);
    refuse(&sprt("effect = [0, 9]"), &["-0.8 to 0.8"]);
    refuse(&sprt("alpha = 0.5"), &["`alpha` cannot be `0.5`", "below 0.5"]);
    refuse(&sprt("batch = 9"), &["`batch` cannot be `9`", "from 10 up"]);
    refuse(&sprt("measure = \"scores\""), &["did you mean `score`?"]);
    refuse("kind = \"sprt\"\nsprt = 3", &["`agents` is missing"]);
    refuse(
        &format!("kind = \"sprt\"\n{two}\nsprt = 3"),
        &["a.toml:6:8", "`sprt` cannot be `3`; accepted: a table"],
    );
}
