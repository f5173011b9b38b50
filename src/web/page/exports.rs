//! The files that can be had of what is shown; each carries version, experiment and seed.

use std::rc::Rc;

use yew::prelude::*;

use super::kept::sweeps;
use super::state::Pin;
use crate::experiment::{SpreadShape, Sweep, View};
use crate::report::chart::print::Print;
use crate::report::files::{csv, json, table};
use crate::report::measured;
use crate::report::measured::caption::Caption;
use crate::report::measured::kept::Kept;
use crate::report::measured::panels::{Panel, panels, printed};
use crate::report::notes;
use crate::web::dom;
use crate::web::run::job::Purpose;
use crate::web::run::runner::Runner;
use crate::web::stage::canvas;

#[derive(Clone, Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) runner: Runner,
    /// Which job the chart is of, and which of its sweeps.
    pub(crate) purpose: Purpose,
    pub(crate) sweep: usize,
    /// How the sweep is looked at; `None` for what its own experiment says.
    pub(crate) view: Option<View>,
    /// What is kept over the chart, and drawn with it.
    #[prop_or_default]
    pub(crate) kept: Rc<Vec<Pin>>,
}

/// CSV with the numbers, JSON with all of them, SVG and PNG as drawn.
#[component]
pub(crate) fn Exports(props: &Props) -> Html {
    let missing = props.runner.look(props.purpose, |job| job.sweeps.get(props.sweep).is_none()).unwrap_or(true);
    let export = |label: &'static str, act: fn(&Sweep, &[Kept<'_>])| {
        let Props { runner, purpose, sweep, view, kept } = props.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            runner.look_at_all(|jobs| {
                let job = jobs.iter().find(|job| job.purpose == purpose);
                if let Some(sweep) = job.and_then(|job| job.sweeps.get(sweep)) {
                    let view = view.as_ref().unwrap_or(&sweep.experiment().view);
                    act(&sweep.viewed(view), &sweeps(jobs, &kept));
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

fn save_csv(sweep: &Sweep, _: &[Kept<'_>]) {
    let text = match sweep.experiment().plotted_spread().map(|spread| spread.shape) {
        Some(SpreadShape::Arrivals(_) | SpreadShape::Routes(_)) => csv::lengths(sweep),
        Some(_) => csv::curves(sweep, &measured::figure::of(sweep, sweep.experiment().plot())),
        None => csv::csv(&table::table(sweep)),
    };
    dom::download("faultlab.csv", "text/csv", &text);
}

/// Hands the charts of a sweep, with what is kept over them, to `save` as they are printed.
fn print(sweep: &Sweep, kept: &[Kept<'_>], save: fn(&Print<'_>)) {
    let experiment = sweep.experiment();
    let panels = panels(sweep, &experiment.view, kept);
    let is_drawn = |number: &usize| {
        let is_laid = |panel: &Panel| panel.kept.iter().any(|laid| laid.0 == *number);
        !kept[*number].is_hidden && panels.iter().any(is_laid)
    };
    let over = (0..kept.len()).filter(is_drawn).map(|number| format!("; over it {}", kept[number].sweep.experiment()));
    let notes = notes(experiment) + &over.collect::<String>();
    let title = Caption::of(experiment, experiment).title;
    save(&Print { figures: &printed(panels), title: &title, notes: &notes });
}

fn save_svg(sweep: &Sweep, kept: &[Kept<'_>]) {
    print(sweep, kept, |print| {
        if let Ok(svg) = print.svg() {
            dom::download("faultlab.svg", "image/svg+xml", &svg);
        }
    });
}

fn save_png(sweep: &Sweep, kept: &[Kept<'_>]) {
    print(sweep, kept, |print| {
        canvas::save_png(print.size(), "faultlab.png", print.notes, |copy, _| {
            // A canvas that cannot be drawn on gives an empty picture.
            let _ = canvas::print(copy, print);
        });
    });
}
