//! Fuzz tests of links: valid, corrupted and malicious ones. The page responds to each without an
//! error and injects nothing.

use faultlab::experiment::{Experiment, KINDS};
use faultlab::topology::{Network, NodeId};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::json;

use crate::browser::{Page, is_thorough};
use crate::random_texts::{apply, changes, kind_pairs, worm_pairs};

/// Returns the numbers of links to open: of every kind, in every view, and on meshes and tori. Each
/// run opens the same links; a thorough run continues the same sequence.
fn counts() -> [usize; 3] {
    if is_thorough() { [150, 60, 60] } else { [50, 8, 8] }
}

/// Texts that try to inject elements or scripts.
const MALICIOUS: [&str; 6] = [
    "net=<img src=x onerror=window.hacked=1>",
    "net=cube:4&route=<script>window.hacked=1</script>",
    "net=cube:4&seed=\"><svg onload=window.hacked=1>",
    "net=cube:4&<iframe src=javascript:window.hacked=1>=1",
    "net=cube:4&ui.caption=<img src=x onerror=window.hacked=1>",
    "net=mesh:4x4&rules=routing <img/src=x/onerror=window.hacked=1> on mesh",
];

/// Script that opens a link in the open page, waits until two frames are drawn, and returns the
/// milliseconds until then. It takes at least 125 ms, because Chromium blocks pages that navigate
/// more than 200 times in 10 seconds, and the page itself rewrites the link.
const OPEN: &str = "
    const [text, done] = [arguments[0], arguments[arguments.length - 1]];
    const begun = performance.now();
    location.hash = '#' + text;
    const drawn = then => requestAnimationFrame(() => requestAnimationFrame(then));
    drawn(() => setTimeout(() => {
        const took = performance.now() - begun;
        setTimeout(() => done(took), 125 - took);
    }));";

/// Script that returns an error if the page has crashed or does not respond, else an empty text.
/// Opens and closes Help.
const CHECK_RESPONSIVE: &str = "
    const done = arguments[arguments.length - 1];
    (async () => {
        const crash = document.querySelector('.crash textarea');
        if (crash) return crash.value;
        const later = () => new Promise(done => setTimeout(done, 15));
        const until = async test => { for (let tries = 0; tries < 200 && !test(); ++tries) await later(); return test(); };
        const help = () => document.querySelector('dialog[open]');
        [...document.querySelectorAll('header button')].find(button => button.textContent === '?').click();
        if (!await until(help)) return 'Help does not open';
        help().close();
        if (!await until(() => !document.querySelector('dialog'))) return 'Help does not close';
        return document.querySelector('.crash textarea')?.value ?? '';
    })().then(done, error => done(String(error)));";

/// Asserts that the page responds after opening `text`.
async fn assert_responsive(page: &Page, text: &str) {
    let wrong = page.client.execute_async(CHECK_RESPONSIVE, Vec::new()).await.expect("it answers");
    assert_eq!(wrong, json!(""), "{text}");
}

/// Returns random texts of every fitting kind on meshes and tori of one to three dimensions, with
/// sampled and manual faults.
fn grids() -> impl Strategy<Value = String> {
    let sides = prop::collection::vec(2u32..=7, 1..=3);
    (select(vec!["mesh", "torus"]), sides, any::<prop::sample::Index>(), 0u32..40, any::<u32>(), 0u32..1000).prop_map(
        |(family, sides, kind, share, node, sample)| {
            let sides: Vec<_> =
                sides.iter().map(|side| side.max(&if family == "torus" { 3 } else { 2 }).to_string()).collect();
            let net = format!("{family}:{}", sides.join("x"));
            let Some(network) = Network::parse(&net) else { return format!("v=2&net={net}") };
            let fitting: Vec<_> = KINDS.iter().filter(|kind| kind.behavior.fits(network)).collect();
            let kind = kind.get(&fitting).id;
            let broken = network.format_node(NodeId(u64::from(node) % (network.last_node().0 + 1)));
            let share = f64::from(share) / 100.0;
            let faults = [
                format!("nodes:{share}"),
                format!("links:{share}"),
                format!("isolated:{share}"),
                format!("count:{}", node % 5),
            ];
            let texts = faults.iter().flat_map(|faults| {
                let text = format!("v=2&net={net}&switch={kind}&faults={faults}");
                [format!("{text}&break={broken}&sample={sample}"), format!("{text}&sample={sample}"), text]
            });
            // Some kinds support only some fault models.
            let taken: Vec<_> = texts.filter(|text| text.parse::<Experiment>().is_ok()).collect();
            let whole = format!("v=2&net={net}&switch={kind}");
            if taken.is_empty() { whole } else { taken[node as usize % taken.len()].clone() }
        },
    )
}

/// Script that counts elements which a text could inject.
const COUNT_FOREIGN: &str =
    "return [document.querySelectorAll('img, script, iframe, object, embed, link, base').length, !!window.hacked]";

#[tokio::test]
async fn random_links_inject_nothing() {
    let mut runner = TestRunner::deterministic();
    let strategy = (prop_oneof![3 => kind_pairs(), 1 => worm_pairs()], proptest::option::weighted(0.4, changes()));
    let mut texts: Vec<String> = MALICIOUS.map(str::to_owned).to_vec();
    let [links, ..] = counts();
    while texts.len() < links {
        let (pairs, changes) = strategy.new_tree(&mut runner).expect("a text").current();
        let whole = pairs.join("&");
        texts.push(changes.map_or_else(|| whole.clone(), |changes| apply(&whole, &changes)));
    }
    let page = Page::open("v=2").await;
    let before = page.run(COUNT_FOREIGN).await;
    let (mut slowest, mut slow) = (0.0, String::new());
    for text in &texts {
        let took = page.client.execute_async(OPEN, vec![json!(text)]).await.expect("it answers");
        let took = took.as_f64().expect("a time");
        if took > slowest {
            (slowest, slow) = (took, text.clone());
        }
        assert_eq!(page.run(COUNT_FOREIGN).await, before, "{text}");
        assert_eq!(page.run("return !!document.querySelector('main')").await, json!(true), "{text}");
    }
    println!("{} links, the slowest answered after {slowest:.0} ms: {slow}", texts.len());
    // The page still responds to a valid link after the last text.
    page.visit("v=2&net=cube:5").await;
    page.until_text("#summary", "5-cube").await;
    page.assert_no_log();
}

/// In every view the page responds to each link and its controls still work.
#[tokio::test]
async fn random_links_work_in_every_view() {
    let mut runner = TestRunner::deterministic();
    let kinds = kind_pairs().prop_map(|pairs| pairs.join("&"));
    let mut texts = Vec::new();
    let [_, in_views, on_grids] = counts();
    for _ in 0..in_views {
        texts.push(kinds.new_tree(&mut runner).expect("a text").current());
    }
    let grids = grids();
    for _ in 0..on_grids {
        texts.push(grids.new_tree(&mut runner).expect("a text").current());
    }
    let page = Page::open("v=2").await;
    for text in &texts {
        for view in ["watch", "measure", "check"] {
            let text = format!("{text}&view={view}");
            page.client.execute_async(OPEN, vec![json!(text)]).await.expect("it answers");
            assert_responsive(&page, &text).await;
        }
    }
    page.visit("v=2&net=cube:5").await;
    page.until_text("#summary", "5-cube").await;
    page.assert_no_log();
}
