//! What a score is made of: components of variance over agents, seats, deals and the rest.
//!
//! A block plays the same cards in R games in which the agents change places, so that each agent sits in each seat
//! equally often. A score is then modelled as
//!
//! y = mean + agent + seat + deal (of this block and seat) + rest,
//!
//! with fixed effects of agents and seats and random ones of deals. What a block deals to a seat is a *cell* of R
//! scores. Their spread within the cell comes from the agents and the rest, the spread of the cells' means from seats,
//! deals and a part of the rest; setting mean squares equal to what they are expected to be gives each component
//! (the method of moments of the analysis of variance; S. R. Searle, G. Casella, C. E. McCulloch, *Variance Components*,
//! 1992, chapter 4). The rest is what the same cards in the same seat come to from one line-up to another: how the agents'
//! play fits these cards and one another, and their chance moves.
//!
//! Estimates are without bias, hence may be a little below nothing where there is nothing.

use dealt_engine::MAX_PLAYERS;

use super::moments::Linear;

/// Where the totals of a block stand that components are found from, and what they are totals of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Components {
    /// Seats at the table.
    pub seats: usize,
    /// Games of a block.
    pub games: usize,
    /// How many seats each agent holds.
    pub held: [u8; MAX_PLAYERS],
    /// How many agents there are.
    pub agents: usize,
    /// The total of all squared scores.
    pub squares: usize,
    /// The total of the squared sums of the cells.
    pub cells: usize,
    /// The sum of scores of the first seat; those of the others follow.
    pub of_seats: usize,
    /// The sum of scores of the first agent; those of the others follow at a distance of [`stride`](Self::stride).
    pub of_agents: usize,
    /// See there.
    pub stride: usize,
}

/// A part of what scores vary by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Who plays.
    Agent,
    /// Where one sits.
    Seat,
    /// What is dealt to a seat.
    Deal,
    /// What is left.
    Rest,
    /// Seat and deal: what is settled before anybody plays.
    Luck,
}

impl Components {
    /// The places of all totals.
    pub fn places(&self) -> impl Iterator<Item = usize> + use<'_> {
        let agents = (0..self.agents).map(|agent| self.of_agents + agent * self.stride);
        [self.squares, self.cells].into_iter().chain(self.of_seats..self.of_seats + self.seats).chain(agents)
    }

    /// The share of a part in all that scores vary by, at the means over some blocks of the totals; `None` with fewer than
    /// two blocks, or where all scores are alike.
    #[must_use]
    pub fn share(&self, part: Part, blocks: u64, mean: &dyn Fn(usize) -> f64) -> Option<Linear> {
        if blocks < 2 {
            return None;
        }
        let [agent, seat, deal, rest] = self.parts(blocks as f64, mean);
        let luck = seat.plus(1.0, &deal);
        let all = luck.plus(1.0, &agent).plus(1.0, &rest);
        let part = match part {
            Part::Agent => agent,
            Part::Seat => seat,
            Part::Deal => deal,
            Part::Rest => rest,
            Part::Luck => luck,
        };
        let is_alike = all.value <= 1e-12 * mean(self.squares);
        (!is_alike).then(|| part.over(&all))
    }

    /// The components of agents, seats, deals and the rest.
    fn parts(&self, blocks: f64, mean: &dyn Fn(usize) -> f64) -> [Linear; 4] {
        let (seats, games) = (self.seats as f64, self.games as f64);
        let total = |place: usize| Linear { value: mean(place), slopes: vec![(place, 1.0)] };
        let seat_totals: Vec<Linear> = (0..self.seats).map(|seat| total(self.of_seats + seat)).collect();
        let nothing = Linear { value: 0.0, slopes: Vec::new() };
        let all = seat_totals.iter().fold(nothing.clone(), |sum, total| sum.plus(1.0, total));
        // Squares of a block, each about the mean of all.
        let about = all.squared().times(1.0 / (seats * games));
        let of_seats =
            seat_totals.iter().fold(nothing.clone(), |sum, total| sum.plus(1.0 / games, &total.squared()));
        let of_seats = of_seats.plus(-1.0, &about);
        let of_agents = (0..self.agents).fold(nothing, |sum, agent| {
            let scores = f64::from(self.held[agent]) * games;
            sum.plus(1.0 / scores, &total(self.of_agents + agent * self.stride).squared())
        });
        let of_agents = of_agents.plus(-1.0, &about);
        let cells = total(self.cells).times(1.0 / games);
        let within = total(self.squares).plus(-1.0, &cells);
        let between = cells.plus(-1.0, &about).plus(-1.0, &of_seats);
        // Mean squares: sums over all blocks, by their degrees of freedom.
        let freedom = blocks * seats * (games - 1.0) - (self.agents as f64 - 1.0);
        let rest = within.plus(-1.0, &of_agents).times(blocks / freedom);
        let of_deals = between.times(blocks / (seats * (blocks - 1.0)));
        let deal = of_deals.plus(-1.0, &rest).times(1.0 / games);
        // What the means of agents and of seats vary by as it is, beyond what they would by chance.
        let agent = of_agents.times(1.0 / (seats * games));
        let agent = agent.plus(-(self.agents as f64 - 1.0) / (blocks * seats * games), &rest);
        let seat = of_seats.times(1.0 / (seats * games));
        let seat = seat.plus(-(seats - 1.0) / (blocks * seats * games), &of_deals);
        [agent, seat, deal, rest]
    }
}

#[cfg(test)]
mod tests {
    use dealt_engine::{Dice, QuickDice};

    use super::*;

    /// Two agents, one of which holds two of three seats, in the three rotations.
    const DESIGN: Components = Components {
        seats: 3,
        games: 3,
        held: [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        agents: 2,
        squares: 0,
        cells: 1,
        of_seats: 2,
        of_agents: 5,
        stride: 1,
    };

    /// The totals of a block with these scores by game and seat, where the first agent sits in the seat of the game's
    /// number.
    fn totals(scores: [[i64; 3]; 3]) -> [i64; 7] {
        let mut row = [0; 7];
        for seat in 0..3 {
            let cell: i64 = (0..3).map(|game| scores[game][seat]).sum();
            row[1] += cell * cell;
            row[2 + seat] += cell;
            for (game, scores) in scores.iter().enumerate() {
                row[0] += scores[seat] * scores[seat];
                row[5 + usize::from(game != seat)] += scores[seat];
            }
        }
        row
    }

    fn means(rows: &[[i64; 7]]) -> [f64; 7] {
        std::array::from_fn(|place| rows.iter().map(|row| row[place] as f64).sum::<f64>() / rows.len() as f64)
    }

    /// About normal, with variance `4 · of²`.
    fn draw(dice: &mut QuickDice, of: i64) -> i64 {
        (0..48).map(|_| if dice.below(2) == 0 { -of } else { of }).sum::<i64>() / 2
    }

    #[test]
    fn components_that_scores_were_made_of_are_found_again() {
        let mut dice = QuickDice::new(7, 7);
        let rows: Vec<_> = (0..40_000)
            .map(|_| {
                let deals: [i64; 3] = std::array::from_fn(|_| draw(&mut dice, 10));
                totals(std::array::from_fn(|game| {
                    std::array::from_fn(|seat| {
                        let of_agent = if game == seat { 40 } else { -20 };
                        100 + of_agent + [30, 0, -30][seat] + deals[seat] + draw(&mut dice, 5)
                    })
                }))
            })
            .collect();
        let means = means(&rows);
        // Agents vary by (40² + 2·20²)/3, seats by 2·30²/3, deals by 12·10², the rest by 12·5².
        let [agent, seat, deal, rest] = [800.0, 600.0, 1200.0, 300.0].map(|part| part / 2900.0);
        let parts = [Part::Agent, Part::Seat, Part::Deal, Part::Rest, Part::Luck];
        for (part, expected) in parts.into_iter().zip([agent, seat, deal, rest, seat + deal]) {
            let found = DESIGN.share(part, rows.len() as u64, &|place| means[place]).unwrap();
            assert!((found.value - expected).abs() < 0.006, "{part:?}: {} {expected}", found.value);
        }
    }

    #[test]
    fn a_few_blocks_give_no_bias() {
        let mut dice = QuickDice::new(8, 8);
        let mut sums = [0.0; 4];
        for _ in 0..20_000 {
            let rows: Vec<_> = (0..3)
                .map(|_| {
                    let deals: [i64; 3] = std::array::from_fn(|_| draw(&mut dice, 10));
                    totals(std::array::from_fn(|_| {
                        std::array::from_fn(|seat| deals[seat] + draw(&mut dice, 5))
                    }))
                })
                .collect();
            let means = means(&rows);
            for (sum, part) in sums.iter_mut().zip(DESIGN.parts(3.0, &|place| means[place])) {
                *sum += part.value / 20_000.0;
            }
        }
        for (found, expected) in sums.into_iter().zip([0.0, 0.0, 1200.0, 300.0]) {
            assert!((found - expected).abs() < 12.0, "{found} {expected}");
        }
    }

    #[test]
    fn a_change_of_a_total_changes_a_share_by_its_slope() {
        let rows = [totals([[5, 1, 3], [2, 8, 4], [1, 2, 9]]), totals([[3, 3, 0], [4, 1, 1], [7, 2, 2]])];
        let means = means(&rows);
        for part in [Part::Agent, Part::Seat, Part::Deal, Part::Rest, Part::Luck] {
            let share = DESIGN.share(part, 2, &|place| means[place]).unwrap();
            for place in 0..7 {
                let at = |step: f64| {
                    let moved = |other: usize| means[other] + if other == place { step } else { 0.0 };
                    DESIGN.share(part, 2, &moved).unwrap().value
                };
                let slope: f64 =
                    share.slopes.iter().filter(|(at, _)| *at == place).map(|(_, slope)| slope).sum();
                assert!(((at(1e-5) - at(-1e-5)) / 2e-5 - slope).abs() < 1e-6, "{part:?} {place}");
            }
        }
    }

    #[test]
    fn scores_that_are_all_alike_have_no_parts() {
        let rows = [totals([[4; 3]; 3]); 2];
        let means = means(&rows);
        assert_eq!(DESIGN.share(Part::Luck, 2, &|place| means[place]), None);
        assert_eq!(DESIGN.share(Part::Luck, 1, &|place| means[place]), None);
    }
}
