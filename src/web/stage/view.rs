//! Watch view of all kinds: the player, its captions and controls, and the side panel.

use std::rc::Rc;

use web_sys::{Element, HtmlCanvasElement, KeyboardEvent, PointerEvent};
use yew::prelude::*;

use super::entity_links::{EntityLinks, highlight_target, highlights};
use super::files::texts;
use super::kind_view::{KindView, PointerAction, ViewContext, ViewFactory};
use super::panels::{MAX_PANELS, algorithm_tabs, pictures};
use super::picture::point;
use super::player::{Player, PlayerState, SharedWatch};
use super::plot::Plot;
use super::transport::{PlaybackBar, keys, transport, use_player};
use super::zoom::{ZOOM_KEYS, wheel_hint, zoom_buttons, zoom_listeners};
use crate::experiment::{Experiment, ViewOptions};
use crate::report::files::file_name;
use crate::report::watch::{Watch, visible_panels};
use crate::web::app_context::{AppContext, Playback, PlaybackPosition};
use crate::web::dom;
use crate::web::player_controls::PlayerControls;

/// Properties of the view.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) context: AppContext,
    /// Factory of the view for the kind of the experiment.
    pub(crate) opening: &'static ViewFactory,
    /// True if playback starts at once.
    pub(crate) autoplay: bool,
}

/// Returns the text of everything that determines an instance: the experiment, and the number of
/// the fault pattern.
pub(crate) fn instance_key(experiment: &Experiment) -> String {
    let mut asked = experiment.clone();
    asked.view = ViewOptions { sample: experiment.view.sample, ..Experiment::default().view };
    asked.to_string()
}

/// Canvases of the panels, one for each picture; those that are not shown have no element.
type Canvases = Rc<[NodeRef]>;

/// View of an instance, identified by its number.
struct ViewInstance {
    number: u32,
    side: Option<Rc<dyn KindView>>,
}

#[component]
pub(crate) fn WatchView(props: &Props) -> Html {
    let context = &props.context;
    let tick = use_state_eq(PlayerState::default);
    let stage = use_memo((), {
        let tick = tick.clone();
        move |()| Player::new(Callback::from(move |now| tick.set(now)))
    });
    let made = use_view_instance(props.opening, &context.experiment);
    let panel_count = made.side.as_ref().map_or(0, |side| side.watch().borrow().panels());
    let canvases = use_canvases(panel_count);
    let place = use_node_ref();
    let is_shared = made.side.as_ref().is_some_and(|side| side.watch().borrow().is_shared());
    use_stage(&stage, &canvases, &made, context);
    let player: Rc<dyn PlayerControls> = Rc::<Player>::clone(&stage);
    use_effect_with(made.number, {
        let (stage, player, made) = (Rc::clone(&stage), Rc::clone(&player), Rc::clone(&made));
        let remote = context.remote.clone();
        move |_| {
            let driven = |side: &Rc<dyn KindView>| {
                let watch = side.watch();
                let pictures = pictures(&stage, &watch, side.labels().files[1]);
                Playback { watch, player, pictures }
            };
            remote.set_playback(made.side.as_ref().map(driven));
        }
    });
    let moment = made.side.as_ref().map_or(0.0, |side| side.watch().borrow().now());
    use_effect_with(moment.to_bits(), {
        let remote = context.remote.clone();
        move |_| remote.report_time(moment)
    });
    let fired = made.side.as_ref().and_then(|side| side.watch().borrow().fired_rule_line(&tick.shown));
    use_effect_with((fired, made.number), {
        let editor = context.editor.clone();
        move |(fired, _)| editor.mark_line(*fired)
    });
    // Scrolling may reveal pictures that must be painted; the list beside them scrolls to the
    // current entry.
    let told = made.side.as_ref().map_or(0, |side| side.watch().borrow().explained(&tick.shown));
    use_effect_with((moment.to_bits(), told, tick.shown.followed), {
        let player = Rc::clone(&player);
        move |_| {
            player.repaint();
            dom::scroll_list(".explanation ol [aria-current=step]");
        }
    });
    let visible = visible_panels(panel_count, MAX_PANELS, told);
    use_zoom(&stage, &canvases, (made.number, visible.clone()), context.is_figure);
    use_player(&player, if is_shared { &canvases[0] } else { &place }, context.layout_version, props.autoplay);
    let Some(side) = &made.side else { return nothing(props, &place) };
    let (shared, labels, shown) = (side.watch(), side.labels(), &tick.shown);
    let lit = highlights(shown, &*shared.borrow());
    let around =
        ViewContext { context: context.clone(), stage: Rc::clone(&stage), tick: *tick, watch: Rc::clone(&shared), lit };
    let now = shared.borrow();
    context.moment.set(Some(PlaybackPosition { time: now.now(), chosen: shown.followed }));
    let names = now.names();
    let index = now.explained(shown).min(names.len().saturating_sub(1));
    let aims = Callback::from({
        let stage = Rc::clone(&stage);
        move |event: Event| highlight_target(&stage, &event)
    });
    let (points, focuses) =
        (aims.reform(|event: PointerEvent| event.into()), aims.reform(|event: FocusEvent| event.into()));
    html! {
        <>
            <section id={(!context.is_figure).then_some("figure")} class="stage" aria-label={labels.stage} role={context.role()}>
                <div class="caption" onpointerover={points.clone()} onpointerout={points.clone()} onfocusin={focuses.clone()}
                    onfocusout={focuses.clone()}>
                    <h2>{now.title(shown)}</h2>
                    <p>{EntityLinks::new(&around, index).say(&now.subtitle(shown))}</p>
                </div>
                if is_shared {
                    { canvas(side, &around, &canvases, 0, side.label("")) }
                    { player_zoom_buttons(&around) }
                } else {
                    // Narrow screens show only one picture, which these buttons choose.
                    if names.len() > 1 { <div class="tabs">{ algorithm_tabs(side, &around, &names, index) }</div> }
                    { panels(side, &around, &*now, &place, &canvases, &visible) }
                }
                <p class="keys" aria-hidden="true"><span>{ keyboard(side) }</span></p>
                { wheel_hint() }
                <p id="summary" class="hidden" aria-live="polite">{ now.text_alternative(shown) }</p>
                { transport(&player, time(*tick, &*now)) }
                { for now.chart().map(|chart| html! {
                    <div class="backlog">
                        <Plot id={chart.id} figure={Some(Rc::new(chart.figure))} layout_version={context.layout_version} says={chart.alt_text} />
                    </div>
                }) }
                <div class="figure-tools">
                    { side.tools(&around) }
                    <div class="exports" role="group" aria-label="Export">
                        { texts(&file_name::stem(now.experiment(), labels.files[0]), written(&shared, |watch| watch.csv()), written(&shared, |watch| watch.json())) }
                        { pictures(&stage, &shared, labels.files[1]) }
                    </div>
                </div>
            </section>
            <section class="sidebar explanation" aria-label={labels.rail} role={context.role()} onpointerover={points.clone()} onpointerout={points}
                onfocusin={focuses.clone()} onfocusout={focuses}>
                { algorithm_tabs(side, &around, &names, index) }
                { side.side_panel(&around, index) }
            </section>
        </>
    }
}

/// Renders the message if there is nothing to show.
fn nothing(props: &Props, place: &NodeRef) -> Html {
    let said = (props.opening.nothing)(&props.context.experiment);
    html! { <section ref={place} class="stage stage--wide" aria-label="The networks">{ said }</section> }
}

/// Returns references to `count` canvases, at least one. Each of them stays the same when their
/// number changes.
#[hook]
fn use_canvases(count: usize) -> Canvases {
    let all = use_mut_ref(Vec::<NodeRef>::new);
    let mut all = all.borrow_mut();
    let count = count.max(1);
    if all.len() < count {
        all.resize_with(count, NodeRef::default);
    }
    Rc::from(&all[..count])
}

/// Creates the view of an experiment whenever its instance changes.
#[hook]
fn use_view_instance(opening: &'static ViewFactory, experiment: &Rc<Experiment>) -> Rc<ViewInstance> {
    let count = use_mut_ref(|| 0u32);
    use_memo(instance_key(experiment), {
        let experiment = Rc::clone(experiment);
        move |_| {
            let mut count = count.borrow_mut();
            *count = count.wrapping_add(1);
            ViewInstance { number: *count, side: (opening.open)(&experiment) }
        }
    })
}

/// Connects the player, the canvases and the view.
#[hook]
fn use_stage(stage: &Rc<Player>, canvases: &Canvases, made: &Rc<ViewInstance>, context: &AppContext) {
    let experiment = &context.experiment;
    use_effect_with(made.number, {
        let (stage, canvases, made) = (Rc::clone(stage), Rc::clone(canvases), Rc::clone(made));
        move |_| {
            stage.show(made.side.as_ref().map(|side| side.watch()), canvases.to_vec());
        }
    });
    use_effect_with((made.number, experiment.view.clone()), {
        let (stage, made, experiment) = (Rc::clone(stage), Rc::clone(made), Rc::clone(experiment));
        move |_| {
            if let Some(side) = &made.side {
                side.watch().borrow_mut().set_view(&experiment);
            }
            stage.repaint();
        }
    });
    use_effect_with(context.speed, {
        let stage = Rc::clone(stage);
        move |speed| {
            if let Some(speed) = *speed {
                stage.set_speed(speed);
            }
        }
    });
    let ViewOptions { time, follow, .. } = experiment.view;
    use_effect_with((made.number, time, follow), {
        let stage = Rc::clone(stage);
        move |_| {
            if let Some(follow) = follow {
                stage.set(|shown| shown.open_at(follow));
            }
            if let Some(time) = time {
                stage.seek(time);
            }
        }
    });
    use_effect_with((), {
        let stage = Rc::clone(stage);
        let moment = Rc::clone(&context.moment);
        move |()| {
            move || {
                stage.show(None, Vec::new());
                moment.set(None);
            }
        }
    });
}

/// Returns a function that writes the simulation as a file.
fn written(watch: &SharedWatch, write: fn(&dyn Watch) -> String) -> impl Fn() -> String + 'static {
    let watch = Rc::clone(watch);
    move || write(&*watch.borrow())
}

/// Renders the visible pictures side by side, each under the name of its algorithm and a short state.
fn panels(
    side: &Rc<dyn KindView>,
    around: &ViewContext,
    watch: &dyn Watch,
    place: &NodeRef,
    canvases: &Canvases,
    visible: &[usize],
) -> Html {
    let names = watch.names();
    let explained = watch.explained(&around.tick.shown);
    let panel = |&index: &usize| {
        let name = names.get(index).cloned().unwrap_or_default();
        html! {
            <figure key={index} class={classes!("panel", (index == explained).then_some("panel--explained"))}>
                <figcaption>
                    <i class={format!("swatch swatch--{}", index % 7)}></i><b>{&name}</b><span>{watch.status(index)}</span>
                    if index == explained { { player_zoom_buttons(around) } }
                </figcaption>
                { canvas(side, around, canvases, index, side.label(&name)) }
            </figure>
        }
    };
    let (class, style) = side.panels(&around.tick.shown);
    let has_more = names.len() > visible.len();
    html! {
        <>
            <div ref={place} class={classes!(class, (names.len() > 1).then_some("panels--many"), has_more.then_some("panels--more"))} {style}>
                { for visible.iter().map(panel) }
            </div>
            if has_more {
                <p class="hint">{format!("Shown: {} of {} algorithms. Press the name of another one to see it.", visible.len(), names.len())}</p>
            }
        </>
    }
}

/// Returns the description of a canvas's keys, which follows the first sentence of its label.
fn keyboard(side: &Rc<dyn KindView>) -> String {
    side.label("").split_once(". ").map_or(String::new(), |(_, keys)| [keys, ZOOM_KEYS].concat())
}

/// Attribute of a canvas whose focus the arrow keys have moved: the help on the keys, which may cover
/// nodes, is hidden.
const KEYED: &str = "data-keyed";

/// Renders a canvas with its pointer and key handlers.
fn canvas(side: &Rc<dyn KindView>, around: &ViewContext, canvases: &Canvases, panel: usize, label: String) -> Html {
    let is_whole = around.tick.shown.viewport.is_whole();
    // At first a finger drags only to rotate, otherwise it scrolls the page; it pans a magnified
    // picture.
    let dragged = |event: &PointerEvent, stage: &Player| {
        let is_magnified = !stage.view_state().viewport.is_whole();
        let drags = event.buttons() & 1 == 1 && (event.pointer_type() == "mouse" || stage.can_rotate() || is_magnified);
        drags.then(|| point(event))
    };
    let onpointermove = {
        let stage = Rc::clone(&around.stage);
        Callback::from(move |event: PointerEvent| {
            let pinches =
                event.pointer_type() == "touch" && stage.pinch(panel, event.pointer_id(), Some(point(&event)));
            let pans = event.shift_key() || !stage.can_rotate();
            let pointer = dragged(&event, &stage).filter(|_| !stage.is_moving_element() && !pinches);
            if !stage.drag(panel, pointer, pans) && !pinches {
                stage.set_focus(stage.hit(panel, point(&event), false).map(|place| (panel, place)));
            }
        })
    };
    let onpointerleave = {
        let stage = Rc::clone(&around.stage);
        Callback::from(move |_: PointerEvent| {
            stage.drag(panel, None, false);
            stage.move_element(None);
            stage.lift_fingers();
            stage.set_focus(None);
        })
    };
    let onpointerdown = {
        let (side, stage) = (Rc::clone(side), Rc::clone(&around.stage));
        Callback::from(move |event: PointerEvent| {
            let is_touch = event.pointer_type() == "touch";
            stage.start_press(point(&event), is_touch);
            if is_touch {
                stage.pinch(panel, event.pointer_id(), Some(point(&event)));
            }
            let place = stage.hit(panel, point(&event), false).filter(|place| side.can_move(*place));
            // A finger scrolls the page.
            stage.move_element(place.filter(|_| event.button() == 0 && !is_touch));
        })
    };
    let onpointerup = {
        let (side, around) = (Rc::clone(side), around.clone());
        Callback::from(move |event: PointerEvent| {
            around.stage.pinch(panel, event.pointer_id(), None);
            let to = around.stage.hit(panel, point(&event), false);
            if let (Some(from), Some(to)) = (around.stage.move_element(None), to)
                && from != to
            {
                around.stage.ignore_next_click();
                side.on_moved(&around, from, to);
            }
        })
    };
    // Act on a click, not on the first touch, which may start to scroll the page.
    let onclick = {
        let (side, around) = (Rc::clone(side), around.clone());
        Callback::from(move |event: MouseEvent| {
            let point = point(&event);
            if !around.stage.take_dragged(point) {
                let place = around.stage.hit(panel, point, dom::matches_media("(pointer: coarse)"));
                side.on_click(&around, PointerAction { panel, place, point: Some(point), shift: event.shift_key() });
            }
        })
    };
    // With the keyboard, the focused element is visible at once.
    let onfocus = {
        let stage = Rc::clone(&around.stage);
        Callback::from(move |event: FocusEvent| {
            let canvas = event.target_unchecked_into::<HtmlCanvasElement>();
            // Fails only for names that are not valid.
            let _ = canvas.remove_attribute(KEYED);
            if stage.view_state().focus.is_none() && canvas.matches(":focus-visible").unwrap_or(false) {
                stage.move_focus(panel, (0, 0));
            }
        })
    };
    let onkeydown = {
        let act = panel_keys(side, around, panel);
        Callback::from(move |event: KeyboardEvent| {
            if event.key().starts_with("Arrow") {
                let _ = event.target_unchecked_into::<HtmlCanvasElement>().set_attribute(KEYED, "");
            }
            act.emit(event);
        })
    };
    let label = [&label, ZOOM_KEYS].concat();
    html! {
        <canvas ref={canvases[panel].clone()} class={classes!("network", (!is_whole).then_some("network--magnified"))} tabindex="0" role="application" aria-label={label}
            aria-describedby="summary" {onfocus} {onclick} {onpointerdown} {onpointerup} {onpointermove} {onpointerleave}
            {onkeydown}></canvas>
    }
}

/// Renders the buttons that magnify the pictures.
fn player_zoom_buttons(around: &ViewContext) -> Html {
    let stage = Rc::clone(&around.stage);
    zoom_buttons(around.tick.shown.viewport.is_whole(), move |factor| match factor {
        Some(factor) => stage.zoom(factor),
        None => stage.fit(),
    })
}

/// Zooms the pictures with the wheel, at the pointer, and keeps two fingers from scrolling the page.
/// `elements` identifies the elements of the canvases.
#[hook]
fn use_zoom(stage: &Rc<Player>, canvases: &Canvases, elements: (u32, Vec<usize>), is_figure: bool) {
    use_effect_with(elements, {
        let (stage, canvases) = (Rc::clone(stage), Rc::clone(canvases));
        move |_| {
            let canvases =
                (0..).zip(canvases.iter()).filter_map(|(panel, node)| Some((panel, node.cast::<Element>()?)));
            let of_canvas = |(panel, canvas): (usize, Element)| {
                let stage = Rc::clone(&stage);
                zoom_listeners(&canvas, is_figure, move |factor, fixed| stage.zoom_at(panel, factor, fixed))
            };
            let listeners: Vec<_> = canvases.flat_map(of_canvas).collect();
            move || drop(listeners)
        }
    });
}

fn panel_keys(side: &Rc<dyn KindView>, around: &ViewContext, panel: usize) -> Callback<KeyboardEvent> {
    let (side, around) = (Rc::clone(side), around.clone());
    keys(Rc::<Player>::clone(&around.stage), move |key| {
        let (stage, focus) = (&around.stage, around.stage.view_state().focus_in(panel));
        match (key, focus) {
            ("ArrowLeft", _) => stage.move_focus(panel, (-1, 0)),
            ("ArrowRight", _) => stage.move_focus(panel, (1, 0)),
            ("ArrowUp", _) => stage.move_focus(panel, (0, -1)),
            ("ArrowDown", _) => stage.move_focus(panel, (0, 1)),
            ("+" | "=", _) => stage.zoom(2.0),
            ("-", _) => stage.zoom(0.5),
            ("0", _) => stage.fit(),
            ("Escape", _) => stage.clear_selection(),
            ("Enter", Some(_)) => {
                side.on_click(&around, PointerAction { panel, place: focus, point: None, shift: false })
            }
            _ => return side.on_key(&around, panel, focus, key),
        }
        true
    })
}

/// Returns the playback state for the bar.
fn time(tick: PlayerState, watch: &dyn Watch) -> PlaybackBar {
    let (clock, now, end) = (watch.clock(), watch.now(), watch.end());
    PlaybackBar {
        playing: tick.shown.playing,
        step: clock.step,
        name: clock.name,
        grain: if clock.is_discrete { "1" } else { "any" },
        now,
        end: watch.slider_end(),
        goes_on: watch.next(now).is_some_and(|next| next <= end),
        said: watch.time_text(),
        events: watch.events(),
        speed: tick.speed.unwrap_or(clock.initial_speed_log2),
        speeds: clock.speed_range_log2,
        unit: clock.unit,
    }
}
