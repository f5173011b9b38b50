//! Share: the experiment, to be given to others.

use yew::prelude::*;

use super::dialogs::{Frame, Props};
use crate::experiment::Tab;
use crate::web::dom;

/// The link and the command, to copy.
#[component]
pub(crate) fn Share(props: &Props) -> Html {
    let at_moment = use_state(|| false);
    let moment = props.bench.moment.get().filter(|_| props.bench.experiment.view.tab == Tab::Watch);
    let mut shared = (*props.bench.experiment).clone();
    if let Some((time, chosen)) = moment.filter(|_| *at_moment) {
        shared.view.time = Some((time * 1000.0).round() / 1000.0);
        shared.view.follow = chosen.map(|(index, message)| (index as u32, message)).or(shared.view.follow);
    }
    let toggle = {
        let at_moment = at_moment.clone();
        Callback::from(move |_: Event| at_moment.set(!*at_moment))
    };
    let text = shared.to_string();
    let line = |label: &'static str, value: String| {
        let copied = value.clone();
        let copy = Callback::from(move |_: MouseEvent| dom::copy(&copied));
        html! {
            <div class="share">
                <label>{label}<input type="text" readonly=true {value} /></label>
                <button type="button" onclick={copy}>{"Copy"}</button>
            </div>
        }
    };
    let save = {
        let text = text.clone();
        Callback::from(move |_: MouseEvent| dom::download("experiment.txt", "text/plain", &text))
    };
    html! {
        <Frame title="Share this experiment" close={props.close.clone()}>
            <p>{"The text is the whole experiment: the same text gives the same numbers everywhere."}</p>
            if let Some((time, _)) = moment {
                <label class="check">
                    <input type="checkbox" checked={*at_moment} onchange={toggle} />
                    <span>{format!("Open at this moment ({})", (time * 100.0).round() / 100.0)}</span>
                </label>
            }
            { line("Link", dom::link(&text)) }
            { line("On the command line", format!("faultlab run '{text}'")) }
            <p><button type="button" onclick={save}>{"Save as a file"}</button></p>
        </Frame>
    }
}
