//! Tests of whether independent runs of a network have settled, and whether its queues grow without
//! bound.
//!
//! A run's measured time is divided into equal parts. The tests compare the parts within each run
//! and combine the runs, so that no assumption about the dependence within a run is needed.

use super::student::mean_test_p_value;

/// Number of equal parts of a run's measured time.
pub(crate) const PARTS: u16 = 8;

/// Probability that a test rejects one output of steady runs because it seems to rise, or to fall.
const FALSE_ALARM: f64 = 0.005;

/// Probability that a test rejects waiting times of steady runs because they seem to rise.
///
/// The probability is high on purpose: waiting times rise while an empty network fills. A missed
/// rise biases the mean, a false alarm only makes runs longer.
const FALSE_RISE_OF_WAITS: f64 = 0.1;

/// Probability that queues with a stationary distribution are called unstable, for each check of a
/// point.
const FALSE_INSTABILITY: f64 = 0.001;

/// Largest lag-1 correlation of the parts of a run that counts as nearly independent.
///
/// For an exponentially decaying correlation, this holds if a part is at least 1.15 times the decay
/// time. A run then measures 9 decay times, after a warm-up of more than 2.
const MOST_CORRELATION: f64 = 0.5;

/// Output of a run: a sum and its divisor for each part of the measured time.
pub(crate) type Parts = Vec<(f64, f64)>;

/// Relation between the means of several runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Means {
    /// Same faults in all runs, and therefore the same mean.
    Common,
    /// Different faults in each run, and therefore different means.
    PerRun,
}

/// Kind of quantity that an output measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// Waiting time of messages.
    Wait,
    /// Any other quantity.
    Other,
}

/// Returns whether the early parts of an output differ from the late ones beyond chance.
///
/// The contrast of each run is the statistic of L. Schruben, H. Singh and L. Tierney, "Optimal
/// tests for initialization bias in simulation output", Operations Research 31, 1983. Contrasts of
/// independent runs are compared with 0 by Student's test.
pub(crate) fn has_initial_bias(runs: &[Parts], output: Output) -> bool {
    let contrasts: Vec<f64> =
        runs.iter().map(|parts| contrast(&deviations(parts, ratio(std::slice::from_ref(parts))))).collect();
    let rise = if output == Output::Wait { FALSE_RISE_OF_WAITS } else { FALSE_ALARM };
    mean_test_p_value(&contrasts).is_some_and(|probability| probability < rise || probability > 1.0 - FALSE_ALARM)
}

/// Returns whether neighbouring parts of an output depend on each other so much that the runs are
/// too short.
///
/// The lag-1 correlation is pooled over runs. Around means of each run it is biased by about -(1 +
/// 3r)/n for n parts, which is corrected (F. H. C. Marriott and J. A. Pope, "Bias in the estimation
/// of autocorrelations", Biometrika 41, 1954).
pub(crate) fn is_correlated(runs: &[Parts], means: Means) -> bool {
    let common = ratio(runs);
    let (mut variance, mut covariance, mut parts) = (0.0, 0.0, 0.0f64);
    for run in runs {
        let mean = if means == Means::Common { common } else { ratio(std::slice::from_ref(run)) };
        let deviations = deviations(run, mean);
        let n = deviations.len() as f64;
        variance += deviations.iter().map(|value| value * value).sum::<f64>() / n;
        covariance += deviations.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / (n - 1.0);
        parts = parts.max(n);
    }
    if variance <= 0.0 {
        return false;
    }
    let found = covariance / variance;
    let unbiased = if means == Means::Common { found } else { (found + 1.0 / parts) / (1.0 - 3.0 / parts) };
    unbiased > MOST_CORRELATION
}

/// Returns whether the number of waiting messages grows in proportion to time, beyond chance.
///
/// Each run gives the number of waiting messages at the end of every part of its measured time,
/// which begins after a warm-up of `warm_up` parts.
///
/// From an empty start, a share of the messages that wait at the end has arrived since the middle
/// of the run. The share tends to 0 if queues have a stationary distribution. It tends to 1 -
/// sqrt(1/2) = 0.29 at the critical load, where queues grow as the square root of time, and to 1/2
/// above it. The test checks whether the share exceeds that of the critical load by
/// [`BEYOND_CRITICAL`] of the distance to 1/2. Its error probability is at most 0.001 for loads up
/// to the critical one.
pub(crate) fn grows_without_bound(waiting: &[Vec<f64>], warm_up: f64) -> bool {
    let excess = |run: &Vec<f64>| {
        let end = warm_up + run.len() as f64;
        // Use the end of the part that ends nearest to the middle of the run, at the earliest the
        // first one.
        let ends = (1..=run.len()).map(|part| warm_up + part as f64);
        let distance = |at: f64| (at - end / 2.0).abs();
        let nearest = ends.zip(run).min_by(|(a, _), (b, _)| distance(*a).total_cmp(&distance(*b)));
        let (Some((middle, before)), Some(last)) = (nearest, run.last()) else { return 0.0 };
        let elapsed = middle / end;
        let (critical, linear) = (1.0 - elapsed.sqrt(), 1.0 - elapsed);
        last - before - (critical + BEYOND_CRITICAL * (linear - critical)) * last
    };
    let excesses: Vec<f64> = waiting.iter().map(excess).collect();
    mean_test_p_value(&excesses).is_some_and(|probability| probability < FALSE_INSTABILITY)
}

/// Threshold between the growth of a queue at the critical load (0) and linear growth (1), above
/// which it is unstable; see [`grows_without_bound`].
const BEYOND_CRITICAL: f64 = 0.42;

/// Length of the warm-up, in parts of the measured time.
pub(crate) const WARM_UP_PARTS: usize = 2;

/// Returns the ratio of the sum of all parts to the sum of their divisors.
fn ratio(runs: &[Parts]) -> f64 {
    let (sum, whole) = runs.iter().flatten().fold((0.0, 0.0), |(a, b), (sum, whole)| (a + sum, b + whole));
    if whole > 0.0 { sum / whole } else { 0.0 }
}

/// Returns the deviation of the sum of each part from its expected value under `mean`.
fn deviations(parts: &Parts, mean: f64) -> Vec<f64> {
    parts.iter().map(|(sum, whole)| sum - mean * whole).collect()
}

/// Returns the weighted difference of late and early values, which is positive if they rise.
fn contrast(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let (mut sum, mut contrast) = (0.0, 0.0);
    for (k, value) in (1..).map(f64::from).zip(values) {
        sum += value;
        contrast += k * (1.0 - k / n) * (mean - sum / k);
    }
    contrast
}

#[cfg(test)]
mod tests {
    use rand::Rng as _;

    use super::*;
    use faultlab_core::random::{Generator, Key};

    /// Returns uniform noise from -0.5 to 0.5.
    fn noise(generator: &mut Generator) -> f64 {
        f64::from(generator.next_u32()) / 4_294_967_296.0 - 0.5
    }

    /// Creates eight runs of a first-order autoregressive process; `trend` is added to each part.
    fn runs(key: u64, correlation: f64, trend: impl Fn(f64) -> f64) -> Vec<Parts> {
        let mut generator = Key::from_seed(key).generator();
        let mut run = || {
            let mut level = 0.0;
            (0..30).for_each(|_| level = correlation * level + noise(&mut generator));
            let part = |part: u16| {
                level = correlation * level + noise(&mut generator);
                (10.0 + level + trend(f64::from(part)), 1.0)
            };
            (0..PARTS).map(part).collect()
        };
        (0..8).map(|_| run()).collect()
    }

    #[test]
    fn steady_runs_are_rejected_at_the_stated_rate() {
        let rejected = (0..2000).filter(|&key| has_initial_bias(&runs(key, 0.3, |_| 0.0), Output::Other)).count();
        // Binomial with n = 2000 and p = 0.01: 20 expected, standard deviation 4.5.
        assert!((7..34).contains(&rejected), "{rejected}");
    }

    #[test]
    fn decaying_start_is_detected() {
        let found = (0..200)
            .filter(|&key| has_initial_bias(&runs(key, 0.3, |part| -libm::exp(-part / 2.0)), Output::Other))
            .count();
        assert!(found > 150, "{found}");
    }

    #[test]
    fn distinguishes_correlated_from_independent_runs() {
        for means in [Means::Common, Means::PerRun] {
            let count =
                |correlation| (0..200).filter(|&key| is_correlated(&runs(key, correlation, |_| 0.0), means)).count();
            // The correlation around the means of each run is determined poorly by so few parts.
            assert!(count(0.0) < 20 && count(0.9) > 150, "{means:?}: {} {}", count(0.0), count(0.9));
        }
    }

    /// Queues after 10 equal times, of a critical random walk reflected at 0, and of one that
    /// drifts.
    #[test]
    fn distinguishes_drift_from_a_critical_queue() {
        let mut generator = Key::from_seed(1).generator();
        let mut waiting = |drift: f64| -> Vec<Vec<f64>> {
            let mut run = || {
                let mut queues = [0.0f64; 16];
                let mut ends = Vec::new();
                for _ in 0..10 {
                    for _ in 0..100 {
                        queues.iter_mut().for_each(|queue| *queue = (*queue + noise(&mut generator) + drift).max(0.0));
                    }
                    ends.push(queues.iter().sum());
                }
                ends.split_off(WARM_UP_PARTS)
            };
            (0..8).map(|_| run()).collect()
        };
        let critical = (0..300).filter(|_| grows_without_bound(&waiting(0.0), 2.0)).count();
        assert!(critical <= 2, "{critical}");
        let drifting = (0..50).filter(|_| grows_without_bound(&waiting(0.1), 2.0)).count();
        assert!(drifting > 45, "{drifting}");
    }
}
