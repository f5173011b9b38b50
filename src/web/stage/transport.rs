//! Playback controls: the bar, its keys, and the connection of a player to its element.

use std::rc::Rc;

use web_sys::{HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

use super::visibility::use_visibility;
use crate::report::watch::{TimeText, TimelineEvent};
use crate::web::player_controls::PlayerControls;

/// Playback state for the bar.
pub(crate) struct PlaybackBar {
    /// True during playback.
    pub(crate) playing: bool,
    /// Name of a step in lower case, such as "hop".
    pub(crate) step: &'static str,
    /// Name of the slider, such as "Hop".
    pub(crate) name: &'static str,
    /// Step of the slider: "1", or "any".
    pub(crate) grain: &'static str,
    pub(crate) now: f64,
    pub(crate) end: f64,
    /// True if the simulation has a next step.
    pub(crate) goes_on: bool,
    /// Current time, in words.
    pub(crate) said: TimeText,
    /// Events to go to.
    pub(crate) events: Vec<TimelineEvent>,
    /// Speed as a power of 2.
    pub(crate) speed: f64,
    /// Minimum, maximum and step of the speed.
    pub(crate) speeds: [&'static str; 3],
    /// Unit of the speed, per second.
    pub(crate) unit: &'static str,
}

/// Renders the playback bar: back, play, forward, the time and the speed.
pub(crate) fn transport(player: &Rc<dyn PlayerControls>, time: PlaybackBar) -> Html {
    let button = |class: Option<&'static str>,
                  icon: &'static str,
                  label: String,
                  key: &str,
                  off: bool,
                  act: fn(&dyn PlayerControls)| {
        let player = Rc::clone(player);
        // A disabled button would lose the focus when the user steps to the end, so it is only
        // marked as disabled.
        let onclick = Callback::from(move |_: MouseEvent| {
            if !off {
                act(&*player)
            }
        });
        let title = format!("{label} ({key})");
        html! { <button type="button" {class} aria-label={label} {title} aria-disabled={off.then_some("true")} {onclick}>{icon}</button> }
    };
    let slide = |act: fn(&dyn PlayerControls, f64)| {
        let player = Rc::clone(player);
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            if let Ok(value) = input.value().parse() {
                act(&*player, value);
            }
        })
    };
    let (icon, label) = if time.playing { ("❚❚", "Pause") } else { ("▶", "Play") };
    let step = time.step;
    let [min, max, by] = time.speeds;
    let pace = libm::exp2(time.speed);
    let pace =
        format!("{} {} per second", if pace < 10.0 { (pace * 10.0).round() / 10.0 } else { pace.round() }, time.unit);
    html! {
        <div class="transport" role="group" aria-label="Time">
            { button(None, "◀", format!("One {step} back"), " , ", time.now <= 0.0, |player| player.step(false)) }
            { button(Some("play"), icon, label.into(), "space", time.end <= 0.0, |player| player.toggle_play()) }
            { button(None, "▶❘", format!("One {step} forward"), " . ", !time.goes_on, |player| player.step(true)) }
            <input type="range" aria-label={time.name} min="0" max={time.end.to_string()} step={time.grain} list="outcomes"
                value={time.now.to_string()} oninput={slide(|player, place| player.seek(place))} aria-valuetext={time.said.to_string()} />
            <datalist id="outcomes">
                { for time.events.iter().map(|event| html! { <option value={event.time.to_string()}></option> }) }
            </datalist>
            <output class="time" aria-live="off">{ time_text(&time.said) }</output>
            <label class="speed">{"Speed"}<input type="range" {min} {max} step={by} value={time.speed.to_string()}
                oninput={slide(|player, speed| player.set_speed(speed))} aria-valuetext={pace.clone()} title={pace} /></label>
            { events(player, &time) }
        </div>
    }
}

/// Renders the time; narrow figures hide the end of the simulation, as in " of 163".
fn time_text(TimeText { now, end }: &TimeText) -> Html {
    let end = end.as_ref().map(|end| html! { <span>{format!(" of {end}")}</span> });
    html! { <>{now.clone()}{ for end }</> }
}

/// Renders the events as buttons that go to their times.
fn events(player: &Rc<dyn PlayerControls>, time: &PlaybackBar) -> Html {
    let item = |event: &TimelineEvent| {
        let (player, at) = (Rc::clone(player), event.time);
        let onclick = Callback::from(move |_: MouseEvent| player.seek(at));
        let when = (at * 100.0).round() / 100.0;
        let when = match (time.grain, time.step) {
            // A message is blocked between two hops; the next hop has the next number.
            ("1", "hop") => format!("after hop {when}"),
            ("1", step) => format!("{step} {when}"),
            _ => when.to_string(),
        };
        html! { <button type="button" class="chip" {onclick}>{format!("{}, {when}", event.description)}</button> }
    };
    html! {
        if !time.events.is_empty() {
            <div class="events" role="group" aria-labelledby="go-to"><span id="go-to">{"Go to"}</span>{ for time.events.iter().map(item) }</div>
        }
    }
}

/// Returns the key handler of a player. `other` handles further keys and returns whether a key has
/// a function.
pub(crate) fn keys(player: Rc<dyn PlayerControls>, other: impl Fn(&str) -> bool + 'static) -> Callback<KeyboardEvent> {
    let other: Box<dyn Fn(&str) -> bool> = Box::new(other);
    Callback::from(move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        match event.key().as_str() {
            " " => player.toggle_play(),
            "." => player.step(true),
            "," => player.step(false),
            "Home" => player.seek(0.0),
            "End" => player.seek(f64::INFINITY),
            key if other(key) => {}
            _ => return,
        }
        event.prevent_default();
    })
}

/// Connects a player to its element: plays at once with `autoplay`, stops while `place` is
/// invisible, and repaints when its size or the colours (`layout_version`) change.
#[hook]
pub(crate) fn use_player(player: &Rc<dyn PlayerControls>, place: &NodeRef, layout_version: u32, autoplay: bool) {
    use_effect_with((), {
        let player = Rc::clone(player);
        move |()| {
            if autoplay {
                player.play(true);
            }
        }
    });
    use_visibility(
        place,
        Callback::from({
            let player = Rc::clone(player);
            move |visible| player.set_visible(visible)
        }),
        Callback::from({
            let player = Rc::clone(player);
            move |()| player.repaint()
        }),
    );
    use_effect_with(layout_version, {
        let player = Rc::clone(player);
        move |_| player.repaint()
    });
}
