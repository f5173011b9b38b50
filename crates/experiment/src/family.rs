//! Families of networks.

use faultlab_core::topology::Network;

/// Family of networks that differ only in size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkFamily {
    /// Binary hypercubes.
    Hypercube,
    /// Meshes.
    Mesh,
    /// Tori.
    Torus,
    /// Fat-trees, and the second universal network.
    FatTree,
    /// Butterflies.
    Butterfly,
}

impl NetworkFamily {
    /// All families, each with its id in the texts of networks and its display name.
    pub const ALL: [(Self, &'static str, &'static str); 5] = [
        (Self::Hypercube, "cube", "hypercube"),
        (Self::Mesh, "mesh", "mesh"),
        (Self::Torus, "torus", "torus"),
        (Self::FatTree, "tree", "fat-tree"),
        (Self::Butterfly, "butterfly", "butterfly"),
    ];

    /// Returns the family of a network.
    pub fn from_network(network: Network) -> Self {
        match network {
            Network::Hypercube(_) => Self::Hypercube,
            Network::Mesh(mesh) if mesh.is_torus() => Self::Torus,
            Network::Mesh(_) => Self::Mesh,
            Network::FatTree(_) => Self::FatTree,
            Network::Butterfly(_) => Self::Butterfly,
        }
    }

    /// Returns the id used in the texts of networks.
    pub fn id(self) -> &'static str {
        Self::ALL.iter().find(|(family, ..)| *family == self).map_or("", |(_, id, _)| id)
    }
}
