//! The facts that a view is told as: all that the view holds, nothing that the seat has not seen, and nothing wrong.

mod kit;

use dealt_engine::{
    Bag, CancellationHearts, Card, CardBag, CardSet, Dice, Game, Move, Pack, QuickDice, Script, Seat,
    Standing, Stock, Suit, ThreeThirteen, TwoTenJack, Unordered,
};
use kit::{first_standing, pack_for, pick, random_game};
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value};

/// A deal played at random, with all its chances.
struct Course {
    standing: Standing,
    order: Vec<Card>,
    rebuilt: Vec<Vec<Card>>,
    moves: Vec<Move>,
}

/// Notes the orders of stocks made anew.
struct Noting {
    pack: Pack<ChaCha8Rng>,
    rebuilt: Vec<Vec<Card>>,
}

impl Stock for Noting {
    fn draw<const PLANES: usize>(&mut self, left: &CardBag<PLANES>) -> Card {
        self.pack.draw(left)
    }

    fn rebuild<const PLANES: usize>(&mut self, cards: &CardBag<PLANES>) {
        self.pack.rebuild(cards);
        self.rebuilt.push(self.pack.rest());
    }
}

/// Plays a deal of a game by random rules, `each` looking at every position before a move and at the last.
fn play<G: Game>(seed: u64, mut each: impl FnMut(&G, &Standing, &G::State, &[Move])) -> (G, Course) {
    let mut dice = QuickDice::new(0x6661_6374, seed);
    let game: G = random_game(&mut dice);
    let mut standing = first_standing(&game, &mut dice);
    // Some deals later totals, dealers and sizes of hands are others.
    let skip = dice.below(3);
    while standing.deals < skip && !game.is_over(&standing) {
        let mut state = game.deal(&standing, &mut Unordered(&mut dice));
        while game.turn(&state).is_some() {
            let mv = pick(game.legal_moves(&state), &mut dice);
            game.play_unchecked(&mut state, mv, &mut Unordered(&mut dice));
        }
        let after = game.after(&standing, &state);
        if game.is_over(&after) {
            break;
        }
        standing = after;
    }
    let pack = pack_for(&game, seed, &standing);
    let mut course = Course { standing, order: pack.rest(), rebuilt: vec![], moves: vec![] };
    let mut stock = Noting { pack, rebuilt: vec![] };
    let mut state = game.deal(&standing, &mut stock);
    while game.turn(&state).is_some() && course.moves.len() < 400 {
        each(&game, &standing, &state, &course.moves);
        let mv = pick(game.legal_moves(&state), &mut dice);
        game.play(&mut state, mv, &mut stock).unwrap();
        course.moves.push(mv);
    }
    each(&game, &standing, &state, &course.moves);
    course.rebuilt = stock.rebuilt;
    (game, course)
}

fn facts<G: Game>(game: &G, state: &G::State, seat: Seat) -> Map<String, Value> {
    game.facts(&game.view(state, seat))
}

/// Different views are told differently, and equal ones alike, also where they are nearly the same: after different
/// moves, and in worlds that another seat takes for possible.
fn views_and_facts_tell_the_same_apart<G: Game>(games: u64) {
    let (mut same, mut different) = (0, 0);
    for seed in 0..games {
        let mut dice = QuickDice::new(1, seed);
        play::<G>(seed, |game, _, state, _| {
            if dice.below(12) > 0 {
                return;
            }
            let mut near = vec![*state];
            let watcher = dice.below(game.players() as u32) as usize;
            near.push(game.determinise(&game.view(state, watcher), &mut dice));
            for mv in game.legal_moves(state).into_iter().take(if game.turn(state).is_some() { 4 } else { 0 })
            {
                let mut after = *state;
                game.play_unchecked(&mut after, mv, &mut Unordered(&mut dice));
                near.push(after);
            }
            for seat in 0..game.players() {
                let told: Vec<_> =
                    near.iter().map(|state| (game.view(state, seat), facts(game, state, seat))).collect();
                for (index, (view, fact)) in told.iter().enumerate() {
                    for (other, other_fact) in &told[..index] {
                        assert_eq!(view == other, fact == other_fact, "seat {seat}\n{view:?}\n{other:?}");
                        if view == other { same += 1 } else { different += 1 }
                    }
                }
            }
        });
    }
    assert!(same > 100 && different > 1000, "{same} alike, {different} different");
}

/// Moves with who made them, those that a seat has not seen left out.
type Seen = [(Seat, Option<Move>)];
/// What a game shows a seat besides its own cards and the moves.
type Also<G> = dyn Fn(&G, &<G as Game>::State, Seat, &Seen) -> Vec<Bag>;

/// What a seat can see: who is to move, the last move if it is not hidden, its own cards, and what else the game shows.
fn observe<G: Game>(game: &G, state: &G::State, seat: Seat, moves: &Seen, also: &Also<G>) -> String {
    let own = (game.hand(state, seat), game.laid_aside(state, seat));
    let shown = (game.describe(state), also(game, state, seat, moves));
    format!("{:?} {:?} {own:?} {shown:?}", game.turn(state), moves.last())
}

/// Replays the first moves of a deal with cards in other places: what the seat observes, and what it is told at the end.
/// `None` if the moves are not legal there, or the seat sees something else.
fn replay<G: Game>(
    game: &G,
    course: &Course,
    swapped: (Card, Card),
    count: usize,
    seat: Seat,
    also: &Also<G>,
) -> Option<(Vec<String>, G::State)> {
    let swap = |card: Card| match card {
        card if card == swapped.0 => swapped.1,
        card if card == swapped.1 => swapped.0,
        card => card,
    };
    let mut stock = Script::new(course.order.clone(), course.rebuilt.clone());
    let mut state = game.deal(&course.standing, &mut stock);
    let mut seen: Vec<(Seat, Option<Move>)> = vec![];
    let mut observed = vec![observe(game, &state, seat, &seen, also)];
    for &mv in &course.moves[..count] {
        let mover = game.turn(&state)?;
        let hidden = game.is_hidden(&state) && mover != seat;
        let mv = match mv.as_card() {
            Some(card) if hidden => Move::card(swap(card)),
            _ => mv,
        };
        game.play(&mut state, mv, &mut stock).ok()?;
        seen.push((mover, (!hidden).then_some(mv)));
        observed.push(observe(game, &state, seat, &seen, also));
    }
    Some((observed, state))
}

/// Whatever a seat has not seen can be otherwise, and it is told the same.
fn nothing_unseen_is_told<G: Game>(games: u64, also: &Also<G>) {
    let mut compared = 0;
    for seed in 0..games {
        let (game, course) = play::<G>(seed, |_, _, _, _| {});
        let mut dice = QuickDice::new(2, seed);
        for _ in 0..50 {
            let seat = dice.below(game.players() as u32) as usize;
            let count = dice.below(course.moves.len() as u32 + 1) as usize;
            // Two cards change places in the pack as dealt, or in a stock made anew.
            let mut other = Course {
                order: course.order.clone(),
                rebuilt: course.rebuilt.clone(),
                moves: course.moves.clone(),
                ..course
            };
            let part = dice.below(course.rebuilt.len() as u32 + 1) as usize;
            let order = if part == 0 { &mut other.order } else { &mut other.rebuilt[part - 1] };
            let [one, two] = [0; 2].map(|_| dice.below(order.len() as u32) as usize);
            let cards = (order[one], order[two]);
            order.swap(one, two);
            if cards.0 == cards.1 {
                continue;
            }
            let (observed, state) = replay(&game, &course, (cards.0, cards.0), count, seat, also).unwrap();
            let Some((elsewhere, there)) = replay(&game, &other, cards, count, seat, also) else { continue };
            if observed == elsewhere && state != there {
                let [told, told_there] = [&state, &there].map(|state| facts(&game, state, seat));
                assert_eq!(
                    told, told_there,
                    "seat {seat} is told what it has not seen\n{state:?}\n{there:?}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared} compared");
}

/// The cards of a fact.
fn bag(fact: &Value) -> Bag {
    fact.as_array().unwrap().iter().map(|card| card.as_str().unwrap().parse::<Card>().unwrap()).collect()
}

fn sum(bags: impl IntoIterator<Item = Bag>) -> Bag {
    let mut sum = Bag::EMPTY;
    bags.into_iter().for_each(|bag| sum.insert_all(&bag));
    sum
}

/// What all games tell is true of the position, of which the seat has not seen all.
fn facts_are_true<G: Game>(games: u64, check: impl Fn(&G, &G::State, Seat, &[Move], &Map<String, Value>)) {
    for seed in 0..games {
        play::<G>(seed, |game, standing, state, moves| {
            for seat in 0..game.players() {
                let told = facts(game, state, seat);
                assert_eq!(told["turn"], game.turn(state).map_or(Value::Null, Value::from));
                assert_eq!(told["dealer"], Value::from(standing.dealer));
                assert_eq!(told["totals"], Value::from(standing.totals[..game.players()].to_vec()));
                assert_eq!(bag(&told["hand"]), game.hand(state, seat));
                check(game, state, seat, moves, &told);
            }
        });
    }
}

/// The cards in the other hands and in the stock or kitty, those of a seat being known to all taken out.
fn hidden_from<G: Game>(game: &G, state: &G::State, seat: Seat, known: &Value) -> Bag {
    let others = (0..game.players()).filter(|&other| other != seat).map(|other| {
        let mut hidden = sum([game.hand(state, other), game.laid_aside(state, other)]);
        if let Some(known) = known.get(other) {
            hidden.remove_all(&bag(known));
        }
        hidden
    });
    sum(others.chain([game.rest(state)]))
}

mod two_ten_jack {
    use super::*;

    #[test]
    fn views_and_facts_tell_the_same_positions_apart() {
        views_and_facts_tell_the_same_apart::<TwoTenJack>(30);
    }

    #[test]
    fn a_seat_is_told_nothing_that_it_has_not_seen() {
        nothing_unseen_is_told::<TwoTenJack>(60, &|_, _, _, _| vec![]);
    }

    #[test]
    fn what_a_seat_is_told_is_true() {
        facts_are_true::<TwoTenJack>(20, |game, state, seat, moves, told| {
            assert_eq!(bag(&told["unseen"]), hidden_from(game, state, seat, &Value::Null));
            assert_eq!(told["stock"], Value::from(game.rest(state).len()));
            assert_eq!(told["scores"], Value::from(game.scores(state)[..2].to_vec()));
            let cards: Vec<Card> = moves.iter().filter_map(|mv| mv.as_card()).collect();
            let tricks = told["tricks"].as_array().unwrap();
            assert_eq!(tricks.len(), cards.len().div_ceil(2));
            for (trick, played) in tricks.iter().zip(cards.chunks(2)) {
                let names: Vec<String> = played.iter().map(Card::to_string).collect();
                assert_eq!(trick["cards"], Value::from(names));
                assert_eq!(trick["winner"].is_null(), played.len() == 1);
            }
            for pair in tricks.windows(2) {
                assert_eq!(pair[0]["winner"], pair[1]["leader"]);
            }
            let word = moves.iter().find(|mv| mv.as_card().is_none());
            assert_eq!(told["declared"], word.map_or(Value::Null, |mv| mv.name(TwoTenJack::WORDS).into()));
        });
    }
}

mod cancellation_hearts {
    use super::*;

    #[test]
    fn views_and_facts_tell_the_same_positions_apart() {
        views_and_facts_tell_the_same_apart::<CancellationHearts>(30);
    }

    #[test]
    fn a_seat_is_told_nothing_that_it_has_not_seen() {
        // Whoever takes the kitty sees it.
        nothing_unseen_is_told::<CancellationHearts>(60, &|game, state, seat, _| {
            let taken = state.table().kitty_taker() == Some(seat);
            if taken { vec![game.rest(state)] } else { vec![] }
        });
    }

    #[test]
    fn what_a_seat_is_told_is_true() {
        facts_are_true::<CancellationHearts>(20, |game, state, seat, _, told| {
            let table = state.table();
            let mut hidden = hidden_from(game, state, seat, &Value::Null);
            if table.kitty_taker() == Some(seat) {
                assert_eq!(bag(&told["kitty"]), game.rest(state));
                hidden.remove_all(&game.rest(state));
            } else {
                assert!(bag(&told["kitty"]).is_empty());
            }
            assert_eq!(bag(&told["unseen"]), hidden);
            let mut played = Bag::EMPTY;
            for other in 0..game.players() {
                assert_eq!(told["held"][other], Value::from(game.hand(state, other).len()));
                assert!(
                    (game.hand(state, other).faces() & bag(&told["cannot_hold"][other]).faces()).is_empty()
                );
                played.insert_all(&bag(&told["played"][other]));
                assert_eq!(told["captured"][other]["tricks"], Value::from(table.captured(other).tricks()));
            }
            let held = (0..game.players())
                .flat_map(|other| [game.hand(state, other), game.laid_aside(state, other)]);
            let all = sum(held.chain([played, game.rest(state)]));
            assert_eq!(all, game.pack().iter().copied().collect());
            // What was played to finished tricks is captured or lies aside.
            let mut finished = played;
            finished.remove_all(&table.trick().order().collect());
            let counted = |what: &str| {
                let captured = told["captured"].as_array().unwrap().iter();
                captured
                    .chain([&told["aside"]])
                    .map(|tally| tally[what].as_u64().unwrap() as usize)
                    .sum::<usize>()
            };
            let of = |cards: CardSet| finished.restrict(cards).len();
            assert_eq!(counted("hearts"), of(Suit::Hearts.cards()));
            assert_eq!(counted("queens"), of(CardSet::of("QS".parse().unwrap())));
            for (fact, seat) in [
                ("last_winner", table.last_winner()),
                ("kitty_taker", table.kitty_taker()),
                ("two_of_clubs_holder", table.two_of_clubs_holder()),
                ("shooter", table.shooter()),
            ] {
                assert_eq!(told[fact], seat.map_or(Value::Null, Value::from), "{fact}");
            }
            let view = game.view(state, seat);
            assert_eq!(
                (bag(&told["given"]), bag(&told["received"])),
                (view.given().resize(), view.received().resize())
            );
            assert_eq!(told["picks_left"], Value::from(table.picks_left()));
            assert_eq!(told["tricks"], Value::from(table.tricks()));
            assert_eq!(told["void_tricks"], Value::from(table.void_tricks()));
            assert_eq!(told["hearts_broken_in"].is_null(), !table.hearts_broken());
            let trick: Vec<String> = table.trick().order().map(|card| card.to_string()).collect();
            assert_eq!(told["trick"]["cards"], Value::from(trick));
        });
    }
}

mod three_thirteen {
    use super::*;

    /// Who says that it goes out lays its hand down.
    fn laid_down(
        game: &ThreeThirteen,
        state: &<ThreeThirteen as Game>::State,
        _: Seat,
        moves: &Seen,
    ) -> Vec<Bag> {
        let goes_out = |mv: Move| mv.name(ThreeThirteen::WORDS).starts_with("go-out");
        let out = moves.iter().filter(|(_, mv)| mv.is_some_and(goes_out));
        out.map(|&(seat, _)| game.hand(state, seat)).collect()
    }

    #[test]
    fn views_and_facts_tell_the_same_positions_apart() {
        views_and_facts_tell_the_same_apart::<ThreeThirteen>(20);
    }

    #[test]
    fn a_seat_is_told_nothing_that_it_has_not_seen() {
        nothing_unseen_is_told::<ThreeThirteen>(60, &laid_down);
    }

    #[test]
    fn what_a_seat_is_told_is_true() {
        facts_are_true::<ThreeThirteen>(12, |game, state, seat, _, told| {
            for other in 0..game.players() {
                let mut hand = game.hand(state, other);
                assert_eq!(told["held"][other], Value::from(hand.len()));
                let known = bag(&told["known"][other]);
                assert!(Card::all().all(|card| known.count(card) <= hand.count(card)), "{told:?}");
                hand.remove_all(&known);
                if other == seat {
                    let by_source = told["hand_by_source"].as_array().unwrap().iter().map(bag);
                    assert_eq!(sum(by_source), hand);
                }
            }
            assert_eq!(told["deadwood"], Value::from(game.deadwood(state)[seat]));
            assert_eq!(told["stock"], Value::from(game.rest(state).len()));
            let melded = sum(told["melds"].as_array().unwrap().iter().map(bag));
            assert!(Card::all().all(|card| melded.count(card) <= game.hand(state, seat).count(card)));
            let public = state.public();
            let name = |card: Option<Card>| card.map_or(Value::Null, |card| card.to_string().into());
            assert_eq!(told["taken"], name(public.taken));
            assert_eq!(told["pile"].get(0).cloned().unwrap_or_default(), name(public.top()));
            assert_eq!(told["first_out"], public.first_out.map_or(Value::Null, Value::from));
            assert_eq!(told["turns"], Value::from(public.turns));
            assert_eq!(told["rebuilds"], Value::from(public.rebuilds));
            let out = |seat: &Seat| public.out >> seat & 1 != 0;
            assert_eq!(told["out"], (0..game.players()).filter(out).collect::<Value>());
            let pile = bag(&told["pile"]);
            let discards = bag(&told["discards"]);
            assert!(Card::all().all(|card| pile.count(card) <= discards.count(card)));
            // What nobody knows where it is, the cards in doubt apart, which lie in a source and are seen.
            let has_doubts = !told["doubts"].as_array().unwrap().is_empty();
            if !has_doubts {
                assert_eq!(bag(&told["unseen"]), hidden_from(game, state, seat, &told["known"]));
            }
        });
    }
}
