//! The kind `tune`: better parameters for an agent are looked for, and then it is found out on fresh cards whether they
//! are better.
//!
//! A stage is an iteration of the search: some blocks, that no other iteration plays, in which settings play each other or
//! the same opponents. Whatever wins a search owes it to luck in part. So two stages follow on blocks that the search has
//! not seen: the answer against the old agent, and both against a third one, lest the answer has learnt to beat its own
//! kind and nothing else.
//!
//! - [`spsa`]: looking for numbers, all at once
//! - [`halving`]: looking among settings that are listed
//! - `verdict`: whether the answer is better, and what is written of it

pub mod halving;
pub mod spsa;

mod verdict;

use dealt_agents::AgentSpec;
use dealt_engine::QuickDice;
use serde_json::{Map, Value, json};

use crate::cells::{number, write_row};
use crate::experiment::Experiment;
use crate::figures::{self, count, counted};
use crate::run::{Played, Stage};
use crate::streams::Streams;
use crate::study::{Effort, Findings, Study};
use crate::tally::plan::MEASURES;
use halving::Halving;
use spsa::{Dimension, Sides, Spsa};
use verdict::{Test, advantage};

/// What settings play against in the search.
#[derive(Clone, PartialEq, Debug)]
pub enum Against {
    /// Each other, as many seats each.
    Themselves,
    /// One of each setting among these opponents, one kind after the other.
    Pool(Vec<AgentSpec>),
}

/// How better parameters are looked for, and how far that has come.
#[derive(Clone, PartialEq, Debug)]
pub enum Search {
    /// By [`spsa`].
    Spsa(Spsa),
    /// By [`halving`].
    Halving {
        /// Which of the settings are still in the race.
        race: Halving,
        /// All of them.
        settings: Vec<AgentSpec>,
    },
}

/// What is tuned, against whom, and how the answer is tested.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms {
    /// The agent to start from.
    pub agent: AgentSpec,
    /// Against whom.
    pub against: Against,
    /// By what settings are compared, by its place among [`MEASURES`].
    pub measure: usize,
    /// Blocks of an iteration, or of the first round of halving.
    pub blocks: u64,
    /// Blocks of each test.
    pub test_blocks: u64,
    /// Whom the answer is to be better than.
    pub baseline: AgentSpec,
    /// Against whom both are tested, too.
    pub third: AgentSpec,
    /// By how much less than the baseline's the answer's measure may be and still count as good.
    pub margin: Option<f64>,
}

/// A search with its tests.
#[derive(Clone, Debug)]
pub struct Tune {
    /// What all stages share; of its blocks the search plays the first ones.
    base: Experiment,
    terms: Terms,
    search: Search,
    /// Of the dice that perturb.
    key: u64,
    /// Blocks of the search so far.
    searched: u64,
    /// A row for each iteration, or for each setting of each round.
    log: Vec<Vec<String>>,
    answer: Option<AgentSpec>,
    /// That of the answer against the baseline, then that of both against the third agent.
    tests: Vec<Test>,
    effort: Effort,
    was_stopped: bool,
}

impl Search {
    /// A race of settings, the first round of so many blocks.
    #[must_use]
    pub fn race(settings: Vec<AgentSpec>, blocks: u64) -> Search {
        Search::Halving { race: Halving::new(settings.len(), blocks), settings }
    }
}

impl Terms {
    fn opponents(&self) -> &[AgentSpec] {
        match &self.against {
            Against::Themselves => std::slice::from_ref(&self.agent),
            Against::Pool(opponents) => opponents,
        }
    }

    /// The agent with these values of what is tuned.
    fn with_values(&self, search: &Spsa, values: &[f64], game: &str) -> AgentSpec {
        let value = |(dimension, &value): (&Dimension, &f64)| {
            let value = if dimension.is_whole { Value::from(value as i64) } else { Value::from(value) };
            (dimension.key.clone(), value)
        };
        let changes: Map<String, Value> = search.dimensions().iter().zip(values).map(value).collect();
        // The bounds of a dimension are within those of the parameter.
        self.agent.with(&changes, game).unwrap_or_else(|_| self.agent.clone())
    }
}

impl Tune {
    /// A search by the rules of an experiment and on its seed.
    #[must_use]
    pub fn new(base: Experiment, search: Search, terms: Terms) -> Tune {
        let mut tune = Tune {
            key: Streams::new(base.seed).tuning_key(),
            base,
            terms,
            search,
            searched: 0,
            log: Vec::new(),
            answer: None,
            tests: Vec::new(),
            effort: Effort::default(),
            was_stopped: false,
        };
        tune.base.blocks = tune.search_blocks().saturating_add(tune.terms.test_blocks);
        tune.pass_over_equals();
        tune
    }

    /// The blocks that the search plays from its beginning to its end.
    fn search_blocks(&self) -> u64 {
        match &self.search {
            Search::Spsa(search) => self.terms.blocks.saturating_mul(search.iterations()),
            Search::Halving { settings, .. } => Halving::total(settings.len(), self.terms.blocks),
        }
    }

    /// Both sides of the next iteration, and the agents that they make.
    fn sides(&self, search: &Spsa) -> (Sides, [AgentSpec; 2]) {
        let sides = search.sides(&mut QuickDice::new(self.key, search.done()));
        let agents =
            [&sides.plus, &sides.minus].map(|values| self.terms.with_values(search, values, &self.base.game));
        (sides, agents)
    }

    /// What the next iteration plays, and how many blocks of it.
    fn iteration(&self) -> (Experiment, u64) {
        let players = self.base.players();
        let opponents = self.terms.opponents();
        let (line_ups, blocks) = match &self.search {
            Search::Halving { race, settings } => {
                let left: Vec<AgentSpec> =
                    race.left().iter().map(|&setting| settings[setting].clone()).collect();
                (among(&left, opponents, players), race.blocks())
            }
            Search::Spsa(search) => {
                let both = self.sides(search).1;
                let line_ups = match self.terms.against {
                    Against::Themselves => meeting(&both[0], &both[1], players, &halves(players)),
                    Against::Pool(_) => among(&both, opponents, players),
                };
                (line_ups, self.terms.blocks)
            }
        };
        (Experiment { line_ups, ..self.base.clone() }, blocks)
    }

    /// Iterations whose sides are the same agent teach nothing and are not played.
    fn pass_over_equals(&mut self) {
        while self.answer.is_none() {
            let Search::Spsa(search) = &self.search else { return };
            let (sides, [plus, minus]) = self.sides(search);
            if plus.label() != minus.label() {
                return;
            }
            self.learn_from_sides(&sides, 0, (0.0, 0.0));
        }
    }

    /// Takes in by how much the plus side was better, with the variance of a block.
    fn learn_from_sides(&mut self, sides: &Sides, blocks: u64, (difference, variance): (f64, f64)) {
        let Search::Spsa(search) = &mut self.search else { return };
        let effect = if variance > 0.0 { difference / variance.sqrt() } else { 0.0 };
        search.learn(sides, effect);
        let mut row = vec![search.done().to_string(), blocks.to_string()];
        row.extend([difference, effect].map(number));
        for ((value, plus), minus) in search.values().iter().zip(&sides.plus).zip(&sides.minus) {
            row.extend([*value, *plus, *minus].map(number));
        }
        self.log.push(row);
        let Some(values) = search.answer() else { return };
        let answer = self.terms.with_values(search, &values, &self.base.game);
        self.finish_search(answer);
    }

    /// Takes in how the settings still in the race fared.
    fn learn_from_round(&mut self, experiment: &Experiment, played: &Played) {
        let Search::Halving { race, settings } = &mut self.search else { return };
        let Terms { measure, .. } = self.terms;
        let opponents = self.terms.opponents();
        let raced = race.left().to_vec();
        let mean = |&setting: &usize| {
            let over = |opponent: &AgentSpec| {
                let labels = [settings[setting].label(), opponent.label()];
                advantage(experiment, played, labels, measure).map_or(0.0, |(mean, _)| mean)
            };
            opponents.iter().map(over).sum::<f64>() / opponents.len() as f64
        };
        let fared: Vec<f64> = raced.iter().map(mean).collect();
        race.learn(&fared);
        for (setting, fared) in raced.iter().zip(fared) {
            let (round, label) = (race.rounds().to_string(), settings[*setting].label().to_owned());
            let goes_on = race.left().contains(setting);
            self.log.push(vec![
                round,
                label,
                played.tally.blocks.to_string(),
                number(fared),
                goes_on.to_string(),
            ]);
        }
        if let [winner] = *race.left() {
            let winner = settings[winner].clone();
            self.finish_search(winner);
        }
    }

    /// Sets up the tests. An answer that is the baseline needs none.
    fn finish_search(&mut self, answer: AgentSpec) {
        let Terms { baseline, third, .. } = &self.terms;
        let players = self.base.players();
        if answer.label() != baseline.label() {
            let both = [answer.clone(), baseline.clone()];
            let line_ups = [
                meeting(&answer, baseline, players, &alone_and_halves(players)),
                among(&both, std::slice::from_ref(third), players),
            ];
            let experiment = |line_ups| Experiment { line_ups, ..self.base.clone() };
            self.tests = line_ups.into_iter().map(experiment).map(Test::new).collect();
        }
        self.answer = Some(answer);
    }

    /// What was looked at in the search, as a file.
    fn log_file(&self) -> (&'static str, Vec<u8>) {
        let mut out = Vec::new();
        let name = match &self.search {
            Search::Spsa(search) => {
                let mut columns: Vec<String> =
                    ["iteration", "blocks", "plus_less_minus", "effect"].map(str::to_owned).into();
                for Dimension { key, .. } in search.dimensions() {
                    columns.extend([key.clone(), format!("{key}_plus"), format!("{key}_minus")]);
                }
                write_row(&mut out, columns.iter().map(String::as_str));
                "iterates.csv"
            }
            Search::Halving { .. } => {
                write_row(&mut out, ["round", "agent", "blocks", "advantage", "goes_on"]);
                "rounds.csv"
            }
        };
        self.log.iter().for_each(|row| write_row(&mut out, row.iter().map(String::as_str)));
        (name, out)
    }

    /// Where the search stands, in some words.
    fn standing(&self) -> String {
        match &self.search {
            Search::Spsa(search) => {
                let value = |(dimension, &value): (&Dimension, &f64)| {
                    format!("{} {}", dimension.key, figures::number(value, 3))
                };
                let values: Vec<String> =
                    search.dimensions().iter().zip(search.values()).map(value).collect();
                let [done, all] = [search.done(), search.iterations()].map(count);
                format!("iteration {done} of {all}: {}", values.join(", "))
            }
            Search::Halving { race, .. } => {
                format!("{} in the race", counted(race.left().len() as u64, "setting"))
            }
        }
    }

    /// Two agents that are none of those who are known to play.
    fn stand_ins(&self) -> [AgentSpec; 2] {
        let Terms { baseline, third, .. } = &self.terms;
        let is_new =
            |spec: &AgentSpec| ![baseline, third].contains(&spec) && !self.terms.opponents().contains(spec);
        let mut specs = (1..).filter_map(|worlds| {
            AgentSpec::parse(&format!("flat-mc:worlds={worlds}"), &self.base.game).ok().filter(is_new)
        });
        std::array::from_fn(|_| specs.next().unwrap_or_else(|| baseline.clone()))
    }
}

impl Study for Tune {
    fn kind(&self) -> &'static str {
        "tune"
    }

    fn experiment(&self) -> &Experiment {
        &self.base
    }

    fn settings(&self) -> Map<String, Value> {
        let label =
            |agents: &[AgentSpec]| agents.iter().map(|agent| agent.label().to_owned()).collect::<Vec<_>>();
        let method = match &self.search {
            Search::Spsa(search) => {
                let bounds = |dimension: &Dimension| {
                    let Dimension { key, min, max, step, .. } = dimension;
                    (key.clone(), json!({ "min": min, "max": max, "step": step }))
                };
                let tuned: Map<String, Value> = search.dimensions().iter().map(bounds).collect();
                let (iterations, rate) = (search.iterations(), search.rate());
                json!({ "method": "spsa", "parameters": tuned, "iterations": iterations, "rate": rate })
            }
            Search::Halving { settings, .. } => json!({ "method": "halving", "settings": label(settings) }),
        };
        let Terms { agent, against, measure, blocks, test_blocks, baseline, third, margin, .. } = &self.terms;
        let mut tune = json!({
            "agent": agent.label(),
            "against": match against {
                Against::Themselves => Value::from("itself"),
                Against::Pool(opponents) => json!(label(opponents)),
            },
            "measure": MEASURES[*measure],
            "blocks": blocks,
            "test_blocks": test_blocks,
            "baseline": baseline.label(),
            "third": third.label(),
            "margin": margin,
        });
        if let (Value::Object(tune), Value::Object(method)) = (&mut tune, method) {
            tune.extend(method);
        }
        Map::from_iter([("tune".to_owned(), tune)])
    }

    fn games(&self) -> u64 {
        let players = self.base.players();
        let of = |line_ups: Vec<Vec<AgentSpec>>, blocks: u64| {
            Experiment { line_ups, blocks, ..self.base.clone() }.games().unwrap_or(u64::MAX)
        };
        // Line-ups of other agents have as many games, as long as they differ as those will that play.
        let [one, other] = self.stand_ins();
        let (sides, tested) = ([one.clone(), other], [one, self.terms.baseline.clone()]);
        let of_search = match &self.search {
            Search::Spsa(_) => {
                let line_ups = match self.terms.against {
                    Against::Themselves => meeting(&sides[0], &sides[1], players, &halves(players)),
                    Against::Pool(_) => among(&sides, self.terms.opponents(), players),
                };
                of(line_ups, self.search_blocks())
            }
            Search::Halving { settings, .. } => {
                let mut race = Halving::new(settings.len(), self.terms.blocks);
                let mut games = 0_u64;
                while race.left().len() > 1 {
                    let left = &settings[..race.left().len()];
                    games =
                        games.saturating_add(of(among(left, self.terms.opponents(), players), race.blocks()));
                    race.learn(&vec![0.0; race.left().len()]);
                }
                games
            }
        };
        let of_tests = [
            meeting(&tested[0], &tested[1], players, &alone_and_halves(players)),
            among(&tested, std::slice::from_ref(&self.terms.third), players),
        ];
        let of_tests = of_tests.map(|line_ups| of(line_ups, self.terms.test_blocks));
        of_tests.into_iter().fold(of_search, u64::saturating_add)
    }

    fn heading(&self) -> String {
        let Experiment { game, seed, .. } = &self.base;
        let players = self.base.players();
        let search = match &self.search {
            Search::Spsa(search) => format!(
                "{} of {} tuned in {} of {}",
                counted(search.dimensions().len() as u64, "parameter"),
                self.terms.agent.label(),
                counted(search.iterations(), "iteration"),
                counted(self.terms.blocks, "block"),
            ),
            Search::Halving { settings, .. } => format!(
                "{} of {} compared, first in {}",
                counted(settings.len() as u64, "setting"),
                self.terms.agent.label(),
                counted(self.terms.blocks, "block"),
            ),
        };
        let tests = counted(self.terms.test_blocks, "block");
        format!("{game}, {players} players, seed {seed}: {search}, then two tests of {tests}")
    }

    fn next(&self) -> Option<Stage> {
        if self.was_stopped {
            return None;
        }
        let stage = |experiment: Experiment, start: u64, blocks: u64, found: String| Stage {
            experiment,
            blocks: start..start.saturating_add(blocks),
            found,
        };
        if self.answer.is_none() {
            let (experiment, blocks) = self.iteration();
            return Some(stage(experiment, self.searched, blocks, self.standing()));
        }
        let test = self.tests.iter().find(|test| test.played.is_none())?;
        let found = "the answer is tested".to_owned();
        Some(stage(test.experiment.clone(), self.search_blocks(), self.terms.test_blocks, found))
    }

    fn ahead(&self) -> Vec<Stage> {
        let Some(first) = self.next() else { return Vec::new() };
        // Both tests are settled when the answer is.
        let left = self.tests.iter().filter(|test| test.played.is_none()).skip(1);
        let more = left.map(|test| Stage { experiment: test.experiment.clone(), ..first.clone() });
        let more: Vec<Stage> = more.collect();
        [vec![first], more].concat()
    }

    fn take(&mut self, played: &Played) {
        self.effort.add(&played.effort());
        self.was_stopped = !played.complete;
        if self.answer.is_some() {
            if let Some(test) = self.tests.iter_mut().find(|test| test.played.is_none()) {
                test.played = Some(played.clone());
            }
            return;
        }
        if !played.complete {
            return;
        }
        self.searched += played.tally.blocks;
        let (experiment, _) = self.iteration();
        match &self.search {
            Search::Spsa(search) => {
                let (sides, [plus, minus]) = self.sides(search);
                let labels = [plus.label(), minus.label()];
                let found = advantage(&experiment, played, labels, self.terms.measure);
                self.learn_from_sides(&sides, played.tally.blocks, found.unwrap_or_default());
                self.pass_over_equals();
            }
            Search::Halving { .. } => self.learn_from_round(&experiment, played),
        }
    }

    fn findings(&self) -> Findings {
        let complete = !self.was_stopped && self.next().is_none();
        let mut findings = self.judge();
        findings.files.push(self.log_file());
        Findings { complete, effort: self.effort, ..findings }
    }
}

/// Line-ups of two agents that share a table, the one in so many seats of each.
fn meeting(one: &AgentSpec, other: &AgentSpec, players: usize, seats: &[usize]) -> Vec<Vec<AgentSpec>> {
    let mut seats = seats.to_vec();
    seats.sort_unstable();
    seats.dedup();
    let line_up = |held: usize| {
        // Spread among each other, so that neither has all its seats in a row.
        let is_one = |seat: usize| (seat + 1) * held / players > seat * held / players;
        (0..players).map(|seat| if is_one(seat) { one } else { other }.clone()).collect()
    };
    seats.into_iter().map(line_up).collect()
}

/// Half the seats, and if they are odd, as many as are left.
fn halves(players: usize) -> Vec<usize> {
    vec![players / 2, players - players / 2]
}

/// One seat, half of them, all but one.
fn alone_and_halves(players: usize) -> Vec<usize> {
    [vec![1, players - 1], halves(players)].concat()
}

/// Line-ups of each agent among each kind of opponent. Two of them may be the same table, where an agent is an opponent too;
/// it is played once.
fn among(agents: &[AgentSpec], opponents: &[AgentSpec], players: usize) -> Vec<Vec<AgentSpec>> {
    let mut line_ups: Vec<Vec<AgentSpec>> = Vec::new();
    let labels = |line_up: &[AgentSpec]| {
        let mut labels: Vec<String> = line_up.iter().map(|agent| agent.label().to_owned()).collect();
        labels.sort_unstable();
        labels
    };
    for opponent in opponents {
        for agent in agents {
            let mut line_up = vec![opponent.clone(); players];
            line_up[0] = agent.clone();
            if line_ups.iter().all(|other| labels(other) != labels(&line_up)) {
                line_ups.push(line_up);
            }
        }
    }
    line_ups
}
