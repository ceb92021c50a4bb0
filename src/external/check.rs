//! Trying a program out: it is asked through all games and options, and what is wrong with it is said in plain words.
//!
//! Every value of every option that the games name as an example is played, alone and with others; and because some
//! situations are rare where nobody plays well, half of the moves are those of the heuristic: the program is asked for
//! each, and whose move is made is drawn. So hands are melded and players go out. A program that is at fault in a game is
//! started anew for the next game: the first fault of each is told.

use dealt_agents::{GameVisitor, Parameters, SearchGame, Turn, Weights, with_game};
use dealt_engine::rules::plain;
use dealt_engine::{Dice, GAMES, Game, Move, Pack, QuickDice, Rules, Seat, Standing};
use serde_json::{Map, Value, json};

use super::process::Trouble;
use super::{Conversation, Terms, protocol};
use crate::streams::Streams;

/// The seed of all that is played.
const SEED: u64 = 1;
/// Sets of rules that are drawn at random, besides those that change one rule.
const RANDOM_SETS: u64 = 25;
/// The most questions of one set of rules.
const MOST_QUESTIONS: u32 = 60;
/// One question in so many is asked again.
const ASKED_AGAIN: u64 = 17;

/// What came of one thing that was tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What it is that a program must do.
    pub what: String,
    /// How much of it was tried.
    pub scope: String,
    /// What the program did instead, and where.
    pub wrong: Option<Wrong>,
}

/// What a program did wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// What it did; completes a sentence that begins with the program.
    pub fault: String,
    /// Where, and what else may help.
    pub details: Vec<String>,
}

/// What was found in all.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Report {
    /// What the program calls itself.
    pub name: Option<String>,
    /// How many things are wrong.
    pub faults: u32,
    /// How many questions were asked.
    pub questions: u64,
}

/// A report, and whoever is told of each finding as it is made.
struct Told<'f> {
    report: Report,
    found: &'f mut dyn FnMut(Finding),
}

impl Told<'_> {
    fn add(&mut self, what: impl Into<String>, scope: impl Into<String>, wrong: Option<Wrong>) {
        self.report.faults += u32::from(wrong.is_some());
        (self.found)(Finding { what: what.into(), scope: scope.into(), wrong });
    }
}

/// Tries a program in these games, by the names of the registry; others are passed over. `found` is told of each thing as
/// soon as it was tried.
pub fn check(terms: &Terms, games: &[&str], found: &mut dyn FnMut(Finding)) -> Report {
    let mut told = Told { report: Report::default(), found };
    let greeted = Conversation::<dealt_engine::TwoTenJack>::start(terms);
    match &greeted {
        Ok(conversation) => {
            told.report.name = conversation.name().map(str::to_owned);
            told.add("starts and greets", "", None);
        }
        Err(trouble) => {
            told.add("starts and greets", "", Some(wrong(trouble, None)));
            return told.report;
        }
    }
    drop(greeted);
    for info in GAMES.iter().filter(|info| games.contains(&info.name)) {
        with_game(info.name, Visit { terms, told: &mut told });
    }
    told.report
}

fn wrong(trouble: &Trouble, place: Option<String>) -> Wrong {
    let errors = trouble.errors.iter().map(|line| format!("| {line}"));
    Wrong { fault: trouble.fault.clone(), details: place.into_iter().chain(errors).collect() }
}

struct Visit<'c, 'f> {
    terms: &'c Terms,
    told: &'c mut Told<'f>,
}

impl GameVisitor for Visit<'_, '_> {
    type Output = ();

    fn visit<G: SearchGame>(self) {
        let Visit { terms, told } = self;
        let mut trial = Trial::<G> { terms, conversation: None, asked: 0, kept: Vec::new() };
        let sets = rule_sets::<G>();
        let played = sets.iter().enumerate().try_for_each(|(number, set)| trial.play(set, number as u64));
        let (count, asked) = (sets.len(), trial.asked);
        let plays = format!("plays {}", G::NAME);
        let is_fine = played.is_ok();
        told.add(plays, format!("{count} sets of rules, {asked} questions"), played.err());
        if is_fine {
            let again = trial.ask_again();
            let scope = format!("{} questions of {}, in another process", trial.kept.len(), G::NAME);
            told.add("answers alike when asked again", scope, again);
            told.add("passes over what it does not know", "", trial.say_news());
            told.add("ends when its input ends", "", trial.end());
        }
        told.report.questions += trial.asked;
    }
}

/// The default rules, every example of every option with the rest as it is, some rare situations, and random sets.
fn rule_sets<G: Game>() -> Vec<Map<String, Value>> {
    let mut sets = vec![Map::new()];
    let value = |example: &str| serde_json::from_str::<Value>(example).unwrap_or_default();
    let presets = G::PRESETS.iter().map(|preset| value(preset.changes));
    let rare = rare_rules(G::NAME);
    sets.extend(presets.chain(rare).filter_map(|set| set.as_object().cloned()));
    for option in G::Rules::OPTIONS {
        sets.extend(
            option.examples.iter().map(|example| Map::from_iter([(option.key.to_owned(), value(example))])),
        );
    }
    for number in 0..RANDOM_SETS {
        let mut dice = QuickDice::new(SEED, number);
        let mut set = Map::new();
        for option in G::Rules::OPTIONS {
            let example = option.examples[dice.below(option.examples.len() as u32) as usize];
            if dice.below(3) == 0 {
                set.insert(option.key.to_owned(), value(example));
            }
        }
        sets.push(set);
    }
    sets.retain(|set| G::Rules::default().with(set).and_then(G::new).is_ok());
    sets
}

/// Rules under which something comes up that hardly ever does otherwise.
fn rare_rules(game: &str) -> Vec<Value> {
    match game {
        "cancellation-hearts" => {
            // With one heart and no queen of spades in the pack, whoever takes it has shot the moon.
            let hearts = "3456789TJQKA".chars().map(|rank| format!("{rank}H"));
            let remove: Vec<String> = hearts.chain(["QS".to_owned()]).collect();
            vec![json!({ "decks": 1, "players": 3, "remove": remove })]
        }
        "three-thirteen" => vec![json!({ "go_out_without_discard": true, "rounds": [3, 3, 3, 3, 3, 3] })],
        _ => Vec::new(),
    }
}

/// Plays deals by some rules, until the game is over or enough was asked. Half of the moves are those answered, the others
/// those of the heuristic; the dice of all questions are those of `number`.
fn walk<G: SearchGame>(
    changes: &Map<String, Value>,
    number: u64,
    mut ask: impl FnMut(&Turn<'_, G>, &G::State) -> Result<Move, Trouble>,
) -> Result<(), Wrong> {
    let Ok(game) = G::Rules::default().with(changes).and_then(G::new) else { return Ok(()) };
    let weights = G::Weights::from_parameters(&Parameters::new());
    let streams = Streams::new(SEED);
    let mut dice = QuickDice::new(SEED ^ 0x6368_6563_6b73, number);
    let mut standing = game.start(game.first_dealer().unwrap_or(number as usize % game.players()));
    let mut asked = 0;
    while !game.is_over(&standing) && asked < MOST_QUESTIONS {
        let mut pack = Pack::new(game.pack(), streams.deal(number, standing.deals));
        let mut state = game.deal(&standing, &mut pack);
        while let Some(seat) = game.turn(&state) {
            let legal = game.legal_moves(&state);
            let mv = match legal.only() {
                Some(mv) => mv,
                None => {
                    asked += 1;
                    let turn = Turn::new(&game, &standing, &state, seat, legal, SEED, number);
                    let answer = ask(&turn, &state);
                    let answer =
                        answer.map_err(|trouble| wrong(&trouble, Some(place(&game, changes, seat))))?;
                    if dice.below(2) == 0 { answer } else { game.greedy(&weights, &turn.view(), legal) }
                }
            };
            game.play_unchecked(&mut state, mv, &mut pack);
        }
        standing = game.after(&standing, &state);
    }
    Ok(())
}

/// A question that was asked.
struct Kept<G: Game> {
    game: G,
    standing: Standing,
    state: G::State,
    seat: Seat,
    number: u64,
    answer: Move,
}

impl<G: Game> Kept<G> {
    fn turn(&self) -> Turn<'_, G> {
        let legal = self.game.legal_moves(&self.state);
        Turn::new(&self.game, &self.standing, &self.state, self.seat, legal, SEED, self.number)
    }
}

/// A program that is tried in a game.
struct Trial<'c, G: SearchGame> {
    terms: &'c Terms,
    conversation: Option<Conversation<G>>,
    asked: u64,
    kept: Vec<Kept<G>>,
}

impl<G: SearchGame> Trial<'_, G> {
    fn conversation(&mut self) -> Result<&mut Conversation<G>, Trouble> {
        match &mut self.conversation {
            Some(conversation) => Ok(conversation),
            none => Ok(none.insert(Conversation::start(self.terms)?)),
        }
    }

    /// Plays by some rules.
    fn play(&mut self, changes: &Map<String, Value>, number: u64) -> Result<(), Wrong> {
        walk(changes, number, |turn, state| {
            self.asked += 1;
            let (answer, _) = self.conversation()?.ask(turn)?;
            if self.asked.is_multiple_of(ASKED_AGAIN) {
                let (game, standing, state, seat) =
                    (turn.game().clone(), *turn.standing(), *state, turn.seat());
                self.kept.push(Kept { game, standing, state, seat, number, answer });
            }
            Ok(answer)
        })
    }

    /// Asks some of the questions once more, in the other order, of a process that has heard none of them.
    fn ask_again(&mut self) -> Option<Wrong> {
        let mut other = match Conversation::<G>::start(self.terms) {
            Ok(conversation) => conversation,
            Err(trouble) => return Some(wrong(&trouble, None)),
        };
        for kept in self.kept.iter().rev() {
            let turn = kept.turn();
            match other.ask(&turn) {
                Ok((again, _)) if again == kept.answer => {}
                Ok((again, _)) => {
                    let [first, again] = [kept.answer, again].map(|mv| mv.name(G::WORDS));
                    let fault = format!(
                        "answered `{first}`, and `{again}` to the same question in another process: a move must depend on \
                         the question alone (its field `dice` is there for chance)"
                    );
                    return Some(Wrong { fault, details: Vec::new() });
                }
                Err(trouble) => return Some(wrong(&trouble, None)),
            }
        }
        None
    }

    /// Says what no version of the protocol says so far, which later ones may.
    fn say_news(&mut self) -> Option<Wrong> {
        let kept = self.kept.pop()?;
        let said = self.conversation().and_then(|conversation| {
            conversation.ask(&kept.turn())?;
            conversation.ask_with_news(&kept.turn())
        });
        let place = "after the message {\"type\":\"news\"}, which wants no answer, and a question with a field `news`";
        let trouble = said.err()?;
        self.conversation = None;
        Some(wrong(&trouble, Some(place.to_owned())))
    }

    /// Ends its input.
    fn end(&mut self) -> Option<Wrong> {
        let said = self.conversation().and_then(|conversation| conversation.process().farewell());
        self.conversation = None;
        said.err().map(|trouble| wrong(&trouble, None))
    }
}

/// Where a program was at fault, for a person.
fn place<G: Game>(game: &G, changes: &Map<String, Value>, seat: Seat) -> String {
    let changes: Vec<String> = changes.iter().map(|(key, value)| format!("{key}={}", plain(value))).collect();
    let rules = if changes.is_empty() { "the default rules".to_owned() } else { changes.join(", ") };
    format!("in seat {seat} of {} players, by {rules}", game.players())
}

impl<G: Game> Conversation<G> {
    /// Asks as [`ask`](Self::ask), after a message of a type that is not known and with a field that is not.
    fn ask_with_news(&mut self, turn: &Turn<'_, G>) -> Result<(), Trouble> {
        let line = |value: &Value| format!("{value}\n").into_bytes();
        self.process.say(line(&json!({ "type": "news", "text": "a later version may say more" })));
        self.questions += 1;
        let mut question = protocol::question_value(turn, self.questions);
        question["news"] = json!({ "more": [1, 2] });
        self.process.say(line(&question));
        let heard = self.process.hear(self.process.move_limit(), "answer")?;
        let answer = protocol::read_answer::<G>(&heard, self.questions, turn.seat(), turn.legal_moves());
        answer.map(|_| ()).map_err(|fault| self.process.trouble(fault))
    }
}

#[cfg(test)]
mod tests {
    use dealt_engine::{CancellationHearts, Moves, ThreeThirteen, TwoTenJack};

    use super::*;

    fn every_word_and_option_comes_up<G: SearchGame>() {
        let mut seen = Moves::EMPTY;
        let mut asked = 0;
        let sets = rule_sets::<G>();
        for (number, changes) in sets.iter().enumerate() {
            let played = walk::<G>(changes, number as u64, |turn, _| {
                asked += 1;
                seen |= turn.legal_moves();
                Ok(turn.legal_moves().lowest().unwrap())
            });
            assert_eq!(played, Ok(()));
        }
        for word in 0..G::WORDS.len() {
            assert!(seen.has(Move::word(word)), "{} never comes up", G::WORDS[word]);
        }
        for option in G::Rules::OPTIONS {
            assert!(sets.iter().any(|set| set.contains_key(option.key)), "{} is not varied", option.key);
        }
        assert!(asked > 40 * sets.len() && sets.len() > 40, "{asked} questions of {} sets", sets.len());
    }

    #[test]
    fn every_word_and_option_of_every_game_comes_up() {
        every_word_and_option_comes_up::<TwoTenJack>();
        every_word_and_option_comes_up::<CancellationHearts>();
        every_word_and_option_comes_up::<ThreeThirteen>();
    }
}
