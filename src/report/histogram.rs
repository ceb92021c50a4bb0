//! Histograms below one another, with the same scales.

use super::axis::Axis;
use super::forest::{Piece, pieces};
use super::markup::Markup;
use super::{numbers, svg};
use crate::estimate::Estimate;

/// How high a histogram is.
const HEIGHT: f64 = 72.0;
/// The most bars of one.
const MOST_BARS: i64 = 72;
/// The most histograms that are drawn.
pub(super) const MOST_PANELS: usize = 16;

/// One histogram.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    pub(super) label: Vec<Piece>,
    /// How often each whole number occurred, rising: lowest number, how many numbers from there on, count.
    pub(super) bars: Vec<(i64, u64, u64)>,
    /// The mean, where it is known with its interval.
    pub(super) mean: Option<Estimate>,
}

impl Panel {
    fn count(&self) -> u64 {
        self.bars.iter().map(|(_, _, count)| count).sum()
    }
}

/// Draws histograms of scores.
pub(super) fn draw(out: &mut Markup, panels: &[Panel]) {
    let shown = &panels[..panels.len().min(MOST_PANELS)];
    let bins = Bins::over(shown);
    let tallest = shown.iter().map(|panel| bins.tallest(panel)).fold(0.0, f64::max);
    out.within("div", &[("class", "histograms")], |out| {
        for panel in shown {
            out.line();
            out.within("p", &[("class", "panel-head")], |out| {
                out.within("span", &[("class", "label")], |out| pieces(out, &panel.label));
                out.within("span", &[("class", "number")], |out| {
                    if let Some(mean) = &panel.mean {
                        out.text("mean ");
                        out.element("b", &[], &numbers::value(mean));
                        out.text(&format!(" {}", numbers::interval(mean)));
                    }
                });
            });
            bins.panel(out, panel, tallest);
        }
        svg::scale(out, &bins.axis());
    });
    let bar = match bins.width {
        1 => "one score".to_owned(),
        width => format!("{width} scores"),
    };
    let what =
        format!("A bar is {bar} wide; the tallest of all is {} of its histogram.", numbers::percent(tallest));
    out.element("p", &[("class", "left-off")], &what);
    if panels.len() > shown.len() {
        let more = format!("{} of {} histograms are drawn; scores.csv has all.", shown.len(), panels.len());
        out.element("p", &[("class", "left-off")], &more);
    }
}

/// Scores put together.
struct Bins {
    low: i64,
    width: i64,
    count: i64,
}

impl Bins {
    fn over(panels: &[Panel]) -> Bins {
        let bars = || panels.iter().flat_map(|panel| &panel.bars);
        let low = bars().map(|(score, _, _)| *score).min().unwrap_or(0);
        let end =
            |(score, width, _): &(i64, u64, u64)| score.saturating_add_unsigned(width.saturating_sub(1));
        let high = bars().map(end).max().unwrap_or(0);
        let widest = bars().map(|(_, width, _)| *width).max().unwrap_or(1).clamp(1, 1 << 40) as i64;
        let span = high.saturating_sub(low).saturating_add(1);
        let widths = (0..18).flat_map(|power| [1, 2, 5].map(|step| step * 10_i64.pow(power)));
        let mut widths = widths.map(|width| width.saturating_mul(widest));
        let width = widths.find(|width| span / width < MOST_BARS).unwrap_or(span);
        let low = low.div_euclid(width).saturating_mul(width);
        Bins { low, width, count: (high.saturating_sub(low) / width + 1).clamp(1, 10_000) }
    }

    /// From the left edge of the first bar to the right edge of the last.
    fn axis(&self) -> Axis {
        let low = self.low as f64 - 0.5;
        Axis::between(low, low + self.count as f64 * self.width as f64)
    }

    /// The share of each bin.
    fn shares(&self, panel: &Panel) -> Vec<f64> {
        let mut counts = vec![0_u64; self.count as usize];
        for (score, _, count) in &panel.bars {
            let bin = (score.saturating_sub(self.low) / self.width).clamp(0, self.count - 1);
            counts[bin as usize] += count;
        }
        let all = panel.count().max(1) as f64;
        counts.into_iter().map(|count| count as f64 / all).collect()
    }

    fn tallest(&self, panel: &Panel) -> f64 {
        self.shares(panel).into_iter().fold(0.0, f64::max)
    }

    fn panel(&self, out: &mut Markup, panel: &Panel, tallest: f64) {
        let path = self.path(&self.shares(panel), tallest);
        let view = format!("0 0 {} 100", self.count);
        svg::plot(out, HEIGHT, |out| {
            let axis = self.axis();
            svg::grid(out, &axis, HEIGHT);
            let attributes =
                [("width", "100%"), ("height", "100%"), ("viewBox", &*view), ("preserveAspectRatio", "none")];
            out.within("svg", &attributes, |out| out.empty("path", &[("class", "bars"), ("d", &path)]));
            svg::level(out, "axis", (0.0, 100.0), HEIGHT - 0.5);
            if let Some(mean) = panel.mean.and_then(|mean| mean.value) {
                svg::upright(out, "mean", axis.percent(mean), (0.0, HEIGHT));
            }
        });
    }

    /// The outline of all bars, in a field one bin by a hundredth of the tallest bar large.
    fn path(&self, shares: &[f64], tallest: f64) -> String {
        let mut path = String::new();
        for (bin, &share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            // What occurred at all is to be seen.
            let top = 100.0 - (share / tallest.max(f64::MIN_POSITIVE) * 97.0).max(1.0);
            path.push_str(&format!("M{bin} 100V{}H{}V100", svg::length(top), bin + 1));
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(bars: &[(i64, u64, u64)]) -> Panel {
        Panel { label: Vec::new(), bars: bars.to_vec(), mean: None }
    }

    #[test]
    fn all_scores_are_in_some_bar_and_bars_are_few() {
        let cases: [&[(i64, u64, u64)]; 6] = [
            &[],
            &[(7, 1, 3)],
            &[(-15, 1, 1), (20, 1, 1)],
            &[(-26, 1, 5), (400, 1, 2)],
            &[(0, 8, 5), (4000, 8, 2)],
            &[(i64::MIN, 1, 1), (i64::MAX, 1, 1)],
        ];
        for bars in cases {
            let panel = panel(bars);
            let bins = Bins::over(std::slice::from_ref(&panel));
            let shares = bins.shares(&panel);
            assert!(shares.len() as i64 <= MOST_BARS + 1, "{bars:?}: {}", shares.len());
            let sum: f64 = shares.iter().sum();
            assert!((sum - if bars.is_empty() { 0.0 } else { 1.0 }).abs() < 1e-9, "{bars:?}: {shares:?}");
        }
    }
}
