//! Watch, worms: the meshes of all compared algorithms side by side, under the same faults, messages and clock.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use super::rail::rail;
use super::tools::tools;
use crate::experiment::Experiment;
use crate::report::picture::geometry::{Point, Size};
use crate::report::watch::{Place, Shown, Watch as _};
use crate::report::worm::picture::mesh;
use crate::report::worm::play::WormPlay;
use crate::topology::Mesh;
use crate::web::stage::play::Played;
use crate::web::stage::side::{Around, Labels, Pointed, Side, too_large};

/// How far a key drags a solid, in pixels.
const TURN: f64 = 13.0;

/// The view of worms.
pub(crate) struct WormSide(Rc<RefCell<WormPlay>>);

impl WormSide {
    pub(crate) fn open(experiment: &Experiment) -> Option<Rc<dyn Side>> {
        Some(Rc::new(Self(Rc::new(RefCell::new(WormPlay::new(experiment)?)))))
    }
}

impl Side for WormSide {
    fn watch(&self) -> Played {
        Rc::<RefCell<WormPlay>>::clone(&self.0)
    }

    fn labels(&self) -> Labels {
        let rail = "Why it goes where it goes";
        Labels { stage: "The networks", rail, series: "Networks", files: ["worms"; 2] }
    }

    fn label(&self, name: &str) -> String {
        format!(
            "The mesh under {name}. Arrow keys move between nodes, digits along a dimension, L through the links of a node; Enter \
             breaks or mends, or follows a message that holds a link; B breaks a link that is held; space plays, comma and full \
             stop step, plus and minus zoom, W A S D turn a solid."
        )
    }

    fn panels(&self, shown: &Shown) -> (&'static str, Option<String>) {
        let Size { width, height } = mesh::ratio(self.0.borrow().watch().faults.mesh(), shown.view);
        ("panels panels--mesh", Some(format!("--ratio: {width} / {height}")))
    }

    fn rail(&self, around: &Around, index: usize) -> Html {
        rail(around, &self.0.borrow(), index)
    }

    fn tools(&self, around: &Around) -> Html {
        tools(around, &self.0.borrow())
    }

    /// Follows a message: under the pointer, or one that holds a link; breaks or mends what nobody holds.
    fn act(&self, around: &Around, Pointed { panel, place, point, .. }: Pointed) {
        let message = {
            let play = self.0.borrow();
            match point.zip(around.stage.size(panel)) {
                Some((point, size)) => play.message_under(panel, size, point, &around.stage.shown()),
                None => place.and_then(|place| play.message_at(panel, place)),
            }
        };
        match (message, place) {
            (Some(number), _) => around.follow(panel, number),
            (None, Some(place)) => around.toggle(place),
            (None, None) => {}
        }
    }

    fn key(&self, around: &Around, panel: usize, focus: Option<Place>, key: &str) -> bool {
        let stage = &around.stage;
        let turn = |by| stage.turns() && stage.drag_by(panel, by);
        match (key, focus) {
            ("w", _) => return turn(Point::new(0.0, -TURN)),
            ("s", _) => return turn(Point::new(0.0, TURN)),
            ("a", _) => return turn(Point::new(-TURN, 0.0)),
            ("d", _) => return turn(Point::new(TURN, 0.0)),
            ("0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9", _) => {
                let next = self.0.borrow().along(focus, key.parse().unwrap_or_default());
                stage.go_to(panel, next);
            }
            ("+" | "=", _) => stage.zoom(2.0),
            ("-", _) => stage.zoom(0.5),
            ("l" | "L", Some(place)) => {
                let next = self.0.borrow().next_link(place);
                stage.set_focus(Some((panel, next)));
            }
            ("b" | "B", Some(place)) => around.toggle(place),
            _ => return false,
        }
        true
    }
}

/// Why there is nothing to see.
pub(crate) fn nothing(experiment: &Experiment) -> Html {
    if let Some(large) = experiment.mesh().filter(|mesh| mesh.nodes() > Mesh::MAX_DRAWN) {
        let network = if large.is_torus() { "torus" } else { "mesh" };
        return too_large(large.nodes().into(), "nodes", Mesh::MAX_DRAWN.into(), network);
    }
    let why = experiment.check_watchable().err();
    html! {
        <div class="caption">
            <h2>{"Nothing can move here"}</h2>
            <p>{why.map(|why| format!("Pattern {}: {why}.", experiment.view.sample))}</p>
            <p>{"Take another pattern, fewer faults or a larger network."}</p>
        </div>
    }
}
