//! `dealt run` and `dealt match`: plays an experiment, keeps its results and says what they mean.

use std::io::Write;

use dealt::experiment::{Experiment, Records};
use dealt::figures::{count, counted};
use dealt::record::Scribe;
use dealt::recorder::NoRecorder;
use dealt::results::Folder;
use dealt::results::timings::{Stopwatch, Timings};
use dealt::run;

use crate::config::Settings;
use crate::failure::Failure;
use crate::progress::Display;
use crate::report_table;

/// Does it.
pub(crate) fn run(settings: &Settings, out: &mut dyn Write) -> Result<(), Failure> {
    let Settings { experiment, threads, quiet, .. } = settings;
    let mut folder = Folder::create(&settings.out, experiment, settings.force).map_err(wrong)?;
    if !quiet {
        print_heading(settings, out)?;
        out.flush()?;
    }
    Display::heed_interrupts();
    let display = Display::new(*quiet);
    let stopwatch = Stopwatch::start();
    let play = match experiment.outputs.records {
        Records::None => run::run::<NoRecorder>,
        Records::First(_) | Records::All => run::run::<Scribe>,
    };
    let outcome = play(experiment, *threads, &mut folder, &display);
    let timings = Timings { elapsed: stopwatch.elapsed(), threads: *threads };
    display.finish();
    let outcome = outcome.map_err(wrong)?;
    if outcome.blocks == 0 {
        return Err(Failure::Stopped("stopped before a block was finished; nothing is written".to_owned()));
    }
    let folder = folder.finish(experiment, &outcome, &timings).map_err(wrong)?;
    if !quiet {
        report_table::print(experiment, &outcome.summary, out)?;
        let seconds = timings.elapsed.as_secs_f64();
        writeln!(
            out,
            "\n{} in {seconds:.1} s; results in {}",
            counted(outcome.games, "game"),
            folder.display()
        )?;
    }
    if outcome.blocks < experiment.blocks {
        out.flush()?;
        let blocks = [outcome.blocks, experiment.blocks].map(count);
        return Err(Failure::Stopped(format!("stopped after {} of {} blocks", blocks[0], blocks[1])));
    }
    Ok(())
}

fn wrong(error: impl std::error::Error) -> Failure {
    Failure::wrong(error.to_string())
}

fn print_heading(settings: &Settings, out: &mut dyn Write) -> Result<(), Failure> {
    let Settings { experiment, notes, .. } = settings;
    let Experiment { game, seed, blocks, question, .. } = experiment;
    if let Some(question) = question {
        writeln!(out, "{question}")?;
    }
    let games = counted(experiment.games().map_err(wrong)?, "game");
    let (players, blocks) = (experiment.players(), counted(*blocks, "block"));
    writeln!(out, "{game}, {players} players, seed {seed}: {blocks}, {games}")?;
    for note in notes {
        writeln!(out, "({note})")?;
    }
    Ok(())
}
