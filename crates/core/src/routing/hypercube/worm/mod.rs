//! Worms on hypercubes: the decisions of messages, circuits and permutations, as decisions of
//! headers that take one virtual channel after the other.
//!
//! A worm is ejected where its header first reaches its destination, even if its route would go on.
//! All schemes have one class of virtual channels, as published, even if that is insufficient.

mod backtracking;
mod criterion;
mod kim_shin;
mod local;
mod randomized;

pub(in crate::routing) use backtracking::BacktrackingWorm;
pub(in crate::routing) use criterion::CriterionWorm;
pub(in crate::routing) use kim_shin::KimShinWorm;
pub(in crate::routing) use local::LocalWorm;
pub(in crate::routing) use randomized::{BitFixingWorm, IntermediateSet, SquareWorm};

use crate::fault::BlockFaults;
use crate::routing::worm::{VcRequest, VcRequests, WormHeader, WormPosition, WormType};
use crate::routing::{Rule, Unsupported};
use crate::topology::{Mesh, NodeId, Port, set_dimensions};

/// Header of a worm on a hypercube, which has no type.
const HEADER: WormHeader = WormHeader::normal(WormType::WE);

/// Checks that `mesh` is a hypercube, the only network that the schemes of this folder support.
fn check_cube(mesh: Mesh) -> Result<(), Unsupported> {
    if mesh.is_cube() { Ok(()) } else { Err(Unsupported::NetworkRequirement("a hypercube, such as net=cube:5")) }
}

/// Returns the port of `here` across `dim`.
#[inline]
fn port_across(here: NodeId, dim: u8) -> Port {
    Port::along(dim, here.0 >> dim & 1 == 0)
}

/// Returns the dimensions in `dims` that lead out of `here` over live links to live nodes, as a
/// mask.
#[inline]
fn open_dimensions(faults: &BlockFaults, here: NodeId, dims: u64) -> u64 {
    set_dimensions(dims)
        .filter(|&dim| faults.is_open(here, port_across(here, dim)))
        .fold(0, |open, dim| open | 1 << dim)
}

/// Adds the channel across `dim`, with `header` as the next header.
#[inline]
fn add_request(choices: &mut VcRequests, at: &WormPosition, dim: u8, header: WormHeader, rule: &'static Rule) {
    choices.add(VcRequest { port: port_across(at.here, dim), class: 0, header, rule });
}
