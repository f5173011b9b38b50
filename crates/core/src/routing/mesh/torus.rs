//! Torus extensions of worm routing: the direction of messages, and their position relative to
//! wraparound links (Dally & Seitz).
//!
//! A message keeps the direction in which it begins a dimension, so it crosses the wraparound link
//! of that dimension at most once. While the link is ahead, the message uses separate classes,
//! which break the cycle of channels into a line.

use crate::fault::BlockFaults;
use crate::routing::worm::{AlgorithmState, WormType};
use crate::topology::{Mesh, NodeId, Port, PortMask};

/// Returns the first hop of e-cube among the minimal ports `rest`, along the lowest dimension.
/// Half-way around a torus coordinates grow, unless `memory` selects the opposite direction.
/// Without minimal ports, the result is West.
#[inline]
pub(crate) const fn first_port(rest: PortMask, memory: AlgorithmState) -> Port {
    if rest == 0 {
        return Port::WEST;
    }
    let dim = (rest.trailing_zeros() / 2) as u8;
    let (shrinks, grows) = (rest >> (2 * dim) & 1 != 0, rest >> (2 * dim) & 2 != 0);
    Port::along(dim, grows && !(shrinks && memory.shrinks_at_tie(dim)))
}

/// Returns the dimensions in which `to` lies half-way around the torus from `from`, so that both
/// ways are equally long, as a mask.
const fn tied_dimensions(mesh: Mesh, from: NodeId, to: NodeId) -> u8 {
    let rest = mesh.minimal_ports(from, to);
    let (mut dim, mut ties) = (0, 0);
    while dim < mesh.dimensions() {
        ties |= ((rest >> (2 * dim) & 3 == 3) as u8) << dim;
        dim += 1;
    }
    ties
}

/// Returns the number of combinations of directions from `from` to `to` where both ways around are
/// equally long; 1 if the network does not split such ties.
pub(crate) fn tie_count(faults: &BlockFaults, from: NodeId, to: NodeId) -> u32 {
    let splits = faults.splits_ties() && faults.mesh().is_torus();
    if splits { 1 << tied_dimensions(faults.mesh(), from, to).count_ones() } else { 1 }
}

/// Returns the memory of a message with combination `number` of those that [`tie_count`] counts,
/// one bit of the number for each tie.
pub(crate) fn tie_memory(faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> AlgorithmState {
    if number == 0 {
        return AlgorithmState::Nothing;
    }
    let (mut rest, mut shrinking) = (number, 0);
    let ties = tied_dimensions(faults.mesh(), from, to);
    for dim in (0..faults.mesh().dimensions()).filter(|dim| ties >> dim & 1 != 0) {
        shrinking |= ((rest & 1) as u8) << dim;
        rest >>= 1;
    }
    AlgorithmState::ShrinksAtTies(shrinking)
}

/// Returns whether the wraparound link of the type's dimension is still ahead of a message; always
/// false on a mesh.
#[inline]
pub(crate) const fn is_wrap_ahead(mesh: Mesh, kind: WormType, here: NodeId, to: NodeId) -> bool {
    let (at, wanted) = (mesh.coordinate(here, kind.dim()), mesh.coordinate(to, kind.dim()));
    if kind.port().grows() { at > wanted } else { at < wanted }
}

/// Returns the hop with which a message that went around a region along dimension `dim` comes back
/// to the coordinate of `to`.
///
/// Messages pass such regions on the East, so they come back from the East. The shortest way is not
/// used: around a wide region it may lead around the torus to the other side. Only around a single
/// fault may the message be one hop West of the wanted coordinate: no region is so wide that its
/// East side is there.
pub(crate) const fn port_back(mesh: Mesh, dim: u8, here: NodeId, to: NodeId) -> Port {
    let (at, wanted) = (mesh.coordinate(here, dim), mesh.coordinate(to, dim));
    let next = if at + 1 == mesh.radix(dim) && mesh.wraps(dim) { 0 } else { at + 1 };
    Port::along(dim, next == wanted)
}
