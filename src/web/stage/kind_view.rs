//! View of one kind in the player: its side panel, its tools, its clicks and keys.

use std::rc::Rc;

use yew::prelude::*;

use super::player::{Player, PlayerState, SharedWatch};
use crate::experiment::{Experiment, FaultyElement, Layout};
use crate::report::picture::cube::NetworkElement;
use crate::report::picture::geometry::Point;
use crate::report::picture::mesh::{TOO_LARGE, TOO_LARGE_HINT};
use crate::report::picture::projection::MeshView;
use crate::report::watch::{Highlight, HitId, ViewState};
use crate::web::app_context::AppContext;
use crate::web::form::field::ChoiceField;

/// Context of the parts of a view.
#[derive(Clone)]
pub(crate) struct ViewContext {
    pub(crate) context: AppContext,
    pub(crate) stage: Rc<Player>,
    pub(crate) tick: PlayerState,
    pub(crate) watch: SharedWatch,
    /// Highlighted elements with their panels.
    pub(crate) lit: [Option<(usize, Highlight)>; 2],
}

impl ViewContext {
    /// Returns a click handler that acts on the stage.
    pub(crate) fn onclick(&self, act: impl Fn(&Player) + 'static) -> Callback<MouseEvent> {
        let stage = Rc::clone(&self.stage);
        Callback::from(move |_| act(&stage))
    }

    /// Returns a handler that changes the view options.
    pub(crate) fn onchange(&self, change: fn(&mut ViewState)) -> Callback<Event> {
        let stage = Rc::clone(&self.stage);
        Callback::from(move |_| stage.set(change))
    }

    /// Follows a message under one of the algorithms.
    pub(crate) fn follow(&self, index: usize, number: u64) {
        self.stage.set(|shown| shown.followed = Some((index, number)));
    }

    /// Breaks or repairs a node or link.
    pub(crate) fn toggle(&self, place: HitId) {
        let next = match NetworkElement::from_code(place) {
            NetworkElement::Node(node) => self.context.experiment.with_node_toggled(node),
            NetworkElement::Link(link) => self.context.experiment.with_link_toggled(link),
        };
        if let Some(next) = next {
            self.context.on_edit.emit(next);
        }
    }
}

impl ViewContext {
    /// Breaks or repairs a node or link. During playback a live one breaks at the time shown, from
    /// which messages move on.
    pub(crate) fn toggle_at(&self, place: HitId, time: f64) {
        let element = match NetworkElement::from_code(place) {
            NetworkElement::Node(node) => FaultyElement::Node(node),
            NetworkElement::Link(link) => FaultyElement::Link(link),
        };
        let plays = self.stage.view_state().playing;
        match self.context.experiment.with_later_fault(element, time).filter(|_| plays) {
            Some(next) => self.context.on_edit.emit(next),
            None => self.toggle(place),
        }
    }
}

/// Position of a click or of the Enter key.
#[derive(Clone, Copy)]
pub(crate) struct PointerAction {
    pub(crate) panel: usize,
    /// Element at the position.
    pub(crate) place: Option<HitId>,
    /// Point on the canvas, for a click.
    pub(crate) point: Option<Point>,
    /// True if the shift key was pressed.
    pub(crate) shift: bool,
}

/// Names of the parts of a view.
pub(crate) struct Labels {
    pub(crate) stage: &'static str,
    pub(crate) rail: &'static str,
    pub(crate) series: &'static str,
    /// File names of data and of pictures.
    pub(crate) files: [&'static str; 2],
}

/// Factory of the view of a kind that can be played.
pub(crate) struct ViewFactory {
    /// Function that creates the view of an experiment; `None` if there is nothing to show.
    pub(crate) open: fn(&Experiment) -> Option<Rc<dyn KindView>>,
    /// Function that renders the message if there is nothing to show.
    pub(crate) nothing: fn(&Experiment) -> Html,
}

/// Each kind has one factory, which is compared by identity.
impl PartialEq for ViewFactory {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// View of an experiment of one kind in the player.
pub(crate) trait KindView {
    /// Returns the simulation.
    fn watch(&self) -> SharedWatch;

    /// Returns the names of the parts.
    fn labels(&self) -> Labels;

    /// Returns the description of an algorithm's canvas, with its keys.
    fn label(&self, name: &str) -> String;

    /// Returns the CSS classes of the element around the canvases, and its style.
    fn panels(&self, _shown: &ViewState) -> (&'static str, Option<String>) {
        ("panels", None)
    }

    /// Returns the short state of the algorithm at this index, for its tab.
    fn short_state(&self, _index: usize) -> Option<String> {
        None
    }

    /// Renders the side panel of the algorithm at this index.
    fn side_panel(&self, around: &ViewContext, index: usize) -> Html;

    /// Renders the tools below the pictures.
    fn tools(&self, around: &ViewContext) -> Html;

    /// Handles a click or the Enter key.
    fn on_click(&self, around: &ViewContext, at: PointerAction);

    /// Returns whether the element can be dragged to another place.
    fn can_move(&self, _place: HitId) -> bool {
        false
    }

    /// Handles the drag of an element to another one.
    fn on_moved(&self, _around: &ViewContext, _from: HitId, _to: HitId) {}

    /// Handles a key with the focused element. Returns whether the key has a function.
    fn on_key(&self, _around: &ViewContext, _panel: usize, _focus: Option<HitId>, _key: &str) -> bool {
        false
    }
}

/// Renders the choice of a hypercube layout.
pub(crate) fn layout(context: &AppContext) -> Html {
    let commit = {
        let context = context.clone();
        Callback::from(move |name: String| {
            context.edit_with(|next| {
                if let Some(layout) = Layout::parse(&name) {
                    next.view.layout = layout;
                }
            });
            Ok(())
        })
    };
    let names = [("layers", "layers by distance"), ("cube", "projected cube"), ("grid", "Gray-code grid")];
    let options = names.map(|(value, name)| (value.into(), name.into())).to_vec();
    let current = context.experiment.view.layout.id();
    html! { <ChoiceField label="Layout" {options} value={current} {commit} /> }
}

/// Renders the choice between slices and a solid, for a mesh of more than two dimensions.
pub(crate) fn mesh_views(around: &ViewContext) -> Html {
    let view = |name: &'static str, title: &'static str, view: MeshView| {
        let onclick = around.onclick(move |stage| stage.set(|shown| shown.view = view));
        let pressed = (around.tick.shown.view == MeshView::Slices) == (view == MeshView::Slices);
        html! { <button type="button" {onclick} {title} aria-pressed={pressed.to_string()}>{name}</button> }
    };
    html! {
        <span class="pair" role="group" aria-label="View">
            { view("Slices", "Shows the planes of the mesh side by side", MeshView::Slices) }
            { view("Solid", "Shows the mesh in 3D: drag it, or press W, A, S, D, to rotate it", MeshView::SOLID) }
        </span>
    }
}

/// Renders the message in place of a network of `number` units, of which at most `most` can be
/// shown.
pub(crate) fn too_large(number: u64, units: &str, most: u64, smaller: &str) -> Html {
    html! {
        <div class="caption">
            <h2>{format!("{number} {units}: {TOO_LARGE} {TOO_LARGE_HINT}")}</h2>
            <p>{format!("Up to {most} {units} are shown. Choose a smaller {smaller}, or use Measure.")}</p>
        </div>
    }
}
