//! What is watched as it happens, whatever its kind: all that one stage needs to play it and to say what one sees.

use std::any::Any;

use super::chart::figure::Figure;
use super::document::Document;
use super::picture::cube::Spot;
use super::picture::geometry::{Point, Size};
use super::picture::scene::Scene;
use super::picture::space::MeshView;
use super::words::named::Named;
use faultlab_core::topology::Link;
use faultlab_experiment::Experiment;

/// A place in a picture that can be pointed at, such as a node or a link, by a number of its own kind.
pub type Place = u64;

/// What words can light up in a picture, and be lit up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A place.
    Place(Place),
    /// A message, by its number.
    Message(u64),
}

/// Rows of a table: a name, and a value for each of the compared algorithms.
pub type Rows = Vec<(&'static str, Vec<String>)>;

/// What a person has chosen to see.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// Whether time runs.
    pub playing: bool,
    /// The part of the next step that has passed, 0 to 1, where time goes in steps.
    pub part: f64,
    /// The panel and its place in focus.
    pub focus: Option<(usize, Place)>,
    /// The panel and its message that words are pointed at of.
    pub pointed: Option<(usize, u64)>,
    /// The algorithm that is to be explained.
    pub asked: Option<usize>,
    /// The algorithm and its message that is to be followed.
    pub chosen: Option<(usize, u64)>,
    /// The message that is followed under all algorithms, where the experiment does not name it.
    pub message: u64,
    /// Whether the use of channels is shown.
    pub heat: bool,
    /// Whether nodes say where they stand on fault rings.
    pub positions: bool,
    /// How far what was made beforehand is shown: rounds of block closure, steps of an adversary; `None` is as it is in the end.
    pub built: Option<usize>,
    /// How many times larger than the whole fits, at least 1.
    pub zoom: f64,
    /// What is in the middle of a magnified picture, and how far it has been moved from there, in steps of the picture.
    pub middle: Option<Place>,
    /// See [`Shown::middle`].
    pub moved: Point,
    /// How a network of more than two dimensions is seen.
    pub view: MeshView,
}

impl Default for Shown {
    fn default() -> Self {
        Self {
            playing: false,
            part: 0.0,
            focus: None,
            pointed: None,
            asked: None,
            chosen: None,
            message: 0,
            heat: false,
            positions: false,
            built: None,
            zoom: 1.0,
            middle: None,
            moved: Point::new(0.0, 0.0),
            view: MeshView::default(),
        }
    }
}

impl Shown {
    /// What is in focus in a panel.
    pub fn focus_in(&self, panel: usize) -> Option<Place> {
        self.focus.filter(|focus| focus.0 == panel).map(|focus| focus.1)
    }

    /// The message that words are pointed at of, in a panel.
    pub fn pointed_in(&self, panel: usize) -> Option<u64> {
        self.pointed.filter(|pointed| pointed.0 == panel).map(|pointed| pointed.1)
    }

    /// The message to be followed in a panel.
    pub fn chosen_in(&self, panel: usize) -> Option<u64> {
        self.chosen.filter(|chosen| chosen.0 == panel).map(|chosen| chosen.1)
    }

    /// Has a place in the middle of a magnified picture.
    pub fn look_at(&mut self, place: Option<Place>) {
        if place.is_some() {
            (self.middle, self.moved) = (place, Point::ORIGIN);
        }
    }
}

/// How a kind counts time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// What one step is, and several: "hop", "hops".
    pub step: &'static str,
    /// What is counted by the second: "hops", "transmission times".
    pub unit: &'static str,
    /// What the slider counts: "Hop", "Time".
    pub name: &'static str,
    /// Whether time goes in whole steps.
    pub whole: bool,
    /// How fast it runs at first: a power of 2, in units by the second.
    pub speed: f64,
    /// The least and the greatest speed, and the step between speeds.
    pub speeds: [&'static str; 3],
}

/// Something worth a look.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Just before it happens.
    pub time: f64,
    /// What it is, in a word or two.
    pub what: String,
}

impl Event {
    /// `what` happens at a time; where several algorithms are compared, under `name`.
    pub(crate) fn under(names: usize, name: &str, what: impl AsRef<str>, time: f64) -> Self {
        let what = what.as_ref();
        let what = if names > 1 { format!("{name}: {what}") } else { what.to_owned() };
        Self { time, what }
    }
}

/// A number over time, to be drawn below the pictures.
pub struct Chart {
    /// Its name in the page.
    pub id: &'static str,
    /// What it shows, for people who do not see it.
    pub says: &'static str,
    /// The chart.
    pub figure: Figure,
}

/// The compared algorithms at one common time, which goes forward and back; time in the clock's units, from 0.
pub trait Watch: Document + Any {
    /// The experiment.
    fn experiment(&self) -> &Experiment;

    /// What its pictures say when they are saved.
    fn notes(&self) -> String {
        super::notes(self.experiment())
    }

    /// Takes over how the experiment is looked at; what decides a result stays.
    fn look(&mut self, experiment: &Experiment);

    /// The compared algorithms.
    fn names(&self) -> Vec<String>;

    /// Whether all are drawn in one picture. If not, each has one of its own, and they move from step to step: what lies between
    /// is not drawn.
    fn is_shared(&self) -> bool {
        false
    }

    /// The number of pictures.
    fn panels(&self) -> usize {
        if self.is_shared() { 1 } else { self.names().len() }
    }

    /// The algorithm that is explained: that of the chosen message, else the one asked for.
    fn explained(&self, shown: &Shown) -> usize {
        shown.chosen.map(|chosen| chosen.0).or(shown.asked).unwrap_or(0)
    }

    /// One sentence that says what one sees.
    fn title(&self, shown: &Shown) -> String;

    /// How to read it.
    fn subtitle(&self, shown: &Shown) -> String;

    /// A few words beside the name of an algorithm.
    fn short(&self, index: usize) -> String;

    /// What has been counted up to now.
    fn counts(&self) -> Rows;

    /// What the pictures show, for people who do not see them; little while time runs.
    fn mirror(&self, shown: &Shown) -> String;

    /// What has happened over time, as a chart.
    fn chart(&self) -> Option<Chart> {
        None
    }

    /// How time is counted.
    fn clock(&self) -> Clock;

    /// The common time.
    fn now(&self) -> f64;

    /// Where time is, in words.
    fn said(&self) -> String;

    /// Where time ends, as far as is known.
    fn end(&self) -> f64;

    /// Until when time is shown at once: less than to its end, where that is not one but as far as it was followed.
    fn reach(&self) -> f64 {
        self.end()
    }

    /// What happens when, of that which is worth a look, as far as is known; ascending, the same only once.
    fn events(&self) -> Vec<Event> {
        Vec::new()
    }

    /// The first time after now and up to `time` at which time stops, so that it is not missed.
    fn stop(&self, _time: f64) -> Option<f64> {
        None
    }

    /// The time one step on from `time`; `None` if there is none.
    fn next(&self, time: f64) -> Option<f64> {
        Some(libm::floor(time) + 1.0)
    }

    /// The time one step back from `time`.
    fn previous(&self, time: f64) -> f64 {
        (libm::ceil(time) - 1.0).max(0.0)
    }

    /// Takes the place of what was watched before, of the same kind, or is the first: mends what is shown. The time to begin at.
    fn begin(&mut self, before: Option<&dyn Watch>, shown: &mut Shown) -> f64;

    /// Goes to a time, forward or back, at most to the end; [`Watch::work`] may have to bring it there.
    fn seek(&mut self, time: f64);

    /// Computes for about a millisecond: first up to now, then ahead. Whether there is more to do.
    fn work(&mut self) -> bool {
        false
    }

    /// Whether everything has come to where the time is.
    fn is_there(&self) -> bool {
        true
    }

    /// Time has passed: what is looked at by itself may be another message now.
    fn follow(&mut self, _shown: &Shown) {}

    /// The place of the message that is followed.
    fn followed(&self, _shown: &Shown) -> Option<Place> {
        None
    }

    /// Of a message under rules of one's own, the line of the text whose rule made its last hop.
    fn fired(&self, _shown: &Shown) -> Option<u32> {
        None
    }

    /// The picture of a panel, of this size in pixels.
    fn draw(&self, panel: usize, size: Size, shown: &Shown) -> Option<Scene>;

    /// What is at a point of a picture.
    fn hit(&self, size: Size, point: Point, touch: bool, shown: &Shown) -> Option<Place>;

    /// The place next to one, to the right and down by so many; where one begins, for `None`.
    fn toward(&self, size: Size, place: Option<Place>, step: (i8, i8)) -> Option<Place>;

    /// Whether there is such a place.
    fn has(&self, place: Place) -> bool;

    /// The link that stands for this one, where both ways of it are one place.
    fn way(&self, link: Link) -> Link {
        link
    }

    /// What can be lit up of what a sentence names.
    fn thing(&self, named: Named) -> Option<Thing> {
        let place = match named {
            Named::Message(number) => return Some(Thing::Message(number)),
            Named::Node(node) => Spot::Node(node).code(),
            Named::Link(link) => Spot::Link(self.way(link)).code(),
            Named::Channel(_) => return None,
        };
        self.has(place).then_some(Thing::Place(place))
    }

    /// The message at a place of a panel, if there is one that can be followed.
    fn message_at(&self, _panel: usize, _place: Place) -> Option<u64> {
        None
    }

    /// Whether a picture can be turned.
    fn turns(&self, _shown: &Shown) -> bool {
        false
    }

    /// Drags a picture by so many pixels: turns it, or moves what is magnified. Whether there is anything to drag.
    fn drag(&self, _size: Size, _by: Point, _shown: &mut Shown) -> bool {
        false
    }
}

/// What is watched, in words: its title, and what people are told who do not see it.
pub(crate) fn told(watch: &dyn Watch) -> String {
    let shown = Shown::default();
    [watch.title(&shown), "\n".into(), watch.mirror(&shown), "\n".into()].concat()
}

/// Drops of what is shown what there is no longer.
pub(crate) fn mend(watch: &dyn Watch, shown: &mut Shown) {
    let (panels, names) = (watch.panels(), watch.names().len());
    shown.pointed = None;
    shown.focus.take_if(|(panel, place)| *panel >= panels || !watch.has(*place));
    shown.chosen.take_if(|(index, _)| *index >= names);
    shown.asked.take_if(|index| *index >= names);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::play::CircuitPlay;
    use crate::delivery::play::DeliveryPlay;
    use crate::message::play::MessagePlay;
    use crate::permutation::play::PermutationPlay;
    use crate::worm::play::WormPlay;

    const SIZE: Size = Size::new(640.0, 480.0);

    /// One of every kind, all that is to come known.
    fn plays() -> Vec<Box<dyn Watch>> {
        let worms = "net=mesh:6x6&switch=wormhole&faults=none&break=1.2,3.4-4.4&sample=1";
        let solid = "net=mesh:3x3x3&switch=wormhole&faults=none";
        let all: [Option<Box<dyn Watch>>; 7] = [
            MessagePlay::new(&"faults=nodes:0.3&sample=11".parse().unwrap()).map(|play| Box::new(play) as _),
            CircuitPlay::new(&"net=cube:4&switch=circuit".parse().unwrap()).map(|play| Box::new(play) as _),
            WormPlay::new(&worms.parse().unwrap()).map(|play| Box::new(play) as _),
            WormPlay::new(&solid.parse().unwrap()).map(|play| Box::new(play) as _),
            PermutationPlay::new(&"net=cube:4&switch=permutation".parse().unwrap()).map(|play| Box::new(play) as _),
            PermutationPlay::new(&"net=cube:4&switch=batch&length=2".parse().unwrap()).map(|play| Box::new(play) as _),
            DeliveryPlay::new(&"net=tree:16&switch=delivery".parse().unwrap()).map(|play| Box::new(play) as _),
        ];
        let mut plays: Vec<_> = all.into_iter().flatten().collect();
        assert_eq!(plays.len(), 7);
        plays.iter_mut().for_each(|play| while play.work() {});
        plays
    }

    fn go(play: &mut dyn Watch, time: f64) {
        play.seek(time);
        while !play.is_there() {
            play.work();
        }
    }

    #[test]
    fn every_kind_says_what_there_is_to_see() {
        for mut play in plays() {
            let mut shown = Shown::default();
            let start = play.begin(None, &mut shown);
            go(&mut *play, start);
            let (names, said) = (play.names().len(), play.mirror(&shown));
            assert!(names > 0 && play.panels() == if play.is_shared() { 1 } else { names });
            assert!(!play.title(&shown).is_empty() && !play.subtitle(&shown).is_empty() && !said.is_empty());
            assert!((0..names).all(|index| !play.short(index).is_empty()), "{said}");
            assert!(play.counts().iter().all(|(name, values)| !name.is_empty() && values.len() == names), "{said}");
            assert!(
                play.said().starts_with(&play.clock().name.to_lowercase()) || play.said().contains(play.clock().step)
            );
            let text = play.experiment().to_string();
            assert!(play.notes().contains(&text) && play.csv().contains(&text) && !play.text().is_empty(), "{said}");
            assert!(play.json().starts_with('{'), "{said}");
        }
    }

    #[test]
    fn time_goes_forward_and_back() {
        for mut play in plays() {
            let shown = Shown::default();
            let see = |play: &dyn Watch| (play.now(), play.counts(), play.mirror(&shown), play.title(&shown));
            let (mut seen, end) = (Vec::new(), play.end());
            assert!(end > 0.0);
            for step in 0..4 {
                let time = play.next(play.now()).filter(|next| *next <= end && step > 0).unwrap_or(0.0);
                go(&mut *play, time);
                assert_eq!(play.now(), time);
                seen.push(see(&*play));
            }
            go(&mut *play, f64::INFINITY);
            assert!(play.now() == end && play.next(end).is_none_or(|next| next > end));
            for before in seen.iter().rev() {
                go(&mut *play, before.0);
                assert_eq!(see(&*play), *before);
            }
            go(&mut *play, seen[2].0);
            assert_eq!(play.previous(play.now()), seen[1].0);
        }
    }

    #[test]
    fn what_is_drawn_can_be_pointed_at() {
        for mut play in plays() {
            let mut shown = Shown::default();
            let start = play.begin(None, &mut shown);
            go(&mut *play, start);
            let first = play.toward(SIZE, None, (1, 0)).unwrap();
            let all = [(1, 0), (0, 1), (-1, 0), (0, -1)].map(|step| play.toward(SIZE, Some(first), step).unwrap());
            assert!(play.has(first) && all.iter().all(|&place| play.has(place)) && !play.has(Place::MAX));
            assert!(all.iter().any(|&place| place != first), "{}", play.title(&shown));
            let points =
                (0..SIZE.width as u32).step_by(4).flat_map(|x| (0..SIZE.height as u32).step_by(4).map(move |y| (x, y)));
            let mut hits =
                points.filter_map(|(x, y)| play.hit(SIZE, Point::new(f64::from(x), f64::from(y)), false, &shown));
            assert!(hits.any(|place| place == first), "{}", play.title(&shown));
            shown.focus = Some((0, first));
            let drawn = (0..play.panels()).filter_map(|panel| play.draw(panel, SIZE, &shown)).count();
            assert!(
                drawn == play.panels()
                    && play.draw(play.names().len().max(1), SIZE, &shown).is_none_or(|_| play.is_shared())
            );
            assert!(play.mirror(&shown).contains(" In focus: "));
        }
    }

    #[test]
    fn what_there_is_no_longer_is_dropped() {
        for mut play in plays() {
            let gone = Shown { focus: Some((9, 0)), chosen: Some((9, 3)), asked: Some(9), ..Shown::default() };
            let mut shown = gone;
            play.begin(None, &mut shown);
            assert_eq!((shown.focus, shown.chosen, shown.asked), (None, None, None));
            let mut shown = Shown { focus: Some((0, Place::MAX)), ..gone };
            play.begin(None, &mut shown);
            assert_eq!(shown.focus, None);
        }
    }

    #[test]
    fn solids_are_turned_and_magnified_pictures_moved() {
        let text = "net=mesh:4x4x4&switch=wormhole&faults=none";
        let play = WormPlay::new(&text.parse().unwrap()).unwrap();
        let mut shown = Shown { view: MeshView::SOLID, ..Shown::default() };
        assert!(
            play.turns(&shown) && play.drag(SIZE, Point::new(10.0, 0.0), &mut shown) && shown.view != MeshView::SOLID
        );
        let mut shown = Shown::default();
        assert!(!play.turns(&shown) && !play.drag(SIZE, Point::new(10.0, 0.0), &mut shown));
        shown.zoom = 4.0;
        shown.look_at(Some(63));
        let at = |shown: &Shown| play.hit(SIZE, Point::new(SIZE.width / 2.0, SIZE.height / 2.0), false, shown);
        let before = at(&shown);
        assert!(play.drag(SIZE, Point::new(-200.0, -200.0), &mut Shown { zoom: 4.0, ..shown }));
        assert!(play.drag(SIZE, Point::new(160.0, 160.0), &mut shown) && shown.moved != Point::new(0.0, 0.0));
        assert_ne!(at(&shown), before);
    }
}
