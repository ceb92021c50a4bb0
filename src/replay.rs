//! Replaying and refereeing a record: every move is made again by the rules, and every claim of the record is compared
//! with what comes of it.
//!
//! Nothing is taken on trust: the rules must be rules of the game, hands and stock must be the pack, each move must be
//! legal and made by the seat whose turn it is, and dealers, scores, totals, winners and guards must be those of the
//! game. The first thing that differs is a [`Fault`] with its place. How the cards came to be shuffled so, and why the
//! players chose their moves, is not asked: a record of a game at a real table can be refereed too.

use dealt_agents::{GameVisitor, SearchGame, with_game};
use dealt_engine::rules::nearest;
use dealt_engine::{
    Card, CardBag, GAMES, Game, Move, Moves, RuleError, Rules, Script, Seat, Standing, Stock,
};
use serde_json::{Map, Value};

use crate::forfeit::{self, Forfeit};
use crate::record::{DealRecord, Entry, Fault, GameRecord, Step};

/// What a refereed record held.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Deals.
    pub deals: u64,
    /// Moves.
    pub moves: u64,
}

/// Something that follows a replay.
pub trait Follow<G: Game> {
    /// A deal begins; `number` counts from 0.
    fn deal(&mut self, _game: &G, _number: usize, _deal: &DealRecord, _state: &G::State) {}
    /// The stock has been made anew for the move that follows.
    fn rebuilt(&mut self, _order: &[Card]) {}
    /// The move at place `entry` of the deal's list is made.
    fn play(&mut self, _game: &G, _entry: usize, _move: (Seat, Move), _before: &G::State, _after: &G::State) {
    }
    /// A deal is over.
    fn end(&mut self, _game: &G, _state: &G::State, _standing: &Standing) {}
}

/// Follows nothing.
impl<G: Game> Follow<G> for () {}

/// Referees a record of any game that there is.
///
/// # Errors
/// The first thing that differs, and where.
pub fn verify(record: &GameRecord) -> Result<Tally, Fault> {
    struct Verify<'r>(&'r GameRecord);
    impl GameVisitor for Verify<'_> {
        type Output = Result<Tally, Fault>;
        fn visit<G: SearchGame>(self) -> Self::Output {
            replay::<G, ()>(self.0, &mut ())
        }
    }
    with_game(&record.game, Verify(record)).unwrap_or_else(|| Err(unknown_game(&record.game)))
}

/// The fault of a record whose game is none that there is.
#[must_use]
pub fn unknown_game(name: &str) -> Fault {
    let known = || GAMES.iter().map(|info| info.name);
    let hint = nearest(name, known()).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    let list: Vec<_> = known().collect();
    Fault::new(&[Step::Field("game")], format!("no game `{name}`; there are {}{hint}", list.join(", ")))
}

/// Replays a record of the game `G`, refereeing it all the way, and lets `follow` see it.
///
/// # Errors
/// The first thing that differs, and where; `follow` has seen what came before.
pub fn replay<G: Game, F: Follow<G>>(record: &GameRecord, follow: &mut F) -> Result<Tally, Fault> {
    let game: G = game_of(record)?;
    check_heading(&game, record)?;
    let mut standing = game.start(record.first_dealer);
    let mut tally = Tally { games: 1, ..Tally::default() };
    for (number, deal) in record.deals.iter().enumerate() {
        let place = [Step::Field("deals"), Step::Item(number)];
        if game.is_over(&standing) {
            return Err(Fault::new(&place, format!("the game was over after {}", deals(number))));
        }
        let referee = Referee { game: &game, deal, number };
        tally.deals += 1;
        tally.moves += deal.moves.iter().filter(|entry| matches!(entry, Entry::Move(..))).count() as u64;
        if let Some(fault) = record.stopped.as_ref().filter(|_| number + 1 == record.deals.len()) {
            let state = referee.replay(&standing, follow)?;
            referee.check_broken_off(&state, fault)?;
            check_forfeits(&game, record)?;
            check_no_result(record)?;
            return Ok(tally);
        }
        let state = referee.replay(&standing, follow)?;
        referee.check_end(&state)?;
        standing = game.after(&standing, &state);
        follow.end(&game, &state, &standing);
    }
    if record.stopped.is_some() {
        return Err(Fault::new(
            &[Step::Field("deals")],
            "a game that is broken off has at least the deal in which it is",
        ));
    }
    if !game.is_over(&standing) {
        let message = format!("the game is not over after {}", deals(record.deals.len()));
        return Err(Fault::new(&[Step::Field("deals")], message));
    }
    check_forfeits(&game, record)?;
    forfeit::settle(&game, &mut standing, &record.forfeits);
    check_result(&game, record, &standing)?;
    Ok(tally)
}

const NOT_REBUILT: &str = "no stock is made anew here";

fn deals(count: usize) -> String {
    format!("{count} deal{}", if count == 1 { "" } else { "s" })
}

/// The game of a record: its rules, complete or in part, and its number of players.
fn game_of<G: Game>(record: &GameRecord) -> Result<G, Fault> {
    let refuse = |error: RuleError| Fault::new(&[Step::Field("rules")], error.to_string());
    let mut rules = G::Rules::default().with(&record.rules).map_err(refuse)?;
    let has_players = G::Rules::OPTIONS.iter().any(|option| option.key == "players");
    if has_players && !record.rules.contains_key("players") {
        let players = Map::from_iter([("players".to_owned(), Value::from(record.players))]);
        rules = rules.with(&players).map_err(refuse)?;
    }
    G::new(rules).map_err(refuse)
}

fn check_heading<G: Game>(game: &G, record: &GameRecord) -> Result<(), Fault> {
    let players = game.players();
    if record.players != players {
        let message = format!("`{}` players, but the rules are for {players}", record.players);
        return Err(Fault::new(&[Step::Field("players")], message));
    }
    one_a_seat("agents", &[Step::Field("agents")], record.agents.len(), players)?;
    let place = [Step::Field("first_dealer")];
    let first = record.first_dealer;
    if first >= players {
        return Err(Fault::new(&place, no_seat(first, players)));
    }
    match game.first_dealer() {
        Some(ruled) if ruled != first => {
            Err(Fault::new(&place, format!("seat {first}, but by the rules seat {ruled} deals first")))
        }
        _ => Ok(()),
    }
}

/// The seats that forfeited must be there, each once, at a move of theirs.
fn check_forfeits<G: Game>(game: &G, record: &GameRecord) -> Result<(), Fault> {
    for (index, forfeit) in record.forfeits.iter().enumerate() {
        let place = |field| [Step::Field("forfeits"), Step::Item(index), Step::Field(field)];
        let Forfeit { seat, deal, number, .. } = *forfeit;
        if seat >= game.players() {
            return Err(Fault::new(&place("seat"), no_seat(seat, game.players())));
        }
        if record.forfeits[..index].iter().any(|other| other.seat == seat) {
            return Err(Fault::new(&place("seat"), format!("seat {seat} forfeits twice")));
        }
        let deals = record.deals.iter().zip(1..).find(|(_, count)| *count == deal);
        let Some((deal, _)) = deals else {
            return Err(Fault::new(&place("deal"), format!("there is no deal {deal}")));
        };
        let mut movers = deal.moves.iter().filter_map(|entry| match entry {
            Entry::Move(seat, _) => Some(*seat),
            Entry::Stock(_) => None,
        });
        let place_in_deal = number.checked_sub(1).and_then(|place| usize::try_from(place).ok());
        if place_in_deal.and_then(|place| movers.nth(place)) != Some(seat) {
            return Err(Fault::new(
                &place("move"),
                format!("move {number} of the deal is none of seat {seat}"),
            ));
        }
    }
    Ok(())
}

fn check_result<G: Game>(game: &G, record: &GameRecord, standing: &Standing) -> Result<(), Fault> {
    check_scores(&[Step::Field("totals")], &record.totals, &standing.totals[..game.players()])?;
    let winners = game.winners(standing);
    let mut claimed = record.winners.clone();
    claimed.sort_unstable();
    if claimed != winners {
        let message = format!("{:?}, but the replay gives {winners:?}", record.winners);
        return Err(Fault::new(&[Step::Field("winners")], message));
    }
    if record.capped != standing.capped {
        let message = format!("{}, but the replay gives {}", record.capped, standing.capped);
        return Err(Fault::new(&[Step::Field("capped")], message));
    }
    Ok(())
}

/// A game that was broken off has no result.
fn check_no_result(record: &GameRecord) -> Result<(), Fault> {
    let claims = [
        ("totals", !record.totals.is_empty()),
        ("winners", !record.winners.is_empty()),
        ("capped", record.capped),
    ];
    match claims.into_iter().find(|(_, claimed)| *claimed) {
        Some((field, _)) => {
            Err(Fault::new(&[Step::Field(field)], "the game was broken off, so it has no result"))
        }
        None => Ok(()),
    }
}

fn check_scores(place: &[Step], claimed: &[i64], replayed: &[i32]) -> Result<(), Fault> {
    let replayed: Vec<i64> = replayed.iter().map(|&score| i64::from(score)).collect();
    if claimed != replayed {
        return Err(Fault::new(place, format!("{claimed:?}, but the replay gives {replayed:?}")));
    }
    Ok(())
}

fn one_a_seat(what: &str, place: &[Step], given: usize, players: usize) -> Result<(), Fault> {
    if given != players {
        return Err(Fault::new(place, format!("{given} {what} for {players} players")));
    }
    Ok(())
}

fn no_seat(seat: Seat, players: usize) -> String {
    format!("`{seat}` is no seat: the seats are 0 to {}", players - 1)
}

/// Referees one deal.
struct Referee<'r, G> {
    game: &'r G,
    deal: &'r DealRecord,
    number: usize,
}

impl<G: Game> Referee<'_, G> {
    fn fault(&self, field: &'static str, message: impl Into<String>) -> Fault {
        Fault::new(&[Step::Field("deals"), Step::Item(self.number), Step::Field(field)], message)
    }

    fn fault_at(&self, field: &'static str, entry: usize, message: impl Into<String>) -> Fault {
        let mut fault = self.fault(field, message);
        fault.place.push(Step::Item(entry));
        fault
    }

    fn replay<F: Follow<G>>(&self, standing: &Standing, follow: &mut F) -> Result<G::State, Fault> {
        let Referee { game, deal, number } = *self;
        if deal.dealer != standing.dealer {
            let message = format!("seat {}, but it is seat {}'s deal", deal.dealer, standing.dealer);
            return Err(self.fault("dealer", message));
        }
        let mut stock = Refereed { script: self.script(standing)?, made_from: None };
        let mut state = game.deal(standing, &mut stock);
        follow.deal(game, number, deal, &state);
        self.replay_moves(&mut state, &mut stock, follow)?;
        Ok(state)
    }

    /// What is claimed of a deal that was played to its end.
    fn check_end(&self, state: &G::State) -> Result<(), Fault> {
        let Referee { game, deal, number } = *self;
        if let Some(seat) = game.turn(state) {
            let message = format!("the moves end, but the deal is not over: it is seat {seat}'s turn");
            return Err(self.fault("moves", message));
        }
        let place = [Step::Field("deals"), Step::Item(number), Step::Field("scores")];
        check_scores(&place, &deal.scores, &game.scores(state)[..game.players()])?;
        if deal.capped != game.capped(state) {
            let message = format!("{}, but the replay gives {}", deal.capped, game.capped(state));
            return Err(self.fault("capped", message));
        }
        Ok(())
    }

    /// What is claimed of the deal in which the game was broken off by this fault.
    fn check_broken_off(&self, state: &G::State, fault: &Forfeit) -> Result<(), Fault> {
        let refuse = |field, message| Err(Fault::new(&[Step::Field("stopped"), Step::Field(field)], message));
        if self.game.turn(state) != Some(fault.seat) {
            let turn = self
                .game
                .turn(state)
                .map_or("the deal was over".to_owned(), |seat| format!("it is seat {seat}'s turn"));
            return refuse("seat", format!("seat {}, but {turn} after the last move", fault.seat));
        }
        let deals = self.number as u64 + 1;
        if u64::from(fault.deal) != deals {
            return refuse("deal", format!("deal {}, but there are {deals}", fault.deal));
        }
        let moves = self.deal.moves.iter().filter(|entry| matches!(entry, Entry::Move(..))).count() as u64;
        if fault.number != moves + 1 {
            return refuse(
                "move",
                format!("move {}, but move {} is the one that is missing", fault.number, moves + 1),
            );
        }
        if !self.deal.scores.is_empty() || self.deal.capped {
            return Err(
                self.fault("scores", "the deal was broken off, so it has no scores and no guard ended it")
            );
        }
        Ok(())
    }

    /// The order of the pack and of the stocks made later, once it is known to be the pack.
    fn script(&self, standing: &Standing) -> Result<Script, Fault> {
        let Referee { game, deal, .. } = *self;
        let layout = game.layout(standing);
        let place = [Step::Field("deals"), Step::Item(self.number), Step::Field("hands")];
        one_a_seat("hands", &place, deal.hands.len(), game.players())?;
        for (seat, hand) in deal.hands.iter().enumerate() {
            if hand.len() != layout.hand {
                let message = format!("{} cards, but {} are dealt to each seat", hand.len(), layout.hand);
                return Err(self.fault_at("hands", seat, message));
            }
        }
        let mut cards = deal.hands.concat();
        match (layout.upcard, deal.upcard) {
            (true, None) => return Err(self.fault("upcard", "this required field is missing")),
            (false, Some(_)) => return Err(self.fault("upcard", "no card is turned up in this game")),
            (_, upcard) => cards.extend(upcard),
        }
        let rest = if G::REST == "kitty" { &deal.kitty } else { &deal.stock };
        let Some(rest) = rest else {
            return Err(self.fault(G::REST, "this required field is missing"));
        };
        cards.extend(rest);
        let mut sorted = cards.clone();
        sorted.sort_unstable();
        if let Some(difference) = difference(&sorted, game.pack()) {
            let message = format!("hands and {} are not the pack: {difference}", G::REST);
            return Err(self.fault("hands", message));
        }
        let rebuilt = deal.moves.iter().filter_map(|entry| match entry {
            Entry::Stock(order) => Some(order.clone()),
            Entry::Move(..) => None,
        });
        Ok(Script::new(cards, rebuilt.collect()))
    }

    fn replay_moves<F: Follow<G>>(
        &self,
        state: &mut G::State,
        stock: &mut Refereed,
        follow: &mut F,
    ) -> Result<(), Fault> {
        let moves = &self.deal.moves;
        if let Some(legal) = self.deal.legal.as_ref().filter(|legal| legal.len() != moves.len()) {
            let message = format!("{} lists for {} entries of `moves`", legal.len(), moves.len());
            return Err(self.fault("legal", message));
        }
        if let Some(notes) = self.deal.notes.as_ref().filter(|notes| notes.len() != moves.len()) {
            let message = format!("{} notes for {} entries of `moves`", notes.len(), moves.len());
            return Err(self.fault("notes", message));
        }
        let (mut before, mut after) = (None, None);
        for (entry, step) in moves.iter().enumerate() {
            match step {
                Entry::Stock(order) => {
                    self.check_legal(entry, None)?;
                    follow.rebuilt(order);
                    if after.take() != Some(entry) && before.replace((entry, order)).is_some() {
                        return Err(self.fault_at("moves", entry, "no draw stands between two new stocks"));
                    }
                }
                Entry::Move(seat, name) => {
                    let mv = self.check_move(state, entry, *seat, name)?;
                    // A new stock stands before the draw that it is for. One that stands right behind it will do.
                    if before.is_none()
                        && self.game.rebuilds_stock(state, mv)
                        && let Some(Entry::Stock(order)) = moves.get(entry + 1)
                    {
                        before = Some((entry + 1, order));
                        after = Some(entry + 1);
                    }
                    let position = *state;
                    self.game.play_unchecked(state, mv, stock);
                    self.check_rebuilt(entry, stock.made_from.take(), before.take())?;
                    follow.play(self.game, entry, (*seat, mv), &position, state);
                }
            }
        }
        before.map_or(Ok(()), |(entry, _)| Err(self.fault_at("moves", entry, NOT_REBUILT)))
    }

    fn check_move(&self, state: &G::State, entry: usize, seat: Seat, name: &str) -> Result<Move, Fault> {
        let game = self.game;
        let refuse = |message: String| Err(self.fault_at("moves", entry, message));
        let Some(turn) = game.turn(state) else {
            return refuse("the deal was over before this move".to_owned());
        };
        if seat >= game.players() {
            return refuse(no_seat(seat, game.players()));
        }
        if seat != turn {
            return refuse(format!("seat {seat} moves, but it is seat {turn}'s turn"));
        }
        let legal = game.legal_moves(state);
        self.check_legal(entry, Some(legal))?;
        let Some(mv) = Move::parse(name, G::WORDS) else {
            let words = G::WORDS.join(", ");
            return refuse(format!("`{name}` is no move: neither a card, such as TH, nor one of {words}"));
        };
        if !legal.has(mv) {
            return refuse(format!("`{name}` is not legal here; legal: {}", names::<G>(legal).join(" ")));
        }
        Ok(mv)
    }

    /// Compares the legal moves with the record's list, if it has lists; those of a new stock are `null`.
    fn check_legal(&self, entry: usize, legal: Option<Moves>) -> Result<(), Fault> {
        let Some(lists) = &self.deal.legal else { return Ok(()) };
        let legal = legal.map(names::<G>);
        if lists[entry] == legal {
            return Ok(());
        }
        let show =
            |list: &Option<Vec<String>>| list.as_ref().map_or("null".to_owned(), |list| list.join(" "));
        let message = format!("`{}`, but the replay gives `{}`", show(&lists[entry]), show(&legal));
        Err(self.fault_at("legal", entry, message))
    }

    /// Compares a stock made anew with the discards that it was made from.
    fn check_rebuilt(
        &self,
        entry: usize,
        made_from: Option<Vec<Card>>,
        recorded: Option<(usize, &Vec<Card>)>,
    ) -> Result<(), Fault> {
        match (made_from, recorded) {
            (None, None) => Ok(()),
            (None, Some((entry, _))) => Err(self.fault_at("moves", entry, NOT_REBUILT)),
            (Some(_), None) => {
                let message =
                    "the stock is made anew for this draw, but no entry [\"stock\", […]] stands before it";
                Err(self.fault_at("moves", entry, message))
            }
            (Some(discards), Some((entry, order))) => {
                let mut sorted = order.clone();
                sorted.sort_unstable();
                difference(&sorted, &discards).map_or(Ok(()), |difference| {
                    let message = format!("the new stock is not made of the discards: {difference}");
                    Err(self.fault_at("moves", entry, message))
                })
            }
        }
    }
}

fn names<G: Game>(moves: Moves) -> Vec<String> {
    moves.into_iter().map(|mv| mv.name(G::WORDS)).collect()
}

/// How two sorted lists of cards differ: the first card of which there is another number.
fn difference(given: &[Card], wanted: &[Card]) -> Option<String> {
    let count = |cards: &[Card], card: Card| cards.iter().filter(|&&other| other == card).count();
    Card::all().find_map(|card| {
        let (given, wanted) = (count(given, card), count(wanted, card));
        (given != wanted).then(|| format!("{given} of {card} where there must be {wanted}"))
    })
}

/// A script that remembers from which cards it was made anew.
struct Refereed {
    script: Script,
    made_from: Option<Vec<Card>>,
}

impl Stock for Refereed {
    fn draw<const PLANES: usize>(&mut self, left: &CardBag<PLANES>) -> Card {
        self.script.draw(left)
    }

    fn rebuild<const PLANES: usize>(&mut self, cards: &CardBag<PLANES>) {
        self.made_from = Some(cards.iter().collect());
        self.script.rebuild(cards);
    }
}
