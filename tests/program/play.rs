//! `dealt play`, from outside: games typed in, and what is shown of them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::outside::{Done, dealt, dealt_with, folder, write};

/// Plays with these lines typed in; the game would be saved in the file.
fn play(name: &str, arguments: &[&str], typed: &str) -> (Done, PathBuf) {
    let file = folder(&format!("play-{name}")).join("game.jsonl");
    let all = [&["play"], arguments, &["--seed", "1", "--out", file.to_str().unwrap()]].concat();
    (dealt_with(&all, typed), file)
}

/// Plays a game by always making the first legal move.
fn play_first(name: &str, arguments: &[&str]) -> (String, PathBuf) {
    let (done, file) = play(name, arguments, &"1\n".repeat(5000));
    (done.fine(), file)
}

fn verify(file: &Path) -> String {
    dealt(&["records", "verify", file.to_str().unwrap()]).fine()
}

#[test]
fn a_game_of_each_kind_is_played_to_its_end_saved_and_found_right() {
    for (game, more) in [
        ("two-ten-jack", &["--against", "greedy"][..]),
        ("hearts", &["--against", "greedy", "random", "--rule", "target=30", "--seat", "2"]),
        ("cancellation-hearts", &["--against", "random", "--rule", "deals=2", "--players", "7"]),
        ("three-thirteen", &["--against", "greedy", "--players", "3", "--rule", "rounds=[3,4]"]),
    ] {
        let (text, file) = play_first(game, &[&[game], more].concat());
        assert!(text.contains("The game is over: ") && text.contains("Saved as "), "{text}");
        assert!(verify(&file).contains("games 1, deals "));
        let record = fs::read_to_string(&file).unwrap();
        let seats = record.split("\"agents\":[").nth(1).unwrap().split(']').next().unwrap();
        assert_eq!(seats.matches("\"person\"").count(), 1, "{seats}");
        if game == "hearts" {
            assert_eq!(seats, "\"random\",\"random\",\"person\",\"greedy\"");
        }
    }
}

#[test]
fn the_cards_are_those_that_a_run_of_the_same_seed_deals() {
    let (_, file) = play_first("cards", &["two-ten-jack", "--against", "random", "--rule", "deals=1"]);
    let out = folder("play-cards-run");
    let run =
        ["match", "two-ten-jack", "random", "greedy", "--rule", "deals=1", "--seed", "1", "--blocks", "1"];
    dealt(&[&run[..], &["--records", "1", "--force", "--out", out.to_str().unwrap()]].concat()).fine();
    let hands = |file: &Path| {
        let text = fs::read_to_string(file).unwrap();
        text.split("\"hands\":").nth(1).unwrap().split("\"moves\"").next().unwrap().to_owned()
    };
    assert_eq!(hands(&file), hands(&out.join("records.jsonl")));
}

#[test]
fn the_hand_the_table_and_the_moves_are_shown_and_nothing_that_is_hidden() {
    let (done, file) =
        play("shown", &["two-ten-jack", "--against", "greedy", "--rule", "deals=1"], "1\nquit\n");
    done.failed_quietly(130, "stopped before the end of the game; it is not saved");
    assert!(!file.exists());
    for words in
        ["── Deal 1, dealt by ", "Trick 1 of 26 · 40 cards in the stock", "Your hand   ", "Your moves  1 "]
    {
        assert!(done.out.contains(words), "{words}: {}", done.out);
    }
    assert!(done.out.contains("seat 1 (greedy) plays ") && done.out.contains("you play "), "{}", done.out);
    assert!(done.out.contains("you draw ") && !done.out.contains("greedy) draws"), "{}", done.out);
}

#[test]
fn hints_are_given_with_reasons_by_any_agent_but_one_that_sees_the_hidden_cards() {
    let typed = "hint\nhint greedy\nhint flat-mc:worlds=5\nhint oracle\nhint gredy\nwhat\n99\n\nq\n";
    let (done, _) = play("hints", &["two-ten-jack", "--against", "greedy"], typed);
    for words in [
        "whose? say `hint greedy`",
        "greedy would say ",
        "flat-mc:worlds=5 would say ",
        "; worlds 5",
        "oracle sees the hidden cards",
        "did you mean `greedy`?",
        "`what` is no move",
        "there is no number 99; the numbers are 1 to ",
    ] {
        assert!(done.out.contains(words), "{words}: {}", done.out);
    }
    let (done, _) =
        play("hint", &["hearts", "--against", "random", "--hint", "mcts:worlds=2,iterations=20"], "hint\n");
    assert!(done.out.contains("mcts:worlds=2,iterations=20 would say "), "{}", done.out);
}

#[test]
fn what_cannot_be_played_is_refused() {
    let refuse = |arguments: &[&str], words: &[&str]| play("refused", arguments, "").0.refused(words);
    refuse(&["two-ten-jak", "--against", "greedy"], &["did you mean `two-ten-jack`?"]);
    refuse(&["hearts", "--against", "gredy"], &["--against", "did you mean `greedy`?"]);
    refuse(
        &["two-ten-jack", "--against", "greedy", "random"],
        &["2 agents; accepted: 1 to 1, one for each other seat"],
    );
    refuse(&["two-ten-jack", "--against", "greedy", "--seat", "2"], &["--seat 2", "0 to 1"]);
    refuse(&["hearts", "--against", "greedy", "--hint", "oracle"], &["oracle sees the hidden cards"]);
    refuse(&["hearts", "--against", "greedy", "--rule", "targt=3"], &["did you mean `target`?"]);
    let folder = folder("play-exists");
    let file = write(&folder, "game.jsonl", "mine\n");
    dealt(&["play", "hearts", "--against", "random", "--out", &file])
        .refused(&["holds a game already", "--force"]);
    let forfeits = "external:command=\"sh -c true\",on_fault=forfeit";
    refuse(&["two-ten-jack", "--against", forfeits], &["on_fault=forfeit", "only stop is accepted"]);
    // Found out before the first card is dealt.
    let inside = format!("{file}/game.jsonl");
    dealt(&["play", "hearts", "--against", "random", "--out", &inside]).refused(&["write", &inside]);
    let place = folder.to_str().unwrap();
    dealt(&["play", "hearts", "--against", "random", "--out", place]).refused(&["is a folder"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine\n");
}
