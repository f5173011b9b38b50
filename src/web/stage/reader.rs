//! A chart that can be read: what is pointed at, by mouse or arrow keys, is marked and told; a part of it can be dragged out.

use std::rc::Rc;

use web_sys::{HtmlCanvasElement, KeyboardEvent, MouseEvent, PointerEvent};
use yew::prelude::*;

use super::canvas;
use super::picture::point;
use super::plot::Plot;
use crate::report::chart::figure::Figure;
use crate::report::chart::frame::{Frame, Step, nearest, spots, step};
use crate::report::chart::spot::Spot;
use crate::report::picture::geometry::{Point, Size};

/// How near to a point a click has to be to open it, in pixels.
const NEAR: f64 = 16.0;

/// The shortest way that the mouse is dragged, in pixels: less is a click.
const DRAG: f64 = 8.0;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// The canvas's id, in which `tip` for `chart` gives that of what is said.
    pub(crate) id: AttrValue,
    /// What to draw.
    pub(crate) figure: Option<Rc<Figure>>,
    /// Changes when colours or sizes do.
    pub(crate) look: u32,
    /// What is said of a point, line by line, its name first.
    pub(crate) tell: Callback<Spot, Vec<String>>,
    /// Opens a point.
    pub(crate) open: Callback<Spot>,
    /// Takes the part of the x axis that shall be seen; `None` for all of it.
    pub(crate) zoom: Callback<Option<(f64, f64)>>,
    /// The id of what is said.
    #[prop_or(AttrValue::Static("tip"))]
    pub(crate) tip: AttrValue,
}

/// The chart, with what is said of the point that is chosen.
#[component]
pub(crate) fn Reader(props: &Props) -> Html {
    let node = use_node_ref();
    // The curve and the x of the chosen point: its value may change.
    let chosen = use_state_eq(|| None::<(usize, f64)>);
    let drag = use_state_eq(|| None::<(f64, f64)>);
    // Where the mouse went down; and whether the point under a finger had been shown before it came down.
    let (down, shown) = (use_mut_ref(|| None::<f64>), use_mut_ref(|| true));
    let seen = Seen { figure: props.figure.clone(), node: node.clone() };
    let choose = |at: &UseStateHandle<Option<(usize, f64)>>| {
        let (seen, chosen) = (seen.clone(), at.clone());
        move |event: &MouseEvent| {
            let spot = seen.nearest(point(event));
            chosen.set(spot.map(|spot| (spot.curve, spot.point.0)));
            spot
        }
    };
    let onpointermove = {
        let (choose, drag, down) = (choose(&chosen), drag.clone(), Rc::clone(&down));
        Callback::from(move |event: PointerEvent| {
            choose(&event);
            let start = down.borrow().filter(|_| event.buttons() & 1 == 1);
            let end = point(&event).x;
            drag.set(start.filter(|start| (start - end).abs() > DRAG).map(|start| (start, end)));
        })
    };
    let onpointerdown = {
        let (seen, chosen, down, shown) = (seen.clone(), chosen.clone(), Rc::clone(&down), Rc::clone(&shown));
        Callback::from(move |event: PointerEvent| {
            let mouse = event.pointer_type() == "mouse";
            let same = seen.nearest(point(&event)).map(|spot| (spot.curve, spot.point.0)) == *chosen;
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
            } else if let Some(spot) = spot.filter(|spot| spot.is_within(point(&event), NEAR) && *shown.borrow()) {
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
        <div class="read" ref={node} {onpointermove} {onpointerdown} {onclick} {ondblclick} {onpointerleave} {onkeydown}>
            <Plot id={props.id.clone()} figure={props.figure.clone()} look={props.look} keys=true />
            if let Some((start, end)) = *drag {
                <i class="drag" style={format!("left:{}px;width:{}px", start.min(end), (end - start).abs())}></i>
            }
            // Not `for`, which would change how many children there are, and make the canvas anew, without its focus.
            if let Some(spot) = spot {
                <i class="mark" style={place(spot.at)}></i>
            }
            { tip(spot.map(|spot| spot.at).unwrap_or_default(), seen.size(), &lines, &props.tip) }
        </div>
    }
}

/// What is said, beside the point, on the side that has room.
fn tip(at: Point, size: Size, lines: &[String], id: &AttrValue) -> Html {
    let side = if at.x > size.width * 0.55 { "tip tip--left" } else { "tip" };
    let style = format!("{};max-width:{}px", place(at), (size.width * 0.45).max(150.0));
    html! {
        <div class={side} {style} role="status" id={id.clone()}>{ for lines.iter().map(|line| html! { <p>{line.clone()}</p> }) }</div>
    }
}

fn place(at: Point) -> String {
    format!("left:{:.1}px;top:{:.1}px", at.x, at.y)
}

fn step_of(key: &str) -> Option<Step> {
    Some(match key {
        "ArrowLeft" => Step::Back,
        "ArrowRight" => Step::On,
        "ArrowUp" => Step::Up,
        "ArrowDown" => Step::Down,
        "Home" => Step::First,
        "End" => Step::Last,
        _ => return None,
    })
}

/// By how much a key makes the part of the x axis that is seen longer.
fn magnified(key: &str) -> Option<f64> {
    match key {
        "+" | "=" => Some(0.5),
        "-" => Some(2.0),
        _ => None,
    }
}

/// The figure as it is seen now.
#[derive(Clone)]
struct Seen {
    figure: Option<Rc<Figure>>,
    node: NodeRef,
}

impl Seen {
    fn size(&self) -> Size {
        let canvas = self.node.cast::<web_sys::Element>().and_then(|element| element.first_element_child());
        let canvas = canvas.and_then(|child| wasm_bindgen::JsCast::dyn_into::<HtmlCanvasElement>(child).ok());
        canvas.map(|canvas| canvas::size(&canvas)).unwrap_or_default()
    }

    fn spots(&self) -> Vec<Spot> {
        self.figure.as_ref().map_or_else(Vec::new, |figure| spots(figure, self.size()))
    }

    fn nearest(&self, at: Point) -> Option<Spot> {
        let spots = self.spots();
        spots.get(nearest(self.figure.as_ref()?, &spots, at)?).copied()
    }

    /// The point of a curve at this x.
    fn spot(&self, chosen: Option<(usize, f64)>) -> Option<Spot> {
        let (curve, x) = chosen?;
        self.spots().into_iter().find(|spot| spot.curve == curve && spot.point.0 == x)
    }

    /// Curve and x of the point that a step leads to.
    fn step(&self, from: Option<Spot>, by: Step) -> Option<(usize, f64)> {
        let spots = self.spots();
        let from = from.and_then(|from| spots.iter().position(|spot| *spot == from));
        spots.get(step(self.figure.as_ref()?, &spots, from, by)?).map(|spot| (spot.curve, spot.point.0))
    }

    /// The plot of the figure, if its x axis counts something.
    fn plot(&self) -> Option<Frame> {
        let figure = self.figure.as_deref().filter(|figure| figure.grid.is_none() && figure.names.is_empty())?;
        Some(Frame::new(figure, self.size()))
    }

    /// A part of the x axis so many times as long, in which the chosen point, or the middle, stays where it is.
    fn around(&self, spot: Option<Spot>, factor: f64) -> Option<(f64, f64)> {
        let frame = self.plot()?;
        let fixed = spot.map_or((frame.left + frame.right) / 2.0, |spot| spot.at.x);
        let moved = |edge: f64| fixed + (edge - fixed) * factor;
        self.part(moved(frame.left), moved(frame.right))
    }

    /// The part of the x axis along which the mouse was dragged.
    fn dragged(&self, start: f64, end: f64) -> Option<(f64, f64)> {
        let frame = self.plot()?;
        let inside = |at: f64| at.max(frame.left).min(frame.right);
        self.part(inside(start), inside(end))
    }

    /// The part of the x axis between two pixels, to digits that people read; `None` where it counts nothing.
    fn part(&self, start: f64, end: f64) -> Option<(f64, f64)> {
        let frame = self.plot()?;
        let x = |left: f64| format!("{:.3e}", frame.x_of(left)).parse::<f64>().ok();
        x(start.min(end)).zip(x(start.max(end))).filter(|(low, high)| low < high)
    }
}
