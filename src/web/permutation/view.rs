//! Watch view of permutations: the cube of every compared algorithm as a square of subcubes, with
//! the same faults. It shows all routes at once, or worms that start at the same time.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use super::side_panel::rail;
use crate::experiment::Experiment;
use crate::report::permutation::play::PermutationPlay;
use crate::report::picture::cube::NetworkElement;
use crate::report::watch::{HitId, ViewState};
use crate::web::stage::kind_view::{KindView, Labels, PointerAction, ViewContext, too_large};
use crate::web::stage::player::SharedWatch;

/// Largest dimensions that are shown, of permutations and of batches. Describing the routes or
/// drawing the worms takes about 30 ms at these sizes.
const MAX_DIMENSIONS: [u8; 2] = [14, 11];

/// Returns the maximum number of nodes that are shown of a permutation or a batch.
fn most(experiment: &Experiment) -> u64 {
    1 << MAX_DIMENSIONS[usize::from(experiment.setting.batch().is_some())]
}

/// Returns the number of nodes.
fn nodes(experiment: &Experiment) -> u64 {
    experiment.network.cube().map_or(0, |cube| cube.mask() + 1)
}

/// View of permutations and batches in the player.
pub(crate) struct PermutationView(Rc<RefCell<PermutationPlay>>);

impl PermutationView {
    pub(crate) fn open(experiment: &Experiment) -> Option<Rc<dyn KindView>> {
        let shown = Some(experiment).filter(|it| nodes(it) <= most(it))?;
        Some(Rc::new(Self(Rc::new(RefCell::new(PermutationPlay::new(shown)?)))))
    }

    /// Renders the message for a cube that is too large.
    pub(crate) fn nothing(experiment: &Experiment) -> Html {
        too_large(nodes(experiment), "nodes", most(experiment), "cube")
    }
}

impl KindView for PermutationView {
    fn watch(&self) -> SharedWatch {
        Rc::<RefCell<PermutationPlay>>::clone(&self.0)
    }

    fn labels(&self) -> Labels {
        let rail = "Reasons for the path";
        Labels { stage: "The networks", rail, series: "Algorithms", files: ["permutation"; 2] }
    }

    fn label(&self, name: &str) -> String {
        format!(
            "The cube under {name}. Arrow keys move between nodes, L through the links of a node; Enter breaks or mends, F follows the message from a node; space \
             plays, comma and full stop step."
        )
    }

    fn panels(&self, _shown: &ViewState) -> (&'static str, Option<String>) {
        ("panels panels--squares", None)
    }

    fn side_panel(&self, around: &ViewContext, index: usize) -> Html {
        rail(around, &self.0.borrow(), index)
    }

    fn tools(&self, around: &ViewContext) -> Html {
        if self.0.borrow().watch().is_batch() {
            return html! {
                <p class="hint">{"Thick: held channels. Dashed: channels that a header waits for. A dot in a node: a message has arrived there."}</p>
            };
        }
        let onchange = around.onchange(|shown| shown.heat = !shown.heat);
        html! {
            <label class="check" title="Shows how many messages cross each channel, as width and opacity">
                <input type="checkbox" checked={around.tick.shown.heat} {onchange} /><span>{"Congestion"}</span>
            </label>
        }
    }

    /// Breaks or repairs a node; with the shift key, follows the message from it.
    fn on_click(&self, around: &ViewContext, at: PointerAction) {
        match at.place {
            Some(place) if at.shift => {
                around.context.edit_with(|next| next.from = Some(NetworkElement::from_code(place).node()))
            }
            Some(place) => around.toggle(place),
            None => {}
        }
    }

    fn on_key(&self, around: &ViewContext, panel: usize, focus: Option<HitId>, key: &str) -> bool {
        let Some(place) = focus else { return false };
        match key {
            "f" | "F" => self.on_click(around, PointerAction { panel, place: focus, point: None, shift: true }),
            "l" | "L" => {
                let dimensions = self.0.borrow().watch().instance.cell.cube.dimension();
                around.stage.set_focus(Some((panel, NetworkElement::from_code(place).next_link(dimensions).code())));
            }
            _ => return false,
        }
        true
    }
}
