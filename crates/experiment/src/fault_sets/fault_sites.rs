//! Possible faults, and the number of their subsets.

use rand::RngExt as _;

use crate::kind::FaultDomain;
use crate::{Experiment, Problem};
use faultlab_core::random::Generator;
use faultlab_core::topology::{Link, Network, NodeId};

/// All nodes that may fail, or all links.
#[derive(Clone, Debug)]
pub(crate) enum FaultSites {
    Nodes(Vec<NodeId>),
    Links(Vec<Link>),
}

impl FaultSites {
    /// Maximum number of nodes or links.
    pub(crate) const MOST: u64 = 1 << 20;

    /// Returns the nodes or links of `experiment` that have no manual edit and may fail.
    pub(crate) fn from_experiment(experiment: &Experiment, links: bool) -> Result<Self, Problem> {
        let (network, kind) = (experiment.network, experiment.kind());
        if kind.fault_domain == FaultDomain::Wires {
            let why = "the search covers nodes and links, but in fat-trees only wires fail";
            return Err(Problem::new("switch", why));
        }
        let many =
            if links { network.link_count().unwrap_or(u64::MAX) } else { network.last_node().0.saturating_add(1) };
        if many > Self::MOST {
            let what = if links { "links" } else { "nodes" };
            let why = format!("{network} has {many} {what}; the search covers at most {}", Self::MOST);
            return Err(Problem::new("net", why));
        }
        let (faults, protected) = (&experiment.faults, experiment.protected_nodes());
        let all = (0..=network.last_node().0).map(NodeId);
        if !links {
            let free = all.filter(|&node| faults.node_override(node).is_none() && !protected.contains(&node));
            return Ok(Self::Nodes(free.collect()));
        }
        let all: Vec<Link> = match network {
            Network::Mesh(mesh) => mesh.iter_links().collect(),
            _ => {
                let dimensions = network.cube().map_or(0, |cube| cube.dimension());
                all.flat_map(|from| (0..dimensions).map(move |dim| Link { from, dim })).collect()
            }
        };
        Ok(Self::Links(all.into_iter().filter(|&link| faults.link_override(link).is_none()).collect()))
    }

    /// Returns the sites without the nodes that are already faulty.
    pub(crate) fn live(self, is_faulty: impl Fn(NodeId) -> bool) -> Self {
        match self {
            Self::Nodes(nodes) => Self::Nodes(nodes.into_iter().filter(|&node| !is_faulty(node)).collect()),
            links => links,
        }
    }

    /// Returns the number of sites.
    pub(crate) fn len(&self) -> u32 {
        match self {
            Self::Nodes(nodes) => nodes.len() as u32,
            Self::Links(links) => links.len() as u32,
        }
    }

    /// Returns `experiment` with the faults of `set` as additional manual edits.
    pub(crate) fn broken(&self, experiment: &Experiment, set: &[u32]) -> Experiment {
        let mut broken = experiment.clone();
        for &place in set {
            match self {
                Self::Nodes(nodes) => {
                    nodes.get(place as usize).into_iter().for_each(|&node| broken.faults.set_node(node, true))
                }
                Self::Links(links) => {
                    links.get(place as usize).into_iter().for_each(|&link| broken.faults.set_link(link, true));
                }
            }
        }
        broken
    }

    /// Returns the `count` sites nearest to `centre` as a set, without `centre` itself.
    ///
    /// For links of a hypercube, the distance is measured from the link's end if `inward`,
    /// otherwise from its start. Links into the centre, or out of it, therefore come first.
    pub(crate) fn around(&self, network: Network, centre: NodeId, inward: bool, count: u32) -> Vec<u32> {
        let near = |node: NodeId| network.distance(node, centre);
        let of_link = |link: Link| match network {
            Network::Mesh(mesh) => mesh.link_end(link).map_or(0, |end| near(link.from).min(near(end))),
            _ => near(if inward { link.end() } else { link.from }),
        };
        let mut places: Vec<(u32, u32)> = match self {
            Self::Nodes(nodes) => (0..).zip(nodes).map(|(place, &node)| (near(node), place)).collect(),
            Self::Links(links) => (0..).zip(links).map(|(place, &link)| (of_link(link) + 1, place)).collect(),
        };
        places.retain(|&(apart, _)| apart > 0);
        places.sort_unstable();
        places.truncate(count as usize);
        let mut set: Vec<u32> = places.into_iter().map(|(_, place)| place).collect();
        set.sort_unstable();
        set
    }

    /// Returns the names of the sites of a set, as in experiment texts.
    pub(crate) fn names(&self, network: Network, set: &[u32]) -> Vec<String> {
        let name = |&place: &u32| match self {
            Self::Nodes(nodes) => nodes.get(place as usize).map(|&node| network.format_node(node)),
            Self::Links(links) => links.get(place as usize).map(|&link| network.format_link(link)),
        };
        set.iter().filter_map(name).collect()
    }
}

/// Returns the number of subsets of size `chosen` of `all`; `None` beyond 2^64.
pub(crate) fn sets(all: u32, chosen: u32) -> Option<u64> {
    let chosen = chosen.min(all.checked_sub(chosen)?);
    let next = |sets: u128, k: u32| Some(sets * u128::from(all - k) / u128::from(k + 1)).filter(|&sets| sets < 1 << 64);
    (0..chosen).try_fold(1u128, next).map(|sets| sets as u64)
}

/// Advances `set` to the next set of sites below `all` in lexical order. Returns whether there is a
/// next set.
pub(crate) fn advance(set: &mut [u32], all: u32) -> bool {
    let chosen = set.len() as u32;
    let Some(place) = (0..set.len()).rev().find(|&place| set[place] < all - chosen + place as u32) else {
        return false;
    };
    set[place] += 1;
    for next in place + 1..set.len() {
        set[next] = set[next - 1] + 1;
    }
    true
}

/// Returns `chosen` of `all` sites, every set with equal probability (R. W. Floyd's algorithm);
/// `chosen` is at most `all`.
pub(crate) fn random_set(all: u32, chosen: u32, generator: &mut Generator) -> Vec<u32> {
    let mut set: Vec<u32> = Vec::new();
    for last in all - chosen..all {
        let drawn = generator.random_range(0..=last);
        let place = if set.contains(&drawn) { last } else { drawn };
        set.push(place);
    }
    set.sort_unstable();
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_enumerated_once_and_counted() {
        for (all, chosen, expected) in [(5, 0, 1), (6, 3, 20), (7, 1, 7), (9, 9, 1), (12, 5, 792)] {
            let mut set: Vec<u32> = (0..chosen).collect();
            let mut seen = vec![set.clone()];
            while chosen > 0 && advance(&mut set, all) {
                seen.push(set.clone());
            }
            assert!(seen.is_sorted_by(|a, b| a < b) && seen.iter().flatten().all(|&place| place < all));
            assert_eq!((seen.len() as u64, sets(all, chosen)), (expected, Some(expected)));
        }
        assert_eq!((sets(3, 4), sets(64, 32), sets(1 << 20, 256)), (None, Some(1_832_624_140_942_590_534), None));
    }
}
