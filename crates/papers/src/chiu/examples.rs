//! Worked examples of sections I, III, IV and V.A, checked exactly.

use super::{PAPER, exact};
use crate::chiu::theorems::SingleFault;
use crate::{Item, PaperValue};
use faultlab_core::routing::{self, Criterion, Header, Position};
use faultlab_core::theory::{self, CutOff, Relabelling};
use faultlab_core::topology::{Hypercube, Link, NodeId, set_dimensions};
use faultlab_core::traffic::Pair;

pub(super) const EXAMPLES: Item = Item {
    paper: &PAPER,
    id: "chiu-examples",
    title: "Worked examples: paths, and the pairs that one fault cuts off",
    about: "The counts are exact, over all permitted paths. Where the paper lists the pairs, the computed pairs are the same.",
    charts: false,
    texts: Vec::new,
    compare: |item, _| examples(item).unwrap_or_default(),
};

const UP_24: &[(u64, u64)] = &[(24, 2), (24, 10), (24, 18), (24, 26)];
const UP_26: &[(u64, u64)] = &[(26, 0), (26, 8), (26, 16), (26, 24), (27, 0), (27, 8), (27, 16), (27, 24)];
const UP_11: &[(u64, u64)] = &[(8, 3), (9, 3), (10, 1), (10, 3), (10, 9), (12, 3), (13, 3), (14, 3), (15, 3)];

fn examples(item: &Item) -> Option<Vec<PaperValue>> {
    let five = Hypercube::new(5)?;
    let cut = |mut fault: SingleFault, id| theory::cut_off(five, &mut fault, &*routing::find(id).ok()?);
    let link = |from, dim| SingleFault::Link(Link { from: NodeId(from), dim });
    let node = SingleFault::Node(NodeId(11));
    let listed = |row, found: CutOff, printed: &str, pairs: &[(u64, u64)]| {
        let same = found.pairs().eq(pairs.iter().map(|&(from, to)| Pair { from: NodeId(from), to: NodeId(to) }));
        let mut cell = exact(item, row, "pairs cut off, UP", found.counts().cut_off as f64, printed, same);
        cell.remark = "the pairs that the paper lists".into();
        cell
    };
    let count = |row, column, found: CutOff, printed: &str| {
        let count = found.counts().cut_off;
        exact(item, row, column, count as f64, printed, printed.parse() == Ok(count))
    };
    let swapped = Relabelling::for_link(five, Link { from: NodeId(26), dim: 1 })?;
    let zeroed = Relabelling::for_node(five, NodeId(11))?;
    let ends = theory::with_ends(five, 0)?;
    let transit = "node 11 in the 5-cube, as an intermediate node";
    let mut cells = paths(item)?;
    cells.extend([
        listed("link 24_1 in the 5-cube", cut(link(24, 1), "up")?, "4", UP_24),
        count("link 24_1 in the 5-cube", "pairs cut off, e-cube", cut(link(24, 1), "e-cube")?, "16"),
        listed("link 26_1 in the 5-cube", cut(link(26, 1), "up")?, "8", UP_26),
        count("link 26_1 in the 5-cube", "pairs cut off, e-cube", cut(link(26, 1), "e-cube")?, ""),
        count(
            "link 26_1, dimensions 1 and 4 exchanged",
            "pairs cut off, DP",
            theory::relabelled_cut_off(five, &mut link(26, 1), &swapped)?,
            "1",
        ),
        listed(transit, cut(node, "up")?, "9", UP_11),
        count(transit, "pairs cut off, e-cube", cut(node, "e-cube")?, "49"),
        exact(item, "node 11 in the 5-cube, as an end", "pairs cut off, UP", ends as f64, "62", ends == 62),
        count(
            "node 11 relabelled as node 0, as an intermediate node",
            "pairs cut off, UP",
            theory::relabelled_cut_off(five, &mut SingleFault::Node(NodeId(11)), &zeroed)?,
            "0",
        ),
    ]);
    Some(cells)
}

/// Checks paths and legal links.
fn paths(item: &Item) -> Option<Vec<PaperValue>> {
    let (up, ecube) = (routing::find("up").ok()?.criterion()?, routing::find("e-cube").ok()?.criterion()?);
    let allowed = |criterion, path: &[u64]| {
        let nodes: Vec<_> = path.iter().map(|&node| NodeId(node)).collect();
        theory::is_permitted(criterion, &nodes)
    };
    let legal = |here: u64, to: u64| {
        let (low, free) = up.legal(Position { here: NodeId(here), wrong: here ^ to, header: Header::default() });
        low | free
    };
    let yes = |row, column, permitted: bool, printed: bool| {
        let digit = |yes| if yes { "1" } else { "0" };
        exact(item, row, column, f64::from(u8::from(permitted)), digit(printed), permitted == printed)
    };
    let links = |row, dims: u64, printed: &str| {
        let count = dims.count_ones();
        exact(item, row, "legal links, UP", f64::from(count), printed, printed.parse() == Ok(count))
    };
    let (one, two, three) = ([5, 7, 6, 14, 10], [5, 13, 15, 14, 10], [5, 13, 12, 8, 10]);
    let count = |criterion| path_count(criterion, 0, 15);
    Some(vec![
        yes("path 5-4-6-2-10 in the 4-cube", "permitted (1 = yes), e-cube", allowed(&ecube, &[5, 4, 6, 2, 10]), true),
        yes("path 5-7-6-14-10 in the 4-cube", "permitted (1 = yes), UP", allowed(&up, &one), true),
        yes("path 5-13-15-14-10 in the 4-cube", "permitted (1 = yes), UP", allowed(&up, &two), true),
        yes("path 5-13-12-8-10 in the 4-cube", "permitted (1 = yes), UP", allowed(&up, &three), false),
        links("Figure 3: from 0 to 15, at node 0", legal(0, 15), "4"),
        links("Figure 3: from 0 to 15, at node 1", legal(1, 15), "3"),
        links("Figure 3: at node 1, link 1_1 being reserved", legal(1, 15) & !0b10, "2"),
        exact(item, "Figure 3: from 0 to 15", "permitted paths, UP", count(&up) as f64, "", true),
        exact(item, "Figure 3: from 0 to 15", "permitted paths, e-cube", count(&ecube) as f64, "1", count(&ecube) == 1),
        links("section V.A: from 14 to 20 in the 5-cube, at node 14", legal(14, 20), "2"),
    ])
}

/// Returns the number of paths that a criterion without a header permits.
fn path_count(criterion: &Criterion, here: u64, to: u64) -> u64 {
    if here == to {
        return 1;
    }
    let (low, free) = criterion.legal(Position { here: NodeId(here), wrong: here ^ to, header: Header::default() });
    set_dimensions(low | free).map(|dim| path_count(criterion, here ^ 1 << dim, to)).sum()
}
