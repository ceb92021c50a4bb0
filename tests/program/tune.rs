//! Tuning, from outside: that it finds what is there to be found, says what it rests on, and refuses what it cannot do.

use std::fs;
use std::path::{Path, PathBuf};

use crate::outside::{Done, dealt, folder, write};

/// Two weights of which one is far off.
const SPOILED: &str = "kind = \"tune\"\ngame = \"three-thirteen\"\nrules = { rounds = [3, 5] }\n\
                       agent = \"greedy:pair=25,draw=1.9\"\nseed = 5\nblocks = 20\n[tune]\nmeasure = \"score\"\n\
                       iterations = 40\ntest_blocks = 200\nparameters.pair = { min = 0, max = 30, step = 3 }\n\
                       parameters.draw = { min = 0, max = 2, step = 0.2 }\n";

const RACE: &str = "kind = \"tune\"\ngame = \"two-ten-jack\"\nagent = \"greedy:trump=15\"\nseed = 5\nblocks = 10\n[tune]\n\
                    method = \"halving\"\nmeasure = \"score\"\nagainst = [\"greedy:pull=0\", \"random\"]\ntest_blocks = 50\n\
                    settings = [\"random\", \"greedy:trump=15\", \"greedy:trump=0\", \"greedy\", \"greedy:ace=20\"]\n";

fn run(folder: &Path, name: &str, text: &str, more: &[&str]) -> (Done, PathBuf) {
    let file = write(folder, &format!("{name}.toml"), text);
    let out = folder.join(name);
    let done = dealt(&[&["run", &file, "--out", out.to_str().unwrap(), "--force"], more].concat());
    (done, out)
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The cells of the row that begins so.
fn row(text: &str, start: &str) -> Vec<String> {
    let line = text.lines().find(|line| line.starts_with(start)).unwrap();
    line.rsplit(',').map(str::to_owned).collect::<Vec<_>>().into_iter().rev().collect()
}

#[test]
fn spoiled_weights_become_better_ones_and_the_test_on_fresh_cards_says_so() {
    let folder = folder("tune-spoiled");
    let (done, out) = run(&folder, "spoiled", SPOILED, &[]);
    let said = done.fine();
    for word in [
        "2 parameters of greedy:pair=25.0,draw=1.9 tuned in 40 iterations of 20 blocks",
        "Verdict: the tuned agent is better than",
    ] {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
    let iterates = read(&out, "iterates.csv");
    assert_eq!(iterates.lines().count(), 41);
    assert!(iterates.starts_with("iteration,blocks,plus_less_minus,effect,pair,pair_plus,pair_minus,draw,"));
    let last = row(&iterates, "40,");
    let pair: f64 = last[4].parse().unwrap();
    assert!((1.0..20.0).contains(&pair), "{pair}");
    let test = read(&out, "tests.csv");
    let better = test.lines().filter(|line| line.starts_with("baseline,") && line.ends_with(",better"));
    assert!(better.clone().any(|line| line.contains(",score,200,")), "{test}");
    // The preset is an agent, and says where it comes from.
    let preset: toml::Table = read(&out, "preset.toml").parse().unwrap();
    let about = preset["about"].as_str().unwrap();
    assert!(about.contains("experiment spoiled, seed 5") && about.contains("better"), "{about}");
    assert_eq!(preset["parameters"].as_table().unwrap().len(), 2);
    assert_eq!(preset["agent"].as_str(), Some("greedy"));
}

#[test]
fn the_same_bytes_are_written_by_any_number_of_threads() {
    let folder = folder("tune-threads");
    for (name, text) in [("spsa", SPOILED), ("race", RACE)] {
        let text = text.replace("iterations = 40", "iterations = 6");
        let [one, three] = ["1", "3"].map(|threads| {
            let (done, out) = run(
                &folder,
                &format!("{name}-{threads}"),
                &format!("name = \"{name}\"\n{text}"),
                &["--threads", threads],
            );
            done.fine();
            out
        });
        for entry in fs::read_dir(&one).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            if file != "timings.csv" {
                assert_eq!(read(&one, &file), read(&three, &file), "{name}: {file}");
            }
        }
    }
}

#[test]
fn a_race_is_won_by_the_best_setting() {
    let folder = folder("tune-race");
    let (done, out) = run(&folder, "race", RACE, &[]);
    let said = done.fine();
    assert!(said.contains("Verdict: the tuned agent is better than greedy:trump=15.0"), "{said}");
    let rounds = read(&out, "rounds.csv");
    // Five play 10 blocks, three 20, two 40.
    let blocks = |round: &str| rounds.lines().filter(|line| line.starts_with(round)).count();
    assert_eq!(["1,", "2,", "3,"].map(blocks), [5, 3, 2]);
    assert!(
        rounds.lines().any(|line| line.starts_with("3,greedy,40,") && line.ends_with(",true")),
        "{rounds}"
    );
    assert!(
        rounds.lines().any(|line| line.starts_with("1,random,10,-") && line.ends_with(",false")),
        "{rounds}"
    );
}

#[test]
fn settings_may_be_among_their_opponents() {
    let folder = folder("tune-among");
    let text = RACE.replace("\"greedy:pull=0\", \"random\"", "\"greedy\", \"random\"");
    let (done, out) = run(&folder, "race", &text, &[]);
    done.fine();
    // Whoever is an opponent too is level with itself, and still loses to the others or beats them.
    let rounds = read(&out, "rounds.csv");
    let advantage = |start: &str| row(&rounds, start)[3].parse::<f64>().unwrap();
    assert!(advantage("1,greedy,") > 0.0 && advantage("1,random,") < 0.0, "{rounds}");
}

#[test]
fn what_makes_no_difference_is_not_adopted() {
    let folder = folder("tune-null");
    // Nobody declares anything by these rules: the weight has no effect.
    let text = "kind = \"tune\"\ngame = \"two-ten-jack\"\nrules = { spade_ace = \"always_top_trump\" }\nagent = \"greedy\"\nseed = 5\nblocks = 10\n\
                [tune]\niterations = 5\ntest_blocks = 30\nparameters.spade = { min = -5, max = 5, step = 1 }\n";
    let (done, out) = run(&folder, "null", text, &[]);
    let said = done.fine();
    assert!(said.contains("Verdict: the search ends where greedy is; nothing to adopt."), "{said}");
    assert!(read(&out, "preset.toml").starts_with("about = \"NOT ADOPTED. "));
}

#[test]
fn what_cannot_be_tuned_is_refused_with_what_can() {
    let folder = folder("tune-refused");
    let with = |from: &str, to: &str| SPOILED.replace(from, to);
    for (text, words) in [
        (with("parameters.pair", "parameters.pear"), &["no parameter `pear`", "did you mean `pair`?"][..]),
        (with("max = 30", "max = 20"), &["`pair` starts at 25", "`max` above it"]),
        (with("max = 30", "max = 31"), &["max", "a number from 0 to 30"]),
        (with("step = 3 }", "step = 0 }"), &["step", "a number above 0"]),
        (with("step = 3 }", "step = 1e-6 }"), &["step", "a thousandth of the way"]),
        (with("step = 3 }", "step = 1e6 }"), &["step", "up to all of it"]),
        (with("step = 3 }", "size = 3 }"), &["`size`", "step"]),
        (with("iterations = 40", "iterations = 0"), &["iterations", "from 1 to 1000000"]),
        (with("iterations = 40", "method = \"spas\""), &["spas", "did you mean `spsa`?"]),
        (with("iterations = 40", "settings = []"), &["`settings` has no meaning in the method `spsa`"]),
        (with("test_blocks = 200", "test_blocks = 0"), &["test_blocks", "from 1 up"]),
        (with("\"score\"", "\"points\""), &["points", "win_share, score, place"]),
        (with("[tune]\n", "[tune]\nagainst = []\n"), &["`against` has 0 agents", "1 or more"]),
        (with("[tune]\n", "[tune]\nmargin = -1\n"), &["margin", "a number above 0"]),
        (with("agent = \"greedy:pair=25,draw=1.9\"\n", ""), &["`agent` is missing"]),
        (RACE.replace("\"greedy:ace=20\"", "\"greedy\""), &["greedy is in the list already"]),
        (
            RACE.replace("method = \"halving\"", "method = \"halving\"\nrate = 1"),
            &["`rate` has no meaning in the method `halving`"],
        ),
    ] {
        run(&folder, "refused", &text, &[]).0.refused(words);
    }
}
