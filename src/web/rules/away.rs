//! Return from a counterexample: the settings that the counterexample changed, and the way back.

use std::rc::Rc;

use yew::prelude::*;

use crate::experiment::{Experiment, FieldDiff};
use crate::report::words::differing::names;
use crate::web::bench::AppContext;
use crate::web::desk::ReturnPoint;

/// Keys that are never taken over from a counterexample.
const KEPT_KEYS: [&str; 5] = ["rules", "route", "vary", "within", "trials"];

/// Returns the settings that the open counterexample changed; empty without a counterexample.
fn counterexample_changes(away: &ReturnPoint, here: &Experiment) -> Vec<FieldDiff> {
    let ReturnPoint { home, witness } = away;
    if here.rules.is_none() || home.kind() != here.kind() || home.network != here.network {
        return Vec::new();
    }
    let since = witness.diff(here);
    let is_its = |it: &FieldDiff| !KEPT_KEYS.contains(&it.key) && since.iter().all(|later| later.key != it.key);
    home.diff(here).into_iter().filter(is_its).collect()
}

/// Opens a counterexample. After several in a row, the return point is that of the first.
pub(super) fn open_counterexample(bench: &AppContext, witness: &Experiment) {
    let before = bench.desk.away().filter(|away| !counterexample_changes(away, &bench.experiment).is_empty());
    let home = before.map_or_else(|| Rc::clone(&bench.experiment), |away| away.home);
    bench.desk.set_return_point(Some(ReturnPoint { home, witness: Rc::new(witness.clone()) }));
}

/// Returns the experiment from which the counterexample was opened, with the current rules, and
/// with the current faults if `keeps` is set.
fn experiment_on_return(home: &Experiment, here: &Experiment, keeps: bool) -> Result<Experiment, String> {
    let mut next = home.clone();
    if keeps {
        next.faults.clone_from(&here.faults);
    }
    next.view.tab = here.view.tab;
    let rules = here.rules.as_ref().map_or("", |rules| rules.text());
    next.with_key("rules", rules).map_err(|error| format!("{error}"))
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) bench: AppContext,
}

/// Renders the changes of the open counterexample, and the buttons to return.
#[component]
pub(crate) fn Counterexample(props: &Props) -> Html {
    let bench = &props.bench;
    let Some(away) = bench.desk.away() else { return Html::default() };
    let differing = counterexample_changes(&away, &bench.experiment);
    if differing.is_empty() {
        return Html::default();
    }
    let breaks = differing.iter().any(|it| it.key == "break");
    let button = |keeps: bool, name: &'static str| {
        let (bench, home) = (bench.clone(), Rc::clone(&away.home));
        let onclick =
            Callback::from(move |_: MouseEvent| match experiment_on_return(&home, &bench.experiment, keeps) {
                Ok(next) => {
                    bench.desk.set_return_point(None);
                    bench.on_edit.emit(next);
                }
                Err(problem) => bench.on_refuse.emit(problem),
            });
        html! { <button type="button" class="chip chip--plain" {onclick}>{name}</button> }
    };
    let names = names(differing).join(", ");
    html! {
        <p class="note" id="away">
            {format!("This is the counterexample, in Measure and Check too. It has changed {names}. ")}
            { button(false, "Back to your experiment") }
            if breaks { {" "}{ button(true, "Back, but keep its faults") } }
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
    fn what_a_counterexample_has_changed_is_told_until_one_is_back() {
        let away = ReturnPoint {
            home: Rc::new(parsed("&load=0.3&break=3.3")),
            witness: Rc::new(parsed("&load=1&vc=1&traffic=0.0-1.1&break=3.3,2.2")),
        };
        let keys = |here: &Experiment| counterexample_changes(&away, here).iter().map(|it| it.key).collect::<Vec<_>>();
        assert_eq!(keys(&away.witness), ["break", "traffic", "load", "vc"]);
        assert_eq!(keys(&away.home), [""; 0]);
        // A setting that the user has changed since then no longer belongs to the counterexample.
        let mut here = parsed("&load=0.5&vc=1&traffic=0.0-1.1&break=3.3,2.2");
        assert_eq!(keys(&here), ["break", "traffic", "vc"]);
        let mended = "routing mine on mesh 2\nwhen West is minimal take West\notherwise take minimal";
        here = here.with_key("rules", mended).unwrap();
        let [home, faulty] = [false, true].map(|keeps| experiment_on_return(&away.home, &here, keeps).unwrap());
        assert_eq!((keys(&home), keys(&faulty)), (vec![], vec!["break"]));
        assert!([&home, &faulty].iter().all(|next| next.rules.as_ref().unwrap().text() == mended));
    }
}
