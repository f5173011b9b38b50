//! Sets spread evenly over a cube or a part of it: there the shadows of faults, the paths that they make faulty, overlap least.
//!
//! The bit-fixing path from s meets a fault at the place k where their dimensions above k agree, and loses from there the
//! destinations that agree with the fault in the dimensions below k. So what counts of a set is how many faults agree with each
//! other in the highest and in the lowest dimensions: of a digital net in base 2, whose two coordinates are the address read from
//! either end, as few as possible.

use rand::RngExt as _;

use crate::fault::FaultyNodes;
use crate::random::Generator;
use crate::topology::NodeId;

/// `count` nodes, the highest bits of which are spread over this share, of 1024, of their range, and the lowest ones too; moved by an
/// exclusive or with a node drawn at random. Half of the address is of either kind: where there are more faults than the square
/// root of the nodes, they are spread less evenly.
pub(super) fn part(mut faulty: FaultyNodes, count: u32, share: u64, generator: &mut Generator) -> FaultyNodes {
    let n = u32::from(faulty.cube().dimension());
    let (high, low) = (n / 2, n - n / 2);
    let moved = generator.random_range(0..=faulty.cube().mask());
    for place in 0..u64::from(count) {
        // A Hammersley set: one coordinate is the place, the other one its bits in reverse, both as fractions of 2^32.
        let x = ((place.reverse_bits() >> 32) * share) >> 10;
        let y = ((((2 * place + 1) << 31) / u64::from(count)) * share) >> 10;
        let node = (x >> (32 - high) << low) | reversed(y >> (32 - low), low);
        add(&mut faulty, node ^ moved, generator);
    }
    faulty
}

/// `count` nodes spread over the whole cube: evenly chosen from 2^m of them, the least power of two that suffices, of which any
/// top a bits together with any low m-a bits tell one node.
///
/// They are those of which every (n-m)-th bit, from any of the lowest n-m on, has an even sum; with m at most n/2 the lowest m bits
/// repeat the highest ones.
pub(super) fn whole(mut faulty: FaultyNodes, count: u32, generator: &mut Generator) -> FaultyNodes {
    let cube = faulty.cube();
    let n = u32::from(cube.dimension());
    let m = u64::from(count).next_power_of_two().trailing_zeros().clamp(1, n);
    let (checks, moved) = (n - m, generator.random_range(0..=cube.mask()));
    for place in 0..u64::from(count) {
        let top = (place << m) / u64::from(count);
        let node = top << checks | folded(top, checks);
        add(&mut faulty, node ^ moved, generator);
    }
    faulty
}

/// The exclusive or of all pieces of `bits` bits of `word`.
fn folded(mut word: u64, bits: u32) -> u64 {
    let mut sum = 0;
    while bits > 0 && word > 0 {
        sum ^= word & ((1 << bits) - 1);
        word >>= bits;
    }
    sum
}

fn reversed(word: u64, bits: u32) -> u64 {
    word.reverse_bits() >> (64 - bits)
}

/// Adds `node`, or if it is there already one drawn at random.
fn add(faulty: &mut FaultyNodes, node: u64, generator: &mut Generator) {
    let mut node = NodeId(node);
    while faulty.contains(node) {
        node = NodeId(generator.random_range(0..=faulty.cube().mask()));
    }
    faulty.set(node, true);
}
