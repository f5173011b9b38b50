//! What the network is: nodes, links, coordinates.

mod hypercube;
mod link;

pub use hypercube::{Hypercube, dimensions_of};
pub use link::Link;

use std::fmt;

/// A node's address.
///
/// 64 bits wide because a hypercube has up to 2^64 nodes; networks that keep tables use its low 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u64);

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl NodeId {
    /// No node of any network whose nodes are counted; in the cube of 64 dimensions, its last one.
    pub const NONE: Self = Self(u64::MAX);
}

/// Any network that Faultlab knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// A binary hypercube.
    Hypercube(Hypercube),
}

impl Network {
    /// What [`Network::parse`] accepts.
    pub const ACCEPTED: &'static str = "cube:N, a hypercube of N = 1 to 64 dimensions";

    /// Reads a network from its text, such as `cube:6`. `None` if it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, size) = text.split_once(':')?;
        match kind {
            "cube" => Hypercube::new(size.parse().ok()?).map(Self::Hypercube),
            _ => None,
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hypercube(cube) => write!(f, "cube:{}", cube.dimension()),
        }
    }
}
