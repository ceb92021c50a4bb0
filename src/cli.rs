//! What can be typed: commands and flags, as given. What they mean is settled in `config`.

use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser, Subcommand};
use dealt::results::checkpoint::Shard;

/// The command line.
#[derive(Parser, Debug)]
#[command(
    name = "dealt",
    version,
    about = "Plays millions of seeded card games between agents and says, with error bars, who is stronger and what a rule does.",
    after_help = EXAMPLES,
    subcommand_required = true,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  dealt run experiments/ace-high.toml                   what do high aces change in Three Thirteen?
  dealt match two-ten-jack greedy random                which of two agents is stronger?
  dealt match hearts greedy random --games 10000        one greedy player among three random ones
  dealt games cancellation-hearts                       every option of a game with its default
  dealt meld --wild 4 4C 7H 9H JH                       the least deadwood of a hand

Exit status: 0 fine, 1 the answer is no (a record that differs), 2 the request is wrong, 3 merged but to be played on,
130 stopped.";

/// The commands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Run an experiment file: one file, one reproducible question.
    #[command(after_help = RUN_EXAMPLES)]
    Run(Run),
    /// Let agents play each other.
    #[command(after_help = MATCH_EXAMPLES)]
    Match(Match),
    /// Play a game yourself, at the terminal.
    #[command(after_help = PLAY_EXAMPLES)]
    Play(Play),
    /// Rate the agents of any runs of one game on one scale.
    #[command(after_help = RATE_EXAMPLES, arg_required_else_help = true)]
    Rate(Rate),
    /// Put the parts of a run together that several machines have played.
    #[command(after_help = MERGE_EXAMPLES, arg_required_else_help = true)]
    Merge(Merge),
    /// List the shards of a run that are still to be played.
    #[command(after_help = MISSING_EXAMPLES, arg_required_else_help = true)]
    Missing(Missing),
    /// Make a page of a run's results: one file for any browser, with plots and sample games.
    #[command(after_help = REPORT_EXAMPLES, arg_required_else_help = true)]
    Report(Report),
    /// List the games, or every option of one game.
    Games {
        /// A game or a preset of one, such as two-ten-jack or hearts.
        name: Option<String>,
    },
    /// List the agents, or every parameter of one agent; or try out a program that is to be one.
    Agents(Agents),
    /// Referee or read files of whole games.
    #[command(subcommand, arg_required_else_help = true, disable_help_subcommand = true)]
    Records(RecordsCommand),
    /// Find the least deadwood of a hand of Three Thirteen, and melds that give it.
    #[command(after_help = MELD_EXAMPLES, arg_required_else_help = true)]
    Meld(Meld),
    /// Measure how fast this machine plays, on one thread; takes a few seconds.
    Bench(Bench),
}

const RUN_EXAMPLES: &str = "\
Examples:
  dealt run experiments/ace-high.toml
  dealt run experiments/ace-high.toml --set blocks=500 --set rules.ace_penalty=10 --out results/quick --force
  dealt run experiments/ace-high.toml --resume           goes on where it was interrupted
  dealt run experiments/ace-high.toml --shard 0/4 --out parts/0

docs/experiments.md describes the files, docs/long-runs.md what --resume and --shard do.";

const MATCH_EXAMPLES: &str = "\
Examples:
  dealt match two-ten-jack greedy random --games 100000 --seed 1
  dealt match three-thirteen greedy random --players 4 --rule ace=low_or_high
  dealt match cancellation-hearts greedy random --players 8 --rule 'pass_cycle=[1, -1]' --records all";

const MELD_EXAMPLES: &str = "\
Examples:
  dealt meld --wild 4 4C 7H 9H JH
  dealt meld --wild 6 --ace low_or_high QH KH AH AH 2H 3H
  dealt meld --jsonl hands.jsonl                         one JSON object a line, - for standard input";

const REPORT_EXAMPLES: &str = "\
Examples:
  dealt report results/ace-high
  dealt report results/ace-high --out ace-high.html

A run with --records N --notes gives the page games to step through.";

/// `dealt run`.
#[derive(Args, Debug)]
pub(crate) struct Run {
    /// The experiment file.
    #[arg(value_name = "FILE.toml")]
    pub(crate) file: PathBuf,
    /// Override a key of the file. Dots reach inside (rules.ace=low), the value is TOML or a bare word.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) shared: Shared,
}

/// `dealt match`.
#[derive(Args, Debug)]
pub(crate) struct Match {
    /// A game or a preset of one; `dealt games` lists them.
    pub(crate) game: String,
    /// One agent a seat, written name or name:key=value,key=value; the last one fills the table.
    #[arg(value_name = "AGENT", required = true)]
    pub(crate) agents: Vec<String>,
    /// How many play, in games that leave it open [default: the game's].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) players: Option<String>,
    /// Change a rule; the value is TOML or a bare word, such as ace=low_or_high.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) rule: Vec<String>,
    /// How many blocks to play; in each, every line-up plays the same cards [default: 1000].
    #[arg(long, value_name = "N", conflicts_with = "games", allow_negative_numbers = true)]
    pub(crate) blocks: Option<String>,
    /// How many games to play, rounded up to whole blocks.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) games: Option<String>,
    /// Which line-ups play each block: rotate (each agent in each seat), all (every order) or neighbours (every agent
    /// left of every other equally often) [default: rotate].
    #[arg(long, value_name = "DESIGN")]
    pub(crate) seating: Option<String>,
    /// What it does if an agent panics, makes a move that is not legal or fails in another way: stop the run, or forfeit its
    /// game [default: stop].
    #[arg(long, value_name = "stop|forfeit")]
    pub(crate) on_fault: Option<String>,
    #[command(flatten)]
    pub(crate) shared: Shared,
}

const RATE_EXAMPLES: &str = "\
Examples:
  dealt match hearts greedy random --games-csv --out results/a
  dealt rate results/a                                   writes results/a/ratings.csv
  dealt rate results/a results/b --out ratings.csv       runs of the same rules

Ratings are made of the games in games.csv, so the runs must be made with --games-csv.";

/// `dealt rate`.
#[derive(Args, Debug)]
pub(crate) struct Rate {
    /// Folders that `run` or `match` has written.
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// The agent whose rating is 0 [default: random, or the mean of all if it does not play].
    #[arg(long, value_name = "AGENT")]
    pub(crate) anchor: Option<String>,
    /// The file to write [default: ratings.csv in DIR if there is one DIR].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// How many samples of blocks are drawn for the intervals.
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true, value_parser = draws)]
    pub(crate) samples: u32,
    /// The same seed draws the same samples.
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true, value_parser = from_0_up)]
    pub(crate) seed: u64,
    /// The confidence level of the intervals.
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95, allow_negative_numbers = true, value_parser = level)]
    pub(crate) confidence: f64,
}

/// `dealt report`.
#[derive(Args, Debug)]
pub(crate) struct Report {
    /// The folder that `run` or `match` has written.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// The file to write [default: report.html in DIR].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

const MERGE_EXAMPLES: &str = "\
Examples:
  dealt run experiments/ace-high.toml --shard 0/2 --out parts/0
  dealt run experiments/ace-high.toml --shard 1/2 --out parts/1
  dealt merge parts/0 parts/1 --out results/ace-high

Exit status: 0 the results are complete; 3 they are not, for what is played next depends on what came out, and shards go on
with --after the folder. docs/long-runs.md tells more.";

/// `dealt merge`.
#[derive(Args, Debug)]
pub(crate) struct Merge {
    /// Folders that `run --shard` has closed, or that `merge` has made of earlier stages.
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// The folder to write results to.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Replace the results that the folder holds.
    #[arg(long)]
    pub(crate) force: bool,
    /// Print nothing but errors.
    #[arg(long)]
    pub(crate) quiet: bool,
}

const MISSING_EXAMPLES: &str = "\
Examples:
  dealt missing parts/* --of 16

Writes a line for each shard: the shard, the number of its stage, and missing, begun (with its folder) or next (to be played
when what is complete was merged), with tabs between. Exit status: 0 nothing is missing, 1 something is.";

/// `dealt missing`.
#[derive(Args, Debug)]
pub(crate) struct Missing {
    /// Folders of shards, begun or closed or not there yet, and those that `merge` has made of earlier stages.
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// How many shards there are.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = shards)]
    pub(crate) of: u64,
}

const PLAY_EXAMPLES: &str = "\
Examples:
  dealt play two-ten-jack --against greedy --hint ismcts
  dealt play hearts --against ismcts:iterations=500 greedy --rule target=50
  dealt play three-thirteen --players 4 --against greedy --rule rounds=[3,4,5]

A move is typed by its number or its name; ? says what else can be typed.";

/// `dealt play`.
#[derive(Args, Debug)]
pub(crate) struct Play {
    /// A game or a preset of one; `dealt games` lists them.
    pub(crate) game: String,
    /// The agents to your left, in order; the last one fills the table.
    #[arg(long, value_name = "AGENT", required = true, num_args = 1..)]
    pub(crate) against: Vec<String>,
    /// Your seat.
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true, value_parser = place)]
    pub(crate) seat: usize,
    /// The agent that gives hints when you ask for one.
    #[arg(long, value_name = "AGENT")]
    pub(crate) hint: Option<String>,
    /// How many play, in games that leave it open [default: the game's].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) players: Option<String>,
    /// Change a rule; the value is TOML or a bare word, such as ace=low_or_high.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) rule: Vec<String>,
    /// The master seed: the same seed deals the same cards [default: drawn, and printed].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) seed: Option<String>,
    /// The file to save the game in [default: results/played/GAME-SEED.jsonl].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Replace the game that the file holds.
    #[arg(long)]
    pub(crate) force: bool,
}

/// `dealt agents`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(crate) struct Agents {
    #[command(subcommand)]
    pub(crate) command: Option<AgentsCommand>,
    /// An agent, such as greedy.
    pub(crate) name: Option<String>,
}

/// `dealt agents` with more to do than to list.
#[derive(Subcommand, Debug)]
pub(crate) enum AgentsCommand {
    /// Ask a program through all games and options, and say what is wrong with it.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Check),
}

const CHECK_EXAMPLES: &str = "\
Examples:
  dealt agents check \"python3 agents/examples/simple_agent.py\"
  dealt agents check ./my-agent --game hearts --move-ms 500

docs/external-agents.md describes what a program must do. Exit status 1 if it does not.";

/// `dealt agents check`.
#[derive(Args, Debug)]
pub(crate) struct Check {
    /// The program and its arguments, as one text.
    pub(crate) command: String,
    /// A game that it plays; may be given several times [default: all games].
    #[arg(long, value_name = "GAME")]
    pub(crate) game: Vec<String>,
    /// The time for a move in milliseconds [default: 10000].
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub(crate) move_ms: Option<String>,
    /// The time for the start and the greeting in milliseconds [default: 10000].
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub(crate) start_ms: Option<String>,
}

/// The flags that `run` and `match` share.
#[derive(Args, Debug)]
pub(crate) struct Shared {
    /// The master seed: the same seed plays the same games [default: drawn, and printed].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) seed: Option<String>,
    /// How many threads to use; results do not depend on it [default: all cores].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) threads: Option<String>,
    /// The folder to write results to [default: results/NAME].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Replace the results that the folder holds.
    #[arg(long)]
    pub(crate) force: bool,
    /// Go on with the run of the folder if it was interrupted; begin it if there is none.
    #[arg(long, conflicts_with = "force")]
    pub(crate) resume: bool,
    /// Play one of N parts of the blocks, I from 0; `dealt merge` puts them together.
    #[arg(long, value_name = "I/N", value_parser = shard, requires = "out")]
    pub(crate) shard: Option<Shard>,
    /// With --shard, where what is played depends on what came out: the folder that `dealt merge` made of the stages before.
    #[arg(long, value_name = "DIR", requires = "shard")]
    pub(crate) after: Option<PathBuf>,
    /// Print nothing but errors.
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Write games.csv too, a row for each seat of each game.
    #[arg(long)]
    pub(crate) games_csv: bool,
    /// Write records.jsonl too: the whole course of the first N games, or of all.
    #[arg(long, value_name = "N|all", allow_negative_numbers = true)]
    pub(crate) records: Option<String>,
    /// List the legal moves of every decision in the records.
    #[arg(long)]
    pub(crate) legal: bool,
    /// Write down in the records what the agents thought at every decision.
    #[arg(long)]
    pub(crate) notes: bool,
}

/// `dealt records`.
#[derive(Subcommand, Debug)]
pub(crate) enum RecordsCommand {
    /// Replay every game of a file by the rules and name the first thing that differs.
    Verify {
        /// A file of records, one game a line; - for standard input.
        file: PathBuf,
    },
    /// Print a game for a person to follow.
    Show {
        /// A file of records, one game a line; - for standard input.
        file: PathBuf,
        /// The index of the game, as in the record's field `index` [default: the first game of the file].
        #[arg(long, value_name = "I", allow_negative_numbers = true, value_parser = from_0_up)]
        game: Option<u64>,
        /// Only this deal, from 1 up.
        #[arg(long, value_name = "D", allow_negative_numbers = true, value_parser = place)]
        deal: Option<usize>,
    },
    /// Print deals that fit what a seat knows just before a move, and where each card it has not seen may be.
    #[command(after_help = WORLDS_EXAMPLES)]
    Worlds(Worlds),
}

const WORLDS_EXAMPLES: &str = "\
Examples:
  dealt records worlds records.jsonl --deal 1 --move 17 --samples 1000
  dealt records worlds records.jsonl --game 3 --deal 1 --move 17 --seat 0 --samples 5 --seed 2

Each world is a line of JSON: the hands by seat, a pass picked but not handed over included, and the stock or kitty, in
no order. Below an empty line follows a table: for each unseen card the share of the worlds in which it is there.";

/// `dealt records worlds`.
#[derive(Args, Debug)]
pub(crate) struct Worlds {
    /// A file of records, one game a line; - for standard input.
    pub(crate) file: PathBuf,
    /// The index of the game, as in the record's field `index` [default: the first game of the file].
    #[arg(long, value_name = "I", allow_negative_numbers = true, value_parser = from_0_up)]
    pub(crate) game: Option<u64>,
    /// The deal, from 1 up.
    #[arg(long, value_name = "D", allow_negative_numbers = true, value_parser = place)]
    pub(crate) deal: usize,
    /// The move, as `records show` numbers them: what is known just before it is asked for.
    #[arg(long = "move", value_name = "K", allow_negative_numbers = true, value_parser = place)]
    pub(crate) number: usize,
    /// Whose knowledge [default: that of the seat that makes the move].
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = place)]
    pub(crate) seat: Option<usize>,
    /// How many worlds.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = samples)]
    pub(crate) samples: u32,
    /// The same seed draws the same worlds.
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true, value_parser = from_0_up)]
    pub(crate) seed: u64,
}

/// `dealt meld`.
#[derive(Args, Debug)]
pub(crate) struct Meld {
    /// The wild rank, one of 23456789TJQKA.
    #[arg(long, value_name = "RANK", required_unless_present = "jsonl", conflicts_with = "jsonl")]
    pub(crate) wild: Option<String>,
    /// How an ace runs: low, or low_or_high [default: low].
    #[arg(long, value_name = "ACE", conflicts_with = "jsonl")]
    pub(crate) ace: Option<String>,
    /// What an unmelded ace costs [default: 1 with low, 15 with low_or_high].
    #[arg(long, value_name = "POINTS", conflicts_with = "jsonl", allow_negative_numbers = true)]
    pub(crate) ace_penalty: Option<String>,
    /// What an unmelded wild costs [default: by its rank].
    #[arg(long, value_name = "POINTS", conflicts_with = "jsonl", allow_negative_numbers = true)]
    pub(crate) wild_penalty: Option<String>,
    /// The most wilds in a meld, 0 to 13 [default: no limit].
    #[arg(long, value_name = "N", conflicts_with = "jsonl", allow_negative_numbers = true)]
    pub(crate) max_wilds_per_meld: Option<String>,
    /// The fewest naturals in a meld, 0 to 3 [default: 0].
    #[arg(long, value_name = "N", conflicts_with = "jsonl", allow_negative_numbers = true)]
    pub(crate) min_naturals_per_meld: Option<String>,
    /// Read hands with their rules from a file, one JSON object a line, and write each back with deadwood and melds;
    /// - for standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) jsonl: Option<PathBuf>,
    /// The cards, each a rank of 23456789TJQKA and a suit of CDSH, such as TH.
    #[arg(value_name = "CARD", required_unless_present = "jsonl", conflicts_with = "jsonl")]
    pub(crate) cards: Vec<String>,
}

/// `dealt bench`.
#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only the signature: one number that changes when play does.
    #[arg(long, conflicts_with = "json")]
    pub(crate) signature: bool,
}

fn from_0_up(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "a whole number from 0 up".to_owned())
}

/// More shards than any run has use for.
const MOST_SHARDS: u64 = 1_000_000;

fn shards(text: &str) -> Result<u64, String> {
    let of = text.parse().ok().filter(|of| (1..=MOST_SHARDS).contains(of));
    of.ok_or_else(|| format!("a whole number from 1 to {MOST_SHARDS}"))
}

fn shard(text: &str) -> Result<Shard, String> {
    let read = || {
        let (number, of) = text.split_once('/')?;
        let (number, of) = (number.parse().ok()?, shards(of).ok()?);
        (number < of).then_some(Shard { number, of })
    };
    read().ok_or_else(|| format!("I/N, such as 0/16 to 15/16, with N from 1 to {MOST_SHARDS}"))
}

/// A deal, move or seat; whether there is one the record says.
fn place(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "a whole number".to_owned())
}

fn draws(text: &str) -> Result<u32, String> {
    let count = text.parse().ok().filter(|count| (10..=1_000_000).contains(count));
    count.ok_or_else(|| "a whole number from 10 to 1000000".to_owned())
}

fn level(text: &str) -> Result<f64, String> {
    let level = text.parse().ok().filter(|&level: &f64| level > 0.0 && level < 1.0);
    level.ok_or_else(|| "a number between 0 and 1, such as 0.95".to_owned())
}

fn samples(text: &str) -> Result<u32, String> {
    let count = text.parse().ok().filter(|count| (1..=1_000_000).contains(count));
    count.ok_or_else(|| "a whole number from 1 to 1000000".to_owned())
}

/// What was typed, or the message that refuses it where the parser's own says too little.
pub(crate) fn parse() -> Result<Command, String> {
    let error = match Cli::try_parse() {
        Ok(cli) => return Ok(cli.command),
        Err(error) => error,
    };
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    match (error.kind(), text(ContextKind::InvalidArg), text(ContextKind::InvalidValue)) {
        (ErrorKind::ValueValidation, Some(argument), Some(value)) => {
            let flag = argument.split(' ').next().unwrap_or(argument);
            let accepts = std::error::Error::source(&error).map_or_else(String::new, ToString::to_string);
            Err(format!("{flag} cannot be `{value}`; accepted: {accepts}"))
        }
        (ErrorKind::InvalidUtf8, ..) => {
            let strange = std::env::args_os().find(|argument| argument.to_str().is_none());
            let strange = strange.unwrap_or_default();
            Err(format!("the argument `{}` is not UTF-8", strange.to_string_lossy()))
        }
        _ => error.exit(),
    }
}
