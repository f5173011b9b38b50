//! Networks whose nodes have numbers that permutations of them can be told by.

use crate::topology::{Hypercube, Mesh, NodeId};

/// A network as patterns of traffic see it: nodes counted from 0, and the mirror images of one.
pub trait Addresses: Copy {
    /// Whether `node` is one of its nodes.
    fn has(self, node: NodeId) -> bool;

    /// The node opposite of `node`.
    fn opposite(self, node: NodeId) -> NodeId;

    /// `node` with the two halves of its address exchanged; `None` if the network has no such halves.
    fn transposed(self, node: NodeId) -> Option<NodeId>;

    /// `node` with the bits of its number read backwards; `None` if the number of nodes is no power of two.
    fn reversed(self, node: NodeId) -> Option<NodeId>;
}

impl Addresses for Hypercube {
    fn has(self, node: NodeId) -> bool {
        self.contains(node)
    }

    fn opposite(self, node: NodeId) -> NodeId {
        self.antipode(node)
    }

    /// The address rotated by floor(n/2) bits: for even n its halves change places.
    fn transposed(self, node: NodeId) -> Option<NodeId> {
        let (n, bits) = (u32::from(self.dimension()), node.0 & self.mask());
        let (left, right) = (n / 2, n - n / 2);
        Some(NodeId((bits << left | bits.checked_shr(right).unwrap_or(0)) & self.mask()))
    }

    fn reversed(self, node: NodeId) -> Option<NodeId> {
        let (n, bits) = (u32::from(self.dimension()), node.0 & self.mask());
        Some(NodeId(bits.reverse_bits() >> (64 - n)))
    }
}

impl Addresses for Mesh {
    fn has(self, node: NodeId) -> bool {
        self.contains(node)
    }

    /// Both coordinates counted from the other side.
    fn opposite(self, node: NodeId) -> NodeId {
        NodeId(u64::from(self.nodes() - 1) - node.0)
    }

    /// Row and column exchanged; a mesh that is not square has no such node. A hypercube's is its own.
    fn transposed(self, node: NodeId) -> Option<NodeId> {
        if let Some(cube) = self.cube() {
            return cube.transposed(node);
        }
        let (row, column) = self.place(node);
        if self.rows() == self.columns() { self.node(column, row) } else { None }
    }

    fn reversed(self, node: NodeId) -> Option<NodeId> {
        let bits = self.nodes().trailing_zeros();
        self.nodes().is_power_of_two().then(|| NodeId(node.0.reverse_bits() >> (64 - bits)))
    }
}
