//! Tests of explanations: glossary words, controls, entity links in sentences, cyclic waits,
//! dragged endpoints.

use fantoccini::key::Key;
use serde_json::json;

use crate::browser::Page;

/// Focuses the first match of `selector`.
async fn focus(page: &Page, selector: &str) {
    page.find(selector).await;
    page.run(&format!("document.querySelector({}).focus()", json!(selector))).await;
}

#[tokio::test]
async fn words_and_controls_say_what_they_mean() {
    let page = Page::open("v=2&net=mesh:8x8&switch=wormhole&break=3.3,3.4&route=f-cube2").await;
    focus(&page, ".caption dfn[data-word=flit]").await;
    page.until_text("#tooltip:not([hidden])", "crosses a channel in one cycle").await;
    assert_eq!(page.run("return !!document.querySelector('#tooltip svg')").await, json!(true), "with a picture");
    page.wait_until(
        "it describes the word",
        "return document.activeElement.getAttribute('aria-describedby') === 'tooltip'",
    )
    .await;
    page.key(Key::Escape.into()).await;
    page.wait_until("Escape ends it", "return document.getElementById('tooltip').hidden").await;
    focus(&page, "#field-load").await;
    page.wait_until("the field is explained", "return document.getElementById('tooltip').textContent.length > 20")
        .await;
    focus(&page, ".check[data-tip*='deadlock'] input").await;
    page.wait_until(
        "the routing is explained",
        "return document.getElementById('tooltip').textContent.includes('deadlock')",
    )
    .await;
    page.assert_no_log();
}

/// A tip is short, covers neither the picture nor the time, and disappears with the next action. The tip
/// of a row of a list covers no other row.
#[tokio::test]
async fn tips_keep_off_the_picture_and_go_when_something_is_done() {
    for (text, places) in [
        ("v=2&faults=nodes:0.3&sample=11", ["#field-fault-rate-p", "#field-path-limit----n", ".caption dfn"]),
        (
            "v=2&net=mesh:8x8&switch=wormhole&break=3.3,3.4&route=f-cube2",
            ["#field-load", ".find ~ div input", ".caption dfn"],
        ),
        (
            "v=2&faults=nodes:0.3&vary=p:0..0.9:10&view=measure",
            ["#field-fault-rate-p", "fieldset .check:nth-child(2) input[type=checkbox]", "#field-chart"],
        ),
    ] {
        let page = Page::open(text).await;
        for place in places {
            page.key('x').await;
            focus(&page, place).await;
            page.find("#tooltip:popover-open:not([hidden])").await;
            let script = format!(
                "const tip = document.getElementById('tooltip').getBoundingClientRect(), place = document.querySelector({});
                 const row = place.closest('label.check');
                 const over = [...document.querySelectorAll(row ? '#controls *' : 'canvas, .transport')].filter(it => {{
                     const box = it.getBoundingClientRect();
                     return box.left < tip.right && tip.left < box.right && box.top < tip.bottom && tip.top < box.bottom;
                 }});
                 const high = !place.closest('dfn') && tip.height > 115;
                 return over.length || high || tip.width > 380 || (!row && place.closest('#controls') && tip.right > 290) ? [over.length, tip] : 0",
                json!(place)
            );
            assert_eq!(page.run(&script).await, json!(0), "{text}: {place}");
            page.key(Key::Shift.into()).await;
            page.wait_until("any key ends it", "return document.getElementById('tooltip').hidden").await;
        }
        // Pressing a control hides its tip, even if the pointer stays.
        point_at(&page, places[0]).await;
        page.find("#tooltip:not([hidden])").await;
        page.click(places[0]).await;
        page.wait_until("a press ends it", "return document.getElementById('tooltip').hidden").await;
        point_at(&page, places[0]).await;
        assert_eq!(page.run("return document.getElementById('tooltip').hidden").await, json!(true), "{text}");
        page.assert_no_log();
    }
}

#[tokio::test]
async fn words_in_a_dialog_say_what_they_mean_above_it() {
    let page = Page::open("v=2&net=mesh:8x8&switch=wormhole&break=3.3,3.4&route=f-cube2").await;
    page.click_labelled("?").await;
    focus(&page, "dialog[open] dfn").await;
    // The tip is above the dialog, because it was shown later in the top layer.
    let script = "const tip = document.getElementById('tooltip'), word = document.querySelector('dialog dfn');
        return tip.matches(':popover-open') && tip.offsetHeight > 20 && word.getAttribute('aria-describedby') === 'tooltip'";
    page.wait_until("the tip is shown after the dialog", script).await;
    page.key(Key::Escape.into()).await;
    page.wait_until("Escape ends the tip", "return document.getElementById('tooltip').hidden").await;
    assert_eq!(page.run("return !!document.querySelector('dialog[open]')").await, json!(true), "and the dialog stays");
    page.key(Key::Escape.into()).await;
    page.wait_until("then the dialog", "return !document.querySelector('dialog')").await;
    page.assert_no_log();
}

#[tokio::test]
async fn routings_are_searched_by_what_they_promise() {
    let page = Page::open("v=2&net=mesh:8x8&switch=wormhole&break=3.3,3.4&route=f-cube2").await;
    page.type_into(".find", "whatever shortest never").await;
    let names = "return [...document.querySelectorAll('.sidebar .check[data-tip] span')].map(span => span.textContent)";
    let found = format!(
        "const names = (() => {{ {names} }})();
         return names.includes('west-first') && !names.includes('LH4')"
    );
    page.wait_until("west-first is found, and LH4 is not", &found).await;
    page.assert_no_log();
}

#[tokio::test]
async fn rare_controls_are_folded_and_say_how_many_are_changed() {
    let page = Page::open("v=2&net=mesh:8x8&switch=wormhole&break=3.3,3.4&buffer=4&policy=queue&route=f-cube2").await;
    page.until_text(".collapsed summary", "Channels and queues2 changed").await;
    page.assert_no_log();
}

#[tokio::test]
async fn a_node_that_a_sentence_names_is_shown_in_the_picture() {
    let page = Page::open("v=2&faults=nodes:0.3&sample=11").await;
    let name = page.text(".hops li:nth-child(3) span [data-at]").await;
    page.run(
        "document.querySelector('.hops li:nth-child(3) span [data-at]').dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))",
    )
    .await;
    page.until_text("#summary", format!("In focus: node {name}, live.")).await;
    page.wait_until("it lights up itself", "return !!document.querySelector('.hops li:nth-child(3) [data-at$=lit]')")
        .await;
    page.assert_no_log();
}

/// Moves the pointer over the first match of `selector`.
async fn point_at(page: &Page, selector: &str) {
    page.find(selector).await;
    let event = "dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))";
    page.run(&format!("document.querySelector({}).{event}", json!(selector))).await;
}

/// Script that returns a hash of the canvas.
const DRAWN: &str = "const canvas = document.querySelector('canvas.network'), copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext('2d'); context.drawImage(canvas, 0, 0);
    return context.getImageData(0, 0, copy.width, copy.height).data.reduce((sum, value, at) => (sum + value * (at % 997 + 1)) % 1e9, 0);";

#[tokio::test]
async fn links_that_words_name_are_shown_in_the_picture() {
    let page = Page::open("v=2&faults=nodes:0.3&sample=11").await;
    point_at(&page, ".hops li:nth-child(3) small [data-at]").await;
    page.until_text("#summary", "In focus: link ").await;
    let dimension = page.text(".hops li:nth-child(3) small [data-at]").await;
    assert!(dimension.starts_with("dimension"), "{dimension}");
    // Focus the hop itself by keyboard.
    focus(&page, ".hops li:nth-child(2) button").await;
    page.wait_until(
        "its hop is lit",
        "return document.querySelector('.hops li:nth-child(2) button').matches('[data-at$=lit]')",
    )
    .await;
    page.until_text("#summary", "In focus: link ").await;
    focus(&page, ".play").await;
    page.wait_until("nothing is lit", "return !document.querySelector('[data-at$=lit]')").await;
    page.assert_no_log();
}

#[tokio::test]
async fn messages_that_words_name_are_shown_in_the_picture() {
    for (text, time) in [
        ("v=2&net=cube:4&switch=circuit&rate=0.5&time=12", "time 12.00"),
        ("v=2&net=mesh:8x8&switch=wormhole&break=3.3,3.4&route=f-cube2", "cycle 250"),
        ("v=2&net=tree:16&switch=delivery&route=greedy", "cycle 1 of"),
        ("v=2&net=cube:4&switch=batch&length=8&route=valiant-brebner&time=6", "cycle 6 of"),
    ] {
        let page = Page::open(text).await;
        let words = "[data-at*=message]:not([aria-current])";
        // Until this time, the words name other messages.
        page.until_text("output.time", time).await;
        page.find(words).await;
        let before = page.wait_until("the picture stands", DRAWN).await;
        if !text.contains("delivery") && !text.contains("batch") {
            point_at(&page, words).await;
            page.wait_until("the message stands out", &DRAWN.replace("return ", &format!("return {before} !== ")))
                .await;
        }
        // Point at them again if other words appear above them.
        page.wait_until(
            "the words light up",
            &format!(
                "const words = document.querySelector('{words}');
                 words.dispatchEvent(new PointerEvent('pointerover', {{ bubbles: true }}));
                 return words.matches('[data-at$=lit]')"
            ),
        )
        .await;
        page.run(&format!(
            "document.querySelector('{words}').dispatchEvent(new PointerEvent('pointerout', {{ bubbles: true }}))"
        ))
        .await;
        page.wait_until("nothing is lit", "return !document.querySelector('[data-at$=lit]')").await;
        page.assert_no_log();
    }
}

#[tokio::test]
async fn steps_through_cyclic_wait() {
    let page = Page::open("v=2&net=cube:3&switch=circuit&route=minimal&rate=0.6&sample=19&layout=cube&time=1000").await;
    page.wait_until("the circle is listed", "return document.querySelectorAll('#cyclic-wait li').length > 1").await;
    let count =
        page.run("return document.querySelectorAll('#cyclic-wait li').length").await.as_u64().expect("a number");
    let mut seen: Vec<String> = Vec::new();
    for _ in 0..count {
        page.click("#cyclic-wait > button").await;
        // The page reacts to the click with its next frame.
        let before = seen.last().map_or("", String::as_str);
        let current = "document.querySelector('#cyclic-wait [aria-current=step] b')?.textContent ?? ''";
        page.wait_until("the next one is current", &format!("return ![{}, ''].includes({current})", json!(before)))
            .await;
        let number = page.text("#cyclic-wait [aria-current=step] b").await;
        page.until_text("#followed p", format!("Message {number},")).await;
        seen.push(number);
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len() as u64, count, "each message of the circle once");

    // The cyclic wait is shown as a line that ends with its first message.
    let line = page.text("#cyclic-wait .wait-line").await;
    let line: Vec<_> = line.split(" → ").collect();
    assert!(line.len() as u64 == count + 1 && line.first() == line.last(), "{line:?}");
    focus(&page, "#cyclic-wait .wait-line button:nth-of-type(2)").await;
    page.wait_until(
        "its sentence is lit",
        "return !!document.querySelector('#cyclic-wait li:nth-child(2) button[data-at$=lit]')",
    )
    .await;
    page.key(Key::Enter.into()).await;
    page.until_text("#followed p", format!("Message {},", line[1])).await;
    page.assert_no_log();
}

#[tokio::test]
async fn the_source_is_dragged_and_links_break_by_a_click() {
    let page = Page::open("v=2&net=cube:4").await;
    let other = page.node("live").await;
    // In the layout by distance the source is at the left margin, half-way down.
    let source = page
        .run(
            "const box = document.querySelector('canvas.network').getBoundingClientRect();
             return [Math.round(box.left + 50), Math.round(box.top + box.height / 2)]",
        )
        .await;
    let at = |place: usize| source[place].as_f64().expect("a number");
    page.drag((at(0), at(1)), (other.x, other.y)).await;
    page.wait_until("the message starts there", &format!("return location.hash.includes('from={}')", other.number()))
        .await;
    assert!(!page.link().await.contains("break="), "dragging breaks nothing");

    page.visit("v=2&net=cube:4").await;
    page.wait_until("the source is back", "return document.getElementById('field-from').value === '0000'").await;
    focus(&page, "canvas.network").await;
    for key in [Key::Right.into(), 'l', Key::Enter.into()] {
        page.key(key).await;
    }
    page.wait_until("the link is broken both ways", "return /break=\\d+_\\d,\\d+_\\d/.test(location.hash)").await;
    page.assert_no_log();
}

#[tokio::test]
async fn help_is_searchable_and_specific_to_kind() {
    let page = Page::open("v=2&net=mesh:8x8&switch=wormhole&break=3.3,3.4&route=f-cube2").await;
    page.key('?').await;
    page.until_text("dialog dl", "How do I break a node").await;
    let keys = "const table = document.querySelector('dialog table'); return getComputedStyle(table).visibility";
    assert_eq!(page.run(keys).await, json!("visible"));
    page.until_text("dialog", "virtual channel").await;
    page.type_into("dialog input[type=search]", "fault ring").await;
    page.wait_until("only what has the words is left", "return document.querySelectorAll('dialog dt').length < 20")
        .await;
    page.choose("#field-kind-of-experiment", "delivery").await;
    page.type_into("dialog input[type=search]", "load factor").await;
    page.until_text("dialog", "no schedule takes fewer").await;
    page.assert_no_log();
}
