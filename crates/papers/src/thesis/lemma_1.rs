//! Lemma 1, and the paths across a channel (section 3.1.1).

use super::{PAPER, bounded, equal, trial};
use crate::{Item, PaperValue};
use faultlab_core::routing::oblivious::bit_fixing_path;
use faultlab_core::theory::oblivious::{
    BoundSide, Claim, Statement, edge_paths, faulty_paths_bound, paths_through_node,
};
use faultlab_core::topology::NodeId;

pub(super) const LEMMA_1: Item = Item {
    paper: &PAPER,
    id: "thesis-lemma1",
    title: "Lemma 1: how many bit-fixing paths faults break",
    about: "Paths are counted over all `N^2` ordered pairs, at `n = 18` nearly 70 thousand million. For one fault the \
            lemma is exact, wherever the fault is. For more faults it counts a path once for every fault on it: \
            scattered faults come close to the bound; clustered ones share their paths and stay far below it.",
    charts: false,
    texts: Vec::new,
    compare: computed_once!(item => cells(item).unwrap_or_default()),
};

/// Cases with more than one fault: row, dimension, faults.
const MANY: [(&str, u8, &str); 7] = [
    ("n=8, 20 random faults", 8, "count:20"),
    ("n=14, 10 random faults", 14, "count:10"),
    ("n=14, ball of 10", 14, "ball:10"),
    ("n=14, subcube of 16", 14, "subcube:16"),
    ("n=14, 14 neighbors of a node", 14, "neighbors:14"),
    ("n=14, 1000 random faults", 14, "count:1000"),
    ("n=16, 1000 random faults", 16, "count:1000"),
];

fn cells(item: &Item) -> Option<Vec<PaperValue>> {
    let mut cells = Vec::new();
    for n in [6, 10, 14, 18] {
        let text = text(n, "count:1");
        let found = faulty_paths(&text)?.0;
        let row = format!("n={n}, one fault");
        let mut cell = equal(item, &text, (&row, "faulty bit-fixing paths"), found, paths_through_node(n) as f64);
        cell.remark = "exactly (n+2)N/2".into();
        cells.push(cell);
    }
    for (row, n, faults) in MANY {
        let text = text(n, faults);
        let (found, count) = faulty_paths(&text)?;
        let claim = Claim {
            statement: Statement::FaultyPaths,
            unmet_premise: None,
            bound: faulty_paths_bound(n, count) as f64,
            side: BoundSide::AtMost,
            measured: Some(found),
        };
        cells.push(bounded(item, &text, (row, "faulty bit-fixing paths"), &claim)?);
    }
    cells.extend(across(item, 6)?);
    Some(cells)
}

fn text(n: u8, faults: &str) -> String {
    format!("switch=permutation&net=cube:{n}&faults={faults}&route=algorithm-a")
}

/// Returns the number of ordered pairs whose path is faulty, and the number of faults.
fn faulty_paths(text: &str) -> Option<(f64, u32)> {
    let trial = trial(text)?;
    let active = trial.routing.active_set()?;
    Some((active.faulty_paths() as f64, active.faulty().count()))
}

/// Checks the claim of section 3.1.1 that every channel is on N/2 paths.
fn across(item: &Item, n: u8) -> Option<[PaperValue; 2]> {
    let (nodes, dims) = (1u64 << n, usize::from(n));
    let mut paths = vec![0u64; dims << n];
    for (from, to) in (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to))) {
        for link in bit_fixing_path(NodeId(from), NodeId(to)) {
            paths[link.from.0 as usize * dims + usize::from(link.dim)] += 1;
        }
    }
    let text = format!("switch=permutation&net=cube:{n}&faults=none&route=bit-fixing");
    let row = format!("n={n}, section 3.1.1");
    let cell = |column, value: u64| equal(item, &text, (&row, column), value as f64, edge_paths(n) as f64);
    Some([
        cell("paths across the channel with the most", *paths.iter().max()?),
        cell("paths across the channel with the fewest", *paths.iter().min()?),
    ])
}
