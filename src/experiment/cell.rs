//! One point of a sweep, with everything said.

use std::sync::Arc;

use super::{Experiment, Parameter};
use crate::fault::{FaultPattern, FaultSpec};
use crate::random::Key;
use crate::topology::{Hypercube, Network, NodeId};
use crate::traffic::Pair;

/// What all messages of one point have in common.
///
/// Its key depends on the seed, the network and the fault model alone. So a point has the same numbers in any sweep, all
/// algorithms meet the same fault patterns, a longer path limit only adds to what a shorter one finds, and a node broken
/// by hand leaves all others as they were.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The cube.
    pub cube: Hypercube,
    /// Source and destination.
    pub ends: Pair,
    /// The faults.
    pub faults: Arc<FaultSpec>,
    /// The most hops a message may make.
    pub limit: u32,
    /// Circuits: the messages that each node generates in a unit of time.
    pub rate: f64,
    spared: [NodeId; 2],
    key: Key,
}

/// The multiple of n in whole hops. A little more than rounding can take away is added: 1.4 * 45 is 63 hops, though the
/// nearest doubles give less.
fn path_limit(multiple: f64, cube: Hypercube) -> u32 {
    (multiple * f64::from(cube.dimension()) + 1e-9) as u32
}

impl Cell {
    /// The point of `experiment` at the value `x` of its varied parameter; without one, or for `None`, as it stands.
    pub fn new(experiment: &Experiment, x: Option<f64>) -> Self {
        let mut at = experiment.clone();
        if let (Some(vary), Some(x)) = (&experiment.vary, x) {
            match vary.parameter {
                Parameter::Rate => at.faults.model = at.faults.model.with_rate(x),
                Parameter::Count => at.faults.model = at.faults.model.with_count(x as u64),
                Parameter::PathLimit => at.path_limit = x,
                Parameter::MessageRate => at.rate = x,
                Parameter::Dimension => {
                    at.network = Hypercube::new(x as u8).map_or(at.network, Network::Hypercube);
                }
            }
        }
        let (cube, ends) = (at.cube(), at.ends());
        // Edits and ends are not part of the name: breaking one node must not redraw the others. The name is that of
        // the point without edits, between the default ends.
        let drawn = format!("FaultSpec {{ model: {:?}, broken: [], mended: [] }}", at.faults.model);
        let name = format!("{} {drawn} 0 {}", at.network, cube.mask());
        Self {
            cube,
            ends,
            limit: path_limit(at.path_limit, cube),
            rate: at.rate,
            spared: at.spared(),
            key: Key::from_seed(at.seed).named(&name),
            faults: Arc::new(at.faults),
        }
    }

    /// The number of hops of a minimal path between the ends.
    pub fn distance(&self) -> u32 {
        self.cube.distance(self.ends.from, self.ends.to)
    }

    /// The key of trial number `trial`.
    pub(super) fn trial(&self, trial: u64) -> Key {
        self.key.child(trial)
    }

    /// The key of the fault pattern of the trial with this key.
    #[inline]
    pub(super) fn pattern_key(trial: Key) -> Key {
        trial.child(0)
    }

    /// The fault pattern of the trial with this key.
    pub(super) fn pattern(&self, trial: Key) -> FaultPattern {
        FaultPattern::new(self.cube, &self.faults, self.spared, Self::pattern_key(trial))
    }

    /// The fault pattern of trial number `trial`, the same for every algorithm.
    pub fn faults_of(&self, trial: u64) -> FaultPattern {
        self.pattern(self.trial(trial))
    }
}
