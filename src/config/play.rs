//! What the flags of `play` mean.

use std::path::PathBuf;

use dealt::experiment::Experiment;
use dealt_agents::AgentSpec;

use super::flags::set_rules;
use super::{Node, settle};
use crate::cli::Play;
use crate::failure::Failure;

/// A game that a person plays, with nothing left open.
#[derive(Debug)]
pub(crate) struct Seated {
    /// The game, its rules and the seed; who plays it is said below.
    pub(crate) experiment: Experiment,
    /// Who sits where: the person where there is nobody.
    pub(crate) seats: Vec<Option<AgentSpec>>,
    /// Who gives hints.
    pub(crate) hint: Option<AgentSpec>,
    /// The file that the game is saved in.
    pub(crate) out: PathBuf,
    /// Whether such a file is replaced.
    pub(crate) force: bool,
    /// What was decided for the user.
    pub(crate) notes: Vec<String>,
}

impl Seated {
    /// The person's seat.
    pub(crate) fn person(&self) -> usize {
        self.seats.iter().position(Option::is_none).unwrap_or(0)
    }
}

/// Settles `dealt play`.
pub(crate) fn settle_play(given: Play) -> Result<Seated, Failure> {
    let mut table = Node::table("play");
    table.set("game", Node::given("GAME", given.game.as_str()))?;
    // Somebody has to sit in each seat while the rules are settled.
    table.set("agents", Node::list_of("AGENT", [Node::given("AGENT", "random")].into_iter()))?;
    table.set("blocks", Node::given("--blocks", 1))?;
    if let Some(players) = &given.players {
        table.set_flag("players", "--players", players)?;
    }
    set_rules(&mut table, &given.rule)?;
    if let Some(seed) = &given.seed {
        table.set_flag("seed", "--seed", seed)?;
    }
    let settled = settle(&table, "play")?;
    let experiment = settled.study.experiment().clone();
    let agent = |flag: &str, text: &String| {
        let spec = AgentSpec::parse(text, &experiment.game);
        spec.map_err(|error| Failure::wrong(format!("{flag}: {error}")))
    };
    let against: Vec<AgentSpec> =
        given.against.iter().map(|text| agent("--against", text)).collect::<Result<_, _>>()?;
    let hint = given.hint.as_ref().map(|text| may_hint(agent("--hint", text)?)).transpose()?;
    let seats = seats(experiment.players(), given.seat, &against)?;
    let file = format!("{}-{}.jsonl", given.game, experiment.seed);
    let out = given.out.unwrap_or_else(|| PathBuf::from("results/played").join(file));
    Ok(Seated { experiment, seats, hint, out, force: given.force, notes: settled.notes })
}

/// An agent that may give hints: none that sees hidden cards.
pub(crate) fn may_hint(spec: AgentSpec) -> Result<AgentSpec, Failure> {
    if spec.is_clairvoyant() {
        let message = format!("{} sees the hidden cards, so its hints would tell them", spec.label());
        return Err(Failure::wrong(message));
    }
    Ok(spec)
}

/// The agents to the person's left in the order in which they are given, the last one filling the table.
fn seats(players: usize, person: usize, against: &[AgentSpec]) -> Result<Vec<Option<AgentSpec>>, Failure> {
    if person >= players {
        return Err(Failure::wrong(format!("--seat {person}: accepted: 0 to {}", players - 1)));
    }
    if against.len() >= players {
        let (given, most) = (against.len(), players - 1);
        let message = format!("--against: {given} agents; accepted: 1 to {most}, one for each other seat");
        return Err(Failure::wrong(message));
    }
    let mut seats = vec![None; players];
    for left in 1..players {
        seats[(person + left) % players] = against.get(left - 1).or(against.last()).cloned();
    }
    Ok(seats)
}
