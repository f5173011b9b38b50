//! Return from a counterexample, a flaw of user-defined rules or a deadlock that Check found: the
//! settings that it changed, and the way back.

use std::rc::Rc;

use yew::prelude::*;

use crate::experiment::{Experiment, FieldDiff, Tab};
use crate::report::wording::differences::names;
use crate::web::app_context::AppContext;
use crate::web::editor_state::ReturnPoint;
use crate::web::rules::starting_rules::exercise_of;

/// Keys that are never taken over from a counterexample.
const KEPT_KEYS: [&str; 5] = ["rules", "route", "vary", "within", "trials"];

/// Returns the settings that the open counterexample changed; empty without a counterexample.
fn counterexample_changes(return_point: &ReturnPoint, here: &Experiment) -> Vec<FieldDiff> {
    let ReturnPoint { home, witness } = return_point;
    if here.rules.is_some() != home.rules.is_some() || home.kind() != here.kind() || home.network != here.network {
        return Vec::new();
    }
    let since = witness.diff(here);
    let is_its = |it: &FieldDiff| !KEPT_KEYS.contains(&it.key) && since.iter().all(|later| later.key != it.key);
    home.diff(here).into_iter().filter(is_its).collect()
}

/// Opens a counterexample. Consecutive counterexamples keep the return point of the first one.
pub(crate) fn open_counterexample(context: &AppContext, witness: &Experiment) {
    let before = context
        .editor
        .return_point()
        .filter(|return_point| !counterexample_changes(return_point, &context.experiment).is_empty());
    let home = before.map_or_else(|| Rc::clone(&context.experiment), |return_point| return_point.home);
    context.editor.set_return_point(Some(ReturnPoint { home, witness: Rc::new(witness.clone()) }));
}

/// Returns the experiment from which the counterexample was opened, with the current rules, and
/// with the current faults if `keeps` is set.
fn experiment_on_return(home: &Experiment, here: &Experiment, keeps: bool) -> Result<Experiment, String> {
    let mut next = home.clone();
    if keeps {
        next.faults.clone_from(&here.faults);
    }
    // A deadlock was opened from Check; rules are edited in Watch, whatever view the user has now.
    if home.view.tab == Tab::Watch {
        next.view.tab = here.view.tab;
    }
    let rules = here.rules.as_ref().map_or("", |rules| rules.text());
    next.with_key("rules", rules).map_err(|error| format!("{error}"))
}

/// Returns the user's own experiment: the current one, or the one from which the open counterexample
/// was opened.
pub(super) fn own_experiment(context: &AppContext) -> Rc<Experiment> {
    let return_point = context.editor.return_point();
    let home = return_point.filter(|point| !counterexample_changes(point, &context.experiment).is_empty());
    home.map_or_else(|| Rc::clone(&context.experiment), |return_point| return_point.home)
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
    context.on_edit.emit(without_rules(&shown));
}

/// Returns `experiment` without rules. Settings that only the rules permit, such as a single virtual
/// channel, get their defaults.
fn without_rules(experiment: &Experiment) -> Experiment {
    experiment.with_key("rules", "").unwrap_or_else(|_| {
        let bare = Experiment { rules: None, routing: Vec::new(), ..experiment.clone() };
        Experiment::read_text(&bare.to_string()).experiment
    })
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
    let differing = counterexample_changes(&return_point, &context.experiment);
    if differing.is_empty() {
        return Html::default();
    }
    let breaks = differing.iter().any(|it| it.key == "break");
    let button = |keeps: bool, name: &'static str| {
        let (context, home) = (context.clone(), Rc::clone(&return_point.home));
        let onclick =
            Callback::from(move |_: MouseEvent| match experiment_on_return(&home, &context.experiment, keeps) {
                Ok(next) => {
                    context.editor.set_return_point(None);
                    context.on_edit.emit(next);
                }
                Err(problem) => context.on_refuse.emit(problem),
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

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "rules=routing mine on mesh 2 always take minimal";

    fn parsed(text: &str) -> Experiment {
        format!("net=mesh:4x4&switch=wormhole&{RULES}{text}").parse().unwrap()
    }

    #[test]
    fn without_rules_drops_settings_that_only_the_rules_permit() {
        let bare = without_rules(&parsed("&vc=1&load=0.3&break=3.3"));
        assert!(bare.rules.is_none() && bare.validate().is_ok(), "{bare}");
        assert!(bare.to_string().contains("break=3.3") && bare.to_string().contains("load=0.3"), "{bare}");
        let kept = without_rules(&parsed("&vc=8&load=0.3"));
        assert!(kept.to_string().contains("vc=8"), "{kept}");
    }

    #[test]
    fn lists_counterexample_settings_that_are_still_active() {
        let return_point = ReturnPoint {
            home: Rc::new(parsed("&load=0.3&break=3.3")),
            witness: Rc::new(parsed("&load=1&vc=1&traffic=0.0-1.1&break=3.3,2.2")),
        };
        let keys =
            |here: &Experiment| counterexample_changes(&return_point, here).iter().map(|it| it.key).collect::<Vec<_>>();
        assert_eq!(keys(&return_point.witness), ["break", "traffic", "load", "vc"]);
        assert_eq!(keys(&return_point.home), [""; 0]);
        // A setting that the user has changed since then no longer belongs to the counterexample.
        let mut here = parsed("&load=0.5&vc=1&traffic=0.0-1.1&break=3.3,2.2");
        assert_eq!(keys(&here), ["break", "traffic", "vc"]);
        let mended = "routing mine on mesh 2\nwhen West is minimal take West\notherwise take minimal";
        here = here.with_key("rules", mended).unwrap();
        let [home, faulty] = [false, true].map(|keeps| experiment_on_return(&return_point.home, &here, keeps).unwrap());
        assert_eq!((keys(&home), keys(&faulty)), (vec![], vec!["break"]));
        assert!([&home, &faulty].iter().all(|next| next.rules.as_ref().unwrap().text() == mended));
    }
}
