//! What is laid over a measured curve: closed forms and published values.

use super::figure::{Curve, Kind, Limit};
use super::scene::Role;
use super::{relation_overlay, tree_overlay};
use crate::experiment::{CubeCell, Experiment, Metric, Parameter, Sweep, crossover, published};
use crate::routing::Knowledge;
use crate::sort;
use crate::switching::Switching;

/// Points of a smooth closed form.
const SMOOTH: u32 = 120;

/// The closed forms that predict what `metric` measures, one curve for each different prediction (Gordon & Stout,
/// equations (1), (2), (6), (7)).
pub fn closed_forms(sweep: &Sweep, metric: &Metric) -> Vec<Curve> {
    let experiment = sweep.experiment();
    if experiment.switching.is_oblivious() {
        return relation_overlay::closed_forms(experiment, metric);
    }
    if experiment.switching == Switching::Delivery {
        return tree_overlay::closed_forms(sweep, metric);
    }
    let edited = !(experiment.faults.broken.is_empty() && experiment.faults.mended.is_empty());
    if edited || experiment.vary.is_none() {
        return Vec::new();
    }
    let predicted = |knowledge| {
        experiment.routing.iter().any(|algorithm| {
            let minimal = algorithm.is_minimal();
            let applies = match metric.id {
                "success" => minimal,
                "minimal" => algorithm.knowledge() != Knowledge::Everything,
                _ => false,
            };
            applies && algorithm.knowledge() == knowledge
        })
    };
    let curve = |knowledge, name: &str, dash| Curve {
        name: name.to_owned(),
        role: Role::Ink,
        dash,
        points: grid(experiment)
            .into_iter()
            .filter_map(|x| Some((x, super::check::prediction(&CubeCell::new(experiment, Some(x))?, knowledge)?.0)))
            .collect(),
        intervals: Vec::new(),
        marks: Vec::new(),
        kind: Kind::ClosedForm,
    };
    let forms = [(Knowledge::Nothing, "closed form, no info", 2), (Knowledge::Neighbors, "closed form, local", 0)];
    let forms = forms.into_iter().filter(|form| predicted(form.0));
    forms.map(|(knowledge, name, dash)| curve(knowledge, name, dash)).filter(|curve| !curve.points.is_empty()).collect()
}

/// Where a closed form is computed: densely along a rate, elsewhere at the values of the sweep.
pub(super) fn grid(experiment: &Experiment) -> Vec<f64> {
    let values = experiment.vary.as_ref().map(|vary| (vary.parameter, vary.values()));
    match values {
        Some((Parameter::Rate, values)) if experiment.faults.model.count(experiment.network).is_none() => {
            let (Some(&first), Some(&last)) = (values.first(), values.last()) else { return Vec::new() };
            (0..=SMOOTH).map(|i| first + (last - first) * f64::from(i) / f64::from(SMOOTH)).collect()
        }
        Some((_, values)) => values,
        None => Vec::new(),
    }
}

/// What is said of places on the x axis: where what the thesis supposes ends, and where curves cross.
pub fn limits(sweep: &Sweep, metric: &Metric) -> Vec<Limit> {
    let mut limits = relation_overlay::limits(sweep, metric);
    let number = |algorithm| sweep.experiment().routing.iter().position(|known| *known == algorithm);
    limits.extend(crossover::crossings(sweep, metric).into_iter().map(|crossing| Limit {
        x: crossing.at.mean,
        label: super::table::crossing(sweep, &crossing),
        role: Role::Series(number(crossing.challenger).unwrap_or_default() as u8),
        measured: true,
    }));
    // Their words stand below each other: no line goes through those of one farther left.
    sort::by(&mut limits, |a, b| a.x.total_cmp(&b.x));
    limits
}

/// The published values of what `metric` measures at the points of the sweep.
pub fn published(sweep: &Sweep, metric: &Metric) -> Vec<(f64, f64)> {
    published::values(sweep.experiment(), metric.id)
}
