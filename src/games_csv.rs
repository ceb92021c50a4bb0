//! `games.csv`: a row for each seat of each game.

use crate::Experiment;
use crate::cells::{number, write_row};
use crate::recorder::GameHead;
use crate::table::Course;
use crate::tally::plan::WIN;
use crate::tally::row::Standings;

/// The columns.
pub const COLUMNS: [&str; 12] = [
    "variant",
    "block",
    "game",
    "seat",
    "seat_from_leader",
    "agent",
    "score",
    "wins",
    "place",
    "deals",
    "decisions",
    "capped",
];

/// Rows of games, for a chunk.
#[derive(Clone, Debug)]
pub struct GamesCsv {
    variants: Vec<String>,
    rows: Vec<u8>,
}

impl GamesCsv {
    /// No rows yet of an experiment's games.
    #[must_use]
    pub fn new(experiment: &Experiment) -> GamesCsv {
        let variants = experiment.variants.iter().map(|variant| variant.name.clone()).collect();
        GamesCsv { variants, rows: Vec::new() }
    }

    /// Adds the rows of a game.
    pub fn add_game(&mut self, head: &GameHead<'_>, course: &Course, standings: &Standings) {
        let players = head.agents.len();
        for (seat, &agent) in head.agents.iter().enumerate() {
            let behind = (seat + players - course.first_to_act) % players;
            let row: [&str; COLUMNS.len()] = [
                &self.variants[head.variant],
                &head.block.to_string(),
                &head.index.to_string(),
                &seat.to_string(),
                &behind.to_string(),
                agent,
                &course.totals[seat].to_string(),
                &number(standings.wins[seat] as f64 / WIN as f64),
                &number(standings.double_places[seat] as f64 / 2.0),
                &course.deals.len().to_string(),
                &course.decisions[seat].to_string(),
                if course.capped { "true" } else { "false" },
            ];
            write_row(&mut self.rows, row);
        }
    }

    /// The rows so far, which are then forgotten.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.rows)
    }
}
