//! When the warm-up is over.

use super::Worms;

/// How long a network runs before anything counts, in cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WormWarmUp {
    /// So long.
    Fixed(u64),
    /// Until the number of messages in the network has come to rest by the rule MSER-5 (White, Cobb & Spratt, A comparison of
    /// five steady-state truncation heuristics for simulation, WSC 2000), and no channel carries a flit in more than three
    /// cycles of four: before busier ones jams grow for long that the number of all messages hardly shows. Asked after
    /// `least` cycles and at each doubling of them. The parts of the measured time are then together at least as long
    /// as the warm-up was: in less, queues that grow without end hardly show.
    Steady {
        /// The first time to ask, at least 80 cycles.
        least: u64,
        /// The longest warm-up.
        most: u64,
    },
}

impl WormWarmUp {
    /// The cycles between two looks at the network.
    pub(super) fn stretch(self) -> u64 {
        match self {
            Self::Fixed(cycles) => cycles,
            Self::Steady { least, .. } => (least / SAMPLES).max(1),
        }
    }
}

/// The samples of the number of messages until MSER-5 is asked for the first time.
const SAMPLES: u64 = 80;

/// What was seen of a network in its warm-up.
#[derive(Clone, Debug, Default)]
pub(super) struct Warming {
    /// The messages in the network.
    samples: Vec<u64>,
    /// The flits that had crossed each channel when it was asked last; none before.
    carried: Vec<u64>,
    /// The cycles that had passed by then.
    asked: u64,
}

impl Warming {
    /// Whether the warm-up, which began in cycle `from` and of which one more stretch has passed, is over.
    pub(super) fn is_over(&mut self, warm_up: WormWarmUp, worms: &Worms, from: u64) -> bool {
        let WormWarmUp::Steady { most, .. } = warm_up else { return true };
        let passed = worms.cycle() - from;
        self.samples.push(worms.in_flight());
        let samples = self.samples.len() as u64;
        let is_time = samples.is_multiple_of(SAMPLES) && (samples / SAMPLES).is_power_of_two();
        passed >= most || is_time && self.is_flowing(worms, passed) && is_steady(&self.samples)
    }

    /// Whether every channel was free in a quarter of the time since this was asked last.
    fn is_flowing(&mut self, worms: &Worms, passed: u64) -> bool {
        let (carried, since) = (worms.carried(), passed - self.asked);
        let before = self.carried.iter().copied().chain(std::iter::repeat(0));
        let busiest = carried.iter().zip(before).map(|(now, before)| now - before).max().unwrap_or(0);
        (self.carried, self.asked) = (carried, passed);
        4 * busiest <= 3 * since
    }
}

/// The samples that make one batch.
const BATCH: usize = 5;

/// Whether a series that was watched from the start has come to rest within its first half, by MSER-5: of the means of five
/// samples each, as many first ones are left out as make the standard error of the mean of the others least. A series that
/// still grows would leave out more than half of them; of fewer than four means nothing can be said. Cost: in proportion to
/// the samples.
fn is_steady(samples: &[u64]) -> bool {
    let batches: Vec<_> = samples.as_chunks::<BATCH>().0.iter().map(|batch| batch.iter().sum::<u64>() as f64).collect();
    let half = batches.len() / 2;
    half >= 2 && truncation(&batches, half) < half
}

/// How many of the first batches to leave out, `most` at most.
fn truncation(batches: &[f64], most: usize) -> usize {
    let (mut mean, mut squares, mut least) = (0.0, 0.0, (f64::INFINITY, most));
    for (kept, (left_out, batch)) in batches.iter().enumerate().rev().enumerate() {
        let kept = kept as f64 + 1.0;
        let off = batch - mean;
        mean += off / kept;
        squares += off * (batch - mean);
        // Where two are as good, the shorter one.
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

    /// The definition, word by word.
    fn by_definition(batches: &[f64], most: usize) -> usize {
        let error = |left_out: usize| {
            let rest = &batches[left_out..];
            let mean = rest.iter().sum::<f64>() / rest.len() as f64;
            rest.iter().map(|batch| (batch - mean) * (batch - mean)).sum::<f64>() / (rest.len() * rest.len()) as f64
        };
        (0..=most).min_by(|&a, &b| error(a).total_cmp(&error(b))).unwrap()
    }

    #[test]
    fn leaves_out_what_the_definition_does() {
        let mut generator = Key::from_seed(1).generator();
        for length in 4..100 {
            let noise = |index| (generator.next_u32() % 100) as f64 + 1000.0 / (index as f64 + 1.0);
            let batches: Vec<_> = (0..length).map(noise).collect();
            for most in [0, 1, length / 2, length - 1] {
                assert_eq!(truncation(&batches, most), by_definition(&batches, most), "{batches:?} {most}");
            }
        }
    }

    #[test]
    fn what_grows_is_not_steady() {
        let ramp =
            |from: u64, steps: u64, all: u64| (0..all).map(move |at| from + 10 * at.min(steps)).collect::<Vec<_>>();
        assert!(!is_steady(&ramp(0, 400, 400)));
        assert!(!is_steady(&ramp(0, 300, 400)));
        assert!(is_steady(&ramp(0, 100, 400)));
        assert!(is_steady(&ramp(7, 0, 400)));
        assert!(!is_steady(&[]) && !is_steady(&ramp(7, 0, 19)) && is_steady(&ramp(7, 0, 20)));
    }
}
