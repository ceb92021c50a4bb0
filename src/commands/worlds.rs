//! `dealt records worlds`: what a seat may believe about the hidden cards at a moment of a recorded game.
//!
//! The worlds are drawn as search draws them, uniformly from all deals that fit what the seat has seen. So the table of
//! shares shows what agents know, and what they do not.

use std::io::{self, Write};

use dealt::record::{Entry, Fault, GameRecord};
use dealt::replay::{Follow, replay, unknown_game};
use dealt_agents::{GameVisitor, SearchGame, with_game};
use dealt_engine::{Bag, Card, CardSet, Game, Move, QuickDice, Seat, Worlds as _};
use serde_json::{Map, Value};

use super::records::{Lines, check_deal};
use crate::cli::Worlds;
use crate::failure::Failure;

/// `dealt records worlds FILE --deal D --move K --samples N`
pub(crate) fn worlds(given: &Worlds, out: &mut dyn Write) -> Result<(), Failure> {
    worlds_of(Lines::open(&given.file)?, given, out)
}

pub(super) fn worlds_of(mut lines: Lines, given: &Worlds, out: &mut dyn Write) -> Result<(), Failure> {
    let record = lines.find(given.game)?;
    check_deal(&record, given.deal)?;
    check_move(&record, given)?;
    let seats = record.agents.len();
    if let Some(seat) = given.seat.filter(|&seat| seat >= seats) {
        return Err(Failure::wrong(format!("--seat {seat}: accepted: 0 to {}", seats - 1)));
    }
    let shown = with_game(&record.game, Show { record: &record, given, out });
    match shown.unwrap_or_else(|| Ok(Some(unknown_game(&record.game))))? {
        Some(fault) => Err(lines.refuse(&fault)),
        None => Ok(()),
    }
}

/// Refuses what is no move of the deal.
fn check_move(record: &GameRecord, given: &Worlds) -> Result<(), Failure> {
    let (moves, number) = (&record.deals[given.deal - 1].moves, given.number);
    match number.checked_sub(1).and_then(|entry| moves.get(entry)) {
        Some(Entry::Move(..)) => Ok(()),
        Some(Entry::Stock(_)) => {
            Err(Failure::wrong(format!("--move {number}: that is a new stock, no move of a seat")))
        }
        None => {
            let accepts = match moves.len() {
                0 => "none, for the deal has no move".to_owned(),
                count => format!("1 to {count}, the moves of the deal"),
            };
            Err(Failure::wrong(format!("--move {number}: accepted: {accepts}")))
        }
    }
}

/// Replays a record of a game that has a type, and samples.
struct Show<'s> {
    record: &'s GameRecord,
    given: &'s Worlds,
    out: &'s mut dyn Write,
}

impl GameVisitor for Show<'_> {
    type Output = io::Result<Option<Fault>>;

    fn visit<G: SearchGame>(self) -> Self::Output {
        let mut moment = Moment::<G> { given: self.given, deal: 0, seen: None };
        if let Err(fault) = replay::<G, _>(self.record, &mut moment) {
            return Ok(Some(fault));
        }
        if let Some((game, view)) = moment.seen {
            sample(&game, &view, self.given, self.out)?;
        }
        Ok(None)
    }
}

/// Waits for a move of a replay and keeps what a seat knows just before it.
struct Moment<'s, G: Game> {
    given: &'s Worlds,
    deal: usize,
    seen: Option<(G, G::View)>,
}

impl<G: Game> Follow<G> for Moment<'_, G> {
    fn deal(&mut self, _: &G, number: usize, _: &dealt::record::DealRecord, _: &G::State) {
        self.deal = number + 1;
    }

    fn play(&mut self, game: &G, entry: usize, (mover, _): (Seat, Move), before: &G::State, _: &G::State) {
        if (self.deal, entry + 1) == (self.given.deal, self.given.number) {
            let seat = self.given.seat.unwrap_or(mover);
            self.seen = Some((game.clone(), game.view(before, seat)));
        }
    }
}

/// The cards of a world: by seat, and last those face down on the table.
fn places<G: Game>(game: &G, world: &G::State) -> Vec<Bag> {
    let held = (0..game.players()).map(|seat| {
        let mut held = game.hand(world, seat);
        held.insert_all(&game.laid_aside(world, seat));
        held
    });
    held.chain([game.rest(world)]).collect()
}

/// Prints sampled worlds and the table.
fn sample<G: Game>(game: &G, view: &G::View, given: &Worlds, out: &mut dyn Write) -> io::Result<()> {
    let mut dice = QuickDice::new(given.seed, 0);
    let mut worlds = game.worlds(view);
    let seat = game.seat(view);
    let mut counts = vec![[0_u32; Card::COUNT]; game.players() + 1];
    for _ in 0..given.samples {
        let places = places(game, &worlds.sample(&mut dice));
        writeln!(out, "{}", json::<G>(&places))?;
        for (counts, cards) in counts.iter_mut().zip(&places) {
            cards.faces().into_iter().for_each(|card| counts[card.index()] += 1);
        }
    }
    counts[seat] = [0; Card::COUNT];
    writeln!(out)?;
    table::<G>(seat, given.samples, &counts, out)
}

/// A world as a line of JSON.
fn json<G: Game>(places: &[Bag]) -> Value {
    let list = |bag: &Bag| Value::from(bag.iter().map(|card| card.to_string()).collect::<Vec<_>>());
    let (rest, hands) = places.split_last().expect("there are seats and the rest");
    let hands: Vec<Value> = hands.iter().map(list).collect();
    Value::from(Map::from_iter([("hands".to_owned(), Value::from(hands)), (G::REST.to_owned(), list(rest))]))
}

/// Prints for each unseen card the share of the worlds in which it is in each place.
fn table<G: Game>(
    seat: Seat,
    samples: u32,
    counts: &[[u32; Card::COUNT]],
    out: &mut dyn Write,
) -> io::Result<()> {
    let somewhere = |card: &Card| counts.iter().any(|counts| counts[card.index()] > 0);
    let unseen: CardSet = Card::all().filter(somewhere).collect();
    if unseen.is_empty() {
        return writeln!(out, "seat {seat} has seen every card");
    }
    let last = counts.len() - 1;
    let shown: Vec<usize> = (0..=last).filter(|&place| place != seat).collect();
    write!(out, "card")?;
    for &place in &shown {
        let name = if place == last { G::REST.to_owned() } else { format!("seat {place}") };
        write!(out, "  {name:>7}")?;
    }
    writeln!(out)?;
    for card in unseen {
        write!(out, "{card:<4}")?;
        for &place in &shown {
            let share = f64::from(counts[place][card.index()]) / f64::from(samples);
            write!(out, "  {share:>7.3}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
