//! Tests of embedding, small screens, colour schemes, keyboard use and screen readers.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::browser::{Page, is_thorough, page_url};

const VIEWS: [&str; 4] = [
    "v=2&faults=nodes:0.3&sample=11",
    "v=2&net=cube:8&faults=nodes:0.3&route=sidetracking,random&vary=p:0.1,0.5&within=0.05&view=measure",
    "v=2&faults=nodes:0.3&route=sidetracking,random,backtracking&sample=11&view=check",
    "v=2&view=papers",
];

/// Waits until a view has loaded all of its initial content.
async fn until_settled(page: &Page) {
    page.wait_until(
        "the view is complete",
        "const status = document.getElementById('status');
         return !!document.querySelector('.caption h2') && !document.querySelector('[aria-busy=true]') && (!status || / points? in /.test(status.textContent))",
    )
    .await;
}

/// Serves a host page on another port than that of Faultlab for the rest of the test, and returns
/// its address.
fn host(html: String) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let address = listener.local_addr().expect("the port has a number");
    let html: Arc<str> = html.into();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // Browsers open idle connections ahead of use. A thread per connection keeps an idle
            // connection from blocking others.
            let html = html.clone();
            thread::spawn(move || answer(stream, &html));
        }
    });
    format!("http://{address}/")
}

/// Answers a request for the root path with the page, and any other request with an empty response.
fn answer(mut stream: TcpStream, html: &str) {
    let mut request = [0; 4096];
    let wanted = stream.read(&mut request).is_ok() && request.starts_with(b"GET / ");
    let (status, body) = if wanted { ("200 OK", html) } else { ("204 No Content", "") };
    let length = body.len();
    // A browser may close the connection early.
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
}

#[tokio::test]
async fn two_frames_work_in_one_host_page() {
    let lab = page_url();
    let html = format!(
        "<!doctype html><title>A host</title><p>Read this first.</p>
         <iframe title=one width=1100 height=2400 src='{lab}#v=2&amp;net=cube:5&amp;faults=nodes:0.3'></iframe>
         <p style='height: 3000px'>Much to read.</p>
         <iframe title=two width=1100 height=2400 src='{lab}'></iframe>"
    );
    let page = Page::blank().await;
    page.client.goto(&host(html)).await.expect("the host opens");

    page.client.enter_frame(0).await.expect("the first lab");
    page.wait_until("the first lab is there", "return !!document.querySelector('.caption h2')").await;
    page.until_text("#summary", "5-cube").await;
    page.run("document.querySelector('[aria-label=\"One hop forward\"]').click()").await;
    page.until_text("output.time", "hop 1 of").await;
    page.client.enter_parent_frame().await.expect("the host");

    assert_eq!(page.run("return document.activeElement.tagName").await, json!("BODY"), "no focus is taken");
    assert_eq!(page.run("return scrollY").await, json!(0), "nothing scrolls");

    // The wheel over the canvas of the first frame scrolls the host page.
    page.wheel(500, 500, 200).await;
    page.wait_until("the host scrolls", "return scrollY > 50").await;

    page.run("document.querySelectorAll('iframe')[1].scrollIntoView()").await;
    page.client.enter_frame(1).await.expect("the second lab");
    page.until_text("#summary", "6-cube").await;
    page.wait_until("the second lab plays", "return document.querySelectorAll('.hops [aria-current=step]').length")
        .await;
    assert_eq!(page.run("return document.activeElement.tagName").await, json!("BODY"));
    page.client.enter_parent_frame().await.expect("the host");
    assert_eq!(page.run("return document.activeElement.tagName").await, json!("BODY"), "no focus is taken");
    page.assert_no_log();
}

#[tokio::test]
async fn playback_pauses_out_of_view() {
    let page = Page::open("v=2&faults=nodes:0.3&sample=3114").await;
    page.run("document.body.style.paddingTop = '3000px'").await;
    page.run("document.querySelector('.play').click()").await;
    // Browsers report visibility changes with a delay of a few frames.
    page.run_async("for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame)").await;
    let before = page.text("output.time").await;
    page.run_async("await new Promise(done => setTimeout(done, 1500))").await;
    assert_eq!(page.text("output.time").await, before, "nobody sees it");
    page.run("document.querySelector('canvas.network').scrollIntoView()").await;
    page.wait_until(
        "it goes on",
        &format!("return document.querySelector('output.time').textContent !== {}", json!(before)),
    )
    .await;
    page.assert_no_log();
}

#[tokio::test]
async fn narrow_screens_need_no_sideways_scrolling() {
    let page = Page::blank().await;
    for width in [320, 768, 2560] {
        page.resize(width, 720).await;
        for view in VIEWS {
            page.visit(view).await;
            page.reload().await;
            until_settled(&page).await;
            let wide = page
                .run(
                    "const wide = [...document.querySelectorAll('body *')].filter(element =>
                         element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('.scroll'));
                     return { page: document.documentElement.scrollWidth, window: innerWidth,
                         by: wide.slice(0, 5).map(element => element.outerHTML.slice(0, 120)) }",
                )
                .await;
            assert!(wide["page"].as_u64() <= wide["window"].as_u64(), "{view} at {width}: {wide}");
        }
    }
    page.assert_no_log();
}

/// Script that returns texts whose contrast with the background is too low for WCAG 2.2 AA.
const LOW_CONTRAST_TEXTS: &str = r"
    const brush = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgba = color => {
        brush.clearRect(0, 0, 1, 1); brush.fillStyle = color; brush.fillRect(0, 0, 1, 1);
        return brush.getImageData(0, 0, 1, 1).data;
    };
    const light = ([r, g, b]) => {
        const part = byte => { const c = byte / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
        return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    };
    const behind = element => {
        for (let at = element; at; at = at.parentElement) {
            const color = rgba(getComputedStyle(at).backgroundColor);
            if (color[3] > 200) return color;
        }
        return [255, 255, 255];
    };
    const faint = [];
    for (const element of document.querySelectorAll('#app *')) {
        const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
        if (!own || element.matches(':disabled, option, .hidden') || element.closest(':disabled, [aria-hidden]')) continue;
        const style = getComputedStyle(element), size = parseFloat(style.fontSize);
        const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
        const pair = [light(rgba(style.color)), light(behind(element))];
        const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
        if (ratio < (large ? 3 : 4.5)) faint.push(`${ratio.toFixed(2)} ${element.outerHTML.slice(0, 100)}`);
    }
    return [...new Set(faint)].slice(0, 12);";

#[tokio::test]
async fn light_and_dark_are_readable() {
    let page = Page::blank().await;
    let mut papers = Vec::new();
    let mut faint = Vec::new();
    for scheme in ["light", "dark"] {
        page.emulate_media(&[("prefers-color-scheme", scheme)]);
        for view in VIEWS {
            page.visit(view).await;
            page.reload().await;
            until_settled(&page).await;
            for text in page.run(LOW_CONTRAST_TEXTS).await.as_array().into_iter().flatten() {
                faint.push(format!("{scheme} {view}: {text}"));
            }
        }
        papers.push(page.run("return getComputedStyle(document.documentElement).getPropertyValue('--paper')").await);
    }
    assert_ne!(papers[0], papers[1]);
    assert!(faint.is_empty(), "texts that are hard to read:\n{}", faint.join("\n"));
    page.assert_no_log();
}

#[tokio::test]
async fn the_canvas_follows_the_colours() {
    let page = Page::blank().await;
    page.emulate_media(&[("prefers-color-scheme", "light")]);
    page.visit(VIEWS[0]).await;
    let corner =
        "return [...document.querySelector('canvas.network').getContext('2d').getImageData(1, 1, 1, 1).data].join()";
    page.wait_until(
        "it is painted",
        "return document.querySelector('canvas.network').getContext('2d').getImageData(1, 1, 1, 1).data[3] === 255",
    )
    .await;
    let mut seen = vec![page.run(corner).await];
    for feature in [("prefers-color-scheme", "dark"), ("forced-colors", "active")] {
        page.emulate_media(&[feature]);
        let last = &seen[seen.len() - 1];
        let script = format!("const now = (() => {{ {corner} }})(); return now === {last} ? null : now");
        let changed = page.wait_until(&format!("{feature:?} is painted"), &script).await;
        seen.push(changed);
    }
    page.assert_no_log();
}

/// Roles whose elements need an accessible name.
const NAMED: [&str; 12] = [
    "application",
    "button",
    "link",
    "textbox",
    "slider",
    "combobox",
    "checkbox",
    "image",
    "img",
    "progressbar",
    "dialog",
    "region",
];

/// Returns elements without an accessible name.
fn unnamed_elements(page: &Page) -> Vec<String> {
    let tree = page.devtools("Accessibility.getFullAXTree", json!({}));
    let nodes = tree["nodes"].as_array().cloned().unwrap_or_default();
    let count = nodes.len();
    assert!(count > 20, "only {count} accessible nodes");
    let needs_name = |node: &&Value| {
        let role = node["role"]["value"].as_str().unwrap_or_default();
        node["ignored"] != json!(true) && NAMED.contains(&role)
    };
    let is_nameless = |node: &&Value| node["name"]["value"].as_str().unwrap_or_default().trim().is_empty();
    nodes.iter().filter(needs_name).filter(is_nameless).map(Value::to_string).collect()
}

#[tokio::test]
async fn all_controls_have_accessible_names() {
    let page = Page::blank().await;
    for view in VIEWS {
        page.visit(view).await;
        page.reload().await;
        until_settled(&page).await;
        assert_eq!(unnamed_elements(&page), Vec::<String>::new(), "{view}");
        for landmark in ["main", "header", "nav", "h1", "h2"] {
            let count = page.run(&format!("return document.querySelectorAll('{landmark}').length")).await;
            assert!(count.as_u64() >= Some(1), "{view} has no {landmark}");
        }
        let doubled = page
            .run("const ids = [...document.querySelectorAll('[id]')].map(e => e.id); return ids.filter((id, i) => ids.indexOf(id) !== i)")
            .await;
        assert_eq!(doubled, json!([]), "{view}: ids are unique");
    }
    page.visit(VIEWS[0]).await;
    for dialog in ["Examples", "Share", "?"] {
        page.click_labelled(dialog).await;
        page.find("dialog[open]").await;
        assert_eq!(unnamed_elements(&page), Vec::<String>::new(), "{dialog}");
        page.key(Key::Escape.into()).await;
        page.wait_until("Escape closes it", "return !document.querySelector('dialog')").await;
        let back = page.run("return document.activeElement.textContent").await;
        assert_eq!(back, json!(dialog), "the focus returns to where it was");
    }
    page.assert_no_log();
}

#[tokio::test]
async fn tab_reaches_the_canvas_and_leaves_it() {
    let page = Page::open(VIEWS[0]).await;
    page.wait_until("there is a canvas", "return !!document.querySelector('canvas.network')").await;
    let mut order = Vec::new();
    for _ in 0..60 {
        page.key(Key::Tab.into()).await;
        let focus = page.run("const at = document.activeElement; return at.className.includes?.('network') ? 'canvas' : at.tagName + ' ' + (at.ariaLabel ?? at.textContent).slice(0, 20)").await;
        let focus = focus.as_str().unwrap_or_default().to_owned();
        order.push(focus);
        let seen = page.run("const at = getComputedStyle(document.activeElement); return at.outlineStyle !== 'none' && parseFloat(at.outlineWidth) > 0").await;
        assert_eq!(seen, json!(true), "the focus can be seen on {}", order[order.len() - 1]);
        if order.len() > 1 && order[order.len() - 2] == "canvas" {
            assert_ne!(order[order.len() - 1], "canvas", "the canvas keeps the focus");
            return page.assert_no_log();
        }
    }
    panic!("the canvas is not reached: {order:?}");
}

/// The first Tab stop is a skip link to the network, where the cursor is visible at once.
#[tokio::test]
async fn the_first_stop_leads_to_the_network() {
    for view in ["v=2&faults=nodes:0.3&sample=11", "v=2&net=cube:3&switch=circuit", "v=2&net=mesh:8x8&switch=wormhole"]
    {
        let page = Page::open(view).await;
        page.wait_until("there is a canvas", "return !!document.querySelector('canvas.network')").await;
        page.key(Key::Tab.into()).await;
        assert_eq!(page.run("return document.activeElement.textContent").await, json!("To the network"));
        page.key(Key::Enter.into()).await;
        page.until_text("#summary", "In focus: ").await;
        let keys = "return getComputedStyle(document.querySelector('.keys')).visibility === 'visible' && document.querySelector('.keys').textContent";
        let keys = page.wait_until("its keys are said", keys).await;
        assert!(keys.as_str().is_some_and(|keys| keys.starts_with("Arrow keys move")), "{keys}");
        page.assert_no_log();
    }
}

/// Glossary words in a paragraph share a single Tab stop; arrow keys move among them.
#[tokio::test]
async fn arrow_keys_move_among_glossary_words() {
    let page = Page::open("v=2&net=mesh:8x8&switch=wormhole&break=3.3,3.4&route=f-cube2").await;
    page.find(".caption dfn").await;
    page.until_text("output.time", "cycle 250").await;
    for part in [".caption", "#followed"] {
        let stops = format!("return document.querySelectorAll('{part} :is(dfn, span)[tabindex=\"0\"]').length");
        assert_eq!(page.run(&stops).await, json!(1), "{part}");
    }
    page.run("document.querySelector('.caption dfn').focus()").await;
    let name = "return document.activeElement.textContent";
    assert_eq!(page.run(name).await, json!("Worms"));
    for (key, word) in [(Key::Right, "virtual channels"), (Key::Down, "flit"), (Key::Left, "virtual channels")] {
        page.key(key.into()).await;
        assert_eq!(page.run(name).await, json!(word));
    }
    page.assert_no_log();
}

/// On a phone only the described network is shown, and stepping through a deadlock keeps it in
/// view.
#[tokio::test]
async fn phone_shows_the_described_network_only() {
    let page = Page::blank().await;
    page.resize(390, 844).await;
    page.visit("v=2&net=cube:3&switch=circuit&route=e-cube,minimal&rate=0.6&sample=19&layout=cube&time=1000").await;
    page.find("#cyclic-wait > button").await;
    let shown = "return [...document.querySelectorAll('.panel')].filter(one => one.offsetHeight).map(one => one.querySelector('b').textContent).join()";
    assert_eq!(page.run(shown).await, json!("any minimal path"));
    let seen = "const box = document.querySelector('.panel--explained canvas').getBoundingClientRect(); return box.top > -box.height / 2 && box.bottom < innerHeight * 1.5";
    assert_eq!(page.run(seen).await, json!(true));
    page.click("#cyclic-wait > button").await;
    page.wait_until("the picture is in sight", seen).await;
    // The button for the next message is visible without scrolling.
    let number = page
        .wait_until(
            "a message is followed",
            "return document.querySelector('#cyclic-wait [aria-current=step] b')?.textContent",
        )
        .await;
    page.click("#cyclic-wait > button").await;
    page.wait_until(
        "another",
        &format!("return document.querySelector('#cyclic-wait [aria-current=step] b').textContent !== {number}"),
    )
    .await;
    page.wait_until("the picture is in sight again", seen).await;
    page.click(".tabs button").await;
    page.wait_until("the other network", &format!("{shown} === 'e-cube'").replacen("return ", "return ", 1)).await;
    assert_eq!(page.run("return document.documentElement.scrollWidth <= innerWidth").await, json!(true));
    page.assert_no_log();
}

/// No control loses the keyboard focus when it is pressed, changed or switched. Most controls are the
/// same for every kind; a thorough run uses them in each kind, other runs in the first.
#[tokio::test]
async fn no_control_loses_the_focus_when_it_is_used() {
    let texts = [
        "v=2&faults=nodes:0.3&sample=11",
        "v=2&net=cube:3&switch=circuit&route=e-cube,minimal&rate=0.6&sample=19&layout=cube&time=1000",
        "v=2&net=mesh:8x8&switch=wormhole&break=3.3,3.4&route=f-cube2",
        "v=2&net=cube:4&switch=permutation&route=valiant-brebner",
        "v=2&net=cube:4&switch=batch&length=8&route=valiant-brebner&time=6",
        "v=2&net=tree:16&switch=delivery",
        "v=2&net=cube:4&switch=pairs",
        "v=2&faults=nodes:0.3&vary=p:0..0.9:10&view=measure",
    ];
    let mut used = json!([]);
    for text in texts {
        let page = Page::open(text).await;
        page.find(".sidebar input").await;
        // Exports and Open are left out: they would open file dialogs, and clipboard and printer are
        // unavailable.
        let script = "
            // The page renders the effect of a click in the next frame, and moves the focus after
            // it.
            const settled = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 10))));
            const all = () => [...document.querySelectorAll('main :is(button, input, select, summary), .story button, .tools button')]
                .filter(one => one.offsetHeight && !one.disabled && !one.closest('.exports, dialog, #open')).filter(one => one.type !== 'text');
            const said = one => one.tagName + ' ' + (one.ariaLabel ?? one.labels?.[0]?.textContent ?? one.textContent).slice(0, 30);
            const lost = [], before = new Set(USED), used = [], count = all().length, start = location.hash;
            for (let i = 0; i < count; i++) {
                const one = all()[i];
                if (!one) continue;
                const name = said(one);
                if (before.has(name)) continue;
                used.push(name);
                one.focus();
                if (document.activeElement !== one) continue;
                if (one.tagName === 'SELECT') {
                    one.selectedIndex = (one.selectedIndex + 1) % one.options.length;
                    one.dispatchEvent(new Event('change', { bubbles: true }));
                } else if (one.type === 'range') {
                    one.value = one.max;
                    one.dispatchEvent(new Event('input', { bubbles: true }));
                    one.dispatchEvent(new Event('change', { bubbles: true }));
                } else one.click();
                await settled();
                const close = document.querySelector('dialog .dialog__head button');
                if (close) { close.click(); await settled(); }
                const end = document.querySelector('.end-presentation');
                if (end) { end.click(); await settled(); }
                if (document.activeElement === document.body) lost.push(name);
                if (location.hash !== start) { location.hash = start; await settled(); }
            }
            return { lost, count, used: [...before, ...used] };";
        let seen = page.run_async(&script.replace("USED", &used.to_string())).await;
        assert_eq!(seen["lost"], json!([]), "{text}");
        assert!(seen["count"].as_u64().is_some_and(|count| count > 15), "{text}: {seen}");
        if !is_thorough() {
            used = seen["used"].clone();
        }
        page.assert_no_log();
    }
}

/// On the screens of projectors the presented figure has at least 70% of the height, with all
/// networks and controls in sight. A button ends the presentation.
#[tokio::test]
async fn presentation_fills_screens_of_projectors() {
    let page = Page::open("v=2&net=mesh:8x8&switch=wormhole").await;
    page.click(".tools .present").await;
    page.find(".page--present").await;
    let flaws = "const inside = one => one.height > 0 && one.left >= 0 && one.right <= innerWidth && one.top >= 0 && one.bottom <= innerHeight;
        const boxes = selector => [...document.querySelectorAll(selector)].map(one => one.getBoundingClientRect());
        const pictures = boxes('.stage :is(.network, .chart)').filter(one => one.width > 0 && one.height > 0), flaws = [];
        if (pictures.length !== COUNT) flaws.push(`${pictures.length} pictures`);
        for (const one of pictures) if (!inside(one) || one.height < 0.7 * innerHeight) flaws.push(`${Math.round(100 * one.height / innerHeight)}%`);
        if (!boxes('.transport > *').filter(one => one.height > 0).every(inside)) flaws.push('controls');
        return [innerWidth, flaws.join(', ')]";
    for (text, count) in [
        ("v=2&net=mesh:8x8&switch=wormhole", 2),
        ("v=2&net=tree:64&switch=delivery", 2),
        ("v=2&net=mesh:8x8&switch=wormhole&view=measure&vary=load:0.1,0.5&within=0.5", 1),
    ] {
        page.visit(text).await;
        for (width, height) in [(1024, 768), (1280, 720), (1920, 1080)] {
            page.resize(width, height).await;
            let flaws = flaws.replace("COUNT", &count.to_string());
            page.wait_until("the view is there", "return !!document.querySelector('.stage :is(.network, .chart)')")
                .await;
            page.run_async("await new Promise(done => setTimeout(done, 200))").await;
            assert_eq!(page.run(&flaws).await, json!([width, ""]), "{text}");
        }
    }
    page.click(".end-presentation").await;
    page.wait_until("it has ended", "return !document.querySelector('.page--present')").await;
    page.assert_no_log();
}
