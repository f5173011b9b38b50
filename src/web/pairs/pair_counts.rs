//! Counts of disconnected pairs in hypercubes that are too large to draw, computed in time slices.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use gloo_timers::callback::Timeout;
use yew::prelude::*;

use crate::experiment::{CubePointConfig, Experiment};
use crate::routing::Algorithm;
use crate::theory::{PairCounter, PairCounts};
use crate::web::stage::view::instance_key;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) experiment: Rc<Experiment>,
}

/// Renders the counts of the disconnected pairs.
#[component]
pub(crate) fn PairCountTable(props: &Props) -> Html {
    let experiment = &props.experiment;
    let counts = use_state(Vec::<PairCounts>::new);
    use_effect_with(instance_key(experiment), {
        let (experiment, counts) = (Rc::clone(experiment), counts.clone());
        move |_| {
            let cell = CubePointConfig::new(&experiment, None);
            let of = |algorithm: &Arc<Algorithm>| {
                let cell = cell.as_ref()?;
                PairCounter::new(cell.cube, &mut cell.fault_pattern(experiment.view.sample), algorithm)
            };
            let waiting: Vec<_> = experiment.routing.iter().filter_map(of).collect();
            let next = Rc::new(RefCell::new(None));
            slice(waiting, 0, counts, Rc::clone(&next));
            move || drop(next.take())
        }
    });
    let row = |(place, algorithm): (usize, &Arc<Algorithm>)| {
        let counts = counts.get(place);
        let (cut, live) = (counts.map(|counts| counts.cut_off), counts.map(|counts| counts.live));
        let share =
            counts.and_then(|counts| counts.share()).map_or("…".into(), |share| format!("{:.4}%", share * 100.0));
        let text = |count: Option<u64>| count.map_or("…".to_owned(), |count| count.to_string());
        html! { <tr><th scope="row">{&*algorithm.name}</th><td>{text(cut)}</td><td>{text(live)}</td><td>{share}</td></tr> }
    };
    html! {
        <section class="stage stage--wide" aria-label="The pairs">
            <div class="caption">
                { for experiment.cube().map(|cube| html! { <h2>{format!("Pairs cut off in the {}-cube", cube.dimension())}</h2> }) }
                <p>{"The pairs are only counted: drawing and relabelling work up to n = 10. Break nodes and links \
                     in the experiment's text, or use random faults."}</p>
            </div>
            <div class="scroll"><table>
                <thead><tr><th>{"algorithm"}</th><th>{"pairs cut off"}</th><th>{"live pairs"}</th><th>{"share"}</th></tr></thead>
                <tbody>{ for experiment.routing.iter().enumerate().map(row) }</tbody>
            </table></div>
        </section>
    }
}

/// Number of destinations between two returns to the browser.
const SLICE: u64 = 64;

/// Runs one slice of the count and schedules the next one; `next` contains its timeout.
fn slice(
    mut waiting: Vec<PairCounter>,
    at: usize,
    told: UseStateHandle<Vec<PairCounts>>,
    next: Rc<RefCell<Option<Timeout>>>,
) {
    let Some(counter) = waiting.get_mut(at) else { return };
    let at = at + usize::from(!counter.step(SLICE));
    told.set(waiting.iter().take(at + 1).map(PairCounter::counts).collect());
    let again = Rc::clone(&next);
    *next.borrow_mut() = Some(Timeout::new(0, move || slice(waiting, at, told, again)));
}
