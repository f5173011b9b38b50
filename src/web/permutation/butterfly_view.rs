//! Watch view of messages between the rows of a butterfly: the butterfly of every compared
//! algorithm, with the same faults.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use crate::experiment::Experiment;
use crate::experiment::permutation::ButterflyWatch;
use crate::report::permutation::butterfly::play::ButterflyPlay;
use crate::report::picture::cube::NetworkElement;
use crate::report::watch::{HitId, ViewState, Watch as _};
use crate::topology::Link;
use crate::web::player_controls::PlayerControls as _;
use crate::web::stage::entity_links::EntityLinks;
use crate::web::stage::entries::{HopEntry, hop};
use crate::web::stage::kind_view::{KindView, Labels, PointerAction, ViewContext, too_large};
use crate::web::stage::panels::{counts, future_outcome, outcome};
use crate::web::stage::player::SharedWatch;

/// View of permutations and batches on butterflies in the player.
pub(crate) struct ButterflyView(Rc<RefCell<ButterflyPlay>>);

impl ButterflyView {
    pub(crate) fn open(experiment: &Experiment) -> Option<Rc<dyn KindView>> {
        Some(Rc::new(Self(Rc::new(RefCell::new(ButterflyPlay::new(experiment)?)))))
    }

    /// Renders the message for a butterfly that is too large.
    pub(crate) fn nothing(experiment: &Experiment) -> Html {
        let levels = experiment.network.butterfly().map_or(0, |butterfly| butterfly.levels());
        too_large(levels.into(), "levels", ButterflyWatch::MAX_LEVELS.into(), "butterfly")
    }

    /// Follows the message from the row of a node.
    fn follow(&self, around: &ViewContext, place: HitId) {
        let butterfly = self.0.borrow().watch().butterfly();
        let row = butterfly.row(NetworkElement::from_code(place).node());
        around.context.edit_with(|next| next.from = Some(butterfly.node(row, 0)));
    }
}

impl KindView for ButterflyView {
    fn watch(&self) -> SharedWatch {
        Rc::<RefCell<ButterflyPlay>>::clone(&self.0)
    }

    fn labels(&self) -> Labels {
        let rail = "Reasons for the path";
        Labels { stage: "The networks", rail, series: "Algorithms", files: ["permutation"; 2] }
    }

    fn label(&self, name: &str) -> String {
        format!(
            "The butterfly under {name}. Arrow keys move between nodes, L through the links of a node; Enter breaks or \
             mends, F follows the message from a node's row; space plays, comma and full stop step."
        )
    }

    fn panels(&self, _shown: &ViewState) -> (&'static str, Option<String>) {
        ("panels panels--squares", None)
    }

    fn side_panel(&self, around: &ViewContext, index: usize) -> Html {
        let play = self.0.borrow();
        html! {
            <>
                { counts("Counts", &play.names(), play.counts()) }
                { focus(around, &play) }
                { ending(around, &play, index) }
                { followed(around, &play, index) }
            </>
        }
    }

    fn tools(&self, around: &ViewContext) -> Html {
        if self.0.borrow().watch().is_batch() {
            return html! {
                <p class="hint">{"Thick: held links. Short strokes: links that a header requests. Levels are columns, rows are rows."}</p>
            };
        }
        let onchange = around.onchange(|shown| shown.heat = !shown.heat);
        html! {
            <label class="check" title="Shows how many messages cross each link, as width and opacity">
                <input type="checkbox" checked={around.tick.shown.heat} {onchange} /><span>{"Congestion"}</span>
            </label>
        }
    }

    /// Breaks or repairs a node; with the shift key, follows the message from its row.
    fn on_click(&self, around: &ViewContext, at: PointerAction) {
        match at.place {
            Some(place) if at.shift => self.follow(around, place),
            Some(place) if matches!(NetworkElement::from_code(place), NetworkElement::Node(_)) => around.toggle(place),
            _ => {}
        }
    }

    fn on_key(&self, around: &ViewContext, panel: usize, focus: Option<HitId>, key: &str) -> bool {
        let Some(place) = focus else { return false };
        match key {
            "f" | "F" => self.follow(around, place),
            "l" | "L" => {
                let next = self.0.borrow().next_link(place);
                around.stage.set_focus(Some((panel, next)));
            }
            _ => return false,
        }
        true
    }
}

/// Renders the description of the element under the pointer.
fn focus(around: &ViewContext, play: &ButterflyPlay) -> Html {
    let Some((panel, place)) = around.tick.shown.focus else {
        return html! { <p class="hint">{"Point at a node to see whether its row is active. Shift-click follows its message."}</p> };
    };
    html! { <p class="hint">{play.describe_element(panel, NetworkElement::from_code(place))}</p> }
}

/// Renders the end of a batch.
fn ending(around: &ViewContext, play: &ButterflyPlay, index: usize) -> Html {
    let Some((said, end)) = play.ending(index).zip(play.batch_end(index)) else { return html! {} };
    if play.watch().now() < end {
        return html! { <section>{ future_outcome(around, said, "Go there", end.into()) }</section> };
    }
    html! { <section>{ outcome(said.into()) }</section> }
}

/// Renders the followed message, hop by hop.
fn followed(around: &ViewContext, play: &ButterflyPlay, index: usize) -> Html {
    let (said, hops) =
        play.history(index).unwrap_or_else(|| ("No message starts there. Choose another row.".into(), Vec::new()));
    let stepping = !play.watch().is_batch();
    let mut located = EntityLinks::inside(around, index);
    let butterfly = play.watch().butterfly();
    let item = |(place, (link, said)): (usize, (Link, String))| {
        let go = around.onclick(move |stage| {
            if stepping {
                stage.seek((place + 1) as f64);
            }
        });
        let current = (stepping && place + 1 == play.watch().now() as usize).then_some("step");
        let entry = HopEntry {
            number: place + 1,
            is_detour: false,
            link,
            ends: (link.from, butterfly.link_end(link).unwrap_or(link.from)),
            way: "to ".into(),
            why: said.into(),
            when: None,
        };
        hop(&mut located, index, &entry, Some((go, current)))
    };
    let items: Html = hops.into_iter().enumerate().map(item).collect();
    html! {
        <section id="followed">
            <h3>{"Reasons for the path"}</h3>
            <p>{EntityLinks::new(around, index).say(&said)}</p>
            <ol class="hops">{items}</ol>
        </section>
    }
}
