//! Saturation of the algorithms, below the numbers of Measure.

use yew::prelude::*;

use crate::experiment::Sweep;
use crate::experiment::saturation::saturations;
use crate::report::sweep_charts::saturation::{HEADINGS, SaturationCell, TITLE, cells, definition, saturation_bound};

/// Maximum number of nodes of networks whose bounds are shown, because every rendering of the table
/// computes them.
const MAX_BOUND_NODES: u64 = 64;

/// Renders the table of saturation, a column for each algorithm; nothing if the sweep does not vary
/// the offered traffic.
pub(super) fn saturation_table(sweep: &Sweep) -> Html {
    let found = saturations(sweep);
    if found.is_empty() {
        return html! {};
    }
    let columns: Vec<_> = found
        .iter()
        .map(|saturation| {
            let bound = saturation_bound(sweep.experiment(), &saturation.algorithm, MAX_BOUND_NODES);
            cells(saturation, bound)
        })
        .collect();
    let head = found.iter().map(|saturation| html! { <th scope="col">{&*saturation.algorithm.name}</th> });
    let row = |(number, heading): (usize, &&'static str)| {
        let cells = columns.iter().map(|column| {
            let SaturationCell { value, detail } = &column[number];
            html! { <td>{value}<small>{detail}</small></td> }
        });
        html! { <tr><th scope="row">{*heading}</th>{ for cells }</tr> }
    };
    html! {
        <section>
            <h3>{TITLE}</h3>
            <div class="scroll" tabindex="0" role="group" aria-label="Saturation">
                <table id="saturation">
                    <thead><tr><td></td>{ for head }</tr></thead>
                    <tbody>{ for HEADINGS.iter().enumerate().map(row) }</tbody>
                </table>
            </div>
            <p class="hint">{definition()}</p>
        </section>
    }
}
