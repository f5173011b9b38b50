//! Links between neighbouring nodes.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Hypercube, NodeId};

/// A one-way link out of a node across one dimension of a hypercube, X_i of Chiu, Chalasani &
/// Raghavendra section II. The two directions of an edge are separate links.
///
/// On a mesh, faults affect both directions (Boppana & Chalasani section II.A), and a link joins a
/// node and its successor along a dimension. [`super::Mesh::link_end`] returns the other end of
/// such a link; the methods of this type do not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Link {
    /// Node that the link leaves.
    pub from: NodeId,
    /// Dimension that the link crosses, 0 to n-1.
    pub dim: u8,
}

impl Link {
    /// Returns the node that the link enters.
    pub fn end(self) -> NodeId {
        NodeId(self.from.0 ^ 1u64.wrapping_shl(u32::from(self.dim)))
    }

    /// Returns whether the link is an up-link: the bit of its dimension is 0 at the node it leaves.
    pub fn is_up(self) -> bool {
        self.from.0.wrapping_shr(u32::from(self.dim)) & 1 == 0
    }

    /// Returns the link of the same edge in the opposite direction.
    pub fn reverse(self) -> Self {
        Self { from: self.end(), dim: self.dim }
    }

    /// Parses a link of `cube` in the notation of the paper: `24_1` leaves node 24 across dimension
    /// one. Returns `None` if the text is not such a link.
    pub fn parse(cube: Hypercube, text: &str) -> Option<Self> {
        let (node, dim) = text.split_once('_')?;
        let plain = dim.bytes().all(|byte| byte.is_ascii_digit());
        let dim = dim.parse().ok().filter(|&dim: &u8| plain && dim < cube.dimension())?;
        Some(Self { from: cube.parse_node(node)?, dim })
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.from, self.dim)
    }
}
