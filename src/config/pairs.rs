//! The line-ups of the kinds in which agents meet two by two: tournament, gauntlet, ladder and sequential test.
//!
//! At a table of two the meeting of A and B is one line-up. At a larger one it is up to three: one A among B's, one B among
//! A's, and half of each, since it may be one thing to be alone among others and another to be many. A block plays all
//! rotations of each, which are as many.

use dealt::figures::counted;
use dealt_agents::AgentSpec;
use serde_json::{Map, Value};

use super::{AGENTS, Node, agent, line_ups, require};
use crate::failure::{Failure, accepted};

type LineUp = Vec<AgentSpec>;

/// How two agents share a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meeting {
    /// One among others both ways, and half against half.
    Balanced,
    /// The first among others of the second.
    Alone,
}

const MEETINGS: [(&str, Meeting); 2] = [("balanced", Meeting::Balanced), ("alone", Meeting::Alone)];
/// All agents at one table.
const TABLE: &str = "table";
const BUDGET: &str = "a whole number from 1 up";

/// Every pair of `agents` meets, or all sit at one table.
pub(super) fn of_a_tournament(table: &Node, game: &str, players: usize) -> Result<Vec<LineUp>, Failure> {
    let names = MEETINGS.map(|(name, _)| name);
    if let Some(node) = table.get("lineup") {
        let accepts = || accepted("", names.into_iter().chain([TABLE]));
        if node.text("lineup", &accepts())? == TABLE {
            return line_ups(table, game, players);
        }
    }
    let meeting = meeting(table, Meeting::Balanced, &[TABLE])?;
    let agents = distinct(require(table, "agents", AGENTS)?, "agents", AGENTS, game, 2)?;
    let mut all = Vec::new();
    for (place, a) in agents.iter().enumerate() {
        for b in &agents[place + 1..] {
            all.extend(meeting.line_ups(a, b, players));
        }
    }
    Ok(all)
}

/// `agent` meets each of `opponents`.
pub(super) fn of_a_gauntlet(table: &Node, game: &str, players: usize) -> Result<Vec<LineUp>, Failure> {
    let meeting = meeting(table, Meeting::Alone, &[])?;
    let challenger = agent(require(table, "agent", "an agent, who meets each opponent")?, game)?;
    let node = require(table, "opponents", AGENTS)?;
    let opponents = distinct(node, "opponents", AGENTS, game, 1)?;
    if opponents.iter().any(|opponent| opponent.label() == challenger.label()) {
        let message = format!("{}: {} cannot be its own opponent", node.place, challenger.label());
        return Err(Failure::wrong(message));
    }
    Ok(opponents.iter().flat_map(|opponent| meeting.line_ups(&challenger, opponent, players)).collect())
}

/// `agent` meets `opponent` with `parameter` at `from`, at twice as much, and so on up to `to`.
pub(super) fn of_a_ladder(table: &Node, game: &str, players: usize) -> Result<Vec<LineUp>, Failure> {
    let meeting = meeting(table, Meeting::Alone, &[])?;
    let climber = agent(require(table, "agent", "the agent whose budget is doubled")?, game)?;
    let opponent = agent(require(table, "opponent", "an agent")?, game)?;
    let node = require(table, "parameter", "the parameter of `agent` that is its budget")?;
    let parameter = node.text("parameter", "the name of a parameter")?;
    let [from, to] = ["from", "to"].map(|key| require(table, key, BUDGET).map(|node| (key, node)));
    let ((key, from), (_, to)) = (from?, to?);
    let least = from.whole(key, BUDGET)?;
    let most = to.whole("to", BUDGET)?;
    if least == 0 {
        return Err(from.refuse(key, BUDGET));
    }
    if most < least {
        return Err(to.refuse("to", &format!("a whole number from {least} up, which is `from`")));
    }
    let mut all = Vec::new();
    for budget in
        std::iter::successors(Some(least), |budget| budget.checked_mul(2)).take_while(|&b| b <= most)
    {
        let change = Map::from_iter([(parameter.to_owned(), Value::from(budget))]);
        let rung = climber.with(&change, game);
        let rung = rung.map_err(|error| Failure::wrong(format!("{}: {error}", node.place)))?;
        if rung.label() == opponent.label() {
            let message = format!("{}: with {parameter} {budget} it is its own opponent", node.place);
            return Err(Failure::wrong(message));
        }
        all.extend(meeting.line_ups(&rung, &opponent, players));
    }
    Ok(all)
}

/// The two of `agents` meet.
pub(super) fn of_a_test(table: &Node, game: &str, players: usize) -> Result<Vec<LineUp>, Failure> {
    const TWO: &str = "a list of two agents";
    let meeting = meeting(table, Meeting::Balanced, &[])?;
    let node = require(table, "agents", TWO)?;
    match &distinct(node, "agents", AGENTS, game, 2)?[..] {
        [a, b] => Ok(meeting.line_ups(a, b, players)),
        _ => Err(node.refuse("agents", TWO)),
    }
}

/// What the key `lineup` says, or else what is usual. `others` are accepted too, but not here.
fn meeting(table: &Node, usual: Meeting, others: &[&str]) -> Result<Meeting, Failure> {
    let Some(node) = table.get("lineup") else { return Ok(usual) };
    let names = || MEETINGS.iter().map(|(name, _)| *name).chain(others.iter().copied());
    let name = node.text("lineup", &accepted("", names()))?;
    let found = MEETINGS.iter().find(|(known, _)| *known == name);
    found.map(|(_, meeting)| *meeting).ok_or_else(|| node.refuse("lineup", &accepted(name, names())))
}

/// The list of different agents, at least so many, that a key holds.
pub(super) fn distinct(
    node: &Node,
    key: &str,
    accepts: &str,
    game: &str,
    least: usize,
) -> Result<Vec<AgentSpec>, Failure> {
    let mut agents: Vec<AgentSpec> = Vec::new();
    for item in node.list(key, accepts)? {
        let agent = agent(item, game)?;
        if agents.iter().any(|other| other.label() == agent.label()) {
            let message =
                format!("{}: {} is in the list already; each agent once", item.place, agent.label());
            return Err(Failure::wrong(message));
        }
        agents.push(agent);
    }
    if agents.len() < least {
        let message = format!(
            "{}: `{key}` has {}; accepted: {least} or more",
            node.place,
            counted(agents.len() as u64, "agent")
        );
        return Err(Failure::wrong(message));
    }
    Ok(agents)
}

impl Meeting {
    fn line_ups(self, a: &AgentSpec, b: &AgentSpec, players: usize) -> Vec<LineUp> {
        let mut of_a = vec![1];
        if self == Meeting::Balanced {
            of_a.extend([players / 2, players - players / 2, players - 1]);
            of_a.sort_unstable();
            of_a.dedup();
        }
        let line_up =
            |count: usize| (0..players).map(|seat| if seat < count { a } else { b }.clone()).collect();
        // Seats of two players are swapped by the rotation already.
        of_a.into_iter().map(line_up).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats_of_a(meeting: Meeting, players: usize) -> Vec<usize> {
        let [a, b] =
            ["greedy", "random"].map(|agent| AgentSpec::parse(agent, "cancellation-hearts").unwrap());
        let line_ups = meeting.line_ups(&a, &b, players);
        assert!(line_ups.iter().all(|line_up| line_up.len() == players));
        line_ups.iter().map(|line_up| line_up.iter().filter(|agent| **agent == a).count()).collect()
    }

    #[test]
    fn two_agents_meet_one_among_others_both_ways_and_half_against_half() {
        assert_eq!(seats_of_a(Meeting::Balanced, 2), [1]);
        assert_eq!(seats_of_a(Meeting::Balanced, 3), [1, 2]);
        assert_eq!(seats_of_a(Meeting::Balanced, 4), [1, 2, 3]);
        assert_eq!(seats_of_a(Meeting::Balanced, 7), [1, 3, 4, 6]);
        assert_eq!(seats_of_a(Meeting::Alone, 7), [1]);
    }
}
