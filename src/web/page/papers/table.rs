//! Cells of an item as a table in the layout of the paper, each computed value beside the printed
//! one.

use yew::prelude::*;

use crate::papers::{PaperValue, Verdict};

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
    let at = |row: &str, column: &str| cells.iter().find(|cell| cell.row == row && cell.column == column);
    let body = rows.iter().map(|row| {
        let cells = columns.iter().map(|column| html! { <td>{ for at(row, column).map(value_cell) }</td> });
        html! { <tr><th scope="row">{row}</th>{ for cells }</tr> }
    });
    html! {
        <div class="scroll" tabindex="0" role="group" aria-label={title.to_owned()}>
            <table class="paper">
                <thead><tr><td></td>{ for columns.iter().map(|column| html! { <th scope="col">{column}</th> }) }</tr></thead>
                <tbody>{ for body }</tbody>
            </table>
        </div>
    }
}

fn value_cell(cell: &PaperValue) -> Html {
    // Show as many decimals as the paper; claims without a printed number get two.
    let digits = match (cell.printed.split_once('.'), cell.printed.is_empty()) {
        (Some((_, decimals)), _) => decimals.len(),
        (None, true) if cell.is_exact() => 0,
        (None, true) => 2,
        (None, false) => 0,
    };
    let measured = cell.measured.map_or("–".to_owned(), |measured| format!("{measured:.digits$}"));
    let interval = match cell.ci95 {
        _ if cell.is_exact() => Some("exact".to_owned()),
        ends => ends.map(|[low, high]| format!("{low:.digits$} to {high:.digits$}")),
    };
    let title = [Some(cell.verdict.id().to_owned()), interval, Some(cell.remark.clone())];
    let title: Vec<_> = title.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let kind = cell.verdict.id().replace(' ', "-");
    html! {
        <span class={format!("verdict verdict--{kind}")} title={title.join("; ")}>
            <b>{measured}</b>
            <small>{&cell.printed}</small>
            <i role="img" aria-label={cell.verdict.id()}>{mark(cell.verdict)}</i>
            if !cell.remark.is_empty() { <sup title={cell.remark.clone()}>{"†"}</sup> }
        </span>
    }
}

/// Returns the symbol of a verdict.
pub(super) fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "✓",
        Verdict::Close => "≈",
        Verdict::NotReproduced => "✗",
        Verdict::NoNumber | Verdict::Undecided => "",
    }
}
