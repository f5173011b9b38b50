//! Active nodes under Algorithms A and B, without any routes, in hypercubes of up to 24 dimensions.
//!
//! The module also estimates the number of random faults that leave half of the nodes active.

use std::collections::BTreeSet;

use rand::RngExt as _;

use super::stats::run_estimates::mean_of_runs;
use super::{CubePointConfig, Estimate, Experiment, Problem};
use faultlab_core::fault::{ActiveSet, FaultyNodes, Tolerance};
use faultlab_core::random::{Generator, Key};
use faultlab_core::routing::UseCase;
use faultlab_core::theory::oblivious::{lemma_2_faults, theorem_3_faults};
use faultlab_core::topology::{Hypercube, NodeId};

/// Active nodes that one fault set leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct Activity {
    /// Hypercube with the faults.
    pub cube: Hypercube,
    /// Number of faulty nodes, F.
    pub faults: u32,
    /// Results under Algorithm A and, from n = 3 on, Algorithm B.
    pub rules: Vec<Active>,
}

/// Active nodes under one rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Active {
    /// Rule for active nodes.
    pub rule: ActiveRule,
    /// Maximum number of faulty paths out of a node, or of a square, and into it.
    pub limit: u32,
    /// Number of active nodes, |A|.
    pub active: u32,
    /// Number of ordered pairs of nodes, or of squares, whose bit-fixing path is faulty.
    pub faulty_paths: u64,
    /// Maximum number of faults in the hypothesis of the thesis' theorem about the rule.
    pub max_faults: u32,
    /// Estimate of F50, see [`Activity::record_f50`]; `None` if it was not computed.
    pub half: Option<Estimate>,
}

/// Rule that decides which nodes are active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActiveRule {
    /// Rule of Algorithm A, for nodes (thesis figure 3-2).
    A,
    /// Rule of Algorithm B, for squares (thesis figure 3-6).
    B,
}

impl ActiveRule {
    /// Returns the algorithm's name in experiment texts.
    pub fn id(self) -> &'static str {
        match self {
            Self::A => "algorithm-a",
            Self::B => "algorithm-b",
        }
    }

    /// Returns the active nodes; `None` if the rule does not exist in this hypercube.
    fn set(self, faulty: FaultyNodes, tolerance: Tolerance) -> Option<ActiveSet> {
        match self {
            Self::A => Some(ActiveSet::algorithm_a(faulty, tolerance)),
            Self::B => ActiveSet::algorithm_b(faulty, tolerance),
        }
    }
}

impl Activity {
    /// Dimension of the largest supported hypercube.
    pub const MAX_DIMENSION: u8 = FaultyNodes::MAX_DIMENSION;

    /// Returns the active nodes with the faults of `experiment`, those of its watched trial.
    ///
    /// Cost: two passes of n N additions, and a check for each node: a few seconds at n = 24, and
    /// some 200 MB.
    ///
    /// # Errors
    /// Returns an error on networks that are not hypercubes, and on larger hypercubes.
    pub fn from_experiment(experiment: &Experiment) -> Result<Self, Problem> {
        let wrong = || {
            let most = Self::MAX_DIMENSION;
            Problem::new(
                "net",
                format!(
                    "active nodes are counted in hypercubes of up to {most} dimensions, not in net={}",
                    experiment.network
                ),
            )
        };
        let cell = CubePointConfig::new(experiment, None).filter(|cell| cell.cube.dimension() <= Self::MAX_DIMENSION);
        let cell = cell.ok_or_else(wrong)?;
        let mut faults = cell.fault_pattern(experiment.view.sample);
        let mut faulty = FaultyNodes::from_faults(cell.cube, &mut faults).ok_or_else(wrong)?;
        if experiment.kind().use_case == UseCase::Permutations {
            faulty = faulty.with_links_from(&mut faults);
        }
        let n = cell.cube.dimension();
        let rules = [(ActiveRule::A, lemma_2_faults(n)), (ActiveRule::B, theorem_3_faults(n))];
        let of = |(rule, supposed): (ActiveRule, u32)| {
            let set = rule.set(faulty.clone(), cell.permutation_setting().tolerance)?;
            let (limit, active, faulty_paths) = (set.limit(), set.count(), set.faulty_paths());
            Some(Active { rule, limit, active, faulty_paths, max_faults: supposed, half: None })
        };
        Ok(Self { cube: cell.cube, faults: faulty.count(), rules: rules.into_iter().filter_map(of).collect() })
    }

    /// Records F50 under a rule: the mean of the results of [`faults_to_half`] over independent
    /// trials, with its 95% interval.
    pub fn record_f50(&mut self, rule: ActiveRule, trials: &[u32]) {
        let values: Vec<_> = trials.iter().copied().map(f64::from).collect();
        for one in self.rules.iter_mut().filter(|one| one.rule == rule) {
            one.half = mean_of_runs(&values, values.len() as u64);
        }
    }
}

/// Returns F50 of one trial: the number of faults, in a random order, until at most half of the
/// nodes are active.
///
/// Inactive nodes never become active again, so that bisection finds the number. The search starts
/// at `guess`, if there is one, which changes only the time. `None` above
/// [`Activity::MAX_DIMENSION`], and if the rule does not exist. Cost: some ten passes as in
/// [`Activity::from_experiment`].
pub fn faults_to_half(
    cube: Hypercube,
    rule: ActiveRule,
    tolerance: Tolerance,
    seed: u64,
    trial: u32,
    guess: Option<u32>,
) -> Option<u32> {
    let none = FaultyNodes::empty(cube)?;
    rule.set(FaultyNodes::empty(Hypercube::new(cube.dimension().min(3))?)?, tolerance)?;
    let nodes = cube.mask() + 1;
    let generator = Key::from_seed(seed).named("half").child(trial.into()).generator();
    let mut order = RandomNodeOrder { nodes, drawn: Vec::new(), known: BTreeSet::new(), generator };
    let mut too_many = |faults: u32| {
        let mut faulty = none.clone();
        order.first(faults).iter().for_each(|&node| faulty.set(node, true));
        rule.set(faulty, tolerance).is_none_or(|set| u64::from(set.count()) * 2 <= nodes)
    };
    // Invariant: with `low` faults more than half of the nodes are active, with `high` at most
    // half.
    let (mut low, mut high) = (0, nodes as u32);
    let mut next = guess.unwrap_or(1).clamp(1, high - 1);
    let mut step = (next / 16).max(1);
    while high - low > 1 {
        if too_many(next) {
            high = next;
        } else {
            low = next;
        }
        next = match (low, high) {
            (0, high) => high.saturating_sub(step),
            (low, high) if u64::from(high) == nodes => low.saturating_add(step),
            (low, high) => low + (high - low) / 2,
        };
        step = step.saturating_mul(2);
        // Outside of the known range, use the middle.
        if next <= low || next >= high {
            next = low + (high - low) / 2;
        }
    }
    Some(high)
}

/// Random order of all nodes, generated as far as needed.
struct RandomNodeOrder {
    nodes: u64,
    drawn: Vec<NodeId>,
    known: BTreeSet<u64>,
    generator: Generator,
}

impl RandomNodeOrder {
    /// Returns the first `count` nodes.
    fn first(&mut self, count: u32) -> &[NodeId] {
        while self.drawn.len() < count as usize {
            let node = self.generator.random_range(0..self.nodes);
            if self.known.insert(node) {
                self.drawn.push(NodeId(node));
            }
        }
        &self.drawn[..count as usize]
    }
}
