//! Interactive chart: the point under the mouse or the keyboard focus is marked and described, and
//! a range can be selected by dragging.

use std::rc::Rc;

use web_sys::{HtmlCanvasElement, KeyboardEvent, MouseEvent, PointerEvent};
use yew::prelude::*;

use super::canvas;
use super::picture::point;
use super::plot::Plot;
use crate::experiment::Experiment;
use crate::report::chart::chart_point::ChartPoint;
use crate::report::chart::figure::Figure;
use crate::report::chart::frame::{ChartStep, PlotArea, nearest, spots, step};
use crate::report::chart::tip::{covered, is_inside, tip_corner, tip_side};
use crate::report::picture::geometry::{Point, Size};

/// Maximum distance between a click and the point that it keeps selected, in pixels.
const CLICK_RADIUS: f64 = 16.0;

/// Minimum distance of a drag, in pixels; less is a click.
const MIN_DRAG: f64 = 8.0;

/// Minimum height of a drag that selects a part of the y axis, in pixels.
const MIN_DRAG_HEIGHT: f64 = 48.0;

/// Part of a chart; an axis without a part stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ChartPart {
    pub(crate) x: Option<(f64, f64)>,
    pub(crate) y: Option<(f64, f64)>,
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// Id of the canvas.
    pub(crate) id: AttrValue,
    /// Chart to draw.
    pub(crate) figure: Option<Rc<Figure>>,
    /// Counter that changes when colours or sizes change.
    pub(crate) layout_version: u32,
    /// Callback that describes a point by lines, its name first.
    pub(crate) tell: Callback<ChartPoint, Vec<String>>,
    /// Callback that returns the experiment of a point for Watch; `None` for points that cannot be
    /// watched.
    pub(crate) watch: Callback<ChartPoint, Option<Experiment>>,
    /// Callback that opens an experiment.
    pub(crate) open: Callback<Experiment>,
    /// Callback for the visible part; `None` for the whole chart.
    pub(crate) zoom: Callback<Option<ChartPart>>,
    /// True if only a part of the chart is visible.
    pub(crate) is_zoomed: bool,
    /// Id of the description.
    #[prop_or(AttrValue::Static("tip"))]
    pub(crate) tip: AttrValue,
}

/// Renders the chart, with a description of the selected point.
#[component]
pub(crate) fn InteractiveChart(props: &Props) -> Html {
    let node = use_node_ref();
    // Curve and x of the selected point, whose y may change.
    let chosen = use_state_eq(|| None::<(usize, f64)>);
    // True if the selected point stays selected while the mouse moves.
    let kept = use_state_eq(|| false);
    let drag = use_state_eq(|| None::<(Point, Point)>);
    // Position of the last mouse press; `None` for a finger.
    let down = use_mut_ref(|| None::<Point>);
    let seen = FigureOnScreen { figure: props.figure.clone(), node: node.clone() };
    let spot = seen.spot(*chosen);
    let is_kept = *kept && spot.is_some();
    let onpointermove = {
        let (seen, chosen, kept, drag, down) =
            (seen.clone(), chosen.clone(), kept.clone(), drag.clone(), Rc::clone(&down));
        Callback::from(move |event: PointerEvent| {
            if !is_kept {
                // The kept point may have disappeared with its curve.
                if *kept {
                    kept.set(false);
                }
                chosen.set(seen.nearest(point(&event)).map(|spot| (spot.curve, spot.value.0)));
            }
            let start = down.borrow().filter(|_| event.buttons() & 1 == 1);
            let end = point(&event);
            drag.set(start.map(|start| (start, end)).filter(|&(start, end)| selects(end - start) != [false; 2]));
        })
    };
    let onpointerdown = {
        let down = Rc::clone(&down);
        Callback::from(move |event: PointerEvent| {
            let is_mouse = event.pointer_type() == "mouse";
            down.replace(is_mouse.then(|| point(&event)));
        })
    };
    let onclick = {
        let (seen, chosen, kept, drag) = (seen.clone(), chosen.clone(), kept.clone(), drag.clone());
        let zoom = props.zoom.clone();
        Callback::from(move |event: MouseEvent| {
            if let Some((start, end)) = *drag {
                drag.set(None);
                return zoom.emit(Some(seen.dragged(start, end)));
            }
            let spot = seen.nearest(point(&event));
            chosen.set(spot.map(|spot| (spot.curve, spot.value.0)));
            // A finger selects the nearest point, because it cannot point without a press.
            let is_finger = down.borrow().is_none();
            kept.set(spot.is_some_and(|spot| is_finger || spot.is_within(point(&event), CLICK_RADIUS)));
        })
    };
    let ondblclick = props.zoom.reform(|_: MouseEvent| None);
    let onpointerleave = {
        let (chosen, drag) = (chosen.clone(), drag.clone());
        Callback::from(move |_: PointerEvent| {
            if !is_kept {
                chosen.set(None);
            }
            drag.set(None);
        })
    };
    let watched = spot.and_then(|spot| props.watch.emit(spot));
    let onkeydown = {
        let (seen, chosen, kept, open, zoom) =
            (seen.clone(), chosen.clone(), kept.clone(), props.open.clone(), props.zoom.clone());
        let (watched, is_zoomed) = (watched.clone(), props.is_zoomed);
        Callback::from(move |event: KeyboardEvent| {
            match (&*event.key(), spot) {
                ("Escape", Some(_)) => {
                    chosen.set(None);
                    kept.set(false);
                }
                ("Escape", None) if is_zoomed => zoom.emit(None),
                ("Enter", Some(_)) => watched.iter().cloned().for_each(|watched| open.emit(watched)),
                (key, spot) => match (step_of(key), magnified(key)) {
                    (Some(by), _) => {
                        chosen.set(seen.step(spot, by));
                        kept.set(true);
                    }
                    (_, Some(factor)) => {
                        if let Some(part) = seen.around(spot, factor) {
                            zoom.emit(Some(ChartPart { x: Some(part), y: None }));
                        }
                    }
                    _ => return,
                },
            }
            event.prevent_default();
        })
    };
    let lines = spot.map(|spot| props.tell.emit(spot)).unwrap_or_default();
    let button = watched.filter(|_| is_kept).map(|watched| watch_button(watched, &props.open));
    html! {
        <div class="chart-area" ref={node} {onpointermove} {onpointerdown} {onclick} {ondblclick} {onpointerleave} {onkeydown}>
            <Plot id={props.id.clone()} figure={props.figure.clone()} layout_version={props.layout_version} keys=true />
            if let Some((start, end)) = *drag {
                <i class="drag" style={seen.drag_style(start, end)}></i>
            }
            // `for` would change the number of children and recreate the canvas, which would lose
            // the focus.
            if let Some(spot) = spot {
                <i class="mark" style={position_style(spot.pixel)}></i>
            }
            { tip(&seen, spot.map(|spot| spot.pixel), &lines, &props.tip, button) }
        </div>
    }
}

/// Renders the description beside the point, with the button of a point that stays selected. Without
/// a point the description is empty, and its element stays for screen readers.
fn tip(seen: &FigureOnScreen, at: Option<Point>, lines: &[String], id: &AttrValue, button: Option<Html>) -> Html {
    let (class, style) = match at {
        Some(at) => tip_position(seen, at, lines, button.is_some()),
        None => (classes!("tip"), String::new()),
    };
    html! {
        <div {class} {style}>
            <div role="status" id={id.clone()}>{ for lines.iter().map(|line| html! { <p>{line.clone()}</p> }) }</div>
            { for button }
        </div>
    }
}

/// Returns the CSS classes and the style of a description beside a point, where it covers the least of
/// the curves.
fn tip_position(seen: &FigureOnScreen, at: Point, lines: &[String], has_button: bool) -> (Classes, String) {
    let size = seen.size();
    let widest = (size.width * 0.45).clamp(120.0, 250.0);
    // The description is not rendered yet, so its height is an estimate.
    let letters = (widest / 8.0).max(1.0);
    let rows: f64 = lines.iter().map(|line| libm::ceil(line.chars().count() as f64 / letters)).sum();
    let height = rows * 20.0 + if has_button { 48.0 } else { 14.0 };
    let tip = Size::new(widest, height);
    let spots = seen.curve_points();
    let [is_left, is_above, is_below] = tip_side(at, size, tip, &spots);
    let corner = seen.plot().filter(|frame| {
        let corner = Point::new(frame.right - CORNER_GAP - tip.width, frame.bottom - CORNER_GAP - tip.height);
        let beside = tip_corner(at, tip, [is_left, is_above, is_below]);
        let covered = |corner| covered(corner, tip, &spots);
        !is_inside(corner, tip, at) && covered(corner) + CORNER_COST < covered(beside)
    });
    let side = |is: bool, class: &'static str| is.then_some(class);
    let (class, place) = match corner {
        Some(frame) => {
            let (right, bottom) = (size.width - frame.right + CORNER_GAP, size.height - frame.bottom + CORNER_GAP);
            (classes!("tip", "tip--corner"), format!("right:{right:.1}px;bottom:{bottom:.1}px"))
        }
        None => {
            let sides = [side(is_left, "tip--left"), side(is_above, "tip--above"), side(is_below, "tip--below")];
            (classes!("tip", sides.to_vec()), position_style(at))
        }
    };
    (class, format!("{place};max-width:{widest}px"))
}

/// Distance of a description from the lower right corner of the plot, in pixels.
const CORNER_GAP: f64 = 8.0;

/// Number of points of the curves that a description beside its point covers in addition before it
/// moves to the corner.
const CORNER_COST: usize = 6;

/// Renders the button that opens a point in Watch. The chart below the button does not receive its
/// events, whose coordinates are relative to the button.
fn watch_button(watched: Experiment, open: &Callback<Experiment>) -> Html {
    let open = open.clone();
    let onclick = Callback::from(move |event: MouseEvent| {
        event.stop_propagation();
        open.emit(watched.clone());
    });
    let ignore = Callback::from(|event: PointerEvent| event.stop_propagation());
    let ondblclick = Callback::from(|event: MouseEvent| event.stop_propagation());
    let onkeydown = Callback::from(|event: KeyboardEvent| {
        // The keys of the page, such as undo, still work.
        let key = event.key();
        let key = key.as_str();
        if key == "Enter" || step_of(key).is_some() || magnified(key).is_some() {
            event.stop_propagation();
        }
    });
    html! {
        <button type="button" {onclick} {ondblclick} onpointerdown={ignore.clone()} onpointermove={ignore} {onkeydown}>{"Watch this point"}</button>
    }
}

fn position_style(at: Point) -> String {
    format!("left:{:.1}px;top:{:.1}px", at.x, at.y)
}

/// Returns whether a drag selects a part of the x axis and of the y axis.
fn selects(by: Point) -> [bool; 2] {
    [by.x.abs() > MIN_DRAG, by.y.abs() > MIN_DRAG_HEIGHT]
}

fn step_of(key: &str) -> Option<ChartStep> {
    Some(match key {
        "ArrowLeft" => ChartStep::Back,
        "ArrowRight" => ChartStep::On,
        "ArrowUp" => ChartStep::Up,
        "ArrowDown" => ChartStep::Down,
        "Home" => ChartStep::First,
        "End" => ChartStep::Last,
        _ => return None,
    })
}

/// Returns the factor by which a key scales the visible part of the x axis.
fn magnified(key: &str) -> Option<f64> {
    match key {
        "+" | "=" => Some(0.5),
        "-" => Some(2.0),
        _ => None,
    }
}

/// Figure with the element that shows it.
#[derive(Clone)]
struct FigureOnScreen {
    figure: Option<Rc<Figure>>,
    node: NodeRef,
}

impl FigureOnScreen {
    fn size(&self) -> Size {
        let canvas = self.node.cast::<web_sys::Element>().and_then(|element| element.first_element_child());
        let canvas = canvas.and_then(|child| wasm_bindgen::JsCast::dyn_into::<HtmlCanvasElement>(child).ok());
        canvas.map(|canvas| canvas::size(&canvas)).unwrap_or_default()
    }

    fn spots(&self) -> Vec<ChartPoint> {
        self.figure.as_ref().map_or_else(Vec::new, |figure| spots(figure, self.size()))
    }

    /// Returns points along all curves. Curves with many points are dense without further points.
    fn curve_points(&self) -> Vec<Point> {
        const MAX_PARTS: usize = 12;
        const MAX_POINTS: usize = 3000;
        let spots = self.spots();
        let parts = (MAX_POINTS / spots.len().max(1)).clamp(1, MAX_PARTS) as u32;
        let pairs = spots.windows(2).filter_map(|pair| match pair {
            [a, b] if a.curve == b.curve => Some((a.pixel, b.pixel)),
            _ => None,
        });
        let along =
            |(a, b): (Point, Point)| (1..parts).map(move |part| a + (b - a) * (f64::from(part) / f64::from(parts)));
        pairs.flat_map(along).chain(spots.iter().map(|spot| spot.pixel)).collect()
    }

    fn nearest(&self, at: Point) -> Option<ChartPoint> {
        let spots = self.spots();
        spots.get(nearest(self.figure.as_ref()?, &spots, at)?).copied()
    }

    /// Returns the point of a curve at this x.
    fn spot(&self, chosen: Option<(usize, f64)>) -> Option<ChartPoint> {
        let (curve, x) = chosen?;
        self.spots().into_iter().find(|spot| spot.curve == curve && spot.value.0 == x)
    }

    /// Returns the curve and x of the point after a step.
    fn step(&self, from: Option<ChartPoint>, by: ChartStep) -> Option<(usize, f64)> {
        let spots = self.spots();
        let from = from.and_then(|from| spots.iter().position(|spot| *spot == from));
        spots.get(step(self.figure.as_ref()?, &spots, from, by)?).map(|spot| (spot.curve, spot.value.0))
    }

    /// Returns the frame of the figure, if it has a numeric x axis.
    fn plot(&self) -> Option<PlotArea> {
        let figure = self.figure.as_deref().filter(|figure| figure.grid.is_none() && figure.names.is_empty())?;
        Some(PlotArea::new(figure, self.size()))
    }

    /// Returns the visible part of the x axis scaled by `factor`, with the selected point or the
    /// middle fixed.
    fn around(&self, spot: Option<ChartPoint>, factor: f64) -> Option<(f64, f64)> {
        let frame = self.plot()?;
        let fixed = spot.map_or((frame.left + frame.right) / 2.0, |spot| spot.pixel.x);
        let moved = |edge: f64| fixed + (edge - fixed) * factor;
        self.part(moved(frame.left), moved(frame.right))
    }

    /// Returns the part over which the mouse was dragged.
    fn dragged(&self, start: Point, end: Point) -> ChartPart {
        let Some(frame) = self.plot() else { return ChartPart::default() };
        let [across, down] = selects(end - start);
        let x = |at: Point| at.x.max(frame.left).min(frame.right);
        let y = |at: Point| frame.y_at(at.y.max(frame.top).min(frame.bottom));
        let y = sorted_part(y(start), y(end));
        ChartPart { x: self.part(x(start), x(end)).filter(|_| across), y: y.filter(|_| down) }
    }

    /// Returns the position of the rectangle over which the mouse was dragged; an axis of which no
    /// part is selected is covered whole.
    fn drag_style(&self, start: Point, end: Point) -> String {
        let Some(frame) = self.plot() else { return String::new() };
        let [across, down] = selects(end - start);
        let side = |selected: bool, start: f64, end: f64, whole: (f64, f64)| {
            let (low, high) = if selected { (start.min(end), start.max(end)) } else { whole };
            (low, high - low)
        };
        let (left, width) = side(across, start.x, end.x, (frame.left, frame.right));
        let (top, height) = side(down, start.y, end.y, (frame.top, frame.bottom));
        format!("left:{left}px;width:{width}px;top:{top}px;height:{height}px")
    }

    /// Returns the part of the x axis between two pixels, rounded to readable digits; `None`
    /// without a numeric axis or for an empty part.
    fn part(&self, start: f64, end: f64) -> Option<(f64, f64)> {
        let frame = self.plot()?;
        sorted_part(frame.x_at(start), frame.x_at(end))
    }
}

/// Returns the part of an axis between two values, rounded to readable digits; `None` if it is
/// empty.
pub(crate) fn sorted_part(a: f64, b: f64) -> Option<(f64, f64)> {
    let rounded = |value: f64| format!("{value:.3e}").parse::<f64>().ok();
    rounded(a.min(b)).zip(rounded(a.max(b))).filter(|(low, high)| low < high)
}
