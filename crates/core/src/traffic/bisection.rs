//! Bisection of a mesh or torus, the reference for loads and performance (Boppana & Chalasani
//! section V).

use crate::topology::{Link, Mesh, NodeId, Port};

/// Cut through the middle of one dimension: the links across the cut and the nodes on both sides.
///
/// The cut dimension has the fewest links across its middle; in a mesh, it is the longest. If
/// several tie, the first is cut. A square mesh is cut between its two middle columns, a hypercube
/// between its halves in dimension 0. On a torus the wraparound links also cross the cut. If the
/// number of columns is odd, the middle column is on the eastern side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bisection {
    mesh: Mesh,
    /// Dimension of the links.
    dim: u8,
    /// First row or column on the far side.
    middle: u16,
}

impl Bisection {
    /// Returns the bisection of `mesh`.
    pub fn new(mesh: Mesh) -> Self {
        let links = |dim: &u8| {
            let ways = if mesh.is_torus() && mesh.radix(*dim) > 2 { 2 } else { 1 };
            ways * (mesh.nodes() / u32::from(mesh.radix(*dim)))
        };
        let dim = (0..mesh.dimensions()).filter(|&dim| mesh.radix(dim) > 1).min_by_key(links).unwrap_or(0);
        Self { mesh, dim, middle: mesh.radix(dim) / 2 }
    }

    /// Returns the links across the cut, faulty or not.
    pub fn links(self) -> impl Iterator<Item = Link> {
        let port = Port::along(self.dim, true);
        let crosses = move |node, next| self.is_near(node) != self.is_near(next);
        let ends = self
            .mesh
            .iter_nodes()
            .filter(move |&node| self.mesh.neighbor(node, port).is_some_and(|next| crosses(node, next)));
        ends.map(move |from| Link { from, dim: self.dim })
    }

    /// Returns both channels of every link across the cut, each as its source node and output port.
    pub fn channels(self) -> impl Iterator<Item = (NodeId, Port)> {
        let port = Port::along(self.dim, true);
        let both =
            move |link: Link| [Some((link.from, port)), self.mesh.link_end(link).map(|to| (to, port.opposite()))];
        self.links().flat_map(both).flatten()
    }

    /// Returns whether a message between `a` and `b` is a bisection message, which must cross the
    /// cut.
    #[inline]
    pub fn separates(self, a: NodeId, b: NodeId) -> bool {
        self.is_near(a) != self.is_near(b)
    }

    /// Returns the flits per node and cycle at which uniform traffic saturates the fault-free
    /// bisection.
    ///
    /// Let A and B be the numbers of nodes on the two sides, A + B = N, and w the number of links.
    /// A message crosses in one direction with probability A B / (N (N - 1)). The bisection
    /// saturates at the f flits for which N f A B / (N (N - 1)) = w. In the k x k mesh, k even, f
    /// is 4 (N - 1) / (k N). In the torus, which also has wraparound links, f is twice as large.
    pub fn saturation_load(self) -> f64 {
        let (nodes, links) = (f64::from(self.mesh.nodes()), self.links().count() as f64);
        let near = f64::from(self.mesh.nodes() / u32::from(self.mesh.radix(self.dim)) * u32::from(self.middle));
        links * (nodes - 1.0) / (near * (nodes - near))
    }

    #[inline]
    fn is_near(self, node: NodeId) -> bool {
        self.mesh.coordinate(node, self.dim) < self.middle
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saturation_load_fills_the_bisection_links() {
        let planes = [(16, 16), (4, 4), (5, 5), (3, 8), (8, 3), (7, 1), (1, 2), (64, 64)];
        let meshes = planes.map(|(rows, columns)| Mesh::new(rows, columns).unwrap());
        let radices: [&[u16]; 6] = [&[9], &[4, 3, 6], &[5, 1, 1], &[2, 2, 2, 2], &[3, 4, 3, 2], &[3, 3, 3, 3, 5]];
        let meshes = meshes.into_iter().chain(radices.map(|radices| Mesh::from_radices(radices).unwrap()));
        for mesh in meshes.flat_map(|mesh| [mesh, mesh.to_torus()]) {
            let bisection = Bisection::new(mesh);
            let nodes = u64::from(mesh.nodes());
            let pairs = |near| mesh.iter_nodes().filter(|&node| bisection.is_near(node) == near).count() as f64;
            let crossing = pairs(true) * pairs(false) / (nodes * (nodes - 1)) as f64;
            let carried = bisection.saturation_load() * nodes as f64 * crossing;
            assert!((carried - bisection.links().count() as f64).abs() < 1e-9, "{mesh}: {carried}");
        }
        // The paper's mesh: L * 2k / (N * (N/2) / (N-1)) flits.
        let square = Bisection::new(Mesh::new(16, 16).unwrap());
        assert!((square.saturation_load() - 32.0 / (256.0 * 128.0 / 255.0)).abs() < 1e-12);
        assert_eq!(square.links().count(), 16);
        // A torus has twice as many links across the cut, unless the radix is two, because of the
        // wraparound links.
        let links = |radices: &[u16]| Bisection::new(Mesh::from_radices(radices).unwrap().to_torus()).links().count();
        assert_eq!((links(&[16, 16]), links(&[4, 4, 4]), links(&[8]), links(&[8, 2])), (32, 32, 2, 4));
        // The narrowest cut is independent of orientation. On a 3 x 2 torus it lies in the
        // dimension of radix two, which has no wraparound links.
        let loads = |radices: &[u16]| Bisection::new(Mesh::from_radices(radices).unwrap()).saturation_load();
        assert_eq!((loads(&[16, 4]), links(&[3, 2])), (loads(&[4, 16]), 3));
    }
}
