//! What belongs to one kind beside what all have: its rail, its tools, what a click does.

use std::rc::Rc;

use yew::prelude::*;

use super::play::{Played, Stage, Tick};
use crate::experiment::{Experiment, Layout};
use crate::report::picture::cube::Spot;
use crate::report::picture::geometry::Point;
use crate::report::watch::{Place, Shown, Thing};
use crate::report::worm::picture::mesh::{MEASURED, TOO_LARGE};
use crate::web::bench::Bench;
use crate::web::form::field::ChoiceField;

/// What parts of a view are given.
#[derive(Clone)]
pub(crate) struct Around {
    pub(crate) bench: Bench,
    pub(crate) stage: Rc<Stage>,
    pub(crate) tick: Tick,
    pub(crate) watch: Played,
    /// What is lit in which panel.
    pub(crate) lit: [Option<(usize, Thing)>; 2],
}

impl Around {
    /// What does something with the stage when it is clicked.
    pub(crate) fn onclick(&self, act: impl Fn(&Stage) + 'static) -> Callback<MouseEvent> {
        let stage = Rc::clone(&self.stage);
        Callback::from(move |_| act(&stage))
    }

    /// What changes what is shown when it is turned on or off.
    pub(crate) fn onchange(&self, change: fn(&mut Shown)) -> Callback<Event> {
        let stage = Rc::clone(&self.stage);
        Callback::from(move |_| stage.set(change))
    }

    /// Follows a message under one of the algorithms.
    pub(crate) fn follow(&self, index: usize, number: u64) {
        self.stage.set(|shown| shown.chosen = Some((index, number)));
    }

    /// Breaks or mends a node or link.
    pub(crate) fn toggle(&self, place: Place) {
        let next = match Spot::of(place) {
            Spot::Node(node) => self.bench.experiment.toggled(node),
            Spot::Link(link) => self.bench.experiment.toggled_link(link),
        };
        if let Some(next) = next {
            self.bench.edit.emit(next);
        }
    }
}

/// Where somebody has clicked or pressed Enter.
#[derive(Clone, Copy)]
pub(crate) struct Pointed {
    pub(crate) panel: usize,
    /// What is there.
    pub(crate) place: Option<Place>,
    /// Where on the canvas that was, if it was a click.
    pub(crate) point: Option<Point>,
    /// Whether the shift key was down.
    pub(crate) shift: bool,
}

/// How parts of a view are called.
pub(crate) struct Labels {
    pub(crate) stage: &'static str,
    pub(crate) rail: &'static str,
    pub(crate) series: &'static str,
    /// The files of data and of pictures.
    pub(crate) files: [&'static str; 2],
}

/// How a kind is watched that moves.
pub(crate) struct Opening {
    /// What is watched of an experiment; `None` if there is nothing to see.
    pub(crate) open: fn(&Experiment) -> Option<Rc<dyn Side>>,
    /// What is said then.
    pub(crate) nothing: fn(&Experiment) -> Html,
}

/// The same only as itself: each kind has one.
impl PartialEq for Opening {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// The view of one kind.
pub(crate) trait Side {
    /// What is watched.
    fn watch(&self) -> Played;

    /// How its parts are called.
    fn labels(&self) -> Labels;

    /// What the canvas of an algorithm is, and its keys.
    fn label(&self, name: &str) -> String;

    /// The classes of what is around the canvases, and their shape.
    fn panels(&self, _shown: &Shown) -> (&'static str, Option<String>) {
        ("panels", None)
    }

    /// Beside its name, how the algorithm of this number fares.
    fn beside(&self, _index: usize) -> Option<String> {
        None
    }

    /// Beside the pictures, of the algorithm of this number.
    fn rail(&self, around: &Around, index: usize) -> Html;

    /// Below the pictures, before the files.
    fn tools(&self, around: &Around) -> Html;

    /// What a click does, or Enter.
    fn act(&self, around: &Around, at: Pointed);

    /// Whether what is at a place can be dragged elsewhere.
    fn can_move(&self, _place: Place) -> bool {
        false
    }

    /// Moves what is at a place to another one.
    fn moved(&self, _around: &Around, _from: Place, _to: Place) {}

    /// What a key does of its own, with what is in focus; whether it does anything.
    fn key(&self, _around: &Around, _panel: usize, _focus: Option<Place>, _key: &str) -> bool {
        false
    }
}

/// How a cube is laid out.
pub(crate) fn layout(bench: &Bench) -> Html {
    let commit = {
        let bench = bench.clone();
        Callback::from(move |name: String| {
            bench.edited(|next| {
                if let Some(layout) = Layout::parse(&name) {
                    next.view.layout = layout;
                }
            });
            Ok(())
        })
    };
    let names = [("layers", "layers by distance"), ("cube", "projected cube"), ("grid", "Gray-code grid")];
    let options = names.map(|(value, name)| (value.into(), name.into())).to_vec();
    let current = bench.experiment.view.layout.id();
    html! { <ChoiceField label="Layout" {options} value={current} {commit} /> }
}

/// Said in place of a network of so many `units`, of which at most `most` are shown.
pub(crate) fn too_large(number: u64, units: &str, most: u64, smaller: &str) -> Html {
    html! {
        <div class="caption">
            <h2>{format!("{number} {units}: {TOO_LARGE} {MEASURED}")}</h2>
            <p>{format!("Up to {most} {units} are shown. Take a smaller {smaller}, or go on to Measure.")}</p>
        </div>
    }
}
