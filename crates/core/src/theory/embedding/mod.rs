//! Embeddings of a healthy hypercube in a faulty one of the same dimension (thesis sections 2.1 and
//! 4): load, dilation and congestion.

mod construct;
mod search;

pub use search::least_dilation;

use crate::fault::FaultyNodes;
use crate::topology::{Hypercube, NodeId, set_dimensions};

/// Largest dimension of a cube in which an embedding is constructed.
pub const MAX_EMBEDDING_DIMENSION: u8 = 8;

/// Rule by which the nodes of the healthy cube are mapped to live nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbeddingMethod {
    /// Every node to itself, if only links are faulty.
    Identity,
    /// Every node to the nearest node of a fault-free subcube with this many dimensions less.
    Subcube(u32),
    /// Every live node to itself, and every faulty node to a live neighbour of its own (a matching).
    Neighbours,
}

/// Embedding of the whole healthy cube in the live part of a faulty cube.
///
/// Every channel of the healthy cube has a route of live channels between the hosts of its nodes:
/// none if both have the same host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedding {
    /// Rule of the map.
    pub method: EmbeddingMethod,
    /// Host of every node of the healthy cube, a live node.
    pub hosts: Vec<NodeId>,
    /// Largest number of nodes with the same host.
    pub load: u32,
    /// Largest number of hops of a route.
    pub dilation: u32,
    /// Largest number of routes over one channel.
    pub congestion: u32,
}

impl Embedding {
    /// Constructs an embedding: the identity without faulty nodes; otherwise by a fault-free subcube of
    /// n-1 dimensions, by live neighbours, or by a fault-free subcube of n-2 dimensions, whichever
    /// of these exists first.
    ///
    /// Each route is a shortest live one that takes the least loaded next channel. The congestion is
    /// that of these routes, and others may have less. `None` if no rule applies, if a route is
    /// missing, and above [`MAX_EMBEDDING_DIMENSION`]. Cost: n 4^n steps.
    pub fn construct(faulty: &FaultyNodes) -> Option<Self> {
        if faulty.cube().dimension() > MAX_EMBEDDING_DIMENSION {
            return None;
        }
        construct::maps(faulty).find_map(|(method, hosts)| Self::evaluate(faulty, method, hosts))
    }

    /// Routes every channel of the healthy cube; `None` if a route is missing.
    fn evaluate(faulty: &FaultyNodes, method: EmbeddingMethod, hosts: Vec<NodeId>) -> Option<Self> {
        let cube = faulty.cube();
        let n = usize::from(cube.dimension());
        let mut load = vec![0; hosts.len()];
        hosts.iter().for_each(|host| load[host.0 as usize] += 1);
        let mut channels = vec![0u32; hosts.len() * n];
        let mut dilation = 0;
        for (to, &target) in hosts.iter().enumerate() {
            let distances = distances_to(faulty, target);
            for from in (0..n).map(|dim| hosts[to ^ 1 << dim]) {
                dilation = dilation.max(distances[from.0 as usize]?);
                let mut here = from;
                while here != target {
                    let left = distances[here.0 as usize]?;
                    let ahead = |dim: u8| {
                        let next = faulty.live_hop(here, dim)?;
                        (distances[next.0 as usize]? + 1 == left).then_some(next)
                    };
                    let place = |dim: u8| here.0 as usize * n + usize::from(dim);
                    let options =
                        (0..cube.dimension()).filter_map(|dim| Some((channels[place(dim)], dim, ahead(dim)?)));
                    let (_, dim, next) = options.min()?;
                    channels[place(dim)] += 1;
                    here = next;
                }
            }
        }
        let most = |counts: &[u32]| counts.iter().copied().max().unwrap_or(0);
        Some(Self { method, load: most(&load), dilation, congestion: most(&channels), hosts })
    }
}

/// Returns the least load of any map of the healthy cube to the live nodes: N divided by their
/// number, rounded up; `None` without live nodes.
pub fn least_load(faulty: &FaultyNodes) -> Option<u32> {
    let nodes = 1u32 << faulty.cube().dimension().min(FaultyNodes::MAX_DIMENSION);
    let live = nodes - faulty.count();
    (live > 0).then(|| nodes.div_ceil(live))
}

/// Returns by node the number of hops of a shortest live route to `target`; `None` for nodes without
/// one.
fn distances_to(faulty: &FaultyNodes, target: NodeId) -> Vec<Option<u32>> {
    let mut distances = vec![None; 1 << faulty.cube().dimension()];
    if faulty.contains(target) {
        return distances;
    }
    distances[target.0 as usize] = Some(0);
    let mut layer = vec![target];
    for hops in 1.. {
        let mut next = Vec::new();
        for (node, dim) in layer.iter().flat_map(|&node| dimensions(faulty.cube()).map(move |dim| (node, dim))) {
            let before = NodeId(node.0 ^ 1 << dim);
            let distance = &mut distances[before.0 as usize];
            if distance.is_none() && !faulty.contains(before) && faulty.live_hop(before, dim).is_some() {
                *distance = Some(hops);
                next.push(before);
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    distances
}

fn dimensions(cube: Hypercube) -> impl Iterator<Item = u8> {
    set_dimensions((1 << cube.dimension()) - 1)
}
