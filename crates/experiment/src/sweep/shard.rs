//! Shards of a sweep, for distributed execution.
//!
//! A shard consists of some of the points. If the number of trials is fixed, it consists of some of
//! the tasks of every point.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{PointResult, Status, Sweep};
use crate::Experiment;

/// One of several shares of a sweep, which different machines can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Number of the shard, from 1 to `count`.
    pub number: u32,
    /// Number of shards.
    pub count: u32,
}

impl Shard {
    /// The only shard of a sweep that is not divided.
    pub const WHOLE: Self = Self { number: 1, count: 1 };
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl Sweep {
    /// Returns this sweep restricted to the points of `slots`. The other points count as cancelled.
    #[must_use]
    pub fn restricted_to(mut self, slots: &[u32]) -> Self {
        for (point, slot) in self.points.iter_mut().zip(0..) {
            if !slots.contains(&slot) {
                point.status = Status::Cancelled;
                self.left_out += 1;
            }
        }
        self
    }

    /// Returns the maximum number of shards: the number of points, or the number of tasks if the
    /// number of trials is fixed.
    pub fn max_shards(&self) -> u64 {
        let plan = &self.experiment.kind().stopping_rule;
        let tasks = |point: &PointResult| point.target.div_ceil(plan.task_size(point.target));
        match plan.fixed(&self.experiment) {
            Some(_) => self.points.iter().map(tasks).sum(),
            None => self.points.len() as u64,
        }
    }

    /// Returns one shard of this sweep.
    ///
    /// The shard consists of some of the points, or of some of the tasks of every point if the
    /// number of trials is fixed. Points that belong to other shards, completely or in part, count
    /// as cancelled.
    #[must_use]
    pub fn shard(mut self, shard: Shard) -> Self {
        if self.experiment.kind().stopping_rule.fixed(&self.experiment).is_none() {
            let slots = partition_lpt(&self.expected_steps(), shard);
            return self.restricted_to(&slots);
        }
        self.shard = Some(shard);
        for (point, slot) in self.points.iter_mut().zip(0..) {
            let (mut own, all) = (0, point.target);
            point.skip_to_shard(slot, self.shard, &self.experiment);
            while point.dispatched < all {
                own += point.issue(slot, self.shard, &self.experiment).count;
            }
            (point.dispatched, point.shard_quota) = (0, Some(own));
            point.skip_to_shard(slot, self.shard, &self.experiment);
            if own == 0 {
                point.status = Status::Cancelled;
                self.left_out += 1;
            }
        }
        self
    }

    /// Returns the slots of the points with trials in this shard.
    pub fn local_points(&self) -> Vec<u32> {
        let here = |(point, _): &(&PointResult, u32)| point.status == Status::Running;
        self.points.iter().zip(0..).filter(here).map(|(_, slot)| slot).collect()
    }

    /// Returns whether all trials of a point in this shard are complete.
    pub fn is_shard_complete(&self, slot: u32) -> bool {
        self.points.get(slot as usize).is_some_and(|point| match point.status {
            Status::Running | Status::Cancelled => point.shard_quota == Some(point.tally.trials),
            _ => true,
        })
    }
}

impl PointResult {
    /// Advances to the next trial of the point that belongs to `shard`.
    pub(super) fn skip_to_shard(&mut self, slot: u32, shard: Option<Shard>, experiment: &Experiment) {
        let Some(Shard { number, count }) = shard else { return };
        let size = experiment.kind().stopping_rule.task_size(self.target);
        while self.dispatched < self.target
            && (self.dispatched / size + u64::from(slot)) % u64::from(count) + 1 != u64::from(number)
        {
            self.dispatched = (self.dispatched + size).min(self.target);
        }
    }
}

/// Returns the slots of `shard`, ascending, for points of the expected `steps`.
///
/// Points are assigned in descending order of steps, each to the shard with the fewest steps so
/// far, and to the first of equal ones (R. L. Graham, "Bounds on multiprocessing timing anomalies",
/// SIAM J. Appl. Math. 17, 1969: no shard is then longer than 4/3 of the optimum).
fn partition_lpt(steps: &[f64], shard: Shard) -> Vec<u32> {
    let mut slots: Vec<u32> = (0..steps.len() as u32).collect();
    let dearest = |a: &u32, b: &u32| steps[*b as usize].total_cmp(&steps[*a as usize]).then(a.cmp(b));
    slots.sort_by(dearest);
    // Load of each shard in units of the most expensive point; whole numbers, so that equal sums
    // are equal.
    let unit = slots.first().map_or(1.0, |&slot| steps[slot as usize].max(1.0)) / f64::from(1 << 20);
    let mut shard_loads = BinaryHeap::from_iter((1..=shard.count.max(1)).map(|number| Reverse((0u64, number))));
    let mut own = Vec::new();
    for slot in slots {
        let Some(Reverse((sum, shard_number))) = shard_loads.pop() else { break };
        shard_loads.push(Reverse((sum + (steps[slot as usize] / unit) as u64 + 1, shard_number)));
        if shard_number == shard.number {
            own.push(slot);
        }
    }
    own.sort_unstable();
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(steps: &[f64], number: u32, count: u32) -> Vec<u32> {
        partition_lpt(steps, Shard { number, count })
    }

    #[test]
    fn shards_partition_all_points() {
        for (points, shards) in [(0, 1), (1, 1), (7, 3), (96, 8), (5, 9)] {
            let steps: Vec<f64> = (0..points).map(|slot| f64::from(slot * slot % 17)).collect();
            let mut all: Vec<u32> = (1..=shards).flat_map(|number| slots(&steps, number, shards)).collect();
            all.sort_unstable();
            assert_eq!(all, (0..points).collect::<Vec<_>>());
        }
    }

    /// Graham's example: three shards of 9, 9 and 8 are possible; this rule reaches 11 at most (4/3
    /// - 1/9).
    #[test]
    fn shards_have_balanced_costs() {
        let steps = [5.0, 5.0, 4.0, 4.0, 3.0, 3.0, 3.0];
        let sums =
            [1, 2, 3].map(|number| slots(&steps, number, 3).iter().map(|&slot| steps[slot as usize]).sum::<f64>());
        assert_eq!(sums.iter().sum::<f64>(), 27.0);
        assert!(sums.iter().all(|&sum| sum <= 11.0), "{sums:?}");
        let equal = [1, 2, 3].map(|number| slots(&[1.0; 8], number, 3).len());
        assert_eq!(equal, [3, 3, 2]);
    }
}
