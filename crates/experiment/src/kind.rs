//! Kinds of experiments. Every layer uses the fields and methods of [`Kind`] instead of matching on
//! particular kinds.

use std::sync::Arc;

use super::family::NetworkFamily;
use super::metric::{Distribution, Metric};
use super::parameter::Parameter;
use super::point_config::PointConfig;
use super::saturation::SaturationMetrics;
use super::sweep::Cost;
use super::sweep::sampler::Sampler;
use super::sweep::stopping_rule::StoppingRule;
use super::text::key::TextKey;
use super::{Experiment, Infeasible, Problem, Tally, Version};
use faultlab_core::fault::FaultModel;
use faultlab_core::routing::{Algorithm, Unsupported, UseCase};
use faultlab_core::topology::{Hypercube, Network, NodeId};

/// Kind of experiment: its networks, keys, parameters and metrics, and the code and stopping rule
/// of its trials.
///
/// Every kind is one value in [`super::KINDS`]; two are equal if they have the same [`Kind::id`].
#[non_exhaustive]
pub struct Kind {
    /// Name in experiment texts, the value of `switch`.
    pub id: &'static str,
    /// Display name, in a few words: what moves.
    pub name: &'static str,
    /// Description of the kind in one sentence.
    pub about: &'static str,
    /// Name of the kind's trials in the plural: "runs", "fault sets".
    pub trials: &'static str,
    /// Name of the unit that the key `trials` limits, in the plural.
    pub budget: &'static str,
    /// Interpretation of `within`: a share of the mean if true, absolute otherwise.
    pub is_within_relative: bool,
    /// Supported networks, in words.
    pub networks: &'static str,
    /// Dimension of the largest hypercube that can be simulated; 0 if none.
    pub largest_cube: u8,
    /// Use case for which algorithms must be suitable.
    pub use_case: UseCase,
    /// Network elements that can fail.
    pub fault_domain: FaultDomain,
    /// Role of source and destination.
    pub endpoint_role: EndpointRole,
    /// Texts of the experiments with which the page opens this kind, one for every supported
    /// network family.
    pub openings: &'static [(NetworkFamily, &'static str)],
    /// Name of the parameter that is varied by default, that of the best-known curve.
    pub default_parameter: &'static str,
    /// Keys that not all kinds have, in the order in which they are written.
    pub keys: &'static [TextKey],
    /// Flag for the page: offer hierarchies, which are named by their levels, as algorithms to add.
    pub offers_hierarchies: bool,
    /// Parameters that a sweep can vary.
    pub parameters: &'static [Parameter],
    /// Metrics; the first one decides when a point is done.
    pub metrics: &'static [Metric],
    /// Distributions that a chart can show besides metrics.
    pub spreads: &'static [Distribution],
    /// Flag for networks that can saturate permanently, so that means diverge near saturation.
    pub can_saturate: bool,
    /// Quantities that determine saturation; `None` for kinds without continuous traffic.
    pub saturation: Option<&'static SaturationMetrics>,
    /// Method by which crossings of the first metric's curves are estimated.
    pub crossings: CrossingMethod,
    /// Keys that can increase memory use considerably.
    pub memory_keys: &'static [&'static str],
    /// Stopping rule for the trials of a point.
    pub stopping_rule: StoppingRule,
    /// Code of the kind.
    pub behavior: &'static dyn Behavior,
}

/// Code of a kind of experiment; the constants are in [`Kind`].
pub trait Behavior: Sync {
    /// Returns whether the kind runs on `network`.
    fn fits(&self, network: Network) -> bool;

    /// Returns the experiment that an empty text of `version` means.
    ///
    /// `network` is the one that the text names, if it names one: the default algorithms and faults
    /// depend on it. The network of the returned experiment is always the default one.
    fn default_experiment(&self, version: Version, network: Option<Network>) -> Experiment;

    /// Returns the names of the algorithms that are compared on `network` by default, those that
    /// best show its behaviour.
    fn default_routing(&self, network: Network) -> &'static [&'static str];

    /// Returns the name of the metric that a chart shows by default: one that does not improve when
    /// messages are lost, discarded or cut off.
    fn opening_metric(&self, experiment: &Experiment) -> &'static str {
        experiment.kind().first_metric().id
    }

    /// Returns the names of the metrics whose intervals the stopping rule compares with `within`.
    fn deciding_metrics(&self, experiment: &Experiment) -> Vec<&'static str> {
        vec![experiment.kind().first_metric().id]
    }

    /// Returns a fault model whose number of faults can be varied, for an experiment whose own
    /// model has no such number.
    fn counted_faults(&self, experiment: &Experiment) -> FaultModel;

    /// Returns the nodes that the setting of `experiment` names.
    fn named_nodes(&self, _experiment: &Experiment) -> Vec<NodeId> {
        Vec::new()
    }

    /// Adapts the setting of `next`, which is `before` on another network.
    fn resize(&self, _before: &Experiment, _next: &mut Experiment) {}

    /// Checks the constraints on an experiment that are specific to this kind.
    ///
    /// # Errors
    ///
    /// Returns an error that names the key whose value does not fit.
    fn check(&self, _experiment: &Experiment) -> Result<(), Problem> {
        Ok(())
    }

    /// Returns whether trials of `algorithm` at `cell` are random. If they are not, one trial is
    /// enough.
    fn is_random(&self, cell: &PointConfig, algorithm: &Algorithm) -> bool;

    /// Checks that the trial with this number has anything to run.
    ///
    /// # Errors
    ///
    /// Returns the reason why there is nothing to run.
    fn check_trial(&self, cell: &PointConfig, algorithm: &Arc<Algorithm>, number: u64) -> Result<(), Infeasible>;

    /// Returns an explanation of how a point ended, if its status does not suffice.
    fn status_note(&self, _tally: &Tally, _cell: &PointConfig) -> Option<String> {
        None
    }

    /// Returns the sampler that runs the trials of `algorithm` at `cell`; `None` if nothing can be
    /// run at the point.
    fn sampler(&self, cell: &PointConfig, algorithm: &Arc<Algorithm>) -> Option<Box<dyn Sampler>>;

    /// Returns an estimate of the time and memory that a trial takes.
    fn cost(&self, cell: &PointConfig, algorithm: &Algorithm) -> Cost;
}

/// Reason that nothing is measured: faults leave fewer than two nodes that could send to each
/// other.
pub(crate) const NO_DESTINATION: &str = "the faults leave no destination";

/// Network elements that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultDomain {
    /// Nodes and links.
    NodesAndLinks,
    /// Wires of a fat-tree.
    Wires,
}

/// Role of source and destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndpointRole {
    /// Ends of the single message, which never fail.
    Protected,
    /// Ends of the one message that is followed.
    Followed,
    /// Ends of the one message that is followed, which may coincide.
    MayCoincide,
    /// No source and destination.
    None,
}

/// Method by which the crossing of two curves is estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossingMethod {
    /// No estimate.
    Unknown,
    /// Estimates at neighbouring values of the varied parameter.
    Interpolated,
    /// Runs of equal number, which share their messages, along a sweep over message rates.
    PairedRuns,
}

impl Kind {
    /// Checks that `algorithm` can be used on `network`.
    ///
    /// # Errors
    /// Returns the reason if the algorithm cannot be used.
    pub fn takes(&self, algorithm: &Algorithm, network: Network) -> Result<(), Unsupported> {
        algorithm.check_use_on(self.use_case, network)
    }

    /// Returns whether this kind measures networks under load, whose runs have to become steady.
    pub fn is_under_load(&self) -> bool {
        self.stopping_rule.coarse > 0
    }

    /// Returns the metric that decides when a point is done.
    pub fn first_metric(&self) -> &'static Metric {
        &self.metrics[0]
    }

    /// Returns the metric called `id`; `None` if there is none.
    pub fn metric(&self, id: &str) -> Option<&'static Metric> {
        self.metrics.iter().find(|metric| metric.id == id)
    }

    /// Returns the parameter called `id`; `None` if there is none.
    pub fn parameter(&self, id: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.id == id)
    }

    /// Returns a fault model with a fault rate that can be varied on `network`.
    pub(super) fn rated_faults(&self, network: Network) -> FaultModel {
        match (self.fault_domain, network) {
            (FaultDomain::Wires, _) => FaultModel::Wires(0.1),
            (_, Network::Mesh(_)) => FaultModel::Isolated(0.05),
            _ => FaultModel::Nodes(if self.endpoint_role == EndpointRole::Protected { 0.5 } else { 0.1 }),
        }
    }

    /// Returns the network to use after a switch from the kind `other` on `network`: the same one,
    /// or a smaller hypercube.
    ///
    /// `None` if the kind does not support `network`, or supports hypercubes but has another
    /// default. The latter applies to wormhole experiments, which start on the mesh of their paper.
    pub(super) fn network_like(&self, network: Network, other: &Self) -> Option<Network> {
        match network {
            Network::Hypercube(cube)
                if self == other || self.behavior.default_experiment(Version::LATEST, None).cube().is_some() =>
            {
                Hypercube::new(cube.dimension().min(self.largest_cube)).map(Network::Hypercube)
            }
            Network::Hypercube(_) => None,
            network => Some(network).filter(|&network| self.behavior.fits(network)),
        }
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}
