//! What a stranger sees who opens the page.

use serde_json::json;

use crate::browser::Page;

/// How many colours the network is drawn in.
const COLORS: &str = "
    const canvas = document.querySelector('canvas.network');
    if (!canvas || !canvas.width) return 0;
    const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    return new Set(new Uint32Array(data.buffer)).size";

#[tokio::test]
async fn opens_with_a_living_example() {
    let page = Page::open("").await;
    page.until("a picture is painted", &format!("{COLORS} > 8")).await;
    page.until_text(".caption h2", "message").await;
    page.until("the message moves by itself", "return document.querySelectorAll('.hops [aria-current=step]').length")
        .await;
    page.until("the link names the example", "return location.hash.startsWith('#v=1&')").await;
    assert_eq!(page.run("return history.length").await, json!(2), "about:blank and the page: no entry for the example");
    page.ends_clean();
}

#[tokio::test]
async fn takes_no_focus_and_fetches_nothing_from_elsewhere() {
    let page = Page::open("").await;
    page.until("a picture is painted", &format!("{COLORS} > 8")).await;
    assert_eq!(page.run("return document.activeElement.tagName").await, json!("BODY"));
    assert_eq!(page.run("return scrollX + scrollY").await, json!(0));
    let fetched = page.run("return performance.getEntriesByType('resource').map(entry => entry.name)").await;
    let fetched: Vec<_> = fetched.as_array().into_iter().flatten().filter_map(|name| name.as_str()).collect();
    let home = crate::browser::page_url();
    assert!(!fetched.is_empty());
    assert!(fetched.iter().all(|name| name.starts_with(&home) || name.starts_with("data:")), "{fetched:?}");
    assert_eq!(page.run("return document.cookie + localStorage.length + sessionStorage.length").await, json!("00"));
    page.ends_clean();
}

#[tokio::test]
async fn stands_still_for_those_who_ask_for_less_motion() {
    let page = Page::blank().await;
    page.emulate_media(&[("prefers-reduced-motion", "reduce")]);
    page.visit("").await;
    page.until("a picture is painted", &format!("{COLORS} > 8")).await;
    assert_eq!(page.run("return document.querySelector('.play').ariaLabel").await, json!("Play"));
    page.until_text("#summary", "After hop 0").await;
    page.ends_clean();
}

#[tokio::test]
async fn every_example_opens() {
    let page = Page::open("").await;
    page.press("Examples").await;
    let count = page.run("return document.querySelectorAll('.examples button').length").await.as_u64().unwrap_or(0);
    assert!(count > 10, "{count} examples");
    for number in 0..count {
        page.run(&format!("document.querySelectorAll('.examples button')[{number}].click()")).await;
        page.until("the dialog closes", "return !document.querySelector('dialog')").await;
        page.until("there is something to see", "return document.querySelector('.caption h2').textContent.length > 8")
            .await;
        assert_eq!(page.text("[role=alert]").await, "", "example {number}");
        page.press("Examples").await;
    }
    page.ends_clean();
}
