//! Fast evaluation of a message's distribution for one set of faulty nodes of a small cube.

use super::orbits::Symmetry;
use crate::routing::{Header, Knowledge, LocalRouting, Position};
use crate::theory::decision::decide;
use crate::topology::{Hypercube, NodeId};
use crate::traffic::Pair;

/// Probability of being in transit below which the walk stops, since it is below the rounding
/// errors.
const NEGLIGIBLE: f64 = 1e-19;

/// Maximum number of nodes of a cube.
const NODES: u64 = 32;

/// Nodes whose bit is 0 in each dimension.
const LOWER: [u32; 5] = [0x5555_5555, 0x3333_3333, 0x0f0f_0f0f, 0x00ff_00ff, 0x0000_ffff];

/// Decision of an algorithm at a node with a given set of dead neighbours.
#[derive(Clone, Copy, Default)]
struct WalkDecision {
    /// Dimensions, each equally likely, as a mask of address bits; 0 if the message is lost.
    dims: u8,
    /// True if the message marks the node it leaves.
    marks: bool,
}

/// Distribution of the messages that have marked the same nodes.
#[derive(Clone)]
struct MarkedDistribution {
    marks: u32,
    /// Nodes where `chances` is not 0.
    occupied: u32,
    chances: [f64; NODES as usize],
}

/// Tabulated decisions of an algorithm between two ends of a cube of at most 5 dimensions, with
/// buffers for the walk.
pub(super) struct MessageDistribution {
    dimension: u8,
    from: u32,
    to: u32,
    /// Decision table: `steps[node][dead neighbours]`.
    steps: Vec<[WalkDecision; NODES as usize]>,
    now: Vec<MarkedDistribution>,
    next: Vec<MarkedDistribution>,
}

impl MessageDistribution {
    /// Creates the tables, or returns `None` if dead neighbours alone do not determine the
    /// decisions.
    ///
    /// `None` applies to algorithms without knowledge of their neighbours, and to algorithms whose
    /// messages have header state.
    pub(super) fn new(cube: Hypercube, ends: Pair, routing: &dyn LocalRouting) -> Option<Self> {
        if routing.knowledge() == Knowledge::Nothing || routing.header_count() > 1 {
            return None;
        }
        let step = |here: NodeId, dead: u8| {
            let at = Position { here, wrong: here.0 ^ ends.to.0, header: Header::default() };
            let decision = decide(cube, routing, at, |link| dead >> link.dim & 1 == 1);
            let decision = decision.filter(|decision| !decision.backward || here != ends.from);
            decision.map_or(WalkDecision::default(), |decision| WalkDecision {
                dims: decision.dims as u8,
                marks: decision.backward && routing.marks_blocked_nodes(),
            })
        };
        let on_the_way = |node: &NodeId| *node != ends.to && node.0 <= cube.mask();
        let steps = (0..NODES).map(NodeId).map(|here| {
            std::array::from_fn(|dead| if on_the_way(&here) { step(here, dead as u8) } else { WalkDecision::default() })
        });
        let [from, to] = [ends.from, ends.to].map(|node| node.0 as u32);
        Some(Self { dimension: cube.dimension(), from, to, steps: steps.collect(), now: Vec::new(), next: Vec::new() })
    }

    /// Returns whether the algorithm's decisions are invariant under `symmetry`, as for algorithms
    /// without preferred dimensions.
    pub(super) fn respects(&self, symmetry: &Symmetry) -> bool {
        let image = |mask: u32| symmetry.mask(mask) as usize;
        (0..1 << self.dimension).all(|node| {
            let steps = &self.steps[symmetry.node(node) as usize];
            (0..1 << self.dimension).all(|dead| {
                let (one, other) = (self.steps[node as usize][dead as usize], steps[image(dead)]);
                image(one.dims.into()) == usize::from(other.dims) && one.marks == other.marks
            })
        })
    }

    /// Adds `weight` times the probability of arriving after h hops among `faulty` nodes to
    /// `by_hops[h]`, for h from 1 on.
    pub(super) fn add_arrivals(&mut self, faulty: u32, weight: f64, by_hops: &mut [f64]) {
        self.now.clear();
        if self.may_arrive(faulty) {
            *probability_mut(&mut self.now, 0, self.from) = 1.0;
        }
        for arrived in by_hops.iter_mut().skip(1) {
            if self.now.is_empty() {
                break;
            }
            *arrived += weight * self.hop(faulty);
        }
    }

    /// Returns whether any sequence of choices leads to the destination. Ignores marks, which only
    /// remove choices.
    fn may_arrive(&self, faulty: u32) -> bool {
        let dead = dead_neighbours(faulty);
        let (mut reached, mut left) = (1u32 << self.from, 1u32 << self.from);
        while left != 0 {
            let node = left.trailing_zeros();
            left &= left - 1;
            let step = self.steps[node as usize][dead_around(&dead, node)];
            for next in destinations(node, step.dims) {
                if reached >> next & 1 == 0 {
                    reached |= 1 << next;
                    left |= 1 << next;
                }
            }
        }
        reached >> self.to & 1 == 1
    }

    /// Advances the message by one hop. Returns the probability of arriving with this hop.
    fn hop(&mut self, faulty: u32) -> f64 {
        self.next.clear();
        let (mut arrived, mut on_the_way) = (0.0, 0.0);
        for whereabouts in &self.now {
            let dead = dead_neighbours(faulty | whereabouts.marks);
            let mut occupied = whereabouts.occupied;
            while occupied != 0 {
                let node = occupied.trailing_zeros();
                occupied &= occupied - 1;
                let WalkDecision { dims, marks } = self.steps[node as usize][dead_around(&dead, node)];
                if dims == 0 {
                    continue;
                }
                let share = whereabouts.chances[node as usize] / f64::from(dims.count_ones());
                let marks = if marks { whereabouts.marks | 1 << node } else { whereabouts.marks };
                for next in destinations(node, dims) {
                    if next == self.to {
                        arrived += share;
                    } else {
                        *probability_mut(&mut self.next, marks, next) += share;
                        on_the_way += share;
                    }
                }
            }
        }
        std::mem::swap(&mut self.now, &mut self.next);
        if on_the_way < NEGLIGIBLE {
            self.now.clear();
        }
        arrived
    }
}

/// Returns a mutable reference to the probability of being at `node` with the marks `marks`.
fn probability_mut(all: &mut Vec<MarkedDistribution>, marks: u32, node: u32) -> &mut f64 {
    let place = all.iter().position(|one| one.marks == marks).unwrap_or(all.len());
    if place == all.len() {
        all.push(MarkedDistribution { marks, occupied: 0, chances: [0.0; NODES as usize] });
    }
    let one = &mut all[place];
    one.occupied |= 1 << node;
    &mut one.chances[node as usize]
}

/// Returns the nodes whose neighbour across each dimension is in `set`.
fn dead_neighbours(set: u32) -> [u32; LOWER.len()] {
    std::array::from_fn(|dim| (set >> (1 << dim)) & LOWER[dim] | (set & LOWER[dim]) << (1 << dim))
}

/// Returns the dimensions across which `node` has a dead neighbour, as a mask.
fn dead_around(dead: &[u32; LOWER.len()], node: u32) -> usize {
    dead.iter().rev().fold(0, |dims, nodes| dims << 1 | (nodes >> node & 1) as usize)
}

/// Returns the neighbours of `node` across `dims`.
fn destinations(node: u32, dims: u8) -> impl Iterator<Item = u32> {
    let mut left = dims;
    std::iter::from_fn(move || {
        let dim = left.checked_ilog2()?;
        left ^= 1 << dim;
        Some(node ^ 1 << dim)
    })
}
