//! Up*/down* order of the live nodes, and the distances of paths that keep it (Schroeder et al.,
//! Autonet, 1991): global fault information in tables.

use std::collections::VecDeque;
use std::sync::OnceLock;

use super::BlockFaults;
use crate::topology::{NodeId, Port, iter_ports};

/// Most nodes of a mesh whose tables are computed: an entry for each pair of nodes takes 4 MB.
pub const MAX_TABLE_NODES: u32 = 1024;

/// Distance of nodes without a legal path.
const UNREACHABLE: u16 = u16::MAX;

/// Tables of up*/down* paths.
///
/// The live nodes of each component have the order of a breadth-first search. A hop to a node before the
/// own one leads up, any other hop down. A path is legal if no hop down precedes a hop up. The order
/// forbids cyclic waits, and the path along the search tree is legal, so all pairs of a component are
/// connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpDownTables {
    nodes: usize,
    /// Place in the order, by node.
    order: Vec<u32>,
    /// Hops of the shortest legal paths, by destination and node: if hops up are permitted, and if not.
    hops: Vec<[u16; 2]>,
}

impl UpDownTables {
    /// Computes the tables; `None` above [`MAX_TABLE_NODES`]. Cost: the number of nodes times the number
    /// of links.
    pub(super) fn compute(faults: &BlockFaults) -> Option<Self> {
        let mesh = faults.mesh();
        if mesh.nodes() > MAX_TABLE_NODES {
            return None;
        }
        let nodes = mesh.nodes() as usize;
        let order = search_order(faults);
        let mut tables = Self { nodes, order, hops: vec![[UNREACHABLE; 2]; nodes * nodes] };
        for to in mesh.iter_nodes().filter(|&node| !faults.is_faulty(node)) {
            tables.add_destination(faults, to);
        }
        Some(tables)
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
    /// `None` if there is no such path.
    pub fn hops(&self, here: NodeId, to: NodeId, only_down: bool) -> Option<u16> {
        let entry = self.hops.get(to.0 as usize * self.nodes + here.0 as usize)?;
        Some(entry[usize::from(only_down)]).filter(|&hops| hops != UNREACHABLE)
    }

    /// Searches backwards from `to`. A state is a node and whether only hops down are permitted.
    fn add_destination(&mut self, faults: &BlockFaults, to: NodeId) {
        let row = to.0 as usize * self.nodes;
        self.hops[row + to.0 as usize] = [0, 0];
        let mut rest = VecDeque::from([(to, true, 0), (to, false, 0)]);
        while let Some((node, only_down, hops)) = rest.pop_front() {
            for before in faults.neighbors(node) {
                // From a state without hops up, hops down lead on. A hop up leads from a state that
                // permits it to another such state.
                let down = self.is_down(before, node);
                let states: &[bool] = match (down, only_down) {
                    (true, true) => &[true, false],
                    (false, false) => &[false],
                    _ => &[],
                };
                for &state in states {
                    let entry = &mut self.hops[row + before.0 as usize][usize::from(state)];
                    if *entry == UNREACHABLE {
                        *entry = hops + 1;
                        rest.push_back((before, state, hops + 1));
                    }
                }
            }
        }
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
    /// Returns the tables of up*/down* paths, computed at the first call; `None` above
    /// [`MAX_TABLE_NODES`].
    pub fn up_down(&self) -> Option<&UpDownTables> {
        self.up_down.0.get_or_init(|| UpDownTables::compute(self)).as_ref()
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
