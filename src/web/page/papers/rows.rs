//! Every statement of the papers: a list with a search and a filter by status.

use yew::platform::spawn_local;
use yew::prelude::*;

use super::{experiment_link, item_link, open_label};
use crate::papers::{Row, RowStatus, RowTarget, parse_rows};
use crate::report::paper_rows::counts;
use crate::web::app_context::AppContext;
use crate::web::dom;
use crate::web::page::dialogs::search;

/// Row with the target of its command, which is parsed once.
struct Statement {
    row: Row,
    target: Option<RowTarget>,
}

impl From<Row> for Statement {
    fn from(row: Row) -> Self {
        Self { target: row.target(), row }
    }
}

/// Loading state of the rows.
enum RowsState {
    Loading,
    Loaded(Vec<Statement>),
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
                let rows = bytes.and_then(|bytes| parse_rows(std::str::from_utf8(&bytes).ok()?));
                let statements = rows.map(|rows| rows.into_iter().map(Statement::from).collect());
                found.set(statements.map_or(RowsState::Unavailable, RowsState::Loaded));
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
            let is_shown = |Statement { row, .. }: &&Statement| {
                status.is_none_or(|status| row.status == status) && row.matches(wanted.split_whitespace())
            };
            let shown: Vec<_> = rows.iter().filter(is_shown).collect();
            html! {
                <>
                    <p class="hint" role="status">{counts(shown.iter().map(|statement| &statement.row))}</p>
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

/// Renders statements as a list for each paper.
fn lists(context: &AppContext, statements: &[&Statement]) -> Html {
    let paper_id = |statement: &Statement| statement.row.paper().map(|paper| paper.id);
    let list = |statements: &[&Statement]| {
        html! {
            <section class="statements">
                if let Some(paper) = statements.first().and_then(|first| first.row.paper()) {
                    <h3>{paper.title}</h3>
                    <p class="hint">{paper.authors}</p>
                }
                <ol>{ for statements.iter().map(|statement| entry(context, statement)) }</ol>
            </section>
        }
    };
    html! { { for statements.chunk_by(|one, other| paper_id(one) == paper_id(other)).map(list) } }
}

/// Renders a statement: where it is in the paper, its text, and what shows it.
fn entry(context: &AppContext, Statement { row, target }: &Statement) -> Html {
    html! {
        <li key={row.id.clone()}>
            <p class="statement__place"><b>{row.id.clone()}</b>{" "}{row.place.clone()}</p>
            <div>
                <p>{row.statement.clone()}</p>
                if !row.note.is_empty() { <p class="hint">{row.note.clone()}</p> }
            </div>
            <p class="statement__shown">
                <span title={row.status.meaning()}>{row.status.id()}</span>
                { link(context, target.as_ref()) }
            </p>
        </li>
    }
}

/// Renders the link to the item or the experiment that shows a row.
fn link(context: &AppContext, target: Option<&RowTarget>) -> Html {
    match target {
        Some(RowTarget::Item(item)) => item_link(context, item, item.id),
        Some(RowTarget::Experiment(experiment)) => {
            experiment_link(context, (**experiment).clone(), open_label(experiment))
        }
        None => Html::default(),
    }
}
