//! Watch view of single messages: all in one picture, with the reasons of the hops beside it.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use crate::experiment::{Experiment, Trace};
use crate::fault::Faults as _;
use crate::report::message::play::MessagePlay;
use crate::report::message::wording;
use crate::report::picture::cube::NetworkElement;
use crate::report::picture::layout::MAX_WHOLE_DIMENSION;
use crate::report::watch::{HitId, Watch as _};
use crate::topology::{Link, NodeId};
use crate::web::player_controls::PlayerControls as _;
use crate::web::stage::entity_links::EntityLinks;
use crate::web::stage::entries::{HopEntry, hop};
use crate::web::stage::kind_view::{KindView, Labels, PointerAction, ViewContext, layout};
use crate::web::stage::panels::{fact_list, trace_button};
use crate::web::stage::player::SharedWatch;

/// Reason why an endpoint cannot be broken.
const ENDS: &str = "Source and destination are live by assumption: move them to break this node.";

/// Maximum number of hops that are listed at once.
const LISTED: usize = 60;

/// Message view in the player.
pub(crate) struct MessageView(Rc<RefCell<MessagePlay>>);

impl MessageView {
    pub(crate) fn open(experiment: &Experiment) -> Option<Rc<dyn KindView>> {
        Some(Rc::new(Self(Rc::new(RefCell::new(MessagePlay::new(experiment)?)))))
    }
}

impl KindView for MessageView {
    fn watch(&self) -> SharedWatch {
        Rc::<RefCell<MessagePlay>>::clone(&self.0)
    }

    fn labels(&self) -> Labels {
        let rail = "Reasons for the path";
        Labels { stage: "The network", rail, series: "Messages", files: ["route", "network"] }
    }

    fn label(&self, _name: &str) -> String {
        "The network. Arrow keys move between nodes, L through the links of a node, Enter breaks or mends, space plays."
            .into()
    }

    fn short_state(&self, index: usize) -> Option<String> {
        Some(self.0.borrow().status(index))
    }

    fn side_panel(&self, around: &ViewContext, index: usize) -> Html {
        let play = self.0.borrow();
        html! {
            <>
                { for play.trace(index).map(|trace| reasons(around, &play, &trace, index)) }
                <section><h3>{"Outcome"}</h3>{ fact_list(play.counts(), index) }</section>
            </>
        }
    }

    fn tools(&self, around: &ViewContext) -> Html {
        if self.0.borrow().instance().cell.cube.dimension() <= MAX_WHOLE_DIMENSION {
            return layout(&around.context);
        }
        html! { <p class="hint">{"The picture shows the nodes that the message has examined, in layers by distance from the destination."}</p> }
    }

    /// Breaks or repairs a node, or a link in both directions. Source and destination stay
    /// fault-free and can be moved.
    fn on_click(&self, around: &ViewContext, at: PointerAction) {
        match at.place.map(NetworkElement::from_code) {
            Some(NetworkElement::Link(link)) => {
                let alike = {
                    let play = self.0.borrow();
                    let instance = &mut *play.instance();
                    let mut is_faulty = |link| instance.faults().is_link_faulty(link);
                    is_faulty(link) == is_faulty(link.reverse())
                };
                let next = around.context.experiment.with_link_toggled(link);
                let both = |next: Experiment| if alike { next.with_link_toggled(link.reverse()) } else { Some(next) };
                if let Some(next) = next.and_then(both) {
                    around.context.on_edit.emit(next);
                }
            }
            Some(NetworkElement::Node(node)) => match around.context.experiment.with_node_toggled(node) {
                Some(next) => around.context.on_edit.emit(next),
                // The tooltip already explains this to a user who points at the node.
                None if at.point.is_some() => {}
                None => around.context.on_refuse.emit(ENDS.into()),
            },
            None => {}
        }
    }

    fn can_move(&self, place: HitId) -> bool {
        matches!(NetworkElement::from_code(place), NetworkElement::Node(node) if self.0.borrow().instance().cell.ends.contains(node))
    }

    fn on_moved(&self, around: &ViewContext, from: HitId, to: HitId) {
        let (from, to) = (NodeId(from), NetworkElement::from_code(to).node());
        let ends = self.0.borrow().instance().cell.ends;
        if !ends.contains(to) {
            around.context.edit_with(|next| match from == ends.from {
                true => (next.from, next.to) = (Some(to), Some(ends.to)),
                false => (next.from, next.to) = (Some(ends.from), Some(to)),
            });
        }
    }

    fn on_key(&self, around: &ViewContext, panel: usize, focus: Option<HitId>, key: &str) -> bool {
        let dimensions = self.0.borrow().instance().cell.cube.dimension();
        match (key, focus) {
            ("l" | "L", Some(place)) if dimensions <= MAX_WHOLE_DIMENSION => {
                around.stage.set_focus(Some((panel, NetworkElement::from_code(place).next_link(dimensions).code())));
                true
            }
            _ => false,
        }
    }
}

/// Renders the hops around the last one made, each with its reason.
fn reasons(around: &ViewContext, play: &MessagePlay, trace: &Trace, index: usize) -> Html {
    let (made, all) = (play.now() as usize, trace.hops.len());
    let first = made.saturating_sub(LISTED / 2).min(all.saturating_sub(LISTED));
    let last = (first + LISTED).min(all);
    let instance = &mut *play.instance();
    let mut located = EntityLinks::inside(around, 0);
    let mut item = |number: usize| {
        let taken = trace.hops[number];
        let onclick = around.onclick(move |stage| stage.seek((number + 1) as f64));
        let current = (number + 1 == made).then_some("step");
        let link = Link { from: taken.from, dim: (taken.from.0 ^ taken.to.0).trailing_zeros() as u8 };
        let made = HopEntry::new(number + 1, taken.rule.is_detour(), link, wording::reason(instance, trace, number));
        hop(&mut located, index, &made, Some((onclick, current)))
    };
    let items: Html = (first..last).map(&mut item).collect();
    html! {
        <section>
            <h3>{"Reasons for the path"}</h3>
            if first > 0 { <p class="hint">{format!("{first} earlier hops")}</p> }
            <ol class="hops">{ items }</ol>
            if last < all { <p class="hint">{format!("{} later hops", all - last)}</p> }
            if all > 0 { { trace_button(around) } }
            if all == 0 { <p class="hint">{EntityLinks::new(around, 0).say(&wording::ending(&instance.cell, trace))}</p> }
        </section>
    }
}
