//! Bad links, texts and fields: said plainly, and the page works on.

use serde_json::json;

use crate::browser::Page;

/// Asserts that the page still does what it should.
async fn assert_works(page: &Page) {
    page.click("[aria-label='One hop on']").await;
    page.until("it steps", "return document.querySelectorAll('.hops [aria-current=step]').length === 1").await;
}

/// The alert, once it says something.
async fn alert(page: &Page) -> String {
    let script = "return document.querySelector('[role=alert] p')?.textContent ?? ''";
    page.until("an alert is shown", script).await.as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_bad_link_is_named_and_the_page_works_on() {
    for (link, parts) in [
        ("v=1&net=cube:99", ["net", "cube:99", "1 to 64"].as_slice()),
        ("v=1&nonsense=1", &["nonsense", "1", "net", "faults"]),
        ("v=9", &["v", "9", "1"]),
        ("v=1&faults=nodes:2", &["faults", "nodes:2", "0 to 1"]),
        ("v=1&break=0", &["break", "0", "source"]),
        ("v=1&trials=99999999999999999999", &["trials", "99999999999999999999"]),
        ("%00%ff&&==&v", &[]),
    ] {
        let page = Page::open(link).await;
        let said = alert(&page).await;
        assert!(said.contains("link cannot be read"), "{link}: {said}");
        assert!(parts.iter().all(|part| said.contains(part)) && said.contains("accepted"), "{link}: {said}");
        assert_works(&page).await;
        page.press("Dismiss").await;
        page.until("the alert is gone", "return document.querySelector('[role=alert]').textContent === ''").await;
        page.ends_clean();
    }
}

#[tokio::test]
async fn a_bad_link_on_the_open_page_keeps_the_last_good_state() {
    let page = Page::open("v=1&faults=nodes:0.3&sample=11").await;
    let caption = page.text(".caption").await;
    page.visit("v=1&net=cube:99").await;
    let said = alert(&page).await;
    assert!(said.contains("net=cube:99") && said.contains("accepted"), "{said}");
    assert_eq!(page.text(".caption").await, caption);
    assert_works(&page).await;
    page.visit("v=1&faults=nodes:0.2&sample=11").await;
    page.until("the alert is gone", "return document.querySelector('[role=alert]').textContent === ''").await;
    page.until("the field follows", "return document.getElementById('field-fault-rate-p').value === '0.2'").await;
    page.ends_clean();
}

#[tokio::test]
async fn a_bad_field_keeps_the_last_good_state() {
    let link = "v=1&faults=nodes:0.3&sample=11";
    let page = Page::open(link).await;
    for (field, bad, parts) in [
        ("#field-fault-rate-p", "7", ["faults", "nodes:7", "0 to 1"].as_slice()),
        ("[id^=field][id*=limit]", "-1", &["mpl", "-1"]),
        ("#field-from", "zebra", &["from", "zebra"]),
        ("#field-to", "64", &["to", "64"]),
        ("#field-seed", "99999999999999999999999", &["seed", "99999999999999999999999"]),
    ] {
        let good = page.run(&format!("return document.querySelector('{field}').value")).await;
        page.write(field, bad).await;
        let said = alert(&page).await;
        assert!(parts.iter().all(|part| said.contains(part)) && said.contains("accepted"), "{field}: {said}");
        assert_eq!(page.run(&format!("return document.querySelector('{field}').value")).await, good);
        assert_eq!(page.link().await, link);
        page.press("Dismiss").await;
        page.until("the alert is gone", "return document.querySelector('[role=alert]').textContent === ''").await;
    }
    page.write("#field-fault-rate-p", "0.2").await;
    page.until_link("v=1&faults=nodes:0.2&sample=11").await;
    assert_works(&page).await;
    page.ends_clean();
}

#[tokio::test]
async fn the_text_can_be_written() {
    let page = Page::open("v=1").await;
    let write = |text: &str| {
        format!(
            "const area = document.querySelector('textarea'); area.value = {}; area.dispatchEvent(new Event('change', {{ bubbles: true }}))",
            json!(text)
        )
    };
    page.run(&write("net=cube:5&faults=count:7")).await;
    page.until_link("v=1&net=cube:5&faults=count:7").await;
    page.run(&write("net=ring:5")).await;
    let said = alert(&page).await;
    assert!(said.contains("net=ring:5") && said.contains("accepted"), "{said}");
    assert_eq!(page.link().await, "v=1&net=cube:5&faults=count:7");
    assert_eq!(
        page.run("return document.querySelector('textarea').value").await,
        json!("v=1&net=cube:5&faults=count:7")
    );
    page.ends_clean();
}

#[tokio::test]
async fn every_view_has_its_link() {
    let page = Page::open("v=1&faults=nodes:0.3&sample=11").await;
    for (name, sign) in
        [("Measure", "#numbers"), ("Check", ".fact"), ("Papers", "#table4"), ("Watch", "canvas.network")]
    {
        page.press(name).await;
        page.find(sign).await;
        let part = format!("view={}", name.to_lowercase());
        assert_eq!(page.link().await.contains(&part), name != "Watch", "{name}");
        assert_eq!(page.text("nav [aria-current=page]").await, name);
    }
    page.press("Share").await;
    let shared = page.run("return document.querySelector('dialog input[type=text]').value === location.href").await;
    assert_eq!(shared, json!(true));
    page.ends_clean();
}
