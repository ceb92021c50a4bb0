//! Whatever bytes a program writes, they are an answer or refused in one plain line.
//!
//! How the inputs are made is told in `fuzzing`.

use std::io::{self, Read};

use crate::fuzzing::Reader;
use dealt::external::lines::{Heard, LONGEST, Unfinished, read};
use dealt::external::protocol::{read_answer, read_greeting, shown};
use dealt_engine::{Card, Dice, Game, Move, Moves, QuickDice, ThreeThirteen};

fn legal() -> Moves {
    let cards: Moves =
        ["2C", "TH", "AS"].iter().map(|card| Move::card(card.parse::<Card>().unwrap())).collect();
    cards | Moves::of(Move::word(2))
}

/// Tries an input both ways; gives what is said to refuse it.
fn try_input(bytes: &[u8]) -> [String; 2] {
    let answer = read_answer::<ThreeThirteen>(bytes, 7, 1, legal());
    if let Ok((mv, notes)) = &answer {
        assert!(legal().has(*mv));
        let value: serde_json::Value = serde_json::from_slice(bytes).unwrap();
        assert_eq!((&value["id"], &value["move"]), (&7.into(), &mv.name(ThreeThirteen::WORDS).into()));
        assert_eq!(notes.clone().unwrap_or_default(), value["notes"]);
    }
    let greeting = read_greeting(bytes);
    let [answer, greeting] = [answer.err(), greeting.err()].map(Option::unwrap_or_default);
    for message in [&answer, &greeting, &shown(bytes)] {
        assert!(message.chars().count() < 400, "{message}");
        assert!(!message.chars().any(char::is_control), "{message:?}");
    }
    [answer, greeting]
}

#[test]
fn any_bytes_are_an_answer_or_refused_in_a_plain_line() {
    const PIECES: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        "\"",
        ":",
        ",",
        "\\u",
        "\\",
        "7",
        "-",
        "1e9",
        "null",
        "\"id\":7",
        "\"move\":\"TH\"",
        "\0",
    ];
    let reader = Reader { name: "protocol", pieces: PIECES, rounds: 50_000 };
    let reasons = reader.try_all(Vec::new(), |input| {
        check_lines(input, &QuickDice::new(input.len() as u64, 1));
        try_input(input).into()
    });
    assert!(reasons.len() > 20 && reasons[""] > 50, "{reasons:?}");
}

/// Gives bytes in pieces of any size.
struct Pieces<'b> {
    bytes: &'b [u8],
    dice: QuickDice,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.dice.below(5) == 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let most = (1 + self.dice.below(9000) as usize).min(self.bytes.len()).min(buffer.len());
        buffer[..most].copy_from_slice(&self.bytes[..most]);
        self.bytes = &self.bytes[most..];
        Ok(most)
    }
}

/// All that is heard of these bytes.
fn heard(bytes: &[u8], dice: QuickDice) -> Vec<Heard> {
    let mut all = Vec::new();
    let unfinished = Unfinished::default();
    read(Pieces { bytes, dice }, &unfinished, |heard| {
        all.push(heard);
        true
    });
    assert!(unfinished.bytes().is_empty());
    all
}

/// Bytes are heard as the lines that they are, in whatever pieces they come.
fn check_lines(bytes: &[u8], dice: &QuickDice) {
    let mut expected: Vec<Heard> = bytes
        .split(|&byte| byte == b'\n')
        .map(|line| Heard::Line(line.strip_suffix(b"\r").unwrap_or(line).to_vec()))
        .collect();
    expected.pop();
    let rest = bytes.rsplit(|&byte| byte == b'\n').next().unwrap();
    expected.push(Heard::End(rest.to_vec()));
    assert_eq!(heard(bytes, dice.clone()), expected);
}

#[test]
fn lines_are_the_same_in_whatever_pieces_they_come() {
    let mut dice = QuickDice::new(3, 3);
    for _ in 0..2000 {
        let len = dice.below(200);
        let letters: Vec<u8> = (0..len).map(|_| b"ab\n\r\xff\0{}"[dice.below(8) as usize]).collect();
        check_lines(&letters, &dice);
    }
}

#[test]
fn a_line_may_be_as_long_as_is_said_and_no_longer() {
    let dice = QuickDice::new(4, 4);
    let mut bytes = vec![b'x'; LONGEST];
    bytes.extend(b"\nnext\n");
    let fine = heard(&bytes, dice.clone());
    assert!(
        matches!(&fine[..], [Heard::Line(line), Heard::Line(next), Heard::End(_)] if line.len() == LONGEST && next == b"next")
    );
    bytes.insert(0, b'x');
    let long = heard(&bytes, dice.clone());
    assert!(matches!(&long[..], [Heard::TooLong(start)] if start.len() <= LONGEST));
    assert!(matches!(&heard(&vec![b'x'; 2 * LONGEST], dice)[..], [Heard::TooLong(_)]));
}

#[test]
fn a_program_may_say_more_than_it_must_and_less_is_refused_by_name() {
    let answer = |text: &str| read_answer::<ThreeThirteen>(text.as_bytes(), 7, 1, legal());
    assert_eq!(
        answer("{\"id\":7,\"move\":\"TH\",\"more\":[1]}"),
        Ok((Move::card("TH".parse().unwrap()), None))
    );
    assert_eq!(answer(" {\"seat\":1,\"move\":\"go-out\",\"id\":7} ").map(|(mv, _)| mv), Ok(Move::word(2)));
    for (text, message) in [
        ("{\"id\":7}", "answered without the field `move`"),
        (
            "{\"id\":7,\"move\":\"draw-stock\"}",
            "answered `draw-stock`, which is not legal here; legal: 2C AS TH go-out",
        ),
        (
            "{\"id\":7,\"move\":\"th\"}",
            "answered `th`, which is no move: neither a card, such as TH, nor one of draw-stock",
        ),
        ("{\"id\":-7,\"move\":\"TH\"}", "answered question -7 where question 7 was asked"),
        ("{\"id\":\"7\",\"move\":\"TH\"}", "answered question \"7\" where question 7 was asked"),
    ] {
        let error = answer(text).unwrap_err();
        assert!(error.starts_with(message), "{text}: {error}");
    }
}
