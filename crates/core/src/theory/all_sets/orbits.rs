//! Sets of faulty nodes, one of each class that the symmetries of the question carry into each other.

use crate::topology::Hypercube;
use crate::traffic::Pair;

/// A permutation of the dimensions, about a node that stays where it is.
pub(super) struct Symmetry {
    /// Where each dimension goes.
    dims: Vec<u8>,
    center: u32,
}

impl Symmetry {
    /// All of them that keep the ends.
    pub(super) fn of(cube: Hypercube, ends: Pair) -> impl Iterator<Item = Self> {
        let (center, to) = (ends.from.0 as u32, ends.to.0 as u32);
        let all = permutations(cube.dimension()).into_iter().map(move |dims| Self { dims, center });
        all.filter(move |symmetry| symmetry.node(to) == to)
    }

    /// Where `node` goes.
    pub(super) fn node(&self, node: u32) -> u32 {
        self.center ^ self.mask(node ^ self.center)
    }

    /// Where the dimensions in `mask` go.
    pub(super) fn mask(&self, mask: u32) -> u32 {
        self.dims.iter().enumerate().fold(0, |image, (old, new)| image | (mask >> old & 1) << new)
    }

    /// Whether it keeps a set of nodes.
    pub(super) fn keeps(&self, set: u32) -> bool {
        ones(set).all(|node| set >> self.node(node) & 1 == 1)
    }
}

/// Nodes that the symmetries carry only among themselves: of a pair at any distance of a 5-cube at most 10, so that their subsets
/// can be tabulated.
struct Block {
    /// `spread[subset]`: the subset as a set of nodes.
    spread: Vec<u32>,
    /// `images[symmetry][subset]`: what becomes of the subset.
    images: Vec<Vec<u16>>,
}

/// A block of which the subsets are gone through, and what has been chosen in those before it.
struct Frame {
    next: u32,
    set: u32,
    /// The symmetries that keep `set`.
    keeping: Vec<usize>,
    /// How many sets `set` stands for.
    weight: u32,
}

/// All sets of nodes that may be faulty, one of each class, each with the size of its class.
///
/// Cost: a set takes some nanoseconds; there are 9 million classes in a 5-cube with antipodal ends, 45 to 100 million with others.
pub(super) struct Orbits {
    blocks: Vec<Block>,
    frames: Vec<Frame>,
}

impl Orbits {
    /// The subsets of `free`, which each of the symmetries keeps; the one that changes nothing is among them.
    pub(super) fn new(free: u32, symmetries: &[Symmetry]) -> Self {
        // With nothing free there is one set still, the empty one, of a block without nodes.
        let mut blocks = if free == 0 { vec![Vec::new()] } else { Vec::new() };
        let mut left = free;
        while left != 0 {
            let first = left.trailing_zeros();
            let nodes = symmetries.iter().fold(0, |nodes, symmetry| nodes | 1u32 << symmetry.node(first));
            left &= !nodes;
            blocks.push(ones(nodes).collect::<Vec<_>>());
        }
        // The small ones first: the fewer symmetries are left, the less the large ones have to be compared.
        blocks.sort_by_key(Vec::len);
        let blocks: Vec<_> = blocks.iter().map(|nodes| Block::new(nodes, symmetries)).collect();
        let all = Frame { next: 0, set: 0, keeping: (0..symmetries.len()).collect(), weight: 1 };
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
            // Of a class the least is taken, block after block.
            let image = |symmetry: &usize| usize::from(block.images[*symmetry][subset]);
            if frame.keeping.iter().any(|symmetry| image(symmetry) < subset) {
                continue;
            }
            let keeping = frame.keeping.iter().copied().filter(|symmetry| image(symmetry) == subset);
            let set = frame.set | nodes;
            if depth == self.blocks.len() {
                return Some((set, frame.weight * (frame.keeping.len() / keeping.count()) as u32));
            }
            let keeping: Vec<_> = keeping.collect();
            let weight = frame.weight * (frame.keeping.len() / keeping.len()) as u32;
            self.frames.push(Frame { next: 0, set, keeping, weight });
        }
    }
}

/// The places of the ones of `mask`, the lowest first.
fn ones(mask: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS).filter(move |place| mask >> place & 1 == 1)
}

/// All orders of the numbers below `n`.
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
        let symmetries = Symmetry::of(Hypercube::new(n).unwrap(), ends).filter(|symmetry| symmetry.keeps(free));
        Orbits::new(free, &symmetries.collect::<Vec<_>>()).collect()
    }

    /// Whatever the symmetries, the classes hold all sets of f nodes: as many as the binomial coefficient says.
    #[test]
    fn the_classes_hold_all_sets_of_each_size() {
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

    /// Burnside's lemma for the 14 nodes between the ends of a 4-cube: the permutations of four dimensions leave 2^14, 2^10 (six
    /// times), 2^8 (three times), 2^6 (eight times) and 2^4 (six times) sets as they are.
    #[test]
    fn there_are_as_many_classes_as_burnside_counts() {
        let fixed = [(1, 14), (6, 10), (3, 8), (8, 6), (6, 4)];
        let count: u32 = fixed.iter().map(|(times, cycles)| times << cycles).sum::<u32>() / 24;
        assert_eq!(orbits(4, 14, 0xffff & !(1 << 1) & !(1 << 14)).len() as u32, count);
    }
}
