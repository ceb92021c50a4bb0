//! What an agent thought about a decision, in words.

use dealt_engine::rules::plain;
use serde_json::Value;

/// A note in a line: that of a search agent in words, any other as it is.
///
/// ```
/// let note = serde_json::json!({"worlds": 10, "moves": [{"move": "JD", "visits": 7, "value": 0.25}], "kept": "8C"});
/// assert_eq!(dealt::reasons::reasons(&note), "JD 0.25 (7); kept to 8C, since none is surely better; worlds 10");
/// ```
#[must_use]
pub fn reasons(note: &Value) -> String {
    if let Some(mv) = note.get("exact") {
        return format!("{} is best, worked out to the end", plain(mv));
    }
    let Some(moves) = note["moves"].as_array() else { return note.to_string() };
    let row = |row: &Value| format!("{} {} ({})", plain(&row["move"]), row["value"], row["visits"]);
    let moves: Vec<String> = moves.iter().map(row).collect();
    let line = note["line"].as_array().map_or_else(String::new, |line| {
        format!("; expects {}", line.iter().map(plain).collect::<Vec<_>>().join(" "))
    });
    let kept = note
        .get("kept")
        .map_or_else(String::new, |mv| format!("; kept to {}, since none is surely better", plain(mv)));
    format!("{}{line}{kept}; worlds {}", moves.join(", "), note["worlds"])
}
