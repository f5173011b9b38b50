//! Tests of user-defined routing: writing rules, counterexamples, fixes, turns prohibited by a
//! click, exercises with solutions.

use std::time::Duration;

use fantoccini::key::Key;
use serde_json::json;

use crate::browser::Page;

/// Time limit of a search over all faults of a small mesh on a busy machine.
const SEARCH: Duration = Duration::from_secs(60);

const MINIMAL: &str = "routing mine on mesh 2\nalways take minimal \"any hop nearer to its destination\"";
const WEST: &str = "routing mine on mesh 2\nwhen West is minimal take West\notherwise take minimal";

/// Returns an experiment on a small mesh with these rules.
fn under(rules: &str, more: &str) -> String {
    let escaped: String = rules
        .bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    format!("v=2&net=mesh:4x4&switch=wormhole{more}&rules={escaped}")
}

/// Replaces the text in the editor.
async fn write(page: &Page, text: &str) {
    page.find("#rules-text").await;
    page.run("const field = document.getElementById('rules-text'); field.focus(); field.select()").await;
    // The page applies the text after a pause of half a second, which a request for each key could
    // cause.
    page.keys(text.chars().map(|letter| if letter == '\n' { char::from(Key::Enter) } else { letter })).await;
}

/// Waits until the verdict contains `part`.
async fn until_verdict(page: &Page, part: &str) {
    let script = format!("return document.getElementById('verdict')?.textContent.includes({})", json!(part));
    page.until_in(SEARCH, &format!("the verdict says {part:?}"), &script).await;
}

async fn until_rules(page: &Page, part: &str, is_there: bool) {
    let script =
        format!("return document.getElementById('rules-text')?.value.includes({}) === {is_there}", json!(part));
    page.wait_until(&format!("{part:?} is in the editor: {is_there}"), &script).await;
}

#[tokio::test]
async fn a_routing_is_written_from_nothing() {
    let page = Page::open("v=2&net=mesh:4x4&switch=wormhole").await;
    page.click_labelled("Write your own").await;
    page.wait_until("the editor has the focus", "return document.activeElement.id === 'rules-text'").await;
    until_verdict(&page, "mine: deadlocks").await;
    let before = page.link().await;
    // A syntax error is reported with its position, and the previous rules stay active.
    write(&page, "routing west on mesh 2\nwhen West is minimal take West\notherwise take minimall").await;
    page.until_text("#rules-problem", "Line 3, column 16: minimall").await;
    page.until_text("#rules-problem", "Accepted here: ").await;
    assert_eq!(page.run("return document.querySelectorAll('.rules__lines .wrong').length").await, json!(1));
    assert_eq!(
        page.run("return document.getElementById('rules-text').getAttribute('aria-invalid')").await,
        json!("true")
    );
    assert_eq!(page.link().await, before);
    page.key(Key::Backspace.into()).await;
    page.wait_until("the rules are taken", "return decodeURIComponent(location.hash).includes('routing west')").await;
    until_verdict(&page, "west: safe without faults; loses").await;
    // Typing without a pause is a single undo step.
    page.click_labelled("Undo").await;
    page.until_link(&before).await;
    until_rules(&page, "routing mine", true).await;
    // The Tab key leaves the editor.
    page.run("document.getElementById('rules-text').focus()").await;
    page.key(Key::Tab.into()).await;
    page.wait_until("the focus has left", "return document.activeElement.id !== 'rules-text'").await;
    page.assert_no_log();
}

#[tokio::test]
async fn a_deadlock_is_watched_and_undone() {
    let page = Page::open(&under(MINIMAL, "")).await;
    until_verdict(&page, "mine: deadlocks").await;
    let before = page.link().await;
    page.click_labelled("Watch the flaw").await;
    page.wait_until("the circle's own messages are sent", "return location.hash.includes('traffic=')").await;
    page.until_text(".caption h2", "wait for each other in a circle").await;
    // Undo keeps the displayed time.
    page.click_labelled("Undo").await;
    page.wait_until("it is undone", &format!("return location.hash.startsWith({})", json!(format!("#{before}")))).await;
    page.wait_until("nobody else is sent", "return !location.hash.includes('traffic=')").await;
    page.assert_no_log();
}

#[tokio::test]
async fn counterexample_marks_its_settings_and_returns_with_fix() {
    let page = Page::open(&under(MINIMAL, "&load=0.3")).await;
    until_verdict(&page, "mine: deadlocks").await;
    let done =
        "return !!document.querySelector('.rule-verdict li') && !document.querySelector('.rule-verdict progress')";
    page.until_in(SEARCH, "the search is done", done).await;
    page.run(
        "[...document.querySelectorAll('.rule-verdict button')].find(one => one.textContent === 'Watch the flaw').focus()",
    )
    .await;
    page.key(Key::Enter.into()).await;
    page.until_text("#counterexample", "It changes the traffic, ").await;
    page.wait_until("the focus is on the network", "return document.activeElement.matches('canvas.network')").await;
    // Fix the rules in the counterexample and visit other views.
    write(&page, WEST).await;
    page.wait_until("the rules are taken", "return decodeURIComponent(location.hash).includes('when West')").await;
    page.click_labelled("Measure").await;
    page.until_text("#counterexample", "also in Measure and Check").await;
    page.click_labelled("Back to your experiment").await;
    page.wait_until("it is one's own again", "return !document.querySelector('#counterexample')").await;
    page.wait_until("so is the link", "return !location.hash.includes('traffic=')").await;
    let link = page.link().await;
    assert!(link.contains("load=0.3") && link.contains("when") && !link.contains("traffic="), "{link}");
    // Return with the fault that loses messages.
    page.click_labelled("Watch").await;
    until_verdict(&page, "mine: safe without faults; loses").await;
    page.click_labelled("Watch the flaw").await;
    page.click_labelled("Back, but keep the faults").await;
    page.wait_until("it is one's own", "return !document.querySelector('#counterexample')").await;
    page.wait_until("so is the link", "return !location.hash.includes('traffic=')").await;
    let link = page.link().await;
    assert!(link.contains("break=") && !link.contains("traffic="), "{link}");
    page.assert_no_log();
}

#[tokio::test]
async fn undo_discards_and_stashes_invalid_text() {
    let page = Page::open(&under(WEST, "&load=0.3")).await;
    page.find("#rules-text").await;
    page.click("[aria-label='turn from North to East: permitted']").await;
    until_rules(&page, "ahead", true).await;
    page.wait_until("the link has the rule", "return decodeURIComponent(location.hash).includes('ahead')").await;
    let before = page.link().await;
    write(&page, "routing mine on").await;
    page.until_text("#rules-problem", "Line 1").await;
    page.click_labelled("Undo").await;
    until_rules(&page, "ahead", true).await;
    assert_eq!(page.link().await, before);
    page.click_labelled("Restore text").await;
    until_rules(&page, "ahead", false).await;
    page.assert_no_log();
}

#[tokio::test]
async fn opening_exercise_stashes_current_text() {
    let page = Page::open(&under(WEST, "")).await;
    page.find("#rules-text").await;
    page.key('e').await;
    page.find("dialog[open] .gallery input").await;
    page.run("document.querySelector('.gallery input').focus()").await;
    for letter in "exercise".chars() {
        page.key(letter).await;
    }
    page.click_labelled("5: one row up first").await;
    page.until_text(".task", "Which messages are lost").await;
    page.click_labelled("Restore text").await;
    until_rules(&page, "when West is minimal", true).await;
    page.assert_no_log();
}

#[tokio::test]
async fn draft_survives_view_and_rule_changes() {
    let page = Page::open(&under(WEST, "")).await;
    write(&page, "routing mine on mesh 2\nwhen").await;
    page.until_text("#rules-problem", "Line 2").await;
    page.click_labelled("Check").await;
    page.wait_until("the editor is gone", "return !document.getElementById('rules-text')").await;
    page.click_labelled("Watch").await;
    until_rules(&page, "\nwhen", true).await;
    page.choose("#rules-start", "odd-even").await;
    page.click(".rules__start > button").await;
    until_rules(&page, "my-odd-even", true).await;
    page.click_labelled("Restore text").await;
    until_rules(&page, "\nwhen", true).await;
    // The link keeps the last valid rules.
    page.reload().await;
    until_rules(&page, "my-odd-even", true).await;
    page.assert_no_log();
}

#[tokio::test]
async fn a_turn_that_is_clicked_is_a_rule() {
    let page = Page::open(&under(MINIMAL, "")).await;
    page.click("[aria-label='turn from North to West: permitted']").await;
    until_rules(&page, "when North is ahead take minimal and not West", true).await;
    page.find("[aria-label='turn from North to West: prohibited']").await;
    page.run("document.querySelector(\"[aria-label='turn from North to West: prohibited']\").focus()").await;
    page.key(Key::Enter.into()).await;
    until_rules(&page, "ahead", false).await;
    page.choose("#rules-start", "odd-even").await;
    page.click(".rules__start > button").await;
    until_rules(&page, "my-odd-even", true).await;
    page.click("[aria-label='turn from East to South: permitted']").await;
    page.until_text(".turns", "depends on more than the direction").await;
    page.assert_no_log();
}

#[tokio::test]
async fn an_exercise_has_its_cure_one_click_away() {
    let page = Page::open(&under(WEST, "")).await;
    page.click(".rules__start [title^='5: ']").await;
    page.until_text(".task", "Which messages are lost").await;
    // The verdict is hidden until the user asks.
    page.until_text("#verdict", "Find the flaw before you look").await;
    page.click_labelled("Show the verdict").await;
    until_verdict(&page, "my-above: loses 120 of 600 pairs").await;
    page.click_labelled("Show the solution").await;
    until_rules(&page, "in fresh when North is live", true).await;
    until_verdict(&page, "my-above: safe without faults").await;
    page.until_text(".task", "Solution. Safe without faults").await;
    let solved =
        "return document.getElementById('verdict').textContent.startsWith('Exercise solved: the flaw is gone.')";
    page.until_in(SEARCH, "it is solved", solved).await;
    page.click_labelled("Show the flaw").await;
    until_rules(&page, "in fresh always", true).await;
    // Closing the exercise leads back to the experiment before it, without rules.
    page.click_labelled("Close").await;
    page.until_text(".note", "The rules are closed. Undo restores them.").await;
    let link = page.link().await;
    assert!(link.contains("net=mesh:4x4") && !link.contains("rules="), "{link}");
    page.assert_no_log();
}

#[tokio::test]
async fn the_rule_that_fires_is_marked() {
    let page = Page::open(&under(WEST, "&traffic=1.2-0.1&time=0")).await;
    page.wait_until("the network is there", "return !!document.querySelector('canvas.network')").await;
    // Record every highlighted rule: on a busy machine some steps are drawn between two polls.
    page.run(
        "window.fired = [];
         const look = () => {
             const line = [...document.querySelectorAll('.rules__lines > div')].findIndex(line => line.classList.contains('fired'));
             if (line >= 0 && !fired.includes(line)) fired.push(line);
         };
         new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
         document.querySelector('canvas.network').focus();",
    )
    .await;
    // Wait until each step is shown: of several steps between two notifications only the last one
    // is, and a rule that fires between them would be missed.
    for _ in 0..40 {
        let time = page.text("output.time").await;
        page.key('.').await;
        let shown = "return fired.length === 2 || document.querySelector('output.time').textContent !== ";
        page.wait_until("the step is shown", &format!("{shown}{}", json!(time))).await;
    }
    // The message goes West by the second line first, then North by the third.
    page.wait_until("both rules have fired", "return fired.length === 2").await;
    assert_eq!(page.run("return fired").await, json!([1, 2]));
    // A published algorithm can be opened as rules.
    page.visit("v=2&net=mesh:4x4&switch=wormhole&route=odd-even").await;
    page.click_labelled("Open odd-even as rules").await;
    until_rules(&page, "routing my-odd-even", true).await;
    page.assert_no_log();
}

#[tokio::test]
async fn user_routing_works_for_circuits() {
    let page = Page::open("v=2&net=cube:3&switch=circuit").await;
    page.click_labelled("Write your own").await;
    until_verdict(&page, "mine: ").await;
    write(&page, "routing mine on cube\nalways take wrong \"any of them\"").await;
    page.wait_until("the rules are taken", "return decodeURIComponent(location.hash).includes('any of them')").await;
    until_verdict(&page, "mine: deadlocks").await;
    page.click_labelled("Watch the flaw").await;
    page.until_text(".caption h2", "wait for each other in a circle").await;
    page.wait_until(
        "its reasons are the rule's",
        "return document.querySelector('#followed .hops')?.textContent.includes('any of them')",
    )
    .await;
    page.wait_until("the rule is marked", "return document.querySelectorAll('.rules__lines .fired').length === 1")
        .await;
    page.assert_no_log();
}
