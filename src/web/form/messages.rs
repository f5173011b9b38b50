//! Controls of messages: the endpoints of one message, and the destinations of messages under load.

use yew::prelude::*;

use super::field::{ChoiceField, TextField};
use super::keys::{fieldset, hint, set_node, setter, value};
use crate::report::wording;
use crate::topology::NodeId;
use crate::traffic::NamedPermutation;
use crate::web::app_context::AppContext;

/// Renders the endpoints of the followed pair, for kinds in which no message moves alone.
pub(crate) fn followed_pair(context: &AppContext) -> Html {
    fieldset("Examined pair", endpoints(context))
}

/// Renders the fields of the source and the destination.
pub(crate) fn endpoints(context: &AppContext) -> Html {
    let (network, ends) = (context.experiment.network, context.experiment.ends());
    // The other endpoint keeps its value, even if it is a default.
    let from = set_node(context, |next, node| (next.from, next.to) = (Some(node), Some(next.ends().to)));
    let to = set_node(context, |next, node| (next.from, next.to) = (Some(next.ends().from), Some(node)));
    html! {
        <>
            <TextField label="From" value={wording::node_of(network, ends.from).to_string()} commit={from} hint="The source of the \
                                                                                                               message." />
            <TextField label="To" value={wording::node_of(network, ends.to).to_string()} commit={to} hint="The destination of the message." />
        </>
    }
}

/// Renders the choice of a traffic pattern.
pub(crate) fn destinations(context: &AppContext) -> Html {
    let experiment = &context.experiment;
    let hot = format!("hot:{}:0.1", experiment.network.format_node(experiment.ends().to));
    let is_defined = |permutation: &NamedPermutation| match experiment.network.mesh() {
        Some(mesh) => permutation.image(mesh, NodeId(0)).is_some(),
        None => NamedPermutation::ON_HYPERCUBES.contains(permutation),
    };
    let permutations = NamedPermutation::ALL.into_iter().filter(is_defined);
    let mut traffic: Vec<(AttrValue, AttrValue)> =
        vec![("uniform".into(), "uniform".into()), (hot.into(), "hot spot".into())];
    traffic.extend(permutations.map(|permutation| (permutation.id().into(), permutation.name().into())));
    let current = value(context, "traffic");
    if !traffic.iter().any(|(id, _)| *id == current) {
        traffic.push((current.clone().into(), current.clone().into()));
    }
    html! { <ChoiceField label="Destinations" options={traffic} value={current} commit={setter(context, "traffic")} hint={hint(context, "traffic")} /> }
}
