//! Links of every kind, valid, spoiled and malicious: the page answers each, without an error, and lets nothing in.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::json;

use crate::browser::Page;
use crate::texts::{apply, changes, kind_pairs, worm_pairs};

/// How many links: the same ones in every run.
const LINKS: usize = 150;

/// What somebody might write to have his own elements in the page, or his own script run.
const MALICIOUS: [&str; 6] = [
    "net=<img src=x onerror=window.hacked=1>",
    "net=cube:4&route=<script>window.hacked=1</script>",
    "net=cube:4&seed=\"><svg onload=window.hacked=1>",
    "net=cube:4&<iframe src=javascript:window.hacked=1>=1",
    "net=cube:4&ui.caption=<img src=x onerror=window.hacked=1>",
    "net=mesh:4x4&rules=routing <img/src=x/onerror=window.hacked=1> on mesh",
];

/// Opens a link in the page that is there, and waits until it has been drawn twice: how long that took, in milliseconds. Then waits a little
/// where that was soon: Chromium stops pages that go to more than 200 places in 10 seconds, and the page writes the link as it should be.
const OPEN: &str = "
    const [text, done] = [arguments[0], arguments[arguments.length - 1]];
    const begun = performance.now();
    location.hash = '#' + text;
    const drawn = then => requestAnimationFrame(() => requestAnimationFrame(then));
    drawn(() => setTimeout(() => {
        const took = performance.now() - begun;
        setTimeout(() => done(took), 125 - took);
    }));";

/// The elements that a text could bring in.
const FOREIGN: &str =
    "return [document.querySelectorAll('img, script, iframe, object, embed, link, base').length, !!window.hacked]";

#[tokio::test]
async fn links_of_every_kind_are_answered_and_let_nothing_in() {
    let mut runner = TestRunner::deterministic();
    let strategy = (prop_oneof![3 => kind_pairs(), 1 => worm_pairs()], proptest::option::weighted(0.4, changes()));
    let mut texts: Vec<String> = MALICIOUS.map(str::to_owned).to_vec();
    while texts.len() < LINKS {
        let (pairs, changes) = strategy.new_tree(&mut runner).expect("a text").current();
        let whole = pairs.join("&");
        texts.push(changes.map_or_else(|| whole.clone(), |changes| apply(&whole, &changes)));
    }
    let page = Page::open("v=2").await;
    let before = page.run(FOREIGN).await;
    let (mut slowest, mut slow) = (0.0, String::new());
    for text in &texts {
        let took = page.client.execute_async(OPEN, vec![json!(text)]).await.expect("it answers");
        let took = took.as_f64().expect("a time");
        if took > slowest {
            (slowest, slow) = (took, text.clone());
        }
        assert_eq!(page.run(FOREIGN).await, before, "{text}");
        assert_eq!(page.run("return !!document.querySelector('main')").await, json!(true), "{text}");
    }
    println!("{} links, the slowest answered after {slowest:.0} ms: {slow}", texts.len());
    // What is said of the last one is not lost on the way: the page still does what it is told.
    page.visit("v=2&net=cube:5").await;
    page.until_text("#summary", "5-cube").await;
    page.ends_clean();
}
