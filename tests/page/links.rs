//! Tests of invalid links, texts and fields: the page shows an error and keeps working.

use serde_json::json;

use crate::browser::Page;

/// Asserts that the page still responds.
async fn assert_works(page: &Page) {
    page.click("[aria-label='One hop forward']").await;
    page.wait_until("it steps", "return document.querySelectorAll('.hops [aria-current=step]').length === 1").await;
}

/// Script that returns whether no alert is shown.
const NO_ALERT: &str = "return [...document.querySelectorAll('[role=alert]')].every(alert => alert.textContent === '')";

/// Waits for an alert and returns its text.
async fn alert(page: &Page) -> String {
    let script = "return document.querySelector('[role=alert] p')?.textContent ?? ''";
    page.wait_until("an alert is shown", script).await.as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_bad_link_is_named_and_the_page_works_on() {
    for (link, parts) in [
        ("v=2&net=cube:99", ["net=cube:99", "at most 64 dimensions", "1 to 64"].as_slice()),
        ("v=2&nonsense=1", &["Unknown key \"nonsense\"", "net", "faults"]),
        ("v=9", &["v", "9", "1"]),
        ("v=2&faults=nodes:2", &["faults", "nodes:2", "0 to 1"]),
        ("v=2&break=0", &["break", "0", "source"]),
        ("v=2&trials=99999999999999999999", &["trials", "99999999999999999999"]),
        ("%00%ff&&==&v", &[]),
    ] {
        let page = Page::open(link).await;
        alert(&page).await;
        let said = page.text(".text-errors").await;
        assert!(parts.iter().all(|part| said.contains(part)) && said.contains("accepted"), "{link}: {said}");
        assert_works(&page).await;
        page.click_labelled("Dismiss").await;
        page.wait_until("the alert is gone", NO_ALERT).await;
        page.assert_no_log();
    }
}

/// One wrong key costs one key: the others are used, and the wrong text stays in the address.
#[tokio::test]
async fn a_link_with_wrong_keys_opens_with_the_others() {
    let link = "v=2&net=cube:5&rout=ecube&faults=nodes:0.1&seed=x";
    let page = Page::open(link).await;
    let summaries = "return [...document.querySelectorAll('.text-errors li > p')].map(line => line.textContent)";
    page.wait_until("two notices are shown", "return document.querySelectorAll('.text-errors li').length === 2").await;
    assert_eq!(
        page.run(summaries).await,
        json!(["Unknown key \"rout\". Did you mean \"route\"?", "seed=x: not a whole number in range."])
    );
    assert_eq!(page.link().await, link);
    assert_eq!(page.run("return document.getElementById('field-fault-rate-p').value").await, json!("0.1"));
    // An edit dismisses the notices and writes the address.
    page.type_into("#field-fault-rate-p", "0.2").await;
    page.until_link("v=2&net=cube:5&faults=nodes:0.2").await;
    page.wait_until("the notices are gone", NO_ALERT).await;
    page.visit("v=2&net=mesh:8x8&route=e-cube,west-frist").await;
    page.wait_until(
        "the algorithm is named",
        "return document.querySelector('.text-errors')?.textContent.includes('west-first')",
    )
    .await;
    page.find(".worms, canvas").await;
    page.assert_no_log();
}

#[tokio::test]
async fn a_bad_link_on_the_open_page_keeps_the_last_good_state() {
    let page = Page::open("v=2&faults=nodes:0.3&sample=11").await;
    let caption = page.text(".caption").await;
    page.visit("v=2&net=cube:99").await;
    assert_eq!(alert(&page).await, "net=cube:99: a hypercube has at most 64 dimensions.");
    assert_eq!(page.text(".caption").await, caption);
    assert_works(&page).await;
    page.visit("v=2&faults=nodes:0.2&sample=11").await;
    page.wait_until("the alert is gone", NO_ALERT).await;
    page.wait_until("the field follows", "return document.getElementById('field-fault-rate-p').value === '0.2'").await;
    page.assert_no_log();
}

/// The `hashchange` event fires after the update that a preceding edit causes.
#[tokio::test]
async fn a_link_that_is_opened_right_after_an_edit_is_not_overwritten() {
    let page = Page::open("v=2&faults=nodes:0.3&sample=11").await;
    page.find("#field-seed").await;
    page.run(
        "const field = document.getElementById('field-seed');
         field.value = '2';
         field.dispatchEvent(new Event('change', { bubbles: true }));
         location.hash = 'v=2&net=cube:5&faults=nodes:0.1'",
    )
    .await;
    page.wait_until("the field follows", "return document.getElementById('field-fault-rate-p').value === '0.1'").await;
    page.until_link("v=2&net=cube:5&faults=nodes:0.1").await;
    page.click_labelled("Undo").await;
    page.wait_until("the edit was taken", "return location.hash.includes('seed=2')").await;
    page.assert_no_log();
}

#[tokio::test]
async fn a_bad_field_keeps_the_last_good_state() {
    let link = "v=2&faults=nodes:0.3&sample=11";
    let page = Page::open(link).await;
    let top = "return document.querySelector('main').getBoundingClientRect().top + scrollY";
    let before = page.run(top).await;
    for (field, bad, why) in [
        ("#field-fault-rate-p", "7", "write 0 to 1, such as 0.3 or 30%"),
        ("#field-path-limit----n", "-1", "outside 1 to 1000"),
        ("#field-from", "zebra", "write 000000–111111 or 0–63"),
        ("#field-to", "64", "write 000000–111111 or 0–63"),
        ("#field-seed", "99999999999999999999999", "not a whole number in range"),
        ("#field-this-experiment--as-text", "v=2&net=cube:99", "net=cube:99: a hypercube has at most 64 dimensions"),
    ] {
        if field.ends_with("text") {
            page.run(&format!(
                "const area = document.querySelector('{field}'); area.value = '{bad}';
                 area.dispatchEvent(new Event('change', {{ bubbles: true }}))"
            ))
            .await;
        } else {
            page.type_into(field, bad).await;
        }
        let script = format!(
            "const field = document.querySelector('{field}'), why = document.getElementById(field.getAttribute('aria-describedby'));
             return field.ariaInvalid === 'true' && why ? [why.textContent, field.value] : null"
        );
        let said = page.wait_until("the field says why", &script).await;
        assert!(said[0].as_str().is_some_and(|said| said.contains(why)), "{field}: {said}");
        assert_eq!(said[1], json!(bad), "what was written stays");
        assert_eq!(page.link().await, link);
    }
    assert_eq!(page.text(".problem").await, "", "no banner");
    assert_eq!(page.run(top).await, before);
    page.type_into("#field-fault-rate-p", "0.2").await;
    page.until_link("v=2&faults=nodes:0.2&sample=11").await;
    let rest = "return document.querySelectorAll('.refused').length";
    assert_eq!(
        page.run(rest).await,
        json!(4),
        "those of other fields stay, but for the text, which is another one now"
    );
    assert_works(&page).await;
    page.assert_no_log();
}

#[tokio::test]
async fn fields_accept_common_number_formats() {
    let page = Page::open("v=2&faults=nodes:0.1").await;
    for (field, written, link) in [
        ("#field-fault-rate-p", "30%", "v=2&faults=nodes:0.3"),
        ("#field-fault-rate-p", "0,2", "v=2&faults=nodes:0.2"),
        ("#field-fault-rate-p", "33.3 %", "v=2&faults=nodes:0.333"),
        ("#field-from", "000101", "v=2&faults=nodes:0.333&from=5&to=63"),
        ("#field-from", "6", "v=2&faults=nodes:0.333&from=6&to=63"),
        ("#field-to", "0b11", "v=2&faults=nodes:0.333&from=6&to=3"),
    ] {
        page.type_into(field, written).await;
        page.until_link(link).await;
    }
    let ends = "return ['from', 'to'].map(end => document.getElementById(`field-${end}`).value)";
    assert_eq!(page.run(ends).await, json!(["000110", "000011"]));
    // A select shows the value of the experiment, even after a manual choice.
    let choose = "const drawn = document.getElementById('field-fault-model'); drawn.value = 'none';
                  drawn.dispatchEvent(new Event('change', { bubbles: true }))";
    page.run(choose).await;
    page.until_link("v=2&from=6&to=3").await;
    assert_eq!(page.run("return document.getElementById('field-fault-model').value").await, json!("none"));
    page.click_labelled("Undo").await;
    page.wait_until("the choice follows", "return document.getElementById('field-fault-model').value === 'nodes'")
        .await;

    page.visit("v=2&faults=nodes:0.1&vary=p:0.1,0.2&within=0.1&view=measure").await;
    page.type_into("#field-values", "10%, 20%,0.3").await;
    page.wait_until("the values are read", "return location.hash.includes('vary=p:0.1,0.2,0.3&')").await;
    // The fields space the values evenly, and name the same key.
    page.type_into("#field-last", "50%").await;
    page.wait_until("the last value is read", "return location.hash.includes('vary=p:0.1..0.5:3&')").await;
    page.type_into("#field-points", "5").await;
    page.wait_until("the values are spaced", "return location.hash.includes('vary=p:0.1..0.5:5&')").await;
    page.type_into("[id^=field-precision]", "5%").await;
    page.wait_until("points of percent are read", "return location.hash.includes('within=0.05&')").await;
    page.assert_no_log();
}

#[tokio::test]
async fn experiment_text_is_editable() {
    let page = Page::open("v=2").await;
    let write = |text: &str| {
        format!(
            "const area = document.querySelector('textarea'); area.value = {}; area.dispatchEvent(new Event('change', {{ bubbles: true }}))",
            json!(text)
        )
    };
    page.run(&write("net=cube:5&faults=count:7")).await;
    page.until_link("v=1&net=cube:5&faults=count:7").await;
    page.run(&write("net=ring:5")).await;
    page.until_text(".refused", "net=ring:5: not a network").await;
    assert_eq!(page.link().await, "v=1&net=cube:5&faults=count:7");
    assert_eq!(page.run("return document.querySelector('textarea').value").await, json!("net=ring:5"));
    page.assert_no_log();
}

#[tokio::test]
async fn views_are_part_of_the_link() {
    let page = Page::open("v=2&faults=nodes:0.3&sample=11").await;
    for (name, sign) in
        [("Measure", "#numbers"), ("Check", ".fact"), ("Papers", "#table4"), ("Watch", "canvas.network")]
    {
        page.click_labelled(name).await;
        page.find(sign).await;
        let script = format!("return location.hash.includes('view={}') === {}", name.to_lowercase(), name != "Watch");
        page.wait_until("the link names the view", &script).await;
        assert_eq!(page.text("nav [aria-current=page]").await, name);
    }
    page.click_labelled("Share").await;
    let shared = page.run("return document.querySelector('dialog textarea').value === location.href").await;
    assert_eq!(shared, json!(true));
    page.assert_no_log();
}

/// Measure adds a sweep of fault rates for the time of the visit.
#[tokio::test]
async fn a_look_at_measure_changes_nothing() {
    let page = Page::open("v=2&net=cube:5").await;
    page.click_labelled("Measure").await;
    page.find("#numbers").await;
    page.wait_until("a parameter is varied", "return location.hash.includes('vary=')").await;
    page.click_labelled("Watch").await;
    page.until_link("v=2&net=cube:5").await;
    page.assert_no_log();
}
