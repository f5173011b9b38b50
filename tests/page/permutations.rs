//! Tests of Watch with permutations: active nodes, phases and ranks of a message, worms with and
//! without a deadlock.

use fantoccini::key::Key;
use serde_json::json;

use crate::browser::Page;

/// A single fault in a 6-cube: 36 nodes stay active under Algorithm A, 16 under Algorithm B.
const SHADOW: &str = "v=2&net=cube:6&switch=permutation&break=5&route=algorithm-a,algorithm-b";

/// The pair of messages of Figure 3-3 in dimensions 3 and 4, so that their routes under Algorithm B
/// pass the same squares.
const PAIR: &str = "v=2&net=cube:4&switch=batch&traffic=0-12-8,12-0-4&length=2";

async fn open(text: &str) -> Page {
    let page = Page::open(text).await;
    page.wait_until("something is drawn", "return document.querySelectorAll('.panels--squares canvas').length > 0")
        .await;
    page.run("document.querySelector('canvas.network').focus()").await;
    page
}

#[tokio::test]
async fn shows_inactive_nodes_of_a_fault() {
    let page = open(SHADOW).await;
    let title = "1 fault leaves 36 of 64 nodes active under Algorithm A and 16 under Algorithm B";
    page.until_text(".caption h2", title).await;
    page.until_text(".caption p", "36 of 64 nodes are active (1 faulty, 27 with too many faulty paths)").await;
    page.click_labelled("Algorithm B").await;
    page.until_text(".caption p", "16 of 64 nodes are active").await;
    page.click_labelled("Algorithm A").await;
    page.run("document.querySelector('canvas.network').focus()").await;
    // Move from the initial cursor position back to the corner.
    page.key(Key::Right.into()).await;
    page.key(Key::Left.into()).await;
    page.until_text("#summary", "In focus: 000000 under Algorithm A: ").await;
    page.key(Key::Enter.into()).await;
    page.until_link("v=2&net=cube:6&switch=permutation&break=0,5&route=algorithm-a,algorithm-b").await;
    page.until_text("#summary", "In focus: 000000 under Algorithm A: faulty").await;
    page.click_labelled("Undo").await;
    page.until_link(SHADOW).await;
    page.assert_no_log();
}

#[tokio::test]
async fn a_message_says_phase_and_rank_of_every_hop() {
    // An example like those of the thesis: from 26 = 010110 by way of 20 = 001010 to 39 = 111001,
    // lowest dimension first.
    let page = open("v=2&net=cube:6&switch=permutation&route=algorithm-b&traffic=26-20-39").await;
    page.wait_until("eleven hops", "return document.querySelectorAll('#followed .hops li').length === 11").await;
    page.until_text("#followed .hops li:nth-child(1)", "phase 1, clockwise to C00: rank 1").await;
    page.until_text("#followed .hops li:nth-child(6)", "phase 3, over to C01: rank 5").await;
    page.until_text("#followed .hops li:nth-child(11)", "phase 5, counter-clockwise to the destination: rank 9").await;
    page.key(Key::Home.into()).await;
    page.until_text("output.time", "hop 0 of 11").await;
    page.key('.').await;
    page.until_text("#followed .hops [aria-current=step]", "phase 1").await;
    page.assert_no_log();
}

#[tokio::test]
async fn two_worms_deadlock_under_a_but_not_b() {
    let page = open(PAIR).await;
    page.until_text(".caption h2", "Messages that all start at once wait for each other").await;
    page.until_text(".explanation", "Ahead: Deadlocked after ").await;
    page.key(Key::End.into()).await;
    let title = "Deadlock under Algorithm A; all messages arrive under Algorithm B";
    page.until_text(".caption h2", title).await;
    page.until_text("#ending", "2 messages wait for each other in a circle").await;
    page.wait_until("the circle is listed", "return document.querySelectorAll('#ending + .hops li').length === 2")
        .await;
    let events = "return [...document.querySelectorAll('.events button')].map(button => button.textContent)";
    assert_eq!(page.run(events).await, json!(["Algorithm A: deadlock, cycle 3", "Algorithm B: all arrived, cycle 6"]));
    page.key(',').await;
    page.until_text(".caption h2", "Deadlock under Algorithm A").await;
    page.key(Key::Home.into()).await;
    page.until_text(".caption h2", "Messages that all start at once").await;
    page.assert_no_log();
}

/// A butterfly of every algorithm is drawn, steps, plays, and shows its congestion or not.
#[tokio::test]
async fn butterflies_play_hop_by_hop() {
    // The preset `butterfly-rows`.
    let text = "v=2&net=butterfly:4&switch=permutation&break=5.1,9.2&route=bit-fixing,algorithm-a\
        &traffic=bit-reversal&tolerance=0.4";
    let page = open(text).await;
    page.until_text(".caption h2", "Messages between the 16 rows of a butterfly, one path after the other").await;
    assert_eq!(page.run("return document.querySelectorAll('.panel canvas').length").await, json!(2));
    // Paths begin at their ends: up to the outputs and, under Algorithm A, through the levels again.
    page.until_text("output.time", "hop 8 of 8").await;
    let inks = "return [...document.querySelectorAll('canvas.network')].map(canvas => canvas.toDataURL())";
    let congested = page.run(inks).await;
    page.click(".figure-tools label.check input").await;
    let differs = |before: &serde_json::Value| {
        format!("const now = (() => {{ {inks} }})(); return {before}.every((old, index) => old !== now[index])")
    };
    page.wait_until("the messages on each link are hidden", &differs(&congested)).await;
    let plain = page.run(inks).await;
    page.run("document.querySelector('canvas.network').focus()").await;
    page.key(Key::Home.into()).await;
    page.until_text("output.time", "hop 0 of 8").await;
    page.wait_until("the routes are gone", &differs(&plain)).await;
    page.key('.').await;
    page.until_text("output.time", "hop 1 of 8").await;
    page.key(Key::Right.into()).await;
    page.until_text("#summary", "In focus: node ").await;
    page.click("[aria-label=Play]").await;
    page.until_text("output.time", "hop 8 of 8").await;
    page.assert_no_log();
}

#[tokio::test]
async fn inapplicable_scheme_is_explained() {
    let page = open("v=2&net=cube:5&switch=permutation&faults=ball:16&route=kim-shin,algorithm-a").await;
    page.until_text(".caption p", "Kim & Shin does not apply here: it needs a fault-free subcube of n-2 dimensions")
        .await;
    page.until_text(".caption h2", "The faults leave no destination").await;
    page.type_into("#field-tolerance", "2").await;
    page.until_text("#field-tolerance-refused", "outside 0 to 1").await;
    page.type_into("#field-messages-per-node", "0").await;
    page.until_text("#field-messages-per-node-refused", "outside 1 to 64").await;
    page.type_into("#field-list-of-pairs", "0-99").await;
    page.until_text("#field-list-of-pairs-refused", "99 is not a node of cube:5").await;
    page.assert_no_log();
}

#[tokio::test]
async fn the_thesis_is_recomputed() {
    let page = Page::open("v=2&switch=permutation&view=papers").await;
    page.until_text("#thesis-lemma2 table", "✓").await;
    let script = "return [...document.querySelectorAll('.papers .verdict i')].every(mark => mark.textContent !== '✕')";
    page.wait_until("nothing fails", script).await;
    page.click_labelled("Hypercube Message Routing in the Presence of Faults").await;
    page.wait_until("the other paper is there", "return !!document.getElementById('table4')").await;
    page.assert_no_log();
}
