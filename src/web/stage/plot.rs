//! A chart on its canvas.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use super::canvas;
use crate::report::chart::figure::Figure;
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
}

/// A chart; it is drawn again only when its figure or its looks change.
#[component]
pub(crate) fn Plot(props: &Props) -> Html {
    let node = use_node_ref();
    use_effect_with((props.figure.clone(), props.look), {
        let node = node.clone();
        move |(figure, _): &(Option<Rc<Figure>>, u32)| {
            let figure = figure.clone();
            // Each chart in a turn of its own: a page full of them must not hold up the browser.
            let turn = Timeout::new(0, move || {
                if let (Some(canvas), Some(figure)) = (node.cast::<HtmlCanvasElement>(), figure) {
                    // A canvas that cannot be drawn on leaves the table, which says the same.
                    let _ = canvas::plot(&canvas, &figure, dom::pixel_ratio());
                }
            });
            move || drop(turn)
        }
    });
    html! {
        <canvas ref={node} id={props.id.clone()} class="chart" role="img"
            aria-label={props.says.clone()}></canvas>
    }
}
