//! Faults of a hypercube with wormhole switching: nodes and one-way links, without blocks.

use super::{BlockFaults, NO_COMPONENT, closure};
use crate::fault::{ActiveSet, FaultyNodes, Tolerance};
use crate::topology::{Hypercube, Link, Mesh, NodeId, Port};

/// Active sets of a hypercube for oblivious schemes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CubeSets {
    /// Active set of Algorithm A.
    pub a: ActiveSet,
    /// Active set of Algorithm B; `None` below three dimensions.
    pub b: Option<ActiveSet>,
}

impl CubeSets {
    /// Computes the active sets for `faulty`. Cost: a few sweeps of n N additions.
    fn new(faulty: FaultyNodes, tolerance: Tolerance) -> Self {
        let b = ActiveSet::algorithm_b(faulty.clone(), tolerance);
        Self { a: ActiveSet::algorithm_a(faulty, tolerance), b }
    }

    /// Returns the faulty nodes.
    pub fn faulty(&self) -> &FaultyNodes {
        self.a.faulty()
    }
}

impl BlockFaults {
    /// Returns the faulty `nodes` and one-way `links` of `cube`, without blocks.
    ///
    /// The two directions of an edge are separate links, as for circuits (Chiu, Chalasani &
    /// Raghavendra section II). Returns `None` above [`Mesh::CUBE_DIMENSIONS`]. Cost: the number of
    /// links; with faulty links, the number of nodes times the number of components.
    pub fn on_cube(cube: Hypercube, nodes: &[NodeId], links: &[Link], tolerance: Tolerance) -> Option<Self> {
        let mesh = Mesh::from_cube(cube.dimension())?;
        let mut given = closure::without_closure(mesh, nodes, &[]);
        for link in links.iter().filter(|link| cube.contains(link.from) && link.dim < cube.dimension()) {
            given.down[link.from.0 as usize] |= Port::along(link.dim, link.is_up()).bit();
        }
        let mut faults = Self::from_parts(mesh, given, Vec::new(), Vec::new());
        if !links.is_empty() {
            faults.find_strong_components();
        }
        faults.sets = Some(CubeSets::new(FaultyNodes::from_nodes(cube, nodes.iter().copied())?, tolerance));
        Some(faults)
    }

    /// Returns the active sets for oblivious schemes; `None` if the network is not a hypercube.
    pub fn cube_sets(&self) -> Option<&CubeSets> {
        self.sets.as_ref()
    }

    /// Returns whether a link between live nodes is faulty.
    pub fn has_link_faults(&self) -> bool {
        let ends =
            |node: NodeId| self.mesh.ports().filter_map(move |port| Some((port, self.mesh.neighbor(node, port)?)));
        let between = |node| ends(node).any(|(port, end)| !self.is_faulty(end) && !self.is_open(node, port));
        self.mesh.iter_nodes().filter(|&node| !self.is_faulty(node)).any(between)
    }

    /// Finds the strongly connected components. With one-way links, a node can reach another one
    /// without being reachable from it.
    fn find_strong_components(&mut self) {
        self.component = vec![NO_COMPONENT; self.faulty.len()];
        self.sizes.clear();
        for start in self.mesh.iter_nodes() {
            if self.is_faulty(start) || self.component[start.0 as usize] != NO_COMPONENT {
                continue;
            }
            let (out, into) = (self.reached(start, true), self.reached(start, false));
            let number = self.sizes.len() as u32;
            let mut size = 0;
            for (component, both) in self.component.iter_mut().zip(out.into_iter().zip(into)) {
                if both == (true, true) {
                    *component = number;
                    size += 1;
                }
            }
            self.sizes.push(size);
        }
        self.choose_largest_component();
    }

    /// Returns a flag by node: whether `start` reaches the node over live links or, if not
    /// `forward`, whether the node reaches `start`.
    fn reached(&self, start: NodeId, forward: bool) -> Vec<bool> {
        let mut seen = vec![false; self.faulty.len()];
        seen[start.0 as usize] = true;
        let mut rest = vec![start];
        while let Some(node) = rest.pop() {
            for port in self.mesh.ports() {
                let Some(next) = self.mesh.neighbor(node, port) else { continue };
                let live = if forward { self.is_open(node, port) } else { self.is_open(next, port.opposite()) };
                if live && !std::mem::replace(&mut seen[next.0 as usize], true) {
                    rest.push(next);
                }
            }
        }
        seen
    }
}
