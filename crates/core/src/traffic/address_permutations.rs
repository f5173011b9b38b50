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

    /// Returns `node` with `shift(k)` added to each coordinate, modulo the k nodes in its dimension,
    /// or `None` if no dimension has more than two nodes.
    fn shifted(self, node: NodeId, shift: impl Fn(u16) -> u16) -> Option<NodeId>;
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

    fn shifted(self, _: NodeId, _: impl Fn(u16) -> u16) -> Option<NodeId> {
        None
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

    fn shifted(self, node: NodeId, shift: impl Fn(u16) -> u16) -> Option<NodeId> {
        let dimensions = || 0..self.dimensions();
        let moved = |node, dim| {
            let radix = self.radix(dim);
            self.with_coordinate(node, dim, (self.coordinate(node, dim) + shift(radix)) % radix)
        };
        dimensions().any(|dim| self.radix(dim) > 2).then(|| dimensions().fold(node, moved))
    }
}
