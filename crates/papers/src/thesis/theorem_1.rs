//! Theorem 1: congestion and load of general randomized routing.

use super::{PAPER, claims};
use crate::{Item, PaperValue};
use faultlab_core::theory::oblivious::Statement;

pub(super) const THEOREM_1: Item = Item {
    paper: &PAPER,
    id: "thesis-theorem1",
    title: "Theorem 1: congestion and load of general randomized routing",
    about: "I is the size of the smallest set of valid intermediate nodes of these messages; the expectations are \
            exact, over all choices. Parts 1 and 3 are tight: without faults every channel expects h messages, except \
            for those that the length cap excludes. Parts 2 and 4, which hold with high probability, are four to \
            seven times too conservative here. As written, part 2 is proved with probability `1 - 1/4N` only: its \
            union bound counts the `nN/2` undirected edges instead of the `nN` channels.",
    charts: false,
    texts: Vec::new,
    compare: computed_once!(item => cells(item)),
};

const STATEMENTS: [(Statement, &str); 4] = [
    (Statement::ExpectedCongestion, "1: expected congestion of any channel"),
    (Statement::Congestion, "2: congestion, one draw"),
    (Statement::ExpectedLoad, "3: expected load of any node"),
    (Statement::Load, "4: load, one draw"),
];

/// Row, and the keys of the experiment.
const INSTANCES: [(&str, &str); 5] = [
    ("n=8, transpose", "net=cube:8&faults=none&traffic=transpose"),
    ("n=8, random, h=8", "net=cube:8&faults=none&h=8"),
    ("n=8, 1 fault, random", "net=cube:8&faults=count:1"),
    ("n=9, ball of 10 faults, random", "net=cube:9&faults=ball:10"),
    ("n=9, 12 faults, tolerance 0.2, random", "net=cube:9&faults=count:12&tolerance=0.2"),
];

fn cells(item: &Item) -> Vec<PaperValue> {
    let cells = |&(row, what): &(&str, &str)| {
        let text = format!("switch=permutation&{what}&route=algorithm-a");
        claims(item, &text, row, &STATEMENTS, true)
    };
    INSTANCES.iter().flat_map(cells).collect()
}
