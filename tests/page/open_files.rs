//! Tests of files that the user opens, by the button and by a drop.

use serde_json::json;

use crate::browser::{Page, faultlab};

/// Chooses a file with the button's input.
async fn open_file(page: &Page, name: &str, text: &str) {
    page.find("#open-file").await;
    page.run(&format!(
        "const data = new DataTransfer(), input = document.getElementById('open-file');
         data.items.add(new File([{}], {}));
         input.files = data.files;
         input.dispatchEvent(new Event('change', {{ bubbles: true }}))",
        json!(text),
        json!(name)
    ))
    .await;
}

/// Drops two files on the page at once.
async fn drop_files(page: &Page, files: [(&str, &str); 2]) {
    page.run(&format!(
        "const dataTransfer = new DataTransfer();
         for (const [name, text] of {}) dataTransfer.items.add(new File([text], name));
         document.querySelector('main').dispatchEvent(new DragEvent('drop', {{ dataTransfer, bubbles: true, cancelable: true }}))",
        json!(files)
    ))
    .await;
}

/// Drops a file on the page.
async fn drop_file(page: &Page, name: &str, text: &str) {
    page.run(&format!(
        "const dataTransfer = new DataTransfer();
         dataTransfer.items.add(new File([{}], {}));
         for (const kind of ['dragover', 'drop'])
             document.querySelector('main').dispatchEvent(new DragEvent(kind, {{ dataTransfer, bubbles: true, cancelable: true }}))",
        json!(text),
        json!(name)
    ))
    .await;
}

#[tokio::test]
async fn opens_experiments_and_rules_by_content_and_refuses_other_files() {
    let page = Page::open("v=2&net=cube:4").await;
    drop_file(&page, "a", "# mine\nv=2\nnet=cube:5\nfaults=nodes:0.1\nrout=e-cube\n").await;
    page.until_link("v=2&net=cube:5&faults=nodes:0.1").await;
    page.until_text(".text-errors", "Did you mean \"route\"?").await;
    open_file(&page, "mine.txt", "routing mine on cube\nalways take wrong \"any\"").await;
    page.wait_until("the editor is open", "return document.getElementById('rules-text')?.value.includes('take wrong')")
        .await;
    let before = page.link().await;
    open_file(&page, "picture.png", "\u{0}PNG").await;
    page.until_text(".problem", "picture.png cannot be opened: this is not a text file").await;
    assert_eq!(page.link().await, before, "nothing is lost");
    page.assert_no_log();
}

#[tokio::test]
async fn results_and_points_become_curves_of_the_chart() {
    let text = "v=2&net=cube:4&faults=nodes:0.3&vary=p:0.1,0.2&trials=200&view=measure";
    let results = faultlab(&["run", text, "--csv", "--quiet"]);
    let page = Page::open("v=2&net=cube:4&faults=nodes:0.3&vary=p:0.1,0.3&trials=100&view=measure").await;
    page.find("#open-file").await;
    open_file(&page, "earlier.csv", &results).await;
    page.wait_until("the curve is kept", "return document.querySelectorAll('.pin').length === 1").await;
    page.until_text(".pin", "sidetrackingearlier.csv").await;
    drop_file(&page, "own.csv", "p;measured\n0,1;0,9\n0,3;0,5\n").await;
    page.wait_until("the points are kept", "return document.querySelectorAll('.pin').length === 2").await;
    page.until_text(".pin:last-child", "measuredown.csv").await;
    page.click(".pin:last-child [aria-label^=Remove]").await;
    page.wait_until("they are removed", "return document.querySelectorAll('.pin').length === 1").await;
    page.click(".pin [aria-label^=Back]").await;
    page.until_link(text).await;
    // Of several files every message is shown.
    drop_files(&page, [("own.csv", "p;measured\n0,1;0,9\n0,3;0,5\n"), ("picture.png", "\u{0}PNG")]).await;
    page.until_text(".problem", "picture.png cannot be opened").await;
    page.until_text(
        ".note",
        "own.csv is open: its curves are kept in the chart. They are drawn as success probability",
    )
    .await;
    // Points of another parameter are not drawn, and the message says where they belong.
    open_file(&page, "booksim.csv", "load,BookSim\n0.2,30\n").await;
    page.until_text(".problem", "its first column is load, but the x axis of this chart is fault rate p").await;
    assert_eq!(page.run("return document.querySelectorAll('.pin').length").await, json!(2));
    page.assert_no_log();
}
