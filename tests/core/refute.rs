//! Tests of counterexample searches: known flaws are found with the fewest faults, and proved
//! routings have none.

use faultlab::experiment::deadlock::DeadlockVerdict;
use faultlab::experiment::fault_sets::run;
use faultlab::experiment::refute::{Evidence, Flaw, RefuteQuery, RefuteSearch, Witness};
use faultlab::experiment::{Experiment, PointConfig, Status, WormWatch};
use faultlab::fault::BlockFaults;
use faultlab::random::Key;
use faultlab::report::refutation::Refutation;
use faultlab::routing;
use faultlab::routing::rules::{EXERCISES, RuleText};
use faultlab::routing::{
    Dimensions, Knowledge, LOWEST_REQUIRED, LocalRouting, Order, Position, Tier, Tiers, WormHeader, WormPosition,
};
use faultlab::switching::{WormOutcome, worm_walk};
use faultlab::theory::{
    ChannelId, DependencyGraph, FaultSet, circuit_dependencies, cut_off, hypercube_dependencies, message_arrivals,
    route_to_loss, transit_under_dp, transit_under_ecube, transit_under_up,
};
use faultlab::topology::{Hypercube, Mesh, NodeId, Port};
use faultlab::traffic::Pair;

use crate::common::{cube, experiment, is_thorough, local, measure, mesh, sample_raw_faults, worm};

/// Closed form for the number of pairs that a faulty node affects.
type Theorem = fn(Hypercube, NodeId) -> Option<u64>;

fn searched(text: &str, faults: u32) -> RefuteSearch {
    let question = RefuteQuery { faults, sets: 100_000, ..RefuteQuery::USUAL };
    let mut search = RefuteSearch::new(&experiment(text), question).expect("a search");
    run(&mut search);
    search
}

/// Returns the size of the smallest fault set that shows a flaw; `None` if there is none.
fn smallest_set_size(search: &RefuteSearch, flaw: Flaw) -> Option<usize> {
    search.witness(flaw).map(|witness| witness.faults.len())
}

fn deadlock(text: &str, faults: u32) -> Option<Witness> {
    searched(text, faults).witness(Flaw::Deadlock)
}

/// Known results of Boppana & Chalasani, sections III and IV, Glass & Ni, and Dally & Seitz. In the
/// 5x5 mesh of regular runs, as in the 6x6 mesh of thorough runs, one or two faults may touch every
/// border, and a block of four nodes has a whole ring.
#[test]
fn finds_known_flaws_with_the_fewest_faults() {
    let width = if is_thorough() { 6 } else { 5 };
    let mesh = &format!("switch=wormhole&faults=none&net=mesh:{width}x{width}&route=");
    for (routing, expected) in [
        ("f-cube1", Some(1)),
        // A single fault removes escape channels, but closes no cycle.
        ("weak", Some(2)),
        ("f-cube2", Some(2)),
        ("lh2", Some(2)),
        ("f-cube4", None),
        ("lh4", None),
        ("negative-first", None),
        ("west-first", None),
        ("odd-even", None),
    ] {
        assert_eq!(smallest_set_size(&searched(&format!("{mesh}{routing}"), 2), Flaw::Deadlock), expected, "{routing}");
    }
    // "f-cube2-either" deadlocks around a block, but not around a single fault.
    assert_eq!(
        smallest_set_size(&searched(&format!("{mesh}f-cube2-either&break=2.2,2.3,3.2,3.3"), 0), Flaw::Deadlock),
        Some(0)
    );
    assert_eq!(smallest_set_size(&searched(&format!("{mesh}f-cube2-either"), 1), Flaw::Deadlock), None);
    assert_eq!(smallest_set_size(&searched(&format!("{mesh}lh2&break=2.2,2.3,3.2,3.3"), 0), Flaw::Deadlock), Some(0));
    // Minimal routing on a cube deadlocks with one class, even without faults.
    assert_eq!(smallest_set_size(&searched("switch=wormhole&net=cube:3&route=minimal", 0), Flaw::Deadlock), Some(0));
    // Negative-first loses no message to a single fault (Glass & Ni). The fault-tolerant algorithms
    // lose none to two faults.
    for (routing, faults) in [("negative-first", 1), ("f-cube2", 2), ("f-cube4", 2), ("lh4", 2)] {
        let search = searched(&format!("{mesh}{routing}"), faults);
        assert_eq!(
            [Flaw::Lost, Flaw::Livelock].map(|flaw| smallest_set_size(&search, flaw)),
            [None, None],
            "{routing}"
        );
        assert!(search.covered().iter().all(|covered| covered.is_all()), "{routing}");
    }
    let covered: Vec<_> = searched(&format!("{mesh}f-cube4"), 2).covered().iter().map(|it| it.evaluated_sets).collect();
    let nodes = width * width;
    assert_eq!(covered, [1, nodes, nodes * (nodes - 1) / 2]);
}

/// Running the experiment of a witness leads to the deadlock.
#[test]
fn witness_experiment_deadlocks() {
    for (text, faults) in [
        ("switch=wormhole&faults=none&net=mesh:6x6&route=f-cube1", 1),
        ("switch=wormhole&faults=none&net=mesh:8x8&route=f-cube2", 2),
        ("switch=wormhole&faults=none&net=mesh:8x8&route=f-cube2-either&break=3.3,3.4,4.3,4.4", 0),
        ("switch=wormhole&net=cube:4&route=minimal", 0),
    ] {
        let witness = deadlock(text, faults).expect("a deadlock");
        let seen = witness.shown.verdict().and_then(DeadlockVerdict::observed).expect(text);
        let experiment = &seen.experiment;
        assert!(seen.messages.len() >= 2, "{text}");
        let again: Experiment = experiment.to_string().parse().expect("its text");
        assert_eq!(again, *experiment);
        assert_eq!(measure(&again.to_string())[0].status, Status::Deadlocked, "{again}");
        // At the opening time the deadlock exists and is reported.
        let mut watch = WormWatch::new(&again).expect("worms to watch");
        while watch.work(1 << 20) {}
        watch.seek(again.view.time.expect("a moment") as u64);
        while !watch.is_at_target() {
            watch.work(1 << 20);
        }
        assert!(watch.networks()[0].worms().outcome().is_some(), "{again}");
    }
}

/// e-cube has a single path per message, so lost messages are found by walking it.
#[test]
fn lost_pairs_agree_with_walks() {
    let search = searched("switch=wormhole&faults=none&net=mesh:4x5&route=e-cube", 1);
    let ecube = worm("e-cube");
    let mut lost = 0;
    for node in (0..20).map(NodeId) {
        let faults = BlockFaults::new(mesh(4, 5), &[node], &[]);
        for (from, to) in (0..20).flat_map(|from| (0..20).map(move |to| (NodeId(from), NodeId(to)))) {
            let live = from != to && faults.is_member(from) && faults.is_member(to);
            if live
                && worm_walk(ecube, &faults, Pair { from, to }, &mut Key::from_seed(1).generator()).1
                    != WormOutcome::Delivered
            {
                lost += 1;
            }
        }
    }
    assert_eq!(search.covered()[1].undelivered, lost);
}

/// Sidetracking on a 4-cube loses no message to two faults that leave all pairs connected, but
/// permits livelock. Single messages under a criterion of Chiu, Chalasani & Raghavendra are lost as
/// their theorems count (over all nodes: Theorem 5 and Corollary 1).
#[test]
fn single_messages_are_lost_or_go_round() {
    let sidetracking = searched("net=cube:4&route=sidetracking", 2);
    assert_eq!(
        [Flaw::Deadlock, Flaw::Lost, Flaw::Livelock].map(|flaw| smallest_set_size(&sidetracking, flaw)),
        [None, None, Some(2)]
    );
    let text = Refutation::from_search(&sidetracking).verdict();
    assert!(text.contains("can circle forever with 2 faulty nodes"), "{text}");
    let theorems: [(&str, Theorem); 3] =
        [("e-cube", transit_under_ecube), ("up", transit_under_up), ("dp", transit_under_dp)];
    for (routing, transit) in theorems {
        let single = searched(&format!("net=cube:5&route={routing}"), 1).covered()[1].undelivered;
        let worms = searched(&format!("net=cube:5&switch=wormhole&route={routing}"), 1).covered()[1].undelivered;
        let theorem: u64 = (0..32).filter_map(|node| transit(cube(5), NodeId(node))).sum();
        // Nodes 0 and 31, the ends of the single-message experiment, are spared from faults.
        let spared: u64 = [0, 31].into_iter().filter_map(|node| transit(cube(5), NodeId(node))).sum();
        assert_eq!(single, theorem - spared, "{routing}");
        // A worm may take any free legal link, and may be lost where a message on the lowest link
        // is not.
        assert!(worms >= theorem && (worms == theorem || routing != "e-cube"), "{routing}: {worms}, {theorem}");
    }
}

/// Messages that ignore faults are lost exactly if their hops meet one: on the single path of
/// highest wrong bits, or on any minimal path.
#[test]
fn blind_messages_are_lost_where_their_hops_meet_a_fault() {
    let whole = Mesh::from_cube(4).expect("a cube");
    // Returns whether a message from `here` may enter a faulty node.
    fn meets(faults: &BlockFaults, here: u64, to: u64, highest: bool) -> bool {
        let closer =
            (0..4).rev().map(|dim| here ^ 1 << dim).filter(|next| (next ^ to).count_ones() < (here ^ to).count_ones());
        closer
            .take(if highest { 1 } else { 4 })
            .any(|next| faults.is_faulty(NodeId(next)) || meets(faults, next, to, highest))
    }
    let mut lost = 0;
    for seed in 0..40u64 {
        let (nodes, _) = sample_raw_faults(whole, seed as u32 % 5, &mut Key::from_seed(seed).generator());
        let faults = BlockFaults::new(whole, &nodes, &[]);
        let pairs = || {
            faults.members().flat_map(|from| faults.members().map(move |to| (from, to))).filter(|(from, to)| from != to)
        };
        for (id, highest) in [("deterministic-blind", true), ("random-blind", false)] {
            let found = message_arrivals(&faults, local(id)).expect("a small cube");
            let expected = pairs().filter(|(from, to)| meets(&faults, from.0, to.0, highest)).count() as u64;
            assert_eq!(
                (found.pairs, found.lost, found.livelocked),
                (pairs().count() as u64, expected, 0),
                "{id} {nodes:?}"
            );
            assert_eq!(found.detour, 0, "{id} {nodes:?}");
            lost += expected;
        }
    }
    assert!(lost > 1000, "{lost}");
    // Routings that draw a header also deliver over minimal paths without faults.
    for id in ["up-dp-mix", "restricted-up"] {
        let routing = routing::find(id).expect("built in");
        let found = message_arrivals(&BlockFaults::new(whole, &[], &[]), routing.local().expect("of messages"))
            .expect("a cube");
        assert_eq!((found.pairs, found.lost, found.livelocked, found.longest, found.detour), (240, 0, 0, 4, 0), "{id}");
    }
}

/// A message that is lost only for some choices is reported with a path that ends in a loss.
#[test]
fn reported_loss_path_ends_without_choice() {
    let (mut shown, mut arriving) = (0, 0);
    for number in 0..30u64 {
        let (nodes, _) = sample_raw_faults(mesh(5, 5), 4, &mut Key::from_seed(40 + number).generator());
        let faults = BlockFaults::new(mesh(5, 5), &nodes, &[]);
        for id in ["west-first", "lh", "negative-first-minimal"] {
            let routing = worm(id);
            for (from, to) in faults.members().flat_map(|from| faults.members().map(move |to| (from, to))) {
                let Some(way) = (from != to).then(|| route_to_loss(&faults, routing, Pair { from, to })).flatten()
                else {
                    continue;
                };
                // Follow every header along the path: at least one permits all hops, and then no
                // further hop at the last node.
                let mut headers: Vec<(Option<Port>, WormHeader)> = (0..routing.initial_header_count(&faults, from, to))
                    .map(|it| (None, routing.initial_header(&faults, from, to, it)))
                    .collect();
                for hop in way.windows(2) {
                    let mut next = Vec::new();
                    for (came, header) in headers {
                        for choice in routing
                            .choices(&faults, &WormPosition { here: hop[0], to, input_port: came, header })
                            .iter()
                        {
                            let there = faults.mesh().neighbor(hop[0], choice.port);
                            arriving += u32::from(there != Some(hop[1]));
                            if there == Some(hop[1]) {
                                next.push((Some(choice.port), choice.header));
                            }
                        }
                    }
                    headers = next;
                }
                let (&first, &last) = (way.first().expect("a way"), way.last().expect("a way"));
                assert!(first == from && last != to, "{id} {from} {to}: {way:?}");
                let is_stuck = |&(came, header): &(Option<Port>, WormHeader)| {
                    routing.choices(&faults, &WormPosition { here: last, to, input_port: came, header }).is_empty()
                };
                assert!(headers.iter().any(is_stuck), "{id} {from} {to}: {way:?}");
                shown += 1;
            }
        }
    }
    assert!(shown > 500 && arriving > 500, "{shown} {arriving}");
}

/// Routing that takes any hop and ignores faults.
struct AnyHop;

impl LocalRouting for AnyHop {
    fn tiers(&self, _: Position) -> Tiers {
        Tiers::one(Tier { dimensions: Dimensions::Mask(0b111), rule: &LOWEST_REQUIRED })
    }

    fn order(&self) -> Order {
        Order::Random
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Nothing
    }
}

/// A message that may both be lost and loop forever counts as looping, wherever its faults are.
#[test]
fn messages_that_may_loop_count_as_looping() {
    let whole = Mesh::from_cube(3).expect("a cube");
    for broken in [&[][..], &[5], &[5, 6]] {
        let nodes: Vec<_> = broken.iter().copied().map(NodeId).collect();
        let faults = BlockFaults::new(whole, &nodes, &[]);
        let live = faults.members().count() as u64;
        let found = message_arrivals(&faults, &AnyHop).expect("a small cube");
        assert_eq!((found.pairs, found.lost, found.livelocked), (live * (live - 1), 0, live * (live - 1)), "{nodes:?}");
    }
}

/// Reported paths are valid. A looping path follows live links into a cycle and once around it; a
/// lost message's path ends without a choice.
#[test]
fn reported_failing_paths_are_valid() {
    let exercise = |name: &str| EXERCISES.iter().find(|exercise| exercise.name == name).expect("an exercise");
    for (name, flaw) in [("circling", Flaw::Livelock), ("border", Flaw::Lost)] {
        let exercise = exercise(name);
        let id = RuleText::parse(exercise.flawed).expect("rules").routings()[0].id.to_string();
        let with_rules = experiment(exercise.experiment).with_key("rules", exercise.flawed).expect("rules");
        let broken = with_rules.with_key("route", &id).expect("a routing");
        let mut search = RefuteSearch::new(&broken, RefuteQuery { faults: 0, ..RefuteQuery::USUAL }).expect("a search");
        run(&mut search);
        let witness = search.witness(flaw).expect("a flaw");
        let Evidence::Message { pair, route: (nodes, first), experiment } = witness.shown else {
            unreachable!("{name}")
        };
        let faults = PointConfig::new(&experiment, None).blocks(0).expect("faults");
        assert_eq!((nodes[0], nodes.contains(&pair.to)), (pair.from, false), "{name}");
        for hop in nodes.windows(2) {
            assert!(faults.mesh().distance(hop[0], hop[1]) == 1 && faults.is_member(hop[1]), "{name}: {nodes:?}");
        }
        if flaw == Flaw::Livelock {
            assert!(nodes.len() > first + 2 && nodes.last() == nodes.get(first), "{nodes:?} from {first}");
        }
        assert!(
            Refutation::from_search(&search)
                .describe_flaw(experiment.network, &search.witness(flaw).expect("a flaw"))
                .contains(match flaw {
                    Flaw::Livelock => "then repeatedly",
                    _ => "is lost, at ",
                })
        );
    }
}

#[test]
fn rejects_unsupported_experiments() {
    for (text, key, said) in [
        ("net=cube:4&faults=nodes:0.1&vary=p:0.1,0.2", "vary", "do not vary p"),
        ("net=cube:11", "net", "2048 nodes"),
        ("net=tree:16", "switch", "accepted: worms"),
        ("net=cube:4&switch=pairs", "switch", "accepted: worms"),
        ("net=cube:4&route=backtracking", "route", "cannot be examined"),
        ("net=cube:4&route=global", "route", "cannot be examined"),
    ] {
        let problem = RefuteSearch::new(&experiment(text), RefuteQuery::USUAL).expect_err(text);
        assert_eq!(problem.key, key, "{text}: {}", problem.reason);
        assert!(problem.reason.contains(said), "{text}: {}", problem.reason);
    }
    for question in [RefuteQuery { faults: 65, ..RefuteQuery::USUAL }, RefuteQuery { sets: 0, ..RefuteQuery::USUAL }] {
        assert!(RefuteSearch::new(&experiment("net=cube:4"), question).is_err());
    }
}

/// In circuit switching, routing uses information on all faults. Cut-off pairs are counted by the
/// criterion (Chiu, Chalasani & Raghavendra, section IV). Without faults the dependencies are those
/// of one-flit worms.
#[test]
fn circuit_losses_agree_with_criteria() {
    for id in ["e-cube", "up", "dp", "restricted-up", "minimal", "up-dp-mix"] {
        let (n, algorithm) = (4, routing::find(id).expect("built in"));
        let (cube, circuits) = (cube(n), algorithm.circuits().expect("of circuits"));
        let whole = Mesh::from_cube(n).expect("a cube");
        let (graph, arrivals) = circuit_dependencies(&BlockFaults::new(whole, &[], &[]), &circuits).expect("a cube");
        let local = algorithm.local().expect("of messages");
        let other = hypercube_dependencies(cube, &mut FaultSet(0), local).expect("a small cube");
        let wanted = |graph: &DependencyGraph| {
            (0..graph.channels()).map(|channel| graph.successors(ChannelId(channel))).collect::<Vec<_>>()
        };
        assert_eq!(wanted(&graph), wanted(&other), "{id}");
        assert_eq!((arrivals.pairs, arrivals.lost), (16 * 15, 0), "{id}");
        // Without detours no pair is reported.
        assert_eq!((arrivals.detour, arrivals.detoured), (0, None), "{id}");
        for seed in 0..60u64 {
            let (mut draw, text) = (Key::from_seed(1830 + seed).generator(), format!("net=cube:{n}&switch=circuit"));
            let (nodes, _) = sample_raw_faults(whole, seed as u32 % 5, &mut draw);
            let faults = BlockFaults::new(whole, &nodes, &[]);
            if faults.members().count() + nodes.len() < 16 {
                continue;
            }
            let (_, arrivals) = circuit_dependencies(&faults, &circuits).expect("a cube");
            let mut set = FaultSet(nodes.iter().fold(0, |set, node| set | 1 << node.0));
            let counts = cut_off(cube, &mut set, &algorithm).expect("a criterion").counts();
            assert_eq!((arrivals.pairs, arrivals.lost), (counts.live, counts.cut_off), "{text} {id} {nodes:?}");
        }
    }
}

/// Theorem 1: UP and DP never deadlock. Section III: their mixture and unrestricted routing do.
#[test]
fn circuits_that_can_deadlock_are_shown_to() {
    for (routing, deadlocks) in [("up", false), ("restricted-up", false), ("up-dp-mix", true), ("minimal", true)] {
        let witness = deadlock(&format!("net=cube:3&switch=circuit&route={routing}"), 1);
        assert_eq!(witness.is_some(), deadlocks, "{routing}");
        let Some(witness) = witness else { continue };
        let seen = witness.shown.verdict().and_then(DeadlockVerdict::observed).expect(routing);
        assert!(seen.messages.len() > 1, "{routing}");
        let text = Experiment { view: Experiment::default().view, ..seen.experiment.clone() }.to_string();
        assert_eq!(measure(&text)[0].status, Status::Deadlocked, "{text}");
    }
    let rules = "routing my-any on cube always take wrong";
    let own = Experiment::with_rules("net=cube:3&switch=circuit", rules).expect("rules");
    let mut search = RefuteSearch::new(&own, RefuteQuery { faults: 1, ..RefuteQuery::USUAL }).expect("a search");
    run(&mut search);
    let report = Refutation::from_search(&search);
    assert!(report.verdict().starts_with("deadlocks: "), "{}", report.verdict());
    // With information on all faults, the first faulty node cuts off no other pair under
    // unrestricted routing; e-cube loses the pairs whose path crosses the node.
    let cut = |routing: &str| {
        let search = searched(&format!("net=cube:3&switch=circuit&route={routing}"), 1);
        search.witness(Flaw::Lost).map(|witness| witness.affected_pairs)
    };
    assert_eq!(cut("minimal"), None);
    assert_eq!(cut("e-cube"), transit_under_ecube(cube(3), NodeId(0)));
    // The first node, in order, that cuts off a pair under UP.
    let affected = |node| transit_under_up(cube(3), NodeId(node)).filter(|&pairs| pairs > 0);
    assert_eq!(cut("up"), (0..8).find_map(affected));
}
