//! The value that says everything that decides a result.

use crate::fault::{FaultModel, FaultSpec};
use crate::routing::{self, Algorithm};
use crate::topology::{Hypercube, Network, NodeId};
use crate::traffic::Pair;

use super::Vary;

/// An experiment: network, faults, traffic, routing, what is varied, when to stop, seed; and how it is looked at.
///
/// Its text form ([`std::fmt::Display`], [`std::str::FromStr`]) is the page's link, the command line's argument and
/// the content of an experiment file. A value made by parsing is valid; [`Experiment::validate`] checks one made by
/// hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// The network.
    pub network: Network,
    /// What is broken.
    pub faults: FaultSpec,
    /// The source; `None` means as [`Pair::antipodal`] says.
    pub from: Option<NodeId>,
    /// The destination; `None` means the source's antipode.
    pub to: Option<NodeId>,
    /// The algorithms to compare, at least one, none twice.
    pub routing: Vec<&'static Algorithm>,
    /// The maximum path length, as a multiple of the dimension n; 1 to 1000.
    pub path_limit: f64,
    /// What a sweep varies.
    pub vary: Option<Vary>,
    /// A point stops when the 95% confidence interval of its success probability is within this half-width; 0.0001 to
    /// 0.5.
    pub within: f64,
    /// A point stops after this many messages in any case; 1 to 10^9.
    pub trials: u64,
    /// The seed of everything random.
    pub seed: u64,
    /// How it is looked at; decides no result except `sample`.
    pub view: View,
}

/// How an experiment is looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// Which of the four views.
    pub tab: Tab,
    /// Which of the random patterns is watched: the number of the trial in the sweep.
    pub sample: u64,
    /// How the network is laid out.
    pub layout: Layout,
    /// What a chart shows: the id of one of [`super::METRICS`].
    pub plot: &'static str,
}

/// The four views.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// The network, messages moving.
    #[default]
    Watch,
    /// Sweeps and charts.
    Measure,
    /// The theorems on this instance.
    Check,
    /// The published tables and figures, recomputed.
    Papers,
}

/// How a hypercube is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// In layers by distance from the destination.
    #[default]
    Layers,
    /// Projected, one direction of the plane for each dimension.
    Cube,
    /// On a grid whose rows and columns follow the Gray code: neighbours differ in one bit.
    Grid,
}

impl Tab {
    /// The views and their names in texts.
    pub const ALL: [(Self, &'static str); 4] =
        [(Self::Watch, "watch"), (Self::Measure, "measure"), (Self::Check, "check"), (Self::Papers, "papers")];
}

impl Layout {
    /// The layouts and their names in texts.
    pub const ALL: [(Self, &'static str); 3] = [(Self::Layers, "layers"), (Self::Cube, "cube"), (Self::Grid, "grid")];
}

impl Default for Experiment {
    fn default() -> Self {
        const NETWORK: Network = match Hypercube::new(6) {
            Some(cube) => Network::Hypercube(cube),
            None => unreachable!(),
        };
        Self {
            network: NETWORK,
            faults: FaultSpec::NONE,
            from: None,
            to: None,
            routing: routing::ALGORITHMS.iter().take(1).collect(),
            path_limit: 5.0,
            vary: None,
            within: 0.01,
            trials: 1_000_000,
            seed: 1,
            view: View { plot: "success", ..View::default() },
        }
    }
}

impl Experiment {
    /// The hypercube it is about.
    pub fn cube(&self) -> Hypercube {
        let Network::Hypercube(cube) = self.network;
        cube
    }

    /// Source and destination.
    pub fn ends(&self) -> Pair {
        Pair::antipodal(self.cube(), self.from, self.to)
    }

    /// The same experiment on a cube of another dimension, without the ends and edits that do not exist there.
    pub fn resized(&self, cube: Hypercube) -> Self {
        let mut next = self.clone();
        next.network = Network::Hypercube(cube);
        next.from = self.from.filter(|&node| cube.contains(node));
        next.to = self.to.filter(|&node| cube.contains(node));
        let ends = next.ends();
        for nodes in [&mut next.faults.broken, &mut next.faults.mended] {
            nodes.retain(|&node| cube.contains(node) && !ends.has(node));
        }
        if let FaultModel::Count(count) = &mut next.faults.model {
            *count = (*count).min(cube.others());
        }
        next
    }

    /// Whether the fault set is the same in every trial.
    pub fn faults_are_fixed(&self) -> bool {
        self.faults.model == FaultModel::None
    }

    /// Whether the two differ only in how they are looked at.
    pub fn same_question(&self, other: &Self) -> bool {
        let view = self.view.clone();
        *self == Self { view, ..other.clone() }
    }
}
