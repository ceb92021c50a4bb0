//! `dealt merge` and `dealt missing`: one run out of the parts that several machines have played, and what is missing of it.

use std::io::Write;
use std::path::{Path, PathBuf};

use dealt::figures::counted;
use dealt::results::Folder;
use dealt::results::checkpoint::{Head, Shard};
use dealt::results::folder::{Approach, Opened};
use dealt::results::merge::{Damaged, Left, Parts, Source};
use dealt::results::timings::Timings;

use crate::again;
use crate::cli::{Merge, Missing};
use crate::commands::run::{print_findings, print_heading, wrong};
use crate::config::settle_again;
use crate::failure::Failure;

const NO_PART: &str = "none of the folders holds a part of a run";

/// Puts parts together.
pub(crate) fn merge(given: Merge, out: &mut dyn Write) -> Result<(), Failure> {
    let Merge { folders, out: target, force, quiet } = given;
    if let Some(part) = folders.iter().find(|part| is_same(part, &target)) {
        return Err(Failure::wrong(format!(
            "--out {} is one of the parts ({}), which would be lost; --out takes another folder",
            target.display(),
            part.display()
        )));
    }
    let parts = Parts::gather(&folders).map_err(wrong)?;
    let Some(head) = parts.head() else { return Err(Failure::wrong(NO_PART.to_owned())) };
    let head = Head { shard: None, ..head.clone() };
    let mut study = settle_again(&head)?;
    let approach = if force { Approach::Force } else { Approach::Careful };
    let opened = Folder::open(&target, head.clone(), study.experiment().outputs, approach).map_err(wrong)?;
    let Opened::Folder(mut folder) = opened else { return Ok(()) };
    parts.merge(&mut *study, &mut folder).map_err(|error| match to_be_played(&parts, &head) {
        Some(commands) => Failure::wrong(format!("{error}{commands}")),
        None => wrong(error),
    })?;
    if folder.blocks() == 0 {
        return Err(Failure::wrong("the folders hold no block".to_owned()));
    }
    let timings = Timings { elapsed: folder.elapsed(), threads: None };
    let (findings, forfeits) = (study.findings(), folder.forfeit_count());
    let written = if findings.complete {
        folder.finish(&*study, &findings, &timings)
    } else {
        folder.leave(&*study, &findings, &timings, force)
    };
    let folder = written.map_err(wrong)?;
    if !quiet {
        print_heading(&*study, &[], 0, out)?;
        print_findings(&findings, forfeits, &timings, &folder, out)?;
    }
    if findings.complete {
        return Ok(());
    }
    let left: u64 = study.ahead().iter().map(dealt::run::Stage::len).sum();
    out.flush()?;
    let next = of_a_part(&head.command, "I/N", Some(&folder), "DIR");
    Err(Failure::GoesOn(format!(
        "not complete yet: {} to be played next\nto play a part: {next}",
        counted(left, "block")
    )))
}

/// Whether two paths lead to the same place that is there.
fn is_same(one: &Path, other: &Path) -> bool {
    one == other || matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// The commands that play what is missing, if that is why parts cannot be merged.
fn to_be_played(parts: &Parts, head: &Head) -> Option<String> {
    let left = parts.replay(&mut *settle_again(head).ok()?, parts.shards()?).ok()??;
    let after = follows(parts, left.stage);
    let command = |shard: &Shard| {
        format!("\nto play it: {}", of_a_part(&head.command, &shard.to_string(), after, "DIR"))
    };
    Some(left.shards.iter().map(command).collect())
}

/// The folder of the stages before that shards of this stage follow, if there are any.
fn follows(parts: &Parts, stage: u64) -> Option<&Path> {
    let before = |source: &&Source| stage > 0 && source.is_whole() && source.stages() == stage;
    parts.sources.iter().find(before).map(|source| source.given.as_path())
}

/// Lists what is missing: a line for each shard, in columns with tabs between.
pub(crate) fn missing(given: &Missing, out: &mut dyn Write) -> Result<(), Failure> {
    let Missing { folders, of } = given;
    let parts = Parts::survey(folders).map_err(wrong)?;
    let Some(head) = parts.head() else { return nothing_known(&parts, *of, out) };
    let mut study = settle_again(head)?;
    let left = parts.replay(&mut *study, *of).map_err(wrong)?;
    let Some(Left { stage, mut shards }) = left.or_else(|| needless(&parts)) else { return Ok(()) };
    // One that is damaged is to be named even where others hold the same blocks: it cannot be merged with them.
    let all_damaged = parts.damaged.iter().filter_map(shard_of).filter(|shard| shard.of == *of);
    shards.extend(all_damaged);
    shards.sort_by_key(|shard| shard.number);
    shards.dedup();
    let after = follows(&parts, stage);
    let is_next = stage > 0 && after.is_none();
    for shard in &shards {
        let damaged = parts.damaged.iter().find(|damaged| shard_of(damaged) == Some(*shard));
        let begun = parts
            .sources
            .iter()
            .find(|source| source.checkpoint.head.shard == Some(*shard) && !source.is_settled());
        let state = match (damaged, begun) {
            (Some(damaged), _) => format!("damaged\t{}", damaged.given.display()),
            (None, Some(source)) => format!("begun\t{}", source.given.display()),
            (None, None) if is_next => "next\t".to_owned(),
            (None, None) => "missing\t".to_owned(),
        };
        writeln!(out, "{shard}\t{stage}\t{state}")?;
    }
    out.flush()?;
    if shards.is_empty() {
        let why = "nothing is left to be played, but these cannot be merged";
        return Err(Failure::No(format!("{why}:{}", told(&parts.damaged))));
    }
    let hint = if is_next {
        format!("merge what is complete first: dealt merge {} --out DIR", shown(folders))
    } else {
        format!("to play one: {}", of_a_part(&head.command, "I/N", after, "DIR"))
    };
    let shards = counted(shards.len() as u64, "shard");
    Err(Failure::No(format!("{shards} of stage {stage} to be played; {hint}{}", told(&parts.damaged))))
}

/// Nothing is left to be played, but there are folders to be told of.
fn needless(parts: &Parts) -> Option<Left> {
    (!parts.damaged.is_empty()).then(|| Left { stage: 0, shards: Vec::new() })
}

/// Lists what is missing where no folder says of what: all of it, unless they hold something that cannot be read.
fn nothing_known(parts: &Parts, of: u64, out: &mut dyn Write) -> Result<(), Failure> {
    if !parts.damaged.is_empty() {
        return Err(Failure::wrong(format!("{NO_PART} that can be read{}", told(&parts.damaged))));
    }
    for number in 0..of {
        writeln!(out, "{}\t0\tmissing\t", Shard { number, of })?;
    }
    out.flush()?;
    let all = counted(of, "shard");
    Err(Failure::No(format!(
        "none of the folders is there: {all} to be played; to play one: dealt run FILE --shard I/N --out DIR"
    )))
}

/// Which shard it was, as far as that can be read.
fn shard_of(damaged: &Damaged) -> Option<Shard> {
    damaged.head.as_ref().and_then(|head| head.shard)
}

/// A line for each folder that is damaged.
fn told(damaged: &[Damaged]) -> String {
    let line = |Damaged { error, .. }: &Damaged| format!("\n{error}; with --force its shard is played again");
    damaged.iter().map(line).collect()
}

/// The command that plays a part of a run.
fn of_a_part(command: &[String], shard: &str, after: Option<&Path>, folder: &str) -> String {
    let after = after
        .map_or_else(String::new, |after| format!(" --after {}", again::quoted(&after.to_string_lossy())));
    again::with(command, &format!("--shard {shard}{after} --out {folder}"))
}

fn shown(folders: &[PathBuf]) -> String {
    let folders: Vec<String> =
        folders.iter().map(|folder| again::quoted(&folder.to_string_lossy())).collect();
    folders.join(" ")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;
    use dealt::results::checkpoint::{CHECKPOINT, STAGES};
    use dealt::results::lines::CheckSum;
    use serde_json::Value;

    use super::*;
    use crate::cli::Cli;
    use crate::fuzzing::Reader;

    /// Apart the two files of an input stands a line of this.
    const APART: &str = "\n--\n";
    const MATCH: &str = "game = \"two-ten-jack\"\nagents = [\"random\", \"random\"]\nseed = 1\nblocks = 4\n\
                         rules = { deals = 1 }\n";
    const SPRT: &str = "kind = \"sprt\"\ngame = \"two-ten-jack\"\nagents = [\"greedy\", \"random\"]\nseed = 1\n\
                        blocks = 20\nrules = { deals = 1 }\nsprt = { elo = [0, 5], batch = 10 }\n";

    /// Plays a run in one shard; the files that say what it is, without check sums.
    fn shard(folder: &Path, name: &str, text: &str) -> Vec<u8> {
        let file = folder.join(format!("{name}.toml"));
        fs::write(&file, text).unwrap();
        let out = folder.join(name);
        let words =
            ["dealt", "run", file.to_str().unwrap(), "--shard", "0/1", "--out", out.to_str().unwrap()];
        let given = Cli::try_parse_from(words.iter().chain(&["--threads", "1", "--quiet"])).unwrap();
        crate::obey(given.command, &mut Vec::new()).unwrap();
        let payload = |name: &str| {
            let text = fs::read_to_string(out.join(name)).unwrap();
            text.lines().map(|line| line.split_once(' ').unwrap().1.to_owned()).collect::<Vec<_>>().join("\n")
        };
        format!("{}{APART}{}", payload(CHECKPOINT), payload(STAGES)).into_bytes()
    }

    /// Each line with its check sum in front, but for those that begin with an exclamation mark.
    fn framed(payload: &str) -> String {
        let line = |line: &str| match line.strip_prefix('!') {
            Some(raw) => format!("{raw}\n"),
            None => format!("{:016x} {line}\n", CheckSum::of(line.as_bytes())),
        };
        payload.lines().map(line).collect()
    }

    /// Writes the files of an input into a folder, where the checkpoint counts all that there is of the other file.
    fn write(folder: &Path, input: &[u8]) {
        let text = String::from_utf8_lossy(input);
        let (checkpoint, stages) = text.split_once(APART).unwrap_or((&text, ""));
        let stages = framed(stages);
        let mut lines: Vec<String> = checkpoint.lines().map(str::to_owned).collect();
        if let Some(Ok(mut standing)) = lines.get(2).map(|line| serde_json::from_str::<Value>(line))
            && standing["stages"]["bytes"].is_u64()
        {
            standing["stages"]["bytes"] = stages.len().into();
            lines[2] = standing.to_string();
        }
        fs::write(folder.join(CHECKPOINT), framed(&lines.join("\n"))).unwrap();
        fs::write(folder.join(STAGES), stages).unwrap();
    }

    #[test]
    fn any_bytes_are_a_part_of_a_run_or_refused_with_their_file() {
        let folder = std::env::temp_dir().join(format!("dealt-parts-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("part")).unwrap();
        let parts = vec![shard(&folder, "match", MATCH), shard(&folder, "sprt", SPRT)];
        let pieces = &[
            "{",
            "}",
            "[",
            "]",
            "\"",
            ":",
            ",",
            "null",
            "0",
            "1",
            "2",
            "-1",
            "*2",
            "18446744073709551615",
            "9223372036854775807",
            "170141183460469231731687303715884105727",
            "1e9",
            "!",
            "\n",
            "\n--\n",
            "\"of\":2",
            "\"of\":0",
            "\"stage\":",
            "\"blocks\":{\"start\":0,\"end\":4}",
            "\"finished\":true",
            "\"shard\":null",
            "\"seed\":",
            "\"kind\":\"tune\"",
        ];
        let reader = Reader { name: "parts", pieces, rounds: 1500 };
        let folders = vec![folder.join("part")];
        let reasons = reader.try_all(parts, |bytes| {
            write(&folder.join("part"), bytes);
            let mut out = Vec::new();
            let list = missing(&Missing { folders: folders.clone(), of: 1 }, &mut out);
            let target = folder.join("merged");
            let _ = fs::remove_dir_all(&target);
            let merged =
                merge(Merge { folders: folders.clone(), out: target, force: true, quiet: false }, &mut out);
            [list, merged].map(|done| done.err().map_or_else(String::new, Failure::message)).into()
        });
        fs::remove_dir_all(&folder).unwrap();
        assert!(reasons.len() > 10, "{} reasons", reasons.len());
    }
}
