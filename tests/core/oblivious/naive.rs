//! Direct and slow implementation of the thesis's definitions. Nodes are strings of bits, dimension
//! 1 first.

use faultlab::fault::FaultyNodes;
use faultlab::topology::NodeId;

/// Returns the nodes of the bit-fixing path, both ends included.
pub(crate) fn path(n: u8, from: NodeId, to: NodeId) -> Vec<NodeId> {
    let bits = |node: NodeId| (0..n).map(|k| node.0 / (1 << k) % 2).collect::<Vec<_>>();
    let number = |bits: &[u64]| NodeId(bits.iter().rev().fold(0, |sum, bit| 2 * sum + bit));
    let (mut here, to) = (bits(from), bits(to));
    let mut nodes = vec![from];
    for k in 0..usize::from(n) {
        if here[k] != to[k] {
            here[k] = to[k];
            nodes.push(number(&here));
        }
    }
    nodes
}

pub(crate) fn is_clear(faulty: &FaultyNodes, from: NodeId, to: NodeId) -> bool {
    path(faulty.cube().dimension(), from, to).iter().all(|&node| !faulty.contains(node))
}

/// Returns the active set of Algorithm A (Figure 3-2).
pub(crate) fn active_a(faulty: &FaultyNodes) -> Vec<bool> {
    let n = faulty.cube().dimension();
    let nodes = 1u64 << n;
    let limit = nodes as f64 / (3.0 * f64::from(n));
    let each = |a: u64| {
        let out = (0..nodes).filter(|&d| !is_clear(faulty, NodeId(a), NodeId(d))).count() as f64;
        let into = (0..nodes).filter(|&s| !is_clear(faulty, NodeId(s), NodeId(a))).count() as f64;
        out <= limit && into <= limit && !faulty.contains(NodeId(a))
    };
    (0..nodes).map(each).collect()
}

/// Returns the active set of Algorithm B (Figure 3-6): a_00 in the cube of nodes x_00, in which
/// x_00 is faulty if any x_jk is.
pub(crate) fn active_b(faulty: &FaultyNodes) -> Vec<bool> {
    let m = faulty.cube().dimension() - 2;
    let marked = (0..1u64 << m).filter(|square| (0..4).any(|jk| faulty.contains(NodeId(4 * square + jk))));
    let core = super::faulty_nodes(m, &marked.collect::<Vec<_>>());
    let active = active_a(&core);
    (0..4usize << m).map(|a| active[a / 4]).collect()
}

/// Returns the set I_sd of Algorithm A (Figure 3-2).
pub(crate) fn intermediates(faulty: &FaultyNodes, s: NodeId, d: NodeId) -> Vec<NodeId> {
    let n = faulty.cube().dimension();
    let cap = f64::from(n) + (2.0 * f64::from(n) * libm::log(6.0 * f64::from(n))).sqrt();
    let valid = |i: &NodeId| {
        let length = path(n, s, *i).len() + path(n, *i, d).len() - 2;
        is_clear(faulty, s, *i) && is_clear(faulty, *i, d) && length as f64 <= cap
    };
    super::nodes(n).filter(valid).collect()
}
