//! Tests of charts with pinned experiments and with two metrics, and of zooming by keyboard.

use fantoccini::key::Key;
use serde_json::json;

use crate::browser::{Page, faultlab};
use crate::measure::{RECORD_FILES, exported, wait_for_sweep};

/// A sweep that takes less than a second.
const NOW: &str =
    "v=2&net=cube:7&faults=nodes:0.3&route=sidetracking,random-blind&vary=p:0.1,0.2,0.4&within=0.02&view=measure";

/// Returns the legend: the current curves, then those of each pinned experiment.
async fn names(page: &Page) -> serde_json::Value {
    let entries = "#legend button, .pin button:first-child";
    page.run(&format!("return [...document.querySelectorAll('{entries}')].map(entry => entry.textContent)")).await
}

/// Returns the chart that the command line draws of the experiment.
fn drawn(link: &str, name: &str) -> String {
    let file = std::env::temp_dir().join(format!("faultlab-{name}-{}.svg", std::process::id()));
    faultlab(&["run", link, "--quiet", "--svg", file.to_str().expect("a path")]);
    let drawn = std::fs::read_to_string(&file).expect("a chart");
    std::fs::remove_file(&file).expect("removed");
    drawn
}

#[tokio::test]
async fn pinned_curves_survive_edits() {
    let page = Page::blank().await;
    page.before_load(RECORD_FILES);
    page.visit(NOW).await;
    wait_for_sweep(&page).await;
    let before = page.link().await;
    page.click("#pin").await;
    page.wait_until("they are in the legend", "return document.querySelectorAll('.pin').length === 1").await;
    assert_eq!(page.link().await, before, "they are no part of the experiment");
    page.type_into("#field-seed", "2").await;
    page.wait_until("the seed is another", "return location.hash.includes('seed=2')").await;
    page.wait_until("the numbers are new", "return !document.getElementById('outdated-note').textContent").await;
    wait_for_sweep(&page).await;
    let curves = json!([
        "sidetracking, seed = 2",
        "random, blind, seed = 2",
        "closed form, no info",
        "sidetrackingrandom, blindseed = 1"
    ]);
    assert_eq!(names(&page).await, curves);

    // The up and down keys reach pinned curves too, and the tip shows the numbers of the pinned
    // experiment.
    page.run("document.getElementById('chart').focus()").await;
    page.key(Key::Home.into()).await;
    let kept = "sidetracking, seed = 1";
    for key in [Key::Down, Key::Up, Key::Up] {
        if page.text("#tip").await.contains(kept) {
            break;
        }
        page.key(key.into()).await;
    }
    page.until_text("#tip", kept).await;
    let csv = faultlab(&["run", &before, "--csv", "--quiet"]);
    let row = csv.lines().find(|line| line.starts_with("sidetracking,0.1,")).expect("a row");
    let messages = format!("n = {} messages", row.split(',').nth(8).expect("a number"));
    page.until_text("#tip", messages).await;

    // Exported pictures include pinned curves with their text. Files of numbers cover the current
    // experiment only.
    let link = page.link().await;
    let svg = exported(&page, "SVG", ".svg").await;
    let over = format!("{link}; with {before}").replace('&', "&amp;");
    assert!(svg.contains(&over) && svg.contains(kept), "{}", &svg[..svg.len().min(700)]);
    assert_eq!(exported(&page, "CSV", ".csv").await, faultlab(&["run", &link, "--csv", "--quiet"]));

    // Hide a curve, which removes it from the picture. Then return to the pinned experiment and
    // unpin it.
    page.click(".pin button").await;
    page.wait_until("it is pressed away", "return document.querySelector('.pin [aria-pressed=false]') !== null").await;
    page.run("window.files = {}").await;
    assert_eq!(exported(&page, "SVG", ".svg").await, drawn(&link, "pinned"));
    page.click(".pin [aria-label^=Back]").await;
    page.until_link(&before).await;
    // A new measurement moves the layout below it, so a click during it could miss.
    page.wait_until("the numbers are new", "return !document.getElementById('outdated-note').textContent").await;
    wait_for_sweep(&page).await;
    page.click(".pin [aria-label^=Remove]").await;
    page.wait_until("nothing is kept", "return document.querySelector('.pin') === null").await;
    page.assert_no_log();
}

#[tokio::test]
async fn pins_at_most_six_experiments() {
    let page = Page::open(NOW).await;
    wait_for_sweep(&page).await;
    for count in 1..=6 {
        page.click("#pin").await;
        page.wait_until("it is kept", &format!("return document.querySelectorAll('.pin').length === {count}")).await;
    }
    page.until_text("#pin-hint", "Six sets of curves are kept").await;
    assert_eq!(page.run("return document.getElementById('pin').disabled").await, json!(true));
    for left in (1..6).rev() {
        page.click(".pin [aria-label^=Remove]").await;
        page.wait_until("one less is kept", &format!("return document.querySelectorAll('.pin').length === {left}"))
            .await;
    }

    // The page explains that a pinned curve is hidden because its axis differs.
    page.choose("#field-vary", "n").await;
    page.wait_until("the dimension is varied", "return location.hash.includes('vary=n')").await;
    page.wait_until("the numbers are new", "return !document.getElementById('outdated-note').textContent").await;
    wait_for_sweep(&page).await;
    page.until_text("#pin-hint", "the x axes differ: fault rate p and dimension n").await;
    page.until_text(".pin em", "(not in this chart)").await;
    page.assert_no_log();
}

#[tokio::test]
async fn two_metrics_have_charts_below_each_other() {
    let page = Page::blank().await;
    page.before_load(RECORD_FILES);
    page.visit(NOW).await;
    wait_for_sweep(&page).await;
    page.choose("#field-second-chart", "length").await;
    page.wait_until("the link has both", "return location.hash.includes('&plot=success,length')").await;
    page.until_text(".caption h2", "Success probability and mean path length, hops against fault rate p").await;
    page.wait_until(
        "both charts are painted",
        "return ['chart', 'chart-below'].every(id => {
             const chart = document.getElementById(id);
             const data = chart.getContext('2d').getImageData(0, 0, chart.width, chart.height).data;
             return new Set(new Uint32Array(data.buffer)).size > 8;
         })",
    )
    .await;
    page.run("document.getElementById('chart-below').focus()").await;
    page.key(Key::Home.into()).await;
    page.until_text("#tip-below", "mean path length, hops: ").await;
    let link = page.link().await;
    let svg = exported(&page, "SVG", ".svg").await;
    assert!(svg.contains("success probability") && svg.contains("mean path length, hops"));
    assert_eq!(svg, drawn(&link, "two"), "the command line draws the same bytes");
    page.choose("#field-second-chart", "").await;
    page.until_link(NOW).await;
    page.wait_until("one chart is left", "return document.getElementById('chart-below') === null").await;
    page.assert_no_log();
}

#[tokio::test]
async fn keys_zoom_around_the_chosen_point() {
    let page = Page::open(NOW).await;
    wait_for_sweep(&page).await;
    page.run("document.getElementById('chart').focus()").await;
    page.key(Key::Home.into()).await;
    page.key(Key::Right.into()).await;
    page.until_text("#tip", "fault rate p: 0.2").await;
    let place = "const mark = document.querySelector('.mark').getBoundingClientRect(); return Math.round(mark.left)";
    let before = page.run(place).await;
    page.key('+').await;
    page.wait_until("a part is seen", "return location.hash.includes('chart=zoom:')").await;
    assert_eq!(page.run(place).await, before, "the chosen point stays where it is");
    let once = page.link().await;
    page.key('+').await;
    page.wait_until("less is seen", &format!("return location.hash !== {}", json!(format!("#{once}")))).await;
    page.until_text("#tip", "fault rate p: 0.2").await;
    // As many steps back restore the link.
    page.key('-').await;
    page.key('-').await;
    page.key('-').await;
    page.until_link(NOW).await;
    page.key('+').await;
    page.wait_until("a part is seen", "return location.hash.includes('chart=zoom:')").await;
    page.key(Key::Escape.into()).await;
    page.wait_until("the tip is gone", "return !document.getElementById('tip').textContent").await;
    assert!(page.link().await.contains("zoom:"), "Escape first leaves the point");
    page.key(Key::Escape.into()).await;
    page.until_link(NOW).await;
    // One Escape ends the presentation, also with a selected point.
    page.key('p').await;
    page.find(".page--present").await;
    page.run("document.getElementById('chart').focus()").await;
    page.key(Key::Home.into()).await;
    page.until_text("#tip", "fault rate p").await;
    page.key(Key::Escape.into()).await;
    page.wait_until("the presentation ends", "return !document.querySelector('.page--present')").await;
    page.assert_no_log();
}

/// The picture in the clipboard has the chosen options.
#[tokio::test]
async fn copied_picture_has_the_chosen_width() {
    let page = Page::open(NOW).await;
    wait_for_sweep(&page).await;
    page.devtools(
        "Browser.grantPermissions",
        json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] }),
    );
    page.click(".print-options summary").await;
    page.click(".print-options label:nth-of-type(3)").await;
    page.click(".exports [aria-label='Copy picture']").await;
    page.until_text(".exports .copied", "Copied").await;
    let width = "const [item] = await navigator.clipboard.read();
        return (await createImageBitmap(await item.getType('image/png'))).width";
    assert_eq!(page.run_async(width).await, json!(741 * 4), "two columns at four pixels per CSS pixel");
    page.click(".print-options label:nth-of-type(3)").await;
    page.assert_no_log();
}
