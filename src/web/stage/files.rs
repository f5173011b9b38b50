//! What is shown, as files.

use std::rc::Rc;

use yew::prelude::*;

use super::canvas;
use crate::report::picture::palette;
use crate::report::picture::scene::Scene;
use crate::report::share::STILL;
use crate::report::still;
use crate::web::dom;

/// Hands the person the picture as SVG.
pub(crate) fn save_svg(name: &str, scene: &Scene, notes: &str) {
    dom::download(&format!("{name}.svg"), "image/svg+xml", &scene.svg(palette::print_css, notes));
}

/// Hands the person the picture as the still of a tag.
pub(crate) fn save_still(_: &str, scene: &Scene, notes: &str) {
    dom::download(STILL, "image/svg+xml", &still::of_scene(scene, notes));
}

/// Hands the person the picture as PNG, in the colours of the page.
pub(crate) fn save_png(name: &str, scene: &Scene, notes: &str) {
    canvas::save_png(scene.size, &format!("{name}.png"), notes, |copy, ratio| {
        canvas::paint(copy, scene, ratio);
    });
}

/// A button that hands out a file.
pub(crate) fn export(label: &'static str, act: impl Fn() + 'static) -> Html {
    let onclick = Callback::from(move |_: MouseEvent| act());
    html! { <button type="button" {onclick}>{label}</button> }
}

/// The buttons that hand over `name`.csv and `name`.json.
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
