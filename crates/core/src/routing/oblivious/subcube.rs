//! Subcubes without faults, through which Kim & Shin's scheme routes (thesis section 2.1).

use crate::fault::FaultyNodes;
use crate::topology::{NodeId, set_dimensions};

/// A subcube: the nodes of a cube that agree in some dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subcube {
    /// The dimensions in which the nodes agree, as a mask of address bits.
    pub fixed: u64,
    /// The address bits of the nodes in the fixed dimensions.
    pub value: u64,
}

impl Subcube {
    /// Returns whether the subcube contains `node`.
    pub fn contains(self, node: NodeId) -> bool {
        node.0 & self.fixed == self.value
    }

    /// Returns the node of the subcube nearest to `node`.
    pub fn projection(self, node: NodeId) -> NodeId {
        NodeId(node.0 & !self.fixed | self.value)
    }
}

/// Returns a subcube without faulty nodes and without faulty links between its nodes, of n-1 dimensions if possible, otherwise of n-2 dimensions;
/// `None` if there is none. Of several, the result is the first by fixed dimensions, then by value.
/// Cost: at most n^2/2 steps for every fault, fewer with more faults.
pub fn healthy_subcube(faulty: &FaultyNodes) -> Option<Subcube> {
    let n = faulty.cube().dimension();
    let one = (0..n).map(|dim| 1u64 << dim);
    let two = (0..n).flat_map(|a| (a + 1..n).map(move |b| 1 << a | 1 << b));
    one.chain(two).find_map(|fixed| first_healthy_subcube(faulty, fixed))
}

/// Returns the subcube with the lowest value of the `fixed` bits that no fault has, in order
/// of the bits, lowest dimension first.
fn first_healthy_subcube(faulty: &FaultyNodes, fixed: u64) -> Option<Subcube> {
    let dims: Vec<u8> = set_dimensions(fixed).collect();
    let all = (1u8 << (1 << dims.len())) - 1;
    // The value as the thesis writes it, with the lowest dimension as the first digit.
    let digits = |node: u64| dims.iter().fold(0u8, |value, &dim| value << 1 | (node >> dim & 1) as u8);
    let mut hit = 0u8;
    // A link across a fixed dimension joins two subcubes and is in neither.
    let links = faulty.links().filter(|link| fixed.wrapping_shr(link.dim.into()) & 1 == 0).map(|link| link.from);
    for node in faulty.iter().chain(links) {
        hit |= 1 << digits(node.0);
        if hit == all {
            return None;
        }
    }
    let missed = (!hit).trailing_zeros();
    let value = dims.iter().rev().zip(0..).filter(|&(_, place)| missed >> place & 1 == 1).map(|(&dim, _)| 1u64 << dim);
    Some(Subcube { fixed, value: value.sum() })
}
