//! Texts of every kind put to the simulator, with an eye on the memory that it takes.
#![cfg(not(target_arch = "wasm32"))]

mod commands;
mod drawings;
mod forms;
mod memory;
mod rule_texts;
mod runs;
#[path = "../core/texts.rs"]
mod texts;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use peak_alloc::PeakAlloc;
use proptest::test_runner::{Config, TestRunner};

/// Counts what is taken.
#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// What this program takes is counted for all of it: those who look at it do so one after the other.
fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The time for which texts are drawn, `FAULTLAB_FUZZ` in seconds: `cargo xtask fuzz`. `None` in the checks, which draw the same ones in
/// every run.
fn seconds() -> Option<Duration> {
    std::env::var("FAULTLAB_FUZZ").ok().and_then(|text| text.parse().ok()).map(Duration::from_secs)
}

/// The source of drawn texts: the same texts in every run of the checks, others in every run of `cargo xtask fuzz`.
fn runner() -> TestRunner {
    let config = Config { failure_persistence: None, ..Config::default() };
    if seconds().is_some() { TestRunner::new(config) } else { TestRunner::deterministic() }
}
