//! Tests of Watch and Check for pairs that faults cut off.

use fantoccini::key::Key;
use serde_json::json;

use crate::browser::Page;

/// Script that returns the counts under the matrices.
const COUNTS: &str = "return [...document.querySelectorAll('.matrix .count')].map(count => count.textContent).join()";

async fn until_counts(page: &Page, counts: &str) {
    page.wait_until(&format!("the counts are {counts}"), &format!("{} === '{counts}'", COUNTS)).await;
}

/// Moves over the canvas until the page names a live link, clicks it, and returns its name.
async fn click_link(page: &Page) -> String {
    let search = r"
        const name = text => /In focus: link [^,]+, (\d+_\d+), live/.exec(text)?.[1];
        for (let x = box.left + 60; x < box.right; x += 9) for (let y = box.top + 30; y < box.bottom; y += 5) {
            const found = name(await said(x, y));
            const at = found && await place(x, y, text => name(text) === found);
            if (at) return [...at, found];
        }
        return null;";
    let found = page.search_canvas(search).await;
    let number = |at: usize| found[at].as_f64().expect("a live link on the canvas");
    page.click_at(number(0), number(1)).await;
    found[2].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_click_on_a_link_cuts_pairs_off() {
    let page = Page::open("v=2&switch=pairs").await;
    until_counts(&page, "0 of 992,0 of 992,0 of 992,0 of 992,0 of 992").await;
    let link = click_link(&page).await;
    page.until_link(&format!("v=2&switch=pairs&break={link}")).await;
    let counts =
        page.wait_until("pairs are cut off", &format!("{COUNTS}.startsWith('16 of 992') && {}", &COUNTS[7..])).await;
    assert!(counts.as_str().is_some_and(|counts| counts.ends_with(",1 of 992")), "{counts}");
    page.until_text("#summary", format!("{link}, faulty")).await;
    page.click_labelled("Undo").await;
    until_counts(&page, "0 of 992,0 of 992,0 of 992,0 of 992,0 of 992").await;
    page.assert_no_log();
}

#[tokio::test]
async fn relabelling_leaves_one_pair() {
    let page = Page::open("v=2&switch=pairs&break=26_1&route=e-cube,up,dp").await;
    until_counts(&page, "16 of 992,8 of 992,2 of 992").await;
    page.click_labelled("Relabel").await;
    until_counts(&page, "16 of 992,8 of 992,2 of 992,1 of 992").await;
    page.until_text(".relabel", "exchange dimensions 1 and 4, then DP").await;
    page.visit("v=2&switch=pairs&break=11&route=up").await;
    until_counts(&page, "9 of 930,0 of 930").await;
    page.until_text(".relabel", "XOR every label with 01011, then UP").await;
    page.until_text(".relabel", "62 with pairs that have an end at the faulty node").await;
    page.assert_no_log();
}

#[tokio::test]
async fn a_matrix_is_read_by_keys() {
    let page = Page::open("v=2&switch=pairs&break=24_1&route=up").await;
    until_counts(&page, "4 of 992").await;
    page.run("document.querySelector('.matrix canvas').focus()").await;
    page.key('.').await;
    page.until_text(".result-text", "24 → 2 (11000 → 00010): cut off, every permitted path uses link 24_1").await;
    page.key('.').await;
    page.until_text(".result-text", "24 → 10").await;
    page.key(Key::Left.into()).await;
    page.until_text(".result-text", "24 → 9 (11000 → 01001): a permitted path is live").await;
    page.key(Key::Enter.into()).await;
    page.until_link("v=2&switch=pairs&break=24_1&from=24&to=9&route=up").await;
    page.run("document.querySelector('canvas.network').focus()").await;
    page.key(Key::Right.into()).await;
    page.key(Key::Up.into()).await;
    page.until_text("#summary", "24_0, live").await;
    page.key(Key::Enter.into()).await;
    page.until_link("v=2&switch=pairs&break=24_0,24_1&from=24&to=9&route=up").await;
    page.assert_no_log();
}

/// Script that returns whether the network and the matrices are magnified.
const MAGNIFIED: &str =
    "['canvas.network', '.matrix canvas'].map(name => document.querySelector(name).matches('.network--magnified'))";

#[tokio::test]
async fn wheel_and_buttons_magnify_the_network_and_the_matrices() {
    let page = Page::open("v=2&switch=pairs&break=24_1&route=up").await;
    until_counts(&page, "4 of 992").await;
    let until = |network: bool, matrix: bool| format!("return {MAGNIFIED}.join() === '{network},{matrix}'");
    let wheel = |canvas: &str| {
        format!(
            "const canvas = document.querySelector('{canvas}'), box = canvas.getBoundingClientRect();
             canvas.dispatchEvent(new WheelEvent('wheel', {{ deltaY: -400, ctrlKey: true, cancelable: true, bubbles: true,
                 clientX: box.left + 90, clientY: box.top + 80 }}))"
        )
    };
    page.run(&wheel("canvas.network")).await;
    page.wait_until("the network is magnified", &until(true, false)).await;
    // A click on the magnified picture breaks the link that is drawn at that point.
    let link = click_link(&page).await;
    page.until_text("#summary", format!("{link}, faulty")).await;
    page.run(&wheel(".matrix canvas")).await;
    page.wait_until("both are magnified", &until(true, true)).await;
    page.click(".network + .zoom [aria-label^='Fit']").await;
    page.wait_until("the network is whole", &until(false, true)).await;
    page.run("document.querySelector('.matrix canvas').focus()").await;
    page.key('0').await;
    page.wait_until("both are whole", &until(false, false)).await;
    page.assert_no_log();
}

#[tokio::test]
async fn large_cubes_show_counts() {
    let page = Page::open("v=2&net=cube:11&switch=pairs&break=5&route=up,minimal").await;
    page.until_text("table", "4188162").await;
    page.wait_until("nothing is left to count", "return !document.querySelector('tbody').textContent.includes('…')")
        .await;
    page.assert_no_log();
}

#[tokio::test]
async fn check_draws_a_cycle_and_names_its_messages() {
    let page = Page::open("v=2&net=cube:3&switch=pairs&route=minimal,up&view=check").await;
    page.until_text(".cycle li", "channel 1: a message from 0 to").await;
    // Each algorithm has its verdict first, and its details collapsed.
    page.until_text(".card:nth-child(2) .check-verdict", "✓UP is proved free of deadlock").await;
    assert_eq!(page.run("return document.querySelectorAll('.cards details[open]').length").await, json!(0));
    assert_eq!(page.run("return document.querySelectorAll('.cycle li').length").await, json!(4));
    assert_eq!(page.run("return document.querySelectorAll('.cycle').length").await, json!(1), "UP has none");
    let colors = "const canvas = document.querySelector('.cycle canvas');
        const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        return new Set(new Uint32Array(data.buffer)).size > 8";
    page.wait_until("the cycle is painted", colors).await;
    for text in ["v=2&switch=pairs&break=0,31&view=check", "v=2&switch=circuit&faults=links:0.1&view=check"] {
        page.visit(text).await;
        page.until_text(".cards", "Channel dependency graph").await;
    }
    page.assert_no_log();
}
