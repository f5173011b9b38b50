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
use crate::routing::Rule;
use crate::routing::worm::{WormAt, WormChoice, WormChoices, WormHeader, WormType};
use crate::topology::{Mesh, NodeId, Port, dimensions_of};

/// That of a worm of a hypercube, which has no type.
const HEADER: WormHeader = WormHeader::normal(WormType::WE);

/// What every scheme here wants of its network.
fn wants_cube(mesh: Mesh) -> Option<&'static str> {
    (!mesh.is_cube()).then_some("a hypercube, such as net=cube:5")
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
