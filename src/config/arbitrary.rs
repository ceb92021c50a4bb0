//! Whatever is written as an experiment, a setting, an agent or a card is accepted, or refused with its place.

use std::io::Cursor;
use std::path::Path;

use dealt_agents::AgentSpec;
use dealt_engine::{Card, GAMES, Move};

use super::flags::set;
use super::{Node, Settled, settle};
use crate::commands::meld::meld_lines;
use crate::failure::Failure;
use crate::fuzzing::{Reader, assert_plain};

/// What experiment files are made of.
const PIECES: &[&str] = &[
    "=",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "\"",
    "'",
    "\"\"\"",
    ".",
    ",",
    "#",
    "\n",
    "\\u",
    "\r",
    "0",
    "1",
    "-1",
    "0x",
    "1e9",
    "nan",
    "inf",
    "9223372036854775807",
    "18446744073709551616",
    "1979-05-27",
    "true",
    "\"all\"",
    "\"unset\"",
    "\"greedy\"",
    "\"random\"",
    "\"ismcts:iterations=9\"",
    "\"external:command=a\"",
    "kind = \"match\"",
    "kind = \"tournament\"",
    "kind = \"gauntlet\"",
    "kind = \"ladder\"",
    "kind = \"sprt\"",
    "kind = \"tune\"",
    "kind = \"sweep\"",
    "game = ",
    "\"hearts\"",
    "\"two-ten-jack\"",
    "\"three-thirteen\"",
    "players = ",
    "seed = ",
    "blocks = ",
    "games = ",
    "agents = ",
    "line_ups = ",
    "seating = \"all\"",
    "confidence = ",
    "on_fault = ",
    "rules = ",
    "[rules]",
    "[[variant]]",
    "name = ",
    "[outputs]",
    "records = ",
    "legal = true",
    "[sprt]",
    "[tune]",
    "\u{1b}",
    "\u{2028}",
    "ä",
];

fn experiment_files() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

/// What is said of a table: nothing if it is accepted.
fn said(table: Result<Node, Failure>) -> Vec<String> {
    let message = match table.and_then(|table| settle(&table, "a")) {
        Ok(Settled { study, notes }) => {
            let stage = study.next().expect("a study begins with a stage");
            assert_eq!(stage.experiment.validate(), Ok(()));
            assert!(study.games() > 0);
            assert!(!study.heading().is_empty() && notes.len() < 9);
            String::new()
        }
        Err(Failure::Wrong(message)) => message,
        Err(other) => panic!("{other:?}"),
    };
    vec![message]
}

#[test]
fn any_bytes_are_an_experiment_file_or_refused_with_their_place() {
    let reader = Reader { name: "experiments", pieces: PIECES, rounds: 10_000 };
    let reasons = reader.try_all(experiment_files(), |bytes| {
        let said = said(Node::from_bytes(bytes, "a.toml"));
        let has_place =
            |message: &String| message.starts_with("a.toml:") || message.starts_with("a.toml is not");
        assert!(said.iter().all(|message| message.is_empty() || has_place(message)), "{said:?}");
        said
    });
    assert!(reasons.len() > 60 && reasons[""] > 100, "{} reasons", reasons.len());
}

#[test]
fn any_text_changes_an_experiment_or_is_refused_with_the_flag() {
    // One of each kind.
    let tables: Vec<Node> = [
        include_bytes!("../../experiments/ace-high.toml").as_slice(),
        include_bytes!("../../experiments/doubling-two-ten-jack.toml"),
        include_bytes!("../../experiments/gauntlet-two-ten-jack.toml"),
        include_bytes!("../../experiments/sprt-hearts.toml"),
        include_bytes!("../../experiments/sweep-hearts-pass.toml"),
        include_bytes!("../../experiments/tournament-hearts.toml"),
        include_bytes!("../../experiments/tune-hearts-spoiled.toml"),
    ]
    .map(|bytes| Node::from_bytes(bytes, "a.toml").unwrap())
    .to_vec();
    let reader = Reader { name: "settings", pieces: PIECES, rounds: 10_000 };
    let reasons = reader.try_all(Vec::new(), |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let mut table = tables[bytes.len() % tables.len()].clone();
        let set = text.lines().try_for_each(|line| set(&mut table, line));
        let said = said(set.map(|()| table));
        let has_place = |message: &String| message.starts_with("--set ") || message.starts_with("a.toml:");
        assert!(said.iter().all(|message| message.is_empty() || has_place(message)), "{said:?}");
        // What was given stands in front of the message, too.
        let rest = |message: &String| {
            let rest = text.lines().filter_map(|line| message.strip_prefix(&format!("--set {line}")));
            rest.min_by_key(|rest| rest.len()).map(str::to_owned)
        };
        said.into_iter().map(|message| rest(&message).unwrap_or(message)).collect()
    });
    assert!(reasons.len() > 60 && reasons[""] > 50, "{} reasons, {} accepted", reasons.len(), reasons[""]);
}

#[test]
fn any_text_is_an_agent_or_refused_and_an_agent_is_read_back_from_its_label() {
    let pieces = &[
        ":",
        ",",
        "=",
        "\"",
        "\\",
        "-1",
        "0",
        "1",
        "2",
        "100",
        "1e9",
        "nan",
        "0.5",
        "true",
        "random",
        "greedy",
        "flat-mc",
        "mcts",
        "ismcts",
        "oracle",
        "external",
        "command=",
        "iterations=",
        "worlds=",
        "rollout=greedy",
        "pair=",
        "on_fault=forfeit",
        "ä",
        "\u{1b}",
        " ",
    ];
    let reader = Reader { name: "agents", pieces, rounds: 20_000 };
    let reasons = reader.try_all(Vec::new(), |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let said = GAMES.iter().map(|game| match AgentSpec::parse(&text, game.name) {
            Ok(spec) => {
                assert_eq!(AgentSpec::parse(spec.label(), game.name).as_ref(), Ok(&spec), "{text}");
                assert_plain(spec.label());
                String::new()
            }
            Err(error) => error.to_string(),
        });
        said.collect()
    });
    assert!(reasons.len() > 20 && reasons[""] > 100, "{} reasons", reasons.len());
}

#[test]
fn any_text_is_a_card_or_a_hand_or_refused_and_a_card_is_read_back_from_its_name() {
    let pieces = &[
        "2C",
        "TH",
        "AS",
        "QD",
        "2",
        "T",
        "C",
        "H",
        "\"",
        ",",
        "[",
        "]",
        "{",
        "}",
        ":",
        "null",
        "-1",
        "7",
        "13",
        "\"wild\":",
        "\"hand\":",
        "\"ace\":\"low_or_high\"",
        "\"decks\":",
        "go-out",
        "as-trump",
        "ä",
        "\u{1b}",
    ];
    let reader = Reader { name: "cards", pieces, rounds: 20_000 };
    let reasons = reader.try_all(Vec::new(), |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let mut said = Vec::new();
        match text.parse::<Card>() {
            Ok(card) => assert_eq!(card.to_string(), text),
            Err(error) => said.push(error.to_string()),
        }
        for words in [&["as-trump", "as-spade"][..], &["draw-stock", "go-out"]] {
            let mv = Move::parse(&text, words);
            assert!(mv.is_none_or(|mv| mv.name(words) == text));
        }
        let mut melded = Vec::new();
        let done = meld_lines("hands.jsonl", Box::new(Cursor::new(bytes.to_vec())), &mut melded);
        assert_plain(std::str::from_utf8(&melded).unwrap());
        said.push(done.err().map_or_else(String::new, Failure::message));
        said
    });
    assert!(reasons.len() > 20 && reasons[""] > 100, "{} reasons", reasons.len());
}
