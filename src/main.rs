//! The command line of `dealt`: read what was asked for, settle it, do it, say what came of it.
//!
//! The files, each building on those before it:
//!
//! - `cpu`: whether this machine can run the program at all
//! - `failure`: why the program stops early, and the exit status
//! - `cli`: what can be typed
//! - `again`: what was typed, to be typed again
//! - `config`: what it means: experiment files and flags become an experiment
//! - `progress`: what a run says while it goes on
//! - `commands`: what is done

mod again;
mod cli;
mod commands;
mod config;
mod cpu;
mod failure;
#[cfg(test)]
#[path = "../tests/fuzzing/mod.rs"]
mod fuzzing;
mod progress;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use dealt::figures::visible;

use crate::cli::{Agents, AgentsCommand, Command, RecordsCommand};
use crate::commands::{bench, check, list, meld, merge, play, rate, records, report, run, worlds};
use crate::failure::Failure;

fn main() -> ExitCode {
    let missing = cpu::missing();
    if !missing.is_empty() {
        say(&format!(
            "error: this program is built for {} processors, and this one lacks {}; README.md says how to build for it",
            cpu::built_for(),
            missing.join(", ")
        ));
        return ExitCode::from(2);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let done = cli::parse().map_err(Failure::Wrong).and_then(|command| obey(command, &mut out));
    let done = done.and_then(|()| Ok(out.flush()?));
    match done {
        Ok(()) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::No(message)) => {
            say(&format!("error: {message}"));
            ExitCode::from(1)
        }
        Err(Failure::Stopped(message)) => {
            say(&message);
            ExitCode::from(130)
        }
        Err(Failure::GoesOn(message)) => {
            say(&message);
            ExitCode::from(3)
        }
        Err(Failure::Wrong(message)) => {
            say(&format!("error: {message}"));
            ExitCode::from(2)
        }
    }
}

fn obey(command: Command, out: &mut dyn Write) -> Result<(), Failure> {
    match command {
        Command::Games { name } => list::games(name.as_deref(), out),
        Command::Agents(Agents { command: Some(AgentsCommand::Check(given)), .. }) => {
            check::check(&given, out)
        }
        Command::Agents(Agents { name, .. }) => list::agents(name.as_deref(), out),
        Command::Records(RecordsCommand::Verify { file }) => records::verify(&file, out),
        Command::Records(RecordsCommand::Show { file, game, deal }) => records::show(&file, game, deal, out),
        Command::Records(RecordsCommand::Worlds(given)) => worlds::worlds(&given, out),
        Command::Meld(given) => meld::meld(&given, out),
        Command::Bench(given) => bench::bench(&given, out),
        Command::Run(given) => run::run(config::settle_run(given)?, out),
        Command::Play(given) => play::play(&config::settle_play(given)?, out),
        Command::Match(given) => run::run(config::settle_match(given)?, out),
        Command::Rate(given) => rate::rate(given, out),
        Command::Merge(given) => merge::merge(given, out),
        Command::Missing(given) => merge::missing(&given, out),
        Command::Report(given) => report::report(&given, out),
    }
}

/// Tells the user something apart from the output. If nobody listens there, nobody is told.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{}", visible(text));
}
