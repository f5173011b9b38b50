//! Tests of fault regions that are not rectangles: closure, outlines, and routing around them.

use std::collections::BTreeSet;

use faultlab::fault::BlockFaults;
use faultlab::fault::block::RegionForm;
use faultlab::random::below;
use faultlab::theory::MeshDependencies;
use faultlab::topology::NodeId;

use super::{generator, mesh};
use crate::common::{is_thorough, worm};

/// A set of cells (row, column), ascending, with the least row and column 0.
type Shape = Vec<(i32, i32)>;

fn normalized(cells: &BTreeSet<(i32, i32)>) -> Shape {
    let row = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
    let column = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
    cells.iter().map(|cell| (cell.0 - row, cell.1 - column)).collect()
}

/// Returns all connected shapes of `count` cells, each orientation by itself.
fn shapes(count: usize) -> BTreeSet<Shape> {
    let mut found = BTreeSet::from([vec![(0, 0)]]);
    for _ in 1..count {
        let grow = |shape: &Shape| {
            let mut grown = BTreeSet::new();
            for &(row, column) in shape {
                for cell in [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)] {
                    let mut cells: BTreeSet<_> = shape.iter().copied().collect();
                    if cells.insert(cell) {
                        grown.insert(normalized(&cells));
                    }
                }
            }
            grown
        };
        found = found.iter().flat_map(grow).collect();
    }
    found
}

/// Returns the faults of `shape` in the middle of a 9 x 9 mesh.
fn faults(shape: &Shape, form: RegionForm) -> BlockFaults {
    let mesh = mesh(9, 9);
    let nodes: Vec<_> = shape.iter().filter_map(|&(row, column)| mesh.node(row + 3, column + 3)).collect();
    BlockFaults::with_form(mesh, &nodes, &[], form)
}

/// Returns whether the dependency graph is acyclic and all messages arrive.
fn is_safe(faults: &BlockFaults, id: &str) -> bool {
    let found = MeshDependencies::build(faults, worm(id)).expect("a small mesh");
    let arrivals = found.arrivals();
    arrivals.lost + arrivals.livelocked == 0 && found.graph().acyclic_order().is_ok()
}

/// The numbers of fixed polyominoes (OEIS A001168).
#[test]
fn all_shapes_are_enumerated() {
    assert_eq!([1, 2, 3, 4, 5].map(|count| shapes(count).len()), [1, 2, 6, 19, 63]);
}

/// Section VII, one region of any shape: no live node is given up, and every message arrives.
#[test]
fn notches_tolerate_every_single_region() {
    let most = if is_thorough() { 5 } else { 4 };
    for shape in (1..=most).flat_map(shapes) {
        let faults = faults(&shape, RegionForm::Any);
        assert_eq!(faults.members().count(), 81 - shape.len(), "{shape:?}");
        for id in ["f-cube2-notches", "f-cube4-notches", "lh4-notches"] {
            assert!(worm(id).is_proved(&faults) && is_safe(&faults, id), "{id} {shape:?}");
        }
    }
}

/// Section VII, several regions inscribed in disjoint rectangles; the rectangles may touch borders.
#[test]
fn notches_tolerate_several_regions() {
    let mut with_notches = 0;
    for number in 0..40 {
        let mut generator = generator(number);
        let mesh = mesh(10, 9);
        let nodes: Vec<_> = (0..3)
            .flat_map(|_| {
                let (row, column) = (below(&mut generator, 10) as i32, below(&mut generator, 9) as i32);
                let other = [(1, 1), (1, -1), (2, 1), (0, 2)][below(&mut generator, 4) as usize];
                let cells = [(row, column), (row + other.0, column), (row + other.0, column + other.1)];
                cells.into_iter().filter_map(|(row, column)| mesh.node(row, column)).collect::<Vec<NodeId>>()
            })
            .collect();
        for form in [RegionForm::Solid, RegionForm::Any] {
            let faults = BlockFaults::with_form(mesh, &nodes, &[], form);
            for id in ["f-cube2-notches", "f-cube4-notches", "lh4-notches"] {
                if worm(id).is_proved(&faults) {
                    assert!(is_safe(&faults, id), "{id} {nodes:?}");
                    with_notches += usize::from(faults.gates().is_some_and(|gates| gates.notch_nodes() > 0));
                }
            }
        }
    }
    assert!(with_notches > 50, "{with_notches}");
}

/// Rings that follow the outline: which regions f-cube2 and f-cube4 tolerate as they are.
#[test]
fn outlines_alone_fail_from_four_nodes_on() {
    for id in ["f-cube2", "f-cube4"] {
        assert!((1..=3).flat_map(shapes).all(|shape| is_safe(&faults(&shape, RegionForm::Any), id)), "{id}");
        // The T that points West.
        assert!(!is_safe(&faults(&vec![(0, 1), (1, 0), (1, 1), (2, 1)], RegionForm::Any), id), "{id}");
    }
}

/// Without other shapes, the extended algorithms are the original ones.
#[test]
fn after_block_closure_notches_change_nothing() {
    let faults = faults(&vec![(0, 0), (1, 0), (1, 1)], RegionForm::Blocks);
    assert!(faults.gates().is_none() && faults.are_boxes());
    for (id, original) in [("f-cube2-notches", "f-cube2"), ("f-cube4-notches", "f-cube4"), ("lh4-notches", "lh4")] {
        let graph = |id| MeshDependencies::build(&faults, worm(id)).expect("a small mesh");
        assert_eq!(graph(id).graph().dependencies(), graph(original).graph().dependencies(), "{id}");
    }
}
