//! `dealt play`: a person sits at the table.
//!
//! The person is shown what an agent is told, by the same facts, so that nobody at the table knows more than another; and
//! is asked by lines of text, so that the game can be played on any terminal and typed in by a program.
//!
//! - `shown`: the table and the hand, as a person sees them
//! - `person`: what is asked and answered
//! - this file: the game

mod person;
mod shown;

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use dealt::experiment::compile;
use dealt::panics::caught;
use dealt::record::Scribe;
use dealt::recorder::{GameHead, Recorder};
use dealt::streams::Streams;
use dealt::{OnFault, external};
use dealt_agents::{AgentSpec, Failed, GameVisitor, Player, SearchGame, Turn, with_game};
use dealt_engine::{Card, Move, Moves, Pack, Seat, Standing};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::config::Seated;
use crate::failure::Failure;
use crate::progress::Display;
use person::Person;

/// How records name the person.
const PERSON: &str = "person";

/// `dealt play GAME --against AGENT…`
pub(crate) fn play(seated: &Seated, out: &mut dyn Write) -> Result<(), Failure> {
    let file = &seated.out;
    if file.exists() && !seated.force {
        let message = "holds a game already; --force replaces it, --out FILE writes elsewhere";
        let message = if file.is_dir() { "is a folder; --out takes the name of a file" } else { message };
        return Err(Failure::wrong(format!("{} {message}", file.display())));
    }
    let forfeits = |spec: &&AgentSpec| spec.parameters().get("on_fault") == Some(&Value::from("forfeit"));
    if let Some(spec) = seated.seats.iter().flatten().find(forfeits) {
        let message = "on_fault=forfeit is for matches; at the terminal a game ends at a fault, so only stop is accepted";
        return Err(Failure::wrong(format!("{}: {message}", spec.label())));
    }
    try_to_write(file).map_err(|error| Failure::file("write", file, &error))?;
    Display::end_on_interrupt();
    for note in &seated.notes {
        writeln!(out, "({note})")?;
    }
    let record = with_game(&seated.experiment.game, Visit { seated, out })
        .unwrap_or_else(|| Err(Failure::wrong(format!("no game `{}`", seated.experiment.game))))?;
    save(seated, &record).map_err(|error| Failure::file("write", file, &error))?;
    let text = file.display();
    writeln!(out, "\nSaved as {text}; `dealt records show {text}` tells it move by move.")?;
    Ok(())
}

/// Finds out before the game whether it can be saved after it. A file that is there stays as it is.
fn try_to_write(file: &Path) -> io::Result<()> {
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    let is_new = !file.exists();
    OpenOptions::new().append(true).create(true).open(file)?;
    if is_new { fs::remove_file(file) } else { Ok(()) }
}

fn save(seated: &Seated, record: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    // Should there be a file meanwhile, it is not lost.
    let options = if seated.force { &mut options } else { options.create_new(true) };
    options.open(&seated.out)?.write_all(record)
}

struct Visit<'p> {
    seated: &'p Seated,
    out: &'p mut dyn Write,
}

impl GameVisitor for Visit<'_> {
    type Output = Result<Vec<u8>, Failure>;

    fn visit<G: SearchGame>(self) -> Self::Output {
        let Visit { seated, out } = self;
        let game: G =
            compile(&seated.experiment.variants[0]).map_err(|error| Failure::wrong(error.to_string()))?;
        let names = seated.seats.iter().enumerate().map(|(seat, spec)| match spec {
            None => "you".to_owned(),
            Some(spec) => format!("seat {seat} ({})", spec.label()),
        });
        let mut room = Room {
            game: &game,
            me: seated.person(),
            names: names.collect(),
            streams: Streams::new(seated.experiment.seed),
            scribe: Scribe::with_legal(seated.experiment.seed, false),
            players: seated
                .seats
                .iter()
                .map(|spec| spec.as_ref().map(|spec| external::player(spec, OnFault::Stop)))
                .collect(),
            asked: vec![0; seated.seats.len()],
            person: Person::new(seated.hint.clone()),
            out,
        };
        room.play(seated)
    }
}

/// The table with everybody at it.
struct Room<'p, G: SearchGame> {
    game: &'p G,
    /// The person's seat.
    me: Seat,
    /// How the seats are called.
    names: Vec<String>,
    streams: Streams,
    scribe: Scribe,
    players: Vec<Option<Player<G>>>,
    /// How often each seat was asked.
    asked: Vec<u64>,
    person: Person<G>,
    out: &'p mut dyn Write,
}

impl<G: SearchGame> Room<'_, G> {
    /// Plays the game that the first of a run with the same seed would be; gives its record.
    fn play(&mut self, seated: &Seated) -> Result<Vec<u8>, Failure> {
        let label = |spec: &'_ Option<AgentSpec>| {
            spec.as_ref().map_or(PERSON.to_owned(), |spec| spec.label().to_owned())
        };
        let labels: Vec<String> = seated.seats.iter().map(label).collect();
        let agents: Vec<&str> = labels.iter().map(String::as_str).collect();
        let drawn = || self.streams.first_dealer(0, self.game.players());
        let first_dealer = self.game.first_dealer().unwrap_or_else(drawn);
        let head = GameHead { index: 0, block: 0, variant: 0, agents: &agents, first_dealer };
        self.scribe.game_starts(self.game, &head);
        let mut standing = self.game.start(first_dealer);
        while !self.game.is_over(&standing) {
            standing = self.play_deal(&standing)?;
        }
        self.scribe.game_ends(self.game, &standing);
        self.tell_result(&standing)?;
        let mut record = Vec::new();
        self.scribe.write_to(&mut record);
        Ok(record)
    }

    fn play_deal(&mut self, standing: &Standing) -> Result<Standing, Failure> {
        let mut pack = Pack::new(self.game.pack(), self.streams.deal(0, standing.deals));
        self.scribe.deal_starts(self.game, standing, &pack.rest());
        let mut state = self.game.deal(standing, &mut pack);
        writeln!(self.out, "\n── Deal {}, dealt by {} ──", standing.deals + 1, self.names[standing.dealer])?;
        while let Some(seat) = self.game.turn(&state) {
            let legal = self.game.legal_moves(&state);
            let turn = Turn::new(
                self.game,
                standing,
                &state,
                seat,
                legal,
                self.streams.seat_key(0, seat),
                self.asked[seat],
            );
            let mv = match (legal.only(), &mut self.players[seat]) {
                (Some(mv), _) => mv,
                (None, Some(player)) => asked(|| player.decide(&turn, &state), legal)
                    .map_err(|fault| Failure::wrong(format!("{} failed: {fault}", self.names[seat])))?,
                (None, None) => self.person.decide(&turn, &self.names, self.out)?,
            };
            self.asked[seat] += u64::from(legal.len() > 1);
            self.make(&mut state, seat, mv, &mut pack)?;
        }
        let after = self.game.after(standing, &state);
        self.scribe.deal_ends(self.game, &state, &after);
        self.tell_scores(&state, &after)?;
        Ok(after)
    }

    /// Makes a move, writes it down and tells what the person sees of it.
    fn make(
        &mut self,
        state: &mut G::State,
        seat: Seat,
        mv: Move,
        pack: &mut Pack<ChaCha8Rng>,
    ) -> Result<(), Failure> {
        let (game, me) = (self.game, self.me);
        let legal = game.legal_moves(state);
        let hidden = game.is_hidden(state) && seat != me;
        let rebuilds = game.rebuilds_stock(state, mv);
        let before = *state;
        let mut noted = Noted { pack, rebuilt: None };
        game.play_unchecked(state, mv, &mut noted);
        let rebuilt = noted.rebuilt;
        self.scribe.moved(game, seat, mv, legal, rebuilt.as_deref());
        let forced = if legal.len() == 1 && seat == me { " (nothing else is legal)" } else { "" };
        if rebuilds {
            writeln!(self.out, "  the discards become a new stock")?;
        }
        let [was, is] = [&before, &*state].map(|state| Value::Object(game.facts(&game.view(state, me))));
        if !hidden {
            let said = shown::said(&self.names[seat], &mv.name(G::WORDS), shown::verb(G::NAME, &was));
            writeln!(self.out, "  {said}{forced}")?;
        }
        for line in shown::news(G::NAME, &was, &is, &self.names, me) {
            writeln!(self.out, "  {line}")?;
        }
        Ok(())
    }

    fn tell_scores(&mut self, state: &G::State, after: &Standing) -> Result<(), Failure> {
        let scores = self.game.scores(state);
        let capped = if self.game.capped(state) { " (a guard ended the deal)" } else { "" };
        writeln!(self.out, "\nThe deal is over{capped}.")?;
        for (seat, hand) in shown::hands_at_end(self.game, state, self.me) {
            writeln!(self.out, "  {} held {hand}", self.names[seat])?;
        }
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for (seat, name) in self.names.iter().enumerate() {
            writeln!(self.out, "  {name:<width$}  {:>+5}  total {:>5}", scores[seat], after.totals[seat])?;
        }
        Ok(())
    }

    fn tell_result(&mut self, standing: &Standing) -> Result<(), Failure> {
        let winners = self.game.winners(standing);
        let names: Vec<&str> = winners.iter().map(|&seat| self.names[seat].as_str()).collect();
        let verb = if names == ["you"] || names.len() > 1 { "win" } else { "wins" };
        let capped = if standing.capped { " (a guard cut it short)" } else { "" };
        writeln!(self.out, "\nThe game is over{capped}: {} {verb}.", names.join(" and "))?;
        Ok(())
    }
}

/// What a player answers, or how it failed.
fn asked(decide: impl FnOnce() -> Result<Move, Box<Failed>>, legal: Moves) -> Result<Move, String> {
    match caught(decide) {
        Ok(Ok(mv)) if legal.has(mv) => Ok(mv),
        Ok(Ok(_)) => Err("its move is not legal".to_owned()),
        Ok(Err(failed)) => Err(failed.to_string()),
        Err(fault) => Err(fault),
    }
}

/// Notes the order of a stock made anew.
struct Noted<'p> {
    pack: &'p mut Pack<ChaCha8Rng>,
    rebuilt: Option<Vec<Card>>,
}

impl dealt_engine::Stock for Noted<'_> {
    fn draw<const PLANES: usize>(&mut self, left: &dealt_engine::CardBag<PLANES>) -> Card {
        self.pack.draw(left)
    }

    fn rebuild<const PLANES: usize>(&mut self, cards: &dealt_engine::CardBag<PLANES>) {
        self.pack.rebuild(cards);
        self.rebuilt = Some(self.pack.rest());
    }
}
