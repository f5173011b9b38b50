//! Static picture, which is painted whenever its content, its size or the colours change.

use std::rc::Rc;

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use super::canvas;
use super::visibility::use_visibility;
use crate::report::picture::geometry::{Point, Size};
use crate::report::picture::scene::Scene;
use crate::web::dom;

/// Function that draws a picture of a given size.
pub(crate) type DrawFn = Rc<dyn Fn(Size) -> Scene>;

/// Paints the picture of `draw` on `canvas`, after every rendering and when the size of the canvas
/// changes.
#[hook]
pub(crate) fn use_picture(canvas: &NodeRef, draw: DrawFn) {
    let latest = use_mut_ref(|| None::<DrawFn>);
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
    use_visibility(canvas, Callback::noop(), resized);
}

fn paint(canvas: &NodeRef, draw: &DrawFn) {
    if let Some(element) = canvas.cast::<HtmlCanvasElement>() {
        let size = canvas::size(&element);
        if size.width > 1.0 && size.height > 1.0 {
            canvas::paint(&element, &draw(size), dom::pixel_ratio());
        }
    }
}

/// Returns the position of an event on its canvas, before the scale factor.
pub(crate) fn point(event: &web_sys::MouseEvent) -> Point {
    let larger = dom::scale_factor();
    Point::new(f64::from(event.offset_x()) / larger, f64::from(event.offset_y()) / larger)
}
