//! A chart on its canvas.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use super::canvas;
use super::sight::use_sight;
use crate::report::chart::figure::Figure;
use crate::report::picture::geometry::Size;
use crate::web::dom;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// The canvas's id.
    pub(crate) id: AttrValue,
    /// What to draw; nothing leaves the canvas as it is.
    pub(crate) figure: Option<Rc<Figure>>,
    /// Changes when colours or sizes do.
    pub(crate) look: u32,
    /// What it shows, for those who do not see it.
    #[prop_or(AttrValue::Static("The chart; its numbers are in the table"))]
    pub(crate) says: AttrValue,
    /// Whether keys lead through it.
    #[prop_or_default]
    pub(crate) keys: bool,
}

/// A chart; it is drawn again only when its figure or its looks change.
#[component]
pub(crate) fn Plot(props: &Props) -> Html {
    let node = use_node_ref();
    // What else stands on the page may change the size of the canvas, by a bar to scroll it say.
    let resized = use_state_eq(Size::default);
    use_sight(&node, Callback::noop(), {
        let node = node.clone();
        let resized = resized.setter();
        Callback::from(move |()| {
            if let Some(canvas) = node.cast::<HtmlCanvasElement>() {
                resized.set(canvas::size(&canvas));
            }
        })
    });
    use_effect_with((props.figure.clone(), props.look, *resized), {
        let node = node.clone();
        move |(figure, ..): &(Option<Rc<Figure>>, u32, Size)| {
            let figure = figure.clone();
            // Each chart in a turn of its own: a page full of them must not hold up the browser.
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
        true => "The chart. Left and right go along a curve, up and down between curves, plus and minus zoom around a point, Enter opens it, Escape leaves it, then the zoom.".into(),
        false => props.says.clone(),
    };
    html! {
        <canvas ref={node} id={props.id.clone()} class="chart" {role} tabindex={props.keys.then_some("0")} aria-label={says}></canvas>
    }
}
