//! Native form controls, each with its label and, below it, the reason why its value was refused.

use wasm_bindgen::JsCast as _;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Callback that takes the value of a field; the error is one line with the reason why the value is
/// refused.
pub(crate) type Commit = Callback<String, Result<(), String>>;

/// Refused input of a field, and the reason.
#[derive(Clone, PartialEq)]
struct RefusedInput {
    input: AttrValue,
    problem: AttrValue,
    value: AttrValue,
    /// Id of the line with the reason, which is derived from the id of the field.
    problem_id: String,
}

/// State of a field: its current value, or the refused input until the value changes.
struct FieldState {
    value: AttrValue,
    /// Values of the attributes `aria-invalid` and `aria-describedby`.
    invalid: Option<&'static str>,
    why: Option<String>,
    /// Line below the field.
    line: Html,
    /// Handler for a completed input.
    onchange: Callback<Event>,
}

/// Returns the state of the field called `id` whose value is `value`.
#[hook]
fn use_shown(id: &str, value: &AttrValue, commit: &Commit) -> FieldState {
    let refused = use_state_eq(|| None::<RefusedInput>);
    let line = format!("{id}-refused");
    let now = (*refused).clone().filter(|refused| refused.value == *value && refused.problem_id == line);
    let onchange = {
        let (commit, value) = (commit.clone(), value.clone());
        Callback::from(move |event: Event| {
            // Text fields, text areas and selects all have a `value`.
            let field: HtmlInputElement = event.target_unchecked_into();
            let written = field.value();
            // An accepted value may be written in another form: the field then shows the canonical
            // one.
            field.set_value(&value);
            let problem = commit.emit(written.trim().to_owned()).err();
            if problem.is_some() {
                field.set_value(&written);
            }
            refused.set(problem.map(|problem| RefusedInput {
                input: written.into(),
                problem: problem.into(),
                value: value.clone(),
                problem_id: line.clone(),
            }));
        })
    };
    match now {
        None => FieldState { value: value.clone(), invalid: None, why: None, line: Html::default(), onchange },
        Some(RefusedInput { input: written, problem, problem_id: line, .. }) => FieldState {
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
    /// Label, from which the id of the control is derived.
    pub(crate) label: AttrValue,
    /// Current value.
    pub(crate) value: AttrValue,
    /// Callback for the input, after Enter or when the field loses the focus.
    pub(crate) commit: Commit,
    /// Help text with the accepted values.
    #[prop_or_default]
    pub(crate) hint: AttrValue,
    /// Input mode for the keyboard of a phone.
    #[prop_or(AttrValue::Static("text"))]
    pub(crate) mode: AttrValue,
    /// True for a text area, which has a title of its own above it.
    #[prop_or_default]
    pub(crate) is_long: bool,
}

/// Renders a text field or a text area.
#[component]
pub(crate) fn TextField(props: &TextProps) -> Html {
    let id = field_id(&props.label);
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
    /// Value in words, with its unit.
    pub(crate) words: AttrValue,
    /// Callback for the value when the slider is released.
    pub(crate) commit: Callback<f64>,
}

/// Renders a slider that shows its value.
#[component]
pub(crate) fn RangeField(props: &RangeProps) -> Html {
    let id = field_id(&props.label);
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
    /// Values and their names.
    pub(crate) options: Vec<(AttrValue, AttrValue)>,
    pub(crate) value: AttrValue,
    pub(crate) commit: Commit,
    /// Help text on the choice.
    #[prop_or_default]
    pub(crate) hint: AttrValue,
}

/// Length of the longest name that fits beside a label, in characters.
const MAX_NAME_BESIDE_LABEL: usize = 11;

/// Renders a select element.
#[component]
pub(crate) fn ChoiceField(props: &ChoiceProps) -> Html {
    let id = field_id(&props.label);
    let shown = use_shown(&id, &props.value, &props.commit);
    let node = use_node_ref();
    // The `selected` attribute has no effect after a user's choice, so undo would not be visible.
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
    // A long name would be truncated beside its label.
    let is_wide = props.options.iter().any(|(_, name)| name.chars().count() > MAX_NAME_BESIDE_LABEL);
    html! {
        <div class={classes!("row", is_wide.then_some("row--wide"))} data-tip={&props.hint}>
            <label for={id.clone()}>{&props.label}</label>
            <select ref={node} {id} {onchange} aria-invalid={shown.invalid} aria-describedby={shown.why}>{ for options }</select>
            { shown.line }
        </div>
    }
}

/// Returns the id of the control with this label.
pub(crate) fn field_id(label: &str) -> String {
    let word = label.to_ascii_lowercase().replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
    format!("field-{word}")
}
