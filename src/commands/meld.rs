//! `dealt meld`: the least deadwood of a hand of Three Thirteen, and melds that leave it.
//!
//! Flags and lines of a file become the same JSON object, the fields of which are `wild`, `hand` and the game's options
//! on melds; so both are read by the same code.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};

use dealt::record::json_problem;
use dealt_engine::meld::{Ace, Arrangement, MeldLimits, MeldRules};
use dealt_engine::rules::{plain, shown};
use dealt_engine::{Bag, Card, Rank};
use serde_json::{Map, Value};

use crate::cli::Meld;
use crate::config::Node;
use crate::failure::{Failure, accepted};

/// The fields of a line: those that say something about melds, and those that collections of hands and the answers here
/// have besides.
const FIELDS: [&str; 11] = [
    "wild",
    "hand",
    "ace",
    "ace_penalty",
    "wild_penalty",
    "max_wilds_per_meld",
    "min_naturals_per_meld",
    "decks",
    "round",
    "deadwood",
    "melds",
];
/// A penalty that sums over a hand without overflow, far above any in use.
const MOST_PENALTY: i64 = 1000;

/// `dealt meld`
pub(crate) fn meld(given: &Meld, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(path) = &given.jsonl {
        let standard = path.as_os_str() == "-";
        let name = if standard { "standard input".to_owned() } else { path.display().to_string() };
        let input: Box<dyn BufRead> = if standard {
            Box::new(io::stdin().lock())
        } else {
            Box::new(BufReader::new(File::open(path).map_err(|error| Failure::file("open", path, &error))?))
        };
        return meld_lines(&name, input, out);
    }
    let problem = from_flags(given)?;
    let (rules, hand) = read(&problem).map_err(Failure::Wrong)?;
    let Arrangement { melds, deadwood, total } = rules.arrange(&hand);
    writeln!(out, "deadwood {total}")?;
    for meld in &melds {
        writeln!(out, "meld     {}", join(meld))?;
    }
    if !deadwood.is_empty() {
        writeln!(out, "left     {}", join(&deadwood))?;
    }
    Ok(())
}

fn join(cards: &[Card]) -> String {
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
}

fn from_flags(given: &Meld) -> Result<Map<String, Value>, Failure> {
    let mut problem = Map::new();
    problem.insert("wild".to_owned(), Value::from(given.wild.as_deref().unwrap_or_default()));
    problem.insert("hand".to_owned(), Value::from(given.cards.clone()));
    let options = [
        ("ace", &given.ace),
        ("ace_penalty", &given.ace_penalty),
        ("wild_penalty", &given.wild_penalty),
        ("max_wilds_per_meld", &given.max_wilds_per_meld),
        ("min_naturals_per_meld", &given.min_naturals_per_meld),
    ];
    for (key, text) in options {
        if let Some(text) = text {
            let value = Node::parse_value(text, &format!("--{}", key.replace('_', "-")))?;
            problem.insert(key.to_owned(), value.to_json());
        }
    }
    Ok(problem)
}

/// Writes each line of a file back with `deadwood` and `melds`; the other fields stay as they are.
pub(crate) fn meld_lines(name: &str, input: Box<dyn BufRead>, out: &mut dyn Write) -> Result<(), Failure> {
    for (index, line) in input.lines().enumerate() {
        let refuse = |message: String| Failure::Wrong(format!("{name}: line {}: {message}", index + 1));
        let line = line.map_err(|error| refuse(error.to_string()))?;
        if line.trim().is_empty() {
            continue;
        }
        let problem: Value = serde_json::from_str(&line).map_err(|error| {
            let (column, problem) = (error.column(), json_problem(&error));
            refuse(format!("this is not JSON, column {column}: {problem}"))
        })?;
        let Value::Object(mut problem) = problem else {
            return Err(refuse("this is not a JSON object".to_owned()));
        };
        if let Some(key) = problem.keys().find(|key| !FIELDS.contains(&key.as_str())) {
            return Err(refuse(format!("no field `{key}`; accepted: {}", accepted(key, FIELDS))));
        }
        let (rules, hand) = read(&problem).map_err(refuse)?;
        let arrangement = rules.arrange(&hand);
        problem.insert("deadwood".to_owned(), Value::from(arrangement.total));
        let melds = serde_json::to_value(&arrangement.melds).expect("cards are texts");
        problem.insert("melds".to_owned(), melds);
        writeln!(out, "{}", Value::Object(problem))?;
    }
    Ok(())
}

/// The rules and the hand of a problem, or what is wrong with it.
pub(crate) fn read(problem: &Map<String, Value>) -> Result<(MeldRules, Bag), String> {
    let wild = read_wild(problem)?;
    let ace =
        field(problem, "ace", "low, low_or_high", |value| serde_json::from_value::<Ace>(value.clone()).ok())?;
    let mut limits = MeldLimits::new(ace.unwrap_or_default());
    let penalties = format!("a whole number from -{MOST_PENALTY} to {MOST_PENALTY}");
    let penalty = |value: &Value| {
        value.as_i64().filter(|penalty| penalty.abs() <= MOST_PENALTY).map(|penalty| penalty as i32)
    };
    if let Some(penalty) = field(problem, "ace_penalty", &penalties, penalty)? {
        limits.ace_penalty = penalty;
    }
    limits.wild_penalty = field(problem, "wild_penalty", &penalties, penalty)?;
    let at_most = |most: u64| {
        move |value: &Value| value.as_u64().filter(|&count| count <= most).map(|count| count as u8)
    };
    limits.max_wilds_per_meld = field(problem, "max_wilds_per_meld", "0 to 13, or none", at_most(13))?;
    limits.min_naturals_per_meld =
        field(problem, "min_naturals_per_meld", "0 to 3", at_most(3))?.unwrap_or(0);
    Ok((MeldRules::new(wild, &limits), read_hand(problem)?))
}

fn read_wild(problem: &Map<String, Value>) -> Result<Rank, String> {
    match problem.get("wild").filter(|value| !value.is_null()) {
        None => Err("the field `wild` is missing".to_owned()),
        Some(Value::String(text)) => text
            .parse()
            .map_err(|_| format!("`wild` cannot be `{text}`; accepted: a rank, one of 23456789TJQKA")),
        Some(value) => Err(format!(
            "`wild` cannot be `{value}`; accepted: a rank in quotes, such as \"4\", one of 23456789TJQKA"
        )),
    }
}

fn read_hand(problem: &Map<String, Value>) -> Result<Bag, String> {
    let accepts = "a list of cards, such as [\"TH\", \"2C\"]";
    let cards = field(problem, "hand", accepts, |value| value.as_array().cloned())?;
    let cards = cards.ok_or("the field `hand` is missing")?;
    let most = MeldRules::MAX_HAND;
    if cards.len() > most {
        return Err(format!("{} cards; accepted: up to {most}", cards.len()));
    }
    let packs =
        field(problem, "decks", "1 to 7", |value| value.as_u64().filter(|packs| (1..=7).contains(packs)))?;
    let copies = packs.map_or(Bag::MOST_COPIES, |packs| packs as usize);
    let mut hand = Bag::EMPTY;
    for card in &cards {
        let card: Card = plain(card).parse().map_err(|error: dealt_engine::CardError| error.to_string())?;
        if hand.count(card) == copies {
            return Err(format!(
                "more than {copies} of {card} in the hand; accepted: as many as there are packs"
            ));
        }
        hand.insert(card);
    }
    Ok(hand)
}

/// A field that may be missing or `null`.
fn field<T>(
    problem: &Map<String, Value>,
    key: &str,
    accepts: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<Option<T>, String> {
    let Some(value) = problem.get(key).filter(|value| !value.is_null()) else { return Ok(None) };
    let refuse = || format!("`{key}` cannot be `{}`; accepted: {accepts}", shown(value));
    read(value).map(Some).ok_or_else(refuse)
}
