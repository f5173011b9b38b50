//! Worms on hypercubes: the decisions that messages, circuits and permutations go by, as those of headers that take one
//! virtual channel after the other.
//!
//! A worm is consumed where its header first meets its destination, whatever the route had in mind beyond. All schemes have one class
//! of virtual channels, as published, whether or not that is enough.

mod backtracking;
mod criterion;
mod kim_shin;
mod local;
mod randomized;

pub(in crate::routing) use backtracking::BacktrackingWorm;
pub(in crate::routing) use criterion::CriterionWorm;
pub(in crate::routing) use kim_shin::KimShinWorm;
pub(in crate::routing) use local::LocalWorm;
pub(in crate::routing) use randomized::{BitFixingWorm, Detour, SquareWorm};

use crate::fault::BlockFaults;
use crate::routing::worm::{WormAt, WormChoice, WormChoices, WormHeader, WormType};
use crate::routing::{Misfit, Rule};
use crate::topology::{Mesh, NodeId, Port, dimensions_of};

/// That of a worm of a hypercube, which has no type.
const HEADER: WormHeader = WormHeader::normal(WormType::WE);

/// Checks that `mesh` is a hypercube: every scheme of this folder runs on nothing else.
fn check_cube(mesh: Mesh) -> Result<(), Misfit> {
    if mesh.is_cube() { Ok(()) } else { Err(Misfit::Wants("a hypercube, such as net=cube:5")) }
}

/// The port of `here` across `dim`.
#[inline]
fn port(here: NodeId, dim: u8) -> Port {
    Port::along(dim, here.0 >> dim & 1 == 0)
}

/// Those of the dimensions `dims` that lead out of `here` over live links to live nodes, as masks.
#[inline]
fn open(faults: &BlockFaults, here: NodeId, dims: u64) -> u64 {
    dimensions_of(dims).filter(|&dim| faults.is_open(here, port(here, dim))).fold(0, |open, dim| open | 1 << dim)
}

/// Adds the channel across `dim`, for which the header becomes `header`.
#[inline]
fn add(choices: &mut WormChoices, at: &WormAt, dim: u8, header: WormHeader, rule: &'static Rule) {
    choices.add(WormChoice { port: port(at.here, dim), class: 0, header, rule });
}
