//! What runs while nobody plays anything: nothing.

use std::time::Duration;

use serde_json::json;

use crate::browser::Page;

/// One experiment of each kind, as short as it goes.
pub(crate) const KINDS: [&str; 8] = [
    "v=2&faults=nodes:0.3&sample=11",
    "v=2&switch=circuit",
    "v=2&net=mesh:8x8&switch=wormhole",
    "v=2&net=cube:5&switch=wormhole",
    "v=2&switch=permutation",
    "v=2&switch=batch",
    "v=2&net=tree:64&switch=delivery",
    "v=2&switch=pairs",
];

/// Counts how often the page asks for a frame.
const COUNT_FRAMES: &str = "
    window.asked = 0;
    const plain = window.requestAnimationFrame;
    window.requestAnimationFrame = act => { ++window.asked; return plain.call(window, act); };";

/// How often the page asks for a frame within a second.
async fn frames(page: &Page) -> u64 {
    let script =
        "const before = window.asked; await new Promise(done => setTimeout(done, 1000)); return window.asked - before";
    page.run_async(script).await.as_u64().unwrap_or(u64::MAX)
}

/// Waits until no frame has been asked for in a while: large networks are looked at ahead, and some pictures take their time.
async fn until_at_rest(page: &Page, what: &str) {
    page.until_in(
        Duration::from_secs(20),
        &format!("nothing runs: {what}"),
        "const clock = performance.now();
         if (window.asked !== window.seen) { window.seen = window.asked; window.since = clock; }
         return clock - window.since > 400",
    )
    .await;
}

#[tokio::test]
async fn no_frame_is_asked_for_at_rest() {
    let page = Page::blank().await;
    page.before_load(COUNT_FRAMES);
    page.visit("v=2&view=papers").await;
    for kind in KINDS {
        page.visit(kind).await;
        page.until("there is a view", "return !!document.querySelector('canvas')").await;
        until_at_rest(&page, kind).await;
        let plays =
            page.run("const play = document.querySelector('.play:enabled'); play?.click(); return !!play").await;
        if plays == json!(true) {
            page.until("it plays", "return document.querySelector('.play')?.ariaLabel === 'Pause'").await;
        }
        // Left while time runs.
        page.visit("v=2&view=papers").await;
        page.until("the view is gone", "return !document.querySelector('canvas.network')").await;
    }
    assert_eq!(frames(&page).await, 0, "frames in a second at rest, after every kind was left playing");
    page.ends_clean();
}
