//! Sections 2.2, 2.3 and 3.2: lower bounds for deterministic routing, the Chernoff step of Lemma 2, and
//! the storage for the sets of intermediate nodes.

use super::{PAPER, trial};
use crate::{Item, PaperValue, exact};
use faultlab_core::random::Key;
use faultlab_core::theory::SharedSource;
use faultlab_core::theory::oblivious::{
    bad_permutation, borodin_hopcroft, chernoff_distant_nodes, deterministic_congestion, distant_nodes,
    intermediate_table_bits,
};
use faultlab_core::topology::NodeId;

pub(super) const LOWER_BOUNDS: Item = Item {
    paper: &PAPER,
    id: "thesis-lower-bounds",
    title: "Sections 2.1, 2.2 and 3.2: cycles without deadlock, deterministic routing, the Chernoff step, storage",
    about: "Every deterministic oblivious routing has a bad permutation. It is built from the routing's own paths, as \
            in the proof, for bit-fixing, for Kim & Shin, and for Valiant & Brebner with one fixed intermediate node \
            for each pair. Each has more messages on one channel than the bound, `√(N/2)/n` rounded down. Far fewer \
            nodes are distant than the Chernoff bound of Lemma 2 allows. The network for Schwiebert's remark has a source, a \
            hub and a ring of three nodes: the dependency graph has a cycle, and a search of all states finds no \
            deadlock, because all messages first share a channel. A table of the valid intermediate nodes at \
            every node is why the thesis calls its algorithms impractical.",
    charts: false,
    texts: Vec::new,
    compare: computed_once!(item => cells(item).unwrap_or_default()),
};

fn cells(item: &Item) -> Option<Vec<PaperValue>> {
    let mut cells = Vec::new();
    for (n, route) in [(6, "bit-fixing"), (6, "kim-shin"), (8, "bit-fixing"), (8, "kim-shin"), (10, "bit-fixing")] {
        cells.push(congested(item, n, route)?);
    }
    for n in [6, 8] {
        cells.push(fixed_intermediate(item, n)?);
    }
    for n in [10, 16, 20] {
        cells.push(older_bound(item, n));
    }
    for n in [6, 8, 10, 12, 14, 16, 20] {
        cells.push(distant(item, n));
    }
    cells.extend(unreachable_cycle(item)?);
    for (n, faults) in [(6, "none"), (10, "none"), (14, "count:1")] {
        cells.extend(storage(item, n, faults)?);
    }
    Some(cells)
}

/// Builds the bad permutation of an algorithm, and routes it.
fn congested(item: &Item, n: u8, route: &str) -> Option<PaperValue> {
    let text = |traffic: &str| format!("switch=permutation&net=cube:{n}&faults=none&route={route}&traffic={traffic}");
    let routing = trial(&text("random"))?.routing;
    let found = bad_permutation(routing.cube(), |from, to, links| {
        links.extend(routing.route_via(from, to, None).iter().flat_map(|route| route.hops().map(|hop| hop.link)));
    })?;
    let listed: Vec<_> = found.messages.iter().map(|pair| format!("{}-{}", pair.from.0, pair.to.0)).collect();
    let text = text(&listed.join(","));
    let congestion = trial(&text)?.paths()?.max_congestion();
    Some(bounded_congestion(item, &text, n, route, congestion))
}

/// Builds the bad permutation of Valiant & Brebner with a fixed intermediate node for each pair.
fn fixed_intermediate(item: &Item, n: u8) -> Option<PaperValue> {
    let text = format!("switch=permutation&net=cube:{n}&faults=none&route=valiant-brebner");
    let (routing, key) = (trial(&text)?.routing, Key::from_seed(5));
    let found = bad_permutation(routing.cube(), |from, to, links| {
        let via = NodeId(key.word_at(from.0 << u32::from(n) | to.0) & routing.cube().mask());
        links.extend(routing.route_via(from, to, Some(via)).iter().flat_map(|route| route.hops().map(|hop| hop.link)));
    })?;
    let messages = found.messages.len() as u32;
    Some(bounded_congestion(item, &text, n, "valiant-brebner, fixed intermediate nodes", messages))
}

fn bounded_congestion(item: &Item, text: &str, n: u8, name: &str, congestion: u32) -> PaperValue {
    let (row, least) = (format!("Kaklamanis, Krizanc & Tsantilas, n={n}"), deterministic_congestion(n));
    let column = format!("congestion of the bad permutation, {name}");
    let mut cell = exact(item, text, (&row, &column), f64::from(congestion), &least.to_string(), congestion >= least);
    cell.remark = "claimed: at least √(N/2)/n, rounded down".into();
    cell
}

fn older_bound(item: &Item, n: u8) -> PaperValue {
    let text = format!("switch=permutation&net=cube:{n}&faults=none&route=bit-fixing&traffic=transpose");
    let row = format!("Borodin & Hopcroft, n={n}");
    let mut cell = exact(item, &text, (&row, "√N/d^1.5"), borodin_hopcroft(n), "", true);
    cell.remark = format!("up to a constant; the later bound is {}", deterministic_congestion(n));
    cell
}

/// Returns the cell of the nodes that are too far from a source.
fn distant(item: &Item, n: u8) -> PaperValue {
    let text = format!("switch=permutation&net=cube:{n}&faults=none&route=algorithm-a");
    let (row, found, bound) = (format!("Lemma 2, part 2, n={n}"), distant_nodes(n) as f64, chernoff_distant_nodes(n));
    let at = (&*row, "nodes further than (n + √(2n ln 6n))/2 from a node");
    let mut cell = exact(item, &text, at, found, &format!("{bound:.2}"), found <= bound);
    cell.remark = "claimed: at most N/6n".into();
    cell
}

/// Searches all states of a network with a dependency cycle that no message can close, and of the same
/// network without the shared channel.
fn unreachable_cycle(item: &Item) -> Option<Vec<PaperValue>> {
    let text = "switch=permutation&net=cube:3&faults=none&route=bit-fixing";
    let mut cells = Vec::new();
    for (is_shared, reuses_at_once) in [(true, false), (true, true), (false, false)] {
        let network = SharedSource { access: vec![1; 3], parts: vec![1; 3], is_shared, reuses_at_once };
        let found = network.search(1 << 20)?;
        let source = if is_shared { "one channel from the source" } else { "a source for each type" };
        let reuse = if reuses_at_once { "the same" } else { "the next" };
        let row = format!("Schwiebert, three message types, {source}, channels free in {reuse} cycle");
        let (at, deadlocks) = ((&*row, "deadlocks that can be reached"), f64::from(u8::from(found.deadlocks)));
        let mut cell = exact(item, text, at, deadlocks, if is_shared { "0" } else { "" }, !found.deadlocks);
        cell.remark =
            format!("{} states searched; the dependency cycle has {} channels", found.states, network.cycle_length());
        cells.push(cell);
    }
    Some(cells)
}

/// Returns the bits for the sets of intermediate nodes at one node, under Algorithms A and B.
fn storage(item: &Item, n: u8, faults: &str) -> Option<Vec<PaperValue>> {
    let row = format!("sets of intermediate nodes, n={n}, faults {faults}");
    let cell = |route: &str, column: &str, squares: bool| {
        let text = format!("switch=permutation&net=cube:{n}&faults={faults}&route={route}");
        let active = trial(&text)?.active_count();
        let (dimensions, active) = if squares { (n - 2, active / 4) } else { (n, active) };
        let bits = intermediate_table_bits(dimensions, active) as f64;
        let mut cell = exact(item, &text, (&row, column), bits, "", true);
        let whole = bits * active as f64 / 8.0;
        cell.remark = format!("a set for each of {active} destinations; {whole:.0} bytes if every source has a table");
        Some(cell)
    };
    Some(vec![cell("algorithm-a", "bits at a node, A", false)?, cell("algorithm-b", "bits at a square, B", true)?])
}
