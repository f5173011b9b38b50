//! What is known of what a sweep measures: closed forms, the places where they end and where curves cross, published values.

use crate::chart::figure::{Curve, Kind, Limit};
use crate::chart::overlay::Overlay;
use crate::files::table;
use crate::kinds::reports_of;
use crate::picture::scene::Role;
use faultlab_experiment::crossover;
use faultlab_experiment::{Metric, Sweep};
use faultlab_papers::gordon_stout;

/// What is known of `metric` in experiments as that of `sweep`.
fn overlay(sweep: &Sweep, metric: &Metric) -> Option<&'static Overlay> {
    reports_of(sweep.experiment()).overlays.iter().find(|overlay| overlay.metric == metric.id)
}

/// The closed forms that predict what `metric` measures, one curve for each different prediction.
pub(crate) fn closed_forms(sweep: &Sweep, metric: &Metric) -> Vec<Curve> {
    overlay(sweep, metric).map_or_else(Vec::new, |overlay| (overlay.curves)(sweep))
}

/// What is said of places on the x axis: where what is supposed ends, and where curves cross.
pub(crate) fn limits(sweep: &Sweep, metric: &Metric) -> Vec<Limit> {
    let mut limits = overlay(sweep, metric).map_or_else(Vec::new, |overlay| (overlay.limits)(sweep, metric));
    let number = |algorithm| sweep.experiment().routing.iter().position(|known| *known == algorithm);
    limits.extend(crossover::crossings(sweep, metric).into_iter().map(|crossing| Limit {
        x: crossing.at.mean,
        label: table::crossing(sweep, &crossing),
        role: Role::Series(number(crossing.challenger).unwrap_or_default() as u8),
        measured: true,
    }));
    // Their words stand below each other: no line goes through those of one farther left.
    limits.sort_by(|a, b| a.x.total_cmp(&b.x));
    limits
}

/// The published values of what `metric` measures along the sweep, in the colour of the algorithm that they are of.
pub(crate) fn published(sweep: &Sweep, metric: &Metric) -> Vec<Curve> {
    let experiment = sweep.experiment();
    let curve = |(id, points): (&str, Vec<(f64, f64)>)| {
        let number = experiment.routing.iter().position(|algorithm| algorithm.id == id)?;
        let (name, role) = (format!("{}, published", experiment.routing[number].name), Role::Series(number as u8));
        let (intervals, marks, kind) = (Vec::new(), Vec::new(), Kind::Published);
        Some(Curve { name, role, dash: number, points, intervals, marks, kind })
    };
    gordon_stout::published::values(experiment, metric.id).into_iter().filter_map(curve).collect()
}
