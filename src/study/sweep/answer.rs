//! What a sweep comes to, in words: for each variant what it changes everywhere, what it does to one kind of players and
//! not to another, what is shown in places only, and what stays open.

use super::contrast::{Contrast, Verdict};
use crate::figures::{self, counted, listed, signed};

/// What a variant does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effects {
    /// Its name.
    pub variant: String,
    /// What it is shown to do, each of it a sentence without its stop.
    pub shown: Vec<String>,
    /// What is not shown to differ, likewise.
    pub others: Vec<String>,
}

/// How many contrasts came to what.
#[must_use]
pub fn opening(contrasts: &[Contrast], confidence: f64) -> String {
    match contrasts.first() {
        Some(first) => balance(contrasts, first.family, confidence),
        None => "One set of rules: there is nothing to compare.".to_owned(),
    }
}

/// What each variant does, in the order of the contrasts; metrics are called what `name` calls them.
#[must_use]
pub fn effects(contrasts: &[Contrast], name: &dyn Fn(&str) -> String) -> Vec<Effects> {
    let effects = |variant: &str| {
        let of_variant: Vec<&Contrast> =
            contrasts.iter().filter(|contrast| contrast.variant == variant).collect();
        let metrics = metrics(&of_variant);
        let all = distinct_places(&of_variant);
        Effects {
            variant: variant.to_owned(),
            shown: shown(&metrics, &all, name),
            others: others(&metrics, &all, name),
        }
    };
    let variants = distinct(contrasts.iter().map(|contrast| contrast.variant.as_str()));
    variants.into_iter().map(effects).collect()
}

/// How many contrasts came to what.
fn balance(contrasts: &[Contrast], family: u64, confidence: f64) -> String {
    let of = |verdicts: &[Verdict]| {
        contrasts.iter().filter(|contrast| verdicts.contains(&contrast.verdict)).count() as u64
    };
    let shown = of(&[Verdict::More, Verdict::Less]);
    let others = [
        (of(&[Verdict::Equivalent]), "within the margin"),
        (of(&[Verdict::Same]), "the same in every block"),
        (of(&[Verdict::Undecided]), "undecided"),
    ];
    let others: Vec<String> = others
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let level = figures::number((1.0 - confidence) * 100.0, 3);
    let level = level.trim_end_matches('0').trim_end_matches('.');
    let others = others.iter().map(|other| format!(", {other}")).collect::<String>();
    format!(
        "{} with the base rules: {shown} {} shown to differ{others}. By Holm’s correction the chance of even one false \
         difference among them is {level} % at most.",
        counted(family, "comparison"),
        if shown == 1 { "is" } else { "are" }
    )
}

/// How the effects of a rule on a metric in all cells go together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pattern {
    /// The same verdict everywhere.
    All(Verdict),
    /// One thing with some players, another with others, at a table of the same size.
    BySkill,
    /// One thing at a table of one size, another at one of another, for the same players.
    ByPlayers,
    /// A difference in places, undecided elsewhere.
    InPlaces,
    /// No difference anywhere, but not for the same reason everywhere.
    Nowhere,
}

impl Pattern {
    fn of(cells: &[&Contrast]) -> Pattern {
        let first = cells[0].verdict;
        if cells.iter().all(|cell| cell.verdict == first) {
            return Pattern::All(first);
        }
        if !cells.iter().any(|cell| is_shown(cell)) {
            return Pattern::Nowhere;
        }
        // That two are the same in every block and that they are alike within the margin go together.
        let decided = |cell: &Contrast| match cell.verdict {
            Verdict::Undecided => None,
            Verdict::Same => Some(Verdict::Equivalent),
            verdict => Some(verdict),
        };
        let differ = |one: &Contrast, other: &Contrast| {
            decided(one).zip(decided(other)).is_some_and(|(one, other)| one != other)
        };
        let pairs = || {
            let pair = |place: usize| cells[place + 1..].iter().map(move |other| (cells[place], *other));
            (0..cells.len()).flat_map(pair).filter(|(one, other)| differ(one, other))
        };
        if pairs().any(|(one, other)| one.players == other.players) {
            Pattern::BySkill
        } else if pairs().any(|(one, other)| one.skill == other.skill) {
            Pattern::ByPlayers
        } else {
            Pattern::InPlaces
        }
    }
}

fn is_shown(contrast: &Contrast) -> bool {
    matches!(contrast.verdict, Verdict::More | Verdict::Less)
}

/// A verdict in words.
#[must_use]
pub fn words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Equivalent => "within the margin",
        Verdict::Same => "the same in every block",
        verdict => verdict.name(),
    }
}

/// A metric with its contrasts in all cells, and how they go together.
struct Metric<'c> {
    name: &'c str,
    cells: Vec<&'c Contrast>,
    pattern: Pattern,
}

fn metrics<'c>(contrasts: &[&'c Contrast]) -> Vec<Metric<'c>> {
    let metric = |name| {
        let cells: Vec<&Contrast> =
            contrasts.iter().copied().filter(|contrast| contrast.metric == name).collect();
        Metric { name, pattern: Pattern::of(&cells), cells }
    };
    metric_names(contrasts.iter().copied()).into_iter().map(metric).collect()
}

/// The names of the metrics of some contrasts, in their order, but those of all seats or cards behind one another.
pub fn metric_names<'c>(contrasts: impl Iterator<Item = &'c Contrast>) -> Vec<&'c str> {
    let mut names = distinct(contrasts.map(|contrast| contrast.metric.as_str()));
    let stem = |name: &'c str| name.split('[').next();
    let stems = distinct(names.iter().map(|name| stem(name)));
    names.sort_by_key(|name| stems.iter().position(|known| *known == stem(name)));
    names
}

/// What a variant is shown to do.
fn shown(metrics: &[Metric<'_>], all: &[Place<'_>], name: &dyn Fn(&str) -> String) -> Vec<String> {
    let everywhere = if all.len() > 1 { " everywhere" } else { "" };
    let of = |pattern: Pattern| metrics.iter().filter(move |metric| metric.pattern == pattern);
    let mut points = Vec::new();
    for verdict in [Verdict::More, Verdict::Less] {
        let agreed = |metric: &Metric<'_>| format!("{} {}", name(metric.name), effect(&metric.cells));
        let agreed: Vec<String> = of(Pattern::All(verdict)).map(agreed).collect();
        if !agreed.is_empty() {
            points.push(format!("{}{everywhere}: {}", verdict.name(), agreed.join("; ")));
        }
    }
    for (pattern, what) in [
        (Pattern::BySkill, "depends on who plays"),
        (Pattern::ByPlayers, "depends on how many play"),
        (Pattern::InPlaces, "in places"),
    ] {
        let mixed =
            |metric: &Metric<'_>| format!("{what}: {}: {}", name(metric.name), by_place(&metric.cells, all));
        points.extend(of(pattern).map(mixed));
    }
    if points.is_empty() {
        points.push("nothing is shown to change".to_owned());
    }
    points
}

/// What is not shown to differ under a variant.
fn others(metrics: &[Metric<'_>], all: &[Place<'_>], name: &dyn Fn(&str) -> String) -> Vec<String> {
    let everywhere = if all.len() > 1 { "everywhere " } else { "" };
    let of = |pattern: Pattern| metrics.iter().filter(move |metric| metric.pattern == pattern);
    let named = |pattern: Pattern| {
        let names: Vec<&str> = of(pattern).map(|metric| metric.name).collect();
        (!names.is_empty()).then(|| gathered(&names, name))
    };
    let mut points = Vec::new();
    for verdict in [Verdict::Equivalent, Verdict::Same, Verdict::Undecided] {
        let agreed = named(Pattern::All(verdict));
        points.extend(agreed.map(|names| format!("{everywhere}{}: {names}", words(verdict))));
    }
    points.extend(named(Pattern::Nowhere).map(|names| {
        let verdicts = of(Pattern::Nowhere).flat_map(|metric| metric.cells.iter().map(|cell| cell.verdict));
        let mut verdicts: Vec<Verdict> = distinct(verdicts);
        verdicts.sort_unstable();
        let verdicts: Vec<&str> = verdicts.into_iter().map(words).collect();
        format!("{}, from place to place: {names}", verdicts.join(" or "))
    }));
    points
}

/// The most cards of a metric that are named one by one.
const MOST_NAMED: usize = 12;

/// The names of metrics; those of several seats or cards, one behind the other, as one: `seat_effect[0, 3 … 5]`.
fn gathered(names: &[&str], name: &dyn Fn(&str) -> String) -> String {
    let stem = |name: &str| name.split_once('[').map(|(stem, _)| stem.to_owned());
    let is_same = |one: &&str, next: &&str| stem(one).is_some() && stem(one) == stem(next);
    let of_one = |names: &[&str]| match stem(names[0]) {
        Some(stem) if names.len() > 1 => {
            let places: Vec<&str> =
                names.iter().map(|name| name[stem.len()..].trim_matches(['[', ']'])).collect();
            name(&format!("{stem}[{}]", ranges(&places)))
        }
        _ => name(names[0]),
    };
    let names: Vec<String> = names.chunk_by(is_same).map(of_one).collect();
    // Some names have commas of their own.
    names.join(if names.iter().any(|name| name.contains(", ")) { "; " } else { ", " })
}

/// Seats as ranges, where more than two follow one another; of cards the first ones.
fn ranges(places: &[&str]) -> String {
    let number = |place: &str| place.parse::<u64>().ok();
    let follows = |one: &&str, next: &&str| number(one).is_some_and(|one| number(next) == Some(one + 1));
    let range = |places: &[&str]| match places {
        [first, _, .., last] => format!("{first} … {last}"),
        places => places.join(", "),
    };
    let ranges: Vec<String> = places.chunk_by(follows).map(range).collect();
    match ranges.len().saturating_sub(MOST_NAMED) {
        0 => ranges.join(", "),
        more => format!("{} and {more} more", ranges[..MOST_NAMED].join(", ")),
    }
}

/// A number of players, and the name of those who play.
type Place<'c> = (u64, &'c str);

fn place(contrast: &Contrast) -> Place<'_> {
    (contrast.players, &contrast.skill)
}

fn distinct_places<'c>(contrasts: &[&'c Contrast]) -> Vec<Place<'c>> {
    distinct(contrasts.iter().map(|contrast| place(contrast)))
}

/// Each once, in the order of the first.
#[must_use]
pub fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut all = Vec::new();
    for item in items {
        if !all.contains(&item) {
            all.push(item);
        }
    }
    all
}

/// `more with greedy (+0.5 [0.4, 0.6]), undecided elsewhere`
fn by_place(cells: &[&Contrast], all: &[Place<'_>]) -> String {
    let mut verdicts: Vec<Verdict> = distinct(cells.iter().map(|cell| cell.verdict));
    verdicts.sort_unstable();
    let part = |(place, verdict): (usize, &Verdict)| {
        let of_verdict: Vec<&Contrast> =
            cells.iter().copied().filter(|cell| cell.verdict == *verdict).collect();
        if *verdict == Verdict::Undecided && place > 0 {
            return "undecided elsewhere".to_owned();
        }
        let shown = match verdict {
            Verdict::More | Verdict::Less => format!(" ({})", effect(&of_verdict)),
            _ => String::new(),
        };
        format!("{} {}{shown}", words(*verdict), places(&distinct_places(&of_verdict), all))
    };
    verdicts.iter().enumerate().map(part).collect::<Vec<_>>().join(", ")
}

/// Where some of all cells are: `with greedy at 2 and 3 players`.
fn places(some: &[Place<'_>], all: &[Place<'_>]) -> String {
    let skills = |of: &[Place<'_>]| -> Vec<String> {
        distinct(of.iter().map(|(_, skill)| *skill)).into_iter().map(str::to_owned).collect()
    };
    let players = |of: &[Place<'_>]| -> Vec<String> {
        distinct(of.iter().map(|(players, _)| *players)).iter().map(u64::to_string).collect()
    };
    let (with, at) = (skills(some), players(some));
    let is_of = |&&(players, ref skill): &&Place<'_>| {
        at.contains(&players.to_string()) && with.iter().any(|name| name == skill)
    };
    // All that there are of these skills and numbers of players can be told together.
    if all.iter().filter(is_of).count() == some.len() {
        let with = if with == skills(all) { String::new() } else { format!("with {}", listed(&with)) };
        let at = if at == players(all) { String::new() } else { format!("at {} players", listed(&at)) };
        return format!("{with} {at}").trim().to_owned();
    }
    let of_skill = |skill: &String| {
        let of = |places: &[Place<'_>]| -> Vec<Place<'static>> {
            places.iter().filter(|(_, name)| name == skill).map(|(players, _)| (*players, "")).collect()
        };
        let (some, all) = (of(some), of(all));
        let at = if some == all { String::new() } else { format!(" at {} players", listed(&players(&some))) };
        format!("with {skill}{at}")
    };
    with.iter().map(of_skill).collect::<Vec<_>>().join(", ")
}

/// How large the differences are: one with its interval, or from the least to the most.
fn effect(cells: &[&Contrast]) -> String {
    if let [cell] = cells {
        return signed(&cell.difference);
    }
    let decimals = cells.iter().map(|cell| figures::decimals(&cell.difference)).min().unwrap_or(3);
    let values = cells.iter().filter_map(|cell| cell.difference.value);
    let (least, most) = values
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)));
    let shown =
        |value: f64| format!("{}{}", if value > 0.0 { "+" } else { "" }, figures::number(value, decimals));
    if shown(least) == shown(most) { shown(least) } else { format!("{} to {}", shown(least), shown(most)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_gathered_where_they_follow_one_another_and_cards_up_to_a_dozen() {
        let own = |name: &str| name.to_owned();
        let seats = |seats: &[u64]| seats.iter().map(|seat| format!("seat[{seat}]")).collect::<Vec<_>>();
        let shown = |names: &[String]| gathered(&names.iter().map(String::as_str).collect::<Vec<_>>(), &own);
        assert_eq!(shown(&seats(&[0, 1, 2, 3])), "seat[0 … 3]");
        assert_eq!(shown(&seats(&[0, 1, 8, 9, 10])), "seat[0, 1, 8 … 10]");
        assert_eq!(shown(&seats(&[4])), "seat[4]");
        assert_eq!(shown(&["a".to_owned(), "seat[1]".to_owned(), "b".to_owned()]), "a, seat[1], b");
        let cards: Vec<String> = (10..24).map(|card| format!("power[{card}H]")).collect();
        assert!(shown(&cards).starts_with("power[10H, 11H, ") && shown(&cards).ends_with("21H and 2 more]"));
    }

    #[test]
    fn places_are_told_together_where_they_are_all_of_some_skills_and_numbers_of_players() {
        let all: Vec<Place<'_>> =
            [2, 3, 4].into_iter().flat_map(|players| [(players, "weak"), (players, "strong")]).collect();
        let told = |some: &[usize]| places(&some.iter().map(|&place| all[place]).collect::<Vec<_>>(), &all);
        assert_eq!(told(&[0, 2, 4]), "with weak");
        assert_eq!(told(&[0, 1, 4, 5]), "at 2 and 4 players");
        assert_eq!(told(&[1, 3]), "with strong at 2 and 3 players");
        assert_eq!(told(&[0, 1, 3]), "with weak at 2 players, with strong at 2 and 3 players");
        assert_eq!(told(&[0, 1, 3, 5]), "with weak at 2 players, with strong");
    }
}
