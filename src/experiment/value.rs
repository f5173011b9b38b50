//! The value that says everything that decides a result.

use crate::fault::{FaultModel, FaultSpec, Tolerance};
use crate::routing::{self, Algorithm, Method, WormRouting};
use crate::switching::delivery::{SurvivorPolicy, Undeliverable};
use crate::switching::{Arbitration, Avail, Injection, InjectionPolicy, StaticPaths, Switching, Wait, WormTerms};
use crate::topology::fat_tree::{Leaves, Profile};
use crate::topology::{Hypercube, Link, Mesh, Network, NodeId};
use crate::traffic::{Demand, Listed, MessagePattern, Pair, Pattern, Permutation};

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
    /// The source; `None` means as [`Experiment::ends`] says.
    pub from: Option<NodeId>,
    /// The destination; `None` means as [`Experiment::ends`] says.
    pub to: Option<NodeId>,
    /// The algorithms to compare, at least one, none twice.
    pub routing: Vec<&'static Algorithm>,
    /// How messages use the network.
    pub switching: Switching,
    /// The maximum path length of a single message, as a multiple of the dimension n; 1 to 1000.
    pub path_limit: f64,
    /// Circuits: messages that each node generates in a unit of time, which is the mean transmission time; 0.0001 to 10.
    pub rate: f64,
    /// Circuits and worms: where messages go.
    pub traffic: Pattern,
    /// Circuits: which of several free legal links is taken.
    pub avail: Avail,
    /// Circuits: for which legal links a message waits when none is free.
    pub wait: Wait,
    /// Worms: what decides how they move, besides network, faults, traffic and routing.
    pub worms: WormSetting,
    /// Whole permutations: which messages, and who takes part.
    pub relation: RelationSetting,
    /// Delivery cycles: what decides them, besides network, faults and routing.
    pub tree: TreeSetting,
    /// What a sweep varies.
    pub vary: Option<Vary>,
    /// A point stops when the 95% confidence interval of its first metric is within this half-width: of a probability
    /// absolutely, of a mean setup time or bisection utilization as a share of it; 0.0001 to 0.5.
    pub within: f64,
    /// A point stops after this many messages (of pairs: fault sets) in any case; 1 to 10^9.
    pub trials: u64,
    /// The seed of everything random.
    pub seed: u64,
    /// How it is looked at; decides no result except `sample`.
    pub view: View,
}

/// How worms move, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WormSetting {
    /// The load, as a share of what saturates the bisection of the mesh without faults; 0 to 4.
    pub load: f64,
    /// Virtual channels of each channel, 1 to 16, or [`WormSetting::OWN`].
    pub virtual_channels: u8,
    /// Flits that the buffer of a virtual channel holds, 1 to 16.
    pub buffer: u8,
    /// Flits of a message, 1 to 256.
    pub length: u16,
    /// How many messages a source injects at once, and what becomes of others.
    pub injection: Injection,
    /// Which message is first where several want the same.
    pub arbitration: Arbitration,
}

impl WormSetting {
    /// In place of a number of virtual channels: of each algorithm as many as it has classes.
    pub const OWN: u8 = 0;

    /// The parameters of Boppana & Chalasani section V, at 70% load.
    pub const PAPER: Self = Self {
        load: 0.7,
        virtual_channels: 8,
        buffer: 2,
        length: 20,
        injection: Injection { limit: 3, policy: InjectionPolicy::Discard },
        arbitration: Arbitration::RoundRobin,
    };

    /// What decides a network of worms that are routed so on `mesh`, with this pattern of traffic.
    pub fn terms(&self, routing: &'static dyn WormRouting, mesh: Mesh, pattern: Pattern) -> WormTerms {
        let Self { load, virtual_channels, buffer, length, injection, arbitration } = *self;
        let virtual_channels = if virtual_channels == Self::OWN { routing.classes(mesh) } else { virtual_channels };
        WormTerms { routing, virtual_channels, buffer, length, injection, arbitration, load, pattern }
    }
}

/// Which messages are routed together, and who takes part.
#[derive(Clone, Debug, PartialEq)]
pub struct RelationSetting {
    /// The messages.
    pub demand: Demand,
    /// How many times: h of an h-relation, 1 to [`RelationSetting::MAX_H`].
    pub h: u32,
    /// The tolerance of Algorithms A and B.
    pub tolerance: Tolerance,
}

impl RelationSetting {
    /// The most permutations at once.
    pub const MAX_H: u32 = 64;

    /// A random permutation, with the thesis' tolerance.
    pub const THESIS: Self = Self { demand: Demand::Rule(Permutation::Random), h: 1, tolerance: Tolerance::Thesis };
}

/// What decides delivery cycles of a fat-tree.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeSetting {
    /// The capacities of a fat-tree; the second network has its own.
    pub profile: Profile,
    /// The messages.
    pub demand: TreeDemand,
    /// Who survives at an over-subscribed channel.
    pub policy: SurvivorPolicy,
    /// The constants of RANDOM, each 0.001 to 10^7.
    pub k1: f64,
    /// The second one.
    pub k2: f64,
    /// The congestion parameter.
    pub r: f64,
    /// What sources do with messages that dead wires keep from arriving.
    pub undeliverable: Undeliverable,
}

/// Which messages are delivered.
#[derive(Clone, Debug, PartialEq)]
pub enum TreeDemand {
    /// By a rule.
    Pattern(MessagePattern),
    /// Theorem 9's bad set for GREEDY, for this load factor.
    BadSet(u32),
    /// These, source and destination.
    List(Vec<(u32, u32)>),
}

impl TreeDemand {
    /// The most messages of a list.
    pub const MAX_LISTED: usize = 4096;

    /// Reads it, its processors being those of `leaves`; the error is what is wrong.
    pub(super) fn parse(leaves: Leaves, text: &str) -> Result<Self, String> {
        if let Some(pattern) = MessagePattern::parse(text) {
            return Ok(Self::Pattern(pattern));
        }
        if let Some(lambda) = text.strip_prefix("bad:") {
            return lambda.parse().map(Self::BadSet).map_err(|_| "no load factor after bad:".into());
        }
        if text.split(',').nth(Self::MAX_LISTED).is_some() {
            return Err(format!("more than {} messages", Self::MAX_LISTED));
        }
        let processor = |text: &str| {
            let found = text.parse().ok().filter(|&number: &u32| number < leaves.processors());
            found.ok_or_else(|| format!("{text} is no processor of {leaves}"))
        };
        let message = |text: &str| {
            let (from, to) =
                text.split_once('-').ok_or("neither a known message set nor a list of messages FROM-TO")?;
            Ok::<_, String>((processor(from)?, processor(to)?))
        };
        text.split(',').map(message).collect::<Result<_, _>>().map(Self::List)
    }
}

impl std::fmt::Display for TreeDemand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pattern(pattern) => pattern.fmt(f),
            Self::BadSet(lambda) => write!(f, "bad:{lambda}"),
            Self::List(messages) => {
                let texts: Vec<_> = messages.iter().map(|(from, to)| format!("{from}-{to}")).collect();
                f.write_str(&texts.join(","))
            }
        }
    }
}

impl TreeSetting {
    /// A random permutation on the standard tree, survivors at random.
    pub const STANDARD: Self = Self {
        profile: Profile::Standard,
        demand: TreeDemand::Pattern(MessagePattern::Permutation(Permutation::Random, 1)),
        policy: SurvivorPolicy::Random,
        k1: 1.0,
        k2: 1.0,
        r: 1.0,
        undeliverable: Undeliverable::Known,
    };
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
        const MESH: Network = match Mesh::new(16, 16) {
            Some(mesh) => Network::Mesh(mesh),
            None => unreachable!(),
        };
        const TREE: Network = match Leaves::new(64) {
            Some(leaves) => Network::FatTree(leaves),
            None => unreachable!(),
        };
        let network = match switching {
            Switching::Message | Switching::Batch => const { cube(6) },
            Switching::Circuit | Switching::Pairs => const { cube(5) },
            Switching::Wormhole => MESH,
            Switching::Delivery => TREE,
            Switching::Permutation => const { cube(8) },
        };
        Self {
            network,
            faults: FaultSpec {
                model: match switching {
                    Switching::Wormhole => FaultModel::Isolated(0.05),
                    Switching::Permutation => FaultModel::Count(1),
                    _ => FaultModel::None,
                },
                ..FaultSpec::NONE
            },
            from: None,
            to: None,
            routing: Self::usual_routing(switching, network),
            switching,
            path_limit: 5.0,
            rate: 0.3,
            traffic: Pattern::Uniform,
            avail: Avail::Lowest,
            wait: Wait::First,
            worms: match switching {
                Switching::Batch => WormSetting { length: 8, ..WormSetting::PAPER },
                _ => WormSetting::PAPER,
            },
            relation: RelationSetting::THESIS,
            tree: TreeSetting::STANDARD,
            vary: None,
            within: match switching {
                Switching::Message => 0.01,
                Switching::Circuit
                | Switching::Pairs
                | Switching::Permutation
                | Switching::Batch
                | Switching::Delivery => 0.02,
                Switching::Wormhole => 0.05,
            },
            trials: match switching {
                Switching::Message | Switching::Pairs => 1_000_000,
                Switching::Circuit => 20_000_000,
                Switching::Wormhole => 2_000_000,
                Switching::Permutation | Switching::Batch | Switching::Delivery => 10_000,
            },
            seed: 1,
            view: View::default(),
        }
    }

    /// The algorithms that are compared when a text names none: those that show most on this network.
    pub(super) fn usual_routing(switching: Switching, network: Network) -> Vec<&'static Algorithm> {
        let ids: &[&str] = match (switching, network) {
            (Switching::Message, _) => &["sidetracking"],
            (Switching::Circuit, _) => &["e-cube", "up"],
            (Switching::Wormhole, Network::Mesh(mesh)) if mesh.is_torus() => &["e-cube", "f-cube4"],
            (Switching::Wormhole, Network::Mesh(mesh)) if mesh.is_plane() => &["f-cube2", "lh2"],
            // In four dimensions and more, adaptive routing needs more virtual channels than there usually are.
            (Switching::Wormhole, Network::Mesh(mesh)) if mesh.dimensions() == 3 => &["f-cube4", "lh4"],
            (Switching::Wormhole, Network::Mesh(_)) => &["e-cube", "f-cube4"],
            (Switching::Wormhole, _) => &["e-cube", "up"],
            (Switching::Delivery, _) => &["greedy", "random-guess"],
            (Switching::Permutation, _) => &["bit-fixing", "algorithm-a", "algorithm-b"],
            (Switching::Batch, _) => &["algorithm-a", "algorithm-b"],
            (Switching::Pairs, _) => &["e-cube", "up", "dp", "up-or-dp", "minimal"],
        };
        ids.iter().filter_map(|id| routing::find(id).ok()).collect()
    }

    /// The hypercube it is about; `None` on other networks.
    pub fn cube(&self) -> Option<Hypercube> {
        self.network.cube()
    }

    /// The worms that are the only ones, all from cycle 0; `None` if they are drawn, and of other kinds of switching.
    pub fn listed_worms(&self) -> Option<&[Listed]> {
        match &self.relation.demand {
            Demand::List(messages) if self.switching == Switching::Wormhole => Some(messages),
            _ => None,
        }
    }

    /// The mesh it is about; `None` on other networks.
    pub fn mesh(&self) -> Option<Mesh> {
        self.network.mesh()
    }

    /// As [`Experiment::default_of`], on this network where that makes a difference: worms on hypercubes meet no block faults,
    /// and have algorithms of their own.
    pub fn default_on(switching: Switching, network: Network) -> Self {
        let mut experiment = Self { routing: Self::usual_routing(switching, network), ..Self::default_of(switching) };
        if switching == Switching::Wormhole && network.cube().is_some() {
            experiment.faults = FaultSpec::NONE;
        }
        experiment
    }

    /// Source and destination. What is not said: the source is node 0, or the node opposite of the destination; the
    /// destination the one opposite of the source, or node 0 if that is the source itself, in the middle of a mesh.
    pub fn ends(&self) -> Pair {
        self.ends_in(self.network)
    }

    /// The same in another network.
    pub(super) fn ends_in(&self, network: Network) -> Pair {
        let opposite = |node| match network.opposite(node) {
            same if same == node => NodeId(0),
            other => other,
        };
        let from = self.from.unwrap_or_else(|| self.to.map_or(NodeId(0), opposite));
        Pair { from, to: self.to.unwrap_or_else(|| opposite(from)) }
    }

    /// The same experiment on another network of the same kind, without the ends and edits that do not exist there.
    pub fn resized(&self, network: Network) -> Self {
        let mut next = self.clone();
        next.network = network;
        // Nodes of meshes keep their places.
        let node = |node| self.moved(node, network);
        let link = |link: Link| Some(Link { from: node(link.from)?, ..link }).filter(|&link| network.has_link(link));
        (next.from, next.to) = (self.from.and_then(node), self.to.and_then(node));
        let spared = next.spared();
        for nodes in [&mut next.faults.broken, &mut next.faults.mended] {
            *nodes = nodes.iter().filter_map(|&old| node(old)).filter(|node| !spared.contains(node)).collect();
        }
        for links in [&mut next.faults.broken_links, &mut next.faults.mended_links] {
            *links = links.iter().filter_map(|&old| link(old)).collect();
        }
        match &mut next.faults.model {
            FaultModel::Count(count) => *count = (*count).min(network.others()),
            FaultModel::Placed(_, count) => {
                *count = network.cube().map_or(*count, |cube| u64::from(*count).min(cube.mask() + 1) as u32);
            }
            FaultModel::LinkCount(count) => *count = (*count).min(network.links().unwrap_or(u64::MAX)),
            _ => {}
        }
        next.traffic = self.moved_pattern(network).unwrap_or(Pattern::Uniform);
        if let TreeDemand::List(messages) = &self.tree.demand
            && messages.iter().any(|&(from, to)| !network.contains(NodeId(from.max(to).into())))
        {
            next.tree.demand = TreeSetting::STANDARD.demand;
        }
        if let (Profile::Custom(_), Some(leaves)) = (&self.tree.profile, network.leaves())
            && leaves.channels(&self.tree.profile).is_err()
        {
            next.tree.profile = Profile::Standard;
        }
        let demand = self.relation.demand.moved(|node| self.moved(node, network));
        next.relation.demand = demand.unwrap_or(RelationSetting::THESIS.demand);
        let dimension = network.cube().map(Hypercube::dimension);
        next.routing.retain(|algorithm| algorithm.dimension.is_none() || algorithm.dimension == dimension);
        next.routing.retain(|algorithm| runs_on(self.switching, network, algorithm));
        if next.routing.is_empty() {
            next.routing = Self::usual_routing(next.switching, next.network);
        }
        next
    }

    /// The pattern of traffic in another network; `None` if it is not defined there.
    pub(super) fn moved_pattern(&self, network: Network) -> Option<Pattern> {
        let pattern = match self.traffic {
            Pattern::HotSpot { node, share } => Pattern::HotSpot { node: self.moved(node, network)?, share },
            other => other,
        };
        let defined = match network {
            Network::Hypercube(cube) => pattern.is_on(cube),
            Network::Mesh(mesh) => pattern.is_on(mesh),
            Network::FatTree(_) => true,
        };
        defined.then_some(pattern)
    }

    /// The node of `network` that is where `node` is in this one: the same coordinates, the same address bits. `None` if
    /// there is none.
    pub(super) fn moved(&self, node: NodeId, network: Network) -> Option<NodeId> {
        match (self.network, network) {
            (Network::Mesh(here), Network::Mesh(there)) => there.like(here, node),
            (Network::Hypercube(_), Network::Hypercube(_)) | (Network::FatTree(_), Network::FatTree(_)) => {
                network.contains(node).then_some(node)
            }
            _ => None,
        }
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
        if switching.is_oblivious() && !self.switching.is_oblivious() {
            // Only nodes fail there, and the share of them that a single message gets by leaves no permutation.
            next.faults.broken_links.clear();
            next.faults.mended_links.clear();
            next.faults.model = other.faults.model;
        }
        if (switching == Switching::Batch) != (self.switching == Switching::Batch) {
            next.worms.length = other.worms.length;
        }
        let smaller = |cube: Hypercube| Hypercube::new(cube.dimension().min(next.largest_dimension()));
        let network = match self.network {
            Network::Hypercube(cube) if switching.needs_cube() => smaller(cube).map(Network::Hypercube),
            // Worms begin on their paper's mesh.
            Network::Hypercube(_) if self.switching != switching => None,
            network => Some(network).filter(|&network| switching.fits(network)),
        };
        let network = network.unwrap_or_else(|| {
            // Faults of a mesh mean nothing in a cube, nor do those of a cube in a mesh.
            next.faults = other.faults;
            other.network
        });
        next.resized(network)
    }

    /// The largest cube that this kind of switching is simulated on.
    pub fn largest_dimension(&self) -> u8 {
        match self.switching {
            Switching::Message => Hypercube::MAX_DIMENSION,
            Switching::Circuit => 12,
            Switching::Pairs => 12,
            Switching::Permutation => StaticPaths::MAX_DIMENSION,
            Switching::Batch => 14,
            // A node's channels, and the picture, grow with it.
            Switching::Wormhole => 10,
            Switching::Delivery => 0,
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
        (Switching::Permutation | Switching::Batch, method) => matches!(method, Method::Oblivious(_)),
        (Switching::Delivery, method) => matches!(method, Method::Delivery(_)),
        (Switching::Message, Method::Better(_) | Method::Oblivious(_) | Method::Delivery(_) | Method::Mesh) => false,
        (Switching::Message, _) => true,
        (Switching::Wormhole, _) => algorithm.worm.is_some(),
        (Switching::Circuit, method) => matches!(method, Method::Criterion(_)),
        (Switching::Pairs, method) => matches!(method, Method::Criterion(_) | Method::Better(_)),
    }
}

/// Whether `algorithm` can be used for this kind of switching on `network`.
pub fn runs_on(switching: Switching, network: Network, algorithm: &Algorithm) -> bool {
    switching_fits(switching, algorithm)
        && (switching != Switching::Wormhole || worm_problem(network, algorithm).is_none())
}

/// What keeps the worms of `algorithm` off `network`, if anything: what it wants.
pub(super) fn worm_problem(network: Network, algorithm: &Algorithm) -> Option<&'static str> {
    let by_blocks = matches!(algorithm.method, Method::Mesh) && network.cube().is_some();
    if by_blocks {
        return Some("a mesh with block faults: for a hypercube of up to five dimensions as one, write net=mesh:2x2x2");
    }
    algorithm.worm?.wants(network.worm_mesh()?)
}
