//! `dealt records verify` and `show`: refereeing a file of games, and reading one of them.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use dealt::figures::visible;
use dealt::forfeit::Forfeit;
use dealt::reasons::reasons;
use dealt::record::{DealRecord, Fault, GameRecord};
use dealt::replay::{Follow, Tally, replay, unknown_game, verify as referee};
use dealt_agents::{GameVisitor, SearchGame, with_game};
use dealt_engine::rules::plain;
use dealt_engine::{Card, Game, Move, Rules, Seat, Standing};
use serde_json::Value;

use crate::failure::Failure;

/// A file of records, read line by line.
pub(super) struct Lines {
    name: String,
    input: Box<dyn BufRead>,
    number: u64,
    bytes: Vec<u8>,
}

impl Lines {
    pub(super) fn open(path: &Path) -> Result<Lines, Failure> {
        let standard = path.as_os_str() == "-";
        let input: Box<dyn BufRead> = if standard {
            Box::new(io::stdin().lock())
        } else {
            Box::new(BufReader::new(File::open(path).map_err(|error| Failure::file("open", path, &error))?))
        };
        let name = if standard { "standard input".to_owned() } else { path.display().to_string() };
        Ok(Lines::of(name, input))
    }

    /// The lines that are read from somewhere, called so.
    pub(super) fn of(name: String, input: Box<dyn BufRead>) -> Lines {
        Lines { name, input, number: 0, bytes: Vec::new() }
    }

    /// The next record; `None` at the end. Empty lines are passed over.
    fn next(&mut self) -> Result<Option<GameRecord>, Failure> {
        loop {
            self.bytes.clear();
            self.number += 1;
            let read = self.input.read_until(b'\n', &mut self.bytes);
            let read = read.map_err(|error| Failure::wrong(format!("cannot read {}: {error}", self.name)))?;
            if read == 0 {
                return Ok(None);
            }
            let text = std::str::from_utf8(&self.bytes).map_err(|error| {
                self.refuse(&Fault::new(&[], format!("byte {} is not UTF-8", error.valid_up_to() + 1)))
            })?;
            if !text.trim().is_empty() {
                return GameRecord::parse(text).map(Some).map_err(|fault| self.refuse(&fault));
            }
        }
    }

    /// The game of an index, or the first of the file.
    pub(super) fn find(&mut self, game: Option<u64>) -> Result<GameRecord, Failure> {
        while let Some(record) = self.next()? {
            if game.is_none_or(|index| index == record.index) {
                return Ok(record);
            }
        }
        let what =
            game.map_or("no record in it".to_owned(), |index| format!("no game of index {index} in it"));
        Err(Failure::wrong(format!("{}: there is {what}", self.name)))
    }

    /// The answer to a file whose line has a fault.
    pub(super) fn refuse(&self, fault: &Fault) -> Failure {
        Failure::No(format!("{}: line {}: {fault}", self.name, self.number))
    }
}

/// `dealt records verify FILE`
pub(crate) fn verify(path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    verify_lines(Lines::open(path)?, out)
}

fn verify_lines(mut lines: Lines, out: &mut dyn Write) -> Result<(), Failure> {
    let mut sum = Tally::default();
    let mut broken_off = Vec::new();
    let mut last: Option<GameRecord> = None;
    while let Some(record) = lines.next()? {
        let tally = referee(&record).map_err(|fault| lines.refuse(&fault))?;
        if let Some(last) = last.filter(|last| last.seed == record.seed && last.game == record.game)
            && last.index >= record.index
        {
            let message = format!(
                "game {} after game {}; games stand in the order of `index`",
                record.index, last.index
            );
            return Err(lines.refuse(&Fault::new(&[dealt::record::Step::Field("index")], message)));
        }
        sum.games += 1;
        sum.deals += tally.deals;
        sum.moves += tally.moves;
        broken_off.extend(how_it_broke_off(&record).map(|how| format!("game {}: {how}", record.index)));
        last = Some(record);
    }
    if sum.games == 0 {
        return Err(Failure::No(format!("{}: there is no record in it", lines.name)));
    }
    writeln!(
        out,
        "{}: games {}, deals {}, moves {}; all of it as the rules say",
        lines.name, sum.games, sum.deals, sum.moves
    )?;
    for line in broken_off {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// `dealt records show FILE [--game I] [--deal D]`
pub(crate) fn show(
    path: &Path,
    game: Option<u64>,
    deal: Option<usize>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    show_lines(Lines::open(path)?, game, deal, out)
}

fn show_lines(
    mut lines: Lines,
    game: Option<u64>,
    deal: Option<usize>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let record = lines.find(game)?;
    if let Some(deal) = deal {
        check_deal(&record, deal)?;
    }
    let shown = with_game(&record.game, Show { record: &record, deal, out });
    match shown.unwrap_or_else(|| Ok(Some(unknown_game(&record.game))))? {
        Some(fault) => Err(lines.refuse(&fault)),
        None => Ok(()),
    }
}

/// Refuses a deal, counted from 1, that the game does not have.
pub(super) fn check_deal(record: &GameRecord, deal: usize) -> Result<(), Failure> {
    let count = record.deals.len();
    if (1..=count).contains(&deal) {
        return Ok(());
    }
    let accepts = match count {
        0 => "none, for the game has no deal".to_owned(),
        _ => format!("1 to {count}, the deals of the game"),
    };
    Err(Failure::wrong(format!("--deal {deal}: accepted: {accepts}")))
}

/// Prints a record of a game that has a type.
struct Show<'s> {
    record: &'s GameRecord,
    deal: Option<usize>,
    out: &'s mut dyn Write,
}

impl GameVisitor for Show<'_> {
    type Output = io::Result<Option<Fault>>;

    fn visit<G: SearchGame>(self) -> Self::Output {
        let Show { record, deal, out } = self;
        heading::<G>(record, out)?;
        let forfeits = &record.forfeits;
        let mut printer =
            Printer { out, wanted: deal, forfeits, number: 0, moves: 0, notes: Vec::new(), error: Ok(()) };
        let fault = replay::<G, _>(record, &mut printer).err();
        printer.error?;
        if let Some(how) = how_it_broke_off(record).filter(|_| fault.is_none()) {
            writeln!(out, "\nThe game: {how}.")?;
        } else if fault.is_none() {
            let winners: Vec<_> = record.winners.iter().map(|&seat| name_seat(record, seat)).collect();
            let capped = if record.capped { ", and a guard cut it short" } else { "" };
            writeln!(
                out,
                "\nThe game: totals {}, won by {}{capped}.",
                numbers(&record.totals),
                winners.join(" and ")
            )?;
        }
        Ok(fault)
    }
}

/// Where and why a game was broken off, if it was.
fn how_it_broke_off(record: &GameRecord) -> Option<String> {
    let Forfeit { seat, deal, number, fault } = record.stopped.as_ref()?;
    let who = name_seat(record, *seat);
    Some(format!("broken off in deal {deal}, move {number}, where {who} failed: {}", visible(fault)))
}

fn heading<G: Game>(record: &GameRecord, out: &mut dyn Write) -> io::Result<()> {
    let GameRecord { index, block, seed, .. } = record;
    writeln!(out, "{}, game {index} (block {block}, seed {seed})", record.game)?;
    for seat in 0..record.agents.len() {
        writeln!(out, "  {}", name_seat(record, seat))?;
    }
    let defaults = G::Rules::default().to_map();
    let changed = record.rules.iter().filter(|(key, value)| defaults.get(*key) != Some(value));
    let changed: Vec<_> = changed.map(|(key, value)| format!("{key} = {}", plain(value))).collect();
    let rules = if changed.is_empty() { "the defaults".to_owned() } else { changed.join(", ") };
    writeln!(out, "  rules: {}", visible(&rules))
}

fn name_seat(record: &GameRecord, seat: Seat) -> String {
    format!("seat {seat} ({})", visible(record.agents.get(seat).map_or("?", String::as_str)))
}

fn numbers(values: &[i64]) -> String {
    values.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")
}

fn cards(cards: &[Card]) -> String {
    if cards.is_empty() {
        return "none".to_owned();
    }
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
}

/// Prints what a replay tells it.
struct Printer<'s> {
    out: &'s mut dyn Write,
    wanted: Option<usize>,
    forfeits: &'s [Forfeit],
    number: usize,
    /// Moves of the deal so far.
    moves: u64,
    /// What the players thought, for each entry of the deal.
    notes: Vec<Option<Value>>,
    error: io::Result<()>,
}

impl Printer<'_> {
    /// Prints a line, if the deal is wanted and nothing has failed before.
    fn line(&mut self, line: &str) {
        if self.error.is_ok() && self.wanted.is_none_or(|wanted| wanted == self.number) {
            self.error = writeln!(self.out, "{line}");
        }
    }
}

impl<G: Game> Follow<G> for Printer<'_> {
    fn deal(&mut self, _: &G, number: usize, deal: &DealRecord, _: &G::State) {
        self.number = number + 1;
        self.moves = 0;
        self.notes = deal.notes.clone().unwrap_or_default();
        self.line(&format!("\nDeal {}, dealt by seat {}", self.number, deal.dealer));
        for (seat, hand) in deal.hands.iter().enumerate() {
            self.line(&format!("  seat {seat:<2} {}", cards(hand)));
        }
        if let Some(card) = deal.upcard {
            self.line(&format!("  upcard  {card}"));
        }
        if let Some(rest) = deal.stock.as_ref().or(deal.kitty.as_ref()) {
            self.line(&format!("  {:<7} {}", G::REST, cards(rest)));
        }
        self.line("\n  move          is          when this lies on the table");
    }

    fn rebuilt(&mut self, order: &[Card]) {
        self.line(&format!("        the discards become a new stock: {}", cards(order)));
    }

    fn play(
        &mut self,
        game: &G,
        entry: usize,
        (seat, mv): (Seat, Move),
        before: &G::State,
        after: &G::State,
    ) {
        self.moves += 1;
        let here = |forfeit: &&Forfeit| forfeit.deal as usize == self.number && forfeit.number == self.moves;
        if let Some(Forfeit { seat, fault, .. }) = self.forfeits.iter().find(here) {
            self.line(&format!("        seat {seat:<2} forfeits, since it failed: {}", visible(fault)));
        }
        let (number, mv) = (entry + 1, mv.name(G::WORDS));
        self.line(format!("  {number:>4}  seat {seat:<2} {mv:<12}  {}", game.describe(before)).trim_end());
        if let Some(note) = self.notes.get_mut(entry).and_then(Option::take) {
            self.line(&format!("        thought: {}", visible(&reasons(&note))));
        }
        for seat in 0..game.players() {
            let (before, after) = (game.hand(before, seat), game.hand(after, seat));
            let more = |card: &Card| after.count(*card).saturating_sub(before.count(*card));
            let gained: Vec<Card> =
                Card::all().flat_map(|card| std::iter::repeat_n(card, more(&card))).collect();
            if !gained.is_empty() {
                self.line(&format!("        seat {seat:<2} gets {}", cards(&gained)));
            }
        }
    }

    fn end(&mut self, game: &G, state: &G::State, standing: &Standing) {
        let of = |values: &[i32]| numbers(&values.iter().map(|&value| i64::from(value)).collect::<Vec<_>>());
        let players = game.players();
        let capped = if game.capped(state) { " (a guard ended the deal)" } else { "" };
        let (scores, totals) = (of(&game.scores(state)[..players]), of(&standing.totals[..players]));
        self.line(&format!("  scores {scores}{capped}; totals {totals}"));
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::cli::Worlds;
    use crate::commands::worlds::worlds_of;
    use crate::fuzzing::{Reader, assert_plain};

    fn lines(bytes: &[u8]) -> Lines {
        Lines::of("games.jsonl".to_owned(), Box::new(Cursor::new(bytes.to_vec())))
    }

    #[test]
    fn any_bytes_are_records_that_are_shown_or_refused_with_their_line() {
        let pieces = &[
            "{",
            "}",
            "[",
            "]",
            "\"",
            ":",
            ",",
            "\n",
            "\\u",
            "-1",
            "0",
            "1",
            "2",
            "7",
            "1e9",
            "18446744073709551615",
            "null",
            "true",
            "TH",
            "2C",
            "AS",
            "stock",
            "[\"stock\",[]],",
            "draw-stock",
            "draw-discard",
            "go-out",
            "as-trump",
            "moon-add",
            "\"deals\":",
            "\"moves\":",
            "\"scores\":[]",
            "\"totals\":[]",
            "\"winners\":[]",
            "\"capped\":true",
            "\"legal\":",
            "\"notes\":[{}]",
            "\"players\":",
            "\"stopped\":{\"seat\":0,\"deal\":1,\"move\":1,\"fault\":\"\"}",
            "\"forfeits\":[{\"seat\":0,\"deal\":1,\"move\":1,\"fault\":\"\"}]",
        ];
        let reader = Reader { name: "records", pieces, rounds: 6000 };
        let reasons = reader.try_all(Vec::new(), |bytes| {
            let mut printed = Vec::new();
            let verified = verify_lines(lines(bytes), &mut printed);
            let shown = show_lines(lines(bytes), None, None, &mut printed);
            let [deal, number] = [bytes.len() % 2 + 1, bytes.len() % 23 + 1];
            let given =
                Worlds { file: "-".into(), game: None, deal, number, seat: None, samples: 2, seed: 1 };
            let sampled = worlds_of(lines(bytes), &given, &mut printed);
            // What is right to one is right to all.
            let is_no = |done: &Result<(), Failure>| matches!(done, Err(Failure::No(_)));
            assert!(
                is_no(&verified) || !is_no(&shown) && !is_no(&sampled),
                "{verified:?} {shown:?} {sampled:?}"
            );
            assert_plain(std::str::from_utf8(&printed).unwrap());
            let message = |done: Result<(), Failure>| done.err().map_or_else(String::new, Failure::message);
            let messages = [verified, shown, sampled].map(message);
            for message in &messages {
                assert!(
                    message.is_empty() || message.starts_with("games.jsonl: ") || message.starts_with("--")
                );
            }
            messages.into()
        });
        assert!(reasons.len() > 30 && reasons[""] > 10, "{} reasons", reasons.len());
    }
}
