//! A picture that stands still: painted whenever what it shows, its size or the colours change.

use std::rc::Rc;

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use super::canvas;
use super::sight::use_sight;
use crate::report::picture::geometry::{Point, Size};
use crate::report::picture::scene::Scene;
use crate::web::dom;

/// Makes a picture of a size.
pub(crate) type Draw = Rc<dyn Fn(Size) -> Scene>;

/// Paints on `canvas` what `draw` makes, after every rendering and when the canvas changes its size.
#[hook]
pub(crate) fn use_picture(canvas: &NodeRef, draw: Draw) {
    let latest = use_mut_ref(|| None::<Draw>);
    use_effect({
        let (canvas, latest) = (canvas.clone(), Rc::clone(&latest));
        move || {
            paint(&canvas, &draw);
            *latest.borrow_mut() = Some(draw);
        }
    });
    let resized = {
        let canvas = canvas.clone();
        Callback::from(move |()| {
            if let Some(draw) = &*latest.borrow() {
                paint(&canvas, draw);
            }
        })
    };
    use_sight(canvas, Callback::noop(), resized);
}

fn paint(canvas: &NodeRef, draw: &Draw) {
    if let Some(element) = canvas.cast::<HtmlCanvasElement>() {
        let size = canvas::size(&element);
        if size.width > 1.0 && size.height > 1.0 {
            canvas::paint(&element, &draw(size), dom::pixel_ratio());
        }
    }
}

/// Where on its canvas an event happened, before everything is enlarged.
pub(crate) fn point(event: &web_sys::MouseEvent) -> Point {
    let larger = dom::enlarged();
    Point::new(f64::from(event.offset_x()) / larger, f64::from(event.offset_y()) / larger)
}
