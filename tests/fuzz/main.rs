//! Fuzz tests: random experiments of every kind are run, and their memory use is measured.
#![cfg(not(target_arch = "wasm32"))]

mod commands;
mod drawings;
mod memory;
mod output_formats;
#[path = "../core/random_texts.rs"]
mod random_texts;
mod rule_texts;
mod runs;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use peak_alloc::PeakAlloc;
use proptest::test_runner::{Config, TestRunner};

/// Global allocator that records current and peak memory use.
#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Locks memory measurements, which cover the whole process, so that such tests run one at a time.
fn lock_measurements() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the duration of a fuzz run, `FAULTLAB_FUZZ` in seconds (set by `cargo xtask fuzz`).
/// `None` in the regular checks, which draw the same texts in every run.
fn seconds() -> Option<Duration> {
    std::env::var("FAULTLAB_FUZZ").ok().and_then(|text| text.parse().ok()).map(Duration::from_secs)
}

/// Returns the source of random texts: deterministic in the regular checks, random under `cargo
/// xtask fuzz`.
fn runner() -> TestRunner {
    let config = Config { failure_persistence: None, ..Config::default() };
    if seconds().is_some() { TestRunner::new(config) } else { TestRunner::deterministic() }
}
