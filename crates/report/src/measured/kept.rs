//! Curves of other sweeps, kept while an experiment is changed and laid over its chart.

use super::figure::measured;
use crate::chart::figure::{Curve, Figure, Kind};
use crate::chart::{look, scale};
use crate::words::several;
use faultlab_experiment::{Experiment, Plot, PointResult, Status, Sweep};

/// How many experiments can be kept: more curves nobody tells apart.
pub const MOST: usize = 6;

/// A sweep whose curves were kept.
#[derive(Clone, Copy)]
pub struct Kept<'a> {
    /// The sweep.
    pub sweep: &'a Sweep,
    /// Whether its curves are hidden.
    pub is_hidden: bool,
}

/// How many differences tell two experiments apart; the others are counted.
const TOLD: usize = 3;

/// What tells a kept experiment from the one that is shown now: `net = cube:8, seed = 2`. The algorithms are named by the curves, and
/// how exact both are is said only where nothing else differs.
pub fn told_apart(kept: &Experiment, now: &Experiment) -> String {
    let (minor, major): (Vec<_>, Vec<_>) = kept
        .differing(now)
        .into_iter()
        .map(|found| (found.key, format!("{} = {}", found.key, found.one.as_deref().unwrap_or("–"))))
        .partition(|found| ["route", "vary", "within", "trials"].contains(&found.0));
    let told = if major.is_empty() { minor } else { major };
    match told.len() {
        0 => "kept".to_owned(),
        _ => several(&told.into_iter().map(|found| found.1).collect::<Vec<_>>(), TOLD),
    }
}

/// The curves of `sweep` that belong in `chart`, which shows `plot`, as far as their points are final; the error says in a few words
/// why none does.
fn curves(sweep: &Sweep, plot: Plot, chart: &Figure) -> Result<Vec<Curve>, String> {
    let experiment = sweep.experiment();
    let Plot::Metric(metric) = plot else { return Err("this is a distribution".to_owned()) };
    if chart.grid.is_some() || !chart.names.is_empty() {
        return Err("this chart has no axis of numbers".to_owned());
    }
    let Some(metric) = metric.of_kind(experiment.kind()) else {
        return Err(format!("{} is not measured of switch={}", chart.y_axis, experiment.kind().id));
    };
    let along = experiment.vary.as_ref().map_or("nothing", |vary| vary.parameter.axis);
    if along != chart.x_axis {
        return Err(format!("it is along {along}, this chart along {}", chart.x_axis));
    }
    Ok((0..experiment.routing.len()).map(|index| finished(measured(sweep, metric, index), sweep, index)).collect())
}

/// Whether it has points that no further trial will change.
pub fn has_final(sweep: &Sweep) -> bool {
    sweep.points().iter().any(is_final)
}

fn is_final(point: &PointResult) -> bool {
    !matches!(point.status, Status::Running | Status::Cancelled)
}

/// A curve with those of its points alone that no further trial will change.
fn finished(mut curve: Curve, sweep: &Sweep, index: usize) -> Curve {
    let algorithm = &sweep.experiment().routing[index];
    let of_it = sweep.points().iter().filter(|point| point.algorithm == *algorithm && is_final(point));
    let known: Vec<f64> = of_it.filter_map(|point| point.x).collect();
    curve.kind = Kind::Kept;
    curve.points.retain(|point| known.contains(&point.0));
    curve.intervals.retain(|interval| known.contains(&interval.0));
    curve.marks.retain(|mark| known.contains(&mark.0));
    curve
}

/// What became of kept sweeps.
pub(super) struct LaidOver {
    /// The number of its sweep and its own number there, of each curve that is shown.
    pub(super) curves: Vec<(usize, usize)>,
    /// The number of each sweep of which nothing is shown, with the reason.
    pub(super) refused: Vec<(usize, String)>,
}

/// Lays curves of kept sweeps over `chart`, which shows `plot` of `now`, behind its own; its x axis becomes as long as they need.
pub(super) fn lay_over(chart: &mut Figure, plot: Plot, now: &Experiment, kept: &[Kept<'_>]) -> LaidOver {
    let (mut laid, mut refused) = (Vec::new(), Vec::new());
    let own = chart.curves.len();
    let mut dash = now.routing.len();
    for (number, Kept { sweep, is_hidden }) in kept.iter().enumerate() {
        let apart = told_apart(sweep.experiment(), now);
        let found = match curves(sweep, plot, chart) {
            Ok(found) => found,
            Err(why) => {
                refused.push((number, why));
                continue;
            }
        };
        for (index, mut curve) in found.into_iter().enumerate() {
            // A kept curve is never solid.
            dash += usize::from(look::dashes(dash).is_empty());
            curve.dash = dash;
            dash += 1;
            curve.name = format!("{}, {apart}", curve.name);
            if *is_hidden {
                scale::clear(&mut curve);
            }
            laid.push((number, index));
            chart.curves.push(curve);
        }
    }
    let points = chart.curves[own..].iter().flat_map(|curve| curve.points.iter().map(|point| point.0));
    let (first, last) = points.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    scale::reach_to(chart, first, last);
    LaidOver { curves: laid, refused }
}
