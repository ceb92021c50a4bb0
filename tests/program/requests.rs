//! Requests that are wrong, from outside: each is refused with one message that names what was given and what would be
//! accepted, and with exit status 2; none leaves anything behind.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use serde_json::Value;

use crate::outside::{command, dealt, folder, write};

/// A file that is fine.
const FILE: &str = "\
question = \"Who is better?\"
game = \"two-ten-jack\"
agents = [\"greedy\", \"random\"]
seed = 3
blocks = 5

[rules]
target = 40

[[variant]]
name = \"short\"
rules = { target = 11 }

[outputs]
records = 1
";

#[track_caller]
fn refuse(arguments: &[&str], words: &[&str]) {
    let out = folder("requests-refused");
    fs::remove_dir(&out).unwrap();
    let mut all = arguments.to_vec();
    if ["run", "match"].contains(&arguments[0]) {
        all.extend(["--out", out.to_str().unwrap()]);
    }
    let done = dealt(&all);
    done.refused(words);
    assert_eq!(done.out, "");
    assert!(!out.exists(), "a refused request left a folder behind");
}

/// Runs the file with a piece of it replaced.
#[track_caller]
fn refuse_file(name: &str, old: &str, new: &str, words: &[&str]) {
    assert!(FILE.contains(old));
    let file = write(&folder(&format!("requests-{name}")), "a.toml", &FILE.replacen(old, new, 1));
    refuse(&["run", &file], words);
    refuse(&["run", &file], &["a.toml"]);
}

#[test]
fn an_error_gives_a_terminal_nothing_to_obey() {
    let said = dealt(&["match", "hearts", "greedy", "--rule", "moon=\u{1b}[2J"]).err;
    assert!(said.contains("moon") && !said.contains('\u{1b}'), "{said:?}");
    let question = r#"question="who?\u0007""#;
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/ace-high.toml");
    refuse(&["run", file, "--set", question], &["question", "without control characters"]);
}

#[test]
fn a_key_may_be_as_deep_as_in_a_file_and_no_deeper() {
    let setting = |parts: usize| format!("{}=1", vec!["a"; parts].join("."));
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/ace-high.toml");
    dealt(&["run", file, "--set", &setting(80)]).refused(&["an experiment has no key `a`"]);
    for parts in [81, 60_000] {
        let said = format!("--set has a key of {parts} parts; accepted: up to 80");
        dealt(&["run", file, "--set", &setting(parts)]).refused(&[&said]);
    }
}

#[test]
fn names_that_nothing_has_are_refused_with_the_nearest_and_all() {
    refuse(&["match", "two-ten-jak", "greedy"], &["two-ten-jak", "did you mean `two-ten-jack`?", "hearts"]);
    refuse(&["match", "two-ten-jack", "gredy"], &["gredy", "did you mean `greedy`?", "random"]);
    refuse(&["match", "two-ten-jack", "greedy:trupm=2"], &["trupm", "did you mean `trump`?"]);
    refuse(&["match", "two-ten-jack", "greedy:trump=lots"], &["trump", "lots", "a number from"]);
    refuse(&["match", "two-ten-jack", "greedy:trump"], &["trump", "key=value"]);
    let twice = ["match", "two-ten-jack", "greedy", "--rule", "target=11", "--rule", "target=21"];
    refuse(&twice, &["--rule target=21", "`target` is given twice"]);
    refuse(&["match", "two-ten-jack", "random:trump=1"], &["random takes no parameter", "trump"]);
    refuse(&["games", "bridge"], &["bridge", "two-ten-jack"]);
    refuse(&["agents", "genius"], &["genius", "greedy, random"].map(|_| "genius"));
    refuse(
        &["match", "two-ten-jack", "greedy", "--rule", "tarjet=3"],
        &["--rule tarjet=3", "did you mean `target`?"],
    );
    refuse(
        &["match", "two-ten-jack", "greedy", "--seating", "rotat"],
        &["--seating", "did you mean `rotate`?"],
    );
    refuse(&["shuffle"], &["shuffle"]);
    refuse(&["match", "two-ten-jack", "greedy", "--sede", "3"], &["--sede", "--seed"]);
}

#[test]
fn values_out_of_range_are_refused_with_the_range() {
    let game = |rule| ["match", "two-ten-jack", "greedy", "--rule", rule];
    refuse(&game("target=0"), &["--rule target=0", "`target` cannot be `0`"]);
    refuse(&game("target=many"), &["`target` cannot be `many`"]);
    refuse(&game("hand_size=27"), &["`hand_size` cannot be `27`", "26"]);
    refuse(&game("target=2147483648"), &["`2147483648`; accepted: an integer from 1 to 2147483647"]);
    refuse(&game("target=\"31\""), &["`target` cannot be `\"31\"`"]);
    refuse(&game("target"), &["target", "KEY=VALUE", "ace=low_or_high"]);
    refuse(&game("handsize=5"), &["no rule `handsize`; accepted: target, ", "did you mean `hand_size`?"]);
    let penalty = ["match", "three-thirteen", "greedy", "--rule", "ace_penalty=null"];
    refuse(&penalty, &["`null`; accepted: 0 to 1000, or \"unset\"\n"]);
    refuse(&game("points={2H = "), &["--rule", "not a TOML value"]);
    refuse(&["match", "cancellation-hearts", "greedy", "--players", "12"], &["--players", "12", "3 to 11"]);
    refuse(&["match", "two-ten-jack", "greedy", "--players", "3"], &["--players", "`3`", "2"]);
    refuse(&["match", "two-ten-jack", "greedy", "random", "random"], &["3 agents", "1 to 2"]);
    let players = ["match", "cancellation-hearts", "greedy", "--players", "4", "--rule", "players=5"];
    refuse(&players, &["players", "`5`", "`4`"]);
    let flag = |flag, value| ["match", "two-ten-jack", "greedy", "random", flag, value];
    refuse(&flag("--blocks", "0"), &["--blocks", "`0`", "from 1 up"]);
    refuse(&flag("--games", "0"), &["--games", "`0`", "from 1 up"]);
    refuse(&flag("--blocks", "some"), &["--blocks", "`some`"]);
    refuse(&flag("--blocks", "18446744073709551615"), &["18446744073709551615", "too many"]);
    refuse(&flag("--seed", "seven"), &["--seed", "seven", "a whole number from 0 to 18446744073709551615"]);
    refuse(&flag("--seed", "-1"), &["`seed` cannot be `-1`"]);
    refuse(&flag("--seed", "18446744073709551616"), &["`18446744073709551616`"]);
    refuse(&flag("--blocks", "-1"), &["--blocks: `blocks` cannot be `-1`", "from 1 up"]);
    refuse(&flag("--games", "-1"), &["--games: `games` cannot be `-1`", "from 1 up"]);
    refuse(&flag("--players", "-1"), &["--players: `players` cannot be `-1`", "accepted: 2"]);
    refuse(&flag("--threads", "-1"), &["--threads: `threads` cannot be `-1`", "from 1 to"]);
    refuse(&flag("--records", "-1"), &["--records: `records` cannot be `-1`", "or all"]);
    refuse(&flag("--blocks", "\"2\""), &["`blocks` cannot be `\"2\"`"]);
    refuse(&flag("--threads", "0"), &["--threads", "`0`", "from 1"]);
    refuse(&flag("--records", "some"), &["--records", "`some`", "all"]);
    refuse(&["match", "two-ten-jack", "greedy", "--legal"], &["--legal", "--records"]);
    refuse(&["match", "two-ten-jack", "greedy", "--notes"], &["--notes", "--records"]);
    refuse(&["match", "two-ten-jack", "greedy", "--games", "2", "--blocks", "2"], &["--games", "--blocks"]);
    refuse(&["match", "two-ten-jack"], &["AGENT"]);
}

#[test]
fn rules_that_do_not_fit_together_are_refused() {
    let cards = ["match", "three-thirteen", "greedy", "--players", "8", "--rule", "decks=2"];
    refuse(&cards, &["decks", "`2`", "3 or more"]);
    refuse(
        &["match", "cancellation-hearts", "greedy", "--players", "11", "--rule", "pass_count=10"],
        &["pass_count"],
    );
}

#[test]
fn a_file_with_a_mistake_is_refused_with_line_and_column() {
    refuse_file("key", "seed = 3", "sead = 3", &["a.toml:4:1", "`sead`", "did you mean `seed`?", "blocks"]);
    refuse_file("kind", "seed = 3", "kind = \"mach\"", &["a.toml:4:8", "`mach`", "did you mean `match`?"]);
    refuse_file("kinds", "seed = 3", "kind = 3", &["a.toml:4:8", "`kind` cannot be `3`", "match"]);
    refuse_file("game", "two-ten-jack", "two-ten-jak", &["a.toml:2:8", "did you mean `two-ten-jack`?"]);
    refuse_file("agent", "\"random\"", "\"radnom\"", &["a.toml:3:21", "did you mean `random`?"]);
    refuse_file("agents", "[\"greedy\", \"random\"]", "\"greedy\"", &["a.toml:3:10", "`agents`", "a list"]);
    refuse_file("none", "[\"greedy\", \"random\"]", "[]", &["a.toml:3:10", "`agents`"]);
    refuse_file("rule", "target = 40", "tarjet = 40", &["a.toml:8:1", "did you mean `target`?"]);
    refuse_file("value", "target = 40", "target = -40", &["a.toml:8:1", "`target` cannot be `-40`"]);
    refuse_file("type", "seed = 3", "seed = \"three\"", &["a.toml:4:8", "`seed` cannot be `three`"]);
    refuse_file("quoted", "blocks = 5", "blocks = \"5\"", &["a.toml:5:10", "`blocks` cannot be `\"5\"`"]);
    refuse_file(
        "parameter",
        "\"random\"",
        "{ name = \"greedy\", parameters = { trump = \"2\" } }",
        &["a.toml:3:21", "`trump` of greedy cannot be `\"2\"`"],
    );
    refuse_file("variant", "{ target = 11 }", "{ target = \"low\" }", &["a.toml:12:11", "`low`"]);
    refuse_file("variants", "name = \"short\"", "nome = \"short\"", &["a.toml:11:1", "did you mean `name`?"]);
    refuse_file("base", "name = \"short\"", "name = \"base\"", &["a.toml:11:8", "`base`"]);
    for name in ["", " ", "two\\nlines", "bell\\u0007", "two\\u2028lines"] {
        let new = format!("name = \"{name}\"");
        refuse_file("strange", "name = \"short\"", &new, &["a.toml:11:8", "`name`", "in one line"]);
    }
    refuse_file("outputs", "records = 1", "record = 1", &["a.toml:15:1", "did you mean `records`?"]);
    refuse_file("legal", "records = 1", "legal = true", &["a.toml:15:9", "records"]);
    refuse_file("blocks", "blocks = 5\n", "", &["`blocks`", "`games`", "missing"]);
    refuse_file("both", "blocks = 5", "blocks = 5\ngames = 5", &["a.toml:6:9", "`blocks` and `games`"]);
    refuse_file("missing", "game = \"two-ten-jack\"\n", "", &["`game`", "missing"]);
    refuse_file(
        "confidence",
        "seed = 3",
        "confidence = 95",
        &["a.toml:4:14", "`confidence` cannot be `95`", "0.95"],
    );
    refuse_file("nan", "seed = 3", "confidence = nan", &["a.toml:4:14", "`nan`"]);
    refuse_file("name", "seed = 3", "name = \"../elsewhere\"", &["a.toml:4:8", "../elsewhere"]);
    refuse_file("twice", "seed = 3", "seed = 3\nseed = 4", &["a.toml:5:1", "not TOML"]);
}

#[test]
fn a_file_cut_anywhere_is_refused_or_says_what_it_lacks() {
    let folder = folder("requests-cut");
    // From the last line of what every experiment needs on, what is left is an experiment.
    let needed = FILE.find("blocks = 5").unwrap() + "blocks = ".len();
    for cut in 0..needed {
        let file = write(&folder, "cut.toml", &FILE[..cut]);
        let done = dealt(&["run", &file, "--out", folder.join("out").to_str().unwrap()]);
        done.refused(&["cut.toml"]);
    }
    let file = write(&folder, "half.toml", &FILE[..FILE.find("target = 11").unwrap()]);
    refuse(&["run", &file], &["half.toml:12:", "not TOML"]);
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    refuse(&["run", "no-such-file.toml"], &["no-such-file.toml"]);
    let folder = folder("requests-unreadable");
    refuse(&["run", folder.to_str().unwrap()], &["requests-unreadable"]);
    fs::write(folder.join("latin.toml"), b"name = \"\xe9\"").unwrap();
    refuse(&["run", folder.join("latin.toml").to_str().unwrap()], &["latin.toml", "UTF-8"]);
}

#[test]
fn an_override_is_checked_like_the_file() {
    let folder = folder("requests-set");
    let file = write(&folder, "a.toml", FILE);
    let set = |setting| ["run", &file, "--set", setting];
    refuse(&set("sead=4"), &["--set sead=4", "did you mean `seed`?"]);
    refuse(&set("rules.target=none"), &["--set rules.target=none", "`target`"]);
    refuse(&set("variant.1.name=long"), &["--set variant.1.name=long", "`1`"]);
    refuse(&set("seed.low=4"), &["--set seed.low=4", "`3`"]);
    refuse(&set("seed"), &["--set seed", "KEY=VALUE", "blocks=500"]);
    refuse(&set("agents.9=random"), &["`9` is no item of the list; accepted: 0 to 1"]);
}

#[test]
fn results_are_not_overwritten_unasked_and_a_folder_that_cannot_be_made_is_named() {
    let folder = folder("requests-out");
    let out = folder.join("results").to_str().unwrap().to_owned();
    let play = ["match", "two-ten-jack", "greedy", "random", "--blocks", "2", "--seed", "1", "--out", &out];
    dealt(&play).fine();
    let before = fs::read(folder.join("results/agents.csv")).unwrap();
    dealt(&play).refused(&[&out, "--force"]);
    assert_eq!(fs::read(folder.join("results/agents.csv")).unwrap(), before);
    dealt(&[&play[..], &["--force"]].concat()).fine();
    let blocked = write(&folder, "file", "in the way") + "/results";
    dealt(&[&play[..9], &[&blocked]].concat()).refused(&[&blocked]);
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_no_text_is_named() {
    use std::os::unix::ffi::OsStrExt;
    let strange = std::ffi::OsStr::from_bytes(b"gr\xe9edy");
    let done = dealt(&["match".as_ref(), "two-ten-jack".as_ref(), strange]);
    done.refused(&["gr\u{fffd}edy", "UTF-8"]);
}

#[test]
fn force_replaces_a_run_and_nothing_else() {
    let root = folder("requests-force");
    let play = |name: &str, more: &[&str]| {
        let out = root.join(name);
        let play = ["match", "two-ten-jack", "random", "--blocks", "2", "--seed", "1", "--quiet", "--out"];
        dealt(&[&play[..], &[out.to_str().unwrap()], more].concat())
    };
    fs::create_dir(root.join("extension")).unwrap();
    write(&root.join("extension"), "manifest.json", "{\"name\": \"another program's\"}");
    for more in [&[][..], &["--force"]] {
        play("extension", more).refused(&["extension", "is no results folder", "--out"]);
    }
    play("run", &[]).fine();
    write(&root.join("run"), "mine.txt", "precious");
    play("run", &["--force"]).refused(&["run", "`mine.txt`", "--out"]);
    assert_eq!(fs::read_to_string(root.join("run/mine.txt")).unwrap(), "precious");
    fs::remove_file(root.join("run/mine.txt")).unwrap();
    play("run", &["--force"]).fine();
    play("run/manifest.json/deeper", &[])
        .refused(&["cannot create the folder ", "run/manifest.json/deeper: "]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(root.join("nowhere"), root.join("link")).unwrap();
        play("link", &[]).refused(&["link", "is no results folder"]);
        fs::remove_file(root.join("link")).unwrap();
    }
    // A run that is killed leaves a hidden folder, which the next one removes.
    fs::create_dir(root.join(".run.partial")).unwrap();
    play("run", &["--force"]).fine();
    let names: Vec<_> = fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn a_run_that_is_interrupted_keeps_the_blocks_that_are_finished() {
    let out = folder("requests-interrupt").join("run");
    let arguments =
        ["match", "two-ten-jack", "random", "--blocks", "1000000000", "--seed", "1", "--quiet", "--out"];
    let mut run =
        command(&[&arguments[..], &[out.to_str().unwrap()]].concat()).stderr(Stdio::piped()).spawn().unwrap();
    let interrupt = || std::process::Command::new("kill").args(["-INT", &run.id().to_string()]).status();
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert!(interrupt().unwrap().success());
    let moment = std::time::Duration::from_millis(50);
    for waited in 0.. {
        if run.try_wait().unwrap().is_some() {
            break;
        }
        if waited == 1200 {
            run.kill().unwrap();
            panic!("the run does not heed an interrupt");
        }
        std::thread::sleep(moment);
    }
    let mut said = String::new();
    BufReader::new(run.stderr.take().unwrap()).read_to_string(&mut said).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(130), "{said}");
    assert!(said.contains("stopped after ") && said.contains(" of 1,000,000,000 blocks"), "{said}");
    let manifest: Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["played"]["complete"], false);
    // What is written is what a run of so many blocks writes.
    let blocks = manifest["played"]["blocks"].to_string();
    let again = out.with_file_name("again");
    let arguments =
        ["match", "two-ten-jack", "random", "--blocks", &blocks, "--seed", "1", "--quiet", "--out"];
    dealt(&[&arguments[..], &[again.to_str().unwrap()]].concat()).fine();
    for name in ["agents.csv", "seats.csv", "scores.csv", "metrics.csv"] {
        assert_eq!(fs::read(out.join(name)).unwrap(), fs::read(again.join(name)).unwrap(), "{name}");
    }
}

#[test]
fn a_reader_that_has_had_enough_is_no_error() {
    for arguments in [&["games", "two-ten-jack"][..], &["--help"], &["agents", "greedy"]] {
        let mut child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::with_capacity(1, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
    }
    // One that has gone before a word was written.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let done = command(&["games"]).stdout(writer).stderr(Stdio::piped()).output().unwrap();
    assert!(done.status.success() && done.stderr.is_empty(), "{done:?}");
}
