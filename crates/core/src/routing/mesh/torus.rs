//! What tori add to the routing of worms: which way around, and which side of the wraparound links (Dally & Seitz).
//!
//! A message keeps the direction in which it begins a dimension, so that it crosses the wraparound link of that dimension at most
//! once. As long as it is ahead, the message takes classes of its own: they make a line of each circle of channels.

use crate::fault::BlockFaults;
use crate::routing::worm::{WormMemory, WormType};
use crate::topology::{Mesh, NodeId, Port, Ports};

/// The first hop of e-cube among the minimal ports `rest`: along the lowest dimension; half-way around a torus, where coordinates
/// grow, unless `memory` says otherwise. Without any, West.
#[inline]
pub(crate) const fn first_port(rest: Ports, memory: WormMemory) -> Port {
    if rest == 0 {
        return Port::WEST;
    }
    let dim = (rest.trailing_zeros() / 2) as u8;
    let (shrinks, grows) = (rest >> (2 * dim) & 1 != 0, rest >> (2 * dim) & 2 != 0);
    Port::along(dim, grows && !(shrinks && memory.shrinks_at_tie(dim)))
}

/// The dimensions in which `to` lies half-way around the torus from `from`, so that both ways are equally long, as a mask.
const fn ties(mesh: Mesh, from: NodeId, to: NodeId) -> u8 {
    let rest = mesh.minimal_ports(from, to);
    let (mut dim, mut ties) = (0, 0);
    while dim < mesh.dimensions() {
        ties |= ((rest >> (2 * dim) & 3 == 3) as u8) << dim;
        dim += 1;
    }
    ties
}

/// The number of ways in which a message from `from` to `to` can go around where both directions are equally long: 1 if the network
/// does not split such ties.
pub(crate) fn tie_count(faults: &BlockFaults, from: NodeId, to: NodeId) -> u32 {
    let splits = faults.splits_ties() && faults.mesh().is_torus();
    if splits { 1 << ties(faults.mesh(), from, to).count_ones() } else { 1 }
}

/// The memory of a message that takes way number `number` of those that [`tie_count`] counts: one bit of the number for each tie.
pub(crate) fn tie_memory(faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormMemory {
    if number == 0 {
        return WormMemory::Nothing;
    }
    let (mut rest, mut shrinking) = (number, 0);
    let ties = ties(faults.mesh(), from, to);
    for dim in (0..faults.mesh().dimensions()).filter(|dim| ties >> dim & 1 != 0) {
        shrinking |= ((rest & 1) as u8) << dim;
        rest >>= 1;
    }
    WormMemory::ShrinksAtTies(shrinking)
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
