//! Two-ten-jack: its laws over random games, the worked cases of its rules, golden values.

mod kit;
#[path = "reference/two_ten_jack.rs"]
mod reference;

use std::collections::BTreeMap;

use dealt_engine::two_ten_jack::{
    AS_SPADE, AS_TRUMP, Declaration, SPADE_ACE, SpadeAce, TRUMPS, TargetCheck, Trick, View,
};
use dealt_engine::{
    Card, CardSet, Dice, Game, Move, Moves, QuickDice, Rules, Script, Standing, Suit, TwoTenJack,
    TwoTenJackRules, Worlds,
};
use reference::Plain;
use serde_json::{Value, json};

type State = <TwoTenJack as Game>::State;

fn rules(changes: &Value) -> TwoTenJackRules {
    TwoTenJackRules::default().with(changes.as_object().unwrap()).unwrap()
}

fn game(changes: &Value) -> TwoTenJack {
    TwoTenJack::new(rules(changes)).unwrap()
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

fn total(standing: &Standing) -> [i32; 2] {
    [standing.totals[0], standing.totals[1]]
}

/// A game of random rules that ends after a few deals.
fn short_random_game(dice: &mut QuickDice) -> TwoTenJack {
    let mut rules = kit::random_game::<TwoTenJack>(dice).rules().clone();
    rules.max_deals = rules.deals.max(1 + dice.below(8));
    TwoTenJack::new(rules).unwrap()
}

// ---- laws -----------------------------------------------------------------------------------------------------------

#[test]
fn a_plain_implementation_of_the_rules_agrees_move_by_move() {
    for seed in 0..10_000 {
        let mut dice = QuickDice::new(0x706c_6169, seed);
        let game = short_random_game(&mut dice);
        let mut standing = kit::first_standing(&game, &mut dice);
        while !game.is_over(&standing) {
            let mut pack = kit::pack_for(&game, seed, &standing);
            let mut plain = Plain::deal(game.rules(), &pack.rest(), standing.dealer, total(&standing));
            let mut state = game.deal(&standing, &mut pack);
            loop {
                let context = || format!("{:?}\n{state:?}", game.rules());
                assert_eq!(game.turn(&state), plain.turn, "{}", context());
                assert_eq!(game.scores(&state)[..2], plain.scores(), "{}", context());
                for seat in 0..2 {
                    assert_eq!(game.hand(&state, seat), plain.hands[seat].iter().copied().collect());
                }
                if plain.turn.is_none() {
                    break;
                }
                let legal = game.legal_moves(&state);
                assert_eq!(legal, plain.legal().into_iter().collect::<Moves>(), "{}", context());
                let mv = kit::pick(legal, &mut dice);
                game.play(&mut state, mv, &mut pack).unwrap();
                plain.play(mv);
            }
            assert_eq!(game.events(&state)[..6], plain.events(), "{:?}\n{state:?}", game.rules());
            let totals = [0, 1].map(|seat| standing.totals[seat] + plain.scores()[seat]);
            standing = game.after(&standing, &state);
            assert_eq!(total(&standing), totals);
            let (over, capped) = reference::is_over(game.rules(), standing.deals, totals);
            assert_eq!((game.is_over(&standing), standing.capped), (over, capped), "{:?}", game.rules());
            assert_eq!(game.winners(&standing), reference::winners(totals));
        }
    }
}

/// Plays a deal at random and calls `look` at every position, the last included.
fn play_deal(game: &TwoTenJack, standing: &Standing, seed: u64, mut look: impl FnMut(&State)) -> State {
    let mut dice = QuickDice::new(0x7065_6570, seed);
    let mut pack = kit::pack_for(game, seed, standing);
    let mut state = game.deal(standing, &mut pack);
    while game.turn(&state).is_some() {
        look(&state);
        let mv = kit::pick(game.legal_moves(&state), &mut dice);
        game.play(&mut state, mv, &mut pack).unwrap();
    }
    look(&state);
    state
}

fn tricks(view: &View) -> Vec<Trick> {
    view.table().tricks().collect()
}

#[test]
fn a_deal_has_26_tricks_and_captures_52_cards() {
    for seed in 0..500 {
        let game = game(&json!({"hand_size": 2 + seed % 25}));
        let state = play_deal(&game, &game.start(0), seed, |_| ());
        let view = game.view(&state, 0);
        let tricks = tricks(&view);
        assert_eq!(tricks.len(), 26);
        let captured: CardSet = tricks.iter().flat_map(|trick| [trick.lead, trick.reply.unwrap()]).collect();
        assert_eq!(captured, CardSet::ALL);
        assert_eq!(game.events(&state)[0], Some(26));
    }
}

#[test]
fn by_default_scores_sum_to_5_and_each_lies_from_minus_15_to_20() {
    let game = game(&json!({}));
    for seed in 0..2_000 {
        let scores = game.scores(&play_deal(&game, &game.start(0), seed, |_| ()));
        assert_eq!(scores[0] + scores[1], 5);
        assert!((-15..=20).contains(&scores[0]), "{scores:?}");
    }
}

#[test]
fn scores_sum_to_all_points_whatever_the_table() {
    for seed in 0..1_000 {
        let game = short_random_game(&mut QuickDice::new(1, seed));
        if game.rules().target_check == TargetCheck::EndOfDeal {
            let scores = game.scores(&play_deal(&game, &game.start(1), seed, |_| ()));
            assert_eq!(scores[0] + scores[1], game.rules().points.values().sum::<i32>());
        }
    }
}

#[test]
fn a_game_by_default_ends_within_13_deals_and_is_not_tied() {
    let game = game(&json!({}));
    let mut longest = 0;
    for seed in 0..1_000 {
        let mut standing = game.start(0);
        while !game.is_over(&standing) {
            standing = game.after(&standing, &play_deal(&game, &standing, seed, |_| ()));
        }
        longest = longest.max(standing.deals);
        assert_eq!(game.winners(&standing).len(), 1);
        assert!(!standing.capped);
        assert!(total(&standing).into_iter().max().unwrap() >= 31);
    }
    assert!((8..=13).contains(&longest), "{longest}");
}

#[test]
fn the_ace_of_spades_wins_its_trick_unless_it_is_a_plain_spade() {
    let mut lost = 0;
    for seed in 0..2_000 {
        let mut rules = short_random_game(&mut QuickDice::new(2, seed)).rules().clone();
        if seed % 2 == 0 {
            rules.spade_ace = SpadeAce::AsDeclared;
        }
        let game = TwoTenJack::new(rules).unwrap();
        let state = play_deal(&game, &game.start(0), seed, |_| ());
        for trick in tricks(&game.view(&state, 0)) {
            let played = [0, 1].into_iter().find(|&seat| trick.card_of(seat) == Some(SPADE_ACE));
            let (Some(seat), Some(winner)) = (played, game.winner(&trick)) else { continue };
            let plain = game.rules().spade_ace == SpadeAce::AsDeclared;
            let loses = plain
                && seat == trick.leader
                && state_declared_spade(&game, &state)
                && trick.reply.is_some_and(|reply| reply.suit() == Suit::Hearts);
            assert_eq!(winner == seat, !loses, "{trick:?}\n{:?}", game.rules());
            lost += u32::from(loses);
        }
    }
    assert!(lost > 20, "{lost}");
}

fn state_declared_spade(game: &TwoTenJack, state: &State) -> bool {
    game.view(state, 0).table().declaration() == Some(Declaration::Spade)
}

#[test]
fn hands_keep_their_size_until_the_stock_is_used_up() {
    for seed in 0..500 {
        let hand_size = 2 + seed as usize % 25;
        let game = game(&json!({"hand_size": hand_size}));
        play_deal(&game, &game.start(0), seed, |state| {
            let plays = game.view(state, 0).table().played().len();
            if plays % 2 == 0 && plays < 52 {
                let expected = hand_size.min(26 - plays / 2);
                assert_eq!([0, 1].map(|seat| game.hand(state, seat).len()), [expected; 2]);
                assert_eq!(game.stock_size(game.view(state, 0).table()), 52 - 2 * expected - plays);
            }
        });
    }
}

#[test]
fn a_deal_stops_at_the_capture_that_reaches_the_target() {
    let mut early = 0;
    for seed in 0..500 {
        let game = game(&json!({"target": 5, "target_check": "immediate"}));
        let mut standing = game.start(0);
        while !game.is_over(&standing) {
            let mut best = Vec::new();
            let state = play_deal(&game, &standing, seed, |state| {
                let scores = game.scores(state);
                best.push((scores[0] + standing.totals[0]).max(scores[1] + standing.totals[1]));
            });
            let end = best.pop().unwrap();
            assert!(best.iter().all(|&before| before < 5));
            standing = game.after(&standing, &state);
            assert_eq!(end >= 5, game.is_over(&standing));
            early += u32::from(end >= 5 && game.events(&state)[0] < Some(26));
        }
    }
    assert!(early > 250, "{early}");
}

// ---- worked cases ---------------------------------------------------------------------------------------------------

/// A position in which the card has been led, declared so if it is the ace, to a follower who holds the hand.
fn after_lead(game: &TwoTenJack, lead: &str, hand: &str) -> State {
    let (lead, declared) = match lead {
        "AS as trump" => (SPADE_ACE, Some(AS_TRUMP)),
        "AS as spade" => (SPADE_ACE, Some(AS_SPADE)),
        card => (card.parse().unwrap(), None),
    };
    let hand = cards(hand);
    let others = Card::all().filter(|card| *card != lead && !hand.contains(card));
    let mut order = vec![lead];
    order.extend(others);
    order.splice(game.rules().hand_size..game.rules().hand_size, hand);
    let mut state = game.deal(&game.start(1), &mut Script::new(order, vec![]));
    for mv in [Some(Move::card(lead)), declared].into_iter().flatten() {
        game.play(&mut state, mv, &mut Script::default()).unwrap();
    }
    assert_eq!(game.turn(&state), Some(1));
    state
}

#[track_caller]
fn check_legal(changes: &Value, lead: &str, hand: &str, legal: &str) {
    let mut changes = changes.clone();
    changes["hand_size"] = json!(cards(hand).len());
    let game = game(&changes);
    let state = after_lead(&game, lead, hand);
    let expected: CardSet = cards(legal).into_iter().collect();
    assert_eq!(game.legal_moves(&state), Moves::from(expected), "{lead} → {hand}");
}

#[track_caller]
fn check_winner(changes: &Value, lead: &str, reply: &str, winner: usize) {
    let mut changes = changes.clone();
    changes["hand_size"] = json!(2);
    let game = game(&changes);
    let other = if lead.ends_with('D') { "3C" } else { "3D" };
    let mut state = after_lead(&game, lead, &format!("{reply} {other}"));
    let stock = game.view(&state, 0).unseen() - game.hand(&state, 1).faces();
    let mv = Move::card(reply.parse().unwrap());
    game.play(&mut state, mv, &mut Script::new(stock.into_iter().collect(), vec![])).unwrap();
    assert_eq!(game.turn(&state), Some(winner), "{lead} led, {reply} played");
    let points: i32 = [&lead[..2], reply].iter().map(|card| game.worth(card.parse().unwrap())).sum();
    assert_eq!(game.scores(&state)[winner], points);
}

#[test]
fn who_can_follow_must_and_who_cannot_must_trump() {
    let defaults = json!({});
    check_legal(&defaults, "9S", "AS 3H 9H", "AS");
    check_legal(&defaults, "9S", "AS 2S 3H", "AS 2S");
    check_legal(&defaults, "4H", "AS 2S 5D", "AS");
    check_legal(&defaults, "4H", "AS 2H", "AS 2H");
    check_legal(&defaults, "9C", "2H AS 3D", "2H AS");
    check_legal(&defaults, "5D", "AS 3C 4S", "AS");
    check_legal(&defaults, "5D", "3C 4S", "3C 4S");
    check_legal(&defaults, "AS as trump", "3H 2S 4C", "3H");
    check_legal(&defaults, "AS as trump", "2S 9S 3C", "2S 9S 3C");
    check_legal(&defaults, "AS as spade", "3H 4C", "3H");
    check_legal(&defaults, "AS as spade", "2S 3H", "2S");
}

#[test]
fn without_the_duty_to_trump_a_void_hand_is_free() {
    let changes = json!({"must_trump_when_void": false});
    check_legal(&changes, "9C", "2H AS 3D", "2H AS 3D");
    check_legal(&changes, "9C", "2C AS 3D", "2C");
    check_legal(&changes, "AS as spade", "3H 4C", "3H 4C");
}

#[test]
fn an_optional_ace_of_spades_may_be_kept_but_not_played_against_the_rule() {
    let changes = json!({"spade_ace_follow": "optional"});
    check_legal(&changes, "9S", "AS 3H 9H", "AS 3H 9H");
    check_legal(&changes, "4H", "AS 2S 5D", "AS 2S 5D");
    check_legal(&changes, "4H", "AS 2H 5D", "AS 2H");
    check_legal(&changes, "5D", "AS 3C 4S", "AS 3C 4S");
    check_legal(&changes, "9C", "AS 2C", "2C");
    check_legal(&changes, "9C", "AS 2H 3D", "AS 2H");
}

#[test]
fn following_is_free_while_the_stock_lasts_and_only_then() {
    let changes = json!({"follow_while_stock": "free"});
    check_legal(&changes, "9S", "AS 2S 3H 4C", "AS 2S 3H 4C");
    check_legal(
        &changes,
        "9S",
        "AS 2S 3H 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD",
        "AS 2S",
    );
}

#[test]
fn the_ace_of_spades_beats_hearts_and_hearts_beat_the_rest() {
    let defaults = json!({});
    check_winner(&defaults, "8D", "2H", 1);
    check_winner(&defaults, "8D", "9D", 1);
    check_winner(&defaults, "8D", "7D", 0);
    check_winner(&defaults, "8D", "AC", 0);
    check_winner(&defaults, "8H", "9H", 1);
    check_winner(&defaults, "8H", "AD", 0);
    check_winner(&defaults, "AH", "AS", 1);
    check_winner(&defaults, "8C", "AS", 1);
    check_winner(&defaults, "KS", "AS", 1);
    check_winner(&defaults, "TS", "JH", 1);
    check_winner(&defaults, "AS as trump", "AH", 0);
    check_winner(&defaults, "AS as spade", "AH", 0);
    check_winner(&defaults, "AS as spade", "KS", 0);
}

#[test]
fn an_ace_declared_a_spade_can_be_made_to_lose_to_hearts() {
    let changes = json!({"spade_ace": "as_declared"});
    check_winner(&changes, "AS as spade", "3H", 1);
    check_winner(&changes, "AS as spade", "KS", 0);
    check_winner(&changes, "AS as spade", "KD", 0);
    check_winner(&changes, "AS as trump", "3H", 0);
    check_winner(&changes, "KS", "AS", 1);
    check_winner(&changes, "KH", "AS", 1);
    check_winner(&changes, "KD", "AS", 1);
}

#[test]
fn each_card_scores_what_the_table_says() {
    let game = game(&json!({}));
    let scoring: Vec<String> = Card::all()
        .filter(|&card| game.worth(card) != 0)
        .map(|card| format!("{card} {:+}", game.worth(card)))
        .collect();
    let expected = "2C -5, TC -5, JC -5, 6D +1, 2S +1, TS +1, JS +1, AS +1, 2H +5, TH +5, JH +5";
    assert_eq!(scoring.join(", "), expected);
    let own = TwoTenJack::new(rules(&json!({"points": {"AH": -7}}))).unwrap();
    assert_eq!(Card::all().map(|card| own.worth(card)).collect::<Vec<_>>()[51], -7);
    assert_eq!(Card::all().map(|card| own.worth(card)).sum::<i32>(), -7);
}

#[test]
fn a_game_ends_by_the_target_by_the_number_of_deals_or_by_the_guard() {
    let standing = |deals, first, second| {
        let mut totals = [0; dealt_engine::MAX_PLAYERS];
        totals[..2].copy_from_slice(&[first, second]);
        Standing { deals, dealer: 0, totals, capped: false }
    };
    let usual = game(&json!({}));
    assert!(usual.is_over(&standing(3, 31, 30)));
    assert!(usual.is_over(&standing(3, -40, 33)));
    assert!(!usual.is_over(&standing(3, 30, 30)));
    assert!(!usual.is_over(&standing(14, 35, 35)), "equal totals call for another deal");
    assert!(usual.is_over(&standing(1000, 0, 0)));
    let seven = game(&json!({"deals": 7}));
    assert!(!seven.is_over(&standing(6, 60, 0)), "the target plays no part");
    assert!(seven.is_over(&standing(7, 3, 3)));
    assert_eq!(seven.winners(&standing(7, 3, 3)), [0, 1]);
}

// ---- options --------------------------------------------------------------------------------------------------------

#[test]
fn every_example_is_accepted_and_the_first_is_the_default() {
    let defaults = TwoTenJackRules::default().to_map();
    for option in TwoTenJackRules::OPTIONS {
        for (index, example) in option.examples.iter().enumerate() {
            let value: Value = serde_json::from_str(example).unwrap();
            assert_eq!(index == 0, value == defaults[option.key], "{} {example}", option.key);
            assert_eq!(rules(&json!({ option.key: value })).to_map()[option.key], value);
        }
    }
    let keys: Vec<_> = TwoTenJackRules::OPTIONS.iter().map(|option| option.key).collect();
    assert_eq!(defaults.keys().collect::<Vec<_>>(), keys);
}

#[test]
fn what_cannot_be_played_is_refused_by_name() {
    let refused = |changes: Value| {
        let rules = TwoTenJackRules::default().with(changes.as_object().unwrap());
        rules.and_then(TwoTenJack::new).map(|_| ()).unwrap_err().to_string()
    };
    let cases = [
        (json!({"hand_size": 27}), "`hand_size` cannot be `27`; accepted: an integer from 2 to 26"),
        (json!({"hand_size": 1}), "`hand_size` cannot be `1`"),
        (json!({"hand_size": -6}), "`hand_size` cannot be `-6`"),
        (json!({"target": 0}), "`target` cannot be `0`; accepted: an integer from 1 to 2147483647"),
        (json!({"target": 2_147_483_648_u32}), "accepted: an integer from 1 to 2147483647"),
        (json!({"target": "high"}), "`target` cannot be `high`"),
        (json!({"target_check": "sometimes"}), "accepted: end_of_deal, immediate"),
        (json!({"must_trump_when_void": 1}), "accepted: true, false"),
        (json!({"points": {"1X": 3}}), "accepted: a table from cards to integers"),
        (
            json!({"points": {"TH": 1001}}),
            "`points` cannot be `TH = 1001`; accepted: integers from -1000 to 1000",
        ),
        (json!({"deals": 30, "max_deals": 20}), "up to max_deals, which is 20"),
        (json!({"max_deals": 0}), "`max_deals` cannot be `0`"),
        (json!({"first_dealer": 2}), "a seat from 0 to 1"),
        (json!({"hand_sise": 6}), "did you mean `hand_size`?"),
    ];
    for (changes, expected) in cases {
        let error = refused(changes);
        assert!(error.contains(expected), "{error}");
    }
}

// ---- hidden hands ---------------------------------------------------------------------------------------------------

/// All hands that the other seat can hold, each with the number of orders of dealing and drawing that lead to it: hand
/// by hand through the tricks, by the plain rules.
fn possible_hands(game: &TwoTenJack, view: &View) -> BTreeMap<CardSet, u64> {
    let other = 1 - game.seat(view);
    let tricks = tricks(view);
    let played: CardSet = tricks.iter().filter_map(|trick| trick.card_of(other)).collect();
    let pool = played | view.unseen();
    let mut hands: BTreeMap<CardSet, u64> =
        subsets(pool, game.rules().hand_size).map(|hand| (hand, 1)).collect();
    let mut gone = CardSet::EMPTY;
    for trick in tricks {
        let Some(card) = trick.card_of(other) else { break };
        let stock_lasts = trick.number <= game.stock_tricks();
        gone |= CardSet::of(card);
        let mut next = BTreeMap::new();
        for (hand, ways) in hands {
            if !hand.has(card) || trick.leader != other && !may_reply(game, view, &trick, hand, stock_lasts) {
                continue;
            }
            let hand = hand - CardSet::of(card);
            if trick.number <= game.draws(view.table()) {
                for drawn in pool - gone - hand {
                    *next.entry(hand | CardSet::of(drawn)).or_insert(0) += ways;
                }
            } else {
                *next.entry(hand).or_insert(0) += ways;
            }
        }
        hands = next;
    }
    hands
}

fn may_reply(game: &TwoTenJack, view: &View, trick: &Trick, hand: CardSet, stock_lasts: bool) -> bool {
    let as_trump = view.table().declaration() == Some(Declaration::Trump);
    let asked = if trick.lead == SPADE_ACE && as_trump { Suit::Hearts } else { trick.lead.suit() };
    let hand: Vec<Card> = hand.into_iter().collect();
    reference::legal_replies(game.rules(), &hand, asked, stock_lasts).contains(&trick.reply.unwrap())
}

fn subsets(pool: CardSet, size: usize) -> impl Iterator<Item = CardSet> {
    let cards: Vec<Card> = pool.into_iter().collect();
    let mut found = vec![(CardSet::EMPTY, 0)];
    for _ in 0..size {
        let longer = found.iter().flat_map(|&(set, from)| {
            let cards = &cards;
            (from..cards.len()).map(move |place| (set | CardSet::of(cards[place]), place + 1))
        });
        found = longer.collect();
    }
    found.into_iter().map(|(set, _)| set)
}

/// Samples the hidden hand and compares with the enumeration; gives the deviation and whether all hands weigh the same.
fn check_uniform(game: &TwoTenJack, view: &View, dice: &mut QuickDice) -> (f64, bool) {
    let hands = possible_hands(game, view);
    let all: u64 = hands.values().sum();
    let samples = 40 * hands.len() as u32 + 100;
    let mut counts: BTreeMap<CardSet, u32> = BTreeMap::new();
    let mut worlds = game.worlds(view);
    for _ in 0..samples {
        let world = worlds.sample(dice);
        *counts.entry(game.hand(&world, 1 - game.seat(view)).faces()).or_insert(0) += 1;
    }
    let impossible: Vec<_> = counts.keys().filter(|&hand| !hands.contains_key(hand)).collect();
    assert!(impossible.is_empty(), "{impossible:?} cannot be held\n{:?}\n{view:?}", game.rules());
    let cells = hands.iter().map(|(hand, &ways)| {
        let share = ways as f64 / all as f64;
        (counts.get(hand).copied().unwrap_or(0), f64::from(samples) * share)
    });
    let even = hands.values().all(|ways| Some(ways) == hands.values().next());
    (kit::chi_squared_z(cells), even)
}

fn check_uniform_over(changes: &Value, positions: usize) {
    let mut dice = QuickDice::new(0x6368_6932, positions as u64);
    let (mut sum, mut uneven, mut checked) = (0.0, 0, 0);
    for seed in 0.. {
        if checked == positions {
            break;
        }
        let mut changes = changes.clone();
        changes["hand_size"] = json!(2 + dice.below(3));
        let game = game(&changes);
        let stop = 12 + dice.below(30) as usize;
        let mut chosen = None;
        play_deal(&game, &game.start(0), seed, |state| {
            if game.view(state, 0).table().played().len() == stop {
                chosen = Some(*state);
            }
        });
        let Some(state) = chosen else { continue };
        let view = game.view(&state, dice.below(2) as usize);
        let hand = game.hand(&state, 1 - game.seat(&view)).len();
        if binomial(view.unseen().len(), hand) > 400 {
            continue;
        }
        let (z, even) = check_uniform(&game, &view, &mut dice);
        assert!(z < 4.5, "{z}\n{:?}\n{view:?}", game.rules());
        (sum, uneven, checked) = (sum + z, uneven + u32::from(!even), checked + 1);
    }
    let mean = sum / (positions as f64).sqrt();
    assert!(mean.abs() < 4.0, "all in all {mean} standard deviations from uniform");
    assert!(
        uneven as usize * 3 > positions || changes["follow_while_stock"] == "free",
        "{uneven} tell nothing"
    );
}

fn binomial(n: usize, k: usize) -> usize {
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}

#[test]
fn worlds_drawn_despite_voids_are_refuted_by_what_was_seen() {
    let game = TwoTenJack::new(TwoTenJackRules::default()).unwrap();
    assert!((0..20).map(|seed| kit::refuted_worlds(&game, seed)).sum::<usize>() > 20);
}

#[test]
fn hidden_hands_are_sampled_uniformly_by_default() {
    check_uniform_over(&json!({}), 60);
}

#[test]
fn hidden_hands_are_sampled_uniformly_with_no_duty_to_trump() {
    check_uniform_over(&json!({"must_trump_when_void": false}), 40);
}

#[test]
fn hidden_hands_are_sampled_uniformly_with_an_optional_ace() {
    check_uniform_over(&json!({"spade_ace_follow": "optional", "spade_ace": "as_declared"}), 60);
}

#[test]
fn hidden_hands_are_sampled_uniformly_with_an_optional_ace_and_no_duty_to_trump() {
    check_uniform_over(&json!({"spade_ace_follow": "optional", "must_trump_when_void": false}), 40);
}

#[test]
fn hidden_hands_are_sampled_uniformly_where_replies_are_free() {
    check_uniform_over(&json!({"follow_while_stock": "free"}), 20);
}

#[test]
fn after_the_stock_the_other_hand_is_known() {
    let game = game(&json!({}));
    let mut dice = QuickDice::new(9, 9);
    for seed in 0..200 {
        play_deal(&game, &game.start(0), seed, |state| {
            let view = game.view(state, 1);
            if game.stock_size(view.table()) == 0 {
                assert_eq!(game.determinise(&view, &mut dice), *state);
            }
        });
    }
}

// ---- golden values --------------------------------------------------------------------------------------------------

#[test]
fn a_seed_always_deals_the_same_cards() {
    let game = game(&json!({}));
    let standing = game.start(0);
    let state = game.deal(&standing, &mut kit::pack_for(&game, 1, &standing));
    let hands = [0, 1].map(|seat| game.hand(&state, seat).to_string());
    assert_eq!(hands, ["2C TC 4D AS 4H AH", "QC AC 5D 9D QS 9H"]);
    let mut dice = QuickDice::new(1, 1);
    let mut state = state;
    let mut pack = kit::pack_for(&game, 1, &standing);
    game.deal(&standing, &mut pack);
    let mut moves = Vec::new();
    for _ in 0..12 {
        let mv = kit::pick(game.legal_moves(&state), &mut dice);
        game.play(&mut state, mv, &mut pack).unwrap();
        moves.push(mv.name(TwoTenJack::WORDS));
    }
    assert_eq!(moves.join(" "), "5D 4D 9D 3D QC TC KH AH AS as-trump 9H 7S");
}

#[test]
fn a_deal_can_be_followed() {
    let game = game(&json!({"deals": 1}));
    insta::with_settings!({snapshot_path => "playthroughs", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!("two-ten-jack", kit::playthrough(&game, 1, 1));
    });
}

#[test]
fn the_trumps_are_the_hearts_and_the_ace_of_spades() {
    assert_eq!(TRUMPS.to_string(), "AS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH");
}
