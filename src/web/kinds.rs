//! Views of all kinds of experiments. This is the only file of the page that names all kinds.

use yew::prelude::*;

use super::app_context::AppContext;
use super::circuit::controls::circuits;
use super::circuit::mesh_view::MeshCircuitView;
use super::circuit::view::CircuitView;
use super::delivery::controls::deliveries;
use super::delivery::view::DeliveryView;
use super::form::messages::followed_pair;
use super::message::controls::message;
use super::message::view::MessageView;
use super::pairs::view::PairsWatch;
use super::permutation::butterfly_view::ButterflyView;
use super::permutation::controls::relation;
use super::permutation::view::PermutationView;
use super::stage::kind_view::ViewFactory;
use super::stage::view::WatchView;
use super::worm::controls::worms;
use super::worm::view::{WormView, nothing as no_worms};
use crate::experiment::{Experiment, Setting};

/// Controls and views of a kind on the page.
pub(crate) struct KindEntry {
    /// Controls of the kind.
    pub(crate) controls: fn(&AppContext) -> Html,
    /// Help text on editing faults by hand.
    pub(crate) edits: &'static str,
    view: ViewForm,
}

/// Form of the Watch view of a kind.
enum ViewForm {
    /// A simulation in the player.
    Player(ViewFactory),
    /// A static view.
    Static(fn(AppContext) -> Html),
}

/// Help text on breaking nodes by hand.
const NODES: &str = "Click a node to break it, again to mend it.";
/// Help text on breaking nodes and links of circuits by hand.
const HELD: &str = "Click a node or a free link to break it, again to mend it; Shift+click or B breaks links that are held. \
                    While messages move, it breaks at that time.";
/// Help text on breaking nodes and links of worms by hand.
const WORMS: &str = "Click a node or a free link to break it, again to mend it; Shift+click or B breaks links that are held. \
                     While worms move on a mesh, it breaks in that cycle.";

const WIRES: &str = "Click a channel to break one of its wires. After the last wire, a click mends all of them.";

static MESSAGE: KindEntry = KindEntry {
    controls: message,
    edits: NODES,
    view: ViewForm::Player(ViewFactory { open: MessageView::open, nothing: no_message }),
};

static CIRCUIT: KindEntry = KindEntry {
    controls: circuits,
    edits: HELD,
    view: ViewForm::Player(ViewFactory { open: CircuitView::open, nothing: no_message }),
};

static MESH_CIRCUIT: KindEntry = KindEntry {
    controls: circuits,
    edits: HELD,
    view: ViewForm::Player(ViewFactory { open: MeshCircuitView::open, nothing: no_worms }),
};

static WORM: KindEntry = KindEntry {
    controls: worms,
    edits: WORMS,
    view: ViewForm::Player(ViewFactory { open: WormView::open, nothing: no_worms }),
};

static PERMUTATION: KindEntry = KindEntry {
    controls: relation,
    edits: NODES,
    view: ViewForm::Player(ViewFactory { open: PermutationView::open, nothing: PermutationView::nothing }),
};

static BUTTERFLY: KindEntry = KindEntry {
    controls: relation,
    edits: NODES,
    view: ViewForm::Player(ViewFactory { open: ButterflyView::open, nothing: ButterflyView::nothing }),
};

static DELIVERY: KindEntry = KindEntry {
    controls: deliveries,
    edits: WIRES,
    view: ViewForm::Player(ViewFactory { open: DeliveryView::open, nothing: DeliveryView::nothing }),
};

static PAIRS: KindEntry = KindEntry {
    controls: followed_pair,
    edits: NODES,
    view: ViewForm::Static(|context| html! { <PairsWatch {context} /> }),
};

/// Returns the view of the kind of `experiment`.
pub(crate) fn kind_view(experiment: &Experiment) -> &'static KindEntry {
    match experiment.setting {
        Setting::Message(_) => &MESSAGE,
        Setting::Circuit(_) if experiment.mesh().is_some() => &MESH_CIRCUIT,
        Setting::Circuit(_) => &CIRCUIT,
        Setting::Worm(_) => &WORM,
        Setting::Permutation(_) | Setting::Batch(_) if experiment.network.butterfly().is_some() => &BUTTERFLY,
        Setting::Permutation(_) | Setting::Batch(_) => &PERMUTATION,
        Setting::Delivery(_) => &DELIVERY,
        Setting::Pairs => &PAIRS,
    }
}

/// Renders the Watch view. With `autoplay`, the simulation plays at once.
pub(crate) fn watch(context: AppContext, autoplay: bool) -> Html {
    match &kind_view(&context.experiment).view {
        ViewForm::Player(opening) => {
            let key = context.experiment.kind().id;
            html! { <WatchView {key} {context} {opening} {autoplay} /> }
        }
        ViewForm::Static(show) => show(context),
    }
}

fn no_message(_: &Experiment) -> Html {
    html! {}
}
