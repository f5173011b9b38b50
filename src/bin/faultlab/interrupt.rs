//! Ctrl-C, and SIGTERM as schedulers send it: the first one stops the work, the second one the process.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::output::{Failure, INTERRUPTED};

static STOPPED: AtomicBool = AtomicBool::new(false);
/// Whether there is work under way that stops by itself and has something to say.
static HEARD: AtomicBool = AtomicBool::new(false);

/// The command that runs, as a signal that ends it names it.
static COMMAND: OnceLock<&'static str> = OnceLock::new();

/// Listens from now on. Where that cannot be, signals end the process as they always do.
pub(crate) fn listen() {
    let _ = ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::SeqCst) || !HEARD.load(Ordering::SeqCst) {
            let command = COMMAND.get().unwrap_or(&"faultlab");
            Failure::Stopped(format!("stopped: {command} did not finish; nothing more is printed")).report();
            std::process::exit(INTERRUPTED.into());
        }
    });
}

/// Notes the command that runs from now on.
pub(crate) fn begin(command: &'static str) {
    let _ = COMMAND.set(command);
}

/// While this value is kept, work is under way that asks whether it is [`stopped`].
pub(crate) struct Hearing(());

impl Hearing {
    pub(crate) fn begin() -> Self {
        HEARD.store(true, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Hearing {
    fn drop(&mut self) {
        HEARD.store(false, Ordering::SeqCst);
    }
}

/// Whether to stop.
pub(crate) fn stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}
