//! Sets I_sd of valid intermediate nodes of Algorithms A and B: membership, random draws, counts,
//! lists.

use rand::{Rng as _, RngExt as _};

use crate::fault::FaultyNodes;
use crate::random::Generator;
use crate::topology::{Hypercube, Link, NodeId};

/// Maximum number of draws before the set is listed. With the thesis' tolerance more than a third
/// of all nodes is valid, so fewer than one message in 10^11 reaches this limit.
const DRAWS: u32 = 64;

/// Returns the largest total length of the two paths, L(n) = n + sqrt(2n ln 6n) rounded down
/// (thesis figure 3-2).
///
/// The logarithm is natural, as the Chernoff bound of Lemma 2 requires. Two paths are never longer
/// than 2n together, so the cap excludes nodes only from n = 8 on.
pub fn length_cap(cube: Hypercube) -> u32 {
    let n = f64::from(cube.dimension());
    (n + libm::sqrt(2.0 * n * libm::log(6.0 * n))) as u32
}

/// The valid intermediate nodes: both bit-fixing paths are fault-free, and together not longer than
/// the cap.
#[derive(Clone, Copy, Debug)]
pub struct Intermediates<'a> {
    faulty: &'a FaultyNodes,
    cap: u32,
}

impl<'a> Intermediates<'a> {
    /// Returns the intermediate nodes for the faults `faulty`, with the length cap of their cube.
    pub fn new(faulty: &'a FaultyNodes) -> Self {
        Self { faulty, cap: length_cap(faulty.cube()) }
    }

    /// Returns the intermediate nodes whose two paths are not longer than `cap` together.
    pub fn with_cap(faulty: &'a FaultyNodes, cap: u32) -> Self {
        Self { faulty, cap }
    }

    /// Returns whether `via` is valid between `from` and `to`. Cost: the length of the paths.
    #[inline]
    pub fn is_valid(&self, from: NodeId, via: NodeId, to: NodeId) -> bool {
        self.is_near(from, via, to)
            && self.faulty.first_faulty_on_path(from, via).is_none()
            && self.faulty.first_faulty_on_path(via, to).is_none()
    }

    #[inline]
    fn is_near(&self, from: NodeId, via: NodeId, to: NodeId) -> bool {
        (from.0 ^ via.0).count_ones() + (via.0 ^ to.0).count_ones() <= self.cap
    }

    /// Draws a valid intermediate node, all with equal probability; `None` if no node is valid.
    /// Cost: the length of a few paths, or N steps if 64 draws find no valid node.
    #[inline]
    pub fn draw(&self, from: NodeId, to: NodeId, generator: &mut Generator) -> Option<NodeId> {
        let shift = 64 - u32::from(self.faulty.cube().dimension());
        for _ in 0..DRAWS {
            let via = NodeId(generator.next_u64() >> shift);
            if self.is_valid(from, via, to) {
                return Some(via);
            }
        }
        let all = self.all(from, to);
        let place = (!all.is_empty()).then(|| generator.random_range(0..all.len() as u64))?;
        all.get(place as usize).copied()
    }

    /// Returns the set I_sd, ascending. Cost: N steps.
    pub fn all(&self, from: NodeId, to: NodeId) -> Vec<NodeId> {
        let reached = reached_from(self.faulty, from);
        let reaching = reaching(self.faulty, to);
        let both = reached.iter().zip(&reaching).map(|(out, into)| *out && *into);
        (0..).map(NodeId).zip(both).filter(|&(via, both)| both && self.is_near(from, via, to)).map(|it| it.0).collect()
    }

    /// Returns |I_sd|. Cost: N steps.
    pub fn count(&self, from: NodeId, to: NodeId) -> u32 {
        self.all(from, to).len() as u32
    }
}

/// Returns for every node whether the bit-fixing path from `from` to the node is fault-free.
///
/// The computation adds one dimension at a time. After k dimensions, the path to a node has passed
/// the node that agrees with the target in the first k dimensions and with `from` in the others.
/// Cost: 2N steps.
fn reached_from(faulty: &FaultyNodes, from: NodeId) -> Vec<bool> {
    let mut reached = Vec::with_capacity(faulty.cube().mask() as usize + 1);
    reached.push(!faulty.contains(from));
    for dim in 0..faulty.cube().dimension() {
        let (size, bit) = (reached.len() as u64, 1u64 << dim);
        let high = from.0 & !(2 * bit - 1);
        // A node that agrees with `from` in `dim` needs no hop along `dim`. A node that differs
        // needs one more hop, which ends at `via`.
        for low in 0..size {
            let via = NodeId(high | (from.0 & bit ^ bit) | low);
            let link = Link { from: NodeId(via.0 ^ bit), dim };
            let crossed = reached[low as usize] && !faulty.contains(via) && !faulty.is_link_faulty(link);
            reached.push(crossed);
        }
        if from.0 & bit != 0 {
            let (zero, one) = reached.split_at_mut(size as usize);
            zero.swap_with_slice(one);
        }
    }
    reached
}

/// Returns for every node whether the bit-fixing path from the node to `to` is fault-free. The
/// computation is that of [`reached_from`], backward from the high dimensions. Cost: 2N steps.
fn reaching(faulty: &FaultyNodes, to: NodeId) -> Vec<bool> {
    let mut reaching = vec![!faulty.contains(to)];
    for dim in (0..faulty.cube().dimension()).rev() {
        let bit = 1u64 << dim;
        let mut next = Vec::with_capacity(2 * reaching.len());
        // An index consists of the bits from `dim` on; the bits below are those of `to`.
        for place in 0..2 * reaching.len() as u64 {
            let onward = reaching[(place >> 1) as usize];
            let node = NodeId(place << dim | (to.0 & (bit - 1)));
            let link = Link { from: node, dim };
            let is_cut = (node.0 ^ to.0) & bit != 0 && faulty.is_link_faulty(link);
            next.push(onward && !faulty.contains(node) && !is_cut);
        }
        reaching = next;
    }
    reaching
}
