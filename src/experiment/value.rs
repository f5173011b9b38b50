//! The value that says everything that decides a result.

use crate::fault::{FaultModel, FaultSpec};
use crate::routing::{self, Algorithm, Method};
use crate::switching::{Avail, Switching, Wait};
use crate::topology::{Hypercube, Network, NodeId};
use crate::traffic::{Pair, Pattern};

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
    /// How messages use the network.
    pub switching: Switching,
    /// The maximum path length of a single message, as a multiple of the dimension n; 1 to 1000.
    pub path_limit: f64,
    /// Circuits: messages that each node generates in a unit of time, which is the mean transmission time; 0.0001 to 10.
    pub rate: f64,
    /// Circuits: where messages go.
    pub traffic: Pattern,
    /// Circuits: which of several free legal links is taken.
    pub avail: Avail,
    /// Circuits: for which legal links a message waits when none is free.
    pub wait: Wait,
    /// What a sweep varies.
    pub vary: Option<Vary>,
    /// A point stops when the 95% confidence interval of its first metric is within this half-width: of a probability
    /// absolutely, of a mean setup time as a share of it; 0.0001 to 0.5.
    pub within: f64,
    /// A point stops after this many messages (of pairs: fault sets) in any case; 1 to 10^9.
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
    /// What a chart shows: the id of a metric or a [`super::Spread`]; `None` for the first metric of the switching.
    pub plot: Option<&'static str>,
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
        Self::default_of(Switching::Message)
    }
}

impl Experiment {
    /// The experiment that an empty text stands for, of this kind.
    pub fn default_of(switching: Switching) -> Self {
        const fn cube(dimension: u8) -> Network {
            match Hypercube::new(dimension) {
                Some(cube) => Network::Hypercube(cube),
                None => unreachable!(),
            }
        }
        let (network, ids): (_, &[&str]) = match switching {
            Switching::Message => (const { cube(6) }, &["sidetracking"]),
            Switching::Circuit => (const { cube(5) }, &["e-cube", "up"]),
            Switching::Pairs => (const { cube(5) }, &["e-cube", "up", "dp", "up-or-dp", "minimal"]),
        };
        Self {
            network,
            faults: FaultSpec::NONE,
            from: None,
            to: None,
            routing: ids.iter().filter_map(|id| routing::find(id).ok()).collect(),
            switching,
            path_limit: 5.0,
            rate: 0.3,
            traffic: Pattern::Uniform,
            avail: Avail::Lowest,
            wait: Wait::First,
            vary: None,
            within: if switching == Switching::Message { 0.01 } else { 0.02 },
            trials: if switching == Switching::Circuit { 20_000_000 } else { 1_000_000 },
            seed: 1,
            view: View::default(),
        }
    }

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
        let spared = next.spared();
        for nodes in [&mut next.faults.broken, &mut next.faults.mended] {
            nodes.retain(|&node| cube.contains(node) && !spared.contains(&node));
        }
        for links in [&mut next.faults.broken_links, &mut next.faults.mended_links] {
            links.retain(|link| cube.contains(link.from) && link.dim < cube.dimension());
        }
        match &mut next.faults.model {
            FaultModel::Count(count) => *count = (*count).min(cube.others()),
            FaultModel::LinkCount(count) => *count = (*count).min(cube.links().unwrap_or(u64::MAX)),
            _ => {}
        }
        if !next.traffic.is_on(cube) {
            next.traffic = Pattern::Uniform;
        }
        next.routing.retain(|algorithm| algorithm.dimension.is_none_or(|n| n == cube.dimension()));
        if next.routing.is_empty() {
            next.routing = Self::default_of(next.switching).routing;
        }
        next
    }

    /// The same network and faults under another kind of switching: what does not exist there gives way to its default.
    pub fn switched(&self, switching: Switching) -> Self {
        let other = Self::default_of(switching);
        let mut next = Self {
            switching,
            path_limit: self.path_limit,
            within: other.within,
            trials: other.trials,
            vary: None,
            view: View { plot: None, ..self.view.clone() },
            ..self.clone()
        };
        next.routing.retain(|algorithm| switching_fits(switching, algorithm));
        if next.routing.is_empty() || self.switching == Switching::Message {
            next.routing = other.routing;
        }
        let n = next.cube().dimension().min(next.largest_dimension());
        match Hypercube::new(n) {
            Some(cube) => next.resized(cube),
            None => next,
        }
    }

    /// The largest cube that this kind of switching is simulated on.
    pub fn largest_dimension(&self) -> u8 {
        match self.switching {
            Switching::Message => Hypercube::MAX_DIMENSION,
            Switching::Circuit => 12,
            Switching::Pairs => 12,
        }
    }

    /// The nodes that are never faulty: of a single message its ends, else none.
    pub(super) fn spared(&self) -> [NodeId; 2] {
        match (self.switching, self.ends()) {
            (Switching::Message, ends) => [ends.from, ends.to],
            _ => [NodeId::NONE; 2],
        }
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

/// Whether `algorithm` can be used for this kind of switching.
pub fn switching_fits(switching: Switching, algorithm: &Algorithm) -> bool {
    match (switching, algorithm.method) {
        (Switching::Message, Method::Better(_)) => false,
        (Switching::Message, _) => true,
        (Switching::Circuit, method) => matches!(method, Method::Criterion(_)),
        (Switching::Pairs, method) => matches!(method, Method::Criterion(_) | Method::Better(_)),
    }
}
