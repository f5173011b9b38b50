//! Universality: what a step of another network loads a fat-tree with (Greenberg & Leiserson, Lemma 2 and Theorem 10), and
//! Valiant's detour for contrast.

use super::LoadFactor;
use crate::random::Key;
use crate::topology::fat_tree::{FatTree, TreeChannels};
use crate::traffic::{MessagePattern, MessageSet, Placement};

/// One step of a network that is embedded in a fat-tree: a message across every link, both ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EmbeddedStep {
    /// The step.
    pub pattern: MessagePattern,
    /// The load factor on the tree. It is bounded by a constant where the network needs no more area than the tree and is
    /// placed as it lies in the plane (Lemma 2).
    pub load_factor: LoadFactor,
    /// The links that cross the middle of the network: its area is at least the square of that.
    pub bisection: u32,
}

/// The mesh in Z-order, the mesh row by row, and the hypercube. On an area-universal tree the first has a load factor of 6
/// at most however large n is; row by row, where subtrees are no squares, it grows; the hypercube has n/2 links across the
/// middle and so an area of n^2/4, which a tree of area n lg^2 n pays for with its load factor. A network of so many messages
/// that no set takes them is left out.
pub fn embedded_steps(tree: FatTree) -> Vec<EmbeddedStep> {
    let n = tree.processors();
    let mesh = |placement| (MessagePattern::MeshStep(placement, None), 1 << (tree.levels() / 2));
    let steps =
        [mesh(Placement::ZOrder), mesh(Placement::RowMajor), (MessagePattern::CubeStep(None), n / 2)].into_iter();
    let step = |(pattern, bisection)| {
        // Nothing of it is left to chance.
        let messages = MessageSet::new(u64::from(n), pattern, Key::from_seed(0)).ok()?;
        let load_factor = LoadFactor::of(&tree.channels(), messages.ends());
        Some(EmbeddedStep { pattern, load_factor, bisection })
    };
    steps.filter_map(step).collect()
}

/// A message set directly and by Valiant's detour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detour {
    /// The load factor of the messages.
    pub direct: LoadFactor,
    /// Those of the two sets that they become, to and from random intermediate processors: about that of a random
    /// permutation each, however local the messages are.
    pub legs: [LoadFactor; 2],
}

impl Detour {
    /// Of these messages, with intermediate processors by `key`.
    pub fn of(channels: &TreeChannels, messages: &MessageSet, key: Key) -> Self {
        let load_factor = |messages: &MessageSet| LoadFactor::of(channels, messages.ends());
        let [to, from] = messages.detour(key);
        Self { direct: load_factor(messages), legs: [load_factor(&to), load_factor(&from)] }
    }

    /// The fewest delivery cycles by way of the detour: those of both sets.
    pub fn cycles(&self) -> u32 {
        self.legs.iter().map(LoadFactor::cycles).sum()
    }
}

/// The delivery cycles that Valiant's detour takes at least on average over the intermediate processors, for so many messages
/// between the processors of a fat-tree, whatever they are: messages/(2 cap(lg n - 1)).
///
/// In each of its two phases a message crosses the root with probability 1/2. So a quarter of the messages are expected to
/// cross it one way, or more the other way, over the cap(lg n - 1) wires of a channel below the root (section 1, where it is
/// a cut of an area or a volume).
pub fn detour_cycles(tree: FatTree, messages: u32) -> f64 {
    f64::from(messages) / (2.0 * f64::from(tree.capacity(tree.levels() - 1)))
}
