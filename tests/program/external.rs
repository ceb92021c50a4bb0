//! Agents that are programs of their own, from outside: whatever one does, the message says it in plain words, and
//! nothing is left behind.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

use crate::outside::{self, Done, command, dealt, folder};

/// An agent that misbehaves, as the command line takes it.
fn agent(fault: &str, settings: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/external/agent.sh");
    format!("external:command=\"sh {} {fault}\"{settings}", script.display())
}

/// Plays a deal of two-ten-jack with an agent against random.
fn play(name: &str, agent: &str, more: &[&str]) -> Done {
    let out = folder(&format!("external-{name}"));
    fs::remove_dir(&out).unwrap();
    let mut arguments = vec![
        "match",
        "two-ten-jack",
        agent,
        "random",
        "--rule",
        "deals=1",
        "--seed",
        "1",
        "--threads",
        "1",
        "--quiet",
        "--force",
    ];
    arguments.extend(["--out", out.to_str().unwrap()]);
    arguments.extend(if more.is_empty() { &["--blocks", "1"][..] } else { more });
    dealt(&arguments)
}

/// The command lines of all processes that an agent of these tests has started and left.
fn left_behind(fault: &str) -> Vec<String> {
    let mut left = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Ok(line) = fs::read(entry.path().join("cmdline")) else { continue };
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if line.contains(&format!("agent.sh {fault} "))
            && !line.starts_with("dealt")
            && !line.contains("--blocks")
        {
            left.push(line);
        }
    }
    left
}

/// The fault, settings besides the command, and what the message says.
const STOPS: &[(&str, &str, &[&str])] = &[
    ("crash-at-start", "", &["it ended with exit status 3 before its greeting", "| cannot find my weights"]),
    (
        "ends-at-start",
        "",
        &["it ended with exit status 0 before its greeting", "nothing to its standard error"],
    ),
    ("silent-start", ",start_ms=200", &["it gave no greeting within 200 ms"]),
    ("closes-output-at-start", "", &["it closed its output before its greeting"]),
    ("says-too-much-at-start", "", &["it wrote `Welcome to my agent!`, which is not JSON"]),
    ("old-protocol", "", &["it speaks protocol 0, not 1"]),
    ("no-protocol", "", &["it answered the greeting without the field `protocol`"]),
    ("name-is-a-number", "", &["it gives its name as `7`, which is no text"]),
    ("silence", ",move_ms=200", &["it gave no answer within 200 ms"]),
    ("slow", ",move_ms=200", &["it gave no answer within 200 ms"]),
    ("stops-itself", ",move_ms=200", &["it gave no answer within 200 ms"]),
    ("illegal-move", "", &["it answered `draw-stock`, which is no move", "as-trump, as-spade"]),
    ("card-not-held", "", &["which is not legal here; legal: "]),
    ("no-such-move", "", &["it answered `pass`, which is no move: neither a card, such as TH, nor one of"]),
    ("move-is-a-number", "", &["it answered the move `7`, which is no text"]),
    ("no-move", "", &["it answered without the field `move`"]),
    ("no-id", "", &["without the field `id`"]),
    ("old-id", "", &["it answered question 2 where question 3 was asked"]),
    ("huge-id", "", &["it answered question 1e+26 where question 3 was asked"]),
    ("other-seat", "", &["it moved for seat 7 where seat 0 was asked"]),
    ("half-a-line", ",move_ms=200", &["within 200 ms, only the beginning of a line: `{\"id\":3,\"mo`"]),
    (
        "half-a-line-and-gone",
        "",
        &["exit status 0 before its answer, in the middle of the line `{\"id\":3,\"mo`"],
    ),
    ("garbage", "", &["it wrote `I think ", " is best`, which is not JSON: expected value"]),
    ("a-list", "", &["it wrote `[3,\"", "which is not a JSON object"]),
    ("not-utf8", "", &["byte 17 of which is not UTF-8"]),
    ("controls", "", &["it wrote `\u{fffd}[2J\u{fffd}\u{fffd} what`, which is not JSON"]),
    ("empty-line", "", &["it wrote ``, which is not JSON"]),
    ("deep", "", &["it wrote `[[[[", "…`, which is not JSON: recursion limit exceeded"]),
    ("notes-are-text", "", &["it gave the notes `\"good\"`, which are no object"]),
    ("gives-up", "", &["it gave up: I know no such game"]),
    ("crash", "", &["it ended with exit status 4 before its answer", "| a bug in line 7"]),
    ("killed", "", &["it ended with signal 9 before its answer"]),
    ("endless-line", "", &["it wrote a line of more than 1048576 bytes: `xxxx"]),
    ("flood", "", &["it answered question 1 where question 3 was asked"]),
];

#[test]
fn every_fault_stops_the_run_with_a_message_in_plain_words_and_no_process_is_left() {
    for (fault, settings, words) in STOPS {
        let done = play("stops", &agent(&format!("{fault} 3"), settings), &[]);
        let mut all = vec![
            "error: agent `external:command=",
            "` in seat 0 failed in two-ten-jack, game 0, deal 1, move ",
        ];
        all.extend(*words);
        done.failed(2, &all);
        assert!(done.out.lines().count() <= 1, "{fault}: {}", done.out);
        assert_eq!(left_behind(fault), Vec::<String>::new());
    }
    assert!(STOPS.len() >= 30);
}

#[test]
fn the_game_that_a_fault_broke_off_is_kept_until_a_run_to_the_same_folder_is_complete() {
    let kept = folder("external-kept").with_file_name(".external-kept.fault.jsonl");
    play("kept", &agent("crash 3", ""), &[]).refused(&["dealt records show ", ".external-kept.fault.jsonl"]);
    assert!(kept.exists());
    play("kept", &agent("crash 3", ""), &[]).refused(&["dealt records show "]);
    assert!(kept.exists());
    play("kept", "greedy", &[]).fine();
    assert!(!kept.exists());
}

#[test]
fn a_line_too_many_is_found_at_the_next_question() {
    let done = play("twice", &agent("twice 3", ""), &[]);
    // The second line may be there before the next question is asked, or be taken for its answer.
    let found = ["when it was not asked", "it answered question 3 where question 4 was asked"];
    assert!(found.iter().any(|words| done.err.contains(words)), "{done:?}");
    assert_eq!(done.status, 2);
}

#[test]
fn answers_to_what_was_not_heard_are_found_out_and_hold_nothing_up() {
    let done = play("deaf", &agent("deaf", ",move_ms=500"), &[]);
    // How much is answered before the first question is asked is left to chance.
    let found = ["when it was not asked", "which is not legal here", "where question "];
    assert!(found.iter().any(|words| done.err.contains(words)), "{done:?}");
    assert_eq!(done.status, 2);
}

#[test]
fn what_cannot_be_started_is_named_with_the_reason() {
    let fine = |text: &str| format!("external:command=\"{text}\"");
    let missing = play("missing", &fine("no-such-program --fast"), &[]);
    missing.failed(
        2,
        &["it cannot be started: `no-such-program`", "looked for in the current folder if it has a `/`"],
    );
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = play("text", &fine(script.to_str().unwrap()), &[]);
    text.failed(2, &["it cannot be started: `", "README.md`", "a script must be executable"]);
    play("quote", "external:command='sh", &[]).refused(&["a quotation mark ' that is not closed"]);
    play("none", "external", &[]).refused(&["external needs a command"]);
}

#[test]
fn what_does_no_harm_stops_nothing_and_leaves_nothing() {
    for fault in
        ["none", "noisy", "ignores-signals", "has-a-child", "talks-after-the-end", "stays", "bad-end"]
    {
        play("harmless", &agent(&format!("{fault} 3"), ""), &[]).fine();
        assert_eq!(left_behind(fault), Vec::<String>::new());
    }
    let sleeps =
        fs::read_dir("/proc").into_iter().flatten().flatten().filter(|entry| {
            fs::read(entry.path().join("cmdline")).is_ok_and(|line| line == b"sleep\098766\0")
        });
    assert_eq!(sleeps.count(), 0, "a child of an agent was left behind");
}

#[test]
fn a_crash_in_game_500_is_told_with_its_place() {
    // Some 20 decisions of a deal are free ones.
    let done = play("crash-500", &agent("crash 10000", ""), &["--blocks", "400"]);
    done.failed(2, &["it ended with exit status 4", "| a bug in line 7"]);
    let file = done.err.split("dealt records show ").nth(1).unwrap().lines().next().unwrap();
    let shown = dealt(&["records", "show", file]).fine();
    assert!(shown.contains("The game: broken off in deal ") && shown.contains("exit status 4"), "{shown}");
    let game = done.err.split("game ").nth(1).and_then(|rest| rest.split(',').next());
    assert!(game.and_then(|game| game.parse::<u32>().ok()).is_some_and(|game| (300..700).contains(&game)));
}

#[test]
fn a_forfeit_is_counted_as_a_loss_and_recorded_and_the_run_goes_on() {
    let agent = agent("crash 60", ",on_fault=forfeit");
    let mut bytes = Vec::new();
    for threads in ["1", "3"] {
        let out = folder("external-forfeits");
        let run =
            ["match", "two-ten-jack", &agent, "random", "--blocks", "4", "--seed", "1", "--records", "all"];
        let more = ["--games-csv", "--threads", threads, "--force", "--out", out.to_str().unwrap()];
        let text = dealt(&[&run[..], &more].concat()).fine();
        assert!(
            text.contains("An agent failed and forfeited its game 8 times; forfeits.csv lists them."),
            "{text}"
        );
        let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
        let forfeits = read("forfeits.csv");
        assert!(
            forfeits.starts_with("variant,block,game,seat,agent,deal,move,fault\nbase,0,0,0,"),
            "{forfeits}"
        );
        assert!(
            forfeits
                .lines()
                .skip(1)
                .all(|row| row.ends_with(",it ended with exit status 4 before its answer"))
        );
        let agents = read("agents.csv");
        let column = |row: usize, name: &str| {
            let place = agents.lines().next().unwrap().split(',').position(|column| column == name).unwrap();
            agents
                .lines()
                .nth(row)
                .unwrap()
                .rsplit(',')
                .nth(agents.lines().next().unwrap().split(',').count() - 1 - place)
                .unwrap()
                .to_owned()
        };
        assert_eq!((column(1, "wins"), column(2, "wins")), ("0".to_owned(), "8".to_owned()));
        // All of them were forfeited.
        assert_eq!(read("faults.jsonl"), read("records.jsonl"));
        let records = out.join("records.jsonl");
        dealt(&["records", "verify", records.to_str().unwrap()]).fine();
        let text = read("records.jsonl");
        assert_eq!(text.matches("\"forfeits\":[{\"seat\":").count(), 8);
        // Without the forfeit the totals are not those of the moves.
        let cut = text.replace("\"forfeits\":", "\"other\":");
        dealt(&["records", "verify", &outside::write(&out, "cut.jsonl", &cut)]).failed(1, &["`totals`"]);
        let names = [
            "agents.csv",
            "seats.csv",
            "pairs.csv",
            "scores.csv",
            "games.csv",
            "forfeits.csv",
            "records.jsonl",
        ];
        bytes.push(names.map(read));
    }
    assert_eq!(bytes[0], bytes[1]);
}

#[test]
fn a_run_may_have_all_faults_forfeit_whatever_the_program_itself_would_do() {
    let out = folder("all-forfeit");
    let run = ["match", "two-ten-jack", &agent("crash 60", ""), "random", "--blocks", "3", "--seed", "1"];
    let more = ["--on-fault", "forfeit", "--force", "--out", out.to_str().unwrap()];
    let text = dealt(&[&run[..], &more].concat()).fine();
    assert!(text.contains("An agent failed and forfeited its game 6 times"), "{text}");
    assert!(fs::read_to_string(out.join("manifest.json")).unwrap().contains("\"on_fault\": \"forfeit\""));
    let faults = fs::read_to_string(out.join("faults.jsonl")).unwrap();
    assert_eq!(faults.matches("\"forfeits\":[{\"seat\":").count(), 6);
    let shown = dealt(&["records", "show", out.join("faults.jsonl").to_str().unwrap()]).fine();
    assert!(
        shown.contains("forfeits, since it failed: it ended with exit status 4 before its answer"),
        "{shown}"
    );
}

#[test]
fn an_agent_that_cannot_be_started_stops_the_run_whatever_a_fault_does() {
    let done = play("no-forfeit", &agent("crash-at-start", ",on_fault=forfeit"), &[]);
    done.failed(2, &["it ended with exit status 3 before its greeting"]);
}

#[test]
fn a_run_with_a_program_is_the_same_to_the_byte_on_any_number_of_threads() {
    for game in ["hearts", "three-thirteen", "cancellation-hearts"] {
        let mut bytes = Vec::new();
        for threads in ["1", "4"] {
            let out = folder("external-threads");
            let agent = agent("none", "");
            let mut run =
                vec!["match", game, &agent, "random", "--blocks", "5", "--seed", "2", "--records", "all"];
            run.extend(["--threads", threads, "--force", "--out", out.to_str().unwrap()]);
            run.extend(if game == "three-thirteen" {
                ["--rule", "rounds=[3,4]"]
            } else {
                ["--rule", "target=30"]
            });
            dealt(&run).fine();
            bytes.push(
                ["agents.csv", "pairs.csv", "records.jsonl", "manifest.json"]
                    .map(|name| fs::read(out.join(name)).unwrap()),
            );
        }
        assert!(bytes[0] == bytes[1], "{game}");
    }
}

/// Waits until something holds, for a minute at most.
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..1200 {
        if holds() {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("still not: {what}");
}

/// A long run with an agent, which has been started.
fn start_run(fault: &str, settings: &str) -> Child {
    let out = folder(&format!("external-{fault}"));
    let agent = agent(fault, settings);
    // Few blocks at a time are handed out of a run of so many, and those are short.
    let run =
        ["match", "two-ten-jack", &agent, "random", "--rule", "deals=1", "--blocks", "2000", "--seed", "1"];
    let run = [&run[..], &["--quiet", "--force", "--out", out.to_str().unwrap()]].concat();
    let run = command(&run).stderr(Stdio::null()).spawn().unwrap();
    wait_until("the agent is started", || !left_behind(fault).is_empty());
    run
}

fn send(signal: &str, run: &Child) {
    let sent = Command::new("kill").args([signal, &run.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

#[test]
fn an_interrupt_ends_the_agents_and_leaves_a_run_of_fewer_blocks() {
    let mut run = start_run("interrupted", "");
    // The handler may be in place a moment after the agent.
    thread::sleep(Duration::from_millis(500));
    send("-INT", &run);
    assert_eq!(run.wait().unwrap().code(), Some(130));
    assert_eq!(left_behind("interrupted"), Vec::<String>::new());
}

#[test]
fn a_second_interrupt_kills_an_agent_that_hangs() {
    let mut run = start_run("trapped-silence", ",move_ms=3600000");
    thread::sleep(Duration::from_millis(500));
    send("-INT", &run);
    thread::sleep(Duration::from_millis(500));
    assert!(run.try_wait().unwrap().is_none(), "one interrupt waits for the end of a block");
    send("-INT", &run);
    assert_eq!(run.wait().unwrap().code(), Some(130));
    wait_until("the agent is gone", || left_behind("trapped-silence").is_empty());
}

#[test]
fn agents_of_a_run_that_is_killed_by_force_find_the_end_of_their_input() {
    let mut run = start_run("forced", "");
    run.kill().unwrap();
    run.wait().unwrap();
    wait_until("the agent is gone", || left_behind("forced").is_empty());
}
