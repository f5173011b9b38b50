//! Tests of the routes in the paper's Figures 5, 9 and 11.

use faultlab::fault::BlockFaults;
use faultlab::routing;

use super::journeys::{Journey, journeys};
use super::{faults, mesh};

fn routes(faults: &BlockFaults, id: &str, from: &str, to: &str) -> Vec<Journey> {
    let routing = routing::find(id).expect("an algorithm").worm.clone().expect("of worms");
    let node = |text| faults.mesh().parse_node(text).expect("a node");
    journeys(faults, &*routing, node(from), node(to))
}

/// Returns the nodes of a journey, and the classes of its hops.
fn written(faults: &BlockFaults, journey: &Journey) -> (String, String) {
    let nodes: Vec<_> = journey.nodes.iter().map(|&node| faults.mesh().format_node(node)).collect();
    (nodes.join(" "), journey.hops.iter().map(|hop| hop.class.to_string()).collect())
}

#[test]
fn route_of_figure_5_is_permitted() {
    let faults = faults(mesh(6, 6), "1.2,3.4-4.4");
    let routes = routes(&faults, "f-cube2", "1.0", "4.4");
    // For isolated faults the column message may take either direction; the paper's is clockwise.
    let written: Vec<_> = routes.iter().map(|route| written(&faults, route)).collect();
    let paper = ("1.0 1.1 2.1 2.2 2.3 2.4 3.4 3.5 4.5 4.4".to_owned(), "000001111".to_owned());
    assert!(written.contains(&paper), "{written:?}");
    assert_eq!(written.len(), 2);
}

#[test]
fn routes_of_figure_9_are_permitted() {
    let faults = faults(mesh(6, 6), "2.2,3.2,2.4,2.5,4.0-4.1");
    let first: Vec<_> = routes(&faults, "f-cube4", "3.0", "3.4").iter().map(|route| written(&faults, route)).collect();
    let north = "3.0 3.1 2.1 1.1 1.2 1.3 1.4 1.5 1.4 1.3 2.3 3.3 3.4";
    assert!(first.contains(&(north.to_owned(), "000000222222".to_owned())), "{first:?}");
    let second: Vec<_> = routes(&faults, "f-cube4", "4.3", "1.0").iter().map(|route| written(&faults, route)).collect();
    assert_eq!(second, [("4.3 4.2 4.1 3.1 3.0 2.0 1.0".to_owned(), "111133".to_owned())]);
}

#[test]
fn routes_of_figure_11_are_permitted() {
    let faults = faults(mesh(6, 6), "0.4-0.5,1.4-1.5,3.4-4.4");
    let first: Vec<_> = routes(&faults, "lh4", "1.5", "1.4").iter().map(|route| written(&faults, route)).collect();
    let north = ("1.5 0.5 1.5 2.5 2.4 1.4".to_owned(), "33333".to_owned());
    assert!(first.contains(&north), "{first:?}");
    let third: Vec<_> = routes(&faults, "lh4", "2.4", "5.4").iter().map(|route| written(&faults, route).0).collect();
    assert_eq!(third, ["2.4 3.4 3.3 4.3 4.4 5.4", "2.4 3.4 3.5 4.5 4.4 5.4"].map(String::from).to_vec());
}
