//! Texts of every kind put to the simulator, with an eye on the memory that it takes.
#![cfg(not(target_arch = "wasm32"))]

mod memory;
mod runs;
#[path = "../core/texts.rs"]
mod texts;

use std::sync::{Mutex, MutexGuard, PoisonError};

use peak_alloc::PeakAlloc;

/// Counts what is taken.
#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// What this program takes is counted for all of it: those who look at it do so one after the other.
fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
