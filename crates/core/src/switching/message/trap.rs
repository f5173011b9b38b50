//! Traps: sets of nodes in which a memoryless message moves until it reaches its path limit.
//! Tunnelling is a special case.

use super::walk::FaultView;
use crate::fault::Faults;
use crate::routing::{Header, Knowledge, Links, LocalRouting, Position};
use crate::switching::MessageWalk;
use crate::topology::{Hypercube, Link, NodeId};
use crate::traffic::Pair;

/// Largest closed set of nodes that [`MessageWalk::trap`] recognizes.
pub const TRAP_SEARCH_LIMIT: usize = 256;

/// A set of nodes that a memoryless message can never leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    /// Nodes of the set; the first is the node where the message ended.
    pub nodes: Vec<NodeId>,
}

/// Kind of a trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrapKind {
    /// No trap: the message could still have arrived, or the set exceeds [`TRAP_SEARCH_LIMIT`].
    NoTrap,
    /// A closed set of any size but two.
    Closed,
    /// Tunnelling (Gordon & Stout section 3): a blocked node and its only live neighbor, whose only
    /// live forward neighbor is the blocked node.
    Tunnelling,
}

impl Trap {
    /// Returns the kind of the trap that a search found, if any.
    pub fn kind(trap: Option<&Self>) -> TrapKind {
        match trap.map(|trap| trap.nodes.len()) {
            None => TrapKind::NoTrap,
            Some(2) => TrapKind::Tunnelling,
            Some(_) => TrapKind::Closed,
        }
    }
}

impl<F: Faults> MessageWalk<'_, '_, F> {
    /// Returns the closed set of nodes that contains the message; `None` if there is no such set.
    ///
    /// The set consists of all nodes that the message can still visit. A message that can still
    /// visit its destination or more than [`TRAP_SEARCH_LIMIT`] nodes is in no trap. The result is
    /// always `None` for algorithms that mark nodes, use headers or ignore faults.
    pub fn trap(&mut self) -> Option<Trap> {
        let routing = self.routing();
        if routing.marks_blocked_nodes() || routing.header_count() > 1 || routing.knowledge() == Knowledge::Nothing {
            return None;
        }
        let start = self.current_node();
        let (view, cube, ends) = self.view();
        let mut nodes = vec![start];
        let mut next = 0;
        while let Some(&node) = nodes.get(next) {
            next += 1;
            for neighbor in permitted_neighbors(view, cube, ends, routing, node) {
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

/// Returns the nodes to which a message at `node` may be sent.
fn permitted_neighbors<F: Faults>(
    view: &mut FaultView<'_, F>,
    cube: Hypercube,
    ends: Pair,
    routing: &dyn LocalRouting,
    node: NodeId,
) -> Vec<NodeId> {
    // `trap` excludes algorithms with several headers, so the header is the default one.
    let at = Position { here: node, wrong: node.0 ^ ends.to.0, header: Header::default() };
    let all = cube.mask();
    let live = crate::topology::set_dimensions(if routing.depends_on_faults() { all } else { 0 });
    let live = live.filter(|&dim| view.is_open(Link { from: node, dim })).fold(0, |live, dim| live | 1 << dim);
    routing
        .tiers_with_links(at, Links { all, live })
        .iter()
        .map(|tier| {
            let dims = tier.dimensions.mask(at.wrong, cube.mask());
            crate::topology::set_dimensions(dims)
                .map(|dim| Link { from: node, dim })
                .filter(|&link| view.is_open(link))
                .map(Link::end)
                .collect::<Vec<_>>()
        })
        .find(|nodes| !nodes.is_empty())
        .unwrap_or_default()
}
