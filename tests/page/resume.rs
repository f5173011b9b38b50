//! Tests of checkpoints: a sweep that is interrupted by closing the page resumes if the browser
//! provides storage.

use std::time::Duration;

use serde_json::json;

use crate::browser::{Page, faultlab, is_thorough, page_url};
use crate::measure::{RECORD_FILES, exported, wait_for_sweep};

/// A sweep of some seconds.
const SWEEP: &str =
    "v=2&net=cube:16&faults=nodes:0.5&vary=p:0.3,0.4,0.5,0.6&within=0.0002&trials=1000000000&view=measure";

/// A shorter sweep that still runs when its first checkpoint is stored, after a second.
const BRIEF: &str =
    "v=2&net=cube:16&faults=nodes:0.5&vary=p:0.3,0.4,0.5,0.6&within=0.0003&trials=1000000000&view=measure";

/// Script that returns the keys of all stored checkpoints, after running the statements in place of
/// `DO`.
const NAMES: &str = "
    const ask = request => new Promise((done, failed) => { request.onsuccess = () => done(request.result); request.onerror = failed; });
    if (!(await indexedDB.databases()).some(one => one.name === 'faultlab')) return [];
    const base = await ask(indexedDB.open('faultlab'));
    const table = mode => base.transaction('faultlab', mode).objectStore('faultlab');
    try { DO return await ask(table('readonly').getAllKeys()); } finally { base.close(); }";

async fn checkpoint_keys(page: &Page) -> Vec<String> {
    let names = page.run_async(&NAMES.replace("DO", "")).await;
    names.as_array().into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// Waits until a checkpoint is stored.
async fn wait_for_checkpoint(page: &Page) {
    for _ in 0..200 {
        if !checkpoint_keys(page).await.is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(!checkpoint_keys(page).await.is_empty(), "something is kept");
}

async fn assert_numbers(page: &Page, sweep: &str) {
    wait_for_sweep(page).await;
    assert_eq!(exported(page, "CSV", ".csv").await, faultlab(&["run", sweep, "--csv", "--quiet"]));
}

async fn has_resumed(page: &Page) -> bool {
    page.text(".transport").await.contains("Resumed: ")
}

#[tokio::test]
async fn sweep_resumes_after_reload() {
    let page = Page::blank().await;
    page.before_load(RECORD_FILES);
    page.visit(SWEEP).await;
    wait_for_checkpoint(&page).await;
    assert!(!has_resumed(&page).await);
    page.reload().await;
    page.until_text(".transport [role=status]", "Resumed: ").await;
    // Resume a second time.
    page.run_async("await new Promise(done => setTimeout(done, 1500))").await;
    page.reload().await;
    page.until_text(".transport [role=status]", "Resumed: ").await;
    println!("{}", page.text(".transport [role=status]").await);
    assert_numbers(&page, SWEEP).await;
    for _ in 0..100 {
        if checkpoint_keys(&page).await.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(checkpoint_keys(&page).await, Vec::<String>::new(), "what is finished is not kept");
    page.reload().await;
    page.wait_until("it runs from its beginning", "return document.getElementById('progress').value").await;
    assert!(!has_resumed(&page).await);
    page.assert_no_log();
}

/// Opens a page and cancels its sweep after the first checkpoint.
async fn cancelled() -> Page {
    let page = Page::blank().await;
    page.before_load(RECORD_FILES);
    page.visit(BRIEF).await;
    wait_for_checkpoint(&page).await;
    page.click("#cancel").await;
    page.until_text("#run", "Continue").await;
    page
}

#[tokio::test]
async fn cancelled_sweep_resumes_on_click() {
    let page = cancelled().await;
    page.click("#run").await;
    page.until_text(".transport [role=status]", "Resumed: ").await;
    assert_numbers(&page, BRIEF).await;
    assert_eq!(page.text("#run").await, "Run again");
    page.assert_no_log();
}

#[tokio::test]
async fn works_without_indexed_db() {
    let refusals = [
        "Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('no', 'SecurityError'); } });",
        "Object.defineProperty(window, 'indexedDB', { value: undefined });",
        "IDBFactory.prototype.open = () => { throw new DOMException('no', 'InvalidStateError'); };",
        "IDBFactory.prototype.open = () => ({ result: {} });",
        "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); };",
        "const open = IDBFactory.prototype.open;
         IDBFactory.prototype.open = function () { return open.call(this, 'faultlab-' + Math.random(), 0); };",
    ];
    for (number, refusal) in refusals.into_iter().enumerate() {
        let page = Page::blank().await;
        page.before_load(RECORD_FILES);
        page.before_load(refusal);
        page.visit(BRIEF).await;
        page.wait_until("there is progress", "return document.getElementById('progress').value").await;
        page.run_async("await new Promise(done => setTimeout(done, 1500))").await;
        page.reload().await;
        page.wait_until("it starts again", "return document.getElementById('progress').value").await;
        assert!(!has_resumed(&page).await, "{refusal}");
        // The fifth fails latest, while the sweep runs; thorough runs wait for all.
        if is_thorough() || number == 4 {
            assert_numbers(&page, BRIEF).await;
        }
        page.assert_no_log();
    }
}

#[tokio::test]
async fn prunes_checkpoints_of_other_versions() {
    let page = Page::blank().await;
    page.visit(SWEEP).await;
    wait_for_checkpoint(&page).await;
    page.click("#cancel").await;
    let kept = checkpoint_keys(&page).await;
    assert!(
        kept[0].ends_with("|v=2&net=cube:16&faults=nodes:0.5&vary=p:0.3,0.4,0.5,0.6&within=0.0002&trials=1000000000"),
        "{kept:?}"
    );
    let program = kept[0].split('|').next().expect("a name");
    let put = format!(
        "const old = table('readwrite');
         old.put(new Uint8Array(3), '0.0.9 worker-of-old.js|000000000000001|v=2');
         for (let i = 0; i < 9; i++) old.put(new Uint8Array(3), `{program}|00000000000000${{i}}|v=2&seed=${{i}}`);"
    );
    page.run_async(&NAMES.replace("DO", &put)).await;
    assert_eq!(checkpoint_keys(&page).await.len(), 11);
    // An invalid checkpoint is ignored: the sweep starts anew and stores its own.
    page.visit(&SWEEP.replace("0.3,0.4", "0.35,0.4")).await;
    // The page starts the sweep by itself, unless the last one took ten seconds.
    let runs = "const run = document.getElementById('run');
        const isOld = !!document.getElementById('outdated-note').textContent;
        if (isOld) run?.click();
        return !isOld && !run";
    page.wait_until("the changed experiment runs", runs).await;
    for _ in 0..200 {
        if checkpoint_keys(&page).await.len() == 6 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let now = checkpoint_keys(&page).await;
    assert!(now.len() == 6 && now.iter().all(|name| name.starts_with(program)) && now.contains(&kept[0]), "{now:?}");
    page.assert_no_log();
}

#[tokio::test]
async fn rejects_damaged_checkpoint() {
    // A truncated checkpoint, and one with a flipped bit.
    for (number, damaged) in
        ["bytes.slice(0, bytes.length / 2)", "bytes.map((byte, at) => at === bytes.length >> 1 ? byte ^ 4 : byte)"]
            .into_iter()
            .enumerate()
    {
        let page = cancelled().await;
        let script = format!(
            "const [name] = await ask(table('readonly').getAllKeys()), bytes = await ask(table('readonly').get(name));
             await ask(table('readwrite').put({damaged}, name));"
        );
        page.run_async(&NAMES.replace("DO", &script)).await;
        page.reload().await;
        page.until_text(".transport [role=status]", "was damaged and has been deleted. The sweep starts again").await;
        if is_thorough() || number == 0 {
            assert_numbers(&page, BRIEF).await;
        }
        assert!(!has_resumed(&page).await);
        page.assert_no_log();
    }
}

#[tokio::test]
async fn two_tabs_share_checkpoints_safely() {
    let page = Page::blank().await;
    page.before_load(RECORD_FILES);
    page.visit(SWEEP).await;
    let first = page.client.window().await.expect("a window");
    let second = page.client.new_window(true).await.expect("another one").handle;
    page.client.switch_to_window(second).await.expect("it opens");
    page.before_load(RECORD_FILES);
    page.visit(SWEEP).await;
    wait_for_checkpoint(&page).await;
    page.reload().await;
    page.until_text(".transport [role=status]", "Resumed: ").await;
    assert_numbers(&page, SWEEP).await;
    page.client.switch_to_window(first).await.expect("it is still there");
    assert_numbers(&page, SWEEP).await;
}

#[tokio::test]
async fn figures_store_no_checkpoints() {
    let page = Page::blank().await;
    page.client.goto(&format!("{}#{SWEEP}&ui=figure", page_url())).await.expect("the figure opens");
    page.wait_until("there is progress", "return document.getElementById('progress')?.value").await;
    page.run_async("await new Promise(done => setTimeout(done, 2500))").await;
    assert_eq!(page.run_async("return (await indexedDB.databases()).length").await, json!(0));
    page.assert_no_log();
}
