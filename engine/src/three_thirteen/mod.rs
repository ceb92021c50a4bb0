//! Three Thirteen: a rummy for two to eight, in which the rank that is wild rises with the size of the hand.
//!
//! A round is a deal. Whoever is to move draws, then discards a card or goes out; going out is a word, and the card
//! discarded in going out a move of its own. Where the rules are silent this is how it is played here:
//!
//! - Whoever goes out lays the melds down, so that hand is public from the word on.
//! - A last turn is a turn like any other: it too can end in going out, which earns nobody a further turn.
//! - A card taken from the discards that may not be discarded may not be discarded in going out either.
//! - When players go out without a discard so few cards can be left that there is none to draw: such a turn is skipped.
//! - The guard on turns breaks a round off only while nobody is out, for then the end is near anyhow.
//!
//! The files, each building on those before it: `rules` the options; `sources` and `public` what everybody knows;
//! `state` a position and how cards move in it; `play` the turns; `view` what one seat knows; `facts` the same as plain
//! values; `worlds` the deals that fit
//! it; `events` what a round counts; `audit` the slow check.

mod audit;
mod events;
mod facts;
mod play;
mod public;
mod rules;
mod sources;
mod state;
#[cfg(test)]
mod uniform;
mod view;
mod worlds;

use serde_json::{Map, Value};

use crate::meld::{MeldLimits, MeldRules};
use crate::{
    Bag, Card, CardSet, EventInfo, Game, Layout, MAX_EVENTS, MAX_PLAYERS, Move, Moves, PerSeat, Preset, Rank,
    RuleError, Seat, Standing, Stock,
};
use play::WayFinder;

pub use public::Public;
pub use rules::{Decks, LastTurn, RetakeDiscard, ThreeThirteenRules};
pub use sources::{Doubt, Source, Sources};
pub use state::State;
pub use view::View;
pub use worlds::ThreeThirteenWorlds;

/// The most players.
const MOST: usize = 8;

/// The words of the game, as indices of [`Game::WORDS`].
mod word {
    use crate::Move;
    pub(super) const DRAW_STOCK: Move = Move::word(0);
    pub(super) const DRAW_DISCARD: Move = Move::word(1);
    pub(super) const GO_OUT: Move = Move::word(2);
    pub(super) const GO_OUT_ALL: Move = Move::word(3);
}

/// Three Thirteen with its rules compiled.
#[derive(Clone, Debug)]
pub struct ThreeThirteen {
    rules: ThreeThirteenRules,
    first_dealer: Option<Seat>,
    pack: Vec<Card>,
    /// How hands of `n` cards are melded, at index `n − 3`.
    melds: Vec<MeldRules>,
    /// How hands of `n` cards go out, at index `n − 3`.
    finders: Vec<WayFinder>,
}

/// What the player to move must do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Draw a card.
    Draw,
    /// Discard a card, or say that this is going out.
    Discard,
    /// Discard the card that leaves everything melded.
    GoOut,
    /// Nothing: the round is over.
    Over,
}

/// The ways in which the player to move can go out.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct WaysOut {
    /// The faces whose discard leaves all other cards melded.
    pub discards: CardSet,
    /// Whether all cards are melded as they are, where the rules ask for no discard.
    pub without_discard: bool,
}

impl ThreeThirteen {
    /// The rules of melding for hands of `size` cards.
    ///
    /// # Panics
    /// If no hand has that size: it is 3 to 13.
    #[must_use]
    pub fn meld_rules(&self, size: usize) -> &MeldRules {
        &self.melds[size - usize::from(rules::HAND.0)]
    }

    /// The rules of melding in the round that a position is of.
    fn melds(&self, public: &Public) -> &MeldRules {
        &self.melds[usize::from(public.hand_size - rules::HAND.0)]
    }

    fn way_finder(&self, public: &Public) -> &WayFinder {
        &self.finders[usize::from(public.hand_size - rules::HAND.0)]
    }

    fn decks(&self) -> usize {
        self.rules.decks.number(self.rules.players)
    }

    /// The deadwood of each hand: what it would score if the round ended now.
    #[must_use]
    pub fn deadwood(&self, state: &State) -> PerSeat<i32> {
        let melds = self.melds(&state.public);
        let mut deadwood = [0; MAX_PLAYERS];
        for (total, hand) in deadwood.iter_mut().zip(&state.hands[..self.rules.players]) {
            *total = melds.deadwood(hand);
        }
        deadwood
    }
}

impl Game for ThreeThirteen {
    const NAME: &'static str = "three-thirteen";
    const ABOUT: &'static str =
        "a rummy of eleven rounds with rising hands and wild ranks; the lowest total wins";
    const PLAYERS: (usize, usize) = (2, MOST);
    const LOWEST_WINS: bool = true;
    const WORDS: &'static [&'static str] = &["draw-stock", "draw-discard", "go-out", "go-out-all"];
    const REST: &'static str = "stock";
    const EVENTS: &'static [EventInfo] = events::EVENTS;
    const PRESETS: &'static [Preset] = &[];

    type Rules = ThreeThirteenRules;
    type State = State;
    type View = View;
    type Worlds = ThreeThirteenWorlds;

    fn new(rules: ThreeThirteenRules) -> Result<Self, RuleError> {
        rules.check()?;
        let limits = MeldLimits {
            ace: rules.ace,
            ace_penalty: rules.ace_penalty(),
            max_wilds_per_meld: rules.max_wilds_per_meld,
            min_naturals_per_meld: rules.min_naturals_per_meld,
            wild_penalty: rules.wild_penalty,
        };
        let wild = |size| Rank::new(size - 2).expect("the threes to the kings");
        let sizes = || rules::HAND.0..=rules::HAND.1;
        let melds = sizes().map(|size| MeldRules::new(wild(size), &limits)).collect();
        let finders = sizes().map(|size| WayFinder::new(wild(size), &limits, &rules)).collect();
        let first_dealer = rules.first_dealer.seat(rules.players)?;
        let decks = rules.decks.number(rules.players);
        let pack = Bag::copies(CardSet::ALL, decks).iter().collect();
        Ok(ThreeThirteen { rules, first_dealer, pack, melds, finders })
    }

    fn rules(&self) -> &ThreeThirteenRules {
        &self.rules
    }

    fn players(&self) -> usize {
        self.rules.players
    }

    fn first_dealer(&self) -> Option<Seat> {
        self.first_dealer
    }

    fn pack(&self) -> &[Card] {
        &self.pack
    }

    fn layout(&self, standing: &Standing) -> Layout {
        Layout { hand: usize::from(self.rules.rounds[standing.deals as usize]), upcard: true }
    }

    fn deal<S: Stock>(&self, standing: &Standing, stock: &mut S) -> State {
        self.deal_round(standing, stock)
    }

    fn turn(&self, state: &State) -> Option<Seat> {
        state.public.turn(self.rules.players)
    }

    fn legal_moves(&self, state: &State) -> Moves {
        match state.public.turn(self.rules.players) {
            Some(seat) => self.legal(&state.public, &state.hands[seat], &state.ways_out),
            None => Moves::EMPTY,
        }
    }

    fn play_unchecked<S: Stock>(&self, state: &mut State, mv: Move, stock: &mut S) {
        self.make(state, mv, stock);
    }

    fn rebuilds_stock(&self, state: &State, mv: Move) -> bool {
        mv == word::DRAW_STOCK && state.stock.is_empty()
    }

    fn scores(&self, state: &State) -> PerSeat<i32> {
        if state.public.phase == Phase::Over { self.deadwood(state) } else { [0; MAX_PLAYERS] }
    }

    fn capped(&self, state: &State) -> bool {
        state.public.phase == Phase::Over && state.public.first_out.is_none()
    }

    fn events(&self, state: &State) -> [Option<i32>; MAX_EVENTS] {
        self.count_events(state)
    }

    fn after(&self, standing: &Standing, state: &State) -> Standing {
        let mut after = *standing;
        after.deals += 1;
        after.dealer = (standing.dealer + 1) % self.rules.players;
        after.capped |= self.capped(state);
        for (total, score) in after.totals.iter_mut().zip(self.scores(state)) {
            *total += score;
        }
        after
    }

    fn is_over(&self, standing: &Standing) -> bool {
        standing.deals as usize >= self.rules.rounds.len()
    }

    fn view(&self, state: &State, seat: Seat) -> View {
        View::of(state, seat, self.rules.players)
    }

    fn seat(&self, view: &View) -> Seat {
        view.seat()
    }

    fn facts(&self, view: &View) -> Map<String, Value> {
        self.facts_of(view)
    }

    fn legal_moves_in_view(&self, view: &View) -> Moves {
        if view.public().turn(self.rules.players) == Some(view.seat()) {
            self.legal(view.public(), view.hand(), view.ways_out())
        } else {
            Moves::EMPTY
        }
    }

    fn worlds(&self, view: &View) -> ThreeThirteenWorlds {
        self.prepare_worlds(view)
    }

    fn hand(&self, state: &State, seat: Seat) -> Bag {
        state.hands[seat]
    }

    fn rest(&self, state: &State) -> Bag {
        state.stock
    }

    fn audit(&self, state: &State) -> Result<(), String> {
        self.check_state(state)
    }

    fn describe(&self, state: &State) -> String {
        state.public.describe()
    }
}
