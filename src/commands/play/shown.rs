//! The table and the hand as a person sees them: texts made of the facts that a seat is told, and of nothing else.

use dealt_engine::{Game, Moves, Seat};
use serde_json::Value;

/// What a seat is told, an object; a fact that it lacks is `null`.
type Facts = Value;
/// Between two things on a line.
const GAP: &str = " · ";

/// The table and the hand of the seat whose facts these are.
pub(super) fn table(game: &str, facts: &Facts, names: &[String], me: Seat) -> Vec<String> {
    let mut lines = match game {
        "two-ten-jack" => two_ten_jack(facts, names, me),
        "cancellation-hearts" => cancellation_hearts(facts, names, me),
        "three-thirteen" => three_thirteen(facts, names, me),
        // A game that nobody has drawn a table for is shown by its facts.
        _ => {
            facts.as_object().into_iter().flatten().map(|(name, value)| format!("{name}: {value}")).collect()
        }
    };
    lines.push(format!("Your hand   {}", by_suit(&cards(&facts["hand"]))));
    lines
}

fn two_ten_jack(facts: &Facts, names: &[String], me: Seat) -> Vec<String> {
    let tricks = list(&facts["tricks"]);
    let going_on = tricks.last().filter(|trick| trick["winner"].is_null());
    let number = if going_on.is_some() { tricks.len() } else { tricks.len() + 1 };
    let scores = by_name(names, |seat| facts["scores"][seat].to_string());
    let stock = &facts["stock"];
    let mut lines =
        vec![format!("Trick {number} of 26{GAP}{stock} cards in the stock{GAP}captured: {scores}")];
    lines.push(match going_on {
        None => "The table is empty: you lead".to_owned(),
        Some(trick) => {
            let lead = cards(&trick["cards"]).join(" ");
            let leader = seat_of(&trick["leader"]);
            match facts["declared"].as_str() {
                Some(word) if lead == "AS" => {
                    format!("On the table   {lead} {word}, led by {}", names[leader])
                }
                _ if leader == me => format!("On the table   {lead}: what is it, trump or a spade?"),
                _ => format!("On the table   {lead}, led by {}", names[leader]),
            }
        }
    });
    lines
}

fn cancellation_hearts(facts: &Facts, names: &[String], me: Seat) -> Vec<String> {
    match facts["phase"].as_str() {
        Some("pass") => {
            let to = facts["passes_to"].as_u64().map_or("nobody", |seat| names[seat as usize].as_str());
            let given = cards(&facts["given"]);
            let picked =
                if given.is_empty() { String::new() } else { format!("{GAP}picked: {}", given.join(" ")) };
            return vec![format!("Pick {} more for {to}, the lowest first{picked}", facts["picks_left"])];
        }
        Some("moon") => {
            return vec![
                "You have shot the moon: is it taken from your total, or added to the others'?".to_owned(),
            ];
        }
        _ => {}
    }
    let points = |seat: Seat| {
        let captured = &facts["captured"][seat];
        let number = |name: &str| captured[name].as_i64().unwrap_or(0);
        (number("hearts") + 13 * number("queens") + number("bonus")).to_string()
    };
    let broken = if facts["hearts_broken_in"].is_null() { "not broken" } else { "broken" };
    let number = facts["tricks"].as_u64().unwrap_or(0) + 1;
    let aside = match facts["aside"]["tricks"].as_u64() {
        Some(tricks @ 1..) => format!("{GAP}set aside: {tricks} void"),
        _ => String::new(),
    };
    let mut lines = vec![
        format!("Trick {number}{GAP}hearts {broken}{aside}"),
        format!("Captured       {}", by_name(names, points)),
        format!("Totals         {}", by_name(names, |seat| facts["totals"][seat].to_string())),
    ];
    let trick = &facts["trick"];
    let leader = seat_of(&trick["leader"]);
    let played: Vec<String> = cards(&trick["cards"])
        .iter()
        .enumerate()
        .map(|(place, card)| format!("{card} {}", names[(leader + place) % names.len()]))
        .collect();
    lines.push(match trick["winning"].as_u64() {
        _ if played.is_empty() && leader == me => "The table is empty: you lead".to_owned(),
        Some(seat) => {
            format!("On the table   {}; {} so far", played.join(", "), takes(&names[seat as usize]))
        }
        None => format!("On the table   {}; nobody takes it so far", played.join(", ")),
    });
    lines
}

fn three_thirteen(facts: &Facts, names: &[String], me: Seat) -> Vec<String> {
    let wild = text(&facts["wild"]);
    let top = cards(&facts["pile"]).first().cloned().unwrap_or_else(|| "none".to_owned());
    let mut lines = vec![format!(
        "Wild: {wild}{GAP}top discard {top}{GAP}{} in the stock{GAP}totals: {}",
        facts["stock"],
        by_name(names, |seat| facts["totals"][seat].to_string())
    )];
    for (seat, known) in list(&facts["known"]).iter().enumerate() {
        let known = cards(known);
        if seat != me && !known.is_empty() {
            lines.push(format!("Known          {} has {}", names[seat], known.join(" ")));
        }
    }
    if !list(&facts["out"]).is_empty() {
        let out: Vec<&str> = list(&facts["out"]).iter().map(|seat| names[seat_of(seat)].as_str()).collect();
        lines.push(format!("Out: {}: this is your last turn", out.join(", ")));
    }
    let melds: Vec<String> = list(&facts["melds"]).iter().map(|meld| cards(meld).join(" ")).collect();
    let melds = if melds.is_empty() { "none".to_owned() } else { melds.join(" | ") };
    lines.push(format!("Melds          {melds}{GAP}the rest costs {}", facts["deadwood"]));
    lines
}

/// What a seat has noticed between two moments, in the order of the facts.
pub(super) fn news(game: &str, was: &Facts, is: &Facts, names: &[String], me: Seat) -> Vec<String> {
    let mut lines = Vec::new();
    match game {
        "two-ten-jack" => {
            let finished = |facts: &Facts| {
                list(&facts["tricks"]).iter().filter_map(|trick| trick["winner"].as_u64()).collect::<Vec<_>>()
            };
            let (before, after) = (finished(was), finished(is));
            lines.extend(after.get(before.len()).map(|&seat| format!("{} it", takes(&names[seat as usize]))));
        }
        "cancellation-hearts" => {
            if was["tricks"] != is["tricks"] {
                let is_void = was["void_tricks"] != is["void_tricks"];
                let winner = is["last_winner"].as_u64().filter(|_| !is_void);
                lines.push(winner.map_or("nobody takes it: the trick is void".to_owned(), |seat| {
                    format!("{} it", takes(&names[seat as usize]))
                }));
            }
            if was["kitty"] != is["kitty"] {
                lines.push(format!("the kitty that comes with it: {}", cards(&is["kitty"]).join(" ")));
            }
            if was["phase"] == "pass" && is["phase"] != "pass" {
                lines.push(format!("the passes change hands: you get {}", cards(&is["received"]).join(" ")));
            }
        }
        _ => {}
    }
    let gained = more(&cards(&is["hand"]), &cards(&was["hand"]));
    if !gained.is_empty() && game != "cancellation-hearts" {
        lines.push(format!("you draw {}", gained.join(" ")));
    }
    if was["out"] != is["out"] {
        for seat in list(&is["out"]).iter().filter(|seat| !list(&was["out"]).contains(seat)).map(seat_of) {
            if seat != me {
                lines.push(format!("{} lays down {}", names[seat], cards(&is["known"][seat]).join(" ")));
            }
        }
    }
    lines
}

/// The words of the games, as they are told of the person and of others.
const WORDS: &[(&str, &str, &str)] = &[
    ("as-trump", "declare it a trump", "declares it a trump"),
    ("as-spade", "declare it a spade", "declares it a spade"),
    ("moon-subtract", "take the moon from your total", "takes the moon from its own total"),
    ("moon-add", "add the moon to the others' totals", "adds the moon to the others' totals"),
    ("draw-stock", "draw from the stock", "draws from the stock"),
    ("draw-discard", "take the discard", "takes the discard"),
    ("go-out", "go out", "goes out"),
    ("go-out-all", "go out with all cards", "goes out with all cards"),
];

/// A move as it is told; `verb` is what is done with cards.
pub(super) fn said(name: &str, mv: &str, verb: &str) -> String {
    let is_me = name == "you";
    match WORDS.iter().find(|(word, ..)| *word == mv) {
        Some((_, own, _)) if is_me => format!("{name} {own}"),
        Some((_, _, others)) => format!("{name} {others}"),
        None if is_me => format!("{name} {verb} {mv}"),
        None => format!("{name} {verb}s {mv}"),
    }
}

/// What is done with a card in a phase of a game.
pub(super) fn verb(game: &str, facts: &Facts) -> &'static str {
    match (game, facts["phase"].as_str()) {
        ("three-thirteen", _) => "discard",
        (_, Some("pass")) => "pass",
        _ => "play",
    }
}

/// The legal moves with their numbers.
pub(super) fn numbered<G: Game>(legal: Moves) -> String {
    let moves =
        legal.into_iter().enumerate().map(|(place, mv)| format!("{} {}", place + 1, mv.name(G::WORDS)));
    format!("Your moves  {}", moves.collect::<Vec<_>>().join("   "))
}

/// The hands of the others that are laid open when a deal is over.
pub(super) fn hands_at_end<G: Game>(game: &G, state: &G::State, me: Seat) -> Vec<(Seat, String)> {
    let others = (0..game.players()).filter(|&seat| seat != me);
    let hands = others.map(|seat| (seat, game.hand(state, seat))).filter(|(_, hand)| !hand.is_empty());
    hands
        .map(|(seat, hand)| (seat, hand.iter().map(|card| card.to_string()).collect::<Vec<_>>().join(" ")))
        .collect()
}

/// Cards, sorted by suit as they are told, with the suits apart.
fn by_suit(cards: &[String]) -> String {
    let suits = cards.chunk_by(|one, other| one.chars().last() == other.chars().last());
    suits.map(|suit| suit.join(" ")).collect::<Vec<_>>().join("   ")
}

fn by_name(names: &[String], value: impl Fn(Seat) -> String) -> String {
    let pairs = names.iter().enumerate().map(|(seat, name)| format!("{name} {}", value(seat)));
    pairs.collect::<Vec<_>>().join(", ")
}

fn takes(name: &str) -> String {
    if name == "you" { "you take".to_owned() } else { format!("{name} takes") }
}

/// The cards of a list that another has fewer of.
fn more(cards: &[String], other: &[String]) -> Vec<String> {
    let mut left = other.to_vec();
    let mut is_new = |card: &&String| match left.iter().position(|known| known == *card) {
        Some(place) => {
            left.remove(place);
            false
        }
        None => true,
    };
    cards.iter().filter(|card| is_new(card)).cloned().collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn cards(value: &Value) -> Vec<String> {
    list(value).iter().map(|card| text(card).to_owned()).collect()
}

fn seat_of(value: &Value) -> Seat {
    value.as_u64().unwrap_or(0) as Seat
}
