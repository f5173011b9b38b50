//! Browser window controlled through WebDriver, for a test of the page.
#![allow(clippy::panic, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use fantoccini::actions::{
    InputSource as _, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction, WheelAction, WheelActions,
};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

use crate::engine::BrowserEngine;
use crate::session;

/// Script that defines `wire`, a codec for the messages between page and workers
/// (`src/worker/protocol.rs`). Integers are little-endian base-128 varints, texts follow their
/// length, and messages follow the number of their kind.
pub(crate) const WIRE: &str = "window.wire = {
    number: value => value < 128 ? [value] : [value % 128 + 128, ...wire.number(Math.floor(value / 128))],
    reader: (bytes, at = 0) => ({
        number() { const byte = bytes[at++]; return byte < 128 ? byte : byte - 128 + 128 * this.number(); },
        text() { const end = this.number() + at; return new TextDecoder().decode(bytes.slice(at, at = end)); },
    }),
    // Encodes and decodes the message that runs a task. Decoding any other message returns
    // undefined.
    run({ id, text, slot = 0, first, count }) {
        const words = new TextEncoder().encode(text), task = [slot, first, count].flatMap(wire.number);
        return Uint8Array.from([0, ...wire.number(id), ...wire.number(words.length), ...words, ...task]);
    },
    read(bytes) {
        const reader = wire.reader(bytes, 1), number = () => reader.number();
        if (bytes[0] === 0) return { id: number(), text: reader.text(), slot: number(), first: number(), count: number() };
    },
    // Returns the id of a completed task; undefined for any other message.
    done: bytes => bytes[0] === 1 ? wire.reader(bytes, 1).number() : undefined,
    // Returns whether a message is a heartbeat.
    isBeat: bytes => bytes.length === 1 && bytes[0] === 8,
};";

/// Script that records errors and warnings of a page in `window.complaints`, like Chromium's log.
const RECORD_COMPLAINTS: &str = "
    if (window.complaints) return;
    window.complaints = [];
    const told = (level, message) => window.complaints.push({ level, message: String(message) });
    addEventListener('error', event => told('error', event.message));
    addEventListener('unhandledrejection', event => told('rejection', event.reason));
    addEventListener('securitypolicyviolation', event => told('policy', event.violatedDirective + event.blockedURI));
    for (const level of ['error', 'warn']) console[level] = (...all) => told(level, all.join(' '));";

/// Script around a search of the canvas, which replaces `SEARCH`. The search moves the pointer by
/// events; the real mouse does not move.
///
/// The page draws in animation frames, which a busy machine delays. During the search it draws in
/// timers, so that the summary belongs to the last event.
const SEARCH_CANVAS: &str = r"
    const canvas = document.querySelector('canvas.network'), summary = document.getElementById('summary');
    canvas.scrollIntoView({ block: 'center' });
    await new Promise(done => setTimeout(done, 50));
    const plain = window.requestAnimationFrame, turn = () => new Promise(done => setTimeout(done));
    let asked = 0;
    window.requestAnimationFrame = draw => { ++asked; return setTimeout(() => draw(performance.now())); };
    // Waits until the page requests no more frames.
    const rest = async () => {
        for (let still = 0, turns = 0, last = asked; still < 3 && turns < 1000; ++still, ++turns) {
            await turn();
            if (asked !== last) [still, last] = [0, asked];
        }
    };
    try {
        // A frame that was requested before the search is still drawn.
        await new Promise(done => plain.call(window, done));
        await rest();
        const box = canvas.getBoundingClientRect();
        // Returns the summary for a point of the window.
        const said = async (x, y) => {
            const { left, top } = canvas.getBoundingClientRect();
            const moved = new PointerEvent('pointermove', { clientX: x, clientY: y, bubbles: true });
            // In WebKit, the offsets of synthetic events ignore the scroll position.
            Object.defineProperty(moved, 'offsetX', { value: x - left });
            Object.defineProperty(moved, 'offsetY', { value: y - top });
            canvas.dispatchEvent(moved);
            await turn();
            return summary.textContent;
        };
        // Returns the same once everything is drawn.
        const settled = async (x, y) => { await said(x, y); await rest(); return summary.textContent; };
        const passed = [];
        // Returns the middle of the element at a point if the summary passes a test there.
        const place = async (x, y, test) => {
            passed.push([x, y]);
            if (!test(await said(x, y))) return null;
            // The summary may be late by a few points.
            for (const [a, b] of passed.slice(-4).reverse()) {
                if (!test(await settled(a, b))) continue;
                // A click at the edge of an element may be rounded to another element.
                const middle = async at => {
                    let low = 0, high = 0;
                    while (low > -30 && test(await settled(...at(low - 2)))) low -= 2;
                    while (high < 30 && test(await settled(...at(high + 2)))) high += 2;
                    return (low + high) / 2;
                };
                // The driver accepts whole pixels only.
                const down = Math.round(b + await middle(by => [a, b + by]));
                const across = Math.round(a + await middle(by => [a + by, down]));
                return test(await settled(across, down)) ? [across, down] : [a, b];
            }
            return null;
        };
        SEARCH
    } finally {
        window.requestAnimationFrame = plain;
    }";

/// Script that clears the data that the site has stored in the browser.
const CLEAR_DATA: &str = "
    localStorage.clear();
    sessionStorage.clear();
    for (const { name } of await indexedDB.databases()) {
        await new Promise((done, fail) => Object.assign(indexedDB.deleteDatabase(name), { onsuccess: done, onerror: fail }));
    }
    for (const name of await caches.keys()) await caches.delete(name);
    for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister();";

/// Script that returns whether the program has rendered the page. Until then `index.html` shows a
/// picture of the first example.
const IS_RENDERED: &str = "return !!document.querySelector('main') && !document.querySelector('.first-example')";
/// Time limit for anything that the page does immediately.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Interval between polls of a condition.
const POLL: Duration = Duration::from_millis(20);

/// Returns the factor by which time limits grow on a busy machine: the average number of runnable
/// processes per processor in the last minute, at least 1. It is always 1 outside of Linux.
pub(crate) fn load_factor() -> f64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = text.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0);
    let processors = thread::available_parallelism().map_or(1, usize::from);
    (load / processors as f64).max(1.0)
}

/// Returns an environment variable that `cargo xtask` sets.
pub(crate) fn required_env(variable: &str) -> String {
    env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set: run `cargo xtask test page`"))
}

/// Returns whether this is a thorough run (`cargo xtask test --thorough`), which covers every case.
/// In other runs, tests of many similar cases take a sample.
pub(crate) fn is_thorough() -> bool {
    env::var_os("FAULTLAB_THOROUGH").is_some()
}

/// Returns the path of a file of the built page.
pub(crate) fn built_file(name: &str) -> PathBuf {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("this package is in tests/page");
    project.join("dist").join(name)
}

/// Returns the page's URL, with a trailing slash.
pub(crate) fn page_url() -> String {
    required_env("FAULTLAB_URL")
}

/// Runs the command line and returns its standard output. Equal calls of all tests run once.
pub(crate) fn faultlab(arguments: &[&str]) -> String {
    static PRINTED: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let printed = || PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    let name = arguments.join("\n");
    if let Some(text) = printed().get(&name) {
        return text.clone();
    }
    let output =
        Command::new(required_env("FAULTLAB_PROGRAM")).args(arguments).output().expect("the command line starts");
    assert!(output.status.success(), "faultlab {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("the command line prints text");
    printed().insert(name, text.clone());
    text
}

/// Browser window of a single test. A browser that has passed a test is used again.
pub(crate) struct Page {
    pub(crate) client: Client,
    session: String,
    pub(crate) engine: BrowserEngine,
}

/// Screen position of a node, and its name.
pub(crate) struct NodePosition {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) name: String,
}

impl NodePosition {
    /// Returns the node's number, for cubes that name nodes in binary.
    pub(crate) fn number(&self) -> u64 {
        u64::from_str_radix(&self.name, 2).expect("small cubes name their nodes in binary")
    }
}

impl Page {
    /// Starts a browser without opening a page.
    pub(crate) async fn blank() -> Self {
        let engine = BrowserEngine::from_env();
        let page = match session::take_idle() {
            Some((client, session)) => {
                let page = Self { client, session, engine };
                page.reset().await;
                page
            }
            None => {
                let (client, session) = session::start(engine).await;
                Self { client, session, engine }
            }
        };
        page.resize(1280, 900).await;
        page
    }

    /// Replaces all windows by a new one, and clears the site's data and the log.
    async fn reset(&self) {
        let old = self.client.windows().await.expect("the browser has windows");
        let new = self.client.new_window(false).await.expect("a new window").handle;
        for window in old {
            self.client.switch_to_window(window).await.expect("the window is open");
            self.client.close_window().await.expect("the window closes");
        }
        self.client.switch_to_window(new).await.expect("the new window is open");
        if self.engine == BrowserEngine::Chromium {
            // A window that the driver opens is not the active one, and would get no focus events.
            self.devtools("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }));
            for origin in [page_url().as_str(), "file:///"] {
                self.devtools("Storage.clearDataForOrigin", json!({ "origin": origin, "storageTypes": "all" }));
            }
            self.log();
        } else {
            // Only a document of the site can clear the site's data.
            let document = format!("{}THIRD-PARTY-NOTICES.txt", page_url());
            self.client.goto(&document).await.expect("a text file of the site opens");
            self.run_async(CLEAR_DATA).await;
        }
    }

    /// Starts a browser and opens the page with the experiment `text`.
    pub(crate) async fn open(text: &str) -> Self {
        let page = Self::blank().await;
        page.visit(text).await;
        page
    }

    /// Opens the page with the experiment `text`. If the page is open already, only its link
    /// changes.
    pub(crate) async fn visit(&self, text: &str) {
        let url = if text.is_empty() { page_url() } else { format!("{}#{text}", page_url()) };
        self.client.goto(&url).await.expect("the page opens");
        self.wait_until("the page is there", IS_RENDERED).await;
        self.listen().await;
    }

    pub(crate) async fn reload(&self) {
        self.client.refresh().await.expect("the page reloads");
        self.wait_until("the page is there again", IS_RENDERED).await;
        self.listen().await;
    }

    /// Starts recording errors in engines whose driver has no log.
    async fn listen(&self) {
        if self.engine != BrowserEngine::Chromium {
            self.run(RECORD_COMPLAINTS).await;
        }
    }

    /// Runs `script` in every new document, before the document's own scripts.
    pub(crate) fn before_load(&self, script: &str) {
        self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }));
    }

    /// Runs a script and returns its result.
    pub(crate) async fn run(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Runs an asynchronous script, waits for it, and returns its result.
    pub(crate) async fn run_async(&self, script: &str) -> Value {
        let script = format!(
            "const done = arguments[0]; (async () => {{ {script} }})().then(done, error => done('failed: ' + error))"
        );
        let value = self.client.execute_async(&script, Vec::new()).await;
        let value = value.unwrap_or_else(|error| panic!("{script}: {error}"));
        assert!(!value.as_str().is_some_and(|text| text.starts_with("failed: ")), "{script}: {value}");
        value
    }

    /// Polls a script until its result is truthy in JavaScript, and returns the result.
    pub(crate) async fn wait_until(&self, what: &str, script: &str) -> Value {
        self.until_in(TIMEOUT, what, script).await
    }

    pub(crate) async fn until_in(&self, patience: Duration, what: &str, script: &str) -> Value {
        let start = Instant::now();
        loop {
            let value = self.run(script).await;
            let empty = matches!(&value, Value::Null | Value::Bool(false)) || value == json!("") || value == json!(0);
            if !empty {
                return value;
            }
            let limit = patience.mul_f64(load_factor());
            assert!(
                start.elapsed() < limit,
                "not within {limit:?}: {what}\n  {script}\n  came to {value}\n{}",
                self.state().await
            );
            tokio::time::sleep(POLL).await;
        }
    }

    /// Returns the visible state of the page, for failure messages.
    async fn state(&self) -> String {
        let script = "return location.href + '\\n' + document.body.innerText.slice(0, 1500)";
        let seen = self.client.execute(script, Vec::new()).await;
        format!("{}\n{:?}", seen.ok().and_then(|seen| seen.as_str().map(str::to_owned)).unwrap_or_default(), self.log())
    }

    /// Returns the text of the first match of a selector, or an empty text.
    pub(crate) async fn text(&self, selector: &str) -> String {
        let script = format!("return document.querySelector({})?.textContent ?? ''", json!(selector));
        self.run(&script).await.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the text of the first match of a selector contains `part`.
    pub(crate) async fn until_text(&self, selector: &str, part: impl ToString) {
        let part = part.to_string();
        let script = format!(
            "return (document.querySelector({})?.textContent ?? '').includes({})",
            json!(selector),
            json!(part)
        );
        self.wait_until(&format!("{selector} says {part:?}"), &script).await;
    }

    /// Returns the experiment in the link.
    pub(crate) async fn link(&self) -> String {
        self.run("return location.hash.slice(1)").await.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the link contains exactly the experiment `text`.
    pub(crate) async fn until_link(&self, text: &str) {
        let script = format!("return location.hash === {}", json!(format!("#{text}")));
        self.wait_until(&format!("the link is #{text}"), &script).await;
    }

    /// Waits for the first match of a selector and returns it.
    pub(crate) async fn find(&self, selector: &str) -> Element {
        self.wait_until(
            &format!("there is {selector}"),
            &format!("return !!document.querySelector({})", json!(selector)),
        )
        .await;
        self.client.find(Locator::Css(selector)).await.unwrap_or_else(|error| panic!("{selector}: {error}"))
    }

    /// Scrolls the first match of a selector into view and clicks it with the mouse.
    pub(crate) async fn click(&self, selector: &str) {
        // The page may replace the element after it was found.
        for _ in 0..5 {
            match self.find(selector).await.click().await {
                Ok(()) => return,
                Err(error) if error.is_stale_element_reference() => {}
                Err(error) => panic!("{selector} cannot be clicked: {error}"),
            }
        }
        panic!("{selector} was replaced five times before it could be clicked");
    }

    /// Selects a value of a select element.
    pub(crate) async fn choose(&self, selector: &str, value: &str) {
        let script = format!(
            "const select = document.querySelector({}); select.value = {};
             select.dispatchEvent(new Event('change', {{ bubbles: true }}));",
            json!(selector),
            json!(value)
        );
        self.find(selector).await;
        self.run(&script).await;
    }

    /// Clicks the first visible link or button labelled `label`. Retries if the element is missing
    /// or moves.
    pub(crate) async fn click_labelled(&self, label: &str) {
        let path = format!("//*[self::a or self::button][normalize-space()='{label}']");
        let start = Instant::now();
        loop {
            let missed = match self.seen(&path).await {
                Some(element) => match element.click().await {
                    Ok(()) => return,
                    Err(error) => error.to_string(),
                },
                None => "there is none".to_owned(),
            };
            assert!(
                start.elapsed() < TIMEOUT.mul_f64(load_factor()),
                "no link or button {label:?} could be clicked within {TIMEOUT:?}: {missed}\n{}",
                self.state().await
            );
            tokio::time::sleep(POLL).await;
        }
    }

    /// Returns the first visible match of an XPath.
    async fn seen(&self, path: &str) -> Option<Element> {
        for element in self.client.find_all(Locator::XPath(path)).await.unwrap_or_default() {
            if element.is_displayed().await.unwrap_or(false) {
                return Some(element);
            }
        }
        None
    }

    /// Types `value` into a field and presses Enter.
    pub(crate) async fn type_into(&self, selector: &str, value: &str) {
        let script = format!(
            "const field = document.querySelector({}); field.closest('details')?.setAttribute('open', ''); field.focus(); field.select()",
            json!(selector)
        );
        self.find(selector).await;
        self.run(&script).await;
        for letter in value.chars() {
            self.key(letter).await;
        }
        self.key(Key::Enter.into()).await;
    }

    /// Presses a key at the current focus.
    pub(crate) async fn key(&self, value: char) {
        let keys = KeyActions::new("keyboard".into()).then(KeyAction::Down { value }).then(KeyAction::Up { value });
        self.client.perform_actions(keys).await.expect("a key can be pressed");
    }

    /// Presses keys one after the other. A single request has shorter pauses between them.
    pub(crate) async fn keys(&self, values: impl Iterator<Item = char>) {
        let keys = values.fold(KeyActions::new("keyboard".into()), |keys, value| {
            keys.then(KeyAction::Down { value }).then(KeyAction::Up { value })
        });
        self.client.perform_actions(keys).await.expect("keys can be pressed");
    }

    /// Moves the mouse to a point of the window and clicks there.
    pub(crate) async fn click_at(&self, x: f64, y: f64) {
        let mouse = MouseActions::new("mouse".into())
            .then(PointerAction::MoveTo { duration: None, x, y })
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.client.perform_actions(mouse).await.expect("the mouse can be clicked");
    }

    /// Drags the mouse from one point of the window to another.
    pub(crate) async fn drag(&self, from: (f64, f64), to: (f64, f64)) {
        let between = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let move_to = |at: (f64, f64)| PointerAction::MoveTo { duration: None, x: at.0, y: at.1 };
        let mouse = MouseActions::new("mouse".into())
            .then(move_to(from))
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(move_to(between))
            .then(move_to(to))
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.client.perform_actions(mouse).await.expect("the mouse can be dragged");
    }

    /// Turns the mouse wheel over a point of the window.
    pub(crate) async fn wheel(&self, x: i64, y: i64, delta_y: i64) {
        let wheel = WheelActions::new("wheel".into());
        let wheel = wheel.then(WheelAction::Scroll { duration: None, x, y, delta_x: 0, delta_y });
        self.client.perform_actions(wheel).await.expect("the wheel can be turned");
    }

    /// Runs a search of the canvas and returns its result. The search may use `box`, the place of
    /// the canvas in the window; `await said(x, y)`, the summary for a point; and
    /// `await place(x, y, test)`, which is `[x, y]` in the middle of the element at a point if the
    /// summary passes the test there, else null.
    pub(crate) async fn search_canvas(&self, search: &str) -> Value {
        self.run_async(&SEARCH_CANVAS.replace("SEARCH", search)).await
    }

    /// Finds a `live` or `faulty` node between source and destination: sends pointer events over
    /// the canvas until the page names such a node. The real mouse does not move.
    pub(crate) async fn node(&self, state: &str) -> NodePosition {
        let search = r"
            const name = text => /In focus: node ([01]+), STATE\./.exec(text)?.[1];
            for (let i = 0; i <= 40; i++) for (let y = Math.ceil(box.top) + 4; y < box.bottom; y += 7) {
                // The driver accepts whole pixels only. Every eighth column first: one of them
                // usually has a node.
                const x = Math.round(box.left + box.width * (0.4 + i * 8 % 41 / 200));
                const found = name(await said(x, y));
                if (!found?.includes('0') || !found.includes('1')) continue;
                const at = await place(x, y, text => name(text) === found);
                if (!at) continue;
                // Retry if the layout is still changing, as on a busy machine.
                return canvas.getBoundingClientRect().top === box.top ? [...at, found] : 'moved';
            }
            return null;";
        let search = search.replace("STATE", state);
        let mut found = self.search_canvas(&search).await;
        for _ in 0..5 {
            if found.as_str() == Some("moved") {
                found = self.search_canvas(&search).await;
            }
        }
        let number = |at: usize| found[at].as_f64().unwrap_or_else(|| panic!("no {state} node on the canvas"));
        NodePosition { x: number(0), y: number(1), name: found[2].as_str().unwrap_or_default().to_owned() }
    }

    /// Sends a command of the Chrome DevTools protocol.
    pub(crate) fn devtools(&self, command: &str, parameters: Value) -> Value {
        let path = format!("/session/{}/goog/cdp/execute", self.session);
        ask_driver("POST", &path, Some(&json!({ "cmd": command, "params": parameters }))).expect("the driver answers")
    }

    /// Emulates media features.
    pub(crate) fn emulate_media(&self, features: &[(&str, &str)]) {
        let features: Vec<_> = features.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Resizes the viewport, in CSS pixels.
    pub(crate) async fn resize(&self, width: u32, height: u32) {
        if self.engine == BrowserEngine::Chromium {
            let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
            self.devtools("Emulation.setDeviceMetricsOverride", size);
            return;
        }
        // The driver's window size includes the frame.
        let frame = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight]").await;
        let beyond = |axis: usize| frame[axis].as_u64().and_then(|size| u32::try_from(size).ok()).unwrap_or(0);
        let size = self.client.set_window_size(width + beyond(0), height + beyond(1)).await;
        size.expect("the window takes another size");
    }

    /// Returns and clears the browser's log: errors, policy violations, and in Chromium warnings.
    pub(crate) fn log(&self) -> Vec<String> {
        let (path, body) = match self.engine {
            BrowserEngine::Chromium => ("se/log", json!({ "type": "browser" })),
            _ => ("execute/sync", json!({ "script": "return window.complaints?.splice(0)", "args": [] })),
        };
        let entries = ask_driver("POST", &format!("/session/{}/{path}", self.session), Some(&body)).unwrap_or_default();
        let entries = entries.as_array().cloned().unwrap_or_default();
        // Some tests read the same canvas repeatedly, which causes a warning. Others open a
        // document that has no icon.
        let own_doing = |line: &String| line.contains("willReadFrequently") || line.contains("favicon.ico");
        entries
            .iter()
            .map(|entry| format!("{} {}", entry["level"], entry["message"]))
            .filter(|line| !own_doing(line))
            .collect()
    }

    /// Ends a test and asserts that the browser logged nothing.
    pub(crate) fn assert_no_log(self) {
        let log = self.log();
        assert!(log.is_empty(), "the browser complains:\n{}", log.join("\n"));
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        if thread::panicking() {
            // The log helps to find the failure; a second panic here would abort the program.
            let _ = writeln!(io::stderr(), "browser log: {:#?}", self.log());
        } else {
            return session::keep(self.client.clone(), self.session.clone());
        }
        let _ = ask_driver("DELETE", &format!("/session/{}", self.session), None);
    }
}

/// Sends a request that fantoccini does not support to the driver.
fn ask_driver(method: &str, path: &str, body: Option<&Value>) -> io::Result<Value> {
    let url = required_env("WEBDRIVER_URL");
    let host = url.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    let body = body.map(Value::to_string).unwrap_or_default();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )?;
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut answer = vec![0; length];
    reader.read_exact(&mut answer)?;
    let answer: Value = serde_json::from_slice(&answer)?;
    match answer["value"].get("error") {
        Some(error) => Err(io::Error::other(format!("{path}: {error} {}", answer["value"]["message"]))),
        None => Ok(answer["value"].clone()),
    }
}
