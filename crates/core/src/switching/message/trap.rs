//! Why a message without memory ran into its path limit: tunnelling, and its general form, the closed trap.

use super::walk::View;
use crate::fault::Faults;
use crate::routing::{Header, Knowledge, Links, LocalRouting, Position};
use crate::switching::MessageWalk;
use crate::topology::{Hypercube, Link, NodeId};
use crate::traffic::Pair;

/// The most nodes a closed set may have to be recognised.
pub const TRAP_SEARCH_LIMIT: usize = 256;

/// A set of nodes that a message without memory can never leave again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    /// Its nodes, the one where the message ended first.
    pub nodes: Vec<NodeId>,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trapping {
    /// The message could still have arrived, or the set is larger than [`TRAP_SEARCH_LIMIT`].
    Open,
    /// A closed set of more than two nodes.
    Closed,
    /// Tunnelling (Gordon & Stout section 3): a blocked node and its only live neighbour, whose only live forward
    /// neighbour is the blocked node.
    Tunnelling,
}

impl Trap {
    /// The name of what was found.
    pub fn kind(trap: Option<&Self>) -> Trapping {
        match trap.map(|trap| trap.nodes.len()) {
            None => Trapping::Open,
            Some(2) => Trapping::Tunnelling,
            Some(_) => Trapping::Closed,
        }
    }
}

impl<F: Faults> MessageWalk<'_, '_, F> {
    /// The closed set that the message is in: every node it can ever visit from here, if the destination is not among
    /// them and they are at most [`TRAP_SEARCH_LIMIT`]. Only for algorithms without marks and headers.
    pub fn trap(&mut self) -> Option<Trap> {
        let routing = self.routing();
        if routing.marks_blocked() || routing.headers() > 1 || routing.knowledge() == Knowledge::Nothing {
            return None;
        }
        let start = self.here();
        let (view, cube, ends) = self.view();
        let mut nodes = vec![start];
        let mut next = 0;
        while let Some(&node) = nodes.get(next) {
            next += 1;
            for neighbor in permitted(view, cube, ends, routing, node) {
                if neighbor == ends.to || nodes.len() > TRAP_SEARCH_LIMIT {
                    return None;
                }
                if !nodes.contains(&neighbor) {
                    nodes.push(neighbor);
                }
            }
        }
        (nodes.len() <= TRAP_SEARCH_LIMIT).then_some(Trap { nodes })
    }
}

/// The nodes that a message at `node` may be sent to.
fn permitted<F: Faults>(
    view: &mut View<'_, F>,
    cube: Hypercube,
    ends: Pair,
    routing: &dyn LocalRouting,
    node: NodeId,
) -> Vec<NodeId> {
    // Only algorithms without headers walk on and on.
    let at = Position { here: node, wrong: node.0 ^ ends.to.0, header: Header::default() };
    let all = cube.mask();
    let live = crate::topology::dimensions_of(if routing.looks() { all } else { 0 });
    let live = live.filter(|&dim| view.is_open(Link { from: node, dim })).fold(0, |live, dim| live | 1 << dim);
    routing
        .tiers_among(at, Links { all, live })
        .iter()
        .map(|tier| {
            let dims = tier.dimensions.mask(at.wrong, cube.mask());
            crate::topology::dimensions_of(dims)
                .map(|dim| Link { from: node, dim })
                .filter(|&link| view.is_open(link))
                .map(Link::to)
                .collect::<Vec<_>>()
        })
        .find(|nodes| !nodes.is_empty())
        .unwrap_or_default()
}
