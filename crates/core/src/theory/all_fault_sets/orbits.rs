//! Enumeration of fault sets up to symmetry: one representative of each class.

use crate::topology::Hypercube;
use crate::traffic::Pair;

/// Permutation of the dimensions that fixes a center node.
pub(super) struct Symmetry {
    /// Image of each dimension.
    dims: Vec<u8>,
    center: u32,
}

impl Symmetry {
    /// Returns all symmetries that fix both ends.
    pub(super) fn fixing(cube: Hypercube, ends: Pair) -> impl Iterator<Item = Self> {
        let (center, to) = (ends.from.0 as u32, ends.to.0 as u32);
        let all = permutations(cube.dimension()).into_iter().map(move |dims| Self { dims, center });
        all.filter(move |symmetry| symmetry.node(to) == to)
    }

    /// Returns the image of `node`.
    pub(super) fn node(&self, node: u32) -> u32 {
        self.center ^ self.mask(node ^ self.center)
    }

    /// Returns the image of the dimensions in `mask`.
    pub(super) fn mask(&self, mask: u32) -> u32 {
        self.dims.iter().enumerate().fold(0, |image, (old, new)| image | (mask >> old & 1) << new)
    }

    /// Returns whether the symmetry maps `set` to itself.
    pub(super) fn fixes(&self, set: u32) -> bool {
        ones(set).all(|node| set >> self.node(node) & 1 == 1)
    }
}

/// Nodes of one orbit of the symmetries. For a pair at any distance in a 5-cube, an orbit has at
/// most 10 nodes, so its subsets fit a table.
struct Block {
    /// Node sets of the subsets: `spread[subset]`.
    spread: Vec<u32>,
    /// Images of the subsets: `images[symmetry][subset]`.
    images: Vec<Vec<u16>>,
}

/// Block whose subsets are being enumerated, with the choice made in the blocks before it.
struct BlockFrame {
    next: u32,
    set: u32,
    /// Symmetries that map `set` to itself.
    stabilizer: Vec<usize>,
    /// Number of sets that `set` represents.
    weight: u32,
}

/// Iterator over representatives of all sets of possibly faulty nodes, each with the size of its
/// class.
///
/// Cost: some nanoseconds per set. A 5-cube has 9 million classes with antipodal ends, 45 to 100
/// million with other ends.
pub(super) struct Orbits {
    blocks: Vec<Block>,
    frames: Vec<BlockFrame>,
}

impl Orbits {
    /// Creates the iterator over the subsets of `free`, which every symmetry must map to itself.
    /// `symmetries` must include the identity.
    pub(super) fn new(free: u32, symmetries: &[Symmetry]) -> Self {
        // If no node is free, the only set is the empty one, in a block without nodes.
        let mut blocks = if free == 0 { vec![Vec::new()] } else { Vec::new() };
        let mut left = free;
        while left != 0 {
            let first = left.trailing_zeros();
            let nodes = symmetries.iter().fold(0, |nodes, symmetry| nodes | 1u32 << symmetry.node(first));
            left &= !nodes;
            blocks.push(ones(nodes).collect::<Vec<_>>());
        }
        // Small blocks come first: the fewer symmetries remain, the fewer comparisons the large
        // blocks need.
        blocks.sort_by_key(Vec::len);
        let blocks: Vec<_> = blocks.iter().map(|nodes| Block::new(nodes, symmetries)).collect();
        let all = BlockFrame { next: 0, set: 0, stabilizer: (0..symmetries.len()).collect(), weight: 1 };
        Self { blocks, frames: vec![all] }
    }
}

impl Block {
    fn new(nodes: &[u32], symmetries: &[Symmetry]) -> Self {
        let subsets = || 0..1u32 << nodes.len();
        let spread = |subset: u32| ones(subset).fold(0, |set, place| set | 1 << nodes[place as usize]);
        let images = symmetries.iter().map(|symmetry| {
            let place = |node: &u32| nodes.iter().position(|other| *other == symmetry.node(*node)).unwrap_or_default();
            let places: Vec<usize> = nodes.iter().map(place).collect();
            subsets().map(|subset| ones(subset).fold(0, |image, old| image | 1 << places[old as usize])).collect()
        });
        Self { spread: subsets().map(spread).collect(), images: images.collect() }
    }
}

impl Iterator for Orbits {
    type Item = (u32, u32);

    fn next(&mut self) -> Option<(u32, u32)> {
        loop {
            let depth = self.frames.len();
            let frame = self.frames.last_mut()?;
            let block = &self.blocks[depth - 1];
            let subset = frame.next as usize;
            let Some(nodes) = block.spread.get(subset) else {
                self.frames.pop();
                continue;
            };
            frame.next += 1;
            // The representative of a class is its least element, block by block.
            let image = |symmetry: &usize| usize::from(block.images[*symmetry][subset]);
            if frame.stabilizer.iter().any(|symmetry| image(symmetry) < subset) {
                continue;
            }
            let keeping = frame.stabilizer.iter().copied().filter(|symmetry| image(symmetry) == subset);
            let set = frame.set | nodes;
            if depth == self.blocks.len() {
                return Some((set, frame.weight * (frame.stabilizer.len() / keeping.count()) as u32));
            }
            let keeping: Vec<_> = keeping.collect();
            let weight = frame.weight * (frame.stabilizer.len() / keeping.len()) as u32;
            self.frames.push(BlockFrame { next: 0, set, stabilizer: keeping, weight });
        }
    }
}

/// Returns the positions of the ones of `mask`, lowest first.
fn ones(mask: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS).filter(move |place| mask >> place & 1 == 1)
}

/// Returns all permutations of the numbers below `n`.
fn permutations(n: u8) -> Vec<Vec<u8>> {
    (0..n).fold(vec![Vec::new()], |orders, next| {
        let with_next = |order: &Vec<u8>| {
            let order = order.clone();
            (0..=order.len()).map(move |place| [&order[..place], &[next], &order[place..]].concat())
        };
        orders.iter().flat_map(with_next).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::NodeId;

    fn orbits(n: u8, to: u64, free: u32) -> Vec<(u32, u32)> {
        let ends = Pair { from: NodeId(1), to: NodeId(to) };
        let symmetries = Symmetry::fixing(Hypercube::new(n).unwrap(), ends).filter(|symmetry| symmetry.fixes(free));
        Orbits::new(free, &symmetries.collect::<Vec<_>>()).collect()
    }

    /// Checks that the classes cover all sets of f nodes for any symmetries: their sizes sum to the
    /// binomial coefficient.
    #[test]
    fn class_sizes_sum_to_binomial_coefficients() {
        for (n, to, free) in [(3, 6, 0b1011_1101), (4, 14, 0x3ffd), (4, 2, 0xff09), (4, 14, 0)] {
            let mut sizes = [0u64; 20];
            orbits(n, to, free).iter().for_each(|(set, weight)| sizes[set.count_ones() as usize] += u64::from(*weight));
            let nodes = u64::from(free.count_ones());
            let mut binomial = 1;
            for f in 0..=nodes {
                assert_eq!(sizes[f as usize], binomial, "n = {n}, to {to}, f = {f}");
                binomial = binomial * (nodes - f) / (f + 1);
            }
        }
    }

    /// Checks Burnside's lemma for the 14 nodes between the ends of a 4-cube.
    ///
    /// The permutations of four dimensions fix 2^14, 2^10 (six times), 2^8 (three times), 2^6
    /// (eight times) and 2^4 (six times) sets.
    #[test]
    fn class_count_matches_burnsides_lemma() {
        let fixed = [(1, 14), (6, 10), (3, 8), (8, 6), (6, 4)];
        let count: u32 = fixed.iter().map(|(times, cycles)| times << cycles).sum::<u32>() / 24;
        assert_eq!(orbits(4, 14, 0xffff & !(1 << 1) & !(1 << 14)).len() as u32, count);
    }
}
