//! Rule editor: a text area with line numbers, the syntax errors, and the flaws that the search
//! finds.

use std::rc::Rc;

use web_sys::{HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

use super::counterexample::close_rules;
use super::language_reference::language;
use super::starting_rules::{self, exercise_of, open, open_first, task_text, with_rules};
use super::turn_diagram::{TurnDiagram, is_applied};
use super::verdict::Verdict;
use crate::routing::rules::{EXAMPLES, RuleError, RuleText};
use crate::web::app_context::{AppContext, short_problem};
use crate::web::dom;
use crate::web::editor_state::leading_blank;

/// Time without input after which the text is applied, in milliseconds; each application is one
/// undo step.
const APPLY_DELAY_MS: u32 = 500;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) context: AppContext,
}

/// Renders the editor of the experiment's rules.
#[component]
pub(crate) fn Editor(props: &Props) -> Html {
    let context = &props.context;
    let Some(rules) = context.experiment.rules.clone() else { return Html::default() };
    html! { <RuleTextArea context={context.clone()} text={rules.text().to_owned()} /> }
}

#[derive(Properties, PartialEq)]
struct RuleTextAreaProps {
    context: AppContext,
    /// Active rules.
    text: String,
}

#[component]
fn RuleTextArea(props: &RuleTextAreaProps) -> Html {
    let context = &props.context;
    let redraw = use_force_update();
    let fired = use_state_eq(|| None::<u32>);
    let is_pause = use_state_eq(|| true);
    let refused = use_state_eq(|| None::<(String, String)>);
    let pause = use_mut_ref(|| None);
    let field = use_node_ref();
    // A delayed application changes the experiment that is current at that time.
    let latest = use_mut_ref(|| context.clone());
    latest.borrow_mut().clone_from(context);
    let draft = context.editor.draft(&props.text);
    let understood = use_memo(draft.text.clone(), |text| RuleText::parse(text));
    let take = {
        let (latest, is_pause, refused, pause) =
            (Rc::clone(&latest), is_pause.setter(), refused.setter(), Rc::clone(&pause));
        Callback::from(move |()| {
            pause.borrow_mut().take();
            is_pause.set(true);
            let context = latest.borrow().clone();
            refused.set(apply_draft(&context));
        })
    };
    use_effect_with((), {
        let (fired, editor, field, take, pause) =
            (fired.setter(), context.editor.clone(), field.clone(), take.clone(), Rc::clone(&pause));
        let redraw = redraw.clone();
        move |()| {
            editor.set_line_listener(Callback::from(move |line| fired.set(line)));
            editor.set_stash_listener(Callback::from(move |()| redraw.force_update()));
            if editor.take_focus_request()
                && let Some(field) = field.cast::<HtmlTextAreaElement>()
            {
                // Fails only for elements that cannot have the focus.
                let _ = field.focus();
            }
            move || {
                editor.set_line_listener(Callback::noop());
                editor.set_stash_listener(Callback::noop());
                if pause.borrow().is_some() {
                    take.emit(());
                }
            }
        }
    });
    let oninput = {
        let (editor, redraw, is_pause, pause, take) =
            (context.editor.clone(), redraw.clone(), is_pause.setter(), Rc::clone(&pause), take.clone());
        Callback::from(move |event: InputEvent| {
            editor.set_text(event.target_unchecked_into::<HtmlTextAreaElement>().value());
            is_pause.set(false);
            let take = take.clone();
            *pause.borrow_mut() = Some(dom::set_timeout(APPLY_DELAY_MS, move || take.emit(())));
            redraw.force_update();
        })
    };
    let onchange = take.reform(|_: Event| ());
    let wrong = understood.as_ref().as_ref().err().filter(|_| *is_pause);
    let (lines, _) = leading_blank(&draft.text);
    let holds = understood.as_ref().as_ref().is_ok_and(|understood| understood.text() == props.text);
    let fires = fired.filter(|_| holds).map(|line| line + lines);
    let warned: Vec<u32> =
        understood.iter().flat_map(|understood| understood.warnings()).map(|one| one.line + lines).collect();
    let wrong_line = wrong.map(|wrong| wrong.line + lines);
    html! {
        <section class="rules" id="rules" aria-label="Rules">
            <div class="rules__head">
                <h2>{"Rules"}</h2>
                <button type="button" onclick={|_: MouseEvent| dom::focus_figure()}>{"To the network"}</button>
                { close(context) }
            </div>
            <StartingRules context={context.clone()} />
            { exercise(context, &draft.text) }
            <div class="rules__text">
                <div class="rules__lines" aria-hidden="true">{ numbered_lines(&draft.text, fires, wrong_line, &warned) }</div>
                <textarea ref={field.clone()} id="rules-text" aria-label="Your rules: the first rule that matches fires" spellcheck="false" autocomplete="off"
                    autocapitalize="off" wrap="soft" value={draft.text.clone()} {oninput} {onchange}
                    aria-invalid={wrong.map(|_| "true")} aria-describedby="rules-problem" />
            </div>
            { language(&context.experiment) }
            <div id="rules-problem" aria-live="polite">
                { for wrong.map(|wrong| syntax_error(wrong, &draft.text, &field)) }
                { for refused.as_ref().filter(|(of, _)| *of == draft.text).map(|(_, why)| html! { <p class="refused">{why}</p> }) }
                { for understood.iter().flat_map(|understood| understood.warnings()).map(|warning| html! {
                    <p class="hint">{format!("Line {}: {}.", warning.line + lines, warning.problem)}</p>
                }) }
            </div>
            { for draft.stashed.as_ref().map(|lost| stash_buttons(context, lost, &redraw, &take)) }
            <Verdict context={context.clone()} />
            <TurnDiagram context={context.clone()} is_settled={context.experiment.rules.as_ref().is_some_and(|rules| is_applied(&draft.text, rules))} />
        </section>
    }
}

/// Applies the text if it has no errors and differs from the active rules. Returns the text and the
/// reason if the experiment refuses it.
fn apply_draft(context: &AppContext) -> Option<(String, String)> {
    let holds = context.experiment.rules.as_ref().map(|rules| rules.text())?;
    let draft = context.editor.draft(holds).text;
    let understood = RuleText::parse(&draft).ok().filter(|understood| understood.text() != holds)?;
    match context.experiment.with_key("rules", understood.text()) {
        Ok(next) => {
            context.on_edit.emit(next);
            None
        }
        Err(error) => Some((draft, short_problem(&error))),
    }
}

/// Renders the lines behind the text, each with its number and its marks.
fn numbered_lines(text: &str, fires: Option<u32>, wrong: Option<u32>, warned: &[u32]) -> Html {
    let line = |(number, line): (u32, &str)| {
        let is = |at: Option<u32>, class: &'static str| (at == Some(number)).then_some(class);
        let idle = warned.contains(&number).then_some("idle");
        html! { <div key={number} class={classes!(is(fires, "fired"), is(wrong, "wrong"), idle)}><span>{line.to_owned()}</span></div> }
    };
    (1..).zip(text.split('\n')).map(line).collect()
}

/// Renders a syntax error with a button that goes to its position.
fn syntax_error(wrong: &RuleError, text: &str, field: &NodeRef) -> Html {
    let (lines, spaces) = leading_blank(text);
    let (line, column) = (wrong.line + lines, if wrong.line == 1 { wrong.column + spaces } else { wrong.column });
    let before: usize = text.split('\n').take(line as usize - 1).map(|line| line.encode_utf16().count() + 1).sum();
    let here = text.split('\n').nth(line as usize - 1).unwrap_or_default().chars().take(column as usize - 1);
    let at = (before + here.map(char::len_utf16).sum::<usize>()) as u32;
    let field = field.clone();
    let onclick = Callback::from(move |_: MouseEvent| {
        if let Some(field) = field.cast::<HtmlTextAreaElement>() {
            // Fails only for elements that cannot have the focus.
            let _ = field.focus();
            let _ = field.set_selection_range(at, at);
        }
    });
    html! {
        <p class="refused">
            <button type="button" {onclick} title="Go to the error">{format!("Line {line}, column {column}")}</button>
            {format!(": {}. Accepted here: {}.", wrong.problem, wrong.accepted)}
            <small>{" The last valid rules stay active."}</small>
        </p>
    }
}

/// Renders the buttons for a draft that was stashed when other rules arrived.
fn stash_buttons(context: &AppContext, lost: &str, redraw: &UseForceUpdateHandle, take: &Callback<()>) -> Html {
    let act = |brings: bool| {
        let (editor, lost, redraw, take) = (context.editor.clone(), lost.to_owned(), redraw.clone(), take.clone());
        Callback::from(move |_: MouseEvent| {
            if brings {
                editor.set_text(lost.clone());
            }
            editor.drop_stash();
            redraw.force_update();
            take.emit(());
        })
    };
    html! {
        <p class="hint">
            {"Your previous text is saved. "}
            <button type="button" onclick={act(true)}>{"Restore text"}</button>{" "}
            <button type="button" onclick={act(false)}>{"Discard text"}</button>
        </p>
    }
}

/// Renders the button that removes the rules; undo restores them.
fn close(context: &AppContext) -> Html {
    let context = context.clone();
    let onclick = Callback::from(move |_: MouseEvent| close_rules(&context));
    html! { <button type="button" {onclick} title="Remove these rules; Undo restores them">{"Close"}</button> }
}

/// Renders the task of an exercise, with a button that shows its solution.
fn exercise(context: &AppContext, text: &str) -> Html {
    let Some(exercise) = exercise_of(text) else { return Html::default() };
    let is_cure = text.trim() == exercise.corrected.trim();
    let (name, other) =
        if is_cure { ("Show the flaw", exercise.flawed) } else { ("Show the solution", exercise.corrected) };
    let onclick = {
        let context = context.clone();
        Callback::from(move |_: MouseEvent| match with_rules(&context.experiment, other) {
            Ok(next) => context.on_edit.emit(next),
            Err(problem) => context.on_refuse.emit(problem),
        })
    };
    html! {
        <p class="task"><b>{if is_cure { "Solution. " } else { "Exercise. " }}</b>{task_text(text)}{" "}<button type="button" {onclick}>{name}</button></p>
    }
}

#[derive(Properties, PartialEq)]
struct StartingRulesProps {
    context: AppContext,
}

/// Renders the choice of rules to start from.
#[component]
fn StartingRules(props: &StartingRulesProps) -> Html {
    let choice = use_node_ref();
    let onclick = {
        let (context, choice) = (props.context.clone(), choice.clone());
        Callback::from(move |_: MouseEvent| {
            let Some(chosen) = choice.cast::<HtmlSelectElement>().map(|choice| choice.value()) else { return };
            match EXAMPLES.iter().find(|example| example.name == chosen) {
                Some(example) => open(&context, example.text),
                None => open_first(&context),
            }
        })
    };
    let examples =
        EXAMPLES.iter().map(|one| html! { <option value={one.name}>{format!("{}: {}", one.name, one.about)}</option> });
    let exercises = starting_rules::exercises(&props.context, &Callback::noop(), true);
    html! {
        <div class="rules__start">
            <label for="rules-start">{"Start from"}</label>
            <select ref={choice} id="rules-start">
                <option value="first" selected={true}>{"one line"}</option>
                <optgroup label="Published algorithms">{ for examples }</optgroup>
            </select>
            <button type="button" {onclick} title="Replace the current text (it will be saved)">{"Open"}</button>
            <p class="hint">{"Exercises, each with a flaw to find: "}{ exercises }</p>
        </div>
    }
}
