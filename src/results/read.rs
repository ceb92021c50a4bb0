//! A results folder read back: what was run, and what was found.
//!
//! The manifest makes a folder a run; without it there is nothing to read. Of the tables each may be missing, and has
//! then no rows: a file that this version does not know, or that somebody took away, is no reason to refuse the rest.

use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use serde_json::{Map, Value};

use super::MANIFEST;
use super::manifest::SCHEMA;
use super::place::partial_of;
use super::tables::CELL;
use crate::Variant;
use crate::csv_table::{CsvError, CsvRow, CsvTable};
use crate::estimate::{Estimate, Interval, Method, Missing};
use crate::summary::{AgentRow, MetricRow, PairRow, ScoreRow, SeatRow, Summary};
use crate::tally::plan::MEASURES;

/// What a folder holds.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    /// The folder.
    pub folder: PathBuf,
    /// What was run.
    pub run: Run,
    /// What was found; nothing in a sweep, where it is found in cells.
    pub summary: Summary,
    /// The cells of a sweep, each as the match that it is.
    pub cells: Vec<CellResults>,
}

/// What a folder holds of a cell of a sweep.
#[derive(Clone, PartialEq, Debug)]
pub struct CellResults {
    /// The name of those who play.
    pub skill: String,
    /// Who they are: the labels of the agents.
    pub judge: String,
    /// What they played, and what was found.
    pub results: Results,
}

/// What a manifest says was run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Run {
    /// The name of the experiment.
    pub name: String,
    /// What it was to find out.
    pub question: Option<String>,
    /// What kind of experiment it is.
    pub kind: String,
    /// The game.
    pub game: String,
    /// How many play.
    pub players: u64,
    /// The line-ups, an agent a seat.
    pub line_ups: Vec<Vec<Player>>,
    /// The seating design.
    pub seating: String,
    /// Games of a block.
    pub games_in_block: u64,
    /// The master seed.
    pub seed: u64,
    /// Blocks wanted.
    pub blocks: u64,
    /// The confidence level of all intervals.
    pub confidence: f64,
    /// The rules that are compared; the first is what the others are compared with.
    pub variants: Vec<Variant>,
    /// The version of the program, and the commit that it was built from.
    pub version: String,
    /// The commit, where it is known.
    pub commit: Option<String>,
    /// Whether another run gives the same games: not where an agent has a limit of time.
    pub reproducible: bool,
    /// What was played.
    pub played: Played,
    /// The whole experiment, as the manifest has it.
    pub experiment: Map<String, Value>,
}

impl Run {
    /// The labels of the agents, each once, in the order of their first seats.
    #[must_use]
    pub fn labels(&self) -> Vec<&str> {
        let mut labels: Vec<&str> = Vec::new();
        for player in self.line_ups.iter().flatten() {
            if !labels.contains(&player.label.as_str()) {
                labels.push(&player.label);
            }
        }
        labels
    }
}

/// An agent of a line-up.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Player {
    /// Its label: the agent with the parameters that differ from its defaults.
    pub label: String,
    /// Every parameter with its value.
    pub parameters: Map<String, Value>,
    /// Whether it is shown what its seat cannot see.
    pub clairvoyant: bool,
}

/// What was played of an experiment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Played {
    /// Whether all of it was.
    pub complete: bool,
    /// Blocks.
    pub blocks: u64,
    /// Games.
    pub games: u64,
    /// Deals.
    pub deals: u64,
    /// Times that somebody was to move.
    pub decisions: u64,
}

/// Why a folder cannot be read as a run.
#[derive(Debug)]
pub enum ReadError {
    /// There is no run in it.
    NoRun(PathBuf),
    /// A run to it has begun and is not there yet.
    Begun(PathBuf),
    /// The manifest is not what a run writes; why not.
    Manifest(PathBuf, String),
    /// A table is not what a run writes.
    Table(PathBuf, CsvError),
    /// A file cannot be read.
    Io(PathBuf, io::Error),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NoRun(folder) => write!(
                f,
                "{} holds no run: a folder that `dealt run` or `dealt match` has written is wanted, with its {MANIFEST}",
                folder.display()
            ),
            ReadError::Begun(folder) => write!(
                f,
                "{} holds no run yet: one goes on, or was interrupted before it wrote tables; the command that began it \
                 goes on with --resume",
                folder.display()
            ),
            ReadError::Manifest(path, why) => write!(f, "{}: {why}", path.display()),
            ReadError::Table(folder, error) => write!(f, "{}: {error}", folder.display()),
            ReadError::Io(path, error) => write!(f, "cannot read {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads a folder.
///
/// # Errors
/// If it holds no run, or a file of it is broken: the error names the file and the place in it.
pub fn read(folder: &Path) -> Result<Results, ReadError> {
    let path = folder.join(MANIFEST);
    let text = match fs::read(&path) {
        Err(error) if [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory].contains(&error.kind()) => {
            let is_begun = partial_of(folder).is_ok_and(|partial| partial.exists());
            let why = if is_begun { ReadError::Begun } else { ReadError::NoRun };
            return Err(why(folder.to_owned()));
        }
        text => text.map_err(|error| ReadError::Io(path.clone(), error))?,
    };
    let run = parse_manifest(&text).map_err(|why| ReadError::Manifest(path, why))?;
    let cells = cells(folder, &run)?;
    let summary = if run.kind == SWEEP { Summary::default() } else { summary(folder, None)? };
    Ok(Results { folder: folder.to_owned(), run, summary, cells })
}

/// The kind whose tables tell by their first columns which cell a row is of.
pub const SWEEP: &str = "sweep";

/// The number of players and the name of those who play.
type Cell<'c> = (u64, &'c str);

/// The tables of a folder, or of a cell of it.
fn summary(folder: &Path, cell: Option<Cell<'_>>) -> Result<Summary, ReadError> {
    Ok(Summary {
        agents: rows_of(folder, "agents.csv", cell, agent)?,
        seats: rows_of(folder, "seats.csv", cell, seat)?,
        pairs: rows_of(folder, "pairs.csv", cell, pair)?,
        scores: rows_of(folder, "scores.csv", cell, score)?,
        metrics: rows_of(folder, "metrics.csv", cell, metric)?,
    })
}

/// The cells of a sweep; none for other kinds.
fn cells(folder: &Path, run: &Run) -> Result<Vec<CellResults>, ReadError> {
    let wrong = |why: String| ReadError::Manifest(folder.join(MANIFEST), why);
    let mut cells = Vec::new();
    let list = run.experiment.get("cells").and_then(Value::as_array);
    for value in list.filter(|_| run.kind == SWEEP).into_iter().flatten() {
        let fields = Fields { value, path: "experiment.cells" };
        let (skill, judge) = (fields.text("skill").map_err(wrong)?, fields.text("judge").map_err(wrong)?);
        let run = Run {
            players: fields.whole("players").map_err(wrong)?,
            line_ups: line_ups(&fields).map_err(wrong)?,
            games_in_block: fields.whole("games_in_block").map_err(wrong)?,
            blocks: fields.whole("blocks").map_err(wrong)?,
            variants: variants(&fields).map_err(wrong)?,
            ..run.clone()
        };
        let summary = summary(folder, Some((run.players, &skill)))?;
        let results = Results { folder: folder.to_owned(), run, summary, cells: Vec::new() };
        cells.push(CellResults { skill, judge, results });
    }
    Ok(cells)
}

/// The rows of a table, of one cell or of all.
fn rows_of<T>(
    folder: &Path,
    name: &str,
    cell: Option<Cell<'_>>,
    read: impl Fn(&CsvRow<'_>) -> Result<T, CsvError>,
) -> Result<Vec<T>, ReadError> {
    let is_of = |row: &CsvRow<'_>| match cell {
        None => Ok(true),
        Some((players, skill)) => Ok(row.text(CELL[1])? == skill && row.number::<u64>(CELL[0])? == players),
    };
    let all = rows(folder, name, |row| Ok(if is_of(row)? { Some(read(row)?) } else { None }))?;
    Ok(all.into_iter().flatten().collect())
}

/// The rows of a table of a folder; none if the file is not there.
///
/// # Errors
/// If the file is there and cannot be read as such a table.
pub fn rows<T>(
    folder: &Path,
    name: &str,
    row: impl Fn(&CsvRow<'_>) -> Result<T, CsvError>,
) -> Result<Vec<T>, ReadError> {
    let path = folder.join(name);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(|error| ReadError::Io(path, error))?,
    };
    let table = CsvTable::parse(name, &text);
    let read = table.and_then(|table| table.rows().map(|line| row(&line)).collect());
    read.map_err(|error| ReadError::Table(folder.to_owned(), error))
}

fn agent(row: &CsvRow<'_>) -> Result<AgentRow, CsvError> {
    Ok(AgentRow {
        variant: row.text("variant")?.to_owned(),
        agent: row.text("agent")?.to_owned(),
        games: row.number("games")?,
        blocks: row.number("blocks")?,
        seats: row.optional("seats")?.unwrap_or(0.0),
        wins: row.optional("wins")?.unwrap_or(0.0),
        win_share: estimate_of(row, "win_share")?,
        score: estimate_of(row, "score")?,
        place: estimate_of(row, "place")?,
        decisions: row.number("decisions")?,
        forced: row.number("forced")?,
        clairvoyant: row.word("clairvoyant", &[("true", true), ("false", false)])?,
    })
}

fn seat(row: &CsvRow<'_>) -> Result<SeatRow, CsvError> {
    Ok(SeatRow {
        variant: row.text("variant")?.to_owned(),
        agent: row.text("agent")?.to_owned(),
        seat_from_leader: row.number("seat_from_leader")?,
        games: row.number("games")?,
        wins: row.optional("wins")?.unwrap_or(0.0),
        win_share: estimate_of(row, "win_share")?,
        score: estimate_of(row, "score")?,
    })
}

fn pair(row: &CsvRow<'_>) -> Result<PairRow, CsvError> {
    const VERDICTS: [&str; 4] = ["a_stronger", "b_stronger", "undecided", "no_interval"];
    Ok(PairRow {
        variant: row.text("variant")?.to_owned(),
        agent_a: row.text("agent_a")?.to_owned(),
        agent_b: row.text("agent_b")?.to_owned(),
        met: row.word("met", &[("true", true), ("false", false)])?,
        measure: row.word("measure", &MEASURES.map(|measure| (measure, measure)))?,
        blocks: row.number("blocks")?,
        contrast: estimate(row, ["a_less_b", "low", "high", "method"])?,
        verdict: row.word("verdict", &VERDICTS.map(|verdict| (verdict, verdict)))?,
    })
}

fn score(row: &CsvRow<'_>) -> Result<ScoreRow, CsvError> {
    Ok(ScoreRow {
        variant: row.text("variant")?.to_owned(),
        agent: row.text("agent")?.to_owned(),
        kind: row.word("kind", &[("deal", "deal"), ("game", "game")])?,
        score: row.number("score")?,
        width: row.number("width")?,
        count: row.number("count")?,
    })
}

fn metric(row: &CsvRow<'_>) -> Result<MetricRow, CsvError> {
    let contrast = ["difference", "difference_low", "difference_high", "difference_method"];
    let has_contrast = !row.text("difference_method")?.is_empty();
    Ok(MetricRow {
        variant: row.text("variant")?.to_owned(),
        metric: row.text("metric")?.to_owned(),
        value: estimate(row, ["value", "low", "high", "method"])?,
        contrast: if has_contrast { Some(estimate(row, contrast)?) } else { None },
    })
}

/// The estimate of the columns that begin with a name.
///
/// # Errors
/// If one of them is missing, or holds what it cannot.
pub fn estimate_of(row: &CsvRow<'_>, name: &str) -> Result<Estimate, CsvError> {
    let [low, high, method] = ["low", "high", "method"].map(|end| format!("{name}_{end}"));
    estimate(row, [name, &low, &high, &method])
}

/// The estimate of four columns: value, low, high and method.
///
/// # Errors
/// If one of them is missing, or holds what it cannot.
pub fn estimate(row: &CsvRow<'_>, columns: [&str; 4]) -> Result<Estimate, CsvError> {
    let [value, low, high, method] = columns;
    let methods = Method::NAMES.map(|(name, method)| (name, Ok(method)));
    let reasons = Missing::NAMES.map(|(name, missing)| (name, Err(missing)));
    let known: Vec<(&'static str, Result<Method, Missing>)> = methods.into_iter().chain(reasons).collect();
    let interval = match row.word(method, &known)? {
        Err(missing) => Err(missing),
        Ok(method) => match (row.optional(low)?, row.optional(high)?) {
            (Some(low), Some(high)) => Ok(Interval { low, high, method }),
            _ => return Err(row.wrong(columns[3], "a method, but the interval is not there")),
        },
    };
    Ok(Estimate { value: row.optional(value)?, interval })
}

fn parse_manifest(text: &[u8]) -> Result<Run, String> {
    let manifest: Value = serde_json::from_slice(text).map_err(|error| format!("no JSON: {error}"))?;
    if manifest["program"] != env!("CARGO_PKG_NAME") {
        return Err("no manifest of a run: its `program` is not `dealt`".to_owned());
    }
    if manifest["schema"] != SCHEMA {
        let given = &manifest["schema"];
        return Err(format!("`schema` is {given}; this version of dealt reads {SCHEMA}"));
    }
    let top = Fields { value: &manifest, path: "" };
    let experiment = top.inside("experiment")?;
    let played = top.inside("played")?;
    Ok(Run {
        name: experiment.text("name")?,
        question: experiment.value["question"].as_str().map(str::to_owned),
        kind: experiment.value["kind"].as_str().unwrap_or("match").to_owned(),
        game: experiment.text("game")?,
        players: experiment.whole("players")?,
        line_ups: line_ups(&experiment)?,
        seating: experiment.text("seating")?,
        // That of a sweep differs from cell to cell.
        games_in_block: if experiment.value["kind"] == SWEEP {
            0
        } else {
            experiment.whole("games_in_block")?
        },
        seed: experiment.whole("seed")?,
        blocks: experiment.whole("blocks")?,
        confidence: confidence(&experiment)?,
        variants: variants(&experiment)?,
        version: top.text("version")?,
        commit: manifest["commit"].as_str().map(str::to_owned),
        reproducible: manifest["reproducible"].as_bool().unwrap_or(true),
        played: Played {
            complete: played.value["complete"].as_bool().unwrap_or(true),
            blocks: played.whole("blocks")?,
            games: played.whole("games")?,
            deals: played.whole("deals")?,
            decisions: played.whole("decisions")?,
        },
        experiment: experiment.value.as_object().cloned().unwrap_or_default(),
    })
}

fn confidence(experiment: &Fields<'_>) -> Result<f64, String> {
    let confidence = experiment.value["confidence"].as_f64().filter(|&level| level > 0.0 && level < 1.0);
    confidence.ok_or_else(|| experiment.wrong("confidence", "a number between 0 and 1"))
}

fn line_ups(experiment: &Fields<'_>) -> Result<Vec<Vec<Player>>, String> {
    let wrong = || experiment.wrong("line_ups", "a list of lists of agents");
    let player = |value: &Value| {
        Some(Player {
            label: value["agent"].as_str()?.to_owned(),
            parameters: value["parameters"].as_object().cloned().unwrap_or_default(),
            clairvoyant: value["clairvoyant"].as_bool().unwrap_or(false),
        })
    };
    let line_up = |value: &Value| value.as_array()?.iter().map(player).collect();
    let list = experiment.value["line_ups"].as_array().ok_or_else(wrong)?;
    list.iter().map(line_up).collect::<Option<_>>().ok_or_else(wrong)
}

fn variants(experiment: &Fields<'_>) -> Result<Vec<Variant>, String> {
    let wrong =
        || experiment.wrong("variants", "a list of at least one variant, each with `name` and `rules`");
    let variant = |value: &Value| {
        let rules = value["rules"].as_object()?.clone();
        Some(Variant { name: value["name"].as_str()?.to_owned(), rules })
    };
    let list = experiment.value["variants"].as_array().filter(|list| !list.is_empty()).ok_or_else(wrong)?;
    list.iter().map(variant).collect::<Option<_>>().ok_or_else(wrong)
}

/// The fields of an object of the manifest.
struct Fields<'m> {
    value: &'m Value,
    path: &'static str,
}

impl<'m> Fields<'m> {
    fn inside(&self, name: &'static str) -> Result<Fields<'m>, String> {
        let value = &self.value[name];
        if value.is_object() { Ok(Fields { value, path: name }) } else { Err(self.wrong(name, "an object")) }
    }

    fn text(&self, name: &str) -> Result<String, String> {
        self.value[name].as_str().map(str::to_owned).ok_or_else(|| self.wrong(name, "a text"))
    }

    fn whole(&self, name: &str) -> Result<u64, String> {
        self.value[name].as_u64().ok_or_else(|| self.wrong(name, "a whole number"))
    }

    fn wrong(&self, name: &str, wanted: &str) -> String {
        let place = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        match &self.value[name] {
            Value::Null => format!("the field `{place}` is missing; it holds {wanted}"),
            _ => format!("the field `{place}` is not {wanted}"),
        }
    }
}
