//! Shapes of the plots.
//!
//! A plot is as wide as the page lets it be: across, all is in percent; down, in pixels. So letters and strokes keep
//! their sizes on a phone and on a desk, without a script. Colours come from the style sheet, by class.

use super::axis::Axis;
use super::markup::Markup;

/// A place across, in percent of the plot.
pub(super) fn across(percent: f64) -> String {
    format!("{}%", trimmed(percent, 2))
}

/// A length in pixels, or any other number of a shape.
pub(super) fn length(value: f64) -> String {
    trimmed(value, 1)
}

fn trimmed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() || text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A plot of a height, which those who do not see it need not hear of: its numbers stand in the text beside.
pub(super) fn plot(out: &mut Markup, height: f64, inside: impl FnOnce(&mut Markup)) {
    let attributes =
        [("class", "plot"), ("width", "100%"), ("height", &*length(height)), ("aria-hidden", "true")];
    out.within("svg", &attributes, inside);
}

/// An upright line.
pub(super) fn upright(out: &mut Markup, class: &str, percent: f64, (top, bottom): (f64, f64)) {
    let x = across(percent);
    let ends = [length(top), length(bottom)];
    let attributes = [("class", class), ("x1", &x), ("x2", &x), ("y1", &ends[0]), ("y2", &ends[1])];
    out.empty("line", &attributes);
}

/// A level line.
pub(super) fn level(out: &mut Markup, class: &str, (from, to): (f64, f64), y: f64) {
    let (x1, x2, y) = (across(from), across(to), length(y));
    out.empty("line", &[("class", class), ("x1", &x1), ("x2", &x2), ("y1", &y), ("y2", &y)]);
}

/// A disc.
pub(super) fn disc(out: &mut Markup, class: &str, percent: f64, y: f64, radius: f64) {
    let (cx, cy, r) = (across(percent), length(y), length(radius));
    out.empty("circle", &[("class", class), ("cx", &cx), ("cy", &cy), ("r", &r)]);
}

/// A small sign at a place, drawn by a path around its middle.
pub(super) fn sign(out: &mut Markup, class: &str, percent: f64, y: f64, path: &str) {
    let (x, y) = (across(percent), length(y));
    let attributes = [("x", &*x), ("y", &*y), ("overflow", "visible")];
    out.within("svg", &attributes, |out| out.empty("path", &[("class", class), ("d", path)]));
}

/// The faint lines of an axis' ticks.
pub(super) fn grid(out: &mut Markup, axis: &Axis, bottom: f64) {
    for (percent, _) in axis.ticks() {
        upright(out, "grid", percent, (0.0, bottom));
    }
}

/// A plot that holds the numbers of an axis alone.
pub(super) fn scale(out: &mut Markup, axis: &Axis) {
    plot(out, 22.0, |out| {
        level(out, "axis", (0.0, 100.0), 0.5);
        for (percent, label) in axis.ticks() {
            upright(out, "axis", percent, (0.0, 5.0));
            let x = across(percent);
            out.element(
                "text",
                &[("class", "tick"), ("x", &x), ("y", "18"), ("text-anchor", "middle")],
                &label,
            );
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_short_numbers() {
        assert_eq!([0.0, 50.0, 33.333_333, -0.001].map(across), ["0%", "50%", "33.33%", "0%"]);
        assert_eq!([10.0, 2.25].map(length), ["10", "2.2"]);
    }
}
