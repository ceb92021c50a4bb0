//! The options of two-ten-jack.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Card, FirstDealer, OptionInfo, Rank, RuleError, Rules, Suit};

/// When the target is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetCheck {
    /// When the scores of a whole deal have been added.
    #[default]
    EndOfDeal,
    /// At every capture: the one that reaches the target ends the game.
    Immediate,
}

/// What the ace of spades is worth in a trick.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpadeAce {
    /// The highest trump, whatever it was declared.
    #[default]
    AlwaysTopTrump,
    /// Declared a spade, or played to a spade, no more than the highest spade.
    AsDeclared,
}

/// Whether the ace of spades follows like other cards.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpadeAceFollow {
    /// It must be played where it is the only card that follows.
    #[default]
    Forced,
    /// It never has to be played while another card would be legal without it.
    Optional,
}

/// The duty to follow before the stock is used up; there always is one afterwards.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FollowWhileStock {
    /// The same as later.
    #[default]
    Strict,
    /// Any card may be played.
    Free,
}

/// The options of two-ten-jack with the values in force.
///
/// ```
/// use dealt_engine::{Game, Rules, TwoTenJack, TwoTenJackRules};
/// let changes = serde_json::json!({"target": 50, "points": {"TH": 10, "TC": -10}});
/// let rules = TwoTenJackRules::default().with(changes.as_object().unwrap())?;
/// assert_eq!((rules.target, rules.points.len()), (50, 2));
/// let rules = TwoTenJackRules { hand_size: 27, ..rules };
/// assert_eq!(
///     TwoTenJack::new(rules).unwrap_err().to_string(),
///     "rule `hand_size` cannot be `27`; accepted: an integer from 2 to 26"
/// );
/// # Ok::<(), dealt_engine::RuleError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TwoTenJackRules {
    /// The total that ends the game.
    pub target: i32,
    /// When the target is looked at.
    pub target_check: TargetCheck,
    /// Whether a follower without the suit asked for has to play a trump.
    pub must_trump_when_void: bool,
    /// What the ace of spades is worth in a trick.
    pub spade_ace: SpadeAce,
    /// Whether the ace of spades follows like other cards.
    pub spade_ace_follow: SpadeAceFollow,
    /// The duty to follow before the stock is used up.
    pub follow_while_stock: FollowWhileStock,
    /// Cards in a hand while the stock lasts.
    pub hand_size: usize,
    /// What each card scores for its captor; cards not listed score nothing.
    pub points: BTreeMap<Card, i32>,
    /// Deals in a game; 0 plays to the target.
    pub deals: u32,
    /// Who deals first.
    pub first_dealer: FirstDealer,
    /// The guard: after so many deals the game is ended and marked capped.
    pub max_deals: u32,
}

impl Default for TwoTenJackRules {
    fn default() -> TwoTenJackRules {
        TwoTenJackRules {
            target: 31,
            target_check: TargetCheck::default(),
            must_trump_when_void: true,
            spade_ace: SpadeAce::default(),
            spade_ace_follow: SpadeAceFollow::default(),
            follow_while_stock: FollowWhileStock::default(),
            hand_size: 6,
            points: usual_points(),
            deals: 0,
            first_dealer: FirstDealer::default(),
            max_deals: 1000,
        }
    }
}

/// The points that name the game: twos, tens and jacks, the ace of spades and the six of diamonds.
fn usual_points() -> BTreeMap<Card, i32> {
    let ranks = [Rank::TWO, Rank::TEN, Rank::JACK];
    let suits = [(Suit::Hearts, 5), (Suit::Clubs, -5), (Suit::Spades, 1)];
    let six = Rank::new(4).map(|rank| (Card::new(rank, Suit::Diamonds), 1));
    suits
        .into_iter()
        .flat_map(|(suit, points)| ranks.map(|rank| (Card::new(rank, suit), points)))
        .chain([(super::SPADE_ACE, 1)])
        .chain(six)
        .collect()
}

/// What the option `target` accepts.
const TARGET: &str = "an integer from 1 to 2147483647";
/// The most that a card can score, either way.
const MOST_POINTS: i32 = 1000;
/// The highest guard: with [`MOST_POINTS`] a card, totals stay far inside `i32`.
const MOST_DEALS: u32 = 10_000;

impl TwoTenJackRules {
    /// Refuses values out of range and options that do not fit together.
    pub(super) fn check(&self) -> Result<(), RuleError> {
        if self.target < 1 {
            return Err(RuleError::new("target", self.target, TARGET));
        }
        if !(2..=26).contains(&self.hand_size) {
            return Err(RuleError::new("hand_size", self.hand_size, "an integer from 2 to 26"));
        }
        if let Some((card, points)) =
            self.points.iter().find(|(_, points)| !(-MOST_POINTS..=MOST_POINTS).contains(points))
        {
            let accepted = format!("integers from -{MOST_POINTS} to {MOST_POINTS}");
            return Err(RuleError::new("points", format!("{card} = {points}"), accepted));
        }
        if !(1..=MOST_DEALS).contains(&self.max_deals) {
            let accepted = format!("an integer from 1 to {MOST_DEALS}");
            return Err(RuleError::new("max_deals", self.max_deals, accepted));
        }
        if self.deals > self.max_deals {
            let accepted = format!("0, or an integer up to max_deals, which is {}", self.max_deals);
            return Err(RuleError::new("deals", self.deals, accepted));
        }
        self.first_dealer.seat(2).map(|_| ())
    }
}

/// An entry of the list of options.
const fn option(
    key: &'static str,
    accepts: &'static str,
    about: &'static str,
    examples: &'static [&'static str],
) -> OptionInfo {
    OptionInfo { key, accepts, about, examples }
}

impl Rules for TwoTenJackRules {
    const OPTIONS: &'static [OptionInfo] = &[
        option("target", TARGET, "the total that ends the game", &["31", "1", "12", "60"]),
        option(
            "target_check",
            "end_of_deal, immediate",
            "whether the target counts after a deal, or ends the game at the capture that reaches it",
            &["\"end_of_deal\"", "\"immediate\""],
        ),
        option(
            "must_trump_when_void",
            "true, false",
            "whether a follower without the suit asked for has to play a trump",
            &["true", "false"],
        ),
        option(
            "spade_ace",
            "always_top_trump, as_declared",
            "whether AS wins always, or ranks as a plain spade when declared or played as one",
            &["\"always_top_trump\"", "\"as_declared\""],
        ),
        option(
            "spade_ace_follow",
            "forced, optional",
            "whether AS has to follow, or may be kept while another card would be legal without it",
            &["\"forced\"", "\"optional\""],
        ),
        option(
            "follow_while_stock",
            "strict, free",
            "whether there is a duty to follow while the stock lasts",
            &["\"strict\"", "\"free\""],
        ),
        option(
            "hand_size",
            "an integer from 2 to 26",
            "cards in a hand while the stock lasts",
            &["6", "2", "3", "5", "9", "13", "20", "25", "26"],
        ),
        option(
            "points",
            "a table from cards to integers from -1000 to 1000, such as { TH = 10, TC = -10 }",
            "what each card scores for its captor; cards not listed score nothing",
            &[
                "{\"2H\":5,\"TH\":5,\"JH\":5,\"2C\":-5,\"TC\":-5,\"JC\":-5,\"2S\":1,\"TS\":1,\"JS\":1,\"AS\":1,\"6D\":1}",
                "{\"TH\":10,\"TC\":-10,\"AS\":3}",
                "{}",
            ],
        ),
        option(
            "deals",
            "0, or an integer up to max_deals",
            "deals in a game, whatever the totals; 0 plays to the target",
            &["0", "1", "2", "7"],
        ),
        FirstDealer::OPTION,
        option(
            "max_deals",
            "an integer from 1 to 10000",
            "the guard: after so many deals the game ends and is marked capped",
            &["1000", "20", "10000"],
        ),
    ];
}
