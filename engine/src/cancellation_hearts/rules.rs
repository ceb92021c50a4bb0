//! The options of cancellation hearts as plain data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::rules::{FirstDealer, OptionInfo, RuleError, Rules};
use crate::{Card, Preset};

macro_rules! choices {
    ($(#[$about:meta])* $name:ident { $($(#[$variant_about:meta])* $variant:ident,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$variant_about])* $variant,)+
        }
    };
}

choices! {
    /// What cancels what in a trick.
    Cancellation {
        /// Identical cards, in pairs.
        Identical,
        /// Cards of one rank and colour, in pairs: first identical ones, then those of the two suits.
        SameRankAndColour,
        /// Cards of one rank, in pairs: first identical ones, then those of one colour, then the rest.
        SameRank,
        /// Nothing; of identical cards the first played ranks higher.
        FirstWins,
        /// Nothing; of identical cards the last played ranks higher.
        LastWins,
    }
}

choices! {
    /// What becomes of a void trick, one that no card can win.
    VoidTrick {
        /// It is set aside and goes with the next trick that is won.
        Carry,
        /// Whoever led it takes it and leads again.
        LeaderTakes,
    }
}

choices! {
    /// Who leads after a void trick that is set aside.
    VoidTrickLead {
        /// Whoever led it.
        SameLeader,
        /// The seat to the left of that.
        NextSeat,
    }
}

choices! {
    /// Who takes what is set aside when the last trick is void.
    LastVoidTrick {
        /// Nobody.
        Nobody,
        /// Whoever led it.
        Leader,
    }
}

choices! {
    /// When the kitty is taken.
    Kitty {
        /// With the first trick that is won.
        FirstTrickWon,
        /// With the last trick that is won, when the deal is over.
        LastTrickWon,
        /// Never.
        OutOfPlay,
    }
}

choices! {
    /// Who leads to the first trick, and what.
    FirstLead {
        /// The seat left of the dealer.
        LeftOfDealer,
        /// The first holder of `2C` from the dealer's left leads it. If the kitty has them all, as with `LeftOfDealer`.
        TwoOfClubs,
        /// That holder leads any club.
        AnyClub,
    }
}

choices! {
    /// What may be discarded on the first trick.
    FirstTrickDiscard {
        /// Anything.
        Any,
        /// No heart and no `QS` unless there is nothing else.
        NoPointsUnlessForced,
    }
}

choices! {
    /// What shooting the moon does.
    Moon {
        /// The shooter chooses one of the two below.
        ShooterChooses,
        /// The shooter scores −`moon_value`, the others 0.
        Subtract,
        /// The shooter scores 0, the others `moon_value` each.
        AddOthers,
        /// Nothing: the points count as they are.
        Off,
    }
}

/// To whom a deal passes cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PassTo {
    /// So many seats to the left; negative to the right; 0 for no pass.
    Seats(i32),
    /// To the seat opposite, half the players further on, rounded down.
    Across(Across),
}

choices! {
    /// The word `across`.
    Across {
        /// Half the players further on, rounded down.
        Across,
    }
}

/// The options of cancellation hearts; the defaults are the six-player game with two packs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CancellationHeartsRules {
    /// How many play.
    pub players: usize,
    /// How many packs.
    pub decks: usize,
    /// Cards taken out before dealing, one copy for each mention.
    pub remove: Vec<Card>,
    /// What cancels what.
    pub cancellation: Cancellation,
    /// What becomes of a void trick.
    pub void_trick: VoidTrick,
    /// Who leads after a void trick that is set aside.
    pub void_trick_lead: VoidTrickLead,
    /// Who takes what is set aside when the last trick is void.
    pub last_void_trick: LastVoidTrick,
    /// When the kitty is taken.
    pub kitty: Kitty,
    /// To whom the deals pass, in turn; empty for never.
    pub pass_cycle: Vec<PassTo>,
    /// How many cards are passed.
    pub pass_count: usize,
    /// Who leads to the first trick.
    pub first_lead: FirstLead,
    /// Whether a point card may be led to the first trick as to any other.
    pub first_lead_points: bool,
    /// What may be discarded on the first trick.
    pub first_trick_discard: FirstTrickDiscard,
    /// Whether hearts may not be led until they are broken.
    pub must_break_hearts: bool,
    /// Whether `QS` breaks hearts as a heart does.
    pub queen_breaks_hearts: bool,
    /// Whether, before hearts are broken, hearts may be led from a hand of hearts and `QS` alone.
    pub hearts_instead_of_queen: bool,
    /// What shooting the moon does.
    pub moon: Moon,
    /// The points of a moon.
    pub moon_value: i32,
    /// Points of single cards, for each copy captured, on top of what a heart or `QS` counts.
    pub bonus_cards: BTreeMap<Card, i32>,
    /// Points of a player without a trick in a deal without a moon.
    pub no_tricks_bonus: i32,
    /// The total that ends the game.
    pub target: i32,
    /// The guard: more deals than this are not played.
    pub max_deals: u32,
    /// How many deals a game has; 0 to play to the target.
    pub deals: u32,
    /// Who deals first.
    pub first_dealer: FirstDealer,
}

impl Default for CancellationHeartsRules {
    fn default() -> Self {
        CancellationHeartsRules {
            players: 6,
            decks: 2,
            remove: Vec::new(),
            cancellation: Cancellation::Identical,
            void_trick: VoidTrick::Carry,
            void_trick_lead: VoidTrickLead::SameLeader,
            last_void_trick: LastVoidTrick::Nobody,
            kitty: Kitty::FirstTrickWon,
            pass_cycle: vec![PassTo::Seats(1), PassTo::Seats(-1)],
            pass_count: 3,
            first_lead: FirstLead::LeftOfDealer,
            first_lead_points: false,
            first_trick_discard: FirstTrickDiscard::Any,
            must_break_hearts: true,
            queen_breaks_hearts: true,
            hearts_instead_of_queen: false,
            moon: Moon::ShooterChooses,
            moon_value: 26,
            bonus_cards: BTreeMap::new(),
            no_tricks_bonus: 0,
            target: 150,
            max_deals: 1000,
            deals: 0,
            first_dealer: FirstDealer::Random,
        }
    }
}

/// The four-player game with one pack.
pub(super) const HEARTS: Preset = Preset {
    name: "hearts",
    about: "Black Lady for four: one pack, the holder of 2C leads it, no points on the first trick",
    changes: r#"{"players": 4, "decks": 1, "pass_cycle": [1, -1, "across", 0], "first_lead": "two_of_clubs",
        "first_trick_discard": "no_points_unless_forced", "moon": "add_others", "target": 100}"#,
};

const fn option(
    key: &'static str,
    accepts: &'static str,
    about: &'static str,
    examples: &'static [&'static str],
) -> OptionInfo {
    OptionInfo { key, accepts, about, examples }
}

impl Rules for CancellationHeartsRules {
    const OPTIONS: &'static [OptionInfo] = &[
        option("players", "3 to 11", "how many play", &["6", "3", "4", "5", "8", "11"]),
        option("decks", "1 or 2", "how many packs", &["2", "1"]),
        option(
            "remove",
            "a list of cards, each mention one copy",
            "cards taken out before dealing",
            &["[]", r#"["2D"]"#, r#"["2C", "3C"]"#, r#"["QS", "5H"]"#, r#"["2C", "2C"]"#, r#"["QS", "QS"]"#],
        ),
        option(
            "cancellation",
            "identical, same_rank_and_colour, same_rank, first_wins, last_wins",
            "which cards of a trick cancel in pairs",
            &[
                r#""identical""#,
                r#""same_rank_and_colour""#,
                r#""same_rank""#,
                r#""first_wins""#,
                r#""last_wins""#,
            ],
        ),
        option(
            "void_trick",
            "carry, leader_takes",
            "whether a void trick is set aside or taken by whoever led it",
            &[r#""carry""#, r#""leader_takes""#],
        ),
        option(
            "void_trick_lead",
            "same_leader, next_seat",
            "who leads after a void trick that is set aside",
            &[r#""same_leader""#, r#""next_seat""#],
        ),
        option(
            "last_void_trick",
            "nobody, leader",
            "who takes what is set aside when the last trick is void",
            &[r#""nobody""#, r#""leader""#],
        ),
        option(
            "kitty",
            "first_trick_won, last_trick_won, out_of_play",
            "with which trick the kitty goes",
            &[r#""first_trick_won""#, r#""last_trick_won""#, r#""out_of_play""#],
        ),
        option(
            "pass_cycle",
            "a list of seats to the left (negative to the right, 0 for no pass) and \"across\"; empty for never",
            "to whom the deals pass, in turn; across is half the players to the left, rounded down",
            &["[1, -1]", r#"[1, -1, "across", 0]"#, "[]", "[2]", "[-2, 0, 1]"],
        ),
        option(
            "pass_count",
            "0 to 6, no more than a hand",
            "how many cards are passed",
            &["3", "0", "1", "6"],
        ),
        option(
            "first_lead",
            "left_of_dealer, two_of_clubs, any_club",
            "who leads to the first trick, and what; left_of_dealer too if the kitty has every 2C",
            &[r#""left_of_dealer""#, r#""two_of_clubs""#, r#""any_club""#],
        ),
        option(
            "first_lead_points",
            "true, false",
            "whether a heart or QS may be led to the first trick as to any other",
            &["false", "true"],
        ),
        option(
            "first_trick_discard",
            "any, no_points_unless_forced",
            "whether hearts and QS may be discarded on the first trick",
            &[r#""any""#, r#""no_points_unless_forced""#],
        ),
        option(
            "must_break_hearts",
            "true, false",
            "whether hearts must be broken before they are led",
            &["true", "false"],
        ),
        option("queen_breaks_hearts", "true, false", "whether QS breaks hearts", &["true", "false"]),
        option(
            "hearts_instead_of_queen",
            "true, false",
            "whether, hearts unbroken, a hand of hearts and QS alone may lead a heart",
            &["false", "true"],
        ),
        option(
            "moon",
            "shooter_chooses, subtract, add_others, off",
            "what shooting the moon does",
            &[r#""shooter_chooses""#, r#""subtract""#, r#""add_others""#, r#""off""#],
        ),
        option("moon_value", MODEST, "the points of a moon", &["26", "52", "-7"]),
        option(
            "bonus_cards",
            "a table of cards in the pack and points, each from -1000000 to 1000000",
            "points for each copy captured, besides those of hearts and QS; no part of the moon",
            &["{}", r#"{"JD": -10}"#, r#"{"TC": 5, "QS": 7, "AH": -2}"#],
        ),
        option(
            "no_tricks_bonus",
            MODEST,
            "points of a player without a trick, in a deal without a moon",
            &["0", "-5"],
        ),
        option("target", POSITIVE, "the total that ends the game", &["150", "40", "1"]),
        option(
            "max_deals",
            "an integer from 1, up to what keeps every total below 2147483648",
            "guard: a game of more deals is ended and marked as capped",
            &["1000", "3"],
        ),
        option(
            "deals",
            "an integer from 0, at most max_deals",
            "how many deals a game has; 0 to play to the target",
            &["0", "1", "2"],
        ),
        FirstDealer::OPTION,
    ];
}

const POSITIVE: &str = "an integer from 1 to 2147483647";
const MODEST: &str = "an integer from -1000000 to 1000000";
const MOST_POINTS: i32 = 1_000_000;

impl CancellationHeartsRules {
    /// The number of cards dealt to each seat.
    pub(super) fn hand_size(&self) -> usize {
        (52 * self.decks).saturating_sub(self.remove.len()) / self.players
    }

    /// Whether every value is in range and the values fit together.
    pub(super) fn check(&self) -> Result<(), RuleError> {
        if !(3..=11).contains(&self.players) {
            return Err(RuleError::new("players", self.players, "3 to 11"));
        }
        if !(1..=2).contains(&self.decks) {
            return Err(RuleError::new("decks", self.decks, "1 or 2"));
        }
        self.first_dealer.seat(self.players)?;
        self.check_cards()?;
        self.check_passes()?;
        self.check_numbers()
    }

    fn copies(&self, card: Card) -> usize {
        self.decks.saturating_sub(self.remove.iter().filter(|&&removed| removed == card).count())
    }

    fn check_cards(&self) -> Result<(), RuleError> {
        for &card in &self.remove {
            let mentions = self.remove.iter().filter(|&&removed| removed == card).count();
            if mentions > self.decks {
                let accepted =
                    format!("each card at most {} times, as often as it is in the pack", self.decks);
                return Err(RuleError::new("remove", format!("{card} ({mentions} times)"), accepted));
            }
        }
        if self.hand_size() == 0 {
            let most = 52 * self.decks - self.players;
            let accepted = format!("at most {most} cards, so that each of {} players gets one", self.players);
            return Err(RuleError::new("remove", format!("{} cards", self.remove.len()), accepted));
        }
        if self.first_lead != FirstLead::LeftOfDealer && self.copies(super::table::TWO) == 0 {
            let value = if self.first_lead == FirstLead::AnyClub { "any_club" } else { "two_of_clubs" };
            let accepted = "left_of_dealer, since `remove` leaves no 2C in the pack";
            return Err(RuleError::new("first_lead", value, accepted));
        }
        for (&card, &points) in &self.bonus_cards {
            if self.copies(card) == 0 {
                return Err(RuleError::new("bonus_cards", card, "cards that `remove` leaves in the pack"));
            }
            if points.unsigned_abs() > MOST_POINTS as u32 {
                return Err(RuleError::new("bonus_cards", format!("{card} = {points}"), MODEST));
            }
        }
        Ok(())
    }

    fn check_passes(&self) -> Result<(), RuleError> {
        let most = self.hand_size().min(6);
        if self.pass_count > most {
            let accepted = format!("0 to {most} (a hand has {} cards)", self.hand_size());
            return Err(RuleError::new("pass_count", self.pass_count, accepted));
        }
        let limit = self.players as u32 - 1;
        for pass in &self.pass_cycle {
            if let PassTo::Seats(seats) = *pass
                && seats.unsigned_abs() > limit
            {
                let accepted = format!("offsets from -{limit} to {limit} with {} players", self.players);
                return Err(RuleError::new("pass_cycle", seats, format!("{accepted}, and \"across\"")));
            }
        }
        Ok(())
    }

    fn check_numbers(&self) -> Result<(), RuleError> {
        for (key, points) in [("moon_value", self.moon_value), ("no_tricks_bonus", self.no_tricks_bonus)] {
            if points.unsigned_abs() > MOST_POINTS as u32 {
                return Err(RuleError::new(key, points, MODEST));
            }
        }
        if self.target < 1 {
            return Err(RuleError::new("target", self.target, POSITIVE));
        }
        if self.max_deals < 1 {
            return Err(RuleError::new("max_deals", self.max_deals, POSITIVE));
        }
        if self.deals > self.max_deals {
            let accepted = format!("0 to max_deals, which is {}", self.max_deals);
            return Err(RuleError::new("deals", self.deals, accepted));
        }
        let (key, deals) = if self.deals > 0 { ("deals", self.deals) } else { ("max_deals", self.max_deals) };
        let most = i32::MAX as u64 / self.most_points_of_a_deal();
        if u64::from(deals) > most {
            return Err(RuleError::new(key, deals, format!("at most {most} deals with points so high")));
        }
        Ok(())
    }

    /// No seat's score for one deal is further from 0 than this.
    fn most_points_of_a_deal(&self) -> u64 {
        let bonus: u64 = self
            .bonus_cards
            .iter()
            .map(|(&card, points)| u64::from(points.unsigned_abs()) * self.copies(card) as u64)
            .sum();
        let others = self.moon_value.unsigned_abs().max(self.no_tricks_bonus.unsigned_abs()).max(52);
        bonus + u64::from(others)
    }
}
