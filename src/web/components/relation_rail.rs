//! Beside the squares of subcubes: what has been counted, the message that is followed hop by hop, and the circle that it
//! froze in.

use std::rc::Rc;

use yew::prelude::*;

use super::Bench;
use super::controls::set_node;
use super::field::TextField;
use super::steps::{counts, series};
use crate::experiment::RelationWatch;
use crate::report::relation_told;
use crate::report::words;
use crate::topology::NodeId;
use crate::web::player::Player as _;
use crate::web::step_stage::{StepStage, StepTick, Steps as _};

/// All of it, for the algorithm of this number.
pub(super) fn rail(bench: &Bench, stage: &Rc<StepStage>, tick: StepTick, watch: &RelationWatch, index: usize) -> Html {
    let names = watch.names();
    html! {
        <>
            { series(stage, &names, index) }
            { counts(&names, relation_told::counts(watch)) }
            { focus(tick, watch) }
            { ending(bench, stage, watch, index) }
            { followed(bench, stage, watch, index) }
        </>
    }
}

/// The node under the pointer.
fn focus(tick: StepTick, watch: &RelationWatch) -> Html {
    let Some((panel, node)) = tick.focus else {
        return html! { <p class="hint">{"Point at a node: is it active, and why not? Shift-click follows its message."}</p> };
    };
    html! { <p class="hint">{relation_told::spot(watch, panel, NodeId(node))}</p> }
}

/// How a batch ends, or why the scheme does not apply.
fn ending(bench: &Bench, stage: &Rc<StepStage>, watch: &RelationWatch, index: usize) -> Html {
    let Some(said) = relation_told::ending(watch, index) else { return html! {} };
    let batch = watch.watched.get(index).and_then(|watched| watched.as_ref()?.batch.as_ref());
    let ahead = batch.filter(|batch| watch.now() < batch.end).map(|batch| {
        let (stage, end) = (Rc::clone(stage), f64::from(batch.end));
        let go = Callback::from(move |_: MouseEvent| stage.seek(end));
        html! { <>{" "}<button type="button" class="chip chip--plain" onclick={go}>{"go there"}</button></> }
    });
    let circle = relation_told::circle(watch, index).into_iter().map(|(from, said)| {
        let bench = bench.clone();
        let follow = Callback::from(move |_: MouseEvent| bench.edited(|next| next.from = Some(from)));
        html! { <li><button type="button" onclick={follow}><span><small>{said}</small></span></button></li> }
    });
    html! {
        <section>
            if let Some(ahead) = ahead {
                <p class="hint">{"Ahead: "}{said}{ahead}</p>
            } else {
                <p id="ending" class="ending" role="status">{said}</p>
                <ol class="hops">{ for circle }</ol>
            }
        </section>
    }
}

/// The message that is followed, hop by hop.
fn followed(bench: &Bench, stage: &Rc<StepStage>, watch: &RelationWatch, index: usize) -> Html {
    let network = bench.experiment.network;
    let story = relation_told::story(watch, index);
    let from = match (&story, bench.experiment.from) {
        (Some(story), _) => words::node_of(network, story.from),
        (None, Some(from)) => words::node_of(network, from),
        (None, None) => String::new(),
    };
    let (said, hops) = match story {
        Some(story) => (story.said, story.hops),
        None => ("No message that is sent goes from there. Name another node.".to_owned(), Vec::new()),
    };
    let stepping = !watch.is_batch();
    let item = |(place, hop): (usize, (NodeId, String))| {
        let stage = Rc::clone(stage);
        let go = Callback::from(move |_: MouseEvent| {
            if stepping {
                stage.seek((place + 1) as f64);
            }
        });
        let current = (stepping && place + 1 == watch.now() as usize).then_some("step");
        html! {
            <li key={place}><button type="button" onclick={go} aria-current={current}>
                <i class={format!("badge badge--{}", index % 7)}>{place + 1}</i>
                <span>{"to "}<code>{words::node_of(network, hop.0)}</code><small>{hop.1}</small></span>
            </button></li>
        }
    };
    html! {
        <section id="followed">
            <h3>{"Why it goes where it goes"}</h3>
            <TextField label="Message from" value={from} commit={set_node(bench, "from")}
                hint="A node: the first message that it sends is followed" />
            <p>{said}</p>
            <ol class="hops">{ for hops.into_iter().enumerate().map(item) }</ol>
        </section>
    }
}
