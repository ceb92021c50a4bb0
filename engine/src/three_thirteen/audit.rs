//! The slow check that a position is sound.

use super::sources::MOST_SOURCES;
use super::{MOST, Phase, State, ThreeThirteen, WaysOut};
use crate::{Bag, CardSet, MAX_PLAYERS};

impl ThreeThirteen {
    pub(super) fn check_state(&self, state: &State) -> Result<(), String> {
        let public = &state.public;
        let players = self.rules.players;
        let mut all = state.stock;
        all.insert_all(&public.discards);
        state.hands.iter().for_each(|hand| all.insert_all(hand));
        if all != Bag::copies(CardSet::ALL, self.decks()) {
            return Err(format!("stock, discards and hands are {all}"));
        }
        if state.stock.len() != usize::from(public.stock_size) {
            return Err(format!("the stock has {} cards, not {}", state.stock.len(), public.stock_size));
        }
        if public.top().is_none() != public.discards.is_empty()
            || public.top().is_some_and(|top| !public.discards.has(top))
        {
            return Err(format!("the top discard is {:?} of {}", public.top(), public.discards));
        }
        let sizes = public.hand_sizes(players);
        for (seat, hand) in state.hands.iter().enumerate() {
            if hand.len() != sizes[seat] {
                return Err(format!("seat {seat} holds {hand}, not {} cards", sizes[seat]));
            }
            let known = &public.known[seat];
            if known.faces().into_iter().any(|card| known.count(card) > hand.count(card)) {
                return Err(format!("seat {seat} holds {hand}, is known to hold {known}"));
            }
            if public.out >> seat & 1 != 0 && !self.way_finder(public).all_melded(hand) {
                return Err(format!("seat {seat} is out with {hand}"));
            }
        }
        self.check_sources(state)?;
        self.check_ways_out(state)?;
        if public.phase == Phase::Over { self.check_scores(state) } else { Ok(()) }
    }

    /// The sources hold just the cards that lie hidden, and the doubts.
    fn check_sources(&self, state: &State) -> Result<(), String> {
        let (public, sources) = (&state.public, &state.public.sources);
        let mut cards = [Bag::EMPTY; MOST_SOURCES];
        let mut held = [[0; MOST]; MOST_SOURCES];
        cards[sources.newest()] = state.stock;
        for (seat, hand) in state.hands.iter().enumerate() {
            let hidden = State::hidden_by_source(hand, &public.known[seat], state.tags[seat]);
            for (source, hidden) in hidden.iter().enumerate() {
                cards[source].insert_all(hidden);
                held[source][seat] += hidden.len();
            }
            let expected = hand.len() - public.known[seat].len();
            if sources.hidden(seat) != expected {
                return Err(format!("seat {seat} hides {expected} cards, not {}", sources.hidden(seat)));
            }
        }
        for (doubt, &source) in sources.doubts().zip(&state.doubt_sources) {
            cards[usize::from(source)].insert(doubt.card);
            held[usize::from(source)][usize::from(doubt.seat)] += 1;
        }
        for (index, source) in sources.list().iter().enumerate() {
            if source.cards != cards[index] || source.held.map(usize::from) != held[index] {
                return Err(format!("source {index} is {source:?}, not {} {:?}", cards[index], held[index]));
            }
        }
        Ok(())
    }

    fn check_ways_out(&self, state: &State) -> Result<(), String> {
        let expected = match state.public.turn(self.rules.players) {
            Some(seat) if state.public.phase != Phase::Draw => {
                self.way_finder(&state.public).find(&state.public, &state.hands[seat])
            }
            _ => WaysOut::default(),
        };
        if state.ways_out == expected {
            Ok(())
        } else {
            Err(format!("the ways out are {:?}, not {expected:?}", state.ways_out))
        }
    }

    /// Nobody scores less than nothing or more than the whole hand, and without a guard somebody scores nothing.
    fn check_scores(&self, state: &State) -> Result<(), String> {
        let melds = self.melds(&state.public);
        let deadwood: [i32; MAX_PLAYERS] = self.deadwood(state);
        for (seat, hand) in state.hands.iter().enumerate() {
            let most: i32 = hand.iter().map(|card| melds.penalty(card)).sum();
            if !(0..=most).contains(&deadwood[seat]) {
                return Err(format!("seat {seat} scores {} with {hand}", deadwood[seat]));
            }
            if state.public.out >> seat & 1 != 0 && deadwood[seat] != 0 {
                return Err(format!("seat {seat} is out and scores {}", deadwood[seat]));
            }
        }
        if state.public.first_out.is_some() && state.public.out == 0 {
            return Err("a round that was not broken off has nobody out".to_owned());
        }
        Ok(())
    }
}
