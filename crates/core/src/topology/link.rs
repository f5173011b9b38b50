//! Links: each joins a node to a neighbour in one direction.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Hypercube, NodeId};

/// The one-way link out of a node across one dimension of a hypercube, X_i of Chiu, Chalasani & Raghavendra section II.
/// The two directions of an edge are separate links.
///
/// On a mesh, where faults break both directions (Boppana & Chalasani section II.A), the link between a node and its
/// successor along a dimension; its other end is [`super::Mesh::link_end`], and the methods here do not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Link {
    /// The node it leaves.
    pub from: NodeId,
    /// The dimension it crosses, 0 to n-1.
    pub dim: u8,
}

impl Link {
    /// The node it enters.
    pub fn to(self) -> NodeId {
        NodeId(self.from.0 ^ 1u64.wrapping_shl(u32::from(self.dim)))
    }

    /// Whether it is an up-link: its dimension's bit is 0 at the node it leaves.
    pub fn is_up(self) -> bool {
        self.from.0.wrapping_shr(u32::from(self.dim)) & 1 == 0
    }

    /// The same edge in the other direction.
    pub fn reverse(self) -> Self {
        Self { from: self.to(), dim: self.dim }
    }

    /// Reads a link of `cube`, as the paper writes it: `24_1` leaves node 24 across dimension 1. `None` if it is none.
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
