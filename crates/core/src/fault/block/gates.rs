//! Ways between the notches of fault regions and the rectangles around them (Boppana & Chalasani
//! section VII: regions inscribed in rectangles).
//!
//! Block closure makes live nodes faulty to fill rectangles. Such a node, a notch node, can still send
//! and receive: a search tree leads from it to a gate, a live node outside of all rectangles.

use std::collections::VecDeque;

use super::BlockFaults;
use crate::topology::{NodeId, Port};

/// Rectangles around regions of any shape, and the search trees of the live nodes in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateTrees {
    /// The faults after block closure.
    blocks: BlockFaults,
    /// Port towards the gate, by node; `None` for all but notch nodes.
    up: Vec<Option<Port>>,
    /// Gate of each notch node; the node itself for other nodes.
    gate: Vec<NodeId>,
}

impl GateTrees {
    /// Searches from all live nodes outside of the rectangles `blocks` into the notches of `faults`.
    /// Notch nodes that no path reaches have no gate. Cost: the number of nodes.
    pub(super) fn new(faults: &BlockFaults, blocks: BlockFaults) -> Self {
        let mesh = faults.mesh();
        let (mut up, mut gate) = (vec![None; mesh.nodes() as usize], Vec::new());
        gate.extend(mesh.iter_nodes());
        let mut rest: VecDeque<_> = mesh.iter_nodes().filter(|&node| !blocks.is_faulty(node)).collect();
        while let Some(node) = rest.pop_front() {
            for port in crate::topology::iter_ports(faults.open_ports(node)) {
                let Some(next) = mesh.neighbor(node, port) else { continue };
                let index = next.0 as usize;
                if blocks.is_faulty(next) && up[index].is_none() {
                    (up[index], gate[index]) = (Some(port.opposite()), gate[node.0 as usize]);
                    rest.push_back(next);
                }
            }
        }
        Self { blocks, up, gate }
    }

    /// Returns the faults after block closure.
    #[inline]
    pub fn blocks(&self) -> &BlockFaults {
        &self.blocks
    }

    /// Returns the port of a notch node towards its gate; `None` for other nodes.
    #[inline]
    pub fn up(&self, node: NodeId) -> Option<Port> {
        self.up[node.0 as usize]
    }

    /// Returns the gate of a notch node; other nodes are their own gates.
    #[inline]
    pub fn gate(&self, node: NodeId) -> NodeId {
        self.gate[node.0 as usize]
    }

    /// Returns the port from `here` down the tree towards the notch node `to`; `None` if `here` is not
    /// on the way from the gate to `to`. Cost: the depth of `to`.
    pub fn down(&self, here: NodeId, to: NodeId) -> Option<Port> {
        let mut node = to;
        loop {
            let up = self.up(node)?;
            node = self.blocks.mesh().neighbor(node, up)?;
            if node == here {
                return Some(up.opposite());
            }
        }
    }

    /// Returns the number of live nodes inside the rectangles that have a gate.
    pub fn notch_nodes(&self) -> usize {
        self.up.iter().flatten().count()
    }
}

impl BlockFaults {
    /// Returns the rectangles around the regions, and the ways out of their notches; `None` after block
    /// closure.
    #[inline]
    pub fn gates(&self) -> Option<&GateTrees> {
        self.gates.as_deref()
    }
}
