//! Ratings over results folders, from outside.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::outside::{dealt, folder, write};
use dealt::csv_table::CsvTable;

/// Plays a match with its games kept.
fn play(folder: &Path, name: &str, arguments: &[&str]) -> String {
    let out = folder.join(name).to_str().unwrap().to_owned();
    let all = [&["match"], arguments, &["--games-csv", "--quiet", "--out", &out]].concat();
    dealt(&all).fine();
    out
}

/// For each agent its rating, the ends of its interval if it has one, and its group.
type Row = (f64, Option<(f64, f64)>, String, String);

fn table(path: &Path) -> BTreeMap<String, Row> {
    let text = fs::read_to_string(path).unwrap();
    let table = CsvTable::parse("ratings.csv", &text).unwrap();
    let row = |row: dealt::csv_table::CsvRow<'_>| {
        let ends = row.optional("rating_low").unwrap().zip(row.optional("rating_high").unwrap());
        let text = |column: &str| row.text(column).unwrap().to_owned();
        (text("agent"), (row.number("rating").unwrap(), ends, text("rating_method"), text("group")))
    };
    table.rows().map(row).collect()
}

const TWO: [&str; 3] = ["two-ten-jack", "--rule", "deals=1"];

#[test]
fn the_agents_of_several_runs_are_rated_on_one_scale() {
    let folder = folder("rate-several");
    let run = |name: &str, agents: [&str; 2], seed: &str| {
        let arguments = [&TWO[..1], &agents, &TWO[1..], &["--blocks", "150", "--seed", seed]].concat();
        play(&folder, name, &arguments)
    };
    let one = run("one", ["greedy", "random"], "1");
    let two = run("two", ["flat-mc:worlds=1,rollout=random,caution=0.0", "random"], "2");
    let three = run("three", ["greedy", "flat-mc:worlds=1,rollout=random,caution=0.0"], "1");
    let out = folder.join("all.csv");
    let said = dealt(&["rate", &one, &two, &three, "--out", out.to_str().unwrap()]).fine();
    assert!(said.starts_with("Ratings in two-ten-jack, from 3 runs\n"), "{said}");
    // The first and the third run are of the same blocks.
    assert!(said.contains("(300 blocks, 900 games)") && said.contains("random is 0."), "{said}");
    let rows = table(&out);
    let agents: Vec<&str> = rows.keys().map(String::as_str).collect();
    assert_eq!(agents, ["flat-mc:worlds=1,rollout=random,caution=0.0", "greedy", "random"]);
    let [flat, greedy, random] =
        ["flat-mc:worlds=1,rollout=random,caution=0.0", "greedy", "random"].map(|agent| &rows[agent]);
    assert_eq!((random.0, random.2.as_str()), (0.0, "exact"));
    assert!(greedy.0 > flat.0 && flat.0 > 0.0, "{rows:?}");
    for row in [flat, greedy] {
        let (low, high) = row.1.unwrap();
        assert!(low < row.0 && row.0 < high && high - low < 200.0 && row.2 == "block_bootstrap", "{row:?}");
        assert_eq!(row.3, "1");
    }
    // Once more, with another anchor.
    let said = dealt(&["rate", &one, &two, &three, "--anchor", "greedy"]).fine();
    assert!(said.contains("greedy is 0.") && said.contains("--out FILE"), "{said}");
    let again = folder.join("again.csv");
    dealt(&["rate", &one, &two, &three, "--out", again.to_str().unwrap()]).fine();
    assert_eq!(fs::read(&out).unwrap(), fs::read(&again).unwrap());
}

#[test]
fn one_run_is_rated_into_its_own_folder_and_can_still_be_replaced() {
    let folder = folder("rate-one");
    let arguments = ["hearts", "greedy", "random", "--rule", "deals=1", "--blocks", "60", "--seed", "1"];
    let run = play(&folder, "run", &arguments);
    let said = dealt(&["rate", &run]).fine();
    assert!(said.contains("A seat, counted from the one that acts first, is worth: "), "{said}");
    assert!(said.contains("Ties of 2: delta 0."), "{said}");
    let rows = table(&folder.join("run/ratings.csv"));
    assert!(rows["greedy"].0 > 100.0, "{rows:?}");
    dealt(&["rate", &run]).fine();
    let all = [&["match"], &arguments[..], &["--force", "--quiet", "--out", &run]].concat();
    dealt(&all).fine();
    dealt(&["rate", &run]).refused(&["run has no games.csv", "--games-csv"]);
    write(Path::new(&run), "mine.csv", "precious");
    let mine = format!("{run}/mine.csv");
    let kept = play(&folder, "kept", &arguments);
    dealt(&["rate", &kept, "--out", &mine]).refused(&["mine.csv", "is no table of `dealt rate`"]);
}

#[test]
fn one_sided_and_lonely_runs_have_finite_ratings_and_say_why_they_have_no_interval() {
    let folder = folder("rate-sided");
    let run = |name: &str, blocks: &str| {
        let arguments = [
            "three-thirteen",
            "greedy",
            "random",
            "--rule",
            "rounds=[11]",
            "--blocks",
            blocks,
            "--seed",
            "1",
        ];
        let run = play(&folder, name, &arguments);
        dealt(&["rate", &run]).fine();
        table(&folder.join(name).join("ratings.csv"))["greedy"].clone()
    };
    let (rating, ends, method, _) = run("sided", "20");
    assert!(
        rating > 400.0 && rating < 4000.0 && ends.is_none() && method == "no_spread",
        "{rating} {method}"
    );
    let (rating, ends, method, _) = run("lonely", "1");
    assert!(rating > 0.0 && ends.is_none() && method == "too_few_blocks", "{rating} {method}");
}

#[test]
fn agents_that_never_met_are_of_different_groups_and_the_user_is_told() {
    let folder = folder("rate-groups");
    let run = |name: &str, agents: [&str; 2]| {
        let arguments = [&TWO[..1], &agents, &TWO[1..], &["--blocks", "5", "--seed", "1"]].concat();
        play(&folder, name, &arguments)
    };
    let one = run("one", ["greedy", "random"]);
    let two = run("two", ["greedy:trump=2", "greedy:trump=3"]);
    let out = folder.join("all.csv");
    let said = dealt(&["rate", &one, &two, "--out", out.to_str().unwrap()]).fine();
    assert!(said.contains("connected by no games"), "{said}");
    let rows = table(&out);
    let groups: Vec<&str> = rows.values().map(|row| row.3.as_str()).collect();
    assert_eq!(groups, ["1", "2", "2", "1"]);
}

#[test]
fn what_cannot_be_rated_is_refused_with_the_reason() {
    let folder = folder("rate-refused");
    let run = |name: &str, arguments: &[&str]| {
        play(&folder, name, &[arguments, &["--blocks", "2", "--seed", "1"]].concat())
    };
    let two = run("two", &["two-ten-jack", "greedy", "random", "--rule", "deals=1"]);
    let other = run("other", &["two-ten-jack", "greedy", "random", "--rule", "deals=2"]);
    let hearts = run("hearts", &["hearts", "greedy", "random", "--rule", "deals=1"]);
    let alone = run("alone", &["two-ten-jack", "random", "--rule", "deals=1"]);
    dealt(&["rate", &two, &other]).refused(&["the rule `deals` is 1 in", "and 2 in"]);
    dealt(&["rate", &two, &hearts]).refused(&["two-ten-jack", "cancellation-hearts", "runs of one game"]);
    dealt(&["rate", &two, &format!("{two}/.")]).refused(&["are one folder", "each run counts once"]);
    dealt(&["rate", &alone]).refused(&["one agent alone"]);
    dealt(&["rate", &two, "--anchor", "gredy"]).refused(&["`gredy`", "did you mean `greedy`?"]);
    dealt(&["rate", folder.to_str().unwrap()]).refused(&["rate-refused holds no run"]);
    dealt(&["rate", &two, "--samples", "1"]).refused(&["--samples cannot be `1`", "from 10"]);
    dealt(&["rate", &two, "--confidence", "95"]).refused(&["--confidence cannot be `95`", "between 0 and 1"]);
    let games = fs::read_to_string(folder.join("two/games.csv")).unwrap();
    let broken = games.lines().enumerate().filter(|(line, _)| *line != 2).map(|(_, line)| line);
    fs::write(folder.join("two/games.csv"), broken.collect::<Vec<_>>().join("\n")).unwrap();
    dealt(&["rate", &two]).refused(&["games.csv has a game without all of its seats"]);
    let cut: Vec<&str> = games.lines().take(5).collect();
    fs::write(folder.join("two/games.csv"), cut.join("\n")).unwrap();
    dealt(&["rate", &two]).refused(&["games.csv has 2 games, where 4 were played"]);
    fs::write(folder.join("two/games.csv"), cut[0]).unwrap();
    dealt(&["rate", &two]).refused(&["games.csv has 0 games, where 4 were played"]);
    assert!(!folder.join("two/ratings.csv").exists());
}
