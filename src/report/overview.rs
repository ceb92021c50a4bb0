//! The question, the answer, what was run, and how to run it again.

use dealt_engine::rules::plain;
use serde_json::{Map, Value};

use super::again::{changed, experiment_file};
use super::markup::{Markup, shortened};
use super::sweep;
use super::table::{self, Cell};
use super::{Context, numbers};
use crate::answer::sentences;
use crate::figures::counted;
use crate::results::read::{Player, Run, SWEEP};

/// The most sentences of an answer; the most agents that are listed.
const MOST_SENTENCES: usize = 12;
const MOST_AGENTS: usize = 24;
/// The longest text, in letters, that is shown whole.
const LONGEST_TEXT: usize = 1_500;

/// What the experiment was to find out: in the words of whoever wrote it, or in the program's.
pub(super) fn question(run: &Run) -> String {
    if let Some(question) = run.question.as_ref().filter(|question| !question.trim().is_empty()) {
        return shortened(question, LONGEST_TEXT);
    }
    let game = &run.game;
    let labels: Vec<String> = run.labels().iter().map(|label| shortened(label, 60)).collect();
    match (run.kind.as_str(), labels.first()) {
        ("sprt", Some(first)) => return format!("Is {first} the stronger at {game}?"),
        ("tune", Some(first)) => return format!("Can {first} be tuned to play {game} better?"),
        _ => {}
    }
    match (labels.as_slice(), run.variants.len()) {
        (_, 2..) => format!("What do other rules change in {game}?"),
        ([one], _) => format!("How does {game} go when every player is {one}?"),
        ([one, other], _) => format!("Which is stronger at {game}: {one} or {other}?"),
        (several, _) => format!("Which of {} agents is the strongest at {game}?", several.len()),
    }
}

/// The head of the page: question, answer, and what the answer rests on.
pub(super) fn head(out: &mut Markup, context: &Context<'_>) {
    let run = &context.results.run;
    out.within("header", &[], |out| {
        out.within("p", &[("class", "kicker")], |out| {
            out.text(&format!("dealt · {} · ", run.kind));
            out.name(&run.name);
        });
        out.element("h1", &[], &question(run));
        answer(out, context);
        let played = &run.played;
        let (games, blocks) = (counted(played.games, "game"), counted(played.blocks, "block"));
        let percent = numbers::percent(run.confidence);
        let intervals = match run.kind.as_str() {
            // Whoever stops when it is clear has looked more than once.
            "sprt" => format!("The verdict holds by the bounds of the test. Intervals below would hold with {percent} confidence for a number of blocks settled beforehand, which this was not."),
            SWEEP => format!("Each interval holds with {percent} confidence by itself; the blocks are the observations."),
            _ => format!("Intervals hold with {percent} confidence; the blocks are the observations."),
        };
        let basis = format!("{games} of {}, {} players, in {blocks}. {intervals}", run.game, sweep::players(context));
        out.element("p", &[("class", "basis")], &basis);
        cautions(out, context);
    });
}

fn answer(out: &mut Markup, context: &Context<'_>) {
    let run = &context.results.run;
    let of_matches = || {
        let variants: Vec<&str> = run.variants.iter().map(|variant| variant.name.as_str()).collect();
        sentences(&variants, run.confidence, &context.results.summary)
    };
    if run.kind == SWEEP {
        return out.within("div", &[("class", "answer")], |out| sweep::answer(out, context));
    }
    let sentences = context.studies.answer(run).unwrap_or_else(of_matches);
    out.within("div", &[("class", "answer")], |out| {
        for sentence in sentences.iter().take(MOST_SENTENCES) {
            out.element("p", &[], &numbers::with_minuses(&shortened(sentence, LONGEST_TEXT)));
        }
        if sentences.len() > MOST_SENTENCES {
            let more = sentences.len() - MOST_SENTENCES;
            let text = format!("And {more} more sentences; the tables below have all comparisons.");
            out.element("p", &[], &text);
        }
    });
}

/// What the reader must know before trusting the answer.
fn cautions(out: &mut Markup, context: &Context<'_>) {
    let run = &context.results.run;
    let played = &run.played;
    if !played.complete {
        let stopped = format!(
            "The run was stopped after {}, before all was played that was to be; what is shown rests on those.",
            counted(played.blocks, "block")
        );
        out.element("p", &[("class", "caution")], &stopped);
    }
    if !context.forfeits.is_empty() {
        out.within("p", &[("class", "caution")], |out| {
            out.text("Games were forfeited by agents that failed, and count as lost: ");
            for (place, (agent, count)) in context.forfeits.iter().take(MOST_AGENTS).enumerate() {
                out.text(if place > 0 { ", " } else { "" });
                out.name(agent);
                out.text(&format!(" {}", counted(*count, "time")));
            }
            out.text("; forfeits.csv has the faults.");
        });
    }
    let clairvoyants = run.line_ups.iter().flatten().any(|player| player.clairvoyant);
    if clairvoyants {
        let text = "An agent here sees all cards: it bounds what knowing them is worth, and is no player of the table.";
        out.element("p", &[("class", "caution")], text);
    }
}

/// What was run.
pub(super) fn what_was_run(out: &mut Markup, context: &Context<'_>) {
    let run = &context.results.run;
    out.within("section", &[("id", "run")], |out| {
        out.element("h2", &[], "What was run");
        out.within("dl", &[], |out| {
            game(out, context);
            if run.kind == SWEEP {
                item(out, "Skills", |out| sweep::skills(out, context));
                item(out, "Cards", |out| out.text(&sweep::cards(context)));
            } else {
                item(out, "Agents", |out| agents(out, run));
                item(out, "Cards", |out| out.text(&cards(run)));
            }
            item(out, "Played", |out| {
                let played = &run.played;
                let all = [counted(played.blocks, "block"), counted(played.games, "game"), counted(played.deals, "deal"), counted(played.decisions, "decision")];
                out.text(&all.join(", "));
                out.text(".");
            });
            item(out, "Program", |out| {
                out.text(&format!("dealt {}", run.version));
                if let Some(commit) = &run.commit {
                    out.text(", built from ");
                    out.element("code", &[], commit);
                }
                out.text(".");
                if !run.reproducible {
                    out.text(" An agent has a limit of time, or is a program of its own: another run may play other games.");
                }
            });
        });
        parameters(out, run);
        rules(out, context);
    });
}

/// In which orders line-ups play.
pub(super) fn seating(run: &Run) -> String {
    match run.seating.as_str() {
        "rotate" => "in every rotation of the seats".to_owned(),
        "all" => "in every order of the seats".to_owned(),
        other => format!("in every order of the seating design “{other}”"),
    }
}

fn cards(run: &Run) -> String {
    let line_ups = if run.line_ups.len() > 1 { "by every line-up " } else { "" };
    let rules = if run.variants.len() > 1 { ", by every set of rules" } else { "" };
    let what = seating(run);
    let games = counted(run.games_in_block, "game");
    format!("Master seed {}. The cards of a block are played in {games}: {line_ups}{what}{rules}.", run.seed)
}

fn item(out: &mut Markup, term: &str, inside: impl FnOnce(&mut Markup)) {
    out.line();
    out.element("dt", &[], term);
    out.within("dd", &[], inside);
}

fn game(out: &mut Markup, context: &Context<'_>) {
    let run = &context.results.run;
    item(out, "Game", |out| {
        let aim = context.aim();
        out.text(&format!("{}, {} players{aim}.", run.game, sweep::players(context)));
    });
    for variant in &run.variants {
        let is_base = variant.name == run.variants[0].name;
        let from = if is_base { &context.defaults } else { &run.variants[0].rules };
        let changes = changed(&variant.rules, from);
        let same = if is_base { "the defaults" } else { "those of the first" };
        let term = if context.has_variants() { shortened(&variant.name, 60) } else { "Rules".to_owned() };
        item(out, &term, |out| {
            if context.defaults.is_empty() && is_base {
                return out.text("listed below.");
            }
            list_rules(out, &changes, same);
        });
    }
}

fn list_rules(out: &mut Markup, changes: &Map<String, Value>, same: &str) {
    if changes.is_empty() {
        return out.text(same);
    }
    for (place, (key, value)) in changes.iter().enumerate() {
        out.text(if place > 0 { ", " } else { "" });
        out.element("code", &[], &shortened(&format!("{key} = {}", plain(value)), 200));
    }
}

fn agents(out: &mut Markup, run: &Run) {
    for (place, line_up) in run.line_ups.iter().take(MOST_AGENTS).enumerate() {
        out.text(if place > 0 { "; " } else { "" });
        let mut first = true;
        for seats in line_up.chunk_by(|one, other| one.label == other.label) {
            out.text(if first { "" } else { ", " });
            out.name(&seats[0].label);
            if seats.len() > 1 {
                out.text(&format!(" in {} seats", seats.len()));
            }
            out.text(if seats[0].clairvoyant { " (sees all cards)" } else { "" });
            first = false;
        }
    }
    if run.line_ups.len() > MOST_AGENTS {
        out.text(&format!("; and {} more line-ups", run.line_ups.len() - MOST_AGENTS));
    }
    out.text(".");
}

fn parameters(out: &mut Markup, run: &Run) {
    let mut players: Vec<&Player> = Vec::new();
    for player in run.line_ups.iter().flatten() {
        if !players.iter().any(|known| known.label == player.label) && !player.parameters.is_empty() {
            players.push(player);
        }
    }
    if players.is_empty() {
        return;
    }
    out.within("details", &[], |out| {
        out.element("summary", &[], "Every parameter of the agents");
        let rows: Vec<Vec<Cell>> = players
            .iter()
            .flat_map(|player| {
                player.parameters.iter().map(|(key, value)| {
                    vec![
                        Cell::name(&player.label),
                        Cell::words(key.clone()),
                        Cell::Number(shortened(&plain(value), 200)),
                    ]
                })
            })
            .collect();
        table::draw(
            out,
            "Parameters of the agents",
            &["agent", "parameter", "value"],
            &rows,
            "manifest.json",
        );
    });
}

fn rules(out: &mut Markup, context: &Context<'_>) {
    let Some(base) = context.results.run.variants.first() else { return };
    out.within("details", &[], |out| {
        let of = if context.has_variants() { " of the first set" } else { "" };
        out.element("summary", &[], &format!("Every rule{of}"));
        let rows: Vec<Vec<Cell>> = base
            .rules
            .iter()
            .map(|(key, value)| {
                let is_default = context.defaults.get(key) == Some(value);
                let mark = if is_default || context.defaults.is_empty() { "" } else { "not the default" };
                vec![Cell::words(key.clone()), Cell::Number(shortened(&plain(value), 400)), Cell::words(mark)]
            })
            .collect();
        table::draw(out, "Rules", &["option", "value", ""], &rows, "manifest.json");
    });
}

/// How to run it again.
pub(super) fn again(out: &mut Markup, context: &Context<'_>) {
    out.within("section", &[("id", "again")], |out| {
        out.element("h2", &[], "Run it again");
        match experiment_file(context.results, &context.defaults) {
            Some(file) => {
                out.element("p", &[], "Save this as experiment.toml, and run it. The same program, file and seed give the same bytes on any number of threads.");
                out.within("pre", &[("tabindex", "0")], |out| out.element("code", &[], &file));
            }
            None => {
                out.element("p", &[], "The experiment is too long to be shown here: manifest.json has all of it.");
            }
        }
        out.element("pre", &[], "dealt run experiment.toml --out again");
        out.element("p", &[("class", "note")], "This page is made of the files of the results folder by “dealt report”. It loads nothing, and knows of no time: how long the run took is in timings.csv.");
    });
}
