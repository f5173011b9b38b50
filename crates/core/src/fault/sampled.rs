//! Sampled faults of a mesh, or of a hypercube with wormhole switching, as lists.

use std::fmt;

use rand::RngExt as _;

use super::block::{MAX_SETS, MAX_TRIES_PER_FAULT, RegionForm, isolated_counts, sample_isolated};
use super::{BlockFaults, FaultModel, FaultSampler, FaultSpec, Faults as _, Tolerance};
use crate::random::{Key, probability_threshold};
use crate::topology::{Hypercube, Link, Mesh, Network, NodeId};

/// The faults of one trial on a mesh, before block closure, or on a hypercube.
///
/// The faults depend only on the key of the trial. All algorithms and the picture of the network
/// therefore have the same faults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampledFaults {
    /// Faulty nodes, ascending.
    pub nodes: Vec<NodeId>,
    /// Faulty links, ascending; on a hypercube, one-way links. The links of faulty nodes may be
    /// missing.
    pub links: Vec<Link>,
}

/// Error of sampling the faults of a wormhole network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SampleError {
    /// The network does not support wormhole switching.
    OtherNetwork,
    /// The fault model is not defined on meshes.
    OtherModel,
    /// The sampler found no set with this many isolated faults.
    NoIsolatedSet,
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherNetwork => {
                write!(
                    f,
                    "wormhole switching needs a mesh, a torus or a hypercube of up to {} dimensions",
                    Mesh::CUBE_DIMENSIONS
                )
            }
            Self::OtherModel => f.write_str("this fault model is not defined on meshes"),
            Self::NoIsolatedSet => write!(
                f,
                "no set of this many isolated faults was found in {MAX_SETS} attempts, each with {MAX_TRIES_PER_FAULT} \
                 positions per fault"
            ),
        }
    }
}

impl std::error::Error for SampleError {}

impl SampledFaults {
    /// Samples the faults of `spec` on `mesh` that `key` determines and applies the manual
    /// overrides. Cost: for isolated faults, that of [`sample_isolated`]; for other faults, the
    /// number of nodes.
    ///
    /// # Errors
    /// Returns an error if the model is not defined on meshes, or no set of isolated faults is
    /// found.
    pub fn sample(mesh: Mesh, spec: &FaultSpec, key: Key) -> Result<Self, SampleError> {
        let mut drawn = Self::sample_model(mesh, spec.model, key)?;
        drawn.nodes.extend(&spec.faulty_nodes);
        drawn.nodes.retain(|&node| spec.node_override(node) != Some(false));
        drawn.links.extend(&spec.faulty_links);
        drawn.links.retain(|&link| spec.link_override(link) != Some(false));
        drawn.nodes.sort();
        drawn.nodes.dedup();
        drawn.links.sort();
        drawn.links.dedup();
        Ok(drawn)
    }

    /// Collects the faulty nodes and links of `pattern` in `cube`. Cost: the number of links.
    pub fn from_pattern(cube: Hypercube, pattern: &mut FaultSampler) -> Self {
        let nodes = (0..=cube.mask()).map(NodeId).filter(|&node| pattern.is_faulty(node)).collect();
        let mut drawn = Self { nodes, links: Vec::new() };
        if pattern.has_link_faults() {
            let links = (0..=cube.mask()).flat_map(|from| (0..cube.dimension()).map(move |dim| (from, dim)));
            let links = links.map(|(from, dim)| Link { from: NodeId(from), dim });
            drawn.links = links.filter(|&link| pattern.is_link_faulty(link)).collect();
        }
        drawn
    }

    /// Returns the sampled faults as those of a wormhole network on `cube`; see
    /// [`BlockFaults::on_cube`].
    pub fn to_cube_faults(&self, cube: Hypercube, tolerance: Tolerance) -> Option<BlockFaults> {
        BlockFaults::on_cube(cube, &self.nodes, &self.links, tolerance)
    }

    fn sample_model(mesh: Mesh, model: FaultModel, key: Key) -> Result<Self, SampleError> {
        let isolated = |(nodes, links)| {
            let found = sample_isolated(mesh, nodes, links, &mut key.generator());
            let (nodes, links) = found.ok_or(SampleError::NoIsolatedSet)?;
            Ok(Self { nodes, links })
        };
        let of_nodes = |nodes| Ok(Self { nodes, links: Vec::new() });
        let of_links = |links| Ok(Self { nodes: Vec::new(), links });
        let faulty = |number: u64, p: f64| key.hash_u53(number) < probability_threshold(p);
        // A unique number for each link.
        let number = |link: &Link| link.from.0 * u64::from(mesh.dimensions()) + u64::from(link.dim);
        match model {
            FaultModel::None => Ok(Self::default()),
            FaultModel::Isolated(share) => isolated(isolated_counts(mesh, share)),
            FaultModel::IsolatedCount(nodes, links) => isolated((nodes, links)),
            FaultModel::Nodes(p) => of_nodes(mesh.iter_nodes().filter(|node| faulty(node.0, p)).collect()),
            FaultModel::Links(p) => of_links(mesh.iter_links().filter(|link| faulty(number(link), p)).collect()),
            FaultModel::LinkCount(count) => of_links(sample_subset(mesh.iter_links().collect(), count, key)),
            FaultModel::Adversarial(..) | FaultModel::Wires(_) => Err(SampleError::OtherModel),
            FaultModel::Share(_) | FaultModel::Count(_) => {
                let count = model.node_count(Network::Mesh(mesh)).unwrap_or(0);
                of_nodes(sample_subset(mesh.iter_nodes().collect(), count, key))
            }
        }
    }

    /// Returns the sampled faults on `mesh` extended to regions of this form.
    pub fn to_regions(&self, mesh: Mesh, form: RegionForm) -> BlockFaults {
        BlockFaults::with_form(mesh, &self.nodes, &self.links, form)
    }

    /// Returns the sampled faults on `mesh` after block closure.
    pub fn to_block_faults(&self, mesh: Mesh) -> BlockFaults {
        BlockFaults::new(mesh, &self.nodes, &self.links)
    }
}

/// Samples `count` elements of `all` by a partial shuffle. All sets are equally likely.
fn sample_subset<T>(mut all: Vec<T>, count: u64, key: Key) -> Vec<T> {
    let mut generator = key.generator();
    let count = (count as usize).min(all.len());
    for place in 0..count {
        // The 64-bit range makes every target draw the same values.
        let other = generator.random_range(place as u64..all.len() as u64);
        all.swap(place, other as usize);
    }
    all.truncate(count);
    all
}
