//! Sweeps, from outside: what rules change, asked of several numbers of players and several skills at once.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::outside::{Done, dealt, folder, write};
use dealt::cells::number;
use dealt::csv_table::{CsvRow, CsvTable};
use dealt::experiment::Experiment;
use dealt::recorder::NoRecorder;
use dealt::run::play;
use dealt::statistics::holm;
use dealt::study::sweep::contrast::{Margin, Verdict};
use dealt::study::sweep::{Cell, Sweep, Terms};
use dealt::study::{Study, pursue};
use dealt::watch::{NoSink, NoWatch, Progress, Watch};
use dealt::{OnFault, Outputs, Seating, Variant};
use dealt_agents::AgentSpec;
use serde_json::{Value, json};

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
    let text = SWEEP.replace("\"moons\"", "\"moons\", \"moons_added\"");
    run(&folder, "sweep", &format!("{text}{cards}"), &[]).fine();
    let rows = rows(&folder.join("sweep"), "contrasts.csv");
    // Three or four seats and four more metrics; three variants with three players, four with four; two skills.
    assert_eq!(rows.len(), 2 * (3 * 7 + 4 * 8));
    assert!(rows.iter().any(|row| row["p"].is_empty()));
    check_holm(&rows, "p", "p_holm");
    let with_margin: Vec<_> = rows.iter().filter(|row| !row["margin"].is_empty()).cloned().collect();
    assert_eq!(with_margin.len(), 2 * (3 * 2 + 4 * 2));
    check_holm(&with_margin, "equivalence_p", "equivalence_p_holm");
    for row in &rows {
        assert_eq!(row["family"], rows.len().to_string());
        let small = |column: &str| row[column].parse::<f64>().is_ok_and(|p| p <= 0.05);
        let difference: f64 = row["difference"].parse().unwrap_or(0.0);
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

/// A sweep of hearts for three and four that play at random, one deal a game. Its variants change by each of these rules.
fn at_random(seed: u64, blocks: u64, rules: &[(&str, Value)], terms: Terms) -> Sweep {
    let cell = |players: usize| {
        let variant = |name: &str, (key, value): (&str, Value)| {
            let mut map = serde_json::Map::new();
            let common = json!({ "players": players, "decks": 1, "deals": 1, "pass_cycle": [1] });
            map.extend(common.as_object().unwrap().clone());
            map.insert(key.to_owned(), value);
            Variant { name: name.to_owned(), rules: map }
        };
        let base = variant(Variant::BASE, ("deals", json!(1)));
        let others = rules.iter().map(|(key, value)| variant(key, (*key, value.clone())));
        let random = AgentSpec::parse("random", "cancellation-hearts").unwrap();
        let experiment = Experiment {
            name: "sweep".to_owned(),
            question: None,
            game: "cancellation-hearts".to_owned(),
            variants: std::iter::once(base).chain(others).collect(),
            line_ups: vec![vec![random; players]],
            seating: Seating::Rotate,
            seed,
            blocks,
            confidence: 0.95,
            on_fault: OnFault::Stop,
            outputs: Outputs::default(),
        };
        Cell { skill: "random".to_owned(), experiment }
    };
    Sweep::new(vec![cell(3), cell(4)], terms)
}

fn terms(metrics: &[&str], margins: &[(&str, Margin)]) -> Terms {
    Terms {
        metrics: metrics.iter().map(|&name| name.to_owned()).collect(),
        margins: margins.iter().map(|&(name, margin)| (name.to_owned(), margin)).collect(),
    }
}

/// For those who pass and play at random it makes no difference to whom they pass, though every game goes another way.
#[test]
fn a_rule_that_makes_no_difference_gets_no_verdict_in_95_of_100_seeds_and_a_wide_margin_shows_it() {
    let metrics = ["seat_effect", "score_mean_deal", "score_sd_deal", "branching", "hearts_broken_in"];
    let margins = [("branching", Margin::Percent(10.0)), ("seat_effect", Margin::Own(0.01))];
    let rules = [("pass_cycle", json!([-1])), ("bonus_cards", json!({ "JD": 2 }))];
    let (mut alarms, mut equivalent, mut too_narrow) = (0, 0, 0);
    for seed in 0..100 {
        let mut sweep = at_random(seed, 60, &rules, terms(&metrics, &margins));
        pursue::<NoRecorder>(&mut sweep, NonZeroUsize::new(2).unwrap(), &mut NoSink, &NoWatch).unwrap();
        let (none, some): (Vec<_>, Vec<_>) =
            sweep.contrasts().into_iter().partition(|contrast| contrast.variant == "pass_cycle");
        let is_shown = |verdict: Verdict| matches!(verdict, Verdict::More | Verdict::Less);
        alarms += u64::from(none.iter().any(|contrast| is_shown(contrast.verdict)));
        let all_alike = |metric: &str| {
            let mut of_metric = none.iter().filter(|contrast| contrast.metric.starts_with(metric));
            of_metric.all(|contrast| contrast.verdict == Verdict::Equivalent)
        };
        equivalent += u64::from(all_alike("branching"));
        too_narrow += u64::from(all_alike("seat_effect"));
        // Other games were played.
        let mut branching = none.iter().filter(|contrast| contrast.metric == "branching");
        assert!(branching.all(|contrast| contrast.difference.value != Some(0.0)));
        // A card that costs two points costs them.
        let mut cost = some.iter().filter(|contrast| contrast.metric == "score_mean_deal");
        assert!(cost.all(|contrast| contrast.verdict == Verdict::More), "{some:?}");
    }
    assert!(alarms <= 5, "{alarms} of 100");
    assert!(equivalent >= 95 && too_narrow == 0, "{equivalent} and {too_narrow} of 100");
}

#[test]
fn a_sweep_given_the_same_tallies_once_more_asks_for_the_same_stages_and_finds_the_same() {
    let new = || at_random(3, 12, &[("pass_cycle", json!([]))], terms(&["branching"], &[]));
    let mut first = new();
    let mut stages = Vec::new();
    while let Some(stage) = first.next() {
        let played = play::<NoRecorder>(&stage, None, NonZeroUsize::MIN, &mut NoSink, &NoWatch).unwrap();
        first.take(&played);
        stages.push((stage, played));
    }
    assert_eq!(stages.iter().map(|(stage, _)| stage.experiment.players()).collect::<Vec<_>>(), [3, 4]);
    let mut second = new();
    for (stage, played) in &stages {
        assert_eq!(second.next().as_ref(), Some(stage));
        second.take(played);
    }
    assert_eq!(second.next(), None);
    assert_eq!(first.findings(), second.findings());
    assert!(first.findings().complete);
    assert_eq!(first.findings().effort.games, first.games());
}

/// Wants to stop after so many games of all cells.
struct Stopper(u64, AtomicU64);

impl Watch for Stopper {
    fn advanced(&self, progress: &Progress<'_>) {
        assert_eq!(progress.games_wanted, 2 * 2 * 12);
        self.1.store(progress.games, Ordering::Relaxed);
    }

    fn wants_to_stop(&self) -> bool {
        self.1.load(Ordering::Relaxed) >= self.0
    }
}

#[test]
fn a_sweep_that_is_stopped_tells_of_the_cells_that_were_played() {
    for (games, cells) in [(2, 1), (24, 1), (26, 2), (30, 2)] {
        let mut sweep = at_random(3, 12, &[("pass_cycle", json!([]))], terms(&["branching"], &[]));
        let stopper = Stopper(games, AtomicU64::new(0));
        pursue::<NoRecorder>(&mut sweep, NonZeroUsize::MIN, &mut NoSink, &stopper).unwrap();
        let findings = sweep.findings();
        assert!(!findings.complete && findings.effort.games == games, "{games}: {findings:?}");
        let begun = format!("\nThe run was stopped: {cells} of 2 cells were begun.\n");
        assert!(findings.text.ends_with(&begun), "{}", findings.text);
        let contrasts = sweep.contrasts();
        assert_eq!(contrasts.len(), cells);
        assert!(contrasts.iter().all(|contrast| contrast.family == cells as u64));
        // Between two cells it could go on; in the middle of one it could not.
        assert_eq!(sweep.next().is_some(), games == 24);
    }
}

/// Every cell of every table of a folder is finite, and so is what was printed.
#[track_caller]
fn finite(folder: &Path, said: &str) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "csv") {
            let text = fs::read_to_string(&path).unwrap();
            let is_bad = |cell: &str| ["nan", "inf", "-inf"].contains(&cell.to_lowercase().as_str());
            assert!(!text.split([',', '\n']).any(is_bad), "{}", path.display());
        }
    }
    assert!(!said.contains("NaN") && !said.contains("inf "), "{said}");
}

#[test]
fn one_block_and_what_never_happened_are_undecided_and_say_why() {
    let folder = folder("sweep-tiny");
    let one = SWEEP.replace("blocks = 30", "blocks = 1").replace("blocks = 20", "blocks = 1");
    let said = run(&folder, "one", &one, &[]).fine();
    finite(&folder.join("one"), &said);
    assert!(
        said.contains("too few blocks for an interval") && said.contains("nothing is shown to change"),
        "{said}"
    );
    for row in rows(&folder.join("one"), "contrasts.csv") {
        let cells = ["p", "p_holm", "equivalence_p", "equivalence_p_holm", "low", "high"];
        assert!(cells.iter().all(|column| row[*column].is_empty()), "{row:?}");
        assert_eq!((row["verdict"].as_str(), row["method"].as_str()), ("undecided", "too_few_blocks"));
    }
    // Nobody shoots the moon, so it is never added to the others.
    let never = SWEEP
        .replace("\"moons\"", "\"moons\", \"moons_added\"")
        .replace("\"mixed\"", "\"mixed\", players = 4");
    let said = run(&folder, "never", &never, &[]).fine();
    finite(&folder.join("never"), &said);
    let rows = rows(&folder.join("never"), "contrasts.csv");
    for row in rows.iter().filter(|row| row["metric"] == "moons_added" && row["skill"] == "random") {
        assert_eq!((row["verdict"].as_str(), row["method"].as_str()), ("undecided", "never_happened"));
        assert!(row["base"].is_empty() && row["difference"].is_empty() && row["p"].is_empty(), "{row:?}");
    }
    for row in rows
        .iter()
        .filter(|row| row["metric"] == "moons" && row["variant"] == "no moon" && row["skill"] == "random")
    {
        assert_eq!((row["verdict"].as_str(), row["p"].as_str(), row["base"].as_str()), ("same", "1", "0"));
    }
    for run in ["one", "never"] {
        dealt(&["report", folder.join(run).to_str().unwrap()]).fine();
    }
}

#[test]
fn a_sweep_says_what_each_variant_does_in_lines_that_fit_a_terminal() {
    let folder = folder("sweep-text");
    let cards = "[[variant]]\nname = \"jack\"\nrules = { bonus_cards = { JD = -10 } }\n";
    let third = SWEEP.replace("players = [3, 4]", "players = [3, 4]\nquestion = \"Why?\"");
    let third = third
        .replace("skill = [", "skill = [\"greedy\", { name = \"again\", agents = [\"greedy:high=1\"] }, ");
    let said = run(&folder, "sweep", &format!("{third}{cards}"), &[]).fine();
    for words in [
        "Why?\ncancellation-hearts, 3 and 4 players, seed 5: 4 sets of rules played by greedy, again, random and mixed: 8 cells, ",
        " comparisons with the base rules: ",
        "\njack\n",
        "\n  - in places: score_mean_deal: less with greedy at 3 players",
        "\n  - nothing is shown to change\n",
        "  score_mean_deal        3  < -3.333 (all blocks alike)  < -3.333 (all blocks alike)\n",
        "\nmixed is greedy + random.\n",
        "By Holm’s correction",
    ] {
        assert!(said.contains(words), "`{words}` is not in: {said}");
    }
    let wide: Vec<&str> = said.lines().skip(2).filter(|line| line.chars().count() > 100).collect();
    assert_eq!(wide, Vec::<&str>::new());
    let one =
        "kind = \"sweep\"\ngame = \"two-ten-jack\"\nseed = 1\nblocks = 9\nskill = [\"random\", \"greedy\"]\n";
    let said = run(&folder, "one", one, &[]).fine();
    assert!(said.contains("One set of rules: there is nothing to compare.\n\n  metric "), "{said}");
    assert!(said.contains("\n  decisions_mean ") && said.contains("        random  "), "{said}");
}

#[test]
fn the_page_of_a_sweep_answers_first_shows_every_cell_and_gives_the_experiment_again() {
    let folder = folder("sweep-page");
    run(&folder, "sweep", SWEEP, &["--records", "1"]).fine();
    let out = folder.join("sweep");
    dealt(&["report", out.to_str().unwrap()]).fine();
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    for words in [
        "comparisons with the base rules: ",
        "<b><bdi>no pass, at last</bdi></b>",
        "hearts, 3 and 4 players, in 100 blocks.",
        "id=\"contrasts\"",
        "id=\"cells\"",
        "by Holm’s correction over all 40 comparisons",
        "4 players, <bdi>mixed</bdi>",
        "id=\"games\"",
    ] {
        assert!(page.contains(words), "`{words}` is not on the page");
    }
    let code = page.split("<pre tabindex=\"0\"><code>").nth(1).unwrap().split("</code>").next().unwrap();
    let again = code.replace("&quot;", "\"").replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&");
    run(&folder, "again", &again, &[]).fine();
    for name in ["contrasts.csv", "metrics.csv", "records.jsonl", "manifest.json"] {
        let [one, two] = ["sweep", "again"].map(|run| fs::read(folder.join(run).join(name)).unwrap());
        assert!(one == two, "{name} differs; the experiment was\n{again}");
    }
    dealt(&["rate", out.to_str().unwrap()]).refused(&["is a sweep", "play the cell"]);
    let broken = fs::read_to_string(out.join("contrasts.csv")).unwrap().replace(",undecided", ",maybe");
    fs::write(out.join("contrasts.csv"), broken).unwrap();
    dealt(&["report", out.to_str().unwrap()]).refused(&["contrasts.csv", "`maybe` is none of more, less"]);
}

#[track_caller]
fn refuse(change: (&str, &str), words: &[&str]) {
    let folder = folder("sweep-refused");
    assert!(SWEEP.contains(change.0), "{change:?}");
    let file = write(&folder, "a.toml", &SWEEP.replacen(change.0, change.1, 1));
    dealt(&["run", &file, "--out", folder.join("out").to_str().unwrap()]).refused(words);
    assert!(!folder.join("out").exists());
}

#[test]
fn what_a_sweep_does_not_take_is_refused_with_its_place() {
    refuse(("blocks = 30", "games = 30"), &["a.toml:6:9", "`blocks`"]);
    refuse(("blocks = 30\n", ""), &["the key `blocks` is missing"]);
    refuse(
        ("skill = [", "skills = ["),
        &["a.toml:7:1", "kind `sweep` has no key `skills`", "did you mean `skill`?"],
    );
    refuse(("skill = [\"random\", {", "skill = [\"randon\", {"), &["a.toml:7:10", "did you mean `random`?"]);
    refuse(
        ("[\"random\", {", "[\"random\", \"random\", {"),
        &["a.toml:7:9", "two skills are called `random`"],
    );
    refuse(("[\"random\", {", "[3, {"), &["a.toml:7:10", "`skill` cannot be `3`"]);
    refuse(
        ("blocks = 20", "block = 20"),
        &["a.toml:7", "a skill has no key `block`", "did you mean `blocks`?"],
    );
    refuse(("blocks = 20", "players = 5"), &["a.toml:7", "`players` cannot be `5`; accepted: 3 and 4"]);
    refuse(("blocks = 20", "line_ups = []"), &["a.toml:7", "both `agents` and `line_ups`"]);
    refuse(
        ("agents = [", "agents = [\"greedy\", \"greedy\", \"random\", "),
        &["5 agents; accepted: 1 to 3", "(at 3 players)"],
    );
    refuse(
        ("players = [3, 4]", "players = [3, 3]"),
        &["a.toml:3:11", "`players` cannot be `[3,3]`", "each once"],
    );
    refuse(
        ("players = [3, 4]", "players = [3, 4, 40]"),
        &["a.toml:3:11", "`players` cannot be `40`", "3 to 11"],
    );
    refuse(("\"seat_effect\", ", "\"seat_efect\", "), &["a.toml:8:12", "did you mean `seat_effect`?"]);
    refuse(("\"moons\"", "\"turns_p95\""), &["`turns_p95`", "percentiles cannot be tested"]);
    refuse(("\"moons\"", "\"seat_effect[1]\""), &["`seat_effect[1]`", "each once"]);
    refuse(("branching = ", "tie_rate = "), &["a.toml:9", "`margins` has no metric `tie_rate`", "branching"]);
    refuse(("\"30 %\"", "\"30\""), &["a.toml:9", "`branching` cannot be `\"30\"`", "such as \"5 %\""]);
    refuse(("0.9", "0"), &["`seat_effect[0]` cannot be `0`", "a number above 0"]);
    refuse(
        ("players = 4\n", "players = [4, 5]\n"),
        &["a.toml:18:11", "accepted: 3 and 4, which the sweep has"],
    );
    refuse(("pass_cycle = []", "pass_cicle = []"), &["a.toml:13", "did you mean `pass_cycle`?"]);
    // There is no such seat with three.
    refuse(("pass_cycle = []", "first_dealer = 3"), &["a.toml:13", "first_dealer", "(at 3 players)"]);
    refuse(("seed = 5", "outputs = { games_csv = true }"), &["a.toml:5", "no games.csv"]);
}
