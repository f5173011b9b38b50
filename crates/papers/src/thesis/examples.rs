//! Worked examples: routes, and messages in a cyclic wait (sections 1.3, 2.2, 3.3).

use super::{PAPER, equal, exact, trial};
use crate::{Item, PaperValue};
use faultlab_core::routing::oblivious::{ObliviousRoute, parse_thesis_label, thesis_label};
use faultlab_core::switching::BatchOutcome;
use faultlab_core::topology::Hypercube;
use faultlab_experiment::Experiment;

pub(super) const EXAMPLES: Item = Item {
    paper: &PAPER,
    id: "thesis-examples",
    title: "Worked examples: routes, and the deadlocks of section 1.3 and Figure 3-3",
    about: "Nodes are written as in the thesis, dimension 1 first. Two facts are not in the thesis. The two messages \
            of Figure 3-3 deadlock only if they have two flits or more: a message of one flit has already left the \
            edge that the other needs. There is also a shorter deadlock: two messages that turn back on one edge, \
            each at its intermediate node, freeze even with one flit. Moved out of the first two dimensions, both \
            pairs arrive under Algorithm B.",
    charts: false,
    texts: Vec::new,
    compare: |item, _| cells(item).unwrap_or_default(),
};

/// Messages that start together: row, network, messages, and cases.
///
/// A case has the number of flits and the number of messages in the cyclic wait under general
/// randomized routing. The flag marks cases that are in the thesis.
struct ExampleBatch(&'static str, &'static str, &'static str, &'static [(u16, f64, bool)]);

const SQUARE: ExampleBatch = ExampleBatch(
    "section 1.3: around the square",
    "cube:2",
    "0-1-3,1-3-2,3-2-0,2-0-1",
    &[(1, 4.0, true), (8, 4.0, true)],
);
const FIGURE_3_3: ExampleBatch = ExampleBatch(
    "Figure 3-3: two messages",
    "cube:4",
    "0-12-8,12-0-4",
    &[(1, 0.0, false), (2, 2.0, true), (3, 2.0, true), (16, 2.0, true)],
);
const U_TURN: ExampleBatch = ExampleBatch("two messages that turn back", "cube:4", "0-4-8,4-0-12", &[(1, 2.0, false)]);

/// Routes of Algorithm B in the 6-cube: source, intermediate node, destination, and all nodes in
/// order.
const ROUTES: [[&str; 4]; 2] = [
    [
        "010110",
        "001010",
        "111001",
        "010110 110110 100110 000110 001110 001010 011010 011000 011001 001001 101001 111001",
    ],
    ["101101", "001101", "101101", "101101 001101 011101 001101 101101"],
];

fn cells(item: &Item) -> Option<Vec<PaperValue>> {
    let mut cells = vec![bit_fixing(item)?];
    for route in ROUTES {
        cells.extend(algorithm_b(item, route)?);
    }
    for ExampleBatch(row, net, traffic, cases) in [SQUARE, FIGURE_3_3, U_TURN] {
        for &(flits, waiting, is_printed) in cases {
            cells.push(frozen(item, row, &text(net, "general", traffic, flits), (waiting, is_printed))?);
        }
    }
    for ExampleBatch(row, net, traffic, _) in [FIGURE_3_3, U_TURN] {
        for flits in [1, 2, 16] {
            cells.push(frozen(item, row, &text(net, "algorithm-b", traffic, flits), (0.0, true))?);
        }
    }
    Some(cells)
}

fn text(net: &str, route: &str, traffic: &str, flits: u16) -> String {
    format!("switch=batch&net={net}&faults=none&route={route}&traffic={traffic}&length={flits}")
}

/// Returns the route of the only message of an experiment, with its nodes in the notation of the
/// thesis.
fn route(text: &str, cube: Hypercube) -> Option<(ObliviousRoute, String)> {
    let route = trial(text)?.route(0).ok()?;
    let nodes: Vec<_> = route.nodes().map(|node| thesis_label(cube, node)).collect();
    Some((route, nodes.join(" ")))
}

/// Checks the route of section 2.2.
fn bit_fixing(item: &Item) -> Option<PaperValue> {
    let cube = Hypercube::new(4)?;
    let (from, to) = (parse_thesis_label(cube, "1010")?, parse_thesis_label(cube, "0111")?);
    let text = format!("switch=permutation&net=cube:4&faults=none&route=bit-fixing&traffic={}-{}", from.0, to.0);
    let (route, nodes) = route(&text, cube)?;
    let same = nodes == "1010 0010 0110 0111";
    let row = "section 2.2: bit-fixing, 1010 to 0111";
    let mut cell = exact(item, &text, (row, "hops"), f64::from(route.length()), "3", same);
    cell.remark = nodes;
    Some(cell)
}

fn algorithm_b(item: &Item, [from, via, to, nodes]: [&str; 4]) -> Option<[PaperValue; 2]> {
    let cube = Hypercube::new(6)?;
    let number = |label| parse_thesis_label(cube, label).map(|node| node.0);
    let traffic = format!("{}-{}-{}", number(from)?, number(via)?, number(to)?);
    let text = format!("switch=permutation&net=cube:6&faults=none&route=algorithm-b&traffic={traffic}");
    let (route, found) = route(&text, cube)?;
    let row = format!("Algorithm B, {from} by way of {via} to {to}");
    let hops = nodes.split(' ').count() - 1;
    let at = (row.as_str(), "hops, by the phases of Figure 3-6");
    let mut all = exact(item, &text, at, f64::from(route.length()), &hops.to_string(), found == nodes);
    all.remark = found;
    let ranks: Vec<_> = route.hops().map(|hop| hop.rank).collect();
    let back = ranks.windows(2).filter(|pair| pair[0] >= pair[1]).count();
    Some([all, equal(item, &text, (&row, "hops back in the order of Figure 3-7"), back as f64, 0.0)])
}

/// Returns the cell of the number of messages in a cyclic wait; 0 if all arrive.
fn frozen(item: &Item, row: &str, text: &str, (claimed, is_printed): (f64, bool)) -> Option<PaperValue> {
    let experiment: Experiment = text.parse().ok()?;
    let setting = experiment.setting.batch()?;
    let flits = setting.length;
    let mut batch = trial(text)?.batch(setting)?;
    let circle = match batch.run_until(1 << 16)? {
        BatchOutcome::Deadlock(circle) => circle.len(),
        BatchOutcome::Delivered => 0,
    } as f64;
    let name = &experiment.routing.first()?.name;
    let column =
        format!("messages that wait for each other, {flits} {}, {name}", if flits == 1 { "flit" } else { "flits" });
    let printed = if is_printed { claimed.to_string() } else { String::new() };
    let mut cell = exact(item, text, (row, &column), circle, &printed, circle == claimed);
    cell.remark = match circle as u32 {
        0 => format!("all have arrived after {} cycles", batch.cycle()),
        _ => format!("no message moves from cycle {} on", batch.cycle()),
    };
    Some(cell)
}
