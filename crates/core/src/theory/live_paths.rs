//! Shortest live paths of meshes and tori: what a routing with global knowledge of the faults could
//! reach (Boppana & Chalasani, section II.A).

use std::collections::VecDeque;

use super::MAX_DEPENDENCY_NODES;
use crate::fault::BlockFaults;
use crate::topology::NodeId;

/// Shortest live paths between the nodes that take part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LivePaths {
    /// Number of ordered pairs of live nodes, connected or not.
    pub live_pairs: u64,
    /// Number of ordered pairs of nodes that take part; all are connected.
    pub pairs: u64,
    /// Sum of the lengths of their shortest live paths, in hops.
    pub hops: u64,
    /// Sum of their distances without faults, in hops.
    pub distances: u64,
    /// Length of the longest of these paths, in hops.
    pub longest: u32,
    /// Largest difference between a shortest live path and the distance without faults, in hops.
    pub detour: u32,
}

impl LivePaths {
    /// Measures all pairs of nodes that take part in `faults`, by breadth-first search.
    ///
    /// No routing needs fewer hops, whatever it knows of the faults. Returns `None` for more than
    /// [`MAX_DEPENDENCY_NODES`] nodes. Cost: the number of nodes times the number of links.
    pub fn compute(faults: &BlockFaults) -> Option<Self> {
        let mesh = faults.mesh();
        if mesh.nodes() > MAX_DEPENDENCY_NODES {
            return None;
        }
        let live = mesh.iter_nodes().filter(|&node| !faults.is_faulty(node)).count() as u64;
        let mut found = Self { live_pairs: live * live.saturating_sub(1), ..Self::default() };
        for from in faults.members() {
            found.add_paths_from(faults, from);
        }
        Some(found)
    }

    fn add_paths_from(&mut self, faults: &BlockFaults, from: NodeId) {
        let mut hops = vec![u32::MAX; faults.mesh().nodes() as usize];
        hops[from.0 as usize] = 0;
        let mut rest = VecDeque::from([from]);
        while let Some(node) = rest.pop_front() {
            let here = hops[node.0 as usize];
            for next in faults.neighbors(node) {
                if hops[next.0 as usize] != u32::MAX {
                    continue;
                }
                hops[next.0 as usize] = here + 1;
                rest.push_back(next);
                let distance = faults.mesh().distance(from, next);
                self.pairs += 1;
                self.hops += u64::from(here) + 1;
                self.distances += u64::from(distance);
                self.longest = self.longest.max(here + 1);
                self.detour = self.detour.max(here + 1 - distance);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Mesh;

    /// Without faults the paths are distances; on a 2 x 3 mesh without (0,1), the corners of row 0
    /// are four hops apart instead of two.
    #[test]
    fn paths_of_small_meshes() {
        let mesh = Mesh::new(2, 3).expect("a mesh");
        let whole = LivePaths::compute(&BlockFaults::new(mesh, &[], &[])).expect("a small mesh");
        assert_eq!((whole.pairs, whole.hops, whole.longest, whole.detour), (30, whole.distances, 3, 0));
        let broken = LivePaths::compute(&BlockFaults::new(mesh, &[NodeId(1)], &[])).expect("a small mesh");
        // A path of five nodes: 2 (4 + 2 * 3 + 3 * 2 + 4) hops.
        assert_eq!((broken.live_pairs, broken.pairs, broken.hops), (20, 20, 40));
        assert_eq!((broken.longest, broken.detour, broken.hops - broken.distances), (4, 2, 4));
    }

    /// Row 1 of a 3 x 2 mesh cuts it into two parts of two nodes; the first takes part.
    #[test]
    fn other_parts_take_no_part() {
        let faults = BlockFaults::new(Mesh::new(3, 2).expect("a mesh"), &[NodeId(2), NodeId(3)], &[]);
        let found = LivePaths::compute(&faults).expect("a small mesh");
        assert_eq!((found.live_pairs, found.pairs, found.hops), (12, 2, 2));
        let other: Vec<_> = faults.other_components().collect();
        assert_eq!((other.len(), faults.other_component_count()), (1, 1));
        assert_eq!(other[0].members().collect::<Vec<_>>(), [NodeId(4), NodeId(5)]);
    }
}
