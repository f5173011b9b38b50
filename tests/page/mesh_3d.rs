//! Tests of Watch with worms beyond two dimensions: 3D meshes as slices and as a rotating solid,
//! tori, and meshes too large to draw.

use fantoccini::key::Key;
use serde_json::json;

use crate::browser::Page;

const CUBE: &str = "v=2&net=mesh:3x3x3&switch=wormhole";

/// Script that returns a hash of the canvas.
const SEEN: &str = "const canvas = document.querySelector('canvas.network');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let seen = 7; for (let i = 0; i < data.length; i += 4) seen = (seen * 31 + data[i] + data[i + 1]) % 1000003; return seen";

/// Finds the position of a named element by moving over the canvas until the page names it.
async fn find(page: &Page, name: &str) -> (f64, f64) {
    let search = r"
        // Most elements are found in the first pass; links need the second.
        for (const step of [18, 6]) for (let y = box.top + 4; y < box.bottom; y += step) for (let x = box.left + 4; x < box.right; x += step) {
            const found = await place(x, y, text => text.includes('In focus: ' + NAME));
            if (found) return found;
        }
        return null;";
    let found = page.search_canvas(&search.replace("NAME", &json!(name).to_string())).await;
    let number = |at: usize| found[at].as_f64().expect(name);
    (number(0), number(1))
}

async fn drag(page: &Page, (x, y): (f64, f64)) {
    let script = format!(
        "const canvas = document.querySelector('canvas.network'), at = (x, y, buttons) => canvas.dispatchEvent(
            new PointerEvent('pointermove', {{ clientX: x, clientY: y, buttons, pointerType: 'mouse', bubbles: true }}));
        at({x}, {y}, 1); at({x} + 60, {y} + 20, 1); at({x} + 60, {y} + 20, 0);"
    );
    page.run(&script).await;
}

#[tokio::test]
async fn nodes_are_named_and_broken_in_slices_and_in_a_solid_that_turns() {
    let page = Page::open(CUBE).await;
    page.until_text("output.time", "cycle 250").await;
    page.until_text(".caption p", "links to the next panels").await;
    let (x, y) = find(&page, "node (2,1,0), live").await;
    page.click_at(x, y).await;
    page.until_link(&format!("{CUBE}&break=2.1.0")).await;
    page.click_labelled("Solid").await;
    page.until_text(".caption p", "Drag the picture to rotate it").await;
    let (x, y) = find(&page, "node (0,0,2), live").await;
    let before = page.run(SEEN).await;
    drag(&page, (x, y)).await;
    page.wait_until("it turns", &format!("return (() => {{ {SEEN} }})() !== {before}")).await;
    let (x, y) = find(&page, "node (0,0,2), live").await;
    page.click_at(x, y).await;
    page.until_link(&format!("{CUBE}&break=0.0.2,2.1.0")).await;
    page.assert_no_log();
}

#[tokio::test]
async fn keys_lead_along_every_dimension_and_turn_a_solid() {
    let page = Page::open(CUBE).await;
    page.until_text("output.time", "cycle 250").await;
    page.run("document.querySelector('canvas.network').focus()").await;
    page.key('2').await;
    page.until_text("#summary", "In focus: node (1,0,0)").await;
    page.key(Key::Right.into()).await;
    page.until_text("#summary", "In focus: node (1,0,1)").await;
    page.click_labelled("Solid").await;
    page.run("document.querySelector('canvas.network').focus()").await;
    page.until_text(".caption p", "Drag the picture to rotate it").await;
    let before = page.run(SEEN).await;
    page.key('d').await;
    page.wait_until("it turns", &format!("return (() => {{ {SEEN} }})() !== {before}")).await;
    page.assert_no_log();
}

#[tokio::test]
async fn wraparound_links_are_open_ends_that_can_be_pointed_at() {
    let page = Page::open("v=2&net=torus:4x5&switch=wormhole").await;
    page.until_text(".caption p", "Open ends at the borders").await;
    find(&page, "link (0,4)–(0,0)").await;
    page.until_text("#link h3", "Link (0,4)–(0,0)").await;
    page.until_text("#link", "of the cycles so far").await;
    page.assert_no_log();
}

#[tokio::test]
async fn wheel_keys_and_buttons_magnify_pictures_and_drags_move_them() {
    let page = Page::open("v=2&net=cube:6&faults=none&route=random").await;
    page.wait_until("the network is there", "return !!document.querySelector('canvas.network')").await;
    let is_whole = "return document.querySelector('.zoom [aria-label^=\"Fit\"]').ariaDisabled === 'true'";
    page.wait_until("it is whole", is_whole).await;
    let wheel = "const canvas = document.querySelector('canvas.network'), box = canvas.getBoundingClientRect();
        const event = new WheelEvent('wheel', { deltaY: DELTA, cancelable: true, bubbles: true,
            clientX: box.left + 100, clientY: box.top + 80 });
        canvas.dispatchEvent(event);
        return event.defaultPrevented;";
    // The window is lower than the page: the wheel scrolls the page until the user chooses the picture.
    page.run("document.body.style.minHeight = '3000px'").await;
    assert_eq!(page.run(&wheel.replace("DELTA", "-400")).await, false);
    let hint = "return getComputedStyle(document.querySelector('.wheel-hint')).visibility";
    page.wait_until("a hint is shown", &format!("return (() => {{ {hint} }})() === 'visible'")).await;
    page.run("document.querySelector('canvas.network').focus()").await;
    assert_eq!(page.run(&wheel.replace("DELTA", "100")).await, false, "a picture that is whole scrolls the page");
    let seen = page.run(SEEN).await;
    assert_eq!(page.run(&wheel.replace("DELTA", "-400")).await, true);
    page.wait_until(
        "it is magnified",
        &format!("return !(() => {{ {is_whole} }})() && (() => {{ {SEEN} }})() !== {seen}"),
    )
    .await;
    let seen = page.run(SEEN).await;
    drag(&page, (400.0, 300.0)).await;
    page.wait_until("it moves", &format!("return (() => {{ {SEEN} }})() !== {seen}")).await;
    page.run("document.querySelector('canvas.network').focus()").await;
    page.key('0').await;
    page.wait_until("it is whole again", is_whole).await;
    page.click(".zoom [aria-label^='Zoom in']").await;
    page.wait_until("it is magnified", &format!("return !(() => {{ {is_whole} }})()")).await;
    page.assert_no_log();
}

#[tokio::test]
async fn a_mesh_too_large_to_draw_is_said_to_be() {
    let page = Page::open("v=2&net=mesh:32x32x32&switch=wormhole").await;
    page.until_text(".caption h2", "32768 nodes: too large to draw").await;
    // A plane of any size is drawn.
    page.visit("v=2&net=mesh:1024x1024&switch=wormhole&faults=none&break=5.5").await;
    page.until_text(".caption h2", "The 1024x1024 mesh with 1 fault ring").await;
    page.until_text(".caption p", "1048576 nodes are too many to simulate while you watch").await;
    page.click(".zoom [aria-label^='Zoom in']").await;
    page.wait_until("it is magnified", "return !!document.querySelector('.network--magnified')").await;
    page.assert_no_log();
}
