//! The table: plays one game among agents, and notes what it came to.
//!
//! Everything here is done once for each move of millions of games, so it allocates nothing and asks nobody who need
//! not be asked: a forced move is made at once, and a view or dice are made only for an agent that looks at them. The
//! table trusts the game and nobody else: what an agent answers is checked, and one that panics has failed as a program
//! fails that crashes.

use std::fmt;

use dealt_agents::{Agent, Failed, Player, Turn};
use dealt_engine::{
    Bag, Card, CardBag, CardSet, Game, IllegalMove, MAX_EVENTS, MAX_PLAYERS, Move, Moves, Pack, PerSeat,
    Seat, Standing, Stock,
};
use rand_chacha::ChaCha8Rng;

use crate::forfeit::{self, Forfeit};
use crate::panics::caught;
use crate::recorder::{GameHead, Recorder};
use crate::remembered::Answer;
use crate::seating::Order;
use crate::streams::Streams;
use crate::thinking::Thinking;

/// A table for a game, with the memory that its games need.
#[derive(Debug)]
pub struct Table<G: Game> {
    game: G,
    streams: Streams,
    pack: Pack<ChaCha8Rng>,
    counts_events: bool,
    seats: PerSeat<Place>,
    /// One for each agent.
    thinking: Vec<Thinking>,
    /// What was answered in this game by those who were asked, but for `random`.
    answers: Vec<Answer>,
    /// How an agent that has failed is had anew, if that costs it the game and not the run.
    anew: Option<Anew<G>>,
    course: Course,
}

/// Gives the agent of a place in the list anew.
struct Anew<G: Game>(Box<dyn Fn(usize) -> Player<G> + Send>);

impl<G: Game> fmt::Debug for Anew<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Anew")
    }
}

/// A seat at the table during a game.
#[derive(Clone, Copy, Default, Debug)]
struct Place {
    /// Whose it is, by its place in the list of agents.
    agent: usize,
    /// What its dice are keyed with.
    key: u64,
    /// How often its agent was asked.
    asked: u64,
    /// How often it was to move.
    decisions: u32,
    /// Whether its agent is asked no more in this game.
    has_forfeited: bool,
}

/// What a game came to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Course {
    /// The seat that acted first.
    pub first_to_act: Seat,
    /// Each deal's scores.
    pub deals: Vec<PerSeat<i32>>,
    /// The final totals, those who forfeited behind all others.
    pub totals: PerSeat<i32>,
    /// Whether a guard ended the game or a deal of it.
    pub capped: bool,
    /// How often each seat was to move.
    pub decisions: PerSeat<u32>,
    /// How often it then had one legal move only.
    pub forced: PerSeat<u32>,
    /// The legal moves of all decisions, counted together.
    pub branches: u64,
    /// How often the turn came to a seat that had not just moved.
    pub turns: u64,
    /// The game's events, where they are counted: sums, and in how many deals there was something to count.
    pub events: [(i64, u32); MAX_EVENTS],
    /// For each card by its index, where cards are counted, over all seats that were dealt it (a second time where they
    /// hold two): the sum of their scores of the deal times the players less those of all, and how many they are.
    pub cards: Vec<(i64, u32)>,
    /// The seats that forfeited, in the order in which they did.
    pub forfeits: Vec<Forfeit>,
}

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub struct Fixture<'f> {
    /// Which game of the run it is.
    pub head: GameHead<'f>,
    /// Whose agent sits where, by its place in the list of agents.
    pub order: &'f Order,
    /// What each seat's dice are keyed with.
    pub keys: &'f PerSeat<u64>,
}

/// An agent failed, and the game was broken off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Foul {
    /// The seat.
    pub seat: Seat,
    /// The agent's label.
    pub agent: String,
    /// The name of the game.
    pub game: &'static str,
    /// The game's index in the run.
    pub index: u64,
    /// The deal, from 1.
    pub deal: u32,
    /// The move of the deal, from 1.
    pub number: u64,
    /// What it did.
    pub what: Offence,
}

/// What an agent does that fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Offence {
    /// A move that is not legal.
    Illegal(IllegalMove),
    /// It panicked: what it said, and where.
    Panicked(String),
    /// A player from outside failed.
    Failed(Box<Failed>),
}

/// The fault, in a line that completes a sentence about the agent.
impl fmt::Display for Offence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Offence::Illegal(illegal) => write!(f, "its move {illegal}"),
            Offence::Panicked(fault) => f.write_str(fault),
            Offence::Failed(failed) => f.write_str(&failed.fault),
        }
    }
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Foul { seat, agent, game, index, deal, number, what } = self;
        let place = format!("game {index}, deal {deal}, move {number}");
        write!(f, "agent `{agent}` in seat {seat} ")?;
        match what {
            Offence::Illegal(illegal) => write!(f, "broke the rules of {game} in {place}: {illegal}"),
            Offence::Panicked(fault) => write!(f, "failed in {game}, {place}: {fault}"),
            Offence::Failed(failed) => write!(f, "failed in {game}, {place}: {failed}"),
        }
    }
}

impl std::error::Error for Foul {}

impl Foul {
    /// The fault with its place in the game.
    #[must_use]
    pub fn fault(&self) -> Forfeit {
        Forfeit { seat: self.seat, deal: self.deal, number: self.number, fault: self.what.to_string() }
    }
}

impl Place {
    /// The move that is made for a seat that has forfeited.
    fn stand_in(&self, legal: Moves) -> Option<Move> {
        self.has_forfeited.then(|| forfeit::stand_in(legal))
    }
}

impl<G: Game> Table<G> {
    /// A table for a game, with the streams of a run. Without `counts_events` the game's own events are not counted.
    pub fn new(game: G, streams: Streams, counts_events: bool) -> Table<G> {
        let pack = Pack::new(game.pack(), streams.deal(0, 0));
        Table {
            game,
            streams,
            pack,
            counts_events,
            seats: PerSeat::default(),
            thinking: Vec::new(),
            answers: Vec::new(),
            anew: None,
            course: Course::default(),
        }
    }

    /// The same table, where an agent that fails forfeits its game and the next one goes on: with the agent that `anew` gives
    /// for its place in the list, since the memory of the one that failed may be broken. Players from outside stop the game
    /// still if they say so.
    #[must_use]
    pub fn forfeiting(self, anew: impl Fn(usize) -> Player<G> + Send + 'static) -> Table<G> {
        Table { anew: Some(Anew(Box::new(anew))), ..self }
    }

    /// How long each agent took for its decisions; measuring starts anew.
    pub fn take_thinking(&mut self) -> Vec<Thinking> {
        std::mem::take(&mut self.thinking)
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The streams of the run.
    pub(crate) fn streams(&self) -> &Streams {
        &self.streams
    }

    /// What was answered in the last game by those who were asked, but for `random`.
    pub(crate) fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// What the last game came to, or had come to when it was broken off.
    pub(crate) fn course(&self) -> &Course {
        &self.course
    }

    /// Plays a game.
    ///
    /// # Errors
    /// If an agent panics, makes a move that is not legal or fails in another way, and does not merely forfeit the game.
    pub fn play<R: Recorder>(
        &mut self,
        fixture: &Fixture<'_>,
        agents: &mut [Player<G>],
        recorder: &mut R,
    ) -> Result<&Course, Box<Foul>> {
        self.seat(fixture);
        self.thinking.resize(agents.len().max(self.thinking.len()), Thinking::default());
        recorder.game_starts(&self.game, &fixture.head);
        let mut standing = self.game.start(fixture.head.first_dealer);
        while !self.game.is_over(&standing) {
            let dice = self.streams.deal(fixture.head.block, standing.deals);
            self.pack.reset(self.game.pack(), dice);
            if R::RECORDS {
                recorder.deal_starts(&self.game, &standing, &self.pack.rest());
            }
            let mut state = self.game.deal(&standing, &mut self.pack);
            if standing.deals == 0 {
                self.course.first_to_act = self.game.turn(&state).unwrap_or(0);
            }
            let hands = self.counts_events.then(|| self.hands(&state));
            let played = self.play_deal(&standing, &mut state, agents, recorder);
            played.map_err(|stray| stray.foul::<G>(fixture, standing.deals))?;
            let after = self.game.after(&standing, &state);
            recorder.deal_ends(&self.game, &state, &after);
            self.course.deals.push(self.game.scores(&state));
            if self.counts_events {
                self.course.count_events(self.game.events(&state));
            }
            if let Some(hands) = hands {
                self.course.count_cards(&hands[..self.game.players()], &self.game.scores(&state));
            }
            standing = after;
        }
        forfeit::settle(&self.game, &mut standing, &self.course.forfeits);
        recorder.game_ends(&self.game, &standing);
        self.course.finish(&standing, &self.seats);
        Ok(&self.course)
    }

    /// What each seat holds.
    fn hands(&self, state: &G::State) -> PerSeat<Bag> {
        let mut hands = [Bag::EMPTY; MAX_PLAYERS];
        let seats = hands.iter_mut().take(self.game.players()).enumerate();
        seats.for_each(|(seat, hand)| *hand = self.game.hand(state, seat));
        hands
    }

    /// Makes ready for a game.
    fn seat(&mut self, fixture: &Fixture<'_>) {
        self.course.clear();
        self.answers.clear();
        self.seats = PerSeat::default();
        for ((place, &agent), &key) in self.seats.iter_mut().zip(fixture.order).zip(fixture.keys) {
            *place = Place { agent: usize::from(agent), key, ..Place::default() };
        }
    }

    fn play_deal<R: Recorder>(
        &mut self,
        standing: &Standing,
        state: &mut G::State,
        agents: &mut [Player<G>],
        recorder: &mut R,
    ) -> Result<(), Stray> {
        let Table { game, pack, course, seats, thinking, answers, anew, .. } = self;
        let mut last = MAX_PLAYERS;
        let [mut number, mut branches, mut turns] = [0_u64; 3];
        while let Some(seat) = game.turn(state) {
            let legal = game.legal_moves(state);
            let place = &mut seats[seat];
            number += 1;
            place.decisions += 1;
            branches += legal.len() as u64;
            turns += u64::from(seat != last);
            last = seat;
            let turn = Turn::new(game, standing, state, seat, legal, place.key, place.asked);
            // Nobody is asked for a move that is forced, but for `random`, where that would gain nothing: whether it is
            // forced cannot be foretold, and a branch mispredicted costs more than the choice among one.
            let mv = match &mut agents[place.agent] {
                Player::Random(random) => random.decide(&turn),
                player => match legal.only().or_else(|| place.stand_in(legal)) {
                    Some(mv) => mv,
                    None => {
                        match ask(player, &turn, state, place.asked, &mut thinking[place.agent], recorder) {
                            Ok(mv) => {
                                answers.push(Answer::new(place.agent, Some(mv)));
                                mv
                            }
                            Err(what) if what.forfeits(anew.is_some()) => {
                                answers.push(Answer::new(place.agent, None));
                                place.has_forfeited = true;
                                let deal = standing.deals + 1;
                                let forfeit = Forfeit { seat, deal, number, fault: what.to_string() };
                                recorder.forfeited(&forfeit);
                                course.forfeits.push(forfeit);
                                if let Some(anew) = anew {
                                    *player = (anew.0)(place.agent);
                                }
                                forfeit::stand_in(legal)
                            }
                            Err(what) => return Err(Stray { seat, number, what }),
                        }
                    }
                },
            };
            place.asked += u64::from(legal.len() > 1);
            debug_assert!(legal.has(mv));
            if R::RECORDS {
                let mut noting = Noting { pack: &mut *pack, rebuilt: None };
                game.play_unchecked(state, mv, &mut noting);
                recorder.moved(game, seat, mv, legal, noting.rebuilt.as_deref());
            } else {
                game.play_unchecked(state, mv, pack);
            }
        }
        course.branches += branches;
        course.turns += turns;
        Ok(())
    }
}

impl Course {
    /// Forgets the game before, but keeps the memory.
    fn clear(&mut self) {
        let (mut deals, mut cards) = (std::mem::take(&mut self.deals), std::mem::take(&mut self.cards));
        deals.clear();
        cards.fill((0, 0));
        *self = Course { deals, cards, ..Course::default() };
    }

    fn finish(&mut self, standing: &Standing, seats: &PerSeat<Place>) {
        self.totals = standing.totals;
        self.capped = standing.capped;
        self.decisions = seats.map(|place| place.decisions);
        self.forced = seats.map(|place| place.decisions - place.asked as u32);
    }

    fn count_events(&mut self, events: [Option<i32>; MAX_EVENTS]) {
        for ((sum, times), event) in self.events.iter_mut().zip(events) {
            *sum += i64::from(event.unwrap_or(0));
            *times += u32::from(event.is_some());
        }
    }

    /// Counts what each card was worth to those who were dealt it.
    fn count_cards(&mut self, hands: &[Bag], scores: &PerSeat<i32>) {
        self.cards.resize(CardSet::ALL.len(), (0, 0));
        let all: i64 = scores[..hands.len()].iter().copied().map(i64::from).sum();
        for (hand, &score) in hands.iter().zip(scores) {
            let ahead = i64::from(score) * hands.len() as i64 - all;
            for card in hand.faces() {
                let (sum, holders) = &mut self.cards[card.index()];
                *sum += ahead * hand.count(card) as i64;
                *holders += hand.count(card) as u32;
            }
        }
    }
}

/// Asks a player for a move, its next one of the game after `before` others, and what it thought if somebody notes that.
fn ask<G: Game, R: Recorder>(
    player: &mut Player<G>,
    turn: &Turn<'_, G>,
    state: &G::State,
    before: u64,
    thinking: &mut Thinking,
    recorder: &mut R,
) -> Result<Move, Box<Offence>> {
    let decided = caught(|| {
        let decided = thinking.time(before, || player.decide(turn, state));
        if R::RECORDS && decided.is_ok() && recorder.wants_notes() {
            recorder.noted(player.explain());
        }
        decided
    });
    let legal = turn.legal_moves();
    match decided {
        Ok(Ok(mv)) if legal.has(mv) => return Ok(mv),
        _ => recorder.noted(None),
    }
    let name = |mv: Move| mv.name(G::WORDS);
    Err(Box::new(match decided {
        Ok(Ok(mv)) => {
            Offence::Illegal(IllegalMove { given: name(mv), legal: legal.into_iter().map(name).collect() })
        }
        Ok(Err(failed)) => Offence::Failed(failed),
        Err(fault) => Offence::Panicked(fault),
    }))
}

impl Offence {
    /// Whether the game is forfeited and the run goes on: `others` for all that are no players from outside.
    fn forfeits(&self, others: bool) -> bool {
        match self {
            Offence::Failed(failed) => failed.forfeits,
            Offence::Illegal(_) | Offence::Panicked(_) => others,
        }
    }
}

/// A fault that breaks the game off, while the deal is played.
struct Stray {
    seat: Seat,
    /// The move of the deal, from 1.
    number: u64,
    what: Box<Offence>,
}

impl Stray {
    /// What the user is told of it, after so many deals.
    fn foul<G: Game>(self, fixture: &Fixture<'_>, deals: u32) -> Box<Foul> {
        let Stray { seat, number, what } = self;
        let GameHead { index, agents, .. } = fixture.head;
        let agent = agents[seat].to_owned();
        Box::new(Foul { seat, agent, game: G::NAME, index, deal: deals + 1, number, what: *what })
    }
}

/// Notes the order of a rebuilt stock.
struct Noting<'p> {
    pack: &'p mut Pack<ChaCha8Rng>,
    rebuilt: Option<Vec<Card>>,
}

impl Stock for Noting<'_> {
    fn draw<const PLANES: usize>(&mut self, left: &CardBag<PLANES>) -> Card {
        self.pack.draw(left)
    }

    fn rebuild<const PLANES: usize>(&mut self, cards: &CardBag<PLANES>) {
        self.pack.rebuild(cards);
        self.rebuilt = Some(self.pack.rest());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::NoRecorder;
    use dealt_agents::{AgentSpec, SearchGame};
    use dealt_engine::{Script, TwoTenJack, TwoTenJackRules};

    /// Plays the move of the lowest index, legal or not.
    struct Cheat;

    impl<G: Game> Agent<G> for Cheat {
        fn decide(&mut self, turn: &Turn<'_, G>) -> Move {
            (!turn.legal_moves()).lowest().unwrap()
        }
    }

    /// Checks every call of a recorder against a replay of its own.
    #[derive(Default)]
    struct Replay {
        state: Option<<TwoTenJack as Game>::State>,
        script: Script,
        moves: u64,
        deals: u32,
    }

    fn table() -> Table<TwoTenJack> {
        Table::new(TwoTenJack::new(TwoTenJackRules::default()).unwrap(), Streams::new(1), true)
    }

    fn random<G: SearchGame>() -> Player<G> {
        AgentSpec::parse("random", G::NAME).unwrap().build()
    }

    const HEAD: GameHead<'_> =
        GameHead { index: 5, block: 2, variant: 0, agents: &["random", "cheat"], first_dealer: 0 };

    #[test]
    fn an_agent_that_breaks_the_rules_is_named_with_the_place() {
        let fixture = Fixture { head: HEAD, order: &vec![0, 1], keys: &[1; MAX_PLAYERS] };
        let foul = table()
            .play(&fixture, &mut [random(), Player::Fair(Box::new(Cheat))], &mut NoRecorder)
            .unwrap_err();
        let text = foul.to_string();
        assert!(
            text.contains("agent `cheat` in seat 1 broke the rules of two-ten-jack in game 5, deal 1, move ")
        );
        assert!(text.contains("is not legal here; legal: "), "{text}");
    }

    #[test]
    fn a_game_depends_on_its_block_and_keys_and_not_on_the_games_before() {
        let mut agents = [random::<TwoTenJack>()];
        let mut fixture = Fixture { head: HEAD, order: &vec![0, 0], keys: &[1; MAX_PLAYERS] };
        let mut table = table();
        let first = table.play(&fixture, &mut agents, &mut NoRecorder).unwrap().clone();
        fixture.keys = &[2; MAX_PLAYERS];
        assert_ne!(*table.play(&fixture, &mut agents, &mut NoRecorder).unwrap(), first);
        fixture.keys = &[1; MAX_PLAYERS];
        fixture.head.block = 3;
        assert_ne!(*table.play(&fixture, &mut agents, &mut NoRecorder).unwrap(), first);
        fixture.head.block = 2;
        assert_eq!(*table.play(&fixture, &mut agents, &mut NoRecorder).unwrap(), first);
    }

    impl Recorder for Replay {
        const RECORDS: bool = true;
        fn new(_: &crate::Experiment) -> Self {
            Replay::default()
        }
        fn game_starts<G: Game>(&mut self, _: &G, head: &GameHead<'_>) {
            assert_eq!(head.index, 5);
        }
        fn deal_starts<G: Game>(&mut self, _: &G, standing: &Standing, order: &[Card]) {
            let game = TwoTenJack::new(TwoTenJackRules::default()).unwrap();
            self.script = Script::new(order.to_vec(), vec![]);
            self.state = Some(game.deal(standing, &mut self.script));
        }
        fn moved<G: Game>(&mut self, _: &G, seat: Seat, mv: Move, legal: Moves, stock: Option<&[Card]>) {
            let game = TwoTenJack::new(TwoTenJackRules::default()).unwrap();
            let state = self.state.as_mut().unwrap();
            assert_eq!((game.turn(state), game.legal_moves(state), stock), (Some(seat), legal, None));
            game.play(state, mv, &mut self.script).unwrap();
            self.moves += 1;
        }
        fn deal_ends<G: Game>(&mut self, game: &G, state: &G::State, _: &Standing) {
            let own = TwoTenJack::new(TwoTenJackRules::default()).unwrap();
            assert_eq!(own.scores(&self.state.unwrap()), game.scores(state));
            self.deals += 1;
        }
        fn game_ends<G: Game>(&mut self, game: &G, standing: &Standing) {
            assert!(game.is_over(standing) && standing.deals == self.deals);
        }
        fn write_to(&mut self, _: &mut Vec<u8>) {}
    }

    #[test]
    fn what_a_recorder_is_told_replays_the_game_that_is_played_without_one() {
        let fixture = Fixture { head: HEAD, order: &vec![0, 0], keys: &[7; MAX_PLAYERS] };
        let mut replay = Replay::default();
        let course = table().play(&fixture, &mut [random()], &mut replay).unwrap().clone();
        assert_eq!(replay.deals as usize, course.deals.len());
        assert_eq!(replay.moves, course.decisions.iter().map(|&count| u64::from(count)).sum::<u64>());
        assert_eq!(*table().play(&fixture, &mut [random()], &mut NoRecorder).unwrap(), course);
        let sum = |seat: usize| course.deals.iter().map(|deal| deal[seat]).sum::<i32>();
        assert_eq!(course.totals[..2], [sum(0), sum(1)]);
        assert!(course.branches > course.forced.iter().map(|&count| u64::from(count)).sum());
    }
}
