//! `dealt meld`, from outside.

use std::fs;

use crate::outside::{dealt, dealt_with, folder, write};
use serde_json::Value;

const HANDS: &str = include_str!("../../engine/tests/data/three-thirteen-deadwood.jsonl");

#[test]
fn every_hand_of_the_vectors_comes_back_with_its_deadwood_and_melds_of_its_cards() {
    let folder = folder("meld-vectors");
    let given: Vec<Value> = HANDS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let asked: Vec<String> = given
        .iter()
        .map(|hand| {
            let mut hand = hand.clone();
            hand.as_object_mut().unwrap().remove("deadwood");
            hand.to_string() + "\n"
        })
        .collect();
    let file = write(&folder, "hands.jsonl", &asked.concat());
    let out = dealt(&["meld", "--jsonl", &file]).fine();
    let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), given.len());
    for (answer, given) in answers.iter().zip(&given) {
        for (key, value) in given.as_object().unwrap() {
            assert_eq!(&answer[key], value, "{key} of {given}");
        }
        let mut left: Vec<&str> = texts(&given["hand"]);
        for meld in answer["melds"].as_array().unwrap() {
            let meld = texts(meld);
            assert!(meld.len() >= 3, "{answer}");
            for card in meld {
                let place =
                    left.iter().position(|&held| held == card).unwrap_or_else(|| panic!("{card}: {answer}"));
                left.remove(place);
            }
        }
        let penalty: i64 = left.iter().map(|card| penalty(card, given)).sum();
        assert_eq!(penalty, answer["deadwood"].as_i64().unwrap(), "{answer}");
    }
    assert_eq!(dealt_with(&["meld", "--jsonl", "-"], &fs::read_to_string(&file).unwrap()).fine(), out);
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

fn penalty(card: &str, given: &Value) -> i64 {
    match card.chars().next().unwrap() {
        'A' if given["ace"] == "low" => 1,
        'A' => 15,
        'T' | 'J' | 'Q' | 'K' => 10,
        rank => i64::from(rank.to_digit(10).unwrap()),
    }
}

#[test]
fn a_hand_is_melded_by_the_rules_of_the_flags() {
    let out = dealt(&["meld", "--wild", "4", "4C", "7H", "9H", "JH"]).fine();
    assert!(out.starts_with("deadwood 7\n"), "{out}");
    assert!(out.ends_with("left     7H\n"), "{out}");
    let high = ["meld", "--wild", "6", "--ace", "low_or_high", "QH", "KH", "AH", "AH", "2H", "3H"];
    assert!(dealt(&high).fine().starts_with("deadwood 0\n"));
    let low = ["meld", "--wild", "6", "QH", "KH", "AH", "AH", "2H", "3H"];
    assert!(dealt(&low).fine().starts_with("deadwood 21\n"));
    let dear = ["meld", "--wild", "8", "--ace", "low_or_high", "--ace-penalty", "3", "KC", "KD", "AD"];
    assert!(dealt(&dear).fine().starts_with("deadwood 23\n"));
    let limited = ["meld", "--wild", "4", "--min-naturals-per-meld", "3", "4C", "7H", "9H", "JH"];
    assert!(dealt(&limited).fine().starts_with("deadwood 30\n"));
    let without =
        ["meld", "--wild", "4", "--max-wilds-per-meld", "0", "--wild-penalty", "50", "4C", "7H", "9H", "JH"];
    assert!(dealt(&without).fine().starts_with("deadwood 76\n"));
}

#[test]
fn what_is_no_hand_is_refused_with_what_would_be_one() {
    dealt(&["meld", "--wild", "4", "4C", "10H"]).refused(&["10H", "23456789TJQKA"]);
    dealt(&["meld", "--wild", "1", "4C"]).refused(&["wild", "`1`", "23456789TJQKA"]);
    dealt(&["meld", "--wild", "4", "--ace", "hgh", "4C"]).refused(&["ace", "hgh", "low_or_high"]);
    dealt(&["meld", "--wild", "4", "--max-wilds-per-meld", "14", "4C"])
        .refused(&["max_wilds_per_meld", "0 to 13"]);
    dealt(&["meld", "--wild", "4", "--ace-penalty", "x", "4C"]).refused(&["ace_penalty", "`x`"]);
    dealt(&["meld", "4C"]).refused(&["--wild"]);
    let mut fifteen = vec!["meld", "--wild", "4"];
    fifteen.extend(["2C"; 15]);
    dealt(&fifteen).refused(&["15 cards", "14"]);
    fifteen.truncate(3 + 8);
    dealt(&fifteen).refused(&["more than 7 of 2C"]);
}

#[test]
fn a_line_that_is_no_hand_is_named() {
    let good = HANDS.lines().next().unwrap();
    let cases: [(&str, &[&str]); 10] = [
        (
            r#"{"wild": "3", "hand": ["2C"], "ace_penality": 5}"#,
            &["`ace_penality`", "did you mean `ace_penalty`?"],
        ),
        (r#"{"wild": 4, "hand": ["2C"]}"#, &["`wild` cannot be `4`", "in quotes, such as \"4\""]),
        (r#"{"wild": "4", "decks": "1", "hand": []}"#, &["`decks` cannot be `\"1\"`", "1 to 7"]),
        ("{", &["JSON"]),
        ("[1]", &["object"]),
        (r#"{"hand": ["2C"]}"#, &["wild", "missing"]),
        (r#"{"wild": "3"}"#, &["hand", "missing"]),
        (r#"{"wild": "3", "hand": ["2X"]}"#, &["2X"]),
        (r#"{"wild": "3", "hand": "2C"}"#, &["hand", "list"]),
        (r#"{"wild": "3", "decks": 1, "hand": ["2C", "2C"]}"#, &["2C", "packs"]),
    ];
    for (line, words) in cases {
        let done = dealt_with(&["meld", "--jsonl", "-"], &format!("{good}\n{line}\n"));
        done.refused(words);
        done.refused(&["standard input: line 2"]);
    }
    dealt(&["meld", "--jsonl", "no-such-file"]).refused(&["no-such-file"]);
}
