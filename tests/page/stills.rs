//! Tests of stills: a figure fetches no program files before a reader starts it, and the layout
//! does not shift then.

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::browser::{Page, faultlab, page_url};
use crate::figures::open_host;

/// Script that counts the fetched program files.
pub(crate) const FETCHED: &str =
    "return performance.getEntriesByType('resource').filter(entry => /app-[^/]*[.](js|wasm)$/.test(entry.name)).length";

/// Opens a host page with a script that adds figures with stills.
pub(crate) async fn page_of_stills() -> Page {
    let page = open_host().await;
    let svg = faultlab(&["draw", "net=cube:4", "--size", "500x360"]);
    page.run(&format!(
        "window.svg = URL.createObjectURL(new Blob([{}], {{ type: 'image/svg+xml' }}));
         window.still = (attributes, src = svg) => {{
             const image = new Image();
             Object.assign(image, {{ slot: 'still', alt: 'A message in the 4-cube.', src }});
             figure(attributes, 'width: 500px; height: 360px; margin: 10px').append(image);
         }};
         window.at = (place, selector) => {{
             const {{ x, y, width, height }} = seen(place, selector).getBoundingClientRect();
             return [x + width / 2, y + height / 2];
         }};
         window.running = place => /message/i.test(seen(place, '.mount:not(.still) h2')?.textContent) && seen(place, '.still').hidden;",
        json!(svg)
    ))
    .await;
    page
}

/// Waits until figure `place` shows its still, and asserts that the still remains.
pub(crate) async fn until_still(page: &Page, place: usize) {
    let shown = format!("return (seen({place}, '.still button')?.getBoundingClientRect().height ?? 0) > 30");
    page.wait_until("its button is there", &shown).await;
    page.run_async("await new Promise(done => setTimeout(done, 400))").await;
    assert_eq!(page.run(&format!("return !!seen({place}, 'canvas')")).await, json!(false));
}

pub(crate) async fn until_running(page: &Page, place: usize) {
    page.wait_until("the figure is there", &format!("return running({place})")).await;
}

/// Clicks in the middle of an element of a figure.
pub(crate) async fn click(page: &Page, place: usize, selector: &str) {
    let at = page.run(&format!("return at({place}, '{selector}')")).await;
    page.click_at(at[0].as_f64().unwrap_or(0.0), at[1].as_f64().unwrap_or(0.0)).await;
}

#[tokio::test]
async fn nothing_is_fetched_before_a_figure_is_wanted() {
    let page = page_of_stills().await;
    page.run("for (let number = 0; number < 3; ++number) still({ experiment: 'net=cube:4', caption: 'A cube' })").await;
    until_still(&page, 0).await;
    assert_eq!(page.run(FETCHED).await, json!(0));
    let words = "return [seen(0, '.still h2').textContent, seen(0, '.still .figure__caption').textContent, seen(0, '.still button').ariaLabel,
        new URL(seen(0, '.still a').href).hash]";
    let expected = ["A message in the 4-cube.", "A cube", "Play: A message in the 4-cube.", "#v=1&net=cube:4"];
    assert_eq!(page.run(words).await, json!(expected));
    // Script that returns the figures' boxes in document coordinates, independent of scrolling.
    let boxes = "return [...document.querySelectorAll('fault-lab')].map(one => one.getBoundingClientRect()).map(box => [box.x, box.y + scrollY, box.width, box.height])";
    let before = page.run(boxes).await;

    // A click on the still's button starts the figure, and moves the focus to its controls.
    click(&page, 0, ".still button").await;
    until_running(&page, 0).await;
    page.wait_until("it plays", "return news.some(([name, time]) => name === 'time' && time > 0)").await;
    assert_eq!(
        page.run("return seen(0, '.mount:not(.still) .play').getRootNode().activeElement.className").await,
        json!("play")
    );
    let fetched = page.run(FETCHED).await;
    // Clicks on a picture and the keyboard work too, and the figures share the program.
    click(&page, 1, ".still__picture").await;
    until_running(&page, 1).await;
    page.run("seen(2, '.still button').focus()").await;
    page.key(Key::Enter.into()).await;
    until_running(&page, 2).await;
    assert_eq!(page.run("return seen(2, '.play').getRootNode().activeElement.className").await, json!("play"));
    assert_eq!(page.run(FETCHED).await, fetched);
    assert_eq!(page.run(boxes).await, before, "nothing has jumped");
    page.assert_no_log();
}

#[tokio::test]
async fn scripts_start_stills() {
    let page = page_of_stills().await;
    page.run("for (let number = 0; number < 3; ++number) still({ experiment: 'net=cube:4', controls: 'scrub' })").await;
    until_still(&page, 2).await;
    assert_eq!(page.run("return seen(0, '.still button').textContent").await, json!("Open the figure"));
    page.run("document.querySelectorAll('fault-lab')[0].seek(4)").await;
    page.wait_until("it is there", "return seen(0, 'h2').textContent.includes('minimal path')").await;
    page.run("document.querySelectorAll('fault-lab')[1].play()").await;
    until_running(&page, 1).await;
    // The still is not shown for another experiment.
    page.run("document.querySelectorAll('fault-lab')[2].experiment = 'net=cube:3'").await;
    page.wait_until("it is another", "return seen(2, 'h2').textContent.includes('000 for 111')").await;
    // A figure that is removed and added again shows its still.
    page.run("window.gone = document.querySelector('fault-lab'); gone.remove()").await;
    page.run_async("await new Promise(done => setTimeout(done, 50))").await;
    page.run("document.body.prepend(gone)").await;
    page.wait_until("it stands still", "return !seen(0, '.still').hidden && !seen(0, '.mount:not(.still) canvas')")
        .await;
    page.assert_no_log();
}

#[tokio::test]
async fn missing_picture_falls_back_to_figure() {
    let page = page_of_stills().await;
    page.run("still({ experiment: 'net=cube:4' }, 'data:image/svg+xml,nothing')").await;
    until_running(&page, 0).await;
    page.assert_no_log();
}

#[tokio::test]
async fn autoplay_starts_without_click() {
    let page = page_of_stills().await;
    page.run("still({ experiment: 'net=cube:4', play: 'yes' })").await;
    until_running(&page, 0).await;
    page.assert_no_log();
}

#[tokio::test]
async fn start_failure_is_explained_below_still() {
    let page = page_of_stills().await;
    page.run("window.WebAssembly.instantiateStreaming = window.WebAssembly.instantiate = () => Promise.reject(new WebAssembly.CompileError('cut'))").await;
    page.run("still({ experiment: 'net=cube:4' })").await;
    until_still(&page, 0).await;
    click(&page, 0, ".still button").await;
    page.wait_until(
        "it says why",
        "return (seen(0, '.still [role=alert]')?.textContent ?? '').includes('program is damaged')",
    )
    .await;
    assert_eq!(page.run("return seen(0, '.still').hidden || seen(0, '.still button').ariaDisabled").await, Value::Null);
}

/// A lesson can be read and printed without the program.
#[tokio::test]
async fn lesson_loads_no_program_until_figure_starts() {
    let page = Page::blank().await;
    page.client.goto(&format!("{}lessons/deadlock.html", page_url())).await.expect("the lesson opens");
    let stills = "return [...document.querySelectorAll('fault-lab')].every(one => one.shadowRoot?.querySelector('.still button')) && document.querySelectorAll('fault-lab').length";
    let count = page.wait_until("all stand still", stills).await;
    assert!(count.as_u64() > Some(3), "{count}");
    page.run("dispatchEvent(new Event('beforeprint')); scrollTo(0, 1e6)").await;
    let images = "return [...document.images].filter(image => image.complete && image.naturalWidth > 300 && image.alt.length > 10).length";
    page.wait_until("the pictures are there", &format!("{images} > 0")).await;
    page.run_async("await new Promise(done => setTimeout(done, 1500))").await;
    assert_eq!(page.run(FETCHED).await, json!(0));
    page.assert_no_log();
}
