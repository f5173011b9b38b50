//! Universality: the load factors of other networks' steps on a fat-tree (Greenberg & Leiserson,
//! Lemma 2 and Theorem 10), compared with Valiant's algorithm.

use super::LoadFactor;
use crate::random::Key;
use crate::topology::fat_tree::{FatTree, TreeChannels};
use crate::traffic::{MessagePattern, MessageSet, Placement};

/// Step of a network embedded in a fat-tree: a message across every link, in both directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EmbeddedStep {
    /// Message pattern of the step.
    pub pattern: MessagePattern,
    /// Load factor on the tree, bounded by a constant if the network needs no more area than the
    /// tree and keeps its planar layout (Lemma 2).
    pub load_factor: LoadFactor,
    /// Number of links that cross the middle of the network, whose area is at least the square of
    /// this number.
    pub bisection: u32,
}

/// Computes the steps of the mesh in Z-order, the mesh in row-major order, and the hypercube.
///
/// On an area-universal tree, the mesh in Z-order has a load factor of at most 6 for any n. In
/// row-major order, where subtrees are not squares, the load factor grows with n. The hypercube has
/// n/2 links across the middle, so its area is n^2/4. A tree of area n lg^2 n compensates with a
/// larger load factor. Networks with too many messages for a set are omitted.
pub fn embedded_steps(tree: FatTree) -> Vec<EmbeddedStep> {
    let n = tree.processors();
    let mesh = |placement| (MessagePattern::MeshStep(placement, None), 1 << (tree.levels() / 2));
    let steps =
        [mesh(Placement::ZOrder), mesh(Placement::RowMajor), (MessagePattern::CubeStep(None), n / 2)].into_iter();
    let step = |(pattern, bisection)| {
        // None of these patterns is random, so the key has no effect.
        let messages = MessageSet::new(u64::from(n), pattern, Key::from_seed(0)).ok()?;
        let load_factor = LoadFactor::new(&tree.channels(), messages.ends());
        Some(EmbeddedStep { pattern, load_factor, bisection })
    };
    steps.filter_map(step).collect()
}

/// Load factors of a message set, direct and under Valiant's algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detour {
    /// Load factor of the messages when sent directly.
    pub direct: LoadFactor,
    /// Load factors of the two sets, to and from random intermediate processors. Each is about the
    /// load factor of a random permutation, however local the messages are.
    pub legs: [LoadFactor; 2],
}

impl Detour {
    /// Computes the load factors of `messages`, with intermediate processors drawn by `key`.
    pub fn new(channels: &TreeChannels, messages: &MessageSet, key: Key) -> Self {
        let load_factor = |messages: &MessageSet| LoadFactor::new(channels, messages.ends());
        let [to, from] = messages.valiant_phases(key);
        Self { direct: load_factor(messages), legs: [load_factor(&to), load_factor(&from)] }
    }

    /// Returns the minimum number of delivery cycles with intermediate processors: the sum over
    /// both sets.
    pub fn cycles(&self) -> u32 {
        self.legs.iter().map(LoadFactor::cycles).sum()
    }
}

/// Returns a lower bound on the mean delivery cycles of Valiant's algorithm for any set of
/// `messages` messages: messages/(2 cap(lg n - 1)).
///
/// The mean is over the intermediate processors. In each of the two phases a message crosses the
/// root with probability 1/2. In each phase, at least a quarter of the messages are therefore
/// expected to cross the root in one direction. These messages use the cap(lg n - 1) wires of a
/// channel below the root (section 1, for a cut of an area or a volume).
pub fn detour_cycles(tree: FatTree, messages: u32) -> f64 {
    f64::from(messages) / (2.0 * f64::from(tree.capacity(tree.levels() - 1)))
}
