//! Up*/down* order of the live nodes, and the distances of paths that keep it (Schroeder et al.,
//! Autonet, 1991): global fault information in tables.

use std::collections::VecDeque;
use std::sync::OnceLock;

use super::BlockFaults;
use crate::topology::{NodeId, Port, iter_ports};

/// Most nodes of a mesh that has tables: an entry for each pair of nodes takes 4 MB.
pub const MAX_TABLE_NODES: u32 = 1024;

/// Distance of nodes without a legal path.
const UNREACHABLE: u16 = u16::MAX;

/// Tables of up*/down* paths.
///
/// The live nodes of each component have the order of a breadth-first search. A hop to a node before the
/// own one leads up, any other hop down. A path is legal if no hop down precedes a hop up. The order
/// forbids cyclic waits, and the path along the search tree is legal, so all pairs of a component are
/// connected.
#[derive(Clone, Debug)]
pub struct UpDownTables {
    /// Place in the order, by node; `u32::MAX` for faulty nodes.
    order: Vec<u32>,
    /// Neighbours over live links, by node.
    neighbors: Vec<Vec<NodeId>>,
    /// Row of each destination, computed when a routing asks for it: all of them together take too
    /// long for a page that must respond.
    rows: Vec<OnceLock<Row>>,
}

/// Hops of the shortest legal paths to one destination, by node: if hops up are permitted, and if not.
type Row = Vec<[u16; 2]>;

impl UpDownTables {
    /// Prepares the tables; `None` above [`MAX_TABLE_NODES`]. Cost: the number of links.
    pub(super) fn new(faults: &BlockFaults) -> Option<Self> {
        let mesh = faults.mesh();
        if mesh.nodes() > MAX_TABLE_NODES {
            return None;
        }
        let neighbors = mesh.iter_nodes().map(|node| faults.neighbors(node).collect()).collect();
        let rows = mesh.iter_nodes().map(|_| OnceLock::new()).collect();
        Some(Self { order: search_order(faults), neighbors, rows })
    }

    /// Returns the place of `node` in the order.
    pub fn order(&self, node: NodeId) -> u32 {
        self.order.get(node.0 as usize).copied().unwrap_or(0)
    }

    /// Returns whether the hop from `a` to `b` leads down.
    pub fn is_down(&self, a: NodeId, b: NodeId) -> bool {
        self.order(b) > self.order(a)
    }

    /// Returns the hops of the shortest legal path from `here` to `to`, without hops up if `only_down`;
    /// `None` if there is no such path. Cost: constant; the number of links at the first call for `to`.
    pub fn hops(&self, here: NodeId, to: NodeId, only_down: bool) -> Option<u16> {
        let row = self.rows.get(to.0 as usize)?.get_or_init(|| self.row(to));
        let hops = row.get(here.0 as usize)?[usize::from(only_down)];
        Some(hops).filter(|&hops| hops != UNREACHABLE)
    }

    /// Searches backwards from `to`. A state is a node and whether only hops down are permitted.
    fn row(&self, to: NodeId) -> Row {
        let mut row = vec![[UNREACHABLE; 2]; self.order.len()];
        if self.order(to) == u32::MAX {
            return row;
        }
        row[to.0 as usize] = [0, 0];
        let mut rest = VecDeque::from([(to, true, 0), (to, false, 0)]);
        while let Some((node, only_down, hops)) = rest.pop_front() {
            for &before in &self.neighbors[node.0 as usize] {
                // From a state without hops up, hops down lead on. A hop up leads from a state that
                // permits it to another such state.
                let down = self.is_down(before, node);
                let states: &[bool] = match (down, only_down) {
                    (true, true) => &[true, false],
                    (false, false) => &[false],
                    _ => &[],
                };
                for &state in states {
                    let entry = &mut row[before.0 as usize][usize::from(state)];
                    if *entry == UNREACHABLE {
                        *entry = hops + 1;
                        rest.push_back((before, state, hops + 1));
                    }
                }
            }
        }
        row
    }
}

/// Tables that are computed when a routing asks for them.
#[derive(Clone, Debug, Default)]
pub(super) struct OnDemand(OnceLock<Option<UpDownTables>>);

/// Tables follow from the faults, so they never make a difference.
impl PartialEq for OnDemand {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Eq for OnDemand {}

/// Returns the place of each node in the breadth-first order of its component. The search starts at the
/// live node nearest to the middle of the mesh, so that the tree is low.
fn search_order(faults: &BlockFaults) -> Vec<u32> {
    let mesh = faults.mesh();
    let middle =
        (0..mesh.dimensions()).fold(NodeId(0), |node, dim| mesh.with_coordinate(node, dim, mesh.radix(dim) / 2));
    let mut roots: Vec<_> = mesh.iter_nodes().filter(|&node| !faults.is_faulty(node)).collect();
    roots.sort_by_key(|&node| mesh.distance(node, middle));
    let (mut order, mut next) = (vec![u32::MAX; mesh.nodes() as usize], 0);
    for root in roots {
        if order[root.0 as usize] != u32::MAX {
            continue;
        }
        let mut rest = VecDeque::from([root]);
        order[root.0 as usize] = next;
        next += 1;
        while let Some(node) = rest.pop_front() {
            for other in faults.neighbors(node) {
                if order[other.0 as usize] == u32::MAX {
                    order[other.0 as usize] = next;
                    next += 1;
                    rest.push_back(other);
                }
            }
        }
    }
    order
}

impl BlockFaults {
    /// Returns the tables of up*/down* paths, prepared at the first call; `None` above
    /// [`MAX_TABLE_NODES`].
    pub fn up_down(&self) -> Option<&UpDownTables> {
        self.up_down.0.get_or_init(|| UpDownTables::new(self)).as_ref()
    }

    /// Returns the ports by which shortest legal paths to `to` leave `here`; `came` is the port by which
    /// the message arrived. Cost: the number of ports.
    pub fn up_down_ports(&self, here: NodeId, to: NodeId, came: Option<Port>) -> impl Iterator<Item = Port> {
        let tables = self.up_down();
        let before = came.and_then(|came| self.mesh.neighbor(here, came.opposite()));
        let only_down = tables.is_some_and(|tables| before.is_some_and(|before| tables.is_down(before, here)));
        let left = tables.and_then(|tables| tables.hops(here, to, only_down));
        iter_ports(self.open_ports(here)).filter(move |&port| {
            let next = || Some((tables?, self.mesh.neighbor(here, port)?));
            next().zip(left).is_some_and(|((tables, next), left)| {
                let down = tables.is_down(here, next);
                (down || !only_down) && tables.hops(next, to, down) == left.checked_sub(1)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Key, below};
    use crate::topology::Mesh;

    /// The legal distance of all pairs, found by a search over all paths forward.
    #[test]
    fn distances_agree_with_a_forward_search() {
        let mut generator = Key::from_seed(63).generator();
        for _ in 0..10 {
            let mesh = Mesh::new(5, 6).expect("a mesh");
            let nodes: Vec<_> = (0..4).map(|_| NodeId(u64::from(below(&mut generator, 30)))).collect();
            let faults = BlockFaults::unclosed(mesh, &nodes, &[]);
            let tables = faults.up_down().expect("a small mesh");
            for from in faults.members() {
                let mut hops = [[u16::MAX; 2]; 30];
                hops[from.0 as usize][0] = 0;
                let mut rest = VecDeque::from([(from, false)]);
                while let Some((node, only_down)) = rest.pop_front() {
                    let here = hops[node.0 as usize][usize::from(only_down)];
                    for next in faults.neighbors(node) {
                        let down = tables.order(next) > tables.order(node);
                        let entry = &mut hops[next.0 as usize][usize::from(down)];
                        if (down || !only_down) && *entry == u16::MAX {
                            *entry = here + 1;
                            rest.push_back((next, down));
                        }
                    }
                }
                for to in faults.members().filter(|&to| to != from) {
                    let least = hops[to.0 as usize].into_iter().min();
                    assert_eq!(tables.hops(from, to, false), least, "{from} {to}");
                }
            }
        }
    }
}
