//! The experiments with which the page opens a kind on a family of networks.

use super::{Experiment, Kind};
use crate::topology::Network;

/// Networks of one family are alike but for their size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Binary hypercubes.
    Hypercube,
    /// Meshes.
    Mesh,
    /// Tori.
    Torus,
    /// Fat-trees, and the second universal network.
    FatTree,
}

impl Family {
    /// All, each with its id in the texts of networks and its name for people.
    pub const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Hypercube, "cube", "hypercube"),
        (Self::Mesh, "mesh", "mesh"),
        (Self::Torus, "torus", "torus"),
        (Self::FatTree, "tree", "fat-tree"),
    ];

    /// That of a network.
    pub fn of(network: Network) -> Self {
        match network {
            Network::Hypercube(_) => Self::Hypercube,
            Network::Mesh(mesh) if mesh.is_torus() => Self::Torus,
            Network::Mesh(_) => Self::Mesh,
            Network::FatTree(_) => Self::FatTree,
        }
    }

    /// Its id in the texts of networks.
    pub fn id(self) -> &'static str {
        Self::ALL.iter().find(|(family, ..)| *family == self).map_or("", |(_, id, _)| id)
    }
}

/// The experiment with which a kind opens on such a network: one that can be taken in at a glance, and starts at once. `None` if it
/// does not run there.
pub fn opening(kind: &Kind, family: Family) -> Option<Experiment> {
    OPENINGS.iter().filter(|(id, ..)| *id == kind.id).find(|(_, of, _)| *of == family)?.2.parse().ok()
}

const OPENINGS: [(&str, Family, &str); 9] = [
    ("message", Family::Hypercube, "faults=nodes:0.3&sample=11"),
    ("circuit", Family::Hypercube, "net=cube:4&switch=circuit&rate=0.3&layout=cube"),
    ("wormhole", Family::Mesh, "net=mesh:8x8&switch=wormhole&break=3.3,3.4&load=0.3"),
    ("wormhole", Family::Torus, "net=torus:8x8&switch=wormhole&break=3.3,3.4,4.3,4.4&load=0.3"),
    ("wormhole", Family::Hypercube, "net=cube:4&switch=wormhole&load=0.3"),
    ("permutation", Family::Hypercube, "net=cube:4&switch=permutation"),
    ("batch", Family::Hypercube, "net=cube:4&switch=batch"),
    ("delivery", Family::FatTree, "net=tree:16&switch=delivery"),
    ("pairs", Family::Hypercube, "net=cube:4&switch=pairs&break=4_1"),
];

/// What is varied where nobody has said what.
const VARIED: [(&str, &str); 6] = [
    ("circuit", "rate"),
    ("wormhole", "load"),
    ("permutation", "n"),
    ("batch", "length"),
    ("delivery", "leaves"),
    ("pairs", "f"),
];

impl Experiment {
    /// The same with the obvious parameter varied, if nothing is: the one of its kind's best-known curve.
    pub fn with_a_curve(&self) -> Self {
        if self.vary.is_some() {
            return self.clone();
        }
        let kind = self.kind();
        let known = VARIED.iter().filter(|(id, _)| *id == kind.id).map(|(_, parameter)| *parameter);
        let curves = known.chain(kind.parameters.iter().map(|parameter| parameter.id)).map(|id| self.varying(id));
        // A node that is broken by hand does not exist in every cube.
        curves.into_iter().find(|curve| curve.validate().is_ok()).unwrap_or_else(|| self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::KINDS;

    #[test]
    fn every_kind_has_an_opening_wherever_it_runs() {
        for kind in KINDS {
            for (family, id, _) in Family::ALL {
                let sizes = ["4", "8x8", "16"];
                let runs = sizes.iter().filter_map(|size| Network::parse(&format!("{id}:{size}"))).any(kind.fits);
                let opening = opening(kind, family);
                if let Some(curve) = opening.as_ref().map(Experiment::with_a_curve) {
                    assert!(curve.vary.is_some() && curve.validate().is_ok(), "{curve}");
                }
                assert_eq!(opening.is_some(), runs, "{} on {id}", kind.id);
                assert!(
                    opening.is_none_or(|opening| opening.validate().is_ok() && Family::of(opening.network) == family)
                );
            }
        }
    }
}
