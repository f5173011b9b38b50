//! Active nodes and fault-free paths that a fault set leaves, counted by the cheaper of two
//! methods.

use super::{ActiveSet, FaultyNodes, Tolerance};
use crate::topology::{Hypercube, NodeId};

/// Numbers of active nodes and fault-free paths that a fault set leaves (Algorithm A).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RemainingPaths {
    /// |A|, the number of active nodes.
    pub active: u32,
    /// Number of ordered pairs of nodes whose bit-fixing path is fault-free, including pairs of
    /// equal nodes.
    pub paths: u64,
}

impl RemainingPaths {
    /// Counts the active nodes and fault-free paths under `faulty`. `nodes` lists the same faulty
    /// nodes. Cost: [`RemainingPaths::cost`]; with faulty links, 2 n N additions.
    pub fn new(faulty: &FaultyNodes, nodes: &[NodeId], tolerance: Tolerance) -> Self {
        let cube = faulty.cube();
        if !faulty.has_faulty_links() && few_faults_cost(cube, nodes.len() as u64) < sweep_cost(cube) {
            return Self::from_few_faults(cube, nodes, tolerance);
        }
        let active = ActiveSet::algorithm_a(faulty.clone(), tolerance);
        let all = 1u64 << (2 * u32::from(cube.dimension()));
        Self { active: active.count(), paths: all - active.faulty_paths() }
    }

    /// Returns the approximate number of additions to count the active nodes and paths under
    /// `count` faults.
    pub fn cost(cube: Hypercube, count: u32) -> u64 {
        few_faults_cost(cube, count.into()).min(sweep_cost(cube))
    }

    /// Counts the active nodes and the fault-free paths under the faults `nodes`, which have no
    /// duplicates. The method needs no table.
    ///
    /// Nodes that agree with the faults in the same dimensions, from either end of the address,
    /// have the same counts. There are at most n F classes of such nodes. Cost: 2 n F^3 steps for
    /// the classes, and n^2 F^2 steps to intersect them.
    pub fn from_few_faults(cube: Hypercube, nodes: &[NodeId], tolerance: Tolerance) -> Self {
        let n = u32::from(cube.dimension());
        if nodes.is_empty() {
            return Self { active: 1 << n, paths: 1 << (2 * n) };
        }
        let limit = u64::from(tolerance.limit(cube));
        let forward: Vec<u64> = nodes.iter().map(|node| node.0).collect();
        let backward: Vec<u64> = forward.iter().map(|&node| reversed(node, n)).collect();
        let (sources, destinations) = (node_classes(n, &forward), node_classes(n, &backward));
        let paths = sources.iter().map(|block| ((1 << n) - block.faulty) << (n - block.fixed)).sum();
        let few = |block: &&NodeClass| block.faulty <= limit;
        let mut active = 0;
        for out in sources.iter().filter(few) {
            for into in destinations.iter().filter(few) {
                active += out.intersection_size(into, n);
            }
        }
        Self { active, paths }
    }
}

/// Returns the cost of [`RemainingPaths::from_few_faults`].
fn few_faults_cost(cube: Hypercube, count: u64) -> u64 {
    2 * u64::from(cube.dimension()) * count.saturating_mul(count).saturating_mul(count)
}

fn sweep_cost(cube: Hypercube) -> u64 {
    2 * u64::from(cube.dimension()) * (cube.mask() + 1)
}

/// A class of healthy nodes with equal highest bits, and therefore equally many faulty paths out of
/// each.
struct NodeClass {
    /// Number of shared bits.
    fixed: u32,
    /// Shared bits of the address; the other bits are 0.
    node: u64,
    /// Number of faulty paths out of each node of the class.
    faulty: u64,
}

impl NodeClass {
    /// Returns the number of nodes that are in this class and in `reverse`, a class of the reversed
    /// addresses.
    fn intersection_size(&self, reverse: &Self, n: u32) -> u32 {
        match (self.fixed + reverse.fixed).checked_sub(n) {
            None | Some(0) => 1 << (n - self.fixed - reverse.fixed),
            // Both classes must agree in the bits that they share.
            Some(_) => {
                let both = ((1 << reverse.fixed) - 1) & !((1 << (n - self.fixed)) - 1);
                u32::from((self.node ^ reversed(reverse.node, n)) & both == 0)
            }
        }
    }
}

/// Divides all healthy nodes into classes.
///
/// There is at most one class for each fault and bit: the nodes that agree with the fault above the
/// bit, differ from it in the bit, and agree with no fault from the bit on.
fn node_classes(n: u32, nodes: &[u64]) -> Vec<NodeClass> {
    let mut blocks = Vec::new();
    for (number, &fault) in nodes.iter().enumerate() {
        for bit in 0..n {
            let prefix = (fault >> bit) ^ 1;
            let known = nodes[..number].iter().any(|&other| other >> bit == fault >> bit);
            if !known && nodes.iter().all(|&other| other >> bit != prefix) {
                blocks.push(NodeClass {
                    fixed: n - bit,
                    node: prefix << bit,
                    faulty: count_faulty_paths(n, prefix << bit, nodes),
                });
            }
        }
    }
    blocks
}

/// Counts the bit-fixing paths out of the healthy node `source` that meet a fault in `nodes`.
///
/// Such a path leads to a destination that agrees with a fault in all bits up to the highest bit in
/// which the source differs from that fault.
fn count_faulty_paths(n: u32, source: u64, nodes: &[u64]) -> u64 {
    let bits = |fault: u64| 64 - (source ^ fault).leading_zeros();
    let counted = |(number, &fault): (usize, &u64)| {
        let covers = |(other_number, &other): (usize, &u64)| {
            let before = (bits(other), other_number) < (bits(fault), number);
            before && (other ^ fault).trailing_zeros() >= bits(other)
        };
        !nodes.iter().enumerate().any(covers)
    };
    let counted = nodes.iter().enumerate().filter(|&fault| counted(fault));
    counted.map(|(_, &fault)| 1 << (n - bits(fault))).sum()
}

fn reversed(node: u64, n: u32) -> u64 {
    node.reverse_bits() >> (64 - n)
}
