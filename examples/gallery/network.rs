//! Networks, at the moment at which their examples open.

use faultlab::experiment::{Experiment, circuit, delivery, message, pairs};
use faultlab::report::kinds::{played, proved};
use faultlab::report::pairs::matrix::MatrixPicture;
use faultlab::report::pairs::words::PairTable;
use faultlab::report::picture::geometry::{Point, Size};
use faultlab::report::picture::scene::Scene;
use faultlab::report::watch::{Shown, Watch};

/// The cycle that the first algorithm with one has.
pub(crate) fn cycle(experiment: &Experiment, size: Size) -> Option<Scene> {
    let checked = proved(experiment, false).ok()?;
    let cycle = (0..checked.names().len()).find_map(|number| checked.cycle(number))?;
    Some(cycle.draw(experiment, size))
}

/// What is watched: of algorithms that have a picture each the first one; of circuits two, which differ in how much of them is held.
pub(crate) fn scene(experiment: &Experiment, size: Size) -> Option<Scene> {
    let kind = experiment.kind();
    if kind == &pairs::KIND {
        return matrices(experiment, size);
    }
    let mut watch = played(experiment)?;
    let mut shown = Shown::default();
    let start = watch.begin(None, &mut shown);
    // All of the way of a single message is seen where it ends.
    let at_end = kind == &message::KIND;
    go(&mut *watch, if at_end { f64::INFINITY } else { experiment.view.time.unwrap_or(start) });
    watch.follow(&shown);
    let panels = watch.panels().min(if kind == &circuit::KIND { 2 } else { 1 });
    // Squares of subcubes and the wires of a tree have room for all that they show in a larger picture only; what explains their
    // signs stands below, in words that are left out here.
    let (zoom, below) = match () {
        () if kind == &delivery::KIND => (1.25, 66.0),
        () if experiment.setting.permutation().is_some() => (1.9, 70.0),
        () => (1.0, 0.0),
    };
    let size = Size::new(size.width * zoom, size.height * zoom);
    let each = Size::new(size.width / panels as f64, size.height + below);
    let scenes: Option<Vec<_>> = (0..panels).map(|panel| watch.draw(panel, each, &shown)).collect();
    Some(beside(scenes?, size))
}

fn go(watch: &mut dyn Watch, time: f64) {
    while watch.end() < time && watch.work() {}
    watch.seek(time);
    while !watch.is_there() {
        watch.work();
    }
}

/// The room left of a matrix, for names of rows that are left out here.
const NAMES: f64 = 24.0;

/// The matrices of the pairs that are cut off.
fn matrices(experiment: &Experiment, size: Size) -> Option<Scene> {
    let table = PairTable::new(experiment, true)?;
    let shown = table.columns.len().min(2);
    let wide = size.width / shown as f64;
    let side = wide.min(size.height) + NAMES / 2.0;
    let matrix = |column: usize| {
        let origin = Point::new((wide - side - NAMES) / 2.0, (size.height - side) / 2.0);
        Scene {
            size: Size::new(wide, size.height),
            shapes: MatrixPicture { table: &table, column, origin, side }.shapes(),
        }
    };
    Some(beside((0..shown).map(matrix).collect(), size))
}

/// Pictures beside each other.
fn beside(scenes: Vec<Scene>, size: Size) -> Scene {
    let mut all = Scene { size, shapes: Vec::new() };
    let mut left = 0.0;
    for scene in scenes {
        let wide = scene.size.width;
        all.shapes.extend(scene.shapes.into_iter().map(|shape| shape.moved(Point::new(left, 0.0))));
        left += wide;
    }
    all
}
