//! Number of source-destination pairs that one fault cuts off: the closed forms of Chiu, Chalasani
//! & Raghavendra section IV.
//!
//! A fault *affects* an ordered pair (S, D), S other than D, if every path that the criterion
//! permits from S to D uses the faulty component. N = 2^n throughout. Every count is exact. `None`
//! means that the link or node is not in the cube, or that the statement does not apply to it.
//! `None` also means that the count exceeds a `u64` (possible for nodes from n = 59 on).

use crate::routing::Algorithm;
use crate::topology::{Hypercube, Link, NodeId, set_dimensions};

/// Required links that a criterion permits before lower required links. The statements of section
/// IV depend on this set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreeLinks {
    /// No links: e-cube.
    None,
    /// Up-links: the UP criterion.
    Up,
    /// Down-links: the DP criterion.
    Down,
    /// All links: any minimal path.
    All,
}

impl FreeLinks {
    /// Returns the free links of `algorithm`, or `None` if section IV does not cover the algorithm.
    pub fn from_algorithm(algorithm: &Algorithm) -> Option<Self> {
        match algorithm.criterion()?.everywhere()? {
            (0, 0) => Some(Self::None),
            (u64::MAX, 0) => Some(Self::Up),
            (0, u64::MAX) => Some(Self::Down),
            (u64::MAX, u64::MAX) => Some(Self::All),
            _ => None,
        }
    }

    /// Returns the dimensions whose links out of `node` are free where required, as a mask.
    pub fn dimensions(self, node: NodeId) -> u64 {
        match self {
            Self::None => 0,
            Self::Up => !node.0,
            Self::Down => node.0,
            Self::All => u64::MAX,
        }
    }
}

/// Number of affected pairs, with the statement of the paper from which the number follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AffectedPairs {
    /// Number of ordered pairs.
    pub pairs: u64,
    /// Statement of the paper, such as "Theorem 2".
    pub statement: &'static str,
}

/// Returns the pairs that the failure of `link` affects, by the statement that fits the criterion
/// and the link.
pub fn affected_by_link(cube: Hypercube, link: Link, free: FreeLinks) -> Option<AffectedPairs> {
    let (pairs, by) = match (free, link.is_up()) {
        (FreeLinks::None, _) => (link_under_ecube(cube, link), "section IV, on e-cube"),
        (FreeLinks::Up, true) => (up_link_under_up(cube, link), "Theorem 2"),
        (FreeLinks::Up, false) => (down_link_under_up(cube, link), "Theorem 3"),
        (FreeLinks::Down, _) => (link_under_dp(cube, link), "Corollary 1"),
        // For nodes further apart, a path with another first hop is permitted.
        (FreeLinks::All, _) => (has_link(cube, link).then_some(1), "the link's two ends"),
    };
    Some(AffectedPairs { pairs: pairs?, statement: by })
}

/// Returns the pairs of other nodes that the failure of `node` affects, by the statement that fits
/// the criterion.
///
/// The 2(N-1) pairs with an end at the node are not included; see [`with_ends`].
pub fn affected_by_node(cube: Hypercube, node: NodeId, free: FreeLinks) -> Option<AffectedPairs> {
    let (pairs, by) = match free {
        FreeLinks::None => (transit_under_ecube(cube, node), "section IV, on e-cube"),
        FreeLinks::Up => (transit_under_up(cube, node), "Theorem 5"),
        FreeLinks::Down => (transit_under_dp(cube, node), "Theorem 5, directions exchanged"),
        FreeLinks::All => (cube.contains(node).then_some(0), "disjoint minimal paths"),
    };
    Some(AffectedPairs { pairs: pairs?, statement: by })
}

/// Theorem 2: returns the number of pairs that the failure of an up-link X_i affects under UP, 2^p.
///
/// p is the number of ones of X above position i. The pairs are (X, D) for every D that differs
/// from X in position i and in any subset of those ones.
pub fn up_link_under_up(cube: Hypercube, link: Link) -> Option<u64> {
    let ones = bits_above(cube, link.from.0, link.dim);
    (has_link(cube, link) && link.is_up()).then(|| 1 << ones.count_ones())
}

/// Theorem 3: returns the number of pairs that the failure of a down-link X_i affects under UP,
/// 2^(i+p).
///
/// p is as in Theorem 2. The sources are the nodes that agree with X from position i on.
pub fn down_link_under_up(cube: Hypercube, link: Link) -> Option<u64> {
    let ones = bits_above(cube, link.from.0, link.dim);
    (has_link(cube, link) && !link.is_up()).then(|| 1 << (u32::from(link.dim) + ones.count_ones()))
}

/// Corollary 1: returns the number of pairs that the failure of a link X_i affects under DP.
///
/// The number is 2^p for a down-link and 2^(i+p) for an up-link, with p the number of zeros of X
/// above position i.
pub fn link_under_dp(cube: Hypercube, link: Link) -> Option<u64> {
    let mirrored = Link { from: cube.antipode(link.from), dim: link.dim };
    up_link_under_up(cube, mirrored).or_else(|| down_link_under_up(cube, mirrored))
}

/// Section IV, after Corollary 1: returns the number of pairs that the failure of any link affects
/// under e-cube, N/2.
pub fn link_under_ecube(cube: Hypercube, link: Link) -> Option<u64> {
    has_link(cube, link).then(|| 1 << (cube.dimension() - 1))
}

/// Theorem 5 without its 2(N-1): returns the number of pairs of other nodes that the failure of
/// node X affects under UP.
///
/// The number is the sum of (2^i - 1) 2^p_i over the positions i of the ones of X, with p_i the
/// number of ones above i. The sum is 0 for nodes 0 and 1. The maximum is at node N-1, where it
/// equals the e-cube value of every node.
pub fn transit_under_up(cube: Hypercube, node: NodeId) -> Option<u64> {
    let term = |i: u8| ((1u128 << i) - 1) << bits_above(cube, node.0, i).count_ones();
    cube.contains(node).then(|| set_dimensions(node.0).map(term).sum()).and_then(exact)
}

/// Theorem 5: returns the number of all pairs that the failure of node X affects under UP,
/// including the 2(N-1) with an end at X.
pub fn node_under_up(cube: Hypercube, node: NodeId) -> Option<u64> {
    with_ends(cube, transit_under_up(cube, node)?)
}

/// Returns the analogue of [`transit_under_up`] for DP, which the paper does not print: zeros of X
/// take the place of ones.
pub fn transit_under_dp(cube: Hypercube, node: NodeId) -> Option<u64> {
    transit_under_up(cube, cube.antipode(node))
}

/// Returns the analogue of [`node_under_up`] for DP, including the 2(N-1) pairs with an end at the
/// node.
pub fn node_under_dp(cube: Hypercube, node: NodeId) -> Option<u64> {
    with_ends(cube, transit_under_dp(cube, node)?)
}

/// Section IV, after Theorem 5: returns the number of pairs of other nodes that the failure of any
/// node affects under e-cube.
///
/// The number is nN/2 - (N-1), 49 in the 5-cube. Each of the node's n outgoing links is used by N/2
/// pairs, and no pair uses two of them. In N-1 of these pairs the node is the source.
pub fn transit_under_ecube(cube: Hypercube, node: NodeId) -> Option<u64> {
    let (n, nodes) = (u128::from(cube.dimension()), u128::from(cube.mask()) + 1);
    cube.contains(node).then_some(n * nodes / 2 - (nodes - 1)).and_then(exact)
}

/// Section IV, after Theorem 5: returns the number of all pairs that the failure of any node
/// affects under e-cube, (N-1) + nN/2.
///
/// The number covers the same pairs as the total of Theorem 5: the nN/2 pairs that leave or pass
/// the node, and the N-1 pairs that end at the node. The paper's example of 49 in the 5-cube
/// excludes the pairs with an end at the node, so both numbers agree: 31 + 80 = 49 + 62.
pub fn node_under_ecube(cube: Hypercube, node: NodeId) -> Option<u64> {
    with_ends(cube, transit_under_ecube(cube, node)?)
}

/// Returns `transit` pairs plus the 2(N-1) ordered pairs with an end at the faulty node.
pub fn with_ends(cube: Hypercube, transit: u64) -> Option<u64> {
    exact(u128::from(transit) + 2 * u128::from(cube.mask()))
}

/// Returns the bits of `word`, an address of `cube`, above position `dim`.
fn bits_above(cube: Hypercube, word: u64, dim: u8) -> u64 {
    let upper = u64::MAX.checked_shl(u32::from(dim) + 1).unwrap_or(0);
    word & cube.mask() & upper
}

fn has_link(cube: Hypercube, link: Link) -> bool {
    cube.contains(link.from) && link.dim < cube.dimension()
}

fn exact(count: u128) -> Option<u64> {
    u64::try_from(count).ok()
}
