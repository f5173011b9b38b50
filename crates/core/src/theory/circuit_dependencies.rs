//! Dependencies and arrivals of circuits in a hypercube with faults, over all pairs and all
//! choices.

use std::collections::HashMap;

use super::dependency::{ChannelId, DependencyGraph, hypercube_channel};
use super::state_space::{NO_STATE, RouteOutcome};
use super::wait_graph::{DestinationStates, WaitGraph};
use super::worm_dependencies::DeliveryOutcomes;
use crate::fault::BlockFaults;
use crate::routing::{CircuitRouting, Header, Links, Position};
use crate::topology::{Hypercube, NodeId, Port, set_dimensions};
use crate::traffic::Pair;

/// Returns the dependency graph and the arrivals of circuits that `routing` sets up between all
/// connected nodes of a hypercube with `faults`.
///
/// A dependency leads from a link that a message holds to a link that the message may wait for. As
/// in Chiu, Chalasani & Raghavendra section IV, the links that lead to a destination are known to
/// every node. `None` if the network is not a hypercube. Cost: n 4^n for each header.
pub fn circuit_dependencies(
    faults: &BlockFaults,
    routing: &CircuitRouting,
) -> Option<(DependencyGraph, DeliveryOutcomes)> {
    let cube = faults.mesh().cube()?;
    let mut graph = DependencyGraph::new((cube.mask() as u32 + 1) * u32::from(cube.dimension()));
    let mut arrivals = DeliveryOutcomes::default();
    for to in faults.members() {
        let ways = CircuitStateSpace::to(cube, faults, routing, to);
        let mut starts = Vec::new();
        for from in faults.members().filter(|&from| from != to) {
            let headers = (0..routing.first_headers()).map(Header);
            let leading: Vec<_> = headers.filter(|&header| ways.legal(from, header) != 0).collect();
            let distance = cube.distance(from, to);
            let fate = if leading.is_empty() { RouteOutcome::Lost } else { RouteOutcome::Arrives(distance) };
            arrivals.count(Pair { from, to }, fate, distance);
            starts.extend(leading.into_iter().map(|header| (from, header)));
        }
        ways.for_each_link(starts, |held, here, wanted| {
            for dim in set_dimensions(wanted) {
                graph.add(hypercube_channel(cube, held.0, held.1), hypercube_channel(cube, here, dim));
            }
        });
    }
    Some((graph, arrivals))
}

/// Returns the states in which circuits hold links on cycles of `graph`, the dependency graph of
/// the same arguments.
///
/// `None` if the network is not a hypercube or there are too many states. Cost: as
/// [`circuit_dependencies`].
pub(super) fn circuit_states(
    faults: &BlockFaults,
    routing: &CircuitRouting,
    graph: &DependencyGraph,
) -> Option<WaitGraph> {
    let cube = faults.mesh().cube()?;
    let (mut all, mut states) = (WaitGraph::new(graph), DestinationStates::default());
    for to in faults.members() {
        CircuitStateSpace::to(cube, faults, routing, to).list(&mut states);
        all.add(&states)?;
    }
    Some(all)
}

/// State of a circuit during setup: its node, its header, and the last link that it holds.
type CircuitState = (NodeId, Header, Option<(NodeId, u8)>);

/// State space of circuits to one destination.
struct CircuitStateSpace<'r> {
    cube: Hypercube,
    faults: &'r BlockFaults,
    routing: &'r CircuitRouting,
    to: NodeId,
    /// Legal dimensions that lead to the destination, as a mask, for each node and header.
    legal: Vec<u64>,
}

impl<'r> CircuitStateSpace<'r> {
    fn to(cube: Hypercube, faults: &'r BlockFaults, routing: &'r CircuitRouting, to: NodeId) -> Self {
        let states = (cube.mask() as usize + 1) * usize::from(routing.headers());
        let mut ways = Self { cube, faults, routing, to, legal: vec![0; states] };
        // A hop clears a bit of `wrong`, so it leads to a smaller number.
        for wrong in 1..=cube.mask() {
            for header in (0..routing.headers()).map(Header) {
                let at = Position { here: NodeId(to.0 ^ wrong), wrong, header };
                if !faults.is_faulty(at.here) {
                    let place = ways.state_index(at.here, header);
                    ways.legal[place] = ways.leading(at);
                }
            }
        }
        ways
    }

    fn links(&self, here: NodeId) -> Links {
        let open = |dim: &u8| self.faults.is_open(here, Port::along(*dim, here.0 >> dim & 1 == 0));
        let live = (0..self.cube.dimension()).filter(open).fold(0, |mask, dim| mask | 1 << dim);
        Links { all: self.cube.mask(), live }
    }

    fn leading(&self, at: Position) -> u64 {
        let links = self.links(at.here);
        let leads = |&dim: &u8| {
            let next = self.cube.neighbor(at.here, dim);
            next == self.to || self.legal(next, self.routing.header_after(at, links, dim)) != 0
        };
        self.routing.legal(at, links, |legal| {
            set_dimensions(legal & links.live).filter(leads).fold(0, |mask, dim| mask | 1 << dim)
        })
    }

    fn state_index(&self, node: NodeId, header: Header) -> usize {
        node.0 as usize * usize::from(self.routing.headers()) + usize::from(header.0)
    }

    fn legal(&self, node: NodeId, header: Header) -> u64 {
        self.legal[self.state_index(node, header)]
    }

    /// Calls `see` for every link that a message from one of `starts` may hold: node and dimension,
    /// the next node, and the dimensions it may wait for there.
    fn for_each_link(&self, starts: Vec<(NodeId, Header)>, mut see: impl FnMut((NodeId, u8), NodeId, u64)) {
        let (mut rest, mut known) = (starts, vec![false; self.legal.len()]);
        while let Some((here, header)) = rest.pop() {
            if std::mem::replace(&mut known[self.state_index(here, header)], true) {
                continue;
            }
            let at = Position { here, wrong: here.0 ^ self.to.0, header };
            let links = self.links(here);
            for dim in set_dimensions(self.legal(here, header)) {
                let (next, header) = (self.cube.neighbor(here, dim), self.routing.header_after(at, links, dim));
                if next != self.to {
                    see((here, dim), next, self.legal(next, header));
                    rest.push((next, header));
                }
            }
        }
    }

    /// Lists every state that a circuit can reach, with the links that it may wait for there.
    fn list(&self, states: &mut DestinationStates) {
        states.clear(self.to);
        let mut rest: Vec<(CircuitState, NodeId)> = Vec::new();
        let mut numbers = HashMap::new();
        for from in self.faults.members().filter(|&from| from != self.to) {
            for header in (0..self.routing.first_headers()).map(Header) {
                if self.legal(from, header) != 0 {
                    numbers.insert((from, header, None), rest.len() as u32);
                    rest.push(((from, header, None), from));
                }
            }
        }
        let mut at = 0;
        while let Some(&((here, header, held), source)) = rest.get(at) {
            at += 1;
            let position = Position { here, wrong: here.0 ^ self.to.0, header };
            let links = self.links(here);
            let mut choices: Vec<(ChannelId, u32)> = Vec::new();
            for dim in set_dimensions(self.legal(here, header)) {
                let next = self.cube.neighbor(here, dim);
                let state = (next, self.routing.header_after(position, links, dim), Some((here, dim)));
                let number = if next == self.to {
                    NO_STATE
                } else {
                    *numbers.entry(state).or_insert_with(|| {
                        rest.push((state, source));
                        rest.len() as u32 - 1
                    })
                };
                choices.push((hypercube_channel(self.cube, here, dim), number));
            }
            states.push(held.map(|(node, dim)| hypercube_channel(self.cube, node, dim)), source, choices);
        }
    }
}
