//! Tests of Watch: time, the canvas, manual faults.

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::browser::Page;

/// A message that is blocked once and sidetracks once: eight hops.
const AROUND: &str = "v=2&faults=nodes:0.3&sample=11";

/// Script that returns the number of the hop that the list marks, or null if it marks none.
const MARKED: &str = "const marked = document.querySelectorAll('.hops [aria-current=step] .badge');
    return marked.length === 1 ? Number(marked[0].textContent) : marked.length ? 'several' : null";

async fn until_hop(page: &Page, hop: u32) {
    page.until_text("output.time", format!("hop {hop} of 8")).await;
    let marked = if hop == 0 { Value::Null } else { json!(hop) };
    assert_eq!(page.run(MARKED).await, marked, "the list marks the hop");
}

#[tokio::test]
async fn steps_and_plays_by_buttons() {
    let page = Page::open(AROUND).await;
    until_hop(&page, 0).await;
    page.click("[aria-label='One hop forward']").await;
    until_hop(&page, 1).await;
    page.click("[aria-label='One hop forward']").await;
    until_hop(&page, 2).await;
    page.click("[aria-label='One hop back']").await;
    until_hop(&page, 1).await;
    page.click(".hops li:nth-child(5) button").await;
    until_hop(&page, 5).await;
    page.click("[aria-label=Play]").await;
    until_hop(&page, 8).await;
    page.wait_until("it stops at the end", "return document.querySelector('.play').ariaLabel === 'Play'").await;
    page.assert_no_log();
}

#[tokio::test]
async fn steps_and_plays_by_keys() {
    let page = Page::open(AROUND).await;
    page.run("document.querySelector('canvas.network').focus()").await;
    until_hop(&page, 0).await;
    page.key('.').await;
    until_hop(&page, 1).await;
    page.key('.').await;
    until_hop(&page, 2).await;
    page.key(',').await;
    until_hop(&page, 1).await;
    page.key(Key::End.into()).await;
    until_hop(&page, 8).await;
    page.key(Key::Home.into()).await;
    until_hop(&page, 0).await;
    page.key(' ').await;
    page.wait_until("it plays", "return document.querySelector('.play').ariaLabel === 'Pause'").await;
    page.wait_until("it moves", "return document.querySelectorAll('.hops [aria-current=step]').length").await;
    page.key(' ').await;
    page.wait_until("it stands", "return document.querySelector('.play').ariaLabel === 'Play'").await;
    assert_eq!(page.run("return scrollY").await, json!(0), "space does not scroll");
    page.assert_no_log();
}

#[tokio::test]
async fn a_click_breaks_a_node_and_mends_it() {
    let page = Page::open(AROUND).await;
    let live = page.node("live").await;
    page.click_at(live.x, live.y).await;
    let broken = format!("v=2&faults=nodes:0.3&break={}&sample=11", live.number());
    page.until_link(&broken).await;
    page.until_text("#summary", format!("In focus: node {}, faulty.", live.name)).await;
    let chip = format!(".chip[aria-label^='Undo: node {} was broken']", live.name);
    page.find(&chip).await;
    page.click_at(live.x, live.y).await;
    page.until_link(AROUND).await;
    page.until_text("#summary", format!("In focus: node {}, live.", live.name)).await;

    let faulty = page.node("faulty").await;
    page.click_at(faulty.x, faulty.y).await;
    page.until_link(&format!("v=2&faults=nodes:0.3&mend={}&sample=11", faulty.number())).await;
    page.click(&format!(".chip[aria-label^='Undo: node {} was mended']", faulty.name)).await;
    page.until_link(AROUND).await;
    page.assert_no_log();
}

#[tokio::test]
async fn a_broken_node_sends_the_message_another_way() {
    let page = Page::open("v=2&route=deterministic").await;
    page.find(".hops li:nth-child(6)").await;
    let second = page.text(".hops li:nth-child(2) code").await;
    let number = u64::from_str_radix(&second, 2).expect("a node in binary");
    page.visit(&format!("v=2&break={number}&route=deterministic")).await;
    page.wait_until(
        "the path avoids it",
        &format!(
            "const path = [...document.querySelectorAll('.hops code')].map(code => code.textContent);
         return path.length === 6 && !path.includes('{second}')"
        ),
    )
    .await;
    page.assert_no_log();
}

/// At the end of time, an edit moves the display to the new end.
#[tokio::test]
async fn edit_at_end_seeks_to_new_end() {
    let page = Page::open("v=2&net=cube:4&route=deterministic").await;
    page.run("document.querySelector('canvas.network').focus()").await;
    page.key(Key::End.into()).await;
    page.until_text("output.time", "hop 4 of 4").await;
    page.visit("v=2&net=cube:4&break=12&route=deterministic").await;
    page.until_text(".chips", "1100").await;
    page.until_text("output.time", "hop 4 of 4").await;
    page.visit("v=2&net=cube:4&break=12,10,9&route=deterministic").await;
    page.until_text(".caption h2", "dead end").await;
    page.assert_no_log();
}

#[tokio::test]
async fn edits_are_undone_and_the_history_brings_them_back() {
    let page = Page::open(AROUND).await;
    let is_off = |name: &str| {
        format!("return [...document.querySelectorAll('button')].find(b => b.textContent === '{name}').disabled")
    };
    assert_eq!(page.run(&is_off("Undo")).await, json!(true));
    let node = page.node("live").await;
    page.click_at(node.x, node.y).await;
    let broken = format!("v=2&faults=nodes:0.3&break={}&sample=11", node.number());
    page.until_link(&broken).await;
    assert_eq!(page.run(&is_off("Redo")).await, json!(true));
    page.click_labelled("Undo").await;
    page.until_link(AROUND).await;
    page.click_labelled("Redo").await;
    page.until_link(&broken).await;
    page.run("document.querySelector('canvas.network').focus()").await;
    page.run("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }))")
        .await;
    page.until_link(AROUND).await;

    page.visit("v=2&faults=nodes:0.1&sample=11").await;
    page.wait_until("the field follows", "return document.getElementById('field-fault-rate-p').value === '0.1'").await;
    page.client.back().await.expect("back works");
    page.until_link(AROUND).await;
    page.wait_until("the field follows", "return document.getElementById('field-fault-rate-p').value === '0.3'").await;
    page.client.back().await.expect("back works");
    page.until_link(&broken).await;
    page.until_text(".chips", &node.name).await;
    page.client.forward().await.expect("forward works");
    page.until_link(AROUND).await;
    page.wait_until("the chip is gone", "return !document.querySelector('.chips .chip')").await;
    page.assert_no_log();
}

#[tokio::test]
async fn enter_breaks_the_node_in_focus() {
    let page = Page::open(AROUND).await;
    page.run("document.querySelector('canvas.network').focus()").await;
    page.until_text("#summary", "In focus: node 000000").await;
    page.key(Key::Enter.into()).await;
    page.until_text("[role=alert]", "Source and destination are live").await;
    assert_eq!(page.link().await, AROUND);
    page.click_labelled("Dismiss").await;
    page.wait_until("the message is gone", "return !document.querySelector('[role=alert]')?.textContent.trim()").await;
    page.run("document.querySelector('canvas.network').focus()").await;
    page.key(Key::Right.into()).await;
    let script = r"const found = /In focus: node ([01]+), (\w+)\./.exec(document.getElementById('summary').textContent);
        return found && found[1].includes('1') ? [found[1], found[2]] : null";
    let focus = page.wait_until("a neighbour is in focus", script).await;
    let number = u64::from_str_radix(focus[0].as_str().unwrap_or_default(), 2).expect("a node in binary");
    let key = if focus[1] == json!("live") { "break" } else { "mend" };
    page.key(Key::Enter.into()).await;
    page.until_link(&format!("v=2&faults=nodes:0.3&{key}={number}&sample=11")).await;
    page.key(Key::Enter.into()).await;
    page.until_link(AROUND).await;
    page.key(Key::Escape.into()).await;
    page.wait_until(
        "nothing is in focus",
        "return !document.getElementById('summary').textContent.includes('In focus')",
    )
    .await;
    page.assert_no_log();
}

#[tokio::test]
async fn large_cubes_can_be_watched() {
    let page = Page::open("v=2&net=cube:64&faults=nodes:0.5").await;
    page.click("[aria-label='One hop forward']").await;
    page.until_text("output.time", "hop 1 of").await;
    page.until_text(".hops", "0x").await;
    page.assert_no_log();
}
