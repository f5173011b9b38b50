//! Parts that all views share: the choice of the explained algorithm, counts, the outcome, and
//! export of pictures.

use std::rc::Rc;

use yew::prelude::*;

use super::entity_links::EntityLinks;
use super::files::{CopyPicture, export, group, png, save_png, save_still, save_svg};
use super::kind_view::{KindView, ViewContext};
use super::legend::unbroken_words;
use super::player::{Player, SharedWatch};
use super::plot::Plot;
use crate::report::files::file_name;
use crate::report::picture::scene::Scene;
use crate::report::watch::{LinkUse, Rows, Watch};
use crate::report::wording::glossary::TERMS;
use crate::web::dom;
use crate::web::player_controls::PlayerControls as _;

/// Maximum number of algorithms with a picture of their own.
pub(crate) const MAX_PANELS: usize = 4;

/// Renders the choice of the explained algorithm.
pub(crate) fn algorithm_tabs(side: &Rc<dyn KindView>, around: &ViewContext, names: &[String], index: usize) -> Html {
    if names.len() < 2 {
        return html! {};
    }
    let item = |(place, name): (usize, &String)| {
        let onclick =
            around.onclick(move |stage| stage.set(|shown| (shown.explained, shown.followed) = (Some(place), None)));
        html! {
            <button type="button" {onclick} aria-pressed={(place == index).to_string()}>
                <i class={format!("swatch swatch--{}", place % 7)}></i><span>{name.clone()}</span>
                { for side.short_state(place).map(|said| html! { <small>{said}</small> }) }
            </button>
        }
    };
    let label = side.labels().series;
    html! { <div class="series" role="group" aria-label={label}>{ for names.iter().enumerate().map(item) }</div> }
}

/// Renders the counts of the algorithms side by side.
pub(crate) fn counts(title: &'static str, names: &[String], rows: Rows) -> Html {
    let head = |(place, name): (usize, &String)| {
        html! { <th scope="col"><i class={format!("swatch swatch--{}", place % 7)}></i>{ unbroken_words(name) }</th> }
    };
    let row = |(name, values): (&'static str, Vec<String>)| {
        // The rows of lost and discarded messages have only the adjective as their name.
        let term = TERMS.iter().find(|term| term.name.strip_suffix(" message") == Some(&*name.to_lowercase()));
        let said = match term {
            Some(term) => html! { <dfn tabindex="0" data-word={term.name}>{name}</dfn> },
            None => html! { {name} },
        };
        html! { <tr><th scope="row">{said}</th>{ for values.into_iter().map(|value| html! { <td>{value}</td> }) }</tr> }
    };
    html! {
        <section>
            <h3>{title}</h3>
            <div class="scroll" tabindex="0" role="group" aria-label={title}><table id="counts">
                <thead><tr><td></td>{ for names.iter().enumerate().map(head) }</tr></thead>
                <tbody>{ for rows.into_iter().map(row) }</tbody>
            </table></div>
        </section>
    }
}

/// Renders the use of the link that was in focus last: who holds it, and its utilization over time.
pub(crate) fn link_section(around: &ViewContext, play: &dyn Watch) -> Html {
    let inspected = around.tick.shown.inspected;
    let found = inspected.and_then(|(panel, place)| Some((panel, play.link_use(panel, place)?)));
    let Some((panel, LinkUse { name, uses, figure })) = found else {
        return html! {
            <section id="link"><h3>{"Link"}</h3><p class="hint">{"Point at a link to see which messages use it."}</p></section>
        };
    };
    let algorithm = play.names().into_iter().nth(panel).filter(|_| play.panels() > 1);
    let under = algorithm.map(|name| format!(" under {name}")).unwrap_or_default();
    let mut located = EntityLinks::new(around, panel);
    let uses: Html = uses.iter().map(|said| html! { <p>{located.say(said)}</p> }).collect();
    html! {
        <section id="link">
            <h3>{name}{under}</h3>
            {uses}
            { for figure.map(|figure| html! {
                <Plot id="link-utilization" figure={Some(Rc::new(figure))} layout_version={around.context.layout_version}
                    says="Utilization of the link over the time simulated so far; the current values are listed above" />
            }) }
        </section>
    }
}

/// Renders the button that saves the hops of the followed message as CSV.
pub(crate) fn trace_button(around: &ViewContext) -> Html {
    let (stage, watch) = (Rc::clone(&around.stage), Rc::clone(&around.watch));
    let onclick = Callback::from(move |_: MouseEvent| {
        let watch = watch.borrow();
        if let Some(csv) = watch.followed_csv(&stage.view_state()) {
            let name = file_name::stem(watch.experiment(), "message") + ".csv";
            dom::download(&name, "text/csv", &csv);
        }
    });
    html! {
        <button type="button" class="trace" {onclick} title="Save the hops of this message, with their reasons">{"Hops as CSV"}</button>
    }
}

/// Renders the counts of the algorithm at `index`.
pub(crate) fn fact_list(rows: Rows, index: usize) -> Html {
    let fact = |(name, values): (&'static str, Vec<String>)| {
        html! { <div><dt>{name}</dt><dd>{values.into_iter().nth(index)}</dd></div> }
    };
    html! { <dl class="facts">{ for rows.into_iter().map(fact) }</dl> }
}

/// Renders the future outcome, with a button that goes to its time.
pub(crate) fn future_outcome(around: &ViewContext, said: String, go: &'static str, time: f64) -> Html {
    let onclick = around.onclick(move |stage| stage.seek(time));
    html! {
        <p class="hint">{"Ahead: "}{said}{" "}<button type="button" class="chip chip--plain" {onclick}>{go}</button></p>
    }
}

/// Renders the outcome.
pub(crate) fn outcome(said: Html) -> Html {
    html! { <p id="ending" class="ending" role="status">{said}</p> }
}

/// Renders the number of a list entry, in the colour of a detour or of the algorithm.
pub(crate) fn badge(index: usize, is_detour: bool, number: impl ToString) -> Html {
    let kind = if is_detour { "detour".to_owned() } else { (index % 7).to_string() };
    html! { <i class={format!("badge badge--{kind}")}>{number.to_string()}</i> }
}

/// Renders the export buttons of the pictures, as files whose names end in `name`.svg and `name`.png,
/// as the still of an embedded figure, and to the clipboard.
pub(crate) fn pictures(stage: &Rc<Player>, watch: &SharedWatch, name: &'static str) -> Html {
    let picture = |label: &'static str, save: fn(&str, &Scene, &str)| {
        let (stage, watch) = (Rc::clone(stage), Rc::clone(watch));
        export(label, move || {
            if let Some(scene) = stage.scene() {
                let watch = watch.borrow();
                save(&file_name::stem(watch.experiment(), name), &scene, &watch.notes());
            }
        })
    };
    let copy = {
        let (stage, watch) = (Rc::clone(stage), Rc::clone(watch));
        Callback::from(move |()| png(&stage.scene()?, &watch.borrow().notes()))
    };
    let buttons = html! {
        <>
            { picture("SVG", save_svg) }{ picture("PNG", save_png) }{ picture("Still", save_still) }
            <CopyPicture png={copy} />
        </>
    };
    group("Picture", buttons)
}
