//! Meshes of more than two dimensions (Boppana & Chalasani section VI).

use std::collections::BTreeSet;

use faultlab::fault::BlockFaults;
use faultlab::fault::block::{InvalidBlocks, Plane, faulty_blocks};
use faultlab::random::{Generator, below};
use faultlab::routing::{self, WormAt, WormStatus};
use faultlab::theory::MeshDependencies;
use faultlab::topology::{Link, Mesh, NodeId};

use super::{faults, generator, mesh, random_faults};

/// Theorem 1, Lemma 5 and Fig. 17: f-cube4 and four classes added to Linder-Harden deliver every message, over minimal paths
/// where nothing is faulty, and their dependencies close no circle, on any faults that keep the planes of routing connected.
/// Item "boppana-dimensions": "Four classes suffice in any number of dimensions."
#[test]
fn proved_in_three_dimensions_and_four() {
    let sizes: [&[u16]; 6] = [&[3, 3, 3], &[4, 3, 5], &[4, 4, 4], &[2, 2, 2, 2, 2], &[3, 2, 3, 3], &[3, 3, 3, 3]];
    for id in ["f-cube4", "lh4"] {
        let routing = routing::find(id).unwrap().worm.clone().unwrap();
        let mut proved = 0;
        for number in 0..60 {
            let mesh = Mesh::of(sizes[number as usize % sizes.len()]).unwrap();
            let faults = random_faults(mesh, 1 + number as u32 % 5, &mut generator(7000 + number));
            if !routing.is_proved(&faults) {
                continue;
            }
            proved += 1;
            let all = MeshDependencies::build(&faults, &*routing).unwrap();
            let arrivals = all.arrivals();
            assert_eq!((arrivals.lost, arrivals.circling), (0, 0), "{id} {mesh} {number}: {:?}", arrivals.example());
            assert!(all.graph().acyclic_order().is_ok(), "{id} {mesh} {number}");
            if faults.is_none() {
                assert_eq!(arrivals.detour, 0);
            }
        }
        assert!(proved > 25, "{proved}");
    }
}

/// Lemmas 3 and 4: under block faults a message that has live minimal hops in no dimension has one dimension to go. (Printed as
/// "if and only if"; a message with one dimension to go is affected only if a fault is in its way.)
#[test]
fn affected_messages_have_one_dimension_to_go() {
    let sizes: [&[u16]; 5] = [&[6, 7], &[4, 4, 4], &[3, 5, 4], &[3, 3, 3, 3], &[2, 3, 2, 3, 2]];
    let mut affected = 0;
    for number in 0..100 {
        let mesh = Mesh::of(sizes[number as usize % sizes.len()]).unwrap();
        let faults = random_faults(mesh, 6, &mut generator(7100 + number));
        for here in faults.members() {
            for to in faults.members().filter(|&to| to != here) {
                let rest = mesh.minimal_ports(here, to);
                if rest & faults.open(here) == 0 {
                    let dimensions = (0..mesh.dimensions()).filter(|dim| rest >> (2 * dim) & 3 != 0).count();
                    assert_eq!(dimensions, 1, "{mesh} {number}");
                    affected += 1;
                }
            }
        }
    }
    assert!(affected > 1_000, "{affected}");
}

/// Observation 1: in every plane the faults of a valid block fault are rectangles. So closure, which only fills rectangles up,
/// adds nothing; and what it leaves in two dimensions is valid as long as no plane is cut. In three dimensions it may leave
/// faults that are no valid block fault, such as two nodes that touch at a corner, and every plane of rectangles still.
#[test]
fn valid_block_faults_are_rectangles_in_every_plane() {
    let sizes: [&[u16]; 4] = [&[7, 7], &[5, 4, 5], &[3, 4, 3, 3], &[9, 4]];
    let (mut valid, mut closed_only) = ([0; 4], [0; 4]);
    for number in 0..400 {
        let which = number as usize % sizes.len();
        let (mesh, generator) = (Mesh::of(sizes[which]).unwrap(), &mut generator(7200 + number));
        let (nodes, links) = raw_faults(mesh, 1 + number as u32 % 4, generator);
        let given = faulty_blocks(mesh, &nodes, &links);
        let faults = BlockFaults::new(mesh, &nodes, &links);
        if given.is_ok() {
            valid[which] += 1;
            assert!(faults.rounds().is_empty(), "{mesh} {number}");
        }
        assert_rectangles(&faults);
        // After closure: the nodes that it leaves, and the links between live ones.
        let nodes: Vec<_> = mesh.all().filter(|&node| faults.is_faulty(node)).collect();
        let links: Vec<_> = faults.regions().iter().flat_map(|region| region.links.clone()).collect();
        let after = faulty_blocks(mesh, &nodes, &links);
        match after {
            Ok(_) | Err(InvalidBlocks::Plane(_)) => {}
            Err(_) => {
                assert!(mesh.dimensions() > 2, "{mesh} {number}: {after:?}");
                closed_only[which] += 1;
            }
        }
    }
    assert!(valid.iter().all(|&count| count > 10), "{valid:?}");
    assert!(closed_only[1] > 0 && closed_only[2] > 0, "{closed_only:?}");
}

/// Up to `most` boxes of up to 2 nodes a side, or links, anywhere.
fn raw_faults(mesh: Mesh, most: u32, generator: &mut Generator) -> (Vec<NodeId>, Vec<Link>) {
    let all: Vec<Link> = mesh.all_links().collect();
    let (mut nodes, mut links) = (Vec::new(), Vec::new());
    for _ in 0..=below(generator, most) {
        if below(generator, 3) == 0 {
            links.push(all[below(generator, all.len() as u32) as usize]);
            continue;
        }
        let base = NodeId(u64::from(below(generator, mesh.nodes())));
        let sides: Vec<_> = (0..mesh.dimensions()).map(|_| 1 + below(generator, 5) as u16 / 4).collect();
        let inside = |node: &NodeId| {
            (0..mesh.dimensions()).all(|dim| {
                let (low, at) = (mesh.coordinate(base, dim), mesh.coordinate(*node, dim));
                low <= at && at < low + sides[usize::from(dim)]
            })
        };
        nodes.extend(mesh.all().filter(inside));
    }
    (nodes, links)
}

/// In every plane, the faulty nodes that are connected in it fill the rectangle around them.
fn assert_rectangles(faults: &BlockFaults) {
    let mesh = faults.mesh();
    for plane in Plane::all(mesh) {
        let elsewhere = |node: NodeId| mesh.moved(mesh.moved(node, plane.row, 0), plane.column, 0);
        for base in mesh.all().filter(|&node| elsewhere(node) == node) {
            let mut rest: BTreeSet<_> = mesh
                .all()
                .filter(|&node| elsewhere(node) == base && faults.is_faulty(node))
                .map(|node| plane.place(mesh, node))
                .collect();
            while let Some(first) = rest.pop_first() {
                let (mut block, mut open) = (vec![first], vec![first]);
                while let Some((row, column)) = open.pop() {
                    for next in [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)] {
                        if rest.remove(&next) {
                            block.push(next);
                            open.push(next);
                        }
                    }
                }
                let sides = |at: fn(&(i32, i32)) -> i32| {
                    block.iter().map(at).max().unwrap_or(0) - block.iter().map(at).min().unwrap_or(0) + 1
                };
                assert_eq!(sides(|place| place.0) * sides(|place| place.1), block.len() as i32, "{mesh} {plane:?}");
            }
        }
    }
}

/// Routing along rings of planes is for meshes of up to five dimensions, whose classes are counted; hypercubes have more.
#[test]
fn five_dimensions_are_routed_and_more_are_not() {
    let (five, cube) = (Mesh::of(&[2, 3, 2, 2, 2]).expect("a mesh"), Mesh::of_cube(6).expect("a cube"));
    for id in ["lh", "lh4", "dr-static", "dr-dynamic"] {
        let routing = routing::find(id).expect(id).worm.clone().expect("of worms");
        assert_eq!(routing.check_network(five), Ok(()), "{id}");
        assert!(routing.check_network(cube).is_err(), "{id}");
    }
}

/// On a line of nodes there is nothing to go around: without faults planar-adaptive messages go straight there; among faults f-cube4 sends within
/// what is left together, as is proved of it.
#[test]
fn a_line_of_nodes_is_gone_along() {
    let line = Mesh::of(&[9]).unwrap();
    let none = BlockFaults::new(line, &[], &[]);
    for id in ["planar-adaptive", "f-cube4", "e-cube", "lh", "dr-static"] {
        let routing = routing::find(id).unwrap().worm.clone().unwrap();
        let all = MeshDependencies::build(&none, &*routing).unwrap();
        let arrivals = all.arrivals();
        assert_eq!((arrivals.pairs, arrivals.lost, arrivals.circling), (72, 0, 0), "{id}");
        assert_eq!((arrivals.longest, arrivals.detour, arrivals.detoured), (8, 0, None), "{id}");
        assert!(all.graph().acyclic_order().is_ok(), "{id}");
        assert!(routing.is_proved(&none), "{id}");
    }
    let broken = BlockFaults::new(line, &[NodeId(3)], &[]);
    let routing = routing::find("f-cube4").unwrap().worm.clone().unwrap();
    assert!(routing.is_proved(&broken));
    let arrivals = MeshDependencies::build(&broken, &*routing).unwrap().arrivals();
    assert_eq!((arrivals.pairs, arrivals.lost, arrivals.circling), (20, 0, 0));
}

/// Chien & Kim's routing is proved where no region touches the border; a message along the first dimension of its plane takes class 2, along the
/// second one class 0 on its way up in the first and class 1 on its way down; where a fault is the reason, its header says so.
#[test]
fn planar_adaptive_messages_keep_their_classes() {
    let (mesh, routing) = (mesh(7, 7), routing::find("planar-adaptive").unwrap().worm.clone().unwrap());
    let node = |row: u16, column: u16| NodeId(u64::from(row * 7 + column));
    let mut misrouted = 0;
    for (row, column) in (0..7).flat_map(|row| (0..7).map(move |column| (row, column))) {
        let faults = BlockFaults::new(mesh, &[node(row, column)], &[]);
        let inside = (1..6).contains(&row) && (1..6).contains(&column);
        assert_eq!(routing.is_proved(&faults), inside, "{row} {column}");
        for (here, to) in faults.members().flat_map(|here| faults.members().map(move |to| (here, to))) {
            if here == to {
                continue;
            }
            let header = routing.start(&faults, here, to, 0);
            let choices = routing.choices(&faults, &WormAt { here, to, came: None, header });
            for choice in choices.iter() {
                let kind = choice.header.kind;
                let class = if choice.port.dim() == kind.dim() { 2 } else { u8::from(!kind.port().grows()) };
                assert_eq!(choice.class, class, "{here} to {to}");
                assert_eq!(choice.header.status == WormStatus::Misrouted, choice.rule.is_detour(), "{here} to {to}");
                misrouted += u32::from(choice.rule.is_detour());
            }
        }
    }
    assert!(misrouted > 100, "{misrouted}");
    // A whole row of the border is a region that touches it, though no live node has to be given up for it.
    let row: Vec<_> = (0..7).map(|column| node(0, column)).collect();
    let faults = BlockFaults::new(mesh, &row, &[]);
    assert_eq!((faults.given_up(), routing.is_proved(&faults)), (0, false));
    // Up in dimension 0 is East.
    let none = BlockFaults::new(mesh, &[], &[]);
    let class = |to: NodeId| {
        let header = routing.start(&none, node(3, 3), to, 0);
        let choices = routing.choices(&none, &WormAt { here: node(3, 3), to, came: None, header });
        let across = choices.iter().find(|choice| choice.port.dim() == 1).expect("a choice across");
        across.class
    };
    assert_eq!((class(node(5, 5)), class(node(1, 5)), class(node(5, 1)), class(node(1, 1))), (0, 0, 1, 1));
}

/// A region of faulty links is told by its first and last one; of one link, by that.
#[test]
fn regions_of_links_are_told_by_their_links() {
    let mesh = mesh(6, 6);
    let told = |links: &str| {
        let faults = faults(mesh, links);
        faults.regions().iter().map(|region| routing::words::region(mesh, region)).collect::<Vec<_>>()
    };
    assert_eq!(told("3.4-4.4"), ["the faulty link (3,4)–(4,4)"]);
    assert_eq!(told("3.3-4.3,3.4-4.4"), ["the faulty links (3,3)–(4,3) to (3,4)–(4,4)"]);
    assert_eq!(told("2.2"), ["the fault at (2,2)"]);
}

/// Whoever has no detour to make has made none: no pair is told. On a mesh so large that it is looked at in parts, what waits for what is noted
/// once, and counted for all parts.
#[test]
fn large_meshes_are_the_sum_of_their_parts() {
    let mesh = mesh(24, 24);
    let none = BlockFaults::new(mesh, &[], &[]);
    let ecube = routing::find("e-cube").unwrap().worm.clone().unwrap();
    let all = MeshDependencies::build(&none, &*ecube).unwrap();
    let arrivals = all.arrivals();
    assert_eq!((arrivals.pairs, arrivals.lost, arrivals.circling), (576 * 575, 0, 0));
    assert_eq!((arrivals.longest, arrivals.detour, arrivals.detoured), (46, 0, None));
    // Straight on in each direction of each row and column; and from each channel of a row into both directions of a column, of the first and last
    // row into one.
    let straight = 4 * 24 * 22;
    let turns = 2 * 23 * (24 * 2 - 2);
    assert_eq!(all.graph().dependencies(), straight + turns);
    // A message along row 23 lost at a fault in it: the last destinations, in the second part.
    let broken = BlockFaults::new(mesh, &[NodeId(23 * 24 + 12)], &[]);
    let arrivals = MeshDependencies::build(&broken, &*ecube).unwrap().arrivals();
    // From the left of it in its row to all columns from its own on, but to itself; and from the right.
    let lost = 12 * (12 * 24 - 1) + 11 * (13 * 24 - 1);
    assert_eq!((arrivals.pairs, arrivals.lost), (575 * 574, lost));
    // One hop around the fault and back, and the first pair of all that can make two hops more: not one of a later part.
    let adaptive = routing::find("f-cube4").unwrap().worm.clone().unwrap();
    let broken = BlockFaults::new(mesh, &[NodeId(12 * 24 + 12)], &[]);
    let arrivals = MeshDependencies::build(&broken, &*adaptive).unwrap().arrivals();
    assert_eq!((arrivals.pairs, arrivals.lost, arrivals.circling), (575 * 574, 0, 0));
    let detoured = arrivals.detoured.expect("a detour");
    assert!(arrivals.detour > 0 && detoured.to.0 < 512, "{detoured:?}");
}
