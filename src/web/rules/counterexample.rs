//! Return from a counterexample, a flaw of user-defined rules or a deadlock that Check found: the
//! settings that it changed, and the way back.

use std::rc::Rc;

use yew::prelude::*;

use crate::experiment::{Experiment, ReturnPoint};
use crate::report::wording::differences::names;
use crate::web::app_context::AppContext;
use crate::web::rules::starting_rules::exercise_of;

/// Opens a counterexample. Consecutive counterexamples keep the return point of the first one.
pub(crate) fn open_counterexample(context: &AppContext, witness: &Experiment) {
    let before =
        context.editor.return_point().filter(|return_point| !return_point.changes(&context.experiment).is_empty());
    let home = before.map_or_else(|| context.experiment.as_ref().clone(), |return_point| return_point.home);
    context.editor.set_return_point(Some(ReturnPoint { home, witness: witness.clone() }));
}

/// Returns the user's own experiment: the current one, or the one from which the open counterexample
/// was opened.
pub(super) fn own_experiment(context: &AppContext) -> Rc<Experiment> {
    let return_point = context.editor.return_point();
    let home = return_point.filter(|point| !point.changes(&context.experiment).is_empty());
    home.map_or_else(|| Rc::clone(&context.experiment), |return_point| Rc::new(return_point.home))
}

/// Closes the rules of the experiment, and the counterexample if one is open. An exercise has an
/// experiment of its own, so closing it leads back to the experiment before it.
pub(super) fn close_rules(context: &AppContext) {
    let own = own_experiment(context);
    let exercise = own.rules.as_ref().and_then(|rules| exercise_of(rules.text()));
    let before = exercise.and_then(|exercise| context.editor.before_exercise(exercise.name));
    let shown = before.unwrap_or(own);
    context.editor.set_return_point(None);
    context.editor.set_before_exercise(None);
    context.on_edit.emit(shown.without_rules());
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) context: AppContext,
}

/// Renders the changes of the open counterexample, and the buttons to return.
#[component]
pub(crate) fn Counterexample(props: &Props) -> Html {
    let context = &props.context;
    let Some(return_point) = context.editor.return_point() else { return Html::default() };
    let differing = return_point.changes(&context.experiment);
    if differing.is_empty() {
        return Html::default();
    }
    let breaks = differing.iter().any(|it| it.key == "break");
    let button = |keeps: bool, name: &'static str| {
        let (context, return_point) = (context.clone(), return_point.clone());
        let onclick =
            Callback::from(move |_: MouseEvent| match return_point.experiment_on_return(&context.experiment, keeps) {
                Ok(next) => {
                    context.editor.set_return_point(None);
                    context.on_edit.emit(next);
                }
                Err(problem) => context.on_refuse.emit(problem.to_string()),
            });
        html! { <button type="button" class="chip chip--plain" {onclick}>{name}</button> }
    };
    let names = names(differing).join(", ");
    let what = if context.experiment.rules.is_some() { "is the counterexample" } else { "shows the deadlock" };
    html! {
        <p class="note" id="counterexample">
            {format!("This experiment {what}, also in Measure and Check. It changes {names}. ")}
            { button(false, "Back to your experiment") }
            if breaks { {" "}{ button(true, "Back, but keep the faults") } }
        </p>
    }
}
