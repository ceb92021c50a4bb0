//! Ratings over results folders: one scale for all agents of any number of runs of one game.
//!
//! The order in which each game ended is read from `games.csv`, block by block. Runs with the same seed share their cards, so
//! blocks of the same number of such runs are one observation. Each variant is rated by itself; variants of the
//! same name must have the same rules in all runs.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use dealt_engine::MAX_PLAYERS;
use dealt_engine::rules::{nearest, plain};

use crate::Variant;
use crate::cells::{number, optional, write_row};
use crate::csv_table::{CsvError, CsvRow};
use crate::estimate::{Estimate, Interval, Method, Missing};
use crate::figures::{self, count, counted, signed};
use crate::report_table::table;
use crate::results::read::{ReadError, SWEEP, read, rows};
use crate::statistics::quantile;
use crate::statistics::ratings::{Anchor, ELO, Games, Ranking, Ratings, Settings, rate};

/// The name of the table.
pub const RATINGS: &str = "ratings.csv";
/// The agent whose rating is 0, if it is there and no other was named.
const USUAL_ANCHOR: &str = "random";
/// Its columns.
const COLUMNS: [&str; 10] = [
    "variant",
    "agent",
    "games",
    "blocks",
    "rating",
    "rating_low",
    "rating_high",
    "rating_method",
    "confidence",
    "group",
];

/// What is asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The results folders.
    pub folders: Vec<PathBuf>,
    /// The agent whose rating is 0; if none is named, `random` if it plays, else the mean of all.
    pub anchor: Option<String>,
    /// How many samples of blocks are drawn for the errors.
    pub samples: u32,
    /// The seed of these samples.
    pub seed: u64,
    /// The confidence level of the intervals.
    pub confidence: f64,
}

/// The ratings of the agents under all variants.
#[derive(Clone, PartialEq, Debug)]
pub struct Rated {
    /// The game.
    pub game: String,
    /// How many runs they are from.
    pub runs: usize,
    /// The ratings under each variant.
    pub variants: Vec<RatedVariant>,
    /// The confidence level of the intervals.
    pub confidence: f64,
}

/// The ratings of the agents under one variant.
#[derive(Clone, PartialEq, Debug)]
pub struct RatedVariant {
    /// The variant's name.
    pub name: String,
    /// Different blocks.
    pub blocks: usize,
    /// Games.
    pub games: u64,
    /// Whose rating is 0; `None` if the mean is.
    pub anchor: Option<String>,
    /// The agents, the best first.
    pub agents: Vec<RatedAgent>,
    /// How many Elo a seat is worth beyond the mean of all seats, counted from the one that acts first.
    pub seats: Vec<Estimate>,
    /// For each number of players that tied somewhere, how common that is (δ of the model).
    pub ties: Vec<(usize, f64)>,
}

/// An agent with its rating.
#[derive(Clone, PartialEq, Debug)]
pub struct RatedAgent {
    /// The agent's label.
    pub agent: String,
    /// Games in which it played.
    pub games: u64,
    /// In Elo, against the anchor.
    pub rating: Estimate,
    /// Agents of the same number are connected by games; ratings of others cannot be compared with theirs.
    pub group: usize,
}

/// Why there are no ratings.
#[derive(Debug)]
pub enum RatingError {
    /// A folder cannot be read.
    Read(ReadError),
    /// A folder has no table of games.
    NoGames(PathBuf),
    /// The folders do not go together, or the request does not fit them; why not.
    Wrong(String),
}

impl fmt::Display for RatingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RatingError::Read(error) => error.fmt(f),
            RatingError::NoGames(folder) => write!(
                f,
                "{} has no games.csv, which ratings are made of; play it again with --games-csv",
                folder.display()
            ),
            RatingError::Wrong(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for RatingError {}

impl From<ReadError> for RatingError {
    fn from(error: ReadError) -> RatingError {
        RatingError::Read(error)
    }
}

/// Rates the agents of some results folders.
///
/// # Errors
/// If a folder holds no run or no games, the runs are of different games or rules, there is only one agent, or the anchor
/// is none of the agents.
pub fn ratings(request: &Request) -> Result<Rated, RatingError> {
    let mut fields: Vec<Field> = Vec::new();
    let mut game: Option<(String, &Path)> = None;
    for (number, folder) in request.folders.iter().enumerate() {
        let run = read(folder)?.run;
        if run.kind == SWEEP {
            let folder = folder.display();
            return Err(RatingError::Wrong(format!(
                "{folder} is a sweep, which has no games.csv; play the cell whose agents are to be rated as a match"
            )));
        }
        let is_same = |other: &&PathBuf| fs::canonicalize(other).ok() == fs::canonicalize(folder).ok();
        if let Some(same) = request.folders[..number].iter().find(is_same) {
            let (same, folder) = (same.display(), folder.display());
            return Err(RatingError::Wrong(format!(
                "{same} and {folder} are one folder; each run counts once"
            )));
        }
        match &game {
            Some((first, path)) if *first != run.game => {
                let (path, other) = (path.display(), folder.display());
                let message =
                    format!("{path} is of {first}, {other} of {}; runs of one game are rated", run.game);
                return Err(RatingError::Wrong(message));
            }
            _ => game = Some((run.game.clone(), folder)),
        }
        for variant in &run.variants {
            Field::find_or_add(&mut fields, variant, folder)?;
        }
        let seats = rows(folder, "games.csv", Seat::read)?;
        if !folder.join("games.csv").exists() {
            return Err(RatingError::NoGames(folder.clone()));
        }
        let games = seats.chunk_by(|one, next| one.game == next.game).count() as u64;
        if games != run.played.games {
            let (held, played) = (counted(games, "game"), count(run.played.games));
            let what = format!("{held}, where {played} were played; it is not whole");
            return Err(strange(folder, &what));
        }
        for game in seats.chunk_by(|one, next| one.game == next.game && one.variant == next.variant) {
            let field = fields.iter_mut().find(|field| field.variant.name == game[0].variant);
            let field = field.ok_or_else(|| strange(folder, "a variant that its manifest does not name"))?;
            field.add(run.seed, game).map_err(|what| strange(folder, what))?;
        }
    }
    let variants = fields.iter().map(|field| field.rate(request)).collect::<Result<Vec<_>, _>>()?;
    let game = game.map(|(game, _)| game).unwrap_or_default();
    Ok(Rated { game, runs: request.folders.len(), variants, confidence: request.confidence })
}

fn strange(folder: &Path, what: &str) -> RatingError {
    RatingError::Wrong(format!("{}: games.csv has {what}", folder.display()))
}

/// A row of `games.csv`, as far as it matters here.
struct Seat {
    variant: String,
    block: u64,
    game: u64,
    from_leader: usize,
    agent: String,
    /// Twice the place.
    place: u64,
}

impl Seat {
    fn read(row: &CsvRow<'_>) -> Result<Seat, CsvError> {
        let place: f64 = row.number("place")?;
        if !(1.0..=MAX_PLAYERS as f64).contains(&place) {
            return Err(row.wrong("place", "no place"));
        }
        Ok(Seat {
            variant: row.text("variant")?.to_owned(),
            block: row.number("block")?,
            game: row.number("game")?,
            from_leader: row.number("seat_from_leader")?,
            agent: row.text("agent")?.to_owned(),
            place: (place * 2.0) as u64,
        })
    }
}

/// The games of a variant, from all runs.
struct Field {
    variant: Variant,
    /// A folder that has it, for errors.
    folder: PathBuf,
    /// The agents by their labels, in the order of their first games.
    agents: Vec<String>,
    /// Block numbers by seed and block.
    blocks: BTreeMap<(u64, u64), usize>,
    /// The block of each game with its ranking.
    games: Vec<(usize, Ranking)>,
}

impl Field {
    /// Finds the variant of a name, or adds it.
    fn find_or_add(fields: &mut Vec<Field>, variant: &Variant, folder: &Path) -> Result<(), RatingError> {
        let Some(known) = fields.iter().find(|field| field.variant.name == variant.name) else {
            let (variant, folder) = (variant.clone(), folder.to_owned());
            fields.push(Field {
                variant,
                folder,
                agents: Vec::new(),
                blocks: BTreeMap::new(),
                games: Vec::new(),
            });
            return Ok(());
        };
        let mine = &known.variant.rules;
        let other = variant.rules.iter().find(|&(key, value)| mine.get(key) != Some(value));
        let Some((key, value)) = other else { return Ok(()) };
        let shown = |value: Option<&serde_json::Value>| value.map_or_else(|| "nothing".to_owned(), plain);
        Err(RatingError::Wrong(format!(
            "under the variant `{}` the rule `{key}` is {} in {} and {} in {}; runs of the same rules are rated together",
            variant.name,
            shown(mine.get(key)),
            known.folder.display(),
            shown(Some(value)),
            folder.display()
        )))
    }

    /// Adds a game, or says what is wrong with it.
    fn add(&mut self, seed: u64, seats: &[Seat]) -> Result<(), &'static str> {
        const SEATS: &str = "a game without all of its seats";
        let players = seats.len();
        let (mut agents, mut places) = (vec![0; players], vec![0; players]);
        for seat in seats {
            let known = self.agents.iter().position(|agent| *agent == seat.agent);
            let agent = known.unwrap_or_else(|| {
                self.agents.push(seat.agent.clone());
                self.agents.len() - 1
            });
            let agent = u8::try_from(agent).map_err(|_| "the 257th agent; at most 256 are rated together")?;
            *agents.get_mut(seat.from_leader).ok_or(SEATS)? = agent;
            *places.get_mut(seat.from_leader).ok_or(SEATS)? = seat.place;
        }
        if places.contains(&0) || self.games.first().is_some_and(|(_, first)| first.agents.len() != players) {
            return Err(SEATS);
        }
        let next = self.blocks.len();
        let block = *self.blocks.entry((seed, seats[0].block)).or_insert(next);
        self.games.push((block, Ranking::new(agents, &places)));
        Ok(())
    }

    fn rate(&self, request: &Request) -> Result<RatedVariant, RatingError> {
        let players = self.games.first().map_or(0, |(_, ranking)| ranking.agents.len());
        let mut games = Games::new(self.agents.len(), players);
        self.games.iter().for_each(|(block, ranking)| games.add(*block, ranking.clone()));
        if self.agents.len() < 2 {
            let message = format!("{} has one agent alone; at least two are rated", self.folder.display());
            return Err(RatingError::Wrong(message));
        }
        let anchor = self.anchor(request)?;
        let settings = Settings {
            anchor: anchor.map_or(Anchor::Mean, Anchor::Agent),
            ghost: true,
            samples: request.samples,
            seed: request.seed,
        };
        let ratings = rate(&games, &settings);
        let interval = Intervals::new(games.blocks(), request.confidence);
        let (of_agents, groups) = (games.games_of(), games.groups());
        let agent = |(agent, label): (usize, &String)| RatedAgent {
            agent: label.clone(),
            games: of_agents[agent],
            rating: match anchor == Some(agent) {
                true => Estimate {
                    value: Some(0.0),
                    interval: Ok(Interval { low: 0.0, high: 0.0, method: Method::Exact }),
                },
                false => interval
                    .estimate(ratings.strengths[agent], ratings.errors.as_ref().map(|errors| errors[agent])),
            },
            group: groups[agent],
        };
        let mut agents: Vec<RatedAgent> = self.agents.iter().enumerate().map(agent).collect();
        number_groups(&mut agents);
        agents.sort_by(|one, other| {
            other.rating.value.unwrap_or(0.0).total_cmp(&one.rating.value.unwrap_or(0.0))
        });
        Ok(RatedVariant {
            name: self.variant.name.clone(),
            blocks: games.blocks(),
            games: self.games.len() as u64,
            anchor: anchor.map(|agent| self.agents[agent].clone()),
            agents,
            seats: seats(&ratings, &interval),
            ties: ratings.ties,
        })
    }

    /// The place of the agent whose rating is 0; `None` for the mean of all.
    fn anchor(&self, request: &Request) -> Result<Option<usize>, RatingError> {
        let wanted = request.anchor.as_deref().unwrap_or(USUAL_ANCHOR);
        let place = self.agents.iter().position(|agent| agent == wanted);
        if place.is_some() || request.anchor.is_none() {
            return Ok(place);
        }
        let known = || self.agents.iter().map(String::as_str);
        let hint =
            nearest(wanted, known()).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        let list: Vec<&str> = known().collect();
        let message = format!("--anchor: no agent `{wanted}` plays; accepted: {}{hint}", list.join(", "));
        Err(RatingError::Wrong(message))
    }
}

fn seats(ratings: &Ratings, interval: &Intervals) -> Vec<Estimate> {
    let error = |seat: usize| ratings.seat_errors.as_ref().map(|errors| errors[seat]);
    ratings.seats.iter().enumerate().map(|(seat, &effect)| interval.estimate(effect, error(seat))).collect()
}

/// Numbers the groups from 1 up.
fn number_groups(agents: &mut [RatedAgent]) {
    let mut groups: Vec<usize> = agents.iter().map(|agent| agent.group).collect();
    groups.sort_unstable();
    groups.dedup();
    for agent in agents {
        agent.group = groups.partition_point(|&group| group < agent.group) + 1;
    }
}

/// Makes intervals of standard errors.
struct Intervals {
    blocks: usize,
    /// Student's quantile; none for fewer than two blocks.
    t: Option<f64>,
}

impl Intervals {
    fn new(blocks: usize, confidence: f64) -> Intervals {
        Intervals { blocks, t: (blocks > 1).then(|| quantile::student(confidence, blocks as u64 - 1)) }
    }

    /// A strength in Elo.
    fn estimate(&self, strength: f64, error: Option<f64>) -> Estimate {
        let value = strength * ELO;
        let half = self.t.zip(error).map(|(t, error)| t * error * ELO);
        let interval = half.map(|half| Interval {
            low: value - half,
            high: value + half,
            method: Method::BlockBootstrap,
        });
        let why = if self.blocks < 2 { Missing::TooFewBlocks } else { Missing::NoSpread };
        Estimate { value: Some(value), interval: interval.ok_or(why) }
    }
}

impl Rated {
    /// The text of `ratings.csv`.
    #[must_use]
    pub fn table(&self) -> Vec<u8> {
        let mut out = Vec::new();
        write_row(&mut out, COLUMNS);
        for variant in &self.variants {
            for agent in &variant.agents {
                let ends = agent.rating.interval.ok();
                let row = [
                    variant.name.clone(),
                    agent.agent.clone(),
                    agent.games.to_string(),
                    variant.blocks.to_string(),
                    optional(agent.rating.value),
                    optional(ends.map(|interval| interval.low)),
                    optional(ends.map(|interval| interval.high)),
                    agent.rating.method().to_owned(),
                    number(self.confidence),
                    agent.group.to_string(),
                ];
                write_row(&mut out, row.iter().map(String::as_str));
            }
        }
        out
    }

    /// The first line of such a text, by which it is known.
    #[must_use]
    pub fn header() -> Vec<u8> {
        let mut out = Vec::new();
        write_row(&mut out, COLUMNS);
        out
    }

    /// The ratings as a person reads them.
    #[must_use]
    pub fn text(&self) -> String {
        let runs = counted(self.runs as u64, "run");
        let mut text = format!("Ratings in {}, from {runs}\n", self.game);
        for variant in &self.variants {
            if self.variants.len() > 1 {
                text += &format!("\nVariant {}", variant.name);
            }
            text += &variant.text();
        }
        text += &format!(
            "\nRatings are Elo on the scale of games of two: 400 more are odds of ten to one. Intervals hold with {} % \
             confidence; the blocks are the observations.\n",
            self.confidence * 100.0
        );
        text
    }
}

impl RatedVariant {
    fn text(&self) -> String {
        let (blocks, games) = (counted(self.blocks as u64, "block"), counted(self.games, "game"));
        let mut lines = vec![["agent", "games", "rating"].map(str::to_owned).to_vec()];
        for agent in &self.agents {
            let is_anchor = agent.rating.interval.is_ok_and(|interval| interval.method == Method::Exact);
            let rating = if is_anchor { "0".to_owned() } else { signed(&agent.rating) };
            lines.push(vec![agent.agent.clone(), count(agent.games), rating]);
        }
        let mut text = format!("\n{}  ({blocks}, {games})\n\n", table(&lines));
        let zero = self.anchor.as_ref().map_or("The mean of all agents", String::as_str);
        text += &format!("{zero} is 0.");
        let seats: Vec<String> = self.seats.iter().map(signed).collect();
        text += &format!(" A seat, counted from the one that acts first, is worth: {}.", seats.join(", "));
        for (size, common) in &self.ties {
            text += &format!(" Ties of {size}: delta {}.", figures::number(*common, 3));
        }
        text.push('\n');
        if self.agents.iter().any(|agent| agent.group != self.agents[0].group) {
            text += "Some agents are connected by no games: only ratings of one group (ratings.csv) can be compared.\n";
        }
        text
    }
}
