//! Enumeration of all paths that the paper's criteria permit, and of the paths that faults leave.
//! Shares no code with the library's criteria.

use std::collections::BTreeSet;
use std::sync::Arc;

use faultlab::fault::Faults;
use faultlab::random::{Generator, below};
use faultlab::routing::{self, Algorithm};
use faultlab::theory::{CutOff, FreeLinks, cut_off};
use faultlab::topology::{Link, NodeId};
use faultlab::traffic::Pair;

use crate::common::cube;

/// Free links of e-cube, UP, DP and "any minimal path", in this order.
pub(crate) const FREE: [FreeLinks; 4] = [FreeLinks::None, FreeLinks::Up, FreeLinks::Down, FreeLinks::All];

pub(crate) fn algorithm(id: &str) -> Arc<Algorithm> {
    routing::find(id).expect("an algorithm")
}

pub(crate) fn pair(from: u64, to: u64) -> Pair {
    Pair { from: NodeId(from), to: NodeId(to) }
}

pub(crate) fn link(from: u64, dim: u8) -> Link {
    Link { from: NodeId(from), dim }
}

/// Returns the ordered pairs of different nodes below 2^n.
pub(crate) fn all_pairs(n: u8) -> impl Iterator<Item = (u64, u64)> {
    let nodes = 0..1u64 << n;
    nodes.clone().flat_map(move |s| nodes.clone().filter(move |&d| d != s).map(move |d| (s, d)))
}

pub(crate) fn all_links(n: u8) -> impl Iterator<Item = Link> {
    (0..1u64 << n).flat_map(move |node| (0..n).map(move |dim| link(node, dim)))
}

/// Returns the levels of an algorithm, each with its size and mark: those of hierarchies, and `a`
/// for any order.
pub(crate) fn levels(id: &str, n: u8) -> Vec<(u8, char)> {
    match id {
        "e-cube" => vec![(n, 'e')],
        "up" => vec![(n, 'f')],
        "dp" => vec![(n, 'd')],
        "restricted-up" => vec![(n, 'r')],
        "minimal" => vec![(n, 'a')],
        _ => id.split('+').map(|level| (level.as_bytes()[0] - b'0', level.chars().last().expect("a mark"))).collect(),
    }
}

/// Returns whether links to `d` may be reserved in this order, by the definitions in sections III
/// and V.
pub(crate) fn permits(levels: &[(u8, char)], d: u64, order: &[u8]) -> bool {
    let (mut rest, mut end) = (order, 0);
    levels.iter().all(|&(size, mark)| {
        end += size;
        // Links of a level are reserved before those of the next level.
        let count = rest.iter().filter(|&&dim| dim < end).count();
        let (level, next) = rest.split_at(count);
        rest = next;
        let lower_first = |k: usize| level[k..].iter().all(|&later| later >= level[k]);
        let leads_up = |k: usize| d >> level[k] & 1 == 1;
        let mut places = 0..count;
        level.iter().all(|&dim| dim < end)
            && match mark {
                'e' => places.all(lower_first),
                'f' => places.all(|k| leads_up(k) || lower_first(k)),
                'd' => places.all(|k| !leads_up(k) || lower_first(k)),
                'r' => {
                    places.clone().all(|k| leads_up(k) || lower_first(k))
                        && places.filter(|&k| !lower_first(k)).count() <= 1
                }
                _ => true,
            }
    })
}

/// Returns all permitted shortest paths from `s` to `d`, as lists of nodes.
pub(crate) fn paths(n: u8, levels: &[(u8, char)], s: u64, d: u64) -> Vec<Vec<u64>> {
    let required: Vec<u8> = (0..n).filter(|&dim| (s ^ d) >> dim & 1 == 1).collect();
    let mut orders = vec![vec![]];
    for _ in &required {
        let longer = |order: &Vec<u8>| {
            let more = required.iter().filter(|dim| !order.contains(dim));
            more.map(|&dim| [order.as_slice(), &[dim]].concat()).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    let nodes = |order: &Vec<u8>| {
        let mut path = vec![s];
        order.iter().for_each(|&dim| path.push(path[path.len() - 1] ^ 1 << dim));
        path
    };
    orders.iter().filter(|order| permits(levels, d, order)).map(nodes).collect()
}

/// Source and destination, and the permitted paths between them.
pub(crate) type Paths = ((u64, u64), Vec<Vec<u64>>);

/// Faulty nodes and links.
#[derive(Clone, Debug, Default)]
pub(crate) struct ManualFaults {
    pub(crate) nodes: BTreeSet<u64>,
    pub(crate) links: BTreeSet<Link>,
}

impl ManualFaults {
    pub(crate) fn link(link: Link) -> Self {
        Self { links: [link].into(), ..Self::default() }
    }

    pub(crate) fn node(node: u64) -> Self {
        Self { nodes: [node].into(), ..Self::default() }
    }

    pub(crate) fn draw(n: u8, generator: &mut Generator) -> Self {
        let mut node = || u64::from(below(generator, 1 << n));
        let mut broken = Self::default();
        for _ in 0..node() % 4 {
            broken.nodes.insert(node());
        }
        for _ in 0..node() % 7 {
            broken.links.insert(link(node(), (node() % u64::from(n)) as u8));
        }
        broken
    }

    pub(crate) fn stop(&self, path: &[u64]) -> bool {
        let dead = |hop: &[u64]| self.links.contains(&link(hop[0], (hop[0] ^ hop[1]).trailing_zeros() as u8));
        path.iter().any(|node| self.nodes.contains(node)) || path.windows(2).any(dead)
    }

    /// Returns the live pairs whose `paths` are all cut off, in ascending order.
    pub(crate) fn cut(&self, paths: &[Paths]) -> Vec<Pair> {
        let live = |(s, d): &(u64, u64)| !self.nodes.contains(s) && !self.nodes.contains(d);
        let stopped = paths.iter().filter(|(ends, paths)| live(ends) && paths.iter().all(|path| self.stop(path)));
        stopped.map(|&((s, d), _)| pair(s, d)).collect()
    }
}

impl Faults for ManualFaults {
    fn is_faulty(&mut self, node: NodeId) -> bool {
        self.nodes.contains(&node.0)
    }

    fn has_link_faults(&self) -> bool {
        !self.links.is_empty()
    }

    fn is_link_faulty(&mut self, link: Link) -> bool {
        self.links.contains(&link)
    }
}

pub(crate) fn all_paths(n: u8, id: &str) -> Vec<Paths> {
    let levels = levels(id, n);
    all_pairs(n).map(|(s, d)| ((s, d), paths(n, &levels, s, d))).collect()
}

pub(crate) fn cut(n: u8, broken: &ManualFaults, id: &str) -> CutOff {
    cut_off(cube(n), &mut broken.clone(), &algorithm(id)).expect("a criterion")
}

pub(crate) fn pairs_of(cut: &CutOff) -> Vec<(u64, u64)> {
    cut.pairs().map(|pair| (pair.from.0, pair.to.0)).collect()
}
