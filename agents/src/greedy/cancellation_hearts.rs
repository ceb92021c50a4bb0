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
        /// Worth of passing a card of a suit that the pass can just empty; twice that if it can empty it with a card to
        /// spare, and so on.
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
    let ends = rules.deals == 0 && mine.max(highest + rules.moon_value) >= rules.target;
    let adds = if ends { mine <= lowest + rules.moon_value } else { mine <= lowest };
    if adds { add } else { subtract }
}

/// Picks the lowest of the cards that are best passed.
fn pass(game: &CancellationHearts, weights: &CancellationHeartsWeights, view: &View, legal: Moves) -> Move {
    let mut whole = view.hand();
    whole.insert_all(&view.given());
    let need = view.table().picks_left();
    let unseen = game.unseen(view);
    let queen_is_about = game.moon_cards().queens() > 0;
    let keeps_queen = whole.count_in(below(QUEEN)) as f64 >= weights.pass_guards;
    let worth = |card: Card| -> f64 {
        let guards = whole.count_in(below(card)) as f64;
        let high = weights.high * share_below(card, &unseen) / (1.0 + weights.guard * guards);
        let base = high + weights.heart * f64::from(game.points_of(card));
        match card.suit() {
            Suit::Spades if queen_is_about && card < QUEEN => -weights.high,
            Suit::Spades if queen_is_about && keeps_queen => base,
            Suit::Spades if queen_is_about => {
                base + if card == QUEEN { weights.queen } else { weights.over_queen }
            }
            suit => {
                let longer = whole.count_in(suit.cards()) as f64 - 1.0;
                base + weights.pass_short * (game.rules().pass_count as f64 - longer).max(0.0)
            }
        }
    };
    let lowest = legal.cards().lowest().map_or(0, Card::index);
    let mut rest = view.hand().restrict(CardSet::from_bits(u64::MAX << lowest));
    let mut worths = [0.0; Card::COUNT];
    rest.faces().into_iter().for_each(|card| worths[card.index()] = worth(card));
    let mut picks = CardSet::EMPTY;
    for _ in 0..need {
        if let Some(card) = best(rest.faces(), |card| worths[card.index()]).as_card() {
            rest.remove(card);
            picks |= CardSet::of(card);
        }
    }
    picks.lowest().map_or(Move::word(0), Move::card)
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
    /// What the winner of the trick takes, but for the card that is played and those to come.
    stake: f64,
    /// What to expect of the seats still to play, if the trick is of this suit.
    followers: [Followers; 4],
    /// Another seat that seems to shoot the moon, and how much it does.
    threat: Option<(Seat, f64)>,
    /// What a point thrown into the trick now costs because that seat gets it.
    feeding: f64,
}

/// What to expect of the seats still to play to a trick of some suit.
#[derive(Clone, Copy, Default)]
struct Followers {
    /// Seats that have not shown to be out of the suit.
    open: usize,
    /// How likely each of them holds the suit.
    holds: f64,
    /// The unseen cards of the suit.
    size: f64,
    /// The points that they add.
    points: f64,
}

impl<'m> Mind<'m> {
    fn new(game: &'m CancellationHearts, weights: &'m CancellationHeartsWeights, view: &'m View) -> Mind<'m> {
        let table = view.table();
        let unseen = game.unseen(view);
        let average = f64::from(game.points_in(&unseen)) / unseen.len().max(1) as f64;
        let kitty_waits = table.kitty_taker().is_none() && game.takes_kitty_first();
        let kitty = if kitty_waits { game.kitty_size() as f64 * average * weights.kitty } else { 0.0 };
        let stake = f64::from(game.points_in(&table.trick().cards()) + table.aside().points()) + kitty;
        let mut mind = Mind {
            game,
            weights,
            view,
            hand: view.hand(),
            unseen,
            stake,
            followers: [Followers::default(); 4],
            threat: None,
            feeding: 0.0,
        };
        for suit in Suit::ALL {
            let asked = table.trick().suit().is_none_or(|asked| asked == suit);
            if asked && mind.hand.count_in(suit.cards()) > 0 {
                mind.followers[suit as usize] = mind.followers_of(suit, average);
            }
        }
        mind.threat = mind.find_threat();
        if let Some((shooter, _)) = mind.threat.filter(|&(shooter, _)| game.winning(table) == Some(shooter)) {
            let missing = game.moon_cards().moon_points() - table.captured(shooter).moon_points();
            mind.feeding = mind.moon_cost() / f64::from(missing.max(1));
        }
        mind
    }

    fn followers_of(&self, suit: Suit, average: f64) -> Followers {
        let (game, table) = (self.game, self.view.table());
        let cards = self.unseen.restrict(suit.cards());
        let size = cards.len() as f64;
        let to_come = game.players() - 1 - table.trick().len();
        let mut seat = self.view.seat();
        let mut open = 0;
        for _ in 0..to_come {
            seat = if seat + 1 == game.players() { 0 } else { seat + 1 };
            open += usize::from(!cards.faces().is_subset(table.cannot_hold(seat)));
        }
        // A hand of n cards has on average x of the suit, and none with a chance of about e⁻ˣ.
        let x = self.hand.len() as f64 * size / self.unseen.len().max(1) as f64;
        let holds = 1.0 - 1.0 / (1.0 + x + 0.5 * x * x + x * x * x / 6.0);
        let spared = table.tricks() == 0
            && game.rules().first_trick_discard == FirstTrickDiscard::NoPointsUnlessForced;
        let thrown = if spared { 0.0 } else { average * self.weights.throw };
        let following = f64::from(game.points_in(&cards)) / (size + 1.0);
        let (open_seats, void_seats) = (open as f64, (to_come - open) as f64);
        let points = void_seats * thrown + open_seats * ((1.0 - holds) * thrown + holds * following);
        Followers { open, holds, size: size.max(1.0), points }
    }

    fn is_lead(&self) -> bool {
        self.view.table().trick().is_empty()
    }

    /// How much another seat looks as if it were shooting the moon, from 0 to 1: it alone has points, and many of all.
    fn find_threat(&self) -> Option<(Seat, f64)> {
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
        let seat = alone.filter(|&seat| seat != self.view.seat())?;
        let all = f64::from(self.game.moon_cards().moon_points());
        let share = f64::from(table.captured(seat).moon_points()) / all;
        let alarm = self.weights.alarm;
        (share > alarm).then(|| (seat, (share - alarm) / (1.0 - alarm)))
    }

    /// What is gained by playing the card, and by being rid of it.
    fn worth(&self, card: Card) -> f64 {
        let last = self.hand.count_in(card.suit().cards()) == 1;
        let fear = 1.0 - self.threat.map_or(0.0, |(_, threat)| threat * self.weights.stop).min(1.0);
        let gain = fear * self.danger(card) + if last { self.weights.void } else { 0.0 };
        let gift =
            if POINT_CARDS.has(card) { self.feeding * f64::from(self.game.points_of(card)) } else { 0.0 };
        if self.view.table().trick().suit().is_some_and(|suit| suit != card.suit()) {
            return gain - gift;
        }
        let takes = self.chance_to_take(card);
        let flush = if self.flushes(card) { self.weights.flush } else { 0.0 };
        gain + flush - takes * self.price(card) - (1.0 - takes) * gift
    }

    /// What it costs to take the trick with this card.
    fn price(&self, card: Card) -> f64 {
        let points = f64::from(self.game.points_of(card)) + self.followers[card.suit() as usize].points;
        let points = self.stake + points;
        let saved = if points > 0.5 { self.moon_cost() } else { 0.0 };
        points + self.weights.tempo - saved
    }

    /// What it is worth to keep the moon from a seat that seems to shoot it.
    fn moon_cost(&self) -> f64 {
        let threat = self.threat.map_or(0.0, |(_, threat)| threat);
        threat * self.weights.stop * f64::from(self.game.rules().moon_value)
    }

    /// How likely the card takes the trick, if it is of the suit led.
    fn chance_to_take(&self, card: Card) -> f64 {
        let mut trick = self.view.table().trick().cards();
        trick.insert(card);
        let standing = self.game.uncancelled(&trick) & card.suit().cards();
        if !standing.has(card) {
            return 0.0;
        }
        let Followers { open, holds, size, .. } = self.followers[card.suit() as usize];
        let rivals = standing & above(card);
        if !rivals.is_empty() {
            // Only if each of them is cancelled.
            let cancelled = |rival| self.weights.twin * holds * self.unseen.count(rival) as f64 / size;
            return rivals.into_iter().map(|rival| (open as f64 * cancelled(rival)).min(1.0)).product();
        }
        let higher = self.unseen.count_in(above(card)) as f64;
        let twins = self.unseen.count(card) as f64;
        let beaten = holds * (self.weights.over * higher + self.weights.twin * twins) / size;
        let stays = (1.0 - beaten).max(0.0);
        (0..open).fold(1.0, |all_stay, _| all_stay * stays)
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
