//! Tests of Share: texts that follow the options, a preview that is the real figure, files that
//! open offline.

use std::{env, fs, process};

use serde_json::{Value, json};

use crate::browser::{Page, page_url};
use crate::measure::{RECORD_FILES, exported, wait_for_sweep};

const LINK: &str = "v=2&faults=nodes:0.3&sample=11";

/// Script that records the text copied to the clipboard.
const KEEP_COPIED: &str = "Object.defineProperty(navigator, 'clipboard', { configurable: true,
    value: { writeText: text => { window.copied = text; return Promise.resolve(); } } })";

/// Script expression for the figure in the preview.
const FIGURE: &str = "document.querySelector('.preview > div > div')?.shadowRoot?.querySelector('.figure')";

/// Selects a form of sharing.
async fn choose(page: &Page, form: &str) {
    let script = format!(
        "[...document.querySelectorAll('.formats label')].find(label => label.textContent === {}).click()",
        json!(form)
    );
    page.run(&script).await;
    let checked = "return document.querySelector('.formats :checked').parentElement.textContent";
    page.wait_until("it is chosen", &format!("{checked} === {}", json!(form))).await;
}

/// Toggles an option.
async fn check(page: &Page, name: &str) {
    let script = format!(
        "[...document.querySelectorAll('.options label')].find(label => label.textContent === {}).click()",
        json!(name)
    );
    page.run(&script).await;
}

/// Waits until the text to copy contains `part` and returns the text.
async fn text(page: &Page, part: &str) -> String {
    let script = format!(
        "const text = document.querySelector('.share textarea').value; return text.includes({}) && text",
        json!(part)
    );
    page.wait_until(&format!("the text has {part}"), &script).await.as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn every_form_can_be_copied() {
    let page = Page::open(LINK).await;
    page.run(KEEP_COPIED).await;
    page.click_labelled("Share").await;
    page.until_text("dialog .hint", "This is a local server").await;
    let url = page_url();
    for (form, begins) in [
        ("Link", format!("{url}#{LINK}")),
        (
            "Tag",
            format!("<script type=\"module\" src=\"{url}faultlab.js\"></script>\n<fault-lab experiment=\"v=2&amp;"),
        ),
        (
            "Tag with a still",
            format!("<script type=\"module\" src=\"{url}faultlab.js\"></script>\n<fault-lab experiment=\"v=2&amp;"),
        ),
        ("Frame", format!("<iframe src=\"{url}#v=2&amp;faults=nodes:0.3&amp;sample=11&amp;ui=figure\" title=")),
        ("Markdown", "[6".to_owned()),
        ("LaTeX", format!("\\href{{{url}\\#v=2\\&faults=nodes:0.3\\&sample=11}}{{")),
        ("Command line", format!("faultlab route '{LINK}'")),
    ] {
        choose(&page, form).await;
        let text = text(&page, &begins).await;
        assert!(text.starts_with(&begins), "{form}: {text}");
        page.click(".share .copy").await;
        page.until_text(".share .copied", "Copied").await;
        assert_eq!(page.run("return window.copied").await, json!(text));
    }
    page.assert_no_log();
}

#[tokio::test]
async fn text_and_preview_follow_options() {
    let page = Page::open(LINK).await;
    page.click_labelled("Share").await;
    choose(&page, "Tag").await;
    page.wait_until("the figure is there", &format!("return !!{FIGURE}?.querySelector('canvas.network')")).await;
    check(&page, "Reasons").await;
    text(&page, " show=\"network,reasons\" ").await;
    page.wait_until("reasons are shown", &format!("return {FIGURE}.querySelector('.explanation').checkVisibility()"))
        .await;
    check(&page, "Play").await;
    text(&page, " controls=\"step,scrub\" ").await;
    page.wait_until("nothing plays", &format!("return !{FIGURE}.querySelector('.play').checkVisibility()")).await;
    page.choose("#field-readers-may", "all").await;
    page.choose("#field-colours", "dark").await;
    text(&page, " lock=\"all\" theme=\"dark\" ").await;
    page.type_into("#field-caption", "Half \"of\" them & more").await;
    text(&page, " caption=\"Half &quot;of&quot; them &amp; more\" ").await;
    page.wait_until("it is said", &format!("return {FIGURE}.textContent.includes('Half \"of\" them & more')")).await;
    page.type_into("#field-width", "900").await;
    let tag = text(&page, "width: 900px").await;
    let fits = "const box = document.querySelector('.preview').getBoundingClientRect(),
        figure = FIGURE.getBoundingClientRect(); return FIGURE.offsetWidth === 900 && figure.width <= box.width + 1";
    page.wait_until("it is made smaller", &fits.replace("FIGURE", FIGURE)).await;
    // A scaled-down preview is as sharp as one at full size.
    let sharp = format!(
        "const canvas = {FIGURE}.querySelector('canvas.network'); return canvas.width >= canvas.offsetWidth - 1"
    );
    page.wait_until("it is drawn at its size", &sharp).await;
    assert!(tag.contains(">Half &quot;of&quot; them &amp; more</a></fault-lab>"), "{tag}");

    choose(&page, "Frame").await;
    text(&page, "<iframe").await;
    // A browser parses the chosen options from the frame's code.
    let read = "const frame = new DOMParser().parseFromString(document.querySelector('.share textarea').value, 'text/html').querySelector('iframe');
        return [frame.src.split('#')[1], frame.title, frame.width]";
    let options = "&ui=figure&ui.show=network,reasons&ui.controls=step,scrub&ui.lock=all&ui.theme=dark\
                   &ui.caption=Half%20%22of%22%20them%20%26%20more";
    assert_eq!(page.run(read).await, json!([format!("{LINK}{options}"), "Half \"of\" them & more", "900"]));
    assert_eq!(page.link().await, LINK, "the page itself stays as it is");
    page.assert_no_log();
}

/// For a tag with a still, Share offers the picture file that the tag shows until a reader starts
/// the figure.
#[tokio::test]
async fn a_tag_is_given_a_still() {
    let page = Page::open(LINK).await;
    page.run(RECORD_FILES).await;
    page.click_labelled("Share").await;
    choose(&page, "Tag with a still").await;
    text(&page, "px\"><img slot=\"still\" src=\"still.svg\" alt=\"").await;
    let script =
        "[...document.querySelectorAll('.share button')].find(button => button.textContent === 'Still').click()";
    page.run(script).await;
    page.wait_until("it is saved", "return !!window.files['still.svg']").await;
    let svg =
        page.run_async("const file = window.files['still.svg']; return file.text ? await file.text() : file").await;
    assert!(svg.as_str().is_some_and(|svg| svg.contains("prefers-color-scheme:dark")), "{svg}");
    page.assert_no_log();
}

/// A preview that measures leaves the page's numbers unchanged.
#[tokio::test]
async fn a_preview_of_a_sweep_leaves_that_of_the_page_alone() {
    let page = Page::open("v=2&net=cube:4&faults=nodes:0.2&vary=p:0.1,0.2&trials=2000&view=measure").await;
    wait_for_sweep(&page).await;
    let numbers = page.text("#numbers").await;
    page.click_labelled("Share").await;
    choose(&page, "Tag").await;
    check(&page, "Table").await;
    text(&page, " show=\"chart,table\" ").await;
    let same = format!(
        "return {FIGURE}?.querySelector('#run-end')?.textContent && {FIGURE}.querySelector('#numbers').textContent"
    );
    assert_eq!(page.wait_until("it is measured", &same).await, json!(numbers));
    assert_eq!(page.text("#numbers").await, numbers);
    check(&page, "Starts measuring").await;
    text(&page, " play=\"no\" ").await;
    page.assert_no_log();
}

#[tokio::test]
async fn a_link_has_a_code_for_phones_unless_it_is_too_long() {
    let page = Page::open(LINK).await;
    page.click_labelled("Share").await;
    let side = page.run("return document.querySelector('svg.qr-code').viewBox.baseVal.width").await;
    assert!(side.as_f64().is_some_and(|side| (25.0..80.0).contains(&side)), "{side}");
    let nodes: Vec<_> = (1..400).map(|node| node.to_string()).collect();
    page.visit(&format!("v=2&net=cube:10&break={}", nodes.join(","))).await;
    page.until_text("dialog", "too long for a QR code").await;
    assert_eq!(page.run("return document.querySelector('svg.qr-code')").await, Value::Null);
    page.assert_no_log();
}

/// Opens a page from the file system and waits for a selector.
async fn open_file(page: &Page, path: &str, text: &str, sign: &str) {
    page.client.goto("about:blank").await.expect("nothing opens");
    page.client.goto(&format!("file://{path}{text}")).await.expect("the file opens");
    page.find(sign).await;
}

/// Saves the figure as a single file and returns its content.
async fn one_file(page: &Page) -> String {
    page.click_labelled("Share").await;
    choose(page, "File").await;
    check(page, "Reasons").await;
    page.wait_until("the figure follows", &format!("return !!{FIGURE}?.classList.contains('shows-reasons')")).await;
    exported(page, "Save this figure as a file", "figure.html").await
}

#[tokio::test]
async fn the_figure_is_saved_as_one_file_which_can_be_saved_again() {
    let page = Page::open(LINK).await;
    page.run(RECORD_FILES).await;
    let told = format!(
        "<meta name=\"faultlab-experiment\" content=\"{}&amp;ui=figure&amp;ui.show=network,reasons\">",
        LINK.replace('&', "&amp;")
    );
    let saved = one_file(&page).await;
    assert!(saved.contains(&told), "{}", &saved[..600]);
    page.assert_no_log();

    let path = env::temp_dir().join(format!("faultlab-figure-{}.html", process::id()));
    let path = path.to_string_lossy().into_owned();
    fs::write(&path, saved).expect("a file can be written");
    let page = Page::blank().await;
    open_file(&page, &path, "", ".figure.shows-reasons canvas.network").await;
    let link = page.run("return document.querySelector('.figure__foot a').href").await;
    assert_eq!(link, json!(format!("file://{path}#{LINK}")));
    // The same file opens the whole page.
    open_file(&page, &path, &format!("#{LINK}"), "main canvas.network").await;
    page.run(RECORD_FILES).await;
    let again = one_file(&page).await;
    assert!(again.contains(&told), "{}", &again[..600]);
    assert!(!again.contains("<canvas"), "nothing of what was drawn is in it");
    fs::write(&path, again).expect("a file can be written");
    open_file(&page, &path, "", ".figure.shows-reasons canvas.network").await;
    fs::remove_file(&path).expect("the file can be removed");
    page.assert_no_log();
}

#[tokio::test]
async fn file_form_offers_the_views_exports() {
    let page = Page::open(LINK).await;
    page.run(RECORD_FILES).await;
    page.click_labelled("Share").await;
    choose(&page, "File").await;
    let network = LINK.parse::<faultlab::experiment::Experiment>().expect("an experiment").network.to_string();
    let name = |content: &str| format!("faultlab-{}-{content}", network.replace(':', "-"));
    let files = [
        ("SVG", name("network.svg")),
        ("PNG", name("network.png")),
        ("Still", "still.svg".to_owned()),
        ("Text", name("experiment.txt")),
    ];
    for (button, name) in &files {
        // The page behind the dialog has buttons of the same names.
        let press = "[...document.querySelectorAll('.files button')].find(one => one.textContent === LABEL).click()";
        page.run(&press.replace("LABEL", &json!(button).to_string())).await;
        page.wait_until(&format!("{name} is saved"), &format!("return !!window.files[{}]", json!(name))).await;
    }
    let text = page.run_async(&format!("return await window.files[{}].text()", json!(files[3].1))).await;
    assert_eq!(text, json!(LINK));
    page.assert_no_log();
}

/// A figure that is locked against edits still lets the reader copy its experiment.
#[tokio::test]
async fn a_locked_figure_lets_its_experiment_be_copied() {
    let page = Page::blank().await;
    let url = format!("{}#{LINK}&ui=figure&ui.lock=all", page_url());
    page.client.goto(&url).await.expect("the figure opens");
    page.find(".figure canvas.network").await;
    page.run(KEEP_COPIED).await;
    page.click(".figure__foot .copy").await;
    page.until_text(".figure__foot .copied", "Copied").await;
    assert_eq!(page.run("return window.copied").await, json!(LINK));
    page.assert_no_log();
}
