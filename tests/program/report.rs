//! The page of a results folder, from outside: what stands on it, and that it is a page whatever the folder holds.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::outside::{dealt, folder, write};
use dealt::csv_table::CsvTable;
use dealt::report::MOST_BYTES;
use serde_json::Value;

/// Plays a match into a folder of this name.
fn play(name: &str, arguments: &[&str]) -> PathBuf {
    let out = folder(&format!("report-{name}")).join("run");
    let fixed = ["--seed", "1", "--quiet", "--out", out.to_str().unwrap()];
    dealt(&[arguments, &fixed].concat()).fine();
    out
}

/// The page of a folder, which must be a page.
#[track_caller]
fn page(run: &Path) -> String {
    let said = dealt(&["report", run.to_str().unwrap()]).fine();
    assert!(said.contains("report.html"), "{said}");
    let page = fs::read_to_string(run.join("report.html")).unwrap();
    check(&page);
    page
}

/// Asserts that a page is one: elements closed in order, attributes quoted, no stray letter of markup, nothing that is
/// loaded, no number that is none, and not too heavy.
#[track_caller]
fn check(page: &str) {
    assert!(page.len() <= MOST_BYTES, "{} bytes", page.len());
    let mut rest = page.strip_prefix("<!DOCTYPE html>\n").expect("a page begins with its type");
    let mut open: Vec<&str> = Vec::new();
    while let Some(start) = rest.find('<') {
        check_text(&rest[..start]);
        let end = rest[start..].find('>').expect("a tag ends") + start;
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "… before {}", &rest[..rest.len().min(80)]);
            continue;
        }
        let (tag, is_closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let name = tag.split(' ').next().unwrap();
        check_attributes(&tag[name.len()..]);
        if is_closed {
            continue;
        }
        open.push(name);
        if ["script", "style"].contains(&name) {
            let end = rest.find(&format!("</{name}>")).expect("a script ends");
            assert!(!rest[..end].contains("http"), "something is loaded");
            rest = &rest[end..];
        }
    }
    check_text(rest);
    assert!(open.is_empty(), "{open:?} stay open");
    let words = || page.split(|letter: char| !letter.is_alphanumeric());
    assert!(!words().any(|word| ["NaN", "inf"].contains(&word)), "a number is none");
}

#[track_caller]
fn check_attributes(attributes: &str) {
    let mut rest = attributes;
    while !rest.is_empty() {
        let (name, value) = rest.split_once("=\"").unwrap_or_else(|| panic!("`{attributes}`"));
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == ':';
        assert!(name.starts_with(' ') && name[1..].chars().all(is_name), "`{attributes}`");
        assert!(!["src", "href", "xlink:href"].contains(&&name[1..]), "`{attributes}`");
        let (value, behind) = value.split_once('"').unwrap_or_else(|| panic!("`{attributes}`"));
        check_text(value);
        rest = behind;
    }
}

#[track_caller]
fn check_text(text: &str) {
    assert!(!text.contains('>'), "{text}");
    for piece in text.split('&').skip(1) {
        let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
        assert!(known.iter().any(|entity| piece.starts_with(entity)), "&{piece}");
    }
    let control = text.chars().find(|letter| letter.is_control() && !['\n', '\t'].contains(letter));
    assert_eq!(control, None, "{text:?}");
}

fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    text.replace("&amp;", "&")
}

/// What stands between two pieces of a page, for the first time.
#[track_caller]
fn between<'p>(page: &'p str, before: &str, behind: &str) -> &'p str {
    let (_, rest) = page.split_once(before).unwrap_or_else(|| panic!("no `{before}`"));
    rest.split_once(behind).unwrap_or_else(|| panic!("no `{behind}` behind `{before}`")).0
}

fn table(run: &Path, name: &str) -> CsvTable {
    CsvTable::parse(name, &fs::read_to_string(run.join(name)).unwrap()).unwrap()
}

/// Whether a number as the page shows it is a value, rounded.
fn shows(shown: &str, value: f64) -> bool {
    let plain = shown.replace('−', "-").replace([',', '+'], "");
    let decimals = plain.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let number: f64 = plain.parse().unwrap_or(f64::NAN);
    (number - value).abs() <= 0.5 * 10_f64.powi(-(decimals as i32)) + 1e-9
}

#[test]
fn a_page_has_every_section_and_the_numbers_of_the_tables() {
    for (game, more) in [("two-ten-jack", "--notes"), ("hearts", "--legal"), ("three-thirteen", "--legal")] {
        let arguments = ["match", game, "greedy", "random", "--blocks", "12", "--records", "1", more];
        let run = play(&format!("numbers-{game}"), &arguments);
        let page = page(&run);
        for section in ["run", "agents", "course", "metrics", "games", "game-0", "again"] {
            assert!(page.contains(&format!("id=\"{section}\"")), "{game}: no section {section}");
        }
        for row in table(&run, "metrics.csv").rows() {
            let name = row.text("metric").unwrap();
            let Some(value) = row.optional("value").unwrap() else { continue };
            let shown = between(&page, &format!("<td class=\"text\">{name}</td><td class=\"number\">"), "<");
            assert!(shows(shown, value), "{game}: {name} is {value}, shown is {shown}");
        }
        let agents = between(&page, "id=\"agents\"", "</section>");
        for row in table(&run, "agents.csv").rows() {
            let name = row.text("agent").unwrap();
            let cells = between(agents, &format!("<tr><td class=\"text\"><bdi>{name}</bdi></td>"), "</tr>");
            let cells: Vec<&str> =
                cells.split("</td>").map(|cell| cell.rsplit('>').next().unwrap_or("")).collect();
            for (cell, column) in [(0, "games"), (1, "win_share"), (2, "score"), (3, "place")] {
                let value = row.optional(column).unwrap().unwrap();
                let shown = cells[cell].split(' ').next().unwrap();
                assert!(shows(shown, value), "{game}: {column} is {value}, shown is {}", cells[cell]);
            }
        }
        let pair = table(&run, "pairs.csv");
        let pair = pair.rows().find(|row| row.text("measure").unwrap() == "win_share").unwrap();
        let figure = between(&page, "Pairs of agents", "All 3 comparisons");
        assert!(figure.contains("seat and game"), "{figure}");
        let label = "<bdi>greedy</bdi> less <bdi>random</bdi>";
        let row = between(&page, label, "</b>");
        let shown = row.rsplit('>').next().unwrap();
        assert!(shows(shown, pair.optional("a_less_b").unwrap().unwrap()), "{shown}");
    }
}

#[test]
fn variants_are_shown_against_the_first_on_the_same_cards() {
    let place = folder("report-variants");
    let text = "game = \"two-ten-jack\"\nagents = [\"greedy\", \"random\"]\nseed = 1\nblocks = 30\n\
                question = \"Is 31 the right target?\"\n[[variant]]\nname = \"short\"\nrules = { target = 11 }\n";
    let file = write(&place, "targets.toml", text);
    let run = place.join("run");
    dealt(&["run", &file, "--quiet", "--out", run.to_str().unwrap()]).fine();
    let page = page(&run);
    assert!(page.contains("<h1>Is 31 the right target?</h1>"));
    assert!(page.contains("id=\"rules\"") && page.contains("<code>target = 11</code>"));
    assert!(!page.contains("id=\"games\""), "no game was recorded");
    assert!(!page.contains("<script"), "nothing needs a script");
    for row in table(&run, "metrics.csv").rows().filter(|row| row.text("variant").unwrap() == "short") {
        let name = row.text("metric").unwrap();
        if name.starts_with("card_power") {
            continue;
        }
        let Some(value) = row.optional("difference").unwrap() else { continue };
        let row = format!("<td class=\"text\"><bdi>short</bdi></td><td class=\"text\">{name}</td>");
        let cells = between(&page, &row, "</tr>");
        let shown = cells.split("</td>").nth(2).unwrap().rsplit('>').next().unwrap();
        assert!(shows(shown, value), "{name}: the difference is {value}, shown is {shown}");
    }
}

#[test]
fn the_power_of_each_card_stands_by_rank_and_suit() {
    let place = folder("report-cards");
    let text = "game = \"two-ten-jack\"\nagents = [\"greedy\"]\nseed = 1\nblocks = 30\n\
                [[variant]]\nname = \"short\"\nrules = { target = 11 }\n";
    let run = place.join("run");
    dealt(&["run", &write(&place, "a.toml", text), "--quiet", "--out", run.to_str().unwrap()]).fine();
    let page = page(&run);
    let powers = table(&run, "metrics.csv");
    for variant in ["base", "short"] {
        let section = between(&page, "id=\"cards\"", "</section>");
        let grid = between(section, &format!("<summary>{variant}</summary>"), "</details>");
        for rank in "23456789TJQKA".chars() {
            let cells = between(grid, &format!("<td class=\"text\">{rank}</td>"), "</tr>");
            let shown = cells.split("</td>").filter_map(|cell| cell.rsplit('>').next());
            for (suit, shown) in "CDSH".chars().zip(shown) {
                let name = format!("card_power[{rank}{suit}]");
                let row = powers
                    .rows()
                    .find(|row| {
                        row.text("metric").unwrap() == name && row.text("variant").unwrap() == variant
                    })
                    .unwrap();
                let value = row.optional("value").unwrap().unwrap();
                assert!(shows(shown.split(' ').next().unwrap(), value), "{name}: {value}, {shown}");
            }
        }
    }
}

#[test]
fn names_are_text_whatever_they_hold() {
    let place = folder("report-hostile");
    let hostile =
        "</title></script><script>alert('1')</script><img src=x onerror=\"alert(2)\"> & \u{202e}&lt;";
    let quoted = Value::from(hostile).to_string();
    let text = format!(
        "game = \"two-ten-jack\"\nagents = [\"greedy\", \"random\"]\nseed = 1\nblocks = 3\nquestion = {quoted}\n\
         [[variant]]\nname = {quoted}\nrules = {{ target = 11 }}\n"
    );
    let run = place.join("run");
    let file = write(&place, "a.toml", &text);
    dealt(&["run", &file, "--quiet", "--records", "2", "--out", run.to_str().unwrap()]).fine();
    let shown = page(&run);
    assert!(!shown.contains("<script>alert") && !shown.contains("<img") && !shown.contains('\u{202e}'));
    // A folder may come from anybody: the agents' names too.
    for name in ["manifest.json", "agents.csv", "seats.csv", "pairs.csv", "scores.csv", "records.jsonl"] {
        let path = run.join(name);
        let text = fs::read_to_string(&path).unwrap();
        let (from, to) = match name.ends_with(".csv") {
            true => ("random".to_owned(), format!("\"{}\"", hostile.replace('"', "\"\""))),
            false => ("\"random\"".to_owned(), quoted.clone()),
        };
        let text = match name {
            // Only where it is an agent's name, not the first dealer's.
            "records.jsonl" => text
                .replace("\"agents\":[\"greedy\",\"random\"]", &format!("\"agents\":[\"greedy\",{quoted}]")),
            "manifest.json" => text.replace("\"agent\": \"random\"", &format!("\"agent\": {quoted}")),
            _ => text.replace(&from, &to),
        };
        fs::write(&path, text).unwrap();
    }
    let shown = page(&run);
    assert!(shown.matches("alert(2)").count() > 5, "the name is shown");
    assert!(!shown.contains("<script>alert") && !shown.contains("<img") && !shown.contains('\u{202e}'));
}

#[test]
fn one_sided_tied_and_tiny_runs_have_a_page() {
    let cases: [&[&str]; 6] = [
        &["match", "two-ten-jack", "greedy", "random", "--blocks", "1"],
        &["match", "three-thirteen", "greedy", "random", "--blocks", "2"],
        &["match", "three-thirteen", "random", "--blocks", "1"],
        &["match", "cancellation-hearts", "random", "--blocks", "2", "--players", "11", "--rule", "deals=1"],
        &["match", "two-ten-jack", "greedy", "--blocks", "3", "--rule", "points={}", "--rule", "deals=1"],
        &["match", "hearts", "greedy", "random", "--blocks", "1", "--rule", "target=1", "--records", "all"],
    ];
    for (number, arguments) in cases.iter().enumerate() {
        let page = page(&play(&format!("tiny-{number}"), arguments));
        assert!(page.contains("id=\"course\""), "{arguments:?}");
    }
}

#[test]
fn tables_that_are_not_there_are_sections_that_are_not_there() {
    let run =
        play("missing", &["match", "two-ten-jack", "greedy", "random", "--blocks", "3", "--records", "1"]);
    let whole = page(&run);
    for (file, section) in [
        ("records.jsonl", "id=\"games\""),
        ("pairs.csv", "All 3 comparisons"),
        ("seats.csv", ""),
        ("metrics.csv", "id=\"metrics\""),
        ("agents.csv", "id=\"agents\""),
        ("scores.csv", "id=\"course\""),
        ("timings.csv", ""),
    ] {
        assert!(whole.contains(section));
        fs::remove_file(run.join(file)).unwrap();
        let page = page(&run);
        assert!(section.is_empty() || !page.contains(section), "{file}");
        assert!(page.contains("id=\"run\"") && page.contains("id=\"again\""), "{file}");
    }
}

#[test]
fn the_same_folder_gives_the_same_bytes_and_time_leaves_no_trace() {
    let arguments =
        ["match", "two-ten-jack", "greedy", "random", "--blocks", "8", "--records", "2", "--threads"];
    let [one, two] = ["1", "2"].map(|threads| {
        let run = play(&format!("bytes-{threads}"), &[&arguments[..], &[threads]].concat());
        let other = run.with_file_name("page.html");
        let first = page(&run);
        dealt(&["report", run.to_str().unwrap(), "--out", other.to_str().unwrap()]).fine();
        assert!(fs::read_to_string(&other).unwrap() == first && page(&run) == first);
        first
    });
    assert!(one == two);
}

#[test]
fn a_run_is_replaced_together_with_its_page() {
    let run = play("force", &["match", "two-ten-jack", "greedy", "random", "--blocks", "2"]);
    page(&run);
    let again = ["match", "two-ten-jack", "greedy", "random", "--blocks", "3", "--seed", "1", "--quiet"];
    let again = [&again[..], &["--force", "--out", run.to_str().unwrap()]].concat();
    dealt(&again).fine();
    assert!(!run.join("report.html").exists(), "the page of another run stayed");
}

#[test]
fn the_experiment_on_the_page_gives_the_same_results() {
    let place = folder("report-again");
    let text = "game = \"three-thirteen\"\nplayers = 3\nseed = 5\nblocks = 4\nseating = \"all\"\nconfidence = 0.9\n\
                line_ups = [[\"greedy\", \"greedy:pair=0.5,run=1\", \"random\"], [\"greedy\", \"random\", \"random\"]]\n\
                question = \"A \\\"quoted\\\" question\\nof two lines?\"\n\
                [rules]\nace = \"low_or_high\"\nace_penalty = 7\nrounds = [3, 4]\n\
                [[variant]]\nname = \"a \\\"b\\\" c\"\nrules = { ace_penalty = \"unset\", max_wilds_per_meld = 2 }\n";
    let file = write(&place, "first.toml", text);
    let run = |file: &str, name: &str| {
        let out = place.join(name);
        dealt(&["run", file, "--quiet", "--out", out.to_str().unwrap()]).fine();
        out
    };
    let first = run(&file, "one");
    let page = page(&first);
    let shown = unescaped(between(&page, "<pre tabindex=\"0\"><code>", "</code>"));
    let second = run(&write(&place, "second.toml", &shown), "two");
    let files = |run: &Path| -> BTreeMap<String, Vec<u8>> {
        let names = ["agents.csv", "seats.csv", "pairs.csv", "scores.csv", "metrics.csv", "manifest.json"];
        names.iter().map(|name| ((*name).to_owned(), fs::read(run.join(name)).unwrap())).collect()
    };
    let (one, two) = (files(&first), files(&second));
    for (name, text) in &one {
        assert!(*text == two[name], "{name} differs; the file was\n{shown}");
    }
}

#[test]
fn the_sequential_test_on_the_page_gives_the_same_results() {
    let place = folder("report-sprt-again");
    for (name, more) in [("two-ten-jack", ""), ("hearts", "rules = { deals = 1 }\nlineup = \"alone\"\n")] {
        let text = format!(
            "kind = \"sprt\"\ngame = \"{name}\"\nagents = [\"random\", \"greedy\"]\nseed = 3\nblocks = 40\n{more}\
             [sprt]\nbatch = 10\nmeasure = \"score\"\neffect = [-0.1, 0.1]\n"
        );
        let run = |file: &str, end: &str| {
            let out = place.join(format!("{name}-{end}"));
            dealt(&["run", file, "--quiet", "--out", out.to_str().unwrap()]).fine();
            out
        };
        let first = run(&write(&place, "first.toml", &text), "one");
        let page = page(&first);
        assert!(page.contains("H0 is accepted") && page.contains("id=\"sequential\""), "{name}");
        let shown = unescaped(between(&page, "<pre tabindex=\"0\"><code>", "</code>"));
        let second = run(&write(&place, "second.toml", &shown), "two");
        for file in ["sprt.csv", "pairs.csv", "metrics.csv", "manifest.json"] {
            let [one, two] = [&first, &second].map(|run| fs::read(run.join(file)).unwrap());
            assert!(one == two, "{name}: {file} differs; the experiment was\n{shown}");
        }
    }
}

/// Cards as a scene writes them with the seat before each.
fn seated(text: &str) -> Vec<(usize, String)> {
    let cards = text.split(' ').filter(|item| !item.is_empty());
    cards
        .map(|item| item.split_at(item.len() - 2))
        .map(|(seat, card)| (seat.parse().unwrap(), card.to_owned()))
        .collect()
}

#[test]
fn the_scenes_of_a_game_move_the_cards_that_the_record_moves() {
    for game in ["two-ten-jack", "cancellation-hearts", "hearts", "three-thirteen"] {
        let arguments = ["match", game, "greedy", "random", "--blocks", "1", "--records", "1"];
        let run = play(&format!("scenes-{game}"), &arguments);
        let page = page(&run);
        let article = between(&page, "id=\"game-0\"", "</article>");
        let scenes: Value = serde_json::from_str(between(article, "class=\"scenes\">", "</script>")).unwrap();
        let line = fs::read_to_string(run.join("records.jsonl")).unwrap();
        let record: Value = serde_json::from_str(line.lines().next().unwrap()).unwrap();
        let deals = scenes["deals"].as_array().unwrap();
        assert_eq!(deals.len(), record["deals"].as_array().unwrap().len(), "{game}");
        let mut steps_in_all = 0;
        for (scene, deal) in deals.iter().zip(record["deals"].as_array().unwrap()) {
            let moves: Vec<&Value> =
                deal["moves"].as_array().unwrap().iter().filter(|entry| entry[0] != "stock").collect();
            let hands = scene["hands"].as_array().unwrap().iter();
            let mut hands: Vec<Vec<String>> =
                hands.map(|hand| hand.as_str().unwrap().split(' ').map(str::to_owned).collect()).collect();
            let steps = scene["steps"].as_array().unwrap();
            assert_eq!(steps.len(), moves.len(), "{game}");
            steps_in_all += steps.len();
            for (step, entry) in steps.iter().zip(&moves) {
                assert_eq!((&step[0], &step[1]), (&entry[0], &entry[1]), "{game}");
                for (seat, card) in seated(step[4].as_str().unwrap()) {
                    let place = hands[seat].iter().position(|held| *held == card);
                    hands[seat].remove(place.unwrap_or_else(|| panic!("{game}: seat {seat} has no {card}")));
                }
                hands_gain(&mut hands, step[3].as_str().unwrap());
                check_table(game, step, &moves);
            }
            if game != "three-thirteen" {
                assert!(hands.iter().all(Vec::is_empty), "{game}: {hands:?} are left");
            }
        }
        assert_eq!(article.matches("<li>").count(), steps_in_all, "{game}: each move is in a list");
    }
}

fn hands_gain(hands: &mut [Vec<String>], gained: &str) {
    for (seat, card) in seated(gained) {
        hands[seat].push(card);
    }
}

/// A card that is played, and not passed, lies on the table last.
#[track_caller]
fn check_table(game: &str, step: &Value, _: &[&Value]) {
    let (mv, table) = (step[1].as_str().unwrap(), step[2].as_str().unwrap());
    let is_card = mv.len() == 2;
    let is_pass = game.contains("hearts") && !table.ends_with(mv);
    if is_card && !is_pass {
        assert!(table.ends_with(mv), "{game}: {step}");
    }
}

#[test]
fn a_page_of_however_much_stays_light_and_says_what_it_leaves_off() {
    // A game of more than a hundred deals.
    let arguments = ["match", "cancellation-hearts", "greedy", "random", "--blocks", "1", "--records", "all"];
    let run = play("large", &[&arguments[..], &["--rule", "target=2000"]].concat());
    let grow = |name: &str, row: &dyn Fn(usize) -> String, count: usize| {
        let path = run.join(name);
        let mut text = fs::read_to_string(&path).unwrap();
        (0..count).for_each(|number| text.push_str(&row(number)));
        fs::write(&path, text).unwrap();
    };
    let long = "greedy:".to_owned() + &"x=1;".repeat(500);
    let agent = |number: usize| {
        format!(
            "base,{long}{number},10,10,1,5,0.5,0.4,0.6,block_t,1,0,2,block_t,1.5,1,2,block_t,0.95,9,1,false\n"
        )
    };
    grow("agents.csv", &agent, 3_000);
    grow(
        "pairs.csv",
        &|number| format!("base,{long},{number},true,win_share,10,0.1,-0.1,0.3,0.95,block_t,undecided\n"),
        3_000,
    );
    let score = |number: usize| format!("base,{long}{},game,{number},1,{number}\n", number / 100);
    grow("scores.csv", &score, 30_000);
    grow("metrics.csv", &|number| format!("base,metric_{number},1,0,2,block_t,,,,,0.95\n"), 3_000);
    let records = fs::read_to_string(run.join("records.jsonl")).unwrap();
    fs::write(run.join("records.jsonl"), records.repeat(2)).unwrap();
    let page = page(&run);
    for words in [
        "of 3002 rows; agents.csv",
        "rows are drawn",
        "histograms are drawn",
        "The file holds more games",
        "there is no room for more",
    ] {
        assert!(page.contains(words), "`{words}` is not on the page");
    }
}

#[test]
fn what_is_no_run_or_a_broken_one_is_refused_with_its_place() {
    let place = folder("report-broken");
    let refuse = |words: &[&str]| {
        let done = dealt(&["report", place.to_str().unwrap()]);
        done.refused(words);
        assert!(!place.join("report.html").exists());
    };
    refuse(&["report-broken", "holds no run", "manifest.json"]);
    dealt(&["report", "nowhere"]).refused(&["nowhere", "holds no run"]);
    let begun = folder("report-begun").join("run");
    fs::create_dir(begun.with_file_name(".run.partial")).unwrap();
    dealt(&["report", begun.to_str().unwrap()]).refused(&["holds no run yet", "--resume"]);
    fs::write(place.join("manifest.json"), "{").unwrap();
    refuse(&["manifest.json", "JSON"]);
    fs::write(place.join("manifest.json"), "{\"program\": \"other\"}").unwrap();
    refuse(&["manifest.json", "`program`"]);
    let run =
        play("whole", &["match", "two-ten-jack", "greedy", "random", "--blocks", "2", "--records", "1"]);
    let spoil = |name: &str, from: &str, to: &str, words: &[&str]| {
        for file in fs::read_dir(&run).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), place.join(file.file_name())).unwrap();
        }
        let text = fs::read_to_string(run.join(name)).unwrap();
        assert!(text.contains(from), "{from}");
        fs::write(place.join(name), text.replacen(from, to, 1)).unwrap();
        refuse(words);
    };
    spoil("manifest.json", "\"schema\": 1", "\"schema\": 99", &["manifest.json", "schema", "99"]);
    spoil("manifest.json", "\"seed\": 1", "\"seed\": \"x\"", &["`experiment.seed`", "whole number"]);
    spoil("manifest.json", "\"variants\"", "\"other\"", &["`experiment.variants`", "missing"]);
    spoil("agents.csv", "win_share,", "share,", &["agents.csv", "`win_share` is missing"]);
    spoil("agents.csv", "greedy,4", "greedy,four", &["agents.csv", "line 2", "`games`", "`four`"]);
    spoil("pairs.csv", "wilson_blocks", "guesswork", &["pairs.csv", "`method`", "`guesswork`", "block_t"]);
    spoil("scores.csv", "base,", "base,\"", &["scores.csv", "quotation mark"]);
    spoil("records.jsonl", "\"winners\":[0]", "\"winners\":[1]", &["records.jsonl", "line 1", "winners"]);
    fs::copy(run.join("records.jsonl"), place.join("records.jsonl")).unwrap();
    dealt(&["report", place.to_str().unwrap()]).fine();
}

#[test]
fn what_is_no_page_is_not_replaced() {
    let run = play("target", &["match", "two-ten-jack", "greedy", "random", "--blocks", "2"]);
    let other = write(run.parent().unwrap(), "notes.txt", "mine");
    dealt(&["report", run.to_str().unwrap(), "--out", &other]).refused(&[
        "notes.txt",
        "not replaced",
        "--out",
    ]);
    assert_eq!(fs::read_to_string(&other).unwrap(), "mine");
    let missing = run.join("no/such/page.html");
    dealt(&["report", run.to_str().unwrap(), "--out", missing.to_str().unwrap()]).refused(&["cannot write"]);
    dealt(&["report", run.to_str().unwrap(), "--out", run.to_str().unwrap()]).refused(&["cannot write"]);
}

/// Adds files of a course of study to a match, and says in its manifest that it was one.
fn as_study(run: &Path, kind: &str, settings: &str, files: &[(&str, &str)]) {
    let path = run.join("manifest.json");
    let manifest = fs::read_to_string(&path).unwrap();
    let mut manifest: Value = serde_json::from_str(&manifest).unwrap();
    manifest["experiment"]["kind"] = Value::from(kind);
    manifest["experiment"][kind] = serde_json::from_str(settings).unwrap();
    fs::write(path, manifest.to_string()).unwrap();
    files.iter().for_each(|(name, text)| fs::write(run.join(name), text).unwrap());
}

#[test]
fn a_sequential_test_is_shown_with_its_verdict_bounds_and_course() {
    let run = play("sprt", &["match", "two-ten-jack", "greedy", "random", "--blocks", "2"]);
    let head = "blocks,llr,lower_bound,upper_bound,decision,a_less_b,ll,ld,dd_wl,wd,ww\n";
    let looks = "10,,-2.94,2.95,open,,,,,,\n20,1.5,-2.94,2.95,open,0.2,1,1,1,1,1\n";
    let settings = r#"{"elo": [0, 5], "measure": "win_share", "alpha": 0.05, "beta": 0.05, "batch": 10}"#;
    let write =
        |last: &str| as_study(&run, "sprt", settings, &[("sprt.csv", &format!("{head}{looks}{last}"))]);
    write("30,3.1,-2.94,2.95,h1,0.2,1,1,1,1,1\n");
    let shown = page(&run);
    let answer = between(&shown, "class=\"answer\"", "</div>");
    assert!(
        answer.contains("H1 is accepted: greedy is ahead of random by 5 normalized Elo rather than by 0."),
        "{answer}"
    );
    assert!(answer.contains("30 blocks of at most 2"), "{answer}");
    let basis = between(&shown, "class=\"basis\"", "</p>");
    assert!(basis.contains("was not") && !basis.contains("Intervals hold"), "{basis}");
    let figure = between(&shown, "id=\"sequential\"", "</section>");
    for words in ["3.10", "−2.94", "2.95", "alpha 0.05", "class=\"line\""] {
        assert!(figure.contains(words), "{words}: {figure}");
    }
    write("30,-3.1,-2.94,2.95,h0,0.2,1,1,1,1,1\n");
    assert!(
        page(&run)
            .contains("H0 is accepted: greedy is ahead of random by 0 normalized Elo rather than by 5.")
    );
    write("");
    assert!(page(&run).contains("No verdict"));
    as_study(&run, "sprt", settings, &[("sprt.csv", head)]);
    assert!(page(&run).contains("there is no verdict"));
    fs::write(run.join("sprt.csv"), format!("{head}1,2,3,4,perhaps,,,,,,\n")).unwrap();
    dealt(&["report", run.to_str().unwrap()]).refused(&[
        "sprt.csv",
        "line 2",
        "`decision`",
        "`perhaps`",
        "open, h0, h1",
    ]);
}

#[test]
fn a_tuning_is_shown_with_its_tests_and_the_course_of_each_parameter() {
    let run = play("tune", &["match", "two-ten-jack", "greedy", "random", "--blocks", "2"]);
    let mut iterates = "iteration,blocks,plus_less_minus,effect,trump,trump_plus,trump_minus\n".to_owned();
    (1..=1000)
        .for_each(|number| iterates += &format!("{number},10,0.5,0.1,{},1,2\n", f64::from(number) / 100.0));
    let tests = "test,agent,baseline,third,measure,blocks,advantage,low,high,confidence,method,verdict\n\
                 baseline,greedy:trump=2,greedy,random,score,500,1.25,0.5,2,0.95,block_t,better\n\
                 third,greedy:trump=2,greedy,random,score,500,-0.5,-1.5,0.5,0.95,block_t,undecided\n\
                 baseline,greedy:trump=2,greedy,random,place,500,0,,,0.95,no_spread,no_interval\n";
    let rounds =
        "round,agent,blocks,advantage,goes_on\n1,greedy:trump=2,10,0.25,true\n1,greedy,10,-0.25,false\n";
    let files = [("iterates.csv", &*iterates), ("tests.csv", tests), ("rounds.csv", rounds)];
    as_study(&run, "tune", r#"{"measure": "score"}"#, &files);
    let shown = page(&run);
    let answer = between(&shown, "class=\"answer\"", "</div>");
    let sentence = "greedy:trump=2 does better than greedy by +1.25 [0.50, 2.00] points a game, at the same tables, on 500 blocks";
    for words in
        [sentence, "It is shown to be better.", "−0.5 [−1.5, 0.5]", "No difference is shown among those."]
    {
        assert!(answer.contains(words), "{words}: {answer}");
    }
    let section = between(&shown, "id=\"tuning\"", "</section>");
    for words in ["<bdi>trump</bdi>", "one in 3 is drawn", "is out", "all blocks alike"] {
        assert!(section.contains(words), "{words}: {section}");
    }
    assert!(!section.contains("trump_plus"));
    fs::remove_file(run.join("tests.csv")).unwrap();
    assert!(page(&run).contains("No answer of the search was tested"));
}

#[test]
fn ratings_are_shown_with_their_intervals_and_groups() {
    let run = play("ratings", &["match", "two-ten-jack", "greedy", "random", "--blocks", "2"]);
    let text = "variant,agent,games,blocks,rating,rating_low,rating_high,rating_method,confidence,group\n\
                base,greedy,4,2,312.25,250,374.5,block_t,0.95,1\nbase,<mcts>,4,2,0,0,0,exact,0.95,2\n";
    fs::write(run.join("ratings.csv"), text).unwrap();
    let page = page(&run);
    let section = between(&page, "id=\"ratings\"", "</section>");
    for words in ["+312", "[250, 374]", "&lt;mcts&gt;", "connected by no games"] {
        assert!(section.contains(words), "{words}: {section}");
    }
}

#[test]
fn forfeits_are_said_before_anything_that_rests_on_them() {
    let run = play("forfeits", &["match", "two-ten-jack", "greedy", "random", "--blocks", "2"]);
    let head = "variant,block,game,seat,agent,deal,move,fault\n";
    fs::write(
        run.join("forfeits.csv"),
        format!("{head}base,0,0,1,random,1,2,it <died>\nbase,1,2,1,random,1,2,late\n"),
    )
    .unwrap();
    let page = page(&run);
    let header = between(&page, "<header>", "</header>");
    assert!(header.contains("forfeited") && header.contains("<bdi>random</bdi> 2 times"), "{header}");
}
