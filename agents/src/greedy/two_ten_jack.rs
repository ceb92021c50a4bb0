//! Two-ten-jack by the points that a card is expected to bring now and later.
//!
//! Every card has two values: what comes of playing it, and what it is worth *kept*. The card for which the first
//! exceeds the second most is played. All is in points of margin, what one seat gains and the other does not.
//!
//! - To a lead it is known who wins, so playing brings the points of the trick to one side or the other.
//! - A lead is answered by a card that is not seen. The unseen cards that can answer fall into six groups: those that
//!   win and those that lose the trick, each with points above, at and below zero. The other seat is taken to play from
//!   the group that it likes best among those that it holds, and it holds a card with the chance that its hand has
//!   among the unseen cards; less if it has lately shown that it is void. If it cannot follow it trumps or discards.
//! - A card kept is worth what its rank wins, what it may catch in its suit or is in danger of catching, and what its
//!   own points will bring or cost.
//! - After the stock is used up the other hand is known, and the last tricks are played out exactly.

use dealt_engine::two_ten_jack::{AS_SPADE, AS_TRUMP, Declaration, Lead, SPADE_ACE, TRUMPS, View};
use dealt_engine::{Card, CardSet, Game, Move, Moves, Suit, TwoTenJack};

use crate::endgame::two_ten_jack::{Ending, Goal};
use crate::{GreedyGame, weights};

weights! {
    /// What `greedy` goes by in two-ten-jack; in points of margin unless something else is said.
    pub struct TwoTenJackWeights {
        /// Worth of keeping a trump, whatever its rank.
        pub trump: f64 = 1.4, 0.0..=20.0;
        /// Worth of keeping a trump in proportion to the share of unseen trumps below it.
        pub trump_rank: f64 = 0.0, -10.0..=10.0;
        /// Share of a trump's worth that is gained when a lead makes the other seat play one.
        pub pull: f64 = 2.3, 0.0..=3.0;
        /// Further worth of keeping the ace of spades.
        pub ace: f64 = 0.6, -10.0..=20.0;
        /// Worth of keeping a plain card in proportion to the share of unseen cards of its suit below it.
        pub plain_rank: f64 = 0.1, -10.0..=10.0;
        /// Share of the points still unseen in a suit that its highest card is expected to catch.
        pub catch: f64 = 0.03, -1.0..=1.0;
        /// Share of its own points that a plain card is expected to bring (if highest) or cost (if lowest) when kept.
        pub plain_points: f64 = 0.5, 0.0..=1.5;
        /// Share of its own points that the lowest trump is expected to bring when kept; the highest brings all.
        pub ruff: f64 = 0.5, -1.0..=1.0;
        /// Worth of having no card left of a plain suit, with a trump in hand.
        pub void: f64 = 1.2, -5.0..=5.0;
        /// Worth of being the next to lead.
        pub tempo: f64 = -0.1, -5.0..=5.0;
        /// Share of what is kept for its rank that is left when the stock is used up.
        pub late: f64 = 0.2, 0.0..=2.0;
        /// Points in a trick above which the other seat is expected to want it at the cost of a better card.
        pub reach: f64 = 0.5, 0.0..=10.0;
        /// How far a shown void lowers the chance that the other seat holds the suit: 0 not at all, 1 as far as it has
        /// not drawn since.
        pub void_trust: f64 = 0.8, 0.0..=1.0;
        /// Worth of declaring the ace of spades a spade, trump being what is asked for otherwise.
        pub spade: f64 = 0.0, -5.0..=5.0;
        /// The most cards in each hand at which the rest of the deal is played out exactly.
        pub endgame: f64 = 6.0, 0.0..=8.0;
    }
}

impl GreedyGame for TwoTenJack {
    type Weights = TwoTenJackWeights;

    fn greedy(&self, weights: &TwoTenJackWeights, view: &View, legal: Moves) -> Move {
        if view.hand().len() as f64 <= weights.endgame
            && let Some(ending) = Ending::of_view(self, view)
        {
            return ending.best(Goal::Margin).0;
        }
        let hold = Hold::new(self, weights, view);
        let table = view.table();
        match table.lead() {
            Some(_) if legal.has(AS_TRUMP) => {
                let answers = Answers::new(&hold, view);
                best_of(legal, |mv| answers.lead(SPADE_ACE, declared(mv)))
            }
            Some(lead) => {
                let asked = self.asked(table);
                best_of(legal, |mv| mv.as_card().map_or(0.0, |card| hold.reply(lead, asked, card)))
            }
            None => {
                let answers = Answers::new(&hold, view);
                // Of cards that are as good as each other the highest is enough.
                let leads = unlike(self, legal.cards(), hold.unseen);
                best_of(leads.into(), |mv| mv.as_card().map_or(0.0, |card| answers.best_lead(card)))
            }
        }
    }
}

/// The first of the moves that no other exceeds in value.
fn best_of(legal: Moves, value: impl Fn(Move) -> f64) -> Move {
    let mut moves = legal.into_iter();
    let first = moves.next().expect("a decision has moves");
    let best = (first, value(first));
    let better = |best: (Move, f64), mv| {
        let value = value(mv);
        if value > best.1 { (mv, value) } else { best }
    };
    moves.fold(best, better).0
}

fn declared(mv: Move) -> Option<Declaration> {
    Some(if mv == AS_SPADE { Declaration::Spade } else { Declaration::Trump })
}

/// What cards are worth kept in hand.
struct Hold<'v> {
    game: &'v TwoTenJack,
    weights: &'v TwoTenJackWeights,
    hand: CardSet,
    unseen: CardSet,
    /// Cards in the stock.
    stock: usize,
    /// How much of what is kept for its rank counts at this stage.
    pace: f64,
    /// For each suit the points of its unseen cards.
    points_out: [i32; 4],
}

impl<'v> Hold<'v> {
    fn new(game: &'v TwoTenJack, weights: &'v TwoTenJackWeights, view: &View) -> Hold<'v> {
        let unseen = view.unseen();
        let stock = game.stock_size(view.table());
        let left = stock as f64 / (2 * game.stock_tricks()).max(1) as f64;
        let mut points_out = [0; 4];
        for card in unseen & (game.plus() | game.minus()) {
            points_out[card.suit() as usize] += game.worth(card);
        }
        let pace = weights.late + (1.0 - weights.late) * left;
        Hold { game, weights, hand: view.hand(), unseen, stock, pace, points_out }
    }

    /// What playing a card to a lead is worth.
    fn reply(&self, lead: Card, asked: Lead, card: Card) -> f64 {
        let stake = f64::from(self.game.worth(lead) + self.game.worth(card)) + self.weights.tempo;
        let brings = if asked.beats.has(card) { stake } else { -stake };
        brings - self.kept(card)
    }

    /// What a card is worth kept in hand.
    fn kept(&self, card: Card) -> f64 {
        let weights = self.weights;
        let is_trump = TRUMPS.has(card);
        let (suit, cards) =
            if is_trump { (Suit::Hearts, TRUMPS) } else { (card.suit(), card.suit().cards()) };
        let power = self.power(card, cards);
        let points = f64::from(self.game.worth(card));
        let catch = weights.catch * power * f64::from(self.points_out[suit as usize]);
        if is_trump {
            let ace = if card == SPADE_ACE { weights.ace } else { 0.0 };
            let rank = weights.trump + weights.trump_rank * power + ace;
            self.pace * rank + catch + points * (weights.ruff + (1.0 - weights.ruff) * power)
        } else {
            let is_last = (self.hand & cards) == CardSet::of(card) && !(self.hand & TRUMPS).is_empty();
            let rank = weights.plain_rank * power - if is_last { weights.void } else { 0.0 };
            self.pace * rank + catch + weights.plain_points * points * (2.0 * power - 1.0)
        }
    }

    /// The share of the unseen cards of a suit that are below a card.
    fn power(&self, card: Card, suit: CardSet) -> f64 {
        let out = self.unseen & suit;
        let above = out & self.game.lead(card, None, false).beats;
        if out.is_empty() { 1.0 } else { 1.0 - above.len() as f64 / out.len() as f64 }
    }
}

/// The most cards of one suit, or trumps.
const MOST: usize = 14;

/// How leads are answered.
struct Answers<'v> {
    hold: &'v Hold<'v>,
    /// For each suit the chance that of so many unseen cards the other seat holds none.
    none: [[f64; MOST + 1]; 4],
    /// For each suit the points of an unseen card above, at and below zero; those of a suit mostly have the same.
    points: [[f64; 3]; 4],
}

impl<'v> Answers<'v> {
    fn new(hold: &'v Hold<'v>, view: &View) -> Answers<'v> {
        let unseen = hold.unseen.len();
        let share = (unseen - hold.stock) as f64 / unseen as f64;
        let shares = if hold.stock == 0 { [1.0; 4] } else { shares(hold, view, share) };
        let mut none = [[1.0; MOST + 1]; 4];
        for (none, share) in none.iter_mut().zip(shares) {
            for count in 1..=MOST {
                none[count] = none[count - 1] * (1.0 - share);
            }
        }
        let points = Suit::ALL.map(|suit| {
            let one_of = |cards: CardSet| {
                let card = (hold.unseen & suit.cards() & cards).lowest();
                card.map_or(0.0, |card| f64::from(hold.game.worth(card)))
            };
            [one_of(hold.game.plus()), 0.0, one_of(hold.game.minus())]
        });
        Answers { hold, none, points }
    }

    /// The chance that the other seat holds none of these cards of a suit.
    fn none(&self, suit: Suit, cards: CardSet) -> f64 {
        self.none[suit as usize][cards.len().min(MOST)]
    }

    /// What leading a card is worth; the ace of spades as it is better declared.
    fn best_lead(&self, card: Card) -> f64 {
        let value = self.lead(card, Some(Declaration::Trump));
        if card == SPADE_ACE { value.max(self.lead(card, Some(Declaration::Spade))) } else { value }
    }

    /// What leading a card is worth.
    fn lead(&self, card: Card, declaration: Option<Declaration>) -> f64 {
        let hold = self.hold;
        let lead = hold.game.lead(card, declaration, hold.stock > 0);
        let is_spade = card == SPADE_ACE && declaration == Some(Declaration::Spade);
        let suit = if TRUMPS.has(card) && !is_spade { Suit::Hearts } else { card.suit() };
        let stake = f64::from(hold.game.worth(card)) + hold.weights.tempo;
        let following = hold.unseen & lead.follow;
        let void = self.none(suit, following);
        let mut value = self.followed(suit, lead, following, stake);
        if suit == Suit::Hearts {
            value += (1.0 - void) * self.pulled();
        }
        if void > 0.0 {
            value += void
                * if suit == Suit::Hearts { self.discarded(lead, stake) } else { self.trumped(lead, stake) };
        }
        value - hold.kept(card) + if is_spade { hold.weights.spade } else { 0.0 }
    }

    /// What the other seat's following brings, times the chance that it can.
    fn followed(&self, suit: Suit, lead: Lead, cards: CardSet, stake: f64) -> f64 {
        // Winning cards with points above, at and below zero, then losing ones; from the most liked to the least.
        const AVOIDS: [usize; 6] = [5, 4, 3, 0, 1, 2];
        const EITHER: [usize; 6] = [5, 0, 4, 1, 3, 2];
        const WANTS: [usize; 6] = [0, 1, 5, 4, 2, 3];
        let hold = self.hold;
        let wants = stake > hold.weights.reach;
        let (wins, loses) = (cards & lead.beats, cards - lead.beats);
        let (plus, minus) = (cards & hold.game.plus(), cards & hold.game.minus());
        if (plus | minus).is_empty() {
            let (no_win, no_loss) = (self.none(suit, wins), self.none(suit, loses));
            let won = if wants { 1.0 - no_win } else { no_loss * (1.0 - no_win) };
            return stake * (1.0 - no_win * no_loss - 2.0 * won);
        }
        let split = |cards: CardSet| [cards & plus, cards - plus - minus, cards & minus];
        let ([a, b, c], [d, e, f]) = (split(wins), split(loses));
        let groups = [a, b, c, d, e, f];
        let points = self.points[suit as usize];
        let mut value = 0.0;
        let mut left = 1.0;
        for group in if wants {
            WANTS
        } else if stake < 0.0 {
            AVOIDS
        } else {
            EITHER
        } {
            let still = left * self.none(suit, groups[group]);
            let brings = stake + points[group % 3];
            value += (left - still) * if group < 3 { -brings } else { brings };
            left = still;
        }
        value
    }

    /// What the answer of a seat that cannot follow a plain suit brings.
    fn trumped(&self, lead: Lead, stake: f64) -> f64 {
        let trumps = self.hold.unseen & TRUMPS & lead.beats;
        let plus = trumps & self.hold.game.plus();
        let no_trump = self.none(Suit::Hearts, trumps);
        let trumped = stake + (1.0 - self.none(Suit::Hearts, plus)) * self.points[Suit::Hearts as usize][0];
        let discarded = if no_trump > 0.0 { no_trump * self.discarded(lead, stake) } else { 0.0 };
        discarded - (1.0 - no_trump) * (trumped - self.pulled())
    }

    /// What it is worth that the other seat plays a trump.
    fn pulled(&self) -> f64 {
        let weights = self.hold.weights;
        self.hold.pace * weights.pull * weights.trump
    }

    /// What the discard of a seat that can neither follow nor trump brings.
    fn discarded(&self, lead: Lead, stake: f64) -> f64 {
        let minus = self.hold.unseen & (self.hold.game.minus() - lead.follow - TRUMPS);
        minus.lowest().map_or(stake, |card| {
            let suit = card.suit();
            stake + (1.0 - self.none(suit, minus)) * self.points[suit as usize][2]
        })
    }
}

/// For each suit the chance that the other seat holds a given unseen card: `share`, less where it has shown a void and
/// has not drawn often since.
fn shares(hold: &Hold<'_>, view: &View, share: f64) -> [f64; 4] {
    let (game, weights) = (hold.game, hold.weights);
    let table = view.table();
    let size = game.rules().hand_size;
    let tricks = table.played().len() / 2;
    let mut shares = [share; 4];
    let mut known = CardSet::EMPTY;
    for trick in table.tricks().rev().take(size) {
        let denied = if trick.leader == game.seat(view) { game.denied(&trick) } else { CardSet::EMPTY };
        if denied.is_subset(known) {
            continue;
        }
        // One card drawn after this trick and each one since can be of a denied suit.
        let drawn = (tricks - trick.number + 1) as f64;
        let factor = 1.0 - weights.void_trust * (1.0 - drawn / size as f64).max(0.0);
        for suit in Suit::ALL {
            let lowest = suit.cards().lowest().map_or(CardSet::EMPTY, CardSet::of);
            if !(lowest & (denied - known)).is_empty() {
                shares[suit as usize] = share * factor;
            }
        }
        known |= denied;
    }
    shares
}

/// The cards of some that are not as good as the next higher one: between two of a suit with the same points no card of
/// the other hand lies.
fn unlike(game: &TwoTenJack, cards: CardSet, other: CardSet) -> CardSet {
    let same = cards - game.plus() - game.minus() - CardSet::of(SPADE_ACE);
    let mut unlike = cards;
    let mut lower: Option<Card> = None;
    for card in same {
        if let Some(lower) = lower
            && lower.suit() == card.suit()
            && (CardSet::from_bits((1 << card.index()) - (1 << lower.index())) & other).is_empty()
        {
            unlike -= CardSet::of(lower);
        }
        lower = Some(card);
    }
    unlike
}
