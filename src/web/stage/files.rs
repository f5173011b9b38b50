//! Export of pictures and data as files, and of pictures to the clipboard.

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
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

/// Downloads the picture as PNG, in the colours of exported figures.
pub(crate) fn save_png(name: &str, scene: &Scene, notes: &str) {
    if let Some(png) = png(scene, notes) {
        dom::download_bytes(&format!("{name}.png"), "image/png", &png);
    }
}

/// Returns the picture as a PNG file.
pub(crate) fn png(scene: &Scene, notes: &str) -> Option<Vec<u8>> {
    canvas::png(scene.size, notes, |copy, ratio| canvas::paint_for_file(copy, scene, ratio))
}

#[derive(Properties, PartialEq)]
pub(crate) struct CopyProps {
    /// Callback that draws the picture as a PNG file.
    pub(crate) png: Callback<(), Option<Vec<u8>>>,
    #[prop_or_default]
    pub(crate) disabled: bool,
}

/// Renders the button that copies a picture, and the outcome of the last press.
#[component]
pub(crate) fn CopyPicture(props: &CopyProps) -> Html {
    let copied = use_state_eq(|| None::<bool>);
    let onclick = {
        let (png, copied) = (props.png.clone(), copied.setter());
        Callback::from(move |_: MouseEvent| {
            let (picture, copied) = (png.emit(()), copied.clone());
            spawn_local(async move {
                let is_copied = match picture {
                    Some(picture) => dom::copy_picture_to_clipboard(&picture).await,
                    None => false,
                };
                copied.set(Some(is_copied));
            });
        })
    };
    let said = match *copied {
        Some(true) => "Copied",
        Some(false) => "The browser does not allow copying pictures here: save the PNG instead",
        None => "",
    };
    html! {
        <>
            <button type="button" {onclick} disabled={props.disabled} aria-label="Copy picture">{"Copy"}</button>
            <span class="copied" role="status">{said}</span>
        </>
    }
}

/// Renders an export button.
pub(crate) fn export(label: &'static str, act: impl Fn() + 'static) -> Html {
    let onclick = Callback::from(move |_: MouseEvent| act());
    html! { <button type="button" {onclick}>{label}</button> }
}

/// Renders export buttons of one kind side by side, below one label.
pub(crate) fn group(label: &'static str, buttons: Html) -> Html {
    html! { <span class="export-group" role="group" aria-label={label}><small aria-hidden="true">{label}</small>{ buttons }</span> }
}

/// Renders the export buttons of `name`.csv and `name`.json.
pub(crate) fn texts(name: &str, csv: impl Fn() -> String + 'static, json: impl Fn() -> String + 'static) -> Html {
    let button = |label: &'static str, ending: &'static str, mime: &'static str, text: Rc<dyn Fn() -> String>| {
        let name = format!("{name}.{ending}");
        export(label, move || dom::download(&name, mime, &text()))
    };
    let buttons = html! {
        <>
            { button("CSV", "csv", "text/csv", Rc::new(csv)) }
            { button("JSON", "json", "application/json", Rc::new(json)) }
        </>
    };
    group("Data", buttons)
}
