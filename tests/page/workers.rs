//! Tests of workers that crash, fail to start, or are not supported.

use std::time::Duration;

use serde_json::json;

use crate::browser::{Page, WIRE, faultlab, is_thorough, load_factor};
use crate::measure::{HEAVY, RECORD_FILES, exported, run_again, wait_for_sweep};

const SWEEP: &str = "v=2&net=cube:10&faults=nodes:0.4&vary=p:0.3,0.5&within=0.005&view=measure";

/// A sweep that outlasts the worker circuit breaker. A sweep that ends earlier starts no further
/// worker.
const LONGER: &str = "v=2&net=cube:10&faults=nodes:0.4&vary=p:0.3,0.5&within=0.0015&view=measure";

/// Runs a sweep with workers modified by `script`, and asserts that the numbers are correct.
async fn measure_with(sweep: &str, script: &str) -> Page {
    let page = Page::blank().await;
    page.before_load(RECORD_FILES);
    page.before_load(WIRE);
    page.before_load(script);
    page.visit(sweep).await;
    wait_for_sweep(&page).await;
    let csv = exported(&page, "CSV", ".csv").await;
    assert_eq!(csv, faultlab(&["run", sweep, "--csv", "--quiet"]));
    page
}

/// Makes the first `count` workers run `what` at their task number `at`. Records the times of these
/// tasks, and those of worker starts.
pub(crate) fn break_workers(page: &Page, count: u32, at: u32, what: &str) {
    // The page's policy forbids workers from blobs.
    page.devtools("Page.setBypassCSP", json!({ "enabled": true }));
    let script = format!(
        "window.hired = [];
         window.spoiled = [];
         const clock = () => performance.timeOrigin + performance.now();
         new BroadcastChannel('spoiled').onmessage = event => window.spoiled.push(event.data);
         const code = url => `
             let seen = 0;
             addEventListener('message', event => {{
                 if (event.data[0] === 1 || ++seen !== {at}) return;
                 new BroadcastChannel('spoiled').postMessage(performance.timeOrigin + performance.now());
                 {what}
             }});
             await import('${{url}}');`;
         window.Worker = class extends Worker {{
             constructor(url, options) {{
                 if (window.hired.length < {count})
                     url = URL.createObjectURL(new Blob([code(url)], {{ type: 'text/javascript' }}));
                 super(url, options);
                 window.hired.push(clock());
             }}
         }};"
    );
    page.before_load(&script);
}

const CLOSES: &str = "self.close(); event.stopImmediatePropagation();";
const HANGS: &str = "for (;;);";
const THROWS: &str = "event.stopImmediatePropagation(); throw new Error('thrown by a test');";

/// Returns the milliseconds from the loss of the first worker to the start of the next one.
async fn until_replaced(page: &Page) -> f64 {
    let script =
        "const [lost] = spoiled, next = hired.find(time => lost && time > lost); return next ? next - lost + 0.01 : 0";
    page.wait_until("another one is hired", script).await.as_f64().unwrap_or(f64::INFINITY)
}

/// Waits for the end of the sweep and compares its CSV with the command line's.
async fn assert_numbers(page: &Page, text: &str) {
    wait_for_sweep(page).await;
    page.run("window.files = {}").await;
    let csv = exported(page, "CSV", ".csv").await;
    assert_eq!(csv, faultlab(&["run", text, "--csv", "--quiet"]));
}

/// The page stays responsive during an analysis of several seconds. Results that are no longer
/// needed are dropped.
#[tokio::test]
async fn long_analysis_keeps_page_responsive() {
    let page = Page::open("v=2&net=cube:10&switch=wormhole&route=minimal&faults=none&view=check").await;
    page.wait_until(
        "it says that it computes",
        "return document.querySelector('[aria-busy=true] progress')?.checkVisibility({ visibilityProperty: true })",
    )
    .await;
    page.visit("v=2&net=mesh:4x4&switch=wormhole&route=e-cube&faults=none&view=check").await;
    page.wait_until("it is proved", "return !!document.querySelector('[aria-busy=false] .card')").await;
    page.until_text(".cards", "16").await;
    page.assert_no_log();
}

#[tokio::test]
async fn a_worker_that_closes_hangs_or_throws_is_replaced_within_two_seconds() {
    // Vary the task at which workers fail, and their number, up to more consecutive failures than
    // the circuit breaker permits. A thorough run combines every failure with every number.
    let failures = [(CLOSES, "stopped responding"), (HANGS, "stopped responding"), (THROWS, "thrown by a test")];
    let counts = [(1, 3), (2, 1), (3, 2), (9, 3)];
    for (number, (what, said)) in failures.into_iter().enumerate() {
        let chosen = counts.iter().enumerate().filter(|(index, _)| is_thorough() || index % failures.len() == number);
        for (_, &(count, at)) in chosen {
            let page = Page::blank().await;
            page.before_load(RECORD_FILES);
            break_workers(&page, count, at, what);
            page.visit(SWEEP).await;
            let took = until_replaced(&page).await;
            println!("{said} ({count} workers, order {at}): replaced after {took:.0} ms");
            assert!(took < 2000.0 * load_factor(), "{what}: {took:.0} ms");
            assert_numbers(&page, SWEEP).await;
            page.until_text(".notice", said).await;
            page.until_text(".notice", "replaced").await;
        }
    }
}

/// On a slow network the workers' program arrives late. Until then the main thread computes.
#[tokio::test]
async fn slow_loading_workers_are_not_replaced() {
    let page = Page::blank().await;
    page.before_load(RECORD_FILES);
    page.devtools("Page.setBypassCSP", json!({ "enabled": true }));
    page.before_load(
        "window.hired = 0;
         const code = url => `
             const { fetch } = self, channel = new BroadcastChannel('late');
             const late = new Promise(done => channel.onmessage = done);
             self.fetch = (...what) => late.then(() => fetch(...what));
             await import('${url}');`;
         window.Worker = class extends Worker {
             constructor(url, options) {
                 super(URL.createObjectURL(new Blob([code(url)], { type: 'text/javascript' })), options);
                 window.hired++;
             }
         };",
    );
    page.visit(LONGER).await;
    page.wait_until("the page computes", "return /\\d/.test(document.querySelector('#numbers td')?.textContent)").await;
    // Wait longer than the heartbeat timeout.
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(page.text(".notice").await, "");
    page.run("new BroadcastChannel('late').postMessage(0)").await;
    assert_numbers(&page, LONGER).await;
    assert_eq!(page.text(".notice").await, "");
    assert_eq!(page.run("return hired <= navigator.hardwareConcurrency").await, json!(true), "none is replaced");
    page.assert_no_log();
}

#[tokio::test]
async fn failing_workers_open_breaker_and_are_retried() {
    for (number, what) in [CLOSES, HANGS, THROWS].into_iter().enumerate() {
        let page = Page::blank().await;
        page.before_load(RECORD_FILES);
        break_workers(&page, 1000, 1, what);
        page.visit(SWEEP).await;
        page.until_text(".notice", "without workers").await;
        assert_numbers(&page, SWEEP).await;
        let hired = page.run("return hired.length").await;
        assert!(hired.as_u64() < Some(4 * 8 + 1), "{hired} workers were hired for it");
        // The next run does not depend on how workers failed.
        if number > 0 && !is_thorough() {
            continue;
        }
        run_again(&page).await;
        let more = format!("return hired.length > {hired}");
        page.wait_until("the next run tries others", &more).await;
        assert_numbers(&page, SWEEP).await;
    }
}

#[tokio::test]
async fn a_run_that_is_cancelled_after_a_worker_was_lost_starts_again() {
    let page = Page::blank().await;
    page.before_load(RECORD_FILES);
    break_workers(&page, 2, 1, CLOSES);
    page.visit(SWEEP).await;
    page.wait_until("a worker is lost", "return spoiled.length").await;
    page.click("#cancel").await;
    page.click("#run").await;
    assert_numbers(&page, SWEEP).await;
}

#[tokio::test]
async fn workers_start_after_temporary_network_loss() {
    let page = Page::blank().await;
    page.before_load(RECORD_FILES);
    page.before_load(
        "window.gone = true;
         window.up = 0;
         window.Worker = class extends Worker {
             constructor(url, options) {
                 super(window.gone ? url + '.missing.js' : url, options);
                 this.addEventListener('message', () => ++window.up);
             }
         };",
    );
    page.visit(LONGER).await;
    page.until_text(".notice", "without workers, more slowly (its script cannot be loaded; check the network)").await;
    assert_numbers(&page, LONGER).await;
    assert_eq!(page.run("return up").await, json!(0));
    page.run("window.gone = false").await;
    run_again(&page).await;
    page.wait_until("workers are up", "return up").await;
    page.wait_until("nothing is said any more", "return !document.querySelector('.notice')").await;
    assert_numbers(&page, LONGER).await;
    // The browser logs the missing scripts, as it should, and nothing else.
    let log = page.log();
    assert!(log.iter().all(|line| line.contains("404") || line.contains(".missing.js")), "{log:?}");
}

#[tokio::test]
async fn suspended_page_keeps_workers() {
    let page = Page::blank().await;
    // Delay timers, and with them the workers' messages, as in a hidden page.
    page.before_load(
        "window.hired = 0;
         window.Worker = class extends Worker { constructor(...all) { super(...all); ++window.hired; } };
         const wait = window.setTimeout;
         window.setTimeout = (act, time, ...all) => wait(act, window.hidden_now && time === 250 ? 3000 : time, ...all);",
    );
    page.visit(HEAVY).await;
    page.wait_until("there is progress", "return document.getElementById('progress').value").await;
    let sleep = "const start = performance.now(); while (performance.now() - start < 4000); return window.hired";
    let hired = page.run(sleep).await;
    page.run_async("await new Promise(done => setTimeout(done, 1000))").await;
    assert_eq!(page.run(sleep).await, hired);
    page.run("window.hidden_now = true").await;
    page.run_async("await new Promise(done => setTimeout(done, 8000))").await;
    assert_eq!(page.run("return window.hired").await, hired);
    page.click("#cancel").await;
    page.assert_no_log();
}

#[tokio::test]
async fn only_idle_timer_runs_after_sweep() {
    let page = Page::blank().await;
    page.before_load(
        "window.timers = new Map();
         const wait = window.setTimeout, clear = window.clearTimeout;
         window.setTimeout = (act, time, ...all) => {
             const id = wait(() => { timers.delete(id); act(...all); }, time);
             timers.set(id, time);
             return id;
         };
         window.clearTimeout = id => { timers.delete(id); clear(id); };",
    );
    page.visit(SWEEP).await;
    wait_for_sweep(&page).await;
    page.wait_until("only one is left", "return [...timers.values()].join() === '30000'").await;
    // Wait in the test: some drivers set a timer in the page while a script waits.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(page.run("return [...timers.values()].join()").await, json!("30000"));
    page.assert_no_log();
}

#[tokio::test]
async fn any_number_of_workers_gives_the_same_numbers() {
    // Some browsers do not report the number of threads.
    for (told, count) in [("1", 1), ("4", 4), ("undefined", 1), ("0", 1)] {
        let page = measure_with(SWEEP, &format!(
            "let hired = 0;
             Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', {{ get: () => {told} }});
             window.Worker = class extends Worker {{ constructor(...all) {{ super(...all); window.hired = ++hired; }} }};"
        ))
        .await;
        assert_eq!(page.run("return window.hired").await, json!(count));
        page.assert_no_log();
    }
}

#[tokio::test]
async fn a_crashed_worker_is_replaced_and_nothing_is_lost() {
    // The first worker to get a third task crashes with two tasks in flight. The worker is not
    // fixed in advance, because one that starts late may get no task.
    let page = measure_with(
        SWEEP,
        "window.hired = 0;
         let killed = false;
         window.Worker = class extends Worker {
             constructor(...all) { super(...all); this.orders = 0; ++window.hired; }
             postMessage(message) {
                 if (!killed && wire.read(message) && ++this.orders === 3) {
                     killed = true;
                     setTimeout(() => this.dispatchEvent(new ErrorEvent('error', { message: 'killed by a test' })));
                 } else super.postMessage(message);
             }
         };",
    )
    .await;
    page.until_text(".notice", "killed by a test").await;
    page.until_text(".notice", "replaced").await;
    page.wait_until("another worker was hired", "return window.hired > navigator.hardwareConcurrency").await;
    page.assert_no_log();
}

#[tokio::test]
async fn task_that_crashes_repeatedly_is_reported() {
    let page = Page::blank().await;
    page.before_load(WIRE);
    page.before_load(
        "window.hired = 0;
         window.Worker = class extends Worker {
             constructor(...all) { super(...all); ++window.hired; }
             postMessage(message) {
                 const order = wire.read(message);
                 if (order?.slot === 1 && order.first >= 1024) {
                     setTimeout(() => this.dispatchEvent(new ErrorEvent('error', { message: 'killed by a test' })));
                 } else super.postMessage(message);
             }
         };",
    );
    page.visit(SWEEP).await;
    page.wait_until("the run ends", "return !!document.getElementById('run')").await;
    page.until_text(
        ".transport [role=status]",
        "could not be computed: sidetracking, fault rate p 0.5 failed 5 times (killed by a test)",
    )
    .await;
    page.until_text("#status", "1 of 2 points are final").await;
    let cells = page.run("return [...document.querySelectorAll('#numbers td')].map(cell => cell.textContent)").await;
    assert!(cells[0].as_str().is_some_and(|cell| !cell.ends_with('‡')), "all of the other point is there: {cells}");
    assert!(cells[1].as_str().is_some_and(|cell| cell.ends_with('‡')), "what there is of this one stays: {cells}");
    let hired = page.run("return window.hired").await;
    assert!(hired.as_u64() < Some(40), "{hired} workers were hired for it");
    page.assert_no_log();
}

#[tokio::test]
async fn without_workers_the_page_computes_itself() {
    let page = measure_with(SWEEP, "window.Worker = undefined;").await;
    page.until_text(".notice", "without workers").await;
    page.assert_no_log();
}

#[tokio::test]
async fn with_workers_that_cannot_be_loaded_the_page_computes_itself() {
    let page = measure_with(
        LONGER,
        "window.Worker = class extends Worker { constructor(url, options) { super(url + '.missing.js', options); } };",
    )
    .await;
    page.until_text(".notice", "without workers").await;
    // The browser logs the missing scripts, as it should, and nothing else.
    let log = page.log();
    assert!(log.iter().all(|line| line.contains("404") || line.contains(".missing.js")), "{log:?}");
}

#[tokio::test]
async fn with_workers_of_another_version_the_page_computes_itself() {
    let page = measure_with(
        SWEEP,
        "const plain = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data').get;
         Object.defineProperty(MessageEvent.prototype, 'data', { get() {
             const data = plain.call(this);
             // Kind 0 is the start-up message, followed by the length of the version and the
             // version.
             return data instanceof Uint8Array && data[0] === 0 ? data.map((byte, at) => at === 2 ? 120 : byte) : data;
         } });",
    )
    .await;
    page.until_text(".notice", "versions").await;
    page.assert_no_log();
}

#[tokio::test]
async fn a_page_that_computes_itself_can_be_cancelled() {
    let page = Page::blank().await;
    page.before_load("delete window.Worker;");
    page.visit("v=2&net=cube:20&faults=nodes:0.6&within=0.0005&trials=100000000&view=measure").await;
    page.wait_until("there is progress", "return document.getElementById('progress').value").await;
    page.click("#cancel").await;
    page.until_in(
        Duration::from_secs(2),
        "it is cancelled",
        "return document.getElementById('status').textContent.startsWith('Cancelled')",
    )
    .await;
    page.assert_no_log();
}

/// A single job gets a worker of its own beside those of the sweep. The worker is terminated when
/// the job ends.
#[tokio::test]
async fn analysis_runs_beside_sweep() {
    let page = Page::blank().await;
    page.before_load(
        "window.spawned = window.running = 0;
         window.Worker = class extends Worker {
             constructor(...all) { super(...all); ++window.spawned; ++window.running; }
             terminate() { super.terminate(); --window.running; }
         };",
    );
    page.visit(HEAVY).await;
    page.wait_until("there is progress", "return document.getElementById('progress').value").await;
    page.wait_until("all workers run", "return running === navigator.hardwareConcurrency").await;
    page.visit("v=2&net=mesh:4x4&switch=wormhole&route=e-cube&faults=none&view=check").await;
    page.wait_until("it is proved", "return !!document.querySelector('[aria-busy=false] .card')").await;
    let more =
        page.run("return [spawned - navigator.hardwareConcurrency, running - navigator.hardwareConcurrency]").await;
    assert_eq!(more, json!([1, 0]));
    page.assert_no_log();
}

/// Searches and paper items use a separate worker.
#[tokio::test]
async fn a_search_survives_its_worker() {
    for what in [CLOSES, HANGS, THROWS] {
        let page = Page::blank().await;
        break_workers(&page, 1, 1, what);
        page.visit("v=2&net=cube:4&route=deterministic-blind").await;
        page.click(".worst summary").await;
        page.click(".worst button").await;
        page.wait_until(
            "it has found one",
            "return document.querySelector('.worst .result-text')?.textContent.includes('the worst of all: ')",
        )
        .await;
        assert_eq!(page.run("return hired.length").await, json!(2));
    }
}

/// Blind routing takes a single path, so any faulty node on the path stops the message.
#[tokio::test]
async fn finds_the_worst_fault_and_breaks_it() {
    let page = Page::open("v=2&net=cube:4&route=deterministic-blind").await;
    page.click(".worst summary").await;
    page.click(".worst button").await;
    page.wait_until(
        "it has found one",
        "return document.querySelector('.worst .result-text')?.textContent.includes('the worst of all: ')",
    )
    .await;
    let told = page.run("return document.querySelector('.worst .result-text').textContent").await;
    let told = told.as_str().expect("sentences");
    assert!(
        told.contains("with these faults: 0% exact") && told.contains("without these faults: 100% exact"),
        "{told}"
    );
    assert!(told.contains("all 14 sets were measured"), "{told}");
    page.click(".worst .result-text + button").await;
    page.wait_until("it is broken", "return location.hash.includes('break=')").await;
    page.assert_no_log();
}
