//! The chance to win a game of two-ten-jack.
//!
//! What counts is how far both seats are from the target and who deals next. The deals of a game are taken to score as
//! those of `greedy` against itself do, each on its own, whatever the totals: `agents/data/two-ten-jack-deals.toml`
//! has 400,000 of them and says which program made it. From this distribution of both scores the chance of the next
//! dealer to win follows by dynamic programming. Both scores of a deal sum to 5, so each deal leads to a position
//! nearer to the end, and one pass over all pairs of distances, nearest first, is exact. (K. Woolsey and others made
//! such tables for backgammon, where they are called match equity.)
//!
//! The same distribution serves under all options, where it is an approximation. Captures that end the game at once
//! are taken for deals that do. A game of a fixed number of deals goes by the normal approximation of the difference
//! that is still to come. Guards are left out. Of distances above [`FARTHEST`] the difference counts in proportion to
//! its standard deviation.

use std::sync::OnceLock;

use dealt_engine::{PerSeat, Standing, TwoTenJack, TwoTenJackRules};
use serde::Deserialize;

/// The largest distance from the target that the table tells apart.
pub const FARTHEST: i32 = 200;
const SIZE: usize = FARTHEST as usize;

/// How deals score.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// The dealer's score, the other's, how many deals.
    deals: Vec<(i32, i32, u32)>,
}

/// The chances to win from every pair of distances to the target.
#[derive(Clone, Debug)]
pub struct Equity {
    /// The dealer's score, the other's, and their probability.
    deals: Vec<(i32, i32, f64)>,
    /// The chance of the next dealer, by its own distance less 1 and the other's less 1.
    dealer_wins: Vec<f64>,
    /// The chance of the next dealer from equal totals at or above the target.
    dealer_wins_tie: f64,
    /// Mean and variance of the dealer's score less the other's.
    margin: (f64, f64),
}

impl Equity {
    /// The table of the measured distribution, made when first asked for.
    ///
    /// # Panics
    /// Never: a test reads the file, which is part of the program.
    #[must_use]
    pub fn measured() -> &'static Equity {
        static MEASURED: OnceLock<Equity> = OnceLock::new();
        MEASURED.get_or_init(|| {
            let text = include_str!("../../data/two-ten-jack-deals.toml");
            let file: File = toml::from_str(text).expect("a test reads the file");
            Equity::new(&file.deals)
        })
    }

    /// The table of a distribution: the dealer's score, the other's, and how many deals were scored so. In each of them
    /// the scores sum to more than 0.
    fn new(counts: &[(i32, i32, u32)]) -> Equity {
        let all: f64 = counts.iter().map(|&(.., count)| f64::from(count)).sum();
        let share = |&(dealer, other, count): &(i32, i32, u32)| (dealer, other, f64::from(count) / all);
        let deals: Vec<_> = counts.iter().map(share).collect();
        let mean_of = |f: &dyn Fn(f64) -> f64| -> f64 {
            deals.iter().map(|&(dealer, other, share)| share * f(f64::from(dealer - other))).sum()
        };
        let mean = mean_of(&|margin| margin);
        let level = mean_of(&|margin| f64::from(margin == 0.0));
        let ahead = mean_of(&|margin| f64::from(margin > 0.0));
        let mut equity = Equity {
            margin: (mean, mean_of(&|margin| (margin - mean).powi(2))),
            // If the totals stay level the other seat deals.
            dealer_wins_tie: (ahead + level) / (1.0 + level),
            dealer_wins: vec![0.5; SIZE * SIZE],
            deals,
        };
        for sum in 2..=2 * FARTHEST {
            for dealer in (sum - FARTHEST).max(1)..=(sum - 1).min(FARTHEST) {
                equity.dealer_wins[place(dealer, sum - dealer)] = equity.next(dealer, sum - dealer);
            }
        }
        equity
    }

    /// The chance of the dealer at these distances, those with a smaller sum being known.
    fn next(&self, dealer: i32, other: i32) -> f64 {
        let after = |&(score, others, share): &(i32, i32, f64)| {
            // The other seat deals next.
            share * (1.0 - self.dealer_wins(other - others, dealer - score))
        };
        self.deals.iter().map(after).sum()
    }

    /// The chance of the next dealer to win the game, by its own distance to the target and the other's; at a distance
    /// of 0 or less the target is reached.
    #[must_use]
    pub fn dealer_wins(&self, dealer: i32, other: i32) -> f64 {
        if dealer > 0 && other > 0 {
            let (dealer, other) = nearer(dealer, other);
            return self.dealer_wins[place(dealer, other)];
        }
        match dealer.cmp(&other) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Greater => 0.0,
            std::cmp::Ordering::Equal => self.dealer_wins_tie,
        }
    }

    /// The chance of the next dealer to be ahead after so many more deals, by how far it is ahead now. A tie counts
    /// half.
    #[must_use]
    pub fn dealer_ahead_after(&self, deals: u32, ahead: i32) -> f64 {
        let (mean, variance) = self.margin;
        // Of two deals in turn the advantage of dealing, or of not dealing, cancels out.
        let expected = f64::from(ahead) + if deals % 2 == 1 { mean } else { 0.0 };
        let spread = (variance * f64::from(deals)).sqrt();
        if spread == 0.0 {
            return 0.5 + 0.5 * f64::from(expected.partial_cmp(&0.0).map_or(0, |order| order as i8));
        }
        0.5 * libm::erfc(-expected / (spread * std::f64::consts::SQRT_2))
    }

    /// Each seat's chance to win a game by these rules from a standing that does not end it.
    #[must_use]
    pub fn of(&self, game: &TwoTenJack, standing: &Standing) -> PerSeat<f64> {
        let TwoTenJackRules { target, deals, .. } = *dealt_engine::Game::rules(game);
        let (dealer, other) = (standing.dealer, 1 - standing.dealer);
        let totals = &standing.totals;
        let wins = match deals.checked_sub(standing.deals) {
            Some(left) if deals > 0 => self.dealer_ahead_after(left, totals[dealer] - totals[other]),
            _ => self.dealer_wins(target - totals[dealer], target - totals[other]),
        };
        let mut chances = [0.0; dealt_engine::MAX_PLAYERS];
        (chances[dealer], chances[other]) = (wins, 1.0 - wins);
        chances
    }
}

fn place(dealer: i32, other: i32) -> usize {
    (dealer as usize - 1) * SIZE + other as usize - 1
}

/// Distances within the table that are worth about as much as these. The games still to come spread as the root of
/// the nearer distance, so a difference is shortened in that proportion.
fn nearer(dealer: i32, other: i32) -> (i32, i32) {
    let (least, most) = (dealer.min(other), dealer.max(other));
    if most <= FARTHEST {
        return (dealer, other);
    }
    let kept = least.min(FARTHEST / 2);
    let shortened = (f64::from(most) - f64::from(least)) * (f64::from(kept) / f64::from(least)).sqrt();
    let beyond = (kept + shortened as i32).min(FARTHEST);
    if dealer <= other { (kept, beyond) } else { (beyond, kept) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dealt_engine::{Dice, Game, QuickDice};

    fn game(changes: TwoTenJackRules) -> TwoTenJack {
        TwoTenJack::new(changes).unwrap()
    }

    fn standing(game: &TwoTenJack, dealer: usize, totals: [i32; 2]) -> Standing {
        let mut standing = game.start(dealer);
        standing.totals[..2].copy_from_slice(&totals);
        standing
    }

    #[test]
    fn the_file_holds_whole_deals_of_the_default_rules() {
        let file: File = toml::from_str(include_str!("../../data/two-ten-jack-deals.toml")).unwrap();
        assert_eq!(file.deals.iter().map(|&(.., count)| count).sum::<u32>(), 400_000);
        for (dealer, other, count) in file.deals {
            assert!(dealer + other == 5 && (-15..=20).contains(&dealer) && count > 0, "{dealer} {other}");
        }
    }

    #[test]
    fn the_chances_of_both_seats_sum_to_one_and_turn_with_the_table() {
        for rules in [
            TwoTenJackRules::default(),
            TwoTenJackRules { target: 100, ..TwoTenJackRules::default() },
            TwoTenJackRules { target: 5_000, ..TwoTenJackRules::default() },
            TwoTenJackRules { deals: 7, ..TwoTenJackRules::default() },
        ] {
            let game = game(rules);
            let mut dice = QuickDice::new(1, 1);
            for _ in 0..2_000 {
                let mut total = || game.rules().target.min(31) - dice.below(90) as i32;
                let totals = [total(), total()];
                let of = |dealer, totals| Equity::measured().of(&game, &standing(&game, dealer, totals));
                let (there, turned) = (of(0, totals), of(1, [totals[1], totals[0]]));
                assert_eq!((there[0], there[1]), (turned[1], turned[0]));
                assert!((there[0] + there[1] - 1.0).abs() < 1e-12 && (0.0..=1.0).contains(&there[0]));
            }
        }
    }

    #[test]
    fn a_higher_total_is_never_worse() {
        let equity = Equity::measured();
        for other in -30..=FARTHEST {
            for dealer in -30..FARTHEST {
                if dealer > 0 || other > 0 || dealer + 1 != other {
                    let (near, far) =
                        (equity.dealer_wins(dealer, other), equity.dealer_wins(dealer + 1, other));
                    assert!(near >= far, "at {dealer} and {other}: {near}, one further {far}");
                }
                let (near, far) = (equity.dealer_wins(other, dealer), equity.dealer_wins(other, dealer + 1));
                assert!(near <= far, "at {other} and {dealer}: {near}, the other one further {far}");
            }
        }
    }

    #[test]
    fn level_games_are_nearly_even_and_leads_count_more_near_the_target() {
        let equity = Equity::measured();
        for distance in [1, 10, 31, 100, 200, 1_000] {
            let even = equity.dealer_wins(distance, distance);
            assert!((even - 0.5).abs() < 0.05, "{distance}: {even}");
        }
        let lead = |distance: i32| equity.dealer_wins(distance, distance + 10);
        assert!(lead(5) > lead(31) && lead(31) > lead(100) && lead(100) > lead(1_000) && lead(1_000) > 0.5);
    }

    /// The dealer's share of wins in games that are dealt by the distribution, and its standard error.
    fn simulate(equity: &Equity, dealer: i32, other: i32, dice: &mut QuickDice) -> (f64, f64) {
        const GAMES: u32 = 20_000;
        let mut wins = 0;
        for _ in 0..GAMES {
            let mut left = [dealer, other];
            let mut deals = 0;
            while left[0].min(left[1]) > 0 || left[0] == left[1] {
                let mut at = f64::from(dice.below(1 << 30)) / f64::from(1 << 30);
                let drawn = equity.deals.iter().find(|deal| {
                    at -= deal.2;
                    at < 0.0
                });
                let &(score, others, _) = drawn.or(equity.deals.last()).unwrap();
                left[deals % 2] -= score;
                left[1 - deals % 2] -= others;
                deals += 1;
            }
            wins += u32::from(left[0] < left[1]);
        }
        let share = f64::from(wins) / f64::from(GAMES);
        (share, (share * (1.0 - share) / f64::from(GAMES)).sqrt().max(1e-4))
    }

    #[test]
    fn the_table_is_what_games_dealt_by_the_distribution_come_to() {
        let equity = Equity::measured();
        let mut dice = QuickDice::new(2, 1);
        for (dealer, other) in [(31, 31), (31, 11), (4, 9), (45, 2), (1, 1), (20, 60), (90, 100), (0, 0)] {
            let (share, error) = simulate(equity, dealer, other, &mut dice);
            let claimed = equity.dealer_wins(dealer, other);
            assert!((share - claimed).abs() < 4.5 * error, "{dealer} {other}: {share} ± {error}, {claimed}");
        }
    }

    #[test]
    fn the_last_of_a_fixed_number_of_deals_decides() {
        let game = game(TwoTenJackRules { deals: 3, ..TwoTenJackRules::default() });
        let of = |deals, totals| {
            let standing = Standing { deals, ..standing(&game, 0, totals) };
            Equity::measured().of(&game, &standing)[0]
        };
        assert!(of(2, [20, 0]) > of(0, [20, 0]) && of(0, [20, 0]) > 0.8);
        assert!((of(1, [10, 10]) - 0.5).abs() < 1e-12);
        assert!(of(2, [0, 40]) < 0.01);
        assert_eq!(Equity::measured().dealer_ahead_after(0, 0), 0.5);
        assert_eq!(Equity::measured().dealer_ahead_after(0, 1), 1.0);
    }
}
