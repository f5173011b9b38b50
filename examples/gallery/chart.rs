//! Charts of the gallery, measured with low precision because the pictures are small.

use faultlab::experiment::{Experiment, Sweep, circuit, delivery, message, permutation, run_on_all_threads};
use faultlab::report::chart::axis::Axis;
use faultlab::report::chart::figure::{Curve, CurveStyle, Figure, Grid};
use faultlab::report::picture::geometry::{Point, Size};
use faultlab::report::picture::scene::{DASHES, Role, Scene, Shape};
use faultlab::report::sweep_charts::panels::{panels, printable_figures};

/// Margin around a plot, in pixels.
const MARGIN: f64 = 18.0;

/// Draws the chart of an experiment.
pub(crate) fn scene(experiment: &Experiment, size: Size) -> Scene {
    let sweep = run_on_all_threads(Sweep::new(&coarse(experiment)));
    let mut scene = Scene { size, shapes: Vec::new() };
    if let Some(figure) = printable_figures(panels(&sweep, &experiment.view, &[])).first() {
        match figure.grid {
            Some(grid) => draw_mesh_map(&mut scene, figure, grid),
            None => plot(&mut scene, figure),
        }
    }
    scene
}

/// Returns a copy of the experiment with few trials, which are enough for the shape of a curve. The
/// limit depends on the kind, because trials differ in cost.
fn coarse(experiment: &Experiment) -> Experiment {
    let kind = experiment.kind();
    let most = match () {
        () if kind == &message::KIND || kind == &circuit::KIND => 3000,
        () if kind == &permutation::KIND || kind == &delivery::KIND => 50,
        () => 400,
    };
    Experiment { within: experiment.within.max(0.05), trials: experiment.trials.min(most), ..experiment.clone() }
}

/// Draws axes and curves.
fn plot(scene: &mut Scene, figure: &Figure) {
    let (left, right, top, bottom) = (MARGIN, scene.size.width - MARGIN, MARGIN, scene.size.height - MARGIN);
    let x_axis = Axis::new(figure.x_range, !figure.powers.is_empty());
    let y_axis = Axis::new(figure.y_range, !figure.y_powers.is_empty());
    let at = |(x, y): (f64, f64)| {
        let (over, up) = (x_axis.share(x).clamp(0.0, 1.0), y_axis.share(y).clamp(0.0, 1.0));
        Point::new(left + (right - left) * over, bottom - (bottom - top) * up)
    };
    let line = |points: Vec<Point>, role, width, dash: &[f64], alpha| Shape::Stroke {
        points,
        role,
        width,
        dash: dash.to_vec(),
        alpha,
    };
    for part in 0..4 {
        let y = top + (bottom - top) * f64::from(part) / 4.0;
        scene.shapes.push(line(vec![Point::new(left, y), Point::new(right, y)], Role::Link, 1.0, &[], 0.35));
    }
    for limit in &figure.limits {
        let x = at((limit.x, 0.0)).x;
        scene.shapes.push(line(vec![Point::new(x, top), Point::new(x, bottom)], limit.role, 1.2, &[4.0, 4.0], 1.0));
    }
    for curve in &figure.curves {
        draw_curve(scene, curve, &at);
    }
    let axes = vec![Point::new(left, top), Point::new(left, bottom), Point::new(right, bottom)];
    scene.shapes.push(line(axes, Role::Idle, 1.5, &[], 1.0));
}

/// Draws a curve with its points. Intervals are left out: they would describe the coarse
/// measurement, not the experiment.
fn draw_curve(scene: &mut Scene, curve: &Curve, at: &impl Fn((f64, f64)) -> Point) {
    let finite = |points: &[(f64, f64)]| -> Vec<Point> {
        points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite()).map(at).collect()
    };
    let dash = DASHES[curve.dash % DASHES.len()].to_vec();
    let role = curve.role;
    if !matches!(curve.kind, CurveStyle::Published | CurveStyle::Apart | CurveStyle::Band) {
        let (alpha, width) = curve.stroke();
        for piece in curve.pieces() {
            scene.shapes.push(Shape::Stroke { points: finite(piece), role, width, dash: dash.clone(), alpha });
        }
    }
    let (fill, stroke) = if curve.is_hollow() { (Role::Paper, Some((role, 1.5))) } else { (role, None) };
    if matches!(curve.kind, CurveStyle::Measured | CurveStyle::Apart | CurveStyle::Published) {
        let discs = finite(&curve.points).into_iter().map(|at| Shape::Disc { at, radius: 3.0, fill, stroke });
        scene.shapes.extend(discs);
    }
}

/// Draws the nodes of a mesh as squares, darker for higher values.
fn draw_mesh_map(scene: &mut Scene, figure: &Figure, grid: Grid) {
    let (wide, high) = (scene.size.width / figure.curves.len() as f64, scene.size.height);
    let side = ((wide - MARGIN) / f64::from(grid.columns)).min((high - MARGIN) / f64::from(grid.rows));
    for (number, curve) in figure.curves.iter().enumerate() {
        let corner = Point::new(
            wide * (number as f64 + 0.5) - side * f64::from(grid.columns) / 2.0,
            (high - side * f64::from(grid.rows)) / 2.0,
        );
        let (least, most) =
            curve.points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), p| (a.min(p.1), b.max(p.1)));
        for &(x, y) in &curve.points {
            let (column, row) = (x % f64::from(grid.columns), (x / f64::from(grid.columns)).floor());
            let at = corner + Point::new(column + 0.5, row + 0.5) * side;
            let level = ((y - least) / (most - least) * 5.0).round() / 5.0;
            let ends = [-0.45, 0.45].map(|part| Point::new(at.x + side * part, at.y));
            let (role, width, alpha, dash) = (Role::Series(0), side * 0.9, 0.1 + 0.9 * level, vec![side]);
            scene.shapes.push(Shape::Stroke { points: ends.to_vec(), role, width, dash, alpha });
        }
    }
}
