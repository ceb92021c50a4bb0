//! Search on toys where the truth is known, and its laws on the real games.

mod toys;

use dealt_agents::outsider::EXTERNAL;
use dealt_agents::search::{
    Choice, DeterminisedSearch, Flat, InformationSetSearch, Objective, Observer, Oracle, Settings, Utility,
};
use dealt_agents::{AGENTS, Agent, AgentSpec, Parameters, Player, SearchGame, Turn, Weights, registry};
use dealt_engine::{
    CancellationHearts, Dice, Game, Move, Pack, QuickDice, Rules, Standing, ThreeThirteen, TwoTenJack,
};
use serde_json::{Value, json};
use toys::{BET, Cups, Hands, Kuhn, Nim, PASS, Toy, Whole, nim_is_won};

const SETTINGS: Settings = Settings { worlds: 100, memory_mb: 1, ..Settings::PLAIN };

const START: Standing =
    Standing { deals: 0, dealer: 0, totals: [0; dealt_engine::MAX_PLAYERS], capped: false };

fn turn<'t, G: Game>(game: &'t G, standing: &'t Standing, state: &'t G::State, decision: u64) -> Turn<'t, G> {
    let seat = game.turn(state).unwrap();
    Turn::new(game, standing, state, seat, game.legal_moves(state), 7, decision)
}

fn ask<G: Game>(agent: &mut dyn Agent<G>, game: &G, state: &G::State) -> Move {
    agent.decide(&turn(game, &START, state, 1))
}

/// Agents that build trees.
fn planners<G: SearchGame>(settings: Settings) -> Vec<Box<dyn Agent<G>>> {
    let multiple = Settings { observer: Observer::Multiple, ..settings };
    vec![
        Box::new(InformationSetSearch::new(settings)),
        Box::new(InformationSetSearch::new(multiple)),
        Box::new(DeterminisedSearch::new(settings)),
    ]
}

#[test]
fn in_nim_every_won_position_is_won() {
    let game = Whole(Nim);
    let mut decided = 0;
    for mut agent in planners(Settings { iterations: 12_000, worlds: 1, memory_mb: 8, ..SETTINGS }) {
        for code in 0..125_u8 {
            let state = ([code % 5, code / 5 % 5, code / 25], 1);
            if !nim_is_won(&state) || Nim::legal(&state).len() < 2 {
                continue;
            }
            let mut after = state;
            Nim::play(&mut after, ask(agent.as_mut(), &game, &state));
            assert!(!nim_is_won(&after), "{state:?} to {after:?}");
            decided += 1;
        }
    }
    assert!(decided > 150, "{decided}");
}

#[test]
fn in_kuhn_poker_nobody_calls_with_the_jack_or_passes_a_bet_with_the_king() {
    let game = Whole(Kuhn);
    let (jack, king) = (0, 2);
    let bet = Hands { cards: [1, 1], bets: [true, false, false], moves: 1 };
    let raised = Hands { cards: [1, 1], bets: [false, true, false], moves: 2 };
    let checked = Hands { cards: [1, 1], bets: [false; 3], moves: 1 };
    let known = [
        (bet, jack, PASS),
        (bet, king, BET),
        (raised, jack, PASS),
        (raised, king, BET),
        (checked, king, BET),
    ];
    let mut agents = planners(SETTINGS);
    agents.push(Box::new(Flat::new(SETTINGS)));
    for mut agent in agents {
        for (mut state, card, right) in known {
            state.cards[Kuhn::turn(&state).unwrap()] = card;
            assert_eq!(ask(agent.as_mut(), &game, &state), right, "{state:?}");
        }
    }
}

fn value_of_best<G: Game>(agent: &dyn Agent<G>) -> f64 {
    agent.explain().unwrap()["moves"][0]["value"].as_f64().unwrap()
}

#[test]
fn with_a_tree_for_each_seat_the_others_do_not_know_what_was_hidden() {
    let game = Whole(Cups);
    let state = (None, None);
    let hide = |observer| {
        let mut agent = InformationSetSearch::new(Settings { observer, iterations: 20_000, ..SETTINGS });
        ask(&mut agent, &game, &state);
        value_of_best(&agent)
    };
    // Who sees the coin being hidden finds it: that costs 1, and the margin is twice as much in six.
    assert!((hide(Observer::Single) + 2.0 / 6.0).abs() < 0.05, "{}", hide(Observer::Single));
    // Who does not finds it at most when it is where it pays best to hide it; hidden well it brings about a point.
    assert!(hide(Observer::Multiple) > 0.0, "{}", hide(Observer::Multiple));
}

#[test]
fn the_cup_under_which_a_coin_costs_most_is_lifted() {
    let game = Whole(Cups);
    // Lifting the dearest cup saves most: 3 if the coin is there.
    let state = (Some(0), None);
    // By visits `mcts` would take the cup that had the coin in most worlds.
    // And among few worlds chance decides.
    for mut agent in planners(Settings { choice: Choice::Value, worlds: 1000, iterations: 2000, ..SETTINGS })
    {
        assert_eq!(ask(agent.as_mut(), &game, &state), Move::word(2));
    }
}

#[test]
fn every_move_is_played_out_with_the_same_random_numbers() {
    let game = Whole(Cups);
    let state = (None, None);
    let mut agent = Flat::<Whole<Cups>>::new(SETTINGS);
    for decision in 0..5 {
        agent.decide(&turn(&game, &START, &state, decision));
        let explanation = agent.explain().unwrap();
        // The same cup is lifted wherever the coin is hidden: the shares of coins found add up to exactly one.
        let found = explanation["moves"].as_array().unwrap().iter().map(|row| {
            let cup = Move::parse(row["move"].as_str().unwrap(), Whole::<Cups>::WORDS).unwrap();
            let pays = 1.0 + cup.as_word().unwrap() as f64;
            (2.0 * pays - 6.0 * row["value"].as_f64().unwrap()) / (2.0 * pays + 2.0)
        });
        let found: Vec<f64> = found.collect();
        assert!(found.len() == 3 && (found.iter().sum::<f64>() - 1.0).abs() < 1e-3, "{found:?}");
    }
}

fn values(utility: Utility, totals: [i32; 4], scores: [i32; 4]) -> Vec<f64> {
    let rules = dealt_engine::CancellationHeartsRules::default().with(hearts().as_object().unwrap()).unwrap();
    let game = CancellationHearts::new(rules).unwrap();
    let four = |values: [i32; 4]| std::array::from_fn(|seat| values.get(seat).copied().unwrap_or(0));
    let standing = Standing { totals: four(totals), ..START };
    let state = game.deal(&standing, &mut Pack::new(game.pack(), QuickDice::new(1, 0)));
    let values = Objective::new(&game, utility, &standing, &state).values(&four(scores));
    assert!(values[4..].iter().all(|&value| value == 0.0));
    values[..4].to_vec()
}

#[test]
fn a_margin_is_over_the_mean_of_the_others_and_about_one_wide() {
    // One pack of hearts: thirteen points of one and one of thirteen for four.
    let spread = 4.0 * (182.0_f64 / 3.0).sqrt();
    let margins = values(Utility::Margin, [90, 0, 0, 0], [0, 13, 6, 7]);
    for (margin, expected) in
        margins.iter().zip([26.0 / 3.0, 13.0 / 3.0 - 13.0, 20.0 / 3.0 - 6.0, 19.0 / 3.0 - 7.0])
    {
        assert!((margin - expected / spread).abs() < 1e-12, "{margins:?}");
    }
    assert!(margins.iter().sum::<f64>().abs() < 1e-12);
}

#[test]
fn a_place_is_that_of_the_totals_after_the_deal() {
    assert_eq!(values(Utility::Place, [10, 20, 0, 30], [0, 0, 20, 6]), [1.0, 0.5, 0.5, 0.0]);
    assert_eq!(values(Utility::Place, [0; 4], [5; 4]), [0.5; 4]);
}

#[test]
fn a_win_is_shared_when_the_game_is_over_and_foreseen_by_the_totals_before() {
    assert_eq!(values(Utility::Win, [90, 20, 20, 30], [26, 0, 0, 0]), [0.0, 0.5, 0.5, 0.0]);
    let shares = values(Utility::Win, [40, 30, 20, 30], [0, 0, 26, 0]);
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{shares:?}");
    assert!(shares[1] == shares[3] && shares[1] > shares[0] && shares[0] > shares[2], "{shares:?}");
}

/// Something to be checked in real games under several rules.
fn with_positions<G: SearchGame>(
    changes: &Value,
    positions: usize,
    mut check: impl FnMut(&G, &Standing, &G::State),
) {
    let game = G::new(G::Rules::default().with(changes.as_object().unwrap()).unwrap()).unwrap();
    let mut dice = QuickDice::new(11, 5);
    for number in 0..positions {
        let mut standing = game.start(dice.below(game.players() as u32) as usize);
        standing.deals = dice.below(2);
        let mut pack = Pack::new(game.pack(), QuickDice::new(3, number as u64));
        let mut state = game.deal(&standing, &mut pack);
        let mut before = state;
        for _ in 0..dice.below(60) {
            let legal = game.legal_moves(&state);
            game.play_unchecked(
                &mut state,
                legal.nth(dice.below(legal.len() as u32) as usize).unwrap(),
                &mut pack,
            );
            match game.turn(&state) {
                None => break,
                Some(_) if game.legal_moves(&state).len() > 1 => before = state,
                Some(_) => {}
            }
        }
        check(&game, &standing, &before);
    }
}

fn hearts() -> Value {
    serde_json::from_str(CancellationHearts::PRESETS[0].changes).unwrap()
}

/// Every search agent, cheap, with every value of every choice.
fn agents<G: SearchGame>() -> Vec<AgentSpec> {
    let mut agents = Vec::new();
    for info in AGENTS.iter().filter(|info| !["random", "greedy"].contains(&info.name) && !info.clairvoyant) {
        let known = registry::parameters(info.name, G::NAME);
        let has = |key: &str| known.iter().any(|parameter| parameter.key == key);
        let cheap = [("iterations", "30"), ("worlds", "3"), ("horizon", "30")];
        let cheap: Vec<_> = cheap.into_iter().filter(|(key, _)| has(key)).collect();
        let variants = [
            ("rollout", "random"),
            ("rollout", "epsilon-greedy"),
            ("observer", "multiple"),
            ("utility", "win"),
            ("choice", "value"),
            ("endgame", "false"),
        ];
        for (key, value) in variants.into_iter().filter(|(key, _)| has(key)) {
            let settings: Vec<_> =
                cheap.iter().chain([&(key, value)]).map(|(key, value)| format!("{key}={value}")).collect();
            agents.push(AgentSpec::parse(&format!("{}:{}", info.name, settings.join(",")), G::NAME).unwrap());
        }
    }
    assert!(agents.len() >= 8);
    agents
}

fn blindness<G: SearchGame>(changes: &Value) {
    let mut dice = QuickDice::new(2, 9);
    let mut different = 0;
    let specs = agents::<G>();
    let mut built: Vec<_> = specs.iter().map(AgentSpec::build::<G>).collect();
    with_positions::<G>(changes, 12, |game, standing, state| {
        let seat = game.turn(state).unwrap();
        let world = game.determinise(&game.view(state, seat), &mut dice);
        different += u32::from(world != *state);
        for (spec, agent) in specs.iter().zip(&mut built) {
            let mv = agent.decide(&turn(game, standing, state, 3), state).unwrap();
            assert!(game.legal_moves(state).has(mv), "{}", spec.label());
            // The agent has played before, the other one has not: both must not matter.
            let mut fresh = spec.build::<G>();
            let there = fresh.decide(&turn(game, standing, &world, 3), &world).unwrap();
            assert_eq!(there, mv, "{}\n{state:?}\n{world:?}", spec.label());
            assert_eq!(fresh.explain(), agent.explain(), "{}", spec.label());
        }
    });
    assert!(different > 6, "{different} worlds differ");
}

#[test]
fn in_two_ten_jack_a_move_depends_on_what_is_seen_alone() {
    blindness::<TwoTenJack>(&json!({}));
}

#[test]
fn in_cancellation_hearts_a_move_depends_on_what_is_seen_alone() {
    blindness::<CancellationHearts>(&json!({}));
    blindness::<CancellationHearts>(&hearts());
}

#[test]
fn in_three_thirteen_a_move_depends_on_what_is_seen_alone() {
    blindness::<ThreeThirteen>(&json!({ "players": 3 }));
}

fn both_observers_agree<G: SearchGame>(changes: &Value) {
    let single = Settings { iterations: 200, horizon: 20, ..SETTINGS };
    let multiple = Settings { observer: Observer::Multiple, ..single };
    with_positions::<G>(changes, 10, |game, standing, state| {
        let explain = |settings| {
            let mut agent = InformationSetSearch::<G>::new(settings);
            agent.decide(&turn(game, standing, state, 4));
            agent.explain()
        };
        assert_eq!(explain(single), explain(multiple));
    });
}

#[test]
fn where_nothing_is_hidden_one_tree_and_a_tree_for_each_seat_come_to_the_same() {
    both_observers_agree::<TwoTenJack>(&json!({}));
    both_observers_agree::<ThreeThirteen>(&json!({ "players": 3 }));
    both_observers_agree::<CancellationHearts>(&json!({ "pass_cycle": [] }));
}

#[test]
fn in_little_memory_a_search_goes_on_to_its_last_walk() {
    let settings = Settings { iterations: 30_000, memory_mb: 1, endgame: false, ..SETTINGS };
    with_positions::<TwoTenJack>(&json!({}), 2, |game, standing, state| {
        let mut agent = InformationSetSearch::new(settings);
        let mv = agent.decide(&turn(game, standing, state, 4));
        assert!(game.legal_moves(state).has(mv));
        let moves = agent.explain().unwrap()["moves"].clone();
        let visits = moves.as_array().unwrap().iter().map(|row| row["visits"].as_u64().unwrap());
        assert_eq!(visits.sum::<u64>(), 30_000);
    });
}

/// How often agents of so much caution make another move than the heuristic, in how many decisions.
fn departures<G: SearchGame>(changes: &Value, caution: f64) -> (usize, usize) {
    let settings = Settings { iterations: 60, worlds: 20, horizon: 10, endgame: false, caution, ..SETTINGS };
    let weights = <G::Weights as Weights>::from_parameters(&Parameters::new());
    let (mut departures, mut decisions) = (0, 0);
    with_positions::<G>(changes, 10, |game, standing, state| {
        let turn = turn(game, standing, state, 9);
        let own = game.greedy(&weights, &turn.view(), turn.legal_moves());
        let mut agents = planners(settings);
        agents.push(Box::new(Flat::new(settings)));
        for mut agent in agents {
            let departs = agent.decide(&turn) != own;
            let explanation = agent.explain().unwrap();
            let best = &explanation["moves"][0]["move"];
            // A move that was kept is named; otherwise the best was made.
            assert_eq!(explanation.get("kept").is_some(), !departs && *best != own.name(G::WORDS));
            departures += usize::from(departs);
            decisions += 1;
        }
    });
    (departures, decisions)
}

fn caution_keeps_to_the_heuristic<G: SearchGame>(changes: &Value) {
    let ([bold, of], [wary, _], [never, _]) = (
        departures::<G>(changes, 0.0).into(),
        departures::<G>(changes, 1.0).into(),
        departures::<G>(changes, 100.0).into(),
    );
    assert!(bold > wary && wary < of / 2 && never == 0, "{bold} {wary} {never} of {of}");
}

#[test]
fn the_more_caution_the_more_often_the_heuristics_move_is_made() {
    caution_keeps_to_the_heuristic::<TwoTenJack>(&json!({}));
    caution_keeps_to_the_heuristic::<CancellationHearts>(&json!({}));
    caution_keeps_to_the_heuristic::<ThreeThirteen>(&json!({}));
}

#[test]
fn bad_parameters_are_refused_with_what_is_accepted() {
    let refused = [
        (
            "ismcts:iterations=0",
            "parameter `iterations` of ismcts cannot be `0`; accepted: a whole number from 1 to",
        ),
        ("ismcts:iterations=1.5", "a whole number from 1 to"),
        ("ismcts:c=-1", "parameter `c` of ismcts cannot be `-1`; accepted: a number from 0 to 100"),
        (
            "ismcts:memory_mb=0",
            "parameter `memory_mb` of ismcts cannot be `0`; accepted: a whole number from 1 to",
        ),
        ("ismcts:rollout=clever", "cannot be `clever`; accepted: random, greedy, epsilon-greedy"),
        ("ismcts:observer=none", "accepted: single, multiple"),
        ("ismcts:ms=-1", "a whole number from 0 to"),
        ("ismcts:endgame=maybe", "accepted: true, false"),
        (
            "flat-mc:worlds=0",
            "parameter `worlds` of flat-mc cannot be `0`; accepted: a whole number from 1 to",
        ),
        ("flat-mc:epsilon=1.01", "accepted: a number from 0 to 1"),
        ("flat-mc:utility=fun", "accepted: margin, place, win"),
        ("flat-mc:iteration=5", "flat-mc has no parameter `iteration` in hearts"),
    ];
    for (text, message) in refused {
        let message = message.replace("hearts", "cancellation-hearts");
        let error = AgentSpec::parse(text, "cancellation-hearts").unwrap_err().to_string();
        assert!(error.contains(&message), "{text}: {error}");
    }
}

#[test]
fn only_the_oracle_is_shown_the_position() {
    for info in AGENTS.iter().filter(|info| info.name != EXTERNAL) {
        let spec = AgentSpec::parse(info.name, "two-ten-jack").unwrap();
        let is_clairvoyant = matches!(spec.build::<TwoTenJack>(), Player::Clairvoyant(_));
        assert_eq!(is_clairvoyant, info.name == "oracle");
        assert_eq!((info.clairvoyant, spec.is_clairvoyant()), (is_clairvoyant, is_clairvoyant));
    }
}

#[test]
fn the_oracle_knows_under_which_cup_the_coin_is() {
    let game = Whole(Cups);
    let mut oracle = Player::Clairvoyant(Box::new(Oracle::new(SETTINGS)));
    for cup in 0..3 {
        let state = (Some(cup), None);
        assert_eq!(oracle.decide(&turn(&game, &START, &state, 1), &state).unwrap(), Move::word(cup));
        assert_eq!(oracle.explain().unwrap()["line"], json!([Move::word(cup).name(Whole::<Cups>::WORDS)]));
    }
}

#[test]
fn a_limit_of_time_ends_a_search_and_is_known_to_the_agent() {
    let spec = |text: &str| AgentSpec::parse(text, "two-ten-jack").unwrap();
    for agent in
        ["ismcts:iterations=100000000", "mcts:worlds=10000,iterations=10000", "flat-mc:worlds=100000000"]
    {
        let spec = spec(&format!("{agent},ms=5"));
        assert!(spec.depends_on_time());
        with_positions::<TwoTenJack>(&json!({}), 1, |game, standing, state| {
            let mv = spec.build().decide(&turn(game, standing, state, 0), state).unwrap();
            assert!(game.legal_moves(state).has(mv));
        });
    }
    assert!(!spec("ismcts").depends_on_time() && !spec("random").depends_on_time());
}
