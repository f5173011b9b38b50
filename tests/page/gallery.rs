//! Tests of the gallery of examples: groups, search, keyboard navigation, links.

use fantoccini::key::Key;
use serde_json::json;

use crate::browser::Page;

/// Script that returns the title of the focused tile.
const FOCUSED: &str = "return document.activeElement.querySelector('b')?.textContent";

/// Opens the page and its gallery.
async fn open() -> Page {
    let page = Page::open("v=2&faults=nodes:0.3&sample=11").await;
    page.wait_until("the story is told", "return !!document.querySelector('.story')").await;
    page.key('e').await;
    page.find("dialog[open] .gallery").await;
    page
}

/// Returns the number of tiles.
async fn tiles(page: &Page) -> u64 {
    page.run("return document.querySelectorAll('.tile').length").await.as_u64().unwrap_or(0)
}

/// Returns the headings of the groups.
async fn headings(page: &Page) -> Vec<String> {
    let found = page.run("return [...document.querySelectorAll('.gallery h3')].map(one => one.textContent)").await;
    found.as_array().into_iter().flatten().filter_map(|one| one.as_str().map(str::to_owned)).collect()
}

#[tokio::test]
async fn every_example_has_its_picture() {
    let page = open().await;
    page.run("document.querySelectorAll('.tile img').forEach(image => image.loading = 'eager')").await;
    let script = "const all = [...document.querySelectorAll('.tile img')];
        return all.length > 70 && all.every(image => image.complete)";
    page.wait_until("all pictures are there", script).await;
    let missing = page
        .run(
            "return [...document.querySelectorAll('.tile')].filter(tile => !tile.querySelector('img')?.naturalWidth)
            .map(tile => tile.textContent)",
        )
        .await;
    assert_eq!(missing, json!([]));
    page.assert_no_log();
}

#[tokio::test]
async fn examples_are_grouped_in_three_ways() {
    let page = open().await;
    let all = tiles(&page).await;
    let questions = headings(&page).await;
    assert!(questions.contains(&"Why do messages deadlock?".to_owned()) && questions.len() >= 8, "{questions:?}");
    assert!(questions.iter().all(|question| question.ends_with('?')), "{questions:?}");
    page.click_labelled("By paper").await;
    page.wait_until("there are five papers", "return document.querySelectorAll('.gallery h3').length === 5").await;
    assert_eq!(tiles(&page).await, all);
    page.click_labelled("By kind").await;
    page.until_text(".gallery h3", ", to watch").await;
    assert_eq!(tiles(&page).await, all);
    assert_eq!(page.text(".gallery [aria-pressed=true]").await, "By kind");
    page.assert_no_log();
}

#[tokio::test]
async fn search_filters_examples() {
    let page = open().await;
    let all = tiles(&page).await;
    page.run("document.querySelector('.gallery input').focus()").await;
    for letter in "valiant detour".chars() {
        page.key(letter).await;
    }
    page.wait_until("few are left", "return document.querySelectorAll('.tile').length < 5").await;
    assert_eq!(
        page.run("return document.activeElement.value").await,
        json!("valiant detour"),
        "it is still being written"
    );
    let found = page
        .run("return document.querySelector('.gallery').textContent.includes('messages to a neighbour cross the root')")
        .await;
    assert_eq!(found, json!(true));
    page.key('q').await;
    page.until_text(".gallery .hint", "No example matches the search.").await;
    page.run("document.querySelector('.gallery input').select()").await;
    page.key(Key::Delete.into()).await;
    page.wait_until("all are back", &format!("return document.querySelectorAll('.tile').length === {all}")).await;
    page.assert_no_log();
}

#[tokio::test]
async fn arrow_keys_go_over_rows_and_columns() {
    let page = open().await;
    page.key(Key::Down.into()).await;
    page.wait_until("the first tile", &format!("{FOCUSED} === document.querySelector('.tile b').textContent")).await;
    let at = "document.activeElement.getBoundingClientRect()";
    let place = |side: &str| format!("return Math.round({at}.{side})");
    let (left, top) = (page.run(&place("left")).await, page.run(&place("top")).await);
    page.key(Key::Right.into()).await;
    assert_eq!(page.run(&place("top")).await, top);
    assert_ne!(page.run(&place("left")).await, left);
    page.key(Key::Left.into()).await;
    page.key(Key::Down.into()).await;
    assert_eq!(page.run(&place("left")).await, left, "the next row, below");
    page.key(Key::Up.into()).await;
    page.key(Key::End.into()).await;
    page.wait_until(
        "the last tile",
        &format!("{FOCUSED} === [...document.querySelectorAll('.tile b')].pop().textContent"),
    )
    .await;
    let seen = page.run(&format!("return {at}.top >= 0 && {at}.bottom <= innerHeight")).await;
    assert_eq!(seen, json!(true), "what has the focus is seen");
    page.key(Key::Home.into()).await;
    page.key(Key::Up.into()).await;
    page.wait_until("above is the search", "return document.activeElement.type === 'search'").await;
    page.key(Key::Down.into()).await;
    page.key(Key::Right.into()).await;
    page.key(Key::Enter.into()).await;
    page.wait_until("it opens", "return !document.querySelector('dialog')").await;
    page.until_text(".story b", "Blocked twice").await;
    page.assert_no_log();
}

#[tokio::test]
async fn a_tile_is_a_plain_link() {
    let page = open().await;
    let deadlock =
        "[...document.querySelectorAll('.tile')].find(tile => tile.textContent.includes('Any minimal path'))";
    let href = page.run(&format!("return {deadlock}.getAttribute('href')")).await;
    let href = href.as_str().expect("a link").to_owned();
    assert!(href.starts_with("#v=2&net=cube:3&switch=circuit"), "{href}");
    // With a modifier key the browser handles the click.
    let held = format!(
        "const event = new MouseEvent('click', {{ bubbles: true, cancelable: true, ctrlKey: true }});
         addEventListener('click', event => {{ window.taken = event.defaultPrevented; event.preventDefault() }}, {{ once: true }});
         {deadlock}.dispatchEvent(event); return window.taken"
    );
    assert_eq!(page.run(&held).await, json!(false));
    page.find("dialog[open]").await;
    page.run(&format!("{deadlock}.click()")).await;
    page.wait_until("the dialog closes", "return !document.querySelector('dialog')").await;
    page.until_link(&href[1..]).await;
    page.click_labelled("Examples").await;
    page.until_text(".tile[aria-current]", "Any minimal path").await;
    page.assert_no_log();
}

#[tokio::test]
async fn lessons_are_one_click_away() {
    let page = open().await;
    for selector in [".gallery__head a", ".story__also a:last-child"] {
        let href = page.run(&format!("return document.querySelector('{selector}').href")).await;
        let script =
            format!("const answer = await fetch({href}); return [answer.ok, (await answer.text()).includes('Lesson')]");
        assert_eq!(page.run_async(&script).await, json!([true, true]), "{selector}: {href}");
    }
    page.assert_no_log();
}
