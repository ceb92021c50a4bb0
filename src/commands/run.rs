//! `dealt run` and `dealt match`: pursues a study, or a part of it, keeps what comes of it and says what it means.

use std::error::Error;
use std::fmt::Display as Shown;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;

use dealt::experiment::Records;
use dealt::figures::{count, counted};
use dealt::record::Scribe;
use dealt::recorder::NoRecorder;
use dealt::results::checkpoint::Shard;
use dealt::results::folder::Opened;
use dealt::results::timings::Timings;
use dealt::results::{self, Folder, FolderError, merge};
use dealt::run::RunError;
use dealt::study::pursue::{Start, go_on};
use dealt::study::share::Share;
use dealt::study::{Effort, Findings, Study};

use crate::again;
use crate::config::Settings;
use crate::failure::Failure;
use crate::progress::Display;

/// How a run is played and told of.
struct Manner {
    threads: NonZeroUsize,
    quiet: bool,
    /// What was decided for the user.
    notes: Vec<String>,
    /// The command that goes on.
    resume: String,
}

/// Does it.
pub(crate) fn run(settings: Settings, out: &mut dyn Write) -> Result<(), Failure> {
    let Settings { mut study, threads, out: target, approach, head, after, quiet, notes } = settings;
    let manner = Manner { threads, quiet, notes, resume: again::with(&again::command(), "--resume") };
    let start = match &after {
        Some(folder) => merge::replay_stages(folder, &head, &mut *study).map_err(wrong)?,
        None => Start::default(),
    };
    let shard = head.shard;
    let opened = Folder::open(&target, head, study.experiment().outputs, approach);
    let mut folder = match opened {
        Ok(Opened::Folder(folder)) => *folder,
        Ok(Opened::Complete) => {
            if !quiet {
                writeln!(out, "{} is complete already", target.display())?;
            }
            return Ok(());
        }
        Err(error @ FolderError::Interrupted { .. }) => return Err(manner.wrong(error, 1)),
        Err(error @ FolderError::Damaged(..)) => {
            let hint = "--force starts anew, --out DIR writes elsewhere";
            return Err(Failure::wrong(format!("{error}; {hint}")));
        }
        Err(error) => return Err(wrong(error)),
    };
    let Some(shard) = shard else {
        manner.pursue(&mut *study, start.stage, &mut folder, out)?;
        return manner.report(&*study, folder, out);
    };
    let mut share = Share::new(&*study, shard, start.games);
    manner.pursue(&mut share, start.stage, &mut folder, out)?;
    manner.close(&share, shard, folder, out)
}

impl Manner {
    /// Plays what is left of a study.
    fn pursue(
        &self,
        study: &mut dyn Study,
        first: u64,
        folder: &mut Folder,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let start = folder.replay(study, first).map_err(wrong)?;
        if !self.quiet {
            print_heading(study, &self.notes, folder.blocks(), out)?;
            out.flush()?;
        }
        Display::heed_interrupts();
        let display = Display::new(self.quiet);
        let go_on = match study.experiment().outputs.records {
            Records::None => go_on::<NoRecorder>,
            Records::First(_) | Records::All => go_on::<Scribe>,
        };
        let played = go_on(study, start, self.threads, folder, &display);
        display.finish();
        match played {
            Ok(_) => Ok(()),
            Err(RunError::Foul(foul, record)) => {
                let kept = match results::keep_fault(folder.target(), &record) {
                    Ok(file) => format!("the game up to there: dealt records show {}", file.display()),
                    Err(error) => format!("the game up to there could not be kept: {error}"),
                };
                Err(self.wrong(format!("{foul}\n{kept}"), folder.blocks()))
            }
            Err(error) => Err(self.wrong(error, folder.blocks())),
        }
    }

    /// Writes what came out, and says it.
    fn report(&self, study: &dyn Study, folder: Folder, out: &mut dyn Write) -> Result<(), Failure> {
        let blocks = folder.blocks();
        if blocks == 0 {
            return Err(nothing());
        }
        let findings = study.findings();
        let timings = Timings { elapsed: folder.elapsed(), threads: Some(self.threads) };
        let forfeits = folder.forfeit_count();
        let written = if findings.complete {
            folder.finish(study, &findings, &timings)
        } else {
            folder.leave(study, &findings, &timings, false)
        };
        let folder = written.map_err(|error| self.wrong(error, blocks))?;
        if !self.quiet {
            print_findings(&findings, forfeits, &timings, &folder, out)?;
        }
        if findings.complete {
            return Ok(());
        }
        out.flush()?;
        Err(self.stopped(&how_far(study, &findings), &folder))
    }

    /// Closes a part of a run.
    fn close(
        &self,
        share: &Share<'_>,
        shard: Shard,
        folder: Folder,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let blocks = folder.blocks();
        if share.next().is_some() {
            if blocks == 0 {
                return Err(nothing());
            }
            let far = format!("{} of {} blocks of shard {shard}", count(blocks), count(share.blocks()));
            return Err(self.stopped(&far, folder.partial()));
        }
        let seconds = folder.elapsed().as_secs_f64();
        let folder = folder.close().map_err(|error| self.wrong(error, blocks))?;
        if !self.quiet {
            let blocks = counted(blocks, "block");
            writeln!(out, "{blocks} in {seconds:.1} s; shard {shard} is closed in {}", folder.display())?;
        }
        Ok(())
    }

    /// An error after so many blocks, with the command that goes on from there.
    fn wrong(&self, error: impl Shown, blocks: u64) -> Failure {
        let resume = if blocks == 0 { String::new() } else { self.to_go_on() };
        Failure::wrong(format!("{error}{resume}"))
    }

    fn stopped(&self, far: &str, folder: &Path) -> Failure {
        let to_go_on = self.to_go_on();
        Failure::Stopped(format!("stopped after {far}; what was played is in {}{to_go_on}", folder.display()))
    }

    fn to_go_on(&self) -> String {
        format!("\nto go on: {}", self.resume)
    }
}

pub(super) fn wrong(error: impl Error) -> Failure {
    Failure::wrong(error.to_string())
}

fn nothing() -> Failure {
    Failure::Stopped("stopped before a block was finished; nothing is written".to_owned())
}

pub(super) fn print_heading(
    study: &dyn Study,
    notes: &[String],
    blocks: u64,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if let Some(question) = &study.experiment().question {
        writeln!(out, "{question}")?;
    }
    writeln!(out, "{}", study.heading())?;
    for note in notes {
        writeln!(out, "({note})")?;
    }
    if blocks > 0 {
        writeln!(out, "(goes on after {})", counted(blocks, "block"))?;
    }
    Ok(())
}

/// Says what was found, and where it is written.
pub(super) fn print_findings(
    findings: &Findings,
    forfeits: u64,
    timings: &Timings,
    folder: &Path,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    write!(out, "{}", findings.text)?;
    if forfeits > 0 {
        let times = counted(forfeits, "time");
        writeln!(out, "An agent failed and forfeited its game {times}; forfeits.csv lists them.")?;
    }
    let (games, seconds) = (counted(findings.effort.games, "game"), timings.elapsed.as_secs_f64());
    writeln!(out, "\n{games} in {seconds:.1} s; results in {}", folder.display())?;
    Ok(())
}

/// How far a run came that was stopped.
fn how_far(study: &dyn Study, findings: &Findings) -> String {
    let experiment = study.experiment();
    let Effort { blocks, games, .. } = findings.effort;
    // Where the blocks of the experiment are not all that there is to play, games count.
    if experiment.games() == Ok(study.games()) {
        format!("{} of {} blocks", count(blocks), count(experiment.blocks))
    } else {
        format!("{} of {} games", count(games), count(study.games()))
    }
}
