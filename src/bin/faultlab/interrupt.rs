//! Ctrl-C, and SIGTERM as schedulers send it: the first one stops the work, the second one the process.

use std::sync::atomic::{AtomicBool, Ordering};

/// What a process says by its status that was stopped by a signal.
pub(crate) const STATUS: u8 = 130;

static STOPPED: AtomicBool = AtomicBool::new(false);
/// Whether there is work under way that stops by itself and has something to say.
static HEARD: AtomicBool = AtomicBool::new(false);

/// Listens from now on. Where that cannot be, signals end the process as they always do.
pub(crate) fn listen() {
    let _ = ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::SeqCst) || !HEARD.load(Ordering::SeqCst) {
            std::process::exit(STATUS.into());
        }
    });
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
