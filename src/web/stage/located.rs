//! Sentences beside a picture: a node that they name lights up there, and they light up with it.

use yew::prelude::*;

use super::side::Around;
use crate::report::watch::Place;
use crate::report::words::named::nodes_in;
use crate::report::words::node_of;
use crate::routing::words::mesh_node;
use crate::topology::NodeId;
use crate::web::form::word::{worded_inside, worded_once};

/// What says the sentences about one picture.
pub(crate) struct Located<'a> {
    around: &'a Around,
    panel: usize,
    /// Whether they stand where nothing else can have the focus.
    inside: bool,
    /// The words that have been explained.
    told: Vec<&'static str>,
}

impl<'a> Located<'a> {
    pub(crate) fn new(around: &'a Around, panel: usize) -> Self {
        Self { around, panel, inside: false, told: Vec::new() }
    }

    /// The same for what is pressed.
    pub(crate) fn inside(around: &'a Around, panel: usize) -> Self {
        Self { inside: true, ..Self::new(around, panel) }
    }

    /// A sentence.
    pub(crate) fn say(&mut self, text: &str) -> Html {
        let mut parts = Vec::new();
        let mut from = 0;
        for (range, node) in nodes_in(self.around.bench.experiment.network, text) {
            parts.push(self.words(&text[from..range.start]));
            parts.push(self.lit(node, &text[range.clone()]));
            from = range.end;
        }
        parts.push(self.words(&text[from..]));
        html! { <>{ for parts }</> }
    }

    /// A node by its name.
    pub(crate) fn node(&self, node: NodeId) -> Html {
        let network = self.around.bench.experiment.network;
        let name = network.mesh().map_or_else(|| node_of(network, node), |mesh| mesh_node(mesh, node));
        html! { <code>{ self.lit(node, &name) }</code> }
    }

    fn words(&mut self, text: &str) -> Html {
        match self.inside {
            true => worded_inside(text, &mut self.told),
            false => worded_once(text, &mut self.told),
        }
    }

    fn lit(&self, node: NodeId, name: &str) -> Html {
        let place: Place = node.0;
        let lit = self.around.tick.shown.focus_in(self.panel) == Some(place);
        let focus = |focus: Option<(usize, Place)>| {
            let stage = self.around.stage.clone();
            Callback::from(move |_: PointerEvent| stage.set_focus(focus))
        };
        html! {
            <span class={classes!("at", lit.then_some("at--lit"))} onpointerenter={focus(Some((self.panel, place)))}
                onpointerleave={focus(None)}>{name.to_owned()}</span>
        }
    }
}
