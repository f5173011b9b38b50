//! Views of all kinds of experiments. This is the only file of the page that names all kinds.

use yew::prelude::*;

use super::bench::Bench;
use super::circuit::controls::circuits;
use super::circuit::view::CircuitSide;
use super::delivery::controls::deliveries;
use super::delivery::view::DeliverySide;
use super::form::messages::pair;
use super::message::controls::message;
use super::message::view::MessageSide;
use super::pairs::view::PairsWatch;
use super::permutation::controls::relation;
use super::permutation::view::PermutationSide;
use super::stage::side::Opening;
use super::stage::view::PlayedView;
use super::worm::controls::worms;
use super::worm::view::{WormSide, nothing as no_worms};
use crate::experiment::{Experiment, Setting};

/// View of a kind.
pub(crate) struct KindView {
    /// Controls of the kind.
    pub(crate) controls: fn(&Bench) -> Html,
    /// Help text on editing faults by hand.
    pub(crate) edits: &'static str,
    view: View,
}

/// Form of the Watch view of a kind.
enum View {
    /// A simulation in the player.
    Played(Opening),
    /// A static view.
    Still(fn(Bench) -> Html),
}

/// Help texts on breaking nodes and links by hand.
const NODES: &str = "Click a node to break it, again to mend it.";
const LINKS: &str = "Click a node or a free link to break it, again to mend it.";
const HELD: &str = "Click a node or a free link to break it, again to mend it; B breaks links that are held.";

const WIRES: &str = "Click a channel to break one of its wires, again for one more; after the last one it is whole.";

static MESSAGE: KindView = KindView {
    controls: message,
    edits: NODES,
    view: View::Played(Opening { open: MessageSide::open, nothing: nothing_more }),
};

static CIRCUIT: KindView = KindView {
    controls: circuits,
    edits: LINKS,
    view: View::Played(Opening { open: CircuitSide::open, nothing: nothing_more }),
};

static WORM: KindView =
    KindView { controls: worms, edits: HELD, view: View::Played(Opening { open: WormSide::open, nothing: no_worms }) };

static PERMUTATION: KindView = KindView {
    controls: relation,
    edits: NODES,
    view: View::Played(Opening { open: PermutationSide::open, nothing: PermutationSide::nothing }),
};

static DELIVERY: KindView = KindView {
    controls: deliveries,
    edits: WIRES,
    view: View::Played(Opening { open: DeliverySide::open, nothing: DeliverySide::nothing }),
};

static PAIRS: KindView =
    KindView { controls: pair, edits: NODES, view: View::Still(|bench| html! { <PairsWatch {bench} /> }) };

/// Returns the view of the kind of `experiment`.
pub(crate) fn of(experiment: &Experiment) -> &'static KindView {
    match experiment.setting {
        Setting::Message(_) => &MESSAGE,
        Setting::Circuit(_) => &CIRCUIT,
        Setting::Worm(_) => &WORM,
        Setting::Permutation(_) | Setting::Batch(_) => &PERMUTATION,
        Setting::Delivery(_) => &DELIVERY,
        Setting::Pairs => &PAIRS,
    }
}

/// Renders the Watch view. With `autoplay`, the simulation plays at once.
pub(crate) fn watch(bench: Bench, autoplay: bool) -> Html {
    match &of(&bench.experiment).view {
        View::Played(opening) => {
            let key = bench.experiment.kind().id;
            html! { <PlayedView {key} {bench} {opening} {autoplay} /> }
        }
        View::Still(show) => show(bench),
    }
}

fn nothing_more(_: &Experiment) -> Html {
    html! {}
}
