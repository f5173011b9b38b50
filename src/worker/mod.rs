//! Program of the page's workers: runs tasks of sweeps, and single jobs such as searches.
//!
//! A worker runs tasks in time slices, so that it receives a cancellation between them.

pub(crate) mod protocol;
mod search;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use js_sys::Reflect;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::Closure;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

use crate::experiment::{Experiment, Sampler, Sweep, Tally, Task};
use crate::papers::item;
use crate::report::answers::Cells;
use crate::report::findings::Findings;
use crate::report::kinds::proved;
use protocol::{FromWorker, PROTOCOL, ToWorker};

/// Number of steps between two checks of the clock, in a worker or in the page itself.
pub(crate) const BUDGET: u64 = 20_000;

/// Time slice between two checks for messages, in milliseconds.
const TIME_SLICE: f64 = 10.0;

/// Interval between two heartbeats, in milliseconds; a single step may take longer.
const HEARTBEAT_INTERVAL: f64 = 200.0;

/// Running task of a sweep.
struct RunningTask {
    id: u64,
    text: String,
    task: Task,
    tally: Tally,
}

/// Task queue of the worker, and the sampler of the last task: successive tasks tend to be of one
/// point.
#[derive(Default)]
struct TaskQueue {
    tasks: VecDeque<RunningTask>,
    /// True while a message of the worker to itself is in transit, so that it sends no second one.
    ticking: bool,
    sampler: Option<(String, u32, Box<dyn Sampler>)>,
}

/// Starts the worker: answers messages until the page terminates it. Does nothing outside a worker.
pub fn start() {
    let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return };
    report_panics();
    let Ok(channel) = MessageChannel::new() else {
        return post(&scope, &FromWorker::Failed { id: None, problem: "no MessageChannel".into() });
    };
    let queue = Rc::new(RefCell::new(TaskQueue::default()));
    // A message of the worker to itself is the shortest break in which the worker can receive
    // messages of the page.
    let tick = channel.port2();
    on_message(&channel.port1(), {
        let (queue, scope, tick) = (Rc::clone(&queue), scope.clone(), tick.clone());
        move |_| {
            let more = slice(&mut queue.borrow_mut(), &scope);
            queue.borrow_mut().ticking = more;
            if more {
                wake(&tick);
            }
        }
    });
    let listener = Closure::<dyn FnMut(MessageEvent)>::new({
        let scope = scope.clone();
        move |event: MessageEvent| receive(&event, &mut queue.borrow_mut(), &scope, &tick)
    });
    scope.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    listener.forget();
    post(&scope, &FromWorker::Ready { protocol: PROTOCOL.into() });
}

fn receive(event: &MessageEvent, queue: &mut TaskQueue, scope: &DedicatedWorkerGlobalScope, tick: &MessagePort) {
    match protocol::read(event.data()) {
        Ok(ToWorker::Run { id, text, task }) => {
            queue.tasks.push_back(RunningTask { id, text, task, tally: Tally::default() });
            if !std::mem::replace(&mut queue.ticking, true) {
                wake(tick);
            }
        }
        Ok(ToWorker::Cancel) => queue.tasks.clear(),
        Ok(ToWorker::Check(text)) => post(scope, &analyze(&text)),
        Ok(ToWorker::Item(id)) => post(scope, &compute_item(&id)),
        Ok(ToWorker::Worst { text, faults, links }) => {
            search::run_worst_search(&text, faults, links, &|news| post(scope, &news), &|| heartbeat(scope));
        }
        Ok(ToWorker::Refute(text)) => search::run_refutation(&text, &|news| post(scope, &news), &|| heartbeat(scope)),
        Err(problem) => post(scope, &FromWorker::Failed { id: None, problem }),
    }
}

/// Returns the analysis of an experiment.
fn analyze(text: &str) -> FromWorker {
    panic_for_test(text);
    let found = text.parse::<Experiment>().map_err(|error| error.to_string()).and_then(|experiment| {
        let found = proved(&experiment, false).map_err(|error| error.to_string())?;
        Ok(Findings::new(&*found))
    });
    match found {
        Ok(found) => FromWorker::CheckReport(Box::new(found)),
        Err(problem) => FromWorker::Failed { id: None, problem },
    }
}

/// Returns the cells of an item without sweeps.
fn compute_item(id: &str) -> FromWorker {
    match item(id) {
        Some(item) => FromWorker::Item(Cells::new(item, &[])),
        None => FromWorker::Failed { id: None, problem: format!("no item is called {id}") },
    }
}

/// Runs tasks for one time slice. Returns whether there are more.
fn slice(queue: &mut TaskQueue, scope: &DedicatedWorkerGlobalScope) -> bool {
    let now = || now(scope);
    let end = now() + TIME_SLICE;
    heartbeat(scope);
    while let Some(running) = queue.tasks.front_mut() {
        let sampler = match &mut queue.sampler {
            Some((text, slot, sampler)) if *text == running.text && *slot == running.task.slot => sampler,
            other => match sampler_of(&running.text, running.task.slot) {
                Ok(sampler) => &mut other.insert((running.text.clone(), running.task.slot, sampler)).2,
                Err(problem) => {
                    post(scope, &FromWorker::Failed { id: Some(running.id), problem });
                    queue.tasks.pop_front();
                    continue;
                }
            },
        };
        let mut done = false;
        while !done {
            done = sampler.advance(running.task, &mut running.tally, &mut { BUDGET });
            if now() >= end {
                break;
            }
        }
        if done && let Some(running) = queue.tasks.pop_front() {
            post(scope, &FromWorker::Done { id: running.id, tally: Box::new(running.tally) });
        }
        if now() >= end {
            break;
        }
    }
    !queue.tasks.is_empty()
}

fn sampler_of(text: &str, slot: u32) -> Result<Box<dyn Sampler>, String> {
    panic_for_test(text);
    let experiment: Experiment = text.parse().map_err(|error| format!("{error}"))?;
    Sweep::sampler(&experiment, slot).ok_or_else(|| format!("no point {slot} in {text}"))
}

fn wake(tick: &MessagePort) {
    // Fails only for values that cannot be copied.
    let _ = tick.post_message(&wasm_bindgen::JsValue::NULL);
}

fn on_message(port: &MessagePort, listen: impl FnMut(MessageEvent) + 'static) {
    let listener = Closure::<dyn FnMut(MessageEvent)>::new(listen);
    port.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    listener.forget();
}

/// Returns the time since the worker was started, in milliseconds.
fn now(scope: &DedicatedWorkerGlobalScope) -> f64 {
    scope.performance().map_or(0.0, |clock| clock.now())
}

thread_local! {
    /// Time of the last heartbeat.
    static LAST_HEARTBEAT: Cell<f64> = const { Cell::new(0.0) };
}

/// Sends a heartbeat to the page, unless the last one is more recent than the interval.
fn heartbeat(scope: &DedicatedWorkerGlobalScope) {
    let now = now(scope);
    if now - LAST_HEARTBEAT.get() > HEARTBEAT_INTERVAL {
        LAST_HEARTBEAT.set(now);
        post(scope, &FromWorker::Heartbeat);
    }
}

fn post(scope: &DedicatedWorkerGlobalScope, message: &FromWorker) {
    // Fails only for values that cannot be copied; bytes can.
    let _ = scope.post_message(&protocol::write(message));
}

/// Name of the global variable by which a test makes the program panic, at experiments whose text
/// contains its value. No link can set it.
const PANIC: &str = "__faultlab_panic";

/// Panics if a test requests it for this experiment.
#[allow(clippy::panic, reason = "a test requested it")]
pub(crate) fn panic_for_test(text: &str) {
    let asked = Reflect::get(&js_sys::global(), &PANIC.into()).ok().and_then(|part| part.as_string());
    if asked.is_some_and(|part| text.contains(&part)) {
        panic!("a test requested this panic");
    }
}

/// Installs a panic hook that reports the reason before the instance ends; the page replaces the
/// worker.
fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        // A hook must be `Send`, which the scope is not, so the hook looks it up again.
        if let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() {
            let problem = format!("an internal error in Faultlab: {}", info.to_string().replace('\n', " "));
            post(&scope, &FromWorker::Failed { id: None, problem });
        }
    }));
}
