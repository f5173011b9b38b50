//! The controls that the rails are made of: native ones, each with its label, and below it why it was refused.

use wasm_bindgen::JsCast as _;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Takes what was written or chosen; the error says in one line, in the field's own terms, why it cannot be.
pub(crate) type Commit = Callback<String, Result<(), String>>;

/// What was refused of a field while `value` held, and why.
#[derive(Clone, PartialEq)]
struct Refused {
    written: AttrValue,
    problem: AttrValue,
    value: AttrValue,
    /// The id of the line that says why, which is named after the field.
    line: String,
}

/// What a field shows: what holds, or what was refused, until something else holds.
struct Shown {
    value: AttrValue,
    /// Whether it is refused and where it says why, as attributes have it.
    invalid: Option<&'static str>,
    why: Option<String>,
    /// The line below the field.
    line: Html,
    /// Takes what is in the field when the person is done.
    onchange: Callback<Event>,
}

/// What the field called `id` shows while `value` holds.
#[hook]
fn use_shown(id: &str, value: &AttrValue, commit: &Commit) -> Shown {
    let refused = use_state_eq(|| None::<Refused>);
    let line = format!("{id}-refused");
    let now = (*refused).clone().filter(|refused| refused.value == *value && refused.line == line);
    let onchange = {
        let (commit, value) = (commit.clone(), value.clone());
        Callback::from(move |event: Event| {
            // Lines of text, areas and choices all have a `value`.
            let field: HtmlInputElement = event.target_unchecked_into();
            let written = field.value();
            // What is accepted may be written in another way: the field then shows what holds.
            field.set_value(&value);
            let problem = commit.emit(written.trim().to_owned()).err();
            if problem.is_some() {
                field.set_value(&written);
            }
            refused.set(problem.map(|problem| Refused {
                written: written.into(),
                problem: problem.into(),
                value: value.clone(),
                line: line.clone(),
            }));
        })
    };
    match now {
        None => Shown { value: value.clone(), invalid: None, why: None, line: Html::default(), onchange },
        Some(Refused { written, problem, line, .. }) => Shown {
            value: written,
            invalid: Some("true"),
            why: Some(line.clone()),
            line: html! { <p class="refused" id={line} role="alert">{problem}</p> },
            onchange,
        },
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct TextProps {
    /// The label, which is also the name of the control's id.
    pub(crate) label: AttrValue,
    /// The current value.
    pub(crate) value: AttrValue,
    /// Takes what was written when the person is done: Enter, or leaving the field.
    pub(crate) commit: Commit,
    /// What the field accepts, for people.
    #[prop_or_default]
    pub(crate) hint: AttrValue,
    /// What kind of keyboard a phone should show.
    #[prop_or(AttrValue::Static("text"))]
    pub(crate) mode: AttrValue,
    /// Whether it has several lines, below a title that says what it is.
    #[prop_or_default]
    pub(crate) is_long: bool,
}

/// A line of text, or several.
#[component]
pub(crate) fn TextField(props: &TextProps) -> Html {
    let id = id_of(&props.label);
    let shown = use_shown(&id, &props.value, &props.commit);
    let onchange = shown.onchange;
    if props.is_long {
        return html! {
            <>
                <textarea {id} class="text" rows="5" aria-label={&props.label} spellcheck="false" value={&shown.value} {onchange}
                    aria-invalid={shown.invalid} aria-describedby={shown.why} />
                { shown.line }
            </>
        };
    }
    html! {
        <div class="row" data-tip={&props.hint}>
            <label for={id.clone()}>{&props.label}</label>
            <input {id} type="text" inputmode={&props.mode} value={&shown.value} {onchange}
                aria-invalid={shown.invalid} aria-describedby={shown.why} autocomplete="off" spellcheck="false" />
            { shown.line }
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
    pub(crate) commit: Commit,
    /// What is chosen, for people.
    #[prop_or_default]
    pub(crate) hint: AttrValue,
}

/// The longest name that fits beside a label, in characters.
const BESIDE: usize = 11;

/// One of a few.
#[component]
pub(crate) fn ChoiceField(props: &ChoiceProps) -> Html {
    let id = id_of(&props.label);
    let shown = use_shown(&id, &props.value, &props.commit);
    let node = use_node_ref();
    // What is marked as selected counts only until somebody has chosen: after that, no undo would show.
    use_effect({
        let (node, value) = (node.clone(), shown.value.clone());
        move || {
            if let Some(select) = node.cast::<HtmlSelectElement>() {
                select.set_value(&value);
            }
        }
    });
    let onchange = shown.onchange;
    let options = props.options.iter().map(|(value, name)| html! { <option {value}>{name}</option> });
    // Beside its label a long name would be cut.
    let is_wide = props.options.iter().any(|(_, name)| name.chars().count() > BESIDE);
    html! {
        <div class={classes!("row", is_wide.then_some("row--wide"))} data-tip={&props.hint}>
            <label for={id.clone()}>{&props.label}</label>
            <select ref={node} {id} {onchange} aria-invalid={shown.invalid} aria-describedby={shown.why}>{ for options }</select>
            { shown.line }
        </div>
    }
}

/// The id of the control with this label.
pub(crate) fn id_of(label: &str) -> String {
    let word = label.to_ascii_lowercase().replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
    format!("field-{word}")
}
