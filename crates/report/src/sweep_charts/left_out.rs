//! Messages that the values of a metric leave out, such as discarded messages: a mean latency can
//! fall because slow messages are no longer counted.

use super::figure::{is_map, value_name};
use crate::kinds::{LeftOut, reports};
use crate::wording::numbers::fixed;
use faultlab_experiment::{Metric, Plot, PointResult, Sweep, Vary};

/// Smallest share of messages that is reported.
const MIN_SHARE: f64 = 0.005;

/// Returns the largest shares of messages that the values of `metric` leave out, for each reason
/// and algorithm, in one sentence. Returns `None` if no share exceeds half a percent.
pub fn left_out_of_sweep(sweep: &Sweep, metric: &Metric) -> Option<String> {
    let reasons = reports(sweep.experiment()).left_out.iter().filter(|reason| reason.metrics.contains(&metric.id));
    let texts: Vec<_> = reasons.filter_map(|reason| largest_shares(sweep, reason)).collect();
    (!texts.is_empty()).then(|| format!("Not counted: {}.", texts.join("; ")))
}

/// Returns the sentence of [`left_out_of_sweep`] for the metric that the charts of the sweep show;
/// `None` for distributions.
pub fn left_out_of_charts(sweep: &Sweep) -> Option<String> {
    match sweep.experiment().plot() {
        Plot::Metric(metric) => left_out_of_sweep(sweep, metric),
        Plot::Spread(_) => None,
    }
}

/// Returns the shares of messages that the value of `metric` at `point` leaves out, a line for each
/// reason.
pub(super) fn left_out_of_point(point: &PointResult, reasons: &[LeftOut], metric: &Metric) -> Vec<String> {
    let reasons = reasons.iter().filter(|reason| reason.metrics.contains(&metric.id));
    reasons
        .filter_map(|reason| Some(format!("not counted: {} {}", percent(share(point, reason)?), reason.what)))
        .collect()
}

/// Returns the largest share of messages that are left out for a reason, for each algorithm.
fn largest_shares(sweep: &Sweep, reason: &LeftOut) -> Option<String> {
    let experiment = sweep.experiment();
    let values = experiment.vary.as_ref().map_or(Vec::new(), Vary::values);
    let shares = experiment.routing.iter().filter_map(|algorithm| {
        let points = sweep.points().iter().filter(|point| point.algorithm == *algorithm);
        let shares = points.filter_map(|point| Some((share(point, reason)?, point.x)));
        let (share, x) = shares.max_by(|a, b| a.0.total_cmp(&b.0))?;
        let parameter = experiment.vary.as_ref().map_or("", |vary| vary.parameter.heading);
        let at = x.map_or(String::new(), |x| match (is_map(experiment), value_name(experiment, &values, x)) {
            (true, node) => format!(" with node {node} faulty"),
            (false, value) => format!(" at {parameter} = {value}"),
        });
        Some(format!("{}{at} under {}", percent(share), algorithm.name))
    });
    let shares: Vec<_> = shares.collect();
    (!shares.is_empty()).then(|| format!("messages {}, up to {}", reason.what, shares.join(", ")))
}

/// Returns the share of messages that are left out at `point`; `None` if it is at most
/// [`MIN_SHARE`].
fn share(point: &PointResult, reason: &LeftOut) -> Option<f64> {
    let metric = point.config.setting.kind().metric(reason.share)?;
    let mean = point.estimate(metric)?.mean;
    let share = if reason.is_complement { 1.0 - mean } else { mean };
    (share > MIN_SHARE).then_some(share)
}

fn percent(share: f64) -> String {
    format!("{}%", fixed(100.0 * share, 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::{KINDS, run};

    fn measured(text: &str) -> Sweep {
        let mut sweep = Sweep::new(&text.parse().unwrap());
        run(&mut sweep);
        sweep
    }

    fn left_out(sweep: &Sweep, metric: &str) -> Option<String> {
        left_out_of_sweep(sweep, sweep.experiment().kind().metric(metric).unwrap())
    }

    #[test]
    fn reasons_name_existing_metrics() {
        for kind in KINDS {
            let experiment = kind.behavior.default_experiment(faultlab_experiment::Version::LATEST, None);
            for reason in reports(&experiment).left_out {
                assert!(kind.metric(reason.share).is_some_and(|metric| metric.probability), "{}", reason.share);
                assert!(reason.metrics.iter().all(|id| kind.metric(id).is_some()), "{:?}", reason.metrics);
            }
        }
    }

    /// At a load of 2 most messages exceed the injection limit, so the latency leaves them out.
    #[test]
    fn overload_discards_messages() {
        let sweep = measured(
            "v=2&net=mesh:4x4&switch=wormhole&faults=none&route=e-cube&vary=load:0.05,2&within=0.2&trials=2000",
        );
        let text = left_out(&sweep, "latency").expect("messages are discarded");
        assert!(
            text.starts_with("Not counted: messages discarded") && text.contains(" at load = 2 under e-cube"),
            "{text}"
        );
        assert_eq!(left_out(&sweep, "discarded"), None);
    }

    /// All wires of a leaf are dead: of four messages, one cannot leave its processor.
    #[test]
    fn dead_wires_cut_messages_off() {
        let sweep = measured("net=tree:4&switch=delivery&route=greedy&faults=none&break=u0.0&traffic=0-3,1-2,2-1,3-0");
        assert_eq!(
            left_out(&sweep, "cycles").as_deref(),
            Some("Not counted: messages cut off by dead wires, up to 25.0% under GREEDY.")
        );
    }
}
