//! The random fault sets of Boppana & Chalasani section V.

use super::Ring;
use crate::random::{Generator, below};
use crate::topology::{Link, Mesh, NodeId, Port};

/// Places that are tried for one fault, and whole sets that are begun, before a set counts as impossible.
const TRIES: u32 = 400;
const SETS: u32 = 25;

/// The numbers of faulty nodes and links for which about `share` of the links of `mesh` are faulty, four for each node,
/// with two links for each node: 1 + 1, 4 + 8 and 8 + 16 for 1, 5 and 10% of the 16 x 16 mesh, as in the paper.
pub fn mix_of(mesh: Mesh, share: f64) -> (u32, u32) {
    let links = (share * f64::from(mesh.links()) + 0.5) as u32;
    let nodes = (links + 3) / 6;
    (nodes, links.saturating_sub(4 * nodes))
}

/// Faulty `nodes` and `links` at random, nodes first, each redrawn until closure adds nothing, no ring sticks out of the
/// mesh and none overlap. `None` if no such set is found. Cost: constant for every place that is tried, and the mesh's links
/// for every set that is begun.
pub fn draw_isolated(
    mesh: Mesh,
    nodes: u32,
    links: u32,
    generator: &mut Generator,
) -> Option<(Vec<NodeId>, Vec<Link>)> {
    let all: Vec<_> = mesh.all_links().collect();
    (0..SETS).find_map(|_| {
        let mut placed = Placed::new(mesh);
        let mut node = || {
            let draws = (0..TRIES).map(|_| NodeId(u64::from(below(generator, mesh.nodes()))));
            draws.into_iter().find(|&node| placed.add_node(node))
        };
        let faulty = (0..nodes).map(|_| node()).collect::<Option<Vec<_>>>()?;
        let mut link = || {
            let draws = (0..TRIES).map(|_| all[below(generator, all.len() as u32) as usize]);
            draws.into_iter().find(|&link| placed.add_link(link))
        };
        let cut = (0..links).map(|_| link()).collect::<Option<Vec<_>>>()?;
        Some((faulty, cut))
    })
}

/// Isolated faults placed so far. Faults stay isolated, and closure adds nothing, as long as no link is on two rings, or
/// both on a ring and faulty: a live node with faulty links in both dimensions would have one of them on the ring of the other.
struct Placed {
    mesh: Mesh,
    /// By node and dimension: links on rings,
    ringed: Vec<bool>,
    /// and links that are faulty.
    dead: Vec<bool>,
}

impl Placed {
    fn new(mesh: Mesh) -> Self {
        let links = 2 * mesh.nodes() as usize;
        Self { mesh, ringed: vec![false; links], dead: vec![false; links] }
    }

    fn add_node(&mut self, node: NodeId) -> bool {
        let (row, column) = self.mesh.place(node);
        let ring = Ring { top: row - 1, left: column - 1, bottom: row + 1, right: column + 1 };
        let dead: Vec<_> = Port::ALL.into_iter().filter_map(|port| self.mesh.link(node, port)).collect();
        self.add(ring, &dead)
    }

    fn add_link(&mut self, link: Link) -> bool {
        let (row, column) = self.mesh.place(link.from);
        let ring = match link.dim {
            0 => Ring { top: row - 1, left: column, bottom: row + 1, right: column + 1 },
            _ => Ring { top: row, left: column - 1, bottom: row + 1, right: column + 1 },
        };
        self.add(ring, &[link])
    }

    /// Adds a fault with this ring and these faulty links, if it stays apart from the others.
    fn add(&mut self, ring: Ring, dead: &[Link]) -> bool {
        let around = ring.links(self.mesh);
        let whole = around.len() == ring.places().len();
        let index = |link: &Link| 2 * link.from.0 as usize + usize::from(link.dim);
        let apart = around.iter().all(|link| !self.ringed[index(link)] && !self.dead[index(link)])
            && dead.iter().all(|link| !self.ringed[index(link)]);
        if whole && apart {
            around.iter().for_each(|link| self.ringed[index(link)] = true);
            dead.iter().for_each(|link| self.dead[index(link)] = true);
        }
        whole && apart
    }
}
