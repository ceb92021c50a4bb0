//! The last tricks of two-ten-jack, solved.
//!
//! When the stock is used up, the cards that a seat has not seen are the other hand: what is left is a game of perfect
//! information, and short. An [`Ending`] is such a rest of a deal with its cards numbered from 0, so that a hand, what
//! follows a lead and what beats it are words of 16 bits. It is solved by alpha-beta search over whole tricks, with a
//! small table of positions between tricks and one card tried for all that are as good as each other.
//!
//! What both seats play for is a [`Goal`]. Under the margin of points, positions with the same cards are the same
//! whatever has been captured before, and bounds of what can still change hands cut much short. Under any other utility
//! of the final scores, and where a capture can end the deal, captures are part of the position.
//!
//! ```
//! use dealt_agents::endgame::two_ten_jack::{Ending, Goal};
//! use dealt_engine::{Game, Pack, QuickDice, TwoTenJack, TwoTenJackRules};
//! let game = TwoTenJack::new(TwoTenJackRules::default())?;
//! let mut pack = Pack::new(game.pack(), QuickDice::new(1, 1));
//! let mut state = game.deal(&game.start(0), &mut pack);
//! assert!(Ending::of_state(&game, &state).is_none());
//! while game.stock_size(state.table()) > 0 {
//!     let mv = game.legal_moves(&state).lowest().unwrap();
//!     game.play_unchecked(&mut state, mv, &mut pack);
//! }
//! let mut ending = Ending::of_state(&game, &state).unwrap();
//! let (mv, margin) = ending.best(Goal::Margin);
//! assert!(game.legal_moves(&state).has(mv) && margin.abs() <= 35.0);
//! # Ok::<(), dealt_engine::RuleError>(())
//! ```

use dealt_engine::two_ten_jack::{AS_SPADE, AS_TRUMP, Declaration, SPADE_ACE, State, Table, View};
use dealt_engine::{Card, CardSet, Move, Seat, TwoTenJack};

/// The most cards in each hand of an ending.
pub const MOST_CARDS: usize = 8;

/// What is played for; what one seat gains the other loses.
#[derive(Clone, Copy)]
pub enum Goal<'u> {
    /// The margin: the seat's points less the other's.
    Margin,
    /// A utility of the final scores of the deal, by seat: seat 0 wants it high and seat 1 low.
    Utility(&'u dyn Fn([i32; 2]) -> f64),
}

/// The cards of an ending, lowest first, as bits 0 up.
type Bits = u16;

/// The rest of a deal whose stock is used up.
#[derive(Clone, Debug)]
pub struct Ending {
    /// What the bits are; the card led to the trick in progress is among them.
    cards: [Card; ROOM],
    worth: [i32; ROOM],
    /// For each card those of its suit that score the same.
    alike: [Bits; ROOM],
    /// What each card led asks for and what beats it; the ace of spades declared a spade comes last.
    follow: [Bits; ROOM + 1],
    beats: [Bits; ROOM + 1],
    hands: [Bits; 2],
    scoring: Bits,
    ace: Bits,
    duty: Bits,
    spared: Bits,
    /// What each seat's score of the deal must reach to stop it.
    stops: [i32; 2],
    start: Node,
    stage: Stage,
}

/// The bits there are, and the line of the ace of spades as a spade.
const ROOM: usize = 2 * MOST_CARDS;

/// A position between two tricks.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The cards in hands, and one led.
    alive: Bits,
    leader: Seat,
    /// What the seats have captured in the deal; under a goal that adds up, left at nothing.
    scores: [i32; 2],
}

/// What is to be chosen first.
#[derive(Clone, Copy, Debug)]
enum Stage {
    Lead,
    /// What the ace of spades is, which is led.
    Declare,
    /// The reply to a card led.
    Reply {
        card: usize,
        line: usize,
    },
}

/// Values below and above which nothing needs to be told apart.
type Window = (f64, f64);

impl Ending {
    /// The ending that a seat looks at, if it is one: the stock used up and at most [`MOST_CARDS`] in each hand.
    #[must_use]
    pub fn of_view(game: &TwoTenJack, view: &View) -> Option<Ending> {
        Ending::new(game, game.known_hands(view)?, view.table())
    }

    /// The ending of a position, if it is one.
    #[must_use]
    pub fn of_state(game: &TwoTenJack, state: &State) -> Option<Ending> {
        let ends = game.stock_size(state.table()) == 0;
        if ends { Ending::new(game, state.hands(), state.table()) } else { None }
    }

    fn new(game: &TwoTenJack, hands: [CardSet; 2], table: &Table) -> Option<Ending> {
        let mover = table.turn()?;
        let led = table.lead();
        let alive = hands[0] | hands[1] | led.map_or(CardSet::EMPTY, CardSet::of);
        if alive.len() > ROOM || hands.iter().any(|hand| hand.len() > MOST_CARDS) {
            return None;
        }
        let number = |card: Card| (alive & CardSet::from_bits((1 << card.index()) - 1)).len();
        let bits =
            |cards: CardSet| (cards & alive).into_iter().fold(0, |bits, card| bits | 1 << number(card));
        let mut ending = Ending {
            cards: [SPADE_ACE; ROOM],
            worth: [0; ROOM],
            alike: [0; ROOM],
            follow: [0; ROOM + 1],
            beats: [0; ROOM + 1],
            hands: hands.map(bits),
            scoring: bits(game.plus() | game.minus()),
            ace: bits(CardSet::of(SPADE_ACE)),
            duty: bits(game.duty()),
            spared: bits(game.spared()),
            stops: table.totals().map(|total| game.stop().map_or(i32::MAX, |stop| stop - total)),
            start: Node { alive: bits(alive), leader: mover, scores: table.scores() },
            stage: Stage::Lead,
        };
        for (place, card) in alive.into_iter().enumerate() {
            let lead = game.lead(card, Some(Declaration::Trump), false);
            let same = |other: &Card| game.worth(*other) == game.worth(card) && *other != SPADE_ACE;
            ending.cards[place] = card;
            ending.worth[place] = game.worth(card);
            ending.alike[place] = bits((card.suit().cards() & alive).into_iter().filter(same).collect());
            (ending.follow[place], ending.beats[place]) = (bits(lead.follow), bits(lead.beats));
        }
        let spade = game.lead(SPADE_ACE, Some(Declaration::Spade), false);
        (ending.follow[ROOM], ending.beats[ROOM]) = (bits(spade.follow), bits(spade.beats));
        if let Some(card) = led {
            let declared_spade = card == SPADE_ACE && table.declaration() == Some(Declaration::Spade);
            let card = number(card);
            ending.stage = Stage::Reply { card, line: if declared_spade { ROOM } else { card } };
            if table.is_undeclared() {
                ending.stage = Stage::Declare;
            } else {
                ending.start.leader = 1 - mover;
            }
        }
        Some(ending)
    }

    /// The best move of the seat to move and what it is worth to it: under [`Goal::Margin`] its final score less the
    /// other's, under a utility that of the final scores (for seat 1, with the sign turned). Of moves as good as each
    /// other it is the lowest that is tried.
    ///
    /// # Panics
    /// Never: the seat to move has a move.
    #[must_use]
    pub fn best(&self, goal: Goal<'_>) -> (Move, f64) {
        let mut search = Search::new(self, goal);
        let mut best: Option<(Move, f64)> = None;
        self.moves(|mv, choice| {
            let low = best.map_or(f64::NEG_INFINITY, |best| best.1);
            let value = search.choose(choice, (low, f64::INFINITY));
            if best.is_none() || value > low {
                best = Some((mv, value));
            }
        });
        let (mv, value) = best.expect("the seat to move has a move");
        (mv, value + search.before)
    }

    /// What the ending is worth to the seat to move when both play their best.
    #[must_use]
    pub fn value(&self, goal: Goal<'_>) -> f64 {
        self.best(goal).1
    }

    /// The final scores of the deal, by seat, when both seats play their best by the margin; `None` where a capture can
    /// stop the deal, so that the margin alone does not give the scores.
    ///
    /// All captures together score the same however they fall, so that whatever rises with the seat's own score or
    /// falls with the other's is played for too.
    #[must_use]
    pub fn scores(&self) -> Option<[i32; 2]> {
        if self.stops != [i32::MAX; 2] {
            return None;
        }
        let margin = self.value(Goal::Margin) as i32;
        let sum = self.start.scores.iter().sum::<i32>()
            + places(self.start.alive).map(|card| self.worth[card]).sum::<i32>();
        let (own, other) = ((sum + margin) / 2, (sum - margin) / 2);
        Some(if self.mover() == 0 { [own, other] } else { [other, own] })
    }

    /// The seat to move.
    fn mover(&self) -> Seat {
        self.start.leader ^ usize::from(matches!(self.stage, Stage::Reply { .. }))
    }

    /// Calls `each` with the moves worth trying, lowest first, and what they stand for.
    fn moves(&self, mut each: impl FnMut(Move, Choice)) {
        let Node { alive, leader, .. } = self.start;
        match self.stage {
            Stage::Lead => {
                for card in places(self.unlike(self.hands[leader], alive)) {
                    each(self.cards[card].into(), Choice::Lead(card));
                }
            }
            Stage::Declare => {
                let card = self.ace.trailing_zeros() as usize;
                each(AS_TRUMP, Choice::Line { card, line: card });
                each(AS_SPADE, Choice::Line { card, line: ROOM });
            }
            Stage::Reply { card, line } => {
                for reply in places(self.unlike(self.replies(line, self.hands[1 - leader]), alive)) {
                    each(self.cards[reply].into(), Choice::Reply { card, line, reply });
                }
            }
        }
    }

    /// The cards of a hand that may be played to a lead: see [`TwoTenJack::replies`].
    fn replies(&self, line: usize, hand: Bits) -> Bits {
        let forced = self.forced(self.follow[line], hand);
        if hand & self.spared == 0 {
            return forced;
        }
        self.forced(self.follow[line], hand & !self.spared) | forced & self.spared
    }

    fn forced(&self, follow: Bits, hand: Bits) -> Bits {
        [hand & follow, hand & self.duty].into_iter().find(|&cards| cards != 0).unwrap_or(hand)
    }

    /// Of some cards of a hand those that are not as good as the next higher one: between two of a suit that score the
    /// same no card of the other hand lies.
    fn unlike(&self, cards: Bits, alive: Bits) -> Bits {
        let mut unlike = cards;
        for card in places(cards) {
            let above = alive & !(2_u16 << card).wrapping_sub(1);
            let next = above & above.wrapping_neg();
            if next & cards & self.alike[card] != 0 && self.ace != 1 << card {
                unlike &= !(1 << card);
            }
        }
        unlike
    }

    /// The points that can still change hands.
    fn most(&self, alive: Bits) -> f64 {
        f64::from(places(alive & self.scoring).map(|card| self.worth[card].abs()).sum::<i32>())
    }
}

/// The numbers of the bits set, lowest first.
fn places(bits: Bits) -> impl Iterator<Item = usize> {
    let mut left = bits;
    std::iter::from_fn(move || {
        let place = (left != 0).then_some(left.trailing_zeros() as usize);
        left &= left.wrapping_sub(1);
        place
    })
}

/// A choice of the first position.
#[derive(Clone, Copy)]
enum Choice {
    Lead(usize),
    Line { card: usize, line: usize },
    Reply { card: usize, line: usize, reply: usize },
}

/// What is known of a position: its value lies between the two.
#[derive(Clone, Copy)]
struct Known {
    key: u64,
    low: f64,
    high: f64,
}

/// Positions remembered. Six cards each leave some hundred that alpha-beta has to look at.
const TABLE: usize = 1024;

struct Search<'e> {
    ending: &'e Ending,
    goal: Goal<'e>,
    /// Whether the value of a trick adds to that of the rest, so that captures before do not matter.
    adds_up: bool,
    /// Under a goal that adds up, what the seat to move is ahead before.
    before: f64,
    table: [Known; TABLE],
}

impl<'e> Search<'e> {
    fn new(ending: &'e Ending, goal: Goal<'e>) -> Search<'e> {
        let adds_up = matches!(goal, Goal::Margin) && ending.stops == [i32::MAX; 2];
        let scores = ending.start.scores;
        let ahead = f64::from(scores[0] - scores[1]);
        let before = match adds_up {
            true if ending.mover() == 0 => ahead,
            true => -ahead,
            false => 0.0,
        };
        Search { ending, goal, adds_up, before, table: [Known { key: 0, low: 0.0, high: 0.0 }; TABLE] }
    }

    /// What a choice of the first position is worth to the seat that has it.
    fn choose(&mut self, choice: Choice, window: Window) -> f64 {
        let start = self.ending.start;
        match choice {
            Choice::Lead(card) => self.lead(start, card, window),
            Choice::Line { card, line } => self.line(start, card, line, window),
            Choice::Reply { card, line, reply } => -self.reply(start, card, line, reply, turned(window)),
        }
    }

    /// What a position is worth to its leader; a bound of it if it lies outside the window.
    fn node(&mut self, node: Node, window: Window) -> f64 {
        let (mut low, mut high) = window;
        if self.adds_up {
            let most = self.ending.most(node.alive);
            if most <= low {
                return most;
            }
            if most == 0.0 || -most >= high {
                return -most;
            }
        } else if node.alive & self.ending.scoring == 0 {
            return self.end(node);
        }
        let (key, slot) = self.slot(node);
        let known = self.table[slot];
        if known.key == key {
            if known.low >= high || known.low == known.high {
                return known.low;
            }
            if known.high <= low {
                return known.high;
            }
            (low, high) = (low.max(known.low), high.min(known.high));
        }
        let value = self.best_lead(node, (low, high));
        let mut bounds = Known { key, low: f64::NEG_INFINITY, high: f64::INFINITY };
        if value > low {
            bounds.low = value;
        }
        if value < high {
            bounds.high = value;
        }
        self.table[slot] = bounds;
        value
    }

    fn best_lead(&mut self, node: Node, (mut low, high): Window) -> f64 {
        let hand = self.ending.hands[node.leader] & node.alive;
        let mut best = f64::NEG_INFINITY;
        for card in places(self.ending.unlike(hand, node.alive)) {
            best = best.max(self.lead(node, card, (low, high)));
            low = low.max(best);
            if low >= high {
                break;
            }
        }
        best
    }

    /// What leading a card is worth to the leader; the ace of spades as it is better declared.
    fn lead(&mut self, node: Node, card: usize, (low, high): Window) -> f64 {
        let value = self.line(node, card, card, (low, high));
        if self.ending.ace != 1 << card || value >= high {
            return value;
        }
        value.max(self.line(node, card, ROOM, (low.max(value), high)))
    }

    /// What a lead is worth to the leader, declared.
    fn line(&mut self, node: Node, card: usize, line: usize, (low, mut high): Window) -> f64 {
        let ending = self.ending;
        let hand = ending.hands[1 - node.leader] & node.alive;
        let mut worst = f64::INFINITY;
        for reply in places(ending.unlike(ending.replies(line, hand), node.alive)) {
            worst = worst.min(self.reply(node, card, line, reply, (low, high)));
            high = high.min(worst);
            if low >= high {
                break;
            }
        }
        worst
    }

    /// What a trick and all that follows is worth to the one who led it.
    fn reply(&mut self, node: Node, card: usize, line: usize, reply: usize, window: Window) -> f64 {
        let ending = self.ending;
        let is_lost = ending.beats[line] >> reply & 1 != 0;
        let winner = node.leader ^ usize::from(is_lost);
        let stake = ending.worth[card] + ending.worth[reply];
        let alive = node.alive & !(1 << card | 1 << reply);
        let mut next = Node { alive, leader: winner, scores: node.scores };
        let mut gain = 0.0;
        if self.adds_up {
            gain = f64::from(stake);
        } else {
            next.scores[winner] += stake;
            if next.scores[winner] >= ending.stops[winner] {
                let value = self.end(next);
                return if is_lost { -value } else { value };
            }
        }
        // All from the winner's side of the table, and back.
        let (low, high) = if is_lost { turned(window) } else { window };
        let value = gain + self.node(next, (low - gain, high - gain));
        if is_lost { -value } else { value }
    }

    /// What the final scores are worth to the seat that the node says would lead next.
    fn end(&self, node: Node) -> f64 {
        let value = match self.goal {
            Goal::Margin => f64::from(node.scores[0] - node.scores[1]),
            Goal::Utility(utility) => utility(node.scores),
        };
        if node.leader == 0 { value } else { -value }
    }

    /// The key of a position, never 0, and where it is remembered. The cards and one seat's score give the other's.
    fn slot(&self, node: Node) -> (u64, usize) {
        let score = if self.adds_up { 0 } else { node.scores[0] as u32 };
        let key = u64::from(node.alive) | (node.leader as u64) << 16 | 1 << 17 | u64::from(score) << 18;
        (key, (dealt_engine::dice::mix(key) >> 32) as usize % TABLE)
    }
}

fn turned((low, high): Window) -> Window {
    (-high, -low)
}
