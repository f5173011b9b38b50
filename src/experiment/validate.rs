//! Whether the parts of an experiment fit together.

use super::value::{switching_fits, worm_problem};
use super::{Experiment, ExperimentError, KEYS, Parameter, WormSetting};
use crate::fault::block::mix_of;
use crate::fault::{Adversary, FaultModel};
use crate::routing::{Algorithm, Method};
use crate::switching::{PathFinder, Switching, WormTerms};
use crate::topology::fat_tree::Leaves;
use crate::topology::{Hypercube, Link, Mesh, Network, NodeId};
use crate::traffic::Pattern;

/// What is wrong: the key to change, and why.
type Problem = (&'static str, String);

impl Experiment {
    /// Whether its parts fit together; the error names the key to change.
    ///
    /// # Errors
    /// When the network is none that the kind of switching runs on, when ends coincide or are broken, when there are more faults
    /// than nodes or links, when the varied parameter has nothing to vary, or when an algorithm cannot run on such a network or
    /// under such switching.
    pub fn validate(&self) -> Result<(), ExperimentError> {
        let checks = [
            Self::check_network,
            Self::check_ends,
            Self::check_faults,
            Self::check_places,
            Self::check_routing,
            Self::check_worms,
            Self::check_tree,
            Self::check_vary,
        ];
        match checks.into_iter().find_map(|check| check(self)) {
            None => Ok(()),
            Some((key, problem)) => {
                let info = KEYS.iter().find(|info| info.name == key);
                let value = info.and_then(|info| info.value(self)).unwrap_or_default();
                Err(ExperimentError::new(key, &value, problem, info.map_or("", |info| info.accepted)))
            }
        }
    }

    fn check_network(&self) -> Option<Problem> {
        let kind = self.switching.id();
        if self.switching.fits(self.network) {
            return None;
        }
        Some(match self.switching {
            Switching::Wormhole => ("net", format!("switch={kind} runs on meshes and hypercubes")),
            Switching::Delivery => ("net", format!("switch={kind} runs on fat-trees")),
            _ => (
                "net",
                format!(
                    "switch={kind} runs on hypercubes, switch=wormhole on meshes and hypercubes, switch=delivery on fat-trees"
                ),
            ),
        })
    }

    fn check_ends(&self) -> Option<Problem> {
        let ends = self.ends();
        // A message of a permutation may stay where it is.
        if ends.from == ends.to && !self.switching.is_oblivious() {
            return Some((if self.to.is_some() { "to" } else { "from" }, "source and destination coincide".into()));
        }
        if self.switching != Switching::Message {
            return None;
        }
        self.networks().find_map(|network| {
            let ends = self.ends_in(network);
            let node = self.faults.broken.iter().find(|&&node| ends.has(node))?;
            Some(("break", format!("node {node} is the source or the destination in {network}")))
        })
    }

    fn check_faults(&self) -> Option<Problem> {
        let faults = &self.faults;
        if let Some(&node) = faults.broken.iter().find(|node| faults.mended.binary_search(node).is_ok()) {
            return Some(("break", format!("node {} is also mended", self.network.node_text(node))));
        }
        if let Some(&link) = faults.broken_links.iter().find(|link| faults.mended_links.binary_search(link).is_ok()) {
            return Some(("break", format!("link {} is also mended", self.network.link_text(link))));
        }
        if self.switching.is_oblivious() {
            let kind = self.switching.id();
            if faults.model.breaks_links() {
                return Some(("faults", format!("switch={kind} knows faulty nodes, not faulty links")));
            }
            if let Some(&link) = faults.broken_links.first().or(faults.mended_links.first()) {
                let text = self.network.link_text(link);
                let key = if faults.broken_links.is_empty() { "mend" } else { "break" };
                return Some((key, format!("{text} is a link, and switch={kind} knows faulty nodes only")));
            }
        }
        let problem = self.networks().find_map(|network| too_many_faults(faults.model, network));
        problem.map(|problem| ("faults", problem))
    }

    /// Every node and link that is named exists in every network that is visited.
    fn check_places(&self) -> Option<Problem> {
        let faults = &self.faults;
        let hot = match self.traffic {
            Pattern::HotSpot { node, .. } => Some(node),
            _ => None,
        };
        let listed: Vec<_> = self.relation.demand.nodes().collect();
        let named = [
            ("traffic", listed.as_slice(), &[][..]),
            ("from", self.from.as_slice(), &[]),
            ("to", self.to.as_slice(), &[]),
            ("break", &faults.broken, &faults.broken_links),
            ("mend", &faults.mended, &faults.mended_links),
            ("traffic", hot.as_slice(), &[]),
        ];
        let missing = named.into_iter().find_map(|(key, nodes, links)| {
            let (what, network) =
                self.networks().find_map(|network| Some((self.missing(nodes, links, network)?, network)))?;
            let key = if network == self.network { key } else { "vary" };
            Some((key, format!("{what} does not exist in {}", name_of(network))))
        });
        missing.or_else(|| {
            let network = self.networks().find(|&network| self.moved_pattern(network).is_none())?;
            let key = if network == self.network { "traffic" } else { "vary" };
            let what = "transpose needs a square mesh, bit-reversal a power of two of nodes";
            Some((key, format!("{} has no such pattern: {what}", name_of(network))))
        })
    }

    /// The first of the nodes and links that has no place in `network`.
    fn missing(&self, nodes: &[NodeId], links: &[Link], network: Network) -> Option<String> {
        let node = nodes.iter().find(|&&node| self.moved(node, network).is_none());
        let moved = |link: Link| self.moved(link.from, network).map(|from| Link { from, ..link });
        let link = links.iter().find(|&&link| !moved(link).is_some_and(|link| network.has_link(link)));
        let node = node.map(|&node| format!("node {}", self.network.node_text(node)));
        node.or_else(|| link.map(|&link| format!("link {}", self.network.link_text(link))))
    }

    fn check_routing(&self) -> Option<Problem> {
        if self.routing.is_empty() {
            return Some(("route", "no algorithm".into()));
        }
        let (largest, most) = (self.largest_cube(), self.largest_dimension());
        if largest > most {
            let key = if self.cube().is_some_and(|cube| cube.dimension() > most) { "net" } else { "vary" };
            return Some((key, format!("switch={} looks at whole cubes, up to n = {most}", self.switching.id())));
        }
        self.routing.iter().find_map(|algorithm| {
            if !switching_fits(self.switching, algorithm) {
                return Some(("route", format!("{} {}", algorithm.id, misfit(self.switching, algorithm))));
            }
            if matches!(algorithm.method, Method::Global) && largest > PathFinder::MAX_DIMENSION {
                return Some((
                    "route",
                    format!("global looks at whole cubes, up to n = {}", PathFinder::MAX_DIMENSION),
                ));
            }
            let sum = algorithm.dimension?;
            let n = self.networks().filter_map(|network| network.cube()?.dimension().into()).find(|&n| n != sum)?;
            let id = algorithm.id;
            Some(("route", format!("the levels of {id} sum to {sum}, not to the {n} dimensions of the cube")))
        })
    }

    /// What worms need of channels and mesh.
    fn check_worms(&self) -> Option<Problem> {
        if self.switching != Switching::Wormhole {
            return None;
        }
        let varied = self.vary.as_ref().filter(|vary| vary.parameter == Parameter::VirtualChannels);
        let (key, channels) = match varied.and_then(|vary| vary.values().first().copied()) {
            Some(fewest) => ("vary", fewest as u8),
            None if self.worms.virtual_channels == WormSetting::OWN => ("vc", WormTerms::MAX_VIRTUAL_CHANNELS),
            None => ("vc", self.worms.virtual_channels),
        };
        let refused = self.routing.iter().find_map(|algorithm| {
            let (network, wants) =
                self.networks().find_map(|network| Some((network, worm_problem(network, algorithm)?)))?;
            Some(("route", format!("{} does not run on {}: it wants {wants}", algorithm.id, name_of(network))))
        });
        if refused.is_some() {
            return refused;
        }
        if let Some(network) = self.networks().find(|&network| too_many_lanes(self, network)) {
            let most = WormTerms::MAX_LANES;
            let what =
                format!("{} has more than {most} virtual channels in all: take fewer of a channel", name_of(network));
            return Some((if network == self.network { "vc" } else { "vary" }, what));
        }
        let mesh = self.network.worm_mesh()?;
        let classes = |algorithm: &Algorithm| algorithm.worm.map_or(0, |worm| worm.classes(mesh));
        let short = self.routing.iter().find(|algorithm| classes(algorithm) > channels);
        short.map(|algorithm| (key, format!("{} has {} classes of virtual channels", algorithm.id, classes(algorithm))))
    }

    /// What delivery cycles need of tree, messages and faults.
    fn check_tree(&self) -> Option<Problem> {
        let kind = self.switching.id();
        let wires = matches!(self.faults.model, FaultModel::Wires(_));
        if self.switching != Switching::Delivery {
            return wires.then(|| ("faults", format!("switch={kind} has nodes and links, not wires")));
        }
        if !(wires || self.faults.model == FaultModel::None) {
            return Some(("faults", "in fat-trees wires fail: wires:P".into()));
        }
        if let Some(&node) = self.faults.broken.first().or(self.faults.mended.first()) {
            let key = if self.faults.broken.is_empty() { "mend" } else { "break" };
            return Some((key, format!("{node} is a processor, and in fat-trees wires fail")));
        }
        self.networks().find_map(|network| {
            let leaves = network.leaves()?;
            let own = network == self.network;
            let problem = match leaves.channels(&self.tree.profile) {
                Err(problem) => ("capacity", problem.to_string()),
                Ok(_) => ("traffic", super::delivery::problem_of_demand(leaves, &self.tree)?),
            };
            Some(if own { problem } else { ("vary", problem.1) })
        })
    }

    fn check_vary(&self) -> Option<Problem> {
        let vary = self.vary.as_ref()?;
        let problem = match (vary.parameter, self.faults.model) {
            (parameter, _) if !parameter.fits(self.switching) => {
                let kinds = Switching::ALL.iter().filter(|(kind, _)| parameter.fits(*kind)).map(|kind| kind.1);
                let kinds = kinds.collect::<Vec<_>>().join(" or ");
                Some(format!("{} can only be varied with switch={kinds}", parameter.id()))
            }
            (Parameter::Dimension, _) if self.cube().is_none() => Some("n is varied, so the network must be a hypercube".into()),
            (Parameter::Radix, _) if self.mesh().is_none() => Some("k is varied, so the network must be a mesh".into()),
            (Parameter::Rate, model) if model.rate().is_none() => Some(
                "p is varied, so faults must be nodes:P, share:P, links:P or, of meshes, isolated:P, of fat-trees wires:P".into(),
            ),
            (Parameter::Leaves, _) => {
                let leaves = |&x: &f64| self.network.leaves().and_then(|leaves| leaves.resized(x as u64)).is_some();
                let strange = vary.values().into_iter().find(|x| !leaves(x));
                strange.map(|x| format!("no such network has {x} processors: a power of two, of tree2 of four"))
            }
            (Parameter::Count, model) if model.faults().is_some() => {
                too_many_faults(model.with_count(vary.last() as u64), self.network)
            }
            (Parameter::Count, _) => Some(
                "f is varied, so faults must be count:F, link-count:F or, placed by an adversary, such as ball:F"
                    .into(),
            ),
            (Parameter::Rate, model) => too_many_faults(model.with_rate(vary.last()), self.network),
            (Parameter::Place, _) if vary.last() > self.network.last().0 as f64 => {
                Some(format!("the nodes of {} have the numbers 0 to {}", self.network, self.network.last()))
            }
            _ => None,
        };
        problem.map(|problem| ("vary", problem))
    }

    /// The networks that a sweep visits, its own first.
    fn networks(&self) -> impl Iterator<Item = Network> {
        let radices = |mesh: Mesh, vary: &super::Vary| {
            let meshes = vary.values().into_iter().filter_map(|k| mesh.with_radix(k as u16));
            meshes.map(Network::Mesh).collect::<Vec<_>>()
        };
        let network = |vary: &super::Vary| {
            let network: fn(f64) -> Option<Network> = match vary.parameter {
                Parameter::Dimension => |n| Hypercube::new(n as u8).map(Network::Hypercube),
                Parameter::Leaves if self.network.leaves().is_some_and(Leaves::is_second) => {
                    |n| Leaves::second(n as u64).map(Network::FatTree)
                }
                Parameter::Leaves => |n| Leaves::new(n as u64).map(Network::FatTree),
                Parameter::Radix => return self.mesh().map_or(Vec::new(), |mesh| radices(mesh, vary)),
                _ => |_| None,
            };
            vary.values().into_iter().filter_map(network).collect::<Vec<_>>()
        };
        // What is varied on another kind of network is said elsewhere.
        let strange = |vary: &super::Vary| match vary.parameter {
            Parameter::Dimension => self.cube().is_none(),
            Parameter::Radix => self.mesh().is_none(),
            _ => false,
        };
        let fitting = self.vary.as_ref().filter(|vary| vary.parameter.fits(self.switching) && !strange(vary));
        std::iter::once(self.network).chain(fitting.map(network).unwrap_or_default())
    }

    /// The dimension of the largest cube that is visited; 0 if there is none.
    fn largest_cube(&self) -> u8 {
        self.networks().filter_map(|network| Some(network.cube()?.dimension())).max().unwrap_or(0)
    }
}

/// A network in words.
fn name_of(network: Network) -> String {
    match network {
        Network::Hypercube(cube) => format!("the {}-cube", cube.dimension()),
        Network::Mesh(mesh) if mesh.is_torus() => format!("the {mesh} torus"),
        Network::Mesh(mesh) => format!("the {mesh} mesh"),
        Network::FatTree(leaves) => format!("the network {leaves}"),
    }
}

/// Whether more virtual channels than fit into memory would be simulated on `network`.
fn too_many_lanes(experiment: &Experiment, network: Network) -> bool {
    let channels = network.worm_mesh().map_or(0, Mesh::channels);
    u64::from(channels) * u64::from(channels_of(experiment).next_power_of_two()) > WormTerms::MAX_LANES
}

/// The most virtual channels of a channel that are simulated.
fn channels_of(experiment: &Experiment) -> u8 {
    let varied = experiment.vary.as_ref().filter(|vary| vary.parameter == Parameter::VirtualChannels);
    varied.map_or(experiment.worms.virtual_channels, |vary| vary.last() as u8)
}

/// Why `algorithm` cannot be used for this kind of switching.
fn misfit(switching: Switching, algorithm: &Algorithm) -> &'static str {
    match switching {
        Switching::Permutation | Switching::Batch => {
            "routes no permutations: use bit-fixing, valiant-brebner, general, algorithm-a, algorithm-b or kim-shin"
        }
        Switching::Delivery => {
            "chooses no delivery cycles: use greedy, random-guess, random-prime or random-prime-repeated"
        }
        _ if matches!(algorithm.method, Method::Delivery(_)) => "is defined on fat-trees: use it with switch=delivery",
        _ if matches!(algorithm.method, Method::Oblivious(_)) => {
            "routes whole permutations and worms: use it with switch=permutation, switch=batch or switch=wormhole"
        }
        _ if matches!(algorithm.method, Method::Mesh) => "is defined on meshes: use it with switch=wormhole",
        Switching::Message => "compares whole networks: use it with switch=pairs",
        Switching::Circuit => {
            "sets up no circuits: use e-cube, up, dp, restricted-up, minimal, up-dp-mix or a hierarchy"
        }
        Switching::Pairs => {
            "has no permitted paths to look for: use e-cube, up, dp, restricted-up, up-or-dp, minimal, up-dp-mix or a \
             hierarchy"
        }
        Switching::Wormhole => worm_misfit(algorithm),
    }
}

/// Why `algorithm` sends no worms.
fn worm_misfit(algorithm: &Algorithm) -> &'static str {
    match algorithm.method {
        Method::Better(_) => "chooses for the whole network at once, by the pairs cut off: use up or dp",
        Method::Global => "follows paths that are known from everywhere, and a header decides where it is: use e-cube",
        Method::Local(_) => {
            "draws a dimension blindly, and a worm asks for live channels: use random or deterministic-blind"
        }
        _ => {
            "sends no worms: use e-cube; on meshes f-cube2, f-cube4, lh2, lh4, lh, weak, weak-f-cube4, negative-first, \
             dr-static, dr-dynamic or planar-adaptive; on hypercubes up, dp or algorithm-b"
        }
    }
}

/// The most fault regions that may be expected: their numbers are of 16 bits, and random sets vary.
const MOST_REGIONS: f64 = 60_000.0;

/// The faulty nodes or links that a model makes on average; `None` if it has no part in large meshes.
fn expected_faults(model: FaultModel, network: Network) -> Option<f64> {
    match model {
        FaultModel::Nodes(p) | FaultModel::Share(p) => Some(p * (network.last().0 as f64 + 1.0)),
        FaultModel::Links(p) => Some(p * network.links()? as f64),
        FaultModel::Count(count) => Some(count as f64),
        _ => None,
    }
}

/// What is wrong with so many faults in `network`, if anything.
fn too_many_faults(model: FaultModel, network: Network) -> Option<String> {
    let too_many = |count: u64, most: u64, what: &str| {
        (count > most).then(|| format!("at most {most} {what} can be faulty in {}", name_of(network)))
    };
    let isolated = |mesh: Mesh, (nodes, links): (u32, u32)| {
        // Rings share no links: in every plane one of 8 around a node, of 6 around a link, besides the faulty links.
        let n = u64::from(mesh.dimensions());
        let needed = (4 * n * (n - 1) + 2 * n) * u64::from(nodes) + (6 * (n - 1) + 1) * u64::from(links);
        (needed > u64::from(mesh.links())).then(|| {
            format!(
                "{nodes} isolated nodes and {links} links with their rings take {needed} links, and {} has {}",
                name_of(network),
                mesh.links()
            )
        })
    };
    if let (Network::Mesh(mesh), Some(expected)) = (network, expected_faults(model, network)) {
        let regions = expected * f64::from(mesh.dimensions());
        if regions > MOST_REGIONS {
            return Some(format!(
                "some {expected:.0} faults can be more fault regions than {MOST_REGIONS}, the most in {}",
                name_of(network)
            ));
        }
    }
    match (model, network) {
        (FaultModel::Count(count), _) => too_many(count, network.others(), "of the other nodes"),
        (FaultModel::LinkCount(count), _) => {
            too_many(count, network.links().unwrap_or(u64::MAX).min(FaultModel::MAX_LINKS), "links")
        }
        (FaultModel::Isolated(share), Network::Mesh(mesh)) => isolated(mesh, mix_of(mesh, share)),
        (FaultModel::IsolatedCount(nodes, links), Network::Mesh(mesh)) => isolated(mesh, (nodes, links)),
        (FaultModel::Placed(..), Network::Mesh(_)) => Some("adversaries place faults in hypercubes".into()),
        (FaultModel::Placed(..), Network::Hypercube(cube)) if cube.dimension() > Adversary::MAX_DIMENSION => {
            Some(format!("adversaries place faults in cubes up to n = {}", Adversary::MAX_DIMENSION))
        }
        (FaultModel::Placed(_, count), Network::Hypercube(cube)) => too_many(count.into(), cube.mask() + 1, "nodes"),
        (model, Network::Hypercube(_)) if model.needs_mesh() => Some("isolated faults are those of meshes".into()),
        _ => None,
    }
}
