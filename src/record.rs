//! Game records: the whole of one game in a line of JSON, enough to replay and referee it with no other input.
//!
//! A file holds one record a line, in the order of game index. [`GameRecord::parse`] reads any record of the format,
//! also one that another program wrote: fields that it does not know are ignored, one that is missing or has the
//! wrong form is a [`Fault`] that says where. A [`Scribe`] writes games down while they are played.
//!
//! Deals and moves count from 1 where a person reads them; the path that stands beside (`deals[1].moves[16]`) counts
//! from 0, as JSON tools do.

use std::fmt;

use dealt_engine::{Card, Game, Move, Moves, Rules, Seat, Standing};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::Experiment;
use crate::forfeit::Forfeit;
use crate::recorder::{GameHead, Recorder};

/// The version of the format, the value of the field `format`.
pub const FORMAT: u64 = 1;

/// One whole game. The order of the fields is the order in the file.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct GameRecord {
    /// [`FORMAT`].
    pub format: u64,
    /// The name of the game.
    pub game: String,
    /// How many played.
    pub players: usize,
    /// The rules in force. A written record holds every option; one that is missing has its default.
    pub rules: Map<String, Value>,
    /// The master seed.
    pub seed: u64,
    /// The number of the game in its run, from 0.
    pub index: u64,
    /// The number of its block, from 0.
    pub block: u64,
    /// The label of the agent in each seat.
    pub agents: Vec<String>,
    /// The dealer of the first deal.
    pub first_dealer: Seat,
    /// The deals in order.
    pub deals: Vec<DealRecord>,
    /// Each seat's final total.
    pub totals: Vec<i64>,
    /// The seats that share the win.
    pub winners: Vec<Seat>,
    /// Whether a guard ended the game or a deal of it.
    pub capped: bool,
    /// The seats that forfeited the game; written where there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forfeits: Vec<Forfeit>,
    /// The fault that broke the game off; written where one did. Then the last deal ends before the move that it names,
    /// and has no scores, and there are neither totals nor winners.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Forfeit>,
}

/// One deal of a game.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct DealRecord {
    /// Who dealt.
    pub dealer: Seat,
    /// The cards dealt to each seat, before any pass.
    pub hands: Vec<Vec<Card>>,
    /// The face-down stock in draw order, in games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stock: Option<Vec<Card>>,
    /// The face-down kitty, in games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kitty: Option<Vec<Card>>,
    /// The card turned up to start the discard pile, in games that turn one up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upcard: Option<Card>,
    /// The moves in order.
    pub moves: Vec<Entry>,
    /// Whether a guard ended the deal; written where it did.
    #[serde(skip_serializing_if = "is_false")]
    pub capped: bool,
    /// Each seat's score, as it is added to the totals.
    pub scores: Vec<i64>,
    /// For each entry of `moves` the moves that were legal, lowest first; `None` for a rebuilt stock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<Option<Vec<String>>>>,
    /// For each entry of `moves` what the player thought, an object; `None` where there was nothing to think about, or
    /// nothing is known of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<Vec<Option<Value>>>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// An entry of the list of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A seat made a move, named as [`Move::name`] does.
    Move(Seat, String),
    /// The stock was made anew from the discards, in this draw order, for the draw that follows.
    Stock(Vec<Card>),
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut pair = serializer.serialize_seq(Some(2))?;
        match self {
            Entry::Move(seat, name) => {
                pair.serialize_element(seat)?;
                pair.serialize_element(name)?;
            }
            Entry::Stock(cards) => {
                pair.serialize_element("stock")?;
                pair.serialize_element(cards)?;
            }
        }
        pair.end()
    }
}

/// A step of the way to a place in a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Into a field.
    Field(&'static str),
    /// To an item of a list, from 0.
    Item(usize),
}

/// What is wrong with a record, and where in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The way to the place; empty for the record as a whole.
    pub place: Vec<Step>,
    /// What is wrong there.
    pub message: String,
}

impl Fault {
    /// A fault of a place.
    pub fn new(place: &[Step], message: impl Into<String>) -> Fault {
        Fault { place: place.to_vec(), message: message.into() }
    }
}

/// What is wrong with a line of JSON, without the line and column that the parser adds: it was shown one line only.
#[must_use]
pub fn json_problem(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(problem, _)| problem).to_owned()
}

/// `deal 2, move 17 (deals[1].moves[16]): what is wrong`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let item = |depth: usize, names: &[&str]| match (self.place.get(depth), self.place.get(depth + 1)) {
            (Some(Step::Field(name)), Some(Step::Item(index))) if names.contains(name) => Some(index + 1),
            _ => None,
        };
        if let Some(deal) = item(0, &["deals"]) {
            write!(f, "deal {deal}, ")?;
            if let Some(number) = item(2, &["moves", "legal", "notes"]) {
                write!(f, "move {number}, ")?;
            }
        }
        for (index, step) in self.place.iter().enumerate() {
            match step {
                Step::Field(name) if index == 0 => write!(f, "field `{name}")?,
                Step::Field(name) => write!(f, ".{name}")?,
                Step::Item(index) => write!(f, "[{index}]")?,
            }
        }
        if !self.place.is_empty() {
            f.write_str("`: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl GameRecord {
    /// Reads a record from its line.
    ///
    /// # Errors
    /// If the line is not JSON, or a field is missing or has the wrong form.
    pub fn parse(line: &str) -> Result<GameRecord, Fault> {
        let value: Value = serde_json::from_str(line).map_err(|error| {
            let cut = if error.is_eof() { "the line is cut off" } else { "the line is not JSON" };
            Fault::new(&[], format!("{cut}, column {}: {}", error.column(), json_problem(&error)))
        })?;
        let top = Cursor::top(&value);
        if !value.is_object() {
            return Err(top.wrong("a record, which is a JSON object"));
        }
        let format = top.field("format")?;
        if format.whole()? != FORMAT {
            return Err(format.wrong("the only format there is, 1"));
        }
        Ok(GameRecord {
            format: FORMAT,
            game: top.field("game")?.text()?.to_owned(),
            players: read_small(&top.field("players")?)?,
            rules: top.field("rules")?.object()?.clone(),
            seed: top.field("seed")?.whole()?,
            index: top.field("index")?.whole()?,
            block: top.field("block")?.whole()?,
            agents: top.field("agents")?.list(|agent| agent.text().map(str::to_owned))?,
            first_dealer: read_small(&top.field("first_dealer")?)?,
            deals: top.field("deals")?.list(read_deal)?,
            totals: top.field("totals")?.list(read_integer)?,
            winners: top.field("winners")?.list(read_small)?,
            capped: top.field("capped")?.flag()?,
            forfeits: top.optional("forfeits").map_or(Ok(Vec::new()), |list| list.list(read_forfeit))?,
            stopped: top.optional("stopped").map(|fault| read_forfeit(&fault)).transpose()?,
        })
    }

    /// The record as its line, without the line break.
    ///
    /// # Panics
    /// Never: a record is plain values.
    #[must_use]
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("a record is plain values")
    }
}

fn read_deal(deal: &Cursor<'_>) -> Result<DealRecord, Fault> {
    if !deal.value.is_object() {
        return Err(deal.wrong("a deal, which is a JSON object"));
    }
    Ok(DealRecord {
        dealer: read_small(&deal.field("dealer")?)?,
        hands: deal.field("hands")?.list(read_cards)?,
        stock: deal.optional("stock").map(|stock| read_cards(&stock)).transpose()?,
        kitty: deal.optional("kitty").map(|kitty| read_cards(&kitty)).transpose()?,
        upcard: deal.optional("upcard").map(|upcard| read_card(&upcard)).transpose()?,
        moves: deal.field("moves")?.list(read_entry)?,
        capped: deal.optional("capped").map_or(Ok(false), |capped| capped.flag())?,
        scores: deal.field("scores")?.list(read_integer)?,
        legal: deal.optional("legal").map(|legal| legal.list(read_legal)).transpose()?,
        notes: deal.optional("notes").map(|notes| notes.list(read_note)).transpose()?,
    })
}

fn read_forfeit(forfeit: &Cursor<'_>) -> Result<Forfeit, Fault> {
    if !forfeit.value.is_object() {
        return Err(forfeit.wrong("a fault with its place, which is a JSON object"));
    }
    Ok(Forfeit {
        seat: read_small(&forfeit.field("seat")?)?,
        deal: u32::try_from(forfeit.field("deal")?.whole()?).unwrap_or(u32::MAX),
        number: forfeit.field("move")?.whole()?,
        fault: forfeit.field("fault")?.text()?.to_owned(),
    })
}

fn read_entry(entry: &Cursor<'_>) -> Result<Entry, Fault> {
    const FORM: &str = "a pair [seat, move] or [\"stock\", [cards in draw order]]";
    match entry.value.as_array().map(Vec::as_slice) {
        Some([Value::String(word), _]) if word == "stock" => read_cards(&entry.item(1)).map(Entry::Stock),
        Some([Value::Number(_), _]) => {
            Ok(Entry::Move(read_small(&entry.item(0))?, entry.item(1).text()?.to_owned()))
        }
        _ => Err(entry.wrong(FORM)),
    }
}

fn read_legal(legal: &Cursor<'_>) -> Result<Option<Vec<String>>, Fault> {
    if legal.value.is_null() {
        return Ok(None);
    }
    legal.list(|mv| mv.text().map(str::to_owned)).map(Some)
}

fn read_note(note: &Cursor<'_>) -> Result<Option<Value>, Fault> {
    if note.value.is_null() {
        return Ok(None);
    }
    note.object().map(|object| Some(Value::Object(object.clone())))
}

fn read_integer(item: &Cursor<'_>) -> Result<i64, Fault> {
    item.value.as_i64().ok_or_else(|| item.wrong("a whole number"))
}

/// A number of players or a seat. One too large for this machine is nobody's seat, and said to be when seats are
/// checked.
fn read_small(item: &Cursor<'_>) -> Result<usize, Fault> {
    Ok(usize::try_from(item.whole()?).unwrap_or(usize::MAX))
}

fn read_card(item: &Cursor<'_>) -> Result<Card, Fault> {
    let wanted = "a card: a rank of 23456789TJQKA and a suit of CDSH, such as \"TH\"";
    item.value.as_str().and_then(|text| text.parse().ok()).ok_or_else(|| item.wrong(wanted))
}

fn read_cards(item: &Cursor<'_>) -> Result<Vec<Card>, Fault> {
    item.list(read_card)
}

/// A value in a record, with the way back to the top.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    value: &'a Value,
    up: Option<(&'a Cursor<'a>, Step)>,
}

impl<'a> Cursor<'a> {
    fn top(value: &'a Value) -> Cursor<'a> {
        Cursor { value, up: None }
    }

    fn place(&self) -> Vec<Step> {
        let mut place = self.up.map_or_else(Vec::new, |(up, _)| up.place());
        place.extend(self.up.map(|(_, step)| step));
        place
    }

    fn wrong(&self, wanted: &str) -> Fault {
        let mut given = self.value.to_string();
        if given.chars().count() > 40 {
            given = given.chars().take(40).chain(['…']).collect();
        }
        Fault { place: self.place(), message: format!("`{given}` is not {wanted}") }
    }

    fn optional(&'a self, name: &'static str) -> Option<Cursor<'a>> {
        self.value.get(name).map(|value| Cursor { value, up: Some((self, Step::Field(name))) })
    }

    fn field(&'a self, name: &'static str) -> Result<Cursor<'a>, Fault> {
        self.optional(name).ok_or_else(|| {
            let mut place = self.place();
            place.push(Step::Field(name));
            Fault { place, message: "this required field is missing".to_owned() }
        })
    }

    fn item(&'a self, index: usize) -> Cursor<'a> {
        Cursor { value: &self.value[index], up: Some((self, Step::Item(index))) }
    }

    fn list<T>(&self, read: impl Fn(&Cursor<'_>) -> Result<T, Fault>) -> Result<Vec<T>, Fault> {
        let items = self.value.as_array().ok_or_else(|| self.wrong("a list"))?;
        (0..items.len()).map(|index| read(&self.item(index))).collect()
    }

    fn object(&self) -> Result<&'a Map<String, Value>, Fault> {
        self.value.as_object().ok_or_else(|| self.wrong("an object"))
    }

    fn text(&self) -> Result<&'a str, Fault> {
        self.value.as_str().ok_or_else(|| self.wrong("a text"))
    }

    fn flag(&self) -> Result<bool, Fault> {
        self.value.as_bool().ok_or_else(|| self.wrong("true or false"))
    }

    fn whole(&self) -> Result<u64, Fault> {
        self.value.as_u64().ok_or_else(|| self.wrong("a whole number from 0 up"))
    }
}

/// Writes games down while they are played, one after another.
#[derive(Clone, Debug)]
pub struct Scribe {
    with_legal: bool,
    with_notes: bool,
    /// The note of the move that comes.
    note: Option<Value>,
    record: GameRecord,
}

impl Scribe {
    /// A scribe, who lists the legal moves of every decision too if asked to.
    #[must_use]
    pub fn with_legal(seed: u64, with_legal: bool) -> Scribe {
        let record = GameRecord { format: FORMAT, seed, ..GameRecord::default() };
        Scribe { with_legal, with_notes: false, note: None, record }
    }

    /// The same scribe, who writes down what the players thought too if asked to.
    #[must_use]
    pub fn with_notes(self, with_notes: bool) -> Scribe {
        Scribe { with_notes, ..self }
    }

    /// What is written down of the game so far.
    #[must_use]
    pub fn record(&self) -> &GameRecord {
        &self.record
    }

    fn deal(&mut self) -> &mut DealRecord {
        self.record.deals.last_mut().expect("a deal starts before anything happens in it")
    }
}

impl Recorder for Scribe {
    const RECORDS: bool = true;

    fn new(experiment: &Experiment) -> Scribe {
        Scribe::with_legal(experiment.seed, experiment.outputs.legal).with_notes(experiment.outputs.notes)
    }

    fn game_starts<G: Game>(&mut self, game: &G, head: &GameHead<'_>) {
        self.record = GameRecord {
            format: FORMAT,
            game: G::NAME.to_owned(),
            players: game.players(),
            rules: game.rules().to_map(),
            seed: self.record.seed,
            index: head.index,
            block: head.block,
            agents: head.agents.iter().map(|&label| label.to_owned()).collect(),
            first_dealer: head.first_dealer,
            ..GameRecord::default()
        };
    }

    fn deal_starts<G: Game>(&mut self, game: &G, standing: &Standing, order: &[Card]) {
        let layout = game.layout(standing);
        let mut cards = order.iter().copied();
        let mut hands: Vec<Vec<Card>> =
            (0..game.players()).map(|_| cards.by_ref().take(layout.hand).collect()).collect();
        hands.iter_mut().for_each(|hand| hand.sort_unstable());
        let upcard = if layout.upcard { cards.next() } else { None };
        let rest: Vec<Card> = cards.collect();
        let (stock, kitty) = if G::REST == "kitty" { (None, Some(rest)) } else { (Some(rest), None) };
        let legal = self.with_legal.then(Vec::new);
        let notes = self.with_notes.then(Vec::new);
        let dealer = standing.dealer;
        let deal = DealRecord { dealer, hands, stock, kitty, upcard, legal, notes, ..DealRecord::default() };
        self.record.deals.push(deal);
    }

    fn wants_notes(&self) -> bool {
        self.with_notes
    }

    fn noted(&mut self, note: Option<Value>) {
        self.note = note;
    }

    fn forfeited(&mut self, forfeit: &Forfeit) {
        self.record.forfeits.push(forfeit.clone());
    }

    fn moved<G: Game>(&mut self, _: &G, seat: Seat, mv: Move, legal: Moves, stock: Option<&[Card]>) {
        let note = self.note.take();
        let deal = self.deal();
        if let Some(order) = stock {
            deal.moves.push(Entry::Stock(order.to_vec()));
        }
        deal.moves.push(Entry::Move(seat, mv.name(G::WORDS)));
        if let Some(lists) = &mut deal.legal {
            lists.extend(stock.map(|_| None));
            lists.push(Some(legal.into_iter().map(|mv| mv.name(G::WORDS)).collect()));
        }
        if let Some(notes) = &mut deal.notes {
            notes.extend(stock.map(|_| None));
            notes.push(note);
        }
    }

    fn deal_ends<G: Game>(&mut self, game: &G, state: &G::State, _: &Standing) {
        let deal = self.deal();
        deal.scores = game.scores(state)[..game.players()].iter().map(|&score| i64::from(score)).collect();
        deal.capped = game.capped(state);
    }

    fn game_ends<G: Game>(&mut self, game: &G, standing: &Standing) {
        self.record.totals =
            standing.totals[..game.players()].iter().map(|&total| i64::from(total)).collect();
        self.record.winners = game.winners(standing);
        self.record.capped = standing.capped;
    }

    fn write_to(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.record.to_line().as_bytes());
        out.push(b'\n');
    }
}
