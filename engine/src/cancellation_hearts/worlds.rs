//! The deals that fit what a seat knows, each drawn equally often.
//!
//! A deal here is a dealing of *physical* cards, two copies being two cards, together with the passes, every card
//! passed unseen being as likely as any other. A card on the table is one physical card and tells where it was; that
//! it was played tells what the rules make it tell and nothing about why it was chosen. What that comes to:
//!
//! - The unseen cards lie in *places*: the other hands and the kitty. A hand has as many free places as it has cards,
//!   less those it is known to hold: what the seat itself passed and the receiver has not played since.
//! - What a seat has shown not to hold are whole *classes* of cards: clubs but `2C`, `2C`, diamonds, spades but `QS`,
//!   `QS`, hearts. So how the classes fall onto the places decides whether a deal fits, and a fall that gives place p
//!   x(p, c) cards of class c stands for Π C(r(p, c), x(p, c)) deals, r(p, c) being what the places before p have left.
//! - These products are summed from the last place to the first, over all numbers of cards that may be left of each
//!   class. The places that may hold most come last: once the others are filled they take whatever is left, in any
//!   order. Classes that all places treat alike are one.
//! - In drawing, each place takes its numbers with the probability that the sums say, then the cards themselves.
//! - Every hand after the pass has as many subsets that it may have been passed as any other. So the passes that the seat
//!   did not see are drawn last, each any subset of the receiver's hand after the pass.
//!
//! Sums and products are of `f64`, since they exceed any integer type; additions and multiplications alone, which are
//! the same on every machine. Each rounds by at most 2⁻⁵³ of its result, far below what any number of draws can show.

use super::table::{Cards, Phase, TWO};
use super::{CancellationHearts, CancellationHeartsState, CancellationHeartsView};
use crate::game::{PerSeat, Worlds};
use crate::{Card, CardSet, Dice, MAX_PLAYERS, Suit};

const MOST_CLASSES: usize = 6;
const MOST_PLACES: usize = MAX_PLAYERS;
const MOST_CARDS: usize = 104;
/// Three players and two packs.
const LARGEST_HAND: usize = 34;
/// The place that is no seat.
const KITTY: u8 = MAX_PLAYERS as u8;

/// How many cards of each class.
type Counts = [u8; MOST_CLASSES];

/// What a seat may be shown to lack, it is shown to lack in whole sets of these.
const ATOMS: [CardSet; MOST_CLASSES] = {
    let two = CardSet::of(TWO).bits();
    let queen = CardSet::of(super::table::QUEEN).bits();
    [
        CardSet::from_bits(Suit::Clubs.cards().bits() & !two),
        CardSet::from_bits(two),
        Suit::Diamonds.cards(),
        CardSet::from_bits(Suit::Spades.cards().bits() & !queen),
        CardSet::from_bits(queen),
        Suit::Hearts.cards(),
    ]
};

/// Pascal's triangle: how many subsets of each size a set of each size has.
static SUBSETS: [[f64; LARGEST_HAND + 1]; MOST_CARDS + 1] = {
    let mut table = [[0.0; LARGEST_HAND + 1]; MOST_CARDS + 1];
    let mut of = 0;
    while of <= MOST_CARDS {
        table[of][0] = 1.0;
        let mut size = 1;
        while size <= LARGEST_HAND && of > 0 {
            table[of][size] = table[of - 1][size - 1] + table[of - 1][size];
            size += 1;
        }
        of += 1;
    }
    table
};

/// Where unseen cards may lie: a hand or the kitty.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// A seat, or [`KITTY`].
    owner: u8,
    /// How many unseen cards lie here.
    size: u8,
    /// The classes that may lie here, a bit each.
    classes: u8,
    /// The class of which at least one card lies here, if there is one.
    must_hold: Option<u8>,
}

/// The numbers of cards that may be left when the places before one are filled, as a box of a table. Of the first
/// class there is what is left over, so that it takes no dimension.
#[derive(Clone, Copy, Default, Debug)]
struct Layer {
    start: usize,
    least: Counts,
    most: Counts,
    /// How far apart in the table numbers are that differ by one card of a class.
    strides: [usize; MOST_CLASSES],
    /// Cards left of all classes.
    cards: u8,
}

impl Layer {
    /// Where the table has these numbers.
    fn cell(&self, left: &Counts) -> usize {
        (1..MOST_CLASSES).fold(self.start, |cell, class| {
            cell + usize::from(left[class] - self.least[class]) * self.strides[class]
        })
    }
}

/// The unseen cards and the places where they may lie, ready to be dealt.
#[derive(Clone, Debug)]
struct Filling {
    /// The unseen cards, class by class.
    cards: [Card; MOST_CARDS],
    /// Where each class begins.
    starts: [u8; MOST_CLASSES],
    counts: Counts,
    classes: usize,
    places: [Place; MOST_PLACES],
    len: usize,
    /// The places from here on treat all cards alike that the others can leave them.
    free: usize,
    layers: [Layer; MOST_PLACES],
    /// For each layer, how many ways there are to fill the places from there on.
    ways: Vec<f64>,
}

/// Draws deals that fit a view of cancellation hearts.
#[derive(Clone, Debug)]
pub struct CancellationHeartsWorlds {
    view: CancellationHeartsView,
    /// The cards that the receiver of the seat's own pass is known to hold.
    known: Cards,
    receiver: Option<usize>,
    filling: Filling,
    players: u8,
    pass_count: u8,
    /// How many cards each seat has picked so far, while picks are made.
    picks: PerSeat<u8>,
}

impl CancellationHeartsWorlds {
    /// Deals that fit the view, or all of it but the voids shown.
    pub(super) fn new(
        game: &CancellationHearts,
        view: &CancellationHeartsView,
        with_voids: bool,
    ) -> CancellationHeartsWorlds {
        let table = &view.table;
        let known = game.still_with_receiver(view);
        let receiver = game.receiver(view);
        let mut unseen = game.unseen(view);
        unseen.remove_all(&known);
        let mut picks = [0; MAX_PLAYERS];
        for seat in 0..game.players {
            picks[seat as usize] = game.picks_made(table, seat) as u8;
        }
        let places = (0..game.players).filter(|&seat| seat != view.seat).map(|seat| {
            let known = if receiver == Some(seat as usize) { known } else { Cards::EMPTY };
            let picked = usize::from(if table.phase == Phase::Pass { picks[seat as usize] } else { 0 });
            let size = game.cards_held(table, seat as usize) + picked - known.len();
            let may_hold = if with_voids { !table.cannot_hold[seat as usize] } else { CardSet::ALL };
            (seat, size, may_hold, seat == table.two_holder && !known.has(TWO))
        });
        let kitty = (KITTY, game.kitty_size() - view.kitty.len(), CardSet::ALL, false);
        let filling = Filling::new(&unseen, places.chain([kitty]));
        CancellationHeartsWorlds {
            view: *view,
            known,
            receiver,
            filling,
            players: game.players,
            pass_count: game.pass_count,
            picks,
        }
    }

    /// The seat that passes to `seat`.
    fn giver(&self, seat: usize) -> usize {
        let players = self.players as usize;
        (seat + players - self.view.table.pass_to as usize) % players
    }

    /// Takes what the other seats have picked so far out of their hands: of a random pass, the lowest cards.
    fn pick<D: Dice>(&self, state: &mut CancellationHeartsState, dice: &mut D) {
        for seat in (0..self.players as usize).filter(|&seat| seat != self.view.seat as usize) {
            if self.picks[seat] > 0 {
                let pass = random_part(state.hands[seat], self.pass_count, dice);
                state.passed[seat] = pass.iter().take(self.picks[seat] as usize).collect();
                state.hands[seat].remove_all(&state.passed[seat]);
            }
        }
        state.passed[self.view.seat as usize] = self.view.given;
    }

    /// Settles what each seat was passed.
    fn pass<D: Dice>(&self, state: &mut CancellationHeartsState, dice: &mut D) {
        for seat in 0..self.players as usize {
            let giver = self.giver(seat);
            state.passed[giver] = if seat == self.view.seat as usize {
                self.view.received
            } else if giver == self.view.seat as usize {
                self.view.given
            } else {
                random_part(state.began[seat], self.pass_count, dice)
            };
        }
    }
}

impl Worlds<CancellationHeartsState> for CancellationHeartsWorlds {
    fn sample<D: Dice>(&mut self, dice: &mut D) -> CancellationHeartsState {
        let mut places = [Cards::EMPTY; MAX_PLAYERS + 1];
        self.filling.draw(&mut places, dice);
        let mut hands: PerSeat<Cards> = std::array::from_fn(|seat| places[seat]);
        hands[self.view.seat as usize] = self.view.hand;
        if let Some(receiver) = self.receiver {
            hands[receiver].insert_all(&self.known);
        }
        let mut kitty = self.view.kitty;
        kitty.insert_all(&places[KITTY as usize]);
        let table = self.view.table;
        let mut began = self.view.played;
        if table.phase != Phase::Pass {
            began.iter_mut().zip(&hands).for_each(|(began, hand)| began.insert_all(hand));
        }
        let passed = [Cards::EMPTY; MAX_PLAYERS];
        let mut state = CancellationHeartsState { table, hands, began, passed, kitty };
        match table.phase {
            _ if table.pass_to == 0 => {}
            Phase::Pass => self.pick(&mut state, dice),
            _ => self.pass(&mut state, dice),
        }
        state
    }
}

/// Any `size` cards, each set of so many equally likely.
fn random_part<D: Dice>(mut cards: Cards, size: u8, dice: &mut D) -> Cards {
    (0..size).filter_map(|_| cards.take(dice)).collect()
}

impl Filling {
    /// Prepares to deal the cards to places, given as their owner, their size, the cards that may lie there, and whether
    /// a `2C` must.
    fn new(unseen: &Cards, given: impl Iterator<Item = (u8, usize, CardSet, bool)>) -> Filling {
        let nowhere = Place { owner: KITTY, size: 0, classes: 0, must_hold: None };
        let mut filling = Filling {
            cards: [TWO; MOST_CARDS],
            starts: [0; MOST_CLASSES],
            counts: [0; MOST_CLASSES],
            classes: 0,
            places: [nowhere; MOST_PLACES],
            len: 0,
            free: 0,
            layers: [Layer::default(); MOST_PLACES],
            ways: Vec::new(),
        };
        let mut allowed = [CardSet::EMPTY; MOST_PLACES];
        for (owner, size, may_hold, must_hold) in given.filter(|place| place.1 > 0) {
            let must_hold = (must_hold && unseen.has(TWO)).then_some(0);
            filling.places[filling.len] = Place { owner, size: size as u8, classes: 0, must_hold };
            allowed[filling.len] = may_hold;
            filling.len += 1;
        }
        filling.make_classes(unseen, &allowed);
        filling.order_places();
        filling.lay_out();
        filling.count_ways();
        filling
    }

    /// Sorts the cards into classes: atoms that may lie in the same places are one class, the largest class comes first.
    fn make_classes(&mut self, unseen: &Cards, allowed: &[CardSet; MOST_PLACES]) {
        let places = &self.places[..self.len];
        let single_two = places.iter().any(|place| place.must_hold.is_some());
        let signature = |atom: &CardSet| {
            let fits = (0..places.len()).filter(|&p| !(allowed[p] & *atom).is_empty());
            let marked = single_two && atom.has(TWO);
            fits.fold(u32::from(marked) << MOST_PLACES, |places, p| places | 1 << p)
        };
        let mut classes: [(usize, u32, CardSet); MOST_CLASSES] = [(0, 0, CardSet::EMPTY); MOST_CLASSES];
        let mut len = 0;
        for atom in ATOMS.into_iter().filter(|&atom| unseen.count_in(atom) > 0) {
            let fits = signature(&atom);
            let class = classes[..len].iter().position(|class| class.1 == fits).unwrap_or(len);
            len = len.max(class + 1);
            let cards = classes[class].2 | atom;
            classes[class] = (unseen.count_in(cards), fits, cards);
        }
        classes[..len].sort_by_key(|&(count, fits, _)| (usize::MAX - count, fits));
        self.classes = len;
        let mut next = 0;
        for (class, &(count, fits, cards)) in classes[..len].iter().enumerate() {
            self.starts[class] = next as u8;
            self.counts[class] = count as u8;
            for card in unseen.restrict(cards).iter() {
                self.cards[next] = card;
                next += 1;
            }
            for (p, place) in self.places[..self.len].iter_mut().enumerate() {
                place.classes |= ((fits >> p & 1) as u8) << class;
                if cards.has(TWO) {
                    place.must_hold = place.must_hold.map(|_| class as u8);
                }
            }
        }
    }

    /// Puts the places that may hold least first; those that may hold most come last and are free.
    fn order_places(&mut self) {
        let places = &mut self.places[..self.len];
        let key = |place: &Place| {
            (place.must_hold.is_none(), place.classes.count_ones(), place.classes, place.size)
        };
        places.sort_by_key(|place| (key(place), place.owner));
        let last = places.last().map_or(0, |place| place.classes);
        self.free =
            places.iter().position(|place| place.classes == last && place.must_hold.is_none()).unwrap_or(0);
    }

    /// Finds for each place that is not free how many cards of each class may be left for it, and for the free ones,
    /// which take them in one way.
    fn lay_out(&mut self) {
        let total = self.counts.iter().sum::<u8>();
        let mut start = 0;
        let mut filled = 0;
        for l in 0..=self.free {
            let mut layer = Layer { start, cards: total - filled, ..Layer::default() };
            let mut size = 1;
            for class in 0..self.classes {
                let room = |places: &[Place]| -> u8 {
                    let fits = places.iter().filter(|place| place.classes >> class & 1 != 0);
                    fits.map(|place| place.size).sum()
                };
                let count = self.counts[class];
                layer.least[class] = count - count.min(room(&self.places[..l]));
                layer.most[class] = count.min(room(&self.places[l..self.len]));
                if class > 0 && l < self.free {
                    layer.strides[class] = size;
                    size *= usize::from(layer.most[class] - layer.least[class]) + 1;
                }
            }
            self.layers[l] = layer;
            start += size;
            filled += self.places[l].size;
        }
        self.ways = vec![1.0; start];
    }

    /// Fills the table, last layer first.
    fn count_ways(&mut self) {
        for l in (0..self.free).rev() {
            let layer = self.layers[l];
            let mut left = layer.least;
            let mut cell = layer.start;
            loop {
                let others: u8 = left[1..].iter().sum();
                let mut ways = 0.0;
                let possible = layer.least[0]..=layer.most[0];
                if let Some(first) = layer.cards.checked_sub(others).filter(|first| possible.contains(first))
                {
                    left[0] = first;
                    self.each_share(l, &left, |_, share| {
                        ways += share;
                        false
                    });
                }
                self.ways[cell] = ways;
                cell += 1;
                let step = (1..self.classes).find(|&class| left[class] < layer.most[class]);
                let Some(step) = step else { break };
                left[step] += 1;
                left[1..step].copy_from_slice(&layer.least[1..step]);
            }
        }
    }

    /// Goes through the shares that place `l` can take of the cards left, each with the number of ways to take it and
    /// fill the places after it, until `visit` says that it has seen enough.
    fn each_share(&self, l: usize, left: &Counts, mut visit: impl FnMut(&Counts, f64) -> bool) {
        let mut share = [0; MOST_CLASSES];
        let cell = self.layers[l + 1].start;
        self.next_class(l, 0, self.places[l].size, left, &mut share, (1.0, cell), &mut visit);
    }

    /// Goes on from a share of the classes before `class`, which can be taken in so many ways and leads to that cell of
    /// the next layer if of all other classes the least is left.
    #[expect(clippy::too_many_arguments, reason = "a recursion whose arguments are its loop variables")]
    fn next_class(
        &self,
        l: usize,
        class: usize,
        missing: u8,
        left: &Counts,
        share: &mut Counts,
        (ways, cell): (f64, usize),
        visit: &mut impl FnMut(&Counts, f64) -> bool,
    ) -> bool {
        if class == self.classes {
            return visit(share, ways * self.ways[cell]);
        }
        let (place, next, left_here) = (&self.places[l], &self.layers[l + 1], left[class]);
        let open = place.classes >> class & 1 != 0;
        let is_last = place.classes >> class >> 1 == 0;
        let least = u8::from(place.must_hold == Some(class as u8))
            .max(if is_last { missing } else { 0 })
            .max(left_here.saturating_sub(next.most[class]));
        let most = if open { missing.min(left_here.saturating_sub(next.least[class])) } else { 0 };
        for take in least..=most {
            share[class] = take;
            let ways = ways * SUBSETS[left_here as usize][take as usize];
            let cell = cell + usize::from(left_here - take - next.least[class]) * next.strides[class];
            if self.next_class(l, class + 1, missing - take, left, share, (ways, cell), visit) {
                return true;
            }
        }
        share[class] = 0;
        false
    }

    /// Deals the cards into the places.
    fn draw<D: Dice>(&mut self, owned: &mut [Cards; MAX_PLAYERS + 1], dice: &mut D) {
        let mut left = self.counts;
        for l in 0..self.free {
            let share = self.draw_share(l, &left, dice);
            let place = &mut owned[self.places[l].owner as usize];
            for (class, &count) in share[..self.classes].iter().enumerate() {
                for _ in 0..count {
                    place.insert(self.draw_card(class, &mut left, dice));
                }
            }
        }
        self.draw_free(&left, owned, dice);
    }

    /// Draws how many cards of each class place `l` gets.
    fn draw_share<D: Dice>(&self, l: usize, left: &Counts, dice: &mut D) -> Counts {
        // 2⁻⁵³ times a whole number below 2⁵³: every step up to 1 equally likely.
        let unit = (dice.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0);
        let threshold = unit * self.ways[self.layers[l].cell(left)];
        let mut sum = 0.0;
        let mut chosen = [0; MOST_CLASSES];
        self.each_share(l, left, |share, ways| {
            // The last share that is possible at all stands in for a threshold rounded up to the whole.
            if ways > 0.0 {
                chosen = *share;
            }
            sum += ways;
            sum > threshold
        });
        chosen
    }

    /// Draws a card of a class, each equally likely, and moves it behind those that are left of the class.
    fn draw_card<D: Dice>(&mut self, class: usize, left: &mut Counts, dice: &mut D) -> Card {
        let start = self.starts[class] as usize;
        let place = start + dice.below(u32::from(left[class])) as usize;
        left[class] -= 1;
        let last = start + left[class] as usize;
        self.cards.swap(place, last);
        self.cards[last]
    }

    /// Deals whatever is left into the free places.
    fn draw_free<D: Dice>(&self, left: &Counts, owned: &mut [Cards; MAX_PLAYERS + 1], dice: &mut D) {
        let mut cards = [TWO; MOST_CARDS];
        let mut len = 0;
        for (&start, &count) in self.starts.iter().zip(left).take(self.classes) {
            let (start, count) = (start as usize, count as usize);
            cards[len..len + count].copy_from_slice(&self.cards[start..start + count]);
            len += count;
        }
        for place in &self.places[self.free..self.len] {
            let place_cards = &mut owned[place.owner as usize];
            for _ in 0..place.size {
                let drawn = dice.below(len as u32) as usize;
                len -= 1;
                cards.swap(drawn, len);
                place_cards.insert(cards[len]);
            }
        }
    }
}
