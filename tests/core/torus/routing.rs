//! Tests of e-cube and f-cube on tori by the exhaustive checker: every pair, every choice, every
//! dependency.

use faultlab::fault::BlockFaults;
use faultlab::fault::block::PlaneFamily;
use faultlab::routing::{Unsupported, VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormType};
use faultlab::theory::MeshDependencies;
use faultlab::topology::{Mesh, NodeId, Port};

use super::{faults, generator, sample_raw_faults, torus};
use crate::common::worm;

/// Routing with renamed classes, which is unsafe.
struct RenamedClasses {
    routing: &'static dyn WormRouting,
    to: fn(u8, (u8, u8)) -> u8,
    pair: (u8, u8),
}

impl WormRouting for RenamedClasses {
    fn vc_classes(&self, mesh: Mesh) -> u8 {
        self.routing.vc_classes(mesh)
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        self.routing.check_network(mesh)
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader {
        self.routing.initial_header(faults, from, to, number)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        for &choice in self.routing.choices(faults, at).iter() {
            choices.add(VcRequest { class: (self.to)(choice.class, self.pair), ..choice });
        }
    }

    fn is_proved(&self, _faults: &BlockFaults) -> bool {
        false
    }
}

fn is_acyclic(faults: &BlockFaults, routing: &dyn WormRouting) -> bool {
    MeshDependencies::build(faults, routing).expect("a small torus").graph().acyclic_order().is_ok()
}

/// Asserts that every message arrives for all choices and that the dependencies are acyclic.
/// Returns the longest detour.
#[track_caller]
fn assert_safe(faults: &BlockFaults, routing: &dyn WormRouting, what: &str) -> u32 {
    let all = MeshDependencies::build(faults, routing).expect("a small torus");
    let arrivals = all.arrivals();
    assert_eq!((arrivals.lost, arrivals.livelocked), (0, 0), "{what} {}: {:?}", faults.mesh(), arrivals.example());
    assert!(all.graph().acyclic_order().is_ok(), "{what} {}", faults.mesh());
    arrivals.detour
}

/// Odd and even radices, and radix 2, which does not wrap around.
const WHOLE: [&[u16]; 13] = [
    &[4],
    &[9],
    &[2],
    &[3, 3],
    &[4, 4],
    &[8, 8],
    &[5, 7],
    &[2, 6],
    &[4, 4, 4],
    &[3, 5, 4],
    &[5, 2, 4],
    &[4, 4, 4, 4],
    &[3, 2, 4, 3],
];

/// Dally & Seitz: two classes break the cycles of every dimension, and paths stay minimal.
#[test]
fn ecube_is_minimal_and_acyclic_with_two_classes() {
    for radices in WHOLE {
        let faults = faults(torus(radices), "");
        for id in ["e-cube", "f-cube1", "f-cube2", "f-cube4"] {
            if worm(id).check_network(faults.mesh()).is_ok() {
                assert!(worm(id).is_proved(&faults));
                assert_eq!(assert_safe(&faults, worm(id), id), 0, "{id} {radices:?}");
            }
        }
        assert_eq!(worm("e-cube").vc_classes(faults.mesh()), 2);
    }
}

#[test]
fn one_class_is_cyclic() {
    let one = RenamedClasses { routing: worm("e-cube"), to: |_, _| 0, pair: (0, 0) };
    for radices in WHOLE {
        // In rings of more than three nodes, messages of two hops wait for each other.
        let closes = radices.iter().any(|&radix| radix > 3);
        assert_eq!(is_acyclic(&faults(torus(radices), ""), &one), !closes, "{radices:?}");
    }
}

#[test]
fn ties_take_the_growing_direction() {
    let faults = faults(torus(&[6, 8]), "");
    let mesh = faults.mesh();
    let node = |text| mesh.parse_node(text).expect("a node");
    for id in ["e-cube", "f-cube4"] {
        let (from, to) = (node("1.6"), node("4.2"));
        let at =
            WormPosition { here: from, to, input_port: None, header: worm(id).initial_header(&faults, from, to, 0) };
        let choices = worm(id).choices(&faults, &at);
        let ports: Vec<_> = choices.iter().map(|choice| (choice.port.name(), choice.class)).collect();
        assert_eq!(ports, [("East", 1)], "over the wraparound link");
    }
}

const BROKEN: [&[u16]; 13] = [
    &[4, 4],
    &[5, 5],
    &[6, 6],
    &[8, 8],
    &[4, 7],
    &[7, 3],
    &[3, 6],
    &[2, 7],
    &[7, 2],
    &[3, 3, 3],
    &[4, 3, 5],
    &[4, 4, 4],
    &[3, 2, 3, 3],
];

/// Proved cases with random faults on tori of two to four dimensions, with overlapping rings and
/// regions that wrap around.
#[test]
fn proved_routings_deliver_and_are_acyclic() {
    let (mut claimed, mut overlapping, mut wrapping, mut two) = (0, 0, 0, 0);
    for number in 0..1300 {
        let mesh = torus(BROKEN[number as usize % BROKEN.len()]);
        let (nodes, links) = sample_raw_faults(mesh, 2 + (number / 13 % 8) as u32, &mut generator(number));
        let faults = BlockFaults::new(mesh, &nodes, &links);
        if worm("f-cube4").is_proved(&faults) {
            assert_safe(&faults, worm("f-cube4"), &format!("f-cube4 {number}"));
            let beyond = |dim: u8, high| high >= i32::from(mesh.radix(dim));
            let wraps = faults.regions().iter().any(|it| (0..).zip(&it.extent).any(|(dim, end)| beyond(dim, end.1)));
            claimed += 1;
            overlapping += u32::from(faults.has_overlapping_rings());
            wrapping += u32::from(wraps);
        }
        for id in ["f-cube2", "f-cube2-either"] {
            if worm(id).check_network(mesh).is_ok() && worm(id).is_proved(&faults) {
                assert_safe(&faults, worm(id), &format!("{id} {number}"));
                two += 1;
            }
        }
    }
    assert!(
        claimed > 600 && overlapping > 300 && wrapping > 80 && two > 200,
        "{claimed} {overlapping} {wrapping} {two}"
    );
}

/// No two of the five classes can be merged.
#[test]
fn five_classes_are_needed() {
    let mut sets: Vec<_> = (0..400)
        .map(|number| {
            let mesh = torus([&[6, 6], &[5, 5], &[4, 7]][number as usize % 3]);
            let (nodes, links) = sample_raw_faults(mesh, 6, &mut generator(5000 + number));
            BlockFaults::new(mesh, &nodes, &links)
        })
        .filter(|faults| worm("f-cube4").is_proved(faults))
        .collect();
    sets.sort_by_key(|faults| std::cmp::Reverse(faults.regions().len()));
    assert_eq!(worm("f-cube4").vc_classes(sets[0].mesh()), 5);
    let mut safe = Vec::new();
    for pair in (0..5).flat_map(|low| (low + 1..5).map(move |high| (low, high))) {
        let to = |class, (low, high)| if class == high { low } else { class };
        let merged = RenamedClasses { routing: worm("f-cube4"), to, pair };
        if sets.iter().all(|faults| is_acyclic(faults, &merged)) {
            safe.push(pair);
        }
    }
    assert_eq!(safe, []);
}

/// Routes between two overlapping rings, each of which leaves two free columns around the torus.
#[test]
fn routes_pass_between_wide_regions() {
    let mesh = torus(&[8, 8]);
    let row = |row: u16, first: u16, count: u16| {
        (first..first + count).map(|column| format!("{row}.{}", column % 8)).collect::<Vec<_>>().join(",")
    };
    let both = faults(mesh, &format!("{},{}", row(1, 0, 6), row(3, 4, 6)));
    assert!(both.has_overlapping_rings() && both.regions().len() == 2 && worm("f-cube4").is_proved(&both));
    assert_safe(&both, worm("f-cube4"), "two wide regions");
    let corner = faults(mesh, "7.7,0.0,3.3-3.4,4.3-4.4");
    assert_safe(&corner, worm("f-cube4"), "a block around the corner");
    assert!(worm("f-cube2").is_proved(&corner));
    assert_safe(&corner, worm("f-cube2"), "a block around the corner");
}

/// Cases without a proof, in which messages are lost.
#[test]
fn where_there_is_no_ring_messages_are_lost() {
    for (radices, text) in [
        (&[8, 8][..], "3.0,3.1,3.2,3.3,3.4,3.5,3.6"),
        (&[4, 4], "1.1,1.2,1.3"),
        (&[6, 6], "0.2-0.3,1.2-1.3,2.2-2.3,3.2-3.3,4.2-4.3,5.2-5.3"),
        (&[8], "3"),
        (&[8], "3-4"),
    ] {
        let faults = faults(torus(radices), text);
        assert_eq!(faults.components(), 1);
        assert!(!worm("f-cube4").is_proved(&faults), "{text}");
        let lost = MeshDependencies::build(&faults, worm("f-cube4")).expect("a small torus").arrivals().lost;
        assert!(lost > 0, "{text}");
    }
    // The plane of dimensions 1 and 2 is intact, but row 0 has no ring in the plane of rows and
    // columns.
    let faults = faults(torus(&[4, 4, 4]), "0.0.0,0.0.1,0.0.2");
    assert!(faults.are_planes_connected(&[PlaneFamily::from_dimensions(1, 2)]) && !worm("f-cube4").is_proved(&faults));
}

/// A column message that may leave its column in either direction returns the shortest way. Under
/// f-cube2 and f-cube4 it always leaves to the East, so it always returns from there.
#[test]
fn column_messages_return_from_the_side_they_left() {
    let torus = torus(&[8, 8]);
    let none = BlockFaults::new(torus, &[], &[]);
    let node = |row: u64, column: u64| NodeId(row * 8 + column);
    let port = |id: &str, from: NodeId, to: NodeId| {
        let header = WormHeader::normal(WormType::NS);
        let choices = worm(id).choices(&none, &WormPosition { here: from, to, input_port: None, header });
        choices.get(0).expect("a way").port
    };
    // The message is two columns West of the destination column, as beside a region two columns
    // wide.
    let (here, to) = (node(2, 1), node(5, 3));
    assert_eq!(port("f-cube2-either", here, to), Port::EAST);
    assert_eq!((port("f-cube2", here, to), port("f-cube4", here, to)), (Port::WEST, Port::WEST));
    for id in ["f-cube2-either", "f-cube2", "f-cube4"] {
        assert_eq!((port(id, node(2, 5), to), port(id, node(2, 2), to)), (Port::WEST, Port::EAST), "{id}");
        assert_eq!(port(id, node(2, 3), to), Port::SOUTH, "{id}");
    }
}
