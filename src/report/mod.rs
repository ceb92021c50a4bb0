//! A page that shows a results folder to a person: one file that needs no network, and no script but to step through
//! games.
//!
//! Everything on it is read from the folder, so a page can be made long after the run, and made again with the same
//! bytes. A table that is not there is a section that is not there. The page never weighs more than [`MOST_BYTES`]: what
//! could grow without end (rows, plots, games) is shown up to a number, and the page says what it leaves off.
//!
//! The files, each building on those before it:
//!
//! - `markup`: HTML that is well formed, and in which text is only text
//! - `numbers` and `names`: numbers in a typesetter's signs, metrics in words
//! - `axis`, `svg`: scales and shapes
//! - `forest`, `histogram`, `lengths`, `trace`: plots, from rows to SVG
//! - `table`, `caption`: tables, and what stands below a figure
//! - `again`: the experiment file that a manifest amounts to
//! - `overview`, `agents`, `variants`, `cards`, `course`, `study`, `sweep`: sections of the page
//! - `scene`, `games`: sample games
//! - `page`: all of it, in order, with `report.css` and `report.js`

mod again;
mod agents;
mod axis;
mod caption;
mod cards;
mod course;
mod forest;
mod games;
mod histogram;
mod lengths;
mod markup;
mod names;
mod numbers;
mod overview;
mod page;
mod scene;
mod study;
mod svg;
mod sweep;
mod table;
mod trace;
mod variants;

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use dealt_agents::{GameVisitor, SearchGame, with_game};
use dealt_engine::Rules;
use serde_json::{Map, Value};

use crate::record::Fault;
use crate::results::read::{self, ReadError, Results};

/// The most that a page weighs.
pub const MOST_BYTES: usize = 2_000_000;

/// Why there is no page.
#[derive(Debug)]
pub enum ReportError {
    /// The folder cannot be read as a run.
    Read(ReadError),
    /// A record of the folder is broken: the file, the line from 1, and what is wrong in it.
    Record(PathBuf, u64, Fault),
    /// A file cannot be read or written.
    Io(&'static str, PathBuf, io::Error),
    /// The page would be too large, in bytes, which no folder that a run writes should bring about.
    TooLarge(usize),
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReportError::Read(error) => error.fmt(f),
            ReportError::Record(path, line, fault) => write!(f, "{}: line {line}: {fault}", path.display()),
            ReportError::Io(doing, path, error) => write!(f, "cannot {doing} {}: {error}", path.display()),
            ReportError::TooLarge(bytes) => {
                write!(f, "the page would weigh {bytes} bytes; at most {MOST_BYTES} are allowed")
            }
        }
    }
}

impl std::error::Error for ReportError {}

/// The page of a results folder.
///
/// # Errors
/// If the folder holds no run, or a file of it is broken.
pub fn page(folder: &Path) -> Result<String, ReportError> {
    let results = read::read(folder).map_err(ReportError::Read)?;
    let studies = study::read(folder).map_err(ReportError::Read)?;
    let forfeits = read::rows(folder, "forfeits.csv", |row| row.text("agent").map(str::to_owned));
    let forfeits = forfeits.map_err(ReportError::Read)?;
    page::page(&Context::new(&results, studies, &forfeits))
}

/// What sections draw from.
struct Context<'r> {
    results: &'r Results,
    /// What courses of study found.
    studies: study::Studies,
    /// How often each agent forfeited a game.
    forfeits: BTreeMap<String, u64>,
    /// The rules of the game that nobody changed; none if the game is not known.
    defaults: Map<String, Value>,
    /// Whether the lowest total wins.
    lowest_wins: Option<bool>,
}

impl<'r> Context<'r> {
    fn new(results: &'r Results, studies: study::Studies, forfeited: &[String]) -> Context<'r> {
        struct Facts;
        impl GameVisitor for Facts {
            type Output = (Map<String, Value>, bool);
            fn visit<G: SearchGame>(self) -> Self::Output {
                (G::Rules::default().to_map(), G::LOWEST_WINS)
            }
        }
        let facts = with_game(&results.run.game, Facts);
        let lowest_wins = facts.as_ref().map(|(_, lowest_wins)| *lowest_wins);
        let defaults = facts.map(|(defaults, _)| defaults).unwrap_or_default();
        let mut forfeits = BTreeMap::new();
        for agent in forfeited {
            *forfeits.entry(agent.clone()).or_insert(0) += 1;
        }
        Context { results, studies, forfeits, defaults, lowest_wins }
    }

    /// Whether several sets of rules were played.
    fn has_variants(&self) -> bool {
        self.results.run.variants.len() > 1
    }

    /// What wins.
    fn aim(&self) -> &'static str {
        match self.lowest_wins {
            Some(true) => "; the lowest total wins",
            Some(false) => "; the highest total wins",
            None => "",
        }
    }

    /// Which scores are good.
    fn better(&self) -> &'static str {
        match self.lowest_wins {
            Some(true) => " (low is good)",
            Some(false) => " (high is good)",
            None => "",
        }
    }
}
