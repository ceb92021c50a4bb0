//! What metrics are called in plain words.

use dealt_engine::GAMES;

/// Metrics that every game has, and their names in words.
const METRICS: [(&str, &str); 20] = [
    ("first_seat_advantage", "wins of the first seat over its fair share"),
    ("tie_rate", "games with a shared win"),
    ("capped_rate", "games cut short by a guard"),
    ("branching", "legal moves at a decision"),
    ("forced_share", "decisions with one legal move"),
    ("score_mean_deal", "mean score of a deal"),
    ("score_sd_deal", "standard deviation of a deal’s score"),
    ("margin_deal", "lead of a deal’s best score over the second"),
    ("score_mean_game", "mean score of a game"),
    ("score_sd_game", "standard deviation of a game’s score"),
    ("margin_game", "lead of a game’s winner over the second"),
    ("lead_changes", "changes of the lead between deals"),
    ("comeback", "wins of those who were last halfway"),
    ("seat_win_share", "win share of seat"),
    ("seat_effect", "win share over the fair one, seat"),
    ("seat_score_effect", "score over the table’s mean, seat"),
    ("skill_gap", "wins of one against all others, from the fair share (0) to all (1)"),
    ("luck_share", "share of seat and cards in what scores vary by"),
    ("variance_share", "share in what scores vary by:"),
    ("card_power", "score for being dealt the"),
];
/// What the ends of the names of lengths mean.
const ENDS: [(&str, &str); 4] = [
    ("_mean", "mean"),
    ("_sd", "standard deviation"),
    ("_p5", "5th percentile"),
    ("_p95", "95th percentile"),
];

/// A metric in words; its own name, if it has no others.
pub(super) fn metric(game: &str, name: &str) -> String {
    let (stem, seat) = name.split_once('[').unwrap_or((name, ""));
    if let Some((_, words)) = METRICS.iter().find(|(known, _)| *known == stem) {
        return format!("{words} {}", seat.trim_end_matches(']')).trim_end().to_owned();
    }
    for length in ["decisions", "deals", "turns"] {
        let end = name.strip_prefix(length).and_then(|end| ENDS.iter().find(|(known, _)| *known == end));
        if let Some((_, words)) = end {
            return format!("{length} a game, {words}");
        }
    }
    let events = GAMES.iter().find(|info| info.name == game).map_or(&[][..], |info| info.events);
    let event = events.iter().find(|event| event.name == name);
    event.map_or_else(|| name.replace('_', " "), |event| event.about.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_have_names_in_words() {
        let name = |name| metric("cancellation-hearts", name);
        assert_eq!(name("seat_effect[3]"), "win share over the fair one, seat 3");
        assert_eq!(name("card_power[QS]"), "score for being dealt the QS");
        assert_eq!(name("turns_p95"), "turns a game, 95th percentile");
        assert_eq!(name("tie_rate"), "games with a shared win");
        assert_eq!(name("a_new_one"), "a new one");
        let event = GAMES.iter().find(|info| info.name == "cancellation-hearts").unwrap().events[0];
        assert_eq!(name(event.name), event.about);
    }
}
