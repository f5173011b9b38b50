//! Quantities of a network that the formulas of costs use.

use crate::topology::fat_tree::{Profile, TreeChannels};
use crate::topology::{Mesh, Network};

/// A network with the limits that costs depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostNetwork {
    /// The network.
    pub network: Network,
    /// The largest number of hops of a message; `None` without a limit.
    pub path_limit: Option<u64>,
    /// The largest number of fault rings through a node.
    pub rings: u32,
    /// The channels of a fat-tree with their capacities; `None` on other networks.
    pub channels: Option<TreeChannels>,
}

impl CostNetwork {
    /// Creates the quantities of `network` without a limit on paths. Meshes of n dimensions have up
    /// to 2n rings through a node (Boppana & Chalasani section II.C). Fat-trees have the standard
    /// capacities.
    pub fn new(network: Network) -> Self {
        let rings = network.mesh().map_or(0, |mesh| 2 * u32::from(mesh.dimensions()));
        let channels = network.leaves().and_then(|leaves| leaves.channels(&Profile::Standard).ok());
        Self { network, path_limit: None, rings, channels }
    }

    /// Returns the number of dimensions n; on a fat-tree lg n, the number of levels; on a butterfly the
    /// number of levels of links.
    pub fn dimensions(&self) -> u128 {
        match self.network {
            Network::Hypercube(cube) => cube.dimension().into(),
            Network::Mesh(mesh) => mesh.dimensions().into(),
            Network::FatTree(leaves) => leaves.levels().into(),
            Network::Butterfly(butterfly) => butterfly.levels().into(),
        }
    }

    /// Returns the number of nodes; on a fat-tree of processors, on a butterfly of rows.
    pub fn nodes(&self) -> u128 {
        match self.network {
            Network::Hypercube(cube) => 1 << cube.dimension(),
            Network::Mesh(mesh) => mesh.nodes().into(),
            Network::FatTree(leaves) => leaves.processors().into(),
            Network::Butterfly(butterfly) => butterfly.rows().into(),
        }
    }

    /// Returns the number of links at a node, at most.
    pub fn ports(&self) -> u128 {
        match self.network {
            Network::Hypercube(cube) => cube.dimension().into(),
            Network::Mesh(mesh) => dimensions(mesh).map(|(radix, wraps)| ports_along(radix, wraps)).sum(),
            Network::FatTree(_) => 3,
            // Two links to each of the neighbouring levels.
            Network::Butterfly(_) => 4,
        }
    }

    /// Returns the bits of the address of a node: for each dimension the logarithm of its nodes,
    /// rounded up.
    pub fn address_bits(&self) -> u128 {
        match self.network {
            Network::Mesh(mesh) => dimensions(mesh).map(|(radix, _)| bits(radix)).sum(),
            Network::Hypercube(_) | Network::FatTree(_) | Network::Butterfly(_) => self.dimensions(),
        }
    }

    /// Returns the bits of the address of a node relative to another: for each dimension of a mesh
    /// one of the offsets 1 - k to k - 1, of a torus one of k offsets. On a fat-tree a message
    /// turns at most 2 lg n times (Greenberg & Leiserson section 2).
    pub fn relative_address_bits(&self) -> u128 {
        match self.network {
            Network::Hypercube(cube) => cube.dimension().into(),
            Network::Mesh(mesh) => dimensions(mesh).map(|(radix, wraps)| offset_bits(radix, wraps)).sum(),
            Network::FatTree(leaves) => 2 * u128::from(leaves.levels()),
            Network::Butterfly(butterfly) => butterfly.levels().into(),
        }
    }

    /// Returns whether the switches are those of a fat-tree with concentrators. Switches of the
    /// second network have none (Greenberg & Leiserson section 6).
    pub fn has_concentrators(&self) -> bool {
        self.channels.is_some_and(|channels| channels.wire_bits() == 0)
    }

    /// Returns whether the network is a torus.
    pub fn is_torus(&self) -> bool {
        self.network.mesh().is_some_and(Mesh::is_torus)
    }
}

/// Returns the number of nodes of each dimension, and whether it wraps around.
fn dimensions(mesh: Mesh) -> impl Iterator<Item = (u128, bool)> {
    (0..mesh.dimensions()).map(move |dim| (mesh.radix(dim).into(), mesh.wraps(dim)))
}

fn ports_along(radix: u128, wraps: bool) -> u128 {
    match radix {
        0 | 1 => 0,
        2 if !wraps => 1,
        _ => 2,
    }
}

fn offset_bits(radix: u128, wraps: bool) -> u128 {
    bits(if wraps { radix } else { 2 * radix - 1 })
}

/// Returns the bits that distinguish `values` values.
pub(in crate::routing) const fn bits(values: u128) -> u128 {
    if values <= 1 { 0 } else { (u128::BITS - (values - 1).leading_zeros()) as u128 }
}
