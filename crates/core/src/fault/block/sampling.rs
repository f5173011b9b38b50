//! Random fault sets of Boppana & Chalasani section V.

use super::{PlaneFamily, Ring};
use crate::random::{Generator, below};
use crate::topology::{Link, Mesh, NodeId};

/// Maximum number of positions tried for one fault before the sampler discards the set.
pub(crate) const MAX_TRIES_PER_FAULT: u32 = 400;
/// Maximum number of sets started before the sampler reports failure.
pub(crate) const MAX_SETS: u32 = 25;

/// Returns the numbers of faulty nodes and links for which about `share` of the links of `mesh` are
/// faulty.
///
/// A faulty node makes two links for each dimension faulty. About twice as many links as nodes
/// fail: in the 16 x 16 mesh 1 + 1, 4 + 8 and 8 + 16 nodes and links for 1, 5 and 10%, as in the
/// paper.
pub fn isolated_counts(mesh: Mesh, share: f64) -> (u32, u32) {
    let links = (share * f64::from(mesh.links()) + 0.5) as u32;
    let ports = mesh.port_count();
    let nodes = (links + ports / 2 + 1) / (ports + 2);
    (nodes, links.saturating_sub(ports * nodes))
}

/// Samples faulty `nodes` and `links`, nodes first.
///
/// Each fault is drawn again until closure adds nothing, no ring extends beyond the mesh and no
/// rings overlap. Returns `None` if no such set is found. Cost: constant for every position tried,
/// and the number of links of the mesh for every set started.
pub fn sample_isolated(
    mesh: Mesh,
    nodes: u32,
    links: u32,
    generator: &mut Generator,
) -> Option<(Vec<NodeId>, Vec<Link>)> {
    let all: Vec<_> = mesh.iter_links().collect();
    (0..MAX_SETS).find_map(|_| {
        let mut placed = IsolatedPlacement::new(mesh);
        let mut node = || {
            let draws = (0..MAX_TRIES_PER_FAULT).map(|_| NodeId(u64::from(below(generator, mesh.nodes()))));
            draws.into_iter().find(|&node| placed.add_node(node))
        };
        let faulty = (0..nodes).map(|_| node()).collect::<Option<Vec<_>>>()?;
        let mut link = || {
            let draws = (0..MAX_TRIES_PER_FAULT).map(|_| all[below(generator, all.len() as u32) as usize]);
            draws.into_iter().find(|&link| placed.add_link(link))
        };
        let cut = (0..links).map(|_| link()).collect::<Option<Vec<_>>>()?;
        Some((faulty, cut))
    })
}

/// Isolated faults placed so far.
///
/// Faults stay isolated, and closure adds nothing, if no link is on two rings and no faulty link is
/// on a ring. Two faulty links of a live node in different dimensions would each be on the other's
/// ring.
struct IsolatedPlacement {
    mesh: Mesh,
    /// Links on rings, by node and dimension.
    ringed: Vec<bool>,
    /// Faulty links, by node and dimension.
    dead: Vec<bool>,
}

impl IsolatedPlacement {
    fn new(mesh: Mesh) -> Self {
        let links = usize::from(mesh.dimensions()) * mesh.nodes() as usize;
        Self { mesh, ringed: vec![false; links], dead: vec![false; links] }
    }

    fn add_node(&mut self, node: NodeId) -> bool {
        let dead: Vec<_> = self.mesh.ports().filter_map(|port| self.mesh.link(node, port)).collect();
        let planes: Vec<_> = PlaneFamily::all(self.mesh).collect();
        let ring = |plane: PlaneFamily| {
            let (row, column) = plane.position(self.mesh, node);
            Ring { top: row - 1, left: column - 1, bottom: row + 1, right: column + 1 }
        };
        let rings: Vec<_> = planes.iter().map(|&plane| (plane, ring(plane))).collect();
        self.add(node, &rings, &dead)
    }

    fn add_link(&mut self, link: Link) -> bool {
        let planes = (0..self.mesh.dimensions())
            .filter(|&beside| beside != link.dim)
            .map(|beside| PlaneFamily::from_dimensions(link.dim, beside));
        let ring = |plane: PlaneFamily| {
            let (row, column) = plane.position(self.mesh, link.from);
            match plane.column == link.dim {
                true => Ring { top: row - 1, left: column, bottom: row + 1, right: column + 1 },
                false => Ring { top: row, left: column - 1, bottom: row + 1, right: column + 1 },
            }
        };
        let rings: Vec<_> = planes.map(|plane| (plane, ring(plane))).collect();
        self.add(link.from, &rings, &[link])
    }

    /// Adds a fault at `base` with the given rings and faulty links, if the fault stays apart from
    /// the others. Returns whether the fault was added.
    fn add(&mut self, base: NodeId, rings: &[(PlaneFamily, Ring)], dead: &[Link]) -> bool {
        let mesh = self.mesh;
        let links = |(plane, ring): &(PlaneFamily, Ring)| ring.links(mesh, *plane, base);
        let whole = rings.iter().all(|ring| links(ring).len() == ring.1.positions().len());
        let around: Vec<_> = rings.iter().flat_map(links).collect();
        let index = |link: &Link| usize::from(mesh.dimensions()) * link.from.0 as usize + usize::from(link.dim);
        let apart = around.iter().all(|link| !self.ringed[index(link)] && !self.dead[index(link)])
            && dead.iter().all(|link| !self.ringed[index(link)]);
        if whole && apart {
            around.iter().for_each(|link| self.ringed[index(link)] = true);
            dead.iter().for_each(|link| self.dead[index(link)] = true);
        }
        whole && apart
    }
}
