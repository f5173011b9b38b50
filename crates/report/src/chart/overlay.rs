//! What is laid over measured curves: closed forms, and places along the sweep.

use super::figure::{Curve, Kind, Limit};
use crate::picture::scene::Role;
use faultlab_experiment::{Experiment, Metric, Role as Varies, Sweep};

/// What is known of a metric without measuring it: each kind of experiment lists its own, and asks the algorithms to which of
/// them it applies.
pub struct Overlay {
    /// The metric's name.
    pub metric: &'static str,
    /// Its closed forms along the sweep, one curve for each different one.
    pub curves: fn(&Sweep) -> Vec<Curve>,
    /// Where along the sweep what is supposed ends, of the metric.
    pub limits: fn(&Sweep, &Metric) -> Vec<Limit>,
}

impl Overlay {
    /// These closed forms, and nothing about places along the sweep.
    pub(crate) const fn new(metric: &'static str, curves: fn(&Sweep) -> Vec<Curve>) -> Self {
        Self { metric, curves, limits: |_, _| Vec::new() }
    }
}

/// A closed form as a curve; none if it has no points. Thin dots are seen on the curve that they explain.
pub(crate) fn curve(name: impl Into<String>, role: Role, dash: usize, points: Vec<(f64, f64)>) -> Option<Curve> {
    let (intervals, marks, kind) = (Vec::new(), Vec::new(), Kind::ClosedForm);
    (!points.is_empty()).then(|| Curve { name: name.into(), role, dash, points, intervals, marks, kind })
}

/// The points of a sweep of closed forms: densely along a rate, elsewhere at the values of the sweep.
pub(crate) fn grid(experiment: &Experiment) -> Vec<f64> {
    let values = experiment.vary.as_ref().map(|vary| (vary.parameter.role, vary.values()));
    match values {
        Some((Varies::FaultRate, values)) if experiment.faults.model.count(experiment.network).is_none() => {
            let (Some(&first), Some(&last)) = (values.first(), values.last()) else { return Vec::new() };
            (0..=SMOOTH).map(|i| first + (last - first) * f64::from(i) / f64::from(SMOOTH)).collect()
        }
        Some((_, values)) => values,
        None => Vec::new(),
    }
}

/// Points of a smooth closed form.
const SMOOTH: u32 = 120;
