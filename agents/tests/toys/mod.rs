//! Games so small that everything about them is known, behind the same traits as the real ones.

#![allow(unreachable_pub)] // a test program uses all of it

use std::fmt::Debug;

use dealt_agents::search::Objective;
use dealt_agents::{GreedyGame, Parameters, SearchGame, Weights};
use dealt_engine::rules::OptionInfo;
use dealt_engine::{
    Bag, Card, Dice, EventInfo, Game, Layout, MAX_EVENTS, MAX_PLAYERS, Move, Moves, PerSeat, Preset,
    RuleError, Rules, Seat, Standing, Stock, Worlds,
};
use serde::{Deserialize, Serialize};

/// A game of one deal for two, stripped of everything that search does not look at.
pub trait Toy: Copy + Debug + Send + Sync + 'static {
    type State: Copy + PartialEq + Debug + Send + Sync;
    type View: Copy + PartialEq + Debug + Send + Sync;
    /// From a bad result to a good one, as a margin.
    const SPREAD: f64;
    fn turn(state: &Self::State) -> Option<Seat>;
    fn legal(state: &Self::State) -> Moves;
    fn play(state: &mut Self::State, mv: Move);
    fn is_hidden(_: &Self::State) -> bool {
        false
    }
    fn scores(state: &Self::State) -> [i32; 2];
    fn view(state: &Self::State, seat: Seat) -> Self::View;
    fn sample<D: Dice>(view: &Self::View, dice: &mut D) -> Self::State;
}

/// A toy with the rest of what a game is.
#[derive(Clone, Copy, Debug)]
pub struct Whole<T>(pub T);

/// No options.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct NoRules {}

impl Rules for NoRules {
    const OPTIONS: &'static [OptionInfo] = &[];
}

/// No weights.
#[derive(Clone, Copy, Debug)]
pub struct NoWeights;

impl Weights for NoWeights {
    const PARAMETERS: &'static [dealt_agents::ParameterInfo] = &[];
    fn from_parameters(_: &Parameters) -> NoWeights {
        NoWeights
    }
}

pub struct ToyWorlds<T: Toy>(T::View);

impl<T: Toy> Worlds<T::State> for ToyWorlds<T> {
    fn sample<D: Dice>(&mut self, dice: &mut D) -> T::State {
        T::sample(&self.0, dice)
    }
}

fn two(scores: [i32; 2]) -> PerSeat<i32> {
    let mut all = [0; MAX_PLAYERS];
    all[..2].copy_from_slice(&scores);
    all
}

impl<T: Toy> Game for Whole<T> {
    const NAME: &'static str = "toy";
    const ABOUT: &'static str = "a toy";
    const PLAYERS: (usize, usize) = (2, 2);
    const LOWEST_WINS: bool = false;
    const WORDS: &'static [&'static str] = &["zero", "one", "two"];
    const REST: &'static str = "stock";
    const EVENTS: &'static [EventInfo] = &[];
    const PRESETS: &'static [Preset] = &[];
    type Rules = NoRules;
    type State = T::State;
    type View = (Seat, T::View, Moves);
    type Worlds = ToyWorlds<T>;

    fn new(_: NoRules) -> Result<Self, RuleError> {
        unreachable!("a toy is written down")
    }
    fn rules(&self) -> &NoRules {
        &NoRules {}
    }
    fn players(&self) -> usize {
        2
    }
    fn first_dealer(&self) -> Option<Seat> {
        None
    }
    fn pack(&self) -> &[Card] {
        &[]
    }
    fn layout(&self, _: &Standing) -> Layout {
        Layout { hand: 0, upcard: false }
    }
    fn deal<S: Stock>(&self, _: &Standing, _: &mut S) -> T::State {
        unreachable!("positions are written down")
    }
    fn turn(&self, state: &T::State) -> Option<Seat> {
        T::turn(state)
    }
    fn legal_moves(&self, state: &T::State) -> Moves {
        T::legal(state)
    }
    fn play_unchecked<S: Stock>(&self, state: &mut T::State, mv: Move, _: &mut S) {
        T::play(state, mv);
    }
    fn is_hidden(&self, state: &T::State) -> bool {
        T::is_hidden(state)
    }
    fn facts(&self, _: &Self::View) -> serde_json::Map<String, serde_json::Value> {
        unreachable!("no toy is told to another program")
    }
    fn scores(&self, state: &T::State) -> PerSeat<i32> {
        two(T::scores(state))
    }
    fn events(&self, _: &T::State) -> [Option<i32>; MAX_EVENTS] {
        [None; MAX_EVENTS]
    }
    fn after(&self, standing: &Standing, _: &T::State) -> Standing {
        Standing { deals: standing.deals + 1, ..*standing }
    }
    fn is_over(&self, standing: &Standing) -> bool {
        standing.deals > 0
    }
    fn view(&self, state: &T::State, seat: Seat) -> Self::View {
        let legal = if T::turn(state) == Some(seat) { T::legal(state) } else { Moves::EMPTY };
        (seat, T::view(state, seat), legal)
    }
    fn seat(&self, view: &Self::View) -> Seat {
        view.0
    }
    fn legal_moves_in_view(&self, view: &Self::View) -> Moves {
        view.2
    }
    fn worlds(&self, view: &Self::View) -> ToyWorlds<T> {
        ToyWorlds(view.1)
    }
    fn hand(&self, _: &T::State, _: Seat) -> Bag {
        Bag::EMPTY
    }
    fn audit(&self, _: &T::State) -> Result<(), String> {
        Ok(())
    }
    fn describe(&self, state: &T::State) -> String {
        format!("{state:?}")
    }
}

impl<T: Toy> GreedyGame for Whole<T> {
    type Weights = NoWeights;
    fn greedy(&self, _: &NoWeights, _: &Self::View, legal: Moves) -> Move {
        legal.lowest().unwrap()
    }
}

impl<T: Toy> SearchGame for Whole<T> {
    fn spread(&self, _: &T::State) -> f64 {
        T::SPREAD
    }
    fn settle(&self, _: &T::State, _: &Objective<'_, Self>) -> Option<PerSeat<i32>> {
        None
    }
}

/// Nim: take one, two or three from one of three heaps; whoever takes the last one wins.
#[derive(Clone, Copy, Debug)]
pub struct Nim;

pub type Heaps = ([u8; 3], Seat);

impl Toy for Nim {
    type State = Heaps;
    type View = Heaps;
    const SPREAD: f64 = 4.0;
    fn turn(state: &Heaps) -> Option<Seat> {
        (state.0 != [0; 3]).then_some(state.1)
    }
    fn legal(&(heaps, _): &Heaps) -> Moves {
        let moves =
            (0..3).flat_map(|heap| (1..=heaps[heap].min(3)).map(move |take| 4 * heap + take as usize));
        moves.filter_map(Move::from_index).collect()
    }
    fn play(state: &mut Heaps, mv: Move) {
        state.0[mv.index() / 4] -= (mv.index() % 4) as u8;
        state.1 = 1 - state.1;
    }
    fn scores(state: &Heaps) -> [i32; 2] {
        // Whoever is to move has lost.
        if state.1 == 0 { [-1, 1] } else { [1, -1] }
    }
    fn view(state: &Heaps, _: Seat) -> Heaps {
        *state
    }
    fn sample<D: Dice>(view: &Heaps, _: &mut D) -> Heaps {
        *view
    }
}

/// Whether whoever is to move wins, by trying everything.
pub fn nim_is_won(state: &Heaps) -> bool {
    Nim::legal(state).into_iter().any(|mv| {
        let mut after = *state;
        Nim::play(&mut after, mv);
        !nim_is_won(&after)
    })
}

/// Kuhn's poker: a jack, a queen and a king, one each; `zero` is to check or fold, `one` to bet or call.
#[derive(Clone, Copy, Debug)]
pub struct Kuhn;

pub const PASS: Move = Move::word(0);
pub const BET: Move = Move::word(1);

/// Cards (0 the jack), and whether each move so far was a bet.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hands {
    pub cards: [u8; 2],
    pub bets: [bool; 3],
    pub moves: usize,
}

impl Toy for Kuhn {
    type State = Hands;
    type View = (Seat, u8, [bool; 3], usize);
    const SPREAD: f64 = 8.0;
    fn turn(state: &Hands) -> Option<Seat> {
        let over =
            matches!((&state.bets[..state.moves], state.moves), ([_, false], _) | ([true, _], _) | (_, 3));
        (!over || state.bets[..state.moves] == [false, true]).then_some(state.moves % 2)
    }
    fn legal(_: &Hands) -> Moves {
        Moves::of(PASS) | Moves::of(BET)
    }
    fn play(state: &mut Hands, mv: Move) {
        state.bets[state.moves] = mv == BET;
        state.moves += 1;
    }
    fn scores(state: &Hands) -> [i32; 2] {
        let highest = if state.cards[0] > state.cards[1] { [1, -1] } else { [-1, 1] };
        match &state.bets[..state.moves] {
            [true, false] => [1, -1],
            [false, true, false] => [-1, 1],
            [false, false] => highest,
            _ => highest.map(|points| 2 * points),
        }
    }
    fn view(state: &Hands, seat: Seat) -> Self::View {
        (seat, state.cards[seat], state.bets, state.moves)
    }
    fn sample<D: Dice>(&(seat, card, bets, moves): &Self::View, dice: &mut D) -> Hands {
        let other = (card + 1 + dice.below(2) as u8) % 3;
        let cards = if seat == 0 { [card, other] } else { [other, card] };
        Hands { cards, bets, moves }
    }
}

/// One hides a coin under one of three cups, the other lifts one. Found, the coin is the finder's; otherwise it pays the
/// number of the cup.
#[derive(Clone, Copy, Debug)]
pub struct Cups;

/// The cup, the one lifted.
pub type Hidden = (Option<usize>, Option<usize>);

impl Toy for Cups {
    type State = Hidden;
    type View = (Seat, Hidden);
    const SPREAD: f64 = 6.0;
    fn turn(state: &Hidden) -> Option<Seat> {
        match state {
            (None, _) => Some(0),
            (_, None) => Some(1),
            _ => None,
        }
    }
    fn legal(_: &Hidden) -> Moves {
        (0..3).map(Move::word).collect()
    }
    fn play(state: &mut Hidden, mv: Move) {
        let place = if state.0.is_none() { &mut state.0 } else { &mut state.1 };
        *place = mv.as_word();
    }
    fn is_hidden(state: &Hidden) -> bool {
        state.0.is_none()
    }
    fn scores(state: &Hidden) -> [i32; 2] {
        let (cup, lifted) = (state.0.unwrap() as i32, state.1.unwrap() as i32);
        if cup == lifted { [-1, 1] } else { [1 + cup, -1 - cup] }
    }
    fn view(state: &Hidden, seat: Seat) -> Self::View {
        (seat, if seat == 0 { *state } else { (state.0.map(|_| usize::MAX), state.1) })
    }
    fn sample<D: Dice>(&(_, (cup, lifted)): &Self::View, dice: &mut D) -> Hidden {
        (cup.map(|cup| if cup == usize::MAX { dice.below(3) as usize } else { cup }), lifted)
    }
}
