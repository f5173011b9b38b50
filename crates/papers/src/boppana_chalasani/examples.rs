//! Rings and routes in the figures of the paper: Figures 1, 5, 9 and 11, and Table I.

use super::{PAPER, exact, faults};
use crate::{Item, PaperValue};
use faultlab_core::fault::BlockFaults;
use faultlab_core::fault::block::PlaneFamily;
use faultlab_core::fault::block::{RingPosition, positions, positions_from_messages, positions_from_printed_table};
use faultlab_core::routing::{self, WormPosition};
use faultlab_core::topology::NodeId;

pub(super) const EXAMPLES: Item = Item {
    paper: &PAPER,
    id: "boppana-examples",
    title: "Figures 1, 5, 9 and 11: rings and routes; Table I: positions on rings",
    about: "Rings and routes are as drawn, in every hop and class. The paper has two errata: section II.C calls \
            (2, 2) the north-east corner of F1, but it is the north-west one; and Table I as printed misses most sides \
            of regions one node wide, because it requires a neighbour on the same side. The corrected table agrees with \
            the geometry.",
    charts: false,
    texts: Vec::new,
    compare: |item, _| cells(item).unwrap_or_default(),
};

const FIGURE_1: &str = "3.3,3.4,4.3,4.4,1.1-2.1,1.2-2.2,0.4-0.5";
const F1_RING: &str = "2.2 2.3 2.4 2.5 3.5 4.5 5.5 5.4 5.3 5.2 4.2 3.2";

/// Route of the paper: row, algorithm, faults, nodes, and the class of each hop.
struct ExampleRoute(&'static str, &'static str, &'static str, &'static str, &'static str);

const ROUTES: [ExampleRoute; 6] = [
    ExampleRoute(
        "Figure 5, (1, 0) to (4, 4)",
        "f-cube2",
        "1.2,3.4-4.4",
        "1.0 1.1 2.1 2.2 2.3 2.4 3.4 3.5 4.5 4.4",
        "000001111",
    ),
    ExampleRoute(
        "Figure 9, (3, 0) to (3, 4)",
        "f-cube4",
        "2.2,3.2,2.4,2.5,4.0-4.1",
        "3.0 3.1 2.1 1.1 1.2 1.3 1.4 1.5 1.4 1.3 2.3 3.3 3.4",
        "000000222222",
    ),
    ExampleRoute(
        "Figure 9, (4, 3) to (1, 0)",
        "f-cube4",
        "2.2,3.2,2.4,2.5,4.0-4.1",
        "4.3 4.2 4.1 3.1 3.0 2.0 1.0",
        "111133",
    ),
    ExampleRoute("Figure 11, (1, 5) to (1, 4)", "lh4", "0.4-0.5,1.4-1.5,3.4-4.4", "1.5 0.5 1.5 2.5 2.4 1.4", "33333"),
    ExampleRoute("Figure 11, (2, 4) to (5, 4)", "lh4", "0.4-0.5,1.4-1.5,3.4-4.4", "2.4 3.4 3.5 4.5 4.4 5.4", "14444"),
    ExampleRoute("Figure 11, the other way", "lh4", "0.4-0.5,1.4-1.5,3.4-4.4", "2.4 3.4 3.3 4.3 4.4 5.4", "14444"),
];

fn cells(item: &Item) -> Option<Vec<PaperValue>> {
    let mut cells = figure_1(item)?;
    cells.extend(ROUTES.iter().filter_map(|route| route_cell(item, route)));
    Some(cells)
}

fn figure_1(item: &Item) -> Option<Vec<PaperValue>> {
    let faults = faults(6, 6, FIGURE_1)?;
    let mesh = faults.mesh();
    let text = format!("net=mesh:6x6&switch=wormhole&route=f-cube4&break={FIGURE_1}");
    let cell = |row, column, value: usize, printed: &str, holds| {
        exact(item, &text, (row, column), value as f64, printed, holds)
    };
    let ring: Vec<_> = faults
        .ring_nodes(faults.regions().first()?, PlaneFamily::FLAT, NodeId(0))
        .into_iter()
        .map(|node| mesh.format_node(node))
        .collect();
    let shared: Vec<_> = faults.shared_links().into_iter().map(|link| mesh.format_link(link)).collect();
    let chains = faults.regions().iter().filter(|region| faults.is_chain(region)).count();
    let regions = faults.regions().len();
    let corner = positions(&faults, mesh.parse_node("2.2")?);
    let on_rings: Vec<_> = mesh.iter_nodes().filter(|&node| !positions(&faults, node).is_empty()).collect();
    let right = |by: fn(&BlockFaults, NodeId) -> Vec<RingPosition>| {
        on_rings.iter().filter(|&&node| by(&faults, node) == positions(&faults, node)).count()
    };
    let mut overlap = cell("Figure 1", "links that rings share", shared.len(), "1", shared == ["2.2-2.3"]);
    overlap.remark = "the link between (2, 2) and (2, 3)".into();
    let mut north_west =
        cell("Figure 1", "rings of which (2, 2) is a corner", 1, "1", corner.contains(&RingPosition::NorthWest));
    north_west.remark = "the north-west corner of F1, not the north-east one as section II.C says".into();
    let mut printed = cell(
        "Table I as printed",
        "nodes of Figure 1 that find their positions",
        right(positions_from_printed_table),
        "",
        true,
    );
    printed.remark = format!("of {} nodes on rings", on_rings.len());
    let corrected = right(positions_from_messages);
    let mut mended = cell("Table I corrected", "nodes of Figure 1 that find their positions", corrected, "", true);
    mended.remark.clone_from(&printed.remark);
    Some(vec![
        cell("Figure 1", "fault regions", regions, "3", regions == 3),
        cell("Figure 1", "fault chains", chains, "1", chains == 1),
        cell("Figure 1", "nodes of the ring of F1", ring.len(), "12", ring.join(" ") == F1_RING),
        overlap,
        north_west,
        printed,
        mended,
    ])
}

fn route_cell(item: &Item, ExampleRoute(row, id, broken, nodes, classes): &ExampleRoute) -> Option<PaperValue> {
    let faults = faults(6, 6, broken)?;
    let nodes: Vec<_> = nodes.split(' ').filter_map(|node| faults.mesh().parse_node(node)).collect();
    let found = follow(&faults, id, &nodes);
    let hops = nodes.len() - 1;
    let [from, to] = [nodes.first()?, nodes.last()?].map(|&node| faults.mesh().format_node(node));
    let text = format!("net=mesh:6x6&switch=wormhole&route={id}&break={broken}&from={from}&to={to}");
    let permitted = found.as_deref().map_or(0, str::len);
    let mut cell = exact(
        item,
        &text,
        (row, "hops of the route that are permitted"),
        permitted as f64,
        &hops.to_string(),
        found.as_deref() == Some(classes),
    );
    cell.remark =
        format!("under {id}, in the classes {}", classes.chars().map(String::from).collect::<Vec<_>>().join(" "));
    Some(cell)
}

/// Returns the classes of the hops of a route; `None` if the routing does not permit a hop.
fn follow(faults: &BlockFaults, id: &str, nodes: &[NodeId]) -> Option<String> {
    let routing = routing::find(id).ok()?.worm.clone()?;
    let (&from, &to) = (nodes.first()?, nodes.last()?);
    (0..routing.initial_header_count(faults, from, to)).find_map(|number| {
        let mut header = routing.initial_header(faults, from, to, number);
        let (mut came, mut classes) = (None, String::new());
        for step in nodes.windows(2) {
            let choices = routing.choices(faults, &WormPosition { here: step[0], to, input_port: came, header });
            let taken = choices.iter().find(|choice| faults.mesh().neighbor(step[0], choice.port) == Some(step[1]))?;
            (came, header) = (Some(taken.port), taken.header);
            classes.push(char::from(b'0' + taken.class));
        }
        Some(classes)
    })
}
