//! Diagram of the eight turns of a two-dimensional mesh. A click prohibits or permits a turn.

use yew::prelude::*;

use crate::routing::rules::RuleText;
use crate::theory::{TURNS, Turn, toggle_turn, turns};
use crate::topology::Port;
use crate::web::app_context::{AppContext, short_problem};
use crate::web::editor_state::leading_blank;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) context: AppContext,
    /// True if the draft in the editor is the active text.
    pub(crate) is_settled: bool,
}

/// Renders the diagram, if the experiment has rules for a two-dimensional mesh.
#[component]
pub(crate) fn TurnDiagram(props: &Props) -> Html {
    let context = &props.context;
    let said = use_state_eq(|| None::<(String, String)>);
    let rules = context.experiment.rules.clone();
    let is_here = context.experiment.mesh().is_some_and(|mesh| mesh.is_plane() && !mesh.is_torus() && !mesh.is_cube());
    let text = rules.as_ref().filter(|_| is_here).map(|rules| rules.text().to_owned());
    let chosen = rules.as_ref().and_then(|rules| {
        let mut own = context.experiment.routing.iter().filter(|one| rules.find(&one.id).is_some());
        own.next().or(rules.routings().first()).cloned()
    });
    let made = use_memo((text, chosen.as_ref().map(|one| one.id.clone())), {
        let chosen = chosen.clone();
        move |(text, _)| turns(text.as_ref().and(chosen)?.worm.as_deref()?)
    });
    let (Some(rules), Some(chosen), Some(made)) = (rules, chosen, *made) else { return Html::default() };
    let onclick = |turn: usize| {
        let (context, rules, name, said) = (context.clone(), rules.clone(), chosen.id.to_string(), said.setter());
        let is_settled = props.is_settled;
        Callback::from(move |_: MouseEvent| {
            let next = match is_settled {
                true => toggle_turn(&rules, &name, turn).map_err(|problem| problem.to_string()),
                false => Err("Fix the rules first: the text has errors, so an earlier version is active.".into()),
            };
            let next = next
                .and_then(|text| context.experiment.with_key("rules", &text).map_err(|error| short_problem(&error)));
            said.set(next.as_ref().err().map(|why| (rules.text().to_owned(), why.clone())));
            if let Ok(next) = next {
                context.on_edit.emit(next);
            }
        })
    };
    let button = |turn: usize| {
        let (Some(&(before, after)), Some(&is_made)) = (TURNS.get(turn), made.get(turn)) else {
            return Html::default();
        };
        let state = if is_made { "permitted" } else { "prohibited" };
        let label = format!("turn from {} to {}: {state}", before.name(), after.name());
        html! {
            <button type="button" class={format!("turn turn--{state}")} onclick={onclick(turn)} aria-label={label.clone()} title={label}>
                { picture((before, after)) }
            </button>
        }
    };
    // The corners of each cycle of turns, from top left to bottom right.
    let circle = |corners: [usize; 4]| html! { <div class="turns__circle">{ for corners.map(button) }</div> };
    // A message about other rules is obsolete.
    let why = (*said).clone().filter(|(of, _)| of == rules.text()).map(|(_, why)| why);
    html! {
        <div class="turns" role="group" aria-label="Turns">
            <h3>{"Turns without faults"}</h3>
            <div class="turns__circles">{ circle([0, 1, 3, 2]) }{ circle([6, 5, 7, 4]) }</div>
            <p class="hint">{"Dashed turns are prohibited: without faults, no message makes them. Press a turn to prohibit or permit \
                              it by a rule."}</p>
            <p class="hint" role="status">{ for why }</p>
        </div>
    }
}

/// Renders a turn as an arrow around its corner.
fn picture((before, after): Turn) -> Html {
    const MIDDLE: i32 = 20;
    let step = |port: Port| {
        let sign = if port.grows() { 1 } else { -1 };
        if port.dim() == 0 { (sign, 0) } else { (0, sign) }
    };
    let ((ax, ay), (bx, by)) = (step(before), step(after));
    let (x, y) = (MIDDLE + (ax - bx) * 7, MIDDLE + (ay - by) * 7);
    let ((sx, sy), (ex, ey)) = ((x - ax * 22, y - ay * 22), (x + bx * 22, y + by * 22));
    let wing = |side: i32| format!("{} {}", ex - bx * 6 + ax * side * 4, ey - by * 6 + ay * side * 4);
    html! {
        <svg viewBox="0 0 40 40" width="40" height="40" aria-hidden="true">
            <path d={format!("M{sx} {sy}L{x} {y}L{ex} {ey}")} /><path class="arrow-head" d={format!("M{}L{ex} {ey}L{}", wing(1), wing(-1))} />
        </svg>
    }
}

/// Returns whether a draft without errors is the active text.
pub(super) fn is_applied(draft: &str, rules: &RuleText) -> bool {
    let (lines, _) = leading_blank(draft);
    draft.lines().skip(lines as usize).map(str::trim).eq(rules.text().lines().map(str::trim))
        || draft.trim() == rules.text()
}
