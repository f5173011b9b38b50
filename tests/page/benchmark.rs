//! Benchmarks of the built page in a real browser, compared with the same work in native code:
//! `cargo xtask bench`.
//!
//! The benchmarks print results and assert nothing, because speed depends on the machine.
//! `FAULTLAB_BENCH` selects benchmarks by name.

use std::env;
use std::ops::Range;
use std::time::{Duration, Instant};

use faultlab::experiment::{Experiment, Sweep};
use serde_json::{Value, json};

use crate::browser::{Page, WIRE};

/// Single-thread kernels: name, experiment, trials of a round, unit of the count. All kernels
/// except pairs belong to the project's speed targets.
///
/// For worms, the flit moves of the warm-up are made but not counted, so only ratios are
/// meaningful. A trial of deliveries also samples a permutation, computes its load factor, and
/// makes an off-line schedule. In the larger tree, which skips the schedule, nine tenths of the
/// time are delivery cycles.
const KERNELS: [(&str, &str, Range<u64>, &str); 8] = [
    ("page/messages", "v=2&net=cube:20&faults=nodes:0.5", 0..1_000_000, "messages"),
    ("page/circuits", "v=2&switch=circuit&route=e-cube&rate=0.4", 2..42, "events"),
    ("page/pairs", "v=2&switch=pairs&net=cube:8&faults=links:0.05&route=up", 0..100, "fault sets"),
    ("page/worms", "v=2&switch=wormhole&route=e-cube&load=0.72", 2..10, "flit hops"),
    ("page/worms-fcube2", "v=2&switch=wormhole&faults=isolated:8+16&route=f-cube2&load=0.72", 2..10, "flit hops"),
    ("page/worms-lh2", "v=2&switch=wormhole&faults=isolated:8+16&route=lh2&load=0.72", 2..10, "flit hops"),
    ("page/deliveries", "v=2&switch=delivery&net=tree:4096&route=greedy", 0..100, "messages sent"),
    ("page/delivery-cycles", "v=2&switch=delivery&net=tree:8192&route=greedy", 0..50, "messages sent"),
];

/// Figures of the project's speed targets, with their number of points. The first has three
/// routings at eight rates, each within 2% of its mean. The others are curves of nine loads, each
/// within 5%, without and with faults.
const FIGURES: [(&str, &str, u32); 3] = [
    (
        "page/nine-cube",
        "v=2&switch=circuit&net=cube:9&route=e-cube,4e+2f+3f,2e+2f+2f+3f&vary=rate:0.1..0.45:8&within=0.02&view=measure",
        24,
    ),
    ("page/mesh-curve", "v=2&switch=wormhole&route=f-cube2&vary=load:0.1..0.9:9&within=0.05&view=measure", 9),
    (
        "page/mesh-faults",
        "v=2&switch=wormhole&faults=isolated:0.05&route=lh2&vary=load:0.1..0.9:9&within=0.05&view=measure",
        9,
    ),
];

const ROUNDS: usize = 5;

#[tokio::test]
#[ignore = "takes a minute or two; run by `cargo xtask bench`"]
async fn run_benchmarks() {
    let wanted = env::var("FAULTLAB_BENCH").unwrap_or_default();
    let chosen = |name: &str| name.contains(wanted.as_str());
    if chosen("page/interactive") {
        interactive().await;
    }
    for (name, text, trials, what) in KERNELS {
        if chosen(name) {
            measure_kernel(name, text, trials, what).await;
        }
    }
    for (name, text, points) in FIGURES {
        if chosen(name) {
            figure(name, text, points).await;
        }
    }
    if chosen("page/table4") {
        table_4().await;
    }
    if chosen("page/blocking") {
        blocking().await;
    }
    if chosen("page/cancel") {
        cancel().await;
    }
}

fn report(name: &str, result: &str) {
    println!("{name:<22} {result}");
}

fn numbers(values: &[f64], digits: usize) -> String {
    values.iter().map(|value| format!("{value:.digits$}")).collect::<Vec<_>>().join(", ")
}

/// Measures the milliseconds from the start of navigation until the picture is painted and
/// responsive, in a new browser and after reloads.
async fn interactive() {
    let page = Page::blank().await;
    page.before_load(
        "const painted = () => {
             const canvas = document.querySelector('canvas.network');
             if (canvas?.width > 300 && canvas.getContext('2d').getImageData(2, 2, 1, 1).data[3]
                 && document.querySelector('.caption h2')) window.interactive = performance.now();
             else requestAnimationFrame(painted);
         };
         requestAnimationFrame(painted);",
    );
    let mut times = Vec::new();
    for round in 0..=ROUNDS {
        if round == 0 {
            page.visit("").await;
        } else {
            page.reload().await;
        }
        times.push(
            page.wait_until("the page is interactive", "return window.interactive").await.as_f64().unwrap_or(f64::NAN),
        );
    }
    report("page/interactive", &format!("first {:.0} ms, reloaded {} ms", times[0], numbers(&times[1..], 0)));
}

/// Measures the work per second of a worker and of a native thread, in turn.
async fn measure_kernel(name: &str, text: &str, trials: Range<u64>, what: &str) {
    let page = Page::open("v=2").await;
    page.run(WIRE).await;
    page.run_async(
        "const start = document.querySelector('script[type=module]').src;
         const [name] = (await (await fetch(start)).text()).match(/worker-[0-9a-f]+\\.js/);
         window.bench = new Worker(new URL(name, start), { type: 'module' });
         await new Promise(done => { bench.onmessage = event => wire.isBeat(event.data) || done(); });
         window.order = 0;
         window.measure = (text, first, count) => new Promise((done, fail) => {
             const id = ++window.order, start = performance.now();
             bench.onmessage = event => {
                 if (wire.done(event.data) === id) done((performance.now() - start) / 1000);
                 else if (wire.isBeat(event.data)) return;
                 else fail(new TextDecoder().decode(event.data));
             };
             bench.postMessage(wire.run({ id, text, first, count }));
         });",
    )
    .await;
    let experiment: Experiment = text.parse().expect("a kernel's experiment");
    let (first, count) = (trials.start, trials.end - trials.start);
    let (mut web, mut native) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        // The first round warms up both sides: the browser recompiles hot code.
        let script = format!("return await measure({}, {first}, {count})", json!(text));
        let in_page = page.run_async(&script).await.as_f64().unwrap_or(f64::NAN);
        let start = Instant::now();
        let tally = Sweep::sampler(&experiment, 0).expect("a sampler").run(first, count);
        let natively = start.elapsed().as_secs_f64();
        let events: u64 = tally.circuits().map_or(0, |runs| runs.0.iter().map(|(_, run)| run.events).sum());
        let moves: u64 = tally.worms().map_or(0, |runs| runs.0.iter().map(|(_, worms)| worms.run.flit_hops).sum());
        let sent = tally.deliveries().map_or(0, |counts| counts.transmissions.part);
        let done = [events, moves, sent, tally.trials].into_iter().find(|&done| done > 0).unwrap_or(0) as f64;
        if round > 0 {
            web.push(done / in_page / 1e6);
            native.push(done / natively / 1e6);
        }
    }
    let best = |rates: &[f64]| rates.iter().copied().fold(0.0, f64::max);
    report(
        name,
        &format!(
            "worker {:.3}, native {:.3} million {what}/s, ratio {:.0}% (rounds: {} against {})",
            best(&web),
            best(&native),
            100.0 * best(&web) / best(&native),
            numbers(&web, 3),
            numbers(&native, 3)
        ),
    );
}

/// Measures the seconds until every point of a figure has a value, and until all have the requested
/// precision.
async fn figure(name: &str, text: &str, points: u32) {
    let page = Page::open("v=2").await;
    let cores = page.run("return navigator.hardwareConcurrency").await;
    let seconds = page
        .run_async(&format!(
            "const start = performance.now(), since = () => (performance.now() - start) / 1000;
             location.hash = {};
             const until = async test => {{ while (!test()) await new Promise(done => setTimeout(done, 20)); return since(); }};
             const cells = () => [...document.querySelectorAll('#numbers td')];
             const first = await until(() => cells().length === {points} && cells().every(cell => cell.textContent !== '–'));
             const all = await until(() => /points? in/.test(document.getElementById('status').textContent));
             return [first, all];",
            json!(text)
        ))
        .await;
    let seconds: Vec<_> = seconds.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    let said =
        page.run("return [...document.querySelectorAll('#numbers td')].map(cell => cell.textContent).join(' ')").await;
    let said = said.as_str().unwrap_or_default();
    report(
        name,
        &format!(
            "{cores} workers: every point after {:.1} s, all as precise as asked after {:.1} s: {said}",
            seconds[0], seconds[1]
        ),
    );
}

/// Measures the seconds for all cells of Table 4, as reported by the page.
async fn table_4() {
    let page = Page::open("v=2&view=papers").await;
    let cores = page.run("return navigator.hardwareConcurrency").await;
    let mut said = Vec::new();
    for precise in [false, false, true] {
        if precise {
            page.click(".actions input[type=checkbox]").await;
        }
        page.click("#table4 .actions button").await;
        page.wait_until("it runs", "return !!document.querySelector('#table4 progress')").await;
        let status = page
            .until_in(
                Duration::from_secs(600),
                "Table 4 is computed",
                "const text = document.querySelector('#table4 output').textContent;
                 return /^[0-9.]+ s$/.test(text) && !document.querySelector('#table4 progress') ? text : null",
            )
            .await;
        said.push(status.as_str().unwrap_or_default().to_owned());
    }
    report(
        "page/table4",
        &format!("{cores} workers: within 1 point {}, again {}; within 0.1 point {}", said[0], said[1], said[2]),
    );
}

/// Script that records from now on how long the main thread is blocked: gaps between messages that
/// it posts to itself, and the browser's long tasks.
const WATCH_THREAD: &str = "
    window.gaps = []; window.long = [];
    window.observer?.disconnect();
    window.observer = new PerformanceObserver(list => list.getEntries().forEach(entry => window.long.push(entry.duration)));
    window.observer.observe({ entryTypes: ['longtask'] });
    const { port1, port2 } = new MessageChannel();
    const start = performance.now(); let last = start; const mine = window.watching = {};
    port1.onmessage = () => {
        const now = performance.now(); window.gaps.push([now - last, (last - start) / 1000]); last = now;
        if (window.watching === mine) setTimeout(() => port2.postMessage(0), 2);
    };
    port2.postMessage(0);";

/// Measures the longest time that the page is unresponsive during sweeps.
async fn blocking() {
    for (name, text, start) in [
        (
            "a sweep",
            "v=2&net=cube:20&faults=nodes:0.5&route=sidetracking,backtracking,random&vary=p:0..0.9:19&within=0.002",
            "view=measure",
        ),
        ("all papers", "v=2", "view=papers"),
    ] {
        let page = Page::open(text).await;
        page.wait_until("it is there", "return !!document.querySelector('.caption h2')").await;
        page.run_async("await new Promise(done => setTimeout(done, 1000))").await;
        page.run(WATCH_THREAD).await;
        page.run(&format!("location.hash += '&{start}'")).await;
        page.wait_until(
            "the view is there",
            "return !!document.getElementById('numbers') || !!document.getElementById('table4')",
        )
        .await;
        page.run("document.querySelector('.papers .primary')?.click()").await;
        page.run_async("await new Promise(done => setTimeout(done, 10000))").await;
        let seen =
            page.run("return { gaps: window.gaps.sort((a, b) => b[0] - a[0]).slice(0, 5), long: window.long }").await;
        let list = |value: &Value| value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect::<Vec<_>>();
        let gaps: Vec<_> = seen["gaps"].as_array().into_iter().flatten().map(list).collect();
        let gaps: Vec<_> = gaps.iter().map(|gap| format!("{:.0} ms at {:.1} s", gap[0], gap[1])).collect();
        let long = list(&seen["long"]);
        let longest = long.iter().copied().fold(0.0, f64::max);
        report(
            "page/blocking",
            &format!(
                "{name}, 10 s: {} tasks over 50 ms{}; longest gaps between turns {}",
                long.len(),
                if long.is_empty() { String::new() } else { format!(", the longest {longest:.0} ms") },
                gaps.join(", ")
            ),
        );
    }
}

/// Measures the milliseconds from the click on Cancel until the page confirms it, and until every
/// worker has done another task.
async fn cancel() {
    let page = Page::blank().await;
    page.before_load(WIRE);
    page.before_load(
        "window.workers = [];
         window.Worker = class extends Worker { constructor(...all) { super(...all); window.workers.push(this); } };",
    );
    page.visit("v=2&net=cube:60&faults=nodes:0.8&mpl=10&within=0.0001&trials=1000000000&view=measure").await;
    let (mut said, mut free) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        page.wait_until("there is progress", "return document.getElementById('progress').value").await;
        let times = page
            .run_async(
                "const start = performance.now(), id = 1000000007;
                 document.getElementById('cancel').click();
                 const free = Promise.all(workers.map(worker => new Promise(done => {
                     worker.addEventListener('message', event => {
                         if (wire.done(event.data) === id) done(performance.now() - start);
                     });
                     worker.postMessage(wire.run({ id, text: 'v=2', first: 0, count: 1 }));
                 })));
                 while (!document.getElementById('status').textContent.startsWith('Cancelled'))
                     await new Promise(done => setTimeout(done));
                 const said = performance.now() - start;
                 return [said, Math.max(...await free)];",
            )
            .await;
        said.push(times[0].as_f64().unwrap_or(f64::NAN));
        free.push(times[1].as_f64().unwrap_or(f64::NAN));
        page.click("#run").await;
        page.wait_until("it runs", "return !!document.getElementById('cancel')").await;
    }
    let heap = page.run("return (performance.memory?.usedJSHeapSize ?? 0) / 1e6").await.as_f64().unwrap_or(0.0);
    report(
        "page/cancel",
        &format!(
            "said after {} ms, workers free after {} ms; {heap:.0} MB on the page's heap",
            numbers(&said, 0),
            numbers(&free, 0)
        ),
    );
}
