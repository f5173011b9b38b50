//! Watch view of circuits: the networks of all compared algorithms side by side, with the same
//! messages and the same clock.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use super::side_panel::rail;
use crate::experiment::Experiment;
use crate::report::circuit::play::CircuitPlay;
use crate::report::picture::cube::NetworkElement;
use crate::report::picture::layout::MAX_WHOLE_DIMENSION;
use crate::report::watch::{HitId, Watch as _};
use crate::web::stage::kind_view::{KindView, Labels, PointerAction, ViewContext, layout};
use crate::web::stage::player::SharedWatch;

/// Circuit view in the player.
pub(crate) struct CircuitView(Rc<RefCell<CircuitPlay>>);

impl CircuitView {
    pub(crate) fn open(experiment: &Experiment) -> Option<Rc<dyn KindView>> {
        Some(Rc::new(Self(Rc::new(RefCell::new(CircuitPlay::new(experiment)?)))))
    }

    fn toggle(&self, around: &ViewContext, place: HitId) {
        let time = self.0.borrow().now();
        around.toggle_at(place, time);
    }

    fn dimensions(&self) -> u8 {
        self.0.borrow().watch().cell.cube.dimension()
    }
}

impl KindView for CircuitView {
    fn watch(&self) -> SharedWatch {
        Rc::<RefCell<CircuitPlay>>::clone(&self.0)
    }

    fn labels(&self) -> Labels {
        let rail = "Reasons for the path";
        Labels { stage: "The networks", rail, series: "Networks", files: ["circuits"; 2] }
    }

    fn label(&self, name: &str) -> String {
        format!(
            "The network under {name}. Arrow keys move between nodes, L through the links of a node; Enter breaks or mends, or \
             follows the message that holds a link; B breaks a link that is held; during playback both break it at that time; space \
             plays."
        )
    }

    fn short_state(&self, index: usize) -> Option<String> {
        let play = self.0.borrow();
        play.watch().networks().get(index).map(|network| format!("{} wait", network.circuits().backlog()))
    }

    fn side_panel(&self, around: &ViewContext, index: usize) -> Html {
        rail(around, &self.0.borrow(), index)
    }

    fn tools(&self, around: &ViewContext) -> Html {
        if self.dimensions() <= MAX_WHOLE_DIMENSION {
            return layout(&around.context);
        }
        html! { <p class="hint">{"The network is too large to draw node by node: the links of each dimension are drawn together."}</p> }
    }

    /// Follows the message that holds a link; otherwise, or with the shift key, breaks or repairs
    /// the element.
    fn on_click(&self, around: &ViewContext, PointerAction { panel, place, shift, .. }: PointerAction) {
        let Some(place) = place else { return };
        let holder = if shift { None } else { self.0.borrow().message_at(panel, place) };
        match holder {
            Some(number) => around.follow(panel, number),
            None => self.toggle(around, place),
        }
    }

    fn on_key(&self, around: &ViewContext, panel: usize, focus: Option<HitId>, key: &str) -> bool {
        match (key, focus) {
            ("l" | "L", Some(place)) => around
                .stage
                .set_focus(Some((panel, NetworkElement::from_code(place).next_link(self.dimensions()).code()))),
            ("b" | "B", Some(place)) => self.toggle(around, place),
            _ => return false,
        }
        true
    }
}
