//! `dealt agents check`, from outside: it finds what is wrong with a program, and nothing where nothing is.
#![cfg(unix)]

use std::path::Path;

use crate::outside::{Done, dealt};

fn command(fault: &str) -> String {
    format!("sh {} {fault}", Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/external/agent.sh").display())
}

fn tried(fault: &str, games: &[&str]) -> Done {
    let command = command(fault);
    let mut arguments = vec!["agents", "check", &command];
    games.iter().for_each(|game| arguments.extend(["--game", game]));
    dealt(&arguments)
}

/// Asserts that these lines, and no others, say that something is wrong, each with what follows below it.
#[track_caller]
fn finds(done: &Done, faults: &[(&str, &[&str])]) {
    let out = done.out.replace("\n  fine", "\n\n  fine").replace("\n  WRONG", "\n\n  WRONG");
    let pieces: Vec<&str> = out.split("\n\n  ").filter(|piece| piece.starts_with("WRONG")).collect();
    assert_eq!(pieces.len(), faults.len(), "{}", done.out);
    for (piece, (what, words)) in pieces.iter().zip(faults) {
        assert!(piece.starts_with(&format!("WRONG  {what}")), "{piece}");
        assert!(words.iter().all(|word| piece.contains(word)), "{piece}");
    }
    let things =
        if faults.len() == 1 { "1 thing is".to_owned() } else { format!("{} things are", faults.len()) };
    done.failed(1, &[&format!("{things} wrong with it"), "docs/external-agents.md"]);
}

#[test]
fn an_agent_that_does_all_it_must_is_fine() {
    let text = tried("none", &["two-ten-jack"]).fine();
    assert!(!text.contains("WRONG"), "{text}");
    for what in
        ["starts and greets", "plays two-ten-jack (", "answers alike", "passes over", "ends when its input"]
    {
        assert!(text.contains(&format!("\n  fine   {what}")), "{text}");
    }
    assert!(text.contains("All is well, after ") && text.contains("It calls itself shell."), "{text}");
}

#[test]
fn an_agent_that_does_not_start_is_asked_no_more() {
    finds(
        &tried("crash-at-start", &[]),
        &[("starts and greets", &["exit status 3", "| cannot find my weights"])],
    );
}

#[test]
fn an_agent_that_remembers_answers_what_it_does_not_know_and_stays_is_found_out_in_all_three() {
    let done = tried("restless", &["two-ten-jack"]);
    let told_apart = ["to the same question in another process", "`dice`"];
    let answered = ["it answered question 0 where question ", "{\"type\":\"news\"}"];
    finds(
        &done,
        &[
            ("answers alike when asked again", &told_apart),
            ("passes over what it does not know", &answered),
            ("ends when its input ends", &["it did not end within 1 s of the end of its input"]),
        ],
    );
}

#[test]
fn an_agent_that_takes_no_new_field_and_talks_after_the_end_is_found_out_in_both() {
    finds(
        &tried("strict", &["two-ten-jack"]),
        &[
            ("passes over what it does not know", &["exit status 6", "| what is news?"]),
            ("ends when its input ends", &["it wrote `good game` after the last question"]),
        ],
    );
}

#[test]
fn an_agent_that_does_not_know_a_rare_situation_is_found_out() {
    let done = tried("gaps", &["hearts", "three-thirteen"]);
    finds(
        &done,
        &[
            ("plays cancellation-hearts", &["`pass`, which is no move", "moon-add", "players=3"]),
            (
                "plays three-thirteen",
                &["`pass`, which is no move", "go-out-all", "go_out_without_discard=true"],
            ),
        ],
    );
}

#[test]
fn what_cannot_be_checked_is_refused() {
    let refuse = |arguments: &[&str], words: &[&str]| dealt(arguments).refused(words);
    refuse(&["agents", "check", "sh", "--game", "hart"], &["no game `hart`", "did you mean `hearts`?"]);
    refuse(&["agents", "check", "sh", "--move-ms", "0"], &["move_ms", "from 1 to 3600000"]);
    refuse(&["agents", "check", "'sh"], &["quotation mark ' that is not closed"]);
}
