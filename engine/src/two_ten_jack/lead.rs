//! What each lead asks for: the rules of following and winning, compiled into a table.

use crate::{Card, CardSet, Suit};

use super::position::ACE_AS_SPADE;
use super::{FollowWhileStock, SPADE_ACE, SpadeAce, TRUMPS, TwoTenJackRules};

/// What a lead asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lead {
    /// The cards that follow; one of them must be played by whoever holds any.
    pub follow: CardSet,
    /// The cards that win the trick when played second.
    pub beats: CardSet,
}

/// A line for each card by its index, and those for what is no card of its own; while the stock lasts, and afterwards.
pub(super) type Leads = [[Lead; 64]; 2];

pub(super) fn compile(rules: &TwoTenJackRules) -> Leads {
    let mut leads = [Lead { follow: CardSet::ALL, beats: CardSet::EMPTY }; 64];
    for card in Card::all() {
        let suit = card.suit().cards();
        let higher = CardSet::from_bits(suit.bits() >> (card.index() + 1) << (card.index() + 1));
        leads[card.index()] = match card.suit() {
            Suit::Hearts => Lead { follow: TRUMPS, beats: higher | CardSet::of(SPADE_ACE) },
            _ => Lead { follow: suit, beats: higher | TRUMPS },
        };
    }
    leads[SPADE_ACE.index()] = Lead { follow: Suit::Hearts.cards(), beats: CardSet::EMPTY };
    let beats = match rules.spade_ace {
        SpadeAce::AlwaysTopTrump => CardSet::EMPTY,
        SpadeAce::AsDeclared => Suit::Hearts.cards(),
    };
    leads[usize::from(ACE_AS_SPADE)] = Lead { follow: Suit::Spades.cards(), beats };
    let free = leads.map(|lead| Lead { follow: CardSet::ALL, ..lead });
    match rules.follow_while_stock {
        FollowWhileStock::Strict => [leads, leads],
        FollowWhileStock::Free => [free, leads],
    }
}
