//! The files that can be had of what is shown; each carries version, experiment and seed.

use yew::prelude::*;

use crate::experiment::{SpreadShape, Sweep, View};
use crate::report::chart::figure::Figure;
use crate::report::chart::print::Print;
use crate::report::files::{csv, json, table};
use crate::report::measured;
use crate::report::measured::caption::Caption;
use crate::report::notes;
use crate::web::dom;
use crate::web::run::job::Purpose;
use crate::web::run::runner::Runner;
use crate::web::stage::canvas;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) runner: Runner,
    /// Which job the chart is of, and which of its sweeps.
    pub(crate) purpose: Purpose,
    pub(crate) sweep: usize,
    /// How the sweep is looked at; `None` for what its own experiment says.
    pub(crate) view: Option<View>,
}

/// CSV with the numbers, JSON with all of them, SVG and PNG as drawn.
#[component]
pub(crate) fn Exports(props: &Props) -> Html {
    let missing = props.runner.look(props.purpose, |job| job.sweeps.get(props.sweep).is_none()).unwrap_or(true);
    let export = |label: &'static str, act: fn(&Sweep)| {
        let (runner, purpose, number) = (props.runner.clone(), props.purpose, props.sweep);
        let view = props.view.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            runner.look(purpose, |job| {
                if let Some(sweep) = job.sweeps.get(number) {
                    let view = view.as_ref().unwrap_or(&sweep.experiment().view);
                    act(&sweep.viewed(view));
                }
            });
        });
        html! { <button type="button" {onclick} disabled={missing}>{label}</button> }
    };
    html! {
        <div class="exports" role="group" aria-label="Export">
            { export("CSV", save_csv) }
            { export("JSON", |sweep| dom::download("faultlab.json", "application/json", &json::run(sweep))) }
            { export("SVG", save_svg) }
            { export("PNG", save_png) }
        </div>
    }
}

fn save_csv(sweep: &Sweep) {
    let text = match sweep.experiment().plotted_spread().map(|spread| spread.shape) {
        Some(SpreadShape::Arrivals(_) | SpreadShape::Routes(_)) => csv::lengths(sweep),
        Some(_) => csv::curves(sweep, &measured::figure::of(sweep, sweep.experiment().plot())),
        None => csv::csv(&table::table(sweep)),
    };
    dom::download("faultlab.csv", "text/csv", &text);
}

/// The chart of a sweep, as its experiment says that it is looked at.
fn figure(sweep: &Sweep) -> Figure {
    measured::figure::seen(sweep, &sweep.experiment().view)
}

/// Hands the chart of a sweep, as it is printed, to `save`.
fn printed(sweep: &Sweep, save: fn(&Print<'_>)) {
    let experiment = sweep.experiment();
    let (title, notes) = (Caption::of(experiment, experiment).title, notes(experiment));
    save(&Print { figure: &figure(sweep), title: &title, notes: &notes });
}

fn save_svg(sweep: &Sweep) {
    printed(sweep, |print| {
        if let Ok(svg) = print.svg() {
            dom::download("faultlab.svg", "image/svg+xml", &svg);
        }
    });
}

fn save_png(sweep: &Sweep) {
    printed(sweep, |print| {
        canvas::save_png(print.size(), "faultlab.png", print.notes, |copy, _| {
            // A canvas that cannot be drawn on gives an empty picture.
            let _ = canvas::print(copy, print);
        });
    });
}
