//! Cancellation Hearts: tricks to be avoided, two packs, and identical cards that cancel each other.
//!
//! The files, each building on those before it:
//!
//! - `rules`: the options
//! - `table`: what every seat sees, shared by positions and views
//! - `play`: dealing, passing, leading, following, winning
//! - `score`: points, the moon, events
//! - `view`: what one seat knows
//! - `facts`: the same as plain values
//! - `worlds`: the deals that fit it
//! - `audit`: the slow check of a position, and its description
//!
//! Where the rules leave a case open, this is what is played:
//!
//! - When nobody holds the `2C` that is to be led, the seat left of the dealer leads as in `left_of_dealer`, and so
//!   everybody knows that nobody holds one.
//! - *Points* in `first_lead_points` and `first_trick_discard` are hearts and `QS`, whatever `bonus_cards` says; and a
//!   discard is a card of another suit than the one led, so a `QS` may follow spades on the first trick.
//! - `first_lead_points` lifts rule 4 alone: a heart still has to wait for rule 10.
//! - Under `same_rank_and_colour` and `same_rank` the nearest relatives cancel first: identical cards, then cards of one
//!   rank and colour, then cards of one rank. So what is left depends on the cards and not on their order.
//! - Under `leader_takes` the leader of a void trick takes it, but has not won it: the kitty waits. The leader leads
//!   again whatever `void_trick_lead` says.
//! - The moon needs every heart and every `QS` that `remove` leaves in the pack, those in the kitty included, and at
//!   least one such card.
//! - Bonus cards count on top of the points of a heart or `QS`, and also in a deal in which the moon was shot.

mod audit;
mod facts;
mod play;
mod rules;
mod score;
mod table;
mod view;
mod worlds;

use serde_json::{Map, Value};

use crate::game::PerSeat;
use crate::{
    Bag, Card, CardSet, EventInfo, Game, Layout, MAX_EVENTS, Move, Moves, Preset, RuleError, Seat, Standing,
    Stock,
};

pub use rules::{
    Across, Cancellation, CancellationHeartsRules, FirstLead, FirstTrickDiscard, Kitty, LastVoidTrick, Moon,
    PassTo, VoidTrick, VoidTrickLead,
};
pub use table::{Cards, POINT_CARDS, Phase, QUEEN, Table, Tally, Trick};
pub use view::CancellationHeartsView;
pub use worlds::CancellationHeartsWorlds;

/// The game of cancellation hearts under given rules.
///
/// ```
/// use dealt_engine::{CancellationHearts, CancellationHeartsRules, Game, Pack, QuickDice};
/// let game = CancellationHearts::new(CancellationHeartsRules::default())?;
/// assert_eq!(game.pack().len(), 104);
/// let mut pack = Pack::new(game.pack(), QuickDice::new(1, 0));
/// let state = game.deal(&game.start(5), &mut pack);
/// // Six players get 17 cards each, and two are left for the kitty. Seat 0 is the first to pick its pass.
/// assert_eq!(game.hand(&state, 0).len(), 17);
/// assert_eq!(pack.rest().len(), 2);
/// assert_eq!(game.turn(&state), Some(0));
/// # Ok::<(), dealt_engine::RuleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CancellationHearts {
    rules: CancellationHeartsRules,
    first_dealer: Option<Seat>,
    players: u8,
    hand: u8,
    pass_count: u8,
    /// The seat to the left of each. A turn goes there for every card, so that looking it up shows.
    left_of: [u8; 16],
    /// The pack, as a list and as a bag.
    pack: Vec<Card>,
    cards: Cards,
    /// Seats to the left to which each deal of the cycle passes; 0 for no pass.
    passes: Vec<u8>,
    /// The cards that break hearts.
    breakers: CardSet,
    /// What a moon takes: the hearts and queens of the pack.
    moon: Tally,
    bonus_cards: CardSet,
    bonus: [i32; Card::COUNT],
}

/// A position of a deal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CancellationHeartsState {
    table: Table,
    hands: PerSeat<Cards>,
    /// The hands with which the tricks began, after the pass; empty before. What is no more in hand has been played.
    began: PerSeat<Cards>,
    /// What each seat has picked for its pass.
    passed: PerSeat<Cards>,
    kitty: Cards,
}

impl CancellationHeartsState {
    /// What every seat sees.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The cards that a seat has played.
    fn played(&self, seat: Seat) -> Cards {
        let mut played = self.began[seat];
        if self.table.phase != Phase::Pass {
            played.remove_all(&self.hands[seat]);
        }
        played
    }
}

impl CancellationHearts {
    /// The seat to the left.
    #[inline]
    fn left(&self, seat: u8) -> u8 {
        self.left_of[seat as usize & 0xf]
    }

    /// The seat `offset` places to the left, `offset` being below the number of players.
    #[inline]
    fn seat_at(&self, seat: u8, offset: u8) -> u8 {
        let sum = seat + offset;
        if sum >= self.players { sum - self.players } else { sum }
    }

    /// How many cards the kitty has.
    #[must_use]
    pub fn kitty_size(&self) -> usize {
        self.pack.len() - self.players() * self.hand as usize
    }
}

impl Game for CancellationHearts {
    const NAME: &'static str = "cancellation-hearts";
    const ABOUT: &'static str = "tricks to be avoided, with two packs and cards that cancel each other";
    const PLAYERS: (usize, usize) = (3, 11);
    const LOWEST_WINS: bool = true;
    const WORDS: &'static [&'static str] = &["moon-subtract", "moon-add"];
    const REST: &'static str = "kitty";
    const EVENTS: &'static [EventInfo] = score::EVENTS;
    const PRESETS: &'static [Preset] = &[rules::HEARTS];

    type Rules = CancellationHeartsRules;
    type State = CancellationHeartsState;
    type View = CancellationHeartsView;
    type Worlds = CancellationHeartsWorlds;

    fn new(rules: CancellationHeartsRules) -> Result<Self, RuleError> {
        rules.check()?;
        let mut cards = Cards::copies(CardSet::ALL, rules.decks);
        rules.remove.iter().for_each(|&card| cards.remove(card));
        let offset = |pass: &PassTo| match *pass {
            PassTo::Seats(seats) => seats.rem_euclid(rules.players as i32) as u8,
            PassTo::Across(_) => (rules.players / 2) as u8,
        };
        let mut bonus = [0; Card::COUNT];
        rules.bonus_cards.iter().for_each(|(card, &points)| bonus[card.index()] = points);
        let queen = CardSet::of(table::QUEEN);
        Ok(CancellationHearts {
            first_dealer: rules.first_dealer.seat(rules.players)?,
            players: rules.players as u8,
            hand: rules.hand_size() as u8,
            pass_count: rules.pass_count as u8,
            left_of: std::array::from_fn(|seat| if seat + 1 < rules.players { seat as u8 + 1 } else { 0 }),
            pack: cards.iter().collect(),
            cards,
            passes: rules.pass_cycle.iter().map(offset).collect(),
            breakers: table::HEARTS | if rules.queen_breaks_hearts { queen } else { CardSet::EMPTY },
            moon: Tally::new(cards.count_in(table::HEARTS), cards.count(table::QUEEN), 0, 0),
            bonus_cards: rules.bonus_cards.keys().copied().collect(),
            bonus,
            rules,
        })
    }

    fn rules(&self) -> &CancellationHeartsRules {
        &self.rules
    }

    #[inline]
    fn players(&self) -> usize {
        self.players as usize
    }

    fn first_dealer(&self) -> Option<Seat> {
        self.first_dealer
    }

    fn pack(&self) -> &[Card] {
        &self.pack
    }

    fn layout(&self, _: &Standing) -> Layout {
        Layout { hand: self.hand as usize, upcard: false }
    }

    #[inline]
    fn deal<S: Stock>(&self, standing: &Standing, stock: &mut S) -> CancellationHeartsState {
        self.deal_cards(standing, stock)
    }

    #[inline]
    fn turn(&self, state: &CancellationHeartsState) -> Option<Seat> {
        state.table.turn()
    }

    #[inline]
    fn legal_moves(&self, state: &CancellationHeartsState) -> Moves {
        let seat = state.table.turn as usize;
        self.legal(&state.table, &state.hands[seat], &state.passed[seat])
    }

    #[inline]
    fn play_unchecked<S: Stock>(&self, state: &mut CancellationHeartsState, mv: Move, _: &mut S) {
        self.step(state, mv);
    }

    #[inline]
    fn is_hidden(&self, state: &CancellationHeartsState) -> bool {
        state.table.phase == Phase::Pass
    }

    fn scores(&self, state: &CancellationHeartsState) -> PerSeat<i32> {
        self.score(state)
    }

    fn events(&self, state: &CancellationHeartsState) -> [Option<i32>; MAX_EVENTS] {
        self.count_events(state)
    }

    fn after(&self, standing: &Standing, state: &CancellationHeartsState) -> Standing {
        let mut after = *standing;
        after.deals += 1;
        after.dealer = self.left(standing.dealer as u8) as Seat;
        let scores = self.score(state);
        after.totals.iter_mut().zip(scores).for_each(|(total, score)| *total += score);
        after.capped |= after.deals >= self.rules.max_deals && !self.is_decided(&after);
        after
    }

    fn is_over(&self, standing: &Standing) -> bool {
        self.is_decided(standing) || standing.deals >= self.rules.max_deals
    }

    #[inline]
    fn view(&self, state: &CancellationHeartsState, seat: Seat) -> CancellationHeartsView {
        self.seen_by(state, seat)
    }

    fn seat(&self, view: &CancellationHeartsView) -> Seat {
        view.seat()
    }

    fn facts(&self, view: &CancellationHeartsView) -> Map<String, Value> {
        self.facts_of(view)
    }

    #[inline]
    fn legal_moves_in_view(&self, view: &CancellationHeartsView) -> Moves {
        if view.table().turn() == Some(view.seat()) {
            self.legal(view.table(), &view.hand(), &view.given())
        } else {
            Moves::EMPTY
        }
    }

    fn worlds(&self, view: &CancellationHeartsView) -> CancellationHeartsWorlds {
        CancellationHeartsWorlds::new(self, view, true)
    }

    fn worlds_despite_voids(&self, view: &CancellationHeartsView) -> CancellationHeartsWorlds {
        CancellationHeartsWorlds::new(self, view, false)
    }

    fn hand(&self, state: &CancellationHeartsState, seat: Seat) -> Bag {
        state.hands[seat].resize()
    }

    fn laid_aside(&self, state: &CancellationHeartsState, seat: Seat) -> Bag {
        if state.table.phase == Phase::Pass { state.passed[seat].resize() } else { Bag::EMPTY }
    }

    fn rest(&self, state: &CancellationHeartsState) -> Bag {
        state.kitty.resize()
    }

    fn audit(&self, state: &CancellationHeartsState) -> Result<(), String> {
        self.check_state(state)
    }

    fn describe(&self, state: &CancellationHeartsState) -> String {
        self.description(state)
    }
}
