//! `forfeits.csv`: a row for each seat that forfeited a game.

use crate::Experiment;
use crate::cells::write_row;
use crate::forfeit::Forfeit;
use crate::recorder::GameHead;

/// The columns.
pub const COLUMNS: [&str; 8] = ["variant", "block", "game", "seat", "agent", "deal", "move", "fault"];

/// The rows of a game.
pub fn add_game(rows: &mut Vec<u8>, experiment: &Experiment, head: &GameHead<'_>, forfeits: &[Forfeit]) {
    for Forfeit { seat, deal, number, fault } in forfeits {
        let row: [&str; COLUMNS.len()] = [
            &experiment.variants[head.variant].name,
            &head.block.to_string(),
            &head.index.to_string(),
            &seat.to_string(),
            head.agents[*seat],
            &deal.to_string(),
            &number.to_string(),
            fault,
        ];
        write_row(rows, row);
    }
}
