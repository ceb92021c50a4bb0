//! What a sampled world costs beside the random rollout that makes use of it, at the first decision of a deal and in its
//! middle, where voids have shown: the first world of a view, for which all is prepared, and each one more. Every answer
//! is checked.

use dealt_agents::SearchGame;
use dealt_engine::{
    CancellationHearts, Dice, Game, Move, Moves, Pack, QuickDice, Rules, ThreeThirteen, TwoTenJack,
    Unordered, Worlds,
};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use serde_json::{Map, Value};

fn main() {
    divan::main();
}

/// Views of each place in a deal.
const VIEWS: usize = 40;
/// Worlds of each view.
const WORLDS: usize = 50;
/// Moves of a rollout of three-thirteen: by random moves hardly any round would end.
const HORIZON: usize = 20;

/// Where in a deal it is measured.
#[derive(Clone, Copy, Debug)]
enum Place {
    HeartsFirstPick,
    HeartsAfterFiveTricks,
    SixAfterFourTricks,
    ElevenAfterThreeTricks,
    TwoTenJackHalfWay,
    RoundSix,
    RoundEleven,
}

use Place::*;

/// A place with the answers there: of first worlds, of more worlds, of rollouts.
type Answers = (Place, i64, i64, i64);

const PLACES: [Answers; 7] = [
    (HeartsFirstPick, 86_648_198, 4_381_271_967, 728_228),
    (HeartsAfterFiveTricks, 74_994_082, 3_946_652_041, 767_104),
    (SixAfterFourTricks, 84_692_839, 4_072_234_899, 1_856_890),
    (ElevenAfterThreeTricks, 77_472_577, 4_003_106_976, 1_851_939),
    (TwoTenJackHalfWay, 65_417_316, 3_517_982_230, 173_444),
    (RoundSix, 83_181_210, 4_117_271_598, 6_519_509),
    (RoundEleven, 81_796_493, 4_131_475_897, 8_490_504),
];

impl Place {
    /// The place in a deal after some random moves.
    fn scene(self) -> Box<dyn Scene> {
        let hearts = CancellationHearts::PRESETS[0].changes;
        let eleven = r#"{"players": 11}"#;
        match self {
            HeartsFirstPick => scene::<CancellationHearts>(hearts, 0, 0, usize::MAX, |_, _| true),
            HeartsAfterFiveTricks => scene(hearts, 0, 12 + 20, usize::MAX, shows_voids),
            SixAfterFourTricks => scene("{}", 0, 18 + 24, usize::MAX, shows_voids),
            ElevenAfterThreeTricks => scene(eleven, 0, 33 + 33, usize::MAX, shows_voids),
            TwoTenJackHalfWay => scene::<TwoTenJack>("{}", 0, 26, usize::MAX, |game, view| {
                let other = 1 - game.seat(view);
                view.table().tricks().any(|trick| trick.leader != other && !game.denied(&trick).is_empty())
            }),
            RoundSix => scene::<ThreeThirteen>("{}", 5, 40, HORIZON, |_, _| true),
            RoundEleven => scene::<ThreeThirteen>("{}", 10, 40, HORIZON, |_, _| true),
        }
    }
}

/// Whether two of the others have shown that they lack a suit.
fn shows_voids(game: &CancellationHearts, view: &<CancellationHearts as Game>::View) -> bool {
    let shows = |&seat: &usize| seat != game.seat(view) && view.table().cannot_hold(seat).len() > 1;
    (0..game.players()).filter(shows).count() >= 2
}

/// What is measured at a place. All answers are sums over its views.
trait Scene {
    /// Prepares each view and samples once.
    fn first_worlds(&self) -> i64;
    /// Samples from all that is prepared.
    fn more_worlds(&mut self) -> i64;
    /// Plays sampled worlds out.
    fn rollouts(&self) -> i64;
}

struct SceneOf<G: Game> {
    game: G,
    views: Vec<G::View>,
    ready: Vec<G::Worlds>,
    worlds: Vec<G::State>,
    horizon: usize,
}

fn scene<G: SearchGame>(
    changes: &str,
    deals: u32,
    moves: usize,
    horizon: usize,
    is_wanted: impl Fn(&G, &G::View) -> bool,
) -> Box<dyn Scene> {
    let changes: Map<String, Value> = serde_json::from_str(changes).unwrap();
    let game = G::new(G::Rules::default().with(&changes).unwrap()).unwrap();
    let mut dice = QuickDice::new(1, 1);
    let views = (0..).filter_map(|deal| view_after(&game, deals, deal, moves, &mut dice));
    let views: Vec<_> = views.filter(|view| is_wanted(&game, view)).take(VIEWS).collect();
    let mut ready: Vec<_> = views.iter().map(|view| game.worlds(view)).collect();
    let mut worlds = Vec::new();
    for (ready, view) in ready.iter_mut().zip(&views) {
        worlds.extend((0..WORLDS).map(|_| ready.sample(&mut dice)));
        assert!(worlds.iter().rev().take(WORLDS).all(|world| game.view(world, game.seat(view)) == *view));
    }
    Box::new(SceneOf { game, views, ready, worlds, horizon })
}

/// What the mover knows after so many random moves; `None` if the deal is over before.
fn view_after<G: Game>(
    game: &G,
    deals: u32,
    deal: u64,
    moves: usize,
    dice: &mut QuickDice,
) -> Option<G::View> {
    let mut standing = game.start(0);
    standing.deals = deals;
    let mut pack = Pack::new(game.pack(), QuickDice::new(2, deal));
    let mut state = game.deal(&standing, &mut pack);
    for _ in 0..moves {
        game.turn(&state)?;
        let mv = any(game.legal_moves(&state), dice);
        game.play_unchecked(&mut state, mv, &mut pack);
    }
    game.turn(&state).map(|seat| game.view(&state, seat))
}

fn any(moves: Moves, dice: &mut QuickDice) -> Move {
    moves.nth(dice.below(moves.len() as u32) as usize).unwrap()
}

impl<G: SearchGame> Scene for SceneOf<G> {
    fn first_worlds(&self) -> i64 {
        let mut dice = QuickDice::new(3, 1);
        self.views.iter().map(|view| hands(&self.game, &self.game.determinise(view, &mut dice))).sum()
    }

    fn more_worlds(&mut self) -> i64 {
        let mut dice = QuickDice::new(4, 1);
        let mut sum = 0;
        for ready in &mut self.ready {
            sum += (0..WORLDS).map(|_| hands(&self.game, black_box(&ready.sample(&mut dice)))).sum::<i64>();
        }
        sum
    }

    fn rollouts(&self) -> i64 {
        let (game, mut dice, mut sum) = (&self.game, QuickDice::new(5, 1), 0);
        for world in &self.worlds {
            let (mut state, mut left) = (*world, self.horizon);
            while left > 0 && game.turn(&state).is_some() {
                let mv = any(game.rollout_moves(&state, game.legal_moves(&state)), &mut dice);
                game.play_unchecked(&mut state, mv, &mut Unordered(&mut dice));
                left -= 1;
            }
            sum += i64::from(game.estimate(&state).map(|score| score * score).iter().sum::<i32>());
        }
        sum
    }
}

/// A number that tells worlds apart: of the faces in the first two hands.
fn hands<G: Game>(game: &G, world: &G::State) -> i64 {
    let [first, second] = [0, 1].map(|seat| game.hand(world, seat).faces().bits() % 1_000_003);
    (first + 3 * second) as i64
}

#[divan::bench(args = PLACES)]
fn first_world(bencher: Bencher<'_, '_>, (place, answer, _, _): Answers) {
    let scene = place.scene();
    bencher.counter(ItemsCount::new(VIEWS)).bench_local(|| assert_eq!(scene.first_worlds(), answer));
}

/// In a fresh scene each time: how cards lie before a draw depends on the draws before.
#[divan::bench(args = PLACES, sample_count = 30)]
fn world(bencher: Bencher<'_, '_>, (place, _, answer, _): Answers) {
    let bencher = bencher.counter(ItemsCount::new(VIEWS * WORLDS)).with_inputs(|| place.scene());
    bencher.bench_local_refs(|scene| assert_eq!(scene.more_worlds(), answer));
}

#[divan::bench(args = PLACES)]
fn rollout(bencher: Bencher<'_, '_>, (place, _, _, answer): Answers) {
    let scene = place.scene();
    bencher.counter(ItemsCount::new(VIEWS * WORLDS)).bench_local(|| assert_eq!(scene.rollouts(), answer));
}
