//! Tests of single messages and circuits under user-defined routing: on all paths the compiled
//! routing follows the rules, headers included.

use std::collections::{BTreeMap, BTreeSet};

use faultlab::fault::{BlockFaults, Faults};
use faultlab::routing::rules::RuleText;
use faultlab::routing::rules::tree::Tree;
use faultlab::routing::{
    Algorithm, AlgorithmState, Dimensions, Header, Links, Position, WormHeader, WormPosition, WormType,
};
use faultlab::theory::{ChannelId, DependencyGraph, circuit_dependencies, hypercube_dependencies, hypercube_link};
use faultlab::topology::{Hypercube, Link, NodeId, Port, set_dimensions};

use super::interpreter::{Evaluation, Members};
use super::random_rules::random_tree;
use super::{cubes, first_routing, parse, worm_routing};
use crate::common::{mesh, mesh_faults};

/// Rules for hypercubes. The flag is true if live links affect the sets or the rule that fires, not
/// only the choice from a set.
const RULES: &[(&str, bool)] = &[
    ("always take wrong", false),
    ("always take lowest wrong", false),
    ("always take lowest wrong also take wrong and up", false),
    ("always take lowest wrong also take wrong and not up", false),
    ("always take lowest wrong also take wrong", false),
    ("always take wrong and down also take wrong and up", false),
    ("always take lowest (wrong and up) before wrong", false),
    ("when some wrong is live take wrong otherwise take right", false),
    ("define off = right define there = wrong when some there is live take there otherwise take off", false),
    (
        "when some lowest wrong is live take lowest wrong when some wrong is live take wrong otherwise take not back",
        false,
    ),
    ("when some wrong is live and some wrong is up take wrong otherwise take not back", false),
    ("when some wrong is live and some wrong is up take wrong otherwise take not back before back", true),
    ("when every wrong is live take wrong otherwise take lowest wrong", true),
    ("always take lowest (wrong and live)", true),
    ("always take live and wrong before live", true),
    ("when some wrong is live take wrong otherwise take highest live before all", true),
    ("when some wrong is live take wrong otherwise take lowest wrong also take highest live", true),
    ("states A B in A when some wrong is up take wrong and up otherwise take wrong then B", false),
    ("states A B start B when some wrong is down in A always take wrong in B always take lowest wrong then A", false),
    ("states A B start B in B when some wrong is live take wrong then A otherwise take not back then B", false),
    (
        "states A B C start C when every wrong is up start B when some wrong is up \
         in A when some wrong is live take wrong then B in B or C when some back is wrong take back then A \
         otherwise take highest wrong then C",
        false,
    ),
    ("states A B start B when some faulty is wrong in B always take highest wrong then A in A always take wrong", true),
    (
        "states A B C in A always take wrong then B in B when some wrong is live take wrong then C otherwise take all then A",
        false,
    ),
    ("when every wrong is live take wrong before right otherwise take lowest wrong", true),
    ("states A B in A when every wrong is up take wrong then B otherwise take wrong in B always take nothing", false),
    (
        "states A B in A when every wrong is down take highest wrong then B otherwise take lowest wrong in B when some wrong is up take wrong",
        false,
    ),
    ("states A B in A or A always take wrong then B in B always take lowest wrong then A", false),
    (
        "states fresh used in fresh always take lowest wrong also take wrong and up then used in used always take lowest wrong",
        false,
    ),
];

fn parse_cube_rules(rules: &str) -> RuleText {
    parse(&format!("routing mine on cube {rules}"))
}

fn mask(members: &Members) -> u64 {
    members.iter().fold(0, |mask, dim| mask | 1 << dim)
}

/// Hop, as its source node and dimension.
type Hop = (NodeId, u8);

/// Follows all paths of messages to a node and compares the compiled routing with the rules. Adds
/// the pairs of consecutive hops to `waits`. Returns the number of visited states.
fn follow(
    tree: &Tree,
    algorithm: &Algorithm,
    faults: &BlockFaults,
    to: NodeId,
    waits: &mut BTreeSet<[Hop; 2]>,
) -> usize {
    let (local, circuits) = (algorithm.local().expect("of messages"), algorithm.circuits());
    let all = u64::from(faults.mesh().nodes()) - 1;
    let header = |state| WormHeader { memory: AlgorithmState::State(state), ..WormHeader::normal(WormType::WE) };
    let mut left: Vec<(NodeId, Option<u8>, Option<u8>, Header)> = Vec::new();
    left.extend(faults.members().filter(|&from| from != to).map(|from| (from, None, None, Header::default())));
    let mut met = BTreeSet::new();
    while let Some((here, came, state, carried)) = left.pop() {
        if !met.insert((here, came, state, carried)) {
            continue;
        }
        let held = came.map(|dim| (NodeId(here.0 ^ 1 << dim), dim));
        let came = came.map(|dim: u8| Port::along(dim, here.0 >> dim & 1 == 1));
        let start =
            || Evaluation { tree, faults, at: &WormPosition { here, to, input_port: came, header: header(0) } }.start();
        let state = state.unwrap_or_else(start);
        let at = WormPosition { here, to, input_port: came, header: header(state) };
        let parts = Evaluation { tree, faults, at: &at }.parts();
        let is_open = |dim: &u8| faults.is_open(here, Port::along(*dim, here.0 >> dim & 1 == 0));
        let live = (0..faults.mesh().dimensions()).filter(is_open).fold(0, |live, dim| live | 1 << dim);
        let (links, position) = (Links { all, live }, Position { here, wrong: here.0 ^ to.0, header: carried });
        let library_masks = |links: Links| {
            let tiers = local.tiers_with_links(position, links);
            let masks = tiers.iter().map(|tier| tier.dimensions.mask(position.wrong, all) & live);
            masks.filter(|&dims| dims != 0).collect::<Vec<_>>()
        };
        let expected: Vec<_> = parts.iter().map(|(set, next)| (mask(set) & live, *next)).collect();
        let first = expected.iter().map(|&(dims, _)| dims).find(|&dims| dims != 0);
        let why = || format!("{tree}{at:?} {links:?}");
        assert_eq!(library_masks(links).first().copied(), first, "{}", why());
        // A message waits for all sets of the rule.
        let union = |masks: &mut dyn Iterator<Item = u64>| masks.fold(0, |all, dims| all | dims);
        let wanted = if local.yields_to_traffic() {
            let wanted = union(&mut expected.iter().map(|&(dims, _)| dims));
            assert_eq!(union(&mut library_masks(links).into_iter()), wanted, "{}", why());
            wanted
        } else {
            // A message with backward hops only is lost at its source.
            let backward = parts
                .iter()
                .find(|(set, _)| mask(set) & live != 0)
                .is_some_and(|(set, _)| mask(set) & position.wrong == 0);
            if backward && held.is_none() { 0 } else { first.unwrap_or(0) }
        };
        waits.extend(held.iter().flat_map(|&held| set_dimensions(wanted).map(move |dim| [held, (here, dim)])));
        if !local.depends_on_faults() {
            // If the routing does not depend on faults, live links do not change the result.
            for live in [0, all, 0b0110] {
                assert_eq!(library_masks(Links { all, live }).first().copied(), first, "{}", why());
            }
        }
        if let Some(circuits) = &circuits {
            let permitted = parts.iter().fold(0, |dims, (set, _)| dims | mask(set)) & position.wrong;
            assert_eq!(circuits.legal(position, links, |legal| legal), permitted, "{}", why());
        }
        for dim in set_dimensions(wanted) {
            let next = expected.iter().find(|(dims, _)| dims >> dim & 1 == 1).map(|&(_, next)| next);
            let carried = local.header_after_with_links(position, links, dim);
            assert!(carried.0 < local.header_count(), "{}", why());
            if let Some(circuits) = &circuits {
                assert_eq!(circuits.header_after(position, links, dim), carried, "{}", why());
            }
            let there = NodeId(here.0 ^ 1 << dim);
            if there != to {
                left.push((there, Some(dim), next, carried));
            }
        }
    }
    met.len()
}

/// Adapter that exposes the faults of a hypercube through the trait `Faults`.
struct FaultsAdapter<'a>(&'a BlockFaults);

impl Faults for FaultsAdapter<'_> {
    fn is_faulty(&mut self, node: NodeId) -> bool {
        self.0.is_faulty(node)
    }

    fn has_link_faults(&self) -> bool {
        true
    }

    fn is_link_faulty(&mut self, link: Link) -> bool {
        !self.0.is_open(link.from, Port::along(link.dim, link.from.0 >> link.dim & 1 == 0))
    }
}

/// Returns the pairs of hops of which circuits hold one and wait for the other. A circuit takes and
/// requests only permitted links that lead to the destination.
fn circuits_wait(tree: &Tree, faults: &BlockFaults) -> BTreeSet<[Hop; 2]> {
    type Way = (NodeId, Option<u8>);
    /// Returns the hops that lead to the destination, each with the next state; caches results in
    /// `known`.
    fn leading_hops(
        tree: &Tree,
        faults: &BlockFaults,
        way: Way,
        to: NodeId,
        known: &mut BTreeMap<Way, Vec<(u8, u8)>>,
    ) -> Vec<(u8, u8)> {
        if let Some(known) = known.get(&way) {
            return known.clone();
        }
        let (here, state) = way;
        let header = |state| WormHeader { memory: AlgorithmState::State(state), ..WormHeader::normal(WormType::WE) };
        let at = WormPosition { here, to, input_port: None, header: header(0) };
        let state = state.unwrap_or_else(|| Evaluation { tree, faults, at: &at }.start());
        let parts = Evaluation { tree, faults, at: &WormPosition { header: header(state), ..at } }.parts();
        let mut found = Vec::new();
        for dim in set_dimensions(here.0 ^ to.0) {
            let Some((_, next)) = parts.iter().find(|(set, _)| set.contains(&dim)) else { continue };
            let there = NodeId(here.0 ^ 1 << dim);
            let is_open = faults.is_open(here, Port::along(dim, here.0 >> dim & 1 == 0));
            if is_open && (there == to || !leading_hops(tree, faults, (there, Some(*next)), to, known).is_empty()) {
                found.push((dim, *next));
            }
        }
        known.insert(way, found.clone());
        found
    }
    let mut waits = BTreeSet::new();
    for to in faults.members() {
        let (mut known, mut met) = (BTreeMap::new(), BTreeSet::new());
        let mut left: Vec<Way> = faults.members().filter(|&from| from != to).map(|from| (from, None)).collect();
        while let Some(way) = left.pop() {
            if !met.insert(way) {
                continue;
            }
            for (dim, state) in leading_hops(tree, faults, way, to, &mut known) {
                let there = NodeId(way.0.0 ^ 1 << dim);
                if there == to {
                    continue;
                }
                let next = leading_hops(tree, faults, (there, Some(state)), to, &mut known);
                waits.extend(next.iter().map(|&(wanted, _)| [(way.0, dim), (there, wanted)]));
                left.push((there, Some(state)));
            }
        }
    }
    waits
}

fn edges(graph: &DependencyGraph, cube: Hypercube) -> BTreeSet<[Hop; 2]> {
    let hop = |channel| {
        let (from, to) = hypercube_link(cube, channel);
        (from, (from.0 ^ to.0).trailing_zeros() as u8)
    };
    let channels = (0..graph.channels()).map(ChannelId);
    channels.flat_map(|held| graph.successors(held).into_iter().map(move |wanted| [hop(held), hop(wanted)])).collect()
}

/// Follows the messages to every node and compares the dependencies. Returns the number of visited
/// states.
fn follow_all(text: &RuleText, faults: &BlockFaults) -> usize {
    let (tree, algorithm) = (&text.trees()[0], &*text.routings()[0]);
    let mut waits = BTreeSet::new();
    let places = faults.members().map(|to| follow(tree, algorithm, faults, to, &mut waits)).sum();
    let cube = faults.mesh().cube().expect("a cube");
    if faults.members().count() == (0..=cube.mask()).filter(|&node| !faults.is_faulty(NodeId(node))).count() {
        let local = algorithm.local().expect("of messages");
        let graph = hypercube_dependencies(cube, &mut FaultsAdapter(faults), local).expect("a small cube");
        assert_eq!(edges(&graph, cube), waits, "{tree} {faults:?}");
    }
    if let Some(circuits) = algorithm.circuits() {
        let (graph, _) = circuit_dependencies(faults, &circuits).expect("a cube");
        assert_eq!(edges(&graph, cube), circuits_wait(tree, faults), "{tree} {faults:?}");
    }
    places
}

/// Compares all paths among faults, with states and with rules that refer to the previous hop.
#[test]
fn messages_follow_rules_on_all_paths() {
    let mut places = 0;
    let sets: Vec<_> = cubes().into_iter().filter(|faults| faults.mesh().nodes() <= 16).collect();
    for (rules, looks) in RULES {
        let text = parse_cube_rules(rules);
        assert_eq!(text.routings()[0].local().expect("of messages").depends_on_faults(), *looks, "{rules}");
        for faults in &sets {
            places += follow_all(&text, faults);
        }
    }
    for number in 0..150 {
        let text = parse(&random_tree(2 + 4 * number).to_string());
        for faults in sets.iter().skip(number as usize % 5).step_by(5) {
            places += follow_all(&text, faults);
        }
    }
    assert!(places > 100_000, "{places}");
}

/// Tiers of all wrong or all right dimensions are reported as such at every position. The header
/// after a hop contains the next state.
#[test]
fn whole_tiers_are_uniform() {
    let at = Position { here: NodeId(5), wrong: 6, header: Header::default() };
    let whole = [Dimensions::Wrong, Dimensions::Right];
    for (rules, tiers) in [
        ("always take wrong", 1),
        ("always take minimal before right", 2),
        ("when some wrong is live take wrong otherwise take right", 2),
        ("define there = wrong define off = right when some there is live take there otherwise take off", 2),
    ] {
        let text = parse_cube_rules(rules);
        let local = text.routings()[0].local().expect("of messages");
        assert!(local.is_uniform(), "{rules}");
        for library_tiers in [local.tiers(at), local.tiers_with_links(at, Links { all: 7, live: 5 })] {
            assert_eq!(library_tiers.iter().map(|tier| tier.dimensions).collect::<Vec<_>>(), whole[..tiers], "{rules}");
        }
    }
    for rules in
        ["always take wrong and up", "when some up is wrong take wrong otherwise take right", "always take all"]
    {
        assert!(!parse_cube_rules(rules).routings()[0].local().expect("of messages").is_uniform(), "{rules}");
    }
    let text = parse_cube_rules("states A B in A always take wrong then B in B always take right then A");
    let local = text.routings()[0].local().expect("of messages");
    for (header, dim) in [(0, 1), (0, 2), (1, 0)] {
        let at = Position { header: Header(header), ..at };
        assert_eq!(local.header_after(at, dim), Header(1 - header));
    }
}

/// Circuits accept rules exactly if their hops always lead towards the destination, however they
/// are written.
#[test]
fn rules_that_never_lead_away_set_circuits_up() {
    for (rules, does) in [
        ("always take wrong or lowest wrong", true),
        ("always take wrong or right", false),
        ("always take right or wrong", false),
        ("when dimension 0 is wrong take dimension 0 otherwise take wrong", true),
        ("define there = wrong always take highest there", true),
        ("define off = up always take off", false),
        ("define there = wrong and up define off = there or right always take off", false),
        ("always take up", false),
        ("always take up and wrong", true),
        ("always take not wrong", false),
    ] {
        let algorithm = first_routing(&format!("routing mine on cube {rules}"));
        assert_eq!(algorithm.circuits().is_some(), does, "{rules}");
    }
}

/// A hop is a detour if its rule may lead away from the destination, also in a text of many rules.
#[test]
fn hops_of_rules_that_may_lead_away_are_detours() {
    let rules = "when West is minimal and West is live take West when East is minimal and East is live take East \
                 when some minimal is live take minimal otherwise take not back";
    let many = format!("{}{rules}", "when no minimal is minimal take minimal ".repeat(40));
    let first = "when no minimal is live take not back when East is minimal take East otherwise take minimal";
    for (rules, leads_away) in [(rules, 3), (&*many, 43), (first, 0)] {
        let worm = worm_routing(&first_routing(&format!("routing mine on mesh 2 {rules}")));
        let (mut detours, mut others) = (0, 0);
        let faults = mesh_faults(mesh(5, 5), "2.2,3.1");
        for (here, to) in faults.members().flat_map(|here| faults.members().map(move |to| (here, to))) {
            let at = WormPosition { here, to, input_port: None, header: worm.initial_header(&faults, here, to, 0) };
            for choice in worm.choices(&faults, &at).iter().filter(|_| here != to) {
                assert_eq!(choice.rule.is_detour(), choice.rule.user_rule() == Some(leads_away), "{:?}", choice.rule);
                *(if choice.rule.is_detour() { &mut detours } else { &mut others }) += 1;
            }
        }
        assert!(detours > 5 && others > 100, "{detours} {others}");
    }
}
