//! The files that can be had of what is shown; each carries version, experiment and seed.

use std::rc::Rc;

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::experiment::{LENGTHS, Spread, Sweep, View};
use crate::report::figure::Figure;
use crate::report::{chart, csv, json, notes, table};
use crate::web::runner::{Purpose, Runner};
use crate::web::{canvas, dom};

/// The size of exported charts, in pixels.
const PRINT: (u32, u32) = (900, 540);

/// The buttons that hand over `name`.csv and `name`.json.
pub(super) fn texts(
    name: &'static str,
    csv: impl Fn() -> String + 'static,
    json: impl Fn() -> String + 'static,
) -> Html {
    let button = |label: &'static str, ending: &'static str, mime: &'static str, text: Rc<dyn Fn() -> String>| {
        let onclick = Callback::from(move |_: MouseEvent| dom::download(&format!("{name}.{ending}"), mime, &text()));
        html! { <button type="button" {onclick}>{label}</button> }
    };
    html! {
        <>
            { button("CSV", "csv", "text/csv", Rc::new(csv)) }
            { button("JSON", "json", "application/json", Rc::new(json)) }
        </>
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) runner: Runner,
    /// Which job the chart is of, and which of its sweeps.
    pub(super) purpose: Purpose,
    pub(super) sweep: usize,
    /// How the sweep is looked at; `None` for what its own experiment says.
    pub(super) view: Option<View>,
    /// The id of its canvas.
    pub(super) canvas: AttrValue,
}

/// CSV with the numbers, JSON with all of them, SVG and PNG as drawn.
#[component]
pub(super) fn Exports(props: &Props) -> Html {
    let missing = props.runner.look(props.purpose, |job| job.sweeps.get(props.sweep).is_none()).unwrap_or(true);
    let export = |label: &'static str, act: fn(&Sweep, &str)| {
        let (runner, purpose, number) = (props.runner.clone(), props.purpose, props.sweep);
        let (view, canvas) = (props.view.clone(), props.canvas.clone());
        let onclick = Callback::from(move |_: MouseEvent| {
            runner.look(purpose, |job| {
                if let Some(sweep) = job.sweeps.get(number) {
                    let view = view.as_ref().unwrap_or(&sweep.experiment().view);
                    act(&sweep.viewed(view), &canvas);
                }
            });
        });
        html! { <button type="button" {onclick} disabled={missing}>{label}</button> }
    };
    html! {
        <div class="exports" role="group" aria-label="Export">
            { export("CSV", save_csv) }
            { export("JSON", |sweep, _| dom::download("faultlab.json", "application/json", &json::run(sweep))) }
            { export("SVG", save_svg) }
            { export("PNG", save_png) }
        </div>
    }
}

fn save_csv(sweep: &Sweep, _: &str) {
    let text = match Spread::plotted(sweep.experiment()).map(|spread| spread.id) {
        Some(LENGTHS) => csv::lengths(sweep),
        Some(_) => csv::curves(sweep, &figure(sweep)),
        None => csv::csv(&table::table(sweep)),
    };
    dom::download("faultlab.csv", "text/csv", &text);
}

/// The chart that the sweep's experiment plots.
fn figure(sweep: &Sweep) -> Figure {
    Figure::of(sweep, sweep.experiment().view.plot)
}

fn save_svg(sweep: &Sweep, _: &str) {
    if let Ok(svg) = chart::svg(&figure(sweep), PRINT, &notes(sweep.experiment())) {
        dom::download("faultlab.svg", "image/svg+xml", &svg);
    }
}

fn save_png(sweep: &Sweep, id: &str) {
    let canvas = dom::document().and_then(|document| document.get_element_by_id(id));
    if let Some(canvas) = canvas.and_then(|element| wasm_bindgen::JsCast::dyn_into::<HtmlCanvasElement>(element).ok()) {
        let figure = figure(sweep);
        canvas::save_png(canvas::size(&canvas), "faultlab.png", &notes(sweep.experiment()), |copy, ratio| {
            // A canvas that cannot be drawn on gives an empty picture.
            let _ = canvas::plot(copy, &figure, ratio);
        });
    }
}
