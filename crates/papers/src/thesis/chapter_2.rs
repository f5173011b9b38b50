//! Chapter 2: bit-fixing, Valiant & Brebner, and Kim & Shin.

use super::{PAPER, equal, exact, trial};
use crate::{Item, PaperValue};
use faultlab_core::fault::FaultyNodes;
use faultlab_core::routing::oblivious::{healthy_subcube, kim_shin_guarantee};
use faultlab_core::theory::oblivious::{ExpectedCongestion, bit_fixing_worst, oblivious_dependencies};
use faultlab_core::topology::{Hypercube, NodeId};

pub(super) const CHAPTER_2: Item = Item {
    paper: &PAPER,
    id: "thesis-previous-work",
    title: "Chapter 2: bit-fixing, Valiant & Brebner, Kim & Shin",
    about: "The exact number replaces the text's `Ω(√N)` for bit-fixing: no permutation loads a channel with more \
            than `2^floor((n-1)/2)` messages, and transpose loads one with that many for even n. In the available \
            text the fraction in bit-fixing's expected congestion for random destinations is missing: it is 1/2, and 1 \
            for randomized routing, which section 2.2 calls double. Kim & Shin's `log n + log log n + O(1)` faults are 5 \
            at `n = 10`, and the sixth can be one too many; the number grows so slowly that it is 7 from `n = 16` to \
            35.",
    charts: false,
    texts: Vec::new,
    compare: |item, _| cells(item).unwrap_or_default(),
};

fn text(n: u8, route: &str, traffic: &str) -> String {
    format!("switch=permutation&net=cube:{n}&faults=none&route={route}&traffic={traffic}")
}

fn cells(item: &Item) -> Option<Vec<PaperValue>> {
    let mut cells = vec![order(item, 4)?, order(item, 6)?];
    cells.extend(expected(item, 6)?);
    for (n, traffic) in
        [(6, "transpose"), (10, "transpose"), (10, "bit-reversal"), (11, "worst"), (15, "worst"), (16, "transpose")]
    {
        let text = text(n, "bit-fixing", traffic);
        let most = trial(&text)?.paths()?.max_congestion();
        let row = format!("bit-fixing, {traffic}, n={n}");
        let mut cell = equal(item, &text, (&row, "congestion"), f64::from(most), f64::from(bit_fixing_worst(n)));
        cell.remark = "2^floor((n-1)/2), where the text has Ω(√N)".into();
        cells.push(cell);
    }
    cells.extend(kim_shin(item)?);
    Some(cells)
}

/// Checks that bit-fixing is free of deadlock.
fn order(item: &Item, n: u8) -> Option<PaperValue> {
    let text = text(n, "bit-fixing", "random");
    let cycle = oblivious_dependencies(&*trial(&text)?.routing)?.acyclic_order().err();
    let length = cycle.map_or(0, |cycle| cycle.channels.len());
    let row = format!("bit-fixing, n={n}, all pairs");
    Some(equal(item, &text, (&row, "channels of a shortest cycle"), length as f64, 0.0))
}

/// Returns the cells of the expected congestion.
///
/// For bit-fixing with random destinations, the expected congestion is the largest number of paths
/// across a channel, divided by N. For randomized routing, it is computed for one permutation.
fn expected(item: &Item, n: u8) -> Option<[PaperValue; 3]> {
    let random = text(n, "bit-fixing", "random");
    let routing = trial(&random)?.routing;
    let nodes = || (0..=routing.cube().mask()).map(NodeId);
    let dims = usize::from(n);
    let mut paths = vec![0u32; dims << n];
    for route in nodes()
        .flat_map(|from| nodes().map(move |to| (from, to)))
        .filter_map(|(from, to)| routing.route_via(from, to, None).ok())
    {
        route.hops().for_each(|hop| paths[hop.link.from.0 as usize * dims + usize::from(hop.link.dim)] += 1);
    }
    let most = f64::from(paths.into_iter().max()?) / f64::from(1u32 << n);
    let transpose = text(n, "valiant-brebner", "transpose");
    let trial = trial(&transpose)?;
    let randomized = ExpectedCongestion::new(&*trial.routing, &trial.relation)?;
    let row = |name: &str| format!("{name}, n={n}");
    let [direct, two] = [row("bit-fixing, random destinations"), row("Valiant & Brebner, transpose")];
    let mut half = exact(item, &random, (&direct, "expected congestion"), most, "0.5", most == 0.5);
    half.remark = "of every channel".into();
    Some([
        half,
        equal(item, &transpose, (&two, "expected congestion"), randomized.max_congestion(), 1.0),
        equal(item, &transpose, (&two, "mean route length, hops"), randomized.mean_length()?, f64::from(n)),
    ])
}

/// Returns six faults at n = 10 that leave no healthy 8-cube.
///
/// In each dimension, the first five faults have a different word with three ones as their bits.
/// The sixth fault is node 0. Any two dimensions therefore have all four pairs of bits.
fn six_faults() -> Option<FaultyNodes> {
    let words: Vec<u64> = (0..32u64).filter(|word| word.count_ones() == 3).collect();
    let node = |row: u32| NodeId(words.iter().zip(0..).map(|(word, dim)| (word >> row & 1) << dim).sum());
    FaultyNodes::from_nodes(Hypercube::new(10)?, (0..6).map(node))
}

fn kim_shin(item: &Item) -> Option<Vec<PaperValue>> {
    let column = "faults that leave a healthy (n-2)-cube wherever they are";
    let guarantee = |n: u8, printed: &str| {
        let text = format!("switch=permutation&net=cube:{n}&faults=count:5&route=kim-shin");
        let count = kim_shin_guarantee(n);
        let row = format!("Kim & Shin, n={n}");
        exact(item, &text, (&row, column), f64::from(count), printed, printed.parse() == Ok(count))
    };
    let faulty = six_faults()?;
    let broken: Vec<_> = faulty.iter().map(|node| node.0.to_string()).collect();
    let text =
        format!("switch=permutation&net=cube:10&faults=none&break={}&route=kim-shin,algorithm-b", broken.join(","));
    let left = u8::from(healthy_subcube(&faulty).is_some());
    let mut six =
        exact(item, &text, ("Kim & Shin, n=10, six faults", "healthy 8-cubes left"), f64::from(left), "", true);
    six.remark = "placed on purpose: the scheme does not apply".into();
    Some(vec![
        guarantee(10, "5"),
        six,
        guarantee(5, ""),
        guarantee(15, ""),
        guarantee(20, ""),
        lower_bound_cell(item, 10)?,
        lower_bound_cell(item, 14)?,
    ])
}

/// Returns the cell of "There is a permutation giving congestion `Ω(√N)` under Kim and Shin's
/// scheme."
fn lower_bound_cell(item: &Item, n: u8) -> Option<PaperValue> {
    let text = format!("switch=permutation&net=cube:{n}&faults=none&route=kim-shin&traffic=transpose");
    let most = f64::from(trial(&text)?.paths()?.max_congestion());
    let root = f64::from(1u32 << (n / 2));
    let row = format!("Kim & Shin, transpose, n={n}");
    let mut cell = exact(item, &text, (&row, "congestion"), most, "", true);
    cell.remark = format!("{:.2} √N, in line with the Ω(√N) of section 2.3", most / root);
    Some(cell)
}
