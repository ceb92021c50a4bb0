//! What the flags of `run` and `match` mean.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use dealt::results::checkpoint::{Head, differences};
use dealt::results::folder::Approach;
use dealt::results::{self, manifest};
use dealt::study::Study;

use super::{Node, Settled, name_of_file, settle};
use crate::again;
use crate::cli::{Match, Run, Shared};
use crate::failure::Failure;

/// How many blocks `match` plays unless told otherwise.
const BLOCKS: u64 = 1000;
/// More threads than any machine has cores for.
const MOST_THREADS: usize = 1024;

/// A run with nothing left open.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) study: Box<dyn Study>,
    pub(crate) threads: NonZeroUsize,
    /// The folder for the results.
    pub(crate) out: PathBuf,
    /// What is to be done with a run that is there.
    pub(crate) approach: Approach,
    /// What is run, for those who go on with it.
    pub(crate) head: Head,
    /// The folder with the stages before that a shard follows.
    pub(crate) after: Option<PathBuf>,
    /// Whether nothing is printed but errors.
    pub(crate) quiet: bool,
    /// What was decided for the user.
    pub(crate) notes: Vec<String>,
}

/// Settles `dealt run`.
pub(crate) fn settle_run(run: Run) -> Result<Settings, Failure> {
    let mut table = Node::read(&run.file)?;
    run.set.iter().try_for_each(|setting| set(&mut table, setting))?;
    let name = name_of_file(&run.file);
    settle_shared(table, &name, run.shared)
}

/// Changes an experiment file as `--set` says.
pub(super) fn set(table: &mut Node, setting: &str) -> Result<(), Failure> {
    let (key, value) = Node::parse_setting("--set", setting)?;
    // One of the two says how long the run is; the one given last counts.
    match key.as_str() {
        "games" => table.remove("blocks"),
        "blocks" => table.remove("games"),
        _ => {}
    }
    table.set(&key, value)
}

/// Changes the rules as `--rule`, given once for each option, says.
pub(super) fn set_rules(table: &mut Node, given: &[String]) -> Result<(), Failure> {
    let mut keys = Vec::new();
    for rule in given {
        let (key, value) = Node::parse_setting("--rule", rule)?;
        if keys.contains(&key) {
            return Err(Failure::wrong(format!("--rule {rule}: `{key}` is given twice")));
        }
        table.set(&format!("rules.{key}"), value)?;
        keys.push(key);
    }
    Ok(())
}

/// Settles `dealt match`.
pub(crate) fn settle_match(given: Match) -> Result<Settings, Failure> {
    let names: Vec<&str> =
        given.agents.iter().map(|agent| agent.split(':').next().unwrap_or(agent)).collect();
    let name = format!("{}-{}", given.game, names.join("-"));
    let mut table = Node::table("match");
    table.set("game", Node::given("GAME", given.game.as_str()))?;
    let agents = given.agents.iter().map(|agent| Node::given("AGENT", agent.as_str()));
    table.set("agents", Node::list_of("AGENT", agents))?;
    if let Some(players) = &given.players {
        table.set_flag("players", "--players", players)?;
    }
    set_rules(&mut table, &given.rule)?;
    match (&given.games, &given.blocks) {
        (Some(games), _) => table.set_flag("games", "--games", games)?,
        (None, Some(blocks)) => table.set_flag("blocks", "--blocks", blocks)?,
        (None, None) => table.set("blocks", Node::given("--blocks", BLOCKS))?,
    }
    if let Some(seating) = &given.seating {
        table.set_flag("seating", "--seating", seating)?;
    }
    if let Some(on_fault) = &given.on_fault {
        table.set_flag("on_fault", "--on-fault", on_fault)?;
    }
    settle_shared(table, &name, given.shared)
}

fn settle_shared(mut table: Node, name: &str, shared: Shared) -> Result<Settings, Failure> {
    if let Some(seed) = &shared.seed {
        table.set_flag("seed", "--seed", seed)?;
    }
    if shared.games_csv {
        table.set("outputs.games_csv", Node::given("--games-csv", true))?;
    }
    if let Some(records) = &shared.records {
        table.set_flag("outputs.records", "--records", records)?;
    }
    if shared.legal {
        table.set("outputs.legal", Node::given("--legal", true))?;
    }
    if shared.notes {
        table.set("outputs.notes", Node::given("--notes", true))?;
    }
    let threads = threads(shared.threads.as_deref())?;
    let mut settled = settle(&table, name)?;
    let default = || PathBuf::from("results").join(&settled.study.experiment().name);
    let out = shared.out.unwrap_or_else(default);
    if table.get("seed").is_none() {
        if shared.shard.is_some() {
            let message = "--shard needs a seed, which all shards of a run must share; --seed S gives one";
            return Err(Failure::wrong(message));
        }
        // A seed that was drawn is the one that the run goes on with.
        let left = if shared.resume { results::seed_of(&out).map_err(wrong)? } else { None };
        let seed = left.unwrap_or(settled.study.experiment().seed);
        table.set("seed", Node::given("--seed", seed))?;
        if left.is_some() {
            settled = settle(&table, name)?;
        }
    }
    let identity = manifest::identity(&*settled.study);
    let mut head = Head::new(identity, table.to_json(), name.to_owned(), again::command_of_the_run());
    head.shard = shared.shard;
    let approach = match (shared.resume, shared.force) {
        (true, _) => Approach::Resume,
        (_, true) => Approach::Force,
        _ => Approach::Careful,
    };
    let Settled { study, notes } = settled;
    let Shared { quiet, after, .. } = shared;
    Ok(Settings { study, threads, out, approach, head, after, quiet, notes })
}

/// Settles once more what the head of a part of a run holds.
pub(crate) fn settle_again(head: &Head) -> Result<Box<dyn Study>, Failure> {
    let study = settle(&Node::from_json(&head.settings, "the settings of the run"), &head.name)?.study;
    let differences = differences(&manifest::identity(&*study), &head.identity);
    if differences.is_empty() {
        return Ok(study);
    }
    Err(Failure::wrong(format!(
        "this is not the program that played these parts: {}",
        differences.join(", ")
    )))
}

fn wrong(error: impl std::error::Error) -> Failure {
    Failure::wrong(error.to_string())
}

fn threads(given: Option<&str>) -> Result<NonZeroUsize, Failure> {
    let Some(text) = given else { return Ok(thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)) };
    let accepts = format!("a whole number from 1 to {MOST_THREADS}");
    let node = Node::parse_value(text, "--threads")?;
    let count = usize::try_from(node.whole("threads", &accepts)?).ok().filter(|&count| count <= MOST_THREADS);
    count.and_then(NonZeroUsize::new).ok_or_else(|| node.refuse("threads", &accepts))
}
