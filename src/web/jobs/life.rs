//! Signs of life: for how long a worker that has something to do has not been heard.

use crate::web::dom;

/// How often it is looked who lives, in milliseconds; only while somebody has something to do.
pub(super) const LOOK: u32 = 250;

/// The most that counts from one look to the next, in milliseconds. A hidden page is let look once a second, or a minute, one that slept
/// hours later: only time in which the page itself was awake is held against a worker.
const AWAKE: f64 = 300.0;

/// How long one that is at work may be silent, in milliseconds. It beats five times a second (`worker/mod.rs`), but for single steps that take
/// longer: up to 0.11 s natively in networks of up to 65,536 nodes, 3 s in the largest ones, which patience makes up for: after
/// every loss for the same task it is doubled.
pub(super) const PATIENCE: f64 = 1250.0;

/// How long one may be silent before it says that it is up, in milliseconds; doubled as well. It beats while it fetches its program
/// (`boot/worker.js`), and after so long the page helps out.
pub(super) const START: f64 = 2000.0;

/// Counts the time in which the page is awake.
#[derive(Default)]
pub(super) struct Clock {
    last: Option<f64>,
}

impl Clock {
    /// Begins to count, unless it does.
    pub(super) fn start(&mut self) {
        self.last.get_or_insert_with(dom::now);
    }

    /// The milliseconds since the last look.
    pub(super) fn passed(&mut self) -> f64 {
        let now = dom::now();
        self.last.replace(now).map_or(0.0, |last| (now - last).min(AWAKE))
    }

    /// Nobody looks for a while.
    pub(super) fn stop(&mut self) {
        self.last = None;
    }
}

/// For how long somebody has been silent, in milliseconds.
#[derive(Default)]
pub(super) struct Silence {
    now: f64,
    longest: f64,
}

impl Silence {
    /// Somebody was heard, or has been given something to do.
    pub(super) fn heard(&mut self) {
        self.now = 0.0;
    }

    /// Time has passed. Whether it is too long now.
    pub(super) fn lasts(&mut self, passed: f64, patience: f64) -> bool {
        self.now += passed;
        self.longest = self.longest.max(self.now);
        self.now >= patience
    }

    /// The longest there was.
    pub(super) fn longest(&self) -> f64 {
        self.longest
    }
}

/// What is said of who is silent.
pub(super) const SILENT: &str = "it fell silent";
/// What is said of who belongs to another page.
pub(super) const OTHER_VERSION: &str = "this page and its worker are of different versions: reload";
/// What is said of who does not start.
pub(super) const LATE: &str = "it did not start in time";
