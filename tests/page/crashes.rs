//! Tests of crashes: the page explains panics and other errors, and offers a way to continue and a
//! report. `figures.rs` tests crashes of figures; `engines.rs` has a test of the page for all
//! engines.

use serde_json::json;

use crate::browser::Page;
use crate::measure::{RECORD_FILES, wait_for_sweep};
use crate::workers::break_workers;

/// Part of the message that reports a crash.
pub(crate) const CRASH_MESSAGE: &str = "stopped because of an internal error";

async fn report(page: &Page) -> String {
    let report = page.run("return document.querySelector('#app textarea').value").await;
    report.as_str().unwrap_or_default().to_owned()
}

/// The failing experiment is entered in a field, so it is never in the address.
#[tokio::test]
async fn an_edit_that_panics_offers_what_was_drawn_before() {
    let page = Page::open("v=2&net=cube:5&faults=nodes:0.3").await;
    page.run("window.__faultlab_panic = 'nodes:0.6'").await;
    page.type_into("#field-fault-rate-p", "0.6").await;
    page.until_text("#app [role=alert]", CRASH_MESSAGE).await;
    let report = report(&page).await;
    assert!(report.contains("\nExperiment: v=2&net=cube:5&faults=nodes:0.6\n"), "{report}");
    page.click_labelled("Copy the report").await;
    page.until_text("#app .crash", "Copied").await;
    page.click_labelled("Open the last experiment that was drawn").await;
    page.wait_until("the page is there", "return !!document.querySelector('main')").await;
    page.until_link("v=2&net=cube:5&faults=nodes:0.3").await;
    page.until_text("#summary", "5-cube").await;
}

/// A link that panics on opening has no previous experiment. The page offers the first example and
/// opens nothing by itself.
#[tokio::test]
async fn a_link_that_panics_offers_the_first_example() {
    let page = Page::blank().await;
    page.before_load("if (!sessionStorage.again) window.__faultlab_panic = 'cube:7';");
    page.client.goto(&format!("{}#v=2&net=cube:7", crate::browser::page_url())).await.expect("the page opens");
    page.until_text("#app [role=alert]", CRASH_MESSAGE).await;
    page.run_async("await new Promise(done => setTimeout(done, 500))").await;
    assert_eq!(page.link().await, "v=2&net=cube:7");
    page.run("window.isOld = true").await;
    page.click_labelled("Try this experiment again").await;
    page.wait_until("it fails again", "return !window.isOld && !!document.querySelector('#app .crash')").await;
    page.click_labelled("Open the first example").await;
    page.wait_until("the page is there", "return !!document.querySelector('main')").await;
}

/// A JavaScript exception inside a call from the program is handled like a panic, and the workers
/// are terminated.
#[tokio::test]
async fn javascript_exception_is_reported() {
    let page = Page::blank().await;
    page.before_load(
        "window.running = 0;
         window.Worker = class extends Worker {
             constructor(...all) { super(...all); ++window.running; }
             terminate() { super.terminate(); --window.running; }
         };",
    );
    page.visit("v=2&net=cube:16&faults=nodes:0.5&within=0.0001&trials=1000000000&view=measure").await;
    page.wait_until("there is progress", "return document.getElementById('progress').value").await;
    assert_ne!(page.run("return running").await, json!(0));
    page.run("CanvasRenderingContext2D.prototype.beginPath = () => { throw new Error('no such path'); };").await;
    page.until_text("#app [role=alert]", CRASH_MESSAGE).await;
    let report = report(&page).await;
    assert!(report.contains("\nError: no such path\nExperiment: v=2&net=cube:16"), "{report}");
    assert_eq!(page.run("return running").await, json!(0));
}

/// A worker that panics is replaced, and the message names its task.
#[tokio::test]
async fn a_worker_that_panics_is_replaced_and_its_task_named() {
    let page = Page::blank().await;
    page.before_load(RECORD_FILES);
    break_workers(&page, 1, 1, "self.__faultlab_panic = 'cube:10';");
    page.visit("v=2&net=cube:10&faults=nodes:0.4&vary=p:0.3,0.5&within=0.005&view=measure").await;
    page.until_text(".notice", "A worker stopped at sidetracking, fault rate p 0.").await;
    page.until_text(".notice", "an internal error in Faultlab: panicked at src/worker/mod.rs").await;
    page.until_text(".notice", "and was replaced; no work is lost").await;
    wait_for_sweep(&page).await;
}
