//! `dealt records`, from outside: what the program wrote is accepted, what somebody changed is refused.

use std::fs;
use std::path::Path;

use crate::outside::{dealt, dealt_with, folder, kinds, path_text, write};
use dealt::csv_table::CsvTable;
use dealt_engine::{Dice, Game, QuickDice, Rules};
use serde_json::{Value, json};

/// Games by random options, recorded by the program; `None` if its rules are for a table that no seating fits.
fn recorded<G: Game>(folder: &Path, number: u64) -> String {
    let game: G = crate::kit::random_game(&mut QuickDice::new(0x6f75_7473, number));
    let defaults = G::Rules::default().to_map();
    let out = folder.join(number.to_string());
    let mut arguments =
        vec!["match".to_owned(), G::NAME.to_owned(), "greedy".to_owned(), "random".to_owned()];
    for (key, value) in game.rules().to_map() {
        // Long games repeat themselves.
        let value = if key == "deals" && value == 0 { json!(3) } else { value };
        if defaults[&key] != value {
            arguments.extend(["--rule".to_owned(), format!("{key}={}", toml(&value))]);
        }
    }
    arguments.extend(
        ["--blocks", "1", "--seed", &number.to_string(), "--records", "all", "--quiet"].map(str::to_owned),
    );
    if number.is_multiple_of(2) {
        arguments.push("--legal".to_owned());
    }
    arguments.extend(["--out".to_owned(), out.to_str().unwrap().to_owned()]);
    dealt(&arguments).fine();
    fs::read_to_string(out.join("records.jsonl")).unwrap()
}

/// A value as TOML.
fn toml(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let fields: Vec<_> = map.iter().map(|(key, value)| format!("{key} = {}", toml(value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        _ => value.to_string(),
    }
}

fn records_by_twenty_sets_of_options_are_accepted<G: Game>() {
    let folder = folder(&format!("records-{}", G::NAME));
    for number in 0..20 {
        let text = recorded::<G>(&folder, number);
        let verdict = dealt_with(&["records", "verify", "-"], &text).fine();
        assert!(
            verdict.starts_with(&format!("standard input: games {},", text.lines().count())),
            "{verdict}"
        );
        let shown = dealt_with(&["records", "show", "-"], &text).fine();
        assert!(shown.starts_with(&format!("{}, game 0 ", G::NAME)) && shown.contains("\nDeal 1"), "{shown}");
    }
}

fn a_hundred_corruptions_are_refused_with_their_place<G: Game>() {
    let folder = folder(&format!("corrupted-{}", G::NAME));
    let mut dice = QuickDice::new(5, 5);
    let mut refused = 0;
    for number in 0.. {
        let text = recorded::<G>(&folder, 100 + number);
        for (_, corrupt) in CORRUPTIONS {
            let lines: Vec<&str> = text.lines().collect();
            let line = dice.below(lines.len() as u32) as usize;
            let mut record: Value = serde_json::from_str(lines[line]).unwrap();
            let Some((changed, words)) =
                corrupt(&mut record, &mut dice).map(|words| (record.to_string(), words))
            else {
                continue;
            };
            let mut lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
            lines[line] = changed;
            let done = dealt_with(&["records", "verify", "-"], &(lines.join("\n") + "\n"));
            done.failed(1, &[&format!("standard input: line {}: ", line + 1)]);
            done.failed(1, &words.iter().map(String::as_str).collect::<Vec<_>>());
            refused += 1;
        }
        if refused >= 100 {
            return;
        }
    }
}

/// Changes a record, and says which words the refusal must hold; `None` if the record has nothing to change.
type Corruption = fn(&mut Value, &mut QuickDice) -> Option<Vec<String>>;

const CORRUPTIONS: &[(&str, Corruption)] = &[
    ("a card swapped", swap_a_card),
    ("a card replaced", replace_a_card),
    ("a move replaced", replace_a_move),
    ("a move left out", drop_a_move),
    ("a seat changed", change_a_seat),
    ("a score changed", change_a_score),
    ("a total changed", change_a_total),
    ("a winner changed", change_the_winners),
    ("a dealer changed", change_a_dealer),
    ("a flag changed", change_capped),
    ("a deal left out", drop_a_deal),
    ("a deal too many", repeat_a_deal),
    ("a field missing", drop_a_field),
    ("a deal's field missing", drop_a_field_of_a_deal),
    ("a wrong type", change_a_type),
    ("an unknown game", change_the_game),
    ("an unknown rule", add_a_rule),
    ("another number of players", change_the_players),
    ("another format", change_the_format),
    ("a legal list changed", change_a_legal_list),
];

fn words<const N: usize>(words: [&str; N]) -> Option<Vec<String>> {
    Some(words.map(str::to_owned).to_vec())
}

fn one_of<'v>(list: &'v mut Value, dice: &mut QuickDice) -> (usize, &'v mut Value) {
    let list = list.as_array_mut().unwrap();
    let index = dice.below(list.len() as u32) as usize;
    (index, &mut list[index])
}

fn a_deal<'v>(record: &'v mut Value, dice: &mut QuickDice) -> (String, &'v mut Value) {
    let (index, deal) = one_of(&mut record["deals"], dice);
    (format!("deal {}, ", index + 1), deal)
}

/// The first to move has given the card that is played to another hand.
fn swap_a_card(record: &mut Value, dice: &mut QuickDice) -> Option<Vec<String>> {
    let (place, deal) = a_deal(record, dice);
    let first = deal["moves"][0].clone();
    let seat = first[0].as_u64()? as usize;
    let hands = deal["hands"].as_array_mut()?;
    let at = hands[seat].as_array()?.iter().position(|card| *card == first[1])?;
    let next = (seat + 1) % hands.len();
    let held = |card: &Value, hand: &Value| hand.as_array().unwrap().contains(card);
    let other = hands[next].as_array()?.iter().position(|card| !held(card, &hands[seat]))?;
    let single = hands[seat].as_array()?.iter().filter(|card| **card == first[1]).count() == 1;
    if !single {
        return None;
    }
    let (mine, theirs) = (hands[seat][at].clone(), hands[next][other].clone());
    hands[seat][at] = theirs;
    hands[next][other] = mine;
    Some(vec![place, "move 1, ".to_owned()])
}

fn replace_a_card(record: &mut Value, dice: &mut QuickDice) -> Option<Vec<String>> {
    let (place, deal) = a_deal(record, dice);
    let (_, hand) = one_of(&mut deal["hands"], dice);
    let (_, card) = one_of(hand, dice);
    let old = card.clone();
    *card = if old == "2C" { json!("3C") } else { json!("2C") };
    Some(vec![place, "hands".to_owned(), "not the pack".to_owned()])
}

fn replace_a_move(record: &mut Value, dice: &mut QuickDice) -> Option<Vec<String>> {
    let (place, deal) = a_deal(record, dice);
    let (index, entry) = one_of(&mut deal["moves"], dice);
    if entry[0] == "stock" {
        return None;
    }
    entry[1] = json!("castle");
    Some(vec![place, format!("move {}", index + 1), "castle".to_owned()])
}

fn drop_a_move(record: &mut Value, dice: &mut QuickDice) -> Option<Vec<String>> {
    let (place, deal) = a_deal(record, dice);
    let last = deal["moves"].as_array_mut()?.pop()?;
    if let Some(legal) = deal.get_mut("legal") {
        legal.as_array_mut()?.pop();
    }
    let seat = last[0].as_u64()?;
    Some(vec![place, "the deal is not over".to_owned(), format!("seat {seat}'s turn")])
}

fn change_a_seat(record: &mut Value, dice: &mut QuickDice) -> Option<Vec<String>> {
    let players = record["players"].as_u64()?;
    let (place, deal) = a_deal(record, dice);
    let (index, entry) = one_of(&mut deal["moves"], dice);
    let seat = entry[0].as_u64()?;
    entry[0] = json!((seat + 1) % players);
    Some(vec![place, format!("move {}", index + 1), format!("seat {seat}'s turn")])
}

fn change_a_score(record: &mut Value, dice: &mut QuickDice) -> Option<Vec<String>> {
    let (place, deal) = a_deal(record, dice);
    let (_, score) = one_of(&mut deal["scores"], dice);
    *score = json!(score.as_i64()? + 1);
    Some(vec![place, "scores".to_owned()])
}

fn change_a_total(record: &mut Value, dice: &mut QuickDice) -> Option<Vec<String>> {
    let (_, total) = one_of(&mut record["totals"], dice);
    *total = json!(total.as_i64()? - 1);
    words(["totals"])
}

fn change_the_winners(record: &mut Value, dice: &mut QuickDice) -> Option<Vec<String>> {
    let players = record["players"].as_u64()?;
    let (_, winner) = one_of(&mut record["winners"], dice);
    *winner = json!((winner.as_u64()? + 1) % players);
    words(["winners"])
}

fn change_a_dealer(record: &mut Value, dice: &mut QuickDice) -> Option<Vec<String>> {
    let players = record["players"].as_u64()?;
    let (place, deal) = a_deal(record, dice);
    deal["dealer"] = json!((deal["dealer"].as_u64()? + 1) % players);
    Some(vec![place, "dealer".to_owned()])
}

fn change_capped(record: &mut Value, _: &mut QuickDice) -> Option<Vec<String>> {
    record["capped"] = json!(!record["capped"].as_bool()?);
    words(["capped"])
}

fn drop_a_deal(record: &mut Value, _: &mut QuickDice) -> Option<Vec<String>> {
    record["deals"].as_array_mut()?.pop()?;
    words(["deals", "not over"])
}

fn repeat_a_deal(record: &mut Value, _: &mut QuickDice) -> Option<Vec<String>> {
    let deals = record["deals"].as_array_mut()?;
    let last = deals.last()?.clone();
    deals.push(last);
    Some(vec![format!("deal {}", deals.len()), "over".to_owned()])
}

fn drop_a_field(record: &mut Value, dice: &mut QuickDice) -> Option<Vec<String>> {
    let fields = record.as_object_mut()?;
    let key = fields.keys().nth(dice.below(fields.len() as u32) as usize)?.clone();
    fields.remove(&key);
    Some(vec![key, "missing".to_owned()])
}

fn drop_a_field_of_a_deal(record: &mut Value, dice: &mut QuickDice) -> Option<Vec<String>> {
    let (place, deal) = a_deal(record, dice);
    let needed = ["dealer", "hands", "stock", "kitty", "upcard", "moves", "scores"];
    let key = needed[dice.below(needed.len() as u32) as usize];
    deal.as_object_mut()?.remove(key)?;
    Some(vec![place, key.to_owned(), "missing".to_owned()])
}

fn change_a_type(record: &mut Value, dice: &mut QuickDice) -> Option<Vec<String>> {
    let fields = record.as_object_mut()?;
    let key = fields.keys().nth(dice.below(fields.len() as u32) as usize)?.clone();
    fields[&key] = if fields[&key].is_string() { json!(17) } else { json!("seventeen") };
    Some(vec![key, "seventeen".to_owned()]).map(|mut words| {
        if words[0] == "game" {
            words[1] = "17".to_owned();
        }
        words
    })
}

fn change_the_game(record: &mut Value, _: &mut QuickDice) -> Option<Vec<String>> {
    let name = record["game"].as_str()?.to_owned();
    record["game"] = json!(format!("{name}s"));
    Some(vec![format!("no game `{name}s`"), format!("did you mean `{name}`")])
}

fn add_a_rule(record: &mut Value, _: &mut QuickDice) -> Option<Vec<String>> {
    record["rules"]["jokers"] = json!(2);
    words(["rules", "jokers"])
}

fn change_the_players(record: &mut Value, _: &mut QuickDice) -> Option<Vec<String>> {
    record["players"] = json!(record["players"].as_u64()? + 1);
    words(["players"])
}

fn change_the_format(record: &mut Value, _: &mut QuickDice) -> Option<Vec<String>> {
    record["format"] = json!(2);
    words(["format", "`2`"])
}

fn change_a_legal_list(record: &mut Value, dice: &mut QuickDice) -> Option<Vec<String>> {
    let (place, deal) = a_deal(record, dice);
    deal.get("legal")?;
    let (index, list) = one_of(&mut deal["legal"], dice);
    list.as_array_mut()?.pop()?;
    Some(vec![place, format!("move {}", index + 1), "legal".to_owned()])
}

macro_rules! for_games {
    ($($game:ident),* $(,)?) => {
        $(
            #[allow(non_snake_case)]
            mod $game {
                use dealt_engine::$game as Played;

                #[test]
                fn records_by_twenty_sets_of_options_are_accepted() {
                    super::records_by_twenty_sets_of_options_are_accepted::<Played>();
                }

                #[test]
                fn a_hundred_corruptions_are_refused_with_their_place() {
                    super::a_hundred_corruptions_are_refused_with_their_place::<Played>();
                }
            }
        )*
    };
}

dealt_engine::for_each_game!(for_games);

#[test]
fn a_line_that_is_cut_off_or_no_record_is_refused() {
    let folder = folder("records-cut");
    let text = recorded::<dealt_engine::TwoTenJack>(&folder, 1);
    let line = text.lines().next().unwrap();
    for cut in [1, 10, line.len() / 2, line.len() - 1] {
        let done = dealt_with(&["records", "verify", "-"], &format!("{line}\n{}", &line[..cut]));
        done.failed(1, &["line 2", "cut off", &format!("column {cut}: EOF")]);
        assert!(!done.err.contains("line 1"), "{done:?}");
    }
    dealt_with(&["records", "verify", "-"], &format!("{line}\n\u{1}\n")).failed(1, &["line 2", "not JSON"]);
    dealt_with(&["records", "verify", "-"], "[]\n").failed(1, &["line 1", "object"]);
    dealt_with(&["records", "verify", "-"], "").failed(1, &["no record"]);
    dealt_with(&["records", "verify", "-"], &format!("{line}\n{line}\n")).failed(1, &["line 2", "index"]);
    let latin = folder.join("latin.jsonl");
    fs::write(&latin, [line.as_bytes(), b"\n{\"game\": \"\xe9\"}\n"].concat()).unwrap();
    dealt(&["records", "verify", latin.to_str().unwrap()]).failed(1, &["line 2", "UTF-8"]);
}

#[test]
fn a_game_or_deal_that_the_file_has_not_is_a_wrong_request() {
    let folder = folder("records-show");
    let text = recorded::<dealt_engine::TwoTenJack>(&folder, 1);
    let file = write(&folder, "games.jsonl", &text);
    let second = dealt(&["records", "show", &file, "--game", "1", "--deal", "1"]).fine();
    assert!(second.contains("game 1 ") && second.contains("\nDeal 1"), "{second}");
    assert!(!second.contains("\nDeal 2"), "{second}");
    dealt(&["records", "show", &file, "--game", "99"]).refused(&["99", &file]);
    dealt(&["records", "show", &file, "--deal", "0"]).refused(&["--deal 0", "1 to"]);
    dealt(&["records", "show", &file, "--game", "x"])
        .refused(&["--game cannot be `x`; accepted: a whole number"]);
    dealt(&["records", "show", &file, "--game", "-1"]).refused(&["--game cannot be `-1`", "from 0 up"]);
    dealt(&["records", "verify", "no-such-file"]).refused(&["no-such-file"]);
    dealt(&["records", "verify", folder.to_str().unwrap()]).refused(&[folder.to_str().unwrap()]);
}

#[test]
fn what_agents_thought_is_written_down_refereed_and_shown() {
    let out = folder("records-notes").join("run");
    let agents = ["ismcts:iterations=40", "flat-mc:worlds=2", "greedy"];
    let match_of =
        ["match", "three-thirteen", agents[0], agents[1], agents[2], "--players", "3", "--blocks", "1"];
    let more = ["--records", "1", "--notes", "--quiet", "--out", out.to_str().unwrap()];
    dealt(&[&match_of[..], &more].concat()).fine();
    let text = fs::read_to_string(out.join("records.jsonl")).unwrap();
    dealt_with(&["records", "verify", "-"], &text).fine();
    let mut record: Value = serde_json::from_str(&text).unwrap();
    let labels = record["agents"].as_array().unwrap().clone();
    let mut thoughts = 0;
    for deal in record["deals"].as_array().unwrap() {
        let (moves, notes) = (deal["moves"].as_array().unwrap(), deal["notes"].as_array().unwrap());
        assert_eq!(moves.len(), notes.len());
        for (entry, note) in moves.iter().zip(notes).filter(|(_, note)| !note.is_null()) {
            let label = &labels[entry[0].as_u64().unwrap() as usize];
            assert_ne!(label, "greedy");
            let best = &note["moves"][0]["move"];
            let made = note.get("exact").or(note.get("kept")).unwrap_or(best);
            assert_eq!(*made, entry[1], "{note}");
            assert_eq!(note.get("line").is_some(), label == agents[0]);
            thoughts += 1;
        }
    }
    assert!(thoughts > 100, "{thoughts}");
    let shown = dealt_with(&["records", "show", "-"], &text).fine();
    assert_eq!(shown.matches("\n        thought: ").count(), thoughts);
    assert!(shown.contains("; expects ") && shown.contains("; worlds 40\n"), "{shown}");

    record["deals"][0]["notes"][0] = json!("hm");
    dealt_with(&["records", "verify", "-"], &record.to_string())
        .failed(1, &["deal 1, move 1", "notes", "`\"hm\"`"]);
    record["deals"][0]["notes"] = json!([]);
    dealt_with(&["records", "verify", "-"], &record.to_string()).failed(1, &["deal 1", "0 notes for"]);
}

#[test]
fn the_games_of_all_stages_are_numbered_through_and_each_that_is_recorded_is_accepted_and_shown() {
    let root = folder("records-stages");
    for kind in kinds::all() {
        let out = root.join(kind.name);
        dealt(&kind.run(&root, &out, &["--quiet"])).fine();
        let manifest: Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
        let games = manifest["played"]["games"].as_u64().unwrap();
        if let Ok(text) = fs::read_to_string(out.join("games.csv")) {
            let table = CsvTable::parse("games.csv", &text).unwrap();
            let mut indices: Vec<u64> = table.rows().map(|row| row.number("game").unwrap()).collect();
            indices.dedup();
            assert!(indices.into_iter().eq(0..games), "{}", kind.name);
        }
        let file = out.join("records.jsonl");
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let file = path_text(&file);
        dealt(&["records", "verify", &file]).fine();
        let index = |line: &str| serde_json::from_str::<Value>(line).unwrap()["index"].as_u64().unwrap();
        let recorded: Vec<u64> = text.lines().map(index).collect();
        if kind.name == "sweep" {
            // Of 40 blocks each, in cells whose block is two rules by one seating.
            let of_cell = |cell: u64| (0..3).map(move |game| cell * 80 + game);
            assert!(recorded.iter().copied().eq((0..4).flat_map(of_cell)), "{recorded:?}");
        }
        let step = (recorded.len() / 12).max(1);
        for index in recorded.iter().step_by(step) {
            let shown = dealt(&["records", "show", &file, "--game", &index.to_string()]).fine();
            assert!(shown.contains(&format!(", game {index} (block ")), "{shown}");
        }
    }
}
