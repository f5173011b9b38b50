//! A kind of experiment: a thing that answers what every layer asks, so that nobody asks which kind it is.

use std::sync::Arc;

use super::cell::Cell;
use super::family::Family;
use super::metric::{Metric, Spread};
use super::parameter::Parameter;
use super::sweep::Cost;
use super::sweep::plan::Plan;
use super::sweep::sampler::Sampler;
use super::text::key::Key;
use super::{Experiment, Infeasible, Problem, Tally, Version};
use faultlab_core::fault::FaultModel;
use faultlab_core::routing::{Algorithm, Misfit, Use};
use faultlab_core::topology::{Hypercube, Network, NodeId};

/// A kind of experiment: what it runs on, what may be set, varied and measured, how its trials are run and when they are enough.
///
/// Every kind is one value in [`super::KINDS`]; two are equal if they have the same [`Kind::id`].
#[non_exhaustive]
pub struct Kind {
    /// Its name in experiment texts, the value of `switch`.
    pub id: &'static str,
    /// Its name for people, in a few words: what moves.
    pub name: &'static str,
    /// What happens, in one sentence.
    pub about: &'static str,
    /// What one trial is, in the plural: "runs", "fault sets".
    pub trials: &'static str,
    /// What the key `trials` limits, in the plural.
    pub budget: &'static str,
    /// Whether `within` is a share of the mean, and not absolute.
    pub relative: bool,
    /// The networks it runs on, in words.
    pub networks: &'static str,
    /// The dimension of the largest hypercube that it is simulated on; 0 if on none.
    pub largest_cube: u8,
    /// What it uses algorithms for.
    pub uses: Use,
    /// What can be broken.
    pub breaks: Breaks,
    /// What source and destination are.
    pub ends: Ends,
    /// The texts of the experiments with which the page opens it, for every family of networks that it runs on.
    pub openings: &'static [(Family, &'static str)],
    /// The parameter of its best-known curve.
    pub curve: &'static str,
    /// The keys that only some kinds have, in the order in which they are written.
    pub keys: &'static [Key],
    /// Whether the page offers to add hierarchies, which are named by their levels.
    pub offers_hierarchies: bool,
    /// What may be varied.
    pub parameters: &'static [Parameter],
    /// What is measured; the first one decides when a point is done.
    pub metrics: &'static [Metric],
    /// What a chart can show besides.
    pub spreads: &'static [Spread],
    /// Whether its network can jam for good, so that means run off to infinity near there.
    pub jams: bool,
    /// Between which numbers the curves of its first metric are said to cross.
    pub crossings: Crossings,
    /// The keys that make it take much memory.
    pub heavy: &'static [&'static str],
    /// How many trials a point gets.
    pub plan: Plan,
    /// The code of the kind.
    pub behavior: &'static dyn Behavior,
}

/// The code of a kind of experiment; the constants are in [`Kind`].
pub trait Behavior: Sync {
    /// Returns whether the kind runs on `network`.
    fn fits(&self, network: Network) -> bool;

    /// Returns the experiment that an empty text of `version` means.
    ///
    /// `network` is the one that the text names, if it names one: the default algorithms and faults depend on it. The network of the
    /// returned experiment is always the default one.
    fn default_experiment(&self, version: Version, network: Option<Network>) -> Experiment;

    /// Returns the names of the algorithms that are compared on `network` when a text names none: those that show most.
    fn default_routing(&self, network: Network) -> &'static [&'static str];

    /// Returns a fault model whose number of faults can be varied, for an experiment whose own model has no such number.
    fn counted_faults(&self, experiment: &Experiment) -> FaultModel;

    /// Returns the nodes that the setting of `experiment` names.
    fn nodes(&self, _experiment: &Experiment) -> Vec<NodeId> {
        Vec::new()
    }

    /// Adapts the setting of `next`, which is `before` on another network.
    fn resize(&self, _before: &Experiment, _next: &mut Experiment) {}

    /// Checks what only this kind knows of an experiment.
    ///
    /// # Errors
    ///
    /// Says which key has a value that does not fit.
    fn check(&self, _experiment: &Experiment) -> Result<(), Problem> {
        Ok(())
    }

    /// Returns whether trials of `algorithm` at `cell` differ by chance. If they do not, one trial is enough.
    fn draws(&self, cell: &Cell, algorithm: &Algorithm) -> bool;

    /// Checks that the trial with this number has anything to run.
    ///
    /// # Errors
    ///
    /// Says why there is nothing.
    fn check_trial(&self, cell: &Cell, algorithm: &Arc<Algorithm>, number: u64) -> Result<(), Infeasible>;

    /// Returns a sentence on how a point ended, where its status does not say enough.
    fn remark(&self, _tally: &Tally, _cell: &Cell) -> Option<String> {
        None
    }

    /// Returns what runs the trials of `algorithm` at `cell`; `None` if nothing can be run there.
    fn sampler(&self, cell: &Cell, algorithm: &Arc<Algorithm>) -> Option<Box<dyn Sampler>>;

    /// Returns an estimate of the time and memory that a trial takes.
    fn cost(&self, cell: &Cell, algorithm: &Algorithm) -> Cost;
}

/// Why nothing is measured where faults leave fewer than two nodes that could send to each other.
pub(crate) const NOBODY: &str = "the faults leave nobody to send to";

/// What can be broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breaks {
    /// Nodes and links.
    NodesAndLinks,
    /// Nodes only.
    Nodes,
    /// The wires of a fat-tree.
    Wires,
}

/// What source and destination mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// They are those of the message, and never faulty.
    Spared,
    /// They are those of the one message that is followed.
    Followed,
    /// Likewise, and they may coincide.
    MayCoincide,
    /// There are none.
    None,
}

/// Between which numbers two curves are said to cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossings {
    /// It is not said.
    Unknown,
    /// Between estimates at neighbouring values of whatever is varied.
    OfValues,
    /// Between the runs of equal number, which share their messages, along a sweep over message rates.
    OfRuns,
}

impl Kind {
    /// Whether such an algorithm can be used on such a network.
    ///
    /// # Errors
    /// Why not.
    pub fn takes(&self, algorithm: &Algorithm, network: Network) -> Result<(), Misfit> {
        algorithm.fits(self.uses, network)
    }

    /// Returns whether this kind measures networks under load, whose runs have to become steady.
    pub fn is_under_load(&self) -> bool {
        self.plan.coarse > 0
    }

    /// The metric that decides when a point is done.
    pub fn first_metric(&self) -> &'static Metric {
        &self.metrics[0]
    }

    /// The metric called `id`; `None` if there is none.
    pub fn metric(&self, id: &str) -> Option<&'static Metric> {
        self.metrics.iter().find(|metric| metric.id == id)
    }

    /// What may be varied called `id`; `None` if there is none.
    pub fn parameter(&self, id: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.id == id)
    }

    /// A fault model with a fault rate that can be varied on `network`.
    pub(super) fn rated_faults(&self, network: Network) -> FaultModel {
        match (self.breaks, network) {
            (Breaks::Wires, _) => FaultModel::Wires(0.1),
            (_, Network::Mesh(_)) => FaultModel::Isolated(0.05),
            _ => FaultModel::Nodes(if self.ends == Ends::Spared { 0.5 } else { 0.1 }),
        }
    }

    /// The network that takes the place of `network`, of a kind called `other`, where that one gives way to this one: itself, or a smaller cube.
    /// `None` if it does not run there: worms, which run on cubes too, begin on their paper's mesh.
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
