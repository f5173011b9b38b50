//! Bounds of the thesis as functions of n, h and the number of faults, and the closed forms from
//! which they follow.
//!
//! All functions take n = 1 to 24 dimensions. Errata of the text: "log" is the natural logarithm
//! inside Chernoff bounds, and elsewhere the logarithm to base 2, which is n; "O(N/log N)" faults
//! in the introduction is O(N/log^3 N); "N/3n2" is N/(3 n^2).

/// Lemma 1: returns the exact number of bit-fixing paths that contain a node, ends included,
/// (n+2)N/2.
pub fn paths_through_node(n: u8) -> u64 {
    (u64::from(n) + 2) << (n - 1)
}

/// Section 3.1.1: returns the exact number of bit-fixing paths that take a directed channel, N/2.
pub fn edge_paths(n: u8) -> u64 {
    1 << (n - 1)
}

/// Lemma 1: returns the upper bound on the number of bit-fixing paths that contain one of the
/// `faults`, (n+2)NF/2.
pub fn faulty_paths_bound(n: u8, faults: u32) -> u64 {
    paths_through_node(n).saturating_mul(u64::from(faults))
}

/// Returns the number of nodes that a single fault makes inactive under Algorithm A, including the
/// faulty node.
///
/// The number is 2^(H+1) - 2^max(0, 2H-n), where H is the largest number with 2^H < 3n, at most n.
/// Under Algorithm B, the number is four times that for n-2.
pub fn inactive_of_one_fault(n: u8) -> u64 {
    let h = (0..=n).take_while(|&h| 1u64 << h < 3 * u64::from(n)).last().unwrap_or(0);
    (2u64 << h) - (1 << (2 * h).saturating_sub(n))
}

/// Returns the largest number of faults that Lemma 2 and Theorem 2 assume: N/(3n^2(n+2)), rounded
/// down; 0 below n = 13.
pub fn lemma_2_faults(n: u8) -> u32 {
    let n64 = u64::from(n);
    ((1u64 << n) / (3 * n64 * n64 * (n64 + 2))) as u32
}

/// Returns the largest number of faults that Theorem 3 assumes: N/(12n(n-2)^2), rounded down; 0
/// below n = 3.
pub fn theorem_3_faults(n: u8) -> u32 {
    let m = u64::from(n.saturating_sub(2));
    (1u64 << n).checked_div(12 * u64::from(n) * m * m).unwrap_or(0) as u32
}

/// Theorem 1, part 2: returns the congestion that no channel exceeds with probability at least 1 -
/// 1/(4N).
///
/// The congestion is ln(4 N^2 n) + e^2 N h/I, with `mean` = N h/I. The thesis states 1 - 1/(8N),
/// but its union bound counts the n N/2 undirected edges instead of the n N channels.
pub fn congestion_whp(n: u8, mean: f64) -> f64 {
    let nodes = (1u64 << n) as f64;
    libm::log(4.0 * nodes * nodes * f64::from(n)) + libm::exp(2.0) * mean
}

/// Theorem 1, part 4: returns the load that no node exceeds with probability at least 1 - 1/(8N).
///
/// The load is ln(8 N^2) + e^2 N h/I, with `mean` = N h/I.
pub fn load_whp(n: u8, mean: f64) -> f64 {
    let nodes = (1u64 << n) as f64;
    libm::log(8.0 * nodes * nodes) + libm::exp(2.0) * mean
}

/// Returns the congestion of bit-fixing under the worst permutation without faults:
/// 2^floor((n-1)/2).
///
/// A channel across dimension k is on paths from 2^(k-1) sources to 2^(n-k) destinations.
pub fn bit_fixing_worst(n: u8) -> u32 {
    1 << ((n - 1) / 2)
}

/// Lemma 2, the proof of part 2: returns the exact number of nodes that are further than (n + sqrt(2n ln
/// 6n))/2 from a node.
pub fn distant_nodes(n: u8) -> u64 {
    let n64 = f64::from(n);
    let limit = (n64 + libm::sqrt(2.0 * n64 * libm::log(6.0 * n64))) / 2.0;
    let mut at_distance = 1u64;
    let mut sum = 0;
    for distance in 0..=u64::from(n) {
        if distance as f64 > limit {
            sum += at_distance;
        }
        at_distance = at_distance * (u64::from(n) - distance) / (distance + 1);
    }
    sum
}

/// Lemma 2, the proof of part 2: returns N/6n, the Chernoff bound on [`distant_nodes`].
pub fn chernoff_distant_nodes(n: u8) -> f64 {
    (1u64 << n) as f64 / (6.0 * f64::from(n))
}

/// Returns the number of bits of a table of the valid intermediate nodes at one node: a set of N bits for
/// each of the `active` destinations.
///
/// The network holds `active` such tables. Under Algorithm B the table is that of a square: `active`
/// squares, with `n` - 2 dimensions.
pub fn intermediate_table_bits(n: u8, active: u64) -> u64 {
    active << n
}

/// Corollary 3: returns a lower bound on the congestion of some channel if every node sends `h`
/// messages to the opposite node, n hops away.
///
/// The bound holds for any routing: n N h hops are spread over n N channels. With h = n, it equals
/// the bound of Theorem 3, up to a constant.
pub fn opposite_at_least(h: u32) -> u32 {
    h
}

/// Returns the expected congestion of each channel of the `class` of figure 3-7, 1 to 9, under
/// Algorithm B; 0 for other channels.
///
/// The values hold for permutations (h = 1) without faults if the length cap excludes no
/// intermediate node.
pub fn algorithm_b_expected(class: u8) -> f64 {
    let classes = [1.0, 2.0, 3.0, 2.0, 4.0, 2.0, 3.0, 2.0, 1.0];
    let place = usize::from(class).checked_sub(1);
    place.and_then(|place| classes.get(place)).map_or(0.0, |&expected| expected)
}
