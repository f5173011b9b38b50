//! Meshes of more than two dimensions (Boppana & Chalasani section VI).

use std::collections::BTreeSet;

use faultlab::fault::BlockFaults;
use faultlab::fault::block::{InvalidBlocks, Plane, faulty_blocks};
use faultlab::random::{Generator, below};
use faultlab::routing;
use faultlab::theory::MeshDependencies;
use faultlab::topology::{Link, Mesh, NodeId};

use super::{generator, random_faults};

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
        assert_eq!(routing.wants(five), None, "{id}");
        assert!(routing.wants(cube).is_some(), "{id}");
    }
}
