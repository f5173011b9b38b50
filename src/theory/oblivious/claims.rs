//! The lemmas and theorems of the thesis on one instance: each bound beside what is measured.

use super::bounds::{congestion_whp, faulty_paths_bound, lemma_2_faults, load_whp, theorem_3_faults};
use super::expected::ExpectedCongestion;
use crate::fault::ActiveSet;
use crate::routing::oblivious::{ObliviousRouting, length_cap};
use crate::switching::StaticPaths;

/// What is claimed of Algorithm A or B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Statement {
    /// Lemma 1: the number of faulty bit-fixing paths, under Algorithm B in the cube of squares.
    FaultyPaths,
    /// Lemma 2, part 1: the number of active nodes.
    ActiveNodes,
    /// Lemma 2, part 2: the size of the smallest set I_sd of the messages.
    SmallestChoice,
    /// Theorem 1, part 1: the expected congestion, N h/I with the I of these messages; under Algorithm B, where N and h
    /// stand for N/4 and 4h, at least 3h.
    ExpectedCongestion,
    /// Theorem 1, part 2: the congestion of all channels, with high probability.
    Congestion,
    /// Theorem 1, part 3: the expected load.
    ExpectedLoad,
    /// Theorem 1, part 4: the load of all nodes, with high probability.
    Load,
    /// Theorem 2, part 1, and Theorem 3, part 3: the expected congestion, with the I of Lemma 2: h/(1-1/n), or
    /// 4h/(1-1/(n-2)).
    TheoremCongestion,
    /// Theorem 2, part 5, and Theorem 3, part 2: the length of the longest route.
    Length,
}

/// On which side of its bound a measured value is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Not above it.
    AtMost,
    /// Not below it.
    AtLeast,
}

/// One claim on one instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claim {
    /// What is claimed.
    pub statement: Statement,
    /// Whether it is claimed here: whether there are as few faults as it supposes, and the tolerance is the thesis'.
    pub supposed: bool,
    /// The bound.
    pub bound: f64,
    /// The side of the bound.
    pub side: Side,
    /// What the instance has; `None` if it was not computed, or there is nothing to measure.
    pub measured: Option<f64>,
}

impl Claim {
    /// Whether the instance keeps the bound, supposed or not; `None` if nothing was measured. Rounding is forgiven.
    pub fn holds(&self) -> Option<bool> {
        let slack = 1e-9 * self.bound.abs();
        self.measured.map(|measured| match self.side {
            Side::AtMost => measured <= self.bound + slack,
            Side::AtLeast => measured >= self.bound - slack,
        })
    }
}

/// The claims of the thesis of Algorithm A or B with its active set, for messages whose routes are `paths`, of which every
/// node sends and receives `h` at most; with `expected` of the same messages also those that need it. Nothing for other
/// schemes. Cost: a pass over the channels.
pub fn oblivious_claims(
    routing: &dyn ObliviousRouting,
    h: u32,
    paths: &StaticPaths,
    expected: Option<&ExpectedCongestion>,
) -> Vec<Claim> {
    routing.active_set().map_or_else(Vec::new, |active| claims(active, h, paths, expected))
}

fn claims(active: &ActiveSet, h: u32, paths: &StaticPaths, expected: Option<&ExpectedCongestion>) -> Vec<Claim> {
    let (n, core) = (active.cube().dimension(), active.core());
    let m = core.cube().dimension();
    let nodes = (core.cube().mask() + 1) as f64;
    // Under Algorithm B the middle phases route a 4h-relation on the cube of squares.
    let (copies, faults, extra) =
        if active.has_squares() { (4.0, theorem_3_faults(n), 7) } else { (1.0, lemma_2_faults(n), 0) };
    let h = copies * f64::from(h);
    let thesis = active.limit() == crate::fault::Tolerance::Thesis.limit(core.cube());
    let few = thesis && active.faulty().count() <= faults;
    let share = 1.0 - 1.0 / f64::from(m);
    let smallest = expected.and_then(ExpectedCongestion::smallest_choice);
    // Without an exact I, what the definition of the sets guarantees is used.
    let mean = smallest.map_or(h / share, |smallest| nodes * h / (smallest as f64));
    let given = smallest.is_some_and(|smallest| smallest > 0) || (smallest.is_none() && few);
    let at_most =
        |statement, supposed, bound, measured| Claim { statement, supposed, bound, side: Side::AtMost, measured };
    let at_least =
        |statement, supposed, bound, measured| Claim { statement, supposed, bound, side: Side::AtLeast, measured };
    let congestion = expected.map(ExpectedCongestion::max_congestion);
    let any = (paths.delivered() > 0).then_some(());
    vec![
        at_most(
            Statement::FaultyPaths,
            true,
            faulty_paths_bound(m, core.count()) as f64,
            Some(active.faulty_paths() as f64),
        ),
        at_least(Statement::ActiveNodes, few, share * nodes * copies, Some(f64::from(active.count()))),
        at_least(Statement::SmallestChoice, few, share * nodes, smallest.map(|smallest| smallest as f64)),
        at_most(Statement::ExpectedCongestion, given, mean.max(0.75 * h), congestion),
        at_most(Statement::Congestion, given, congestion_whp(m, mean), any.map(|()| f64::from(paths.max_congestion()))),
        at_most(Statement::ExpectedLoad, given, mean, expected.map(ExpectedCongestion::max_load)),
        at_most(Statement::Load, given, load_whp(m, mean), any.map(|()| f64::from(paths.max_load()))),
        at_most(Statement::TheoremCongestion, few, h / share, congestion),
        at_most(Statement::Length, true, f64::from(length_cap(core.cube()) + extra), paths.max_length().map(f64::from)),
    ]
}
