//! A histogram of setup times.

use serde::{Deserialize, Serialize};

/// Mantissa bits that select a bucket: 32 buckets between a number and its double.
const MANTISSA_BITS: u32 = 5;

/// Upper bits of the lower bound of the first bucket above zero, 2^-16. Smaller positive times
/// count in this bucket too.
const FIRST_BUCKET: u64 = (1023 - 16) << MANTISSA_BITS;

/// Upper bits of the lower bound of the last bucket, just below 2^64. Larger times count in this
/// bucket too.
const LAST_BUCKET: u64 = FIRST_BUCKET + ((16 + 64) << MANTISSA_BITS) - 1;

/// A histogram of setup times with a relative resolution of 1/32.
///
/// Zero has a separate bucket. The width of a bucket above 2^-16 is at most 1/32 of its lower
/// bound. The bits of the number select the bucket, so that results are identical on all targets.
/// Histograms can be merged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetupHistogram {
    /// Number of times that are exactly 0: the message waited for no link.
    pub zero: u64,
    /// Counts of the other buckets, in the order of [`SetupHistogram::bounds`], without empty buckets at
    /// the end.
    pub counts: Vec<u64>,
}

impl SetupHistogram {
    /// Counts one time. Times that are not positive count as zero.
    #[inline]
    pub fn add(&mut self, time: f64) {
        if time <= 0.0 {
            self.zero += 1;
            return;
        }
        let bucket =
            ((time.to_bits() >> (52 - MANTISSA_BITS)).clamp(FIRST_BUCKET, LAST_BUCKET) - FIRST_BUCKET) as usize;
        if bucket >= self.counts.len() {
            self.counts.resize(bucket + 1, 0);
        }
        self.counts[bucket] += 1;
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Self) {
        self.zero += other.zero;
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
    }

    /// Returns the number of times counted.
    pub fn count(&self) -> u64 {
        self.zero + self.counts.iter().sum::<u64>()
    }

    /// Returns the number of times of at least `time`, which must be a bound between two buckets.
    /// Otherwise, the whole bucket that contains `time` is left out.
    pub fn count_from(&self, time: f64) -> u64 {
        let above = |&(bucket, _): &(usize, &u64)| Self::bounds(bucket as u64).0 >= time;
        self.counts.iter().enumerate().filter(above).map(|(_, count)| count).sum()
    }

    /// Returns the range of times in bucket `bucket`: from the first, inclusive, to the second,
    /// exclusive.
    pub fn bounds(bucket: u64) -> (f64, f64) {
        let bucket = bucket.min(LAST_BUCKET - FIRST_BUCKET);
        let low = |bucket: u64| f64::from_bits((FIRST_BUCKET + bucket) << (52 - MANTISSA_BITS));
        (if bucket == 0 { 0.0 } else { low(bucket) }, low(bucket + 1))
    }

    /// Returns the quantile `q` (0 to 1), interpolated within its bucket.
    ///
    /// The relative error is at most 1/32. `None` if the histogram is empty.
    pub fn quantile(&self, q: f64) -> Option<f64> {
        let count = self.count();
        let rank = q.clamp(0.0, 1.0) * count as f64;
        if count == 0 {
            return None;
        }
        let mut below = self.zero as f64;
        if rank <= below {
            return Some(0.0);
        }
        for (bucket, &here) in self.counts.iter().enumerate() {
            let here = here as f64;
            if here > 0.0 && rank <= below + here {
                let (low, high) = Self::bounds(bucket as u64);
                return Some(low + (high - low) * ((rank - below) / here));
            }
            below += here;
        }
        Some(Self::bounds(self.counts.len().saturating_sub(1) as u64).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bucket_bounds_contain_the_added_time() {
        for time in [1e-9, 1.5e-5, 0.1, 0.999, 1.0, 1.03, 7.25, 1e5, 1e18, 1e300] {
            let mut one = SetupHistogram::default();
            one.add(time);
            let (low, high) = SetupHistogram::bounds(one.counts.len() as u64 - 1);
            assert!(low <= time && (time < high || time > 1e19), "{time}: {low} to {high}");
            assert!(low == 0.0 || high - low <= low / 31.9);
        }
    }

    #[test]
    fn quantiles_of_merged_histograms_match_the_data() {
        let (mut all, mut odd) = (SetupHistogram::default(), SetupHistogram::default());
        assert_eq!(all.quantile(0.5), None);
        for i in 0..=1000u32 {
            [&mut all, &mut odd][(i % 2) as usize].add(f64::from(i) / 100.0);
        }
        all.merge(&odd);
        assert_eq!((all.count(), all.zero), (1001, 1));
        for q in [0.1, 0.5, 0.9, 0.99] {
            let quantile = all.quantile(q).unwrap();
            assert!((quantile - 10.0 * q).abs() < 10.0 * q / 32.0 + 0.01, "{q}: {quantile}");
        }
        assert_eq!(all.quantile(0.0), Some(0.0));
        // 10 = 1.25 * 2^3 is a bound between two buckets, 9.99 is not.
        assert_eq!((odd.count_from(8.0), all.count_from(10.0)), (100, 1));
        assert!(all.quantile(1.0).unwrap() >= 10.0);
    }
}
