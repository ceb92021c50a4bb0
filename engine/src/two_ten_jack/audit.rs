//! The slow check that a position is sound: what is kept is what replaying the cards played gives, and both hands have
//! a legal past, that is, there is an order of drawing in which every card played was allowed.

use crate::{Card, CardSet, Game, Seat};

use super::position::{NOBODY, NOTHING, State, Table, UNDECLARED};
use super::{SPADE_ACE, TRICKS, TwoTenJack};

pub(super) fn audit(game: &TwoTenJack, state: &State) -> Result<(), String> {
    where_the_cards_are(game, state)?;
    replay(game, &state.table)?;
    (0..2).try_for_each(|seat| legal_past(game, state, seat))
}

fn where_the_cards_are(game: &TwoTenJack, state: &State) -> Result<(), String> {
    let table = &state.table;
    let played: CardSet = table.played().iter().copied().collect();
    let [first, second] = state.hands;
    let places = [first, second, state.stock, played];
    let cards: usize = places.iter().map(|place| place.len()).sum();
    if places.iter().fold(CardSet::EMPTY, |all, &place| all | place) != CardSet::ALL || cards != Card::COUNT {
        return Err(format!(
            "hands {first} and {second}, stock {}, played {played} are no pack",
            state.stock
        ));
    }
    let drawn = game.draws(table) * 2;
    let stock = Card::COUNT - 2 * game.rules().hand_size - drawn;
    if state.stock.len() != stock {
        return Err(format!("{} cards in the stock, not {stock}", state.stock.len()));
    }
    let in_trick = usize::from(table.plays % 2);
    let leader = table.tricks().last().map_or(0, |trick| trick.leader);
    let short = first.len() + in_trick * usize::from(leader == 0);
    if short != second.len() + in_trick * usize::from(leader == 1) {
        return Err(format!("hands of {} and {} cards", first.len(), second.len()));
    }
    Ok(())
}

fn replay(game: &TwoTenJack, table: &Table) -> Result<(), String> {
    let mut scores = [0; 2];
    let mut mover = Seat::from(table.first);
    let mut led = NOTHING;
    let mut stopped = false;
    let mut replies = [0_u32; 3];
    let mut leader = mover;
    for trick in table.tricks() {
        if stopped {
            return Err("the deal went on after a total had reached the target".to_owned());
        }
        if trick.leader != leader {
            return Err(format!("seat {} leads to trick {}", trick.leader, trick.number));
        }
        led = trick.led;
        mover = if led == UNDECLARED { trick.leader } else { 1 - trick.leader };
        if let (Some(winner), Some(reply)) = (game.winner(&trick), trick.reply) {
            let lead = game.lead(trick.lead, table.declaration, false);
            let facts = [lead.beats.has(reply), !lead.follow.has(reply), super::TRUMPS.has(reply)];
            for (bits, fact) in replies.iter_mut().zip(facts) {
                *bits |= u32::from(fact) << (trick.number - 1);
            }
            leader = winner;
            scores[winner] += game.worth(trick.lead) + game.worth(reply);
            (mover, led) = (winner, NOTHING);
            stopped = scores[winner] + table.totals[winner] >= game.stop;
        }
    }
    if replies != [table.won, table.strayed, table.trumped] {
        return Err(format!("the replies won, strayed and trumped are {replies:?}"));
    }
    let is_over = stopped || usize::from(table.plays) == 2 * TRICKS;
    let mover = if is_over { NOBODY } else { mover as u8 };
    if (scores, mover, led) != (table.scores, table.mover, table.led) {
        return Err(format!("the cards played give scores {scores:?}, seat {mover} to move, line {led}"));
    }
    let ace_led = table.tricks().any(|trick| trick.lead == SPADE_ACE);
    if table.declaration.is_some() && !ace_led {
        return Err("AS is declared but was not led".to_owned());
    }
    Ok(())
}

/// A card that passed through a hand: the draws that can have brought it, first and last; draw 0 is the deal and draw t
/// follows trick t.
struct Stay {
    card: Card,
    from: usize,
    to: usize,
}

fn legal_past(game: &TwoTenJack, state: &State, seat: Seat) -> Result<(), String> {
    let table = &state.table;
    let draws = game.draws(table);
    let played = table.tricks().filter_map(|trick| trick.card_of(seat).map(|card| (card, trick.number)));
    let held = state.hands[seat].into_iter().map(|card| (card, TRICKS + 1));
    let mut stays: Vec<Stay> = played
        .chain(held)
        .map(|(card, until)| {
            let denials = table.tricks().filter(|trick| trick.leader != seat && trick.number < until);
            let last = denials.rev().find(|trick| game.denied(trick).has(card));
            Stay { card, from: last.map_or(0, |trick| trick.number), to: draws.min(until - 1) }
        })
        .collect();
    // Each draw brings the card that is needed soonest: if any order of drawing fits, this one does.
    for draw in 0..=draws {
        for _ in 0..if draw == 0 { game.rules().hand_size } else { 1 } {
            let ready = stays.iter().enumerate().filter(|(_, stay)| stay.from <= draw);
            let Some((place, _)) = ready.min_by_key(|(_, stay)| stay.to) else {
                return Err(format!("no card that seat {seat} can have got by draw {draw}"));
            };
            let stay = stays.swap_remove(place);
            if stay.to < draw {
                return Err(format!("seat {seat} cannot have got {} in time", stay.card));
            }
        }
    }
    match stays.first() {
        Some(stay) => Err(format!("seat {seat} has {} and has not drawn it", stay.card)),
        None => Ok(()),
    }
}
