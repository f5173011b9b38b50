//! Chart of a sweep: measured curves with closed forms and published values.

use super::axes::{log_ticks, x_range, y_range};
use super::pinned::COMPARED;
use super::reference_values;
use crate::chart::distribution;
use crate::chart::figure::{Curve, CurveStyle, Figure, Grid, MissingMean, VerticalMarker};
use crate::delivery::trade_off::trade_off;
use crate::picture::scene::Role;
use crate::wording::numbers::varied;
use faultlab_core::routing::wording::mesh_node;
use faultlab_core::topology::NodeId;
use faultlab_experiment::{
    ChartOptions, DistributionKind, Experiment, Metric, ParameterRole as Varies, Plot, PointResult, Status, Sweep,
};

/// Returns the chart of one of the metrics of a sweep, or of one of its distributions.
pub fn chart(sweep: &Sweep, plot: Plot) -> Figure {
    chart_with(sweep, plot, &sweep.experiment().view.chart)
}

/// Returns the chart of a sweep with the algorithm that `view` chooses for distributions.
pub(super) fn chart_with(sweep: &Sweep, plot: Plot, view: &ChartOptions) -> Figure {
    match plot {
        Plot::Metric(metric) => of_metric(sweep, metric),
        Plot::Spread(spread) => match spread.shape {
            DistributionKind::TradeOff => trade_off(sweep),
            shape => distribution::figure(sweep, shape, distribution::only_algorithm(sweep.experiment(), view)),
        },
    }
}

/// Returns whether the charts of the metrics are maps: the sweep moves a faulty node over the
/// network.
pub(crate) fn is_map(experiment: &Experiment) -> bool {
    experiment.vary.as_ref().is_some_and(|vary| vary.parameter.role == Varies::FaultyNode)
}

/// Returns the name of value `x` of the varied parameter among all `values`: of a node by its
/// coordinates, as in the pictures.
pub fn value_name(experiment: &Experiment, values: &[f64], x: f64) -> String {
    match experiment.mesh().filter(|_| is_map(experiment)) {
        Some(mesh) => mesh_node(mesh, NodeId(x as u64)).to_string(),
        None => varied(experiment, values, x),
    }
}

/// Returns the chart of one metric of a sweep, finished or not.
fn of_metric(sweep: &Sweep, metric: &Metric) -> Figure {
    let experiment = sweep.experiment();
    let names: Vec<_> = match experiment.vary {
        Some(_) => Vec::new(),
        None => experiment.routing.iter().map(|algorithm| algorithm.name.to_string()).collect(),
    };
    let mut curves: Vec<_> = (0..experiment.routing.len()).map(|index| measured_curve(sweep, metric, index)).collect();
    let sizes = experiment.vary.as_ref().is_some_and(|vary| vary.parameter.role == Varies::Size { doubling: true });
    let powers = log_ticks(&experiment.vary.as_ref().map(|vary| vary.values()).unwrap_or_default(), sizes);
    let x_range = x_range(sweep, names.len(), !powers.is_empty());
    curves.extend(reference_values::closed_forms(sweep, metric));
    curves.extend(reference_values::published(sweep, metric));
    let y_range = y_range(metric, experiment.kind().can_saturate, &curves);
    let x_axis = experiment.vary.as_ref().map_or(COMPARED, |vary| vary.parameter.axis).to_owned();
    Figure {
        x_axis,
        y_axis: metric.axis.to_owned(),
        x_range,
        y_range,
        percent: metric.probability,
        names,
        curves,
        grid: grid(experiment),
        powers,
        limits: if is_map(experiment) { faulty_squares(experiment) } else { reference_values::limits(sweep, metric) },
        ..Figure::default()
    }
}

/// Returns the rows and columns of the map, if the sweep moves a faulty node over a mesh.
fn grid(experiment: &Experiment) -> Option<Grid> {
    let mesh = experiment.mesh()?;
    is_map(experiment).then(|| Grid { rows: mesh.rows(), columns: mesh.columns() })
}

/// Returns the marks of the squares of a map whose nodes are faulty in every point.
fn faulty_squares(experiment: &Experiment) -> Vec<VerticalMarker> {
    let mark = |node: &NodeId| VerticalMarker {
        x: node.0 as f64,
        label: "already faulty".to_owned(),
        role: Role::Fault,
        measured: false,
    };
    experiment.faults.faulty_nodes.iter().map(mark).collect()
}

/// Returns the measured curve of algorithm number `index`.
pub(super) fn measured_curve(sweep: &Sweep, metric: &Metric, index: usize) -> Curve {
    let experiment = sweep.experiment();
    let algorithm = &experiment.routing[index];
    let points = sweep.points().iter().filter(|point| point.algorithm == *algorithm);
    let finite = |point: &PointResult| point.estimate(metric).filter(|estimate| estimate.mean.is_finite());
    let points: Vec<_> = points.map(|point| (point.x.unwrap_or(index as f64), point, finite(point))).collect();
    let marks = points.iter().filter(|(.., estimate)| estimate.is_none());
    let marks = marks.filter_map(|(x, point, _)| Some((*x, mark(point)?))).collect();
    let estimates: Vec<_> = points.iter().filter_map(|(x, _, estimate)| Some((*x, (*estimate)?))).collect();
    let intervals = estimates.iter().filter(|(_, e)| e.low.is_finite() && e.high.is_finite());
    Curve {
        name: algorithm.name.to_string(),
        role: Role::Series(index as u8),
        dash: index,
        points: estimates.iter().map(|(x, estimate)| (*x, estimate.mean)).collect(),
        intervals: intervals.map(|(x, estimate)| (*x, estimate.low, estimate.high)).collect(),
        marks,
        kind: if experiment.vary.is_none() { CurveStyle::Apart } else { CurveStyle::Measured },
    }
}

/// Returns the mark of `point`, which has no estimate.
fn mark(point: &PointResult) -> Option<MissingMean> {
    match point.status {
        Status::Unstable => Some(MissingMean::Unstable),
        Status::Deadlocked => Some(MissingMean::Deadlocked),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unstable_and_deadlocked_points_are_marked_without_mean() {
        let text = "net=cube:2&switch=circuit&route=e-cube,minimal&vary=rate:0.2,3&within=0.5&trials=1000";
        let mut sweep = Sweep::new(&text.parse().unwrap());
        faultlab_experiment::run(&mut sweep);
        let figure = chart(&sweep, sweep.experiment().plot());
        assert_eq!(figure.curves[0].points.len(), 1);
        assert_eq!(figure.curves[0].marks, [(3.0, MissingMean::Unstable)]);
        assert_eq!(figure.curves[1].marks.last().map(|mark| mark.1), Some(MissingMean::Deadlocked));
    }
}
