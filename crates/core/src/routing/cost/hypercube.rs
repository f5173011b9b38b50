//! Costs of messages and circuits on hypercubes (Gordon & Stout; Chiu, Chalasani & Raghavendra).

use super::FaultKnowledge::{Network, Nothing, OwnLinks};
use super::mesh::{COORDINATES, DESTINATION, OWN_LINKS};
use super::network::bits;
use super::{CostPart, CostRules, CostSource};

const MODEL_1: CostSource = CostSource::Counted("Gordon & Stout, section 1.2 and Table 1");
const LENGTH_TO_GO: CostSource = CostSource::Counted("Gordon & Stout, section 3: a count of length to go");
const VISITED: CostSource =
    CostSource::Counted("Gordon & Stout, section 3: a complete list of all nodes visited, a large space overhead");
const CRITERIA: CostSource = CostSource::Counted("Chiu, Chalasani & Raghavendra, sections III and V");
const ALL_KNOW: CostSource =
    CostSource::Counted("Chiu, Chalasani & Raghavendra, section IV: every processor knows the failed link");

/// The status of the links of all dimensions.
const LINKS: CostPart = CostPart::on("status of the own links", "n", |at| at.dimensions(), MODEL_1);

/// The number of hops that are left.
pub(in crate::routing) const HOPS_LEFT: CostPart = CostPart::on(
    "hops left",
    "ceil(log2 (H + 1)), H hops at most",
    |at| at.path_limit.map_or(0, |limit| bits(u128::from(limit) + 1)),
    LENGTH_TO_GO,
);

/// The end of the path.
const NO_HOPS_LEFT: CostPart = CostPart::on(
    "hops left",
    "1",
    |at| at.path_limit.is_some().into(),
    CostSource::Counted("Gordon & Stout, section 3"),
);

/// The nodes visited so far: at most all nodes, and one for each hop.
const HISTORY: CostPart = CostPart::on(
    "list of visited nodes",
    "n min(2^n, H): an address for each node but the last, H hops at most",
    |at| {
        let hops = at.path_limit.map_or(u128::MAX, u128::from);
        at.dimensions() * at.nodes().min(hops)
    },
    VISITED,
);

/// The neighbours against the list of visited nodes, one lookup for each.
const HISTORY_TEST: CostPart = CostPart::on(
    "neighbours in the list of visited nodes",
    "n, one lookup for each neighbour",
    |at| at.dimensions(),
    CostSource::Counted("Gordon & Stout, section 3"),
);

/// Blind routing: no fault knowledge.
pub(in crate::routing) const BLIND: CostRules = CostRules::new(Nothing, &[], &[DESTINATION], &[COORDINATES]);

/// Routing with one-step local information.
pub(in crate::routing) const LOCAL: CostRules =
    CostRules::new(OwnLinks, &[OWN_LINKS], &[DESTINATION], &[COORDINATES, LINKS]);

/// Sidetracking: the destination, and the hops left.
pub(in crate::routing) const SIDETRACKING: CostRules =
    CostRules::new(OwnLinks, &[OWN_LINKS], &[DESTINATION, HOPS_LEFT], &[COORDINATES, LINKS, NO_HOPS_LEFT]);

/// Backtracking: sidetracking, and the nodes visited so far.
pub(in crate::routing) const BACKTRACKING: CostRules = CostRules::new(
    OwnLinks,
    &[OWN_LINKS],
    &[DESTINATION, HOPS_LEFT, HISTORY],
    &[COORDINATES, LINKS, NO_HOPS_LEFT, HISTORY_TEST],
);

/// Global information: every node searches the live network.
pub(in crate::routing) const GLOBAL: CostRules = CostRules::new(
    Network,
    &[CostPart::on("status of all nodes", "2^n", |at| at.nodes(), MODEL_1)],
    &[DESTINATION],
    &[CostPart::on(
        "links of a breadth-first search",
        "n 2^n",
        |at| at.dimensions() * at.nodes(),
        CostSource::Counted("Gordon & Stout, section 1, global information"),
    )],
);

/// A criterion: the required links and their directions follow from two addresses.
pub(in crate::routing) const CRITERION: CostRules =
    CostRules::new(OwnLinks, &[OWN_LINKS], &[DESTINATION], &[COORDINATES, LINKS]);

/// A criterion with one more header bit: restricted UP, and the mix of UP and DP.
pub(in crate::routing) const MARKED_CRITERION: CostRules = CostRules::new(
    OwnLinks,
    &[OWN_LINKS],
    &[DESTINATION, CostPart::fixed("order left once, or the message's criterion", "1", 1, CRITERIA)],
    &[COORDINATES, LINKS, CostPart::fixed("order left once, or the message's criterion", "1", 1, CRITERIA)],
);

/// A hierarchy: for each dimension one of four criteria, and the end of a level.
pub(in crate::routing) const HIERARCHY: CostRules = CostRules::new(
    OwnLinks,
    &[
        OWN_LINKS,
        CostPart::on("levels", "3 n: one of four criteria, and the end of a level", |at| 3 * at.dimensions(), CRITERIA),
    ],
    &[DESTINATION, CostPart::fixed("order left once in this level", "1", 1, CRITERIA)],
    &[COORDINATES, LINKS, CostPart::on("end of the level", "n", |at| at.dimensions(), CRITERIA)],
);

/// UP or DP for the whole network: one more bit in every node.
pub(in crate::routing) const EITHER_CRITERION: CostRules = CostRules::new(
    OwnLinks,
    &[OWN_LINKS, CRITERION_IN_USE],
    &[DESTINATION],
    &[COORDINATES, LINKS, CostPart::fixed("criterion of the network", "1", 1, CRITERIA)],
);
const CRITERION_IN_USE: CostPart = CostPart::fixed("criterion of the network", "1", 1, CRITERIA);

/// The status of all one-way links.
const ALL_LINKS: CostPart = CostPart::on(
    "status of all one-way links",
    "n 2^n, a bit for each; as a list, n + ceil(log2 n) bits for each faulty link",
    |at| at.dimensions() * at.nodes(),
    ALL_KNOW,
);

/// Returns the state of a node that knows all faulty links in place of the status of its own links.
pub(super) fn known_faults(state: &[CostPart]) -> Vec<CostPart> {
    let others = state.iter().filter(|part| part.name != OWN_LINKS.name);
    std::iter::once(&ALL_LINKS).chain(others).copied().collect()
}
