//! Cells of an item as a table in the layout of the paper, each computed value beside the printed
//! one, with its remarks as footnotes.

use yew::prelude::*;

use crate::papers::{PaperValue, Verdict};
use crate::report::wording::numbers::grouped;
use crate::web::stage::formula::typeset;

/// Renders the cells as a table with the rows and columns of the paper.
pub(super) fn grid(title: &str, cells: &[PaperValue]) -> Html {
    let mut columns: Vec<&str> = Vec::new();
    let mut rows: Vec<&str> = Vec::new();
    for cell in cells {
        if !columns.contains(&&*cell.column) {
            columns.push(&cell.column);
        }
        if !rows.contains(&&*cell.row) {
            rows.push(&cell.row);
        }
    }
    // Each remark is a footnote, numbered in the order of the cells.
    let mut remarks: Vec<&str> = Vec::new();
    for cell in cells {
        if !cell.remark.is_empty() && !remarks.contains(&&*cell.remark) {
            remarks.push(&cell.remark);
        }
    }
    let at = |row: &str, column: &str| cells.iter().find(|cell| cell.row == row && cell.column == column);
    let body = rows.iter().map(|row| {
        let cells = columns
            .iter()
            .map(|column| html! { <td>{ for at(row, column).map(|cell| value_cell(cell, &remarks)) }</td> });
        html! { <tr><th scope="row">{row}</th>{ for cells }</tr> }
    });
    html! {
        <div class="paper__table">
            <div class="scroll" tabindex="0" role="group" aria-label={title.to_owned()}>
                <table class="paper">
                    <thead><tr><td></td>{ for columns.iter().map(|column| html! { <th scope="col">{ typeset(&with_formulas(column)) }</th> }) }</tr></thead>
                    <tbody>{ for body }</tbody>
                </table>
            </div>
            if !remarks.is_empty() {
                <ol class="footnotes" aria-label="Footnotes">
                    { for remarks.iter().map(|remark| html! { <li>{ typeset(remark) }</li> }) }
                </ol>
            }
        </div>
    }
}

/// Returns a heading with its symbols as formulas: the words with indices or exponents.
fn with_formulas(heading: &str) -> String {
    let word = |word: &str| if word.contains(['^', '_']) { format!("`{word}`") } else { word.to_owned() };
    // A heading of a single formula stays text: screen readers do not read formulas as headings.
    if !heading.contains(' ') {
        return heading.to_owned();
    }
    heading.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Renders a cell: the computed value, the printed one, the mark of the verdict, and the numbers of
/// its footnotes.
fn value_cell(cell: &PaperValue, remarks: &[&str]) -> Html {
    // Show as many decimals as the paper; claims without a printed number get two.
    let digits = match (cell.printed.split_once('.'), cell.printed.is_empty()) {
        (Some((_, decimals)), _) => decimals.len(),
        (None, true) if cell.is_exact() => 0,
        (None, true) => 2,
        (None, false) => 0,
    };
    let measured = cell.measured.map_or("–".to_owned(), |measured| grouped(measured, digits));
    let interval = match cell.ci95 {
        _ if cell.is_exact() => Some("exact".to_owned()),
        ends => ends.map(|[low, high]| format!("95% interval: {} to {}", grouped(low, digits), grouped(high, digits))),
    };
    let tip = [Some(cell.verdict.id().to_owned()), interval];
    let tip: Vec<_> = tip.into_iter().flatten().collect();
    let footnote = remarks.iter().position(|remark| *remark == cell.remark).map(|place| place + 1);
    html! {
        <span class={classes!("verdict", class(cell.verdict))} data-tip={tip.join("\n")}>
            <b>{measured}</b>
            <small>{&cell.printed}</small>
            <i role="img" aria-label={cell.verdict.id()}>{mark(cell.verdict)}</i>
            if let Some(number) = footnote { <sup><span class="hidden">{"footnote "}</span>{number}</sup> }
        </span>
    }
}

/// Returns the class of the elements that show a verdict.
pub(super) fn class(verdict: Verdict) -> String {
    format!("verdict--{}", verdict.id().replace(' ', "-"))
}

/// Returns the symbol of a verdict.
pub(super) fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "✓",
        Verdict::Close => "≈",
        Verdict::NotReproduced => "✕",
        Verdict::Undecided => "?",
        Verdict::NoNumber => "",
    }
}
