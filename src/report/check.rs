//! What can be said exactly of one instance, before anybody writes it.

use crate::experiment::{Cell, Instance};
use crate::fault::FaultModel;
use crate::routing::{ALGORITHMS, Algorithm, Knowledge, LocalRouting, Method};
use crate::theory::{self, Connectivity};
use crate::topology::{Hypercube, NodeId};

/// What is proved of one algorithm on one fault pattern. `None` where it cannot be computed: the cube is too large, or
/// the algorithm's decisions depend on the message's past.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// How the live nodes hang together; up to n = 20.
    pub connectivity: Option<Connectivity>,
    /// The probability of arriving on exactly these faults, over the algorithm's own choices; up to n = 10, for
    /// algorithms that mark nodes up to n = 5, while the path limit is not too long.
    pub exact_success: Option<f64>,
    /// The mean path length, in hops, of the messages that arrive; also `None` if none can.
    pub exact_length: Option<f64>,
    /// The probability of arriving over all fault patterns, by one of the paper's closed forms, and which.
    pub closed_form: Option<(f64, &'static str)>,
    /// The largest difference between deterministic and random routing with the same knowledge, over all numbers of
    /// faults, each averaged over all fault sets of that size: 0 but for rounding, by the theorem of section 2.1. For
    /// minimal algorithms between antipodes, up to n = 4.
    pub theorem: Option<f64>,
    /// The channel dependency graph; up to n = 8.
    pub dependencies: Option<Dependencies>,
}

/// A channel dependency graph, and whether messages that hold channels could wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependencies {
    /// The number of channels.
    pub channels: u32,
    /// The number of dependencies between them.
    pub dependencies: usize,
    /// A shortest cycle, each channel by the nodes it leads from and to; `None` if there is none: then nothing can
    /// deadlock.
    pub cycle: Option<Vec<(NodeId, NodeId)>>,
}

/// Checks every algorithm of `instance` on its faults. Cost: up to a second each.
pub fn checks(instance: &mut Instance) -> Vec<Check> {
    let (cube, ends) = (instance.cell.cube, instance.cell.ends);
    let connectivity = theory::connectivity(cube, ends, instance.faults());
    let algorithms: Vec<_> = instance.traces.iter().map(|trace| trace.algorithm).collect();
    algorithms.into_iter().map(|algorithm| check(instance, algorithm, connectivity.clone())).collect()
}

fn check(instance: &mut Instance, algorithm: &'static Algorithm, connectivity: Option<Connectivity>) -> Check {
    let (cube, ends, limit) = (instance.cell.cube, instance.cell.ends, instance.cell.limit);
    let arrivals = match algorithm.method {
        Method::Local(routing) if is_affordable(cube, routing, limit) => {
            theory::exact_arrivals(cube, ends, instance.faults(), routing, limit)
        }
        _ => None,
    };
    Check {
        algorithm,
        connectivity,
        exact_success: arrivals.as_ref().map(theory::Arrivals::success),
        exact_length: arrivals.as_ref().and_then(theory::Arrivals::mean_length),
        closed_form: closed_form(&instance.cell, algorithm),
        theorem: theorem(&instance.cell, algorithm),
        dependencies: dependencies(instance, algorithm),
    }
}

/// The closed form of Gordon & Stout for the probability that `algorithm` delivers over the random faults of `cell`,
/// and its equation. `None` for algorithms that leave minimal paths, and where faults were edited by hand.
pub fn closed_form(cell: &Cell, algorithm: &Algorithm) -> Option<(f64, &'static str)> {
    let edited = !(cell.faults.broken.is_empty() && cell.faults.mended.is_empty());
    if edited || !algorithm.is_minimal() {
        return None;
    }
    prediction(cell, algorithm.knowledge())
}

/// The closed form for minimal routing with this knowledge over the random faults of `cell`, and its equation.
pub fn prediction(cell: &Cell, knowledge: Knowledge) -> Option<(f64, &'static str)> {
    let (d, others) = (cell.distance(), cell.cube.others());
    match (cell.faults.model, cell.faults.model.count(cell.cube), knowledge) {
        (FaultModel::Nodes(p), _, Knowledge::Nothing) => Some((theory::blind_bernoulli(d, p), "equation (1)")),
        (FaultModel::Nodes(p), _, Knowledge::Neighbors) => Some((theory::local_bernoulli(d, p), "equation (6)")),
        (_, Some(f), Knowledge::Nothing) => Some((theory::blind_counted(others, d, f), "equation (2)")),
        (_, Some(f), Knowledge::Neighbors) => Some((theory::local_counted(others, d, f), "equation (7)")),
        _ => None,
    }
}

/// The theorem of Gordon & Stout section 2.1 by complete enumeration: "deterministic" equals "random", fault count by
/// fault count. Cost: 2^(2^n - 2) fault sets, 50 ms for n = 4.
fn theorem(cell: &Cell, algorithm: &Algorithm) -> Option<f64> {
    if !algorithm.is_minimal() || cell.distance() < u32::from(cell.cube.dimension()) {
        return None;
    }
    let mut averages =
        ALGORITHMS.iter().filter(|other| other.is_minimal() && other.knowledge() == algorithm.knowledge());
    let mut next = || match averages.next()?.method {
        Method::Local(routing) => theory::success_by_faults(cell.cube.dimension(), routing, cell.limit),
        Method::Global => None,
    };
    let (one, other) = (next()?, next()?);
    Some(one.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max))
}

/// Whether following every chance of a message takes less than about a second, also in a browser.
fn is_affordable(cube: Hypercube, routing: &dyn LocalRouting, limit: u32) -> bool {
    const STEPS: u64 = 50_000_000;
    // How many times more states there are when every set of marks is one of its own.
    let marks = if routing.marks_blocked() { 200 } else { 1 };
    let steps = [u64::from(cube.dimension()), u64::from(limit), marks];
    steps.into_iter().fold(cube.nodes().unwrap_or(u64::MAX), u64::saturating_mul) <= STEPS
}

fn dependencies(instance: &mut Instance, algorithm: &Algorithm) -> Option<Dependencies> {
    let Method::Local(routing) = algorithm.method else { return None };
    let cube = instance.cell.cube;
    let graph = theory::hypercube_dependencies(cube, instance.faults(), routing)?;
    let link = |channel| theory::hypercube_link(cube, channel);
    let cycle = graph.acyclic_order().err().map(|cycle| cycle.channels.into_iter().map(link).collect());
    Some(Dependencies { channels: graph.channels(), dependencies: graph.dependencies(), cycle })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str) -> Check {
        let experiment: crate::experiment::Experiment = text.parse().unwrap();
        checks(&mut Instance::new(&experiment)).remove(0)
    }

    #[test]
    fn dimension_order_without_faults_is_acyclic_and_random_order_is_not() {
        let ordered = checked("net=cube:3&route=deterministic");
        assert_eq!(ordered.exact_success, Some(1.0));
        assert!(ordered.connectivity.is_some_and(|found| found.connected && found.live == 8));
        let graph = ordered.dependencies.unwrap();
        assert_eq!((graph.channels, graph.cycle), (24, None));
        let cycle = checked("net=cube:3&route=random").dependencies.and_then(|graph| graph.cycle).unwrap();
        assert!(cycle.windows(2).all(|pair| pair[0].1 == pair[1].0), "{cycle:?}");
    }

    #[test]
    fn what_is_too_large_is_left_out() {
        let large = checked("net=cube:64&faults=nodes:0.5&route=random");
        assert_eq!((large.exact_success, large.connectivity, large.dependencies), (None, None, None));
        assert!(large.closed_form.is_some_and(|(share, _)| (share - 0.5775761901).abs() < 1e-9));
        assert_eq!(checked("net=cube:4&faults=nodes:0.5&break=3&route=random").closed_form, None);
    }
}
