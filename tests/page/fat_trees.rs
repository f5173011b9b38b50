//! Fat-trees in the page: delivery cycles watched, runs without an end explained, capacities refused.

use fantoccini::key::Key;
use serde_json::json;

use crate::browser::Page;

async fn open(text: &str) -> Page {
    let page = Page::open(text).await;
    page.until_text("output.time", "cycle 1 of").await;
    page.run("document.querySelector('canvas.network').focus()").await;
    page
}

#[tokio::test]
async fn four_messages_cross_the_root_of_a_small_tree_in_two_cycles() {
    let page = open("v=1&net=tree:4&switch=delivery&route=greedy&traffic=0-2,1-3,2-0,3-1").await;
    page.key(Key::Home.into()).await;
    page.until_text(".caption h2", "4 messages, load factor 2: at least 2 delivery cycles").await;
    page.until_text(".why", "Ahead: ").await;
    page.key(Key::End.into()).await;
    page.until_text("output.time", "cycle 2 of 2").await;
    page.until_text("#ending", "All messages have arrived after 2 cycles").await;
    page.write("#field-message", "0").await;
    page.until_text("#followed", "arrived in cycle").await;
    page.ends_clean();
}

#[tokio::test]
async fn bit_reversal_takes_greedy_seven_cycles_if_the_first_survive() {
    let page = open("v=1&switch=delivery&route=greedy&traffic=bit-reversal&survive=left").await;
    page.key(Key::End.into()).await;
    page.until_text("#ending", "All messages have arrived after 7 cycles").await;
    page.key(Key::Home.into()).await;
    page.until_text(".caption h2", "load factor 4").await;
    page.key('.').await;
    page.until_text("#counts", "14").await;
    page.key(Key::Right.into()).await;
    page.until("something is in focus", "return document.getElementById('summary').textContent.includes('In focus: ')")
        .await;
    page.ends_clean();
}

#[tokio::test]
async fn a_set_that_can_never_finish_is_explained() {
    let page = open("v=1&switch=delivery&route=greedy&survive=drop-all").await;
    page.key(Key::End.into()).await;
    page.until_text("#ending", "Stuck with ").await;
    assert_eq!(page.run("return document.querySelectorAll('#fates option').length").await, json!(1));
    page.write("#field-from-the-leaves", "1,2").await;
    page.until_text(".refused", "2 capacities: this tree needs 6").await;
    page.write("#field-from-the-leaves", "1,0,1,1,1,1").await;
    page.until_text(".refused", "not a capacity profile").await;
    page.write("#field-message", "64").await;
    page.until_text("#field-message-refused", "no such message: 0 to 63").await;
    page.ends_clean();
}

#[tokio::test]
async fn the_paper_on_fat_trees_is_recomputed() {
    let page = Page::open("v=1&switch=delivery&view=papers").await;
    page.until("it is there", "return document.querySelectorAll('.papers .verdict i').length > 10").await;
    // Property 1 of Theorem 9's sets fails on standard capacities: the paper's error, and the only one.
    let script = r"const failing = [...document.querySelectorAll('.papers .verdict i')].filter(mark => mark.textContent === '✗');
        return failing.length > 0 && failing.every(mark => mark.closest('#fat-tree-theorem9'))";
    page.until("nothing else fails", script).await;
    page.ends_clean();
}
