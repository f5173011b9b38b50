//! Reference values of the measured quantities: closed forms, their limits, crossings of curves,
//! published values.

use super::saturation;
use crate::chart::figure::{Curve, CurveStyle, VerticalMarker};
use crate::chart::overlay::Overlay;
use crate::files::table;
use crate::kinds::reports;
use crate::picture::scene::Role;
use faultlab_experiment::crossover;
use faultlab_experiment::{Metric, Sweep};
use faultlab_papers::gordon_stout;

/// Returns the overlay of `metric` for the kind of `sweep`.
fn overlay(sweep: &Sweep, metric: &Metric) -> Option<&'static Overlay> {
    reports(sweep.experiment()).overlays.iter().find(|overlay| overlay.metric == metric.id)
}

/// Returns the closed forms that predict `metric`, one curve for each distinct prediction.
pub(crate) fn closed_forms(sweep: &Sweep, metric: &Metric) -> Vec<Curve> {
    overlay(sweep, metric).map_or_else(Vec::new, |overlay| (overlay.curves)(sweep))
}

/// Returns the marked positions on the x axis: the limits of the assumptions, the crossings of
/// curves, and saturation.
pub(crate) fn limits(sweep: &Sweep, metric: &Metric) -> Vec<VerticalMarker> {
    let mut limits = overlay(sweep, metric).map_or_else(Vec::new, |overlay| (overlay.limits)(sweep, metric));
    let number = |algorithm| sweep.experiment().routing.iter().position(|known| *known == algorithm);
    limits.extend(crossover::crossings(sweep, metric).into_iter().map(|crossing| VerticalMarker {
        x: crossing.at.mean,
        label: table::crossing(sweep, &crossing),
        role: Role::Series(number(crossing.challenger).unwrap_or_default() as u8),
        measured: true,
    }));
    limits.extend(saturation::markers(sweep, metric));
    // The labels are below each other. In this order no line crosses the label of a line farther
    // left.
    limits.sort_by(|a, b| a.x.total_cmp(&b.x));
    limits
}

/// Returns the published values of `metric` along the sweep, in the colours of their algorithms.
pub(crate) fn published(sweep: &Sweep, metric: &Metric) -> Vec<Curve> {
    let experiment = sweep.experiment();
    let curve = |(id, points): (&str, Vec<(f64, f64)>)| {
        let number = experiment.routing.iter().position(|algorithm| algorithm.id == id)?;
        let (name, role) = (format!("{}, published", experiment.routing[number].name), Role::Series(number as u8));
        let (intervals, marks, kind) = (Vec::new(), Vec::new(), CurveStyle::Published);
        Some(Curve { name, role, dash: number, points, intervals, marks, kind })
    };
    gordon_stout::published::values(experiment, metric.id).into_iter().filter_map(curve).collect()
}
