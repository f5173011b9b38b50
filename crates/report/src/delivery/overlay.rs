//! Overlays on measured delivery cycles: exact shares and lower bounds.

use crate::chart::figure::Curve;
use crate::chart::overlay::{Overlay, closed_form_xs, curve};
use crate::picture::scene::Role;
use faultlab_core::fault::FaultModel;
use faultlab_core::switching::delivery::SurvivorPolicy;
use faultlab_core::theory::fat_tree::{bad_set_cycles, deliverable_fraction, theorem_9_bound};
use faultlab_experiment::delivery::DeliveryDemand;
use faultlab_experiment::{Experiment, PointConfig, Sweep};

/// Closed forms and bounds of delivery cycles: at the x values of [`closed_form_xs`]; without a
/// sweep, a horizontal line across all algorithms.
pub(crate) static OVERLAYS: [Overlay; 6] = [
    Overlay::new("delivered", |sweep| known(sweep, "exact share", deliverable)),
    Overlay::new("per-load", |sweep| known(sweep, "load factor", |_| Some(1.0))),
    Overlay::new("cycles", |sweep| load_factors(sweep).into_iter().chain(bad_set(sweep)).collect()),
    Overlay::new("literal", load_factors),
    Overlay::new("busy", load_factors),
    Overlay::new("offline", load_factors),
];

fn line(name: &str, points: Vec<(f64, f64)>) -> Vec<Curve> {
    curve(name, Role::Ink, 2, points).into_iter().collect()
}

/// Returns a curve that is computed from the setting alone.
fn known(sweep: &Sweep, name: &str, of: fn(&PointConfig) -> Option<f64>) -> Vec<Curve> {
    let experiment = sweep.experiment();
    if experiment.vary.is_none() {
        let level = of(&PointConfig::new(experiment, None));
        return line(name, level.map(|y| across(experiment, y)).unwrap_or_default());
    }
    let at = |x| Some((x, of(&PointConfig::new(experiment, Some(x)))?));
    line(name, closed_form_xs(experiment).into_iter().filter_map(at).collect())
}

/// Returns a level across the names of the algorithms.
fn across(experiment: &Experiment, y: f64) -> Vec<(f64, f64)> {
    let last = experiment.routing.len() as f64 - 0.5;
    vec![(-0.5, y), (last, y)]
}

/// Returns the mean share of a random permutation that dead wires leave deliverable; `None` for the
/// second network and for other messages.
fn deliverable(cell: &PointConfig) -> Option<f64> {
    let FaultModel::Wires(p) = cell.faults.model else { return None };
    if cell.faults.has_overrides() {
        return None;
    }
    let setting = cell.setting.delivery()?;
    let tree = cell.network.leaves()?.tree(&setting.profile)?.ok()?;
    setting.demand.is_random_permutation().then(|| deliverable_fraction(tree, p))
}

/// Returns the measured mean load factor of the algorithm with the most trials; all algorithms have
/// the same messages.
fn load_factors(sweep: &Sweep) -> Vec<Curve> {
    let experiment = sweep.experiment();
    let metric = experiment.kind().metric("load-factor");
    let name = "load factor, the lower bound";
    let most = |x: Option<f64>| {
        let points = sweep.points().iter().filter(|point| point.x == x);
        let best = points.max_by_key(|point| point.tally.trials)?;
        Some(best.estimate(metric?)?.mean)
    };
    let Some(vary) = &experiment.vary else {
        return line(name, most(None).map(|y| across(experiment, y)).unwrap_or_default());
    };
    line(name, vary.values().into_iter().filter_map(|x| Some((x, most(Some(x))?))).collect())
}

/// Returns the bound of Theorem 9 for GREEDY on its message set, with the exact number of cycles if
/// the switches keep the first messages.
fn bad_set(sweep: &Sweep) -> Vec<Curve> {
    let experiment = sweep.experiment();
    let Some(setting) = experiment.setting.delivery() else { return Vec::new() };
    let DeliveryDemand::BadSet(lambda) = setting.demand else { return Vec::new() };
    // The theorem assumes live wires, and its constant holds for deterministic switches.
    if !experiment.faults.is_empty() || setting.policy == SurvivorPolicy::Random {
        return Vec::new();
    }
    let exact = setting.policy == SurvivorPolicy::Left && lambda.is_multiple_of(12);
    fn cycles_at(cell: &PointConfig, cycles: fn(u32, u32) -> f64) -> Option<f64> {
        let DeliveryDemand::BadSet(lambda) = cell.setting.delivery()?.demand else { return None };
        Some(cycles(cell.network.leaves()?.processors(), lambda))
    }
    let mut curves = known(sweep, "GREEDY, Theorem 9", |cell| cycles_at(cell, theorem_9_bound));
    if exact {
        curves.extend(known(sweep, "GREEDY, exactly", |cell| cycles_at(cell, bad_set_cycles)));
    }
    curves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep_charts::reference_values::closed_forms;
    use faultlab_experiment::run;

    fn curves(text: &str, metric: &str) -> (Sweep, Vec<Curve>) {
        let mut sweep = Sweep::new(&text.parse().expect("an experiment"));
        run(&mut sweep);
        let found = closed_forms(&sweep, sweep.experiment().kind().metric(metric).unwrap());
        (sweep, found)
    }

    #[test]
    fn delivered_share_matches_the_exact_curve() {
        let text = "switch=delivery&net=tree:64&faults=wires:0.1&vary=p:0.1,0.3&route=greedy&trials=600&within=0.001";
        let (sweep, found) = curves(text, "delivered");
        let [exact] = found.as_slice() else { panic!("one curve: {found:?}") };
        for point in sweep.points() {
            let measured =
                point.estimate(sweep.experiment().kind().metric("delivered").unwrap()).expect("a measurement");
            let (_, share) = exact.points.iter().find(|(x, _)| Some(*x) == point.x).expect("on the grid");
            assert!((measured.mean - share).abs() < 0.02, "{measured:?}, not {share}");
        }
        assert!(curves("switch=delivery&net=tree2:16&faults=wires:0.1&trials=4", "delivered").1.is_empty());
        let level = curves("switch=delivery&net=tree:16&faults=wires:0.1&trials=4", "delivered").1;
        assert_eq!(level[0].points.len(), 2);
    }

    #[test]
    fn load_factor_bounds_cycles_from_below() {
        let text = "switch=delivery&net=tree:64&traffic=bit-reversal&vary=leaves:16,64&trials=20&route=greedy";
        let (_, found) = curves(text, "cycles");
        assert_eq!(found[0].points, [(16.0, 2.0), (64.0, 4.0)]);
        assert_eq!(curves(text, "per-load").1[0].points, [(16.0, 1.0), (64.0, 1.0)]);
        assert!(curves(text, "first").1.is_empty());
    }

    #[test]
    fn bad_set_curves_match_the_measurement() {
        let text = "switch=delivery&net=tree:16&survive=left&traffic=bad:48&vary=leaves:16,64&trials=2&route=greedy";
        let (sweep, found) = curves(text, "cycles");
        assert_eq!(found.len(), 3);
        assert_eq!(found[2].points, [(16.0, 80.0), (64.0, 96.0)]);
        let cycles = |at: usize| sweep.points()[at].estimate(sweep.experiment().kind().metric("cycles").unwrap());
        assert_eq!([0, 1].map(|at| cycles(at).map(|found| found.mean)), [Some(80.0), Some(96.0)]);
    }
}
