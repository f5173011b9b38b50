//! The middle of a mesh, by which its loads and its performance are measured (Boppana & Chalasani section V).

use crate::topology::{Link, Mesh, NodeId, Port};

/// The links between the two middle columns, and the nodes on both sides of them. Of an odd number of columns the middle
/// one is on the eastern side; a mesh of a single column is cut between its middle rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bisection {
    mesh: Mesh,
    /// The dimension of its links.
    dim: u8,
    /// The first row or column on the far side.
    middle: u16,
}

impl Bisection {
    /// The bisection of `mesh`.
    pub fn new(mesh: Mesh) -> Self {
        let dim = u8::from(mesh.columns() == 1);
        Self { mesh, dim, middle: if dim == 0 { mesh.columns() / 2 } else { mesh.rows() / 2 } }
    }

    /// Its links, faulty or not.
    pub fn links(self) -> impl Iterator<Item = Link> {
        let port = Port::along(self.dim, true);
        let ends = self.mesh.all().filter(move |&node| {
            self.is_near(node) && self.mesh.neighbor(node, port).is_some_and(|next| !self.is_near(next))
        });
        ends.map(move |from| Link { from, dim: self.dim })
    }

    /// Whether a message between these nodes has to cross it: a bisection message.
    #[inline]
    pub fn divides(self, a: NodeId, b: NodeId) -> bool {
        self.is_near(a) != self.is_near(b)
    }

    /// The flits that each node generates in a cycle when uniform traffic saturates the fault-free bisection.
    ///
    /// A and B nodes on its sides, A + B = N, and w links: a message crosses it in one direction with probability
    /// A B / (N (N - 1)), so that N f A B / (N (N - 1)) = w. In the k x k mesh, k even, 4 (N - 1) / (k N).
    pub fn saturation(self) -> f64 {
        let (nodes, links) = (f64::from(self.mesh.nodes()), self.links().count() as f64);
        let near = links * f64::from(self.middle);
        links * (nodes - 1.0) / (near * (nodes - near))
    }

    #[inline]
    fn is_near(self, node: NodeId) -> bool {
        let (row, column) = self.mesh.place(node);
        (if self.dim == 0 { column } else { row }) < i32::from(self.middle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saturation_is_what_the_links_carry() {
        for (rows, columns) in [(16, 16), (4, 4), (5, 5), (3, 8), (8, 3), (7, 1), (1, 2), (64, 64)] {
            let mesh = Mesh::new(rows, columns).unwrap();
            let bisection = Bisection::new(mesh);
            let nodes = u64::from(mesh.nodes());
            let pairs = |near| mesh.all().filter(|&node| bisection.is_near(node) == near).count() as f64;
            let crossing = pairs(true) * pairs(false) / (nodes * (nodes - 1)) as f64;
            let carried = bisection.saturation() * nodes as f64 * crossing;
            assert!((carried - bisection.links().count() as f64).abs() < 1e-9, "{mesh}: {carried}");
        }
        // The paper's mesh: L * 2k / (N * (N/2) / (N-1)) flits.
        let square = Bisection::new(Mesh::new(16, 16).unwrap());
        assert!((square.saturation() - 32.0 / (256.0 * 128.0 / 255.0)).abs() < 1e-12);
        assert_eq!(square.links().count(), 16);
    }
}
