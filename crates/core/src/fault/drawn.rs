//! One drawing of a fault set of a mesh, or of a hypercube in which worms move: small enough to be listed.

use std::fmt;

use rand::RngExt as _;

use super::block::{ISOLATED_SETS, ISOLATED_TRIES, draw_isolated, mix_of};
use super::{BlockFaults, FaultModel, FaultPattern, FaultSpec, Faults as _, Tolerance};
use crate::random::{Key, threshold};
use crate::topology::{Hypercube, Link, Mesh, Network, NodeId};

/// The faults of one trial on a mesh, before block closure, or on a hypercube. They depend on the trial's key alone, so that all algorithms and
/// the picture of the network have the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnFaults {
    /// Faulty nodes, ascending.
    pub nodes: Vec<NodeId>,
    /// Faulty links, ascending, of a hypercube one-way links; those of faulty nodes need not be named.
    pub links: Vec<Link>,
}

/// Why there are no faults for worms to meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoDrawing {
    /// Worms do not move on this network.
    OtherNetwork,
    /// The fault model is not one of meshes.
    OtherModel,
    /// No set of so many isolated faults was found.
    NoIsolatedSet,
}

impl fmt::Display for NoDrawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherNetwork => {
                write!(f, "worms move on meshes, tori and hypercubes of up to {} dimensions", Mesh::CUBE_DIMENSIONS)
            }
            Self::OtherModel => f.write_str("this fault model is not one of meshes"),
            Self::NoIsolatedSet => write!(
                f,
                "no such set of isolated faults was found: {ISOLATED_SETS} were begun, with {ISOLATED_TRIES} places tried for \
                 each fault"
            ),
        }
    }
}

impl std::error::Error for NoDrawing {}

impl DrawnFaults {
    /// The drawing of `spec` on `mesh` that `key` stands for, with what was broken and mended by hand. Cost: as
    /// [`draw_isolated`], else the number of nodes.
    ///
    /// # Errors
    /// If the model is none of meshes, or no set of isolated faults is found.
    pub fn new(mesh: Mesh, spec: &FaultSpec, key: Key) -> Result<Self, NoDrawing> {
        let mut drawn = Self::of_model(mesh, spec.model, key)?;
        drawn.nodes.extend(&spec.broken);
        drawn.nodes.retain(|&node| spec.edit(node) != Some(false));
        drawn.links.extend(&spec.broken_links);
        drawn.links.retain(|&link| spec.link_edit(link) != Some(false));
        drawn.nodes.sort();
        drawn.nodes.dedup();
        drawn.links.sort();
        drawn.links.dedup();
        Ok(drawn)
    }

    /// What `pattern` makes faulty in `cube`. Cost: its links.
    pub fn of_cube(cube: Hypercube, pattern: &mut FaultPattern) -> Self {
        let nodes = (0..=cube.mask()).map(NodeId).filter(|&node| pattern.is_faulty(node)).collect();
        let mut drawn = Self { nodes, links: Vec::new() };
        if pattern.any_link_faults() {
            let links = (0..=cube.mask()).flat_map(|from| (0..cube.dimension()).map(move |dim| (from, dim)));
            let links = links.map(|(from, dim)| Link { from: NodeId(from), dim });
            drawn.links = links.filter(|&link| pattern.is_link_faulty(link)).collect();
        }
        drawn
    }

    /// The same in `cube`, for worms; see [`BlockFaults::on_cube`].
    pub fn on_cube(&self, cube: Hypercube, tolerance: Tolerance) -> Option<BlockFaults> {
        BlockFaults::on_cube(cube, &self.nodes, &self.links, tolerance)
    }

    fn of_model(mesh: Mesh, model: FaultModel, key: Key) -> Result<Self, NoDrawing> {
        let isolated = |(nodes, links)| {
            let found = draw_isolated(mesh, nodes, links, &mut key.generator());
            let (nodes, links) = found.ok_or(NoDrawing::NoIsolatedSet)?;
            Ok(Self { nodes, links })
        };
        let of_nodes = |nodes| Ok(Self { nodes, links: Vec::new() });
        let of_links = |links| Ok(Self { nodes: Vec::new(), links });
        let faulty = |number: u64, p: f64| key.fraction_at(number) < threshold(p);
        // A number for every link.
        let number = |link: &Link| link.from.0 * u64::from(mesh.dimensions()) + u64::from(link.dim);
        match model {
            FaultModel::None => Ok(Self::default()),
            FaultModel::Isolated(share) => isolated(mix_of(mesh, share)),
            FaultModel::IsolatedCount(nodes, links) => isolated((nodes, links)),
            FaultModel::Nodes(p) => of_nodes(mesh.all().filter(|node| faulty(node.0, p)).collect()),
            FaultModel::Links(p) => of_links(mesh.all_links().filter(|link| faulty(number(link), p)).collect()),
            FaultModel::LinkCount(count) => of_links(some(mesh.all_links().collect(), count, key)),
            FaultModel::Placed(..) | FaultModel::Wires(_) => Err(NoDrawing::OtherModel),
            FaultModel::Share(_) | FaultModel::Count(_) => {
                let count = model.count(Network::Mesh(mesh)).unwrap_or(0);
                of_nodes(some(mesh.all().collect(), count, key))
            }
        }
    }

    /// The same, closed to blocks.
    pub fn blocks(&self, mesh: Mesh) -> BlockFaults {
        BlockFaults::new(mesh, &self.nodes, &self.links)
    }
}

/// `count` of `all`, every such set equally likely: the first ones of a shuffled list.
fn some<T>(mut all: Vec<T>, count: u64, key: Key) -> Vec<T> {
    let mut generator = key.generator();
    let count = (count as usize).min(all.len());
    for place in 0..count {
        // A fixed width, so that every target draws the same.
        let other = generator.random_range(place as u64..all.len() as u64);
        all.swap(place, other as usize);
    }
    all.truncate(count);
    all
}
