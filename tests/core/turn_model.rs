//! Tests of west-first, north-last and odd-even against the rules of their papers, by turns and by
//! paths.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeSet;

use faultlab::experiment::worm;
use faultlab::fault::BlockFaults;
use faultlab::random::{Generator, Key, below};
use faultlab::routing::{ALGORITHMS, Unsupported, VcRequests, WormPosition, WormRouting};
use faultlab::theory::MeshDependencies;
use faultlab::topology::{Mesh, NodeId, Port};

use crate::common::measure;

const ALL: [&str; 3] = ["west-first", "north-last", "odd-even"];

/// Turn: the node's column, the port of the hop into the node, and that of the hop out of it.
type Turn = (u16, Port, Port);

fn worm(id: &str) -> &'static dyn WormRouting {
    let algorithm = ALGORITHMS.iter().find(|algorithm| algorithm.id == id).expect("an algorithm");
    algorithm.worm.as_deref().expect("of worms")
}

fn intact(rows: u16, columns: u16) -> BlockFaults {
    BlockFaults::new(Mesh::new(rows, columns).expect("a mesh"), &[], &[])
}

/// Returns every path that the algorithm permits from `from` to `to`, as nodes.
fn paths(routing: &dyn WormRouting, faults: &BlockFaults, from: NodeId, to: NodeId) -> BTreeSet<Vec<NodeId>> {
    let mut found = BTreeSet::new();
    let mut open = vec![(vec![from], None, routing.initial_header(faults, from, to, 0))];
    while let Some((path, came, header)) = open.pop() {
        let here = path[path.len() - 1];
        if here == to {
            found.insert(path);
            continue;
        }
        let choices = routing.choices(faults, &WormPosition { here, to, input_port: came, header });
        assert!(!choices.is_empty(), "lost at {here} to {to}");
        for choice in choices.iter() {
            let next = faults.mesh().neighbor(here, choice.port).expect("a link");
            let path = [path.as_slice(), &[next]].concat();
            open.push((path, Some(choice.port), choice.header));
        }
    }
    found
}

/// Returns all shortest paths whose turns are all allowed. Shares no code with the library's
/// routing.
fn by_turns(mesh: Mesh, from: NodeId, to: NodeId, allowed: &dyn Fn(Turn) -> bool) -> BTreeSet<Vec<NodeId>> {
    let place = |node: NodeId| [mesh.coordinate(node, 0), mesh.coordinate(node, 1)];
    let mut found = BTreeSet::new();
    let mut open = vec![(vec![from], None)];
    while let Some((path, came)) = open.pop() {
        let here = path[path.len() - 1];
        let ([column, row], [to_column, to_row]) = (place(here), place(to));
        if here == to {
            found.insert(path);
            continue;
        }
        let ways = [
            (Port::WEST, to_column < column),
            (Port::EAST, to_column > column),
            (Port::NORTH, to_row < row),
            (Port::SOUTH, to_row > row),
        ];
        for (port, _) in ways.into_iter().filter(|&(_, closer)| closer) {
            if came.is_none_or(|came| came == port || allowed((column, came, port))) {
                let next = mesh.neighbor(here, port).expect("a link");
                open.push(([path.as_slice(), &[next]].concat(), Some(port)));
            }
        }
    }
    found
}

/// Returns whether the paper permits the turn.
fn permits(id: &str, (column, from, to): Turn) -> bool {
    let vertical = |port| [Port::NORTH, Port::SOUTH].contains(&port);
    match id {
        // Glass & Ni: no turn to the West.
        "west-first" => to != Port::WEST,
        // Glass & Ni: no turn out of North.
        "north-last" => from != Port::NORTH,
        // Chiu, rules 1 and 2: EN and ES not in even columns, NW and SW not in odd ones.
        _ => {
            let from_east = from == Port::EAST && vertical(to) && column % 2 == 0;
            let to_west = vertical(from) && to == Port::WEST && column % 2 == 1;
            !from_east && !to_west
        }
    }
}

fn pairs(mesh: Mesh) -> impl Iterator<Item = (NodeId, NodeId)> {
    mesh.iter_nodes().flat_map(move |from| mesh.iter_nodes().map(move |to| (from, to))).filter(|(from, to)| from != to)
}

fn turns(mesh: Mesh, path: &[NodeId]) -> Vec<Turn> {
    let port =
        |pair: &[NodeId]| mesh.ports().find(|&port| mesh.neighbor(pair[0], port) == Some(pair[1])).expect("neighbours");
    let ports: Vec<_> = path.windows(2).map(port).collect();
    let at = |(number, pair): (usize, &[Port])| (mesh.coordinate(path[number + 1], 0), pair[0], pair[1]);
    ports.windows(2).enumerate().map(at).filter(|(_, from, to)| from != to).collect()
}

/// The turns made on any path are exactly those that the paper permits.
#[test]
fn turns_match_the_papers() {
    let faults = intact(6, 6);
    let mesh = faults.mesh();
    for id in ALL {
        let mut made = BTreeSet::new();
        for (from, to) in pairs(mesh) {
            made.extend(paths(worm(id), &faults, from, to).iter().flat_map(|path| turns(mesh, path)));
        }
        let ports = [Port::WEST, Port::EAST, Port::NORTH, Port::SOUTH];
        let all = (0..6).flat_map(|column| ports.map(|from| ports.map(|to| (column, from, to)))).flatten();
        let wanted: BTreeSet<Turn> = all
            .filter(|&(column, from, to)| {
                let fits = |port| !(column == 0 && port == Port::WEST || column == 5 && port == Port::EAST);
                let comes = !(column == 0 && from == Port::EAST || column == 5 && from == Port::WEST);
                from.dim() != to.dim() && fits(to) && comes && permits(id, (column, from, to))
            })
            .collect();
        assert_eq!(made, wanted, "{id}");
    }
}

/// Every permitted path is minimal and arrives. West-first and north-last permit all minimal paths
/// or one, by the papers' formula; odd-even permits those that its turns leave.
#[test]
fn paths_are_minimal_and_as_many_as_the_papers_say() {
    let faults = intact(5, 6);
    let mesh = faults.mesh();
    let factorial = |n: u16| (1..=u64::from(n)).product::<u64>();
    for id in ALL {
        for (from, to) in pairs(mesh) {
            let found = paths(worm(id), &faults, from, to);
            assert!(found.iter().all(|path| path.len() as u32 == mesh.distance(from, to) + 1), "{id} {from} {to}");
            assert_eq!(found, by_turns(mesh, from, to, &|turn| permits(id, turn)), "{id} {from} {to}");
            let offset = |dim| i32::from(mesh.coordinate(to, dim)) - i32::from(mesh.coordinate(from, dim));
            let (dx, dy) = (offset(0).unsigned_abs() as u16, offset(1).unsigned_abs() as u16);
            let free = match id {
                "west-first" => offset(0) >= 0,
                "north-last" => offset(1) >= 0,
                _ => continue,
            };
            let all = factorial(dx + dy) / (factorial(dx) * factorial(dy));
            assert_eq!(found.len() as u64, if free { all } else { 1 }, "{id} {from} {to}");
        }
    }
}

/// Samples some faulty nodes and links, extended to blocks.
fn random(mesh: Mesh, generator: &mut Generator) -> BlockFaults {
    let nodes: Vec<_> = (0..below(generator, 4)).map(|_| NodeId(u64::from(below(generator, mesh.nodes())))).collect();
    let all: Vec<_> = mesh.iter_links().collect();
    let links: Vec<_> = (0..below(generator, 3)).map(|_| all[below(generator, all.len() as u32) as usize]).collect();
    BlockFaults::new(mesh, &nodes, &links)
}

/// On every mesh and with any faults the dependencies are acyclic; without faults every message
/// arrives.
#[test]
fn dependencies_are_acyclic() {
    let mut generator = Key::from_seed(2000).generator();
    for (rows, columns) in (2..=6).flat_map(|rows| (2..=6).map(move |columns| (rows, columns))) {
        for id in ALL {
            let built = MeshDependencies::build(&intact(rows, columns), worm(id)).expect("a small mesh").arrivals();
            assert_eq!((built.lost, built.livelocked), (0, 0), "{id} {rows}x{columns}");
        }
        for _ in 0..8 {
            let faults = random(Mesh::new(rows, columns).expect("a mesh"), &mut generator);
            for id in ALL {
                let built = MeshDependencies::build(&faults, worm(id)).expect("a small mesh");
                assert!(built.graph().acyclic_order().is_ok(), "{id} {rows}x{columns}");
                assert_eq!(built.arrivals().livelocked, 0, "{id} {rows}x{columns}");
            }
        }
    }
}

/// Control: if all turns are allowed, the test finds cycles.
#[test]
fn unrestricted_turns_are_cyclic() {
    struct AnyMinimal;
    impl WormRouting for AnyMinimal {
        fn vc_classes(&self, _: Mesh) -> u8 {
            1
        }
        fn check_network(&self, _: Mesh) -> Result<(), Unsupported> {
            Ok(())
        }
        fn initial_header(
            &self,
            faults: &BlockFaults,
            from: NodeId,
            to: NodeId,
            number: u32,
        ) -> faultlab::routing::WormHeader {
            worm("west-first").initial_header(faults, from, to, number)
        }
        fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
            static RULE: faultlab::routing::Rule = faultlab::routing::Rule::worm("any", |_| "".into());
            for port in faultlab::topology::iter_ports(faults.mesh().minimal_ports(at.here, at.to)) {
                choices.add(faultlab::routing::VcRequest { port, class: 0, header: at.header, rule: &RULE });
            }
        }
        fn is_proved(&self, _: &BlockFaults) -> bool {
            false
        }
    }
    assert!(MeshDependencies::build(&intact(3, 3), &AnyMinimal).expect("small").graph().acyclic_order().is_err());
}

/// Throughput reported by Glass & Ni (ISCA 1992, simulations of a 16 x 16 mesh) and Chiu (2000,
/// section 5). Under uniform traffic dimension-order routing has the highest throughput, because
/// adaptive messages load the middle most. Under matrix transpose, which sends all traffic of a row
/// into one column, west-first and odd-even have a higher one. The intervals are disjoint.
#[test]
fn throughput_order_matches_the_literature() {
    let carried = |traffic: &str| {
        let text = format!(
            "net=mesh:16x16&switch=wormhole&faults=none&route=e-cube,west-first,odd-even&vc=1&load=0.6&traffic={traffic}&within=0.03&trials=60000"
        );
        let points = measure(&text);
        let metric = worm::KIND.metric("utilization").expect("a metric");
        points.iter().map(|point| point.estimate(metric).expect("a share")).collect::<Vec<_>>()
    };
    let [ecube, west_first, odd_even] = carried("uniform")[..] else { unreachable!("three routings") };
    assert!(ecube.low > west_first.high && west_first.low > odd_even.high, "{ecube:?} {west_first:?} {odd_even:?}");
    let [ecube, west_first, odd_even] = carried("transpose")[..] else { unreachable!("three routings") };
    assert!(ecube.high < odd_even.low && odd_even.high < west_first.low, "{ecube:?} {west_first:?} {odd_even:?}");
}
