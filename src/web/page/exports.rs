//! The files that can be had of what is shown; each carries version, experiment and seed.

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::experiment::{SpreadShape, Sweep, View};
use crate::report::chart::draw;
use crate::report::chart::figure::Figure;
use crate::report::files::{csv, json, table};
use crate::report::measured;
use crate::report::notes;
use crate::web::dom;
use crate::web::run::job::Purpose;
use crate::web::run::runner::Runner;
use crate::web::stage::canvas;

/// The size of exported charts, in pixels.
const PRINT: (u32, u32) = (900, 540);

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) runner: Runner,
    /// Which job the chart is of, and which of its sweeps.
    pub(crate) purpose: Purpose,
    pub(crate) sweep: usize,
    /// How the sweep is looked at; `None` for what its own experiment says.
    pub(crate) view: Option<View>,
    /// The id of its canvas.
    pub(crate) canvas: AttrValue,
}

/// CSV with the numbers, JSON with all of them, SVG and PNG as drawn.
#[component]
pub(crate) fn Exports(props: &Props) -> Html {
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
    let text = match sweep.experiment().plotted_spread().map(|spread| spread.shape) {
        Some(SpreadShape::Arrivals(_) | SpreadShape::Routes(_)) => csv::lengths(sweep),
        Some(_) => csv::curves(sweep, &figure(sweep)),
        None => csv::csv(&table::table(sweep)),
    };
    dom::download("faultlab.csv", "text/csv", &text);
}

/// The chart that the sweep's experiment plots.
fn figure(sweep: &Sweep) -> Figure {
    measured::figure::of(sweep, sweep.experiment().plot())
}

fn save_svg(sweep: &Sweep, _: &str) {
    if let Ok(svg) = draw::svg(&figure(sweep), PRINT, &notes(sweep.experiment())) {
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
