//! Overlays on measured permutations from the thesis: closed forms, and the range of theorems.

use std::sync::Arc;

use crate::chart::figure::{Curve, VerticalMarker};
use crate::chart::overlay::{Overlay, curve};
use crate::picture::scene::Role;
use faultlab_core::fault::{FaultModel, Tolerance};
use faultlab_core::routing::Algorithm;
use faultlab_core::routing::oblivious::{IntermediateNodes, length_cap};
use faultlab_core::theory::oblivious::{bit_fixing_worst, inactive_of_one_fault, lemma_2_faults, theorem_3_faults};
use faultlab_core::topology::Hypercube;
use faultlab_core::traffic::{BatchTraffic, LinearMap, NamedPermutation, Permutation};
use faultlab_experiment::{CubePointConfig, Experiment, Metric, ParameterRole as Varies, Sweep};

/// Suffix of the names of closed forms.
const EXACT: &str = ", exact";

/// Overlays of whole permutations and of batches: exact closed forms, and the number of active
/// nodes that a theorem promises, within its range.
pub(crate) static OVERLAYS: [Overlay; 3] = [
    Overlay {
        metric: "active",
        curves: |sweep| closed_form_curves(sweep, active).into_iter().chain(promised_share(sweep)).collect(),
        limits,
    },
    Overlay::new("congestion", |sweep| closed_form_curves(sweep, congestion)),
    Overlay::new("length", |sweep| closed_form_curves(sweep, length)),
];

/// Closed form of one scheme at one point, for a number of faults; `None` where no closed form
/// exists.
type ClosedForm = fn(&FormulaPoint<'_>) -> Option<f64>;

/// Point at which a closed form is evaluated.
struct FormulaPoint<'a> {
    cell: &'a CubePointConfig,
    by_way_of: IntermediateNodes,
    permutation: Permutation,
    /// Number of faults.
    faults: u64,
}

/// Returns the values of `form` along the sweep, for each algorithm to which it applies.
fn closed_form_curves(sweep: &Sweep, form: ClosedForm) -> Vec<Curve> {
    let experiment = sweep.experiment();
    // Along numbers of faults the curves would be single points.
    let Some(vary) =
        experiment.vary.as_ref().filter(|vary| !matches!(vary.parameter.role, Varies::FaultCount | Varies::FaultRate))
    else {
        return Vec::new();
    };
    let of = |algorithm: &Arc<Algorithm>| {
        let by_way_of = algorithm.oblivious()?.intermediate_nodes;
        let at = |x| Some((x, at_point(&CubePointConfig::new(experiment, Some(x))?, by_way_of, form)?));
        curve(format!("{}{EXACT}", algorithm.name), Role::Ink, 2, vary.values().into_iter().filter_map(at).collect())
    };
    experiment.routing.iter().filter_map(of).collect()
}

fn at_point(cell: &CubePointConfig, by_way_of: IntermediateNodes, form: ClosedForm) -> Option<f64> {
    if cell.faults.has_overrides() {
        return None;
    }
    let faults = match cell.faults.model {
        FaultModel::None => 0,
        FaultModel::Count(faults) => faults,
        FaultModel::Adversarial(_, faults) => faults.into(),
        _ => return None,
    };
    let BatchTraffic::Rule(permutation) = cell.permutation_setting().demand else { return None };
    form(&FormulaPoint { cell, by_way_of, permutation, faults })
}

/// Returns the share of active nodes with one fault.
fn active(at: &FormulaPoint<'_>) -> Option<f64> {
    if at.faults != 1 || at.cell.permutation_setting().tolerance != Tolerance::Thesis {
        return None;
    }
    let (cube, n) = (at.cell.cube, at.cell.cube.dimension());
    let inactive = match at.by_way_of {
        IntermediateNodes::ActiveNodes => inactive_of_one_fault(n),
        IntermediateNodes::ActiveSquares if n >= 3 => 4 * inactive_of_one_fault(n - 2),
        _ => return None,
    };
    Some(1.0 - inactive as f64 / (cube.mask() + 1) as f64)
}

/// Returns bit-fixing's congestion without faults.
fn congestion(at: &FormulaPoint<'_>) -> Option<f64> {
    if at.faults != 0 || at.by_way_of != IntermediateNodes::Nothing {
        return None;
    }
    let n = at.cell.cube.dimension();
    let each = match at.permutation {
        Permutation::Named(NamedPermutation::Complement) => 1,
        Permutation::Worst => bit_fixing_worst(n),
        Permutation::Named(NamedPermutation::Transpose | NamedPermutation::BitReversal) if n.is_multiple_of(2) => {
            bit_fixing_worst(n)
        }
        _ => return None,
    };
    Some(f64::from(at.cell.permutation_setting().h * each))
}

/// Returns the mean route length without faults, as an expectation over the random choices, where a
/// length cap excludes nothing.
fn length(at: &FormulaPoint<'_>) -> Option<f64> {
    let n = at.cell.cube.dimension();
    let capless = |n: u8| Hypercube::new(n).is_some_and(|cube| length_cap(cube) >= 2 * u32::from(n));
    let hops = f64::from(n);
    match at.by_way_of {
        _ if at.faults != 0 => None,
        IntermediateNodes::Any => Some(hops),
        IntermediateNodes::ActiveNodes if capless(n) => Some(hops),
        // One and a half hops in the squares of either end, one between the subcubes, n-2 inside.
        IntermediateNodes::ActiveSquares if n >= 3 && capless(n - 2) => Some(hops + 2.0),
        IntermediateNodes::Nothing => match at.permutation {
            Permutation::Random => Some(hops / 2.0),
            Permutation::Linear(map) => Some(map.mean_distance()),
            // All permutations with names are linear.
            other => {
                let image = |node| other.image(at.cell.cube, node).unwrap_or(node);
                LinearMap::from_images(n, image).map(LinearMap::mean_distance)
            }
        },
        _ => None,
    }
}

/// Number of active nodes that a theorem promises, and the number of faults up to which the promise
/// holds.
struct TheoremPromise {
    algorithm: Arc<Algorithm>,
    theorem: &'static str,
    faults: u32,
    /// Promised share of all nodes.
    share: f64,
}

/// Returns the promises for Algorithms A and B, where the number of faults is varied; each with the
/// index of its curve.
fn promises(experiment: &Experiment) -> Vec<(usize, TheoremPromise)> {
    let counted = experiment.vary.as_ref().is_some_and(|vary| vary.parameter.role == Varies::FaultCount);
    let thesis = experiment.setting.permutation().is_some_and(|own| own.tolerance == Tolerance::Thesis)
        && !experiment.faults.has_overrides();
    let Some(cube) = experiment.cube().filter(|_| counted && thesis) else {
        return Vec::new();
    };
    let n = cube.dimension();
    let promise = |algorithm: &Arc<Algorithm>| {
        let (theorem, faults, dims) = match algorithm.oblivious()?.intermediate_nodes {
            IntermediateNodes::ActiveNodes => ("Lemma 2", lemma_2_faults(n), n),
            IntermediateNodes::ActiveSquares if n >= 3 => ("Theorem 3", theorem_3_faults(n), n - 2),
            _ => return None,
        };
        Some(TheoremPromise { algorithm: algorithm.clone(), theorem, faults, share: 1.0 - 1.0 / f64::from(dims) })
    };
    let all = experiment.routing.iter().map(promise).enumerate();
    all.filter_map(|(index, promise)| Some((index, promise?))).collect()
}

/// Returns the share of active nodes that theorems promise, over their range of fault numbers.
fn promised_share(sweep: &Sweep) -> Vec<Curve> {
    let experiment = sweep.experiment();
    let values = experiment.vary.as_ref().map(|vary| vary.values()).unwrap_or_default();
    let first = values.first().copied().unwrap_or_default();
    let promised = |(index, promise): (usize, TheoremPromise)| {
        let end = f64::from(promise.faults);
        let points = vec![(first, promise.share), (end, promise.share)];
        let name = format!("{}, promised", promise.algorithm.name);
        if end >= first { curve(name, Role::Series(index as u8), 2, points) } else { None }
    };
    promises(experiment).into_iter().filter_map(promised).collect()
}

/// Returns the limits on the number of faults: the limit of each theorem, and the measured limit up
/// to which the promise is kept.
fn limits(sweep: &Sweep, metric: &Metric) -> Vec<VerticalMarker> {
    let mut limits = Vec::new();
    for (index, promise) in promises(sweep.experiment()) {
        let (role, faults) = (Role::Series(index as u8), promise.faults);
        let label = format!("{} holds up to F = {faults}", promise.theorem);
        limits.push(VerticalMarker { x: faults.into(), label, role, measured: false });
        let points = sweep.points().iter().filter(|point| point.algorithm == promise.algorithm);
        let kept = |point: &&_| estimate(point, metric).is_some_and(|share| share >= promise.share);
        if let Some(x) = points.take_while(kept).last().and_then(|point| point.x) {
            let label = format!("{} meets it up to F = {x}", promise.algorithm.name);
            limits.push(VerticalMarker { x, label, role, measured: true });
        }
    }
    limits
}

fn estimate(point: &faultlab_experiment::PointResult, metric: &Metric) -> Option<f64> {
    point.estimate(metric).map(|estimate| estimate.mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep_charts::reference_values::closed_forms;
    use faultlab_experiment::run;

    fn measured(text: &str) -> Sweep {
        let mut sweep = Sweep::new(&text.parse().expect("an experiment"));
        run(&mut sweep);
        sweep
    }

    /// Compares every closed form with counts, along n.
    #[test]
    fn closed_forms_match_counts() {
        let routes = "route=bit-fixing,valiant-brebner,algorithm-a,algorithm-b,general&within=0.02&trials=60";
        let faulty = format!("switch=permutation&faults=count:1&vary=n:3..9:7&{routes}");
        check_closed_forms(&measured(&faulty), "active", 2);
        for traffic in ["random", "transpose", "bit-reversal", "complement", "worst"] {
            let text = format!("switch=permutation&faults=none&traffic={traffic}&vary=n:2..9:8&{routes}&h=2");
            let sweep = measured(&text);
            check_closed_forms(&sweep, "length", 5);
            check_closed_forms(&sweep, "congestion", usize::from(traffic != "random"));
        }
    }

    fn check_closed_forms(sweep: &Sweep, metric: &str, curves: usize) {
        let metric = sweep.experiment().kind().metric(metric).unwrap();
        let found = closed_forms(sweep, metric);
        assert_eq!(found.len(), curves, "{} of {}", metric.id, sweep.experiment());
        for curve in found {
            let name = curve.name.strip_suffix(EXACT).expect("the name of its algorithm");
            let algorithm =
                sweep.experiment().routing.iter().find(|algorithm| algorithm.name == name).expect("compared");
            for (x, exact) in curve.points {
                let point = sweep.points().iter().find(|point| point.algorithm == *algorithm && point.x == Some(x));
                let found = point.and_then(|point| point.estimate(metric)).expect("a measurement");
                // An interval of twice the width contains the exact value in all of about 150
                // comparisons, except by chance.
                let near = (found.mean - exact).abs() <= 2.0 * found.half_width() + 1e-9;
                assert!(near, "{} of {} at {x}: {found:?}, not {exact}", metric.id, algorithm.id);
            }
        }
    }

    #[test]
    fn proved_limits_lie_below_measured_limits() {
        let text = "switch=permutation&net=cube:13&faults=count:1&route=algorithm-a,algorithm-b&vary=f:1,2,16&trials=4";
        let sweep = measured(text);
        let metric = sweep.experiment().kind().metric("active").unwrap();
        let limits = limits(&sweep, metric);
        let of = |measured: bool| limits.iter().filter(move |limit| limit.measured == measured);
        assert_eq!(of(false).map(|limit| limit.x).collect::<Vec<_>>(), [1.0, 0.0]);
        assert!(of(true).count() == 2 && of(true).all(|limit| limit.x >= 1.0), "{limits:?}");
        assert_eq!(closed_forms(&sweep, metric).len(), 1, "A's promise; B's is none");
        assert!(closed_forms(&sweep, sweep.experiment().kind().metric("load").unwrap()).is_empty());
    }
}
