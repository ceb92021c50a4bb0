//! Runs that end before they are complete, however they end, and go on to the bytes that they would have written.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::outside::kinds::{self, Kind};
use crate::outside::{Done, Files, assert_same, command, dealt, files, folder, path_text};
use dealt::results::checkpoint::{Checkpoint, Pieces, STAGES, Standing};
use dealt::results::lines::{CheckSum, from_line, to_line};
use dealt::results::piece::Piece;
use dealt::results::side::Segment;
use dealt_engine::{Dice, QuickDice};
use serde_json::Value;

/// How many runs are to be killed at least, of all kinds together; about as many are asked to end.
fn kills_wanted() -> u64 {
    std::env::var("DEALT_KILLS").map_or(7, |count| count.parse().expect("DEALT_KILLS is a number"))
}

/// Where a run is while it goes on.
fn hidden(out: &Path) -> PathBuf {
    out.with_file_name(format!(".{}.partial", out.file_name().unwrap().to_str().unwrap()))
}

fn start(arguments: &[String]) -> Child {
    command(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

fn ended(child: Child) -> Done {
    Done::of_any(child.wait_with_output().unwrap())
}

/// Does what a shell makes of a command.
fn in_a_shell(command: &str) -> Done {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(env!("CARGO_TARGET_TMPDIR")).stdin(Stdio::null());
    Done::of(shell.output().unwrap())
}

/// The command that a message says will go on.
#[track_caller]
fn to_go_on(message: &str) -> &str {
    let line = message.lines().find_map(|line| line.strip_prefix("to go on: "));
    line.unwrap_or_else(|| panic!("no command in: {message}"))
}

/// Starts a run, and kills it by force as soon as a checkpoint is far enough and holds a block. How many blocks that are.
fn killed(arguments: &[String], out: &Path, is_enough: impl Fn(&Standing) -> bool) -> u64 {
    for _ in 0..20 {
        let mut run = start(arguments);
        while run.try_wait().unwrap().is_none() {
            let last = Checkpoint::read(&hidden(out)).unwrap();
            if last.is_some_and(|Checkpoint { standing, .. }| standing.blocks > 0 && is_enough(&standing)) {
                run.kill().unwrap();
            }
        }
        if ended(run).status != 0 {
            return Checkpoint::read(&hidden(out)).unwrap().unwrap().standing.blocks;
        }
        // It was too quick.
        fs::remove_dir_all(out).unwrap();
    }
    panic!("the run cannot be caught");
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// An experiment, what it writes when nothing happens, and how long it takes then.
struct Undisturbed {
    kind: Kind,
    files: Files,
    took: Duration,
}

#[allow(clippy::disallowed_methods, reason = "how long a run takes says when it may be killed")]
fn undisturbed(root: &Path, kind: Kind) -> Undisturbed {
    let out = root.join(format!("{}-whole", kind.name));
    let started = Instant::now();
    dealt(&kind.run(root, &out, &["--threads", "2"])).fine();
    Undisturbed { files: files(&out), took: started.elapsed(), kind }
}

#[test]
fn a_run_that_ends_at_any_moment_goes_on_to_the_bytes_of_one_that_does_not() {
    let root = folder("resume-ends");
    let kinds: Vec<Undisturbed> = kinds::all().into_iter().map(|kind| undisturbed(&root, kind)).collect();
    let mut dice = QuickDice::new(20_261_130, kills_wanted());
    let (mut killed, mut asked, mut resumed) = (0, 0, 0);
    for round in 0.. {
        for Undisturbed { kind, files: wanted, took } in &kinds {
            let out = root.join(format!("{}-ended", kind.name));
            let threads = if round % 2 == 0 { "2" } else { "1" };
            let arguments = kind.run(&root, &out, &["--threads", threads, "--resume", "--quiet"]);
            // At last it may come to its end.
            for attempt in 0..4 {
                let run = start(&arguments);
                let name = ["KILL", "KILL", "INT", "TERM"][dice.below(4) as usize];
                if attempt < 3 {
                    sleep(*took * dice.below(1000) / 1000);
                    signal(&run, name);
                }
                let done = ended(run);
                if done.status == 0 {
                    break;
                }
                *(if name == "KILL" { &mut killed } else { &mut asked }) += 1;
                let left = Checkpoint::read(&hidden(&out)).unwrap().or(Checkpoint::read(&out).unwrap());
                let blocks = left.map_or(0, |checkpoint| checkpoint.standing.blocks);
                resumed += u64::from(blocks > 0);
                check_what_is_left(&out, &done, name, blocks);
            }
            assert_same(wanted, &files(&out), &format!("{} in round {round}", kind.name));
            assert!(!hidden(&out).exists());
            fs::remove_dir_all(&out).unwrap();
        }
        if killed >= kills_wanted() {
            break;
        }
    }
    println!(
        "{killed} runs killed, {asked} asked to end; {resumed} of them went on behind their first block"
    );
    assert!(resumed > 0);
}

/// Who is killed says nothing; who is asked to end leaves tables of what was played, and says how to go on.
fn check_what_is_left(out: &Path, done: &Done, signal: &str, blocks: u64) {
    if signal == "KILL" {
        assert_eq!((done.status, done.err.as_str()), (-9, ""));
        return;
    }
    // Before the program has come to heed signals they end it.
    if done.status < 0 {
        assert_eq!(done.err, "");
        return;
    }
    assert_eq!(done.status, 130, "{done:?}");
    if blocks == 0 {
        assert!(done.err.contains("nothing is written") && !out.exists(), "{done:?}");
        return;
    }
    assert!(to_go_on(&done.err).contains(" --resume"), "{done:?}");
    let manifest: Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(
        (&manifest["played"]["complete"], &manifest["played"]["blocks"]),
        (&false.into(), &blocks.into())
    );
    dealt(&["report", &path_text(out)]).fine();
}

#[test]
fn the_command_that_is_printed_goes_on_even_with_a_seed_that_was_drawn() {
    let root = folder("resume it's here");
    let out = root.join("run");
    let agents = ["match", "three-thirteen", "greedy:pair=0, run=0", "random"];
    let rest = ["--games-csv", "--blocks", "150", "--out", &path_text(&out)];
    let arguments = words(&[&agents[..], &rest].concat());
    let blocks = killed(&arguments, &out, |_| true);
    assert!(blocks < 150);
    let refused = dealt(&arguments);
    refused.refused(&[
        "run holds a run that was interrupted, with ",
        "--resume goes on",
        "--force starts anew",
    ]);
    let said = in_a_shell(to_go_on(&refused.err)).fine();
    assert!(said.contains(&format!("(goes on after {blocks} blocks)")), "{said}");
    let manifest: Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    let (seed, again) = (manifest["experiment"]["seed"].to_string(), root.join("again"));
    let rest = ["--games-csv", "--blocks", "150", "--seed", &seed, "--out", &path_text(&again)];
    dealt(&[&agents[..], &rest].concat()).fine();
    assert_same(&files(&again), &files(&out), "the seed that was drawn");
    // Nothing is left to be gone on with, and that is fine.
    let said = dealt(&[&arguments[..], &words(&["--resume"])].concat()).fine();
    assert!(said.contains("run is complete already"), "{said}");
    // What a process leaves that is killed at the very end is taken away by the next.
    fs::write(out.join(STAGES), "").unwrap();
    dealt(&[&arguments[..], &words(&["--resume"])].concat()).fine();
    assert!(!out.join(STAGES).exists());
}

/// A run of more blocks than anybody waits for.
fn endless(out: &Path) -> Vec<String> {
    let arguments = ["match", "two-ten-jack", "random", "--blocks", "1000000000", "--seed", "1", "--out"];
    words(&[&arguments[..], &[&path_text(out)]].concat())
}

#[test]
fn a_second_run_to_the_same_folder_is_refused_and_told_the_process() {
    let out = folder("resume-lock").join("run");
    let mut run = start(&endless(&out));
    let process = format!("process {}", run.id());
    while !hidden(&out).join("checkpoint").exists() {
        assert!(run.try_wait().unwrap().is_none());
    }
    for more in [&[][..], &["--force"], &["--resume"]] {
        dealt(&[&endless(&out)[..], &words(more)].concat()).refused(&["run is being filled by", &process]);
    }
    run.kill().unwrap();
    assert_eq!(ended(run).status, -9);
    // The lock is gone with its process.
    let short = ["match", "two-ten-jack", "random", "--blocks", "3", "--seed", "1", "--force", "--out"];
    dealt(&[&short[..], &[&path_text(&out)]].concat()).fine();
    let names: Vec<_> =
        fs::read_dir(out.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["run"]);
}

#[test]
fn another_experiment_seed_or_version_does_not_go_on_and_is_told_what_differs() {
    let root = folder("resume-differs");
    let out = root.join("run");
    killed(&endless(&out), &out, |_| true);
    let resume = |more: &[&str]| dealt(&[&endless(&out)[..], &words(more), &words(&["--resume"])].concat());
    resume(&["--rule", "target=40"]).refused(&["`variants.0.rules.target` is 31 there, and 40 here"]);
    let other = ["match", "two-ten-jack", "random", "--blocks", "7", "--seed", "2", "--resume", "--out"];
    let seed = ["`seed` is 1 there, and 2 here", "`blocks` is 1000000000 there, and 7 here"];
    dealt(&[&other[..], &[&path_text(&out)]].concat()).refused(&seed);
    change_head(&hidden(&out), |head| head["identity"]["version"] = "0.0.9".into());
    resume(&[]).refused(&["`version` is \"0.0.9\" there, and \"0.1.0\" here"]);
    change_head(&hidden(&out), |head| head["format"] = 2.into());
    resume(&[]).refused(&["checkpoint is damaged: line 1: format 2 is not known; 1 is", "--force"]);
}

/// Changes what a checkpoint says is run.
fn change_head(folder: &Path, change: impl FnOnce(&mut Value)) {
    let path = folder.join("checkpoint");
    let bytes = fs::read(&path).unwrap();
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    let mut head: Value = from_line(&bytes[..end]).unwrap();
    change(&mut head);
    fs::write(&path, [&to_line(&head)[..], &bytes[end + 1..]].concat()).unwrap();
}

#[test]
fn a_stage_whose_last_block_was_counted_goes_on_with_the_next_even_if_its_end_was_not_noted() {
    let root = folder("resume-boundary");
    let whole = undisturbed(&root, Kind::named("sprt"));
    let out = root.join("run");
    let arguments = whole.kind.run(&root, &out, &["--resume", "--quiet"]);
    killed(&arguments, &out, |standing| standing.number > 0);
    let folder = hidden(&out);
    let mut checkpoint = Checkpoint::read(&folder).unwrap().unwrap();
    let pieces: Vec<Piece> = Pieces::of(&folder, &checkpoint)
        .unwrap()
        .map(Result::unwrap)
        .take(checkpoint.standing.number as usize)
        .collect();
    let stages = fs::read(folder.join(STAGES)).unwrap();
    let before: Vec<u8> = pieces[..pieces.len() - 1].iter().flat_map(to_line).collect();
    assert!(stages.starts_with(&before));
    checkpoint.standing.stages = Segment { bytes: before.len() as u64, sum: CheckSum::of(&before) };
    checkpoint.standing.number -= 1;
    checkpoint.standing.blocks = pieces.iter().map(Piece::len).sum();
    checkpoint.piece = pieces.last().cloned();
    let Checkpoint { head, piece, standing } = checkpoint;
    fs::write(folder.join("checkpoint"), [to_line(&head), to_line(&piece), to_line(&standing)].concat())
        .unwrap();
    // It goes on, and is killed once more behind that, unless it is too quick.
    let mut run = start(&arguments);
    while run.try_wait().unwrap().is_none() {
        let last = Checkpoint::read(&folder).unwrap();
        if last.is_some_and(|last| last.standing.blocks > standing.blocks) {
            run.kill().unwrap();
        }
    }
    dealt(&arguments).fine();
    assert_same(&whole.files, &files(&out), "after the end of a stage");
}

#[test]
fn files_that_hold_nothing_yet_need_not_be_there() {
    let root = folder("resume-nothing");
    let whole = undisturbed(&root, Kind::named("match"));
    let out = root.join("run");
    let arguments = whole.kind.run(&root, &out, &["--resume", "--quiet"]);
    killed(&arguments, &out, |_| true);
    // A process that goes on takes such files away and makes them anew, and may be killed in between.
    fs::remove_file(hidden(&out).join(STAGES)).unwrap();
    dealt(&arguments).fine();
    assert_same(&whole.files, &files(&out), "without an empty file");
}

#[test]
fn a_damaged_file_is_refused_by_name_and_goes_on_never() {
    let root = folder("resume-damaged");
    let kind = Kind::named("sprt");
    let out = root.join("run");
    let arguments = kind.run(&root, &out, &["--resume", "--quiet"]);
    killed(&arguments, &out, |_| true);
    let whole = files(&hidden(&out));
    for name in ["checkpoint", "stages", "games.csv", "records.jsonl"] {
        let path = hidden(&out).join(name);
        let content = &whole[name];
        let counted = match name {
            "checkpoint" => content.len(),
            // What a killed process has written behind its last checkpoint does not count.
            _ => counted_bytes(&hidden(&out), name),
        };
        if counted == 0 {
            continue;
        }
        let changed = |at: usize| {
            let mut changed = content.clone();
            changed[at] ^= 0x20;
            changed
        };
        let cut = content[..counted - 1].to_vec();
        for damaged in (0..4).map(|part| changed(counted * part / 4)).chain([cut]) {
            fs::write(&path, damaged).unwrap();
            dealt(&arguments).refused(&[name]);
            fs::write(&path, content).unwrap();
        }
    }
    dealt(&arguments).fine();
}

/// How much of a file its checkpoint counts.
fn counted_bytes(folder: &Path, name: &str) -> usize {
    let checkpoint = Checkpoint::read(folder).unwrap().unwrap();
    if name == STAGES {
        return checkpoint.standing.stages.bytes as usize;
    }
    let file = ["games.csv", "records.jsonl"].iter().position(|known| *known == name).unwrap();
    let added = Pieces::of(folder, &checkpoint).unwrap().map(|piece| piece.unwrap().files[file].bytes);
    added.sum::<u64>() as usize
}

#[test]
fn no_change_of_a_byte_of_a_checkpoint_is_taken_for_another_checkpoint() {
    let root = folder("resume-bytes");
    let out = root.join("run");
    let kind = Kind::named("tune");
    killed(&kind.run(&root, &out, &["--resume", "--quiet"]), &out, |_| true);
    let folder = hidden(&out);
    let whole = fs::read(folder.join("checkpoint")).unwrap();
    let right = Checkpoint::read(&folder).unwrap().unwrap();
    let mut dice = QuickDice::new(7, 7);
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1 << dice.below(8);
        fs::write(folder.join("checkpoint"), &changed).unwrap();
        assert!(Checkpoint::read(&folder).is_err(), "byte {at}");
        fs::write(folder.join("checkpoint"), &whole[..at]).unwrap();
        assert!(Checkpoint::read(&folder).is_err(), "{at} bytes");
    }
    let stages = fs::read(folder.join(STAGES)).unwrap();
    let counted = right.standing.stages.bytes as usize;
    for at in 0..counted {
        let mut changed = stages.clone();
        changed[at] ^= 1 << dice.below(8);
        fs::write(folder.join(STAGES), &changed).unwrap();
        assert!(Pieces::of(&folder, &right).unwrap().any(|piece| piece.is_err()), "byte {at} of stages");
    }
}

#[test]
#[cfg(unix)]
fn a_disk_that_is_full_is_named_and_the_run_goes_on_when_there_is_space() {
    let root = folder("resume-full");
    let kind = Kind::named("match");
    let whole = undisturbed(&root, kind);
    let out = root.join("run");
    let arguments = kind.run(&root, &out, &["--quiet"]);
    let quoted: Vec<String> = arguments.iter().map(|word| format!("'{word}'")).collect();
    let limit = whole.files["records.jsonl"].len() / 512 * 2 / 3;
    // Files may grow no further than this; a program that is not told so by a signal finds its writes refused.
    let limited = format!(
        "trap '' XFSZ; ulimit -f {limit}; exec '{}' {}",
        env!("CARGO_BIN_EXE_dealt"),
        quoted.join(" ")
    );
    let done = in_a_shell(&limited);
    done.refused(&["cannot write ", "records.jsonl: "]);
    assert!(!out.exists() && hidden(&out).exists());
    in_a_shell(to_go_on(&done.err)).fine();
    assert_same(&whole.files, &files(&out), "after a full disk");
}

#[test]
#[cfg(unix)]
fn a_full_disk_leaves_the_page_and_the_ratings_that_were_there_and_no_trace_of_a_run_that_was_refused() {
    let root = folder("resume-full-after");
    let kind = Kind::named("tournament");
    let out = root.join("run");
    dealt(&kind.run(&root, &out, &["--quiet"])).fine();
    let made = ["rate", "report"].map(|word| vec![word.to_owned(), path_text(&out)]);
    made.iter().for_each(|arguments| drop(dealt(arguments).fine()));
    let before = files(&out);
    let with_no_space = |arguments: &[String]| {
        let quoted: Vec<String> = arguments.iter().map(|word| format!("'{word}'")).collect();
        let dealt = env!("CARGO_BIN_EXE_dealt");
        in_a_shell(&format!("trap '' XFSZ; ulimit -f 0; exec '{dealt}' {}", quoted.join(" ")))
    };
    for (arguments, name) in made.iter().zip(["ratings.csv", "report.html"]) {
        with_no_space(arguments).refused(&["cannot write ", name]);
        assert_same(&before, &files(&out), name);
        fs::remove_file(out.join(name)).unwrap();
        with_no_space(arguments).refused(&["cannot write ", name]);
        assert!(!out.join(name).exists() && !out.join(format!(".{name}.new")).exists(), "{name}");
        dealt(arguments).fine();
        assert_same(&before, &files(&out), name);
    }
    with_no_space(&kind.run(&root, &root.join("fresh"), &["--quiet"]))
        .refused(&["cannot lock ", ".fresh.lock"]);
    let mut left = fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(left.all(|name| !name.to_string_lossy().contains("fresh")));
}

#[test]
fn an_older_run_stays_until_its_successor_is_complete() {
    let root = folder("resume-older");
    let out = root.join("run");
    let short = ["match", "two-ten-jack", "random", "--blocks", "3", "--seed", "1", "--quiet", "--out"];
    dealt(&[&short[..], &[&path_text(&out)]].concat()).fine();
    let older = files(&out);
    let kind = Kind::named("gauntlet");
    let forced = kind.run(&root, &out, &["--force", "--quiet"]);
    let run = start(&forced);
    while Checkpoint::read(&hidden(&out)).unwrap().is_none_or(|checkpoint| checkpoint.standing.blocks == 0) {}
    signal(&run, "INT");
    let done = ended(run);
    assert_eq!(done.status, 130, "{done:?}");
    assert_same(&older, &files(&out), "the older run");
    assert!(done.err.contains(".run.partial"), "{done:?}");
    in_a_shell(to_go_on(&done.err)).fine();
    let whole = undisturbed(&root, kind);
    assert_same(&whole.files, &files(&out), "the run that replaced it");
}
