//! Watch view of worms: the meshes of all compared algorithms side by side, with the same faults,
//! messages and clock.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use super::side_panel::rail;
use super::tools::tools;
use crate::experiment::Experiment;
use crate::report::picture::geometry::{Point, Size};
use crate::report::picture::mesh;
use crate::report::picture::mesh::max_shown_nodes;
use crate::report::watch::{HitId, ViewState, Watch as _};
use crate::report::worm::play::WormPlay;
use crate::web::stage::kind_view::{KindView, Labels, PointerAction, ViewContext, too_large};
use crate::web::stage::player::SharedWatch;

/// Distance by which a key drags a solid, in pixels.
const ROTATE_STEP: f64 = 13.0;

/// Worm view in the player.
pub(crate) struct WormView(Rc<RefCell<WormPlay>>);

impl WormView {
    pub(crate) fn open(experiment: &Experiment) -> Option<Rc<dyn KindView>> {
        Some(Rc::new(Self(Rc::new(RefCell::new(WormPlay::new(experiment)?)))))
    }

    fn toggle(&self, around: &ViewContext, place: HitId) {
        let cycle = self.0.borrow().now();
        around.toggle_at(place, cycle);
    }
}

impl KindView for WormView {
    fn watch(&self) -> SharedWatch {
        Rc::<RefCell<WormPlay>>::clone(&self.0)
    }

    fn labels(&self) -> Labels {
        let rail = "Reasons for the path";
        Labels { stage: "The networks", rail, series: "Networks", files: ["worms"; 2] }
    }

    fn label(&self, name: &str) -> String {
        format!(
            "The mesh under {name}. Arrow keys move between nodes, digits 1 to 9 along a dimension, L through the links of a node; Enter \
             breaks or mends, or follows a message that holds a link; B breaks a link that is held; during playback both break it in the \
             current cycle; space plays, comma and full \
             stop step, W A S D rotate it."
        )
    }

    fn panels(&self, shown: &ViewState) -> (&'static str, Option<String>) {
        let Size { width, height } = mesh::ratio(self.0.borrow().watch().faults.mesh(), shown.view);
        ("panels panels--mesh", Some(format!("--ratio: {width} / {height}")))
    }

    fn side_panel(&self, around: &ViewContext, index: usize) -> Html {
        rail(around, &self.0.borrow(), index)
    }

    fn tools(&self, around: &ViewContext) -> Html {
        tools(around, &self.0)
    }

    /// Follows the message under the pointer, or the message that holds the link; otherwise, or with
    /// the shift key, breaks or repairs the element.
    fn on_click(&self, around: &ViewContext, PointerAction { panel, place, point, shift }: PointerAction) {
        let message = {
            let play = self.0.borrow();
            match point.zip(around.stage.size(panel)) {
                _ if shift => None,
                Some((point, size)) => play.message_under(panel, size, point, &around.stage.view_state()),
                None => place.and_then(|place| play.message_at(panel, place)),
            }
        };
        match (message, place) {
            (Some(number), _) => around.follow(panel, number),
            (None, Some(place)) => self.toggle(around, place),
            (None, None) => {}
        }
    }

    fn on_key(&self, around: &ViewContext, panel: usize, focus: Option<HitId>, key: &str) -> bool {
        let stage = &around.stage;
        let turn = |by| stage.rotate_by(by);
        match (key, focus) {
            ("w", _) => return turn(Point::new(0.0, -ROTATE_STEP)),
            ("s", _) => return turn(Point::new(0.0, ROTATE_STEP)),
            ("a", _) => return turn(Point::new(-ROTATE_STEP, 0.0)),
            ("d", _) => return turn(Point::new(ROTATE_STEP, 0.0)),
            ("1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9", _) => {
                let next = self.0.borrow().along(focus, key.parse().unwrap_or_default());
                stage.go_to(panel, next);
            }
            ("l" | "L", Some(place)) => {
                let next = self.0.borrow().next_link(place);
                stage.set_focus(Some((panel, next)));
            }
            ("b" | "B", Some(place)) => self.toggle(around, place),
            _ => return false,
        }
        true
    }
}

/// Renders the reason why there is nothing to show.
pub(crate) fn nothing(experiment: &Experiment) -> Html {
    if let Some(large) = experiment.mesh().filter(|mesh| mesh.nodes() > max_shown_nodes(*mesh)) {
        let network = if large.is_torus() { "torus" } else { "mesh" };
        return too_large(large.nodes().into(), "nodes", max_shown_nodes(large).into(), network);
    }
    let why = experiment.check_watchable().err();
    html! {
        <div class="caption">
            <h2>{"No message can move here"}</h2>
            <p>{why.map(|why| format!("Pattern {}: {why}.", experiment.view.sample))}</p>
            <p>{"Choose another pattern, fewer faults or a larger network."}</p>
        </div>
    }
}
