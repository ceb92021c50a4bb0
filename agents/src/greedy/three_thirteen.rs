//! Three Thirteen by what a hand costs now and what it may soon cost less.
//!
//! All is in points of deadwood. A hand is worth less than its deadwood by its *prospects*: for every pair of cards left
//! over that one unseen card would make a meld, what the two cost times the share of such cards among the unseen ones,
//! times the number of draws that are likely to come. That number falls as the round goes on and as the others take
//! cards, and is nothing in a last turn.
//!
//! - Of the cards that no meld needs, the one goes whose discard leaves the best hand, unless the next player is known
//!   to hold its like.
//! - The top discard is taken if the best hand with it beats the hand as it is by more than an unseen card can be
//!   expected to.
//! - Going out is never put off.
//!
//! With all weights zero what is left is: take what lowers the deadwood, keep the least of it.

use dealt_engine::meld::{Ace, MeldRules};
use dealt_engine::three_thirteen::{Phase, View};
use dealt_engine::{Bag, Card, CardSet, Game, Move, Moves, ThreeThirteen};

use super::GreedyGame;
use crate::weights;

weights! {
    /// What `greedy` goes by in three-thirteen; in points of deadwood unless something else is said.
    pub struct ThreeThirteenWeights {
        /// Draws in which a third card of a rank is looked for, at the start of a round.
        pub pair: f64 = 5.0, 0.0..=30.0;
        /// Draws in which a third card of a run is looked for, at the start of a round.
        pub run: f64 = 5.0, 0.0..=30.0;
        /// Share of the partner's penalty that counts in the prospects of a card.
        pub partner: f64 = 0.35, 0.0..=1.0;
        /// Turns after which nothing is looked for any more, in a round of no cards.
        pub length: f64 = 9.0, 0.0..=40.0;
        /// Further such turns for each card of a hand.
        pub length_per_card: f64 = 0.8, 0.0..=10.0;
        /// Turns by which each card that another player is known to hold brings the end nearer.
        pub haste: f64 = 0.3, 0.0..=5.0;
        /// Cost of discarding a card for each of its rank that the next player is known to hold.
        pub feed_rank: f64 = 2.5, 0.0..=30.0;
        /// Cost of discarding a card for each near it in its suit that the next player is known to hold.
        pub feed_run: f64 = 1.0, 0.0..=30.0;
        /// Cost of discarding a card for each of its rank that is unseen.
        pub feed_unseen: f64 = 0.05, 0.0..=5.0;
        /// Share of a hand's prospects that an unseen card is expected to fulfil.
        pub draw: f64 = 0.55, 0.0..=2.0;
        /// Multiple of the difference between the dearest card left over and a mean unseen card that is expected of one.
        pub replace: f64 = 1.6, 0.0..=5.0;
        /// What the top discard must be better by than an unseen card.
        pub margin: f64 = 0.9, -10.0..=10.0;
        /// Draws in which a third card is looked for in a last turn, for the choice between discard and stock.
        pub last_draw: f64 = 0.5, 0.0..=5.0;
        /// As `replace`, in a last turn.
        pub last_replace: f64 = 0.9, 0.0..=2.0;
    }
}

impl GreedyGame for ThreeThirteen {
    type Weights = ThreeThirteenWeights;

    fn greedy(&self, weights: &ThreeThirteenWeights, view: &View, legal: Moves) -> Move {
        let seat = Table::new(self, weights, view);
        match view.public().phase {
            Phase::Draw => seat.draw(legal),
            // The words of the game, whichever are legal, are ways to go out.
            Phase::Discard if legal != Moves::from(legal.cards()) => {
                (legal - Moves::from(legal.cards())).into_iter().last().expect("a word")
            }
            // Going out leaves nothing whatever is discarded.
            Phase::GoOut => Move::card(cheapest(legal.cards(), |card| seat.feeds(card))),
            _ => seat.discard(legal),
        }
    }
}

/// A decision, with what it needs of the view.
struct Table<'v> {
    weights: &'v ThreeThirteenWeights,
    melds: &'v MeldRules,
    hand: &'v Bag,
    top: Option<Card>,
    unseen: Bag,
    unseen_size: f64,
    /// What the next player is known to hold, if it is to have a turn.
    next_holds: Option<&'v Bag>,
    ace_is_high: bool,
    /// Whether this is the seat's last turn.
    last: bool,
    /// How much of the time for finding cards is left, from 1 to 0.
    time: f64,
}

impl<'v> Table<'v> {
    fn new(game: &'v ThreeThirteen, weights: &'v ThreeThirteenWeights, view: &'v View) -> Table<'v> {
        let public = view.public();
        let players = game.players();
        let seat = view.seat();
        let next = (seat + 1) % players;
        let mut unseen = Bag::copies(CardSet::ALL, game.pack().len() / Card::COUNT);
        unseen.remove_all(view.hand());
        unseen.remove_all(&public.discards);
        let mut shown = 0;
        for (other, known) in public.known[..players].iter().enumerate().filter(|&(other, _)| other != seat) {
            unseen.remove_all(known);
            shown = shown.max(if public.out >> other & 1 != 0 { 0 } else { known.len() });
        }
        let last = public.first_out.is_some();
        let length = weights.length + weights.length_per_card * f64::from(public.hand_size);
        let turn = f64::from(public.turns / players as u32) + weights.haste * shown as f64;
        let time = if last || turn >= length { 0.0 } else { 1.0 - turn / length };
        Table {
            weights,
            melds: game.meld_rules(usize::from(public.hand_size)),
            hand: view.hand(),
            top: public.top(),
            unseen,
            unseen_size: unseen.len().max(1) as f64,
            ace_is_high: game.rules().ace == Ace::LowOrHigh,
            next_holds: (public.out >> next & 1 == 0).then(|| &public.known[next]),
            last,
            time,
        }
    }

    /// The stock or the top discard.
    fn draw(&self, legal: Moves) -> Move {
        let mut moves = legal.into_iter();
        let (stock, discard) = (moves.next(), moves.next());
        let (Some(stock), Some(discard), Some(top)) = (stock, discard, self.top) else {
            return stock.expect("a decision has moves");
        };
        let hold = Hold::new(self, self.hand);
        let (replace, draw) = if self.last {
            (self.weights.last_replace, self.weights.last_draw)
        } else {
            (self.weights.replace, self.weights.draw * self.time)
        };
        let mean = f64::from(self.melds.sum(&self.unseen)) / self.unseen_size;
        let better = (f64::from(hold.dearest) - mean).max(0.0);
        let expected = draw * hold.prospects + replace * better + self.weights.margin;
        let now = f64::from(hold.deadwood) - self.time * hold.prospects;
        if self.best_with(top, &hold) < now - expected { discard } else { stock }
    }

    /// What the hand is worth with one card more and the best discard.
    fn best_with(&self, card: Card, now: &Hold) -> f64 {
        let hold = if self.may_meld(card) {
            let mut hand = *self.hand;
            hand.insert(card);
            Hold::new(self, &hand)
        } else {
            Hold::of(self, now.deadwood + self.melds.penalty(card), now.free | CardSet::of(card))
        };
        let deadwood = f64::from(hold.deadwood);
        let discards = hold.discards(self).map(|(_, saves)| deadwood - self.time * hold.prospects - saves);
        discards.fold(deadwood, f64::min)
    }

    /// Whether a card could be in a meld with those in the hand.
    fn may_meld(&self, card: Card) -> bool {
        let wilds = self.hand.count_in(self.melds.wild().cards());
        let mates = self.hand.count_in(card.rank().cards());
        let first = 13 * card.suit() as usize;
        let suit = places(self.hand.faces().bits() >> first & 0x1fff, self.ace_is_high);
        let has_two = |card: u64| {
            let (above, below) = (suit & card << 1 != 0, suit & card >> 1 != 0);
            let (high, low) = (suit & card << 2 != 0, suit & card >> 2 != 0);
            let partners = |one, other| usize::from(one) + usize::from(other) + wilds >= 2;
            partners(above, high) || partners(above, below) || partners(below, low)
        };
        let here = places(1 << card.rank().index(), self.ace_is_high);
        mates + wilds >= 2 || has_two(here & here.wrapping_neg()) || has_two(here & (here - 1))
    }

    /// The card that leaves the best hand.
    fn discard(&self, legal: Moves) -> Move {
        let hold = Hold::new(self, self.hand);
        let discards = hold.discards(self).filter(|&(card, _)| legal.has(Move::card(card)));
        let best = discards
            .map(|(card, saves)| (card, saves - self.feeds(card)))
            .reduce(|best, other| if other.1 > best.1 { other } else { best });
        best.map_or_else(|| self.least_deadwood(legal), |(card, _)| Move::card(card))
    }

    /// The card whose discard leaves the least deadwood.
    fn least_deadwood(&self, legal: Moves) -> Move {
        let mut after = [i32::MAX; Card::COUNT];
        self.melds.deadwood_after_each_discard(self.hand, &mut after);
        Move::card(cheapest(legal.cards(), |card| f64::from(after[card.index()]) + self.feeds(card)))
    }

    /// What a card is likely to gain with others that are left over.
    fn prospect(&self, card: Card, free: CardSet) -> f64 {
        let mates = (free & card.rank().cards()) - CardSet::of(card);
        let mut draws = 0.0;
        if !mates.is_empty() {
            draws += self.weights.pair * self.unseen.count_in(card.rank().cards()) as f64;
        }
        draws += self.weights.run * self.unseen.count_in(completions(card, free, self.ace_is_high)) as f64;
        let worth = f64::from(self.melds.penalty(card)) * (1.0 + self.weights.partner);
        draws / self.unseen_size * worth
    }

    /// What it costs that the next player may take the card.
    fn feeds(&self, card: Card) -> f64 {
        let Some(holds) = self.next_holds else { return 0.0 };
        let alike = holds.count_in(card.rank().cards()) as f64;
        let near = holds.count_in(near(card, self.ace_is_high)) as f64;
        let unseen = self.unseen.count_in(card.rank().cards()) as f64;
        self.weights.feed_rank * alike + self.weights.feed_run * near + self.weights.feed_unseen * unseen
    }
}

/// A hand and the cards of it that no meld needs.
struct Hold {
    deadwood: i32,
    free: CardSet,
    /// What each of these is likely to gain, in their order.
    gains: [f64; MeldRules::MAX_HAND],
    /// What they are likely to gain together, in the time of a whole round.
    prospects: f64,
    /// The penalty of the dearest of them.
    dearest: i32,
}

impl Hold {
    fn new(table: &Table<'_>, hand: &Bag) -> Hold {
        let (deadwood, free) = table.melds.deadwood_and_free(hand);
        Hold::of(table, deadwood, free)
    }

    fn of(table: &Table<'_>, deadwood: i32, free: CardSet) -> Hold {
        let mut hold = Hold { deadwood, free, gains: [0.0; MeldRules::MAX_HAND], prospects: 0.0, dearest: 0 };
        for (card, gain) in free.into_iter().zip(&mut hold.gains) {
            let penalty = table.melds.penalty(card);
            hold.dearest = hold.dearest.max(penalty);
            if table.time > 0.0 || table.last {
                *gain = table.prospect(card, free);
                // Each is counted with each of its partners.
                hold.prospects += 0.5 * *gain;
            }
        }
        hold
    }

    /// The cards that no meld needs, each with what its discard saves.
    fn discards(&self, table: &Table<'_>) -> impl Iterator<Item = (Card, f64)> {
        let saves = |(card, gain)| (card, f64::from(table.melds.penalty(card)) - table.time * gain);
        self.free.into_iter().zip(self.gains).map(saves)
    }
}

/// The first of the cards that no other is cheaper than.
fn cheapest(cards: CardSet, cost: impl Fn(Card) -> f64) -> Card {
    let costs = cards.into_iter().map(|card| (card, cost(card)));
    let best = costs.reduce(|best, other| if other.1 < best.1 { other } else { best });
    best.expect("a decision has moves").0
}

/// The places of a suit in a run, from bit 2: the ace, the two up to the king, and the ace again.
fn places(suit: u64, ace_is_high: bool) -> u64 {
    let ace = suit >> 12 & 1;
    (ace | (suit & 0xfff) << 1 | if ace_is_high { ace << 13 } else { 0 }) << 2
}

/// The ranks at places of a suit; that above the king is an ace's only if aces are high too.
fn ranks_at(places: u64, ace_is_high: bool) -> u64 {
    let low = places >> 2;
    let high_ace = if ace_is_high { low >> 13 } else { 0 };
    (low >> 1 & 0xfff) | ((low | high_ace) & 1) << 12
}

/// The faces that make a run of a card and one of the others.
fn completions(card: Card, others: CardSet, ace_is_high: bool) -> CardSet {
    let first = 13 * card.suit() as usize;
    let others = places((others - CardSet::of(card)).bits() >> first & 0x1fff, ace_is_high);
    let here = places(1 << card.rank().index(), ace_is_high);
    let (above, below) = (others & here << 1, others & here >> 1);
    let beside = above << 1 | above >> 2 | below >> 1 | below << 2;
    let between = (others & here << 2) >> 1 | (others & here >> 2) << 1;
    CardSet::from_bits(ranks_at(beside | between, ace_is_high) << first)
}

/// The faces of a card's suit within two places of it.
fn near(card: Card, ace_is_high: bool) -> CardSet {
    let first = 13 * card.suit() as usize;
    let here = places(1 << card.rank().index(), ace_is_high);
    CardSet::from_bits(ranks_at(here << 1 | here >> 1 | here << 2 | here >> 2, ace_is_high) << first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(text: &str) -> CardSet {
        text.split_whitespace().map(|card| card.parse::<Card>().unwrap()).collect()
    }

    #[test]
    fn completions_are_the_third_cards_of_runs() {
        let cases = [
            ("7C", "8C", false, "6C 9C"),
            ("7C", "9C", false, "8C"),
            ("7C", "TC 7D 8D", false, ""),
            ("7C", "6C 8C", false, "5C 6C 8C 9C"),
            ("AH", "2H", false, "3H"),
            ("AH", "KH", false, ""),
            ("AH", "KH", true, "QH"),
            ("QH", "AH", true, "KH"),
            ("QS", "KS", false, "JS"),
            ("QS", "KS", true, "JS AS"),
            ("2D", "3D", false, "4D AD"),
        ];
        for (card, others, ace_is_high, expected) in cases {
            let found = completions(card.parse().unwrap(), cards(others), ace_is_high);
            assert_eq!(found, cards(expected), "{card} with {others}");
        }
        assert_eq!(near("2S".parse().unwrap(), false), cards("3S 4S AS"));
        assert_eq!(near("KS".parse().unwrap(), true), cards("JS QS AS"));
    }
}
