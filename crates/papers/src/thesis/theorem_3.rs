//! Theorem 3 and Corollaries 3 and 4: Algorithm B.

use super::{PAPER, bounded, claims, equal, exact, trial};
use crate::{Item, PaperValue};
use faultlab_core::routing::oblivious::edge_rank;
use faultlab_core::theory::oblivious::{
    BoundSide, Claim, ExpectedCongestion, Statement, algorithm_b_expected, congestion_whp, oblivious_dependencies,
    opposite_at_least,
};

pub(super) const THEOREM_3: Item = Item {
    paper: &PAPER,
    id: "thesis-theorem3",
    title: "Theorem 3, Corollaries 3 and 4: Algorithm B",
    about: "Part 1 is checked over all possible routes: there is no cycle; Algorithm A has one of two channels from `n \
            = 2` on. Part 3 is tight on the channels from C00 to C01, which expect exactly `4h` messages. Inside C00 \
            and C01 the proof's 4h is twice too large: it counts both phases, and each subcube has one of them, hence \
            2h. On the other channels it is h, 2h or 3h. The mean length is `n + 2`, the cost of freedom from \
            deadlock. Under Corollary 3 the busiest channel carries about six times the unavoidable load and a fifth \
            of the proof's bound. Corollary 4 is Theorem 3 with `h = 1`.",
    charts: false,
    texts: Vec::new,
    compare: computed_once!(item => cells(item).unwrap_or_default()),
};

/// Classes of channels of Figure 3-7, with the thesis' bounds on their expected congestion in
/// multiples of h.
const CLASSES: [(&str, &[u8], f64); 4] = [
    ("inside C00 and C01", &[4, 6], 4.0),
    ("from C00 to C01", &[5], 4.0),
    ("from C10 to C00 and C01 to C00", &[3, 7], 3.0),
    ("the other four kinds", &[1, 2, 8, 9], 3.0),
];

const COUNTED: &[(Statement, &str)] = &[
    (Statement::Length, "2: longest route, hops"),
    (Statement::Congestion, "4: congestion"),
    (Statement::ActiveNodes, "active nodes"),
];

/// Row, and the keys of the experiment.
const LARGE: [(&str, &str); 4] = [
    ("n=14, worst for bit-fixing, no faults", "net=cube:14&faults=none&traffic=worst"),
    ("n=14, 8 random faults", "net=cube:14&faults=count:8"),
    ("n=14, ball of 8", "net=cube:14&faults=ball:8"),
    ("n=16, 1 fault", "net=cube:16&faults=count:1"),
];

fn cells(item: &Item) -> Option<Vec<PaperValue>> {
    let mut cells = Vec::new();
    for (n, id) in [(4, "algorithm-b"), (6, "algorithm-b"), (4, "algorithm-a")] {
        cells.push(order(item, n, id)?);
    }
    cells.extend(expected(item, 8)?);
    let few = [(Statement::TheoremCongestion, "3: expected congestion of any channel")];
    for (row, what) in
        [("n=9, transpose, no faults", "faults=none&traffic=transpose"), ("n=9, 1 fault", "faults=count:1")]
    {
        cells.extend(claims(item, &text(&format!("net=cube:9&{what}")), row, &few, true));
    }
    cells.extend(LARGE.iter().flat_map(|&(row, what)| claims(item, &text(what), row, COUNTED, false)));
    for n in [8, 10, 12] {
        cells.extend(corollary_3(item, n)?);
    }
    Some(cells)
}

fn text(what: &str) -> String {
    format!("switch=permutation&{what}&route=algorithm-b")
}

fn order(item: &Item, n: u8, id: &str) -> Option<PaperValue> {
    let text = format!("switch=permutation&net=cube:{n}&faults=none&route={id}");
    let trial = trial(&text)?;
    let cycle = oblivious_dependencies(&*trial.routing)?.acyclic_order().err();
    let length = cycle.map_or(0, |cycle| cycle.channels.len()) as f64;
    let (row, column) = (format!("n={n}, all routes, {id}"), "1: channels of a shortest cycle");
    match id {
        "algorithm-b" => Some(equal(item, &text, (&row, column), length, 0.0)),
        _ => Some(exact(item, &text, (&row, column), length, "", true)),
    }
}

/// Returns the cells of the expected congestion of each class, and of the mean length, without
/// faults.
fn expected(item: &Item, n: u8) -> Option<Vec<PaperValue>> {
    let text = text(&format!("net=cube:{n}&faults=none"));
    let trial = trial(&text)?;
    let expected = ExpectedCongestion::new(&*trial.routing, &trial.relation)?;
    let row = format!("n={n}, random, no faults");
    let mut cells = Vec::new();
    for (name, classes, bound) in CLASSES {
        let is_one = |class| classes.contains(&class);
        let most = expected.channels().filter(|&(link, _)| edge_rank(link).is_some_and(|rank| is_one(rank.class)));
        let most = most.map(|(_, expected)| expected).fold(0.0, f64::max);
        let claim = Claim {
            statement: Statement::TheoremCongestion,
            unmet_premise: None,
            bound,
            side: BoundSide::AtMost,
            measured: Some(most),
        };
        let mut cell = bounded(item, &text, (&row, &format!("3: expected congestion, {name}")), &claim)?;
        let closed = classes.iter().map(|&class| algorithm_b_expected(class)).fold(0.0, f64::max);
        cell.remark.push_str(&format!("; in closed form {closed}h"));
        cells.push(cell);
    }
    let mut length = exact(item, &text, (&row, "mean route length, hops"), expected.mean_length()?, "", true);
    length.remark = "exactly n + 2, where Algorithm A has n".into();
    cells.push(length);
    Some(cells)
}

/// Checks Corollary 3: every node sends n messages to the opposite node, so that some channel has
/// at least n messages.
fn corollary_3(item: &Item, n: u8) -> Option<[PaperValue; 2]> {
    let text = text(&format!("net=cube:{n}&faults=none&traffic=complement&h={n}"));
    let most = f64::from(trial(&text)?.paths()?.max_congestion());
    let row = format!("n={n}, n messages to the opposite node");
    let claim = |side, bound| Claim {
        statement: Statement::Congestion,
        unmet_premise: None,
        bound,
        side,
        measured: Some(most),
    };
    let least = claim(BoundSide::AtLeast, f64::from(opposite_at_least(u32::from(n))));
    // The middle phases are a 4h-relation on the hypercube of n-2 dimensions.
    let whp = claim(BoundSide::AtMost, congestion_whp(n - 2, 4.0 * f64::from(n)));
    Some([
        bounded(item, &text, (&row, "congestion, beside the least possible"), &least)?,
        bounded(item, &text, (&row, "congestion, beside Corollary 3's"), &whp)?,
    ])
}
