//! Fault sets spread evenly over a cube or a part of it, so that few paths meet more than one
//! fault.
//!
//! The bit-fixing path from s to d meets fault f after dimension k if two conditions hold. First, s
//! agrees with f in all dimensions above k. Second, d agrees with f in all dimensions up to k. Two
//! faults are therefore on the same path only if they agree in some of the highest and some of the
//! lowest dimensions. In a digital net in base 2, as few faults as possible agree in this way. The
//! two coordinates of the net are the address read from either end.

use rand::RngExt as _;

use crate::fault::FaultyNodes;
use crate::random::Generator;
use crate::topology::NodeId;

/// Adds `count` nodes whose highest bits, and whose lowest bits, are spread over `share` / 1024 of
/// their range. An exclusive or with a random node shifts the set.
///
/// The highest bits and the lowest bits are half of the address each. More faults than the square
/// root of the number of nodes are spread less evenly.
pub(super) fn spread_over_part(
    mut faulty: FaultyNodes,
    count: u32,
    share: u64,
    generator: &mut Generator,
) -> FaultyNodes {
    let n = u32::from(faulty.cube().dimension());
    let (high, low) = (n / 2, n - n / 2);
    let moved = generator.random_range(0..=faulty.cube().mask());
    for place in 0..u64::from(count) {
        // A Hammersley set: one coordinate is the index, the other one its reversed bits, both as
        // fractions of 2^32.
        let x = ((place.reverse_bits() >> 32) * share) >> 10;
        let y = ((((2 * place + 1) << 31) / u64::from(count)) * share) >> 10;
        let node = (x >> (32 - high) << low) | reverse_bits(y >> (32 - low), low);
        add(&mut faulty, node ^ moved, generator);
    }
    faulty
}

/// Adds `count` nodes spread over the whole cube, chosen evenly from a set of 2^m nodes.
///
/// 2^m is the smallest power of two that suffices. In the set, any values of the top a bits and of
/// the low m-a bits together identify one node. The set consists of the nodes in which every
/// (n-m)-th bit, from each of the lowest n-m bits on, has an even sum. If m is at most n/2, the
/// lowest m bits repeat the highest m bits.
pub(super) fn spread_over_cube(mut faulty: FaultyNodes, count: u32, generator: &mut Generator) -> FaultyNodes {
    let cube = faulty.cube();
    let n = u32::from(cube.dimension());
    let m = u64::from(count).next_power_of_two().trailing_zeros().clamp(1, n);
    let (checks, moved) = (n - m, generator.random_range(0..=cube.mask()));
    for place in 0..u64::from(count) {
        let top = (place << m) / u64::from(count);
        let node = top << checks | fold_xor(top, checks);
        add(&mut faulty, node ^ moved, generator);
    }
    faulty
}

/// Returns the exclusive or of all pieces of `bits` bits of `word`.
fn fold_xor(mut word: u64, bits: u32) -> u64 {
    let mut sum = 0;
    while bits > 0 && word > 0 {
        sum ^= word & ((1 << bits) - 1);
        word >>= bits;
    }
    sum
}

fn reverse_bits(word: u64, bits: u32) -> u64 {
    word.reverse_bits() >> (64 - bits)
}

/// Adds `node`, or a random node if the set already contains `node`.
fn add(faulty: &mut FaultyNodes, node: u64, generator: &mut Generator) {
    let mut node = NodeId(node);
    while faulty.contains(node) {
        node = NodeId(generator.random_range(0..=faulty.cube().mask()));
    }
    faulty.set(node, true);
}
