//! Worms by the oblivious schemes of the thesis: bit-fixing, and routing by an intermediate node.

use super::{HEADER, add_request, check_cube, open_dimensions};
use crate::fault::{ActiveSet, BlockFaults, CubeSets};
use crate::random::{Generator, below};
use crate::routing::Unsupported;
use crate::routing::oblivious::{Intermediates, ObliviousPhase};
use crate::routing::worm::{AlgorithmState, VcRequests, WormHeader, WormPosition, WormRouting};
use crate::topology::{Mesh, NodeId};

/// Header of a message without a route.
pub(super) const NO_ROUTE_HEADER: WormHeader = WormHeader { memory: AlgorithmState::NoRoute, ..HEADER };

/// Adds the next channel of a route, if the channel is live. Oblivious schemes have no alternative.
pub(super) fn follow(
    faults: &BlockFaults,
    at: &WormPosition,
    dim: u8,
    header: WormHeader,
    phase: ObliviousPhase,
    choices: &mut VcRequests,
) {
    if open_dimensions(faults, at.here, 1 << dim) != 0 {
        add_request(choices, at, dim, header, phase.rule());
    }
}

/// Returns the lowest dimension, from `lowest` on, in which the nodes differ.
pub(super) fn next(here: NodeId, to: NodeId, lowest: u8) -> Option<u8> {
    let rest = (here.0 ^ to.0) >> lowest << lowest;
    (rest != 0).then_some(rest.trailing_zeros() as u8)
}

/// Bit-fixing straight to the destination.
pub(in crate::routing) struct BitFixingWorm;

impl WormRouting for BitFixingWorm {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        1
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        check_cube(mesh)
    }

    fn initial_header(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId, _number: u32) -> WormHeader {
        HEADER
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        if let Some(dim) = next(at.here, at.to, 0) {
            follow(faults, at, dim, at.header, ObliviousPhase::Direct, choices);
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        faults.is_none()
    }
}

/// Intermediate nodes that general randomized routing may use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::routing) enum IntermediateSet {
    /// Any node (Valiant & Brebner).
    Any,
    /// Any node to and from which bit-fixing meets no faulty node.
    FaultFree,
    /// Nodes with fault-free paths within the length cap, between nodes of the active set
    /// (Algorithm A).
    Active,
}

impl IntermediateSet {
    /// Returns the valid intermediate nodes for a draw; `None` if all nodes are valid.
    fn valid(self, sets: &CubeSets) -> Option<Intermediates<'_>> {
        match self {
            Self::Any => None,
            Self::FaultFree => Some(Intermediates::with_cap(sets.faulty(), u32::MAX)),
            Self::Active => Some(Intermediates::new(sets.faulty())),
        }
    }

    fn takes(self, sets: &CubeSets, from: NodeId, to: NodeId) -> bool {
        self != Self::Active || sets.a.contains(from) && sets.a.contains(to)
    }
}

/// Returns the header of a worm through `via`.
fn header_via(via: NodeId) -> WormHeader {
    WormHeader { memory: AlgorithmState::ToIntermediate(via.0 as u16), ..HEADER }
}

impl WormRouting for IntermediateSet {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        1
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        check_cube(mesh)
    }

    fn initial_header_count(&self, faults: &BlockFaults, from: NodeId, to: NodeId) -> u32 {
        let Some(sets) = faults.cube_sets().filter(|sets| self.takes(sets, from, to)) else { return 1 };
        self.valid(sets).map_or(faults.mesh().nodes(), |valid| valid.count(from, to).max(1))
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader {
        let Some(sets) = faults.cube_sets().filter(|sets| self.takes(sets, from, to)) else { return NO_ROUTE_HEADER };
        let Some(valid) = self.valid(sets) else { return header_via(NodeId(u64::from(number))) };
        valid.all(from, to).get(number as usize).map_or(NO_ROUTE_HEADER, |&via| header_via(via))
    }

    fn draw_initial_header(
        &self,
        faults: &BlockFaults,
        from: NodeId,
        to: NodeId,
        generator: &mut Generator,
    ) -> WormHeader {
        let Some(sets) = faults.cube_sets().filter(|sets| self.takes(sets, from, to)) else { return NO_ROUTE_HEADER };
        let Some(valid) = self.valid(sets) else {
            return header_via(NodeId(u64::from(below(generator, faults.mesh().nodes()))));
        };
        valid.draw(from, to, generator).map_or(NO_ROUTE_HEADER, header_via)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let on = NodeId(match at.header.memory {
            AlgorithmState::ToIntermediate(via) => u64::from(via),
            AlgorithmState::FromIntermediate => at.here.0,
            _ => return,
        });
        let (phase, dim, memory) = match next(at.here, on, 0) {
            Some(dim) => (ObliviousPhase::ToIntermediate, Some(dim), at.header.memory),
            // After the intermediate node, the route no longer depends on that node.
            None => (ObliviousPhase::FromIntermediate, next(at.here, at.to, 0), AlgorithmState::FromIntermediate),
        };
        if let Some(dim) = dim {
            follow(faults, at, dim, WormHeader { memory, ..at.header }, phase, choices);
        }
    }

    fn is_proved(&self, _faults: &BlockFaults) -> bool {
        false
    }
}

/// Algorithm B for worms: squares as nodes, with one subcube before the intermediate square and
/// another after it.
pub(in crate::routing) struct SquareWorm;

/// Dimension of the first coordinate, x1.
const X1: u8 = 0;
/// Dimension of the second coordinate, x2.
const X2: u8 = 1;

/// Subcubes by the first two address bits.
const C00: u64 = 0b00;
const C10: u64 = 0b01;
const C01: u64 = 0b10;

impl SquareWorm {
    fn active(faults: &BlockFaults, from: NodeId, to: NodeId) -> Option<&ActiveSet> {
        let active = faults.cube_sets()?.b.as_ref()?;
        (active.contains(from) && active.contains(to)).then_some(active)
    }

    /// Returns the next dimension, whether the hop passes the intermediate node, and its phase
    /// (thesis figure 3-6).
    fn hop(at: &WormPosition) -> Option<(u8, bool, ObliviousPhase)> {
        use ObliviousPhase::{Clockwise, CounterClockwise, Crossing, FromIntermediate, ToIntermediate};
        Some(match (at.header.memory, at.here.0 & 0b11) {
            (AlgorithmState::ToIntermediate(via), C00) => match next(at.here, NodeId(u64::from(via)), 2) {
                Some(dim) => (dim, false, ToIntermediate),
                None => (X2, true, Crossing),
            },
            (AlgorithmState::ToIntermediate(_), 0b11) => (X2, false, Clockwise),
            (AlgorithmState::ToIntermediate(_), _) => (X1, false, Clockwise),
            (AlgorithmState::FromIntermediate, C01) => match next(at.here, at.to, 2) {
                Some(dim) => (dim, true, FromIntermediate),
                None => (X2, true, CounterClockwise),
            },
            (AlgorithmState::FromIntermediate, C10) => (X2, true, CounterClockwise),
            (AlgorithmState::FromIntermediate, _) => (X1, true, CounterClockwise),
            _ => return None,
        })
    }
}

impl WormRouting for SquareWorm {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        1
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        check_cube(mesh)?;
        if mesh.dimensions() < 3 { Err(Unsupported::NetworkRequirement("at least 3 dimensions")) } else { Ok(()) }
    }

    fn initial_header_count(&self, faults: &BlockFaults, from: NodeId, to: NodeId) -> u32 {
        let count = |active: &ActiveSet| {
            Intermediates::new(active.core()).count(active.to_core(from), active.to_core(to)).max(1)
        };
        Self::active(faults, from, to).map_or(1, count)
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader {
        let Some(active) = Self::active(faults, from, to) else { return NO_ROUTE_HEADER };
        let squares = Intermediates::new(active.core()).all(active.to_core(from), active.to_core(to));
        squares.get(number as usize).map_or(NO_ROUTE_HEADER, |square| header_via(NodeId(square.0 << 2)))
    }

    fn draw_initial_header(
        &self,
        faults: &BlockFaults,
        from: NodeId,
        to: NodeId,
        generator: &mut Generator,
    ) -> WormHeader {
        let Some(active) = Self::active(faults, from, to) else { return NO_ROUTE_HEADER };
        let drawn = Intermediates::new(active.core()).draw(active.to_core(from), active.to_core(to), generator);
        drawn.map_or(NO_ROUTE_HEADER, |square| header_via(NodeId(square.0 << 2)))
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let Some((dim, is_past, phase)) = Self::hop(at) else { return };
        let memory = if is_past { AlgorithmState::FromIntermediate } else { at.header.memory };
        follow(faults, at, dim, WormHeader { memory, ..at.header }, phase, choices);
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        let active = faults.cube_sets().and_then(|sets| sets.b.as_ref());
        active.is_some_and(|active| faults.members().all(|node| active.contains(node))) && !faults.has_link_faults()
    }
}
