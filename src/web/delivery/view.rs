//! Watch view of fat-trees: the tree under every compared algorithm, with the same messages, by
//! delivery cycle.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::experiment::{DeliveryWatch, Experiment};
use crate::report::delivery::play::DeliveryPlay;
use crate::report::delivery::watch;
use crate::report::watch::{HitId, ViewState, Watch as _};
use crate::rich_text::RichText;
use crate::web::form::field::TextField;
use crate::web::player_controls::PlayerControls as _;
use crate::web::stage::entity_links::EntityLinks;
use crate::web::stage::entries::entry;
use crate::web::stage::kind_view::{KindView, Labels, PointerAction, ViewContext, too_large};
use crate::web::stage::panels::{badge, counts, future_outcome, outcome};
use crate::web::stage::player::SharedWatch;

/// Largest tree that is shown. In larger trees a single delivery cycle would block the page for too
/// long.
const MAX_PROCESSORS: u32 = 1 << 15;

/// Returns the number of processors of the experiment's network.
fn processors(experiment: &Experiment) -> u32 {
    experiment.network.leaves().map_or(0, |leaves| leaves.processors())
}

/// Delivery view in the player.
pub(crate) struct DeliveryView(Rc<RefCell<DeliveryPlay>>);

impl DeliveryView {
    pub(crate) fn open(experiment: &Experiment) -> Option<Rc<dyn KindView>> {
        let shown = Some(experiment).filter(|it| processors(it) <= MAX_PROCESSORS)?;
        Some(Rc::new(Self(Rc::new(RefCell::new(DeliveryPlay::new(shown)?)))))
    }

    /// Renders the message for a tree that is too large.
    pub(crate) fn nothing(experiment: &Experiment) -> Html {
        too_large(processors(experiment).into(), "processors", MAX_PROCESSORS.into(), "tree")
    }
}

impl KindView for DeliveryView {
    fn watch(&self) -> SharedWatch {
        Rc::<RefCell<DeliveryPlay>>::clone(&self.0)
    }

    fn labels(&self) -> Labels {
        let rail = "What happens to messages";
        Labels { stage: "The networks", rail, series: "Algorithms", files: ["delivery"; 2] }
    }

    fn label(&self, name: &str) -> String {
        format!(
            "The tree under {name}. Arrow keys move between channels and processors; Enter follows a message from a processor, and \
             breaks a wire of a channel, or mends all after the last; F follows a message that is lost at a channel; space \
             plays, comma and full stop step."
        )
    }

    fn panels(&self, _shown: &ViewState) -> (&'static str, Option<String>) {
        ("panels panels--squares", None)
    }

    fn side_panel(&self, around: &ViewContext, index: usize) -> Html {
        let play = self.0.borrow();
        html! {
            <>
                { counts("Counts", &play.names(), play.counts()) }
                { focus(&around.tick.shown, &play) }
                { ending(around, play.watch(), index) }
                { followed(around, play.watch(), index) }
            </>
        }
    }

    fn tools(&self, around: &ViewContext) -> Html {
        built(around, self.0.borrow().watch())
    }

    /// Breaks a wire of a channel. On a processor, or with the shift key, follows a message under
    /// the explained algorithm.
    fn on_click(&self, around: &ViewContext, at: PointerAction) {
        let Some(place) = at.place else { return };
        let channel = self.0.borrow().channel_at(place).filter(|_| !at.shift);
        if let Some(channel) = channel {
            if let Some(next) = around.context.experiment.with_wire_toggled(channel) {
                around.context.on_edit.emit(next);
            }
            return;
        }
        let message = {
            let play = self.0.borrow();
            play.message_at(play.explained(&around.stage.view_state()), place)
        };
        if let Some(message) = message {
            around.stage.set(|shown| shown.message = message);
        }
    }

    fn on_key(&self, around: &ViewContext, panel: usize, focus: Option<HitId>, key: &str) -> bool {
        let is_known = matches!(key, "f" | "F") && focus.is_some();
        if is_known {
            self.on_click(around, PointerAction { panel, place: focus, point: None, shift: true });
        }
        is_known
    }
}

/// Renders the description of the element under the pointer.
fn focus(shown: &ViewState, play: &DeliveryPlay) -> Html {
    let said = match shown.focus {
        Some((panel, place)) => play.describe_element(panel, place),
        None => "Point at a channel to see how many messages arrive and get through. Click a channel to break a wire; after the last \
                 wire, a click mends all of them. Click a processor to follow its message; Shift+click a channel, or press F, to \
                 follow a message that is lost there."
            .to_owned(),
    };
    html! { <p class="hint">{said}</p> }
}

/// Renders the end of the run.
fn ending(around: &ViewContext, watch: &DeliveryWatch, index: usize) -> Html {
    match watch::ending(watch, index).zip(watch.series.get(index)) {
        Some((said, series)) if series.is_over() => outcome(EntityLinks::new(around, index).say(&said)),
        Some((said, series)) => future_outcome(around, said.to_string(), "Go there", series.end.into()),
        None => html! {},
    }
}

/// Renders the followed message.
fn followed(around: &ViewContext, watch: &DeliveryWatch, index: usize) -> Html {
    let last = watch.trial.messages.len().saturating_sub(1);
    let choose = {
        let stage = Rc::clone(&around.stage);
        Callback::from(move |text: String| match text.parse::<u32>() {
            Ok(message) if message <= last => {
                stage.set(|shown| shown.message = message.into());
                Ok(())
            }
            _ => Err(format!("write a number from 0 to {last}")),
        })
    };
    let number = (around.tick.shown.message as u32).min(last);
    let history = watch::message_history(watch, index, number);
    let mut located = EntityLinks::inside(around, index);
    let item = |(cycle, said): (u32, RichText)| {
        let go = around.onclick(move |stage| stage.seek(cycle.into()));
        let current = (cycle == watch.now()).then_some("step");
        let said = html! { <small>{located.say(&said)}</small> };
        entry(cycle as usize, None, badge(index, false, cycle), said, Some((go, current)))
    };
    html! {
        <section id="followed">
            <h3>{"What happens to one message"}</h3>
            <TextField label="Message" value={number.to_string()} commit={choose} hint={format!("A number from 0 to {last}.")} mode="numeric" />
            { for history.map(|history| html! {
                <><p>{EntityLinks::new(around, index).say(&history.summary)}</p><ol class="hops">{ for history.cycles.into_iter().map(item) }</ol></>
            }) }
        </section>
    }
}

/// Renders the steps by which the adversary of Theorem 9 built the messages.
fn built(around: &ViewContext, watch: &DeliveryWatch) -> Html {
    let steps = watch::bad_steps(watch);
    if steps.is_empty() {
        return html! { <p class="hint">{"A broader channel has more wires; the more opaque its filling, the more of them messages \
        request."}</p> };
    }
    let shown = around.tick.shown.construction_step.map_or(0, |step| step + 1).min(steps.len());
    let oninput = {
        let stage = Rc::clone(&around.stage);
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            if let Ok(step) = input.value().parse::<usize>() {
                stage.set(|shown| shown.construction_step = step.checked_sub(1));
            }
        })
    };
    let said = shown.checked_sub(1).and_then(|step| steps.get(step).cloned());
    let said = said.unwrap_or_else(|| format!("The set was built in {} steps.", steps.len()));
    html! {
        <span class="stepper">
            <input type="range" min="0" max={steps.len().to_string()} value={shown.to_string()} {oninput}
                aria-label="Step of the adversary" aria-valuetext={said.clone()} /><output>{said}</output>
        </span>
    }
}
