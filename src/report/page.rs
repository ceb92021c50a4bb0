//! The whole page.

use super::caption::Numbering;
use super::games::{Samples, samples};
use super::markup::Markup;
use super::{Context, MOST_BYTES, ReportError, agents, cards, course, overview, sweep, variants};

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");
/// The most bytes of sample games: what a reader waits for on a phone without regret.
const MOST_OF_GAMES: usize = 900_000;
/// What the page may say around the games.
const MARGIN: usize = 20_000;

/// The page.
pub(super) fn page(context: &Context<'_>) -> Result<String, ReportError> {
    let mut numbering = Numbering::default();
    let mut found = Markup::default();
    overview::head(&mut found, context);
    overview::what_was_run(&mut found, context);
    context.studies.sections(&mut found, context, &mut numbering);
    sweep::sections(&mut found, context, &mut numbering);
    agents::section(&mut found, context, &mut numbering);
    variants::section(&mut found, context, &mut numbering);
    cards::section(&mut found, context);
    course::section(&mut found, context, &mut numbering);
    let mut again = Markup::default();
    overview::again(&mut again, context);
    let used = found.len() + again.len() + STYLE.len() + SCRIPT.len() + MARGIN;
    let room = MOST_BYTES.saturating_sub(used).min(MOST_OF_GAMES);
    let games = samples(&context.results.folder.join("records.jsonl"), room)?;

    let mut out = Markup::default();
    out.verbatim("<!DOCTYPE html>\n");
    out.within("html", &[("lang", "en")], |out| {
        out.within("head", &[], |out| head(out, context));
        out.line();
        out.within("body", &[], |out| {
            out.within("main", &[], |out| {
                out.append(&found);
                sample_games(out, &games);
                out.append(&again);
            });
            if !games.pieces.is_empty() {
                out.within("script", &[], |out| out.verbatim(SCRIPT));
            }
        });
    });
    out.line();
    let text = out.into_text();
    if text.len() > MOST_BYTES { Err(ReportError::TooLarge(text.len())) } else { Ok(text) }
}

fn head(out: &mut Markup, context: &Context<'_>) {
    // Nothing is ever loaded, whatever stands in the text.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
    out.empty("meta", &[("charset", "utf-8")]);
    out.empty("meta", &[("http-equiv", "Content-Security-Policy"), ("content", policy)]);
    out.empty("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
    out.empty("meta", &[("name", "color-scheme"), ("content", "light dark")]);
    out.element("title", &[], &overview::question(&context.results.run));
    out.within("style", &[], |out| out.verbatim(STYLE));
}

fn sample_games(out: &mut Markup, games: &Samples) {
    if games.pieces.is_empty() {
        return;
    }
    out.within("section", &[("id", "games")], |out| {
        out.element("h2", &[], "Sample games");
        let more = if games.more { " The file holds more games than there is room for here." } else { "" };
        let intro = format!(
            "The first games of records.jsonl, all cards face up. Each deal opens as a list of its moves, by the seat that made them, with what the agent thought where it says so: moves with their mean value and, in brackets, how often each was tried.{more}"
        );
        out.element("p", &[], &intro);
        out.element("noscript", &[], "With scripts allowed, games can be stepped through move by move.");
        games.pieces.iter().for_each(|piece| out.append(piece));
    });
}
