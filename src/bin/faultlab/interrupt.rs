//! Handling of Ctrl-C and SIGTERM: the first signal stops the work, the second ends the process.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::output::{CliError, INTERRUPTED};

static STOPPED: AtomicBool = AtomicBool::new(false);
/// True while work is running that polls [`is_stop_requested`] and prints a partial result.
static IS_POLLED: AtomicBool = AtomicBool::new(false);

/// Name of the running command, for the message of a signal that ends it.
static COMMAND: OnceLock<&'static str> = OnceLock::new();

/// Installs the signal handler. If that fails, signals end the process as they do by default.
pub(crate) fn install_handler() {
    let _ = ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::SeqCst) || !IS_POLLED.load(Ordering::SeqCst) {
            let command = COMMAND.get().unwrap_or(&"faultlab");
            CliError::Stopped(format!("stopped: {command} did not finish; no more output follows")).report();
            std::process::exit(INTERRUPTED.into());
        }
    });
}

/// Records the name of the running command.
pub(crate) fn set_command(command: &'static str) {
    let _ = COMMAND.set(command);
}

/// Guard that exists while work is running that polls [`is_stop_requested`].
pub(crate) struct SignalGuard(());

impl SignalGuard {
    pub(crate) fn begin() -> Self {
        IS_POLLED.store(true, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for SignalGuard {
    fn drop(&mut self) {
        IS_POLLED.store(false, Ordering::SeqCst);
    }
}

/// Returns whether a signal has requested a stop.
pub(crate) fn is_stop_requested() -> bool {
    STOPPED.load(Ordering::Relaxed)
}
