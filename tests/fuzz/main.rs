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

use std::time::Duration;

use proptest::test_runner::{Config, TestRunner};

/// Runs `measured` and returns its result with the peak memory, in bytes, that this thread had
/// allocated meanwhile.
fn with_peak_bytes<T>(measured: impl FnOnce() -> T) -> (T, u64) {
    let mut result = None;
    let allocated = allocation_counter::measure(|| result = Some(measured()));
    (result.expect("the closure has run"), allocated.bytes_max)
}

/// Returns the duration of a fuzz run, `FAULTLAB_FUZZ` in seconds (set by `cargo xtask fuzz`).
/// `None` in the regular checks, which draw the same texts in every run.
fn seconds() -> Option<Duration> {
    std::env::var("FAULTLAB_FUZZ").ok().and_then(|text| text.parse().ok()).map(Duration::from_secs)
}

/// Returns whether this is a thorough run (`cargo xtask test --thorough`). Other runs draw fewer
/// texts of the same sequence; `cargo xtask fuzz` draws new ones.
fn is_thorough() -> bool {
    std::env::var_os("FAULTLAB_THOROUGH").is_some()
}

/// Returns the source of random texts: deterministic in the regular checks, random under `cargo
/// xtask fuzz`.
fn runner() -> TestRunner {
    let config = Config { failure_persistence: None, ..Config::default() };
    if seconds().is_some() { TestRunner::new(config) } else { TestRunner::deterministic() }
}
