//! Tests that sampled positions are uniform, against a plain enumeration of the physical deals.
//!
//! The rounds here are played with a dozen cards, so that every deal can be tried: each physical card in each hidden
//! place, each card that a draw may have brought, each copy that a discard may have been.

use std::collections::BTreeMap;

use super::{Public, State, ThreeThirteen, ThreeThirteenRules, word};
use crate::{Bag, Card, Dice, Game, Move, QuickDice, Rules, Seat, Unordered, Worlds};

/// What the watcher, seat 0, sees of a move.
struct Seen {
    seat: Seat,
    mv: Move,
    /// The card drawn, if it is the watcher's own draw from the stock.
    drawn: Option<Card>,
    /// What all know of the hands before the move.
    known: Vec<Bag>,
    /// The hands laid down after the move.
    laid: Option<Bag>,
}

/// A round as the watcher saw it, and where it stands.
struct Round {
    game: ThreeThirteen,
    pack: Vec<Card>,
    own: Bag,
    upcard: Card,
    seen: Vec<Seen>,
    state: State,
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

fn game(changes: &str) -> ThreeThirteen {
    let changes = serde_json::from_str(changes).unwrap();
    ThreeThirteen::new(ThreeThirteenRules::default().with(&changes).unwrap()).unwrap()
}

impl Round {
    /// Plays some moves at random from a pack.
    fn play(game: ThreeThirteen, pack: &[Card], moves: usize, dice: &mut QuickDice) -> Round {
        let all: Bag = pack.iter().copied().collect();
        let standing = game.start(dice.below(game.players() as u32) as usize);
        let public = Public::new(&standing, 3, all);
        let mut state = game.deal_from(all, public, &mut Unordered(dice));
        let (own, upcard) = (state.hands[0], state.public.top().unwrap());
        let mut seen = Vec::new();
        while let Some(seat) = game.turn(&state).filter(|_| seen.len() < moves) {
            let legal = game.legal_moves(&state);
            let mv = legal.nth(dice.below(legal.len() as u32) as usize).unwrap();
            let before = state;
            game.play(&mut state, mv, &mut Unordered(dice)).unwrap();
            let mut gained = state.hands[0];
            let drawn = (seat == 0 && mv == word::DRAW_STOCK).then(|| {
                gained.remove_all(&before.hands[0]);
                gained.nth(0).unwrap()
            });
            let known = before.public.known.to_vec();
            let lays = [word::GO_OUT, word::GO_OUT_ALL].contains(&mv);
            seen.push(Seen { seat, mv, drawn, known, laid: lays.then_some(before.hands[seat]) });
        }
        Round { game, pack: pack.to_vec(), own, upcard, seen, state }
    }
}

/// A physical card in a hand.
#[derive(Clone, Copy)]
struct Held {
    id: usize,
    /// How many stocks there had been when it was drawn.
    stock: usize,
    known: bool,
}

#[derive(Clone)]
struct Table {
    hands: Vec<Vec<Held>>,
    stock: Vec<usize>,
    discards: Vec<usize>,
    stocks: usize,
    taken: Option<usize>,
}

/// The faces in the hands, seat by seat, each sorted.
type Faces = Vec<Vec<Card>>;

struct Enumeration<'r> {
    round: &'r Round,
    /// In how many ways the hands came to be these.
    ways: BTreeMap<Faces, u64>,
}

impl Enumeration<'_> {
    fn of(round: &Round) -> BTreeMap<Faces, u64> {
        let players = round.game.players();
        let mut left: Vec<usize> = (0..round.pack.len()).collect();
        let mut take = |card: Card| {
            let place = left.iter().position(|&id| round.pack[id] == card).unwrap();
            left.remove(place)
        };
        let own = round.own.iter().map(|card| Held { id: take(card), stock: 0, known: false }).collect();
        let discards = vec![take(round.upcard)];
        let mut hands = vec![Vec::new(); players];
        hands[0] = own;
        let table = Table { hands, stock: left, discards, stocks: 0, taken: None };
        let mut enumeration = Enumeration { round, ways: BTreeMap::new() };
        enumeration.deal(table, 1, 0);
        enumeration.ways
    }

    fn face(&self, id: usize) -> Card {
        self.round.pack[id]
    }

    /// Gives every set of physical cards to the seats from `seat` on; ids below `from` have been tried for it.
    fn deal(&mut self, table: Table, seat: Seat, from: usize) {
        if seat == table.hands.len() {
            return self.follow(table, 0);
        }
        if table.hands[seat].len() == 3 {
            return self.deal(table, seat + 1, 0);
        }
        for (place, &id) in table.stock.iter().enumerate().filter(|&(_, &id)| id >= from) {
            let mut next = table.clone();
            next.stock.remove(place);
            next.hands[seat].push(Held { id, stock: 0, known: false });
            self.deal(next, seat, id + 1);
        }
    }

    /// Follows what was seen from one move on, in every way there is.
    fn follow(&mut self, mut table: Table, index: usize) {
        let Some(seen) = self.round.seen.get(index) else {
            let faces = |hand: &Vec<Held>| {
                let mut faces: Vec<Card> = hand.iter().map(|held| self.face(held.id)).collect();
                faces.sort();
                faces
            };
            let hands = table.hands.iter().map(faces).collect();
            *self.ways.entry(hands).or_default() += 1;
            return;
        };
        self.mark_known(&mut table, &seen.known);
        match (seen.mv, seen.mv.as_card()) {
            (word::DRAW_STOCK, _) => self.draw_stock(table, index),
            (word::DRAW_DISCARD, _) => {
                let id = table.discards.pop().unwrap();
                table.hands[seen.seat].push(Held { id, stock: table.stocks, known: true });
                table.taken = Some(id);
                self.follow(table, index + 1);
            }
            (_, Some(card)) => self.discard(table, index, card),
            _ => {
                let hand: Bag = table.hands[seen.seat].iter().map(|held| self.face(held.id)).collect();
                if seen.laid == Some(hand) {
                    table.hands[seen.seat].iter_mut().for_each(|held| held.known = true);
                    self.follow(table, index + 1);
                }
            }
        }
    }

    /// Marks the cards that all know: of copies in a hand those that came from the oldest stocks.
    fn mark_known(&self, table: &mut Table, known: &[Bag]) {
        for (hand, known) in table.hands.iter_mut().zip(known) {
            for card in known.faces() {
                let mut copies: Vec<&mut Held> =
                    hand.iter_mut().filter(|held| self.round.pack[held.id] == card).collect();
                copies.sort_by_key(|held| (!held.known, held.stock));
                assert!(
                    copies.len() >= known.count(card),
                    "{card} is thought to be known and need not be there"
                );
                copies.iter_mut().take(known.count(card)).for_each(|held| held.known = true);
            }
        }
    }

    fn draw_stock(&mut self, mut table: Table, index: usize) {
        let seen = &self.round.seen[index];
        if table.stock.is_empty() {
            let top = table.discards.pop().unwrap();
            table.stock = std::mem::replace(&mut table.discards, vec![top]);
            table.stocks += 1;
        }
        for (place, &id) in table.stock.iter().enumerate() {
            if seen.drawn.is_none_or(|drawn| drawn == self.face(id)) {
                let mut next = table.clone();
                next.stock.remove(place);
                next.hands[seen.seat].push(Held { id, stock: table.stocks, known: false });
                next.taken = None;
                self.follow(next, index + 1);
            }
        }
    }

    fn discard(&mut self, table: Table, index: usize, card: Card) {
        let round = self.round;
        let seat = round.seen[index].seat;
        let forbidden = if self.round.game.rules().retake_discard == super::RetakeDiscard::Forbid {
            table.taken
        } else {
            None
        };
        let fits = |held: &Held| round.pack[held.id] == card && Some(held.id) != forbidden;
        let hand = &table.hands[seat];
        let one = hand.iter().position(|held| fits(held) && (held.known || seat == 0));
        for (place, held) in hand.iter().enumerate() {
            if one.map_or(fits(held), |one| one == place) {
                let mut next = table.clone();
                let held = next.hands[seat].remove(place);
                next.discards.push(held.id);
                next.taken = None;
                self.follow(next, index + 1);
            }
        }
    }
}

/// Compares how often each position is drawn with the number of ways to it.
fn assert_uniform(round: &Round, dice: &mut QuickDice) {
    let ways = Enumeration::of(round);
    let total: u64 = ways.values().sum();
    let truth: Faces =
        (0..round.game.players()).map(|seat| round.state.hands[seat].iter().collect()).collect();
    assert!(ways.contains_key(&truth), "the enumeration misses what happened");
    let draws = (40 * ways.len() as u64).clamp(2_000, 20_000);
    let mut counts: BTreeMap<Faces, u64> = BTreeMap::new();
    let mut worlds = round.game.worlds(&round.game.view(&round.state, 0));
    for _ in 0..draws {
        let world = worlds.sample(dice);
        let faces: Faces = (0..round.game.players()).map(|seat| world.hands[seat].iter().collect()).collect();
        assert!(ways.contains_key(&faces), "{faces:?} cannot be");
        *counts.entry(faces).or_default() += 1;
    }
    let (mut chi2, mut freedom, mut rare) = (0.0, 0.0, (0.0, 0.0));
    for (faces, &ways) in &ways {
        let expected = draws as f64 * ways as f64 / total as f64;
        let count = counts.get(faces).copied().unwrap_or(0) as f64;
        if expected < 5.0 {
            rare = (rare.0 + expected, rare.1 + count);
        } else {
            chi2 += (count - expected).powi(2) / expected;
            freedom += 1.0;
        }
    }
    if rare.0 >= 5.0 {
        chi2 += (rare.1 - rare.0).powi(2) / rare.0;
        freedom += 1.0;
    }
    // The 99.99 % point of χ² is below d + 4√(2d) + 16.
    let bound = freedom + 4.0 * f64::sqrt(2.0 * freedom) + 16.0;
    assert!(chi2 <= bound, "χ² is {chi2:.1}, at most {bound:.1} of {} positions", ways.len());
}

/// What occurred in the rounds of a check.
#[derive(Default, Debug)]
struct Occurred {
    rebuilds: u32,
    /// Doubts about cards of others at the end, and those of them older than the last stock.
    doubts: usize,
    old_doubts: usize,
    /// Cards that all came to know without seeing them.
    inferred: usize,
    laid_down: u32,
}

/// Plays rounds and checks each.
fn check(changes: &str, pack: &str, moves: usize, rounds: u64) -> Occurred {
    let mut occurred = Occurred::default();
    for seed in 0..rounds {
        let mut dice = QuickDice::new(0x756e_6966, seed);
        let round = Round::play(game(changes), &cards(pack), moves, &mut dice);
        let public = &round.state.public;
        occurred.rebuilds += public.rebuilds;
        let others = || public.sources.doubts().filter(|doubt| doubt.seat != 0);
        occurred.doubts += others().count();
        occurred.old_doubts +=
            others().filter(|doubt| usize::from(doubt.newest) < public.sources.newest()).count();
        occurred.laid_down += public.out.count_ones();
        let known = |seen: &Seen| seen.known.iter().map(Bag::len).sum::<usize>();
        let grows = |pair: &[Seen]| match pair[0].mv {
            word::DRAW_DISCARD | word::GO_OUT | word::GO_OUT_ALL => 0,
            _ => known(&pair[1]).saturating_sub(known(&pair[0])),
        };
        occurred.inferred += round.seen.windows(2).map(grows).sum::<usize>();
        assert_uniform(&round, &mut dice);
    }
    occurred
}

#[test]
fn worlds_are_uniform_with_two_packs_and_cards_taken_from_the_discards() {
    let pack = "2C 2C 5D 5D 7S 7S 9H 9H TH TH JC JC KD KD";
    let occurred = check(r#"{"players": 3, "rounds": [3]}"#, pack, 8, 15);
    assert_eq!(occurred.rebuilds, 0);
}

#[test]
fn worlds_are_uniform_with_one_pack_after_the_stock_was_made_anew() {
    let pack = "2C 4C 5D 6D 7S 8S 9H TH JC QC KD AS";
    let occurred = check(r#"{"players": 3, "rounds": [3]}"#, pack, 24, 30);
    assert!(occurred.rebuilds > 60 && occurred.inferred > 10, "{occurred:?}");
    assert_eq!(occurred.doubts, 0);
}

#[test]
fn worlds_are_uniform_with_two_packs_where_a_discard_may_be_old_or_new() {
    let mut occurred =
        check(r#"{"players": 3, "rounds": [3]}"#, "2C 2C 5D 5D 7S 7S 9H 9H TH TH JC JC", 20, 60);
    assert!(occurred.doubts > 60 && occurred.old_doubts > 20, "{occurred:?}");
    let changes = r#"{"players": 3, "decks": 3, "rounds": [3]}"#;
    occurred = check(changes, "2C 2C 2C 5D 5D 5D 7S 7S 7S 9H 9H 9H TH", 22, 24);
    assert!(occurred.doubts > 24, "{occurred:?}");
}

#[test]
fn worlds_are_uniform_where_a_card_just_taken_may_not_be_discarded() {
    let pack = "2C 2C 5D 5D 5D 7S 7S 7S 9H 9H TH";
    let changes = r#"{"players": 2, "rounds": [3], "retake_discard": "forbid"}"#;
    let occurred = check(changes, pack, 14, 80);
    assert!(occurred.rebuilds > 10 && occurred.inferred > 10, "{occurred:?}");
}

#[test]
fn worlds_are_uniform_after_a_hand_was_laid_down() {
    let pack = "2C 2C 2D 2D 3S 3S 3H 4C 4C 4D 3D 3C";
    let occurred = check(r#"{"players": 3, "rounds": [3], "last_turn": "all_others"}"#, pack, 16, 60);
    assert!(occurred.rebuilds > 10 && occurred.laid_down > 10 && occurred.doubts > 10, "{occurred:?}");
}
