//! What tori add to the routing of worms: which way around, and which side of the wraparound links (Dally & Seitz).
//!
//! A message keeps the direction in which it begins a dimension, so that it crosses the wraparound link of that dimension at most
//! once. As long as it is ahead, the message takes classes of its own: they make a line of each circle of channels.

use crate::routing::worm::WormType;
use crate::topology::{Mesh, NodeId, Port, Ports};

/// The first hop of e-cube among the minimal ports `rest`: along the lowest dimension; half way round, where coordinates
/// grow. Without any, West.
#[inline]
pub(crate) const fn first_port(rest: Ports) -> Port {
    if rest == 0 {
        return Port::WEST;
    }
    let dim = (rest.trailing_zeros() / 2) as u8;
    Port::along(dim, rest >> (2 * dim) & 2 != 0)
}

/// Whether a message of type `kind` has the wraparound link of its dimension still ahead. On a mesh it never has.
#[inline]
pub(crate) const fn is_wrap_ahead(mesh: Mesh, kind: WormType, here: NodeId, to: NodeId) -> bool {
    let (at, wanted) = (mesh.coordinate(here, kind.dim()), mesh.coordinate(to, kind.dim()));
    if kind.port().grows() { at > wanted } else { at < wanted }
}

/// The hop with which a message that went around a region along dimension `dim` comes back to the coordinate of `to`.
///
/// Such regions are left behind to the East, and so it comes back from there: the shortest way may lead around the torus, to the
/// other side of a wide region. Only around a single fault may it be one hop West of where it wants to be; no region is wide
/// enough that one could come there from the East.
pub(crate) const fn port_back(mesh: Mesh, dim: u8, here: NodeId, to: NodeId) -> Port {
    let (at, wanted) = (mesh.coordinate(here, dim), mesh.coordinate(to, dim));
    let next = if at + 1 == mesh.radix(dim) && mesh.wraps(dim) { 0 } else { at + 1 };
    Port::along(dim, next == wanted)
}
