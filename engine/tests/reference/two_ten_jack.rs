//! Two-ten-jack once more, slowly and plainly: lists of cards, and the rules in the order in which they are written.

#![allow(unreachable_pub)] // a module of a test program

use dealt_engine::two_ten_jack::{FollowWhileStock, SpadeAce, SpadeAceFollow, TargetCheck};
use dealt_engine::{Card, Move, Suit, TwoTenJackRules};

/// A trick that was taken.
pub struct Taken {
    asked: Suit,
    lead: Card,
    reply: Card,
    leader: usize,
    winner: usize,
}

pub struct Plain {
    rules: TwoTenJackRules,
    pub totals: [i32; 2],
    pub hands: [Vec<Card>; 2],
    pub captured: [Vec<Card>; 2],
    pub log: Vec<Taken>,
    /// The next card to be drawn is the last.
    stock: Vec<Card>,
    /// The card led, and whether its leader still has to declare it.
    led: Option<Card>,
    declared: Option<Suit>,
    pub turn: Option<usize>,
}

fn ace() -> Card {
    "AS".parse().unwrap()
}

fn is_trump(card: Card) -> bool {
    card.suit() == Suit::Hearts || card == ace()
}

/// The legal plays to a trick, from the whole hand.
pub fn legal_replies(rules: &TwoTenJackRules, hand: &[Card], asked: Suit, stock_lasts: bool) -> Vec<Card> {
    if stock_lasts && rules.follow_while_stock == FollowWhileStock::Free {
        return hand.to_vec();
    }
    let strict = strict_replies(rules, hand, asked);
    if rules.spade_ace_follow == SpadeAceFollow::Forced || !hand.contains(&ace()) {
        return strict;
    }
    let others: Vec<Card> = hand.iter().copied().filter(|&card| card != ace()).collect();
    let mut legal = strict_replies(rules, &others, asked);
    if strict.contains(&ace()) {
        legal.push(ace());
    }
    legal
}

fn strict_replies(rules: &TwoTenJackRules, hand: &[Card], asked: Suit) -> Vec<Card> {
    let follows = |card: Card| card.suit() == asked || asked == Suit::Hearts && card == ace();
    let following: Vec<Card> = hand.iter().copied().filter(|&card| follows(card)).collect();
    if !following.is_empty() {
        return following;
    }
    let trumps: Vec<Card> = hand.iter().copied().filter(|&card| is_trump(card)).collect();
    if rules.must_trump_when_void && !trumps.is_empty() {
        return trumps;
    }
    hand.to_vec()
}

/// Whether the second card takes the trick.
fn reply_wins(rules: &TwoTenJackRules, lead: Card, asked: Suit, reply: Card) -> bool {
    let plain_ace = rules.spade_ace == SpadeAce::AsDeclared && asked == Suit::Spades;
    let is_top = |card: Card| card == ace() && !plain_ace;
    if is_top(lead) || is_top(reply) {
        return is_top(reply);
    }
    match (lead.suit() == Suit::Hearts, reply.suit() == Suit::Hearts) {
        (true, true) => reply.rank() > lead.rank(),
        (true, false) => false,
        (false, true) => true,
        (false, false) => reply.suit() == lead.suit() && reply.rank() > lead.rank(),
    }
}

impl Plain {
    pub fn deal(rules: &TwoTenJackRules, order: &[Card], dealer: usize, totals: [i32; 2]) -> Plain {
        let (first, rest) = order.split_at(rules.hand_size);
        let (second, stock) = rest.split_at(rules.hand_size);
        Plain {
            rules: rules.clone(),
            totals,
            hands: [first.to_vec(), second.to_vec()],
            captured: [vec![], vec![]],
            log: vec![],
            stock: stock.iter().rev().copied().collect(),
            led: None,
            declared: None,
            turn: Some(1 - dealer),
        }
    }

    fn asked(&self) -> Option<Suit> {
        let lead = self.led?;
        if lead == ace() { self.declared } else { Some(lead.suit()) }
    }

    pub fn legal(&self) -> Vec<Move> {
        let Some(seat) = self.turn else { return vec![] };
        match (self.led, self.asked()) {
            (None, _) => self.hands[seat].iter().copied().map(Move::card).collect(),
            (Some(_), None) => vec![Move::word(0), Move::word(1)],
            (Some(_), Some(asked)) => {
                let cards = legal_replies(&self.rules, &self.hands[seat], asked, !self.stock.is_empty());
                cards.into_iter().map(Move::card).collect()
            }
        }
    }

    pub fn play(&mut self, mv: Move) {
        let seat = self.turn.unwrap();
        let Some(card) = mv.as_card() else {
            self.declared = Some(if mv == Move::word(0) { Suit::Hearts } else { Suit::Spades });
            self.turn = Some(1 - seat);
            return;
        };
        self.hands[seat].retain(|&held| held != card);
        let (Some(lead), Some(asked)) = (self.led, self.asked()) else {
            self.led = Some(card);
            self.turn = Some(if card == ace() { seat } else { 1 - seat });
            return;
        };
        let winner = if reply_wins(&self.rules, lead, asked, card) { seat } else { 1 - seat };
        self.captured[winner].extend([lead, card]);
        self.log.push(Taken { asked, lead, reply: card, leader: 1 - seat, winner });
        self.led = None;
        self.turn = Some(winner);
        let reached = self.totals[winner] + self.scores()[winner] >= self.rules.target;
        if reached && self.rules.target_check == TargetCheck::Immediate && self.rules.deals == 0 {
            self.turn = None;
            return;
        }
        for drawer in [winner, 1 - winner] {
            self.hands[drawer].extend(self.stock.pop());
        }
        if self.hands[winner].is_empty() {
            self.turn = None;
        }
    }

    /// What the deal counts, in the order of the game's list.
    pub fn events(&self) -> [Option<i32>; 6] {
        let count =
            |what: &dyn Fn(&Taken) -> bool| Some(self.log.iter().filter(|&taken| what(taken)).count() as i32);
        let follows = |taken: &Taken| {
            taken.reply.suit() == taken.asked || taken.asked == Suit::Hearts && taken.reply == ace()
        };
        let worth = |card: Card| self.rules.points.get(&card).copied().unwrap_or(0);
        let endgame = self.log.iter().skip(26 - self.rules.hand_size).map(|taken| {
            let points = worth(taken.lead) + worth(taken.reply);
            if taken.winner == 0 { points } else { -points }
        });
        [
            count(&|_| true),
            count(&|taken| taken.winner != taken.leader && is_trump(taken.reply) && !follows(taken)),
            count(&|taken| !is_trump(taken.reply) && !follows(taken)),
            count(&|taken| taken.winner == taken.leader),
            self.declared.map(|suit| i32::from(suit == Suit::Hearts)),
            Some(endgame.sum::<i32>().abs()),
        ]
    }

    pub fn scores(&self) -> [i32; 2] {
        let worth = |card: &Card| self.rules.points.get(card).copied().unwrap_or(0);
        [0, 1].map(|seat: usize| self.captured[seat].iter().map(worth).sum())
    }
}

/// Whether the game is over by these totals, and whether only because of the guard.
pub fn is_over(rules: &TwoTenJackRules, deals: u32, totals: [i32; 2]) -> (bool, bool) {
    let by_rules = if rules.deals > 0 {
        deals == rules.deals
    } else {
        totals[0] != totals[1] && totals.iter().any(|&total| total >= rules.target)
    };
    (by_rules || deals == rules.max_deals, !by_rules && deals == rules.max_deals)
}

pub fn winners(totals: [i32; 2]) -> Vec<usize> {
    match totals[0].cmp(&totals[1]) {
        std::cmp::Ordering::Greater => vec![0],
        std::cmp::Ordering::Less => vec![1],
        std::cmp::Ordering::Equal => vec![0, 1],
    }
}
