//! Tests that the page draws no frames while nothing is playing.

use std::time::Duration;

use serde_json::json;

use crate::browser::Page;

/// The smallest experiment text of each kind.
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

/// Script that counts requests for animation frames.
const COUNT_FRAMES: &str = "
    window.asked = 0;
    const plain = window.requestAnimationFrame;
    window.requestAnimationFrame = act => { ++window.asked; return plain.call(window, act); };";

/// Returns the number of frames that the page requests within a second.
async fn frames(page: &Page) -> u64 {
    let script =
        "const before = window.asked; await new Promise(done => setTimeout(done, 1000)); return window.asked - before";
    page.run_async(script).await.as_u64().unwrap_or(u64::MAX)
}

/// Waits until no frame has been requested for 400 ms. Large networks are simulated ahead, and some
/// pictures take long.
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
        page.wait_until("there is a view", "return !!document.querySelector('canvas.network')").await;
        until_at_rest(&page, kind).await;
        let plays = page
            .run(
                "const play = document.querySelector('.play:enabled');
                 window.before = window.asked; play?.click(); return !!play",
            )
            .await;
        if plays == json!(true) {
            // A short run may end between two polls, and its button says Play again.
            page.wait_until("it plays", "return window.asked > window.before + 5").await;
        }
        // Leave the view while time runs.
        page.visit("v=2&view=papers").await;
        page.wait_until("the view is gone", "return !document.querySelector('canvas.network')").await;
    }
    assert_eq!(frames(&page).await, 0, "frames in a second at rest, after every kind was left playing");
    page.assert_no_log();
}
