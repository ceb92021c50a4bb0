//! How results are written as CSV: RFC 4180 with line feeds, `.` for decimals, never `NaN` or infinite.

/// A number to six decimals, without trailing zeros.
///
/// ```
/// use dealt::cells::number;
/// assert_eq!([0.5, 2.0, -1.0 / 3.0, -1e-9, 1e6].map(number), ["0.5", "2", "-0.333333", "0", "1000000"]);
/// assert_eq!(number(f64::NAN), "");
/// ```
#[must_use]
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return String::new();
    }
    let digits = format!("{value:.6}");
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    if digits == "-0" { "0".to_owned() } else { digits.to_owned() }
}

/// A number that may be missing: an empty cell.
#[must_use]
pub fn optional(value: Option<f64>) -> String {
    value.map_or_else(String::new, number)
}

/// Appends a row. Cells that hold a comma, a quotation mark or a line break are quoted.
///
/// ```
/// let mut out = Vec::new();
/// dealt::cells::write_row(&mut out, ["greedy:a=1,b=2", "say \"go\"", "3"]);
/// assert_eq!(out, b"\"greedy:a=1,b=2\",\"say \"\"go\"\"\",3\n");
/// ```
pub fn write_row<'c>(out: &mut Vec<u8>, cells: impl IntoIterator<Item = &'c str>) {
    for (place, cell) in cells.into_iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        if cell.contains([',', '"', '\n', '\r']) {
            out.push(b'"');
            out.extend_from_slice(cell.replace('"', "\"\"").as_bytes());
            out.push(b'"');
        } else {
            out.extend_from_slice(cell.as_bytes());
        }
    }
    out.push(b'\n');
}
