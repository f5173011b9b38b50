//! Theorem 2: Algorithm A with faults.

use super::{PAPER, claims};
use crate::{Item, PaperValue};
use faultlab_core::theory::oblivious::Statement;

pub(super) const THEOREM_2: Item = Item {
    paper: &PAPER,
    id: "thesis-theorem2",
    title: "Theorem 2: Algorithm A among faults",
    about: "One random permutation is drawn at the theorem's limit and far beyond. Part 1 is computed exactly \
            without faults and, beyond the claim, with some. The o(1) of part 1 is `1/(n-1)`. The o(1) of part 5 is \
            large: the length cap is `1.75n` at `n = 16`, where permutations need all or nearly all of it, and falls \
            to `1.1n` near `n = 1900`.",
    charts: false,
    texts: Vec::new,
    compare: computed_once!(item => cells(item)),
};

const EXPECTED: &[(Statement, &str)] = &[(Statement::TheoremCongestion, "1: expected congestion of any channel")];

const COUNTED: &[(Statement, &str)] = &[
    (Statement::Congestion, "2: congestion"),
    (Statement::Load, "4: load"),
    (Statement::Length, "5: longest route, hops"),
    (Statement::ActiveNodes, "active nodes"),
];

/// Instances with exact expectations: row, and the keys of the experiment.
const SMALL: [(&str, &str); 3] = [
    ("n=9, transpose, no faults", "net=cube:9&faults=none&traffic=transpose"),
    ("n=9, 1 fault", "net=cube:9&faults=count:1"),
    ("n=9, 4 faults", "net=cube:9&faults=count:4"),
];
/// Instances whose routes are counted: row, and the keys of the experiment.
const LARGE: [(&str, &str); 4] = [
    ("n=14, 1 fault", "net=cube:14&faults=count:1"),
    ("n=14, ball of 16", "net=cube:14&faults=ball:16"),
    ("n=14, 64 random faults", "net=cube:14&faults=count:64"),
    ("n=16, 4 random faults", "net=cube:16&faults=count:4"),
];

fn cells(item: &Item) -> Vec<PaperValue> {
    let text = |what: &str| format!("switch=permutation&{what}&route=algorithm-a");
    let small = SMALL.iter().flat_map(|&(row, what)| claims(item, &text(what), row, EXPECTED, true));
    small.chain(LARGE.iter().flat_map(|&(row, what)| claims(item, &text(what), row, COUNTED, false))).collect()
}
