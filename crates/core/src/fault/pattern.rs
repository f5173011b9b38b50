//! One drawing of a fault set, asked node by node, so that memory does not grow with the network.

use std::collections::BTreeSet;
use std::hash::Hasher;
use std::sync::Arc;

use rand::RngExt as _;

use super::counted::Counted;
use super::{Adversary, FaultModel, FaultSpec, FaultyNodes};
use crate::random::{Key, mix, threshold};
use crate::topology::{Hypercube, Link, Network, NodeId};

/// Says which nodes are faulty.
pub trait Faults {
    /// Whether `node` is faulty. Source and destination never are.
    fn is_faulty(&mut self, node: NodeId) -> bool;

    /// Whether any link may be faulty though both its nodes are live.
    #[inline(always)]
    fn any_link_faults(&self) -> bool {
        false
    }

    /// Whether `link` itself is faulty, whatever its nodes are.
    #[inline(always)]
    fn is_link_faulty(&mut self, _link: Link) -> bool {
        false
    }

    /// Whether `link` cannot be used to reach a live node: it or the node it enters is faulty.
    fn is_dead(&mut self, link: Link) -> bool {
        self.is_faulty(link.to()) || self.is_link_faulty(link)
    }
}

/// The faults of one trial. A node's status depends on the trial's key alone, not on who asks or in which order, so
/// that all algorithms and the picture of the network have the same faults.
///
/// No table grows with the network: under Model A a status is a hash of node and key; under Model B, above 10
/// dimensions, a cipher of the node's address.
#[derive(Clone, Debug)]
pub enum FaultPattern {
    /// Model A without edits, by far the most frequent: the loop that asks it is compiled for it alone.
    Hashed(Hashed),
    /// Any other.
    Other(Other),
}

/// Model A.
#[derive(Clone, Copy, Debug)]
pub struct Hashed {
    spared: [NodeId; 2],
    key: Key,
    /// A node is faulty iff its number below 2^53 is below this: exact for every probability that is a
    /// multiple of 2^-53.
    threshold: u64,
}

/// Model B, no model, and edits by hand on any.
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
    /// Each link faulty iff its number below 2^53 is below the threshold.
    Hashed(Key, u64),
    /// These, ascending.
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
    /// The drawing that `key` stands for, of `spec` on `cube` in which the two `spared` nodes, source and destination, are live; [`NodeId::NONE`] twice where any node may be faulty.
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
    /// The drawing of the same model and ends that `key` stands for.
    #[inline]
    pub fn redrawn(&self, key: Key) -> Self {
        Self { key, ..*self }
    }
}

impl Faults for Hashed {
    #[inline(always)]
    fn is_faulty(&mut self, node: NodeId) -> bool {
        // No branch that depends on the node: it could not be predicted.
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
            // Nodes have up to 64 links each; their numbers are unlike those of nodes, which are drawn elsewhere.
            (None, LinkSource::Hashed(key, threshold)) => {
                key.child(link.from.0).fraction_at(u64::from(link.dim)) < *threshold
            }
            (None, LinkSource::Listed(links)) => links.binary_search(&link).is_ok(),
        }
    }
}

/// What an adversary does around a node that is drawn; nothing in cubes that are too large for it.
fn placed(adversary: Adversary, cube: Hypercube, count: u32, key: Key) -> Source {
    let centre = NodeId(key.child(0).word_at(0) & cube.mask());
    adversary.place(cube, count, centre, key.child(1)).map_or(Source::Nothing, Source::Placed)
}

/// `count` links of `cube`, at most all of them, every such set equally likely; ascending.
fn draw_links(cube: Hypercube, count: u64, key: Key) -> Vec<Link> {
    let dims = u64::from(cube.dimension());
    let all = cube.links().unwrap_or(u64::MAX);
    let mut generator = key.generator();
    let mut drawn = BTreeSet::new();
    // Floyd's sampling: one draw for each member.
    for last in all - count.min(all)..all {
        let number = generator.random_range(0..=last);
        if !drawn.insert(number) {
            drawn.insert(last);
        }
    }
    drawn.into_iter().map(|number| Link { from: NodeId(number / dims), dim: (number % dims) as u8 }).collect()
}

/// Hashes one `u64` by [`mix`]; the same on every target, unlike the standard hasher.
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
