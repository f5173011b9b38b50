//! Overlays on measured curves: closed forms, and marked positions along the sweep.

use super::figure::{Curve, CurveStyle, VerticalMarker};
use crate::picture::scene::Role;
use faultlab_experiment::{Experiment, Metric, ParameterRole as Varies, Sweep};

/// Closed forms and limits of a metric. Each kind of experiment lists its overlays. Which closed
/// forms apply depends on the algorithms.
pub struct Overlay {
    /// Identifier of the metric.
    pub metric: &'static str,
    /// Returns the closed forms along the sweep, one curve for each distinct closed form.
    pub curves: fn(&Sweep) -> Vec<Curve>,
    /// Returns the limits along the sweep up to which the assumptions on the metric hold.
    pub limits: fn(&Sweep, &Metric) -> Vec<VerticalMarker>,
}

impl Overlay {
    /// Returns an overlay with closed forms and without limits.
    pub(crate) const fn new(metric: &'static str, curves: fn(&Sweep) -> Vec<Curve>) -> Self {
        Self { metric, curves, limits: |_, _| Vec::new() }
    }
}

/// Returns a closed form as a curve; `None` if it has no points. `dash` selects the dashes of its
/// thin line, which stays visible on top of a measured curve.
pub(crate) fn curve(name: impl Into<String>, role: Role, dash: usize, points: Vec<(f64, f64)>) -> Option<Curve> {
    let (intervals, marks, kind) = (Vec::new(), Vec::new(), CurveStyle::ClosedForm);
    (!points.is_empty()).then(|| Curve { name: name.into(), role, dash, points, intervals, marks, kind })
}

/// Returns the x values of the closed forms of a sweep: densely spaced along a fault rate,
/// otherwise the values of the sweep.
pub(crate) fn closed_form_xs(experiment: &Experiment) -> Vec<f64> {
    let values = experiment.vary.as_ref().map(|vary| (vary.parameter.role, vary.values()));
    match values {
        Some((Varies::FaultRate, values)) if experiment.faults.model.node_count(experiment.network).is_none() => {
            let (Some(&first), Some(&last)) = (values.first(), values.last()) else { return Vec::new() };
            (0..=SMOOTH_STEPS).map(|i| first + (last - first) * f64::from(i) / f64::from(SMOOTH_STEPS)).collect()
        }
        Some((_, values)) => values,
        None => Vec::new(),
    }
}

/// Number of steps along a smooth closed form.
const SMOOTH_STEPS: u32 = 120;
