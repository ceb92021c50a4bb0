//! Courses of study through the library: what they must not depend on, and what stopping them leaves.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};

use dealt::experiment::Experiment;
use dealt::recorder::NoRecorder;
use dealt::run::{Played, Stage, play};
use dealt::study::sprt::{Hypotheses, Sprt, Terms};
use dealt::study::tune::spsa::{Dimension, Spsa};
use dealt::study::tune::{self, Against, Search, Tune};
use dealt::study::{Study, pursue};
use dealt::tally::plan::WIN_SHARE;
use dealt::watch::{NoSink, NoWatch, Progress, Watch};
use dealt::{OnFault, Outputs, Seating, Variant};
use dealt_agents::AgentSpec;
use serde_json::Map;

const GAME: &str = "two-ten-jack";
const ONE: NonZeroUsize = NonZeroUsize::MIN;

fn test_of(agents: [&str; 2], elo: (f64, f64), blocks: u64) -> Sprt {
    let experiment = Experiment {
        name: "test".to_owned(),
        question: None,
        game: GAME.to_owned(),
        variants: vec![Variant { name: Variant::BASE.to_owned(), rules: Map::new() }],
        line_ups: vec![agents.map(|agent| AgentSpec::parse(agent, GAME).unwrap()).to_vec()],
        seating: Seating::Rotate,
        seed: 1,
        blocks,
        confidence: 0.95,
        on_fault: OnFault::Stop,
        outputs: Outputs::default(),
    };
    let hypotheses = Hypotheses::Elo(elo.0, elo.1);
    Sprt::new(experiment, Terms { hypotheses, measure: WIN_SHARE, alpha: 0.05, beta: 0.05, batch: 20 })
}

/// Two weak players who are much alike, for a test of some stages.
fn some_stages() -> Sprt {
    test_of(["random", "greedy"], (-60.0, 0.0), 400)
}

/// All stages of a study with what came of them.
fn stages(study: &mut dyn Study) -> Vec<(Stage, Played)> {
    let mut all = Vec::new();
    while let Some(stage) = study.next() {
        let played = play::<NoRecorder>(&stage, None, ONE, &mut NoSink, &NoWatch).unwrap();
        study.take(&played);
        all.push((stage, played));
    }
    all
}

#[test]
fn a_study_given_the_same_tallies_once_more_asks_for_the_same_stages_and_finds_the_same() {
    let mut first = some_stages();
    let played = stages(&mut first);
    let mut second = some_stages();
    for (stage, played) in &played {
        assert_eq!(second.next().as_ref(), Some(stage));
        second.take(played);
    }
    assert_eq!(second.next(), None);
    assert_eq!(first.findings(), second.findings());
    let mut third = some_stages();
    let blocks =
        pursue::<NoRecorder>(&mut third, NonZeroUsize::new(3).unwrap(), &mut NoSink, &NoWatch).unwrap();
    assert_eq!(first.findings(), third.findings());
    assert_eq!(blocks, first.findings().effort.blocks);
}

/// Wants to stop after so many blocks of all stages together, two games each.
struct Stopper {
    games: u64,
    seen: AtomicU64,
}

impl Watch for Stopper {
    fn advanced(&self, progress: &Progress<'_>) {
        assert!(progress.games_wanted == 800 && progress.games <= 800);
        let before = self.seen.swap(progress.games, Ordering::Relaxed);
        assert!(progress.games > before, "{} after {before}", progress.games);
        assert_eq!(progress.found.is_empty(), progress.games <= 40, "{}", progress.found);
    }

    fn wants_to_stop(&self) -> bool {
        self.seen.load(Ordering::Relaxed) >= self.games
    }
}

#[test]
fn a_study_that_is_stopped_keeps_what_is_complete_and_asks_for_no_more() {
    let alike = || test_of(["greedy", "greedy:trump=1.5"], (0.0, 2.0), 400);
    for games in [2, 40, 50, 90] {
        let mut study = alike();
        let stopper = Stopper { games, seen: AtomicU64::new(0) };
        let blocks = pursue::<NoRecorder>(&mut study, ONE, &mut NoSink, &stopper).unwrap();
        let findings = study.findings();
        assert_eq!((findings.effort.games, findings.effort.blocks), (games, blocks));
        assert_eq!(findings.effort.blocks * 2, findings.effort.games);
        let (_, table) = findings.files.iter().find(|(name, _)| *name == "sprt.csv").unwrap();
        // A header, and a row for each whole batch of 20 blocks.
        assert_eq!(table.iter().filter(|byte| **byte == b'\n').count() as u64, 1 + blocks / 20);
        let is_between = blocks.is_multiple_of(20);
        assert_eq!(study.next().is_some(), is_between, "{blocks}");
        assert!(!findings.complete, "{blocks}");
        assert!(findings.text.contains("No verdict yet; "), "{}", findings.text);
    }
}

#[test]
fn a_tuning_plays_as_many_games_as_it_announces() {
    let spec = |agent: &str| AgentSpec::parse(agent, GAME).unwrap();
    let dimension =
        Dimension { key: "trump".to_owned(), start: 1.4, min: 0.0, max: 20.0, step: 1.0, is_whole: false };
    let itself = [spec("greedy"), spec("random")];
    for (against, third) in
        [(Against::Themselves, "random"), (Against::Pool(itself.to_vec()), "flat-mc:worlds=1")]
    {
        let search = Search::Spsa(Spsa::new(vec![dimension.clone()], 3, 1.0));
        let base = test_of(["random", "greedy"], (0.0, 5.0), 5).experiment().clone();
        let terms = tune::Terms {
            agent: spec("greedy"),
            against,
            measure: WIN_SHARE,
            blocks: 4,
            test_blocks: 5,
            baseline: spec("greedy"),
            third: spec(third),
            margin: None,
        };
        let mut study = Tune::new(base, search, terms);
        stages(&mut study);
        let findings = study.findings();
        assert!(findings.complete);
        assert_eq!(findings.effort.games, study.games(), "{third}");
    }
}
