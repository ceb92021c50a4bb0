//! Records written by the scribe are refereed without complaint under all rules, and a changed one is refused.

use dealt::record::{Entry, GameRecord, Scribe};
use dealt::recorder::{GameHead, Recorder};
use dealt::replay::verify;
use dealt_engine::{Card, Dice, Game, Pack, QuickDice, Rules, Stock};

/// Plays a game by random rules at random, written down by a scribe.
fn recorded<G: Game>(seed: u64, with_legal: bool) -> GameRecord {
    let mut dice = QuickDice::new(0x7265_636f, seed);
    let game: G = crate::kit::random_game(&mut dice);
    let mut standing = crate::kit::first_standing(&game, &mut dice);
    let mut scribe = Scribe::with_legal(7, with_legal);
    let agents: Vec<&str> = (0..game.players()).map(|_| "random").collect();
    let first_dealer = standing.dealer;
    scribe.game_starts(
        &game,
        &GameHead { index: seed, block: seed, variant: 0, agents: &agents, first_dealer },
    );
    while !game.is_over(&standing) {
        let mut pack = crate::kit::pack_for(&game, seed, &standing);
        scribe.deal_starts(&game, &standing, &pack.rest());
        let mut state = game.deal(&standing, &mut pack);
        while let Some(seat) = game.turn(&state) {
            let legal = game.legal_moves(&state);
            let mv = crate::kit::pick(legal, &mut dice);
            let mut watched = Watched { pack: &mut pack, order: None };
            game.play(&mut state, mv, &mut watched).unwrap();
            scribe.moved(&game, seat, mv, legal, watched.order.as_deref());
        }
        standing = game.after(&standing, &state);
        scribe.deal_ends(&game, &state, &standing);
    }
    scribe.game_ends(&game, &standing);
    scribe.record().clone()
}

/// A pack that tells in which order it was made anew.
struct Watched<'p, D> {
    pack: &'p mut Pack<D>,
    order: Option<Vec<Card>>,
}

impl<D: Dice + Clone> Stock for Watched<'_, D> {
    fn draw<const PLANES: usize>(&mut self, left: &dealt_engine::CardBag<PLANES>) -> Card {
        self.pack.draw(left)
    }

    fn rebuild<const PLANES: usize>(&mut self, cards: &dealt_engine::CardBag<PLANES>) {
        self.pack.rebuild(cards);
        self.order = Some(self.pack.rest());
    }
}

fn what_is_written_is_read_and_refereed<G: Game>() {
    for seed in 0..30 {
        let record = recorded::<G>(seed, seed % 2 == 0);
        let line = record.to_line();
        let read = GameRecord::parse(&line).unwrap();
        assert_eq!(read, record);
        let tally = verify(&read).unwrap_or_else(|fault| panic!("{fault}\n{line}"));
        assert_eq!(tally.deals, record.deals.len() as u64);
        assert!(tally.moves > 0);
    }
}

/// Rules that are left out have their defaults, and fields that nobody knows are passed over.
fn a_record_may_leave_rules_out_and_hold_more_fields<G: Game>() {
    for seed in 0..10 {
        let mut record = recorded::<G>(seed, false);
        let defaults = G::Rules::default().to_map();
        record.rules.retain(|key, value| defaults[key] != *value || key == "players");
        verify(&record).unwrap_or_else(|fault| panic!("{fault}\n{}", record.to_line()));
        record.rules.remove("players");
        verify(&record).unwrap_or_else(|fault| panic!("{fault}\n{}", record.to_line()));
        let line = record.to_line().replacen('{', r#"{"comment":{"by":"somebody"},"#, 1);
        let line = line.replace(r#"{"dealer""#, r#"{"remarks":[],"dealer""#);
        assert_eq!(GameRecord::parse(&line).unwrap(), record);
    }
}

/// A new stock may stand behind the draw that it is for, but nowhere else, and must be made of the discards.
fn a_new_stock_stands_by_its_draw<G: Game>() -> usize {
    let mut seen = 0;
    for seed in 0..25 {
        let record = recorded::<G>(seed, true);
        let is_stock = |entry: &Entry| matches!(entry, Entry::Stock(_));
        let mut places = record.deals.iter().map(|deal| deal.moves.iter().position(is_stock)).enumerate();
        if let Some((deal, Some(at))) = places.find(|(_, at)| at.is_some()) {
            let swapped = |place: usize, other: usize| {
                let mut record = record.clone();
                record.deals[deal].moves.swap(place, other);
                record.deals[deal].legal.as_mut().unwrap().swap(place, other);
                record
            };
            verify(&swapped(at, at + 1)).unwrap();
            assert!(verify(&swapped(at, at - 1)).is_err());
            let mut missing = record.clone();
            missing.deals[deal].moves.remove(at);
            missing.deals[deal].legal.as_mut().unwrap().remove(at);
            let fault = verify(&missing).unwrap_err().to_string();
            assert!(fault.starts_with(&format!("deal {}, move {}, ", deal + 1, at + 1)), "{fault}");
            let mut other = record.clone();
            let Entry::Stock(order) = &mut other.deals[deal].moves[at] else { unreachable!() };
            order.pop();
            let fault = verify(&other).unwrap_err().to_string();
            assert!(fault.contains("not made of the discards"), "{fault}");
            seen += 1;
        }
    }
    seen
}

#[test]
fn a_new_stock_is_refereed() {
    assert!(a_new_stock_stands_by_its_draw::<dealt_engine::ThreeThirteen>() > 10);
    assert_eq!(a_new_stock_stands_by_its_draw::<dealt_engine::TwoTenJack>(), 0);
}

/// Whatever is done to a line, the answer is a refusal or, where the change means nothing, none; never a panic.
fn any_change_of_a_line_is_survived<G: Game>() {
    let mut dice = QuickDice::new(0x6675_7a7a, 1);
    let letters = b"0123456789-.,:[]{}\"\\ \n\xffaeHSTAKnult";
    let mut refused = 0;
    for seed in 0..10 {
        let line = recorded::<G>(seed, seed % 2 == 0).to_line();
        for _ in 0..150 {
            let mut bytes = line.clone().into_bytes();
            for _ in 0..=dice.below(3) {
                let place = dice.below(bytes.len() as u32) as usize;
                bytes[place] = letters[dice.below(letters.len() as u32) as usize];
            }
            let text = String::from_utf8_lossy(&bytes);
            let answer = GameRecord::parse(&text).and_then(|record| verify(&record));
            refused += u32::from(answer.is_err_and(|fault| !fault.message.is_empty()));
        }
    }
    assert!(refused > 1000, "{refused}");
}

macro_rules! for_games {
    ($($game:ident),* $(,)?) => {
        $(
            #[allow(non_snake_case)]
            mod $game {
                use dealt_engine::$game as Played;

                #[test]
                fn what_is_written_is_read_and_refereed() {
                    super::what_is_written_is_read_and_refereed::<Played>();
                }

                #[test]
                fn any_change_of_a_line_is_survived() {
                    super::any_change_of_a_line_is_survived::<Played>();
                }

                #[test]
                fn a_record_may_leave_rules_out_and_hold_more_fields() {
                    super::a_record_may_leave_rules_out_and_hold_more_fields::<Played>();
                }
            }
        )*
    };
}

dealt_engine::for_each_game!(for_games);
