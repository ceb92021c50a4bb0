//! Whole runs, from outside: what they write and what they say.

use std::fs;

use crate::outside::{dealt, files, folder, write};
use dealt_agents::AgentSpec;
use dealt_engine::GAMES;

#[test]
fn a_run_writes_the_same_bytes_on_any_number_of_threads() {
    for info in GAMES {
        let folder = folder(&format!("runs-threads-{}", info.name));
        let run = |threads: &str, out: &str| {
            let out = folder.join(out);
            let arguments =
                ["match", info.name, "greedy", "random", "--blocks", "40", "--seed", "5", "--games-csv"];
            let more = ["--records", "7", "--quiet", "--threads", threads, "--out", out.to_str().unwrap()];
            dealt(&[&arguments[..], &more].concat()).fine();
            files(&out)
        };
        let one = run("1", "one");
        for table in ["manifest.json", "agents.csv", "seats.csv", "pairs.csv", "scores.csv", "games.csv"] {
            assert!(one.contains_key(table), "{table} is missing");
        }
        assert_eq!(one["records.jsonl"].split(|&byte| byte == b'\n').count(), 7 + 1);
        assert!(one == run("2", "two"), "{}: two threads", info.name);
        assert!(one == run("7", "seven"), "{}: seven threads", info.name);
        assert!(one == run("1", "again"), "{}: a second process", info.name);
    }
}

#[test]
fn variants_are_played_with_the_same_cards_on_any_number_of_threads() {
    let folder = folder("runs-variants");
    let text = "game = \"two-ten-jack\"\nagents = [\"greedy\", \"random\"]\nseed = 1\nblocks = 30\n\
                [[variant]]\nname = \"short\"\nrules = { target = 11 }\n";
    let file = write(&folder, "targets.toml", text);
    let run = |threads: &str| {
        let out = folder.join(threads);
        let out = out.to_str().unwrap();
        let said = dealt(&["run", &file, "--threads", threads, "--out", out, "--records", "all"]).fine();
        (said, files(&folder.join(threads)))
    };
    let (said, one) = run("1");
    assert!(said.contains("\nVariant short\n") && said.contains("\nshort: "), "{said}");
    assert!(one.contains_key("metrics.csv"));
    assert!(one == run("3").1);
    let records = folder.join("1/records.jsonl");
    dealt(&["records", "verify", records.to_str().unwrap()]).fine();
    let hands = |index: &str| {
        let shown =
            dealt(&["records", "show", records.to_str().unwrap(), "--game", index, "--deal", "1"]).fine();
        let hands: Vec<String> =
            shown.lines().filter(|line| line.starts_with("  seat")).map(str::to_owned).collect();
        hands[2..4].to_vec()
    };
    // Two line-ups under two variants make a block.
    assert!(hands("0") == hands("2") && hands("0") == hands("3"));
    assert!(hands("0") != hands("4"));
}

#[test]
fn a_run_says_who_is_stronger_and_how_sure_that_is() {
    let folder = folder("runs-table");
    let out = folder.join("out");
    let arguments = ["match", "two-ten-jack", "greedy", "random", "--blocks", "200", "--seed", "1", "--out"];
    let said = dealt(&[&arguments[..], &[out.to_str().unwrap()]].concat()).fine();
    assert!(said.contains("greedy beats random by 0."), "{said}");
    assert!(said.contains("95 % confidence"), "{said}");
    assert!(said.contains(out.to_str().unwrap()), "{said}");
    let said = dealt(&[
        "match",
        "two-ten-jack",
        "random",
        "--blocks",
        "2",
        "--seed",
        "1",
        "--force",
        "--out",
        out.to_str().unwrap(),
    ])
    .fine();
    assert!(said.contains("nothing to compare"), "{said}");
}

#[test]
fn a_seed_that_is_drawn_is_printed_and_plays_the_same_again() {
    let folder = folder("runs-seed");
    let (first, second) = (folder.join("first"), folder.join("second"));
    let arguments = ["match", "two-ten-jack", "greedy", "random", "--blocks", "3", "--out"];
    let said = dealt(&[&arguments[..], &[first.to_str().unwrap()]].concat()).fine();
    let (_, after) = said.split_once("--seed ").unwrap();
    let seed = after.split_whitespace().next().unwrap();
    dealt(&[&arguments[..], &[second.to_str().unwrap(), "--seed", seed]].concat()).fine();
    assert!(files(&first) == files(&second));
}

#[test]
fn games_are_rounded_up_to_blocks_and_quiet_says_nothing() {
    let folder = folder("runs-rounding");
    let out = folder.join("out");
    let arguments = ["match", "two-ten-jack", "greedy", "random", "--games", "5", "--seed", "1"];
    let out = ["--out", out.to_str().unwrap()];
    let said = dealt(&[&arguments[..], &out].concat()).fine();
    assert!(said.contains("5 games rounded up to 3 whole blocks of 2: 6 games"), "{said}");
    let done = dealt(&[&arguments[..], &out, &["--force", "--quiet"]].concat());
    assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (0, "", ""));
}

fn name_of_game(text: &str) -> &str {
    let line = text.lines().find_map(|line| line.strip_prefix("game = \"")).unwrap();
    line.trim_end_matches('"')
}

#[test]
fn every_experiment_of_the_project_opens_with_its_question_and_runs() {
    let folder = folder("runs-experiments");
    let mut count = 0;
    for entry in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/experiments")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let question = text.lines().next().unwrap().strip_prefix("# ").unwrap();
        assert!(text.contains(&format!("question = \"{question}\"")), "{}", path.display());
        let out = folder.join(path.file_stem().unwrap());
        let mut short =
            vec!["run", path.to_str().unwrap(), "--set", "blocks=2", "--out", out.to_str().unwrap()];
        let name = path.file_stem().unwrap().to_str().unwrap();
        if ["ladder-", "settings-", "more-"].iter().any(|start| name.starts_with(start)) {
            // Their searches take minutes: it is enough that each agent is one.
            let game = if text.contains("\"hearts\"") { "cancellation-hearts" } else { name_of_game(&text) };
            let agents = text.lines().filter_map(|line| line.strip_prefix("    [\"")?.split('"').next());
            assert!(agents.clone().count() >= 1);
            agents.for_each(|agent| drop(AgentSpec::parse(agent, game).unwrap()));
            short.extend(["--set", "line_ups=[[\"greedy\", \"random\"]]"]);
        }
        if text.contains("kind = \"sweep\"") {
            short.extend(["--set", "skill=[{ agents = [\"greedy\", \"random\"] }]"]);
        }
        if text.contains("kind = \"tune\"") {
            short.extend(["--set", "tune.iterations=10", "--set", "tune.test_blocks=20"]);
        }
        let said = dealt(&short).fine();
        assert!(said.contains(question), "{said}");
        count += 1;
    }
    assert!(count >= 6);
}

#[test]
fn whoever_sees_all_cards_or_has_a_limit_of_time_is_marked() {
    let folder = folder("runs-marked");
    let run = |agent: &str, out: &str| {
        let out = folder.join(out);
        let arguments =
            ["match", "two-ten-jack", agent, "random", "--blocks", "1", "--out", out.to_str().unwrap()];
        let said = dealt(&arguments).fine();
        (
            said,
            fs::read_to_string(out.join("agents.csv")).unwrap(),
            fs::read_to_string(out.join("manifest.json")).unwrap(),
        )
    };
    let (said, table, manifest) = run("oracle:iterations=2", "oracle");
    assert!(said.contains("oracle:iterations=2 (sees all cards)"), "{said}");
    assert!(!said.contains("limit of time"), "{said}");
    let marks: Vec<&str> = table.lines().filter_map(|line| line.split(',').next_back()).collect();
    assert_eq!(marks, ["clairvoyant", "true", "false"]);
    assert!(
        manifest.contains("\"clairvoyant\": true") && manifest.contains("\"reproducible\": true"),
        "{manifest}"
    );
    let (said, _, manifest) = run("ismcts:iterations=2,ms=1000", "time");
    assert!(said.contains("limit of time") && !said.contains("sees all cards"), "{said}");
    assert!(
        manifest.contains("\"reproducible\": false") && !manifest.contains("\"clairvoyant\": true"),
        "{manifest}"
    );
}

#[test]
fn the_closing_text_says_what_was_compared_and_what_was_not() {
    let folder = folder("runs-closing");
    let run = |name: &str, agents: &str| {
        let text =
            format!("game = \"two-ten-jack\"\nrules = {{ deals = 1 }}\nseed = 1\nblocks = 1\n{agents}\n");
        let file = write(&folder, &format!("{name}.toml"), &text);
        let out = folder.join(name).to_str().unwrap().to_owned();
        dealt(&["run", &file, "--set", "blocks=20", "--out", &out]).fine()
    };
    let ladder = run(
        "ladder",
        "line_ups = [[\"greedy\", \"random\"], [\"greedy:trump=3\", \"random\"], [\"greedy:trump=4\", \"random\"]]",
    );
    assert!(
        ladder.contains("greedy beats random by ") || ladder.contains("greedy against random: "),
        "{ladder}"
    );
    assert!(ladder.contains("\n3 pairs compared. "), "{ladder}");
    assert!(ladder.contains("\n3 pairs of agents never meet; pairs.csv compares them"), "{ladder}");
    assert!(ladder.contains("Intervals hold with 95 % confidence"), "{ladder}");
    let pair = run("pair", "agents = [\"greedy\", \"random\"]");
    assert!(!pair.contains("pairs compared") && !pair.contains("never meet"), "{pair}");
    let file = folder.join("pair.toml").to_str().unwrap().to_owned();
    let out = folder.join("one").to_str().unwrap().to_owned();
    let one = dealt(&["run", &file, "--out", &out]).fine();
    assert!(one.contains("too few blocks for an interval") && !one.contains("Intervals hold"), "{one}");
}
