//! Preview of the figure, in a shadow root like the embedded element, and scaled down if it does
//! not fit.

use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement, ShadowRootInit, ShadowRootMode};
use yew::prelude::*;

use crate::experiment::Tab;
use crate::experiment::figure_options::FigureOptions;
use crate::web::app_context::AppContext;
use crate::web::dom;
use crate::web::jobs::job::JobKind;

/// Handle of an open figure. The figure module uses views of the page module, so the page module
/// cannot depend on it.
pub(crate) struct FigureHandle {
    /// Callback that shows another text.
    pub(crate) show: Callback<String>,
    /// Callback that plays or pauses.
    pub(crate) play: Callback<bool>,
    pub(crate) close: Box<dyn FnOnce()>,
}

/// Function that opens the figure of a text in an element.
pub(crate) type OpenFigureFn = Callback<(Element, String), FigureHandle>;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) figure: OpenFigureFn,
    pub(super) context: AppContext,
    /// Text of the figure, with its options.
    pub(super) text: AttrValue,
    pub(super) ui: FigureOptions,
    /// Width and height, in CSS pixels.
    pub(super) size: (u32, u32),
}

#[component]
pub(super) fn Preview(props: &Props) -> Html {
    let (frame, host) = (use_node_ref(), use_node_ref());
    let opened = use_mut_ref(|| None::<FigureHandle>);
    use_effect_with((props.text.clone(), props.ui.play), {
        let (opened, host, figure) = (Rc::clone(&opened), host.clone(), props.figure.clone());
        let (text, play) = (initial_text(props), props.ui.play);
        move |_| {
            let opened = &mut *opened.borrow_mut();
            let Some(opened) = opened else {
                let root = host.cast::<Element>().and_then(|host| shadow_of(&host));
                *opened = root.map(|root| figure.emit((root, text)));
                return;
            };
            opened.show.emit(text);
            if let Some(plays) = play.filter(|plays| !plays || !dom::matches_media("(prefers-reduced-motion: reduce)"))
            {
                opened.play.emit(plays);
            }
        }
    });
    use_effect_with((), move |()| {
        move || {
            if let Some(opened) = opened.take() {
                (opened.close)();
            }
        }
    });
    use_effect_with((props.size, props.context.layout_version), {
        let (frame, host) = (frame.clone(), host.clone());
        move |&((width, height), _)| fit_to_width(&frame, &host, width, height)
    });
    html! {
        <section class="preview" aria-label="Preview">
            <div ref={frame}><div ref={host}></div></div>
        </section>
    }
}

/// Returns the initial text of the figure. A measurement that the page is computing does not start
/// again in the preview.
fn initial_text(props: &Props) -> String {
    let busy = props.context.jobs.with_job(JobKind::Measure, |job| job.ended().is_none()).unwrap_or(false);
    let waits = busy && props.ui.play.is_none() && props.context.experiment.view.tab == Tab::Measure;
    format!("{}{}", props.text, if waits { "&ui.play=no" } else { "" })
}

/// Creates the root element of a figure in the shadow root of `host`, with the styles of the page.
fn shadow_of(host: &Element) -> Option<Element> {
    let document = dom::document()?;
    let shadow = host.attach_shadow(&ShadowRootInit::new(ShadowRootMode::Open)).ok()?;
    let sheets = document.query_selector_all("head link[rel=stylesheet], head style").ok()?;
    for sheet in (0..sheets.length()).filter_map(|number| sheets.item(number)) {
        shadow.append_child(&sheet.clone_node_with_deep(true).ok()?).ok()?;
    }
    let root = document.create_element("div").ok()?;
    root.set_class_name("mount");
    shadow.append_child(&root).ok()?;
    Some(root)
}

/// Sets the size of the figure, and scales it down if it does not fit.
fn fit_to_width(frame: &NodeRef, host: &NodeRef, width: u32, height: u32) {
    let (Some(frame), Some(host)) = (frame.cast::<HtmlElement>(), host.cast::<HtmlElement>()) else { return };
    let room = frame.parent_element().map_or(0, |parent| parent.client_width());
    let scale = (f64::from(room) / f64::from(width)).min(1.0);
    let pixels = |length: f64| format!("{length}px");
    let (width, height) = (f64::from(width), f64::from(height));
    for (element, name, value) in [
        (&frame, "width", pixels(width * scale)),
        (&frame, "height", pixels(height * scale)),
        (&host, "width", pixels(width)),
        (&host, "height", pixels(height)),
        (&host, "transform-origin", "0 0".to_owned()),
        (&host, "transform", if scale < 1.0 { format!("scale({scale})") } else { "none".to_owned() }),
    ] {
        // Fails only for properties that do not exist.
        let _ = element.unchecked_ref::<HtmlElement>().style().set_property(name, &value);
    }
}
