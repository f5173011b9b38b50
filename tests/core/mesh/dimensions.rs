//! Tests of meshes of more than two dimensions (Boppana & Chalasani, section VI).

use std::collections::BTreeSet;

use faultlab::fault::BlockFaults;
use faultlab::fault::block::{InvalidBlocks, PlaneFamily, faulty_blocks};
use faultlab::random::{Generator, below};
use faultlab::routing::{self, WormPosition, WormStatus};
use faultlab::theory::MeshDependencies;
use faultlab::topology::{Link, Mesh, NodeId};

use super::{faults, generator, mesh, random_faults};

/// Theorem 1, Lemma 5 and Fig. 17: f-cube4, and Linder-Harden with four more classes, deliver every
/// message, over minimal paths if nothing is faulty. Their dependencies are acyclic for any faults
/// that keep the routing planes connected. Item "boppana-dimensions": "Four classes suffice in any
/// number of dimensions."
#[test]
fn f_cube4_and_lh4_deliver_in_higher_dimensions() {
    let sizes: [&[u16]; 6] = [&[3, 3, 3], &[4, 3, 5], &[4, 4, 4], &[2, 2, 2, 2, 2], &[3, 2, 3, 3], &[3, 3, 3, 3]];
    for id in ["f-cube4", "lh4"] {
        let routing = routing::find(id).unwrap().worm.clone().unwrap();
        let mut proved = 0;
        for number in 0..60 {
            let mesh = Mesh::from_radices(sizes[number as usize % sizes.len()]).unwrap();
            let faults = random_faults(mesh, 1 + number as u32 % 5, &mut generator(7000 + number));
            if !routing.is_proved(&faults) {
                continue;
            }
            proved += 1;
            let all = MeshDependencies::build(&faults, &*routing).unwrap();
            let arrivals = all.arrivals();
            assert_eq!((arrivals.lost, arrivals.livelocked), (0, 0), "{id} {mesh} {number}: {:?}", arrivals.example());
            assert!(all.graph().acyclic_order().is_ok(), "{id} {mesh} {number}");
            if faults.is_none() {
                assert_eq!(arrivals.detour, 0);
            }
        }
        assert!(proved > 25, "{proved}");
    }
}

/// Lemmas 3 and 4: under block faults, a message without a live minimal hop has one dimension to
/// go. The paper prints "if and only if", but a message with one dimension to go is affected only
/// if a fault is in its way.
#[test]
fn affected_messages_have_one_dimension_to_go() {
    let sizes: [&[u16]; 5] = [&[6, 7], &[4, 4, 4], &[3, 5, 4], &[3, 3, 3, 3], &[2, 3, 2, 3, 2]];
    let mut affected = 0;
    for number in 0..100 {
        let mesh = Mesh::from_radices(sizes[number as usize % sizes.len()]).unwrap();
        let faults = random_faults(mesh, 6, &mut generator(7100 + number));
        for here in faults.members() {
            for to in faults.members().filter(|&to| to != here) {
                let rest = mesh.minimal_ports(here, to);
                if rest & faults.open_ports(here) == 0 {
                    let dimensions = (0..mesh.dimensions()).filter(|dim| rest >> (2 * dim) & 3 != 0).count();
                    assert_eq!(dimensions, 1, "{mesh} {number}");
                    affected += 1;
                }
            }
        }
    }
    assert!(affected > 1_000, "{affected}");
}

/// Observation 1: the faults of a valid block fault are rectangles in every plane. So closure,
/// which only completes rectangles, adds nothing. In two dimensions closed faults are valid unless
/// a plane is cut. In three dimensions they may be invalid, such as two nodes that touch at a
/// corner, although every plane has rectangles only.
#[test]
fn valid_block_faults_are_rectangles_in_every_plane() {
    let sizes: [&[u16]; 4] = [&[7, 7], &[5, 4, 5], &[3, 4, 3, 3], &[9, 4]];
    let (mut valid, mut closed_only) = ([0; 4], [0; 4]);
    for number in 0..400 {
        let which = number as usize % sizes.len();
        let (mesh, generator) = (Mesh::from_radices(sizes[which]).unwrap(), &mut generator(7200 + number));
        let (nodes, links) = raw_faults(mesh, 1 + number as u32 % 4, generator);
        let given = faulty_blocks(mesh, &nodes, &links);
        let faults = BlockFaults::new(mesh, &nodes, &links);
        if given.is_ok() {
            valid[which] += 1;
            assert!(faults.rounds().is_empty(), "{mesh} {number}");
        }
        assert_rectangles(&faults);
        // After closure: the remaining faulty nodes, and the faulty links between live nodes.
        let nodes: Vec<_> = mesh.iter_nodes().filter(|&node| faults.is_faulty(node)).collect();
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

/// Samples up to `most` boxes with sides of up to 2 nodes, or links, at any position.
fn raw_faults(mesh: Mesh, most: u32, generator: &mut Generator) -> (Vec<NodeId>, Vec<Link>) {
    let all: Vec<Link> = mesh.iter_links().collect();
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
        nodes.extend(mesh.iter_nodes().filter(inside));
    }
    (nodes, links)
}

/// Asserts that in every plane the connected faulty nodes fill their bounding rectangles.
fn assert_rectangles(faults: &BlockFaults) {
    let mesh = faults.mesh();
    for plane in PlaneFamily::all(mesh) {
        let elsewhere = |node: NodeId| mesh.with_coordinate(mesh.with_coordinate(node, plane.row, 0), plane.column, 0);
        for base in mesh.iter_nodes().filter(|&node| elsewhere(node) == node) {
            let mut rest: BTreeSet<_> = mesh
                .iter_nodes()
                .filter(|&node| elsewhere(node) == base && faults.is_faulty(node))
                .map(|node| plane.position(mesh, node))
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

/// Routing along rings of planes supports meshes of up to five dimensions, but not hypercubes with
/// more.
#[test]
fn five_dimensions_are_routed_and_more_are_not() {
    let (five, cube) = (Mesh::from_radices(&[2, 3, 2, 2, 2]).expect("a mesh"), Mesh::from_cube(6).expect("a cube"));
    for id in ["lh", "lh4", "dr-static", "dr-dynamic"] {
        let routing = routing::find(id).expect(id).worm.clone().expect("of worms");
        assert_eq!(routing.check_network(five), Ok(()), "{id}");
        assert!(routing.check_network(cube).is_err(), "{id}");
    }
}

/// On a line of nodes no detour exists. Without faults planar-adaptive messages go straight; with
/// faults f-cube4 delivers within each connected part, as proved.
#[test]
fn one_dimensional_meshes_are_routed() {
    let line = Mesh::from_radices(&[9]).unwrap();
    let none = BlockFaults::new(line, &[], &[]);
    for id in ["planar-adaptive", "f-cube4", "e-cube", "lh", "dr-static"] {
        let routing = routing::find(id).unwrap().worm.clone().unwrap();
        let all = MeshDependencies::build(&none, &*routing).unwrap();
        let arrivals = all.arrivals();
        assert_eq!((arrivals.pairs, arrivals.lost, arrivals.livelocked), (72, 0, 0), "{id}");
        assert_eq!((arrivals.longest, arrivals.detour, arrivals.detoured), (8, 0, None), "{id}");
        assert!(all.graph().acyclic_order().is_ok(), "{id}");
        assert!(routing.is_proved(&none), "{id}");
    }
    let broken = BlockFaults::new(line, &[NodeId(3)], &[]);
    let routing = routing::find("f-cube4").unwrap().worm.clone().unwrap();
    assert!(routing.is_proved(&broken));
    let arrivals = MeshDependencies::build(&broken, &*routing).unwrap().arrivals();
    assert_eq!((arrivals.pairs, arrivals.lost, arrivals.livelocked), (20, 0, 0));
}

/// Chien & Kim's routing is proved if no region touches the border. A message along the first
/// dimension of its plane takes class 2. Along the second, it takes class 0 while it ascends in the
/// first and class 1 while it descends. Headers record detours caused by faults.
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
            let header = routing.initial_header(&faults, here, to, 0);
            let choices = routing.choices(&faults, &WormPosition { here, to, input_port: None, header });
            for choice in choices.iter() {
                let kind = choice.header.message_type;
                let class = if choice.port.dim() == kind.dim() { 2 } else { u8::from(!kind.port().grows()) };
                assert_eq!(choice.class, class, "{here} to {to}");
                assert_eq!(choice.header.status == WormStatus::Misrouted, choice.rule.is_detour(), "{here} to {to}");
                misrouted += u32::from(choice.rule.is_detour());
            }
        }
    }
    assert!(misrouted > 100, "{misrouted}");
    // A whole border row is a region that touches the border, although it deactivates no live node.
    let row: Vec<_> = (0..7).map(|column| node(0, column)).collect();
    let faults = BlockFaults::new(mesh, &row, &[]);
    assert_eq!((faults.deactivated_count(), routing.is_proved(&faults)), (0, false));
    // Ascending in dimension 0 is East.
    let none = BlockFaults::new(mesh, &[], &[]);
    let class = |to: NodeId| {
        let header = routing.initial_header(&none, node(3, 3), to, 0);
        let choices = routing.choices(&none, &WormPosition { here: node(3, 3), to, input_port: None, header });
        let across = choices.iter().find(|choice| choice.port.dim() == 1).expect("a choice across");
        across.class
    };
    assert_eq!((class(node(5, 5)), class(node(1, 5)), class(node(5, 1)), class(node(1, 1))), (0, 0, 1, 1));
}

/// A region of faulty links is described by its first and last link, or by its only link.
#[test]
fn link_regions_are_described_by_their_ends() {
    let mesh = mesh(6, 6);
    let description = |links: &str| {
        let faults = faults(mesh, links);
        faults.regions().iter().map(|region| routing::wording::region(mesh, region)).collect::<Vec<_>>()
    };
    assert_eq!(description("3.4-4.4"), ["the faulty link (3,4)–(4,4)"]);
    assert_eq!(description("3.3-4.3,3.4-4.4"), ["the faulty links (3,3)–(4,3) to (3,4)–(4,4)"]);
    assert_eq!(description("2.2"), ["the fault at (2,2)"]);
}

/// Without faults no pair makes a detour. A large mesh is processed in parts, which share one
/// dependency graph and sum their counts.
#[test]
fn parallel_parts_sum_to_the_whole_mesh() {
    let mesh = mesh(24, 24);
    let none = BlockFaults::new(mesh, &[], &[]);
    let ecube = routing::find("e-cube").unwrap().worm.clone().unwrap();
    let all = MeshDependencies::build(&none, &*ecube).unwrap();
    let arrivals = all.arrivals();
    assert_eq!((arrivals.pairs, arrivals.lost, arrivals.livelocked), (576 * 575, 0, 0));
    assert_eq!((arrivals.longest, arrivals.detour, arrivals.detoured), (46, 0, None));
    // Straight hops in each direction of each row and column. Turns from each row channel into both
    // directions of a column; in the first and last row, into one.
    let straight = 4 * 24 * 22;
    let turns = 2 * 23 * (24 * 2 - 2);
    assert_eq!(all.graph().dependencies(), straight + turns);
    // Messages along row 23 are lost at a fault in it. The last destinations are in the second
    // part.
    let broken = BlockFaults::new(mesh, &[NodeId(23 * 24 + 12)], &[]);
    let arrivals = MeshDependencies::build(&broken, &*ecube).unwrap().arrivals();
    // Lost pairs: from sources left of the fault to all columns from its own on, except the fault
    // itself; and likewise from the right.
    let lost = 12 * (12 * 24 - 1) + 11 * (13 * 24 - 1);
    assert_eq!((arrivals.pairs, arrivals.lost), (575 * 574, lost));
    // The longest detour has a hop aside and a hop back. The reported pair is the first of all
    // parts with such a detour.
    let adaptive = routing::find("f-cube4").unwrap().worm.clone().unwrap();
    let broken = BlockFaults::new(mesh, &[NodeId(12 * 24 + 12)], &[]);
    let arrivals = MeshDependencies::build(&broken, &*adaptive).unwrap().arrivals();
    assert_eq!((arrivals.pairs, arrivals.lost, arrivals.livelocked), (575 * 574, 0, 0));
    let detoured = arrivals.detoured.expect("a detour");
    assert!(arrivals.detour > 0 && detoured.to.0 < 512, "{detoured:?}");
}
