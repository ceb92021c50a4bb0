//! `dealt run` and `dealt match`: pursues a study, keeps its results and says what they mean.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use dealt::experiment::Records;
use dealt::figures::{count, counted};
use dealt::record::Scribe;
use dealt::recorder::NoRecorder;
use dealt::results::timings::{Stopwatch, Timings};
use dealt::results::{self, Folder};
use dealt::run::RunError;
use dealt::study::{self, Effort, Findings, Study};

use crate::config::Settings;
use crate::failure::Failure;
use crate::progress::Display;

/// Does it.
pub(crate) fn run(settings: Settings, out: &mut dyn Write) -> Result<(), Failure> {
    let Settings { mut study, threads, out: target, force, quiet, notes } = settings;
    let mut folder = Folder::create(&target, study.experiment(), force).map_err(wrong)?;
    if !quiet {
        print_heading(&*study, &notes, out)?;
        out.flush()?;
    }
    Display::heed_interrupts();
    let display = Display::new(quiet);
    let stopwatch = Stopwatch::start();
    let pursue = match study.experiment().outputs.records {
        Records::None => study::pursue::<NoRecorder>,
        Records::First(_) | Records::All => study::pursue::<Scribe>,
    };
    let played = pursue(&mut *study, threads, &mut folder, &display);
    let timings = Timings { elapsed: stopwatch.elapsed(), threads };
    display.finish();
    let forfeits = folder.forfeit_count();
    if played.map_err(|error| run_error(&error, &target))? == 0 {
        return Err(Failure::Stopped("stopped before a block was finished; nothing is written".to_owned()));
    }
    let findings = study.findings();
    let folder = folder.finish(&*study, &findings, &timings).map_err(wrong)?;
    if !quiet {
        let (games, seconds) = (counted(findings.effort.games, "game"), timings.elapsed.as_secs_f64());
        write!(out, "{}", findings.text)?;
        if forfeits > 0 {
            let times = counted(forfeits, "time");
            writeln!(out, "An agent failed and forfeited its game {times}; forfeits.csv lists them.")?;
        }
        writeln!(out, "\n{games} in {seconds:.1} s; results in {}", folder.display())?;
    }
    if findings.complete {
        return Ok(());
    }
    out.flush()?;
    Err(Failure::Stopped(how_far(&*study, &findings)))
}

fn wrong(error: impl Error) -> Failure {
    Failure::wrong(error.to_string())
}

/// What is said when a run to this folder fails. If an agent did, the game up to there is kept.
fn run_error(error: &RunError, target: &Path) -> Failure {
    let RunError::Foul(_, record) = error else { return wrong(error) };
    let kept = match results::keep_fault(target, record) {
        Ok(file) => format!("the game up to there: dealt records show {}", file.display()),
        Err(error) => format!("the game up to there could not be kept: {error}"),
    };
    Failure::wrong(format!("{error}\n{kept}"))
}

fn print_heading(study: &dyn Study, notes: &[String], out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(question) = &study.experiment().question {
        writeln!(out, "{question}")?;
    }
    writeln!(out, "{}", study.heading())?;
    for note in notes {
        writeln!(out, "({note})")?;
    }
    Ok(())
}

/// How far a run came that was stopped.
fn how_far(study: &dyn Study, findings: &Findings) -> String {
    let experiment = study.experiment();
    let Effort { blocks, games, .. } = findings.effort;
    // Where the blocks of the experiment are not all that there is to play, games count.
    if experiment.games() == Ok(study.games()) {
        format!("stopped after {} of {} blocks", count(blocks), count(experiment.blocks))
    } else {
        format!("stopped after {} of {} games", count(games), count(study.games()))
    }
}
