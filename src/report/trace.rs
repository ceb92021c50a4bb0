//! Traces: how a number went while a course of study went on.

use super::axis::Axis;
use super::forest::{Piece, pieces};
use super::markup::Markup;
use super::svg;

/// The most points of a line: more are not to be told apart.
pub(super) const MOST_POINTS: usize = 400;

/// A number along a course.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    pub(super) label: Vec<Piece>,
    /// What stands at the right: where the line ends.
    pub(super) end: String,
    /// Where on the course, and the number there.
    pub(super) points: Vec<(f64, f64)>,
    /// Levels with what they mean.
    pub(super) levels: Vec<(f64, String)>,
}

/// Draws traces below one another, with the same scale across and one of its own each up; `height` is that of one.
pub(super) fn draw(out: &mut Markup, traces: &[Trace], across: &str, height: f64) {
    let axis = Axis::over(traces.iter().flat_map(|trace| &trace.points).map(|(at, _)| *at).chain([0.0]));
    out.within("div", &[("class", "traces")], |out| {
        for trace in traces {
            out.line();
            out.within("p", &[("class", "panel-head")], |out| {
                out.within("span", &[("class", "label")], |out| pieces(out, &trace.label));
                out.within("span", &[("class", "number")], |out| out.element("b", &[], &trace.end));
            });
            svg::plot(out, height, |out| panel(out, trace, &axis, height));
        }
        svg::scale(out, &axis);
        out.element("p", &[("class", "across")], across);
    });
}

fn panel(out: &mut Markup, trace: &Trace, axis: &Axis, height: f64) {
    let levels = trace.levels.iter().map(|(level, _)| *level);
    let scale = Axis::over(trace.points.iter().map(|(_, value)| *value).chain(levels));
    let down = |value: f64| height * (1.0 - scale.percent(value) / 100.0);
    svg::grid(out, axis, height);
    let ticks = scale.ticks();
    // The letters of a low plot would touch.
    let every = if height < 100.0 { ticks.len().saturating_sub(1).max(1) } else { 1 };
    for (percent, label) in ticks.iter().step_by(every) {
        let y = height * (1.0 - percent / 100.0);
        svg::level(out, "grid", (0.0, 100.0), y);
        // Above its line, but for the topmost, which would leave the plot.
        let y = svg::length(if y < 12.0 { y + 12.0 } else { y - 3.0 });
        out.element("text", &[("class", "tick"), ("x", "2"), ("y", &y)], label);
    }
    for (level, label) in &trace.levels {
        svg::level(out, "reference", (0.0, 100.0), down(*level));
        let y = svg::length(down(*level) + 14.0);
        out.element("text", &[("class", "tick"), ("x", "100%"), ("y", &y), ("text-anchor", "end")], label);
    }
    let points: Vec<String> = thinned(&trace.points)
        .map(|&(at, value)| {
            format!(
                "{},{}",
                svg::length(axis.percent(at) * 10.0),
                svg::length(1000.0 - scale.percent(value) * 10.0)
            )
        })
        .collect();
    let attributes = [
        ("width", "100%"),
        ("height", "100%"),
        ("viewBox", "0 0 1000 1000"),
        ("preserveAspectRatio", "none"),
    ];
    out.within("svg", &attributes, |out| {
        let path = format!("M{}", points.join("L"));
        out.empty("path", &[("class", "line"), ("vector-effect", "non-scaling-stroke"), ("d", &path)]);
    });
    if let Some(&(at, value)) = trace.points.last() {
        svg::disc(out, "mark", axis.percent(at), down(value), 3.5);
    }
}

/// Evenly spread points, not too many, the last among them.
fn thinned<T>(points: &[T]) -> impl Iterator<Item = &T> {
    let step = points.len().div_ceil(MOST_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    points
        .iter()
        .enumerate()
        .filter(move |(place, _)| place % step == 0 || *place == last)
        .map(|(_, point)| point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_course_is_thinned_and_ends_where_it_ends() {
        for count in [0, 1, 399, 400, 401, 5_000] {
            let points: Vec<usize> = (0..count).collect();
            let kept: Vec<&usize> = thinned(&points).collect();
            assert!(kept.len() <= MOST_POINTS + 1 && kept.len() >= count.min(MOST_POINTS / 2), "{count}");
            assert_eq!(kept.last(), points.last().as_ref(), "{count}");
        }
    }
}
