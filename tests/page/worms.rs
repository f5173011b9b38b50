//! Tests of Watch with worms: meshes side by side, manual faults, decisions of a message,
//! deadlocks.

use fantoccini::key::Key;
use serde_json::json;

use crate::browser::Page;

/// Two meshes with two fault rings each and the same messages.
const PLAIN: &str = "v=2&net=mesh:6x6&switch=wormhole&break=1.2,3.4-4.4";

/// f-cube with a single class, which deadlocks, beside f-cube2.
const DEADLOCK: &str = "v=2&net=mesh:6x6&switch=wormhole&break=2.2&route=f-cube1,f-cube2&load=1&vc=2";

/// Script that returns the displayed cycle.
const CYCLE: &str = "return Number(/cycle ([0-9]+)/.exec(document.querySelector('output.time').textContent)[1])";

async fn open(text: &str) -> Page {
    let page = Page::open(text).await;
    page.wait_until("the opening is there", &format!("{CYCLE} === 250")).await;
    focus_first(&page).await;
    page
}

async fn focus_first(page: &Page) {
    page.run("document.querySelector('canvas.network').focus()").await;
}

#[tokio::test]
async fn seeking_back_restores_the_empty_network() {
    let page = open(PLAIN).await;
    page.until_text(".caption h2", "Worms are routed around 2 fault rings under f-cube2 and LH2").await;
    assert_eq!(page.run("return document.querySelectorAll('.panel canvas').length").await, json!(2));
    page.key('.').await;
    page.until_text("#summary", "At cycle 251. f-cube2: ").await;
    page.key(',').await;
    page.key(',').await;
    page.until_text("#summary", "At cycle 249. f-cube2: ").await;
    page.click("[aria-label=Play]").await;
    page.wait_until("time runs", &format!("{CYCLE} > 260")).await;
    page.click("[aria-label=Pause]").await;
    let script = r"return [...document.querySelectorAll('#counts tbody tr:nth-child(2) td')].every(cell => Number(cell.textContent) > 50)";
    page.wait_until("messages were delivered in both", script).await;
    focus_first(&page).await;
    page.key(Key::Home.into()).await;
    page.until_text("#summary", "At cycle 0. f-cube2: 0 messages in the network, 0 delivered, 0 discarded.").await;
    page.assert_no_log();
}

#[tokio::test]
async fn nodes_and_links_are_broken_by_keys_and_by_clicks() {
    let page = open(PLAIN).await;
    page.until_text("#summary", "In focus: node (0,0), live").await;
    page.key(Key::Right.into()).await;
    page.until_text("#summary", "In focus: node (0,1), live, NW of a region").await;
    page.key('l').await;
    page.until_text("#summary", "In focus: link (0,1)–(0,2), East ").await;
    page.key('b').await;
    page.until_link("v=2&net=mesh:6x6&switch=wormhole&break=1.2,0.1-0.2,3.4-4.4").await;
    page.until_text("#summary", "In focus: link (0,1)–(0,2), faulty").await;
    page.click_labelled("Undo").await;
    page.until_link(PLAIN).await;
    // Find the node in the south-western corner by mouse.
    let search = r"
        for (let x = box.left + 2; x < box.right; x += 6) for (let y = box.bottom - 2; y > box.top; y -= 6) {
            const found = await place(x, y, text => text.includes('In focus: node (5,0), live'));
            if (found) return found;
        }
        return null;";
    let found = page.search_canvas(search).await;
    page.click_at(found[0].as_f64().unwrap_or_default(), found[1].as_f64().unwrap_or_default()).await;
    page.until_link("v=2&net=mesh:6x6&switch=wormhole&break=1.2,5.0,3.4-4.4").await;
    page.until_text(".caption h2", "2 fault rings and 1 fault chain").await;
    page.until_text(".caption p", "Not proved to deliver without deadlock on these faults: f-cube2 and LH2").await;
    page.assert_no_log();
}

#[tokio::test]
async fn a_message_is_followed_and_its_decisions_are_explained() {
    let page = open(PLAIN).await;
    page.until_text("#followed", "blocked by the ").await;
    page.until_text("#followed .hops", "around the fault ring; class c").await;
    page.click("#messages li:last-child button").await;
    page.wait_until("it is chosen", "return !!document.querySelector('#messages [aria-current]')").await;
    page.until_text("#followed .message-status", "t").await;
    page.click(".explanation .series button:last-child").await;
    page.until_text("#followed .hops", "virtual channel").await;
    page.wait_until(
        "LH2 is explained",
        "return document.querySelector('.series [aria-pressed=true]').textContent.includes('LH2')",
    )
    .await;
    focus_first(&page).await;
    page.key('+').await;
    page.key(Key::Escape.into()).await;
    page.assert_no_log();
}

/// Check and Watch give the messages of a deadlock the same numbers, and Watch leads back to Check.
#[tokio::test]
async fn a_deadlock_of_check_is_watched_and_leads_back() {
    let text = "v=2&net=mesh:8x8&switch=wormhole&route=lh2&break=3.3,3.4&view=check";
    let page = Page::open(text).await;
    page.click_labelled("Watch the deadlock").await;
    page.until_text("#ending", "messages 4 and 3 wait for each other").await;
    page.until_text("#counterexample", "This experiment shows the deadlock").await;
    page.click_labelled("Back to your experiment").await;
    page.wait_until(
        "Check is back",
        "return location.hash.includes('view=check') && !location.hash.includes('traffic=')",
    )
    .await;
    page.until_text(".cards", "Message 3 from (4,4) to (0,4) waits for ").await;
    page.assert_no_log();
}

/// During playback a node breaks in the current cycle, and time goes on from there.
#[tokio::test]
async fn a_node_breaks_during_playback() {
    let page = Page::open("v=2&net=mesh:6x6&switch=wormhole&faults=none&route=f-cube2&load=0.3&time=50").await;
    page.wait_until("the opening is there", &format!("{CYCLE} === 50")).await;
    focus_first(&page).await;
    page.key(Key::Right.into()).await;
    page.until_text("#summary", "In focus: node (0,1), live").await;
    page.click("[aria-label=Play]").await;
    page.wait_until("it plays", &format!("{CYCLE} > 60")).await;
    focus_first(&page).await;
    page.key('b').await;
    let script = "return Number(/later=(\\d+):0\\.1(&|$)/.exec(location.hash)?.[1] ?? 0)";
    let onset = page.wait_until("it breaks now", script).await.as_f64().unwrap_or_default();
    assert!(onset > 50.0, "{onset}");
    page.wait_until("time goes on", &format!("{CYCLE} > {onset} + 10")).await;
    let chip = format!("return document.body.innerText.includes('0.1 in cycle {onset}')");
    page.wait_until("it is listed", &chip).await;
    page.assert_no_log();
}

#[tokio::test]
async fn a_deadlock_is_known_ahead_and_time_stops_there() {
    let page = open(DEADLOCK).await;
    page.until_text(".explanation .hint", "Ahead: Deadlock since cycle ").await;
    page.click_labelled("Go there").await;
    page.until_text("#ending", "wait for each other: ").await;
    page.until_text(".caption h2", "Deadlock under f-cube, one class: ").await;
    page.until_text("#summary", "will never move.").await;
    let script = "return document.querySelectorAll('#outcomes option').length";
    assert_eq!(page.run(script).await, json!(1));
    page.assert_no_log();
}

#[tokio::test]
async fn closure_is_shown_round_by_round_and_what_is_cut_off_is_told() {
    let page = open("v=2&net=mesh:8x8&switch=wormhole&break=2.2,3.3,4.4,6.0,7.1&load=0.3").await;
    page.until_text(".caption p", "Hatched: ").await;
    page.until_text(".stepper output", "round ").await;
    page.run("const bar = document.querySelector('.stepper input'); bar.value = 0; bar.dispatchEvent(new InputEvent('input', { bubbles: true }))")
        .await;
    page.until_text(".stepper output", "original faults").await;
    page.assert_no_log();
}

#[tokio::test]
async fn offers_heat_map_and_exports() {
    let page = open(PLAIN).await;
    page.run(
        r"window.files = []; const make = URL.createObjectURL;
        URL.createObjectURL = blob => { blob.text().then(text => window.files.push(text)); return make.call(URL, blob) }",
    )
    .await;
    page.click(".view-toggles label:first-child").await;
    page.until_text(".caption p", "Busiest channel: ").await;
    // The numbers of the heat map are beside its box, those of the messages below the networks.
    page.click(".view-toggles .exports button").await;
    page.click(".figure-tools > .exports button").await;
    page.click_labelled("SVG").await;
    let script = "return ['series,cycle,from,to,direction,utilization', 'series,cycle,message', '>100%']
                      .every(part => window.files.some(text => text.includes(part)))";
    page.wait_until("the files are there", script).await;
    page.assert_no_log();
}
