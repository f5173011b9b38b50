//! Relabellings of the nodes under which faults cut fewer pairs off (Chiu, Chalasani & Raghavendra
//! section IV, both procedures Minimize-the-Number-of-Disrupted-Pairs).
//!
//! Only the routing uses the new labels.

use std::sync::Arc;

use super::affected_pairs::{FreeLinks, affected_by_link, affected_by_node};
use super::cut_off_pairs::{CutOff, LiveCube, MAX_CUT_OFF_DIMENSION, PairCounts, PermittedPaths};
use crate::fault::Faults;
use crate::routing::{self, Algorithm};
use crate::topology::{Hypercube, Link, NodeId, set_dimensions};

/// Largest dimension of a cube for which [`suggest_relabelling`] tries all relabellings.
const MAX_EXHAUSTIVE_DIMENSION: u8 = 6;

/// Maximum number of positions that a heuristic search may visit to count pairs: four times the
/// number of pairs of the 10-cube.
const VISITS: u64 = 1 << 22;

/// Maximum number of faults in the score of a heuristic search.
const JUDGED_FAULTS: usize = 64;

/// New labels for the nodes of a cube, with the algorithm that routes by them.
///
/// Two dimensions are exchanged first, if `exchange` is present. Then some of the new address bits
/// are flipped.
#[derive(Clone, Debug, PartialEq)]
pub struct Relabelling {
    /// Two dimensions to exchange.
    pub exchange: Option<(u8, u8)>,
    /// Address bits to flip after the exchange.
    pub flip: u64,
    /// Algorithm that routes by the new labels; has a criterion.
    pub algorithm: Arc<Algorithm>,
}

impl Relabelling {
    /// Applies the procedure for one faulty link X_i: exchanges dimensions i and n-1, then uses UP
    /// if the link leads up, DP if it leads down.
    ///
    /// One pair stays cut off: the two ends of the link. `None` if `link` is not a link of `cube`.
    pub fn for_link(cube: Hypercube, link: Link) -> Option<Self> {
        let top = cube.dimension() - 1;
        let algorithm = routing::find(if link.is_up() { "up" } else { "dp" }).ok()?;
        let exchange = (link.dim != top).then_some((link.dim, top));
        (cube.contains(link.from) && link.dim <= top).then_some(Self { exchange, flip: 0, algorithm })
    }

    /// Applies the procedure for one faulty node X: X becomes node 0, under UP.
    ///
    /// Only the 2(N-1) pairs with an end at X stay cut off. `None` if `node` is not a node of
    /// `cube`.
    pub fn for_node(cube: Hypercube, node: NodeId) -> Option<Self> {
        let algorithm = routing::find("up").ok()?;
        cube.contains(node).then_some(Self { exchange: None, flip: node.0, algorithm })
    }

    /// Returns the new label of `node`.
    pub fn to_label(&self, node: NodeId) -> NodeId {
        NodeId(self.exchanged(node.0) ^ self.flip)
    }

    /// Returns the node whose new label is `label`: the inverse of [`Relabelling::to_label`].
    pub fn to_original(&self, label: NodeId) -> NodeId {
        NodeId(self.exchanged(label.0 ^ self.flip))
    }

    /// Returns `link` in new labels.
    pub fn apply_link(&self, link: Link) -> Link {
        let dim = match self.exchange {
            Some((a, b)) if link.dim == a => b,
            Some((a, b)) if link.dim == b => a,
            _ => link.dim,
        };
        Link { from: self.to_label(link.from), dim }
    }

    /// Returns the link that is `link` in new labels: the inverse of [`Relabelling::apply_link`].
    pub fn undo_link(&self, link: Link) -> Link {
        // Exchanging two dimensions twice is the identity.
        Link { from: self.to_original(link.from), dim: self.apply_link(link).dim }
    }

    /// Returns whether the relabelling maps `cube` to itself.
    pub fn fits(&self, cube: Hypercube) -> bool {
        let inside = |(a, b): (u8, u8)| a < cube.dimension() && b < cube.dimension();
        self.exchange.is_none_or(inside) && cube.contains(NodeId(self.flip))
    }

    fn exchanged(&self, word: u64) -> u64 {
        let Some((a, b)) = self.exchange else { return word };
        let (a, b) = (a & 63, b & 63);
        let differ = (word >> a ^ word >> b) & 1;
        // For equal dimensions the two flips would cancel, but then the bits do not differ.
        word ^ (differ << a | differ << b)
    }

    fn net(&self, net: &LiveCube) -> LiveCube {
        net.renamed(|node| self.to_label(node), |dims| self.exchanged(dims))
    }
}

/// Faults as seen by a routing that uses new labels.
pub struct Relabelled<'a, F> {
    /// Faults in the original labels.
    pub faults: &'a mut F,
    /// New labels.
    pub labels: &'a Relabelling,
}

impl<F: Faults> Faults for Relabelled<'_, F> {
    fn is_faulty(&mut self, node: NodeId) -> bool {
        self.faults.is_faulty(self.labels.to_original(node))
    }

    fn has_link_faults(&self) -> bool {
        self.faults.has_link_faults()
    }

    fn is_link_faulty(&mut self, link: Link) -> bool {
        self.faults.is_link_faulty(self.labels.undo_link(link))
    }
}

/// Returns the pairs that `faults` cut off when the network routes by the new labels. Faults and
/// pairs have the original labels.
///
/// `None` above [`MAX_CUT_OFF_DIMENSION`], if the relabelling does not fit `cube`, and if its
/// algorithm has no criterion or is for another cube. Cost: as [`super::cut_off`].
pub fn relabelled_cut_off(cube: Hypercube, faults: &mut impl Faults, relabelling: &Relabelling) -> Option<CutOff> {
    let algorithm = &relabelling.algorithm;
    let of_cube = algorithm.dimension.is_none_or(|dimension| dimension == cube.dimension());
    if cube.dimension() > MAX_CUT_OFF_DIMENSION || !relabelling.fits(cube) || !of_cube {
        return None;
    }
    let net = relabelling.net(&LiveCube::new(cube, faults));
    Some(CutOff::new(&net, PermittedPaths::By(algorithm.criterion()?), |label| relabelling.to_original(label)))
}

/// Search method that found a relabelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMethod {
    /// The paper's procedure for one faulty link or node, or no faults at all: optimal.
    Procedure,
    /// Exhaustive search over every highest dimension with every flip, under UP and DP: optimal
    /// among the tried relabellings.
    Exhaustion,
    /// Search guided by the closed forms of single faults: not necessarily optimal.
    Heuristic,
}

/// Suggested relabelling that keeps pairs connected.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// New labels, with UP or DP.
    pub relabelling: Relabelling,
    /// Number of pairs that stay cut off.
    pub counts: PairCounts,
    /// Search method that found the relabelling.
    pub found_by: SearchMethod,
}

/// Suggests a relabelling under which `faults` cut few pairs off; ties go to the relabelling with
/// the fewest changes.
///
/// For one faulty link or node, applies the paper's procedure. Otherwise, up to 6 dimensions, tries
/// every exchange with the highest dimension and every flip, under UP and DP. In larger cubes,
/// flips one bit at a time to reduce a score: the sum of the pairs that each fault alone affects
/// (Theorems 2, 3 and 5), over the first 64 faults. The best candidates are counted exactly, and
/// the suggestion is never worse than UP and DP with the original labels. `None` above
/// [`MAX_CUT_OFF_DIMENSION`]. Cost: bounded, some 50 ms at most.
pub fn suggest_relabelling(cube: Hypercube, faults: &mut impl Faults) -> Option<Suggestion> {
    if cube.dimension() > MAX_CUT_OFF_DIMENSION {
        return None;
    }
    let net = LiveCube::new(cube, faults);
    let (nodes, links) = faulty_components(&net);
    let (only, found_by) = match (nodes.as_slice(), links.as_slice()) {
        ([], []) => (vec![Relabelling { flip: 0, ..Relabelling::for_node(cube, NodeId(0))? }], SearchMethod::Procedure),
        (&[node], []) => (vec![Relabelling::for_node(cube, node)?], SearchMethod::Procedure),
        ([], &[link]) => (vec![Relabelling::for_link(cube, link)?], SearchMethod::Procedure),
        _ if cube.dimension() <= MAX_EXHAUSTIVE_DIMENSION => (all_relabellings(cube)?, SearchMethod::Exhaustion),
        _ => (candidates(cube, &nodes, &links)?, SearchMethod::Heuristic),
    };
    let mut best: Option<(Relabelling, PairCounts)> = None;
    for relabelling in only {
        let criterion = relabelling.algorithm.criterion()?;
        // A relabelling replaces the best one only if it cuts off fewer pairs.
        let most = match best {
            None => u64::MAX,
            Some((_, counts)) => match counts.cut_off.checked_sub(1) {
                None => break,
                Some(most) => most,
            },
        };
        if let Some(counts) = relabelling.net(&net).count(&criterion, most) {
            best = Some((relabelling, counts));
        }
    }
    best.map(|(relabelling, counts)| Suggestion { relabelling, counts, found_by })
}

/// Returns the faulty nodes, and the faulty links between live ones.
fn faulty_components(net: &LiveCube) -> (Vec<NodeId>, Vec<Link>) {
    let is_live = |node: &NodeId| net.live[node.0 as usize];
    let nodes = net.nodes().filter(|node| !is_live(node)).collect();
    let links_of = |from: NodeId| set_dimensions(net.dead[from.0 as usize]).map(move |dim| Link { from, dim });
    let links = net.nodes().filter(is_live).flat_map(links_of).filter(|link| is_live(&link.end())).collect();
    (nodes, links)
}

/// Returns every choice of the highest dimension with every flip; relabellings with the fewest
/// changes come first.
fn all_relabellings(cube: Hypercube) -> Option<Vec<Relabelling>> {
    let both = |top| (0..=cube.mask()).map(move |flip| up_relabelling(cube, top, flip));
    let mut list: Vec<_> = (0..cube.dimension()).flat_map(both).collect::<Option<_>>()?;
    list.sort_by_key(|new| new.flip.count_ones() + u32::from(new.exchange.is_some()));
    Some(list)
}

/// Returns UP with dimension `top` exchanged with the highest and the bits of `flip` flipped.
///
/// Uses DP instead if DP flips fewer bits: DP is UP with all bits flipped.
fn up_relabelling(cube: Hypercube, top: u8, flip: u64) -> Option<Relabelling> {
    let highest = cube.dimension() - 1;
    let other = flip ^ cube.mask();
    let under_up = flip.count_ones() <= other.count_ones();
    let (id, flip) = if under_up { ("up", flip) } else { ("dp", other) };
    let exchange = (top != highest).then_some((top, highest));
    Some(Relabelling { exchange, flip, algorithm: routing::find(id).ok()? })
}

/// Returns UP and DP with the original labels, then the best candidates by the closed forms, as
/// many as may be counted exactly.
fn candidates(cube: Hypercube, nodes: &[NodeId], links: &[Link]) -> Option<Vec<Relabelling>> {
    let nodes = &nodes[..nodes.len().min(JUDGED_FAULTS)];
    let links = &links[..links.len().min(JUDGED_FAULTS - nodes.len())];
    let score = |relabelling: &Relabelling| -> u64 {
        let node = |&node| affected_by_node(cube, relabelling.to_label(node), FreeLinks::Up);
        let link = |&link| affected_by_link(cube, relabelling.apply_link(link), FreeLinks::Up);
        nodes.iter().map(node).chain(links.iter().map(link)).flatten().map(|affected| affected.pairs).sum()
    };
    let highest = cube.dimension() - 1;
    let as_it_is = up_relabelling(cube, highest, 0)?;
    let mut found: Vec<(u64, u8, u64)> = Vec::new();
    for top in 0..cube.dimension() {
        let exchange = (top != highest).then_some((top, highest));
        let at = |flip| Relabelling { exchange, flip, ..as_it_is.clone() };
        // Starts: the original labels of UP and DP, and flips that move some faulty node, or the
        // source of a faulty link, to node 0.
        let faulty = nodes.iter().copied().chain(links.iter().map(|link| link.from)).take(4);
        let starts = [0, cube.mask()].into_iter().chain(faulty.map(|node| at(0).to_label(node).0));
        found.extend(
            starts.map(|start| hill_climb(cube, start, |flip| score(&at(flip)))).map(|(sum, flip)| (sum, top, flip)),
        );
    }
    found.sort();
    found.dedup();
    let counted = (VISITS >> (2 * cube.dimension())) as usize;
    let best = found.into_iter().map(|(_, top, flip)| up_relabelling(cube, top, flip));
    let unchanged = [up_relabelling(cube, highest, 0), up_relabelling(cube, highest, cube.mask())];
    unchanged.into_iter().chain(best).take(counted.max(3)).collect()
}

/// Flips one bit at a time while a flip lowers the score. Returns the final score and flips.
fn hill_climb(cube: Hypercube, start: u64, score: impl Fn(u64) -> u64) -> (u64, u64) {
    let mut best = (score(start), start);
    loop {
        let neighbours = (0..cube.dimension()).map(|dim| best.1 ^ 1 << dim);
        match neighbours.map(|flip| (score(flip), flip)).min() {
            Some(next) if next.0 < best.0 => best = next,
            _ => return best,
        }
    }
}
