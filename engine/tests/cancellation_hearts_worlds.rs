//! Sampled worlds of cancellation hearts: in small positions, every deal that fits a view is found by trying all, and
//! each is drawn as often as it should be.

mod kit;
#[path = "reference/cancellation_hearts.rs"]
mod reference;

use std::collections::BTreeMap;

use dealt_engine::cancellation_hearts::{CancellationHeartsRules as Rules, FirstLead, Phase};
use dealt_engine::{
    Bag, CancellationHearts, Card, CardSet, Dice, Game, Move, QuickDice, Seat, Standing, Suit, Worlds,
};

type State = <CancellationHearts as Game>::State;
type View = <CancellationHearts as Game>::View;

/// Hands and passes of all seats, as bits; the kitty is what is left.
type Outcome = Vec<u64>;

/// A position, how it came about, and who looks at it.
struct Position {
    game: CancellationHearts,
    standing: Standing,
    state: State,
    plays: Vec<(Seat, Move)>,
    /// Who was the first to lead for holding a `2C`, as all are told.
    opener: Option<Seat>,
    seat: Seat,
}

impl Position {
    fn view(&self) -> View {
        self.game.view(&self.state, self.seat)
    }

    fn others(&self) -> impl Iterator<Item = Seat> + '_ {
        (0..self.game.players()).filter(|&seat| seat != self.seat)
    }
}

/// A few cards: pairs of identical ones if there are two packs, and most of the favourites.
fn small_pack(favourites: &str, decks: usize, size: usize, dice: &mut QuickDice) -> Vec<Card> {
    let mut faces: Vec<Card> = Card::all().collect();
    dice.shuffle(&mut faces);
    for favourite in favourites.split(' ').filter(|_| dice.below(4) > 0) {
        let favourite: Card = favourite.parse().unwrap();
        faces.retain(|&card| card != favourite);
        faces.insert(0, favourite);
    }
    let copies = |card: &Card| vec![*card; if decks == 2 && card.index() % 3 != 1 { 2 } else { 1 }];
    faces.iter().flat_map(copies).take(size).collect()
}

/// A game of few cards under random rules.
fn small_game(dice: &mut QuickDice) -> CancellationHearts {
    loop {
        let any: CancellationHearts = kit::random_game(dice);
        let players = 3 + dice.below(2) as usize;
        let hand = 2 + dice.below(4) as usize;
        // In some packs half the cards are hearts, so that seats run out of anything else to lead or discard; in some
        // the holder of a `2C` has other clubs to lead.
        let themes =
            [("AH QS 2C", None), ("2C QS 5H 7H 9H JH", None), ("9C 6C 4C 2C", Some(FirstLead::AnyClub))];
        let (favourites, first_lead) = themes[dice.below(3) as usize];
        let decks = if first_lead.is_some() { 2 } else { 1 + dice.below(2) as usize };
        let first_lead = first_lead.unwrap_or(any.rules().first_lead);
        let kept = small_pack(favourites, decks, players * hand + dice.below(players as u32) as usize, dice);
        let mut remove: Vec<Card> = Card::all().flat_map(|card| vec![card; decks]).collect();
        for card in &kept {
            remove.swap_remove(remove.iter().position(|other| other == card).unwrap());
        }
        let pass_count = any.rules().pass_count.min(2);
        let bonus_cards = BTreeMap::new();
        let changed = Rules { players, decks, remove, pass_count, first_lead, ..any.rules().clone() };
        let rules = Rules { bonus_cards, deals: 1, ..changed };
        if let Ok(game) = CancellationHearts::new(rules) {
            return game;
        }
    }
}

fn small_position(dice: &mut QuickDice) -> Position {
    let game = small_game(dice);
    let standing = kit::first_standing(&game, dice);
    let mut pack = kit::pack_for(&game, u64::from(dice.below(1 << 30)), &standing);
    let mut state = game.deal(&standing, &mut pack);
    let (mut plays, mut opener) = (Vec::new(), state.table().two_of_clubs_holder());
    let moves = dice.below(1 + game.pack().len() as u32);
    for _ in 0..moves {
        let Some(seat) = game.turn(&state) else { break };
        let mv = kit::pick(game.legal_moves(&state), dice);
        if state.table().phase() != Phase::Pass {
            plays.push((seat, mv));
        }
        game.play_unchecked(&mut state, mv, &mut pack);
        opener = opener.or_else(|| state.table().two_of_clubs_holder());
    }
    let seat = dice.below(game.players() as u32) as usize;
    Position { game, standing, state, plays, opener, seat }
}

fn bits(bag: &Bag) -> [u64; 2] {
    [bag.plane(0).bits(), bag.plane(1).bits()]
}

fn outcome_of(position: &Position, state: &State) -> Outcome {
    let game = &position.game;
    let seats = 0..game.players();
    seats
        .flat_map(|seat| [bits(&game.hand(state, seat)), bits(&game.view(state, seat).given().resize())])
        .flatten()
        .collect()
}

/// Every deal that fits the view, one entry for each way in which physical cards can lie and have been passed.
struct Search<'p> {
    position: &'p Position,
    view: View,
    /// The physical cards that the seat has not seen and cannot place.
    unseen: Vec<Card>,
    /// How many of them are still to go to each seat.
    room: Vec<usize>,
    kitty_room: usize,
    hands: Vec<Vec<Card>>,
    deals: BTreeMap<Outcome, u64>,
    tried: u64,
}

impl<'p> Search<'p> {
    fn new(position: &'p Position) -> Search<'p> {
        let (game, view) = (&position.game, position.view());
        let mut unseen: Vec<Card> = game.pack().to_vec();
        let mut see = |cards: &mut dyn Iterator<Item = Card>| {
            for card in cards {
                unseen.swap_remove(unseen.iter().position(|&other| other == card).unwrap());
            }
        };
        let mut hands = vec![Vec::new(); game.players()];
        hands[position.seat] = view.hand().iter().collect();
        for seat in 0..game.players() {
            see(&mut view.played(seat).iter());
        }
        see(&mut view.hand().iter());
        see(&mut view.kitty().iter());
        if view.table().phase() == Phase::Pass {
            see(&mut view.given().iter());
        } else if let Some(receiver) = game.receiver(&view) {
            // What was passed and not played since is there. Played cards stand for it first.
            let mut played: Vec<Card> = view.played(receiver).iter().collect();
            for card in view.given().iter() {
                match played.iter().position(|&other| other == card) {
                    Some(place) => drop(played.swap_remove(place)),
                    None => {
                        see(&mut std::iter::once(card));
                        hands[receiver].push(card);
                    }
                }
            }
        }
        let size = game.pack().len() / game.players();
        let held = |seat: usize| view.played(seat).len() + hands[seat].len();
        let mut room: Vec<usize> = (0..game.players()).map(|seat| size.saturating_sub(held(seat))).collect();
        room[position.seat] = 0;
        let kitty_room = unseen.len() - room.iter().sum::<usize>();
        Search { position, view, unseen, room, kitty_room, hands, deals: BTreeMap::new(), tried: 0 }
    }

    /// How many deals there are to try, fitting or not.
    fn size(&self) -> f64 {
        let mut left = self.unseen.len();
        let mut ways = 1.0;
        for &room in &self.room {
            for place in 0..room {
                ways *= (left - place) as f64 / (place + 1) as f64;
            }
            left -= room;
        }
        ways
    }

    fn place(&mut self, next: usize) {
        let Some(&card) = self.unseen.get(next) else {
            self.tried += 1;
            if self.has_legal_past() {
                let passes = vec![Vec::new(); self.hands.len()];
                self.pass(0, passes);
            }
            return;
        };
        for seat in 0..self.hands.len() {
            if self.room[seat] > 0 {
                self.room[seat] -= 1;
                self.hands[seat].push(card);
                self.place(next + 1);
                self.hands[seat].pop();
                self.room[seat] += 1;
            }
        }
        if self.kitty_room > 0 {
            self.kitty_room -= 1;
            self.place(next + 1);
            self.kitty_room += 1;
        }
    }

    /// Could the plays that were seen have been made from these hands? The plain implementation replays them.
    fn has_legal_past(&self) -> bool {
        if self.view.table().phase() == Phase::Pass {
            return true;
        }
        let game = &self.position.game;
        let mut order = Vec::new();
        for (seat, hand) in self.hands.iter().enumerate() {
            order.extend(hand.iter().copied().chain(self.view.played(seat).iter()));
        }
        let mut kitty = game.pack().to_vec();
        for card in &order {
            kitty.swap_remove(kitty.iter().position(|other| other == card).unwrap());
        }
        order.extend(kitty);
        // These are the hands after the pass.
        let rules = Rules { pass_count: 0, ..game.rules().clone() };
        let mut deal = reference::Deal::new(&rules, 0, self.position.standing.dealer, &order);
        if deal.opener != self.position.opener {
            return false;
        }
        for &(seat, mv) in &self.position.plays {
            if deal.turn() != Some(seat) || !deal.legal().contains(&mv) {
                return false;
            }
            deal.play(mv);
        }
        deal.turn() == self.view.table().turn()
    }

    /// Goes through all passes that fit, seat by seat of those that give.
    fn pass(&mut self, giver: Seat, passes: Vec<Vec<Card>>) {
        let game = &self.position.game;
        let table = self.view.table();
        if giver == game.players() {
            self.note(&passes);
            return;
        }
        let passing = table.phase() == Phase::Pass;
        let receiver = (giver + table.pass_to()) % game.players();
        let count = game.rules().pass_count;
        let known = match () {
            () if table.pass_to() == 0 => Some(Vec::new()),
            () if giver == self.position.seat => Some(self.view.given().iter().collect()),
            () if !passing && receiver == self.position.seat => Some(self.view.received().iter().collect()),
            () => None,
        };
        if let Some(known) = known {
            let mut passes = passes;
            passes[giver] = known;
            self.pass(giver + 1, passes);
            return;
        }
        let holder = if passing { giver } else { receiver };
        let mut hand = self.hands[holder].clone();
        hand.extend(self.view.played(holder).iter());
        hand.sort();
        let picked = if passing { self.picked(giver) } else { count };
        for chosen in (0_u32..1 << hand.len()).filter(|chosen| chosen.count_ones() as usize == count) {
            let part = (0..hand.len()).filter(|place| chosen >> place & 1 != 0).map(|place| hand[place]);
            let mut passes = passes.clone();
            passes[giver] = part.take(picked).collect();
            self.pass(giver + 1, passes);
        }
    }

    /// How many cards a seat has picked by now, as everybody can count.
    fn picked(&self, giver: Seat) -> usize {
        let (players, table) = (self.position.game.players(), self.view.table());
        let order = |seat: Seat| (seat + players - table.dealer() - 1) % players;
        let count = self.position.game.rules().pass_count;
        match order(giver).cmp(&order(table.turn().unwrap())) {
            std::cmp::Ordering::Less => count,
            std::cmp::Ordering::Equal => count - table.picks_left(),
            std::cmp::Ordering::Greater => 0,
        }
    }

    fn note(&mut self, passes: &[Vec<Card>]) {
        let bag = |cards: &[Card]| -> Bag { cards.iter().copied().collect() };
        let mut outcome = Outcome::new();
        for (seat, pass) in passes.iter().enumerate() {
            let mut hand = bag(&self.hands[seat]);
            if self.view.table().phase() == Phase::Pass && seat != self.position.seat {
                hand.remove_all(&bag(pass));
            }
            outcome.extend(bits(&hand));
            outcome.extend(bits(&bag(pass)));
        }
        *self.deals.entry(outcome).or_insert(0) += 1;
    }
}

/// χ² and its degrees of freedom for samples of a position's worlds against all deals that fit.
fn compare(position: &Position, deals: &BTreeMap<Outcome, u64>, dice: &mut QuickDice) -> (f64, f64) {
    let mut worlds = position.game.worlds(&position.view());
    let samples = 40 * deals.len();
    let mut counts: BTreeMap<Outcome, u64> = deals.keys().map(|outcome| (outcome.clone(), 0)).collect();
    for _ in 0..samples {
        let world = worlds.sample(dice);
        let count = counts.get_mut(&outcome_of(position, &world));
        *count.unwrap_or_else(|| panic!("{:?}\n{world:?} fits no more", position.game.rules())) += 1;
    }
    let whole: u64 = deals.values().sum();
    let chi_square = deals.iter().map(|(outcome, &weight)| {
        let expected = samples as f64 * weight as f64 / whole as f64;
        (counts[outcome] as f64 - expected).powi(2) / expected
    });
    (chi_square.sum(), (deals.len() - 1) as f64)
}

/// The kinds of knowledge that a position tests.
fn kinds(position: &Position) -> [bool; 10] {
    let (game, view) = (&position.game, position.view());
    let table = view.table();
    let unseen = game.unseen(&view);
    let queen = CardSet::of("QS".parse().unwrap());
    let two: Card = "2C".parse().unwrap();
    let points = Suit::Hearts.cards() | queen;
    let lacks = |set: CardSet| {
        position.others().any(|seat| game.cards_held(table, seat) > 0 && table.cannot_hold(seat) == set)
    };
    let some_void = position.others().any(|seat| !(table.cannot_hold(seat) & unseen.faces()).is_empty());
    let holder = table.two_of_clubs_holder().filter(|&holder| holder != position.seat);
    [
        table.phase() == Phase::Pass
            && position.others().any(|seat| !game.view(&position.state, seat).given().is_empty()),
        table.pass_to() > 0 && table.phase() == Phase::Play,
        !game.still_with_receiver(&view).is_empty(),
        game.receiver(&view).is_some() && game.still_with_receiver(&view).len() < view.given().len(),
        some_void,
        holder.is_some() && unseen.count(two) == 2,
        lacks(!points),
        lacks(!Suit::Hearts.cards()),
        !unseen.plane(1).is_empty() && some_void,
        !view.kitty().is_empty(),
    ]
}

#[test]
fn every_deal_that_fits_a_view_is_drawn_as_often_as_every_other() {
    let mut dice = QuickDice::new(0x776f_726c, 1);
    let mut seen = [0; 10];
    let (mut total, mut freedom) = (0.0, 0.0);
    let mut positions = 0;
    while positions < 600 {
        let position = small_position(&mut dice);
        let mut search = Search::new(&position);
        if search.size() > 1000.0 {
            continue;
        }
        search.place(0);
        let deals = search.deals;
        if deals.len() < 2 || deals.len() > 300 {
            assert!(!deals.is_empty(), "{:?}: not even the real deal fits", position.state);
            continue;
        }
        let (chi_square, degrees) = compare(&position, &deals, &mut dice);
        // Far beyond the 99.99 % point for any number of degrees.
        let most = degrees + 5.0 * (2.0 * degrees).sqrt() + 20.0;
        assert!(
            chi_square < most,
            "{chi_square} > {most}: {:?}\n{:?}",
            position.game.rules(),
            position.state
        );
        total += chi_square;
        freedom += degrees;
        positions += 1;
        kinds(&position).iter().zip(&mut seen).for_each(|(&has, count)| *count += u32::from(has));
    }
    assert!((total - freedom).abs() < 4.0 * (2.0 * freedom).sqrt(), "χ² {total} for {freedom}");
    assert!(seen.iter().all(|&count| count >= 5), "a kind of knowledge is hardly tested: {seen:?}");
}
