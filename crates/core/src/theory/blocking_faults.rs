//! Obstacles of a disconnected pair: the faults that its permitted paths meet first.

use std::collections::BTreeSet;

use crate::fault::Faults;
use crate::routing::{Criterion, Header, LocalRouting as _, Position};
use crate::topology::{Hypercube, Link, NodeId, set_dimensions};
use crate::traffic::Pair;

/// Fault that permitted paths meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockingFault {
    /// Faulty node.
    Node(NodeId),
    /// Faulty link between live nodes.
    Link(Link),
}

/// Returns the faults that the permitted paths of a pair meet first, ascending.
///
/// The list is empty if one of these paths is live, or if both nodes are equal. If the list has
/// only one fault, the fault lies on every permitted path. If messages draw their start header, the
/// faults of all headers count; the list is empty if one header has a live path.
///
/// `None` if an end is faulty or not a node of `cube`. Cost: n 2^d positions for nodes at distance
/// d.
pub fn blocking_faults(
    cube: Hypercube,
    faults: &mut impl Faults,
    criterion: &Criterion,
    pair: Pair,
) -> Option<Vec<BlockingFault>> {
    let live = |faults: &mut dyn FnMut(NodeId) -> bool, node| cube.contains(node) && !faults(node);
    let mut is_faulty = |node| faults.is_faulty(node);
    if !(live(&mut is_faulty, pair.from) && live(&mut is_faulty, pair.to)) {
        return None;
    }
    let mut all = Vec::new();
    for first in (0..criterion.initial_header_count()).map(Header) {
        let met = faults_met(faults, criterion, pair, first);
        if met.is_empty() {
            return Some(met);
        }
        all.extend(met);
    }
    all.sort();
    all.dedup();
    Some(all)
}

/// Returns the faults that a message with start header `first` meets, unordered; empty if the
/// message can arrive.
fn faults_met(faults: &mut impl Faults, criterion: &Criterion, pair: Pair, first: Header) -> Vec<BlockingFault> {
    let (mut met, mut seen) = (Vec::new(), BTreeSet::from([(pair.from, first.0)]));
    let mut rest = vec![(pair.from, first)];
    while let Some((here, header)) = rest.pop() {
        if here == pair.to {
            return Vec::new();
        }
        let at = Position { here, wrong: here.0 ^ pair.to.0, header };
        let (low, free) = criterion.legal(at);
        for dim in set_dimensions(low | free) {
            let link = Link { from: here, dim };
            let next = (link.end(), criterion.header_after(at, dim));
            if faults.is_faulty(link.end()) {
                met.push(BlockingFault::Node(link.end()));
            } else if faults.is_link_faulty(link) {
                met.push(BlockingFault::Link(link));
            } else if seen.insert((next.0, next.1.0)) {
                rest.push(next);
            }
        }
    }
    met
}
