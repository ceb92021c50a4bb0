//! `dealt records worlds`, from outside: what a seat may believe at a moment of a recorded game.

use std::collections::BTreeMap;

use crate::outside::{self, Done, dealt, folder};
use dealt_engine::{GAMES, Game};
use serde_json::Value;

/// A file of one recorded game.
fn recorded(name: &str, game: &str) -> String {
    let out = folder(name).join("run");
    let out = out.to_str().unwrap();
    let play = ["match", game, "greedy", "random", "--games", "1", "--seed", "3", "--records", "1"];
    dealt(&[&play[..], &["--quiet", "--out", out]].concat()).fine();
    format!("{out}/records.jsonl")
}

fn worlds(file: &str, more: &[&str]) -> Done {
    dealt(&[&["records", "worlds", file][..], more].concat())
}

/// The worlds and the table of an answer.
fn read(text: &str) -> (Vec<Value>, Vec<Vec<String>>) {
    let (lines, table) = text.split_once("\n\n").unwrap();
    let rows = table.lines().map(|row| row.split_whitespace().map(str::to_owned).collect()).collect();
    (lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), rows)
}

fn cards(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|card| card.as_str().unwrap()).collect()
}

/// All cards of a world, counted.
fn count(world: &Value) -> BTreeMap<&str, u32> {
    let mut counts = BTreeMap::new();
    let places = world["hands"].as_array().unwrap().iter();
    for list in places.chain([&world["stock"], &world["kitty"]].into_iter().filter(|list| !list.is_null())) {
        cards(list).into_iter().for_each(|card| *counts.entry(card).or_default() += 1);
    }
    counts
}

#[test]
fn the_first_move_of_every_game_leaves_the_seats_own_hand_known_and_the_rest_open() {
    for info in GAMES {
        let file = recorded(&format!("worlds-{}", info.name), info.name);
        let record: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let deal = &record["deals"][0];
        let first = deal["moves"][0][0].as_u64().unwrap() as usize;
        let text = worlds(&file, &["--deal", "1", "--move", "1", "--samples", "200"]).fine();
        let (found, table) = read(&text);
        assert_eq!(found.len(), 200);
        let all = count(&found[0]);
        for world in &found {
            assert_eq!(world["hands"][first], deal["hands"][first], "{}", info.name);
            assert_eq!(count(world), all, "{}", info.name);
        }
        assert!(found.iter().any(|world| world != &found[0]), "{}", info.name);
        // Each row sums to the number of copies, or to less where copies share a place.
        assert!(table.len() > 20 && !table[0].contains(&first.to_string()), "{text}");
        for row in &table[1..] {
            let sum: f64 = row[1..].iter().map(|share| share.parse::<f64>().unwrap()).sum();
            assert!(sum > 0.9 && sum < f64::from(all[row[0].as_str()]) + 0.01, "{row:?}");
        }
    }
}

#[test]
fn at_the_end_of_a_deal_of_two_ten_jack_the_other_hand_is_known() {
    let file = recorded("worlds-known", dealt_engine::TwoTenJack::NAME);
    let record: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let moves = record["deals"][0]["moves"].as_array().unwrap();
    let number = (moves.len() - 5).to_string();
    let more = ["--game", "0", "--deal", "1", "--move", &number, "--seat", "0", "--samples", "20"];
    let (found, table) = read(&worlds(&file, &more).fine());
    assert!(found.iter().all(|world| world == &found[0]));
    assert!(cards(&found[0]["stock"]).is_empty());
    let mut played: Vec<&Value> = moves[moves.len() - 6..].iter().map(|entry| &entry[1]).collect();
    played.retain(|name| name.as_str().unwrap().len() == 2);
    for name in played {
        assert_eq!(count(&found[0])[name.as_str().unwrap()], 1);
    }
    assert!(table[1..].iter().all(|row| row[1..] == ["1.000", "0.000"]), "{table:?}");
}

#[test]
fn the_same_seed_draws_the_same_worlds_and_another_one_others() {
    let file = recorded("worlds-seed", "three-thirteen");
    let at = |seed: &str| {
        let more = ["--deal", "3", "--move", "4", "--seat", "1", "--samples", "5", "--seed", seed];
        worlds(&file, &more).fine()
    };
    assert_eq!(at("7"), at("7"));
    assert_ne!(at("7"), at("8"));
}

#[test]
fn a_pass_that_is_picked_counts_as_the_hand_that_it_comes_from() {
    let file = recorded("worlds-pass", "cancellation-hearts");
    // The second seat picks its first card; the first has picked three.
    let (found, _) = read(&worlds(&file, &["--deal", "1", "--move", "4", "--samples", "3"]).fine());
    for world in found {
        assert!(world["hands"].as_array().unwrap().iter().all(|hand| cards(hand).len() == 17));
    }
}

#[test]
fn what_is_not_there_is_refused_and_what_is_there_is_named() {
    let file = recorded("worlds-refused", "two-ten-jack");
    let refuse = |more: &[&str], words: &[&str]| worlds(&file, more).refused(words);
    refuse(&["--deal", "99", "--move", "1", "--samples", "1"], &["--deal 99", "accepted: 1 to "]);
    refuse(&["--deal", "0", "--move", "1", "--samples", "1"], &["--deal 0", "accepted: 1 to "]);
    refuse(&["--deal", "1", "--move", "0", "--samples", "1"], &["--move 0", "accepted: 1 to 5"]);
    refuse(&["--deal", "1", "--move", "60", "--samples", "1"], &["--move 60", "accepted: 1 to 5"]);
    refuse(
        &["--deal", "1", "--move", "1", "--seat", "2", "--samples", "1"],
        &["--seat 2", "accepted: 0 to 1"],
    );
    refuse(&["--game", "7", "--deal", "1", "--move", "1", "--samples", "1"], &["no game of index 7"]);
    refuse(
        &["--deal", "1", "--move", "1", "--samples", "0"],
        &["--samples cannot be `0`", "from 1 to 1000000"],
    );
    refuse(&["--deal", "1", "--move", "1", "--samples", "few"], &["--samples cannot be `few`"]);
    refuse(&["--deal", "1", "--move", "1", "--samples", "-1"], &["--samples cannot be `-1`"]);
    let mut empty: Value =
        serde_json::from_str(std::fs::read_to_string(&file).unwrap().lines().next().unwrap()).unwrap();
    empty["deals"][0]["moves"] = serde_json::json!([]);
    let without_moves = outside::write(&outside::folder("worlds-empty"), "moves.jsonl", &empty.to_string());
    let first = ["--deal", "1", "--move", "1", "--samples", "1"];
    worlds(&without_moves, &first).refused(&["--move 1: accepted: none, for the deal has no move"]);
    empty["deals"] = serde_json::json!([]);
    let without_deals = outside::write(&outside::folder("worlds-emptier"), "deals.jsonl", &empty.to_string());
    worlds(&without_deals, &first).refused(&["--deal 1: accepted: none, for the game has no deal"]);
    refuse(&["--deal", "1", "--samples", "1"], &["--move"]);
    worlds("nowhere.jsonl", &["--deal", "1", "--move", "1", "--samples", "1"]).refused(&["nowhere.jsonl"]);
}
