//! The kinds of experiment: which keys each has besides those of all, and how it is read.

use dealt::experiment::Experiment;
use dealt::study::Study;
use dealt::study::compare::Compare;

use super::{Node, experiment, line_ups, pairs, sprt, sweep, tune};
use crate::failure::{Failure, accepted};

/// A kind of experiment. A new one is a file of `study`, and an entry of [`KINDS`].
pub(super) struct Kind {
    /// What the key `kind` calls it.
    name: &'static str,
    /// Its own keys.
    pub(super) keys: &'static [&'static str],
    /// Reads a file whose keys are known to be those of all kinds or its own. The text is the name of the experiment if
    /// the file gives none; what is decided for the user is added to the notes.
    pub(super) settle: Settle,
}

/// Reads an experiment file of a kind.
type Settle = fn(&Node, &str, &mut Vec<String>) -> Result<Box<dyn Study>, Failure>;

/// Every kind; the first is the one of files that do not say.
const KINDS: &[Kind] = &[
    Kind { name: "match", keys: &["agents", "line_ups", "variant", "detect"], settle: a_match },
    Kind { name: "tournament", keys: &["agents", "lineup", "variant", "detect"], settle: tournament },
    Kind { name: "gauntlet", keys: &["agent", "opponents", "lineup", "variant", "detect"], settle: gauntlet },
    Kind {
        name: "ladder",
        keys: &["agent", "parameter", "from", "to", "opponent", "lineup", "variant", "detect"],
        settle: ladder,
    },
    Kind { name: "sprt", keys: &["agents", "lineup", "sprt"], settle: sprt::settle },
    Kind { name: "tune", keys: &["agent", "tune"], settle: tune::settle },
    Kind { name: "sweep", keys: sweep::KEYS, settle: sweep::settle },
];

impl Kind {
    /// The kind of an experiment file.
    pub(super) fn of(table: &Node) -> Result<&'static Kind, Failure> {
        let Some(node) = table.get("kind") else { return Ok(&KINDS[0]) };
        let name = node.text("kind", &accepted("", KINDS.iter().map(|kind| kind.name)))?;
        let found = KINDS.iter().find(|kind| kind.name == name);
        found.ok_or_else(|| node.refuse("kind", &accepted(name, KINDS.iter().map(|kind| kind.name))))
    }

    /// Whose the keys are, for an error.
    pub(super) fn owner(&self) -> String {
        match self.name {
            "match" => "an experiment".to_owned(),
            name => format!("an experiment of the kind `{name}`"),
        }
    }
}

fn a_match(table: &Node, name: &str, notes: &mut Vec<String>) -> Result<Box<dyn Study>, Failure> {
    compare(table, experiment(table, name, notes, line_ups)?)
}

fn tournament(table: &Node, name: &str, notes: &mut Vec<String>) -> Result<Box<dyn Study>, Failure> {
    compare(table, experiment(table, name, notes, pairs::of_a_tournament)?)
}

fn gauntlet(table: &Node, name: &str, notes: &mut Vec<String>) -> Result<Box<dyn Study>, Failure> {
    compare(table, experiment(table, name, notes, pairs::of_a_gauntlet)?)
}

fn ladder(table: &Node, name: &str, notes: &mut Vec<String>) -> Result<Box<dyn Study>, Failure> {
    compare(table, experiment(table, name, notes, pairs::of_a_ladder)?)
}

fn compare(table: &Node, experiment: Experiment) -> Result<Box<dyn Study>, Failure> {
    const ACCEPTS: &str = "a difference of win shares above 0, at most 1, such as 0.05";
    let detect = match table.get("detect") {
        None => Compare::DETECT,
        Some(node) => {
            let detect = node.number("detect", ACCEPTS)?;
            (detect > 0.0 && detect <= 1.0).then_some(detect).ok_or_else(|| node.refuse("detect", ACCEPTS))?
        }
    };
    Ok(Box::new(Compare::new(experiment).planning_for(detect)))
}
