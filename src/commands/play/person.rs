//! What the person is asked, and what may be answered.

use std::io::{self, BufRead, Write};

use dealt::panics::caught;
use dealt::{OnFault, external};
use dealt_agents::{Agent, AgentSpec, Player, SearchGame, Turn};
use dealt_engine::rules::nearest;
use dealt_engine::{Move, Moves};
use serde_json::Value;

use super::{asked, shown};
use crate::config::may_hint;
use crate::failure::Failure;
use dealt::reasons::reasons;

const HELP: &str = "\
  a number or a move    makes it: 3, th, draw-stock
  hint, hint AGENT      what an agent would do, and why: hint ismcts:iterations=5000
  table                 shows the table once more; an empty line does too
  quit                  ends the program; the game is not saved";

/// Sits at the keyboard.
pub(super) struct Person<G: SearchGame> {
    /// Who gives hints, if it was said or once asked.
    adviser: Option<(AgentSpec, Player<G>)>,
}

/// What was typed.
enum Said {
    Move(Move),
    Hint(Option<String>),
    Table,
    Help,
    Quit,
    Nonsense(String),
}

impl<G: SearchGame> Person<G> {
    pub(super) fn new(hint: Option<AgentSpec>) -> Person<G> {
        Person { adviser: hint.map(|spec| (spec.clone(), external::player(&spec, OnFault::Stop))) }
    }

    /// One of the legal moves, as the person chooses it.
    pub(super) fn decide(
        &mut self,
        turn: &Turn<'_, G>,
        names: &[String],
        out: &mut dyn Write,
    ) -> Result<Move, Failure> {
        let show = |out: &mut dyn Write| -> Result<(), Failure> {
            let facts = Value::Object(turn.game().facts(&turn.view()));
            shown::table(G::NAME, &facts, names, turn.seat())
                .iter()
                .try_for_each(|line| writeln!(out, "{line}"))?;
            writeln!(out, "{}", shown::numbered::<G>(turn.legal_moves()))?;
            Ok(())
        };
        writeln!(out)?;
        show(out)?;
        loop {
            write!(out, "Your move (? for help): ")?;
            out.flush()?;
            match read::<G>(turn.legal_moves())? {
                Said::Move(mv) => return Ok(mv),
                Said::Hint(agent) => self.hint(agent, turn, out)?,
                Said::Table => show(out)?,
                Said::Help => writeln!(out, "{HELP}")?,
                Said::Nonsense(message) => writeln!(out, "  {message}")?,
                Said::Quit => {
                    writeln!(out)?;
                    out.flush()?;
                    return Err(Failure::Stopped(
                        "stopped before the end of the game; it is not saved".to_owned(),
                    ));
                }
            }
        }
    }

    /// Says what an agent would do that knows what the person knows.
    fn hint(
        &mut self,
        agent: Option<String>,
        turn: &Turn<'_, G>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if let Some(text) = agent {
            let spec = AgentSpec::parse(&text, G::NAME).map_err(|error| error.to_string());
            match spec.and_then(|spec| may_hint(spec).map_err(Failure::message)) {
                Ok(spec) => self.adviser = Some((spec.clone(), external::player(&spec, OnFault::Stop))),
                Err(message) => {
                    writeln!(out, "  {message}")?;
                    return Ok(());
                }
            }
        }
        let Some((spec, player)) = &mut self.adviser else {
            writeln!(out, "  whose? say `hint greedy`, `hint ismcts:iterations=5000`, …")?;
            return Ok(());
        };
        let label = spec.label();
        let decide = || match player {
            Player::Random(random) => Ok(random.decide(turn)),
            Player::Fair(agent) => Ok(agent.decide(turn)),
            Player::Outsider(outsider) => outsider.decide(turn),
            Player::Clairvoyant(_) => {
                unreachable!("one that sees hidden cards is never taken for an adviser")
            }
        };
        match asked(decide, turn.legal_moves()) {
            Ok(mv) => writeln!(out, "  {label} would say {}", mv.name(G::WORDS))?,
            Err(fault) => {
                writeln!(out, "  {label} failed: {fault}")?;
                *player = external::player(spec, OnFault::Stop);
            }
        }
        if let Ok(Some(note)) = caught(|| player.explain()) {
            let legend = if note["moves"].is_array() {
                "each move with its value and how often it was tried: "
            } else {
                ""
            };
            writeln!(out, "  {legend}{}", reasons(&note))?;
        }
        Ok(())
    }
}

/// Reads a line from the keyboard; the end of all lines is a wish to end.
fn read<G: SearchGame>(legal: Moves) -> Result<Said, Failure> {
    let mut bytes = Vec::new();
    let count = io::stdin().lock().read_until(b'\n', &mut bytes);
    let count = count.map_err(|error| Failure::wrong(format!("cannot read standard input: {error}")))?;
    if count == 0 {
        return Ok(Said::Quit);
    }
    Ok(understand::<G>(&String::from_utf8_lossy(&bytes), legal))
}

fn understand<G: SearchGame>(line: &str, legal: Moves) -> Said {
    let text = line.trim();
    let lower = text.to_lowercase();
    let (first, rest) = text
        .split_once(' ')
        .map_or((lower.as_str(), ""), |(_, rest)| (lower.split(' ').next().unwrap_or_default(), rest.trim()));
    match first {
        "" | "table" | "t" => return Said::Table,
        "?" | "help" => return Said::Help,
        "quit" | "q" | "exit" => return Said::Quit,
        "hint" | "h" => return Said::Hint((!rest.is_empty()).then(|| rest.to_owned())),
        _ => {}
    }
    if let Ok(number) = first.parse::<usize>() {
        let chosen = number.checked_sub(1).and_then(|place| legal.nth(place));
        return chosen.map_or_else(
            || Said::Nonsense(format!("there is no number {number}; the numbers are 1 to {}", legal.len())),
            Said::Move,
        );
    }
    let named = Move::parse(&lower, G::WORDS).or_else(|| Move::parse(&text.to_uppercase(), G::WORDS));
    match named {
        Some(mv) if legal.has(mv) => Said::Move(mv),
        Some(mv) => Said::Nonsense(format!("{} is not legal here", mv.name(G::WORDS))),
        None => {
            let names: Vec<String> = legal.into_iter().map(|mv| mv.name(G::WORDS)).collect();
            let near =
                nearest(&lower, names.iter().map(String::as_str).chain(["hint", "table", "quit", "help"]));
            let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            Said::Nonsense(format!(
                "`{}` is no move{hint} (? for help)",
                external::protocol::shown(text.as_bytes())
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use dealt_engine::ThreeThirteen;

    use super::*;

    fn understood(line: &str) -> String {
        let cards: Moves = ["2C", "TH"].iter().map(|card| Move::card(card.parse().unwrap())).collect();
        match understand::<ThreeThirteen>(line, cards | Moves::of(Move::word(2))) {
            Said::Move(mv) => mv.name(&["draw-stock", "draw-discard", "go-out"]),
            Said::Hint(agent) => format!("hint {agent:?}"),
            Said::Table => "table".to_owned(),
            Said::Help => "help".to_owned(),
            Said::Quit => "quit".to_owned(),
            Said::Nonsense(message) => message,
        }
    }

    #[test]
    fn a_move_is_typed_by_number_or_name_and_anything_else_is_answered() {
        for (line, meant) in [
            ("1", "2C"),
            (" 2 \n", "TH"),
            ("3", "go-out"),
            ("th", "TH"),
            ("Th", "TH"),
            ("GO-OUT", "go-out"),
            ("", "table"),
            ("hint", "hint None"),
            ("Hint ismcts:iterations=9", "hint Some(\"ismcts:iterations=9\")"),
            ("?", "help"),
            ("q", "quit"),
            ("0", "there is no number 0; the numbers are 1 to 3"),
            ("99999999999", "there is no number 99999999999; the numbers are 1 to 3"),
            ("3h", "3H is not legal here"),
            ("go-ot", "`go-ot` is no move; did you mean `go-out`? (? for help)"),
            ("\u{1b}[A", "`\u{fffd}[A` is no move (? for help)"),
        ] {
            assert_eq!(understood(line), meant, "{line}");
        }
    }
}
