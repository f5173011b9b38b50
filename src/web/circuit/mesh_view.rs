//! Watch view of circuits on meshes: the meshes of all compared algorithms side by side, with the same
//! faults, messages and clock.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use super::mesh_side_panel::rail;
use crate::experiment::Experiment;
use crate::report::circuit::mesh::play::MeshCircuitPlay;
use crate::report::picture::geometry::{Point, Size};
use crate::report::picture::mesh;
use crate::report::watch::{HitId, ViewState, Watch as _};
use crate::web::stage::kind_view::{KindView, Labels, PointerAction, ViewContext, mesh_views};
use crate::web::stage::player::SharedWatch;

/// Distance by which a key drags a solid, in pixels.
const ROTATE_STEP: f64 = 13.0;

/// View of circuits on meshes in the player.
pub(crate) struct MeshCircuitView(Rc<RefCell<MeshCircuitPlay>>);

impl MeshCircuitView {
    pub(crate) fn open(experiment: &Experiment) -> Option<Rc<dyn KindView>> {
        Some(Rc::new(Self(Rc::new(RefCell::new(MeshCircuitPlay::new(experiment)?)))))
    }

    fn toggle(&self, around: &ViewContext, place: HitId) {
        let time = self.0.borrow().now();
        around.toggle_at(place, time);
    }
}

impl KindView for MeshCircuitView {
    fn watch(&self) -> SharedWatch {
        Rc::<RefCell<MeshCircuitPlay>>::clone(&self.0)
    }

    fn labels(&self) -> Labels {
        let rail = "Reasons for the path";
        Labels { stage: "The networks", rail, series: "Networks", files: ["circuits"; 2] }
    }

    fn label(&self, name: &str) -> String {
        format!(
            "The mesh under {name}. Arrow keys move between nodes, L through the links of a node; Enter breaks or mends, or \
             follows a message that holds a link; B breaks a link that is held; during playback both break it at that time; space plays, W A S D rotate it."
        )
    }

    fn panels(&self, shown: &ViewState) -> (&'static str, Option<String>) {
        let Size { width, height } = mesh::ratio(self.0.borrow().watch().faults.mesh(), shown.view);
        ("panels panels--mesh", Some(format!("--ratio: {width} / {height}")))
    }

    fn short_state(&self, index: usize) -> Option<String> {
        let play = self.0.borrow();
        play.watch().networks().get(index).map(|network| format!("{} wait", network.circuits().backlog()))
    }

    fn side_panel(&self, around: &ViewContext, index: usize) -> Html {
        rail(around, &self.0.borrow(), index)
    }

    fn tools(&self, around: &ViewContext) -> Html {
        if self.0.borrow().watch().faults.mesh().dimensions() > 2 {
            mesh_views(around)
        } else {
            html! {}
        }
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
        let stage = &around.stage;
        match (key, focus) {
            ("w", _) => return stage.rotate_by(Point::new(0.0, -ROTATE_STEP)),
            ("s", _) => return stage.rotate_by(Point::new(0.0, ROTATE_STEP)),
            ("a", _) => return stage.rotate_by(Point::new(-ROTATE_STEP, 0.0)),
            ("d", _) => return stage.rotate_by(Point::new(ROTATE_STEP, 0.0)),
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
