//! Interactive chart: the point under the mouse or the keyboard focus is marked and described, and
//! a range can be selected by dragging.

use std::rc::Rc;

use web_sys::{HtmlCanvasElement, KeyboardEvent, MouseEvent, PointerEvent};
use yew::prelude::*;

use super::canvas;
use super::picture::point;
use super::plot::Plot;
use crate::report::chart::chart_point::ChartPoint;
use crate::report::chart::figure::Figure;
use crate::report::chart::frame::{ChartStep, PlotArea, nearest, spots, step};
use crate::report::picture::geometry::{Point, Size};

/// Maximum distance of a click from the point that it opens, in pixels.
const CLICK_RADIUS: f64 = 16.0;

/// Minimum distance of a drag, in pixels; less is a click.
const MIN_DRAG: f64 = 8.0;

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
    /// Callback that opens a point.
    pub(crate) open: Callback<ChartPoint>,
    /// Callback for the visible part of the x axis; `None` for the whole axis.
    pub(crate) zoom: Callback<Option<(f64, f64)>>,
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
    let drag = use_state_eq(|| None::<(f64, f64)>);
    // Position of the last mouse press, and whether the point under a finger was already selected
    // before the touch.
    let (down, shown) = (use_mut_ref(|| None::<f64>), use_mut_ref(|| true));
    let seen = FigureOnScreen { figure: props.figure.clone(), node: node.clone() };
    let choose = |at: &UseStateHandle<Option<(usize, f64)>>| {
        let (seen, chosen) = (seen.clone(), at.clone());
        move |event: &MouseEvent| {
            let spot = seen.nearest(point(event));
            chosen.set(spot.map(|spot| (spot.curve, spot.value.0)));
            spot
        }
    };
    let onpointermove = {
        let (choose, drag, down) = (choose(&chosen), drag.clone(), Rc::clone(&down));
        Callback::from(move |event: PointerEvent| {
            choose(&event);
            let start = down.borrow().filter(|_| event.buttons() & 1 == 1);
            let end = point(&event).x;
            drag.set(start.filter(|start| (start - end).abs() > MIN_DRAG).map(|start| (start, end)));
        })
    };
    let onpointerdown = {
        let (seen, chosen, down, shown) = (seen.clone(), chosen.clone(), Rc::clone(&down), Rc::clone(&shown));
        Callback::from(move |event: PointerEvent| {
            let mouse = event.pointer_type() == "mouse";
            let same = seen.nearest(point(&event)).map(|spot| (spot.curve, spot.value.0)) == *chosen;
            shown.replace(mouse || same);
            down.replace(mouse.then(|| point(&event).x));
        })
    };
    let onclick = {
        let (choose, seen, drag, shown) = (choose(&chosen), seen.clone(), drag.clone(), Rc::clone(&shown));
        let (open, zoom) = (props.open.clone(), props.zoom.clone());
        Callback::from(move |event: MouseEvent| {
            let spot = choose(&event);
            if let Some((start, end)) = *drag {
                drag.set(None);
                zoom.emit(seen.dragged(start, end));
            } else if let Some(spot) =
                spot.filter(|spot| spot.is_within(point(&event), CLICK_RADIUS) && *shown.borrow())
            {
                open.emit(spot);
            }
        })
    };
    let ondblclick = props.zoom.reform(|_: MouseEvent| None);
    let onpointerleave = {
        let (chosen, drag) = (chosen.clone(), drag.clone());
        Callback::from(move |_: PointerEvent| {
            chosen.set(None);
            drag.set(None);
        })
    };
    let onkeydown = {
        let (seen, chosen, open, zoom) = (seen.clone(), chosen.clone(), props.open.clone(), props.zoom.clone());
        Callback::from(move |event: KeyboardEvent| {
            match (&*event.key(), seen.spot(*chosen)) {
                ("Escape", Some(_)) => chosen.set(None),
                ("Escape", None) => zoom.emit(None),
                ("Enter", Some(spot)) => open.emit(spot),
                (key, spot) => match (step_of(key), magnified(key)) {
                    (Some(by), _) => chosen.set(seen.step(spot, by)),
                    (_, Some(factor)) => {
                        if let Some(part) = seen.around(spot, factor) {
                            zoom.emit(Some(part));
                        }
                    }
                    _ => return,
                },
            }
            event.prevent_default();
        })
    };
    let spot = seen.spot(*chosen);
    let lines = spot.map(|spot| props.tell.emit(spot)).unwrap_or_default();
    html! {
        <div class="chart-area" ref={node} {onpointermove} {onpointerdown} {onclick} {ondblclick} {onpointerleave} {onkeydown}>
            <Plot id={props.id.clone()} figure={props.figure.clone()} layout_version={props.layout_version} keys=true />
            if let Some((start, end)) = *drag {
                <i class="drag" style={format!("left:{}px;width:{}px", start.min(end), (end - start).abs())}></i>
            }
            // `for` would change the number of children and recreate the canvas, which would lose
            // the focus.
            if let Some(spot) = spot {
                <i class="mark" style={position_style(spot.pixel)}></i>
            }
            { tip(spot.map(|spot| spot.pixel).unwrap_or_default(), seen.size(), &lines, &props.tip) }
        </div>
    }
}

/// Renders the description beside the point, on the side with more space.
fn tip(at: Point, size: Size, lines: &[String], id: &AttrValue) -> Html {
    let side = if at.x > size.width * 0.55 { "tip tip--left" } else { "tip" };
    let style = format!("{};max-width:{}px", position_style(at), (size.width * 0.45).max(150.0));
    html! {
        <div class={side} {style} role="status" id={id.clone()}>{ for lines.iter().map(|line| html! { <p>{line.clone()}</p> }) }</div>
    }
}

fn position_style(at: Point) -> String {
    format!("left:{:.1}px;top:{:.1}px", at.x, at.y)
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

    /// Returns the part of the x axis along which the mouse was dragged.
    fn dragged(&self, start: f64, end: f64) -> Option<(f64, f64)> {
        let frame = self.plot()?;
        let inside = |at: f64| at.max(frame.left).min(frame.right);
        self.part(inside(start), inside(end))
    }

    /// Returns the part of the x axis between two pixels, rounded to readable digits; `None`
    /// without a numeric axis or for an empty part.
    fn part(&self, start: f64, end: f64) -> Option<(f64, f64)> {
        let frame = self.plot()?;
        let x = |left: f64| format!("{:.3e}", frame.x_at(left)).parse::<f64>().ok();
        x(start.min(end)).zip(x(start.max(end))).filter(|(low, high)| low < high)
    }
}
