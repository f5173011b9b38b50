//! Load factor of traffic on any network (Greenberg & Leiserson, section 2): the largest ratio of
//! the messages that must cross a cut to its wires, over all cuts.
//!
//! On fat-trees the channels are enough ([`super::fat_tree::LoadFactor`], Lemma 1). On other
//! networks small ones are searched completely. Larger ones get a cut, which is a lower bound, and
//! a routing, whose largest channel load is an upper bound.

mod cuts;
mod problem;
mod routes;

pub use problem::LoadProblem;

use cuts::Cut;

use super::MAX_LOAD_NODES;
use crate::fault::BlockFaults;
use crate::topology::{Mesh, NodeId};
use crate::traffic::{LiveNodes, Pair, Pattern};

/// Maximum number of nodes for which all cuts are examined.
pub const MAX_ALL_CUTS_NODES: usize = 18;

/// Load factor of messages on a network, or bounds on it.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkLoadFactor {
    /// Messages that must cross the cut with the largest ratio found.
    pub load: f64,
    /// Wires of this cut, from its nodes to the others; the capacity of a channel is one wire.
    pub wires: u32,
    /// Nodes on the sending side of the cut, ascending.
    pub side: Vec<u32>,
    /// Largest channel load of the best routing found, in messages; no load factor exceeds it.
    pub routed: f64,
    /// True if all cuts were examined.
    pub all_cuts: bool,
}

impl NetworkLoadFactor {
    /// Computes the load factor of `problem`.
    ///
    /// `sides` are sets of nodes, as flags by node, from which the search for a cut starts on
    /// networks of more than [`MAX_ALL_CUTS_NODES`] nodes. Returns `None` unless messages must
    /// cross a cut. Cost: 2^nodes steps on small networks; on larger ones the nodes times the
    /// channels, a few times, and the channels for each start.
    pub fn new(problem: &LoadProblem, sides: impl Iterator<Item = Vec<bool>>) -> Option<Self> {
        let all_cuts = problem.nodes() <= MAX_ALL_CUTS_NODES;
        let best = if all_cuts { cuts::best_of_all(problem) } else { cuts::search(problem, sides) }?;
        // The sums of a search have rounding errors; those of a cut alone have none that grow.
        let cut = Cut::new(problem, best);
        let side = (0..).zip(cut.inside()).filter(|&(_, &inside)| inside).map(|(node, _)| node).collect();
        let routed = routes::smallest_channel_load(problem, cut.ratio());
        Some(Self { load: cut.load(), wires: cut.wires(), side, routed, all_cuts })
    }

    /// Returns the largest ratio found, in messages per wire.
    pub fn value(&self) -> f64 {
        cuts::ratio(self.load, self.wires.into())
    }

    /// Returns whether [`NetworkLoadFactor::value`] is the load factor: all cuts were examined, or
    /// a routing attains the value. Otherwise the load factor is at least the value and at most
    /// [`NetworkLoadFactor::routed`].
    pub fn is_exact(&self) -> bool {
        self.all_cuts || self.routed <= self.value() * (1.0 + 1e-9)
    }
}

/// Load factor of messages between the nodes that take part in a network with faults.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshLoadFactor {
    /// Load factor; its nodes are numbers of [`MeshLoadFactor::nodes`].
    pub found: NetworkLoadFactor,
    /// Nodes that take part, ascending.
    pub nodes: Vec<NodeId>,
}

impl MeshLoadFactor {
    /// Computes the load factor of one message from each node that takes part in `faults`, by
    /// `pattern`.
    ///
    /// Random destinations count with their probabilities. Messages to nodes that take no part are
    /// refused and do not count. Returns `None` on networks of more than [`MAX_LOAD_NODES`] nodes,
    /// where no message is sent, and if the pattern contains a random permutation, whose load
    /// depends on the run. Cost: as [`NetworkLoadFactor::new`].
    pub fn from_pattern(faults: &BlockFaults, pattern: &Pattern) -> Option<Self> {
        if pattern.contains_random_permutation() {
            return None;
        }
        let mesh = faults.mesh();
        let live = LiveNodes::from_flags(mesh.iter_nodes().map(|node| faults.is_member(node)));
        Self::new(faults, |problem, _| problem.add_pattern(mesh, pattern, &live))
    }

    /// Computes the load factor of listed messages; those with an end that takes no part do not
    /// count.
    ///
    /// Returns `None` and costs as [`MeshLoadFactor::from_pattern`].
    pub fn from_messages(faults: &BlockFaults, messages: impl Iterator<Item = Pair>) -> Option<Self> {
        Self::new(faults, |problem, number| {
            for Pair { from, to } in messages {
                if let (Some(from), Some(to)) = (number(from), number(to)) {
                    problem.add_messages(from, to, 1.0);
                }
            }
        })
    }

    fn new(
        faults: &BlockFaults,
        add_messages: impl FnOnce(&mut LoadProblem, &dyn Fn(NodeId) -> Option<u32>),
    ) -> Option<Self> {
        let mesh = faults.mesh();
        if mesh.nodes() > MAX_LOAD_NODES {
            return None;
        }
        let nodes: Vec<NodeId> = faults.members().collect();
        let number = |node: NodeId| nodes.binary_search(&node).ok().map(|number| number as u32);
        // By ports, so that the first and the last channels into a node are those of dimension orders.
        let open = |port| nodes.iter().filter(move |&&from| faults.is_open(from, port)).map(move |&from| (from, port));
        let ends = |(from, port)| Some([number(from)?, number(mesh.neighbor(from, port)?)?]);
        let channels: Vec<_> = mesh.ports().flat_map(open).filter_map(ends).collect();
        let mut problem = LoadProblem::new(nodes.len(), &channels);
        add_messages(&mut problem, &number);
        let sides = boxes(mesh).map(|inside| nodes.iter().map(|node| inside[node.0 as usize]).collect());
        Some(Self { found: NetworkLoadFactor::new(&problem, sides)?, nodes })
    }

    /// Returns the nodes on the sending side of the cut, ascending.
    pub fn side(&self) -> impl Iterator<Item = NodeId> {
        self.found.side.iter().filter_map(|&number| self.nodes.get(number as usize).copied())
    }
}

/// Maximum number of places along a dimension at which boxes begin and end.
const MAX_PLACES: u16 = 16;

/// Returns the sets of nodes of a mesh that are intervals along one dimension, or boxes at a border
/// along two dimensions, as flags by node.
fn boxes(mesh: Mesh) -> impl Iterator<Item = Vec<bool>> {
    let intervals = move |dim: u8| {
        let radix = mesh.radix(dim);
        let step = usize::from(radix.div_ceil(MAX_PLACES));
        let ends = move |from: u16| (from..=radix).step_by(step).skip(1).chain((from < radix).then_some(radix));
        (0..radix).step_by(step).flat_map(move |from| ends(from).map(move |to| (from, to)))
    };
    let flags = move |bounds: &[(u8, (u16, u16))]| -> Vec<bool> {
        let inside = |node| {
            let at = |dim| mesh.coordinate(node, dim);
            bounds.iter().all(|&(dim, (from, to))| from <= at(dim) && at(dim) < to)
        };
        mesh.iter_nodes().map(inside).collect()
    };
    let lines = (0..mesh.dimensions()).flat_map(move |dim| intervals(dim).map(move |bounds| flags(&[(dim, bounds)])));
    let pairs = (0..mesh.dimensions()).flat_map(move |high| (0..high).map(move |low| (low, high)));
    let corners = pairs.flat_map(move |(low, high)| {
        let at_border = move |dim| intervals(dim).filter(move |&(from, to)| from == 0 || to == mesh.radix(dim));
        at_border(low).flat_map(move |first| at_border(high).map(move |second| flags(&[(low, first), (high, second)])))
    });
    lines.chain(corners)
}

#[cfg(test)]
mod tests;
