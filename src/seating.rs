//! Which line-ups of the agents play each block.
//!
//! A block plays the same cards under every line-up of a design, each once. A *line-up* says which agent sits where; two
//! seats with the same agent are one agent that holds two seats, so exchanging them makes no new line-up, and a table
//! of one agent alone has a single one. Every design here contains with a line-up all its rotations, so that each agent
//! is in each seat equally often, also counted from the first dealer.
//!
//! `neighbours` is about who sits on whose left, which matters where one passes cards to the left or feeds the player
//! behind. Circles in which each of N players has each other on its left once would be N − 1, a decomposition of the
//! complete directed graph into Hamiltonian cycles. For odd N they come from the zigzag 0, 1, −1, 2, −2, … of the
//! numbers modulo N − 1, shifted N − 1 times, with the last player closing the circle: each difference occurs in the
//! zigzag once. (The zigzag is that of E. J. Williams, *Experimental designs balanced for the estimation of residual
//! effects of treatments*, 1949.) For even N each odd difference occurs twice and the even ones never; with the mirror
//! images, in which the signs change, each pair occurs twice in 2 (N − 1) circles. For 4 players these are all circles
//! there are. (Half as many do for 8 players and more, but not for 4 and 6: T. W. Tillson, *A Hamiltonian
//! decomposition of K\*2m, 2m ≥ 8*, 1980.)

use std::collections::BTreeMap;

use crate::experiment::{ExperimentError, Seating};

/// For each seat the agent in it, by its place among the experiment's distinct agents.
pub type LineUp = Vec<u8>;

/// The most line-ups that a block may have: the orders of 8 agents.
pub const MOST_LINE_UPS: u64 = 40_320;

/// The line-ups of a design, each once, given any one of them.
///
/// ```
/// use dealt::Seating;
/// use dealt::seating::line_ups;
/// assert_eq!(line_ups(Seating::Rotate, &vec![0, 1, 1])?, [[0, 1, 1], [1, 1, 0], [1, 0, 1]]);
/// assert_eq!(line_ups(Seating::Neighbours, &vec![0, 1, 2])?.len(), 6);
/// # Ok::<(), dealt::ExperimentError>(())
/// ```
///
/// # Errors
/// If there is no seat, or there are more than [`MOST_LINE_UPS`].
pub fn line_ups(seating: Seating, first: &LineUp) -> Result<Vec<LineUp>, ExperimentError> {
    if first.is_empty() {
        return Err(ExperimentError::new("no agents; each seat needs one"));
    }
    let line_ups = match seating {
        Seating::All => return all(first),
        Seating::Rotate => rotations(first),
        Seating::Neighbours => {
            let circles = circles(first.len());
            let seated = circles.iter().map(|circle| circle.iter().map(|&player| first[player]).collect());
            seated.flat_map(|line_up| rotations(&line_up)).collect()
        }
    };
    // Where several seats have one agent, balanced circles can come out unequally often. Then all orders are needed.
    distinct_if_even(line_ups).map_or_else(|| all(first), Ok)
}

fn rotations(line_up: &LineUp) -> Vec<LineUp> {
    let rotation = |by| line_up[by..].iter().chain(&line_up[..by]).copied().collect();
    (0..line_up.len()).map(rotation).collect()
}

/// The different line-ups in order of appearance, if they all appear equally often.
fn distinct_if_even(line_ups: Vec<LineUp>) -> Option<Vec<LineUp>> {
    let mut counts: BTreeMap<LineUp, u32> = BTreeMap::new();
    let mut distinct = Vec::new();
    for line_up in line_ups {
        let count = counts.entry(line_up.clone()).or_insert(0);
        if *count == 0 {
            distinct.push(line_up);
        }
        *count += 1;
    }
    let even = counts.values().all(|count| Some(count) == counts.values().next());
    even.then_some(distinct)
}

/// The circles of `players` in which everybody has everybody else on its left equally often.
fn circles(players: usize) -> Vec<Vec<usize>> {
    let last = players - 1;
    let zigzag = |shift: usize| {
        let number = move |step: usize| {
            let away = step.div_ceil(2);
            (if step % 2 == 1 { shift + away } else { shift + last - away }) % last.max(1)
        };
        (0..last).map(number).chain([last]).collect::<Vec<_>>()
    };
    let mut circles: Vec<_> = (0..last.max(1)).map(zigzag).collect();
    if players.is_multiple_of(2) {
        circles.extend(circles.clone().into_iter().map(|circle| circle.into_iter().rev().collect()));
    }
    circles
}

/// All distinct orders, in lexicographic order.
fn all(line_up: &LineUp) -> Result<Vec<LineUp>, ExperimentError> {
    let count = count_orders(line_up);
    if count > MOST_LINE_UPS {
        let message = format!(
            "these {} agents have {count} line-ups, and a block plays each of them; \
             at most {MOST_LINE_UPS} are accepted: take `rotate` or fewer different agents",
            line_up.len()
        );
        return Err(ExperimentError::new(message));
    }
    let mut order = line_up.clone();
    order.sort_unstable();
    let mut orders = vec![order.clone()];
    while step_to_next_order(&mut order) {
        orders.push(order.clone());
    }
    Ok(orders)
}

/// The multinomial coefficient: players! / Π (seats of an agent)!.
fn count_orders(line_up: &LineUp) -> u64 {
    let mut seats: BTreeMap<u8, u64> = BTreeMap::new();
    let mut count = 1;
    for (before, &agent) in line_up.iter().enumerate() {
        let held = seats.entry(agent).or_insert(0);
        *held += 1;
        count = count * (before as u64 + 1) / *held;
    }
    count
}

/// Rearranges to the next greater order; false if there is none.
fn step_to_next_order(order: &mut [u8]) -> bool {
    let Some(pivot) = order.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let other = order.iter().rposition(|&agent| agent > order[pivot]).unwrap_or(pivot);
    order.swap(pivot, other);
    order[pivot + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const DESIGNS: [Seating; 3] = [Seating::Rotate, Seating::All, Seating::Neighbours];

    /// All line-ups of up to 7 seats in which new agents appear in order: every way to share seats among agents.
    fn tables() -> Vec<LineUp> {
        let mut tables: Vec<LineUp> = vec![vec![0]];
        let mut from = 0;
        while tables[from].len() < 7 {
            let table = tables[from].clone();
            let agents = table.iter().max().map_or(0, |most| most + 1);
            tables.extend((0..=agents).map(|agent| [&table[..], &[agent]].concat()));
            from += 1;
        }
        tables
    }

    #[test]
    fn every_design_plays_distinct_line_ups_of_the_same_agents_closed_under_rotation() {
        for table in tables() {
            let mut agents = table.clone();
            agents.sort_unstable();
            for design in DESIGNS {
                let line_ups = line_ups(design, &table).unwrap();
                let set: std::collections::BTreeSet<_> = line_ups.iter().cloned().collect();
                assert_eq!(set.len(), line_ups.len(), "{table:?}");
                for line_up in &line_ups {
                    let mut sorted = line_up.clone();
                    sorted.sort_unstable();
                    assert_eq!(sorted, agents);
                    assert!(rotations(line_up).iter().all(|rotation| set.contains(rotation)), "{line_up:?}");
                }
            }
        }
    }

    /// How often an agent has another on its left, for each ordered pair, over the number of seat pairs they hold.
    fn on_the_left(line_ups: &[LineUp]) -> BTreeMap<(u8, u8), u32> {
        let mut counts = BTreeMap::new();
        for line_up in line_ups {
            for (seat, &agent) in line_up.iter().enumerate() {
                let left = line_up[(seat + 1) % line_up.len()];
                *counts.entry((agent, left)).or_insert(0) += 1;
            }
        }
        counts
    }

    #[test]
    fn neighbours_gives_every_seat_of_an_agent_every_seat_of_another_on_its_left_equally_often() {
        for table in tables().into_iter().chain([(0..8).collect(), (0..10).collect(), (0..11).collect()]) {
            let seats = |agent: u8| table.iter().filter(|&&other| other == agent).count() as u32;
            let line_ups = line_ups(Seating::Neighbours, &table).unwrap();
            let per_pair: std::collections::BTreeSet<_> = on_the_left(&line_ups)
                .into_iter()
                .filter(|((agent, left), _)| agent != left)
                // 720,720 is a multiple of every number of pairs here.
                .map(|((agent, left), count)| count * 720_720 / (seats(agent) * seats(left)))
                .collect();
            assert!(per_pair.len() <= 1, "{table:?}: {per_pair:?}");
        }
    }

    #[test]
    fn the_sizes_of_the_designs_are_known() {
        let size = |design, players| line_ups(design, &(0..players).collect()).unwrap().len();
        let neighbours: Vec<_> = (1..=11).map(|players| size(Seating::Neighbours, players)).collect();
        assert_eq!(neighbours, [1, 2, 6, 24, 20, 60, 42, 112, 72, 180, 110]);
        let all: Vec<_> = (1..=8).map(|players| size(Seating::All, players)).collect();
        assert_eq!(all, [1, 2, 6, 24, 120, 720, 5040, 40_320]);
        assert_eq!(size(Seating::Rotate, 11), 11);
        assert_eq!(line_ups(Seating::Rotate, &vec![0, 0]).unwrap(), [[0, 0]]);
        assert_eq!(line_ups(Seating::Rotate, &vec![0, 1, 0, 1]).unwrap(), [[0, 1, 0, 1], [1, 0, 1, 0]]);
        assert_eq!(line_ups(Seating::All, &vec![0, 1, 0]).unwrap(), [[0, 0, 1], [0, 1, 0], [1, 0, 0]]);
    }

    #[test]
    fn a_design_of_too_many_line_ups_is_refused_with_its_size() {
        let error = line_ups(Seating::All, &(0..11).collect()).unwrap_err().to_string();
        assert!(error.contains("39916800") && error.contains("rotate"), "{error}");
        assert!(line_ups(Seating::All, &vec![0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]).unwrap().len() == 462);
    }
}
