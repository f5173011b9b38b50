//! The program comes in two parts: the first look runs nothing of the second, and what needs it early gets it.

use serde_json::json;

use crate::browser::{Page, page_url};
use crate::first_look::COLORS;

/// How often the page had to stop until the rest had come.
const STOPS: &str = "return performance.getEntriesByName('faultlab waits for its rest').length";
/// The rest does not come by itself.
const LATE: &str = "{
    const { fetch } = window;
    window.fetch = (what, ...more) => /[/]rest-/.test(what?.url ?? what) ? new Promise(() => {}) : fetch(what, ...more);
}";

/// Where this fails, functions that the first look runs have changed: `cargo xtask first` lists them anew, and the next build goes by that.
#[tokio::test]
async fn the_first_look_needs_no_rest() {
    for size in [(1400, 1000), (390, 844), (480, 320)] {
        let page = Page::blank().await;
        page.before_load(LATE);
        page.resize(size.0, size.1).await;
        page.client.goto(&page_url()).await.expect("the page opens");
        page.until("a picture is painted", &format!("{COLORS} > 8")).await;
        // In small windows nothing moves before it is in sight; what else there is happens by then.
        page.run_async("return new Promise(done => setTimeout(done, 4000))").await;
        assert_eq!(page.run(STOPS).await, json!(0), "in a window of {size:?}: see `cargo xtask first`");
    }
}

#[tokio::test]
async fn the_rest_comes_after_the_picture() {
    let page = Page::open("").await;
    page.until("a picture is painted", &format!("{COLORS} > 8")).await;
    let rest = "performance.getEntriesByType('resource').find(entry => /rest-[^/]*[.]wasm$/.test(entry.name))";
    page.until("the rest has come", &format!("return {rest}?.responseEnd > 0")).await;
    let order =
        format!("return {rest}.startTime > performance.getEntriesByName('first-contentful-paint')[0].startTime");
    assert_eq!(page.run(&order).await, json!(true));
    page.press("Papers").await;
    page.until_text("main", "Gordon").await;
    assert_eq!(page.run(STOPS).await, json!(0));
    page.ends_clean();
}

#[tokio::test]
async fn what_is_wanted_before_the_rest_is_there_gets_it() {
    let page = Page::blank().await;
    page.before_load(LATE);
    page.client.goto(&page_url()).await.expect("the page opens");
    page.until("a picture is painted", &format!("{COLORS} > 8")).await;
    page.press("Papers").await;
    page.until_text("main", "Gordon").await;
    assert_eq!(page.run(STOPS).await, json!(1), "it stops once, and has all of it from then on");
    page.press("Watch").await;
    page.until("a picture is painted", &format!("{COLORS} > 8")).await;
}

/// The network is gone between the first part and the rest.
#[tokio::test]
async fn a_rest_that_does_not_come_is_said() {
    let page = Page::blank().await;
    page.before_load(LATE);
    page.before_load("XMLHttpRequest.prototype.send = () => { throw new Error('no network'); };");
    page.client.goto(&page_url()).await.expect("the page opens");
    page.until("a picture is painted", &format!("{COLORS} > 8")).await;
    page.press("Papers").await;
    page.until_text("#app [role=alert]", "A part of Faultlab could not be loaded").await;
}

/// A link with an experiment may need all of the program at once: nothing is opened before it is there.
#[tokio::test]
async fn a_link_waits_for_all_of_it() {
    let page = Page::open("v=2&net=mesh:8x8&switch=wormhole&algo=ecube&load=0.3").await;
    page.until("a picture is painted", &format!("{COLORS} > 8")).await;
    assert_eq!(page.run(STOPS).await, json!(0));
    page.ends_clean();
}
