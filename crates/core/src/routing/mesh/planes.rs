//! Planes in which messages go around faults, with their virtual channels (Boppana & Chalasani
//! section VI).
//!
//! Each type of message has its own plane, and its own classes on the links of that plane. No two
//! types share a virtual channel, so the properties of one type in one plane apply in any number of
//! dimensions.

use crate::fault::block::PlaneFamily;
use crate::routing::worm::WormType;
use crate::topology::Mesh;

/// Number of classes for messages on their way around faults, in any number of dimensions.
pub(crate) const CLASSES: u8 = 4;

/// Number of classes for messages on their way around faults on tori, in any number of dimensions.
pub(crate) const TORUS_CLASSES: u8 = 5;

/// Returns the class, 0 to 4, of a message of type `kind` on a link of a torus along `dim`; `ahead`
/// is true while the wraparound link of the type's dimension is ahead.
///
/// A channel transmits messages of its own direction, and messages of one other dimension that
/// detour around faults. Detouring messages of both directions share a class until they have
/// crossed the wraparound link. The two directions never meet: on shortest ways, the link is ahead
/// of one direction only in the lower half of the coordinates, and ahead of the other only in the
/// upper half.
#[inline]
pub(crate) const fn torus_class(kind: WormType, dim: u8, ahead: bool) -> u8 {
    if dim == kind.dim() {
        ahead as u8
    } else if ahead {
        4
    } else {
        2 + (kind.number() & 1)
    }
}

/// Assignment of planes to messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Planes {
    /// Planes of adaptive routing, whose messages meet faults with one dimension left. Dimensions
    /// form pairs; if their number is odd, the first three form a triple in cyclic order (Table II,
    /// Fig. 17).
    Paired,
    /// Planes of f-cube4, which corrects one dimension after the other: each dimension with the
    /// next one, the last one with the first.
    ///
    /// The paper requires successive planes without naming them. Pairs do not work: the node of a
    /// plane to which a message would have to come back may be faulty while it still has other
    /// dimensions to correct.
    Successive,
}

impl Planes {
    /// Returns the dimension in which messages along `dim` go around faults; `None` in a mesh of
    /// one dimension.
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

    /// Returns the plane of the free dimension and the message's own dimension, its columns along
    /// the lower one.
    #[inline]
    pub(crate) const fn plane(self, mesh: Mesh, dim: u8) -> Option<PlaneFamily> {
        match self.free(mesh, dim) {
            Some(free) => Some(PlaneFamily::from_dimensions(dim, free)),
            None => None,
        }
    }

    /// Returns the planes in which messages on `mesh` go around faults.
    pub(crate) fn used(self, mesh: Mesh) -> Vec<PlaneFamily> {
        (0..mesh.dimensions()).filter_map(|dim| self.plane(mesh, dim)).collect()
    }

    /// Returns the class, 0 to 3, of a message of type `kind` on a link along `dim`.
    #[inline]
    pub(crate) const fn class(self, mesh: Mesh, kind: WormType, dim: u8) -> u8 {
        let own = kind.dim();
        let upper = match self {
            // Consecutive types share the links of one dimension, and the last type those of the
            // first.
            Self::Successive => own % 2 == 1 || own == mesh.dimensions() - 1 && dim == 0 && own > 0,
            Self::Paired if is_in_triple(mesh, own) => own == 1 || own == 2 && dim == 0,
            Self::Paired => !is_first(mesh, own),
        };
        2 * upper as u8 + (kind.number() & 1)
    }
}

/// Returns whether `dim` is one of the first three of an odd number of dimensions.
#[inline]
const fn is_in_triple(mesh: Mesh, dim: u8) -> bool {
    mesh.dimensions() % 2 == 1 && dim < 3
}

/// Returns whether `dim` is the first of its pair of dimensions.
#[inline]
const fn is_first(mesh: Mesh, dim: u8) -> bool {
    dim % 2 == mesh.dimensions() % 2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Section VI assumes that on every link the types whose planes contain it have distinct
    /// classes, all four of them.
    #[test]
    fn no_two_types_share_a_virtual_channel() {
        for dimensions in 1..=5 {
            let mesh = Mesh::from_radices(&vec![3; dimensions]).expect("a mesh");
            for planes in [Planes::Paired, Planes::Successive] {
                for dim in 0..mesh.dimensions() {
                    let types = mesh.ports().map(WormType::from_port);
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
