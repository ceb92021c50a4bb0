//! The options of Three Thirteen.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::meld::Ace;
use crate::rules::{FirstDealer, OptionInfo, RuleError, Rules, plain};
use crate::{Bag, Card};

/// The fewest and the most cards dealt to a hand.
pub(super) const HAND: (u8, u8) = (3, 13);
/// The highest penalty that an option can set, so that no total overflows.
const MAX_PENALTY: i32 = 1000;
/// The most rounds of a game.
const MAX_ROUNDS: usize = 1000;

/// How many packs are shuffled together.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Decks {
    /// One for every two players, rounded up.
    #[default]
    Auto,
    /// This many: 1 to 7, as many copies of a face as a [`Bag`] counts.
    Number(u8),
}

impl Decks {
    /// The number of packs at a table.
    #[must_use]
    pub fn number(self, players: usize) -> usize {
        match self {
            Decks::Auto => players.div_ceil(2),
            Decks::Number(decks) => usize::from(decks),
        }
    }
}

impl Serialize for Decks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Decks::Auto => serializer.serialize_str("auto"),
            Decks::Number(decks) => serializer.serialize_u8(*decks),
        }
    }
}

impl<'de> Deserialize<'de> for Decks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        match (value.as_str(), value.as_u64().and_then(|decks| u8::try_from(decks).ok())) {
            (Some("auto"), _) => Ok(Decks::Auto),
            (None, Some(decks)) => Ok(Decks::Number(decks)),
            _ => Err(D::Error::custom(format!("`{}` is no number of packs", plain(&value)))),
        }
    }
}

/// Who still has a turn after somebody went out.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LastTurn {
    /// Each other player has one.
    #[default]
    AllOthers,
    /// Nobody: the round ends at once.
    None,
}

/// Whether a card taken from the discards may be discarded in the same turn.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RetakeDiscard {
    /// It may.
    #[default]
    Allow,
    /// It may not; another copy of it may.
    Forbid,
}

/// The options of Three Thirteen.
///
/// ```
/// use dealt_engine::{Game, Rules, ThreeThirteen, ThreeThirteenRules};
/// let changes = serde_json::json!({ "players": 8, "decks": 2 });
/// let rules = ThreeThirteenRules::default().with(changes.as_object().unwrap())?;
/// let error = ThreeThirteen::new(rules).unwrap_err();
/// assert_eq!(error.key, "decks");
/// # Ok::<(), dealt_engine::RuleError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThreeThirteenRules {
    /// How many play, 2 to 8.
    pub players: usize,
    /// Who deals the first round.
    pub first_dealer: FirstDealer,
    /// How many packs.
    pub decks: Decks,
    /// Where an ace stands in a run.
    pub ace: Ace,
    /// What an ace left over costs; unset: 1, or 15 where it may be high.
    #[serde(deserialize_with = "number_or_unset")]
    pub ace_penalty: Option<i32>,
    /// The most wild cards in a meld; unset: no limit.
    #[serde(deserialize_with = "number_or_unset")]
    pub max_wilds_per_meld: Option<u8>,
    /// The fewest natural cards in a meld.
    pub min_naturals_per_meld: u8,
    /// What a wild card left over costs; unset: as its rank.
    #[serde(deserialize_with = "number_or_unset")]
    pub wild_penalty: Option<i32>,
    /// Whether all cards in melds, none discarded, is out too.
    pub go_out_without_discard: bool,
    /// Who still has a turn after somebody went out.
    pub last_turn: LastTurn,
    /// Whether a card taken from the discards may be discarded at once.
    pub retake_discard: RetakeDiscard,
    /// The hand sizes of the rounds.
    pub rounds: Vec<u8>,
    /// The turns each player has before a round is broken off.
    pub max_turns_per_round: u32,
}

impl Default for ThreeThirteenRules {
    fn default() -> Self {
        ThreeThirteenRules {
            players: 2,
            first_dealer: FirstDealer::Random,
            decks: Decks::Auto,
            ace: Ace::Low,
            ace_penalty: None,
            max_wilds_per_meld: None,
            min_naturals_per_meld: 0,
            wild_penalty: None,
            go_out_without_discard: false,
            last_turn: LastTurn::AllOthers,
            retake_discard: RetakeDiscard::Allow,
            rounds: (HAND.0..=HAND.1).collect(),
            max_turns_per_round: 100,
        }
    }
}

/// Reads a number, or `null` or `"unset"` (some formats have no null).
fn number_or_unset<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<i64>,
{
    let value = Value::deserialize(deserializer)?;
    if value.is_null() || value.as_str() == Some("unset") {
        return Ok(None);
    }
    let number = value.as_i64().and_then(|number| T::try_from(number).ok());
    number.map(Some).ok_or_else(|| D::Error::custom(format!("`{}` is no number here", plain(&value))))
}

impl Rules for ThreeThirteenRules {
    const OPTIONS: &'static [OptionInfo] = &[
        OptionInfo {
            key: "players",
            accepts: "2 to 8",
            about: "how many play",
            examples: &["2", "3", "4", "5", "8"],
        },
        FirstDealer::OPTION,
        OptionInfo {
            key: "decks",
            accepts: "\"auto\" or 1 to 7",
            about: "packs shuffled together; auto is one for every two players, rounded up",
            examples: &["\"auto\"", "1", "2", "3", "7"],
        },
        OptionInfo {
            key: "ace",
            accepts: "\"low\", \"low_or_high\"",
            about: "where an ace stands in a run: below the two, or above the king too",
            examples: &["\"low\"", "\"low_or_high\""],
        },
        OptionInfo {
            key: "ace_penalty",
            accepts: "0 to 1000, or \"unset\"",
            about: "what an ace left over costs; unset is 1, or 15 with ace = low_or_high",
            examples: &["null", "\"unset\"", "11", "20"],
        },
        OptionInfo {
            key: "max_wilds_per_meld",
            accepts: "0 to 13, or \"unset\"",
            about: "the most wild cards in a meld; unset is no limit",
            examples: &["null", "0", "1", "2"],
        },
        OptionInfo {
            key: "min_naturals_per_meld",
            accepts: "0 to 3",
            about: "the fewest natural cards in a meld",
            examples: &["0", "1", "2", "3"],
        },
        OptionInfo {
            key: "wild_penalty",
            accepts: "0 to 1000, or \"unset\"",
            about: "what a wild card left over costs; unset is as its rank",
            examples: &["null", "5", "25"],
        },
        OptionInfo {
            key: "go_out_without_discard",
            accepts: "true, false",
            about: "whether having all cards in melds, none discarded, is out too",
            examples: &["false", "true"],
        },
        OptionInfo {
            key: "last_turn",
            accepts: "\"all_others\", \"none\"",
            about: "who still has a turn after somebody went out",
            examples: &["\"all_others\"", "\"none\""],
        },
        OptionInfo {
            key: "retake_discard",
            accepts: "\"allow\", \"forbid\"",
            about: "whether a card taken from the discards may be discarded in the same turn",
            examples: &["\"allow\"", "\"forbid\""],
        },
        OptionInfo {
            key: "rounds",
            accepts: "a list of 1 to 1000 hand sizes, each 3 to 13",
            about: "the cards dealt to each hand, round by round; that rank is wild",
            examples: &["[3,4,5,6,7,8,9,10,11,12,13]", "[3]", "[13]", "[4,4]", "[10,3]"],
        },
        OptionInfo {
            key: "max_turns_per_round",
            accepts: "1 to 1000000",
            about: "a guard: turns of each player before a round is broken off and everyone scores",
            examples: &["100", "1", "12"],
        },
    ];
}

impl ThreeThirteenRules {
    /// What an ace left over costs.
    pub(super) fn ace_penalty(&self) -> i32 {
        self.ace_penalty.unwrap_or(self.ace.usual_penalty())
    }

    /// What an option accepts, for a person.
    fn accepts(key: &str) -> &'static str {
        Self::OPTIONS.iter().find(|info| info.key == key).map_or("", |info| info.accepts)
    }

    /// Refuses values out of range and options that do not fit together.
    pub(super) fn check(&self) -> Result<(), RuleError> {
        let within = |key: &str, value: i64, least: i64, most: i64| {
            let accepted =
                || Self::OPTIONS.iter().find(|info| info.key == key).map_or("", |info| info.accepts);
            let fits = (least..=most).contains(&value);
            if fits { Ok(()) } else { Err(RuleError::new(key, value, accepted())) }
        };
        within("players", self.players as i64, 2, 8)?;
        if let Decks::Number(decks) = self.decks {
            within("decks", decks.into(), 1, Bag::MOST_COPIES as i64)?;
        }
        for (key, penalty) in [("ace_penalty", self.ace_penalty), ("wild_penalty", self.wild_penalty)] {
            within(key, penalty.unwrap_or(0).into(), 0, MAX_PENALTY.into())?;
        }
        within("max_wilds_per_meld", self.max_wilds_per_meld.unwrap_or(0).into(), 0, 13)?;
        within("min_naturals_per_meld", self.min_naturals_per_meld.into(), 0, 3)?;
        within("max_turns_per_round", self.max_turns_per_round.into(), 1, 1_000_000)?;
        self.first_dealer.seat(self.players)?;
        self.check_rounds()?;
        self.check_cards()
    }

    fn check_rounds(&self) -> Result<(), RuleError> {
        let sizes = HAND.0..=HAND.1;
        let fits =
            (1..=MAX_ROUNDS).contains(&self.rounds.len()) && self.rounds.iter().all(|n| sizes.contains(n));
        if fits {
            return Ok(());
        }
        Err(RuleError::new("rounds", format_args!("{:?}", self.rounds), Self::accepts("rounds")))
    }

    /// Refuses packs too small for the hands, an upcard and a card to draw.
    fn check_cards(&self) -> Result<(), RuleError> {
        let largest = self.rounds.iter().copied().max().map_or(0, usize::from);
        let needed = self.players * largest + 2;
        if self.decks.number(self.players) * Card::COUNT >= needed {
            return Ok(());
        }
        let enough = needed.div_ceil(Card::COUNT);
        let value = match self.decks {
            Decks::Auto => "auto".to_owned(),
            Decks::Number(decks) => decks.to_string(),
        };
        let accepted = format!(
            "{enough} or more packs for {} players with hands of {largest}: 52 cards each for {needed} cards",
            self.players
        );
        Err(RuleError::new("decks", value, accepted))
    }
}
