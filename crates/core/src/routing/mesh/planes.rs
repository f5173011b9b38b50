//! The plane in which a message goes around faults, and its virtual channels there (Boppana & Chalasani section VI).
//!
//! Each type of message has a plane and classes of its own on the links of that plane: no two types share a virtual channel, so
//! that what holds of one type in one plane holds in any number of dimensions.

use crate::fault::block::Plane;
use crate::routing::worm::WormType;
use crate::topology::Mesh;

/// The classes that messages on their way around faults need, whatever the number of dimensions.
pub(crate) const CLASSES: u8 = 4;

/// How messages are spread over planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Planes {
    /// Those of adaptive routing, whose messages meet faults with one dimension left: planes in pairs, and of an odd number of
    /// dimensions the first three in a circle (Table II, Fig. 17).
    Paired,
    /// Those of f-cube4, which corrects one dimension after the other: each with the next one, the last one with the first. The
    /// paper says that successive planes do it, and not which. Pairs do not: the node of a plane to which a message
    /// would have to come back may be faulty as long as it has other dimensions to go.
    Successive,
}

impl Planes {
    /// The dimension in which messages along `dim` go around faults; `None` in a mesh of one dimension.
    #[inline]
    pub(crate) const fn free(self, mesh: Mesh, dim: u8) -> Option<u8> {
        let n = mesh.dimensions();
        match self {
            _ if n == 1 => None,
            Self::Successive => Some(if dim + 1 == n { 0 } else { dim + 1 }),
            Self::Paired if is_in_triple(mesh, dim) => Some((dim + 1) % 3),
            Self::Paired if is_first(mesh, dim) => Some(dim + 1),
            Self::Paired => Some(dim - 1),
        }
    }

    /// The plane of that and of the message's own dimension, its columns along the lower one.
    #[inline]
    pub(crate) const fn plane(self, mesh: Mesh, dim: u8) -> Option<Plane> {
        match self.free(mesh, dim) {
            Some(free) => Some(Plane::of(dim, free)),
            None => None,
        }
    }

    /// The planes that are used.
    pub(crate) fn used(self, mesh: Mesh) -> Vec<Plane> {
        (0..mesh.dimensions()).filter_map(|dim| self.plane(mesh, dim)).collect()
    }

    /// The class, 0 to 3, of a message of type `kind` on a link along `dim`.
    #[inline]
    pub(crate) const fn class(self, mesh: Mesh, kind: WormType, dim: u8) -> u8 {
        let own = kind.dim();
        let upper = match self {
            // Neighbours in the order share one dimension, and the last one the first one's.
            Self::Successive => own % 2 == 1 || own == mesh.dimensions() - 1 && dim == 0 && own > 0,
            Self::Paired if is_in_triple(mesh, own) => own == 1 || own == 2 && dim == 0,
            Self::Paired => !is_first(mesh, own),
        };
        2 * upper as u8 + (kind.number() & 1)
    }
}

/// Whether `dim` is one of the first three of an odd number of dimensions.
#[inline]
const fn is_in_triple(mesh: Mesh, dim: u8) -> bool {
    mesh.dimensions() % 2 == 1 && dim < 3
}

/// Whether `dim` is the first of its pair of dimensions.
#[inline]
const fn is_first(mesh: Mesh, dim: u8) -> bool {
    dim % 2 == mesh.dimensions() % 2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What section VI builds on: on every link the types whose planes it is in have classes of their own, all four of them.
    #[test]
    fn no_two_types_share_a_virtual_channel() {
        for dimensions in 1..=5 {
            let mesh = Mesh::of(&vec![3; dimensions]).expect("a mesh");
            for planes in [Planes::Paired, Planes::Successive] {
                for dim in 0..mesh.dimensions() {
                    let types = mesh.ports().map(WormType::towards);
                    let there = |kind: &WormType| kind.dim() == dim || planes.free(mesh, kind.dim()) == Some(dim);
                    let mut classes: Vec<_> = types.filter(there).map(|kind| planes.class(mesh, kind, dim)).collect();
                    classes.sort_unstable();
                    let expected: &[u8] = if dimensions == 1 { &[0, 1] } else { &[0, 1, 2, 3] };
                    assert_eq!(classes, expected, "{planes:?} of {dimensions} dimensions, on links along {dim}");
                }
            }
        }
    }
}
