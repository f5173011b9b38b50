//! Sampled faults of a hypercube, queried node by node.

use std::collections::BTreeSet;
use std::hash::Hasher;
use std::sync::Arc;

use rand::RngExt as _;

use super::fixed_count::FixedCountSet;
use super::{Adversary, FaultModel, FaultSpec, Faults, FaultyNodes};
use crate::random::{Key, mix, probability_threshold};
use crate::topology::{Hypercube, Link, Network, NodeId};

/// The sampled faults of one trial.
///
/// The status of a node depends only on the key of the trial, not on the order of the queries. All
/// algorithms and the picture of the network therefore have the same faults.
///
/// Models A and B need no table of all nodes. Under Model A, the status of a node is a hash of node
/// and key. Under Model B, above 10 dimensions, a cipher of the address determines the status. Only
/// adversarial faults are stored as a table.
#[derive(Clone, Debug)]
pub enum FaultSampler {
    /// Model A without overrides: the most frequent case, for which the simulation loop is
    /// specialised.
    Hashed(HashedFaults),
    /// General case.
    General(GeneralFaults),
}

/// Sampled faults of Model A.
#[derive(Clone, Copy, Debug)]
pub struct HashedFaults {
    protected: [NodeId; 2],
    key: Key,
    /// Threshold of the hash: a node is faulty iff its hash, below 2^53, is smaller. The threshold
    /// is exact for every probability that is a multiple of 2^-53.
    threshold: u64,
}

/// Sampled faults of any model, with manual overrides.
#[derive(Clone, Debug)]
pub struct GeneralFaults {
    spec: Arc<FaultSpec>,
    protected: [NodeId; 2],
    source: NodeFaultSource,
    links: LinkFaultSource,
}

#[derive(Clone, Debug)]
enum LinkFaultSource {
    /// No random link faults.
    Nothing,
    /// Independent link faults: a link is faulty iff its hash, below 2^53, is below the threshold.
    Hashed(Key, u64),
    /// Listed faulty links, ascending.
    Listed(Vec<Link>),
}

#[derive(Clone, Debug)]
enum NodeFaultSource {
    None,
    Hashed(HashedFaults),
    Counted(Box<FixedCountSet>),
    Placed(FaultyNodes),
}

impl FaultSampler {
    /// Samples the faults of `spec` on `cube` that `key` determines.
    ///
    /// The two `protected` nodes, source and destination, are live. If any node may be faulty, both
    /// are [`NodeId::NONE`].
    #[inline]
    pub fn new(cube: Hypercube, spec: &Arc<FaultSpec>, protected: [NodeId; 2], key: Key) -> Self {
        let edited = spec.has_overrides();
        let source = match spec.model {
            FaultModel::Nodes(p) => {
                let hashed = HashedFaults { protected, key, threshold: probability_threshold(p) };
                if !edited {
                    return Self::Hashed(hashed);
                }
                NodeFaultSource::Hashed(hashed)
            }
            FaultModel::Adversarial(adversary, count) => place_adversary(adversary, cube, count, key),
            model => match model.node_count(Network::Hypercube(cube)) {
                Some(faults) => NodeFaultSource::Counted(Box::new(FixedCountSet::new(cube, protected, faults, key))),
                None => NodeFaultSource::None,
            },
        };
        let links = match spec.model {
            FaultModel::Links(p) => LinkFaultSource::Hashed(key, probability_threshold(p)),
            FaultModel::LinkCount(count) => LinkFaultSource::Listed(sample_links(cube, count, key)),
            _ => LinkFaultSource::Nothing,
        };
        Self::General(GeneralFaults { spec: Arc::clone(spec), protected, source, links })
    }
}

impl Faults for FaultSampler {
    fn is_faulty(&mut self, node: NodeId) -> bool {
        match self {
            Self::Hashed(hashed) => hashed.is_faulty(node),
            Self::General(general) => general.is_faulty(node),
        }
    }

    fn has_link_faults(&self) -> bool {
        match self {
            Self::Hashed(_) => false,
            Self::General(general) => general.has_link_faults(),
        }
    }

    fn is_link_faulty(&mut self, link: Link) -> bool {
        match self {
            Self::Hashed(_) => false,
            Self::General(general) => general.is_link_faulty(link),
        }
    }
}

impl HashedFaults {
    /// Returns another sample, determined by `key`, with the same model and endpoints.
    #[inline]
    pub fn with_key(&self, key: Key) -> Self {
        Self { key, ..*self }
    }
}

impl Faults for HashedFaults {
    #[inline(always)]
    fn is_faulty(&mut self, node: NodeId) -> bool {
        // Branch-free: a branch that depends on the node would be mispredicted.
        (self.key.hash_u53(node.0) < self.threshold) & (node != self.protected[0]) & (node != self.protected[1])
    }
}

impl Faults for GeneralFaults {
    fn is_faulty(&mut self, node: NodeId) -> bool {
        if self.protected.contains(&node) {
            return false;
        }
        match (self.spec.node_override(node), &mut self.source) {
            (Some(faulty), _) => faulty,
            (None, NodeFaultSource::None) => false,
            (None, NodeFaultSource::Hashed(hashed)) => hashed.is_faulty(node),
            (None, NodeFaultSource::Counted(counted)) => counted.is_faulty(node),
            (None, NodeFaultSource::Placed(nodes)) => nodes.contains(node),
        }
    }

    fn has_link_faults(&self) -> bool {
        !(matches!(self.links, LinkFaultSource::Nothing) && self.spec.faulty_links.is_empty())
    }

    fn is_link_faulty(&mut self, link: Link) -> bool {
        match (self.spec.link_override(link), &self.links) {
            (Some(faulty), _) => faulty,
            (None, LinkFaultSource::Nothing) => false,
            // The key of each node's link hashes is a child key, which keeps them independent of
            // the node hashes.
            (None, LinkFaultSource::Hashed(key, threshold)) => {
                key.child(link.from.0).hash_u53(u64::from(link.dim)) < *threshold
            }
            (None, LinkFaultSource::Listed(links)) => links.binary_search(&link).is_ok(),
        }
    }
}

/// Places adversarial faults around a random centre node; no faults if the cube is too large for
/// the adversary.
fn place_adversary(adversary: Adversary, cube: Hypercube, count: u32, key: Key) -> NodeFaultSource {
    let centre = NodeId(key.child(0).word_at(0) & cube.mask());
    adversary.place_faults(cube, count, centre, key.child(1)).map_or(NodeFaultSource::None, NodeFaultSource::Placed)
}

/// Samples `count` links of `cube`, or all links if there are fewer, ascending. All sets of this
/// size are equally likely.
fn sample_links(cube: Hypercube, count: u64, key: Key) -> Vec<Link> {
    let dims = u64::from(cube.dimension());
    let all = cube.links().unwrap_or(u64::MAX);
    let mut generator = key.generator();
    let mut drawn = BTreeSet::new();
    // Floyd's algorithm takes one random number per member.
    for last in all - count.min(all)..all {
        let number = generator.random_range(0..=last);
        if !drawn.insert(number) {
            drawn.insert(last);
        }
    }
    drawn.into_iter().map(|number| Link { from: NodeId(number / dims), dim: (number % dims) as u8 }).collect()
}

/// A hasher of one `u64` with [`mix`]. Unlike the standard hasher, this hasher returns the same
/// values on every target.
#[derive(Clone, Copy, Debug, Default)]
pub struct MixHasher(u64);

impl Hasher for MixHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word);
    }
}
