//! Two-Ten-Jack: a trick-taking game for two with hearts as trumps, an ace of spades that is above them all, and a
//! stock to draw from.
//!
//! A deal is 26 tricks of two cards, so a position is three sets (two hands and the stock) and what is public: the
//! cards played, in order. The rules are compiled into one table with a line for every card that can be led, the ace of
//! spades having two. A line says which cards follow and which win, so playing a card is a few words' worth of bit
//! operations whatever the options are.
//!
//! A game ends when a total has reached the target and the totals differ, or after a fixed number of deals; then the
//! target plays no part.

mod audit;
mod facts;
mod lead;
mod position;
mod rules;
mod ways;
mod worlds;

pub use lead::Lead;
pub use position::{Declaration, State, Table, Trick, View};
pub use rules::{FollowWhileStock, SpadeAce, SpadeAceFollow, TargetCheck, TwoTenJackRules};
pub use worlds::Worlds;

use position::{ACE_AS_SPADE, NOBODY, NOTHING, UNDECLARED};
use serde_json::{Map, Value};

use crate::{
    Bag, Card, CardBag, CardSet, EventInfo, Game, Layout, MAX_EVENTS, Move, Moves, PerSeat, Preset, Rank,
    RuleError, Seat, Standing, Stock, Suit,
};

/// The highest trump, and a spade.
pub const SPADE_ACE: Card = Card::new(Rank::ACE, Suit::Spades);
/// The move that declares the ace of spades trump.
pub const AS_TRUMP: Move = Move::word(0);
/// The move that declares the ace of spades a spade.
pub const AS_SPADE: Move = Move::word(1);
/// The hearts and the ace of spades.
pub const TRUMPS: CardSet = CardSet::from_bits(Suit::Hearts.cards().bits() | CardSet::of(SPADE_ACE).bits());

/// Tricks in a deal.
const TRICKS: usize = 26;

/// Two-Ten-Jack under given rules.
///
/// ```
/// use dealt_engine::{Game, TwoTenJack, TwoTenJackRules};
/// let game = TwoTenJack::new(TwoTenJackRules::default())?;
/// assert_eq!(game.worth("TH".parse().unwrap()), 5);
/// # Ok::<(), dealt_engine::RuleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TwoTenJack {
    rules: TwoTenJackRules,
    pack: Vec<Card>,
    /// What each led card asks for, while the stock lasts and afterwards.
    leads: lead::Leads,
    /// What each led or played card scores.
    points: [i32; 64],
    /// The cards that score more than nothing, and less.
    plus: CardSet,
    minus: CardSet,
    /// The trumps, if a follower who cannot follow must play one.
    duty: CardSet,
    /// The ace of spades, if it may be kept while another card would be legal without it.
    spared: CardSet,
    /// Cards played when the last of the stock is drawn.
    stock_plays: u8,
    /// The total at which a deal stops; out of reach unless the target is checked at every capture.
    stop: i32,
}

impl TwoTenJack {
    /// What the card scores for its captor.
    #[inline]
    #[must_use]
    pub fn worth(&self, card: Card) -> i32 {
        self.points[card.index()]
    }

    /// The cards that score for their captor.
    #[inline]
    #[must_use]
    pub fn plus(&self) -> CardSet {
        self.plus
    }

    /// The cards that cost their captor points.
    #[inline]
    #[must_use]
    pub fn minus(&self) -> CardSet {
        self.minus
    }

    /// What a card asks for when it is led; the ace of spades as it is declared, trump if nothing is said.
    #[inline]
    #[must_use]
    pub fn lead(&self, card: Card, declaration: Option<Declaration>, stock_lasts: bool) -> Lead {
        let is_spade = card == SPADE_ACE && declaration == Some(Declaration::Spade);
        let line = if is_spade { usize::from(ACE_AS_SPADE) } else { card.index() };
        self.leads[usize::from(!stock_lasts)][line]
    }

    /// What is asked for by the trick that is going on; of the leader, nothing.
    #[inline]
    #[must_use]
    pub fn asked(&self, table: &Table) -> Lead {
        self.leads[usize::from(table.plays >= self.stock_plays)][usize::from(table.led & 63)]
    }

    /// The cards of a hand that may be played to a lead.
    #[inline]
    #[must_use]
    pub fn replies(&self, lead: Lead, hand: CardSet) -> CardSet {
        let forced = self.forced(lead.follow, hand);
        if (hand & self.spared).is_empty() {
            return forced;
        }
        // The ace may be played where the strict rule lets it, and may be kept where something else could be.
        self.forced(lead.follow, hand - self.spared) | forced & self.spared
    }

    /// The cards that a follower who cannot follow must play one of: the trumps, or none if there is no such duty.
    #[inline]
    #[must_use]
    pub fn duty(&self) -> CardSet {
        self.duty
    }

    /// The cards that never have to be played while another would be legal without them.
    #[inline]
    #[must_use]
    pub fn spared(&self) -> CardSet {
        self.spared
    }

    /// The total at which a capture stops the deal, where the target is checked at every capture.
    #[inline]
    #[must_use]
    pub fn stop(&self) -> Option<i32> {
        (self.stop < i32::MAX).then_some(self.stop)
    }

    /// Both hands, by seat, once the stock is used up: then the cards unseen are the other hand.
    #[must_use]
    pub fn known_hands(&self, view: &View) -> Option<[CardSet; 2]> {
        let hands = [view.hand, view.unseen];
        let known = self.stock_size(&view.table) == 0;
        known.then_some(if view.seat == 0 { hands } else { [hands[1], hands[0]] })
    }

    /// How many tricks are played while the stock lasts.
    #[must_use]
    pub fn stock_tricks(&self) -> usize {
        TRICKS - self.rules.hand_size
    }

    /// Cards left in the stock.
    #[must_use]
    pub fn stock_size(&self, table: &Table) -> usize {
        2 * (self.stock_tricks() - self.draws(table))
    }

    /// How many cards each seat has drawn. A capture that stops the deal is not followed by draws.
    #[must_use]
    pub fn draws(&self, table: &Table) -> usize {
        let tricks = usize::from(table.plays / 2);
        let stopped = table.mover == NOBODY && tricks < TRICKS;
        (tricks - usize::from(stopped)).min(self.stock_tricks())
    }

    /// Who won a trick; `None` as long as it is not complete.
    #[inline]
    #[must_use]
    pub fn winner(&self, trick: &Trick) -> Option<Seat> {
        let reply_wins = self.leads[0][usize::from(trick.led & 63)].beats.has(trick.reply?);
        Some(if reply_wins { 1 - trick.leader } else { trick.leader })
    }

    /// The cards that whoever played `trick.reply` cannot have held then, or the rules would have forbidden it.
    #[inline]
    #[must_use]
    pub fn denied(&self, trick: &Trick) -> CardSet {
        let Some(reply) = trick.reply else { return CardSet::EMPTY };
        let after_stock = usize::from(trick.number > self.stock_tricks());
        let follow = self.leads[after_stock][usize::from(trick.led & 63)].follow;
        if follow.has(reply) {
            CardSet::EMPTY
        } else if self.duty.has(reply) {
            follow - self.spared
        } else {
            (follow | self.duty) - self.spared
        }
    }

    /// The legal moves of whoever is to move with this hand.
    #[inline]
    fn legal(&self, table: &Table, hand: CardSet) -> Moves {
        if table.led == UNDECLARED {
            return Moves::of(AS_TRUMP) | Moves::of(AS_SPADE);
        }
        if table.led == NOTHING {
            return hand.into();
        }
        self.replies(self.asked(table), hand).into()
    }

    /// What must be played as long as no card is spared: a card that follows, else a trump, else any.
    #[inline]
    fn forced(&self, follow: CardSet, hand: CardSet) -> CardSet {
        let following = hand & follow;
        let trumps = hand & self.duty;
        if !following.is_empty() {
            following
        } else if !trumps.is_empty() {
            trumps
        } else {
            hand
        }
    }

    /// The last card of a trick has been played by `seat`: the capture, the draws, the end.
    #[inline]
    fn finish_trick<S: Stock>(&self, state: &mut State, seat: Seat, card: Card, stock: &mut S) {
        let table = &mut state.table;
        let led = usize::from(table.led & 63);
        let lead = &self.leads[1][led];
        let wins = lead.beats.has(card);
        let winner = (seat ^ usize::from(!wins)) & 1;
        let trick = (table.plays / 2 - 1) & 31;
        table.won |= u32::from(wins) << trick;
        table.strayed |= u32::from(!lead.follow.has(card)) << trick;
        table.trumped |= u32::from(TRUMPS.has(card)) << trick;
        table.scores[winner] += self.points[led] + self.points[card.index()];
        table.led = NOTHING;
        table.mover = winner as u8;
        if table.totals[winner] + table.scores[winner] >= self.stop {
            table.mover = NOBODY;
        } else if table.plays <= self.stock_plays {
            for drawer in [winner, winner ^ 1] {
                let card = CardSet::of(stock.draw(&CardBag::<1>::from(state.stock)));
                state.stock -= card;
                state.hands[drawer] |= card;
            }
        } else if usize::from(table.plays) == 2 * TRICKS {
            table.mover = NOBODY;
        }
    }

    /// Whether the totals end the game by its rules, guards apart.
    fn is_decided(&self, standing: &Standing) -> bool {
        let [first, second] = [standing.totals[0], standing.totals[1]];
        match self.rules.deals {
            0 => first.max(second) >= self.rules.target && first != second,
            deals => standing.deals >= deals,
        }
    }
}

/// Whoever led the ace of spades says what it is.
#[cold]
fn declare(table: &mut Table, mv: Move) {
    let trump = mv == AS_TRUMP;
    table.declaration = Some(if trump { Declaration::Trump } else { Declaration::Spade });
    table.led = if trump { SPADE_ACE.index() as u8 } else { ACE_AS_SPADE };
    table.mover ^= 1;
}

impl Game for TwoTenJack {
    const NAME: &'static str = "two-ten-jack";
    const ABOUT: &'static str = "two players, tricks with a stock, hearts trump and AS above them";
    const PLAYERS: (usize, usize) = (2, 2);
    const LOWEST_WINS: bool = false;
    const WORDS: &'static [&'static str] = &["as-trump", "as-spade"];
    const REST: &'static str = "stock";
    const EVENTS: &'static [EventInfo] = &[
        EventInfo { name: "turns", about: "tricks played" },
        EventInfo { name: "trumped_tricks", about: "tricks won with a trump that did not follow" },
        EventInfo { name: "discards", about: "tricks where the follower neither followed suit nor trumped" },
        EventInfo { name: "leader_wins", about: "tricks won by the leader" },
        EventInfo { name: "ace_declared_trump", about: "share of the leads of AS that made it a trump" },
        EventInfo {
            name: "endgame_margin",
            about: "points by which one seat did better after the stock was used up",
        },
    ];
    const PRESETS: &'static [Preset] = &[];

    type Rules = TwoTenJackRules;
    type State = State;
    type View = View;
    type Worlds = Worlds;

    fn new(rules: TwoTenJackRules) -> Result<TwoTenJack, RuleError> {
        rules.check()?;
        let mut points = [0; 64];
        for (card, &worth) in &rules.points {
            points[card.index()] = worth;
        }
        points[usize::from(ACE_AS_SPADE)] = points[SPADE_ACE.index()];
        let scoring = |sign| Card::all().filter(|card| points[card.index()].signum() == sign).collect();
        let (plus, minus) = (scoring(1), scoring(-1));
        let immediate = rules.target_check == TargetCheck::Immediate && rules.deals == 0;
        Ok(TwoTenJack {
            pack: Card::all().collect(),
            leads: lead::compile(&rules),
            points,
            plus,
            minus,
            duty: if rules.must_trump_when_void { TRUMPS } else { CardSet::EMPTY },
            spared: match rules.spade_ace_follow {
                SpadeAceFollow::Forced => CardSet::EMPTY,
                SpadeAceFollow::Optional => CardSet::of(SPADE_ACE),
            },
            stock_plays: 2 * (TRICKS - rules.hand_size) as u8,
            stop: if immediate { rules.target } else { i32::MAX },
            rules,
        })
    }

    fn rules(&self) -> &TwoTenJackRules {
        &self.rules
    }

    fn players(&self) -> usize {
        2
    }

    fn first_dealer(&self) -> Option<Seat> {
        self.rules.first_dealer.seat(2).unwrap_or(None)
    }

    fn pack(&self) -> &[Card] {
        &self.pack
    }

    fn layout(&self, _: &Standing) -> Layout {
        Layout { hand: self.rules.hand_size, upcard: false }
    }

    #[inline]
    fn deal<S: Stock>(&self, standing: &Standing, stock: &mut S) -> State {
        let mut left = CardSet::ALL;
        let mut hands = [CardSet::EMPTY; 2];
        for hand in &mut hands {
            for _ in 0..self.rules.hand_size {
                let card = CardSet::of(stock.draw(&CardBag::<1>::from(left)));
                left -= card;
                *hand |= card;
            }
        }
        let totals = [standing.totals[0], standing.totals[1]];
        State { hands, stock: left, table: Table::new(totals, (standing.dealer + 1) % 2) }
    }

    #[inline]
    fn turn(&self, state: &State) -> Option<Seat> {
        state.table.turn()
    }

    #[inline]
    fn legal_moves(&self, state: &State) -> Moves {
        self.legal(&state.table, state.hands[Seat::from(state.table.mover & 1)])
    }

    #[inline]
    fn play_unchecked<S: Stock>(&self, state: &mut State, mv: Move, stock: &mut S) {
        let table = &mut state.table;
        let seat = Seat::from(table.mover & 1);
        let Some(card) = mv.as_card() else {
            declare(table, mv);
            return;
        };
        state.hands[seat] -= CardSet::of(card);
        table.played[usize::from(table.plays)] = card;
        table.plays += 1;
        if table.led != NOTHING {
            self.finish_trick(state, seat, card, stock);
        } else if card == SPADE_ACE {
            table.led = UNDECLARED;
        } else {
            table.led = card.index() as u8;
            table.mover ^= 1;
        }
    }

    fn scores(&self, state: &State) -> PerSeat<i32> {
        let mut scores = [0; crate::MAX_PLAYERS];
        scores[..2].copy_from_slice(&state.table.scores);
        scores
    }

    fn events(&self, state: &State) -> [Option<i32>; MAX_EVENTS] {
        let table = &state.table;
        let turns = i32::from(table.plays / 2);
        let count = |tricks: u32| Some(tricks.count_ones() as i32);
        let endgame = table.tricks().skip(self.stock_tricks()).map(|trick| {
            let points = self.worth(trick.lead) + trick.reply.map_or(0, |reply| self.worth(reply));
            if self.winner(&trick) == Some(0) { points } else { -points }
        });
        let mut events = [None; MAX_EVENTS];
        events[0] = Some(turns);
        events[1] = count(table.won & table.strayed & table.trumped);
        events[2] = count(table.strayed & !table.trumped);
        events[3] = Some(turns - table.won.count_ones() as i32);
        events[4] = table.declaration.map(|declared| i32::from(declared == Declaration::Trump));
        events[5] = Some(endgame.sum::<i32>().abs());
        events
    }

    fn after(&self, standing: &Standing, state: &State) -> Standing {
        let mut after =
            Standing { deals: standing.deals + 1, dealer: (standing.dealer + 1) % 2, ..*standing };
        for (total, score) in after.totals.iter_mut().zip(state.table.scores) {
            *total += score;
        }
        after.capped |= after.deals >= self.rules.max_deals && !self.is_decided(&after);
        after
    }

    fn is_over(&self, standing: &Standing) -> bool {
        self.is_decided(standing) || standing.deals >= self.rules.max_deals
    }

    #[inline]
    fn view(&self, state: &State, seat: Seat) -> View {
        View {
            seat: seat as u8,
            hand: state.hands[seat & 1],
            unseen: state.hands[seat & 1 ^ 1] | state.stock,
            table: state.table,
        }
    }

    fn seat(&self, view: &View) -> Seat {
        Seat::from(view.seat)
    }

    fn facts(&self, view: &View) -> Map<String, Value> {
        self.facts_of(view)
    }

    #[inline]
    fn legal_moves_in_view(&self, view: &View) -> Moves {
        if view.table.mover == view.seat { self.legal(&view.table, view.hand) } else { Moves::EMPTY }
    }

    #[inline]
    fn worlds(&self, view: &View) -> Worlds {
        Worlds::new(self, view, true)
    }

    fn worlds_despite_voids(&self, view: &View) -> Worlds {
        Worlds::new(self, view, false)
    }

    fn hand(&self, state: &State, seat: Seat) -> Bag {
        state.hands[seat].into()
    }

    fn rest(&self, state: &State) -> Bag {
        state.stock.into()
    }

    fn audit(&self, state: &State) -> Result<(), String> {
        audit::audit(self, state)
    }

    fn describe(&self, state: &State) -> String {
        let table = &state.table;
        let lead = match (table.lead(), table.led) {
            (None, _) => "nothing led".to_owned(),
            (Some(lead), ACE_AS_SPADE) => format!("{lead} led as a spade"),
            (Some(lead), _) if lead == SPADE_ACE && table.led != UNDECLARED => format!("{lead} led as trump"),
            (Some(lead), _) => format!("{lead} led"),
        };
        let [first, second] = table.scores;
        format!("{lead}, {} in the stock, points {first} and {second}", state.stock.len())
    }
}
