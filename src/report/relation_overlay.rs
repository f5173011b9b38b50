//! What the thesis knows of whole permutations, laid over what is measured of them: closed forms, and how far theorems go.

use super::figure::{Curve, Kind, Limit};
use super::scene::Role;
use crate::experiment::{CubeCell, Experiment, Metric, Parameter, Sweep};
use crate::fault::{FaultModel, Tolerance};
use crate::routing::Algorithm;
use crate::routing::oblivious::length_cap;
use crate::theory::oblivious::{bit_fixing_worst, inactive_of_one_fault, lemma_2_faults, theorem_3_faults};
use crate::topology::Hypercube;
use crate::traffic::{Demand, Permutation};

/// What the names of closed forms end with.
const EXACT: &str = ", exact";

/// The closed forms that are exact, one for each algorithm that has one, at the values of the sweep; and how many active
/// nodes a theorem promises, as far as it goes.
pub(super) fn closed_forms(experiment: &Experiment, metric: &Metric) -> Vec<Curve> {
    let values = experiment.vary.as_ref().map(|vary| vary.values()).unwrap_or_default();
    // Thin dark dots are seen on the curve that they explain; a promise has no curve to lie on.
    let curve = |role, name, points: Vec<(f64, f64)>| Curve {
        name,
        role,
        dash: 2,
        points,
        intervals: Vec::new(),
        marks: Vec::new(),
        kind: Kind::ClosedForm,
    };
    let mut curves = Vec::new();
    // Along numbers of faults they would be single points.
    let known =
        experiment.vary.as_ref().is_some_and(|vary| !matches!(vary.parameter, Parameter::Count | Parameter::Rate));
    for algorithm in experiment.routing.iter().filter(|_| known) {
        let exact = |&x: &f64| Some((x, exactly(&CubeCell::new(experiment, Some(x))?, algorithm, metric)?));
        let points: Vec<_> = values.iter().filter_map(exact).collect();
        if !points.is_empty() {
            curves.push(curve(Role::Ink, format!("{}{EXACT}", algorithm.name), points));
        }
    }
    let first = values.first().copied().unwrap_or_default();
    for (index, promise) in promises(experiment, metric) {
        let end = f64::from(promise.faults);
        if end >= first {
            let points = vec![(first, promise.share), (end, promise.share)];
            let name = format!("{}, promised", promise.algorithm.name);
            curves.push(curve(Role::Series(index as u8), name, points));
        }
    }
    curves
}

/// What `metric` comes to exactly, or in expectation, at one point; `None` where no closed form is.
fn exactly(cell: &CubeCell, algorithm: &Algorithm, metric: &Metric) -> Option<f64> {
    if cell.faults.has_edits() {
        return None;
    }
    let faults = match cell.faults.model {
        FaultModel::None => 0,
        FaultModel::Count(faults) => faults,
        FaultModel::Placed(_, faults) => faults.into(),
        _ => return None,
    };
    let Demand::Rule(permutation) = cell.relation.demand else { return None };
    match (metric.id, faults) {
        ("active", 1) if cell.relation.tolerance == Tolerance::Thesis => active_of_one_fault(cell.cube, algorithm),
        ("congestion", 0) if algorithm.id == "bit-fixing" => {
            congestion(cell.cube, permutation).map(|each| f64::from(cell.relation.h * each))
        }
        ("length", 0) => length(cell.cube, algorithm, permutation),
        _ => None,
    }
}

fn active_of_one_fault(cube: Hypercube, algorithm: &Algorithm) -> Option<f64> {
    let n = cube.dimension();
    let inactive = match algorithm.id {
        "algorithm-a" => inactive_of_one_fault(n),
        "algorithm-b" if n >= 3 => 4 * inactive_of_one_fault(n - 2),
        _ => return None,
    };
    Some(1.0 - inactive as f64 / (cube.mask() + 1) as f64)
}

/// Bit-fixing's congestion without faults.
fn congestion(cube: Hypercube, permutation: Permutation) -> Option<u32> {
    let even = cube.dimension().is_multiple_of(2);
    match permutation {
        Permutation::Complement => Some(1),
        Permutation::Worst => Some(bit_fixing_worst(cube.dimension())),
        Permutation::Transpose | Permutation::BitReversal if even => Some(bit_fixing_worst(cube.dimension())),
        _ => None,
    }
}

/// The mean route length without faults, in expectation over what is drawn; where a length cap excludes nothing.
fn length(cube: Hypercube, algorithm: &Algorithm, permutation: Permutation) -> Option<f64> {
    let n = cube.dimension();
    let capless = |n: u8| Hypercube::new(n).is_some_and(|cube| length_cap(cube) >= 2 * u32::from(n));
    let hops = f64::from(n);
    match algorithm.id {
        "valiant-brebner" | "general" => Some(hops),
        "algorithm-a" if capless(n) => Some(hops),
        // One and a half hops in the squares of either end, one between the subcubes, n-2 inside.
        "algorithm-b" if n >= 3 && capless(n - 2) => Some(hops + 2.0),
        "bit-fixing" => Some(match permutation {
            Permutation::Complement => hops,
            Permutation::Worst => f64::from(n.div_ceil(2)),
            Permutation::BitReversal => f64::from(n / 2),
            // Every bit takes the place of another one, if there are two.
            Permutation::Transpose if n > 1 => hops / 2.0,
            Permutation::Transpose => 0.0,
            Permutation::Random => hops / 2.0,
        }),
        _ => None,
    }
}

/// How many active nodes a theorem promises, and up to how many faults.
struct Promise {
    algorithm: &'static Algorithm,
    theorem: &'static str,
    faults: u32,
    /// Of all nodes.
    share: f64,
}

/// Of Algorithms A and B, where the number of faults is varied; each with the number of its curve.
fn promises(experiment: &Experiment, metric: &Metric) -> Vec<(usize, Promise)> {
    let counted = experiment.vary.as_ref().is_some_and(|vary| vary.parameter == Parameter::Count);
    let thesis = experiment.relation.tolerance == Tolerance::Thesis && !experiment.faults.has_edits();
    let Some(cube) = experiment.cube().filter(|_| metric.id == "active" && counted && thesis) else {
        return Vec::new();
    };
    let n = cube.dimension();
    let promise = |&algorithm: &&'static Algorithm| {
        let (theorem, faults, dims) = match algorithm.id {
            "algorithm-a" => ("Lemma 2", lemma_2_faults(n), n),
            "algorithm-b" if n >= 3 => ("Theorem 3", theorem_3_faults(n), n - 2),
            _ => return None,
        };
        Some(Promise { algorithm, theorem, faults, share: 1.0 - 1.0 / f64::from(dims) })
    };
    let all = experiment.routing.iter().map(promise).enumerate();
    all.filter_map(|(index, promise)| Some((index, promise?))).collect()
}

/// Up to how many faults theorems promise their active nodes, and up to how many of those measured there are as many.
pub(super) fn limits(sweep: &Sweep, metric: &Metric) -> Vec<Limit> {
    let mut limits = Vec::new();
    for (index, promise) in promises(sweep.experiment(), metric) {
        let (role, faults) = (Role::Series(index as u8), promise.faults);
        let label = format!("{} promises up to F = {faults}", promise.theorem);
        limits.push(Limit { x: faults.into(), label, role, measured: false });
        let points = sweep.points().iter().filter(|point| point.algorithm == promise.algorithm);
        let kept = |point: &&_| estimate(point, metric).is_some_and(|share| share >= promise.share);
        if let Some(x) = points.take_while(kept).last().and_then(|point| point.x) {
            let label = format!("{} keeps it up to F = {x}", promise.algorithm.name);
            limits.push(Limit { x, label, role, measured: true });
        }
    }
    limits
}

fn estimate(point: &crate::experiment::PointResult, metric: &Metric) -> Option<f64> {
    point.estimate(metric).map(|estimate| estimate.mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::run;
    use crate::switching::Switching;

    fn measured(text: &str) -> Sweep {
        let mut sweep = Sweep::new(&text.parse().expect("an experiment"));
        run(&mut sweep);
        sweep
    }

    /// Every closed form against what is counted, along n.
    #[test]
    fn closed_forms_are_what_is_counted() {
        let routes = "route=bit-fixing,valiant-brebner,algorithm-a,algorithm-b,general&within=0.02&trials=60";
        let faulty = format!("switch=permutation&faults=count:1&vary=n:3..9:7&{routes}");
        check(&measured(&faulty), "active", 2);
        for traffic in ["random", "transpose", "bit-reversal", "complement", "worst"] {
            let text = format!("switch=permutation&faults=none&traffic={traffic}&vary=n:2..9:8&{routes}&h=2");
            let sweep = measured(&text);
            check(&sweep, "length", 5);
            check(&sweep, "congestion", usize::from(traffic != "random"));
        }
    }

    fn check(sweep: &Sweep, metric: &str, curves: usize) {
        let metric = Metric::find(Switching::Permutation, metric);
        let found = closed_forms(sweep.experiment(), metric);
        assert_eq!(found.len(), curves, "{} of {}", metric.id, sweep.experiment());
        for curve in found {
            let name = curve.name.strip_suffix(EXACT).expect("the name of its algorithm");
            let algorithm =
                sweep.experiment().routing.iter().find(|algorithm| algorithm.name == name).expect("compared");
            for (x, exact) in curve.points {
                let point = sweep.points().iter().find(|point| point.algorithm == *algorithm && point.x == Some(x));
                let found = point.and_then(|point| point.estimate(metric)).expect("a measurement");
                // Some 150 intervals: twice their width leaves none out by chance.
                let near = (found.mean - exact).abs() <= 2.0 * found.half_width() + 1e-9;
                assert!(near, "{} of {} at {x}: {found:?}, not {exact}", metric.id, algorithm.id);
            }
        }
    }

    #[test]
    fn theorems_end_long_before_what_they_promise() {
        let text = "switch=permutation&net=cube:13&faults=count:1&route=algorithm-a,algorithm-b&vary=f:1,2,16&trials=4";
        let sweep = measured(text);
        let metric = Metric::find(Switching::Permutation, "active");
        let limits = limits(&sweep, metric);
        let of = |measured: bool| limits.iter().filter(move |limit| limit.measured == measured);
        assert_eq!(of(false).map(|limit| limit.x).collect::<Vec<_>>(), [1.0, 0.0]);
        assert!(of(true).count() == 2 && of(true).all(|limit| limit.x >= 1.0), "{limits:?}");
        assert_eq!(closed_forms(sweep.experiment(), metric).len(), 1, "A's promise; B's is none");
        assert!(closed_forms(sweep.experiment(), Metric::find(Switching::Permutation, "load")).is_empty());
    }
}
