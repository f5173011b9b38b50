//! Watched runs of any kind: the interface by which the player plays and describes them.

use std::any::Any;

use super::chart::figure::Figure;
use super::document::Document;
use super::picture::cube::NetworkElement;
use super::picture::geometry::{Point, Size};
use super::picture::projection::MeshView;
use super::picture::scene::Scene;
use super::picture::viewport::Viewport;
use faultlab_core::rich_text::{Entity, RichText};
use faultlab_core::topology::Link;
use faultlab_experiment::Experiment;

/// Number of an element of a picture that can be pointed at, such as a node or a link. Each kind
/// numbers its own elements.
pub type HitId = u64;

/// Element of a picture that the text can highlight, and that highlights the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Highlight {
    /// Element of the picture, by its number.
    Place(HitId),
    /// Message, by its number.
    Message(u64),
}

/// Rows of a table: a name, and a value for each of the compared algorithms.
pub type Rows = Vec<(&'static str, Vec<String>)>;

/// Maximum magnification of most pictures.
pub const MAX_ZOOM: f64 = 8.0;

/// View options that the user has chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewState {
    /// True while time runs.
    pub playing: bool,
    /// Elapsed part of the next step, 0 to 1, where time advances in steps.
    pub step_fraction: f64,
    /// Panel and element in focus.
    pub focus: Option<(usize, HitId)>,
    /// Panel and link whose use is shown: the last link in focus.
    pub inspected: Option<(usize, HitId)>,
    /// Panel and message to whose text the user points.
    pub hovered_message: Option<(usize, u64)>,
    /// Algorithm to be explained.
    pub explained: Option<usize>,
    /// Algorithm to be followed, and its message.
    pub followed: Option<(usize, u64)>,
    /// Message that is followed under all algorithms, where the experiment does not name it.
    pub message: u64,
    /// True if the use of channels is shown.
    pub heat: bool,
    /// True if nodes show their positions on fault rings.
    pub positions: bool,
    /// Number of construction stages shown: rounds of block closure, steps of an adversary. `None`
    /// shows the final state.
    pub construction_step: Option<usize>,
    /// Visible part of the pictures, the same in all panels.
    pub viewport: Viewport,
    /// Projection of a network with more than two dimensions.
    pub view: MeshView,
}

impl Default for ViewState {
    fn default() -> Self {
        Self {
            playing: false,
            step_fraction: 0.0,
            focus: None,
            inspected: None,
            hovered_message: None,
            explained: None,
            followed: None,
            message: 0,
            heat: false,
            positions: false,
            construction_step: None,
            viewport: Viewport::WHOLE,
            view: MeshView::default(),
        }
    }
}

impl ViewState {
    /// Returns the element in focus in a panel.
    pub fn focus_in(&self, panel: usize) -> Option<HitId> {
        self.focus.filter(|focus| focus.0 == panel).map(|focus| focus.1)
    }

    /// Shows the use of the element in focus, if it is a link.
    pub fn inspect_focus(&mut self) {
        let is_link = |place| matches!(NetworkElement::from_code(place), NetworkElement::Link(_));
        self.inspected = self.focus.filter(|focus| is_link(focus.1)).or(self.inspected);
    }

    /// Returns the message of a panel to whose text the user points.
    pub fn pointed_in(&self, panel: usize) -> Option<u64> {
        self.hovered_message.filter(|pointed| pointed.0 == panel).map(|pointed| pointed.1)
    }

    /// Returns the message to be followed in a panel.
    pub fn chosen_in(&self, panel: usize) -> Option<u64> {
        self.followed.filter(|chosen| chosen.0 == panel).map(|chosen| chosen.1)
    }

    /// Explains the algorithm with the index in `follow`, and follows its message if one is given.
    pub fn open_at(&mut self, (index, message): (u32, Option<u64>)) {
        self.explained = Some(index as usize);
        self.followed = message.map(|message| (index as usize, message));
        self.message = message.unwrap_or(self.message);
    }
}

/// Clock of a kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Name of one step: "hop", "cycle".
    pub step: &'static str,
    /// Unit that speeds count per second: "hops", "transmission times".
    pub unit: &'static str,
    /// Label of the slider: "Hop", "Time".
    pub name: &'static str,
    /// True if time goes in whole steps.
    pub is_discrete: bool,
    /// Initial speed, as the base-2 logarithm of units per second.
    pub initial_speed_log2: f64,
    /// Minimum speed, maximum speed and step of the speed slider, as base-2 logarithms.
    pub speed_range_log2: [&'static str; 3],
}

/// Current time in words, such as "cycle 40 of 163".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeText {
    /// Current time, such as "cycle 40".
    pub now: String,
    /// End of the run, such as "163"; `None` if it is not known.
    pub end: Option<String>,
}

impl std::fmt::Display for TimeText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.now)?;
        self.end.iter().try_for_each(|end| write!(f, " of {end}"))
    }
}

/// Noteworthy event of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct TimelineEvent {
    /// Time just before the event.
    pub time: f64,
    /// Description of the event, in a word or two.
    pub description: String,
}

impl TimelineEvent {
    /// Returns the event `what` at a time. Where several algorithms are compared, its text starts
    /// with `name`.
    pub(crate) fn for_algorithm(names: usize, name: &str, what: impl AsRef<str>, time: f64) -> Self {
        let what = what.as_ref();
        let what = if names > 1 { format!("{name}: {what}") } else { what.to_owned() };
        Self { time, description: what }
    }
}

/// Chart of a number over time, drawn below the pictures.
pub struct WatchChart {
    /// Identifier in the page.
    pub id: &'static str,
    /// Description for users who do not see the chart.
    pub alt_text: &'static str,
    /// Figure of the chart.
    pub figure: Figure,
}

/// Use of a link: who holds it and waits for it, and how much it is used.
pub struct LinkUse {
    /// Name of the link, such as "Link 0.1–0.2".
    pub name: String,
    /// Sentences on each direction.
    pub uses: Vec<RichText>,
    /// Chart of the utilization over time, if it is known.
    pub figure: Option<Figure>,
}

/// Compared algorithms at one common time, which goes forward and back; time counts in the clock's
/// units, from 0.
pub trait Watch: Document + Any {
    /// Returns the experiment.
    fn experiment(&self) -> &Experiment;

    /// Returns the note in saved pictures.
    fn notes(&self) -> String {
        super::source_note(self.experiment())
    }

    /// Takes over the view options of `experiment`; settings that decide a result stay.
    fn set_view(&mut self, experiment: &Experiment);

    /// Returns the names of the compared algorithms.
    fn names(&self) -> Vec<String>;

    /// Returns whether all algorithms are drawn in one picture. If not, each has its own picture,
    /// which moves from step to step: states between steps are not drawn.
    fn is_shared(&self) -> bool {
        false
    }

    /// Returns the number of pictures.
    fn panels(&self) -> usize {
        if self.is_shared() { 1 } else { self.names().len() }
    }

    /// Returns the index of the algorithm to explain: the algorithm of the followed message,
    /// otherwise the requested algorithm.
    fn explained(&self, shown: &ViewState) -> usize {
        shown.followed.map(|chosen| chosen.0).or(shown.explained).unwrap_or(0)
    }

    /// Returns a one-sentence description of the picture.
    fn title(&self, shown: &ViewState) -> String;

    /// Returns instructions for reading the picture.
    fn subtitle(&self, shown: &ViewState) -> RichText;

    /// Returns a few words to show beside the name of an algorithm.
    fn status(&self, index: usize) -> String;

    /// Returns the counts up to the current time.
    fn counts(&self) -> Rows;

    /// Returns the content of the pictures as text, for users who do not see them; shorter while
    /// time runs.
    fn text_alternative(&self, shown: &ViewState) -> String;

    /// Returns a chart of the run over time, if there is one.
    fn chart(&self) -> Option<WatchChart> {
        None
    }

    /// Returns the clock.
    fn clock(&self) -> Clock;

    /// Returns the common time.
    fn now(&self) -> f64;

    /// Returns the current time in words.
    fn time_text(&self) -> TimeText;

    /// Returns the end of the run, as far as it is known.
    fn end(&self) -> f64;

    /// Returns the last time on the slider. The time is before [`Watch::end`] where the end is only
    /// the time up to which the run may be simulated.
    fn slider_end(&self) -> f64 {
        self.end()
    }

    /// Returns the noteworthy events known so far, ascending by time, without repetitions.
    fn events(&self) -> Vec<TimelineEvent> {
        Vec::new()
    }

    /// Returns the first time after now and up to `time` at which playback stops because of an
    /// event; `None` if there is none.
    fn next_stop(&self, _time: f64) -> Option<f64> {
        None
    }

    /// Returns the time one step after `time`; `None` if there is none.
    fn next(&self, time: f64) -> Option<f64> {
        Some(libm::floor(time) + 1.0)
    }

    /// Returns the time one step before `time`.
    fn previous(&self, time: f64) -> f64 {
        (libm::ceil(time) - 1.0).max(0.0)
    }

    /// Starts watching. `before` is the previously watched run, of the same kind, if there was one.
    /// The new run may take states from it. Clears the parts of `shown` that no longer exist. Returns
    /// the time at which to begin.
    fn begin(&mut self, before: Option<&mut dyn Watch>, shown: &mut ViewState) -> f64;

    /// Seeks to a time, forward or back, at most to the end; calls to [`Watch::work`] may be needed
    /// to reach it.
    fn seek(&mut self, time: f64);

    /// Computes for about a millisecond: first up to the current time, then ahead. Returns whether
    /// work is left.
    fn work(&mut self) -> bool {
        false
    }

    /// Returns whether all algorithms have reached the current time.
    fn is_ready(&self) -> bool {
        true
    }

    /// Updates the automatically followed message after time has passed. Returns whether it is
    /// another one now.
    fn follow(&mut self, _shown: &ViewState) -> bool {
        false
    }

    /// Returns the element where the followed message is.
    fn followed(&self, _shown: &ViewState) -> Option<HitId> {
        None
    }

    /// Returns the line of the user-defined rules that made the followed message's last hop.
    fn fired_rule_line(&self, _shown: &ViewState) -> Option<u32> {
        None
    }

    /// Returns the magnified picture of a panel. `size` is its size in pixels; shapes outside
    /// [`ViewState::viewport`] may be missing. See [`visible_picture`].
    fn draw(&self, panel: usize, size: Size, shown: &ViewState) -> Option<Scene>;

    /// Returns the element at a point of a magnified picture of this size.
    fn hit(&self, size: Size, point: Point, touch: bool, shown: &ViewState) -> Option<HitId>;

    /// Returns the position of an element in a magnified picture of this size; `None` if it is not
    /// drawn.
    fn position(&self, _size: Size, _place: HitId, _shown: &ViewState) -> Option<Point> {
        None
    }

    /// Returns the maximum magnification of pictures on canvases of this size.
    fn max_zoom(&self, _canvas: Size, _shown: &ViewState) -> f64 {
        MAX_ZOOM
    }

    /// Returns the neighbour of the element `place` in the direction of `step`, right and down; the
    /// first element for `None`.
    fn neighbor(&self, size: Size, place: Option<HitId>, step: (i8, i8)) -> Option<HitId>;

    /// Returns whether the element `place` exists.
    fn contains(&self, place: HitId) -> bool;

    /// Returns the link that represents `link`, where both directions are one element.
    fn canonical_link(&self, link: Link) -> Link {
        link
    }

    /// Returns the element to highlight for an entity named in a sentence.
    fn highlight(&self, entity: Entity) -> Option<Highlight> {
        let place = match entity {
            Entity::Message(number) => return Some(Highlight::Message(number)),
            Entity::Node(node) => NetworkElement::Node(node).code(),
            Entity::Link(link) => NetworkElement::Link(self.canonical_link(link)).code(),
            Entity::Channel(_) => return None,
        };
        self.contains(place).then_some(Highlight::Place(place))
    }

    /// Returns the message at an element of a panel, if one can be followed there.
    fn message_at(&self, _panel: usize, _place: HitId) -> Option<u64> {
        None
    }

    /// Returns the use of the link at an element of a panel, if it is known.
    fn link_use(&self, _panel: usize, _place: HitId) -> Option<LinkUse> {
        None
    }

    /// Returns the hops of the followed message as CSV, if a message is followed: see
    /// [`trace`](crate::files::trace).
    fn followed_csv(&self, _shown: &ViewState) -> Option<String> {
        None
    }

    /// Returns whether the picture can be rotated.
    fn can_rotate(&self, _shown: &ViewState) -> bool {
        false
    }

    /// Rotates a picture that is dragged by a distance in pixels.
    fn rotate(&self, _by: Point, _shown: &mut ViewState) {}
}

/// Returns the panels to show where `most` fit side by side: the first ones, of which the last gives
/// way to the explained one if that would be missing. The order never changes.
pub fn visible_panels(count: usize, most: usize, explained: usize) -> Vec<usize> {
    let mut panels: Vec<usize> = (0..count.min(most)).collect();
    if let Some(last) = panels.last_mut() {
        *last = explained.min(count - 1).max(*last);
    }
    panels
}

/// Returns the visible part of the picture of a panel, on a canvas of this size.
pub fn visible_picture(watch: &dyn Watch, panel: usize, canvas: Size, shown: &ViewState) -> Option<Scene> {
    let view = shown.viewport;
    watch.draw(panel, view.picture_size(canvas), shown).map(|scene| view.crop(scene))
}

/// Returns the element at a point of a canvas of this size.
pub fn element_at(watch: &dyn Watch, canvas: Size, point: Point, touch: bool, shown: &ViewState) -> Option<HitId> {
    let view = shown.viewport;
    watch.hit(view.picture_size(canvas), view.to_picture(point, canvas), touch, shown)
}

/// Returns the watched run as text: its title, and the description for users who do not see it.
pub(crate) fn describe(watch: &dyn Watch) -> String {
    let shown = ViewState::default();
    [watch.title(&shown), "\n".into(), watch.text_alternative(&shown), "\n".into()].concat()
}

/// Clears the parts of `shown` that refer to panels, elements or algorithms that no longer exist.
pub(crate) fn clear_stale(watch: &dyn Watch, shown: &mut ViewState) {
    let (panels, names) = (watch.panels(), watch.names().len());
    shown.hovered_message = None;
    for element in [&mut shown.focus, &mut shown.inspected] {
        element.take_if(|(panel, place)| *panel >= panels || !watch.contains(*place));
    }
    shown.followed.take_if(|(index, _)| *index >= names);
    shown.explained.take_if(|index| *index >= names);
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

    /// Returns a run of every kind, fully computed.
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

    fn seek(play: &mut dyn Watch, time: f64) {
        play.seek(time);
        while !play.is_ready() {
            play.work();
        }
    }

    #[test]
    fn every_kind_is_described_and_exported() {
        for mut play in plays() {
            let mut shown = ViewState::default();
            let start = play.begin(None, &mut shown);
            seek(&mut *play, start);
            let (names, said) = (play.names().len(), play.text_alternative(&shown));
            assert!(names > 0 && play.panels() == if play.is_shared() { 1 } else { names });
            assert!(!play.title(&shown).is_empty() && !play.subtitle(&shown).is_empty() && !said.is_empty());
            assert!((0..names).all(|index| !play.status(index).is_empty()), "{said}");
            assert!(play.counts().iter().all(|(name, values)| !name.is_empty() && values.len() == names), "{said}");
            assert!(
                play.time_text().now.starts_with(&play.clock().name.to_lowercase())
                    || play.time_text().now.contains(play.clock().step)
            );
            let text = play.experiment().to_string();
            assert!(play.notes().contains(&text) && play.csv().contains(&text) && !play.text().is_empty(), "{said}");
            assert!(play.json().starts_with('{'), "{said}");
        }
    }

    #[test]
    fn seeking_back_restores_earlier_states() {
        for mut play in plays() {
            let shown = ViewState::default();
            let see = |play: &dyn Watch| (play.now(), play.counts(), play.text_alternative(&shown), play.title(&shown));
            let (mut seen, end) = (Vec::new(), play.end());
            assert!(end > 0.0);
            for step in 0..4 {
                let time = play.next(play.now()).filter(|next| *next <= end && step > 0).unwrap_or(0.0);
                seek(&mut *play, time);
                assert_eq!(play.now(), time);
                seen.push(see(&*play));
            }
            seek(&mut *play, f64::INFINITY);
            assert!(play.now() == end && play.next(end).is_none_or(|next| next > end));
            for before in seen.iter().rev() {
                seek(&mut *play, before.0);
                assert_eq!(see(&*play), *before);
            }
            seek(&mut *play, seen[2].0);
            assert_eq!(play.previous(play.now()), seen[1].0);
        }
    }

    #[test]
    fn drawn_elements_can_be_hit_and_focused() {
        for mut play in plays() {
            let mut shown = ViewState::default();
            let start = play.begin(None, &mut shown);
            seek(&mut *play, start);
            let first = play.neighbor(SIZE, None, (1, 0)).unwrap();
            let all = [(1, 0), (0, 1), (-1, 0), (0, -1)].map(|step| play.neighbor(SIZE, Some(first), step).unwrap());
            assert!(
                play.contains(first) && all.iter().all(|&place| play.contains(place)) && !play.contains(HitId::MAX)
            );
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
            assert!(play.text_alternative(&shown).contains(" In focus: "));
        }
    }

    #[test]
    fn explained_panel_is_visible_without_a_change_of_order() {
        assert_eq!(visible_panels(6, 4, 0), [0, 1, 2, 3]);
        assert_eq!(visible_panels(6, 4, 4), [0, 1, 2, 4]);
        assert_eq!(visible_panels(6, 1, 5), [5]);
        assert_eq!(visible_panels(2, 4, 9), [0, 1]);
        assert!(visible_panels(0, 4, 0).is_empty());
    }

    #[test]
    fn begin_drops_selections_that_no_longer_exist() {
        for mut play in plays() {
            let gone =
                ViewState { focus: Some((9, 0)), followed: Some((9, 3)), explained: Some(9), ..ViewState::default() };
            let mut shown = gone;
            play.begin(None, &mut shown);
            assert_eq!((shown.focus, shown.followed, shown.explained), (None, None, None));
            let mut shown = ViewState { focus: Some((0, HitId::MAX)), ..gone };
            play.begin(None, &mut shown);
            assert_eq!(shown.focus, None);
        }
    }

    #[test]
    fn solids_rotate_and_magnified_elements_are_hit_where_drawn() {
        let text = "net=mesh:4x4x4&switch=wormhole&faults=none";
        let play = WormPlay::new(&text.parse().unwrap()).unwrap();
        let mut shown = ViewState { view: MeshView::SOLID, ..ViewState::default() };
        assert!(play.can_rotate(&shown) && !play.can_rotate(&ViewState::default()));
        play.rotate(Point::new(10.0, 0.0), &mut shown);
        assert_ne!(shown.view, MeshView::SOLID);
        for mut play in plays() {
            let mut shown = ViewState::default();
            let start = play.begin(None, &mut shown);
            seek(&mut *play, start);
            let first = play.neighbor(SIZE, None, (1, 0)).unwrap();
            let at = |shown: &ViewState| {
                let place = play.position(shown.viewport.picture_size(SIZE), first, shown).unwrap();
                shown.viewport.to_canvas(place, SIZE)
            };
            let whole = at(&shown);
            assert!(play.max_zoom(SIZE, &shown) >= 4.0);
            shown.viewport = shown.viewport.zoomed(4.0, 4.0, whole, SIZE);
            let (magnified, title) = (at(&shown), play.title(&shown));
            // Distances of a few pixels, such as that of a processor from its node, stay as they are.
            assert!((magnified - whole).length() < 8.0, "{title}: {whole:?} {magnified:?}");
            // The position of a fat-tree's processor is above the area in which it can be hit.
            let found =
                [0.0, 6.0].map(|down| element_at(&*play, SIZE, magnified + Point::new(0.0, down), false, &shown));
            assert!(found.contains(&Some(first)), "{title}");
            let scene = visible_picture(&*play, 0, SIZE, &shown).unwrap();
            assert!(scene.size == SIZE && !scene.shapes.is_empty(), "{title}");
        }
    }
}
