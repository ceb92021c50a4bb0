//! Cancellation hearts once more, slow and plain, straight from the rules: lists of cards, no bits, no tables.

#![allow(dead_code, unreachable_pub)] // each test program uses a part

use dealt_engine::cancellation_hearts::{
    Cancellation, CancellationHeartsRules as Rules, FirstLead, FirstTrickDiscard, Kitty, LastVoidTrick, Moon,
    PassTo, VoidTrick, VoidTrickLead,
};
use dealt_engine::{Card, Move, Suit};

/// Every card of the game.
pub fn pack(rules: &Rules) -> Vec<Card> {
    let mut pack: Vec<Card> = Card::all().flat_map(|card| vec![card; rules.decks]).collect();
    for removed in &rules.remove {
        let place = pack.iter().position(|card| card == removed).unwrap();
        pack.remove(place);
    }
    pack
}

fn is_heart(card: Card) -> bool {
    card.suit() == Suit::Hearts
}

fn is_queen(card: Card) -> bool {
    card.to_string() == "QS"
}

fn is_point(card: Card) -> bool {
    is_heart(card) || is_queen(card)
}

fn is_two(card: Card) -> bool {
    card.to_string() == "2C"
}

/// One deal.
#[derive(Clone, Debug)]
pub struct Deal {
    rules: Rules,
    dealer: usize,
    pub hands: Vec<Vec<Card>>,
    pub kitty: Vec<Card>,
    pub captured: Vec<Vec<Card>>,
    pub aside: Vec<Card>,
    /// How far to the left this deal passes; 0 for not at all.
    offset: usize,
    passes: Vec<Vec<Card>>,
    passing: bool,
    turn: usize,
    leader: usize,
    trick: Vec<(usize, Card)>,
    finished: usize,
    won: Vec<usize>,
    pub void_tricks: usize,
    seen_breaker: bool,
    /// The seat that leads because it holds a `2C`, as all are told.
    pub opener: Option<usize>,
    choosing: Option<usize>,
    chosen: Option<(usize, bool)>,
    over: bool,
}

impl Deal {
    pub fn new(rules: &Rules, deals_before: u32, dealer: usize, order: &[Card]) -> Deal {
        let players = rules.players;
        let size = order.len() / players;
        let hands: Vec<Vec<Card>> = (0..players).map(|seat| order[seat * size..][..size].to_vec()).collect();
        let cycle = &rules.pass_cycle;
        let offset = match cycle.get(deals_before as usize % cycle.len().max(1)) {
            None => 0,
            Some(PassTo::Across(_)) => players / 2,
            Some(PassTo::Seats(seats)) => (players as i32 + seats) as usize % players,
        };
        let mut deal = Deal {
            rules: rules.clone(),
            dealer,
            hands,
            kitty: order[players * size..].to_vec(),
            captured: vec![vec![]; players],
            aside: vec![],
            offset: if rules.pass_count == 0 { 0 } else { offset },
            passes: vec![vec![]; players],
            passing: true,
            turn: (dealer + 1) % players,
            leader: 0,
            trick: vec![],
            finished: 0,
            won: vec![],
            void_tricks: 0,
            seen_breaker: false,
            opener: None,
            choosing: None,
            chosen: None,
            over: false,
        };
        if deal.offset == 0 {
            deal.open();
        }
        deal
    }

    fn next(&self, seat: usize) -> usize {
        (seat + 1) % self.rules.players
    }

    /// The passes are done: who leads?
    fn open(&mut self) {
        self.passing = false;
        self.leader = self.next(self.dealer);
        if self.rules.first_lead != FirstLead::LeftOfDealer {
            let from_left = (1..=self.rules.players).map(|step| (self.dealer + step) % self.rules.players);
            self.opener =
                from_left.into_iter().find(|&seat| self.hands[seat].iter().any(|&card| is_two(card)));
            self.leader = self.opener.unwrap_or(self.leader);
        }
        self.turn = self.leader;
    }

    pub fn turn(&self) -> Option<usize> {
        if self.over { None } else { Some(self.turn) }
    }

    /// The legal moves, in order, each once.
    pub fn legal(&self) -> Vec<Move> {
        if self.choosing.is_some() {
            return vec![Move::word(0), Move::word(1)];
        }
        let hand = &self.hands[self.turn];
        let mut cards = if self.passing {
            self.legal_picks()
        } else if self.trick.is_empty() {
            self.legal_leads(hand)
        } else {
            self.legal_follows(hand)
        };
        cards.sort();
        cards.dedup();
        cards.into_iter().map(Move::card).collect()
    }

    /// A pick is one of the cards not picked yet, not below the last pick, and leaves enough such cards for the rest.
    fn legal_picks(&self) -> Vec<Card> {
        let picked = &self.passes[self.turn];
        let mut rest = self.hands[self.turn].clone();
        for pick in picked {
            let place = rest.iter().position(|card| card == pick).unwrap();
            rest.remove(place);
        }
        let to_come = self.rules.pass_count - picked.len();
        let high_enough = |card: &Card| picked.last().is_none_or(|last| card >= last);
        let leaves_enough = |pick: &Card| rest.iter().filter(|&card| card >= pick).count() >= to_come;
        rest.iter().copied().filter(|card| high_enough(card) && leaves_enough(card)).collect()
    }

    fn legal_leads(&self, hand: &[Card]) -> Vec<Card> {
        if self.finished == 0 && self.opener.is_some() {
            let any_club = self.rules.first_lead == FirstLead::AnyClub;
            let fits = |card: &Card| is_two(*card) || any_club && card.suit() == Suit::Clubs;
            return hand.iter().copied().filter(fits).collect();
        }
        let rule_4 = self.finished == 0 && !self.rules.first_lead_points;
        let rule_10 = self.rules.must_break_hearts && !self.seen_breaker;
        let only_points = hand.iter().all(|&card| is_point(card));
        let keeps_10 =
            |card: Card| !rule_10 || !is_heart(card) || self.rules.hearts_instead_of_queen && only_points;
        let keeps_4 = |card: Card| !rule_4 || !is_point(card);
        let all = hand.iter().copied();
        let attempts: [Vec<Card>; 3] = [
            all.clone().filter(|&card| keeps_4(card) && keeps_10(card)).collect(),
            all.clone().filter(|&card| keeps_10(card)).collect(),
            all.collect(),
        ];
        attempts.into_iter().find(|cards| !cards.is_empty()).unwrap()
    }

    fn legal_follows(&self, hand: &[Card]) -> Vec<Card> {
        let suit = self.trick[0].1.suit();
        let same: Vec<Card> = hand.iter().copied().filter(|card| card.suit() == suit).collect();
        if !same.is_empty() {
            return same;
        }
        let clean: Vec<Card> = hand.iter().copied().filter(|&card| !is_point(card)).collect();
        let spare = self.finished == 0
            && self.rules.first_trick_discard == FirstTrickDiscard::NoPointsUnlessForced
            && !clean.is_empty();
        if spare { clean } else { hand.to_vec() }
    }

    pub fn play(&mut self, mv: Move) {
        if let Some(shooter) = self.choosing {
            self.chosen = Some((shooter, mv == Move::word(1)));
            self.choosing = None;
            self.over = true;
        } else if self.passing {
            self.pick(mv.as_card().unwrap());
        } else {
            self.play_card(mv.as_card().unwrap());
        }
    }

    fn pick(&mut self, card: Card) {
        self.passes[self.turn].push(card);
        if self.passes[self.turn].len() < self.rules.pass_count {
            return;
        }
        if self.turn != self.dealer {
            self.turn = self.next(self.turn);
            return;
        }
        for (giver, pass) in self.passes.iter().enumerate() {
            for card in pass {
                let place = self.hands[giver].iter().position(|held| held == card).unwrap();
                self.hands[giver].remove(place);
            }
        }
        for (giver, pass) in self.passes.iter().enumerate() {
            let receiver = (giver + self.offset) % self.rules.players;
            self.hands[receiver].extend(pass);
        }
        self.open();
    }

    fn play_card(&mut self, card: Card) {
        let place = self.hands[self.turn].iter().position(|&held| held == card).unwrap();
        self.hands[self.turn].remove(place);
        self.trick.push((self.turn, card));
        self.seen_breaker |= is_heart(card) || is_queen(card) && self.rules.queen_breaks_hearts;
        self.turn = self.next(self.turn);
        if self.trick.len() == self.rules.players {
            self.finish_trick();
        }
    }

    fn finish_trick(&mut self) {
        let winner = winner(&self.rules, &self.trick);
        let led = self.leader;
        self.finished += 1;
        self.aside.extend(self.trick.iter().map(|&(_, card)| card));
        self.trick.clear();
        match winner {
            Some(winner) => {
                self.take(winner);
                if self.won.is_empty() && self.rules.kitty == Kitty::FirstTrickWon {
                    self.captured[winner].append(&mut self.kitty);
                }
                self.won.push(winner);
                self.leader = winner;
            }
            None => {
                self.void_tricks += 1;
                if self.rules.void_trick == VoidTrick::LeaderTakes {
                    self.take(led);
                } else if self.rules.void_trick_lead == VoidTrickLead::NextSeat {
                    self.leader = self.next(led);
                }
            }
        }
        self.turn = self.leader;
        if self.hands.iter().all(Vec::is_empty) {
            self.finish_deal(led);
        }
    }

    fn take(&mut self, seat: usize) {
        let mut aside = std::mem::take(&mut self.aside);
        self.captured[seat].append(&mut aside);
    }

    fn finish_deal(&mut self, led: usize) {
        if self.rules.last_void_trick == LastVoidTrick::Leader {
            self.take(led);
        }
        if self.rules.kitty == Kitty::LastTrickWon
            && let Some(&winner) = self.won.last()
        {
            self.captured[winner].append(&mut self.kitty);
        }
        self.over = true;
        let wanted = pack(&self.rules).iter().filter(|&&card| is_point(card)).count();
        let shooter = (0..self.rules.players)
            .find(|&seat| self.captured[seat].iter().filter(|&&card| is_point(card)).count() == wanted);
        if let Some(shooter) = shooter.filter(|_| wanted > 0) {
            match self.rules.moon {
                Moon::Off => {}
                Moon::Subtract => self.chosen = Some((shooter, false)),
                Moon::AddOthers => self.chosen = Some((shooter, true)),
                Moon::ShooterChooses => {
                    self.choosing = Some(shooter);
                    self.turn = shooter;
                    self.over = false;
                }
            }
        }
    }

    /// Each seat's score; of a deal that goes on, the points captured so far.
    pub fn scores(&self) -> Vec<i32> {
        (0..self.rules.players).map(|seat| self.score(seat)).collect()
    }

    fn score(&self, seat: usize) -> i32 {
        let captured = &self.captured[seat];
        let bonus: i32 = captured.iter().filter_map(|card| self.rules.bonus_cards.get(card)).sum();
        if let Some((shooter, added)) = self.chosen {
            return bonus
                + match (shooter == seat, added) {
                    (true, false) => -self.rules.moon_value,
                    (false, true) => self.rules.moon_value,
                    _ => 0,
                };
        }
        let points = |&card: &Card| i32::from(is_heart(card)) + 13 * i32::from(is_queen(card));
        let empty = if self.over && captured.is_empty() { self.rules.no_tricks_bonus } else { 0 };
        captured.iter().map(points).sum::<i32>() + bonus + empty
    }
}

/// Who wins a full trick.
pub fn winner(rules: &Rules, trick: &[(usize, Card)]) -> Option<usize> {
    let mut left: Vec<(usize, Card)> = trick.to_vec();
    let mut cancel = |alike: &dyn Fn(Card, Card) -> bool| {
        while let Some((i, j)) = (0..left.len())
            .flat_map(|j| (0..j).map(move |i| (i, j)))
            .find(|&(i, j)| alike(left[i].1, left[j].1))
        {
            left.remove(j);
            left.remove(i);
        }
    };
    let same_rank = |a: Card, b: Card| a.rank() == b.rank();
    let same_colour = |a: Card, b: Card| same_rank(a, b) && a.suit().is_red() == b.suit().is_red();
    if !matches!(rules.cancellation, Cancellation::FirstWins | Cancellation::LastWins) {
        cancel(&|a, b| a == b);
    }
    if matches!(rules.cancellation, Cancellation::SameRankAndColour | Cancellation::SameRank) {
        cancel(&same_colour);
    }
    if rules.cancellation == Cancellation::SameRank {
        cancel(&same_rank);
    }
    let mut best: Option<(usize, Card)> = None;
    for (seat, card) in left.into_iter().filter(|(_, card)| card.suit() == trick[0].1.suit()) {
        let better = best.is_none_or(|(_, best)| {
            card > best || card == best && rules.cancellation == Cancellation::LastWins
        });
        if better {
            best = Some((seat, card));
        }
    }
    best.map(|(seat, _)| seat)
}

/// Whether the game ends with these totals after so many deals, and whether the guard ends it.
pub fn is_over(rules: &Rules, totals: &[i32], deals: u32) -> (bool, bool) {
    let decided = if rules.deals > 0 {
        deals == rules.deals
    } else {
        totals.iter().any(|&total| total >= rules.target)
    };
    let guarded = deals == rules.max_deals;
    (decided || guarded, guarded && !decided)
}
