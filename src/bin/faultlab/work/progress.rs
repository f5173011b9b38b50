//! Progress output: a bar on a terminal, otherwise a line at intervals.

use std::io::{self, IsTerminal as _};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use faultlab::api::native::ProgressDisplay;
use faultlab::experiment::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::note;

/// Length of the bar, in steps.
pub(crate) const BAR_STEPS: u64 = 1000;

/// Interval between two lines if standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// Creates a bar on standard error that is redrawn at intervals. It is hidden if standard error is
/// not a terminal.
pub(crate) fn progress_bar(quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(BAR_STEPS), target);
    tick(&bar, Duration::from_millis(500));
    match ProgressStyle::with_template("{prefix} {spinner} {bar:40} {percent}%, {msg}, {elapsed}, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Redraws a visible bar at intervals, if a thread can be started for that.
fn tick(bar: &ProgressBar, every: Duration) {
    if !bar.is_hidden() && std::thread::Builder::new().spawn(|| ()).is_ok() {
        bar.enable_steady_tick(every);
    }
}

/// Progress display of a sweep or a search.
pub(super) struct SweepProgress {
    bar: ProgressBar,
    name: String,
    /// Time of the last line; `None` if lines are not wanted.
    last: Option<Mutex<Instant>>,
    begun: Instant,
}

impl SweepProgress {
    /// Creates a display that shows no progress yet.
    pub(super) fn new(quiet: bool, name: &str) -> Self {
        let bar = progress_bar(quiet);
        bar.set_prefix(name.to_owned());
        let last = (!quiet && !io::stderr().is_terminal()).then(|| Mutex::new(Instant::now()));
        Self { bar, name: name.to_owned(), last, begun: Instant::now() }
    }
}

impl ProgressDisplay for SweepProgress {
    fn show_sweep(&self, progress: Progress, steps: u64) {
        let Progress { done, points, share } = progress;
        self.bar.set_position((share * BAR_STEPS as f64) as u64);
        self.bar.set_message(format!("{done} of {points} points, {} steps", format_count(steps)));
        let Some(last) = &self.last else { return };
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= LINE_INTERVAL {
            *last = Instant::now();
            let name = if self.name.is_empty() { String::new() } else { format!("{}: ", self.name) };
            let (percent, time) = (share * 100.0, self.begun.elapsed().as_secs_f64());
            let left = if share > 0.001 {
                format!(", about {} left", format_duration(time * (1.0 - share) / share))
            } else {
                String::new()
            };
            note(&format!(
                "{name}{done} of {points} points, {percent:.0}%, {} steps, {time:.0} s{left}",
                format_count(steps)
            ));
        }
    }

    fn show_search(&self, share: f64, text: &str) {
        self.bar.set_position((share * BAR_STEPS as f64) as u64);
        self.bar.set_message(text.to_owned());
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// Formats a large number briefly.
fn format_count(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{} thousand", number / 1_000),
        1_000_000..1_000_000_000 => format!("{:.1} million", number as f64 / 1e6),
        _ => format!("{:.1} billion", number as f64 / 1e9),
    }
}

/// Formats a duration in seconds as words.
pub(crate) fn format_duration(seconds: f64) -> String {
    match seconds {
        none if none < 1.0 => "a second".into(),
        few if few < 100.0 => format!("{few:.0} s"),
        some if some < 6_000.0 => format!("{:.0} min", some / 60.0),
        many if many < 200_000.0 => format!("{:.1} h", many / 3_600.0),
        days => format!("{:.0} days", days / 86_400.0),
    }
}

/// Spinner for work of unknown duration. It shows on a terminal after about a second, until the
/// value is dropped.
pub(crate) struct Spinner(ProgressBar);

impl Spinner {
    /// Shows a spinner with the text `what`.
    pub(crate) fn new(what: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        tick(&bar, Duration::from_millis(900));
        match ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
            Ok(style) => Self(bar.with_style(style).with_message(what)),
            Err(_) => Self(bar),
        }
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
