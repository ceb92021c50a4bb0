//! In which orders a line-up plays each block.
//!
//! A block plays the same cards under every order of a design, each once. An *order* says which agent sits where; two
//! seats with the same agent are one agent that holds two seats, so exchanging them makes no new one, and a table
//! of one agent alone has a single one. Every design here contains with an order all its rotations, so that each agent
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
pub type Order = Vec<u8>;

/// The most orders that a block may have: the orders of 8 agents.
pub const MOST_ORDERS: u64 = 40_320;

/// The orders of a design, each once, given any one of them.
///
/// ```
/// use dealt::Seating;
/// use dealt::seating::orders;
/// assert_eq!(orders(Seating::Rotate, &vec![0, 1, 1])?, [[0, 1, 1], [1, 1, 0], [1, 0, 1]]);
/// assert_eq!(orders(Seating::Neighbours, &vec![0, 1, 2])?.len(), 6);
/// # Ok::<(), dealt::ExperimentError>(())
/// ```
///
/// # Errors
/// If there is no seat, or there are more than [`MOST_ORDERS`].
pub fn orders(seating: Seating, first: &Order) -> Result<Vec<Order>, ExperimentError> {
    if first.is_empty() {
        return Err(ExperimentError::new("no agents; each seat needs one"));
    }
    let orders = match seating {
        Seating::All => return all(first),
        Seating::Rotate => rotations(first),
        Seating::Neighbours => {
            let circles = circles(first.len());
            let seated = circles.iter().map(|circle| circle.iter().map(|&player| first[player]).collect());
            seated.flat_map(|order| rotations(&order)).collect()
        }
    };
    // Where several seats have one agent, balanced circles can come out unequally often. Then all orders are needed.
    distinct_if_even(orders).map_or_else(|| all(first), Ok)
}

fn rotations(order: &Order) -> Vec<Order> {
    let rotation = |by| order[by..].iter().chain(&order[..by]).copied().collect();
    (0..order.len()).map(rotation).collect()
}

/// The different orders in order of appearance, if they all appear equally often.
fn distinct_if_even(orders: Vec<Order>) -> Option<Vec<Order>> {
    let mut counts: BTreeMap<Order, u32> = BTreeMap::new();
    let mut distinct = Vec::new();
    for order in orders {
        let count = counts.entry(order.clone()).or_insert(0);
        if *count == 0 {
            distinct.push(order);
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
fn all(order: &Order) -> Result<Vec<Order>, ExperimentError> {
    let count = count_orders(order);
    if count > MOST_ORDERS {
        let message = format!(
            "these {} agents have {count} orders, and a block plays each of them; \
             at most {MOST_ORDERS} are accepted: take `rotate` or fewer different agents",
            order.len()
        );
        return Err(ExperimentError::new(message));
    }
    let mut order = order.clone();
    order.sort_unstable();
    let mut orders = vec![order.clone()];
    while step_to_next_order(&mut order) {
        orders.push(order.clone());
    }
    Ok(orders)
}

/// The multinomial coefficient: players! / Π (seats of an agent)!.
fn count_orders(order: &Order) -> u64 {
    let mut seats: BTreeMap<u8, u64> = BTreeMap::new();
    let mut count = 1;
    for (before, &agent) in order.iter().enumerate() {
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

    /// All orders of up to 7 seats in which new agents appear in order: every way to share seats among agents.
    fn tables() -> Vec<Order> {
        let mut tables: Vec<Order> = vec![vec![0]];
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
    fn every_design_plays_distinct_orders_of_the_same_agents_closed_under_rotation() {
        for table in tables() {
            let mut agents = table.clone();
            agents.sort_unstable();
            for design in DESIGNS {
                let orders = orders(design, &table).unwrap();
                let set: std::collections::BTreeSet<_> = orders.iter().cloned().collect();
                assert_eq!(set.len(), orders.len(), "{table:?}");
                for order in &orders {
                    let mut sorted = order.clone();
                    sorted.sort_unstable();
                    assert_eq!(sorted, agents);
                    assert!(rotations(order).iter().all(|rotation| set.contains(rotation)), "{order:?}");
                }
            }
        }
    }

    /// How often an agent has another on its left, for each ordered pair, over the number of seat pairs they hold.
    fn on_the_left(orders: &[Order]) -> BTreeMap<(u8, u8), u32> {
        let mut counts = BTreeMap::new();
        for order in orders {
            for (seat, &agent) in order.iter().enumerate() {
                let left = order[(seat + 1) % order.len()];
                *counts.entry((agent, left)).or_insert(0) += 1;
            }
        }
        counts
    }

    #[test]
    fn neighbours_gives_every_seat_of_an_agent_every_seat_of_another_on_its_left_equally_often() {
        for table in tables().into_iter().chain([(0..8).collect(), (0..10).collect(), (0..11).collect()]) {
            let seats = |agent: u8| table.iter().filter(|&&other| other == agent).count() as u32;
            let orders = orders(Seating::Neighbours, &table).unwrap();
            let per_pair: std::collections::BTreeSet<_> = on_the_left(&orders)
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
        let size = |design, players| orders(design, &(0..players).collect()).unwrap().len();
        let neighbours: Vec<_> = (1..=11).map(|players| size(Seating::Neighbours, players)).collect();
        assert_eq!(neighbours, [1, 2, 6, 24, 20, 60, 42, 112, 72, 180, 110]);
        let all: Vec<_> = (1..=8).map(|players| size(Seating::All, players)).collect();
        assert_eq!(all, [1, 2, 6, 24, 120, 720, 5040, 40_320]);
        assert_eq!(size(Seating::Rotate, 11), 11);
        assert_eq!(orders(Seating::Rotate, &vec![0, 0]).unwrap(), [[0, 0]]);
        assert_eq!(orders(Seating::Rotate, &vec![0, 1, 0, 1]).unwrap(), [[0, 1, 0, 1], [1, 0, 1, 0]]);
        assert_eq!(orders(Seating::All, &vec![0, 1, 0]).unwrap(), [[0, 0, 1], [0, 1, 0], [1, 0, 0]]);
    }

    #[test]
    fn a_design_of_too_many_orders_is_refused_with_its_size() {
        let error = orders(Seating::All, &(0..11).collect()).unwrap_err().to_string();
        assert!(error.contains("39916800") && error.contains("rotate"), "{error}");
        assert!(orders(Seating::All, &vec![0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]).unwrap().len() == 462);
    }
}
