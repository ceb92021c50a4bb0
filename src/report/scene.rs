//! A recorded game as a series of scenes: after each move, who holds what and what lies on the table.
//!
//! The record is replayed by the rules, so a page never shows a game that could not have happened. What lies on the
//! table is told without knowing the game: where a card is turned up after the deal there is a pile of discards, and
//! its top is what lies there; elsewhere cards are played to tricks, one a seat, and a hidden move lays a card aside.

use dealt_agents::{GameVisitor, SearchGame, with_game};
use dealt_engine::{Card, Game, Move, Seat, Standing};
use serde_json::{Value, json};

use crate::record::{DealRecord, Fault, GameRecord};
use crate::replay::{Follow, replay, unknown_game};

/// A deal.
#[derive(Clone, Debug, Default)]
pub(super) struct DealScene {
    pub(super) dealer: Seat,
    pub(super) hands: Vec<Vec<Card>>,
    pub(super) upcard: Option<Card>,
    /// What the cards that lie face down are called, and how many there are.
    pub(super) rest: (&'static str, usize),
    pub(super) steps: Vec<Step>,
    pub(super) scores: Vec<i64>,
    pub(super) totals: Vec<i64>,
    pub(super) capped: bool,
}

/// A move, and how things stand after it.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    pub(super) seat: Seat,
    pub(super) mv: String,
    /// Whether the others do not see which it is.
    pub(super) hidden: bool,
    /// Cards on the table, with who played them where that is known.
    table: Vec<(Option<Seat>, Card)>,
    /// Cards that came into hands and left them.
    gained: Vec<(Seat, Card)>,
    lost: Vec<(Seat, Card)>,
    scores: Vec<i64>,
    rest: usize,
    /// How many discards had just become a new stock.
    pub(super) rebuilt: Option<usize>,
    pub(super) note: Option<Value>,
}

/// The scenes of a game.
///
/// # Errors
/// The first thing in which the record differs from the rules.
pub(super) fn scenes(record: &GameRecord) -> Result<Vec<DealScene>, Fault> {
    struct Visitor<'r>(&'r GameRecord);
    impl GameVisitor for Visitor<'_> {
        type Output = Result<Vec<DealScene>, Fault>;
        fn visit<G: SearchGame>(self) -> Self::Output {
            let mut painter = Painter::default();
            replay::<G, _>(self.0, &mut painter)?;
            Ok(painter.deals)
        }
    }
    with_game(&record.game, Visitor(record)).unwrap_or_else(|| Err(unknown_game(&record.game)))
}

/// Follows a replay.
#[derive(Default)]
struct Painter {
    deals: Vec<DealScene>,
    notes: Vec<Option<Value>>,
    trick: Vec<(Seat, Card)>,
    pile: Vec<Card>,
    rebuilt: Option<usize>,
}

impl Painter {
    /// What a card that is played does to the table.
    fn lay<G: Game>(&mut self, game: &G, seat: Seat, card: Card, is_pile: bool) {
        if is_pile {
            return self.pile.push(card);
        }
        if self.trick.len() == game.players() {
            self.trick.clear();
        }
        self.trick.push((seat, card));
    }

    fn table(&self, is_pile: bool) -> Vec<(Option<Seat>, Card)> {
        if is_pile {
            return self.pile.last().map(|&card| (None, card)).into_iter().collect();
        }
        self.trick.iter().map(|&(seat, card)| (Some(seat), card)).collect()
    }
}

impl<G: Game> Follow<G> for Painter {
    fn deal(&mut self, game: &G, _: usize, deal: &DealRecord, state: &G::State) {
        self.notes = deal.notes.clone().unwrap_or_default();
        self.trick.clear();
        self.pile = deal.upcard.into_iter().collect();
        self.deals.push(DealScene {
            dealer: deal.dealer,
            hands: deal.hands.clone(),
            upcard: deal.upcard,
            rest: (G::REST, game.rest(state).len()),
            ..DealScene::default()
        });
    }

    fn rebuilt(&mut self, order: &[Card]) {
        self.rebuilt = Some(order.len());
    }

    fn play(
        &mut self,
        game: &G,
        entry: usize,
        (seat, mv): (Seat, Move),
        before: &G::State,
        after: &G::State,
    ) {
        let is_pile = self.deals.last().is_some_and(|deal| deal.upcard.is_some());
        let hidden = game.is_hidden(before);
        if self.rebuilt.is_some() {
            self.pile.drain(..self.pile.len().saturating_sub(1));
        }
        let (gained, lost) = changes(game, before, after);
        match mv.as_card() {
            Some(card) if !hidden => self.lay(game, seat, card, is_pile),
            None if is_pile && gained.len() == 1 && takes(game, before, after) && self.rebuilt.is_none() => {
                self.pile.pop();
            }
            _ => {}
        }
        let step = Step {
            seat,
            mv: mv.name(G::WORDS),
            hidden,
            table: self.table(is_pile),
            gained,
            lost,
            scores: game.scores(after)[..game.players()].iter().map(|&score| i64::from(score)).collect(),
            rest: game.rest(after).len(),
            rebuilt: self.rebuilt.take(),
            note: self.notes.get_mut(entry).and_then(Option::take),
        };
        if let Some(deal) = self.deals.last_mut() {
            deal.steps.push(step);
        }
    }

    fn end(&mut self, game: &G, state: &G::State, standing: &Standing) {
        let seats = |values: &[i32]| values.iter().map(|&value| i64::from(value)).collect();
        let players = game.players();
        if let Some(deal) = self.deals.last_mut() {
            deal.scores = seats(&game.scores(state)[..players]);
            deal.totals = seats(&standing.totals[..players]);
            deal.capped = game.capped(state);
        }
    }
}

/// Whether a move leaves the cards that lie face down as they are: what was gained was then taken from the discards.
fn takes<G: Game>(game: &G, before: &G::State, after: &G::State) -> bool {
    game.rest(before).len() == game.rest(after).len()
}

type Seated = Vec<(Seat, Card)>;

/// The cards that came into hands, and those that left them.
fn changes<G: Game>(game: &G, before: &G::State, after: &G::State) -> (Seated, Seated) {
    let (mut gained, mut lost) = (Vec::new(), Vec::new());
    for seat in 0..game.players() {
        let (before, after) = (game.hand(before, seat), game.hand(after, seat));
        for card in Card::all() {
            let (old, new) = (before.count(card), after.count(card));
            gained.extend(std::iter::repeat_n((seat, card), new.saturating_sub(old)));
            lost.extend(std::iter::repeat_n((seat, card), old.saturating_sub(new)));
        }
    }
    (gained, lost)
}

fn cards(cards: &[Card]) -> String {
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
}

fn seated(cards: &[(Seat, Card)]) -> String {
    cards.iter().map(|(seat, card)| format!("{seat}{card}")).collect::<Vec<_>>().join(" ")
}

impl DealScene {
    /// For the page's script: the hands as dealt, then for each move what it changed. Names are short, for there are
    /// many: seat, move, cards on the table (a seat before each, where it is known), cards gained and lost (a seat before
    /// each), cards face down, scores so far if they are others than before, and what the agent thought.
    pub(super) fn data(&self) -> Value {
        let mut scores = &vec![0; self.scores.len()];
        let mut steps = Vec::new();
        for step in &self.steps {
            let changed = *scores != step.scores;
            scores = &step.scores;
            let table = step.table.iter().map(|(seat, card)| match seat {
                Some(seat) => format!("{seat}{card}"),
                None => card.to_string(),
            });
            steps.push(json!([
                step.seat,
                step.mv,
                table.collect::<Vec<_>>().join(" "),
                seated(&step.gained),
                seated(&step.lost),
                step.rest,
                if changed { json!(step.scores) } else { json!(0) },
                step.note.clone().unwrap_or(json!(0)),
            ]));
        }
        json!({
            "dealer": self.dealer,
            "hands": self.hands.iter().map(|hand| cards(hand)).collect::<Vec<_>>(),
            "upcard": self.upcard.map(|card| card.to_string()),
            "rest": self.rest.0,
            "left": self.rest.1,
            "steps": steps,
        })
    }
}
