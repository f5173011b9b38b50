//! Pairs of live nodes that faults cut off under a criterion (Chiu, Chalasani & Raghavendra section
//! IV, for any number of faulty nodes and links).
//!
//! As in the paper, all faults are known to every node. An ordered pair of live nodes is therefore
//! cut off if and only if no path that the criterion permits consists of live links only. If
//! messages draw their rule at the source (the UP/DP mix), they draw among the rules that still
//! lead to the destination, as circuits do. A pair is then cut off if and only if it is cut off
//! under each rule.
//!
//! Under global information every live path is permitted. The pairs that are cut off are then those
//! of different components of the live nodes (Gordon & Stout section 4).

use crate::fault::Faults;
use crate::routing::{Algorithm, Criterion, Header, LocalRouting as _, Method, Position};
use crate::topology::{Hypercube, Link, NodeId, set_dimensions};
use crate::traffic::Pair;

/// Largest dimension of a cube for [`CutOff`]: a million pairs, 128 KiB.
pub const MAX_CUT_OFF_DIMENSION: u8 = 10;

/// Largest dimension of a cube for [`PairCounter`].
pub const MAX_COUNTED_DIMENSION: u8 = 14;

/// Numbers of pairs of live nodes and of cut-off pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairCounts {
    /// Number of ordered pairs of two live nodes.
    pub live: u64,
    /// Number of ordered pairs that are cut off.
    pub cut_off: u64,
}

impl PairCounts {
    /// Returns the share that is cut off, 0 to 1; `None` if there are no pairs.
    pub fn share(self) -> Option<f64> {
        (self.live > 0).then(|| self.cut_off as f64 / self.live as f64)
    }
}

/// Paths that an algorithm permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PermittedPaths {
    /// Every path of live links: global information.
    AnyLive,
    /// The live paths of a criterion.
    By(Criterion),
}

/// Set of the ordered pairs of live nodes that are cut off, with a bit for each source and
/// destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutOff {
    cube: Hypercube,
    permitted: PermittedPaths,
    counts: PairCounts,
    /// Bit array with index source * 2^n + destination.
    bits: Vec<u64>,
}

/// Returns the pairs that `faults` cut off under `algorithm`.
///
/// Some algorithms take the better of two criteria for the whole network. Their result is that of
/// the criterion that cuts off fewer pairs, or of the first criterion in a tie. For a bound that
/// takes the better criterion for each pair, the result has the pairs that both criteria cut off.
///
/// `None` above [`MAX_CUT_OFF_DIMENSION`], for algorithms without a criterion other than global
/// information, and for hierarchies of another cube. Cost: (n+1) 2^n status queries and 4^n
/// positions with up to n hops each for each criterion: about half a millisecond for n = 8, 10 ms
/// for n = 10.
pub fn cut_off(cube: Hypercube, faults: &mut impl Faults, algorithm: &Algorithm) -> Option<CutOff> {
    if cube.dimension() > MAX_CUT_OFF_DIMENSION {
        return None;
    }
    let choices = permitted_paths(cube, algorithm)?;
    let net = LiveCube::new(cube, faults);
    let under = |permitted| CutOff::new(&net, permitted, |node| node);
    choices.into_iter().map(under).min_by_key(|cut| cut.counts.cut_off)
}

/// Returns the permitted paths of which `algorithm` takes the better ones; `None` if the algorithm has
/// no criterion or is for another cube.
fn permitted_paths(cube: Hypercube, algorithm: &Algorithm) -> Option<Vec<PermittedPaths>> {
    if algorithm.dimension.is_some_and(|dimension| dimension != cube.dimension()) {
        return None;
    }
    match &algorithm.method {
        Method::Criterion(criterion) | Method::Bound(criterion) => Some(vec![PermittedPaths::By(*criterion)]),
        Method::Better(two) => Some(two.iter().copied().map(PermittedPaths::By).collect()),
        Method::Global => Some(vec![PermittedPaths::AnyLive]),
        Method::Local(_) | Method::Oblivious(_) | Method::Delivery(_) | Method::Probe(_) | Method::Mesh => None,
    }
}

impl CutOff {
    /// Computes the pairs that are cut off in `net`, stored under the names that `name` gives its
    /// nodes.
    pub(super) fn new(net: &LiveCube, permitted: PermittedPaths, name: impl Fn(NodeId) -> NodeId) -> Self {
        let n = net.cube.dimension();
        let mut bits = vec![0u64; (1usize << (2 * n)).div_ceil(64)];
        let mut search = PairSearch::new(net.cube);
        let mut counts = PairCounts::default();
        for destination in net.nodes() {
            let to = name(destination).0;
            let seen = search.towards(net, &permitted, destination, |source| {
                let bit = name(source).0 << n | to;
                bits[bit as usize / 64] |= 1 << (bit % 64);
            });
            counts.live += seen.live;
            counts.cut_off += seen.cut_off;
        }
        Self { cube: net.cube, permitted, counts, bits }
    }

    /// Returns the criterion of the result: for an algorithm with two criteria, the selected one.
    /// `None` if every live path is permitted.
    pub fn criterion(&self) -> Option<Criterion> {
        match self.permitted {
            PermittedPaths::AnyLive => None,
            PermittedPaths::By(criterion) => Some(criterion),
        }
    }

    /// Returns the numbers of pairs of live nodes and of cut-off pairs.
    pub fn counts(&self) -> PairCounts {
        self.counts
    }

    /// Returns whether the nodes of `pair` are live, different and cut off in the direction of the
    /// pair.
    pub fn contains(&self, pair: Pair) -> bool {
        let inside = self.cube.contains(pair.from) && self.cube.contains(pair.to);
        inside && self.bit(pair.from.0 << self.cube.dimension() | pair.to.0)
    }

    /// Returns the pairs that are cut off, by ascending source, then destination. Cost: 4^n / 64
    /// steps and one for each pair.
    pub fn pairs(&self) -> impl Iterator<Item = Pair> {
        let (n, mask) = (self.cube.dimension(), self.cube.mask());
        let bits = (0u64..).zip(&self.bits);
        let set = bits.flat_map(|(word, &bits)| set_dimensions(bits).map(move |bit| word * 64 + u64::from(bit)));
        set.map(move |bit| Pair { from: NodeId(bit >> n), to: NodeId(bit & mask) })
    }

    /// Returns the destinations that `source` is cut off from, ascending.
    pub fn destinations(&self, source: NodeId) -> impl Iterator<Item = NodeId> {
        let all = (0..=self.cube.mask()).map(NodeId);
        all.filter(move |&to| self.contains(Pair { from: source, to }))
    }

    fn bit(&self, bit: u64) -> bool {
        self.bits[bit as usize / 64] >> (bit % 64) & 1 == 1
    }
}

/// Incremental counter of the pairs that are cut off, for larger cubes and for workers that must
/// respond quickly.
#[derive(Clone, Debug)]
pub struct PairCounter {
    net: LiveCube,
    /// Permitted paths of which the better ones count.
    choices: Vec<PermittedPaths>,
    search: PairSearch,
    /// Number of destinations processed.
    done: u64,
    live: u64,
    /// Number of pairs cut off under each of these choices.
    cut_off: Vec<u64>,
}

impl PairCounter {
    /// Creates a counter without any destination processed; its final counts are those of
    /// [`cut_off`].
    ///
    /// `None` above [`MAX_COUNTED_DIMENSION`], for algorithms without a criterion other than global
    /// information, and for hierarchies of another cube. Cost: (n+1) 2^n status queries.
    pub fn new(cube: Hypercube, faults: &mut impl Faults, algorithm: &Algorithm) -> Option<Self> {
        if cube.dimension() > MAX_COUNTED_DIMENSION {
            return None;
        }
        let choices = permitted_paths(cube, algorithm)?;
        let net = LiveCube::new(cube, faults);
        let cut_off = vec![0; choices.len()];
        Some(Self { net, choices, search: PairSearch::new(cube), done: 0, live: 0, cut_off })
    }

    /// Processes the next `budget` destinations, in ascending order. Returns whether any
    /// destination is left.
    ///
    /// Cost: 2^n positions for each destination and each criterion, about 10 microseconds for n =
    /// 10.
    pub fn step(&mut self, budget: u64) -> bool {
        let end = self.done.saturating_add(budget).min(self.destinations());
        for to in (self.done..end).map(NodeId) {
            for (permitted, cut_off) in self.choices.iter().zip(&mut self.cut_off) {
                *cut_off += self.search.towards(&self.net, permitted, to, |_| {}).cut_off;
            }
            self.live += self.net.sources(to);
        }
        self.done = end;
        end < self.destinations()
    }

    /// Returns the number of ordered pairs of live nodes whose source has no live link out, or whose
    /// destination has no live link in. Every routing cuts them off. Without faulty one-way links,
    /// these are the pairs with an isolated node.
    ///
    /// Cost: a step for each link.
    pub fn isolated_pairs(&self) -> u64 {
        let net = &self.net;
        let live = net.nodes().filter(|node| net.live[node.0 as usize]);
        // Numbers of live nodes that can send, that can receive, and that can do both.
        let [out, into, both] = live.fold([0u64; 3], |[out, into, both], node| {
            let sends = net.dead[node.0 as usize].count_ones() < u32::from(net.cube.dimension());
            let receives = net.senders_to(node) != 0;
            [out + u64::from(sends), into + u64::from(receives), both + u64::from(sends && receives)]
        });
        net.count * net.count.saturating_sub(1) - (out * into - both)
    }

    /// Returns the number of destinations processed so far; the counter is done at
    /// [`PairCounter::destinations`].
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Returns the number of destinations, live or not: 2^n.
    pub fn destinations(&self) -> u64 {
        self.net.cube.mask() + 1
    }

    /// Returns the counts of the pairs to the destinations processed so far; for two criteria,
    /// under the criterion that has cut off fewer pairs.
    pub fn counts(&self) -> PairCounts {
        let cut_off = self.cut_off.iter().copied().min().unwrap_or(0);
        PairCounts { live: self.live, cut_off }
    }
}

/// Live nodes and links of a cube small enough for tables.
#[derive(Clone, Debug)]
pub(super) struct LiveCube {
    pub(super) cube: Hypercube,
    /// Live flag of each node.
    pub(super) live: Vec<bool>,
    /// Dead dimensions of each node, as a mask.
    pub(super) dead: Vec<u64>,
    count: u64,
    /// True if one-way links may be faulty, so that a path back need not exist.
    is_one_way: bool,
}

impl LiveCube {
    pub(super) fn new(cube: Hypercube, faults: &mut impl Faults) -> Self {
        let nodes = || (0..=cube.mask()).map(NodeId);
        let live: Vec<_> = nodes().map(|node| !faults.is_faulty(node)).collect();
        let any = faults.has_link_faults();
        let mut is_dead = |link: Link| !live[link.end().0 as usize] || any && faults.is_link_faulty(link);
        let mut dead_at = |from| {
            let links = (0..cube.dimension()).map(|dim| Link { from, dim });
            links.filter(|&link| is_dead(link)).fold(0, |dims, link| dims | 1 << link.dim)
        };
        let dead = nodes().map(&mut dead_at).collect();
        let count = live.iter().filter(|&&live| live).count() as u64;
        Self { cube, live, dead, count, is_one_way: any }
    }

    /// Relabels nodes by `name` and sets of dimensions by `dims`, two consistent bijections.
    pub(super) fn renamed(&self, name: impl Fn(NodeId) -> NodeId, dims: impl Fn(u64) -> u64) -> Self {
        let mut renamed = self.clone();
        for node in self.nodes() {
            let (old, new) = (node.0 as usize, name(node).0 as usize);
            renamed.live[new] = self.live[old];
            renamed.dead[new] = dims(self.dead[old]);
        }
        renamed
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..=self.cube.mask()).map(NodeId)
    }

    /// Returns the number of live nodes that may send to `to`.
    fn sources(&self, to: NodeId) -> u64 {
        if self.live[to.0 as usize] { self.count - 1 } else { 0 }
    }

    /// Returns the dimensions across which a live link leads from a live node to the live node `to`,
    /// as a mask.
    fn senders_to(&self, to: NodeId) -> u64 {
        let leads = |dim: &u8| {
            let from = (to.0 ^ 1 << dim) as usize;
            self.live[from] && self.dead[from] >> dim & 1 == 0
        };
        (0..self.cube.dimension()).filter(leads).fold(0, |dims, dim| dims | 1 << dim)
    }

    /// Counts the pairs that are cut off under `criterion`; `None` as soon as there are more than
    /// `most`.
    pub(super) fn count(&self, criterion: &Criterion, most: u64) -> Option<PairCounts> {
        let mut search = PairSearch::new(self.cube);
        let mut counts = PairCounts::default();
        for to in self.nodes() {
            let seen = search.permitted_towards(self, criterion, to, |_| {});
            counts.live += seen.live;
            counts.cut_off += seen.cut_off;
            if counts.cut_off > most {
                return None;
            }
        }
        Some(counts)
    }
}

/// Table of one search, reused for the next, which must be for the same network and either for
/// criteria or for any live path.
#[derive(Clone, Debug)]
struct PairSearch {
    /// Headers, one bit each, with which a message arrives, for each set of required dimensions;
    /// for any live path, whether each node is connected to the destination.
    arrives: Vec<u8>,
    /// Number of nodes connected to the last destination, which is included; 0 before.
    reached: u64,
}

impl PairSearch {
    fn new(cube: Hypercube) -> Self {
        Self { arrives: vec![u8::MAX; cube.mask() as usize + 1], reached: 0 }
    }

    /// Counts the sources of a destination, and calls `see` with those without a permitted path.
    #[inline(always)]
    fn towards(
        &mut self,
        net: &LiveCube,
        permitted: &PermittedPaths,
        to: NodeId,
        see: impl FnMut(NodeId),
    ) -> PairCounts {
        match permitted {
            PermittedPaths::By(criterion) => self.permitted_towards(net, criterion, to, see),
            PermittedPaths::AnyLive => self.connected_towards(net, to, see),
        }
    }

    /// Counts the sources of a destination, and calls `see` with those that no live path connects to
    /// it. Without faulty one-way links, nodes of one component share a search.
    fn connected_towards(&mut self, net: &LiveCube, to: NodeId, see: impl FnMut(NodeId)) -> PairCounts {
        let live = net.sources(to);
        if !net.live[to.0 as usize] {
            return PairCounts::default();
        }
        if self.reached == 0 || net.is_one_way || self.arrives[to.0 as usize] == 0 {
            self.search_connected(net, to);
        }
        // The destination itself is reached.
        let cut_off = live + 1 - self.reached;
        if cut_off > 0 {
            let is_cut_off = |node: &NodeId| net.live[node.0 as usize] && self.arrives[node.0 as usize] == 0;
            net.nodes().filter(is_cut_off).for_each(see);
        }
        PairCounts { live, cut_off }
    }

    /// Marks and counts the nodes that a live path connects to `to`.
    fn search_connected(&mut self, net: &LiveCube, to: NodeId) {
        self.arrives.fill(0);
        self.arrives[to.0 as usize] = 1;
        self.reached = 1;
        let mut stack = vec![to];
        while let Some(node) = stack.pop() {
            for dim in set_dimensions(net.senders_to(node)) {
                let before = NodeId(node.0 ^ 1 << dim);
                if std::mem::replace(&mut self.arrives[before.0 as usize], 1) == 0 {
                    self.reached += 1;
                    stack.push(before);
                }
            }
        }
    }

    /// Counts the sources of a destination, and calls `see` with those that `criterion` cuts off.
    ///
    /// A hop leaves a subset of the required dimensions, which is a smaller number. Since numbers
    /// are processed in ascending order, the results of all next states are known.
    #[inline(always)]
    fn permitted_towards(
        &mut self,
        net: &LiveCube,
        criterion: &Criterion,
        to: NodeId,
        mut see: impl FnMut(NodeId),
    ) -> PairCounts {
        let live = net.sources(to);
        let (first, headers) = (criterion.initial_header_count(), criterion.header_count());
        let mut cut_off = 0;
        for wrong in (1..=net.cube.mask()).take_while(|_| live > 0) {
            let here = NodeId(to.0 ^ wrong);
            let mut arrives = 0u8;
            if net.live[here.0 as usize] {
                for header in (0..headers).map(Header) {
                    let at = Position { here, wrong, header };
                    arrives |= u8::from(self.arrives_from(net, criterion, at)) << header.0;
                }
                if arrives & !(u8::MAX << first) == 0 {
                    cut_off += 1;
                    see(here);
                }
            }
            self.arrives[wrong as usize] = arrives;
        }
        PairCounts { live, cut_off }
    }

    #[inline(always)]
    fn arrives_from(&self, net: &LiveCube, criterion: &Criterion, at: Position) -> bool {
        let (low, free) = criterion.legal(at);
        let usable = (low | free) & !net.dead[at.here.0 as usize];
        set_dimensions(usable).any(|dim| {
            let next = criterion.header_after(at, dim);
            self.arrives[(at.wrong ^ 1 << dim) as usize] >> next.0 & 1 == 1
        })
    }
}
