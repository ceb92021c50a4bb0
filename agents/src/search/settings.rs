//! The parameters that search agents share.

use serde_json::Value;

use super::{SearchGame, Utility};
use crate::{ParameterInfo, ParameterKind, Parameters, Turn};

/// How moves are chosen beyond the tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rollout {
    /// Any legal move, each equally likely.
    Random,
    /// The move that `greedy` makes with its default weights, except for this share of moves, which are random.
    Greedy {
        /// The share of random moves.
        epsilon: f64,
    },
}

/// Who tells hidden moves apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observer {
    /// One tree as the searching seat sees the moves.
    Single,
    /// A tree for each seat, as that seat sees them.
    Multiple,
}

/// By what the final choice among the moves is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The move tried most often.
    Visits,
    /// The move of the highest mean utility.
    Value,
}

/// The settings of a search agent. An agent lists those that it uses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How often the tree is walked: for `mcts` in each world.
    pub iterations: u32,
    /// How many worlds are sampled.
    pub worlds: u32,
    /// How far exploration goes: the factor of the confidence bound in UCB1.
    pub c: f64,
    /// How moves are chosen beyond the tree.
    pub rollout: Rollout,
    /// After how many moves of a rollout the position is estimated; 0 for never.
    pub horizon: u32,
    /// What is maximised.
    pub utility: Utility,
    /// Who tells hidden moves apart.
    pub observer: Observer,
    /// By how many standard errors a move must be better than the heuristic's to be made instead; 0 to make the best.
    pub caution: f64,
    /// By what the final choice is made.
    pub choice: Choice,
    /// Whether what can be worked out exactly is.
    pub endgame: bool,
    /// Whether sampled worlds fit the voids that others have shown.
    pub voids: bool,
    /// The most memory that the trees take, in MiB.
    pub memory_mb: u32,
    /// A limit of time for each decision in milliseconds; 0 for none.
    pub ms: u32,
}

const fn whole(
    key: &'static str,
    min: i64,
    max: i64,
    default: &'static str,
    about: &'static str,
) -> ParameterInfo {
    ParameterInfo { key, about, kind: ParameterKind::Integer { min, max }, default }
}

const fn number(
    key: &'static str,
    min: f64,
    max: f64,
    default: &'static str,
    about: &'static str,
) -> ParameterInfo {
    ParameterInfo { key, about, kind: ParameterKind::Number { min, max }, default }
}

const fn word(
    key: &'static str,
    words: &'static [&'static str],
    default: &'static str,
    about: &'static str,
) -> ParameterInfo {
    ParameterInfo { key, about, kind: ParameterKind::Choice(words), default }
}

/// `iterations`
pub(super) const fn iterations(default: &'static str, about: &'static str) -> ParameterInfo {
    whole("iterations", 1, 100_000_000, default, about)
}

/// `worlds`
pub(super) const fn worlds(default: &'static str, about: &'static str) -> ParameterInfo {
    whole("worlds", 1, 100_000_000, default, about)
}

/// `c`
pub(super) const fn exploration<G: SearchGame>() -> ParameterInfo {
    let about =
        "how far exploration goes: the factor of the confidence bound in UCB1, utilities being about 1 wide";
    number("c", 0.0, 100.0, G::DEFAULTS.c, about)
}

/// `observer`
pub(super) const OBSERVER: ParameterInfo = word(
    "observer",
    &["single", "multiple"],
    "\"single\"",
    "whether hidden moves are told apart by one tree as the searching seat sees them, or by a tree for each seat",
);

/// `choice`
pub(super) const CHOICE: ParameterInfo = word(
    "choice",
    &["visits", "value"],
    "\"visits\"",
    "whether the move tried most often is made, or that of the highest mean",
);

/// `voids`
pub(super) const VOIDS: ParameterInfo = ParameterInfo {
    key: "voids",
    about: "whether sampled worlds fit the voids shown in tricks; false measures what that is worth",
    kind: ParameterKind::Flag,
    default: "true",
};

/// `memory_mb`
pub(super) const MEMORY: ParameterInfo = whole(
    "memory_mb",
    1,
    65_536,
    "64",
    "the most memory that the trees of one agent take, in MiB; when it is full the search goes on in the tree there is",
);

/// `rollout`, `epsilon`, `horizon`, `utility`, `caution`, `endgame`, `ms`: what every search agent takes.
pub(super) const fn shared<G: SearchGame>(caution: &'static str) -> [ParameterInfo; 7] {
    [
        word(
            "rollout",
            &["random", "greedy", "epsilon-greedy"],
            G::DEFAULTS.rollout,
            "how moves are chosen beyond the tree",
        ),
        number("epsilon", 0.0, 1.0, "0.1", "share of random moves in an epsilon-greedy rollout"),
        whole(
            "horizon",
            0,
            1_000_000,
            G::DEFAULTS.horizon,
            "moves of a rollout after which the position is estimated; 0 to play to the end of the deal",
        ),
        word(
            "utility",
            &["margin", "place", "win"],
            "\"margin\"",
            "what is maximised: points over the mean of the others, place by the totals, or the chance to win the game",
        ),
        number(
            "caution",
            0.0,
            100.0,
            caution,
            "by how many standard errors a move must be better than that of greedy to be made instead; 0 to make the best",
        ),
        ParameterInfo {
            key: "endgame",
            about: "whether an end of a deal that can be worked out exactly is",
            kind: ParameterKind::Flag,
            default: "true",
        },
        whole(
            "ms",
            0,
            3_600_000,
            "0",
            "a limit of time for each decision in milliseconds, 0 for none; with a limit a run cannot be reproduced",
        ),
    ]
}

impl Settings {
    /// A thousand walks in one tree, random rollouts to the end of the deal, the move tried most often.
    pub const PLAIN: Settings = Settings {
        iterations: 1000,
        worlds: 1,
        c: 0.4,
        rollout: Rollout::Random,
        horizon: 0,
        utility: Utility::Margin,
        observer: Observer::Single,
        caution: 0.0,
        choice: Choice::Visits,
        endgame: true,
        voids: true,
        memory_mb: 64,
        ms: 0,
    };

    /// What samples the worlds of a decision.
    pub(super) fn worlds_of<G: SearchGame>(&self, turn: &Turn<'_, G>) -> G::Worlds {
        let view = turn.view();
        if self.voids { turn.game().worlds(&view) } else { turn.game().worlds_despite_voids(&view) }
    }

    /// The settings that checked parameters give, those that an agent does not list being 1 or off.
    #[must_use]
    pub fn new(parameters: &Parameters) -> Settings {
        let whole = |key: &str| parameters.get(key).and_then(Value::as_u64).map(|value| value as u32);
        let word = |key: &str| parameters.get(key).and_then(Value::as_str).unwrap_or("");
        let number = |key: &str| parameters.get(key).and_then(Value::as_f64).unwrap_or(0.0);
        Settings {
            iterations: whole("iterations").unwrap_or(1),
            worlds: whole("worlds").unwrap_or(1),
            c: number("c"),
            rollout: match word("rollout") {
                "greedy" => Rollout::Greedy { epsilon: 0.0 },
                "epsilon-greedy" => Rollout::Greedy { epsilon: number("epsilon") },
                _ => Rollout::Random,
            },
            horizon: whole("horizon").unwrap_or(0),
            utility: match word("utility") {
                "place" => Utility::Place,
                "win" => Utility::Win,
                _ => Utility::Margin,
            },
            observer: if word("observer") == "multiple" { Observer::Multiple } else { Observer::Single },
            caution: number("caution"),
            choice: if word("choice") == "value" { Choice::Value } else { Choice::Visits },
            endgame: parameters.get("endgame").and_then(Value::as_bool).unwrap_or(false),
            voids: parameters.get("voids").and_then(Value::as_bool).unwrap_or(true),
            memory_mb: whole("memory_mb").unwrap_or(1),
            ms: whole("ms").unwrap_or(0),
        }
    }
}
