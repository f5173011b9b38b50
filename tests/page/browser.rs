//! One tab of a browser through WebDriver: what the tests of the page share.
#![allow(clippy::panic, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::env;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use fantoccini::actions::{
    InputSource as _, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction, WheelAction, WheelActions,
};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

use crate::engine::Engine;

/// Script that defines `wire`, the bytes that page and workers exchange (`src/worker/protocol.rs`): numbers in groups of seven
/// bits, the lowest first; texts after their length; a message after the number of its kind.
pub(crate) const WIRE: &str = "window.wire = {
    number: value => value < 128 ? [value] : [value % 128 + 128, ...wire.number(Math.floor(value / 128))],
    reader: (bytes, at = 0) => ({
        number() { const byte = bytes[at++]; return byte < 128 ? byte : byte - 128 + 128 * this.number(); },
        text() { const end = this.number() + at; return new TextDecoder().decode(bytes.slice(at, at = end)); },
    }),
    // The order to run a task, and one read back; undefined for every other message.
    run({ id, text, slot = 0, first, count }) {
        const words = new TextEncoder().encode(text), task = [slot, first, count].flatMap(wire.number);
        return Uint8Array.from([0, ...wire.number(id), ...wire.number(words.length), ...words, ...task]);
    },
    read(bytes) {
        const reader = wire.reader(bytes, 1), number = () => reader.number();
        if (bytes[0] === 0) return { id: number(), text: reader.text(), slot: number(), first: number(), count: number() };
    },
    // The number of the order that a worker has done; undefined for every other message.
    done: bytes => bytes[0] === 1 ? wire.reader(bytes, 1).number() : undefined,
    // Whether a worker says no more than that it is at work.
    isBeat: bytes => bytes.length === 1 && bytes[0] === 8,
};";

/// Script that keeps what an open page complains about, as a log of Chromium's.
const LISTEN: &str = "
    if (window.complaints) return;
    window.complaints = [];
    const told = (level, message) => window.complaints.push({ level, message: String(message) });
    addEventListener('error', event => told('error', event.message));
    addEventListener('unhandledrejection', event => told('rejection', event.reason));
    addEventListener('securitypolicyviolation', event => told('policy', event.violatedDirective + event.blockedURI));
    for (const level of ['error', 'warn']) console[level] = (...all) => told(level, all.join(' '));";

/// Script that returns true once the program shows the page. Before that, `index.html` shows a picture of the first example.
const STARTED: &str = "return !!document.querySelector('main') && !document.querySelector('.first-example')";
/// How long anything may take that the page does at once.
const PATIENCE: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(20);

/// What the tests are told by `cargo xtask`.
pub(crate) fn told(variable: &str) -> String {
    env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set: run `cargo xtask test page`"))
}

/// Returns whether `cargo xtask test --thorough` asked for every case. Otherwise tests of many similar cases take some of them.
pub(crate) fn is_thorough() -> bool {
    env::var_os("FAULTLAB_THOROUGH").is_some()
}

/// The address of the page, with a slash at its end.
pub(crate) fn page_url() -> String {
    told("FAULTLAB_URL")
}

/// What the command line prints, asked once for all tests that compare with it.
pub(crate) fn faultlab(arguments: &[&str]) -> String {
    static PRINTED: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let printed = || PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    let name = arguments.join("\n");
    if let Some(text) = printed().get(&name) {
        return text.clone();
    }
    let output =
        Command::new(env!("CARGO_BIN_EXE_faultlab")).args(arguments).output().expect("the command line starts");
    assert!(output.status.success(), "faultlab {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("the command line prints text");
    printed().insert(name, text.clone());
    text
}

/// A browser of its own for one test, closed when dropped.
pub(crate) struct Page {
    pub(crate) client: Client,
    session: String,
    pub(crate) engine: Engine,
}

/// Where a node is on the screen, and its name.
pub(crate) struct Spot {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) name: String,
}

impl Spot {
    /// The node's number.
    pub(crate) fn number(&self) -> u64 {
        u64::from_str_radix(&self.name, 2).expect("small cubes name their nodes in binary")
    }
}

impl Page {
    /// A browser that has opened nothing yet.
    pub(crate) async fn blank() -> Self {
        let engine = Engine::told();
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let client = builder.capabilities(engine.capabilities()).connect(&told("WEBDRIVER_URL")).await;
        let client = client.expect("the driver starts a browser");
        let session = client.session_id().await.ok().flatten().expect("the browser has a session");
        let page = Self { client, session, engine };
        page.resize(1280, 900).await;
        page
    }

    /// A browser that has opened the page with this experiment in the link.
    pub(crate) async fn open(text: &str) -> Self {
        let page = Self::blank().await;
        page.visit(text).await;
        page
    }

    /// Opens the page with this experiment in the link; if the page is open already, only its link changes.
    pub(crate) async fn visit(&self, text: &str) {
        let url = if text.is_empty() { page_url() } else { format!("{}#{text}", page_url()) };
        self.client.goto(&url).await.expect("the page opens");
        self.until("the page is there", STARTED).await;
        self.listen().await;
    }

    pub(crate) async fn reload(&self) {
        self.client.refresh().await.expect("the page reloads");
        self.until("the page is there again", STARTED).await;
        self.listen().await;
    }

    /// Has complaints kept where the driver does not tell them.
    async fn listen(&self) {
        if self.engine != Engine::Chromium {
            self.run(LISTEN).await;
        }
    }

    /// Runs `script` in every document before its own scripts.
    pub(crate) fn before_load(&self, script: &str) {
        self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }));
    }

    /// What a script returns.
    pub(crate) async fn run(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// What a script, or rather the promise it returns, comes to.
    pub(crate) async fn run_async(&self, script: &str) -> Value {
        let script = format!(
            "const done = arguments[0]; (async () => {{ {script} }})().then(done, error => done('failed: ' + error))"
        );
        let value = self.client.execute_async(&script, Vec::new()).await;
        let value = value.unwrap_or_else(|error| panic!("{script}: {error}"));
        assert!(!value.as_str().is_some_and(|text| text.starts_with("failed: ")), "{script}: {value}");
        value
    }

    /// Asks again and again until a script returns something that is true in JavaScript; returns that.
    pub(crate) async fn until(&self, what: &str, script: &str) -> Value {
        self.until_in(PATIENCE, what, script).await
    }

    pub(crate) async fn until_in(&self, patience: Duration, what: &str, script: &str) -> Value {
        let start = Instant::now();
        loop {
            let value = self.run(script).await;
            let empty = matches!(&value, Value::Null | Value::Bool(false)) || value == json!("") || value == json!(0);
            if !empty {
                return value;
            }
            assert!(
                start.elapsed() < patience,
                "not within {patience:?}: {what}\n  {script}\n  came to {value}\n{}",
                self.state().await
            );
            tokio::time::sleep(POLL).await;
        }
    }

    /// What there is to see, for messages about failures.
    async fn state(&self) -> String {
        let script = "return location.href + '\\n' + document.body.innerText.slice(0, 1500)";
        let seen = self.client.execute(script, Vec::new()).await;
        format!("{}\n{:?}", seen.ok().and_then(|seen| seen.as_str().map(str::to_owned)).unwrap_or_default(), self.log())
    }

    /// The text of what a selector finds, if it finds anything.
    pub(crate) async fn text(&self, selector: &str) -> String {
        let script = format!("return document.querySelector({})?.textContent ?? ''", json!(selector));
        self.run(&script).await.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the text of what a selector finds contains `part`.
    pub(crate) async fn until_text(&self, selector: &str, part: impl ToString) {
        let part = part.to_string();
        let script = format!(
            "return (document.querySelector({})?.textContent ?? '').includes({})",
            json!(selector),
            json!(part)
        );
        self.until(&format!("{selector} says {part:?}"), &script).await;
    }

    /// The experiment in the link.
    pub(crate) async fn link(&self) -> String {
        self.run("return location.hash.slice(1)").await.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the link is that of this experiment.
    pub(crate) async fn until_link(&self, text: &str) {
        let script = format!("return location.hash === {}", json!(format!("#{text}")));
        self.until(&format!("the link is #{text}"), &script).await;
    }

    /// What a selector finds.
    pub(crate) async fn find(&self, selector: &str) -> Element {
        self.until(&format!("there is {selector}"), &format!("return !!document.querySelector({})", json!(selector)))
            .await;
        self.client.find(Locator::Css(selector)).await.unwrap_or_else(|error| panic!("{selector}: {error}"))
    }

    /// Clicks what a selector finds, as a person would: scrolled into view, with the mouse.
    pub(crate) async fn click(&self, selector: &str) {
        let element = self.find(selector).await;
        element.click().await.unwrap_or_else(|error| panic!("{selector} cannot be clicked: {error}"));
    }

    /// Chooses a value of a select.
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

    /// Clicks the link or button that says `label`: of several the first that can be seen. Aims again, as a person would, where
    /// it is not there yet or moves away under the mouse.
    pub(crate) async fn press(&self, label: &str) {
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
                start.elapsed() < PATIENCE,
                "no link or button {label:?} could be clicked within {PATIENCE:?}: {missed}\n{}",
                self.state().await
            );
            tokio::time::sleep(POLL).await;
        }
    }

    /// The first of what a path finds that can be seen.
    async fn seen(&self, path: &str) -> Option<Element> {
        for element in self.client.find_all(Locator::XPath(path)).await.unwrap_or_default() {
            if element.is_displayed().await.unwrap_or(false) {
                return Some(element);
            }
        }
        None
    }

    /// Writes `value` into the field and leaves it with Enter.
    pub(crate) async fn write(&self, selector: &str, value: &str) {
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

    /// Presses a key, wherever the focus is.
    pub(crate) async fn key(&self, value: char) {
        let keys = KeyActions::new("keyboard".into()).then(KeyAction::Down { value }).then(KeyAction::Up { value });
        self.client.perform_actions(keys).await.expect("a key can be pressed");
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

    /// Turns the wheel over a point of the window.
    pub(crate) async fn wheel(&self, x: i64, y: i64, delta_y: i64) {
        let wheel = WheelActions::new("wheel".into());
        let wheel = wheel.then(WheelAction::Scroll { duration: None, x, y, delta_x: 0, delta_y });
        self.client.perform_actions(wheel).await.expect("the wheel can be turned");
    }

    /// Finds a node between source and destination that is `live` or `faulty`, by moving over the canvas until the
    /// page names one. The mouse itself stays where it is.
    pub(crate) async fn node(&self, state: &str) -> Spot {
        let script = r"
            const canvas = document.querySelector('canvas.network'), summary = document.getElementById('summary');
            canvas.scrollIntoView({ block: 'center' });
            await new Promise(done => setTimeout(done, 50));
            const box = canvas.getBoundingClientRect();
            for (let i = 0; i <= 40; i++) for (let y = Math.ceil(box.top) + 4; y < box.bottom; y += 7) {
                // The driver points at whole pixels.
                const x = Math.round(box.left + box.width * (0.4 + i / 200));
                const named = async (x, y, wait) => {
                    const moved = new PointerEvent('pointermove', { clientX: x, clientY: y, bubbles: true });
                    // For events that are made up, WebKit leaves out how far the page is scrolled.
                    Object.defineProperty(moved, 'offsetX', { value: x - box.left });
                    Object.defineProperty(moved, 'offsetY', { value: y - box.top });
                    canvas.dispatchEvent(moved);
                    await new Promise(done => setTimeout(done, wait));
                    return /In focus: node ([01]+), STATE\./.exec(summary.textContent)?.[1];
                };
                const found = await named(x, y, 0);
                // While time runs the words may be those of a moment ago: only a node that stays named is at this place.
                if (!found || !found.includes('0') || !found.includes('1') || await named(x, y, 250) !== found) continue;
                // Its middle: a click at its edge may be rounded off it, to a link.
                const ends = async at => {
                    let low = 0, high = 0;
                    while (low > -30 && await named(...at(low - 1), 60) === found) low--;
                    while (high < 30 && await named(...at(high + 1), 60) === found) high++;
                    return Math.round((low + high) / 2);
                };
                const down = y + await ends(by => [x, y + by]);
                const across = x + await ends(by => [x + by, down]);
                if (await named(across, down, 250) !== found) return 'moved';
                // A page that still finds its shape, on a busy machine, is looked at again.
                if (canvas.getBoundingClientRect().top === box.top) return [across, down, found];
                return 'moved';
            }
            return null;";
        let mut found = self.run_async(&script.replace("STATE", state)).await;
        for _ in 0..5 {
            if found.as_str() == Some("moved") {
                found = self.run_async(&script.replace("STATE", state)).await;
            }
        }
        let number = |at: usize| found[at].as_f64().unwrap_or_else(|| panic!("no {state} node on the canvas"));
        Spot { x: number(0), y: number(1), name: found[2].as_str().unwrap_or_default().to_owned() }
    }

    /// A command of the Chrome DevTools protocol.
    pub(crate) fn devtools(&self, command: &str, parameters: Value) -> Value {
        let path = format!("/session/{}/goog/cdp/execute", self.session);
        ask_driver("POST", &path, Some(&json!({ "cmd": command, "params": parameters }))).expect("the driver answers")
    }

    /// Has the page believe that these media features hold.
    pub(crate) fn emulate_media(&self, features: &[(&str, &str)]) {
        let features: Vec<_> = features.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Gives the page a window of this size, in CSS pixels.
    pub(crate) async fn resize(&self, width: u32, height: u32) {
        if self.engine == Engine::Chromium {
            let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
            self.devtools("Emulation.setDeviceMetricsOverride", size);
            return;
        }
        // The driver counts the frame of the window in.
        let frame = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight]").await;
        let beyond = |axis: usize| frame[axis].as_u64().and_then(|size| u32::try_from(size).ok()).unwrap_or(0);
        let size = self.client.set_window_size(width + beyond(0), height + beyond(1)).await;
        size.expect("the window takes another size");
    }

    /// What the browser has logged since it was last asked: errors, violations of the security policy, and of Chromium
    /// warnings.
    pub(crate) fn log(&self) -> Vec<String> {
        let (path, body) = match self.engine {
            Engine::Chromium => ("se/log", json!({ "type": "browser" })),
            _ => ("execute/sync", json!({ "script": "return window.complaints?.splice(0)", "args": [] })),
        };
        let entries = ask_driver("POST", &format!("/session/{}/{path}", self.session), Some(&body)).unwrap_or_default();
        let entries = entries.as_array().cloned().unwrap_or_default();
        // Some tests look at the same canvas again and again, which the browser would rather have announced; some open a document that
        // is no page, and names no icon.
        let own_doing = |line: &String| line.contains("willReadFrequently") || line.contains("favicon.ico");
        entries
            .iter()
            .map(|entry| format!("{} {}", entry["level"], entry["message"]))
            .filter(|line| !own_doing(line))
            .collect()
    }

    /// Ends a test whose page had nothing to complain about.
    pub(crate) fn ends_clean(self) {
        let log = self.log();
        assert!(log.is_empty(), "the browser complains:\n{}", log.join("\n"));
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        if thread::panicking() {
            // The last words help; nothing here may panic again.
            let _ = writeln!(io::stderr(), "browser log: {:#?}", self.log());
        }
        let _ = ask_driver("DELETE", &format!("/session/{}", self.session), None);
    }
}

/// Asks the driver what fantoccini has no words for.
fn ask_driver(method: &str, path: &str, body: Option<&Value>) -> io::Result<Value> {
    let url = told("WEBDRIVER_URL");
    let host = url.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(PATIENCE))?;
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
