//! Runs that several machines share, put together to the bytes of one.

use std::fs;
use std::path::{Path, PathBuf};

use crate::outside::kinds::Kind;
use crate::outside::{self, Done, Files, assert_same, command, dealt, files, folder, path_text};

/// A run that is split into shards, round after round, in folders of its own.
struct Split<'r> {
    kind: Kind,
    root: &'r Path,
    name: String,
    shards: u64,
    threads: &'r str,
}

impl Split<'_> {
    fn folder(&self, round: usize, shard: u64) -> PathBuf {
        self.root.join(format!("{}-{round}-{shard}", self.name))
    }

    fn merged(&self, round: usize) -> PathBuf {
        self.root.join(format!("{}-{round}-merged", self.name))
    }

    /// The arguments that play a shard of a round.
    fn shard(&self, round: usize, shard: u64) -> Vec<String> {
        let number = format!("{shard}/{}", self.shards);
        let mut more = vec!["--shard", &number, "--quiet", "--threads", self.threads];
        let after = round.checked_sub(1).map(|before| path_text(&self.merged(before)));
        if let Some(after) = &after {
            more.extend(["--after", after]);
        }
        self.kind.run(self.root, &self.folder(round, shard), &more)
    }

    /// Merges a round.
    fn merge(&self, round: usize) -> Done {
        let mut arguments = vec!["merge".to_owned(), "--quiet".to_owned()];
        arguments.extend(round.checked_sub(1).map(|before| path_text(&self.merged(before))));
        // In whatever order.
        arguments.extend((0..self.shards).rev().map(|shard| path_text(&self.folder(round, shard))));
        arguments.extend(["--out".to_owned(), path_text(&self.merged(round))]);
        dealt(&arguments)
    }

    /// Plays and merges round after round. How many there were, and what came of them.
    fn play(&self) -> (usize, Files) {
        for round in 0.. {
            for shard in 0..self.shards {
                let mut run = command(&self.shard(round, shard));
                if shard % 2 == 1 {
                    // As on an older processor: what decides must not depend on how a library multiplies there.
                    run.env("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable");
                }
                Done::of(run.output().unwrap()).fine();
            }
            let done = self.merge(round);
            if done.status == 0 {
                return (round + 1, files(&self.merged(round)));
            }
            done.failed_quietly(3, "to play a part: ");
        }
        unreachable!("the rounds come to an end")
    }
}

#[test]
fn shards_of_any_number_and_threads_merge_to_the_bytes_of_one_run() {
    let root = folder("shards-laws");
    for (name, rounds) in
        [("match", 1), ("tournament", 1), ("gauntlet", 1), ("sweep", 1), ("sprt", 8), ("tune", 7)]
    {
        let kind = Kind::named(name);
        let whole = root.join(format!("{name}-whole"));
        dealt(&kind.run(&root, &whole, &["--quiet"])).fine();
        for (shards, threads) in [(1, "1"), (2, "2"), (7, "1"), (16, "2")] {
            let split = Split { kind, root: &root, name: format!("{name}-{shards}"), shards, threads };
            let (played, found) = split.play();
            assert_same(&files(&whole), &found, &split.name);
            assert!(played <= rounds && (rounds == 1 || played > 1), "{name}: {played} rounds");
        }
    }
}

fn two_shards<'r>(root: &'r Path, name: &str) -> Split<'r> {
    Split { kind: Kind::named("tournament"), root, name: name.to_owned(), shards: 2, threads: "2" }
}

#[test]
fn gaps_overlaps_and_shards_of_other_runs_are_refused_and_duplicates_count_once() {
    let root = folder("shards-refused");
    let split = Split { shards: 4, ..two_shards(&root, "four") };
    let play = |split: &Split<'_>, shard: u64| {
        dealt(&split.shard(0, shard)).fine();
        path_text(&split.folder(0, shard))
    };
    let four: Vec<String> = (0..4).map(|shard| play(&split, shard)).collect();
    let two = two_shards(&root, "two");
    let halves: Vec<String> = (0..2).map(|shard| play(&two, shard)).collect();
    let merge = |folders: &[&String], out: &str| {
        let folders = folders.iter().map(|folder| folder.as_str());
        let out = path_text(&root.join(out));
        dealt(&["merge"].into_iter().chain(folders).chain(["--out", &out]).collect::<Vec<_>>())
    };
    let whole = root.join("whole");
    dealt(&split.kind.run(&root, &whole, &[])).fine();
    merge(&[&four[0], &four[1], &four[3]], "gap").refused(&[
        "blocks 60 to 90 of stage 0 are missing",
        "to play it: ",
        " --shard 2/4 --out DIR",
    ]);
    assert!(!root.join("gap").exists() && !root.join(".gap.partial").exists());
    merge(&[&four[0], &four[1], &halves[0], &halves[1]], "over").refused(&[
        "overlap",
        "blocks 0 to 30",
        "blocks 0 to 60",
    ]);
    // Parts of different splits, and one of them twice.
    merge(&[&halves[0], &four[2], &four[3], &four[2]], "mixed").fine();
    assert_same(&files(&whole), &files(&root.join("mixed")), "shards of two splits");
    let other = Split { name: "other".to_owned(), ..two_shards(&root, "") };
    let seed = [&other.shard(0, 1)[..], &["--seed".to_owned(), "9".to_owned()]].concat();
    dealt(&seed).fine();
    let other = path_text(&other.folder(0, 1));
    merge(&[&halves[0], &other], "seeds").refused(&["other-0-1 is of another run than ", "`seed` is "]);
    // A folder that is none, one that is complete, and one that is not closed.
    let (nothing, complete) = (path_text(&root.join("nothing")), path_text(&whole));
    merge(&[&halves[0], &nothing], "none").refused(&["nothing holds no part of a run"]);
    merge(&[&halves[0], &complete], "none").refused(&["whole holds the complete results of a run"]);
    damaged_shards_are_refused(&root, &halves, &merge);
}

/// Damages each file of a shard.
fn damaged_shards_are_refused(root: &Path, halves: &[String], merge: &dyn Fn(&[&String], &str) -> Done) {
    for name in ["checkpoint", "stages", "games.csv"] {
        let path = Path::new(&halves[1]).join(name);
        let content = fs::read(&path).unwrap();
        for at in [content.len() / 3, content.len() - 2] {
            let mut damaged = content.clone();
            damaged[at] ^= 1;
            fs::write(&path, damaged).unwrap();
            merge(&[&halves[0], &halves[1]], "damaged").refused(&[name]);
            fs::write(&path, &content[..at]).unwrap();
            merge(&[&halves[0], &halves[1]], "damaged").refused(&[name]);
        }
        fs::write(&path, content).unwrap();
    }
    assert!(!root.join("damaged").exists());
    merge(&[&halves[0], &halves[1]], "damaged").fine();
}

#[test]
fn what_is_missing_is_listed_shard_by_shard_until_nothing_is() {
    let root = folder("shards-missing");
    let split = Split { kind: Kind::named("sprt"), shards: 3, ..two_shards(&root, "sprt") };
    let missing = |folders: &[PathBuf]| {
        let folders = folders.iter().map(|folder| path_text(folder));
        dealt(
            &["missing".to_owned()]
                .into_iter()
                .chain(folders)
                .chain(["--of".into(), "3".into()])
                .collect::<Vec<_>>(),
        )
    };
    let first: Vec<PathBuf> = (0..3).map(|shard| split.folder(0, shard)).collect();
    dealt(&split.shard(0, 1)).fine();
    let done = missing(&first);
    done.failed(1, &["2 shards of stage 0 to be played; to play one: ", " --shard I/N --out DIR"]);
    assert_eq!(done.out, "0/3\t0\tmissing\t\n2/3\t0\tmissing\t\n");
    [0, 2].into_iter().for_each(|shard| drop(dealt(&split.shard(0, shard)).fine()));
    let done = missing(&first);
    done.failed(1, &["3 shards of stage 1 to be played; merge what is complete first: dealt merge "]);
    assert_eq!(done.out, "0/3\t1\tnext\t\n1/3\t1\tnext\t\n2/3\t1\tnext\t\n");
    assert_eq!(split.merge(0).status, 3);
    let done = missing(&[split.merged(0), split.folder(1, 0)]);
    done.failed(1, &["3 shards of stage 1 to be played; to play one: ", " --after "]);
    assert_eq!(done.out, "0/3\t1\tmissing\t\n1/3\t1\tmissing\t\n2/3\t1\tmissing\t\n");
    let tournament = two_shards(&root, "tournament");
    let folders = [tournament.folder(0, 0), tournament.folder(0, 1)];
    (0..2).for_each(|shard| drop(dealt(&tournament.shard(0, shard)).fine()));
    assert_eq!(missing(&folders).fine(), "");
    let done = missing(&[root.join("nowhere")]);
    done.failed(1, &["none of the folders is there: 3 shards to be played", "--shard I/N --out DIR"]);
    assert_eq!(done.out, "0/3\t0\tmissing\t\n1/3\t0\tmissing\t\n2/3\t0\tmissing\t\n");
    fs::create_dir(root.join("empty")).unwrap();
    missing(&[root.join("empty")]).refused(&["empty holds no part of a run"]);
}

#[test]
fn a_damaged_shard_is_named_by_missing_and_resume_and_force_plays_it_again() {
    let root = folder("shards-damaged");
    let split = Split { kind: Kind::named("match"), ..two_shards(&root, "half") };
    let folders = [split.folder(0, 0), split.folder(0, 1)];
    let play = |shard: u64, more: &str| dealt(&[split.shard(0, shard), vec![more.to_owned()]].concat());
    (0..2).for_each(|shard| drop(play(shard, "--resume").fine()));
    let missing = |folders: &[&Path]| {
        let folders = folders.iter().map(|folder| path_text(folder));
        let all = ["missing".to_owned()].into_iter().chain(folders);
        dealt(&all.chain(["--of".into(), "2".into()]).collect::<Vec<_>>())
    };
    let both = [folders[0].as_path(), folders[1].as_path()];
    assert_eq!(missing(&both).fine(), "");
    let whole = files(&folders[1]);
    assert_eq!(play(1, "--resume").fine(), "");
    let line = format!("1/2\t0\tdamaged\t{}\n", folders[1].display());
    for name in ["games.csv", "records.jsonl", "stages", "checkpoint"] {
        let content = &whole[name];
        let flipped = |at: usize| {
            let mut changed = content.clone();
            changed[at] ^= 1;
            Some(changed)
        };
        let cases =
            [flipped(content.len() / 3), flipped(5), Some(content[..content.len() / 2].to_vec()), None];
        for case in cases {
            let path = folders[1].join(name);
            match &case {
                Some(bytes) => fs::write(&path, bytes).unwrap(),
                None => fs::remove_file(&path).unwrap(),
            }
            let listed = missing(&both);
            listed.failed(
                1,
                &["1 shard of stage 0 to be played", name, "with --force its shard is played again"],
            );
            // Where the line that says which shard it was is gone, it is one that is missing.
            assert!(
                listed.out == line || name == "checkpoint" && listed.out == "1/2\t0\tmissing\t\n",
                "{listed:?}"
            );
            let twice = missing(&[both[0], both[1], both[0]]);
            assert_eq!((twice.status, twice.out), (1, listed.out));
            play(1, "--resume").refused(&[name, "--force starts anew"]);
            dealt(&[
                "merge",
                &path_text(both[0]),
                &path_text(both[1]),
                "--out",
                &path_text(&root.join("no")),
            ])
            .refused(&["half-0-1"]);
            assert_eq!(play(1, "--force").fine(), "");
            assert_eq!(missing(&both).fine(), "");
            assert_same(&whole_of(&whole), &whole_of(&files(&folders[1])), name);
        }
    }
    // What a run would not have written is not replaced, whatever stands beside it.
    fs::remove_file(folders[1].join("checkpoint")).unwrap();
    fs::write(folders[1].join("notes.txt"), "mine").unwrap();
    play(1, "--force").refused(&["half-0-1 exists and is no results folder"]);
    fs::remove_file(folders[1].join("notes.txt")).unwrap();
    fs::write(folders[1].join("stages"), "first the overture\n").unwrap();
    play(1, "--force").refused(&["half-0-1 exists and is no results folder"]);
    assert_eq!(fs::read_to_string(folders[1].join("stages")).unwrap(), "first the overture\n");
}

/// The files of a shard that do not tell the time.
fn whole_of(files: &Files) -> Files {
    files
        .iter()
        .filter(|(name, _)| *name != "checkpoint")
        .map(|(name, bytes)| (name.clone(), bytes.clone()))
        .collect()
}

#[test]
fn parts_are_never_replaced_by_what_is_merged_from_them() {
    let root = folder("shards-onto");
    let split = two_shards(&root, "half");
    let folders = [split.folder(0, 0), split.folder(0, 1)];
    (0..2).for_each(|shard| drop(dealt(&split.shard(0, shard)).fine()));
    let before = folders.each_ref().map(|folder| files(folder));
    let [one, other] = folders.each_ref().map(|folder| path_text(folder));
    let detour = path_text(&folders[1].join("../half-0-0"));
    for out in [&one, &other, &detour] {
        let done = dealt(&["merge", &one, &other, "--out", out, "--force"]);
        done.refused(&["is one of the parts", "--out takes another folder"]);
    }
    assert_eq!(before, folders.each_ref().map(|folder| files(folder)));
    let merged = path_text(&root.join("merged"));
    (0..2).for_each(|_| drop(dealt(&["merge", &one, &other, "--out", &merged, "--force"]).fine()));
}

#[test]
fn a_shard_needs_a_seed_and_a_folder_and_a_number_below_their_count() {
    let root = folder("shards-flags");
    let out = path_text(&root.join("out"));
    let with = |more: &[&str]| {
        let run = ["match", "two-ten-jack", "random", "--blocks", "4"];
        dealt(&[&run[..], more].concat())
    };
    with(&["--shard", "0/2", "--out", &out]).refused(&["--shard needs a seed", "--seed S"]);
    for wrong in ["2/2", "-1/2", "0/0", "1", "a/b", "0/1000001", "1/2/3", ""] {
        with(&["--seed", "1", "--out", &out, &format!("--shard={wrong}")])
            .refused(&["--shard cannot be", "0/16 to 15/16"]);
    }
    assert_eq!(with(&["--seed", "1", "--shard", "0/2"]).status, 2);
    with(&["--seed", "1", "--shard", "0/2", "--out", &out, "--after", &path_text(&root)])
        .refused(&["holds no stages that a shard could follow"]);
}

#[test]
fn a_merged_folder_of_earlier_stages_is_readable_and_one_machine_can_go_on_with_it() {
    let root = folder("shards-on");
    let split = Split { kind: Kind::named("tune"), ..two_shards(&root, "tune") };
    (0..2).for_each(|shard| drop(dealt(&split.shard(0, shard)).fine()));
    assert_eq!(split.merge(0).status, 3);
    let merged = split.merged(0);
    dealt(&["report", &path_text(&merged)]).fine();
    let whole = root.join("whole");
    dealt(&split.kind.run(&root, &whole, &["--quiet"])).fine();
    dealt(&split.kind.run(&root, &merged, &["--quiet", "--resume"])).fine();
    assert_same(&files(&whole), &files(&merged), "gone on with by one machine");
}

#[test]
fn what_searches_think_does_not_depend_on_how_a_library_multiplies() {
    let root = folder("shards-processor");
    let agents = "[\"flat-mc:worlds=4\", \"mcts:worlds=2,iterations=30\", \"ismcts:iterations=60\", \"oracle:iterations=20\"]";
    let text = format!(
        "game = \"hearts\"\nagents = {agents}\nseed = 9\nblocks = 3\nrules = {{ deals = 1 }}\n\
         [outputs]\nrecords = \"all\"\nnotes = true\n"
    );
    let file = outside::write(&root, "searches.toml", &text);
    let [usual, older] = ["usual", "older"].map(|name| {
        let out = root.join(name);
        let mut run = command(&["run", &file, "--quiet", "--out", &path_text(&out)]);
        if name == "older" {
            run.env("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable");
        }
        Done::of(run.output().unwrap()).fine();
        files(&out)
    });
    assert!(String::from_utf8_lossy(&usual["records.jsonl"]).matches("\"visits\":").count() > 100);
    assert_same(&usual, &older, "older");
}
