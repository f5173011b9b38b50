//! The files that can be had of a chart.

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::experiment::Sweep;
use crate::report::figure::Figure;
use crate::report::{chart, csv, json, notes, table};
use crate::web::runner::{Purpose, Runner};
use crate::web::{canvas, dom};

/// The size of exported charts, in pixels.
const PRINT: (u32, u32) = (900, 540);

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) runner: Runner,
    /// Which job the chart is of, and which of its sweeps.
    pub(super) purpose: Purpose,
    pub(super) sweep: usize,
    /// What the chart shows; `None` for what its own experiment says.
    pub(super) plot: Option<&'static str>,
    /// The id of its canvas.
    pub(super) canvas: AttrValue,
}

/// CSV and JSON with all numbers, SVG and PNG as drawn; each carries version, experiment and seed.
#[component]
pub(super) fn Exports(props: &Props) -> Html {
    let missing = props.runner.look(props.purpose, |job| job.sweeps.get(props.sweep).is_none()).unwrap_or(true);
    let export = |label: &'static str, act: fn(&Sweep, &str, &str)| {
        let (runner, purpose, number) = (props.runner.clone(), props.purpose, props.sweep);
        let (plot, canvas) = (props.plot, props.canvas.clone());
        let onclick = Callback::from(move |_: MouseEvent| {
            runner.look(purpose, |job| {
                if let Some(sweep) = job.sweeps.get(number) {
                    act(sweep, plot.unwrap_or(sweep.experiment().view.plot), &canvas);
                }
            });
        });
        html! { <button type="button" {onclick} disabled={missing}>{label}</button> }
    };
    html! {
        <div class="exports" role="group" aria-label="Export">
            { export("CSV", |sweep, _, _| dom::download("faultlab.csv", "text/csv", &csv::csv(&table::table(sweep)))) }
            { export("JSON", |sweep, _, _| dom::download("faultlab.json", "application/json", &json::run(sweep))) }
            { export("SVG", save_svg) }
            { export("PNG", save_png) }
        </div>
    }
}

fn save_svg(sweep: &Sweep, plot: &str, _: &str) {
    if let Ok(svg) = chart::svg(&Figure::of(sweep, plot), PRINT, &notes(sweep.experiment())) {
        dom::download("faultlab.svg", "image/svg+xml", &svg);
    }
}

fn save_png(sweep: &Sweep, plot: &str, id: &str) {
    let canvas = dom::document().and_then(|document| document.get_element_by_id(id));
    if let Some(canvas) = canvas.and_then(|element| wasm_bindgen::JsCast::dyn_into::<HtmlCanvasElement>(element).ok()) {
        let figure = Figure::of(sweep, plot);
        canvas::save_png(&canvas, "faultlab.png", &notes(sweep.experiment()), |copy, ratio| {
            // A canvas that cannot be drawn on gives an empty picture.
            let _ = canvas::plot(copy, &figure, ratio);
        });
    }
}
