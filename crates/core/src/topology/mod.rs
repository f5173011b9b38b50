//! Networks: nodes, links and coordinates.

mod butterfly;
pub mod fat_tree;
mod hypercube;
mod link;
mod mesh;

pub use butterfly::Butterfly;
pub use hypercube::{Hypercube, set_dimensions};
pub use link::Link;
pub use mesh::{Mesh, Port, PortMask, iter_ports};

use std::fmt;

use serde::{Deserialize, Serialize};

use fat_tree::Leaves;

/// Address of a node.
///
/// The address has 64 bits because a hypercube has up to 2^64 nodes. Networks that store tables use
/// the low 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeId(pub u64);

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl NodeId {
    /// Sentinel for the absence of a node. Only the cube of 64 dimensions has a node with this
    /// address: its last node.
    pub const NONE: Self = Self(u64::MAX);
}

/// Problem of a text that does not have the form of a network.
const NOT_A_NETWORK: &str = "not a network";

/// Returns the limit that a mesh of these `sizes` violates.
fn mesh_problem(sizes: &[u64]) -> String {
    let nodes = sizes.iter().try_fold(1u64, |nodes, &size| nodes.checked_mul(size)).unwrap_or(u64::MAX);
    if sizes.len() > usize::from(Mesh::MAX_DIMENSIONS) {
        format!("a mesh or torus has at most {} dimensions", Mesh::MAX_DIMENSIONS)
    } else if sizes.contains(&0) {
        "a dimension has at least 1 node".to_owned()
    } else if sizes.iter().any(|&size| size > Mesh::MAX_RADIX.into()) {
        format!("a dimension has at most {} nodes", Mesh::MAX_RADIX)
    } else if nodes > Mesh::MAX_NODES.into() {
        format!("a mesh or torus has at most {} nodes", Mesh::MAX_NODES)
    } else if nodes < 2 {
        "a mesh or torus has at least 2 nodes".to_owned()
    } else {
        NOT_A_NETWORK.to_owned()
    }
}

/// Returns the network that a text with another usual name of its family means, such as `ring:8` or
/// `8x8`.
fn similar_network(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let (family, size) = lower.split_once([':', '=', ' ']).unwrap_or(("", &lower));
    let family = match family {
        "hypercube" | "n-cube" | "ncube" | "binary-cube" => "cube",
        "ring" | "torus2d" | "torus3d" => "torus",
        "" | "line" | "array" | "grid" | "mesh2d" | "mesh3d" => "mesh",
        "fat-tree" | "fattree" | "fat_tree" => "tree",
        "bfly" => "butterfly",
        same => same,
    };
    // Sizes as in 8,8, 8*8, 8×8 and 8 by 8.
    let size = size.replace(" by ", "x").replace([',', '*', '×'], "x").replace(' ', "");
    let similar = format!("{family}:{size}");
    (similar != text && Network::parse(&similar).is_some()).then_some(similar)
}

/// A network that Faultlab supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// A binary hypercube.
    Hypercube(Hypercube),
    /// A mesh or a torus.
    Mesh(Mesh),
    /// A fat-tree, whose nodes are its processors, or the second universal network.
    FatTree(Leaves),
    /// A butterfly.
    Butterfly(Butterfly),
}

impl Network {
    /// Syntax accepted by [`Network::parse`].
    pub const ACCEPTED: &'static str = "cube:N, a hypercube of N = 1 to 64 dimensions; mesh:ROWSxCOLUMNS, or such as \
                                        mesh:4x4x4 with up to five dimensions, a mesh of 1 to 1024 nodes in each \
                                        dimension and 2 to 1048576 nodes in total; torus:ROWSxCOLUMNS, a mesh with \
                                        wraparound links; tree:N, a fat-tree of N processors, a power of two from 2 to \
                                        1048576; tree2:N, the second universal network of Greenberg & Leiserson, a \
                                        power of four from 4 to 1048576; tree2-3d:N, this network in three dimensions, \
                                        a power of eight from 8 to 262144; butterfly:N, a butterfly of N = 1 to 16 \
                                        levels of links and 2^N rows";

    /// Parses a network such as `cube:6` or `mesh:16x16`. Returns `None` if the text is not a
    /// network.
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, size) = text.split_once(':')?;
        match kind {
            "cube" => Hypercube::new(size.parse().ok()?).map(Self::Hypercube),
            "mesh" => Mesh::parse(size).map(Self::Mesh),
            "torus" => Mesh::parse(size).map(Mesh::to_torus).map(Self::Mesh),
            "tree" => Leaves::new(size.parse().ok()?).map(Self::FatTree),
            "tree2" => Leaves::new_second(size.parse().ok()?).map(Self::FatTree),
            "tree2-3d" => Leaves::new_second_in_space(size.parse().ok()?).map(Self::FatTree),
            "butterfly" => Butterfly::new(size.parse().ok()?).map(Self::Butterfly),
            _ => None,
        }
    }

    /// Returns the reason why [`Network::parse`] rejects a text, in a few words.
    pub fn parse_problem(text: &str) -> String {
        if let Some(similar) = similar_network(text) {
            return format!("{NOT_A_NETWORK}; use {similar}");
        }
        let Some((kind, size)) = text.split_once(':') else { return NOT_A_NETWORK.to_owned() };
        let sizes: Result<Vec<u64>, _> = size.split('x').map(str::parse).collect();
        match (kind, sizes.as_deref()) {
            ("mesh" | "torus", Ok(sizes)) => mesh_problem(sizes),
            ("mesh" | "torus", Err(_)) => "a size is not a whole number".to_owned(),
            ("cube", Ok([0])) => "a hypercube has at least 1 dimension".to_owned(),
            ("cube", Ok([_])) => format!("a hypercube has at most {} dimensions", Hypercube::MAX_DIMENSION),
            ("tree", Ok([_])) => "the number of processors is a power of two from 2 to 1048576".to_owned(),
            ("tree2", Ok([_])) => "the number of processors is a power of four from 4 to 1048576".to_owned(),
            ("tree2-3d", Ok([_])) => "the number of processors is a power of eight from 8 to 262144".to_owned(),
            ("butterfly", Ok([_])) => format!("a butterfly has 1 to {} levels of links", Butterfly::MAX_LEVELS),
            _ => NOT_A_NETWORK.to_owned(),
        }
    }

    /// Returns the hypercube; `None` for other networks.
    pub fn cube(self) -> Option<Hypercube> {
        match self {
            Self::Hypercube(cube) => Some(cube),
            Self::Mesh(_) | Self::FatTree(_) | Self::Butterfly(_) => None,
        }
    }

    /// Returns the mesh; `None` for other networks.
    pub fn mesh(self) -> Option<Mesh> {
        match self {
            Self::Mesh(mesh) => Some(mesh),
            Self::Hypercube(_) | Self::FatTree(_) | Self::Butterfly(_) => None,
        }
    }

    /// Returns the hypercube of `dimension` dimensions, for constants.
    ///
    /// # Panics
    ///
    /// Panics if there is no such hypercube; for a constant, at compile time.
    pub const fn const_cube(dimension: u8) -> Self {
        match Hypercube::new(dimension) {
            Some(cube) => Self::Hypercube(cube),
            None => unreachable!(),
        }
    }

    /// Returns the mesh of `rows` x `columns` nodes, for constants.
    ///
    /// # Panics
    ///
    /// Panics if there is no such mesh; for a constant, at compile time.
    pub const fn const_mesh(rows: u16, columns: u16) -> Self {
        match Mesh::new(rows, columns) {
            Some(mesh) => Self::Mesh(mesh),
            None => unreachable!(),
        }
    }

    /// Returns the fat-tree of `processors` processors, for constants.
    ///
    /// # Panics
    ///
    /// Panics if there is no such fat-tree; for a constant, at compile time.
    pub const fn const_tree(processors: u64) -> Self {
        match fat_tree::Leaves::new(processors) {
            Some(leaves) => Self::FatTree(leaves),
            None => unreachable!(),
        }
    }

    /// Returns the mesh for wormhole switching: the network itself, or a hypercube of up to
    /// [`Mesh::CUBE_DIMENSIONS`] dimensions as the (2, n)-mesh.
    pub fn wormhole_mesh(self) -> Option<Mesh> {
        match self {
            Self::Hypercube(cube) => Mesh::from_cube(cube.dimension()),
            other => other.mesh(),
        }
    }

    /// Returns the processors of the fat-tree; `None` for other networks.
    pub fn leaves(self) -> Option<Leaves> {
        match self {
            Self::FatTree(leaves) => Some(leaves),
            Self::Hypercube(_) | Self::Mesh(_) | Self::Butterfly(_) => None,
        }
    }

    /// Returns the butterfly; `None` for other networks.
    pub fn butterfly(self) -> Option<Butterfly> {
        match self {
            Self::Butterfly(butterfly) => Some(butterfly),
            Self::Hypercube(_) | Self::Mesh(_) | Self::FatTree(_) => None,
        }
    }

    /// Returns the highest address: the number of nodes minus one.
    pub fn last_node(self) -> NodeId {
        match self {
            Self::Hypercube(cube) => NodeId(cube.mask()),
            Self::Mesh(mesh) => NodeId(u64::from(mesh.nodes()) - 1),
            Self::FatTree(leaves) => NodeId(u64::from(leaves.processors()) - 1),
            Self::Butterfly(butterfly) => NodeId(u64::from(butterfly.nodes()) - 1),
        }
    }

    /// Returns whether `node` is in the network.
    pub fn contains(self, node: NodeId) -> bool {
        node <= self.last_node()
    }

    /// Returns the number of nodes other than a source and a destination.
    pub fn inner_node_count(self) -> u64 {
        self.last_node().0 - 1
    }

    /// Returns the number of links that can be faulty; in a hypercube, one-way links are counted.
    /// `None` if the number exceeds a `u64`.
    pub fn link_count(self) -> Option<u64> {
        match self {
            Self::Hypercube(cube) => cube.links(),
            Self::Mesh(mesh) => Some(u64::from(mesh.links())),
            // Fat-trees have wire faults instead, butterflies only node faults.
            Self::FatTree(_) | Self::Butterfly(_) => Some(0),
        }
    }

    /// Returns whether `link` is a link of the network.
    pub fn has_link(self, link: Link) -> bool {
        match self {
            Self::Hypercube(cube) => cube.contains(link.from) && link.dim < cube.dimension(),
            Self::Mesh(mesh) => mesh.link_end(link).is_some(),
            Self::FatTree(_) | Self::Butterfly(_) => false,
        }
    }

    /// Returns the number of hops of a minimal path.
    pub fn distance(self, a: NodeId, b: NodeId) -> u32 {
        match self {
            Self::Hypercube(cube) => cube.distance(a, b),
            Self::Mesh(mesh) => mesh.distance(a, b),
            // The path leads up to the lowest common ancestor and down. Hops are levels of a binary
            // tree, also in the second network, which has half or a third as many levels.
            Self::FatTree(_) => 2 * (u64::BITS - (a.0 ^ b.0).leading_zeros()),
            Self::Butterfly(butterfly) => butterfly.distance(a, b),
        }
    }

    /// Returns the largest distance of two nodes; in a hypercube, its dimension.
    pub fn diameter(self) -> u32 {
        match self {
            Self::Mesh(mesh) => mesh.diameter(),
            // From an input to another one whose row differs in the last bit.
            Self::Butterfly(butterfly) => 2 * u32::from(butterfly.levels()),
            _ => self.distance(NodeId(0), self.last_node()),
        }
    }

    /// Returns the node opposite `node`: its antipode in a hypercube, its reflection at the middle
    /// of a mesh, which may be `node` itself.
    pub fn opposite(self, node: NodeId) -> NodeId {
        NodeId(self.last_node().0.wrapping_sub(node.0))
    }

    /// Formats `node` as in experiment texts, the inverse of [`Network::parse_node`].
    pub fn format_node(self, node: NodeId) -> String {
        match self {
            Self::Hypercube(_) | Self::FatTree(_) => node.to_string(),
            Self::Mesh(mesh) => mesh.format_node(node),
            Self::Butterfly(butterfly) => butterfly.format_node(node),
        }
    }

    /// Parses a node, as [`Hypercube::parse_node`] or [`Mesh::parse_node`].
    pub fn parse_node(self, text: &str) -> Option<NodeId> {
        match self {
            Self::Hypercube(cube) => cube.parse_node(text),
            Self::Mesh(mesh) => mesh.parse_node(text),
            Self::FatTree(_) => text.parse().ok().map(NodeId).filter(|&node| self.contains(node)),
            Self::Butterfly(butterfly) => butterfly.parse_node(text),
        }
    }

    /// Formats `link` as in experiment texts, the inverse of [`Network::parse_link`].
    pub fn format_link(self, link: Link) -> String {
        match self {
            Self::Hypercube(_) | Self::FatTree(_) | Self::Butterfly(_) => link.to_string(),
            Self::Mesh(mesh) => mesh.format_link(link),
        }
    }

    /// Parses a link, as [`Link::parse`] or [`Mesh::parse_link`].
    pub fn parse_link(self, text: &str) -> Option<Link> {
        match self {
            Self::Hypercube(cube) => Link::parse(cube, text),
            Self::Mesh(mesh) => mesh.parse_link(text),
            Self::FatTree(_) | Self::Butterfly(_) => None,
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hypercube(cube) => write!(f, "cube:{}", cube.dimension()),
            Self::Mesh(mesh) if mesh.is_torus() => write!(f, "torus:{mesh}"),
            Self::Mesh(mesh) => write!(f, "mesh:{mesh}"),
            Self::FatTree(leaves) => leaves.fmt(f),
            Self::Butterfly(butterfly) => write!(f, "butterfly:{}", butterfly.levels()),
        }
    }
}
