//! Every statement of the papers: a list with a search and a filter by status.

use yew::platform::spawn_local;
use yew::prelude::*;

use super::{experiment_link, item_link, open_label};
use crate::papers::{Row, RowStatus, RowTarget, parse_rows};
use crate::report::paper_rows::counts;
use crate::web::app_context::AppContext;
use crate::web::dom;
use crate::web::page::dialogs::search;

/// Loading state of the rows.
#[derive(Clone, PartialEq)]
enum RowsState {
    Loading,
    Loaded(Vec<Row>),
    /// The file cannot be loaded or parsed.
    Unavailable,
}

/// Loads the rows. The page contains their address.
#[hook]
fn use_rows() -> UseStateHandle<RowsState> {
    let state = use_state(|| RowsState::Loading);
    use_effect_with((), {
        let found = state.setter();
        move |()| {
            spawn_local(async move {
                let bytes = dom::bytes_at(&dom::program_files().rows).await;
                let rows = bytes.and_then(|bytes| parse_rows(&bytes));
                found.set(rows.map_or(RowsState::Unavailable, RowsState::Loaded));
            });
        }
    });
    state
}

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) context: AppContext,
}

/// Renders the list of all rows that match the search and have the chosen status.
#[component]
pub(super) fn Statements(props: &Props) -> Html {
    let state = use_rows();
    let wanted = use_state(String::new);
    let status = use_state_eq(|| None::<RowStatus>);
    let body = match &*state {
        RowsState::Loading => html! { <p class="hint" role="status">{"Loading the statements …"}</p> },
        RowsState::Unavailable => html! {
            <p class="hint" role="status">{"The statements cannot be loaded. On the command line, faultlab papers rows lists them."}</p>
        },
        RowsState::Loaded(rows) => {
            let is_shown =
                |row: &&Row| status.is_none_or(|status| row.status == status) && row.matches(wanted.split_whitespace());
            let shown: Vec<_> = rows.iter().filter(is_shown).collect();
            html! {
                <>
                    <p class="hint" role="status">{counts(shown.iter().copied())}</p>
                    if shown.is_empty() { <p class="hint">{"No statement matches the search."}</p> } else { { lists(&props.context, &shown) } }
                </>
            }
        }
    };
    html! {
        <>
            <div class="caption" id="rows">
                <h2 tabindex="-1">{"Every statement of the papers"}</h2>
                <p>{"Systems, theorems, tables, figures, remarks and open questions, with what Faultlab does about each. \
                     Search for words, a paper such as thesis, or a number such as T13."}</p>
            </div>
            { search(&wanted) }
            <div class="choices choices--short" role="group" aria-label="Status">
                { choice(&status, None, "all", "all statements") }
                { for RowStatus::ALL.map(|one| choice(&status, Some(one), one.id(), one.meaning())) }
            </div>
            // The lists have an element of their own, so that the search field keeps its identity and
            // focus while results change.
            <div>{body}</div>
        </>
    }
}

/// Renders the button of a status.
fn choice(
    chosen: &UseStateHandle<Option<RowStatus>>,
    status: Option<RowStatus>,
    name: &'static str,
    meaning: &'static str,
) -> Html {
    let pressed = (**chosen == status).to_string();
    let chosen = chosen.clone();
    let onclick = Callback::from(move |_: MouseEvent| chosen.set(status));
    html! { <button type="button" {onclick} aria-pressed={pressed} title={meaning}>{name}</button> }
}

/// Renders rows as a list for each paper.
fn lists(context: &AppContext, rows: &[&Row]) -> Html {
    let of_same_paper =
        |one: &&Row, other: &&Row| one.paper().map(|paper| paper.id) == other.paper().map(|paper| paper.id);
    let list = |rows: &[&Row]| {
        let paper = rows[0].paper();
        html! {
            <section class="statements">
                if let Some(paper) = paper { <h3>{paper.title}</h3><p class="hint">{paper.authors}</p> }
                <ol>{ for rows.iter().map(|row| statement(context, row)) }</ol>
            </section>
        }
    };
    html! { { for rows.chunk_by(of_same_paper).map(list) } }
}

/// Renders a row: where the statement is in the paper, the statement, and what shows it.
fn statement(context: &AppContext, row: &Row) -> Html {
    html! {
        <li key={row.id.clone()}>
            <p class="statement__place"><b>{row.id.clone()}</b>{" "}{row.place.clone()}</p>
            <div>
                <p>{row.statement.clone()}</p>
                if !row.note.is_empty() { <p class="hint">{row.note.clone()}</p> }
            </div>
            <p class="statement__shown"><span title={row.status.meaning()}>{row.status.id()}</span>{ link(context, row) }</p>
        </li>
    }
}

/// Renders the link to the item or the experiment that shows a row.
fn link(context: &AppContext, row: &Row) -> Html {
    match row.target() {
        Some(RowTarget::Item(item)) => item_link(context, item, item.id),
        Some(RowTarget::Experiment(experiment)) => {
            let label = open_label(&experiment);
            experiment_link(context, *experiment, label)
        }
        None => Html::default(),
    }
}
