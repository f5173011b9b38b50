//! Side panel of permutations: counts, the followed message hop by hop, and the cyclic wait in
//! which a batch deadlocked.

use yew::prelude::*;

use crate::experiment::PermutationWatch;
use crate::report::permutation::play::PermutationPlay;
use crate::report::permutation::watch;
use crate::report::picture::cube::NetworkElement;
use crate::report::watch::Watch as _;
use crate::report::wording;
use crate::topology::Link;
use crate::web::form::field::TextField;
use crate::web::form::keys::set_node;
use crate::web::player_controls::PlayerControls as _;
use crate::web::stage::cyclic_wait::{WaitCycle, render_wait_cycle};
use crate::web::stage::entity_links::EntityLinks;
use crate::web::stage::entries::{HopEntry, hop};
use crate::web::stage::kind_view::ViewContext;
use crate::web::stage::panels::{counts, future_outcome, outcome};

/// Renders the side panel of the algorithm at `index`.
pub(crate) fn rail(around: &ViewContext, play: &PermutationPlay, index: usize) -> Html {
    let watch = play.watch();
    html! {
        <>
            { counts("Counts", &play.names(), play.counts()) }
            { focus(around, watch) }
            { ending(around, watch, index) }
            { followed(around, watch, index) }
        </>
    }
}

/// Renders the description of the node under the pointer.
fn focus(around: &ViewContext, watch: &PermutationWatch) -> Html {
    let Some((panel, place)) = around.tick.shown.focus else {
        return html! { <p class="hint">{"Point at a node to see whether it is active. Shift-click follows its message."}</p> };
    };
    html! { <p class="hint">{watch::describe_element(watch, panel, NetworkElement::from_code(place))}</p> }
}

/// Renders the end of a batch, or the reason why the scheme does not apply.
fn ending(around: &ViewContext, watch: &PermutationWatch, index: usize) -> Html {
    let Some(said) = watch::ending(watch, index) else { return html! {} };
    let batch = watch.watched.get(index).and_then(|watched| watched.as_ref()?.batch.as_ref());
    if let Some(batch) = batch.filter(|batch| watch.now() < batch.end) {
        return html! { <section>{ future_outcome(around, said, "Go there", batch.end.into()) }</section> };
    }
    let waits = watch::cyclic_wait(watch, index);
    if waits.is_empty() {
        return html! { <section>{ outcome(said.into()) }</section> };
    }
    let trial = watch.instance.series.get(index).and_then(|series| series.trial.as_ref().ok());
    let source = |number: u64| Some((number, trial?.relation.ends(number as u32).0));
    let sources: Vec<_> = waits.iter().filter_map(|(number, _)| source(*number)).collect();
    let context = around.context.clone();
    let follow = Callback::from(move |number: u64| {
        let source = sources.iter().find(|source| source.0 == number);
        context.edit_with(|next| next.from = source.map(|source| source.1));
    });
    let followed = watch.watched.get(index).and_then(|watched| watched.as_ref()?.followed.as_ref());
    let chosen = followed.map(|followed| followed.number.into());
    render_wait_cycle(around, &WaitCycle { panel: index, waits, chosen, said: said.into(), follow })
}

/// Renders the followed message, hop by hop.
fn followed(around: &ViewContext, watch: &PermutationWatch, index: usize) -> Html {
    let context = &around.context;
    let network = context.experiment.network;
    let history = watch::message_history(watch, index);
    let from = match (&history, context.experiment.from) {
        (Some(history), _) => wording::node_of(network, history.from).to_string(),
        (None, Some(from)) => wording::node_of(network, from).to_string(),
        (None, None) => String::new(),
    };
    let (said, hops) = match history {
        Some(history) => (history.summary, history.hops),
        None => ("No message starts there. Choose another node.".into(), Vec::new()),
    };
    let stepping = !watch.is_batch();
    let mut located = EntityLinks::inside(around, index);
    let item = |(place, (link, said)): (usize, (Link, String))| {
        let go = around.onclick(move |stage| {
            if stepping {
                stage.seek((place + 1) as f64);
            }
        });
        let current = (stepping && place + 1 == watch.now() as usize).then_some("step");
        hop(&mut located, index, &HopEntry::new(place + 1, false, link, said.into()), Some((go, current)))
    };
    let items: Html = hops.into_iter().enumerate().map(item).collect();
    html! {
        <section id="followed">
            <h3>{"Reasons for the path"}</h3>
            <TextField label="Message from" value={from} commit={set_node(context, |next, node| next.from = Some(node))}
                hint="The first message of this node is followed." />
            <p>{EntityLinks::new(around, index).say(&said)}</p>
            <ol class="hops">{items}</ol>
        </section>
    }
}
