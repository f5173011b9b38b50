//! Tests of Watch with circuits: networks side by side, manual faults, and runs that end.

use fantoccini::key::Key;
use serde_json::json;

use crate::browser::Page;

/// Two networks of 32 nodes with the same messages.
const PLAIN: &str = "v=2&switch=circuit";

/// Script that returns the displayed time.
const TIME: &str = "return Number(/time ([0-9.]+)/.exec(document.querySelector('output.time').textContent)[1])";

/// Script that returns the time on the slider, which is not rounded: two events may be displayed at
/// the same time.
const EXACT_TIME: &str = "return Number(document.querySelector('[aria-label=Time][type=range]').value)";

/// Selector of the button that steps forward, once the next event is known.
const FORWARD: &str = "[aria-label='One event forward']:not([aria-disabled])";

async fn focus_first(page: &Page) {
    page.run("document.querySelector('canvas.network').focus()").await;
}

#[tokio::test]
async fn seeking_back_restores_the_empty_network() {
    let page = Page::open(PLAIN).await;
    page.until_text("#summary", "At time 0.00. e-cube: 0 transmit, 0 wait, 0 circuits were set up.").await;
    assert_eq!(page.run("return document.querySelectorAll('.panel canvas').length").await, json!(2));
    // Nothing can be played before the first frame.
    page.click("[aria-label=Play]:not([aria-disabled])").await;
    page.wait_until("time runs", &format!("{TIME} > 1")).await;
    page.click("[aria-label=Pause]").await;
    // The page shows the time of the pause with its next frame.
    page.find("[aria-label=Play]").await;
    page.until_text("#summary", "transmit").await;
    let script = r"const said = document.getElementById('summary').textContent;
        return [...said.matchAll(/ (\d+) circuits were set up/g)].every(found => Number(found[1]) > 3)";
    page.wait_until("circuits were set up in both", script).await;
    let time = page.run(EXACT_TIME).await;
    page.click(FORWARD).await;
    page.wait_until("one event on", &format!("{EXACT_TIME} > {time}")).await;
    page.until_text("#events li", "message").await;
    page.click("[aria-label='One event back']").await;
    page.wait_until("and back", &format!("{EXACT_TIME} <= {time}")).await;
    page.run("const bar = document.querySelector('[aria-label=Time][type=range]'); bar.value = 0; bar.dispatchEvent(new InputEvent('input', { bubbles: true }))")
        .await;
    page.until_text("#summary", "At time 0.00. e-cube: 0 transmit, 0 wait, 0 circuits were set up.").await;
    page.assert_no_log();
}

#[tokio::test]
async fn links_and_nodes_are_broken_by_keys_and_by_clicks() {
    let page = Page::open(PLAIN).await;
    // Keyboard focus shows the cursor's position at once.
    focus_first(&page).await;
    page.until_text("#summary", "In focus: node 00000, live.").await;
    page.key('l').await;
    page.until_text("#summary", "In focus: link 00000 → 00001, free.").await;
    page.key('l').await;
    page.until_text("#summary", "In focus: link 00000 → 00010, free.").await;
    page.key(Key::Enter.into()).await;
    page.until_link("v=2&switch=circuit&break=0_1").await;
    page.until_text("#summary", "In focus: link 00000 → 00010, faulty.").await;
    page.key('b').await;
    page.until_link(PLAIN).await;

    let node = page.node("live").await;
    page.click_at(node.x, node.y).await;
    page.until_link(&format!("v=2&switch=circuit&break={}", node.number())).await;
    page.click_labelled("Undo").await;
    page.until_link(PLAIN).await;
    page.assert_no_log();
}

/// During playback a clicked node breaks at the time shown, and time goes on from there.
#[tokio::test]
async fn a_clicked_node_breaks_during_playback() {
    // The preset `circuit-breaks`: node 17 breaks at time 12.
    let page = Page::open("v=2&switch=circuit&rate=0.8&later=12:17&layout=cube&time=11").await;
    page.until_text("#summary", "At time 11.00. e-cube: ").await;
    let node = page.node("live").await;
    // A click on the button could scroll the node away.
    page.run("document.querySelector('canvas.network').focus({ preventScroll: true })").await;
    page.key(' ').await;
    page.wait_until("it plays", &format!("{TIME} > 12")).await;
    page.click_at(node.x, node.y).await;
    let script = format!("return Number(/[,=]([0-9.]+):{}(,|&|$)/.exec(location.hash)?.[1] ?? 0)", node.number());
    let onset = page.wait_until("it breaks now", &script).await.as_f64().unwrap_or_default();
    assert!(onset > 12.0, "{onset}");
    page.wait_until("time goes on", &format!("{TIME} > {onset} + 1")).await;
    for (node, time) in [(17, 12.0), (node.number(), onset)] {
        let chip = format!("return document.body.innerText.includes('{node} at {time}')");
        page.wait_until("it is listed", &chip).await;
    }
    page.click("[aria-label=Pause]").await;
    // Pointing at the node again shows its state.
    let found = page.node("faulty").await;
    assert!([17, node.number()].contains(&found.number()), "{}", found.name);
    page.assert_no_log();
}

#[tokio::test]
async fn a_message_is_followed_and_its_decisions_are_explained() {
    let page = Page::open(PLAIN).await;
    focus_first(&page).await;
    // Keys that come faster than frames would make a single step.
    for _ in 0..12 {
        page.find(FORWARD).await;
        let time = page.run(EXACT_TIME).await;
        page.key('.').await;
        page.wait_until("one event on", &format!("{EXACT_TIME} > {time}")).await;
    }
    page.click("#messages button").await;
    page.until_text("#followed", "generated at").await;
    let script = "return /transmits until|waited at .* for .*dimension .* held by message/
        .test(document.querySelector('#followed .message-status')?.textContent)";
    page.wait_until("how it stands is told", script).await;
    page.click("#messages li:last-child button").await;
    page.until_text("#followed .message-status", "The").await;
    page.until_text("#followed .hops", "dimension").await;
    focus_first(&page).await;
    page.key(Key::Escape.into()).await;
    page.wait_until("nothing is chosen", "return !document.querySelector('#messages [aria-current]')").await;
    page.assert_no_log();
}

#[tokio::test]
async fn time_ends_at_deadlock() {
    let page = Page::open("v=2&net=cube:3&route=up-dp-mix&switch=circuit&rate=0.6&sample=14").await;
    page.until_text(".explanation .hint", "Ahead: Deadlock at 10.93").await;
    focus_first(&page).await;
    page.key(Key::End.into()).await;
    page.until_text("#ending", "Deadlock at 10.93: message").await;
    page.until_text(".caption h2", "wait for each other in a circle").await;
    page.until_text("output.time", "time 10.93 of 10.93").await;
    let script = "return document.querySelector(\"[aria-label='One event forward']\").ariaDisabled === 'true'";
    assert_eq!(page.run(script).await, json!(true));
    page.assert_no_log();
}

#[tokio::test]
async fn saturation_of_up_is_reported() {
    let page = Page::open("v=2&switch=circuit&rate=0.38&sample=49").await;
    page.until_text(".series", "UP").await;
    focus_first(&page).await;
    page.key(Key::End.into()).await;
    page.until_text(".caption h2", "Under UP the network has collapsed; e-cube still delivers").await;
    page.until_text("#summary", "UP: ").await;
    page.until_text("#summary", "Collapsed: at 433.8, 2049 messages wait").await;
    page.assert_no_log();
}

#[tokio::test]
async fn large_cubes_are_summarized() {
    let page = Page::open("v=2&net=cube:12&route=e-cube&switch=circuit").await;
    page.until_text(".figure-tools", "too large to draw node by node").await;
    page.click(FORWARD).await;
    page.wait_until("time has moved", &format!("{TIME} >= 0 && document.querySelector('#events li')")).await;
    page.assert_no_log();
}
