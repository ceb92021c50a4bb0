//! From settings as written to settings as meant: experiment files, `--set` and the flags of `match` become an
//! [`Experiment`] with nothing left open, or an error that says where, what, and what would be accepted.

#[cfg(test)]
mod arbitrary;
mod flags;
mod kind;
mod pairs;
mod play;
mod source;
mod sprt;
mod sweep;
mod tune;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;

use dealt::experiment::Experiment;
use dealt::figures::counted;
use dealt::study::Study;
use dealt::{OnFault, Outputs, Records, Seating, Variant};
use dealt_agents::{AgentSpec, GameVisitor, SearchGame, with_game};
use dealt_engine::{GAMES, Game, GameInfo, Preset, RuleError, Rules};
use serde_json::{Map, Value};

pub(crate) use flags::{Settings, settle_again, settle_match, settle_run};
use kind::Kind;
pub(crate) use play::{Seated, may_hint, settle_play};
pub(crate) use source::Node;
use source::{Field, Form};

use crate::failure::{Failure, accepted};

/// The keys of all experiment files.
const KEYS: &[&str] = &[
    "kind",
    "name",
    "question",
    "game",
    "players",
    "rules",
    "seed",
    "blocks",
    "games",
    "seating",
    "confidence",
    "on_fault",
    "outputs",
];
const WHOLE: &str = "a whole number from 0 to 18446744073709551615";
const COUNT: &str = "a whole number from 1 up";
const AGENTS: &str =
    "a list of agents, each a text such as \"greedy\" or a table { name = …, parameters = { … } }";
const LINE_UPS: &str = "a list of line-ups, each a list of agents";
const VARIANT_NAME: &str = "a text of at least one letter, in one line and without control characters";
/// Characters that end a line without being control characters.
const LINE_ENDS: [char; 2] = ['\u{2028}', '\u{2029}'];
const NAME: &str = "a text of letters, digits, spaces and - _ . , that can name a folder";

/// A study, and what there is to say about how it came to be.
#[derive(Debug)]
pub(crate) struct Settled {
    pub(crate) study: Box<dyn Study>,
    /// What was decided for the user: a seed drawn, games rounded up.
    pub(crate) notes: Vec<String>,
}

/// Settles an experiment file. `default_name` is the name if none is given.
pub(crate) fn settle(table: &Node, default_name: &str) -> Result<Settled, Failure> {
    let kind = Kind::of(table)?;
    table.allow_only(&kind.owner(), &[KEYS, kind.keys].concat())?;
    let mut notes = Vec::new();
    let study = (kind.settle)(table, default_name, &mut notes)?;
    Ok(Settled { study, notes })
}

/// Settles what experiments of all kinds have in common. The line-ups are made, for a game of so many players, by
/// `line_ups`.
pub(crate) fn experiment(
    table: &Node,
    default_name: &str,
    notes: &mut Vec<String>,
    line_ups: LineUps,
) -> Result<Experiment, Failure> {
    let chosen = choose_game(require(table, "game", "the name of a game")?)?;
    let base = Base::settle(table, &chosen)?;
    let variants = variants(table, &base)?;
    for variant in variants[1..].iter().filter(|variant| variant.rules == base.rules) {
        notes.push(format!("variant `{}` has the rules of the base, so the two cannot differ", variant.name));
    }
    let mut experiment = Experiment {
        name: name(table, default_name)?,
        question: table.get("question").map(question).transpose()?,
        game: chosen.info.name.to_owned(),
        line_ups: line_ups(table, chosen.info.name, base.players)?,
        seed: seed(table, notes)?,
        blocks: 1,
        seating: seating(table)?,
        confidence: confidence(table)?,
        on_fault: on_fault(table)?,
        outputs: outputs(table)?,
        variants,
    };
    experiment.validate().map_err(|error| Failure::wrong(format!("{}: {error}", table.place)))?;
    experiment.blocks = blocks(table, &experiment, notes)?;
    experiment.games().map_err(|error| Failure::wrong(format!("{}: {error}", table.place)))?;
    Ok(experiment)
}

fn require<'n>(table: &'n Node, key: &str, what: &str) -> Result<&'n Node, Failure> {
    table.get(key).ok_or_else(|| {
        Failure::wrong(format!("{}: the key `{key}` is missing; it takes {what}", table.place))
    })
}

/// A game with the options that its preset changes.
pub(crate) struct Chosen {
    pub(crate) info: &'static GameInfo,
    pub(crate) preset: Option<&'static Preset>,
}

/// The game or preset of a name.
pub(crate) fn find_game(name: &str) -> Option<Chosen> {
    let game = GAMES.iter().find(|info| info.name == name).map(|info| Chosen { info, preset: None });
    game.or_else(|| {
        GAMES.iter().find_map(|info| {
            let preset = info.presets.iter().find(|preset| preset.name == name)?;
            Some(Chosen { info, preset: Some(preset) })
        })
    })
}

/// The names of all games and their presets, for an error.
pub(crate) fn accepted_games(given: &str) -> String {
    let presets = GAMES.iter().flat_map(|info| info.presets.iter().map(|preset| preset.name));
    accepted(given, GAMES.iter().map(|info| info.name).chain(presets))
}

fn choose_game(node: &Node) -> Result<Chosen, Failure> {
    let name = node.text("game", "a text")?;
    find_game(name).ok_or_else(|| {
        Failure::wrong(format!("{}: no game `{name}`; accepted: {}", node.place, accepted_games(name)))
    })
}

/// The rules that all variants start from.
struct Base {
    game: &'static str,
    rules: Map<String, Value>,
    players: usize,
}

impl Base {
    fn settle(table: &Node, chosen: &Chosen) -> Result<Base, Failure> {
        let game = chosen.info.name;
        let preset = chosen.preset.map_or("{}", |preset| preset.changes);
        let preset: Map<String, Value> = serde_json::from_str(preset).expect("presets are JSON objects");
        let mut rules = change_rules(game, &Map::new(), &preset).map_err(|error| at(&table.place, &error))?;
        let has_players = chosen.info.options.iter().any(|option| option.key == "players");
        if let Some(node) = table.get("players") {
            let (least, most) = chosen.info.players;
            let accepts = if least == most { least.to_string() } else { format!("{least} to {most}") };
            let count = node.whole("players", &accepts)?;
            if has_players {
                let change = Map::from_iter([("players".to_owned(), Value::from(count))]);
                rules = change_rules(game, &rules, &change).map_err(|_| node.refuse("players", &accepts))?;
            } else if count != least as u64 {
                return Err(node.refuse("players", &accepts));
            }
        }
        let mut fields: &[Field] = &[];
        if let Some(node) = table.get("rules") {
            fields = node.fields("rules")?;
            if let (Some(players), Some(rule)) = (table.get("players"), node.get("players"))
                && players.to_json() != rule.to_json()
            {
                let given = rule.to_json();
                let message = format!(
                    "{}: rule `players` is `{given}`, but the key `players` is `{}`; give one of them",
                    rule.place,
                    players.to_json()
                );
                return Err(Failure::wrong(message));
            }
        }
        let rules = apply(game, rules, fields)?;
        let players = compile(game, &rules).map_err(|error| at(place_of(table, fields, &error), &error))?;
        Ok(Base { game, rules, players })
    }
}

/// Where the rule that an error speaks of was written; if it was not, where the experiment was.
fn place_of<'n>(table: &'n Node, fields: &'n [Field], error: &RuleError) -> &'n str {
    let field = fields.iter().find(|field| field.key == error.key).map(|field| field.place.as_str());
    let players = || table.get("players").filter(|_| error.key == "players").map(|node| node.place.as_str());
    let rules = || fields.first().map(|field| field.place.as_str());
    field.or_else(players).or_else(rules).unwrap_or(&table.place)
}

fn at(place: &str, error: &RuleError) -> Failure {
    Failure::wrong(format!("{place}: {error}"))
}

/// Changes rules one by one, so that an error has its place.
fn apply(game: &str, mut rules: Map<String, Value>, fields: &[Field]) -> Result<Map<String, Value>, Failure> {
    for field in fields {
        let change = Map::from_iter([(field.key.clone(), field.node.to_json())]);
        rules = change_rules(game, &rules, &change).map_err(|error| at(&field.place, &error))?;
    }
    Ok(rules)
}

/// All options of a game, some of them changed.
fn change_rules(
    game: &str,
    rules: &Map<String, Value>,
    changes: &Map<String, Value>,
) -> Result<Map<String, Value>, RuleError> {
    struct Change<'r>(&'r Map<String, Value>, &'r Map<String, Value>);
    impl GameVisitor for Change<'_> {
        type Output = Result<Map<String, Value>, RuleError>;
        fn visit<G: SearchGame>(self) -> Self::Output {
            Ok(G::Rules::default().with(self.0)?.with(self.1)?.to_map())
        }
    }
    with_game(game, Change(rules, changes)).expect("the game was found by its name")
}

/// How many play by these rules.
fn compile(game: &str, rules: &Map<String, Value>) -> Result<usize, RuleError> {
    struct Compile<'r>(&'r Map<String, Value>);
    impl GameVisitor for Compile<'_> {
        type Output = Result<usize, RuleError>;
        fn visit<G: SearchGame>(self) -> Self::Output {
            let game = G::new(G::Rules::default().with(self.0)?)?;
            Ok(Game::players(&game))
        }
    }
    with_game(game, Compile(rules)).expect("the game was found by its name")
}

fn variants(table: &Node, base: &Base) -> Result<Vec<Variant>, Failure> {
    let mut variants = vec![Variant { name: Variant::BASE.to_owned(), rules: base.rules.clone() }];
    let Some(node) = table.get("variant") else { return Ok(variants) };
    for item in node.list("variant", "a list of tables, each headed by [[variant]]")? {
        item.allow_only("a variant", &["name", "rules"])?;
        let name_node = require(item, "name", "a text")?;
        let name = name_node.text("name", "a text")?;
        if name.trim().is_empty() || name.chars().any(breaks_lines) {
            return Err(name_node.refuse("name", VARIANT_NAME));
        }
        if variants.iter().any(|variant| variant.name == name) {
            return Err(name_node
                .refuse("name", "a name that no other variant has, nor `base`, the experiment's own rules"));
        }
        let fields = require(item, "rules", "a table of the rules that differ")?.fields("rules")?;
        let rules = apply(base.game, base.rules.clone(), fields)?;
        let players =
            compile(base.game, &rules).map_err(|error| at(place_of(item, fields, &error), &error))?;
        if players != base.players {
            let message = format!(
                "{}: variant `{name}` is for {players} players; accepted: {}, as in the base, since all variants play the same cards",
                item.place, base.players
            );
            return Err(Failure::wrong(message));
        }
        variants.push(Variant { name: name.to_owned(), rules });
    }
    Ok(variants)
}

fn question(node: &Node) -> Result<String, Failure> {
    const ACCEPTED: &str = "a text without control characters";
    let text = node.text("question", ACCEPTED)?;
    let is_odd = |letter: char| letter.is_control() && letter != '\n';
    if text.chars().any(is_odd) { Err(node.refuse("question", ACCEPTED)) } else { Ok(text.to_owned()) }
}

/// Whether a letter ends a line, or does what a terminal is told to.
fn breaks_lines(letter: char) -> bool {
    letter.is_control() || LINE_ENDS.contains(&letter)
}

/// Makes the line-ups of an experiment for a game of that name and so many players.
pub(crate) type LineUps = fn(&Node, &str, usize) -> Result<Vec<Vec<AgentSpec>>, Failure>;

/// The line-ups of the key `line_ups`, or the one of the key `agents`.
pub(crate) fn line_ups(table: &Node, game: &str, players: usize) -> Result<Vec<Vec<AgentSpec>>, Failure> {
    let Some(node) = table.get("line_ups") else {
        return Ok(vec![agents(require(table, "agents", AGENTS)?, game, players)?]);
    };
    if let Some(agents) = table.get("agents") {
        let message = format!("{}: both `agents` and `line_ups` are given; give one of them", agents.place);
        return Err(Failure::wrong(message));
    }
    let items = node.list("line_ups", LINE_UPS)?;
    if items.is_empty() {
        return Err(node.refuse("line_ups", LINE_UPS));
    }
    items.iter().map(|item| agents(item, game, players)).collect()
}

/// A line-up: an agent a seat, the last one filling the table.
fn agents(node: &Node, game: &str, players: usize) -> Result<Vec<AgentSpec>, Failure> {
    let mut agents = Vec::new();
    for item in node.list("agents", AGENTS)? {
        agents.push(agent(item, game)?);
    }
    let Some(last) = agents.last().cloned() else { return Err(node.refuse("agents", AGENTS)) };
    if agents.len() > players {
        let message = format!(
            "{}: {} agents; accepted: 1 to {players}, the number of players",
            node.place,
            agents.len()
        );
        return Err(Failure::wrong(message));
    }
    agents.resize(players, last);
    Ok(agents)
}

fn agent(node: &Node, game: &str) -> Result<AgentSpec, Failure> {
    let spec = match &node.form {
        Form::Value(Value::String(text)) => AgentSpec::parse(text, game),
        Form::Table(_) => {
            node.allow_only("an agent", &["name", "parameters"])?;
            let name = require(node, "name", "the name of an agent")?.text("name", "a text")?;
            let mut changes = Map::new();
            if let Some(parameters) = node.get("parameters") {
                let fields = parameters.fields("parameters")?.iter();
                changes = fields.map(|field| (field.key.clone(), field.node.to_json())).collect();
            }
            AgentSpec::new(name, &changes, game)
        }
        _ => return Err(node.refuse("agents", AGENTS)),
    };
    spec.map_err(|error| Failure::wrong(format!("{}: {error}", node.place)))
}

fn name(table: &Node, default: &str) -> Result<String, Failure> {
    let Some(node) = table.get("name") else { return Ok(default.to_owned()) };
    let name = node.text("name", NAME)?;
    let fits = |letter: char| letter.is_alphanumeric() || " -_.,".contains(letter);
    if name.trim().is_empty() || name.starts_with('.') || !name.chars().all(fits) {
        return Err(node.refuse("name", NAME));
    }
    Ok(name.to_owned())
}

fn seed(table: &Node, notes: &mut Vec<String>) -> Result<u64, Failure> {
    if let Some(node) = table.get("seed") {
        return node.whole("seed", WHOLE);
    }
    // Short enough to be read out; the hasher's keys are the one source of randomness that the standard library has.
    let seed = RandomState::new().build_hasher().finish() >> 32;
    notes.push(format!("seed {seed}, drawn at random; --seed {seed} plays the same again"));
    Ok(seed)
}

fn seating(table: &Node) -> Result<Seating, Failure> {
    let Some(node) = table.get("seating") else { return Ok(Seating::Rotate) };
    let names = Seating::NAMES.map(|(name, _)| name);
    let name = node.text("seating", &names.join(", "))?;
    Seating::parse(name).ok_or_else(|| node.refuse("seating", &accepted(name, names)))
}

fn on_fault(table: &Node) -> Result<OnFault, Failure> {
    let Some(node) = table.get("on_fault") else { return Ok(OnFault::Stop) };
    let names = OnFault::NAMES.map(|(name, _)| name);
    let name = node.text("on_fault", &names.join(", "))?;
    OnFault::parse(name).ok_or_else(|| node.refuse("on_fault", &accepted(name, names)))
}

fn confidence(table: &Node) -> Result<f64, Failure> {
    const ACCEPTS: &str = "a number between 0 and 1, such as 0.95";
    let Some(node) = table.get("confidence") else { return Ok(0.95) };
    let level = node.number("confidence", ACCEPTS)?;
    if level > 0.0 && level < 1.0 { Ok(level) } else { Err(node.refuse("confidence", ACCEPTS)) }
}

fn outputs(table: &Node) -> Result<Outputs, Failure> {
    let mut outputs = Outputs::default();
    let Some(node) = table.get("outputs") else { return Ok(outputs) };
    node.allow_only("outputs", &["games_csv", "records", "legal", "notes"])?;
    if let Some(flag) = node.get("games_csv") {
        outputs.games_csv = flag.flag("games_csv")?;
    }
    if let Some(records) = node.get("records") {
        const ACCEPTS: &str = "the number of games to record, or all";
        outputs.records = match &records.form {
            Form::Value(Value::String(word)) if word == "all" => Records::All,
            _ => match records.whole("records", ACCEPTS)? {
                0 => Records::None,
                count => Records::First(count),
            },
        };
    }
    for (key, what, output) in
        [("legal", "legal lists", &mut outputs.legal), ("notes", "notes", &mut outputs.notes)]
    {
        let Some(flag) = node.get(key) else { continue };
        *output = flag.flag(key)?;
        if *output && outputs.records == Records::None {
            let message =
                format!("{}: {what} are part of records; ask for records too (--records all)", flag.place);
            return Err(Failure::wrong(message));
        }
    }
    Ok(outputs)
}

/// The number of blocks, given as such or as games.
fn blocks(table: &Node, experiment: &Experiment, notes: &mut Vec<String>) -> Result<u64, Failure> {
    let in_block = experiment.games().map_err(|error| Failure::wrong(format!("{}: {error}", table.place)))?;
    let (key, node) = match (table.get("blocks"), table.get("games")) {
        (Some(node), None) => ("blocks", node),
        (None, Some(node)) => ("games", node),
        (Some(_), Some(games)) => {
            let message = format!("{}: both `blocks` and `games` are given; give one of them", games.place);
            return Err(Failure::wrong(message));
        }
        (None, None) => {
            let message =
                format!("{}: the key `blocks` is missing; give it, or `games`: {COUNT}", table.place);
            return Err(Failure::wrong(message));
        }
    };
    let count = node.whole(key, COUNT)?;
    if count == 0 {
        return Err(node.refuse(key, COUNT));
    }
    if key == "blocks" {
        return Ok(count);
    }
    let blocks = count.div_ceil(in_block);
    if blocks * in_block != count {
        notes.push(format!(
            "{} rounded up to {} of {in_block}: {}",
            counted(count, "game"),
            counted(blocks, "whole block"),
            counted(blocks * in_block, "game")
        ));
    }
    Ok(blocks)
}

/// The default name of the experiment in a file: the file's, without its ending.
pub(crate) fn name_of_file(path: &Path) -> String {
    path.file_stem().map_or_else(|| "experiment".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
game = \"hearts\"
agents = [\"greedy\", { name = \"random\", parameters = {} }]
seed = 3
games = 10
seating = \"all\"
confidence = 0.9
rules = { target = 40, pass_cycle = [1, \"across\"] }

[[variant]]
name = \"no moon\"
rules = { moon = \"off\" }

[outputs]
records = \"all\"
legal = true
";

    struct Match {
        experiment: Experiment,
        notes: Vec<String>,
    }

    fn settled(text: &str) -> Result<Match, Failure> {
        let Settled { study, notes } = settle(&Node::parse(text, "a.toml")?, "a")?;
        Ok(Match { experiment: study.experiment().clone(), notes })
    }

    #[test]
    fn a_file_becomes_an_experiment_with_nothing_left_open() {
        let Match { experiment, notes } = settled(FILE).unwrap();
        let labels: Vec<&str> = experiment.agents().map(AgentSpec::label).collect();
        assert_eq!(
            (experiment.game.as_str(), labels),
            ("cancellation-hearts", vec!["greedy", "random", "random", "random"])
        );
        assert_eq!((experiment.name.as_str(), experiment.seed, experiment.confidence), ("a", 3, 0.9));
        assert_eq!((experiment.outputs.records, experiment.outputs.legal), (Records::All, true));
        let [base, moon] = &experiment.variants[..] else { panic!("{:?}", experiment.variants) };
        assert_eq!((base.name.as_str(), moon.name.as_str()), (Variant::BASE, "no moon"));
        assert_eq!((&base.rules["decks"], &base.rules["target"]), (&Value::from(1), &Value::from(40)));
        assert_eq!(base.rules["moon"], "add_others");
        assert_eq!((&moon.rules["moon"], &moon.rules["target"]), (&Value::from("off"), &Value::from(40)));
        // Four line-ups under two variants make a block.
        assert_eq!((experiment.blocks, notes.len()), (2, 1));
        assert!(notes[0].starts_with("10 games rounded up to 2 whole blocks of 8: 16 games"), "{notes:?}");
    }

    #[test]
    fn a_variant_that_changes_no_rule_is_noted() {
        let same = FILE.replace("moon = \"off\"", "moon = \"add_others\"");
        let notes = settled(&same).unwrap().notes;
        assert!(notes.iter().any(|note| note.contains("`no moon` has the rules of the base")), "{notes:?}");
    }

    #[test]
    fn flags_and_files_that_say_the_same_are_the_same_experiment() {
        let file = "game = \"two-ten-jack\"\nagents = [\"greedy\", \"random\"]\nseed = 3\nblocks = 7\nrules.target = 40";
        let from_file = settled(file).unwrap().experiment;
        let mut table = Node::table("match");
        for (key, value) in [("game", "two-ten-jack"), ("seed", "3"), ("blocks", "7"), ("rules.target", "40")]
        {
            table.set_flag(key, "--flag", value).unwrap();
        }
        table.set_flag("agents", "--flag", "[\"greedy\", \"random\"]").unwrap();
        assert_eq!(*settle(&table, "a").unwrap().study.experiment(), from_file);
    }
}
