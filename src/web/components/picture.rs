//! A picture that stands still: painted whenever what it shows, its size or the colours change.

use std::rc::Rc;

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use super::sight::use_sight;
use crate::report::scene::Scene;
use crate::report::{notes, palette};
use crate::web::{canvas, dom};

/// Makes a picture of a size.
pub(super) type Draw = Rc<dyn Fn((f64, f64)) -> Scene>;

/// Paints on `canvas` what `draw` makes, after every rendering and when the canvas changes its size.
#[hook]
pub(super) fn use_picture(canvas: &NodeRef, draw: Draw) {
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
        if size.0 > 1.0 && size.1 > 1.0 {
            canvas::paint(&element, &draw(size), dom::pixel_ratio());
        }
    }
}

/// Where on its canvas an event happened.
pub(super) fn point(event: &web_sys::MouseEvent) -> (f64, f64) {
    (f64::from(event.offset_x()), f64::from(event.offset_y()))
}

/// Hands the person the picture as SVG.
pub(super) fn save_svg(name: &str, scene: &Scene, experiment: &crate::experiment::Experiment) {
    dom::download(&format!("{name}.svg"), "image/svg+xml", &scene.svg(palette::print_css, &notes(experiment)));
}

/// Hands the person the picture as PNG, in the colours of the page.
pub(super) fn save_png(name: &str, scene: &Scene, experiment: &crate::experiment::Experiment) {
    canvas::save_png(scene.size, &format!("{name}.png"), &notes(experiment), |copy, ratio| {
        canvas::paint(copy, scene, ratio);
    });
}

/// A button that hands out a file.
pub(super) fn export(label: &'static str, act: impl Fn() + 'static) -> Html {
    let onclick = Callback::from(move |_: MouseEvent| act());
    html! { <button type="button" {onclick}>{label}</button> }
}
