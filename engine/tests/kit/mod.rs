//! The laws that every game obeys, as programs.

#![allow(dead_code, unreachable_pub)] // each test program uses a part

use dealt_engine::{
    Card, Dice, Game, MAX_PLAYERS, Move, Moves, Pack, QuickDice, Rules, Script, Seat, Standing, Unordered,
    Worlds,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::{Map, Value};

/// A game of random rules: about one option in three set to one of its examples, until the options fit together.
pub fn random_game<G: Game>(dice: &mut QuickDice) -> G {
    loop {
        let mut changes = Map::new();
        for option in G::Rules::OPTIONS {
            if dice.below(3) == 0 {
                let example = option.examples[dice.below(option.examples.len() as u32) as usize];
                let value: Value = serde_json::from_str(example).unwrap();
                changes.insert(option.key.to_owned(), value);
            }
        }
        let rules = G::Rules::default().with(&changes).unwrap_or_else(|error| panic!("{changes:?}: {error}"));
        if let Ok(game) = G::new(rules) {
            return game;
        }
    }
}

pub fn pick(legal: Moves, dice: &mut QuickDice) -> Move {
    legal.nth(dice.below(legal.len() as u32) as usize).unwrap()
}

pub fn pack_for<G: Game>(game: &G, seed: u64, standing: &Standing) -> Pack<ChaCha8Rng> {
    Pack::new(game.pack(), ChaCha8Rng::seed_from_u64(seed << 16 | u64::from(standing.deals)))
}

/// The first dealer that the rules name, or any.
pub fn first_standing<G: Game>(game: &G, dice: &mut QuickDice) -> Standing {
    game.start(game.first_dealer().unwrap_or_else(|| dice.below(game.players() as u32) as usize))
}

/// Plays whole games by random rules and checks every position of them.
pub fn laws_hold_over_random_games<G: Game>(games: u64) {
    for seed in 0..games {
        let mut dice = QuickDice::new(0x6c61_7773, seed);
        let game: G = random_game(&mut dice);
        assert_eq!(game.rules().to_map().len(), G::Rules::OPTIONS.len());
        let mut standing = first_standing(&game, &mut dice);
        let mut moves = 0;
        // Long games repeat themselves: some deals of each are enough.
        while !game.is_over(&standing) && standing.deals < 30 && moves < 1000 {
            let mut pack = pack_for(&game, seed, &standing);
            check_layout(&game, &standing, &pack);
            let mut state = game.deal(&standing, &mut pack);
            while let Some(seat) = game.turn(&state) {
                check_position(&game, &state, seat);
                // Each check plays to the end, so the more there has been of a game, the rarer they are.
                if dice.below(40 + moves) == 0 {
                    check_worlds(&game, &state, &mut dice);
                }
                moves += 1;
                let legal = game.legal_moves(&state);
                game.play(&mut state, pick(legal, &mut dice), &mut pack).unwrap();
            }
            check_end(&game, &state, &mut dice);
            standing = check_after(&game, &standing, &state);
        }
    }
}

/// The hands are the first cards of the pack, seat by seat, and a script of the same order deals the same position.
fn check_layout<G: Game>(game: &G, standing: &Standing, pack: &Pack<ChaCha8Rng>) {
    let order = pack.rest();
    let state = game.deal(standing, &mut pack.clone());
    assert_eq!(game.deal(standing, &mut Script::new(order.clone(), vec![])), state);
    let layout = game.layout(standing);
    for seat in 0..game.players() {
        let hand: dealt_engine::Bag = order[seat * layout.hand..][..layout.hand].iter().copied().collect();
        assert_eq!(game.hand(&state, seat), hand);
    }
    let upcard = usize::from(layout.upcard);
    let rest: dealt_engine::Bag = order[game.players() * layout.hand + upcard..].iter().copied().collect();
    assert_eq!(game.rest(&state), rest);
    let mut sorted = order;
    sorted.sort();
    assert_eq!(sorted, game.pack());
}

fn check_position<G: Game>(game: &G, state: &G::State, seat: Seat) {
    game.audit(state).unwrap_or_else(|error| panic!("{error}\n{:?}\n{state:?}", game.rules()));
    assert!(seat < game.players());
    let legal = game.legal_moves(state);
    assert!(!legal.is_empty(), "nothing to play\n{:?}\n{state:?}", game.rules());
    assert!(legal.cards().is_subset(game.hand(state, seat).faces()), "a card that is not held\n{state:?}");
    for watcher in 0..game.players() {
        let view = game.view(state, watcher);
        assert_eq!(game.seat(&view), watcher);
        let seen = game.legal_moves_in_view(&view);
        assert_eq!(seen, if watcher == seat { legal } else { Moves::EMPTY }, "{state:?}");
    }
    let mut copy = *state;
    let illegal = !legal;
    for mv in illegal {
        assert!(game.play(&mut copy, mv, &mut Script::default()).is_err());
    }
    assert!(copy == *state, "a refused move changed the position");
    for mv in legal.into_iter().filter(|mv| mv.as_card().is_none()) {
        assert_eq!(Move::parse(&mv.name(G::WORDS), G::WORDS), Some(mv));
    }
}

/// A sampled world looks the same to the seat that sampled it, has a past in which every other seat's view makes sense,
/// and can be played to the end.
fn check_worlds<G: Game>(game: &G, state: &G::State, dice: &mut QuickDice) {
    let seat = dice.below(game.players() as u32) as usize;
    let view = game.view(state, seat);
    let mut worlds = game.worlds(&view);
    for _ in 0..4 {
        let mut world = worlds.sample(dice);
        let context = || format!("seat {seat}\n{:?}\nreal    {state:?}\nsampled {world:?}", game.rules());
        game.audit(&world).unwrap_or_else(|error| panic!("{error}\n{}", context()));
        assert!(game.view(&world, seat) == view, "the sampled world looks different\n{}", context());
        assert_eq!(game.turn(&world), game.turn(state));
        let other = dice.below(game.players() as u32) as usize;
        let again = game.determinise(&game.view(&world, other), dice);
        game.audit(&again).unwrap_or_else(|error| panic!("resampled by {other}: {error}\n{}", context()));
        assert!(game.view(&again, other) == game.view(&world, other), "resampled by {other}\n{}", context());
        while game.turn(&world).is_some() {
            let mv = pick(game.legal_moves(&world), dice);
            game.play(&mut world, mv, &mut Unordered(dice)).unwrap();
        }
        game.audit(&world).unwrap();
    }
    check_nothing_is_made_up(game, state, seat, dice);
    check_world_despite_voids(game, state, seat, dice);
}

/// Where voids are not heeded, hands still have their sizes, the seat's own is its own, and the deal can be played out.
fn check_world_despite_voids<G: Game>(game: &G, state: &G::State, seat: usize, dice: &mut QuickDice) {
    let mut world = game.worlds_despite_voids(&game.view(state, seat)).sample(dice);
    assert_eq!(game.hand(&world, seat), game.hand(state, seat));
    for other in 0..game.players() {
        assert_eq!(game.hand(&world, other).len(), game.hand(state, other).len());
    }
    while game.turn(&world).is_some() {
        let mv = pick(game.legal_moves(&world), dice);
        game.play(&mut world, mv, &mut Unordered(dice)).unwrap();
    }
}

/// In how many of the positions of a random deal a world drawn despite voids is refuted by what the seat has seen.
pub fn refuted_worlds<G: Game>(game: &G, seed: u64) -> usize {
    let mut dice = QuickDice::new(0x766f_6964, seed);
    let standing = first_standing(game, &mut dice);
    let mut pack = pack_for(game, seed, &standing);
    let mut state = game.deal(&standing, &mut pack);
    let mut refuted = 0;
    while let Some(seat) = game.turn(&state) {
        let view = game.view(&state, seat);
        let world = game.worlds_despite_voids(&view).sample(&mut dice);
        refuted += usize::from(game.audit(&world).is_err() || game.view(&world, seat) != view);
        let mv = pick(game.legal_moves(&state), &mut dice);
        game.play(&mut state, mv, &mut pack).unwrap();
    }
    refuted
}

/// What is the same in all of many sampled worlds is true: a sampler that leaves possible deals out claims to know
/// where cards are, and is sometimes wrong.
fn check_nothing_is_made_up<G: Game>(game: &G, state: &G::State, seat: Seat, dice: &mut QuickDice) {
    const SAMPLES: u32 = 300;
    let mut worlds = game.worlds(&game.view(state, seat));
    let mut seen = [[(u8::MAX, u8::MIN); Card::COUNT]; MAX_PLAYERS];
    for _ in 0..SAMPLES {
        let world = worlds.sample(dice);
        for (other, cards) in seen.iter_mut().enumerate().take(game.players()) {
            let hand = game.hand(&world, other);
            for card in Card::all() {
                let count = hand.count(card) as u8;
                let (least, most) = &mut cards[card.index()];
                (*least, *most) = ((*least).min(count), (*most).max(count));
            }
        }
    }
    for (other, cards) in seen.iter().enumerate().take(game.players()) {
        let hand = game.hand(state, other);
        let certain: Vec<Card> =
            Card::all().filter(|card| cards[card.index()].0 == cards[card.index()].1).collect();
        // A rare card can be missed by chance, but only where it is rare: ask for the common case alone.
        let wrong = certain.iter().filter(|&&card| hand.count(card) as u8 != cards[card.index()].0).count();
        assert!(
            wrong <= 1,
            "seat {seat} made up {wrong} cards of seat {other}\n{:?}\n{state:?}",
            game.rules()
        );
    }
}

fn check_end<G: Game>(game: &G, state: &G::State, dice: &mut QuickDice) {
    game.audit(state).unwrap_or_else(|error| panic!("{error}\n{state:?}"));
    assert!(
        game.play(&mut { *state }, Move::card(Card::from_index(0).unwrap()), &mut Script::default()).is_err()
    );
    for seat in 0..game.players() {
        let view = game.view(state, seat);
        assert!(game.legal_moves_in_view(&view).is_empty());
        assert!(game.view(&game.determinise(&view, dice), seat) == view);
    }
    let events = game.events(state);
    assert!(events[G::EVENTS.len()..].iter().all(Option::is_none));
}

fn check_after<G: Game>(game: &G, standing: &Standing, state: &G::State) -> Standing {
    let after = game.after(standing, state);
    let scores = game.scores(state);
    assert_eq!(after.deals, standing.deals + 1);
    assert!(after.capped || !game.capped(state));
    assert!(after.dealer < game.players());
    for (seat, &score) in scores.iter().enumerate() {
        assert_eq!(after.totals[seat], standing.totals[seat] + score);
        assert!(seat < game.players() || score == 0);
    }
    assert!(!game.winners(&after).is_empty());
    after
}

/// The first deals of a game played at random, as a person can follow it.
pub fn playthrough<G: Game>(game: &G, seed: u64, deals: u32) -> String {
    playthrough_by(game, seed, deals, |_, legal, dice| pick(legal, dice))
}

/// The first deals of a game in which `choose` makes the moves, as a person can follow it.
pub fn playthrough_by<G: Game>(
    game: &G,
    seed: u64,
    deals: u32,
    choose: impl Fn(&G::State, Moves, &mut QuickDice) -> Move,
) -> String {
    let mut dice = QuickDice::new(0x706c_6179, seed);
    let mut standing = first_standing(game, &mut dice);
    let mut text = format!("{}, {} players\n", G::NAME, game.players());
    while !game.is_over(&standing) && standing.deals < deals {
        let mut pack = pack_for(game, seed, &standing);
        let mut state = game.deal(&standing, &mut pack);
        text += &format!("\ndeal {}, dealer {}\n", standing.deals + 1, standing.dealer);
        while let Some(seat) = game.turn(&state) {
            let legal = game.legal_moves(&state);
            let mv = choose(&state, legal, &mut dice);
            let hand = game.hand(&state, seat);
            text += &format!("{}\n    seat {seat} holds {hand}\n", game.describe(&state));
            if legal != Moves::from(hand.faces()) {
                let names: Vec<String> = legal.into_iter().map(|mv| mv.name(G::WORDS)).collect();
                text += &format!("    may play {}\n", names.join(" "));
            }
            text += &format!("    plays {}\n", mv.name(G::WORDS));
            game.play(&mut state, mv, &mut pack).unwrap();
        }
        let scores = game.scores(&state);
        standing = game.after(&standing, &state);
        let players = game.players();
        text += &format!("scores {:?}, totals {:?}\n", &scores[..players], &standing.totals[..players]);
        for (info, count) in G::EVENTS.iter().zip(game.events(&state)) {
            text +=
                &format!("{}: {}\n", info.name, count.map_or("none".to_owned(), |count| count.to_string()));
        }
    }
    text
}

/// How far counts are from what is expected, in standard deviations: χ² made normal by its cube root (Wilson and
/// Hilferty, *The distribution of chi-square*, 1931). Cells of which fewer than 5 are expected are put together.
pub fn chi_squared_z(cells: impl IntoIterator<Item = (u32, f64)>) -> f64 {
    let (mut sum, mut freedom, mut rest) = (0.0, -1.0, (0.0, 0.0));
    let mut add = |observed: f64, expected: f64| {
        sum += (observed - expected).powi(2) / expected;
        freedom += 1.0;
    };
    for (observed, expected) in cells {
        let observed = f64::from(observed);
        if expected < 5.0 { rest = (rest.0 + observed, rest.1 + expected) } else { add(observed, expected) }
    }
    if rest.1 >= 5.0 {
        add(rest.0, rest.1);
    }
    if freedom < 1.0 {
        return 0.0;
    }
    let spread = 2.0 / (9.0 * freedom);
    ((sum / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}
