//! Magnification of pictures: the wheel, fingers, drags and the buttons at a picture's corner.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlCanvasElement, PointerEvent, TouchEvent, WheelEvent};
use yew::prelude::*;

use super::canvas;
use super::picture::point;
use crate::report::picture::geometry::{Point, Size};
use crate::report::picture::viewport::Viewport;
use crate::report::watch::MAX_ZOOM;
use crate::web::dom;

/// Description of the keys that magnify every picture.
pub(crate) const ZOOM_KEYS: &str = " Plus and minus zoom, 0 shows the whole picture.";

/// Factor by which a wheel magnifies for each pixel that it would scroll, as a base-2 logarithm.
const WHEEL_LOG2: f64 = 1.0 / 240.0;

/// Distance of a drag after which its end is no click, in pixels.
const CLICK_REACH: f64 = 5.0;

/// Distance of a drag of a finger after which its end is no click, in pixels: fingers roll.
const TOUCH_CLICK_REACH: f64 = 16.0;

/// Pointers that drag and magnify a picture.
#[derive(Default)]
pub(crate) struct Gestures {
    /// Last position of a pointer that drags the picture.
    drag: Option<Point>,
    /// Start of the latest press, and the distance from it within which its end is a click.
    press: Option<(Point, f64)>,
    /// Distance of the drag so far. A click at the end of a drag is ignored.
    dragged: f64,
    /// Fingers on the picture, with their last positions.
    fingers: Vec<(i32, Point)>,
}

/// Movement of one of two fingers.
#[derive(Clone, Copy)]
pub(crate) struct Pinch {
    pub(crate) factor: f64,
    pub(crate) by: Point,
    /// Point between the fingers, which magnification leaves in place.
    pub(crate) middle: Point,
}

impl Gestures {
    /// Moves the pointer that drags the picture; `None` ends the drag. Returns the distance that it
    /// has moved, if any.
    pub(crate) fn drag(&mut self, point: Option<Point>) -> Option<Point> {
        if point.is_none() {
            self.dragged = 0.0;
        }
        let before = std::mem::replace(&mut self.drag, point);
        before.zip(point).map(|(before, now)| now - before).filter(|by| *by != Point::ORIGIN)
    }

    /// Starts a press: it drags from where it begins, and its click counts unless it drags or ends
    /// far from its start.
    pub(crate) fn start_press(&mut self, at: Point, is_touch: bool) {
        let reach = if is_touch { TOUCH_CLICK_REACH } else { CLICK_REACH };
        (self.drag, self.press, self.dragged) = (Some(at), Some((at, reach)), 0.0);
    }

    /// Ends a drag whose pointer is lifted or leaves the picture. The next drag starts anew; the click
    /// at the end of this one is still ignored.
    pub(crate) fn end_drag(&mut self) {
        self.drag = None;
    }

    /// Records that the drag has moved the picture.
    pub(crate) fn record_drag(&mut self, by: Point) {
        self.dragged += by.x.abs() + by.y.abs();
    }

    /// Marks the next click as the end of a drag, so that it is ignored.
    pub(crate) fn ignore_next_click(&mut self) {
        self.dragged = f64::INFINITY;
    }

    /// Returns whether a click at `at` is the end of a drag. A fast drag may have moved nothing yet.
    pub(crate) fn take_dragged(&mut self, at: Point) -> bool {
        let is_far = self.press.take().is_some_and(|(start, reach)| (at - start).length() > reach);
        std::mem::take(&mut self.dragged) > CLICK_REACH || is_far
    }

    /// Moves one of the fingers, or removes it. Returns whether two fingers are down, and the
    /// movement.
    pub(crate) fn pinch(&mut self, finger: i32, point: Option<Point>) -> (bool, Option<Pinch>) {
        let Some(point) = point else {
            self.fingers.retain(|other| other.0 != finger);
            return (false, None);
        };
        let others: Vec<_> = self.fingers.iter().filter(|other| other.0 != finger).map(|other| other.1).collect();
        let before = self.fingers.iter_mut().find(|other| other.0 == finger);
        let Some(before) = before.map(|known| std::mem::replace(&mut known.1, point)) else {
            self.fingers.push((finger, point));
            return (!others.is_empty(), None);
        };
        let [other] = others[..] else { return (!others.is_empty(), None) };
        let factor = (point - other).length() / (before - other).length().max(1.0);
        (true, Some(Pinch { factor, by: (point - before) * 0.5, middle: point.middle(other) }))
    }

    /// Removes all fingers.
    pub(crate) fn lift_fingers(&mut self) {
        self.fingers.clear();
    }
}

/// Renders the buttons that magnify a picture, at its corner. `act` gets a factor, or `None` to show
/// the whole picture.
pub(crate) fn zoom_buttons(is_whole: bool, act: impl Fn(Option<f64>) + Clone + 'static) -> Html {
    let button = |label: &'static str, name: &'static str, off: bool, factor: Option<f64>| {
        let act = act.clone();
        let onclick = Callback::from(move |_: MouseEvent| act(factor));
        html! {
            <button type="button" {onclick} aria-label={name} title={name} aria-disabled={off.then_some("true")}>{label}</button>
        }
    };
    html! {
        <div class="zoom" role="group" aria-label="Zoom">
            { button("−", "Zoom out ( - )", is_whole, Some(0.5)) }
            { button("Fit", "Fit: show the whole picture ( 0 )", is_whole, None) }
            { button("+", "Zoom in ( + )", false, Some(2.0)) }
        </div>
    }
}

/// Returns whether the wheel zooms a picture rather than scrolls the page: with the Ctrl or the Command
/// key. On the page it also does if the user has clicked or focused the picture, or if nothing scrolls.
fn is_wheel_for_picture(event: &WheelEvent, canvas: &Element, is_figure: bool) -> bool {
    event.ctrl_key()
        || event.meta_key()
        || !is_figure && (canvas.matches(":focus").unwrap_or(false) || !dom::is_page_scrollable())
}

/// Time for which a hint on the wheel is shown, in milliseconds.
const HINT_MS: u32 = 1500;

/// Attribute of a canvas while the hint on the wheel is shown.
const HINT_ATTRIBUTE: &str = "data-wheel";

/// Renders the hint on the wheel, which the style sheet shows at the lower edge of a canvas that has
/// [`HINT_ATTRIBUTE`].
pub(crate) fn wheel_hint() -> Html {
    html! { <p class="wheel-hint" aria-hidden="true"><span>{"Hold Ctrl or Cmd to zoom with the wheel"}</span></p> }
}

/// Shows the hint on the wheel over a canvas for a while. `hint` is the time until it disappears.
fn show_wheel_hint(canvas: &Element, hint: &mut Option<Timeout>) {
    // Fails only for names that are not valid.
    let _ = canvas.set_attribute(HINT_ATTRIBUTE, "");
    let canvas = canvas.clone();
    *hint = Some(dom::set_timeout(HINT_MS, move || hide_wheel_hint(&canvas)));
}

/// Hides the hint on the wheel over a canvas.
fn hide_wheel_hint(canvas: &Element) {
    // Fails only for names that are not valid.
    let _ = canvas.remove_attribute(HINT_ATTRIBUTE);
}

/// Returns listeners that call `zoom_at` with the factor and the point of a turn of the wheel, and
/// that keep two fingers from scrolling the page.
pub(crate) fn zoom_listeners(
    canvas: &Element,
    is_figure: bool,
    zoom_at: impl Fn(f64, Point) -> bool + 'static,
) -> [dom::Listener; 2] {
    // Listeners that are replaced while their hint is shown do not hide it any more.
    hide_wheel_hint(canvas);
    let (canvas, target) = (canvas.clone(), canvas);
    let mut hint = None;
    let zooms = move |event: web_sys::Event| {
        let event: WheelEvent = event.unchecked_into();
        if !is_wheel_for_picture(&event, &canvas, is_figure) {
            // Turned back, the wheel would magnify.
            if event.delta_y() < 0.0 {
                show_wheel_hint(&canvas, &mut hint);
            }
            return;
        }
        // Browsers count pixels, lines or pages; a pinch on a touchpad counts few pixels.
        let unit = [1.0, 16.0, 400.0].get(event.delta_mode() as usize).copied().unwrap_or(1.0);
        let unit = if event.ctrl_key() && event.delta_y().abs() < 50.0 { unit * 4.0 } else { unit };
        let factor = libm::exp2((-event.delta_y() * unit * WHEEL_LOG2).clamp(-1.0, 1.0));
        // At the limit the wheel scrolls the page.
        if zoom_at(factor, point(&event)) {
            event.prevent_default();
        }
    };
    let pinches = |event: web_sys::Event| {
        let event: TouchEvent = event.unchecked_into();
        if event.touches().length() > 1 && event.cancelable() {
            event.prevent_default();
        }
    };
    [
        dom::Listener::active(target.clone().into(), "wheel", zooms),
        dom::Listener::active(target.clone().into(), "touchmove", pinches),
    ]
}

/// Magnification of pictures outside of the player. Clones are handles of the same magnification.
#[derive(Clone)]
pub(crate) struct PanZoom {
    latest: Rc<RefCell<(Viewport, Gestures)>>,
    /// Visible part when the pictures were rendered.
    shown: UseStateHandle<Viewport>,
}

impl PartialEq for PanZoom {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.latest, &other.latest) && self.shown == other.shown
    }
}

/// Returns a magnification that several pictures can share; at first they are shown whole.
#[hook]
pub(crate) fn use_pan_zoom() -> PanZoom {
    let shown = use_state_eq(|| Viewport::WHOLE);
    PanZoom { latest: use_mut_ref(|| (Viewport::WHOLE, Gestures::default())), shown }
}

/// Connects a picture's canvas to its magnification.
#[hook]
pub(crate) fn use_wheel_zoom(canvas: &NodeRef, zoom: &PanZoom, is_figure: bool) {
    use_effect_with((), {
        let (canvas, zoom) = (canvas.clone(), zoom.clone());
        move |()| {
            let listeners = canvas.cast::<HtmlCanvasElement>().map(|element| {
                let zooms = {
                    let element = element.clone();
                    move |factor, fixed| zoom.zoom_at(factor, fixed, canvas::size(&element))
                };
                zoom_listeners(&element, is_figure, zooms)
            });
            move || drop(listeners)
        }
    });
}

impl PanZoom {
    /// Returns the visible part when the pictures were rendered.
    pub(crate) fn viewport(&self) -> Viewport {
        *self.shown
    }

    /// Returns the CSS class of magnified pictures, which one finger pans.
    pub(crate) fn class(&self) -> Option<&'static str> {
        (!self.viewport().is_whole()).then_some("network--magnified")
    }

    /// Converts a point of a canvas of this size to a point of the magnified picture.
    pub(crate) fn to_picture(&self, point: Point, canvas: Size) -> Point {
        self.latest.borrow().0.to_picture(point, canvas)
    }

    /// Changes the visible part. Returns whether the magnification has changed.
    fn set(&self, change: impl FnOnce(Viewport) -> Viewport) -> bool {
        let (before, now) = {
            let latest = &mut self.latest.borrow_mut().0;
            let before = *latest;
            *latest = change(before);
            (before, *latest)
        };
        self.shown.set(now);
        before.zoom() != now.zoom()
    }

    fn zoom_at(&self, factor: f64, fixed: Point, canvas: Size) -> bool {
        self.set(|before| before.zoomed(factor, MAX_ZOOM, fixed, canvas))
    }

    /// Magnifies the picture of a canvas about its middle, or shows it whole for `None`.
    pub(crate) fn zoom(&self, factor: Option<f64>, canvas: &NodeRef) {
        let size = canvas::size_of(canvas);
        match factor {
            Some(factor) => self.zoom_at(factor, Point::new(size.width / 2.0, size.height / 2.0), size),
            None => self.set(|_| Viewport::WHOLE),
        };
    }

    /// Renders the buttons for the picture of a canvas.
    pub(crate) fn buttons(&self, canvas: &NodeRef) -> Html {
        let (zoom, canvas) = (self.clone(), canvas.clone());
        zoom_buttons(self.viewport().is_whole(), move |factor| zoom.zoom(factor, &canvas))
    }

    /// Handles a key that magnifies. Returns whether the key has a function.
    pub(crate) fn on_key(&self, key: &str, canvas: &NodeRef) -> bool {
        let factor = match key {
            "+" | "=" => Some(2.0),
            "-" => Some(0.5),
            "0" => None,
            _ => return false,
        };
        self.zoom(factor, canvas);
        true
    }

    /// Moves the visible part so that a point of the magnified picture is visible.
    pub(crate) fn reveal(&self, at: Point, canvas: Size) {
        self.set(|before| if before.is_whole() { before } else { before.revealing(at, canvas) });
    }

    /// Handles a moved pointer. Returns whether it has panned or magnified the picture.
    pub(crate) fn on_pointer_move(&self, event: &PointerEvent, canvas: Size) -> bool {
        let (at, is_touch) = (point(event), event.pointer_type() == "touch");
        let (pinches, pinch) =
            if is_touch { self.latest.borrow_mut().1.pinch(event.pointer_id(), Some(at)) } else { (false, None) };
        if let Some(Pinch { factor, by, middle }) = pinch {
            self.set(|before| before.panned(by, canvas).zoomed(factor, MAX_ZOOM, middle, canvas));
        }
        let pans = event.buttons() & 1 == 1 && !pinches && !self.latest.borrow().0.is_whole();
        let by = self.latest.borrow_mut().1.drag(pans.then_some(at));
        if let Some(by) = by {
            self.latest.borrow_mut().1.record_drag(by);
            self.set(|before| before.panned(by, canvas));
        }
        pinches || by.is_some()
    }

    /// Handles a pointer that is pressed on the picture.
    pub(crate) fn on_pointer_down(&self, event: &PointerEvent) {
        let gestures = &mut self.latest.borrow_mut().1;
        gestures.start_press(point(event), event.pointer_type() == "touch");
        if event.pointer_type() == "touch" {
            gestures.pinch(event.pointer_id(), Some(point(event)));
        }
    }

    /// Handles a pointer that is lifted or leaves the picture.
    pub(crate) fn on_pointer_up(&self, event: &PointerEvent) {
        let gestures = &mut self.latest.borrow_mut().1;
        gestures.pinch(event.pointer_id(), None);
        gestures.end_drag();
    }

    /// Returns whether a click is the end of a drag.
    pub(crate) fn take_dragged(&self, click: &MouseEvent) -> bool {
        self.latest.borrow_mut().1.take_dragged(point(click))
    }
}
