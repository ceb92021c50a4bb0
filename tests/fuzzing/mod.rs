//! Arbitrary bytes, for whatever reads what people and programs write.
//!
//! A reader is tried with every input of its corpus, `tests/corpus/NAME`, and then with changed ones. It says why it refuses
//! what it refuses; an input that is refused for a new reason, or is the first to be accepted, is changed further, so that
//! the tries get ever deeper into the reader.
//!
//! `FUZZ_MINUTES=10` goes on for so long, from the seed `FUZZ_SEED`, and prints how many inputs were tried. With
//! `FUZZ_SAVE=1` inputs that are refused for new reasons are added to the corpus, and so is one that panics.

#![allow(dead_code, unreachable_pub)] // each test program uses a part

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use dealt::results::timings::Stopwatch;
use dealt_engine::{Dice, QuickDice};

/// The longest input that is tried.
const LONGEST: usize = 1 << 14;

/// The most inputs that are changed further.
const MOST_KEPT: usize = 5000;

/// A reader to be tried.
#[derive(Debug)]
pub struct Reader<'r> {
    /// The folder of its corpus.
    pub name: &'r str,
    /// What its inputs are made of.
    pub pieces: &'r [&'r str],
    /// How many changed inputs are tried.
    pub rounds: u64,
}

/// What came of it: how often each reason was given; an input that was accepted has none, `""`.
pub type Reasons = BTreeMap<String, u64>;

impl Reader<'_> {
    /// The inputs of the corpus.
    pub fn corpus(&self) -> Vec<Vec<u8>> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(self.folder()).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        files.iter().map(|file| fs::read(file).unwrap()).collect()
    }

    fn folder(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(self.name)
    }

    fn save(&self, kind: &str, input: &[u8]) {
        if env::var_os("FUZZ_SAVE").is_some() {
            let number = fs::read_dir(self.folder()).unwrap().count();
            fs::write(self.folder().join(format!("{kind}-{number:03}")), input).unwrap();
        }
    }

    /// Tries inputs, those of the corpus and some more first. `try_input` reads one in all ways that there are, and gives
    /// what was said to each; `""` if nothing was.
    pub fn try_all(&self, more: Vec<Vec<u8>>, mut try_input: impl FnMut(&[u8]) -> Vec<String>) -> Reasons {
        let mut reasons = Reasons::new();
        let mut slowest = Duration::ZERO;
        // Whether the input was refused for a new reason.
        let mut try_one = |input: &[u8], reasons: &mut Reasons| {
            let stopwatch = Stopwatch::start();
            let said = catch_unwind(AssertUnwindSafe(|| try_input(input))).unwrap_or_else(|_| {
                self.save("panic", input);
                panic!("{}: this input panics: b\"{}\"", self.name, input.escape_ascii());
            });
            slowest = slowest.max(stopwatch.elapsed());
            let mut is_new = false;
            for message in said {
                let count = reasons.entry(reason(&message)).or_default();
                is_new |= *count == 0;
                *count += 1;
            }
            is_new
        };
        let mut pool = self.corpus();
        pool.extend(more);
        for input in &pool {
            try_one(input, &mut reasons);
        }
        let minutes = env::var("FUZZ_MINUTES").ok().map(|minutes| minutes.parse::<u64>().unwrap());
        let seed = env::var("FUZZ_SEED").map_or(1, |seed| seed.parse().unwrap());
        let (mut dice, stopwatch, mut tried) = (QuickDice::new(seed, 1), Stopwatch::start(), 0_u64);
        while minutes.map_or(tried < self.rounds, |minutes| stopwatch.elapsed().as_secs() < 60 * minutes) {
            let mut input = pool[dice.below(pool.len() as u32) as usize].clone();
            for _ in 0..=dice.below(4) {
                self.change(&mut input, &pool, &mut dice);
            }
            if try_one(&input, &mut reasons) && pool.len() < MOST_KEPT {
                self.save("found", &input);
                pool.push(input);
            }
            tried += 1;
        }
        if minutes.is_some() {
            let (accepted, kinds) = (reasons.get("").copied().unwrap_or(0), reasons.len());
            println!(
                "{}: {tried} inputs in {} s, {accepted} times accepted, {kinds} reasons, slowest {slowest:?}",
                self.name,
                stopwatch.elapsed().as_secs()
            );
        }
        reasons
    }

    /// Changes an input a little, or puts two together.
    pub fn change(&self, bytes: &mut Vec<u8>, others: &[Vec<u8>], dice: &mut QuickDice) {
        let place = dice.below(bytes.len() as u32 + 1) as usize;
        let end = (place + dice.below(9) as usize).min(bytes.len());
        match dice.below(7) {
            0 => drop(bytes.drain(place..end)),
            1 => drop(bytes.splice(place..place, [dice.below(256) as u8])),
            2 | 3 => {
                let piece = self.pieces[dice.below(self.pieces.len() as u32) as usize];
                drop(bytes.splice(place..end, piece.bytes()));
            }
            4 if place < bytes.len() => bytes[place] ^= 1 << dice.below(8),
            5 => {
                let other = &others[dice.below(others.len() as u32) as usize];
                let from = dice.below(other.len() as u32 + 1) as usize;
                let to = (from + 1 + dice.below(60) as usize).min(other.len());
                let to = if dice.below(2) == 0 { other.len() } else { to };
                drop(bytes.splice(place..end, other[from..to].iter().copied()));
            }
            _ => {
                let end = (place + dice.below(99) as usize).min(bytes.len());
                let piece = bytes[place..end].to_vec();
                let times = if dice.below(50) == 0 { 100 } else { 1 };
                (0..times).for_each(|_| drop(bytes.splice(place..place, piece.iter().copied())));
            }
        }
        bytes.truncate(LONGEST);
    }
}

/// What a message says without what was given: no digits, and nothing from the first quotation mark to the last.
fn reason(message: &str) -> String {
    let begins = message.split('`').next().unwrap_or_default();
    let ends = if message.contains('`') { message.rsplit('`').next().unwrap_or_default() } else { "" };
    let plain = |letter: &char| !letter.is_ascii_digit();
    begins.chars().filter(plain).take(80).chain(ends.chars().filter(plain).take(40)).collect()
}

/// Asserts that a message is one that a person can read, on any terminal.
#[track_caller]
pub fn assert_plain(message: &str) {
    assert!(!message.chars().any(|letter| letter.is_control() && letter != '\n'), "{message:?}");
}
