//! Tests of Papers: precomputed answers with verdicts first, computation on demand, and operation
//! without the answers file.

use std::time::Duration;

use fantoccini::key::Key;
use serde_json::json;

use crate::browser::{Page, faultlab};
use crate::measure::{RECORD_FILES, exported};

/// Script that counts the measured cells of Table 4.
const CELLS: &str = "return [...document.querySelectorAll('#table4 td .verdict b')].filter(b => /^[0-9.]+$/.test(b.textContent)).length";

#[tokio::test]
async fn shows_precomputed_verdicts_and_errata() {
    let page = Page::open("v=2&view=papers").await;
    page.until_text("#verdicts h2", "published numbers and claims are reproduced").await;
    page.until_text("#verdicts p", "Precomputed by Faultlab").await;
    page.until_text(".verdicts", "not reproduced").await;
    page.wait_until("nothing has to be computed for it", &format!("{CELLS} === 72")).await;
    page.until_text(".paper-key", "printed in the paper").await;
    // A verdict links to its item, and the address names the item.
    page.run("[...document.querySelectorAll('.verdicts a')].find(a => a.textContent.startsWith('Table 3')).click()")
        .await;
    page.wait_until("its heading has the focus", "return document.activeElement.matches('#table3 h3')").await;
    page.until_link("v=2&view=papers&paper=table3").await;
    page.wait_until(
        "it is in sight",
        "return document.getElementById('table3').getBoundingClientRect().top < innerHeight",
    )
    .await;
    let legend = "return document.querySelector('#table4-chart-0-legend svg').getBoundingClientRect().width";
    assert_eq!(page.run(legend).await, json!(28), "the legend has its swatches");
    page.visit("v=2&view=papers&paper=thesis-lemma2").await;
    page.wait_until("the item has the focus", "return document.activeElement.matches('#thesis-lemma2 h3')").await;
    // The paper's errata are listed one by one, as on the command line.
    page.click_labelled("Randomized Routing on Fat-Trees").await;
    page.until_text(".verdicts", "The choice of").await;
    assert!(faultlab(&["papers", "errata"]).contains("The choice of q fails for r < 8.31"));
    page.wait_until("formulas are set", "return document.querySelectorAll('.papers math msup').length > 2").await;
    page.assert_no_log();
}

#[tokio::test]
async fn computed_item_agrees_with_answers() {
    let page = Page::blank().await;
    page.before_load(RECORD_FILES);
    page.visit("v=2&view=papers").await;
    page.until_text("#table4 .source", "Precomputed").await;
    let beforehand = exported(&page, "JSON", "fig1.json").await;
    assert_eq!(beforehand.trim_end(), faultlab(&["papers", "fig1", "--json"]).trim_end());
    page.click("#table4 .actions button").await;
    page.until_in(
        Duration::from_secs(60),
        "Table 4 is computed",
        "return /^[0-9.]+ s$/.test(document.querySelector('#table4 output').textContent)",
    )
    .await;
    assert_eq!(page.run(CELLS).await, json!(72));
    page.until_text("#table4 .source", "Computed here. The values are bit-identical to the precomputed ones.").await;
    // Items without a sweep are computed by a separate worker.
    page.click_labelled("A thesis on deadlock-free randomized routing in a faulty hypercube").await;
    page.click("#thesis-examples .actions button").await;
    page.until_text("#thesis-examples .source", "Computed here. The values are bit-identical to the precomputed ones.")
        .await;
    page.assert_no_log();
}

#[tokio::test]
async fn cancelling_restores_precomputed_item() {
    let page = Page::open("v=2&switch=circuit&view=papers").await;
    page.until_text("#chiu-fig4 .source", "Precomputed").await;
    let before = page.text("#chiu-fig4 table").await;
    page.click("#chiu-fig4 .actions button").await;
    page.until_text("#chiu-fig4 .source", "Computing.").await;
    page.find("#chiu-fig4 progress").await;
    page.click("#chiu-fig4 .actions button").await;
    page.until_text("#chiu-fig4 .source", "Cancelled. Precomputed").await;
    assert_eq!(page.text("#chiu-fig4 table").await, before);
    page.assert_no_log();
}

#[tokio::test]
async fn charts_are_interactive() {
    let page = Page::open("v=2&view=papers").await;
    page.find("#table4-chart-0").await;
    page.run("document.getElementById('table4-chart-0').focus()").await;
    page.key(Key::Right.into()).await;
    page.until_text("#table4-chart-0-tip", "fault rate p: 0.1").await;
    page.until_text("#table4-chart-0-tip", "95% interval").await;
    page.until_text("#table4-chart-0-tip", "converged").await;
    page.click("#table4-chart-0-legend button:nth-child(2)").await;
    page.wait_until(
        "it is hidden",
        "return document.querySelector('#table4-chart-0-legend button:nth-child(2)').ariaPressed === 'false'",
    )
    .await;
    page.run("document.getElementById('table4-chart-0').focus()").await;
    page.key(Key::Right.into()).await;
    page.until_text("#table4-chart-0-tip", "fault rate p: 0.2").await;
    page.key(Key::Enter.into()).await;
    page.wait_until("it is watched", "return !!document.querySelector('canvas.network')").await;
    page.wait_until("of the next point", "return location.hash.includes('faults=nodes:0.2')").await;
    page.assert_no_log();
}

#[tokio::test]
async fn computes_without_answers_file() {
    let page = Page::blank().await;
    page.before_load(
        "const plain = window.fetch;
         window.fetch = (what, ...more) => /answers-/.test(what) ? Promise.reject(new TypeError('gone')) : plain(what, ...more);",
    );
    page.visit("v=2&view=papers").await;
    page.until_text("#verdicts", "cannot be loaded: compute the items below").await;
    assert_eq!(page.run(CELLS).await, json!(0));
    page.until_text(".verdicts", "Table 3, rows .80 to .90").await;
    page.click_labelled("A thesis on deadlock-free randomized routing in a faulty hypercube").await;
    page.until_text("#thesis-examples table", "✓").await;
    page.assert_no_log();
}

#[tokio::test]
async fn an_erratum_opens_where_it_is_seen() {
    let page = Page::open("v=2&view=papers").await;
    page.until_text(".verdicts", "The claim that backtracking finds a path if there is one holds in the 4-cube").await;
    let seen = page
        .run(
            "const said = [...document.querySelectorAll('.verdicts li li')].find(li => li.textContent.includes('holds in the 4-cube'));
             const link = said.querySelector('a'); link.click(); return [link.textContent, link.getAttribute('href')]",
        )
        .await;
    assert_eq!(seen[0], json!("Open in Watch"));
    page.wait_until("it is watched", "return !!document.querySelector('canvas.network')").await;
    page.wait_until("the link is that of the text", &format!("return location.hash === {}", seen[1])).await;
    // The page states that no experiment shows this erratum, and does not leave the item.
    page.visit("v=2&switch=permutation&view=papers").await;
    page.until_text(
        ".verdicts",
        "There are Corollaries 3 and 4, but no Corollaries 1 and 2. No single experiment shows this erratum",
    )
    .await;
    page.assert_no_log();
}

#[tokio::test]
async fn charts_computed_beforehand_are_saved_as_their_sweeps_would_be() {
    let page = Page::blank().await;
    page.before_load(RECORD_FILES);
    page.visit("v=2&view=papers").await;
    page.find("#table4-chart-0").await;
    page.click("#table4 .paper__chart .exports button").await;
    let name = page.wait_until("it is saved", "return Object.keys(window.files)[0]").await;
    assert!(name.as_str().is_some_and(|name| name.starts_with("faultlab-") && name.ends_with(".svg")), "{name}");
    let file = "const [file] = Object.values(window.files); return typeof file === 'string' ? file : await file.text()";
    let saved = page.run_async(file).await;
    let text = page.run("return document.querySelector('#table4 .links a').getAttribute('href').slice(1)").await;
    let path = std::env::temp_dir().join(format!("faultlab-{}.svg", std::process::id()));
    faultlab(&["run", text.as_str().expect("a text"), "--svg", path.to_str().expect("a path")]);
    let written = std::fs::read_to_string(&path).expect("the command line writes it");
    let _ = std::fs::remove_file(&path);
    assert_eq!(saved, json!(written), "to the last byte");
    assert!(page.text("#table4 .links").await.starts_with("Open in Measure"));
    page.assert_no_log();
}

/// The list of all statements is searched by words and by status, as on the command line.
#[tokio::test]
async fn statements_are_searched() {
    let page = Page::open("v=2&view=papers").await;
    page.click_labelled("Every statement").await;
    page.until_link("v=2&view=papers&paper=rows").await;
    page.until_text(".papers [role=status]", "229 rows: ").await;
    page.type_into(".papers input[type=search]", "Kaklamanis").await;
    page.wait_until("one is left", "return document.querySelectorAll('.statements li').length === 1").await;
    page.until_text(".statement__place b", "T13").await;
    // The words of the search stay until the page is loaded again.
    page.reload().await;
    page.click_labelled("open").await;
    let open = faultlab(&["papers", "rows", "open", "--json"]).matches("\"id\":").count();
    page.wait_until("those are left", &format!("return document.querySelectorAll('.statements li').length === {open}"))
        .await;
    page.assert_no_log();
}
