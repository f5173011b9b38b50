//! Probes that set up circuits on meshes and tori, link by link: e-cube, and depth-first search with
//! backtracking and misroutes (MB-m; Gaughan & Yalamanchili 1992).

use std::collections::{BTreeMap, VecDeque};

use super::hypercube::ecube;
use super::mesh::fcube::ecube_port;
use super::{Algorithm, Criterion, Method};
use crate::fault::BlockFaults;
use crate::topology::{NodeId, Port, PortMask, iter_ports};

/// Search of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeRouting {
    /// e-cube: one path for each pair, along dimension 0 first. Half-way around a torus coordinates
    /// grow.
    DimensionOrder,
    /// Depth-first search. A misroute is a hop that leads no nearer to the destination; the path to
    /// the probe never has more than `misroutes` of them.
    Backtracking {
        /// Largest number of misroutes; [`ProbeRouting::UNLIMITED`] for no limit.
        misroutes: u16,
    },
}

impl ProbeRouting {
    /// Number of misroutes that stands for no limit.
    pub const UNLIMITED: u16 = u16::MAX;

    /// Returns whether the probe goes back where it cannot go on.
    pub fn backtracks(self) -> bool {
        self != Self::DimensionOrder
    }

    /// Returns the largest number of misroutes on a path.
    pub fn misroutes(self) -> u16 {
        match self {
            Self::DimensionOrder => 0,
            Self::Backtracking { misroutes } => misroutes,
        }
    }

    /// Returns whether the search reaches `to` from each node if no link is reserved, by node.
    ///
    /// Cost: the number of links.
    pub fn reaching(self, faults: &BlockFaults, to: NodeId) -> Vec<bool> {
        match self {
            Self::DimensionOrder => open_ecube_paths(faults, to),
            Self::Backtracking { misroutes } => {
                let is_within = |least: u16| least != DISCONNECTED && least <= misroutes;
                least_misroutes(faults, to).into_iter().map(is_within).collect()
            }
        }
    }

    /// Returns whether the search reaches `to` from `from` if no link is reserved.
    ///
    /// Cost: the number of links.
    pub fn reaches(self, faults: &BlockFaults, from: NodeId, to: NodeId) -> bool {
        self.reaching(faults, to).get(from.0 as usize).is_some_and(|&reaches| reaches)
    }
}

impl Algorithm {
    /// Returns the search of the probes that set up circuits on meshes, or `None` if the algorithm
    /// sets up no such circuits.
    pub fn probe(&self) -> Option<ProbeRouting> {
        match &self.method {
            Method::Probe(routing) => Some(*routing),
            Method::Criterion(Criterion::SEQUENTIAL) if self.id == ecube::ALGORITHM.id => {
                Some(ProbeRouting::DimensionOrder)
            }
            _ => None,
        }
    }
}

/// Decision of a probe at a node that is not its destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeDecision {
    /// Reserve the link at the port and go on.
    Forward {
        /// Port of a free link.
        port: Port,
        /// True if the hop leads no nearer to the destination.
        is_misroute: bool,
    },
    /// e-cube: the only permitted link is reserved.
    Blocked(Port),
    /// Go back over the last link, and release it.
    Back,
    /// The search has failed: nothing is left to try at the source. Under e-cube the permitted link
    /// is faulty.
    Failed,
}

/// Node on the path of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ProbeStop {
    node: NodeId,
    /// Port by which the path enters the node.
    entered: Port,
    /// Misroutes that the path to the node leaves.
    left: u16,
    /// Ports that the probe has tried here.
    tried: PortMask,
}

/// State of one search: the reserved path, and the nodes that the probe has visited.
///
/// A probe enters a node again only with more misroutes left than before, so every search ends. If
/// no link is reserved, it fails only if every path has a fault or too many misroutes: whatever a
/// path through a visited node could reach is reached from that node as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeSearch {
    routing: ProbeRouting,
    to: NodeId,
    /// Path from the source, which is the first stop, to the node of the probe.
    stops: Vec<ProbeStop>,
    /// Misroutes left at the visited nodes, the most of all visits.
    visited: BTreeMap<NodeId, u16>,
}

impl ProbeSearch {
    /// Creates the search of a probe at its source.
    pub fn new(routing: ProbeRouting, from: NodeId, to: NodeId) -> Self {
        let left = routing.misroutes();
        let source = ProbeStop { node: from, entered: Port(0), left, tried: 0 };
        Self { routing, to, stops: vec![source], visited: BTreeMap::from([(from, left)]) }
    }

    /// Returns the node of the probe.
    pub fn here(&self) -> NodeId {
        self.stops.last().map_or(self.to, |stop| stop.node)
    }

    /// Returns the source.
    pub fn source(&self) -> NodeId {
        self.stops.first().map_or(self.to, |stop| stop.node)
    }

    /// Returns the destination.
    pub fn destination(&self) -> NodeId {
        self.to
    }

    /// Returns whether the probe is at its destination.
    pub fn has_arrived(&self) -> bool {
        self.here() == self.to
    }

    /// Returns the number of reserved links.
    pub fn hops(&self) -> usize {
        self.stops.len().saturating_sub(1)
    }

    /// Returns the reserved links from the source on: the node that each leaves, and its port.
    pub fn path(&self) -> impl DoubleEndedIterator<Item = (NodeId, Port)> {
        self.stops.windows(2).filter_map(|pair| match pair {
            [from, to] => Some((from.node, to.entered)),
            _ => None,
        })
    }

    /// Returns the ports that the probe has tried at its node.
    pub fn tried(&self) -> PortMask {
        self.stops.last().map_or(0, |stop| stop.tried)
    }

    /// Returns the decision at the node of the probe, which must not be the destination.
    ///
    /// `free` are the ports of the node whose links are not reserved. `select` chooses one of
    /// several free links: its arguments are the permitted ports, reserved ones included, and the
    /// free ones among them.
    pub fn decide(
        &self,
        faults: &BlockFaults,
        free: PortMask,
        select: impl FnOnce(PortMask, PortMask) -> Port,
    ) -> ProbeDecision {
        let (mesh, here) = (faults.mesh(), self.here());
        if !self.routing.backtracks() {
            let port = ecube_port(mesh, here, self.to);
            return match (faults.is_open(here, port), free & port.bit() != 0) {
                (false, _) => ProbeDecision::Failed,
                (true, true) => ProbeDecision::Forward { port, is_misroute: false },
                (true, false) => ProbeDecision::Blocked(port),
            };
        }
        let [nearer, others] = self.permitted(faults);
        if nearer & free != 0 {
            ProbeDecision::Forward { port: select(nearer, nearer & free), is_misroute: false }
        } else if others & free != 0 {
            ProbeDecision::Forward { port: select(others, others & free), is_misroute: true }
        } else if self.hops() > 0 {
            ProbeDecision::Back
        } else {
            ProbeDecision::Failed
        }
    }

    /// Returns the ports that the probe may still try at its node, reserved or not: those that lead
    /// nearer to the destination, and misroutes.
    fn permitted(&self, faults: &BlockFaults) -> [PortMask; 2] {
        let (mesh, here) = (faults.mesh(), self.here());
        let Some(stop) = self.stops.last() else { return [0; 2] };
        let minimal = mesh.minimal_ports(here, self.to);
        let is_new = |port: &Port| {
            let is_nearer = minimal & port.bit() != 0;
            let left = if is_nearer { Some(stop.left) } else { self.left_after_misroute(stop.left) };
            let next = mesh.neighbor(here, *port);
            next.zip(left).is_some_and(|(next, left)| self.visited.get(&next).is_none_or(|&before| left > before))
        };
        let ports = iter_ports(faults.open_ports(here) & !stop.tried).filter(is_new).fold(0, |set, it| set | it.bit());
        [ports & minimal, ports & !minimal]
    }

    /// Returns the misroutes left after one more; `None` if none is left.
    fn left_after_misroute(&self, left: u16) -> Option<u16> {
        if left == ProbeRouting::UNLIMITED { Some(left) } else { left.checked_sub(1) }
    }

    /// Moves the probe over the link at `port`. Returns the node that it enters; `None` at the
    /// border of the mesh, where the probe stays.
    pub fn go_forward(&mut self, faults: &BlockFaults, port: Port) -> Option<NodeId> {
        let (mesh, to) = (faults.mesh(), self.to);
        let (node, left) = self.stops.last().map(|stop| (stop.node, stop.left))?;
        let next = mesh.neighbor(node, port)?;
        let is_nearer = mesh.minimal_ports(node, to) & port.bit() != 0;
        let left = if is_nearer { left } else { self.left_after_misroute(left).unwrap_or(0) };
        if let Some(stop) = self.stops.last_mut() {
            stop.tried |= port.bit();
        }
        if self.routing.backtracks() {
            self.visited.insert(next, left);
        }
        self.stops.push(ProbeStop { node: next, entered: port, left, tried: 0 });
        Some(next)
    }

    /// Moves the probe back over its last link. Returns the link, as its node and port; `None` at
    /// the source.
    pub fn go_back(&mut self) -> Option<(NodeId, Port)> {
        let last = (self.stops.len() > 1).then(|| self.stops.pop())??;
        Some((self.here(), last.entered))
    }
}

/// Returns whether no node or link of the e-cube path to `to` is faulty, by node.
fn open_ecube_paths(faults: &BlockFaults, to: NodeId) -> Vec<bool> {
    let mesh = faults.mesh();
    let mut known = vec![None; mesh.nodes() as usize];
    known[to.0 as usize] = Some(!faults.is_faulty(to));
    let mut path = Vec::new();
    for from in mesh.iter_nodes() {
        let mut here = from;
        let is_open = loop {
            if let Some(is_open) = known[here.0 as usize] {
                break is_open;
            }
            path.push(here);
            let port = ecube_port(mesh, here, to);
            match mesh.neighbor(here, port).filter(|_| faults.is_open(here, port)) {
                Some(next) => here = next,
                None => break false,
            }
        };
        path.drain(..).for_each(|node| known[node.0 as usize] = Some(is_open));
    }
    known.into_iter().map(|is_open| is_open == Some(true)).collect()
}

/// Number in place of the misroutes to a node that faults disconnect.
const DISCONNECTED: u16 = u16::MAX;

/// Returns the smallest number of misroutes of a fault-free path from every node to `to`, by node;
/// `u16::MAX` without such a path.
///
/// Cost: the number of links.
pub fn least_misroutes(faults: &BlockFaults, to: NodeId) -> Vec<u16> {
    let mesh = faults.mesh();
    let mut least = vec![DISCONNECTED; mesh.nodes() as usize];
    if faults.is_faulty(to) {
        return least;
    }
    least[to.0 as usize] = 0;
    let mut queue = VecDeque::from([(to, 0)]);
    while let Some((node, count)) = queue.pop_front() {
        if count > least[node.0 as usize] {
            continue;
        }
        for port in iter_ports(faults.open_ports(node)) {
            let Some(before) = mesh.neighbor(node, port) else { continue };
            let is_nearer = mesh.minimal_ports(before, to) & port.opposite().bit() != 0;
            let next = if is_nearer { count } else { (count + 1).min(DISCONNECTED - 1) };
            let known = &mut least[before.0 as usize];
            if next < *known {
                *known = next;
                if is_nearer { queue.push_front((before, next)) } else { queue.push_back((before, next)) }
            }
        }
    }
    least
}
