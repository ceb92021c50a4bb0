//! The protocol: lines of JSON, what the simulator says and how it reads what a program answers.
//!
//! Nothing here is read from anywhere or waits for anybody, so that any bytes can be tried as an answer.

use dealt_agents::Turn;
use dealt_engine::{Game, Move, Moves, Rules, Seat};
use rand_chacha::rand_core::Rng;
use serde_json::{Map, Value, json};

use crate::record::json_problem;

/// The version of the protocol.
pub const VERSION: u64 = 1;
/// Bits of the random number of a question: those that every language's numbers hold.
const DICE_BITS: u32 = 53;
/// Letters of an answer that a message shows.
const SHOWN: usize = 80;

/// The first line to a program.
#[must_use]
pub fn greeting() -> Vec<u8> {
    line(&json!({
        "type": "hello",
        "protocol": VERSION,
        "program": concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")),
    }))
}

/// The game and its rules, for the questions that follow.
#[must_use]
pub fn game<G: Game>(game: &G) -> Vec<u8> {
    line(
        &json!({ "type": "game", "game": G::NAME, "players": game.players(), "rules": game.rules().to_map() }),
    )
}

/// A question: all that the seat knows, and its legal moves.
#[must_use]
pub fn question<G: Game>(turn: &Turn<'_, G>, id: u64) -> Vec<u8> {
    line(&question_value(turn, id))
}

/// The question before it is written as a line.
#[must_use]
pub fn question_value<G: Game>(turn: &Turn<'_, G>, id: u64) -> Value {
    json!({
        "type": "move",
        "id": id,
        "seat": turn.seat(),
        "deal": turn.standing().deals + 1,
        "legal": names::<G>(turn.legal_moves()),
        "view": Value::Object(turn.game().facts(&turn.view())),
        "dice": turn.dice().next_u64() >> (u64::BITS - DICE_BITS),
    })
}

fn line(value: &Value) -> Vec<u8> {
    let mut bytes = value.to_string().into_bytes();
    bytes.push(b'\n');
    bytes
}

fn names<G: Game>(moves: Moves) -> Vec<String> {
    moves.into_iter().map(|mv| mv.name(G::WORDS)).collect()
}

/// Reads the answer to the greeting: what the program calls itself, if it says so.
///
/// # Errors
/// If it is none. The message completes a sentence that begins with the program.
pub fn read_greeting(line: &[u8]) -> Result<Option<String>, String> {
    let answer = read_object(line)?;
    match answer.get("protocol") {
        None => {
            return Err(format!("answered the greeting without the field `protocol`, which is {VERSION}"));
        }
        Some(version) if version.as_u64() != Some(VERSION) => {
            return Err(format!("speaks protocol {}, not {VERSION}", brief(&version.to_string())));
        }
        Some(_) => {}
    }
    match answer.get("name") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) => Ok(Some(brief(name))),
        Some(other) => Err(format!("gives its name as `{}`, which is no text", brief(&other.to_string()))),
    }
}

/// Reads the answer to a question: the move, and what the program thought.
///
/// # Errors
/// If it is none. The message completes a sentence that begins with the program.
pub fn read_answer<G: Game>(
    line: &[u8],
    id: u64,
    seat: Seat,
    legal: Moves,
) -> Result<(Move, Option<Value>), String> {
    let mut answer = read_object(line)?;
    match answer.get("id") {
        None => return Err(format!("answered `{}` without the field `id`", shown(line))),
        Some(given) if given.as_u64() != Some(id) => {
            return Err(format!(
                "answered question {} where question {id} was asked",
                brief(&given.to_string())
            ));
        }
        Some(_) => {}
    }
    if let Some(given) = answer.get("seat").filter(|given| given.as_u64() != Some(seat as u64)) {
        return Err(format!("moved for seat {} where seat {seat} was asked", brief(&given.to_string())));
    }
    if let Some(error) = answer.get("error") {
        let text = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
        return Err(format!("gave up: {}", brief(&text)));
    }
    let mv = read_move::<G>(&answer, legal)?;
    match answer.remove("notes") {
        None | Some(Value::Null) => Ok((mv, None)),
        Some(notes @ Value::Object(_)) => Ok((mv, Some(notes))),
        Some(other) => Err(format!("gave the notes `{}`, which are no object", brief(&other.to_string()))),
    }
}

fn read_move<G: Game>(answer: &Map<String, Value>, legal: Moves) -> Result<Move, String> {
    let given = answer.get("move").ok_or("answered without the field `move`")?;
    let name = given
        .as_str()
        .ok_or_else(|| format!("answered the move `{}`, which is no text", brief(&given.to_string())))?;
    let Some(mv) = Move::parse(name, G::WORDS) else {
        let words = G::WORDS.join(", ");
        return Err(format!(
            "answered `{}`, which is no move: neither a card, such as TH, nor one of {words}",
            brief(name)
        ));
    };
    if !legal.has(mv) {
        let legal = names::<G>(legal).join(" ");
        return Err(format!("answered `{}`, which is not legal here; legal: {legal}", brief(name)));
    }
    Ok(mv)
}

fn read_object(line: &[u8]) -> Result<Map<String, Value>, String> {
    let text = std::str::from_utf8(line).map_err(|error| {
        format!("wrote `{}`, byte {} of which is not UTF-8", shown(line), error.valid_up_to() + 1)
    })?;
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(format!("wrote `{}`, which is not a JSON object", shown(line))),
        Err(error) => Err(format!("wrote `{}`, which is not JSON: {}", shown(line), json_problem(&error))),
    }
}

/// What a program wrote, as a message shows it: its beginning, without anything that a terminal would obey.
#[must_use]
pub fn shown(bytes: &[u8]) -> String {
    let most = bytes.len().min(4 * SHOWN + 4);
    let text = brief(&String::from_utf8_lossy(&bytes[..most]));
    if bytes.len() > most && !text.ends_with('…') { text + "…" } else { text }
}

/// The beginning of a text, on one line.
fn brief(text: &str) -> String {
    let plain = |letter: char| {
        if letter.is_control() || "\u{2028}\u{2029}".contains(letter) { '\u{fffd}' } else { letter }
    };
    let mut letters = text.trim_end().chars();
    let mut brief: String = letters.by_ref().take(SHOWN).map(plain).collect();
    if letters.next().is_some() {
        brief.push('…');
    }
    brief
}
