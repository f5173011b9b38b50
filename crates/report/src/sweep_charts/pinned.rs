//! Curves of pinned sweeps and of files, which stay while the user changes the experiment and are
//! drawn over its chart.

use super::figure::measured_curve;
use crate::chart::figure::{Curve, CurveStyle, Figure};
use crate::chart::{curve_style, scale};
use crate::files::opened::{SavedCurve, SavedCurves};
use crate::picture::scene::Role;
use crate::wording::list_first;
use faultlab_experiment::{Experiment, FieldDiff, Metric, Plot, PointResult, Status, Sweep};

/// Maximum number of pinned experiments; more curves could not be distinguished.
pub const MAX_PINNED: usize = 6;

/// Pinned sweep or file, whose curves are laid over the chart.
#[derive(Clone, Copy)]
pub struct PinnedSweep<'a> {
    /// Source of the curves.
    pub source: PinnedSource<'a>,
    /// True if the curves are hidden.
    pub is_hidden: bool,
}

/// Source of pinned curves.
#[derive(Clone, Copy)]
pub enum PinnedSource<'a> {
    /// Sweep that was measured here.
    Sweep(&'a Sweep),
    /// File that the user opened.
    File(&'a SavedCurves),
}

impl PinnedSource<'_> {
    /// Returns the experiment of the curves; `None` for points from elsewhere.
    pub fn experiment(&self) -> Option<&Experiment> {
        match self {
            Self::Sweep(sweep) => Some(sweep.experiment()),
            Self::File(saved) => saved.experiment.as_ref(),
        }
    }

    /// Returns the label of the curves beside those of `now`: differences of the experiment, or the
    /// name of the file.
    pub fn label(&self, now: &Experiment) -> String {
        match self {
            Self::Sweep(sweep) => difference_label(sweep.experiment(), now),
            Self::File(saved) => saved.name.clone(),
        }
    }
}

/// Maximum number of differences listed between two experiments; the others are counted.
const MAX_LISTED_DIFFERENCES: usize = 3;

/// Returns the differences of a pinned experiment from the present one: `net = cube:8, seed = 2`.
/// Edits by hand and the sweep are in words, because a missing value would have to be guessed.
/// The curves name the algorithms. The precision of both is mentioned only if nothing else differs.
pub fn difference_label(pinned: &Experiment, now: &Experiment) -> String {
    let (minor, major): (Vec<_>, Vec<_>) = pinned
        .diff(now)
        .into_iter()
        .map(|found| (found.key, setting_label(&found)))
        .partition(|found| MINOR_KEYS.contains(&found.0));
    let told = if major.is_empty() { minor } else { major };
    match told.len() {
        0 => "same experiment".to_owned(),
        _ => list_first(&told.into_iter().map(|found| found.1).collect::<Vec<_>>(), MAX_LISTED_DIFFERENCES),
    }
}

/// Adds to the names of the measured curves of `now` what differs from the visible pinned experiments.
fn name_differences(curves: &mut [Curve], now: &Experiment, shown: &[&Experiment]) {
    let mut found: Vec<FieldDiff> = Vec::new();
    for other in shown {
        let new = now.diff(other).into_iter().filter(|one| !MINOR_KEYS.contains(&one.key));
        let new: Vec<_> = new.filter(|one| found.iter().all(|known| known.key != one.key)).collect();
        found.extend(new);
    }
    let labels: Vec<_> = found.iter().map(setting_label).collect();
    let own = curves.iter_mut().filter(|curve| curve.kind == CurveStyle::Measured && !labels.is_empty());
    own.for_each(|curve| curve.name = format!("{}, {}", curve.name, list_first(&labels, MAX_LISTED_DIFFERENCES)));
}

/// Keys that are mentioned only if nothing else differs.
const MINOR_KEYS: [&str; 4] = ["route", "vary", "within", "trials"];

/// Returns the value of a setting in the first of two experiments.
fn setting_label(found: &FieldDiff) -> String {
    match (found.key, found.one.as_deref()) {
        ("break", Some(elements)) => format!("broken: {elements}"),
        ("break", None) => "nothing broken".to_owned(),
        ("vary", None) => "nothing varied".to_owned(),
        (key, Some(value)) => format!("{key} = {value}"),
        (key, None) => format!("no {key}"),
    }
}

/// Returns the reason why the chart of `plot` cannot show any kept curves; `None` if it can.
pub fn why_none(plot: Plot, chart: &Figure) -> Option<&'static str> {
    match plot {
        Plot::Spread(_) => Some("this chart is a distribution"),
        Plot::Metric(_) if chart.grid.is_some() => Some("this chart is a map"),
        Plot::Metric(_) => None,
    }
}

/// Returns the curves of `source` that belong in `chart`, which shows `plot`, with their final
/// points and their indices in the source. The error gives the reason in a few words if no curve
/// belongs there.
fn curves(source: PinnedSource<'_>, plot: Plot, chart: &Figure) -> Result<Vec<(usize, Curve)>, String> {
    let metric = match (why_none(plot, chart), plot) {
        (Some(reason), _) => return Err(reason.to_owned()),
        (None, Plot::Metric(metric)) => metric,
        (None, Plot::Spread(_)) => return Ok(Vec::new()),
    };
    let metric = source.experiment().map(|experiment| matching_metric(experiment, metric, chart)).transpose()?;
    match source {
        PinnedSource::Sweep(sweep) => {
            let curve = |index| {
                let curve = final_points(measured_curve(sweep, metric?, index), sweep, index);
                Some((index, at_its_name(curve, &chart.names)?))
            };
            Ok((0..sweep.experiment().routing.len()).filter_map(curve).collect())
        }
        PinnedSource::File(saved) => {
            if saved.experiment.is_none() {
                if !chart.names.is_empty() {
                    return Err("this chart compares algorithms and has no numeric x axis".to_owned());
                }
                saved.check_x_axis(&chart.x_axis)?;
            }
            let is_shown = |saved: &SavedCurve| saved.metric.as_deref() == metric.map(|metric| metric.id);
            let curves = saved.curves.iter().enumerate().filter(|(_, saved)| is_shown(saved));
            Ok(curves.map(|(index, saved)| (index, saved.curve.clone())).collect())
        }
    }
}

/// Title of the x axis of a comparison without a sweep.
pub(super) const COMPARED: &str = "algorithm";

/// Distance on the x axis of a comparison between the values of an algorithm from two experiments.
const COMPARED_DISTANCE: f64 = 0.07;

/// Returns a curve of a comparison at the name of its algorithm on the x axis, in its colour; `None` if the algorithm
/// is not on the axis. Returns other curves unchanged.
fn at_its_name(mut curve: Curve, names: &[String]) -> Option<Curve> {
    if !names.is_empty() {
        let place = names.iter().position(|name| *name == curve.name)?;
        let x = place as f64;
        curve.role = Role::Series(place as u8);
        curve.points.iter_mut().for_each(|point| point.0 = x);
        curve.intervals.iter_mut().for_each(|interval| interval.0 = x);
        curve.marks.iter_mut().for_each(|mark| mark.0 = x);
    }
    Some(curve)
}

/// Moves a curve of a comparison beside the values of the experiments before it.
fn shift(curve: &mut Curve, distance: f64) {
    curve.points.iter_mut().for_each(|point| point.0 += distance);
    curve.intervals.iter_mut().for_each(|interval| interval.0 += distance);
    curve.marks.iter_mut().for_each(|mark| mark.0 += distance);
}

/// Returns the metric of `experiment` that `chart` shows as `metric` of another experiment, if the
/// x axes agree.
fn matching_metric(experiment: &Experiment, metric: &Metric, chart: &Figure) -> Result<&'static Metric, String> {
    let Some(metric) = metric.matching_in(experiment.kind()) else {
        return Err(format!("{} is not measured by switch={}", chart.y_axis, experiment.kind().id));
    };
    let along = experiment.vary.as_ref().map_or(COMPARED, |vary| vary.parameter.axis);
    if along != chart.x_axis {
        return Err(format!("the x axes differ: {along} and {}", chart.x_axis));
    }
    Ok(metric)
}

/// Returns whether the sweep has points that no further trial will change.
pub fn has_final(sweep: &Sweep) -> bool {
    sweep.points().iter().any(is_final)
}

fn is_final(point: &PointResult) -> bool {
    !matches!(point.status, Status::Running | Status::Cancelled)
}

/// Returns a curve with only the points that no further trial will change.
fn final_points(mut curve: Curve, sweep: &Sweep, index: usize) -> Curve {
    let algorithm = &sweep.experiment().routing[index];
    let of_it = sweep.points().iter().filter(|point| point.algorithm == *algorithm && is_final(point));
    let known: Vec<f64> = of_it.map(|point| point.x.unwrap_or(index as f64)).collect();
    curve.kind = CurveStyle::Kept;
    curve.points.retain(|point| known.contains(&point.0));
    curve.intervals.retain(|interval| known.contains(&interval.0));
    curve.marks.retain(|mark| known.contains(&mark.0));
    curve
}

/// Pinned sweeps as drawn into a figure.
pub(super) struct PinnedCurves {
    /// Index of the sweep and of the curve in it, for each curve that is shown.
    pub(super) curves: Vec<(usize, usize)>,
    /// Index of each sweep that shows nothing, with the reason.
    pub(super) refused: Vec<(usize, String)>,
}

/// Adds curves of pinned sweeps behind the curves of `chart`, which shows `plot` of `now`. Extends
/// the x axis as far as the added curves need.
pub(super) fn add_pinned_curves(
    chart: &mut Figure,
    plot: Plot,
    now: &Experiment,
    pinned: &[PinnedSweep<'_>],
) -> PinnedCurves {
    let (mut laid, mut refused) = (Vec::new(), Vec::new());
    let own = chart.curves.len();
    let mut dash = now.routing.len();
    for (number, PinnedSweep { source, is_hidden }) in pinned.iter().enumerate() {
        let found = match curves(*source, plot, chart) {
            Ok(found) => found,
            Err(why) => {
                refused.push((number, why));
                continue;
            }
        };
        for (index, mut curve) in found {
            // A pinned curve is never solid.
            dash += usize::from(curve_style::dashes(dash).is_empty());
            curve.dash = dash;
            dash += 1;
            // Points from elsewhere have names of their own.
            if source.experiment().is_some() {
                curve.name = format!("{}, {}", curve.name, source.label(now));
            }
            if !chart.names.is_empty() {
                shift(&mut curve, COMPARED_DISTANCE * (number + 1) as f64);
            }
            if *is_hidden {
                scale::clear(&mut curve);
            }
            laid.push((number, index));
            chart.curves.push(curve);
        }
    }
    let shown = (0..).zip(pinned).filter(|(number, _)| laid.iter().any(|curve| curve.0 == *number));
    let shown: Vec<_> =
        shown.filter(|(_, pin)| !pin.is_hidden).filter_map(|(_, pin)| pin.source.experiment()).collect();
    name_differences(&mut chart.curves[..own], now, &shown);
    let points = chart.curves[own..].iter().flat_map(|curve| curve.points.iter().map(|point| point.0));
    let (first, last) = points.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    scale::extend_x_axis(chart, first, last);
    PinnedCurves { curves: laid, refused }
}
