//! The turns of a round.

use super::{
    LastTurn, Phase, Public, RetakeDiscard, State, ThreeThirteen, ThreeThirteenRules, WaysOut, word,
};
use crate::meld::{MeldLimits, MeldRules};
use crate::{Bag, Card, CardSet, Move, Moves, Rank, Seat, Standing, Stock};

/// Finds the ways in which a hand that has drawn can go out.
#[derive(Clone, Debug)]
pub(super) struct WayFinder {
    /// Melds where every card costs something, so that no deadwood means that nothing is left over.
    melds: MeldRules,
    /// Whether all cards melded, none discarded, is out too.
    without_discard: bool,
    /// Whether the card just taken from the discards may be discarded.
    taken_may_go: bool,
}

impl WayFinder {
    pub(super) fn new(wild: Rank, limits: &MeldLimits, rules: &ThreeThirteenRules) -> WayFinder {
        let costly = MeldLimits {
            ace_penalty: limits.ace_penalty.max(1),
            wild_penalty: limits.wild_penalty.map(|penalty| penalty.max(1)),
            ..*limits
        };
        WayFinder {
            melds: MeldRules::new(wild, &costly),
            without_discard: rules.go_out_without_discard,
            taken_may_go: rules.retake_discard == RetakeDiscard::Allow,
        }
    }

    /// The faces that may be discarded, whatever is left.
    pub(super) fn discardable(&self, public: &Public, hand: &Bag) -> CardSet {
        match public.taken {
            Some(taken) if !self.taken_may_go && hand.count(taken) == 1 => hand.faces() - CardSet::of(taken),
            _ => hand.faces(),
        }
    }

    pub(super) fn find(&self, public: &Public, hand: &Bag) -> WaysOut {
        WaysOut {
            discards: self.melds.can_go_out(hand) & self.discardable(public, hand),
            without_discard: self.without_discard && self.all_melded(hand),
        }
    }

    pub(super) fn all_melded(&self, hand: &Bag) -> bool {
        self.melds.deadwood(hand) == 0
    }
}

impl ThreeThirteen {
    /// Deals a round.
    pub(super) fn deal_round<S: Stock>(&self, standing: &Standing, stock: &mut S) -> State {
        let hand_size = self.rules.rounds[standing.deals as usize];
        let pack = Bag::copies(CardSet::ALL, self.decks());
        self.deal_from(pack, Public::new(standing, hand_size, pack), stock)
    }

    /// Deals from a pack, which need not be that of the rules.
    pub(super) fn deal_from<S: Stock>(&self, pack: Bag, public: Public, stock: &mut S) -> State {
        let mut state = State::new(public);
        state.stock = pack;
        for seat in 0..self.rules.players {
            for _ in 0..public.hand_size {
                state.draw_hidden(seat, stock);
            }
        }
        let upcard = stock.draw(&state.stock);
        state.stock.remove(upcard);
        state.public.sources.turn_up(upcard);
        state.public.lay_on_discards(upcard);
        state.public.stock_size = state.stock.len() as u16;
        state
    }

    /// The moves of the player to move, which holds `hand`.
    pub(super) fn legal(&self, public: &Public, hand: &Bag, ways_out: &WaysOut) -> Moves {
        match public.phase {
            Phase::Draw => {
                let stock = public.stock_size > 0 || public.discards.len() > 1;
                let mut moves = Moves::EMPTY;
                if stock {
                    moves |= Moves::of(word::DRAW_STOCK);
                }
                if public.top().is_some() {
                    moves |= Moves::of(word::DRAW_DISCARD);
                }
                moves
            }
            Phase::Discard => {
                let mut moves = Moves::from(self.way_finder(public).discardable(public, hand));
                if !ways_out.discards.is_empty() {
                    moves |= Moves::of(word::GO_OUT);
                }
                if ways_out.without_discard {
                    moves |= Moves::of(word::GO_OUT_ALL);
                }
                moves
            }
            Phase::GoOut => ways_out.discards.into(),
            Phase::Over => Moves::EMPTY,
        }
    }

    /// Makes a move that is legal.
    pub(super) fn make<S: Stock>(&self, state: &mut State, mv: Move, stock: &mut S) {
        let Some(seat) = state.public.turn(self.rules.players) else { return };
        match mv {
            word::DRAW_STOCK => self.draw_stock(state, seat, stock),
            word::DRAW_DISCARD => self.draw_discard(state, seat),
            word::GO_OUT => {
                state.public.phase = Phase::GoOut;
                state.show_hand(seat);
            }
            word::GO_OUT_ALL => {
                state.show_hand(seat);
                self.go_out(state, seat);
            }
            _ => {
                if let Some(card) = mv.as_card().filter(|&card| state.hands[seat].has(card)) {
                    self.discard(state, seat, card);
                }
            }
        }
    }

    fn draw_stock<S: Stock>(&self, state: &mut State, seat: Seat, stock: &mut S) {
        if state.stock.is_empty() {
            state.rebuild_stock(self.rules.players);
            stock.rebuild(&state.stock);
        }
        if state.stock.is_empty() {
            return; // not a legal draw
        }
        state.draw_hidden(seat, stock);
        state.public.stock_size -= 1;
        self.has_drawn(state, seat);
    }

    fn draw_discard(&self, state: &mut State, seat: Seat) {
        if let Some(card) = state.public.take_discard(seat) {
            state.gain_known(seat, card);
            self.has_drawn(state, seat);
        }
    }

    fn has_drawn(&self, state: &mut State, seat: Seat) {
        state.public.phase = Phase::Discard;
        state.ways_out = self.way_finder(&state.public).find(&state.public, &state.hands[seat]);
    }

    fn discard(&self, state: &mut State, seat: Seat, card: Card) {
        state.lose(seat, card, self.rules.retake_discard == RetakeDiscard::Allow);
        state.public.lay_on_discards(card);
        if state.public.phase == Phase::GoOut {
            self.go_out(state, seat);
        } else {
            self.end_turn(state);
        }
    }

    /// The player to move is out with what it has laid down.
    fn go_out(&self, state: &mut State, seat: Seat) {
        state.public.out |= 1 << seat;
        state.public.first_out = state.public.first_out.or(Some(state.public.turns));
        self.end_turn(state);
    }

    /// Passes the turn on, past players who can draw nothing, or ends the round.
    fn end_turn(&self, state: &mut State) {
        let players = self.rules.players as u32;
        let public = &mut state.public;
        state.ways_out = WaysOut::default();
        public.taken = None;
        loop {
            public.turns += 1;
            let over = match (public.first_out, self.rules.last_turn) {
                (Some(_), LastTurn::None) => true,
                (Some(turn), LastTurn::AllOthers) => public.turns == turn + players,
                (None, _) => public.turns == self.rules.max_turns_per_round * players,
            };
            public.phase = if over { Phase::Over } else { Phase::Draw };
            if over || public.stock_size > 0 || public.top().is_some() {
                return;
            }
        }
    }
}
