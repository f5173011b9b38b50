//! Charts of a sweep with view options: one, or two below each other along the same axis, with
//! pinned curves laid over them.

use super::axes::{y_range, y_title};
use super::figure::chart_with;
use super::pinned::{PinnedCurves, PinnedSource, PinnedSweep, add_pinned_curves};
use super::point_description::{describe_point, describe_spot, point_at};
use crate::chart::chart_point::ChartPoint;
use crate::chart::figure::Figure;
use crate::chart::scale;
use faultlab_experiment::{ChartOptions, Experiment, Plot, Sweep, ViewOptions};

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
    /// Index of the sweep among the pinned sweeps, and index of the curve in the sweep, for each
    /// pinned curve.
    pub pinned: Vec<(usize, usize)>,
    /// Reasons why pinned sweeps show nothing, by their indices.
    pub rejected: Vec<(usize, String)>,
    /// Whole range of the x axis, of which the chart may show a part.
    pub full_x_range: (f64, f64),
}

/// Returns the plotted quantities of an experiment's charts, from top to bottom.
pub fn plots(experiment: &Experiment, view: &ViewOptions) -> Vec<Plot> {
    let first = view.plot.unwrap_or(Plot::Metric(experiment.opening_metric()));
    let below = view.second_metric.filter(|_| matches!(first, Plot::Metric(_)));
    std::iter::once(first).chain(below.map(Plot::Metric)).collect()
}

/// Returns the charts of a sweep with the view options of `view`: hidden curves, scales, a part of
/// the axis; with the pinned curves.
pub fn panels(sweep: &Sweep, view: &ViewOptions, pinned: &[PinnedSweep<'_>]) -> Vec<Panel> {
    let mut entries = 0;
    plots(sweep.experiment(), view)
        .into_iter()
        .map(|plot| {
            let panel = panel(sweep, plot, view, pinned, entries);
            entries = panel.legend_indices.last().map_or(entries, |last| entries.max(last + 1));
            panel
        })
        .collect()
}

/// Returns the chart of `plot`. `entries` is the number of legend entries of the charts above it.
fn panel(sweep: &Sweep, plot: Plot, view: &ViewOptions, pinned: &[PinnedSweep<'_>], entries: usize) -> Panel {
    let experiment = sweep.experiment();
    let mut figure = chart_with(sweep, plot, &view.chart);
    let algorithms = if entries == 0 { 0 } else { experiment.routing.len() };
    let place = |curve: usize| if curve < algorithms { curve } else { entries + curve - algorithms };
    let places: Vec<_> = (0..figure.curves.len()).map(place).collect();
    scale::hide_curves(&mut figure, &view.chart, &places);
    let PinnedCurves { curves: pinned, refused: apart } = add_pinned_curves(&mut figure, plot, experiment, pinned);
    let whole = scale::set_x_axis(&mut figure, &view.chart);
    if let Plot::Metric(metric) = plot {
        figure.y_range = y_range(metric, experiment.kind().can_saturate, &figure.curves);
        figure.y_axis = y_title(metric);
    }
    // The other chart has another metric.
    let y_zoom = view.chart.y_zoom.filter(|_| entries == 0);
    scale::set_y_axis(&mut figure, &ChartOptions { y_zoom, ..view.chart.clone() });
    Panel { plot, figure, legend_indices: places, pinned, rejected: apart, full_x_range: whole }
}

impl Panel {
    /// Returns the sweep that is drawn at a spot, either `sweep` or a pinned one, and the spot
    /// among that sweep's curves; `None` for the curves of a file.
    pub fn source<'a>(
        &self,
        sweep: &'a Sweep,
        pinned: &[PinnedSweep<'a>],
        spot: &ChartPoint,
    ) -> Option<(&'a Sweep, ChartPoint)> {
        let Some(behind) = spot.curve.checked_sub(self.legend_indices.len()) else { return Some((sweep, *spot)) };
        let &(number, curve) = self.pinned.get(behind)?;
        match pinned.get(number)?.source {
            PinnedSource::Sweep(sweep) => Some((sweep, ChartPoint { curve, ..*spot })),
            PinnedSource::File(_) => None,
        }
    }

    /// Returns the experiment to watch for the point at a spot; `None` for closed forms, published
    /// values and distributions.
    pub fn watch_experiment(&self, sweep: &Sweep, pinned: &[PinnedSweep<'_>], spot: &ChartPoint) -> Option<Experiment> {
        let (source, inner) = self.source(sweep, pinned, spot)?;
        let point = point_at(source, self.plot, &inner)?;
        Some(source.experiment().for_watch(point.x, &point.algorithm))
    }

    /// Returns the description of a spot, line by line.
    pub fn describe_point(&self, sweep: &Sweep, pinned: &[PinnedSweep<'_>], spot: &ChartPoint) -> Vec<String> {
        let Some((source, inner)) = self.source(sweep, pinned, spot) else {
            return describe_spot(sweep.experiment(), self.plot, &self.figure, spot, None);
        };
        let plot = match self.plot {
            Plot::Metric(metric) => metric.matching_in(source.experiment().kind()).map_or(self.plot, Plot::Metric),
            Plot::Spread(_) => self.plot,
        };
        let mut lines = describe_point(source, plot, &self.figure, &inner);
        // The description names the curve as this chart does.
        if let (Some(first), Some(curve)) = (lines.first_mut(), self.figure.curves.get(spot.curve)) {
            first.clone_from(&curve.name);
        }
        lines
    }
}

/// Returns the figures for printing below each other: curves named in the first figure are not
/// named again.
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
    use crate::files::opened::{self, OpenedFile};
    use crate::picture::geometry::Size;
    use faultlab_experiment::run;

    fn measured(text: &str) -> Sweep {
        let mut sweep = Sweep::new(&text.parse().unwrap());
        run(&mut sweep);
        sweep
    }

    fn pinned(sweep: &Sweep) -> PinnedSweep<'_> {
        PinnedSweep { source: PinnedSource::Sweep(sweep), is_hidden: false }
    }

    fn names(panel: &Panel) -> Vec<&str> {
        panel.figure.curves.iter().map(|curve| curve.name.as_str()).collect()
    }

    const NOW: &str = "net=cube:5&faults=nodes:0.1&route=random,sidetracking&vary=p:0.1,0.3&within=0.05";

    #[test]
    fn pinned_curves_are_overlaid_on_current_ones() {
        let now = measured(NOW);
        let before = measured("net=cube:7&faults=nodes:0.1&route=sidetracking&vary=p:0.1,0.5&within=0.05&seed=3");
        let alone = panels(&now, &now.experiment().view, &[]);
        let both = panels(&now, &now.experiment().view, &[pinned(&before)]);
        // The names of the present curves say what differs from the pinned ones.
        let measured_names = ["random, local, net = cube:5, seed = 1", "sidetracking, net = cube:5, seed = 1"];
        assert_eq!(names(&both[0])[..2], measured_names);
        assert_eq!(names(&both[0])[2..names(&alone[0]).len()], names(&alone[0])[2..]);
        let curve = both[0].figure.curves.last().unwrap();
        assert_eq!((curve.name.as_str(), curve.kind), ("sidetracking, net = cube:7, seed = 3", CurveStyle::Kept));
        assert_eq!(curve.points.iter().map(|point| point.0).collect::<Vec<_>>(), [0.1, 0.5]);
        assert!(both[0].figure.x_range.1 > 0.5 && alone[0].figure.x_range.1 < 0.31);
        // The point is described and found by its own experiment.
        let spot = *spots(&both[0].figure, Size::new(900.0, 500.0)).last().unwrap();
        let lines = both[0].describe_point(&now, &[pinned(&before)], &spot);
        assert_eq!(lines[..2], ["sidetracking, net = cube:7, seed = 3", "fault rate p: 0.5"]);
        assert!(lines[3].starts_with("n = "), "{lines:?}");
        let (source, inner) = both[0].source(&now, &[pinned(&before)], &spot).unwrap();
        assert_eq!((source.experiment(), inner.curve), (before.experiment(), 0));
    }

    #[test]
    fn hidden_or_unfinished_curves_show_no_points() {
        let now = measured(NOW);
        let last = |pinned: PinnedSweep<'_>| {
            panels(&now, &now.experiment().view, &[pinned])[0].figure.curves.last().unwrap().points.len()
        };
        assert_eq!(last(pinned(&now)), 2);
        assert_eq!(last(PinnedSweep { is_hidden: true, ..pinned(&now) }), 0);
        assert_eq!(last(pinned(&Sweep::new(now.experiment()))), 0);
    }

    #[test]
    fn incompatible_pinned_sweeps_are_rejected_with_a_reason() {
        let now = measured(NOW);
        let why = |text: &str, shown: &str| {
            let other = Sweep::new(&text.parse().unwrap());
            let view = format!("{NOW}{shown}").parse::<Experiment>().unwrap().view;
            panels(&now, &view, &[pinned(&other)])[0].rejected.first().map(|(_, why)| why.clone())
        };
        assert_eq!(why("net=cube:5&faults=nodes:0.1&vary=p:0,0.5", ""), None);
        for (text, shown, said) in [
            ("net=cube:5", "", "the x axes differ: algorithm and fault rate p"),
            ("vary=n:4,5", "", "the x axes differ: dimension n and fault rate p"),
            ("switch=circuit&vary=rate:0.1,0.2", "", "success probability is not measured by switch=circuit"),
            ("net=cube:5&faults=nodes:0.1&vary=p:0,0.5", "&plot=ends", "this chart is a distribution"),
        ] {
            assert_eq!(why(text, shown).as_deref(), Some(said));
        }
    }

    #[test]
    fn pinned_comparisons_are_beside_present_ones() {
        let text = "switch=wormhole&net=mesh:4x4&faults=none&trials=200";
        let now = measured(&format!("{text}&route=e-cube,west-first"));
        let before = measured(&format!("{text}&route=odd-even,west-first&seed=3"));
        let panel = &panels(&now, &now.experiment().view, &[pinned(&before)])[0];
        let own = panel.legend_indices.len();
        // Only algorithms on the axis have a place.
        assert_eq!(names(panel)[own..], ["west-first, seed = 3"]);
        let at: Vec<_> = panel.figure.curves[own].points.iter().map(|point| point.0).collect();
        assert!(matches!(at[..], [x] if x > 1.0 && x < 1.5), "{at:?}");
        let spot = *spots(&panel.figure, Size::new(900.0, 500.0)).last().unwrap();
        let lines = panel.describe_point(&now, &[pinned(&before)], &spot);
        assert!(lines[0] == "west-first, seed = 3" && lines[2].starts_with("n = "), "{lines:?}");
        // The curve keeps its index in the pinned sweep, whose first algorithm is not shown.
        let (source, inner) = panel.source(&now, &[pinned(&before)], &spot).unwrap();
        assert_eq!((source.experiment(), inner.curve), (before.experiment(), 1));
        let watched = panel.watch_experiment(&now, &[pinned(&before)], &spot).unwrap();
        assert_eq!(watched.view.follow, Some((1, None)));
    }

    #[test]
    fn points_of_another_parameter_are_rejected() {
        let now = measured(NOW);
        let why = |text: &str| {
            let Ok(OpenedFile::Curves(own)) = opened::open("own.csv", text.as_bytes()) else { panic!("{text}") };
            let pin = PinnedSweep { source: PinnedSource::File(&own), is_hidden: false };
            panels(&now, &now.experiment().view, &[pin])[0].rejected.first().map(|(_, why)| why.clone())
        };
        let wrong = why("load,mine\n0.2,30\n").expect("a reason");
        assert!(wrong.contains("first column is load") && wrong.contains("fault rate p"), "{wrong}");
        for text in ["p,mine\n0.2,0.5\n", "Fault rate p,mine\n0.2,0.5\n", "x,mine\n0.2,0.5\n", "0.2,0.5\n"] {
            assert_eq!(why(text), None);
        }
    }

    #[test]
    fn curves_of_files_are_overlaid_with_the_names_of_their_files() {
        let now = measured(NOW);
        let files = [("kept.json", crate::files::json::run(&now)), ("own.csv", "p,mine\n0.2,0.5\n".to_owned())];
        let files = files.map(|(name, text)| match opened::open(name, text.as_bytes()) {
            Ok(OpenedFile::Curves(curves)) => *curves,
            other => panic!("{other:?}"),
        });
        let pinned = [0, 1].map(|at| PinnedSweep { source: PinnedSource::File(&files[at]), is_hidden: false });
        let panel = &panels(&now, &now.experiment().view, &pinned)[0];
        let own = panel.legend_indices.len();
        assert_eq!(names(panel)[own..], ["random, local, kept.json", "sidetracking, kept.json", "mine"]);
        assert_eq!(panel.figure.curves[own].points, panel.figure.curves[0].points);
        let spot = *spots(&panel.figure, Size::new(900.0, 500.0)).last().unwrap();
        let lines = panel.describe_point(&now, &pinned, &spot);
        assert_eq!(lines, ["mine", "fault rate p: 0.2", "success probability: 50%"]);
        assert_eq!(panel.watch_experiment(&now, &pinned, &spot), None);
    }

    #[test]
    fn two_kinds_share_a_chart_if_their_axes_agree() {
        let now = measured("net=cube:4&faults=nodes:0.1&route=random&vary=p:0,0.2&within=0.1&plot=length");
        let other =
            Sweep::new(&"switch=wormhole&net=mesh:4x4&faults=nodes:0.1&vary=p:0,0.1&trials=200".parse().unwrap());
        let panel = &panels(&now, &now.experiment().view, &[pinned(&other)])[0];
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
    fn second_metric_round_trips_and_invalid_ones_are_rejected() {
        for text in ["plot=success,length", "plot=length,success", "plot=length"] {
            let read: Experiment = text.parse().unwrap();
            assert_eq!(read.to_string(), format!("v=1&{text}"));
        }
        for (text, said) in [
            ("plot=length,length", "length is named twice"),
            ("plot=lengths,success", "no metric can be drawn below it"),
            ("plot=length,latency", "latency is not measured by switch=message"),
        ] {
            let error = text.parse::<Experiment>().unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
