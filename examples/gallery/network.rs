//! Pictures of networks at the moment at which their examples open.

use faultlab::experiment::{Experiment, circuit, delivery, message, pairs};
use faultlab::report::kinds::{new_watch, proved};
use faultlab::report::pairs::matrix::MatrixPicture;
use faultlab::report::pairs::wording::PairTable;
use faultlab::report::picture::geometry::{Point, Size};
use faultlab::report::picture::scene::Scene;
use faultlab::report::watch::{ViewState, Watch};

/// Draws the dependency cycle of the first algorithm that has one.
pub(crate) fn cycle(experiment: &Experiment, size: Size) -> Option<Scene> {
    let checked = proved(experiment, false).ok()?;
    let cycle = (0..checked.names().len()).find_map(|number| checked.cycle(number))?;
    Some(cycle.draw(experiment, size))
}

/// Draws the network of the first algorithm. Circuits are drawn for two algorithms, which differ in
/// the number of held links.
pub(crate) fn scene(experiment: &Experiment, size: Size) -> Option<Scene> {
    let kind = experiment.kind();
    if kind == &pairs::KIND {
        return matrices(experiment, size);
    }
    let mut watch = new_watch(experiment)?;
    let mut shown = ViewState::default();
    let start = watch.begin(None, &mut shown);
    // The whole path of a single message is visible only at its end.
    let at_end = kind == &message::KIND;
    simulate_until(&mut *watch, if at_end { f64::INFINITY } else { experiment.view.time.unwrap_or(start) });
    watch.follow(&shown);
    let panels = watch.panels().min(if kind == &circuit::KIND { 2 } else { 1 });
    // Squares of subcubes and the wires of a tree need a larger picture. The legend below them is
    // cut off.
    let (zoom, below) = match () {
        () if kind == &delivery::KIND => (1.25, 66.0),
        () if experiment.setting.permutation().is_some() => (1.9, 70.0),
        () => (1.0, 0.0),
    };
    let size = Size::new(size.width * zoom, size.height * zoom);
    let each = Size::new(size.width / panels as f64, size.height + below);
    let scenes: Option<Vec<_>> = (0..panels).map(|panel| watch.draw(panel, each, &shown)).collect();
    Some(side_by_side(scenes?, size))
}

fn simulate_until(watch: &mut dyn Watch, time: f64) {
    while watch.end() < time && watch.work() {}
    watch.seek(time);
    while !watch.is_ready() {
        watch.work();
    }
}

/// Width of the row labels left of a matrix, which are cut off here.
const NAMES: f64 = 24.0;

/// Draws the matrices of disconnected pairs.
fn matrices(experiment: &Experiment, size: Size) -> Option<Scene> {
    let table = PairTable::new(experiment, true)?;
    let shown = table.columns.len().min(2);
    let wide = size.width / shown as f64;
    let side = wide.min(size.height) + NAMES / 2.0;
    let matrix = |column: usize| {
        let origin = Point::new((wide - side - NAMES) / 2.0, (size.height - side) / 2.0);
        Scene {
            size: Size::new(wide, size.height),
            shapes: MatrixPicture::whole(&table, column, origin, side).shapes(),
        }
    };
    Some(side_by_side((0..shown).map(matrix).collect(), size))
}

/// Places pictures side by side.
fn side_by_side(scenes: Vec<Scene>, size: Size) -> Scene {
    let mut all = Scene { size, shapes: Vec::new() };
    let mut left = 0.0;
    for scene in scenes {
        let wide = scene.size.width;
        all.shapes.extend(scene.shapes.into_iter().map(|shape| shape.moved(Point::new(left, 0.0))));
        left += wide;
    }
    all
}
