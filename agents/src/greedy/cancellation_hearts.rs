//! Cancellation hearts by the points that a card is expected to cost, now and if it is kept.
//!
//! Every card has a price for playing it and a *danger* in keeping it; the card for which danger less price is greatest
//! is played. Both are in points.
//!
//! - The price is the chance that the card takes the trick times what the trick then holds: what lies in it and in void
//!   tricks set aside, the kitty while it is to be had, what those will throw in who are out of the suit.
//! - A card takes the trick unless a seat still to play has a higher one and plays it, or its like, which cancels it. A
//!   card under the one that wins so far can only win if that one is cancelled.
//! - The danger of a card grows with the share of the unseen cards of its suit that are lower, and shrinks with the
//!   number of lower cards in hand to duck with. Queens of spades, higher spades while a queen is out, and hearts have
//!   dangers of their own.
//! - A pass gives away what is most dangerous and what empties a suit.
//! - If one seat has taken all points so far and they are many, a point taken from it is worth a part of the moon, and
//!   so is a point not thrown to it. If the seat itself has, and holds hardly a card that can lose a trick, it plays
//!   to win them all.
//! - Who has shot the moon adds it to the others' scores if that wins the game or it leads already, and otherwise
//!   subtracts it from its own.

use dealt_engine::cancellation_hearts::{
    CancellationHeartsView as View, Cards, FirstTrickDiscard, Moon, POINT_CARDS, Phase, QUEEN,
};
use dealt_engine::{CancellationHearts, Card, CardSet, Game, Move, Moves, Seat, Suit};

use super::GreedyGame;
use crate::weights;

weights! {
    /// What `greedy` goes by in cancellation hearts; in points unless something else is said.
    pub struct CancellationHeartsWeights {
        /// How readily a seat plays over a card, as a part of its cards that could.
        pub over: f64 = 0.8, 0.0..=2.0;
        /// How readily a seat plays the like of a card, as a part of its cards that could.
        pub twin: f64 = 0.8, 0.0..=2.0;
        /// What a seat that is out of the suit throws in, as a multiple of what its cards hold on average.
        pub throw: f64 = 2.56, 0.0..=5.0;
        /// What taking a trick costs besides its points.
        pub tempo: f64 = 0.9, -5.0..=5.0;
        /// What the kitty holds, as a multiple of what its cards hold on average.
        pub kitty: f64 = 1.0, 0.0..=5.0;
        /// Danger of a card above all unseen ones of its suit.
        pub high: f64 = 3.0, 0.0..=20.0;
        /// How much one lower card of the suit in hand lessens the danger of a card.
        pub guard: f64 = 0.18, 0.0..=5.0;
        /// Danger of the queen of spades without another spade.
        pub queen: f64 = 7.2, 0.0..=30.0;
        /// How much one other spade in hand lessens the danger of the queen.
        pub queen_guard: f64 = 1.229, 0.0..=5.0;
        /// Danger of the king and ace of spades while a queen is out.
        pub over_queen: f64 = 3.0, 0.0..=20.0;
        /// Danger of any heart.
        pub heart: f64 = 0.1, -5.0..=5.0;
        /// Worth of playing the last card of a suit.
        pub void: f64 = 0.8, -5.0..=10.0;
        /// Worth of leading a spade below the queen while one is out and none above her is in hand.
        pub flush: f64 = 1.6, -5.0..=10.0;
        /// Worth of passing a card of a short suit, for every card that the suit is shorter than the pass.
        pub pass_short: f64 = 1.0, -5.0..=10.0;
        /// How many spades below the queen make her safe to keep in a pass.
        pub pass_guards: f64 = 4.0, 0.0..=13.0;
        /// Share of all points that one seat must have, nobody else having any, to be taken to shoot the moon.
        pub alarm: f64 = 0.64, 0.0..=1.0;
        /// Worth of keeping the moon from such a seat, as a part of what it would cost.
        pub stop: f64 = 0.05, 0.0..=2.0;
        /// The most cards that may lose a trick in a hand that is played for the moon.
        pub shoot: f64 = 3.0, -1.0..=13.0;
    }
}

impl GreedyGame for CancellationHearts {
    type Weights = CancellationHeartsWeights;

    fn greedy(&self, weights: &CancellationHeartsWeights, view: &View, legal: Moves) -> Move {
        match view.table().phase() {
            Phase::Pass => pass(self, weights, view, legal),
            Phase::Moon | Phase::Over => claim(self, view),
            Phase::Play => {
                let mind = Mind::new(self, weights, view);
                let shooting = mind.shoots();
                best(legal.cards(), |card| if shooting { mind.conquest(card) } else { mind.worth(card) })
            }
        }
    }
}

/// The best card, the lowest of equals.
fn best(cards: CardSet, worth: impl Fn(Card) -> f64) -> Move {
    let mut best = (f64::NEG_INFINITY, None);
    for card in cards {
        let worth = worth(card);
        if worth > best.0 {
            best = (worth, Some(card));
        }
    }
    best.1.map_or(Move::word(0), Move::card)
}

const SPADES: CardSet = Suit::Spades.cards();
const OVER_QUEEN: CardSet = CardSet::from_bits(3 << (QUEEN.index() + 1));

/// The cards of a card's suit that are lower.
fn below(card: Card) -> CardSet {
    CardSet::from_bits((1 << card.index()) - 1) & card.suit().cards()
}

/// The cards of a card's suit that are higher.
fn above(card: Card) -> CardSet {
    card.suit().cards() - below(card) - CardSet::of(card)
}

/// The choice of the seat that has shot the moon.
fn claim(game: &CancellationHearts, view: &View) -> Move {
    let (subtract, add) = (Move::word(0), Move::word(1));
    let table = view.table();
    let rules = game.rules();
    let me = view.seat();
    let total = |seat: Seat| table.total(seat) + table.captured(seat).bonus();
    let mine = total(me) + game.bonus_in(&view.kitty());
    let others = || (0..game.players()).filter(|&seat| seat != me).map(total);
    let (lowest, highest) = (others().min().unwrap_or(0), others().max().unwrap_or(0));
    let ends = rules.deals == 0 && highest + rules.moon_value >= rules.target;
    let leads = mine <= lowest;
    let wins = mine <= lowest + rules.moon_value;
    if if ends { wins } else { leads } { add } else { subtract }
}

/// Picks the lowest of the cards that are best passed.
fn pass(game: &CancellationHearts, weights: &CancellationHeartsWeights, view: &View, legal: Moves) -> Move {
    let mut whole = view.hand();
    whole.insert_all(&view.given());
    let need = view.table().picks_left();
    let unseen = game.unseen(view);
    let low_spades = whole.count_in(below(QUEEN));
    let keeps_queen = low_spades as f64 >= weights.pass_guards;
    let length = Suit::ALL.map(|suit| whole.count_in(suit.cards()));
    let worth = |card: Card| -> f64 {
        let suit = card.suit();
        let short = (game.rules().pass_count as f64 + 1.0 - length[suit as usize] as f64).max(0.0);
        let high = weights.high * share_below(card, &unseen);
        let guards = whole.count_in(below(card)) as f64;
        let base = high / (1.0 + weights.guard * guards) + game.points_of(card) as f64 * weights.heart;
        if suit == Suit::Spades {
            if keeps_queen || card < QUEEN {
                return if card < QUEEN { -weights.high } else { base };
            }
            return base + if card == QUEEN { weights.queen } else { weights.over_queen };
        }
        base + weights.pass_short * short
    };
    let mut picks = Cards::EMPTY;
    let lowest = legal.cards().lowest().map_or(0, Card::index);
    let reachable = CardSet::from_bits(u64::MAX << lowest);
    let mut rest = view.hand().restrict(reachable);
    for _ in 0..need {
        if let Some(card) = best(rest.faces(), worth).as_card() {
            rest.remove(card);
            picks.insert(card);
        }
    }
    picks.faces().lowest().map_or(Move::word(0), Move::card)
}

/// The share of the unseen cards of a card's suit that are lower.
fn share_below(card: Card, unseen: &Cards) -> f64 {
    let lower = unseen.count_in(below(card)) as f64;
    (lower + 0.5) / (unseen.count_in(card.suit().cards()) as f64 + 1.0)
}

/// What a seat that is to play a card thinks of the position.
struct Mind<'m> {
    game: &'m CancellationHearts,
    weights: &'m CancellationHeartsWeights,
    view: &'m View,
    hand: Cards,
    unseen: Cards,
    /// The points in an unseen card, on average.
    average: f64,
    /// What the winner of the trick takes, but for the card that is played and those to come.
    stake: f64,
    /// Seats still to play after this one.
    to_come: usize,
    /// How likely an unseen card of a suit that a seat has not shown to lack is missing there.
    missing: [f64; 4],
    /// A seat that seems to shoot the moon.
    shooter: Option<Seat>,
}

impl<'m> Mind<'m> {
    fn new(game: &'m CancellationHearts, weights: &'m CancellationHeartsWeights, view: &'m View) -> Mind<'m> {
        let table = view.table();
        let unseen = game.unseen(view);
        let count = unseen.len().max(1) as f64;
        let average = f64::from(game.points_in(&unseen)) / count;
        let kitty_waits = table.kitty_taker().is_none() && game.takes_kitty_first();
        let kitty = if kitty_waits { game.kitty_size() as f64 * average * weights.kitty } else { 0.0 };
        let stake = f64::from(game.points_in(&table.trick().cards()) + table.aside().points()) + kitty;
        let to_come = game.players() - 1 - table.trick().len();
        let held = view.hand().len() as f64;
        let missing = Suit::ALL.map(|suit| {
            // A hand of n cards has on average x of the suit, and none with a chance of about e⁻ˣ.
            let x = held * unseen.count_in(suit.cards()) as f64 / count;
            1.0 / (1.0 + x + 0.5 * x * x + x * x * x / 6.0)
        });
        let mut mind = Mind {
            game,
            weights,
            view,
            hand: view.hand(),
            unseen,
            average,
            stake,
            to_come,
            missing,
            shooter: None,
        };
        mind.shooter = mind.find_shooter();
        mind
    }

    fn is_lead(&self) -> bool {
        self.view.table().trick().is_empty()
    }

    /// The seat that alone has points, if they are many.
    fn find_shooter(&self) -> Option<Seat> {
        if self.game.rules().moon == Moon::Off {
            return None;
        }
        let table = self.view.table();
        let mut alone = None;
        for seat in 0..self.game.players() {
            if table.captured(seat).moon_points() > 0 && alone.replace(seat).is_some() {
                return None;
            }
        }
        let alarm = self.weights.alarm * f64::from(self.game.moon_cards().moon_points());
        alone.filter(|&seat| f64::from(table.captured(seat).moon_points()) >= alarm)
    }

    /// What is gained by playing the card, and by being rid of it.
    fn worth(&self, card: Card) -> f64 {
        let table = self.view.table();
        let suit = table.trick().suit().unwrap_or(card.suit());
        let last = self.hand.count_in(card.suit().cards()) == 1;
        let gain = self.danger(card) + if last { self.weights.void } else { 0.0 };
        if suit != card.suit() {
            return gain - self.gift(card);
        }
        let takes = self.chance_to_take(card);
        let flush = if self.flushes(card) { self.weights.flush } else { 0.0 };
        gain + flush - takes * self.price(card, suit) - (1.0 - takes) * self.gift(card)
    }

    /// What it costs to take the trick with this card.
    fn price(&self, card: Card, suit: Suit) -> f64 {
        let points = self.stake + f64::from(self.game.points_of(card)) + self.thrown(suit);
        let stops = self.shooter.is_some_and(|shooter| shooter != self.view.seat());
        let saved = if stops && points > 0.5 { self.moon_cost() } else { 0.0 };
        points + self.weights.tempo - saved
    }

    /// What it costs to throw the points of this card to a seat that seems to shoot the moon.
    fn gift(&self, card: Card) -> f64 {
        let winning = self.game.winning(self.view.table());
        let feeds = self.shooter.is_some() && winning == self.shooter && POINT_CARDS.has(card);
        if feeds { self.moon_cost() } else { 0.0 }
    }

    fn moon_cost(&self) -> f64 {
        self.weights.stop * f64::from(self.game.rules().moon_value)
    }

    /// The points that seats still to play are expected to add to a trick of this suit.
    fn thrown(&self, suit: Suit) -> f64 {
        let following = match suit {
            Suit::Hearts => 1.0,
            Suit::Spades => {
                let queens = self.unseen.count(QUEEN) as f64;
                13.0 * queens / (self.unseen.count_in(SPADES) as f64 + 1.0)
            }
            Suit::Clubs | Suit::Diamonds => 0.0,
        };
        let spared = self.view.table().tricks() == 0
            && self.game.rules().first_trick_discard == FirstTrickDiscard::NoPointsUnlessForced;
        let thrown = if spared { 0.0 } else { self.average * self.weights.throw };
        let (open, void) = self.followers(suit);
        let missing = self.missing[suit as usize];
        void * thrown + open * (missing * thrown + (1.0 - missing) * following)
    }

    /// How many of the seats still to play may have the suit, and how many have not.
    fn followers(&self, suit: Suit) -> (f64, f64) {
        let table = self.view.table();
        let cards = suit.cards() & self.unseen.faces();
        let mut seat = self.view.seat();
        let mut void = 0;
        for _ in 0..self.to_come {
            seat = if seat + 1 == self.game.players() { 0 } else { seat + 1 };
            void += usize::from(cards.is_subset(table.cannot_hold(seat)));
        }
        ((self.to_come - void) as f64, void as f64)
    }

    /// How likely the card takes the trick, if it is of the suit led.
    fn chance_to_take(&self, card: Card) -> f64 {
        let suit = card.suit().cards();
        let mut trick = self.view.table().trick().cards();
        trick.insert(card);
        let standing = self.game.uncancelled(&trick) & suit;
        if !standing.has(card) {
            return 0.0;
        }
        let (open, _) = self.followers(card.suit());
        let holds = 1.0 - self.missing[card.suit() as usize];
        let size = self.unseen.count_in(suit).max(1) as f64;
        let twins = if self.game.rules().decks > 1 { self.unseen.count(card) as f64 } else { 0.0 };
        let mut stays = 1.0;
        match standing.highest() {
            Some(highest) if highest != card => {
                // Only if the cards above it are cancelled.
                for rival in standing & above(card) {
                    let like = self.weights.twin * self.unseen.count(rival) as f64 / size;
                    stays *= (open * holds * like).min(1.0);
                }
            }
            _ => {
                let higher = self.unseen.count_in(above(card)) as f64;
                let beaten = holds * (self.weights.over * higher + self.weights.twin * twins) / size;
                let stays_once = (1.0 - beaten).max(0.0);
                for _ in 0..open as usize {
                    stays *= stays_once;
                }
            }
        }
        stays
    }

    /// What it is worth to be rid of the card.
    fn danger(&self, card: Card) -> f64 {
        let guards = self.hand.count_in(below(card)) as f64;
        let high = self.weights.high * share_below(card, &self.unseen) / (1.0 + self.weights.guard * guards);
        let points = f64::from(self.game.points_of(card));
        if card.suit() == Suit::Spades {
            let others = (self.hand.count_in(SPADES) - 1) as f64;
            let exposed = 1.0 / (1.0 + self.weights.queen_guard * others);
            if card == QUEEN {
                return high + self.weights.queen * exposed;
            }
            if OVER_QUEEN.has(card) && self.unseen.has(QUEEN) {
                return high + self.weights.over_queen * exposed;
            }
        }
        high + self.weights.heart * points
    }

    /// Whether leading the card may drive out a queen of spades.
    fn flushes(&self, card: Card) -> bool {
        self.is_lead()
            && card.suit() == Suit::Spades
            && card < QUEEN
            && self.unseen.has(QUEEN)
            && (self.hand.faces() & (OVER_QUEEN | CardSet::of(QUEEN))).is_empty()
    }

    /// Whether to play for the moon: nobody else has a point, and hardly a card in hand can lose a trick.
    fn shoots(&self) -> bool {
        let table = self.view.table();
        let me = self.view.seat();
        if self.game.rules().moon == Moon::Off || self.game.kitty_is_lost() {
            return false;
        }
        let mine = table.captured(me).moon_points();
        if (0..self.game.players()).any(|seat| seat != me && table.captured(seat).moon_points() > 0) {
            return false;
        }
        (mine > 0 || self.is_lead()) && self.losers() <= self.weights.shoot
    }

    /// How many cards in hand may lose a trick that they lead, after the higher ones have been led.
    fn losers(&self) -> f64 {
        let mut losers = 0;
        for suit in Suit::ALL {
            let cards = self.hand.faces() & suit.cards();
            let against = self.unseen.count_in(suit.cards());
            let mut led = 0;
            for card in cards {
                let higher = self.unseen.count_in(above(card)) + self.unseen.count(card);
                let drawn = self.hand.count_in(above(card));
                led = led.max(drawn);
                // Higher leads draw the cards of the others, two or so at a time.
                losers += usize::from(higher > 0 && against > 2 * drawn) * self.hand.count(card);
            }
        }
        losers as f64
    }

    /// How well a card serves to win everything.
    fn conquest(&self, card: Card) -> f64 {
        let suit = self.view.table().trick().suit().unwrap_or(card.suit());
        if suit != card.suit() {
            return -self.danger(card) - f64::from(self.game.points_of(card));
        }
        let takes = self.chance_to_take(card);
        100.0 * takes - card.rank().index() as f64 * if self.is_lead() { -1.0 } else { 1.0 }
    }
}
