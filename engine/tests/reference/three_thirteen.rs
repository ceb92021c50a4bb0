//! Three Thirteen once more, slow and plain, straight from the rules: lists of cards, no bits, melds by trying subsets.

#![allow(dead_code, unreachable_pub)] // each test program uses a part

use std::collections::{BTreeMap, VecDeque};

use dealt_engine::meld::Ace;
use dealt_engine::three_thirteen::{Decks, LastTurn, RetakeDiscard, ThreeThirteenRules as Rules};
use dealt_engine::{Card, Move, Suit};

/// Ranks as numbers, an ace 1 up to a king 13.
fn number(card: Card) -> usize {
    match card.rank().index() {
        12 => 1,
        index => index + 2,
    }
}

/// Every card of the game.
pub fn pack(rules: &Rules) -> Vec<Card> {
    let decks = match rules.decks {
        Decks::Auto => rules.players.div_ceil(2),
        Decks::Number(decks) => usize::from(decks),
    };
    Card::all().flat_map(|card| vec![card; decks]).collect()
}

/// How hands are melded in a round of `size` cards.
pub struct Melding<'r> {
    rules: &'r Rules,
    /// The number that is wild.
    wild: usize,
}

impl<'r> Melding<'r> {
    pub fn new(rules: &'r Rules, size: usize) -> Melding<'r> {
        Melding { rules, wild: size }
    }

    fn is_wild(&self, card: Card) -> bool {
        number(card) == self.wild
    }

    pub fn penalty(&self, card: Card) -> i32 {
        let by_rank = match number(card) {
            1 => self.rules.ace_penalty.unwrap_or(if self.rules.ace == Ace::Low { 1 } else { 15 }),
            number => number.min(10) as i32,
        };
        if self.is_wild(card) { self.rules.wild_penalty.unwrap_or(by_rank) } else { by_rank }
    }

    /// Whether so many natural and wild cards may be in a meld together.
    fn allows(&self, naturals: usize, wilds: usize) -> bool {
        naturals >= usize::from(self.rules.min_naturals_per_meld)
            && self.rules.max_wilds_per_meld.is_none_or(|most| wilds <= usize::from(most))
    }

    fn is_set(&self, cards: &[Card]) -> bool {
        (1..=13).any(|rank| {
            let naturals = || cards.iter().filter(|&&card| number(card) == rank).count();
            let others_wild = cards.iter().all(|&card| number(card) == rank || self.is_wild(card));
            others_wild && self.allows(naturals(), cards.len() - naturals())
        })
    }

    fn is_run(&self, cards: &[Card]) -> bool {
        let highest = if self.rules.ace == Ace::Low { 13 } else { 14 };
        let of_suit = |suit| cards.iter().all(|&card| card.suit() == suit || self.is_wild(card));
        Suit::ALL.into_iter().filter(|&suit| of_suit(suit)).any(|suit| {
            (1..=highest).any(|low| {
                let high = low + cards.len() - 1;
                if high > highest {
                    return false;
                }
                // A card that stands for itself takes its place; all others must be wild. A wild one that can be
                // itself is a natural card, which no limit speaks against.
                let mut left = cards.to_vec();
                for rank in low..=high {
                    let rank = (rank - 1) % 13 + 1;
                    let own = left.iter().position(|&card| card.suit() == suit && number(card) == rank);
                    own.map(|place| left.remove(place));
                }
                left.iter().all(|&card| self.is_wild(card))
                    && self.allows(cards.len() - left.len(), left.len())
            })
        })
    }

    fn is_meld(&self, cards: &[Card]) -> bool {
        cards.len() >= 3 && (self.is_set(cards) || self.is_run(cards))
    }

    /// Every way to take a meld with the first card out of some cards: what is left.
    fn after_meld_with_first(&self, cards: &[Card]) -> Vec<Vec<Card>> {
        let (first, rest) = (cards[0], &cards[1..]);
        let mates = |fits: &dyn Fn(Card) -> bool| -> Vec<usize> {
            (0..rest.len()).filter(|&place| fits(rest[place]) || self.is_wild(rest[place])).collect()
        };
        let (of_rank, of_suit) = if self.is_wild(first) {
            ((0..rest.len()).collect(), vec![])
        } else {
            (mates(&|card| card.rank() == first.rank()), mates(&|card| card.suit() == first.suit()))
        };
        let mut left = Vec::new();
        for mates in [of_rank, of_suit] {
            for subset in (0_u32..1 << mates.len()).filter(|subset| subset.count_ones() >= 2) {
                let chosen = |bit: &usize| subset >> bit & 1 != 0;
                let taken: Vec<usize> = (0..mates.len()).filter(chosen).map(|bit| mates[bit]).collect();
                let meld: Vec<Card> = taken.iter().map(|&place| rest[place]).chain([first]).collect();
                if self.is_meld(&meld) {
                    let kept = (0..rest.len()).filter(|place| !taken.contains(place));
                    left.push(kept.map(|place| rest[place]).collect());
                }
            }
        }
        left.sort();
        left.dedup();
        left
    }

    /// Natural cards first, so that a meld is looked for around a natural card while there is one.
    fn in_order(&self, cards: &[Card]) -> Vec<Card> {
        let mut cards = cards.to_vec();
        cards.sort_by_key(|&card| (self.is_wild(card), card));
        cards
    }

    pub fn all_melded(&self, cards: &[Card]) -> bool {
        let cards = self.in_order(cards);
        cards.is_empty() || self.after_meld_with_first(&cards).iter().any(|left| self.all_melded(left))
    }

    /// The least penalty of the cards in no meld.
    pub fn deadwood(&self, cards: &[Card]) -> i32 {
        self.least(&self.in_order(cards), &mut BTreeMap::new())
    }

    fn least(&self, cards: &[Card], found: &mut BTreeMap<Vec<Card>, i32>) -> i32 {
        let Some(&first) = cards.first() else { return 0 };
        if let Some(&least) = found.get(cards) {
            return least;
        }
        let left = self.penalty(first) + self.least(&cards[1..], found);
        let melded = self.after_meld_with_first(cards);
        let least = melded.iter().map(|left| self.least(left, found)).fold(left, i32::min);
        found.insert(cards.to_vec(), least);
        least
    }
}

/// What must be done next.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Step {
    Draw,
    Discard,
    DiscardToGoOut,
    Over,
}

/// One round.
pub struct Round<'r> {
    rules: &'r Rules,
    size: usize,
    pub hands: Vec<Vec<Card>>,
    pub stock: VecDeque<Card>,
    pub discards: Vec<Card>,
    seat: usize,
    step: Step,
    /// The card taken from the discards in this turn.
    taken: Option<Card>,
    /// Turns that each player has had.
    turns: Vec<u32>,
    /// Who is out, and how many more turns there are then.
    out: Option<(usize, usize)>,
    pub rebuilds: u32,
    pub skipped: u32,
}

fn names(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

impl<'r> Round<'r> {
    pub fn new(rules: &'r Rules, rounds_before: u32, dealer: usize, order: &[Card]) -> Round<'r> {
        let (players, size) = (rules.players, usize::from(rules.rounds[rounds_before as usize]));
        let mut order = order.iter().copied();
        let hands = (0..players).map(|_| order.by_ref().take(size).collect()).collect();
        let discards = order.by_ref().take(1).collect();
        Round {
            rules,
            size,
            hands,
            stock: order.collect(),
            discards,
            seat: (dealer + 1) % players,
            step: Step::Draw,
            taken: None,
            turns: vec![0; players],
            out: None,
            rebuilds: 0,
            skipped: 0,
        }
    }

    pub fn melding(&self) -> Melding<'r> {
        Melding::new(self.rules, self.size)
    }

    pub fn turn(&self) -> Option<usize> {
        (self.step != Step::Over).then_some(self.seat)
    }

    /// The cards that may be discarded.
    fn may_discard(&self) -> Vec<Card> {
        let mut cards = self.hands[self.seat].clone();
        if self.rules.retake_discard == RetakeDiscard::Forbid
            && let Some(taken) = self.taken
        {
            let place = cards.iter().position(|&card| card == taken).unwrap();
            cards.remove(place);
        }
        cards.sort();
        cards.dedup();
        cards
    }

    /// The cards that may be discarded in going out.
    fn may_discard_to_go_out(&self) -> Vec<Card> {
        let melds_without = |card: &Card| {
            let mut kept = self.hands[self.seat].clone();
            let place = kept.iter().position(|other| other == card).unwrap();
            kept.remove(place);
            self.melding().all_melded(&kept)
        };
        self.may_discard().into_iter().filter(melds_without).collect()
    }

    /// The names of the legal moves: cards, then words.
    pub fn legal(&self) -> Vec<String> {
        let written = |cards: Vec<Card>| -> Vec<String> { cards.iter().map(Card::to_string).collect() };
        match self.step {
            Step::Draw => {
                let mut moves = vec![];
                if !self.stock.is_empty() || self.discards.len() > 1 {
                    moves.extend(names(&["draw-stock"]));
                }
                if !self.discards.is_empty() {
                    moves.extend(names(&["draw-discard"]));
                }
                moves
            }
            Step::Discard => {
                let mut moves = written(self.may_discard());
                if !self.may_discard_to_go_out().is_empty() {
                    moves.extend(names(&["go-out"]));
                }
                if self.rules.go_out_without_discard && self.melding().all_melded(&self.hands[self.seat]) {
                    moves.extend(names(&["go-out-all"]));
                }
                moves
            }
            Step::DiscardToGoOut => written(self.may_discard_to_go_out()),
            Step::Over => vec![],
        }
    }

    /// Whether the stock is made anew for a move.
    pub fn rebuilds_stock(&self, name: &str) -> bool {
        name == "draw-stock" && self.stock.is_empty()
    }

    /// Makes a legal move. `order` is that of the new stock, if one is made.
    pub fn play(&mut self, name: &str, order: &[Card]) {
        match name {
            "draw-stock" => {
                if self.stock.is_empty() {
                    let top = self.discards.pop().unwrap();
                    let (mut old, mut new) =
                        (std::mem::replace(&mut self.discards, vec![top]), order.to_vec());
                    old.sort();
                    new.sort();
                    assert_eq!(old, new, "the new stock is the old discards");
                    self.stock = order.iter().copied().collect();
                    self.rebuilds += 1;
                }
                let card = self.stock.pop_front().unwrap();
                self.hands[self.seat].push(card);
                self.step = Step::Discard;
            }
            "draw-discard" => {
                let card = self.discards.pop().unwrap();
                self.hands[self.seat].push(card);
                self.taken = Some(card);
                self.step = Step::Discard;
            }
            "go-out" => self.step = Step::DiscardToGoOut,
            "go-out-all" => {
                self.goes_out();
                self.end_turn();
            }
            card => {
                let card: Card = card.parse().unwrap();
                let hand = &mut self.hands[self.seat];
                let place = hand.iter().position(|&other| other == card).unwrap();
                hand.remove(place);
                self.discards.push(card);
                if self.step == Step::DiscardToGoOut {
                    self.goes_out();
                }
                self.end_turn();
            }
        }
    }

    fn goes_out(&mut self) {
        // The turn that is about to end is counted down too.
        let more = if self.rules.last_turn == LastTurn::None { 1 } else { self.rules.players };
        self.out = self.out.or(Some((self.seat, more)));
    }

    fn end_turn(&mut self) {
        self.taken = None;
        loop {
            self.turns[self.seat] += 1;
            self.seat = (self.seat + 1) % self.rules.players;
            self.step = Step::Draw;
            let over = match &mut self.out {
                Some((_, more)) => {
                    *more -= 1;
                    *more == 0
                }
                None => self.turns.iter().all(|&turns| turns == self.rules.max_turns_per_round),
            };
            if over {
                self.step = Step::Over;
                return;
            }
            if !self.stock.is_empty() || !self.discards.is_empty() {
                return;
            }
            self.skipped += 1;
        }
    }

    pub fn capped(&self) -> bool {
        self.step == Step::Over && self.out.is_none()
    }

    pub fn scores(&self) -> Vec<i32> {
        let score =
            |hand: &Vec<Card>| if self.step == Step::Over { self.melding().deadwood(hand) } else { 0 };
        self.hands.iter().map(score).collect()
    }
}

/// Who has the lowest total.
pub fn winners(totals: &[i32]) -> Vec<usize> {
    let least = totals.iter().min().unwrap();
    (0..totals.len()).filter(|&seat| totals[seat] == *least).collect()
}

/// A move by its name.
pub fn named(name: &str) -> Move {
    Move::parse(name, &["draw-stock", "draw-discard", "go-out", "go-out-all"]).unwrap()
}
