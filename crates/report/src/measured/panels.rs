//! Charts of a sweep with view options: one, or two below each other along the same axis, with
//! pinned curves laid over them.

use super::axes::y_range;
use super::figure::chart;
use super::kept::{LaidOver, PinnedSweep, add_pinned_curves};
use super::reading::{point_at, reading};
use crate::chart::figure::Figure;
use crate::chart::scale;
use crate::chart::spot::ChartPoint;
use faultlab_experiment::{Experiment, Plot, Sweep, ViewOptions};

/// Chart of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Plotted quantity.
    pub plot: Plot,
    /// Chart; pinned curves follow its own curves.
    pub figure: Figure,
    /// Legend indices of the chart's own curves. The legend continues from chart to chart; all
    /// curves of an algorithm share one index.
    pub legend_indices: Vec<usize>,
    /// Index of the sweep among the pinned ones, and index of the curve there, for each pinned
    /// curve.
    pub kept: Vec<(usize, usize)>,
    /// Reasons why pinned sweeps show nothing, by their indices.
    pub rejected: Vec<(usize, String)>,
    /// Whole range of the x axis, of which the chart may show a part.
    pub full_x_range: (f64, f64),
}

/// Returns the plotted quantities of an experiment's charts, from top to bottom.
pub fn plots(experiment: &Experiment, view: &ViewOptions) -> Vec<Plot> {
    let first = view.plot.unwrap_or(Plot::Metric(experiment.kind().first_metric()));
    let below = view.second_metric.filter(|_| matches!(first, Plot::Metric(_)));
    std::iter::once(first).chain(below.map(Plot::Metric)).collect()
}

/// Returns the charts of a sweep with the view options of `view`: hidden curves, scales, a part of
/// the axis; with the pinned curves.
pub fn panels(sweep: &Sweep, view: &ViewOptions, kept: &[PinnedSweep<'_>]) -> Vec<Panel> {
    let mut entries = 0;
    plots(sweep.experiment(), view)
        .into_iter()
        .map(|plot| {
            let panel = panel(sweep, plot, view, kept, entries);
            entries = panel.legend_indices.last().map_or(entries, |last| entries.max(last + 1));
            panel
        })
        .collect()
}

/// Returns the chart of `plot`. `entries` is the number of legend entries of the charts above it.
fn panel(sweep: &Sweep, plot: Plot, view: &ViewOptions, kept: &[PinnedSweep<'_>], entries: usize) -> Panel {
    let experiment = sweep.experiment();
    let mut figure = chart(sweep, plot);
    let algorithms = if entries == 0 { 0 } else { experiment.routing.len() };
    let place = |curve: usize| if curve < algorithms { curve } else { entries + curve - algorithms };
    let places: Vec<_> = (0..figure.curves.len()).map(place).collect();
    scale::hide_curves(&mut figure, &view.chart, &places);
    let LaidOver { curves: kept, refused: apart } = add_pinned_curves(&mut figure, plot, experiment, kept);
    let whole = scale::set_x_axis(&mut figure, &view.chart);
    if let Plot::Metric(metric) = plot {
        figure.y_range = y_range(metric, experiment.kind().can_saturate, &figure.curves);
    }
    scale::set_y_axis(&mut figure, &view.chart);
    Panel { plot, figure, legend_indices: places, kept, rejected: apart, full_x_range: whole }
}

impl Panel {
    /// Returns the sweep, of `sweep` and the pinned ones, that is drawn at a spot, and the spot
    /// among that sweep's curves.
    pub fn source<'a>(
        &self,
        sweep: &'a Sweep,
        kept: &[PinnedSweep<'a>],
        spot: &ChartPoint,
    ) -> Option<(&'a Sweep, ChartPoint)> {
        let Some(behind) = spot.curve.checked_sub(self.legend_indices.len()) else { return Some((sweep, *spot)) };
        let &(number, curve) = self.kept.get(behind)?;
        Some((kept.get(number)?.sweep, ChartPoint { curve, ..*spot }))
    }

    /// Returns the experiment to watch for the point at a spot; `None` for closed forms, published
    /// values and distributions.
    pub fn watch_experiment(&self, sweep: &Sweep, kept: &[PinnedSweep<'_>], spot: &ChartPoint) -> Option<Experiment> {
        let (source, inner) = self.source(sweep, kept, spot)?;
        let point = point_at(source, self.plot, &inner)?;
        Some(source.experiment().for_watch(point.x, &point.algorithm))
    }

    /// Returns the description of a spot, line by line.
    pub fn reading(&self, sweep: &Sweep, kept: &[PinnedSweep<'_>], spot: &ChartPoint) -> Vec<String> {
        let Some((source, inner)) = self.source(sweep, kept, spot) else { return Vec::new() };
        let plot = match self.plot {
            Plot::Metric(metric) => metric.matching_in(source.experiment().kind()).map_or(self.plot, Plot::Metric),
            Plot::Spread(_) => self.plot,
        };
        let mut lines = reading(source, plot, &self.figure, &inner);
        // The curve has the name that it has in this chart.
        if let (Some(first), Some(curve)) = (lines.first_mut(), self.figure.curves.get(spot.curve)) {
            first.clone_from(&curve.name);
        }
        lines
    }
}

/// Returns the figures for printing below each other: curves named in the first one are not named
/// again.
pub fn printable_figures(panels: Vec<Panel>) -> Vec<Figure> {
    let mut figures: Vec<Figure> = panels.into_iter().map(|panel| panel.figure).collect();
    if let [first, rest @ ..] = figures.as_mut_slice() {
        let is_named = |name: &str| first.curves.iter().any(|curve| curve.name == *name);
        for figure in rest {
            figure.unnamed = figure.curves.iter().all(|curve| is_named(&curve.name));
        }
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::figure::CurveStyle;
    use crate::chart::frame::spots;
    use crate::picture::geometry::Size;
    use faultlab_experiment::run;

    fn measured(text: &str) -> Sweep {
        let mut sweep = Sweep::new(&text.parse().unwrap());
        run(&mut sweep);
        sweep
    }

    fn kept(sweep: &Sweep) -> PinnedSweep<'_> {
        PinnedSweep { sweep, is_hidden: false }
    }

    fn names(panel: &Panel) -> Vec<&str> {
        panel.figure.curves.iter().map(|curve| curve.name.as_str()).collect()
    }

    const NOW: &str = "net=cube:5&faults=nodes:0.1&route=random,sidetracking&vary=p:0.1,0.3&within=0.05";

    #[test]
    fn kept_curves_are_laid_over_those_of_now() {
        let now = measured(NOW);
        let before = measured("net=cube:7&faults=nodes:0.1&route=sidetracking&vary=p:0.1,0.5&within=0.05&seed=3");
        let alone = panels(&now, &now.experiment().view, &[]);
        let both = panels(&now, &now.experiment().view, &[kept(&before)]);
        assert_eq!(names(&both[0])[..names(&alone[0]).len()], names(&alone[0]));
        let curve = both[0].figure.curves.last().unwrap();
        assert_eq!((curve.name.as_str(), curve.kind), ("sidetracking, net = cube:7, seed = 3", CurveStyle::Kept));
        assert_eq!(curve.points.iter().map(|point| point.0).collect::<Vec<_>>(), [0.1, 0.5]);
        assert!(both[0].figure.x_range.1 > 0.5 && alone[0].figure.x_range.1 < 0.31);
        // The point is described and found by its own experiment.
        let spot = *spots(&both[0].figure, Size::new(900.0, 500.0)).last().unwrap();
        let lines = both[0].reading(&now, &[kept(&before)], &spot);
        assert_eq!(lines[..2], ["sidetracking, net = cube:7, seed = 3", "fault rate p: 0.5"]);
        assert!(lines[3].starts_with("n = "), "{lines:?}");
        let (source, inner) = both[0].source(&now, &[kept(&before)], &spot).unwrap();
        assert_eq!((source.experiment(), inner.curve), (before.experiment(), 0));
    }

    #[test]
    fn hidden_or_unfinished_curves_show_no_points() {
        let now = measured(NOW);
        let last = |kept: PinnedSweep<'_>| {
            panels(&now, &now.experiment().view, &[kept])[0].figure.curves.last().unwrap().points.len()
        };
        assert_eq!(last(kept(&now)), 2);
        assert_eq!(last(PinnedSweep { sweep: &now, is_hidden: true }), 0);
        assert_eq!(last(kept(&Sweep::new(now.experiment()))), 0);
    }

    #[test]
    fn what_does_not_belong_together_says_why() {
        let now = measured(NOW);
        let why = |text: &str, shown: &str| {
            let other = Sweep::new(&text.parse().unwrap());
            let view = format!("{NOW}{shown}").parse::<Experiment>().unwrap().view;
            panels(&now, &view, &[kept(&other)])[0].rejected.first().map(|(_, why)| why.clone())
        };
        assert_eq!(why("net=cube:5&faults=nodes:0.1&vary=p:0,0.5", ""), None);
        for (text, shown, said) in [
            ("net=cube:5", "", "it is along nothing, this chart along fault rate p"),
            ("vary=n:4,5", "", "it is along dimension n, this chart along fault rate p"),
            ("switch=circuit&vary=rate:0.1,0.2", "", "success probability is not measured of switch=circuit"),
            ("net=cube:5&faults=nodes:0.1&vary=p:0,0.5", "&plot=ends", "this is a distribution"),
        ] {
            assert_eq!(why(text, shown).as_deref(), Some(said));
        }
    }

    #[test]
    fn experiments_of_two_kinds_share_a_chart_where_their_axes_agree() {
        let now = measured("net=cube:4&faults=nodes:0.1&route=random&vary=p:0,0.2&within=0.1&plot=length");
        let other =
            Sweep::new(&"switch=wormhole&net=mesh:4x4&faults=nodes:0.1&vary=p:0,0.1&trials=200".parse().unwrap());
        let panel = &panels(&now, &now.experiment().view, &[kept(&other)])[0];
        assert!(panel.rejected.is_empty(), "{:?}", panel.rejected);
        assert!(names(panel).last().unwrap().contains("net = mesh:4x4, switch = wormhole"), "{:?}", names(panel));
    }

    #[test]
    fn two_metrics_have_two_charts_and_one_legend() {
        let now = measured(&format!("{NOW}&plot=length,success&chart=hide:2,hide:3,zoom:0.1..0.2"));
        let [length, success] = panels(&now, &now.experiment().view, &[]).try_into().unwrap();
        assert_eq!(
            [length.figure.y_axis.as_str(), &success.figure.y_axis],
            ["mean path length, hops", "success probability"]
        );
        assert_eq!(length.figure.x_range, success.figure.x_range);
        assert_eq!(success.legend_indices[..2], [0, 1]);
        assert_eq!(success.legend_indices[2], length.legend_indices.len());
        assert!(length.figure.curves[1].points.is_empty() && success.figure.curves[1].points.is_empty());
        assert!(success.full_x_range.1 > 0.3 && success.figure.x_range.1 == 0.2);
    }

    #[test]
    fn a_second_metric_reads_back_and_is_refused_in_words() {
        for text in ["plot=success,length", "plot=length,success", "plot=length"] {
            let read: Experiment = text.parse().unwrap();
            assert_eq!(read.to_string(), format!("v=1&{text}"));
        }
        for (text, said) in [
            ("plot=length,length", "length is named twice"),
            ("plot=lengths,success", "nothing is drawn below it"),
            ("plot=length,latency", "latency is not measured of switch=message"),
        ] {
            let error = text.parse::<Experiment>().unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
