//! Links between texts and a picture: an element is highlighted in the picture and in all texts that
//! name it.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event};
use yew::prelude::*;

use super::kind_view::ViewContext;
use super::player::Player;
use crate::report::watch::{Highlight, ViewState, Watch};
use crate::report::wording::node_of;
use crate::rich_text::{Entity, RichText, Span};
use crate::routing::wording::mesh_node;
use crate::topology::{Link, NodeId};
use crate::web::form::glossary::{with_glossary_in_button, with_glossary_tab_stop};

/// Renderer of sentences about one picture.
pub(crate) struct EntityLinks<'a> {
    around: &'a ViewContext,
    panel: usize,
    /// True if the text is inside a button, where nothing else can have the focus.
    inside: bool,
    /// Glossary terms that are already marked.
    told: Vec<&'static str>,
    /// Elements named so far. The first name of each can have the focus, and the very first is a
    /// tab stop.
    named: Vec<Highlight>,
}

impl<'a> EntityLinks<'a> {
    pub(crate) fn new(around: &'a ViewContext, panel: usize) -> Self {
        Self { around, panel, inside: false, told: Vec::new(), named: Vec::new() }
    }

    /// Creates a renderer for texts inside buttons.
    pub(crate) fn inside(around: &'a ViewContext, panel: usize) -> Self {
        Self { inside: true, ..Self::new(around, panel) }
    }

    /// Renders a sentence: its references are highlighted, its terms explained.
    pub(crate) fn say(&mut self, text: &RichText) -> Html {
        let span = |span: &Span| match span.entity {
            Some(entity) => self.reference(entity, &span.text),
            None => self.words(&span.text),
        };
        text.spans().iter().map(span).collect()
    }

    /// Renders the name of a node.
    pub(crate) fn node(&mut self, node: NodeId) -> Html {
        let network = self.around.context.experiment.network;
        let name = network.mesh().map_or_else(|| node_of(network, node), |mesh| mesh_node(mesh, node));
        html! { <code>{ self.say(&name) }</code> }
    }

    /// Returns the `data-at` mark of a message.
    pub(crate) fn message(&self, number: u64) -> String {
        self.mark(Highlight::Message(number))
    }

    /// Returns the `data-at` mark of a link.
    pub(crate) fn link(&self, link: Link) -> Option<String> {
        self.highlight(Entity::Link(link)).map(|thing| self.mark(thing))
    }

    /// Returns the mark of an element: its identity for [`highlight_target`], and whether it is
    /// highlighted, for the style sheet.
    fn mark(&self, thing: Highlight) -> String {
        let (kind, number) = match thing {
            Highlight::Place(place) => ("at", place),
            Highlight::Message(number) => ("message", number),
        };
        let lit = if self.around.lit.contains(&Some((self.panel, thing))) { " lit" } else { "" };
        format!("{} {kind} {number}{lit}", self.panel)
    }

    fn highlight(&self, entity: Entity) -> Option<Highlight> {
        self.around.watch.borrow().highlight(entity)
    }

    fn words(&mut self, text: &str) -> Html {
        match self.inside {
            true => with_glossary_in_button(text, &mut self.told),
            false => with_glossary_tab_stop(text, &mut self.told, self.named.is_empty()),
        }
    }

    fn reference(&mut self, entity: Entity, name: &str) -> Html {
        let thing = self.highlight(entity);
        let first = thing.filter(|thing| !self.inside && !self.named.contains(thing));
        let is_stop = self.told.is_empty() && self.named.is_empty();
        self.named.extend(first);
        let tabindex = first.map(|_| if is_stop { "0" } else { "-1" });
        html! { <span data-at={thing.map(|thing| self.mark(thing))} {tabindex}>{name.to_owned()}</span> }
    }
}

/// Returns the highlighted elements with their panels: the element under the pointer, and the
/// message on it.
pub(crate) fn highlights(shown: &ViewState, watch: &dyn Watch) -> [Option<(usize, Highlight)>; 2] {
    let message = shown.hovered_message.or_else(|| {
        let (panel, place) = shown.focus?;
        Some((panel, watch.message_at(panel, place)?))
    });
    let message = message.map(|(panel, number)| (panel, Highlight::Message(number)));
    [shown.focus.map(|(panel, place)| (panel, Highlight::Place(place))), message]
}

/// Highlights the element that the text under the pointer or the focus names. Leaving the text
/// removes the highlight.
pub(crate) fn highlight_target(stage: &Player, event: &Event) {
    let words = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let words = words.and_then(|words| words.closest("[data-at]").ok().flatten());
    if let Some((panel, thing)) = words.and_then(|words| parse_mark(&words.get_attribute("data-at")?)) {
        let comes = matches!(&*event.type_(), "pointerover" | "focusin");
        stage.highlight(comes.then_some((panel, thing)));
    }
}

/// Parses a mark.
fn parse_mark(mark: &str) -> Option<(usize, Highlight)> {
    let mut parts = mark.split(' ');
    let (panel, kind, number) = (parts.next()?.parse().ok()?, parts.next()?, parts.next()?.parse().ok()?);
    Some((panel, if kind == "message" { Highlight::Message(number) } else { Highlight::Place(number) }))
}
