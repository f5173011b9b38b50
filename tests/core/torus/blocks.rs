//! Tests of closure, regions and rings that wrap around a torus.

use std::collections::BTreeSet;

use faultlab::fault::BlockFaults;
use faultlab::fault::block::{
    Orientation, PlaneFamily, Region, RegionId, RegionKind, positions, positions_from_messages, sample_isolated,
};
use faultlab::topology::{Link, Mesh, NodeId, Port};

use super::{faults, generator, sample_raw_faults, torus};

const SIZES: [&[u16]; 9] =
    [&[4, 4], &[6, 6], &[3, 7], &[5, 5], &[8, 3], &[2, 6], &[4, 4, 4], &[3, 5, 3], &[3, 3, 3, 3]];

fn random_faults(number: u64) -> BlockFaults {
    let mesh = torus(SIZES[number as usize % SIZES.len()]);
    let (nodes, links) = sample_raw_faults(mesh, 2 + (number % 5) as u32, &mut generator(number));
    BlockFaults::new(mesh, &nodes, &links)
}

fn ids(faults: &BlockFaults) -> impl Iterator<Item = (RegionId, &Region)> {
    faults.regions().iter().enumerate().map(|(number, region)| (RegionId::new(number).expect("few regions"), region))
}

/// Returns the two ends of a link in a fixed order.
fn ends(mesh: Mesh, node: NodeId, port: Port) -> Option<(NodeId, NodeId)> {
    mesh.neighbor(node, port).map(|other| (node.min(other), node.max(other)))
}

/// Returns the closure of a set by the rule of section II.C, node by node in arbitrary order.
fn closed(mesh: Mesh, nodes: &[NodeId], links: &[Link]) -> BTreeSet<NodeId> {
    let mut faulty: BTreeSet<_> = nodes.iter().copied().collect();
    let cut: BTreeSet<_> = links.iter().filter_map(|link| ends(mesh, link.from, Port::along(link.dim, true))).collect();
    loop {
        let is_down = |node, port| {
            let end = ends(mesh, node, port);
            end.map(|(a, b)| faulty.contains(&a) || faulty.contains(&b) || cut.contains(&(a, b)))
        };
        let gives_up = |&node: &NodeId| {
            let states = mesh.ports().filter_map(|port| is_down(node, port).map(|down| (port.dim(), down)));
            let states: Vec<_> = states.collect();
            let dims: BTreeSet<_> = states.iter().filter(|(_, down)| *down).map(|(dim, _)| dim).collect();
            !faulty.contains(&node) && (dims.len() > 1 || states.iter().all(|(_, down)| *down))
        };
        match mesh.iter_nodes().find(gives_up) {
            Some(node) => faulty.insert(node),
            None => return faulty,
        };
    }
}

#[test]
fn closure_agrees_with_node_by_node_rule() {
    for number in 0..600 {
        let mesh = torus(SIZES[number as usize % SIZES.len()]);
        let (nodes, links) = sample_raw_faults(mesh, 2 + (number % 6) as u32, &mut generator(number));
        let faults = BlockFaults::new(mesh, &nodes, &links);
        let faulty: BTreeSet<_> = mesh.iter_nodes().filter(|&node| faults.is_faulty(node)).collect();
        assert_eq!(faulty, closed(mesh, &nodes, &links), "{mesh} {number}");
    }
}

/// Returns the nodes of a box that may wrap around the torus.
fn box_nodes(mesh: Mesh, extent: &[(i32, i32)]) -> BTreeSet<NodeId> {
    let mut nodes = vec![NodeId(0)];
    for (dim, &(low, high)) in (0..).zip(extent) {
        let at = |place: i32| place.rem_euclid(i32::from(mesh.radix(dim))) as u16;
        nodes = nodes
            .iter()
            .flat_map(|&node| (low..=high).map(move |place| mesh.with_coordinate(node, dim, at(place))))
            .collect();
    }
    nodes.into_iter().collect()
}

#[test]
fn regions_are_full_boxes_and_runs_of_links() {
    let mut wrapped = 0;
    for number in 0..2000 {
        let faults = random_faults(number);
        let mesh = faults.mesh();
        let mut covered = BTreeSet::new();
        for region in faults.regions() {
            let all = box_nodes(mesh, &region.extent);
            for (dim, &(low, high)) in (0..).zip(&region.extent) {
                let radix = i32::from(mesh.radix(dim));
                assert!(0 <= low && low < radix && low <= high && high - low < radix);
                wrapped += u32::from(high >= radix);
                assert!(high < radix || mesh.wraps(dim));
            }
            if region.kind == RegionKind::Nodes {
                assert_eq!(region.nodes.iter().copied().collect::<BTreeSet<_>>(), all, "{mesh} {number}");
                assert!(all.iter().all(|&node| covered.insert(node)), "no node is in two regions");
            } else {
                assert_eq!(region.links.iter().map(|link| link.from).collect::<BTreeSet<_>>(), all, "{mesh} {number}");
            }
        }
        assert_eq!(covered.len(), mesh.iter_nodes().filter(|&node| faults.is_faulty(node)).count());
    }
    assert!(wrapped > 200, "{wrapped}");
}

/// Rings are live and closed, and both directions lead around them. A ring that would meet itself
/// does not exist.
#[test]
fn rings_go_round() {
    let (mut rings, mut none) = (0, 0);
    for number in 0..2000 {
        let faults = random_faults(number);
        let mesh = faults.mesh();
        for (id, region) in ids(&faults) {
            for plane in PlaneFamily::all(mesh).filter(|&plane| region.meets_plane(plane)) {
                for base in region.plane_bases(mesh, plane) {
                    let nodes = faults.ring_nodes(region, plane, base);
                    let step = |node, way| faults.ring_step(id, plane, node, way);
                    if faults.ring_overlaps_itself(region, plane) {
                        none += 1;
                        assert!(nodes.is_empty());
                        assert!(
                            mesh.iter_nodes().all(|node| Orientation::ALL.iter().all(|&way| step(node, way).is_none()))
                        );
                        continue;
                    }
                    if faults.is_impassable(region, plane) || faults.is_chain(region) {
                        continue;
                    }
                    rings += 1;
                    let ring = region.ring(plane);
                    assert_eq!(nodes.len() as i32, 2 * (ring.right - ring.left + ring.bottom - ring.top));
                    assert_eq!(nodes.iter().collect::<BTreeSet<_>>().len(), nodes.len());
                    for (place, &node) in nodes.iter().enumerate() {
                        let next = nodes[(place + 1) % nodes.len()];
                        let port = step(node, Orientation::Clockwise).expect("a step");
                        assert!(
                            faults.is_open(node, port) && mesh.neighbor(node, port) == Some(next),
                            "{mesh} {number}"
                        );
                        assert_eq!(step(next, Orientation::CounterClockwise), Some(port.opposite()));
                    }
                }
            }
        }
    }
    assert!(rings > 3000 && none > 300, "{rings} {none}");
}

/// On a torus whose dimensions all wrap around, results are invariant under translation.
#[test]
fn results_are_translation_invariant() {
    for number in 0..800 {
        let radices = SIZES[number as usize % SIZES.len()];
        let mesh = torus(radices);
        if radices.contains(&2) {
            continue;
        }
        let mut generator = generator(number);
        let (nodes, links) = sample_raw_faults(mesh, 5, &mut generator);
        let by = NodeId(u64::from(faultlab::random::below(&mut generator, mesh.nodes())));
        let moved = |node: NodeId| {
            (0..mesh.dimensions()).fold(node, |node, dim| {
                mesh.with_coordinate(
                    node,
                    dim,
                    (mesh.coordinate(node, dim) + mesh.coordinate(by, dim)) % mesh.radix(dim),
                )
            })
        };
        let along = |link: &Link| Link { from: moved(link.from), dim: link.dim };
        let nodes_of = |nodes: &[NodeId]| nodes.iter().map(|&node| moved(node)).collect::<BTreeSet<_>>();
        let links_of = |links: &[Link]| links.iter().map(along).collect::<BTreeSet<_>>();
        let all_nodes = |nodes: &[NodeId]| nodes.iter().copied().collect::<BTreeSet<_>>();
        let all_links = |links: &[Link]| links.iter().copied().collect::<BTreeSet<_>>();
        let here = BlockFaults::new(mesh, &nodes, &links);
        let there = BlockFaults::new(
            mesh,
            &nodes.iter().map(|&node| moved(node)).collect::<Vec<_>>(),
            &links.iter().map(along).collect::<Vec<_>>(),
        );
        assert!(mesh.iter_nodes().all(|node| here.is_faulty(node) == there.is_faulty(moved(node))));
        assert_eq!(links_of(&here.shared_links()), all_links(&there.shared_links()));
        let ring = |faults: &BlockFaults, region: &Region| faults.ring_links(region);
        let before: BTreeSet<_> = here
            .regions()
            .iter()
            .map(|it| (nodes_of(&it.nodes), links_of(&it.links), links_of(&ring(&here, it))))
            .collect();
        let after: BTreeSet<_> = there
            .regions()
            .iter()
            .map(|it| (all_nodes(&it.nodes), all_links(&it.links), all_links(&ring(&there, it))))
            .collect();
        assert_eq!(before, after, "{mesh} {number}");
        if mesh.is_plane() {
            assert!(mesh.iter_nodes().all(|node| positions(&here, node) == positions(&there, moved(node))));
        }
    }
}

/// The corrected Table I works without a border.
#[test]
fn neighbours_tell_positions_around_the_torus() {
    for number in 0..600 {
        let mesh = torus([&[5, 5], &[7, 4], &[9, 9]][number as usize % 3]);
        let (nodes, links) = sample_raw_faults(mesh, 4, &mut generator(number));
        let faults = BlockFaults::new(mesh, &nodes, &links);
        if faults.regions().iter().any(|region| faults.is_impassable(region, PlaneFamily::FLAT)) {
            continue;
        }
        for node in mesh.iter_nodes().filter(|&node| !faults.is_faulty(node)) {
            assert_eq!(positions(&faults, node), positions_from_messages(&faults, node), "{}", mesh.format_node(node));
        }
    }
}

#[test]
fn a_block_across_the_corner_is_one_region() {
    let mesh = torus(&[8, 8]);
    // Two diagonal neighbours across the corner become a square of four nodes.
    let faults = faults(mesh, "0.0,7.7");
    let [region] = faults.regions() else { panic!("{:?}", faults.regions()) };
    assert_eq!((region.nodes.len(), &region.extent[..]), (4, &[(7, 8), (7, 8)][..]));
    let ring: Vec<_> = faults
        .ring_nodes(region, PlaneFamily::FLAT, NodeId(0))
        .into_iter()
        .map(|node| mesh.format_node(node))
        .collect();
    assert_eq!(ring, ["6.6", "6.7", "6.0", "6.1", "7.1", "0.1", "1.1", "1.0", "1.7", "1.6", "0.6", "7.6"]);
    assert!(!faults.is_chain(region) && !faults.is_impassable(region, PlaneFamily::FLAT));
}

#[test]
fn runs_of_links_go_around() {
    let mesh = torus(&[6, 6]);
    let run = faults(mesh, "5.2-5.3,0.2-0.3,1.2-1.3");
    let [region] = run.regions() else { panic!("{:?}", run.regions()) };
    assert_eq!((region.kind, &region.extent[..]), (RegionKind::ROW_LINKS, &[(2, 2), (5, 7)][..]));
    // A run of links all the way around has no ends to go around.
    let circle = faults(mesh, "0.5-0.0,1.5-1.0,2.5-2.0,3.5-3.0,4.5-4.0,5.5-5.0");
    let [region] = circle.regions() else { panic!("{:?}", circle.regions()) };
    assert_eq!(&region.extent[..], &[(5, 5), (0, 5)][..]);
    assert!(circle.is_impassable(region, PlaneFamily::FLAT));
}

#[test]
fn wide_regions_have_rings_that_meet() {
    let mesh = torus(&[7, 5]);
    // Three of five columns leave two lines, four leave one, and five none.
    for (text, shuts) in [("3.0,3.1,3.2", false), ("3.0,3.1,3.2,3.3", true), ("3.0,3.1,3.2,3.3,3.4", true)] {
        let faults = faults(mesh, text);
        let (id, region) = ids(&faults).next().expect("a region");
        assert_eq!((faults.regions().len(), faults.is_impassable(region, PlaneFamily::FLAT)), (1, shuts), "{text}");
        let above = mesh.parse_node("2.1").unwrap();
        let step = faults.ring_step(id, PlaneFamily::FLAT, above, Orientation::Clockwise);
        assert_eq!(step, (!shuts).then_some(Port::EAST));
    }
}

#[test]
fn isolated_sets_are_drawn_in_any_number_of_dimensions() {
    let flat = |radices: &[u16]| Mesh::from_radices(radices).expect("a size");
    let meshes =
        [flat(&[6, 6, 6]), flat(&[5, 5, 5, 5]), torus(&[5, 5]), torus(&[8, 3]), torus(&[4, 5, 6]), torus(&[4; 4])];
    for (number, mesh) in (0..).zip(meshes) {
        for set in 0..10 {
            let (nodes, links) = sample_isolated(mesh, 1, 1, &mut generator(100 * number + set)).expect("room");
            let faults = BlockFaults::new(mesh, &nodes, &links);
            assert!(faults.rounds().is_empty() && faults.are_isolated() && faults.components() == 1, "{mesh} {set}");
            // A link occurs in a plane with each other dimension.
            assert_eq!(faults.regions().len(), usize::from(mesh.dimensions()));
            assert!(faults.are_planes_connected(&PlaneFamily::all(mesh).collect::<Vec<_>>()));
        }
    }
    // On a torus a single fault may be at any node.
    let mesh = torus(&[4, 4]);
    let found: BTreeSet<_> =
        (0..400).map(|number| sample_isolated(mesh, 1, 0, &mut generator(number)).expect("room").0[0]).collect();
    assert_eq!(found.len(), 16);
    // Rings need two dimensions that wrap around.
    assert_eq!(sample_isolated(torus(&[2, 8]), 1, 0, &mut generator(0)), None);
}
