//! Cancellation hearts: laws over random games, a second implementation, the worked cases, what is refused.

mod kit;
#[path = "reference/cancellation_hearts.rs"]
mod reference;

use dealt_engine::cancellation_hearts::{CancellationHeartsRules as Rules, FirstLead, Moon, Phase};
use dealt_engine::{
    CancellationHearts, Card, CardSet, Dice, GAMES, Game, Move, Moves, QuickDice, Rules as _, Script,
    Standing,
};
use serde_json::{Map, Value, json};

type State = <CancellationHearts as Game>::State;

fn game_of(changes: Value) -> Result<CancellationHearts, String> {
    let changes: Map<String, Value> = serde_json::from_value(changes).unwrap();
    let rules = Rules::default().with(&changes).map_err(|error| error.to_string())?;
    CancellationHearts::new(rules).map_err(|error| error.to_string())
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

/// Plays a deal with both implementations at once by random moves and compares them at every step.
fn compare_deal(game: &CancellationHearts, seed: u64, standing: &Standing, dice: &mut QuickDice) -> State {
    let rules = game.rules();
    let mut pack = kit::pack_for(game, seed, standing);
    let order = pack.rest();
    let mut plain = reference::Deal::new(rules, standing.deals, standing.dealer, &order);
    let mut state = game.deal(standing, &mut pack);
    loop {
        assert_eq!(game.turn(&state), plain.turn(), "{rules:?}");
        let scores = game.scores(&state);
        assert_eq!(scores[..game.players()], plain.scores(), "{rules:?}");
        if game.turn(&state).is_none() {
            break;
        }
        let legal = game.legal_moves(&state);
        assert!(legal.into_iter().eq(plain.legal()), "{legal:?} {:?}\n{rules:?}\n{state:?}", plain.legal());
        let mv = kit::pick(legal, dice);
        game.play_unchecked(&mut state, mv, &mut pack);
        plain.play(mv);
    }
    check_end_of_deal(game, &state, &plain);
    state
}

fn check_end_of_deal(game: &CancellationHearts, state: &State, plain: &reference::Deal) {
    let table = state.table();
    let mut all: Vec<Card> = plain.captured.concat();
    all.extend(plain.aside.iter().chain(&plain.kitty));
    all.sort();
    assert_eq!(all, game.pack(), "captured, set aside and untaken are all the cards");
    let tricks: usize = (0..game.players()).map(|seat| table.captured(seat).tricks()).sum();
    assert_eq!(tricks + table.aside().tricks(), table.tricks());
    assert_eq!(table.aside().tricks() * game.players(), plain.aside.len());
    assert_eq!(table.void_tricks(), plain.void_tricks);
    assert_eq!(event(game, state, "void_tricks"), Some(plain.void_tricks as i32));
}

fn event(game: &CancellationHearts, state: &State, name: &str) -> Option<i32> {
    let index = CancellationHearts::EVENTS.iter().position(|event| event.name == name).unwrap();
    game.events(state)[index]
}

#[test]
fn a_plain_second_implementation_agrees_on_every_move_and_score() {
    for seed in 0..10_000 {
        let mut dice = QuickDice::new(0x706c_6169, seed);
        let any: CancellationHearts = kit::random_game(&mut dice);
        // Most games are cut to a deal or two: it is the rules that should differ, not the cards.
        let deals = if seed % 50 == 0 { any.rules().deals } else { 1 + dice.below(2) };
        let Ok(game) = CancellationHearts::new(Rules { deals, ..any.rules().clone() }) else { continue };
        let mut standing = kit::first_standing(&game, &mut dice);
        while !game.is_over(&standing) {
            let state = compare_deal(&game, seed, &standing, &mut dice);
            standing = game.after(&standing, &state);
            let totals = &standing.totals[..game.players()];
            let over = reference::is_over(game.rules(), totals, standing.deals);
            assert_eq!((game.is_over(&standing), standing.capped), over);
        }
    }
}

#[test]
fn with_the_defaults_the_points_of_a_deal_are_52_less_those_in_void_tricks_at_the_end() {
    let mut voids = 0;
    for seed in 0..1000 {
        let mut dice = QuickDice::new(2, seed);
        let game = game_of(json!({"players": 6 + seed % 6, "moon": "off"})).unwrap();
        let state = compare_deal(&game, seed, &kit::first_standing(&game, &mut dice), &mut dice);
        let left = event(&game, &state, "points_left").unwrap();
        assert_eq!(game.scores(&state).iter().sum::<i32>(), 52 - left);
        voids += i32::from(left > 0);
    }
    assert!(voids > 5, "{voids} deals ended with points in a void trick: too few to show anything");
}

#[test]
fn after_a_moon_the_scores_sum_to_its_value_taken_once_or_given_to_each_other_player() {
    // All hearts but one are out of the pack, and the queens too, so that whoever takes that one shoots the moon.
    let hearts = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH QS";
    let remove: Vec<String> = cards(hearts).iter().map(Card::to_string).collect();
    let mut seen = [0; 3];
    for seed in 0..400_u64 {
        let mut dice = QuickDice::new(3, seed);
        let moon = ["shooter_chooses", "subtract", "add_others"][seed as usize % 3];
        let players = 3 + seed as i32 % 9;
        let game =
            game_of(json!({"players": players, "decks": 1, "pass_count": 1, "remove": remove, "moon": moon}));
        let game = game.unwrap();
        let state = compare_deal(&game, seed, &kit::first_standing(&game, &mut dice), &mut dice);
        let Some(shooter) = state.table().shooter() else {
            // The ace lies in the kitty, or in a trick of nobody's.
            assert_eq!(event(&game, &state, "moons"), Some(0));
            continue;
        };
        let added = event(&game, &state, "moons_added").unwrap();
        seen[added as usize] += 1;
        let scores = game.scores(&state);
        assert_eq!(scores.iter().sum::<i32>(), if added == 1 { 26 * (players - 1) } else { -26 });
        assert_eq!(scores[shooter], if added == 1 { 0 } else { -26 });
    }
    assert!(seen[0] > 50 && seen[1] > 50, "{seen:?}");
}

/// A deal in which the seats hold, among other cards, those named, and none of the suits named.
fn deal_with(game: &CancellationHearts, dealer: usize, wanted: &[(&str, &str)], kitty: &str) -> State {
    let mut rest = game.pack().to_vec();
    let mut take = |list: &str| -> Vec<Card> {
        let list = cards(list);
        for card in &list {
            let place = rest.iter().position(|other| other == card).unwrap();
            rest.remove(place);
        }
        list
    };
    let mut hands: Vec<Vec<Card>> = wanted.iter().map(|(held, _)| take(held)).collect();
    let kitty = take(kitty);
    let size = game.pack().len() / game.players();
    let mut seats: Vec<usize> = (0..game.players()).collect();
    seats.sort_by_key(|&seat| std::cmp::Reverse(wanted[seat].1.len()));
    for seat in seats {
        while hands[seat].len() < size {
            let fits = |card: &Card| !wanted[seat].1.contains(card.to_string().chars().nth(1).unwrap());
            let place = rest.iter().position(fits).unwrap();
            hands[seat].push(rest.remove(place));
        }
    }
    let order: Vec<Card> = hands.concat().into_iter().chain(kitty).chain(rest).collect();
    let standing = Standing { dealer, ..game.start(dealer) };
    game.deal(&standing, &mut Script::new(order, vec![]))
}

fn play_all(game: &CancellationHearts, state: &mut State, moves: &str) {
    for mv in moves.split_whitespace() {
        let mv = Move::parse(mv, CancellationHearts::WORDS).unwrap();
        game.play(state, mv, &mut Script::default()).unwrap();
    }
}

/// Six seats play one trick, seat 0 leading; where suits are named a seat has none of them.
fn six_play(trick: &str, lacks: [&str; 6]) -> State {
    let rules = json!({"pass_count": 0, "first_lead_points": true, "must_break_hearts": false});
    let game = game_of(rules).unwrap();
    let wanted: Vec<(&str, &str)> = trick.split(' ').zip(lacks).collect();
    let kitty = if trick.contains("2D") { "3D 3D" } else { "2D 2D" };
    let mut state = deal_with(&game, 5, &wanted, kitty);
    play_all(&game, &mut state, trick);
    state
}

fn taken(state: &State) -> Vec<(usize, i32)> {
    let table = state.table();
    (0..6)
        .filter(|&seat| table.captured(seat).tricks() > 0)
        .map(|s| (s, table.captured(s).points()))
        .collect()
}

#[test]
fn of_two_jacks_and_a_ten_the_ten_wins() {
    let state = six_play("JC TC 9C 8C 4C JC", [""; 6]);
    assert_eq!(taken(&state), [(1, 0)]);
    assert_eq!(state.table().turn(), Some(1));
}

#[test]
fn three_pairs_are_a_void_trick_after_which_the_same_player_leads() {
    let state = six_play("JC JC TC TC 9C 9C", [""; 6]);
    assert_eq!(taken(&state), []);
    assert_eq!((state.table().void_tricks(), state.table().turn()), (1, Some(0)));
}

#[test]
fn a_card_of_another_suit_cannot_win_a_void_trick() {
    let state = six_play("TH 9H 9H TH 2C QS", ["", "", "", "", "H", "H"]);
    assert_eq!(taken(&state), []);
    assert_eq!(state.table().aside().points(), 17);
}

#[test]
fn cancelled_cards_count_for_whoever_takes_the_trick() {
    assert_eq!(taken(&six_play("AH AH KH 3H 2H 4H", [""; 6])), [(2, 6)]);
    assert_eq!(taken(&six_play("QS QS 5S 3S 2S 9S", [""; 6])), [(5, 26)]);
}

#[test]
fn what_is_set_aside_and_the_kitty_go_with_the_first_trick_that_is_won() {
    let game = game_of(json!({"pass_count": 0})).unwrap();
    let wanted = [("JC 3C", ""), ("JC 4C", ""), ("TC 5C", ""), ("TC 6C", ""), ("9C 7C", ""), ("9C 8C", "")];
    let mut state = deal_with(&game, 5, &wanted, "QS 2D");
    play_all(&game, &mut state, "JC JC TC TC 9C 9C");
    assert_eq!((state.table().kitty_taker(), state.table().aside().tricks()), (None, 1));
    play_all(&game, &mut state, "3C 4C 5C 6C 7C 8C");
    assert_eq!(state.table().kitty_taker(), Some(5));
    assert_eq!(state.table().captured(5).tricks(), 2);
    assert_eq!(game.scores(&state)[5], 13);
    let seen = |seat| game.view(&state, seat).kitty().to_string();
    assert_eq!((seen(5), seen(0)), ("2D QS".to_owned(), String::new()));
}

#[test]
fn fifty_one_points_and_a_heart_in_a_void_last_trick_are_no_moon() {
    let kept = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS KC";
    let remove: Vec<String> = Card::all()
        .filter(|card| !cards(kept).contains(card))
        .flat_map(|card| [card.to_string(), card.to_string()])
        .collect();
    let rules = json!({"players": 3, "pass_count": 0, "remove": remove, "first_lead_points": true,
        "must_break_hearts": false});
    let game = game_of(rules).unwrap();
    let wanted = [
        ("AH AH KH KH QH QH JH QS QS KC", ""),
        ("JH TH TH 9H 9H 8H 8H 7H 7H KC", ""),
        ("6H 6H 5H 5H 4H 4H 3H 3H 2H 2H", ""),
    ];
    let mut state = deal_with(&game, 2, &wanted, "");
    let tricks = "AH TH 6H AH JH 6H KH TH 5H KH 9H 5H QH 9H 4H QH 8H 4H JH 8H 3H QS 7H 3H QS 7H 2H KC KC 2H";
    play_all(&game, &mut state, tricks);
    assert_eq!((game.turn(&state), state.table().shooter()), (None, None));
    assert_eq!(game.scores(&state)[..3], [51, 0, 0]);
    assert_eq!(event(&game, &state, "points_left"), Some(1));
}

/// The cards that seat 0 may lead from a hand to the first trick, or to the second with hearts unbroken.
fn leads(changes: Value, hand: &str, first_trick: bool) -> String {
    let mut rules = json!({"players": 3, "decks": 1, "pass_count": 0, "remove": []});
    rules.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    // What is neither in the hand nor needed for the first trick leaves the pack.
    let played = if first_trick { "" } else { "AD 3D 4D" };
    let fill = "5D 6D 7D 8D 9D TD JD QD KD 2S 3S 4S 5S 6S 7S";
    let size = cards(hand).len() + usize::from(!first_trick);
    let others: Vec<Card> = cards(fill).into_iter().take(2 * (size - usize::from(!first_trick))).collect();
    let kept: Vec<Card> = [cards(hand), cards(played), others.clone()].concat();
    rules["remove"] = Card::all().filter(|card| !kept.contains(card)).map(|card| card.to_string()).collect();
    let game = game_of(rules).unwrap();
    let played = cards(played);
    let part = |seat: usize| played.get(seat).copied();
    let half = others.len() / 2;
    let order: Vec<Card> = cards(hand)
        .into_iter()
        .chain(part(0))
        .chain(others[..half].iter().copied())
        .chain(part(1))
        .chain(others[half..].iter().copied())
        .chain(part(2))
        .collect();
    let mut state = game.deal(&game.start(2), &mut Script::new(order, vec![]));
    play_all(&game, &mut state, if first_trick { "" } else { "AD 3D 4D" });
    assert_eq!(game.turn(&state), Some(0));
    game.legal_moves(&state).cards().to_string()
}

#[test]
fn rules_4_and_10_yield_one_at_a_time() {
    let none = || json!({});
    assert_eq!(leads(none(), "5C QS 3H", true), "5C");
    assert_eq!(leads(none(), "QS 3H 4H", true), "QS");
    assert_eq!(leads(none(), "3H 4H 5H", true), "3H 4H 5H");
    assert_eq!(leads(none(), "5C QS 3H", false), "5C QS");
    assert_eq!(leads(none(), "QS 3H 4H", false), "QS");
    assert_eq!(leads(none(), "3H 4H 5H", false), "3H 4H 5H");
    let loose = || json!({"must_break_hearts": false});
    assert_eq!(leads(loose(), "5C QS 3H", true), "5C");
    assert_eq!(leads(loose(), "QS 3H 4H", true), "QS 3H 4H");
    assert_eq!(leads(loose(), "5C QS 3H", false), "5C QS 3H");
    let instead = || json!({"hearts_instead_of_queen": true});
    assert_eq!(leads(instead(), "QS 3H 4H", true), "QS 3H 4H");
    assert_eq!(leads(instead(), "QS 3H 4H", false), "QS 3H 4H");
    assert_eq!(leads(instead(), "5C QS 3H", false), "5C QS");
    let points = || json!({"first_lead_points": true});
    assert_eq!(leads(points(), "5C QS 3H", true), "5C QS");
    assert_eq!(leads(points(), "QS 3H 4H", true), "QS");
}

#[test]
fn the_queen_breaks_hearts_unless_the_rules_say_otherwise() {
    for breaks in [true, false] {
        let game = game_of(json!({"pass_count": 0, "queen_breaks_hearts": breaks})).unwrap();
        let wanted = [("AC 2C 2H AH", ""), ("3C", ""), ("4C", ""), ("5C", ""), ("QS", "C"), ("6C", "")];
        let mut state = deal_with(&game, 5, &wanted, "2D 2D");
        play_all(&game, &mut state, "AC 3C 4C 5C QS 6C");
        let hearts = (game.legal_moves(&state).cards() & dealt_engine::Suit::Hearts.cards()).len();
        assert_eq!(hearts > 0, breaks);
    }
}

#[test]
fn on_a_first_trick_without_points_they_are_discarded_by_force_alone() {
    let game = game_of(json!({"players": 3, "decks": 1, "pass_count": 0,
        "first_trick_discard": "no_points_unless_forced"}));
    let game = game.unwrap();
    let wanted = [("2C", ""), ("2D AH QS", "C"), ("3C", "")];
    let mut state = deal_with(&game, 2, &wanted, "4C");
    play_all(&game, &mut state, "2C");
    let legal = game.legal_moves(&state).cards();
    assert!(legal.has("2D".parse().unwrap()) && !legal.has("QS".parse().unwrap()));
    assert!((legal & dealt_engine::Suit::Hearts.cards()).is_empty());
    // Nothing but points: two such hands, and every point card may be played.
    let wanted = [("2C", "H"), ("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS", "CD"), ("3C", "H")];
    let short: Vec<String> = cards("2S 3S 4S 5S 6S 7S 8S 9S TS JS").iter().map(Card::to_string).collect();
    let game = game_of(json!({"players": 3, "decks": 1, "pass_count": 0, "remove": short,
        "first_trick_discard": "no_points_unless_forced"}))
    .unwrap();
    let mut state = deal_with(&game, 2, &wanted, "");
    play_all(&game, &mut state, "2C");
    assert_eq!(game.legal_moves(&state).len(), 14);
    play_all(&game, &mut state, "QS");
    // Everybody has seen that seat 1 has nothing but points.
    let harmless = CardSet::ALL - dealt_engine::Suit::Hearts.cards() - CardSet::of("QS".parse().unwrap());
    assert_eq!(state.table().cannot_hold(1), harmless);
}

#[test]
fn picks_ascend_and_leave_enough_cards_for_those_to_come() {
    let kept = cards("2C 3C 4C 5C 6C 7C 8C 9C TC");
    let remove: Vec<String> = Card::all()
        .flat_map(|card| vec![card.to_string(); if kept.contains(&card) { 0 } else { 2 }])
        .collect();
    let game = game_of(json!({"players": 3, "remove": remove, "pass_count": 3})).unwrap();
    let hand = "2C 3C 3C 4C 4C 5C";
    let mut state = deal_with(&game, 2, &[(hand, ""), ("", ""), ("", "")], "");
    let legal = |state: &State| game.legal_moves(state).cards().to_string();
    assert_eq!(legal(&state), "2C 3C 4C");
    play_all(&game, &mut state, "3C");
    assert_eq!(legal(&state), "3C 4C");
    play_all(&game, &mut state, "4C");
    // Another 4C can follow, since there are two.
    assert_eq!(legal(&state), "4C 5C");
    play_all(&game, &mut state, "4C");
    assert_eq!(game.turn(&state), Some(1));
    assert_eq!(game.hand(&state, 0).to_string(), "2C 3C 5C");
}

#[test]
fn passes_go_left_right_across_and_nowhere_in_turn() {
    let game = game_of(json!({"players": 5, "pass_cycle": [1, -1, "across", 0]})).unwrap();
    for (deals, offset) in [(0, 1), (1, 4), (2, 2), (3, 0), (4, 1)] {
        let standing = Standing { deals, ..game.start(0) };
        let mut dice = QuickDice::new(8, u64::from(deals));
        let mut pack = kit::pack_for(&game, 1, &standing);
        let mut state = game.deal(&standing, &mut pack);
        assert_eq!(state.table().pass_to(), offset);
        while state.table().phase() == Phase::Pass {
            let mv = kit::pick(game.legal_moves(&state), &mut dice);
            game.play_unchecked(&mut state, mv, &mut pack);
        }
        for seat in (0..5).filter(|_| offset > 0) {
            let receiver = game.view(&state, (seat + offset) % 5);
            assert_eq!(receiver.received(), game.view(&state, seat).given());
            assert_eq!(receiver.received().len(), 3);
            assert_eq!(game.hand(&state, seat).len(), 20);
        }
    }
}

#[test]
fn the_holder_of_the_two_of_clubs_leads_it_and_those_before_it_have_none() {
    let game =
        game_of(json!({"players": 4, "decks": 1, "pass_count": 0, "first_lead": "two_of_clubs"})).unwrap();
    let state = deal_with(&game, 0, &[("", ""), ("", ""), ("", ""), ("2C", "")], "");
    assert_eq!(game.turn(&state), Some(3));
    assert_eq!(game.legal_moves(&state), Moves::of("2C".parse::<Card>().unwrap().into()));
    let lacks = |seat: usize| state.table().cannot_hold(seat).to_string();
    assert_eq!([lacks(0), lacks(1), lacks(2), lacks(3)], ["", "2C", "2C", ""]);
    // With any_club the holder may keep it, and everybody knows that it does.
    let game = game_of(json!({"players": 4, "decks": 1, "pass_count": 0, "first_lead": "any_club"})).unwrap();
    let mut state = deal_with(&game, 0, &[("", ""), ("", "C"), ("", ""), ("2C 9C", "")], "");
    assert!(game.legal_moves(&state).cards().is_subset(dealt_engine::Suit::Clubs.cards()));
    play_all(&game, &mut state, "9C");
    assert_eq!(state.table().two_of_clubs_holder(), Some(3));
}

#[test]
fn where_the_kitty_has_every_two_of_clubs_the_seat_left_of_the_dealer_leads_and_all_know_it() {
    let removed = json!({"players": 3, "decks": 1, "remove": ["2C"], "kitty": "out_of_play"});
    assert!(game_of(removed).is_ok());
    let one_left = json!({"players": 4, "remove": ["2C", "3C"], "kitty": "out_of_play"});
    for (mut changes, kitty) in [(one_left, "2C 3D"), (json!({"players": 6}), "2C 2C")] {
        changes["first_lead"] = json!("two_of_clubs");
        changes["pass_count"] = json!(0);
        let game = game_of(changes).unwrap();
        let wanted = vec![("3S 4S", ""); 2].into_iter().chain(vec![("", ""); game.players() - 2]);
        let state = deal_with(&game, 0, &wanted.collect::<Vec<_>>(), kitty);
        assert_eq!(game.turn(&state), Some(1));
        assert!(game.legal_moves(&state).len() > 1);
        let two = CardSet::of("2C".parse().unwrap());
        assert!((0..game.players()).all(|seat| state.table().cannot_hold(seat) == two));
    }
}

#[test]
fn options_out_of_range_or_at_odds_are_refused_with_the_reason() {
    let refused = [
        (json!({"players": 12}), "players", "3 to 11"),
        (json!({"players": 2}), "players", "3 to 11"),
        (json!({"players": -1}), "players", "3 to 11"),
        (json!({"decks": 3}), "decks", "1 or 2"),
        (json!({"decks": 0}), "decks", "1 or 2"),
        (json!({"pass_count": 7}), "pass_count", "0 to 6"),
        (json!({"players": 11, "decks": 1, "pass_count": 5}), "pass_count", "0 to 4"),
        (json!({"pass_cycle": [6]}), "pass_cycle", "-5 to 5"),
        (json!({"players": 4, "pass_cycle": [1, -4]}), "pass_cycle", "-3 to 3"),
        (json!({"pass_cycle": ["acros"]}), "pass_cycle", "across"),
        (json!({"pass_cycle": 1}), "pass_cycle", "a list"),
        (json!({"remove": ["2X"]}), "remove", "a list of cards"),
        (json!({"decks": 1, "remove": ["2D", "2D"]}), "remove", "at most 1 time"),
        (json!({"bonus_cards": {"JD": -10}, "remove": ["JD", "JD"]}), "bonus_cards", "leaves in the pack"),
        (
            json!({"first_lead": "two_of_clubs", "remove": ["2C", "2C"]}),
            "first_lead",
            "leaves no 2C in the pack",
        ),
        (json!({"decks": 1, "first_lead": "any_club", "remove": ["2C"]}), "first_lead", "leaves no 2C"),
        (json!({"bonus_cards": {"JD": 2_000_000}}), "bonus_cards", "1000000"),
        (json!({"moon": "maybe"}), "moon", "shooter_chooses"),
        (json!({"moon_value": 1_000_001}), "moon_value", "1000000"),
        (json!({"no_tricks_bonus": -1_000_001}), "no_tricks_bonus", "1000000"),
        (json!({"target": 0}), "target", "from 1 to 2147483647"),
        (json!({"max_deals": 0}), "max_deals", "from 1"),
        (json!({"deals": 1001}), "deals", "max_deals"),
        (json!({"moon_value": 1_000_000, "max_deals": 3000}), "max_deals", "at most 2147 deals"),
        (json!({"first_dealer": 6}), "first_dealer", "0 to 5"),
        (json!({"kity": "out_of_play"}), "kity", "did you mean `kitty`?"),
    ];
    for (changes, key, accepted) in refused {
        let error = game_of(changes.clone()).unwrap_err();
        assert!(error.contains(&format!("`{key}`")) && error.contains(accepted), "{changes}: {error}");
    }
    let most: Vec<String> =
        Card::all().take(42).flat_map(|card| [card.to_string(), card.to_string()]).collect();
    assert!(game_of(json!({"players": 11, "remove": most, "pass_count": 0})).is_ok());
    let more: Vec<String> =
        Card::all().take(47).flat_map(|card| [card.to_string(), card.to_string()]).collect();
    let error = game_of(json!({"players": 11, "remove": more, "pass_count": 0})).unwrap_err();
    assert!(error.contains("at most 93 cards"), "{error}");
}

#[test]
fn the_preset_is_black_lady_for_four() {
    let info = GAMES.iter().find(|info| info.name == CancellationHearts::NAME).unwrap();
    let changes: Value = serde_json::from_str(info.presets[0].changes).unwrap();
    let game = game_of(changes).unwrap();
    assert_eq!((game.players(), game.pack().len()), (4, 52));
    assert_eq!(game.rules().first_lead, FirstLead::TwoOfClubs);
    assert_eq!((game.rules().moon, game.rules().target), (Moon::AddOthers, 100));
}

#[test]
fn options_read_back_as_they_are_written() {
    for seed in 0..300 {
        let game: CancellationHearts = kit::random_game(&mut QuickDice::new(5, seed));
        let map = game.rules().to_map();
        assert_eq!(&Rules::default().with(&map).unwrap(), game.rules());
    }
}

#[test]
fn a_game_of_n_deals_ends_after_them_and_the_guard_marks_what_it_ends() {
    let play = |changes: Value| {
        let game = game_of(changes).unwrap();
        let mut dice = QuickDice::new(6, 1);
        let mut standing = kit::first_standing(&game, &mut dice);
        while !game.is_over(&standing) {
            let state = compare_deal(&game, 6, &standing, &mut dice);
            standing = game.after(&standing, &state);
        }
        standing
    };
    let by_deals = play(json!({"deals": 4, "target": 1}));
    assert_eq!((by_deals.deals, by_deals.capped), (4, false));
    let by_guard = play(json!({"max_deals": 3, "target": 100_000}));
    assert_eq!((by_guard.deals, by_guard.capped), (3, true));
    let by_target = play(json!({"max_deals": 1, "target": 1}));
    assert_eq!((by_target.deals, by_target.capped), (1, false));
}

fn hearts() -> CancellationHearts {
    game_of(serde_json::from_str(CancellationHearts::PRESETS[0].changes).unwrap()).unwrap()
}

#[test]
fn a_seed_always_deals_the_same_cards() {
    let expected = [
        (
            hearts(),
            "2C TC JC QC AC 4D 5D 9D QS AS 4H 9H AH",
            "9C JD 8S AD 5S 5H AS 9H AH 4S 7S 2H 2C 6C 3C 9C 2D 5D QD TD",
        ),
        (
            game_of(json!({})).unwrap(),
            "2C 5C 9C TC JC AC 2D 5D 6D JS KS AS 4H 9H 9H KH AH",
            "9D 8S 7H 4S 9S 8H AD QS 5H KC 9D JS 2C 2D 6D TD AD 8S QD 9D 7D AD 5D 4D TC 5C 2C 4C QC AC",
        ),
    ];
    for (game, hand, moves) in expected {
        let standing = game.start(1);
        let mut pack = kit::pack_for(&game, 1, &standing);
        let mut state = game.deal(&standing, &mut pack);
        assert_eq!(game.hand(&state, 0).to_string(), hand);
        let mut dice = QuickDice::new(1, 1);
        let mut made = Vec::new();
        while state.table().tricks() < 2 {
            let mv = kit::pick(game.legal_moves(&state), &mut dice);
            game.play(&mut state, mv, &mut pack).unwrap();
            made.push(mv.name(CancellationHearts::WORDS));
        }
        assert_eq!(made.join(" "), moves);
    }
}

#[test]
fn deals_can_be_followed() {
    let six = game_of(json!({"deals": 1})).unwrap();
    insta::with_settings!({snapshot_path => "playthroughs", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!("cancellation-hearts", kit::playthrough(&six, 39, 1));
        insta::assert_snapshot!("hearts", kit::playthrough(&hearts(), 1, 1));
    });
}

#[test]
fn worlds_drawn_despite_voids_are_refuted_by_what_was_seen() {
    for players in [4, 6, 11] {
        let game = CancellationHearts::new(Rules { players, ..Rules::default() }).unwrap();
        assert!((0..4).map(|seed| kit::refuted_worlds(&game, seed)).sum::<usize>() > 20, "{players} players");
    }
}
