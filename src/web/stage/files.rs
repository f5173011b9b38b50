//! Export of pictures and data as files.

use std::rc::Rc;

use yew::prelude::*;

use super::canvas;
use crate::report::picture::palette;
use crate::report::picture::scene::Scene;
use crate::report::share::STILL;
use crate::report::still;
use crate::web::dom;

/// Downloads the picture as SVG.
pub(crate) fn save_svg(name: &str, scene: &Scene, notes: &str) {
    dom::download(&format!("{name}.svg"), "image/svg+xml", &scene.svg(palette::print_css, notes));
}

/// Downloads the picture as the still of an embedded figure.
pub(crate) fn save_still(_: &str, scene: &Scene, notes: &str) {
    dom::download(STILL, "image/svg+xml", &still::of_scene(scene, notes));
}

/// Downloads the picture as PNG, in the colours of the page.
pub(crate) fn save_png(name: &str, scene: &Scene, notes: &str) {
    canvas::save_png(scene.size, &format!("{name}.png"), notes, |copy, ratio| {
        canvas::paint(copy, scene, ratio);
    });
}

/// Renders an export button.
pub(crate) fn export(label: &'static str, act: impl Fn() + 'static) -> Html {
    let onclick = Callback::from(move |_: MouseEvent| act());
    html! { <button type="button" {onclick}>{label}</button> }
}

/// Renders the export buttons of `name`.csv and `name`.json.
pub(crate) fn texts(
    name: &'static str,
    csv: impl Fn() -> String + 'static,
    json: impl Fn() -> String + 'static,
) -> Html {
    let button = |label: &'static str, ending: &'static str, mime: &'static str, text: Rc<dyn Fn() -> String>| {
        export(label, move || dom::download(&format!("{name}.{ending}"), mime, &text()))
    };
    html! {
        <>
            { button("CSV", "csv", "text/csv", Rc::new(csv)) }
            { button("JSON", "json", "application/json", Rc::new(json)) }
        </>
    }
}
