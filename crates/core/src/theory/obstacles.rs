//! Why a pair of nodes is cut off: the faults that its permitted paths meet first.

use std::collections::BTreeSet;

use crate::fault::Faults;
use crate::routing::{Criterion, Header, LocalRouting as _, Position};
use crate::topology::{Hypercube, Link, NodeId, dimensions_of};
use crate::traffic::Pair;

/// A fault that permitted paths meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// A faulty node.
    Node(NodeId),
    /// A faulty link between live nodes.
    Link(Link),
}

/// The faults that the permitted paths of a pair meet first, ascending; empty if one of these paths is live, and if the
/// two are the same. A single one is on every permitted path. Of a criterion under which messages draw what they follow,
/// those of all draws; none if one of them leaves a live path.
///
/// `None` if an end is faulty or no node of `cube`. Cost: n 2^d positions for nodes at distance d.
pub fn obstacles(
    cube: Hypercube,
    faults: &mut impl Faults,
    criterion: &Criterion,
    pair: Pair,
) -> Option<Vec<Obstacle>> {
    let live = |faults: &mut dyn FnMut(NodeId) -> bool, node| cube.contains(node) && !faults(node);
    let mut is_faulty = |node| faults.is_faulty(node);
    if !(live(&mut is_faulty, pair.from) && live(&mut is_faulty, pair.to)) {
        return None;
    }
    let mut all = Vec::new();
    for first in (0..criterion.first_headers()).map(Header) {
        let met = met(faults, criterion, pair, first);
        if met.is_empty() {
            return Some(met);
        }
        all.extend(met);
    }
    all.sort();
    all.dedup();
    Some(all)
}

/// What a message with this first header meets, in no order; nothing if it can arrive.
fn met(faults: &mut impl Faults, criterion: &Criterion, pair: Pair, first: Header) -> Vec<Obstacle> {
    let (mut met, mut seen) = (Vec::new(), BTreeSet::from([(pair.from, first.0)]));
    let mut rest = vec![(pair.from, first)];
    while let Some((here, header)) = rest.pop() {
        if here == pair.to {
            return Vec::new();
        }
        let at = Position { here, wrong: here.0 ^ pair.to.0, header };
        let (low, free) = criterion.legal(at);
        for dim in dimensions_of(low | free) {
            let link = Link { from: here, dim };
            let next = (link.to(), criterion.header_after(at, dim));
            if faults.is_faulty(link.to()) {
                met.push(Obstacle::Node(link.to()));
            } else if faults.is_link_faulty(link) {
                met.push(Obstacle::Link(link));
            } else if seen.insert((next.0, next.1.0)) {
                rest.push(next);
            }
        }
    }
    met
}
