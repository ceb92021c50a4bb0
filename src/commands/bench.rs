//! `dealt bench`: how fast this machine plays, on one thread.
//!
//! Each game is measured three times: by the engine alone (random moves from one stream of dice), and at the table that
//! every run uses, with `random` and with `greedy` in all seats; what lies between the first two is the table's and the
//! agents' share. Search is measured in walks of the tree at the first decision of a deal. The shuffle of a pack is
//! measured too, so that figures of two machines can be compared by ratio.
//!
//! The signature is a checksum over fixed games and hands. It does not depend on speed or machine: a change that was to
//! make play faster and has made it different shows here.

use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

use dealt::experiment::Experiment;
use dealt::figures::count;
use dealt::recorder::{GameHead, NoRecorder, Recorder};
use dealt::report_table::table;
use dealt::streams::Streams;
use dealt::table::{Fixture, Table};
use dealt_agents::{AgentSpec, GameVisitor, Player, SearchGame, with_game};
use dealt_engine::meld::MeldRules;
use dealt_engine::{
    Bag, Card, Dice, GAMES, Game, MAX_PLAYERS, Move, Moves, Pack, PerSeat, QuickDice, Rules, Seat, Standing,
};
use serde_json::{Map, Value, json};

use super::{meld, search_speed};
use crate::cli::Bench;
use crate::config::find_game;
use crate::cpu;
use crate::failure::Failure;

/// How long each measurement takes at least.
const TIME: Duration = Duration::from_millis(700);
/// The games that the signature takes in, of each kind of play.
const SIGNED_GAMES: u64 = 25;
pub(super) const SEED: u64 = 1;
/// Hands of Three Thirteen with their rules and least deadwood.
const HANDS: &str = include_str!("../../engine/tests/data/three-thirteen-deadwood.jsonl");

/// `dealt bench`
pub(crate) fn bench(given: &Bench, out: &mut dyn Write) -> Result<(), Failure> {
    let hands = hands();
    let signature = format!("{:016x}", signature(&hands));
    if given.signature {
        writeln!(out, "{signature}")?;
        return Ok(());
    }
    let shuffle = nanoseconds(&mut shuffles());
    let deadwood = nanoseconds(&mut melds(&hands));
    let speeds: Vec<Speed> = names().flat_map(|name| visit(name, Measure)).collect();
    let searches = search_speed::speeds();
    if given.json {
        let searches: Vec<Value> = searches.iter().map(search_speed::SearchSpeed::to_json).collect();
        let speeds: Vec<Value> = speeds.iter().map(Speed::to_json).collect();
        let report = json!({
            "built_for": cpu::built_for(), "threads": 1, "shuffle_52_ns": shuffle, "deadwood_13_ns": deadwood,
            "play": speeds, "search": searches, "signature": signature,
        });
        writeln!(out, "{report:#}")?;
        return Ok(());
    }
    writeln!(out, "One thread, built for {}", cpu::built_for())?;
    writeln!(out, "  shuffle of 52 cards (ChaCha8)         {shuffle:.0} ns")?;
    writeln!(out, "  least deadwood of a 13-card hand      {deadwood:.0} ns\n")?;
    let mut rows = vec![["game", "play", "games/s", "deals/s", "moves/s"].map(str::to_owned).to_vec()];
    rows.extend(speeds.iter().map(Speed::row));
    write!(out, "{}", table(&rows))?;
    writeln!(out)?;
    let mut rows =
        vec![["ismcts at the first decision of", "rollout", "walks/s"].map(str::to_owned).to_vec()];
    rows.extend(searches.iter().map(search_speed::SearchSpeed::row));
    write!(out, "{}", table(&rows))?;
    writeln!(out, "\nsignature {signature}")?;
    Ok(())
}

/// Games and presets.
fn names() -> impl Iterator<Item = &'static str> {
    GAMES
        .iter()
        .flat_map(|info| std::iter::once(info.name).chain(info.presets.iter().map(|preset| preset.name)))
}

/// Does something with a game or a preset by its usual rules.
fn visit<A: WithGame>(name: &'static str, action: A) -> A::Output {
    struct Compile<A>(&'static str, Map<String, Value>, A);
    impl<A: WithGame> GameVisitor for Compile<A> {
        type Output = A::Output;
        fn visit<G: SearchGame>(self) -> A::Output {
            let rules = G::Rules::default().with(&self.1).expect("presets are rules of their game");
            self.2.with_game::<G>(self.0, &G::new(rules).expect("presets make a game"))
        }
    }
    let chosen = find_game(name).expect("a name of the registry");
    let changes = chosen.preset.map_or("{}", |preset| preset.changes);
    let changes = serde_json::from_str(changes).expect("presets are JSON objects");
    with_game(chosen.info.name, Compile(name, changes, action)).expect("a name of the registry")
}

/// Something to be done with a game.
trait WithGame {
    type Output;
    fn with_game<G: SearchGame>(self, name: &'static str, game: &G) -> Self::Output;
}

/// How much was played.
#[derive(Clone, Copy, Default)]
struct Work {
    games: u64,
    deals: u64,
    moves: u64,
}

/// How fast.
struct Speed {
    game: &'static str,
    play: &'static str,
    games: f64,
    deals: f64,
    moves: f64,
}

impl Speed {
    /// Repeats a piece of work until the time is up.
    fn measure(game: &'static str, play: &'static str, mut work: impl FnMut() -> Work) -> Speed {
        let mut sum = Work::default();
        let seconds = timed(|| {
            let Work { games, deals, moves } = work();
            sum.games += games;
            sum.deals += deals;
            sum.moves += moves;
        });
        let rate = |number: u64| number as f64 / seconds;
        Speed { game, play, games: rate(sum.games), deals: rate(sum.deals), moves: rate(sum.moves) }
    }

    fn to_json(&self) -> Value {
        let Speed { game, play, games, deals, moves } = self;
        json!({ "game": game, "play": play, "games_per_s": games, "deals_per_s": deals, "moves_per_s": moves })
    }

    fn row(&self) -> Vec<String> {
        let rate = |rate: f64| count(rate as u64);
        vec![self.game.to_owned(), self.play.to_owned(), rate(self.games), rate(self.deals), rate(self.moves)]
    }
}

/// Repeats something until the time is up and says how many seconds it took.
#[allow(clippy::disallowed_methods, reason = "a benchmark is about the clock")]
pub(super) fn timed(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    while start.elapsed() < TIME {
        work();
    }
    start.elapsed().as_secs_f64()
}

/// How long one of something takes; `work` does a number of them and says how many.
fn nanoseconds(work: &mut dyn FnMut() -> u64) -> f64 {
    let mut number = 0;
    let seconds = timed(|| number += work());
    seconds * 1e9 / number as f64
}

/// A plain shuffle of a pack, a thousand times.
fn shuffles() -> impl FnMut() -> u64 {
    let mut dice = Streams::new(SEED).deal(0, 0);
    let mut cards: Vec<Card> = Card::all().collect();
    move || {
        for _ in 0..1000 {
            dice.shuffle(black_box(&mut cards[..]));
        }
        1000
    }
}

/// The least deadwood of the largest hands, each ten times.
fn melds(hands: &[Hand]) -> impl FnMut() -> u64 {
    let largest: Vec<&Hand> = hands.iter().filter(|hand| hand.cards.len() == 13).collect();
    move || {
        for hand in std::iter::repeat_n(&largest, 10).flatten() {
            black_box(hand.rules.deadwood(black_box(&hand.cards)));
        }
        10 * largest.len() as u64
    }
}

/// Measures a game three times.
struct Measure;

impl WithGame for Measure {
    type Output = Vec<Speed>;

    fn with_game<G: SearchGame>(self, name: &'static str, game: &G) -> Vec<Speed> {
        let mut block = 0;
        let mut speeds = vec![Speed::measure(name, "engine alone", || {
            block += 1;
            by_the_engine_alone(game, block)
        })];
        for agent in ["random", "greedy"] {
            let mut players = Players::new(game, agent);
            speeds.push(Speed::measure(name, agent, || {
                block += 1;
                players.play(block, &mut NoRecorder)
            }));
        }
        speeds
    }
}

/// Plays a game without a table or agents.
fn by_the_engine_alone<G: Game>(game: &G, block: u64) -> Work {
    let streams = Streams::new(SEED);
    let mut dice = QuickDice::new(SEED, block);
    let mut work = Work { games: 1, ..Work::default() };
    let mut standing = game.start(first_dealer(game, &streams, block));
    let mut pack = Pack::new(game.pack(), streams.deal(block, 0));
    while !game.is_over(&standing) {
        pack.reset(game.pack(), streams.deal(block, standing.deals));
        let mut state = game.deal(&standing, &mut pack);
        while game.turn(&state).is_some() {
            let legal = game.legal_moves(&state);
            let place = dice.below(legal.len() as u32) as usize;
            let mv = legal.nth(place).expect("a place below the number of moves");
            game.play_unchecked(&mut state, mv, &mut pack);
            work.moves += 1;
        }
        standing = game.after(&standing, &state);
        work.deals += 1;
    }
    black_box(&standing);
    work
}

fn first_dealer<G: Game>(game: &G, streams: &Streams, block: u64) -> Seat {
    game.first_dealer().unwrap_or_else(|| streams.first_dealer(block, game.players()))
}

/// A table with the same agent in all seats.
struct Players<G: Game> {
    table: Table<G>,
    streams: Streams,
    agents: Vec<Player<G>>,
    labels: Vec<&'static str>,
    order: Vec<u8>,
}

impl<G: SearchGame> Players<G> {
    fn new(game: &G, agent: &'static str) -> Players<G> {
        let spec = AgentSpec::parse(agent, G::NAME).expect("an agent of the registry");
        let streams = Streams::new(SEED);
        let table = Table::new(game.clone(), streams.clone(), false);
        let players = game.players();
        Players {
            table,
            streams,
            agents: vec![spec.build()],
            labels: vec![agent; players],
            order: vec![0; players],
        }
    }

    fn play<R: Recorder>(&mut self, block: u64, recorder: &mut R) -> Work {
        let first_dealer = first_dealer(self.table.game(), &self.streams, block);
        let mut keys: PerSeat<u64> = [0; MAX_PLAYERS];
        for (seat, key) in keys.iter_mut().enumerate().take(self.labels.len()) {
            *key = self.streams.seat_key(block, seat);
        }
        let head = GameHead { index: block, block, variant: 0, agents: &self.labels, first_dealer };
        let fixture = Fixture { head, order: &self.order, keys: &keys };
        let course = self.table.play(&fixture, &mut self.agents, recorder).expect("agents play by the rules");
        let moves = course.decisions.iter().copied().map(u64::from).sum();
        Work { games: 1, deals: course.deals.len() as u64, moves }
    }
}

/// A hand with its rules.
struct Hand {
    rules: MeldRules,
    cards: Bag,
}

fn hands() -> Vec<Hand> {
    let read = |line: &str| {
        let problem = serde_json::from_str(line).expect("the hands are JSON objects");
        let (rules, cards) = meld::read(&problem).expect("the hands are hands");
        Hand { rules, cards }
    };
    HANDS.lines().map(read).collect()
}

/// One number for all that is played and melded here.
fn signature(hands: &[Hand]) -> u64 {
    let checksum = names().fold(Checksum::START, |checksum, name| visit(name, Sign(checksum)));
    hands.iter().fold(checksum, |checksum, hand| checksum.with(hand.rules.deadwood(&hand.cards) as u64)).0
}

/// Adds games to a checksum.
struct Sign(Checksum);

impl WithGame for Sign {
    type Output = Checksum;

    fn with_game<G: SearchGame>(mut self, _: &'static str, game: &G) -> Checksum {
        for agent in ["random", "greedy"] {
            let mut players = Players::new(game, agent);
            for block in 0..SIGNED_GAMES {
                players.play(block, &mut self.0);
            }
        }
        self.0
    }
}

/// FNV-1a (Fowler, Noll and Vo) over 64-bit words: takes in every move and total of the games that it records.
#[derive(Clone, Copy)]
struct Checksum(u64);

impl Checksum {
    const START: Checksum = Checksum(0xcbf2_9ce4_8422_2325);

    fn with(self, word: u64) -> Checksum {
        let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        Checksum(word.to_le_bytes().iter().fold(self.0, step))
    }
}

impl Recorder for Checksum {
    const RECORDS: bool = true;

    fn new(_: &Experiment) -> Checksum {
        Checksum::START
    }

    fn game_starts<G: Game>(&mut self, _: &G, head: &GameHead<'_>) {
        *self = self.with(head.first_dealer as u64);
    }

    fn deal_starts<G: Game>(&mut self, _: &G, _: &Standing, _: &[Card]) {}

    fn moved<G: Game>(&mut self, _: &G, seat: Seat, mv: Move, legal: Moves, _: Option<&[Card]>) {
        *self = self.with(seat as u64).with(mv.index() as u64).with(legal.bits());
    }

    fn deal_ends<G: Game>(&mut self, _: &G, _: &G::State, after: &Standing) {
        *self = after.totals.iter().fold(*self, |sum, &total| sum.with(total as u64));
    }

    fn game_ends<G: Game>(&mut self, _: &G, standing: &Standing) {
        *self = self.with(u64::from(standing.capped));
    }

    fn write_to(&mut self, _: &mut Vec<u8>) {}
}
