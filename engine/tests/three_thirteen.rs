//! Three Thirteen: a second implementation, laws over random games, the rules one by one, what is refused, golden values.

mod kit;
#[path = "reference/three_thirteen.rs"]
mod reference;

use dealt_engine::three_thirteen::{Decks, Phase, State, ThreeThirteenRules as Rules};
use dealt_engine::{
    Bag, Card, Dice, Game, Move, Moves, Pack, QuickDice, Rules as _, Script, Standing, ThreeThirteen,
};
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};

fn game_of(changes: Value) -> Result<ThreeThirteen, String> {
    let changes: Map<String, Value> = serde_json::from_value(changes).unwrap();
    let rules = Rules::default().with(&changes).map_err(|error| error.to_string())?;
    ThreeThirteen::new(rules).map_err(|error| error.to_string())
}

fn game(changes: Value) -> ThreeThirteen {
    game_of(changes).unwrap()
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

fn named(legal: Moves) -> Vec<String> {
    legal.into_iter().map(|mv| mv.name(ThreeThirteen::WORDS)).collect()
}

fn event(game: &ThreeThirteen, state: &State, name: &str) -> Option<i32> {
    let index = ThreeThirteen::EVENTS.iter().position(|event| event.name == name).unwrap();
    game.events(state)[index]
}

/// Goes out if it can, takes the top discard if that lowers the deadwood, discards for the least deadwood.
fn thrifty(game: &ThreeThirteen, state: &State, legal: Moves) -> Move {
    let seat = game.turn(state).unwrap();
    let view = game.view(state, seat);
    let melds = game.meld_rules(usize::from(view.public().hand_size));
    let mut after = [0; Card::COUNT];
    if !legal.cards().is_empty() {
        if let Some(out) = [3, 2].into_iter().map(Move::word).find(|&word| legal.has(word)) {
            return out;
        }
        melds.deadwood_after_each_discard(view.hand(), &mut after);
        return legal.cards().into_iter().min_by_key(|card| after[card.index()]).unwrap().into();
    }
    let mut with_top = *view.hand();
    view.public().top().into_iter().for_each(|top| with_top.insert(top));
    melds.deadwood_after_each_discard(&with_top, &mut after);
    let gains = after.into_iter().min() < Some(melds.deadwood(view.hand()));
    let wanted = Move::word(usize::from(gains));
    if legal.has(wanted) { wanted } else { legal.lowest().unwrap() }
}

// ---- the second implementation --------------------------------------------------------------------------------------

/// Options with few turns or few cards, so that a round ends soon, its stock is used up or somebody goes out.
fn quick_game(dice: &mut QuickDice) -> ThreeThirteen {
    loop {
        let mut rules = kit::random_game::<ThreeThirteen>(dice).rules().clone();
        let size = 3 + dice.below(3) as u8;
        (rules.rounds, rules.max_turns_per_round) = (vec![size], 2 + dice.below(12));
        if dice.below(4) == 0 {
            // One pack of which little is left.
            let players = 4 + dice.below(3) as usize;
            let size = 50 / players as u8 - dice.below(2) as u8;
            (rules.players, rules.decks) = (players, Decks::Number(1));
            (rules.rounds, rules.max_turns_per_round) = (vec![size], 1 + dice.below(4));
        } else if dice.below(8) == 0 {
            (rules.rounds, rules.max_turns_per_round) = (vec![3 + dice.below(11) as u8, size], 2);
        }
        if let Ok(game) = ThreeThirteen::new(rules) {
            return game;
        }
    }
}

/// What occurred in compared games.
#[derive(Default, Debug)]
struct Occurred {
    went_out: u32,
    went_out_in_last_turn: u32,
    went_out_without_discard: u32,
    capped: u32,
    rebuilds: u32,
    skipped: u32,
}

/// Plays a round with both implementations at once and compares them at every step.
fn compare_round(
    game: &ThreeThirteen,
    seed: u64,
    standing: &Standing,
    dice: &mut QuickDice,
    seen: &mut Occurred,
) -> State {
    let rules = game.rules();
    let mut pack = kit::pack_for(game, seed, standing);
    let mut plain = reference::Round::new(rules, standing.deals, standing.dealer, &pack.rest());
    let mut state = game.deal(standing, &mut pack);
    let is_thrifty: Vec<bool> = (0..game.players()).map(|_| dice.below(3) > 0).collect();
    loop {
        assert_eq!(game.turn(&state), plain.turn(), "{rules:?}");
        for (seat, hand) in plain.hands.iter().enumerate() {
            assert_eq!(game.hand(&state, seat), hand.iter().copied().collect::<Bag>(), "{rules:?}");
        }
        let Some(seat) = game.turn(&state) else { break };
        let legal = game.legal_moves(&state);
        assert_eq!(named(legal), plain.legal(), "{rules:?}\n{state:?}");
        let mv = if is_thrifty[seat] { thrifty(game, &state, legal) } else { kit::pick(legal, dice) };
        let name = mv.name(ThreeThirteen::WORDS);
        let rebuilds = game.rebuilds_stock(&state, mv);
        assert_eq!(rebuilds, plain.rebuilds_stock(&name));
        let order = play(game, &mut state, mv, &mut pack);
        plain.play(&name, &order);
        seen.went_out_without_discard += u32::from(name == "go-out-all");
    }
    let players = game.players();
    assert_eq!(game.scores(&state)[..players], plain.scores(), "{rules:?}\n{state:?}");
    assert_eq!(game.capped(&state), plain.capped());
    assert_eq!(event(game, &state, "rebuilds"), Some(plain.rebuilds as i32));
    assert_eq!(event(game, &state, "deadwood"), Some(plain.scores().iter().sum()));
    seen.capped += u32::from(plain.capped());
    seen.rebuilds += plain.rebuilds;
    seen.skipped += plain.skipped;
    let out = game.view(&state, 0).public().out.count_ones();
    seen.went_out += u32::from(out > 0);
    seen.went_out_in_last_turn += u32::from(out > 1);
    state
}

/// Makes a move; the order of the new stock, if one is made for it.
fn play(game: &ThreeThirteen, state: &mut State, mv: Move, pack: &mut Pack<ChaCha8Rng>) -> Vec<Card> {
    let rebuilds = game.rebuilds_stock(state, mv);
    let seat = game.turn(state).unwrap();
    let before = game.hand(state, seat);
    game.play(state, mv, pack).unwrap();
    if !rebuilds {
        return vec![];
    }
    let mut drawn = game.hand(state, seat);
    drawn.remove_all(&before);
    drawn.iter().chain(pack.rest()).collect()
}

#[test]
fn a_plain_second_implementation_agrees_on_every_move_and_score() {
    let mut seen = Occurred::default();
    for seed in 0..10_000 {
        let mut dice = QuickDice::new(0x3133_7468, seed);
        let game = quick_game(&mut dice);
        assert_eq!(game.pack(), reference::pack(game.rules()));
        let mut standing = kit::first_standing(&game, &mut dice);
        while !game.is_over(&standing) {
            let state = compare_round(&game, seed, &standing, &mut dice, &mut seen);
            standing = game.after(&standing, &state);
        }
        assert_eq!(standing.deals as usize, game.rules().rounds.len());
        assert_eq!(game.winners(&standing), reference::winners(&standing.totals[..game.players()]));
    }
    let enough = |count: u32| count >= 100;
    assert!(enough(seen.went_out) && enough(seen.went_out_in_last_turn) && enough(seen.capped), "{seen:?}");
    assert!(enough(seen.went_out_without_discard) && enough(seen.rebuilds), "{seen:?}");
}

// ---- laws -----------------------------------------------------------------------------------------------------------

/// Plays a whole game of thrifty players, looking at every position with its legal moves.
fn play_game(game: &ThreeThirteen, seed: u64, mut look: impl FnMut(&State, Moves)) -> Standing {
    let mut dice = QuickDice::new(0x6761_6d65, seed);
    let mut standing = kit::first_standing(game, &mut dice);
    while !game.is_over(&standing) {
        let mut pack = kit::pack_for(game, seed, &standing);
        let mut state = game.deal(&standing, &mut pack);
        while game.turn(&state).is_some() {
            let legal = game.legal_moves(&state);
            look(&state, legal);
            let mv =
                if dice.below(4) > 0 { thrifty(game, &state, legal) } else { kit::pick(legal, &mut dice) };
            play(game, &mut state, mv, &mut pack);
        }
        look(&state, Moves::EMPTY);
        standing = game.after(&standing, &state);
    }
    standing
}

#[test]
fn a_player_can_go_out_exactly_if_the_least_penalty_over_all_discards_is_none() {
    let (mut able, mut unable) = (0, 0);
    for seed in 0..40_u64 {
        let ace = ["low", "low_or_high"][seed as usize % 2];
        let most = if seed % 4 < 2 { json!(null) } else { json!(2) };
        let game = game(json!({"players": 2 + seed % 4, "ace": ace, "max_wilds_per_meld": most}));
        play_game(&game, seed, |state, legal| {
            let view = game.view(state, 0);
            if view.public().phase == Phase::Discard {
                let mut after = [0; Card::COUNT];
                let seat = game.turn(state).unwrap();
                let melds = game.meld_rules(view.public().hand_size.into());
                melds.deadwood_after_each_discard(&game.hand(state, seat), &mut after);
                let can = legal.has(Move::word(2));
                assert_eq!(can, after.into_iter().min() == Some(0));
                (able, unable) = (able + i32::from(can), unable + i32::from(!can));
            }
        });
    }
    assert!(able > 300 && unable > 300, "{able} {unable}");
}

#[test]
fn a_round_that_was_not_broken_off_has_somebody_who_scores_nothing() {
    let (mut out, mut capped) = (0, 0);
    for seed in 0..40 {
        let game = game(json!({"players": 2 + seed % 7, "max_turns_per_round": 12}));
        play_game(&game, seed, |state, legal| {
            if legal.is_empty() {
                let scores = game.scores(state);
                let none = scores[..game.players()].contains(&0);
                assert!(none || game.capped(state));
                (out, capped) = (out + i32::from(none), capped + i32::from(game.capped(state)));
            }
        });
    }
    assert!(out > 100 && capped > 10, "{out} {capped}");
}

#[test]
fn stock_discards_and_hands_are_all_the_cards_at_every_moment() {
    for seed in 0..20 {
        let game = game(json!({"players": 2 + seed % 7}));
        play_game(&game, seed, |state, _| {
            let view = game.view(state, 0);
            let public = view.public();
            let held: usize = (0..game.players()).map(|seat| game.hand(state, seat).len()).sum();
            assert_eq!(held + public.discards.len() + usize::from(public.stock_size), game.pack().len());
            game.audit(state).unwrap();
        });
    }
}

// ---- the rules, one by one ------------------------------------------------------------------------------------------

/// A round dealt and played as written, the dealer being the last seat so that seat 0 begins: hands, upcard and stock in
/// order, then moves.
struct Written {
    game: ThreeThirteen,
    state: State,
    script: Script,
}

impl Written {
    fn new(changes: Value, hands: &[&str], upcard: &str, stock: &str) -> Written {
        let game = game(changes);
        let mut left: Bag = game.pack().iter().copied().collect();
        let mut order: Vec<Card> = hands.iter().flat_map(|hand| cards(hand)).collect();
        order.extend(cards(upcard).into_iter().chain(cards(stock)));
        order.iter().for_each(|&card| left.remove(card));
        order.extend(left.iter());
        let mut script = Script::new(order, vec![]);
        let state = game.deal(&game.start(game.players() - 1), &mut script);
        Written { game, state, script }
    }

    fn play(&mut self, moves: &str) -> &mut Written {
        for name in moves.split_whitespace() {
            let mv = Move::parse(name, ThreeThirteen::WORDS).unwrap();
            self.game.play(&mut self.state, mv, &mut self.script).unwrap_or_else(|error| panic!("{error}"));
            self.game.audit(&self.state).unwrap();
        }
        self
    }

    fn legal(&self) -> String {
        named(self.game.legal_moves(&self.state)).join(" ")
    }

    fn scores(&self) -> Vec<i32> {
        assert_eq!(self.game.turn(&self.state), None);
        self.game.scores(&self.state)[..self.game.players()].to_vec()
    }
}

#[test]
fn in_round_r_each_hand_has_r_plus_2_cards_and_that_rank_is_wild() {
    let game = game(json!({"players": 3}));
    let mut standing = game.start(1);
    for size in 3..=13 {
        assert!(!game.is_over(&standing));
        let state = game.deal(&standing, &mut kit::pack_for(&game, 1, &standing));
        assert_eq!(game.layout(&standing).hand, size);
        assert!((0..3).all(|seat| game.hand(&state, seat).len() == size));
        assert_eq!(game.meld_rules(size).wild().index(), size - 2);
        assert_eq!(
            game.turn(&state),
            Some((standing.dealer + 1) % 3),
            "the player left of the dealer starts"
        );
        assert_eq!(game.view(&state, 0).public().discards.len(), 1);
        let next = game.after(&standing, &state);
        assert_eq!(next.dealer, (standing.dealer + 1) % 3, "the deal passes left");
        standing = next;
    }
    assert!(game.is_over(&standing));
}

#[test]
fn there_is_a_pack_for_every_two_players_unless_the_rules_say_how_many() {
    for (players, packs) in [(2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4)] {
        assert_eq!(game(json!({"players": players})).pack().len(), packs * 52);
    }
    assert_eq!(game(json!({"players": 2, "decks": 7})).pack().len(), 364);
}

#[test]
fn the_lowest_total_wins_and_ties_share() {
    let game = game(json!({"players": 3}));
    let mut standing = game.start(0);
    standing.totals[..3].copy_from_slice(&[12, 7, 7]);
    assert_eq!(game.winners(&standing), [1, 2]);
}

#[test]
fn a_turn_is_a_draw_then_a_discard() {
    let mut round = Written::new(json!({}), &["5C 7D 9S", "5H 7S 9D"], "KC", "2D 8S");
    assert_eq!(round.legal(), "draw-stock draw-discard");
    round.play("draw-stock");
    assert_eq!(round.legal(), "5C 2D 7D 9S");
    round.play("9S");
    assert_eq!(round.game.turn(&round.state), Some(1));
    round.play("draw-discard");
    assert_eq!(round.legal(), "9D 7S 9S 5H");
}

#[test]
fn whoever_goes_out_discards_a_card_that_leaves_the_others_melded_and_each_other_has_one_more_turn() {
    let mut round =
        Written::new(json!({"players": 3}), &["5C 5D KS", "4H 7S 9D", "6C 6D 2S"], "5H", "6H KD KH");
    round.play("draw-discard");
    assert_eq!(round.legal(), "5C 5D KS 5H go-out");
    round.play("go-out");
    assert_eq!(round.legal(), "KS");
    round.play("KS draw-stock 6H");
    assert_eq!(round.game.turn(&round.state), Some(2));
    round.play("draw-discard");
    assert_eq!(round.legal(), "6C 6D 2S 6H go-out", "a last turn can end in going out too");
    round.play("go-out 2S");
    assert_eq!(round.scores(), [0, 20, 0]);
    assert!(!round.game.capped(&round.state));
    for (name, count) in [("turns", 3), ("going_out_turn", 1), ("went_out", 1), ("deadwood", 20)] {
        assert_eq!(event(&round.game, &round.state, name), Some(count), "{name}");
    }
}

#[test]
fn going_out_is_optional_and_several_discards_can_serve() {
    let mut round = Written::new(json!({}), &["3C 3D 5S", "4H 7S 9D"], "5H", "2D 2H");
    round.play("draw-discard");
    assert_eq!(round.legal(), "3C 3D 5S 5H go-out");
    let mut out = round.state;
    round.game.play(&mut out, Move::word(2), &mut Script::default()).unwrap();
    assert_eq!(named(round.game.legal_moves(&out)).join(" "), "3C 3D 5S 5H");
    round.play("5S draw-stock 9D");
    assert_eq!(round.game.turn(&round.state), Some(0), "a mere discard does not end the round");
}

#[test]
fn whoever_goes_out_is_known_to_hold_what_is_laid_down() {
    let mut round = Written::new(json!({}), &["5C 5D KS", "4H 7S 9D"], "5H", "6H KD KH");
    round.play("draw-discard go-out KS");
    let view = round.game.view(&round.state, 1);
    assert_eq!(view.public().known[0].to_string(), "5C 5D 5H");
    assert!(view.public().known[1].is_empty());
}

#[test]
fn last_turn_none_ends_the_round_at_once() {
    let mut round = Written::new(json!({"last_turn": "none"}), &["5C 5D KS", "4H 7S 9D"], "5H", "");
    assert_eq!(round.play("draw-discard go-out KS").scores(), [0, 20]);
}

#[test]
fn go_out_without_discard_lets_all_cards_be_melded() {
    let hands = ["5C 6C 7C", "4H 7S 9D"];
    let mut round = Written::new(json!({}), &hands, "8C", "2D KD");
    assert_eq!(round.play("draw-discard").legal(), "5C 6C 7C 8C go-out");
    let mut round = Written::new(json!({"go_out_without_discard": true}), &hands, "8C", "2D KD");
    assert_eq!(round.play("draw-discard").legal(), "5C 6C 7C 8C go-out go-out-all");
    round.play("go-out-all");
    assert_eq!(round.legal(), "draw-stock", "the discards are used up");
    assert_eq!(round.play("draw-stock 9D").scores(), [0, 13]);
    assert_eq!(round.game.hand(&round.state, 0).len(), 4);
}

#[test]
fn the_card_below_lies_open_once_the_top_discard_is_melded_away() {
    let changes = json!({"players": 3, "go_out_without_discard": true});
    let mut round = Written::new(changes, &["4H 7S 9D", "5C 6C 7C", "KD KH QS"], "KC", "8C JD 2D");
    round.play("draw-discard 9D draw-stock go-out-all");
    assert!(round.game.describe(&round.state).contains("9D"));
    assert_eq!(round.play("draw-discard").legal(), "9D KD QS KH");
}

/// `QC` and `QD` are left.
const FIVE_HANDS_OF_ONE_PACK: [&str; 5] = [
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC",
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD",
    "2S 3S 4S 5S 6S 7S 8S 9S TS JS",
    "2H 3H 4H 5H 6H 7H 8H 9H TH JH",
    "QS KC AC KD AD KS AS KH AH QH",
];

#[test]
fn a_player_who_finds_nothing_to_draw_has_no_turn() {
    // All cards but two are dealt, and who goes out without a discard keeps one of the two.
    let changes = json!({"players": 5, "decks": 1, "rounds": [10], "go_out_without_discard": true});
    let mut round = Written::new(changes, &FIVE_HANDS_OF_ONE_PACK, "QD", "QC");
    round.play("draw-stock go-out-all draw-discard go-out-all");
    assert_eq!(round.scores(), [0, 0, 0, 0, 20]);
    assert_eq!(event(&round.game, &round.state, "turns"), Some(5));
}

#[test]
fn a_card_just_taken_from_the_discards_may_be_forbidden_to_go_back() {
    let hands = ["5C 7D 9S", "5H 7S 9D"];
    let mut round = Written::new(json!({}), &hands, "KC", "");
    assert_eq!(round.play("draw-discard").legal(), "5C KC 7D 9S");
    let mut round = Written::new(json!({"retake_discard": "forbid"}), &hands, "KC", "");
    assert_eq!(round.play("draw-discard").legal(), "5C 7D 9S");
}

#[test]
fn another_copy_of_a_card_just_taken_may_go_back() {
    let changes = json!({"players": 3, "retake_discard": "forbid"});
    let mut round = Written::new(changes, &["5C KC 9S", "5H 7S 9D", "2C 4C 6D"], "KC", "");
    assert_eq!(round.play("draw-discard").legal(), "5C KC 9S");
    round.play("KC");
    assert_eq!(
        round.game.view(&round.state, 1).public().known[0].to_string(),
        "KC",
        "the one taken is still there"
    );
}

#[test]
fn a_card_just_taken_may_be_forbidden_to_go_back_in_going_out_too() {
    let mut round =
        Written::new(json!({"retake_discard": "forbid"}), &["5C 5D 5H", "4H 7S 9D"], "KS", "2D 2H");
    assert_eq!(round.play("draw-discard").legal(), "5C 5D 5H");
    let mut round = Written::new(json!({}), &["5C 5D 5H", "4H 7S 9D"], "KS", "2D 2H");
    assert_eq!(round.play("draw-discard").legal(), "5C 5D KS 5H go-out");
}

/// A round of two players with one pack, by which both draw from the stock and discard what they drew until it is empty.
fn round_with_empty_stock() -> Written {
    let mut round = Written::new(json!({}), &["5C 7D 9S", "5H 7S 9D"], "KC", "");
    for _ in 0..45 {
        let seat = round.game.turn(&round.state).unwrap();
        let before = round.game.hand(&round.state, seat);
        round.play("draw-stock");
        let mut drawn = round.game.hand(&round.state, seat);
        drawn.remove_all(&before);
        round.play(&drawn.to_string());
    }
    round
}

#[test]
fn a_draw_from_the_empty_stock_shuffles_all_discards_but_the_top_into_a_new_one() {
    let mut round = round_with_empty_stock();
    let discards = round.game.view(&round.state, 0).public().discards;
    let top = round.game.view(&round.state, 0).public().top().unwrap();
    assert_eq!(discards.len(), 46);
    assert_eq!(round.legal(), "draw-stock draw-discard");
    assert!(round.game.rebuilds_stock(&round.state, Move::word(0)));
    assert!(!round.game.rebuilds_stock(&round.state, Move::word(1)));
    let seat = round.game.turn(&round.state).unwrap();
    let (before, mut rest) = (round.game.hand(&round.state, seat), discards);
    rest.remove(top);
    let order: Vec<Card> = rest.iter().collect();
    let last = order[44];
    let reversed = order.into_iter().rev().collect();
    round.game.play(&mut round.state, Move::word(0), &mut Script::new(vec![], vec![reversed])).unwrap();
    let mut drawn = round.game.hand(&round.state, seat);
    drawn.remove_all(&before);
    assert_eq!(drawn.to_string(), last.to_string(), "the first card of the new stock");
    let view = round.game.view(&round.state, seat);
    assert_eq!((view.public().discards.to_string(), view.public().stock_size), (top.to_string(), 44));
    assert_eq!(event(&round.game, &round.state, "rebuilds"), Some(1));
}

#[test]
fn two_players_know_each_others_hands_once_the_stock_is_made_anew() {
    let mut round = round_with_empty_stock();
    round.play("draw-stock");
    let seat = round.game.turn(&round.state).unwrap();
    let view = round.game.view(&round.state, seat);
    assert_eq!(view.public().known[1 - seat], round.game.hand(&round.state, 1 - seat));
    let other = round.game.view(&round.state, 1 - seat);
    assert_eq!(other.public().known[seat].len() + 1, round.game.hand(&round.state, seat).len());
}

#[test]
fn if_there_is_only_the_top_discard_only_that_can_be_drawn() {
    let changes = json!({"players": 5, "decks": 1, "rounds": [10], "go_out_without_discard": true});
    let mut round = Written::new(changes, &FIVE_HANDS_OF_ONE_PACK, "QD", "QC");
    assert_eq!(round.play("draw-stock go-out-all").legal(), "draw-discard");
}

#[test]
fn the_guard_breaks_a_round_off_and_everyone_scores_what_they_hold() {
    let changes = json!({"max_turns_per_round": 2});
    let mut round = Written::new(changes, &["5C 7D KS", "4H 7S 9D"], "5H", "2D 2S 4C JC");
    round.play("draw-stock 2D draw-stock 2S draw-stock 4C");
    assert!(!round.game.capped(&round.state));
    assert_eq!(round.play("draw-stock JC").scores(), [22, 20]);
    assert!(round.game.capped(&round.state));
    let standing = round.game.start(0);
    assert!(round.game.after(&standing, &round.state).capped);
    assert_eq!(event(&round.game, &round.state, "going_out_turn"), None);
}

#[test]
fn whoever_goes_out_in_the_last_turn_of_the_guard_leaves_the_others_theirs() {
    let changes = json!({"max_turns_per_round": 1});
    let mut round = Written::new(changes, &["4H 7S 9D", "5C 5D KS"], "2H", "5H KD KH");
    round.play("draw-stock 5H draw-discard go-out KS");
    assert_eq!(round.game.turn(&round.state), Some(0), "exactly one more turn");
    assert_eq!(round.play("draw-stock KD").scores(), [20, 0]);
    assert!(!round.game.capped(&round.state));
}

#[test]
fn penalties_of_aces_and_wilds_are_those_of_the_options() {
    for (changes, expected) in [
        (json!({}), [1, 3]),
        (json!({"ace": "low_or_high"}), [15, 3]),
        (json!({"ace": "low_or_high", "ace_penalty": 11}), [11, 3]),
        (json!({"ace_penalty": 20, "wild_penalty": 25}), [20, 25]),
        (json!({"ace_penalty": "unset", "wild_penalty": 0}), [1, 0]),
    ] {
        let game = game(changes);
        let penalties = ["AC", "3D"].map(|card| game.meld_rules(3).penalty(card.parse().unwrap()));
        assert_eq!(penalties, expected);
    }
}

#[test]
fn going_out_takes_melds_also_where_what_is_left_costs_nothing() {
    let changes = json!({"ace_penalty": 0, "wild_penalty": 0});
    let mut round = Written::new(changes, &["AC AD 3S", "4H 7S 9D"], "KH", "");
    assert_eq!(round.play("draw-discard").legal(), "AC AD 3S KH go-out", "AC AD 3S is a set");
    let changes = json!({"ace_penalty": 0, "wild_penalty": 0, "max_wilds_per_meld": 0});
    let mut round = Written::new(changes, &["AC AD 3S", "4H 7S 9D"], "KH", "");
    assert_eq!(round.play("draw-discard").legal(), "AC AD 3S KH");
}

// ---- what is accepted and refused -----------------------------------------------------------------------------------

#[test]
fn unset_options_are_null_or_the_word() {
    for key in ["ace_penalty", "max_wilds_per_meld", "wild_penalty"] {
        for value in [json!(null), json!("unset")] {
            assert_eq!(*game(json!({key: value})).rules(), Rules::default());
        }
        assert_eq!(Rules::default().to_map()[key], json!(null));
    }
}

#[test]
fn rules_read_back_as_written() {
    let mut dice = QuickDice::new(7, 7);
    for _ in 0..100 {
        let rules = kit::random_game::<ThreeThirteen>(&mut dice).rules().clone();
        assert_eq!(Rules::default().with(&rules.to_map()), Ok(rules));
    }
}

#[test]
fn the_cards_must_suffice_for_the_hands_an_upcard_and_a_draw() {
    for (changes, fits) in [
        (json!({"players": 8, "decks": 2}), false),
        (json!({"players": 8, "decks": 3}), true),
        (json!({"players": 4, "decks": 1}), false),
        (json!({"players": 4, "decks": 1, "rounds": [12]}), true),
        (json!({"players": 5, "decks": 1, "rounds": [10]}), true),
        (json!({"players": 5, "decks": 1, "rounds": [3, 11]}), false),
    ] {
        assert_eq!(game_of(changes.clone()).is_ok(), fits, "{changes}");
    }
    let error = game_of(json!({"players": 8, "decks": 2})).unwrap_err();
    assert!(error.contains("decks") && error.contains('2') && error.contains("3 or more packs"), "{error}");
}

#[test]
fn values_out_of_range_are_refused_with_the_key_the_value_and_what_is_accepted() {
    for (key, value, accepted) in [
        ("players", json!(1), "2 to 8"),
        ("players", json!(9), "2 to 8"),
        ("players", json!("two"), "2 to 8"),
        ("first_dealer", json!(2), "from 0 to 1"),
        ("first_dealer", json!("anyone"), "random"),
        ("decks", json!(0), "1 to 7"),
        ("decks", json!(8), "1 to 7"),
        ("decks", json!("many"), "auto"),
        ("ace", json!("high"), "low_or_high"),
        ("ace_penalty", json!(-1), "0 to 1000"),
        ("ace_penalty", json!(1001), "0 to 1000"),
        ("ace_penalty", json!("none"), "unset"),
        ("wild_penalty", json!(1.5), "0 to 1000"),
        ("max_wilds_per_meld", json!(14), "0 to 13"),
        ("min_naturals_per_meld", json!(4), "0 to 3"),
        ("go_out_without_discard", json!("yes"), "true, false"),
        ("last_turn", json!("some"), "all_others"),
        ("retake_discard", json!(false), "forbid"),
        ("rounds", json!([]), "3 to 13"),
        ("rounds", json!([3, 2]), "3 to 13"),
        ("rounds", json!([14]), "3 to 13"),
        ("rounds", json!(5), "3 to 13"),
        ("max_turns_per_round", json!(0), "1 to"),
        ("max_turns_per_round", json!(-1), "1 to"),
    ] {
        let error = game_of(json!({key: value})).unwrap_err();
        assert!(error.contains(key) && error.contains(accepted), "{error}");
    }
    let error = game_of(json!({"deals": 3})).unwrap_err();
    assert!(error.contains("deals"), "the game has as many deals as rounds: {error}");
}

// ---- golden values --------------------------------------------------------------------------------------------------

#[test]
fn a_seed_always_deals_the_same_cards() {
    let game = game(json!({"players": 3}));
    let standing = Standing { deals: 2, ..game.start(0) };
    let mut pack = kit::pack_for(&game, 1, &standing);
    let mut state = game.deal(&standing, &mut pack);
    let hands = [0, 1, 2].map(|seat| game.hand(&state, seat).to_string());
    assert_eq!(hands, ["TC AC 5S 3H 5H", "3C 5D 8D 9S KS", "5C 8C 4S AS QH"]);
    let mut dice = QuickDice::new(1, 1);
    let mut moves = Vec::new();
    for _ in 0..12 {
        let mv = kit::pick(game.legal_moves(&state), &mut dice);
        game.play(&mut state, mv, &mut pack).unwrap();
        moves.push(mv.name(ThreeThirteen::WORDS));
    }
    assert_eq!(
        moves.join(" "),
        "draw-stock 7D draw-discard 4S draw-stock 3H draw-discard 3H draw-discard 7D draw-stock AD"
    );
}

#[test]
fn a_game_can_be_followed() {
    let game = game(json!({"players": 3, "rounds": [3, 4], "max_turns_per_round": 12}));
    insta::with_settings!({snapshot_path => "playthroughs", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!("three-thirteen", kit::playthrough_by(&game, 2, 2, |state, legal, _| {
            thrifty(&game, state, legal)
        }));
    });
}
