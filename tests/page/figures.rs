//! Tests of figures in host pages: as an element, in a frame, and as a single file.

use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::{Page, built_file, faultlab, is_thorough, page_url};
use crate::crashes::CRASH_MESSAGE;
use crate::engine::BrowserEngine;
use crate::idle::KINDS;

/// Opens a host page: a document without styles or policy that loads `faultlab.js`.
pub(crate) async fn open_host() -> Page {
    let page = Page::blank().await;
    let url = format!("{}faultlab.js", page_url());
    page.client.goto(&url).await.expect("a plain document opens");
    page.run(
        "document.body.replaceChildren(); document.body.style.margin = '8px';
         window.news = [];
         for (const name of ['change', 'time', 'result', 'refused'])
             document.addEventListener(name, event => news.push([name, event.detail]));
         window.figure = (attributes, style = '') => {
             const made = document.createElement('fault-lab');
             for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
             made.style = style;
             document.body.append(made);
             return made;
         };
         window.seen = (place, selector) => document.querySelectorAll('fault-lab')[place]?.shadowRoot?.querySelector(selector);
         const script = document.createElement('script');
         script.type = 'module'; script.src = 'faultlab.js';
         document.head.append(script);",
    )
    .await;
    page
}

/// Waits until the title of figure `place` contains `part`.
async fn until_title(page: &Page, place: usize, part: &str) {
    let script = format!("return (seen({place}, 'h2')?.textContent ?? '').includes({})", json!(part));
    page.wait_until(&format!("figure {place} says {part:?}"), &script).await;
}

/// Returns the details of all events `name` so far.
async fn events(page: &Page, name: &str) -> Vec<Value> {
    let all = page.run(&format!("return news.filter(one => one[0] === '{name}').map(one => one[1])")).await;
    all.as_array().cloned().unwrap_or_default()
}

#[tokio::test]
async fn element_is_controlled_by_script() {
    let page = open_host().await;
    page.run("figure({ experiment: 'net=cube:4&route=deterministic', caption: 'A 4-cube' })").await;
    until_title(&page, 0, "A message leaves 0000 for 1111").await;
    assert_eq!(page.run("return seen(0, '.figure__caption').textContent").await, json!("A 4-cube"));
    page.run("document.querySelector('fault-lab').seek(4)").await;
    until_title(&page, 0, "minimal path").await;
    page.run("document.querySelector('fault-lab').change('break', '12,10,9')").await;
    until_title(&page, 0, "dead end").await;
    let text = page.run("return document.querySelector('fault-lab').experiment").await;
    assert_eq!(text, json!("v=1&net=cube:4&break=9,10,12&route=deterministic"));
    assert_eq!(events(&page, "change").await, std::slice::from_ref(&text));
    let told = page.run("return document.querySelector('fault-lab').result").await;
    let printed = faultlab(&["route", text.as_str().unwrap_or_default(), "--json"]);
    assert_eq!(told.as_str().map(str::trim_end), Some(printed.trim_end()));
    assert!(!events(&page, "time").await.is_empty());

    // Change the experiment, then set an invalid one: the figure shows the error and leaves the
    // host page untouched.
    page.run("document.querySelector('fault-lab').experiment = 'net=cube:3'").await;
    until_title(&page, 0, "A message leaves 000 for 111").await;
    page.run("document.querySelector('fault-lab').change('net', 'moon')").await;
    page.wait_until("it says why", "return (seen(0, '.problem p')?.textContent ?? '').includes('not a network')").await;
    page.wait_until("it tells", "return news.filter(one => one[0] === 'refused').length === 1").await;
    page.run("document.querySelector('fault-lab').experiment = 'net=sun'").await;
    page.wait_until("it says why", "return (seen(0, '.problem p')?.textContent ?? '').includes('net=sun')").await;
    // The last valid experiment stays; its message may have arrived by now.
    assert_eq!(page.run("return document.querySelector('fault-lab').experiment").await, json!("v=1&net=cube:3"));
    until_title(&page, 0, "message").await;
    page.assert_no_log();
}

#[tokio::test]
async fn figures_share_one_program_and_their_sweeps_have_the_bytes_of_the_command_line() {
    let page = open_host().await;
    let texts = [
        "v=2&net=cube:6&faults=nodes:0.3&route=sidetracking,global&vary=p:0.1,0.5&within=0.05",
        "v=2&net=cube:6&faults=nodes:0.3&vary=p:0.2,0.4&within=0.05",
    ];
    for text in texts {
        page.run(&format!("figure({{ experiment: '{text}', view: 'measure' }}, 'height: 300px')")).await;
    }
    page.until_in(
        Duration::from_secs(60),
        "both have ended",
        "return news.filter(one => one[0] === 'result').length === 2",
    )
    .await;
    for (place, text) in texts.iter().enumerate() {
        let told = page.run(&format!("return document.querySelectorAll('fault-lab')[{place}].result")).await;
        let printed = faultlab(&["run", &format!("{text}&view=measure"), "--json", "--quiet"]);
        assert_eq!(told.as_str().map(str::trim_end), Some(printed.trim_end()), "{text}");
    }
    // Both figures share one WebAssembly program.
    let programs =
        "return performance.getEntriesByType('resource').filter(entry => entry.name.endsWith('.wasm')).length";
    assert_eq!(page.run(programs).await, json!(1));
    page.assert_no_log();
}

/// Analysis results are computed in a worker and reported by an event.
#[tokio::test]
async fn result_event_contains_analysis() {
    let page = open_host().await;
    page.run("figure({ experiment: 'net=mesh:4x4&switch=wormhole&break=1.1&route=f-cube2&view=check' })").await;
    page.wait_until("it is told", "return news.some(one => one[0] === 'result')").await;
    let printed = faultlab(&["check", "net=mesh:4x4&switch=wormhole&break=1.1&route=f-cube2&view=check", "--json"]);
    assert_eq!(events(&page, "result").await[0].as_str().map(str::trim_end), Some(printed.trim_end()));
    let told = page.run("return document.querySelector('fault-lab').result").await;
    assert_eq!(told.as_str().map(str::trim_end), Some(printed.trim_end()));
    page.wait_until("its cards are there", "return !!seen(0, '.card')").await;
    page.assert_no_log();
}

#[tokio::test]
async fn figures_load_near_viewport_and_stop_when_removed() {
    let page = open_host().await;
    page.run("for (let number = 0; number < 100; ++number) figure({ experiment: 'net=cube:4' }, 'height: 320px')")
        .await;
    until_title(&page, 0, "A message leaves").await;
    let open =
        "return [...document.querySelectorAll('fault-lab')].filter(one => one.shadowRoot.querySelector('h2')).length";
    let count = page.run(open).await.as_u64().unwrap_or(0);
    assert!((3..12).contains(&count), "{count} of 100 are open");
    // Reduce the height of a figure to zero, and enlarge it again.
    page.run("document.querySelector('fault-lab').style.height = '0'").await;
    page.run_async("await new Promise(done => setTimeout(done, 200))").await;
    page.run("document.querySelector('fault-lab').style.height = '320px'").await;
    // A moved figure continues. A removed figure ends silently, even during a computation.
    page.run("document.body.append(document.querySelector('fault-lab')); scrollTo(0, 1e6)").await;
    until_title(&page, 99, "A message leaves").await;
    page.run("figure({ experiment: 'net=cube:20&faults=nodes:0.5&vary=p:0.1..0.9:9', view: 'measure' })").await;
    page.run("scrollTo(0, 1e6)").await;
    page.wait_until("it computes", "return /of 9 points/.test(seen(100, '#status')?.textContent ?? '')").await;
    page.run("document.body.replaceChildren()").await;
    page.run_async("await new Promise(done => setTimeout(done, 500))").await;
    page.assert_no_log();
}

#[tokio::test]
async fn attributes_limit_display_and_edits() {
    let page = open_host().await;
    page.run("figure({ experiment: 'net=cube:4', lock: 'all', controls: 'none' }, 'width: 480px; height: 320px')")
        .await;
    page.run("figure({ experiment: 'net=mesh:8x8&switch=wormhole&break=3.3&load=0.3', theme: 'dark' }, 'width: 480px; height: 320px')")
        .await;
    page.run("figure({ experiment: 'net=cube:4', show: 'network,reasons', lock: 'faults', speed: 3, controls: 'play speed' }, 'height: 400px')").await;
    page.run("figure({ experiment: 'net=cube:4', show: 'moon', view: 'sky', captoin: 'A 4-cube' })").await;
    until_title(&page, 3, "A message leaves").await;
    let shown = |place: usize, selector: &str| {
        format!("return (seen({place}, '{selector}')?.getBoundingClientRect().height ?? 0) > 0")
    };
    for (place, selector, is_shown) in [
        (0, ".transport", false),
        (0, ".explanation", false),
        (0, "canvas.network", true),
        (1, ".transport", true),
        (2, ".explanation", true),
        (2, ".figure-tools", false),
        (2, ".speed", true),
    ] {
        assert_eq!(page.run(&shown(place, selector)).await, json!(is_shown), "{selector} of figure {place}");
    }
    // At 480 x 320 the figure is complete: title, network, time and the link into Faultlab are all
    // inside.
    let inside = "
        const box = document.querySelectorAll('fault-lab')[1].getBoundingClientRect();
        return ['h2', '.panel canvas', '.play', '.figure__foot a'].every(part => {
            const { top, bottom, left, right, height } = seen(1, part).getBoundingClientRect();
            return height > 10 && top >= box.top && bottom <= box.bottom && left >= box.left && right <= box.right;
        })";
    page.wait_until("all of it is inside", inside).await;
    assert_eq!(page.run("return getComputedStyle(seen(1, '.figure')).backgroundColor").await, json!("rgb(20, 23, 27)"));
    // A locked figure explains that edits are disabled, and stays unchanged.
    page.run("seen(0, 'canvas').focus()").await;
    for pressed in ["ArrowRight", "ArrowRight", "Enter"] {
        page.run(&format!("seen(0, 'canvas').dispatchEvent(new KeyboardEvent('keydown', {{ key: '{pressed}', bubbles: true, composed: true }}))"))
            .await;
    }
    page.wait_until("it refuses", "return (seen(0, '.problem p')?.textContent ?? '').includes('read-only')").await;
    let text = page.run("return document.querySelector('fault-lab').experiment").await;
    assert_eq!(text, json!("v=1&net=cube:4"));
    page.wait_until("its speed is the one that was given", "return seen(2, '.speed input').value === '3'").await;
    // Unknown options are named in a message and otherwise ignored.
    let said = page.run("return seen(3, '.problem p').textContent").await;
    let said = said.as_str().unwrap_or_default();
    assert!(said.contains("ui.view=sky was ignored") && said.contains("ui.show=moon was ignored"), "{said}");
    assert!(said.contains("the attribute captoin is unknown and was ignored; did you mean caption?"), "{said}");
    // A figure that opens with a wrong key draws the others, and names the wrong one.
    page.run("figure({ experiment: 'rout=e-cube&net=cube:4' }, 'height: 400px'); figure({ experiment: 'rout=e-cube' }, 'height: 400px')")
        .await;
    for place in [4, 5] {
        // A figure starts when it comes into view.
        page.run(&format!("document.querySelectorAll('fault-lab')[{place}].scrollIntoView()")).await;
        until_title(&page, place, "message").await;
        let said = page.run(&format!("return seen({place}, '.problem p').textContent")).await;
        assert_eq!(said, json!("Unknown key \"rout\". Did you mean \"route\"?"));
    }
    page.assert_no_log();
}

/// A new option leaves what the reader has changed; a new experiment replaces it.
#[tokio::test]
async fn options_keep_changes_of_the_reader() {
    let page = open_host().await;
    page.run("figure({ experiment: 'v=2&net=cube:4' }, 'height: 400px')").await;
    until_title(&page, 0, "A message leaves").await;
    page.run("document.querySelector('fault-lab').change('net', 'cube:3')").await;
    let text = "return document.querySelector('fault-lab').experiment";
    page.wait_until("the change of the reader", &format!("{text} === 'v=2&net=cube:3'")).await;
    page.run("document.querySelector('fault-lab').setAttribute('theme', 'dark')").await;
    let is_dark = "return getComputedStyle(seen(0, '.figure')).backgroundColor === 'rgb(20, 23, 27)'";
    page.wait_until("the dark theme", is_dark).await;
    assert_eq!(page.run(text).await, json!("v=2&net=cube:3"));
    page.run("document.querySelector('fault-lab').experiment = 'v=2&net=cube:5'").await;
    page.wait_until("another experiment", &format!("{text} === 'v=2&net=cube:5'")).await;
    page.assert_no_log();
}

/// Experiments of every kind, and a measurement. In other engines than Chromium, regular runs lay out
/// three kinds and the measurement: the style sheets have no rules for single kinds.
fn small_figures() -> Vec<&'static str> {
    let is_short = BrowserEngine::from_env() != BrowserEngine::Chromium && !is_thorough();
    let mut texts = if is_short { KINDS[..3].to_vec() } else { KINDS.to_vec() };
    texts.push("v=2&net=mesh:8x8&switch=wormhole&view=measure&vary=load:0.1..0.9:2&within=0.5");
    texts
}

/// In small tags and frames with a caption, the picture has at least 65% of the height, nothing
/// scrolls, the title has one line or two of small text, and the link is in the row of the controls.
/// The zoom buttons are visible. Narrow figures show one network.
#[tokio::test]
async fn picture_fills_small_figures_of_every_kind() {
    let page = open_host().await;
    page.run("document.body.replaceChildren()").await;
    for text in small_figures() {
        page.run(&format!(
            "figure({{ experiment: '{text}', caption: 'A caption of the author' }});
             const frame = document.createElement('iframe');
             frame.src = './#{text}&ui=figure&ui.caption=A+caption+of+the+author'; frame.style.border = '0';
             document.body.append(frame);"
        ))
        .await;
    }
    page.run(
        "window.figures = () => [...document.querySelectorAll('fault-lab, iframe')].map(one =>
             (one.shadowRoot ?? one.contentDocument).querySelector('.figure'));
         window.flaws = (width, height) => figures().flatMap((figure, place) => {
             const rect = selector => figure.querySelector(selector)?.getBoundingClientRect();
             const box = figure.getBoundingClientRect(), flaws = [];
             const inside = one => one.height > 0 && one.width > 0 && one.left >= box.left && one.right <= box.right + 1 && one.top >= box.top && one.bottom <= box.bottom + 1;
             const shown = [...figure.querySelectorAll('.network, .chart')].map(one => one.getBoundingClientRect()).filter(one => one.height * one.width > 0);
             const share = Math.max(...shown.filter(inside).map(one => one.height / height), 0);
             if (share < 0.65) flaws.push(`${Math.round(share * 100)}%`);
             const zoom = rect('.zoom button:last-child');
             const hasNetwork = [...figure.querySelectorAll('.network')].some(one => one.getBoundingClientRect().height > 0);
             if (zoom ? !inside(zoom) || zoom.width < 24 || zoom.height < 24 : hasNetwork) flaws.push('zoom');
             if (!inside(rect('.figure__caption'))) flaws.push('caption');
             if (width < 600 && shown.length > 1) flaws.push(`${shown.length} pictures`);
             if ([...figure.querySelectorAll('.figure__body, .stage')].some(one => one.scrollHeight > one.clientHeight + 1)) flaws.push('scrolls');
             if (!inside(rect('h2')) || rect('h2').height > 28) flaws.push('title');
             const [link, row] = [rect('.figure__foot a'), rect('.transport')];
             if (!inside(link) || link.width < 24 || link.height < 24 || row && (link.top < row.top - 1 || link.bottom > box.bottom)) flaws.push('link');
             return flaws.length ? [`${place % 2 ? 'frame' : 'tag'} ${place >> 1} at ${width} x ${height}: ${flaws.join(', ')}`] : [];
         });",
    )
    .await;
    for (width, height) in [(320, 240), (480, 320), (640, 360), (800, 450)] {
        page.run(&format!(
            "for (const one of document.querySelectorAll('fault-lab, iframe')) Object.assign(one.style, {{ width: '{width}px', height: '{height}px' }})"
        ))
        .await;
        // Figures outside the view open when it comes to them.
        page.until_in(
            Duration::from_secs(60),
            "all figures are there",
            "const late = [...document.querySelectorAll('fault-lab, iframe')].find((_, place) => !figures()[place]?.querySelector('.network, .chart'));
             late?.scrollIntoView();
             return !late;",
        )
        .await;
        page.run_async("await new Promise(done => setTimeout(done, 200))").await;
        assert_eq!(page.run(&format!("return flaws({width}, {height})")).await, json!([]));
    }
    // The names of the algorithms are the switch.
    page.run("for (const one of document.querySelectorAll('fault-lab, iframe')) one.style.width = '480px'").await;
    page.run("figures()[4].querySelectorAll('.tabs button')[1].click()").await;
    let shown =
        "return [...figures()[4].querySelectorAll('.panel')].map(one => one.getBoundingClientRect().height > 0)";
    page.wait_until("the second network", &format!("{shown}[1]")).await;
    assert_eq!(page.run(shown).await, json!([false, true]));
    page.assert_no_log();
}

/// A tag without a height of its own fits a container that is lower than its default height.
#[tokio::test]
async fn tag_fits_container_of_fixed_height() {
    let page = open_host().await;
    page.run(
        "const box = document.createElement('div');
         box.style.height = '260px';
         document.body.append(box);
         box.append(figure({ experiment: 'net=cube:4', caption: 'A 4-cube' }));",
    )
    .await;
    until_title(&page, 0, "A message leaves").await;
    let heights = "return ['fault-lab', 'div'].map(one => document.querySelector(one).getBoundingClientRect().height)";
    assert_eq!(page.run(heights).await, json!([260, 260]));
    page.assert_no_log();
}

#[tokio::test]
async fn frame_ignores_messages_of_other_windows() {
    let page = open_host().await;
    page.run(
        "const frame = document.createElement('iframe');
         frame.width = 480; frame.height = 320;
         frame.src = './#v=2&net=cube:4&route=deterministic&ui=figure&ui.shine=1';
         addEventListener('message', event => news.push([event.data.event, event.data.detail]));
         document.body.append(frame);
         window.tell = message => frame.contentWindow.postMessage(message, '*');
         window.inside = selector => frame.contentDocument?.querySelector(selector)?.textContent ?? '';",
    )
    .await;
    page.wait_until("the figure is there", "return inside('.figure h2').includes('A message leaves')").await;
    let height = "return news.filter(one => one[0] === 'height').map(one => one[1])[0]";
    let height = page.wait_until("it tells how high it is", height).await;
    assert_eq!(height, json!(320), "all of it is seen in its frame");
    assert_eq!(page.run("return inside('.header')").await, json!(""), "the figure alone");
    let said = page.run("return inside('.problem p')").await;
    assert!(said.as_str().is_some_and(|said| said.starts_with("ui.shine was ignored")), "{said}");
    for wrong in [
        "'play'",
        "null",
        "{ do: 'change', key: 'net', value: 'cube:3' }",
        "{ faultlab: 1, do: 'eval', text: '1' }",
        "{ faultlab: 1, do: 'change', key: 3, value: {} }",
        "{ faultlab: 2, do: 'show', text: 'net=cube:3' }",
        "{ faultlab: 1, do: 'seek', time: -1 }",
        "{ faultlab: 1, do: 'seek', time: 'x' }",
    ] {
        page.run(&format!("tell({wrong})")).await;
    }
    page.run("tell({ faultlab: 1, do: 'change', key: 'break', value: '12,10,9' }); tell({ faultlab: 1, do: 'seek', time: 9 })").await;
    page.wait_until("it has done so", "return inside('.figure h2').includes('dead end')").await;
    page.wait_until("it tells", "return news.some(one => one[0] === 'change')").await;
    assert_eq!(events(&page, "change").await, [json!("v=2&net=cube:4&break=9,10,12&route=deterministic")]);
    page.run("tell({ faultlab: 1, do: 'show', text: 'net=cube:3' })").await;
    page.wait_until("it shows another", "return inside('.figure h2').includes('000 for 111')").await;
    page.assert_no_log();
}

/// Figures on the page's own host run without errors under the content security policy of
/// `docs/hosting.md`.
#[tokio::test]
async fn documented_policy_suffices() {
    let page = open_host().await;
    page.run(
        "const policy = document.createElement('meta');
         policy.httpEquiv = 'Content-Security-Policy';
         policy.content = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; style-src-attr 'unsafe-inline'`;
         document.head.append(policy);
         figure({ experiment: 'v=2&net=cube:6&faults=nodes:0.3&route=sidetracking,global&vary=p:0.1,0.5&within=0.05', view: 'measure' });",
    )
    .await;
    page.wait_until("the sweep has ended", "return news.some(one => one[0] === 'result')").await;
    let colors = "return [...document.querySelector('fault-lab').shadowRoot.querySelectorAll('.legend svg')].map(it => getComputedStyle(it).color)";
    assert_eq!(page.run(colors).await, json!(["rgb(9, 105, 168)", "rgb(155, 77, 134)"]));
    page.assert_no_log();
}

/// Returns a script that reads the text of a selector in figure `place`.
fn text_in(place: usize, selector: &str) -> String {
    format!("return seen({place}, {})?.textContent ?? ''", json!(selector))
}

async fn until_in(page: &Page, place: usize, selector: &str, part: &str) {
    let script = format!("return (seen({place}, {})?.textContent ?? '').includes({})", json!(selector), json!(part));
    page.wait_until(&format!("figure {place} says {part:?}"), &script).await;
}

#[tokio::test]
async fn a_figure_that_panics_leaves_the_others_alive() {
    let page = open_host().await;
    page.run("window.__faultlab_panic = 'cube:7'").await;
    for experiment in ["net=cube:4&route=deterministic", "net=cube:7", "net=cube:5"] {
        page.run(&format!("figure({{ experiment: '{experiment}' }}, 'height: 300px')")).await;
    }
    until_in(&page, 1, "[role=alert]", CRASH_MESSAGE).await;
    until_title(&page, 0, "A message leaves 0000 for 1111").await;
    until_title(&page, 2, "A message leaves 00000 for 11111").await;
    // The other figures still respond.
    page.run("document.querySelector('fault-lab').seek(4)").await;
    until_title(&page, 0, "minimal path").await;
    page.run("document.querySelectorAll('fault-lab')[2].change('net', 'cube:6')").await;
    until_title(&page, 2, "A message leaves 000000 for 111111").await;
    // A new figure opens, and the failed one opens with another experiment.
    page.run("figure({ experiment: 'net=cube:3' }, 'height: 300px')").await;
    until_title(&page, 3, "A message leaves 000 for 111").await;
    page.run("document.querySelectorAll('fault-lab')[1].experiment = 'net=cube:3'").await;
    until_title(&page, 1, "A message leaves 000 for 111").await;
    for place in [0, 2, 3] {
        assert_eq!(page.run(&text_in(place, ".crash")).await, json!(""), "figure {place}");
    }
}

#[tokio::test]
async fn panic_after_edit_offers_previous_experiment() {
    let page = open_host().await;
    for experiment in ["net=cube:4", "net=cube:5"] {
        page.run(&format!("figure({{ experiment: '{experiment}' }}, 'height: 300px')")).await;
    }
    until_title(&page, 0, "A message leaves 0000 for 1111").await;
    until_title(&page, 1, "A message leaves 00000 for 11111").await;
    page.run("document.querySelectorAll('fault-lab')[1].change('break', '3')").await;
    page.wait_until("it tells", "return news.some(one => one[0] === 'change')").await;
    page.run("window.__faultlab_panic = 'cube:7'; document.querySelector('fault-lab').change('net', 'cube:7')").await;
    until_in(&page, 0, "[role=alert]", CRASH_MESSAGE).await;
    let report = page.run("return seen(0, 'textarea').value").await;
    let report = report.as_str().unwrap_or_default();
    assert!(report.contains("a test requested this panic\nExperiment: v=1&net=cube:7\n"), "{report}");
    // The other figure keeps its experiment.
    page.wait_until(
        "it is back",
        "return document.querySelectorAll('fault-lab')[1].experiment === 'v=1&net=cube:5&break=3'",
    )
    .await;
    until_title(&page, 1, "A message leaves 00000 for 11111").await;
    page.run("[...document.querySelector('fault-lab').shadowRoot.querySelectorAll('button')].find(one => one.textContent.startsWith('Open the last')).click()").await;
    until_title(&page, 0, "A message leaves 0000 for 1111").await;
    assert_eq!(page.run(&text_in(1, ".crash")).await, json!(""));
}

/// Messages from pages that `ui.host` does not name are ignored. So are all messages if `ui.host`
/// names no valid origin.
#[tokio::test]
async fn frame_accepts_messages_of_ui_host_only() {
    let page = open_host().await;
    let origin = page.run("return location.origin").await;
    let origin = origin.as_str().unwrap_or_default();
    let heard = [origin.to_owned(), origin.replace("http", "HTTP")];
    let unheard = [&format!("{origin}/"), "https://example.org", "*", "null", "", "file://x"].map(str::to_owned);
    page.run(
        "addEventListener('message', event => news.push([event.source.name, event.data.event]));
         window.frame = (name, ui) => {
             const frame = document.createElement('iframe');
             Object.assign(frame, { name, width: 480, height: 320, src: `./#v=2&net=cube:4&ui=figure&ui.host=${ui}` });
             document.body.append(frame);
         };
         window.inside = (place, selector) => frames[place].document.querySelector(selector)?.textContent ?? '';",
    )
    .await;
    for host in heard.iter().chain(&unheard) {
        page.run(&format!("frame('{host}', encodeURIComponent('{host}'))")).await;
    }
    for place in 0..heard.len() + unheard.len() {
        let there = format!("return inside({place}, '.figure h2').includes('A message leaves 0000')");
        page.wait_until("the figure is there", &there).await;
    }
    page.run("for (let at = 0; at < frames.length; at++) frames[at].postMessage({ faultlab: 1, do: 'show', text: 'net=cube:3' }, '*')").await;
    for place in 0..heard.len() {
        page.wait_until("it hears", &format!("return inside({place}, '.figure h2').includes('000 for 111')")).await;
    }
    page.run_async("await new Promise(done => setTimeout(done, 500))").await;
    for (host, place) in unheard.iter().zip(heard.len()..) {
        let said = page.run(&format!("return inside({place}, '.figure h2')")).await;
        assert!(said.as_str().is_some_and(|said| said.contains("0000")), "ui.host={host} hears: {said}");
        let told = page.run(&format!("return news.some(one => one[0] === '{host}')")).await;
        assert_eq!(told, json!(false), "ui.host={host} tells");
    }
}

/// Adds a figure in a sandboxed frame, which has an opaque origin: no storage, and no modules from
/// its host.
async fn sandboxed(page: &Page, file: &str) {
    page.run(&format!(
        "const frame = document.createElement('iframe');
         frame.sandbox = 'allow-scripts'; frame.width = 700; frame.height = 420;
         frame.src = './{file}#v=2&net=cube:6&faults=nodes:0.3&vary=p:0.1,0.5&within=0.05&view=measure&ui=figure';
         addEventListener('message', event => news.push([event.data.event, event.data.detail]));
         document.body.append(frame);"
    ))
    .await;
}

/// The multi-file page works in a sandbox if the host sends the needed headers. In WebKit the
/// multi-file page cannot load there, and its message names the single-file page. The single-file
/// page works in every engine.
#[tokio::test]
async fn works_in_sandboxed_frame() {
    let page = open_host().await;
    if page.engine == BrowserEngine::WebKit {
        sandboxed(&page, "").await;
        page.client.enter_frame(0).await.expect("the frame");
        page.until_text(".waiting", "or embed faultlab.html").await;
        page.client.enter_parent_frame().await.expect("the host");
        page.run("document.querySelector('iframe').remove()").await;
        sandboxed(&page, "faultlab.html").await;
    } else {
        sandboxed(&page, "").await;
    }
    page.until_in(Duration::from_secs(30), "the sweep ends", "return news.some(one => one[0] === 'result')").await;
    let told = events(&page, "result").await;
    let printed = faultlab(&[
        "run",
        "v=2&net=cube:6&faults=nodes:0.3&vary=p:0.1,0.5&within=0.05&view=measure",
        "--json",
        "--quiet",
    ]);
    assert_eq!(told[0].as_str().map(str::trim_end), Some(printed.trim_end()));
}

/// The examples of the docs: a slider that sets the fault rate of three figures, and a figure that
/// follows another.
#[tokio::test]
async fn the_examples_of_the_docs_work() {
    let page = Page::blank().await;
    let seen = "window.seen = (place, selector) => document.querySelectorAll('fault-lab')[place]?.shadowRoot?.querySelector(selector);";
    page.client.goto(&format!("{}figures/slider.html", page_url())).await.expect("the example opens");
    page.run(seen).await;
    until_title(&page, 2, "A message leaves").await;
    page.run(
        "const slider = document.querySelector('input'); slider.value = 0.5; slider.dispatchEvent(new Event('input'))",
    )
    .await;
    page.wait_until(
        "all have the fault rate",
        "return [...document.querySelectorAll('fault-lab')].every(one => one.experiment.includes('faults=nodes:0.5'))",
    )
    .await;
    page.client.goto(&format!("{}figures/linked.html", page_url())).await.expect("the example opens");
    page.run(seen).await;
    until_title(&page, 1, "Worms").await;
    page.run("document.querySelector('fault-lab').seek(40)").await;
    let moment = "return seen(1, '.transport input')?.value === '40'";
    page.wait_until("the second one is there too", moment).await;
    page.run("document.querySelector('fault-lab').change('break', '3.3')").await;
    page.wait_until(
        "it breaks the same",
        "return /break=3.3(&|$)/.test(document.querySelectorAll('fault-lab')[1].experiment)",
    )
    .await;
    page.assert_no_log();
}

/// Returns the `file:` URL of a built file.
pub(crate) fn file_url(name: &str) -> String {
    format!("file://{}", built_file(name).display())
}

#[tokio::test]
async fn one_file_works_from_a_disk() {
    let page = Page::blank().await;
    let text = "v=2&net=cube:6&faults=nodes:0.3&vary=p:0.1,0.3,0.5&within=0.02&view=measure";
    page.client.goto(&format!("{}#{text}", file_url("faultlab.html"))).await.expect("the file opens");
    crate::measure::wait_for_sweep(&page).await;
    page.run(crate::measure::RECORD_FILES).await;
    let csv = crate::measure::exported(&page, "CSV", ".csv").await;
    assert_eq!(csv, faultlab(&["run", &page.link().await, "--csv", "--quiet"]));
    assert_eq!(page.run("return document.querySelector('.notice')").await, Value::Null, "with workers");
    for (view, said) in [("watch", "A message leaves"), ("check", "Exact results"), ("papers", "are reproduced")] {
        page.client
            .goto(&format!("{}#v=2&net=cube:6&view={view}", file_url("faultlab.html")))
            .await
            .expect("the link opens");
        page.wait_until(view, &format!("return document.querySelector('main').textContent.includes('{said}')")).await;
    }
    page.assert_no_log();
}
