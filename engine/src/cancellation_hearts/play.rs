//! Dealing, passing, leading, following, winning.

use super::rules::{
    Cancellation, FirstLead, FirstTrickDiscard, Kitty, LastVoidTrick, VoidTrick, VoidTrickLead,
};
use super::table::{Cards, HEARTS, NOBODY, POINT_CARDS, Phase, QUEEN, TWO, Table, Tally, Trick};
use super::{CancellationHearts, CancellationHeartsState};
use crate::{Card, CardSet, MAX_PLAYERS, Move, Moves, Standing, Stock, Suit};

impl CancellationHearts {
    #[inline]
    pub(super) fn deal_cards<S: Stock>(&self, standing: &Standing, stock: &mut S) -> CancellationHeartsState {
        let nothing = [Cards::EMPTY; MAX_PLAYERS];
        let table = self.fresh_table(standing);
        let mut state = CancellationHeartsState {
            table,
            hands: nothing,
            began: nothing,
            passed: nothing,
            kitty: self.cards,
        };
        let mut left = self.cards;
        for hand in &mut state.hands[..self.players as usize] {
            let mut cards = Cards::EMPTY;
            for _ in 0..self.hand {
                let card = stock.draw(&left);
                left.remove(card);
                cards.insert(card);
            }
            state.kitty.remove_all(&cards);
            *hand = cards;
        }
        if state.table.pass_to == 0 {
            self.start_play(&mut state);
        }
        state
    }

    #[inline]
    fn fresh_table(&self, standing: &Standing) -> Table {
        let dealer = standing.dealer as u8;
        let pass_to = match self.passes.len() {
            0 => 0,
            _ if self.pass_count == 0 => 0,
            cycle => self.passes[standing.deals as usize % cycle],
        };
        Table {
            trick: Trick::led_by(NOBODY),
            phase: Phase::Pass,
            turn: self.left(dealer),
            dealer,
            pass_to,
            picks_left: self.pass_count,
            tricks: 0,
            void_tricks: 0,
            broken_in: 0,
            last_winner: NOBODY,
            kitty_taker: NOBODY,
            two_holder: NOBODY,
            shooter: NOBODY,
            moon_added: false,
            aside: Tally::NOTHING,
            captured: [Tally::NOTHING; MAX_PLAYERS],
            totals: standing.totals,
            cannot_hold: [CardSet::EMPTY; MAX_PLAYERS],
        }
    }

    /// Finds who leads to the first trick. Where that is the holder of a `2C`, everybody learns that the seats before
    /// it have none.
    fn start_play(&self, state: &mut CancellationHeartsState) {
        state.began = state.hands;
        let CancellationHeartsState { table, hands, .. } = state;
        let mut leader = self.left(table.dealer);
        if self.rules.first_lead != FirstLead::LeftOfDealer {
            for _ in 0..self.players {
                if hands[leader as usize].has(TWO) {
                    table.two_holder = leader;
                    break;
                }
                table.cannot_hold[leader as usize] |= CardSet::of(TWO);
                leader = self.left(leader);
            }
        }
        table.phase = Phase::Play;
        table.turn = leader;
        table.trick = Trick::led_by(leader);
        table.picks_left = 0;
    }

    /// The moves of the seat in turn, which holds `hand` and has picked `picked` for its pass.
    #[inline]
    pub(super) fn legal(&self, table: &Table, hand: &Cards, picked: &Cards) -> Moves {
        if table.phase == Phase::Play {
            let hand = hand.faces();
            return if table.trick.len > 0 { self.follow(table, hand) } else { self.lead(table, hand) }
                .into();
        }
        self.legal_otherwise(table, hand, picked)
    }

    /// The same while no trick is played.
    #[inline(never)]
    fn legal_otherwise(&self, table: &Table, hand: &Cards, picked: &Cards) -> Moves {
        match table.phase {
            Phase::Pass => picks(hand, picked, table.picks_left).into(),
            Phase::Moon => Moves::of(Move::word(0)) | Moves::of(Move::word(1)),
            Phase::Play | Phase::Over => Moves::EMPTY,
        }
    }

    #[inline]
    fn follow(&self, table: &Table, hand: CardSet) -> CardSet {
        let suit = hand & table.trick.suit;
        let discards = if table.tricks == 0 { self.first_discards(table, hand) } else { hand };
        if suit.is_empty() { discards } else { suit }
    }

    /// What may be discarded on the first trick.
    #[inline(never)]
    fn first_discards(&self, table: &Table, hand: CardSet) -> CardSet {
        let harmless = hand - POINT_CARDS;
        if self.spares_first_trick(table) && !harmless.is_empty() { harmless } else { hand }
    }

    /// Whether points may not be discarded on this trick while there is something else.
    #[inline]
    fn spares_first_trick(&self, table: &Table) -> bool {
        table.tricks == 0 && self.rules.first_trick_discard == FirstTrickDiscard::NoPointsUnlessForced
    }

    /// Whether rule 4 keeps point cards from being led to this trick.
    #[inline]
    fn spares_first_lead(&self, table: &Table) -> bool {
        table.tricks == 0 && !self.rules.first_lead_points
    }

    /// Whether rule 10 keeps hearts from being led.
    #[inline]
    fn must_break(&self, table: &Table) -> bool {
        self.rules.must_break_hearts && table.broken_in == 0
    }

    #[inline]
    fn lead(&self, table: &Table, hand: CardSet) -> CardSet {
        if table.tricks == 0 && table.two_holder == table.turn {
            return match self.rules.first_lead {
                FirstLead::AnyClub => hand & Suit::Clubs.cards(),
                _ => CardSet::of(TWO),
            };
        }
        let harmless = hand - POINT_CARDS;
        if self.spares_first_lead(table) && !harmless.is_empty() {
            return harmless;
        }
        let others = hand - HEARTS;
        let may_stay = self.rules.hearts_instead_of_queen && others.is_subset(CardSet::of(QUEEN));
        if self.must_break(table) && !others.is_empty() && !may_stay { others } else { hand }
    }

    /// The cards of which a card played shows that there are none in the hand that it comes from.
    #[inline]
    fn shown_by(&self, table: &Table, card: Card) -> CardSet {
        let suit = table.trick.suit;
        let lacks_suit = if suit.has(card) { CardSet::EMPTY } else { suit };
        let is_lead = table.trick.len == 0;
        if (is_lead || table.tricks == 0) && POINT_CARDS.has(card) {
            if is_lead {
                self.shown_by_point_lead(table, card)
            } else {
                self.shown_by_first_point(table, lacks_suit)
            }
        } else {
            lacks_suit
        }
    }

    /// The cards of which the lead of a point card shows that there are none in the leader's hand.
    fn shown_by_point_lead(&self, table: &Table, card: Card) -> CardSet {
        let only_points = if self.spares_first_lead(table) { !POINT_CARDS } else { CardSet::EMPTY };
        let only_hearts = match HEARTS.has(card) && self.must_break(table) {
            false => CardSet::EMPTY,
            true if self.rules.hearts_instead_of_queen => !POINT_CARDS,
            true => !HEARTS,
        };
        only_points | only_hearts
    }

    /// The same of a point card that is played to the first trick, but does not lead it.
    fn shown_by_first_point(&self, table: &Table, lacks_suit: CardSet) -> CardSet {
        let forced = self.spares_first_trick(table) && !lacks_suit.is_empty();
        if forced { lacks_suit | !POINT_CARDS } else { lacks_suit }
    }

    #[inline]
    pub(super) fn step(&self, state: &mut CancellationHeartsState, mv: Move) {
        match mv.as_card() {
            Some(card) if state.table.phase == Phase::Play => self.play_card(state, card),
            _ => self.step_otherwise(state, mv),
        }
    }

    /// Makes a move that is no play: a pick for a pass, or a word.
    #[inline(never)]
    fn step_otherwise(&self, state: &mut CancellationHeartsState, mv: Move) {
        match (state.table.phase, mv.as_card()) {
            (Phase::Pass, Some(card)) => self.pick_card(state, card),
            (Phase::Moon, _) => {
                state.table.moon_added = mv == Move::word(1);
                state.table.phase = Phase::Over;
            }
            _ => {}
        }
    }

    fn pick_card(&self, state: &mut CancellationHeartsState, card: Card) {
        let table = &mut state.table;
        let seat = table.turn as usize;
        state.hands[seat].remove(card);
        state.passed[seat].insert(card);
        table.picks_left -= 1;
        if table.picks_left == 0 {
            let last = table.turn == table.dealer;
            table.turn = self.left(table.turn);
            table.picks_left = self.pass_count;
            if last {
                self.hand_over(state);
            }
        }
    }

    #[inline(never)]
    fn hand_over(&self, state: &mut CancellationHeartsState) {
        for seat in 0..self.players {
            let receiver = self.seat_at(seat, state.table.pass_to);
            state.hands[receiver as usize].insert_all(&state.passed[seat as usize]);
        }
        self.start_play(state);
    }

    #[inline]
    fn play_card(&self, state: &mut CancellationHeartsState, card: Card) {
        let table = &mut state.table;
        let seat = table.turn as usize;
        if table.trick.len == 0 {
            table.trick.suit = SUIT_OF[card.index()];
        }
        let shown = self.shown_by(table, card);
        table.cannot_hold[seat] |= shown;
        state.hands[seat].remove(card);
        if card == TWO && table.two_holder == table.turn {
            table.two_holder = NOBODY;
        }
        table.trick.add(card);
        table.turn = self.left(table.turn);
        if table.trick.len == self.players {
            self.finish_trick(state);
        }
    }

    #[inline(never)]
    fn finish_trick(&self, state: &mut CancellationHeartsState) {
        let table = &mut state.table;
        let led_by = table.trick.leader;
        table.tricks += 1;
        if table.broken_in == 0 && !(table.trick.cards.faces() & self.breakers).is_empty() {
            table.broken_in = table.tricks;
        }
        let tally = self.tally(&table.trick.cards, 1);
        let leader = match self.winner(&table.trick) {
            Some(winner) => {
                table.captured[winner as usize].add(tally);
                if table.aside != Tally::NOTHING {
                    take_aside(table, winner);
                }
                table.last_winner = winner;
                if table.kitty_taker == NOBODY && self.rules.kitty == Kitty::FirstTrickWon {
                    table.kitty_taker = winner;
                }
                winner
            }
            None => self.leave_void_trick(table, led_by, tally),
        };
        table.trick = Trick::led_by(leader);
        table.turn = leader;
        if table.tricks == self.hand {
            self.finish_tricks(state, led_by);
        }
    }

    /// Sets a void trick aside, or gives it to its leader, and says who leads next.
    #[inline(never)]
    fn leave_void_trick(&self, table: &mut Table, leader: u8, tally: Tally) -> u8 {
        table.void_tricks += 1;
        table.aside.add(tally);
        match (self.rules.void_trick, self.rules.void_trick_lead) {
            (VoidTrick::LeaderTakes, _) => {
                take_aside(table, leader);
                leader
            }
            (VoidTrick::Carry, VoidTrickLead::SameLeader) => leader,
            (VoidTrick::Carry, VoidTrickLead::NextSeat) => self.left(leader),
        }
    }

    /// Settles what the last trick leaves open, `leader` having led it.
    #[inline(never)]
    fn finish_tricks(&self, state: &mut CancellationHeartsState, leader: u8) {
        let table = &mut state.table;
        if self.rules.last_void_trick == LastVoidTrick::Leader {
            take_aside(table, leader);
        }
        if self.rules.kitty == Kitty::LastTrickWon {
            table.kitty_taker = table.last_winner;
        }
        self.look_for_moon(state);
    }

    /// Whose card wins a full trick, or would if nobody played to it any more; `None` if it is void.
    #[inline]
    pub(super) fn winner(&self, trick: &Trick) -> Option<u8> {
        let best = (self.uncancelled(&trick.cards) & trick.suit).highest()?;
        let after = trick.cards_after(best, self.rules.cancellation == Cancellation::FirstWins);
        Some(self.seat_at(trick.leader, trick.len - 1 - after))
    }

    /// Of the cards of a trick those that nothing cancels. The highest of them of the suit led wins.
    #[inline]
    #[must_use]
    pub fn uncancelled(&self, cards: &Cards) -> CardSet {
        if self.rules.cancellation == Cancellation::Identical {
            cards.plane(0)
        } else {
            self.uncancelled_otherwise(cards)
        }
    }

    /// The same by another rule than that identical cards cancel.
    #[inline(never)]
    fn uncancelled_otherwise(&self, cards: &Cards) -> CardSet {
        match self.rules.cancellation {
            Cancellation::Identical => cards.plane(0),
            Cancellation::SameRankAndColour => cancel_colours(cards.plane(0)),
            Cancellation::SameRank => cancel_ranks(cancel_colours(cards.plane(0))),
            Cancellation::FirstWins | Cancellation::LastWins => cards.faces(),
        }
    }
}

/// Gives a seat everything that is set aside.
#[inline]
fn take_aside(table: &mut Table, seat: u8) {
    let aside = std::mem::take(&mut table.aside);
    table.captured[seat as usize].add(aside);
}

/// The suit of each card. A lead waits for it, and so does whoever follows.
const SUIT_OF: [CardSet; Card::COUNT] = {
    let mut suits = [CardSet::EMPTY; Card::COUNT];
    let mut card = 0;
    while card < Card::COUNT {
        suits[card] = Suit::ALL[card / 13].cards();
        card += 1;
    }
    suits
};

/// Of cards that stand once, those with no partner of the same rank and colour.
#[inline]
fn cancel_colours(cards: CardSet) -> CardSet {
    // Clubs and spades lie 26 places apart, and so do diamonds and hearts.
    let pairs = cards.bits() & cards.bits() >> 26;
    cards - CardSet::from_bits(pairs | pairs << 26)
}

/// Of cards that stand once and have no partner of their rank and colour, those with none of their rank.
#[inline]
fn cancel_ranks(cards: CardSet) -> CardSet {
    let folded = cards.bits() | cards.bits() >> 26;
    let pairs = folded & folded >> 13 & 0x1fff;
    cards - CardSet::from_bits(pairs * (1 | 1 << 13 | 1 << 26 | 1 << 39))
}

/// What can be picked next for a pass: picks ascend, and enough cards must be left at or above each for those to come.
#[inline]
fn picks(hand: &Cards, picked: &Cards, picks_left: u8) -> CardSet {
    let lowest = picked.faces().highest().map_or(0, Card::index);
    let mut rest = *hand;
    for _ in 1..picks_left {
        match rest.faces().highest() {
            Some(card) => rest.remove(card),
            None => break,
        }
    }
    rest.faces() & CardSet::from_bits(u64::MAX << lowest)
}
