//! The figure as it will be: in a shadow of its own, as by its tag, and smaller where it would not fit.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement, ShadowRootInit, ShadowRootMode};
use yew::AppHandle;
use yew::prelude::*;

use crate::experiment::Tab;
use crate::experiment::ui::Ui;
use crate::web::bench::Bench;
use crate::web::dom;
use crate::web::figure::app::{FigureApp, Props as FigureProps};
use crate::web::figure::seat::{Order, Seat};
use crate::web::run::job::Purpose;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) bench: Bench,
    /// The figure's text, with its options.
    pub(super) text: AttrValue,
    pub(super) ui: Ui,
    /// Width and height, in CSS pixels.
    pub(super) size: (u32, u32),
}

#[component]
pub(super) fn Preview(props: &Props) -> Html {
    let (frame, host) = (use_node_ref(), use_node_ref());
    let seat = use_memo((), |()| Seat::new(&begins_with(props), |_, _| {}));
    use_effect_with((), {
        let (host, seat) = (host.clone(), (*seat).clone());
        move |()| {
            let app = host.cast::<Element>().and_then(|host| open(&host, seat));
            move || {
                if let Some(app) = app {
                    app.destroy();
                }
            }
        }
    });
    let first = use_mut_ref(|| true);
    use_effect_with((props.text.clone(), props.ui.play), {
        let (seat, text, play) = ((*seat).clone(), begins_with(props), props.ui.play);
        move |_| {
            // It has opened with the first.
            if !first.replace(false) {
                seat.order(Order::Show(text));
                if let Some(plays) = play.filter(|plays| !plays || !dom::media("(prefers-reduced-motion: reduce)")) {
                    seat.order(Order::Play(plays));
                }
            }
        }
    });
    use_effect_with((props.size, props.bench.look), {
        let (frame, host) = (frame.clone(), host.clone());
        move |&(size, _)| fit(&frame, &host, size)
    });
    html! {
        <section class="preview" aria-label="Preview">
            <div ref={frame}><div ref={host}></div></div>
        </section>
    }
}

/// What it opens with. What the page is computing is not computed a second time beside it.
fn begins_with(props: &Props) -> String {
    let busy = props.bench.runner.look(Purpose::Measure, |job| job.ended.is_none()).unwrap_or(false);
    let waits = busy && props.ui.play.is_none() && props.bench.experiment.view.tab == Tab::Measure;
    format!("{}{}", props.text, if waits { "&ui.play=no" } else { "" })
}

/// Opens the figure under `host`, with the page's styles.
fn open(host: &Element, seat: Seat) -> Option<AppHandle<FigureApp>> {
    let document = dom::document()?;
    let shadow = host.attach_shadow(&ShadowRootInit::new(ShadowRootMode::Open)).ok()?;
    let sheets = document.query_selector_all("head link[rel=stylesheet], head style").ok()?;
    for sheet in (0..sheets.length()).filter_map(|number| sheets.item(number)) {
        shadow.append_child(&sheet.clone_node_with_deep(true).ok()?).ok()?;
    }
    let root = document.create_element("div").ok()?;
    root.set_class_name("mount");
    shadow.append_child(&root).ok()?;
    Some(yew::Renderer::<FigureApp>::with_root_and_props(root, FigureProps { seat }).render())
}

/// Gives the figure its size, and shows it as much smaller as there is no room.
fn fit(frame: &NodeRef, host: &NodeRef, (width, height): (u32, u32)) {
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
