//! Lemmas 1 and 2: the load factor, and the load of other networks on a fat-tree.

use super::{PAPER, bounded_cell, completed_run, equal, experiment, full, plain, tree, trial};
use crate::{Item, PaperValue};
use faultlab_core::theory::fat_tree::{LoadFactor, embedded_steps};
use faultlab_core::theory::oblivious::BoundSide;
use faultlab_core::topology::fat_tree::FatTree;

pub(super) const LOAD: Item = Item {
    paper: &PAPER,
    id: "fat-tree-load",
    title: "Lemmas 1 and 2: load factors, and steps of a mesh and a hypercube",
    about: "Lemma 1: none of the 254 cuts of 8 processors has a larger load factor than the channels. Lemma 2: a step \
            of a mesh placed on the tree as in the plane has a constant load factor, 6 with leaf channels of one \
            wire; with six times the wires it is the 1 of the proof, and one delivery cycle is enough. Row by row, \
            where subtrees are not squares, the load factor grows with n, from 8.5 at `n = 256` to 16.25 at `n = \
            4096`. A hypercube of `n` nodes has `n/2` links across the middle and does not fit the area of the tree: \
            Lemma 2 does not cover it.",
    charts: false,
    texts: Vec::new,
    compare: computed_once!(item => cells(item).unwrap_or_default()),
};

fn cells(item: &Item) -> Option<Vec<PaperValue>> {
    let mut cells = Vec::new();
    for (capacity, traffic) in
        [("standard", "random*4"), ("volume", "complement"), ("skinny", "random*2"), ("doubling", "all-to-one:5")]
    {
        let text = format!("net=tree:8&traffic={traffic}&capacity={capacity}");
        let (tree, trial) = (tree(&experiment(&text)?)?, trial(&text)?);
        let row = format!("Lemma 1, n=8, {capacity}, {traffic}");
        let most = most_of_cuts(tree, trial.messages.ends());
        let mut cell = equal(item, &full(&text), (&row, "load factor of channels"), trial.load_factor.value(), most);
        cell.remark = "claimed: that of all cuts".into();
        cells.push(cell);
    }
    for n in [256, 1024, 4096] {
        cells.extend(step_cells(item, n)?);
    }
    for (n, wires) in [(256, "6,6,12,12,24,24,48,48,96"), (1024, "6,6,12,12,24,24,48,48,96,96,192")] {
        let text = format!("net=tree:{n}&route=greedy&traffic=mesh:z-order&capacity=custom:{wires}");
        let row = format!("Lemma 2, n={n}, six times the wires");
        let load = LoadFactor::new(&trial(&text)?.channels, trial(&text)?.messages.ends());
        cells.push(bounded_cell(item, &text, (&row, "load factor, mesh"), load.value(), (BoundSide::AtMost, 1.0)));
        let cycles = completed_run(&text)?.counts().completion as f64;
        cells.push(equal(item, &full(&text), (&row, "delivery cycles, mesh"), cycles, 1.0));
    }
    Some(cells)
}

/// Returns the cells of a step of the mesh, in Z-order and row by row, and of the hypercube, on the
/// standard tree.
fn step_cells(item: &Item, n: u32) -> Option<Vec<PaperValue>> {
    let tree = tree(&experiment(&format!("net=tree:{n}"))?)?;
    let row = format!("Lemma 2, n={n}, standard");
    let cell = |step: &faultlab_core::theory::fat_tree::EmbeddedStep| {
        let text = format!("net=tree:{n}&traffic={}", step.pattern);
        let column = format!("load factor, {}", step.pattern);
        let remark = format!("{} links across the middle of the network", step.bisection);
        plain(item, &text, (&row, &column), step.load_factor.value(), &remark)
    };
    let mut cells: Vec<_> = embedded_steps(tree).iter().map(cell).collect();
    // The bound is the perimeter of a square, or of half a square, over the wires of its channel.
    let first = cells.first_mut()?;
    let text = format!("net=tree:{n}&traffic=mesh:z-order");
    *first = bounded_cell(item, &text, (&row, &first.column), first.measured?, (BoundSide::AtMost, 6.0));
    first.remark = "claimed: at most a constant, here 6".into();
    Some(cells)
}

/// Returns the largest load factor of all cuts of 8 processors, each with its fewest wires.
fn most_of_cuts(tree: FatTree, ends: &[[u32; 2]]) -> f64 {
    // Nodes are numbered as in a heap: 1 is the root, 8 to 15 are the leaves. Bits 1 to 7 of
    // `inner` assign the inner nodes to the two parts of the cut.
    let wires = |set: u32, inner: u32| {
        let side = |node: u32| if node < 8 { inner >> node & 1 } else { set >> (node - 8) & 1 };
        let edges = (2..16u32).filter(|&node| side(node) != side(node / 2));
        edges.map(|node| tree.capacity(3 - node.ilog2() as u8)).sum::<u32>()
    };
    let factor = |set: u32| {
        let fewest = (0..256).step_by(2).map(|inner| wires(set, inner)).min().unwrap_or(1);
        let load = ends.iter().filter(|ends| set >> ends[0] & 1 == 1 && set >> ends[1] & 1 == 0).count();
        load as f64 / f64::from(fewest)
    };
    (1..255).map(factor).fold(0.0, f64::max)
}
