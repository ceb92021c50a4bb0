//! The agents there are, and how one is written: `name`, `name:key=value,key=value`, or the name of a preset. A value with
//! a comma in it is written as a text of JSON, `key="one, two"`.

use std::fmt;
use std::marker::PhantomData;

use dealt_engine::for_each_game;
use dealt_engine::rules::{nearest, plain, shown};
use serde_json::{Map, Value};

use crate::greedy::Greedy;
use crate::outsider::{EXTERNAL, EXTERNAL_PARAMETERS, words};
use crate::random::Random;
use crate::search::{determinised, flat, information_set, oracle};
use crate::{Agent, ParameterInfo, ParameterKind, Parameters, Player, SearchGame, Weights, presets};

/// An agent's entry: a new agent is its file and one entry of [`AGENTS`] and [`build`](AgentSpec::build).
#[derive(Clone, Copy, Debug)]
pub struct AgentInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Whether it is shown what its seat cannot see: a [`Clairvoyant`](crate::Clairvoyant).
    pub clairvoyant: bool,
}

/// The kinds of player, by the names of [`Player`].
enum Kind {
    Random,
    Fair,
    Clairvoyant,
}

/// What there is to know of the agent that is a program of its own and not made here.
const OUTSIDER: AgentInfo = AgentInfo {
    name: EXTERNAL,
    about: "a program of your own, in any language, asked for its moves line by line: see docs/external-agents.md",
    clairvoyant: false,
};

macro_rules! agents {
    ($($kind:ident $name:literal, $about:literal, $parameters:expr, $build:expr;)+) => {
        /// Every agent, in the order of `dealt agents`.
        pub const AGENTS: &[AgentInfo] = &[$(
            AgentInfo { name: $name, about: $about, clairvoyant: matches!(Kind::$kind, Kind::Clairvoyant) },
        )+ OUTSIDER];

        /// The parameters of an agent in the game `G`.
        fn parameters_of<G: SearchGame>(agent: &str) -> &'static [ParameterInfo] {
            match agent {
                $($name => $parameters(PhantomData::<G>),)+
                EXTERNAL => EXTERNAL_PARAMETERS,
                _ => &[],
            }
        }

        fn build_agent<G: SearchGame>(agent: &str, parameters: &Parameters) -> Option<Player<G>> {
            match agent {
                $($name => Some(Player::$kind($build(PhantomData::<G>, parameters))),)+
                _ => None,
            }
        }
    };
}

fn none<G>(_: PhantomData<G>) -> &'static [ParameterInfo] {
    &[]
}

fn weights_of<G: SearchGame>(_: PhantomData<G>) -> &'static [ParameterInfo] {
    G::Weights::PARAMETERS
}

fn random<G: SearchGame>(_: PhantomData<G>, _: &Parameters) -> Random {
    Random
}

fn greedy<G: SearchGame>(_: PhantomData<G>, parameters: &Parameters) -> Box<dyn Agent<G>> {
    Box::new(Greedy::new(G::Weights::from_parameters(parameters)))
}

agents! {
    Random "random", "any legal move, each equally likely", none, random;
    Fair "greedy", "the move that a weighted heuristic of the game likes best", weights_of, greedy;
    Fair "flat-mc", "plays every move out in the same sampled worlds and takes the best mean",
        flat::parameters, flat::build;
    Fair "mcts", "Monte Carlo tree search in sampled worlds as if all cards were seen, the trees added up",
        determinised::parameters, determinised::build;
    Fair "ismcts", "information set Monte Carlo tree search: one tree over what the seat knows, a new world each time",
        information_set::parameters, information_set::build;
    Clairvoyant "oracle", "Monte Carlo tree search that looks at the hidden cards: for upper bounds only",
        oracle::parameters, oracle::build;
}

/// Something to be done with the type of a game that is known by name.
pub trait GameVisitor {
    /// What comes of it.
    type Output;
    /// Does it.
    fn visit<G: SearchGame>(self) -> Self::Output;
}

macro_rules! dispatch {
    ($($game:ident),* $(,)?) => {
        /// Does something with the type of the game of that name; `None` if there is no such game.
        pub fn with_game<V: GameVisitor>(name: &str, visitor: V) -> Option<V::Output> {
            match name {
                $(<dealt_engine::$game as dealt_engine::Game>::NAME => Some(visitor.visit::<dealt_engine::$game>()),)*
                _ => None,
            }
        }
    };
}

for_each_game!(dispatch);

/// The parameters of an agent in a game, by their names; none if either is unknown.
#[must_use]
pub fn parameters(agent: &str, game: &str) -> &'static [ParameterInfo] {
    struct Find<'a>(&'a str);
    impl GameVisitor for Find<'_> {
        type Output = &'static [ParameterInfo];
        fn visit<G: SearchGame>(self) -> Self::Output {
            parameters_of::<G>(self.0)
        }
    }
    with_game(game, Find(agent)).unwrap_or(&[])
}

/// Why a text names no agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentError {
    /// What is wrong, and what would be accepted.
    pub message: String,
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for AgentError {}

/// An agent with every parameter settled.
///
/// ```
/// use dealt_agents::AgentSpec;
/// let spec = AgentSpec::parse("random", "two-ten-jack")?;
/// assert_eq!(spec.label(), "random");
/// let error = AgentSpec::parse("radnom", "two-ten-jack").unwrap_err();
/// assert!(error.to_string().contains("did you mean `random`?"));
/// # Ok::<(), dealt_agents::AgentError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct AgentSpec {
    name: &'static str,
    label: String,
    parameters: Parameters,
}

impl AgentSpec {
    /// Reads an agent as the command line and experiment files write it.
    ///
    /// # Errors
    /// If the agent or a parameter is unknown, or a value is not accepted.
    pub fn parse(text: &str, game: &str) -> Result<AgentSpec, AgentError> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let mut changes = Map::new();
        for setting in split_settings(settings).filter(|setting| !setting.is_empty()) {
            let Some((key, value)) = setting.split_once('=') else {
                let message = format!("`{setting}` in agent `{text}` is not of the form key=value");
                return Err(AgentError { message });
            };
            if changes.insert(key.trim().to_owned(), read_value(value.trim())).is_some() {
                let message = format!("parameter `{key}` is given twice in agent `{text}`");
                return Err(AgentError { message });
            }
        }
        AgentSpec::new(name.trim(), &changes, game)
    }

    /// The agent of a name, or of a preset, with some parameters changed.
    ///
    /// # Errors
    /// If the agent or a parameter is unknown, or a value is not accepted.
    pub fn new(name: &str, changes: &Map<String, Value>, game: &str) -> Result<AgentSpec, AgentError> {
        let mut base = Map::new();
        let mut agent = name;
        let preset = presets::preset(name);
        if let Some(preset) = &preset {
            if preset.game != game {
                let message = format!("preset `{name}` is for {}, not for {game}", preset.game);
                return Err(AgentError { message });
            }
            agent = &preset.agent;
            base = preset.parameters.clone();
        }
        let Some(info) = AGENTS.iter().find(|info| info.name == agent) else {
            return Err(unknown_agent(name));
        };
        base.extend(changes.iter().map(|(key, value)| (key.clone(), value.clone())));
        let known = parameters(info.name, game);
        check(info.name, game, known, &base)?;
        if info.name == EXTERNAL {
            check_command(base.get("command"))?;
        }
        let settled: Parameters =
            known.iter().map(|p| (p.key.to_owned(), settle(p, base.remove(p.key)))).collect();
        let label = label(info.name, game, known, &settled);
        Ok(AgentSpec { name: info.name, label, parameters: settled })
    }

    /// The same agent with some parameters changed.
    ///
    /// # Errors
    /// If a parameter is unknown, or a value is not accepted.
    pub fn with(&self, changes: &Map<String, Value>, game: &str) -> Result<AgentSpec, AgentError> {
        let mut parameters = self.parameters.clone();
        parameters.extend(changes.iter().map(|(key, value)| (key.clone(), value.clone())));
        AgentSpec::new(self.name, &parameters, game)
    }

    /// Its name in the registry.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How results name the agent: its name, or that of a preset if fewer parameters differ from it, and those that do.
    /// The same for all ways to write the same agent; reads back as the agent.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Whether it is shown what its seat cannot see.
    #[must_use]
    pub fn is_clairvoyant(&self) -> bool {
        AGENTS.iter().any(|info| info.name == self.name && info.clairvoyant)
    }

    /// Whether it is a program of its own: an [`Outsider`](crate::Outsider).
    #[must_use]
    pub fn is_external(&self) -> bool {
        self.name == EXTERNAL
    }

    /// Whether a fault of it loses the game that it is in, and the run goes on.
    #[must_use]
    pub fn may_forfeit(&self) -> bool {
        self.is_external() && self.parameters.get("on_fault").is_some_and(|word| word == "forfeit")
    }

    /// Whether its moves depend on the speed of the machine: it has a limit of time.
    #[must_use]
    pub fn depends_on_time(&self) -> bool {
        self.parameters.get("ms").and_then(Value::as_u64).is_some_and(|ms| ms > 0)
    }

    /// Every parameter with its value.
    #[must_use]
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// A player of the game that the agent was settled for.
    ///
    /// # Panics
    /// If the agent [is a program of its own](Self::is_external): those who may start programs seat it.
    #[must_use]
    pub fn build<G: SearchGame>(&self) -> Player<G> {
        build_agent(self.name, &self.parameters).expect("an agent of this crate")
    }
}

/// The value given, or the default; numbers in one form, so that 3 and 3.0 are the same.
fn settle(parameter: &ParameterInfo, given: Option<Value>) -> Value {
    let value = given.unwrap_or_else(|| serde_json::from_str(parameter.default).expect("defaults are JSON"));
    match parameter.kind {
        ParameterKind::Number { .. } => value.as_f64().map_or(value, Value::from),
        _ => value,
    }
}

/// The shortest way to write an agent: by its own name or by a preset's, whichever leaves fewer parameters to be said.
fn label(agent: &str, game: &str, known: &[ParameterInfo], settled: &Parameters) -> String {
    let presets = presets::all().filter(|(_, preset)| preset.agent == agent && preset.game == game);
    let bases = presets.map(|(name, preset)| (name, preset.parameters));
    let written = std::iter::once((agent, Map::new())).chain(bases).map(|(name, base)| {
        let differs = |p: &&ParameterInfo| settled[p.key] != settle(p, base.get(p.key).cloned());
        let changed =
            known.iter().filter(differs).map(|p| format!("{}={}", p.key, written(p, &settled[p.key])));
        (name, changed.collect::<Vec<_>>())
    });
    let (name, changed) = written.min_by_key(|(_, changed)| changed.len()).expect("an agent has a name");
    let colon = if changed.is_empty() { "" } else { ":" };
    format!("{name}{colon}{}", changed.join(","))
}

/// The settings of a list, commas within quotation marks being no ends of one.
fn split_settings(settings: &str) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    settings.split(move |letter| {
        match letter {
            '"' if !escaped => quoted = !quoted,
            ',' if !quoted => return true,
            _ => {}
        }
        escaped = quoted && letter == '\\' && !escaped;
        false
    })
}

fn read_value(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value @ (Value::Bool(_) | Value::Number(_) | Value::String(_))) => value,
        _ => Value::from(text),
    }
}

/// A value as [`AgentSpec::parse`] takes it.
fn written(parameter: &ParameterInfo, value: &Value) -> String {
    if parameter.kind == ParameterKind::Text { value.to_string() } else { plain(value) }
}

fn unknown_agent(name: &str) -> AgentError {
    let known = || AGENTS.iter().map(|info| info.name).chain(presets::names());
    let hint = nearest(name, known()).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    let list: Vec<_> = known().collect();
    AgentError { message: format!("no agent `{name}`; there are {}{hint}", list.join(", ")) }
}

/// A program of its own has to be named.
fn check_command(command: Option<&Value>) -> Result<(), AgentError> {
    let Some(command) = command.and_then(Value::as_str) else {
        let message = format!("{EXTERNAL} needs a command: {EXTERNAL}:command=\"python3 agent.py\"");
        return Err(AgentError { message });
    };
    // A command is a part of the agent's label, which stands in tables, files and on terminals.
    if let Some(letter) = command.chars().find(|letter| letter.is_control()) {
        let message = format!(
            "the command of {EXTERNAL} holds the control character U+{:04X}; accepted: what can be seen, and spaces",
            u32::from(letter)
        );
        return Err(AgentError { message });
    }
    words(command).map(|_| ()).map_err(|problem| AgentError { message: format!("{EXTERNAL}: {problem}") })
}

fn check(agent: &str, game: &str, known: &[ParameterInfo], given: &Parameters) -> Result<(), AgentError> {
    for (key, value) in given {
        let message = match known.iter().find(|parameter| parameter.key == key) {
            Some(parameter) if parameter.kind.accepts(value) => continue,
            Some(parameter) => format!(
                "parameter `{key}` of {agent} cannot be `{}`; accepted: {}",
                shown(value),
                parameter.kind
            ),
            None if known.is_empty() => {
                format!("{agent} takes no parameter in {game}, but `{key}` was given")
            }
            None => {
                let keys = || known.iter().map(|parameter| parameter.key);
                let hint =
                    nearest(key, keys()).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                let list: Vec<_> = keys().collect();
                format!("{agent} has no parameter `{key}` in {game}; it has {}{hint}", list.join(", "))
            }
        };
        return Err(AgentError { message });
    }
    Ok(())
}
