//! Networks whose node numbers define permutations such as complement and transpose.

use crate::topology::{Hypercube, Mesh, NodeId};

/// Network on which traffic patterns are defined: its nodes are numbered from 0, and each has an
/// image under every permutation.
pub trait AddressPermutations: Copy {
    /// Returns whether the network contains `node`.
    fn contains(self, node: NodeId) -> bool;

    /// Returns the number of bits of the node numbers, or `None` if the number of nodes is not a
    /// power of two.
    fn address_bits(self) -> Option<u8>;

    /// Returns the node opposite `node`.
    fn opposite(self, node: NodeId) -> NodeId;

    /// Returns `node` with the two halves of its address exchanged, or `None` if the network has no
    /// such halves.
    fn transposed(self, node: NodeId) -> Option<NodeId>;

    /// Returns `node` with the bits of its number reversed, or `None` if the number of nodes is not
    /// a power of two.
    fn reversed(self, node: NodeId) -> Option<NodeId>;
}

impl AddressPermutations for Hypercube {
    fn contains(self, node: NodeId) -> bool {
        self.contains(node)
    }

    fn address_bits(self) -> Option<u8> {
        Some(self.dimension())
    }

    fn opposite(self, node: NodeId) -> NodeId {
        self.antipode(node)
    }

    /// Rotates the address by floor(n/2) bits, which exchanges its halves for even n.
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

impl AddressPermutations for Mesh {
    fn contains(self, node: NodeId) -> bool {
        self.contains(node)
    }

    fn address_bits(self) -> Option<u8> {
        self.nodes().is_power_of_two().then(|| self.nodes().trailing_zeros() as u8)
    }

    /// Replaces every coordinate by its distance from the highest one.
    fn opposite(self, node: NodeId) -> NodeId {
        NodeId(u64::from(self.nodes() - 1) - node.0)
    }

    /// Exchanges row and column; `None` unless the mesh is square. A mesh that is a hypercube uses
    /// the hypercube's rule.
    fn transposed(self, node: NodeId) -> Option<NodeId> {
        if let Some(cube) = self.cube() {
            return cube.transposed(node);
        }
        let (row, column) = self.row_and_column(node);
        if self.rows() == self.columns() { self.node(column, row) } else { None }
    }

    fn reversed(self, node: NodeId) -> Option<NodeId> {
        let bits = self.nodes().trailing_zeros();
        self.nodes().is_power_of_two().then(|| NodeId(node.0.reverse_bits() >> (64 - bits)))
    }
}
