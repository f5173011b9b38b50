//! Tests of a first visit to the page.

use serde_json::json;

use crate::browser::{Page, is_thorough, page_url};
use crate::stills::{FETCHED, click, page_of_stills, until_running, until_still};

/// Script that counts the colours of the network's canvas.
pub(crate) const COUNT_COLORS: &str = "
    const canvas = document.querySelector('canvas.network');
    if (!canvas || !canvas.width) return 0;
    const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    return new Set(new Uint32Array(data.buffer)).size";

/// The program never loads in this test. The bare address shows the picture of the first example; a
/// link to another experiment shows a line of text.
#[tokio::test]
async fn static_picture_shows_before_program_loads() {
    const NO_PROGRAM: &str = "WebAssembly.instantiateStreaming = () => new Promise(() => {});";
    for (size, hash, shown) in [((1400, 1000), "", true), ((390, 844), "", true), ((1400, 1000), "#net=cube:4", false)]
    {
        let page = Page::blank().await;
        page.before_load(NO_PROGRAM);
        page.resize(size.0, size.1).await;
        page.client.goto(&format!("{}{hash}", page_url())).await.expect("the page opens");
        let picture = "const image = document.querySelector('.first-example img');
                       return image.complete && image.naturalWidth > 0 && image.getBoundingClientRect().height > 150";
        if shown {
            page.wait_until("the picture is there", picture).await;
        } else {
            page.until_text(".waiting", "Faultlab is starting").await;
            assert_eq!(page.run(picture).await, json!(false));
        }
        let is_waiting = page.run("return document.querySelector('.waiting').getClientRects().length > 0").await;
        assert_eq!(is_waiting, json!(!shown), "in a window of {size:?}");
    }
}

#[tokio::test]
async fn plays_the_first_example() {
    let page = Page::open("").await;
    page.wait_until("a picture is painted", &format!("{COUNT_COLORS} > 8")).await;
    page.until_text(".caption h2", "message").await;
    page.wait_until(
        "the message moves by itself",
        "return document.querySelectorAll('.hops [aria-current=step]').length",
    )
    .await;
    page.wait_until("the link names the example", "return location.hash.startsWith('#v=2&')").await;
    assert_eq!(page.run("return history.length").await, json!(2), "about:blank and the page: no entry for the example");
    page.assert_no_log();
}

#[tokio::test]
async fn takes_no_focus_and_fetches_nothing_from_elsewhere() {
    let page = Page::open("").await;
    page.wait_until("a picture is painted", &format!("{COUNT_COLORS} > 8")).await;
    assert_eq!(page.run("return document.activeElement.tagName").await, json!("BODY"));
    assert_eq!(page.run("return scrollX + scrollY").await, json!(0));
    let fetched = page.run("return performance.getEntriesByType('resource').map(entry => entry.name)").await;
    let fetched: Vec<_> = fetched.as_array().into_iter().flatten().filter_map(|name| name.as_str()).collect();
    let home = page_url();
    assert!(!fetched.is_empty());
    assert!(fetched.iter().all(|name| name.starts_with(&home) || name.starts_with("data:")), "{fetched:?}");
    assert_eq!(page.run("return document.cookie + localStorage.length + sessionStorage.length").await, json!("00"));
    page.assert_no_log();
}

/// The first screen links to popular examples, also by keyboard.
#[tokio::test]
async fn links_to_popular_examples() {
    let page = Page::open("").await;
    page.click_labelled("a deadlock").await;
    page.until_text(".story b", "messages in a cyclic wait").await;
    page.until_text(".story__place", "Example 2 of 7 with circuits under load").await;
    // The other examples remain linked, and the current one is marked.
    page.until_text(".story__also [aria-current]", "a deadlock").await;
    for (name, told) in [("a torus", "A torus"), ("a fat-tree", "fat-tree"), ("a detour", "sixteen faults")] {
        page.click_labelled(name).await;
        page.until_text(".story b", told).await;
        page.until_text(".story__also [aria-current]", name).await;
        assert_eq!(page.run("return document.activeElement.textContent").await, json!(name), "it keeps the focus");
    }
    // The story names the edited parameter without changing its height.
    let height = page.run("return document.querySelector('.story').offsetHeight").await;
    page.type_into("#field-fault-rate-p", "0.6").await;
    page.until_text(".story p", "You changed this example: ").await;
    assert_eq!(page.run("return document.querySelector('.story').offsetHeight").await, height);
    page.run("document.activeElement.blur()").await;
    page.key('e').await;
    page.wait_until("the examples are open", "return !!document.querySelector('dialog[open] .gallery')").await;
    page.assert_no_log();
}

#[tokio::test]
async fn respects_reduced_motion() {
    let page = Page::blank().await;
    page.emulate_media(&[("prefers-reduced-motion", "reduce")]);
    page.visit("").await;
    page.wait_until("a picture is painted", &format!("{COUNT_COLORS} > 8")).await;
    assert_eq!(page.run("return document.querySelector('.play').ariaLabel").await, json!("Play"));
    page.until_text("#summary", "After hop 0").await;
    page.assert_no_log();
}

#[tokio::test]
async fn autoplay_respects_reduced_motion() {
    let page = page_of_stills().await;
    page.emulate_media(&[("prefers-reduced-motion", "reduce")]);
    page.run("still({ experiment: 'net=cube:4', play: 'yes', theme: 'dark' })").await;
    until_still(&page, 0).await;
    assert_eq!(page.run(FETCHED).await, json!(0));
    let colors = "return [getComputedStyle(seen(0, '.still .figure')).backgroundColor, getComputedStyle(document.querySelector('img')).colorScheme]";
    assert_eq!(page.run(colors).await, json!(["rgb(20, 23, 27)", "dark"]));
    // The play button works under reduced motion too, in single steps.
    click(&page, 0, ".still button").await;
    until_running(&page, 0).await;
    page.wait_until("it plays", "return news.some(([name, time]) => name === 'time' && time > 0)").await;
    page.assert_no_log();
}

#[tokio::test]
async fn every_example_opens() {
    let page = Page::open("").await;
    page.click_labelled("Examples").await;
    let count = page.wait_until("there are examples", "return document.querySelectorAll('.tile').length").await;
    let count = count.as_u64().unwrap_or(0);
    assert!(count > 10, "{count} examples");
    // Native tests cover all pictures and presets; this test covers opening a tile.
    for number in (0..count).step_by(if is_thorough() { 1 } else { 6 }) {
        let tile = format!("document.querySelectorAll('.tile')[{number}]");
        page.wait_until("there is its tile", &format!("return !!{tile}")).await;
        page.run(&format!("{tile}.click()")).await;
        page.wait_until("the dialog closes", "return !document.querySelector('dialog')").await;
        page.wait_until(
            "there is something to see",
            "return document.querySelector('.caption h2')?.textContent.length > 8",
        )
        .await;
        assert_eq!(page.text("[role=alert]").await, "", "example {number}");
        page.click_labelled("Examples").await;
    }
    page.assert_no_log();
}

/// Changing the network selects a matching kind and lists the dropped settings. Changing back
/// restores them.
#[tokio::test]
async fn changing_network_and_back_restores_settings() {
    let page = Page::open("v=2&net=cube:4&faults=nodes:0.2&seed=5").await;
    page.choose("#field-topology", "torus").await;
    page.until_link("v=2&net=torus:8x8&switch=wormhole&break=3.3,3.4,4.3,4.4&load=0.3&seed=5").await;
    page.until_text(".note", "Dropped: the random faults (nodes:0.2)").await;
    page.until_text(".note", "Now moving: worms, flit by flit. New here: broken: 3.3,3.4,4.3,4.4.").await;
    let height = page.run("return document.querySelector('.note').offsetHeight").await;
    assert_eq!(height, 0, "the note lies over the page, whose layout stays");
    page.wait_until(
        "worms are chosen",
        "return document.querySelector('[name=switch]:checked').closest('label').textContent === 'worms, flit by flit'",
    )
    .await;
    page.choose("#field-topology", "tree").await;
    page.until_link("v=2&net=tree:16&switch=delivery&seed=5").await;
    page.choose("#field-topology", "cube").await;
    page.until_link("v=2&net=cube:4&faults=nodes:0.2&seed=5").await;
    page.assert_no_log();
}

/// A preset opens at its time, keeps its story until an edit, and links to the next preset. Marks
/// link to events.
#[tokio::test]
async fn preset_shows_story_until_edit() {
    let page = Page::open("v=2&net=cube:5&faults=nodes:0.5&route=sidetracking,backtracking&sample=5&time=2").await;
    page.until_text("output.time", "hop 2 of 25").await;
    page.until_text(".story b", "Tunnelling").await;
    page.click_labelled("sidetracking: trapped, after hop 25").await;
    page.until_text(".caption h2", "sidetracking does not arrive").await;
    page.until_text(".story__place", "5 of 11").await;
    page.click_labelled("Next example").await;
    page.until_text(".story b", "More than two nodes can trap a message").await;
    page.until_text("output.time", "hop 1 of 30").await;
    page.run("document.querySelector('[name=switch]:not(:checked)').click()").await;
    page.wait_until("the story has ended", "return !document.querySelector('.story')").await;
    page.assert_no_log();
}
