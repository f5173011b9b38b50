//! Sampled faults, queried node by node, with memory that does not grow with the network.

use std::collections::BTreeSet;
use std::hash::Hasher;
use std::sync::Arc;

use rand::RngExt as _;

use super::counted::Counted;
use super::{Adversary, FaultModel, FaultSpec, FaultyNodes};
use crate::random::{Key, mix, threshold};
use crate::topology::{Hypercube, Link, Network, NodeId};

/// Access to the faults of a network, element by element.
pub trait Faults {
    /// Returns whether `node` is faulty. Source and destination never are.
    fn is_faulty(&mut self, node: NodeId) -> bool;

    /// Returns whether a link between two live nodes may be faulty.
    #[inline(always)]
    fn any_link_faults(&self) -> bool {
        false
    }

    /// Returns whether `link` itself is faulty, regardless of its nodes.
    #[inline(always)]
    fn is_link_faulty(&mut self, _link: Link) -> bool {
        false
    }

    /// Returns whether `link` leads to no live node: the link or the node it enters is faulty.
    fn is_dead(&mut self, link: Link) -> bool {
        self.is_faulty(link.to()) || self.is_link_faulty(link)
    }
}

/// The sampled faults of one trial.
///
/// The status of a node depends only on the key of the trial, not on the order of the queries. All
/// algorithms and the picture of the network therefore have the same faults.
///
/// No table grows with the network. Under Model A, a status is a hash of node and key. Under Model
/// B, above 10 dimensions, it is computed with a cipher of the address.
#[derive(Clone, Debug)]
pub enum FaultPattern {
    /// Model A without overrides: the most frequent case, for which the simulation loop is
    /// specialised.
    Hashed(Hashed),
    /// General case.
    Other(Other),
}

/// Sampled faults of Model A.
#[derive(Clone, Copy, Debug)]
pub struct Hashed {
    spared: [NodeId; 2],
    key: Key,
    /// Threshold of the hash: a node is faulty iff its hash, below 2^53, is smaller. Exact for
    /// every probability that is a multiple of 2^-53.
    threshold: u64,
}

/// Sampled faults of any model, with manual overrides.
#[derive(Clone, Debug)]
pub struct Other {
    spec: Arc<FaultSpec>,
    spared: [NodeId; 2],
    source: Source,
    links: LinkSource,
}

#[derive(Clone, Debug)]
enum LinkSource {
    /// No random link faults.
    Nothing,
    /// Independent link faults: a link is faulty iff its hash, below 2^53, is below the threshold.
    Hashed(Key, u64),
    /// Listed faulty links, ascending.
    Listed(Vec<Link>),
}

#[derive(Clone, Debug)]
enum Source {
    Nothing,
    Hashed(Hashed),
    Counted(Box<Counted>),
    Placed(FaultyNodes),
}

impl FaultPattern {
    /// Samples the faults of `spec` on `cube` that `key` determines.
    ///
    /// The two `spared` nodes, source and destination, are live. If any node may be faulty, both
    /// are [`NodeId::NONE`].
    #[inline]
    pub fn new(cube: Hypercube, spec: &Arc<FaultSpec>, spared: [NodeId; 2], key: Key) -> Self {
        let edited = spec.has_edits();
        let source = match spec.model {
            FaultModel::Nodes(p) => {
                let hashed = Hashed { spared, key, threshold: threshold(p) };
                if !edited {
                    return Self::Hashed(hashed);
                }
                Source::Hashed(hashed)
            }
            FaultModel::Placed(adversary, count) => placed(adversary, cube, count, key),
            model => match model.count(Network::Hypercube(cube)) {
                Some(faults) => Source::Counted(Box::new(Counted::new(cube, spared, faults, key))),
                None => Source::Nothing,
            },
        };
        let links = match spec.model {
            FaultModel::Links(p) => LinkSource::Hashed(key, threshold(p)),
            FaultModel::LinkCount(count) => LinkSource::Listed(draw_links(cube, count, key)),
            _ => LinkSource::Nothing,
        };
        Self::Other(Other { spec: Arc::clone(spec), spared, source, links })
    }
}

impl Faults for FaultPattern {
    fn is_faulty(&mut self, node: NodeId) -> bool {
        match self {
            Self::Hashed(hashed) => hashed.is_faulty(node),
            Self::Other(other) => other.is_faulty(node),
        }
    }

    fn any_link_faults(&self) -> bool {
        match self {
            Self::Hashed(_) => false,
            Self::Other(other) => other.any_link_faults(),
        }
    }

    fn is_link_faulty(&mut self, link: Link) -> bool {
        match self {
            Self::Hashed(_) => false,
            Self::Other(other) => other.is_link_faulty(link),
        }
    }
}

impl Hashed {
    /// Returns another sample, determined by `key`, with the same model and endpoints.
    #[inline]
    pub fn redrawn(&self, key: Key) -> Self {
        Self { key, ..*self }
    }
}

impl Faults for Hashed {
    #[inline(always)]
    fn is_faulty(&mut self, node: NodeId) -> bool {
        // Branch-free: a branch that depends on the node would be mispredicted.
        (self.key.fraction_at(node.0) < self.threshold) & (node != self.spared[0]) & (node != self.spared[1])
    }
}

impl Faults for Other {
    fn is_faulty(&mut self, node: NodeId) -> bool {
        if self.spared.contains(&node) {
            return false;
        }
        match (self.spec.edit(node), &mut self.source) {
            (Some(faulty), _) => faulty,
            (None, Source::Nothing) => false,
            (None, Source::Hashed(hashed)) => hashed.is_faulty(node),
            (None, Source::Counted(counted)) => counted.is_faulty(node),
            (None, Source::Placed(nodes)) => nodes.contains(node),
        }
    }

    fn any_link_faults(&self) -> bool {
        !(matches!(self.links, LinkSource::Nothing) && self.spec.broken_links.is_empty())
    }

    fn is_link_faulty(&mut self, link: Link) -> bool {
        match (self.spec.link_edit(link), &self.links) {
            (Some(faulty), _) => faulty,
            (None, LinkSource::Nothing) => false,
            // A child key per node keeps the link hashes independent of the node hashes. A node has
            // up to 64 links.
            (None, LinkSource::Hashed(key, threshold)) => {
                key.child(link.from.0).fraction_at(u64::from(link.dim)) < *threshold
            }
            (None, LinkSource::Listed(links)) => links.binary_search(&link).is_ok(),
        }
    }
}

/// Places adversarial faults around a random centre node; no faults if the cube is too large for
/// the adversary.
fn placed(adversary: Adversary, cube: Hypercube, count: u32, key: Key) -> Source {
    let centre = NodeId(key.child(0).word_at(0) & cube.mask());
    adversary.place(cube, count, centre, key.child(1)).map_or(Source::Nothing, Source::Placed)
}

/// Samples `count` links of `cube`, at most all of them, ascending. All such sets are equally
/// likely.
fn draw_links(cube: Hypercube, count: u64, key: Key) -> Vec<Link> {
    let dims = u64::from(cube.dimension());
    let all = cube.links().unwrap_or(u64::MAX);
    let mut generator = key.generator();
    let mut drawn = BTreeSet::new();
    // Floyd's sampling: one draw per member.
    for last in all - count.min(all)..all {
        let number = generator.random_range(0..=last);
        if !drawn.insert(number) {
            drawn.insert(last);
        }
    }
    drawn.into_iter().map(|number| Link { from: NodeId(number / dims), dim: (number % dims) as u8 }).collect()
}

/// A hasher of one `u64` with [`mix`]. Unlike the standard hasher, it gives the same values on
/// every target.
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
