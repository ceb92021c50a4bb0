//! Sample games: each deal as a list of its moves, and as data with which the page's script shows it move by move.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::Path;

use dealt_engine::Card;
use serde_json::{Value, json};

use super::ReportError;
use super::markup::{Markup, shortened};
use super::numbers;
use super::scene::{DealScene, Step, scenes};
use crate::figures::counted;
use crate::reasons::reasons;
use crate::record::GameRecord;

/// The most games that are shown.
const MOST_GAMES: usize = 4;

/// The first games of a folder's records, as much of them as there is room for.
#[derive(Clone, Debug, Default)]
pub(super) struct Samples {
    /// The games, ready to be put into the page.
    pub(super) pieces: Vec<Markup>,
    /// Deals that there was no room for, of the last of these games.
    pub(super) deals_left_off: usize,
    /// Whether the file holds more games.
    pub(super) more: bool,
}

/// Reads the first games of a file of records, up to so many bytes of page.
///
/// # Errors
/// If the file is there and cannot be read, or a record in it does not follow the rules.
pub(super) fn samples(path: &Path, room: usize) -> Result<Samples, ReportError> {
    let mut samples = Samples::default();
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(samples),
        file => file.map_err(|error| ReportError::Io("read", path.to_owned(), error))?,
    };
    let mut left = room;
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        let line = line.map_err(|error| ReportError::Io("read", path.to_owned(), error))?;
        if line.trim().is_empty() {
            continue;
        }
        if samples.pieces.len() == MOST_GAMES || samples.deals_left_off > 0 {
            samples.more = true;
            break;
        }
        let record = GameRecord::parse(&line);
        let scenes = record.and_then(|record| Ok((scenes(&record)?, record)));
        let (deals, record) = scenes.map_err(|fault| ReportError::Record(path.to_owned(), number, fault))?;
        let (piece, left_off) = game(&record, &deals, left);
        left = left.saturating_sub(piece.len());
        samples.deals_left_off = left_off;
        samples.pieces.push(piece);
    }
    Ok(samples)
}

/// A game, and how many of its deals there is no room for.
fn game(record: &GameRecord, deals: &[DealScene], room: usize) -> (Markup, usize) {
    let mut out = Markup::default();
    let mut lists: Vec<Markup> = Vec::new();
    let mut data: Vec<Value> = Vec::new();
    let mut used = 0;
    for (number, deal) in deals.iter().enumerate() {
        let mut list = Markup::default();
        deal_list(&mut list, record, number, deal);
        let value = deal.data();
        used += list.len() + value.to_string().len() + 2_000;
        if used > room {
            break;
        }
        lists.push(list);
        data.push(value);
    }
    let left_off = deals.len() - lists.len();
    let id = format!("game-{}", record.index);
    out.within("article", &[("class", "game"), ("id", &id)], |out| {
        heading(out, record, deals.len());
        if left_off > 0 {
            let text = format!(
                "{} of {} are shown: there is no room for more.",
                lists.len(),
                counted(deals.len() as u64, "deal")
            );
            out.element("p", &[("class", "left-off")], &text);
        }
        out.within("div", &[("class", "player")], |_| {});
        lists.iter().for_each(|list| out.append(list));
        let value = json!({ "agents": record.agents, "deals": data });
        out.data(&[("type", "application/json"), ("class", "scenes")], &value);
    });
    (out, left_off)
}

fn heading(out: &mut Markup, record: &GameRecord, deals: usize) {
    out.element("h3", &[], &format!("Game {}", record.index));
    out.within("p", &[], |out| {
        out.text(&format!("Block {}, {}: ", record.block, counted(deals as u64, "deal")));
        for (seat, agent) in record.agents.iter().enumerate() {
            out.text(if seat > 0 { ", seat " } else { "seat " });
            out.text(&format!("{seat} "));
            out.name(agent);
            let total = record.totals.get(seat).map_or_else(String::new, |&total| whole(total));
            out.text(&format!(" ({total})"));
        }
        let winners: Vec<String> = record.winners.iter().map(|seat| format!("seat {seat}")).collect();
        out.text(&format!(". Won by {}", winners.join(" and ")));
        out.text(if record.capped { "; a guard cut it short." } else { "." });
        for forfeit in &record.forfeits {
            let place = format!("deal {}, move {}", forfeit.deal, forfeit.number);
            out.text(&format!(
                " Seat {} forfeited at {place}: {}.",
                forfeit.seat,
                shortened(&forfeit.fault, 300)
            ));
        }
    });
}

fn deal_list(out: &mut Markup, record: &GameRecord, number: usize, deal: &DealScene) {
    out.line();
    out.within("details", &[("class", "deal")], |out| {
        let scores = seats(&deal.scores);
        let what =
            format!("Deal {}: {}, scores {scores}", number + 1, counted(deal.steps.len() as u64, "move"));
        out.element("summary", &[], &what);
        out.within("p", &[], |out| {
            out.text(&format!("Dealt by seat {}. ", deal.dealer));
            for (seat, hand) in deal.hands.iter().enumerate() {
                let agent = record.agents.get(seat).map_or("", String::as_str);
                out.text(&format!("Seat {seat} ("));
                out.name(agent);
                out.text(&format!(
                    "): {}. ",
                    hand.iter().map(|&card| face(card)).collect::<Vec<_>>().join(" ")
                ));
            }
            let (rest, count) = deal.rest;
            if let Some(card) = deal.upcard {
                out.text(&format!("Turned up: {}. ", face(card)));
            }
            out.text(&format!("In the {rest}: {count}."));
        });
        out.within("ol", &[("class", "moves")], |out| deal.steps.iter().for_each(|step| item(out, step)));
        let capped = if deal.capped { " A guard ended the deal." } else { "" };
        out.element("p", &[], &format!("Scores {scores}; totals {}.{capped}", seats(&deal.totals)));
    });
}

fn item(out: &mut Markup, step: &Step) {
    out.line();
    out.within("li", &[], |out| {
        let laid = if step.hidden { " (face down)" } else { "" };
        let rebuilt = step
            .rebuilt
            .map_or_else(String::new, |count| format!(", the stock made anew of {count} discards"));
        out.text(&format!("{}: {}{laid}{rebuilt}", step.seat, pretty(&step.mv)));
        if let Some(note) = &step.note {
            out.text(" ");
            out.element("small", &[], &in_words(note));
        }
    });
}

fn seats(values: &[i64]) -> String {
    values.iter().map(|&value| whole(value)).collect::<Vec<_>>().join(", ")
}

fn whole(value: i64) -> String {
    numbers::number(value as f64, 0)
}

/// What the agent thought; in the note of a search, cards as people draw them.
fn in_words(note: &Value) -> String {
    let text = numbers::with_minuses(&reasons(note));
    if note.get("moves").is_none() && note.get("exact").is_none() {
        return text;
    }
    text.split_inclusive([' ', ',', ';', '.'])
        .map(|piece| {
            let word = piece.trim_end_matches([' ', ',', ';', '.']);
            format!("{}{}", pretty(word), &piece[word.len()..])
        })
        .collect()
}

/// A card as people draw it.
fn face(card: Card) -> String {
    pretty(&card.to_string())
}

/// A move as people draw it: a card with the sign of its suit, a word as it is.
fn pretty(mv: &str) -> String {
    let Ok(card) = mv.parse::<Card>() else { return mv.to_owned() };
    let rank = if mv.starts_with('T') { "10" } else { &mv[..1] };
    let sign = ['♣', '♦', '♠', '♥'][card.suit() as usize];
    // The last letter asks for the plain sign, not a coloured picture of it.
    format!("{rank}{sign}\u{fe0e}")
}
