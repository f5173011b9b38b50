//! Chart on its canvas.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use super::canvas;
use super::visibility::use_visibility;
use crate::report::chart::figure::Figure;
use crate::report::picture::geometry::Size;
use crate::web::dom;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// Id of the canvas.
    pub(crate) id: AttrValue,
    /// Chart to draw; `None` leaves the canvas unchanged.
    pub(crate) figure: Option<Rc<Figure>>,
    /// Counter that changes when colours or sizes change.
    pub(crate) layout_version: u32,
    /// Description for screen readers.
    #[prop_or(AttrValue::Static("The chart, whose numbers are in the table"))]
    pub(crate) says: AttrValue,
    /// True if keys move through the chart.
    #[prop_or_default]
    pub(crate) keys: bool,
}

/// Renders a chart; it is drawn again only when its figure, its size or the colours change.
#[component]
pub(crate) fn Plot(props: &Props) -> Html {
    let node = use_node_ref();
    // Other elements of the page may change the size of the canvas, for example by a scroll bar.
    let resized = use_state_eq(Size::default);
    use_visibility(&node, Callback::noop(), {
        let node = node.clone();
        let resized = resized.setter();
        Callback::from(move |()| {
            if let Some(canvas) = node.cast::<HtmlCanvasElement>() {
                resized.set(canvas::size(&canvas));
            }
        })
    });
    use_effect_with((props.figure.clone(), props.layout_version, *resized), {
        let node = node.clone();
        move |(figure, ..): &(Option<Rc<Figure>>, u32, Size)| {
            let figure = figure.clone();
            // Each chart is drawn in a task of its own, so that a page with many charts does not
            // block the browser.
            let turn = Timeout::new(0, move || {
                if let (Some(canvas), Some(figure)) = (node.cast::<HtmlCanvasElement>(), figure) {
                    canvas::plot(&canvas, &figure, dom::pixel_ratio());
                }
            });
            move || drop(turn)
        }
    });
    let role = if props.keys { "application" } else { "img" };
    let says = match props.keys {
        true => "The chart. Left and right go along a curve, up and down between curves, plus and minus zoom around a point, Enter opens the point, Escape leaves the point and then resets the zoom.".into(),
        false => props.says.clone(),
    };
    html! {
        <canvas ref={node} id={props.id.clone()} class="chart" {role} tabindex={props.keys.then_some("0")} aria-label={says}></canvas>
    }
}
