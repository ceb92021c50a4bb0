//! `dealt agents check`: whether a program can be seated, and what is wrong with it, in plain words.

use std::io::Write;
use std::time::Instant;

use dealt::external::Terms;
use dealt::external::check::{self, Finding, Report};
use dealt::figures::count;
use dealt_agents::AgentSpec;
use dealt_agents::outsider::EXTERNAL;
use dealt_engine::GAMES;
use serde_json::{Map, Value};

use crate::cli::Check;
use crate::config::{accepted_games, find_game};
use crate::failure::Failure;
use crate::progress::Display;

/// `dealt agents check COMMAND`
#[allow(
    clippy::disallowed_methods,
    reason = "how long a question takes is told to the user; no result depends on it"
)]
pub(crate) fn check(given: &Check, out: &mut dyn Write) -> Result<(), Failure> {
    let terms = terms(given)?;
    let games = games(&given.game)?;
    Display::end_on_interrupt();
    writeln!(out, "{}", given.command)?;
    out.flush()?;
    let start = Instant::now();
    let mut printed = Ok(());
    let Report { name, faults, questions } = check::check(&terms, &games, &mut |finding| {
        if printed.is_ok() {
            printed = print(&finding, out);
        }
    });
    let elapsed = start.elapsed();
    printed?;
    if faults > 0 {
        let things = if faults == 1 { "1 thing is".to_owned() } else { format!("{faults} things are") };
        return Err(Failure::No(format!(
            "{things} wrong with it; docs/external-agents.md says what it must do"
        )));
    }
    let name = name.as_deref().map_or_else(String::new, |name| format!(" It calls itself {name}."));
    let each = elapsed.as_micros() / u128::from(questions.max(1));
    writeln!(out, "\nAll is well, after {} questions of some {each} µs each.{name}", count(questions))?;
    Ok(())
}

/// The settings, checked as those of any agent are.
fn terms(given: &Check) -> Result<Terms, Failure> {
    let read = |text: &String| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text.as_str()));
    let settings =
        [("move_ms", given.move_ms.as_ref().map(read)), ("start_ms", given.start_ms.as_ref().map(read))];
    let mut changes = Map::from_iter([("command".to_owned(), Value::from(given.command.as_str()))]);
    changes.extend(settings.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
    let spec = AgentSpec::new(EXTERNAL, &changes, GAMES[0].name)
        .map_err(|error| Failure::wrong(error.to_string()))?;
    Ok(Terms::of(&spec))
}

fn games(given: &[String]) -> Result<Vec<&'static str>, Failure> {
    if given.is_empty() {
        return Ok(GAMES.iter().map(|info| info.name).collect());
    }
    let find = |name: &String| {
        let found = find_game(name).map(|chosen| chosen.info.name);
        found.ok_or_else(|| Failure::wrong(format!("no game `{name}`; accepted: {}", accepted_games(name))))
    };
    given.iter().map(find).collect()
}

fn print(finding: &Finding, out: &mut dyn Write) -> Result<(), Failure> {
    let Finding { what, scope, wrong } = finding;
    let scope = if scope.is_empty() { String::new() } else { format!(" ({scope})") };
    let Some(wrong) = wrong else {
        writeln!(out, "  fine   {what}{scope}")?;
        return Ok(out.flush()?);
    };
    writeln!(out, "  WRONG  {what}{scope}\n           it {}", wrong.fault)?;
    for line in &wrong.details {
        writeln!(out, "           {line}")?;
    }
    Ok(out.flush()?)
}
