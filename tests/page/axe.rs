//! Accessibility tests with axe (<https://github.com/dequelabs/axe-core>): every view of every kind
//! in light, dark and forced colours, with dialogs, errors and collapsed parts open.

use std::{env, fs};

use fantoccini::key::Key;
use serde_json::json;

use crate::browser::{Page, is_thorough, page_url};

/// A small experiment of each kind.
const KINDS: [&str; 7] = [
    "v=2&net=cube:4&faults=nodes:0.2&route=sidetracking,random",
    "v=2&net=cube:4&switch=circuit&route=e-cube,up",
    "v=2&net=mesh:6x6&switch=wormhole&faults=count:2",
    "v=2&net=cube:4&switch=permutation",
    "v=2&net=cube:4&switch=batch",
    "v=2&net=tree:16&switch=delivery",
    "v=2&net=cube:4&switch=pairs&faults=count:3",
];

/// The papers, and the list of their statements, which Papers shows one at a time.
const PAPERS: [&str; 6] =
    ["gordon-stout", "chiu-chalasani-raghavendra", "boppana-chalasani", "thesis", "fat-trees", "rows"];

/// Script that returns violations, undecided checks, and duplicate ids. It skips known cases that
/// axe cannot decide:
///
/// - elements that were redrawn and removed during the check, and headings that follow such
///   elements, as beside worms while the engine looks ahead;
/// - contrast of signs such as ▶ and ✓ (`accessibility.rs` measures all texts);
/// - signs that may or may not be part of a name;
/// - contrast of legends, over whose edge a shadow shows that more follows, and which the description
///   of a point may cover while it is shown;
/// - contrast of elements that are scrolled out of view, which equals that of their neighbours;
/// - contrast of the rule editor, whose text lies over highlighted lines (at least 8.7, calculated
///   from the colours, not measured).
///
/// `CONTRAST_ONLY` is replaced by `true` to check contrast only, the one rule that depends on
/// colours.
const RUN_AXE: &str = r"
    const rules = CONTRAST_ONLY ? { runOnly: ['color-contrast'] } : {};
    // Preloading would inline the style sheets of shadow roots, which the content security policy
    // forbids. No rule here reads them.
    const { violations, incomplete } = await axe.run(document, { ...rules, preload: false, resultTypes: ['violations', 'incomplete'] });
    const signs = /only non-text characters|Unable to determine if the visible text is part|Unable to determine previous heading/;
    const why = node => [...node.any, ...node.all, ...node.none].map(check => check.message).join('; ');
    // Selectors into shadow roots are lists with a step per root.
    const find = steps => [steps].flat().reduce((root, step) => (root?.shadowRoot ?? root)?.querySelector(step), document);
    const isKnown = (id, node) => {
        const element = find(node.target[0]);
        if (!element) return true;
        const places = ['.scroll', '.hops', '.explanation'].map(place => element.closest(place)).filter(place => place);
        const past = (place, side) => element.getBoundingClientRect()[side] > place.getBoundingClientRect()[side];
        const beyond = places.some(place => past(place, 'right') || past(place, 'bottom'));
        const mayBeOver = /gradient/.test(why(node)) || /overlapped/.test(why(node)) && !!element.getRootNode().querySelector('.tip p');
        const isLegend = id === 'color-contrast' && element.closest('[id$=legend]') && mayBeOver;
        return isLegend || signs.test(why(node)) || element.id === 'rules-text' && id === 'color-contrast' || id === 'color-contrast' && beyond;
    };
    const told = (found, skip) => found.flatMap(({ id, nodes }) => nodes.filter(node => !skip(id, node))
        .map(node => `${id}: ${node.target.join(' ')} ${node.html.slice(0, 160)} ${why(node)}`));
    // axe reports duplicate ids only if something refers to them.
    const ids = [...document.querySelectorAll('[id]')].map(element => element.id);
    const twice = ids.filter((id, place) => ids.indexOf(id) !== place).map(id => `twice: #${id}`);
    return [...told(violations, () => false), ...told(incomplete, isKnown), ...twice];";

/// Returns the source of axe.
fn source() -> String {
    let path = env::var("FAULTLAB_AXE").expect("FAULTLAB_AXE is not set: run `cargo xtask test page`");
    fs::read_to_string(&path).expect("axe can be read")
}

/// Opens a page and loads axe. The content security policy does not apply to scripts run by the
/// driver.
async fn open() -> Page {
    let page = Page::open(KINDS[0]).await;
    page.run(&source()).await;
    page
}

/// Appends the current findings of axe to `found`.
async fn check(page: &Page, what: &str, contrast_only: bool, found: &mut Vec<String>) {
    let script = RUN_AXE.replace("CONTRAST_ONLY", if contrast_only { "true" } else { "false" });
    for line in page.run_async(&script).await.as_array().into_iter().flatten() {
        found.push(format!("{what}: {}", line.as_str().unwrap_or_default()));
    }
}

/// Script that returns whether the sweep has ended. The numbers of the previous experiment stay
/// until the new sweep starts. After a sweep of ten seconds, the page waits for a press of the
/// button.
const HAS_MEASURED: &str = "
    const text = id => document.getElementById(id)?.textContent ?? '', isOld = text('outdated-note') !== '';
    if (isOld && / in ([0-9.]+) s$/.exec(text('status'))?.[1] >= 10) document.getElementById('run')?.click();
    return !isOld && text('run-end')";

/// Opens a paper, or the list of statements, and waits until it has loaded.
async fn open_paper(page: &Page, id: &str) {
    page.visit(&format!("v=2&view=papers&paper={id}")).await;
    let content = if id == "rows" { ".statements li" } else { ".papers .source" };
    let ready = format!(
        "return !!document.querySelector('.papers > [id=\"{id}\"]') && !!document.querySelector('{content}')?.textContent"
    );
    page.wait_until(&format!("{id} is there"), &ready).await;
}

/// Waits until a view has loaded its initial content.
async fn wait_until_loaded(page: &Page, view: &str) {
    let ready = match view {
        "measure" => HAS_MEASURED,
        "watch" => "return !!document.querySelector('canvas.network')",
        _ => "return !!document.querySelector('[aria-busy=false] .fact')",
    };
    page.wait_until(&format!("{view} is there"), ready).await;
}

/// Colour schemes to test.
const SCHEMES: [(&str, &str); 3] =
    [("prefers-color-scheme", "light"), ("prefers-color-scheme", "dark"), ("forced-colors", "active")];

/// Runs all rules once, and the contrast rule in every colour scheme. Forced colours, which the
/// browser chooses, are tested in thorough runs only.
async fn check_in_all_colour_schemes(page: &Page, what: &str, found: &mut Vec<String>) {
    let schemes = if is_thorough() { &SCHEMES[..] } else { &SCHEMES[..2] };
    for (number, &scheme) in schemes.iter().enumerate() {
        page.emulate_media(&[scheme]);
        check(page, &format!("{what}, {}", scheme.1), number > 0, found).await;
    }
}

#[tokio::test]
async fn axe_finds_nothing_in_any_view() {
    let page = open().await;
    let mut found = Vec::new();
    for kind in KINDS {
        for view in ["watch", "check", "measure"] {
            page.visit(&format!("{kind}&trials=100&view={view}")).await;
            wait_until_loaded(&page, view).await;
            let what = format!("{kind}, {view}");
            // Watch differs most between kinds. `accessibility::light_and_dark_are_readable` measures
            // the contrast of the other views for one kind.
            if is_thorough() || view == "watch" {
                check_in_all_colour_schemes(&page, &what, &mut found).await;
            } else {
                check(&page, &what, false, &mut found).await;
            }
        }
    }
    assert!(found.is_empty(), "axe finds {}:\n{}", found.len(), found.join("\n"));
    page.assert_no_log();
}

#[tokio::test]
async fn axe_finds_nothing_in_any_paper() {
    let page = open().await;
    let mut found = Vec::new();
    for paper in PAPERS {
        open_paper(&page, paper).await;
        check(&page, paper, false, &mut found).await;
    }
    assert!(found.is_empty(), "axe finds {}:\n{}", found.len(), found.join("\n"));
    page.assert_no_log();
}

/// axe reports nothing in precomputed charts, one of them read by keyboard, and in items computed
/// in the page.
#[tokio::test]
async fn axe_finds_nothing_in_papers() {
    let page = open().await;
    let mut found = Vec::new();
    page.visit("v=2&view=papers").await;
    page.find("#table4-chart-0").await;
    page.run("document.getElementById('table4-chart-0').focus()").await;
    // The last point is far from the table, which the tip would otherwise hide from axe.
    page.key(Key::Right.into()).await;
    page.key(Key::End.into()).await;
    page.until_text("#table4-chart-0-tip", "fault rate p: 0.9").await;
    check_in_all_colour_schemes(&page, "a chart that is read", &mut found).await;
    page.click_labelled("Flexible, Fault-Tolerant Routing Criteria for Circuit-Switched Hypercubes").await;
    page.click("#chiu-examples .actions button").await;
    page.until_text("#chiu-examples .source", "Computed here").await;
    check_in_all_colour_schemes(&page, "what was counted here", &mut found).await;
    assert_eq!(found, Vec::<String>::new());
    page.assert_no_log();
}

#[tokio::test]
async fn axe_finds_nothing_in_dialogs() {
    let page = open().await;
    let mut found = Vec::new();
    for dialog in ["Examples", "Share", "?"] {
        page.click_labelled(dialog).await;
        page.find("dialog[open]").await;
        check_in_all_colour_schemes(&page, dialog, &mut found).await;
        page.key(Key::Escape.into()).await;
        page.wait_until("it is closed", "return !document.querySelector('dialog')").await;
    }
    page.click_labelled("Share").await;
    // Positions of the options in the Share dialog.
    for (form, number) in [("tag", 2), ("still", 3), ("command", 7), ("file", 8)] {
        page.run(&format!("document.querySelector('.formats label:nth-of-type({number}) input').click()")).await;
        let figure = "document.querySelector('.preview > div > div')?.shadowRoot?.querySelector('canvas')";
        page.wait_until("it is shown", &format!("return {} || !!{figure}", form == "command")).await;
        check_in_all_colour_schemes(&page, &format!("Share, {form}"), &mut found).await;
    }
    page.key(Key::Escape.into()).await;
    page.wait_until("it is closed", "return !document.querySelector('dialog')").await;
    page.click(".worst summary").await;
    page.type_into("#field-from", "zebra").await;
    page.find(".refused").await;
    page.visit("v=2&net=cube:99").await;
    page.until_text(".text-errors", "at most 64 dimensions").await;
    check_in_all_colour_schemes(&page, "errors", &mut found).await;
    assert_eq!(found, Vec::<String>::new());
    page.assert_no_log();
}

/// axe reports nothing in the rule editor, with a rule that never fires and with a syntax error.
#[tokio::test]
async fn axe_finds_nothing_in_the_editor_of_rules() {
    let page = open().await;
    let mut found = Vec::new();
    let rules = "routing%20mine%20on%20mesh%202%0Aalways%20take%20minimal%0Aotherwise%20take%20minimal";
    page.visit(&format!("v=2&net=mesh:4x4&switch=wormhole&rules={rules}")).await;
    page.until_text("#verdict", "deadlocks").await;
    page.until_text("#rules-problem", "never fires").await;
    check_in_all_colour_schemes(&page, "rules", &mut found).await;
    page.run("const field = document.getElementById('rules-text'); field.focus(); field.setSelectionRange(0, 0)").await;
    page.key('x').await;
    page.until_text("#rules-problem", "Line 1, column 1").await;
    check_in_all_colour_schemes(&page, "rules with a mistake", &mut found).await;
    assert_eq!(found, Vec::<String>::new());
    page.assert_no_log();
}

/// Buttons and badges, light on dark, keep their text visible in forced colours.
#[tokio::test]
async fn forced_colours_leave_no_blank_blocks() {
    let page = Page::blank().await;
    page.emulate_media(&[("forced-colors", "active")]);
    page.visit("v=2&faults=nodes:0.3&sample=11").await;
    page.find(".badge").await;
    let adjusted = page
        .run(
            "return [...document.querySelectorAll('.badge, .primary, .play')]
                 .filter(block => getComputedStyle(block).forcedColorAdjust !== 'none').length",
        )
        .await;
    assert_eq!(adjusted, json!(0), "what has its own backplate is not given another one");
    page.assert_no_log();
}

/// Every figure of every lesson opens and shows a title without a problem, and axe reports nothing
/// in any lesson.
#[tokio::test]
async fn axe_finds_nothing_in_lessons() {
    let page = Page::blank().await;
    let contents = format!("{}lessons/index.html", page_url());
    page.client.goto(&contents).await.expect("the lessons open");
    let links = "return [...document.querySelectorAll('main a')].map(link => link.href).filter(link => link.includes('/lessons/'))";
    page.wait_until("the lessons are listed", &format!("return (() => {{ {links} }})().length >= 8")).await;
    let links = page.run(links).await;
    let links: Vec<_> = links.as_array().into_iter().flatten().filter_map(|link| link.as_str()).collect();
    let mut found = Vec::new();
    for (number, link) in links.into_iter().enumerate() {
        page.client.goto(link).await.expect("the lesson opens");
        page.run(&source()).await;
        let figures = page.run("return document.querySelectorAll('fault-lab').length").await.as_u64().unwrap_or(0);
        assert!(figures > 0, "{link}");
        check(&page, &format!("{link}, still"), false, &mut found).await;
        for number in 0..figures {
            let figure = format!("document.querySelectorAll('fault-lab')[{number}]");
            page.run(&format!("{figure}.scrollIntoView({{ block: 'center' }}); {figure}.shadowRoot.querySelector('.still button').click()"))
                .await;
            let title = format!(
                "return {figure}.shadowRoot.querySelector('.still').hidden && {figure}.shadowRoot.querySelector('h2').textContent.length > 8"
            );
            page.wait_until(&format!("figure {number} of {link} is there"), &title).await;
            let said = page.run(&format!("return {figure}.shadowRoot.querySelector('.problem').textContent")).await;
            assert_eq!(said, json!(""), "figure {number} of {link}");
        }
        let settled = "return ![...document.querySelectorAll('fault-lab')].some(one => one.shadowRoot.querySelector('[aria-busy=true]'))";
        page.wait_until("what is proved is there", settled).await;
        // All lessons share their colours.
        if number == 0 || is_thorough() {
            check_in_all_colour_schemes(&page, link, &mut found).await;
        } else {
            check(&page, link, false, &mut found).await;
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    page.assert_no_log();
}
