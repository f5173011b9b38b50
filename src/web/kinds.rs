//! The kinds of experiments as the page shows them: the only place in the page that names them all.

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
use crate::experiment::{self, Experiment};

/// What the page knows of a kind.
pub(crate) struct Kind {
    pub(crate) kind: &'static experiment::Kind,
    /// The groups of controls that are its own.
    pub(crate) controls: fn(&Bench) -> Html,
    /// How nodes, links and wires are broken by hand.
    pub(crate) edits: &'static str,
    view: View,
}

/// How a kind is watched.
enum View {
    /// It moves.
    Played(Opening),
    /// It stands still.
    Still(fn(Bench) -> Html),
}

/// How nodes are broken by hand, and links.
const NODES: &str = "Click a node to break it, again to mend it.";
const LINKS: &str = "Click a node or a free link to break it, again to mend it.";
const HELD: &str = "Click a node or a free link to break it, again to mend it; B breaks links that are held.";

const WIRES: &str = "Click a channel to break one of its wires, again for one more; after the last one it is whole.";

/// All of them, in the order in which they are offered.
pub(crate) static KINDS: [Kind; 7] = [
    Kind {
        kind: &experiment::message::KIND,
        controls: message,
        edits: NODES,
        view: View::Played(Opening { open: MessageSide::open, nothing: nothing_more }),
    },
    Kind {
        kind: &experiment::circuit::KIND,
        controls: circuits,
        edits: LINKS,
        view: View::Played(Opening { open: CircuitSide::open, nothing: nothing_more }),
    },
    Kind {
        kind: &experiment::worm::KIND,
        controls: worms,
        edits: HELD,
        view: View::Played(Opening { open: WormSide::open, nothing: no_worms }),
    },
    Kind {
        kind: &experiment::permutation::KIND,
        controls: relation,
        edits: NODES,
        view: View::Played(Opening { open: PermutationSide::open, nothing: PermutationSide::nothing }),
    },
    Kind {
        kind: &experiment::permutation::BATCH,
        controls: relation,
        edits: NODES,
        view: View::Played(Opening { open: PermutationSide::open, nothing: PermutationSide::nothing }),
    },
    Kind {
        kind: &experiment::delivery::KIND,
        controls: deliveries,
        edits: WIRES,
        view: View::Played(Opening { open: DeliverySide::open, nothing: DeliverySide::nothing }),
    },
    Kind {
        kind: &experiment::pairs::KIND,
        controls: pair,
        edits: NODES,
        view: View::Still(|bench| html! { <PairsWatch {bench} /> }),
    },
];

/// The kind of an experiment.
pub(crate) fn of(experiment: &Experiment) -> &'static Kind {
    let found = KINDS.iter().find(|kind| *kind.kind == *experiment.kind());
    found.unwrap_or(&KINDS[0])
}

/// What moves in the network, or stands there; if asked to, time runs at once.
pub(crate) fn watch(bench: Bench, autoplay: bool) -> Html {
    let kind = of(&bench.experiment);
    match &kind.view {
        View::Played(opening) => html! { <PlayedView key={kind.kind.id} {bench} {opening} {autoplay} /> },
        View::Still(show) => show(bench),
    }
}

fn nothing_more(_: &Experiment) -> Html {
    html! {}
}
