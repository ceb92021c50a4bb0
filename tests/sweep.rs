//! Sweeps, from outside: what rules change, asked of several numbers of players and several skills at once.

mod outside;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use dealt::cells::number;
use dealt::csv_table::{CsvRow, CsvTable};
use dealt::statistics::holm;
use outside::{Done, dealt, folder, write};

/// A table of a results folder: a map from columns to cells for each row.
fn rows(folder: &Path, name: &str) -> Vec<BTreeMap<String, String>> {
    let table = CsvTable::parse(name, &fs::read_to_string(folder.join(name)).unwrap()).unwrap();
    let row = |row: CsvRow<'_>| {
        row.columns().map(|column| (column.to_owned(), row.text(column).unwrap().to_owned())).collect()
    };
    table.rows().map(row).collect()
}

fn run(folder: &Path, name: &str, text: &str, more: &[&str]) -> Done {
    let file = write(folder, &format!("{name}.toml"), text);
    let out = folder.join(name);
    dealt(&[&["run", &file, "--out", out.to_str().unwrap(), "--force"], more].concat())
}

/// Two numbers of players, two skills of which one is a table, two variants of which one is not for all.
const SWEEP: &str = "\
kind = \"sweep\"
game = \"hearts\"
players = [3, 4]
rules = { deals = 1 }
seed = 5
blocks = 30
skill = [\"random\", { name = \"mixed\", agents = [\"greedy\", \"random\"], blocks = 20 }]
metrics = [\"seat_effect\", \"score_mean_deal\", \"moons\", \"branching\"]
margins = { \"seat_effect[0]\" = 0.9, branching = \"30 %\" }

[[variant]]
name = \"no pass, at last\"
rules = { pass_cycle = [] }

[[variant]]
name = \"no moon\"
rules = { moon = \"off\" }
players = 4
";

/// What the cell of so many players and this skill is as a match.
fn cell(players: u64, skill: &str) -> String {
    let (agents, blocks) = match skill {
        "random" => ("[\"random\"]", 30),
        _ => ("[\"greedy\", \"random\"]", 20),
    };
    let moon = "[[variant]]\nname = \"no moon\"\nrules = { moon = \"off\" }\n";
    let moon = if players == 4 { moon } else { "" };
    format!(
        "game = \"hearts\"\nplayers = {players}\nrules = {{ deals = 1 }}\nseed = 5\nblocks = {blocks}\nagents = {agents}\n\
         [[variant]]\nname = \"no pass, at last\"\nrules = {{ pass_cycle = [] }}\n{moon}"
    )
}

const CELLS: [(u64, &str); 4] = [(3, "random"), (3, "mixed"), (4, "random"), (4, "mixed")];

#[test]
fn each_cell_of_a_sweep_is_the_match_that_it_would_be_by_itself() {
    let folder = folder("sweep-cells");
    run(&folder, "sweep", SWEEP, &[]).fine();
    for name in ["agents.csv", "seats.csv", "pairs.csv", "scores.csv", "metrics.csv"] {
        let mut expected = Vec::new();
        for (players, skill) in CELLS {
            let file = format!("{players}-{skill}");
            if name == "agents.csv" {
                run(&folder, &file, &cell(players, skill), &[]).fine();
            }
            let text = fs::read_to_string(folder.join(&file).join(name)).unwrap();
            let mut lines = text.lines();
            let header = format!("players,skill,{}", lines.next().unwrap());
            if expected.is_empty() {
                expected.push(header);
            }
            expected.extend(lines.map(|line| format!("{players},{skill},{line}")));
        }
        assert!(expected.len() > CELLS.len(), "{name}");
        let found = fs::read_to_string(folder.join("sweep").join(name)).unwrap();
        assert!(found.lines().eq(expected.iter().map(String::as_str)), "{name}");
    }
    // The contrasts are those of the matches too.
    for row in rows(&folder.join("sweep"), "contrasts.csv") {
        let of_match = rows(&folder.join(format!("{}-{}", row["players"], row["skill"])), "metrics.csv");
        let of = |variant: &str| {
            let found =
                of_match.iter().find(|other| other["variant"] == variant && other["metric"] == row["metric"]);
            found.unwrap().clone()
        };
        let (base, own) = (of("base"), of(&row["variant"]));
        assert_eq!((&row["base"], &row["value"]), (&base["value"], &own["value"]));
        for column in ["difference", "low", "high", "method"] {
            let name =
                if column == "difference" { column.to_owned() } else { format!("difference_{column}") };
            assert_eq!(row[column], own[&name], "{row:?}");
        }
    }
}

#[test]
fn a_sweep_gives_the_same_bytes_on_any_number_of_threads() {
    let folder = folder("sweep-threads");
    for threads in ["1", "2", "4"] {
        run(&folder, threads, SWEEP, &["--threads", threads, "--records", "1"]).fine();
    }
    for name in ["manifest.json", "agents.csv", "metrics.csv", "contrasts.csv", "records.jsonl"] {
        let read = |run: &str| fs::read_to_string(folder.join(run).join(name)).unwrap();
        let normal = |run: &str| read(run).replace(&format!("\"name\": \"{run}\""), "");
        assert!(normal("1") == normal("2") && normal("1") == normal("4"), "{name}");
    }
}

#[test]
fn the_family_is_every_row_and_holm_over_the_printed_p_values_gives_the_adjusted_ones() {
    let folder = folder("sweep-holm");
    // Each deal has one jack and one ten of diamonds, so that what they are worth is known.
    let cards = "[[variant]]\nname = \"jack\"\nrules = { bonus_cards = { JD = -10 } }\n\
                 [[variant]]\nname = \"ten\"\nrules = { bonus_cards = { TD = 4 } }\n";
    run(&folder, "sweep", &format!("{SWEEP}{cards}"), &[]).fine();
    let rows = rows(&folder.join("sweep"), "contrasts.csv");
    // Three or four seats and three more metrics; three variants with three players, four with four; two skills.
    assert_eq!(rows.len(), 2 * (3 * 6 + 4 * 7));
    check_holm(&rows, "p", "p_holm");
    let with_margin: Vec<_> = rows.iter().filter(|row| !row["margin"].is_empty()).cloned().collect();
    assert_eq!(with_margin.len(), 2 * (3 * 2 + 4 * 2));
    check_holm(&with_margin, "equivalence_p", "equivalence_p_holm");
    for row in &rows {
        assert_eq!(row["family"], rows.len().to_string());
        let small = |column: &str| row[column].parse::<f64>().is_ok_and(|p| p <= 0.05);
        let difference: f64 = row["difference"].parse().unwrap();
        let expected = match (small("equivalence_p_holm"), small("p_holm"), row["verdict"].as_str()) {
            (true, ..) => "equivalent",
            (_, true, _) if difference > 0.0 => "more",
            (_, true, _) => "less",
            (.., "same") => "same",
            _ => "undecided",
        };
        assert_eq!(row["verdict"], expected, "{row:?}");
    }
    let is_ten = |row: &&BTreeMap<String, String>| row["variant"] == "ten" && row["skill"] == "random";
    for row in rows.iter().filter(is_ten).filter(|row| row["metric"] == "score_mean_deal") {
        let (players, blocks): (f64, f64) = (row["players"].parse().unwrap(), row["blocks"].parse().unwrap());
        assert_eq!(row["difference"], number(4.0 / players));
        // All blocks differ by the same; that all have the same sign is all that can be tested.
        assert_eq!((row["method"].as_str(), row["verdict"].as_str()), ("no_spread", "more"));
        assert!((row["p"].parse::<f64>().unwrap() / (1.0 - blocks).exp2() - 1.0).abs() < 1e-5);
    }
    for verdict in ["more", "less", "equivalent", "same", "undecided"] {
        assert!(rows.iter().any(|row| row["verdict"] == verdict), "none is {verdict}");
    }
}

/// The steps of Holm's procedure, done by hand: the least of n is multiplied by n, the next by n − 1, and so on, and none is
/// below one before it. What could not be tested counts, too.
fn check_holm(rows: &[BTreeMap<String, String>], column: &str, adjusted: &str) {
    let mut sorted: Vec<(f64, &str)> =
        rows.iter().map(|row| (row[column].parse().unwrap_or(1.0), row[adjusted].as_str())).collect();
    sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut least: f64 = 0.0;
    for (place, (p, found)) in sorted.iter().enumerate() {
        least = least.max((p * (rows.len() - place) as f64).min(1.0));
        let found: f64 = found.parse().unwrap_or(1.0);
        assert!((found - least).abs() <= 1e-5 * least.max(0.1), "{p}: {found}, not {least}");
    }
    let p_values: Vec<f64> = sorted.iter().map(|(p, _)| *p).collect();
    assert!(
        holm::adjusted(&p_values)
            .iter()
            .zip(&sorted)
            .all(|(one, (_, other))| { (one - other.parse().unwrap_or(1.0)).abs() < 1e-4 })
    );
}
