//! Ratings: what is known of the model comes out, and what made up games recover the strengths that they were made with.

use dealt::statistics::quantile::normal;
use dealt::statistics::ratings::likelihood::{Layout, Sums};
use dealt::statistics::ratings::{Anchor, ELO, Games, Ranking, Ratings, Settings, rate};
use dealt_engine::{Dice, QuickDice};

const PLAIN: Settings = Settings { anchor: Anchor::Agent(0), ghost: false, samples: 200, seed: 1 };

/// Games given as the agents from first to last.
fn games(orders: &[[u8; 4]]) -> Games {
    let mut games = Games::new(4, 4);
    for (block, order) in orders.iter().enumerate() {
        let place = |agent: u8| order.iter().position(|&other| other == agent).unwrap();
        games.add(block, Ranking::new(vec![0, 1, 2, 3], &[0, 1, 2, 3].map(place)));
    }
    games
}

/// Strengths without effects of seats, from games in which every agent stays in its seat.
fn worths(ratings: &Ratings) -> Vec<f64> {
    let worths: Vec<f64> = ratings.strengths.iter().map(|strength| strength.exp()).collect();
    worths.iter().map(|worth| worth / worths.iter().sum::<f64>()).collect()
}

#[test]
fn the_published_worths_come_out() {
    let orders = [[0, 1, 2, 3], [0, 2, 1, 3], [1, 0, 3, 2], [0, 1, 3, 2], [2, 0, 1, 3], [3, 0, 1, 2]];
    // Agents and seats are one here, and so are their effects: half of it is given to each.
    let ratings = rate(&games(&orders), &PLAIN);
    assert!((ratings.log_likelihood + 14.640_995).abs() < 5e-7, "{ratings:?}");
    let mut doubled = ratings.clone();
    let seats = &ratings.seats;
    doubled.strengths.iter_mut().zip(seats).for_each(|(strength, seat)| *strength += seat);
    for (found, known) in worths(&doubled).iter().zip([0.635_552, 0.225_733, 0.072_153, 0.066_563]) {
        assert!((found - known).abs() < 5e-7, "{found}, not {known}");
    }
}

/// All rankings of three players, ties included.
fn rankings() -> Vec<Vec<u16>> {
    let all: Vec<[u8; 3]> = (0..27).map(|number| [number / 9, number / 3 % 3, number % 3]).collect();
    let mut rankings: Vec<_> = all.iter().map(|places| Ranking::new(vec![0, 1, 2], places).sets).collect();
    rankings.sort();
    rankings.dedup();
    rankings
}

#[test]
fn the_chances_of_all_endings_are_those_published_and_sum_to_one() {
    let layout = Layout::new(3, 3, &[2, 3], false);
    let worths = [0.5_f64, 0.3, 0.2];
    // Parameters: two strengths against the first, two effects of seats, two kinds of ties. Tied worths are taken relative
    // to 0.5, which changes no weight of a set against another.
    let at: Vec<f64> =
        [worths[1] / worths[0], worths[2] / worths[0], 1.0, 1.0, 0.4, 0.1].map(f64::ln).to_vec();
    let chance = |sets: &[u16]| {
        let ranking = Ranking { agents: vec![0, 1, 2], sets: sets.to_vec() };
        let mut sums = Sums::new(layout.parameters(), false);
        layout.add(&layout.outcome(&ranking, &[]), 1.0, &at, &mut sums);
        sums.log_likelihood.exp()
    };
    let all = rankings();
    assert_eq!(all.len(), 13);
    let sum: f64 = all.iter().map(|sets| chance(sets)).sum();
    assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    for (sets, known) in
        [(vec![0b001, 0b010, 0b100], 0.177_846), (vec![0b011, 0b100], 0.109_836), (vec![0b111], 0.022_030)]
    {
        assert!((chance(&sets) - known).abs() < 5e-7, "{sets:?}: {}, not {known}", chance(&sets));
    }
}

/// What games are made up with.
struct Truth {
    strengths: Vec<f64>,
    seats: Vec<f64>,
    /// How common ties of two and of three are.
    ties: [f64; 2],
}

impl Truth {
    /// The order in which a game of these agents ends: sets of seats drawn one after the other.
    fn play(&self, agents: &[u8], dice: &mut QuickDice) -> Ranking {
        let worth = |seat: usize| (self.strengths[usize::from(agents[seat])] + self.seats[seat]).exp();
        let mut left = (1_u16 << agents.len()) - 1;
        let mut sets = Vec::new();
        while left > 0 {
            let subsets: Vec<u16> =
                (1..=left).filter(|set| set & !left == 0 && set.count_ones() <= 3).collect();
            let weight = |&set: &u16| {
                let size = set.count_ones();
                let product: f64 = (0..agents.len()).filter(|seat| set >> seat & 1 == 1).map(worth).product();
                let tie = if size == 1 { 1.0 } else { self.ties[size as usize - 2] };
                tie * product.powf(1.0 / f64::from(size))
            };
            let total: f64 = subsets.iter().map(weight).sum();
            let mut number = f64::from(dice.below(1 << 30)) / f64::from(1 << 30) * total;
            let drawn = subsets.iter().find(|set| {
                number -= weight(set);
                number < 0.0
            });
            let drawn = *drawn.unwrap_or(&subsets[0]);
            sets.push(drawn);
            left &= !drawn;
        }
        Ranking { agents: agents.to_vec(), sets }
    }

    /// Blocks of games at a table: all rotations of its agents.
    fn games(&self, tables: &[Vec<u8>], blocks: usize, dice: &mut QuickDice) -> Games {
        let mut games = Games::new(self.strengths.len(), self.seats.len());
        for block in 0..blocks {
            for table in tables {
                for turn in 0..table.len() {
                    let mut agents = table.clone();
                    agents.rotate_left(turn);
                    games.add(block, self.play(&agents, dice));
                }
            }
        }
        games
    }
}

fn truth() -> Truth {
    Truth { strengths: vec![0.0, 0.7, -0.5, 1.2, 0.2], seats: vec![0.3, 0.0, -0.1, -0.2], ties: [0.3, 0.1] }
}

#[test]
fn known_strengths_ties_and_effects_of_seats_are_recovered() {
    let truth = truth();
    let tables = [vec![0, 1, 2, 3], vec![4, 4, 0, 1], vec![2, 3, 4, 1], vec![0, 2, 4, 3]];
    let games = truth.games(&tables, 1200, &mut QuickDice::new(0x4a7e, 1));
    assert_eq!(games.blocks(), 1200);
    assert_eq!(games.games_of(), [14_400, 14_400, 14_400, 14_400, 14_400]);
    let ratings = rate(&games, &PLAIN);
    let errors = ratings.errors.clone().unwrap();
    for (agent, &known) in truth.strengths.iter().enumerate() {
        let found = ratings.strengths[agent];
        assert!((found - known).abs() <= 3.5 * errors[agent], "{agent}: {found} ± {}", errors[agent]);
        assert!(errors[agent] < 0.04);
    }
    for ((found, error), known) in ratings.seats.iter().zip(ratings.seat_errors.unwrap()).zip(&truth.seats) {
        assert!((found - known).abs() <= 3.5 * error && error < 0.03, "{found} ± {error}, not {known}");
    }
    for ((size, found), known) in ratings.ties.iter().zip(truth.ties) {
        assert!((found / known - 1.0).abs() < 0.1, "{size}: {found}, not {known}");
    }
}

#[test]
fn intervals_of_strengths_cover_the_truth_as_often_as_they_say() {
    let truth = Truth { strengths: vec![0.0, 0.8, -0.4], seats: vec![0.2, -0.1, -0.1], ties: [0.2, 0.05] };
    let z = normal(0.95);
    let mut covered = 0;
    let runs = 400;
    for run in 0..runs {
        let games = truth.games(&[vec![0, 1, 2]], 60, &mut QuickDice::new(0xc0ef, run));
        let ratings = rate(&games, &Settings { samples: 100, seed: run, ..PLAIN });
        let errors = ratings.errors.unwrap();
        for agent in [1, 2] {
            let away = (ratings.strengths[agent] - truth.strengths[agent]).abs();
            covered += u32::from(away <= z * errors[agent]);
        }
    }
    let share = f64::from(covered) / (2 * runs) as f64;
    assert!((0.92..=0.975).contains(&share), "{share}");
}

/// All four games of a block end as its first one does: four times the games, but no more to be learnt from them.
#[test]
fn games_of_a_block_that_hang_together_count_as_one() {
    let truth = Truth { strengths: vec![0.0, 0.5], seats: vec![0.0, 0.0], ties: [0.0, 0.0] };
    let mut dice = QuickDice::new(0xb10c, 7);
    let (mut single, mut fourfold) = (Games::new(2, 2), Games::new(2, 2));
    for block in 0..500 {
        let agents = if block % 2 == 0 { [0, 1] } else { [1, 0] };
        let ranking = truth.play(&agents, &mut dice);
        single.add(block, ranking.clone());
        (0..4).for_each(|_| fourfold.add(block, ranking.clone()));
    }
    let [single, fourfold] = [single, fourfold].map(|games| rate(&games, &PLAIN));
    assert!((single.strengths[1] - fourfold.strengths[1]).abs() < 1e-6);
    let (one, four) = (single.errors.unwrap()[1], fourfold.errors.unwrap()[1]);
    assert!((one / four - 1.0).abs() < 1e-6, "{one} {four}");
    assert!(one * ELO > 10.0 && one * ELO < 40.0, "{}", one * ELO);
}

#[test]
fn the_same_seed_gives_the_same_errors_and_the_anchor_moves_strengths_only() {
    let games = truth().games(&[vec![0, 1, 2, 3], vec![4, 3, 2, 1]], 100, &mut QuickDice::new(3, 3));
    let ratings = rate(&games, &PLAIN);
    assert_eq!(ratings, rate(&games, &PLAIN));
    let other = rate(&games, &Settings { seed: 2, ..PLAIN });
    assert_ne!(ratings.errors, other.errors);
    let moved = rate(&games, &Settings { anchor: Anchor::Agent(3), ..PLAIN });
    assert_eq!((moved.strengths[3], moved.errors.as_ref().unwrap()[3]), (0.0, 0.0));
    let difference = |ratings: &Ratings| ratings.strengths[1] - ratings.strengths[2];
    assert!((difference(&ratings) - difference(&moved)).abs() < 1e-9);
    let mean = rate(&games, &Settings { anchor: Anchor::Mean, ..PLAIN });
    assert!(mean.strengths.iter().sum::<f64>().abs() < 1e-9);
    assert_eq!(mean.seats, ratings.seats);
}

#[test]
fn one_sided_and_tied_games_give_finite_strengths_with_the_ghost() {
    let ghost = Settings { ghost: true, ..PLAIN };
    let (mut won, mut tied) = (Games::new(2, 2), Games::new(2, 2));
    for block in 0..10 {
        won.add(block, Ranking::new(vec![0, 1], &[2, 1]));
        won.add(block, Ranking::new(vec![1, 0], &[1, 2]));
        tied.add(block, Ranking::new(vec![0, 1], &[1, 1]));
    }
    let won = rate(&won, &ghost);
    assert!(won.strengths[1] > 2.0 && won.strengths[1] < 8.0, "{won:?}");
    assert_eq!(won.errors, None);
    let tied = rate(&tied, &ghost);
    assert!(tied.strengths[1].abs() < 1e-6, "{tied:?}");
    assert!(tied.ties[0].1.is_finite());
    let nothing = rate(&Games::new(2, 2), &ghost);
    assert!(nothing.strengths == [0.0, 0.0] && nothing.errors.is_none(), "{nothing:?}");
}

#[test]
fn agents_that_no_games_connect_are_told_apart() {
    let mut games = Games::new(5, 2);
    for (block, pair) in [[0, 1], [2, 3], [3, 4]].into_iter().enumerate() {
        games.add(block, Ranking::new(pair.to_vec(), &[1, 2]));
    }
    assert_eq!(games.groups(), [0, 0, 2, 2, 2]);
    games.add(3, Ranking::new(vec![4, 1], &[1, 2]));
    assert_eq!(games.groups(), [0; 5]);
}
