//! A number over time, sampled ever more coarsely.

/// How many messages waited over time.
#[derive(Clone, Debug)]
pub struct History {
    /// The time between two samples, the first at time 0.
    pub interval: f64,
    /// The number of waiting messages at each.
    pub waiting: Vec<u32>,
}

impl History {
    /// The most samples that are kept: with more, every other one is dropped.
    pub(crate) const MOST: usize = 512;

    /// Nothing yet, a sample every `interval`.
    pub(crate) fn new(interval: f64) -> Self {
        Self { interval, waiting: Vec::new() }
    }

    /// Notes that `waiting` messages wait until `time`.
    pub(crate) fn note(&mut self, time: f64, waiting: u64) {
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

    /// The samples: times and waiting messages.
    pub fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.waiting.iter().enumerate().map(|(number, &waiting)| (number as f64 * self.interval, f64::from(waiting)))
    }
}
