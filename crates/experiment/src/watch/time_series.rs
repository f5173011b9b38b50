//! Time series with a bounded number of samples.

/// Number of waiting messages over time.
#[derive(Clone, Debug)]
pub struct TimeSeries {
    /// Time between two samples, the first at time 0.
    pub interval: f64,
    /// Number of waiting messages at each sample.
    pub waiting: Vec<u32>,
}

impl TimeSeries {
    /// Maximum number of samples. If it is exceeded, every other sample is dropped.
    pub(crate) const MOST: usize = 512;

    /// Creates an empty history with a sample every `interval`.
    pub(crate) fn new(interval: f64) -> Self {
        Self { interval, waiting: Vec::new() }
    }

    /// Records that `waiting` messages wait until `time`.
    pub(crate) fn record(&mut self, time: f64, waiting: u64) {
        while self.waiting.len() as f64 * self.interval < time {
            if self.waiting.len() == Self::MOST {
                let mut number = 0;
                self.waiting.retain(|_| {
                    number += 1;
                    number % 2 == 1
                });
                self.interval *= 2.0;
                continue;
            }
            self.waiting.push(waiting as u32);
        }
    }

    /// Drops the samples from `time` on.
    pub(crate) fn truncate(&mut self, time: f64) {
        self.waiting.truncate(libm::ceil(time / self.interval) as usize);
    }

    /// Returns the samples as pairs of time and waiting messages.
    pub fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.waiting.iter().enumerate().map(|(number, &waiting)| (number as f64 * self.interval, f64::from(waiting)))
    }
}
