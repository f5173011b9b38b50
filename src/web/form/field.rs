//! The controls that the rails are made of: native ones, each with its label.

use wasm_bindgen::JsCast as _;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct TextProps {
    /// The label, which is also the name of the control's id.
    pub(crate) label: AttrValue,
    /// The current value.
    pub(crate) value: AttrValue,
    /// Takes what was written when the person is done: Enter, or leaving the field.
    pub(crate) commit: Callback<String>,
    /// What the field accepts, for people.
    #[prop_or_default]
    pub(crate) hint: AttrValue,
    /// What kind of keyboard a phone should show.
    #[prop_or(AttrValue::Static("text"))]
    pub(crate) mode: AttrValue,
}

/// A line of text.
#[component]
pub(crate) fn TextField(props: &TextProps) -> Html {
    let id = id_of(&props.label);
    let onchange = {
        let (commit, value) = (props.commit.clone(), props.value.clone());
        Callback::from(move |event: Event| {
            if let Some(input) = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) {
                let written = input.value();
                // If it is refused, the field shows again what holds.
                input.set_value(&value);
                commit.emit(written.trim().to_owned());
            }
        })
    };
    html! {
        <div class="row">
            <label for={id.clone()}>{&props.label}</label>
            <input {id} type="text" inputmode={&props.mode} value={&props.value} {onchange} title={&props.hint}
                autocomplete="off" spellcheck="false" />
        </div>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct RangeProps {
    pub(crate) label: AttrValue,
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) step: f64,
    /// What the value is, in words, with its unit.
    pub(crate) words: AttrValue,
    /// Takes the value when the slider is let go.
    pub(crate) commit: Callback<f64>,
}

/// A slider that says its value.
#[component]
pub(crate) fn RangeField(props: &RangeProps) -> Html {
    let id = id_of(&props.label);
    let onchange = {
        let commit = props.commit.clone();
        Callback::from(move |event: Event| {
            let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
            if let Some(value) = input.and_then(|input| input.value().parse().ok()) {
                commit.emit(value);
            }
        })
    };
    html! {
        <div class="row row--range">
            <label for={id.clone()}>{&props.label}<output for={id.clone()}>{&props.words}</output></label>
            <input {id} type="range" min={props.low.to_string()} max={props.high.to_string()} step={props.step.to_string()}
                value={props.value.to_string()} {onchange} aria-valuetext={&props.words} />
        </div>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct ChoiceProps {
    pub(crate) label: AttrValue,
    /// The values and their names.
    pub(crate) options: Vec<(AttrValue, AttrValue)>,
    pub(crate) value: AttrValue,
    pub(crate) commit: Callback<String>,
}

/// One of a few.
#[component]
pub(crate) fn ChoiceField(props: &ChoiceProps) -> Html {
    let id = id_of(&props.label);
    let onchange = {
        let (commit, value) = (props.commit.clone(), props.value.clone());
        Callback::from(move |event: Event| {
            if let Some(select) = event.target().and_then(|target| target.dyn_into::<HtmlSelectElement>().ok()) {
                let chosen = select.value();
                // If it is refused, the control shows again what holds.
                select.set_value(&value);
                commit.emit(chosen);
            }
        })
    };
    let options = props.options.iter().map(|(value, name)| {
        html! { <option value={value} selected={*value == props.value}>{name}</option> }
    });
    html! {
        <div class="row">
            <label for={id.clone()}>{&props.label}</label>
            <select {id} {onchange}>{ for options }</select>
        </div>
    }
}

/// The id of the control with this label.
pub(crate) fn id_of(label: &str) -> String {
    let word = label.to_ascii_lowercase().replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
    format!("field-{word}")
}
