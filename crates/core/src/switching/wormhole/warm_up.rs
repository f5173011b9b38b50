//! Warm-up of a measurement: fixed, or until the network is steady.

use super::WormholeNetwork;

/// Length of the warm-up, which is not measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WormWarmUp {
    /// A fixed number of cycles.
    Fixed(u64),
    /// A warm-up that lasts until the network is steady.
    ///
    /// Two conditions must hold:
    /// - The number of messages in the network is steady by the rule MSER-5 (White, Cobb & Spratt,
    ///   A comparison of five steady-state truncation heuristics for simulation, WSC 2000).
    /// - No channel transfers a flit in more than three of four cycles. Jams at busier channels
    ///   grow for a long time with little effect on the number of messages.
    ///
    /// The check takes place after `least` cycles and at each doubling. The measured time is then
    /// at least as long as the warm-up was. A shorter measurement would hardly detect queues that
    /// grow without bound.
    Steady {
        /// Time of the first check, at least 80 cycles.
        least: u64,
        /// Longest warm-up.
        most: u64,
    },
}

impl WormWarmUp {
    /// Returns the number of cycles between two samples of the network.
    pub(super) fn stretch(self) -> u64 {
        match self {
            Self::Fixed(cycles) => cycles,
            Self::Steady { least, .. } => (least / SAMPLES).max(1),
        }
    }
}

/// Number of samples before the first MSER-5 check.
const SAMPLES: u64 = 80;

/// Samples of a network during its warm-up.
#[derive(Clone, Debug, Default)]
pub(super) struct WarmUpMonitor {
    /// Numbers of messages in the network.
    samples: Vec<u64>,
    /// Flits that had crossed each channel at the last check; empty before the first.
    carried: Vec<u64>,
    /// Number of cycles before the last check.
    checked_at: u64,
}

impl WarmUpMonitor {
    /// Returns whether the warm-up, which began in cycle `from`, is over. Must be called after
    /// every stretch.
    pub(super) fn is_over(&mut self, warm_up: WormWarmUp, worms: &WormholeNetwork, from: u64) -> bool {
        let WormWarmUp::Steady { most, .. } = warm_up else { return true };
        let passed = worms.cycle() - from;
        self.samples.push(worms.in_flight());
        let samples = self.samples.len() as u64;
        let is_time = samples.is_multiple_of(SAMPLES) && (samples / SAMPLES).is_power_of_two();
        passed >= most || is_time && self.has_idle_capacity(worms, passed) && is_steady(&self.samples)
    }

    /// Returns whether every channel was idle for a quarter of the time since the last check.
    fn has_idle_capacity(&mut self, worms: &WormholeNetwork, passed: u64) -> bool {
        let (carried, since) = (worms.carried(), passed - self.checked_at);
        let before = self.carried.iter().copied().chain(std::iter::repeat(0));
        let busiest = carried.iter().zip(before).map(|(now, before)| now - before).max().unwrap_or(0);
        (self.carried, self.checked_at) = (carried, passed);
        4 * busiest <= 3 * since
    }
}

/// Number of samples of a batch.
const BATCH: usize = 5;

/// Returns whether a series is steady after its first half at the latest, by MSER-5.
///
/// The samples are averaged in batches of five. MSER-5 removes as many initial batches as minimize
/// the standard error of the mean of the rest. In a series that still grows, MSER-5 would remove
/// more than half of the batches. Returns `false` for fewer than four batches. Cost: linear in the
/// samples.
fn is_steady(samples: &[u64]) -> bool {
    let batches: Vec<_> = samples.as_chunks::<BATCH>().0.iter().map(|batch| batch.iter().sum::<u64>() as f64).collect();
    let half = batches.len() / 2;
    half >= 2 && truncation(&batches, half) < half
}

/// Returns the number of initial batches to remove, at most `most`.
fn truncation(batches: &[f64], most: usize) -> usize {
    let (mut mean, mut squares, mut least) = (0.0, 0.0, (f64::INFINITY, most));
    for (kept, (left_out, batch)) in batches.iter().enumerate().rev().enumerate() {
        let kept = kept as f64 + 1.0;
        let off = batch - mean;
        mean += off / kept;
        squares += off * (batch - mean);
        // Of two equally good truncations, prefer the shorter one.
        if left_out <= most && squares / (kept * kept) <= least.0 {
            least = (squares / (kept * kept), left_out);
        }
    }
    least.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Key;
    use rand::Rng as _;

    /// Returns the truncation by a direct implementation of the definition.
    fn truncation_by_definition(batches: &[f64], most: usize) -> usize {
        let error = |left_out: usize| {
            let rest = &batches[left_out..];
            let mean = rest.iter().sum::<f64>() / rest.len() as f64;
            rest.iter().map(|batch| (batch - mean) * (batch - mean)).sum::<f64>() / (rest.len() * rest.len()) as f64
        };
        (0..=most).min_by(|&a, &b| error(a).total_cmp(&error(b))).unwrap()
    }

    #[test]
    fn truncation_matches_its_definition() {
        let mut generator = Key::from_seed(1).generator();
        for length in 4..100 {
            let noise = |index| (generator.next_u32() % 100) as f64 + 1000.0 / (index as f64 + 1.0);
            let batches: Vec<_> = (0..length).map(noise).collect();
            for most in [0, 1, length / 2, length - 1] {
                assert_eq!(truncation(&batches, most), truncation_by_definition(&batches, most), "{batches:?} {most}");
            }
        }
    }

    #[test]
    fn growing_or_short_series_are_not_steady() {
        let ramp =
            |from: u64, steps: u64, all: u64| (0..all).map(move |at| from + 10 * at.min(steps)).collect::<Vec<_>>();
        assert!(!is_steady(&ramp(0, 400, 400)));
        assert!(!is_steady(&ramp(0, 300, 400)));
        assert!(is_steady(&ramp(0, 100, 400)));
        assert!(is_steady(&ramp(7, 0, 400)));
        assert!(!is_steady(&[]) && !is_steady(&ramp(7, 0, 19)) && is_steady(&ramp(7, 0, 20)));
    }
}
