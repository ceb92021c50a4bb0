//! A game played again from what its players answered.
//!
//! To write every game down would cost more than playing it. So a table keeps the answers of those who were asked, and
//! nothing else: the cards follow from the block, what `random` does follows from the dice. Only when a game turns out to be
//! one that somebody will want to look into, since a player failed, it is played once more for a scribe. Nobody is asked
//! again: players that remember the answers sit in for those that gave them.

use std::vec::IntoIter;

use dealt_agents::{Failed, Outsider, Player, Turn};
use dealt_engine::{Game, Move};

use crate::forfeit::Forfeit;
use crate::record::{GameRecord, Scribe};
use crate::table::{Fixture, Foul, Table};

/// What an agent answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    /// The agent, by its place in the list.
    agent: u8,
    /// Its move; `None` where it failed and forfeited.
    mv: Option<Move>,
}

impl Answer {
    #[inline]
    pub(crate) fn new(agent: usize, mv: Option<Move>) -> Answer {
        Answer { agent: agent as u8, mv }
    }
}

/// The record of the game that a table has played last, among these agents; or, if it was broken off, of its beginning.
pub(crate) fn record<G: Game>(
    table: &Table<G>,
    fixture: &Fixture<'_>,
    agents: &[Player<G>],
    foul: Option<&Foul>,
    mut scribe: Scribe,
) -> GameRecord {
    let forfeits = &table.course().forfeits;
    let last = foul.map(|foul| failed(&foul.fault(), false));
    let mut players: Vec<Player<G>> = agents
        .iter()
        .enumerate()
        .map(|(agent, player)| match player {
            Player::Random(random) => Player::Random(*random),
            _ => Player::Outsider(Box::new(Remembered::new(agent, table.answers(), forfeits, last.clone()))),
        })
        .collect();
    let mut again = Table::new(table.game().clone(), table.streams().clone(), false);
    let played = again.play(fixture, &mut players, &mut scribe);
    debug_assert_eq!(played.err().map(|again| again.fault()), foul.map(Foul::fault));
    GameRecord { stopped: foul.map(Foul::fault), ..scribe.record().clone() }
}

/// A player that answers what another has answered.
struct Remembered {
    answers: IntoIter<Result<Move, Failed>>,
    /// What it does when there are no more.
    last: Option<Failed>,
}

impl Remembered {
    /// The answers of one agent, out of those of all. The faults are those of all agents, in order.
    fn new(agent: usize, answers: &[Answer], faults: &[Forfeit], last: Option<Failed>) -> Remembered {
        let mut faults = faults.iter();
        let mut own = Vec::new();
        for answer in answers {
            let given =
                answer.mv.ok_or_else(|| faults.next().map_or_else(strange, |fault| failed(fault, true)));
            if usize::from(answer.agent) == agent {
                own.push(given);
            }
        }
        Remembered { answers: own.into_iter(), last }
    }
}

fn failed(fault: &Forfeit, forfeits: bool) -> Failed {
    Failed { fault: fault.fault.clone(), details: Vec::new(), forfeits }
}

/// What is said if a game comes out differently when it is played again, as it cannot.
fn strange() -> Failed {
    Failed { fault: "no answer is remembered".to_owned(), details: Vec::new(), forfeits: false }
}

impl<G: Game> Outsider<G> for Remembered {
    fn decide(&mut self, _: &Turn<'_, G>) -> Result<Move, Box<Failed>> {
        let answer = self.answers.next();
        answer.unwrap_or_else(|| Err(self.last.clone().unwrap_or_else(strange))).map_err(Box::new)
    }
}
