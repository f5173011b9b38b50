//! Workers that crash, do not start or do not exist.

use std::time::Duration;

use serde_json::json;

use crate::browser::{Page, WIRE, faultlab};
use crate::measure::{KEEP_FILES, exported, until_done};

const SWEEP: &str = "v=1&net=cube:10&faults=nodes:0.4&vary=p:0.3,0.5&within=0.005&view=measure";

/// Opens the sweep in a page whose workers are what `script` makes of them; its numbers must be the right ones.
async fn measured_with(script: &str) -> Page {
    let page = Page::blank().await;
    page.before_load(KEEP_FILES);
    page.before_load(WIRE);
    page.before_load(script);
    page.visit(SWEEP).await;
    until_done(&page).await;
    let csv = exported(&page, "CSV", "faultlab.csv").await;
    assert_eq!(csv, faultlab(&["run", SWEEP, "--csv", "--quiet"]));
    page
}

#[tokio::test]
async fn any_number_of_workers_gives_the_same_numbers() {
    for count in [1, 4] {
        let page = measured_with(&format!(
            "let hired = 0;
             Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', {{ get: () => {count} }});
             window.Worker = class extends Worker {{ constructor(...all) {{ super(...all); window.hired = ++hired; }} }};"
        ))
        .await;
        assert_eq!(page.run("return window.hired").await, json!(count));
        page.ends_clean();
    }
}

#[tokio::test]
async fn a_crashed_worker_is_replaced_and_nothing_is_lost() {
    // Whichever worker is the first to get a third order dies of it, with two in hand: one that starts late may get none.
    let page = measured_with(
        "window.hired = 0;
         let killed = false;
         window.Worker = class extends Worker {
             constructor(...all) { super(...all); this.orders = 0; ++window.hired; }
             postMessage(message) {
                 if (!killed && wire.read(message) && ++this.orders === 3) {
                     killed = true;
                     setTimeout(() => this.dispatchEvent(new ErrorEvent('error', { message: 'killed by a test' })));
                 } else super.postMessage(message);
             }
         };",
    )
    .await;
    page.until_text(".notice", "killed by a test").await;
    page.until_text(".notice", "replaced").await;
    page.until("another worker was hired", "return window.hired > navigator.hardwareConcurrency").await;
    page.ends_clean();
}

#[tokio::test]
async fn an_order_that_kills_twice_is_reported_and_the_rest_stays() {
    let page = Page::blank().await;
    page.before_load(WIRE);
    page.before_load(
        "window.Worker = class extends Worker {
             postMessage(message) {
                 const order = wire.read(message);
                 if (order?.slot === 1 && order.first >= 1024) {
                     setTimeout(() => this.dispatchEvent(new ErrorEvent('error', { message: 'killed by a test' })));
                 } else super.postMessage(message);
             }
         };",
    );
    page.visit(SWEEP).await;
    page.until("the run ends", "return !!document.getElementById('run')").await;
    page.until_text(".transport [role=status]", "could not be computed: killed by a test").await;
    page.until(
        "the numbers so far are there",
        "const cells = [...document.querySelectorAll('#numbers td')].map(cell => cell.textContent);
         return cells.length === 2 && cells.every(cell => /^[0-9.]+±/.test(cell))",
    )
    .await;
    page.ends_clean();
}

#[tokio::test]
async fn without_workers_the_page_computes_itself() {
    let page = measured_with("window.Worker = undefined;").await;
    page.until_text(".notice", "without workers").await;
    page.ends_clean();
}

#[tokio::test]
async fn with_workers_that_cannot_be_loaded_the_page_computes_itself() {
    let page = measured_with(
        "window.Worker = class extends Worker { constructor(url, options) { super(url + '.missing.js', options); } };",
    )
    .await;
    page.until_text(".notice", "without workers").await;
    // The browser logs the scripts that are missing, as it should, and nothing else.
    let log = page.log();
    assert!(log.iter().all(|line| line.contains("404") || line.contains(".missing.js")), "{log:?}");
}

#[tokio::test]
async fn with_workers_of_another_version_the_page_computes_itself() {
    let page = measured_with(
        "const plain = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data').get;
         Object.defineProperty(MessageEvent.prototype, 'data', { get() {
             const data = plain.call(this);
             // The first kind of message is that a worker is up; its version follows, after its length.
             return data instanceof Uint8Array && data[0] === 0 ? data.map((byte, at) => at === 2 ? 120 : byte) : data;
         } });",
    )
    .await;
    page.until_text(".notice", "versions").await;
    page.ends_clean();
}

#[tokio::test]
async fn a_page_that_computes_itself_can_be_cancelled() {
    let page = Page::blank().await;
    page.before_load("delete window.Worker;");
    page.visit("v=1&net=cube:20&faults=nodes:0.6&within=0.0005&trials=100000000&view=measure").await;
    page.until("there is progress", "return document.getElementById('progress').value").await;
    page.click("#cancel").await;
    page.until_in(
        Duration::from_secs(2),
        "it is cancelled",
        "return document.getElementById('status').textContent.startsWith('cancelled')",
    )
    .await;
    page.ends_clean();
}

/// Routed blindly on one path, the message is stopped by each of its nodes alone.
#[tokio::test]
async fn finds_the_worst_fault_and_breaks_it() {
    let page = Page::open("v=1&net=cube:4&route=deterministic-blind").await;
    page.click(".worst summary").await;
    page.click(".worst button").await;
    page.until(
        "it has found one",
        "return document.querySelector('.worst .told')?.textContent.includes('the worst of all: ')",
    )
    .await;
    let told = page.run("return document.querySelector('.worst .told').textContent").await;
    let told = told.as_str().expect("sentences");
    assert!(told.contains("with them: 0 exact") && told.contains("without them: 100 exact"), "{told}");
    assert!(told.contains("all 14 sets were measured"), "{told}");
    page.click(".worst .told + button").await;
    page.until("it is broken", "return location.hash.includes('break=')").await;
    page.ends_clean();
}
