//! How often verdicts are right, by made-up games whose truth is known; and what one-sided, tied and empty results give.
//!
//! The games go through all that real ones go through: counted block by block, summarised, judged.

use dealt::estimate::Estimate;
use dealt::experiment::Experiment;
use dealt::run::{Played, run_quietly};
use dealt::study::compare::Compare;
use dealt::study::sprt::{Hypotheses, Sprt, Terms};
use dealt::study::{Findings, Study};
use dealt::table::Course;
use dealt::tally::Counter;
use dealt::tally::plan::{Plan, SCORE, WIN_SHARE};
use dealt::tally::summarise::Summariser;
use dealt::{OnFault, Outputs, Seating, Variant};
use dealt_agents::AgentSpec;
use dealt_engine::{Dice, MAX_PLAYERS, PerSeat, QuickDice};
use serde_json::{Map, Value, json};

fn experiment(game: &str, line_up: &[&str], blocks: u64) -> Experiment {
    let agents = line_up.iter().map(|agent| AgentSpec::parse(agent, game).unwrap()).collect();
    Experiment {
        name: "made up".to_owned(),
        question: None,
        game: game.to_owned(),
        variants: vec![Variant { name: Variant::BASE.to_owned(), rules: Map::new() }],
        line_ups: vec![agents],
        seating: Seating::Rotate,
        seed: 1,
        blocks,
        confidence: 0.95,
        on_fault: OnFault::Stop,
        outputs: Outputs::default(),
    }
}

/// A game of one deal that ended like this.
fn course(totals: &[i32]) -> Course {
    let mut scores: PerSeat<i32> = [0; MAX_PLAYERS];
    scores[..totals.len()].copy_from_slice(totals);
    let mut decisions: PerSeat<u32> = [0; MAX_PLAYERS];
    decisions[..totals.len()].fill(3);
    Course { deals: vec![scores], totals: scores, decisions, branches: 20, turns: 12, ..Course::default() }
}

/// What comes of blocks in which `totals` says how each game ends: of which block and which order of the agents.
fn played(
    experiment: &Experiment,
    lowest_wins: bool,
    mut totals: impl FnMut(u64, &[u8]) -> Vec<i32>,
) -> Played {
    let plan = Plan::new(experiment, lowest_wins, &[], &[]).unwrap();
    let mut counter = Counter::new(&plan, 1);
    for block in 0..experiment.blocks {
        for game in 0..plan.seatings.len() {
            let order = plan.seatings[game].order.clone();
            counter.add_game(0, game, &course(&totals(block, &order)));
        }
        counter.finish_block().unwrap();
    }
    let tally = counter.take();
    Played { plan, tally, complete: true }
}

/// One player among three of another kind, ahead of them by `ahead` points of about 30, with the luck of a seat's
/// cards in common to all games of a block.
fn made_up_match(run: u64, ahead: i32) -> [Estimate; 2] {
    let experiment = experiment("cancellation-hearts", &["greedy", "random", "random", "random"], 40);
    let mut dice = QuickDice::new(0xc07e, run);
    let mut luck = [0; 4];
    let mut seen = u64::MAX;
    let played = played(&experiment, true, |block, order| {
        if block != seen {
            seen = block;
            luck.iter_mut().for_each(|luck| *luck = dice.below(31) as i32);
        }
        let seat = |(seat, &agent): (usize, &u8)| {
            let skill = if agent == 0 { 0 } else { ahead };
            luck[seat] + dice.below(31) as i32 + skill
        };
        order.iter().enumerate().map(seat).collect()
    });
    let rows = Summariser::new(&experiment, &played.plan, &played.tally).summary().pairs;
    [WIN_SHARE, SCORE].map(|measure| rows[measure].contrast)
}

#[test]
fn block_intervals_of_matches_cover_the_truth_as_often_as_they_say() {
    for ahead in [0, 6] {
        let matches: Vec<_> =
            (0..2000).map(|run| made_up_match(run + 10_000 * ahead as u64, ahead)).collect();
        let mean = |place: usize| matches.iter().map(|rows| rows[place].value.unwrap()).sum::<f64>() / 2000.0;
        // Where the truth is not known beforehand, the mean of all matches tells it well enough.
        let shares = if ahead == 0 { 0.0 } else { mean(WIN_SHARE) };
        assert!(ahead == 0 || shares > 0.05, "{shares}");
        for (place, truth) in [(WIN_SHARE, shares), (SCORE, -f64::from(ahead))] {
            let covers =
                |rows: &&[Estimate; 2]| rows[place].interval.is_ok_and(|interval| interval.has(truth));
            let covered = matches.iter().filter(covers).count();
            assert!((1860..=1940).contains(&covered), "{ahead} {place}: {covered} of 2000");
        }
    }
}

fn rules(changes: Value) -> Map<String, Value> {
    let Value::Object(changes) = changes else { panic!("not an object: {changes}") };
    changes
}

/// The two search alike; the dice that one throws and does not heed make them play apart.
#[test]
fn agents_of_the_same_strength_are_told_apart_in_five_of_a_hundred_runs_at_most() {
    let same = "flat-mc:worlds=1,rollout=epsilon-greedy,epsilon=1,caution=0";
    let mut null = experiment("two-ten-jack", &["flat-mc:worlds=1,rollout=random,caution=0", same], 30);
    null.variants[0].rules = rules(json!({ "deals": 1 }));
    let mut verdicts = 0;
    let mut spread = 0;
    for seed in 0..100 {
        null.seed = seed;
        let pairs = run_quietly(&null, std::num::NonZeroUsize::MIN).unwrap().summary.pairs;
        verdicts += u32::from(pairs[WIN_SHARE].verdict != "undecided");
        spread += u32::from(pairs[WIN_SHARE].contrast.method() == "block_t");
    }
    assert_eq!(spread, 100);
    assert!(verdicts <= 5, "{verdicts} of 100");
}

#[test]
fn an_agent_against_itself_and_a_variant_that_changes_nothing_give_no_verdict() {
    // A parameter that is another number, but too little to matter.
    let mut null = experiment("two-ten-jack", &["greedy", "greedy:trump=1.4000000000001"], 20);
    null.variants[0].rules = rules(json!({ "deals": 1 }));
    null.variants
        .push(Variant { name: "same".to_owned(), rules: rules(json!({ "deals": 1, "target": 40 })) });
    for seed in 0..100 {
        null.seed = seed;
        let summary = run_quietly(&null, std::num::NonZeroUsize::MIN).unwrap().summary;
        let shares = summary.pairs.iter().filter(|row| row.measure == "win_share");
        assert!(shares.clone().all(|row| row.verdict == "undecided"), "{seed}");
        assert_eq!(shares.count(), 2);
        let contrasts = summary.metrics.iter().filter_map(|row| row.contrast);
        let verdicts: Vec<_> = contrasts.map(|contrast| contrast.verdict().to_string()).collect();
        assert!(
            verdicts.iter().all(|verdict| ["undecided", "no_interval"].contains(&verdict.as_str())),
            "{seed}"
        );
    }
}

fn findings(mut study: impl Study, played: &Played) -> Findings {
    study.take(played);
    study.findings()
}

/// Every cell is a number or a word, and every estimate says how it was found.
fn assert_finite_and_labelled(findings: &Findings, what: &str) {
    let is_not_finite = |word: &str| ["NaN", "inf", "-inf"].contains(&word);
    let words = |text: &str| text.split([',', ' ', '\n', '[', ']']).any(is_not_finite);
    assert!(!words(&findings.text), "{what}: {}", findings.text);
    for (name, content) in &findings.files {
        let text = String::from_utf8(content.clone()).unwrap();
        assert!(!words(&text), "{what}: {name}");
        let columns: Vec<&str> = text.lines().next().unwrap().split(',').collect();
        let methods = columns.iter().enumerate().filter(|(_, column)| column.ends_with("method"));
        for (place, column) in methods.filter(|(_, column)| **column != "difference_method") {
            let cells = text.lines().skip(1).map(|line| line.split(',').nth(place).unwrap());
            assert!(cells.clone().all(|cell| !cell.is_empty()), "{what}: {name} {column}");
        }
    }
}

#[test]
fn one_sided_tied_and_lonely_results_are_finite_and_labelled() {
    let terms = |measure| Terms {
        hypotheses: Hypotheses::Effect(0.0, 0.1),
        measure,
        alpha: 0.05,
        beta: 0.05,
        batch: 10,
    };
    let two = |blocks| experiment("two-ten-jack", &["greedy", "random"], blocks);
    let four = |blocks| experiment("cancellation-hearts", &["greedy", "random", "random", "random"], blocks);
    for (name, experiment) in
        [("two", two(10)), ("two alone", two(1)), ("four", four(10)), ("four alone", four(1))]
    {
        let won =
            played(&experiment, false, |_, order| order.iter().map(|&agent| 9 - i32::from(agent)).collect());
        let tied = played(&experiment, false, |_, order| vec![7; order.len()]);
        let nothing = played(&experiment, false, |_, order| vec![0; order.len()]);
        for (case, played) in [("won", &won), ("tied", &tied), ("nothing", &nothing)] {
            let what = format!("{name}, {case}");
            assert_finite_and_labelled(&findings(Compare::new(experiment.clone()), played), &what);
            for measure in [WIN_SHARE, SCORE] {
                let test = findings(Sprt::new(experiment.clone(), terms(measure)), played);
                assert_finite_and_labelled(&test, &what);
            }
        }
    }
}

#[test]
fn ten_wins_of_ten_have_an_interval_and_ten_ties_show_nothing() {
    let ten = experiment("two-ten-jack", &["greedy", "random"], 10);
    let won = played(&ten, false, |_, order| order.iter().map(|&agent| 9 - i32::from(agent)).collect());
    let said = findings(Compare::new(ten.clone()), &won).text;
    assert!(said.contains("greedy beats random by 1.00 [0."), "{said}");
    let tied = played(&ten, false, |_, _| vec![7, 7]);
    let said = findings(Compare::new(ten), &tied).text;
    assert!(said.contains("the interval covers zero"), "{said}");
}
