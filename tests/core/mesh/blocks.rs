//! Tests of block closure, regions, rings and ring positions.

use faultlab::fault::BlockFaults;
use faultlab::fault::block::{
    Orientation, PlaneFamily, RegionId, RegionKind, RingCounts, RingPosition, isolated_counts, positions,
    positions_from_messages, positions_from_printed_table, sample_isolated,
};
use faultlab::topology::{NodeId, Port};

use super::{faults, generator, mesh, random_faults};

/// Returns the node labels of the ring of region `number`, clockwise.
fn ring(faults: &BlockFaults, number: usize) -> Vec<String> {
    faults
        .ring_nodes(&faults.regions()[number], PlaneFamily::FLAT, NodeId(0))
        .into_iter()
        .map(|node| faults.mesh().format_node(node))
        .collect()
}

#[test]
fn figure_1_has_its_rings_and_its_chain() {
    let faults = faults(mesh(6, 6), "3.3,3.4,4.3,4.4,1.1-2.1,1.2-2.2,0.4-0.5");
    assert!(faults.rounds().is_empty());
    let kinds: Vec<_> = faults.regions().iter().map(|region| region.kind).collect();
    assert_eq!(kinds, [RegionKind::Nodes, RegionKind::ROW_LINKS, RegionKind::COLUMN_LINKS]);
    // The nodes that section II.B lists for F1.
    assert_eq!(ring(&faults, 0), ["2.2", "2.3", "2.4", "2.5", "3.5", "4.5", "5.5", "5.4", "5.3", "5.2", "4.2", "3.2"]);
    assert_eq!(ring(&faults, 1), ["0.5", "1.5", "1.4", "0.4"].map(String::from).to_vec());
    assert_eq!(ring(&faults, 2), ["1.0", "1.1", "1.2", "1.3", "2.3", "2.2", "2.1", "2.0"]);
    let chains: Vec<_> = faults.regions().iter().map(|region| faults.is_chain(region)).collect();
    assert_eq!(chains, [false, true, false]);
    // "they share link <(2, 2), (2, 3)>"
    let shared: Vec<_> = faults.shared_links().into_iter().map(|link| faults.mesh().format_link(link)).collect();
    assert_eq!(shared, ["2.2-2.3"]);
}

/// Each piece of a ring that the border cuts is counted as a chain: section II.B calls a ring with
/// missing nodes a chain.
#[test]
fn chains_are_counted_piece_by_piece() {
    let counts = |rows, columns, text: &str| faults(mesh(rows, columns), text).ring_counts();
    let chains = |rings, chains| RingCounts { rings, chains, without_ring: 0 };
    // Figure 1: two rings, and a chain around the link at the border.
    assert_eq!(counts(6, 6, "3.3,3.4,4.3,4.4,1.1-2.1,1.2-2.2,0.4-0.5"), chains(2, 1));
    // A whole row, or the links of a whole column: two parts of the mesh, each with a chain.
    assert_eq!(counts(6, 6, "2.0,2.1,2.2,2.3,2.4,2.5"), chains(0, 2));
    assert_eq!(counts(3, 4, "0.1-0.2,1.1-1.2,2.1-2.2"), chains(0, 2));
    // A node at the border, a corner, and a row at the border have one chain each.
    assert_eq!(counts(6, 6, "0.3"), chains(0, 1));
    assert_eq!(counts(6, 6, "5.5"), chains(0, 1));
    assert_eq!(counts(6, 6, "0.0,0.1,0.2,0.3,0.4,0.5"), chains(0, 1));
    assert_eq!(counts(2, 2, "0.0,0.1,1.0"), chains(0, 0));
    assert_eq!(counts(6, 6, ""), chains(0, 0));
}

#[test]
fn the_corner_of_f1_is_north_west_not_north_east() {
    let faults = faults(mesh(6, 6), "3.3,3.4,4.3,4.4,1.1-2.1,1.2-2.2,0.4-0.5");
    let node = faults.mesh().parse_node("2.2").unwrap();
    // Erratum: section II.C calls (2, 2) the NE corner of F1, but it is the NW corner. It is also
    // the node South of F2.
    assert_eq!(positions(&faults, node), [RingPosition::South, RingPosition::NorthWest]);
    assert_eq!(positions_from_messages(&faults, node), [RingPosition::South, RingPosition::NorthWest]);
}

/// For any faults, closure leaves full rectangles, runs of links, and live rings. Each live node
/// has faulty links in at most one dimension.
#[test]
fn closure_leaves_blocks_with_live_rings() {
    for number in 0..3000 {
        let mut generator = generator(number);
        let sizes = [(2, 2), (3, 5), (6, 6), (9, 4), (1, 7), (12, 12)][number as usize % 6];
        let faults = random_faults(mesh(sizes.0, sizes.1), 6, &mut generator);
        let mesh = faults.mesh();
        let mut covered = 0;
        for region in faults.regions() {
            let ring = region.ring(PlaneFamily::FLAT);
            if region.kind == RegionKind::Nodes {
                let area = (ring.bottom - ring.top - 1) * (ring.right - ring.left - 1);
                assert_eq!(region.nodes.len() as i32, area, "a full rectangle");
                covered += region.nodes.len();
            }
            // The ring is live and closed.
            for node in faults.ring_nodes(region, PlaneFamily::FLAT, NodeId(0)) {
                assert!(!faults.is_faulty(node));
                for way in Orientation::ALL {
                    let id = faults.regions().iter().position(|other| other == region).and_then(RegionId::new).unwrap();
                    let Some(port) = faults.ring_step(id, PlaneFamily::FLAT, node, way) else {
                        assert!(faults.is_chain(region));
                        continue;
                    };
                    assert!(faults.is_open(node, port), "{} {port:?}", mesh.format_node(node));
                    let next = mesh.neighbor(node, port).unwrap();
                    assert_eq!(faults.ring_step(id, PlaneFamily::FLAT, next, way.reversed()), Some(port.opposite()));
                }
            }
        }
        assert_eq!(covered, mesh.iter_nodes().filter(|&node| faults.is_faulty(node)).count());
        for node in mesh.iter_nodes().filter(|&node| !faults.is_faulty(node)) {
            let down = faults.faulty_ports(node);
            assert!(down & 0b0011 == 0 || down & 0b1100 == 0);
            for port in mesh.ports() {
                assert_eq!(faults.blocking(PlaneFamily::FLAT, node, port).is_some(), down & port.bit() != 0);
            }
        }
    }
}

/// Closing a closed set changes nothing. The order of faults has no effect either: adding the nodes
/// of the first round manually gives the same closure.
#[test]
fn closure_is_idempotent() {
    for number in 0..500 {
        let faults = random_faults(mesh(7, 7), 7, &mut generator(number));
        let mesh = faults.mesh();
        let nodes: Vec<_> = mesh.iter_nodes().filter(|&node| faults.is_faulty(node)).collect();
        let links =
            mesh.iter_links().filter(|link| faults.faulty_ports(link.from) & Port::along(link.dim, true).bit() != 0);
        let links: Vec<_> = links.collect();
        let again = BlockFaults::new(mesh, &nodes, &links);
        assert!(again.rounds().is_empty());
        assert_eq!(again.regions(), faults.regions());
    }
}

/// Corrected Table I: positions learned from neighbours' messages equal the geometric ones.
#[test]
fn positions_from_messages_equal_geometry() {
    let (mut nodes, mut missed) = (0u32, 0u32);
    for number in 0..2000 {
        let faults = random_faults(mesh(9, 9), 5, &mut generator(number));
        for node in faults.mesh().iter_nodes().filter(|&node| !faults.is_faulty(node)) {
            let geometry = positions(&faults, node);
            assert_eq!(positions_from_messages(&faults, node), geometry, "{}", faults.mesh().format_node(node));
            nodes += u32::from(!geometry.is_empty());
            missed += u32::from(positions_from_printed_table(&faults, node) != geometry);
        }
    }
    // The printed table misses the sides of every region of width one.
    assert!(f64::from(missed) > 0.3 * f64::from(nodes), "{missed} of {nodes}");
}

#[test]
fn the_printed_table_is_right_about_large_blocks_only() {
    let block = faults(mesh(8, 8), "3.3,3.4,4.3,4.4");
    let single = faults(mesh(8, 8), "3.3");
    let right = |faults: &BlockFaults| {
        let wrong = |&node: &_| positions_from_printed_table(faults, node) != positions(faults, node);
        faults.mesh().iter_nodes().filter(|&node| !faults.is_faulty(node)).filter(wrong).count()
    };
    assert_eq!((right(&block), right(&single)), (0, 4));
}

#[test]
fn random_fault_sets_are_those_of_section_v() {
    let mesh = mesh(16, 16);
    let mixes = [0.01, 0.05, 0.1].map(|share| isolated_counts(mesh, share));
    assert_eq!(mixes, [(1, 1), (4, 8), (8, 16)]);
    for (number, (nodes, links)) in mixes.into_iter().enumerate() {
        for set in 0..20 {
            let drawn = sample_isolated(mesh, nodes, links, &mut generator(100 * number as u64 + set)).unwrap();
            let faults = BlockFaults::new(mesh, &drawn.0, &drawn.1);
            assert!(faults.rounds().is_empty() && faults.are_isolated() && faults.components() == 1);
            assert_eq!(faults.regions().len() as u32, nodes + links);
        }
    }
    assert_eq!(sample_isolated(super::mesh(3, 3), 2, 0, &mut generator(0)), None);
}

#[test]
fn smaller_components_are_excluded() {
    // A wall across the mesh with 6 rows above and 1 row below.
    let wall = (0..5).map(|column| format!("6.{column}")).collect::<Vec<_>>().join(",");
    let faults = faults(mesh(8, 5), &wall);
    assert_eq!((faults.components(), faults.members().count()), (2, 30));
    assert!(!faults.is_member(faults.mesh().parse_node("7.0").unwrap()));
}

/// Sampling isolated faults one by one produces every isolated set that fits, and no other set.
#[test]
fn isolated_sampling_reaches_every_possible_set() {
    // A 6 x 6 mesh has room for a ring in each corner, and the sets are uniform over those that
    // fit.
    let mesh = mesh(6, 6);
    let mut found = std::collections::BTreeSet::new();
    for number in 0..3000 {
        let (nodes, _) = sample_isolated(mesh, 1, 0, &mut generator(number)).unwrap();
        found.insert(nodes[0]);
    }
    // All nodes that are not on the border.
    assert_eq!(found.len(), 16);
    let pairs = mesh.iter_nodes().flat_map(|a| mesh.iter_nodes().map(move |b| (a, b)));
    let isolated = |(a, b): (_, _)| {
        let faults = BlockFaults::new(mesh, &[a, b], &[]);
        faults.regions().len() == 2 && faults.rounds().is_empty() && faults.are_isolated()
    };
    let possible = pairs.filter(|&(a, b)| a < b && isolated((a, b))).count();
    let mut found = std::collections::BTreeSet::new();
    for number in 0..3000 {
        let Some((mut nodes, _)) = sample_isolated(mesh, 2, 0, &mut generator(number)) else { continue };
        nodes.sort_unstable();
        assert!(isolated((nodes[0], nodes[1])));
        found.insert(nodes);
    }
    assert_eq!(found.len(), possible);
}
