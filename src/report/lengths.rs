//! How long games are: for each measure a strip from the 5th to the 95th percentile, with the mean.

use super::axis::Axis;
use super::forest::Piece;
use super::markup::Markup;
use super::{forest, numbers, svg};
use crate::estimate::Estimate;

const HEIGHT: f64 = 26.0;

/// The lengths of the games of a variant, by one measure.
#[derive(Clone, Debug)]
pub(super) struct Length {
    pub(super) label: Vec<Piece>,
    pub(super) mean: Estimate,
    /// The 5th and the 95th percentile.
    pub(super) ends: (f64, f64),
    /// Whether all games are of one length.
    pub(super) is_fixed: bool,
}

/// Draws lengths by one measure, which is the title.
pub(super) fn draw(out: &mut Markup, title: &str, lengths: &[Length]) {
    let values =
        lengths.iter().flat_map(|length| [Some(length.ends.0), Some(length.ends.1), length.mean.value]);
    let axis = Axis::over(values.flatten());
    out.within("div", &[("class", "forest")], |out| {
        forest::heading(out, title, "mean, 5th to 95th percentile");
        for length in lengths {
            out.line();
            row(out, &axis, length);
        }
        out.within("div", &[("class", "row foot")], |out| {
            out.within("div", &[("class", "strip")], |out| svg::scale(out, &axis));
        });
    });
}

fn row(out: &mut Markup, axis: &Axis, length: &Length) {
    let (low, high) = length.ends;
    out.within("div", &[("class", "row")], |out| {
        out.within("span", &[("class", "label")], |out| forest::pieces(out, &length.label));
        out.within("div", &[("class", "strip")], |out| {
            svg::plot(out, HEIGHT, |out| {
                svg::grid(out, axis, HEIGHT);
                svg::level(out, "range", (axis.percent(low), axis.percent(high)), HEIGHT / 2.0);
                if let Some(mean) = length.mean.value {
                    svg::disc(out, "mark", axis.percent(mean), HEIGHT / 2.0, 4.5);
                }
            });
        });
        out.within("span", &[("class", "number")], |out| {
            out.element("b", &[], &numbers::value(&length.mean));
            let ends = [low, high].map(|end| numbers::number(end, 0));
            out.element("span", &[("class", "interval")], &format!(" {} to {}", ends[0], ends[1]));
        });
    });
}
