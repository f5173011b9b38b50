//! The bounds of the thesis as functions of n, h and the number of faults, and the closed forms behind them.
//!
//! All take n = 1 to 24 dimensions. Errata of the text: "log" is the natural logarithm inside Chernoff bounds and base 2,
//! that is n, elsewhere; "O(N/log N)" faults in the introduction is O(N/log^3 N); "N/3n2" is N/(3 n^2).

/// The number of bit-fixing paths on which a node lies, ends included: (n+2)N/2, exactly (Lemma 1).
pub fn paths_through_node(n: u8) -> u64 {
    (u64::from(n) + 2) << (n - 1)
}

/// The number of bit-fixing paths that take a directed channel: N/2, exactly (section 3.1.1).
pub fn edge_paths(n: u8) -> u64 {
    1 << (n - 1)
}

/// Lemma 1: at most so many bit-fixing paths contain one of the `faults`, (n+2)NF/2.
pub fn faulty_paths_bound(n: u8, faults: u32) -> u64 {
    paths_through_node(n).saturating_mul(u64::from(faults))
}

/// The number of nodes, the faulty one included, that a single fault makes inactive under Algorithm A:
/// 2^(H+1) - 2^max(0, 2H-n), H being the largest number with 2^H < 3n, n at most. Under Algorithm B it is four times
/// that of n-2.
pub fn inactive_of_one_fault(n: u8) -> u64 {
    let h = (0..=n).take_while(|&h| 1u64 << h < 3 * u64::from(n)).last().unwrap_or(0);
    (2u64 << h) - (1 << (2 * h).saturating_sub(n))
}

/// The most faults that Lemma 2 and Theorem 2 suppose: N/(3n^2(n+2)), rounded down; none below n = 13.
pub fn lemma_2_faults(n: u8) -> u32 {
    let n64 = u64::from(n);
    ((1u64 << n) / (3 * n64 * n64 * (n64 + 2))) as u32
}

/// The most faults that Theorem 3 supposes: N/(12n(n-2)^2), rounded down; 0 below n = 3.
pub fn theorem_3_faults(n: u8) -> u32 {
    let m = u64::from(n.saturating_sub(2));
    (1u64 << n).checked_div(12 * u64::from(n) * m * m).unwrap_or(0) as u32
}

/// Theorem 1, part 2: with probability at least 1 - 1/(4N) no channel has more congestion than ln(4 N^2 n) + e^2 N h/I,
/// `mean` being N h/I.
///
/// The thesis says 1 - 1/(8N): its union bound counts the n N/2 undirected edges, where there are n N channels.
pub fn congestion_whp(n: u8, mean: f64) -> f64 {
    let nodes = (1u64 << n) as f64;
    libm::log(4.0 * nodes * nodes * f64::from(n)) + libm::exp(2.0) * mean
}

/// Theorem 1, part 4: with probability at least 1 - 1/(8N) no node has more load than ln(8 N^2) + e^2 N h/I, `mean` being
/// N h/I.
pub fn load_whp(n: u8, mean: f64) -> f64 {
    let nodes = (1u64 << n) as f64;
    libm::log(8.0 * nodes * nodes) + libm::exp(2.0) * mean
}

/// The congestion of bit-fixing under the worst permutation without faults: 2^floor((n-1)/2).
///
/// Across dimension k, 2^(k-1) sources lead to a channel and 2^(n-k) destinations away from it.
pub fn bit_fixing_worst(n: u8) -> u32 {
    1 << ((n - 1) / 2)
}

/// Corollary 3: if every node sends `h` messages to the opposite node, n hops away, some channel is crossed by at least so
/// many, whatever the routing: n N h hops on n N channels. With h = n that is as much as Theorem 3 allows, but for a
/// constant.
pub fn opposite_at_least(h: u32) -> u32 {
    h
}

/// The expected congestion of each channel of the `class` of figure 3-7, 1 to 9, under Algorithm B, for a permutation
/// (h = 1) without faults where the length cap excludes nothing; 0 for other channels.
pub fn algorithm_b_expected(class: u8) -> f64 {
    let classes = [1.0, 2.0, 3.0, 2.0, 4.0, 2.0, 3.0, 2.0, 1.0];
    let place = usize::from(class).checked_sub(1);
    place.and_then(|place| classes.get(place)).map_or(0.0, |&expected| expected)
}
