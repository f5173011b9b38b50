//! Points of a sweep with all parameters resolved.

use std::sync::Arc;

use super::random_key_name::key_name;
use super::{Experiment, Setting, Version};
use faultlab_core::fault::block::RegionForm;
use faultlab_core::fault::{BlockFaults, FaultModel, FaultSampler, FaultSpec, SampleError, SampledFaults, Tolerance};
use faultlab_core::random::Key;
use faultlab_core::routing::Algorithm;
use faultlab_core::topology::{Hypercube, Mesh, Network, NodeId};
use faultlab_core::traffic::Pair;

/// Configuration that all messages of one point share.
///
/// The random key of a point depends only on the seed, the network and the fault model. Therefore:
///
/// - a point has the same numbers in any sweep;
/// - all algorithms meet the same fault patterns;
/// - a longer path limit does not change the paths within a shorter one;
/// - a manual edit of one node leaves the faults of all others unchanged.
#[derive(Clone, Debug, PartialEq)]
pub struct PointConfig {
    /// Version of the experiment's text, which decides how networks under load are measured.
    pub version: Version,
    /// Network of the point.
    pub network: Network,
    /// Source and destination.
    pub ends: Pair,
    /// Fault model and manual edits of the point.
    pub faults: Arc<FaultSpec>,
    /// Setting of the experiment's kind.
    pub setting: Arc<Setting>,
    protected: [NodeId; 2],
    key: Key,
}

/// Returns the number that identifies an algorithm in random keys; 0 is reserved for the fault
/// pattern.
pub(crate) fn algorithm_key(algorithm: &Algorithm) -> u64 {
    let Algorithm { id, .. } = algorithm;
    id.bytes().fold(1, |number: u64, byte| number.wrapping_mul(257).wrapping_add(u64::from(byte)))
}

impl PointConfig {
    /// Creates the point of `experiment` at the value `x` of its varied parameter; unchanged for
    /// `None` or without such a parameter.
    pub fn new(experiment: &Experiment, x: Option<f64>) -> Self {
        let at = experiment.at(x);
        let (network, ends) = (at.network, at.ends());
        let name = key_name(network, at.faults.model);
        Self {
            version: at.version,
            protected: at.protected_nodes(),
            network,
            ends,
            setting: Arc::new(at.setting),
            key: Key::from_seed(at.seed).named(&name),
            faults: Arc::new(at.faults),
        }
    }

    /// Returns whether the fault set is the same in every trial.
    pub fn faults_are_fixed(&self) -> bool {
        self.faults.model == FaultModel::None
    }

    /// Returns the number of hops of a minimal path between the ends.
    pub fn distance(&self) -> u32 {
        self.network.distance(self.ends.from, self.ends.to)
    }

    /// Returns the maximum number of hops of a single message; 0 in other experiments.
    pub fn limit(&self) -> u32 {
        let multiple = self.setting.message().map_or(0.0, |setting| setting.path_limit);
        // Compensates for rounding: 1.4 * 45 is 63 hops, but the nearest doubles give less.
        (multiple * f64::from(self.network.diameter()) + 1e-9) as u32
    }

    /// Returns the key of trial number `trial`.
    pub(super) fn trial(&self, trial: u64) -> Key {
        self.key.child(trial)
    }

    /// Returns the key of the fault pattern of the trial with this key.
    #[inline]
    pub(super) fn pattern_key(trial: Key) -> Key {
        trial.child(0)
    }

    /// Returns the sampled faults of trial number `trial` of a wormhole experiment, the same for
    /// every algorithm.
    ///
    /// On a mesh, the faults are those before block closure; on a hypercube, those of circuit
    /// experiments.
    ///
    /// # Errors
    /// Returns an error on other networks, and if no set of isolated faults is found.
    pub fn sampled_faults(&self, trial: u64) -> Result<SampledFaults, SampleError> {
        self.sampled_faults_at(trial, f64::INFINITY)
    }

    /// Returns those faults of [`PointConfig::sampled_faults`] that have arrived by `time`.
    fn sampled_faults_at(&self, trial: u64, time: f64) -> Result<SampledFaults, SampleError> {
        let is_before = self.setting.arrives_after(time);
        let mut faults = if is_before { SampledFaults::default() } else { self.sample_faults(trial)? };
        let later = self.setting.later().iter().filter(|fault| fault.time <= time);
        later.for_each(|fault| fault.add_to(&mut faults));
        Ok(faults)
    }

    fn sample_faults(&self, trial: u64) -> Result<SampledFaults, SampleError> {
        let key = Self::pattern_key(self.trial(trial));
        match self.network {
            Network::Hypercube(cube) => {
                Mesh::from_cube(cube.dimension()).ok_or(SampleError::OtherNetwork)?;
                Ok(SampledFaults::from_pattern(cube, &mut FaultSampler::new(cube, &self.faults, self.protected, key)))
            }
            network => SampledFaults::sample(network.mesh().ok_or(SampleError::OtherNetwork)?, &self.faults, key),
        }
    }

    /// Returns the faults of trial number `trial` as the routing uses them: extended to blocks on
    /// a mesh, unchanged on a hypercube and for circuits.
    ///
    /// # Errors
    /// Returns the errors of [`PointConfig::sampled_faults`].
    pub fn blocks(&self, trial: u64) -> Result<Arc<BlockFaults>, SampleError> {
        let rank = self.setting.worm().map_or(1, |setting| setting.component);
        let blocks = self.extend(self.sampled_faults(trial)?)?;
        Ok(Arc::new(if rank > 1 { blocks.with_component(rank) } else { blocks }))
    }

    /// Returns the faults of [`PointConfig::blocks`] as far as they have arrived by `time`. The
    /// component of `member` takes part.
    ///
    /// # Errors
    /// Returns the errors of [`PointConfig::sampled_faults`].
    pub(crate) fn blocks_at(&self, trial: u64, time: f64, member: NodeId) -> Result<Arc<BlockFaults>, SampleError> {
        Ok(Arc::new(self.extend(self.sampled_faults_at(trial, time)?)?.with_component_of(member)))
    }

    /// Returns the faults of a mesh among which circuits are set up, as far as they have arrived by
    /// `time`.
    ///
    /// # Errors
    /// Returns the errors of [`PointConfig::sampled_faults`].
    pub(crate) fn circuit_faults_at(&self, trial: u64, time: f64) -> Result<Arc<BlockFaults>, SampleError> {
        Ok(Arc::new(self.extend(self.sampled_faults_at(trial, time)?)?))
    }

    /// Returns sampled faults as the routing uses them.
    fn extend(&self, sampled: SampledFaults) -> Result<BlockFaults, SampleError> {
        let tolerance = self.setting.worm().map_or(Tolerance::Thesis, |setting| setting.tolerance);
        let form = self.setting.worm().map_or(RegionForm::Blocks, |setting| setting.regions);
        let blocks = match self.network {
            Network::Hypercube(cube) => sampled.to_cube_faults(cube, tolerance),
            // Probes of circuits go around faults of any shape.
            Network::Mesh(mesh) if self.setting.circuit().is_some() => {
                Some(BlockFaults::unclosed(mesh, &sampled.nodes, &sampled.links))
            }
            network => network.mesh().map(|mesh| sampled.to_regions(mesh, form)),
        };
        let blocks = blocks.ok_or(SampleError::OtherNetwork)?;
        Ok(if self.version >= Version::V2 { blocks.splitting_ties() } else { blocks })
    }
}

/// Point of an experiment on a hypercube.
#[derive(Clone, Debug, PartialEq)]
pub struct CubePointConfig {
    /// Hypercube of the point.
    pub cube: Hypercube,
    cell: PointConfig,
}

impl std::ops::Deref for CubePointConfig {
    type Target = PointConfig;

    #[inline]
    fn deref(&self) -> &PointConfig {
        &self.cell
    }
}

impl CubePointConfig {
    /// Creates a point as [`PointConfig::new`] does; `None` if the network is not a hypercube.
    pub fn new(experiment: &Experiment, x: Option<f64>) -> Option<Self> {
        Self::from_point(PointConfig::new(experiment, x))
    }

    /// Converts `cell`; `None` if its network is not a hypercube.
    pub(super) fn from_point(cell: PointConfig) -> Option<Self> {
        Some(Self { cube: cell.network.cube()?, cell })
    }

    /// Returns the fault pattern of the trial with this key.
    pub(super) fn pattern(&self, trial: Key) -> FaultSampler {
        FaultSampler::new(self.cube, &self.faults, self.protected, PointConfig::pattern_key(trial))
    }

    /// Returns the fault pattern of trial number `trial`, the same for every algorithm. It contains
    /// the faults that arrive while messages move.
    pub fn fault_pattern(&self, trial: u64) -> FaultSampler {
        self.fault_pattern_at(trial, f64::INFINITY)
    }

    /// Returns the faults of [`CubePointConfig::fault_pattern`] that have arrived by `time`.
    pub(crate) fn fault_pattern_at(&self, trial: u64, time: f64) -> FaultSampler {
        if !self.setting.arrives_after(time) && self.setting.later().is_empty() {
            return self.pattern(self.trial(trial));
        }
        let mut spec = if self.setting.arrives_after(time) { FaultSpec::NONE } else { (*self.faults).clone() };
        let later = self.setting.later().iter().filter(|fault| fault.time <= time);
        later.for_each(|fault| fault.add_to_spec(&mut spec));
        FaultSampler::new(self.cube, &Arc::new(spec), self.protected, PointConfig::pattern_key(self.trial(trial)))
    }
}
